"""Histograms drawn: a triangle for three answers, and ways to release them side by side."""

from __future__ import annotations

from math import sqrt
from statistics import fmean
from typing import TYPE_CHECKING, Any

from discreet.core.histogram import Histogram, read_counts
from discreet.errors import InvalidInput
from discreet.show.captions import label, prior_words, privacy_words, short_name, way_words
from discreet.show.cells import Rows
from discreet.show.colours import INK, MARK, MARK_EDGE, looks
from discreet.show.pictures.headlines import BEST_WAYS, of_scores
from discreet.show.pictures.heatmap import colour_bar, inked, number, shaded
from discreet.show.pictures.theme import (
    HEADINGS,
    LETTERS,
    altair,
    finished,
    inline,
    page_wide,
    tips,
)
from discreet.show.triangles import (
    HEIGHT,
    all_one,
    over_histograms,
    shown_in,
    triangle_rows,
)

if TYPE_CHECKING:
    from discreet.choosing.histograms.histogram_comparison import HistogramComparison

_HEXAGON = "M0,-1L{h},-0.5L{h},0.5L0,1L-{h},0.5L-{h},-0.5Z".format(h=f"{HEIGHT:.5f}")
_NUMBERS_FROM = 34
_SCORES = {
    "L0": "chance of a wrong histogram",
    "L1": "people misplaced, of {n}, on average",
    "L2": "square of people misplaced, of {n}, on average",
}


def triangle(things: Any, *, truth: Any = None, title: str | None = None, across: int = 3) -> Any:
    """Draw mechanisms over three answers on one colour scale: the chance of the truth, or the
    column of one truth.
    """
    alt = altair()
    mechanisms = named(things)
    top = max(row["probability"] for m in mechanisms.values() for row in triangle_rows(m, truth))
    several = len(mechanisms) > 1
    panels = []
    for name, m in mechanisms.items():
        panel = _panel(
            m,
            truth,
            top,
            _side(m, min(across, len(mechanisms))),
            legend_at="bottom" if several else "right",
        )
        if several:
            panel = panel.properties(
                title=alt.TitleParams(text=way_words(name), fontSize=HEADINGS, anchor="middle")
            )
        panels.append(panel)
    chart = alt.concat(*panels, columns=across, spacing=20) if several else panels[0]
    first = next(iter(mechanisms.values()))
    said = shown_in(first, truth)
    said = f"{said[:1].upper()}{said[1:]}"
    marked = (
        "" if truth is None else f"outlined: the truth {_in_words(over_histograms(first), truth)}"
    )
    told = f"The {_truth_chance(first, truth)}." if not several and truth is not None else ""
    line = f"{setting_of(mechanisms)}; {marked}" if marked else setting_of(mechanisms)
    if not several and not marked:
        line += "; each cell: how often that truth is published"
    default = _oftenest(mechanisms, truth, said) if several else _often(first, truth)
    return finished(
        chart,
        title or default,
        line,
        note=told if several else f"{short_name(first)}. {told}".strip(),
    )


def _truth_chance(m: Any, truth: Any) -> str:
    """How often the truth itself is published."""
    return (
        "truth in "
        f"{next(row['probability'] for row in triangle_rows(m, truth) if row['truth']):.1%} of "
        "draws"
    )


def _often(m: Any, truth: Any) -> str:
    """The title of one triangle: how often the truth is published, that one or any."""
    chances = _of_truth(m, truth)
    least, most = f"{min(chances):.1%}", f"{max(chances):.1%}"
    often = (
        f"in {least} of draws"
        if least == most
        else f"in {least.removesuffix('%')} to {most} of draws"
    )
    return f"The truth is published {often}"


def _of_truth(m: Any, truth: Any) -> list[float]:
    """How often the truth is published: that one, or each."""
    return [row["probability"] for row in triangle_rows(m, truth) if truth is None or row["truth"]]


def _oftenest(mechanisms: dict[str, Any], truth: Any, otherwise: str) -> str:
    """The title of several triangles: which of them publishes the truth most often, where one
    does.
    """
    rows: Rows = [
        {"series": name, "n": m.n, "value": fmean(_of_truth(m, truth))}
        for name, m in mechanisms.items()
    ]
    does = f"publishes {'the truth' if truth is None else 'this truth'} most often"
    return of_scores(rows, "mean_truth", "n", otherwise, does=does, named=way_words)


def _in_words(domain: Histogram, truth: Any) -> str:
    """A histogram with the names of its answers, where they have names."""
    counts = read_counts(domain, "truth", truth, whole=True)
    if not domain.answers:
        return written_out(domain, truth)
    named = (f"{count} {name}" for count, name in zip(counts, domain.names, strict=True))
    return f"({', '.join(named)})"


def _side(m: Any, in_a_row: int) -> int:
    """How wide a triangle is: three in a row fit a page, if the names at their corners are
    short.
    """
    if in_a_row < 2:
        return 420
    return 196 if in_a_row > 2 and max(map(len, over_histograms(m).names)) <= 10 else 260


def _panel(m: Any, truth: Any, top: float, side: int, *, legend_at: str) -> Any:
    alt = altair()
    domain = over_histograms(m)
    rows: Rows = [
        {key: row[key] for key in row if key not in ("fill", "ink", "counts")}
        for row in triangle_rows(m, truth)
    ]
    n = domain.n
    step = side / (n + 1)
    x = alt.X("x:Q", axis=None, scale=alt.Scale(domain=[-0.5, n + 0.5], nice=False, zero=False))
    room = 1 / sqrt(3)
    y = alt.Y(
        "y:Q", axis=None, scale=alt.Scale(domain=[-room, n * HEIGHT + room], nice=False, zero=False)
    )
    numbered = step >= _NUMBERS_FROM
    shades = shaded(top or 1e-9)
    # cells with numbers, and a truth with its own, need no scale of shades
    scaled = truth is None and not numbered
    bar = colour_bar(
        top or 1e-9, min(side, 200), room=30, title="chance", orient=legend_at, offset=8
    )
    legend = bar if scaled else None
    base = alt.Chart(inline(rows)).encode(
        x=x, y=y, tooltip=tips(label="histogram", probability="chance")
    )
    size = 4 * step**2 / 3  # a path's box of 2 by 2 is drawn sqrt(size) wide: then hexagons meet
    layers = [
        base.mark_point(
            shape=_HEXAGON, size=size, filled=True, opacity=1, stroke="#c8d0d8", strokeWidth=0.7
        ).encode(color=alt.Color("probability:Q", scale=shades, legend=legend))
    ]
    if truth is not None:
        ring = base.transform_filter("datum.truth")
        # on a white edge, black on a dark page, the outline is seen on every fill
        layers += [
            ring.mark_point(
                shape=_HEXAGON, size=size, filled=False, opacity=1, stroke=stroke, strokeWidth=width
            )
            for stroke, width in ((MARK_EDGE, 5), (MARK, 2.5))
        ]
    if truth is not None and not numbered:
        layers += _named_truth(next(row for row in rows if row["truth"]), n, x, y)
    if numbered:
        layers.append(
            base.transform_calculate(percent="100 * datum.probability")
            .mark_text(fontSize=max(8.5, min(12.0, step * 0.27)))
            .encode(text=alt.Text(**number(int(step > 42))), color=inked(top or 1e-9))
        )
    first, second, third = all_one(domain)
    corners = [
        {"x": -0.5, "y": 0, "text": first, "align": "left"},
        {"x": n + 0.5, "y": 0, "text": second, "align": "right"},
        {"x": n / 2, "y": n * HEIGHT, "text": third, "align": "center"},
    ]
    for corner in corners:
        below = corner["align"] != "center"
        layers.append(
            alt.Chart(inline([corner]))
            .mark_text(
                align=corner["align"],
                dy=(step / sqrt(3) + 13) * (1 if below else -1),
                fontSize=LETTERS,
                color=INK,
            )
            .encode(x=x, y=y, text="text:N")
        )
    high = (n * HEIGHT + 2 * room) * step
    return alt.layer(*layers).properties(width=side, height=round(high))


def _named_truth(row: dict[str, Any], n: int, x: Any, y: Any) -> list[Any]:
    """The chance of the truth beside the triangle, and a thin line to its cell."""
    alt = altair()
    from_x, from_y = _BESIDE[0] * n, _BESIDE[1] * n
    far = sqrt((row["x"] - from_x) ** 2 + (row["y"] - from_y) ** 2) or 1.0
    to_x, to_y = (
        end - (end - begin) / far * 0.62 for begin, end in ((from_x, row["x"]), (from_y, row["y"]))
    )
    lead = {"x": from_x, "y": from_y, "to_x": to_x, "to_y": to_y}
    words = {"x": -0.5, "y": from_y, "text": f"truth\n{row['probability']:.1%}"}
    line = alt.Chart(inline([lead])).encode(x=x, y=y, x2="to_x", y2="to_y")
    look = {
        "align": "left",
        "baseline": "bottom",
        "dy": -19,
        "lineBreak": "\n",
        "lineHeight": 16,
        "fontWeight": 600,
    }
    return [
        *(
            line.mark_rule(stroke=stroke, strokeWidth=wide)
            for stroke, wide in ((MARK_EDGE, 4), (MARK, 1.2))
        ),
        alt.Chart(inline([words]))
        .mark_text(**look, fontSize=LETTERS, color=INK)
        .encode(x=x, y=y, text="text:N"),
    ]


_BESIDE = 0.06, 0.55
"""Where the line to the truth begins, left of the triangle, as shares of the group size."""


def written_out(domain: Histogram, point: Any) -> str:
    """A histogram as its numbers."""
    return f"({', '.join(map(str, read_counts(domain, 'truth', point, whole=True)))})"


def named(things: Any) -> dict[str, Any]:
    """Mechanisms over histograms, or cells, by label."""
    if isinstance(things, dict):
        found = {str(name): m for name, m in things.items()}
    else:
        found = {}
        for m in things if isinstance(things, (list, tuple)) else [things]:
            name = label(m) if hasattr(m, "origin") else "cells"
            found[name if name not in found else f"{name} ({len(found) + 1})"] = m
    if not found:
        raise InvalidInput("mechanisms", "must hold at least one mechanism", 0)
    if len({over_histograms(m) for m in found.values()}) > 1:
        raise InvalidInput("mechanisms", "must be over the same histograms in one figure")
    return found


def setting_of(mechanisms: dict[str, Any]) -> str:
    """The setting of all, where it is one; blind guessing, which spends nothing, joins any."""
    real = [m for m in mechanisms.values() if m.alpha < 1] or list(mechanisms.values())
    first = real[0]
    where = f"groups of {over_histograms(first).n}"
    if len({m.epsilon for m in real}) > 1:
        return where
    return f"{where}, {privacy_words(first.alpha, first.epsilon)}"


def rivals(comparison: HistogramComparison, *, score: str = "L1", title: str | None = None) -> Any:
    """Draw a score of every way to release a histogram, at one setting, as bars."""
    alt = altair()
    if score not in _SCORES:
        raise InvalidInput("score", "must be L0, L1 or L2", score)
    settings = {(entry.n, entry.privacy) for entry in comparison}
    if len(settings) > 1:
        raise InvalidInput(
            "kind",
            "must be 'scores' for a grid",
            "rivals",
            remedy="or compare at one n and one alpha",
        )
    rows: Rows = [
        {"label": way_words(row["mechanism"]), "value": row[score], "text": f"{row[score]:.3g}"}
        for row in comparison.to_dicts()
    ]
    n, privacy = next(iter(settings))
    names = [row["label"] for row in rows]
    top = max(row["value"] for row in rows) or 1e-9
    scale = alt.Scale(domain=[0, top * 1.2], nice=False)
    x = alt.X(
        "value:Q",
        title=None,
        scale=scale,
        axis=alt.Axis(labels=False, ticks=False, domain=False, grid=False),
    )
    y = alt.Y("label:N", title=None, sort=names, axis=alt.Axis(labelLimit=240))
    shades = alt.Scale(
        domain=names,
        range=[look.colour for look in looks(row["mechanism"] for row in comparison.to_dicts())],
    )
    base = alt.Chart(inline(rows)).encode(x=x, y=y, tooltip=tips(label="release", value=score))
    bars = base.mark_bar(height=18).encode(color=alt.Color("label:N", scale=shades, legend=None))
    text = base.mark_text(align="left", dx=6, fontSize=LETTERS, color="#222222").encode(
        text="text:N"
    )
    chart = page_wide(alt.layer(bars, text), 30 * len(rows))
    line = f"length: {_SCORES[score].format(n=n)}; {len(comparison.answers)} answers, "
    line += privacy_words(privacy.value, privacy.epsilon)
    said = prior_words(comparison.prior)
    return finished(
        chart, title or _best_way(comparison, score), line, note=f"{said[:1].upper()}{said[1:]}."
    )


def _best_way(comparison: HistogramComparison, score: str) -> str:
    """Which way has the best score, where one has."""
    rows: Rows = [
        {"series": row["mechanism"], "n": row["n"], "value": float(row[score])}
        for row in comparison.to_dicts()
    ]
    plain = "Ways to release a histogram"
    return of_scores(rows, score, "n", plain, does=BEST_WAYS[score], named=way_words)
