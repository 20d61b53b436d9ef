"""What figures of an estimate are drawn from: numbers with their intervals, by key, by group, by
share.

Charts, the report's page and its spreadsheet show the same rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING, Any

from discreet.core.forms import DENSE_LIMIT
from discreet.reading.parts.key_codes import code
from discreet.reading.quoting.interval_kinds import says_little, too_wide
from discreet.reading.quoting.pooled_posteriors import (
    beyond_posteriors,
    rates_by_tenths,
    shares_by_count,
)
from discreet.reading.quoting.printed_groups import reading_order
from discreet.reading.quoting.quotable_table import what_to_quote
from discreet.reading.strata import column_names
from discreet.tables.asking.smallest_groups import WITHHELD

if TYPE_CHECKING:
    from discreet.reading.parts.number_table import NumberTable
    from discreet.reading.quoting.quoted import Quoted

PEOPLE = "people"
MOST_COUNTS = 20
"""Group size up to which a distribution is shown count by count; beyond it, and over several
sizes, by tenths.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A number with its interval, of some groups, and of one answer where there are several."""

    keys: tuple[Any, ...] = ()
    answer: str = ""
    n: int | None = None
    """How many people, where that is public."""
    value: float
    low: float | None = None
    high: float | None = None
    error: float | None = None
    widened: bool = False
    """Whether its interval was widened to hold its number."""

    @property
    def label(self) -> str:
        """Its keys in words."""
        return key_words(self.keys) or "all groups"

    @property
    def doubted(self) -> bool:
        """Whether it is not to be quoted, but its interval alone: a dash stands in its place,
        and no mark is drawn.
        """
        return self.n is not None and bool(
            says_little(self.value, self.low or 0.0, self.high or 0.0, self.n)
        )

    @property
    def says_little(self) -> bool:
        """Whether its interval is three quarters of its people or more: a drawing has it pale."""
        return self.n is not None and bool(too_wide(self.low or 0.0, self.high or 0.0, self.n))

    @property
    def most(self) -> float:
        """What a drawing must have room for."""
        return max(self.value, self.value if self.high is None else self.high)


def key_words(keys: Sequence[Any]) -> str:
    """Keys in words; one that is missing is said to be.

    >>> key_words(("north", None, 7))
    'north, (none), 7'
    """
    return ", ".join("(none)" if key is None else str(key) for key in keys)


def total_rows(found: Any, *columns: str | Sequence[str]) -> list[Row]:
    """Unbiased totals with confidence intervals: of everything, or for each value of some key
    columns.
    """
    names = column_names(columns)
    if hasattr(found, "cap"):
        parts = found.strata(names) if names else {(): found}
        return [
            Row(
                keys=key,
                answer=answer,
                value=q.value,
                low=q.low,
                high=q.high,
                error=q.standard_error,
            )
            for key, part in parts.items()
            for answer, q in (*part.totals.items(), (PEOPLE, part.people))
        ]
    table = found.subtotals(names)
    return _rows(
        table, names, {"value": "estimate", "low": "low", "high": "high", "error": "standard_error"}
    )


def group_rows(found: Any, *columns: str | Sequence[str]) -> list[Row]:
    """The number to print of every group with its interval, as the table to quote and the report
    have them.

    With key columns that tell all groups apart, in the order in which these are read.
    """
    names = column_names(columns)
    quoted = what_to_quote(found, names)
    rows = quoted_rows(quoted)
    return [rows[place] for place in reading_order(quoted.keys, names)] if names else rows


def quoted_rows(quoted: Quoted) -> list[Row]:
    """What may be quoted, a row each."""
    many = len(quoted)
    named = (
        list(zip(*(column.tolist() for column in quoted.keys.values()), strict=True)) or [()] * many
    )
    answers = [""] * many if quoted.answers is None else quoted.answers.tolist()
    sizes = [None] * many if quoted.sizes is None else quoted.sizes.tolist()
    columns = (
        values.tolist() for values in (quoted.whole, quoted.low, quoted.high, quoted.widened)
    )
    return [
        Row(keys=keys, answer=answer, n=n, value=value, low=low, high=high, widened=widened)
        for keys, answer, n, value, low, high, widened in zip(
            named, answers, sizes, *columns, strict=True
        )
    ]


def share_rows(found: Any) -> list[Row]:
    """How groups differ (the share of groups with each count, or each tenth), or the share of
    people by answer.

    Nothing where group sizes are private, since shares need them, or where all groups are too
    large.
    """
    if not has_shares(found):
        return []
    if hasattr(found, "answers"):
        return [
            Row(answer=name, value=q.value, low=q.low, high=q.high)
            for name, q in found.shares.items()
        ]
    if by_count(found):
        expected = shares_by_count(found.sample, found.coarser)
        if found.coarser:  # the interval would leave out what the coarser levels say
            return [Row(answer=str(k), value=float(share)) for k, share in enumerate(expected)]
        d = found.distribution()
        return [
            Row(answer=str(k), value=float(expected[k]), low=float(d.low[k]), high=float(d.high[k]))
            for k in range(d.n + 1)
        ]
    tenths = rates_by_tenths(found.sample, found.coarser)
    return [
        Row(answer=f"{10 * k} to {10 * k + 10}%", value=float(share))
        for k, share in enumerate(tenths)
    ]


def commonest(rows: Sequence[Row]) -> str:
    """The count or answer whose interval lies above those of all others; nothing where there is
    none.

    >>> shares = [
    ...     Row(answer="1", value=0.5, low=0.1, high=0.9),
    ...     Row(answer="2", value=0.6, low=0.2, high=0.5),
    ... ]
    >>> commonest(shares), commonest([Row(answer="0", value=0.9, low=0.6, high=1.0), shares[1]])
    ('', '0')
    """
    known = [(row.low or 0.0, row.high or 0.0, row.answer) for row in rows if row.high is not None]
    low, _, answer = max(known, default=(0.0, 0.0, ""))
    above = known and all(high < low for _, high, other in known if other != answer)
    return answer if above else ""


def has_shares(found: Any) -> bool:
    """Whether there is a distribution to be shown."""
    if hasattr(found, "cap"):
        return False
    return hasattr(found, "answers") or beyond_posteriors(found.sample) < len(found.sample)


def left_out_of_shares(found: Any) -> str:
    """What the distribution over groups leaves out, in words; nothing where it has all of them."""
    groups = 0 if hasattr(found, "answers") else beyond_posteriors(found.sample)
    if not groups:
        return ""
    return f"without {groups:,} group{'' if groups == 1 else 's'} of more than {DENSE_LIMIT} people"


def by_count(found: Any) -> bool:
    """Whether the distribution is shown count by count: where all groups have one small size."""
    sizes = [m.n for m in found.sample.mechanisms]
    return len(sizes) == 1 and 0 < sizes[0] <= MOST_COUNTS


def parts_of(found: Any, levels: Iterable[Sequence[str]] = ()) -> list[tuple[str, ...]]:
    """The key columns to show sums by: prefixes of the keys, levels, and each key alone, where
    these make sums at all.

    Of columns that make the same sums (a region and its number, say) the first are kept. They are
    ordered from coarse to fine; sums of a later key over earlier ones come last, and where levels
    say which sums are wanted, only as a level: class 5a of every school is nothing that anybody
    looks for.
    """
    asked = [tuple(part) for part in levels]
    keys, rows = found.sample.keys, len(found.sample)
    names = tuple(keys)
    alone = [(name,) for name in names if not name.startswith(WITHHELD)]
    wanted = [*(names[:depth] for depth in range(1, len(names))), *asked, *alone]
    kept: dict[tuple[str, ...], int] = {}
    for part in dict.fromkeys(wanted):
        groups = code(keys, part, rows).groups if part else rows
        if groups < rows and not (
            part in alone and (groups == 1 or _same(keys, part, groups, kept, rows))
        ):
            kept[part] = groups
    across = {part for part in kept if part not in asked and added_up_over(found, part)}
    wanted = [
        part
        for part in kept
        if part not in across or not any(0 < len(part) < len(names) for part in asked)
    ]
    return sorted(wanted, key=lambda part: (part in across, kept[part]))


def added_up_over(found: Any, part: Sequence[str]) -> tuple[str, ...]:
    """The earlier keys over which sums by one key add up: a class 5a of every school, say; none
    where each of its values is within one value of them.
    """
    keys, rows = found.sample.keys, len(found.sample)
    names = [name for name in keys if not name.startswith(WITHHELD)]
    if len(part) != 1 or part[0] not in names:
        return ()
    earlier = tuple(names[: names.index(part[0])])
    alone, within = (code(keys, each, rows).groups for each in (tuple(part), (*earlier, *part)))
    return earlier if alone < within else ()


def _same(
    keys: Any, part: tuple[str, ...], groups: int, others: Mapping[tuple[str, ...], int], rows: int
) -> bool:
    """Whether some other columns make the very groups of these."""
    return any(
        many == groups == code(keys, tuple(dict.fromkeys((*other, *part))), rows).groups
        for other, many in others.items()
        if other != part
    )


def length_words(rows: Sequence[Row]) -> str:
    """How long the intervals of groups are, on average: what single groups can tell.

    >>> length_words([Row(value=2.0, low=0.0, high=4.0), Row(value=3.0, low=1.0, high=6.0)])
    'intervals are 4.5 people long on average'
    """
    known = [row.high - row.low for row in rows if row.low is not None and row.high is not None]
    if not known:
        return "each by itself"
    mean = fmean(known)
    return f"intervals are {mean:,.{0 if mean >= 10 else 1}f} people long on average"


def largest(rows: Sequence[Row], most: int, what: str) -> tuple[list[Row], str]:
    """The rows of as many keys as can be shown, in their own order, and words that say so where
    some are left out.

    They are the groups of the most people, or the first: which numbers are shown must not depend on
    what they are.
    """
    sizes = {row.keys: row.n or 0 for row in rows}
    if len(sizes) <= most:
        return list(rows), ""
    kept = set(sorted(sizes, key=lambda keys: -sizes[keys])[:most])
    which = f"the {most} largest" if len(set(sizes.values())) > 1 else f"the first {most}"
    return [row for row in rows if row.keys in kept], f"{which} of {len(sizes):,} {what}"


def _rows(table: NumberTable, names: Sequence[str], numbers: Mapping[str, str]) -> list[Row]:
    keys = (
        list(zip(*(table[name].tolist() for name in names), strict=True))
        if names
        else [()] * len(table)
    )
    answers = table.columns.get("answer")
    sizes = table.columns.get("n")
    found: list[Row] = []
    for place in range(len(table)):
        parts: dict[str, Any] = {
            part: float(table[column][place]) for part, column in numbers.items()
        }
        word = (
            ""
            if answers is None or "answer" not in table.keys or "answer" in names
            else str(answers[place])
        )
        found.append(
            Row(
                keys=keys[place],
                answer=word,
                n=None if sizes is None else int(sizes[place]),
                **parts,
            )
        )
    return found
