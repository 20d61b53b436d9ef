"""The best mechanism with a column property for larger groups: the small program's optimum, filled
and proven.

It is the same on every machine: the small program must have one symmetric optimum only, and of the
matrices that belong to it the one is taken whose columns are as level as can be.

Nothing of the way here is believed: the designer checks the matrix as a mechanism and for every
property asked, and the multipliers are those of the paper's own rows (`full_rows`), added up by the
code that checks every linear program's.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from typing import TYPE_CHECKING, Any

from flint import fmpq

from discreet.core.certificate import Certificate
from discreet.core.forms import reduced
from discreet.core.properties import closure
from discreet.designer.large.filling import fill
from discreet.designer.large.full_rows import full_multipliers
from discreet.designer.large.symmetric_program import optimum
from discreet.designer.simplex.unfold import is_dual, price
from discreet.errors import NotProven

if TYPE_CHECKING:
    from discreet.core.certificate import Problem
    from discreet.core.forms import Dense
    from discreet.designer.simplex.unfold import Multipliers


@dataclass(frozen=True, slots=True)
class LevelProof:
    """The multipliers and the cost that they prove; called with the problem, it writes them out
    as a certificate.
    """

    problem: Problem
    multipliers: Multipliers
    cost: Fraction

    def holds(self) -> bool:
        """Check the multipliers over the full rows of the problem, exactly."""
        return (
            is_dual(self.problem, self.multipliers)
            and price(self.problem, self.multipliers).bound == self.cost
        )

    def __call__(self, problem: Problem) -> Certificate:
        """Check them, and write them out."""
        if problem != self.problem or not self.holds():
            raise NotProven(
                "the proof failed its check when it was written out: please report this problem"
            )
        rows = self.multipliers.as_rows()
        return Certificate(
            cost=self.cost, bound=self.cost, denominator=self.multipliers.denominator, rows=rows
        )


def covers(problem: Problem) -> bool:
    """Whether it is about the mean L0 under a uniform prior, with a column property, without F
    and output DP.
    """
    names, a = closure(problem.shape).names, problem.alpha
    asked = "CH" in names and "F" not in names and problem.shape.output_dp is None
    mean = problem.loss.tail == 0 and problem.prior.uniform and not problem.worst_case
    return (
        asked
        and mean
        and problem.over is None
        and problem.plain
        and problem.n >= 2
        and 2 * a > 1 > a
    )


def level_answer(problem: Problem) -> tuple[Dense, LevelProof] | None:
    """Return a matrix with WH, RM, CM and S, and the proof that it is the best; None where there is
    no proof.

    >>> from discreet.core.certificate import read_problem
    >>> form, proof = level_answer(read_problem(n=12, alpha="10/11", properties="WH CM"))
    >>> proof.holds(), form.entry(0, 3) == form.entry(12, 9)
    (True, True)
    """
    try:
        point, small = optimum(problem.n, problem.alpha)
        cost = point.cost
        if cost is None or cost != small.bound or not small.leaves_one_point:
            return None
        return _whole(fill(point)), LevelProof(problem, full_multipliers(problem, small), cost)
    except NotProven:
        return None


def _whole(matrix: list[list[Any]]) -> Dense:
    """Rationals as integers over one denominator; most of them have a part of it, which is cheap
    to see.
    """
    common = fmpq(1).q
    for x in chain.from_iterable(matrix):
        if common % x.q:
            common = common.lcm(x.q)
    return reduced([[int(x.p * (common // x.q)) for x in row] for row in matrix], int(common))
