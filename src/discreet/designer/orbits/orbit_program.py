"""The linear program over histograms as arrays, one variable for each orbit of entries.

The rows are those of `core.domains`, folded (`core.forms.orbits`): privacy and the properties
compare two orbits, and there is one column sum for each true histogram up to permutation. So a
basis is a forest, as it is for counts, coupled by a few dozen sums, and the exact simplex of
`designer.simplex` finds its vertex and its multipliers.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np

from discreet.core.certificate import Costs
from discreet.designer.lp.program import (
    KINDS,
    RATIO_OF,
    RATIOS,
    Name,
    Program,
    lines_of,
    needed_rows,
    numbered,
    strongest,
)
from discreet.designer.orbits.folding import OrbitCosts, folded, orbit_costs
from discreet.designer.simplex.pivots import tie_weight

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from discreet.core.certificate import Problem
    from discreet.core.forms.orbits import Orbits

MOST_PERMUTED = 7
"""Up to this many answers the tie-break sums over all permutations of an entry; beyond, it takes
one of them.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Folding:
    """A problem about histograms, folded: its orbits, what they cost, and the program over them."""

    problem: Problem
    orbits: Orbits
    costs: OrbitCosts
    program: Program


def fold(problem: Problem) -> Folding:
    """Write the folded program of a problem.

    >>> from discreet.core.certificate import read_problem
    >>> from discreet.core.histogram import Histogram
    >>> small = fold(read_problem(n=8, epsilon=1, loss="L1", over=Histogram(8, 3))).program
    >>> small.cells, len(small.head), len(small.sums)
    (350, 1600, 10)
    """
    orbits = folded(problem)
    one, alpha, beta = map(problem.ratios.__getitem__, RATIOS)
    ratios = (one, alpha, beta)
    variable = _variables(problem, orbits)
    cells = int(variable.max()) + 1
    head, tail, kind, label = _rows(problem, orbits, variable)
    keep = strongest(head, tail, kind, ratios)
    head, tail, kind, label = head[keep], tail[keep], kind[keep], label[keep]
    floors: dict[int, Name] = {}
    for row in needed_rows(problem):
        for u, _ in orbits.rows(row) if row.tail is None else ():
            floors.setdefault(int(variable[u]), (row.kind, u, 0, 0))
    sums, sum_row, sum_variable, sum_count = _sums(orbits, variable)
    costs = orbit_costs(problem, orbits)
    inputs, input_label = _inputs(costs, variable)
    distance = np.full(cells, problem.n, dtype=np.int64)
    np.minimum.at(distance, variable, np.array(orbits.distance))
    program = Program(
        problem=problem,
        symmetric=False,
        variable=variable,
        cells=cells,
        head=head,
        tail=tail,
        ratio=RATIO_OF[kind],
        kind=kind,
        ends=(head[:0], tail[:0]),
        own_label=label,
        ratios=ratios,
        honest=np.array(sorted(floors), dtype=np.int64),
        floors=floors,
        sums=sums,
        sum_row=sum_row,
        sum_variable=sum_variable,
        sum_count=sum_count,
        scale=costs.scale,
        cost=_gathered(costs.mean, variable, cells),
        inputs=inputs,
        input_label=input_label,
        costs=Costs(
            loss=(),
            loss_scale=1,
            weight=tuple(int(w * costs.scale) for w in problem.prior.weights),
            weight_scale=costs.scale,
            flat=problem.loss.tail is not None
            or problem.loss.table is not None
            or 0 in problem.prior.weights,
        ),
        distance=distance,
        lines=lines_of(len(sums), sum_row, sum_variable, sum_count),
        first_bound=len(head),
        first_input=len(head) + cells,
        ties=lambda level: _ties(orbits, level),
    )
    return Folding(problem=problem, orbits=orbits, costs=costs, program=program)


def _variables(problem: Problem, orbits: Orbits) -> NDArray[np.int64]:
    """The variable of each orbit: orbits that equations make equal share one."""
    pairs = [pair for row in problem.equations for pair in orbits.rows(row)]
    first, second = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    return numbered(len(orbits.codes), first, second)


def _rows(
    problem: Problem, orbits: Orbits, variable: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int8], NDArray[np.int64]]:
    """Every inequality between two orbits: variables of head and tail, kind, and the two orbits."""
    found = [
        (KINDS.index(row.kind), orbits.rows(row))
        for row in needed_rows(problem)
        if row.kind in KINDS
    ]
    kind = np.concatenate([np.full(len(pairs), number, dtype=np.int8) for number, pairs in found])
    ends = np.concatenate([np.array(pairs, dtype=np.int64).reshape(-1, 2) for _, pairs in found])
    label = np.column_stack([ends, np.zeros(len(ends), dtype=np.int64)])
    return variable[ends[:, 0]], variable[ends[:, 1]], kind, label


def _sums(
    orbits: Orbits, variable: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """The column sums, named by the number of their true histogram: row, variable and count per
    entry.
    """
    lines: list[dict[int, int]] = [{} for _ in orbits.truths]
    for u, (s, entries) in enumerate(zip(orbits.truth_of, orbits.entries, strict=True)):
        v = int(variable[u])
        lines[s][v] = lines[s].get(v, 0) + entries
    # where equations make columns equal, one sum says it for all
    once = {tuple(sorted(line.items())): s for s, line in reversed([*enumerate(lines)])}
    kept = sorted((s, line) for line, s in once.items())
    sums = np.array([orbits.domain.number(orbits.truths[s]) for s, _ in kept], dtype=np.int64)
    row = np.concatenate(
        [np.full(len(line), place) for place, (_, line) in enumerate(kept)]
    ).astype(np.int64)
    pairs = np.array([pair for _, line in kept for pair in line], dtype=np.int64)
    return sums, row, pairs[:, 0], pairs[:, 1]


def _gathered(amounts: list[int], variable: NDArray[np.int64], cells: int) -> tuple[int, ...]:
    total = [0] * cells
    for v, amount in zip(variable.tolist(), amounts, strict=True):
        total[v] += amount
    return tuple(total)


def _inputs(
    costs: OrbitCosts, variable: NDArray[np.int64]
) -> tuple[tuple[tuple[tuple[int, int], ...], ...], tuple[int, ...]]:
    """A worst case's inputs over the variables, equal ones once, and the numbers of their true
    histograms.
    """
    found: dict[tuple[tuple[int, int], ...], int] = {}
    for t, line in costs.inputs.items():
        one: dict[int, int] = {}
        for u, amount in line:
            if amount:
                one[int(variable[u])] = one.get(int(variable[u]), 0) + amount
        found.setdefault(tuple(sorted(one.items())), t)
    return tuple(found), tuple(found.values())


def _ties(orbits: Orbits, level: int) -> NDArray[np.int64]:
    """The tie-break's weight of each orbit: the sum of `tie_weight` over its entries, as for
    counts.
    """
    domain, distance = orbits.domain, np.array(orbits.distance, dtype=np.int64)
    times = np.array(orbits.entries) * np.array(orbits.columns)[np.array(orbits.truth_of)]
    if domain.k > MOST_PERMUTED:
        numbers = [
            [domain.number(point) for point in orbits.cell(u)] for u in range(len(orbits.codes))
        ]
        i, j = np.array(numbers, dtype=np.int64).T
        return np.asarray(tie_weight(i, j, distance, level) * times, dtype=np.int64)
    cells = np.array([orbits.cell(u) for u in range(len(orbits.codes))], dtype=np.int64)
    digits = (domain.n + 1) ** np.arange(domain.k)
    places = np.array(domain.points, dtype=np.int64) @ digits
    order = np.argsort(places)

    def number(points: NDArray[np.int64]) -> NDArray[np.int64]:
        return np.asarray(order[np.searchsorted(places[order], points @ digits)], dtype=np.int64)

    classes, total = orbits.classes, np.zeros(len(cells), dtype=np.int64)
    ways = [
        way
        for way in permutations(range(domain.k))
        if all(classes[c] == classes[way[c]] for c in way)
    ]
    for way in ways:
        moved = cells[:, :, way]
        total += tie_weight(number(moved[:, 0]), number(moved[:, 1]), distance, level)
    # a permutation that leaves an entry where it is counts it again
    return np.asarray(total // (len(ways) // times), dtype=np.int64)
