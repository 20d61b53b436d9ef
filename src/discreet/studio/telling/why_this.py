"""Why the design on the screen is the one it is, in three short sentences: what it does best,
where, at what price.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from discreet.core.named import recognised
from discreet.studio.designs import named
from discreet.studio.telling.lead import capital
from discreet.studio.telling.meant_for import sums_of

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism

EQUALLY = "if every count is equally likely"
"""Under which "right most often" is said: on average over a uniform prior."""


def why(m: Mechanism) -> str:
    """Say what a design is best at, how often it is right where, and what the other way would do.

    For designs of the least L0 on average over a uniform prior: nothing of their kind is right more
    often.

    >>> from discreet.core.named import fair, geometric
    >>> from discreet.designer import design
    >>> print(why(geometric(n=8, epsilon=1)))
    It is the usual noise, the geometric mechanism: if every count is equally likely, nothing as
    private is right more
    often. It tells the truth in 73% of cases at 0 and 8, and in 46% in between. With fairness every
    count would get
    47%, and a total of 100 groups would be within ±52.5 instead of ±28.1.
    >>> print(why(fair(n=8, epsilon=1)))
    It is the fair mechanism: every count is told truthfully in 47% of cases, and nothing as private
    and fair does so
    more often. The usual noise is right in 73% of cases at 0 and 8, and in 46% in between. Without
    fairness, a total
    of 100 groups would be within ±28.1 instead of ±52.5.
    >>> print(why(design(n=8, epsilon="1/4", properties="CM")))
    If every count is equally likely, nothing as private with these properties is right more often:
    in 20.3% of cases.
    The usual noise, which lacks some of them, is right in 22.2%: in 56% at 0 and 8, and in 12% in
    between. With it, a
    total of 100 groups would be within ±106 instead of ±108.
    """
    if m.n < 2:
        return ""
    found = recognised(m)
    known = found.short if found else ""
    other = named("EM" if known == "GM" else "GM", m.n, m.privacy)
    uneven = m if known == "GM" else other
    apart = f"in {_whole(uneven, 0)}{{}} at 0 and {m.n}, and in {_whole(uneven, 1)} in between"
    sums = sums_of(m, other)
    if known == "GM":
        then = f", and {sums}" if sums else ""
        return (
            f"It is the usual noise, the geometric mechanism: {EQUALLY}, nothing as private is "
            f"right more often. It tells the truth {apart.format(' of cases')}. With fairness "
            f"every count would get {_whole(other, 0)}{then}."
        )
    if known == "EM":
        then = f" Without fairness, {sums}." if sums else ""
        return (
            f"It is the fair mechanism: every count is told truthfully in {_whole(m, 0)} of "
            "cases, and nothing as private and fair does so more often. The usual noise is right "
            f"{apart.format(' of cases')}.{then}"
        )
    then = f" With it, {sums}." if sums else ""
    return (
        f"{capital(EQUALLY)}, nothing as private with these properties is right more often: in "
        f"{_over_all(m)} of cases. The usual noise, which lacks some of them, is right in "
        f"{_over_all(uneven)}: {apart.format('')}.{then}"
    )


def _over_all(m: Mechanism) -> str:
    return f"{float(m.accuracy().truth):.1%}"


def _whole(m: Mechanism, count: int) -> str:
    return f"{float(m.truth(count)):.0%}"
