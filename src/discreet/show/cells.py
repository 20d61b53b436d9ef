"""The cells of a matrix as rows of plain values: what every heatmap is drawn from, and every shaded
table.

A cell that breaks a chosen property is marked; by default that is column honesty, a wrong answer
more likely than the truth, which is what a reader of a released number would stumble over.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from discreet.core.domains import Counts
from discreet.core.forms import DENSE_LIMIT
from discreet.core.properties import BY_PROPERTY, PROPERTIES, comparisons, read_shape
from discreet.errors import InvalidInput
from discreet.show.colours import ROOT_ABOVE, cell_colours

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism

Rows = list[dict[str, Any]]


def cells(m: Mechanism, mark: str | None = "CH", *, top: float | None = None) -> Rows:
    """Return one row per cell: published number ("output"), true count, probability, truth, faults
    of `mark`, colours.

    `top` is the probability drawn darkest: the largest of the matrix unless several share a scale.

    >>> from discreet.core.named import geometric
    >>> broken = [
    ...     (r["output"], r["count"]) for r in cells(geometric(n=2, alpha="9/10")) if r["broken"]
    ... ]
    >>> broken
    [(0, 1), (2, 1)]
    """
    if m.n > DENSE_LIMIT:
        raise InvalidInput(
            "n",
            f"must be at most {DENSE_LIMIT} for a heatmap",
            m.n,
            remedy="draw `kind='accuracy'` instead",
        )
    broken = violations(m, mark) if mark and not m.satisfies(mark) else set()
    rows: Rows = [
        {
            "output": i,
            "count": j,
            "probability": chance,
            "diagonal": i == j,
            "broken": (i, j) in broken,
        }
        for i, row in enumerate(m.array.tolist())
        for j, chance in enumerate(row)
    ]
    return coloured(rows, largest(m) if top is None else top, root=m.n > ROOT_ABOVE)


def whole_percent(chance: float) -> str:
    """A chance in whole percent: one that is possible is not 0, and one that is not certain not
    100.

    >>> [whole_percent(chance) for chance in (0.0, 0.004, 0.305, 0.998, 1.0)]
    ['0', '<1', '30', '>99', '100']
    """
    text = f"{100 * chance:.0f}"
    if chance > 0 and text == "0":
        return "<1"
    return ">99" if chance < 1 and text == "100" else text


def chance_in_percent(chance: float) -> str:
    """A chance in a sentence, with one decimal, likewise.

    >>> [chance_in_percent(chance) for chance in (0, 0.0001, 0.305, 0.9999, 1)]
    ['0.0%', 'under 0.1%', '30.5%', 'over 99.9%', '100.0%']
    """
    text = f"{chance:.1%}"
    if chance > 0 and text == "0.0%":
        return "under 0.1%"
    return "over 99.9%" if chance < 1 and text == "100.0%" else text


def coloured(rows: Rows, top: float, *, root: bool) -> Rows:
    """Give every cell its fill and its ink; one without a probability stays white."""
    for row in rows:
        row["fill"], row["ink"] = cell_colours(row["probability"] or 0.0, top, root=root)
    return rows


def largest(*mechanisms: Mechanism) -> float:
    """Return the largest chance in any of the matrices: pictures side by side share one scale."""
    return max(float(m.array.max()) for m in mechanisms)


def violations(m: Mechanism, name: str) -> set[tuple[int, int]]:
    """Return every cell at fault for a property: the one that is too likely, or (WH, F, S) too
    unlikely.

    Fairness asks one chance of every truth: each that is told less often than the likeliest one is
    at fault.
    """
    shape = read_shape(name)
    names = list(shape)
    if len(names) != 1:
        raise InvalidInput(
            "mark", "must be one property", name, remedy=f"one of {', '.join(PROPERTIES)}"
        )
    label = names[0].partition(":")[0]
    rows, whole = m.form.dense().rows, m.form.dense().denominator
    if label == "F":
        most = max(rows[k][k] for k in range(m.n + 1))
        return {(k, k) for k in range(m.n + 1) if rows[k][k] < most}
    row = BY_PROPERTY[label]
    if row.tail is None:
        heads = (row.cells(Counts(m.n), each)[0] for each in row.labels(Counts(m.n)))
        return {(i, j) for i, j in heads if (m.n + 1) * rows[i][j] < whole}
    found = set()
    p, q = {"1": Fraction(1), "alpha": m.alpha, "beta": shape.output_dp or Fraction(1)}[
        row.ratio
    ].as_integer_ratio()
    for cell, other in comparisons(label, Counts(m.n)):
        if q * rows[cell[0]][cell[1]] < p * rows[other[0]][other[1]]:
            found.add(cell if row.free else other)
    return found
