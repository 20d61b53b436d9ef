"""Tables of numbers for the paper's figures and studies: every method at a few settings, from the data of a run.

A number that differs between mechanisms of one name is a range: "60 to 63%" holds every optimum with the properties of
the paper's WM. Between `<!-- numbers: NAME -->` and `<!-- end -->` a page holds the table of a study.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from discreet.paper.beyond.range_queries import DYADIC, EM_CELL, GM_CELL, L2_CELL, PER_RANGE, UNBIASED
from discreet.paper.contestants import EM, GM, UM, WM, WM_COLUMNS
from discreet.paper.figures import behaviours
from discreet.paper.figures.adult import SHORT
from discreet.paper.panels import ALPHA_HEAD, alpha_cell, as_often_as_a_guess, said_alpha
from discreet.paper.results import Outcome

Row = Mapping[str, Any]
Lines = list[list[str]]
"""The names of columns, and rows below them."""

METHODS = {
    GM: "usual (GM)",
    UM: "a guess (UM)",
    WM: "weakly honest (WM)",
    WM_COLUMNS: "weakly honest, monotone",
    EM: "fair (EM)",
}
_PEOPLE = (4, 8, 12)
_YES = {0.0: "nobody", 0.5: "half"}


def said(row: Row, form: str, times: float = 1.0) -> str:
    """The number of a row, or its range over all optima where the two ends are written differently.

    >>> said({"exact": 0.5, "least": 0.496, "largest": 0.531}, "{:.0f}%", 100)
    '50 to 53%'
    """
    ends = [row["exact"]] if row.get("least") is None else [row["least"], row["largest"]]
    low, high = (form.format(times * end) for end in (ends[0], ends[-1]))
    return high if low == high else f"{low.removesuffix('%')} to {high}"


def _by_method(
    places: Iterable[tuple[Sequence[str], Callable[[Row], bool]]], rows: Sequence[Row], form: str, times: float = 1.0
) -> Lines:
    """A line for each place, its first cells given, with the number of every method there."""
    found = []
    for cells, here in places:
        mine = {row["mechanism"]: row for row in rows if here(row)}
        found.append([*cells, *(said(mine[name], form, times) for name in METHODS)])
    return found


def _scores(outcome: Outcome) -> Lines:
    rows = [as_often_as_a_guess(dict(row)) for row in outcome.tables["scores"]]
    alphas = list(dict.fromkeys(row["alpha"] for row in rows))
    places = [
        ((alpha_cell(a), str(n)), lambda row, a=a, n=n: (row["alpha"], row["n"]) == (a, n))
        for a in alphas
        for n in (4, 8, 16, 24)
    ]
    return [[ALPHA_HEAD, "people", *METHODS.values()], *_by_method(places, rows, "{:.2f}")]


def _adult(outcome: Outcome) -> Lines:
    rows = outcome.tables["adult"]
    what = {0: "wrong", 1: "more than one off"}
    places = [
        ((what[off], words, str(n)), lambda row, key=(off, t, n): (row["off"], row["target"], row["n"]) == key)
        for off in what
        for t, words in SHORT.items()
        for n in _PEOPLE[::2]
    ]
    return [["numbers that are", "question", "people", *METHODS.values()], *_by_method(places, rows, "{:.0f}%", 100)]


def _over_p(name: str, form: str, times: float) -> Callable[[Outcome], Lines]:
    def table(outcome: Outcome) -> Lines:
        rows = outcome.tables[name]
        places = [
            ((alpha_cell(a), str(n), _YES[p]), lambda row, key=(a, n, p): (row["alpha"], row["n"], row["p"]) == key)
            for a in dict.fromkeys(row["alpha"] for row in rows)
            for n in _PEOPLE
            for p in _YES
        ]
        return [[ALPHA_HEAD, "people", "who says yes", *METHODS.values()], *_by_method(places, rows, form, times)]

    return table


def _histograms(outcome: Outcome) -> Lines:
    rows = outcome.tables["histograms"]
    yes = {0.5: "half", 0.1: "1 in 10"}
    places = [
        ((alpha_cell(a), words, str(d)), lambda row, key=(a, p, d): (row["alpha"], row["p"], row["d"]) == key)
        for a in dict.fromkeys(row["alpha"] for row in rows)
        for p, words in yes.items()
        for d in (0, 2, 4)
    ]
    head = [ALPHA_HEAD, "who says yes", "off by more than", *METHODS.values()]
    return [head, *_by_method(places, rows, "{:.0f}%", 100)]


_DESIGNS = {
    "L2, n = 4": "4 people, least squared error: 2",
    "L1, n = 6": "6 people, least distance: 3",
    "L1, n = 7": "7 people, least distance: 2 or 5",
    "L0,1, n = 5": "5 people, fewest more than one off: 1 or 4",
}


def _anomalies(outcome: Outcome) -> Lines:
    rows = {(row["case"], row["alpha"]): row["exact"] for row in outcome.tables["scan"]}
    alphas = (0.62, 0.7, 0.74, 0.8, 0.9, 0.98)
    found = [[alpha_cell(a), *(f"{rows[case, a]:.0%}" for case in _DESIGNS)] for a in alphas]
    return [[ALPHA_HEAD, *_DESIGNS.values()], *found]


def _losses(outcome: Outcome) -> Lines:
    asked = {
        "RH": "row honesty", "WH": "weak honesty", "F": "fairness", "CH": "column honesty", "CM": "column monotonicity",
        "RM CM F": "all seven",
    }  # fmt: skip
    rows = {(r["loss"], r["n"], r["alpha"], r["properties"]): r["premium"] for r in outcome.tables["losses"]}
    found = [
        [words, alpha_cell(alpha), *(f"{rows[loss, 8, alpha, name]:.0%}" for name in asked)]
        for loss, words in (("L1", "mean distance (L1)"), ("L2", "mean squared distance (L2)"))
        for alpha in dict.fromkeys(r["alpha"] for r in outcome.tables["losses"])
    ]
    return [["error", ALPHA_HEAD, *asked.values()], *found]


def _output_dp(outcome: Outcome) -> Lines:
    asked = {"none": "nothing else", "WH": "weakly honest", "RM CM": "monotone"}
    mine = [r for r in outcome.tables["output-dp"] if r["n"] == 8]
    rows = {(r["alpha"], r["properties"], r["beta"]): as_often_as_a_guess(dict(r)) for r in mine}
    found = [
        [
            alpha_cell(alpha),
            f"{beta:g}",
            *(f"{rows[alpha, name, beta]['exact']:.2f}" for name in asked),
            *(f"{rows[alpha, name, beta]['spikiness']:.1f}" for name in asked),
        ]
        for alpha in dict.fromkeys(r["alpha"] for r in mine)
        for beta in (0.0, 0.4, 0.6, 0.8, 1.0)
    ]
    head = [f"{what}: {words}" for what in ("right", "worst wrong number") for words in asked.values()]
    return [[ALPHA_HEAD, "beta", *head], *found]


def _winners_gain(outcome: Outcome) -> Lines:
    ps = (0.1, 0.2, 0.3, 0.4, 0.5)
    rows = {(r["measure"], r["n"], r["epsilon"], r["p"]): r["gain"] for r in outcome.tables["winners"]}
    found = [
        [words, f"{epsilon:g}", *(f"{rows[measure, 8, epsilon, p]:.0%}" for p in ps)]
        for measure, words in _MEASURES.items()
        for epsilon in (0.1, 0.25, 0.5, 1.0, 2.0)
    ]
    return [["error", "epsilon", *(f"chance of a yes {p:g}" for p in ps)], *found]


_MEASURES = {"L0": "wrong (L0)", "L0,1": "more than one off (L0,1)", "RMSE": "typical error (RMSE)"}


def _ranges(outcome: Outcome) -> Lines:
    ways = {
        GM_CELL: "cells, usual", EM_CELL: "cells, fair", L2_CELL: "cells, best L2", UNBIASED: "cells, bias taken out",
        PER_RANGE: "each range", DYADIC: "a tree",
    }  # fmt: skip
    rows = {(r["p"], r["epsilon"], r["length"], r["method"]): r["exact"] for r in outcome.tables["ranges"]}
    found = [
        [words, f"{epsilon:g}", str(length), *(f"{rows[p, epsilon, length, way]:.1f}" for way in ways)]
        for p, words in ((0.5, "half"), (0.1, "1 in 10"))
        for epsilon in (0.5, 1.0, 2.0)
        for length in (1, 16)
    ]
    return [["who says yes", "epsilon", "cells in the range", *ways.values()], *found]


def _joint(outcome: Outcome) -> Lines:
    mine = [r for r in outcome.tables["joint"] if r["epsilon"] == 1]
    losses = list(dict.fromkeys(r["loss"] for r in mine))
    gains = {(r["cells"], r["n"], r["loss"], r["whole"] == 1): r["gain"] for r in mine if _end(r)}
    found = [
        [str(cells), str(n), *(f"{gains[cells, n, loss, alone]:.0%}" for alone in (False, True) for loss in losses)]
        for cells, n in sorted({(r["cells"], r["n"]) for r in mine})
    ]
    head = [f"{when}: {loss}" for when in ("all sums alike", "only the total") for loss in losses]
    return [["cells", "people in each", *head], *found]


def _end(row: Row) -> bool:
    """Whether all ranges weigh alike, or only the whole histogram does."""
    return bool(row["whole"] == 1 or abs(row["whole"] - 2 / (row["cells"] * (row["cells"] + 1))) < 1e-9)


_RANGE = (
    "Two numbers in a cell are the least and the largest over all mechanisms with these properties and the least L0."
)
_RIGHT = "How many times as often as a blind guess a number is right, with every true count equally likely."
TABLES: Mapping[str, tuple[str, Callable[[Outcome], Lines], str]] = {
    "anomalies": (
        "The four designs at other alphas",
        _anomalies,
        "The chance that a design publishes the number named, or one of the two, at the true count where it is least.",
    ),
    "flowchart": (
        behaviours.SETS,
        behaviours.table,
        "The number of sets and, in brackets, the cost (L0): that of a blind guess is 1.",
    ),
    "scores": ("All methods, at other alphas", _scores, _RIGHT),
    "adult": ("All methods, and numbers that are more than one off", _adult, f"With {said_alpha('0.9')}. {_RANGE}"),
    "binomial": (
        "All methods, at other settings",
        _over_p("binomial", "{:.0f}%", 100),
        f"The share of numbers that are more than one person off. {_RANGE}",
    ),
    "histograms": ("All methods, at other alphas", _histograms, f"The share of numbers, in groups of 8. {_RANGE}"),
    "rmse": ("All methods, at other settings", _over_p("rmse", "{:.1f}", 1), f"The typical error, in people. {_RANGE}"),
}
"""The table of a figure on the page of verdicts: its title, what makes it, and what stands below it."""

STUDIES: Mapping[str, tuple[str, Callable[[Outcome], Lines]]] = {
    "losses": ("beyond-losses", _losses),
    "output-dp": ("beyond-output-dp", _output_dp),
    "gain": ("beyond-winners", _winners_gain),
    "ranges": ("beyond-ranges", _ranges),
    "joint": ("beyond-ranges", _joint),
}
"""The tables of the studies, by their names on a page: the entry that has the data, and what makes the table."""


def markdown(lines: Lines) -> str:
    """A table as a page has it.

    >>> markdown([["a", "b"], ["1", "2"]])
    '| a | b |\\n| --- | --- |\\n| 1 | 2 |\\n'
    """
    head, *body = lines
    return "\n".join("| " + " | ".join(each) + " |" for each in (head, ["---"] * len(head), *body)) + "\n"


_BLOCK = re.compile(r"(<!-- numbers: ([a-z-]+) -->\n).*?(?=<!-- end -->)", re.DOTALL)


def filled(page: str, entry: str, outcome: Outcome) -> str:
    """A page with the tables that an entry of the paper has on it."""

    def block(found: re.Match[str]) -> str:
        owner, make = STUDIES[found[2]]
        return f"{found[1]}\n{markdown(make(outcome))}\n" if owner == entry else found[0]

    return _BLOCK.sub(block, page)
