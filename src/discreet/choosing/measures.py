"""What a table shows about a mechanism: scores, bias and chance of truth, exactly."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING

from discreet.core.certificate import moments, score
from discreet.core.losses import PriorLike, read_loss, read_prior

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism


@dataclass(frozen=True, slots=True, kw_only=True)
class Measures:
    """The costs of one mechanism under a prior over true counts, and its worst true count.

    L0 and L0,1 carry the paper's factor (n+1)/n, as `Mechanism.score` does. `worst_bias` is the
    largest |E[output] - j| and `least_truth` the smallest Pr[j|j] over all true counts j, whatever
    their weight.
    """

    l0: Fraction
    l01: Fraction
    l1: Fraction
    l2: Fraction
    worst_bias: Fraction
    mean_truth: Fraction
    least_truth: Fraction

    @property
    def rmse(self) -> float:
        """The root mean squared error over noise and true counts, sqrt(L2): a float, because
        roots are irrational.
        """
        return sqrt(self.l2)


def measure(m: Mechanism, prior: PriorLike = None) -> Measures:
    """Measure a mechanism under a prior (uniform unless given).

    >>> from discreet.core.named import geometric
    >>> found = measure(geometric(n=2, alpha="1/2"))
    >>> found.l0, found.worst_bias, found.least_truth
    (Fraction(2, 3), Fraction(1, 2), Fraction(1, 3))
    """
    form, weights = m.form, read_prior(prior, m.n)
    l0, l01, l1, l2 = (
        score(form, read_loss(name, m.n), weights) for name in ("L0", "L0,1", "L1", "L2")
    )
    at = [moments(form, j) for j in range(m.n + 1)]
    return Measures(
        l0=l0,
        l01=l01,
        l1=l1,
        l2=l2,
        worst_bias=max(abs(here.bias) for here in at),
        mean_truth=1 - l0 * Fraction(m.n, m.n + 1) if m.n else Fraction(1),
        least_truth=min(here.truth for here in at),
    )


def briefly(value: float) -> str:
    """Format a non-negative number in at most six characters.

    >>> [briefly(x) for x in (0, 0.95238, 12.3456, 4567.89, 1234567, 0.00012)]
    ['0', '0.9524', '12.346', '4567.9', '1.2e6', '1.2e-4']
    """
    if value == 0:
        return "0"
    if value >= 1e-3:
        for decimals, limit in ((4, 10), (3, 100), (2, 1000), (1, 10_000), (0, 1_000_000)):
            if float(f"{value:.{decimals}f}") < limit:
                return f"{value:.{decimals}f}"
    for decimals in (1, 0):
        digits, _, power = f"{value:.{decimals}e}".partition("e")
        if len(text := f"{digits}e{int(power)}") <= 6:
            break
    return text
