"""The numbers behind the pictures that move in the page: every column, every row, and what each
answer tells.

All of it is read off the two exact matrices and rounded for a screen, so that the page itself works
nothing out. For an answer k and a prior w over true counts j,

    after[k][j] = w_j Pr[k|j] / sum_i w_i Pr[k|i],      ratio[k][j] = Pr[k|j+1] / Pr[k|j] <= 1/alpha
                                                        = exp(epsilon),

and someone who knows that r of the others said yes, and holds your own answer for a toss-up, is
then sure of your yes with `sure[k][r]` = Pr[k|r+1] / (Pr[k|r] + Pr[k|r+1]). What has no value,
because the answer never occurs, is None.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import lcm
from typing import TYPE_CHECKING, Any

import numpy as np

from discreet.choosing.exporting import exact_text
from discreet.core.losses import PriorLike, read_prior

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from discreet.core.mechanism import Mechanism

LONGEST = 120
"""Characters of a fraction that is shown whole; the files have them all."""


def numbers(sides: Sequence[Mechanism], prior: PriorLike = None) -> dict[str, Any]:
    """Return the numbers of the mechanism on the left and of the design, as plain values.

    >>> from discreet.core.named import geometric
    >>> found = numbers([geometric(n=1, alpha="1/2")])
    >>> found["chances"], found["after"]
    ([[[0.666667, 0.333333], [0.333333, 0.666667]]], [[[0.666667, 0.333333], [0.333333, 0.666667]]])
    >>> found["ratio"], found["sure"]
    ([[[0.5], [2.0]]], [[[0.333333], [0.666667]]])
    """
    design = sides[-1]
    weights = np.array([float(w) for w in read_prior(prior, design.n).weights])
    bound = float(1 / design.alpha)
    found: dict[str, Any] = {
        "n": design.n,
        "before": _plain(weights),
        "bound": float(f"{bound:.12g}"),
        "chances": [_plain(m.array.T) for m in sides],
    }
    with np.errstate(divide="ignore", invalid="ignore"):
        for name, value in (("after", _after), ("ratio", _ratio), ("sure", _sure)):
            found[name] = [_plain(value(m.array, weights)) for m in sides]
    return found


def _after(chances: NDArray[np.float64], weights: NDArray[np.float64]) -> Any:
    joint = chances * weights
    return joint / joint.sum(axis=1, keepdims=True)


def _ratio(chances: NDArray[np.float64], _: Any) -> Any:
    return chances[:, 1:] / chances[:, :-1]


def _sure(chances: NDArray[np.float64], _: Any) -> Any:
    return chances[:, 1:] / (chances[:, 1:] + chances[:, :-1])


def _plain(values: NDArray[np.float64]) -> Any:
    """Round for the screen; what is not a number is None."""
    rounded = np.round(values, 6)
    if np.isfinite(rounded).all():
        return rounded.tolist()
    known = rounded.astype(object)
    known[~np.isfinite(rounded)] = None
    return known.tolist()


def fractions(m: Mechanism, count: int) -> list[str]:
    """Return the exact chances of the answers to one true count, as text; one too long for a screen
    says how long.

    >>> from discreet.core.named import geometric
    >>> fractions(geometric(n=2, alpha="9/10"), 1)
    ['9/19', '1/19', '9/19']
    """
    return [_fitting(exact_text(chance)) for chance in m.column(count)]


def whole_weights(m: Mechanism, count: int) -> list[str]:
    """Return the same chances as whole numbers, each its chance times the least number that makes
    all of them whole.

    >>> from discreet.core.named import geometric
    >>> whole_weights(geometric(n=2, alpha="9/10"), 1)
    ['9', '1', '9']
    """
    column = m.column(count)
    whole = lcm(*(chance.denominator for chance in column))
    return [str(chance.numerator * (whole // chance.denominator)) for chance in column]


def _fitting(text: str) -> str:
    if len(text) <= LONGEST:
        return text
    above, _, below = text.partition("/")
    return f"a fraction of {len(above)} over {len(below)} digits"
