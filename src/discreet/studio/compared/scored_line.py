"""One mechanism with its scores: a row of a table, and what its pictures are drawn from."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from discreet.choosing.measures import Measures
from discreet.core.properties import PROPERTIES
from discreet.studio.telling.glossary import quoted
from discreet.studio.telling.lead import spelled
from discreet.studio.telling.wording import holdings, listed

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism
    from discreet.reading.accuracy import Accuracy
    from discreet.studio.worth import Worth


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One row of the table of scores."""

    label: str
    name: str
    """What it is called beneath a picture and within a sentence."""
    code: str = ""
    """What the glossary explains it by."""
    mechanism: Mechanism
    cost: Fraction
    measures: Measures
    accuracy: Accuracy | None = None
    worth: Worth
    colour: str = ""
    yours: bool = False
    link: str = ""
    picture: str = ""
    remove: str = ""

    @property
    def has(self) -> str:
        """Say how many of the properties it has, or which one or two it lacks."""
        shape = self.mechanism.shape
        lacks = [quoted(name) for name in PROPERTIES if name not in shape.names]
        if len(lacks) > 2:
            return (
                f"{spelled(len(PROPERTIES) - len(lacks))} of seven"
                if len(lacks) < len(PROPERTIES)
                else "none"
            )
        return f"all but {listed(lacks, 'and')}" if lacks else "all seven"

    @property
    def has_by_name(self) -> str:
        """Name the properties it has, where `has` only counts them."""
        return holdings(self.mechanism.shape) if self.has.endswith(" of seven") else ""
