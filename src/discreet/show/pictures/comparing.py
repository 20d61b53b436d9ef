"""Mechanisms against each other: a score over n or over alpha, and what each property costs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from discreet.core.rationals import Exact, read_alpha, shown
from discreet.errors import InvalidInput, did_you_mean
from discreet.show.cells import Rows
from discreet.show.colours import GREY, mechanism_colour
from discreet.show.pictures.curves import curves
from discreet.show.pictures.theme import altair, finished, inline, tips

if TYPE_CHECKING:
    from discreet.choosing.comparison import Comparison
    from discreet.choosing.histograms.histogram_comparison import HistogramComparison

SCORES = ("L0", "L0,1", "L1", "L2", "RMSE", "worst_bias", "mean_truth", "least_truth")
_TITLES = {
    "L0": "chance of a wrong answer (L0: blind guessing = 1)",
    "L0,1": "chance of being off by more than 1, times (n + 1)/n (L0,1)",
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
    y = alt.Y("value:Q", title=titles.get(score, score), scale=alt.Scale(zero=False))
    tip = tips(series="mechanism", **{axis: axis}, value=score)
    chart = curves(rows, x, y, labels, tip=tip, points=len(rows) <= 150).properties(width=420, height=300)
    privacy = comparison.entries[0].privacy
    alpha = f"alpha = {shown(privacy.value)}, epsilon = {float(privacy.epsilon):.4g}"
    held = alpha if axis == "n" else f"n = {sizes[0]}"
    return finished(chart, title or f"{score} over {axis}", [f"{held}; prior {comparison.prior}"])


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
        rows.append({"wish": wish or "none", "cost": float(cost), "exact": cost, "colour": colour})
    least = rows[0]["exact"]
    for row in rows:
        row["over"] = float(row["exact"] / least - 1) if least else 0.0
        row["text"] = f"{row['cost']:.4f}" + (f"  (+{row['over']:.2%})" if row["over"] > 0 else "")
    return rows


def costs(
    *, n: int, alpha: Exact | None = None, epsilon: Exact | None = None, loss: str = "L0", title: str | None = None
) -> Any:
    """Draw what each property costs: bars of the excess over the cheapest mechanism of all."""
    alt = altair()
    privacy = read_alpha(alpha=alpha, epsilon=epsilon)
    rows = [{k: v for k, v in row.items() if k != "exact"} for row in cost_rows(n=n, alpha=privacy.value, loss=loss)]
    names = [row["wish"] if len(row["wish"]) < 12 else "all seven" for row in rows]
    for row, name in zip(rows, names, strict=True):
        row["wish"] = name
    top = max(row["over"] for row in rows) or 1e-9
    x = alt.X(
        "over:Q",
        title=f"{loss} above the optimum without properties",
        axis=alt.Axis(format=".1%" if top < 0.2 else ".0%", grid=False, tickCount=6),
        scale=alt.Scale(domain=[0, top * 1.35], nice=False),
    )
    y = alt.Y("wish:N", title="property asked for", sort=names)
    tip = tips(wish="property asked for", cost=loss, over="above the optimum, as a share")
    base = alt.Chart(inline(rows)).encode(x=x, y=y, tooltip=tip)
    bars = base.mark_bar(height=16).encode(color=alt.Color("colour:N", scale=None))
    text = base.mark_text(align="left", dx=6, fontSize=12.5, color="#222222").encode(text="text:N")
    zero = alt.Chart(inline([{"over": 0}])).mark_rule(color=GREY).encode(x="over:Q")
    chart = alt.layer(bars, zero, text).properties(width=400, height=26 * len(rows))
    where = f"n = {n}, alpha = {shown(privacy.value)}, epsilon = {float(privacy.epsilon):.4g}; optimal designs, {loss}"
    return finished(chart, title or "What each property costs", [where])
