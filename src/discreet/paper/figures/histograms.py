"""Figure 12: the fraction of groups more than d off, d = 0..7, for n = 8 and an even and a skewed input.

The paper prints neither its p nor its alphas; we take p = 0.5 (top) and p = 0.1 (bottom), alpha = 0.91, 0.8, 0.67.
The L0 optimum under WH, RM and CM is not unique: the verdicts look at the one with the largest L2 beside the one drawn.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from discreet.paper.contestants import EM, GM, ORDER, UM, WM, WM_COLUMNS, WM_WIDEST, named
from discreet.paper.results import Outcome, Rows, Settings, Statement, judge, judge_each
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
NOTES = ("The paper prints neither p nor alpha; we take p = 0.5 and 0.1, alpha = 0.91, 0.8 and 0.67.",)


def make(settings: Settings) -> Outcome:
    """Simulate the tails, with their exact expectations."""
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
                    rows.append(
                        {
                            "p": p,
                            "alpha": float(alpha),
                            "mechanism": name,
                            "d": d,
                            "exact": expected_beyond(m, weights, d),
                            "mean": seen.mean,
                            "error": seen.error,
                            "deviation": seen.deviation,
                            "repetitions": repetitions,
                        }
                    )
    widest: Rows = [
        {
            "p": p,
            "alpha": float(alpha),
            "mechanism": WM_WIDEST,
            "d": d,
            "exact": expected_beyond(named(WM_WIDEST, N, alpha), binomial_weights(N, p), d),
        }
        for p in (EVEN, SKEWED)
        for alpha in ALPHAS
        for d in D
    ]
    tables = {"histograms": rows, "widest": widest}
    return Outcome(tables=tables, statements=_statements([*rows, *widest]), seeded=True, notes=NOTES)


def _statements(rows: Rows) -> tuple[Statement, ...]:
    at = {(r["p"], r["alpha"], r["mechanism"], r["d"]): r["exact"] for r in rows}
    alphas = [float(a) for a in ALPHAS]
    cells = [(a, d) for a in alphas for d in D]
    best, best_of_widest = (
        [(a, d) for a, d in cells if at[EVEN, a, EM, d] <= min(at[EVEN, a, m, d] for m in (GM, WM, columns, UM))]
        for columns in (WM_COLUMNS, WM_WIDEST)
    )
    thinner = max(at[EVEN, a, EM, d] - min(at[EVEN, a, m, d] for m in ORDER) for a, d in cells)
    margins = {a: [at[EVEN, a, GM, d] - at[EVEN, a, EM, d] for d in D] for a in alphas}
    ratios = {a: [at[EVEN, a, GM, d] / at[EVEN, a, EM, d] for d in D[:4]] for a in alphas}
    grows = all(x <= y for a in alphas for x, y in zip(margins[a][:3], margins[a][1:4], strict=True))
    worse = [d for d in D if at[EVEN, alphas[0], GM, d] > at[EVEN, alphas[0], UM, d]]
    still = all(at[EVEN, alphas[-1], GM, d] > at[EVEN, alphas[-1], EM, d] for d in D[:4])
    lost = max(at[SKEWED, a, EM, d] - at[SKEWED, a, GM, d] for a, d in cells)
    ahead = [(a, d) for a, d in cells if at[SKEWED, a, GM, d] < at[SKEWED, a, EM, d]]
    between = {
        name: sum(
            min(at[p, a, GM, d], at[p, a, EM, d]) - 1e-12
            <= at[p, a, name, d]
            <= max(at[p, a, GM, d], at[p, a, EM, d]) + 1e-12
            for p in (EVEN, SKEWED)
            for a, d in cells
        )
        for name in (WM, WM_COLUMNS, WM_WIDEST)
    }
    half = len(cells)  # of the places, which are two p for each cell
    return (
        judge_each(
            "Figure 12, top",
            "even input: EM outperforms all other mechanisms",
            f"at {len(best)} of {len(cells)} pairs of alpha and d EM has the thinnest tail, at {len(best_of_widest)} "
            "when the L0 optimum with the largest L2 is taken for WM (WH RM CM).",
            [len(won) == len(cells) for won in (best, best_of_widest)],
            ""
            if len(best) == len(cells)
            else "Far out in the tail WM (WH RM CM) is thinner, by at most "
            f"{thinner:.4f}: " + ", ".join(f"alpha {a} d {d}" for a, d in cells if (a, d) not in best) + ".",
        ),
        judge(
            "Figure 12, top",
            "the margin between EM and GM only increases with larger d",
            "GM less EM over d = 0..3: "
            + "; ".join(f"alpha {a}: " + ", ".join(f"{x:.3f}" for x in margins[a][:4]) for a in alphas)
            + ".",
            grows,
            ""
            if grows
            else "As a ratio: "
            + "; ".join(f"alpha {a}: " + ", ".join(f"{x:.2f}" for x in ratios[a]) for a in alphas)
            + ". With p = 0.5 a distance beyond 4 hardly occurs, so every margin falls toward 0.",
        ),
        judge(
            "Figure 12, top",
            "for higher alpha GM can be worse than random guessing",
            f"alpha = 0.91: GM's tail is fatter than UM's for d in {worse}.",
            bool(worse),
        ),
        judge(
            "Figure 12, top",
            "for lower alpha GM improves dramatically but stays worse than EM",
            f"d = 1: GM {at[EVEN, alphas[0], GM, 1]:.3f} at 0.91, {at[EVEN, alphas[-1], GM, 1]:.3f} at 0.67; EM "
            f"{at[EVEN, alphas[-1], EM, 1]:.3f} at 0.67.",
            still,
        ),
        judge(
            "Figure 12, bottom",
            "skewed input favours GM",
            f"p = {SKEWED}: GM has the thinner tail at {len(ahead)} of {len(cells)} pairs of alpha and d.",
            len(ahead) > len(cells) / 2,
        ),
        judge(
            "Figure 12, bottom",
            "EM does not do substantially worse than GM even there",
            f"at most {lost:.3f} of the groups more.",
            lost < 0.1,
            "" if lost < 0.1 else "Whether that is substantial is a matter of taste; we call a tenth of all groups so.",
        ),
        judge_each(
            "Figure 12",
            "WM tends to fall between GM and EM",
            f"WM (WH) at {between[WM]} of {2 * half} places; of the L0 optima under WH RM CM, which are many, the one "
            f"with the least L2 (ours) at {between[WM_COLUMNS]}, the one with the largest at {between[WM_WIDEST]}.",
            [count > half for count in between.values()],
            "WM (WH) mixes GM and EM, or is GM: it cannot fall elsewhere. Of WM (WH RM CM) the sentence is true or "
            "false with the optimum that the solver happens to return.",
        ),
    )


def draw(outcome: Outcome) -> dict[str, Any]:
    """Draw six panels of bars: simulated means, with the exact expectation as a tick."""
    from discreet.paper.panels import grid
    from discreet.show.colours import looks
    from discreet.show.pictures.theme import altair, finished, inline

    alt = altair()
    scale = alt.Scale(domain=list(ORDER), range=[look.colour for look in looks(ORDER)])
    panels = []
    for p in (EVEN, SKEWED):
        for a in map(float, ALPHAS):
            rows = [r for r in outcome.tables["histograms"] if r["p"] == p and r["alpha"] == a and r["d"] < 7]
            base = alt.Chart(inline(rows)).encode(
                x=alt.X("d:O", title="d", axis=alt.Axis(labelAngle=0)),
                xOffset=alt.XOffset("mechanism:N", sort=list(ORDER)),
            )
            legend = alt.Legend(title="mechanism", orient="bottom")
            bars = base.mark_bar().encode(
                y=alt.Y("mean:Q", title="fraction more than d off", scale=alt.Scale(domain=[0, 1])),
                color=alt.Color("mechanism:N", scale=scale, legend=legend),
            )
            ticks = base.mark_tick(color="black", thickness=1.2, size=7).encode(y="exact:Q")
            panels.append(alt.layer(bars, ticks).properties(width=330, height=180, title=f"p = {p}, alpha = {a}"))
    lines = ["bars: mean of the repetitions; ticks: exact expectation; n = 8, 10,000 people"]
    return {"histograms": finished(grid(panels, 3), "L0,d on Binomial data", lines)}
