"""Words by name: the word of each group and count follows from the release's secret, so a second evaluation agrees."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from discreet.sampler.keyed import KeyedWords, ReleaseSecret
from discreet.tables.engines.spark.key_names import context

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from discreet.tables.histogram_noise import HistogramNoise
    from discreet.tables.noise import CountNoise, Words


def keyed(public: Any, secret: bytes, release: str) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """What each task does with its batches: keys, size, true counts and group names in; released columns out.

    `public` is the broadcast noise. The secret stays in this closure, and so in no file of Spark's.
    """

    def noise(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        group_words = GroupWords(public.value.counts, secret=secret, release=release, level=public.value.level)
        for batch in batches:
            columns = public.value(batch, group_words.of(batch.column(batch.num_columns - 1)))
            yield pa.RecordBatch.from_arrays(columns, names=[f"v{place}" for place in range(len(columns))])

    return noise


class GroupWords:
    """The words of one release, batch by batch, in any order and as often as asked."""

    def __init__(
        self, counts: tuple[CountNoise | HistogramNoise, ...], *, secret: bytes, release: str, level: int = 0
    ) -> None:
        self._secret = ReleaseSecret(secret)
        self._contexts = {}
        for part in (part for count in counts for part in count.parts):
            of = partial(context, level=level, domain=part.domain, answer=part.answer)
            sized = zip(part.sizes.tolist(), part.mechanisms, strict=True)
            contexts = b"".join(of(release, part.name, made.id, size) for size, made in sized)
            self._contexts[part.name, part.answer] = np.frombuffer(contexts, dtype=np.uint8).reshape(-1, 32)

    def of(self, group_names: pa.Array) -> Words:
        """The words of a batch whose groups have these 32-byte names."""
        of_groups = _bytes(group_names)

        def words(part: Any, sizes: NDArray[np.int64], rows: NDArray[np.intp] | None = None) -> KeyedWords:
            names = np.empty((len(sizes), 64), dtype=np.uint8)
            names[:, :32] = of_groups if rows is None else of_groups[rows]
            names[:, 32:] = self._contexts[part.name, part.answer][np.searchsorted(part.sizes, sizes)]
            return KeyedWords(self._secret, names)

        return words


def _bytes(group_names: pa.Array) -> NDArray[np.uint8]:
    """The 32-byte values of a binary column, as rows of an array without copying each."""
    fixed = group_names.cast(pa.binary(32))
    start = fixed.offset * 32
    flat = np.frombuffer(fixed.buffers()[1], dtype=np.uint8)[start : start + 32 * len(fixed)]
    return flat.reshape(-1, 32)
