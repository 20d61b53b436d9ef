"""How a sentence of the paper is judged: one standard for all of them, and the one function that
gives the verdict.

A sentence is tried at places (a size, an alpha, data, a mechanism); at each it is true or false.
How many places must bear it out follows from its own words (`needs`). Where the paper's words fit
several mechanisms, each is tried, and for a mechanism that the paper does not single out among many
optima a place counts as open (None) when the optima disagree there. `STANDARD` says this to a
reader; the pages print it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

CLOSE = 0.02
"""Numbers that differ by at most this are "close": two of a hundred groups."""

STANDARD = (
    "A sentence is tried at *places*: every size, alpha, input and pair of mechanisms it speaks "
    "about, by exact numbers or expectations; simulated ones decide only what is said of the "
    "simulation.",
    'Its own words say at how many places it must be true: at **all** ("is", "always", "only", '
    '"identical", or no such word), at **most**, more than half ("tends", "often", "many", '
    '"typically"), or at **some** ("can", "sometimes").',
    'A printed number must be right in its printed digits. "Identical", "the same" and '
    '"converges" mean equal; '
    '"close", "not much to choose", "slightly", "not substantially" and "tracks" at most '
    f"{CLOSE:g} apart; "
    '"appreciably" and "dramatically" further apart than that; "similar" close at most places.',
    "WM is two mechanisms in the paper: the optimum under WH alone, and under WH, RM and CM. A "
    "sentence is tried with both. Neither optimum is unique: a number has a least and a largest "
    "value over all optima, found by linear programs, and a place where the optima disagree is "
    "open.",
    "**Agrees** means that the sentence stands for every mechanism that its words fit; "
    "**differs**, for none of them; **depends**, that it rests on which one is taken.",
)
"""The standard in words, a paragraph each."""

Places = Iterable[bool | None]


class Range(NamedTuple):
    """The least and the largest value of a number over all optima (`discreet.paper.optima`)."""

    low: float
    high: float


Number = float | Range
TOLERANCE = 1e-8
"""How far two floats may be apart and count as equal: expectations are exact to 1e-15, ends of
ranges to this.
"""


def as_range(value: Number) -> Range:
    """Return a number as a range of one value."""
    return value if isinstance(value, Range) else Range(value, value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """At how many places a sentence is true: whichever optimum is taken (`least`), and for some
    of them (`most`).
    """

    least: int
    most: int
    of: int

    def __str__(self) -> str:
        count = f"{self.least}" if self.least == self.most else f"{self.least} to {self.most}"
        return f"{count} of {self.of}"


def count(places: Places) -> Held:
    """Count places: true, false, or None where the optima disagree.

    >>> str(count([True, True, False])), str(count([True, None, False]))
    ('2 of 3', '1 to 2 of 3')
    """
    found = list(places)
    return Held(
        least=sum(p is True for p in found), most=sum(p is not False for p in found), of=len(found)
    )


def below(value: Number, limit: Number) -> bool | None:
    """Whether a number is below another; None where that rests on the optimum taken.

    >>> below(1, 2), below(Range(1, 3), 2), below(2, Range(0, 2))
    (True, None, False)
    """
    one, other = as_range(value), as_range(limit)
    if one.high < other.low - TOLERANCE:
        return True
    return None if one.low < other.high - TOLERANCE else False


def not_above(value: Number, limit: Number) -> bool | None:
    """Whether a number is at most another.

    >>> not_above(2, 2), not_above(2, Range(1, 3)), not_above(Range(3, 4), 2)
    (True, None, False)
    """
    above = below(limit, value)
    return None if above is None else not above


def every(parts: Places) -> bool | None:
    """Whether all parts of a sentence are true at a place.

    >>> every([True, None]), every([None, False]), every([True, True])
    (None, False, True)
    """
    found = list(parts)
    return False if False in found else None if None in found else True


def between(value: Number, one: float, other: float) -> bool | None:
    """Whether a number lies between two others, ends included.

    >>> between(Range(1, 2), 3, 1), between(Range(1, 4), 3, 1), between(Range(4, 5), 3, 1)
    (True, None, False)
    """
    least, most = min(one, other) - TOLERANCE, max(one, other) + TOLERANCE
    span = as_range(value)
    if least <= span.low and span.high <= most:
        return True
    return None if span.low <= most and least <= span.high else False


def equal(value: Number, other: float) -> bool | None:
    """Whether a number is another.

    >>> equal(0.5, 0.5), equal(Range(0.5, 0.6), 0.5), equal(0.5, 0.6)
    (True, None, False)
    """
    return between(value, other, other)


def close(value: Number, other: float) -> bool | None:
    """Whether a number is close to another: at most `CLOSE` apart.

    >>> close(0.5, 0.51), close(Range(0.5, 0.6), 0.51), close(0.5, 0.6)
    (True, None, False)
    """
    return between(value, other - CLOSE, other + CLOSE)


def to_the_digits(value: Fraction | float, printed: str) -> bool:
    """Whether a number, rounded, is what is printed.

    >>> to_the_digits(Fraction(19, 22), "0.864"), to_the_digits(0.6647, "0.67")
    (True, False)
    """
    return f"{float(value):.{len(printed.partition('.')[2])}f}" == printed


def in_words(readings: Mapping[str, Held]) -> str:
    """Say how often a sentence holds for each mechanism that its words fit.

    >>> in_words({"WM (WH)": count([True, True]), "WM (WH RM CM)": count([None, True])})
    'with WM (WH) at 2 of 2, with WM (WH RM CM) at 1 to 2 of 2'
    >>> in_words({"WM (WH)": count([True]), "WM (WH RM CM)": count([True])})
    'with either WM at 1 of 1'
    """
    if len(readings) > 1 and len(set(readings.values())) == 1:
        return f"with either WM at {next(iter(readings.values()))}"
    return ", ".join(f"with {name} at {held}" for name, held in readings.items())


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One thing the paper says (or a study claims), what we find, and whether the two agree.

    `verdict` is "agrees", "differs" or "depends" for the paper's statements; "proven" or "observed"
    for our own.
    """

    where: str
    said: str
    found: str
    verdict: str
    reason: str = ""


def verdict(readings: Sequence[Held], needs: str = "all") -> str:
    """The one function that decides: each reading is one mechanism that the paper's words fit.

    >>> (
    ...     verdict([count([True, True])]),
    ...     verdict([count([True, False])], "most"),
    ...     verdict([count([True, None])]),
    ... )
    ('agrees', 'differs', 'depends')
    >>> verdict([count([])])  # tried nowhere, it is not borne out
    'differs'
    """
    if all(_enough(held.least, held.of, needs) for held in readings):
        return "agrees"
    return "depends" if any(_enough(held.most, held.of, needs) for held in readings) else "differs"


def _enough(places: int, of: int, needs: str) -> bool:
    return {"all": 0 < places == of, "most": 2 * places > of, "some": places >= 1}[needs]


def judge(
    where: str,
    said: str,
    found: str,
    places: bool | Places | Held | Mapping[str, Held] | None,
    reason: str = "",
    *,
    needs: str = "all",
) -> Statement:
    """Set the paper's sentence beside what we find; `places` bear it out, for each reading where
    there are several.

    >>> judge("Section V", "the cost is 0.864", "0.8636", to_the_digits(0.8636, "0.864")).verdict
    'agrees'
    """
    if places is None or isinstance(places, bool):
        readings = [count([places])]
    elif isinstance(places, Held):
        readings = [places]
    else:
        readings = list(places.values()) if isinstance(places, Mapping) else [count(places)]
    return Statement(
        where=where, said=said, found=found, verdict=verdict(readings, needs), reason=reason
    )


def observed(where: str, said: str, found: str) -> Statement:
    """State what a study of ours found and has not proven."""
    return Statement(where=where, said=said, found=found, verdict="observed")
