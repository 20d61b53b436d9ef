"""Noise for a batch of groups: each group's mechanism is that of its size, each count a draw of its own.

`Noise` is the function that an engine streams its true counts through. Beside a private count it can put an unbiased
estimate and an interval: look-ups of (size, output), so they cost no privacy. For an output i of the mechanism M of
size n the estimate is v_i with sum_i v_i M[i, j] = j for every true count j, and the interval is the exact confidence
interval of `reading.group`. An estimate may lie outside 0..n: that is what being unbiased takes.

Whole numbers go between Arrow and NumPy by their buffers, without a copy: `pa.array` and `to_numpy` import pandas where
it is installed, half a second and 60 MiB that a release does not need.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from discreet.sampler import draw
from discreet.sampler.digits import Kind, draw_family
from discreet.sampler.drawing import ALIAS_UP_TO, Chosen
from discreet.sampler.words import WordSource, system_words

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from discreet.core.family import BySize
    from discreet.core.mechanism import Mechanism
    from discreet.tables.asking.question import Question


TABLE_CELLS = 20_000
"""Up to so many cells in all, the small sizes of a family are drawn from tables: a twentieth of a second to make."""


class Noise:
    """What is done to every batch of true counts, wherever it is done: public, and without any state."""

    def __init__(self, question: Question, mechanisms: Sequence[BySize]) -> None:
        self.keys = len(question.by)
        self.columns = question.output_columns
        self.counts = tuple(
            CountNoise(count.name, by_size, question.confidence)
            for count, by_size in zip(question.counts, mechanisms, strict=True)
        )

    @property
    def kinds(self) -> list[pa.DataType]:
        """The types of the columns it adds to the keys and sizes."""
        return [kind for count in self.counts for kind in count.kinds]

    def __call__(self, batch: pa.RecordBatch, words: Words | None = None) -> list[pa.Array]:
        """The released columns of a batch whose columns are the keys, the size and the true counts."""
        sizes = to_numpy(batch.column(self.keys))
        drawn: list[Any] = []
        for place, count in enumerate(self.counts, start=self.keys + 1):
            source = system_words() if words is None else words(count, sizes)
            drawn += count.draw(sizes, to_numpy(batch.column(place)), source)
        return [*batch.columns[: self.keys + 1], *map(to_arrow, drawn)]


class CountNoise:
    """The noise of one count: the mechanism of each size and, when asked for, what stands beside its outputs."""

    def __init__(self, name: str, by_size: BySize, confidence: Fraction | None) -> None:
        self.name = name
        self.by_size = by_size
        self.sizes = np.array(by_size.sizes, dtype=np.int64)
        self._by_digits = list(_by_digits(by_size))
        self._readings = None if confidence is None else Readings(by_size, confidence)

    @cached_property
    def mechanisms(self) -> list[Mechanism]:
        """The mechanism of each size, made when the first batch needs them."""
        return [self.by_size[size] for size in self.by_size.sizes]

    @property
    def kinds(self) -> list[pa.DataType]:
        """The types of the columns of this count."""
        return [pa.int64()] if self._readings is None else [pa.int64(), pa.float64(), pa.int64(), pa.int64()]

    def draw(self, sizes: NDArray[np.int64], counts: NDArray[np.int64], words: WordSource) -> list[NDArray[Any]]:
        """A private count in 0..size for each true count, and what stands beside it."""
        outputs = self._drawn(sizes, counts, words)
        return [outputs] if self._readings is None else [outputs, *self._readings.columns(sizes, outputs)]

    def _drawn(self, sizes: NDArray[np.int64], counts: NDArray[np.int64], words: WordSource) -> NDArray[np.int64]:
        way = _ways(self._by_digits, sizes)
        used = np.unique(way).tolist()
        if len(used) == 1:
            return self._one_way(used[0], sizes, counts, words)
        base, own = words.taken, words.take(len(sizes))
        outputs = np.empty(len(sizes), dtype=np.int64)
        for number in used:
            part = np.flatnonzero(way == number)
            outputs[part] = self._one_way(number, sizes[part], counts[part], Chosen(words, own[part], base + part))
        return outputs

    def _one_way(
        self, number: int, sizes: NDArray[np.int64], counts: NDArray[np.int64], words: WordSource
    ) -> NDArray[np.int64]:
        if number:
            kind, alpha, _, _ = self._by_digits[number - 1]
            return draw_family(kind, alpha, sizes, counts, words)
        known, mechanisms = self._by_table
        return draw(mechanisms, np.searchsorted(known, sizes), counts, words).astype(np.int64, copy=False)

    @cached_property
    def _by_table(self) -> tuple[NDArray[np.int64], list[Mechanism]]:
        """The sizes that are not drawn by digits, and their mechanisms."""
        known = self.sizes[_ways(self._by_digits, self.sizes) == 0]
        return known, [self.by_size[size] for size in known.tolist()]


_Digits = tuple[Kind, Fraction, int, int]
"""A kind of closed form, its alpha, and the least and the largest size drawn by its binary digits."""


def _by_digits(by_size: BySize) -> Iterator[_Digits]:
    """Which sizes of which families are drawn without a table: who is what depends on sizes alone, which are public."""
    for family in by_size.families:
        # a table is made cell by cell and then drawn from faster: worth it where the small sizes are few
        small = [n for n in by_size.sizes if n <= ALIAS_UP_TO and n in family]
        least = ALIAS_UP_TO + 1 if sum((n + 1) ** 2 for n in small) <= TABLE_CELLS else 1
        for low, high in family.sizes:
            if family.kind != "weakly-honest" and max(low, least) <= high:
                yield ("fair" if family.kind == "fair" else "geometric"), family.privacy.value, max(low, least), high


def _ways(digits: Sequence[_Digits], sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """How each size is drawn: 0 by its mechanism's table or columns, k by the digits of the k-th range."""
    way = np.zeros(len(sizes), dtype=np.int64)
    for number, (_, _, low, high) in enumerate(digits, start=1):
        way[(sizes >= low) & (sizes <= high)] = number
    return way


Words = Callable[[CountNoise, "NDArray[np.int64]"], WordSource]
"""Where the words for one count of a batch come from, given the sizes of its groups."""


class Readings:
    """Estimates and intervals of every output of every size, in flat tables."""

    def __init__(self, by_size: Mapping[int, Mechanism], confidence: Fraction) -> None:
        from discreet.reading.group import intervals
        from discreet.reading.totals import count_score

        self._sizes = np.array(sorted(by_size), dtype=np.int64)
        estimates: list[float] = []
        low: list[int] = []
        high: list[int] = []
        starts = []
        for size in self._sizes.tolist():
            starts.append(len(low))
            found = intervals(by_size[size], confidence)
            low += found.low
            high += found.high
            estimates += count_score(by_size[size]).values.tolist() if size else [0.0]
        self._starts = np.array(starts, dtype=np.int64)
        self._estimates, self._low, self._high = np.array(estimates), np.array(low), np.array(high)

    def columns(
        self, sizes: NDArray[np.int64], outputs: NDArray[np.int64]
    ) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]:
        """Estimate, low and high for each released count."""
        places = self._starts[np.searchsorted(self._sizes, sizes)] + outputs
        return self._estimates[places], self._low[places], self._high[places]


def to_numpy(column: pa.Array) -> NDArray[np.int64]:
    """An int64 column without NULLs as a NumPy array.

    >>> to_numpy(pa.array([4, 5, 6], pa.int64())[1:])
    array([5, 6])
    """
    if column.type != pa.int64() or column.null_count:
        raise TypeError("only int64 columns without NULLs come here")
    return np.frombuffer(column.buffers()[1], dtype=np.int64, count=len(column), offset=8 * column.offset)


def to_arrow(numbers: NDArray[np.int64] | NDArray[np.float64]) -> pa.Array:
    """An int64 or float64 array as an Arrow column.

    >>> to_arrow(np.array([5, 6])).to_pylist()
    [5, 6]
    """
    kind = pa.float64() if numbers.dtype == np.float64 else pa.int64()
    return pa.Array.from_buffers(kind, len(numbers), [None, pa.py_buffer(np.ascontiguousarray(numbers))])
