"""Figure 5: from 128 sets of properties at most four behaviours, and which one the flowchart names.

All 128 sets are designed for real (equal closures share one design), at a few n and alpha on both sides of the
thresholds, and each cost is compared, as a rational number, with that of the mechanism the flowchart
(`choosing.flowchart`) leads to.
"""

from __future__ import annotations

import json
from fractions import Fraction
from math import log
from typing import Any

from discreet.choosing.census import all_subsets
from discreet.choosing.flowchart import walk
from discreet.core.named import fair, geometric, weakly_honest
from discreet.core.properties import closure
from discreet.designer import design
from discreet.paper.contestants import WM, WM_COLUMNS
from discreet.paper.judging import count, judge
from discreet.paper.results import Outcome, Rows, Settings

PLACES = tuple(
    (n, Fraction(a)) for n, a in ((3, "2/5"), (4, "2/3"), (3, "10/11"), (5, "10/11"), (8, "76/100"), (8, "10/11"))
)


def make(settings: Settings) -> Outcome:
    """Design all 128 sets at each place and compare with the flowchart."""
    places = PLACES[:4] if settings.quick else PLACES
    rows: Rows = []
    behaviours: dict[tuple[int, Fraction], set[Fraction]] = {}
    for n, alpha in places:
        named = {
            "EM": fair(n=n, alpha=alpha),
            "GM": geometric(n=n, alpha=alpha),
            "WM": weakly_honest(n=n, alpha=alpha),
            "WH+CM": design(n=n, alpha=alpha, properties="WH CM"),
        }
        found: dict[str, Fraction] = {}
        for asked in all_subsets():
            key = str(closure(asked))
            if key not in found:
                found[key] = design(n=n, alpha=alpha, properties=asked).score("L0")
            leads, _ = walk(n, alpha, asked)
            expected = named[leads].score("L0")
            rows.append(
                {
                    "n": n,
                    "alpha": str(alpha),
                    "properties": str(asked) or "none",
                    "flowchart": leads,
                    "L0": float(found[key]),
                    "agrees": found[key] == expected,
                }
            )
        behaviours[n, alpha] = set(found.values())
    right = count(row["agrees"] for row in rows)
    counts = ", ".join(f"{len(v)} at n = {n}, alpha = {a}" for (n, a), v in behaviours.items())
    few = count(len(v) <= 4 for v in behaviours.values())
    low = count(len(v) <= 2 for (_, a), v in behaviours.items() if a <= Fraction(1, 2))
    statements = (
        judge(
            "Figure 5",
            "the flowchart leads to an optimal mechanism for each of the 128 sets",
            f"the named mechanism's cost is the optimum, as rationals, for {right} requests.",
            right,
        ),
        judge("Introduction", "at most four different behaviours", f"different optimal costs: {counts}.", few),
        judge(
            "Section IV-D",
            "for alpha <= 1/2 there are only two: EM if fairness is asked, GM otherwise",
            f"two costs at {low} places (alpha = 2/5).",
            low,
        ),
    )
    return Outcome(tables={"flowchart": rows}, statements=statements)


_ROOMY = 16
"""Sets of a part of a bar that is too short for its cost."""


def _by_place(told: tuple[tuple[int, str, str, float], int]) -> tuple[int, float, float]:
    """By group size, then by epsilon, then by cost."""
    (size, alpha, _, cost), _ = told
    return size, -log(Fraction(alpha)), cost


def draw(outcome: Outcome) -> dict[str, Any]:
    """Draw the flowchart, and how many of the 128 sets lead to each of its ends at each place."""
    from discreet.paper.flowchart_drawing import flowchart
    from discreet.show.captions import spoken_name
    from discreet.show.colours import looks
    from discreet.show.pictures.theme import LETTERS, altair, finished, inline

    alt = altair()
    tally: dict[tuple[int, str, str, float], int] = {}
    for row in outcome.tables["flowchart"]:
        key = (row["n"], row["alpha"], row["flowchart"], row["L0"])
        tally[key] = tally.get(key, 0) + 1
    n, alpha, *_ = list(tally)[-1]
    facts = {
        box: f"{sets} sets, cost {cost:.4f}" for (size, a, box, cost), sets in tally.items() if (size, a) == (n, alpha)
    }
    order = ["GM", "WM", "WH+CM", "EM"]
    said = {name: spoken_name(name) for name in order} | {"WH+CM": "with columns (CM)"}
    narrow = [[json.dumps(words), json.dumps(words.rpartition(" (")[0])] for words in said.values()]
    places = {f"{size} {a}": f"n = {size}, epsilon = {-log(Fraction(a)):.3g}" for size, a, *_ in tally}
    narrow += [[json.dumps(place), json.dumps(place.replace("epsilon =", "ε"))] for place in places.values()]
    rows = [
        {
            "place": f"{size} {a}",
            "flowchart": box,
            "L0": cost,
            "sets": sets,
            "text": f"{cost:.4f}" if sets > _ROOMY else "",
        }
        for (size, a, box, cost), sets in sorted(tally.items(), key=_by_place)
    ]
    beside = [
        {"place": place, "sets": 128, "wide": True, "text": ", ".join(f"{row['L0']:.4f}" for row in thin)}
        for place in dict.fromkeys(row["place"] for row in rows)
        if (
            thin := sorted(
                (r for r in rows if r["place"] == place and not r["text"]), key=lambda r: float(str(r["L0"]))
            )
        )
    ]
    base = alt.Chart(inline(rows)).encode(
        y=alt.Y(
            "place:N",
            title=None,
            sort=None,
            axis=alt.Axis(labelLimit=220, labelPadding=10, ticks=False, labelExpr=f"{json.dumps(places)}[datum.label]"),
        ),
        x=alt.X(
            "sets:Q",
            stack="zero",
            title="sets of properties, of 128",
            axis=alt.Axis(values=[0, 32, 64, 96, 128]),
            scale=alt.Scale(domain=[0, 128], nice=False),
        ),
        order=alt.Order("L0:Q"),
    )
    scale = alt.Scale(domain=order, range=[look.colour for look in looks(["GM", WM, WM_COLUMNS, "EM"])])
    bars = base.mark_bar(fillOpacity=0.35, strokeWidth=1.5).encode(
        color=alt.Color(
            "flowchart:N",
            scale=scale,
            title=None,
            legend=alt.Legend(
                orient="top",
                symbolType="square",
                symbolSize=130,
                columnPadding=26,
                labelExpr=f"{json.dumps(said)}[datum.label]",
            ),
        ),
        stroke=alt.Stroke("flowchart:N", scale=scale, legend=None),
    )
    words = base.mark_text(color="black", fontSize=LETTERS, align="right", dx=-4).encode(text="text:N")
    aside = (
        alt.Chart(inline(beside))
        .mark_text(color="#444444", fontSize=LETTERS, align="left", dx=8)
        .encode(y=alt.Y("place:N", sort=None), x="sets:Q", text="text:N")
    )
    chart = alt.layer(bars, words, aside).properties(width=372, height=34 * len({r["place"] for r in rows}))
    chart = chart.properties(usermeta={"narrow": narrow})
    privacy = f"alpha = {alpha}, epsilon = {-log(Fraction(alpha)):.3g}"
    below = f"how many of 128 sets lead there, and the cost; n = {n}, {privacy}"
    return {
        "flowchart": flowchart(facts, "Four questions lead to the best mechanism", below),
        "sets": finished(
            chart,
            "128 sets of properties lead to at most four mechanisms",
            "length: how many sets lead to each; number: its cost (L0)",
            note=(
                "On a wide screen the costs of short parts stand at the right. "
                "The usual noise (GM) costs 2a/(1+a), where a is alpha, exp(-epsilon)."
            ),
        ),
    }
