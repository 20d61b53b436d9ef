"""Estimates of the groups of one or several levels that add up, and of any sums of them.

With one level an estimate is the debiased value, and a sum is a sum. With several, nested ones the
two passes of `levels.two_passes` give the linear unbiased fit; with two keys that cross it is
`parts.crossing`. Estimates of finest groups are multiples of one power of two, so small that sums
of any of them are exact in floats, in any order: every sum that is asked for is their sum, and so
parts add up to wholes exactly.

What is known of a sum's noise comes from the same passes if its groups are nested in the levels. If
they cross them, the weights of all measurements in each sum are written out by the passes'
transpose, in time like groups times sums.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np

from discreet.errors import InvalidInput
from discreet.reading.levels.error_facts import ErrorFacts
from discreet.reading.levels.level_estimates import carried_facts
from discreet.reading.levels.tree import Floats, Integers, Tree, sum_by
from discreet.reading.levels.two_passes import Passes, adding_exactly, make_passes
from discreet.reading.parts.key_codes import Codes, Keys, chosen, code, key_rows
from discreet.reading.parts.measured import Measured

_MOST_WEIGHTS = 2_000_000_000
"""Groups times sums that are written out at most, some million at a time: about a minute."""
_AT_ONCE = 4_000_000


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Part:
    """Groups with their estimates: of a level, or of any sums of finest groups."""

    keys: Keys
    sizes: Integers
    value: Floats
    facts: ErrorFacts


class Fit:
    """The estimates of finest groups, and of any sums of them, from one level or from several
    nested ones.

    `coarser` are the other levels: each a set of key columns that is within the next finer one's.
    """

    def __init__(self, finest: Measured, coarser: Sequence[Measured] = ()) -> None:
        self.finest = finest
        self._coarser = sorted(coarser, key=lambda level: len(level.keys))
        self._codes: dict[frozenset[str], Codes] = {}
        if not nested([*self._coarser, finest]):
            raise InvalidInput(
                "levels", "must be nested: the keys of each among those of the next finer one"
            )
        if not np.isfinite(finest.working).all():
            rule = "must tell something of every finest group, or of none"
            raise InvalidInput(
                "estimates", rule, remedy="leave out groups whose outputs ignore the data"
            )

    @cached_property
    def value(self) -> Floats:
        """The estimates of the finest groups."""
        if not self._coarser:
            return on_grid(self.finest.values)
        tree, levels, passes = self._base
        return adding_exactly(tree, passes.fit([level.values for level in levels]))[-1]

    def part(self, names: Sequence[str]) -> Part:
        """Return the sums of finest groups that have one value in each of some key columns."""
        finest = self.finest
        if names and set(names) == set(finest.keys):
            return replace(self.every(), keys={name: finest.keys[name] for name in names})
        groups = self.codes(names)
        sizes = np.bincount(groups.of_row, weights=finest.sizes, minlength=groups.groups).astype(
            np.int64
        )
        return Part(
            keys=chosen(finest.keys, groups.first, names),
            sizes=sizes,
            value=sum_by(groups.of_row, self.value, groups.groups),
            facts=self._facts(names, groups),
        )

    def every(self) -> Part:
        """Return the finest groups themselves."""
        finest = self.finest
        return Part(
            keys=finest.keys, sizes=finest.sizes, value=self.value, facts=self._finest_facts
        )

    @property
    def _finest_facts(self) -> ErrorFacts:
        return self._base_facts[-1] if self._coarser else self.finest.facts

    @property
    def nesting(self) -> list[tuple[str, ...]]:
        """The key columns of what the finest groups lie in, from the total on."""
        names = self.finest.names
        levels = [level.names for level in self._coarser if level.names]
        return [
            (),
            *(levels if self._coarser else (names[:depth] for depth in range(1, len(names)))),
        ]

    def codes(self, names: Sequence[str]) -> Codes:
        """The group of each finest group, over some key columns."""
        asked, rows = frozenset(names), len(self.finest.sizes)
        if asked and asked == set(self.finest.keys):  # all keys tell all groups apart
            return Codes(of_row=np.arange(rows), first=np.arange(rows))
        if asked not in self._codes:
            self._codes[asked] = code(self.finest.keys, names, rows)
        return self._codes[asked]

    @cached_property
    def _base_facts(self) -> tuple[ErrorFacts, ...]:
        """What is known of the noise of every level's estimates, the coarsest first."""
        _, levels, passes = self._base
        return carried_facts(passes, [level.facts for level in levels])

    @cached_property
    def _base(self) -> tuple[Tree, list[Measured], Passes]:
        return self._tree(self._coarser)

    def _facts(self, names: Sequence[str], groups: Codes) -> ErrorFacts:
        if not self._coarser:
            return self.finest.facts.summed(groups.of_row, groups.groups)
        wanted = set(names)
        known = [set(level.keys) for level in (*self._coarser, self.finest)]
        if wanted in known:
            return self._base_facts[
                known.index(wanted)
            ]  # all of them, in the order of the finest groups
        if all(wanted < keys or keys < wanted for keys in known):
            levels = sorted(
                [*self._coarser, self._unmeasured(names, groups)], key=lambda level: len(level.keys)
            )
            place = next(place for place, level in enumerate(levels) if set(level.keys) == wanted)
            _, fitted, passes = self._tree(levels)
            return carried_facts(passes, [level.facts for level in fitted])[place]
        return self._crossing(groups)

    def _tree(self, coarser: Sequence[Measured]) -> tuple[Tree, list[Measured], Passes]:
        """The tree of levels, each in the order in which its groups first appear in the finest."""
        codes = [self.codes(level.names) for level in coarser]
        codes.append(Codes(of_row=(rows := np.arange(len(self.finest.sizes))), first=rows))
        levels = [
            aligned(level, self.finest, each) for level, each in zip(coarser, codes, strict=False)
        ]
        levels.append(self.finest)
        parents = tuple(above.of_row[below.first] for above, below in pairwise(codes))
        tree = Tree(sizes=tuple(level.sizes for level in levels), parents=parents)
        return tree, levels, make_passes(tree, [level.working for level in levels])

    def _unmeasured(self, names: Sequence[str], groups: Codes) -> Measured:
        """A level of which nothing was measured."""
        sizes = np.bincount(
            groups.of_row, weights=self.finest.sizes, minlength=groups.groups
        ).astype(np.int64)
        none = np.zeros(groups.groups)
        return Measured(
            keys=chosen(self.finest.keys, groups.first, names),
            sizes=sizes,
            values=none,
            working=np.where(sizes > 0, np.inf, 0.0),
            facts=self.finest.facts.rows(np.zeros(groups.groups, dtype=np.int64)).times(none),
        )

    def _crossing(self, groups: Codes) -> ErrorFacts:
        """The facts of sums whose groups cross the levels: by the weight of every measurement in
        each of them.
        """
        _, levels, passes = self._base
        measurements = sum(len(level.sizes) for level in levels)
        if measurements * groups.groups > _MOST_WEIGHTS:
            rule = "must be nested in the levels where a release has so many groups"
            raise InvalidInput(
                "by", rule, remedy="release the level, or take `value` of the finest groups alone"
            )
        step = max(_AT_ONCE // measurements, 1)
        found = []
        for start in range(0, groups.groups, step):
            sums = range(start, min(start + step, groups.groups))
            weights = transposed(
                passes, (groups.of_row[:, None] == np.array(sums)).astype(np.float64)
            )
            for column in range(len(sums)):
                every = [
                    level.facts.times(each[:, column])
                    for level, each in zip(levels, weights, strict=True)
                ]
                found.append(
                    _one(
                        [
                            facts.summed(np.zeros(len(facts.worst), dtype=np.int64), 1)
                            for facts in every
                        ]
                    )
                )
        return _stacked(found)


def nested(levels: Sequence[Measured]) -> bool:
    """Whether the keys of each level are among those of the next one, and fewer."""
    return all(set(small.keys) < set(large.keys) for small, large in pairwise(levels))


def on_grid(values: Floats) -> Floats:
    """Move values to multiples of a power of two so small that sums of any of them are exact in
    floats.
    """
    unit = 2.0 ** (np.ceil(np.log2(max(1.0, float(np.abs(values).sum())))) - 50)
    return np.asarray(np.round(values / unit) * unit)


def transposed(passes: Passes, sums: Floats) -> list[Floats]:
    """Return the weight of every level's values in sums of finest estimates, one sum in each
    column.
    """
    tree, last = passes.tree, passes.tree.depth - 1
    found, best, below = sums, [np.zeros(0)] * (last + 1), [np.zeros(0)] * last
    for level in range(last, 0, -1):
        best[level] = found
        found = tree.sums(level - 1, passes.share[level][:, None] * found)
        below[level - 1] = -found
    best[0] = found
    weights = []
    for level in range(last):
        own = passes.own[level][:, None]
        weights.append(own * best[level])
        best[level + 1] = (
            best[level + 1] + (below[level] + (1 - own) * best[level])[tree.parents[level]]
        )
    return [*weights, best[last]]


def aligned(level: Measured, finest: Measured, groups: Codes) -> Measured:
    """A level's rows in the order of the finest groups' codes; people must be the same."""
    sizes = np.bincount(groups.of_row, weights=finest.sizes, minlength=groups.groups).astype(
        np.int64
    )
    if level.names:
        rows = key_rows(level.keys, level.names)
        keys = zip(*(finest.keys[name][groups.first] for name in level.names), strict=True)
        place = np.array([rows.pop(key, -1) for key in keys], dtype=np.int64)
        if any(level.sizes[row] for row in rows.values()):
            rule = (
                "must be of the same people: a group of a coarser level has none of the finest "
                "groups"
            )
            raise InvalidInput(
                "estimates", rule, remedy="combine the parts that have the same people"
            )
    else:
        place = np.zeros(groups.groups, dtype=np.int64)
    found = level.rows(place)
    known = place >= 0
    if (found.sizes[known] != sizes[known]).any():
        rule = (
            "must be of the same people: a coarser group has another size than its parts together"
        )
        raise InvalidInput("estimates", rule)
    keys_of = chosen(finest.keys, groups.first, level.names)
    working = np.where(sizes > 0, found.working, 0.0)
    return replace(found, keys=keys_of, sizes=sizes, working=working)


def _one(parts: Sequence[ErrorFacts]) -> ErrorFacts:
    whole = parts[0]
    for part in parts[1:]:
        whole = whole.plus(part)
    return whole


def _stacked(found: Sequence[ErrorFacts]) -> ErrorFacts:
    names = ErrorFacts.__slots__
    return ErrorFacts(
        **{name: np.concatenate([getattr(facts, name) for facts in found]) for name in names}
    )
