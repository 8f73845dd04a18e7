"""Many configurations of one kernel, ranked by runs of one core alone.

All work-groups of a matrix product do the same. So one core with its share of the bandwidths is enough: the duration is
the number of full waves times the time of one full core, plus the time of the remainder. Such a run takes tens of
microseconds, whatever the size of the matrices.
"""

import re
from concurrent.futures import ThreadPoolExecutor
from os import cpu_count

import numpy as np

import gdsim


def one_core_of(device, **keys):
    """The model with one core, and of each level of memory that all cores share, one core's share of the bandwidth."""
    values = gdsim.device_values(device)
    cores = int(values["cores"])
    levels = {}
    for number, level in enumerate(values["memory"]["levels"]):
        if level.get("scope", "device") != "device":
            raise gdsim.Error(f"{device}: {level['name']} is not shared by all cores alike")
        if "bandwidth" not in level:
            continue  # not limited
        amount, unit = re.fullmatch(r"([0-9.]+) (\w+/s)", level["bandwidth"]).groups()
        levels[str(number)] = {"bandwidth": f"{float(amount) / cores:.6f} {unit}"}
    if "core_groups" in values:
        keys["core_groups"] = [{"name": group["name"], "count": 1} for group in values["core_groups"]]
    return cores, gdsim.Device(device, cores=1, memory={"levels": levels}, **keys)


def in_parallel(make, count):
    """`make(part)` of the slices of `count` rows, on all processors: runs leave Python's other threads alone."""
    jobs = cpu_count() or 1
    edges = np.linspace(0, count, jobs + 1).astype(int)
    with ThreadPoolExecutor(jobs) as threads:
        return list(threads.map(make, [slice(a, b) for a, b in zip(edges, edges[1:])]))


def durations(scenario, columns, groups, fit, cores):
    """How long `groups` work-groups of each configuration take, in nanoseconds; infinite where none fits.

    `scenario` has a parameter `groups`, the work-groups of the core; `fit` of them are resident at once. Each processor
    reads the scenario for itself.
    """
    per_core = -(-groups // cores)
    waves, rest = per_core // np.maximum(fit, 1), per_core % np.maximum(fit, 1)

    def part(rows):
        own = gdsim.Scenario(scenario)
        some = {name: values[rows] for name, values in columns.items()}
        full, _ = own.durations({**some, "groups": np.maximum(fit[rows], 1)})
        last, _ = own.durations({**some, "groups": np.maximum(rest[rows], 1)})
        time = waves[rows] * full + np.where(rest[rows] > 0, last, 0)
        return np.where((full < 0) | (last < 0) | (fit[rows] == 0), np.inf, time / 1000)

    return np.concatenate(in_parallel(part, len(groups)))


def work_groups_that_fit(device, local, registers, slm_bytes):
    """On a core, of each configuration; 0 where the device refuses it."""
    needs, which = np.unique(np.stack([local, registers, slm_bytes]), axis=1, return_inverse=True)
    answers = [
        gdsim.occupancy(device, int(size), registers=int(count), slm=int(amount))["work_groups_per_core"]
        for size, count, amount in needs.T
    ]
    return np.array(answers)[which.ravel()]
