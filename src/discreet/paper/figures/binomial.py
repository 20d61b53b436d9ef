"""Figure 11: L0,1 on Binomial data over p, for n = 4, 8, 12 and alpha = 0.91, 0.67; 10,000 people,
30 repetitions.

The measure is the fraction of groups whose released count is more than 1 off, as the text says. The
data have the range over all optima for WM.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from discreet.paper.contestants import EM, GM, ORDER, UM, named
from discreet.paper.judging import (
    CLOSE,
    Number,
    Range,
    Statement,
    as_range,
    below,
    between,
    close,
    count,
    equal,
    every,
    in_words,
    judge,
    not_above,
)
from discreet.paper.optima import OPEN, beyond, over_optima, with_both
from discreet.paper.results import Outcome, Rows, Settings
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
Table = dict[tuple[Any, ...], Number]


def make(settings: Settings) -> Outcome:
    """Simulate every panel, with the exact expectation beside each simulated point."""
    rows = simulated(
        settings,
        "binomial",
        measure=lambda released, counts: wrong_beyond(released, counts, 1),
        expected=lambda m, weights: expected_beyond(m, weights, 1),
        ranged=lambda name, n, alpha, weights: over_optima(name, n, alpha, beyond(weights, 1)),
    )
    return Outcome(
        tables={"binomial": rows}, statements=_statements(rows, exact_numbers(rows)), seeded=True
    )


def exact_numbers(rows: Rows) -> Table:
    """Return the exact number of each row by (alpha, n, p, mechanism): a range where the optimum
    is not unique.
    """
    return {
        (r["alpha"], r["n"], r["p"], r["mechanism"]): r["exact"]
        if r["least"] is None
        else Range(r["least"], r["largest"])
        for r in rows
    }


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
    ranged: Callable[[str, int, Fraction, NDArray[np.float64]], Range],
) -> Rows:
    """Simulate a measure of (released, true counts) for each alpha, n, p and mechanism, beside its
    expectation.

    WM has the least and the largest expectation over all optima, too.
    """
    repetitions = settings.repetitions(30)
    rows: Rows = []
    for alpha in ALPHAS:
        for n in SIZES:
            for p in points(settings):
                place = f"{settings.seed} {figure} {n} {p}"
                counts, weights = binomial_groups(n, p, repetitions, place), binomial_weights(n, p)
                for name in ORDER:
                    m = named(name, n, alpha)
                    # p and 1-p are mirror images, and the optima of one are those of the other
                    nearer = binomial_weights(n, min(p, 1 - p))
                    span = ranged(name, n, alpha, nearer) if name in OPEN else None
                    seen = spread(measure(simulate(m, counts, f"{place} {alpha} {name}"), counts))
                    rows.append(
                        {
                            "alpha": float(alpha),
                            "n": n,
                            "p": p,
                            "mechanism": name,
                            "exact": expected(m, weights),
                            "least": span.low if span else None,
                            "largest": span.high if span else None,
                            "mean": seen.mean,
                            "error": seen.error,
                            "deviation": seen.deviation,
                            "repetitions": repetitions,
                        }
                    )
    return rows


def _statements(rows: Rows, at: Table) -> tuple[Statement, ...]:
    high, low = (float(a) for a in ALPHAS)
    ps = sorted({row["p"] for row in rows})
    panels = [(a, n) for a in (high, low) for n in SIZES]
    top = [(high, n, p) for n in SIZES for p in ps]
    edges = [(a, n, p) for a, n in panels for p in (0.0, 1.0)]
    spread_out = [(a, n, p) for a, n in panels for p in ps if 0.3 <= p <= 0.7]
    honest = [n for n in SIZES if n * (1 - ALPHAS[1]) >= 2 * ALPHAS[1]]

    def over_p(alpha: float, n: int, name: str, least: float = 0.0) -> Range:
        """How far a curve moves over p: bounds on it where the optimum is open."""
        values = [as_range(at[alpha, n, p, name]) for p in ps if least <= p <= 1 - least]
        sure = max(v.low for v in values) - min(v.high for v in values)
        return Range(max(sure, 0.0), max(v.high for v in values) - min(v.low for v in values))

    def gain(place: tuple[float, int, float], name: str) -> Range:
        """How much better than guessing a mechanism is."""
        guess, found = as_range(at[(*place, UM)]).low, as_range(at[(*place, name)])
        return Range(guess - found.high, guess - found.low)

    moves = with_both(
        lambda wm: [below(CLOSE, over_p(a, n, m)) for a, n in panels for m in (GM, wm, EM, UM)]
    )
    well = count(every(not_above(at[(*q, GM)], at[(*q, m)]) for m in (*OPEN, EM)) for q in edges)
    better = with_both(
        lambda wm: [every(below(at[(*q, m)], at[(*q, GM)]) for m in (wm, EM)) for q in spread_out]
    )
    alike = with_both(lambda wm: [close(at[(*q, wm)], as_range(at[(*q, EM)]).low) for q in top])
    slight = with_both(lambda wm: [between(gain(q, m), 0, CLOSE) for q in top for m in (wm, EM)])
    most = max(gain(q, m).high for q in top for m in (*OPEN, EM))
    worse = count(below(at[(*q, UM)], at[(*q, GM)]) for q in top)
    calm = with_both(
        lambda wm: [
            below(over_p(a, n, EM, 0.1), over_p(a, n, m, 0.1)) for a, n in panels for m in (GM, wm)
        ]
    )
    falls = with_both(
        lambda wm: [
            below(at[low, n, p, m], at[high, n, p, m])
            for n in SIZES
            for p in ps
            for m in (GM, wm, EM)
        ]
    )
    meets = with_both(
        lambda wm: [
            equal(at[low, n, p, wm], as_range(at[low, n, p, GM]).low) for n in honest for p in ps
        ]
    )
    noise = max(r["error"] for r in rows)
    return (
        judge(
            "Figure 11",
            "the shape of the input distribution has a pronounced effect on the quality of the "
            "output",
            f"the fraction of groups moves by more than {CLOSE} over p, of the curves of all "
            f"panels: {in_words(moves)}.",
            moves,
        ),
        judge(
            "Figure 11",
            "GM can do well when the input is very biased (p close to 0 or 1)",
            f"at p = 0 and 1 no other is better than GM at {well} ends of panels.",
            well,
            needs="some",
        ),
        judge(
            "Figure 11",
            "when the input is spread, the more constrained mechanisms consistently do better",
            f"for 0.3 <= p <= 0.7 both EM and WM beat GM: {in_words(better)} points.",
            better,
            "WM (WH) is GM itself at alpha = 0.67 for n = 8 and 12.",
        ),
        judge(
            "Figure 11",
            "for higher alpha the constrained methods have similar behaviour",
            f"alpha = 0.91: WM and EM are at most {CLOSE} apart: {in_words(alike)} points.",
            alike,
            needs="most",
        ),
        judge(
            "Figure 11",
            "for higher alpha the constrained methods improve only slightly over UM",
            f"alpha = 0.91: WM and EM are better than UM, by at most {CLOSE}: {in_words(slight)} "
            f"points; the largest gain is {most:.3f}.",
            slight,
        ),
        judge(
            "Figure 11",
            "for higher alpha GM is often worse than uniform guessing",
            f"alpha = 0.91: GM is worse than UM at {worse} points.",
            worse,
            needs="most",
        ),
        judge(
            "Figure 11",
            "fairness tends to make EM less sensitive to the input distribution, but for extreme "
            "inputs",
            f"over 0.1 <= p <= 0.9 EM moves less than GM, and than WM: {in_words(calm)} "
            "comparisons.",
            calm,
            needs="most",
        ),
        judge(
            "Figure 11",
            "for lower alpha the overall scale of error decreases",
            f"GM, WM and EM are better at 0.67 than at 0.91: {in_words(falls)} points.",
            falls,
        ),
        judge(
            "Figure 11",
            "for lower alpha WM and GM converge",
            f"alpha = 0.67, n = {' and '.join(map(str, honest))}: equal {in_words(meets)} points.",
            meets,
            "From n = 2a/(1-a) on the only optimum under WH alone is GM; column monotonicity "
            "keeps WM (WH RM CM) off GM's spikes at the ends.",
        ),
        judge(
            "Figure 11",
            "the results have very small variance",
            f"the largest standard error of a simulated mean is {noise:.4f}.",
            close(noise, 0),
        ),
    )


def draw(outcome: Outcome) -> dict[str, Any]:
    """Draw how often usual and fair numbers are more than one off, in groups of 8."""
    from discreet.paper.keys import figure_keys

    return {"binomial": figure_keys.binomial(outcome.tables["binomial"])}
