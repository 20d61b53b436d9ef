"""How the levels of a plan look: a row for each level and count, and what a tenth more or less would change."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from discreet.core.rationals import shown
from discreet.show import html
from discreet.show.text import folded, table

if TYPE_CHECKING:
    from discreet.tables.plan_levels import LevelErrors, PlannedLevel

_HEAD = ("level", "share", "groups", "one draw", "std error", "at worst", "mechanism")
_NOTE = (
    "Standard errors are those of estimates from all levels together, over a level's groups, under the prior asked for "
    "and at the worst true counts."
)
_NONE = "The finest counts have no unbiased estimates, so levels cannot be read together."


def level_lines(levels: tuple[PlannedLevel, ...]) -> list[str]:
    """The levels of a plan as lines of text."""
    rows = [(*row[:-1], f" {row[-1]}") for row in [_HEAD, *_rows(levels)]]
    name, made = (max(len(row[place]) for row in rows) for place in (0, -1))
    widest = max(8, min(name, 31 - min(made, 17)))  # what the other columns leave to the name
    cut = [(_cut(row[0], widest), *row[1:-1], _cut(row[-1], 17)) for row in rows]
    lines = table(cut, f"<{widest} >6 >8 >9 >9 >9 <0")
    for text in _said(levels):
        lines += folded(text, width=79, first="  ", later="    ")
    if changed := _tenths_table(levels):
        return [*lines, "", *changed]
    for text in _tenths(levels):
        lines += folded(text, width=79, first="  ", later="    ")
    return lines


def levels_html(levels: tuple[PlannedLevel, ...]) -> html.Html:
    """The levels of a plan as a table, and what a tenth would change below it."""
    found = html.table(_HEAD, _rows(levels), words={0, len(_HEAD) - 1})
    return html.together(found, html.note(" ".join((*_said(levels), *(f"{text}." for text in _tenths(levels))))))


def _rows(levels: tuple[PlannedLevel, ...]) -> list[tuple[str, ...]]:
    """A row for each level and, where its counts differ, one below it for each of them."""
    found: list[tuple[str, ...]] = []
    for level in levels:
        errors: list[LevelErrors | None] = list(level.errors) or [None] * len(level.each)
        rows = []
        for (count, epsilon), known in zip(level.each, errors, strict=True):
            expected = ("-", "-") if known is None else (_number(known.standard_error), _number(known.worst_error))
            rows.append((count, shown(epsilon), *expected))
        alike = len({row[1:] for row in rows}) == 1
        level_cells = (level.name, shown(level.share), f"{level.groups:,}")
        if not alike:
            found.append((*level_cells, "", "", "", ""))
        for count, *numbers in rows[:1] if alike else rows:
            made = {line.name for line in level.lines if alike or line.count == count}
            label = made.pop() if len(made) == 1 else level.properties or "several"
            found.append((*(level_cells if alike else (f"  {count}", "", "")), *numbers, label))
    return found


def _said(levels: tuple[PlannedLevel, ...]) -> Iterator[str]:
    finest = levels[0]
    shaped = [level for level in levels if level.properties]
    if shaped == [finest]:
        yield f"The shape {finest.properties} is that of {finest.name}; coarser levels use GM."
    elif shaped:
        others = "" if len(shaped) == len(levels) else "; the others use GM"
        yield f"Shapes: {', '.join(f'{level.properties} for {level.name}' for level in shaped)}{others}."
    yield from _alone(levels)
    yield _NOTE if finest.errors else _NONE


def _alone(levels: tuple[PlannedLevel, ...]) -> Iterator[str]:
    """What the first count would have without the coarser levels: what they take, and what they give."""
    known = [(level.name, level.errors[0].alone) for level in levels if level.errors]
    each = ", ".join(f"{name} {_number(error)}" for name, error in known if error is not None)
    if each:
        of = f" of {levels[0].each[0][0]}" if _differ(levels) else ""
        yield f"Without coarser levels, all of epsilon for {levels[0].name}, the standard errors{of} would be: {each}."


def _tenths_table(levels: tuple[PlannedLevel, ...]) -> list[str]:
    """The same as a table, a row for each change and a column for each level; nothing where that is too wide."""
    rows = [
        (f"{level.name}, {word}", *map(_number, errors.values()))
        for level in levels
        for known in level.errors[:1]
        for word, errors in (("more", known.tenth_more), ("less", known.tenth_less))
        if errors is not None
    ]
    lines = table([("a tenth for", *(level.name for level in levels)), *rows], "<0" + " >8" * len(levels), gap=2)
    if not rows or max(map(len, lines)) > 79:
        return []
    of = f" of {levels[0].each[0][0]}" if _differ(levels) else ""
    return [f"  Standard errors{of} if a level had a tenth of epsilon more, or less:", *lines]


def _differ(levels: tuple[PlannedLevel, ...]) -> bool:
    """Whether the counts have errors of their own, so that these must be said to be the first's."""
    return any(len({known.standard_error for known in level.errors}) > 1 for level in levels)


def _tenths(levels: tuple[PlannedLevel, ...]) -> Iterator[str]:
    """What a tenth of epsilon more or less for a level would change, for the first count."""
    of_which = f"{levels[0].each[0][0]} at " if _differ(levels) else ""
    for level in levels:
        for known in level.errors[:1]:
            for word, errors in (("more", known.tenth_more), ("less", known.tenth_less)):
                if errors is not None:
                    each = ", ".join(f"{name} {_number(error)}" for name, error in errors.items())
                    yield f"a tenth of epsilon {word} for {level.name}: {of_which}{each}"


def _cut(name: str, most: int) -> str:
    return name if len(name) <= most else f"{name[: most - 3]}..."


def _number(value: float) -> str:
    return f"{value:.2f}" if value < 100 else f"{value:,.0f}"
