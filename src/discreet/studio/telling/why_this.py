"""Why the design on the screen is the one it is, where it has a name: what it does best, and what fairness changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discreet.core.named import recognised
from discreet.studio.designs import named
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
    compared, not where they are added up.
    >>> print(why(fair(n=8, epsilon=1)))
    Why this design? It is the explicit fair mechanism: every count has the same chance of being told truthfully, 47%.
    Without fairness, the usual method would be right 73% of the time at 0 and 8, 46% in between. Over all counts that
    is more, 52%, because of the two ends, and the usual error would be 1.16 instead of 1.63. Fairness is worth its
    price where groups are compared, not where they are added up.
    """
    found = recognised(m)
    if m.n < 2 or found is None or found.short not in ("GM", "EM"):
        return ""
    other = named("EM" if found.short == "GM" else "GM", m.n, m.privacy)
    uneven, even = (m, other) if found.short == "GM" else (other, m)
    errors = f"{other.accuracy().rmse:.2f} instead of {m.accuracy().rmse:.2f}"
    apart = f"{_whole(uneven, 0)} of the time at 0 and {m.n}, {_whole(uneven, 1)} in between"
    if found.short == "GM":
        return (
            "Why this design? It is the geometric mechanism, the usual method. Nothing as private is right more often, "
            "and here it "
            f"{holdings(m.shape)}: it tells the truth {apart}. With fairness every count would get {_whole(even, 0)}, "
            f"and the usual error would be {errors}. That is worth it where groups are compared, not where they are "
            "added up."
        )
    return (
        "Why this design? It is the explicit fair mechanism: every count has the same chance of being told truthfully, "
        f"{_whole(even, 0)}. Without fairness, the usual method would be right {apart}. Over all counts that is more, "
        f"{uneven.accuracy().truth:.0%}, because of the two ends, and the usual error would be {errors}. Fairness is "
        "worth its price where groups are compared, not where they are added up."
    )


def _whole(m: Mechanism, count: int) -> str:
    return f"{float(m.truth(count)):.0%}"
