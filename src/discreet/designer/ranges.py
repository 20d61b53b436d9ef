"""For which group sizes a theorem answers: families for whole ranges of n, found from inequalities
in n and alpha.

These are the conditions of `theorems.closed_form` and of `nearly_optimal`, solved for n, for L0 and
a prior that is a word. With WH the least n that is honest under GM is h = ceil(2a/(1-a)).

    n = 1                  GM, for the mean over a uniform prior: it has all seven, and output DP up
                           to a
    n >= 2                 GM, likewise, for a shape within RH RM S; WH from h on; CH CM for a <=
                           1/2; output DP up to a(1-a)
    n >= 1                 EM, with F, or in the worst case over a uniform prior; output DP up to a
    2 <= n < h             WM, for the mean over a uniform prior and a shape within RH RM S WH that
                           has WH
    n >= 3                 GM with its ends moved inward, for the mean over a uniform prior and a
                           shape with CH or CM, but F, where 1/2 < a <= 2/3
    n > 200, n >= 1/gap    EM within 1/n, for the mean over a uniform prior; output DP up to a

Sizes that are left are answered one by one: n = 0, alpha = 1, WM with column properties (which hold
for some n and not for others between them), and whatever takes a linear program.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING

from discreet.core.certificate import MAX_N
from discreet.core.family import NEARLY, Family, Ranges
from discreet.core.forms import Geometric
from discreet.core.forms.column_honest import column_honest_exists
from discreet.core.losses import Prior, read_loss, read_prior
from discreet.core.properties import Shape, closure
from discreet.core.rationals import read_count
from discreet.designer.single import SENSIBLE_N, allowed_gap
from discreet.designer.theorems.closed_form import closed_form, nearly_optimal

if TYPE_CHECKING:
    from discreet.core.losses import LossLike, PriorLike
    from discreet.core.mechanism import Mechanism
    from discreet.core.rationals import Alpha

_Rule = tuple[int, int, str, str]
"""The least and the largest n, the kind of closed form, and the theorem."""


def families(
    sizes: Sequence[int],
    privacy: Alpha,
    *,
    shape: Shape,
    loss: LossLike,
    prior: PriorLike | Prior,
    worst_case: bool,
    gap: Fraction | None,
) -> tuple[tuple[Family, ...], list[int]]:
    """The families that answer a problem for ascending sizes, and the sizes that none of them
    answers.

    A range reaches from one of the sizes to another, over sizes between them that nobody asked for.

    >>> from discreet.core.rationals import read_alpha
    >>> asked = {
    ...     "loss": "L0",
    ...     "prior": None,
    ...     "worst_case": False,
    ...     "gap": None,
    ...     "shape": Shape(names=frozenset({"WH"})),
    ... }
    >>> found, rest = families([0, 1, 3, 5, 30, 90], read_alpha(alpha="10/11"), **asked)
    >>> [(family.kind, family.sizes) for family in found], rest
    ([('geometric', ((1, 1), (30, 90))), ('weakly-honest', ((3, 5),))], [0])
    """
    a, rest = privacy.value, list(sizes)
    words = isinstance(loss, str) and (prior is None or isinstance(prior, str))
    if not rest or not words or a == 1 or read_loss(loss, 1).tail != 0:
        return (), rest
    read_count("n", rest[-1], most=MAX_N)
    chance = read_prior(prior, 2).chance
    used: list[tuple[int, int]] = []
    found: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for low, high, kind, theorem in _rules(shape, a, chance is None, worst_case, gap):
        pieces = list(_without(low, high, used))
        found.setdefault((kind, theorem), []).extend(pieces)
        used = sorted([*used, *pieces])
    made = []
    for (kind, theorem), pieces in found.items():
        if hulls := _hulls(_joined(pieces), rest):
            made.append(
                Family(
                    kind=kind,
                    privacy=privacy,
                    sizes=hulls,
                    shape=shape,
                    chance=chance,
                    worst_case=worst_case,
                    theorem=theorem,
                )
            )
    for low, high in used:
        del rest[bisect_left(rest, low) : bisect_right(rest, high)]
    return tuple(made), rest


def member(family: Family, n: int) -> Mechanism:
    """The mechanism of one size of a family that was found here: the very one that `design`
    gives.
    """
    problem = family.problem(n)
    if family.theorem == NEARLY:
        near = nearly_optimal(problem, family.privacy)
        made = None if near is None else near[0]
    else:
        made = closed_form(problem, family.privacy)
    return made or family.mechanism(n)


def _rules(
    shape: Shape, a: Fraction, uniform: bool, worst_case: bool, gap: Fraction | None
) -> Iterator[_Rule]:
    """Each theorem that answers, and for which n; of two that do, the first is taken."""
    if any(Geometric(2, a).known(name) is None for name in shape.names):
        return  # a property that no theorem speaks of
    names, ratio, honest = shape.names, shape.output_dp or Fraction(0), ceil(2 * a / (1 - a))
    mean_uniform, columns = uniform and not worst_case, bool(names & {"CH", "CM"})
    if mean_uniform and ratio <= a:
        yield 1, 1, "geometric", "geometric"
    if mean_uniform and "F" not in names and (not columns or 2 * a <= 1) and ratio <= a * (1 - a):
        yield max(2, honest if "WH" in names else 2), MAX_N, "geometric", "geometric"
    if ("F" in names or (worst_case and uniform)) and ratio <= a:
        yield 1, MAX_N, "fair", "fair"
    weakly = (
        mean_uniform
        and "WH" in closure(shape).names
        and shape.output_dp is None
        and "F" not in names
    )
    if weakly and not columns and honest > 2:
        yield 2, honest - 1, "weakly-honest", "weakly-honest"
    if (
        mean_uniform
        and columns
        and "F" not in names
        and shape.output_dp is None
        and column_honest_exists(3, a)
    ):
        yield 3, MAX_N, "column-honest", "column-honest"
    allowed = allowed_gap(SENSIBLE_N + 1, gap)
    if mean_uniform and ratio <= a and allowed:
        # WM with column properties comes first where it has them
        least = max(SENSIBLE_N + 1, ceil(1 / allowed), honest if weakly else 0)
        if least <= MAX_N:
            yield least, MAX_N, "fair", NEARLY


def _without(low: int, high: int, used: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """What is left of a range beside ascending ranges that are taken."""
    for first, last in used:
        if low <= min(high, first - 1):
            yield low, min(high, first - 1)
        low = max(low, last + 1)
    if low <= high:
        yield low, high


def _joined(pieces: list[tuple[int, int]]) -> Ranges:
    """Ranges in order, adjacent ones as one."""
    joined: list[tuple[int, int]] = []
    for low, high in sorted(pieces):
        if joined and joined[-1][1] + 1 == low:
            joined[-1] = joined[-1][0], high
        else:
            joined.append((low, high))
    return tuple(joined)


def _hulls(ranges: Ranges, sizes: list[int]) -> Ranges:
    """Each range from the least to the largest of the sizes in it."""
    places = ((bisect_left(sizes, low), bisect_right(sizes, high)) for low, high in ranges)
    return tuple((sizes[first], sizes[end - 1]) for first, end in places if first < end)
