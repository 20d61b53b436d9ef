"""C(a): what a column property costs each end of the range, in closed form where it is known.

As soon as n >= 2w-1, w the number of diagonal entries at an end that differ from GM's, the optimum
of L0 under weak honesty with a column property costs 2a/(1+a) + C(a)/n (observed). In the middle
the diagonal is GM's y = (1-a)/(1+a) and nothing is lost; all of C comes from the two ends, which do
not see each other. Near an end, with T_j = Pr[output < j | j], S_j = Pr[output > j | j] and d_j = 1
- T_j - S_j, from the inside out:

    d_{j} = y beyond;  q steps up to it, d = a^q y, ..., a y (as steep as honesty allows);  possibly
                       one free step;
    T_j = j d_j for j <= m, no answer below the truth likelier than the truth, with S_j = a (1 -
    T_{j+1}) for j >= J; d_j = d_J a^-(J-j) for j < J, as steep as honesty allows.

Each choice of (J, m, q, free) is a rational function of a. `extended` makes the whole point for any
n >= 2w-1 from those that keep all rows of the program of thresholds, and the matrix is filled from
it. Where the point `has_room`, filling provably succeeds, and the form is an upper bound on C(a);
elsewhere it is observed to succeed. The least of the forms is C(a) up to a = 0.87025 (observed,
against module `alpha_intervals`), and for most a beyond. The free step is set by d_{J+1} = a d_J
and S_J = a (1 - T_{J+1}) holding together.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import ceil

from discreet.core.rationals import read_count
from discreet.paper.beyond.thresholds import Thresholds


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """One form of the diagonal at an end: m, the diagonal d_0..d_K, and the C it gives."""

    honest: int
    diagonal: tuple[Fraction, ...]
    cost: Fraction


def constant(a: Fraction) -> Fraction:
    """Return the least C(a) among the known forms: (1-a)(2a-1)/(a(1+a)) on (1/2, 2/3], 4/27 at 3/4.

    >>> constant(Fraction(3, 5)), constant(Fraction(3, 4))
    (Fraction(1, 12), Fraction(4, 27))
    """
    return best_end(a).cost


def best_end(a: Fraction) -> End:
    """Return the cheapest form, the shortest one when several cost the same."""
    return min(ends(a), key=lambda end: (end.cost, len(end.diagonal)))


def ends(a: Fraction) -> Iterator[End]:
    """Yield the forms that keep every row of the program, for 1/2 < a < 1."""
    k = ceil(a / (1 - a))
    for honest in range(max(1, k - 2), k + 5):
        for steep in range(max(0, honest - 6), honest + 1):
            for climb in range(4):
                for free in (False, True):
                    end = _form(a, steep, honest, climb, free)
                    if end is not None:
                        yield end


def _form(a: Fraction, steep: int, honest: int, climb: int, free: bool) -> End | None:
    if free and not 1 <= steep < honest:
        return None
    y, tau = (1 - a) / (1 + a), a / (1 + a)
    above = tau
    climbing = [y * a ** (climb - r) for r in range(climb)]
    for d in reversed(climbing):
        above = 1 - d - a * (1 - above)
    if free:
        # the lower part is linear in what lies above it: two values give the one where both rows
        # are tight
        at = [_lower(a, steep, honest, Fraction(x)) for x in (0, 1)]
        gaps = [low[steep + 1] - a * low[steep] for low in at]
        below = -gaps[0] / (gaps[1] - gaps[0])
        middle = [1 - below - a * (1 - above)]
    else:
        below, middle = above, []
    diagonal = (*_lower(a, steep, honest, below), *middle, *climbing)
    if not _keeps_all_rows(a, honest, diagonal):
        return None
    cost = 1 + y * (2 * len(diagonal) - 1) - 2 * sum(diagonal, Fraction(0))
    return End(honest=honest, diagonal=diagonal, cost=cost)


def _lower(a: Fraction, steep: int, honest: int, below: Fraction) -> list[Fraction]:
    """Return d_0..d_honest, given T at honest + 1."""
    found: dict[int, Fraction] = {}
    for j in range(honest, steep - 1, -1):
        found[j] = (1 - a * (1 - below)) / (j + 1)
        below = j * found[j]
    for j in range(steep - 1, -1, -1):
        found[j] = found[j + 1] / a
    return [found[j] for j in range(honest + 1)]


def extended(end: End, a: Fraction, n: int) -> Thresholds:
    """Return the whole point for n people: the end, GM's diagonal between, and the end mirrored; no
    solver is used.

    >>> a = Fraction(3, 4)
    >>> extended(best_end(a), a, 9).cost == 2 * a / (1 + a) + constant(a) / 9
    True
    """
    width = len(end.diagonal)
    n = read_count("n", n, least=2 * width - 1)
    y, tau = (1 - a) / (1 + a), a / (1 + a)
    d = [*end.diagonal, *[y] * (n + 1 - 2 * width), *reversed(end.diagonal)]
    below = [*_below(a, end.honest, (*end.diagonal, y)), *[tau] * (n - width)][: n + 1]
    # T is the end's on the left, and on the right what the mirrored S leaves
    mirrored = [1 - d[j] - below[n - j] for j in range(n + 1)]
    below = [below[j] if 2 * j <= n else mirrored[j] for j in range(n + 1)]
    above = [1 - x - t for x, t in zip(d, below, strict=True)]
    return Thresholds(
        n=n, alpha=a, below=tuple(below[1:]), above=tuple(above[:-1]), bound=2 * a / (1 + a)
    )


def _below(a: Fraction, honest: int, diagonal: tuple[Fraction, ...]) -> list[Fraction]:
    """Return T_0..T_w for an end of width w and one entry beyond it."""
    below = [j * diagonal[j] if j <= honest else a / (1 + a) for j in range(len(diagonal))]
    for j in range(len(diagonal) - 2, honest, -1):
        below[j] = 1 - diagonal[j] - a * (1 - below[j + 1])
    return below


def _keeps_all_rows(a: Fraction, honest: int, diagonal: tuple[Fraction, ...]) -> bool:
    y, tau = (1 - a) / (1 + a), a / (1 + a)
    d = [*diagonal, y, y]
    below = [*_below(a, honest, (*diagonal, y)), tau]
    above = [1 - x - t for x, t in zip(d, below, strict=True)]
    return min(d) > 0 and all(
        below[j + 1] >= a * (1 - above[j])
        and above[j] >= a * (1 - below[j + 1])
        and d[j + 1] >= a * d[j]
        and d[j] >= a * d[j + 1]
        and 0 <= below[j] <= j * d[j]
        for j in range(len(d) - 1)
    )
