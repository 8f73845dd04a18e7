"""Python's values as a scenario file has them."""

from __future__ import annotations

import json
import math
import numbers
import os
from decimal import Decimal
from typing import Any, Iterable, List, Mapping, Optional, Tuple

from ._errors import Error


def _plain(value: Any) -> Any:
    """The value as JSON knows it. Numbers of NumPy are what they stand for; an object of the builder is its dict."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return str(value)
    if hasattr(value, "to_dict"):
        return _plain(value.to_dict())
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, (numbers.Real, Decimal)):
        number = float(value)
        if not math.isfinite(number):
            raise Error(f"{value} is not a number that a scenario can have")
        if isinstance(value, Decimal) and Decimal(repr(number)) != value:
            raise Error(f"{value} has more digits than a number keeps; give it as a text")
        return int(number) if number.is_integer() and abs(number) < 2**53 else number
    if isinstance(value, Mapping):
        keys = [_key(key) for key in value]
        if len(set(keys)) < len(keys):
            raise Error(f"a key stands twice in {', '.join(keys)}")
        return {key: _plain(inner) for key, inner in zip(keys, value.values())}
    if isinstance(value, (list, tuple)) or hasattr(value, "tolist"):
        items = value.tolist() if hasattr(value, "tolist") else value
        if not isinstance(items, (list, tuple)):
            return _plain(items)
        return [_plain(inner) for inner in items]
    raise Error(f"{type(value).__name__} is no value that a scenario can have; a number, text, list or dict is needed")


def _key(key: Any) -> str:
    if isinstance(key, str):
        return str(key)
    if isinstance(key, numbers.Integral) and not isinstance(key, bool):
        return str(int(key))
    raise Error(f"{key!r} is no key that a scenario can have; text is needed")


def text_of(value: Any) -> str:
    """What would stand in the file. A text stands for itself: "64 KiB", "= tile * 4"."""
    if type(value) is str:
        return value
    if type(value) is int:
        return str(value)
    plain = _guarded(value)
    if isinstance(plain, str):
        return plain
    if plain is None:
        raise Error("None is no value that a scenario can have; leave it out")
    return _written(plain, None)


def scenario_text(scenario: Mapping[str, Any]) -> str:
    """A whole scenario, one key a line, so that places in messages say something."""
    return _written(_guarded(scenario), 1) + "\n"


def _guarded(value: Any) -> Any:
    try:
        return _plain(value)
    except RecursionError:
        raise Error("the value holds itself, or is nested too deeply") from None


def _written(plain: Any, indent: Optional[int]) -> str:
    return json.dumps(plain, indent=indent, ensure_ascii=False)


def pairs_of(values: Optional[Mapping[str, Any]]) -> List[Tuple[str, str]]:
    """Paths and texts, of `set=`."""
    if not values:
        return []
    if not isinstance(values, Mapping):
        raise Error(f"set is a {type(values).__name__}; a dict of paths and values is needed, as in {{'local': 256}}")
    return [(_key(path), value if type(value) is str else text_of(value)) for path, value in values.items()]


def texts_of(values: Iterable[Any]) -> List[str]:
    """The texts of a list of values, or of an array."""
    if isinstance(values, (str, bytes)):
        raise Error(f"{values!r} is one value; a list is needed")
    items = values.tolist() if hasattr(values, "tolist") else values
    try:
        return [value if type(value) is str else text_of(value) for value in items]
    except TypeError:
        raise Error(f"{type(values).__name__} is no list of values") from None


def folder_names(models: Any) -> List[str]:
    """Folders with models, before those of the environment and of the package, as the program has them."""
    given = [] if models is None else [models] if isinstance(models, (str, os.PathLike)) else list(models)
    names = [os.fspath(one) for one in given]
    for name in names:
        if not isinstance(name, str) or not os.path.isdir(name):
            raise Error(f"models: there is no folder {name}")
    names += [name for name in os.environ.get("GDSIM_MODELS", "").split(":") if name]
    names.append(OWN_MODELS)
    return names


def _own_models() -> str:
    here = os.path.dirname(os.path.realpath(__file__))
    installed = os.path.join(here, "models")
    # Run from its sources, the package uses the models beside it.
    return installed if os.path.isdir(installed) else os.path.normpath(os.path.join(here, "..", "..", "..", "models"))


OWN_MODELS = _own_models()
