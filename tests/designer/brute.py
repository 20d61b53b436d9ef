"""Brute force in fractions, for small problems: written from the paper's formulas, sharing no code with the designer."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations

Form = dict[object, Fraction]


def eliminate(matrix: list[list[Fraction]], right: list[Fraction]) -> list[Fraction] | None:
    """Solve a square system by Gaussian elimination; None if it is singular."""
    rows = [
        [*map(Fraction, line), Fraction(value)] for line, value in zip(matrix, right, strict=True)
    ]
    for k in range(len(rows)):
        pivot = next((r for r in range(k, len(rows)) if rows[r][k] != 0), None)
        if pivot is None:
            return None
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [x / rows[k][k] for x in rows[k]]
        for r in range(len(rows)):
            if r != k and rows[r][k] != 0:
                factor = rows[r][k]
                rows[r] = [x - factor * y for x, y in zip(rows[r], rows[k], strict=True)]
    return [row[-1] for row in rows]


def rows_by_definition(
    n: int, alpha: Fraction, names: set[str], ratio: Fraction | None = None
) -> list[tuple]:
    """The rows (kind, label, coefficients by cell, right-hand side, free) of privacy and properties, as the paper has them."""
    r, found = range(n + 1), []

    def row(kind, label, head, tail=None, factor=1, right=0, free=False):
        terms = {head: Fraction(1)}
        if tail is not None:
            terms[tail] = terms.get(tail, Fraction(0)) - factor
        found.append((kind, (*label, 0, 0)[:3], terms, Fraction(right), free))

    for i in r:
        for j in r:
            for k in (j - 1, j + 1):
                if 0 <= k <= n:
                    row("dp", (i, j, k), (i, j), (i, k), alpha)
                    if "RM" in names and abs(i - k) == abs(i - j) + 1:
                        row("rm", (i, j, k), (i, j), (i, k))
            for k in (i - 1, i + 1):
                if 0 <= k <= n:
                    if ratio is not None:
                        row("odp", (i, k, j), (i, j), (k, j), ratio)
                    if "CM" in names and abs(j - k) == abs(j - i) + 1:
                        row("cm", (i, k, j), (i, j), (k, j))
            if i != j and "RH" in names:
                row("rh", (i, j), (i, i), (i, j))
            if i != j and "CH" in names:
                row("ch", (i, j), (j, j), (i, j))
            if "S" in names and (i, j) < (n - i, n - j):
                row("s", (i, j), (i, j), (n - i, n - j), free=True)
        if "WH" in names:
            row("wh", (i,), (i, i), right=Fraction(1, n + 1))
        if "F" in names and i < n:
            row("f", (i,), (i, i), (i + 1, i + 1), free=True)
    return found


def least_cost(problem, cost: Form | None = None) -> Fraction | None:
    """The least cost of a problem (or mean of other costs), by the dual simplex over its full rows, in fractions.

    None where no mechanism has its own rows. All costs are non-negative, so that the basis of all slacks is dual feasible.
    """
    n, size = problem.n, problem.n + 1
    cells = [(i, j) for i in range(size) for j in range(size)]
    forms: list[tuple[Form, Fraction]] = []
    rows = rows_by_definition(n, problem.alpha, set(problem.shape.names), problem.shape.output_dp)
    for _, _, terms, right, free in rows:
        forms += [(terms, right)] + ([({c: -x for c, x in terms.items()}, -right)] if free else [])
    for row in (row for own in problem.own for row in own.rows):
        sign = 1 if row.sense == ">=" else -1
        forms.append(({(i, j): sign * c for i, j, c in row.cells}, sign * row.bound))
    for j in range(size):
        column = {(i, j): Fraction(1) for i in range(size)}
        forms += [(column, Fraction(1)), ({c: -x for c, x in column.items()}, Fraction(-1))]
    weight = problem.prior.weights
    if problem.worst_case:
        variables = [*cells, "t"]
        cost = {"t": Fraction(1)}
        for j in range(size):
            terms = {(i, j): -size * weight[j] * problem.loss.cost(i, j) for i in range(size)}
            forms.append(({**terms, "t": Fraction(1)}, Fraction(0)))
    else:
        variables = cells
        cost = cost or {(i, j): weight[j] * problem.loss.cost(i, j) for i, j in cells}
    return _dual_simplex(variables, [cost.get(v, Fraction(0)) for v in variables], forms)


def _dual_simplex(
    variables: list, cost: list[Fraction], forms: list[tuple[Form, Fraction]]
) -> Fraction | None:
    """Minimise cost . x over x >= 0 and form . x >= right, for costs >= 0: slack = form . x - right, row by row."""
    table = [[form.get(v, Fraction(0)) for v in variables] + [-right] for form, right in forms]
    basic, outside = (
        list(range(len(variables), len(variables) + len(forms))),
        list(range(len(variables))),
    )
    cost, value = [*cost], Fraction(0)
    while True:
        leaving = min(
            (k for k in range(len(table)) if table[k][-1] < 0), key=lambda k: basic[k], default=None
        )
        if leaving is None:
            return value
        line = table[leaving]
        rising = [k for k in range(len(outside)) if line[k] > 0]
        if not rising:
            return None
        entering = min(rising, key=lambda k: (cost[k] / line[k], outside[k]))
        # basic = line . outside + constant, solved for the one that enters
        pivot = line[entering]
        solved = [-x / pivot for x in line]
        solved[entering] = 1 / pivot
        for k, other in enumerate(table):
            if k != leaving and other[entering] != 0:
                factor = other[entering]
                table[k] = [x + factor * y for x, y in zip(other, solved, strict=True)]
                table[k][entering] = factor * solved[entering]
        factor = cost[entering]
        value += factor * solved[-1]
        cost = [x + factor * y for x, y in zip(cost, solved[:-1], strict=True)]
        cost[entering] = factor * solved[entering]
        table[leaving] = solved
        basic[leaving], outside[entering] = outside[entering], basic[leaving]


def constraints(
    program,
) -> tuple[list[tuple[list[Fraction], Fraction]], list[tuple[list[Fraction], Fraction]]]:
    """A folded program as (equations, inequalities), each a line of coefficients (t last in a worst case) and a right side."""
    width = program.cells + bool(program.inputs)

    def line(terms):
        found = [Fraction(0)] * width
        for u, amount in terms:
            found[u] += amount
        return found

    sums = [
        (line(terms), Fraction(1)) for terms in (zip(*each, strict=True) for each in program.lines)
    ]
    size, honest = program.problem.n + 1, set(program.honest.tolist())
    bounds = []
    for u, v, c in zip(
        program.head.tolist(), program.tail.tolist(), program.ratio.tolist(), strict=True
    ):
        bounds.append((line([(u, Fraction(1)), (v, -program.ratios[c])]), Fraction(0)))
    for u in range(program.cells):
        bounds.append((line([(u, Fraction(1))]), Fraction(1, size) if u in honest else Fraction(0)))
    for terms in program.inputs:
        bounds.append(
            (
                line([(u, -Fraction(amount)) for u, amount in terms] + [(width - 1, Fraction(1))]),
                Fraction(0),
            )
        )
    return sums, bounds


def vertices(program) -> Iterator[tuple[Fraction, ...]]:
    """Every vertex of a folded program: all ways to make enough inequalities tight."""
    sums, bounds = constraints(program)
    width = program.cells + bool(program.inputs)
    for chosen in combinations(bounds, width - len(sums)):
        lines = [*sums, *chosen]
        point = eliminate([form for form, _ in lines], [right for _, right in lines])
        if point is not None and all(dot(form, point) >= right for form, right in bounds):
            yield tuple(point)


def dot(form: list[Fraction], point) -> Fraction:
    return sum((x * y for x, y in zip(form, point, strict=True) if x), Fraction(0))
