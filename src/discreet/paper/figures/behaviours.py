"""Figure 5: from 128 sets of properties at most four behaviours, and which one the flowchart names.

All 128 sets are designed for real (equal closures share one design), at a few n and alpha on both
sides of the thresholds, and each cost is compared, as a rational number, with that of the mechanism
the flowchart (`choosing.flowchart`) leads to.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from discreet.choosing.census import all_subsets
from discreet.choosing.flowchart import walk
from discreet.core.named import fair, geometric, weakly_honest
from discreet.core.properties import closure
from discreet.designer import design
from discreet.paper.judging import count, judge
from discreet.paper.panels import ALPHA_HEAD, alpha_cell
from discreet.paper.results import Outcome, Rows, Settings

PLACES = tuple(
    (n, Fraction(a))
    for n, a in ((3, "2/5"), (4, "2/3"), (3, "10/11"), (5, "10/11"), (8, "76/100"), (8, "10/11"))
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
        judge(
            "Introduction",
            "at most four different behaviours",
            f"different optimal costs: {counts}.",
            few,
        ),
        judge(
            "Section IV-D",
            "for alpha <= 1/2 there are only two: EM if fairness is asked, GM otherwise",
            f"two costs at {low} places (alpha = 2/5).",
            low,
        ),
    )
    return Outcome(tables={"flowchart": rows}, statements=statements)


SETS = "128 sets of properties lead to at most four mechanisms"
"""The title of the table of sets."""
_COLUMNS = {
    "GM": "usual noise (GM)",
    "WM": "weakly honest (WM)",
    "WH+CM": "with column properties",
    "EM": "fair (EM)",
}


def _tally(rows: Rows) -> dict[tuple[int, str], dict[str, tuple[int, float]]]:
    """For each size and alpha, how many sets lead to each mechanism, and its cost; weak privacy
    first.
    """
    found: dict[tuple[int, str], dict[str, tuple[int, float]]] = {}
    for row in sorted(rows, key=lambda row: (Fraction(row["alpha"]), row["n"])):
        place = found.setdefault((row["n"], row["alpha"]), {})
        sets, _ = place.get(row["flowchart"], (0, 0.0))
        place[row["flowchart"]] = (sets + 1, row["L0"])
    return found


def table(outcome: Outcome) -> list[list[str]]:
    """How many of the 128 sets lead to each mechanism, and its cost: the names of columns, and a
    row for each place.
    """
    lines = [[ALPHA_HEAD, "people", *_COLUMNS.values()]]
    for (n, alpha), found in _tally(outcome.tables["flowchart"]).items():
        said = {name: f"{sets} ({cost:.4f})" for name, (sets, cost) in found.items()}
        lines.append([alpha_cell(alpha), str(n), *(said.get(name, "") for name in _COLUMNS)])
    return lines


def draw(outcome: Outcome) -> dict[str, Any]:
    """Draw the flowchart; how many of the 128 sets lead to each of its ends is in the table."""
    from discreet.paper.flowchart_drawing import flowchart

    below = "fewest wrong; n: people in a group; a: alpha, above 0.5 (epsilon below 0.69)"
    return {"flowchart": flowchart("Four questions lead to the best mechanism", below)}
