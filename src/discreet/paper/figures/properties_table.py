"""Figure 6: which named mechanism has which property, and what it costs under L0.

"yes" and "no" mean for every n and alpha tried (n = 2..8; alpha from 1/4 to 99/100), "depends" that both happen.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from discreet.core.properties import PROPERTIES
from discreet.paper.contestants import EM, GM, ORDER, UM, WM, WM_COLUMNS, named
from discreet.paper.results import Outcome, Rows, Settings, judge

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
            scores.append({"mechanism": name, "n": n, "alpha": str(a), "L0": float(score), "exact": str(score)})
    differing = [c for c in cells if c["printed"] and c["printed"] != c["holds"]]
    cost = {(row["mechanism"], row["n"], row["alpha"]): Fraction(row["exact"]) for row in scores}
    gm = {(n, a): 2 * a / (1 + a) for n, a in grid}
    over = max(cost[EM, n, str(a)] / gm[n, a] - 1 - Fraction(1, n) for n, a in grid)
    sandwiched = all(
        gm[n, a] <= cost[name, n, str(a)] <= cost[EM, n, str(a)] for n, a in grid for name in (WM, WM_COLUMNS)
    )
    fields = ", ".join(
        f"{c['property']} of {c['mechanism']}: printed {c['printed']}, found {c['holds']}" for c in differing
    )
    entries = {(label, column) for label, row in PRINTED.items() for column in row}
    wrong = {(c["property"], COLUMN[c["mechanism"]]) for c in differing}
    tried = f"n = {sizes[0]}..{sizes[-1]}, alpha = {', '.join(map(str, ALPHAS))}"
    statements = (
        judge(
            "Figure 6",
            f"the {len(entries)} printed entries (S, RM, CM, F, WH of GM, WM, EM, UM)",
            f"checked exactly for {tried}: {len(entries) - len(wrong)} are right"
            + (f"; not {fields}." if fields else "."),
            not differing,
            "The printed WM is both mechanisms at once: WH alone is column monotone only where it is GM with "
            "alpha <= 1/2, WH RM CM always is."
            if differing
            else "",
        ),
        judge(
            "Figure 6",
            "L0 of GM is 2a/(1+a), of UM 1",
            "equal, exactly, everywhere tried.",
            all(cost[GM, n, str(a)] == gm[n, a] and cost[UM, n, str(a)] == 1 for n, a in grid),
        ),
        judge(
            "Figure 6",
            "L0 of EM is about 2a/(1+a) times (n+1)/n",
            f"never more than that; (EM/GM - 1 - 1/n) is at most {float(over):.4f}.",
            over < 0,
            "(n+1)/n is an upper bound (proven), approached as a^(n/2) vanishes.",
        ),
        judge("Section IV-D", "the cost of WM lies between those of GM and EM", "so it does, for both.", sandwiched),
    )
    return Outcome(tables={"properties": cells, "scores": scores}, statements=statements)


def draw(outcome: Outcome) -> dict[str, Any]:
    """Draw the table as a chart of coloured cells with words."""
    from discreet.show.pictures.theme import altair, finished, inline

    alt = altair()
    base = alt.Chart(inline(list(outcome.tables["properties"]))).encode(
        x=alt.X("mechanism:N", sort=list(ORDER), title=None, axis=alt.Axis(orient="top", labelAngle=0)),
        y=alt.Y("property:N", sort=list(PROPERTIES), title=None),
    )
    scale = alt.Scale(domain=["yes", "depends", "no"], range=["#a6cee3", "#f7f7f7", "#f4c7a8"])
    cells = base.mark_rect(stroke="white").encode(color=alt.Color("holds:N", scale=scale, legend=None))
    words = base.mark_text(fontSize=12).encode(text="holds:N")
    chart = alt.layer(cells, words).properties(width=560, height=230)
    lines = ["n = 2..8, alpha from 1/4 to 99/100, checked exactly; the paper's WM is two mechanisms"]
    return {"table": finished(chart, "Properties of named mechanisms", lines)}
