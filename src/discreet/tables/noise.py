"""Noise for a batch of groups: each group's mechanism is that of its size, each count a draw of its
own.

`Noise` is the function that an engine streams its true counts through. Beside a private count it
can put an unbiased estimate and an interval: look-ups of (size, output), so they cost no privacy.
For an output i of the mechanism M of size n the estimate is v_i with sum_i v_i M[i, j] = j for
every true count j, and the interval is the exact confidence interval of `reading.group`. An
estimate may lie outside 0..n: that is what being unbiased takes.

Whole numbers go between Arrow and NumPy by their buffers, without a copy: `pa.array` and `to_numpy`
import pandas where it is installed, half a second and 60 MiB that a release does not need.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
import pyarrow as pa

from discreet.core.forms import Dense, Folded, Relabelled, Uniform
from discreet.core.mechanism import content_id
from discreet.core.rationals import shown
from discreet.errors import InvalidInput
from discreet.sampler import Several, check_drawable, draw
from discreet.sampler.words import WordSource, system_words

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from discreet.core.family import BySize, Family
    from discreet.core.forms import Form
    from discreet.core.mechanism import Mechanism
    from discreet.tables.asking.question import Count, Question
    from discreet.tables.histogram_noise import HistogramNoise

_TABLES_UP_TO = 31
"""Group size up to which closed forms are drawn from tables: all of these take 30 ms to make,
all up to 127 seconds.
"""

_BY_DIGITS = ("geometric", "fair", "column-honest")
"""The kinds of families whose larger groups are drawn by digits, so that nothing is made for a
size.
"""

_LOOKED_UP = 1 << 20
"""Largest group size up to which sizes are found by a table of places, of 4 MiB at most."""


class Noise:
    """What is done to every batch of true counts, wherever it is done: public, and without any
    state.
    """

    def __init__(self, question: Question, mechanisms: Sequence[BySize], level: int = 0) -> None:
        self.keys = len(question.by)
        self.level = (
            level  # its place, the finest being the first: words made from names depend on it
        )
        self.columns = question.output_columns
        self.words = column_words(question)
        """What each column is, for whoever opens the table."""
        self.kept = self.keys + (0 if question.cap else 1)
        """How many columns of a batch are released as they are: the keys, and the size where it
        is public.
        """
        self._places = question.places
        self.counts = tuple(
            _noise(count, by_size, question.confidence)
            for count, by_size in zip(question.counts, mechanisms, strict=True)
        )

    @property
    def kinds(self) -> list[pa.DataType]:
        """The types of the columns it adds to the keys and sizes."""
        return [kind for count in self.counts for kind in count.kinds]

    def make_ready(self) -> None:
        """Make now what every batch needs of the mechanisms, none of which looks at a count."""
        for count in self.counts:
            count.make_ready()

    def __call__(self, batch: pa.RecordBatch, words: Words | None = None) -> list[pa.Array]:
        """The released columns of a batch whose columns are the keys, the size and the true
        counts.
        """
        sizes = to_numpy(batch.column(self.keys))
        words = _fresh if words is None else words
        drawn: list[Any] = []
        for count, places in zip(self.counts, self._places, strict=True):
            true = [to_numpy(batch.column(self.keys + 1 + place)) for place in places]
            if isinstance(count, CountNoise):
                drawn += count.draw(sizes, true[0], words(count, sizes))
            else:
                drawn += count.draw(sizes, true, words)
        return [*batch.columns[: self.kept], *map(to_arrow, drawn)]


def column_words(question: Question) -> list[str]:
    """What each column of a released table is, in a line; all of it is public."""
    made = {name: expression.text for name, expression in question.made}
    words = [
        f"key: {made[name]}" if name in made else "key of the group, published as it is"
        for name in question.by
    ]
    words += [] if question.cap else ["size of the group, published as it is"]
    for count in question.counts:
        if count.answers is not None:
            words += [
                f"private count of the answer {answer} to {count.name}"
                for answer in count.answers.names
            ]
            continue
        words.append(f"private count: {count.expression.text}")
        if question.confidence is not None:
            sure = (
                f"of the {float(question.confidence):g} confidence interval of {count.name} in "
                "this group"
            )
            words += [
                f"unbiased estimate of {count.name}, for sums over groups: of one group it may "
                "lie outside 0..n",
                f"lower end {sure}",
                f"upper end {sure}",
            ]
    return words


class _Member(NamedTuple):
    """A size of a family as the sampler sees it: its form, and the id of the mechanism that has
    it.
    """

    n: int
    family: Family

    @property
    def form(self) -> Form:
        return self.family.form(self.n)

    @property
    def id(self) -> str:
        return content_id(self.family.privacy.value, self.form)


class CountNoise:
    """The noise of one count: the mechanism of each size and, when asked for, what stands beside
    its outputs.
    """

    def __init__(
        self,
        name: str,
        by_size: BySize,
        confidence: Fraction | None,
        *,
        answer: str = "",
        domain: str = "",
    ) -> None:
        self.name, self.answer, self.domain = name, answer, domain
        self.by_size = by_size
        self.sizes = np.array(by_size.sizes, dtype=np.int64)
        self._places = _places(self.sizes)
        largest = (_Member(family.sizes[-1][1], family) for family in by_size.families)
        check_drawable([*by_size.single.values(), *largest])  # now, before anything is paid
        check_answers(by_size)
        self._readings = None if confidence is None else Readings(by_size, confidence)

    @property
    def parts(self) -> tuple[CountNoise, ...]:
        """Everything that is drawn by itself: the count."""
        return (self,)

    @cached_property
    def mechanisms(self) -> list[Mechanism | _Member]:
        """The mechanism of each size, made when the first batch needs them; of large ones by
        theorem the form only.
        """
        large = {
            n: family
            for family in self.by_size.families
            if family.kind in _BY_DIGITS
            for n in self._large(family)
        }
        return [_Member(n, large[n]) if n in large else self.by_size[n] for n in self.by_size.sizes]

    def _large(self, family: Family) -> list[int]:
        """The sizes of a family that are drawn by digits."""
        ends = [(max(low, _TABLES_UP_TO + 1), high) for low, high in family.sizes]
        return [
            n
            for low, high in ends
            for n in self.sizes[(low <= self.sizes) & (self.sizes <= high)].tolist()
        ]

    @cached_property
    def _several(self) -> Several:
        return Several(self.mechanisms, tables_up_to=_TABLES_UP_TO)

    def make_ready(self) -> None:
        """Make the tables to draw from."""
        self._several.make_tables()

    @property
    def kinds(self) -> list[pa.DataType]:
        """The types of the columns of this count."""
        return (
            [pa.int64()]
            if self._readings is None
            else [pa.int64(), pa.float64(), pa.int64(), pa.int64()]
        )

    def draw(
        self, sizes: NDArray[np.int64], counts: NDArray[np.int64], words: WordSource
    ) -> list[NDArray[Any]]:
        """A private count in 0..size for each true count, and what stands beside it."""
        which = self._which(sizes)
        outputs = draw(self._several, which, counts, words).astype(np.int64, copy=False)
        return (
            [outputs]
            if self._readings is None
            else [outputs, *self._readings.columns(sizes, outputs)]
        )

    def _which(self, sizes: NDArray[np.int64]) -> NDArray[np.signedinteger[Any]]:
        """The place of each group's size, -1 (refused by `draw`) for a size that the table was
        said not to have.
        """
        if self._places is not None:
            # a size below 0 or beyond the largest takes the place that stands for none
            return self._places.take(
                sizes.view(np.uint64).clip(max=len(self._places) - 1).view(np.int64)
            )
        found = np.searchsorted(self.sizes, sizes)
        return np.where(self.sizes.take(found, mode="clip") == sizes, found, -1)


def check_answers(by_size: BySize) -> None:
    """Refuse a count of which every group would be answered without a look at the data: nothing
    could be read of it.

    A linear program finds such answers where epsilon is small and far errors cost much: always the
    middle, say.
    """
    single = [mechanism for n, mechanism in by_size.single.items() if n]
    if (
        single
        and not by_size.families
        and all(_ignores_data(mechanism.form) for mechanism in single)
    ):
        rule = "must be large enough for the best answers to depend on the data"
        remedy = "use a larger epsilon, ask for a property such as F or WH, or for the loss L0"
        raise InvalidInput("epsilon", rule, shown(single[0].privacy.epsilon), remedy=remedy)


def _ignores_data(form: Form) -> bool:
    if isinstance(form, Relabelled):  # of GM, whose columns are all different
        return len({*form.labels}) == 1
    if isinstance(form, Folded):
        first = form.column(0)
        return all(form.column(j) == first for j in range(1, form.domain.size))
    return isinstance(form, Uniform) or (
        isinstance(form, Dense) and all(len({*row}) == 1 for row in form.rows)
    )


def _places(sizes: NDArray[np.int64]) -> NDArray[np.int32] | None:
    """The place of each size among the ascending `sizes`, -1 for others, the last among them; None
    if some are large.

    To search for every group's size took half the time of a batch.
    """
    if not len(sizes) or int(sizes[-1]) > _LOOKED_UP:
        return None
    places = np.full(int(sizes[-1]) + 2, -1, dtype=np.int32)
    places[sizes] = np.arange(len(sizes), dtype=np.int32)
    return places


class Words(Protocol):
    """Where the words for one draw of each group of a batch come from, given the sizes of these
    groups.
    """

    def __call__(
        self, part: Any, sizes: NDArray[np.int64], rows: NDArray[np.intp] | None = None
    ) -> WordSource:
        """The words of all groups of the batch, or of those at the places `rows`."""


def _fresh(part: Any, sizes: NDArray[np.int64], rows: NDArray[np.intp] | None = None) -> WordSource:
    return system_words()


def _noise(
    count: Count, by_size: BySize, confidence: Fraction | None
) -> CountNoise | HistogramNoise:
    if count.answers is None:
        return CountNoise(count.name, by_size, confidence)
    from discreet.tables.histogram_noise import HistogramNoise

    return HistogramNoise(count.name, count.answers.names, by_size)


class Readings:
    """Estimates and intervals beside a batch of outputs: by formula for GM and EM, else from a
    table for each size.
    """

    def __init__(self, by_size: Mapping[int, Mechanism], confidence: Fraction) -> None:
        from discreet.reading.count_columns import check_readable

        check_readable(by_size)  # now, before anything is paid
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
    return np.frombuffer(
        column.buffers()[1], dtype=np.int64, count=len(column), offset=8 * column.offset
    )


def to_arrow(numbers: NDArray[np.int64] | NDArray[np.float64]) -> pa.Array:
    """An int64 or float64 array as an Arrow column.

    >>> to_arrow(np.array([5, 6])).to_pylist()
    [5, 6]
    """
    kind = pa.float64() if numbers.dtype == np.float64 else pa.int64()
    return pa.Array.from_buffers(
        kind, len(numbers), [None, pa.py_buffer(np.ascontiguousarray(numbers))]
    )
