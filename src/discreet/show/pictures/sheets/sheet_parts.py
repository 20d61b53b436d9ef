"""What small multiples are made of: scales, lines and their names, panels, and entries of a legend."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor, log, log10
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
    cut: bool = False
    """Whether lines go on beyond its ends, where they are not drawn."""

    def place(self, value: float) -> float:
        """Where a value is, from 0 at the low end to 1 at the high one."""
        at, low, high = (log(v) if self.log else v for v in (value, self.low, self.high))
        return (at - low) / ((high - low) or 1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line, with a band (x, least, largest) behind it, seen where it is wider than the line; and perhaps a name."""

    points: Sequence[tuple[float, float]]
    look: Look
    width: float = 2.2
    band: Sequence[tuple[float, float, float]] = ()
    marks: bool = False
    size: float = 1.0
    """Of its marks."""
    name: Name | None = None


class Name(NamedTuple):
    """The words beside a line: at an x above it (1), below it (-1) or on it (0); or right of the panel, at its end."""

    words: str
    x: float | None = None
    side: float = 1
    at: str = "middle"


class Words(NamedTuple):
    """Words within a panel at a point of its scales: on it (0), or above (1) or below (-1) a dot that marks it."""

    words: str
    x: float
    y: float
    ink: str
    side: float = 0
    at: str = "middle"


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """One panel; `across` is a level line with its colour."""

    title: str
    x: Scale
    y: Scale
    lines: Sequence[Line]
    across: tuple[float, str] | None = None
    remark: str = ""
    """Words above the level line, where no line is."""
    shades: tuple[str, str] | None = None
    """What lies between the first line and the second: where the second is higher, and where it is lower."""
    words: Sequence[Words] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """An entry of the legend: a line's look, or the fill of an area; or words alone, before others."""

    words: str
    look: Look | None = None
    fill: str = ""
    width: float = 2.2
    marks: bool = False
    new_row: bool = False


def stepped(low: float, high: float, most: int = 7) -> list[float]:
    """Round values from `low` to `high`: multiples of 1, 2 or 5 times a power of ten, at most so many.

    >>> stepped(-7.4, 2.2), stepped(0, 0.4)
    ([-6.0, -4.0, -2.0, 0.0, 2.0], [0.0, 0.1, 0.2, 0.3, 0.4])
    """
    power = 10.0 ** floor(log10((high - low) / most))
    step = next(k * power for k in (1, 2, 5, 10, 20) if (high - low) / (k * power) <= most - 0.5)
    first, last = ceil(low / step - 1e-9), floor(high / step + 1e-9)
    return [round(k * step, 9) for k in range(first, last + 1)]
