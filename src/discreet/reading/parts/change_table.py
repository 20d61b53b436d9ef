"""How much counts changed between two releases, for each group and in total.

Two releases have independent noise, so the difference of their unbiased estimates is unbiased, and what is known of the
two errors adds up (`levels.error_facts`). Differences are of counts: a group that grew may have more smokers at the
same rate, so the sizes stand beside them; `Estimate.difference` compares rates.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from discreet.errors import InvalidInput
from discreet.reading.levels.error_facts import interval_ends
from discreet.reading.levels.tree import Integers
from discreet.reading.parts.fitting import Part
from discreet.reading.parts.key_codes import Keys, key_columns, key_rows
from discreet.reading.parts.number_table import NumberTable
from discreet.reading.parts.subtotal_table import method
from discreet.reading.totals import Quantity

if TYPE_CHECKING:
    from discreet.reading.estimates import Estimate
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
        return f"{NumberTable.__str__(self)}\n  {self.total}"


def change(later: Estimate, earlier: Estimate, *, missing: str = "refuse") -> Change:
    """Return the change of counts from `earlier` to `later`: later less earlier."""
    if missing not in ("refuse", "empty"):
        raise InvalidInput("missing", "must be one of refuse, empty", missing)
    if hasattr(earlier, "answers") or not hasattr(earlier, "sample"):
        raise InvalidInput("earlier", "must be the estimate of a count", type(earlier).__name__)
    new, old = later.sample, earlier.sample
    if new.name != old.name:
        raise InvalidInput("earlier", "must be of the same count", f"{old.name} and {new.name}")
    refuse_copies([later, earlier], "earlier")
    if tuple(new.keys) != tuple(old.keys):
        names = f"{', '.join(old.keys) or 'none'} and {', '.join(new.keys) or 'none'}"
        raise InvalidInput("earlier", "must have the same key columns", names)
    keys, rows_old, rows_new = _matched(old.keys, new.keys, len(old), len(new), missing)
    before, after = _placed(earlier.fit.every(), rows_old), _placed(later.fit.every(), rows_new)
    confidence = float(later.confidence)
    each = _difference(keys, before, after)
    low, high = interval_ends(each.value, each.facts.margins(confidence), -before.sizes, after.sizes)
    columns = {
        **keys, "n_before": before.sizes, "n_after": after.sizes, "change": each.value, "low": low.astype(np.int64),
        "high": high.astype(np.int64), "standard_error": each.facts.standard_error,
    }  # fmt: skip
    start, end = earlier.fit.part(()), later.fit.part(())
    whole = _difference({}, start, end)
    least, most = interval_ends(whole.value, whole.facts.margins(confidence), -start.sizes, end.sizes)
    total = Quantity(
        name="change", value=float(whole.value[0]), low=float(least[0]), high=float(most[0]),
        standard_error=float(whole.facts.standard_error[0]), confidence=confidence, groups=len(each.value),
        method=method(whole),
    )  # fmt: skip
    title = f"Change of {new.name!r} from {_told(old, 'the first')} to {_told(new, 'the second')}"
    return Change(
        title=title, columns=columns, keys=tuple(keys),
        notes=(
            "The second less the first: above 0 there are more in the second.",
            f"low, high: {confidence} confidence interval of each row alone ({method(each)}).",
        ),
        total=total,
    )  # fmt: skip


def refuse_copies(estimates: list[Estimate], parameter: str = "estimates") -> None:
    """Refuse one release as evidence twice: by its id, or by the digest of its table."""
    for facts in ([e.sample.release for e in estimates], [e.sample.origin.digest for e in estimates]):
        known = [fact for fact in facts if fact]
        if len(set(known)) < len(known):
            remedy = "a copy, a part or another reading of one release has the same noise, so it adds nothing"
            raise InvalidInput(parameter, "must be different releases", "the same release twice", remedy=remedy)


def _told(sample: Sample, else_: str) -> str:
    when = f" of {sample.origin.created[:10]}" if sample.origin.created else ""
    return f"release {sample.release[:8]}{when}" if sample.release else else_


def _matched(old: Keys, new: Keys, before: int, after: int, missing: str) -> tuple[Keys, Integers, Integers]:
    """Keys of all groups, and the row of each in both; -1 where one lacks it."""
    if not new:
        if before != after:
            raise InvalidInput("earlier", "must have as many groups, where no keys tell them apart", before)
        rows = np.arange(after)
        return {"group": rows + 1}, rows, rows
    names = list(new)
    first, second = key_rows(old, names), key_rows(new, names)
    listed = list(dict.fromkeys([*second, *first]))
    if missing == "refuse" and len(listed) > min(len(first), len(second)):
        rule = "must have the same groups, and some key is in one of the two only"
        remedy = "if such a group had nobody in the other, give `missing='empty'`"
        raise InvalidInput("earlier", rule, remedy=remedy)
    places = [np.array([rows.get(key, -1) for key in listed], dtype=np.int64) for rows in (first, second)]
    return key_columns(listed, names), places[0], places[1]


def _placed(part: Part, rows: Integers) -> Part:
    """Some groups; row -1 is a group of nobody."""
    known, place = rows >= 0, np.maximum(rows, 0)
    return Part(
        keys={}, sizes=np.where(known, part.sizes[place], 0), value=np.where(known, part.value[place], 0.0),
        facts=part.facts.rows(place).times(known.astype(np.float64)),
    )  # fmt: skip


def _difference(keys: Keys, before: Part, after: Part) -> Part:
    facts = after.facts.plus(before.facts)
    return Part(keys=keys, sizes=after.sizes, value=after.value - before.value, facts=facts)
