"""What a manifest says of a question with several answers, and whether its parts say the same.

Sizes whose histogram is drawn whole stand with their joint mechanisms; sizes whose answers are drawn one by one stand
in `cells`, with what each of these draws costs: a person who changes an answer touches two of them, so that twice
`cell_epsilon` is the question's epsilon, and the square of `cell_alpha` is at least its alpha.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from discreet.core.domains import Counts
from discreet.core.family import BySize, Family
from discreet.core.forms import Folded, Geometric
from discreet.core.histogram import Histogram
from discreet.core.mechanism import Mechanism
from discreet.core.rationals import SLACK, Alpha, exp_minus
from discreet.errors import Contradiction
from discreet.tables.published.manifest import HISTOGRAM, CountFacts, Level, write_fraction
from discreet.tables.published.table_files import whole_column

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

_EDITED = "it was edited"


def of_histogram(facts: CountFacts, answers: Sequence[str], by_size: BySize, each: Alpha, cap: int = 0) -> CountFacts:
    """The facts of a question with several answers, made of those it would have as a count."""
    domain = {"kind": HISTOGRAM, "answers": list(answers), **({"cap": cap} if cap else {})}
    whole = replace(facts, domain=domain)
    from discreet.tables.asking.histogram_design import cell_privacy, is_joint  # whoever only reads needs no designer

    joint = {words: e.id for words, e in by_size.named.items() if isinstance(e, Mechanism) and is_joint(e)}
    cells = {words: name for words, name in facts.mechanisms.items() if words not in joint}
    if not cells:
        return replace(whole, mechanisms=joint)
    privacy = cell_privacy(each)
    return replace(
        whole, mechanisms=joint, cells=cells,
        cell_epsilon=write_fraction(privacy.epsilon), cell_alpha=write_fraction(privacy.value),
    )  # fmt: skip


def check_cells(level: Level, count: CountFacts) -> None:
    """Check what one person pays where answers are drawn one by one, and that nothing was promised of these."""
    if bool(count.cells) != bool(count.cell_epsilon) or bool(count.cells) != bool(count.cell_alpha):
        _differ("cell_epsilon", f"of {count.name} must be given where there are cells, and only there")
    if not count.cells:
        return
    if len(count.answers) == 2:
        _differ("cells", f"must not be those of {count.name}: two answers are one count")
    if level.properties:
        _differ("properties", f"are not those of the cells of {count.name}", found=level.properties)
    epsilon, alpha = Fraction(count.cell_epsilon), Fraction(count.cell_alpha)
    if 2 * epsilon != Fraction(count.epsilon):
        _differ("cell_epsilon", f"of {count.name} must be half of epsilon: a change touches two", count.cell_epsilon)
    if alpha * alpha < Fraction(count.alpha) or alpha > exp_minus(epsilon * (1 - 4 * SLACK))[0]:
        rule = f"of {count.name} must be exp(-cell_epsilon), and its square at least alpha"
        _differ("cell_alpha", rule, count.cell_alpha)


def check_entry(count: CountFacts, entry: Family | Mechanism, where: str, *, cell: bool) -> bool:
    """Check that a proof is about what was drawn with it: the whole histogram, or one count of it by GM.

    True where nothing more is said of it: a cell is GM whatever was asked, and an empty group has one histogram.
    """
    k, one = len(count.answers), isinstance(entry, Family) or entry.domain == Counts(entry.n)
    if cell:
        some = entry.form(entry.sizes[0][0]) if isinstance(entry, Family) else entry.form
        if not one or not isinstance(some, Geometric):
            _differ("cells", f"{where} must be drawn by GM")
        return True
    if k == 2 or (isinstance(entry, Mechanism) and entry.n == 0):
        if not one:
            _differ("mechanism", f"{where} is not one of counts")
        return k > 2
    if isinstance(entry, Family) or entry.domain != Histogram(entry.n, k):
        _differ("mechanism", f"{where} is not one of histograms over {k} answers")
    return False


class HistogramReader:
    """The columns of one question with several answers."""

    def __init__(self, count: CountFacts, by_size: BySize) -> None:
        self.count = count
        self._joint = [m for m in by_size.single.values() if isinstance(m.form, Folded)]

    def check(self, batch: Any, sizes: NDArray[np.int64], before: int) -> None:
        """Every count in 0..n; where the histogram was drawn whole, they add up and are what its mechanism can give."""
        outputs = np.stack([whole_column(batch, name) for name in self.count.outputs], axis=1)
        outside = ((outputs < 0) | (outputs > sizes[:, None])).any(axis=1)
        self._refuse(np.asarray(outside), sizes, before, "be in 0..n")
        total = outputs.sum(axis=1)
        if len(self.count.answers) == 2:
            self._refuse(total != sizes, sizes, before, "add up to n")
        for mechanism in self._joint:
            rows = np.flatnonzero(sizes == mechanism.n)
            wrong = np.zeros(len(sizes), dtype=np.bool_)
            wrong[rows] = total[rows] != mechanism.n
            self._refuse(wrong, sizes, before, "add up to n")
            if never := _never_given(mechanism):
                wrong[rows] = [tuple(point) in never for point in outputs[rows].tolist()]
                self._refuse(wrong, sizes, before, "be a histogram that its mechanism can give")

    def _refuse(self, wrong: NDArray[np.bool_], sizes: NDArray[np.int64], before: int, rule: str) -> None:
        if len(rows := np.flatnonzero(wrong)):
            row = int(rows[0])
            where = f"for a group of {sizes[row]} (row {before + row + 1})"
            _differ("outputs", f"of {self.count.name} must {rule} {where}", remedy="the table was edited")


def _never_given(mechanism: Mechanism) -> set[tuple[int, ...]]:
    """Histograms that no true one gives: a private matrix has whole rows of zeros or none."""
    form = mechanism.form
    if not isinstance(form, Folded):
        return set()
    column, _ = form.column(0)
    return {point for point, chance in zip(form.domain.points, column, strict=True) if not chance}


def _differ(parameter: str, rule: str, value: object = ..., *, found: object = ..., remedy: str = _EDITED) -> NoReturn:
    raise Contradiction(parameter, rule, value, found=found, remedy=remedy)
