"""What each property costs: the design with it against the design without it, everything else the
same.

Most prices need another design, which may take long; `price_lines` says at once what needs none,
and `price` works one out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from discreet.core.properties import IMPLICATIONS, OUTPUT_DP, PROPERTIES, Shape, closure
from discreet.core.rationals import shown
from discreet.errors import DiscreetError
from discreet.studio.telling.glossary import quoted
from discreet.studio.telling.price_words import in_words
from discreet.studio.telling.problems import plainly
from discreet.studio.worth import Change, Worth, changes

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism

Design = Callable[[Shape], "Mechanism"]
Cost = Callable[["Mechanism"], Fraction]
Value = Callable[["Mechanism"], Worth]

_HELD = "already so, at no cost"
"""Said of a property that nobody asked for and that the design has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """A property on the page: asked for, implied by what is asked, or neither; and its price in
    words.
    """

    name: str
    asked: bool
    implied: bool
    held: bool
    words: str
    """Empty as long as it is not worked out."""
    short: str = ""
    """The one number that is shown of it, in words; the others are shown on demand."""
    changes: tuple[Change, ...] = ()
    """What a reader of the answers would notice, without the property and with it."""

    @property
    def state(self) -> str:
        """The state that its line on the page shows."""
        return (
            "asked"
            if self.asked
            else "implied"
            if self.implied
            else "held"
            if self.held
            else "absent"
        )


def price_lines(shape: Shape, current: Mechanism) -> list[Price]:
    """Say of every property what is known without another design; the words of the others are
    empty.
    """
    return [_known(name, shape, current) for name in (*PROPERTIES, OUTPUT_DP)]


def price(
    name: str,
    shape: Shape,
    current: Mechanism,
    design: Design,
    cost: Cost,
    value: Value,
    loss: str = "",
) -> Price:
    """Work out the price of one property, given the others."""
    known = _known(name, shape, current)
    if known.words:
        return known
    verb, words, short, seen = ("costs" if known.asked else "adds"), "", "", tuple[Change, ...]()
    try:
        other = design(_without(name, shape) if known.asked else _with(name, shape))
        without, with_it = (other, current) if known.asked else (current, other)
        words = f"{verb} {_percent(cost(without), cost(with_it))}"
        if without == with_it:
            words = f"{verb} nothing"
        else:
            seen = changes(value(without), value(with_it))
            short = in_words(
                loss, current.n, without=cost(without), with_it=cost(with_it), asked=known.asked
            )
    except DiscreetError as error:
        words = plainly(error)
    return Price(
        name=name,
        asked=known.asked,
        implied=known.implied,
        held=known.held,
        words=words,
        short=short,
        changes=seen,
    )


def _known(name: str, shape: Shape, current: Mechanism) -> Price:
    if name == OUTPUT_DP:
        asked, held, implied = shape.output_dp is not None, current.output_dp > 0, False
        words = (
            ""
            if asked
            else f"has it up to {_ratio(current.output_dp)}"
            if held
            else "has none of it"
        )
        return Price(name=name, asked=asked, implied=implied, held=held, words=words)
    asked, others = name in shape.names, _without(name, shape)
    implied, held = name in closure(others), current.satisfies(name)
    words = (
        f"already so, because of {_source(name, others)}"
        if implied
        else _HELD
        if held and not asked
        else ""
    )
    return Price(name=name, asked=asked, implied=implied, held=held, words=words)


def _without(name: str, shape: Shape) -> Shape:
    if name == OUTPUT_DP:
        return Shape(names=shape.names)
    return Shape(names=shape.names - {name}, output_dp=shape.output_dp)


def _with(name: str, shape: Shape) -> Shape:
    return Shape(names=shape.names | {name}, output_dp=shape.output_dp)


def _ratio(value: Fraction) -> str:
    text = shown(value)
    return text if len(text) <= 12 else f"{float(value):.4f}"


def _source(name: str, others: Shape) -> str:
    """Name what a property follows from: the fewest of the properties asked for that imply it."""
    for wish in (n for n in PROPERTIES if n in others.names):
        if name in closure(Shape(names=frozenset({wish}))):
            return quoted(wish)
    for given, then in IMPLICATIONS:
        if then == name and given <= closure(others).names:
            return " and ".join(quoted(n) for n in PROPERTIES if n in given)
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
