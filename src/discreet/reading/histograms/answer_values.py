"""Debiased counts of every answer: functions of the output whose expectation is the true count of
the answer.

For a joint mechanism the value v_c solves

    sum_o v_c(o) Pr[o | t] = t_c     for every true histogram t.

If any function does, so does its mean over the exchanges that leave the mechanism and the answer c
as they are, so it is enough to look for one value for each kind of output (`weighted_law`). Whether
there is one is decided by ranks of integer matrices, exactly: a matrix need not be invertible, and
some best mechanisms leave outputs unused so that there is none. A solution whose condition leaves
no doubt about eleven digits is taken in floats, any other is solved in rationals and rounded once.

The values of all answers add up to n for every output: what they lack, if anything, has expectation
0 for every true histogram, and an equal share of it is taken from each.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from discreet.core.forms import Folded
from discreet.reading.histograms.weighted_law import kinds_of, points_of, weighted_law
from discreet.reading.methods.debiasing import (
    NotEstimable,
    certain_solution,
    refuse_hopeless,
    solve_singular,
)
from discreet.reading.totals import count_score

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism
    from discreet.reading.histograms.weighted_law import WeightedLaw, Weights
    from discreet.reading.methods.debiasing import Floats

REMEDY = (
    'use a larger epsilon, the loss "L0" or WH, which makes every histogram possible, or '
    "draw answer by answer"
)

STILL = "each group can be read by itself: in Python, dc.estimate(...).table()"
"""What can be done with a release that has no totals."""


def check_histogram_readable(mechanism: Mechanism) -> str | None:
    """Say why no answer's total can be estimated from a mechanism's outputs; None where all can.

    A function of the mechanism alone, so that it can be asked before anything is spent. `mechanism`
    draws histograms, or counts: each answer's by itself, or the first of two.

    >>> from discreet.designer.single import design
    >>> check_histogram_readable(design(n=4, categories=3, epsilon=1, loss="L0", cache=False))
    >>> print(
    ...     check_histogram_readable(design(n=4, categories=3, epsilon=1, loss="L1", cache=False))[
    ...         :89
    ...     ]
    ... )
    no unbiased estimate exists for groups of 4: the mechanism never answers with 3 of its 15
    """
    try:
        if isinstance(mechanism.form, Folded):
            answer_values(mechanism.form)
        elif mechanism.n:
            count_score(mechanism)
    except NotEstimable as error:
        return error.rule
    return None


def unreadable_note(count: str, mechanisms: Iterable[Mechanism]) -> str:
    """Say of which sizes no answer's total can be estimated, and why; empty where all can be."""
    reasons = {
        m.n: reason for m in mechanisms if (reason := check_histogram_readable(m)) is not None
    }
    if not reasons:
        return ""
    sizes = ", ".join(map(str, sorted(reasons)[:12])) + (", ..." if len(reasons) > 12 else "")
    return (
        f"{count}: totals and shares cannot be estimated from groups of {sizes}: "
        f"{reasons[max(reasons)]}"
    )


@lru_cache(maxsize=256)
def answer_values(form: Folded) -> Floats:
    """Return v_c(o) as an array [output, answer], outputs by the number of the point; 0 for outputs
    never given.

    >>> from discreet.core.histogram import Histogram
    >>> form = Folded(Histogram(1, 3), (0, 0, 0), (2, 1), 4)
    >>> answer_values(form)[0].tolist()
    [-1.0, -1.0, 3.0]
    """
    points, k = points_of(form), form.domain.k
    values = np.zeros((len(points), k))
    for one in range(max(form.classes) + 1):
        same = [c for c, other in enumerate(form.classes) if other == one]
        weights = unit_weights(k, same[0])
        law = weighted_law(form, weights)
        solved = _solve(form, law)
        for c in same:
            # an output tells of c what the output with both exchanged tells of the first answer of
            # the class
            order = list(range(k))
            order[c], order[same[0]] = same[0], c
            values[:, c] = solved[kinds_of(points[:, order], form.classes, weights)[0]]
        errors = solved[:, None] - _floats(law)[None, :]
        refuse_hopeless(
            np.einsum("ij,ij->j", law.chances, errors**2), _floats(law), "an answer's total", form.n
        )
    values += (form.n - values.sum(axis=1, keepdims=True)) / k
    values[~law.given[law.kind]] = 0.0
    values.flags.writeable = False
    return values


def unit_weights(k: int, answer: int) -> Weights:
    """The weights of one answer's count."""
    return tuple(Fraction(c == answer) for c in range(k))


def _floats(law: WeightedLaw) -> Floats:
    return np.array([float(f) for f in law.target])


def _solve(form: Folded, law: WeightedLaw) -> Floats:
    """Solve v^T Q = f^T, or refuse with the reason."""
    from flint import fmpq_mat, fmpz_mat

    if (found := certain_solution(law.chances, _floats(law))) is not None:
        return found[0]
    rows = law.exactly(form)
    matrix = fmpz_mat(rows)
    right = fmpz_mat([[int(f) * form.denominator] for f in law.target])
    rank = matrix.rank()
    if rank == len(rows):
        solution = matrix.solve(right)
    else:
        joined = fmpz_mat([[*row, int(right[at, 0])] for at, row in enumerate(rows)])
        if joined.rank() > rank:
            raise NotEstimable(_why(form), remedy=REMEDY)
        solution = solve_singular(fmpq_mat(matrix), fmpq_mat(right))
    return np.array([int(v.p) / int(v.q) for v in (solution[at, 0] for at in range(len(rows)))])


def _why(form: Folded) -> str:
    law = weighted_law(form, unit_weights(form.domain.k, 0))
    never = int((~law.given[law.kind]).sum())
    if never:
        fault = (
            f"the mechanism never answers with {never:,} of its {len(law.kind):,} histograms, so "
            "that"
        )
    else:
        fault = "its matrix is singular:"
    return (
        f"no unbiased estimate exists for groups of {form.n}: {fault} different distributions of "
        "true histograms give the same outputs"
    )
