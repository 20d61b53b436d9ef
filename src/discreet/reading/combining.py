"""Several releases of the same people, read as one.

Each release is an independent measurement of the same true counts. Groups are matched by key
columns and level: what is released of one group twice is averaged, with weights fixed by the
mechanisms (`parts.measured`); a release of coarser groups, by some of the key columns, is fitted
together with the finest groups so that all adds up (`parts.fitting`). A group that one release
lacks, and a mechanism whose output ignores the data, have no weight there.

Independent is what the releases must be: the same one twice, a part of it, or numbers derived from
it are refused. And they must measure the same thing: another definition, row filter, dataset or
month is refused unless the caller says that the quantity is the same. Every release was paid for in
the ledger; reading them together costs nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from discreet.core.losses import PriorLike
from discreet.errors import InvalidInput
from discreet.reading.group import Group, one_group
from discreet.reading.parts.change_table import refuse_copies
from discreet.reading.parts.crossing import fit_levels
from discreet.reading.parts.fitting import Fit
from discreet.reading.parts.key_codes import Keys, key_columns, key_rows
from discreet.reading.parts.measured import Measured, measure, merged
from discreet.reading.parts.subtotal_table import part_quantity, part_table, subtotal_table
from discreet.reading.parts.whole_numbers import WholeNumbers, whole_numbers

if TYPE_CHECKING:
    from discreet.reading.estimates import Estimate
    from discreet.reading.histograms.histogram_estimates import HistogramEstimate
    from discreet.reading.histograms.histogram_sample import HistogramSample
    from discreet.reading.levels.tree import Integers
    from discreet.reading.parts.number_table import NumberTable
    from discreet.reading.samples import Sample
    from discreet.reading.totals import Quantity


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Combined:
    """Several releases read as one; its groups are the finest that any of them has."""

    releases: int
    samples: tuple[Sample, ...]
    """Every level of every release."""
    fit: Fit
    confidence: Fraction

    @cached_property
    def total(self) -> Quantity:
        """The total of the true counts."""
        return part_quantity(
            "total", self.fit.part(()), confidence=self.confidence, groups=self._groups
        )

    @property
    def table(self) -> NumberTable:
        """Every finest group: n, estimate, interval, standard error."""
        return part_table(self.fit.every(), name=self._name, confidence=self.confidence)

    def subtotals(self, *columns: str | Sequence[str]) -> NumberTable:
        """Return a table of subtotals, as `Estimate.subtotals` does."""
        return subtotal_table(self.fit, columns, name=self._name, confidence=self.confidence)

    def adding_up(self) -> WholeNumbers:
        """Return whole numbers in 0..n that add up, as `Estimate.adding_up` does."""
        return whole_numbers(self.fit, self._name)

    def group(self, index: int, prior: PriorLike = None) -> Group:
        """Read one finest group, by its row in `table`, from all releases that have it: their
        likelihoods multiply.
        """
        if not 0 <= index < self._groups:
            raise InvalidInput("index", f"must be in 0..{self._groups - 1}", index)
        names, found = self.fit.finest.names, []
        for sample in self.samples:
            if tuple(sample.keys) != names and set(sample.keys) != set(names):
                continue
            rows = key_rows(sample.keys, names) if names else {(): index}
            row = rows.get(tuple(self.fit.finest.keys[name][index] for name in names))
            if row is not None:
                found.append((sample.mechanisms[sample.which[row]], int(sample.outputs[row])))
        mechanisms, outputs = zip(*found, strict=True)
        return one_group(list(mechanisms), list(outputs), prior=prior, confidence=self.confidence)

    @property
    def _groups(self) -> int:
        return len(self.fit.finest.sizes)

    @property
    def _name(self) -> str:
        return self.samples[0].name

    def __str__(self) -> str:
        return f"{self.releases} releases of {self._groups:,} groups together: {self.total}"

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from discreet.show.html import preformatted

        return preformatted(str(self))


def combine(
    *estimates: Estimate | HistogramEstimate, same_quantity: bool = False
) -> Combined | Any:
    """Combine estimates from several releases of the same people into one better estimate.

    `estimates` are two or more results of `dc.estimate`. Those of a count give a `Combined`; those
    of a question with several answers, a `CombinedAnswers`. Releases may differ in level (some key
    columns of the others') and in which groups they have. `same_quantity=True` says that releases
    whose manifests differ in definition, row filter, dataset or month measure one quantity all the
    same.
    """
    if len(estimates) < 2:
        raise InvalidInput("estimates", "must be at least two", len(estimates))
    for each in estimates:
        if not hasattr(each, "sample"):
            remedy = (
                "give the estimates of the releases themselves: what is derived from them is no "
                "new evidence"
            )
            raise InvalidInput(
                "estimates", "must be what `dc.estimate` gives", type(each).__name__, remedy=remedy
            )
        if hasattr(each, "cap"):
            raise InvalidInput(
                "estimates", "must know the sizes of groups, which `cap` hides", type(each).__name__
            )
    names = {e.sample.name for e in estimates}
    if len(names) > 1:
        raise InvalidInput("estimates", "must be of one count", ", ".join(sorted(names)))
    answers = {getattr(e, "answers", None) for e in estimates}
    if len(answers) > 1:
        raise InvalidInput("estimates", "must have the same answers")
    refuse_copies([e.sample for e in estimates])
    if not same_quantity:
        _refuse_other_quantities([e.sample for e in estimates])
    samples: tuple[Any, ...] = tuple(sample for e in estimates for sample in (e.sample, *e.coarser))
    told: dict[str, Any] = {"releases": len(estimates), "confidence": estimates[0].confidence}
    if None not in answers:
        from discreet.reading.parts.combined_answers import combine_answers

        return combine_answers(samples, **told)
    return Combined(
        samples=samples,
        fit=fit_together([measure(sample, silent=True) for sample in samples]),
        **told,
    )


def fit_together(measured: Sequence[Measured]) -> Fit:
    """Fit measurements by several sets of key columns, each of which is among those of the
    finest.
    """
    levels = _by_level(measured)
    finest = max(levels, key=lambda level: len(level.keys))
    coarser = [level for level in levels if level is not finest]
    if any(not set(level.keys) < set(finest.keys) for level in coarser):
        rule = "must have keys that are among those of the finest of them"
        told = "; ".join(", ".join(level.keys) or "none" for level in levels)
        raise InvalidInput("estimates", rule, told)
    return fit_levels(finest, coarser)


_TOLD = {
    "definition": "definition",
    "where": "row filter",
    "dataset": "dataset",
    "nulls": "reading of missing bits",
}


def _refuse_other_quantities(samples: Sequence[Sample | HistogramSample]) -> None:
    """Refuse releases that, by their manifests, do not measure one thing."""
    remedy = "if they measure the same quantity, say so with `same_quantity=True`"
    origins = [sample.origin for sample in samples if sample.origin.created]
    for name, words in _TOLD.items():
        if len(told := {getattr(origin, name) for origin in origins}) > 1:
            shown = " and ".join(sorted(text or "none" for text in told))
            raise InvalidInput("estimates", f"must have one {words}", shown, remedy=remedy)
    if len(months := {origin.created[:7] for origin in origins}) > 1:
        raise InvalidInput(
            "estimates", "must be of one month", " and ".join(sorted(months)), remedy=remedy
        )


def _by_level(measured: Sequence[Measured]) -> list[Measured]:
    """Measurements of each set of key columns as one; levels of which nothing is told are left
    out.
    """
    found: dict[frozenset[str], list[Measured]] = {}
    for each in measured:
        found.setdefault(frozenset(each.keys), []).append(each)
    if len(found) > 1 and any(len(each.sizes) > 1 for each in found.get(frozenset(), ())):
        rule = "must be of the same groups, and some have no keys to find them by"
        raise InvalidInput("estimates", rule, "different keys or numbers of groups")
    levels = [_united(same) for same in found.values()]
    useful = [level for level in levels if np.isfinite(level.working).any()]
    if not useful:
        raise InvalidInput("estimates", "must tell something: all these outputs ignore the data")
    return useful


def _united(same: Sequence[Measured]) -> Measured:
    """Measurements by the same key columns, over the groups that any of them has."""
    first = same[0]
    if not first.keys:
        if len({len(each.sizes) for each in same}) > 1:
            raise InvalidInput(
                "estimates", "must be of the same groups", "different keys or numbers of groups"
            )
        keys: Keys = {}
        placed = list(same)
    else:
        rows = [key_rows(each.keys, first.names) for each in same]
        listed = list(dict.fromkeys(key for known in rows for key in known))
        keys = key_columns(listed, first.names)
        placed = [each.rows(_places(known, listed)) for each, known in zip(same, rows, strict=True)]
    sizes = np.max([each.sizes for each in placed], axis=0)
    if any(((each.sizes != sizes) & (each.sizes >= 0)).any() for each in placed):
        raise InvalidInput("estimates", "must be of the same groups", "groups of different sizes")
    known = [replace(each, working=np.where(sizes > 0, each.working, 0.0)) for each in placed]
    return replace(merged(known), keys=keys, sizes=sizes)


def _places(known: dict[tuple[Any, ...], int], listed: Sequence[tuple[Any, ...]]) -> Integers:
    return np.array([known.get(key, -1) for key in listed], dtype=np.int64)
