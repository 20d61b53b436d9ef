"""What a group's true answer can be: points, what one person can change, distance, symmetry.

A mechanism is a matrix over a domain. The paper's domain is the counts 0..n, where one person moves the count by one.
Points are numbered 0, 1, ..., size-1; `core.properties` writes every property over points, neighbours and distances.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Counts:
    """The counts 0..n of n people.

    >>> Counts(2).steps, Counts(2).mirror(0), Counts(4).distance(1, 3)
    ((((0, 1), (1, 2)), ((1, 0), (2, 1))), 2, 2)
    """

    n: int

    @property
    def size(self) -> int:
        """How many points there are."""
        return self.n + 1

    @property
    def steps(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """Every pair of neighbours, both ways, by direction: up, then down."""
        up = tuple((j, j + 1) for j in range(self.n))
        return up, tuple((k, j) for j, k in up)

    # Points may be numbers or arrays of them: the formula is the same.

    def distance(self, a: Any, b: Any) -> Any:
        """How many people must change for one point to become the other."""
        return abs(a - b)

    def mirror(self, point: Any) -> Any:
        """The point with yes and no exchanged."""
        return self.n - point
