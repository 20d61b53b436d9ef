"""The mechanisms the paper's experiments compare, under the names used in every figure here.

The paper writes WM for two mechanisms (see the errata): the optimum under WH alone, which is GM from n = 2a/(1-a)
on, and the optimum under WH, RM and CM, which is not for a > 1/2. Both are drawn: "WM (WH)" and "WM (WH RM CM)".
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from discreet.closed_forms import fair, geometric, uniform, weakly_honest
from discreet.designer import design
from discreet.mechanism import Mechanism

GM, WM, WM_COLUMNS, EM, UM = "GM", "WM (WH)", "WM (WH RM CM)", "EM", "UM"
ORDER = (GM, WM, WM_COLUMNS, EM, UM)


@lru_cache(maxsize=4096)
def named(name: str, n: int, alpha: Fraction) -> Mechanism:
    """Return a mechanism of the experiments by its name.

    >>> named(WM, 4, Fraction(9, 10))[2, 2]
    Fraction(1, 5)
    """
    if name == UM:
        return uniform(n=n)
    if name == WM_COLUMNS:
        return design(n=n, alpha=alpha, properties="WH RM CM")
    return {GM: geometric, WM: weakly_honest, EM: fair}[name](n=n, alpha=alpha)


def all_named(n: int, alpha: Fraction) -> dict[str, Mechanism]:
    """Return all five, in the order of the legends."""
    return {name: named(name, n, alpha) for name in ORDER}
