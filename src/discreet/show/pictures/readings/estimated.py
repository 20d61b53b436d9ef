"""What an estimate says, drawn: totals with their intervals, groups with what may be quoted of
them, shares.

`rows` functions are in `estimate_rows`; here they become charts. Of a question with several answers
each answer has a line of its own below the name of its group, and a shade of one hue: the answers
stand in the order of the request.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from discreet.errors import InvalidInput
from discreet.reading.quoting.printed_groups import sums_are_made
from discreet.reading.strata import column_names
from discreet.show.captions import count_words, counting_words, percent, spoken_count
from discreet.show.cells import Rows
from discreet.show.colours import PALE, READ
from discreet.show.pictures.readings.estimate_rows import (
    PEOPLE,
    Row,
    by_count,
    commonest,
    group_rows,
    has_shares,
    largest,
    left_out_of_shares,
    length_words,
    parts_of,
    share_rows,
    total_rows,
)
from discreet.show.pictures.readings.interval_bars import (
    BOLD,
    LONGEST,
    WIDTH,
    cut_at_0,
    interval_bars,
    words_wide,
)
from discreet.show.pictures.readings.told_apart import beside_rate, several, too_noisy
from discreet.show.pictures.readings.total_bar import in_all, total_bar
from discreet.show.pictures.theme import HEADINGS, PAGE, altair, finished, inline, page_wide, tips
from discreet.show.text import in_words_of

SHOWN, TOTALS_TOGETHER, SHOWN_TOGETHER = 100, 40, 12
"""Rows in a chart alone, as many as a terminal prints; sums and groups among other charts: more
cannot be read.
"""
_LETTER, _FIRST = 7.2, 62
"""Pixels of a letter at most, mostly, and of names beside a panel at least."""
_SIDES, _LEAST = 60, 320
"""Pixels beside a panel and its names on a page, and of a panel at least."""


def totals(found: Any, *, by: str | Sequence[str] | None = None, title: str | None = None) -> Any:
    """Draw unbiased totals with their confidence intervals, by the first key unless `by` says
    another, or none ([]).

    Where the title names some of the groups, the others are pale. Keys that tell all groups apart
    make no sums: of each group the number to print is drawn, as a table by them has it.
    """
    names = _total_names(found, by)
    one_by_one = bool(names) and not hasattr(found, "cap") and not sums_are_made(found, names)
    chart, line, some = (
        _groups(found, _room(found), by=names, said=title or "")
        if one_by_one
        else _totals(found, by, said=title or "")
    )
    chart = page_wide(chart, chart.height)
    title = title or (_groups_title(found, names) if one_by_one else _totals_title(found, by))
    return finished(chart, title, "\n".join(filter(None, (line, some))))


def groups(found: Any, *, title: str | None = None) -> Any:
    """Draw the number to quote of each group with its interval; of many groups, the largest."""
    chart, line, some = _groups(found, _room(found), said=title or "")
    lines = "\n".join(filter(None, (line, some)))
    chart = page_wide(chart, chart.height)
    return finished(chart, title or f"{_called(found)}: groups", lines)


def shares(found: Any, *, title: str | None = None) -> Any:
    """Draw how groups differ, over sizes of every kind; of a question with several answers, the
    shares of people.
    """
    chart, line, note = _shares(found)
    chart = page_wide(chart, chart.height)
    return finished(chart, title or f"{_called(found)}: {_shares_title(found)}", line, note=note)


def estimate(found: Any, *, by: str | Sequence[str] | None = None, title: str | None = None) -> Any:
    """Draw totals, and below them single groups where all have room, or else how groups differ.

    The total of everybody is in the title and the line below it; of several answers each has one,
    which is drawn.
    """
    alt = altair()
    aside = _aside(found, by)
    names, answers = _total_names(found, by), _answers(found)
    parts = [_in_total(found, aside)] if names and answers else []
    chart, line, some = _totals(found, by, aside)
    parts.append((some or _heading(found, by), chart, line))
    note = ""
    if found.groups > SHOWN_TOGETHER and has_shares(found):
        chart, line, note = _shares(found)
        parts.append((_shares_title(found), chart, line))
    elif found.groups > 1:
        chart, line, some = _groups(found, SHOWN_TOGETHER, aside)
        parts.append((some, chart, line))
    back = -aside
    heads = [
        alt.TitleParams(
            text=_sentence(name), subtitle=[line], frame="group", dx=back, fontSize=HEADINGS
        )
        for name, _, line in parts
    ]
    ends = words_wide(total_rows(found, *names))
    width = max(_LEAST, PAGE - _SIDES - aside - ends)
    charts = [
        chart.properties(title=head, width=max(width, chart.width if chart.width > WIDTH else 0))
        for head, (_, chart, _) in zip(heads, parts, strict=True)
    ]
    first = (
        total_bar(found, aside, max(chart.width for chart in charts))
        if names and not answers
        else None
    )
    stacked = alt.vconcat(*([first] if first else []), *charts, spacing=28)
    stacked = stacked.resolve_scale(color="shared" if answers else "independent")
    whole = in_all(found) if names and not answers else ""
    return finished(stacked, title or _about(found), whole, note=note)


def _heading(found: Any, by: Any) -> str:
    """What the totals are by, and whether they can be told apart."""
    names, said = _total_names(found, by), _compared(found, by)
    of = f"totals by {', '.join(names)}" if names else "totals"
    return f"{of}: {said}" if said else of


def _aside(found: Any, by: Any) -> int:
    """Pixels for the names left of panels: one number for all, so that panels, headings and the
    title begin alike.
    """
    rows = largest(total_rows(found, *_total_names(found, by)), TOTALS_TOGETHER, "")[0]
    rows += (
        largest(group_rows(found), SHOWN_TOGETHER, "")[0]
        if 1 < found.groups <= SHOWN_TOGETHER
        else []
    )
    answers = _answers(found)
    names = [
        f"{row.label} (n = {row.n:,})" if answers and row.n is not None else row.label
        for row in rows
    ]
    letters = max(map(len, [*names, *answers]))
    return min(LONGEST, max(_FIRST, round((BOLD if answers else _LETTER) * letters)))


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}"


def _total_names(found: Any, by: Any) -> tuple[str, ...]:
    """The keys that totals are drawn by."""
    return (parts_of(found) or [()])[0] if by is None else tuple(column_names([by]))


def _totals(found: Any, by: Any, aside: int = 0, said: str = "") -> tuple[Any, str, str]:
    """The chart, the line below its title, and, where not all are drawn, which are."""
    names = _total_names(found, by)
    rows = total_rows(found, *names)
    cut, left_out = largest(rows, TOTALS_TOGETHER if aside else _room(found), "rows")
    of = f" by {', '.join(names)}" if names and not aside else ""  # else the heading says so
    return (
        interval_bars(cut, _answers(found), aside, said=said),
        _drawn(found, cut, of),
        _rest(left_out),
    )


def _drawn(found: Any, rows: Sequence[Row], of: str = "") -> str:
    """What bars and marks are, and a slash, if there is one."""
    cut = "; slash: cut at 0" if any(map(cut_at_0, rows)) else ""
    return f"bars: {percent(found.confidence)} intervals{of}; marks: unbiased estimates{cut}"


def _in_total(found: Any, aside: int) -> tuple[str, Any, str]:
    """How many people gave each answer: the heading, the chart on a scale of everybody, and the
    line below.
    """
    rows = total_rows(found)
    return "in total", interval_bars(rows, _answers(found), aside), _drawn(found, rows)


def _totals_title(found: Any, by: Any) -> str:
    """How many people in all, and whether parts can be ranked."""
    said = _compared(found, by)
    return f"{_about(found, whole=False)}; {said}" if said else _about(found)


def _about(found: Any, *, whole: bool = True) -> str:
    """How many people in all, about, and of how many (`whole`); of several answers there is no
    such number.
    """
    if _answers(found):
        return f"How many people gave each answer to \u201c{found.sample.name}\u201d"
    name, many = found.sample.name, f"{max(0, round(found.total.value)):,}"
    if name.isalpha():
        return f"About {many} {name} in all"
    of = "" if hasattr(found, "cap") or not whole else f" of {int(found.sample.sizes.sum()):,}"
    definition = found.sample.origin.definition
    if count_words(name, definition) == name:
        return f"About {many}{of}: {name}"
    doing = counting_words(name, definition)
    return f"About {many}{of} {doing if whole else doing.partition(' to ')[0]}"


def _called(found: Any) -> str:
    """The count at the head of a title."""
    return spoken_count(found.sample.name, found.sample.origin.definition)


def _compared(found: Any, by: Any) -> str:
    """Whether parts can be ranked.

    That no two differ by more than the noise of a difference is said, which does not say that they
    are alike. That two do is not said: of many, some do by chance.
    """
    rows = [] if _answers(found) else total_rows(found, *_total_names(found, by))
    if not too_noisy(rows, float(found.confidence)):
        return ""
    return f"too noisy to rank {several(len(rows), _total_names(found, by))}"


def _groups_title(found: Any, names: Sequence[str]) -> str:
    """What the intervals of single groups say beside the rate of all of them together, which is
    no number of theirs.
    """
    rows = group_rows(found, *names)
    if _answers(found) or len(rows) < 2:
        return _about(found)
    below, above = beside_rate(rows, max(0.0, found.total.value))
    each, rate = several(len(rows), names), "the overall rate"
    if not above + below:
        return f"{_called(found)}: too noisy to tell any of {each} from {rate}"
    has = "has" if (above or below) == 1 else "have"
    first = f"{above or below} of {each} {has} an interval {'above' if above else 'below'} {rate}"
    return f"{_called(found)}: {first}{f', and {below} below it' if above and below else ''}"


def _groups(
    found: Any, most: int, aside: int = 0, by: Sequence[str] = (), said: str = ""
) -> tuple[Any, str, str]:
    """The chart of single groups: what a table, a file and a report have of them."""
    rows = group_rows(found, *by)
    cut, left_out = largest(rows, most, "groups")
    kind = "credible" if hasattr(found, "distribution") else "confidence"
    level = percent(found.confidence)
    line = f"bars: {level} {kind} intervals; marks: numbers to print"
    if any(row.doubted for row in cut):
        line = f"mark: number to print; none: quote the {level} {kind} interval"
    end = max(row.n if row.n is not None else found.cap for row in cut)
    chart = interval_bars(cut, _answers(found), aside, whole=True, end=end, said=said)
    return chart, line, f"{left_out or 'groups'}: {length_words(cut)}" if aside else _rest(left_out)


def _room(found: Any) -> int:
    """Keys in a chart alone; each answer has a row."""
    return max(1, SHOWN // max(1, len(_answers(found))))


def _rest(left_out: str) -> str:
    """Which rows are drawn where some are left out, and where all of them are."""
    return (
        f"only {left_out} (all: {in_words_of('quotable().to_csv', '--csv FILE')})"
        if left_out
        else ""
    )


def _shares(found: Any) -> tuple[Any, str, str]:
    if hasattr(found, "cap"):
        raise InvalidInput("kind", "needs the sizes of groups, which `cap` hides", "distribution")
    alt = altair()
    if not has_shares(found):
        raise InvalidInput("kind", "needs groups of at most 512 people", "distribution")
    rows = share_rows(found)
    spans = hasattr(
        found, "answers"
    )  # an expected share of groups is no estimate that an interval goes with
    data: Rows = [
        {
            "label": row.answer,
            "value": row.value,
            **({"low": row.low, "high": row.high} if spans else {}),
        }
        for row in rows
    ]
    what = (
        "answer"
        if hasattr(found, "answers")
        else "true count"
        if by_count(found)
        else "rate in the group"
    )
    of = "people" if hasattr(found, "answers") else "groups"
    names = {"label": what, "value": "share", **({"low": "from", "high": "to"} if spans else {})}
    order = [row.answer for row in rows]
    width = max(WIDTH, 22 * len(rows))
    axis = alt.Axis(labelAngle=0 if max(map(len, order)) * 7 * len(order) < width else -45)
    base = alt.Chart(inline(data)).encode(
        x=alt.X("label:N", sort=order, title=what, axis=axis), tooltip=tips(**names)
    )
    y = {"axis": alt.Axis(format="~%"), "title": f"share of {of}"}
    chart = base.mark_bar(color=PALE).encode(y=alt.Y("value:Q", **y))
    if spans:
        ends = base.mark_rule(color=READ, strokeWidth=2).encode(y=alt.Y("low:Q", **y), y2="high:Q")
        chart = alt.layer(chart, ends)
    said = "expected if the rates of all groups come from one distribution"
    if spans:
        said = f"{percent(found.confidence)} intervals, each for its share alone"
    more = (
        ["of n people, the n + 1 possible counts take equal parts of the scale"]
        if what not in _EXACT
        else []
    )
    more += [text] if (text := left_out_of_shares(found)) else []
    return chart.properties(width=width, height=160), said, _sentence("; ".join(more))


_EXACT = ("answer", "true count")
"""What shares are of, where they are not of rates by tenths."""


def _shares_title(found: Any) -> str:
    """Which count is the commonest, where that can be said; of answers, and without intervals,
    what the shares are.
    """
    if hasattr(found, "answers"):
        return "shares of answers"
    if most := commonest(share_rows(found)):
        return f"how groups differ: {most} is the commonest count"
    return f"how groups differ: expected shares by {'count' if by_count(found) else 'rate'}"


def _answers(found: Any) -> list[str]:
    if not hasattr(found, "answers"):
        return []
    return [*found.answers, *([PEOPLE] if hasattr(found, "cap") else [])]
