"""The best mechanism that is GM followed by a random map: M = T GM, so that numbers released by GM
can become its.

The entries of T are the variables: column-stochastic, and otherwise free. Privacy follows (T looks
at an output only). Every row that is asked of M is a row over T, dense along the outputs of GM, and
goes into the exact simplex as own rows do (`own_answer`). Where the best mechanism without this
wish derives from GM anyway, or the map of `derived_map` has the shape asked for, there is nothing
to solve.

A certificate names rows of M: `("sum", k, 0, 0)` is column k of T, the others are those of
`core.domains`. What is left of a cost once the rows are charged for, r[i, j], is seen through GM:
the reduced cost of T[i, k] is `sum_j r[i, j] GM[k, j] - y_k`, and `b.y + sum of min(0, reduced
cost)` bounds the cost from below (`priced_through`).
"""

from __future__ import annotations

import time
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import product
from math import gcd, lcm
from typing import TYPE_CHECKING

import numpy as np

from discreet.core.certificate import Certificate, costs_of
from discreet.core.forms import Dense, Geometric, mixed
from discreet.core.mechanism import Mechanism, Origin
from discreet.core.transforms import derives_from_geometric
from discreet.designer.lp.answer import TRY, leaning_cost, suggest_near
from discreet.designer.lp.highs import solve
from discreet.designer.lp.program import (
    RATIOS,
    Name,
    Program,
    is_symmetric,
    lines_of,
    needed_rows,
    satisfies,
)
from discreet.designer.own.derived_map import (
    Map,
    after_geometric,
    fair_map,
    honest_map,
    is_stochastic,
    powers_along,
    scales,
)
from discreet.designer.simplex.pivots import Optimum, TooFar, reach_optimum, tie_weights
from discreet.designer.simplex.unfold import Multipliers, named, price
from discreet.designer.simplex.vertex import cost_of, matrix_of
from discreet.designer.theorems.closed_form import closed_form
from discreet.designer.theorems.multipliers import fair_multipliers, weakly_honest_multipliers
from discreet.errors import InvalidInput, NotProven

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from discreet.core.certificate import Problem
    from discreet.core.rationals import Alpha
    from discreet.designer.lp.program import Sparse

MOST_N = 40
"""Up to this group size a map is found by linear program."""

Wanted = tuple[Name, dict[tuple[int, int], Fraction], Fraction, bool]
"""A row that M is to have: its name, its coefficients by cell, its right side, and whether it is
an equation.
"""


def known_derivable(problem: Problem, privacy: Alpha) -> Mechanism | None:
    """The answer that needs no linear program, or None."""
    n, a, shape = problem.n, problem.alpha, problem.shape
    if a == 1:
        raise InvalidInput(
            "derivable", "must be asked with an alpha below 1: at 1 GM tells nothing"
        )
    if "S" in shape and not is_symmetric(problem):
        rule = "must be asked without S where prior, loss or own rows treat yes and no apart"
        raise InvalidInput("derivable", rule)
    if problem.own:
        raise InvalidInput(
            "derivable", "must be asked without own rows", remedy="leave one of them out"
        )
    plain = replace(problem, derivable=False)
    found = closed_form(plain, privacy)
    if (
        found is not None
        and (proof := found.origin.certificate) is not None
        and derives_from_geometric(found)
    ):
        return _answer(problem, privacy, found.form.dense(), proof, found.origin.theorem)
    uniform = problem.prior.uniform and not problem.worst_case
    ways: list[tuple[bool, Callable[[int, Fraction], Map], Callable[[Problem], Certificate]]] = [
        (uniform and bool({"WH", "CH", "CM"} & shape.names), honest_map, weakly_honest_multipliers),
        (
            "F" in shape or (problem.worst_case and problem.prior.uniform),
            fair_map,
            fair_multipliers,
        ),
    ]
    for covered, make, multipliers in ways:
        if not covered or problem.loss.tail != 0:
            continue
        rows = make(n, a)
        form = after_geometric(rows, n, a)
        if is_stochastic(rows) and satisfies(plain, form):
            theorem = "GM's ends, given away, lift the diagonal to that of " + (
                "EM" if make is fair_map else "WM"
            )
            return _answer(problem, privacy, form, multipliers(plain), theorem)
    return None


def _answer(
    problem: Problem, privacy: Alpha, form: Dense, proof: Certificate, theorem: str
) -> Mechanism:
    """A closed form with the multipliers of its theorem, those of M's column sums carried over
    to T's.
    """
    n = problem.n
    if n:
        gm = Geometric(n, problem.alpha)
        sums = {
            a: Fraction(y, proof.denominator) for kind, a, _, _, y in proof.rows if kind == "sum"
        }
        lifted = {
            ("sum", k, 0, 0): sum((gm.entry(k, j) * y for j, y in sums.items()), Fraction(0))
            for k in range(n + 1)
        }
        rest = {
            row[:4]: Fraction(row[4], proof.denominator) for row in proof.rows if row[0] != "sum"
        }
        proof = _written(problem, {**lifted, **rest}, proof.cost)
    origin = Origin(method=f"closed form: {theorem}", problem=problem, proof=proof, theorem=theorem)
    return Mechanism(privacy=privacy, form=form, origin=origin)


def expected_derivable(problem: Problem) -> float:
    """About how long a map takes to find; `InvalidInput` where the group is too large."""
    if problem.n > MOST_N:
        raise InvalidInput(
            "n", f"must be at most {MOST_N} for a map that is found by linear program", problem.n
        )
    return 0.02 + 0.3 * (problem.n / 16) ** 4


def solve_derivable(problem: Problem, *, deadline: float) -> tuple[Dense, Certificate]:
    """Return the best mechanism that derives from GM, and its proof."""
    program, sources = derivable_program(problem)
    explore = partial(suggest_near, program, deadline=deadline)
    start: list[int] = []
    try:
        for basis in _suggestions(program, deadline=deadline):
            try:
                found = reach_optimum(program, basis, deadline=deadline, limit=TRY, explore=explore)
                return _proven(problem, found, sources)
            except TooFar as stopped:
                start = stopped.basis.tight
        return _proven(problem, reach_optimum(program, start, deadline=deadline), sources)
    except TooFar:
        raise NotProven(
            "no proof of optimality within the time allowed",
            remedy="allow more `seconds`",
            code="time-limit",
        ) from None


def derivable_program(problem: Problem) -> tuple[Program, list[tuple[Name, Fraction]]]:
    """The program over the entries of T; and for each of its further rows the row of M it is a
    multiple of, and how.
    """
    size, costs = problem.n + 1, costs_of(problem)
    gm = Geometric(problem.n, problem.alpha).dense()
    variable = np.arange(size * size).reshape(size, size)
    scale, cost, inputs = costs.scale * gm.denominator, [0] * size**2, []
    if problem.worst_case:
        for j, w in enumerate(costs.weight):
            paid = [size * w * line[j] for line in costs.loss]
            terms = (
                (i * size + k, x * gm.rows[k][j])
                for i, x in enumerate(paid)
                if x
                for k in range(size)
            )
            inputs.append(tuple((u, amount) for u, amount in terms if amount))
    else:
        each = [[x * w for x, w in zip(line, costs.weight, strict=True)] for line in costs.loss]
        cost = [sum(map(int.__mul__, line, seen)) for line in each for seen in gm.rows]
    extras, sources = _extras(problem, gm)
    every = np.arange(size)
    sum_row, ones = np.repeat(every, size), np.ones(size * size, dtype=np.int64)
    sum_variable = variable.T.ravel()
    nothing = np.zeros(0, dtype=np.int64)
    one, alpha, beta = map(problem.ratios.__getitem__, RATIOS)
    program = Program(
        problem=problem,
        symmetric=False,
        variable=variable,
        cells=size * size,
        head=nothing,
        tail=nothing,
        ratio=nothing.astype(np.int8),
        kind=nothing.astype(np.int8),
        ends=(nothing, nothing),
        ratios=(one, alpha, beta),
        honest=nothing,
        floors={},
        sums=every,
        sum_row=sum_row,
        sum_variable=sum_variable,
        sum_count=ones,
        scale=scale,
        cost=tuple(cost),
        inputs=tuple(inputs),
        input_label=tuple(range(len(inputs))),
        costs=costs,
        distance=np.abs(np.subtract.outer(every, every)).ravel(),
        lines=lines_of(size, sum_row, sum_variable, ones),
        first_bound=0,
        first_input=size * size,
        extras=tuple(extras),
        extra_label=tuple(("extra", k, 0, 0) for k in range(len(extras))),
    )
    return program, sources


def _wanted(problem: Problem) -> Iterator[Wanted]:
    """Every row that M is to have besides privacy, which T gives, and symmetry, which is free."""
    for row in needed_rows(problem):
        if not row.asked_by or row.image == "mirror":
            continue
        for a, b, c in row.labels(problem.domain):
            head, tail = row.cells(problem.domain, (a, b, c))
            terms = {head: Fraction(1)}
            if tail is not None:
                terms[tail] = terms.get(tail, Fraction(0)) - problem.ratios[row.ratio]
            yield (
                (row.kind, a, b, c),
                terms,
                Fraction(0) if tail else Fraction(1, problem.size),
                row.free,
            )


def _extras(
    problem: Problem, gm: Dense
) -> tuple[list[tuple[Sparse, int]], list[tuple[Name, Fraction]]]:
    """The rows over T in whole numbers; an equation is two."""
    size = problem.n + 1
    extras: list[tuple[Sparse, int]] = []
    sources: list[tuple[Name, Fraction]] = []
    for name, terms, least, free in _wanted(problem):
        common = lcm(least.denominator, *(x.denominator for x in terms.values()))
        line: dict[int, int] = {}
        for (i, j), x in terms.items():
            for k in range(size):
                line[i * size + k] = line.get(i * size + k, 0) + int(x * common) * gm.rows[k][j]
        right = int(least * common) * gm.denominator
        share = gcd(right, *line.values()) or 1
        entries = tuple((u, x // share) for u, x in sorted(line.items()) if x)
        for sign in (1, -1) if free else (1,):
            extras.append((tuple((u, sign * x) for u, x in entries), sign * right // share))
            sources.append((name, Fraction(sign * common * gm.denominator, share)))
    return extras, sources


def _suggestions(program: Program, *, deadline: float) -> Iterator[list[int]]:
    cost = leaning_cost(program, tie_weights(program, 1))
    for method, scaled in product(("simplex", "ipm"), (False, True)):
        left = deadline - time.monotonic()
        if (
            left > 0
            and (found := solve(program, cost, method=method, scaled=scaled, seconds=left))
            is not None
        ):
            yield found


def _proven(
    problem: Problem, found: Optimum, sources: list[tuple[Name, Fraction]]
) -> tuple[Dense, Certificate]:
    """T GM, and the multipliers of the rows of M, priced through GM."""
    program = found.basis.program
    t = matrix_of(program, found.vertex)
    if is_symmetric(problem):  # as good, and the same for yes and no (Theorem 1)
        t = mixed(
            Fraction(1, 2),
            t,
            Dense(tuple(tuple(reversed(row)) for row in reversed(t.rows)), t.denominator),
        )
    rows: dict[Name, Fraction] = {}
    for (kind, a, b, c), value in named(found.basis, found.dual).items():
        name, times = sources[a] if kind == "extra" else ((kind, a, b, c), Fraction(1))
        rows[name] = rows.get(name, Fraction(0)) + Fraction(int(value.p), int(value.q)) * times
    certificate = _written(problem, rows, cost_of(program, found.vertex))
    chances = tuple(tuple(Fraction(x, t.denominator) for x in row) for row in t.rows)
    return after_geometric(chances, problem.n, problem.alpha), certificate


def _written(problem: Problem, rows: dict[Name, Fraction], cost: Fraction) -> Certificate:
    """The certificate of multipliers over the rows of M and the columns of T; `NotProven` if
    they prove less.
    """
    rows = {name: y for name, y in sorted(rows.items()) if y}
    denominator = lcm(*(y.denominator for y in rows.values()))
    whole = {name: int(y * denominator) for name, y in rows.items()}
    if priced_through(problem, Multipliers(rows=whole, denominator=denominator)) != cost:
        raise NotProven(
            "the proof failed its check", remedy="please report this problem", code="fault"
        )
    written = tuple((*name, y) for name, y in whole.items())
    return Certificate(cost=cost, bound=cost, denominator=denominator, rows=written)


def priced_through(problem: Problem, multipliers: Multipliers) -> Fraction:
    """The bound that multipliers prove for every mechanism that derives from GM."""
    sums = {name[1]: y for name, y in multipliers.rows.items() if name[0] == "sum"}
    rest = {name: y for name, y in multipliers.rows.items() if name[0] != "sum"}
    priced = price(problem, Multipliers(rows=rest, denominator=multipliers.denominator))
    ends = priced.bound - Fraction(
        sum(x for row in priced.reduced for x in row if x < 0), priced.denominator
    )
    n, (p, q) = problem.n, problem.alpha.as_integer_ratio()
    ends_of, whole = (scales(n, problem.alpha), (p + q) * q**n) if n else ([1], 1)
    unit = priced.denominator // multipliers.denominator * whole
    below = 0
    for left in priced.reduced:
        seen = powers_along(left, p, q)
        below += sum(
            min(0, s * x - sums.get(k, 0) * unit)
            for k, (s, x) in enumerate(zip(ends_of, seen, strict=True))
        )
    total = Fraction(sum(sums.values()), multipliers.denominator)
    return ends + total + Fraction(below, priced.denominator * whole)
