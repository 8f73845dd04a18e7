"""gdsim simulates how a GPU dispatches work-groups onto its cores, and how full it is at every moment.

    import gdsim

    run = gdsim.run("scenarios/vector_add4.yaml", set={"device.cores": 8})
    run.phases["occupancy_percent"], run.timeline["threads_resident"], run.summary["duration_ns"]

Scenarios are files, texts, dicts, or made of `Kernel`, `Launch` and `Workload`; `gdsim help scenario` lists their keys.
An invalid scenario raises `Error`, with every problem and its place. All functions may be called by any number
of threads; runs leave other threads of Python alone.
"""

try:
    import numpy as _numpy  # noqa: F401
except ImportError as error:
    raise ImportError("gdsim needs NumPy: pip install numpy, or apt install python3-numpy") from error

from . import _core
from ._builder import (
    Copy,
    Device,
    Kernel,
    Launch,
    Workload,
    atomic,
    barrier,
    compute,
    fence,
    grid_barrier,
    issue,
    launch,
    loop,
    memory,
    only,
    signal,
    slm,
    store,
    tiles,
    trigger,
    wait,
    wait_dependencies,
    wait_memory,
)
from ._devices import device_values, devices, occupancy
from ._errors import Error, Problem
from ._imports import Imported, import_kernel, import_profile
from ._prune import Compiled, Pruned, prune
from ._scenario import Run, Scenario, load, run
from ._series import Piece, Series
from ._studies import Sweep, explain, sweep
from ._tuners import kernel_tuner_cache, kernel_tuner_restrictions, triton_pruner

__version__: str = _core.version

__all__ = [
    "Compiled",
    "Copy",
    "Device",
    "Error",
    "Imported",
    "Kernel",
    "Launch",
    "Piece",
    "Problem",
    "Pruned",
    "Run",
    "Scenario",
    "Series",
    "Sweep",
    "Workload",
    "atomic",
    "barrier",
    "compute",
    "device_values",
    "devices",
    "explain",
    "fence",
    "grid_barrier",
    "import_kernel",
    "import_profile",
    "issue",
    "kernel_tuner_cache",
    "kernel_tuner_restrictions",
    "launch",
    "load",
    "loop",
    "memory",
    "occupancy",
    "only",
    "prune",
    "run",
    "signal",
    "slm",
    "store",
    "sweep",
    "tiles",
    "trigger",
    "triton_pruner",
    "wait",
    "wait_dependencies",
    "wait_memory",
]
