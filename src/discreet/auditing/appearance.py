"""Which of the seven properties a box appears to have, read off the confidence region of its matrix."""

from __future__ import annotations

from dataclasses import dataclass

from discreet.auditing.region import Region
from discreet.core.domains import Cell, Counts
from discreet.core.properties import BY_PROPERTY, PROPERTIES, comparisons

HOLDS, FAILS, OPEN = "holds", "fails", "not refuted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Appearance:
    """One property: it `holds` or `fails` with the region's confidence, or the draws do not tell (`not refuted`).

    An equality (F, S) can fail but never be shown to hold.
    """

    property: str
    status: str
    cell: Cell | None = None

    def __str__(self) -> str:
        where = "" if self.cell is None else f" at Pr[{self.cell[0]}|{self.cell[1]}]"
        return f"{self.property} {self.status}{where}"


def appearances(region: Region) -> tuple[Appearance, ...]:
    """Judge every property; the cell named is the one whose failure is clearest."""
    return tuple(_judge(name, region) for name in PROPERTIES)


def _judge(name: str, region: Region) -> Appearance:
    low, high, n = region.low.tolist(), region.high.tolist(), region.n
    worst, cell, sure = 0.0, None, True
    row = BY_PROPERTY[name]
    if row.tail is None:
        for label in row.labels(Counts(n)):
            (i, j), _ = row.cells(Counts(n), label)
            missing = 1 / (n + 1) - high[i][j]
            sure = sure and low[i][j] >= 1 / (n + 1)
            if missing > worst:
                worst, cell = missing, (i, j)
    else:
        for (i, j), (k, m) in comparisons(name, Counts(n)):
            missing = low[k][m] - high[i][j]
            sure = sure and low[i][j] >= high[k][m]
            if missing > worst:
                worst, cell = missing, (i, j)
    status = FAILS if cell is not None else HOLDS if sure else OPEN
    return Appearance(property=name, status=status, cell=cell)
