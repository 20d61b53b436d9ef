"""Draws of closed forms for any group sizes in one pass, without a table: binary digits of a
geometric number.

Let G be geometric, P(G = g) = (1-a) a^g, and s a bit that is 1 with chance a/(1+a), independent of
G. The *rank*

    R = 2 G + s,      P(R = r) proportional to a^ceil(r/2)

has independent binary digits: s, and above it those of G, whose chances depend on a alone
(`digit_chances`). Read as 0, -1, 1, -2, 2, ... a rank is a signed number D, D = G where s = 0 and D
= -1-G where s = 1, and

    P(D = d) = (1-a)/(1+a) a^|d|.

**GM** is j + D clamped to 0..n. With 2^B > n only G's lowest B digits matter and whether G >= 2^B,
which is independent of them and puts the output at an end whatever the digits are: B + 2
comparisons.

**EM**: every column is a permutation of column 0, whose exponents ceil(i/2), i = 0..n, are the
ranks' own. So a rank is drawn under the condition R <= n, and then mapped to the output with that
exponent. The condition, with 2^(B-1) <= n < 2^B: draw the lowest B digits, which is R under R <
2^B, and take it if R <= n, else draw again with new words. Small ranks are the likelier ones, so
more than half are taken. The map, for 2j <= n (e is the exponent in `Fair`):

    output j - k and j + k for k = 1..j   has e = k:   ranks 2k-1 and 2k, the R <= 2j,
    output i > 2j                         has e = ceil(i/2):                  rank i,

and for 2j > n everything is mirrored, e(i, j) = e(n-i, n-j).

**The column-honest mechanism** is GM whose answers 0 and n are moved to 1 and n - 1 with chance
(2a-1)/(2a). Whether they would be is one digit more, above the others, drawn for every group and
looked at when the count is.

**Time and words do not depend on the counts.** Which words are taken, which comparisons are made,
whether one ties and whether a rank is drawn again is decided by sizes (public), a and words, before
a count is looked at: `_draw_ranks` is not given the counts. They enter once, in `_outputs`, by
additions, comparisons and selections of whole arrays, and no memory is read at a place that depends
on a count. (That EM draws again tells nothing of the rank that is taken in the end: it has the same
chances after any number of rejections.)

**Words.** Digit 0 of a draw's first rank is decided by the draw's own word (`take`), the others by
the words of the draw's stream from 0 on; after r rejections all digits by those from 64 r on; ties
by `more`, in order. All of it is the draw's and nobody else's, so a draw made again from the same
source is the same, in whatever company: draws are sorted by the length of their size (B), which
only decides who is worked on together.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from discreet.errors import InvalidData, InvalidInput
from discreet.sampler.digit_chances import (
    AtLeast,
    Chance,
    MovedInward,
    SetDigit,
    first_word,
    settle,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from discreet.sampler.drawing import Kind
    from discreet.sampler.words import WordSource

MAX_SIZE = 10**9
ROUND = 64  # words of a stream set aside for one rank; a rank has at most 32 digits
CHUNK = 1 << 13  # draws at a time: a row of their words is 64 KiB


def draw_family(
    kind: Kind,
    alpha: Fraction,
    sizes: NDArray[np.int64],
    counts: NDArray[np.int64],
    source: WordSource,
) -> NDArray[np.int64]:
    """Draw a released count for each k from the closed form of size `sizes[k]` at `counts[k]`.

    GM ("geometric"), EM ("fair") or the column-honest one ("column-honest", sizes of at least 3).

    Each output has exactly the chance of the closed form's column. Any sizes in 0..10^9 may be
    mixed; nothing of a size's length is made.

    >>> from discreet.sampler.words import system_words
    >>> sizes = np.array([3, 10**9])
    >>> drawn = draw_family("geometric", Fraction(1, 2), sizes, sizes, system_words())
    >>> bool((0 <= drawn).all() and (drawn <= sizes).all())
    True
    """
    _check(kind, alpha, sizes, counts)
    base, own = source.taken, source.take(len(sizes))
    lengths = np.searchsorted(_POWERS, sizes, side="right").astype(
        np.uint8
    )  # of the sizes in binary
    order = np.argsort(lengths, kind="stable")
    ends = np.cumsum(np.bincount(lengths)).tolist()
    out = np.empty(len(sizes), dtype=np.int64)
    for length, (first, end) in enumerate(zip([0, *ends], ends, strict=False)):
        for start in range(first, end, CHUNK):
            draws = order[start : min(start + CHUNK, end)]
            n = sizes[draws]
            limits = n if kind == "fair" else None
            ranks = _draw_ranks(
                _digits(kind, alpha, length), own[draws], base + draws, limits, source
            )
            if kind == "column-honest":
                out[draws] = _moved_inward(ranks, length + 2, n, counts[draws])
            else:
                out[draws] = _outputs(kind, ranks, n, counts[draws])
    return out


_POWERS = 1 << np.arange(MAX_SIZE.bit_length(), dtype=np.int64)


def _check(
    kind: Kind, alpha: Fraction, sizes: NDArray[np.int64], counts: NDArray[np.int64]
) -> None:
    if kind not in ("geometric", "fair", "column-honest"):
        raise InvalidInput("kind", "must be geometric, fair or column-honest", kind)
    if type(alpha) is not Fraction or not 0 < alpha <= 1:
        raise InvalidInput("alpha", "must be a Fraction above 0 and at most 1", alpha)
    if (
        sizes.dtype != np.int64
        or counts.dtype != np.int64
        or sizes.ndim != 1
        or sizes.shape != counts.shape
    ):
        raise InvalidInput("counts", "must be as many as `sizes`, both of them flat int64 arrays")
    if len(sizes) and not 0 <= int(sizes.min()) <= int(sizes.max()) <= MAX_SIZE:
        raise InvalidInput("sizes", f"must be in 0..{MAX_SIZE}")
    if kind == "column-honest" and not (2 * alpha > 1 and 3 * alpha <= 2 and (sizes >= 3).all()):
        raise InvalidInput(
            "sizes", "must be at least 3, and alpha above 1/2 and at most 2/3, to be column-honest"
        )
    wrong = counts.view(np.uint64) > sizes.view(np.uint64)  # a negative count is then beyond 2^63
    if wrong.any():
        raise InvalidData("counts", "must be in 0..n of its group", row=1 + int(wrong.argmax()))


class _Digit(NamedTuple):
    """The chance that a binary digit of a rank is 1, and its first 64 bits."""

    chance: Chance
    mark: np.uint64


@lru_cache(maxsize=256)
def _digits(kind: Kind, alpha: Fraction, length: int) -> tuple[_Digit, ...]:
    """The digits of a rank, lowest first, for sizes of `length` binary digits; the last one of GM
    stands for all above.

    GM's ranks so drawn are right up to 2^(length + 1) - 1, and beyond it only that they are: D is
    then at least 2^length > n, or at most -1 - 2^length. Column-honest ones have a digit more, of
    what is done at the ends.
    """
    chances: list[Chance] = [SetDigit(alpha, 0), *(SetDigit(alpha, i) for i in range(length))]
    chances = chances[:length] if kind == "fair" else [*chances, AtLeast(alpha, length)]
    chances += [MovedInward(alpha)] if kind == "column-honest" else []
    return tuple(_Digit(chance, np.uint64(first_word(chance))) for chance in chances)


def _draw_ranks(
    digits: Sequence[_Digit],
    own: NDArray[np.uint64],
    positions: NDArray[np.intp],
    limits: NDArray[np.int64] | None,
    source: WordSource,
) -> NDArray[np.int64]:
    """Draw a rank for each position; where it is above its limit, again."""
    ranks = np.empty(len(positions), dtype=np.int64)
    waiting = np.arange(len(positions))
    ties = _Ties(source)
    rows: Sequence[NDArray[np.uint64]] = [
        own,
        *source.stream(positions, 0, max(0, len(digits) - 1)),
    ]
    for again in count(1):
        drawn = _read(digits, rows, positions[waiting], ties)
        ranks[waiting] = drawn
        if limits is None or not len(waiting := waiting[drawn > limits[waiting]]):
            break
        rows = list(source.stream(positions[waiting], ROUND * again, len(digits)))
    return ranks


def _read(
    digits: Sequence[_Digit],
    rows: Sequence[NDArray[np.uint64]],
    positions: NDArray[np.intp],
    ties: _Ties,
) -> NDArray[np.int64]:
    """Turn words into ranks, highest digit first: row c decides digit c of every draw."""
    ranks = np.zeros(len(positions), dtype=np.int64)
    flags = np.empty(len(positions), dtype=np.bool_)
    tied = []
    for place in range(len(digits) - 1, -1, -1):
        words, mark = rows[place], digits[place].mark
        np.less(words, mark, out=flags)
        np.add(ranks, ranks, out=ranks)
        np.add(ranks, flags, out=ranks)
        if np.equal(words, mark, out=flags).any():
            tied += [(place, k) for k in np.flatnonzero(flags).tolist()]
    for place, k in tied:
        chance, mark = digits[place]
        ranks[k] += int(ties.settle(chance, int(mark), int(positions[k]))) << place
    return ranks


class _Ties:
    """Settles ties with the further words of each draw: the first is attempt 1, wherever in the
    draw it is needed.
    """

    def __init__(self, source: WordSource) -> None:
        self._source = source
        self._attempts: dict[int, count[int]] = {}

    def settle(self, chance: Chance, word: int, position: int) -> bool:
        attempts = self._attempts.setdefault(position, count(1))
        return settle(chance, word, lambda: self._source.more(position, next(attempts)))


def _outputs(
    kind: Kind, ranks: NDArray[np.int64], n: NDArray[np.int64], counts: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Map ranks to outputs; the module's docstring says why these are GM and EM."""
    signed = (ranks >> 1) ^ -(ranks & 1)  # 0, -1, 1, -2, 2, ...
    if kind == "geometric":
        return np.minimum(np.maximum(counts + signed, 0), n)
    mirrored = counts + counts > n
    near = np.where(mirrored, n - counts, counts)
    found = np.where(ranks <= near + near, near + signed, ranks)
    return np.where(mirrored, n - found, found)


def _moved_inward(
    ranks: NDArray[np.int64], place: int, n: NDArray[np.int64], counts: NDArray[np.int64]
) -> NDArray[np.int64]:
    """GM's outputs with 0 as 1 and n as n - 1 where the digit at `place`, the highest one, says
    so.
    """
    found = _outputs("geometric", ranks & ((1 << place) - 1), n, counts)
    moved = ranks >> place
    return np.asarray(found + moved * (found == 0) - moved * (found == n))
