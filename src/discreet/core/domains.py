"""What a group's true answer can be, and the rows of the linear program over it, written once.

A mechanism is a matrix over a domain. The paper's domain is the counts 0..n, where one person moves
the count by one; one person may also move it by up to m ("step"), and `core.histogram` has groups
with more than two answers. Points are numbered 0, 1, ..., size-1. Privacy and every property are
rows over points, neighbours and distances, each `left >= right` with a multiplier >= 0, or `left =
right` with a multiplier of any sign (free):

    kind    (a, b, c)    row
    sum     (j, 0, 0)    sum_i x[i,j] = 1                                            free
    dp      (i, j, k)    x[i,j] - alpha x[i,k] >= 0, 1 <= |j-k| <= step
    odp     (i, k, j)    x[i,j] - beta x[k,j] >= 0, |i-k| = 1, beta the ratio of output DP
    rm      (i, j, k)    x[i,j] - x[i,k] >= 0, k one step further from i than j
    cm      (i, k, j)    x[i,j] - x[k,j] >= 0, k one step further from j than i
    rh      (i, j, 0)    x[i,i] - x[i,j] >= 0
    ch      (i, j, 0)    x[j,j] - x[i,j] >= 0
    wh      (i, 0, 0)    x[i,i] >= 1/(n+1)
    f       (i, 0, 0)    x[i,i] - x[i+1,i+1] = 0                                     free
    s       (i, j, 0)    x[i,j] - x[n-i,n-j] = 0                                     free
    input   (j, 0, 0)    t - (n+1) w_j sum_i loss[i][j] x[i,j] >= 0, worst case only; these sum to 1

`ROWS` is this table without the first and the last line, which belong to every mechanism and to a
worst case.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from types import MappingProxyType
from typing import Any

Cell = tuple[int, int]
"""(output i, true count j): the entry Pr[i|j]."""

Label = tuple[int, int, int]
"""A row's name (a, b, c) within its kind."""


@dataclass(frozen=True, slots=True)
class Counts:
    """The counts 0..n of n people; one person moves the count by at most `step`.

    >>> Counts(2).steps, Counts(2).mirror(0), Counts(4).distance(1, 3)
    ((((0, 1), (1, 2)), ((1, 0), (2, 1))), 2, 2)
    >>> Counts(3, step=2).steps[0]
    ((0, 1), (0, 2), (1, 2), (1, 3), (2, 3))
    """

    n: int
    step: int = 1

    @property
    def size(self) -> int:
        """How many points there are."""
        return self.n + 1

    @property
    def steps(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """Every pair of neighbours, what one person can change, both ways, by direction: up,
        then down.
        """
        return self._pairs(self.step)

    @property
    def units(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """Every pair of points one unit apart, both ways, by direction: up, then down."""
        return self._pairs(1)

    def _pairs(self, far: int) -> tuple[tuple[tuple[int, int], ...], ...]:
        up = tuple((j, k) for j in range(self.n) for k in range(j + 1, min(j + far, self.n) + 1))
        return up, tuple((k, j) for j, k in up)

    def pairs(self, row: RowKind) -> tuple[tuple[tuple[int, int], ...], ...]:
        """The pairs of points that a kind of row is about, by direction."""
        return self.steps if row.pairs == "step" else self.units

    def __str__(self) -> str:
        return (
            f"counts 0..{self.n}"
            if self.step == 1
            else f"counts 0..{self.n}, moved by up to {self.step}"
        )

    # Points may be numbers or arrays of them: the formula is the same.

    def distance(self, a: Any, b: Any) -> Any:
        """How far one point is from another: |i-j|, also where one person moves the count by
        more than one.
        """
        return abs(a - b)

    def mirror(self, point: Any) -> Any:
        """The point with yes and no exchanged."""
        return self.n - point


@dataclass(frozen=True, slots=True, kw_only=True)
class RowKind:
    """One kind of row: `Pr[head] >= ratio * Pr[tail]`; an equation if `free`; without a tail,
    `Pr[head] >= 1/size`.

    A row is named (a, b, c). `head` and `tail` say which of these is the output and which the true
    answer of each cell: `dp` is named (i, j, k), and its head (0, 1) is Pr[i|j], its tail (0, 2) is
    Pr[i|k].
    """

    kind: str
    """Its name in certificates."""
    asked_by: str
    """The property that asks for it; privacy itself is asked by nobody and always there."""
    head: tuple[int, int]
    tail: tuple[int, int] | None
    pairs: str
    """Which names there are: "step" between neighbours, "unit" between points one unit apart,
    "away" between those if the second is further off, "other" points, "each"."""
    ratio: str = "1"
    """"1", "alpha", or "beta", the ratio of output DP."""
    free: bool = False
    """Whether it is an equation, whose multiplier may have any sign."""
    image: str = ""
    """Where the tail is the image of the cell it names: its "mirror" image, or that of the
    "next" point.
    """

    def cells(self, domain: Counts, label: Any) -> tuple[Any, Any]:
        """The cells (i, j) that a row compares, the second None for a floor; a, b and c may be
        numbers or arrays.
        """
        head = label[self.head[0]], label[self.head[1]]
        if self.tail is None:
            return head, None
        i, j = label[self.tail[0]], label[self.tail[1]]
        if self.image == "mirror":
            return head, (domain.mirror(i), domain.mirror(j))
        return head, (i + 1, j + 1) if self.image == "next" else (i, j)

    def mirrored(self, domain: Counts, label: Label) -> Label:
        """The same inequality with yes and no exchanged."""
        used = {*self.head, *(self.tail or ())}
        a, b, c = (domain.mirror(x) if k in used else x for k, x in enumerate(label))
        return a, b, c

    def labels(self, domain: Counts) -> list[Label]:
        """Every row of this kind by name."""
        points = range(domain.size)
        if self.pairs == "each":
            return [(p, 0, 0) for p in (points[:-1] if self.image == "next" else points)]
        if self.image == "mirror":  # each pair of images once
            return [
                (a, b, 0)
                for a in points
                for b in points
                if (a, b) < (domain.mirror(a), domain.mirror(b))
            ]
        if self.pairs == "other":
            return [(a, b, 0) for a in points for b in points if a != b]
        steps = sorted(chain.from_iterable(domain.pairs(self)))
        found: list[Label] = []
        for p in points:
            off = [domain.distance(p, q) for q in points]
            chosen = [
                (near, far) for near, far in steps if self.pairs != "away" or off[far] > off[near]
            ]
            found += (
                [(p, *step) for step in chosen]
                if self.head == (0, 1)
                else [(*step, p) for step in chosen]
            )
        return found


ROWS = MappingProxyType(
    {
        row.kind: row
        for row in (
            RowKind(kind="dp", asked_by="", head=(0, 1), tail=(0, 2), pairs="step", ratio="alpha"),
            RowKind(
                kind="odp", asked_by="ODP", head=(0, 2), tail=(1, 2), pairs="unit", ratio="beta"
            ),
            RowKind(kind="rm", asked_by="RM", head=(0, 1), tail=(0, 2), pairs="away"),
            RowKind(kind="cm", asked_by="CM", head=(0, 2), tail=(1, 2), pairs="away"),
            RowKind(kind="rh", asked_by="RH", head=(0, 0), tail=(0, 1), pairs="other"),
            RowKind(kind="ch", asked_by="CH", head=(1, 1), tail=(0, 1), pairs="other"),
            RowKind(kind="wh", asked_by="WH", head=(0, 0), tail=None, pairs="each"),
            RowKind(
                kind="f",
                asked_by="F",
                head=(0, 0),
                tail=(0, 0),
                pairs="each",
                free=True,
                image="next",
            ),
            RowKind(
                kind="s",
                asked_by="S",
                head=(0, 1),
                tail=(0, 1),
                pairs="other",
                free=True,
                image="mirror",
            ),
        )
    }
)
"""Every kind of row that privacy and the properties are made of. Checking, the linear program,
pricing and unfolding read it, so that a new property is an entry here and its words in
`core.properties`. (The verifier in `discreet.proof` has a list of its own, on purpose.)"""
