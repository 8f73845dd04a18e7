"""Many runs: a sweep, and what would help."""

from __future__ import annotations

import json
import os
from typing import Any, Dict, Iterable, Mapping, Optional, Union

import numpy as np

from . import _core
from ._errors import Error
from ._scenario import Source, _count, _time, load
from ._values import pairs_of, texts_of


class Sweep:
    """The points of a sweep, in their order."""

    def __init__(self, points: np.ndarray, notes: Iterable[str], metric: str) -> None:
        self.points = points
        """The columns of the table that `gdsim sweep -o points.csv` writes; -1 or NaN where a point has no figure."""
        self.notes = tuple(notes)
        """What conclusions rest on."""
        self.metric = metric

    @property
    def ranked(self) -> np.ndarray:
        """The points that have a rank, the best first."""
        with_rank = self.points[self.points["rank"] > 0]
        return with_rank[np.argsort(with_rank["rank"], kind="stable")]

    @property
    def best(self) -> np.void:
        """The best point. Raises Error if none is ok."""
        ranked = self.ranked
        if len(ranked) == 0:
            reasons = [str(reason) for reason in self.points["reason"] if reason]
            raise Error("no point is ok" + (f"; the first: {reasons[0]}" if reasons else ""))
        return ranked[0]

    def __len__(self) -> int:
        return len(self.points)

    def __repr__(self) -> str:
        ok = int(np.count_nonzero(self.points["status"] == "ok"))
        return f"<{len(self)} points, {ok} ok, ranked by {self.metric}>"


def sweep(
    source: Source,
    vary: Mapping[str, Iterable[Any]],
    *,
    set: Optional[Mapping[str, Any]] = None,
    zip: bool = False,
    where: str = "",
    sample: Optional[int] = None,
    seed: int = 0,
    metric: str = "duration",
    jobs: Optional[int] = None,
    store: Union[None, str, "os.PathLike[str]"] = None,
    resume: bool = False,
    case: Optional[str] = None,
    models: Any = None,
    max_time: Optional[str] = None,
    max_events: Optional[int] = None,
) -> Sweep:
    """Runs the product of lists of values, ranked: `sweep("mine.yaml", {"tile": [32, 64], "stages": range(2, 5)})`.

    `zip=True` pairs the lists instead; `where="tile * stages < 256"` drops points; `sample` draws so many. A point that
    the device refuses is a row with its reason. `store="points.sqlite"` keeps results as they come, and `resume=True`
    goes on with them. `jobs` runs at once; by default as many as there are processors.
    """
    if not isinstance(vary, Mapping) or not vary:
        raise Error("vary needs a dict of paths and lists of values, as in {'local': [128, 256]}")
    lists = {str(path): values if hasattr(values, "tolist") else _listed(path, values) for path, values in vary.items()}
    for path in lists:
        if path in _core.sweep_figures():
            raise Error(f"{path!r} is the name of a figure; give the full path, such as 'parameters.{path}'")
    axes = [(path, texts_of(values)) for path, values in lists.items()]
    found = _core.sweep(
        scenario=load(source, case=case, models=models)._core,
        set=pairs_of(set),
        axes=axes,
        zip=bool(zip),
        where=str(where),
        sample=_count("sample", sample),
        seed=_count("seed", seed, 0) or 0,
        metric=str(metric),
        jobs=_count("jobs", jobs) or 0,
        store=os.fspath(store) if store is not None else "",
        resume=bool(resume),
        max_time=_time(max_time),
        max_events=_count("max_events", max_events),
    )
    return Sweep(_points(lists, axes, found), found["notes"], str(metric))


def _listed(path: Any, values: Any) -> list:
    if isinstance(values, (str, bytes)):
        raise Error(f"{path}: {values!r} is one value; a list is needed")
    try:
        return list(values)
    except TypeError:
        raise Error(f"{path}: {values!r} is no list of values") from None


def _points(vary: Mapping[str, Any], axes: Any, found: Dict[str, Any]) -> np.ndarray:
    columns: Dict[str, np.ndarray] = {}
    for (path, texts), index in zip_of(axes, found["index"]):
        columns[path] = _axis_values(vary[path], texts)[index]
    kinds = _core.sweep_figures()
    for name, values in found["figures"].items():
        missing, dtype = {"text": ("", None), "count": (-1, np.int64), "number": (np.nan, float)}[kinds[name]]
        columns[name] = np.array([missing if value is None else value for value in values], dtype=dtype)
    points = np.empty(len(found["figures"]["status"]), [(name, column.dtype) for name, column in columns.items()])
    for name, column in columns.items():
        points[name] = column
    points.flags.writeable = False
    return points


zip_of = zip  # `sweep` has an argument of this name


def _are_numbers(given: list) -> bool:
    return all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in given)


def _axis_values(given: Any, texts: Any) -> np.ndarray:
    """As they were given where all are numbers, else as texts."""
    values = np.asarray(given) if hasattr(given, "tolist") or _are_numbers(given) else np.array(texts)
    return values if values.ndim == 1 and values.dtype.kind in "biuf" else np.array(texts)


def explain(
    source: Source,
    set: Optional[Mapping[str, Any]] = None,
    *,
    jobs: Optional[int] = None,
    case: Optional[str] = None,
    models: Any = None,
    max_time: Optional[str] = None,
    max_events: Optional[int] = None,
) -> Dict[str, Any]:
    """What would help: what `gdsim explain --format json` writes. Every finding is a run with one thing changed."""
    scenario = load(source, case=case, models=models)
    text = _core.explain_json(
        scenario._core, pairs_of(set), _count("jobs", jobs) or 0, _time(max_time), _count("max_events", max_events)
    )
    found = json.loads(text)
    if found["outcome"] != "completed":
        raise Error(f"{found['scenario']} is {found['outcome']}; only a run that completes can be explained")
    return found
