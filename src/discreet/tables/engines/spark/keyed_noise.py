"""Draws by name: the word of each group and count follows from the release's secret, so a second evaluation agrees."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from discreet.sampler.keyed import KeyedWords, ReleaseSecret
from discreet.tables.engines.spark.key_names import context
from discreet.tables.noise import Drawer

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from discreet.core.mechanism import Mechanism


class KeyedDrawer:
    """Draws one count of one release, batch by batch, in any order and as often as asked."""

    def __init__(self, by_size: Mapping[int, Mechanism], *, secret: bytes, release: str, count: str) -> None:
        self._secret = ReleaseSecret(secret)
        self._drawer = Drawer(by_size)
        self._sizes = np.array(sorted(by_size), dtype=np.int64)
        contexts = [context(release, count, by_size[int(size)].id, int(size)) for size in self._sizes]
        self._contexts = np.frombuffer(b"".join(contexts), dtype=np.uint8).reshape(-1, 32)

    def draw(self, sizes: NDArray[np.int64], counts: NDArray[np.int64], group_names: pa.Array) -> NDArray[np.int64]:
        """Return a private count for each group; `group_names` are the 32-byte names of their keys."""
        names = np.empty((len(sizes), 64), dtype=np.uint8)
        names[:, :32] = _bytes(group_names)
        names[:, 32:] = self._contexts[np.searchsorted(self._sizes, sizes)]
        return self._drawer.draw(sizes, counts, KeyedWords(self._secret, names))


def _bytes(group_names: pa.Array) -> NDArray[np.uint8]:
    """The 32-byte values of a binary column, as rows of an array without copying each."""
    fixed = group_names.cast(pa.binary(32))
    start = fixed.offset * 32
    flat = np.frombuffer(fixed.buffers()[1], dtype=np.uint8)[start : start + 32 * len(fixed)]
    return flat.reshape(-1, 32)
