"""Figures 3 and 4, and Example 1: the structure of GM and EM, entry by entry, as powers of alpha.

GM (Figure 3): Pr[i|j] = x a^|i-j| in the first and last row, y a^|i-j| between, x = 1/(1+a), y = (1-a)/(1+a).
EM (Figure 4, n = 7): y times a power of alpha; the powers are printed in the paper and compared one by one.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from discreet.core.named import fair, geometric
from discreet.core.transforms import derives_from_geometric
from discreet.paper.contestants import EM, WM, WM_COLUMNS, named
from discreet.paper.results import Outcome, Rows, Settings, Statement, judge

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
    return Outcome(tables={"structure": rows}, statements=(_figure_3(), _figure_4(rows), *_example(), *_derivation()))


def power_of(ratio: Fraction, alpha: Fraction) -> int:
    """Return k with ratio = alpha^k, or -1 when there is none.

    >>> power_of(Fraction(100, 121), Fraction(10, 11))
    2
    """
    k, value = 0, Fraction(1)
    while value > ratio and k < 64:
        k, value = k + 1, value * alpha
    return k if value == ratio else -1


def _figure_3() -> Statement:
    agree = True
    for a in ALPHAS:
        for n in range(2, 13):
            m, ends, inside = geometric(n=n, alpha=a), 1 / (1 + a), (1 - a) / (1 + a)
            for i in range(n + 1):
                scale = ends if i in (0, n) else inside
                agree &= all(m[i, j] == scale * a ** abs(i - j) for j in range(n + 1))
    said = "GM is x a^|i-j| in the outer rows, y a^|i-j| inside, x = 1/(1+a), y = (1-a)/(1+a)"
    return judge("Figure 3", said, "every entry equal, exactly, for n = 2..12 and five alphas.", agree)


def _figure_4(rows: Rows) -> Statement:
    same = all(row["power"] == FIGURE_4[row["output"]][row["count"]] for row in rows if row["mechanism"] == "EM")
    return judge(
        "Figure 4", "EM for n = 7 has the printed 64 powers of alpha", "all 64 powers are the printed ones.", same
    )


def _example() -> tuple[Statement, ...]:
    m = geometric(n=2, alpha="9/10")
    wrong = m[0, 1] + m[2, 1]
    numbers = [round(float(m[0, 1]), 2), round(float(m[1, 1]), 2), round(float(m[0, 0]), 2)]
    return (
        judge(
            "Example 1",
            "n = 2, alpha = 9/10: Pr[0|1] = 0.47, Pr[1|1] = 0.05, Pr[0|0] = 0.53",
            f"Pr[0|1] = {m[0, 1]}, Pr[1|1] = {m[1, 1]}, Pr[0|0] = {m[0, 0]}.",
            numbers == [0.47, 0.05, 0.53],
        ),
        judge(
            "Example 1",
            "the true answer is eighteen times less likely than an incorrect answer",
            f"an incorrect answer has chance {wrong}, the true one {m[1, 1]}: {wrong / m[1, 1]} times.",
            wrong == 18 * m[1, 1],
            f"Each of the two wrong answers by itself is {m[0, 1] / m[1, 1]} times as likely as the truth.",
        ),
    )


def _derivation() -> tuple[Statement, ...]:
    places = [(n, a) for a in ALPHAS for n in range(2, 9)]

    def derived(name: str) -> int:
        return sum(bool(derives_from_geometric(named(name, n, a))) for n, a in places)

    found = {name: derived(name) for name in (EM, WM, WM_COLUMNS)}
    low = [(n, a) for n, a in places if a <= Fraction(2, 3)]
    meets = all(
        bool(derives_from_geometric(named(WM, n, a))) == (named(WM, n, a).score("L0") == 2 * a / (1 + a))
        for n, a in places
    )
    also = all(derives_from_geometric(named(WM_COLUMNS, n, a)) for n, a in low)
    return (
        judge(
            "Section IV-D",
            "EM cannot be derived from GM for any n > 1 (Gupte and Sundararajan's test)",
            f"the test passes at {found[EM]} of {len(places)} places (n = 2..8, five alphas).",
            found[EM] == 0,
        ),
        judge(
            "Section IV-D",
            "WM cannot be derived from GM for any n > 1",
            f"WM (WH) can at {found[WM]} of {len(places)} places, WM (WH RM CM) at {found[WM_COLUMNS]}.",
            found[WM] == found[WM_COLUMNS] == 0,
            ("WM (WH) can just where it is GM. " if meets else "")
            + ("WM (WH RM CM) can wherever alpha <= 2/3 was tried, and elsewhere." if also else ""),
        ),
    )


def draw(outcome: Outcome) -> dict[str, Any]:
    """Draw both matrices with their powers of alpha."""
    from discreet.show.colours import RAMP
    from discreet.show.pictures.theme import altair, finished, inline

    alt = altair()
    panels = []
    for name in ("GM", "EM"):
        rows = [
            {**row, "label": _label(row["base"], row["power"])}
            for row in outcome.tables["structure"]
            if row["mechanism"] == name
        ]
        base = alt.Chart(inline(rows)).encode(
            x=alt.X("count:O", title="true count", axis=alt.Axis(labelAngle=0, orient="bottom")),
            y=alt.Y("output:O", title="output"),
        )
        shade = alt.Color("power:Q", scale=alt.Scale(range=list(reversed(RAMP[:4])), domain=[0, 7]), legend=None)
        cells = base.mark_rect(stroke="white").encode(color=shade)
        words = base.mark_text(fontSize=12).encode(text="label:N")
        panels.append(alt.layer(cells, words).properties(width=300, height=300, title=name))
    lines = [
        "n = 7; darker is more likely relative to the truth; a is alpha",
        "GM: x = 1/(1+a), y = (1-a)/(1+a); EM: y = one over the sum of a column's powers",
    ]
    return {"structure": finished(alt.hconcat(*panels, spacing=30), "Structure of GM and EM", lines)}


def _label(base: str, power: int) -> str:
    return base if power == 0 else f"{base} a" if power == 1 else f"{base} a^{power}"
