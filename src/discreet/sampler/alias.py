"""Exact alias tables: one word, one look-up and one comparison for a draw from exactly the rational
matrix.

Walker's alias method in integers. A column (p_0, ..., p_n) / D is spread over B buckets, B a power
of two at least n + 1. Each bucket holds two values, `keep` below its cut and `other` from the cut
on; the cut is an integer c in 0..D:

    sum over buckets b of  [keep_b = i] c_b + [other_b = i] (D - c_b)  =  B p_i        for every i,
                           exactly.

A word w of 64 bits is read as the binary digits of a uniform point. Its leading log2(B) bits choose
the bucket, so each bucket has chance 1/B exactly; its other r bits are the first digits of a
uniform fraction u, and the draw is `keep` iff u < c/D. With t = floor(2^r c / D) and the bucket's
number b put back in front, T = b 2^r + t:

    w < T  settles `keep`,   w > T  settles `other`,   w = T  is a tie,

and only a tie looks at the further digits: the rest f = (2^r c mod D) / D is compared in the same
way with the next word, until a word differs. Given ideal words, the output has exactly the rational
distribution. A tie has chance at most 2^-r (r = 60 for n in 8..15; no less than 57). Where a bucket
holds one value only, nothing needs settling.

The table of a whole matrix is flat: the entry of count j and bucket b is at j B + b. Tables of
several mechanisms are joined by repeating the entries of those with fewer buckets (T compares whole
words, so it stays right), and then one call mixes them. No step branches on counts, words or
outputs, but the tie path. Tables are read at places that depend on the counts: see the known limits
about caches.

Tables are kept for the next call up to a limit in bytes (`Kept`); the least recently used goes
first.

The width of a word is a parameter, so that tests can narrow it and enumerate all words.

Set DISCREET_COMPILED=1 and install Numba (the extra `compiled`), and the inner loop is compiled:
about twice as fast. It is not used unasked, because compiling takes two seconds in every process,
in which NumPy alone draws three hundred million counts. The compiled loop makes the same draws from
the same words; a test holds it to that.
"""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, TypeVar

import numpy as np

from discreet.errors import MissingExtra

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from numpy.typing import NDArray

WORD_BITS = 64


class ByColumn(Protocol):
    """A matrix whose columns can be read exactly."""

    @property
    def n(self) -> int:
        """Largest count."""

    def column(self, j: int) -> tuple[Sequence[int], int]:
        """Return numerators and common denominator of Pr[. | j]."""


class Bucket(NamedTuple):
    """`keep` with chance cut / denominator, else `other`."""

    cut: int
    keep: int
    other: int


def bucket_bits(n: int) -> int:
    """Return log2 of the number of buckets: the least power of two that is at least n + 1, and at
    least 2.

    At least 2, because a shift by all 64 bits of a word is no shift at all on some machines.
    """
    return max(1, n.bit_length())


def buckets_of(form: ByColumn, j: int) -> tuple[list[Bucket], int]:
    """The buckets of column j as a table has them, and the denominator of their cuts."""
    n, bits = form.n, bucket_bits(form.n)
    numerators, denominator = form.column(j)
    if n - j < j and _is_upside_down(numerators, denominator, *form.column(n - j)):
        first = split_column(numerators[::-1], denominator, bits)
        return [Bucket(cut, n - keep, n - other) for cut, keep, other in first], denominator
    return split_column(numerators, denominator, bits), denominator


def _is_upside_down(
    numerators: Sequence[int], denominator: int, others: Sequence[int], below: int
) -> bool:
    """Whether a column is another one read from its end: then the buckets of one are those of
    the other.
    """
    return denominator == below and list(numerators) == list(reversed(others))


def split_column(numerators: Sequence[int], denominator: int, bits: int) -> list[Bucket]:
    """Spread a column over 2^bits buckets, exactly. The same column always gives the same buckets.

    >>> split_column([1, 2], 3, 1)
    [Bucket(cut=2, keep=0, other=1), Bucket(cut=3, keep=1, other=1)]
    """
    return list(map(Bucket, *_spread(numerators, denominator, bits)))


def _spread(
    numerators: Sequence[int], denominator: int, bits: int
) -> tuple[list[int], list[int], list[int]]:
    """The buckets' cuts, what they keep and the others, each in a list of its own: tables are
    made of thousands.
    """
    size = 1 << bits
    rest = [numerator << bits for numerator in numerators]
    rest += [0] * (size - len(rest))
    cuts, keep, other = [denominator] * size, list(range(size)), list(range(size))
    short = [b for b, share in enumerate(rest) if share < denominator]
    full = [b for b, share in enumerate(rest) if share >= denominator]
    giver = full.pop()  # exact sums: while one is short, another has too much
    while short:
        b = short.pop()
        share, other[b] = rest[b], giver
        if share:
            cuts[b] = share
        # a bucket without a share of its own is the giver's, so that no value outside 0..n is ever
        # stored
        else:
            keep[b] = giver
        rest[giver] -= denominator - share
        if rest[giver] < denominator:
            short.append(giver)
            giver = full.pop()
    return cuts, keep, other


def threshold(numerator: int, denominator: int, bits: int) -> tuple[int, int]:
    """Return the first `bits` binary digits of numerator/denominator, and the numerator of what is
    left.

    2^bits numerator / denominator = t + rest / denominator with 0 <= rest < denominator.

    >>> threshold(1, 3, 4)
    (5, 1)
    """
    return divmod(numerator << bits, denominator)


def settle(
    bucket: Bucket, denominator: int, digits: int, word_bits: int, more: Callable[[int], int]
) -> int:
    """Finish a draw whose word tied with the first `digits` digits of the bucket's cut."""
    if bucket.keep == bucket.other:
        return bucket.keep
    _, rest = threshold(bucket.cut, denominator, digits)
    attempt = 0
    while rest:
        attempt += 1
        mark, rest = threshold(rest, denominator, word_bits)
        word = more(attempt)
        if word != mark:
            return bucket.keep if word < mark else bucket.other
    return bucket.other  # all further digits of the cut are zero, and no fraction is below that


@dataclass(frozen=True, slots=True, kw_only=True)
class AliasTable:
    """The thresholds of one matrix. `values[j, b]` is (keep, other); `marks[j, b]` is T."""

    form: ByColumn
    word_bits: int
    marks: NDArray[np.uint64]
    values: NDArray[np.int8]

    @property
    def nbytes(self) -> int:
        """Size in memory."""
        return self.marks.nbytes + self.values.nbytes


def build_table(form: ByColumn, *, word_bits: int = WORD_BITS) -> AliasTable:
    """Write out the thresholds of all columns. n at most 127, so that every value fits an int8."""
    bits = bucket_bits(form.n)
    digits = word_bits - bits
    if form.n > np.iinfo(np.int8).max or digits < 0:
        raise ValueError(
            "an alias table needs n <= 127 and a word with room for the bucket's number"
        )
    rows: list[tuple[list[int], list[int], list[int]]] = []
    columns = [form.column(j) for j in range(form.n + 1)]
    firsts = [b << digits for b in range(1 << bits)]
    for j, (numerators, denominator) in enumerate(columns):
        if form.n - j < j and _is_upside_down(numerators, denominator, *columns[form.n - j]):
            marks, keep, other = rows[form.n - j]
            rows.append(
                (marks, [form.n - value for value in keep], [form.n - value for value in other])
            )
            continue
        cuts, keep, other = _spread(numerators, denominator, bits)
        # A whole bucket's cut would be 2^digits, one too large; any T will do, since both values
        # agree.
        marks = [
            first + (cut << digits) // denominator if cut < denominator else first
            for first, cut in zip(firsts, cuts, strict=True)
        ]
        rows.append((marks, keep, other))
    written, *both = zip(*rows, strict=True)
    return AliasTable(
        form=form,
        word_bits=word_bits,
        marks=np.array(written, dtype=np.uint64),
        values=np.stack([np.array(values, dtype=np.int8) for values in both], axis=2),
    )


class JoinedTables:
    """Alias tables of several mechanisms in one flat table, for one call that mixes them."""

    __slots__ = ("_bits", "_marks", "_tables", "_values", "_word_bits", "first_row", "nbytes")

    def __init__(self, tables: Sequence[AliasTable]) -> None:
        self._tables = tuple(tables)
        self._word_bits = tables[0].word_bits
        self._bits = max(bucket_bits(table.form.n) for table in tables)
        times = [1 << (self._bits - bucket_bits(table.form.n)) for table in tables]
        self._marks = np.concatenate(
            [np.repeat(t.marks, k, axis=1).ravel() for t, k in zip(tables, times, strict=True)]
        )
        self._values = np.concatenate(
            [np.repeat(t.values, k, axis=1).ravel() for t, k in zip(tables, times, strict=True)]
        )
        rows = [table.form.n + 1 for table in tables]
        self.first_row: NDArray[np.int64] = np.cumsum([0, *rows[:-1]], dtype=np.int64)
        self.nbytes = self._marks.nbytes + self._values.nbytes

    def draw(
        self,
        rows: NDArray[np.int64],
        words: NDArray[np.uint64],
        out: NDArray[np.int8],
        scratch: Scratch,
    ) -> NDArray[np.intp] | None:
        """Draw once for each row of the joined matrix into `out`; return where ties are left, if
        any.

        `rows[k]` is `first_row[which] + count`.
        """
        size, shift = len(rows), np.uint64(self._word_bits - self._bits)
        if compiled := kernel():
            tied = compiled(
                rows, words, self._marks, self._values, shift, np.uint64(self._bits), out
            )
            place = (rows << self._bits) + (words >> shift).view(np.int64) if tied else None
            return None if place is None else np.flatnonzero(self._marks[place] == words)
        place, marks, flags = scratch.place[:size], scratch.marks[:size], scratch.flags[:size]
        shifted = np.left_shift(rows, self._bits, out=scratch.rows[:size])
        np.right_shift(words, shift, out=place.view(np.uint64))
        np.add(place, shifted, out=place)
        self._marks.take(
            place, out=marks, mode="clip"
        )  # places are always in range; "clip" spares a copy
        np.equal(words, marks, out=flags)
        ties = np.flatnonzero(flags) if flags.any() else None
        np.greater_equal(words, marks, out=flags)
        np.add(place, place, out=place)
        np.add(place, flags, out=place)
        self._values.take(place, out=out, mode="clip")
        return ties

    def settle(self, table: int, count: int, word: int, more: Callable[[int], int]) -> int:
        """Settle a tie: build the column's exact buckets again (too large to keep) and compare
        on.
        """
        form = self._tables[table].form
        bits = bucket_bits(form.n)
        digits = self._word_bits - bits
        buckets, denominator = buckets_of(form, count)
        return settle(buckets[word >> digits], denominator, digits, self._word_bits, more)


class Scratch:
    """Space for a chunk of draws, used again for the next chunk so that it stays in the cache."""

    __slots__ = ("flags", "marks", "place", "rows")

    def __init__(self, size: int) -> None:
        self.rows = np.empty(size, dtype=np.int64)
        self.place = np.empty(size, dtype=np.int64)
        self.marks = np.empty(size, dtype=np.uint64)
        self.flags = np.empty(size, dtype=np.bool_)


@cache
def kernel() -> Callable[..., int] | None:
    """Return the compiled loop, or None where NumPy is to do it."""
    if os.environ.get("DISCREET_COMPILED") != "1":
        return None
    try:
        import numba
    except ImportError:
        raise MissingExtra("compiled", "DISCREET_COMPILED=1") from None
    compiled: Callable[..., int] = numba.njit(nogil=True)(_draw_compiled)
    return compiled


def _draw_compiled(
    rows: Any, words: Any, marks: Any, values: Any, shift: Any, bits: Any, out: Any
) -> int:
    """Draw once for each row and return the number of ties; nothing here branches on rows, words
    or values.
    """
    ties = np.uint64(0)
    for k in range(len(rows)):
        word = words[k]
        # unsigned throughout: a signed index is checked for counting from the end, which costs a
        # third of the time
        place = (np.uint64(rows[k]) << bits) + (word >> shift)
        mark = marks[place]
        ties += np.uint64(word == mark)
        out[k] = values[place + place + np.uint64(word >= mark)]
    return int(ties)


class Sized(Protocol):
    """Something that knows its size in memory."""

    @property
    def nbytes(self) -> int:
        """Size in memory, in bytes."""


Thing = TypeVar("Thing", bound=Sized)


class Kept(Generic[Thing]):
    """Things by key, the least recently used dropped when all exceed `limit` bytes (one always
    stays).

    >>> kept = Kept[memoryview](limit=10)
    >>> for key in "abab":
    ...     _ = kept.get(key, lambda: memoryview(bytes(8)))
    >>> len(kept), kept.nbytes
    (1, 8)
    """

    __slots__ = ("_limit", "_lock", "_things", "nbytes")

    def __init__(self, limit: int) -> None:
        self._things: OrderedDict[Hashable, Thing] = OrderedDict()
        self._limit, self.nbytes = limit, 0
        self._renew_lock()
        if hasattr(
            os, "register_at_fork"
        ):  # a lock held by another thread at a fork stays held in the child for ever
            os.register_at_fork(after_in_child=self._renew_lock)

    def _renew_lock(self) -> None:
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._things)

    def get(self, key: Hashable, make: Callable[[], Thing]) -> Thing:
        """Return the thing called `key`, made now if it is not there."""
        with self._lock:
            if key in self._things:
                self._things.move_to_end(key)
                return self._things[key]
        thing = make()  # outside the lock: it may take long, and made twice it is the same
        with self._lock:
            if key not in self._things:
                self._things[key] = thing
                self.nbytes += thing.nbytes
            while self.nbytes > self._limit and len(self._things) > 1:
                _, dropped = self._things.popitem(last=False)
                self.nbytes -= dropped.nbytes
        return thing
