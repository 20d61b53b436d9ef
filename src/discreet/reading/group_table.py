"""The table of single groups: what was released, its debiased value, and its intervals.

A function of output, size and mechanism alone, so it is computed once per (mechanism, output) and looked up.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from discreet.core.forms import DENSE_LIMIT, Fair, Geometric
from discreet.core.losses import PriorLike, read_prior
from discreet.errors import MissingExtra
from discreet.reading.group import interval
from discreet.reading.methods.debiasing import NotEstimable
from discreet.reading.methods.empirical import estimate_rates, prior_for
from discreet.reading.methods.intervals import shortest_run
from discreet.reading.totals import count_score

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism
    from discreet.reading.methods.debiasing import Floats
    from discreet.reading.samples import Sample

ESTIMATED = "estimated"
_SHOWN = 12


@dataclass(frozen=True, kw_only=True, eq=False)
class GroupTable:
    """Columns of equal length, one row per group; export it or read `columns`."""

    columns: Mapping[str, Any]
    confidence: Fraction
    prior: str

    def __len__(self) -> int:
        return len(self.columns["n"])

    def to_arrow(self) -> Any:
        """Return an Arrow table (needs the 'tables' extra)."""
        try:
            import pyarrow as pa
        except ImportError:
            raise MissingExtra("tables", "an Arrow table") from None
        # Keys are Python values of any kind; the rest are plain numbers.
        plain = {name: list(v) if v.dtype == object else v for name, v in self.columns.items()}
        return pa.table({name: pa.array(values) for name, values in plain.items()})

    def to_pandas(self) -> Any:
        """Return a pandas data frame."""
        return self.to_arrow().to_pandas()

    def to_polars(self) -> Any:
        """Return a Polars data frame."""
        import polars

        return polars.from_arrow(self.to_arrow())

    def __str__(self) -> str:
        from discreet.show.text import table

        names = [_SHORT.get(name, name) for name in self.columns]
        lines = table([names, *self._first()], ">0 " * len(names), gap=2, indent=0)
        more = [f"... and {len(self) - _SHOWN:,} more groups"] if len(self) > _SHOWN else []
        level = f"{float(self.confidence)}"
        foot = [
            f"low, high: {level} confidence interval of each group alone, whatever its true count",
            f"mean, cred.lo, cred.hi: posterior under the prior {self.prior!r}",
        ]
        return "\n".join([*lines, *more, *foot])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from discreet.show import html

        note = f"{len(self):,} groups; confidence {float(self.confidence)} for each alone; prior {self.prior}."
        return html.together(html.table(list(self.columns), self._first(), caption="Groups"), html.note(note))

    def _first(self) -> list[list[str]]:
        return [[_text(values[k]) for values in self.columns.values()] for k in range(min(len(self), _SHOWN))]


_SHORT = {"posterior_mean": "mean", "credible_low": "cred.lo", "credible_high": "cred.hi"}


def _text(value: Any) -> str:
    return f"{value:.2f}" if isinstance(value, (float, np.floating)) else str(value)


def group_table(sample: Sample, *, confidence: Fraction, prior: PriorLike = None) -> GroupTable:
    """Read every group: debiased value, confidence interval, posterior mean and credible interval."""
    rates = estimate_rates(sample.histograms) if isinstance(prior, str) and prior == ESTIMATED else None
    found: dict[str, Any] = {
        name: np.zeros(len(sample), dtype=kind)
        for name, kind in (
            ("unbiased", float), ("low", int), ("high", int), ("posterior_mean", float),
            ("credible_low", int), ("credible_high", int),
        )
    }  # fmt: skip
    for index, mechanism in enumerate(sample.mechanisms):
        weights = prior_for(mechanism.n, rates) if rates is not None else None
        if weights is None:
            weights = np.array([float(w) for w in read_prior(prior, mechanism.n).weights])
        values = _unbiased(mechanism)
        members = np.flatnonzero(sample.which == index)
        for output in np.unique(sample.outputs[members]):
            rows = members[sample.outputs[members] == output]
            facts = _read(mechanism, int(output), confidence, weights)
            for name, value in zip(found, (values[output], *facts), strict=True):
                found[name][rows] = value
    columns = {**sample.keys, "n": sample.sizes, "released": sample.outputs, **found}
    return GroupTable(columns=columns, confidence=confidence, prior=str(prior or "uniform"))


def _unbiased(mechanism: Mechanism) -> Floats:
    """The debiased values; not-a-number where the mechanism cannot tell, since the rest of the row still can."""
    try:
        return count_score(mechanism).values
    except NotEstimable:
        return np.full(mechanism.n + 1, np.nan)


def _read(mechanism: Mechanism, output: int, confidence: Fraction, weights: Floats) -> tuple[float, ...]:
    low, high = interval(mechanism, output, confidence)
    joint = weights * _likelihood(mechanism, output)
    posterior = joint / joint.sum()
    # Whole numbers of 2^-60: the run is found by exact sums, and much faster than with fractions.
    first, last = shortest_run([int(p) for p in np.round(posterior * 2.0**60)], confidence)
    return low, high, float(np.arange(mechanism.n + 1) @ posterior), first, last


def _likelihood(mechanism: Mechanism, output: int) -> Floats:
    """A row of the matrix up to a factor, as floats; of a very large group from the powers of alpha alone."""
    form = mechanism.form
    if form.n > DENSE_LIMIT and isinstance(form, (Geometric, Fair)):
        counts = np.arange(form.n + 1)
        if isinstance(form, Geometric):
            exponents = np.abs(counts - output)
        else:
            exponents = np.array([form.exponent(output, int(j)) for j in counts])
        return np.asarray(float(form.alpha) ** exponents)
    return np.array([float(form.entry(output, j)) for j in range(form.n + 1)])
