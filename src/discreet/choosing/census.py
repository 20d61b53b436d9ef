"""The census of behaviours: how many different mechanisms do all 128 sets of properties need?

The paper finds at most four under L0 (Section "Comparing mechanisms"). Here that is counted, and
the same for any other loss. For a set P of properties let opt(P) be the least cost of a mechanism
that has P. A mechanism *serves* P when it has P and costs opt(P); a **behaviour** is one mechanism
of the smallest collection that serves all 128.

Every opt(P) is exact: a design with its certificate, or equal to one by these two rules, which need
no solving:

    P and the closure of P (RM=>RH, CM=>CH=>WH, F+RH=>CH, F+CH=>RH) are one problem: 128 sets are 36
    closed ones; with a symmetric loss and prior, S costs nothing (Theorem 1): 18 are left; P within
    Q within what M has, and M serves P: then M serves Q, as opt(P) <= opt(Q) <= cost of M = opt(P).

Among the sets with one and the same cost, each *maximal* one needs a mechanism of its own, and the
mechanisms of the maximal ones serve the rest. So the number of behaviours is the number of maximal
sets, over all costs.

    discreet census --n 4 --alpha 10/11
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

from discreet.choosing.exporting import exact_text
from discreet.choosing.grid import as_asked
from discreet.core.losses import LossLike, PriorLike, read_loss, read_prior
from discreet.core.mechanism import Mechanism
from discreet.core.progress import Listener, Reporter, silent
from discreet.core.properties import PROPERTIES, Shape, closure
from discreet.core.rationals import Alpha, Exact, read_alpha, read_count
from discreet.errors import NotProven

MAX_N = 40
"""Beyond this n a census is hours of solving."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Behaviour:
    """One mechanism, its exact cost, the largest set it serves, and every set of properties it
    serves.
    """

    cost: Fraction
    properties: Shape
    subsets: tuple[Shape, ...]
    mechanism: Mechanism

    @property
    def least(self) -> tuple[Shape, ...]:
        """The weakest wishes that lead to this behaviour: sets that imply no other of its sets,
        each named once.
        """
        said: dict[frozenset[str], Shape] = {}
        for shape in self.subsets:
            said.setdefault(closure(shape).names, shape)
        return tuple(
            shape for closed, shape in said.items() if not any(other < closed for other in said)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Census:
    """All 128 sets of properties, sorted into behaviours from the cheapest to the dearest."""

    n: int
    privacy: Alpha
    loss: str
    prior: str
    behaviours: tuple[Behaviour, ...]
    solved: int

    def __len__(self) -> int:
        return len(self.behaviours)

    @property
    def costs(self) -> tuple[Fraction, ...]:
        """The different optimal costs, increasing: as many as behaviours, or fewer where costs
        coincide.
        """
        return tuple(dict.fromkeys(b.cost for b in self.behaviours))

    def of(self, properties: Shape) -> Behaviour:
        """Return the behaviour that serves a set of properties."""
        return next(b for b in self.behaviours if properties in b.subsets)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain JSON values."""
        return {
            "n": self.n,
            "alpha": exact_text(self.privacy.value),
            "loss": self.loss,
            "prior": self.prior,
            "solved": self.solved,
            "behaviours": [
                {
                    "cost": float(b.cost),
                    "cost_exact": exact_text(b.cost),
                    "properties": str(b.properties),
                    "least": [str(shape) for shape in b.least],
                    "subsets": [str(shape) for shape in b.subsets],
                    "id": b.mechanism.id,
                }
                for b in self.behaviours
            ],
        }

    def __str__(self) -> str:
        from discreet.show.chosen.census_text import census_text

        return census_text(self)

    __repr__ = __str__


def all_subsets() -> list[Shape]:
    """The 128 sets of the seven properties, small ones first."""
    names = list(PROPERTIES)
    return [
        Shape(names=frozenset(some))
        for size in range(len(names) + 1)
        for some in combinations(names, size)
    ]


def census(
    *,
    n: int,
    alpha: Exact | None = None,
    epsilon: Exact | None = None,
    loss: LossLike = "L0",
    prior: PriorLike = None,
    worst_case: bool = False,
    progress: Listener | None = None,
) -> Census:
    """Sort all 128 sets of properties into behaviours, with exact optimal costs.

    `n` is the group size, `alpha` or `epsilon` the privacy; `loss`, `prior` and `worst_case` are
    what designs minimise, as for `dc.design`; `progress` is called with an event per set done.

    >>> len(census(n=4, alpha="10/11"))
    4
    """
    n = read_count("n", n, most=MAX_N)
    privacy = read_alpha(alpha=alpha, epsilon=epsilon)
    symmetric = read_loss(loss, n).symmetric and read_prior(prior, n).symmetric

    def best(shape: Shape) -> Mechanism:
        from discreet.designer import design

        return design(
            n=n,
            **as_asked(privacy),
            properties=shape,
            loss=loss,
            prior=prior,
            worst_case=worst_case,
            gap=0,
            cache=False,
            progress=None if progress is None else silent,
        )

    problem = _Optima(best)
    problems = {shape: _closed(shape, symmetric) for shape in all_subsets()}
    # the largest and the smallest first: between them most of the others follow without solving
    order = sorted(
        dict.fromkeys(problems.values()), key=lambda shape: (len(shape.names), str(shape))
    )
    report = Reporter(progress)
    for done, shape in enumerate([order[-1], *order[:-1]]):
        report("settling sets", done, len(order), detail=str(shape))
        problem.settle(shape)
    cost = {shape: problem.cost[closed] for shape, closed in problems.items()}
    behaviours = []
    for level in sorted(set(cost.values())):
        there = [shape for shape, value in cost.items() if value == level]
        left = there
        for top in [p for p in there if not any(p != q and p <= q for q in there)]:
            served = tuple(shape for shape in left if shape <= top)
            left = [shape for shape in left if shape not in served]
            m = problem.serving(top, level)
            behaviours.append(Behaviour(cost=level, properties=top, subsets=served, mechanism=m))
    return Census(
        n=n,
        privacy=privacy,
        loss=read_loss(loss, n).name + (" (worst case)" if worst_case else ""),
        prior=read_prior(prior, n).name,
        behaviours=tuple(behaviours),
        solved=len(problem.found),
    )


def _closed(shape: Shape, symmetric: bool) -> Shape:
    names = shape.names | {"S"} if symmetric else shape.names
    return closure(Shape(names=names))


class _Optima:
    """The exact optimal costs known so far, and the mechanisms that attain them."""

    def __init__(self, design: Callable[[Shape], Mechanism]) -> None:
        self.design = design
        self.cost: dict[Shape, Fraction] = {}
        self.found: list[tuple[Mechanism, Fraction]] = []

    def settle(self, shape: Shape) -> None:
        """Find opt(shape): squeezed between what is known below and above it, or solved."""
        below = [cost for other, cost in self.cost.items() if other <= shape]
        above = [cost for m, cost in self.found if shape <= m.shape]
        if below and above and max(below) == min(above):
            self.cost[shape] = max(below)
        else:
            self.cost[shape] = self._solve(shape)

    def _solve(self, shape: Shape) -> Fraction:
        m = self.design(shape)
        certificate = m.origin.certificate
        if certificate is None or not certificate.optimal:
            raise NotProven(
                f"no exact optimum for {shape or 'no properties'}: a census needs every one"
            )
        self.found.append((m, certificate.cost))
        return certificate.cost

    def serving(self, shape: Shape, cost: Fraction) -> Mechanism:
        """Return a mechanism found at this cost that has the properties; the last step of
        `settle` put one there.
        """
        return next(m for m, paid in self.found if paid == cost and shape <= m.shape)
