"""Where a design ignores the truth: at such a count every answer is as likely as any other, which
is a blind guess.

That happens where much privacy meets a property such as column monotonicity; a reader must not take
it for an answer.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from discreet.studio.controls import STOPS
from discreet.studio.designs import best_known, design_of, named
from discreet.studio.settings import read_setting
from discreet.studio.telling.meant_for import blind_counts
from discreet.studio.telling.wording import listed, runs
from discreet.studio.worth import UNKNOWABLE, total_of

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism
    from discreet.studio.settings import Reading, Setting

_ENOUGH = Fraction(7, 10)
"""From this epsilon on the usual noise has every property but fairness, so that a design is
blind nowhere.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Blind:
    """The true counts at which a design is a blind guess, what to say of them, and a setting
    that is not.
    """

    counts: tuple[int, ...]
    says: str
    helps: str
    """What helps."""
    better: Setting | None
    """The same with a larger epsilon, the next of the slider at which it is blind nowhere."""


def blindness(reading: Reading, m: Mechanism) -> Blind | None:
    """Return where a design is blind; None where it is nowhere.

    >>> from discreet.designer import design
    >>> from discreet.studio.settings import read_text
    >>> reading = read_setting(read_text("n=8&epsilon=0.25&properties=CM"))
    >>> found = blindness(reading, design(n=8, epsilon="0.25", properties="CM"))
    >>> found.counts, found.better.privacy
    ((4,), '0.28')
    >>> print(found.says, found.helps)
    At a true count of 4 this design is a blind guess. At 1 to 3 and 5 to 7 it tells the truth more
    often than the usual
    noise. A larger epsilon helps.
    """
    counts = blind_counts(m)
    if not counts:
        return None
    if m.alpha == 1:
        says = (
            "At epsilon 0 nothing that is published may depend on anybody's answer: perfect "
            "privacy is a blind guess."
        )
        return Blind(counts=counts, says=says, helps="A larger epsilon helps.", better=None)
    where = (
        "Whatever is true"
        if len(counts) > m.n
        else f"At a true count of {listed(list(map(str, counts)), 'or')}"
    )
    sums = (
        "; totals cannot be estimated from it either"
        if total_of(m, reading.prior) == UNKNOWABLE
        else ""
    )
    return Blind(
        counts=counts,
        says=f"{where} this design is a blind guess{sums}.{_elsewhere(m)}",
        helps="A larger epsilon helps.",
        better=_larger(reading),
    )


def _elsewhere(m: Mechanism) -> str:
    """Say at which true counts it is better than the usual noise."""
    usual = named("GM", m.n, m.privacy)
    ahead = [count for count in range(m.n + 1) if m.truth(count) > usual.truth(count)]
    return (
        f" At {listed(runs(ahead), 'and')} it tells the truth more often than the usual noise."
        if ahead
        else ""
    )


def _larger(reading: Reading) -> Setting | None:
    """The next stop of the slider at which the same design is blind nowhere, where designs are
    known at once.
    """
    setting = reading.setting
    if not best_known(setting) or reading.privacy is None:
        return None
    for stop in STOPS[setting.unit]:
        other = read_setting(setting.but(privacy=stop))
        if other.privacy is None or other.privacy.value >= reading.privacy.value:
            continue
        if not blind_counts(design_of(other)):
            return other.setting
        if other.privacy.epsilon > _ENOUGH:
            break
    return None
