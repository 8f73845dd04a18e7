"""Scenarios of profiles and of compiled kernels."""

from __future__ import annotations

import os
from typing import Any, Iterable, List, Optional, Union

from . import _core
from ._errors import Error
from ._values import folder_names, text_of

Paths = Union[str, "os.PathLike[str]", Iterable[Union[str, "os.PathLike[str]"]]]


class Imported(str):
    """The text of a scenario, which `gdsim.run()` takes; `report` says what was read, assumed and left out."""

    report: str

    def __new__(cls, text: str, report: str = "") -> "Imported":
        made = super().__new__(cls, text)
        made.report = report
        return made


def _files(paths: Paths) -> List[str]:
    given = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    names = []
    for path in given:
        name = os.fspath(path)
        if not isinstance(name, str):
            raise Error(f"{path!r} is a path of bytes; one of text is needed")
        # A name that begins with a minus is a file here, too, and paths in the scenario hold from anywhere.
        names.append(os.path.abspath(name))
    if not names:
        raise Error("at least one file is needed")
    return names


def _import(paths: Paths, options: Any, models: Any) -> Imported:
    words: List[str] = []
    for name, value in options:
        if value is True:
            words.append(f"--{name}")
        elif value is not None and value is not False:
            words.append(f"--{name}={text_of(value)}")
    for folder in filter(os.path.isdir, folder_names(models)):
        words.append(f"--models={folder}")
    text, report = _core.command("import", words + _files(paths))
    return Imported(text, report)


def import_profile(
    paths: Paths,
    *,
    device: Optional[str] = None,
    kernel: Optional[str] = None,
    start: Optional[str] = None,
    end: Optional[str] = None,
    top: Optional[int] = None,
    exact: bool = False,
    merge: bool = False,
    models: Any = None,
) -> Imported:
    """The scenario of a profile, whose launches are fitted to the measured starts and durations: what `gdsim import FILE` writes.

    `paths` is a profile of an application, or several files about the same. `start` and `end` choose launches by the
    time since the first, as in "2 ms"; `kernel` is a regular expression, and `top` the number of kernels of most time.
    """
    options = [
        ("device", device),
        ("kernel", kernel),
        ("from", start),
        ("to", end),
        ("top", top),
        ("exact", exact),
        ("merge", merge),
    ]
    return _import(paths, options, models)


def import_kernel(
    paths: Paths,
    *,
    device: Optional[str] = None,
    kernel: Optional[str] = None,
    block: Optional[int] = None,
    grid: Optional[int] = None,
    shared: Union[None, int, str] = None,
    models: Any = None,
) -> Imported:
    """The scenario of compiled kernels: of a cubin, a code object, or what a compiler prints, such as `ptxas -v`.

    What threads do stands in no such file: its runs show the occupancy, and their durations mean nothing.
    """
    options = [("device", device), ("kernel", kernel), ("block", block), ("grid", grid), ("shared", shared)]
    return _import(paths, options, models)
