"""`dc.estimate`: everything a released table says, from the table, its manifest and its proof
files alone.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from discreet.core.forms import DENSE_LIMIT
from discreet.core.histogram import Histogram
from discreet.core.losses import Prior, PriorLike, read_prior
from discreet.core.rationals import Exact
from discreet.errors import InvalidInput
from discreet.reading import changes, totals
from discreet.reading.distribution import LARGEST_DISTRIBUTION, Distribution, distribution
from discreet.reading.group import Group, one_group, read_confidence
from discreet.reading.group_table import ESTIMATED, GroupTable, group_table
from discreet.reading.methods.debiasing import NotEstimable
from discreet.reading.methods.empirical import estimate_rates, prior_for
from discreet.reading.quoting.interval_kinds import (
    from_to,
    interval_head,
    saying_which,
    total_to_print,
)
from discreet.reading.samples import Sample, from_outputs, from_release
from discreet.reading.strata import column_names, rows_by_key

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism
    from discreet.designer.orbits.cell_by_cell import Cells
    from discreet.reading.methods.debiasing import Floats
    from discreet.reading.parts.change_table import Change
    from discreet.reading.parts.fitting import Fit
    from discreet.reading.parts.number_table import NumberTable
    from discreet.reading.parts.whole_numbers import WholeNumbers
    from discreet.reading.totals import Quantity

NOTE = (
    "Released numbers of parts and of their whole, or of two releases, do not add up: each has "
    "its own noise. Totals estimated from one release do."
)

_FOLD: dict[str, Any] = {"width": 79, "first": "  ", "later": "    "}


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Estimate:
    """What the released groups say together; every interval is for the true counts of these very
    groups.
    """

    sample: Sample
    confidence: Fraction
    coarser: tuple[Sample, ...] = ()
    """The release's other levels: `total`, `rate`, `mean`, `subtotals` and whole numbers read
    all levels together.
    """

    @property
    def groups(self) -> int:
        """How many groups."""
        return len(self.sample)

    @property
    def people(self) -> int:
        """How many people: the sum of the sizes."""
        return int(self.sample.sizes.sum())

    @cached_property
    def total(self) -> Quantity:
        """The total of the true counts: unbiased, with its interval."""
        if self.coarser:
            return self._of_all_levels("total")
        return totals.total(self.sample.histograms, confidence=float(self.confidence))

    @cached_property
    def rate(self) -> Quantity:
        """The share of people counted."""
        if self.coarser:
            return self._of_all_levels("rate")
        return totals.rate(self.sample.histograms, confidence=float(self.confidence))

    @cached_property
    def mean(self) -> Quantity:
        """The mean true count per group."""
        if self.coarser:
            return self._of_all_levels("mean")
        return totals.mean(self.sample.histograms, confidence=float(self.confidence))

    def _of_all_levels(self, name: str) -> Quantity:
        from discreet.reading.parts.subtotal_table import part_quantity

        whole = part_quantity(
            "total", self.fit.part(()), confidence=self.confidence, groups=self.groups
        )
        divisor = {"total": 1, "rate": max(self.people, 1), "mean": self.groups}[name]
        parts = {
            part: getattr(whole, part) / divisor
            for part in ("value", "low", "high", "standard_error")
        }
        return replace(whole, name=name, **parts)

    def distribution(self, n: int | None = None) -> Distribution:
        """Return the distribution of true counts over the groups of size n (may be left out when
        all have one size).
        """
        sizes = [m.n for m in self.sample.mechanisms]
        if n is None and len(sizes) > 1:
            raise InvalidInput(
                "n", "must be given when groups differ in size", remedy=f"choose from {_few(sizes)}"
            )
        wanted = sizes[0] if n is None else n
        if wanted in sizes and wanted > LARGEST_DISTRIBUTION:
            rule = (
                f"must be at most {LARGEST_DISTRIBUTION:,}: a distribution has a share, and "
                "an interval, for each count"
            )
            raise InvalidInput(
                "n", rule, wanted, remedy="`total`, `rate`, `mean` and `table()` read larger groups"
            )
        for mechanism, seen in self.sample.histograms:
            if mechanism.n == wanted:
                histogram = np.zeros(wanted + 1)
                histogram[seen.outputs] = seen.times
                return distribution(mechanism.form, histogram, confidence=float(self.confidence))
        raise InvalidInput(
            "n", "must be a size of these groups", wanted, remedy=f"choose from {_few(sizes)}"
        )

    def table(self, prior: PriorLike = None) -> GroupTable:
        """Read every group by itself; prior="estimated" takes the prior from all groups
        together.
        """
        return group_table(self.sample, confidence=self.confidence, prior=prior)

    def prior(self, n: int) -> Prior:
        """Return the prior for groups of size n that all groups together suggest (empirical
        Bayes).
        """
        if n > DENSE_LIMIT:
            return read_prior(None, n)  # above 512 it is uniform
        weights = [Fraction(float(w)) for w in prior_for(n, self._rates)]
        whole = sum(weights)
        return Prior(n=len(weights) - 1, name=ESTIMATED, table=tuple(w / whole for w in weights))

    def group(self, index: int, prior: PriorLike = None) -> Group:
        """Read one group by its row: likelihood, posterior and intervals; prior="estimated" as
        in `table`.
        """
        if not 0 <= index < self.groups:
            raise InvalidInput("index", f"must be in 0..{self.groups - 1}", index)
        mechanism = self.sample.mechanisms[self.sample.which[index]]
        chosen = self.prior(mechanism.n) if isinstance(prior, str) and prior == ESTIMATED else prior
        return one_group(
            mechanism, int(self.sample.outputs[index]), prior=chosen, confidence=self.confidence
        )

    @cached_property
    def _rates(self) -> Floats:
        return estimate_rates(self.sample.histograms)

    def by(self, *columns: str | Sequence[str]) -> dict[Any, Estimate]:
        """Split into strata by key columns, `e.by("region", "sex")` or `e.by(["region", "sex"])`.

        {value: Estimate}, or {(value, value): Estimate} for several columns. Each part is read by
        itself, from the finest level alone; `subtotals` reads all levels together.
        """
        names = column_names(columns)
        strata = self.strata(names)
        return {key[0]: part for key, part in strata.items()} if len(names) == 1 else dict(strata)

    def strata(self, columns: Sequence[str]) -> dict[tuple[Any, ...], Estimate]:
        """Split into strata: {(value, ...): Estimate}, a tuple for one column too."""
        return {
            key: Estimate(sample=self.sample.part(np.array(rows)), confidence=self.confidence)
            for key, rows in rows_by_key(self.sample, columns).items()
        }

    @cached_property
    def fit(self) -> Fit:
        """The estimates of the groups, which add up."""
        from discreet.reading.parts.crossing import fit_levels
        from discreet.reading.parts.measured import measure

        return fit_levels(measure(self.sample), [measure(level) for level in self.coarser])

    def subtotals(self, *columns: str | Sequence[str]) -> NumberTable:
        """Return a table of subtotals, `e.subtotals("region")`: keys, n, estimate, low, high,
        standard error.

        Without columns, the total. Every subtotal is a sum of the same estimates, so parts add up
        to wholes exactly.
        """
        named: dict[str, Any] = {"name": self.sample.name, "confidence": self.confidence}
        if not self.coarser:
            from discreet.reading.parts.one_level import one_level_subtotals

            return saying_which(one_level_subtotals(self.fit, self.sample, columns, **named))
        from discreet.reading.parts.subtotal_table import subtotal_table

        return saying_which(subtotal_table(self.fit, columns, **named))

    def adding_up(self) -> WholeNumbers:
        """Return whole numbers in 0..n for every group and every sum of groups, such that all
        sums are right.
        """
        from discreet.reading.parts.whole_numbers import whole_numbers

        return whole_numbers(self.fit, self.sample.name)

    def quotable(self, *columns: str | Sequence[str], details: bool = False) -> NumberTable:
        """Return the table that people may quote: of each row its interval, and a whole number
        where one may stand.

        Of every group, by the prior estimated from all groups; with key columns,
        `e.quotable("region")`, of their sums. `details` adds what is not for print: the whole
        number of every row, and the posterior mean of a group.
        """
        from discreet.reading.quoting.quotable_table import what_to_quote

        return what_to_quote(self, columns).table(details=details)

    def change(
        self, earlier: Estimate, *, by: str | Sequence[str] | None = None, missing: str = "refuse"
    ) -> Change:
        """Return how much the counts changed from `earlier` to this, for each group (or `by` key)
        and in total.

        A group that only one of them has is refused, or with `missing="empty"` has nobody in the
        other.
        """
        from discreet.reading.parts.change_table import change

        return change(self, earlier, by=by, missing=missing)

    def difference(self, other: Estimate) -> Quantity:
        """Return the difference of the two rates, self less other, with an interval: of strata,
        or of two releases.
        """
        if self.coarser or other.coarser:
            from discreet.reading.parts.change_table import rate_difference

            return rate_difference(self, other)
        return changes.difference(
            self.sample.histograms, other.sample.histograms, confidence=float(self.confidence)
        )

    def _title(self) -> str:
        groups = f"{self.groups:,} group{'' if self.groups == 1 else 's'}"
        return (
            f"Estimate of {self.sample.name!r}: {groups}, {self.sample.origin.counted(self.people)}"
        )

    def __repr__(self) -> str:
        return f"<{self._title()}>"

    def to_dict(self) -> dict[str, Any]:
        """Return the estimates as plain values, for JSON."""
        quantities = {}
        for name in ("total", "rate", "mean"):
            q = getattr(self, name)
            quantities[name] = {
                "value": q.value,
                "low": q.low,
                "high": q.high,
                "standard_error": q.standard_error,
                "method": q.method,
            }
        return {
            "count": self.sample.name,
            "release": self.sample.release,
            "groups": self.groups,
            "people": self.people,
            "confidence": float(self.confidence),
            **quantities,
            "note": NOTE,
        }

    facts = to_dict  # the name it had first

    def _lines(self) -> list[tuple[str, str, str, str]]:
        found = []
        for name, value, ends in (
            ("total", "z,.1f", ",.0f"),
            ("rate", "z.1%", ".1%"),
            ("mean", "z,.3f", ",.3f"),
        ):
            q = getattr(self, name)
            span = from_to(f"{q.low:{ends}}", f"{q.high:{ends}}")
            said = "mean per group" if name == "mean" else name
            found.append((said, f"{q.value:{value}}", span, f"{q.standard_error:{value}}"))
        return found

    def __str__(self) -> str:
        from discreet.show.text import details_wanted, folded, table

        head = ("", "unbiased", interval_head(self.confidence), "std error")
        try:  # the interval first, as in every table: it is what is to be printed
            lines = table(
                [(row[0], row[2], row[1], row[3]) for row in (head, *self._lines())],
                "<6 >16 >10 >11",
            )
        except NotEstimable as error:
            return "\n".join((self._title(), *folded(f"no unbiased estimate: {error}", **_FOLD)))
        first = (
            line
            for text in total_to_print(self.total, self.people)
            for line in folded(text, **_FOLD)
        )
        said = (
            f"intervals: {self.total.method}{self.total.wider}",
            self._note() if details_wanted() else self._outside(),
        )
        return "\n".join(
            (
                self._title(),
                *first,
                *lines,
                *(line for text in said for line in folded(text, **_FOLD)),
            )
        )

    def _note(self) -> str:
        """Say what does not add up; and, where it is so, why the estimates lie outside their own
        intervals.
        """
        return f"{self._outside()} {NOTE}".lstrip()

    def _outside(self) -> str:
        return (
            f"The total is {outside}; rate and mean likewise."
            if (outside := self.total.outside)
            else ""
        )

    def _repr_html_(self) -> str:
        from discreet.show import html

        try:
            rows = self._lines()
        except NotEstimable:
            return html.preformatted(str(self))
        head = ("", "unbiased", interval_head(self.confidence), "standard error")
        note = f"Intervals: {self.total.method}. {self._note()}"
        return html.together(
            html.table(head, rows, caption=self._title(), words={0}), html.note(note)
        )


def estimate(
    source: Any,
    *,
    mechanism: Mechanism
    | Cells
    | Mapping[int, Mechanism]
    | Sequence[Mechanism | Cells]
    | None = None,
    sizes: Any = None,
    count: str | None = None,
    confidence: Exact = "0.95",
) -> Estimate | Any:
    """Estimate from a release (the object, or the folder it was written to), or from outputs and
    their mechanism.

    - `source`: the release, its folder, or released numbers (a list or an array)
    - `mechanism`: for plain numbers: the one that drew them all, one for each number, or a mapping
      of size to mechanism
    - `sizes`: for plain numbers whose mechanisms are by size: the group size of each
    - `count`: of a release with several counts, the one to read
    - `confidence`: of intervals, such as 0.95

    A question with several answers gives a `HistogramEstimate` (`discreet.reading.histograms`), a
    release with private group sizes a `CappedEstimate`, a count an `Estimate`.

    >>> from discreet.core.named import geometric
    >>> e = estimate([0, 3, 1, 0, 2, 4], mechanism=geometric(n=4, epsilon=2))
    >>> round(e.total.value, 2), e.total.low, e.total.high
    (9.84, 7, 13)
    """
    level = read_confidence(confidence)
    if mechanism is not None:
        if count is not None:
            raise InvalidInput(
                "count", "belongs to a release; plain outputs have no columns", found=count
            )
        if histograms := _of_histograms(mechanism):
            from discreet.reading.histograms.histogram_estimates import HistogramEstimate
            from discreet.reading.histograms.histogram_table import given_histograms

            return HistogramEstimate(
                sample=given_histograms(source, histograms, sizes), confidence=level
            )
        of_counts: Any = mechanism
        return Estimate(sample=from_outputs(source, of_counts, sizes), confidence=level)
    if isinstance(source, (str, os.PathLike)):
        from discreet.tables.published.result import read_release

        source = read_release(source)
    if not hasattr(source, "manifest"):
        raise InvalidInput(
            "source",
            "must be a release or its folder",
            type(source).__name__,
            remedy="for plain outputs give `mechanism` too",
        )
    if source.manifest.count(count).answers:
        from discreet.reading.histograms.histogram_estimates import HistogramEstimate
        from discreet.reading.histograms.histogram_table import released_histograms

        sample, *others = (
            released_histograms(source.level(place), count)
            for place in range(len(source.manifest.levels))
        )
        if cap := source.manifest.cap:
            from discreet.reading.histograms.capped_estimates import CappedEstimate

            return CappedEstimate(sample=sample, confidence=level, cap=cap)
        return HistogramEstimate(sample=sample, confidence=level, coarser=tuple(others))
    finest, *coarser = (
        from_release(source.level(place), count) for place in range(len(source.manifest.levels))
    )
    return Estimate(sample=finest, confidence=level, coarser=tuple(coarser))


def _of_histograms(mechanism: Any) -> list[Mechanism | Cells]:
    """The mechanisms, if they are of histograms; none if they are of counts."""
    given = mechanism.values() if isinstance(mechanism, Mapping) else mechanism
    listed = list(given) if isinstance(given, Iterable) else [given]
    return listed if any(isinstance(getattr(m, "domain", None), Histogram) for m in listed) else []


def _few(sizes: Sequence[int]) -> str:
    shown = ", ".join(str(n) for n in sizes[:12])
    return shown + (", ..." if len(sizes) > 12 else "")
