"""Draw released counts: from one mechanism (`release`) or from many mixed in one call (`draw`).

Everything is checked first, then each draw takes exactly one word, in order, whatever its count; only a tie
asks for more. Small groups (n <= `ALIAS_UP_TO`) are drawn from joined alias tables, large ones from the
columns they need, and a call may mix both: who is small is public (the sizes), so it may choose the way.
Work goes in chunks that stay in the processor's cache.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, overload

import numpy as np

from discreet.errors import InvalidData, InvalidInput
from discreet.sampler.alias import AliasTable, ByColumn, JoinedTables, Kept, Scratch, build_table
from discreet.sampler.columns import ByBounds, Column
from discreet.sampler.inputs import Integers, check_integers, read_counts, smallest_type
from discreet.sampler.words import NotPrivateWarning, WordSource, system_words

if TYPE_CHECKING:
    from numpy.typing import NDArray

ALIAS_UP_TO = 127  # every output fits one byte; a table of n = 127 takes 164 KB
CHUNK = 1 << 15  # draws at a time: four arrays of 256 KiB stay in or near a second-level cache
KEPT_BYTES = 1 << 26  # of tables, of joined tables and of columns, each


class Form(ByColumn, ByBounds, Protocol):
    """How a mechanism's matrix is stored: its columns can be read exactly, or bounded as closely as wanted."""


class Drawable(Protocol):
    """What can be drawn from: a `Mechanism`, or anything with its size, content id and form."""

    @property
    def n(self) -> int:
        """Largest count."""

    @property
    def id(self) -> str:
        """Name of the content: equal for equal matrices only."""

    @property
    def form(self) -> Form:
        """The matrix."""


_tables: Kept[AliasTable] = Kept(KEPT_BYTES)
_joined: Kept[JoinedTables] = Kept(KEPT_BYTES)
_columns: Kept[Column] = Kept(KEPT_BYTES)


@overload
def release(mechanism: Drawable, x: int, *, source: WordSource | None = None) -> int: ...
@overload
def release(mechanism: Drawable, x: Sequence[int], *, source: WordSource | None = None) -> list[int]: ...
@overload
def release(mechanism: Drawable, x: Any, *, source: WordSource | None = None) -> Any: ...
def release(mechanism: Drawable, x: Any, *, source: WordSource | None = None) -> Any:
    """Draw a released count for each true count: `output i` with chance exactly Pr[i | x].

    Takes an int, a list, a NumPy array or an Arrow array and gives back the same kind and shape, arrays in
    the smallest signed integer type that holds 0..n. Counts that break a rule raise `InvalidData`, and
    nothing is released. Each call is a new release, and its privacy cost adds to those before.
    """
    words: WordSource = system_words() if source is None else source
    counts, give_back = read_counts(x, mechanism.n)
    if not words.private:
        warnings.warn("drawn with predictable words: these numbers are NOT PRIVATE", NotPrivateWarning, stacklevel=2)
    return give_back(_sample((mechanism,), None, counts, words))


def draw(
    mechanisms: Sequence[Drawable], which: Integers, counts: Integers, source: WordSource
) -> NDArray[np.signedinteger[Any]]:
    """Draw a released count for each k from `mechanisms[which[k]]` at the true count `counts[k]`.

    `which` and `counts` are flat integer arrays of one length. The result has the smallest signed integer
    type that holds the largest n among `mechanisms`, so it is the same for every batch. Draw k uses the
    k-th word taken from `source`, and so exactly `len(counts)` words are taken. Tables are made for every
    small mechanism given, present or not, so that batches share them: give those of the whole table, no more.
    """
    check_integers("which", which)
    check_integers("counts", counts)
    if which.ndim != 1 or counts.shape != which.shape:
        raise InvalidInput("counts", "must be a flat array as long as `which`", (counts.shape, which.shape))
    if len(which) and (int(which.min()) < 0 or int(which.max()) >= len(mechanisms)):
        raise InvalidInput("which", f"must index the {len(mechanisms)} mechanisms given")
    chosen: Integers = which if np.can_cast(which.dtype, np.intp) else which.astype(np.intp)
    _check_counts(mechanisms, chosen, counts)
    return _sample(mechanisms, chosen, counts, source)


def _check_counts(mechanisms: Sequence[Drawable], which: Integers, counts: Integers) -> None:
    """Refuse a count outside 0..n of its own mechanism."""
    sizes = np.array([mechanism.n for mechanism in mechanisms], dtype=np.uint64)
    wide = np.int64 if counts.dtype.kind == "i" else np.uint64
    for start in range(0, len(counts), CHUNK):
        part = slice(start, start + CHUNK)
        unsigned = counts[part].astype(wide, copy=False).view(np.uint64)  # a negative count is then beyond 2^63
        wrong = unsigned > sizes.take(which[part])
        if wrong.any():
            raise InvalidData("counts", "must be in 0..n of its group", row=start + 1 + int(wrong.argmax()))


def _sample(
    mechanisms: Sequence[Drawable], which: Integers | None, counts: Integers, source: WordSource
) -> NDArray[np.signedinteger[Any]]:
    """Draw for counts that were checked; `which` None means the one mechanism there is."""
    kind = smallest_type(max((mechanism.n for mechanism in mechanisms), default=0))
    if len(counts) == 0:
        return np.empty(0, dtype=kind)
    large = np.array([mechanism.n > ALIAS_UP_TO for mechanism in mechanisms])
    if not large.any():
        return _draw_small(mechanisms, which, counts, source)
    if which is None:
        which = np.zeros(len(counts), dtype=np.intp)
    base, words = source.taken, source.take(len(counts))
    out = np.empty(len(counts), dtype=kind)
    is_large = large.take(which)
    for way, part in ((_draw_small, np.flatnonzero(~is_large)), (_draw_large, np.flatnonzero(is_large))):
        if len(part):
            out[part] = way(mechanisms, which[part], counts[part], _Chosen(source, words[part], base + part))
    return out


class _Chosen:
    """Some of the words already taken from a source, as a source of their own."""

    __slots__ = ("_positions", "_source", "_words", "taken")

    def __init__(self, source: WordSource, words: NDArray[np.uint64], positions: NDArray[np.intp]) -> None:
        self._source, self._words, self._positions, self.taken = source, words, positions, 0

    @property
    def private(self) -> bool:
        return self._source.private

    def take(self, count: int) -> NDArray[np.uint64]:
        self.taken += count
        return self._words[self.taken - count : self.taken]

    def more(self, position: int, attempt: int) -> int:
        return self._source.more(int(self._positions[position]), attempt)


def _draw_small(
    mechanisms: Sequence[Drawable],
    which: Integers | None,
    counts: Integers,
    source: WordSource,
) -> NDArray[np.signedinteger[Any]]:
    """Draw from alias tables, in chunks."""
    is_small = [mechanism.n <= ALIAS_UP_TO for mechanism in mechanisms]
    tables = _join([mechanism for mechanism, small in zip(mechanisms, is_small, strict=True) if small])
    table_of = np.maximum(np.cumsum(is_small) - 1, 0)
    first_row = tables.first_row.take(table_of)
    out = np.empty(len(counts), dtype=np.int8)
    scratch = Scratch(min(CHUNK, len(counts)))
    base = source.taken
    for start in range(0, len(counts), CHUNK):
        stop = min(start + CHUNK, len(counts))
        words = source.take(stop - start)
        rows = counts[start:stop].astype(np.int64, copy=False)  # checked to be in 0..127, whatever the type
        if which is not None:
            rows = rows + first_row.take(which[start:stop])
        ties = tables.draw(rows, words, out[start:stop], scratch)
        for tie in () if ties is None else ties.tolist():
            k = start + tie
            table = 0 if which is None else int(table_of[which[k]])
            out[k] = tables.settle(table, int(counts[k]), int(words[tie]), partial(source.more, base + k))
    return out


def _draw_large(
    mechanisms: Sequence[Drawable],
    which: Integers,
    counts: Integers,
    source: WordSource,
) -> NDArray[np.signedinteger[Any]]:
    """Draw column by column, each made once in a call however few are kept."""
    base, words = source.taken, source.take(len(counts))
    out = np.empty(len(counts), dtype=np.int64)
    height = max(mechanism.n for mechanism in mechanisms) + 1
    columns = which.astype(np.int64) * height + counts.astype(np.int64)
    order = np.argsort(columns)
    changes = np.flatnonzero(np.diff(columns[order])) + 1
    for group in np.split(order, changes):
        mechanism, count = mechanisms[which[group[0]]], int(counts[group[0]])
        column = _columns.get((mechanism.id, count), partial(Column, mechanism.form, count))
        drawn, ties = column.draw(words[group])
        out[group] = drawn
        for k in group[ties].tolist():
            out[k] = column.settle(int(words[k]), partial(source.more, base + k))
    return out


def _join(mechanisms: Sequence[Drawable]) -> JoinedTables:
    """Return the joined tables of these mechanisms, from memory where possible."""

    def table(mechanism: Drawable) -> AliasTable:
        return _tables.get(mechanism.id, partial(build_table, mechanism.form))

    return _joined.get(tuple(m.id for m in mechanisms), lambda: JoinedTables([table(m) for m in mechanisms]))
