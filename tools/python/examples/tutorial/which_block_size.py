# Which block size? The page: scenarios/tutorial/which_block_size.md.

# %% Every power of two.
from pathlib import Path

import gdsim

scenario = Path(__file__).resolve().parents[4] / "scenarios/tutorial/which_block_size.yaml"
sizes = [2**i for i in range(5, 11)]
swept = gdsim.sweep(scenario, {"local": sizes})
for point in swept.points:
    print(f"{point['local']:5} {point['duration_ns']:10.0f} ns, rank {point['rank']}, limited by {point['limiter']}")

# %% The best, and what is as good within 0.5 %.
best = swept.best
print(f"the best is {best['local']}")
near = swept.points[swept.points["duration_ns"] <= best["duration_ns"] * 1.005]
print(f"within 0.5 %: {', '.join(str(size) for size in near['local'])}")
