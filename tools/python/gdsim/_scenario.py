"""A scenario that is read once, and run."""

from __future__ import annotations

import json
import os
import threading
from collections import OrderedDict
from typing import Any, Dict, Iterable, Mapping, Optional, Tuple, Union

import numpy as np

from . import _core, _series
from ._errors import Error
from ._values import OWN_MODELS, folder_names, pairs_of, scenario_text, text_of, texts_of

Source = Union[str, "os.PathLike[str]", Mapping[str, Any], "Scenario"]
"""A path, the text of a scenario (more than one line), a dict of the same keys, or what the builder makes.

Where there is no folder `scenarios`, the package has one: `scenarios/vector_add4.yaml`.
"""


class Run:
    """A run that is over.

    Timelines, cores and work-groups are made when they are first read, by running again, unless `keep` named them. A
    run has the same results each time.
    """

    def __init__(self, core: Any) -> None:
        self._core = core
        self._cache: Dict[str, Any] = {}

    @property
    def title(self) -> str:
        return self._core.title

    @property
    def device(self) -> str:
        return self._core.device

    @property
    def outcome(self) -> str:
        """`completed`, `stalled` or `bounded`."""
        return self._core.outcome

    @property
    def duration_ps(self) -> int:
        """What a profiler prints: from the begin of the first launch to the end, in whole picoseconds.

        A run with `program: placeholder` has no times: this, and all that shows some, raises an error.
        """
        return self._core.duration_ps

    @property
    def duration_ns(self) -> float:
        return self._core.duration_ps / 1000

    @property
    def active_ns(self) -> float:
        """From the first dispatch to the end."""
        return self._core.active_ps / 1000

    def _cached(self, name: str, make: Any) -> Any:
        if name not in self._cache:
            self._cache[name] = make()
        return self._cache[name]

    @property
    def summary(self) -> Dict[str, Any]:
        """What `summary.json` of the program holds."""
        return self._cached("summary", lambda: json.loads(self._core.summary_json()))

    @property
    def phases(self) -> np.ndarray:
        """The columns of `phases.csv`."""
        return self._cached("phases", lambda: _series.table(self._core, "phases"))

    @property
    def launches(self) -> np.ndarray:
        """The columns of `launches.csv`."""
        return self._cached("launches", lambda: _series.table(self._core, "launches"))

    def _series(self, name: str, make_pieces: Any) -> _series.Series:
        return self._cached(name, lambda: _series.Series(self._core, name, make_pieces()))

    @property
    def timeline(self) -> _series.Series:
        """The columns of `timeline.csv`; `.pieces` are views of what the run recorded."""
        return self._series("timeline", lambda: [_series.Piece(self._core.timeline())])

    @property
    def cores(self) -> _series.Series:
        """The columns of `cores.csv`."""
        return self._series("cores", lambda: [_series.Piece(self._core.cores())])

    @property
    def work_groups(self) -> _series.Series:
        """The columns of `work_groups.csv`: of work-groups that were placed. `.pieces` have a row for every one."""
        return self._series("work-groups", lambda: [_series.Piece(*piece) for piece in self._core.work_groups()])

    def svg(self) -> str:
        """The picture that `gdsim report -o run.svg` makes."""
        return self._cached("svg", self._core.svg)

    def html(self) -> str:
        """The page that `gdsim report -o run.html` makes."""
        return self._core.html()

    def _repr_html_(self) -> Optional[str]:
        return self.svg() if self._core.has_durations else None

    def __repr__(self) -> str:
        after = f"after {self.duration_ns:.10g} ns" if self._core.has_durations else "without a duration"
        return f"<{self.title} on {self.device}: {self.outcome} {after}>"


class Scenario:
    """A scenario that was read once, and can be run with many values. Any number of threads may use one."""

    def __init__(self, source: Source, *, case: Optional[str] = None, models: Any = None) -> None:
        name, text = _name_and_text(source)
        #: Not for users.
        self._core = _core.read_scenario(name=name, text=text, case=_case(case), models=folder_names(models))

    def run(
        self,
        set: Optional[Mapping[str, Any]] = None,
        *,
        keep: Iterable[str] = (),
        max_time: Optional[str] = None,
        max_events: Optional[int] = None,
        seed: int = 0,
    ) -> Run:
        """Runs it with these values in the place of its own; `seed` is added to that of every draw."""
        kept = [keep] if isinstance(keep, str) else list(keep)
        return Run(self._core.run(pairs_of(set), kept, _time(max_time), _count("max_events", max_events), _seed(seed)))

    def durations(
        self,
        columns: Mapping[str, Iterable[Any]],
        *,
        max_time: Optional[str] = None,
        max_events: Optional[int] = None,
    ) -> Tuple[np.ndarray, Dict[int, str]]:
        """One run for each row of values, on one processor: whole picoseconds, and why some have none (-1).

        `scenario.durations({"tile": [32, 64], "stages": [2, 3]})` makes two runs. `gdsim.sweep` uses all processors,
        and answers more.
        """
        if not isinstance(columns, Mapping):
            raise Error(f"columns is a {type(columns).__name__}; a dict of paths and lists is needed")
        paths = [text_of(path) for path in columns]
        texts = [texts_of(values) for values in columns.values()]
        return self._core.durations(paths, texts, _time(max_time), _count("max_events", max_events))

    def is_current(self) -> bool:
        """No file from which it was read has changed since."""
        return self._core.is_current()


def _case(case: Optional[str]) -> str:
    if case is not None and not isinstance(case, str):
        raise Error(f"case is {case!r}; the name of a case is needed")
    return case or ""


def _time(value: Optional[str]) -> Optional[str]:
    if value is not None and not isinstance(value, str):
        raise Error(f"max_time is {value!r}; a text with a unit is needed, as in '10 ms'")
    return value


def _count(name: str, value: Optional[int], least: int = 1) -> Optional[int]:
    if value is None:
        return None
    try:
        number = value.__index__()
    except (AttributeError, TypeError):
        raise Error(f"{name} is {value!r}; a whole number is needed") from None
    if not least <= number < 2**63:
        raise Error(f"{name} is {number}; a whole number from {least} to {2**63 - 1} is needed")
    return number


def _seed(seed: int) -> int:
    return _count("seed", seed, 0) or 0


def _name_and_text(source: Any) -> Tuple[str, Optional[str]]:
    """What it is called, and its text; none if it is a file."""
    if isinstance(source, str):
        if "\n" in source:
            return "<text>", source
        if not source:
            raise Error("the scenario is empty; a path, a text or a dict is needed")
        return source if os.path.exists(source) else _own_scenario(source), None
    if isinstance(source, os.PathLike):
        path = os.fspath(source)
        if not isinstance(path, str):
            raise Error(f"{source!r} is a path of bytes; one of text is needed")
        return path, None
    if hasattr(source, "to_dict"):
        source = source.to_dict()
    if isinstance(source, Mapping):
        return "<dict>", scenario_text(source)
    raise Error(f"{type(source).__name__} is no scenario; a path, a text of several lines or a dict is needed")


def _own_scenario(path: str) -> str:
    """`scenarios/NAME.yaml` is the one that the package holds, where there is no such file; other paths are themselves."""
    parts = path.split("/")
    own = os.path.join(os.path.dirname(OWN_MODELS), *parts)
    return own if parts[0] == "scenarios" and ".." not in parts and os.path.exists(own) else path


_KEPT = 32
_kept: "OrderedDict[tuple, Scenario]" = OrderedDict()
_lock = threading.Lock()


def load(source: Source, *, case: Optional[str] = None, models: Any = None) -> Scenario:
    """The scenario, read once: the same one again as long as its files are what they were."""
    if isinstance(source, Scenario):
        if case is not None or models is not None:
            raise Error("a scenario that was loaded has its case and its models")
        return source
    name, text = _name_and_text(source)
    key = (name if text is not None else os.path.abspath(name), text, case, *folder_names(models))
    with _lock:
        found = _kept.get(key)
    if found is None or not found.is_current():
        found = Scenario(source, case=case, models=models)
        with _lock:
            _kept[key] = found
            while len(_kept) > _KEPT:
                _kept.popitem(last=False)
    return found


def run(
    source: Source,
    set: Optional[Mapping[str, Any]] = None,
    *,
    case: Optional[str] = None,
    models: Any = None,
    keep: Iterable[str] = (),
    max_time: Optional[str] = None,
    max_events: Optional[int] = None,
    seed: int = 0,
) -> Run:
    """Runs a scenario: a path, a text, a dict, or what the builder makes.

    `set={"local": 256, "device.cores": 12}` puts values in the place of its own, by the paths of `gdsim run --set`.
    `keep` names what is to be kept at once: "timeline", "cores", "work_groups"; what is not is made when it is asked
    for. The run ends at `max_time` or after `max_events`, with outcome `bounded`. Ctrl-C ends it with
    KeyboardInterrupt. Other threads of Python go on meanwhile.
    """
    scenario = load(source, case=case, models=models)
    return scenario.run(set, keep=keep, max_time=max_time, max_events=max_events, seed=seed)
