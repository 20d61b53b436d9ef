"""The one price that is shown of a property: what the errors that matter to the reader come to,
with it and without.

It is told from what the design minimises, so that nothing which costs can look like a gain.
"""

from __future__ import annotations

from fractions import Fraction
from math import sqrt


def in_words(loss: str, n: int, *, without: Fraction, with_it: Fraction, asked: bool) -> str:
    """Say a price in the words of its loss; a loss that has none, such as a worst case or a
    mixture, says nothing.

    >>> in_words("L0", 8, without=Fraction(7, 8), with_it=Fraction(9, 10), asked=False)
    'with it, right in 20.0% of cases instead of 22.2%'
    >>> in_words("L1", 8, without=Fraction(2), with_it=Fraction(9, 4), asked=True)
    'off by 2.25 on average; without it, by 2.00'
    >>> in_words("L2", 8, without=Fraction(4), with_it=Fraction(4), asked=True)
    'off by about 2.00, and the same without it'
    >>> in_words("worst-case L1", 8, without=Fraction(2), with_it=Fraction(9, 4), asked=True)
    ''
    """
    said = [_part(loss, n, cost) for cost in (without, with_it)]
    if not said[0]:
        return ""
    (start, before, end), (_, after, _) = said
    if before == after:
        return (
            f"{start} {after}{end}, and the same without it"
            if asked
            else f"with it, {start} {after}{end}, as now"
        )
    if asked:
        return f"{start} {after}{end}; without it, {start.split()[-1]} {before}"
    return f"with it, {start} {after}{end} instead of {before}"


def said_of(loss: str, n: int, cost: Fraction) -> str:
    """Say one cost in the words of its loss: a part of a sentence that ends with the cost as it is
    counted.

    >>> [
    ...     said_of(*one)
    ...     for one in (
    ...         ("L0", 8, Fraction(7, 8)),
    ...         ("L1", 8, Fraction(2)),
    ...         ("worst-case L1", 8, Fraction(2)),
    ...     )
    ... ]
    ['it is right in 22.2% of cases: a cost', 'it is off by 2.00 on average: a cost', 'it has a
    cost']
    """
    said = _part(loss, n, cost)
    return f"it is {said[0]} {said[1]}{said[2]}: a cost" if said else "it has a cost"


def _part(loss: str, n: int, cost: Fraction) -> tuple[str, ...]:
    """What a cost means: words, a number and words. L0 and its kin are scaled so that blind
    guessing costs 1.
    """
    chance = cost * n / (n + 1)
    if loss == "L0":
        return "right in", f"{float(1 - chance):.1%}", " of cases"
    if loss in ("L0,1", "L0,2"):
        return f"off by more than {loss[-1]} in", f"{float(chance):.1%}", " of cases"
    if loss == "L1":
        return "off by", f"{float(cost):.2f}", " on average"
    return ("off by about", f"{sqrt(cost):.2f}", "") if loss == "L2" else ()
