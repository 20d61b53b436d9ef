"""Private counts for a batch of groups: each group's mechanism is that of its size, each count a draw of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from discreet.sampler import draw
from discreet.sampler.words import WordSource, system_words

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from discreet.core.mechanism import Mechanism


class Drawer:
    """Draws for groups of the sizes it knows."""

    def __init__(self, by_size: Mapping[int, Mechanism]) -> None:
        self._sizes = np.array(sorted(by_size), dtype=np.int64)
        self._mechanisms = [by_size[int(size)] for size in self._sizes]

    def draw(
        self, sizes: NDArray[np.int64], counts: NDArray[np.int64], source: WordSource | None = None
    ) -> NDArray[np.int64]:
        """Return a private count in 0..size for each true count."""
        which = np.searchsorted(self._sizes, sizes)
        return draw(self._mechanisms, which, counts, source or system_words()).astype(np.int64, copy=False)
