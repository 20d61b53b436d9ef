"""Beyond 5: which mechanism suits which data: Binomial(n, p) over p, n and epsilon, under L0, L0,1 and RMSE.

The five mechanisms of the experiments know nothing of the data. Two designed ones do: optimal for this loss and prior
with no property asked, and with WH, RM and CM. The first wins by definition where the prior is right; the map shows
the winner among the five, and how much knowing the prior gains: p = 1/20, ..., 10/20. Then the prior is wrong:
designed for p', data from p, all pairs of 1/10, ..., 9/10. WM (WH RM CM) is the L0 optimum with the least L2.
All numbers are exact expectations (no simulation); the conclusions are observed.
"""

from __future__ import annotations

import json
from fractions import Fraction
from functools import lru_cache
from math import isclose, sqrt
from statistics import median
from typing import Any

from discreet.core.mechanism import Mechanism
from discreet.core.rationals import read_alpha
from discreet.designer import design
from discreet.paper.contestants import EM, ORDER, named
from discreet.paper.judging import Statement, observed
from discreet.paper.results import Outcome, Rows, Settings
from discreet.paper.simulation import binomial_weights, expected_beyond, expected_square

MEASURES = {"L0": "L0", "L0,1": "L0,1", "RMSE": "L2"}
"""What is measured, and the loss that designs for it."""

TOLD = {"L0": "wrong answers (L0)", "L0,1": "more than 1 off (L0,1)", "RMSE": "typical error (RMSE)"}

TAILORED, TAILORED_HONEST = "designed for p", "designed for p, WH RM CM"
WRONG = (8, Fraction(1, 2))
"""n and epsilon of the study of wrong priors."""
DESIGNED_FOR, SIZES = (0.1, 0.3, 0.5), (4, 8, 12)
"""The wrong priors and the group sizes that are drawn: more are in the data."""


def measure(m: Mechanism, name: str, p: Fraction) -> float:
    """Return the fraction of wrong (L0), or more than one off (L0,1), answers, or the RMSE, on Binomial(n, p) data."""
    weights = binomial_weights(m.n, float(p))
    if name == "RMSE":
        return sqrt(expected_square(m, weights))
    return expected_beyond(m, weights, 1 if name == "L0,1" else 0)


@lru_cache(maxsize=8192)
def tailored(n: int, epsilon: Fraction, p: Fraction, loss: str, properties: str) -> Mechanism:
    """Return the optimum for this loss on Binomial(n, p) data."""
    return design(n=n, epsilon=epsilon, properties=properties, loss=loss, prior=f"Binomial({p})")


def make(settings: Settings) -> Outcome:
    """Map the winners, and what a wrong prior costs."""
    sizes = (4, 8) if settings.quick else (2, 4, 6, 8, 12)
    epsilons = tuple(map(Fraction, ("1/10", "1/2", "1") if settings.quick else ("1/10", "1/4", "1/2", "1", "2")))
    ps = tuple(Fraction(k, 20) for k in ((1, 4, 7, 10) if settings.quick else range(1, 11)))
    rows: Rows = []
    for n in sizes:
        for epsilon in epsilons:
            alpha = read_alpha(epsilon=epsilon).value
            for p in ps:
                for name, loss in MEASURES.items():
                    scores = {other: measure(named(other, n, alpha), name, p) for other in ORDER}
                    winner = min(scores, key=lambda other: scores[other])
                    free = measure(tailored(n, epsilon, p, loss, ""), name, p)
                    honest = measure(tailored(n, epsilon, p, loss, "WH RM CM"), name, p)
                    rows.append(
                        {
                            "n": n,
                            "epsilon": float(epsilon),
                            "p": float(p),
                            "measure": name,
                            "winner": winner,
                            **scores,
                            TAILORED: free,
                            TAILORED_HONEST: honest,
                            "gain": 1 - free / scores[winner],
                            "gain_honest": 1 - honest / scores[winner],
                            "EM_regret": scores[EM] / scores[winner] - 1,
                        }
                    )
    wrong = _wrong_priors(settings)
    return Outcome(tables={"winners": rows, "wrong-prior": wrong}, statements=_statements(rows, wrong))


def _wrong_priors(settings: Settings) -> Rows:
    n, epsilon = WRONG
    alpha = read_alpha(epsilon=epsilon).value
    ps = tuple(Fraction(k, 10) for k in ((1, 3, 5, 7, 9) if settings.quick else range(1, 10)))
    rows: Rows = []
    for name, loss in MEASURES.items():
        for p in ps:
            best = measure(tailored(n, epsilon, p, loss, ""), name, p)
            for kind, shape in ((TAILORED, ""), (TAILORED_HONEST, "WH RM CM")):
                for other in ps:
                    value = measure(tailored(n, epsilon, other, loss, shape), name, p)
                    rows.append({"measure": name, "mechanism": kind, "designed_for": float(other), "p": float(p),
                                 "value": value, "over_best": value / best - 1})  # fmt: skip
            for other_name in ORDER:
                value = measure(named(other_name, n, alpha), name, p)
                rows.append({"measure": name, "mechanism": other_name, "designed_for": None, "p": float(p),
                             "value": value, "over_best": value / best - 1})  # fmt: skip
    return rows


def _statements(rows: Rows, wrong: Rows) -> tuple[Statement, ...]:
    found = []
    for name in MEASURES:
        mine = [row for row in rows if row["measure"] == name]
        wins = {other: sum(row["winner"] == other for row in mine) for other in ORDER}
        listed = ", ".join(f"{other} {count}" for other, count in sorted(wins.items(), key=lambda x: -x[1]) if count)
        found.append(
            observed(
                name,
                "who wins among the five that know nothing of the data",
                f"of {len(mine)} places: {listed}. EM is never more than "
                f"{max(row['EM_regret'] for row in mine):.0%} behind the winner. Knowing p gains up to "
                f"{max(row['gain'] for row in mine):.0%} over it, with WH, RM and CM up to "
                f"{max(row['gain_honest'] for row in mine):.0%}.",
            )
        )
    for name in MEASURES:
        worst = {
            kind: max(r["over_best"] for r in wrong if r["measure"] == name and r["mechanism"] == kind)
            for kind in (TAILORED, TAILORED_HONEST, *ORDER)
        }
        near = [
            r["over_best"]
            for r in wrong
            if r["measure"] == name and r["mechanism"] == TAILORED and isclose(abs(r["designed_for"] - r["p"]), 0.1)
        ]
        ps = sorted({r["p"] for r in wrong})
        found.append(
            observed(
                f"Wrong prior, {name}",
                "the most that is lost, over all pairs of designed-for and real p, against knowing p",
                "; ".join(f"{kind}: {value:.0%}" for kind, value in worst.items())
                + f" (n = {WRONG[0]}, epsilon = {WRONG[1]}, p and p' in {', '.join(f'{p:g}' for p in ps)})."
                + (f" p off by 0.1: {median(near):.0%} in the median, {max(near):.0%} at worst." if near else ""),
            )
        )
    return tuple(found)


def draw(outcome: Outcome) -> dict[str, Any]:
    """Draw the map of winners, what knowing p gains, and what a wrong p costs."""
    from discreet.show.pictures.theme import finished

    gains = [
        {**r, "wide": not _tenth(r["p"]), "silent": r["p"] not in _SHOWN or r["epsilon"] not in _SHOWN_EPSILONS}
        for r in outcome.tables["winners"]
        if r["n"] == WRONG[0]
    ]
    wrong = [
        {**r, "wide": _tenth(r["p"]) % 2 == 0, "times": 1 + r["over_best"]}
        for r in outcome.tables["wrong-prior"]
        if r["mechanism"] == TAILORED and r["designed_for"] in DESIGNED_FOR
    ]
    sizes = sorted({r["n"] for r in outcome.tables["winners"]})
    mirrored = "The map mirrors for 1 - p."
    return {
        "winners": finished(
            areas([r for r in outcome.tables["winners"] if r["n"] == WRONG[0]]),
            "From epsilon = 1 on, the usual noise mostly wins",
            f"which of five has the least error on Binomial(n, p) data; groups of {WRONG[0]}",
            note=mirrored,
        ),
        "all": finished(
            _map([r for r in outcome.tables["winners"] if r["n"] in (SIZES if set(SIZES) <= set(sizes) else sizes)]),
            "All of it: who wins in groups of several sizes",
            "colour: which of five has the least error on Binomial(n, p) data",
            note=f"n is one of {', '.join(map(str, sizes))} in the data. {mirrored}",
        ),
        "gain": finished(
            _tables(gains, ("p", "p of the data"), ("epsilon", "epsilon"), "gain"),
            "Knowing p gains most with strong privacy, rare answers",
            f"percent of the error that the best for p saves over the best of five; n = {WRONG[0]}",
            note="The darker a cell, the larger its number; nine of each table have theirs in them.",
        ),
        "wrong-prior": finished(
            _tables(wrong, ("p", "p of the data"), ("designed_for", "designed for"), "times"),
            "The further the prior is off, the more is lost",
            f"error, in times that of knowing p; n = {WRONG[0]}, epsilon = {float(WRONG[1]):g}; no property asked",
            note="The data have every p' of 0.1 to 0.9; those above 0.5 mirror those below.",
        ),
    }


def _tenth(p: float) -> int:
    """How many tenths p is; 0 where it is between two.

    >>> _tenth(0.3), _tenth(0.35)
    (3, 0)
    """
    return round(10 * p) if isclose(10 * p, round(10 * p)) else 0


_SHOWN, _SHOWN_EPSILONS = (0.1, 0.3, 0.5), (0.1, 0.5, 2)
"""The cells of what knowing p gains that have their number in them; the others are colour alone."""


def areas(rows: Rows) -> Any:
    """Who wins in groups of one size: a mosaic for each measure, whose areas have their names inside."""
    from discreet.paper.panel_names import called
    from discreet.show.captions import uncoded
    from discreet.show.colours import looks
    from discreet.show.pictures.theme import HEADINGS, LETTERS, altair, inline

    alt = altair()
    hues = dict(zip(ORDER, (look.colour for look in looks(ORDER)), strict=True))
    said = {name: [called(name).replace("\n", " ").replace("usual (", "usual noise (")] for name in ORDER}
    said = {name: words.replace(", ", ",\n").split("\n") for name, (words,) in said.items()}
    ps, epsilons = sorted({r["p"] for r in rows}), sorted({r["epsilon"] for r in rows})
    maps = []
    for measure in MEASURES:
        mine = [r for r in rows if r["measure"] == measure]
        won = {(r["p"], r["epsilon"]): r["winner"] for r in mine}
        cells = [{"x": ps.index(r["p"]), "y": epsilons.index(r["epsilon"]), "winner": r["winner"]} for r in mine]
        table = [[won[p, epsilon] for p in ps] for epsilon in epsilons]
        words = []
        for name in dict.fromkeys(won.values()):
            top, left, high, wide = largest_area(table, name)
            if high * wide >= _LEAST_AREA and wide > 1:
                at = {"x": left + wide / 2 - 0.5, "y": top + high / 2 - 0.5}
                words.append({**at, "winner": name, "ink": "#000000" if name == EM else "#ffffff"})
        labels = {"x": [f"{p:g}" for p in ps], "y": [f"{epsilon:g}" for epsilon in epsilons]}
        x, y = (
            alt.Axis(
                values=list(range(0, len(labels[k]), step)), labelExpr=f"{json.dumps(labels[k])}[datum.value]",
                grid=False, domain=False, labelOverlap=False, ticks=False, title=title,
            )
            for k, step, title in (("x", 1 if len(ps) < 6 else 3, "p, the chance of a yes"), ("y", 1, "epsilon"))
        )  # fmt: skip
        ends = {k: [-0.5, len(labels[k]) - 0.5] for k in "xy"}
        base = alt.Chart(inline(cells)).mark_rect().transform_calculate(
            x1="datum.x - 0.5", x2="datum.x + 0.5", y1="datum.y - 0.5", y2="datum.y + 0.5"
        )  # fmt: skip
        tiles = base.encode(
            x=alt.X("x1:Q", axis=x, scale=alt.Scale(domain=ends["x"], nice=False)), x2="x2:Q",
            y=alt.Y("y1:Q", axis=y, scale=alt.Scale(domain=ends["y"][::-1], nice=False)), y2="y2:Q",
            color=alt.Color("winner:N", scale=alt.Scale(domain=list(hues), range=list(hues.values())), legend=None),
        )  # fmt: skip
        names = (
            alt.Chart(inline(words))
            .transform_calculate(said=f"{json.dumps(said)}[datum.winner]")
            .mark_text(fontSize=LETTERS, fontWeight=600, baseline="middle", lineHeight=LETTERS + 2)
            .encode(x="x:Q", y="y:Q", text="said:N", color=alt.Color("ink:N", scale=None))
        )
        title = alt.TitleParams(text=TOLD[measure], fontSize=HEADINGS)
        maps.append(alt.layer(tiles, names).properties(width=583, height=26 * len(epsilons), title=title))
    narrow = [[json.dumps(words), json.dumps([uncoded(words[-1])])] for words in said.values()]
    mosaics = alt.vconcat(*maps, spacing=22).resolve_scale(color="independent")
    return mosaics.properties(usermeta={"narrow": narrow})


_LEAST_AREA = 4
"""Cells of a rectangle in which a name is written."""


def largest_area(table: list[list[str]], name: str) -> tuple[int, int, int, int]:
    """The largest rectangle of cells with one name, the widest of several: its first row and column, height and width.

    >>> largest_area([["a", "b", "b"], ["a", "b", "b"], ["a", "a", "b"]], "b")
    (0, 1, 2, 2)
    """
    rows, columns = len(table), len(table[0])
    found = [
        (high * wide, wide, -top, -left, high)
        for top in range(rows)
        for left in range(columns)
        for high in range(1, rows - top + 1)
        for wide in range(1, columns - left + 1)
        if all(cell == name for row in table[top : top + high] for cell in row[left : left + wide])
    ]
    _, wide, top, left, high = max(found)
    return -top, -left, high, wide


def _map(rows: Rows) -> Any:
    """Who wins: a column for each measure, a row for each group size, one square for each epsilon and p."""
    from discreet.paper.panel_names import called
    from discreet.show.captions import uncoded
    from discreet.show.colours import looks
    from discreet.show.pictures.theme import LETTERS, altair, inline

    alt = altair()
    hues = dict(zip(ORDER, (look.colour for look in looks(ORDER)), strict=True))
    said = {name: called(name).replace("\n", " ") for name in ORDER}
    won = [name for name in ORDER if any(r["winner"] == name for r in rows)]
    colour = alt.Color(
        "winner:N",
        scale=alt.Scale(domain=won, range=[hues[name] for name in won]),
        legend=alt.Legend(
            title=None,
            orient="top",
            columns=3,
            symbolType="square",
            symbolSize=130,
            offset=8,
            labelExpr=f"{json.dumps(said)}[datum.label]",
        ),
    )
    sizes = sorted({r["n"] for r in rows})
    lines = []
    for n in sizes:
        line = []
        for name in MEASURES:
            first, last = name == next(iter(MEASURES)), n == sizes[-1]
            y = alt.Axis(labels=first, ticks=first, labelFontSize=12, minExtent=34 if first else 0, domain=False)
            x = alt.Axis(labels=last, ticks=last, labelAngle=0, values=[0.1, 0.3, 0.5], domain=False)
            cells = (
                alt.Chart(inline([r for r in rows if r["measure"] == name and r["n"] == n]))
                .mark_rect(stroke="white", strokeWidth=1)
                .encode(
                    x=alt.X("p:O", title="p" if last else None, axis=x),
                    y=alt.Y("epsilon:O", title="epsilon" if first else None, axis=y),
                    color=colour,
                )
                .properties(width=180, height=110)
            )
            heads = [TOLD[name]] if n == sizes[0] else []
            line.append(cells.properties(title=alt.TitleParams(text=[*heads, f"n = {n}"], fontSize=LETTERS, offset=4)))
        lines.append(alt.hconcat(*line, spacing=14, bounds="flush"))
    narrow = [[json.dumps(words), json.dumps(uncoded(words))] for words in said.values()]
    return alt.vconcat(*lines, spacing=12).properties(usermeta={"narrow": narrow})


def _tables(rows: Rows, x: tuple[str, str], y: tuple[str, str], value: str) -> Any:
    """Numbers in shaded cells, a table for each measure: shares in percent, or times, whose shades follow the root.

    Shades end where the ink would have to change, on a dark page too. Rows that say `wide` are left out on a phone.
    """
    from discreet.show.colours import ONE_INK
    from discreet.show.pictures.heatmap import shaded
    from discreet.show.pictures.theme import HEADINGS, LETTERS, altair, inline

    alt = altair()
    tables = []
    for name in MEASURES:
        mine = [r for r in rows if r["measure"] == name]
        high = 28 * len({r[y[0]] for r in mine})
        base = alt.Chart(inline(mine)).encode(
            x=alt.X(f"{x[0]}:O", title=x[1], axis=alt.Axis(labelAngle=0)), y=alt.Y(f"{y[0]}:O", title=y[1])
        )
        times = value == "times"
        top = max(r[value] for r in mine) - times
        scale = shaded(top / ONE_INK**2, root=True) if times else shaded(1 / ONE_INK)
        shade = alt.Color("shade:Q", scale=scale, legend=None)
        said = (
            "format(datum.times, datum.times < 9.95 ? '.1f' : '.0f')"
            if times
            else f"format(100 * datum.{value}, '.0f')"
        )
        base = base.transform_calculate(shade=f"datum.{value} - {int(times)}", said=f"datum.silent ? '' : {said}")
        text = base.mark_text(fontSize=LETTERS).encode(text="said:N")
        layers = alt.layer(base.mark_rect(stroke="white").encode(color=shade), text)
        title = alt.TitleParams(text=TOLD[name], fontSize=HEADINGS)
        tables.append(layers.properties(width=583, height=high, title=title))
    return alt.vconcat(*tables, spacing=26).resolve_scale(color="independent")
