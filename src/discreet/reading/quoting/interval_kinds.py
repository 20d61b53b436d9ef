"""Which interval stands beside which number, and which to print: one rule, for terminal, report and
documentation.

There are two kinds. A confidence interval is made of the numbers of its own row and covers as often
as it says whatever is true. A credible interval of one group begins with a prior learned from all
groups of the release (see `pooled_posteriors`), so it is mostly shorter, and it is right in so many
cases of a hundred over the groups, not in each of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from math import floor
from typing import TYPE_CHECKING, Any

from discreet.core.rationals import in_percent

if TYPE_CHECKING:
    from discreet.reading.parts.number_table import NumberTable

CONFIDENCE, CREDIBLE = "confidence", "credible"

_COUNT = (
    "Which to print: the interval, then the whole number where there is one, both from the table "
    "to quote{where}. Of one group that is its credible interval, of a sum of groups its "
    "confidence interval. Estimates with decimals are for arithmetic."
)
_ANSWERS = (
    "Which to print: the interval, then the whole number where there is one, from the table to "
    "quote{where}. Estimates with decimals are for arithmetic."
)
ALONE = (
    "Each interval is a confidence interval: it is made of its own row's numbers and holds "
    "whatever is true."
)
"""What the one kind is, where there is only one."""
TWO_KINDS = (
    "That of a sum is a confidence interval: it is made of its own row's numbers and holds "
    "whatever is true. That of one group, in a count of yes or no, is a credible interval: it "
    "also uses what all groups say together, and is mostly shorter."
)
"""How the two kinds differ."""
PRINT = "Print the interval, then the number"
"""The rule above the rows, for every table in which both stand."""

MOVED, NONE = "*", "\N{EN DASH}"
"""After a number that gave way, among the details; and in the place of one that is not to be
quoted.
"""
INTERVAL_ALONE = (
    f"Where a dash ({NONE}) stands for the number, quote the interval alone: the number would "
    "stand at one end of it, such as 2 or 6 of 2 to 6, or the interval spans three quarters of "
    "the group or more. So of two groups with the same interval, one may have a number and the "
    "other a dash."
)
NO_NUMBER = f"{INTERVAL_ALONE} The whole number that makes sums right: --csv FILE --details."
"""The same below the rows of a terminal, as in a report, and where the number is."""
WAS_MOVED = (
    f"{MOVED}: rounded to another whole number than the nearest, so that the numbers add up to "
    "their total."
)
WIDENED = "\u2020"
"""After an interval that was widened, in a report."""
_ROUNDED = "rounded so that all sums are right, and fell outside"
WAS_WIDENED = (
    f"{WIDENED}: widened to hold its whole number, which is {_ROUNDED}. The wider interval holds "
    "the truth at least as often."
)
_NAMED = 5
"""Widened intervals that a sentence names."""
_BESIDE = (
    "The credible interval also uses what all groups say together, so it is mostly shorter. "
    "estimate: for sums and models. Its confidence interval is of its row alone, and holds that "
    "often whatever is true."
)
LITTLE = (
    "Too noisy to quote alone: {:,} of {:,} numbers, whose intervals are three quarters of the "
    "group or more."
)
"""What is said before the rows."""
_BESIDE_ANSWERS = "estimate: for sums and models; its interval is the same."


def beside_estimates(*, answers: bool = False) -> tuple[str, ...]:
    """Return the rule where both stand side by side: what to quote of single groups, and their
    estimates.
    """
    return (_BESIDE_ANSWERS if answers else _BESIDE,)


def marks_in_brief(kind: str, *, dashes: bool, moved: bool) -> tuple[str, ...]:
    """Return what stands below the numbers of single groups: what the interval and the marks mean,
    where the rest is.

    >>> marks_in_brief("95% credible", dashes=False, moved=False)[0]
    'The 95% interval is a credible interval: of all such, about 95% hold the truth; which ones,
    nobody can know.'
    """
    level = kind.partition(" ")[0]
    over = f"of all such, about {level} hold the truth; which ones, nobody can know."
    return (
        f"The {level} interval is a credible interval: {over}" if CREDIBLE in kind else ALONE,
        *([NO_NUMBER] if dashes else []),
        *([WAS_MOVED] if moved else []),
        "With --details: the unbiased estimates, for arithmetic.",
    )


def widened_note(names: Sequence[str]) -> str:
    """Return which intervals were widened to hold their numbers, by the names of their rows, and
    why.

    >>> widened_note(["East, clinic 41"])
    '1 interval was widened to hold its whole number, which is rounded so that all sums are right,
    and fell outside: \
East, clinic 41.'
    """
    one = len(names) == 1
    said = "interval was widened to hold its whole number, which is"
    said = said if one else "intervals were widened to hold their whole numbers, which are"
    more = f"; and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    return f"{len(names):,} {said} {_ROUNDED}: {'; '.join(names[:_NAMED])}{more}."


def rule(*, dashes: bool) -> str:
    """Return what to print, for above the rows.

    >>> rule(dashes=True).partition(" (")[0]
    'Print the interval, then the number. Where that is a dash'
    """
    alone = "print the interval alone: the number would stand at one end of it, or it is too wide"
    return f"{PRINT}. Where that is a dash ({NONE}), {alone}." if dashes else f"{PRINT}."


def which_to_print(*, answers: bool = False, where: str = "") -> str:
    """Return the rule, for a count of yes or no or for a question with several answers.

    >>> which_to_print()[:63]
    'Which to print: the interval, then the whole number where there'
    """
    return (_ANSWERS if answers else _COUNT).format(where=where)


def saying_which(table: NumberTable, *, answers: bool = False) -> NumberTable:
    """Return a table of estimates by key with the rule among its notes; the total of all needs
    none.
    """
    keys = [name for name in table.keys if not (answers and name == "answer")]
    if not keys:
        return table
    from discreet.show.text import in_words_of

    where = in_words_of(" (quotable(), or a report)", " (--csv FILE, or a report)")
    notes = (*table.notes, which_to_print(answers=answers, where=where))
    return replace(table, notes=notes)


def too_wide(low: Any, high: Any, n: Any) -> Any:
    """Whether an interval is three quarters of its people or more. Numbers, or arrays.

    >>> too_wide(0, 3, 4), too_wide(1, 3, 4), too_wide(0, 0, 0)
    (True, False, False)
    """
    return (n > 0) & (4 * (high - low) >= 3 * n)


def says_little(whole: Any, low: Any, high: Any, n: Any) -> Any:
    """Whether a number is not to be quoted alone: `not_alone` says when. Numbers, or arrays.

    A 0 alone is read as "nobody", and n alone as "everybody"; an interval of 0 to 4 says neither.
    And a 7 beside 2 to 7 looks like a mistake: numbers are as wide apart as what was released,
    intervals also use what all groups say. Of two numbers next to each other, 7 to 8, either may be
    quoted.

    >>> (
    ...     says_little(0, 0, 4, 20),
    ...     says_little(1, 0, 4, 20),
    ...     says_little(7, 2, 7, 20),
    ...     says_little(7, 7, 8, 20),
    ... )
    (True, False, True, False)
    """
    nobody_or_everybody = (low < high) & ((whole <= 0) | (whole >= n))
    at_end = (high - low > 1) & ((whole <= low) | (whole >= high))
    return too_wide(low, high, n) | ((n > 0) & (nobody_or_everybody | at_end))


def total_to_print(total: Any, people: int) -> tuple[str, str]:
    """Return what to print of a total, its interval, then its whole number where that can stand
    beside it; and more.

    >>> from types import SimpleNamespace
    >>> total_to_print(SimpleNamespace(value=98.6, low=77, high=121, confidence=0.95), 365)[0]
    'To print: 77 to 121 of 365 (95% interval), about 99.'
    """
    whole = min(max(floor(total.value + 0.5), 0), people)  # as `adding_up` has it
    number = "" if says_little(whole, total.low, total.high, people) else f", about {whole:,}"
    ends = from_to(f"{total.low:,.0f}", f"{total.high:,.0f}")
    interval = f"{ends} of {people:,} ({interval_head(total.confidence)})"
    return f"To print: {interval}{number}.", "To calculate with: the unbiased numbers below."


def not_alone(people: str = "") -> str:
    """When a number is not to be quoted alone, in words; of columns in a file, or of `people`.

    >>> not_alone()
    'its interval is three quarters of n or more, or the number stands at one end of it'
    """
    of = f"its {people}" if people else "n"
    return f"its interval is three quarters of {of} or more, or the number stands at one end of it"


def part_head(name: str, confidence: Fraction | float) -> str:
    """Return what the intervals of a rate or a share are called, beside those of the numbers.

    >>> part_head("rate", 0.9)
    'rate, 90%'
    """
    return f"{name}, {in_percent(confidence)}"


def interval_head(confidence: Fraction | float) -> str:
    """Return what a column of intervals is called: both kinds alike, for both are printed alike.

    >>> interval_head(Fraction(19, 20))
    '95% interval'
    """
    return f"{in_percent(confidence)} interval"


def interval_kind(confidence: Fraction | float, kind: str = CONFIDENCE) -> str:
    """Return of which kind an interval is, for files, and for a table that has both.

    >>> interval_kind(Fraction(19, 20)), interval_kind(0.9, CREDIBLE)
    ('95% confidence', '90% credible')
    """
    return f"{in_percent(confidence)} {kind}"


def from_to(low: str, high: str) -> str:
    """Return the ends of an interval, or the one number where they are the same.

    >>> from_to("2", "6"), from_to("5", "5")
    ('2 to 6', '5')
    """
    return low if low == high else f"{low} to {high}"
