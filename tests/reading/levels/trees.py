"""Small random trees, and an independent solver for them: dense generalised least squares in fractions."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np

from discreet.reading.levels.tree import Tree, make_tree


def random_tree(rng: np.random.Generator, counts=(1, 3, 7), most=6) -> Tree:
    """A tree with so many groups at each level; every group above the finest has at least one child."""
    parents = []
    for above, here in pairwise(counts):
        chosen = np.concatenate([np.arange(above), rng.integers(0, above, here - above)])
        parents.append(rng.permutation(chosen))
    sizes = [rng.integers(0, most + 1, counts[-1])]
    for parent, above in zip(reversed(parents), reversed(counts[:-1]), strict=True):
        sizes.insert(0, np.bincount(parent, weights=sizes[0], minlength=above).astype(np.int64))
    return make_tree(sizes, parents)


def membership(tree: Tree) -> list[np.ndarray]:
    """For each level the 0/1 matrix that sums finest groups: rows are its groups."""
    found = [np.eye(len(tree.sizes[-1]), dtype=int)]
    for level in range(tree.depth - 2, -1, -1):
        sums = np.zeros((len(tree.sizes[level]), len(tree.sizes[level + 1])), dtype=int)
        sums[tree.parents[level], np.arange(sums.shape[1])] = 1
        found.insert(0, sums @ found[0])
    return found


def solve(matrix: list[list[Fraction]], right: list[list[Fraction]]) -> list[list[Fraction]]:
    """Solve by Gauss and Jordan, in fractions."""
    n = len(matrix)
    rows = [list(a) + list(b) for a, b in zip(matrix, right, strict=True)]
    for k in range(n):
        pivot = next(i for i in range(k, n) if rows[i][k])
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [value / rows[k][k] for value in rows[k]]
        for i in range(n):
            if i != k and rows[i][k]:
                rows[i] = [a - rows[i][k] * b for a, b in zip(rows[i], rows[k], strict=True)]
    return [row[n:] for row in rows]


def least_squares(measured: np.ndarray, variances) -> list[list[Fraction]]:
    """The weights of the best linear unbiased estimate of the finest groups.

    `measured` has a row of 0 and 1 for each value, `variances` its variance: infinite for no information, 0 for a
    group of nobody, which must be the finest group's own and is left out of all sums.
    """
    known = [k for k, v in enumerate(variances) if 0 < v < np.inf]
    alive = [
        c
        for c in range(measured.shape[1])
        if any(measured[k, c] and measured[k].sum() == 1 for k in known)
    ]
    a = [[Fraction(int(measured[k, c])) for c in alive] for k in known]
    w = [1 / Fraction(variances[k]) for k in known]
    normal = [
        [sum(w[k] * a[k][i] * a[k][j] for k in range(len(a))) for j in range(len(alive))]
        for i in range(len(alive))
    ]
    right = [[w[k] * a[k][i] for k in range(len(a))] for i in range(len(alive))]
    solved = solve(normal, right)
    full = [[Fraction(0)] * len(variances) for _ in range(measured.shape[1])]
    for c, row in zip(alive, solved, strict=True):
        for k, value in zip(known, row, strict=True):
            full[c][k] = value
    return full
