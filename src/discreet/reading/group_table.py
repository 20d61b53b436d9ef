"""The table of single groups: what was released, its debiased value, and its intervals.

A function of output, size and mechanism alone: groups of GM or EM at one alpha are read together,
whatever their sizes, and other mechanisms one by one, each only for the outputs that occur.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from discreet.core.forms import DENSE_LIMIT
from discreet.core.losses import PriorLike, read_prior
from discreet.core.rationals import in_percent
from discreet.errors import InvalidInput
from discreet.reading.accuracy import LARGEST_SIZE
from discreet.reading.count_columns import law_of
from discreet.reading.group import output_intervals
from discreet.reading.methods.closed_scores import debiased_if_any
from discreet.reading.methods.debiasing import NotEstimable
from discreet.reading.methods.empirical import estimate_rates, priors_for
from discreet.reading.methods.posteriors import closed_posteriors, read_posteriors
from discreet.reading.methods.stretched import mirrored_intervals
from discreet.reading.parts.exported import Exported, all_of_them
from discreet.reading.totals import count_score

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism
    from discreet.reading.methods.debiasing import Floats, Integers
    from discreet.reading.samples import Sample

ESTIMATED = "estimated"
_SHOWN = 12


@dataclass(frozen=True, kw_only=True, eq=False)
class GroupTable(Exported):
    """Columns of equal length, one row per group; export it or read `columns`."""

    columns: Mapping[str, Any]
    confidence: Fraction
    prior: str
    """What the posterior is under; empty where there is none."""

    def __len__(self) -> int:
        return len(self.columns["n"])

    def __str__(self) -> str:
        from discreet.show.text import rows_shown, table

        most = rows_shown()
        names = [_SHORT.get(name, name) for name in self.columns]
        lines = table([names, *self._first(most)], ">0 " * len(names), gap=2, indent=0)
        more = [f"... and {len(self) - most:,} more: {all_of_them()}"] if len(self) > most else []
        level = in_percent(self.confidence)
        foot = [
            *self._use(),
            f"low, high: {level} confidence interval of each group alone, whatever its true count",
        ]
        if self.prior:
            foot.append(f"mean, cred.lo, cred.hi: posterior under the prior {self.prior!r}")
        return "\n".join([*lines, *more, *foot])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from discreet.show import html

        under = f"; prior {self.prior}" if self.prior else ""
        note = (
            f"{len(self):,} {self._rows}; confidence {float(self.confidence)} for each "
            f"alone{under}."
        )
        note = " ".join([note, *self._use()])
        return html.together(
            html.table(list(self.columns), self._first(), caption="Groups"), html.note(note)
        )

    def _use(self) -> list[str]:
        """What the unbiased column is for, where a reader of it would stumble."""
        unbiased, sizes = np.asarray(self.columns["unbiased"]), np.asarray(self.columns["n"])
        outside = (unbiased < 0) | (unbiased > sizes)
        return list(_ARITHMETIC) if outside.any() else []

    @property
    def _rows(self) -> str:
        return "rows" if "answer" in self.columns else "groups"

    def _first(self, most: int = _SHOWN) -> list[list[str]]:
        return [
            [_text(values[k]) for values in self.columns.values()]
            for k in range(min(len(self), most))
        ]


_ARITHMETIC = (
    "unbiased: for sums and models, where it is right on average; one alone may be",
    "outside 0..n and is not to be quoted (quotable() makes a table that is)",
)
_SHORT = {"posterior_mean": "mean", "credible_low": "cred.lo", "credible_high": "cred.hi"}


def _text(value: Any) -> str:
    return f"{value:z.2f}" if isinstance(value, (float, np.floating)) else str(value)


def group_table(sample: Sample, *, confidence: Fraction, prior: PriorLike = None) -> GroupTable:
    """Read every group: debiased value, confidence interval, posterior mean and credible
    interval.
    """
    rates = (
        estimate_rates(sample.histograms) if isinstance(prior, str) and prior == ESTIMATED else None
    )
    found: dict[str, Any] = {
        name: np.zeros(len(sample), dtype=kind)
        for name, kind in (
            ("unbiased", float),
            ("low", int),
            ("high", int),
            ("posterior_mean", float),
            ("credible_low", int),
            ("credible_high", int),
        )
    }
    priors: dict[int, Floats] = {}
    if rates is not None:
        priors = priors_for({m.n for m in sample.mechanisms if m.n <= DENSE_LIMIT}, rates)
    elif prior is not None and not _is_uniform(prior):
        if max(m.n for m in sample.mechanisms) > LARGEST_SIZE:
            rule = (
                f"must be uniform or estimated where a group has more than {LARGEST_SIZE:,} people"
            )
            raise InvalidInput(
                "prior",
                rule,
                str(prior)[:80],
                remedy="leave it out for the counts to be equally likely",
            )
        priors = {
            m.n: np.array([float(w) for w in read_prior(prior, m.n).weights])
            for m in sample.mechanisms
        }
    laws = [law_of(m) for m in sample.mechanisms]
    for law in dict.fromkeys(law for law in laws if law is not None):
        rows = np.flatnonzero(np.array([other == law for other in laws])[sample.which])
        sizes, outputs = sample.sizes[rows], sample.outputs[rows]
        ends = mirrored_intervals(*law, sizes, outputs, confidence)
        posterior = closed_posteriors(*law, sizes, outputs, priors, confidence)
        for name, values in zip(
            found, (debiased_if_any(*law, sizes, outputs), *ends, *posterior), strict=True
        ):
            found[name][rows] = values
    for index in [index for index, law in enumerate(laws) if law is None]:
        mechanism, rows = sample.mechanisms[index], np.flatnonzero(sample.which == index)
        outputs, place = np.unique(sample.outputs[rows], return_inverse=True)
        ends = output_intervals(mechanism, outputs, confidence)
        posterior = read_posteriors(mechanism, outputs, priors.get(mechanism.n), confidence)
        for name, values in zip(
            found, (_unbiased(mechanism, outputs), *ends, *posterior), strict=True
        ):
            found[name][rows] = values[place]
    columns = {**sample.keys, "n": sample.sizes, "released": sample.outputs, **found}
    return GroupTable(columns=columns, confidence=confidence, prior=str(prior or "uniform"))


def _is_uniform(prior: PriorLike) -> bool:
    """Whether it is the word for what no prior means, so that no weights need to be written out."""
    return isinstance(prior, str) and prior.strip().lower() == "uniform"


def _unbiased(mechanism: Mechanism, outputs: Integers) -> Floats:
    """The debiased values; not-a-number where the mechanism cannot tell, since the rest of the
    row still can.
    """
    try:
        return count_score(mechanism).at(outputs)
    except NotEstimable:
        return np.full(len(outputs), np.nan)
