"""How a mechanism looks to a person: text for an 80-column terminal, HTML for a notebook."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from discreet.core.domains import Counts
from discreet.core.forms import Dense, Fair, Folded, Relabelled
from discreet.core.histogram import Histogram
from discreet.core.properties import PROPERTIES
from discreet.show import html
from discreet.show.cells import cells
from discreet.show.colours import MARK
from discreet.show.text import table

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism

_SHOWN_IN_FULL = 10
_SCORED = 200
_BITS = 128


def mechanism_text(m: Mechanism) -> str:
    """Describe a mechanism in at most 80 columns: its privacy, shape, scores, origin and, when small, its matrix."""
    lines = [_title(m), *(f"  {name:<11}{value}" for name, value in _facts(m))]
    if _written_out(m):
        lines += ["", *_matrix_lines(m)]
    return "\n".join(lines)


def mechanism_html(m: Mechanism) -> str:
    """Describe a mechanism for a notebook; when small, its matrix is a heatmap with its numbers."""
    parts = [html.title(_title(m)), html.facts(_facts(m))]
    if _written_out(m):
        parts.append(_matrix_html(m))
    return html.together(*parts)


def _title(m: Mechanism) -> str:
    title = f"Mechanism for groups of n = {m.n}"
    return title if m.domain == Counts(m.n) else f"{title}: {m.domain}"


def _written_out(m: Mechanism) -> bool:
    return m.n <= _SHOWN_IN_FULL and isinstance(m.domain, Counts)


def _matrix_html(m: Mechanism) -> html.Html:
    rows: list[list[html.Html]] = [[html.element("th", str(i), scope="row")] for i in range(m.n + 1)]
    for cell in cells(m, None):
        frame = f";outline:2px solid {MARK};outline-offset:-2px" if cell["diagonal"] else ""
        style = f"text-align:right;background:{cell['fill']};color:{cell['ink']}{frame}"
        rows[cell["output"]].append(html.element("td", f"{cell['probability']:.3f}", style=style))
    return html.table(["", *range(m.n + 1)], rows, caption="Pr[output | true count]")


def _facts(m: Mechanism) -> list[tuple[str, str]]:
    certificate = m.origin.certificate
    if certificate is None:
        proof = "private, exactly; no claim of optimality"
        if m.origin.theorem:
            proof = f"optimal by {m.origin.theorem}"
        elif m.origin.problem is not None and isinstance(m.form, Fair):  # EM for a large group, see `nearly_optimal`
            proof = f"private, exactly; within {ceil(10**4 / m.n) / 100:.2f}% of optimal by theorem"
    elif certificate.optimal:
        proof = "private and optimal, both exactly; certificate attached"
    else:
        gap = certificate.gap
        # rounded up, because it is a promise
        proof = "private, exactly" + (f"; within {ceil(gap * 10**4) / 100:.2f}% of optimal" if gap is not None else "")
    missing = [name for name in PROPERTIES if name not in m.shape]
    truths = _truths(m)
    if m.n <= _SCORED or isinstance(m.form, Folded):
        scores = ", ".join(f"{loss} {float(m.score(loss)):.4f}" for loss in ("L0", "L0,1", "L1", "L2"))
    else:
        scores = f"L0 {(m.n + 1 - sum(truths)) / m.n:.4f}"
    answers = [("answers", ", ".join(m.domain.names))] if isinstance(m.domain, Histogram) else []
    return [
        ("privacy", str(m.privacy)),
        *answers,
        ("has", str(m.shape) or "none of the seven properties"),
        ("has not", " ".join(missing) or "-"),
        ("scores", scores),
        (
            "truth",
            f"reported with chance {min(truths):.3g} to {max(truths):.3g}" if m.n else "always reported",
        ),
        ("found by", m.origin.method),
        ("proof", proof),
        ("id", m.id[:16]),
    ]


def _truths(m: Mechanism) -> list[float]:
    """Pr[j|j] for every j. Inside a closed form they are all alike; in a large one exact numbers fill the memory."""
    n, form = m.n, m.form
    if isinstance(form, Folded):
        return [form.values[u] / form.denominator for u in form.orbits.diagonal]
    if n <= _SCORED or isinstance(form, (Dense, Relabelled)):
        return [float(m.truth(j)) for j in range(n + 1)]
    end = form.cumulative_bounds(0, _BITS)[0][0] / 2**_BITS
    below, to = form.cumulative_bounds(n // 2, _BITS)[0][n // 2 - 1 : n // 2 + 1]
    return [end, *[(to - below) / 2**_BITS] * (n - 1), end]


def _matrix_lines(m: Mechanism) -> list[str]:
    label = "  output \\ true count" if m.n <= 8 else "  out\\true"
    rows = [[i, *(_cell(float(m[i, j]), i == j) for j in range(m.n + 1))] for i in range(m.n + 1)]
    return table([[label, *range(m.n + 1)], *rows], ">0" + " >6" * (m.n + 1), gap=0, indent=0)


def _cell(value: float, diagonal: bool) -> str:
    text = f"{value:.3f}".lstrip("0") if value < 1 else "1.00"
    return f"{'*' if diagonal else ''}{text if value else '0'}"
