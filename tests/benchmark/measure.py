#!/usr/bin/env python3
"""Runs the benchmark programs, gdsim as a user calls it, and peers if they were built; prints one table of medians with
ratios, and writes it as JSON. Within each block what is compared is measured in rounds, alternately.

    measure.py BUILD_FOLDER GDSIM RESULT.json [REPETITIONS]
"""
import datetime
import json
import os
import platform
import subprocess
import sys
import tempfile

from measuring import google, lasted, medians, peak_memory, printed
from scenarios import write_scenarios

build, gdsim, result_file = sys.argv[1:4]
repetitions = int(sys.argv[4]) if len(sys.argv) > 4 else 5
here = os.path.dirname(os.path.abspath(__file__))
rows = []


def program(name):
    return os.path.join(build, "tests", "benchmark", name)


def add(block, what, nanoseconds, against=None, memory=None):
    rows.append({"block": block, "what": what, "ns": nanoseconds, "ratio": nanoseconds / against if against else None,
                 "peak_bytes": memory})


def hold_model():
    pattern = "(Radix|Plain|Binary)Heap.*/(10000|1000000)$"
    times = medians(repetitions, google(program("event_queue_benchmark"), pattern))
    for kind, ties in (("ties", "true"), ("exponential", "false")):
        for pending, words in ((10_000, "10^4"), (1_000_000, "10^6")):
            for queue, name in (("PlainHeap", "plain radix heap"), ("RadixHeap", "gdsim's queue"),
                                ("BinaryHeap", "std::priority_queue")):
                add("hold model, per event, of a plain radix heap", f"{words} pending, {kind}: {name}",
                    times[f"hold<{queue}, {ties}>/{pending}"], times[f"hold<PlainHeap, {ties}>/{pending}"])


def peers(jitter):
    """Those that were built, with as many work-groups as they do in a moment."""
    found = []
    for name, word, groups, *more in (("ns-3, priority queue", "ns3", 300_000), ("SystemC methods", "systemc", 300_000),
                                      ("SimGrid, timers of its kernel", "simgrid", 100_000, "timers"),
                                      ("SimGrid actors", "simgrid", 30_000, "actors")):
        peer = os.path.join(build, "peers", word + "_job")
        if os.path.exists(peer):
            found.append(printed(name, peer, str(groups), jitter, *more))
    python = "/usr/bin/python3"
    if found and subprocess.run([python, "-c", "import simpy"], capture_output=True).returncode == 0:
        found.append(printed("SimPy", python, os.path.join(here, "peers", "simpy_job.py"), "50000", jitter))
    return found


def gpu_job(word, is_jittered):
    drawn = (("normal factors", "drawn_job<Distribution::normal>"),
             ("lognormal factors", "drawn_job<Distribution::lognormal>"),
             ("each of 8 threads its own factor", "jittered_threads"))
    block = f"{word} job, 132 cores of 8 slots, per work-group, of by hand"
    kind = "true" if is_jittered else "false"
    pattern = f"(gdsim_job|by_hand|by_hand_with_horizon)<{kind}>" + ("|drawn|threads" if is_jittered else "")
    times = medians(repetitions, google(program("gpu_job_benchmark"), pattern), *peers("1" if is_jittered else "0"))
    for groups, size in ((10**5, "10^5"), (10**6, "10^6"), (10**7, "10^7")):
        heap = times.pop(f"by_hand<{kind}>/{groups}")
        limit = times.pop(f"by_hand_with_horizon<{kind}>/{groups}") if is_jittered else heap
        if is_jittered:
            add(block, f"{size}: by hand, event horizon", limit, limit)
        add(block, f"{size}: by hand, radix heap", heap, limit)
        add(block, f"{size}: gdsim", times.pop(f"gdsim_job<{kind}>/{groups}"), limit)
        if groups == 10**6:
            middle = limit
            for what, name in drawn if is_jittered else ():
                add(block, f"{size}: gdsim, {what}", times.pop(f"{name}/{groups}"), limit)
    for peer, nanoseconds in times.items():
        add(block, peer, nanoseconds, middle)


def contended():
    """By the loop by hand on as many cores: it grows with the device, too."""
    block = "threads that share memory and issue slots, with barriers, per thread and step"
    found = []
    peer = os.path.join(build, "peers", "simgrid_contended_job")
    if os.path.exists(peer):
        found.append(printed("SimGrid/8", peer, "8", "4"))
    times = medians(repetitions, google(program("contended_benchmark"), "."), *found)
    for cores in (8, 132):
        limit = times[f"contended_by_hand/{cores}"]
        add(block, f"{cores} cores: by hand, doubles", limit, limit)
        add(block, f"{cores} cores: gdsim", times[f"contended/{cores}"], limit)
        if f"SimGrid/{cores}" in times:
            add(block, f"{cores} cores: SimGrid, actors", times[f"SimGrid/{cores}"], limit)


def runs():
    block = "other runs, per work-group"
    times = medians(repetitions, google(program("run_benchmark"), "."))
    for what, name in (("whole work-groups of 1 ns", "whole_work_groups/1000"),
                       ("whole work-groups of 1 ms", "whole_work_groups/1000000000"),
                       ("partial dispatch with a barrier", "partial_with_barrier"),
                       ("issue contention, 7 threads to an engine, 16 per work-group", "issue_contention/7"),
                       ("issue contention, 64", "issue_contention/64"),
                       ("issue contention, 512", "issue_contention/512"),
                       ("memory contention, 8 cores", "memory_contention/8"),
                       ("memory contention, 512 cores", "memory_contention/512"),
                       ("100 kernels that wait, in turn", "many_kernels<KernelChoice::round_robin>/100"),
                       ("1,000 kernels that wait, in turn", "many_kernels<KernelChoice::round_robin>/1000"),
                       ("100 kernels that wait, skipping", "many_kernels<KernelChoice::skip_blocked>/100"),
                       ("1,000 kernels that wait, skipping", "many_kernels<KernelChoice::skip_blocked>/1000"),
                       ("100,000 launches of 2 in one chain", "many_launches/1"),
                       ("100,000 launches of 2 in 8 chains", "many_launches/8"),
                       ("100,000 launches of 2, all ready at once", "many_launches/100000")):
        add(block, what, times[name])


def files():
    times = medians(repetitions, google(program("files_benchmark"), "."))
    add("files", "50,000 kernels read from YAML", times["read_kernels/50000"] * 50_000)
    add("files", "1,000,000 rows of timeline.csv written", times["write_timeline_rows/1000000"] * 1e6)
    add("files", "1,000,000 rows of work_groups.csv written", times["write_work_group_rows/1000000"] * 1e6)


def command_line():
    first = os.path.join(here, "..", "..", "scenarios", "vector_add4.yaml")
    with tempfile.TemporaryDirectory() as folder:
        paths = write_scenarios(folder)
        commands = {
            "--version": ["--version"],
            "run scenarios/vector_add4.yaml": ["run", first],
            "50,000 kernels in YAML, one launched": ["run", paths["kernels"]],
            "50,000 kernels in YAML, all launched, 132 cores": ["run", paths["kernels_run"]],
            "100,000 launches in YAML": ["run", paths["launches"]],
            "jittered job, 10^6, no rows": ["run", paths["job_6"]],
            "jittered job, 10^6, work_groups.csv": ["run", paths["job_6"], "--print", "work-groups"],
            "jittered job, 10^6, all tables": ["run", paths["job_6"], "-o", os.path.join(folder, "rows")],
            "jittered job, 10^7, no rows": ["run", paths["job_7"]],
        }
        times = medians(repetitions, *(lasted(what, gdsim, *words) for what, words in commands.items()))
        for what, words in commands.items():
            add("gdsim from start to end, with its peak memory", what, times[what], memory=peak_memory(gdsim, *words))


def human(nanoseconds):
    for unit, size in (("s", 1e9), ("ms", 1e6), ("us", 1e3)):
        if nanoseconds >= size:
            return f"{nanoseconds / size:.1f} {unit}"
    return f"{nanoseconds:.3g} ns"


def print_table():
    print(f"Medians of {repetitions} rounds, {datetime.date.today()}, {os.cpu_count()} cores. "
          "What counts are the ratios within a block.")
    block = None
    for row in rows:
        if row["block"] != block:
            block = row["block"]
            print(f"\n{block}")
        more = f"{row['ratio']:9.3g} x" if row["ratio"] else ""
        if row["peak_bytes"]:
            more = f"{row['peak_bytes'] / 1e6:8.0f} MB"
        print(f"  {row['what']:<62}{human(row['ns']):>10}{more}".rstrip())


if os.getloadavg()[0] > 0.5:
    print(f"measure.py: the machine is busy already (load {os.getloadavg()[0]:.1f})", file=sys.stderr)
hold_model()
gpu_job("jittered", True)
gpu_job("deterministic", False)
contended()
runs()
files()
command_line()
print_table()
with open(result_file, "w") as file:
    json.dump({"date": str(datetime.date.today()), "rounds": repetitions, "cores": os.cpu_count(),
               "machine": platform.machine(), "load": os.getloadavg()[0], "rows": rows}, file, indent=1)
