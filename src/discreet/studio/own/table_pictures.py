"""What becomes of one group's answers: three of them as a triangle, more as bars of a scale.

A best mechanism may publish something else more often than the truth, such as a group of one mind:
then it is said.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from discreet.show.cells import chance_in_percent
from discreet.studio.own.plan_words import JOINT

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism

_SCALE = "One group of {n} as an example: what was true, and what may be published."


def histogram(
    n: int, answers: Sequence[str], epsilon: Fraction, drawn_by: str, wished: dict[str, Any]
) -> tuple[str, str, str]:
    """Draw one group of n, by what a plan says draws it; return it, what it shows, and what beats
    the truth.

    A group whose answers are drawn one by one, and that is too large for a picture of every count,
    has none.

    >>> histogram(513, ["none", "mild", "severe"], Fraction(1), "GM cells", {})
    ('', '', '')
    """
    from discreet.core.forms import DENSE_LIMIT
    from discreet.core.mechanism import Mechanism
    from discreet.designer import design
    from discreet.designer.orbits.cell_by_cell import cells
    from discreet.show.pictures.scale import scale_bars
    from discreet.show.pictures.svg import colour_scale
    from discreet.show.triangles import falling, has_numbers, over_histograms, triangle_svg

    m = (
        design(n=n, categories=list(answers), epsilon=epsilon, **wished)
        if drawn_by == JOINT
        else None
    )
    if m is None and n > DENSE_LIMIT:
        return "", "", ""
    if not isinstance(m, Mechanism):
        return (
            scale_bars(cells(n=n, categories=list(answers), epsilon=epsilon)),
            _SCALE.format(n=n),
            "",
        )
    truth = falling(over_histograms(m))
    if len(answers) > 3:
        return scale_bars(m), _SCALE.format(n=n), beaten(m, truth)
    counts = ", ".join(f"{many} {answer}" for many, answer in zip(truth, answers, strict=True))
    about = (
        f"What a group of {n} may be published as, if the truth is {counts} (outlined): each "
        "hexagon is one possible result, "
        f"{'with its chance in percent' if has_numbers(n) else 'its colour is its chance'}. Each "
        "corner is a group of one mind."
    )
    scale = (
        ""
        if has_numbers(n)
        else f'<p class="scale">chance {colour_scale(float(max(m.column(truth))), root=False)}</p>'
    )
    return f"{triangle_svg(m, truth)}{scale}", about, beaten(m, truth)


def beaten(m: Mechanism, truth: tuple[int, ...]) -> str:
    """Say which result is likelier than a truth, and how much; nothing where none is.

    >>> from discreet.designer import design
    >>> beaten(design(n=4, categories=["a", "b", "c"], epsilon="1/4"), (2, 1, 1))
    'Here the truth is not the likeliest result: it never comes out, and 4 × a does in 25.2% of
    cases.'
    >>> beaten(design(n=4, categories=["a", "b", "c"], epsilon="1/4", properties="CH"), (2, 1, 1))
    ''
    """
    from discreet.show.triangles import over_histograms

    domain = over_histograms(m)
    column = m.column(truth)
    chance, most = column[domain.number(truth)], max(column)
    if chance == most:
        return ""
    result = next(point for point in domain.points if column[domain.number(point)] == most)
    said = ", ".join(
        f"{many} × {answer}" for many, answer in zip(result, domain.names, strict=True) if many
    )
    start = "Here the truth is not the likeliest result: it"
    if not chance:
        return f"{start} never comes out, and {said} does in {float(most):.1%} of cases."
    return (
        f"{start} comes out in {chance_in_percent(float(chance))} of cases, and {said} in "
        f"{float(most):.1%}."
    )
