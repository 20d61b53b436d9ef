"""A basis of the linear program as a forest: trees of tight ratios and the small system that
couples them.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate, chain, repeat
from operator import mul
from typing import TYPE_CHECKING

import numpy as np
from flint import fmpq

from discreet.designer.simplex.system import Singular, System, Whole, couple, integers

if TYPE_CHECKING:
    from collections.abc import Sequence
    from collections.abc import Set as AbstractSet
    from fractions import Fraction

    from numpy.typing import NDArray

    from discreet.designer.lp.program import Line, Program

_SHIFT = 1 << 40
"""Exponents of two ratios are kept in one integer: alpha's stay far below this."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Basis:
    """A basis, factored.

    Variable u is `power[u]` (a positive integer) times the root of `tree[u]`; `exponent[u]` is
    alpha's in it, up to a constant of the tree (None if the output-DP ratio occurs too). `order`
    visits parents before children; `parent_row[u]` is the tight row between u and `parent[u]`, -1
    at a root, and `is_head[u]` whether u is its head. `fixed_by[t]` is the tight bound or the
    cycle-closing row that fixes tree t's root at `root[t]`, -1 if t is free; `column[t]` is a free
    tree's column of `system`. `equations` are those of `system` as variables and counts: the column
    sums, then the tight `inputs` and further rows.
    """

    program: Program
    tight: list[int]
    inputs: list[int]
    tree: list[int]
    power: list[Whole]
    exponent: NDArray[np.int64] | None
    parent: list[int]
    parent_row: list[int]
    is_head: list[bool]
    order: list[int]
    fixed_by: list[int]
    root: list[fmpq]
    column: list[int]
    equations: list[Line]
    system: System

    def head(self, constraint: int) -> int:
        """The variable a ratio row or a bound keeps up."""
        bounds = self.program.first_bound
        return int(self.program.head[constraint]) if constraint < bounds else constraint - bounds

    def below(self, row: int) -> frozenset[int]:
        """The variables on the far side of a tight row, seen from the root of its tree."""
        program = self.program
        u, v = int(program.head[row]), int(program.tail[row])
        top = u if self.parent_row[u] == row else v
        found = {top}
        for w in self.order:
            if self.parent[w] in found:
                found.add(w)
        return frozenset(found)

    def slope(self, constraint: int, moving: AbstractSet[int] | None = None) -> fmpq:
        """How much a ratio row or bound moves per unit of the root when only `moving` (None:
        all) moves.
        """
        program = self.program
        u = self.head(constraint)
        total = fmpq(self.power[u]) if moving is None or u in moving else fmpq(0)
        if constraint < program.first_bound:
            v = int(program.tail[constraint])
            if moving is None or v in moving:
                ratio = program.ratios[program.ratio[constraint]]
                total -= self.power[v] * fmpq(ratio.numerator, ratio.denominator)
        return total


def factor(program: Program, tight: Sequence[int]) -> Basis:
    """Build the forest of a basis and its small system; `Singular` if the constraints are no
    basis.
    """
    basis, redundant = grow(program, tight)
    if redundant:
        raise Singular("the root of a tree is fixed twice")
    system = basis.system
    if system.rows != system.columns:
        raise Singular(f"{system.columns} unknowns against {system.rows} equations")
    return basis


def grow(program: Program, tight: Sequence[int]) -> tuple[Basis, list[int]]:
    """Build the forest of any tight constraints; list those that only repeat what others of
    their tree say.
    """
    given = np.array(tight, dtype=np.int64).reshape(-1)
    rows = given[given < program.first_bound]
    bounds = given[(given >= program.first_bound) & (given < program.first_input)]
    inputs: list[int] = given[given >= program.first_input].tolist()
    trees = _trees_of(program, rows, bounds - program.first_bound)
    fixed_by, column, redundant = trees.fixed_by, [-1] * len(trees.fixed_by), trees.redundant
    free = [t for t, k in enumerate(fixed_by) if k < 0]
    for place, t in enumerate(free):
        column[t] = place
    tree = np.array(trees.tree)
    power, exponent = _powers(program, trees)
    equations = [*program.lines, *(_input_line(program, k) for k in inputs)]
    basis = Basis(
        program=program,
        tight=given.tolist(),
        inputs=inputs,
        tree=trees.tree,
        power=power,
        exponent=exponent,
        parent=trees.parent,
        parent_row=trees.parent_row,
        is_head=trees.is_head,
        order=trees.order,
        fixed_by=fixed_by,
        root=_roots(program, fixed_by, power),
        column=column,
        equations=equations,
        system=_system(
            program,
            equations,
            inputs,
            np.array(column)[tree],
            power,
            len(free) + bool(program.inputs),
        ),
    )
    return basis, redundant


@dataclass(frozen=True, slots=True, kw_only=True)
class _Trees:
    """The trees: `exponent[u]` is alpha's exponent plus `_SHIFT` times that of the output-DP
    ratio.
    """

    tree: list[int]
    parent: list[int]
    parent_row: list[int]
    is_head: list[bool]
    exponent: list[int]
    order: list[int]
    starts: list[int]
    fixed_by: list[int]
    redundant: list[int]


def _trees_of(program: Program, rows: NDArray[np.int64], bounded: NDArray[np.int64]) -> _Trees:
    """Walk the tight ratios breadth first, a tree at a time."""
    cells, numbers, roots = program.cells, rows.tolist(), bounded.tolist()
    heads, tails = program.head[rows].tolist(), program.tail[rows].tolist()
    steps = np.array([0, 1, _SHIFT])[program.ratio[rows]].tolist()
    around: list[list[int]] = [[] for _ in range(cells)]
    for k, (u, v) in enumerate(zip(heads, tails, strict=True)):
        around[u].append(k)
        around[v].append(k)
    tree, parent, parent_row, exponent = [-1] * cells, [-1] * cells, [-1] * cells, [0] * cells
    is_head = [False] * cells
    order: list[int] = []
    starts: list[int] = []
    # Variables at a bound come first, so that a tree has its bound at the root.
    for root in chain(roots, range(cells)):
        if tree[root] >= 0:
            continue
        number = len(starts)
        starts.append(len(order))
        tree[root] = number
        queue = [root]
        for u in queue:  # it grows while it is read
            e = exponent[u]
            for k in around[u]:
                v = tails[k]
                if v != u:
                    if tree[v] < 0:
                        tree[v], parent[v] = number, u
                        parent_row[v], exponent[v] = numbers[k], e - steps[k]
                        queue.append(v)
                elif tree[v := heads[k]] < 0:
                    tree[v], parent[v] = number, u
                    parent_row[v], exponent[v] = numbers[k], e + steps[k]
                    is_head[v] = True
                    queue.append(v)
        order += queue
    fixed_by, redundant = [-1] * len(starts), list[int]()
    for u in roots:
        if fixed_by[tree[u]] < 0:
            fixed_by[tree[u]] = u + program.first_bound
        else:
            redundant.append(u + program.first_bound)
    if len(numbers) > cells - len(starts):  # some rows close cycles
        place = {u: at for at, u in enumerate(order)}
        closing = [
            k
            for k, (u, v) in enumerate(zip(heads, tails, strict=True))
            if numbers[k] not in (parent_row[u], parent_row[v])
        ]
        for k in sorted(closing, key=lambda k: place[heads[k]]):
            u, v = heads[k], tails[k]
            if _idle(program, exponent[v] - exponent[u] + steps[k]) or fixed_by[tree[u]] >= 0:
                redundant.append(numbers[k])
            else:
                fixed_by[tree[u]] = numbers[k]
    return _Trees(
        tree=tree,
        parent=parent,
        parent_row=parent_row,
        is_head=is_head,
        exponent=exponent,
        order=order,
        starts=starts,
        fixed_by=fixed_by,
        redundant=redundant,
    )


def _roots(program: Program, fixed_by: Sequence[int], power: Sequence[Whole]) -> list[fmpq]:
    """A fixed tree's root: what its bound says, zero if that is zero or if a cycle forces it."""
    honest = frozenset((program.honest + program.first_bound).tolist())
    size = program.problem.size
    return [
        fmpq(1, size * power[k - program.first_bound]) if k in honest else fmpq(0) for k in fixed_by
    ]


def _parts(exponent: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Take a joint exponent apart: alpha's, and the output-DP ratio's."""
    across = (exponent + _SHIFT // 2) // _SHIFT
    return exponent - across * _SHIFT, across


def _idle(program: Program, turn: int) -> bool:
    """Whether going round a cycle multiplies by 1, so that the row that closes it says nothing
    new.
    """
    if turn == 0:
        return True
    _, alpha, beta = program.ratios
    along, across = (int(part) for part in _parts(np.array(turn)))
    return bool(alpha**along * (beta**across if across else 1) == 1)


def _powers(program: Program, trees: _Trees) -> tuple[list[Whole], NDArray[np.int64] | None]:
    """Turn exponents of alpha = p/q and of the output-DP ratio into integers, tree by tree.

    Within a tree whose exponents run from low to high, exponent e becomes p^(e-low) * q^(high-e).
    Also returns alpha's exponents if the other ratio does not occur.
    """
    _, alpha, beta = program.ratios
    along = np.array(trees.exponent)
    across = np.zeros(0, dtype=np.int64)
    if beta:
        along, across = _parts(along)
    kind = integers(program)
    power = _factors(alpha, along, trees, kind)
    if not across.any():
        return power, along
    return [x * y for x, y in zip(power, _factors(beta, across, trees, kind), strict=True)], None


def _factors(
    ratio: Fraction, exponent: NDArray[np.int64], trees: _Trees, kind: type[Whole]
) -> list[Whole]:
    """Write each tree's exponents of one ratio as integers without a common factor."""
    listed = exponent[trees.order]
    low = np.minimum.reduceat(listed, trees.starts)
    span = np.maximum.reduceat(listed, trees.starts) - low
    up, down = (_table(kind(base), int(span.max())) for base in ratio.as_integer_ratio())
    tables = {
        width: list(map(mul, up, reversed(down[: width + 1]))) for width in set(span.tolist())
    }
    chosen = [tables[width] for width in span.tolist()]
    tree = np.array(trees.tree)
    return [chosen[t][e] for t, e in zip(trees.tree, (exponent - low[tree]).tolist(), strict=True)]


def _table(base: Whole, length: int) -> list[Whole]:
    return list(accumulate(repeat(base, length), mul, initial=type(base)(1)))


def _input_line(program: Program, constraint: int) -> Line:
    """A tight input as an equation, without its t; or a further row."""
    number = constraint - program.first_input
    if number >= len(program.inputs):
        entries, _ = program.extras[number - len(program.inputs)]
        return [u for u, _ in entries], [amount for _, amount in entries]
    return [u for u, _ in program.inputs[number]], [-amount for _, amount in program.inputs[number]]


def _system(
    program: Program,
    equations: list[Line],
    inputs: list[int],
    column: NDArray[np.int64],
    power: Sequence[Whole],
    size: int,
) -> System:
    """Gather each equation by free tree; in a worst case the last column is t."""
    last = program.first_input + len(program.inputs)
    entries = [integers(program)(0)] * (len(equations) * size)
    places = np.where(
        column[program.sum_variable] >= 0, program.sum_row * size + column[program.sum_variable], -1
    )
    for place, u, count in zip(
        places.tolist(), program.sum_variable.tolist(), program.sum_count.tolist(), strict=True
    ):
        if place >= 0:
            entries[place] += power[u] if count == 1 else power[u] * count
    for number, line in enumerate(equations[len(program.sums) :], start=len(program.sums)):
        for u, count in zip(*line, strict=True):
            if column[u] >= 0:
                entries[number * size + int(column[u])] += count * power[u]
        if inputs[number - len(program.sums)] < last:
            entries[number * size + size - 1] += 1
    return couple(program, entries, len(equations), size)
