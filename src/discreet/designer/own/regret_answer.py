"""The mechanism with the least regret over a set of priors: the least worst ratio to what each
prior's best would cost.

    minimise over M   max over the priors s of   cost_s(M) / best_s

is a linear program with one more variable, as a worst case over inputs is: `t >= cost_s(M) /
best_s`. The ratio is quasi-convex in the prior where `best` is concave, so the set may be read as
its convex hull: between the priors no mixture has a greater ratio.

Its multipliers for these rows, the shares, add up to 1. They say which mixture of the priors is the
least favourable: weights `sum_s share_s w_s / best_s`, made to sum to 1. M is the best mechanism
for that one prior, in the ordinary sense, with an ordinary certificate; and the cost there, times
what the weights came to, is the least worst ratio.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import lcm
from typing import TYPE_CHECKING

from discreet.core.certificate import Certificate, Regret, score
from discreet.core.losses import read_prior
from discreet.core.mechanism import Mechanism, Origin
from discreet.designer.lp.answer import TRY, suggest_near
from discreet.designer.lp.program import Program, build, satisfies
from discreet.designer.own.own_answer import suggestions
from discreet.designer.simplex.pivots import Optimum, TooFar, reach_optimum
from discreet.designer.simplex.unfold import is_dual, named, price, spread
from discreet.designer.simplex.vertex import cost_of, matrix_of
from discreet.errors import InvalidInput, NotProven

if TYPE_CHECKING:
    from collections.abc import Sequence

    from discreet.core.certificate import Problem
    from discreet.core.losses import PriorLike
    from discreet.core.rationals import Alpha
    from discreet.designer.single import Effort

MOST_N = 60
MOST_PRIORS = 200
_REPORT = "please report this problem"


def least_regret(
    problem: Problem, priors: Sequence[PriorLike], privacy: Alpha, effort: Effort
) -> Mechanism:
    """Return the mechanism of least regret over a set of priors, with its proof."""
    asked = _each(problem, priors)
    best = []
    for one in asked:
        from discreet.designer.single import known_answer, solve_program

        made = known_answer(one, privacy, effort) or solve_program(one, privacy, effort)
        proof = made.origin.certificate
        if proof is None or not proof.optimal:
            raise NotProven(
                "the best mechanism for one of the priors is not proven",
                remedy="ask for a smaller n",
            )
        if proof.cost == 0:
            rule = "must have no prior whose best mechanism costs 0: no ratio to that is finite"
            raise InvalidInput("priors", rule, one.prior.name)
        best.append(proof)
    deadline = effort.begin(
        f"n = {problem.n}, regret over {len(asked)} priors", 0.05 + 2 * (problem.n / 40) ** 3
    )
    found = _solve(_program(asked, [proof.cost for proof in best]), deadline=deadline)
    return _proven(asked, best, found, privacy)


def _each(problem: Problem, priors: Sequence[PriorLike]) -> list[Problem]:
    """The problem under each prior alone."""
    if isinstance(priors, (str, bytes)) or not hasattr(priors, "__iter__"):
        raise InvalidInput(
            "priors",
            "must be a list of priors",
            priors,
            remedy="such as ['Binomial(0.2)', 'Binomial(0.4)']",
        )
    read = [read_prior(prior, problem.n) for prior in priors]
    if not 1 <= len(read) <= MOST_PRIORS:
        raise InvalidInput("priors", f"must be 1 to {MOST_PRIORS} priors", len(read))
    if not 1 <= problem.n <= MOST_N:
        raise InvalidInput("n", f"must be 1 to {MOST_N} for a design by regret", problem.n)
    return [replace(problem, prior=prior) for prior in read]


def _program(asked: list[Problem], best: list[Fraction]) -> Program:
    """The program: rows as ever, and a ratio to each prior's best below t. It is folded if every
    prior is symmetric.
    """
    lopsided = next((one for one in asked if not one.prior.symmetric), asked[0])
    program, n = build(lopsided), lopsided.n
    lines: list[dict[int, Fraction]] = []
    for one, least in zip(asked, best, strict=True):
        line: dict[int, Fraction] = {}
        for i in range(n + 1):
            for j, w in enumerate(one.prior.weights):
                if amount := w * one.loss.cost(i, j) / least:
                    u = int(program.variable[i, j])
                    line[u] = line.get(u, Fraction(0)) + amount
        lines.append(line)
    scale = lcm(*(x.denominator for line in lines for x in line.values()))
    inputs = tuple(tuple((u, int(x * scale)) for u, x in sorted(line.items())) for line in lines)
    return replace(
        program,
        scale=scale,
        cost=(0,) * program.cells,
        inputs=inputs,
        input_label=tuple(range(len(inputs))),
    )


def _solve(program: Program, *, deadline: float) -> Optimum:
    explore = partial(suggest_near, program, deadline=deadline)
    start: list[int] = []
    try:
        for basis in suggestions(program, deadline=deadline):
            try:
                return reach_optimum(program, basis, deadline=deadline, limit=TRY, explore=explore)
            except TooFar as stopped:
                start = stopped.basis.tight
        return reach_optimum(program, start, deadline=deadline)
    except TooFar:
        raise NotProven(
            "no proof of optimality within the time allowed",
            remedy="allow more `seconds`",
            code="time-limit",
        ) from None


def _proven(
    asked: list[Problem], best: list[Certificate], found: Optimum, privacy: Alpha
) -> Mechanism:
    """The mechanism as the best for the least favourable mixture, and what it costs under each
    prior.
    """
    program, point = found.basis.program, found.vertex
    value, form, rows = (
        cost_of(program, point),
        matrix_of(program, point),
        named(found.basis, found.dual),
    )
    shares = [Fraction(0)] * len(asked)
    for name in [name for name in rows if name[0] == "input"]:
        y = rows.pop(name)
        shares[name[1]] += Fraction(int(y.p), int(y.q))
    worth = [share / proof.cost for share, proof in zip(shares, best, strict=True)]
    whole = sum(worth)
    pairs = list(zip(worth, asked, strict=True))
    weights = [
        sum(x * one.prior.weights[j] for x, one in pairs) / whole
        for j in range(program.problem.n + 1)
    ]
    regret = Regret(
        priors=tuple(one.prior for one in asked),
        optima=tuple(best),
        shares=tuple(shares),
        value=value,
    )
    problem = replace(asked[0], prior=read_prior(weights, asked[0].n), regret=regret)
    part = whole.denominator, whole.numerator
    divided = {name: y * part[0] / part[1] for name, y in rows.items()}
    multipliers = spread(replace(program, problem=problem, inputs=(), input_label=()), divided)
    cost = score(form, problem.loss, problem.prior)
    bound = price(problem, multipliers).bound
    worst = max(
        score(form, one.loss, one.prior) / proof.cost
        for one, proof in zip(asked, best, strict=True)
    )
    sound = is_dual(problem, multipliers) and sum(shares) == 1 and satisfies(problem, form)
    if not sound or bound != cost or worst != value or cost * whole != value:
        raise NotProven("the exact solution failed its final check", remedy=_REPORT, code="fault")
    proof = Certificate(
        cost=cost, bound=bound, denominator=multipliers.denominator, rows=multipliers.as_rows()
    )
    origin = Origin(method="linear program: least regret", problem=problem, proof=proof)
    return Mechanism(privacy=privacy, form=form, origin=origin)
