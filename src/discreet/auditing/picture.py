"""The picture of an audit: the estimated matrix as a heatmap, the cells that speak against the box outlined."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.errors import InvalidInput, MissingExtra

if TYPE_CHECKING:
    from discreet.auditing.report import Audit

FORMATS = (".html", ".json", ".png", ".svg", ".pdf")


def picture(report: Audit, path: str | Path | None = None) -> Any:
    """Return an Altair chart of an audit, and write it to `path` when given (HTML that needs no network, PNG, SVG)."""
    try:
        import altair as alt
    except ImportError:
        raise MissingExtra("plots", "drawing an audit") from None
    n, bad = report.n, set(report.cells)
    matrix, low, high = report.matrix, report.region.low, report.region.high
    rows = [
        {
            "true count": j,
            "output": i,
            "chance": None if matrix[i, j] != matrix[i, j] else float(matrix[i, j]),
            "at least": float(low[i, j]),
            "at most": float(high[i, j]),
            "against": (i, j) in bad,
        }
        for i in range(n + 1)
        for j in range(n + 1)
    ]
    base = alt.Chart(alt.Data(values=rows)).encode(
        x=alt.X("true count:O", axis=alt.Axis(labelAngle=0, orient="top")),
        y=alt.Y("output:O"),
        tooltip=["true count:O", "output:O", "chance:Q", "at least:Q", "at most:Q"],
    )
    cells = base.mark_rect().encode(color=alt.Color("chance:Q", scale=alt.Scale(scheme="blues"), title="Pr[i|j]"))
    marks = base.transform_filter("datum.against").mark_rect(fillOpacity=0, stroke="#d55e00", strokeWidth=2.5)
    layers = [cells, marks]
    if n <= 16:
        dark = 0.6 * float(matrix[matrix == matrix].max(initial=0))
        ink = alt.condition(f"datum.chance > {dark}", alt.value("white"), alt.value("black"))
        layers.insert(1, base.mark_text(fontSize=10).encode(text=alt.Text("chance:Q", format=".3f"), color=ink))
    chart = alt.layer(*layers).properties(
        width=max(240, 34 * (n + 1)) if n <= 30 else 900,
        height=max(200, 26 * (n + 1)) if n <= 30 else 900,
        title=alt.Title(
            f"{report.name}: {report.verdict}",
            subtitle=[
                f"epsilon at least {report.epsilon_bound:.4g} (confidence {report.confidence:.6g}, "
                f"{report.draws} draws)",
                *report.faults,
            ],
        ),
    )
    if path is not None:
        _write(chart, Path(path))
    return chart


def _write(chart: Any, path: Path) -> None:
    if path.suffix.lower() not in FORMATS:
        raise InvalidInput("path", f"must end in one of {', '.join(FORMATS)}", path.name)
    if path.suffix.lower() == ".html":
        chart.save(str(path), inline=True)  # the page carries its own scripts and asks nothing outside
    else:
        chart.save(str(path), **({"scale_factor": 2} if path.suffix.lower() == ".png" else {}))
