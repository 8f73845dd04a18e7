# Why is my pipeline not faster with three stages? The page: scenarios/tutorial/three_stages.md.

# %% Every stage takes shared memory, so that fewer blocks fit.
from pathlib import Path

import gdsim

scenario = Path(__file__).resolve().parents[4] / "scenarios/tutorial/three_stages.yaml"
for point in gdsim.sweep(scenario, {"stages": range(1, 5)}).points:
    blocks = point["work_groups_per_core"]
    print(f"{point['stages']} stages: {point['duration_ns'] / 1000:.1f} us, {blocks} blocks per SM")

# %% And there is nothing to hide: the memory is the limit.
print(gdsim.explain(scenario)["findings"][0]["sentence"])
