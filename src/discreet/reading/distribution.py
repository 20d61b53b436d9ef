"""The distribution of true counts over many groups of one size.

With h the histogram of the released outputs and M the mechanism, E[h] = M t for the histogram t of
the true counts. Three readings:

- `unbiased`: M^-1 h / groups, exact rationals. Unbiased for every count; single entries can be
  negative or above 1.
- `projected`: the nearest point of the simplex to it (Euclidean), a distribution again, slightly
  biased.
- `likeliest`: the distribution p that maximises the likelihood prod_i (M p)_i^h_i (`mixtures`);
  `gap` bounds how far its log-likelihood per group is from the maximum.

The intervals belong to the unbiased entries, one at a time (not simultaneous), and use the bounds
of `sums`.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from discreet.core.forms import ColumnHonest, Geometric
from discreet.reading.methods.debiasing import EXACT_SIZE, Floats, Matrix, NotEstimable, describe
from discreet.reading.methods.mixtures import mixture
from discreet.reading.methods.sums import Term, margins, standard_error

if TYPE_CHECKING:
    from collections.abc import Sequence

LARGEST_DISTRIBUTION = 1_000
"""Largest group size whose distribution is estimated: the work grows with the cube of n, half a
minute there.
"""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Distribution:
    """What a release says about the distribution of true counts in groups of size n; shares, by
    true count.
    """

    n: int
    groups: int
    released: Floats
    unbiased: tuple[Fraction, ...] | None
    estimate: Floats
    standard_error: Floats
    low: Floats
    high: Floats
    projected: Floats
    likeliest: Floats
    gap: float
    confidence: float

    def __str__(self) -> str:
        from discreet.show.text import table

        return "\n".join(
            (
                self._title(),
                *table([self._head(), *self._lines("{:.4f} {:>9.4f}")], ">5 >9 >9 >19 >10 >10"),
            )
        )

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from discreet.show import html

        return html.table(self._head(), self._lines("{:.4f} to {:.4f}"), caption=self._title())

    def _title(self) -> str:
        return f"Share of true counts over {self.groups:,} groups of size {self.n}"

    def _head(self) -> list[str]:
        return [
            "count",
            "released",
            "unbiased",
            f"{self.confidence} interval",
            "likeliest",
            "projected",
        ]

    def _lines(self, interval: str) -> list[list[str]]:
        return [
            [
                str(j),
                f"{self.released[j]:.4f}",
                f"{self.estimate[j]:z.4f}",
                interval.format(self.low[j], self.high[j]),
                f"{self.likeliest[j]:.4f}",
                f"{self.projected[j]:.4f}",
            ]
            for j in range(self.n + 1)
        ]


def distribution(
    matrix: Matrix, outputs: Sequence[int] | Floats, *, confidence: float = 0.95
) -> Distribution:
    """Estimate the distribution of true counts from `outputs[i]`, the number of groups that
    released i.
    """
    if matrix.n > LARGEST_DISTRIBUTION:
        raise NotEstimable(
            f"the distribution of true counts cannot be read off groups of {matrix.n}: the limit "
            f"is {LARGEST_DISTRIBUTION:,}, since each single count would be too rare to have a "
            "share. Read the total, or the table of groups."
        )
    histogram = np.asarray(outputs, dtype=np.float64)
    groups = int(histogram.sum())
    array = np.asarray(matrix.floats(), dtype=np.float64)
    exact = invert_histogram(matrix, [int(h) for h in histogram])
    try:
        inverse = np.asarray(np.linalg.inv(array), dtype=np.float64)
    except np.linalg.LinAlgError:
        raise NotEstimable(_SINGULAR) from None
    estimate = (
        np.array([float(p) for p in exact]) if exact is not None else inverse @ histogram / groups
    )
    errors, low, high = np.zeros(matrix.n + 1), np.zeros(matrix.n + 1), np.ones(matrix.n + 1)
    for j in range(matrix.n + 1):
        wanted = np.zeros(matrix.n + 1)
        wanted[j] = 1.0
        score = describe(
            array, wanted, inverse[j], what="the distribution of true counts", inverse=inverse
        )
        term = Term(score=score, outputs=histogram, weight=1 / groups)
        errors[j] = standard_error([term])
        below, above = margins([term], confidence)
        inside = min(max(estimate[j], 0.0), 1.0)
        low[j], high[j] = max(inside - below, 0.0), min(inside + above, 1.0)
    likeliest, gap = mixture(array, histogram)
    return Distribution(
        n=matrix.n,
        groups=groups,
        released=histogram / groups,
        unbiased=exact,
        estimate=estimate,
        standard_error=errors,
        low=low,
        high=high,
        projected=to_simplex(estimate),
        likeliest=likeliest,
        gap=gap,
        confidence=confidence,
    )


def invert_histogram(
    matrix: Matrix, outputs: Sequence[int | Fraction]
) -> tuple[Fraction, ...] | None:
    """Solve M t = h / groups in exact rationals; None where the matrix is too large for that.

    GM is S K with K = (a^|i-j|), whose inverse has three diagonals: 1, 1 + a^2, ..., 1 and -a
    beside, over 1 - a^2.

    >>> from discreet.core.named import fair
    >>> invert_histogram(fair(n=1, alpha="1/2").form, [2, 2])
    (Fraction(1, 2), Fraction(1, 2))
    """
    from flint import fmpq, fmpq_mat

    n, groups = matrix.n, sum(outputs)
    if isinstance(matrix, ColumnHonest):  # what was moved goes back to the ends first
        seen, moved = [Fraction(h) for h in outputs], matrix.moved
        for end, inward in ((0, 1), (n, n - 1)):
            seen[end] /= 1 - moved
            seen[inward] -= moved * seen[end]
        return invert_histogram(matrix.geometric, seen)
    if isinstance(matrix, Geometric) and matrix.alpha < 1:
        a = matrix.alpha
        inner = groups * (1 - a)
        seen = [Fraction(h) / (groups if i in (0, n) else inner) for i, h in enumerate(outputs)]
        around = [Fraction(0), *seen, Fraction(0)]
        own = [1 if j in (0, n) else 1 + a * a for j in range(n + 1)]
        return tuple(
            (own[j] * seen[j] - a * (around[j] + around[j + 2])) / (1 - a) for j in range(n + 1)
        )
    if n > EXACT_SIZE:
        return None
    columns = [matrix.column(j) for j in range(n + 1)]
    # Column j is scaled by its denominator: solve for t_j / denominator_j in integers.
    left = fmpq_mat(
        n + 1, n + 1, [int(columns[j][0][i]) for i in range(n + 1) for j in range(n + 1)]
    )
    right = fmpq_mat(n + 1, 1, [fmpq(h, groups) for h in outputs])
    try:
        solution = left.solve(right)
    except ZeroDivisionError:
        raise NotEstimable(_SINGULAR) from None
    scaled = [solution[j, 0] * columns[j][1] for j in range(n + 1)]
    return tuple(Fraction(int(t.p), int(t.q)) for t in scaled)


def to_simplex(point: Floats) -> Floats:
    """Return the nearest distribution to a point: subtract one number from all entries and cut at
    0.

    >>> to_simplex(np.array([0.75, 0.5, -0.25])).tolist()
    [0.625, 0.375, 0.0]
    """
    ordered = np.sort(point)[::-1]
    excess = (np.cumsum(ordered) - 1) / np.arange(1, len(point) + 1)
    last = int(np.flatnonzero(ordered > excess)[-1])
    return np.asarray(np.maximum(point - excess[last], 0.0))


_SINGULAR = (
    "the mechanism's matrix is singular: different distributions of true counts give the same "
    "outputs, so that the distribution cannot be estimated. The uniform mechanism is like this "
    "(its output ignores the data). Use geometric, fair or weakly honest, or read the posterior "
    "of each group."
)
