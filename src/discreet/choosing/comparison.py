"""Mechanisms side by side: properties, scores, bias and chance of truth, for one setting or a grid.

The table of the paper's Figure 6 for whatever you want in it. Scores are exact; they become floats
only when they are printed or exported without `exact=True`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any, overload

from discreet.choosing.contenders import Contender, ContendersLike, read_contenders
from discreet.choosing.exporting import Exported, record
from discreet.choosing.grid import Setting, as_asked, read_settings
from discreet.choosing.measures import Measures, measure
from discreet.core.losses import LossLike, PriorLike, read_loss, read_prior
from discreet.core.mechanism import Mechanism
from discreet.core.progress import Listener, Reporter, silent
from discreet.core.rationals import Alpha, Exact
from discreet.errors import InvalidInput

if TYPE_CHECKING:
    from pathlib import Path

    from discreet.choosing.histograms.histogram_comparison import HistogramComparison

USUAL = ("GM", "WM", "WH CM", "EM", "UM")
"""The paper's mechanisms: what is compared when nothing is named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One row: a mechanism under its label, at the setting it is compared at, with its exact
    measures.
    """

    label: str
    privacy: Alpha
    mechanism: Mechanism
    measures: Measures

    @property
    def n(self) -> int:
        """The group size."""
        return self.mechanism.n


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison(Exported):
    """Mechanisms side by side; print it, look into `entries`, export it or plot it."""

    entries: tuple[Entry, ...]
    loss: str = "L0"
    prior: str = "uniform"
    worst_case: bool = False

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    def __getitem__(self, label: str) -> Entry:
        """Return the first row with a label."""
        for entry in self.entries:
            if entry.label == label:
                return entry
        known = ", ".join(dict.fromkeys(entry.label for entry in self.entries))
        raise InvalidInput(
            "label", "is not in this comparison", found=label, remedy=f"choose from {known}"
        )

    @property
    def setting(self) -> dict[str, Any]:
        """What all rows have in common."""
        return {"loss": self.loss, "prior": self.prior, "worst_case": self.worst_case}

    def to_dicts(self, *, exact: bool = False) -> list[dict[str, Any]]:
        """Return the rows as dicts of plain values: floats, or fractions as text with `exact`."""
        return [record(entry, exact=exact) for entry in self]

    def plot(self, kind: str | None = None, path: str | Path | None = None, **options: Any) -> Any:
        """Draw a score over n or alpha, whichever varies; at one setting, bias and RMSE for every
        true count.

        `kind` and `options` are those of `discreet.show.charts`: "scores", "accuracy", "heatmap",
        "intervals".
        """
        from discreet.show.charts import plot

        settings = {(entry.n, entry.privacy) for entry in self}
        kind = kind or ("accuracy" if len(settings) == 1 else "scores")
        if kind == "scores":
            return plot(self, kind, path, **options)
        if len(settings) > 1:
            raise InvalidInput(
                "kind",
                "must be 'scores' for a grid",
                kind,
                remedy="or compare at one n and one alpha",
            )
        return plot({entry.label: entry.mechanism for entry in self}, kind, path, **options)

    def __str__(self) -> str:
        from discreet.show.choices import comparison_text

        return comparison_text(self)

    __repr__ = __str__  # what a prompt shows is for reading, as a table is in pandas

    def _repr_html_(self) -> str:
        from discreet.show.choices import comparison_html

        return comparison_html(self)


@overload
def compare(
    mechanisms: ContendersLike | None = ...,
    *,
    categories: None = ...,
    n: int | Iterable[int] | None = ...,
    alpha: Exact | Iterable[Exact] | None = ...,
    epsilon: Exact | Iterable[Exact] | None = ...,
    loss: LossLike = ...,
    prior: PriorLike = ...,
    worst_case: bool = ...,
    progress: Listener | None = ...,
) -> Comparison: ...
@overload
def compare(
    mechanisms: ContendersLike | None = ...,
    *,
    categories: int | Sequence[str],
    n: int | Iterable[int] | None = ...,
    alpha: Exact | Iterable[Exact] | None = ...,
    epsilon: Exact | Iterable[Exact] | None = ...,
    loss: LossLike = ...,
    prior: PriorLike = ...,
    worst_case: bool = ...,
    progress: Listener | None = ...,
) -> HistogramComparison: ...
def compare(
    mechanisms: ContendersLike | None = None,
    *,
    categories: int | Sequence[str] | None = None,
    n: int | Iterable[int] | None = None,
    alpha: Exact | Iterable[Exact] | None = None,
    epsilon: Exact | Iterable[Exact] | None = None,
    loss: LossLike = "L0",
    prior: PriorLike = None,
    worst_case: bool = False,
    progress: Listener | None = None,
) -> Comparison | HistogramComparison:
    """Compare mechanisms at every combination of `n` and `alpha` (or `epsilon`), each a value or a
    list.

    `mechanisms` are names (GM, WM, EM, UM, RR, Laplace, exponential, staircase), properties to
    design for ("WH CM"), or `Mechanism` objects, in a list, or in a dict that labels them. Designs
    are optimal for `loss`, `prior` and `worst_case`; every row is measured under `prior`. A
    `Mechanism` appears at each setting of its n for which it is private enough. Without n and
    alpha, the settings are those of the mechanisms given.

    With `categories`, the number of answers or their names, what is compared are releases of a
    whole histogram: "joint" (the best mechanism of all), designs by their properties, "cells" (each
    count by GM at epsilon/2), "RR" (k-ary randomised response of each person) and "UM"; the table
    is a `HistogramComparison`.

    `progress` is called with an event per row done.

    >>> table = compare(["GM", "EM"], n=2, alpha="1/2")
    >>> table["GM"].measures.l0, table["EM"].measures.l0
    (Fraction(2, 3), Fraction(3, 4))
    """
    if categories is not None:
        from discreet.choosing.histograms.histogram_comparison import compare_histograms

        return compare_histograms(
            mechanisms,
            categories=categories,
            n=n,
            alpha=alpha,
            epsilon=epsilon,
            loss=loss,
            prior=prior,
            worst_case=worst_case,
            progress=progress,
        )
    contenders = read_contenders(USUAL if mechanisms is None else mechanisms)
    held = [contender.held for contender in contenders if contender.held is not None]
    settings = read_settings(held, n, alpha, epsilon)
    for size in {size for size, _ in settings}:
        read_prior(prior, size)
        read_loss(loss, size)
    entries: list[Entry] = []
    placed: set[str] = set()
    report, rows = Reporter(progress), list(product(settings, contenders))
    for done, (setting, contender) in enumerate(rows):
        report("comparing", done, len(rows), detail=f"{contender.label}, n = {setting[0]}")
        m = _built(contender, setting, loss, prior, worst_case, progress)
        if m is not None:
            placed.add(contender.label)
            entries.append(
                Entry(
                    label=contender.label,
                    privacy=setting[1],
                    mechanism=m,
                    measures=measure(m, prior),
                )
            )
    for contender in contenders:
        if contender.label not in placed and contender.held is not None:
            own = contender.held
            raise InvalidInput(
                "mechanisms",
                "must each fit one of the settings",
                f"{contender.label} for n = {own.n}, {own.privacy}",
                remedy="ask for its n, and for an alpha that is at most its own",
            )
    some = settings[0][0]
    return Comparison(
        entries=tuple(entries),
        loss=read_loss(loss, some).name,
        prior=read_prior(prior, some).name,
        worst_case=worst_case,
    )


def _built(
    contender: Contender,
    setting: Setting,
    loss: LossLike,
    prior: PriorLike,
    worst_case: bool,
    progress: Listener | None,
) -> Mechanism | None:
    n, privacy = setting
    if contender.held is not None:
        fits = contender.held.n == n and contender.held.tight_alpha >= privacy.value
        return contender.held if fits else None
    if contender.named is not None:
        return contender.named.build(n=n, **as_asked(privacy))
    from discreet.designer import design

    return design(
        n=n,
        **as_asked(privacy),
        properties=contender.shape,
        loss=loss,
        prior=prior,
        worst_case=worst_case,
        progress=None if progress is None else silent,
    )
