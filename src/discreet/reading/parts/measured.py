"""What a release says of each group of one level: debiased values with what is known of their
noise.

Weights are made of fixed *working variances* (`level_noise`), never of outputs. Several releases of
the same groups are one measurement: their debiased values are averaged with weights in inverse
proportion to the working variances, so that what carries no information (the uniform mechanism; a
group that one of them lacks) has no weight.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from discreet.reading.levels.error_facts import ErrorFacts, facts_of
from discreet.reading.levels.level_noise import noise_by_mechanism, unreleased
from discreet.reading.levels.tree import Floats, Integers
from discreet.reading.methods.debiasing import NotEstimable
from discreet.reading.parts.key_codes import Keys

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism
    from discreet.reading.samples import Sample


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Measured:
    """One level's groups, and what was measured of each."""

    keys: Keys
    sizes: Integers
    values: Floats
    """Unbiased; 0 where nothing was measured."""
    working: Floats
    """Working variances: infinite where nothing was measured, 0 for a group of nobody."""
    facts: ErrorFacts

    @property
    def names(self) -> tuple[str, ...]:
        """Its key columns."""
        return tuple(self.keys)

    def rows(self, rows: Integers) -> Measured:
        """Some of the groups; row -1 is a group of which nothing was measured."""
        known = rows >= 0
        place = np.where(known, rows, 0)
        picked = self.facts.rows(place).times(known.astype(np.float64))
        return Measured(
            keys={name: values[place] for name, values in self.keys.items()},
            sizes=np.where(known, self.sizes[place], -1),
            values=np.where(known, self.values[place], 0.0),
            working=np.where(known, self.working[place], np.inf),
            facts=picked,
        )


def measure(sample: Sample, *, silent: bool = False) -> Measured:
    """Read every group of a sample; a mechanism that tells nothing is refused, or `silent`: without
    weight.

    >>> from discreet.core.named import geometric
    >>> from discreet.reading.samples import from_outputs
    >>> measure(from_outputs([0, 2], geometric(n=3, alpha="1/2"))).values.tolist()
    [-1.0, 2.0]
    """
    useful = np.array([not silent or _tells(m) for m in sample.mechanisms])
    if useful.all():
        values, working, facts = _read(sample.mechanisms, sample.which, sample.outputs)
    else:
        values, working = np.zeros(len(sample)), np.full(len(sample), np.inf)
        facts = facts_of(unreleased(sample.sizes), values)
        rows = np.flatnonzero(useful[sample.which])
        if len(rows):
            kept = [m for m, used in zip(sample.mechanisms, useful, strict=True) if used]
            which = (np.cumsum(useful) - 1)[sample.which[rows]]
            values[rows], working[rows], found = _read(kept, which, sample.outputs[rows])
            facts = _placed(found, rows, facts)
    working[sample.sizes == 0] = 0.0
    return Measured(
        keys=sample.keys, sizes=sample.sizes, values=values, working=working, facts=facts
    )


def _read(
    mechanisms: Sequence[Mechanism], which: Integers, outputs: Integers
) -> tuple[Floats, Floats, ErrorFacts]:
    """Values, working variances and facts of groups; what the size decides is computed once for
    each size.
    """
    kinds, read = noise_by_mechanism(mechanisms)
    values, scores = read(which, outputs)
    facts = facts_of(kinds, np.zeros(len(mechanisms))).rows(which)
    return values, kinds.working[which], replace(facts, estimated=scores)


def merged(measured: Sequence[Measured]) -> Measured:
    """Average independent measurements of the same groups, row by row, without regard to what
    they came out as.
    """
    first = measured[0]
    if len(measured) == 1:
        return first
    with np.errstate(divide="ignore"):
        precision = [
            np.where(m.working > 0, 1 / m.working, 1.0) for m in measured
        ]  # 1: a group of nobody
    total = np.sum(precision, axis=0)
    weights = [np.divide(p, total, out=np.zeros(len(total)), where=total > 0) for p in precision]
    facts = first.facts.times(weights[0])
    for other, weight in zip(measured[1:], weights[1:], strict=True):
        facts = facts.plus(other.facts.times(weight))
    with np.errstate(divide="ignore"):
        working = np.where(np.min([m.working for m in measured], axis=0) > 0, 1 / total, 0.0)
    values = np.sum(
        [m.values * weight for m, weight in zip(measured, weights, strict=True)], axis=0
    )
    return replace(first, values=values, working=working, facts=facts)


def _tells(mechanism: Mechanism) -> bool:
    try:
        noise_by_mechanism([mechanism])
    except NotEstimable:
        return False
    return True


def _placed(facts: ErrorFacts, rows: Integers, empty: ErrorFacts) -> ErrorFacts:
    """The facts of some rows among those of all, where the others have no noise because they
    have no weight.
    """
    place = np.full(len(empty.worst), -1)
    place[rows] = np.arange(len(rows))
    return facts.rows(np.maximum(place, 0)).times((place >= 0).astype(np.float64))
