"""What small multiples are made of: scales, lines and their names, and panels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import NamedTuple

from discreet.show.colours import Look


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """An axis: its ends, the words at its ticks, and its title."""

    low: float
    high: float
    ticks: Mapping[float, str]
    title: str = ""
    log: bool = False

    def place(self, value: float) -> float:
        """Where a value is, from 0 at the low end to 1 at the high one."""
        at, low, high = (log(v) if self.log else v for v in (value, self.low, self.high))
        return (at - low) / ((high - low) or 1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line, perhaps with marks at its points and a name."""

    points: Sequence[tuple[float, float]]
    look: Look
    width: float = 2.5
    marks: bool = False
    size: float = 1.0
    """Of its marks."""
    name: Name | None = None


class Name(NamedTuple):
    """The words beside a line: at an x above it (1), below it (-1) or on it (0); or right of the
    panel, at its end.
    """

    words: str
    x: float | None = None
    side: float = 1
    at: str = "middle"
    brief: str = ""
    """What it says on a phone, if less."""

    def said(self, *, phone: bool) -> str:
        """The words, as there is room for."""
        return self.brief if phone and self.brief else self.words


class Words(NamedTuple):
    """Words within a panel at a point of its scales: on it (0), or above (1) or below (-1) a dot
    that marks it.
    """

    words: str
    x: float
    y: float
    ink: str
    side: float = 0
    at: str = "middle"


class Note(NamedTuple):
    """A short sentence within a panel, and the point of its scales that a thin line leads to
    from it.
    """

    words: str
    x: float
    y: float
    to: tuple[float, float]
    at: str = "middle"
    phone: tuple[float, float] | None = None
    """Where the words stand on a phone, if elsewhere."""
    wide: bool = False
    """Whether a phone has no room for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """One panel."""

    title: str
    x: Scale
    y: Scale
    lines: Sequence[Line]
    shades: tuple[str, str] | None = None
    """What lies between the first line and the second: where the second is higher, and where it
    is lower.
    """
    words: Sequence[Words] = ()
    notes: Sequence[Note] = ()
