"""The picture of an audit: the estimated matrix as a heatmap, the cells that speak against the box outlined."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.show.cells import Rows, coloured
from discreet.show.colours import ROOT_ABOVE
from discreet.show.pictures.heatmap import Shades, drawn, matrix_panel, side_alone
from discreet.show.pictures.theme import finished, whole_cells, write

if TYPE_CHECKING:
    from discreet.auditing.findings import Audit


def audit_cells(report: Audit) -> Rows:
    """Return one row per cell: its estimate, its interval, whether it speaks against the box, and its colours."""
    against = set(report.cells)
    matrix, low, high = report.matrix.tolist(), report.region.low.tolist(), report.region.high.tolist()
    rows: Rows = [
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
    return coloured(rows, _largest(rows), root=report.n > ROOT_ABOVE)


def _largest(rows: Rows) -> float:
    return max((row["probability"] or 0.0 for row in rows), default=1.0) or 1.0


def picture(report: Audit, path: str | Path | None = None) -> Any:
    """Return an Altair chart of an audit, and write it to `path` when given (PNG, SVG, PDF or offline HTML)."""
    rows = audit_cells(report)
    side = side_alone(report.n) if report.n <= 30 else whole_cells(700, report.n + 1)
    tip = {"count": "true count", "output": "published number", "probability": "estimate", "low": "from", "high": "to"}
    shades = Shades(_largest(rows), report.n > ROOT_ABOVE, None, "against" if report.cells else "")
    chart = matrix_panel(
        "cells",
        rows,
        report.n,
        side,
        shades,
        values="estimated chance",
        outlined="against",
        tip=tip,
    )
    line, note = _below(report)
    chart = finished(chart, _title(report), line, {"cells": drawn(rows)}, note=note)
    if path is not None:
        write(chart, path)
    return chart


def _title(report: Audit) -> str:
    """What was found, in words; the numbers are in the line below."""
    if report.claim is not None and report.epsilon_bound > float(report.claim.epsilon):
        return "The black box leaks more than it claims"
    if report.independence.refuted:
        return "The black box's answers depend on each other"
    if report.refuted:
        return "The black box is not the claimed mechanism"
    return "Nothing was found against the black box"


def _below(report: Audit) -> tuple[str, str]:
    """The line below the title, which is the first fault and its size, and all that is left to say after it."""
    bound = f"epsilon at least {report.epsilon_bound:.4g}"
    first, more = next(iter(report.faults), bound).removesuffix(" as claimed"), report.faults[1:]
    often, cells = _ratio(report)
    said = [report.name, *([cells] if cells else ["outlined: the evidence"] if report.cells else [])]
    said += [f"{len(more)} more {'faults' if len(more) > 1 else 'fault'}"] if more else []
    said.append(f"confidence {report.confidence:.6g}")
    return "; ".join(filter(None, (first, often))), "; ".join(said)


def _ratio(report: Audit) -> tuple[str, str]:
    """How much likelier one of the two cells that refute a claim is than the claim allows, and which they are."""
    if len(report.cells) != 2 or report.claim is None:
        return "", ""
    (output, one), (other_output, other) = sorted(report.cells, key=lambda cell: -report.matrix[cell])
    if output != other_output or not report.matrix[output, other]:
        return "", ""
    times = f"{report.matrix[output, one] / report.matrix[output, other]:.1f} times as often"
    allowed = math.exp(float(report.claim.epsilon) * abs(one - other))
    cells = f"outlined: {output} came {times} at count {one} as at {other} (allowed: {allowed:.1f})"
    return f"outlined: {times} (allowed: {allowed:.1f})", cells
