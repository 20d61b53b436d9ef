"""How a mechanism looks to a person: text for a terminal, HTML for a notebook."""

from __future__ import annotations

from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING

from discreet.core.domains import Counts
from discreet.core.forms import ColumnHonest, Fair, Folded, Geometric, Uniform, WeaklyHonest
from discreet.core.histogram import Histogram
from discreet.core.properties import EVERYDAY
from discreet.show import html
from discreet.show.captions import written
from discreet.show.cells import cells
from discreet.show.colours import MARK, MARK_EDGE
from discreet.show.matrix_text import IN_FULL, matrix_lines
from discreet.show.text import beside

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism

SCORED = 200
_PROMISES = ("CM", "F", "WH")
"""What readers of numbers ask about; the other properties are told where they were asked for, or
by their codes.
"""
_IN_WORDS = ("promises", "not")
_BITS = 128
_COSTS = {
    "L0": "wrong answers",
    "L0,1": "more than 1 off",
    "L1": "distance",
    "L2": "distance squared",
}


def mechanism_text(m: Mechanism) -> str:
    """Describe a mechanism for a terminal: its privacy, shape, scores, origin and, where it
    fits, its matrix.
    """
    lines = [_title(m)]
    for name, value in _facts(m):
        lines += beside(f"  {name:<11}", value)
    return "\n".join([*lines, *picture_lines(m)])


def picture_lines(m: Mechanism) -> list[str]:
    """The matrix of a mechanism, or of one over histograms a picture of its chances, below an
    empty line.
    """
    if isinstance(m.domain, Counts):
        return ["", *matrix_lines(m)]
    return ["", *_histogram_lines(m, m.domain)] if isinstance(m.domain, Histogram) else []


def mechanism_html(m: Mechanism) -> str:
    """Describe a mechanism for a notebook; when small, its matrix is a heatmap with its numbers."""
    parts = [html.title(_title(m)), html.facts(_facts(m))]
    if _written_out(m):
        parts.append(_matrix_html(m))
    elif isinstance(m.domain, Histogram):
        from discreet.show.triangles import answers_html, triangle_svg

        parts.append(triangle_svg(m) if m.domain.k == 3 else answers_html(m))
    return html.together(*parts)


def _title(m: Mechanism) -> str:
    title = f"Mechanism for groups of n = {m.n}"
    return title if m.domain == Counts(m.n) else f"{title}: {m.domain}"


def _written_out(m: Mechanism) -> bool:
    return m.n <= IN_FULL and isinstance(m.domain, Counts)


def _histogram_lines(m: Mechanism, domain: Histogram) -> list[str]:
    """Three answers as a triangle of the chance of truth, others as the bars of one true
    histogram.
    """
    from discreet.show.triangles import answer_lines, falling, triangle_lines

    if domain.k == 3 and m.n <= IN_FULL:
        return ["  The chance that the truth is reported:", "", *triangle_lines(m)]
    true = domain.written(domain.number(falling(domain)))
    return [f"  What is released where {true} is the truth:", "", *answer_lines(m)]


def _matrix_html(m: Mechanism) -> html.Html:
    rows: list[list[html.Html]] = [
        [html.element("th", str(i), scope="row")] for i in range(m.n + 1)
    ]
    for cell in cells(m, None):
        frame = (
            f";outline:2px solid {MARK};outline-offset:-2px;box-shadow:inset 0 0 0 3px {MARK_EDGE}"
            if cell["diagonal"]
            else ""
        )
        style = f"text-align:right;background:{cell['fill']};color:{cell['ink']}{frame}"
        rows[cell["output"]].append(
            html.element("td", written(cell["probability"], 3), style=style)
        )
    return html.table(
        ["", *range(m.n + 1)],
        rows,
        caption="Chance of each published number (down) for each true count (across)",
    )


def proof_words(m: Mechanism) -> str:
    """What is proven of a mechanism."""
    certificate = m.origin.certificate
    if certificate is None:
        if m.origin.theorem:
            return f"optimal by {m.origin.theorem}"
        if m.origin.problem is not None and isinstance(
            m.form, Fair
        ):  # EM for a large group, see `nearly_optimal`
            return f"private, exactly; within {ceil(10**4 / m.n) / 100:.2f}% of optimal by theorem"
        return "private, exactly; no claim of optimality"
    if certificate.optimal:
        return "private and optimal, both exactly; certificate attached"
    gap = certificate.gap
    # rounded up, because it is a promise
    return "private, exactly" + (
        f"; within {ceil(gap * 10**4) / 100:.2f}% of optimal" if gap is not None else ""
    )


def promises(m: Mechanism) -> list[tuple[str, str]]:
    """What a mechanism has, and lacks, of the properties that were asked for or that readers ask
    about: in words.

    >>> from discreet.core.named import fair
    >>> promises(fair(n=2, epsilon=1))[0][1]
    'no farther answer likelier (CM), fair to every count (F), never worse than guessing (WH)'
    """
    asked = m.origin.problem.shape if m.origin.problem is not None else ()
    told = [code for code in EVERYDAY if code in _PROMISES or code in asked]
    has = [f"{EVERYDAY[code]} ({code})" for code in told if code in m.shape]
    lacks = [f"{EVERYDAY[code]} ({code})" for code in told if code not in m.shape]
    return [
        (name, ", ".join(words))
        for name, words in zip(_IN_WORDS, (has, lacks), strict=True)
        if words
    ]


def _facts(m: Mechanism) -> list[tuple[str, str]]:
    has = [f"{EVERYDAY[code]} ({code})" for code in EVERYDAY if code in m.shape]
    lacks = [f"{EVERYDAY[code]} ({code})" for code in EVERYDAY if code not in m.shape]
    has += [code for code in str(m.shape).split() if code not in EVERYDAY]
    least, most, total = truths(m)
    if m.n <= SCORED or isinstance(m.form, Folded):
        scores = ", ".join(
            f"{said} ({loss}) {float(m.score(loss)):.4f}" for loss, said in _COSTS.items()
        )
    else:
        scores = f"{_COSTS['L0']} (L0) {(m.n + 1 - total) / m.n:.4f}"
    answers = [("answers", ", ".join(m.domain.names))] if isinstance(m.domain, Histogram) else []
    own = m.origin.problem.own if m.origin.problem is not None else ()
    rows = [("own rows", ", ".join(each.name for each in own))] if own else []
    return [
        ("privacy", str(m.privacy)),
        *answers,
        ("has", ", ".join(has) or "none of the seven properties"),
        ("lacks", ", ".join(lacks) or "nothing"),
        *rows,
        ("scores", scores),
        ("truth", _reported(least, most) if m.n else "always reported"),
        ("found by", m.origin.method),
        ("proof", proof_words(m)),
        ("id", m.id[:16]),
    ]


def _reported(least: float, most: float) -> str:
    """Say how often the truth comes out; what is rounded is neither the same everywhere nor certain
    for that.

    >>> _reported(0.25, 0.25), _reported(0.25, 0.5), _reported(0.9998, 0.9999)
    ('reported with chance 0.25, whatever it is', 'reported with chance 0.25 to 0.5', 'reported with
    chance over 0.999')
    """
    low, high = ("over 0.999" if 0.9995 <= each < 1 else f"{each:.3g}" for each in (least, most))
    return f"reported with chance {low}" + (
        ", whatever it is" if least == most else f" to {high}" if high != low else ""
    )


def truths(m: Mechanism) -> tuple[float, float, float]:
    """The least and the largest Pr[j|j], and their sum. A closed form has one value at 1..n-1, one
    at both ends.

    The column-honest one has another at 1 and n-1.
    """
    n, form = m.n, m.form
    if isinstance(form, Folded):
        chances = [form.values[u] / form.denominator for u in form.orbits.diagonal]
        return min(chances), max(chances), sum(chances)
    if n > SCORED and isinstance(form, Geometric | Fair | WeaklyHonest | Uniform):
        end, inside = map(float, _closed_truths(form))
        return min(end, inside), max(end, inside), 2 * end + (n - 1) * inside
    if n > SCORED and isinstance(form, ColumnHonest):
        end, beside, inside = (float(form.entry(j, j)) for j in range(3))
        return inside, end, 2 * end + 2 * beside + (n - 3) * inside
    truths = [float(m.truth(j)) for j in range(n + 1)]
    return min(truths), max(truths), sum(truths)


def _closed_truths(form: Geometric | Fair | WeaklyHonest | Uniform) -> tuple[Fraction, Fraction]:
    """Pr[0|0] and Pr[1|1]; EM's to 128 bits, since the exact numbers of a large group fill the
    memory.
    """
    if isinstance(form, Uniform):
        return Fraction(1, form.n + 1), Fraction(1, form.n + 1)
    if isinstance(form, Geometric):
        return form.entry(0, 0), form.entry(1, 1)
    y = Fraction(Fair(form.n, form.alpha).diagonal_bounds(_BITS)[0], 1 << _BITS)
    if isinstance(form, Fair):
        return y, y
    end, inside = _closed_truths(form.geometric)
    level = Fraction(1, form.n + 1)
    return y + (y - level) / (y - inside) * (end - y), level
