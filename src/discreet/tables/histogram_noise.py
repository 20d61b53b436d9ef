"""Noise for the histograms of a batch of groups: one draw of the whole histogram, or one of each
cell, by size.

Each draw has a name of its own (question, answer, domain), from which a cluster makes its words
(`keyed_noise`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from discreet.core.family import BySize
from discreet.core.forms import Folded
from discreet.sampler.point_tables import PointTable, draw_points
from discreet.tables.asking.histogram_design import is_joint
from discreet.tables.noise import CountNoise, check_answers

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from discreet.core.mechanism import Mechanism
    from discreet.sampler.words import WordSource
    from discreet.tables.noise import Words


class JointNoise:
    """The draws of whole histograms: the joint mechanism of each size that has one."""

    answer = ""

    def __init__(self, name: str, mechanisms: Sequence[Mechanism], answers: int) -> None:
        self.name, self.mechanisms, self.domain = (
            name,
            mechanisms,
            f"histograms over {answers} answers",
        )
        self.sizes = np.array([mechanism.n for mechanism in mechanisms], dtype=np.int64)

    @cached_property
    def _tables(self) -> list[PointTable]:
        return [
            PointTable(form) for each in self.mechanisms if isinstance(form := each.form, Folded)
        ]

    def draw(
        self, sizes: NDArray[np.int64], truths: NDArray[np.int64], source: WordSource
    ) -> NDArray[np.int64]:
        """A private histogram for each true one, a row each."""
        return draw_points(self._tables, np.searchsorted(self.sizes, sizes), truths, source)


class HistogramNoise:
    """The noise of one question with several answers: what each size is drawn by."""

    def __init__(self, name: str, answers: Sequence[str], by_size: BySize) -> None:
        self.name, self.answers = name, tuple(answers)
        check_answers(by_size)  # now, before anything is paid
        joint = [m for n, m in sorted(by_size.single.items()) if n and is_joint(m)]
        self._joint = JointNoise(name, joint, len(answers)) if joint else None
        rest = tuple(
            n
            for n in by_size.sizes
            if n and not (n in by_size.single and is_joint(by_size.single[n]))
        )
        single = {n: by_size.single[n] for n in rest if n in by_size.single}
        by_cell = BySize(rest, by_size.families, single, by_size.make)
        self._cells: tuple[CountNoise, ...] = (
            tuple(_cell(name, answer, by_cell) for answer in answers) if rest else ()
        )
        self._by_cell = np.array(by_cell.sizes, dtype=np.int64)

    @property
    def parts(self) -> tuple[JointNoise | CountNoise, ...]:
        """Everything that is drawn by itself."""
        return (*([] if self._joint is None else [self._joint]), *self._cells)

    def make_ready(self) -> None:
        """Make the tables of the cells to draw from."""
        for cell in self._cells:
            cell.make_ready()

    @property
    def kinds(self) -> list[pa.DataType]:
        """The types of the columns of this question."""
        return [pa.int64()] * len(self.answers)

    def draw(
        self, sizes: NDArray[np.int64], counts: Sequence[NDArray[np.int64]], words: Words
    ) -> list[NDArray[np.int64]]:
        """A private count of each answer, for all groups of the batch: a histogram, or cells by
        themselves.
        """
        drawn = np.zeros(
            (len(sizes), len(self.answers)), dtype=np.int64
        )  # an empty group has one histogram
        cell = np.isin(sizes, self._by_cell)
        known = (
            self._by_cell
            if self._joint is None
            else np.concatenate([self._by_cell, self._joint.sizes])
        )
        if not np.isin(sizes[sizes != 0], known).all():
            raise ValueError("a group has a size that its table was said not to have")
        rows = np.flatnonzero(cell)
        for place, one in enumerate(self._cells if len(rows) else ()):
            own = sizes[rows]
            (drawn[rows, place],) = one.draw(own, counts[place][rows], words(one, own, rows))
        rows = np.flatnonzero(~cell & (sizes != 0))
        if self._joint is not None and len(rows):
            truths = np.stack([column[rows] for column in counts], axis=1)
            drawn[rows] = self._joint.draw(
                sizes[rows], truths, words(self._joint, sizes[rows], rows)
            )
        return list(np.ascontiguousarray(drawn.T))


def _cell(name: str, answer: str, by_size: BySize) -> Any:
    return CountNoise(name, by_size, None, answer=answer, domain="one answer of a histogram")
