"""A plan in everyday words: what the published numbers of a table will be worth, and what its lines are about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discreet.core.named import NAMED

if TYPE_CHECKING:
    from discreet.tables.plan_levels import PlannedLevel
    from discreet.tables.plan_lines import Line
    from discreet.tables.planning import Plan

JOINT, CELLS = "joint", " cells"
"""How a plan names what draws a group's answers: all at once, or one by one."""


def commonest(plan: Plan) -> Line:
    """The line of the commonest group size."""
    return max(plan.lines, key=lambda line: (line.groups, line.largest))


def gist(plan: Plan) -> str:
    """Say what to expect of the commonest group size."""
    line = commonest(plan)
    who = "Your group" if plan.groups == 1 else f"A group of {line.largest}"
    off = f"{line.rmse:.1f} people" if line.rmse >= 1.05 else "1 person" if line.rmse >= 0.95 else f"{line.rmse:.1f}"
    if line.name == JOINT:
        return (
            f"{who} is published with about {off} counted under a wrong answer; with 95% confidence it is at most "
            f"{line.margin}."
        )
    number = "each of its numbers" if line.name.endswith(CELLS) else "its number"
    return f"{who}: {number} is usually off by about {off}, and with 95% confidence by at most {line.margin}."


def drawn_by(line: Line) -> str:
    """Name what draws the numbers of a line, its code second.

    >>> from types import SimpleNamespace as Named
    >>> [drawn_by(Named(name=name)) for name in ("GM", "GM cells", "joint", "CM")]
    ['geometric mechanism (GM)', 'geometric mechanism (GM), each answer by itself', 'all answers in one draw', 'CM']
    """
    if line.name == JOINT:
        return "all answers in one draw"
    name = line.name.removesuffix(CELLS)
    full = f"{NAMED[name].full} ({name})" if name in NAMED else name
    return f"{full}, each answer by itself" if line.name.endswith(CELLS) else full


def remarks(plan: Plan) -> list[str]:
    """Say what the errors of histograms count: people in a wrong place, or how far one number is off."""
    joint = max((line.largest for line in plan.lines if line.name == JOINT), default=0)
    cells = min((line.n for line in plan.lines if line.name.endswith(CELLS)), default=0)
    said = []
    if joint:
        said.append(
            f"Groups of up to {joint} get all their numbers in one draw, so that they add up to the group. The chance "
            "of the truth is that of all numbers at once, and errors count people who stand under a wrong answer."
        )
    if cells:
        said.append(
            f"In groups of {cells} or more each number is drawn by itself, at half of epsilon, because whoever "
            "changes an answer moves two numbers. Errors are those of one number; a group's numbers need not add up to "
            "its size."
        )
    return said


def level_words(level: PlannedLevel) -> str:
    """Name a level by what its numbers are about."""
    return f"each {level.keys[-1]}" if level.keys else "the total of all"
