"""Mechanisms against each other: a score over n or over alpha, and what each property costs."""

from __future__ import annotations

from statistics import NormalDist
from typing import TYPE_CHECKING, Any

from discreet.core.properties import PROPERTIES
from discreet.core.rationals import Exact, read_alpha
from discreet.errors import InvalidInput, did_you_mean
from discreet.reading.ahead.total_error import GROUPS, total_error
from discreet.show.captions import prior_words, privacy_words, spoken_name
from discreet.show.cells import Rows
from discreet.show.colours import mechanism_colour
from discreet.show.pictures.curves import curves
from discreet.show.pictures.line_ends import line_ends
from discreet.show.pictures.theme import LETTERS, altair, finished, inline, page_wide, tips

if TYPE_CHECKING:
    from discreet.choosing.comparison import Comparison
    from discreet.choosing.histograms.histogram_comparison import HistogramComparison

_HEIGHT = 300
SCORES = ("L0", "L0,1", "L1", "L2", "RMSE", "worst_bias", "mean_truth", "least_truth")
_TITLES = {
    "L0": "wrong answers (L0: guessing = 1)",
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
_COSTS = {"L0": "wrong answers"}
_TOTAL, _HALF, _LINE = "the error of a total", 236, 25
_NOTHING, _SURE = 1e-9, NormalDist().inv_cdf(0.975)
"""The share of a standard error below which two are the same, and standard errors to the ends of 95%."""
_BESIDE = 36
"""Letters that can stand in one line beside a panel."""
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
    said = [short, opened[1:] + rest] if len(named) > _BESIDE else named
    y = alt.Y("value:Q", title=said, scale=alt.Scale(zero=True), axis=alt.Axis(tickCount=5))
    tip = tips(series="mechanism", **{axis: axis}, value=score)
    points = len(rows) <= 150
    several = len(labels) > 1
    ends = line_ends(rows, axis, "value", labels, _HEIGHT, from_0=True, points=points) if several else None
    chart = curves(rows, x, y, labels, tip=tip, points=points, ends=ends)
    chart = page_wide(chart, _HEIGHT)
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
    """The optimal cost of each property (alone, with what it implies) over having none, and what it does to totals."""
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
        own = {"cost": float(cost), "exact": cost, "total": total_error(m)}
        rows.append({"wish": wish or "none", "colour": colour, "found": found, **own})
    least = rows[0]["exact"]
    for row in rows:
        row["over"] = float(row["exact"] / least - 1) if least else 0.0
        row["text"] = f"+{row['over']:.2%}, {spoken_name(row['found'])}" if row["over"] > 0 else "costs nothing"
    wrong = float(least * n / (n + 1))  # L0 is the chance in units of a guess's, which is n/(n+1)
    rows[0]["text"] = f"wrong in {wrong:.0%} of cases" if loss == "L0" else f"{loss} is {rows[0]['cost']:.4g}"
    first = rows[0]["total"]
    for row in rows:
        error = row["total"]
        rise = error / first - 1 if first and error else 0.0
        row["total_over"] = rise if abs(rise) > _NOTHING else 0.0
        alike = "costs nothing" if first else _within(error or 0.0)
        said = f"{100 * rise:+.3g}%" if row["total_over"] else alike
        row["total_text"] = said if error else "no unbiased total"
    rows[0]["total_text"] = _within(first) if first else "no unbiased total"
    return rows


def _within(error: float) -> str:
    """The half of a 95% interval of a total, in words."""
    return f"a total of {GROUPS} groups: ±{_SURE * error:.2g}"


def costs(
    *, n: int, alpha: Exact | None = None, epsilon: Exact | None = None, loss: str = "L0", title: str | None = None
) -> Any:
    """Draw what each property costs: bars of the excess over the cheapest mechanism of all, and that of a total."""
    alt = altair()
    privacy = read_alpha(alpha=alpha, epsilon=epsilon)
    rows = [{k: v for k, v in row.items() if k != "exact"} for row in cost_rows(n=n, alpha=privacy.value, loss=loss)]
    rows = _together(rows)
    names = [row["label"] for row in rows]
    most = max(name.count("\n") + 1 for name in names)
    ends = [row[field] for row in rows for field in ("over", "total_over")]
    low, high = min(0.0, *ends), max(ends) or 0.01
    room = (high - low) * 1.35  # for what stands behind the longest bar
    panels = []
    for field, words, said in (("over", "text", _COSTS.get(loss, loss)), ("total_over", "total_text", _TOTAL)):
        x = alt.X(
            f"{field}:Q",
            title=f"rise in {said}",
            axis=alt.Axis(format="~%", tickCount=3, grid=False),
            scale=alt.Scale(domain=[low, low + room], nice=False),  # one for both: bars can be compared
        )
        lines = {"labelLimit": 220, "labelExpr": "split(datum.label, '\\n')"}
        named = alt.Axis(**lines) if field == "over" else alt.Axis(labels=False, ticks=False, domain=False)
        y = alt.Y("label:N", title=None, sort=names, axis=named)
        tip = tips(
            label="asked for", cost=loss, over="above the optimum, as a share", total="standard error of a total"
        )
        base = alt.Chart(inline(rows)).encode(x=x, y=y, tooltip=tip)
        bars = base.mark_bar(height=16).encode(color=alt.Color("colour:N", scale=None))
        text = base.mark_text(align="left", dx=6, fontSize=LETTERS, color="#222222").encode(text=f"{words}:N")
        zero = alt.Chart(inline([{field: 0}])).mark_rule(color="#666666", strokeWidth=1).encode(x=f"{field}:Q")
        panels.append(
            alt.layer(bars, zero, text).properties(
                width=_HALF - 14 * (most > 1),  # names in several lines are longer
                height=(_LINE + 13 * (most - 1)) * len(rows),
            )
        )
    chart = alt.hconcat(*panels, spacing=20).resolve_scale(color="independent")
    where = f"the best mechanism with each; groups of {n}, {privacy_words(privacy.value, privacy.epsilon)}"
    return finished(chart, title or "What each property costs", where)


def _together(rows: Rows) -> Rows:
    """The rows with the names of what was asked: wishes that cost the same share one, in their order."""
    found: dict[tuple[Any, ...], list[Any]] = {}
    for row in rows:
        found.setdefault((row["wish"] == "none", row["text"], row["total_text"]), []).append(row)
    return [{**alike[0], "label": _either([_asked(row["wish"]) for row in alike])} for alike in found.values()]


_NAME = 18
"""Letters of a line of a name beside a panel."""


def _either(names: list[str]) -> str:
    """Names in lines that stand beside a panel; honesty and monotonicity of rows, or of columns, are its properties.

    >>> _either(["symmetry", "row honesty", "row monotonicity", "weak honesty"])
    'symmetry, rows\\nor weak honesty'
    """
    from textwrap import wrap

    said = list(names)
    for kind in ("row", "column"):
        if {f"{kind} honesty", f"{kind} monotonicity"} <= set(said):
            said[said.index(f"{kind} honesty")] = f"{kind} properties"
            said.remove(f"{kind} monotonicity")
    if len(said) > 1:  # "rows" for the properties of rows
        said = [name.replace(" properties", "s") for name in said]
    *others, last = said
    words = f"{', '.join(others)} or {last}" if others else last
    lines = wrap(words, _NAME)
    even = next(wide for wide in range(1, _NAME + 1) if len(wrap(words, wide, break_long_words=False)) == len(lines))
    return "\n".join(wrap(words, even, break_long_words=False))


def _asked(wish: str) -> str:
    """A set of properties in words."""
    if wish in PROPERTIES:
        return PROPERTIES[wish].full_name
    return {"none": "nothing asked", PROPERTY_SETS[-1]: "all seven"}.get(wish, wish)
