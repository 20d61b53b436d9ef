"""How far every inequality of the program is from tight at an exact point."""

from __future__ import annotations

from operator import ge
from typing import TYPE_CHECKING

import numpy as np
from flint import fmpz

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from discreet.designer.exact import Vertex
    from discreet.designer.forest import Forest
    from discreet.designer.program import Program


def is_feasible(forest: Forest, point: Vertex) -> bool:
    """Whether the vertex of a basis keeps every inequality.

    Between variables of one tree exponents decide, once no variable is negative; the others are compared exactly.
    """
    program, value = forest.program, point.value
    size, whole = program.problem.n + 1, point.denominator
    if min(value) < 0 or any(value[u] * size < whole for u in program.honest.tolist()):
        return False
    head, tail = program.head, program.tail
    doubtful = np.ones(len(head), dtype=bool)
    if forest.exponent is not None:
        tree = np.array(forest.tree)
        within = tree[head] == tree[tail]
        doubtful = ~within | (forest.exponent[head] > forest.exponent[tail] + (program.ratio == 1))
        doubtful |= program.ratio == 2
    for c, ratio in enumerate(program.ratios):
        rows = np.flatnonzero(doubtful & (program.ratio == c))
        if not len(rows):
            continue
        left, right = _values(value, head[rows]), _values(value, tail[rows])
        if ratio != 1:
            left, right = map(fmpz(ratio.denominator).__mul__, left), map(fmpz(ratio.numerator).__mul__, right)
        if not all(map(ge, left, right)):
            return False
    return all(point.worst >= sum((amount * value[u] for u, amount in line), start=fmpz(0)) for line in program.inputs)


def _values(value: list[fmpz], chosen: NDArray[np.int64]) -> Iterator[fmpz]:
    return map(value.__getitem__, chosen.tolist())


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
        yield k, point.worst - sum((amount * value[u] for u, amount in line), start=fmpz(0)), 1
