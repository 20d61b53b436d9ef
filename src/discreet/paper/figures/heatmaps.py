"""Figure 7: GM, WM and EM for n = 4 as heatmaps, and the chances of truth the introduction
quotes.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from discreet.core.mechanism import Mechanism
from discreet.paper.contestants import EM, GM, WM, WM_COLUMNS, named
from discreet.paper.judging import (
    Number,
    Statement,
    as_range,
    below,
    count,
    in_words,
    judge,
    to_the_digits,
)
from discreet.paper.optima import OPEN, over_optima, with_both
from discreet.paper.results import Outcome, Rows, Settings, matrix_rows

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
    return Outcome(tables={"heatmaps": rows}, statements=_statements())


def at_the_ends(name: str, n: int, alpha: Fraction, j: int) -> Number:
    """Return the chance of an output 0 or n for true count j, over all optima where there are
    many.
    """
    loss = np.zeros((n + 1, n + 1))
    loss[[0, n], j] = 1
    m = named(name, n, alpha)
    return over_optima(name, n, alpha, loss) if name in OPEN else float(m[0, j] + m[n, j])


def _statements() -> tuple[Statement, ...]:
    alpha, other = ALPHAS
    quoted = {EM: "0.224", GM: "0.238"}
    right = count(
        to_the_digits(truth(named(name, N, alpha)), said) for name, said in quoted.items()
    )
    meant = all(to_the_digits(truth(named(name, N, other)), said) for name, said in quoted.items())
    numbers = {
        a: " and ".join(f"{float(truth(named(name, N, a))):.3f}" for name in (EM, GM))
        for a in ALPHAS
    }
    inside = with_both(
        lambda wm: [
            truth(named(EM, N, a)) < truth(named(wm, N, a)) < truth(named(GM, N, a)) for a in ALPHAS
        ]
    )
    gm, em = named(GM, N, alpha), named(EM, N, alpha)
    inner, every_input = range(1, N), range(N + 1)
    extreme = count(min(gm[0, j], gm[N, j]) > max(gm[i, j] for i in inner) for j in inner)
    balanced = count(em.within(j, 1) > gm.within(j, 1) for j in inner)
    guess = 2 / (N + 1)
    ends = {
        (name, j): at_the_ends(name, N, alpha, j) for name in (GM, *OPEN, EM) for j in every_input
    }
    favours = with_both(
        lambda wm: [below(guess, ends[m, j]) for m in (GM, wm) for j in every_input]
    )
    milder = with_both(lambda wm: [below(ends[wm, j], ends[GM, j]) for j in every_input])
    middle = {name: as_range(ends[name, N // 2]) for name in (GM, *OPEN, EM)}
    words = ", ".join(
        f"{name} {span.low:.3f}" + (f" to {span.high:.3f}" if span.high - span.low > 5e-4 else "")
        for name, span in middle.items()
    )
    return (
        judge(
            "Introduction",
            "alpha = 0.9, uniform inputs: the truth with chance 0.224 (EM) and 0.238 (GM)",
            f"at 9/10: {numbers[alpha]}; at 10/11: {numbers[other]}.",
            right,
            "The printed numbers are those of alpha = 10/11." if meant else "",
        ),
        judge(
            "Introduction",
            "WM sits between GM and EM",
            f"chance of truth at 9/10: EM {float(truth(em)):.4f}, WM (WH RM CM) "
            f"{float(truth(named(WM_COLUMNS, N, alpha))):.4f}, WM (WH) "
            f"{float(truth(named(WM, N, alpha))):.4f}, GM {float(truth(gm)):.4f}.",
            inside,
        ),
        judge(
            "Introduction",
            "GM concentrates the probability on the extreme outputs 0 and n",
            f"each end is likelier than any output between at {extreme} true counts 1..3.",
            extreme,
        ),
        judge(
            "Introduction",
            "EM achieves a more balanced distribution, closer to the leading diagonal",
            f"EM is within 1 of the truth more often than GM at {balanced} true counts 1..3.",
            balanced,
        ),
        judge(
            "Section IV-D",
            "EM concentrates probability along a uniform diagonal",
            f"EM is fair: every diagonal entry is {float(em[0, 0]):.4f}.",
            em.satisfies("F"),
        ),
        judge(
            "Section IV-D",
            "both GM and WM tend to favour extreme outputs, whatever the input",
            f"0 or 4 is likelier than by guessing ({guess:.3f}), over all true counts: "
            f"{in_words(favours)}. For true count 2: {words}.",
            favours,
            needs="most",
        ),
        judge(
            "Section IV-D",
            "GM is very skewed in this regard while WM is more uniform",
            f"the ends are less likely than under GM {in_words(milder)} true counts.",
            milder,
        ),
    )


def draw(outcome: Outcome) -> dict[str, Any]:
    """Draw all four on one scale, at the alpha that the paper prints; at 10/11, which it quotes,
    they look alike.
    """
    from discreet.paper.keys import matrix_keys

    return {"heatmaps": matrix_keys.four_matrices(_mechanisms(ALPHAS[0]), ALPHAS[0])}
