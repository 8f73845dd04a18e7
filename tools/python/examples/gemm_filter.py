#!/usr/bin/python3
"""An autotuner's filter: which of ten thousand configurations of a matrix product are worth compiling?

    gemm_filter.py [DEVICE [M N K]]

The product is in FP16 with FP32 sums on tensor cores, as Triton's and CUTLASS's: a work-group makes a tile of
`tile_m` x `tile_n`, loads `tile_k` columns of A and B at a time into one of `stages` buffers in shared memory while it
works on those loaded before, and `split_k` work-groups share the columns of a tile. What is not in shared memory comes
from L2. That one load is always on its way is assumed: further stages only take shared memory.

A configuration cannot win if even its floor is above what another one takes: its work at the peak of the tensor cores,
or what L2 serves of its bytes at the full bandwidth of L2, whichever is longer, on the core with the most work-groups.
No simulated run is below its floor. So configurations are simulated from the lowest floor on, until all others cannot
win.
"""

import sys
import time
from itertools import product

import numpy as np
from one_core import durations, one_core_of, work_groups_that_fit

import gdsim

SPACE = {
    "tile_m": [16, 32, 64, 128, 256],
    "tile_n": [16, 32, 64, 128, 256],
    "tile_k": [16, 32, 64],
    "warps": [1, 2, 4, 8],
    "stages": [2, 3, 4, 5, 6],
    "split_k": [1, 2, 3, 4, 6, 8, 16],
}
PARTS = 4  # the columns of a work-group are simulated in this many equal parts


def configurations():
    """All of them, as columns."""
    rows = np.array(list(product(*SPACE.values())))
    return dict(zip(SPACE, rows.T))


def number_of(text):
    """Bytes, or bytes of a second."""
    units = {"B": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "GB/s": 1e9, "TB/s": 1e12}
    number, unit = text.split()
    return float(number) * units[unit]


class Problem:
    """A matrix product on a device."""

    def __init__(self, device="a100-80gb", m=4096, n=4096, k=4096):
        self.device, self.m, self.n, self.k = device, m, n, k
        self.cores, core = one_core_of(device)
        values = gdsim.device_values(device)
        if "32" not in values["sub_group_sizes"] or "tensor_fp16" not in values.get("arithmetic", {}):
            raise gdsim.Error(f"{device} has no warps of 32 with tensor cores, for which these configurations are")
        self.clock = float(gdsim.devices(device)["clock_hz"][gdsim.devices(device)["device"] == device][0])
        self.fma = float(values["arithmetic"]["tensor_fp16"]) * int(values["engines_per_core"])  # of a core and cycle
        first = values["memory"]["levels"][0]
        self.rate = number_of(first["bandwidth"]) if "bandwidth" in first else np.inf  # of L2
        self.capacity = number_of(first["capacity"])
        kernel = gdsim.Kernel(
            "gemm",
            global_size="= groups * size",
            local="= size",
            sub_group=32,
            registers="= count",
            slm="= buffers B",
            variation="none",
            shared_working_set="= shared B",
            program=[
                gdsim.memory("= bytes B", asynchronous=True),
                gdsim.loop(
                    PARTS - 1,
                    [
                        gdsim.wait_memory(),
                        gdsim.memory("= bytes B", asynchronous=True),
                        gdsim.issue(tensor_fp16="= fma"),
                        gdsim.barrier(),
                    ],
                ),
                gdsim.wait_memory(),
                gdsim.issue(tensor_fp16="= fma"),
                gdsim.memory("= result B"),
            ],
        )
        parameters = dict(groups=1, size=32, count=32, buffers=0, shared=1, bytes=1, fma=1, result=1)
        self.scenario = gdsim.Workload("GEMM", core, [kernel], [gdsim.Launch(kernel)], parameters=parameters)

    def work(self, c):
        """What the work-groups of each configuration do, the parameters of the scenario."""
        columns = -(-self.k // (c["split_k"] * c["tile_k"])) * c["tile_k"]  # of a work-group
        loaded = (c["tile_m"] + c["tile_n"]) * columns * 2
        return {
            "size": c["warps"] * 32,
            "count": np.minimum(255, c["tile_m"] * c["tile_n"] // (c["warps"] * 32) + 40),
            "buffers": c["stages"] * (c["tile_m"] + c["tile_n"]) * c["tile_k"] * 2,
            "shared": c["stages"] * c["tile_k"] * (self.m + self.n) * 2,
            "bytes": -(-loaded // (PARTS * c["warps"])),
            "fma": -(-(c["tile_m"] * c["tile_n"] * columns) // (PARTS * c["warps"])),
            "result": c["tile_m"] * c["tile_n"] * 4 // c["warps"],
        }

    def groups(self, c):
        return -(-self.m // c["tile_m"]) * -(-self.n // c["tile_n"]) * c["split_k"]

    def rank(self, c):
        """Nanoseconds of each configuration: simulated ones, NaN where it cannot win, infinite where it cannot run."""
        work, groups = self.work(c), self.groups(c)
        per_core = -(-groups // self.cores)
        at_peak = work["fma"] * PARTS * c["warps"] * per_core / self.fma / self.clock * 1e9
        bytes_of_core = (work["bytes"] * PARTS + work["result"]) * c["warps"] * per_core
        from_l2 = bytes_of_core * np.minimum(1, self.capacity / work["shared"])
        floor = np.maximum(at_peak, from_l2 / (self.rate / self.cores) * 1e9)
        # More accumulators than registers: nobody compiles that.
        floor[c["tile_m"] * c["tile_n"] // (c["warps"] * 32) + 40 > 255] = np.inf
        simulated = np.full(len(floor), np.nan)
        simulated[np.isinf(floor)] = np.inf
        order = np.argsort(floor, kind="stable")
        best, batch = np.inf, 128
        for begin in range(0, len(order), batch):
            rows = order[begin : begin + batch]
            rows = rows[floor[rows] <= best]
            rows = rows[np.isfinite(floor[rows])]
            if len(rows) == 0:
                break
            some = {name: values[rows] for name, values in work.items()}
            fit = work_groups_that_fit(self.device, some["size"], some["count"], some["buffers"])
            simulated[rows] = durations(self.scenario, some, groups[rows], fit, self.cores)
            best = min(best, np.nanmin(simulated[rows]))
        return simulated, floor


def main():
    device, *sizes = sys.argv[1:] or ["a100-80gb"]
    try:
        problem = Problem(device, *map(int, sizes))
    except ValueError as error:  # gdsim.Error is one
        sys.exit(f"gemm_filter.py: {error}")
    c = configurations()
    begin = time.perf_counter()
    simulated, floor = problem.rank(c)
    took = time.perf_counter() - begin
    refused = np.isinf(simulated)
    print(f"{len(floor)} configurations in {took:.2f} s: {np.count_nonzero(np.isfinite(simulated))} simulated, "
          f"{np.count_nonzero(np.isnan(simulated))} cannot win, {np.count_nonzero(refused)} cannot run")
    print(",".join([*c, "duration_ns"]))
    for row in np.argsort(simulated, kind="stable")[:10]:
        print(",".join(str(values[row]) for values in c.values()) + f",{simulated[row]:.1f}")


if __name__ == "__main__":
    main()
