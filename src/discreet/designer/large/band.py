"""Exact solution of a square system whose rows each touch a few neighbouring variables.

Elimination from the first variable to the last keeps a few rows at hand at a time, so that n
unknowns cost some n operations on rationals, where a dense solve costs n^3. Numbers are
python-flint's rationals.
"""

from __future__ import annotations

from typing import Any

from discreet.errors import NotProven

Rational = Any
"""A rational number of python-flint, `fmpq`."""
Line = dict[int, Rational]


def solve_band(lines: list[Line], right: list[Rational]) -> list[Rational]:
    """Return x with `sum_v line[v] x[v] = right` for every line; `NotProven` where they do not
    determine it.

    >>> from flint import fmpq
    >>> solve_band([{0: fmpq(1), 1: fmpq(2)}, {0: fmpq(1), 1: fmpq(-1)}], [fmpq(4), fmpq(1)])
    [2, 1]
    """
    # the rows that wait, the first to be needed last
    waiting = sorted(
        ((dict(line), value) for line, value in zip(lines, right, strict=True)),
        key=_first,
        reverse=True,
    )
    active: list[tuple[Line, Rational]] = []
    solved: list[tuple[Line, Rational]] = []
    for v in range(len(lines)):
        while waiting and _first(waiting[-1]) <= v:
            active.append(waiting.pop())
        touching = [k for k, (line, _) in enumerate(active) if v in line]
        if not touching:
            raise NotProven(f"the basis of the small program does not determine its variable {v}")
        line, value = active.pop(min(touching, key=lambda k: len(active[k][0])))
        pivot = line.pop(v)
        line, value = {u: c / pivot for u, c in line.items()}, value / pivot
        solved.append((line, value))
        active = [_without(v, other, line, value) for other in active]
    x: list[Rational] = [None] * len(lines)
    for v in reversed(range(len(lines))):
        line, value = solved[v]
        x[v] = value - sum(c * x[u] for u, c in line.items())
    return x


def _first(row: tuple[Line, Rational]) -> int:
    return min(row[0])


def _without(
    v: int, row: tuple[Line, Rational], line: Line, value: Rational
) -> tuple[Line, Rational]:
    """Put variable v, which is `value` less what `line` says, into another row."""
    found, least = row
    factor = found.pop(v, None)
    if factor is None:
        return row
    for u, c in line.items():
        changed = found.get(u, 0) - factor * c
        if changed == 0:
            found.pop(u, None)
        else:
            found[u] = changed
    return found, least - factor * value
