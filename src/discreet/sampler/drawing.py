"""Draw released counts: from one mechanism (`release`) or from many mixed in one call (`draw`).

Everything is checked first, then each draw takes exactly one word, in order, whatever its count.
Small groups (n <= `ALIAS_UP_TO`) are drawn from joined alias tables, and only a tie asks for more
words. Large groups are drawn by binary digits, from streams behind those words, where their
mechanism is GM, EM, UM or column-honest by theorem, and from the columns they need where it is
another. A call may mix all of it: the mechanisms are public, so they may choose the way. Work goes
in chunks that stay in the processor's cache.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, Protocol, overload

import numpy as np

from discreet.core.forms import ColumnHonest, Fair, Geometric, Uniform
from discreet.errors import InvalidData, InvalidInput
from discreet.sampler.alias import AliasTable, ByColumn, JoinedTables, Kept, Scratch, build_table
from discreet.sampler.columns import ByBounds, Column
from discreet.sampler.inputs import Integers, check_integers, read_counts, smallest_type
from discreet.sampler.words import NotPrivateWarning, WordSource, system_words

if TYPE_CHECKING:
    from numpy.typing import NDArray

ALIAS_UP_TO = 127  # every output fits one byte; a table of n = 127 takes 164 KB
COLUMNS_UP_TO = 10_000_000  # one column takes 80 MB and seconds
CHUNK = 1 << 15  # draws at a time: four arrays of 256 KiB stay in or near a second-level cache
KEPT_BYTES = 1 << 26  # of tables, of joined tables and of columns, each


class Form(ByColumn, ByBounds, Protocol):
    """How a mechanism's matrix is stored: its columns can be read exactly, or bounded as closely
    as wanted.
    """


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
def release(
    mechanism: Drawable, x: Sequence[int], *, source: WordSource | None = None
) -> list[int]: ...
@overload
def release(mechanism: Drawable, x: Any, *, source: WordSource | None = None) -> Any: ...
def release(mechanism: Drawable, x: Any, *, source: WordSource | None = None) -> Any:
    """Draw a released count for each true count: `output i` with chance exactly Pr[i | x].

    Takes an int, a list, a NumPy array or an Arrow array and gives back the same kind and shape,
    arrays in the smallest signed integer type that holds 0..n. Counts that break a rule raise
    `InvalidData`, and nothing is released. Each call is a new release, and its privacy cost adds to
    those before.
    """
    words: WordSource = system_words() if source is None else source
    counts, give_back = read_counts(x, mechanism.n)
    if not words.private:
        warnings.warn(
            "drawn with predictable words: these numbers are NOT PRIVATE",
            NotPrivateWarning,
            stacklevel=2,
        )
    return give_back(_sample(Several((mechanism,)), None, counts, words))


class Several:
    """Mechanisms that are drawn from again and again: what a draw asks of all of them is worked out
    once.

    A table of n has about n^2 thresholds, and then draws several times as fast as digits do. That
    pays for itself where one mechanism is drawn from a great many times; of a table of many sizes,
    only for the smallest: above `tables_up_to` digits draw what they can.
    """

    def __init__(self, mechanisms: Sequence[Drawable], *, tables_up_to: int = ALIAS_UP_TO) -> None:
        self.mechanisms = mechanisms
        self.sizes = np.array([mechanism.n for mechanism in mechanisms], dtype=np.int64)
        self.kind = smallest_type(int(self.sizes.max(initial=0)))
        ways: dict[_Way, int] = {}
        found: list[int] = []
        before: _Way | None = None
        for mechanism in mechanisms:
            # neighbours mostly go one way, and to compare is less than to hash a fraction
            if (way := _way(mechanism, tables_up_to)) != before:
                before, place = way, ways.setdefault(way, len(ways))
            found.append(place)
        self.way_of, self.ways = np.array(found, dtype=np.intp), tuple(ways)
        by_table = self.way_of == ways.get("table", -1)
        self.in_tables = [mechanisms[place] for place in np.flatnonzero(by_table).tolist()]
        self.table_of = np.maximum(np.cumsum(by_table) - 1, 0)

    def make_tables(self) -> None:
        """Make the tables now that the first draw would make."""
        if self.in_tables:
            _join(self.in_tables)


def draw(
    mechanisms: Sequence[Drawable] | Several, which: Integers, counts: Integers, source: WordSource
) -> NDArray[np.signedinteger[Any]]:
    """Draw a released count for each k from `mechanisms[which[k]]` at the true count `counts[k]`.

    `which` and `counts` are flat integer arrays of one length. The result has the smallest signed
    integer type that holds the largest n among `mechanisms`, so it is the same for every batch.
    Draw k uses the k-th word taken from `source`, and so exactly `len(counts)` words are taken.
    Tables are made for every small mechanism given, present or not, so that batches share them:
    give those of the whole table, no more.
    """
    check_integers("which", which)
    check_integers("counts", counts)
    if which.ndim != 1 or counts.shape != which.shape:
        raise InvalidInput(
            "counts", "must be a flat array as long as `which`", (counts.shape, which.shape)
        )
    several = mechanisms if isinstance(mechanisms, Several) else Several(mechanisms)
    if len(which) and (int(which.min()) < 0 or int(which.max()) >= len(several.sizes)):
        raise InvalidInput("which", f"must index the {len(several.sizes)} mechanisms given")
    chosen: Integers = which if np.can_cast(which.dtype, np.intp) else which.astype(np.intp)
    _check_counts(several, chosen, counts)
    return _sample(several, chosen, counts, source)


def _check_counts(several: Several, which: Integers, counts: Integers) -> None:
    """Refuse a count outside 0..n of its own mechanism."""
    sizes = several.sizes.view(np.uint64)
    wide = np.int64 if counts.dtype.kind == "i" else np.uint64
    for start in range(0, len(counts), CHUNK):
        part = slice(start, start + CHUNK)
        unsigned = (
            counts[part].astype(wide, copy=False).view(np.uint64)
        )  # a negative count is then beyond 2^63
        wrong = unsigned > sizes.take(which[part])
        if wrong.any():
            raise InvalidData(
                "counts", "must be in 0..n of its group", row=start + 1 + int(wrong.argmax())
            )


def _sample(
    several: Several, which: Integers | None, counts: Integers, source: WordSource
) -> NDArray[np.signedinteger[Any]]:
    """Draw for counts that were checked; `which` None means the one mechanism there is."""
    if len(counts) == 0:
        return np.empty(0, dtype=several.kind)
    if several.ways == ("table",):
        return _draw_small(several, which, counts, source)
    if which is None:
        which = np.zeros(len(counts), dtype=np.intp)
    chosen = several.way_of.take(which)
    base, words = source.taken, source.take(len(counts))
    out = np.empty(len(counts), dtype=several.kind)
    for number, way in enumerate(several.ways):
        part = np.flatnonzero(chosen == number)
        if len(part):
            out[part] = _draw(
                way, several, which[part], counts[part], _Chosen(source, words[part], base + part)
            )
    return out


Kind = Literal["geometric", "fair", "column-honest"]
_Way = Literal["table", "columns"] | tuple[Kind, Fraction]


def family_of(form: object) -> tuple[Kind, Fraction] | None:
    """The kind and alpha by which `digits` draws a form, or None if it cannot.

    >>> family_of(Uniform(300))
    ('fair', Fraction(1, 1))
    """
    if isinstance(form, Geometric):
        return "geometric", form.alpha
    if isinstance(form, Fair):
        return "fair", form.alpha
    if isinstance(form, ColumnHonest):
        return "column-honest", form.alpha
    return ("fair", Fraction(1)) if isinstance(form, Uniform) else None


def _way(mechanism: Drawable, tables_up_to: int) -> _Way:
    if mechanism.n <= tables_up_to:
        return "table"
    if (family := family_of(mechanism.form)) is not None:
        return family
    if mechanism.n <= ALIAS_UP_TO:
        return "table"
    if mechanism.n > COLUMNS_UP_TO:
        raise InvalidInput(
            "n",
            f"must be at most {COLUMNS_UP_TO:,} to draw from this mechanism",
            mechanism.n,
            remedy="GM and EM are drawn for groups of any size: ask for no property or for F, or "
            "for a larger epsilon",
        )
    return "columns"


def check_drawable(mechanisms: Iterable[Drawable]) -> None:
    """Refuse, before anything is paid, a mechanism that is too large to be drawn from."""
    for mechanism in mechanisms:
        _way(mechanism, ALIAS_UP_TO)


def _draw(
    way: _Way, several: Several, which: Integers, counts: Integers, source: WordSource
) -> NDArray[np.signedinteger[Any]]:
    """Draw where all draws go one way."""
    if way == "table":
        return _draw_small(several, which, counts, source)
    if way == "columns":
        return _draw_columns(several.mechanisms, which, counts, source)
    from discreet.sampler.digits import draw_family  # most draws are of small groups, and need none

    return draw_family(*way, several.sizes.take(which), counts.astype(np.int64, copy=False), source)


class _Chosen:
    """Some of the words already taken from a source, as a source of their own."""

    __slots__ = ("_positions", "_source", "_words", "taken")

    def __init__(
        self, source: WordSource, words: NDArray[np.uint64], positions: NDArray[np.intp]
    ) -> None:
        self._source, self._words, self._positions, self.taken = source, words, positions, 0

    @property
    def private(self) -> bool:
        return self._source.private

    def take(self, count: int) -> NDArray[np.uint64]:
        self.taken += count
        return self._words[self.taken - count : self.taken]

    def more(self, position: int, attempt: int) -> int:
        return self._source.more(int(self._positions[position]), attempt)

    def stream(self, positions: NDArray[np.intp], first: int, count: int) -> NDArray[np.uint64]:
        return self._source.stream(self._positions[positions], first, count)


def _draw_small(
    several: Several,
    which: Integers | None,
    counts: Integers,
    source: WordSource,
) -> NDArray[np.signedinteger[Any]]:
    """Draw from alias tables, in chunks."""
    tables, table_of = _join(several.in_tables), several.table_of
    first_row = tables.first_row.take(table_of)
    out = np.empty(len(counts), dtype=np.int8)
    scratch = Scratch(min(CHUNK, len(counts)))
    base = source.taken
    for start in range(0, len(counts), CHUNK):
        stop = min(start + CHUNK, len(counts))
        words = source.take(stop - start)
        rows = counts[start:stop].astype(
            np.int64, copy=False
        )  # checked to be in 0..127, whatever the type
        if which is not None:
            rows = rows + first_row.take(which[start:stop])
        ties = tables.draw(rows, words, out[start:stop], scratch)
        for tie in () if ties is None else ties.tolist():
            k = start + tie
            table = 0 if which is None else int(table_of[which[k]])
            out[k] = tables.settle(
                table, int(counts[k]), int(words[tie]), partial(source.more, base + k)
            )
    return out


def _draw_columns(
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

    return _joined.get(
        tuple(m.id for m in mechanisms), lambda: JoinedTables([table(m) for m in mechanisms])
    )
