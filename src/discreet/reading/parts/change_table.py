"""How much counts changed between two releases, for each group and in total.

Two releases have independent noise, so the difference of their unbiased estimates is unbiased, and
what is known of the two errors adds up (`levels.error_facts`). Differences are of counts: a group
that grew may have more smokers at the same rate, so the sizes stand beside them;
`Estimate.difference` compares rates.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from discreet.core.rationals import in_percent
from discreet.errors import InvalidInput
from discreet.reading.levels.error_facts import interval_ends
from discreet.reading.levels.tree import Integers
from discreet.reading.parts.fitting import Fit, Part
from discreet.reading.parts.key_codes import Keys, key_columns, key_rows, read_names
from discreet.reading.parts.number_table import NumberTable
from discreet.reading.parts.subtotal_table import method
from discreet.reading.totals import Quantity

if TYPE_CHECKING:
    from discreet.reading.estimates import Estimate
    from discreet.reading.histograms.histogram_sample import HistogramSample
    from discreet.reading.samples import Sample


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Change(NumberTable):
    """The change of each group; `total` is that of all together."""

    total: Quantity

    def to_dict(self) -> dict[str, Any]:
        """Return the changes as plain values, for JSON."""
        q = self.total
        whole = {"value": q.value, "low": q.low, "high": q.high, "standard_error": q.standard_error}
        return {**NumberTable.to_dict(self), "total": whole}

    def __str__(self) -> str:
        from discreet.reading.quoting.change_text import change_text

        return change_text(self, {"": self.total})

    def _repr_html_(self) -> str:
        from discreet.reading.quoting.change_text import change_html

        return change_html(self, {"": self.total})


def change(
    later: Estimate, earlier: Estimate, *, by: Any = None, missing: str = "refuse"
) -> Change:
    """Return the change of counts from `earlier` to `later`: later less earlier."""
    if hasattr(earlier, "answers") or not hasattr(earlier, "sample"):
        raise InvalidInput("earlier", "must be the estimate of a count", type(earlier).__name__)
    check_comparable(later.sample, earlier.sample, missing)
    confidence = float(later.confidence)
    keys, before, after = matched(earlier.fit, later.fit, by, missing)
    each = difference_of(before, after)
    numbers = change_columns(each, before, confidence)
    start, end = earlier.fit.part(()), later.fit.part(())
    return Change(
        title=change_title(earlier.sample, later.sample),
        columns={**keys, "n_before": before.sizes, "n_after": after.sizes, **numbers},
        keys=tuple(keys),
        notes=change_notes(confidence, method(each)) + _unseen(numbers, before.sizes, after.sizes),
        total=total_change(start, end, confidence, len(each.value)),
    )


DIRECTION = "The second less the first: above 0 there are more in the second."
UNCUT = (
    "A change is unbiased and may lie outside what is possible, -n before to n after; its "
    "interval is cut to that."
)


def change_notes(confidence: float, made: str) -> tuple[str, ...]:
    """What the numbers of changes mean, and how their intervals were made."""
    return (
        DIRECTION,
        UNCUT,
        f"low, high: {in_percent(confidence)} confidence interval of each row alone ({made}).",
    )


def _unseen(
    numbers: Mapping[str, NDArray[Any]], before: Integers, after: Integers
) -> tuple[str, ...]:
    """Say so where most rows could be anything: their groups are too small to show a change."""
    rows = len(before)
    anything = int(((numbers["low"] <= -before) & (numbers["high"] >= after)).sum())
    if 2 * anything <= rows or rows < 2:
        return ()
    return (
        f"In {anything:,} of {rows:,} rows the interval is all that is possible: sums by a key "
        "say more.",
    )


def check_comparable(
    new: Sample | HistogramSample, old: Sample | HistogramSample, missing: str
) -> None:
    """Refuse two estimates that are not of the same count by the same keys, or are of one
    release.
    """
    if missing not in ("refuse", "empty"):
        raise InvalidInput("missing", "must be one of refuse, empty", missing)
    if new.name != old.name:
        raise InvalidInput("earlier", "must be of the same count", f"{old.name} and {new.name}")
    refuse_copies([new, old], "earlier")
    if tuple(new.keys) != tuple(old.keys):
        old_keys, new_keys = (", ".join(sample.keys) or "none" for sample in (old, new))
        rule = f"must have the same key columns as the later release ({new_keys})"
        remedy = "release both by the same keys, or estimate each by itself and compare the totals"
        raise InvalidInput("earlier", rule, old_keys, remedy=remedy)


def change_title(old: Sample | HistogramSample, new: Sample | HistogramSample) -> str:
    """What was compared."""
    return f"Change of {new.name!r} from {_told(old, 'the first')} to {_told(new, 'the second')}"


def change_columns(each: Part, before: Part, confidence: float) -> dict[str, NDArray[Any]]:
    """The numbers of changes, `each`: a change is at least minus all who were there, and at most
    all who are.
    """
    low, high = interval_ends(each.value, each.facts.margins(confidence), -before.sizes, each.sizes)
    return {
        "change": each.value,
        "low": low.astype(np.int64),
        "high": high.astype(np.int64),
        "standard_error": each.facts.standard_error,
    }


def total_change(start: Part, end: Part, confidence: float, groups: int) -> Quantity:
    """The change of one sum."""
    whole = difference_of(start, end)
    low, high = interval_ends(whole.value, whole.facts.margins(confidence), -start.sizes, end.sizes)
    return Quantity(
        name="change",
        value=float(whole.value[0]),
        low=float(low[0]),
        high=float(high[0]),
        standard_error=float(whole.facts.standard_error[0]),
        confidence=confidence,
        groups=groups,
        method=method(whole),
    )


def rate_difference(first: Estimate, second: Estimate) -> Quantity:
    """The rate in one release less that in another, from all levels of both."""
    if not first.people or not second.people:
        raise InvalidInput(
            "difference", "needs people on both sides", f"{first.people} and {second.people}"
        )
    refuse_copies([first.sample, second.sample], "other")
    here, there, confidence = first.fit.part(()), second.fit.part(()), float(first.confidence)
    found = mean_difference(
        "difference of rates", here, there, confidence=confidence, span=Fraction(1)
    )
    return replace(found, groups=first.groups + second.groups)


def mean_difference(
    name: str, here: Part, there: Part, *, confidence: float, span: Fraction
) -> Quantity:
    """A mean per person of all in one part less that of another, which is within the span of
    what one can have.
    """
    one, other = (
        replace(part, value=part.value / part.sizes, facts=part.facts.times(1 / part.sizes))
        for part in (here, there)
    )
    both, most = difference_of(other, one), float(span)
    margin, inside = (
        float(both.facts.margins(confidence)[0]),
        float(np.clip(both.value[0], -most, most)),
    )
    return Quantity(
        name=name,
        value=float(both.value[0]),
        low=max(inside - margin, -most),
        high=min(inside + margin, most),
        standard_error=float(both.facts.standard_error[0]),
        confidence=confidence,
        groups=2,
        method=method(both),
    )


def refuse_copies(
    samples: Sequence[Sample | HistogramSample], parameter: str = "estimates"
) -> None:
    """Refuse one release as evidence twice: by its id, by the digest of its table, or as one
    array in memory.
    """
    ids, digests = (
        [sample.release for sample in samples],
        [sample.origin.digest for sample in samples],
    )
    for facts in (ids, digests, [id(sample.outputs) for sample in samples]):
        known = [fact for fact in facts if fact]
        if len(set(known)) < len(known):
            remedy = (
                "a copy, a part or another reading of one release has the same noise, so it adds "
                "nothing"
            )
            raise InvalidInput(
                parameter, "must be different releases", "the same release twice", remedy=remedy
            )


def _told(sample: Sample | HistogramSample, else_: str) -> str:
    when = f" of {sample.origin.created[:10]}" if sample.origin.created else ""
    return f"release {sample.release[:8]}{when}" if sample.release else else_


def matched(old: Fit, new: Fit, by: Any, missing: str) -> tuple[Keys, Part, Part]:
    """The groups of both, or their sums by some key columns: keys of all, and the part of each
    in the two.
    """
    if by is None:
        before, after = old.every(), new.every()
    else:
        names = read_names([by], new.finest.names)
        before, after = old.part(names), new.part(names)
    keys, rows_old, rows_new = _rows(
        before.keys, after.keys, len(before.sizes), len(after.sizes), missing
    )
    return keys, _placed(before, rows_old), _placed(after, rows_new)


def _rows(
    old: Keys, new: Keys, before: int, after: int, missing: str
) -> tuple[Keys, Integers, Integers]:
    """Keys of all groups, and the row of each in both; -1 where one lacks it."""
    if not new:
        if before != after:
            raise InvalidInput(
                "earlier", "must have as many groups, where no keys tell them apart", before
            )
        rows = np.arange(after)
        return {"group": rows + 1}, rows, rows
    names = list(new)
    first, second = key_rows(old, names), key_rows(new, names)
    listed = list(dict.fromkeys([*second, *first]))
    if missing == "refuse" and len(listed) > min(len(first), len(second)):
        rule = "must have the same groups, and some key is in one of the two only"
        remedy = "if such a group had nobody in the other, give `missing='empty'`"
        raise InvalidInput("earlier", rule, remedy=remedy)
    places = [
        np.array([rows.get(key, -1) for key in listed], dtype=np.int64) for rows in (first, second)
    ]
    return key_columns(listed, names), places[0], places[1]


def _placed(part: Part, rows: Integers) -> Part:
    """Some groups; row -1 is a group of nobody."""
    known, place = rows >= 0, np.maximum(rows, 0)
    return Part(
        keys={},
        sizes=np.where(known, part.sizes[place], 0),
        value=np.where(known, part.value[place], 0.0),
        facts=part.facts.rows(place).times(known.astype(np.float64)),
    )


def difference_of(before: Part, after: Part) -> Part:
    """The later part less the earlier one, row by row: two releases have independent noise."""
    facts = after.facts.plus(before.facts)
    return Part(keys=after.keys, sizes=after.sizes, value=after.value - before.value, facts=facts)
