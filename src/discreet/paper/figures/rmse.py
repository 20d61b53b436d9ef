"""Figure 13: root mean square error on Binomial data, one standard deviation from 30 repetitions.

The paper does not print which n and alpha it draws; we take those of Figure 11, n = 4, 8, 12 and alpha = 0.91, 0.67.
The line is the root of the exact mean squared error. The L0 optimum under WH, RM and CM is not unique, and the optima
differ in just this error: the last verdict looks at the one with the largest L2 beside the one drawn, with the least.
"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, Any

from discreet.paper.contestants import EM, GM, ORDER, UM, WM, WM_COLUMNS, WM_WIDEST, named
from discreet.paper.figures.binomial import ALPHAS, SIZES, points, simulated, six_panels
from discreet.paper.results import Outcome, Rows, Settings, Statement, judge, judge_each
from discreet.paper.simulation import binomial_weights, expected_square, root_mean_square

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from discreet.core.mechanism import Mechanism

NOTES = ("The paper does not print its n and alpha; we take those of Figure 11.",)


def make(settings: Settings) -> Outcome:
    """Simulate every panel, with the exact root mean square error beside each simulated point."""
    simulation = simulated(settings, "rmse", measure=root_mean_square, expected=_rmse)
    rows = [{**row, "error": row["deviation"]} for row in simulation]
    widest: Rows = [
        {
            "alpha": float(ALPHAS[0]),
            "n": n,
            "p": p,
            "mechanism": WM_WIDEST,
            "exact": _rmse(named(WM_WIDEST, n, ALPHAS[0]), binomial_weights(n, p)),
        }
        for n in SIZES
        for p in points(settings)
    ]
    tables = {"rmse": rows, "widest": widest}
    return Outcome(tables=tables, statements=_statements([*rows, *widest]), seeded=True, notes=NOTES)


def _rmse(m: Mechanism, weights: NDArray[np.float64]) -> float:
    return sqrt(expected_square(m, weights))


def _statements(rows: Rows) -> tuple[Statement, ...]:
    at = {(r["alpha"], r["n"], r["p"], r["mechanism"]): r["exact"] for r in rows}
    ps = sorted({r["p"] for r in rows})
    high, low = (float(a) for a in ALPHAS)
    places = [(a, n) for a in (high, low) for n in SIZES]
    easier = {name: sum(at[a, n, 0.5, name] < at[a, n, 0.0, name] for a, n in places) for name in ORDER}
    grows = all(
        at[a, x, p, m] < at[a, y, p, m] for m in ORDER for p in ps for a in (high, low) for x, y in ((4, 8), (8, 12))
    )
    worse = {a: sum(at[a, n, p, GM] > at[a, n, p, UM] for n in SIZES for p in ps) for a in (high, low)}
    cells = [(n, p) for n in SIZES for p in ps]
    beaten = {m: sum(at[high, n, p, EM] < at[high, n, p, m] for n, p in cells) for m in (GM, WM, UM)}
    wins, wins_over_widest = (
        sum(at[high, n, p, EM] <= min(at[high, n, p, m] for m in (GM, WM, columns, UM)) for n, p in cells)
        for columns in (WM_COLUMNS, WM_WIDEST)
    )
    return (
        judge(
            "Figure 13",
            "a more symmetric input is easier for most mechanisms, though GM can find it harder",
            "panels (of 6) in which p = 0.5 is easier than p = 0: "
            + ", ".join(f"{name} {count}" for name, count in easier.items())
            + ".",
            sum(count > 3 for name, count in easier.items() if name != GM) >= 3 and easier[GM] < 6,
        ),
        judge("Figure 13", "increasing the group size increases the RMSE", "for every mechanism, alpha and p.", grows),
        judge(
            "Figure 13",
            "increasing alpha makes GM less competitive: many cases where it is worse than UM",
            f"GM worse than UM at {worse[high]} of {len(cells)} points for alpha = 0.91, {worse[low]} for 0.67.",
            worse[high] > worse[low] and worse[high] > len(cells) / 3,
        ),
        judge_each(
            "Figure 13",
            "alpha = 0.91: EM tends to give lower error across all group sizes and input distributions",
            f"of {len(cells)} points EM is better than "
            + ", ".join(f"{m} at {k}" for m, k in beaten.items())
            + f"; best of the five at {wins} when WM (WH RM CM) is the L0 optimum with the least L2 (ours), at "
            f"{wins_over_widest} when it is the one with the largest.",
            [count > len(cells) / 2 for count in (wins, wins_over_widest)],
            "EM mostly beats GM, WM (WH) and guessing; whether it beats WM with the properties the paper gives it "
            "(WH, RM, CM) rests on which of the L0 optima the solver happens to return.",
        ),
    )


def draw(outcome: Outcome) -> dict[str, Any]:
    """Draw six panels: alpha down, n across."""
    from discreet.paper.panels import shared_domain
    from discreet.show.pictures.theme import finished

    rows = outcome.tables["rmse"]
    domains = {n: shared_domain([r for r in rows if r["n"] == n], step=0.5 if n < 10 else 1) for n in SIZES}
    lines = ["lines: exact; points: mean of the repetitions with one standard deviation; 10,000 people"]
    return {"rmse": finished(six_panels(rows, "RMSE", domains), "Root mean square error on Binomial data", lines)}
