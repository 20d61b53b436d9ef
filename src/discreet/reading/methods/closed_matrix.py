"""Products and solves with the matrix of a closed form, without writing it out: work like n log n.

GM's matrix is S K, with K = (a^|i-j|) and a diagonal S. A sum v_0 a^j + ... + v_j that is
discounted by a at each step is the filter 1/(1 - a z) = (1 + a z)(1 + a^2 z^2)(1 + a^4 z^4)..., and
K's inverse has three diagonals:

    v^T M = f^T   has   v_i = ((1+a^2) f_i - a f_{i-1} - a f_{i+1}) / (1-a)^2,   v_0 = (f_0 - a f_1)
                  / (1-a).

EM's row i is the same peak, level from its ceil((n-i)/2)-th step to the right and its ceil(i/2)-th
to the left: the outputs i < 2j - n are level at j, and the discounted sum over the others is the
whole one less its older part.

The column-honest mechanism is T GM, T moving t of each end one step inward: v^T T GM = f^T has (v^T
T)_i as above, so that v_0 = (u_0 - t u_1) / (1-t) for those u, and likewise at n.

EM and WM differ from GM near the ends alone, so GM's inverse turns their systems into nearly the
identity, and GMRES (Saad and Schultz, 1986) solves those in a few steps. How good a solution is, is
measured: `solve` returns the residual.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from discreet.core.forms import ColumnHonest, Fair, Geometric, WeaklyHonest
from discreet.reading.methods.closed_chances import ClosedChances
from discreet.reading.methods.expected_errors import log_of

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Peaked = Geometric | Fair | WeaklyHonest | ColumnHonest

_UNSEEN = 1e-25
_MOST_STEPS = 60
_ENOUGH = 1e-8  # of one round: the next one begins from what is left
_ROUNDS = 5
_EPSILON = 4 * float(np.finfo(np.float64).eps)  # what is left of rounding alone


class ClosedMatrix:
    """The matrix of GM, EM, WM or the column-honest mechanism for n >= 1 and alpha < 1, as what
    it does.
    """

    def __init__(self, form: Peaked) -> None:
        self.form, self.n, self.alpha = form, form.n, form.alpha
        self._a, self._log = float(form.alpha), log_of(form.alpha)
        self._share = _share(form)
        self._moved = float(form.moved) if isinstance(form, ColumnHonest) else 0.0
        j = np.arange(self.n + 1)
        # at a true count of the upper half the outputs i < 2j - n are level
        self._upper = slice(self.n // 2 + 1, self.n + 1)
        self._ends = 2 * j[self._upper] - self.n
        self._level = np.exp(self._log * ((self.n - j + 1) // 2))
        self._older = np.exp(self._log * (self.n - j[self._upper] + 1))
        self.diagonal = float(1 / self._level.sum())
        """EM's diagonal: one over the sum of a column's powers, and column 0 has those of every
        output's level.
        """

    def product(self, values: Floats) -> Floats:
        """v^T M: the mean of a value per output, for each true count."""
        found = np.zeros(self.n + 1)
        if self._share:
            found += self._share * self._geometric(values)
        if self._share < 1:
            both = self._leveled(values) + self._leveled(values[::-1])[::-1]
            found += (1 - self._share) * self.diagonal * (both - values)
        return found

    def rows(self, outputs: Integers) -> Floats:
        """Pr[output | .] for some outputs, as floats [output, true count]."""
        i, j = np.asarray(outputs)[:, None], np.arange(self.n + 1)[None, :]
        distance = np.abs(i - j)
        found = np.zeros((len(outputs), self.n + 1))
        if self._share:
            scale = np.where((i == 0) | (i == self.n), 1.0, float(1 - self.alpha)) / (1 + self._a)
            found += self._share * scale * np.exp(self._log * distance)
        if self._moved:
            found *= np.where((i == 0) | (i == self.n), 1 - self._moved, 1.0)
            for inward, away in ((1, j), (self.n - 1, self.n - j)):
                found += np.where(
                    i == inward, self._moved / (1 + self._a) * np.exp(self._log * away), 0.0
                )
        if self._share < 1:
            level = np.where(j >= i, (self.n - i + 1) // 2, (i + 1) // 2)
            found += (
                (1 - self._share) * self.diagonal * np.exp(self._log * np.minimum(distance, level))
            )
        return found

    def solve(self, target: Floats) -> tuple[Floats, float]:
        """Return v with v^T M = f^T, and the largest |v^T M - f^T| that is left."""
        values = self._unfiltered(target)
        left = target - self.product(values)
        for _ in range(_ROUNDS):
            if np.abs(left).max() <= _EPSILON * max(np.abs(values).max(), np.abs(target).max()):
                break
            change = self._unfiltered(_gmres(lambda f: self.product(self._unfiltered(f)), left))
            better = target - self.product(values + change)
            if not np.abs(better).max() < np.abs(left).max():
                break
            values, left = values + change, better
        return values, float(np.abs(left).max())

    def _geometric(self, values: Floats) -> Floats:
        scaled = values * float((1 - self.alpha) / (1 + self.alpha))
        scaled[[0, -1]] = ((1 - self._moved) * values[[0, -1]] + self._moved * values[[1, -2]]) / (
            1 + self._a
        )
        return filtered(scaled, self._a) + filtered(scaled[::-1], self._a)[::-1] - scaled

    def _leveled(self, values: Floats) -> Floats:
        """sum_{i <= j} v_i a^min(j-i, ceil((n-i)/2)) for every j."""
        sums = filtered(values, self._a)
        level = np.cumsum(values * self._level)[self._ends - 1]
        found = sums.copy()
        found[self._upper] += level - self._older * sums[self._ends - 1]
        return found

    def _unfiltered(self, target: Floats) -> Floats:
        """The solution for GM, and for GM whose ends are moved inward."""
        a, rest = self._a, float(1 - self.alpha)
        values = np.empty(self.n + 1)
        # (1+a^2) f - a f' - a f'' without the loss of digits for alpha near 1
        values[1:-1] = target[1:-1] + a * (2 * target[1:-1] - target[:-2] - target[2:]) / rest**2
        values[0] = target[0] + a * (target[0] - target[1]) / rest
        values[-1] = target[-1] + a * (target[-1] - target[-2]) / rest
        values[[0, -1]] = (values[[0, -1]] - self._moved * values[[1, -2]]) / (1 - self._moved)
        return values


def filtered(values: Floats, a: float) -> Floats:
    """Return v_j + a v_{j-1} + a^2 v_{j-2} + ... for every j, by doubling.

    >>> filtered(np.array([1.0, 0.0, 0.0, 2.0]), 0.5).tolist()
    [1.0, 0.5, 0.25, 2.125]
    """
    sums, step, factor = np.array(values), 1, a
    while step < len(sums) and factor > _UNSEEN:
        sums[step:] = sums[step:] + factor * sums[:-step]
        step, factor = 2 * step, factor * factor
    return sums


def _share(form: Peaked) -> float:
    if isinstance(form, WeaklyHonest):
        return float(ClosedChances(form=form).share())
    return 0.0 if isinstance(form, Fair) else 1.0


def _gmres(operator: Callable[[Floats], Floats], right: Floats) -> Floats:
    """Solve an equation whose operator is near the identity: the best of a growing Krylov space."""
    size = float(np.linalg.norm(right))
    if not size:
        return np.zeros_like(right)
    basis, steps = np.zeros((_MOST_STEPS + 1, len(right))), np.zeros((_MOST_STEPS + 1, _MOST_STEPS))
    basis[0] = right / size
    for k in range(_MOST_STEPS):
        new, known = operator(basis[k]), basis[: k + 1]
        for _ in range(2):  # once more, for what rounding left of the earlier directions
            parts = known @ new
            steps[: k + 1, k] += parts
            new = new - parts @ known
        length = float(np.linalg.norm(new))
        steps[k + 1, k] = length
        wanted = np.zeros(k + 2)
        wanted[0] = size
        weights = np.linalg.lstsq(steps[: k + 2, : k + 1], wanted, rcond=None)[0]
        left = float(np.linalg.norm(steps[: k + 2, : k + 1] @ weights - wanted))
        if left < _ENOUGH * size or length < 1e-14:
            break
        basis[k + 1] = new / length
    return np.asarray(weights @ basis[: len(weights)])


def same_law(alpha: Fraction, n: int) -> int:
    """A smaller size, of the same parity, whose mechanism errs as the one of size n does; or n
    itself.

    Between the ends nothing changes with the distance to them, but by a^(n/4) and less, which a
    float does not see.
    """
    reach = -log_of(alpha)
    size = int(min(140.0 / reach, 2.0**60)) + 8
    return n if n <= size + 1 else size + (n - size) % 2
