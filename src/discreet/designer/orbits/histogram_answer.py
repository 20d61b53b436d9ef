"""The best mechanism over histograms: solved in floats, made exact, and proven.

Two answers are the count of the paper, and are designed as one, by its theorems too. Otherwise the
folded program is solved by HiGHS and made exact by the simplex that counts use. Up to
`UNIQUE_UP_TO` orbits the answer is the canonical optimum, proven to be the only one of least cost
and tie-break; beyond, it is an optimum, with its proof.
"""

from __future__ import annotations

import time
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import product
from typing import TYPE_CHECKING

from discreet.core.forms import Folded
from discreet.core.forms.orbits import classes_of, histogram_of, number_of_orbits
from discreet.designer.lp.answer import TRY, far_entries, leaning_cost, suggest_near
from discreet.designer.lp.highs import solve
from discreet.designer.orbits.joint_limit import MOST_ORBITS
from discreet.designer.orbits.orbit_multipliers import refolded, write_certificate
from discreet.designer.orbits.orbit_program import Folding, fold
from discreet.designer.simplex.pivots import Optimum, TooFar, reach_optimum, tie_weights
from discreet.designer.simplex.vertex import cost_of
from discreet.errors import NotProven

if TYPE_CHECKING:
    from collections.abc import Iterator

    from discreet.core.certificate import Certificate, Problem
    from discreet.core.mechanism import Mechanism

UNIQUE_UP_TO = 3_000
"""Up to this many orbits (those of 8 people over 5 answers are 2,879) the canonical optimum is
found.
"""

SMALL = 1_000
"""Up to this many orbits dual simplex is as fast as interior point."""


def expected_seconds(problem: Problem) -> float:
    """About how long a design takes, by the number of orbits; `NotProven` where there are too
    many.
    """
    orbits = number_of_orbits(histogram_of(problem), classes_of(problem))
    if orbits > MOST_ORBITS:
        raise NotProven(
            f"the {problem.over} have {orbits:,} entries up to permutation, more than the "
            f"{MOST_ORBITS:,} that a joint design may have",
            remedy="leave `prior` and `loss` the same for all answers, take fewer people or "
            "answers, or use dc.cells",
        )
    return 0.01 + 20 * (orbits / 10_000) ** 2


def solve_histogram(problem: Problem, *, deadline: float) -> tuple[Folded, Certificate]:
    """Return the best mechanism of a problem about histograms, and the proof that none is
    better.
    """
    folding = fold(problem)
    program = folding.program
    unique = len(folding.orbits.codes) <= UNIQUE_UP_TO
    explore = partial(suggest_near, program, deadline=deadline)
    start: list[int] = []
    for basis in _suggestions(folding, deadline=deadline):
        try:
            found = reach_optimum(
                program, basis, deadline=deadline, limit=TRY, explore=explore, unique=unique
            )
            return _proven(folding, found)
        except TooFar as stopped:
            start = stopped.basis.tight
    try:
        return _proven(folding, reach_optimum(program, start, deadline=deadline, unique=unique))
    except TooFar:
        raise NotProven(
            "no proof of optimality within the time allowed",
            remedy="allow more `seconds`",
            code="time-limit",
        ) from None


def _suggestions(folding: Folding, *, deadline: float) -> Iterator[list[int]]:
    """Bases that a float solve suggests, the likeliest first."""
    program = folding.program
    cost = leaning_cost(program, tie_weights(program, 1))
    scaled = far_entries(program)
    methods = ("simplex", "ipm") if program.cells <= SMALL else ("ipm", "simplex")
    for scale, method in product((scaled, not scaled), methods):
        left = deadline - time.monotonic()
        if (
            left > 0
            and (found := solve(program, cost, method=method, scaled=scale, seconds=left))
            is not None
        ):
            yield found


def _proven(folding: Folding, found: Optimum) -> tuple[Folded, Certificate]:
    program, point = folding.program, found.vertex
    domain = histogram_of(
        folding.problem
    )  # with its names: orbits are shared by all domains of one size
    values = tuple(int(point.value[v]) for v in program.variable.tolist())
    form = Folded(domain, folding.orbits.classes, values, int(point.denominator)).in_lowest_terms()
    return form, write_certificate(folding, found.basis, found.dual, cost_of(program, point))


def as_count(problem: Problem) -> Problem:
    """The problem about a count that one over two answers is: how many gave the first."""
    loss = replace(problem.loss, over=None)
    return replace(problem, over=None, loss=loss)


def from_count(problem: Problem, made: Mechanism) -> tuple[Folded, Certificate]:
    """The mechanism of a count as one over histograms of two answers, with its proof."""
    domain, folding, dense = histogram_of(problem), fold(problem), made.form.dense()
    cells = [
        [domain.number(point) for point in folding.orbits.cell(u)]
        for u in range(len(folding.orbits.codes))
    ]
    values = tuple(dense.rows[i][j] for i, j in cells)
    form = Folded(domain, folding.orbits.classes, values, dense.denominator).in_lowest_terms()
    proof = made.origin.certificate
    if proof is None or made.origin.problem is None:
        raise NotProven("the theorem's multipliers are not written out for a group this large")
    # a count's L0 has the paper's factor (n+1)/n, a histogram's has not
    factor = (
        problem.loss.tail_cost / made.origin.problem.loss.tail_cost
        if problem.loss.tail is not None
        else 1
    )
    return form, refolded(folding, proof, as_count(problem), Fraction(factor))
