# Why does my profiler show 37 %? The page: scenarios/tutorial/why_37_percent.md.
# Each `# %%` is a cell of a notebook, which shows the last value of each cell.

# %% The kernel, as objects.
import gdsim

program = [gdsim.memory(384), gdsim.compute("200 cycles")]
saxpy = gdsim.Kernel("saxpy", global_size=131072, local=256, sub_group=32, registers=72, program=program)
workload = gdsim.Workload("SAXPY with 72 registers", "a100-80gb", [saxpy], [gdsim.Launch(saxpy)])

# %% What fits follows from its registers alone.
fits = gdsim.occupancy("a100-80gb", 256, 32, registers=72)
limits = ", ".join(fits["limiters"])
print(f"{fits['work_groups_per_core']} blocks per SM, {fits['occupancy_percent']} %, limited by {limits}")

# %% What lets one more fit.
for change in fits["next_step"]["changes"]:
    print(f"{change['resource']}: {change['to']} instead of {change['from']}")

# %% The run reaches it, and no more. In a notebook, `run` is a picture.
run = gdsim.run(workload)
print(f"peak {run.timeline['occupancy_percent'].max()} %")
run

# %% Would 64 registers help?
fewer = gdsim.run(workload, set={"registers": 64})
print(f"{run.duration_ns:.0f} ns with 72 registers, {fewer.duration_ns:.0f} ns with 64")
