"""Figure 8: L0 under weak honesty with every meaningful combination of row and column properties.

Left: over n at alpha = 0.76. Right: over alpha; the paper does not print its n, we take n = 8.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from discreet.core.named import fair
from discreet.designer import design
from discreet.paper.results import Outcome, Rows, Settings, judge

COMBINATIONS = ("", "RH", "RM", "CH", "CM", "RH CH", "RH CM", "RM CH", "RM CM")
ALPHA = Fraction(76, 100)
N = 8
NOTES = ("The paper does not print the n of its right panel; we take n = 8.",)
EM = "EM, for comparison"
ORDER = tuple(f"WH {c}".strip() for c in COMBINATIONS)


def make(settings: Settings) -> Outcome:
    """Design all nine over n and over alpha; count how many different costs there are at each place."""
    sizes = range(2, 9) if settings.quick else range(2, 15)
    percents = (50, 60, 70, 80, 90, 99) if settings.quick else (*range(50, 100, 5), 97, 98, 99)
    places = [("n", n, ALPHA) for n in sizes] + [("alpha", N, Fraction(k, 100)) for k in percents]
    rows: Rows = []
    for panel, n, alpha in places:
        for label in ORDER:
            score = design(n=n, alpha=alpha, properties=label).score("L0")
            rows.append(_row(panel, n, alpha, label, score))
        rows.append(_row(panel, n, alpha, EM, fair(n=n, alpha=alpha).score("L0")))
    cost = {(r["panel"], r["n"], r["alpha"], r["properties"]): r["score"] for r in rows}
    by_rows = [label for label in ORDER if "C" not in label]
    by_columns = [label for label in ORDER if "C" in label]
    two = lower = meets = True
    widest = Fraction(0)
    for panel, n, alpha in places:
        row_costs = {cost[panel, n, str(alpha), label] for label in by_rows}
        column_costs = {cost[panel, n, str(alpha), label] for label in by_columns}
        two &= len(row_costs) == len(column_costs) == 1
        lower &= max(row_costs) <= min(column_costs)
        if n * (1 - alpha) >= 2 * alpha:
            meets &= row_costs == {2 * alpha / (1 + alpha)}
        if alpha >= Fraction(9, 10):
            widest = max(widest, cost[panel, n, str(alpha), EM] - min(row_costs))
    limit = 2 * ALPHA / (1 - ALPHA)
    large = {label: float(cost["alpha", N, "99/100", label]) for label in ("WH", "WH CM", EM)}
    statements = (
        judge(
            "Figure 8",
            "two behaviours: rows alone cost less than any column property",
            f"at each of {len(places)} places all row combinations cost one rational number, all column combinations "
            "another, never lower.",
            two and lower,
        ),
        judge(
            "Section V-A",
            "at alpha = 0.76 the threshold 2a/(1-a) is 6.33 and GM's cost 0.864",
            f"threshold {float(limit):.2f}; cost {float(2 * ALPHA / (1 + ALPHA)):.4f}; WH alone has it from n = 7 on.",
            round(float(limit), 2) == 6.33 and round(float(2 * ALPHA / (1 + ALPHA)), 3) == 0.864 and meets,
        ),
        judge(
            "Section V-A",
            "for large alpha the cost of all combinations is the same and identical to EM's",
            f"n = 8, alpha = 0.99: WH {large['WH']:.6f}, WH CM {large['WH CM']:.6f}, EM {large[EM]:.6f}.",
            large["WH"] == large["WH CM"] == large[EM],
            f"Close, never equal for alpha < 1: at most {float(widest):.5f} apart from alpha = 0.9 on.",
        ),
    )
    table = [{key: value for key, value in row.items() if key != "score"} for row in rows]
    return Outcome(tables={"combinations": table}, statements=statements, notes=NOTES)


def _row(panel: str, n: int, alpha: Fraction, label: str, score: Fraction) -> dict[str, Any]:
    return {
        "panel": panel,
        "n": n,
        "alpha": str(alpha),
        "alpha_value": float(alpha),
        "properties": label,
        "exact": float(score),
        "score": score,
        "fraction": str(score),
    }


def draw(outcome: Outcome) -> dict[str, Any]:
    """Draw both panels; combinations with equal costs lie on one line, which is the point."""
    from discreet.paper.panels import grid, panel, shared_domain
    from discreet.show.pictures.theme import finished

    shown = ("WH", "WH RM", "WH CH", "WH RM CM", EM)
    rows = [row for row in outcome.tables["combinations"] if row["properties"] in shown]
    rest: dict[str, Any] = {
        "y_title": "L0",
        "series": "properties",
        "order": shown,
        "legend": "properties asked for",
        "marks": True,
    }
    over_n, over_alpha = ([r for r in rows if r["panel"] == name] for name in ("n", "alpha"))
    low, high = shared_domain(over_n, step=0.01), shared_domain(over_alpha, step=0.05)
    left = panel(over_n, x="n", x_title="n", title="alpha = 0.76", domain=low, **rest)
    right = panel(over_alpha, x="alpha_value", x_title="alpha", title=f"n = {N}", domain=high, **rest)
    lines = ["four of the nine combinations; the other five coincide exactly with one of these (see the data)"]
    return {"combinations": finished(grid([left, right], 2), "Weak honesty with other properties", lines)}
