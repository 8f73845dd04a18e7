#!/usr/bin/env python3
"""Runs the benchmark programs, gdsim as a user calls it, and peers if they were built; prints one table of medians with
ratios. Within each block (queues, gdsim and by hand, peers, command line) what is compared is measured alternately, so
that a busy machine is unfair to none.

    measure.py BUILD_FOLDER GDSIM RESULT.json [REPETITIONS]
"""
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

build, gdsim, result_file = sys.argv[1:4]
repetitions = int(sys.argv[4]) if len(sys.argv) > 4 else 5
here = os.path.dirname(os.path.abspath(__file__))
programs = os.path.join(build, "tests", "benchmark")
peers = os.path.join(build, "peers")


def google(program, pattern):
    """Medians of one run with its repetitions interleaved: name -> nanoseconds per item, else per iteration."""
    text = subprocess.run(
        [os.path.join(programs, program), "--benchmark_filter=" + pattern, "--benchmark_format=json",
         "--benchmark_enable_random_interleaving=true", "--benchmark_min_time=0.05",
         f"--benchmark_repetitions={repetitions}", "--benchmark_report_aggregates_only=true"],
        check=True, capture_output=True, text=True).stdout
    medians = {}
    for row in json.loads(text)["benchmarks"]:
        if row.get("aggregate_name") != "median":
            continue
        unit = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}[row["time_unit"]]
        rate = row.get("ns_per_event", row.get("ns_per_work_group"))
        medians[row["run_name"]] = rate * 1e9 if rate is not None else row["real_time"] * unit
    return medians


def interleaved(commands):
    """name -> function that returns a time; the medians, each function called in turn."""
    times = {name: [] for name in commands}
    for _ in range(repetitions):
        for name, measure in commands.items():
            times[name].append(measure())
    return {name: statistics.median(values) for name, values in times.items()}


def printed(*command):
    return lambda: float(subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()[-1])


def lasted(*command):
    def measure():
        start = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return (time.perf_counter() - start) * 1e9
    return measure


rows = []


def add(what, nanoseconds, against=None):
    rows.append({"what": what, "ns": nanoseconds, "ratio": nanoseconds / against if against else None})


hold = google("event_queue_benchmark", "(RadixHeap|PlainHeap|BinaryHeap).*/(10000|1000000)$")
for ties in ("true", "false"):
    for pending in (10_000, 1_000_000):
        limit = hold[f"hold<PlainHeap, {ties}>/{pending}"]
        kind = "ties" if ties == "true" else "exponential"
        for queue, words in (("PlainHeap", "plain radix heap"), ("RadixHeap", "gdsim's queue"),
                             ("BinaryHeap", "std::priority_queue")):
            add(f"event, {pending:.0e} pending, {kind}: {words}", hold[f"hold<{queue}, {ties}>/{pending}"], limit)

job = google("gpu_job_benchmark", ".")
for jitter, word in (("true", "jittered"), ("false", "deterministic")):
    limit = job[f"by_hand<{jitter}>/1000000"]
    add(f"work-group, {word}: by hand", limit, limit)
    add(f"work-group, {word}: gdsim", job[f"gdsim_job<{jitter}>/1000000"], limit)
    flag = "1" if jitter == "true" else "0"
    commands = {}
    for peer in ("ns3", "systemc"):
        program = os.path.join(peers, peer + "_job")
        if os.path.exists(program):
            commands[peer] = printed(program, "300000", flag)
    if commands and subprocess.run(["/usr/bin/python3", "-c", "import simpy"], capture_output=True).returncode == 0:
        commands["simpy"] = printed("/usr/bin/python3", os.path.join(here, "peers", "simpy_job.py"), "50000", flag)
    for peer, nanoseconds in interleaved(commands).items():
        add(f"work-group, {word}: {peer}", nanoseconds, limit)

with tempfile.TemporaryDirectory() as folder:
    def scenario(name, text):
        path = os.path.join(folder, name)
        with open(path, "w") as file:
            file.write("scenario: Measured\ndevice: tiny\n" + text)
        return path

    kernel = "{global: 8, local: 8, sub_group: 8, program: [compute: 1 us]}"
    many = scenario("kernels.yaml", "kernels:\n" + "".join(f"  k{i}: {kernel}\n" for i in range(50_000)) +
                    "launches:\n  - kernel: k0\n")
    rows_wanted = scenario("rows.yaml", "kernels:\n  k:\n    global: 8000000\n    local: 8\n    sub_group: 8\n"
                           "    program: [compute: 1 us]\n"
                           "    variation: {distribution: uniform, cv: 0.2, seed: 1}\nlaunches: [kernel: k]\n")
    first = os.path.join(here, "..", "..", "scenarios", "vector_add4.yaml")
    cli = interleaved({
        "gdsim --version": lasted(gdsim, "--version"),
        "gdsim run scenarios/vector_add4.yaml": lasted(gdsim, "run", first),
        "gdsim run, 50,000 kernels in YAML": lasted(gdsim, "run", many),
        "gdsim run, 1,000,000 work-groups, no rows": lasted(gdsim, "run", rows_wanted),
        "gdsim run, the same, a row of CSV each": lasted(gdsim, "run", rows_wanted, "--print", "work-groups"),
    })
    for what, nanoseconds in cli.items():
        add(what, nanoseconds)


def human(nanoseconds):
    for unit, size in (("s", 1e9), ("ms", 1e6), ("us", 1e3)):
        if nanoseconds >= size:
            return f"{nanoseconds / size:.1f} {unit}"
    return f"{nanoseconds:.1f} ns"


print(f"Medians of {repetitions}, alternately within each block; {os.cpu_count()} cores.\n")
for row in rows:
    ratio = f"{row['ratio']:8.2f} x the limit" if row["ratio"] else ""
    print(f"{row['what']:<58} {human(row['ns']):>10}  {ratio}".rstrip())
with open(result_file, "w") as file:
    json.dump({"repetitions": repetitions, "cores": os.cpu_count(), "rows": rows}, file, indent=1)
