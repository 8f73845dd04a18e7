#!/usr/bin/python3
"""How long calls take, in processor time, the shortest of many: rows for tests/results/python.csv.

    PYTHONPATH=build/python/python tests/python/speed.py
"""

import sys
import time
from pathlib import Path

import numpy as np

import gdsim

ROOT = Path(__file__).resolve().parents[2]
SMALL = ROOT / "scenarios/vector_add4.yaml"
sys.path.insert(0, str(ROOT / "tools/python/examples"))


def shortest(call, count=200, rounds=50):
    """Microseconds of one call."""
    best = float("inf")
    for _ in range(rounds):
        begin = time.process_time()
        for i in range(count):
            call(i)
        best = min(best, (time.process_time() - begin) / count)
    return best * 1e6


def main():
    scenario = gdsim.load(SMALL)
    cores = [3 + i % 5 for i in range(200)]
    inside = shortest(lambda i: scenario.durations({"device.cores": cores}), 1) / len(cores)
    whole = shortest(lambda i: gdsim.run(SMALL))
    again = shortest(lambda i: scenario.run())
    changed = shortest(lambda i: scenario.run({"device.cores": cores[i]}))
    changed_path = shortest(lambda i: gdsim.run(SMALL, {"device.cores": cores[i]}))
    big = gdsim.run(ROOT / "scenarios/tutorial/why_37_percent.yaml", {"kernels.saxpy.global": 2**26}, keep=["timeline"])
    rows = sum(len(piece.array) for piece in big.timeline.pieces)
    view = shortest(lambda i: big._core.timeline(), 20)
    asked = shortest(lambda i: gdsim.occupancy("a100-80gb", 256, registers=72))
    import gemm_filter

    problem, space = gemm_filter.Problem(), gemm_filter.configurations()
    begin, used = time.perf_counter(), time.process_time()
    simulated, _ = problem.rank(space)
    took, used = time.perf_counter() - begin, time.process_time() - used
    say = lambda what, value, unit: print(f"{what}: {value:.3g} {unit}")  # noqa: E731
    say("a run of vector_add4 by its path, all included", whole, "us")
    say("a run of a loaded vector_add4, all included", again, "us")
    say("a point of durations(): read, compiled and simulated with a changed value", inside, "us")
    say("runs with a changed value, of a second on one core", 1e6 / inside, "")
    say("a run of a loaded one with a changed value, beyond that", changed - inside, "us")
    say("a run by its path with a changed value, beyond that", changed_path - inside, "us")
    say(f"all pieces of a timeline of {rows} rows kept", view, "us")
    say("an occupancy", asked, "us")
    say(f"{len(simulated)} configurations of a GEMM ranked, {np.count_nonzero(np.isfinite(simulated))} of them simulated", took, "s")
    say("the same, processor time", used, "s")


if __name__ == "__main__":
    main()
