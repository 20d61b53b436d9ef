"""Debiased scores: a number per output whose expectation is what we want to know.

For a target f (f(x) = x for totals, f(x) = 1 if x == j for the distribution) the score v solves

    sum_i v_i Pr[i | x] = f(x)  for every x,      that is  v^T M = f^T,

so sum_k v(Y_k) is an unbiased estimate of sum_k f(x_k) whatever the true counts are (the paper
leaves this section out; the matrix inverse is the classical way, here in exact rationals). Its
noise has the known variance V(x) = sum_i Pr[i|x] (v_i - f(x))^2, and a second score s with s^T M =
V^T estimates that variance, also without bias, from the released numbers alone.

The score is solved in floats, and `bias` says what rounding can do: max_x |sum_i v_i Pr[i|x] -
f(x)|, measured, not assumed. Up to n = 64 a solution that its condition leaves uncertain is solved
exactly instead (python-flint) and then rounded once; `exact` is that solution for whoever asks.
Closed forms need no matrix at all: see `closed_scores`.

A matrix that cannot be inverted (UM: the output says nothing), or whose score is so wild that a
million groups would not tame it, is refused with the reason.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil, lcm
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from discreet.errors import DiscreetError

if TYPE_CHECKING:
    from collections.abc import Sequence

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

EXACT_SIZE = 64  # a tenth of a second; at 100 it is a second, and a table may have as many sizes
LARGEST_SIZE = 2_000  # a matrix of this size has 32 MB of floats
# noise of one group in units of the target's range: a million groups still leave one range
HOPELESS = 1_000
_CERTAIN = (
    1e-11  # how far off a float solution may be, of its largest value, before it is solved exactly
)


SINGULAR = (
    "the mechanism's matrix is singular: different distributions of true counts give the same "
    "outputs, so no unbiased estimate exists. The uniform mechanism is like this (its output "
    "ignores the data). Use a mechanism that answers with the data (geometric, fair, weakly "
    "honest), or read the posterior."
)


class Matrix(Protocol):
    """What estimation reads of a mechanism: its size, its exact columns and its floats."""

    @property
    def n(self) -> int:
        """Group size."""

    def column(self, j: int) -> tuple[Sequence[int], int]:
        """Pr[. | j] as integers over one denominator."""

    def floats(self) -> Floats:
        """Pr[i | j] as floats [i, j]."""


class NotEstimable(DiscreetError, ValueError):
    """The released numbers carry too little (or no) information for an unbiased estimate."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Score:
    """A debiased score, the law of its noise, and the score that estimates the noise's variance.

    The arrays are for a group of size n, or of a smaller size m with the same law
    (`closed_scores`): there an output of the lower half stands for itself, one of the upper half
    for its distance to n, and the middle for what is between.
    """

    n: int
    target: Floats
    values: Floats
    variance: Floats
    variance_score: Floats
    bias: float
    skew: tuple[float, float]
    """The largest k3(x)/V(x) over true counts, to the right and to the left."""
    score_noise: tuple[float, float]
    """With W(x) the variance of the variance score: the largest W(x), and the largest W(x)/V(x)."""
    step: float
    """The widest gap between neighbouring values."""
    solved_exactly: Callable[[], tuple[Fraction, ...]] | None
    law: Callable[[], Law | None]
    """Makes the law of the noise: of this group, or of a smaller one that errs alike; None where
    that is too large.
    """
    law_cells: float
    """How many chances that law has; infinitely many where it is too large."""
    log_mean: Callable[[float], float] | None = None
    """A bound on max_x log E exp(s (v - f(x))) for s > 0 and for -s alike, where one is known
    without the law.
    """

    def at(self, outputs: Integers) -> Floats:
        """The debiased value of each output."""
        return stretched_values(self.values, self.n, outputs)

    def variance_at(self, outputs: Integers) -> Floats:
        """The variance score of each output."""
        return np.asarray(
            self.variance_score[outputs - moved(len(self.values) - 1, self.n, outputs)]
        )

    @cached_property
    def exact(self) -> tuple[Fraction, ...] | None:
        """The values as exact rationals, for a matrix that is small enough, and for GM."""
        return None if self.solved_exactly is None else self.solved_exactly()

    @cached_property
    def matrix(self) -> Floats:
        """The law of the noise, Pr[i | x], for every output and true count."""
        law = self.law()
        if law is None:
            raise NotEstimable(f"the matrix of a group of {self.n} is too large to write out")
        return law.matrix

    @cached_property
    def worst_variance(self) -> float:
        """The largest variance of one group's noise over all true counts."""
        return float(self.variance.max())

    @cached_property
    def least_variance(self) -> float:
        """The smallest."""
        return float(self.variance.min())

    @cached_property
    def mean_variance(self) -> float:
        """The mean over all true counts; those left out of a smaller group with the same law are
        like its middle.
        """
        left_out = self.n + 1 - len(self.variance)
        return float(
            (self.variance.sum() + left_out * self.variance[len(self.variance) // 2]) / (self.n + 1)
        )

    @cached_property
    def reach(self) -> tuple[float, float]:
        """The largest error that one group can make, to the right and to the left."""
        shift = self.n + 1 - len(self.values)
        right, left = (
            self.values.max() + shift - self.target.min(),
            self.target.max() + shift - self.values.min(),
        )
        return max(float(right), 0.0), max(float(left), 0.0)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Law:
    """Pr[i | x], and the error v_i - f(x) that goes with it."""

    matrix: Floats
    errors: Floats


def solve_exactly(matrix: Matrix, target: Sequence[int | Fraction]) -> tuple[Fraction, ...]:
    """Solve v^T M = f^T in exact rationals; raise `NotEstimable` when the matrix is singular and
    f is out of reach.
    """
    from flint import fmpq, fmpq_mat, fmpz_mat

    n = matrix.n
    columns = [matrix.column(j) for j in range(n + 1)]
    left = fmpz_mat([[int(p) for p in numerators] for numerators, _ in columns])
    wanted = [
        Fraction(f) * denominator for f, (_, denominator) in zip(target, columns, strict=True)
    ]
    scale = lcm(*(w.denominator for w in wanted))
    right = fmpz_mat([[int(w * scale)] for w in wanted])
    try:
        solution = left.solve(right)
    except ZeroDivisionError:
        solution = solve_singular(fmpq_mat(left), fmpq_mat(right))
    values = [solution[i, 0] / fmpq(scale) for i in range(n + 1)]
    return tuple(Fraction(int(v.p), int(v.q)) for v in values)


def score(
    matrix: Matrix,
    target: Sequence[int | Fraction],
    *,
    what: str = "the total",
    array: Floats | None = None,
) -> Score:
    """Solve for the debiased score of a target and describe its noise exactly; `array` is the
    matrix as floats.

    Raises `NotEstimable` when the matrix cannot tell the target at all, or only hopelessly.
    """
    n = matrix.n
    if n > LARGEST_SIZE:
        raise NotEstimable(
            f"{what} cannot be debiased for a group of size {n}: the limit is {LARGEST_SIZE}. Use "
            "the one-group intervals, or release large groups with the geometric or the fair "
            "mechanism."
        )
    array = np.asarray(matrix.floats() if array is None else array, dtype=np.float64)
    wanted = np.array([float(f) for f in target])
    small = n <= EXACT_SIZE
    if not small:
        values = _solve_floats(array, wanted, what)
    elif (found := certain_solution(array, wanted)) is not None:
        values, _ = found
    else:
        values = np.array([float(v) for v in solve_exactly(matrix, target)])
    exactly = (lambda: solve_exactly(matrix, target)) if small else None
    return describe(array, wanted, values, what=what, exactly=exactly)


def describe(
    array: Floats,
    wanted: Floats,
    values: Floats,
    *,
    what: str,
    exactly: Callable[[], tuple[Fraction, ...]] | None = None,
    inverse: Floats | None = None,
    n: int | None = None,
) -> Score:
    """Put a solved score together with the law of its noise; refuse one that is hopelessly noisy.

    `array` may have more outputs than true answers, or fewer.
    """
    errors = values[:, None] - wanted[None, :]
    variance = np.einsum("ij,ij->j", array, errors**2)
    refuse_hopeless(variance, wanted, what, n)
    variance_score = _least_squares(array, variance) if inverse is None else variance @ inverse
    positive = np.maximum(variance, np.finfo(np.float64).tiny)
    skew = np.einsum("ij,ij->j", array, errors**3) / positive
    noise = np.einsum("ij,ij->j", array, (variance_score[:, None] - variance[None, :]) ** 2)
    return Score(
        n=len(values) - 1,
        target=wanted,
        values=values,
        variance=variance,
        variance_score=variance_score,
        bias=float(np.abs(values @ array - wanted).max()),
        skew=(max(float(skew.max()), 0.0), max(float((-skew).max()), 0.0)),
        score_noise=(float(noise.max()), float((noise / positive).max())),
        step=widest_gap(values),
        solved_exactly=exactly,
        law=lambda: Law(matrix=array, errors=errors),
        law_cells=array.size,
    )


def moved(size: int, n: Integers | int, outputs: Integers) -> Integers:
    """How far each output of a group of n is moved to find its like in one of `size`, pulled
    apart in the middle.
    """
    return np.clip(outputs - size // 2, 0, n - size)


def stretched_values(values: Floats, n: Integers | int, outputs: Integers) -> Floats:
    """The values of outputs of a group of n, from those of one that is no larger and has the same
    law.

    >>> stretched_values(np.array([-1.0, 1.0, 2.0, 3.0, 5.0]), 10, np.array([0, 1, 5, 10])).tolist()
    [-1.0, 1.0, 5.0, 11.0]
    """
    shift = moved(len(values) - 1, n, outputs)
    return np.asarray(values[outputs - shift] + shift)


def widest_gap(values: Floats) -> float:
    """The widest gap between neighbouring values."""
    return float(np.diff(np.sort(values)).max(initial=0.0))


def certain_solution(array: Floats, wanted: Floats) -> tuple[Floats, Floats] | None:
    """The solution in floats and the inverse, if its condition leaves no doubt about eleven
    digits of it.
    """
    try:
        inverse = np.asarray(np.linalg.inv(array), dtype=np.float64)
    except np.linalg.LinAlgError:
        return None
    values = np.asarray(wanted @ inverse, dtype=np.float64)
    values += (wanted - values @ array) @ inverse
    # what is left, and what rounding may hide of it, blown up by the inverse
    rounding = np.finfo(np.float64).eps * len(wanted) * (np.abs(values) @ np.abs(array))
    doubt = float(((np.abs(wanted - values @ array) + rounding) @ np.abs(inverse)).max(initial=0.0))
    return (values, inverse) if doubt <= _CERTAIN * np.abs(values).max(initial=0.0) else None


def solve_singular(left: Any, right: Any) -> Any:
    """Some solution of a singular system, if there is one (a pooled output still tells a pooled
    target).
    """
    from flint import fmpq_mat

    size = left.nrows()
    joined = fmpq_mat(size, size + 1)
    for r in range(size):
        for c in range(size):
            joined[r, c] = left[r, c]
        joined[r, size] = right[r, 0]
    reduced, rank = joined.rref()
    solution = fmpq_mat(size, 1)
    for r in range(rank):
        pivot = next(c for c in range(size + 1) if reduced[r, c] != 0)
        if pivot == size:
            raise NotEstimable(SINGULAR)
        solution[pivot, 0] = reduced[r, size]
    return solution


def _solve_floats(array: Floats, wanted: Floats, what: str) -> Floats:
    """Solve in floats with one step of refinement; refuse when the residual shows that the
    answer means nothing.
    """
    try:
        values = np.linalg.solve(array.T, wanted)
        values += np.linalg.solve(array.T, wanted - array.T @ values)
    except np.linalg.LinAlgError:
        values = np.full_like(wanted, np.inf)
    if not np.all(np.isfinite(values)) or np.abs(values @ array - wanted).max() > 1e-6 * max(
        np.ptp(wanted), 1.0
    ):
        raise NotEstimable(
            f"the mechanism's matrix is numerically singular at n = {len(wanted) - 1}, so {what} "
            "cannot be debiased. Use a larger epsilon, smaller groups, or the geometric mechanism."
        )
    return np.asarray(values, dtype=np.float64)


def _least_squares(array: Floats, variance: Floats) -> Floats:
    """Solve s^T M = V^T; the least-squares answer serves when M is singular and V in its reach,
    else the worst V.
    """
    try:
        if array.shape[0] != array.shape[1]:
            raise np.linalg.LinAlgError
        return np.asarray(np.linalg.solve(array.T, variance), dtype=np.float64)
    except np.linalg.LinAlgError:
        solved = np.asarray(np.linalg.lstsq(array.T, variance)[0], dtype=np.float64)
    off = np.abs(solved @ array - variance).max(initial=0.0)
    worst = variance.max(initial=0.0)
    return solved if off <= 1e-9 * worst else np.full(len(array), worst)


def refuse_hopeless(variance: Floats, wanted: Floats, what: str, n: int | None = None) -> None:
    """Refuse a score whose noise dwarfs everything it could tell; `n` where not every true
    answer is a count 0..n.
    """
    n = len(wanted) - 1 if n is None else n
    spread = float(np.ptp(wanted))
    deviation = float(np.sqrt(variance.max()))
    if spread > 0 and deviation > HOPELESS * spread:
        groups = ceil((deviation / spread) ** 2)
        raise NotEstimable(
            f"{what} cannot be estimated from these outputs: with n = {n} and alpha so near 1, "
            f"one group's debiased value has a standard deviation {deviation / spread:,.0f} times "
            f"the range of what is estimated, so that it would take {groups:,} groups to learn "
            "anything. Use a larger epsilon, larger groups or the geometric mechanism; the "
            "posterior of one group and its confidence interval remain valid (and wide)."
        )
