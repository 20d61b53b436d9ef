"""The picture of an audit: the estimated matrix as a heatmap, the cells that speak against the
box outlined.
"""

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
    """Return one row per cell: its estimate, its interval, whether it speaks against the box,
    and its colours.
    """
    against = set(report.cells)
    matrix, low, high = (
        report.matrix.tolist(),
        report.region.low.tolist(),
        report.region.high.tolist(),
    )
    rows: Rows = [
        {
            "output": i,
            "count": j,
            "probability": None if math.isnan(matrix[i][j]) else matrix[i][j],
            "low": low[i][j],
            "high": high[i][j],
            "against": (i, j) in against,
            **(_said(matrix[i][j]) if (i, j) in against else {}),
        }
        for i in range(report.n + 1)
        for j in range(report.n + 1)
    ]
    return coloured(rows, _largest(rows), root=report.n > ROOT_ABOVE)


def _said(chance: float) -> dict[str, str]:
    """A chance in words, to the digits that its ratio to another has; briefly, without its sign."""
    digits = f"{100 * chance:#.3g}"
    return {
        "said": "" if math.isnan(chance) else f"{digits}%",
        "brief": "" if math.isnan(chance) else digits,
    }


def _largest(rows: Rows) -> float:
    return max((row["probability"] or 0.0 for row in rows), default=1.0) or 1.0


def picture(report: Audit, path: str | Path | None = None) -> Any:
    """Return an Altair chart of an audit, and write it to `path` when given (PNG, SVG, PDF or
    offline HTML).
    """
    rows = audit_cells(report)
    side = side_alone(report.n) if report.n <= 30 else whole_cells(700, report.n + 1)
    tip = {
        "count": "true count",
        "output": "published number",
        "probability": "estimate",
        "low": "from",
        "high": "to",
    }
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
    """The line below the title, which is the first fault and its evidence, and all that is left
    to say after it.
    """
    bound = f"epsilon at least {report.epsilon_bound:.4g}"
    first, more = next(iter(report.faults), bound), report.faults[1:]
    evidence, cells = "", "outlined: the evidence" if report.cells else ""
    if found := _ratio(report):
        times, allowed, output, (one, other) = found
        large, small = (_said(report.matrix[output, count])["said"] for count in (one, other))
        first = first.removesuffix(" as claimed")
        together = "\N{NO-BREAK SPACE}".join(
            (large, "is", times)
        )  # a phone folds the line before it
        evidence = f"{together} times {small}; allowed: {allowed}"
        cells = (
            f"outlined: {output} came {times} times as often at count {one} as at {other} "
            f"(allowed: {allowed})"
        )
    said = [report.name, *([cells] if cells else [])]
    said += [f"{len(more)} more {'faults' if len(more) > 1 else 'fault'}"] if more else []
    said.append(f"confidence {report.confidence:.6g}")
    return "; ".join(filter(None, (first, evidence))), "; ".join(said)


def _ratio(report: Audit) -> tuple[str, str, int, tuple[int, int]] | None:
    """How much likelier one of the two cells that refute a claim is than the other, and how much
    the claim allows.

    With them go the published number and both true counts; None where two cells of one number are
    not the evidence.
    """
    if len(report.cells) != 2 or report.claim is None:
        return None
    (output, one), (other_output, other) = sorted(
        report.cells, key=lambda cell: -report.matrix[cell]
    )
    if output != other_output or not report.matrix[output, other]:
        return None
    allowed = math.exp(float(report.claim.epsilon) * abs(one - other))
    times = report.matrix[output, one] / report.matrix[output, other]
    return f"{times:.1f}", f"{allowed:.1f}", output, (one, other)
