"""Figure 7: GM, WM and EM for n = 4 as heatmaps, and the chances of truth the introduction quotes."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from discreet.core.mechanism import Mechanism
from discreet.paper.contestants import EM, GM, WM, WM_COLUMNS, named
from discreet.paper.results import Outcome, Rows, Settings, judge, matrix_rows

N = 4
ALPHAS = (Fraction(9, 10), Fraction(10, 11))


def _mechanisms(alpha: Fraction) -> dict[str, Mechanism]:
    return {name: named(name, N, alpha) for name in (GM, WM, WM_COLUMNS, EM)}


def truth(m: Mechanism) -> Fraction:
    """Return the chance of a true answer under a uniform prior: trace / (n+1)."""
    return sum((m[j, j] for j in range(m.n + 1)), Fraction(0)) / (m.n + 1)


def make(settings: Settings) -> Outcome:
    """Return the matrices at 9/10 (printed) and 10/11 (what the quoted numbers are for)."""
    rows: Rows = []
    for alpha in ALPHAS:
        for name, m in _mechanisms(alpha).items():
            rows += matrix_rows(m, alpha=str(alpha), mechanism=name)
    printed, meant = _mechanisms(ALPHAS[0]), _mechanisms(ALPHAS[1])
    quoted = (round(float(truth(printed[EM])), 3), round(float(truth(printed[GM])), 3))
    right = (round(float(truth(meant[EM])), 3), round(float(truth(meant[GM])), 3))
    between = all(truth(m[EM]) < truth(m[WM_COLUMNS]) <= truth(m[WM]) < truth(m[GM]) for m in (printed, meant))
    gm, em, wm, wm_columns = (printed[name] for name in (GM, EM, WM, WM_COLUMNS))
    inner = range(1, N)
    ends = {name: min(m[0, j] + m[N, j] for j in inner) for name, m in printed.items()}
    extreme = all(min(m[0, j], m[N, j]) > max(m[i, j] for i in inner) for m in (gm,) for j in inner)
    statements = (
        judge(
            "Introduction",
            "alpha = 0.9, uniform inputs: the truth with chance 0.224 (EM) and 0.238 (GM)",
            f"at 9/10: {quoted[0]} and {quoted[1]}; at 10/11: {right[0]} and {right[1]}.",
            quoted == (0.224, 0.238),
            "The printed numbers are those of alpha = 10/11." if right == (0.224, 0.238) else "",
        ),
        judge(
            "Introduction",
            "WM sits between GM and EM",
            f"chance of truth at 9/10: EM {float(truth(em)):.4f}, WM (WH RM CM) {float(truth(wm_columns)):.4f}, "
            f"WM (WH) {float(truth(wm)):.4f}, GM {float(truth(gm)):.4f}.",
            between,
            "The paper's one name stands for two mechanisms; both lie between.",
        ),
        judge(
            "Figure 7",
            "GM concentrates on the extreme outputs 0 and n, whatever the input",
            f"for inputs 1..3 each end is likelier than any output between; together at least {float(ends[GM]):.3f}.",
            extreme,
        ),
        judge(
            "Section IV-D",
            "WM favours extreme outputs too, but less than GM; EM has a uniform diagonal",
            f"least mass on the two ends for inputs 1..3: GM {float(ends[GM]):.3f}, WM (WH) {float(ends[WM]):.3f}, "
            f"WM (WH RM CM) {float(ends[WM_COLUMNS]):.3f}, EM {float(ends[EM]):.3f}; guessing gives {2 / (N + 1):.3f}.",
            ends[GM] > ends[WM] > Fraction(2, N + 1) and em.satisfies("F"),
            "True of WM (WH); column monotonicity forbids it to WM (WH RM CM)."
            if ends[WM_COLUMNS] < Fraction(2, 5)
            else "",
        ),
    )
    return Outcome(tables={"heatmaps": rows}, statements=statements)


def draw(outcome: Outcome) -> dict[str, Any]:
    """Draw the four mechanisms side by side, at both alphas."""
    from discreet.show.pictures.heatmap import heatmap

    return {
        f"heatmaps-{alpha.numerator}-{alpha.denominator}": heatmap(
            _mechanisms(alpha), title=f"GM, WM and EM for n = 4, alpha = {alpha}"
        )
        for alpha in ALPHAS
    }
