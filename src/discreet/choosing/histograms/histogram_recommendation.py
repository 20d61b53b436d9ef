"""How to release a histogram: the best joint mechanism up to a limit, cells by GM beyond it, and
what properties cost.

For L0 and a uniform prior, as the flowchart of counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from discreet.choosing.exporting import exact_text
from discreet.choosing.flowchart import Step
from discreet.choosing.grid import as_asked
from discreet.choosing.histograms.histogram_comparison import JOINT, compare_histograms
from discreet.core.forms.orbits import number_of_orbits
from discreet.core.histogram import Histogram, read_histogram
from discreet.core.properties import Shape, ShapeLike, read_shape
from discreet.core.rationals import Alpha
from discreet.designer.orbits.cell_by_cell import Cells
from discreet.designer.orbits.joint_limit import MOST_ORBITS, why_cells
from discreet.errors import InvalidInput

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism

WISHES = {
    "": "no properties",
    "WH": "WH",
    "CM": "CM",
    "F": "F",
    "cells": "counts one by one",
    "RR": "trust nobody",
    "UM": "blind",
}
"""What is priced: designs by their properties, and the rivals of a joint design."""

PRICED_UP_TO = 1_000
"""Up to this many entries up to permutation, designs beyond the one asked for are solved: under
a second each.
"""

TITLES = {JOINT: "best joint mechanism", "cells": "counts one by one, cells by GM at epsilon/2"}


@dataclass(frozen=True, slots=True, kw_only=True)
class HistogramCost:
    """The price of one property: the release that has it, its L0 and people misplaced, and how
    much more both are.
    """

    wish: str
    mechanism: str
    l0: Fraction
    misplaced: Fraction
    l0_over: float
    misplaced_over: float
    recommended: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class HistogramRecommendation:
    """How to release a histogram, the questions that led there, and the price of each property."""

    domain: Histogram
    privacy: Alpha
    asked: Shape
    box: str
    mechanism: Mechanism | Cells
    steps: tuple[Step, ...]
    costs: tuple[HistogramCost, ...]
    note: str
    proof: str
    code: str

    @property
    def n(self) -> int:
        """The group size."""
        return self.domain.n

    @property
    def title(self) -> str:
        """What to use, in words."""
        wanted = f" with {self.asked}" if self.box == JOINT and str(self.asked) else ""
        return TITLES[self.box] + wanted

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain JSON values; exact numbers as text such as "10/11"."""
        return {
            "n": self.n,
            "answers": list(self.domain.names),
            "alpha": exact_text(self.privacy.value),
            "epsilon": exact_text(self.privacy.epsilon),
            "asked": list(self.asked),
            "recommended": self.box,
            "title": self.title,
            "has": list(self.mechanism.shape),
            "code": self.code,
            "proof": self.proof,
            "steps": [
                {"question": s.question, "answer": s.answer, "because": s.because}
                for s in self.steps
            ],
            "costs": [
                {
                    "wish": cost.wish,
                    "mechanism": cost.mechanism,
                    "L0": float(cost.l0),
                    "L0_exact": exact_text(cost.l0),
                    "L0_over_joint": cost.l0_over,
                    "misplaced": float(cost.misplaced),
                    "misplaced_exact": exact_text(cost.misplaced),
                    "misplaced_over_joint": cost.misplaced_over,
                    "recommended": cost.recommended,
                }
                for cost in self.costs
            ],
            "note": self.note,
        }

    def __str__(self) -> str:
        from discreet.show.histogram_choices import recommendation_text

        return recommendation_text(self)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from discreet.show.histogram_choices import recommendation_html

        return recommendation_html(self)


def recommend_histogram(
    *, n: Any, categories: Any, privacy: Alpha, properties: ShapeLike, by_epsilon: bool
) -> HistogramRecommendation:
    """Say how to release a histogram; see `discreet.recommend`."""
    domain, asked = read_histogram(n, categories), read_shape(properties)
    if domain.k == 2:
        remedy = "two answers are one count: leave `categories` out"
        raise InvalidInput("categories", "must have at least 3 answers", 2, remedy=remedy)
    because, m = why_cells(domain), _designed(domain, privacy, asked)
    steps = [_limit_step(domain, because)]
    box = "cells" if because else JOINT
    costs: tuple[HistogramCost, ...] = ()
    if isinstance(m, Cells):
        steps.append(_step("Do cells by GM have what you want?", True, f"they have {m.shape}."))
        note = (
            f"{float(m.misplaced):.4f} people misplaced on average; no joint mechanism has fewer "
            f"than {float(m.least_misplaced):.4f}."
        )
        proof = "private, exactly; its error is exact, and next to it stands the best bound known"
    else:
        best = m if not str(asked) else _designed(domain, privacy, Shape())
        steps += _property_steps(asked, best)
        costs, note = _priced(domain, privacy, asked)
        proof = "optimal for what was asked, by linear program; certificate attached"
    return HistogramRecommendation(
        domain=domain,
        privacy=privacy,
        asked=asked,
        box=box,
        mechanism=m,
        steps=tuple(steps),
        costs=costs,
        note=note,
        proof=proof,
        code=_code(domain, privacy, asked, by_epsilon=by_epsilon),
    )


def _designed(domain: Histogram, privacy: Alpha, shape: Shape) -> Mechanism | Cells:
    from discreet.designer import design

    return design(
        n=domain.n,
        categories=list(domain.answers) or domain.k,
        **as_asked(privacy),
        properties=shape,
    )


def _step(question: str, answer: bool, because: str) -> Step:
    return Step(question=question, answer="yes" if answer else "no", because=because)


def _limit_step(domain: Histogram, because: str) -> Step:
    question = "Can the whole histogram be designed at once?"
    if because:
        return _step(question, False, f"{because}; each count is drawn by itself, at epsilon/2.")
    entries = number_of_orbits(domain, (0,) * domain.k)
    fits = (
        f"{entries:,} entries up to permutation of the answers, at most {MOST_ORBITS:,}; it costs "
        "epsilon once."
    )
    return _step(question, True, fits)


def _property_steps(asked: Shape, best: Mechanism | Cells) -> list[Step]:
    wanted = str(asked)
    if not wanted:
        return [
            _step(
                "Do you want any property?",
                False,
                "the best joint mechanism of all is the one to use.",
            )
        ]
    free = best.satisfies(asked)
    has = str(best.shape) or "none of the seven"
    return [
        _step("Do you want any property?", True, f"{wanted} is asked for."),
        _step(
            "Does the best of all have it?",
            free,
            f"it has {has}"
            + (", so nothing is paid." if free else "; the best with it is designed."),
        ),
    ]


def _priced(
    domain: Histogram, privacy: Alpha, asked: Shape
) -> tuple[tuple[HistogramCost, ...], str]:
    """A row for each wish, and a note on what the table shows."""
    small = number_of_orbits(domain, (0,) * domain.k) <= PRICED_UP_TO
    wishes = {
        given: wish for given, wish in WISHES.items() if small or given in ("", "cells", "UM", "RR")
    }
    if str(asked) not in wishes:
        wishes[str(asked)] = "as asked"
    answers = list(domain.answers) or domain.k
    table = compare_histograms(list(wishes), n=domain.n, categories=answers, **as_asked(privacy))
    base = table[JOINT]
    rows = tuple(
        HistogramCost(
            wish=wish,
            mechanism=entry.label,
            l0=entry.l0,
            misplaced=entry.l1,
            l0_over=float(entry.l0 / base.l0 - 1) if base.l0 else 0.0,
            misplaced_over=float(entry.l1 / base.l1 - 1) if base.l1 else 0.0,
            recommended=given == str(asked),
        )
        for (given, wish), entry in zip(wishes.items(), table, strict=True)
    )
    note = "* recommended. Designs have the least L0; cells are read as they are drawn."
    return (
        rows,
        note if small else f"{note} Other designs are not solved beyond {PRICED_UP_TO:,} entries.",
    )


def _code(domain: Histogram, privacy: Alpha, asked: Shape, *, by_epsilon: bool) -> str:
    """Return the line that makes it again."""
    value = exact_text(privacy.epsilon if by_epsilon else privacy.value)
    answers = list(domain.answers) or domain.k
    wanted = f', properties="{asked}"' if str(asked) else ""
    return (
        f"dc.design(n={domain.n}, categories={answers}, "
        f'{"epsilon" if by_epsilon else "alpha"}="{value}"{wanted})'
    )
