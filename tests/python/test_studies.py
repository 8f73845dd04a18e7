"""Sweeps, explanations, occupancies, devices and imports answer as the program does."""

import json

import gdsim
import numpy as np
import pytest
from conftest import KERNEL, SCENARIOS, program, table

GEMM = SCENARIOS / "studies/gemm_tile.yaml"


def test_a_sweep_is_the_table_that_the_program_writes(tmp_path):
    program("sweep", GEMM, "--vary", "tile=16,32,64", "--vary", "stages=1..6+1", "--set", "size=1024", "-o", tmp_path / "p.csv")
    rows = table((tmp_path / "p.csv").read_text())
    swept = gdsim.sweep(GEMM, {"tile": [16, 32, 64], "stages": range(1, 7)}, set={"size": 1024}, jobs=2)
    assert swept.points.dtype.names == tuple(rows[0])
    assert len(swept) == len(rows)
    for point, row in zip(swept.points, rows):
        for column, cell in row.items():
            value = point[column]
            if isinstance(value, np.floating):
                assert cell == "" if np.isnan(value) else float(cell) == pytest.approx(value, abs=5.01e-5), column
            else:
                assert str(value) == cell or (cell == "" and value == -1), column
    assert swept.best["rank"] == 1 and (np.diff(swept.ranked["rank"]) == 1).all()


def test_a_sweep_pairs_drops_and_draws_points():
    lists = {"tile": [16, 32, 64], "stages": [1, 2, 3]}
    assert len(gdsim.sweep(GEMM, lists, set={"size": 1024}, zip=True)) == 3
    assert len(gdsim.sweep(GEMM, lists, set={"size": 1024}, where="tile * stages <= 64")) == 6
    drawn = gdsim.sweep(GEMM, lists, set={"size": 1024}, sample=4, seed=3)
    assert len(drawn) == 4
    assert np.array_equal(drawn.points, gdsim.sweep(GEMM, lists, set={"size": 1024}, sample=4, seed=3, jobs=1).points)


def test_a_sweep_goes_on_with_its_store(tmp_path):
    lists = {"tile": [8, 16, 24]}
    first = gdsim.sweep(KERNEL, lists, store=tmp_path / "points.sqlite")
    again = gdsim.sweep(KERNEL, lists, store=tmp_path / "points.sqlite", resume=True)
    assert np.array_equal(first.points, again.points)
    merged = program("sweep", "--merge", tmp_path / "points.sqlite", "--format", "csv")
    assert [row["tile"] for row in table(merged)] == ["8", "16", "24"]


def test_values_may_come_from_anything_that_lists_them_and_texts_stay_texts():
    for values in ([8, 16], (8, 16), range(8, 24, 8), np.array([8, 16]), (size for size in (8, 16)), ["8", "16"]):
        points = gdsim.sweep(KERNEL, {"tile": values}).points
        assert [int(tile) for tile in points["tile"]] == [8, 16]
    devices = gdsim.sweep(SCENARIOS / "tutorial/would_an_h100_help.yaml", {"device": ["a100-80gb", "h100-sxm"]}).points
    assert list(devices["device"]) == ["a100-80gb", "h100-sxm"]


def test_durations_are_those_of_single_runs_and_of_a_sweep():
    scenario = gdsim.load(GEMM)
    columns = {"size": [512] * 4, "tile": [16, 32, 64, 128], "stages": [2, 3, 1, 2]}
    durations, reasons = scenario.durations(columns)
    assert reasons == {}
    for row, duration in enumerate(durations):
        assert scenario.run({name: values[row] for name, values in columns.items()}).duration_ps == duration
    swept = gdsim.sweep(GEMM, columns, zip=True)
    assert [int(time * 1000 + 0.5) for time in swept.points["duration_ns"]] == durations.tolist()


def test_an_explanation_is_the_one_that_the_program_writes():
    path = SCENARIOS / "tutorial/cost_of_the_tail.yaml"
    assert gdsim.explain(path) == json.loads(program("explain", path, "--format", "json"))


def test_a_run_that_comes_to_a_bound_is_not_explained():
    with pytest.raises(gdsim.Error, match="bounded"):
        gdsim.explain(SCENARIOS / "tutorial/cost_of_the_tail.yaml", max_time="1 us")


def test_an_occupancy_is_what_the_program_answers():
    answer = gdsim.occupancy("a100-80gb", (16, 16), 32, registers=72, slm="8 KiB", global_size=2**20)
    words = ["--device", "a100-80gb", "--local", "16,16", "--sub-group", 32, "--registers", 72, "--slm", "8 KiB", "--global", 2**20]
    assert answer == json.loads(program("occupancy", *words, "--format", "json"))
    assert gdsim.occupancy("mi300x", 256, 64, slm=8192) == gdsim.occupancy("mi300x", 256, 64, slm="8 KiB")
    assert gdsim.occupancy("a100-80gb", 2048)["status"] == "refused"


def test_the_devices_are_those_that_the_program_lists():
    assert list(gdsim.devices()["device"]) == program("devices", "--names").split()
    a100 = gdsim.devices("a100-80gb")
    assert len(a100) == 1 and a100["cores"][0] == 108 and a100["family"][0] == "cc-8.0"
    assert gdsim.device_values("a100-80gb")["cores"] == "108"
    assert "max_work_group_size" in gdsim.device_values("a100-80gb")["sources"]


PTXAS = """ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z5saxpyifPfS_' for 'sm_80'
ptxas info    : Function properties for _Z5saxpyifPfS_
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 72 registers, 4096 bytes smem, 380 bytes cmem[0]
"""


def test_a_compiled_kernel_becomes_the_scenario_that_the_program_writes(tmp_path):
    file = tmp_path / "saxpy.txt"
    file.write_text(PTXAS)
    imported = gdsim.import_kernel(file, device="a100-80gb", block=256)
    assert imported == program("import", file, "--device", "a100-80gb", "--block", "256")
    assert gdsim.run(imported).summary["peak_occupancy_percent"] == 37.5
    with pytest.raises(gdsim.Error, match="placeholder"):
        gdsim.explain(imported)


PROFILE = "name,start_ns,duration_ns,grid_x,block_x,registers\nadd,1000,5000,216,256,32\nmul,9000,8000,432,256,64\n"


def test_a_profile_becomes_the_scenario_that_the_program_writes(tmp_path):
    file = tmp_path / "-profile.csv"  # no option, although it begins like one
    file.write_text(PROFILE)
    imported = gdsim.import_profile(file, device="a100-80gb")
    assert imported == program("import", file, "--device", "a100-80gb")
    assert "2 launches" in imported.report
    launches = gdsim.run(imported).launches
    assert launches["duration_ns"] == pytest.approx([5000, 8000], rel=0.01)
    assert len(gdsim.run(gdsim.import_profile([file], device="a100-80gb", kernel="mul")).launches) == 1


def test_what_an_import_reports_does_not_go_to_standard_error(tmp_path, capfd):
    file = tmp_path / "profile.csv"
    file.write_text(PROFILE)
    gdsim.import_profile(file, device="a100-80gb")
    with pytest.raises(gdsim.Error):
        gdsim.import_profile(file, device="none")
    with pytest.raises(gdsim.Error):
        gdsim.import_profile(tmp_path / "none.csv")
    written = capfd.readouterr()
    assert written.out == "" and written.err == ""
