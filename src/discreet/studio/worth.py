"""What a mechanism is worth to whoever reads its answers: four numbers, and how a property
changes them.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING

from discreet.core.losses import PriorLike, read_prior

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism

UNKNOWABLE, ANYTHING = "unknowable", "anything"
"""A total that no unbiased estimate is made of, and one whose 95% interval holds all that is
possible.
"""

GROUPS = 100
"""A total of so many groups is what the last number is about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Worth:
    """Averages under a prior, as they are shown: chance of the truth, RMSE, margin, and what a
    total will be worth.
    """

    n: int
    truth: float
    rmse: float
    margin: int
    total: float | None
    """Standard error of the unbiased total of 100 groups; None where there is no unbiased
    estimate.
    """
    total_margin: float | None
    """How far off that total is at most, with 95% confidence: half the width that a plan gives;
    None: anything.
    """

    @property
    def total_words(self) -> str:
        """That margin as it is shown."""
        return _spread(self.total, self.total_margin)


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One of the four numbers, without a property and with it."""

    what: str
    before: str
    after: str
    more: str = ""
    """What a tooltip adds."""


def worth(m: Mechanism, prior: PriorLike = None) -> Worth:
    """Measure a mechanism.

    >>> from discreet.core.named import geometric
    >>> found = worth(geometric(n=8, epsilon=1))
    >>> f"{found.truth:.3f} {found.rmse:.3f} {found.margin} {found.total:.2f}"
    '0.522 1.159 3 12.67'
    """
    found = m.accuracy(prior=prior)
    total, margin = _total(m, prior)
    return Worth(
        n=m.n,
        truth=found.truth,
        rmse=found.rmse,
        margin=found.margin,
        total=total,
        total_margin=margin,
    )


def _total(m: Mechanism, prior: PriorLike) -> tuple[float | None, float | None]:
    """The standard error of a total of 100 groups, and how far off it is with 95% confidence, as
    a plan says.
    """
    from discreet.reading.ahead.planned_widths import counted, planned_width
    from discreet.reading.methods.debiasing import NotEstimable, score
    from discreet.tables.level_split import working_prior

    weights = read_prior(prior, m.n).weights
    if not m.n:
        return 0.0, 0.0
    try:
        variances = score(m.form, range(m.n + 1)).variance
        width = planned_width(lambda _: counted(m), {m.n: GROUPS}, 1, working=working_prior(prior))
    except NotEstimable:
        return None, None
    error = sqrt(GROUPS * sum(float(w) * float(v) for w, v in zip(weights, variances, strict=True)))
    return error, None if width is None else width / 2


def total_of(m: Mechanism, prior: PriorLike = None) -> str:
    """Say how far off a total of 100 groups is, with 95% confidence.

    >>> from discreet.core.named import geometric, uniform
    >>> (
    ...     total_of(geometric(n=8, epsilon=1)),
    ...     total_of(uniform(n=8)),
    ...     total_of(geometric(n=1, epsilon="1/100")),
    ... )
    ('±28.1', 'unknowable', 'anything')
    """
    return _spread(*_total(m, prior))


def totals_beside(other: Mechanism, yours: Mechanism, prior: PriorLike = None) -> str:
    """Say what another design makes of a total, with yours beside it.

    >>> from discreet.core.named import fair, geometric
    >>> totals_beside(fair(n=8, epsilon=1), geometric(n=8, epsilon=1))
    'It is another design than yours, and costs totals: of 100 groups, ±52.5 instead of ±28.1.'
    """
    (_, theirs), (_, ours) = (_total(m, prior) for m in (other, yours))
    texts = [total_of(m, prior) for m in (other, yours)]
    if texts[0] == texts[1]:
        return f"It is another design than yours, with totals as good: of 100 groups, {texts[0]}."
    costs = theirs is None or (ours is not None and theirs > ours)
    does = "costs totals" if costs else "is better for totals"
    return (
        f"It is another design than yours, and {does}: of 100 groups, {texts[0]} instead of "
        f"{texts[1]}."
    )


def margin_words(margin: int, n: int) -> str:
    """Write a 95% margin; where it is the whole group, of which a number then says nothing, that is
    added.

    >>> margin_words(3, 8), margin_words(8, 8)
    ('±3', '8 of 8')
    """
    return f"{n} of {n}" if 0 < n <= margin else f"±{margin}"


def changes(before: Worth, after: Worth) -> tuple[Change, ...]:
    """Set the four numbers side by side, as text.

    >>> from discreet.core.named import fair, geometric
    >>> for change in changes(worth(geometric(n=8, epsilon=1)), worth(fair(n=8, epsilon=1))):
    ...     print(change.what, change.before, change.after)
    truth 52.2% 46.7%
    usual error 1.16 1.63
    95% margin ±3 ±5
    total of 100 ±28.1 ±52.5
    """
    return (
        Change(what="truth", before=f"{before.truth:.1%}", after=f"{after.truth:.1%}"),
        Change(what="usual error", before=f"{before.rmse:.2f}", after=f"{after.rmse:.2f}"),
        Change(
            what="95% margin",
            before=margin_words(before.margin, before.n),
            after=margin_words(after.margin, after.n),
            more="The whole group: one number says nothing about it. Totals of many groups may be "
            "of use."
            if after.n <= after.margin
            else "",
        ),
        Change(
            what=f"total of {GROUPS}",
            before=_spread(before.total, before.total_margin),
            after=_spread(after.total, after.total_margin),
            more=f"standard error: {_number(before.total)} without the property, "
            f"{_number(after.total)} with it",
        ),
    )


def _spread(error: float | None, margin: float | None) -> str:
    """The 95% margin of a total; in a word where there is no unbiased estimate, or one that may
    be anything.
    """
    if error is None:
        return UNKNOWABLE
    return ANYTHING if margin is None else f"±{_number(margin)}"


def _number(value: float | None) -> str:
    return "none" if value is None else f"{value:.{1 if value < 100 else 0}f}"
