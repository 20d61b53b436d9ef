"""Figure 13: root mean square error on Binomial data; the data have one standard deviation of 30
repetitions, too.

The paper does not print which n and alpha it draws; we take those of Figure 11, n = 4, 8, 12 and
alpha = 0.91, 0.67. The line is the root of the exact mean squared error. The L0 optima under WH, RM
and CM differ in just this error: the data have the range over all of them, and the designer's own
is the one with the least L2 (the tie-break).
"""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING, Any

from discreet.paper.contestants import EM, GM, UM, WM_COLUMNS, WM_WIDEST, named
from discreet.paper.figures.binomial import ALPHAS, SIZES, Table, exact_numbers, points, simulated
from discreet.paper.judging import Range, Statement, below, count, every, in_words, judge, not_above
from discreet.paper.optima import OPEN, over_optima, squares, with_both
from discreet.paper.results import Outcome, Settings
from discreet.paper.simulation import binomial_weights, expected_square, root_mean_square

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from discreet.core.mechanism import Mechanism

NOTES = ("The paper does not print its n and alpha; we take those of Figure 11.",)


def make(settings: Settings) -> Outcome:
    """Simulate every panel, with the exact root mean square error beside each simulated point."""
    simulation = simulated(
        settings, "rmse", measure=root_mean_square, expected=_rmse, ranged=_range
    )
    rows = [{**row, "error": row["deviation"]} for row in simulation]
    statements = _statements(exact_numbers(rows), points(settings))
    return Outcome(tables={"rmse": rows}, statements=statements, seeded=True, notes=NOTES)


def _rmse(m: Mechanism, weights: NDArray[np.float64]) -> float:
    return sqrt(expected_square(m, weights))


def _range(name: str, n: int, alpha: Fraction, weights: NDArray[np.float64]) -> Range:
    found = over_optima(name, n, alpha, squares(weights))
    return Range(sqrt(found.low), sqrt(found.high))


def _easier(name: str, n: int, alpha: Fraction) -> bool | None:
    """Whether p = 0.5 has the smaller mean squared error than p = 0, for one and the same
    optimum.
    """
    even, skewed = (binomial_weights(n, p) for p in (0.5, 0.0))
    if name in OPEN:
        return below(over_optima(name, n, alpha, squares(even) - squares(skewed)), 0)
    m = named(name, n, alpha)
    return below(expected_square(m, even), expected_square(m, skewed))


def _statements(at: Table, ps: list[float]) -> tuple[Statement, ...]:
    high, low = (float(a) for a in ALPHAS)
    top = [(high, n, p) for n in SIZES for p in ps]
    steps = [(a, x, y, p) for a in (high, low) for x, y in ((4, 8), (8, 12)) for p in ps]
    easier = with_both(
        lambda wm: [_easier(m, n, a) for a in ALPHAS for n in SIZES for m in (GM, wm, EM, UM)]
    )
    harder = count(_easier(GM, n, a) is False for a in ALPHAS for n in SIZES)
    grows = with_both(
        lambda wm: [
            below(at[a, x, p, m], at[a, y, p, m]) for a, x, y, p in steps for m in (GM, wm, EM, UM)
        ]
    )
    # UM does not depend on alpha, so GM beside UM is GM itself
    weaker = count(below(at[low, n, p, GM], at[high, n, p, GM]) for n in SIZES for p in ps)
    worse = count(below(at[(*q, UM)], at[(*q, GM)]) for q in top)
    wins = with_both(
        lambda wm: [every(not_above(at[(*q, EM)], at[(*q, m)]) for m in (GM, wm, UM)) for q in top]
    )
    attained = {
        name: sum(
            _rmse(named(EM, n, ALPHAS[0]), weights)
            <= min(_rmse(named(m, n, ALPHAS[0]), weights) for m in (GM, name, UM))
            for _, n, p in top
            for weights in (binomial_weights(n, p),)
        )
        for name in (WM_COLUMNS, WM_WIDEST)
    }
    return (
        judge(
            "Figure 13",
            "a more symmetric input tends to be easier for most mechanisms",
            f"p = 0.5 is easier than p = 0, of the curves of all panels: {in_words(easier)}.",
            easier,
            needs="most",
        ),
        judge(
            "Figure 13",
            "though we see cases where GM finds it more difficult",
            f"GM finds p = 0.5 harder than p = 0 in {harder} panels.",
            harder,
            needs="some",
        ),
        judge(
            "Figure 13",
            "increasing the group size increases the RMSE",
            "from 4 to 8 and from 8 to 12 people, for all mechanisms, alphas and p: "
            f"{in_words(grows)}.",
            grows,
        ),
        judge(
            "Figure 13",
            "increasing alpha tends to make GM less competitive",
            "beside UM, which does not depend on alpha, GM is worse at 0.91 than at 0.67 at "
            f"{weaker} points.",
            weaker,
            needs="most",
        ),
        judge(
            "Figure 13",
            "many cases where GM is worse than random guessing (UM)",
            f"alpha = 0.91: GM is worse than UM at {worse} points.",
            worse,
            needs="most",
        ),
        judge(
            "Figure 13",
            "alpha = 0.91: EM tends to give lower error across all group sizes and input "
            "distributions",
            f"no other is better than EM: {in_words(wins)} points; at {attained[WM_COLUMNS]} when "
            f"WM (WH RM CM) is the L0 optimum with the least L2 (ours), at {attained[WM_WIDEST]} "
            "when it is the one with the largest.",
            wins,
            "EM mostly beats GM and guessing; whether it beats WM rests on which of the L0 optima "
            "the solver happens to return.",
            needs="most",
        ),
    )


def draw(outcome: Outcome) -> dict[str, Any]:
    """Draw the typical error of the usual noise, a guess and the fair noise, in groups of 8."""
    from discreet.paper.keys import figure_keys

    return {"rmse": figure_keys.rmse(outcome.tables["rmse"])}
