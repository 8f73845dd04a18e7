"""What a run recorded is handed over as it is: the tables of the program, views without a copy."""

import gc

import gdsim
import numpy as np
import pytest
from conftest import SCENARIOS, program, table

TABLES = {"timeline": "timeline.csv", "cores": "cores.csv", "work_groups": "work_groups.csv", "phases": "phases.csv",
          "launches": "launches.csv"}
# With spread work-groups, launches that wait, copies, edges, priorities, and whole waves.
RUN = ["vector_add4.yaml", "queues.yaml", "tail_of_529_blocks.yaml", "copy_overlap.yaml", "child_kernels.yaml",
       "partial_dispatch_barrier_first.yaml", "tutorial/why_37_percent.yaml"]


def as_written(name, value):
    """A cell as the program writes it."""
    if isinstance(value, (np.bool_, bool)):
        return "true" if value else "false"
    if isinstance(value, np.floating):
        if np.isnan(value):
            return ""
        return f"{value:.3f}" if name.endswith("_ns") else f"{value:.4f}"
    return str(value)


def is_cell(name, value, cell):
    if as_written(name, value) == cell:
        return True
    # A half is rounded from the exact fraction there, and from its nearest double here.
    return isinstance(value, np.floating) and not name.endswith("_ns") and cell != "" and abs(value - float(cell)) <= 5.0001e-5


@pytest.mark.parametrize("name", RUN)
def test_the_arrays_are_the_tables_of_the_program_row_by_row(name, tmp_path):
    program("run", SCENARIOS / name, "-o", tmp_path / "out", status=3 if name == "child_kernels.yaml" else 0)
    folders = [tmp_path / "out"] if (tmp_path / "out/timeline.csv").exists() else sorted(
        one for one in (tmp_path / "out").iterdir() if one.is_dir())
    assert folders
    for folder in folders:
        run = gdsim.run(SCENARIOS / name, case=None if folder == tmp_path / "out" else folder.name)
        for part, file in TABLES.items():
            rows = table((folder / file).read_text())
            array = np.asarray(getattr(run, part))
            assert array.dtype.names == tuple(rows[0]), part
            assert len(array) == len(rows), part
            for row, expected in zip(array, rows):
                for column in expected:
                    assert is_cell(column, row[column], expected[column]), (part, column, row[column], expected[column])


def test_times_are_what_the_table_says_to_the_last_bit():
    run = gdsim.run(SCENARIOS / "tutorial/why_37_percent.yaml")
    rows = table(program("run", SCENARIOS / "tutorial/why_37_percent.yaml", "--print", "timeline"))
    assert run.timeline["time_ns"].tolist() == [float(row["time_ns"]) for row in rows]
    assert [piece.array["time_ps"].dtype for piece in run.timeline.pieces] == [np.int64] * len(run.timeline.pieces)


def test_the_summary_is_that_of_the_program():
    import json

    path = SCENARIOS / "vector_add3.yaml"
    assert gdsim.run(path).summary == json.loads(program("run", path, "--print", "summary"))


def test_pieces_are_views_that_cannot_be_written_and_outlive_the_run():
    run = gdsim.run(SCENARIOS / "vector_add4.yaml", keep=["timeline", "cores", "work_groups"])
    for series in (run.timeline, run.cores, run.work_groups):
        for piece in series.pieces:
            assert piece.array.base is not None and not piece.array.flags.owndata
            assert not piece.array.flags.writeable
            with pytest.raises(ValueError):
                piece.array.flags.writeable = True
            with pytest.raises(ValueError):
                piece.array[0] = piece.array[0]
    array = run.timeline.pieces[0].array
    before = array.copy()
    del run, series, piece
    gc.collect()
    filler = [bytes(10_000) for _ in range(1000)]
    assert (array == before).all() and filler


def test_two_looks_at_a_piece_share_memory():
    run = gdsim.run(SCENARIOS / "vector_add4.yaml", keep=["timeline"])
    first, second = run._core.timeline(), run._core.timeline()
    assert np.shares_memory(first, second)
    assert np.shares_memory(run.timeline["threads_resident"], first)


def test_work_groups_that_were_never_placed_have_no_row():
    run = gdsim.run(SCENARIOS / "child_kernels.yaml", case="waiting_parents_fill_the_device")
    rows = run.work_groups
    recorded = sum(len(piece.array) for piece in rows.pieces)
    placed = sum(np.count_nonzero(piece.array["threads_first_placed"]) for piece in rows.pieces)
    assert len(rows) == placed <= recorded
    assert np.isnan(rows["ended_ns"]).all() and len(np.asarray(rows)) == placed


def test_a_column_that_does_not_exist_is_a_key_error_that_names_those_that_do():
    with pytest.raises(KeyError, match="threads_resident"):
        gdsim.run(SCENARIOS / "vector_add4.yaml").timeline["threads"]


def test_a_run_shows_its_picture():
    run = gdsim.run(SCENARIOS / "vector_add4.yaml")
    assert run._repr_html_() == run.svg()
    assert run.svg().startswith("<svg") and run.svg().rstrip().endswith("</svg>")
    assert "304" in run.svg()
    assert run.html().startswith("<!DOCTYPE html>")


def test_the_picture_is_the_one_that_the_program_draws(tmp_path):
    program("report", SCENARIOS / "vector_add4.yaml", "-o", tmp_path / "run.svg")
    assert gdsim.run(SCENARIOS / "vector_add4.yaml").svg() == (tmp_path / "run.svg").read_text()
