"""Published numbers against what they say: the distribution of true counts with its uncertainty."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import TYPE_CHECKING, Any

from discreet.errors import InvalidInput
from discreet.show.captions import percent
from discreet.show.cells import Rows
from discreet.show.colours import MARK, PUBLISHED, READ, legible
from discreet.show.pictures.curves import whole_ticks
from discreet.show.pictures.line_ends import spaced
from discreet.show.pictures.svg import across
from discreet.show.pictures.theme import LETTERS, altair, finished, inline, page_wide, tips

if TYPE_CHECKING:
    from discreet.reading.distribution import Distribution

_LABELS = ("published", "unbiased estimate")
_SHAPES = ("square", "circle")
_HUES = (PUBLISHED, READ)
TRUTH, _DASH = "the truth", "M-1,-0.25L1,-0.25L1,0.25L-1,0.25Z"


def distribution_rows(found: Distribution) -> Rows:
    """One row per count: released share, unbiased share with interval, likeliest share."""
    return [
        {
            "count": j,
            "released": float(found.released[j]),
            "estimate": float(found.estimate[j]),
            "low": float(found.low[j]),
            "high": float(found.high[j]),
            "likeliest": float(found.likeliest[j]),
        }
        for j in range(found.n + 1)
    ]


def true_shares(found: Distribution, truth: Sequence[int]) -> list[float]:
    """The share of groups with each true count, which only somebody who made the data up can
    know.
    """
    counts = [int(count) for count in truth]
    if len(counts) != found.groups or not all(0 <= count <= found.n for count in counts):
        rule = f"must be a count from 0 to {found.n} for each of the {found.groups:,} groups"
        raise InvalidInput("truth", rule, f"{len(counts):,} numbers")
    return [counts.count(j) / len(counts) for j in range(found.n + 1)]


def distribution(
    found: Distribution, *, truth: Sequence[int] | None = None, title: str | None = None
) -> Any:
    """Draw published shares as bars, and the unbiased estimate of the true ones with its interval.

    `truth`, the true count of each group, is drawn beside them where it is known: of made-up data,
    to see how near the estimate comes.
    """
    alt = altair()
    rows = distribution_rows(found)
    known = truth is not None
    if truth is not None:
        rows = [
            {**row, "truth": share}
            for row, share in zip(rows, true_shares(found, truth), strict=True)
        ]
    labels = [*_LABELS, *([TRUTH] if known else [])]
    shapes, hues = [*_SHAPES, *([_DASH] if known else [])], [*_HUES, *([MARK] if known else [])]
    x = alt.X("count:O", title="people counted in a group", axis=whole_ticks(found.n, ordinal=True))
    names = alt.Scale(domain=labels, range=hues)
    width = max(460, min(900, 22 * (found.n + 1)))
    placed = _names_in_place(rows, labels, max(width, _PANEL))
    box = alt.Legend(title=None, orient="top", symbolOpacity=1, symbolStrokeWidth=0, symbolSize=110)
    legend = None if placed else box
    shape = alt.Shape("label:N", scale=alt.Scale(domain=labels, range=shapes), legend=legend)

    tip = tips(
        count="true count",
        released="published",
        estimate="unbiased",
        low="from",
        high="to",
        likeliest="likeliest",
        **({"truth": TRUTH} if known else {}),
    )

    def layer(label: str) -> Any:
        colour = alt.Color("label:N", scale=names, legend=legend)
        data = inline([{**row, "label": label} for row in rows])
        return alt.Chart(data).encode(x=x, color=colour, tooltip=tip)

    share = {"title": "share of groups"}
    inside = max(
        1e-9, max(max(r["released"], r.get("truth", 0.0), min(r["high"], 1.0)) for r in rows)
    )
    low = min(0.0, *(r["estimate"] for r in rows))
    scale = alt.Scale(domain=[max(low, -0.5 * inside), inside * 1.04], nice=False, clamp=True)
    bars = (
        layer(_LABELS[0])
        .mark_bar(width=alt.RelativeBandSize(0.8))
        .encode(
            y=alt.Y("released:Q", scale=scale, axis=alt.Axis(format=".0%", tickCount=4), **share)
        )
    )
    span = (
        layer(_LABELS[1])
        .mark_rule(strokeWidth=4, strokeOpacity=0.5)
        .encode(y=alt.Y("low:Q", scale=scale, **share), y2="high:Q")
    )
    points = (
        layer(_LABELS[1])
        .mark_point(filled=True, size=75, opacity=1)
        .encode(y=alt.Y("estimate:Q", scale=scale, **share), shape=shape)
    )
    zero = alt.Chart(inline([{"y": 0}])).mark_rule(color="#666666").encode(y="y:Q")
    half = 0.005 * inside
    lines_of_truth = (
        layer(TRUTH)
        .transform_calculate(above=f"datum.truth + {half}", below=f"datum.truth - {half}")
        .mark_bar(width=alt.RelativeBandSize(0.94))
        .encode(y=alt.Y("below:Q", scale=scale, **share), y2="above:Q")
    )
    layers = [bars, zero, *([lines_of_truth] if known else []), span, points]
    if placed:
        inks = {label: legible(hue) for label, hue in zip(labels, hues, strict=True)}
        placed = [{**row, "ink": inks[row["label"]]} for row in placed]
        named = alt.Chart(inline(placed)).encode(x=x, y=alt.Y("level:Q", scale=scale, **share))
        words = named.mark_text(
            align="left",
            dx=alt.expr(f"bandwidth('x') / 2 + {_AWAY}"),
            fontWeight=600,
            fontSize=LETTERS,
        )
        layers.append(words.encode(text="label:N", color=alt.Color("ink:N", scale=None)))
        # a dot is not as wide as its band: a thin line leads from it to its name
        lead = named.transform_filter(alt.datum.label == _LABELS[1]).mark_rule(
            color=READ, xOffset=6, x2Offset=alt.expr(f"bandwidth('x') / 2 + {_AWAY - 3}")
        )
        layers.append(lead.encode(x2="count", y=alt.Y("mark:Q", scale=scale, **share), y2="level"))
    chart = alt.layer(*layers)
    chart = page_wide(chart, 300) if width <= 460 else chart.properties(width=width, height=300)
    spans = f"upright lines: {percent(found.confidence)} intervals, each for one count alone"
    line = f"{found.groups:,} groups of {found.n}; {spans}"
    shares = all(0 <= row["estimate"] <= 1 for row in rows)
    note = "" if shares else "An estimate below 0% or above 100% is drawn as it is."
    return finished(
        chart, title or "Published numbers and the true counts behind them", line, note=note
    )


_PANEL, _PHONE, _AWAY, _HIGH, _APART, _MOVED = 590, 280, 6, 0.04, 0.055, 0.03
"""Pixels of a panel as wide as a page and as a phone, and from a mark to its name; the height of a
name, from one to the next, and how far one may be moved from its mark, as shares of the height of
the panel."""


def _names_in_place(rows: Rows, labels: Sequence[str], width: float) -> Rows:
    """The names of the marks, right of those of one count where nothing is in their way; none
    without such a place.

    Each is as high as what it names. Of several such counts that with the names nearest to their
    marks is taken; one with room on a phone too comes first.
    """
    for panel in (_PHONE, width):
        reach = ceil(max(across(label, LETTERS, bold=True) for label in labels) * len(rows) / panel)
        found = [
            levels
            for row in range(len(rows) - reach)
            if (levels := _beside(rows, row, reach, labels))
        ]
        if found:
            return min(
                found, key=lambda levels: sum(abs(one["level"] - one["mark"]) for one in levels)
            )
    return []


def _beside(rows: Rows, at: int, reach: int, labels: Sequence[str]) -> Rows:
    """The names beside the marks of one count, from the lowest; none where they have no room."""
    tops = [max(row["released"], row["high"], row.get("truth", 0.0)) for row in rows]
    row, high = rows[at], max(tops)
    marks = [(row["released"] - _HIGH / 2 * high, labels[0]), (row["estimate"], labels[1])]
    marks = sorted([*marks, *([(row["truth"], TRUTH)] if "truth" in row else [])])
    levels = spaced([mark for mark, _ in marks], [_APART * high] * len(marks))
    moved = max(abs(level - mark) for level, (mark, _) in zip(levels, marks, strict=True))
    in_the_way = max(tops[at + 1 : at + 1 + reach]) > levels[0] - _HIGH * high
    if in_the_way or moved > _MOVED * high or levels[-1] > high:
        return []
    return [
        {"count": row["count"], "label": label, "level": level, "mark": mark}
        for level, (mark, label) in zip(levels, marks, strict=True)
    ]
