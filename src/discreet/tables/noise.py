"""Noise for a batch of groups: each group's mechanism is that of its size, each count a draw of its own.

`Noise` is the function that an engine streams its true counts through. Beside a private count it can put an unbiased
estimate and an interval: look-ups of (size, output), so they cost no privacy. For an output i of the mechanism M of
size n the estimate is v_i with sum_i v_i M[i, j] = j for every true count j, and the interval is the exact confidence
interval of `reading.group`. An estimate may lie outside 0..n: that is what being unbiased takes.

Whole numbers go between Arrow and NumPy by their buffers, without a copy: `pa.array` and `to_numpy` import pandas where
it is installed, half a second and 60 MiB that a release does not need.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from discreet.sampler import draw
from discreet.sampler.words import WordSource, system_words

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from discreet.core.mechanism import Mechanism
    from discreet.tables.asking.question import Question

Mechanisms = Sequence[Mapping[int, "Mechanism"]]
"""For each count, the mechanism of each group size."""


class Noise:
    """What is done to every batch of true counts, wherever it is done: public, and without any state."""

    def __init__(self, question: Question, mechanisms: Mechanisms) -> None:
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

    def __init__(self, name: str, by_size: Mapping[int, Mechanism], confidence: Fraction | None) -> None:
        self.name = name
        self.sizes = np.array(sorted(by_size), dtype=np.int64)
        self.mechanisms = [by_size[int(size)] for size in self.sizes]
        self._readings = None if confidence is None else Readings(by_size, confidence)

    @property
    def kinds(self) -> list[pa.DataType]:
        """The types of the columns of this count."""
        return [pa.int64()] if self._readings is None else [pa.int64(), pa.float64(), pa.int64(), pa.int64()]

    def draw(self, sizes: NDArray[np.int64], counts: NDArray[np.int64], words: WordSource) -> list[NDArray[Any]]:
        """A private count in 0..size for each true count, and what stands beside it."""
        which = np.searchsorted(self.sizes, sizes)
        outputs = draw(self.mechanisms, which, counts, words).astype(np.int64, copy=False)
        return [outputs] if self._readings is None else [outputs, *self._readings.columns(sizes, outputs)]


Words = Callable[[CountNoise, "NDArray[np.int64]"], WordSource]
"""Where the words for one count of a batch come from, given the sizes of its groups."""


class Readings:
    """Estimates and intervals beside a batch of outputs: by formula for GM and EM, else from a table for each size."""

    def __init__(self, by_size: Mapping[int, Mechanism], confidence: Fraction) -> None:
        from discreet.reading.count_columns import check_readable

        check_readable(by_size.values())  # now, before anything is paid
        self._by_size, self._confidence = by_size, confidence

    def columns(
        self, sizes: NDArray[np.int64], outputs: NDArray[np.int64]
    ) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]:
        """Estimate, low and high for each released count."""
        from discreet.reading.count_columns import read_columns

        return read_columns(self._by_size, sizes, outputs, self._confidence)


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
