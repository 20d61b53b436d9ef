"""Figure 9: L0 of GM, WM, EM and UM over n, for alpha = 2/3, 10/11 and 99/100. Exact: nothing is
simulated.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

from discreet.paper.contestants import EM, GM, ORDER, UM, WM_COLUMNS, named
from discreet.paper.judging import Statement, count, in_words, judge
from discreet.paper.optima import OPEN, with_both
from discreet.paper.results import Outcome, Rows, Settings

ALPHAS = (Fraction(2, 3), Fraction(10, 11), Fraction(99, 100))
NOTES = (
    "The paper does not print its range of n; we take 2 to 25, and from 4 on for what it says of "
    "alpha = 2/3.",
)


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
                    {
                        "alpha": str(alpha),
                        "n": n,
                        "mechanism": name,
                        "exact": float(score),
                        "fraction": str(score),
                    }
                )
    return Outcome(tables={"scores": rows}, statements=_statements(cost, list(sizes)), notes=NOTES)


def _statements(
    cost: dict[tuple[str, int, Fraction], Fraction], sizes: list[int]
) -> tuple[Statement, ...]:
    """The optimal L0 is one number, whichever optimum is taken: only the two meanings of WM are
    left to try.
    """
    low, middle, high = ALPHAS
    honest = [n for n in sizes if n >= 4]
    em = [cost[EM, n, low] for n in sizes]
    holds = count(named(GM, n, low).satisfies("WH") for n in honest)
    meets = with_both(lambda wm: [cost[wm, n, low] == cost[GM, n, low] for n in honest])
    # even and odd n have formulas of their own, so each parity is followed by itself
    falls = count(
        cost[EM, y, low] < cost[EM, x, low] and cost[EM, x, low] > cost[GM, x, low]
        for parity in (0, 1)
        for x, y in pairwise(n for n in honest if n % 2 == parity)
    )
    at_20 = with_both(lambda wm: [cost[wm, 20, middle] == cost[GM, 20, middle]])
    apart = with_both(lambda wm: [cost[wm, n, high] != cost[GM, n, high] for n in sizes])
    fair = count(named(EM, n, high)[0, 0] > Fraction(1, n + 1) for n in sizes)
    equal = with_both(lambda wm: [cost[wm, n, high] == cost[EM, n, high] for n in sizes])
    gap = max(cost[EM, n, high] - cost[wm, n, high] for n in sizes for wm in OPEN)
    ordered = with_both(
        lambda wm: [
            cost[GM, n, a] <= cost[wm, n, a] <= cost[EM, n, a] < cost[UM, n, a]
            and cost[GM, n, a] < cost[EM, n, a]
            for n in sizes
            for a in ALPHAS
        ]
    )
    return (
        judge(
            "Figure 9(a)",
            "alpha = 2/3, threshold 4: GM is weakly honest for all n shown",
            f"at {holds} sizes from 4 on; at n = 2 and 3 it is not.",
            holds,
        ),
        judge(
            "Figure 9(a)",
            "so WM converges on GM",
            f"the same cost from n = 4 on {in_words(meets)} sizes; WM (WH RM CM) stays above, at "
            f"n = 24 by {float(cost[WM_COLUMNS, 24, low] - cost[GM, 24, low]):.5f}.",
            meets,
            "True of WH alone; with a column property the cost of GM is not reached for alpha > "
            "1/2.",
        ),
        judge(
            "Figure 9(a)",
            "EM has a higher but decreasing cost",
            f"higher than GM's, and lower at n + 2 than at n, at {falls} steps from n = 4 on; "
            f"{float(em[0]):.4f} at n = 2, {float(max(em)):.4f} at most, {float(em[-1]):.4f} at n "
            f"= {max(sizes)}.",
            falls,
            "It rises up to n = 4 (even) and 5 (odd) first.",
        ),
        judge(
            "Figure 9(b)",
            "alpha = 10/11: the cost of WM converges with GM at n = 20",
            f"the same there {in_words(at_20)}; WM (WH RM CM) costs "
            f"{float(cost[WM_COLUMNS, 20, middle]):.6f}, GM {float(cost[GM, 20, middle]):.6f}.",
            at_20,
            "The paper defines WM as WH, RM and CM but says what is true of WH alone.",
        ),
        judge(
            "Figure 9(c)",
            "alpha = 99/100, threshold 198: WM does not converge on GM",
            f"another cost than GM's {in_words(apart)} sizes.",
            apart,
        ),
        judge(
            "Figure 9(c)",
            "EM's y is above 1/(n+1) for all n shown, so EM is weakly honest",
            f"at {fair} sizes.",
            fair,
        ),
        judge(
            "Figure 9(c)",
            "there the cost of WM remains the same as EM's",
            f"equal {in_words(equal)} sizes; cheaper than EM by up to {float(gap):.6f}.",
            equal,
            "Too close to tell in a plot; the optimum mixes in some GM until the diagonal is "
            "1/(n+1).",
        ),
        judge(
            "Figure 9",
            "GM is cheapest, then WM, then EM, then UM",
            f"{in_words(ordered)} sizes and alphas.",
            ordered,
        ),
    )


def draw(outcome: Outcome) -> dict[str, Any]:
    """Draw how often numbers are right at epsilon 0.1, beside a blind guess."""
    from discreet.paper.keys import figure_keys

    return {"scores": figure_keys.scores(outcome.tables["scores"])}
