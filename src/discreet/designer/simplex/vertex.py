"""The exact vertex and the exact dual of a basis, by its forest of tight ratios.

All rows but the column sums (and a worst case's inputs) say `x_u >= c * x_v`. In a basis the tight
ones tie the variables into trees: every variable is a known product of powers of alpha (and of the
output-DP ratio) times its tree's root. A tight bound, or a cycle that forces it to zero, fixes a
tree's root. What is left is one unknown root per free tree against one equation per column sum and
tight input: a small square system over the integers. Its solution gives the vertex; its transpose
gives the multipliers of the sums, and peeling each tree from the leaves gives those of the tight
ratios. Everything is integers over common denominators.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from operator import ge, mul
from typing import TYPE_CHECKING

import numpy as np
from flint import fmpq, fmpz

from discreet.core.forms import Dense
from discreet.designer.simplex.basis import Basis
from discreet.designer.simplex.system import (
    ZERO,
    Singular,
    Whole,
    common_denominator,
    integers,
    over,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from discreet.designer.lp.program import Program, Sparse


@dataclass(frozen=True, slots=True, kw_only=True)
class Vertex:
    """The exact point: variable u is `value[u] / denominator`, a worst case's t is `worst /
    denominator`.
    """

    value: list[Whole]
    worst: Whole
    denominator: Whole


@dataclass(frozen=True, slots=True, kw_only=True)
class Dual:
    """The exact multipliers of a basis for one objective.

    `signed[k]` has the sign of tight constraint k's multiplier; the multiplier itself is `signed[k]
    / (basis.power[head of k] * stretch[tree of k] * denominator)` for ratio rows and bounds, and
    `signed[k] / denominator` for inputs. Column sum j has `sums[j] / denominator`.
    """

    sums: list[Whole]
    signed: dict[int, Whole]
    stretch: dict[int, Whole]
    denominator: Whole


def vertex(basis: Basis) -> Vertex:
    """Solve for the point where every constraint of the basis is tight."""
    sums = len(basis.program.sums)
    right = [fmpq(place < sums) for place in range(len(basis.equations))]
    for place, k in enumerate(basis.inputs, start=sums):
        right[place] = fmpq(_least(basis.program, k))
    return _point(basis, right, basis.root)


def _least(program: Program, constraint: int) -> int:
    """The right-hand side of an input, which is 0, or of a further row."""
    number = constraint - program.first_input - len(program.inputs)
    return program.extras[number][1] if number >= 0 else 0


def move(basis: Basis, released: int) -> Vertex:
    """Solve for the direction that raises one tight constraint by 1 and keeps the others tight."""
    program = basis.program
    right = [fmpq(0)] * len(basis.equations)
    fixed = [fmpq(0)] * len(basis.fixed_by)
    if released >= program.first_input:
        right[len(program.sums) + basis.inputs.index(released)] = fmpq(1)
        return _point(basis, right, fixed)
    tree = basis.tree[basis.head(released)]
    if released == basis.fixed_by[tree]:
        fixed[tree] = 1 / basis.slope(released)
        return _point(basis, right, fixed)
    # A tight row inside a tree: the part below it moves against the rest.
    below = basis.below(released)
    head = int(program.head[released])
    apart = fmpq(1, basis.power[head]) if head in below else -fmpq(1, basis.power[head])
    fixed_by = basis.fixed_by[tree]
    if fixed_by >= 0:
        fixed[tree] = -basis.slope(fixed_by, below) * apart / basis.slope(fixed_by)
    return _point(basis, right, fixed, below, apart)


def _point(
    basis: Basis,
    right: list[fmpq],
    fixed: Sequence[fmpq],
    below: frozenset[int] = frozenset(),
    apart: fmpq | int = 0,
) -> Vertex:
    """Solve the small system with the fixed roots at `fixed` and the variables in `below` moved
    `apart`.
    """
    program, tree, power = basis.program, basis.tree, basis.power
    rest = list(right)
    moved = {t for t, value in enumerate(fixed) if value != 0 and basis.column[t] < 0}
    if moved or below:
        # gathered as integers: a sum of fractions would look for common factors at every step
        whole = common_denominator(fixed[t] for t in moved)
        part = {t: over(fixed[t], whole) for t in moved}
        held = {u for u, t in enumerate(tree) if t in part}
        for place, line in enumerate(basis.equations):
            gathered = sum(
                count * power[u] * part[tree[u]]
                for u, count in zip(*line, strict=True)
                if u in held
            )
            rest[place] -= fmpq(gathered, whole)
            if below:
                rest[place] -= apart * sum(
                    count * power[u] for u, count in zip(*line, strict=True) if u in below
                )
    unknown = basis.system.solve(rest)
    root = [fixed[t] if place < 0 else unknown[place] for t, place in enumerate(basis.column)]
    worst = unknown[-1] if program.inputs else fmpq(0)
    kind = integers(program)
    common = common_denominator([*root, worst, fmpq(apart)])
    scaled = [kind(over(value, common)) for value in root]
    values = list(map(mul, power, map(scaled.__getitem__, tree)))
    extra = kind(over(fmpq(apart), common))
    for u in below:
        values[u] += power[u] * extra
    return Vertex(value=values, worst=kind(over(worst, common)), denominator=kind(common))


def matrix_of(program: Program, point: Vertex) -> Dense:
    """Write the vertex out as the mechanism's matrix, in lowest terms."""
    common, one = fmpz(point.denominator), fmpz(1)
    for value in point.value:
        if common == one:
            break
        common = common.gcd(value)
    entries = list(
        map(int, point.value if common == one else (value // common for value in point.value))
    )
    rows = tuple(tuple(map(entries.__getitem__, row)) for row in program.variable.tolist())
    return Dense(rows, int(point.denominator // common), program.problem.domain.step)


def cost_of(program: Program, point: Vertex, found: tuple[Basis, Dual] | None = None) -> Fraction:
    """The vertex's cost, exactly: by the multipliers of its basis, where they are at hand, in
    far fewer products.
    """
    if program.inputs:
        return Fraction(int(point.worst), int(point.denominator) * program.scale)
    if found is not None and not program.extras:
        return _cost_by_duality(*found)
    total = sum(map(mul, program.cost, point.value))
    return Fraction(int(total), int(point.denominator) * program.scale)


def _cost_by_duality(basis: Basis, found: Dual) -> Fraction:
    """What the right-hand sides, column sums of 1 and floors, cost by their multipliers."""
    program, size = basis.program, basis.program.problem.size
    floors = (
        (u, found.signed[u + program.first_bound])
        for u in program.floors
        if u + program.first_bound in found.signed
    )
    held = sum((fmpq(amount, basis.power[u] * size) for u, amount in floors), start=fmpq(0))
    total = (held + sum(found.sums)) / (found.denominator * program.scale)
    return Fraction(int(total.p), int(total.q))


def broken(basis: Basis, point: Vertex) -> list[tuple[int, Whole, int]]:
    """The inequalities that the vertex of a basis breaks, as `slacks` gives them.

    Between non-negative variables of one tree exponents decide; the others are compared exactly.
    """
    program, value = basis.program, point.value
    head, tail = program.head, program.tail
    doubtful = np.ones(len(head), dtype=bool)
    least = min(value)
    if basis.exponent is not None and least >= ZERO:
        tree = np.array(basis.tree)
        settled = basis.exponent[head] <= basis.exponent[tail] + (program.ratio == 1)
        doubtful = (tree[head] != tree[tail]) | ~settled | (program.ratio == 2)
    found: list[tuple[int, Whole, int]] = []
    kind = integers(program)
    for c, ratio in enumerate(program.ratios):
        rows = np.flatnonzero(doubtful & (program.ratio == c))
        first, second = (list(map(value.__getitem__, ends[rows].tolist())) for ends in (head, tail))
        if ratio != 1:
            p, q = map(kind, ratio.as_integer_ratio())
            first, second = [q * x for x in first], [p * x for x in second]
        if not all(map(ge, first, second)):
            compared = zip(rows.tolist(), first, second, strict=True)
            found += [(k, x - y, ratio.denominator) for k, x, y in compared if x < y]
    size, whole = program.problem.size, point.denominator
    honest = set(program.honest.tolist())
    bounds = [(u + program.first_bound, value[u] * size - whole, size) for u in sorted(honest)]
    if least < ZERO:
        bounds += [(u + program.first_bound, x, 1) for u, x in enumerate(value) if u not in honest]
    found += [bound for bound in bounds if bound[1] < 0]
    inputs = [
        (k + program.first_input, _room(point, line), 1) for k, line in enumerate(program.inputs)
    ]
    extras = _extra_slacks(program, point, point.denominator)
    return sorted(found) + [one for one in (*inputs, *extras) if one[1] < 0]


def _room(point: Vertex, line: Sparse) -> Whole:
    """How far a worst case's t is above one input's cost."""
    return point.worst - sum(amount * point.value[u] for u, amount in line)


def _extra_slacks(
    program: Program, point: Vertex, whole: Whole
) -> Iterator[tuple[int, Whole, int]]:
    """The slacks of the further rows; `whole` is what stands for 1 in their right-hand sides."""
    for k, (line, least) in enumerate(
        program.extras, start=program.first_input + len(program.inputs)
    ):
        yield k, sum(amount * point.value[u] for u, amount in line) - least * whole, 1


def slacks(
    program: Program, point: Vertex, *, homogeneous: bool = False
) -> Iterator[tuple[int, Whole, int]]:
    """Every inequality's slack at a point: (constraint, s, d) with slack s / (d * denominator), d >
    0.

    `homogeneous` leaves out the right-hand sides, as for a direction.
    """
    value = point.value
    top = [ratio.numerator for ratio in program.ratios]
    bottom = [ratio.denominator for ratio in program.ratios]
    rows = zip(program.head.tolist(), program.tail.tolist(), program.ratio.tolist(), strict=True)
    for k, (u, v, c) in enumerate(rows):
        yield k, value[u] * bottom[c] - value[v] * top[c], bottom[c]
    size = program.problem.size
    honest = frozenset(program.honest.tolist())
    floor = 0 if homogeneous else point.denominator
    for u, amount in enumerate(value, start=program.first_bound):
        if u - program.first_bound in honest:
            yield u, amount * size - floor, size
        else:
            yield u, amount, 1
    for k, line in enumerate(program.inputs, start=program.first_input):
        yield k, _room(point, line), 1
    yield from _extra_slacks(program, point, 0 if homogeneous else point.denominator)


def falling(
    program: Program, point: Vertex, direction: Vertex
) -> Iterator[tuple[int, Whole, Whole]]:
    """The inequalities whose slack falls in a direction, in order: how fast, and the slack, both
    times one number.
    """
    value, moves = point.value, direction.value
    moved = np.fromiter(map(bool, moves), dtype=bool, count=len(moves))
    rows = np.flatnonzero(moved[program.head] | moved[program.tail])
    ends = zip(rows.tolist(), program.head[rows].tolist(), program.tail[rows].tolist(), strict=True)
    kind = integers(program)
    parts = [tuple(map(kind, ratio.as_integer_ratio())) for ratio in program.ratios]
    for (k, u, v), c in zip(ends, program.ratio[rows].tolist(), strict=True):
        p, q = parts[c]
        change = moves[u] * q - moves[v] * p
        if change < ZERO:
            yield k, change, value[u] * q - value[v] * p
    size, honest = program.problem.size, frozenset(program.honest.tolist())
    for u in np.flatnonzero(moved).tolist():
        if moves[u] < ZERO:
            floor = u in honest
            yield (
                u + program.first_bound,
                moves[u] * size if floor else moves[u],
                value[u] * size - point.denominator if floor else value[u],
            )
    for k, line in enumerate(program.inputs, start=program.first_input):
        if (change := _room(direction, line)) < ZERO:
            yield k, change, _room(point, line)
    extras = _extra_slacks(program, point, point.denominator), _extra_slacks(program, direction, 0)
    for (k, slack, _), (_, change, _) in zip(*extras, strict=True):
        if change < ZERO:
            yield k, change, slack


def dual(basis: Basis, cost: Mapping[int, Whole], worst: int = 0) -> Dual:
    """Solve for the multipliers that write an objective as a combination of the tight constraints.

    The objective is `cost`, an integer by variable, plus `worst` times t.
    """
    program, power, kind = basis.program, basis.power, integers(basis.program)
    place = list(map(basis.column.__getitem__, basis.tree))
    right = [kind(0)] * (
        len(basis.equations) + 1
    )  # fixed trees, at -1, are gathered in the last place
    paid = map(mul, cost.values(), map(power.__getitem__, cost))
    for k, amount in zip(map(place.__getitem__, cost), paid, strict=True):
        right[k] += amount
    right.pop()
    if program.inputs:
        right[-1] = kind(worst)
    solved = basis.system.solve_transposed(right)
    least = common_denominator(solved)
    scaled, common = [kind(over(value, least)) for value in solved], kind(least)

    rest = [kind(0)] * program.cells
    for u, amount in cost.items():
        rest[u] = amount * common
    for amount, (variables, counts) in zip(scaled, basis.equations, strict=True):
        if amount and counts.count(1) == len(counts):
            for u in variables:
                rest[u] -= amount
        elif amount:
            for u, count in zip(variables, counts, strict=True):
                rest[u] -= amount * count
    signed, stretch = carry(basis, rest)
    sums = len(program.sums)
    signed.update(zip(basis.inputs, scaled[sums:], strict=True))
    return Dual(sums=scaled[:sums], signed=signed, stretch=stretch, denominator=common)


def carry(basis: Basis, rest: Sequence[Whole]) -> tuple[dict[int, Whole], dict[int, Whole]]:
    """Carry what the sums leave of an objective by the tight ratios and bounds: (signed,
    stretch) of a `Dual`.
    """
    weighted = list(map(mul, basis.power, rest))
    signed: dict[int, Whole] = {}
    stretch = _close_cycles(basis, weighted, signed)
    _peel(basis, weighted, signed)
    return signed, stretch


def _peel(basis: Basis, weighted: list[Whole], signed: dict[int, Whole]) -> None:
    """Peel every tree from its leaves: what is left of a subtree is carried by the row to its
    parent.
    """
    bounds, parent, parent_row = basis.program.first_bound, basis.parent, basis.parent_row
    is_head = basis.is_head
    for u in reversed(basis.order):
        total = weighted[u]
        row = parent_row[u]
        if row >= 0:
            if total:
                signed[row] = total if is_head[u] else -total
                weighted[parent[u]] += total
            else:
                signed[row] = total
        elif basis.fixed_by[basis.tree[u]] >= bounds:
            signed[basis.fixed_by[basis.tree[u]]] = total


def _close_cycles(
    basis: Basis, weighted: list[Whole], signed: dict[int, Whole]
) -> dict[int, Whole]:
    """Give each row that closes a cycle the multiplier that lets the rest of its tree be peeled."""
    program = basis.program
    cycles = {t: row for t, row in enumerate(basis.fixed_by) if 0 <= row < program.first_bound}
    stretch: dict[int, Whole] = {}
    if not cycles:
        return stretch
    members: dict[int, list[int]] = {t: [] for t in cycles}
    for u, t in enumerate(basis.tree):
        if t in members:
            members[t].append(u)
    for t, row in cycles.items():
        u, v, ratio = (
            int(program.head[row]),
            int(program.tail[row]),
            program.ratios[program.ratio[row]],
        )
        total = sum(weighted[w] for w in members[t])
        gain = basis.power[u] * ratio.denominator - basis.power[v] * ratio.numerator
        if gain == 0:
            raise Singular("a cycle of ratios that says nothing")
        stretch[t] = abs(gain)
        carried = total if gain > 0 else -total
        for w in members[t]:
            weighted[w] *= stretch[t]
        weighted[u] -= carried * ratio.denominator * basis.power[u]
        weighted[v] += carried * ratio.numerator * basis.power[v]
        signed[row] = carried * ratio.denominator * basis.power[u]
    return stretch
