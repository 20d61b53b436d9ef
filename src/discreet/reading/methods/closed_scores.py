"""Debiased counts of the closed forms, for groups of any size and without a matrix.

GM's score is two numbers. An inner output stands for itself; 0 and n stand for the mean of the
two-sided geometric tail that was clamped onto them:

    v = (-t, 1, 2, ..., n-1, n + t),  t = a/(1-a);      n = 1: (-t, 1 + t).

With m = n - x its error has the variance s (2 - (a^x + a^m)/(1+a)), s = a/(1-a)^2, largest in the
middle, and the third moment k(x) - k(m), k(x) = a^x (3 s (x+t) + a(1+a)/(1-a)^3) / (1+a): beyond
the end x lies a geometric tail of mean t, variance s and that third moment, and the score keeps its
mean only. The variance scores are 2s inside and s at the ends, so that their variance is s^2 p
(1-p), p = (a^x + a^m)/(1+a) being the chance of an end.

The column-honest mechanism is GM whose ends are moved inward with chance t' = (2a-1)/(2a), so that
its ends stand for -w and n + w with w = (t + t')/(1 - t') and the other outputs for themselves
(`closed_matrix`).

EM and WM are solved (`closed_matrix`); moments are means of powers of the score, so they are
products with the matrix.

In a very large group the noise depends on the true count only through its distance to the nearer
end, and not at all beyond a multiple of 1/(1-a): a smaller group has the same law (`same_law`), and
its score is stretched in the middle.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache, partial
from math import inf

import numpy as np

from discreet.core.forms import ColumnHonest, Geometric
from discreet.reading.levels.tree import distinct
from discreet.reading.methods.closed_matrix import ClosedMatrix, Peaked, same_law
from discreet.reading.methods.debiasing import (
    EXACT_SIZE,
    HOPELESS,
    LARGEST_SIZE,
    Floats,
    Integers,
    Law,
    NotEstimable,
    Score,
    certain_solution,
    refuse_hopeless,
    solve_exactly,
    stretched_values,
    widest_gap,
)
from discreet.reading.methods.expected_errors import log_of

Described = tuple[Floats, Floats, Floats, Floats, Floats, float]
"""Values, variance, third moment, variance score, its variance, and what rounding left of the
bias.
"""

_WRITTEN_OUT = 180  # half of it is less than linear algebra would share out among threads
_MOST = 1 << 24  # values that may be held: epsilon down to 1e-5 for groups of any size
_ROUNDED = 1e-6  # what rounding may leave of a bias, in units of the target's range
_LAW_REACH = 2 * 20.7232658  # 2 log(1e9)
# how much of the noise may reach across half of the smaller group that stands for a large one
_SAME_LAW = 1e-3


def closed_score(form: Peaked) -> Score:
    """Return the score for the total of GM, EM, WM or the column-honest mechanism, n >= 1 and alpha
    < 1.

    >>> closed_score(Geometric(10**9, Fraction(1, 2))).at(np.array([0, 7, 10**9])).tolist()
    [-1.0, 7.0, 1000000001.0]
    """
    size = same_law(form.alpha, form.n)
    if size > _MOST:
        raise NotEstimable(
            f"the total cannot be debiased for a group of size {form.n} at alpha = "
            f"{float(form.alpha):.9g}: the noise reaches across more than {_MOST:,} counts. Use a "
            "larger epsilon for groups of this size."
        )
    kind, n, alpha = type(form), form.n, form.alpha
    law, exactly, log_mean = _law_size(form), None, None
    if isinstance(form, Geometric):
        exactly, log_mean = partial(geometric_values, n, alpha), partial(_geometric_log_mean, form)
    elif isinstance(form, ColumnHonest):
        exactly = partial(column_honest_values, n, alpha)
    elif n <= EXACT_SIZE:
        exactly = partial(solve_exactly, form, range(n + 1))
    return replace(
        _solved(kind(size, alpha)),
        n=n,
        law=partial(_law, form),
        law_cells=(law + 1) ** 2 if law else inf,
        solved_exactly=exactly,
        log_mean=log_mean,
    )


def debiased(kind: type[Peaked], alpha: Fraction, sizes: Integers, outputs: Integers) -> Floats:
    """The debiased value of many outputs at one alpha, whatever the sizes of their groups (at least
    1).

    >>> debiased(Geometric, Fraction(1, 2), np.array([3, 10**9]), np.array([3, 0])).tolist()
    [4.0, -1.0]
    """
    if kind in (Geometric, ColumnHonest):
        tail = float(
            -column_honest_values(3, alpha)[0] if kind is ColumnHonest else alpha / (1 - alpha)
        )
        return np.asarray(outputs + tail * (outputs == sizes) - tail * (outputs == 0))
    return _stretched(sizes, outputs, alpha, lambda size: closed_score(kind(size, alpha)).values)


def debiased_if_any(
    kind: type[Peaked], alpha: Fraction, sizes: Integers, outputs: Integers
) -> Floats:
    """The same, and not-a-number where there is none or only a hopeless one (`NotEstimable`)."""
    if kind is Geometric:
        a, log_a, middle = float(alpha), log_of(alpha), sizes // 2
        chance = (np.exp(log_a * middle) + np.exp(log_a * (sizes - middle))) / (1 + a)
        deviation = np.sqrt(a * (2 - chance)) / float(1 - alpha)
        return np.where(deviation > HOPELESS * sizes, np.nan, debiased(kind, alpha, sizes, outputs))

    def values(size: int) -> Floats:
        try:
            return closed_score(kind(size, alpha)).values
        except NotEstimable:
            return np.full(2, np.nan)  # stretched, as long as any

    return _stretched(sizes, outputs, alpha, values)


def _stretched(
    sizes: Integers, outputs: Integers, alpha: Fraction, values: Callable[[int], Floats]
) -> Floats:
    """The values of outputs of groups of many sizes, each from those of the group that stands
    for its own.
    """
    present, place = np.unique(sizes, return_inverse=True)
    stand_ins = np.array([same_law(alpha, int(n)) for n in present])[place]
    found = np.zeros(len(outputs))
    for size in distinct(stand_ins):
        rows = stand_ins == size
        found[rows] = stretched_values(values(int(size)), sizes[rows], outputs[rows])
    return found


@lru_cache(maxsize=1024)
def _solved(form: Peaked) -> Score:
    size = form.n
    described = _geometric(form.alpha, size) if isinstance(form, Geometric) else _by_solving(form)
    values, variance, third, variance_score, noise, bias = described
    counts = np.arange(size + 1, dtype=np.float64)
    refuse_hopeless(variance, counts, "the total")
    positive = np.maximum(variance, np.finfo(np.float64).tiny)
    skew = third / positive
    return Score(
        n=size,
        target=counts,
        values=values,
        variance=variance,
        variance_score=variance_score,
        bias=bias,
        skew=(max(float(skew.max()), 0.0), max(float((-skew).max()), 0.0)),
        score_noise=(float(noise.max()), float((noise / positive).max())),
        step=widest_gap(values),
        solved_exactly=None,
        law=lambda: None,
        law_cells=inf,
    )


def _geometric(alpha: Fraction, n: int) -> Described:
    a, rest, x = float(alpha), float(1 - alpha), np.arange(n + 1, dtype=np.float64)
    tail, square = a / rest, a / rest**2
    end = np.exp(log_of(alpha) * x) / (1 + a)
    chance = end + end[::-1]
    values = x.copy()
    values[0], values[-1] = -tail, n + tail
    moved = end * (3 * square * (x + tail) + a * (1 + a) / rest**3)
    variance_score = np.full(n + 1, 2 * square)
    variance_score[[0, -1]] = square
    noise = np.maximum(square**2 * chance * (1 - chance), 0.0)
    return values, square * (2 - chance), moved - moved[::-1], variance_score, noise, 0.0


def _by_solving(form: Peaked) -> Described:
    n, matrix = form.n, ClosedMatrix(form)
    if n <= _WRITTEN_OUT and (small := _by_inverse(matrix)) is not None:
        return small
    # Odd about the middle, as the solution is: half as large, and what is left of rounding is made
    # odd too.
    counts = np.arange(n + 1, dtype=np.float64) - n / 2
    values, bias = matrix.solve(counts)
    if not bias <= _ROUNDED * max(n, 1.0):
        raise NotEstimable(
            f"the mechanism's matrix is numerically singular at n = {n}, so the total cannot be "
            "debiased. Use a larger epsilon, smaller groups, or the geometric mechanism."
        )
    values = (values - values[::-1]) / 2
    variance = matrix.product(values**2) - counts**2
    third = matrix.product(values**3) - 3 * counts * matrix.product(values**2) + 2 * counts**3
    middle = variance[n // 2]
    variance_score, _ = matrix.solve(variance - middle)
    noise = matrix.product(variance_score**2) - (variance - middle) ** 2
    return values + n / 2, variance, third, variance_score + middle, np.maximum(noise, 0.0), bias


def _by_inverse(matrix: ClosedMatrix) -> Described | None:
    """The same of a small group from its matrix, which is quicker; None where its condition leaves
    doubts.

    About the middle of 0..n the score is odd and the variance even, so that half of the matrix
    folded onto the other half is solved for each: a system of half the size.
    """
    n = matrix.n
    half = n // 2 + 1  # the middle with it, if there is one
    odd, other = (n + 1) // 2, slice(n, n - half, -1)
    array, counts = matrix.rows(np.arange(n + 1))[:, :half], np.arange(half, dtype=np.float64)
    found = certain_solution(array[:odd, :odd] - array[other][:odd, :odd], counts[:odd] - n / 2)
    if found is None:
        return None
    values = np.zeros(n + 1)
    values[:odd], values[n : n - odd : -1] = found[0], -found[0]
    values += n / 2
    errors = values[:, None] - counts
    weighed = array * errors
    variance = np.einsum("ij,ij->j", weighed, errors)
    third = np.einsum("ij,ij,ij->j", weighed, errors, errors)
    folded = array[:half] + array[other]
    folded[odd:] /= 2  # the middle row has come onto itself
    score = np.asarray(np.linalg.solve(folded.T, variance))
    variance_score = mirrored(score, n)
    noise = np.einsum("ij,ij->j", array, (variance_score[:, None] - variance) ** 2)
    bias = float(np.abs(values @ array - counts).max())
    return (
        values,
        mirrored(variance, n),
        mirrored(third, n, -1),
        variance_score,
        mirrored(noise, n),
        bias,
    )


def mirrored(half: Floats, n: int, sign: int = 1) -> Floats:
    """Values at 0..n from those at 0..n//2, even about the middle, or odd.

    >>> mirrored(np.array([1.0, 2.0]), 2).tolist(), mirrored(np.array([1.0, 2.0]), 3, -1).tolist()
    ([1.0, 2.0, 1.0], [1.0, 2.0, -2.0, -1.0])
    """
    return np.concatenate([half, sign * half[: (n + 1) // 2][::-1]])


def _law_size(form: Peaked) -> int | None:
    """The size of a group, no larger than this one, whose matrix has the law of its noise; None
    where there is none.
    """
    if form.n <= LARGEST_SIZE:
        return form.n
    reach = -log_of(form.alpha)
    size = int(min(np.ceil(_LAW_REACH / reach) + 4, LARGEST_SIZE))
    size *= (
        1 if isinstance(form, Geometric | ColumnHonest) else 2
    )  # EM reaches twice as far from an end
    return size if size <= LARGEST_SIZE and np.exp(-reach * size / 2) <= _SAME_LAW else None


def _law(form: Peaked) -> Law | None:
    """The matrix of this group, or of a smaller one that stands for a very large one."""
    n = _law_size(form)
    if n is None:
        return None
    values = closed_score(type(form)(n, form.alpha)).at(np.arange(n + 1))
    matrix = ClosedMatrix(type(form)(n, form.alpha)).rows(np.arange(n + 1))
    return Law(matrix=matrix, errors=values[:, None] - np.arange(n + 1)[None, :])


def _geometric_log_mean(form: Geometric, s: float) -> float:
    """max_x log E exp(s (v - x)): the noise between the ends, and the mean of its tail at them.

    A tail has a larger mean exponential than its mean has (Jensen), so noise without ends bounds
    that of any group: y (1 + r/(1-r) + l/(1-l)) with r = a e^s below 1, l = a e^-s and y =
    (1-a)/(1+a). It serves beyond n = 2000.
    """
    n, a, rest = form.n, float(form.alpha), float(1 - form.alpha)
    tail, log_a = a / rest, log_of(form.alpha)
    right, left = log_a + s, log_a - s
    if n > LARGEST_SIZE:
        if right >= 0:
            return inf
        both = sum(-np.exp(power) / np.expm1(power) for power in (right, left))
        return float(np.log(rest / (1 + a) * (1 + both)))
    m = np.arange(n + 1, dtype=np.float64)
    with np.errstate(over="ignore", invalid="ignore"):
        sides = [
            np.where(m > 0, rest * _geometric_sum(power, m - 1), 0.0)
            + np.exp(power * m + sign * s * tail)
            for power, sign in ((right, 1), (left, -1))
        ]
        inner = np.where((m > 0) & (m < n), rest, 0.0)
        found = (sides[0][::-1] + sides[1] + inner) / (1 + a)
    return float(np.log(found.max())) if np.isfinite(found).all() else inf


def _geometric_sum(power: float, steps: Floats) -> Floats:
    """e^power + e^(2 power) + ... with so many steps; none for less than one."""
    count = np.maximum(steps, 0.0)
    return np.asarray(
        count if power == 0 else np.exp(power) * np.expm1(power * count) / np.expm1(power)
    )


def geometric_values(n: int, alpha: Fraction) -> tuple[Fraction, ...]:
    """Return GM's exact score of every output, for n >= 1.

    >>> [str(v) for v in geometric_values(3, Fraction(1, 2))]
    ['-1', '1', '2', '4']
    """
    tail = alpha / (1 - alpha)
    return (-tail, *(Fraction(i) for i in range(1, n)), n + tail)


def column_honest_values(n: int, alpha: Fraction) -> tuple[Fraction, ...]:
    """Return the exact score of every output of the column-honest mechanism.

    >>> [str(v) for v in column_honest_values(4, Fraction(2, 3))]
    ['-3', '1', '2', '3', '7']
    """
    moved = ColumnHonest(n, alpha).moved
    tail = (alpha / (1 - alpha) + moved) / (1 - moved)
    return (-tail, *(Fraction(i) for i in range(1, n)), n + tail)
