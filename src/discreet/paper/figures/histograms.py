"""Figure 12: the fraction of groups more than d off, d = 0..7, for n = 8 and an even and a skewed
input.

The paper prints neither its p nor its alphas; we take p = 0.5 (top) and p = 0.1 (bottom), alpha =
0.91, 0.8, 0.67. The L0 optima under WH, RM and CM (and under WH alone) have different tails: the
data have the range over all of them.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

from discreet.paper.contestants import EM, GM, ORDER, UM, WM_COLUMNS, WM_WIDEST, named
from discreet.paper.judging import (
    CLOSE,
    Number,
    Range,
    Statement,
    as_range,
    below,
    between,
    count,
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

N = 8
EVEN, SKEWED = 0.5, 0.1
ALPHAS = (Fraction(91, 100), Fraction(4, 5), Fraction(67, 100))
D = tuple(range(N))
NOTES = (
    "The paper prints neither p nor alpha; we take p = 0.5 and 0.1, alpha = 0.91, 0.8 and 0.67.",
)


def make(settings: Settings) -> Outcome:
    """Simulate the tails, with their exact expectations and the range of these over all optima."""
    repetitions = settings.repetitions(30)
    rows: Rows = []
    for p in (EVEN, SKEWED):
        place = f"{settings.seed} histograms {p}"
        counts, weights = binomial_groups(N, p, repetitions, place), binomial_weights(N, p)
        for alpha in ALPHAS:
            for name in ORDER:
                m = named(name, N, alpha)
                released = simulate(m, counts, f"{place} {alpha} {name}")
                for d in D:
                    seen = spread(wrong_beyond(released, counts, d))
                    span = over_optima(name, N, alpha, beyond(weights, d)) if name in OPEN else None
                    rows.append(
                        {
                            "p": p,
                            "alpha": float(alpha),
                            "mechanism": name,
                            "d": d,
                            "exact": expected_beyond(m, weights, d),
                            "least": span.low if span else None,
                            "largest": span.high if span else None,
                            "mean": seen.mean,
                            "error": seen.error,
                            "deviation": seen.deviation,
                            "repetitions": repetitions,
                        }
                    )
    return Outcome(
        tables={"histograms": rows}, statements=_statements(rows), seeded=True, notes=NOTES
    )


def _tail(name: str, n: int, alpha: Fraction, p: float, d: int) -> float:
    return expected_beyond(named(name, n, alpha), binomial_weights(n, p), d)


def _winner(n: int, alpha: Fraction, p: float) -> str:
    """Which of GM and EM has the thinner tail at more d."""
    ahead = [_tail(GM, n, alpha, p, d) < _tail(EM, n, alpha, p, d) for d in range(n)]
    return GM if 2 * sum(ahead) > n else EM


def _statements(rows: Rows) -> tuple[Statement, ...]:
    at: dict[tuple[Any, ...], Number] = {
        (r["p"], r["alpha"], r["mechanism"], r["d"]): r["exact"]
        if r["least"] is None
        else Range(r["least"], r["largest"])
        for r in rows
    }
    alphas = [float(a) for a in ALPHAS]
    high, *lower = alphas
    cells = [(a, d) for a in alphas for d in D]
    everywhere = [(p, a, d) for p in (EVEN, SKEWED) for a, d in cells]

    def less(p: float, alpha: float, d: int) -> float:
        """GM's tail less EM's."""
        return as_range(at[p, alpha, GM, d]).low - as_range(at[p, alpha, EM, d]).low

    best = with_both(
        lambda wm: [
            every(not_above(at[EVEN, a, EM, d], at[EVEN, a, m, d]) for m in (GM, wm, UM))
            for a, d in cells
        ]
    )
    grows = count(below(less(EVEN, a, x), less(EVEN, a, y)) for a in alphas for x, y in pairwise(D))
    worse = count(below(at[EVEN, high, UM, d], at[EVEN, high, GM, d]) for d in D)
    room = [d for d in D if as_range(at[EVEN, high, GM, d]).low > CLOSE]
    drops = count(
        below(at[EVEN, alphas[-1], GM, d], as_range(at[EVEN, high, GM, d]).low - CLOSE)
        for d in room
    )
    behind = count(below(at[EVEN, a, EM, d], at[EVEN, a, GM, d]) for a in lower for d in D)
    ahead = count(below(at[SKEWED, a, GM, d], at[SKEWED, a, EM, d]) for a, d in cells)
    kept = count(not_above(-less(SKEWED, a, d), CLOSE) for a, d in cells)
    lost = max(-less(SKEWED, a, d) for a, d in cells)
    inside = with_both(
        lambda wm: [
            between(at[p, a, wm, d], as_range(at[p, a, GM, d]).low, as_range(at[p, a, EM, d]).low)
            for p, a, d in everywhere
        ]
    )
    attained = {
        name: sum(
            bool(between(_tail(name, N, a, p, d), _tail(GM, N, a, p, d), _tail(EM, N, a, p, d)))
            for p in (EVEN, SKEWED)
            for a in ALPHAS
            for d in D
        )
        for name in (WM_COLUMNS, WM_WIDEST)
    }
    others = count(
        _winner(n, a, p) == _winner(N, a, p)
        for n in (4, 12)
        for a in ALPHAS
        for p in (EVEN, SKEWED)
    )
    margins = "; ".join(
        f"alpha {a}: " + ", ".join(f"{less(EVEN, a, d):.3f}" for d in D) for a in alphas
    )
    return (
        judge(
            "Figure 12, top",
            "even input: EM outperforms all other mechanisms",
            f"no other has a thinner tail than EM: {in_words(best)} pairs of alpha and d.",
            best,
            "Far out in the tail WM, and at last GM, is thinner.",
        ),
        judge(
            "Figure 12, top",
            "the margin between EM and GM only increases with larger d",
            f"it grows at {grows} steps. GM less EM over d = 0..7: {margins}.",
            grows,
            "With p = 0.5 a distance beyond 4 hardly occurs, so every margin falls toward 0.",
        ),
        judge(
            "Figure 12, top",
            "for higher alpha GM can be worse than random guessing",
            f"alpha = 0.91: GM's tail is fatter than UM's at {worse} d.",
            worse,
            needs="some",
        ),
        judge(
            "Figure 12, top",
            "for lower alpha GM's accuracy increases dramatically",
            f"from alpha = 0.91 to 0.67 GM's tail falls by more than {CLOSE} at {drops} d where "
            "it is so large.",
            drops,
        ),
        judge(
            "Figure 12, top",
            "but it still remains worse than EM's",
            f"alpha = 0.8 and 0.67: GM's tail is fatter than EM's at {behind} places.",
            behind,
            "Far out in the tail EM's is the fatter one: it gives every output a fair share.",
        ),
        judge(
            "Figure 12, bottom",
            "a skewed input tends to favour GM",
            f"p = {SKEWED}: GM has a thinner tail than EM at {ahead} pairs of alpha and d.",
            ahead,
            needs="most",
        ),
        judge(
            "Figure 12, bottom",
            "EM does not do substantially worse than GM even there",
            f"EM's tail is at most {CLOSE} above GM's at {kept} pairs of alpha and d; the largest "
            f"difference is {lost:.3f}.",
            kept,
        ),
        judge(
            "Figure 12",
            "WM tends to fall between GM and EM",
            f"{in_words(inside)} places; at {attained[WM_COLUMNS]} when WM (WH RM CM) is the L0 "
            f"optimum with the least L2 (ours), at {attained[WM_WIDEST]} when it is the one with "
            "the largest.",
            inside,
            "A mixture of GM and EM lies between them; other optima need not.",
            needs="most",
        ),
        judge(
            "Figure 12",
            "similar behaviour for other values of n",
            "n = 4 and 12: which of GM and EM has the thinner tail at more d is as for n = 8 at "
            f"{others} alphas and p.",
            others,
            needs="most",
        ),
    )


def draw(outcome: Outcome) -> dict[str, Any]:
    """Draw how far off usual and fair numbers are, where half say yes and where one in ten does."""
    from discreet.paper.keys import figure_keys

    return {"histograms": figure_keys.histograms(outcome.tables["histograms"])}
