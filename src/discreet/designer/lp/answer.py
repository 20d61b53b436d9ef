"""The linear program's answer: solved in floats, made exact, proven, and the only one."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from math import lcm
from typing import TYPE_CHECKING

from discreet.core.certificate import Certificate
from discreet.designer.lp.highs import solve_dual
from discreet.designer.lp.program import Program, build
from discreet.designer.lp.start import candidate_bases, on_the_face
from discreet.designer.objective import costs_of, leaning_cost, tie_weights
from discreet.designer.simplex.pivots import Optimum, TooFar, reach_optimum
from discreet.designer.simplex.pricing import is_dual, price
from discreet.designer.simplex.proving import Proof
from discreet.designer.simplex.unfold import unfold, unfold_floats
from discreet.designer.simplex.vertex import cost_of, matrix_of
from discreet.designer.single import likely_seconds
from discreet.designer.theorems.multipliers import relabelled_multipliers

if TYPE_CHECKING:
    from discreet.core.certificate import Problem
    from discreet.core.forms import Dense


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """An exactly feasible matrix (None if none was reached) and what bounds its cost: a proof, if it is optimal."""

    form: Dense | None
    proof: Proof | Certificate
    pivots: int = 0


def solve_linear(problem: Problem, *, deadline: float) -> Answer:
    """Solve a problem's linear program; beyond the deadline, return the best bound and feasible vertex reached."""
    program = build(problem)
    explore = partial(on_the_face, program, deadline=deadline)
    nearest: TooFar | None = None
    for basis, limit in candidate_bases(program, deadline=deadline):
        if time.monotonic() > deadline:  # what is late is not used, so that a limit means the same on every machine
            break
        try:
            return _proven(reach_optimum(program, basis, deadline=deadline, limit=limit, explore=explore))
        except TooFar as stopped:
            nearest = _nearer(nearest, stopped)
    if time.monotonic() > deadline:
        return _unfinished(problem, program, nearest)
    # No suggestion was near enough: exact pivots for as long as it takes, from the best, or from nothing.
    try:
        start = [] if nearest is None else nearest.basis.tight
        return _proven(reach_optimum(program, start, deadline=deadline))
    except TooFar as stopped:
        return _unfinished(problem, program, _nearer(nearest, stopped))


def _proven(found: Optimum) -> Answer:
    program, point = found.basis.program, found.vertex
    return Answer(form=matrix_of(program, point), proof=Proof(found, cost_of(program, point)), pivots=found.pivots)


def _nearer(old: TooFar | None, new: TooFar) -> TooFar:
    """Prefer a feasible vertex, then the later one."""
    return old if old is not None and old.feasible and not new.feasible else new


def _unfinished(problem: Problem, program: Program, stopped: TooFar | None) -> Answer:
    """What was reached: the last feasible vertex, and the best of the bounds at hand, each of them exact."""
    bounds = [easy_certificate(problem)]
    found = [] if stopped is None else [unfold(stopped.basis, stopped.dual())]
    cost = leaning_cost(program, tie_weights(program, 1))
    if (floats := solve_dual(program, cost, seconds=30 + likely_seconds(problem))) is not None:
        rounded = unfold_floats(program, *floats)
        found += [] if rounded is None else [rounded]
    for multipliers in found:
        if is_dual(problem, multipliers):
            bound = price(problem, multipliers).bound
            rows = multipliers.as_rows()
            bounds.append(Certificate(cost=bound, bound=bound, denominator=multipliers.denominator, rows=rows))
    best = max(bounds, key=lambda certificate: certificate.bound)
    if stopped is None or not stopped.feasible:
        return Answer(form=None, proof=best)
    form = matrix_of(program, stopped.vertex)
    return Answer(form=form, proof=replace(best, cost=cost_of(program, stopped.vertex)))


def easy_certificate(problem: Problem) -> Certificate:
    """A bound without solving: relabelled GM's where it has one, else each input's cheapest answer."""
    if not problem.worst_case and (relabelled := relabelled_multipliers(problem)) is not None:
        return relabelled
    size, costs, weights = problem.n + 1, costs_of(problem), problem.prior.weights
    least = [Fraction(min(column), costs.loss_scale) for column in zip(*costs.loss, strict=True)]
    if problem.worst_case:
        place = max(range(size), key=lambda j: weights[j] * least[j])
        value = {("sum", place, 0, 0): size * weights[place] * least[place], ("input", place, 0, 0): Fraction(1)}
    else:
        value = {("sum", j, 0, 0): weights[j] * least[j] for j in range(size)}
    bound = sum((y for (kind, *_), y in value.items() if kind == "sum"), Fraction(0))
    denominator = lcm(*(y.denominator for y in value.values()))
    rows = tuple((*name, int(y * denominator)) for name, y in value.items() if y)
    return Certificate(cost=bound, bound=bound, denominator=denominator, rows=rows)
