"""The lines of a plan for a question with several answers: sizes drawn whole, and sizes drawn cell
by cell.

Of a histogram drawn whole a line says how many people are misplaced (half of the sum of
differences); of cells, how far one answer's count is off. What each costs, and why it is the one or
the other, is said in words beside the lines.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING, Any

from discreet.core.family import BySize, range_words
from discreet.core.forms import Folded
from discreet.core.forms.orbits import number_of_orbits
from discreet.core.histogram import Histogram
from discreet.core.rationals import Alpha, in_decimals
from discreet.tables.asking.histogram_design import (
    MOST_FOLDED,
    MOST_JOINT_ANSWERS,
    MOST_JOINT_POINTS,
    cell_privacy,
    is_joint,
)
from discreet.tables.plan_lines import Line, plan_lines, size_ranges

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism

CONFIDENCE = Fraction(95, 100)


def histogram_lines(count: str, groups: Mapping[int, int], by_size: BySize) -> list[Line]:
    """The lines of one question of three answers or more."""
    joint = {n: m for n, m in by_size.single.items() if is_joint(m)}
    lines = []
    for sizes in size_ranges(list(joint), dict.fromkeys(joint, "joint")):
        mechanism, held = joint[sizes[-1]], sum(groups[n] for n in sizes)
        facts = _expected(mechanism)
        lines.append(
            Line(count=count, n=sizes[0], largest=sizes[-1], sizes=len(sizes), groups=held, **facts)
        )
    rest = by_size.sizes[bisect_left(by_size.sizes, max(joint, default=-1) + 1) :]
    if rest:
        single = {n: by_size.single[n] for n in rest if n in by_size.single}
        by_cell = BySize(rest, by_size.families, single, by_size.make)
        found = plan_lines(count, {n: groups[n] for n in rest}, by_cell)
        lines += [replace(line, name=f"{line.name} cells") for line in found]
    return lines


def histogram_notes(
    count: str, answers: int, by_size: BySize, each: Alpha, *, cells: bool = False
) -> list[str]:
    """Which sizes are drawn whole and which answer by answer, at which price, and why: a
    sentence for each.
    """
    joint = [n for n, m in by_size.single.items() if is_joint(m)]
    rest = [n for n in by_size.sizes if n not in joint]
    said = []
    if any(joint):
        said.append(
            f"{count}, {_groups(joint)}: all answers in one draw, at epsilon "
            f"{in_decimals(each.epsilon)}"
        )
    if rest:
        half = cell_privacy(each).epsilon
        said.append(
            f"{count}, {_groups(rest)}: answer by answer, each by GM at epsilon "
            f"{in_decimals(half)} (one person's change touches two); they need not add up to n. "
            f"Why: {_why_cells(rest[0], answers, cells=cells)}"
        )
    return said


def _why_cells(n: int, answers: int, *, cells: bool) -> str:
    """Why the smallest size that is drawn answer by answer is."""
    if cells:
        return "as asked for"
    if too_large(n, answers):
        return "one draw of all would be too large to design"
    return "one draw of all would leave totals unreadable, or take too long to design"


def too_large(n: int, answers: int) -> bool:
    """Whether so many answers are drawn one by one in groups of n at every epsilon: one draw
    could not be designed.
    """
    domain = Histogram(n, answers)
    if answers > MOST_JOINT_ANSWERS or domain.size > MOST_JOINT_POINTS:
        return True
    return number_of_orbits(domain, (0,) * answers) > MOST_FOLDED


def _groups(sizes: list[int]) -> str:
    return f"groups of {range_words(min(sizes), max(sizes))}"


def _expected(mechanism: Mechanism) -> dict[str, Any]:
    margin = _margin(mechanism)
    exact = not isinstance(mechanism.form, Folded)  # an empty group
    return {
        "mechanism": mechanism.id,
        "name": "joint",
        "method": mechanism.origin.method,
        "properties": str(mechanism.shape),
        "truth": 1.0 if exact else float(1 - mechanism.score("L0")),
        "rmse": 0.0 if exact else sqrt(mechanism.score("L2")),
        "margin": margin,
        "width": min(2 * margin, mechanism.n),
    }


def _margin(mechanism: Mechanism) -> int:
    """The least number of people misplaced that is not exceeded with 95% confidence, whatever
    the truth is.
    """
    form = mechanism.form
    if not isinstance(form, Folded):
        return 0
    orbits = form.orbits
    mass = [[0] * (mechanism.n + 1) for _ in orbits.truths]
    for s, entries, far, x in zip(
        orbits.truth_of, orbits.entries, orbits.distance, form.values, strict=True
    ):
        mass[s][far] += entries * x
    enough = CONFIDENCE * form.denominator
    return max(
        next(d for d in range(mechanism.n + 1) if sum(row[: d + 1]) >= enough) for row in mass
    )
