"""How good the design is: scores beside the paper's mechanisms, and the accuracy to expect. It follows the picture.

None of it needs another design, but all of it together takes longer than the picture, and nobody should wait for both.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from discreet.choosing.measures import Measures, measure
from discreet.core.named import PAPER
from discreet.core.properties import PROPERTIES
from discreet.show.colours import mechanism_colour
from discreet.studio.designs import Costs, design_of, named, own_colour, rival_of, short_label
from discreet.studio.telling.wording import listed

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism
    from discreet.reading.accuracy import Accuracy
    from discreet.studio.settings import Reading


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One row of the table of scores."""

    label: str
    code: str = ""
    """What the glossary explains it by."""
    mechanism: Mechanism
    cost: Fraction
    measures: Measures
    colour: str = ""
    yours: bool = False
    link: str = ""
    picture: str = ""
    remove: str = ""

    @property
    def has(self) -> str:
        """Name the properties it has, or the one or two that it lacks."""
        shape = self.mechanism.shape
        lacks = [one.full_name for name, one in PROPERTIES.items() if name not in shape.names]
        if len(lacks) > 2:
            return str(shape) or "none"
        return f"all but {listed(lacks, 'and')}" if lacks else "all seven"


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """What is said of a design besides its picture."""

    scores: list[Line]
    accuracy: Accuracy
    rival_accuracy: Accuracy
    proven: str


def judge(reading: Reading) -> Judged:
    """Measure the design of a valid reading, and what stands beside it."""
    m, rival = design_of(reading), rival_of(reading)
    own = m.accuracy(prior=reading.prior)
    return Judged(
        scores=_scores(reading, m),
        accuracy=own,
        rival_accuracy=own if rival == m else rival.accuracy(prior=reading.prior),
        proven=_proof(m),
    )


def _scores(reading: Reading, m: Mechanism) -> list[Line]:
    cost = Costs(reading)

    def line(title: str, other: Mechanism, **look: Any) -> Line:
        return Line(label=title, mechanism=other, cost=cost(other), measures=measure(other, reading.prior), **look)

    asked = f" ({reading.shape})" if str(reading.shape) else ""
    lines = [line(f"your design{asked}", m, colour=own_colour(m), yours=True)]
    for name in PAPER:
        other = named(name, m.n, m.privacy)
        lines.append(line(short_label(name, m), other, colour=mechanism_colour(name), code=name))
    return lines


def _proof(m: Mechanism) -> str:
    certificate = m.origin.certificate
    if certificate is not None and certificate.optimal:
        return f"Private and optimal, both proven exactly ({m.origin.method})."
    return f"Private, proven exactly ({m.origin.method})."
