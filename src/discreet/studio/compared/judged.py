"""How good the design is: scores beside the paper's mechanisms, and the accuracy to expect. It
follows the picture.

None of it needs another design, but all of it together takes longer than the picture, and nobody
should wait for both.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from discreet.choosing.measures import measure
from discreet.core.named import PAPER
from discreet.show.colours import GREY, mechanism_colour
from discreet.studio.compared.pins import pinned
from discreet.studio.compared.scored_line import Line
from discreet.studio.compared.side_by_side import Comparing, comparing
from discreet.studio.designs import Costs, design_of, named, own_colour, rival_of, short_label
from discreet.studio.telling.lead import USUAL, capital, own_name
from discreet.studio.worth import worth

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism
    from discreet.reading.accuracy import Accuracy
    from discreet.studio.settings import Reading


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """What is said of a design besides its picture."""

    scores: list[Line]
    comparing: Comparing
    """The same in pictures, with the pinned designs."""
    accuracy: Accuracy
    rival_accuracy: Accuracy
    proven: str


def judge(reading: Reading) -> Judged:
    """Measure the design of a valid reading, and what stands beside it."""
    m, rival = design_of(reading), rival_of(reading)
    own, scores = m.accuracy(prior=reading.prior), _scores(reading, m)
    return Judged(
        scores=scores,
        comparing=comparing(scores, pinned(reading.setting), reading.count, reading.setting.prior),
        accuracy=own,
        rival_accuracy=own if rival == m else rival.accuracy(prior=reading.prior),
        proven=_proof(m, reading.setting.loss, worst_case=reading.setting.worst_case),
    )


def _scores(reading: Reading, m: Mechanism) -> list[Line]:
    """The design, what it is compared with, and the paper's four; those that are one mechanism
    share a row.
    """
    cost, beside = Costs(reading), reading.setting.beside
    rows: dict[Mechanism, list[str]] = {m: ["your design"]}
    codes: dict[Mechanism, str] = {}
    if beside not in PAPER:
        rival = rival_of(reading)
        rows.setdefault(rival, []).append(
            "best without properties" if beside == "none" else short_label(beside, rival)
        )
        codes[rival] = "" if beside == "none" else beside
    for name in sorted(PAPER, key=lambda name: name != beside):
        other = named(name, m.n, m.privacy)
        rows.setdefault(other, []).append(_label(name, m))
        codes[other] = codes.get(other) or name
    return [
        Line(
            label=" = ".join(names),
            name=own_name(m)
            if other == m
            else USUAL.get(codes.get(other, ""), "without properties"),
            code=codes.get(other, ""),
            mechanism=other,
            cost=cost(other),
            measures=measure(other, reading.prior),
            accuracy=other.accuracy(prior=reading.prior),
            worth=worth(other, reading.prior),
            colour=own_colour(m) if other == m else mechanism_colour(codes[other], GREY),
            yours=other == m,
        )
        for other, names in rows.items()
    ]


def _label(name: str, m: Mechanism) -> str:
    """Name one of the paper's mechanisms, and the usual noise by that too."""
    return f"the usual noise, {short_label(name, m)}" if name == "GM" else short_label(name, m)


_BETTER = {
    "L0": "is right more often",
    "L0,1": "is within one of the truth more often",
    "L0,2": "is within two of the truth more often",
    "L1": "is closer on average",
    "L2": "has smaller squared errors",
}
"""What no mechanism does that a design is compared with in a proof, by what it keeps small."""


def _proof(m: Mechanism, loss: str, *, worst_case: bool = False) -> str:
    """Say what is proven of a design in everyday words.

    >>> from discreet.core.named import fair
    >>> from discreet.designer import design
    >>> print(_proof(design(n=8, epsilon=1), "L0"))
    The usual noise is proven, exactly, to be private; and nothing as private is right more often.
    >>> print(_proof(design(n=8, epsilon="1/4", properties="CM", loss="L1"), "L1"))
    Your design is proven, exactly, to be private; and nothing as private with its properties is
    closer on average.
    >>> print(_proof(fair(n=8, epsilon=1), "L0"))
    Your design is proven, exactly, to be private.
    """
    certificate, problem = m.origin.certificate, m.origin.problem
    says = f"{capital(own_name(m))} is proven, exactly, to be private"
    if certificate is None or not certificate.optimal or problem is None:
        return f"{says}."
    alike = " with its properties" if str(problem.shape) else ""
    at = " at its worst count" if worst_case else ""
    return f"{says}; and nothing as private{alike} {_BETTER.get(loss, 'costs less')}{at}."
