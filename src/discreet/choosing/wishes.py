"""What each wish costs over GM, the cheapest mechanism of all (Theorem 3): weak honesty, columns,
fairness.

For L0 and a uniform prior, as in the paper. L0 can only grow with each wish; the root mean squared
error often falls, because GM piles its answers on 0 and n.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

from discreet.choosing.grid import as_asked
from discreet.choosing.measures import measure
from discreet.core.forms.column_honest import column_honest_exists
from discreet.core.mechanism import Mechanism
from discreet.core.named import NAMED, PAPER
from discreet.core.properties import Shape, read_shape
from discreet.core.rationals import Alpha

COLUMNS = read_shape("RM CM S")
"""What the flowchart's WH+CM box is designed for: weak honesty follows, row properties and
symmetry cost no L0.
"""

SOLVED_UP_TO = 60
"""Up to this n linear programs are solved beyond the one that was asked for: a second or so
each.
"""

TABLE_UP_TO = 200
"""Beyond this n the exact sums behind the table take seconds, and the wishes cost less than half
a percent.
"""

ALONE = "alone"
"""Stands for the properties asked for and no others, where the paper's WH+CM is another
mechanism.
"""

_WISHES = {"GM": "no properties", "WM": "WH", "WH+CM": "CH or CM", "EM": "F", "UM": "blind guess"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """The price of one wish: the mechanism that grants it, its L0 and RMSE, and how much more both
    are than GM's.

    `l0_over` is L0 / L0 of GM - 1, and by so much more is a number wrong; `right` is how often it
    is right. `total` is the standard error of the unbiased total of 100 groups of this size,
    `margin` what it is off by at most in 95% of draws, as a plan says it. A number that was not
    worked out, or a total that has no unbiased estimate, is None.
    """

    wish: str
    mechanism: str
    l0: Fraction | None = None
    rmse: float | None = None
    l0_over: float | None = None
    rmse_over: float | None = None
    recommended: bool = False
    total: float | None = None
    total_over: float | None = None
    right: Fraction | None = None
    margin: float | None = None
    margin_over: float | None = None


def best_with_columns(n: int, privacy: Alpha) -> Mechanism:
    """Return the L0 optimum with column monotonicity, row monotonicity and symmetry: the box
    WH+CM.
    """
    return _best(n, privacy, COLUMNS)


def price_wishes(
    n: int, privacy: Alpha, box: str, chosen: Mechanism, wanted: Shape
) -> tuple[tuple[Cost, ...], str]:
    """Return a row per wish, and a note on what the table shows, or why there is no table."""
    a = privacy.value
    if n == 0 or a == 1:
        return (), "Every mechanism scores the same L0 here, so no property costs anything."
    asked = as_asked(privacy)
    floor = 2 * a / (1 + a)
    if n > TABLE_UP_TO:
        note = (
            f"GM, WM, WH+CM and EM all have an L0 between GM's 2a/(1+a) = {float(floor):.6g} and "
            f"1 + 1/n times that (proven); beyond n = {TABLE_UP_TO} the table is not worked out."
        )
        return (), note
    found = {name: NAMED[name].build(n=n, **asked) for name in PAPER}
    wishes, note = (
        dict(_WISHES),
        "With all true counts equally likely, no mechanism is right more often than GM.",
    )
    if found["GM"].satisfies("CM"):
        found["WH+CM"] = found["GM"]
    elif column_honest_exists(n, a):
        found["WH+CM"] = best_with_columns(n, privacy)
    elif n <= SOLVED_UP_TO:
        found["WH+CM"] = best_with_columns(n, privacy)
        own = Shape(names=wanted.names) if box == "WH+CM" else read_shape("CM")
        alone = _best(n, privacy, own)
        if alone == found["WH+CM"] and own.names != {
            "CM"
        }:  # what CM alone comes to stands beside it
            own = read_shape("CM")
            alone = _best(n, privacy, own)
        if (
            alone != found["WH+CM"]
        ):  # the L0 optimum is not unique: each has an RMSE and totals of its own
            found[ALONE] = alone
            wishes = {
                name: wishes.get(name, "") for name in ("GM", "WM", ALONE, "WH+CM", "EM", "UM")
            }
            wishes |= {ALONE: str(own), "WH+CM": str(COLUMNS)}
    elif box == "WH+CM":
        found["WH+CM"] = chosen
    else:
        note += (
            " The L0 of a column property lies between those of WH and F; it is not "
            f"solved for n > {SOLVED_UP_TO}."
        )
    if box == "designed":
        found[box], wishes[box] = chosen, "as asked"
    measured = {name: measure(m) for name, m in found.items()}
    base, totals = measured["GM"], _totals(found)
    rows = []
    taken = ALONE if ALONE in found and box == "WH+CM" and chosen == found[ALONE] else box
    for name, wish in wishes.items():
        if name not in measured:
            rows.append(Cost(wish=wish, mechanism=name))
            continue
        row, m = measured[name], found[name]
        # where two wishes are granted by one mechanism, its simplest name is shown
        shown = next(first for first, other in found.items() if other == m)
        (total, margin), (least, narrowest) = totals[name], totals["GM"]
        rows.append(
            Cost(
                wish=wish,
                mechanism=wish if shown == ALONE else shown,
                l0=row.l0,
                rmse=row.rmse,
                l0_over=float(row.l0 / base.l0 - 1),
                rmse_over=sqrt(row.l2 / base.l2) - 1
                if base.l2
                else 0.0,  # at a huge epsilon, `rmse` is 0 as a float
                recommended=name == taken,
                total=total,
                total_over=_rise(total, least),
                right=row.mean_truth,
                margin=margin,
                margin_over=_rise(margin, narrowest),
            )
        )
    return tuple(rows), note


def _best(n: int, privacy: Alpha, wanted: Shape) -> Mechanism:
    """Return the L0 optimum of these properties and no others."""
    from discreet.designer import design

    return design(n=n, **as_asked(privacy), properties=wanted)


def _totals(found: dict[str, Mechanism]) -> dict[str, tuple[float | None, float | None]]:
    """What each makes of a total, its standard error and its margin; equal mechanisms get the
    same numbers.
    """
    from discreet.reading.ahead.total_error import total_error, total_margin

    errors: dict[str, tuple[float | None, float | None]] = {}
    for name, m in found.items():
        first = next((other for other in errors if found[other] == m), "")
        errors[name] = errors[first] if first else (total_error(m), total_margin(m))
    return errors


def _rise(error: float | None, least: float | None) -> float | None:
    if error is None or least is None:
        return None
    return error / least - 1 if least else 0.0
