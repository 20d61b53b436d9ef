"""Figure 8: L0 under weak honesty with every meaningful combination of row and column properties.

Left: over n at alpha = 0.76. Right: over alpha; the paper does not print its n, we take n = 8.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from discreet.core.named import fair
from discreet.designer import design
from discreet.paper.contestants import WM, WM_COLUMNS
from discreet.paper.judging import count, judge, to_the_digits
from discreet.paper.results import Outcome, Rows, Settings

COMBINATIONS = ("", "RH", "RM", "CH", "CM", "RH CH", "RH CM", "RM CH", "RM CM")
ALPHA = Fraction(76, 100)
N = 8
NOTES = ("The paper does not print the n of its right panel; we take n = 8.",)
EM = "EM, for comparison"
ORDER = tuple(f"WH {c}".strip() for c in COMBINATIONS)


def make(settings: Settings) -> Outcome:
    """Design all nine over n and over alpha; count how many different costs there are at each
    place.
    """
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
    row_costs = {place: {cost[*_key(place), label] for label in by_rows} for place in places}
    column_costs = {place: {cost[*_key(place), label] for label in by_columns} for place in places}
    above = [place for place in places if place[2] > Fraction(1, 2)]
    two = count(len(row_costs[q]) == len(column_costs[q]) == 1 for q in places)
    lower = count(max(row_costs[q]) < min(column_costs[q]) for q in above)
    honest = [q for q in places if q[1] * (1 - q[2]) >= 2 * q[2]]
    meets = count(row_costs[q] == {2 * q[2] / (1 + q[2])} for q in honest)
    large = [q for q in places if q[2] >= Fraction(9, 10)]
    alike = count(row_costs[q] == column_costs[q] == {cost[*_key(q), EM]} for q in large)
    widest = max(cost[*_key(q), EM] - min(row_costs[q]) for q in large)
    limit, gm = 2 * ALPHA / (1 - ALPHA), 2 * ALPHA / (1 + ALPHA)
    at = {label: float(cost["alpha", N, "99/100", label]) for label in ("WH", "WH CM", EM)}
    statements = (
        judge(
            "Figure 8",
            "two behaviours: all row combinations cost one number, all column combinations another",
            f"as fractions, at {two} sizes and alphas.",
            two,
        ),
        judge(
            "Figure 8",
            "rows alone cost less than any column property",
            f"at {lower} sizes and alphas above 1/2"
            + "".join(
                f"; not at n = {q[1]}, alpha = {float(q[2]):g}"
                for q in above
                if row_costs[q] == column_costs[q]
            )
            + ".",
            lower,
            "Up to 1/2 the two are one: GM has the column properties itself.",
        ),
        judge(
            "Section V-A",
            "at alpha = 0.76 the threshold 2a/(1-a) is 6.33 and GM's cost 0.864",
            f"threshold {float(limit):.4f}, cost {float(gm):.5f}.",
            [to_the_digits(limit, "6.33"), to_the_digits(gm, "0.864")],
        ),
        judge(
            "Section V-A",
            "from n = 2a/(1-a) on, and as alpha is decreased, the lower cost is that of GM",
            f"equal as fractions at {meets} sizes and alphas where n >= 2a/(1-a).",
            meets,
        ),
        judge(
            "Section V-A",
            "for large alpha the cost of all combinations is the same and identical to EM's",
            f"at {alike} alphas from 0.9 on. n = 8, alpha = 0.99: WH {at['WH']:.6f}, WH CM "
            f"{at['WH CM']:.6f}, EM {at[EM]:.6f}.",
            alike,
            f"Close, never equal for alpha < 1: at most {float(widest):.5f} apart.",
        ),
    )
    table = [{key: value for key, value in row.items() if key != "score"} for row in rows]
    return Outcome(tables={"combinations": table}, statements=statements, notes=NOTES)


def _key(place: tuple[str, int, Fraction]) -> tuple[str, int, str]:
    panel, n, alpha = place
    return panel, n, str(alpha)


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
    """Draw how often numbers are right over n; sets of properties that cost the same are one
    line.
    """
    from discreet.paper.keys import figure_keys

    rows = [
        {**row, "sets": _drawn_as(row["properties"])}
        for row in outcome.tables["combinations"]
        if row["panel"] == "n"
    ]
    return {"combinations": figure_keys.combinations(rows, ALPHA)}


def _drawn_as(label: str) -> str:
    """The line of a set of properties: rows alone lead to WM, column properties to the other one
    of that name.
    """
    return "EM" if label == EM else WM_COLUMNS if "C" in label else WM
