"""Beyond 5: which mechanism suits which data: Binomial(n, p) over p, n and epsilon, under L0, L0,1
and RMSE.

The five mechanisms of the experiments know nothing of the data. Two designed ones do: optimal for
this loss and prior with no property asked, and with WH, RM and CM. The first wins by definition
where the prior is right; the map shows the winner among the five, and how much knowing the prior
gains: p = 1/20, ..., 10/20. Then the prior is wrong: designed for p', data from p, all pairs of
1/10, ..., 9/10. WM (WH RM CM) is the L0 optimum with the least L2. All numbers are exact
expectations (no simulation); the conclusions are observed.
"""

from __future__ import annotations

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

TAILORED, TAILORED_HONEST = "designed for p", "designed for p, WH RM CM"
WRONG = (8, Fraction(1, 2))
"""n and epsilon of the study of wrong priors."""


def measure(m: Mechanism, name: str, p: Fraction) -> float:
    """Return the fraction of wrong (L0), or more than one off (L0,1), answers, or the RMSE, on
    Binomial(n, p) data.
    """
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
    epsilons = tuple(
        map(Fraction, ("1/10", "1/2", "1") if settings.quick else ("1/10", "1/4", "1/2", "1", "2"))
    )
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
    return Outcome(
        tables={"winners": rows, "wrong-prior": wrong}, statements=_statements(rows, wrong)
    )


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
                    rows.append(
                        {
                            "measure": name,
                            "mechanism": kind,
                            "designed_for": float(other),
                            "p": float(p),
                            "value": value,
                            "over_best": value / best - 1,
                        }
                    )
            for other_name in ORDER:
                value = measure(named(other_name, n, alpha), name, p)
                rows.append(
                    {
                        "measure": name,
                        "mechanism": other_name,
                        "designed_for": None,
                        "p": float(p),
                        "value": value,
                        "over_best": value / best - 1,
                    }
                )
    return rows


def _statements(rows: Rows, wrong: Rows) -> tuple[Statement, ...]:
    found = []
    for name in MEASURES:
        mine = [row for row in rows if row["measure"] == name]
        wins = {other: sum(row["winner"] == other for row in mine) for other in ORDER}
        listed = ", ".join(
            f"{other} {count}"
            for other, count in sorted(wins.items(), key=lambda x: -x[1])
            if count
        )
        found.append(
            observed(
                name,
                "who wins among the five that know nothing of the data",
                f"of {len(mine)} places: {listed}. EM is never more than "
                f"{max(row['EM_regret'] for row in mine):.0%} behind the winner. Knowing p gains "
                f"up to {max(row['gain'] for row in mine):.0%} over it, with WH, RM and CM up to "
                f"{max(row['gain_honest'] for row in mine):.0%}.",
            )
        )
    for name in MEASURES:
        worst = {
            kind: max(
                r["over_best"] for r in wrong if r["measure"] == name and r["mechanism"] == kind
            )
            for kind in (TAILORED, TAILORED_HONEST, *ORDER)
        }
        near = [
            r["over_best"]
            for r in wrong
            if r["measure"] == name
            and r["mechanism"] == TAILORED
            and isclose(abs(r["designed_for"] - r["p"]), 0.1)
        ]
        ps = sorted({r["p"] for r in wrong})
        found.append(
            observed(
                f"Wrong prior, {name}",
                "the most that is lost, over all pairs of designed-for and real p, against "
                "knowing p",
                "; ".join(f"{kind}: {value:.0%}" for kind, value in worst.items())
                + f" (n = {WRONG[0]}, epsilon = {WRONG[1]}, p and p' in "
                f"{', '.join(f'{p:g}' for p in ps)})."
                + (
                    f" p off by 0.1: {median(near):.0%} in the median, {max(near):.0%} at worst."
                    if near
                    else ""
                ),
            )
        )
    return tuple(found)


def draw(outcome: Outcome) -> dict[str, Any]:
    """Draw the map of winners, and what a wrong p costs."""
    from discreet.paper.keys import study_keys
    from discreet.paper.keys.winner_map import WinnerMap

    n, epsilon = WRONG
    wrong = [r for r in outcome.tables["wrong-prior"] if r["mechanism"] == TAILORED]
    return {
        "winners": WinnerMap(
            title="From epsilon 1 on, the usual noise mostly errs least",
            line=f"each cell has the colour of the method that is best there; groups of {n}",
            rows=[r for r in outcome.tables["winners"] if r["n"] == n],
            note="The map mirrors for 1 - p.",
        ).drawn(),
        "wrong-prior": study_keys.wrong_prior(wrong, n, float(epsilon)),
    }
