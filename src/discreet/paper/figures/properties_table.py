"""Figure 6: which named mechanism has which property, and what it costs under L0.

"yes" and "no" mean for every n and alpha tried (n = 2..8; alpha from 1/4 to 99/100), "depends" that
both happen.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from discreet.core.properties import PROPERTIES
from discreet.paper.contestants import EM, GM, ORDER, UM, WM, WM_COLUMNS, named
from discreet.paper.judging import CLOSE, Statement, close, count, in_words, judge
from discreet.paper.optima import with_both
from discreet.paper.panels import said_alpha
from discreet.paper.results import Outcome, Rows, Settings

PRINTED = {
    "S": {"GM": "yes", "WM": "yes", "EM": "yes", "UM": "yes"},
    "RM": {"GM": "yes", "WM": "yes", "EM": "yes", "UM": "yes"},
    "CM": {"GM": "depends", "WM": "depends", "EM": "yes", "UM": "yes"},
    "F": {"GM": "no", "WM": "no", "EM": "yes", "UM": "yes"},
    "WH": {"GM": "depends", "WM": "yes", "EM": "yes", "UM": "yes"},
}
"""The 20 entries as printed."""

COLUMN = {GM: "GM", WM: "WM", WM_COLUMNS: "WM", EM: "EM", UM: "UM"}
"""The printed column of each mechanism: WM stands for both mechanisms of that name."""

ALPHAS = tuple(Fraction(a) for a in ("1/4", "1/2", "2/3", "3/4", "10/11", "99/100"))


def make(settings: Settings) -> Outcome:
    """Check every property of every named mechanism exactly over a range of n and alpha."""
    sizes = (2, 3, 4, 7) if settings.quick else tuple(range(2, 9))
    grid = [(n, a) for n in sizes for a in ALPHAS]
    cells: Rows = []
    scores: Rows = []
    for name in ORDER:
        mechanisms = [named(name, n, a) for n, a in grid]
        for label in PROPERTIES:
            holds = [m.satisfies(label) for m in mechanisms]
            answer = "yes" if all(holds) else "depends" if any(holds) else "no"
            cells.append(
                {
                    "mechanism": name,
                    "property": label,
                    "holds": answer,
                    "share": sum(holds) / len(holds),
                    "printed": PRINTED.get(label, {}).get(COLUMN[name], ""),
                }
            )
        for (n, a), m in zip(grid, mechanisms, strict=True):
            score = m.score("L0")
            scores.append(
                {
                    "mechanism": name,
                    "n": n,
                    "alpha": str(a),
                    "L0": float(score),
                    "exact": str(score),
                }
            )
    return Outcome(
        tables={"properties": cells, "scores": scores}, statements=_statements(cells, scores, grid)
    )


def _statements(
    cells: Rows, scores: Rows, grid: list[tuple[int, Fraction]]
) -> tuple[Statement, ...]:
    holds = {(c["mechanism"], c["property"]): c["holds"] for c in cells}
    cost = {
        (row["mechanism"], row["n"], Fraction(row["alpha"])): Fraction(row["exact"])
        for row in scores
    }
    gm = {(n, a): 2 * a / (1 + a) for n, a in grid}
    entries = with_both(
        lambda wm: [
            holds[wm if column == "WM" else column, label] == printed
            for label, row in PRINTED.items()
            for column, printed in row.items()
        ]
    )
    wrong = ", ".join(
        f"{c['property']} of {c['mechanism']}: printed {c['printed']}, found {c['holds']}"
        for c in cells
        if c["printed"] and c["printed"] != c["holds"]
    )
    known = count(cost[GM, n, a] == gm[n, a] and cost[UM, n, a] == 1 for n, a in grid)
    least = with_both(lambda wm: [gm[n, a] <= cost[wm, n, a] for n, a in grid])
    near = count(close(float(cost[EM, n, a]), float(gm[n, a] * (n + 1) / n)) for n, a in grid)
    over = max(cost[EM, n, a] / gm[n, a] - 1 - Fraction(1, n) for n, a in grid)
    sandwiched = with_both(
        lambda wm: [gm[n, a] <= cost[wm, n, a] <= cost[EM, n, a] for n, a in grid]
    )
    tried = (
        f"n = {min(n for n, _ in grid)}..{max(n for n, _ in grid)}, alpha = "
        f"{', '.join(map(str, ALPHAS))}"
    )
    return (
        judge(
            "Figure 6",
            "the 20 printed entries (S, RM, CM, F, WH of GM, WM, EM, UM)",
            f"checked exactly for {tried}: right {in_words(entries)}; {wrong}.",
            entries,
            "The printed WM is both mechanisms at once: the mixture of GM and EM for WH alone is "
            "column monotone only where it is GM with alpha <= 1/2, WH RM CM always is. (S and RM "
            "are those of the optimum that the designer returns: they come at no cost, but other "
            "optima lack them.)",
        ),
        judge(
            "Figure 6",
            "L0 of GM is 2a/(1+a), of UM 1",
            f"equal, exactly, at {known} sizes and alphas.",
            known,
        ),
        judge(
            "Figure 6",
            "L0 of WM is at least 2a/(1+a)",
            f"{in_words(least)} sizes and alphas.",
            least,
        ),
        judge(
            "Figure 6",
            "L0 of EM is about 2a/(1+a) times (n+1)/n",
            f"at most {CLOSE} apart at {near} sizes and alphas; (EM/GM - 1 - 1/n) is at most "
            f"{float(over):.4f}.",
            near,
            "(n+1)/n is an upper bound (proven), approached as a^(n/2) vanishes; for small groups "
            "with much privacy EM is much cheaper than that.",
        ),
        judge(
            "Section IV-D",
            "the cost of WM lies between those of GM and EM",
            f"{in_words(sandwiched)} sizes and alphas.",
            sandwiched,
        ),
    )


PRINTED_COSTS = (
    "2a/(1+a) for GM (a is alpha), at least that for WM, about (n+1)/n times that for EM, and 1 "
    "for UM"
)
"""The last row of the table as printed."""


def draw(outcome: Outcome) -> dict[str, Any]:
    """Draw the table as dots, and the row of costs in numbers."""
    from discreet.paper.keys.dot_table import DotTable

    n, alpha = max(
        (row["n"], row["alpha"]) for row in outcome.tables["scores"] if row["alpha"] == "10/11"
    )
    costs = {
        r["mechanism"]: r["L0"]
        for r in outcome.tables["scores"]
        if (r["n"], r["alpha"]) == (n, alpha)
    }
    note = (
        f"Checked exactly for groups of 2 to {n} and six alphas from {ALPHAS[0]} to {ALPHAS[-1]}. "
        f"The last row is that of groups of {n}, {said_alpha(alpha)}, all true counts equally "
        f"likely; the paper prints L0, (n+1)/n times that: {PRINTED_COSTS}."
    )
    drawn = DotTable(
        title="Only fair noise and guessing have all seven properties",
        line="full: always; half: at some group sizes and epsilons; empty: never",
        holds={(r["mechanism"], r["property"]): r["holds"] for r in outcome.tables["properties"]},
        wrong={name: f"{100 * costs[name] * n / (n + 1):.1f}" for name in ORDER},
        note=note,
    ).drawn()
    return {"table": drawn}
