"""Exact sampling for large groups: only the columns that are needed, each refined as far as a draw
needs it.

For large n a whole alias table is too much to write out (n = 100,000 has 10^10 entries), and even
one column's exact fractions are (a power alpha^100000 has hundreds of thousands of bits). So a draw
inverts the distribution function of its column from rigorous integer bounds that the form supplies:

    L_i <= 2^b Pr[output <= i | j] <= L_i + e         (`form.cumulative_bounds(j, b)`)

A word w of b bits is the start of the binary digits of a uniform point u, w <= 2^b u < w + 1, and
the draw is the least i with u < Pr[output <= i | j]. So

    L_i > w        proves  u < Pr[output <= i | j],
    L_i + e <= w   proves  u >= Pr[output <= i | j],

and when the least i of the first kind is also the least i not of the second kind, the draw is
settled. Otherwise it is a tie: one more word makes w longer and the bounds are asked for again with
as many bits. The digits of u alone decide, so given ideal words the output has exactly the
distribution of the column. A tie has chance at most n max(e, 1) / 2^64.

Lower bounds need not come in order; their running maximum is in order and as good, since
distribution functions grow.

The caller keeps the columns it made, within bounds (a column of n = 100,000 takes 0.8 MB). Which
ones it made is a matter of time and memory that depends on the counts: the known limits say so.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING, Protocol

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

WORD_BITS = 64


class ByBounds(Protocol):
    """A matrix that can bound the distribution function of a column as closely as wanted."""

    @property
    def n(self) -> int:
        """Largest count."""

    def cumulative_bounds(self, j: int, bits: int) -> tuple[Sequence[int], int]:
        """Return integers L_0..L_n and an error e with L_i <= 2^bits Pr[output <= i | j] <= L_i
        + e.
        """


class Column:
    """First digits of one column's distribution function, without its last entry, which is 1."""

    __slots__ = ("_error", "_form", "_j", "_lower", "_word_bits")

    def __init__(self, form: ByBounds, j: int, *, word_bits: int = WORD_BITS) -> None:
        self._form, self._j, self._word_bits = form, j, word_bits
        lower, error = form.cumulative_bounds(j, word_bits)
        top = (1 << word_bits) - 1
        # A bound of 2^64 does not fit a word; one less is a lower bound too, with an error of at
        # least 1.
        fitted = np.array([min(bound, top) for bound in lower[:-1]], dtype=np.uint64)
        self._lower: NDArray[np.uint64] = np.maximum.accumulate(fitted)
        self._error = max(error, 1)

    @property
    def nbytes(self) -> int:
        """Size in memory."""
        return self._lower.nbytes

    def draw(self, words: NDArray[np.uint64]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return a draw for each word, and where the ties are whose draw `settle` must finish."""
        surely = np.searchsorted(self._lower, words, side="right")  # least i with L_i > w
        if len(self._lower) == 0:
            return surely, np.empty(0, dtype=np.intp)
        # The bound before it is the nearest one with L_i <= w, and a tie iff L_i + e > w for it
        # too.
        nearest = self._lower[np.maximum(surely, 1) - 1]
        error = np.uint64(min(self._error, (1 << WORD_BITS) - 1))
        return surely, np.flatnonzero((surely > 0) & (words - nearest < error))

    def settle(self, word: int, more: Callable[[int], int]) -> int:
        """Finish a tied draw: lengthen the word until the bounds of that length decide."""
        point, bits, attempt = word, self._word_bits, 0
        while True:
            attempt += 1
            point, bits = (point << self._word_bits) | more(attempt), bits + self._word_bits
            bounds, error = self._form.cumulative_bounds(self._j, bits)
            lower = list(accumulate(bounds[:-1], max))
            surely, maybe = bisect_right(lower, point), bisect_right(lower, point - error)
            if surely == maybe:
                return surely
