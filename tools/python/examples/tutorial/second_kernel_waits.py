# Why does the second kernel wait? The page: scenarios/tutorial/second_kernel_waits.md.

# %% Two streams, and when the launch of each begins and ends.
from pathlib import Path

import gdsim

scenario = Path(__file__).resolve().parents[4] / "scenarios/tutorial/second_kernel_waits.yaml"


def show(run):
    for launch in run.launches:
        print(f"{launch['launch']}: {launch['first_dispatched_ns']:.3f} to {launch['ended_ns']:.3f} ns")


same = gdsim.run(scenario, case="same_priority")
show(same)

# %% What did `small` wait for?
small = next(one for one in same.summary["launches"] if one["launch"] == "small")
print({reason: time for reason, time in small["waited_ns"].items() if time > 0})

# %% With a higher priority it goes first.
show(gdsim.run(scenario, set={"queues.stream_2.priority": 1}, case="same_priority"))
