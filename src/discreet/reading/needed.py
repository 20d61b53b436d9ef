"""The epsilon, or the group size, that a wanted accuracy needs: solved, not guessed.

*Epsilon.* For a group of n and a distance d, the best chance of being within d among all mechanisms
of a shape is the optimum of the design problem with loss L0,d (worst case over true counts, or mean
under a prior). A mechanism private at epsilon is private at every larger epsilon, so the problems
are nested and that optimum never falls as epsilon grows: bisection over multiples of `step` finds
the smallest one exactly. The design found is returned with its certificate, and so is the chance
one step below.

*Size.* A wanted accuracy in points of the rate, |Y - x| <= tolerance * n, means a distance d =
floor(tolerance
* n) that grows with n. For one d the best worst-case chance cannot grow with n (answer n in place
  of n + 1 to
get from a mechanism for n + 1 to one for n that is at least as good), so only the smallest n of
each d can be the answer: those n are tried in order. With properties, a prior or a named mechanism
that argument does not hold and every n is tried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import TYPE_CHECKING

from discreet.core.losses import PriorLike
from discreet.core.rationals import Exact, read_count, read_fraction, shown
from discreet.errors import Infeasible, InvalidInput
from discreet.reading.accuracy import accuracy

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism
    from discreet.core.properties import ShapeLike

Builder = Callable[..., "Mechanism"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Needed:
    """The answer: what is needed, the mechanism that does it, the chance it gives, and what was
    searched.
    """

    parameter: str
    value: Fraction
    n: int
    distance: int
    confidence: Fraction
    chance: Fraction
    chance_before: Fraction | None
    mechanism: Mechanism
    searched: str

    def __str__(self) -> str:
        value = f"{float(self.value):.6g}" if self.parameter == "epsilon" else str(self.value)
        before = (
            ""
            if self.chance_before is None
            else f" (one step before: {_chance(self.chance_before)})"
        )
        return "\n".join(
            (
                f"{self.parameter} = {value} is needed",
                f"  for        within {self.distance} of the truth with chance "
                f"{float(self.confidence):.10g} (n = {self.n})",
                f"  attained   {_chance(self.chance)}{before}",
                f"  mechanism  {self.mechanism.origin.method}",
                f"  searched   {self.searched}",
            )
        )

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from discreet.show.html import preformatted

        return preformatted(str(self))


def _chance(chance: Fraction) -> str:
    """Five decimals, or the distance to 1 where they would say 1."""
    return (
        f"{float(chance):.5f}"
        if 1 - chance > Fraction(1, 10**5) or chance == 1
        else shown(chance, 3)
    )


def epsilon_needed(
    *,
    n: int,
    within: int,
    confidence: Exact = "0.95",
    properties: ShapeLike = None,
    prior: PriorLike = None,
    mechanism: Builder | None = None,
    step: Exact = "1/100",
    most: Exact = 20,
) -> Needed:
    """Return the smallest epsilon, to one `step`, that puts an answer within a distance with the
    wanted chance.

    Whatever the true count is, or on average when a `prior` is given. `n` is the group size,
    `within` the distance, `confidence` the chance, `properties` the shape that mechanisms must
    have, and `most` the largest epsilon tried. With `mechanism=dc.fair` (or another builder that
    takes n and epsilon) that family is searched instead of all.

    >>> from discreet.core.named import geometric
    >>> found = epsilon_needed(n=8, within=1, confidence=0.9, mechanism=geometric)
    >>> found.value, found.chance >= Fraction(9, 10), found.chance_before < Fraction(9, 10)
    (Fraction(139, 100), True, True)
    """
    d = read_count("within", within)
    n = read_count("n", n)
    level = _level(confidence)
    unit, top = read_fraction("step", step), read_fraction("most", most)
    if not 0 < unit <= top:
        raise InvalidInput("step", "must be above 0 and at most `most`", shown(unit))

    found: dict[int, tuple[Mechanism, Fraction]] = {}

    def chance(k: int) -> Fraction:
        if k not in found:
            m = _build(mechanism, n, unit * k, d, properties, prior)
            found[k] = m, accuracy(m, prior=prior).within(d, worst_case=prior is None)
        return found[k][1]

    low, high = 0, floor(top / unit)
    if chance(high) < level:
        raise Infeasible(
            f"within {d} of the truth with chance {float(level):.5g} is not reached for n = {n} "
            f"up to epsilon = {float(unit * high):.6g} (there the chance is "
            f"{float(chance(high)):.5g})",
            remedy="ask for less, or raise `most`",
        )
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if chance(middle) >= level else (middle, high)
    m, reached = found[high]
    family = (
        getattr(mechanism, "__name__", "all mechanisms")
        if mechanism
        else f"all mechanisms {_named(properties)}"
    )
    return Needed(
        parameter="epsilon",
        value=unit * high,
        n=n,
        distance=d,
        confidence=level,
        chance=reached,
        chance_before=chance(low) if low else None,
        mechanism=m,
        searched=f"{family.strip()}, epsilon in steps of {shown(unit)}, bisection",
    )


def size_needed(
    *,
    tolerance: Exact,
    epsilon: Exact,
    confidence: Exact = "0.95",
    properties: ShapeLike = None,
    prior: PriorLike = None,
    mechanism: Builder | None = None,
    most: int = 200,
) -> Needed:
    """Return the smallest group for which the private *rate* is within `tolerance` of the truth
    with the wanted chance.

    `epsilon` is the privacy, `confidence` the chance, whatever the true count is or on average
    under a `prior`; `properties` and `mechanism` say what is searched, as for `epsilon_needed`;
    `most` is the largest group tried.

    >>> from discreet.core.named import geometric
    >>> size_needed(tolerance="1/10", epsilon=1, confidence=0.9, mechanism=geometric).n
    20
    """
    share, spend, level = (
        read_fraction("tolerance", tolerance),
        read_fraction("epsilon", epsilon),
        _level(confidence),
    )
    if not 0 < share < 1:
        raise InvalidInput(
            "tolerance",
            "must be between 0 and 1, a part of the group",
            shown(share),
            remedy="e.g. 0.1",
        )
    most = read_count("most", most, least=1)
    free = mechanism is None and prior is None and not _named(properties)
    before: Fraction | None = None
    for n in _sizes(share, most) if free else range(1, most + 1):
        d = floor(share * n)
        m = _build(mechanism, n, spend, d, properties, prior)
        chance = accuracy(m, prior=prior).within(d, worst_case=prior is None)
        if chance >= level:
            return Needed(
                parameter="n",
                value=Fraction(n),
                n=n,
                distance=d,
                confidence=level,
                chance=chance,
                chance_before=before,
                mechanism=m,
                searched="the smallest n of every distance, in order"
                if free
                else f"every n from 1 to {n}",
            )
        before = chance
    raise Infeasible(
        f"no group of up to {most} gets its rate within {float(share):.4g} with chance "
        f"{float(level):.5g} at epsilon = {float(spend):.6g}",
        remedy="raise epsilon, the tolerance or `most`",
    )


def _sizes(share: Fraction, most: int) -> Iterable[int]:
    """The smallest n of every distance d: 1 for d = 0, then ceil(d / share)."""
    d = 0
    while (n := max(1, ceil(d / share))) <= most:
        yield n
        d += 1


def _build(
    builder: Builder | None,
    n: int,
    epsilon: Fraction,
    d: int,
    properties: ShapeLike,
    prior: PriorLike,
) -> Mechanism:
    if builder is not None:
        return builder(n=n, epsilon=epsilon)
    from discreet.designer import design

    return design(
        n=n,
        epsilon=epsilon,
        properties=properties,
        loss=f"L0,{d}" if d else "L0",
        prior=prior,
        worst_case=prior is None,
    )


def _named(properties: ShapeLike) -> str:
    from discreet.core.properties import read_shape

    text = str(read_shape(properties))
    return f"with {text}" if text else ""


def _level(confidence: Exact) -> Fraction:
    level = read_fraction("confidence", confidence)
    if not 0 < level < 1:
        raise InvalidInput(
            "confidence", "must be between 0 and 1, both excluded", shown(level), remedy="e.g. 0.95"
        )
    return level
