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
    issue,
    loop,
    memory,
    only,
    signal,
    slm,
    store,
    wait,
    wait_memory,
)
from ._devices import device_values, devices, occupancy
from ._errors import Error, Problem
from ._imports import Imported, import_kernel, import_profile
from ._scenario import Run, Scenario, load, run
from ._series import Piece, Series
from ._studies import Sweep, explain, sweep

__version__: str = _core.version

__all__ = [
    "Copy",
    "Device",
    "Error",
    "Imported",
    "Kernel",
    "Launch",
    "Piece",
    "Problem",
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
    "import_kernel",
    "import_profile",
    "issue",
    "load",
    "loop",
    "memory",
    "occupancy",
    "only",
    "run",
    "signal",
    "slm",
    "store",
    "sweep",
    "wait",
    "wait_memory",
]
