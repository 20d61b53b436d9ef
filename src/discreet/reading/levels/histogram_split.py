"""Whole histograms that add up: answers to each group's size, children to their parent, answer by
answer.

Top down, like `integer_split`. A parent's histogram X (its answers add up to its people) is shared
among its children:

    minimise  sum_c sum_a (X_ca - x_ca)^2   over whole X_ca >= 0 with  sum_a X_ca = n_c  and  sum_c
              X_ca = X_a.

That is a transportation problem with convex costs, for which taking units greedily is wrong;
successive shortest paths are exact. With prices T_a, each child alone takes the n_c units with the
smallest k + 1/2 - x_ca - T_a (`share_out`, all children of a level at once). That is optimal for
the answers' totals it happens to give. While they are not the parent's, one person is moved from an
answer with too many to one with too few along the cheapest way: an edge from answer a to b is the
child that moves one person from a to b at the least cost, and a way passes through at most k
answers. Costs less prices are never negative, so the ways are found by Dijkstra's algorithm, which
also gives the next prices. Prices start where they balance in the mean, so that few people have to
be moved. Ties go to the first answer and the first child: the result is a function of the estimates
alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heapify, heappop, heappush

import numpy as np
from numpy.typing import NDArray

from discreet.errors import InvalidInput
from discreet.reading.levels.integer_split import share_out
from discreet.reading.levels.tree import Floats, Integers, Tree

Histograms = NDArray[np.int64]
"""One row for each group, one column for each answer."""


def histograms_adding_up(tree: Tree, values: Sequence[Floats]) -> tuple[Histograms, ...]:
    """Return whole histograms that add up, from the estimates [group, answer] of all levels.

    >>> from discreet.reading.levels.tree import make_tree
    >>> tree = make_tree([[5], [2, 3]], [[0, 0]])
    >>> top, parts = histograms_adding_up(
    ...     tree, [np.array([[3.2, 1.8]]), np.array([[0.2, 1.8], [3.0, 0.0]])]
    ... )
    >>> top.tolist(), parts.tolist()
    ([[3, 2]], [[0, 2], [3, 0]])
    """
    for level, sizes in enumerate(tree.sizes):
        given = np.asarray(values[level])
        if given.ndim != 2 or len(given) != len(sizes) or not np.isfinite(given).all():
            rule = (
                f"of level {level} must be a row of finite numbers for each of its {len(sizes)} "
                "groups"
            )
            raise InvalidInput("values", rule)
    found = [_alone(tree.sizes[0], np.asarray(values[0], dtype=np.float64))]
    for level in range(1, tree.depth):
        parents, sizes = tree.parents[level - 1], tree.sizes[level]
        found.append(
            _share_out(found[-1], parents, np.asarray(values[level], dtype=np.float64), sizes)
        )
    return tuple(found)


def _alone(sizes: Integers, values: Floats) -> Histograms:
    """The nearest histogram of each group by itself."""
    groups, answers = values.shape
    owner = np.repeat(np.arange(groups), answers)
    return share_out(sizes, owner, values.ravel(), np.repeat(sizes, answers)).reshape(
        groups, answers
    )


def _share_out(
    wholes: Histograms, parents: Integers, values: Floats, sizes: Integers
) -> Histograms:
    children = np.maximum(np.bincount(parents, minlength=len(wholes)), 1)
    sums = np.stack(
        [np.bincount(parents, weights=column, minlength=len(wholes)) for column in values.T], axis=1
    )
    prices = (wholes - sums) / children[:, None]
    shifted = values + prices[parents]
    found = _alone(sizes, shifted)
    totals = np.stack(
        [np.bincount(parents, weights=column, minlength=len(wholes)) for column in found.T], axis=1
    )
    order = np.argsort(parents, kind="stable")
    ends = np.searchsorted(parents[order], np.arange(len(wholes) + 1))
    for parent in np.flatnonzero((totals != wholes).any(axis=1)):
        rows = order[ends[parent] : ends[parent + 1]]
        found[rows] = _balanced(found[rows], shifted[rows], wholes[parent])
    return found


class _Moves:
    """For every two answers the child that moves one person between them at the least cost;
    heaps, repaired lazily.
    """

    def __init__(self, units: list[list[int]], values: list[list[float]]) -> None:
        self.units, self.values = units, values
        answers = len(values[0])
        self.heaps = {
            (a, b): self._all(a, b) for a in range(answers) for b in range(answers) if a != b
        }

    def _all(self, a: int, b: int) -> list[tuple[float, int]]:
        heap = [(self._cost(child, a, b), child) for child, row in enumerate(self.units) if row[a]]
        heapify(heap)
        return heap

    def _cost(self, child: int, a: int, b: int) -> float:
        """Half the change of the sum of squares if the child moves one person from a to b."""
        units, values = self.units[child], self.values[child]
        return (units[b] - values[b]) - (units[a] - values[a]) + 1

    def cheapest(self, a: int, b: int) -> tuple[float, int] | None:
        """The cost and the child; None if no child has a person at a."""
        heap = self.heaps[a, b]
        while heap:
            cost, child = heap[0]
            if self.units[child][a] and cost == self._cost(child, a, b):
                return cost, child
            heappop(heap)
        return None

    def move(self, child: int, a: int, b: int) -> None:
        """Move one person of a child, and note what its further moves cost now."""
        self.units[child][a] -= 1
        self.units[child][b] += 1
        for one, other in self.heaps:
            if {one, other} & {a, b} and self.units[child][one]:
                heappush(self.heaps[one, other], (self._cost(child, one, other), child))


def _balanced(units: Histograms, values: Floats, wanted: Integers) -> Histograms:
    """Move people until the answers' totals are as wanted, each time along the cheapest way."""
    moves = _Moves(units.tolist(), values.tolist())
    excess = (units.sum(axis=0) - wanted).tolist()
    prices = [0.0] * len(excess)
    while any(left > 0 for left in excess):
        reached, before = _distances(
            moves, prices, [a for a, left in enumerate(excess) if left > 0]
        )
        end = min((b for b, left in enumerate(excess) if left < 0), key=lambda b: (reached[b], b))
        # answers farther than the end keep the end's distance, so that reduced costs stay at least
        # 0
        prices = [
            price + min(far, reached[end]) for price, far in zip(prices, reached, strict=True)
        ]
        way, at = [], end
        while at in before:
            way.append((before[at][1], before[at][0], at))
            at = before[at][0]
        excess[at] -= 1
        excess[end] += 1
        for child, a, b in way:
            moves.move(child, a, b)
    return np.array(moves.units, dtype=np.int64)


def _distances(
    moves: _Moves, prices: Sequence[float], starts: Sequence[int]
) -> tuple[list[float], dict[int, tuple[int, int]]]:
    """Dijkstra over the answers, at reduced costs cost + price_a - price_b, from all of
    `starts`.
    """
    far = [0.0 if a in starts else float("inf") for a in range(len(prices))]
    before: dict[int, tuple[int, int]] = {}
    waiting = set(range(len(prices)))
    while waiting:
        a = min(waiting, key=lambda answer: (far[answer], answer))
        waiting.remove(a)
        if far[a] == float("inf"):
            break
        for b in waiting:
            found = moves.cheapest(a, b)
            if found is not None and far[a] + max(found[0] + prices[a] - prices[b], 0.0) < far[b]:
                far[b] = far[a] + max(found[0] + prices[a] - prices[b], 0.0)
                before[b] = a, found[1]
    return far, before
