"""Histograms drawn: a triangle for three answers, bars for any number, and ways to release them side by side."""

from __future__ import annotations

from math import sqrt
from statistics import fmean
from typing import TYPE_CHECKING, Any

from discreet.core.histogram import Histogram, read_counts
from discreet.core.rationals import Exact, read_fraction
from discreet.errors import InvalidInput
from discreet.show.captions import label, prior_words, privacy_words, short_name, way_words
from discreet.show.cells import Rows
from discreet.show.colours import INK, MARK, MARK_EDGE, looks
from discreet.show.pictures.headlines import BEST_WAYS, listed, of_scores
from discreet.show.pictures.heatmap import colour_bar, inked, number, shaded
from discreet.show.pictures.theme import HEADINGS, LETTERS, altair, finished, inline, page_wide, tips
from discreet.show.triangles import (
    HEIGHT,
    all_one,
    answer_chances,
    answer_rows,
    falling,
    over_histograms,
    shown_in,
    triangle_rows,
)

if TYPE_CHECKING:
    from discreet.choosing.histograms.histogram_comparison import HistogramComparison

_HEXAGON = "M0,-1L{h},-0.5L{h},0.5L0,1L-{h},0.5L-{h},-0.5Z".format(h=f"{HEIGHT:.5f}")
_NUMBERS_FROM = 34
_LONGEST = 72
"""Letters of a title."""
_SCORES = {
    "L0": "chance of a wrong histogram",
    "L1": "people misplaced, of {n}, on average",
    "L2": "square of people misplaced, of {n}, on average",
}


def triangle(things: Any, *, truth: Any = None, title: str | None = None, across: int = 3) -> Any:
    """Draw mechanisms over three answers on one colour scale: the chance of the truth, or the column of one truth."""
    alt = altair()
    mechanisms = _named(things)
    top = max(row["probability"] for m in mechanisms.values() for row in triangle_rows(m, truth))
    several = len(mechanisms) > 1
    panels = []
    for name, m in mechanisms.items():
        panel = _panel(
            m, truth, top, _side(m, min(across, len(mechanisms))), legend_at="bottom" if several else "right"
        )
        if several:
            heading = {"subtitle": _truth_chance(m, truth)} if truth is not None else {}
            title_of = alt.TitleParams(text=way_words(name), fontSize=HEADINGS, anchor="middle", **heading)
            panel = panel.properties(title=title_of)
        panels.append(panel)
    chart = alt.concat(*panels, columns=across, spacing=20) if several else panels[0]
    first = next(iter(mechanisms.values()))
    said = shown_in(first, truth)
    said = f"{said[:1].upper()}{said[1:]}"
    marked = "" if truth is None else f"outlined: the truth {_in_words(over_histograms(first), truth)}"
    told = f"The {_truth_chance(first, truth)}." if not several and truth is not None else ""
    line = f"{_setting(mechanisms)}; {marked}" if marked else _setting(mechanisms)
    if not several and not marked:
        line += "; each cell: how often that truth is published"
    default = _oftenest(mechanisms, truth, said) if several else _often(first, truth)
    return finished(chart, title or default, line, note=told if several else f"{short_name(first)}. {told}".strip())


def _truth_chance(m: Any, truth: Any) -> str:
    """How often the truth itself is published."""
    return f"truth in {next(row['probability'] for row in triangle_rows(m, truth) if row['truth']):.1%} of draws"


def _often(m: Any, truth: Any) -> str:
    """The title of one triangle: how often the truth is published, that one or any."""
    chances = _of_truth(m, truth)
    least, most = f"{min(chances):.1%}", f"{max(chances):.1%}"
    often = f"in {least} of draws" if least == most else f"in {least.removesuffix('%')} to {most} of draws"
    return f"The truth is published {often}"


def _of_truth(m: Any, truth: Any) -> list[float]:
    """How often the truth is published: that one, or each."""
    return [row["probability"] for row in triangle_rows(m, truth) if truth is None or row["truth"]]


def _oftenest(mechanisms: dict[str, Any], truth: Any, otherwise: str) -> str:
    """The title of several triangles: which of them publishes the truth most often, where one does."""
    rows: Rows = [{"series": name, "n": m.n, "value": fmean(_of_truth(m, truth))} for name, m in mechanisms.items()]
    does = f"publishes {'the truth' if truth is None else 'this truth'} most often"
    return of_scores(rows, "mean_truth", "n", otherwise, does=does, named=way_words)


def _farthest(rows: Rows, names: list[str], share: str) -> str:
    """The title of what is published for one histogram: how far off any answer is in nearly all draws."""
    off = {
        name: max(max(row["high"] - row["true"], row["true"] - row["low"]) for row in rows if row["series"] == name)
        for name in names
    }
    if len(set(off.values())) == 1:
        return f"An answer is at most {off[names[0]]} off in {share} of draws"
    said = f"In {share} of draws an answer is at most {listed([f'{far} off ({name})' for name, far in off.items()])}"
    return said if len(said) <= _LONGEST else "One true histogram, and what is published for it"


def _in_words(domain: Histogram, truth: Any) -> str:
    """A histogram with the names of its answers, where they have names."""
    counts = read_counts(domain, "truth", truth, whole=True)
    if not domain.answers:
        return _written(domain, truth)
    return f"({', '.join(f'{count} {name}' for count, name in zip(counts, domain.names, strict=True))})"


def _side(m: Any, in_a_row: int) -> int:
    """How wide a triangle is: three in a row fit a page, if the names at their corners are short."""
    if in_a_row < 2:
        return 420
    return 196 if in_a_row > 2 and max(map(len, over_histograms(m).names)) <= 10 else 260


def _panel(m: Any, truth: Any, top: float, side: int, *, legend_at: str) -> Any:
    alt = altair()
    domain = over_histograms(m)
    rows: Rows = [
        {key: row[key] for key in row if key not in ("fill", "ink", "counts")} for row in triangle_rows(m, truth)
    ]
    n = domain.n
    step = side / (n + 1)
    x = alt.X("x:Q", axis=None, scale=alt.Scale(domain=[-0.5, n + 0.5], nice=False, zero=False))
    room = 1 / sqrt(3)
    y = alt.Y("y:Q", axis=None, scale=alt.Scale(domain=[-room, n * HEIGHT + room], nice=False, zero=False))
    numbered = step >= _NUMBERS_FROM
    shades = shaded(top or 1e-9)
    legend = colour_bar(top or 1e-9, min(side, 200), room=30, title="chance", orient=legend_at, offset=8)
    base = alt.Chart(inline(rows)).encode(x=x, y=y, tooltip=tips(label="histogram", probability="chance"))
    size = 4 * step**2 / 3  # a path's box of 2 by 2 is drawn sqrt(size) wide: then hexagons meet
    layers = [
        base.mark_point(shape=_HEXAGON, size=size, filled=True, opacity=1, stroke="#c8d0d8", strokeWidth=0.7).encode(
            color=alt.Color("probability:Q", scale=shades, legend=legend)
        )
    ]
    if truth is not None:
        ring = base.transform_filter("datum.truth")
        # on a white edge, black on a dark page, the outline is seen on every fill
        layers += [
            ring.mark_point(shape=_HEXAGON, size=size, filled=False, opacity=1, stroke=stroke, strokeWidth=width)
            for stroke, width in ((MARK_EDGE, 5), (MARK, 2.5))
        ]
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
                align=corner["align"], dy=(step / sqrt(3) + 13) * (1 if below else -1), fontSize=LETTERS, color=INK
            )
            .encode(x=x, y=y, text="text:N")
        )
    high = (n * HEIGHT + 2 * room) * step
    return alt.layer(*layers).properties(width=side, height=round(high))


def answers(things: Any, *, truth: Any = None, confidence: Exact = "0.9", title: str | None = None) -> Any:
    """Draw one true histogram: for each answer, how likely each number of people is to be published, as bars.

    The bar of the truth is in full colour. `confidence` is that of the title, which says how far off an answer is.
    """
    alt = altair()
    mechanisms = _named(things)
    domain = over_histograms(next(iter(mechanisms.values())))
    chances = {name: answer_chances(m, truth) for name, m in mechanisms.items()}
    top = 1.25 * max(row["probability"] for rows in chances.values() for row in rows)
    order, wide = list(domain.names), max(_WIDE, 2 * (domain.n + 1) * domain.k)
    share = f"{float(read_fraction('confidence', confidence)):.0%}"
    marks = _marked(domain.n, wide / domain.k)
    panels = []
    for (name, rows), look in zip(chances.items(), looks(mechanisms), strict=True):
        last = name == list(mechanisms)[-1]
        named = {"labelAngle": 0, "labelLimit": 110, "labelExpr": "split(datum.label, ' ')"}
        axis = alt.Axis(ticks=False, labelPadding=20 if marks else 2, **(named if last else {"labels": False}))
        places = alt.Scale(paddingInner=0.18, paddingOuter=0.09)
        x = alt.X("label:N", sort=order, title="people published, by answer" if last else None, axis=axis, scale=places)
        within = alt.XOffset("people:O", scale=alt.Scale(domain=list(range(domain.n + 1)), padding=0.08))
        y = alt.Y(
            "probability:Q", title=None, scale=alt.Scale(domain=[0, top], nice=False),
            axis=alt.Axis(format=".3~%", tickCount=4),
        )  # fmt: skip
        tip = tips(label="answer", people="people published", probability="chance")
        base = alt.Chart(inline(rows)).encode(x=x, xOffset=within, y=y, tooltip=tip)
        pale = alt.condition("datum.truth", alt.value(1), alt.value(0.4))
        layers = [base.mark_bar(color=look.colour).encode(opacity=pale)]
        for side in ("left", "center", "right") if wide / domain.k > _SAID else ():
            true = [
                {**row, "brief": f"{row['probability']:.0%}"}
                for row in rows
                if row["truth"]
                and _side_of(row["people"], [one for one in rows if one["label"] == row["label"]]) == side
            ]
            words = {"align": side, "dy": -8, "fontSize": LETTERS}
            for edge in ({"stroke": "#ffffff", "strokeWidth": 4}, {}) if true else ():  # no line through a number
                named_bar = base.properties(data=inline(true)).mark_text(color=INK, **words, **edge)
                layers.append(named_bar.encode(text="said:N"))
        for people, side in marks.items():
            below = [{"label": answer, "people": people} for answer in order]
            scale = alt.Chart(inline(below)).encode(x=x, xOffset=within)
            layers.append(scale.mark_tick(orient="vertical", size=5, color="#666666").encode(y=alt.value(_TALL + 2.5)))
            words = {"align": side, "dx": {"left": -4, "right": 4}.get(side, 0), "fontSize": _SMALL, "color": QUIET}
            layers.append(scale.mark_text(**words).encode(y=alt.value(_TALL + 14), text="people:O"))
        head = alt.TitleParams(text=way_words(name), anchor="start", frame="group", fontSize=LETTERS)
        panels.append(
            alt.layer(*layers).properties(width=wide, height=_TALL, **({"title": head} if len(chances) > 1 else {}))
        )
    chart = alt.vconcat(*panels, spacing=14)
    point = falling(domain) if truth is None else truth
    line = (
        f"{_setting(mechanisms)}; bars: {'' if marks else f'0 to {domain.n} '}people published; full colour: the truth"
    )
    rows = [
        {**row, "series": name}
        for name, m in mechanisms.items()
        for row in answer_rows(m, truth, confidence=confidence)
    ]
    note = f"The truth is {_written(domain, point)}."
    return finished(chart, title or _farthest(rows, list(mechanisms), share), line, note=note)


_WIDE, _TALL, _SAID = 584, 104, 60
"""Pixels of a panel of bars, and of an answer in it that has room for words above a bar."""


_SMALL, _DIGIT, _PHONE, QUIET = 12, 7, 0.4, "#444444"
"""Pixels of a number below bars and of a digit of it; the part of its width that an answer has on a phone, of which a
gap is taken; and the colour of such a number."""


def _marked(n: int, wide: float) -> dict[int, str]:
    """Which bars of an answer have their number of people below them, where a phone has room, and how it stands.

    >>> _marked(8, 117), _marked(7, 117), _marked(100, 30)
    ({0: 'left', 4: 'center', 8: 'right'}, {0: 'left', 7: 'right'}, {})
    """
    ends, all_three = {0: "left", n: "right"}, {0: "left", n // 2: "center", n: "right"}
    for marks in [all_three, ends] if n > 2 and n % 2 == 0 else [ends]:
        if _PHONE * wide >= sum(_DIGIT * (len(str(people)) + 1) for people in marks):
            return marks
    return {}


def _side_of(people: int, rows: Rows) -> str:
    """How words above a bar stand: within the room of their answer, and if they can, away from a higher bar.

    >>> bars = [{"probability": chance} for chance in (0.4, 0.2, 0.1, 0.3, 0.2)]
    >>> [_side_of(people, bars) for people in range(5)]
    ['left', 'left', 'center', 'center', 'right']
    """
    n, chances = len(rows) - 1, [row["probability"] for row in rows]
    if 4 * people < n or 4 * people > 3 * n:
        return "left" if 4 * people < n else "right"
    before, after = (chances[k] > chances[people] for k in (people - 1, people + 1))
    return "center" if before == after else "left" if before else "right"


def _written(domain: Histogram, point: Any) -> str:
    return f"({', '.join(map(str, read_counts(domain, 'truth', point, whole=True)))})"


def _named(things: Any) -> dict[str, Any]:
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


def _setting(mechanisms: dict[str, Any]) -> str:
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
        raise InvalidInput("kind", "must be 'scores' for a grid", "rivals", remedy="or compare at one n and one alpha")
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
        domain=names, range=[look.colour for look in looks(row["mechanism"] for row in comparison.to_dicts())]
    )
    base = alt.Chart(inline(rows)).encode(x=x, y=y, tooltip=tips(label="release", value=score))
    bars = base.mark_bar(height=18).encode(color=alt.Color("label:N", scale=shades, legend=None))
    text = base.mark_text(align="left", dx=6, fontSize=LETTERS, color="#222222").encode(text="text:N")
    chart = page_wide(alt.layer(bars, text), 30 * len(rows))
    line = f"length: {_SCORES[score].format(n=n)}; {len(comparison.answers)} answers, "
    line += privacy_words(privacy.value, privacy.epsilon)
    said = prior_words(comparison.prior)
    return finished(chart, title or _best_way(comparison, score), line, note=f"{said[:1].upper()}{said[1:]}.")


def _best_way(comparison: HistogramComparison, score: str) -> str:
    """Which way has the best score, where one has."""
    rows: Rows = [
        {"series": row["mechanism"], "n": row["n"], "value": float(row[score])} for row in comparison.to_dicts()
    ]
    plain = "Ways to release a histogram"
    return of_scores(rows, score, "n", plain, does=BEST_WAYS[score], named=way_words)
