"""What was asked, and the proof that nothing does it better.

A `Problem` is the linear program of the paper (BasicDP and the properties as constraints) written as a value:
the entries `x[i, j] = Pr[i|j]` of the matrix are its variables. A `Certificate` is a dual solution of it: one
multiplier for each row of the program that is needed. Both are plain data. `discreet.designer` finds them,
`discreet.proof` checks them with integers and without this module.

The rows, each `left >= right` with a multiplier >= 0, or `left = right` with a multiplier of any sign (free):

    kind    (a, b, c)    row
    sum     (j, 0, 0)    sum_i x[i,j] = 1                                            free
    dp      (i, j, k)    x[i,j] - alpha x[i,k] >= 0, |j-k| = 1
    odp     (i, k, j)    x[i,j] - beta x[k,j] >= 0, |i-k| = 1, beta the ratio of output DP
    rm      (i, j, k)    x[i,j] - x[i,k] >= 0, k one step further from i than j
    cm      (i, k, j)    x[i,j] - x[k,j] >= 0, k one step further from j than i
    rh      (i, j, 0)    x[i,i] - x[i,j] >= 0
    ch      (i, j, 0)    x[j,j] - x[i,j] >= 0
    wh      (i, 0, 0)    x[i,i] >= 1/(n+1)
    f       (i, 0, 0)    x[i,i] - x[i+1,i+1] = 0                                     free
    s       (i, j, 0)    x[i,j] - x[n-i,n-j] = 0                                     free
    input   (j, 0, 0)    t - (n+1) w_j sum_i loss[i][j] x[i,j] >= 0, worst case only; these sum to 1

For multipliers y the reduced cost of a variable is its cost less what the rows charge for it. Every entry
lies in [0, 1], so `b.y + sum_v min(0, reduced cost of v)` is at most the cost of every feasible mechanism,
whatever y is: that number is the certificate's `bound`. It proves optimality when it equals the `cost`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING

from discreet.core.domains import Counts

if TYPE_CHECKING:
    from discreet.core.losses import Loss, Prior
    from discreet.core.properties import Shape

Cell = tuple[int, int]
"""(output i, true count j): the entry Pr[i|j]."""

Label = tuple[int, int, int]
"""A row's name (a, b, c) within its kind."""

Row = tuple[str, int, int, int, int]
"""A kind of row, its three indices, and the numerator of its multiplier."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RowKind:
    """One kind of row of the linear program: `Pr[head] >= ratio * Pr[tail]`; an equation if `free`, a floor if no tail.

    A row is named (a, b, c). `head` and `tail` say which of these is the output and which the true answer of each cell:
    `dp` is named (i, j, k), and its head (0, 1) is Pr[i|j], its tail (0, 2) is Pr[i|k].
    """

    kind: str
    """Its name in certificates."""
    asked_by: str
    """The property that asks for it; privacy itself is asked by nobody and always there."""
    head: tuple[int, int]
    tail: tuple[int, int] | None
    pairs: str
    """Which names there are: "step" between neighbours, "away" if the second is further off, "other" points, "each"."""
    ratio: str = "1"
    """"1", "alpha", or "beta", the ratio of output DP."""
    image: str = ""
    """Where the tail is the image of the cell it names: its "mirror" image, or that of the "next" point."""

    @property
    def free(self) -> bool:
        """Whether it is an equation, whose multiplier may have any sign."""
        return bool(self.image)

    @property
    def used(self) -> int:
        """How many of a, b and c mean something."""
        return 1 + max(*self.head, *(self.tail or ()))

    def cells(self, domain: Counts, label: Label) -> tuple[Cell, Cell | None]:
        """The cells that a row compares."""
        head = label[self.head[0]], label[self.head[1]]
        if self.tail is None:
            return head, None
        i, j = label[self.tail[0]], label[self.tail[1]]
        if self.image == "mirror":
            return head, (domain.mirror(i), domain.mirror(j))
        return head, (i + 1, j + 1) if self.image == "next" else (i, j)

    def mirrored(self, domain: Counts, label: Label) -> Label:
        """The same row with yes and no exchanged."""
        a, b, c = (domain.mirror(x) if k < self.used else x for k, x in enumerate(label))
        return a, b, c

    def labels(self, domain: Counts) -> Iterator[Label]:
        """Every row of this kind by name."""
        points = range(domain.size)
        if self.pairs == "each":
            yield from ((p, 0, 0) for p in (points[:-1] if self.image == "next" else points))
        elif self.image == "mirror":
            yield from ((i, j, 0) for i in points for j in points if (i, j) < (domain.mirror(i), domain.mirror(j)))
        elif self.pairs == "other":
            yield from ((a, b, 0) for a in points for b in points if a != b)
        else:
            steps = sorted(chain.from_iterable(domain.steps))
            along_a_row = self.head == (0, 1)
            for p in points:
                off = [domain.distance(p, q) for q in points]
                for near, far in steps:
                    if self.pairs == "step" or off[far] > off[near]:
                        yield (p, near, far) if along_a_row else (near, far, p)


ROWS = MappingProxyType(
    {
        row.kind: row
        for row in (
            RowKind(kind="dp", asked_by="", head=(0, 1), tail=(0, 2), pairs="step", ratio="alpha"),
            RowKind(kind="odp", asked_by="ODP", head=(0, 2), tail=(1, 2), pairs="step", ratio="beta"),
            RowKind(kind="rm", asked_by="RM", head=(0, 1), tail=(0, 2), pairs="away"),
            RowKind(kind="cm", asked_by="CM", head=(0, 2), tail=(1, 2), pairs="away"),
            RowKind(kind="rh", asked_by="RH", head=(0, 0), tail=(0, 1), pairs="other"),
            RowKind(kind="ch", asked_by="CH", head=(1, 1), tail=(0, 1), pairs="other"),
            RowKind(kind="wh", asked_by="WH", head=(0, 0), tail=None, pairs="each"),
            RowKind(kind="f", asked_by="F", head=(0, 0), tail=(0, 0), pairs="each", image="next"),
            RowKind(kind="s", asked_by="S", head=(0, 1), tail=(0, 1), pairs="other", image="mirror"),
        )
    }
)
"""Every kind of row that privacy and the properties are made of, written once: checking, the linear program, pricing
and unfolding read it. (`discreet.proof` has its own, on purpose.)"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One question to the designer: the best alpha-private mechanism of a shape, for a loss and a prior.

    The mean cost is `sum_j w_j sum_i loss[i][j] Pr[i|j]`; in the worst case it is
    `max_j (n+1) w_j sum_i loss[i][j] Pr[i|j]`: for the uniform prior, the plain worst case over inputs.
    """

    n: int
    alpha: Fraction
    shape: Shape
    loss: Loss
    prior: Prior
    worst_case: bool = False

    @property
    def domain(self) -> Counts:
        """What the true answer can be."""
        return Counts(self.n)

    @property
    def ratios(self) -> dict[str, Fraction]:
        """What the ratio of a row is, by its name in `ROWS`."""
        return {"1": Fraction(1), "alpha": self.alpha, "beta": self.shape.output_dp or Fraction(0)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Certificate:
    """Multipliers that bound the cost of every mechanism of a problem from below, exactly.

    Each row is `(kind, a, b, c, numerator)`, see the module's table; its multiplier is numerator/denominator.

    >>> loose = Certificate(cost=Fraction(1, 2), bound=Fraction(2, 5), denominator=5, rows=(("sum", 0, 0, 0, 2),))
    >>> loose.optimal, loose.gap
    (False, Fraction(1, 4))
    """

    cost: Fraction
    bound: Fraction
    denominator: int
    rows: tuple[Row, ...]

    @property
    def optimal(self) -> bool:
        """Whether the bound meets the cost, which proves that no mechanism of the problem costs less."""
        return self.cost == self.bound

    @property
    def gap(self) -> Fraction | None:
        """How far from optimal it can be at most, `cost / bound - 1`; None when the bound allows no ratio."""
        if self.optimal:
            return Fraction(0)
        return self.cost / self.bound - 1 if self.bound > 0 else None
