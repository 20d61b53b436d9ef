"""What an audit found: a frozen value that prints in 80 columns and never says "proven"."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.auditing.draws import OUTSIDE
from discreet.auditing.fit import Fit
from discreet.auditing.independence import Independence
from discreet.auditing.region import HOLDS, OPEN, Appearance, Region, Witness
from discreet.auditing.tails import Floats
from discreet.core.domains import Cell
from discreet.core.rationals import Alpha
from discreet.show.text import beside, folded

REFUTED, NOT_REFUTED = "refuted", "not refuted"

CAVEAT = (
    "What this can show: that a claim is false. It cannot show that one is true: a smaller fault, "
    "or one in inputs or states that were not drawn, passes unseen, and so does a box that "
    "behaves while it is watched. For a matrix that is known, the exact check of every entry "
    "(discreet verify) is stronger than any test."
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Audit:
    """The findings about one black box.

    An honest box (independent rows, the claimed epsilon, the claimed matrix) has a chance of at
    most 1 - confidence of being refuted: half of that is spent on the matrix and epsilon, a quarter
    on independence, a quarter on the fit to a claimed matrix.
    """

    name: str
    n: int
    draws: int
    calls: int
    confidence: float
    tally: NDArray[np.int64]
    region: Region
    witness: Witness | None
    claim: Alpha | None
    properties: tuple[Appearance, ...]
    independence: Independence
    fit: Fit | None

    @property
    def matrix(self) -> Floats:
        """The estimated matrix as [output, true count]; a column never asked is NaN."""
        totals = self.tally.sum(axis=0)
        with np.errstate(invalid="ignore"):
            return self.tally[: self.n + 1] / np.where(totals > 0, totals, np.nan)

    @property
    def epsilon_bound(self) -> float:
        """A lower bound on the box's epsilon, at the stated confidence, if its rows are
        independent.
        """
        return 0.0 if self.witness is None else self.witness.epsilon

    @property
    def outside(self) -> dict[str, int]:
        """How many outputs were not in 0..n, by kind."""
        times = self.tally[self.n + 1 :].sum(axis=1).tolist()
        return {name: k for name, k in zip(OUTSIDE, times, strict=True) if k}

    @property
    def faults(self) -> tuple[str, ...]:
        """What was refuted, in sentences."""
        found = []
        if self.claim is not None and self.epsilon_bound > float(self.claim.epsilon):
            found.append(
                f"epsilon is above {self.epsilon_bound:.4g}, not {float(self.claim.epsilon):.4g} "
                "as claimed"
            )
        if self.independence.refuted and (test := self.independence.worst):
            found.append(
                f"rows are not independent: {test.name} in {test.wins} of {test.trials} trials, "
                "not half"
            )
        if self.fit is not None and self.fit.refuted:
            detail = (
                f"{self.fit.event} came {self.fit.times} times, not about {self.fit.expected:.0f}"
            )
            whole = (
                f"its columns differ by {self.fit.divergence:.0f} nats, p = "
                f"{self.fit.divergence_p_value:.2g}"
            )
            found.append(
                f"the matrix is not the claimed one: {detail if self.fit.event_refuted else whole}"
            )
        return tuple(found)

    @property
    def verdict(self) -> str:
        """ "refuted" or "not refuted": a test never proves."""
        return REFUTED if self.faults else NOT_REFUTED

    @property
    def refuted(self) -> bool:
        """Whether anything was refuted."""
        return bool(self.faults)

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells (output, true count) that speak against the box: the witness of epsilon and
        the fit's.
        """
        found = set(self.fit.cells) if self.fit is not None and self.fit.refuted else set()
        if (
            self.witness
            and self.claim is not None
            and self.epsilon_bound > float(self.claim.epsilon)
        ):
            pair = (self.witness.likely, self.witness.unlikely)
            found |= {(i, j) for i in self.witness.outcomes if i <= self.n for j in pair}
        return tuple(sorted(found))

    def to_dict(self) -> dict[str, Any]:
        """Return the findings as plain values, for JSON."""
        return {
            "name": self.name,
            "n": self.n,
            "draws": self.draws,
            "calls": self.calls,
            "confidence": self.confidence,
            "verdict": self.verdict,
            "faults": list(self.faults),
            "epsilon_lower_bound": self.epsilon_bound,
            "witness": None if self.witness is None else str(self.witness),
            "claimed_epsilon": None if self.claim is None else float(self.claim.epsilon),
            "properties": {p.property: p.status for p in self.properties},
            "independence": {
                "refuted": self.independence.refuted,
                "false_alarm_rate": self.independence.error,
                "tests": [
                    {"name": t.name, "wins": t.wins, "trials": t.trials, "p_value": t.p_value}
                    for t in self.independence.tests
                ],
            },
            "fit": None
            if self.fit is None
            else {
                "refuted": self.fit.refuted,
                "false_alarm_rate": self.fit.error,
                "event": self.fit.event,
                "times": self.fit.times,
                "expected": self.fit.expected,
                "p_value": self.fit.p_value,
                "tests": self.fit.tests,
                "divergence": self.fit.divergence if math.isfinite(self.fit.divergence) else None,
                "divergence_p_value": self.fit.divergence_p_value,
            },
            "outside": self.outside,
            "cells": [list(cell) for cell in self.cells],
            "tally": self.tally.tolist(),
            "caveat": CAVEAT,
        }

    as_dict = to_dict  # the name it had first

    def plot(self, path: str | Path | None = None) -> Any:
        """Draw the estimated matrix, the cells that speak against the box marked; write it to
        `path` if given.
        """
        from discreet.show.pictures.audit_picture import picture

        return picture(self, path)

    def __repr__(self) -> str:
        return (
            f"<Audit of {self.name}: {self.verdict}; epsilon >= {self.epsilon_bound:.4g}, "
            f"{self.draws} draws>"
        )

    def __str__(self) -> str:
        sure, calls = (
            f"{self.confidence:.6g}",
            "1 call" if self.calls == 1 else f"{self.calls} calls",
        )
        lines = [f"Audit of {self.name}"]
        claim = "none made" if self.claim is None else f"epsilon = {float(self.claim.epsilon):.6g}"
        lines += _entry(
            "verdict",
            f"{self.verdict.upper()} (confidence {sure})" if self.faults else self.verdict,
        )
        for fault in self.faults:
            lines += _entry("", fault)
        lines += _entry("claim", claim + ("" if self.fit is None else ", and the matrix"))
        lines += _entry("draws", f"{self.draws:,} in {calls}, n = {self.n}")
        shown = (
            "nothing shown"
            if self.witness is None
            else f"at least {self.epsilon_bound:.4g}; {self.witness}"
        )
        lines += _entry("epsilon", shown)
        if self.independence.refuted:
            lines += _entry("", "(this bound takes rows to be independent, and they are not)")
        lines += _entry("rows", self._rows_text())
        if self.fit is not None:
            lines += _entry("matrix", self._fit_text(self.fit))
        lines += _entry(
            "holds", " ".join(p.property for p in self.properties if p.status == HOLDS) or "-"
        )
        failing = [
            f"{p.property} at Pr[{p.cell[0]}|{p.cell[1]}]"
            for p in self.properties
            if p.cell is not None
        ]
        lines += _entry("fails", ", ".join(failing) or "-")
        lines += _entry(
            "undecided", " ".join(p.property for p in self.properties if p.status == OPEN) or "-"
        )
        if self.outside:
            lines += _entry("outside", ", ".join(f"{k} {name}" for name, k in self.outside.items()))
        return "\n".join([*lines, "", *folded(CAVEAT, width=78)])

    def _rows_text(self) -> str:
        test = self.independence.worst
        if test is None or not test.trials:
            return "independence not tested: too few rows"
        found = "NOT INDEPENDENT" if self.independence.refuted else "no dependence found"
        p = f"{test.p_value:.2g}"
        return (
            f"{found}; clearest of {len(self.independence.tests)} tests: {test.name} "
            f"{test.wins}/{test.trials}, p = {p}"
        )

    @staticmethod
    def _fit_text(fit: Fit) -> str:
        whole = f"the whole matrix, p <= {fit.divergence_p_value:.2g}"
        if fit.p_value == 1:
            return f"none of {fit.tests // 2} events is 3 standard deviations off; {whole}"
        return (
            f"largest of {fit.tests // 2} deviations: {fit.event}, p = {fit.p_value:.2g}; {whole}"
        )


def _entry(label: str, text: str) -> list[str]:
    return beside(f"  {label:<11}", text, width=78)
