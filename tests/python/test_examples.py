"""The scripts of the tutorial say what its pages say; the filter finds what was measured to be best."""

import re
import subprocess
import sys

import numpy as np
import pytest
from conftest import ROOT, table

import gdsim

EXAMPLES = ROOT / "tools/python/examples"
sys.path.insert(0, str(EXAMPLES))
import clblast_sgemm  # noqa: E402
import gemm_filter  # noqa: E402
from one_core import durations, work_groups_that_fit  # noqa: E402

# What each page says, as its script prints it.
SAID = {
    "why_37_percent": ["3 blocks per SM, 37.5 %, limited by registers", "registers: 64 instead of 72", "peak 37.5 %"],
    "which_block_size": ["the best is 64", "within 0.5 %: 64\n"],
    "second_kernel_waits": ["small: 42021.985 to 47026.948 ns", "small: 1502.837 to 6507.800 ns"],
    "cost_of_the_tail": ["1 of 529 blocks of gemm is left over for the last wave. That wave costs 33.1 % of the time."],
    "would_an_h100_help": ["64 instructions: 1.8 times as fast", "1024 instructions: 3.4 times as fast"],
    "three_stages": ["3 stages: 534.1 us, 1 blocks per SM", "2 stages: 525.2 us, 2 blocks per SM"],
}


def test_there_is_a_script_for_each_page_of_the_tutorial():
    pages = {page.stem for page in (ROOT / "scenarios/tutorial").glob("*.md")}
    assert pages == set(SAID) == {script.stem for script in (EXAMPLES / "tutorial").glob("*.py")}


@pytest.mark.parametrize("name", SAID)
def test_a_script_of_the_tutorial_says_what_its_page_says(name):
    done = subprocess.run([sys.executable, EXAMPLES / "tutorial" / f"{name}.py"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    for said in SAID[name]:
        assert said in done.stdout


def measured():
    lines = (ROOT / "tests/python/data/clblast_sgemm.csv").read_text().splitlines()
    rows = table("\n".join(line for line in lines if not line.startswith("#")))
    columns = {name: np.array([float(row[name]) for row in rows]) for name in rows[0]}
    return {name: values if name.endswith("_ms") else values.astype(int) for name, values in columns.items()}


@pytest.mark.parametrize("device, column", [("rtx-2080-ti", "rtx_2080_ti_ms"), ("rtx-3090", "rtx_3090_ms")])
def test_the_ranking_of_measured_configurations_is_as_good_as_the_results_say(device, column):
    c = measured()
    order, _ = clblast_sgemm.ranked(device, c)
    assert sorted(order) == list(range(len(c["mwg"])))
    count, ratio = clblast_sgemm.found(order, c[column])
    results = table((ROOT / "tests/results/python.csv").read_text())
    row = next(one for one in results if device in one["what"])
    assert f"{count} of the true best ten" in row["what"] and float(row["value"]) == pytest.approx(ratio, abs=0.0005)


def test_what_cannot_win_is_below_no_configuration_that_was_simulated():
    problem = gemm_filter.Problem("a100-80gb", 2048, 2048, 2048)
    c = gemm_filter.configurations()
    assert len(c["tile_m"]) >= 10_000
    simulated, floor = problem.rank(c)
    best = np.nanmin(simulated)
    ran = np.isfinite(simulated)
    assert (simulated[ran] >= floor[ran]).all()
    left_out = np.flatnonzero(np.isnan(simulated))
    assert len(left_out) > 1000
    assert (floor[left_out] > best).all()
    some = left_out[:: len(left_out) // 100]
    work = {name: values[some] for name, values in problem.work(c).items()}
    fit = work_groups_that_fit(problem.device, work["size"], work["count"], work["buffers"])
    after_all = durations(problem.scenario, work, problem.groups(c)[some], fit, problem.cores)
    assert (after_all >= best).all()
    finite = np.isfinite(after_all)
    assert (after_all[finite] >= floor[some][finite]).all()


def test_a_core_with_its_share_takes_as_long_as_the_device():
    # Tiles of which the device makes whole waves, so that all of its cores do the same.
    problem = gemm_filter.Problem("a100-80gb", 128 * 108, 128 * 16, 2048)
    c = {name: np.array([value]) for name, value in dict(tile_m=128, tile_n=128, tile_k=32, warps=8, stages=3, split_k=1).items()}
    simulated, _ = problem.rank(c)
    work = {name: values[0] for name, values in problem.work(c).items()}
    whole = problem.scenario.to_dict()
    whole["device"] = "a100-80gb"
    alone = gdsim.run(whole, set={**work, "groups": 108 * 16}).duration_ns
    assert simulated[0] == pytest.approx(alone, rel=0.1)


@pytest.mark.parametrize("device", ["a100-80gb", "h100-sxm"])
def test_the_filter_says_how_many_it_ran(device):
    done = subprocess.run([sys.executable, EXAMPLES / "gemm_filter.py", device, "1024", "1024", "1024"],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    numbers = [int(text) for text in re.findall(r"\d+(?= configurations| simulated| cannot)", done.stdout)]
    assert numbers[0] == sum(numbers[1:]) >= 10_000
    assert len(done.stdout.splitlines()) == 12
