"""Linear unbiased estimates on a tree, in one pass up and one down.

Given for every group a debiased value z with a fixed working variance s (`level_noise`), the least
squares fit that adds up is found as follows. Upwards, m and v are the best estimate of a group from
itself and all below it, and its variance; c and d are the sums of m and v over a group's children:

    finest:  m = z, v = s           others:  g = d/(d+s),   m = g z + (1-g) c,   v = g s

Downwards, what the levels above know is shared among the children in proportion to their variances:

    coarsest:  x = m                below:  x = m + r (x_parent - c_parent),   r = v/d_parent

Both passes are linear in z with weights that do not depend on the outputs, so x is unbiased
whatever the true counts; it is best if the working variances are the true ones (Gauss-Markov).
`carried` takes any sum over the noise terms, sum_k W_k^p q_k, through the same two passes: the
variance of every estimate for any variances q of the values, and what else intervals are made of,
and `largest` the maximum of |W_k| q_k. Both rest on this: with K the weight of m in x, and C = K
(1-g) that of c,

    x = K m + R,   K = 1 + r (C_parent - 1),   R = r ((C_parent - 1) (c_parent - m) + rest of
                   x_parent),

where K m and R are made of different noise terms.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from discreet.errors import InvalidInput
from discreet.reading.levels.tree import Floats, Integers, Levels, Tree, blocks


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Passes:
    """The weights of the two passes, of a tree and its working variances."""

    tree: Tree
    own: Levels
    """g: the weight of a group's own value against its children's."""
    share: Levels
    """r: what a child takes of its parent's correction; 0 at the coarsest level."""
    kept: Levels
    """K: the weight of m in x."""

    def fit(self, values: Sequence[Floats]) -> Levels:
        """Return the estimates of all groups from their debiased values; parts add up to wholes,
        in floats.
        """
        tree, last = self.tree, self.tree.depth - 1
        best: list[Floats] = [np.asarray(values[last], dtype=np.float64)]
        below: list[Floats] = []
        for level in range(last - 1, -1, -1):
            below.insert(0, tree.sums(level, best[0]))
            own = self.own[level]
            best.insert(0, np.where(own > 0, own * values[level] + (1 - own) * below[0], below[0]))
        found = [best[0]]
        for level in range(1, tree.depth):
            parent = tree.parents[level - 1]
            correction = found[-1] - below[level - 1]
            found.append(best[level] + self.share[level] * correction[parent])
        return tuple(found)

    def carried(self, terms: Sequence[Floats], power: int = 2) -> Levels:
        """Return sum_k W_k^p q_k for every estimate, of one number q for each value; p must be 2
        or 4.
        """
        tree, last = self.tree, self.tree.depth - 1
        best: list[Floats] = [np.asarray(terms[last], dtype=np.float64)]
        below: list[Floats] = []
        for level in range(last - 1, -1, -1):
            below.insert(0, tree.sums(level, best[0]))
            own = self.own[level]
            best.insert(0, own**power * terms[level] + (1 - own) ** power * below[0])
        found, rest = [best[0]], np.zeros(len(best[0]))
        for level in range(1, tree.depth):
            above, parent = level - 1, tree.parents[level - 1]
            apart = (
                rest + (self.kept[above] * self.own[above]) ** power * terms[above]
            )  # of x_parent, without c_parent
            turned = (self._through(above) - 1) ** power
            children = below[above] * turned
            whole, rest = np.empty(len(parent)), np.empty(len(parent) if level < last else 0)
            for rows in blocks(len(parent)):
                mine, at = best[level][rows], parent[rows]
                siblings = children[at] - mine * turned[at]
                other = _power(self.share[level][rows], power) * (siblings + apart[at])
                whole[rows] = _power(self.kept[level][rows], power) * mine + other
                if level < last:
                    rest[rows] = other
            found.append(whole)
        return tuple(found)

    def largest(self, terms: Sequence[Floats]) -> Levels:
        """Return max_k |W_k| q_k for every estimate, of one number q >= 0 for each value."""
        tree, last = self.tree, self.tree.depth - 1
        best: list[Floats] = [np.asarray(terms[last], dtype=np.float64)]
        for level in range(last - 1, -1, -1):
            highest = _highest(tree.parents[level], best[0], len(tree.sizes[level]))
            best.insert(
                0, np.maximum(self.own[level] * terms[level], (1 - self.own[level]) * highest)
            )
        found, rest = [best[0]], np.zeros(len(best[0]))
        for level in range(1, tree.depth):
            above, parent = level - 1, tree.parents[level - 1]
            apart = np.maximum(rest, self.kept[above] * self.own[above] * terms[above])
            first, second = _two_highest(parent, best[level], len(tree.sizes[above]))
            turned = np.abs(self._through(above) - 1)
            whole, rest = np.empty(len(parent)), np.empty(len(parent) if level < last else 0)
            for rows in blocks(len(parent)):
                mine, at = best[level][rows], parent[rows]
                siblings = np.where(mine == first[at], second[at], first[at])
                other = self.share[level][rows] * np.maximum(turned[at] * siblings, apart[at])
                whole[rows] = np.maximum(self.kept[level][rows] * mine, other)
                if level < last:
                    rest[rows] = other
            found.append(whole)
        return tuple(found)

    def _through(self, level: int) -> Floats:
        """C: the weight of the sum over a group's children in its estimate."""
        return self.kept[level] * (1 - self.own[level])


def make_passes(tree: Tree, working: Sequence[Floats]) -> Passes:
    """Compute the weights of the two passes from one working variance for each group, infinite
    for no information.
    """
    if len(working) != tree.depth:
        raise InvalidInput(
            "working", f"must hold one array for each of the {tree.depth} levels", len(working)
        )
    last = tree.depth - 1
    if not np.isfinite(working[last]).all():
        rule = "must be above 0 for the finest level: nothing else tells its groups apart"
        raise InvalidInput("level_split", rule, remedy="leave the level out, or give it a share")
    variance: list[Floats] = [np.asarray(working[last], dtype=np.float64)]
    own: list[Floats] = [np.ones(len(working[last]))]
    share: list[Floats] = []
    for level in range(last - 1, -1, -1):
        below = tree.sums(level, variance[0])
        share.insert(0, _ratio(variance[0], below[tree.parents[level]]))
        known = np.isfinite(working[level])
        given = np.where(known, working[level], 0.0)
        own.insert(0, np.where(known, _ratio(below, below + given), 0.0))
        variance.insert(0, np.where(known, own[0] * given, below))
    share.insert(0, np.zeros(len(variance[0])))
    kept: list[Floats] = [np.ones(len(variance[0]))]
    for level in range(1, tree.depth):
        through = (kept[-1] * (1 - own[level - 1]))[tree.parents[level - 1]]
        kept.append(1 + share[level] * (through - 1))
    return Passes(tree=tree, own=tuple(own), share=tuple(share), kept=tuple(kept))


def adding_exactly(tree: Tree, values: Sequence[Floats]) -> Levels:
    """Move estimates that add up in floats to the nearest multiples of one power of two that add up
    exactly.

    The multiple is so small that sums of any of them, in any order, are exact in floats: for ten
    million people 2^-26. What rounding leaves over goes to the children of a parent one multiple
    each, in order, but never to a group of nobody, whose estimate is 0.
    """
    reach = max(1.0, *(float(np.abs(level).sum()) for level in values))
    unit = 2.0 ** (np.ceil(np.log2(reach)) - 50)
    found = [np.round(values[0] / unit)]
    for level in range(1, tree.depth):
        rows = np.flatnonzero(tree.sizes[level] > 0)
        parent, groups = tree.parents[level - 1][rows], len(tree.sizes[level - 1])
        if (parent[1:] < parent[:-1]).any():
            order = np.argsort(parent, kind="stable")
            rows, parent = rows[order], parent[order]
        near = np.round(values[level][rows] / unit)
        left = found[-1] - np.bincount(parent, weights=near, minlength=groups)
        children = np.bincount(parent, minlength=groups)
        place = np.arange(len(rows)) - np.searchsorted(parent, np.arange(groups))[parent]
        each, extra = np.divmod(left, np.maximum(children, 1))
        whole = np.zeros(len(tree.sizes[level]))
        whole[rows] = near + each[parent] + (place < extra[parent])
        found.append(whole)
    return tuple(level * unit for level in found)


def _ratio(part: Floats, whole: Floats) -> Floats:
    return np.divide(part, whole, out=np.zeros(len(part)), where=whole > 0)


def _highest(index: Integers, values: Floats, groups: int) -> Floats:
    found = np.zeros(groups)
    np.maximum.at(found, index, values)
    return found


def _two_highest(index: Integers, values: Floats, groups: int) -> tuple[Floats, Floats]:
    """The highest value of each group, and the next one: the same again where several have the
    highest.
    """
    first, second, times = (
        _highest(index, values, groups),
        np.zeros(groups),
        np.zeros(groups, dtype=np.int64),
    )
    for rows in blocks(len(index)):
        mine, at = values[rows], index[rows]
        top = mine == first[at]
        np.add.at(times, at[top], 1)
        np.maximum.at(second, at, np.where(top, 0.0, mine))
    return first, np.where(times > 1, first, second)


def _power(values: Floats, power: int) -> Floats:
    """An even power by squares, which are much faster than powers."""
    square = values * values
    return square if power == 2 else _power(square, power // 2)
