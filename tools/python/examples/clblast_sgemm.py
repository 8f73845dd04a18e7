#!/usr/bin/python3
"""How well does the filter rank real configurations? SGEMM of CLBlast, every configuration of a search space measured.

    clblast_sgemm.py TABLE.csv

The kernel is Xgemm of CLBlast, 4096 x 4096 x 4096 in FP32. Its parameters: a work-group of `mdimc` x `ndimc`
work-items makes a tile of `mwg` x `nwg`; loads are vectors of `vwm` and `vwn`; `sa` and `sb` say whether A and B go
through shared memory. What a warp does follows from the kernel's source, how long that takes from the device's model:

- FP32: a multiply-add for each element of the tile and column.
- Loads of A and B for each column: as many as there are vectors, at least half as many as shared memory takes cycles.
  A load of 16 bytes is done for 8 lanes at a time, one of 8 bytes for 16 (assumed); lanes that want words of one bank
  wait for each other, those that want the same word do not (CUDA C++ Programming Guide, shared memory; the same is
  assumed of L1).
- Registers: the tile, the vectors and 32 more (assumed); beyond 255, each is stored and loaded in each column.
- Tiles are read from L2, in steps of 32 columns; a step waits for L2 once, every second column for shared memory.

Configurations within 5 % of each other count as equal, and then the one comes first that loads less for each
multiply-add. These rules were made while looking at the RTX 2080 Ti's rows; the RTX 3090's were held back.
"""

import sys

import numpy as np
from one_core import durations, one_core_of, work_groups_that_fit

import gdsim

SIZE = 4096
COLUMNS_AT_ONCE = 32
PARTS = 2  # the columns are simulated in this many equal parts


def loads(tile, lanes, vector, distinct):
    """Of one operand, warp loads in each column, in units of what 16 lanes a cycle take."""
    each = tile / lanes
    return np.maximum(each / vector, each * np.maximum(1, distinct * each / 32) / 2)


def work_of(c):
    """What one thread does in each column, and its registers, by configuration."""
    threads = c["mdimc"] * c["ndimc"]
    vector_a, vector_b = np.minimum(c["vwm"], 4), np.minimum(c["vwn"], 4)
    rows, columns = c["mwg"] / c["mdimc"], c["nwg"] / c["ndimc"]
    copied = sum(
        uses * 2 * tile / threads / vector * np.maximum(1, vector / 2)
        for uses, tile, vector in ((c["sa"], c["mwg"], vector_a), (c["sb"], c["nwg"], vector_b))
    )
    registers = 32 + rows * columns + rows + columns
    spilled = 2 * np.maximum(0, registers - 255)
    own = loads(c["mwg"], c["mdimc"], vector_a, np.minimum(c["mdimc"], 32 / vector_a))
    own = own + loads(c["nwg"], c["ndimc"], vector_b, np.maximum(1, 32 / vector_b / c["mdimc"]))
    from_memory = (1 - c["sa"]) * rows / vector_a + (1 - c["sb"]) * columns / vector_b
    return {
        "fp32": rows * columns,
        "load_store": own + copied + spilled,
        "int32": 2 * from_memory + 1,  # addresses
        "registers": np.minimum(registers, 255).astype(int),
    }


def workload(device):
    """One core's part of the product."""
    values = gdsim.device_values(device)
    cores, core = one_core_of(device)
    columns = SIZE // PARTS
    latency = float(values["memory"]["levels"][0]["latency"].removesuffix(" cycles"))
    slm = float(values["slm_access"]["latency"].removesuffix(" cycles"))
    kernel = gdsim.Kernel(
        "xgemm",
        global_size="= groups * size",
        local="= size",
        sub_group=32,
        registers="= count",
        slm="= slm_bytes B",
        variation="none",
        shared_working_set=COLUMNS_AT_ONCE * 2 * SIZE * 4,
        program=[
            gdsim.loop(
                PARTS,
                [
                    gdsim.memory("= bytes B"),
                    gdsim.compute(f"{columns / COLUMNS_AT_ONCE * latency + columns / 2 * slm:.0f} cycles"),
                    gdsim.issue(fp32="= fp32", load_store="= load_store", int32="= int32"),
                ],
            )
        ],
    )
    parameters = dict(groups=1, size=64, count=32, slm_bytes=0, bytes=1, fp32=1, load_store=1, int32=1)
    return cores, gdsim.Workload("SGEMM of CLBlast", core, [kernel], [gdsim.Launch(kernel)], parameters=parameters)


def ranked(device, c):
    """The configurations, the likeliest to be the fastest first, and their simulated durations in nanoseconds."""
    work = work_of(c)
    cores, scenario = workload(device)
    threads = c["mdimc"] * c["ndimc"]
    slm = (c["sa"] * c["mwg"] + c["sb"] * c["nwg"]) * COLUMNS_AT_ONCE * 4
    values = {
        "size": threads,
        "count": work["registers"],
        "slm_bytes": slm,
        "bytes": SIZE // PARTS * (c["mwg"] + c["nwg"]) * 4 // (threads // 32),
        **{kind: np.ceil(SIZE // PARTS * work[kind]).astype(int) for kind in ("fp32", "load_store", "int32")},
    }
    fit = work_groups_that_fit(device, threads, work["registers"], slm)
    time = durations(scenario, values, SIZE // c["mwg"] * (SIZE // c["nwg"]), fit, cores)
    steps = np.floor(np.log(time / time.min()) / np.log(1.05) + 1e-9)
    return np.lexsort((work["load_store"] / work["fp32"], steps)), time


def found(order, measured, best=10, first=100):
    """How many of the `best` by measurement are among the `first` of the ranking, and how near its best one comes."""
    true_best = np.argsort(measured, kind="stable")[:best]
    return int(np.isin(order[:first], true_best).sum()), float(measured[order[:first]].min() / measured.min())


def table_of(path):
    """The configurations by parameter, and the whole table."""
    with open(path) as file:
        table = np.genfromtxt((line for line in file if not line.startswith("#")), delimiter=",", names=True)
    return {name: table[name].astype(int) for name in ("mwg", "nwg", "mdimc", "ndimc", "vwm", "vwn", "sa", "sb")}, table


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    c, table = table_of(sys.argv[1])
    print("device,configurations,of_true_best_ten_in_first_hundred,best_of_first_hundred_to_true_best")
    for device, column in (("rtx-2080-ti", "rtx_2080_ti_ms"), ("rtx-3090", "rtx_3090_ms")):
        order, _ = ranked(device, c)
        count, ratio = found(order, table[column])
        print(f"{device},{len(order)},{count},{ratio:.3f}")


if __name__ == "__main__":
    main()
