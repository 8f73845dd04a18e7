# Would an H100 help? The page: scenarios/tutorial/would_an_h100_help.md.

# %% Both devices, with little and with much arithmetic.
from pathlib import Path

import gdsim

scenario = Path(__file__).resolve().parents[4] / "scenarios/tutorial/would_an_h100_help.yaml"
points = gdsim.sweep(scenario, {"device": ["a100-80gb", "h100-sxm"], "flops": [64, 1024]}).points

# %% How much faster is it?
for flops in (64, 1024):
    a100, h100 = points["duration_ns"][points["flops"] == flops]
    print(f"{flops} instructions: {a100 / h100:.1f} times as fast")
