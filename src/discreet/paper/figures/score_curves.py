"""Figure 9: L0 of GM, WM, EM and UM over n, for alpha = 2/3, 10/11 and 99/100. Exact: nothing is simulated."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

from discreet.paper.contestants import EM, GM, ORDER, UM, WM, WM_COLUMNS, named
from discreet.paper.results import Outcome, Rows, Settings, judge

ALPHAS = (Fraction(2, 3), Fraction(10, 11), Fraction(99, 100))


def make(settings: Settings) -> Outcome:
    """Return the exact scores; the paper's statements are about where the curves meet."""
    sizes = (2, 4, 6, 8, 12, 16, 20, 24) if settings.quick else range(2, 26)
    rows: Rows = []
    cost: dict[tuple[str, int, Fraction], Fraction] = {}
    for alpha in ALPHAS:
        for n in sizes:
            for name in ORDER:
                score = named(name, n, alpha).score("L0")
                cost[name, n, alpha] = score
                rows.append(
                    {"alpha": str(alpha), "n": n, "mechanism": name, "exact": float(score), "fraction": str(score)}
                )
    low, middle, high = ALPHAS
    em = [cost[EM, n, low] for n in sizes]
    # even and odd n have formulas of their own, so each parity is followed by itself
    falling = all(
        x > y for parity in (0, 1) for x, y in pairwise([cost[EM, n, low] for n in sizes if n % 2 == parity and n >= 4])
    )
    meets = [n for n in sizes if cost[WM, n, middle] == cost[GM, n, middle]]
    apart = cost[WM_COLUMNS, 20, middle]
    honest = all(named(EM, n, high)[0, 0] > Fraction(1, n + 1) for n in sizes)
    equal = all(cost[name, n, high] == cost[EM, n, high] for n in sizes for name in (WM, WM_COLUMNS))
    gap = max(cost[EM, n, high] - cost[WM, n, high] for n in sizes)
    statements = (
        judge(
            "Figure 9(a)",
            "alpha = 2/3, threshold 4: GM is weakly honest over the whole range, WM converges on GM",
            f"WH alone is GM from n = 4 on; WH RM CM stays above, at n = 24 by "
            f"{float(cost[WM_COLUMNS, 24, low] - cost[GM, 24, low]):.5f}.",
            all((cost[WM, n, low] == cost[GM, n, low]) == (n >= 4) for n in sizes),
            "True of WH alone. At n = 2 and 3 GM is not weakly honest.",
        ),
        judge(
            "Figure 9(a)",
            "EM has a higher but decreasing cost",
            f"{float(em[0]):.4f} at n = 2, {float(max(em)):.4f} at most, {float(em[-1]):.4f} at n = {max(sizes)}.",
            falling and em[-1] > cost[GM, 2, low],
            "It rises up to n = 4 (even) and 5 (odd) first, and falls from there on.",
        ),
        judge(
            "Figure 9(b)",
            "alpha = 10/11: WM (WH, RM and CM) converges with GM at n = 20",
            f"WH alone meets GM at n = {meets[0]} exactly; WH RM CM costs {float(apart):.6f} there, GM "
            f"{float(cost[GM, 20, middle]):.6f}.",
            apart == cost[GM, 20, middle],
            "The paper defines WM as WH, RM and CM but plots what is true of WH alone; with column properties the "
            "cost of GM is never reached for alpha > 1/2.",
        ),
        judge(
            "Figure 9(c)",
            "alpha = 99/100: EM's y is above 1/(n+1) for all n shown, so EM is weakly honest",
            f"so for every n up to {max(sizes)}.",
            honest,
        ),
        judge(
            "Figure 9(c)",
            "there the cost of WM remains the same as EM's",
            f"never equal: WH alone is cheaper than EM by up to {float(gap):.6f}.",
            equal,
            "Too close to tell in a plot; the optimum mixes in some GM until the diagonal is 1/(n+1).",
        ),
        judge(
            "Figure 9",
            "GM is cheapest, then WM, then EM, then UM",
            "everywhere, with strict signs for GM < EM < UM.",
            all(
                cost[GM, n, a] <= cost[WM, n, a] <= cost[WM_COLUMNS, n, a] <= cost[EM, n, a] < cost[UM, n, a]
                for n in sizes
                for a in ALPHAS
            ),
        ),
    )
    return Outcome(tables={"scores": rows}, statements=statements)


def draw(outcome: Outcome) -> dict[str, Any]:
    """Draw the three panels."""
    from discreet.paper.panels import grid, panel, shared_domain
    from discreet.show.pictures.theme import finished

    panels = []
    for alpha in map(str, ALPHAS):
        rows = [row for row in outcome.tables["scores"] if row["alpha"] == alpha]
        domain = shared_domain(rows, step=0.05 if alpha == "2/3" else 0.01 if alpha == "10/11" else 0.001)
        panels.append(
            panel(rows, x="n", x_title="n", y_title="L0", title=f"alpha = {alpha}", marks=True, domain=domain)
        )
    lines = ["exact; the paper's WM is two mechanisms: WH alone, and WH with RM and CM"]
    return {"scores": finished(grid(panels, 3), "L0 of the named mechanisms", lines)}
