"""The devices there are, and how many work-groups fit."""

from __future__ import annotations

import json
import threading
from typing import Any, Dict, Optional, Tuple, Union

import numpy as np

from . import _core
from ._errors import Error
from ._values import folder_names, text_of

_kept: Dict[Tuple[str, ...], Any] = {}
_lock = threading.Lock()


def _models(models: Any) -> Any:
    """The models of these folders, read once, as long as their files are what they were."""
    folders = tuple(folder_names(models))
    with _lock:
        found = _kept.get(folders)
    if found is None or not found.is_current():
        found = _core.read_models(list(folders))
        with _lock:
            _kept.clear()
            _kept[folders] = found
    return found


def devices(match: str = "", *, models: Any = None) -> np.ndarray:
    """The models of devices whose name, vendor or family contains `match`, one in each row.

    `device` is the name that scenarios use; a family's `cores` stand for any number of them; `clock_hz` is 0 where the
    model has no clock. `gdsim devices NAME` shows every value with its source.
    """
    known = _models(models)
    rows = [row for row in known.devices(known.names()) if any(str(match).lower() in text.lower() for text in row[:4])]
    return np.array(
        rows,
        [
            ("device", f"U{_longest(rows, 0)}"),
            ("name", f"U{_longest(rows, 1)}"),
            ("vendor", f"U{_longest(rows, 2)}"),
            ("family", f"U{_longest(rows, 3)}"),
            ("cores", "u4"),
            ("contexts_per_core", "u4"),
            ("max_work_group_size", "u4"),
            ("clock_hz", "i8"),
        ],
    )


def device_values(device: str, *, models: Any = None) -> Dict[str, Any]:
    """Every value of a device's model and its source, as they are written, those of its family included."""
    if not isinstance(device, str):
        raise Error(f"device is {device!r}; the name of a model is needed")
    return _models(models).values(device)


def _longest(rows: list, column: int) -> int:
    return max((len(row[column]) for row in rows), default=1) or 1


Size = Union[int, Tuple[int, ...], str]


def occupancy(
    device: str,
    local: Size,
    sub_group: Optional[int] = None,
    *,
    global_size: Optional[Size] = None,
    slm: Union[None, int, str] = None,
    registers: Optional[int] = None,
    accumulation_registers: Optional[int] = None,
    scalar_registers: Optional[int] = None,
    barriers: Optional[int] = None,
    carveout_percent: Optional[int] = None,
    slm_dynamic: Union[None, int, str] = None,
    max_dynamic_slm: Union[None, int, str] = None,
    slm_opt_in: Optional[bool] = None,
    large_grf: bool = False,
    mode: Optional[str] = None,
    cluster: Optional[Size] = None,
    models: Any = None,
) -> Dict[str, Any]:
    """How many work-groups of a kernel fit on a core, and why not more: what `gdsim occupancy --format json` answers.

    Amounts of memory are bytes, or texts with a unit such as "8 KiB". A kernel that the device refuses is no error: the
    answer says so.
    """
    fields = {
        "device": device,
        "local": _size("local", local),
        "sub_group": sub_group,
        "global": _size("global_size", global_size),
        "slm": _amount(slm),
        "registers": registers,
        "accumulation_registers": accumulation_registers,
        "scalar_registers": scalar_registers,
        "barriers": barriers,
        "carveout_percent": carveout_percent,
        "slm_dynamic": _amount(slm_dynamic),
        "max_dynamic_slm": _amount(max_dynamic_slm),
        "slm_opt_in": None if slm_opt_in is None else int(bool(slm_opt_in)),
        "large_grf": 1 if large_grf else None,
        "mode": mode,
        "cluster": _size("cluster", cluster),
    }
    given = {name: text_of(value) for name, value in fields.items() if value is not None}
    return json.loads(_models(models).occupancy(given))


def _size(name: str, value: Any) -> Any:
    if value is None or isinstance(value, (int, str)):
        return value
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, (tuple, list)):
        return ",".join(text_of(one) for one in value)
    if isinstance(value, int):
        return value
    raise Error(f"{name} is {value!r}; a number, or one for each dimension, is needed")


def _amount(value: Any) -> Any:
    if value is None or isinstance(value, str):
        return value
    return f"{text_of(value)} B"
