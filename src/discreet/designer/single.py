"""`design`: ask for a shape, get the best private mechanism of that shape, with its proof."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, overload

from discreet.core.certificate import Certificate, read_problem, score
from discreet.core.forms import DENSE_LIMIT, Fair, Uniform
from discreet.core.histogram import Histogram, read_domain, read_histogram
from discreet.core.mechanism import Mechanism, Origin
from discreet.core.progress import Progress, silent
from discreet.core.properties import names_only
from discreet.core.rationals import Alpha, Exact, read_alpha, read_fraction, read_seconds, shown
from discreet.designer.cache import Store, open_store
from discreet.designer.lp.program import satisfies
from discreet.designer.theorems.closed_form import closed_form, nearly_optimal, percent
from discreet.errors import InvalidInput, NotProven

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike

    from discreet.core.certificate import Problem
    from discreet.core.forms import Dense, Form
    from discreet.core.losses import Loss, LossLike, Prior, PriorLike
    from discreet.core.own_rows import OwnRows, PropertiesLike
    from discreet.core.progress import Listener
    from discreet.core.properties import ShapeLike
    from discreet.designer.orbits.cell_by_cell import Cells

SENSIBLE_N = 200
"""Beyond this group size the linear program takes minutes: a proven gap of 1% is good enough by
default.
"""

DEFAULT_GAP = Fraction(1, 100)
PATIENCE = 600.0
"""Seconds after which a solve is given up by default."""

TELL_FROM = 5.0
"""Solves likely to take longer than this many seconds are announced."""

_log = logging.getLogger("discreet")


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """What an answer may take: its gap, its seconds, where designs are kept, and who hears of a
    long solve.
    """

    gap: Fraction | None
    seconds: float | None
    store: Store | None
    tell: Listener = silent

    def begin(self, what: str, expected: float) -> float:
        """Announce a linear program; return the time at which it is given up."""
        detail = f"{what}, a linear program likely to take {spoken(expected)}"
        self.tell(Progress(phase="designing", left=expected, detail=detail))
        return time.monotonic() + (PATIENCE if self.seconds is None else self.seconds)


def _announce(event: Progress) -> None:
    """Announce a solve that is likely to be long in the log: the default listener."""
    if event.left is not None and event.left >= TELL_FROM:
        _log.warning("%s: %s", event.phase, event.detail)


@overload
def design(
    *,
    n: int,
    categories: None = ...,
    step: int | None = ...,
    epsilon: Exact | None = ...,
    alpha: Exact | Alpha | None = ...,
    properties: PropertiesLike = ...,
    loss: LossLike | Loss = ...,
    prior: PriorLike | Prior = ...,
    worst_case: bool = ...,
    derivable: bool = ...,
    priors: Sequence[PriorLike] | None = ...,
    regret: bool = ...,
    gap: Exact | None = ...,
    seconds: float | None = ...,
    cache: bool | str | PathLike[str] = ...,
    progress: Listener | None = ...,
) -> Mechanism: ...
@overload
def design(
    *,
    n: int,
    categories: int | Sequence[str],
    step: int | None = ...,
    epsilon: Exact | None = ...,
    alpha: Exact | Alpha | None = ...,
    properties: PropertiesLike = ...,
    loss: LossLike | Loss = ...,
    prior: PriorLike | Prior = ...,
    worst_case: bool = ...,
    derivable: bool = ...,
    priors: Sequence[PriorLike] | None = ...,
    regret: bool = ...,
    gap: Exact | None = ...,
    seconds: float | None = ...,
    cache: bool | str | PathLike[str] = ...,
    progress: Listener | None = ...,
) -> Mechanism | Cells: ...
def design(
    *,
    n: int,
    categories: int | Sequence[str] | None = None,
    step: int | None = None,
    epsilon: Exact | None = None,
    alpha: Exact | Alpha | None = None,
    properties: PropertiesLike = None,
    loss: LossLike | Loss = "L0",
    prior: PriorLike | Prior = None,
    worst_case: bool = False,
    derivable: bool = False,
    priors: Sequence[PriorLike] | None = None,
    regret: bool = False,
    gap: Exact | None = None,
    seconds: float | None = None,
    cache: bool | str | PathLike[str] = True,
    progress: Listener | None = None,
) -> Mechanism | Cells:
    """Return the best alpha-private mechanism of a shape, exactly, with the proof that none is
    better.

    A theorem's closed form where one applies, else the linear program of the paper, solved and then
    made exact; `m.origin` says which and carries the certificate. Among several optima it is always
    the same one (see `discreet.designer.simplex.pivots`).

    - `n`: the group size; true counts and outputs run over 0..n
    - `categories`: how many answers there are, or their names: a histogram of the group instead of
      a count. Beyond 12,000 entries up to permutation of the answers (10 people over 5 answers have
      10,681), or 20,000 histograms, the answer is `Cells`: each count by GM, stated as such, with
      its exact error and the best bound known
    - `step`: by how much one person can move the count, where that is more than one
    - `epsilon`, `alpha`: the privacy; give exactly one of epsilon and alpha = exp(-epsilon)
    - `properties`: any of RH RM CH CM WH F S, output DP as "ODP:9/10", and rows of your own
      (`dc.rows`) in a list
    - `loss`: what a wrong answer costs: "L0", "L1", "L2", "L0,1", a power, or rows of costs
    - `prior`: how likely each true count is: None (uniform), weights or "Binomial(0.3)"
    - `worst_case`: minimise the cost of the worst true count instead of the mean over them
    - `derivable`: only mechanisms that are GM followed by a random map (`dc.retrofit`)
    - `priors`, `regret`: give both, `regret=True` and several priors: the least worst ratio to each
      prior's own optimum
    - `gap`: accept a mechanism proven within this part of optimal (0.01: 1%) when no proof of
      optimality is reached; the default is none up to n = 200 and 1% beyond. It is refused with
      several answers, rows of your own, `derivable` and `regret`, whose designs are optimal or fail
    - `seconds`: give up after about this long (ten minutes by default): `NotProven`, or the best
      within `gap`
    - `cache`: keep and reuse designs on disk: True, False or a folder
    - `progress`: called with an event before a linear program is solved; a long one is logged
      otherwise

    >>> m = design(n=4, alpha="10/11", properties="WH CM", cache=False)
    >>> m.score("L0") == m.origin.certificate.bound, m.satisfies("WH CM")
    (True, True)
    """
    privacy = read_alpha(alpha=alpha, epsilon=epsilon)
    other = categories is not None or step is not None
    if derivable and other:
        raise InvalidInput("derivable", "must be asked of plain counts", remedy="leave it out")
    properties, own = own_rows(properties, n, other=other)
    within = read_gap(gap)
    if within:
        several = categories is not None and read_histogram(n, categories).k > 2
        asked = {
            "several answers": several,
            "rows of your own": own,
            "`derivable`": derivable,
            "`regret`": regret,
        }
        refuse_gap(gap, *(name for name, given in asked.items() if given))
    if categories is not None and step is None:
        from discreet.designer.orbits.joint_limit import cells_instead, why_cells

        histograms = read_histogram(n, categories)
        if because := why_cells(histograms):
            return cells_instead(
                histograms,
                privacy,
                because,
                properties=properties,
                loss=loss,
                prior=prior,
                worst_case=worst_case,
            )
    over = None if categories is None and step is None else read_domain(n, categories, step)
    problem = read_problem(
        n=n,
        alpha=privacy,
        properties=properties,
        loss=loss,
        prior=prior,
        worst_case=worst_case,
        over=over,
        own=own,
    )
    if derivable:
        problem = replace(problem, derivable=True)
    if bool(regret) != (priors is not None) or (
        regret and (worst_case or not problem.plain or prior or over)
    ):
        rule = (
            "must be asked with `priors`, of a mean cost of plain counts: without `prior`, own "
            "rows and the like"
        )
        raise InvalidInput("regret", rule)
    effort = Effort(
        gap=within,
        seconds=read_seconds(seconds),
        store=open_store(cache),
        tell=progress or _announce,
    )
    if priors is not None:
        from discreet.designer.own.regret_answer import least_regret

        return least_regret(problem, priors, privacy, effort)
    return _solve(problem, privacy, effort)


def own_rows(
    properties: PropertiesLike, n: int, *, other: bool = False
) -> tuple[ShapeLike, tuple[OwnRows, ...]]:
    """Take what is asked for apart: properties by name, and rows of the caller's own at this
    group size.
    """
    if names_only(properties):
        return properties, ()
    from discreet.core.own_rows import split_rows

    return split_rows(properties, n, other=other)


def _solve(problem: Problem, privacy: Alpha, effort: Effort) -> Mechanism:
    """Answer a problem by theorem, from the store, or by the linear program."""
    return known_answer(problem, privacy, effort) or solve_program(problem, privacy, effort)


def known_answer(problem: Problem, privacy: Alpha, effort: Effort) -> Mechanism | None:
    """The answer that needs no linear program: by theorem, or from the store; None if there is
    none.
    """
    if problem.derivable:
        from discreet.designer.own.derivable_answer import known_derivable

        found = known_derivable(problem, privacy)
    else:
        found = closed_form(problem, privacy) if problem.plain else None
    if found is not None:
        return found
    if (
        problem.n > SENSIBLE_N
        and problem.plain
        and (near := nearly_optimal(problem, privacy)) is not None
    ):
        mechanism, within = near
        if within <= allowed_gap(problem.n, effort.gap):
            return mechanism
    return (
        None
        if effort.store is None or problem.n > DENSE_LIMIT
        else effort.store.get(problem, privacy)
    )


def allowed_gap(n: int, gap: Fraction | None) -> Fraction:
    """How far from optimal an answer for groups of n may be."""
    return gap if gap is not None else DEFAULT_GAP if n > SENSIBLE_N else Fraction(0)


def solve_program(problem: Problem, privacy: Alpha, effort: Effort) -> Mechanism:
    """Answer a problem by the linear program, and keep the answer."""
    if isinstance(problem.over, Histogram):
        return _solve_histogram(problem, privacy, effort)
    if not problem.plain:
        from discreet.designer.own.own_answer import answer_own

        made, cost, sound = answer_own(problem, privacy, effort)
        return _kept(made, problem, cost, sound=sound, store=effort.store)
    if problem.n > DENSE_LIMIT:
        raise NotProven(
            f"n = {problem.n} is too large for the linear program (at most {DENSE_LIMIT}) and no "
            "theorem covers it",
            remedy=f"for L0 and a uniform prior allow `gap={shown(Fraction(1, problem.n))!r}`, or "
            "ask for the least cost alone (`best_cost`), else use a smaller n",
        )
    deadline = effort.begin(f"n = {problem.n}", likely_seconds(problem))
    from discreet.designer.lp.answer import solve_linear

    answer = solve_linear(problem, deadline=deadline)
    if isinstance(answer.proof, Certificate):
        return _within_gap(
            problem, privacy, answer.form, answer.proof, allowed_gap(problem.n, effort.gap)
        )
    assert answer.form is not None
    # A design that is kept is written out at once, and that checks its proof; else its proof is
    # checked as it stands.
    proof = answer.proof if effort.store is None else answer.proof(problem)
    made = Mechanism(
        privacy=privacy,
        form=answer.form,
        origin=Origin(method="linear program", problem=problem, proof=proof),
    )
    proven = isinstance(proof, Certificate) or proof.holds()
    return _kept(
        made,
        problem,
        proof.cost,
        sound=proven and satisfies(problem, answer.form),
        store=effort.store,
    )


def _solve_histogram(problem: Problem, privacy: Alpha, effort: Effort) -> Mechanism:
    """Answer a problem about histograms: two answers are a count, more are a linear program of
    their own.
    """
    from discreet.designer.orbits.histogram_answer import (
        as_count,
        expected_seconds,
        from_count,
        solve_histogram,
    )

    method, theorem = "linear program", ""
    if problem.size == problem.n + 1:
        count = _solve(as_count(problem), privacy, effort)
        form, proof = from_count(problem, count)
        method, theorem = count.origin.method, count.origin.theorem
    else:
        deadline = effort.begin(str(problem.over), expected_seconds(problem))
        form, proof = solve_histogram(problem, deadline=deadline)
    origin = Origin(method=method, problem=problem, proof=proof, theorem=theorem)
    made = Mechanism(privacy=privacy, form=form, origin=origin)
    sound = proof.optimal and made.satisfies(problem.shape)
    return _kept(made, problem, proof.cost, sound=sound, store=effort.store)


def _kept(
    made: Mechanism, problem: Problem, cost: Fraction, *, sound: bool, store: Store | None
) -> Mechanism:
    """Keep a design that is sound, from the full rows, and costs what its proof says: nothing is
    taken on trust.
    """
    if not sound or _cost(problem, made.form) != cost:
        raise NotProven(
            "the exact solution failed its final check",
            remedy="please report this problem",
            code="fault",
        )
    if store is not None:
        store.put(made)
    return made


def _cost(problem: Problem, form: Form) -> Fraction:
    return score(form, problem.loss, problem.prior, worst_case=problem.worst_case)


def _within_gap(
    problem: Problem, privacy: Alpha, form: Dense | None, reached: Certificate, allowed: Fraction
) -> Mechanism:
    """Return the best exactly feasible mechanism with its certified gap, if the caller allows
    that much.
    """
    known: list[Form] = (
        [Uniform(problem.n), Fair(problem.n, problem.alpha)] if problem.over is None else []
    )
    forms = ([] if form is None else [form]) + [
        each for each in known if satisfies(problem, each.dense())
    ]
    if not forms:
        raise NotProven(
            "no mechanism of this shape was found within the time allowed",
            remedy="allow more `seconds`",
        )
    costs = [_cost(problem, form) for form in forms]
    best = min(range(len(forms)), key=costs.__getitem__)
    certificate = replace(reached, cost=costs[best])
    proven = certificate.gap
    if allowed == 0 or proven is None or proven > allowed:
        nearest = "none" if proven is None else f"{float(proven):.3g}"
        raise NotProven(
            f"no proof of optimality within the time allowed; the best certified gap is {nearest}",
            remedy="allow more `seconds`, or accept a `gap`",
            code="time-limit",
        )
    origin = Origin(
        method=f"linear program, within {percent(proven)} of optimal, proven",
        problem=problem,
        proof=certificate,
    )
    return Mechanism(privacy=privacy, form=forms[best], origin=origin)


def read_gap(gap: Exact | None) -> Fraction | None:
    """Read how far from optimal an answer may be; None where the caller did not say."""
    value = None if gap is None else read_fraction("gap", gap)
    if value is not None and not 0 <= value <= 1:
        raise InvalidInput(
            "gap", "must be in [0, 1]", gap, remedy="0.01 accepts 1% above the optimum"
        )
    return value


def refuse_gap(gap: Exact | None, *asked: str) -> None:
    """Refuse a gap where nothing is designed within one."""
    if asked:
        rule = f"is not for designs with {asked[0]}, which are optimal or fail"
        raise InvalidInput("gap", rule, found=gap, remedy="leave it out, or allow more `seconds`")


def likely_seconds(problem: Problem) -> float:
    """Estimate the seconds an LP design takes, from n, the shape and the objective; right within a
    factor of 4.

    >>> from discreet.core.certificate import read_problem
    >>> 0.05 < likely_seconds(
    ...     read_problem(n=100, epsilon=0.1, properties="WH CM RM", loss="L1")
    ... ) < 5
    True
    """
    size = problem.n / 100
    if problem.worst_case:
        seconds: float = 0.008 + 2.5 * size**4
    else:
        seconds = 0.003 + 0.10 * size**2.2
    # Weak honesty alone is nearly written down; fairness takes the longest walk.
    easy = (
        problem.shape.names <= {"WH", "S"}
        and problem.shape.output_dp is None
        and not problem.worst_case
    )
    seconds *= 0.6 if easy else 1.6 if "F" in problem.shape and not problem.worst_case else 1
    if not (problem.prior.symmetric and problem.loss.symmetric) and "S" not in problem.shape:
        seconds *= 2.5 if easy else 5
    return seconds


def spoken(seconds: float) -> str:
    """Say a duration as a person would.

    >>> spoken(8), spoken(200)
    ('about 8 seconds', 'about 3 minutes')
    """
    if seconds < 90:
        whole = max(1, round(seconds))
        return f"about {whole} second{'s' * (whole > 1)}"
    return (
        f"about {round(seconds / 60)} minutes"
        if seconds < 5400
        else f"about {round(seconds / 3600)} hours"
    )
