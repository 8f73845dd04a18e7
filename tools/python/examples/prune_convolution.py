#!/usr/bin/python3
"""How often does gdsim.prune() keep the best of 10 configurations, from PTX? A convolution of Kernel Tuner.

    prune_convolution.py TABLE.csv KERNEL.cu

KERNEL.cu is examples/cuda/convolution.cu of KernelTuner/kernel_tuner, whose filter has 15 x 15 elements here. `nvcc`
and `ptxas` compile each configuration. 1,000 times 10 of a device's configurations are drawn at random, and the 4 are
kept that are predicted to be the fastest, and, as always, those without a prediction.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import gdsim

ARCHITECTURES = {"rtx-2080-ti": "sm_75", "rtx-3090": "sm_86"}
PARAMETERS = ("block_size_x", "block_size_y", "tile_size_x", "tile_size_y", "read_only", "use_padding")
DRAWS, DRAWN, KEPT = 1000, 10, 4


def compiled(row, source, folder):
    """The configuration as nvcc and ptxas make it."""
    architecture = f"-arch={ARCHITECTURES[row['gpu']]}"
    name = "-".join(str(row[parameter]) for parameter in PARAMETERS)
    ptx = folder / f"{row['gpu']}-{name}.ptx"
    values = [f"-D{parameter}={row[parameter]}" for parameter in PARAMETERS]
    words = ["nvcc", architecture, "-ptx", "-Dfilter_width=15", "-Dfilter_height=15", *values, source, "-o", ptx]
    subprocess.run(words, check=True)
    said = subprocess.run(["ptxas", architecture, "-v", ptx, "-o", "/dev/null"], check=True, capture_output=True, text=True)
    return gdsim.Compiled(
        ptx,
        said.stderr,
        kernel="convolution_kernel",
        grid=(int(row["grid_x"]), int(row["grid_y"])),
        block=(int(row["block_size_x"]), int(row["block_size_y"])),
    )


def regrets(predicted, measured, seed=0):
    """Of each draw: measured time of the best that is kept / of the best - 1."""
    numbers = np.random.default_rng(seed)
    regret = []
    for _ in range(DRAWS):
        drawn = np.sort(numbers.choice(len(measured), DRAWN, replace=False))
        first = drawn[np.argsort(predicted[drawn], kind="stable")[:KEPT]]
        kept = np.union1d(first, drawn[np.isinf(predicted[drawn])])
        regret.append(measured[kept].min() / measured[drawn].min() - 1)
    return np.array(regret)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    with open(sys.argv[1]) as file:
        lines = [line for line in file if not line.startswith("#")]
    table = np.genfromtxt(lines, delimiter=",", names=True, dtype=None, encoding="utf-8")
    print("device,configurations,best_kept_percent,regret_percent_95_of_100,regret_percent_mean,processor_s_each")
    for device in ARCHITECTURES:
        rows = table[table["gpu"] == device]
        with tempfile.TemporaryDirectory() as folder:
            kernels = [compiled(row, sys.argv[2], Path(folder)) for row in rows]
            begin = time.process_time()
            kept = gdsim.prune(range(len(rows)), lambda number: kernels[number], device, keep=1.0)
            each = (time.process_time() - begin) / len(rows)
        predicted = np.full(len(rows), np.inf)
        predicted[list(kept)[: len(kept.durations_ns)]] = kept.durations_ns
        regret = regrets(predicted, rows["fastest_ms"]) * 100
        print(f"{device},{len(rows)},{np.mean(regret == 0) * 100:.1f},{np.percentile(regret, 95):.2f},{regret.mean():.2f},{each:.2f}")


if __name__ == "__main__":
    main()
