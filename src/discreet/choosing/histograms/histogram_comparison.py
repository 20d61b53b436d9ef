"""Ways to release a histogram side by side: the best joint mechanism, cells by GM, each person's
randomised response.

Scores are exact and mean what they mean over histograms: L0 is the chance of a wrong histogram, L1
the number of people misplaced, L2 its square. Cells are read as they are drawn, and misplace half
of the sum of their errors.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING, Any

from discreet.choosing.exporting import Exported, exact_text
from discreet.choosing.grid import as_asked, read_settings
from discreet.choosing.histograms.histogram_rivals import RIVALS, blind, each_person, worst_bias
from discreet.core.certificate import score
from discreet.core.forms import Folded
from discreet.core.histogram import Histogram, read_histogram
from discreet.core.losses import LossLike, Prior, PriorLike, read_loss, read_prior
from discreet.core.mechanism import Mechanism
from discreet.core.named import find_named
from discreet.core.progress import Listener, Reporter, silent
from discreet.core.properties import PROPERTIES, Shape, read_shape
from discreet.core.rationals import Alpha
from discreet.designer.orbits.cell_by_cell import Cells, cells_over
from discreet.designer.orbits.cell_errors import cell_cost_under, least_truth
from discreet.designer.orbits.joint_limit import why_cells
from discreet.errors import InvalidInput, did_you_mean

if TYPE_CHECKING:
    from pathlib import Path

JOINT = "joint"
USUAL_HISTOGRAMS = (JOINT, *RIVALS)
"""What is compared over histograms when nothing is named."""

_REMEDY = (
    f'use {", ".join(USUAL_HISTOGRAMS)}, properties such as "WH CM", or a Mechanism over '
    "these histograms"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class HistogramEntry:
    """One row: a way to release a histogram under its label, at its setting, with its exact
    scores.
    """

    label: str
    privacy: Alpha
    mechanism: Mechanism | Cells
    l0: Fraction
    l1: Fraction
    l2: Fraction
    worst_bias: Fraction
    least_truth: Fraction

    @property
    def n(self) -> int:
        """The group size."""
        return self.mechanism.n

    @property
    def rmse(self) -> float:
        """The root of L2."""
        return sqrt(self.l2)


@dataclass(frozen=True, slots=True, kw_only=True)
class HistogramComparison(Exported):
    """Ways to release a histogram side by side; print it, look into `entries`, export it or plot
    it.
    """

    entries: tuple[HistogramEntry, ...]
    answers: tuple[str, ...]
    loss: str
    prior: str
    worst_case: bool = False
    note: str = ""

    def __iter__(self) -> Iterator[HistogramEntry]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    def __getitem__(self, label: str) -> HistogramEntry:
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
        asked = {"loss": self.loss, "prior": self.prior, "worst_case": self.worst_case}
        return {"answers": list(self.answers), **asked, "note": self.note}

    def to_dicts(self, *, exact: bool = False) -> list[dict[str, Any]]:
        """Return the rows as dicts of plain values: floats, or fractions as text with `exact`."""
        show = exact_text if exact else float
        return [
            {
                "mechanism": entry.label,
                "n": entry.n,
                "answers": len(self.answers),
                "alpha": show(entry.privacy.value),
                "epsilon": show(entry.privacy.epsilon),
                **{name: name in entry.mechanism.shape for name in PROPERTIES},
                "L0": show(entry.l0),
                "L1": show(entry.l1),
                "L2": show(entry.l2),
                "RMSE": entry.rmse,
                "worst_bias": show(entry.worst_bias),
                "least_truth": show(entry.least_truth),
            }
            for entry in self
        ]

    def plot(self, kind: str | None = None, path: str | Path | None = None, **options: Any) -> Any:
        """Draw it: at one setting the scores as bars, over a grid a score over n or alpha; or
        `kind` of figure.
        """
        from discreet.show.charts import plot

        settings = {(entry.n, entry.privacy) for entry in self}
        kind = kind or ("rivals" if len(settings) == 1 else "scores")
        if kind in ("rivals", "scores"):
            return plot(self, kind, path, **options)
        if len(settings) > 1:
            raise InvalidInput(
                "kind",
                "must be 'scores' for a grid",
                kind,
                remedy="or compare at one n and one alpha",
            )
        joint = {
            entry.label: entry.mechanism for entry in self if isinstance(entry.mechanism, Mechanism)
        }
        return plot(joint, kind, path, **options)

    def __str__(self) -> str:
        from discreet.show.histogram_choices import comparison_text

        return comparison_text(self)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from discreet.show.histogram_choices import comparison_html

        return comparison_html(self)


Given = str | Shape | Mechanism


def compare_histograms(
    mechanisms: Any,
    *,
    categories: Any,
    n: Any,
    alpha: Any = None,
    epsilon: Any = None,
    loss: LossLike = "L0",
    prior: PriorLike = None,
    worst_case: bool = False,
    progress: Listener | None = None,
) -> HistogramComparison:
    """Compare ways to release a histogram at every setting; see `discreet.compare`."""
    asked = _read(USUAL_HISTOGRAMS if mechanisms is None else mechanisms)
    held = [given for given in asked.values() if isinstance(given, Mechanism)]
    settings = read_settings(held, n, alpha, epsilon)
    entries: list[HistogramEntry] = []
    notes: list[str] = []
    report, done = Reporter(progress), 0
    answers: tuple[str, ...] = ()
    for people, privacy in settings:
        domain = read_histogram(people, categories)
        answers = domain.names
        if domain.k == 2:
            remedy = "two answers are one count: leave `categories` out"
            raise InvalidInput("categories", "must have at least 3 answers", 2, remedy=remedy)
        because = why_cells(domain)
        if because and prior is not None:
            remedy = "cells beyond the limit are measured over all histograms alike"
            raise InvalidInput(
                "prior", f"must be left out for the {domain}: {because}", remedy=remedy
            )
        weights = None if because else read_prior(prior, people, domain)
        for label, given in asked.items():
            report("comparing", done, len(settings) * len(asked), detail=f"{label}, n = {people}")
            done += 1
            if because and given != "cells":
                notes.append(f"n = {people}: {because}, so only the cells are compared.")
                continue
            made = _made(given, domain, privacy, loss=loss, prior=prior, worst_case=worst_case)
            if made is not None:
                entries.append(_entry(label, privacy, made, weights))
    if not entries:
        raise InvalidInput(
            "mechanisms", "must each fit one of the settings", remedy=" ".join(notes[:1]) or _REMEDY
        )
    first = settings[0][0]
    return HistogramComparison(
        entries=tuple(entries),
        answers=answers,
        loss=read_loss(loss, first, read_histogram(first, categories)).name,
        prior="uniform" if prior is None else prior if isinstance(prior, str) else "given",
        worst_case=worst_case,
        note=" ".join(dict.fromkeys(notes)),
    )


def _read(mechanisms: Any) -> dict[str, Given]:
    """Read who takes part, by label: names, properties to design for, mechanisms; a mapping
    gives the labels.
    """
    if isinstance(mechanisms, Mapping):
        return {str(label): _one(given)[1] for label, given in mechanisms.items()}
    given = [mechanisms] if isinstance(mechanisms, (str, Shape, Mechanism)) else mechanisms
    if not isinstance(given, Iterable):
        raise InvalidInput(
            "mechanisms",
            "must be names, property strings or mechanisms",
            mechanisms,
            remedy=_REMEDY,
        )
    found = dict(map(_one, given))
    if not found:
        raise InvalidInput("mechanisms", "must name at least one", "none", remedy=_REMEDY)
    return found


def _one(given: Any) -> tuple[str, Given]:
    if isinstance(given, Mechanism):
        if not isinstance(given.form, Folded):
            raise InvalidInput(
                "mechanisms",
                "must be over histograms here",
                f"one of {given.domain}",
                remedy=_REMEDY,
            )
        return given.id[:8], given
    if not isinstance(given, (str, Shape)):
        raise InvalidInput(
            "mechanisms", "must be names, property strings or mechanisms", given, remedy=_REMEDY
        )
    name = given.strip() if isinstance(given, str) else str(given)
    if name.lower() in ("", JOINT):
        return JOINT, ""
    for known in RIVALS:
        if name.lower() == known.lower():
            return known, known
    if find_named(name):
        raise InvalidInput(
            "mechanisms",
            "has a mechanism for counts, not for histograms",
            found=name,
            remedy=_REMEDY,
        )
    try:
        shape = read_shape(given)
    except InvalidInput as error:
        if error.code != "unknown-name":
            raise
        nearest = did_you_mean(name, [*USUAL_HISTOGRAMS, *PROPERTIES])
        raise InvalidInput(
            "mechanisms", "has an unknown name", found=error.value, remedy=nearest
        ) from None
    return str(shape) or JOINT, shape


def _made(
    given: Given,
    domain: Histogram,
    privacy: Alpha,
    *,
    loss: LossLike,
    prior: PriorLike,
    worst_case: bool,
) -> Mechanism | Cells | None:
    if isinstance(given, Mechanism):
        return given if given.domain == domain and given.tight_alpha >= privacy.value else None
    if given == "cells":
        return cells_over(domain, privacy)
    if given == "RR":
        return each_person(domain, privacy)
    if given == "UM":
        return blind(domain)
    from discreet.designer import design

    return design(
        n=domain.n,
        categories=list(domain.answers) or domain.k,
        **as_asked(privacy),
        properties=given,
        loss=loss,
        prior=prior,
        worst_case=worst_case,
        progress=silent,
    )


def _entry(
    label: str, privacy: Alpha, made: Mechanism | Cells, prior: Prior | None
) -> HistogramEntry:
    if isinstance(made, Mechanism):
        form = made.form
        assert isinstance(form, Folded)
        weights = prior or read_prior(None, made.n, form.domain)
        l0, l1, l2 = (
            score(form, read_loss(loss, made.n, form.domain), weights)
            for loss in ("L0", "L1", "L2")
        )
        bias, truth = (
            worst_bias(form),
            Fraction(min(form.values[u] for u in form.orbits.diagonal), form.denominator),
        )
    else:
        b = made.cell_alpha
        l0, l1, l2 = (
            made.score(loss)
            if prior is None or prior.uniform
            else cell_cost_under(made.domain, b, loss, prior.weights)
            for loss in ("L0", "L1", "L2")
        )
        bias = max(abs(made.mechanism.bias(j)) for j in range(made.n + 1))
        truth = least_truth(made.domain, b)
    return HistogramEntry(
        label=label,
        privacy=privacy,
        mechanism=made,
        l0=l0,
        l1=l1,
        l2=l2,
        worst_bias=bias,
        least_truth=truth,
    )
