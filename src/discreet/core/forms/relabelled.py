"""GM with each output relabelled, written out when somebody asks for an entry."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any

from discreet.core.forms.closed import Geometric
from discreet.core.forms.dense import Dense, reduced
from discreet.errors import NotPrivate

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Relabelled:
    """GM whose output i is reported as one of `labels[i]`, each equally likely: one label, or one
    on either side.

    What is done to an output without looking at the count costs no privacy, so it is as private as
    GM. It equals (and is stored as) the matrix written out; but that takes (n+1)^2 long integers,
    and many callers need none.

    >>> Relabelled(2, Fraction(1, 2), ((1,), (1,), (1,))).dense()
    Dense(rows=((0, 0, 0), (1, 1, 1), (0, 0, 0)), denominator=1)
    """

    n: int
    alpha: Fraction
    labels: tuple[tuple[int, ...], ...]

    @cached_property
    def _matrix(self) -> Dense:
        n, (p, q) = self.n, self.alpha.as_integer_ratio()
        power = [q**n]
        for _ in range(n):
            power.append(power[-1] // q * p)
        rows = [[0] * (n + 1) for _ in range(n + 1)]
        for i, chosen in enumerate(self.labels):
            scale = (2 // len(chosen)) * (q if i in (0, n) else q - p)
            output = [scale * power[abs(i - j)] for j in range(n + 1)]
            for r in chosen:
                rows[r] = list(map(int.__add__, rows[r], output))
        return reduced(rows, 2 * (p + q) * power[0])

    def entry(self, i: int, j: int) -> Fraction:
        """Pr[i|j]."""
        return self._matrix.entry(i, j)

    def column(self, j: int) -> tuple[list[int], int]:
        """Column j as integers over one denominator."""
        return self._matrix.column(j)

    def cumulative_bounds(self, j: int, bits: int) -> tuple[list[int], int]:
        """Integers L_i <= 2^bits CDF(i) <= L_i + 1."""
        return self._matrix.cumulative_bounds(j, bits)

    def check(self, alpha: Fraction) -> None:
        """GM is private, and every output has its labels: a column's chances are only moved,
        none gets lost.
        """
        Geometric(self.n, self.alpha).check(alpha)
        if type(self.labels) is not tuple or set(map(type, self.labels)) != {tuple}:
            raise NotPrivate(
                "labels must be a tuple of tuples: a list could change after it was checked"
            )
        if len(self.labels) != self.n + 1:
            raise NotPrivate(
                f"there are {len(self.labels)} relabelled outputs, not n+1 = {self.n + 1}"
            )
        labels = list(chain.from_iterable(self.labels))
        exact = set(map(type, labels)) == {int} and set(map(len, self.labels)) <= {1, 2}
        if not exact or min(labels) < 0 or max(labels) > self.n:
            raise NotPrivate(f"each output must be relabelled as one or two of 0..{self.n}")

    def tight_alpha(self) -> Fraction:
        """The smallest ratio of neighbouring entries: at least GM's."""
        return self._matrix.tight_alpha()

    def known(self, name: str) -> bool | None:
        """Nothing is known by theorem: it depends on the labels."""
        return None

    def text(self) -> str:
        """Return the canonical text of the matrix written out."""
        return self._matrix.text()

    def dense(self) -> Dense:
        """Write the matrix out."""
        return self._matrix

    def floats(self) -> NDArray[np.float64]:
        """Return the matrix as floats."""
        return self._matrix.floats()

    def __reduce__(self) -> tuple[Any, ...]:
        # without the matrix, which nobody would check again
        return Relabelled, (self.n, self.alpha, self.labels)

    def __eq__(self, other: object) -> bool:
        return self._matrix == (other._matrix if isinstance(other, Relabelled) else other)

    def __hash__(self) -> int:
        return hash(self._matrix)
