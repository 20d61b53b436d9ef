"""Published numbers against what they say: the distribution of true counts with its uncertainty."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from discreet.show.captions import percent
from discreet.show.cells import Rows
from discreet.show.pictures.curves import whole_ticks
from discreet.show.pictures.theme import altair, finished, inline, tips

if TYPE_CHECKING:
    from discreet.reading.distribution import Distribution

_LABELS = ("published numbers", "unbiased estimate", "likeliest")
_SHAPES = ("square", "circle", "diamond")


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


def distribution(found: Distribution, *, title: str | None = None) -> Any:
    """Draw published shares as bars, the unbiased estimate with its interval, and the likeliest distribution."""
    alt = altair()
    rows = distribution_rows(found)
    x = alt.X("count:O", title="number in a group", axis=whole_ticks(found.n, ordinal=True))
    names = alt.Scale(domain=list(_LABELS), range=["#b3b3b3", "#222222", "#6a3d9a"])  # of no mechanism
    legend = alt.Legend(title=None, orient="top", symbolOpacity=1, symbolStrokeWidth=0, symbolSize=110)
    shape = alt.Shape("label:N", scale=alt.Scale(domain=list(_LABELS), range=list(_SHAPES)), legend=legend)
    width = max(460, min(900, 22 * (found.n + 1)))
    aside = min(8.0, 0.18 * width / (found.n + 1))  # the two often agree, and would hide each other

    tip = tips(
        count="number in a group", released="published", estimate="unbiased", low="from", high="to",
        likeliest="likeliest",
    )  # fmt: skip

    def layer(label: str) -> Any:
        colour = alt.Color("label:N", scale=names, legend=legend)
        data = inline([{**row, "label": label} for row in rows])
        return alt.Chart(data).encode(x=x, color=colour, tooltip=tip)

    share = {"title": "share of groups"}
    inside = max(1e-9, max(max(r["released"], r["likeliest"], min(r["high"], 1.0)) for r in rows))
    low = min(0.0, *(r["estimate"] for r in rows))
    scale = alt.Scale(domain=[max(low, -0.5 * inside), inside * 1.04], nice=False, clamp=True)
    bars = (
        layer(_LABELS[0])
        .mark_bar(width=alt.RelativeBandSize(0.8))
        .encode(y=alt.Y("released:Q", scale=scale, axis=alt.Axis(format=".0%", **share)))
    )
    span = (
        layer(_LABELS[1])
        .mark_rule(strokeWidth=2, xOffset=-aside)
        .encode(y=alt.Y("low:Q", scale=scale, title=None), y2="high:Q")
    )
    points = (
        layer(_LABELS[1])
        .mark_point(filled=True, size=60, opacity=1, xOffset=-aside)
        .encode(y=alt.Y("estimate:Q", scale=scale, title=None), shape=shape)
    )
    ticks = (
        layer(_LABELS[2])
        .mark_point(filled=True, size=90, opacity=1, xOffset=aside)
        .encode(y=alt.Y("likeliest:Q", scale=scale, title=None), shape=shape)
    )
    zero = alt.Chart(inline([{"y": 0}])).mark_rule(color="#666666").encode(y="y:Q")
    chart = alt.layer(bars, zero, span, points, ticks).properties(width=width, height=300)
    lines = [
        f"{found.groups:,} groups of {found.n}; {percent(found.confidence)} intervals, each for one count alone",
        ""
        if all(0 <= row["estimate"] <= 1 for row in rows)
        else "an estimate below 0% or above 100% is drawn as it is",
    ]
    return finished(chart, title or "Published numbers and the true counts behind them", lines)
