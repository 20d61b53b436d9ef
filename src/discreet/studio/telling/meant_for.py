"""What a design is for, in a line: what it makes of sums, and, where it is fair, what else to ask for.

The advice is that of docs/choosing.md: fairness is for comparing groups; for numbers that are read one by one, ask that
closer answers are likelier, unless the usual method has that already.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from discreet.studio.designs import named
from discreet.studio.worth import ANYTHING, UNKNOWABLE, total_of

if TYPE_CHECKING:
    from discreet.core.losses import PriorLike
    from discreet.core.mechanism import Mechanism
    from discreet.studio.settings import Reading, Setting

_ESTIMATED = Fraction(1, 4)
"""Below this epsilon a design whose closer answers are likelier may have no estimate of a total."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MeantFor:
    """What is said of a design, and another setting to try, with what leads to it."""

    says: str
    helps: str = ""
    names: tuple[str, ...] = ()
    """The properties that are advised instead; none: no property."""
    better: Setting | None = None


def meant_for(reading: Reading, m: Mechanism) -> MeantFor:
    """Say what a design makes of sums, and what is advised where it is fair.

    >>> from discreet.core.named import fair, geometric
    >>> from discreet.studio.settings import read_setting, read_text
    >>> reading = read_setting(read_text("n=8&epsilon=0.25&properties=F"))
    >>> found = meant_for(reading, fair(n=8, epsilon="0.25"))
    >>> print(found.says)
    Fairness is for comparing groups. Sums get rougher: a total of 100 is within ±305, not ±106.
    >>> found.helps, found.names
    ('To read single numbers, try', ('CM',))
    >>> print(meant_for(reading, geometric(n=8, epsilon="0.25")).says)
    A total of 100 such groups is within ±106.
    """
    usual = named("GM", m.n, m.privacy)
    ours, theirs = _within(m, reading.prior), _within(usual, reading.prior)
    if "F" not in reading.setting.properties or m.n < 2 or usual == m:
        beside = "" if usual == m else f", by the usual method {theirs.removeprefix('is within ')}"
        return MeantFor(says=f"A total of 100 such groups {ours}{beside}.")
    names = advised_instead(m)
    return MeantFor(
        says="Fairness is for comparing groups. Sums get rougher: "
        f"a total of 100 {ours}, not {theirs.removeprefix('is within ')}.",
        helps="To read single numbers, try" if names else "To read single numbers or sums, ask for",
        names=names,
        better=reading.setting.but(properties=names, output_dp=""),
    )


def advised_instead(m: Mechanism) -> tuple[str, ...]:
    """The properties that are advised where groups are not compared, at the privacy of a design.

    >>> from discreet.core.named import fair
    >>> [advised_instead(fair(n=8, epsilon=epsilon)) for epsilon in (1, "1/2", "1/5")]
    [(), ('CM',), ('RM', 'CM')]
    """
    if "CM" in named("GM", m.n, m.privacy).shape.names:
        return ()
    return ("CM",) if m.privacy.epsilon >= _ESTIMATED else ("RM", "CM")


def sums_of(m: Mechanism, other: Mechanism) -> str:
    """Say what a total of another would be, where both are of use: "within ±28.1 instead of ±52.5"."""
    ours, theirs = total_of(m), total_of(other)
    if {ours, theirs} & {ANYTHING, UNKNOWABLE}:
        return ""
    return f"a total of 100 groups would be within {theirs} instead of {ours}"


def _within(m: Mechanism, prior: PriorLike) -> str:
    found = total_of(m, prior)
    if found == UNKNOWABLE:
        return "has no estimate"
    return "may be anything" if found == ANYTHING else f"is within {found}"
