"""Histograms as pictures of plain values: a triangle for three answers, bars for any number; text
and inline SVG.

A histogram of three answers is a point of a triangle whose corners are the histograms where all
people give one answer: the first bottom left, the second bottom right, the third on top. It shows
either the chance that the truth is reported, for every true histogram, or one column: the chance of
every published histogram for one true one.

Bars show one true histogram too: what each answer's count is on average, and where it falls.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING, Any

from discreet.core.forms import Folded
from discreet.core.histogram import Histogram, Point, read_counts
from discreet.core.mechanism import Mechanism
from discreet.core.rationals import Exact, read_fraction
from discreet.errors import InvalidInput
from discreet.show import html
from discreet.show.captions import written
from discreet.show.cells import Rows
from discreet.show.colours import INK, MARK, MARK_EDGE, cell_colours
from discreet.show.text import table

if TYPE_CHECKING:
    from discreet.designer.orbits.cell_by_cell import Cells

HEIGHT = sqrt(3) / 2
_SIDE = 330
_BAR = 24


def over_histograms(m: Any) -> Histogram:
    """The domain of a mechanism over histograms, or of cells; anything else is refused."""
    domain = getattr(m, "domain", None)
    if isinstance(domain, Histogram):
        return domain
    remedy = "`dc.design(n=8, categories=3, epsilon=1)` makes one"
    raise InvalidInput(
        "thing", "must be over histograms for this figure", type(m).__name__, remedy=remedy
    )


def all_one(domain: Histogram) -> list[str]:
    """The histograms where all people give one answer, in words.

    >>> all_one(Histogram(8, 3))[0]
    'all answer 1'
    """
    return [f"all {name}" if domain.answers else f"all answer {name}" for name in domain.names]


def falling(domain: Histogram) -> Point:
    """The histogram nearest to counts that fall by as much from each answer to the next: no two
    alike, where it can.

    >>> falling(Histogram(8, 5)), falling(Histogram(2, 4))
    ((3, 2, 2, 1, 0), (1, 1, 0, 0))
    """
    n, k = domain.n, domain.k
    shares = [divmod(2 * n * (k - c), k * (k + 1)) for c in range(k)]
    left = n - sum(whole for whole, _ in shares)
    more = sorted(range(k), key=lambda c: (-shares[c][1], c))[:left]
    return tuple(whole + (c in more) for c, (whole, _) in enumerate(shares))


def triangle_rows(m: Mechanism, truth: Any = None, *, top: float | None = None) -> Rows:
    """One row per histogram of three answers: its counts, its place, and the chance shown, with its
    colours.

    Without `truth` the chance is that of reporting each true histogram; with it, of each output for
    that truth.
    """
    domain = over_histograms(m)
    if domain.k != 3 or not isinstance(m.form, Folded):
        remedy = "draw `kind='answers'` instead"
        raise InvalidInput(
            "thing",
            "must be a mechanism over three answers for a triangle",
            str(domain),
            remedy=remedy,
        )
    true = None if truth is None else read_counts(domain, "truth", truth, whole=True)
    orbits, values = m.form.orbits, [x / m.form.denominator for x in m.form.values]
    rows: Rows = [
        {
            "label": domain.written(domain.number(point)),
            "counts": point,
            "x": point[1] + point[2] / 2,
            "y": point[2] * HEIGHT,
            "probability": values[orbits.of(point, point if true is None else true)],
            "truth": point == true,
        }
        for point in domain.points
    ]
    most = max(row["probability"] for row in rows) if top is None else top
    for row in rows:
        row["fill"], row["ink"] = cell_colours(row["probability"], most)
    return rows


def triangle_lines(m: Mechanism, truth: Any = None) -> list[str]:
    """The triangle as text: each row one more person of the third answer, the third answer's
    corner on top.
    """
    domain, rows = over_histograms(m), triangle_rows(m, truth)
    lines = []
    for third in range(domain.n, -1, -1):
        row = sorted((row for row in rows if row["counts"][2] == third), key=lambda row: row["x"])
        texts = [f"{'*' if cell['truth'] else ''}{_short(cell['probability'])}" for cell in row]
        lines.append(" " * (3 * third + 2) + "".join(f"{text:^6}" for text in texts).rstrip())
    first, second, last = all_one(domain)
    width = 6 * (domain.n + 1)
    middle = last[:width]
    corners = f"  {first}".ljust(max(0, width - len(second))) + f"  {second}"
    return [" " * max(2, 2 + (width - len(middle)) // 2) + middle, *lines, corners]


def has_numbers(n: int) -> bool:
    """Whether the cells of a triangle of n people are large enough for their chances."""
    return _SIDE / (n + 1) >= 30


def triangle_svg(m: Mechanism, truth: Any = None) -> html.Html:
    """The triangle as inline SVG, with chances in percent: darker is likelier, one true
    histogram outlined.
    """
    domain, rows = over_histograms(m), triangle_rows(m, truth)
    step = _SIDE / (domain.n + 1)
    radius = step / sqrt(3)
    high = radius * 2 + domain.n * step * HEIGHT
    parts = []
    for row in sorted(
        rows, key=lambda row: row["truth"]
    ):  # the outline last, so that no neighbour covers it
        x, y = step / 2 + row["x"] * step + 20, 24 + high - radius - row["y"] * step
        frame = f' stroke="{MARK_EDGE}" stroke-width="5"' if row["truth"] else ' stroke="#c8d0d8"'
        corners = f'<polygon points="{_hexagon(x, y, radius)}"'
        parts.append(
            f'{corners} fill="{row["fill"]}"{frame}><title>{row["label"]}: '
            f"{row['probability']:.4f}</title></polygon>"
        )
        if row["truth"]:
            parts.append(f'{corners} fill="none" stroke="{MARK}" stroke-width="2.5"/>')
        if has_numbers(domain.n):
            size = min(12.0, step * 0.3)
            parts.append(
                _word(x, y + size * 0.35, written(100 * row["probability"], 1), size, row["ink"])
            )
    first, second, third = all_one(domain)
    parts.append(_word(20 + _SIDE / 2, 14, third, 12))
    parts.append(_word(20, 42 + high, first, 12, anchor="start"))
    parts.append(_word(20 + _SIDE, 42 + high, second, 12, anchor="end"))
    box = f"0 0 {_SIDE + 40} {high + 50:.0f}"
    said = f"{shown_in(m, truth)}, over histograms of {domain.n} people"
    look = {"viewBox": box, "width": "370", "font_family": "sans-serif"}
    return html.element("svg", html.Html("".join(parts)), role="img", aria_label=said, **look)


def shown_in(m: Mechanism | Cells, truth: Any) -> str:
    """Say what a triangle shows."""
    if truth is None:
        return "chance that the truth is reported, at every true histogram"
    point = read_counts(over_histograms(m), "truth", truth, whole=True)
    return f"chance of every published histogram where the truth is ({', '.join(map(str, point))})"


def answer_rows(m: Mechanism | Cells, truth: Any = None, *, confidence: Exact = "0.9") -> Rows:
    """One row per answer: its true count, what is released on average, and where the middle of
    the draws lies.
    """
    domain, share = over_histograms(m), read_fraction("confidence", confidence)
    if not 0 < share < 1:
        raise InvalidInput("confidence", "must be between 0 and 1", confidence)
    point = falling(domain) if truth is None else read_counts(domain, "truth", truth, whole=True)
    rows: Rows = []
    for c, (name, true) in enumerate(zip(domain.names, point, strict=True)):
        chances = _marginal(m, point, c)
        tail = float((1 - share) / 2)
        low, high = _quantile(chances, tail), _quantile(chances, 1 - tail)
        median = _quantile(chances, 0.5)
        mean = sum(i * x for i, x in enumerate(chances))
        rows.append(
            {"label": name, "true": true, "mean": mean, "median": median, "low": low, "high": high}
        )
    return rows


def answer_chances(m: Mechanism | Cells, truth: Any = None) -> Rows:
    """One row per answer and number of people: the chance that it is published; that of the
    truth also in words.
    """
    domain = over_histograms(m)
    point = falling(domain) if truth is None else read_counts(domain, "truth", truth, whole=True)
    return [
        {
            "label": name,
            "people": k,
            "probability": chance,
            "truth": k == true,
            "said": f"{k}: {chance:.0%}",
        }
        for c, (name, true) in enumerate(zip(domain.names, point, strict=True))
        for k, chance in enumerate(_marginal(m, point, c))
    ]


def _marginal(m: Mechanism | Cells, point: Point, answer: int) -> list[float]:
    """The chances of one answer's released count."""
    if not isinstance(m, Mechanism):
        return [float(x) for x in m.mechanism.column(point[answer])]
    found = [Fraction(0)] * (m.n + 1)
    for output, chance in zip(over_histograms(m).points, m.column(point), strict=True):
        found[output[answer]] += chance
    return [float(x) for x in found]


def _quantile(chances: Iterable[float], share: float) -> int:
    total, last = 0.0, 0
    for i, chance in enumerate(chances):
        total += chance
        last = i
        if total >= share - 1e-12:
            return i
    return last


def answer_lines(m: Mechanism | Cells, truth: Any = None) -> list[str]:
    """The bars as text: a bar of the mean, and where 90% of the draws lie."""
    rows, n = answer_rows(m, truth), over_histograms(m).n
    shown = [
        (
            _cut(row["label"]),
            row["true"],
            f"{row['mean']:.2f}",
            f"{row['low']}-{row['high']}",
            _bar(row["mean"], n),
        )
        for row in rows
    ]
    return table([("answer", "true", "mean", "90% in", ""), *shown], "<6 >4 >6 >7 <0", gap=2)


def answers_html(m: Mechanism | Cells, truth: Any = None) -> html.Html:
    """The same as a table."""
    rows = [
        [row["label"], row["true"], f"{row['mean']:.2f}", f"{row['low']}-{row['high']}"]
        for row in answer_rows(m, truth)
    ]
    head = ("answer", "true", "released on average", "90% of draws in")
    return html.table(head, rows, caption="One true histogram", words={0})


def _bar(mean: float, n: int) -> str:
    return "#" * round(_BAR * mean / n)


def _cut(name: str) -> str:
    return name if len(name) <= 24 else f"{name[:21]}..."


def _short(chance: float) -> str:
    return (
        "0" if chance == 0 else written(chance, 3).replace("0.", ".", 1) if chance < 0.9995 else "1"
    )


def _hexagon(x: float, y: float, radius: float) -> str:
    half = radius * HEIGHT
    right = [(0, -radius), (half, -radius / 2), (half, radius / 2)]
    corners = [*right, *((-dx, -dy) for dx, dy in right)]
    return " ".join(f"{x + dx:.1f},{y + dy:.1f}" for dx, dy in corners)


def _word(
    x: float, y: float, words: str, size: float, ink: str = INK, *, anchor: str = "middle"
) -> html.Html:
    place = {
        "x": f"{x:.1f}",
        "y": f"{y:.1f}",
        "text_anchor": anchor,
        "font_size": f"{size:.1f}",
        "fill": ink,
    }
    return html.element("text", words, **place)
