"""Figures 3 and 4, and Example 1: the structure of GM and EM, entry by entry, as powers of alpha.

GM (Figure 3): Pr[i|j] = x a^|i-j| in the first and last row, y a^|i-j| between, x = 1/(1+a), y =
(1-a)/(1+a). EM (Figure 4, n = 7): y times a power of alpha; the powers are printed in the paper and
compared one by one.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from discreet.core.named import exponential, fair, geometric
from discreet.core.transforms import derives_from_geometric
from discreet.designer import design
from discreet.paper.contestants import EM, WM, WM_COLUMNS, named
from discreet.paper.judging import CLOSE, Statement, count, in_words, judge, to_the_digits
from discreet.paper.results import Outcome, Rows, Settings

FIGURE_4 = (
    (0, 1, 2, 3, 4, 4, 4, 4),
    (1, 0, 1, 2, 3, 3, 3, 3),
    (1, 1, 0, 1, 2, 3, 3, 3),
    (2, 2, 1, 0, 1, 2, 2, 2),
    (2, 2, 2, 1, 0, 1, 2, 2),
    (3, 3, 3, 2, 1, 0, 1, 1),
    (3, 3, 3, 3, 2, 1, 0, 1),
    (4, 4, 4, 4, 3, 2, 1, 0),
)
"""The powers of alpha printed in Figure 4."""

ALPHAS = (Fraction(1, 2), Fraction(2, 3), Fraction(9, 10), Fraction(10, 11), Fraction(99, 100))
ROOTS = (Fraction(1, 2), Fraction(3, 4), Fraction(7, 8))
"""The roots of three alphas, 1/4, 9/16 and 49/64: with a power of two below, they are not
rounded.
"""


def make(settings: Settings) -> Outcome:
    """Compare every entry of GM and EM with the printed structure, and the numbers of Example 1."""
    alpha = Fraction(10, 11)
    rows: Rows = []
    for name, m in (("GM", geometric(n=7, alpha=alpha)), ("EM", fair(n=7, alpha=alpha))):
        for i in range(8):
            for j in range(8):
                power = power_of(m[i, j] / m[i, i], alpha)
                base = "x" if name == "GM" and i in (0, 7) else "y"
                rows.append(
                    {
                        "mechanism": name,
                        "output": i,
                        "count": j,
                        "base": base,
                        "power": power,
                        "exact": str(m[i, j]),
                        "probability": float(m[i, j]),
                    }
                )
    return Outcome(
        tables={"structure": rows},
        statements=(*_figures(rows), *_example(), *_exponential(), *_derivation(settings)),
    )


def power_of(ratio: Fraction, alpha: Fraction) -> int:
    """Return k with ratio = alpha^k, or -1 when there is none.

    >>> power_of(Fraction(100, 121), Fraction(10, 11))
    2
    """
    k, value = 0, Fraction(1)
    while value > ratio and k < 64:
        k, value = k + 1, value * alpha
    return k if value == ratio else -1


def _figures(rows: Rows) -> tuple[Statement, ...]:
    places = [(n, a) for a in ALPHAS for n in range(2, 13)]
    right = count(_is_figure_3(n, a) for n, a in places)
    powers = count(
        r["power"] == FIGURE_4[r["output"]][r["count"]] for r in rows if r["mechanism"] == "EM"
    )
    return (
        judge(
            "Figure 3",
            "GM is x a^|i-j| in the outer rows, y a^|i-j| inside, x = 1/(1+a), y = (1-a)/(1+a)",
            f"every entry equal, exactly, at {right} places (n = 2..12, five alphas).",
            right,
        ),
        judge(
            "Figure 4",
            "EM for n = 7 has the printed 64 powers of alpha",
            f"{powers} are the printed ones.",
            powers,
        ),
    )


def _is_figure_3(n: int, a: Fraction) -> bool:
    m, ends, inside = geometric(n=n, alpha=a), 1 / (1 + a), (1 - a) / (1 + a)
    scale = [ends, *[inside] * (n - 1), ends]
    return all(m[i, j] == scale[i] * a ** abs(i - j) for i in range(n + 1) for j in range(n + 1))


def _example() -> tuple[Statement, ...]:
    m = geometric(n=2, alpha="9/10")
    wrong = m[0, 1] + m[2, 1]
    printed = {(0, 1): "0.47", (2, 1): "0.47", (1, 1): "0.05", (0, 0): "0.53"}
    near_one = geometric(n=2, alpha="999999/1000000")
    return (
        judge(
            "Example 1",
            "n = 2, alpha = 9/10: Pr[0|1] = Pr[2|1] = 0.47, Pr[1|1] = 0.05, Pr[0|0] = 0.53",
            f"Pr[0|1] = Pr[2|1] = {m[0, 1]}, Pr[1|1] = {m[1, 1]}, Pr[0|0] = {m[0, 0]}.",
            [to_the_digits(m[cell], said) for cell, said in printed.items()],
        ),
        judge(
            "Example 1",
            "the true answer is eighteen times less likely than an incorrect answer",
            f"an incorrect answer has chance {wrong}, the true one {m[1, 1]}: "
            f"{wrong / m[1, 1]} times.",
            wrong == 18 * m[1, 1],
            f"Each of the two wrong answers by itself is {m[0, 1] / m[1, 1]} times as likely as "
            "the truth.",
        ),
        judge(
            "Example 1",
            "as alpha comes closer to 1 the probability of outputs other than 0 and n approaches 0",
            f"(1-a)/(1+a) for the output 1: {float(near_one[1, 1]):.1g} at alpha = 0.999999.",
            [near_one[1, j] < Fraction(1, 10**6) for j in range(3)],
        ),
    )


def _derivation(settings: Settings) -> tuple[Statement, ...]:
    most = 4 if settings.quick else 6
    places = [(n, a) for a in ALPHAS for n in range(2, most + 1)]
    em = count(not derives_from_geometric(named(EM, n, a)) for n, a in places)
    wm = {name: count(_underivable(name, n, a) for n, a in places) for name in (WM, WM_COLUMNS)}
    return (
        judge(
            "Section IV-D",
            "EM cannot be derived from GM for any n > 1 (Gupte and Sundararajan's test)",
            f"the test fails at {em} places (n = 2..{most}, five alphas).",
            em,
        ),
        judge(
            "Section IV-D",
            "WM cannot be derived from GM for any n > 1",
            f"no optimum derives from GM {in_words(wm)} places.",
            wm,
            "Where GM has the properties it is the only optimum, and derives from itself; "
            "elsewhere some optimum does derive from GM, at the same cost, under WH alone "
            "everywhere and under WH RM CM at many places.",
        ),
    )


def _underivable(name: str, n: int, a: Fraction) -> bool | None:
    """Whether no optimum derives from GM: the best that derives costs more. None where some do
    and others may not.
    """
    best = named(name, n, a).score("L0")
    if best == 2 * a / (1 + a):
        return False  # GM is the only mechanism with this cost
    derived = design(
        n=n, alpha=a, properties="WH" if name == WM else "WH RM CM", derivable=True
    ).score("L0")
    return True if derived > best else None


def _exponential() -> tuple[Statement, ...]:
    """The exponential mechanism with EM's own exponents as quality: a change of one input moves
    each by 1 at most.

    exp(epsilon Q / 2) with Q = -exponent is a power of the root of alpha, and all columns have the
    same sum, so it is EM at half the epsilon. Alphas that are squares make that exact.
    """
    places = [(n, root) for root in ROOTS for n in range(1, 9)]
    made = {
        (n, root): exponential(n=n, quality=_quality(n), alpha=root * root) for n, root in places
    }
    # the same matrix, though each says its own alpha
    same = count(
        all(m[i, j] == fair(n=n, alpha=root)[i, j] for i in range(n + 1) for j in range(n + 1))
        for (n, root), m in made.items()
    )
    weaker = count(m[0, 0] < fair(n=n, alpha=root * root)[0, 0] for (n, root), m in made.items())
    root = ROOTS[-1]
    shown = float(made[7, root][0, 0]), float(fair(n=7, alpha=root * root)[0, 0])
    return (
        judge(
            "Section IV-C",
            "EM by way of the exponential mechanism is considerably weaker, equivalent to halving "
            "epsilon",
            f"it is EM at half the epsilon, entry by entry, at {same} places (n = 1..8, alpha = "
            f"{', '.join(str(r * r) for r in ROOTS)}); its diagonal is smaller than EM's at "
            f"{weaker}. n = 7, alpha = {root * root}: the truth with chance {shown[0]:.4f}, EM "
            f"{shown[1]:.4f}.",
            [same.least == same.of, weaker.least == weaker.of, shown[0] < shown[1] - CLOSE],
        ),
    )


def _quality(n: int) -> list[list[int]]:
    """EM's exponents with a minus sign, as rows [true count][answer]."""
    half = Fraction(1, 2)
    em = fair(n=n, alpha=half)
    return [[-power_of(em[i, j] / em[0, 0], half) for i in range(n + 1)] for j in range(n + 1)]


def draw(outcome: Outcome) -> dict[str, Any]:
    """Draw both matrices with their powers of alpha, shaded by the chances at the alpha of the
    run.
    """
    from discreet.paper.keys import matrix_keys

    rows = outcome.tables["structure"]
    words = {(r["mechanism"], r["output"], r["count"]): _label(r["base"], r["power"]) for r in rows}
    return {"structure": matrix_keys.structure(rows, words)}


def _label(base: str, power: int) -> str:
    """A power as it is printed: y, ya, ya squared."""
    return base if power == 0 else f"{base}a" if power == 1 else f"{base}a{'⁰¹²³⁴⁵⁶⁷'[power]}"
