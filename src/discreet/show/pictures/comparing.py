"""Mechanisms against each other: a score over n or over alpha, and what each property costs."""

from __future__ import annotations

from math import floor, log10
from typing import TYPE_CHECKING, Any

from discreet.core.properties import PROPERTIES
from discreet.core.rationals import Exact, read_alpha
from discreet.errors import InvalidInput, did_you_mean
from discreet.reading.ahead.planned_widths import counted, planned_width
from discreet.reading.ahead.total_error import GROUPS
from discreet.show.captions import prior_words, privacy_words, way_words
from discreet.show.cells import Rows
from discreet.show.colours import legible, mechanism_colour
from discreet.show.pictures.curves import curves, gap
from discreet.show.pictures.dotted.dots_on_rows import (
    INWARD,
    OUTWARD,
    RIGHT,
    ROW_AXIS,
    dots_on_rows,
)
from discreet.show.pictures.headlines import BEST_WAYS, of_scores
from discreet.show.pictures.line_ends import SEEN, line_ends, merged, more_names
from discreet.show.pictures.theme import altair, finished, inline, page_wide, tips

if TYPE_CHECKING:
    from discreet.choosing.comparison import Comparison
    from discreet.choosing.histograms.histogram_comparison import HistogramComparison
    from discreet.core.mechanism import Mechanism

_HEIGHT = 300
_EACH = 6
"""Up to so many steps from the least group size to the largest, each has its tick."""
SCORES = ("L0", "L0,1", "L1", "L2", "RMSE", "worst_bias", "mean_truth", "least_truth")
_TITLES = {
    "L0": "wrong answers, a guess = 1 (L0)",
    "L0,1": "chance of being off by more than 1 (L0,1: times (n + 1)/n)",
    "L1": "distance from the truth (L1)",
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
_COSTS = {
    "L0": "wrong answers",
    "L0,1": "off by more than 1 (L0,1)",
    "L1": "mean distance from the truth (L1)",
    "L2": "mean squared distance (L2)",
}
_WIDE, _LINE, _ROW = 452, 50, 15
"""Pixels of the panel of costs, from one row to the next, and from one line of a label to the
next.
"""
_APART = 0.6
"""How far a dot must be from the other for words of its own, as a share of the scale."""
_ADDED = "more than with nothing asked"
_MARGIN = (
    f"The margin is half of the 95% interval of a total of {GROUPS} groups, all true counts "
    "equally likely."
)
PROPERTY_SETS = ("", "S", "RH", "RM", "WH", "CH", "CM", "F", "RH RM CH CM WH F S")


def score_rows(comparison: Comparison | HistogramComparison, score: str = "L0") -> Rows:
    """One row per entry of a comparison: series, n, alpha, epsilon, value."""
    records = comparison.to_dicts()
    known = [name for name in SCORES if name in records[0]]
    if score not in known:
        raise InvalidInput(
            "score", "must be a score of the comparison", score, remedy=did_you_mean(score, known)
        )
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
        other = asked if axis == "n" else "n"
        raise InvalidInput(
            "over",
            f"needs one {other} in the comparison",
            f"{fixed} of them",
            remedy=f"give one `{other}`",
        )
    labels = list(dict.fromkeys(r["series"] for r in rows))
    spread = [r[axis] for r in rows]
    whole = (
        alt.Axis(format="d", tickMinStep=1) if axis == "n" else alt.Axis()
    )  # there is no group of 2.5 people
    if axis == "n" and max(spread) - min(spread) <= _EACH:
        whole = alt.Axis(format="d", values=list(range(min(spread), max(spread) + 1)))
    scale = alt.Scale(domain=[min(spread), max(spread)], nice=False)
    x = alt.X(f"{axis}:Q", title=_axis_title(axis), scale=scale, axis=whole)
    titles = _OVER_HISTOGRAMS if hasattr(comparison, "answers") else _TITLES
    named = titles.get(score, score)
    y = alt.Y("value:Q", title=named, scale=alt.Scale(zero=True), axis=alt.Axis(tickCount=5))
    tip = tips(series="mechanism", **{axis: axis}, value=score)
    points = len(rows) <= 150
    several = len(labels) > 1
    joint, _ = merged(rows, axis, ["value"], labels, SEEN)
    drawn = [row for row in rows if row["series"] in joint]
    lines = list(joint)
    ends = None
    if several:
        ends = line_ends(
            drawn, axis, "value", lines, _HEIGHT, from_0=True, points=points, joint=joint, digits=3
        )
    chart = curves(drawn, x, y, lines, tip=tip, points=points, ends=ends, joint=joint)
    between = gap(drawn, x, y, lines, height=_HEIGHT)
    chart = page_wide(alt.layer(*between, chart) if between else chart, _HEIGHT)
    held = privacy_words(first.value, first.epsilon) if axis == "n" else f"groups of {sizes[0]}"
    what = named.rpartition(": ")[2] if hasattr(comparison, "answers") else named.partition(" (")[0]
    default = f"{what[:1].upper()}{what[1:]}, by {'group size' if axis == 'n' else axis}"
    if hasattr(comparison, "answers"):
        found = of_scores(
            rows, score, axis, default, does=BEST_WAYS.get(score, ""), named=way_words
        )
    else:
        found = of_scores(rows, score, axis, default)
    lines = [f"{held}; {prior_words(comparison.prior)}", more_names(ends or (), joint)]
    return finished(chart, title or found, "\n".join(filter(None, lines)))


def _axis_title(axis: str) -> str:
    return {
        "n": "group size n",
        "alpha": "alpha (larger: more private)",
        "epsilon": "epsilon (larger: less private)",
    }[axis]


def cost_rows(
    *, n: int, alpha: Exact | None = None, epsilon: Exact | None = None, loss: str = "L0"
) -> Rows:
    """What is left wrong with each property (alone, with what it implies) at the least, and how
    exact a total is.
    """
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
        # L0 is the chance in units of a guess's, which is n/(n+1)
        value = float(cost * n / (n + 1)) if loss == "L0" else float(cost)
        own = {"cost": float(cost), "exact": cost, "value": value, **_of_total(m)}
        rows.append({"wish": wish or "none", "colour": colour, "found": found, **own})
    least, margin = rows[0]["exact"], rows[0]["margin"]
    digits, places = (_places(max(row[field] for row in rows)) for field in ("value", "margin"))
    for row in rows:
        row["over"] = float(row["exact"] / least - 1) if least else None if row["exact"] else 0.0
        row["margin_over"] = row["margin"] / margin - 1 if margin and row["margin"] else None
        row["text"] = f"{row['value']:.1%}" if loss == "L0" else f"{row['value']:.{digits}f}"
        row["total_text"] = row["total_text"] or f"±{row['margin']:.{places}f}"
        del row["exact"]
    return rows


def _places(largest: float) -> int:
    """How many decimals numbers below each other have: all as many as the largest has with three
    digits.

    >>> [_places(largest) for largest in (136.2, 57.31, 2.04, 0.0)]
    [0, 1, 2, 0]
    """
    return max(0, 2 - floor(log10(largest))) if largest else 0


def _of_total(m: Mechanism) -> dict[str, Any]:
    """Half of the 95% interval that reading gives a total of 100 groups, as a plan says it, or
    why there is none.
    """
    from discreet.reading.methods.debiasing import NotEstimable

    try:
        wide = planned_width(lambda _: counted(m), {m.n: GROUPS}, 1, working="uniform")
    except NotEstimable:
        return {"margin": 0.0, "total_text": "no unbiased total"}
    return {
        "margin": (wide or 0.0) / 2,
        "total_text": "" if wide else f"anything from 0 to {m.n * GROUPS}",
    }


def costs(
    *,
    n: int,
    alpha: Exact | None = None,
    epsilon: Exact | None = None,
    loss: str = "L0",
    title: str | None = None,
) -> Any:
    """Draw what each property costs: how much more wrong answers, and how much wider the margin of
    a total.

    Each row has a ring for answers and a dot for totals, on one scale from what is so with nothing
    asked. A margin that is not there is said in words.
    """
    alt = altair()
    privacy = read_alpha(alpha=alpha, epsilon=epsilon)
    found = cost_rows(n=n, alpha=privacy.value, loss=loss)
    rows = _together(found)
    names = [row["label"] for row in rows]
    most = max(name.count("\n") + 1 for name in names)
    beside = alt.Axis(
        labelLimit=220,
        labelExpr="split(datum.label, '\\n')",
        labelLineHeight=_ROW,
        labelOffset=_centred(most),
        labelPadding=16,
        **ROW_AXIS,
    )
    more = [row[field] or 0.0 for row in rows for field in ("over", "margin_over")]
    ends = [min(0.0, *more), max(0.0, *more) or 1.0]
    along = alt.Axis(
        tickCount=4,
        ticks=False,
        domain=False,
        labelExpr="datum.value ? (datum.value > 0 ? '+' : '') + format(datum.value, '.0%') : '0'",
    )
    x = alt.X("place:Q", title=_ADDED, axis=along, scale=alt.Scale(domain=ends, nice=False))
    y = alt.Y("label:N", title=None, sort=names, axis=beside)
    tip = tips(
        label="asked for",
        cost=loss,
        over="more than nothing asked, as a share",
        margin="± of a total",
    )
    zero = alt.Chart(inline([{"place": 0}])).mark_rule(color="#666666").encode(x=x)
    dots = [dot for row in rows for dot in _cost_dots(row, ends[1] - ends[0], loss)]
    chart = alt.layer(zero, *dots_on_rows(dots, names, x, y, tip)).properties(
        width=_WIDE,
        height=max(_LINE, _ROW * most + 3) * len(rows),
        usermeta={"narrow": [], "names": "above"},
    )
    held = f"groups of {n}, {privacy_words(privacy.value, privacy.epsilon)}"
    line = f"{held}; ring: {_COSTS.get(loss, loss)}; dot: margin of a total"
    return finished(chart, title or _finding(found, loss), line, note=_MARGIN)


def _cost_dots(row: Any, longest: float, loss: str) -> Rows:
    """The ring and the dot of a row; their words stand in one place, right of both, unless they
    are far apart.
    """
    both = {
        **row,
        "ink": row["colour"],
        "said_in": legible(row["colour"]),
        "side": RIGHT,
        "words": "",
    }
    answers, total = (
        {**both, "place": row["over"] or 0.0, "hollow": True},
        {**both, "place": row["margin_over"]},
    )
    value, _, added = str(row["text"]).partition(" ")
    wrong = f"{value}{' wrong' if loss == 'L0' else ''} {added}".strip()
    of_total = f"total {row['total_text']}" if row["margin"] else str(row["total_text"])
    if row["margin_over"] is None:
        return [{**answers, "words": f"{wrong}; {of_total}"}]
    first, last = sorted((answers, total), key=lambda dot: float(dot["place"]))
    if last["place"] - first["place"] < _APART * longest:
        last["words"] = f"{wrong}, {of_total}"
        last["side"] = RIGHT if last["place"] < longest / 3 else OUTWARD
    else:
        said = (wrong, of_total) if first is answers else (of_total, wrong)
        first |= {"words": said[0], "side": INWARD, "bold": True}
        last |= {"words": said[1], "side": OUTWARD, "bold": True}
    return [total, answers]  # a ring lies on a dot in the same place


def _finding(rows: Rows, loss: str) -> str:
    """What all seven properties cost, in a title."""
    without, every = rows[0], rows[-1]
    if every["text"] == without["text"]:
        return "All seven properties cost nothing here"
    if loss == "L0":
        return (
            f"With all seven properties {every['text']} of answers are wrong, not {without['text']}"
        )
    what = {"L1": "mean distance", "L2": "mean squared distance"}.get(loss, loss)
    return f"With all seven properties: {what} {every['text']}, not {without['text']}"


def _together(rows: Rows) -> Rows:
    """The rows with the names of what was asked: wishes that cost the same share one, in their
    order.
    """
    found: dict[tuple[Any, ...], list[Any]] = {}
    for row in rows:
        found.setdefault(
            (row["wish"] == "none", row["found"], row["text"], row["total_text"]), []
        ).append(row)
    return [
        {
            **alike[0],
            "label": _either([_asked(row["wish"]) for row in alike]),
            "text": _dearer(rows, alike[0], "text", "over"),
            "total_text": _dearer(rows, alike[0], "total_text", "margin_over"),
        }
        for alike in found.values()
    ]


def _dearer(rows: Rows, row: Any, words: str, field: str) -> str:
    """A number, and by how much it is more than with nothing asked, where it is; all to as many
    decimals.
    """
    if not row[field] or row[words] == rows[0][words]:
        return str(row[words])
    places = 0 if max(abs(each[field] or 0.0) for each in rows) >= 0.1 else 1
    return f"{row[words]} ({'+' if row[field] > 0 else '−'}{abs(row[field]):.{places}%})"


def _centred(most: int) -> dict[str, Any]:
    """Half of a label's further lines, upwards: its lines then stand around the middle of its
    bar.
    """
    several = [
        {"test": f"length(split(datum.label, '\\n')) == {lines}", "value": -_ROW * (lines - 1) / 2}
        for lines in range(2, most + 1)
    ]
    return {"condition": several, "value": 0}


_NAME = 24
"""Letters of a line of a name beside a panel."""


def _either(names: list[str]) -> str:
    """Names in lines that stand beside a panel; honesty and monotonicity of rows, or of columns,
    are its properties.

    >>> _either(["symmetry", "row honesty", "row monotonicity", "weak honesty"])
    'symmetry, row properties\\nor weak honesty'
    """
    from textwrap import wrap

    said = list(names)
    for kind in ("row", "column"):
        if {f"{kind} honesty", f"{kind} monotonicity"} <= set(said):
            said[said.index(f"{kind} honesty")] = f"{kind} properties"
            said.remove(f"{kind} monotonicity")
    *others, last = said
    words = f"{', '.join(others)} or {last}" if others else last
    lines = wrap(words, _NAME)
    even = next(
        wide
        for wide in range(1, _NAME + 1)
        if len(wrap(words, wide, break_long_words=False)) == len(lines)
    )
    return "\n".join(wrap(words, even, break_long_words=False))


def _asked(wish: str) -> str:
    """A set of properties in words."""
    if wish in PROPERTIES:
        return PROPERTIES[wish].full_name
    return {"none": "nothing asked", PROPERTY_SETS[-1]: "all seven"}.get(wish, wish)
