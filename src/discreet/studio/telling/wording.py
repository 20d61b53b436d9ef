"""What is on the screen, in one sentence; and what is wrong with a mechanism, if anything, in a few
words.

Every number is read off the exact matrix; the words follow the paper's: gaps, spikes, honesty,
fairness.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from discreet.core.properties import PROPERTIES
from discreet.core.rationals import shown
from discreet.show.cells import violations
from discreet.studio.telling.glossary import quoted
from discreet.studio.telling.price_words import said_of

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism
    from discreet.core.properties import Shape
    from discreet.core.rationals import Alpha


def never_given(m: Mechanism) -> list[int]:
    """Return the outputs that never occur, whatever the true count: gaps.

    >>> from discreet.designer import design
    >>> never_given(design(n=4, alpha="4/5", loss="L2"))
    [0, 1, 3, 4]
    """
    return [i for i, row in enumerate(m.form.dense().rows) if not any(row)]


def conduct(m: Mechanism, count: int | None = None) -> str:
    """Say how a mechanism behaves: its worst habit, at the true count on the screen if it shows
    there.

    >>> from discreet.core.named import fair, geometric
    >>> conduct(geometric(n=2, alpha="9/10"))
    'answers 0 with chance 0.474 when the truth is 1, and the truth itself with chance 0.053'
    >>> conduct(fair(n=2, alpha="9/10"))
    'reports every true count truthfully with the same chance, 0.357'
    """
    missing = never_given(m)
    if m.n and len(missing) == m.n:
        only = next(i for i in range(m.n + 1) if i not in missing)
        return f"always answers {only}, whatever the truth is"
    if missing:
        return f"never answers {listed(runs(missing), 'or')}, whatever the truth is"
    if not m.satisfies("CH"):
        spikes = violations(m, "CH")
        here = [cell for cell in sorted(spikes) if cell[1] == count] or sorted(spikes)
        i, j = max(here, key=lambda cell: m[cell] - m.truth(cell[1]))
        wrong, right = _chance(m[i, j]), _chance(m.truth(j))
        return (
            f"answers {i} with chance {wrong} when the truth is {j}, and the truth itself with "
            f"chance {right}"
        )
    truths = [m.truth(j) for j in range(m.n + 1)]
    if min(truths) == max(truths):
        return f"reports every true count truthfully with the same chance, {_chance(truths[0])}"
    return (
        f"reports the truth with a chance between {_chance(min(truths))} and {_chance(max(truths))}"
    )


def sentence(
    *,
    privacy: Alpha,
    shape: Shape,
    loss: str,
    count: int,
    left: str,
    rival: Mechanism,
    design: Mechanism,
    own: str,
    costs: tuple[Fraction, Fraction],
) -> str:
    """Say what is on the screen: what is left and what right, how each behaves, what the
    difference costs.
    """
    start = f"For groups of {design.n} at {privacy}, "
    asked = f" with {wishes(shape)}," if str(shape) else ""
    said = said_of(loss, design.n, costs[1])
    if rival == design:
        own = f"{own},{asked}" if asked else own
        return f"{start}{own} {conduct(design, count)}; {said} of {float(costs[1]):.4f} in {loss}."
    asked = asked or " with no property asked for,"
    return (
        f"{start}{left} {conduct(rival, count)}; {own} (right),{asked} {conduct(design, count)}; "
        f"{said} in {loss} of {_compared(*costs)}."
    )


def _compared(left: Fraction, right: Fraction) -> str:
    if left == right:
        return f"{float(right):.4f}, the same"
    text = f"{float(right):.4f} instead of {float(left):.4f}"
    if left == 0:
        return text
    over = float(right / left - 1)
    return f"{text}, {abs(over):.2%} {'more' if over > 0 else 'less'}"


def wishes(shape: Shape) -> str:
    """Name the properties asked for in words.

    >>> from discreet.core.properties import read_shape
    >>> wishes(read_shape("CM WH ODP:9/10"))
    '“no farther answer likelier”, “never worse than guessing” and output DP of ratio 9/10'
    """
    words = [quoted(name) for name in PROPERTIES if name in shape.names]
    if shape.output_dp is not None:
        words.append(f"output DP of ratio {shown(shape.output_dp)}")
    return listed(words, "and")


def holdings(shape: Shape) -> str:
    """Say which of the seven properties a mechanism has.

    >>> from discreet.core.properties import read_shape
    >>> holdings(read_shape("RH RM CH CM WH S"))
    'has every property but “fair to every count”'
    >>> holdings(read_shape("S")), holdings(read_shape(""))
    ('has “yes and no alike”', 'has none of the properties')
    """
    has = [quoted(name) for name in PROPERTIES if name in shape.names]
    lacks = [quoted(name) for name in PROPERTIES if name not in shape.names]
    if not has or not lacks:
        return "has all seven properties" if has else "has none of the properties"
    few = len(lacks) <= 2
    return f"has every property but {listed(lacks, 'and')}" if few else f"has {listed(has, 'and')}"


def runs(numbers: list[int]) -> list[str]:
    """Write consecutive numbers as runs.

    >>> runs([0, 1, 2, 5, 7, 8])
    ['0 to 2', '5', '7', '8']
    """
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return [
        word
        for run in runs
        for word in (
            [f"{run[0]} to {run[-1]}"] if len(run) > 2 else [str(number) for number in run]
        )
    ]


def listed(words: list[str], last: str) -> str:
    """Join words with commas and a last word."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}"


def _chance(value: Fraction) -> str:
    return (
        "0"
        if value == 0
        else f"{float(value):.3f}"
        if value >= Fraction(1, 2000)
        else f"{float(value):.1e}"
    )
