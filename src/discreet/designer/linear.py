"""The linear program's answer: solved in floats, made exact, proven, and the only one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from discreet.certificate import Certificate
from discreet.designer.bounds import price
from discreet.designer.pivots import TooFar, reach_optimum
from discreet.designer.program import build
from discreet.designer.starting import candidate_bases, on_the_face
from discreet.designer.unfold import certificate_of, cost_of, matrix_of, unfold

if TYPE_CHECKING:
    from discreet.certificate import Problem
    from discreet.forms import Dense

TRY = 60
"""Exact pivots spent on one suggested basis before the next suggestion is tried."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """An exactly feasible matrix (None if none was reached) and what bounds its cost."""

    form: Dense | None
    certificate: Certificate
    pivots: int = 0


def solve_linear(problem: Problem, *, deadline: float) -> Answer:
    """Solve a problem's linear program; beyond the deadline, return the best bound and feasible vertex reached."""
    program = build(problem)
    explore = partial(on_the_face, program, deadline=deadline)
    nearest: TooFar | None = None
    for basis in candidate_bases(program, deadline=deadline):
        last = not basis
        if last and nearest is not None:
            basis = nearest.forest.tight
        try:
            found = reach_optimum(program, basis, deadline=deadline, limit=None if last else TRY, explore=explore)
        except TooFar as stopped:
            nearest = _nearer(nearest, stopped)
            continue
        certificate = certificate_of(found.forest, found.vertex, found.dual)
        return Answer(form=matrix_of(program, found.vertex), certificate=certificate, pivots=found.pivots)
    if nearest is None:  # pragma: no cover - the last candidate always ends one way or the other
        raise AssertionError("no basis was tried")
    return _unfinished(problem, nearest)


def _nearer(old: TooFar | None, new: TooFar) -> TooFar:
    """Prefer a feasible vertex, then the later one."""
    return old if old is not None and old.feasible and not new.feasible else new


def _unfinished(problem: Problem, stopped: TooFar) -> Answer:
    """What an unfinished basis proves: negative multipliers dropped, the bound is still one."""
    program = stopped.forest.program
    multipliers = unfold(stopped.forest, stopped.dual)
    bound = price(problem, multipliers).bound
    cost = cost_of(program, stopped.vertex)
    return Answer(
        form=matrix_of(program, stopped.vertex) if stopped.feasible else None,
        certificate=Certificate(
            cost=cost, bound=bound, denominator=multipliers.denominator, rows=multipliers.as_rows()
        ),
    )
