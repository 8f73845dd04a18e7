"""What is wrong with an input, with its places."""

from __future__ import annotations

from typing import NamedTuple, Sequence, Tuple


class Problem(NamedTuple):
    """One problem with an input."""

    message: str
    """What was found, and what is allowed."""
    file: str
    """Where: a file, or what a text is called; empty if it has no place."""
    line: int
    """From 1; 0 if it is about the whole file."""
    column: int
    """From 1."""
    code: str
    """A stable name of the reason for which a device refuses a kernel, such as `too_many_registers`; else empty."""
    line_text: str
    """The line at fault."""


class Error(ValueError):
    """An input cannot be used. The text lists all problems as the program prints them; `problems` has them singly."""

    problems: Tuple[Problem, ...]

    def __init__(self, message: str, problems: Sequence[Sequence[object]] = ()) -> None:
        super().__init__(message)
        self.problems = tuple(Problem(*one) for one in problems)  # type: ignore[arg-type]

    def __reduce__(self):  # exceptions of worker processes travel as pickles
        return (type(self), (str(self), [tuple(one) for one in self.problems]))
