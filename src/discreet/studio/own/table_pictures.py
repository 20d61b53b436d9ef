"""What becomes of one group's answers: three of them as a triangle, more as bars of a scale."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from discreet.studio.own.plan_words import JOINT

_SCALE = "One group of {n} as an example: what was true, and what may be published."


def histogram(
    n: int, answers: Sequence[str], epsilon: Fraction, drawn_by: str, wished: dict[str, Any]
) -> tuple[str, str]:
    """Draw one group of n, by what a plan says draws it; return the picture and what it shows."""
    from discreet.core.mechanism import Mechanism
    from discreet.designer import design
    from discreet.designer.orbits.cell_by_cell import cells
    from discreet.show.pictures.scale import scale_bars
    from discreet.show.triangles import falling, over_histograms, triangle_svg

    m = design(n=n, categories=list(answers), epsilon=epsilon, **wished) if drawn_by == JOINT else None
    if not isinstance(m, Mechanism):
        return scale_bars(cells(n=n, categories=list(answers), epsilon=epsilon)), _SCALE.format(n=n)
    truth = falling(over_histograms(m))
    if len(answers) > 3:
        return scale_bars(m), _SCALE.format(n=n)
    counts = ", ".join(f"{many} {answer}" for many, answer in zip(truth, answers, strict=True))
    about = (
        f"What a group of {n} may be published as, if the truth is {counts} (outlined): each hexagon is one possible "
        "result, with its chance in percent. Each corner is a group of one mind."
    )
    return str(triangle_svg(m, truth)), about
