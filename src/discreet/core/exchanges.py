"""Which answers a problem about histograms does not tell apart.

If prior and loss do not change when two answers are exchanged, and no row asked for tells answers apart (none does),
then a mechanism averaged over the exchange costs no more and has the same properties: a symmetric optimum exists
(Theorem 1 of the paper, for two answers). Answers that can be exchanged in this way form classes.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from discreet.core.histogram import Histogram, Point

if TYPE_CHECKING:
    from discreet.core.certificate import Problem
    from discreet.core.losses import Loss, Prior


def histogram_of(problem: Problem) -> Histogram:
    """The domain of a problem about histograms."""
    if not isinstance(problem.over, Histogram):
        raise TypeError("the problem is not about histograms")
    return problem.over


def classes_of(problem: Problem) -> tuple[int, ...]:
    """The class of each answer: those of one class may be exchanged. Symmetry, where asked, makes one class of all."""
    domain = histogram_of(problem)
    if "S" in problem.shape:
        return (0,) * domain.k
    return _classes(domain, problem.loss, problem.prior)


@lru_cache(maxsize=32)
def _classes(domain: Histogram, loss: Loss, prior: Prior) -> tuple[int, ...]:
    found: list[int] = []
    for a in range(domain.k):
        # exchanging is transitive, so one member of a class speaks for all
        alike = (found[b] for b in range(a) if found.index(found[b]) == b and _exchangeable(domain, loss, prior, a, b))
        found.append(next(alike, max(found, default=-1) + 1))
    return tuple(found)


def _exchangeable(domain: Histogram, loss: Loss, prior: Prior, a: int, b: int) -> bool:
    """Whether prior and loss stay as they are when answers a and b are exchanged."""
    if prior.uniform and loss.table is None:
        return True
    other = [domain.number(_exchanged(point, a, b)) for point in domain.points]
    if any(prior.weights[j] != prior.weights[to] for j, to in enumerate(other)):
        return False
    table = loss.table
    if table is None:
        return True
    return all(
        x == table[image][to] for row, image in zip(table, other, strict=True) for x, to in zip(row, other, strict=True)
    )


def _exchanged(point: Point, a: int, b: int) -> Point:
    moved = list(point)
    moved[a], moved[b] = moved[b], moved[a]
    return tuple(moved)
