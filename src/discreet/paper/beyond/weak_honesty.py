"""Beyond 1: WM in closed form. The optimum of L0 under weak honesty mixes GM and EM; the paper
found it by LP.

For a uniform prior, WH with any of S, RH, RM, and 2 <= n < 2a/(1-a):

    WM = lambda GM + (1 - lambda) EM,      lambda = (y_EM - 1/(n+1)) / (y_EM - y_GM),

so that the diagonal inside sits exactly on 1/(n+1). The proof is written out in
docs/old/paper/beyond-wm.md. Here its multipliers are checked: each instance is saved as a proof
file and read by the standalone verifier, which adds up the rows and knows no theorem; and the
linear program is solved without the theorem where it is small.
"""

from __future__ import annotations

import tempfile
from fractions import Fraction
from math import ceil
from pathlib import Path
from typing import Any

from discreet.core.named import fair, geometric
from discreet.core.rationals import read_alpha
from discreet.designer import design
from discreet.paper.beyond.thresholds import one_sided_cost
from discreet.paper.judging import Statement
from discreet.paper.results import Outcome, Rows, Settings
from discreet.proof import verify

ALPHAS = tuple(Fraction(a) for a in ("3/5", "2/3", "3/4", "9/10", "10/11", "99/100"))

SHOWN = ("0.3", "0.1", "0.01")
"""The epsilons that have a line in the picture."""


def mixing_weight(n: int, a: Fraction) -> Fraction:
    """Return lambda, the share of GM in WM.

    >>> mixing_weight(4, Fraction(9, 10))
    Fraction(551, 3645)
    """
    truth, inside = fair(n=n, alpha=a)[0, 0], (1 - a) / (1 + a)
    return (truth - Fraction(1, n + 1)) / (truth - inside)


def make(settings: Settings) -> Outcome:
    """Check the closed form, its multipliers and its properties over n and alpha, exactly."""
    largest = 12 if settings.quick else 30
    rows: Rows = []
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "wm.json"
        for alpha in ALPHAS:
            for n in range(2, largest + 1):
                if n * (1 - alpha) >= 2 * alpha:
                    break
                m = design(n=n, alpha=alpha, properties="WH RM S", cache=False)
                m.save(file)
                share = mixing_weight(n, alpha)
                gm, em = geometric(n=n, alpha=alpha), fair(n=n, alpha=alpha)
                mixed = all(
                    m[i, j] == share * gm[i, j] + (1 - share) * em[i, j]
                    for i in range(n + 1)
                    for j in range(n + 1)
                )
                rows.append(
                    {
                        "n": n,
                        "alpha": str(alpha),
                        "lambda": float(share),
                        "lambda_exact": str(share),
                        "L0": float(m.score("L0")),
                        "L0_GM": float(gm.score("L0")),
                        "L0_EM": float(em.score("L0")),
                        "mixture": mixed,
                        "proven": bool(verify(file).optimal),
                        "program": one_sided_cost(n, float(alpha)),
                    }
                )
    off = max(abs(row["program"] - row["L0"]) for row in rows)
    most = max(row["n"] for row in rows)
    statements = (
        Statement(
            where="Theorem",
            said="WM = lambda GM + (1 - lambda) EM is the L0 optimum of WH with any of S, RH, "
            "RM for 2 <= n < 2a/(1-a)",
            found=f"{sum(r['mixture'] and r['proven'] for r in rows)} of {len(rows)} instances (n "
            f"up to {most}, six alphas): the designer's matrix is the mixture, entry by entry, "
            "and the standalone verifier accepts the multipliers.",
            verdict="proven" if all(r["mixture"] and r["proven"] for r in rows) else "refuted",
        ),
        Statement(
            where="Cross-check",
            said="a linear program that knows nothing of the theorem reaches the same cost",
            found=f"the program of thresholds with WH differs by at most {off:.1g} (floats).",
            verdict="observed" if off < 1e-8 else "refuted",
        ),
    )
    return Outcome(tables={"wm": rows}, statements=statements)


def draw(outcome: Outcome) -> dict[str, Any]:
    """Draw lambda over n: how much of GM weak honesty leaves room for."""
    from discreet.paper.keys import study_keys

    largest = 30
    return {
        "wm": study_keys.coin_toss(
            {epsilon: _over_n(epsilon, largest) for epsilon in SHOWN}, largest
        )
    }


def _over_n(epsilon: str, largest: int) -> Rows:
    """Lambda, and 1 from the n on where GM is weakly honest itself."""
    alpha = read_alpha(epsilon=epsilon).value
    whole = ceil(2 * alpha / (1 - alpha))
    sizes = range(2, largest + 1)
    return [{"n": n, "exact": 1.0 if n >= whole else float(mixing_weight(n, alpha))} for n in sizes]
