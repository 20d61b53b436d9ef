"""What the sampler's tests share: word sources that follow a script, and a matrix that is only a matrix."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from typing import Any

import numpy as np


class Scripted:
    """Hands out given words; further words come from a function of (position, attempt) and are noted.

    The stream of a draw follows from its own word, wherever that stands.
    """

    private = True

    def __init__(
        self, words: Sequence[int], more: Callable[[int, int], int] = lambda position, attempt: 0
    ) -> None:
        self.words, self._more, self.taken, self.asked = list(words), more, 0, []

    def take(self, count: int) -> np.ndarray[Any, Any]:
        taken = self.words[self.taken : self.taken + count]
        assert len(taken) == count, "more words taken than there are draws"
        self.taken += count
        return np.array(taken, dtype=np.uint64)

    def more(self, position: int, attempt: int) -> int:
        self.asked.append((position, attempt))
        return self._more(position, attempt)

    def stream(
        self, positions: np.ndarray[Any, Any], first: int, count: int
    ) -> np.ndarray[Any, Any]:
        own = [self.words[position] for position in positions.tolist()]
        rows = [[hash((word, k, 7)) % 2**64 for word in own] for k in range(first, first + count)]
        return np.array(rows, dtype=np.uint64).reshape(count, len(own))


@dataclass(frozen=True)
class Plain:
    """A matrix given by its columns of integers over one denominator; private or not does not matter here."""

    columns: tuple[tuple[int, ...], ...]
    denominator: int
    wobble: int = (
        0  # how far bounds are pushed below the truth, unevenly, to be as sloppy as allowed
    )

    @property
    def n(self) -> int:
        return len(self.columns) - 1

    @cached_property
    def id(self) -> str:
        return repr(self)

    @property
    def form(self) -> Plain:
        return self

    def column(self, j: int) -> tuple[tuple[int, ...], int]:
        return self.columns[j], self.denominator

    def cumulative_bounds(self, j: int, bits: int) -> tuple[list[int], int]:
        exact = [(total << bits) // self.denominator for total in accumulate(self.columns[j])]
        if (1 << bits) % self.denominator == 0 and not self.wobble:
            return exact, 0
        pushed = [max(0, bound - (k * 5) % (self.wobble + 1)) for k, bound in enumerate(exact)]
        return pushed, self.wobble + 1


class _Unscripted(Exception):
    pass


def outcomes(
    settle: Callable[[Callable[[int], int]], int], bits: int, depth: int
) -> Iterator[tuple[int | None, Fraction]]:
    """Run a draw's tie path on every sequence of up to `depth` further words: (value, chance), None for "not yet"."""

    def explore(script: list[int]) -> Iterator[tuple[int | None, Fraction]]:
        def more(attempt: int) -> int:
            if attempt > len(script):
                raise _Unscripted
            return script[attempt - 1]

        try:
            yield settle(more), Fraction(1, 1 << (bits * len(script)))
        except _Unscripted:
            if len(script) == depth:
                yield None, Fraction(1, 1 << (bits * depth))
            else:
                for word in range(1 << bits):
                    yield from explore([*script, word])

    return explore([])
