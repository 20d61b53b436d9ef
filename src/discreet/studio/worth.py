"""What a mechanism is worth to whoever reads its answers: four numbers, and how a property changes them."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING

from discreet.core.losses import PriorLike, read_prior

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism

GROUPS = 100
"""A total of so many groups is what the last number is about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Worth:
    """Averages under a prior, as they are shown: chance of the truth, RMSE, margin, standard error of a total."""

    truth: float
    rmse: float
    margin: int
    total: float | None
    """Of the unbiased total of 100 groups; None where there is no unbiased estimate."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One of the four numbers, without a property and with it."""

    what: str
    before: str
    after: str


def worth(m: Mechanism, prior: PriorLike = None) -> Worth:
    """Measure a mechanism.

    >>> from discreet.core.named import geometric
    >>> found = worth(geometric(n=8, epsilon=1))
    >>> f"{found.truth:.3f} {found.rmse:.3f} {found.margin} {found.total:.2f}"
    '0.522 1.159 3 12.67'
    """
    found = m.accuracy(prior=prior)
    return Worth(truth=found.truth, rmse=found.rmse, margin=found.margin, total=_total(m, prior))


def _total(m: Mechanism, prior: PriorLike) -> float | None:
    from discreet.reading.methods.debiasing import NotEstimable, score

    weights = read_prior(prior, m.n).weights
    try:
        variances = score(m.form, range(m.n + 1)).variance
    except NotEstimable:
        return None
    return sqrt(GROUPS * sum(float(w) * float(v) for w, v in zip(weights, variances, strict=True)))


def changes(before: Worth, after: Worth) -> tuple[Change, ...]:
    """Set the four numbers side by side, as text.

    >>> from discreet.core.named import fair, geometric
    >>> for change in changes(worth(geometric(n=8, epsilon=1)), worth(fair(n=8, epsilon=1))):
    ...     print(change.what, change.before, change.after)
    truth 52.2% 46.7%
    usual error 1.16 1.63
    95% margin 3 5
    total of 100 ±12.7 ±22.0
    """
    return (
        Change(what="truth", before=f"{before.truth:.1%}", after=f"{after.truth:.1%}"),
        Change(what="usual error", before=f"{before.rmse:.2f}", after=f"{after.rmse:.2f}"),
        Change(what="95% margin", before=str(before.margin), after=str(after.margin)),
        Change(what=f"total of {GROUPS}", before=_spread(before.total), after=_spread(after.total)),
    )


def _spread(total: float | None) -> str:
    return "no estimate" if total is None else f"±{total:.{1 if total < 100 else 0}f}"
