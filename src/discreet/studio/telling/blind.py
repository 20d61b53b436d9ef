"""Where a design ignores the truth: at such a count every answer is as likely as any other, which is a blind guess.

That happens where much privacy meets a property such as column monotonicity; a reader must not take it for an answer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from discreet.core.named import fair

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism
    from discreet.studio.settings import Reading, Setting


@dataclass(frozen=True, slots=True, kw_only=True)
class Blind:
    """The true counts at which a design is a blind guess, what to say of them, and a setting that is not."""

    counts: tuple[int, ...]
    says: str
    helps: str
    """What helps, and what it costs."""
    better: Setting | None
    """The same with fairness instead: the fair mechanism is never blind, unless nothing is told at all."""


def blindness(reading: Reading, m: Mechanism) -> Blind | None:
    """Return where a design is blind; None where it is nowhere.

    >>> from discreet.designer import design
    >>> from discreet.studio.settings import read_setting, read_text
    >>> found = blindness(read_setting(read_text("n=8&epsilon=0.12")), design(n=8, epsilon="0.12", properties="CM"))
    >>> found.counts, found.says
    ((4,), 'At a true count of 4 this design is a blind guess; totals cannot be estimated from it either.')
    >>> found.helps
    'A larger epsilon helps; fairness makes the truth likelier there.'
    """
    columns = [m.form.column(count)[0] for count in range(m.n + 1)]
    counts = tuple(count for count, column in enumerate(columns) if m.n and min(column) == max(column))
    if not counts:
        return None
    if m.alpha == 1:
        says = (
            "At epsilon 0 nothing that is published may depend on anybody's answer: perfect privacy is a blind guess."
        )
        return Blind(counts=counts, says=says, helps="A larger epsilon helps.", better=None)
    where = "Whatever is true" if len(counts) > m.n else f"At a true count of {' or '.join(map(str, counts))}"
    spread, fair_spread = _spread(m), _spread(fair(n=m.n, alpha=m.alpha))
    sums = "; totals cannot be estimated from it either" if spread is None else ""
    price = ", and totals less exact" if spread is not None and (fair_spread is None or fair_spread > spread) else ""
    return Blind(
        counts=counts,
        says=f"{where} this design is a blind guess{sums}.",
        helps=f"A larger epsilon helps; fairness makes the truth likelier there{price}.",
        better=reading.setting.but(properties=("F",), output_dp=""),
    )


def _spread(m: Mechanism) -> float | None:
    """The variance of an unbiased total, over all true counts alike; None where there is no such total."""
    from discreet.reading.methods.debiasing import NotEstimable, score

    try:
        return float(sum(score(m.form, range(m.n + 1)).variance))
    except NotEstimable:
        return None
