"""Figure 11: L0,1 on Binomial data over p, for n = 4, 8, 12 and alpha = 0.91, 0.67; 10,000 people, 30 repetitions.

The measure is the fraction of groups whose released count is more than 1 off, as the text says.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from discreet.paper.contestants import EM, GM, ORDER, UM, WM, WM_COLUMNS, named
from discreet.paper.results import Outcome, Rows, Settings, judge
from discreet.paper.simulation import (
    binomial_groups,
    binomial_weights,
    expected_beyond,
    simulate,
    spread,
    wrong_beyond,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from discreet.core.mechanism import Mechanism

SIZES = (4, 8, 12)
ALPHAS = (Fraction(91, 100), Fraction(67, 100))


def make(settings: Settings) -> Outcome:
    """Simulate every panel, with the exact expectation beside each simulated point."""
    rows = simulated(
        settings,
        "binomial",
        measure=lambda released, counts: wrong_beyond(released, counts, 1),
        expected=lambda m, weights: expected_beyond(m, weights, 1),
    )
    exact = {(r["alpha"], r["n"], r["p"], r["mechanism"]): r["exact"] for r in rows}
    return Outcome(tables={"binomial": rows}, statements=_statements(rows, exact), seeded=True)


def points(settings: Settings) -> list[float]:
    """Return the p along the axis."""
    steps = 10 if settings.quick else 20
    return [k / steps for k in range(steps + 1)]


def simulated(
    settings: Settings,
    figure: str,
    *,
    measure: Callable[[NDArray[np.int64], NDArray[np.int64]], NDArray[np.float64]],
    expected: Callable[[Mechanism, NDArray[np.float64]], float],
) -> Rows:
    """Simulate a measure of (released, true counts) for each alpha, n, p and mechanism, beside its expectation."""
    repetitions = settings.repetitions(30)
    rows: Rows = []
    for alpha in ALPHAS:
        for n in SIZES:
            for p in points(settings):
                place = f"{settings.seed} {figure} {n} {p}"
                counts, weights = binomial_groups(n, p, repetitions, place), binomial_weights(n, p)
                for name in ORDER:
                    m = named(name, n, alpha)
                    seen = spread(measure(simulate(m, counts, f"{place} {alpha} {name}"), counts))
                    rows.append(
                        {
                            "alpha": float(alpha),
                            "n": n,
                            "p": p,
                            "mechanism": name,
                            "exact": expected(m, weights),
                            "mean": seen.mean,
                            "error": seen.error,
                            "deviation": seen.deviation,
                            "repetitions": repetitions,
                        }
                    )
    return rows


def _statements(rows: Rows, exact: dict[tuple[float, int, float, str], float]) -> tuple[Any, ...]:
    high, low = (float(a) for a in ALPHAS)
    places = sorted({key[:3] for key in exact})
    middle = [place for place in places if 0.3 <= place[2] <= 0.7]
    edge = [place for place in places if place[2] in (0.0, 1.0)]
    others = (WM, WM_COLUMNS, EM)
    ends = sum(exact[(*q, GM)] <= min(exact[(*q, m)] for m in others) for q in edge)
    better = [place for place in middle if all(exact[(*place, m)] < exact[(*place, GM)] for m in (WM_COLUMNS, EM))]
    worse = [place for place in places if place[0] == high and exact[(*place, GM)] > exact[(*place, UM)]]
    at_high = [place for place in places if place[0] == high]
    gain = max(exact[(*place, UM)] - exact[(*place, m)] for place in at_high for m in others)
    inner = [place for place in at_high if 0.2 <= place[2] <= 0.8]
    inner_gain = max(exact[(*place, UM)] - exact[(*place, m)] for place in inner for m in others)

    def range_over_p(alpha: float, n: int, name: str) -> float:
        values = [exact[(*place, name)] for place in places if place[:2] == (alpha, n) and 0.1 <= place[2] <= 0.9]
        return max(values) - min(values)

    panels = [(a, n) for a in (high, low) for n in SIZES]
    calmer = sum(range_over_p(*at, EM) < range_over_p(*at, GM) for at in panels)
    calmest = sum(range_over_p(*at, EM) <= min(range_over_p(*at, m) for m in (GM, WM, WM_COLUMNS)) for at in panels)
    meet = max(abs(exact[(*p, WM)] - exact[(*p, GM)]) for p in places if p[0] == low and p[1] >= 8)
    near = max(abs(exact[(*p, WM_COLUMNS)] - exact[(*p, GM)]) for p in places if p[0] == low and p[1] >= 8)
    noise = max(r["error"] for r in rows)
    return (
        judge(
            "Figure 11",
            "GM does well when the input is very biased (p near 0 or 1)",
            f"at p = 0 and 1 GM is best of all in {ends} of {len(edge)} panels' ends.",
            ends > len(edge) / 2,
            "At the other ends WM (WH RM CM) is ahead of it." if ends < len(edge) else "",
        ),
        judge(
            "Figure 11",
            "when the input is spread, the more constrained mechanisms consistently do better",
            f"for 0.3 <= p <= 0.7 EM and WM (WH RM CM) beat GM at {len(better)} of {len(middle)} points.",
            len(better) == len(middle),
        ),
        judge(
            "Figure 11",
            "for higher alpha GM is often worse than uniform guessing",
            f"at alpha = 0.91 GM is worse than UM at {len(worse)} of {len(at_high)} points.",
            len(worse) > len(at_high) / 3,
        ),
        judge(
            "Figure 11",
            "for higher alpha the constrained methods improve only slightly over UM",
            f"at alpha = 0.91 by at most {inner_gain:.3f} of the groups for 0.2 <= p <= 0.8, {gain:.3f} at the ends.",
            inner_gain < 0.1,
        ),
        judge(
            "Figure 11",
            "fairness tends to make EM less sensitive to the input distribution, but for extreme inputs",
            f"its range over 0.1 <= p <= 0.9 is smaller than GM's in {calmer} of {len(panels)} panels, the smallest of "
            f"the four in {calmest}.",
            calmer > len(panels) / 2,
            "WM (WH RM CM) is the calmer one for n = 4 and 8 at alpha = 0.91." if calmest < len(panels) else "",
        ),
        judge(
            "Figure 11",
            "for lower alpha WM and GM converge",
            f"alpha = 0.67, n = 8 and 12: WM (WH) differs from GM by {meet:.1g}, WM (WH RM CM) by up to {near:.3f}.",
            meet == 0,
            "True of WH alone; column monotonicity keeps WM (WH RM CM) off GM's spikes at the ends.",
        ),
        judge(
            "Figure 11",
            "the results have very small variance",
            f"the largest standard error of a mean is {noise:.4f}.",
            noise < 0.02,
        ),
    )


def draw(outcome: Outcome) -> dict[str, Any]:
    """Draw six panels: alpha down, n across."""
    from discreet.paper.panels import shared_domain
    from discreet.show.pictures.theme import finished

    rows = outcome.tables["binomial"]
    panels = six_panels(rows, "fraction more than 1 off", dict.fromkeys(SIZES, shared_domain(rows)))
    lines = ["lines: exact expectation; points: mean of the repetitions with one standard error; 10,000 people"]
    return {"binomial": finished(panels, "L0,1 on Binomial data", lines)}


def six_panels(rows: Rows, y_title: str, domains: dict[int, tuple[float, float]]) -> Any:
    """Draw a measure over p, a panel for each alpha and n, with the domain of each n."""
    from discreet.paper.panels import grid, panel

    panels = [
        panel(
            [r for r in rows if r["alpha"] == float(a) and r["n"] == n],
            x="p",
            x_title="p",
            y_title=y_title,
            domain=domains[n],
            title=f"n = {n}, alpha = {float(a)}",
        )
        for a in ALPHAS
        for n in SIZES
    ]
    return grid(panels, 3)
