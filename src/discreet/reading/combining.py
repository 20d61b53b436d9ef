"""Several releases of the same people, read as one.

Each release is an independent measurement of the same true counts, so likelihoods multiply and debiased values
average. The groups must be the same: same keys, same sizes. Every release was paid for in the ledger; reading
them together costs nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from discreet.core.losses import PriorLike
from discreet.errors import InvalidInput
from discreet.reading.changes import combined_total
from discreet.reading.group import Group, one_group
from discreet.reading.totals import tally

if TYPE_CHECKING:
    from discreet.reading.estimates import Estimate
    from discreet.reading.samples import Sample
    from discreet.reading.totals import Quantity


@dataclass(frozen=True, kw_only=True, eq=False)
class Combined:
    """Several releases of the same groups, in one order."""

    samples: tuple[Sample, ...]
    total: Quantity
    confidence: Fraction

    def group(self, index: int, prior: PriorLike = None) -> Group:
        """Read one group from all releases together; `index` is its row in the first release."""
        if not 0 <= index < len(self.samples[0]):
            raise InvalidInput("index", f"must be in 0..{len(self.samples[0]) - 1}", index)
        mechanisms = [s.mechanisms[s.which[index]] for s in self.samples]
        outputs = [int(s.outputs[index]) for s in self.samples]
        return one_group(mechanisms, outputs, prior=prior, confidence=self.confidence)

    def __str__(self) -> str:
        return f"{len(self.samples)} releases of {len(self.samples[0]):,} groups together: {self.total}"

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from discreet.show.html import preformatted

        return preformatted(str(self))


def combine(*estimates: Estimate) -> Combined:
    """Combine estimates from several releases of the same people into one better estimate."""
    if len(estimates) < 2:
        raise InvalidInput("estimates", "must be at least two", len(estimates))
    first = estimates[0]
    names = {e.sample.name for e in estimates}
    if len(names) > 1:
        raise InvalidInput("estimates", "must be of one count", ", ".join(sorted(names)))
    identities = [e.sample.release for e in estimates if e.sample.release]
    if len(set(identities)) < len(identities):
        raise InvalidInput(
            "estimates", "must be different releases", "the same release twice", remedy="reading it twice adds nothing"
        )
    samples = tuple(_in_order(e.sample, first.sample) for e in estimates)
    classes: list[list[tuple[Any, Any]]] = [[] for _ in samples]
    joint = np.stack([s.which for s in samples], axis=1)
    for combination in np.unique(joint, axis=0):
        rows = (joint == combination).all(axis=1)
        for r, s in enumerate(samples):
            m = s.mechanisms[combination[r]]
            classes[r].append((m, tally(s.outputs[rows])))
    total = combined_total(classes, confidence=float(first.confidence))
    return Combined(samples=samples, total=total, confidence=first.confidence)


def _in_order(sample: Sample, like: Sample) -> Sample:
    """Bring a sample into the order of another; refuse when the groups differ."""
    if list(sample.keys) != list(like.keys) or len(sample) != len(like):
        raise InvalidInput("estimates", "must be of the same groups", "different keys or numbers of groups")
    if sample.keys:
        rows = {key: k for k, key in enumerate(zip(*sample.keys.values(), strict=True))}
        order = [rows.get(key) for key in zip(*like.keys.values(), strict=True)]
        if None in order:
            raise InvalidInput("estimates", "must be of the same groups", "a key that one of them lacks")
        sample = sample.part(np.array(order, dtype=np.int64))
    if (sample.sizes != like.sizes).any():
        raise InvalidInput("estimates", "must be of the same groups", "groups of different sizes")
    return sample
