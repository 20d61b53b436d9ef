"""Why the design on the screen is the one it is, where it has a name: what it does best, and what fairness changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discreet.core.named import recognised
from discreet.studio.designs import named
from discreet.studio.telling.meant_for import advised_instead, sums_of
from discreet.studio.telling.wording import holdings

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism


def why(m: Mechanism) -> str:
    """Say why a design is the geometric mechanism or the fair one, and what the other would do; else nothing.

    For designs of the least L0 on average over a uniform prior, where both are optimal.


    >>> from discreet.core.named import fair, geometric
    >>> print(why(geometric(n=8, epsilon=1)))
    Why this design? It is the geometric mechanism, the usual method. Nothing as private is right more often, and here
    it has every property but fairness: it tells the truth 73% of the time at 0 and 8, 46% in between. With fairness
    every count would get 47%, and the usual error would be 1.63 instead of 1.16. That is worth it where groups are
    compared, not where they are added up: a total of 100 groups would be within ±52.5 instead of ±28.1.
    >>> print(why(fair(n=8, epsilon=1)))
    Why this design? It is the explicit fair mechanism: every count has the same chance of being told truthfully, 47%.
    Without fairness, the usual method would be right 73% of the time at 0 and 8, 46% in between. Over all counts that
    is more, 52%, because of the two ends, and the usual error would be 1.16 instead of 1.63. Fairness is worth its
    price where groups are compared, not where they are added up: a total of 100 groups would be within ±28.1 instead of
    ±52.5. Where nobody compares groups, we advise to ask for no property at this privacy.
    """
    found = recognised(m)
    if m.n < 2 or found is None or found.short not in ("GM", "EM"):
        return ""
    other = named("EM" if found.short == "GM" else "GM", m.n, m.privacy)
    uneven, even = (m, other) if found.short == "GM" else (other, m)
    errors = f"{other.accuracy().rmse:.2f} instead of {m.accuracy().rmse:.2f}"
    apart = f"{_whole(uneven, 0)} of the time at 0 and {m.n}, {_whole(uneven, 1)} in between"
    sums = f": {said}" if (said := sums_of(m, other)) else ""
    if found.short == "GM":
        return (
            "Why this design? It is the geometric mechanism, the usual method. Nothing as private is right more often, "
            "and here it "
            f"{holdings(m.shape)}: it tells the truth {apart}. With fairness every count would get {_whole(even, 0)}, "
            f"and the usual error would be {errors}. That is worth it where groups are compared, not where they are "
            f"added up{sums}."
        )
    return (
        "Why this design? It is the explicit fair mechanism: every count has the same chance of being told truthfully, "
        f"{_whole(even, 0)}. Without fairness, the usual method would be right {apart}. Over all counts that is more, "
        f"{uneven.accuracy().truth:.0%}, because of the two ends, and the usual error would be {errors}. Fairness is "
        f"worth its price where groups are compared, not where they are added up{sums}. Where nobody compares groups, "
        f"we advise to ask {_instead(m)}."
    )


def _instead(m: Mechanism) -> str:
    names = advised_instead(m)
    if not names:
        return "for no property at this privacy"
    also = " and that far counts fit least" if "RM" in names else ""
    return f"that closer answers are likelier{also}, and for no property if only sums are read"


def _whole(m: Mechanism, count: int) -> str:
    return f"{float(m.truth(count)):.0%}"
