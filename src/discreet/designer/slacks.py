"""How far every inequality of the program is from tight at an exact point."""

from __future__ import annotations

from operator import ge
from typing import TYPE_CHECKING

from flint import fmpz

if TYPE_CHECKING:
    from collections.abc import Iterator

    from discreet.designer.exact import Vertex
    from discreet.designer.program import Program


def is_feasible(program: Program, point: Vertex) -> bool:
    """Whether a point keeps every inequality."""
    value = point.value
    for (_, heads, tails), ratio in zip(program.by_ratio, program.ratios, strict=True):
        if not heads:
            continue
        left = value if ratio == 1 else [ratio.denominator * x for x in value]
        right = value if ratio == 1 else [ratio.numerator * x for x in value]
        if not all(map(ge, map(left.__getitem__, heads), map(right.__getitem__, tails))):
            return False
    size, whole = program.problem.n + 1, point.denominator
    if any(value[u] * size < whole for u in program.honest.tolist()) or min(value) < 0:
        return False
    return all(point.worst >= sum((amount * value[u] for u, amount in line), start=fmpz(0)) for line in program.inputs)


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
