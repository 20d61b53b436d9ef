"""Debiased scores: a number per output whose expectation is what we want to know.

For a target f (f(x) = x for totals, f(x) = 1 if x == j for the distribution) the score v solves

    sum_i v_i Pr[i | x] = f(x)  for every x,      that is  v^T M = f^T,

so sum_k v(Y_k) is an unbiased estimate of sum_k f(x_k) whatever the true counts are (the paper leaves this
section out; the matrix inverse is the classical way, here in exact rationals). Its noise has the known variance
V(x) = sum_i Pr[i|x] (v_i - f(x))^2, and a second score s with s^T M = V^T estimates that variance, also without
bias, from the released numbers alone.

Up to n = 64 (GM: always) the score is solved exactly (python-flint) and then rounded once to a float; beyond,
in floats, and `bias` bounds what the rounding can do: max_x |sum_i v_i Pr[i|x] - f(x)|, measured, not assumed.

GM's score has a closed form, exact and for groups of any size. An inner output stands for itself; 0 and n stand for
the mean of the two-sided geometric tail that was clamped onto them, so

    v = (-a/(1-a), 1, 2, ..., n-1, n + a/(1-a)),

and the variance scores are 2a/(1-a)^2 inside and half of that at the ends. Nothing has to be solved, and for a very
large group no matrix is written out either: the noise depends on the true count only through its distance to the
ends, and not at all beyond a few multiples of 1/(1-a), so a smaller GM has the same law.

A matrix that cannot be inverted (UM: the output says nothing), or whose score is so wild that a million groups
would not tame it, is refused with the reason.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, lcm, log
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from discreet.errors import DiscreetError

if TYPE_CHECKING:
    from collections.abc import Sequence

Floats = NDArray[np.float64]

EXACT_SIZE = 64  # a tenth of a second; at 100 it is a second, and a table may have as many sizes
LARGEST_SIZE = 2_000  # a dense float solve of this size takes about a second and 64 MB
HOPELESS = 1_000.0  # noise of one group in units of the target's range: a million groups still leave one range
_SAME_LAW = 1e-3  # how much of the noise may reach across half of the smaller group that stands for a large one


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


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Score:
    """A debiased score, the law of its noise, and the score that estimates the noise's variance."""

    matrix: Floats
    """The law of the noise: Pr[i | x], for every output and true count, or for those that stand for all of them."""
    target: Floats
    law: Floats
    """The score's value for each row of `matrix`; `values` themselves unless the group is very large."""
    values: Floats
    exact: tuple[Fraction, ...] | None
    variance: Floats
    variance_score: Floats
    bias: float
    skew: tuple[float, float]
    """The largest k3(x)/V(x) over true counts, to the right and to the left."""
    score_noise: tuple[float, float]
    """With W(x) the variance of the variance score: the largest W(x), and the largest W(x)/V(x)."""
    step: float
    """The widest gap between neighbouring values."""

    @property
    def n(self) -> int:
        """Group size."""
        return len(self.values) - 1

    @property
    def worst_variance(self) -> float:
        """The largest variance of one group's noise over all true counts."""
        return float(self.variance.max())


def solve_exactly(matrix: Matrix, target: Sequence[int | Fraction]) -> tuple[Fraction, ...]:
    """Solve v^T M = f^T in exact rationals; raise `NotEstimable` when the matrix is singular and f is out of reach."""
    from flint import fmpq, fmpq_mat, fmpz_mat

    n = matrix.n
    columns = [matrix.column(j) for j in range(n + 1)]
    left = fmpz_mat([[int(p) for p in numerators] for numerators, _ in columns])
    wanted = [Fraction(f) * denominator for f, (_, denominator) in zip(target, columns, strict=True)]
    scale = lcm(*(w.denominator for w in wanted))
    right = fmpz_mat([[int(w * scale)] for w in wanted])
    try:
        solution = left.solve(right)
    except ZeroDivisionError:
        solution = _solve_singular(fmpq_mat(left), fmpq_mat(right))
    values = [solution[i, 0] / fmpq(scale) for i in range(n + 1)]
    return tuple(Fraction(int(v.p), int(v.q)) for v in values)


def score(matrix: Matrix, target: Sequence[int | Fraction], *, what: str = "the total") -> Score:
    """Solve for the debiased score of a target and describe its noise exactly.

    Raises `NotEstimable` when the matrix cannot tell the target at all, or only hopelessly.
    """
    n = matrix.n
    if n > LARGEST_SIZE:
        raise NotEstimable(
            f"{what} cannot be debiased for a group of size {n}: the limit is {LARGEST_SIZE}. "
            "Use the one-group intervals, or release large groups with the geometric mechanism."
        )
    array = np.asarray(matrix.floats(), dtype=np.float64)
    wanted = np.array([float(f) for f in target])
    exact = solve_exactly(matrix, target) if n <= EXACT_SIZE else None
    values = np.array([float(v) for v in exact]) if exact is not None else _solve_floats(array, wanted, what)
    bias = float(np.abs(values @ array - wanted).max()) if exact is None else 0.0
    return describe(array, wanted, values, what=what, exact=exact, bias=bias)


def describe(
    array: Floats,
    wanted: Floats,
    values: Floats,
    *,
    what: str,
    exact: tuple[Fraction, ...] | None = None,
    bias: float = 0.0,
    inverse: Floats | None = None,
) -> Score:
    """Put a solved score together with the law of its noise; refuse one that is hopelessly noisy."""
    errors = values[:, None] - wanted[None, :]
    variance = np.einsum("ij,ij->j", array, errors**2)
    _refuse_hopeless(variance, wanted, what)
    variance_score = _least_squares(array, variance) if inverse is None else variance @ inverse
    positive = np.maximum(variance, np.finfo(np.float64).tiny)
    skew = np.einsum("ij,ij->j", array, errors**3) / positive
    noise = np.einsum("ij,ij->j", array, (variance_score[:, None] - variance[None, :]) ** 2)
    return Score(
        matrix=array,
        target=wanted,
        law=values,
        values=values,
        exact=exact,
        variance=variance,
        variance_score=variance_score,
        bias=bias,
        skew=(max(float(skew.max()), 0.0), max(float((-skew).max()), 0.0)),
        score_noise=(float(noise.max()), float((noise / positive).max())),
        step=float(np.diff(np.sort(values)).max(initial=0.0)),
    )


def _solve_singular(left: Any, right: Any) -> Any:
    """Some solution of a singular system, if there is one (a pooled output still tells a pooled target)."""
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
            raise NotEstimable(
                "the mechanism's matrix is singular: different distributions of true counts give the same outputs, "
                "so no unbiased estimate exists. The uniform mechanism is like this (its output ignores the data). "
                "Use a mechanism that answers with the data (geometric, fair, weakly honest), or read the posterior."
            )
        solution[pivot, 0] = reduced[r, size]
    return solution


def _solve_floats(array: Floats, wanted: Floats, what: str) -> Floats:
    """Solve in floats with one step of refinement; refuse when the residual shows that the answer means nothing."""
    try:
        values = np.linalg.solve(array.T, wanted)
        values += np.linalg.solve(array.T, wanted - array.T @ values)
    except np.linalg.LinAlgError:
        values = np.full_like(wanted, np.inf)
    if not np.all(np.isfinite(values)) or np.abs(values @ array - wanted).max() > 1e-6 * max(np.ptp(wanted), 1.0):
        raise NotEstimable(
            f"the mechanism's matrix is numerically singular at n = {len(wanted) - 1}, so {what} cannot be debiased. "
            "Use a larger epsilon, smaller groups, or the geometric mechanism."
        )
    return np.asarray(values, dtype=np.float64)


def _least_squares(array: Floats, variance: Floats) -> Floats:
    """Solve s^T M = V^T; the least-squares answer serves when M is singular and V in its reach."""
    try:
        return np.asarray(np.linalg.solve(array.T, variance), dtype=np.float64)
    except np.linalg.LinAlgError:
        return np.asarray(np.linalg.lstsq(array.T, variance)[0], dtype=np.float64)


def _refuse_hopeless(variance: Floats, wanted: Floats, what: str) -> None:
    """Refuse a score whose noise dwarfs everything it could tell."""
    n = len(wanted) - 1
    spread = float(np.ptp(wanted))
    deviation = float(np.sqrt(variance.max()))
    if spread > 0 and deviation > HOPELESS * spread:
        groups = ceil((deviation / spread) ** 2)
        raise NotEstimable(
            f"{what} cannot be estimated from these outputs: with n = {n} and alpha so near 1, one group's debiased "
            f"value has a standard deviation {deviation / spread:,.0f} times the range of what is estimated, so that "
            f"it would take {groups:,} groups to learn anything. Use a larger epsilon, larger groups or the "
            "geometric mechanism; the posterior of one group and its confidence interval remain valid (and wide)."
        )


def geometric_values(n: int, alpha: Fraction) -> tuple[Fraction, ...]:
    """Return the exact score of every output, for n >= 1.

    >>> [str(v) for v in geometric_values(3, Fraction(1, 2))]
    ['-1', '1', '2', '4']
    """
    tail = alpha / (1 - alpha)
    return (-tail, *(Fraction(i) for i in range(1, n)), n + tail)


def geometric_score(n: int, alpha: Fraction) -> Score:
    """Return the score for the total of a group of size n >= 1 at alpha < 1."""
    exact = geometric_values(n, alpha)
    if n <= LARGEST_SIZE:
        return _geometric(n, alpha, exact)
    a = float(alpha)
    size = min(ceil(2 * log(1e9) / -log(a)) + 4, LARGEST_SIZE)
    if a ** (size / 2) > _SAME_LAW:
        raise NotEstimable(
            f"the total cannot be debiased for a group of size {n} at alpha = {a:.6g}: the noise reaches across more "
            f"than {LARGEST_SIZE} counts. Use a larger epsilon for groups of this size."
        )
    small = _geometric(size, alpha, geometric_values(size, alpha))
    variance_score = np.full(n + 1, 2 * a / (1 - a) ** 2)
    variance_score[[0, -1]] /= 2
    values = np.array([float(v) for v in exact])
    return replace(small, values=values, exact=exact, variance_score=variance_score)


def _geometric(n: int, alpha: Fraction, exact: tuple[Fraction, ...]) -> Score:
    a, counts = float(alpha), np.arange(n + 1, dtype=np.float64)
    array = (1 - a) / (1 + a) * a ** np.abs(counts[:, None] - counts[None, :])
    array[[0, -1]] /= 1 - a
    return describe(array, counts, np.array([float(v) for v in exact]), what="the total", exact=exact)
