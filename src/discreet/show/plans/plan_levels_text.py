"""How the levels of a plan look: a row for each level and count, and what a tenth more or less would change."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from discreet.core.rationals import shown
from discreet.show import html
from discreet.show.plans.own_tables_text import planned_alone
from discreet.show.text import folded, table

if TYPE_CHECKING:
    from discreet.tables.plan_levels import LevelErrors, PlannedLevel

_HEAD = ("level", "share", "groups", "std error", "without", "at worst", "mechanism")
_NOTE = (
    "std error: of estimates from all levels together, over a level's groups, under the prior asked for; at worst: at "
    "the worst true counts."
)
_WITHOUT = "without: the standard error if there were no coarser levels, and all of epsilon for {}."
_NONE = "The finest counts have no unbiased estimates, so levels cannot be read together."
_WIDEST = 79
_SMALLEST_GAIN, _MOST_NOISE = 0.02, 2.05
"""A change that is worth a word, and how many times as noisy the finest level may become before it gets one."""


def level_lines(levels: tuple[PlannedLevel, ...], spell: Callable[[str], str] = str) -> list[str]:
    """The levels of a plan as lines of text; `spell` writes parameters as the reader types them."""
    rows = [(*row[:-1], f" {row[-1]}") for row in [_HEAD, *_rows(levels)]]
    name, made = (max(len(row[place]) for row in rows) for place in (0, -1))
    widest = max(8, min(name, 31 - min(made, 17)))  # what the other columns leave to the name
    cut = [(_cut(row[0], widest), *row[1:-1], _cut(row[-1], 17)) for row in rows]
    lines = table(cut, f"<{widest} >6 >8 >9 >9 >9 <0")
    for text in _said(levels):
        lines += folded(text, width=_WIDEST, first="  ", later="    ")
    for text in (*_bargains(levels), *planned_alone(levels)):
        lines += folded(spell(text), width=_WIDEST, first="  ", later="    ")
    head, *changed = _tenths(levels)
    if not changed:
        return lines
    least = max(len(row[0]) for row in changed)
    room = max(8, (_WIDEST - 2 - least) // len(levels) - 2)
    names = [head[0], *(_cut(name, room) for name in head[1:])]
    return [*lines, "", f"  {_tenths_title(levels)}:", *table([names, *changed], "<0" + " >8" * len(levels), gap=2)]


def levels_html(levels: tuple[PlannedLevel, ...]) -> html.Html:
    """The levels of a plan as a table, and what a tenth would change below it."""
    found = html.table(_HEAD, _rows(levels), words={0, len(_HEAD) - 1})
    notes = html.note(" ".join((*_said(levels), *_bargains(levels), *planned_alone(levels))))
    head, *changed = _tenths(levels)
    if not changed:
        return html.together(found, notes)
    return html.together(found, notes, html.table(head, changed, caption=_tenths_title(levels), words={0}))


def _rows(levels: tuple[PlannedLevel, ...]) -> list[tuple[str, ...]]:
    """A row for each level and, where its counts differ, one below it for each of them."""
    found: list[tuple[str, ...]] = []
    for level in levels:
        errors: list[LevelErrors | None] = list(level.errors) or [None] * len(level.each)
        rows = []
        for (count, epsilon), known in zip(level.each, errors, strict=True):
            numbers = (None,) * 3 if known is None else (known.standard_error, known.alone, known.worst_error)
            rows.append((count, str(epsilon), *("-" if number is None else _number(number) for number in numbers)))
        alike = len({row[1:] for row in rows}) == 1
        level_cells = (level.name, shown(level.share), f"{level.groups:,}")
        if not alike:
            found.append((*level_cells, "", "", "", ""))
        for count, _, *expected in rows[:1] if alike else rows:
            made = {line.name for line in level.lines if alike or line.count == count}
            label = made.pop() if len(made) == 1 else level.properties or "several"
            found.append((*(level_cells if alike else (f"  {count}", "", "")), *expected, label))
    return found


def _said(levels: tuple[PlannedLevel, ...]) -> Iterator[str]:
    finest = levels[0]
    shaped = [level for level in levels if level.properties]
    if shaped == [finest]:
        yield f"The shape {finest.properties} is that of {finest.name}; coarser levels use GM."
    elif shaped:
        others = "" if len(shaped) == len(levels) else "; the others use GM"
        yield f"Shapes: {', '.join(f'{level.properties} for {level.name}' for level in shaped)}{others}."
    if not finest.errors:
        yield _NONE
        return
    yield _NOTE
    yield _WITHOUT.format(finest.name)


def _bargains(levels: tuple[PlannedLevel, ...]) -> Iterator[str]:
    """What the first count loses by its coarser levels, where that is no good bargain, and what helps."""
    ratio = {
        level.name: known.standard_error / known.alone for level in levels for known in level.errors[:1] if known.alone
    }
    finest, coarser = levels[0].name, [level.name for level in levels[1:] if level.name in ratio]
    if coarser and all(ratio[name] > 1 - _SMALLEST_GAIN for name in coarser):
        yield "No coarser level gains by being released here: leave `levels` out."
        return
    if worse := [name for name in coarser if ratio[name] > 1 + _SMALLEST_GAIN]:
        each = " and ".join(f"{name} ({ratio[name]:.1f} times)" for name in worse)
        yield f"Noisier than without coarser levels: {each}. Give more to these or to finer levels: `level_split`."
    if ratio.get(finest, 0.0) > _MOST_NOISE:
        yield (
            f"{finest} becomes {ratio[finest]:.1f} times as noisy as without coarser levels. If that is too much, give "
            "it more: `level_split`."
        )


def _tenths_title(levels: tuple[PlannedLevel, ...]) -> str:
    of = f" of {levels[0].each[0][0]}" if _differ(levels) else ""
    return f"Standard errors{of} if one level had a tenth of epsilon more, or less"


def _tenths(levels: tuple[PlannedLevel, ...]) -> list[tuple[str, ...]]:
    """What a tenth of epsilon more or less for a level would change, for the first count: a row for each change."""
    names = _short(levels)
    rows = [
        (f"{word} for {name}", *map(_number, errors.values()))
        for level, name in zip(levels, names, strict=True)
        for known in level.errors[:1]
        for word, errors in (("more", known.tenth_more), ("less", known.tenth_less))
        if errors is not None
    ]
    now = [("as planned", *(_number(level.errors[0].standard_error) for level in levels))] if rows else []
    return [("", *names), *now, *rows]


def _short(levels: tuple[PlannedLevel, ...]) -> list[str]:
    """The levels by their last keys, where those tell them apart."""
    last = [level.keys[-1] if level.keys else level.name for level in levels]
    return last if len(set(last)) == len(last) else [level.name for level in levels]


def _differ(levels: tuple[PlannedLevel, ...]) -> bool:
    """Whether the counts have errors of their own, so that these must be said to be the first's."""
    return any(len({known.standard_error for known in level.errors}) > 1 for level in levels)


def _cut(name: str, most: int) -> str:
    return name if len(name) <= most else f"{name[: most - 3]}..."


def _number(value: float) -> str:
    return f"{value:.2f}" if value < 100 else f"{value:,.0f}"
