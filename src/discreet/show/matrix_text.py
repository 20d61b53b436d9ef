"""A mechanism's matrix in a terminal: as chances, as percents where those do not fit, or a line
that says why not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from discreet.show.cells import whole_percent
from discreet.show.text import columns, fits, table

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism

IN_FULL = 10
"""The largest group whose chances are written out in 80 columns."""
_CELL = 6
_TALLEST = 40
"""The largest group whose matrix is printed at all: a page of a terminal."""
_DRAWN = 16_384
"""The largest group whose matrix can be drawn."""
_LONG, _LABEL = "  published \\ true count", "  out\\true"
_SEEN = "  To see it: discreet plot, or m.plot()."
_PERCENT = "  Published numbers down, in percent; a dot is less than half of one."


def matrix_lines(m: Mechanism) -> list[str]:
    """The matrix as wide as the terminal allows; or what it would need, and how to see it."""
    rows = f"{m.n + 1:,} by {m.n + 1:,}"
    if m.n > _TALLEST:
        return [
            f"  The matrix, {rows}, is too large to print.",
            *([_SEEN] if m.n <= _DRAWN else []),
        ]
    for label in (_LONG, _LABEL) if m.n <= 8 else (_LABEL,):
        chances = _chances(m, label)
        if fits(chances) and (m.n <= IN_FULL or _width(m, _CELL) <= columns()):
            return chances
    cell = 4 if any(float(m.truth(j)) >= 0.995 for j in range(m.n + 1)) else 3
    if _width(m, cell) <= columns():
        return [_PERCENT, *_percents(m, cell)]
    needed = f"needs {_width(m, cell)} columns, and there are {columns()}."
    return [f"  The matrix, {rows}, {needed}", _SEEN]


def _width(m: Mechanism, cell: int) -> int:
    return len(_LABEL) + 1 + cell * (m.n + 1)


def _chances(m: Mechanism, label: str) -> list[str]:
    rows = [[i, *(_chance(float(m[i, j]), i == j) for j in range(m.n + 1))] for i in range(m.n + 1)]
    return table(
        [[label, *range(m.n + 1)], *rows], ">0" + f" >{_CELL}" * (m.n + 1), gap=0, indent=0
    )


def _chance(value: float, diagonal: bool) -> str:
    text = f"{value:.3f}".lstrip("0") if value < 1 else "1.00"
    # what can happen is never printed as if it could not, nor what need not as if it must
    text = {".000": "<.001" if value else "0", "1.000": ">.999"}.get(text, text)
    return f"{'*' if diagonal else ''}{text}"


def _percents(m: Mechanism, cell: int) -> list[str]:
    rows = [
        [f"{i} ", *(_percent(float(m[i, j]), i == j) for j in range(m.n + 1))]
        for i in range(m.n + 1)
    ]
    return table(
        [[f"{_LABEL} ", *range(m.n + 1)], *rows], ">0" + f" >{cell}" * (m.n + 1), gap=0, indent=0
    )


def _percent(value: float, diagonal: bool) -> str:
    text = "." if 0 < value < 0.005 else whole_percent(value)
    return f"{'*' if diagonal else ''}{text}"
