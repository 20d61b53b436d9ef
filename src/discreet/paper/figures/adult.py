"""Figure 10: the fraction of wrong answers on the Adult data, over group sizes, for three targets at alpha = 0.9.

50 repetitions: in each, the 32,561 people are divided at random into groups of n. Such groups hold a
hypergeometric number of ones, so the exact expectation is known and drawn behind the points. The text's higher alphas
(0.9 to 0.99) follow exactly, without simulation. `discreet paper fetch-adult` fetches the data.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import comb
from typing import TYPE_CHECKING, Any

from discreet.paper import adult_data
from discreet.paper.contestants import EM, GM, ORDER, UM, WM, WM_COLUMNS, named
from discreet.paper.results import Outcome, Rows, Settings, Statement, judge
from discreet.paper.simulation import expected_beyond, shuffled_groups, simulate, spread, wrong_beyond

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ALPHA = Fraction(9, 10)
HIGHER = tuple(Fraction(k, 100) for k in (90, 92, 94, 96, 98, 99))
TITLES = {"young": "young (age under 30)", "gender": "gender (male)", "income": "income (over 50K)"}
NOTES = (
    "People are gathered into groups anew in each repetition; the last, incomplete group is left out. Higher alphas "
    "are exact, for n = 4, 8 and 12.",
)
MISSING = "the Adult data are not here: `discreet paper fetch-adult`, or give a UCI adult.data with --adult FILE"


def make(settings: Settings) -> Outcome:
    """Simulate at alpha = 0.9 and compute exactly at higher alphas; without the data, say how to get them."""
    if settings.adult is None:
        return Outcome(tables={}, statements=(), missing=MISSING)
    people = adult_data.bits(settings.adult)
    sizes = (2, 4, 8, 12) if settings.quick else (2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 18, 20)
    repetitions = settings.repetitions(50)
    rows: Rows = []
    for target, bits in people.items():
        for n in sizes:
            place = f"{settings.seed} adult {target} {n}"
            counts = shuffled_groups(bits, n, repetitions, place)
            weights = hypergeometric_weights(len(bits), int(bits.sum()), n)
            for name in ORDER:
                m = named(name, n, ALPHA)
                seen = spread(wrong_beyond(simulate(m, counts, f"{place} {name}"), counts, 0))
                rows.append(
                    {
                        "target": target,
                        "n": n,
                        "mechanism": name,
                        "exact": expected_beyond(m, weights, 0),
                        "mean": seen.mean,
                        "error": seen.error,
                        "repetitions": repetitions,
                    }
                )
    higher: Rows = [
        {
            "target": target,
            "n": n,
            "alpha": float(alpha),
            "mechanism": name,
            "exact": expected_beyond(named(name, n, alpha), hypergeometric_weights(len(bits), int(bits.sum()), n), 0),
        }
        for target, bits in people.items()
        for n in (4, 8, 12)
        for alpha in HIGHER
        for name in ORDER
    ]
    return Outcome(
        tables={"adult": rows, "higher": higher}, statements=_statements(rows, higher), seeded=True, notes=NOTES
    )


def hypergeometric_weights(people: int, ones: int, n: int) -> NDArray[np.float64]:
    """Return the chances of 0..n ones in a group of n drawn from all people without replacement."""
    import numpy as np

    return np.array(
        [float(Fraction(comb(ones, j) * comb(people - ones, n - j), comb(people, n))) for j in range(n + 1)]
    )


def _statements(rows: Rows, higher: Rows) -> tuple[Statement, ...]:
    at = {(r["target"], r["n"], r["mechanism"]): r for r in rows}
    places = sorted({(r["target"], r["n"]) for r in rows})
    off = max(abs(at[t, n, UM]["mean"] - n / (n + 1)) / at[t, n, UM]["error"] for t, n in places)
    worse = [p for p in places if at[(*p, GM)]["exact"] > at[(*p, UM)]["exact"]]
    spared = [p for p in places if p not in worse]
    kept = [f"{t} n = {n}" for t, n in spared]
    honest_from = 2 * ALPHA / (1 - ALPHA)
    safe = [p for p in spared if p[1] >= honest_from]
    guesses = [(n, named(UM, n, ALPHA).truth(0)) for n in sorted({n for _, n in places})]
    tracks = {
        name: max(abs(at[(*p, name)]["exact"] - at[(*p, UM)]["exact"]) for p in places if p[1] >= 8)
        for name in (WM, WM_COLUMNS, EM)
    }
    best = [p for p in places if at[(*p, EM)]["exact"] <= min(at[(*p, m)]["exact"] for m in ORDER)]
    behind = max(at[(*p, EM)]["exact"] - min(at[(*p, m)]["exact"] for m in ORDER) for p in places)
    rest = [f"{t} n = {n}" for t, n in places if (t, n) not in best]
    far = max(abs(r["mean"] - r["exact"]) / r["error"] for r in rows)
    up: dict[tuple[str, int, float, str], float] = {
        (r["target"], r["n"], r["alpha"], r["mechanism"]): r["exact"] for r in higher
    }

    def printed(n: int) -> Fraction:
        return 1 - Fraction(1, n + 1)

    def widest(alpha: float, one: str, other: str) -> float:
        return max(
            0.0, *(abs(up[t, n, alpha, one] - up[t, n, alpha, other]) for t, n, a, m in up if a == alpha and m == one)
        )

    steps = [float(a) for a in HIGHER]
    gains = [widest(a, EM, UM) for a in steps]
    return (
        judge(
            "Figure 10",
            "UM's performance is independent of the data",
            f"wrong with chance n/(n+1); the simulation is within {off:.1f} standard errors of it everywhere.",
            off < 5,
        ),
        judge(
            "Section V-B",
            "UM picks the correct answer with chance 1 - 1/(n+1)",
            f"it is correct with chance 1/(n+1) at {sum(guess == Fraction(1, n + 1) for n, guess in guesses)} of "
            f"{len(guesses)} sizes, with the printed chance at {sum(guess == printed(n) for n, guess in guesses)}.",
            all(guess == printed(n) for n, guess in guesses),
            "1 - 1/(n+1) is its chance of a wrong answer.",
        ),
        judge(
            "Figure 10",
            "GM does appreciably worse than UM on these data",
            f"at {len(worse)} of {len(places)} targets and sizes" + (f"; not at {', '.join(kept)}." if kept else "."),
            len(worse) > len(places) / 2,
            f"From n = 2a/(1-a) = {honest_from} on GM is weakly honest, so never worse than guessing, whatever the "
            f"data ({len(safe)} of the {len(kept)} exceptions); the others are small groups of "
            f"{', '.join(sorted({t for t, n in spared if n < honest_from}))}, where 0 or n is common."
            if kept
            else "",
        ),
        judge(
            "Figure 10",
            "WM tracks UM quite closely",
            f"largest distance from UM for n >= 8: WM (WH) {tracks[WM]:.4f}, WM (WH RM CM) {tracks[WM_COLUMNS]:.4f}, "
            f"EM {tracks[EM]:.4f}.",
            tracks[WM_COLUMNS] < tracks[EM] / 2,
            "The sentence is true of WH alone. WM as the paper defines it (WH, RM, CM) stays close to EM.",
        ),
        judge(
            "Figure 10",
            "EM gives the best chance of the true answer",
            f"at {len(best)} of {len(places)} targets and sizes" + (f"; not at {', '.join(rest)}." if rest else "."),
            len(best) > len(places) / 2,
            f"There WM (WH RM CM) or GM is ahead, by at most {behind:.4f}." if rest else "",
        ),
        judge(
            "Section V-B",
            "for alpha from 0.9 to 0.99 there is not much to choose between EM and WM",
            f"EM and WM (WH RM CM) differ by at most {widest(0.9, EM, WM_COLUMNS):.4f} at 0.9 and "
            f"{widest(0.99, EM, WM_COLUMNS):.5f} at 0.99 (n = 4, 8, 12).",
            widest(0.99, EM, WM_COLUMNS) < 0.01,
        ),
        judge(
            "Section V-B",
            "it gets even harder to improve on uniform guessing",
            "EM's largest gain over UM: "
            + ", ".join(f"{g:.4f} at {a:g}" for a, g in zip(steps, gains, strict=True))
            + ".",
            all(x > y for x, y in pairwise(gains)),
        ),
        Statement(
            where="Our own check",
            said="simulated points scatter around the exact expectation",
            found=f"the farthest of {len(rows)} points is {far:.1f} standard errors off.",
            verdict="observed" if far < 5 else "refuted",
        ),
    )


def draw(outcome: Outcome) -> dict[str, Any]:
    """Draw the three targets at alpha = 0.9, and the higher alphas for n = 8."""
    from discreet.paper.panels import grid, panel, shared_domain
    from discreet.show.pictures.theme import finished

    rows, higher = outcome.tables["adult"], outcome.tables["higher"]
    domain = shared_domain(rows)
    panels = [
        panel(
            [r for r in rows if r["target"] == target],
            domain=domain,
            x="n",
            x_title="group size n",
            y_title="fraction of wrong answers",
            title=title,
        )
        for target, title in TITLES.items()
    ]
    more = [
        panel(
            [r for r in higher if r["target"] == target and r["n"] == 8],
            x="alpha",
            x_title="alpha",
            y_title="chance of a wrong answer",
            title=f"{title}, n = 8",
            marks=True,
        )
        for target, title in TITLES.items()
    ]
    lines = ["lines: exact expectation; points: mean of the repetitions with one standard error; alpha = 0.9"]
    return {
        "adult": finished(grid(panels, 3), "Wrong answers on the Adult data", lines),
        "higher": finished(
            grid(more, 3), "Adult, higher alphas", ["exact; the closer alpha is to 1, the less there is to choose"]
        ),
    }
