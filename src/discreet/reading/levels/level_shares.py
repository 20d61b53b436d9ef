"""How to share epsilon among the levels, from public sizes and mechanisms alone, and what each
level will be worth.

A level's draws are made at its share of epsilon. The more a level gets, the better it is known, and
through the sums all others too; the rest has less. Let S_l(p) be the standard error of level l's
estimates (`two_passes`) at the shares p: the root of their mean variance over the level's groups,
at the working variances, which are those of a stated prior. Let S_l be what it is if level l alone
is given all of epsilon. The shares minimise

    sum_l importance_l * S_l(p) / S_l     over shares that are whole hundredths, each at least one,
                                          and add up to 1:

the mean factor by which a level is worse off than if everything had been spent on it. Groups of
nobody are left out of the means.

With equal importances, the default, that mean alone could ruin one level for the sake of another.
So three things come before it, in this order. No level gets less than a third of an equal share
(`least_part`): its own table is published too, and must make sense to whoever reads nothing else.
The finest level, which most tables are made for, becomes at most one and a half times as noisy as
it is without coarser levels (`FINEST_AT_MOST`). And no coarser level is noisier than sums of a
release of the finest alone would be; where no shares are like that, those that come nearest to it
are taken, and a plan says what that costs. Whoever gives importances has said what may become
worse: then the mean alone decides. This is the one rule for the command line, Python and the
studio.

There can be several local minima, because a level that adds little to its children is best given
nearly nothing. The search is deterministic: from several starts (equal shares, and most of it for
each level in turn) move 16, 8, 4, 2, 1 hundredths from one level to another, the best move first,
until none helps; the best end is taken. Each trial is one linear pass; finest groups of one parent
and one size are one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations

import numpy as np

from discreet.core.rationals import Exact, read_fraction
from discreet.errors import InvalidInput
from discreet.reading.levels.level_estimates import spread
from discreet.reading.levels.level_noise import LevelNoise, Working, geometric_noise, unreleased
from discreet.reading.levels.tree import Floats, Integers, Tree
from discreet.reading.levels.two_passes import make_passes

Noise = Callable[[Integers, float], LevelNoise]
"""The noise of groups of some sizes whose draws are made at some epsilon above 0."""
Cost = tuple[float, float, float]
"""By how much the finest level is too noisy, and the coarser ones noisier than without levels,
and the mean factor.
"""
PARTS = 100
"""Of epsilon, in which shares are chosen."""
_MOVES = (16, 8, 4, 2, 1)
FINEST_AT_MOST = 1.5
"""How many times as noisy as without coarser levels the finest may become."""
TENTH = Fraction(1, 10)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlook:
    """What a level will be worth: root mean squares, over its groups, of the estimates' standard
    errors.
    """

    share: Fraction
    standard_error: float
    """At the working variances, those of the stated prior."""
    worst_error: float
    """At the worst true counts."""
    tenth_more: tuple[float, ...] | None
    """Of every level, if this one had a tenth of epsilon more and the others gave it in
    proportion; None: it cannot.
    """
    tenth_less: tuple[float, ...] | None


def geometric_at(working: Working = "middle") -> Noise:
    """Return what `choose_shares` needs for a level that is released with GM, under a working
    prior.
    """
    return lambda sizes, epsilon: geometric_noise(sizes, float(np.exp(-epsilon)), working=working)


def choose_shares(
    tree: Tree,
    epsilon: float,
    *,
    noises: Sequence[Noise] | None = None,
    importance: Sequence[Exact] | None = None,
) -> tuple[Fraction, ...]:
    """Choose the share of each level; `epsilon` is what a draw would be made at with all of it (of
    the count's share).

    >>> from discreet.reading.levels.tree import make_tree
    >>> tree = make_tree([[80], [40, 40], [10] * 8], [[0, 0], [0, 0, 0, 0, 1, 1, 1, 1]])
    >>> [str(share) for share in choose_shares(tree, 1.0)]
    ['11/100', '11/100', '39/50']
    """
    _check(epsilon)
    made = [geometric_at()] * tree.depth if noises is None else list(noises)
    small = compressed(tree)

    def errors(parts: Sequence[int]) -> Floats:
        at = [epsilon * part / PARTS for part in parts]
        levels = zip(made, small.sizes, at, strict=True)
        working = [make(n, e).working if e else unreleased(n).working for make, n, e in levels]
        return np.sqrt(_mean_variances(small, working))

    return best_shares(errors, tree.depth, importance)


def best_shares(
    errors: Callable[[Sequence[int]], Floats], depth: int, importance: Sequence[Exact] | None = None
) -> tuple[Fraction, ...]:
    """Choose the shares whose standard errors, a function of hundredths of each level, are best;
    the finest is last.
    """
    weights = _importances(depth, importance)
    known: dict[tuple[int, ...], Cost] = {}
    rows = [errors(row) for row in _alone(depth)]
    alone, without = [float(row[level]) for level, row in enumerate(rows)], rows[-1]
    finest = FINEST_AT_MOST * float(without[-1])
    even = len(set(weights)) == 1
    least = least_part(depth) if even else 1

    def cost(parts: tuple[int, ...]) -> Cost:
        if parts not in known:
            found = errors(parts)
            mean = sum(
                w * e / best for w, e, best in zip(weights, found, alone, strict=True) if best > 0
            )
            worse = (
                (_beyond(found[-1:], [finest]), _beyond(found[:-1], without[:-1]))
                if even
                else (0.0, 0.0)
            )
            known[parts] = (*worse, float(mean))
        return known[parts]

    starts = _starts(depth, least)
    # from equal shares in small steps too: a large one can jump over the nearest end
    tries = [(starts[0], _MOVES[2:]), *((start, _MOVES) for start in starts)]
    ends = [_descend(start, cost, steps, least) for start, steps in tries]
    best = min(ends, key=lambda parts: (cost(parts), parts))
    return tuple(Fraction(part, PARTS) for part in best)


def _beyond(errors: Iterable[float], most: Iterable[float]) -> float:
    """By which part the worst of some errors exceeds what it may be; 0 where none does."""
    over = (
        float(error / bound) - 1 for error, bound in zip(errors, most, strict=True) if bound > 0
    )
    return max(round(max(over, default=0.0), 6), 0.0)


def least_part(depth: int) -> int:
    """How many hundredths each of so many levels gets at least where all matter alike: a third of
    an equal share.

    >>> [least_part(depth) for depth in (1, 2, 3, 4, 60)]
    [33, 16, 11, 8, 1]
    """
    return max(PARTS // (3 * depth), 1)


def outlook(
    tree: Tree, epsilon: float, shares: Sequence[Exact], *, noises: Sequence[Noise] | None = None
) -> tuple[Outlook, ...]:
    """Tell the standard errors that shares will give, and what a tenth of epsilon more or less
    for a level changes.
    """
    _check(epsilon)
    made = [geometric_at()] * tree.depth if noises is None else list(noises)
    return outlooks(
        lambda given: _errors(tree, epsilon, given, made), read_shares(tree.depth, shares)
    )


def outlooks(
    errors: Callable[[Sequence[Fraction]], tuple[tuple[float, ...], tuple[float, ...]]],
    shares: Sequence[Fraction],
) -> tuple[Outlook, ...]:
    """Tell what shares give, of a function that gives each level's standard error, at work and
    at worst.
    """
    now, worst = errors(shares)
    found = []
    for level, share in enumerate(shares):
        changed = [_shifted(shares, level, by) for by in (TENTH, -TENTH)]
        more, less = (None if to is None else errors(to)[0] for to in changed)
        found.append(
            Outlook(
                share=share,
                standard_error=now[level],
                worst_error=worst[level],
                tenth_more=more,
                tenth_less=less,
            )
        )
    return tuple(found)


def read_shares(levels: int, shares: Sequence[Exact]) -> tuple[Fraction, ...]:
    """Read exact shares: one for each level, none negative, the finest above 0, adding up to 1."""
    read = tuple(read_fraction("level_split", share) for share in shares)
    if len(read) != levels:
        raise InvalidInput(
            "level_split", f"must hold one share for each of the {levels} levels", len(read)
        )
    if min(read) < 0 or sum(read) != 1:
        rule = "must be shares of at least 0 that add up to 1 exactly"
        raise InvalidInput(
            "level_split", rule, ", ".join(map(str, read)), remedy="write them as '1/10' or '0.1'"
        )
    if read[-1] == 0:
        rule = "must be above 0 for the finest level: nothing else tells its groups apart"
        raise InvalidInput("level_split", rule, remedy="leave the level out, or give it a share")
    return read


def _errors(
    tree: Tree, epsilon: float, shares: Sequence[Fraction], made: Sequence[Noise]
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    levels = zip(made, tree.sizes, shares, strict=True)
    noises = [
        make(n, epsilon * float(share)) if share else unreleased(n) for make, n, share in levels
    ]
    known = spread(make_passes(tree, [noise.working for noise in noises]), noises)
    rows = [(sizes > 0) * times for sizes, times in zip(tree.sizes, _times(tree), strict=True)]
    working, worst = (
        tuple(
            float(np.sqrt(v @ r / max(r.sum(), 1.0))) for v, r in zip(variances, rows, strict=True)
        )
        for variances in (known.working, known.worst)
    )
    return working, worst


def _shifted(shares: Sequence[Fraction], level: int, by: Fraction) -> tuple[Fraction, ...] | None:
    """The shares if one level had so much more and the others gave it in proportion; None if
    that is impossible.
    """
    target, rest = shares[level] + by, 1 - shares[level]
    if not 0 <= target < 1 or not rest or (target == 0 and level == len(shares) - 1):
        return None
    return tuple(
        target if k == level else share * (1 - target) / rest for k, share in enumerate(shares)
    )


def _alone(levels: int) -> list[list[int]]:
    """All of epsilon for each level in turn; the finest keeps a hundredth, so that its groups
    have an estimate.
    """
    rows = [[PARTS - 1 if k == level else 0 for k in range(levels)] for level in range(levels)]
    for row in rows:
        row[-1] += 1
    return rows


def _starts(levels: int, least: int) -> list[tuple[int, ...]]:
    equal = tuple(PARTS // levels + (level < PARTS % levels) for level in range(levels))
    rest = PARTS - least * (levels - 1)
    most = [tuple(rest if k == level else least for k in range(levels)) for level in range(levels)]
    return [equal, *most]


def _descend(
    parts: tuple[int, ...],
    cost: Callable[[tuple[int, ...]], Cost],
    steps: Sequence[int],
    least: int,
) -> tuple[int, ...]:
    """Make the best move of hundredths again and again, in ever smaller steps, until none helps."""
    for step in steps:
        while True:
            best = min([parts, *_moved(parts, step, least)], key=lambda trial: (cost(trial), trial))
            if cost(best) >= cost(parts):
                break
            parts = best
    return parts


def _moved(parts: tuple[int, ...], step: int, least: int) -> list[tuple[int, ...]]:
    """All ways to move `step` hundredths, or what can be spared down to the least, from a level
    to another.
    """
    found = []
    for giver, taker in permutations(range(len(parts)), 2):
        if given := min(step, parts[giver] - least):
            moved = list(parts)
            moved[giver] -= given
            moved[taker] += given
            found.append(tuple(moved))
    return found


def compressed(tree: Tree) -> Tree:
    """The tree with finest groups of one parent and one size made one, which stands for all of
    them.
    """
    if tree.copies is not None:
        return tree
    sizes = tree.sizes[-1]
    parent = tree.parents[-1] if tree.parents else np.zeros(len(sizes), dtype=np.int64)
    pairs, copies = np.unique(np.stack([parent, sizes], axis=1), axis=0, return_counts=True)
    parents = (*tree.parents[:-1], pairs[:, 0]) if tree.parents else ()
    return Tree(
        sizes=(*tree.sizes[:-1], pairs[:, 1]), parents=parents, copies=copies.astype(np.float64)
    )


def _times(tree: Tree) -> list[Floats]:
    """How many groups each row stands for."""
    once = [np.ones(len(sizes)) for sizes in tree.sizes]
    return once if tree.copies is None else [*once[:-1], tree.copies]


def _mean_variances(tree: Tree, working: Sequence[Floats]) -> list[float]:
    """The mean variance of each level's estimates: v up, and down v - r v + r^2 V_parent, with r
    = v/d_parent.
    """
    best: list[Floats] = [working[-1]]
    below: list[Floats] = []
    for level in range(tree.depth - 2, -1, -1):
        below.insert(0, tree.sums(level, best[0]))
        known = np.isfinite(working[level])
        given = np.where(known, working[level], 0.0)
        both = below[0] + given
        joined = np.divide(below[0] * given, both, out=np.zeros(len(both)), where=both > 0)
        best.insert(0, np.where(known, joined, below[0]))
    found, variance = [], best[0]
    for level, times in enumerate(_times(tree)):
        if level:
            parent = tree.parents[level - 1]
            whole = below[level - 1][parent]
            ratio = np.divide(best[level], whole, out=np.zeros(len(whole)), where=whole > 0)
            variance = best[level] * (1 - ratio) + ratio**2 * variance[parent]
        weight = times * (tree.sizes[level] > 0)
        found.append(float((variance * weight).sum() / max(weight.sum(), 1.0)))
    return found


def _importances(levels: int, importance: Sequence[Exact] | None) -> list[float]:
    given = (
        [Fraction(1)] * levels
        if importance is None
        else [read_fraction("importance", one) for one in importance]
    )
    if len(given) != levels:
        raise InvalidInput(
            "importance", f"must hold one number for each of the {levels} levels", len(given)
        )
    if min(given) < 0 or not sum(given):
        raise InvalidInput(
            "importance", "must be numbers of at least 0, not all 0", ", ".join(map(str, given))
        )
    return [float(one / sum(given)) for one in given]


def _check(epsilon: float) -> None:
    if not 0 < epsilon < np.inf:
        raise InvalidInput("epsilon", "must be a number above 0", epsilon)
