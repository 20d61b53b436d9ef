"""The key pictures of the paper's figures that are matrices: 1 to 4, and 7."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from discreet.core.mechanism import Mechanism
from discreet.paper.contestants import EM, GM, WM, WM_COLUMNS
from discreet.paper.panels import Row, said_alpha
from discreet.show.captions import spoken_name
from discreet.show.pictures.sheets.matrix_sheet import Matrix, MatrixSheet
from discreet.show.pictures.sheets.sheet_page import Drawn

_LEAST = {"L1": "least distance", "L2": "least squared error", "L0,1": "fewest off by 2+"}
"""What a design aims at."""


def _chances(m: Mechanism) -> list[list[float]]:
    return [[float(m[i, j]) for j in range(m.n + 1)] for i in range(m.n + 1)]


def _percent(m: Mechanism) -> list[list[str]]:
    """Each chance in percent, nothing for none."""
    return [[f"{100 * chance:.0f}" if chance else "" for chance in row] for row in _chances(m)]


def bare_and_held(bare: Mechanism, held: Mechanism) -> Drawn:
    """One loss with no property and with all seven: without them the design says one number
    whatever the truth is.
    """
    return MatrixSheet(
        title="Asked for nothing else, the best design always publishes 2",
        line=f"chances in %; least squared error; {said_alpha(bare.alpha)}; outlined: the truth",
        panels=[
            Matrix(
                title="no property asked",
                said="the answer says nothing",
                chances=_chances(bare),
                words=_percent(bare),
                unused="never published",
            ),
            Matrix(
                title="all seven properties asked",
                said="no number is likelier than the truth",
                chances=_chances(held),
                words=_percent(held),
            ),
        ],
        darkest=1.0,
        side=260,
    ).drawn()


def never_the_ends(designs: Sequence[tuple[str, Mechanism]]) -> Drawn:
    """Figure 1: four designs with no property asked, by the loss that each minimises."""
    alpha = designs[0][1].alpha
    return MatrixSheet(
        title="No property asked: 0 and the largest number never appear",
        line=f"darker: likelier; outlined: the truth; {said_alpha(alpha)}, as the caption says",
        panels=[
            Matrix(title=f"{m.n} people", said=_LEAST[loss], chances=_chances(m), unused="never")
            for loss, m in designs
        ],
        darkest=0.8,
        columns=(4, 2),
    ).drawn()


def structure(rows: Sequence[Row], words: Mapping[tuple[str, int, int], str]) -> Drawn:
    """Figures 3 and 4: the powers of alpha of the usual and the fair noise, shaded by the
    chances.
    """
    size = 1 + max(row["count"] for row in rows)

    def panel(name: str, title: str, said: str) -> Matrix:
        chances = {
            (r["output"], r["count"]): r["probability"] for r in rows if r["mechanism"] == name
        }
        return Matrix(
            title=title,
            said=said,
            chances=[[chances[i, j] for j in range(size)] for i in range(size)],
            words=[[words[name, i, j] for j in range(size)] for i in range(size)],
        )

    return MatrixSheet(
        title=f"Usual noise piles up at 0 and {size - 1}; fair noise does not",
        line="a is alpha; shaded for alpha 10/11 (epsilon 0.1); outlined: the truth",
        panels=[
            panel(GM, "usual (GM): x at both ends", "x = 1/(1+a), y = (1−a)/(1+a)"),
            panel(EM, "fair (EM): y for every truth", "y makes each column add up to 1"),
        ],
        darkest=max(row["probability"] for row in rows),
    ).drawn()


def four_matrices(mechanisms: Mapping[str, Mechanism], alpha: Fraction) -> Drawn:
    """Figure 7: the usual noise, both of the paper's weakly honest mechanisms, and the fair one,
    on one scale.
    """
    n = mechanisms[GM].n
    ends = min(float(mechanisms[GM][0, j] + mechanisms[GM][n, j]) for j in range(n + 1))
    fair = float(mechanisms[EM][0, 0])
    said = {
        GM: f"0 or {n}: at least {ends:.0%}",
        WM: "truth: at least 20%",
        WM_COLUMNS: "fades away from it",
        EM: f"truth: always {fair:.0%}",
    }
    names = {WM: "weakly honest", WM_COLUMNS: "weakly honest, monotone"}
    return MatrixSheet(
        title=f"Only the usual noise mostly publishes 0 or {n}",
        line=f"chances in %; {said_alpha(alpha)}; outlined: the truth",
        panels=[
            Matrix(
                title=names.get(name, spoken_name(name.partition(" ")[0])),
                said=said[name],
                chances=_chances(m),
                words=_percent(m),
            )
            for name, m in mechanisms.items()
        ],
        darkest=max(
            float(m[i, j]) for m in mechanisms.values() for i in range(n + 1) for j in range(n + 1)
        ),
        columns=(4, 2),
    ).drawn()
