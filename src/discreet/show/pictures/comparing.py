"""Mechanisms against each other: a score over n or over alpha, and what each property costs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from discreet.core.properties import PROPERTIES
from discreet.core.rationals import Exact, read_alpha
from discreet.errors import InvalidInput, did_you_mean
from discreet.show.captions import prior_words, privacy_words, spoken_name
from discreet.show.cells import Rows
from discreet.show.colours import GREY, mechanism_colour
from discreet.show.pictures.curves import curves
from discreet.show.pictures.line_ends import line_ends
from discreet.show.pictures.theme import LETTERS, altair, finished, inline, tips

if TYPE_CHECKING:
    from discreet.choosing.comparison import Comparison
    from discreet.choosing.histograms.histogram_comparison import HistogramComparison

_HEIGHT = 300
SCORES = ("L0", "L0,1", "L1", "L2", "RMSE", "worst_bias", "mean_truth", "least_truth")
_TITLES = {
    "L0": "chance of a wrong answer (L0: blind guessing = 1)",
    "L0,1": "chance of being off by more than 1 (L0,1: times (n + 1)/n)",
    "L1": "mean distance from the truth (L1)",
    "L2": "mean squared distance from the truth (L2)",
    "RMSE": "typical error (RMSE)",
    "worst_bias": "worst bias",
    "mean_truth": "mean chance of the truth",
    "least_truth": "least chance of the truth",
}
_OVER_HISTOGRAMS = {
    "L0": "L0: chance of a wrong histogram",
    "L1": "L1: people misplaced",
    "L2": "L2: square of people misplaced",
}
_COSTS = {"L0": "the chance of a wrong answer (L0)"}
PROPERTY_SETS = ("", "S", "RH", "RM", "WH", "CH", "CM", "F", "RH RM CH CM WH F S")


def score_rows(comparison: Comparison | HistogramComparison, score: str = "L0") -> Rows:
    """One row per entry of a comparison: series, n, alpha, epsilon, value."""
    records = comparison.to_dicts()
    known = [name for name in SCORES if name in records[0]]
    if score not in known:
        raise InvalidInput("score", "must be a score of the comparison", score, remedy=did_you_mean(score, known))
    return [
        {
            "series": record["mechanism"],
            "n": record["n"],
            "alpha": record["alpha"],
            "epsilon": record["epsilon"],
            "value": float(record[score]),
        }
        for record in records
    ]


def scores(
    comparison: Comparison | HistogramComparison,
    *,
    score: str = "L0",
    over: str | None = None,
    title: str | None = None,
) -> Any:
    """Draw a score over n, or over alpha or epsilon: whichever the comparison varies."""
    alt = altair()
    rows = score_rows(comparison, score)
    sizes, alphas = sorted({r["n"] for r in rows}), sorted({r["alpha"] for r in rows})
    # what was asked for is the shorter number: 1/2 for 20841/34361, or 1/2 for 0.69314718056
    first = comparison.entries[0].privacy
    asked = "epsilon" if first.epsilon.denominator < first.value.denominator else "alpha"
    axis = over or ("n" if len(sizes) > 1 else asked)
    if axis not in ("n", "alpha", "epsilon"):
        raise InvalidInput("over", "must be n, alpha or epsilon", axis)
    fixed = len(alphas) if axis == "n" else len(sizes)
    if fixed > 1:
        other = "alpha" if axis == "n" else "n"
        raise InvalidInput(
            "over", f"needs one {other} in the comparison", f"{fixed} of them", remedy=f"give one `{other}`"
        )
    labels = list(dict.fromkeys(r["series"] for r in rows))
    spread = [r[axis] for r in rows]
    whole = alt.Axis(format="d", tickMinStep=1) if axis == "n" else alt.Axis()  # there is no group of 2.5 people
    scale = alt.Scale(domain=[min(spread), max(spread)], nice=False)
    x = alt.X(f"{axis}:Q", title=_axis_title(axis), scale=scale, axis=whole)
    titles = _OVER_HISTOGRAMS if hasattr(comparison, "answers") else _TITLES
    named = titles.get(score, score)
    short, opened, rest = named.partition(" (")
    said = [short, *([opened[1:] + rest] if rest else [])]
    y = alt.Y("value:Q", title=said, scale=alt.Scale(zero=True))
    tip = tips(series="mechanism", **{axis: axis}, value=score)
    points = len(rows) <= 150
    several = len(labels) > 1
    ends = line_ends(rows, axis, "value", labels, _HEIGHT, from_0=True, points=points) if several else None
    chart = curves(rows, x, y, labels, tip=tip, points=points, ends=ends)
    chart = chart.properties(width=460, height=_HEIGHT)
    held = privacy_words(first.value, first.epsilon) if axis == "n" else f"groups of {sizes[0]}"
    what = named.rpartition(": ")[2] if hasattr(comparison, "answers") else named.partition(" (")[0]
    default = f"{what[:1].upper()}{what[1:]}, by {'group size' if axis == 'n' else axis}"
    return finished(chart, title or default, f"{held}; {prior_words(comparison.prior)}")


def _axis_title(axis: str) -> str:
    return {
        "n": "group size n",
        "alpha": "alpha (towards 1: more private)",
        "epsilon": "epsilon (towards 0: more private)",
    }[axis]


def cost_rows(*, n: int, alpha: Exact | None = None, epsilon: Exact | None = None, loss: str = "L0") -> Rows:
    """The optimal cost of each property (alone, with what it implies) over having none."""
    from discreet.core.named import recognised
    from discreet.designer import design

    privacy = read_alpha(alpha=alpha, epsilon=epsilon)
    rows: Rows = []
    for wish in PROPERTY_SETS:
        m = design(n=n, alpha=privacy.value, properties=wish or None, loss=loss)
        cost = m.score(loss)
        named = recognised(m)
        colour = mechanism_colour(named.short if named else "")
        found = named.short if named else "a design"
        rows.append({"wish": wish or "none", "cost": float(cost), "exact": cost, "colour": colour, "found": found})
    least = rows[0]["exact"]
    for row in rows:
        row["over"] = float(row["exact"] / least - 1) if least else 0.0
        row["text"] = f"+{row['over']:.2%}, {spoken_name(row['found'])}" if row["over"] > 0 else "costs nothing"
    rows[0]["text"] = f"{loss} is {rows[0]['cost']:.4g}: {spoken_name(rows[0]['found'])}"
    return rows


def costs(
    *, n: int, alpha: Exact | None = None, epsilon: Exact | None = None, loss: str = "L0", title: str | None = None
) -> Any:
    """Draw what each property costs: bars of the excess over the cheapest mechanism of all."""
    alt = altair()
    privacy = read_alpha(alpha=alpha, epsilon=epsilon)
    rows = [{k: v for k, v in row.items() if k != "exact"} for row in cost_rows(n=n, alpha=privacy.value, loss=loss)]
    free = [row for row in rows[1:] if not row["over"]]
    if len(free) > 1:  # one row for all of them
        together = {**free[0], "wish": f"{len(free)} free ones", "text": "cost nothing"}
        rows = [rows[0], together, *(row for row in rows[1:] if row["over"])]
    names = [_asked(row["wish"]) for row in rows]
    for row, name in zip(rows, names, strict=True):
        row["label"] = name
    top = max(row["over"] for row in rows) or 1e-9
    x = alt.X(
        "over:Q",
        title=f"rise in {_COSTS.get(loss, loss)}",
        axis=alt.Axis(labels=False, ticks=False, domain=False, grid=False),  # each bar has its number
        scale=alt.Scale(domain=[0, top * 1.25], nice=False),
    )
    y = alt.Y("label:N", title=None, sort=names, axis=alt.Axis(labelLimit=220))
    tip = tips(label="asked for", cost=loss, over="above the optimum, as a share")
    base = alt.Chart(inline(rows)).encode(x=x, y=y, tooltip=tip)
    bars = base.mark_bar(height=16).encode(color=alt.Color("colour:N", scale=None))
    text = base.mark_text(align="left", dx=6, fontSize=LETTERS, color="#222222").encode(text="text:N")
    zero = alt.Chart(inline([{"over": 0}])).mark_rule(color=GREY).encode(x="over:Q")
    chart = alt.layer(bars, zero, text).properties(width=360, height=28 * len(rows))
    where = f"groups of {n}, {privacy_words(privacy.value, privacy.epsilon)}"
    without = f"Free: {', '.join(_asked(row['wish']) for row in free)}." if len(free) > 1 else ""
    return finished(chart, title or "What each property costs", where, note=without)


def _asked(wish: str) -> str:
    """A set of properties in words."""
    if wish in PROPERTIES:
        return PROPERTIES[wish].full_name
    return {"none": "nothing", PROPERTY_SETS[-1]: "all seven"}.get(wish, wish)
