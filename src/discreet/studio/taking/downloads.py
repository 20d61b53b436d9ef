"""What can be taken away: the proof file, the figure, the matrix and the scores, each made by
the library.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from discreet.choosing.exporting import exact_text, to_csv
from discreet.core.named import PAPER
from discreet.proof.files import to_bytes
from discreet.studio.controls import asked_words
from discreet.studio.designs import design_of, known_name, rival_of
from discreet.studio.settings import Reading
from discreet.studio.telling.lead import USUAL, capital

Maker = Callable[[Reading], bytes]


def proof_file(reading: Reading) -> bytes:
    """Return the proof file: `dc.verify` and `python -m discreet.proof` check it."""
    return to_bytes(design_of(reading))


def matrix_csv(reading: Reading) -> bytes:
    """Return the matrix, a row per cell: true count, output, the exact chance and its decimals."""
    m = design_of(reading)
    rows = [
        {"true_count": j, "output": i, "probability": float(chance), "exact": exact_text(chance)}
        for j in range(m.n + 1)
        for i, chance in enumerate(m.column(j))
    ]
    return to_csv(rows).encode()


def scores_csv(reading: Reading) -> bytes:
    """Return the comparison with GM, WM, EM and UM."""
    from discreet.choosing.comparison import Comparison, compare

    m, s = design_of(reading), reading.setting
    contenders = {"design": m, **{name: name for name in PAPER}}
    asked: dict[str, Any] = {s.unit: s.privacy}
    table: Comparison = compare(
        contenders, n=m.n, loss=s.loss, prior=reading.prior, worst_case=s.worst_case, **asked
    )
    return table.to_csv().encode()


def _names(reading: Reading) -> tuple[str, str]:
    """What the two mechanisms of a figure are called, as on the page; a design that has no name,
    by what it must do.
    """
    m, s = design_of(reading), reading.setting
    known, rival = known_name(m), known_name(rival_of(reading)) if s.beside == "none" else s.beside
    ours = f"{USUAL[known]} ({known})" if known else asked_words(s)
    theirs = USUAL.get(rival, "without properties")
    return capital(f"{theirs} ({rival})" if rival in PAPER else theirs), capital(
        ours or "best for this loss"
    )


def _figure(ending: str) -> Maker:
    def draw(reading: Reading) -> bytes:
        from discreet.show.charts import plot

        rival, m = rival_of(reading), design_of(reading)
        sides = dict(zip(_names(reading), (rival, m), strict=True))
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / f"figure.{ending}"
            plot(sides if rival != m else m, "heatmap", path)
            return path.read_bytes()

    return draw


FILES: dict[str, tuple[str, Maker]] = {
    "mechanism.json": ("application/json", proof_file),
    "matrix.csv": ("text/csv; charset=utf-8", matrix_csv),
    "scores.csv": ("text/csv; charset=utf-8", scores_csv),
    "figure.svg": ("image/svg+xml", _figure("svg")),
    "figure.png": ("image/png", _figure("png")),
    "figure.pdf": ("application/pdf", _figure("pdf")),
}
"""Every file by name, with its type and its maker."""
