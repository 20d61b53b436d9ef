"""The best mechanism under rows of the caller's own, exactly and with its proof; or the proof that
there is none.

Own rows are dense, unlike the ratios that a basis is a forest of: each tight one is one more
equation of the small system that couples the trees (`simplex.basis`), as a worst case's inputs are.
The rest is what counts without own rows take: a basis from HiGHS, exact pivots to the canonical
optimum, multipliers over the full rows.

Symmetry is free only if with every own row its mirror image is asked for too; else nothing is
folded.

Own rows can contradict each other, privacy or a property. Then `own.contradiction` proves it.
"""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial
from itertools import product
from typing import TYPE_CHECKING

from discreet.core.certificate import Certificate
from discreet.core.mechanism import Mechanism, Origin
from discreet.core.transforms import derives_from_geometric
from discreet.designer.lp.answer import TRY, far_entries, leaning_cost, suggest_near
from discreet.designer.lp.highs import solve
from discreet.designer.lp.program import Program, build, satisfies
from discreet.designer.own.contradiction import contradiction
from discreet.designer.simplex.pivots import Optimum, TooFar, reach_optimum, tie_weights
from discreet.designer.simplex.system import Contradictory
from discreet.designer.simplex.unfold import is_dual, price, unfold
from discreet.designer.simplex.vertex import cost_of, matrix_of
from discreet.errors import Infeasible, InvalidInput, NotProven

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

    from discreet.core.certificate import Problem
    from discreet.core.forms import Dense
    from discreet.core.rationals import Alpha
    from discreet.designer.single import Effort

MOST_N = 60
"""Up to this group size own rows are designed for: beyond, a lopsided prior may take many
minutes.
"""

_REPORT = "please report this problem"


def expected_seconds(problem: Problem) -> float:
    """About how long a design with own rows takes; `InvalidInput` where the group is too large."""
    if problem.n > MOST_N:
        raise InvalidInput("n", f"must be at most {MOST_N} for a design with own rows", problem.n)
    return 0.02 + 0.6 * (problem.n / 40) ** 3


def answer_own(
    problem: Problem, privacy: Alpha, effort: Effort
) -> tuple[Mechanism, Fraction, bool]:
    """Return the best mechanism with own rows, or of those that derive from GM; its cost, and
    whether it is sound.
    """
    if problem.derivable:
        from discreet.designer.own.derivable_answer import expected_derivable, solve_derivable

        deadline = effort.begin(f"n = {problem.n}, derivable from GM", expected_derivable(problem))
        form, proof = solve_derivable(problem, deadline=deadline)
    else:
        deadline = effort.begin(f"n = {problem.n}, own rows", expected_seconds(problem))
        form, proof = solve_own(problem, privacy, deadline=deadline)
    origin = Origin(method="linear program", problem=problem, proof=proof)
    made = Mechanism(privacy=privacy, form=form, origin=origin)
    sound = satisfies(problem, form) and all(rows.check(form.entry).holds for rows in problem.own)
    return made, proof.cost, sound and (not problem.derivable or derives_from_geometric(made).holds)


def solve_own(problem: Problem, privacy: Alpha, *, deadline: float) -> tuple[Dense, Certificate]:
    """Return the best mechanism that has the own rows too, and its proof; `Infeasible`, with its
    proof, if none has.
    """
    program = own_program(problem)
    explore = partial(suggest_near, program, deadline=deadline)
    start: list[int] | None = None
    try:
        for basis in suggestions(program, deadline=deadline):
            try:
                return _proven(
                    reach_optimum(program, basis, deadline=deadline, limit=TRY, explore=explore)
                )
            except TooFar as stopped:
                start = stopped.basis.tight
            except Contradictory:
                break
        impossible = contradiction(program, privacy, deadline=deadline)
        if impossible is None:
            return _proven(reach_optimum(program, start or [], deadline=deadline))
    except TooFar:
        raise NotProven(
            "no proof of optimality within the time allowed",
            remedy="allow more `seconds`",
            code="time-limit",
        ) from None
    names = ", ".join(repr(problem.own[k].name) for k in impossible.sets)
    shape = f" and {problem.shape}" if str(problem.shape) else ""
    raise Infeasible(
        f"no mechanism for n = {problem.n} with this alpha{shape} has the own rows {names}, "
        f"as {len(impossible.rows)} exact multipliers prove",
        remedy="loosen a bound, or ask for fewer properties",
        proof=impossible,
    )


def own_program(problem: Problem) -> Program:
    """The program of a problem with its own rows, folded onto the variables; equal ones are one
    row.
    """
    program = build(problem)
    found: dict[tuple[tuple[tuple[int, int], ...], int], tuple[str, int, int, int]] = {}
    for a, own in enumerate(problem.own):
        for b, row in enumerate(own.rows):
            cells, least = row.whole
            line: dict[int, int] = {}
            for i, j, c in cells:
                u = int(program.variable[i, j])
                line[u] = line.get(u, 0) + c
            entries = tuple(sorted((u, c) for u, c in line.items() if c))
            if entries or least > 0:  # else equal entries make it 0 >= 0, or less
                found.setdefault((entries, least), ("own", a, b, 0))
    return replace(program, extras=tuple(found), extra_label=tuple(found.values()))


def suggestions(program: Program, *, deadline: float) -> Iterator[list[int]]:
    """Bases to start from, the likeliest first."""
    cost = leaning_cost(program, tie_weights(program, 1))
    scaled = far_entries(program)
    for scale, method in product((scaled, not scaled), ("simplex", "ipm")):
        left = deadline - time.monotonic()
        if (
            left > 0
            and (found := solve(program, cost, method=method, scaled=scale, seconds=left))
            is not None
        ):
            yield found


def _proven(found: Optimum) -> tuple[Dense, Certificate]:
    """The matrix, and its multipliers priced over the full rows."""
    program, point = found.basis.program, found.vertex
    cost, multipliers = cost_of(program, point), unfold(found.basis, found.dual)
    if (
        not is_dual(program.problem, multipliers)
        or price(program.problem, multipliers).bound != cost
    ):
        raise NotProven("the exact solution failed its final check", remedy=_REPORT, code="fault")
    certificate = Certificate(
        cost=cost, bound=cost, denominator=multipliers.denominator, rows=multipliers.as_rows()
    )
    return matrix_of(program, point), certificate
