"""How often the best attacker is right who knows everybody's answer but one, exactly.

The one answer is a toss-up to them: with `others` yes among the rest, the true count is `others` or
`others + 1`. After the numbers k_1, ..., k_T they guess whichever makes these likelier, and are
right with chance

    1/2 sum over k_1, ..., k_T of max(prod Pr[k_t | others], prod Pr[k_t | others + 1]).

No alpha-private mechanism lets anybody be right more often, or surer after any numbers, than 1 / (1
+ alpha^T).
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism


def chances_to_be_right(m: Mechanism, others: int, months: int = 1) -> list[Fraction]:
    """Return the best attacker's chance to be right after each of so many months of the same
    answers, from none on.

    Numbers that favour yes equally tell the attacker the same, so they are one outcome here.

    >>> from discreet.core.named import geometric
    >>> [str(chance) for chance in chances_to_be_right(geometric(n=1, alpha="1/2"), 0, 3)]
    ['1/2', '2/3', '2/3', '20/27']
    """
    once = _gathered(zip(m.column(others), m.column(others + 1), strict=True))
    after = {Fraction(1): (Fraction(1), Fraction(1))}
    found = [Fraction(1, 2)]
    for _ in range(months):
        after = _gathered(
            (no * more_no, yes * more_yes)
            for no, yes in after.values()
            for more_no, more_yes in once.values()
        )
        found.append(sum((max(pair) for pair in after.values()), Fraction(0)) / 2)
    return found


def _gathered(
    outcomes: Iterable[tuple[Fraction, Fraction]],
) -> dict[Fraction, tuple[Fraction, Fraction]]:
    """Add up the chances, without the one yes and with it, of outcomes that favour it equally.

    A private mechanism gives a number to every true count or to none, so nothing is divided by
    zero.
    """
    found: dict[Fraction, tuple[Fraction, Fraction]] = {}
    for no, yes in outcomes:
        if no:
            known = found.get(yes / no, (Fraction(0), Fraction(0)))
            found[yes / no] = (known[0] + no, known[1] + yes)
    return found


def most_with_any(alpha: Fraction, months: int = 1) -> Fraction:
    """Return the most that anybody can be right with any alpha-private mechanism, and the surest
    they can be.

    >>> most_with_any(Fraction(1, 2)), most_with_any(Fraction(1, 2), 3)
    (Fraction(2, 3), Fraction(8, 9))
    """
    return 1 / (1 + alpha**months)
