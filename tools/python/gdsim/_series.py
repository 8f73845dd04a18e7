"""What a run recorded, as arrays."""

from __future__ import annotations

from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Sequence, Tuple

import numpy as np

NOTHING_PS = np.iinfo(np.int64).min
"""Picoseconds of what never happened."""


class Piece(NamedTuple):
    """Rows as the run recorded them, in a read-only view of its memory."""

    array: np.ndarray
    """A structured array; times are whole picoseconds."""
    launch: str = ""
    """The name of the launch, of work-groups only."""
    kernel: str = ""
    """The name of the kernel, of work-groups only."""
    threads: Any = 0
    """Threads of each work-group: a number, or an array."""
    placed: Any = None
    """Which of them were placed; None: all."""
    cores: Any = None
    """Where work-groups may be spread over cores: the cores of those that are, by row, as `0+2`."""

    @property
    def rows(self) -> int:
        return len(self.array) if self.placed is None else int(np.count_nonzero(self.placed))


def nanoseconds(picoseconds: np.ndarray) -> np.ndarray:
    """As tables have them; NaN for what never happened."""
    result = picoseconds / 1000.0
    missing = picoseconds == NOTHING_PS
    if missing.any():
        result[missing] = np.nan
    return result


Column = Callable[[Piece], Any]


class Series:
    """Rows over time, in pieces.

    `pieces` are views without a copy. `series["threads_resident"]` is one column over all rows, `np.asarray(series)` a
    structured array of all columns: those of the CSV file that the program writes, with its names and units.
    """

    def __init__(self, pieces: Sequence[Piece], columns: Dict[str, Tuple[str, Column]]) -> None:
        self.pieces: Tuple[Piece, ...] = tuple(pieces)
        self._columns = columns
        self._cache: Dict[str, np.ndarray] = {}

    @property
    def columns(self) -> Tuple[str, ...]:
        """The names of the columns, in the order of the CSV file."""
        return tuple(self._columns)

    @property
    def dtype(self) -> np.dtype:
        """Of the array that `np.asarray()` makes."""
        return np.dtype([(name, self._format(name)) for name in self._columns])

    def _format(self, name: str) -> str:
        kind = self._columns[name][0]
        if kind != "U":
            return kind
        made = (self._columns[name][1](piece) for piece in self.pieces)
        widths = (values.itemsize // 4 if isinstance(values, np.ndarray) else len(values) for values in made)
        longest = max(widths, default=1)
        return f"U{max(longest, 1)}"

    def __len__(self) -> int:
        return sum(piece.rows for piece in self.pieces)

    def __repr__(self) -> str:
        return f"<{len(self)} rows in {len(self.pieces)} pieces: {', '.join(self.columns)}>"

    def _column_of(self, name: str, piece: Piece) -> np.ndarray:
        kind, make = self._columns[name]
        values = make(piece)
        if np.ndim(values) == 0:
            return np.full(piece.rows, values, dtype=self._format(name) if kind == "U" else kind)
        return values if piece.placed is None else values[piece.placed]

    def __getitem__(self, name: str) -> np.ndarray:
        """A column over all rows: without a copy if it is recorded as it is, and in one piece."""
        if not isinstance(name, str) or name not in self._columns:
            raise KeyError(f"{name!r}; the columns are {', '.join(self.columns)}")
        if name not in self._cache:
            parts = [self._column_of(name, piece) for piece in self.pieces]
            whole = parts[0] if len(parts) == 1 else np.concatenate(parts) if parts else np.empty(0, self.dtype[name])
            whole = whole.view()
            whole.flags.writeable = False
            self._cache[name] = whole
        return self._cache[name]

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        if copy is False:
            raise ValueError("the columns of a table are not recorded side by side: an array of all is a copy")
        whole = np.empty(len(self), self.dtype)
        for name in self._columns:
            whole[name] = self[name]
        return whole if dtype is None else whole.astype(dtype)

    @property
    def array(self) -> np.ndarray:
        """All rows and columns as one structured array, a copy."""
        return self.__array__()

    def __iter__(self) -> Iterator[np.void]:
        return iter(self.array)


def _recorded(name: str) -> Column:
    return lambda piece: piece.array[name]


def _time(name: str) -> Column:
    return lambda piece: nanoseconds(piece.array[name + "_ps"])


def _stalled(piece: Piece) -> np.ndarray:
    return piece.array["threads_resident"] - piece.array["threads_running"]


def _percent(capacity: int) -> Column:
    return lambda piece: piece.array["threads_resident"] * 100.0 / (capacity or np.nan)


def timeline(rows: np.ndarray, contexts: int) -> Series:
    """The columns of `timeline.csv`."""
    return Series(
        [Piece(rows)],
        {
            "time_ns": ("f8", _time("time")),
            "threads_resident": ("u8", _recorded("threads_resident")),
            "threads_running": ("u8", _recorded("threads_running")),
            "threads_stalled": ("u8", _stalled),
            "occupancy_percent": ("f8", _percent(contexts)),
            "work_groups_resident": ("u8", _recorded("work_groups_resident")),
            "work_groups_partial": ("u8", _recorded("work_groups_partial")),
            "cores_busy": ("u8", _recorded("cores_busy")),
            "slm_bytes": ("i8", _recorded("slm_bytes")),
        },
    )


def cores(rows: np.ndarray, contexts_per_core: int) -> Series:
    """The columns of `cores.csv`."""
    return Series(
        [Piece(rows)],
        {
            "time_ns": ("f8", _time("time")),
            "core": ("u4", _recorded("core")),
            "threads_resident": ("u4", _recorded("threads_resident")),
            "threads_running": ("u4", _recorded("threads_running")),
            "threads_stalled": ("u4", _stalled),
            "occupancy_percent": ("f8", _percent(contexts_per_core)),
            "work_groups_resident": ("u4", _recorded("work_groups_resident")),
            "slm_bytes": ("i8", _recorded("slm_bytes")),
        },
    )


def _cores_text(piece: Piece) -> np.ndarray:
    longest = max((len(text) for text in piece.cores.values()), default=1)
    texts = piece.array["core"].astype(f"U{max(longest, 10)}")
    for row, text in piece.cores.items():
        texts[row] = text
    return texts


def _work_group_piece(array: np.ndarray, launch: str, kernel: str, threads: Any, cores: Any) -> Piece:
    placed = array["threads_first_placed"] > 0
    return Piece(array, launch, kernel, threads, None if placed.all() else placed, cores)


def work_groups(pieces: List[tuple], may_spread: bool) -> Series:
    """The columns of `work_groups.csv`. Work-groups that were never placed are left out, as they are there."""
    columns: Dict[str, Tuple[str, Column]] = {
        "launch": ("U", lambda piece: piece.launch),
        "kernel": ("U", lambda piece: piece.kernel),
        "work_group": ("u8", lambda piece: np.arange(len(piece.array), dtype=np.uint64)),
        "core": ("u4", _recorded("core")),
        "threads": ("u8", lambda piece: piece.threads),
        "threads_first_placed": ("u4", _recorded("threads_first_placed")),
        "first_placed_ns": ("f8", _time("first_placed")),
        "fully_placed_ns": ("f8", _time("fully_placed")),
        "ended_ns": ("f8", _time("ended")),
    }
    if may_spread:
        columns["cores"] = ("U", _cores_text)
    return Series([_work_group_piece(*piece) for piece in pieces], columns)
