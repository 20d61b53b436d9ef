"""Beyond 4: output DP as a property, Pr[i|j] >= beta Pr[i +- 1|j]: what it costs and what it buys.

It costs L0 (designed exactly, alone and with weak honesty, over beta and n) and buys smoothness:
neighbouring outputs of one input differ by at most a factor beta, so there are no gaps and no
spikes, and no single output gives a count away. Proven: EM has output DP for every beta <= alpha,
so beta <= alpha never costs more than EM does; at beta = 1 only guessing is left. From n = 2 on GM
has it just for beta <= a(1-a); at n = 1 GM is EM. The rest is observed.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from discreet.core.mechanism import Mechanism
from discreet.core.named import fair, geometric
from discreet.designer import design
from discreet.paper.judging import Statement
from discreet.paper.results import Outcome, Rows, Settings

ALPHAS = (Fraction(2, 3), Fraction(10, 11))
RATIOS = tuple(Fraction(k, 20) for k in range(0, 21))
SETS = ("", "WH", "RM CM")


def make(settings: Settings) -> Outcome:
    """Design with growing output DP; measure cost, spikes, and how the other scores follow."""
    sizes = (4, 8) if settings.quick else (4, 8, 12)
    ratios = RATIOS[::4] if settings.quick else RATIOS
    rows: Rows = []
    for alpha in ALPHAS:
        for n in sizes:
            for shape in SETS:
                for beta in sorted({*ratios, alpha}):
                    asked = f"{shape} ODP:{beta}".strip() if beta else shape
                    m = design(n=n, alpha=alpha, properties=asked)
                    rows.append(_row(m, shape or "none", beta))
    named = [
        {
            "n": n,
            "alpha": str(alpha),
            "mechanism": name,
            "output_dp": float(m.output_dp),
            "L0": float(m.score("L0")),
        }
        for alpha in ALPHAS
        for n in sizes
        for name, m in (("GM", geometric(n=n, alpha=alpha)), ("EM", fair(n=n, alpha=alpha)))
    ]
    return Outcome(tables={"output-dp": rows, "named": named}, statements=_statements(rows, named))


def spikiness(m: Mechanism) -> float:
    """Return the largest ratio of a wrong answer's chance to the truth's, over all inputs; 1 at
    most with CH.
    """
    worst = (m[i, j] / m[j, j] for j in range(m.n + 1) for i in range(m.n + 1) if m[j, j])
    return float(max(worst, default=Fraction(0)))


def _row(m: Mechanism, shape: str, beta: Fraction) -> dict[str, Any]:
    binomial = f"Binomial({Fraction(1, 2)})"
    return {
        "n": m.n,
        "alpha": str(m.alpha),
        "properties": shape,
        "beta": float(beta),
        "exact": float(m.score("L0")),
        "worst_L0": float(m.score("L0", worst_case=True)),
        "L2_binomial": float(m.score("L2", binomial)),
        "spikiness": spikiness(m),
        "least_truth": float(min(m[j, j] for j in range(m.n + 1))),
        "CM": m.satisfies("CM"),
        "WH": m.satisfies("WH"),
    }


def _statements(rows: Rows, named: Rows) -> tuple[Statement, ...]:
    em = {(r["n"], r["alpha"]): r["L0"] for r in named if r["mechanism"] == "EM"}
    ratio = {(r["n"], r["alpha"]): r["output_dp"] for r in named if r["mechanism"] == "EM"}
    gm = [r for r in named if r["mechanism"] == "GM"]
    exact_gm = all(
        abs(r["output_dp"] - float(Fraction(r["alpha"]) * (1 - Fraction(r["alpha"])))) < 1e-12
        for r in gm
    )
    at = {(r["n"], r["alpha"], r["properties"], r["beta"]): r for r in rows}
    up_to_alpha = [r for r in rows if r["beta"] <= float(Fraction(r["alpha"])) + 1e-12]
    dear = max(r["exact"] - em[r["n"], r["alpha"]] for r in up_to_alpha)
    guess = max(abs(r["exact"] - 1) for r in rows if r["beta"] == 1)
    eight = [
        at[8, "10/11", "none", b]
        for b in sorted({k[3] for k in at if k[:3] == (8, "10/11", "none")})
    ]
    calm = next((r["beta"] for r in eight if r["spikiness"] <= 1 + 1e-12), None)
    honest = next((r["beta"] for r in eight if r["WH"]), None)
    listed = [r for r in eight if r["beta"] in (0.0, 0.2, 0.4, 0.6, 0.8)]

    def says(where: str, said: str, found: str, verdict: str) -> Statement:
        return Statement(where=where, said=said, found=found, verdict=verdict)

    return (
        says(
            "GM",
            "for n >= 2 GM has output DP exactly for ratios up to a(1-a)",
            "for every n and alpha tried.",
            "observed" if exact_gm else "refuted",
        ),
        says(
            "EM",
            "EM has output DP for every ratio up to alpha, so asking beta <= alpha costs no more "
            "than EM",
            "EM's own ratio is alpha in "
            f"{sum(abs(v - float(Fraction(a))) < 1e-12 for (n, a), v in ratio.items())} of "
            f"{len(ratio)} cases; the optimum is never above EM's cost (largest difference "
            f"{dear:.1g}).",
            "proven" if dear < 1e-12 else "refuted",
        ),
        says(
            "beta = 1",
            "only guessing is left",
            f"L0 is 1 up to {guess:.1g}.",
            "proven" if guess < 1e-12 else "refuted",
        ),
        says(
            "Cost",
            "what output DP costs under L0 (n = 8, alpha = 10/11, nothing else asked)",
            "; ".join(f"beta {r['beta']:g}: {r['exact']:.4f}" for r in listed)
            + f"; EM {em[8, '10/11']:.4f}, guessing 1.",
            "observed",
        ),
        says(
            "Benefit",
            "what it buys there",
            "largest wrong answer over the truth: "
            + "; ".join(f"beta {r['beta']:g}: {r['spikiness']:.2f}" for r in listed)
            + f". No wrong answer is likelier than the truth from beta = {calm or 1:.2g} on, and "
            f"WH holds from {honest or 1:.2g} on; mean square error on Binomial(1/2) data falls "
            f"from {eight[0]['L2_binomial']:.2f} to {min(r['L2_binomial'] for r in eight):.2f}.",
            "observed",
        ),
    )


def draw(outcome: Outcome) -> dict[str, Any]:
    """Draw nothing: the page has a table of these numbers, which says more."""
    return {}
