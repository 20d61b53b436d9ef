"""Which mechanism to use, why, and what each property costs (Section "Comparing mechanisms", Figure
5 of the paper).

The flowchart is for L0 and a uniform prior. Where the paper reports an observation (a column
property costs the same with or without the row properties and symmetry), it is checked here,
exactly, for the setting asked.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, overload

from discreet.choosing.exporting import exact_text
from discreet.choosing.flowchart import BOXES, Step, walk
from discreet.choosing.grid import as_asked
from discreet.choosing.wishes import COLUMNS, SOLVED_UP_TO, Cost, best_with_columns, price_wishes
from discreet.core.forms import DENSE_LIMIT, Fair
from discreet.core.forms.column_honest import column_honest_exists
from discreet.core.mechanism import Mechanism
from discreet.core.named import MAX_N, NAMED
from discreet.core.properties import Shape, ShapeLike, read_shape
from discreet.core.rationals import Alpha, Exact, in_decimals, read_alpha, read_count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from discreet.choosing.histograms.histogram_recommendation import HistogramRecommendation


@dataclass(frozen=True, slots=True, kw_only=True)
class Recommendation:
    """The mechanism to use, the steps of the flowchart that led to it, and the price of each
    property.
    """

    privacy: Alpha
    asked: Shape
    box: str
    mechanism: Mechanism
    steps: tuple[Step, ...]
    costs: tuple[Cost, ...]
    note: str
    proof: str
    code: str

    @property
    def n(self) -> int:
        """The group size."""
        return self.mechanism.n

    @property
    def title(self) -> str:
        """The mechanism's name in words."""
        honest_only = self.box == "WH+CM" and not self.mechanism.satisfies("CM")
        return "best mechanism with column honesty, CH" if honest_only else BOXES[self.box]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain JSON values; exact numbers as text such as "10/11"."""
        return {
            "n": self.n,
            "alpha": exact_text(self.privacy.value),
            "epsilon": exact_text(self.privacy.epsilon),
            "asked": list(self.asked),
            "recommended": self.box,
            "title": self.title,
            "has": list(self.mechanism.shape),
            "id": self.mechanism.id,
            "code": self.code,
            "proof": self.proof,
            "steps": [
                {"question": s.question, "answer": s.answer, "because": s.because}
                for s in self.steps
            ],
            "costs": [
                {
                    "wish": cost.wish,
                    "mechanism": cost.mechanism,
                    "L0": None if cost.l0 is None else float(cost.l0),
                    "L0_exact": None if cost.l0 is None else exact_text(cost.l0),
                    "L0_over_GM": cost.l0_over,
                    "right": None if cost.right is None else float(cost.right),
                    "RMSE": cost.rmse,
                    "RMSE_over_GM": cost.rmse_over,
                    "total_of_100": cost.total,
                    "total_over_GM": cost.total_over,
                    "margin_of_100": cost.margin,
                    "margin_over_GM": cost.margin_over,
                    "recommended": cost.recommended,
                }
                for cost in self.costs
            ],
            "note": self.note,
        }

    as_dict = to_dict  # the name it had first

    def __str__(self) -> str:
        from discreet.show.choices import recommendation_text

        return recommendation_text(self)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from discreet.show.choices import recommendation_html

        return recommendation_html(self)


@overload
def recommend(
    *,
    n: int,
    categories: None = ...,
    alpha: Exact | None = ...,
    epsilon: Exact | None = ...,
    properties: ShapeLike = ...,
) -> Recommendation: ...
@overload
def recommend(
    *,
    n: int,
    categories: int | Sequence[str],
    alpha: Exact | None = ...,
    epsilon: Exact | None = ...,
    properties: ShapeLike = ...,
) -> HistogramRecommendation: ...
def recommend(
    *,
    n: int,
    categories: int | Sequence[str] | None = None,
    alpha: Exact | None = None,
    epsilon: Exact | None = None,
    properties: ShapeLike = None,
) -> Recommendation | HistogramRecommendation:
    """Walk the paper's flowchart for a group size, a privacy parameter and the properties you want.

    `n` is the group size, `alpha` or `epsilon` the privacy, `properties` what you want, such as "WH
    CM". With `categories`, the number of answers or their names, say how to release the whole
    histogram: jointly, or cell by cell.

    >>> r = recommend(n=4, alpha="10/11", properties="F")
    >>> r.box, r.mechanism.score("L0")
    ('EM', ...)
    """
    if categories is not None:
        from discreet.choosing.histograms.histogram_recommendation import recommend_histogram

        return recommend_histogram(
            n=n,
            categories=categories,
            privacy=read_alpha(alpha=alpha, epsilon=epsilon),
            properties=properties,
            by_epsilon=epsilon is not None,
        )
    n = read_count("n", n, most=MAX_N)
    privacy = read_alpha(alpha=alpha, epsilon=epsilon)
    asked = read_shape(properties)
    box, steps = walk(n, privacy.value, asked)
    m, proof, designed_for = _build(box, n, privacy, Shape(names=asked.names))
    if box == "WH+CM" and isinstance(m.form, Fair):
        box, steps = "EM", (*steps, _too_large_step(n))
    if asked.output_dp is not None:
        granted = m.satisfies(f"ODP:{asked.output_dp}")
        steps = (*steps, _output_dp_step(box, asked, granted))
        if not granted:
            box, designed_for = "designed", asked
            m = _designed(n, privacy, asked)
            proof = _proof(m, _BY_PROGRAM)
            if isinstance(m.form, Fair) and proof != _BY_PROGRAM:
                box, steps = "EM", (*steps, _too_large_step(n))
    costs, note = price_wishes(n, privacy, box, m, asked)
    return Recommendation(
        privacy=privacy,
        asked=asked,
        box=box,
        mechanism=m,
        steps=steps,
        costs=costs,
        note=note,
        proof=proof,
        code=_code(box, n, privacy, designed_for, by_epsilon=epsilon is not None),
    )


def _build(box: str, n: int, privacy: Alpha, wanted: Shape) -> tuple[Mechanism, str, Shape]:
    """Build the mechanism of a box of the flowchart; return it, why nothing suitable costs less,
    and its properties.
    """
    if box == "UM" or n == 0:
        return NAMED[box].build(n=n, **as_asked(privacy)), "nothing costs less here", wanted
    if box == "WH+CM" and column_honest_exists(n, privacy.value):
        return _designed(n, privacy, wanted), _THEOREMS[box], wanted
    if n > DENSE_LIMIT:
        # nothing is written out for such n, and the linear program is out of reach
        built = NAMED[box if box in NAMED else "EM"]
        near = (
            "within 1/n of optimal, proven: GM, the least L0 of all, costs more than n/(n+1) as "
            "much"
        )
        return (
            built.build(n=n, **as_asked(privacy)),
            _THEOREMS[box] if box in NAMED else near,
            wanted,
        )
    least = _designed(n, privacy, wanted)
    if box != "WH+CM":
        return least, _THEOREMS[box], wanted
    if n > SOLVED_UP_TO or COLUMNS.names <= wanted.names:
        return least, _proof(least, _BY_PROGRAM), wanted
    m = best_with_columns(n, privacy)
    if least.score("L0") < m.score("L0"):
        # the paper observed that this does not happen; if it ever does, what was asked for comes
        # first
        return least, _BY_PROGRAM, wanted
    return _lighter(least, m, wanted)


def _lighter(alone: Mechanism, bundle: Mechanism, wanted: Shape) -> tuple[Mechanism, str, Shape]:
    """Of two with the same L0, return the one whose totals are more exact; what was asked for,
    if neither is.
    """
    if alone == bundle:
        return alone, _BY_PROGRAM, wanted
    from discreet.reading.ahead.total_error import total_error

    mine, theirs = total_error(alone), total_error(bundle)
    if theirs is None or (mine is not None and mine <= theirs):
        worse = "no unbiased total" if theirs is None else "a larger error of a total"
        more = f"; {COLUMNS} has exactly the same L0 (both were solved), and {worse}"
        return alone, f"{_BY_PROGRAM}{'' if mine is None else more}", wanted
    worse = "no unbiased total" if mine is None else "a larger error of a total"
    return (
        bundle,
        f"optimal: {wanted} alone has exactly the same L0 (both were solved), but {worse}",
        COLUMNS,
    )


_BY_PROGRAM = "optimal for what was asked, by linear program"
_THEOREMS = {
    "GM": "optimal: the least L0 of all mechanisms (Theorem 3)",
    "WM": "optimal among weakly honest mechanisms (closed form, proven)",
    "EM": "optimal among fair mechanisms (Theorem 4)",
    "WH+CM": "optimal among column-honest mechanisms (closed form, proven)",
}


def _proof(m: Mechanism, if_optimal: str) -> str:
    """Large groups get a mechanism proven to be near the optimum, which says how near."""
    return if_optimal if m.origin.optimal else m.origin.method


def _designed(n: int, privacy: Alpha, wanted: Shape) -> Mechanism:
    from discreet.designer import design

    return design(n=n, **as_asked(privacy), properties=wanted)


def _too_large_step(n: int) -> Step:
    return Step(
        question="Is the group small enough for the linear program?",
        answer="no",
        because=f"n = {n}; EM has all seven properties, and costs less than 1 + 1/n times the "
        "best.",
    )


def _output_dp_step(box: str, asked: Shape, granted: bool) -> Step:
    ratio = asked.output_dp
    return Step(
        question=f"Does {box} have output DP with ratio {ratio}?",
        answer="yes" if granted else "no",
        because="checked exactly."
        if granted
        else "checked exactly; the flowchart does not know output DP, so the best is designed by "
        "linear program.",
    )


def _as_typed(epsilon: Fraction) -> str:
    """Write an epsilon exactly: as a decimal where it is a short one."""
    return in_decimals(epsilon) if 10**6 % epsilon.denominator == 0 else exact_text(epsilon)


def _code(box: str, n: int, privacy: Alpha, designed_for: Shape, *, by_epsilon: bool) -> str:
    """Return the line that makes the mechanism again."""
    value = _as_typed(privacy.epsilon) if by_epsilon else exact_text(privacy.value)
    setting = f'n={n}, {"epsilon" if by_epsilon else "alpha"}="{value}"'
    if box in NAMED:
        return f"dc.{NAMED[box].function.__name__}({f'n={n}' if box == 'UM' else setting})"
    return f'dc.design({setting}, properties="{designed_for}")'
