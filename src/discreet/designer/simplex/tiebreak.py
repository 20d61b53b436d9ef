"""Which optimum, when there are many: a stated rule, so that every run, machine and solver gives one matrix.

The rule, in order:

1. If prior and loss are symmetric, only symmetric matrices are considered (Theorem 1: nothing is lost).
2. Among the optima, the matrix with the smallest `sum_ij weight(i, j, 1) * Pr[i|j]`, where

       weight(i, j, level) = (i - j)^2 * 2^32 + h(i, j, level)

   and h is a fixed 32-bit hash of its arguments (the upper half of splitmix64 at
   `level * 2^48 + i * 2^24 + j`). In words: the least squared error, with the hash to leave no ties.
3. If that still left a tie, the smallest sum at level 2, then 3, and so on.

The rule is applied exactly. The multipliers of the optimal basis are computed for the cost and for the levels; when
every tight inequality has a multiplier that is lexicographically positive, no other matrix has the same cost and
the same sums, so the answer is *proven* unique and cannot depend on how it was found.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from discreet.designer.lp.program import Program

LEVELS = 4
EVEN = 1000
"""Weights of a prior that differ by less than this factor are nearly even."""


def tie_weights(program: Program, level: int) -> list[int]:
    """Fold the tie-break's weights onto the program's variables."""
    size = program.problem.n + 1
    i, j = np.indices((size, size))
    weight = (i - j) ** 2 * (1 << 32) + _hash(i, j, level)
    folded = np.zeros(program.cells, dtype=np.int64)
    np.add.at(folded, program.variable.ravel(), weight.ravel())
    return [int(value) for value in folded]


def _hash(i: NDArray[np.int64], j: NDArray[np.int64], level: int) -> NDArray[np.int64]:
    """Compute the upper 32 bits of splitmix64, a fixed mixing of 64-bit integers."""
    z = ((level << 48) + (i << 24) + j).astype(np.uint64) + np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return ((z ^ (z >> np.uint64(31))) >> np.uint64(32)).astype(np.int64)


def leaning_cost(program: Program, tie: list[int]) -> NDArray[np.float64]:
    """The cost for the float solve, leaning toward the tie-break, so that one solve does both.

    Where ties are likely the lean is a ten-thousandth of the cost, and both are magnified to stand clear of the
    solver's tolerances. Elsewhere it is as small as they allow; a prior whose weights differ much has no room for it.
    """
    cost = np.array([value / program.scale for value in program.cost])
    lean = np.array(tie, dtype=np.float64) / max(tie)
    if program.inputs:
        most = max((abs(amount) for entries in program.inputs for _, amount in entries), default=0) or 1
        return np.append(1e-4 * most / program.scale / (program.problem.n + 1) * lean, 1.0)
    largest = float(np.abs(cost).max()) or 1.0
    if program.costs.flat:
        return (cost / largest + 1e-4 * lean) * 1e4
    weights = program.costs.weight
    return cost / largest + 1e-7 * lean if max(weights) <= EVEN * min(weights) else cost
