"""The mechanisms the paper's experiments compare, under the names used in every figure here.

The paper writes WM for two mechanisms (see the errata): the optimum under WH alone, which is GM
from n = 2a/(1-a) on, and the optimum under WH, RM and CM, which is not GM for a > 1/2. Both are
drawn: "WM (WH)" and "WM (WH RM CM)".

Neither is unique: many mechanisms with these properties have the least L0, and
`discreet.paper.optima` finds the range of a number over all of them. Drawn are the mixture of GM
and EM, and the designer's optimum under WH, RM and CM, the one with the least L2 (its tie-break);
`WM_WIDEST` is the one with the largest, which shows that ranges are attained.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from discreet.core.mechanism import Mechanism
from discreet.core.named import NAMED
from discreet.designer import design
from discreet.errors import NotProven

GM, WM, WM_COLUMNS, EM, UM = "GM", "WM (WH)", "WM (WH RM CM)", "EM", "UM"
ORDER = (GM, WM, WM_COLUMNS, EM, UM)
WM_WIDEST = "WM (WH RM CM), largest L2"

_HEAVY = 10**6
"""What a wrong answer costs beside its squared distance, so that L0 comes first."""


@lru_cache(maxsize=4096)
def named(name: str, n: int, alpha: Fraction) -> Mechanism:
    """Return a mechanism of the experiments by its name.

    >>> named(WM, 4, Fraction(9, 10))[2, 2]
    Fraction(1, 5)
    """
    if name == WM_COLUMNS:
        return design(n=n, alpha=alpha, properties="WH RM CM")
    if name == WM_WIDEST:
        return _widest(n, alpha)
    return NAMED["WM" if name == WM else name].build(n=n, alpha=alpha)


def _widest(n: int, alpha: Fraction) -> Mechanism:
    """Return the L0 optimum of WH, RM and CM with the largest L2: it minimises a large multiple of
    L0, minus L2.

    That it still has the least L0 is checked; then no L0 optimum has a larger L2.
    """
    far = n * n
    loss = [
        [(_HEAVY if i != j else 0) + far - (i - j) ** 2 for j in range(n + 1)] for i in range(n + 1)
    ]
    m = design(n=n, alpha=alpha, properties="WH RM CM", loss=loss)
    if m.score("L0") != named(WM_COLUMNS, n, alpha).score("L0"):
        raise NotProven(
            f"a weight of {_HEAVY} on wrong answers does not keep the least L0 for n = {n}, alpha "
            f"= {alpha}"
        )
    return m
