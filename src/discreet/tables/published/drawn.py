"""The mechanisms of a release: by size for each count, by content id, and as the entries of its container of proofs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from discreet.core.family import BySize, Family
from discreet.core.mechanism import Mechanism


class Drawn(Mapping[str, Mechanism]):
    """Every mechanism of a release by content id, in order of size; none is made before it is asked for.

    `of` gives that of one count and size; `entries` are the proofs, where one may stand for a range of sizes.
    """

    def __init__(self, names: Sequence[str], by_size: Sequence[BySize]) -> None:
        self._by_count = dict(zip(names, by_size, strict=True))

    def of(self, count: str, n: int) -> Mechanism:
        """The mechanism of one count for groups of size n."""
        return self._by_count[count][n]

    def by_size(self, count: str) -> BySize:
        """The mechanisms of one count."""
        return self._by_count[count]

    @cached_property
    def entries(self) -> dict[str, Family | Mechanism]:
        """What is proven, by the name of its proof in the container, in ascending order."""
        found = (entry for by_size in self._by_count.values() for entry in by_size.named.values())
        return dict(sorted({entry.id: entry for entry in found}.items()))

    @cached_property
    def _by_id(self) -> dict[str, Mechanism]:
        distinct = {id(by_size): by_size for by_size in self._by_count.values()}.values()
        found = {mechanism.id: mechanism for by_size in distinct for mechanism in by_size.values()}
        return dict(sorted(found.items(), key=lambda item: (item[1].n, item[0])))

    def __getitem__(self, name: str) -> Mechanism:
        return self._by_id[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_id)

    def __len__(self) -> int:
        return len(self._by_id)
