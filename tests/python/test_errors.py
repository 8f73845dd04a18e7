"""What is wrong with an input is an exception with its places, whatever the input is; nothing crashes."""

import copy
import math
import pickle
from decimal import Decimal

import gdsim
import numpy as np
import pytest
from conftest import KERNEL, program


def test_all_problems_of_a_file_come_with_the_places_that_the_program_prints(tmp_path):
    file = tmp_path / "bad.yaml"
    file.write_text(KERNEL.replace("local: 8", "locl: 8").replace("device: tiny", "device: tinny"))
    with pytest.raises(gdsim.Error) as caught:
        gdsim.run(file)
    assert str(caught.value).strip() == program("run", file, status=2).strip()
    assert len(caught.value.problems) >= 2
    for problem in caught.value.problems:
        assert problem.file == str(file) and problem.line > 0 and problem.column > 0
        assert problem.line_text == file.read_text().splitlines()[problem.line - 1]


def test_a_device_that_refuses_says_why_by_a_code():
    with pytest.raises(gdsim.Error) as caught:
        gdsim.run(KERNEL, set={"kernels.k.local": 2048, "kernels.k.global": 4096})
    assert caught.value.problems[0].code == "work_group_too_large"


def test_a_dict_has_places_in_its_text():
    with pytest.raises(gdsim.Error) as caught:
        gdsim.run({"scenario": "s", "device": "tiny", "kernels": {"k": {"globl": 8}}, "launches": [{"kernel": "k"}]})
    problem = next(one for one in caught.value.problems if "globl" in one.message)
    assert problem.file == "<dict>" and "globl" in problem.line_text


def test_an_error_is_a_value_error_and_survives_being_pickled():
    with pytest.raises(ValueError) as caught:
        gdsim.run("no/such/file.yaml")
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value) and again.problems == caught.value.problems


def test_what_holds_itself_or_is_nested_too_deeply_is_refused():
    cycle = {}
    cycle["launches"] = [cycle]
    deep = []
    for _ in range(100_000):
        deep = [deep]
    for source in (cycle, {"kernels": deep}):
        with pytest.raises(gdsim.Error, match="nested too deeply"):
            gdsim.run(source)
    with pytest.raises(gdsim.Error, match="nested too deeply"):
        gdsim.run(KERNEL, set={"kernels.k": deep})


@pytest.mark.parametrize(
    "source",
    ["", "\n", "\0\n", "a: [\n", "scenario: \ud800\n", 5, None, b"x\n", [], {}, {1: 2}, {"scenario": object()},
     {"scenario": math.nan}, {None: 1}, {1: 2, "1": 3}, np.zeros(3), {"kernels": np.zeros((2, 2))}, "x" * 100_000, "\n" * 100_000,
     {"scenario": "s", "device": "tiny", "kernels": [], "launches": {}}, object(), 1.5, "/", "/proc/self/mem"],
    ids=lambda source: type(source).__name__,
)
def test_what_is_no_scenario_is_refused(source):
    with pytest.raises((gdsim.Error, TypeError, UnicodeError)):
        gdsim.run(source)


@pytest.mark.parametrize(
    "values",
    [5, "local", [("a", 1)], {"tile": None}, {"tile": math.inf}, {"tile": math.nan}, {"tile": Decimal("NaN")}, {"tile": Decimal("8.00000000000000000001")}, {"tile": object()},
     {"tile": []}, {"tile": {}}, {None: 1}, {"": 1}, {".": 1}, {"a..b": 1}, {"tile": -1}, {"tile": 10**40}, {"tile": "1\n2"},
     {"tile": "\0"}, {"kernels.k.global": "\ud800"}, {"tile": 1 + 2j}, {"launches.99999999999.at": 1},
     {"device.cores": 2**32}, {"tile": np.array(["a", "b"])}],
    ids=str,
)
def test_a_value_that_cannot_be_set_is_refused(values):
    with pytest.raises((gdsim.Error, TypeError, UnicodeError)):
        gdsim.run(KERNEL, set=values)
    assert gdsim.run(KERNEL).outcome == "completed"


@pytest.mark.parametrize(
    "options",
    [{"case": "x"}, {"case": 5}, {"keep": ["everything"]}, {"keep": 5}, {"keep": [5]}, {"max_time": 5}, {"max_time": "5"},
     {"max_time": "-1 us"}, {"max_events": 0}, {"max_events": -1}, {"max_events": 2**70}, {"max_events": "many"}, {"seed": -1},
     {"seed": 2**64}, {"seed": 0.5}, {"models": "/none/such"}, {"models": 5}, {"models": [b"/"]}],
    ids=str,
)
def test_an_option_that_means_nothing_is_refused(options):
    with pytest.raises((gdsim.Error, TypeError)):
        gdsim.run(KERNEL, **options)


def test_numbers_of_any_kind_are_what_they_stand_for():
    for value in (16, 16.0, np.int8(16), np.uint64(16), np.float32(16), Decimal(16), np.array(16), "16", True + 15):
        assert gdsim.run(KERNEL, set={"tile": value}).summary["work_groups_total"] == 16
    assert gdsim.run(KERNEL, set={"kernels.k.global": np.array([2, 64]), "kernels.k.local": (1, np.int32(8))}).summary["work_groups_total"] == 16
    drawn = gdsim.run(KERNEL, set={"kernels.k.variation": {"distribution": "uniform", "cv": 0.25, "seed": np.int64(7)}})
    assert drawn.outcome == "completed"


@pytest.mark.parametrize(
    "arguments",
    [("tiny", 0), ("tiny", -1), ("tiny", 2**70), ("tiny", "x"), ("tiny", (1, 2, 3, 4)), ("tiny", None), ("", 8), (None, 8),
     ("none", 8), ("a100", 8), ("tiny\0", 8), (5, 8), ("tiny", 8.5), ("tiny", [])],
    ids=str,
)
def test_an_occupancy_that_cannot_be_asked_for_is_refused_or_answered_so(arguments):
    try:
        assert gdsim.occupancy(*arguments)["status"] != "ok"
    except (gdsim.Error, TypeError):
        pass


@pytest.mark.parametrize(
    "vary",
    [{}, 5, {"tile": []}, {"tile": 5}, {"tile": "8"}, {"tile": [None]}, {"none": [1]}, {"tile": [8], "parameters.tile": [8]},
     {"rank": [1]}, {"tile": [math.nan]}],
    ids=str,
)
def test_a_sweep_over_what_cannot_be_varied_is_refused(vary):
    with pytest.raises((gdsim.Error, TypeError)):
        gdsim.sweep(KERNEL, vary)


def test_rows_of_durations_must_be_equally_many_and_paths_known():
    scenario = gdsim.load(KERNEL)
    for columns in ({}, {"tile": [8, 16], "device.cores": [1]}, {"none": [1]}, {"tile": 5}, {"tile": ["x"]}, 5):
        with pytest.raises((gdsim.Error, TypeError)):
            scenario.durations(columns)
    none, reasons = scenario.durations({"tile": []})
    assert len(none) == 0 and reasons == {}


def test_a_point_that_the_device_refuses_has_no_duration_and_a_reason():
    durations, reasons = gdsim.load(KERNEL).durations({"kernels.k.local": [8, 2048], "kernels.k.global": [64, 4096]})
    assert durations[0] > 0 and durations[1] == -1
    assert list(reasons) == [1] and "at most" in reasons[1]


def test_nothing_makes_an_object_with_nothing_in_it():
    for kind in (gdsim._core.Run, gdsim._core.Scenario, gdsim._core.Models):
        with pytest.raises(TypeError):
            kind()
        with pytest.raises(TypeError):
            kind.__new__(kind)
        with pytest.raises(TypeError):
            object.__new__(kind)


def test_what_cannot_be_copied_or_pickled_says_so():
    for one in (gdsim.run(KERNEL), gdsim.load(KERNEL)):
        for copied in (copy.deepcopy, pickle.dumps):
            with pytest.raises(TypeError):
                copied(one)


def test_a_command_that_does_not_exist_or_cannot_be_followed_is_refused():
    for name, words in (("none", []), ("run", ["\0"]), ("import", ["--none"]), ("import", [])):
        with pytest.raises(gdsim.Error):
            gdsim._core.command(name, words)
