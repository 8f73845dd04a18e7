#!/usr/bin/python3
"""How often does gdsim.prune() keep the best of 200 configurations? SGEMM of CLBlast, every configuration measured.

    prune_sgemm.py TABLE.csv

The scenario is that of clblast_sgemm.py: what a warp does follows from the kernel's source. 1,000 times 200 of all
configurations are drawn at random, and the 80 are kept that are predicted to be the fastest. Regret: how much longer
the fastest one of those kept takes than the fastest one of the draw, by measurement.
"""

import sys
import time

import clblast_sgemm
import numpy as np

import gdsim

DRAWS, DRAWN, KEEP = 1000, 200, 0.4


def values_of(c, cores):
    """What each configuration sets in the scenario of one core."""
    work = clblast_sgemm.work_of(c)
    columns = clblast_sgemm.SIZE // clblast_sgemm.PARTS
    threads = c["mdimc"] * c["ndimc"]
    groups = clblast_sgemm.SIZE // c["mwg"] * (clblast_sgemm.SIZE // c["nwg"])
    table = {
        "groups": -(-groups // cores),
        "size": threads,
        "count": work["registers"],
        "slm_bytes": (c["sa"] * c["mwg"] + c["sb"] * c["nwg"]) * clblast_sgemm.COLUMNS_AT_ONCE * 4,
        "bytes": columns * (c["mwg"] + c["nwg"]) * 4 // (threads // 32),
        **{kind: np.ceil(columns * work[kind]).astype(int) for kind in ("fp32", "load_store", "int32")},
    }
    return [dict(zip(table, row)) for row in zip(*(column.tolist() for column in table.values()))]


def pruned(device, c, some, keep=KEEP):
    """gdsim.prune() of these configurations, by number."""
    cores, scenario = clblast_sgemm.workload(device)
    values = values_of(c, cores)
    return gdsim.prune(some, scenario, keep=keep, values=lambda number: values[number])


def regrets(predicted, measured, seed=0):
    """Of each draw: measured time of the best that is kept / of the best - 1. Keeps what gdsim.prune() would keep."""
    numbers = np.random.default_rng(seed)
    regret = []
    for _ in range(DRAWS):
        drawn = np.sort(numbers.choice(len(measured), DRAWN, replace=False))
        kept = drawn[np.argsort(predicted[drawn], kind="stable")[: int(DRAWN * KEEP)]]
        regret.append(measured[kept].min() / measured[drawn].min() - 1)
    return np.array(regret)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    c, table = clblast_sgemm.table_of(sys.argv[1])
    print("device,best_kept_percent,regret_percent_95_of_100,regret_percent_worst,processor_ms_each")
    for device, column in (("rtx-2080-ti", "rtx_2080_ti_ms"), ("rtx-3090", "rtx_3090_ms")):
        begin = time.process_time()
        everything = pruned(device, c, range(len(table)), keep=1.0)
        each = (time.process_time() - begin) / len(table) * 1e3
        predicted = np.empty(len(table))
        predicted[list(everything)] = everything.durations_ns
        regret = regrets(predicted, table[column]) * 100
        kept = np.mean(regret == 0) * 100
        print(f"{device},{kept:.1f},{np.percentile(regret, 95):.2f},{regret.max():.2f},{each:.2f}")


if __name__ == "__main__":
    main()
