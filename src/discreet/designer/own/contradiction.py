"""Whether own rows contradict each other, privacy or a property, and the exact multipliers that
prove it (Farkas).

Rows are added one at a time. Before a row is added, the most that its left side comes to under
those before it is found exactly, by the same simplex as an optimum. Where that is below its right
side, there is no mechanism: the multipliers that prove the most, and 1 for the row itself, add up
to `0 >= right side - most`, a positive number.
"""

from __future__ import annotations

import time
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from flint import fmpq

from discreet.core.losses import read_loss
from discreet.designer.lp.answer import far_entries, suggest_near
from discreet.designer.lp.highs import solve
from discreet.designer.simplex.pivots import reach_optimum
from discreet.designer.simplex.unfold import is_dual, named, price, spread
from discreet.designer.simplex.vertex import cost_of
from discreet.errors import NotProven
from discreet.proof.own.impossibility import Impossibility

if TYPE_CHECKING:
    from discreet.core.certificate import Problem
    from discreet.core.rationals import Alpha
    from discreet.designer.lp.program import Name, Program
    from discreet.designer.simplex.pivots import Optimum


def contradiction(program: Program, privacy: Alpha, *, deadline: float) -> Impossibility | None:
    """Prove that no mechanism has all of a program's rows; None if there is one. `TooFar` beyond
    the deadline.
    """
    problem, size = program.problem, program.problem.n + 1
    # without costs: only what is feasible matters
    costless = replace(
        problem, loss=read_loss([[Fraction(0)] * size] * size, problem.n), worst_case=False
    )
    base = replace(program, problem=costless, inputs=(), input_label=(), scale=1)
    for k, ((line, least), label) in enumerate(
        zip(program.extras, program.extra_label, strict=True)
    ):
        cost = [0] * program.cells
        for u, amount in line:
            cost[u] = -amount
        before = replace(
            base, cost=tuple(cost), extras=program.extras[:k], extra_label=program.extra_label[:k]
        )
        found = _least(before, deadline=deadline)
        most = -cost_of(before, found.vertex)
        if most < least:
            return _proof(before, problem, privacy, named(found.basis, found.dual), label)
    return None


def _least(program: Program, *, deadline: float) -> Optimum:
    """The exact optimum of a program's mean cost."""
    cost = np.array(program.cost, dtype=np.float64)
    cost /= np.abs(cost).max() or 1.0
    scaled = far_entries(program)
    start = solve(program, cost, scaled=scaled, seconds=max(0.01, deadline - time.monotonic()))
    explore = partial(suggest_near, program, deadline=deadline)
    return reach_optimum(program, start or [], deadline=deadline, explore=explore, unique=False)


def _proof(
    program: Program, problem: Problem, privacy: Alpha, rows: dict[Name, fmpq], last: Name
) -> Impossibility:
    """The multipliers over the full rows, priced there."""
    multipliers = spread(program, {**rows, last: fmpq(1)})
    bound = price(program.problem, multipliers).bound
    if bound <= 0 or not is_dual(program.problem, multipliers):
        raise NotProven(
            "the proof that nothing is feasible failed its check",
            remedy="please report this problem",
        )
    return Impossibility(
        problem=problem,
        privacy=privacy,
        bound=bound,
        denominator=multipliers.denominator,
        rows=multipliers.as_rows(),
    )
