"""Exact draws of histograms, many at once: integer thresholds of each column, found by binary
search.

A mechanism over histograms is the same for all exchanges of answers of one class: Pr[Po|Pt] =
Pr[o|t] for every such permutation P. So the counts of a true histogram t are put in order within
each class, t = P s; an output of s is drawn; and P is applied to it. Only the columns of ordered
histograms are written out, 18 instead of 495 for 8 people and 5 answers. Column s has thresholds

    L_i = floor(2^64 Pr[number of the output <= i | s])          (`Folded.cumulative_bounds`)

A word w of 64 bits is the start of the binary digits of a uniform point u, and the draw is the
least i with u < Pr[output <= i | s]. L_i > w settles that, and L_i < w settles the contrary; L_i =
w is a tie, of chance below (number of points) / 2^64, which further words settle exactly
(`columns.Column`).

Every draw of a mechanism takes the same steps, whatever its histogram: one sort of k numbers, and
the search.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import comb
from typing import TYPE_CHECKING

import numpy as np

from discreet.errors import InvalidData
from discreet.sampler.columns import WORD_BITS, Column

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from discreet.core.forms import Folded
    from discreet.sampler.words import WordSource


class PointTable:
    """The thresholds of one mechanism over histograms."""

    __slots__ = (
        "_class",
        "_form",
        "_less",
        "_marks",
        "_points",
        "_slots",
        "_truth_of",
        "_width",
        "nbytes",
    )

    def __init__(self, form: Folded) -> None:
        domain, orbits = form.domain, form.orbits
        self._form = form
        self._points = np.array(domain.points, dtype=np.int64)
        self._class = np.array(form.classes, dtype=np.int64) * (domain.n + 1)
        self._slots = np.argsort(self._class, kind="stable")
        self._truth_of = np.array(orbits.truth_number, dtype=np.int64)
        self._less = _less(domain.n, domain.k)
        self._width = 1 << (domain.size - 1).bit_length()  # a power of two, for the search
        top = (1 << WORD_BITS) - 1
        self._marks = np.full((len(orbits.truths), self._width), top, dtype=np.uint64)
        for s, truth in enumerate(orbits.truths):
            bounds, _ = form.cumulative_bounds(domain.number(truth), WORD_BITS)
            # 2^64 does not fit a word: one less ties with the largest word, and a tie is settled by
            # exact bounds
            self._marks[s, : domain.size - 1] = [min(bound, top) for bound in bounds[:-1]]
        self.nbytes = self._marks.nbytes + self._points.nbytes

    def check(self, truths: NDArray[np.int64], rows: NDArray[np.intp]) -> None:
        """Refuse what is no histogram of the domain; `rows` are the places of these in the
        whole.
        """
        domain = self._form.domain
        wrong = (truths < 0).any(axis=1) | (truths > domain.n).any(axis=1)
        wrong |= truths.clip(0, domain.n).sum(axis=1) != domain.n
        if wrong.any():
            rule = f"must have counts of at least 0 that add up to n = {domain.n}"
            raise InvalidData("counts", rule, row=1 + int(rows[int(wrong.argmax())]))

    def draw(
        self, truths: NDArray[np.int64], words: NDArray[np.uint64], more: Callable[[int, int], int]
    ) -> NDArray[np.int64]:
        """An output for each true histogram, a row each, and its word; `more(k, attempt)`: a
        further word of draw k.
        """
        order = np.argsort(truths + self._class, axis=1, kind="stable")
        start = self._truth_of.take(self._number(truths)) * self._width
        marks, found = self._marks.reshape(-1), np.zeros(len(words), dtype=np.int64)
        step = self._width >> 1
        while step:  # `found` thresholds are at most the word
            found += step * (marks.take(start + found + (step - 1)) <= words)
            step >>= 1
        np.minimum(found, len(self._points) - 1, out=found)
        before = marks.take(start + np.maximum(found - 1, 0))
        for k in np.flatnonzero((found > 0) & (before == words)).tolist():
            found[k] = self._settled(int(start[k]) // self._width, int(words[k]), partial(more, k))
        drawn = np.empty_like(truths)
        np.put_along_axis(drawn, order, self._points[found][:, self._slots], axis=1)
        return drawn

    def _settled(self, s: int, word: int, more: Callable[[int], int]) -> int:
        domain = self._form.domain
        return Column(self._form, domain.number(self._form.orbits.truths[s])).settle(word, more)

    def _number(self, points: NDArray[np.int64]) -> NDArray[np.int64]:
        """The number of each point in ascending order: for each answer, those with fewer of it
        come before.
        """
        left = np.full(len(points), self._form.domain.n, dtype=np.int64)
        number = np.zeros(len(points), dtype=np.int64)
        for c in range(points.shape[1] - 1):
            number += self._less[c][left, points[:, c]]
            left -= points[:, c]
        return number


def _less(n: int, k: int) -> NDArray[np.int64]:
    """[c, r, x]: the histograms of r people over the answers from c on that have fewer than x of
    answer c.
    """
    found = np.zeros((k - 1, n + 1, n + 1), dtype=np.int64)
    for c in range(k - 1):
        others = k - c - 2  # further answers than one
        for r in range(n + 1):
            for x in range(1, r + 1):
                found[c, r, x] = found[c, r, x - 1] + comb(r - x + 1 + others, others)
    return found


def draw_points(
    tables: Sequence[PointTable],
    which: NDArray[np.intp],
    truths: NDArray[np.int64],
    source: WordSource,
) -> NDArray[np.int64]:
    """Draw an output for each true histogram, a row each, from `tables[which]`; each draw takes
    one word, in order.
    """
    parts = [np.flatnonzero(which == place) for place in range(len(tables))]
    for table, part in zip(tables, parts, strict=True):
        table.check(truths[part], part)
    base, words = source.taken, source.take(len(truths))
    out = np.empty_like(truths)
    for table, part in zip(tables, parts, strict=True):
        if len(part):
            more = partial(_more, source, base, part)
            out[part] = table.draw(truths[part], words[part], more)
    return out


def _more(source: WordSource, base: int, part: NDArray[np.intp], k: int, attempt: int) -> int:
    return source.more(base + int(part[k]), attempt)
