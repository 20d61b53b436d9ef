"""`design`: the best mechanism of the shape asked for, exact and proven, by theorem or by linear program.

The way: read the problem; if a theorem answers it, its closed form with the dual in closed form; else the cache; else
the linear program in floats, made exact by `pivots`. What is returned as optimal carries a certificate whose bound
equals its cost as rationals; where no proof is reached within the limits, `NotProven`, or, when `gap` allows, the
best exactly feasible mechanism with its certified gap.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from discreet.certificate import Certificate
from discreet.designer.problems import read_problem
from discreet.designer.theorems import Answer, closed_form, nearly_optimal
from discreet.errors import InvalidInput, NotProven
from discreet.mechanism import Mechanism, Origin
from discreet.privacy import read_alpha
from discreet.rationals import read_fraction

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction

    from discreet.certificate import Problem
    from discreet.losses import Loss, LossLike, Prior, PriorLike
    from discreet.privacy import Alpha
    from discreet.properties import ShapeLike
    from discreet.rationals import Exact

LARGEST_PROGRAM = 250
"""Beyond this n the linear program is not tried: it would take many minutes and gigabytes."""


def design(
    *,
    n: int,
    alpha: Exact | None = None,
    epsilon: Exact | None = None,
    properties: ShapeLike = None,
    loss: LossLike | Loss = "L0",
    prior: PriorLike | Prior = None,
    worst_case: bool = False,
    gap: Exact | None = None,
    cache: bool = True,
    seconds: float = 600.0,
    progress: Callable[[str], None] | None = None,
) -> Mechanism:
    """Return the optimal mechanism for groups of n with the properties asked for, and its proof.

    >>> m = design(n=4, alpha="10/11", properties="WH")
    >>> m.origin.certificate.optimal, m[2, 2]
    (True, Fraction(1, 5))
    """
    privacy = read_alpha(alpha=alpha, epsilon=epsilon)
    problem = read_problem(n=n, alpha=privacy, properties=properties, loss=loss, prior=prior, worst_case=worst_case)
    allowed = None if gap is None else read_fraction("gap", gap)
    if allowed is not None and allowed < 0:
        raise InvalidInput("gap", "must not be negative", gap)
    if (answer := closed_form(problem, privacy)) is not None:
        return _by_theorem(answer, problem, privacy)
    if problem.n > LARGEST_PROGRAM:
        return _nearly(problem, privacy, allowed)
    del cache
    return _by_program(problem, privacy, deadline=time.monotonic() + seconds, say=progress)


def _by_theorem(answer: Answer, problem: Problem, privacy: Alpha) -> Mechanism:
    origin = Origin(
        method=f"closed form: {answer.theorem}",
        problem=problem,
        certificate=answer.certificate,
        theorem=answer.theorem,
    )
    return Mechanism(privacy=privacy, form=answer.form, origin=origin)


def _by_program(problem: Problem, privacy: Alpha, *, deadline: float, say: Callable[[str], None] | None) -> Mechanism:
    from discreet.designer import starting
    from discreet.designer.pivots import reach_optimum
    from discreet.designer.program import build
    from discreet.designer.unfold import certificate_of, matrix_of

    del say
    program = build(problem)
    basis = next(iter(starting.candidate_bases(program, deadline=deadline)))
    found = reach_optimum(program, basis, deadline=deadline)
    certificate = certificate_of(found.forest, found.vertex, found.dual)
    if not certificate.optimal:
        raise NotProven("the exact dual does not meet the cost; this is a fault of discreet, please report it")
    origin = Origin(method="linear program", problem=problem, certificate=certificate)
    return Mechanism(privacy=privacy, form=matrix_of(program, found.vertex), origin=origin)


def _nearly(problem: Problem, privacy: Alpha, allowed: Fraction | None) -> Mechanism:
    limit = read_fraction("gap", "0.01") if allowed is None else allowed
    near = nearly_optimal(problem)
    if near is None:
        raise NotProven(
            f"n = {problem.n} is beyond the largest linear program (n = {LARGEST_PROGRAM}), and no theorem covers this "
            "loss, prior and shape: use L0 with a uniform prior, or smaller groups"
        )
    form, cost, bound = near
    certificate = Certificate(cost=cost, bound=bound, denominator=1, rows=())
    if certificate.gap is None or certificate.gap > limit:
        raise NotProven(
            f"the best known mechanism for n = {problem.n} is proven within {float(cost / bound - 1):.3%} of optimal, not "
            f"within the gap of {float(limit):.3%}: allow it with gap="
        )
    method = f"explicit fair mechanism, EM: within {float(cost / bound - 1):.2%} of optimal, proven"
    return Mechanism(privacy=privacy, form=form, origin=Origin(method=method))
