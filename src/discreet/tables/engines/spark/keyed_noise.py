"""Words by name: the word of each group and count follows from the release's secret, so a second
evaluation agrees.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from discreet.sampler.keyed import KeyedWords, ReleaseSecret
from discreet.tables.engines.spark.key_names import (
    NAME_BYTES,
    SHORT_TEXT,
    WHOLE_BYTES,
    context,
    hashed_name,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from discreet.tables.histogram_noise import HistogramNoise
    from discreet.tables.noise import CountNoise, Words


def keyed(
    public: Any, secret: bytes, release: str, *, named: bool
) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """What each task does with its batches: keys, size, true counts and group names in; released
    columns out.

    Batches that are not `named` end before the names: those are made here. `public` is the
    broadcast noise. The secret stays in this closure, and so in no file of Spark's.
    """

    def noise(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        group_words = GroupWords(
            public.value.counts, secret=secret, release=release, level=public.value.level
        )
        for batch in batches:
            keys = batch.columns[: public.value.keys]
            names = names_in(batch.column(batch.num_columns - 1)) if named else names_of(keys)
            columns = public.value(batch, group_words.of(names))
            yield pa.RecordBatch.from_arrays(
                columns, names=[f"v{place}" for place in range(len(columns))]
            )

    return noise


class GroupWords:
    """The words of one release, batch by batch, in any order and as often as asked."""

    def __init__(
        self,
        counts: tuple[CountNoise | HistogramNoise, ...],
        *,
        secret: bytes,
        release: str,
        level: int = 0,
    ) -> None:
        self._secret = ReleaseSecret(secret)
        self._contexts = {}
        for part in (part for count in counts for part in count.parts):
            of = partial(context, level=level, domain=part.domain, answer=part.answer)
            sized = zip(part.sizes.tolist(), part.mechanisms, strict=True)
            contexts = b"".join(of(release, part.name, made.id, size) for size, made in sized)
            self._contexts[part.name, part.answer] = np.frombuffer(
                contexts, dtype=np.uint8
            ).reshape(-1, 32)

    def of(self, of_groups: NDArray[np.uint8]) -> Words:
        """The words of a batch whose groups have these names, rows of 32 bytes."""

        def words(
            part: Any, sizes: NDArray[np.int64], rows: NDArray[np.intp] | None = None
        ) -> KeyedWords:
            names = np.empty((len(sizes), 64), dtype=np.uint8)
            names[:, :32] = of_groups if rows is None else of_groups[rows]
            names[:, 32:] = self._contexts[part.name, part.answer][
                np.searchsorted(part.sizes, sizes)
            ]
            return KeyedWords(self._secret, names)

        return words


def names_in(column: pa.Array) -> NDArray[np.uint8]:
    """The 32-byte values of a binary column, as rows of an array without copying each."""
    fixed = column.cast(pa.binary(NAME_BYTES))
    start = fixed.offset * NAME_BYTES
    flat = np.frombuffer(fixed.buffers()[1], dtype=np.uint8)[
        start : start + NAME_BYTES * len(fixed)
    ]
    return flat.reshape(-1, NAME_BYTES)


def names_of(keys: Sequence[pa.Array]) -> NDArray[np.uint8]:
    """The names of groups whose keys are whole numbers, or one text; see `key_names`.

    >>> [bytes(name[:5]) for name in names_of([pa.array([258, None], pa.int32())])]
    [b'i\\x02\\x01\\x00\\x00', b'N\\x00\\x00\\x00\\x00']
    >>> [bytes(name[:5]) for name in names_of([pa.array(["ab", None])])]
    [b's\\x02ab\\x00', b'N\\x00\\x00\\x00\\x00']
    """
    names = np.zeros((len(keys[0]), NAME_BYTES), dtype=np.uint8)
    if pa.types.is_integer(keys[0].type):
        for place, key in enumerate(keys):
            _put_numbers(names[:, place * WHOLE_BYTES : (place + 1) * WHOLE_BYTES], key)
    else:
        _put_texts(names, keys[0].cast(pa.binary()))
    return names


def _put_numbers(names: NDArray[np.uint8], key: pa.Array) -> None:
    names[:, 0] = ord("i")
    # little-endian on every machine, so that the nodes of a mixed cluster agree
    names[:, 1:] = (
        _values(key.cast(pa.int64()), np.int64).astype("<i8").view(np.uint8).reshape(-1, 8)
    )
    _put_null(names, key)


def _put_texts(names: NDArray[np.uint8], key: pa.Array) -> None:
    _, places, held = key.buffers()
    ends = np.frombuffer(places, dtype=np.int32)[key.offset : key.offset + len(key) + 1]
    starts, lengths = ends[:-1], np.diff(ends)
    data = np.frombuffer(held if held and held.size else b"\0", dtype=np.uint8)
    inside = np.arange(SHORT_TEXT, dtype=np.int32)
    found = data.take(starts[:, None] + inside, mode="clip")
    names[:, 0] = ord("s")
    names[:, 1] = lengths.clip(max=SHORT_TEXT)
    names[:, 2 : 2 + SHORT_TEXT] = np.where(inside < lengths[:, None], found, 0)
    for row in np.flatnonzero(lengths > SHORT_TEXT).tolist():
        text = data[starts[row] : ends[row + 1]].tobytes()
        names[row] = np.frombuffer(hashed_name(b"s%d:%s;" % (len(text), text)), dtype=np.uint8)
    _put_null(names, key)


def _put_null(names: NDArray[np.uint8], key: pa.Array) -> None:
    if key.null_count:
        empty = _values(key.is_null().cast(pa.uint8()), np.uint8) == 1
        names[empty] = 0
        names[empty, 0] = ord("N")


def _values(column: pa.Array, kind: type[Any]) -> NDArray[Any]:
    """The numbers in a column by its buffer, whatever stands where there is none: see
    `tables.noise`.
    """
    return np.frombuffer(column.buffers()[1], dtype=kind)[
        column.offset : column.offset + len(column)
    ]
