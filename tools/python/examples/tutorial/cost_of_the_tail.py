# What does the tail cost? The page: scenarios/tutorial/cost_of_the_tail.md.

# %% Three waves, the last of one block.
from pathlib import Path

import gdsim

scenario = Path(__file__).resolve().parents[4] / "scenarios/tutorial/cost_of_the_tail.yaml"
run = gdsim.run(scenario)
for phase in run.phases:
    print(f"{phase['duration_ns'] / 1000:.0f} us with {phase['threads_resident']} warps")

# %% What would help?
tail = next(one for one in gdsim.explain(scenario)["findings"] if one["what"] == "no_tail")
print(tail["sentence"])

# %% Duration by the number of blocks: it jumps where one is too many.
blocks = range(526, 532)
durations, _ = gdsim.load(scenario).durations({"global": [count * 256 for count in blocks]})
for count, picoseconds in zip(blocks, durations):
    print(f"{count} blocks: {picoseconds / 1e6:.1f} us")
