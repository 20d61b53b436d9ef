"""A basis of the linear program as a forest: trees of tight ratios and the small system that couples them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from flint import fmpq, fmpz, fmpz_mat

if TYPE_CHECKING:
    from collections.abc import Sequence
    from collections.abc import Set as AbstractSet

    from discreet.designer.program import Program

Lines = list[list[tuple[int, int]]]


class Singular(ArithmeticError):
    """The tight constraints do not determine a point."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Forest:
    """A basis, factored.

    Variable u is `power[u]` (an integer) times the unknown of `tree[u]`. `order` visits parents before children;
    `parent_row[u]` is the tight row between u and `parent[u]`, -1 at a root. `ground[t]` is the tight bound or the
    cycle-closing row that makes tree t `known[t]`, -1 if t is free; `slot[t]` is a free tree's column of `matrix`.
    `lines` are the equations of `matrix` as (variable, count) pairs: the column sums, then the tight `inputs`.
    """

    program: Program
    tight: list[int]
    inputs: list[int]
    heads: list[int]
    tree: list[int]
    power: list[fmpz]
    parent: list[int]
    parent_row: list[int]
    order: list[int]
    ground: list[int]
    known: list[fmpq]
    slot: list[int]
    lines: Lines
    matrix: fmpz_mat

    def head(self, constraint: int) -> int:
        """The variable a ratio row or a bound keeps up."""
        bounds = self.program.first_bound
        return self.heads[constraint] if constraint < bounds else constraint - bounds

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
        """How much a ratio row or bound moves per unit of the unknown when only `moving` (None: all) moves."""
        program = self.program
        u = self.head(constraint)
        total = fmpq(self.power[u]) if moving is None or u in moving else fmpq(0)
        if constraint < program.first_bound:
            v = int(program.tail[constraint])
            if moving is None or v in moving:
                ratio = program.ratios[program.ratio[constraint]]
                total -= self.power[v] * fmpq(ratio.numerator, ratio.denominator)
        return total


def factor(program: Program, tight: Sequence[int]) -> Forest:
    """Build the forest of a basis and its small system; `Singular` if the constraints are no basis."""
    forest, surplus = plant(program, tight)
    if surplus:
        raise Singular("a tree of ratios is grounded twice")
    if forest.matrix.nrows() != forest.matrix.ncols():
        raise Singular(f"{forest.matrix.ncols()} unknowns against {forest.matrix.nrows()} equations")
    return forest


def plant(program: Program, tight: Sequence[int]) -> tuple[Forest, list[int]]:
    """Build the forest of any tight constraints; list those that only repeat what others of their tree say."""
    bounds, first_input = program.first_bound, program.first_input
    heads, tails, kinds = program.head.tolist(), program.tail.tolist(), program.ratio.tolist()
    near: list[list[tuple[int, int, int, int]]] = [[] for _ in range(program.cells)]
    grounded: list[int] = [-1] * program.cells
    inputs: list[int] = []
    for k in tight:
        if k < bounds:
            u, v = heads[k], tails[k]
            alpha, beta = int(kinds[k] == 1), int(kinds[k] == 2)
            near[u].append((v, k, -alpha, -beta))
            near[v].append((u, k, alpha, beta))
        elif k < first_input:
            grounded[k - bounds] = k
        else:
            inputs.append(k)

    tree, parent, parent_row = [-1] * program.cells, [-1] * program.cells, [-1] * program.cells
    exponents: list[tuple[int, int]] = [(0, 0)] * program.cells
    order: list[int] = []
    ground: list[int] = []
    starts: list[int] = []
    surplus: list[int] = []
    # Grounded variables come first, so that a grounded tree has its bound at the root.
    for root in sorted(range(program.cells), key=lambda u: grounded[u] < 0):
        if tree[root] >= 0:
            continue
        number, position = len(ground), len(order)
        starts.append(position)
        tree[root] = number
        order.append(root)
        found: list[int] = []
        while position < len(order):
            u = order[position]
            position += 1
            if grounded[u] >= 0:
                found.append(grounded[u])
            e, f = exponents[u]
            for v, k, alpha, beta in near[u]:
                if tree[v] < 0:
                    tree[v], parent[v], parent_row[v] = number, u, k
                    exponents[v] = (e + alpha, f + beta)
                    order.append(v)
                elif k != parent_row[u] and k != parent_row[v] and heads[k] == u:
                    turn = (exponents[v][0] - e - alpha, exponents[v][1] - f - beta)
                    (surplus if _idle(program, turn) else found).append(k)
        ground.append(found[0] if found else -1)
        surplus.extend(found[1:])

    power = _powers(program, tree, order, starts, exponents)
    free = [t for t, k in enumerate(ground) if k < 0]
    slot = [-1] * len(ground)
    for place, t in enumerate(free):
        slot[t] = place
    lines = _lines(program, inputs)
    size = len(free) + bool(program.inputs)
    honest = frozenset(program.honest.tolist())
    known = [fmpq(1, (program.problem.n + 1) * power[k - bounds]) if k - bounds in honest else fmpq(0) for k in ground]
    forest = Forest(
        program=program,
        tight=list(tight),
        inputs=inputs,
        heads=heads,
        tree=tree,
        power=power,
        parent=parent,
        parent_row=parent_row,
        order=order,
        ground=ground,
        known=known,
        slot=slot,
        lines=lines,
        matrix=_matrix(program, lines, [slot[t] for t in tree], power, size),
    )
    return forest, surplus


def _idle(program: Program, turn: tuple[int, int]) -> bool:
    """Whether going round a cycle multiplies by 1, so that the row that closes it says nothing new."""
    if turn == (0, 0):
        return True
    _, alpha, beta = program.ratios
    return bool(alpha ** turn[0] * (beta ** turn[1] if turn[1] else 1) == 1)


def _powers(
    program: Program,
    tree: Sequence[int],
    order: Sequence[int],
    starts: Sequence[int],
    exponents: Sequence[tuple[int, int]],
) -> list[fmpz]:
    """Turn exponents of alpha = p/q and of the output-DP ratio into integers, tree by tree.

    Within a tree whose exponents run from low to high, exponent e becomes p^(e-low) * q^(high-e).
    """
    _, alpha, beta = program.ratios
    reach = []
    for begin, end in zip(starts, [*starts[1:], len(order)], strict=True):
        firsts, seconds = zip(*(exponents[u] for u in order[begin:end]), strict=True)
        reach.append((min(firsts), max(firsts), min(seconds), max(seconds)))
    span = max(max(high - low, far - close) for low, high, close, far in reach)
    up, down, over, under = (
        _table(base, span) for base in (alpha.numerator, alpha.denominator, beta.numerator, beta.denominator)
    )
    tables: dict[tuple[int, int, int, int], list[list[fmpz]]] = {}
    chosen = []
    for low, high, close, far in reach:
        spans = (high - low, far - close, low, close)
        if spans not in tables:
            # Indexed by the exponents themselves: negative ones count from the end, as Python's lists do.
            along = [up[e] * down[high - low - e] for e in range(high - low + 1)]
            across = [over[f] * under[far - close - f] for f in range(far - close + 1)]
            tables[spans] = [[x * y for x in _turned(along, low)] for y in _turned(across, close)]
        chosen.append(tables[spans])
    return [chosen[t][f][e] for t, (e, f) in zip(tree, exponents, strict=True)]


def _turned(table: list[fmpz], low: int) -> list[fmpz]:
    """Turn a table that starts at exponent `low` <= 0 so that it can be indexed by the exponent."""
    return table[-low:] + table[:-low]


def _table(base: int, length: int) -> list[fmpz]:
    table = [fmpz(1)]
    for _ in range(length):
        table.append(table[-1] * base)
    return table


def _lines(program: Program, inputs: Sequence[int]) -> Lines:
    """List the equations that are not ratios: the sums, then the tight inputs (without their t)."""
    lines: Lines = [[] for _ in program.sums]
    for place, u, count in zip(
        program.sum_row.tolist(), program.sum_variable.tolist(), program.sum_count.tolist(), strict=True
    ):
        lines[place].append((u, count))
    lines.extend([(u, -amount) for u, amount in program.inputs[k - program.first_input]] for k in inputs)
    return lines


def _matrix(program: Program, lines: Lines, column: Sequence[int], power: Sequence[fmpz], size: int) -> fmpz_mat:
    """Gather each equation by free tree; in a worst case the last column is t."""
    matrix = fmpz_mat(len(lines), size)
    for place, line in enumerate(lines):
        gathered: dict[int, fmpz] = {}
        for u, count in line:
            if column[u] >= 0:
                gathered[column[u]] = gathered.get(column[u], 0) + count * power[u]
        for k, amount in gathered.items():
            matrix[place, k] = amount
        if place >= len(program.sums):
            matrix[place, size - 1] = 1
    return matrix
