"""The picture of an audit: the estimated matrix as a heatmap, the cells that speak against the box outlined."""

from __future__ import annotations

import math
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.show.pictures.theme import MARK, RAMP, Rows, altair, finished, inline, tips, whole_cells, write

if TYPE_CHECKING:
    from discreet.auditing.findings import Audit

_VALUES_UP_TO = 16
_WIDTH = 460


def cells(report: Audit) -> Rows:
    """One row for each entry: its estimate, its interval, and whether it speaks against the box."""
    against = set(report.cells)
    matrix, low, high = report.matrix.tolist(), report.region.low.tolist(), report.region.high.tolist()
    return [
        {
            "output": i,
            "count": j,
            "probability": None if math.isnan(matrix[i][j]) else matrix[i][j],
            "low": low[i][j],
            "high": high[i][j],
            "against": (i, j) in against,
        }
        for i in range(report.n + 1)
        for j in range(report.n + 1)
    ]


def picture(report: Audit, path: str | Path | None = None) -> Any:
    """Return an Altair chart of an audit, and write it to `path` when given (PNG, SVG, PDF or offline HTML)."""
    alt = altair()
    rows = cells(report)
    top = max((row["probability"] or 0.0 for row in rows), default=1.0) or 1.0
    axis = alt.Axis(labelAngle=0, ticks=False, domain=False, grid=False, labelOverlap=True)
    base = alt.Chart(inline(rows)).encode(
        x=alt.X("count:O", title="true count", axis=axis),
        y=alt.Y("output:O", title="output", axis=axis),
        tooltip=tips(count="true count", output="output", probability="estimate", low="from", high="to"),
    )
    shades = alt.Scale(type="pow", exponent=0.6, domain=[0, top], range=list(RAMP), interpolate="lab")
    layers = [base.mark_rect().encode(color=alt.Color("probability:Q", title="estimate", scale=shades))]
    if report.n <= _VALUES_UP_TO:
        ink = alt.condition(f"datum.probability > {0.45 * top}", alt.value("white"), alt.value("#1a1a1a"))
        size = max(8.0, min(12.0, 0.28 * _WIDTH / (report.n + 1)))
        layers.append(base.mark_text(fontSize=size).encode(text=alt.Text("probability:Q", format=".3f"), color=ink))
    if report.cells:
        layers.append(
            base.transform_filter("datum.against").mark_rect(fillOpacity=0, stroke=MARK, strokeWidth=2, clip=False)
        )
    side = whole_cells(_WIDTH if report.n <= 30 else 700, report.n + 1)
    chart = alt.layer(*layers).properties(width=side, height=side)
    chart = finished(chart, f"{report.name}: {report.verdict}", _subtitle(report))
    if path is not None:
        write(chart, path)
    return chart


def _subtitle(report: Audit) -> list[str]:
    facts = [
        f"epsilon at least {report.epsilon_bound:.4g} (confidence {report.confidence:.6g}, {report.draws} draws)",
        *report.faults,
        "outlined: what speaks against the box" if report.cells else "",
    ]
    return [line for fact in facts for line in textwrap.wrap(fact, 76, break_long_words=False, break_on_hyphens=False)]
