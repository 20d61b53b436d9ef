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
    """The share of groups with each true count, which only somebody who made the data up can know."""
    counts = [int(count) for count in truth]
    if len(counts) != found.groups or not all(0 <= count <= found.n for count in counts):
        rule = f"must be a count from 0 to {found.n} for each of the {found.groups:,} groups"
        raise InvalidInput("truth", rule, f"{len(counts):,} numbers")
    return [counts.count(j) / len(counts) for j in range(found.n + 1)]


def distribution(found: Distribution, *, truth: Sequence[int] | None = None, title: str | None = None) -> Any:
    """Draw published shares as bars, and the unbiased estimate of the true ones with its interval.

    `truth`, the true count of each group, is drawn beside them where it is known: of made-up data, to see how near the
    estimate comes.
    """
    alt = altair()
    rows = distribution_rows(found)
    known = truth is not None
    if truth is not None:
        rows = [{**row, "truth": share} for row, share in zip(rows, true_shares(found, truth), strict=True)]
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
        count="true count", released="published", estimate="unbiased", low="from", high="to",
        likeliest="likeliest", **({"truth": TRUTH} if known else {}),
    )  # fmt: skip

    def layer(label: str) -> Any:
        colour = alt.Color("label:N", scale=names, legend=legend)
        data = inline([{**row, "label": label} for row in rows])
        return alt.Chart(data).encode(x=x, color=colour, tooltip=tip)

    share = {"title": "share of groups"}
    inside = max(1e-9, max(max(r["released"], r.get("truth", 0.0), min(r["high"], 1.0)) for r in rows))
    low = min(0.0, *(r["estimate"] for r in rows))
    scale = alt.Scale(domain=[max(low, -0.5 * inside), inside * 1.04], nice=False, clamp=True)
    bars = (
        layer(_LABELS[0])
        .mark_bar(width=alt.RelativeBandSize(0.8))
        .encode(y=alt.Y("released:Q", scale=scale, axis=alt.Axis(format=".0%"), **share))
    )
    span = layer(_LABELS[1]).mark_rule(strokeWidth=2).encode(y=alt.Y("low:Q", scale=scale, **share), y2="high:Q")
    points = (
        layer(_LABELS[1])
        .mark_point(filled=True, size=60, opacity=1)
        .encode(y=alt.Y("estimate:Q", scale=scale, **share), shape=shape)
    )
    zero = alt.Chart(inline([{"y": 0}])).mark_rule(color="#666666").encode(y="y:Q")
    half = 0.006 * inside
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
            align="left", dx=alt.expr(f"bandwidth('x') / 2 + {_AWAY}"), fontWeight=600, fontSize=LETTERS
        )
        layers.append(words.encode(text="label:N", color=alt.Color("ink:N", scale=None)))
    chart = alt.layer(*layers)
    chart = page_wide(chart, 300) if width <= 460 else chart.properties(width=width, height=300)
    line = f"{found.groups:,} groups of {found.n}; {percent(found.confidence)} intervals, each for one count alone"
    shares = all(0 <= row["estimate"] <= 1 for row in rows)
    note = "" if shares else "An estimate below 0% or above 100% is drawn as it is."
    return finished(chart, title or "Published numbers and the true counts behind them", line, note=note)


_PANEL, _AWAY, _HIGH, _APART = 590, 6, 0.04, 0.055
"""Pixels of a panel as wide as a page, and from a mark to its name; the height of a name and from one to the next, as
shares of that of the panel."""


def _names_in_place(rows: Rows, labels: Sequence[str], width: float) -> Rows:
    """The names of the marks, right of those of one count where nothing is in their way; none without such a place."""
    band = width / len(rows)
    reach = ceil(max(across(label, LETTERS, bold=True) for label in labels) / band)
    tops = [max(row["released"], row["high"], row.get("truth", 0.0)) for row in rows]
    for row, beside in zip(rows, range(1, len(rows)), strict=False):
        marks = {
            labels[0]: row["released"],
            labels[1]: row["high"],
            **({TRUTH: row["truth"]} if "truth" in row else {}),
        }
        levels: Rows = []
        for label, level in sorted(marks.items(), key=lambda one: one[1]):
            least = levels[-1]["level"] + _APART * max(tops) if levels else 0.0
            levels.append({"count": row["count"], "label": label, "level": max(level - _HIGH / 2 * max(tops), least)})
        free = beside + reach <= len(rows) and max(tops[beside : beside + reach]) < levels[0]["level"] - _HIGH * max(
            tops
        )
        if free and levels[-1]["level"] <= max(tops):
            return levels
    return []
