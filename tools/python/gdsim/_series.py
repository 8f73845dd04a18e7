"""What a run recorded, as arrays."""

from __future__ import annotations

from typing import Any, Dict, Iterator, NamedTuple, Sequence, Tuple

import numpy as np


class Piece(NamedTuple):
    """Rows as the run recorded them, in a read-only view of its memory."""

    array: np.ndarray
    """A structured array; times are whole picoseconds. A work-group that was never placed has no first placed threads."""
    launch: str = ""
    """The name of the launch, of work-groups only."""
    kernel: str = ""
    """The name of the kernel, of work-groups only."""


def _values(column: Any) -> np.ndarray:
    """A column of a table of `_core`; texts come as a list and indices of it."""
    if isinstance(column, tuple):
        words, index = column
        column = np.array(words, dtype="U" if words else "U1")[index]
        column.flags.writeable = False
    return column


def _side_by_side(columns: Dict[str, np.ndarray]) -> np.ndarray:
    rows = np.empty(max(map(len, columns.values()), default=0), [(name, values.dtype) for name, values in columns.items()])
    for name, values in columns.items():
        rows[name] = values
    return rows


def table(core: Any, name: str) -> np.ndarray:
    """A table of the program as a structured array."""
    rows = _side_by_side({column: _values(values) for column, values in core.table(name, "").items()})
    rows.flags.writeable = False
    return rows


class Series:
    """Rows over time, in pieces.

    `pieces` are views without a copy. `series["threads_resident"]` is one column over all rows, `np.asarray(series)` a
    structured array of all columns: those of the CSV file that the program writes, with its names and units.
    """

    def __init__(self, core: Any, table: str, pieces: Sequence[Piece]) -> None:
        self.pieces: Tuple[Piece, ...] = tuple(pieces)
        self._core = core
        self._table = table
        self._columns: Tuple[str, ...] = tuple(core.columns(table))
        self._cache: Dict[str, np.ndarray] = {}

    @property
    def columns(self) -> Tuple[str, ...]:
        """The names of the columns, in the order of the CSV file."""
        return self._columns

    @property
    def dtype(self) -> np.dtype:
        """Of the array that `np.asarray()` makes."""
        return np.dtype([(name, self[name].dtype) for name in self._columns])

    def __len__(self) -> int:
        return len(self[self._columns[0]])

    def __repr__(self) -> str:
        return f"<{len(self)} rows in {len(self.pieces)} pieces: {', '.join(self.columns)}>"

    def __getitem__(self, name: str) -> np.ndarray:
        """A column over all rows: without a copy if it is recorded as it is, and every piece is a table of rows."""
        if not isinstance(name, str) or name not in self._columns:
            raise KeyError(f"{name!r}; the columns are {', '.join(self.columns)}")
        if name not in self._cache:
            recorded = self.pieces[0].array if len(self.pieces) == 1 and not self.pieces[0].launch else None
            if recorded is not None and name in recorded.dtype.names:
                self._cache[name] = recorded[name]
            else:
                self._cache[name] = _values(self._core.table(self._table, name)[name])
        return self._cache[name]

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        if copy is False:
            raise ValueError("the columns of a table are not recorded side by side: an array of all is a copy")
        whole = _side_by_side({name: self[name] for name in self._columns})
        return whole if dtype is None else whole.astype(dtype)

    @property
    def array(self) -> np.ndarray:
        """All rows and columns as one structured array, a copy."""
        return self.__array__()

    def __iter__(self) -> Iterator[np.void]:
        return iter(self.array)
