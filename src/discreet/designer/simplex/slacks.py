"""How far every inequality of the program is from tight at an exact point."""

from __future__ import annotations

from operator import ge
from typing import TYPE_CHECKING

import numpy as np
from flint import fmpz

if TYPE_CHECKING:
    from collections.abc import Iterator

    from discreet.designer.lp.program import Program, Sparse
    from discreet.designer.simplex.basis import Basis
    from discreet.designer.simplex.vertex import Vertex


def broken(basis: Basis, point: Vertex) -> list[tuple[int, fmpz, int]]:
    """The inequalities that the vertex of a basis breaks, as `slacks` gives them.

    Between non-negative variables of one tree exponents decide; the others are compared exactly.
    """
    program, value = basis.program, point.value
    head, tail = program.head, program.tail
    doubtful = np.ones(len(head), dtype=bool)
    if basis.exponent is not None and min(value) >= 0:
        tree = np.array(basis.tree)
        settled = basis.exponent[head] <= basis.exponent[tail] + (program.ratio == 1)
        doubtful = (tree[head] != tree[tail]) | ~settled | (program.ratio == 2)
    found: list[tuple[int, fmpz, int]] = []
    for c, ratio in enumerate(program.ratios):
        rows = np.flatnonzero(doubtful & (program.ratio == c))
        first, second = (list(map(value.__getitem__, ends[rows].tolist())) for ends in (head, tail))
        if ratio != 1:
            p, q = fmpz(ratio.numerator), fmpz(ratio.denominator)
            first, second = [q * x for x in first], [p * x for x in second]
        if not all(map(ge, first, second)):
            compared = zip(rows.tolist(), first, second, strict=True)
            found += [(k, x - y, ratio.denominator) for k, x, y in compared if x < y]
    size, whole = program.problem.n + 1, point.denominator
    honest = set(program.honest.tolist())
    bounds = [(u + program.first_bound, value[u] * size - whole, size) for u in sorted(honest)]
    if min(value) < 0:
        bounds += [(u + program.first_bound, x, 1) for u, x in enumerate(value) if u not in honest]
    found += [bound for bound in bounds if bound[1] < 0]
    inputs = [(k + program.first_input, _room(point, line), 1) for k, line in enumerate(program.inputs)]
    return sorted(found) + [one for one in inputs if one[1] < 0]


def _room(point: Vertex, line: Sparse) -> fmpz:
    """How far a worst case's t is above one input's cost."""
    return point.worst - sum((amount * point.value[u] for u, amount in line), start=fmpz(0))


def slacks(program: Program, point: Vertex, *, homogeneous: bool = False) -> Iterator[tuple[int, fmpz, int]]:
    """Every inequality's slack at a point: (constraint, s, d) with slack s / (d * denominator), d > 0.

    `homogeneous` leaves out the right-hand sides, as for a direction.
    """
    value = point.value
    top = [ratio.numerator for ratio in program.ratios]
    bottom = [ratio.denominator for ratio in program.ratios]
    rows = zip(program.head.tolist(), program.tail.tolist(), program.ratio.tolist(), strict=True)
    for k, (u, v, c) in enumerate(rows):
        yield k, value[u] * bottom[c] - value[v] * top[c], bottom[c]
    size = program.problem.n + 1
    honest = frozenset(program.honest.tolist())
    floor = fmpz(0) if homogeneous else point.denominator
    for u, amount in enumerate(value, start=program.first_bound):
        if u - program.first_bound in honest:
            yield u, amount * size - floor, size
        else:
            yield u, amount, 1
    for k, line in enumerate(program.inputs, start=program.first_input):
        yield k, _room(point, line), 1
