"""Configurations of a tuner: those that the device refuses and those that are predicted to be slow are left out."""

from __future__ import annotations

import json
import math
import os
import re
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple, Union

from . import _core
from ._devices import device_values
from ._errors import Error
from ._scenario import Scenario, Source, _count
from ._values import folder_names, text_of

Text = Union[str, bytes, "os.PathLike[str]"]
Dimensions = Union[int, Sequence[int]]


@dataclass
class Compiled:
    """A kernel as it was compiled for one configuration, and how it is launched.

    `ptx` and `cubin` are paths, or what such files hold; for `cubin` also what `ptxas -v` prints. From PTX the time is
    predicted, with registers and shared memory of the cubin; registers that it spills, or else its stack, are assumed to
    go to the device's memory and back once. A cubin alone says what fits, and no time. `args` are the kernel's arguments
    by number, as far as addresses and trip counts depend on them; `trips`, `branch` and `gather` answer what depends on
    data, as the options of `gdsim import` do.
    """

    ptx: Optional[Text] = None
    cubin: Optional[Text] = None
    kernel: str = ""
    """A regular expression for its name; may be left out where the file holds one kernel."""
    grid: Dimensions = 1
    block: Dimensions = 256
    shared: int = 0
    """Bytes of shared memory that are given at launch."""
    args: Mapping[int, Any] = field(default_factory=dict)
    trips: Mapping[str, int] = field(default_factory=dict)
    branch: Mapping[int, str] = field(default_factory=dict)
    gather: Optional[int] = None


class Pruned(list):
    """The configurations that were kept: first those with a predicted time, the shortest first."""

    durations_ns: List[float]
    """The predicted times of those that were kept and have one, in the same order."""
    dropped: List[Tuple[Any, float]]
    """Configurations that are predicted to take longer, each with its time in nanoseconds."""
    refused: List[Tuple[Any, str]]
    """Configurations that the device refuses, each with the reason."""
    unranked: List[Tuple[Any, str]]
    """Configurations without a prediction, each with the reason. They are kept, too."""


class Refused(Exception):
    """The device refuses a configuration; the text says why."""


class Unranked(Exception):
    """There is no prediction for a configuration; the text says why."""


Prediction = Union[float, Refused, Unranked]
"""Nanoseconds, or why there are none."""
Kernel = Union[Source, Callable[[Any], Optional[Compiled]]]


def prune(
    configs: Iterable[Any],
    kernel: Kernel,
    device: Optional[str] = None,
    keep: Union[int, float] = 0.4,
    *,
    values: Optional[Callable[[Any], Mapping[str, Any]]] = None,
    models: Any = None,
) -> Pruned:
    """The configurations that are worth measuring, the fastest by prediction first.

    `kernel` is a scenario, in which a configuration (a dict) sets parameters and other values:

        gdsim.prune([{"tile": t} for t in (32, 64, 128)], "gemm.yaml", "a100-80gb", keep=2)

    or a function that returns what was compiled for a configuration, or None if it could not be compiled:

        gdsim.prune(configs, lambda c: gdsim.Compiled(ptx_of(c), cubin_of(c), grid=4096 // c["tile"], block=256), "h100-sxm")

    `values(config)` says what a configuration sets in a scenario, unless it is that dict itself. `keep` is a number of
    configurations, or the part of all of them, from 0 to 1; at least one is kept. Raises Error if the device refuses
    all of them.
    """
    given = list(configs)
    most = _most(keep, len(given))
    predictions = predict(given, kernel, device, values=values, models=models)
    times = [(time, number) for number, time in enumerate(predictions) if isinstance(time, float)]
    times.sort()
    reasons = [(given[i], why) for i, why in enumerate(predictions) if not isinstance(why, float)]
    kept = Pruned(given[number] for _, number in times[:most])
    kept.durations_ns = [time for time, _ in times[:most]]
    kept.dropped = [(given[number], time) for time, number in times[most:]]
    kept.refused = [(one, str(why)) for one, why in reasons if isinstance(why, Refused)]
    kept.unranked = [(one, str(why)) for one, why in reasons if isinstance(why, Unranked)]
    kept.extend(one for one, _ in kept.unranked)
    if given and not kept:
        raise Error(f"the device refuses all {len(given)} configurations; the first: {kept.refused[0][1]}")
    return kept


def predict(
    configs: Sequence[Any],
    kernel: Kernel,
    device: Optional[str],
    *,
    values: Optional[Callable[[Any], Mapping[str, Any]]],
    models: Any,
) -> List[Prediction]:
    """For each configuration its time, or why it has none."""
    if not callable(kernel) or isinstance(kernel, (Scenario, str)):
        return _predict_by_scenario([_values_of(one, values) for one in configs], kernel, device, models)
    if device is None:
        raise Error("device is missing; of compiled kernels the name of a model is needed, such as 'a100-80gb'")
    if values is not None:
        raise Error("values is for a scenario; a function that returns what was compiled needs none")
    core = _OneCore(device, models)
    return [_predict_compiled(kernel(one), core) for one in configs]


def _most(keep: Union[int, float], count: int) -> int:
    if isinstance(keep, float):
        if not 0 < keep <= 1:
            raise Error(f"keep is {keep}; a part from 0 to 1, or a whole number of configurations, is needed")
        return max(1, int(keep * count + 1e-9))
    return _count("keep", keep) or 1


def _values_of(config: Any, values: Optional[Callable[[Any], Mapping[str, Any]]]) -> Dict[str, str]:
    found = values(config) if values is not None else config
    if not isinstance(found, Mapping) or not found:
        raise Error(f"{found!r} is no dict of the values that a configuration sets; values=lambda config: {{...}} makes one")
    return {text_of(path): text_of(value) for path, value in found.items()}


def _predict_by_scenario(
    configs: Sequence[Dict[str, str]], source: Any, device: Optional[str], models: Any
) -> List[Prediction]:
    """All processors run configurations; those that set the same paths are one table."""
    predictions: List[Any] = [None] * len(configs)
    tables: Dict[Tuple[str, ...], List[int]] = {}
    for number, config in enumerate(configs):
        if device is not None:
            config["device"] = device
        tables.setdefault(tuple(config), []).append(number)
    jobs = os.cpu_count() or 1

    def run(paths: Tuple[str, ...], numbers: List[int]) -> None:
        own = source if isinstance(source, Scenario) else Scenario(source, models=models)
        columns = {path: [configs[number][path] for number in numbers] for path in paths}
        picoseconds, reasons = own.durations(columns)
        for row, number in enumerate(numbers):
            predictions[number] = Refused(reasons[row]) if row in reasons else float(picoseconds[row]) / 1000

    with ThreadPoolExecutor(jobs) as threads:
        parts = [(paths, numbers[job::jobs]) for paths, numbers in tables.items() for job in range(jobs)]
        for done in [threads.submit(run, paths, part) for paths, part in parts if part]:
            done.result()
    return predictions


def _predict_compiled(compiled: Optional[Compiled], core: "_OneCore") -> Prediction:
    if compiled is None:
        return Refused("it could not be compiled")
    if compiled.ptx is None and compiled.cubin is None:
        raise Error("Compiled has neither ptx nor cubin; a path, or what such a file holds, is needed")
    with tempfile.TemporaryDirectory(prefix="gdsim-") as folder:
        files = {name: _file(getattr(compiled, name), os.path.join(folder, name)) for name in ("ptx", "cubin")}
        try:
            in_memory = _stack_traffic(files["cubin"], compiled, core) if files["cubin"] else 0
            if not files["ptx"]:
                return Unranked("it has no PTX, from which a time is predicted")
            time = _time_of_program(files["ptx"], files["cubin"], compiled, core)
            return time + core.time_of_memory(in_memory, compiled)
        except (Refused, Unranked) as why:
            return why


def _file(given: Optional[Text], path: str) -> str:
    """A path of it; what a file would hold is written there."""
    if given is None:
        return ""
    if isinstance(given, os.PathLike) or (isinstance(given, str) and "\n" not in given):
        return os.path.abspath(os.fspath(given))
    with open(path, "wb") as file:
        file.write(given.encode() if isinstance(given, str) else bytes(given))
    return path


def _dimensions(name: str, given: Dimensions) -> Tuple[int, ...]:
    try:
        sizes = (int(given),) if hasattr(given, "__index__") else tuple(int(one) for one in given)  # type: ignore
    except (TypeError, ValueError):
        sizes = ()
    if not 1 <= len(sizes) <= 3 or min(sizes) < 1:
        raise Error(f"{name} is {given!r}; a whole number, or up to three, is needed")
    return sizes


def _command(words: List[str], core: "_OneCore") -> str:
    folders = [f"--models={folder}" for folder in folder_names(core.models) if os.path.isdir(folder)]
    return _core.command(words[0], words[1:] + folders)[0]


def _stack_traffic(cubin: str, compiled: Compiled, core: "_OneCore") -> int:
    """Bytes of its stack that a work-item stores and loads, each once; 0 where the imported program has steps for spills.

    Raises Refused unless the device accepts the launch and holds a block of the kernel.
    """
    words = ["occupancy", cubin, f"--device={core.device}", "--format=json"]
    words += [f"--kernel={compiled.kernel}"] if compiled.kernel else []
    words += [f"--slm-dynamic={compiled.shared} B"] if compiled.shared else []
    try:
        kernel = _the_kernel(words + [f"--local={math.prod(_dimensions('block', compiled.block))}"], core)
    except (Refused, Unranked):
        _the_kernel(words, core)  # raises if the block is not what is wrong
        raise
    if kernel["status"] != "ok":
        raise Refused(f"{kernel['status']}: {kernel['limiters'] or 'registers or shared memory'}")
    has_steps = kernel.get("spill_store_bytes", 0) + kernel.get("spill_load_bytes", 0) > 0
    return 0 if has_steps else 2 * kernel.get("stack_bytes", 0)


def _the_kernel(words: List[str], core: "_OneCore") -> Dict[str, Any]:
    """The answer for the only kernel of a file. Raises Refused if the device refuses it, Unranked if it cannot be read."""
    try:
        kernels = json.loads(_command(words, core))["kernels"]
    except Error as error:
        if error.problems and error.problems[0].code not in _NOT_OF_THE_DEVICE:
            raise Refused(error.problems[0].message) from None
        raise Unranked(str(error)) from None
    if len(kernels) != 1:
        names = ", ".join(one["kernel"] for one in kernels)
        raise Error(f"the file holds {len(kernels)} kernels ({names}); Compiled(..., kernel='NAME') chooses one")
    return kernels[0]


def _time_of_program(ptx: str, cubin: str, compiled: Compiled, core: "_OneCore") -> float:
    words = ["import", "--program", f"--device={core.device}"]
    words += [f"--{name}={','.join(map(str, _dimensions(name, getattr(compiled, name))))}" for name in ("grid", "block")]
    words += [f"--kernel={compiled.kernel}"] if compiled.kernel else []
    words += [f"--cubin={cubin}"] if cubin else []
    words += [f"--shared={compiled.shared}"] if compiled.shared else []
    words += [f"--arg={number}={text_of(value)}" for number, value in compiled.args.items()]
    words += [f"--trips={loop}={count}" for loop, count in compiled.trips.items()]
    words += [f"--branch={line}={way}" for line, way in compiled.branch.items()]
    words += [f"--gather={compiled.gather}"] if compiled.gather is not None else []
    try:
        text = _command(words + [ptx], core)
    except Error as error:
        _raise_if_refused(error)
        raise Unranked(str(error)) from None
    try:
        return Scenario(core.scenario(text, compiled), models=core.models).run().duration_ns
    except Error as error:  # such as a placeholder, which has no time
        _raise_if_refused(error)
        raise Unranked(str(error)) from None


_NOT_OF_THE_DEVICE = ("unreadable", "malformed", "no_such_kernel", "not_known")
"""Codes of problems that say nothing about what the device takes."""


def _raise_if_refused(error: Error) -> None:
    for problem in error.problems:
        if problem.code and problem.code not in _NOT_OF_THE_DEVICE:
            raise Refused(problem.message) from None


def _number_and_unit(quantity: str) -> Tuple[float, str]:
    """A quantity of a model, as it is written: of `1344 GB/s`, 1344 and `GB/s`."""
    found = re.fullmatch(r"([0-9.]+(?:[eE][-+]?[0-9]+)?) *(\D+)", quantity)
    if not found:
        raise Error(f"the device's model has {quantity!r}; a number and its unit are needed here, such as 1344 GB/s")
    return float(found[1]), found[2]


def _bytes_per_ns(bandwidth: Optional[str]) -> float:
    if bandwidth is None:
        return math.inf
    number, unit = _number_and_unit(bandwidth)
    return number * {"B/s": 1e-9, "kB/s": 1e-6, "MB/s": 1e-3, "GB/s": 1.0, "TB/s": 1e3}[unit]


def _replaced(key: str, value: str, scenario: str) -> str:
    """The scenario with this value in its only line with the key."""
    text, count = re.subn(rf"^( *){key}: .*$", lambda found: f"{found[1]}{key}: {value}", scenario, flags=re.M)
    if count != 1:
        raise Error(f"the scenario of the compiled kernel has {count} lines with `{key}`; one is needed")
    return text


class _OneCore:
    """One core of a device, with its share of what all cores share.

    All blocks of an imported kernel do the same. So one core with its part of the blocks takes about as long as the
    device does, for a fraction of the work.
    """

    def __init__(self, device: str, models: Any) -> None:
        self.device = device
        self.models = models
        values = device_values(device, models=models)
        self._cores = int(values["cores"])
        self._model: Optional[Dict[str, Any]] = {"base": device, "cores": 1}
        if "core_groups" in values:
            self._model["core_groups"] = [{"name": group["name"], "count": 1} for group in values["core_groups"]]
        levels = {}
        self._bytes_per_ns = math.inf  # of the last level of memory
        for number, level in enumerate(values.get("memory", {}).get("levels", [])):
            self._bytes_per_ns = _bytes_per_ns(level.get("bandwidth"))
            if level.get("scope", "device") != "device":
                self._model = None  # a share of it is not the same for all cores
                return
            if math.isfinite(self._bytes_per_ns):
                levels[str(number)] = {"bandwidth": f"{self._bytes_per_ns / self._cores:.6f} GB/s"}
        if levels:
            self._model["memory"] = {"levels": levels}
        interval = values.get("dispatch", {}).get("interval")
        if interval:
            self._model["dispatch"] = {"interval": self._own_interval(interval, values.get("core_groups", []))}

    def _own_interval(self, interval: Dict[str, str], core_groups: List[Dict[str, Any]]) -> Dict[str, str]:
        """From one work-group of this core to its next, where a dispatcher serves the cores in turn."""
        cores = {"device": self._cores, "core": 1}
        cores.update((group["name"], self._cores // int(group.get("count") or len(group["sizes"]))) for group in core_groups)
        dispatchers = interval.get("dispatchers", "device")
        served = cores[core_groups[0]["name"] if dispatchers == "core_group" else dispatchers]
        own = dict(interval)
        for key in ("per_work_group", "per_thread"):
            if key in own:
                number, unit = _number_and_unit(own[key])
                own[key] = f"{number * served:.6f} {unit}"
        return own

    def time_of_memory(self, bytes_per_work_item: int, compiled: Compiled) -> float:
        """Nanoseconds in which the device's memory moves these bytes of all work-items."""
        work_items = math.prod(_dimensions("grid", compiled.grid)) * math.prod(_dimensions("block", compiled.block))
        return bytes_per_work_item * work_items / self._bytes_per_ns

    def scenario(self, text: str, compiled: Compiled) -> str:
        """The scenario that `gdsim import` wrote, whose sizes are of one dimension, on one core if all its blocks do the same."""
        steps = "\n".join(line.split("  #")[0] for line in text.splitlines() if not line.lstrip().startswith("#"))
        if self._model is None or re.search(r"\bgroup(_[xyz])?\b", steps):
            return text
        blocks = math.prod(_dimensions("grid", compiled.grid))
        size = math.prod(_dimensions("block", compiled.block)) * -(-blocks // self._cores)
        return _replaced("global", str(size), _replaced("device", json.dumps(self._model), text))
