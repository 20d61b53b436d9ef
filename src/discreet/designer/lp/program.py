"""The paper's linear program ("Constrained Mechanism Design") as NumPy arrays, as small as it can
be made.

The entries of the mechanism are the variables; the rows are BasicDP, the asked properties and, for
a worst case, one row per input. The full list of rows is the one a certificate speaks about
(`discreet.core.certificate`). What is handed to the solver is smaller, and equivalent:

- *Equal entries are one variable.* Symmetry (asked, or free because prior and loss are symmetric:
  Theorem 1) makes `x[i,j]` and `x[n-i,n-j]` one; fairness the diagonal; alpha = 1 each row, an
  output-DP ratio of 1 each column.
- *Implied rows are left out.* `x >= y` makes `x >= c*y` idle for c < 1 (row monotonicity does this
  to one of each pair of BasicDP rows); RM implies RH, CM implies CH, CH implies WH.
- Weak honesty is a bound on a variable, not a row.

Every row but the column sums (and the worst case's inputs) is then `x_u >= ratio * x_v`: the
structure that `simplex.basis` is built on.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import chain, pairwise
from math import lcm
from operator import eq, ge
from typing import TYPE_CHECKING, Any

import numpy as np

from discreet.core.certificate import Costs, costs_of
from discreet.core.domains import ROWS
from discreet.core.properties import Shape, closure

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from discreet.core.certificate import Problem
    from discreet.core.domains import Counts, RowKind
    from discreet.core.forms import Dense

    Ints = NDArray[np.int64]

Sparse = tuple[tuple[int, int], ...]
Line = tuple[list[int], list[int]]  # variables, and how often each is counted
Name = tuple[str, int, int, int]
"""A full row as a certificate names it: its kind, and its label."""
KINDS = tuple(row.kind for row in ROWS.values() if row.tail is not None and not row.free)
"""The kinds of inequality between two entries; equations make entries one variable, floors are
bounds.
"""
RATIOS = ("1", "alpha", "beta")
_ALONG = ("step", "unit", "away")
"""Rows between neighbours, or points one unit apart: listed direction by direction."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """The linear program: minimise cost over x >= lower, column sums 1, `x[head] >= ratio *
    x[tail]`.

    `variable[i, j]` is the variable of a cell. Ratio row r reads `x[head[r]] >= ratios[ratio[r]] *
    x[tail[r]]` and stands for the full row `(KINDS[kind[r]], *label[r])`, whose two entries stand
    at the places `ends[0][r]` and `ends[1][r]` of the matrix read row by row. Column sums are
    sparse: entry k adds `sum_count[k] * x[sum_variable[k]]` to sum `sum_row[k]`, which stands for
    input `sums[sum_row[k]]`. In a worst case `inputs[s]` holds the costs of one input as (variable,
    cost) pairs and the program minimises t >= inputs[s] . x; otherwise it minimises `cost . x`. All
    costs are integers over `scale`.

    `floors` names the full row of weak honesty (or another floor) under each variable in `honest`.
    `lines` are the sums as variables and counts. `distance` is |i-j| of a variable's cell nearest
    the diagonal.

    Inequalities are numbered: the ratio rows, then the variables' bounds from `first_bound` on,
    then the inputs from `first_input` on.
    """

    problem: Problem
    symmetric: bool
    variable: Ints
    cells: int
    head: Ints
    tail: Ints
    ratio: NDArray[np.int8]
    kind: NDArray[np.int8]
    ends: tuple[Ints, Ints]
    ratios: tuple[Fraction, Fraction, Fraction]
    honest: Ints
    floors: dict[int, Name]
    sums: Ints
    sum_row: Ints
    sum_variable: Ints
    sum_count: Ints
    scale: int
    cost: tuple[int, ...]
    inputs: tuple[Sparse, ...]
    input_label: tuple[int, ...]
    costs: Costs
    distance: Ints
    lines: list[Line]
    first_bound: int
    first_input: int
    ties: Callable[[int], Ints] | None = None
    """The tie-break's weights by level, where `variable` is not the matrix."""
    extras: tuple[tuple[Sparse, int], ...] = ()
    """Further rows `entries . x >= least` in integers, numbered after the inputs
    (`designer.own`).
    """
    extra_label: tuple[Name, ...] = ()
    own_label: Ints | None = None
    """The labels where there is no matrix, and so no `ends` in it."""

    @property
    def label(self) -> Ints:
        """The labels of the full rows that the ratio rows stand for: read when a certificate is
        written.
        """
        return (
            _labels(self.kind, *self.ends, len(self.variable))
            if self.own_label is None
            else self.own_label
        )


def build(problem: Problem) -> Program:
    """Write the rows of the smallest equivalent program for a problem.

    >>> from discreet.core.certificate import read_problem
    >>> small = build(read_problem(n=4, alpha="1/2", properties="CM"))
    >>> small.cells, len(small.head), len(small.sums)  # 25 entries fold to 13
    (13, 30, 3)
    """
    symmetric = is_symmetric(problem)
    ratios = (problem.ratios["1"], problem.ratios["alpha"], problem.ratios["beta"])
    variable = _variables(problem, symmetric=symmetric)
    cells = int(variable.max()) + 1
    needed = needed_rows(problem)
    head, tail, ratio, kind, ends = _ratio_rows(needed, problem.domain, variable, ratios)
    floors = _floors(needed, problem.domain, variable)
    sums, sum_row, sum_variable, sum_count = _column_sums(variable)
    scale, cost, inputs, input_label = _objective(problem, variable, cells)
    return Program(
        problem=problem,
        symmetric=symmetric,
        variable=variable,
        cells=cells,
        head=head,
        tail=tail,
        ratio=ratio,
        kind=kind,
        ends=ends,
        ratios=ratios,
        honest=np.array(sorted(floors), dtype=np.int64),
        floors=floors,
        sums=sums,
        sum_row=sum_row,
        sum_variable=sum_variable,
        sum_count=sum_count,
        scale=scale,
        cost=cost,
        inputs=inputs,
        input_label=input_label,
        costs=costs_of(problem),
        distance=_distances(variable, cells),
        lines=lines_of(len(sums), sum_row, sum_variable, sum_count),
        first_bound=len(head),
        first_input=len(head) + cells,
    )


def is_symmetric(problem: Problem) -> bool:
    """Whether prior, loss and own rows are the same read backwards, so that Theorem 1 makes
    symmetry free.
    """
    return (
        problem.prior.symmetric
        and problem.loss.symmetric
        and all(rows.symmetric for rows in problem.own)
    )


def lines_of(sums: int, row: Ints, variable: Ints, count: Ints) -> list[Line]:
    """The sums as lists of variables and counts."""
    edges = np.searchsorted(row, np.arange(sums + 1)).tolist()
    return [
        (variable[begin:end].tolist(), count[begin:end].tolist()) for begin, end in pairwise(edges)
    ]


def _distances(variable: Ints, cells: int) -> Ints:
    counts = np.arange(len(variable))
    distance = np.full(cells, len(variable))
    np.minimum.at(distance, variable.ravel(), np.abs(counts[:, None] - counts).ravel())
    return distance


def _variables(problem: Problem, *, symmetric: bool) -> Ints:
    """Number the variables: cells that must be equal get the same number, in order of first
    appearance.
    """
    size, domain = problem.size, problem.domain
    images = [row for row in ROWS.values() if symmetric and row.image == "mirror"]
    equal, place = {*problem.equations, *images}, np.arange(size * size)
    if all(
        row.image == "mirror" for row in equal
    ):  # each entry is the first of its kind, or the image of one
        return (np.minimum(place, place[::-1]) if equal else place).reshape(size, size)
    pairs = [pair for row in equal for pair in places(row, domain)]
    first, second = (np.concatenate(ends) for ends in zip(*pairs, strict=True))
    return numbered(size * size, first, second).reshape(size, size)


def numbered(cells: int, first: Ints, second: Ints) -> Ints:
    """Number cells so that `first` and `second` have the same numbers, and others have not, in
    order of appearance.
    """
    # Every cell takes the least name among those it must equal, until nothing changes.
    name = np.arange(cells)
    while (name[first] != name[second]).any():
        np.minimum.at(name, first, name[second])
        np.minimum.at(name, second, name[first])
        name = name[name]
    # A cell that kept its own name is the first of its kind.
    return np.asarray((np.cumsum(name == np.arange(cells)) - 1)[name], dtype=np.int64)


def needed_rows(problem: Problem) -> list[RowKind]:
    """The kinds of rows that are asked for and that no other one asked for implies."""
    names = problem.shape.names
    implied = {
        then for name in names for then in closure(Shape(names=frozenset({name}))).names - {name}
    }
    return [row for row in problem.asked if row.asked_by not in implied]


def _floors(needed: list[RowKind], domain: Counts, variable: Ints) -> dict[int, Name]:
    """The variables that floors keep up, each with the first full row that does."""
    floors: dict[int, Name] = {}
    for row in needed:
        if row.tail is None:
            for label in row.labels(domain):
                floors.setdefault(int(variable[row.cells(domain, label)[0]]), (row.kind, *label))
    return floors


@lru_cache(maxsize=32)
def places(row: RowKind, domain: Counts) -> list[tuple[Ints, Ints]]:
    """Both ends of every row of a kind, as places in the matrix read row by row: up, then down, or
    all at once.

    They are the rows of `row.labels`. A floor has its head at both ends.
    """
    size = domain.size
    grid = np.arange(size * size).reshape(size, size)
    if row.pairs in _ALONG:
        across = row.head == (0, 1)
        far = range(1, 1 + (domain.step if row.pairs == "step" else 1))
        ends = [(grid[:, :-d], grid[:, d:]) if across else (grid[:-d], grid[d:]) for d in far]
        if row.pairs == "away":  # up from the diagonal on, down to it
            (low, high), counts = ends[0], np.arange(size)
            up = counts[:, None] <= counts[:-1] if across else counts[:-1, None] >= counts
            return [(low[up], high[up]), (high[~up], low[~up])]
        low, high = (np.concatenate([pair[end].ravel() for pair in ends]) for end in (0, 1))
        return [(low, high), (high, low)]
    if row.image == "mirror":  # each pair of images once
        flat = grid.ravel()
        return [(flat[: len(flat) // 2], flat[::-1][: len(flat) // 2])]
    points = np.arange(size - (row.image == "next"))
    a, b = (points, points) if row.pairs == "each" else np.nonzero(~np.eye(size, dtype=bool))
    head, tail = row.cells(domain, (a, b, 0 * a))
    first = head[0] * size + head[1]
    return [(first, first if tail is None else tail[0] * size + tail[1])]


def _labels(kind: NDArray[np.int8], head: Ints, tail: Ints, size: int) -> Ints:
    """The names of rows whose ends stand at the given places."""
    label = np.zeros((len(kind), 3), dtype=np.int64)
    at = np.arange(len(kind))
    for end, place in enumerate((head, tail)):
        i, j = np.divmod(place, size)
        label[at, ENDS[kind, end, 0]], label[at, ENDS[kind, end, 1]] = i, j
    return label


def satisfies(problem: Problem, matrix: Dense) -> bool:
    """Whether a matrix has the shape that a problem asks for, exactly: every row of it, privacy
    apart.

    What `discreet.core.properties` checks, without naming a cell, and several times as fast: of
    images one is enough.
    """
    entries, size, ratios, names = (
        [*chain(*matrix.rows)],
        problem.n + 1,
        problem.ratios,
        problem.shape.names,
    )
    # what is monotone is honest, step by step along a row or column
    chained = {honest for honest, monotone in (("RH", "RM"), ("CH", "CM")) if monotone in names}
    for row in (row for row in problem.asked if row.asked_by and row.asked_by not in chained):
        head, tail = (
            np.concatenate(ends) for ends in zip(*places(row, problem.domain), strict=True)
        )
        if matrix.symmetric:  # the image of a place is as far from the last one
            head, tail = (ends[head + tail < len(entries)] for ends in (head, tail))
        first = map(entries.__getitem__, head.tolist())
        if row.tail is None:
            if min(first, default=matrix.denominator) * size < matrix.denominator:
                return False
            continue
        second = map(entries.__getitem__, tail.tolist())
        p, q = ratios[row.ratio].as_integer_ratio()
        if p != q:
            first, second = map(q.__mul__, first), map(p.__mul__, second)
        if not all(map(eq if row.free else ge, first, second)):
            return False
    return True


RATIO_OF = np.array([RATIOS.index(ROWS[kind].ratio) for kind in KINDS], dtype=np.int8)
"""By kind, the place of its ratio."""
ENDS = np.array([[ROWS[kind].head, ROWS[kind].tail] for kind in KINDS])
"""By kind and end, which of a row's indices are output and true answer."""


def _ratio_rows(
    needed: list[RowKind],
    domain: Counts,
    variable: Ints,
    ratios: tuple[Fraction, Fraction, Fraction],
) -> tuple[Ints, Ints, NDArray[np.int8], NDArray[np.int8], tuple[Ints, Ints]]:
    """Fold the ratio rows onto the variables, keeping of each pair (head, tail) only the
    strongest.
    """
    known = [
        (KINDS.index(row.kind), row.pairs in _ALONG, places(row, domain))
        for row in needed
        if row.kind in KINDS
    ]
    full = [(number, ends[way]) for way in (0, 1) for number, along, ends in known if along]
    full += [(number, ends[0]) for number, along, ends in known if not along]
    kind = np.repeat(
        np.array([k for k, _ in full], dtype=np.int8), [len(ends[0]) for _, ends in full]
    )
    first, second = (np.concatenate([ends[end] for _, ends in full]) for end in (0, 1))
    flat = variable.ravel()
    head, tail = flat[first], flat[second]
    keep = strongest(head, tail, kind, ratios)
    kind = kind[keep]
    return head[keep], tail[keep], RATIO_OF[kind], kind, (first[keep], second[keep])


def strongest(
    head: Ints, tail: Ints, kind: NDArray[np.int8], ratios: tuple[Fraction, Fraction, Fraction]
) -> Ints:
    """The rows to keep: of those between the same two variables the strongest, sorted by pair."""
    # Sorting by pair and then by falling ratio puts the strongest row of a pair first.
    common = lcm(*(value.denominator for value in ratios))
    whole = [value.numerator * (common // value.denominator) for value in ratios]
    weakness = np.array([sum(other > value for other in whole) for value in whole])[RATIO_OF[kind]]
    pair = head * (int(tail.max(initial=0)) + 1) + tail
    order = np.argsort(pair * len(ratios) + weakness, kind="stable")
    order = order[head[order] != tail[order]]
    pair = pair[order]
    first = np.ones(len(order), dtype=bool)
    np.not_equal(pair[1:], pair[:-1], out=first[1:])
    return np.asarray(order[first], dtype=np.int64)


def _column_sums(variable: Ints) -> tuple[Ints, Ints, Ints, Ints]:
    """Fold the column sums, equal ones into one: their inputs, then row, variable and count per
    entry.
    """
    members, size = np.sort(variable, axis=0).T, len(variable)
    first: dict[bytes, int] = {}
    for j, column in enumerate(members):
        first.setdefault(column.tobytes(), j)
    sums = np.array([*first.values()])
    flat = members[sums].ravel()
    new = np.ones(len(flat) + 1, dtype=bool)
    np.not_equal(flat[1:], flat[:-1], out=new[1:-1])
    new[::size] = True
    starts = np.flatnonzero(new)
    return sums, starts[:-1] // size, flat[starts[:-1]], starts[1:] - starts[:-1]


def _objective(
    problem: Problem, variable: Ints, cells: int
) -> tuple[int, tuple[int, ...], tuple[Sparse, ...], tuple[int, ...]]:
    """Fold the costs onto the variables as integers over one scale; equal worst-case inputs are
    one row.
    """
    costs = costs_of(problem)
    if not problem.worst_case:
        return costs.scale, _mean_costs(problem, variable, cells), (), ()
    inputs: dict[Sparse, int] = {}
    for j, column in enumerate(variable.T.tolist()):
        one: dict[int, int] = {}
        weight = (problem.n + 1) * costs.weight[j]
        for line, cell in zip(costs.loss, column, strict=True):
            if line[j] and weight:
                one[cell] = one.get(cell, 0) + weight * line[j]
        inputs.setdefault(tuple(sorted(one.items())), j)
    return costs.scale, (0,) * cells, tuple(inputs), tuple(inputs.values())


def cost_array(problem: Problem, kind: type) -> NDArray[Any]:
    """What each answer costs, [output, truth], in the integers of `costs_of`, as an array of a
    kind of number.
    """
    loss = costs_of(problem).loss
    if problem.loss.table is not None:
        return np.array(loss, dtype=kind)
    counts = np.arange(problem.size)
    return np.asarray(
        np.array(loss[0], dtype=kind)[np.abs(counts[:, None] - counts)]
    )  # row 0 has each distance


def _mean_costs(problem: Problem, variable: Ints, cells: int) -> tuple[int, ...]:
    """Add up what the cells of each variable cost, in machine integers where they are large
    enough.
    """
    costs = costs_of(problem)
    # with a cost by distance, row 0 has every one of them
    dearest = max(map(max, costs.loss)) if problem.loss.table is not None else max(costs.loss[0])
    kind = np.int64 if dearest * max(costs.weight) * variable.size < 1 << 62 else object
    amounts = cost_array(problem, kind) * np.array(costs.weight, dtype=kind)
    folded = np.zeros(cells, dtype=kind)
    np.add.at(folded, variable.ravel(), amounts.ravel())
    return tuple(folded.tolist())
