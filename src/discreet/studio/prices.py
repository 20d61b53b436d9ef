"""What each property costs: the design with it against the design without it, everything else the same."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from discreet.core.properties import IMPLICATIONS, PROPERTIES, Shape, closure
from discreet.core.rationals import shown
from discreet.errors import DiscreetError

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism

Design = Callable[[Shape], "Mechanism"]
Cost = Callable[["Mechanism"], Fraction]


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """A property on the page: asked for, implied by what is asked, or neither; and its price in words."""

    name: str
    asked: bool
    implied: bool
    held: bool
    words: str

    @property
    def state(self) -> str:
        """The state that its line on the page shows."""
        return "asked" if self.asked else "implied" if self.implied else "held" if self.held else "absent"


def price_properties(
    shape: Shape, current: Mechanism, design: Design, cost: Cost, *, quick: bool = False
) -> list[Price]:
    """Price the seven properties one at a time, given the others; when `quick`, only say which are asked for."""
    return [_price(name, shape, current, design, cost, quick) for name in PROPERTIES]


def price_output_dp(shape: Shape, current: Mechanism, design: Design, cost: Cost) -> str:
    """Say what output DP costs when it is asked for, and how much of it there is anyway when it is not."""
    if shape.output_dp is None:
        return f"has it up to {shown(current.output_dp)}" if current.output_dp else "has none of it"
    return f"costs {_percent(cost(design(Shape(names=shape.names))), cost(current))}"


def _price(name: str, shape: Shape, current: Mechanism, design: Design, cost: Cost, quick: bool) -> Price:
    asked = name in shape.names
    others = Shape(names=shape.names - {name}, output_dp=shape.output_dp)
    implied = name in closure(others)
    held = current.satisfies(name)
    if implied:
        words = f"follows from {_source(name, others)}"
    elif held and not asked:
        words = "has it already"
    elif quick:
        words = ""
    else:
        try:
            if asked:
                words = f"costs {_percent(cost(design(others)), cost(current))}"
            else:
                more = design(Shape(names=shape.names | {name}, output_dp=shape.output_dp))
                words = f"adds {_percent(cost(current), cost(more))}"
        except DiscreetError as error:
            words = str(error)
    return Price(name=name, asked=asked, implied=implied, held=held, words=words)


def _source(name: str, others: Shape) -> str:
    """Name what a property follows from: the fewest of the properties asked for that imply it."""
    for wish in (n for n in PROPERTIES if n in others.names):
        if name in closure(Shape(names=frozenset({wish}))):
            return wish
    for given, then in IMPLICATIONS:
        if then == name and given <= closure(others).names:
            return " and ".join(n for n in PROPERTIES if n in given)
    return str(others)


def _percent(without: Fraction, with_it: Fraction) -> str:
    """Say how much more it costs, in percent where there is something to compare with.

    >>> _percent(Fraction(2), Fraction(3)), _percent(Fraction(1), Fraction(1))
    ('+50.00%', 'nothing')
    """
    if with_it == without:
        return "nothing"
    if without == 0:
        return f"{float(with_it):.4g} instead of 0"
    over = float(with_it / without - 1)
    return f"{over:+.2%}" if abs(over) >= 5e-5 else f"{over:+.1e}".replace("e-0", "e-")
