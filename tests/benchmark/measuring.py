"""How things are measured: programs of google-benchmark, peers that print a number, commands and their peak memory.
What is to be compared is measured in rounds, each in its turn, so that a busy machine is unfair to none."""
import json
import statistics
import subprocess
import time

UNITS = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}


def google(program, pattern):
    """Runs a program of google-benchmark: a function that returns name -> nanoseconds per item, else per iteration."""
    def measure():
        text = subprocess.run(
            [program, "--benchmark_filter=" + pattern, "--benchmark_format=json", "--benchmark_min_time=0.05",
             "--benchmark_enable_random_interleaving=true"], check=True, capture_output=True, text=True).stdout
        times = {}
        for row in json.loads(text)["benchmarks"]:
            if row.get("error_occurred"):
                raise SystemExit(f"{row['name']}: {row['error_message']}")
            rate = row.get("ns_per_item")
            times[row["name"]] = rate * 1e9 if rate is not None else row["real_time"] * UNITS[row["time_unit"]]
        return times
    return measure


def printed(name, *command):
    """A program that prints nanoseconds last."""
    return lambda: {name: float(subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()[-1])}


def lasted(name, *command):
    """A command from start to end, nanoseconds."""
    def measure():
        start = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return {name: (time.perf_counter() - start) * 1e9}
    return measure


def peak_memory(*command):
    """Bytes that were resident at most, read every other millisecond: what wait4() returns includes the memory of what
    started the command. None where there is no /proc, or the command was over before it was seen."""
    peak = None
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        while process.poll() is None:
            try:
                with open(f"/proc/{process.pid}/status") as status:
                    peak = next((int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM")), peak)
            except OSError:
                pass
            time.sleep(0.002)
    return peak if peak and peak > 1e6 else None


def medians(rounds, *measures):
    """name -> median over so many rounds, in each of which every measure has its turn."""
    times = {}
    for _ in range(rounds):
        for measure in measures:
            for name, nanoseconds in measure().items():
                times.setdefault(name, []).append(nanoseconds)
    return {name: statistics.median(values) for name, values in times.items()}
