"""How good the design is: scores beside the paper's mechanisms, and the accuracy to expect. It follows the picture.

None of it needs another design, but all of it together takes longer than the picture, and nobody should wait for both.
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
from discreet.studio.telling.lead import USUAL, own_name
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
        proven=_proof(m),
    )


def _scores(reading: Reading, m: Mechanism) -> list[Line]:
    """The design, what it is compared with, and the paper's four; those that are one mechanism share a row."""
    cost, beside = Costs(reading), reading.setting.beside
    rows: dict[Mechanism, list[str]] = {m: ["your design"]}
    codes: dict[Mechanism, str] = {}
    if beside not in PAPER:
        rival = rival_of(reading)
        rows.setdefault(rival, []).append("best without properties" if beside == "none" else short_label(beside, rival))
        codes[rival] = "" if beside == "none" else beside
    for name in sorted(PAPER, key=lambda name: name != beside):
        other = named(name, m.n, m.privacy)
        rows.setdefault(other, []).append(_label(name, m))
        codes[other] = codes.get(other) or name
    return [
        Line(
            label=" = ".join(names),
            name=own_name(m) if other == m else USUAL.get(codes.get(other, ""), "without properties"),
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


def _proof(m: Mechanism) -> str:
    """Say what is proven of a design in everyday words; the theorem stands in what explains them.

    >>> from discreet.core.named import fair
    >>> from discreet.designer import design
    >>> _proof(design(n=8, epsilon=1))
    'Proven exactly: the usual noise is private, and of all that are, it is the best by what is kept small.'
    >>> _proof(fair(n=8, epsilon=1))
    'Proven exactly: the fair mechanism is private.'
    """
    certificate = m.origin.certificate
    name = own_name(m)
    if certificate is None or not certificate.optimal:
        return f"Proven exactly: {name} is private."
    asked = m.origin.problem and str(m.origin.problem.shape)
    alike = "all that are and have its properties" if asked else "all that are"
    return f"Proven exactly: {name} is private, and of {alike}, it is the best by what is kept small."
