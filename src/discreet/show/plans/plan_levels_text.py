"""How the levels of a plan look: a row for each level and count, and what a tenth more or less
would change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from discreet.core.rationals import in_decimals
from discreet.show import html
from discreet.show.plans.own_tables_text import planned_alone
from discreet.show.text import folded, table

if TYPE_CHECKING:
    from discreet.tables.plan_levels import LevelErrors, PlannedLevel

_HEAD = ("level", "share", "groups", "std error", "without", "at worst", "mechanism")
_NOTE = (
    "std error: of estimates from all levels together. without: if there were one table by {} "
    "alone. at worst: at the worst true counts."
)
_BRIEFLY = "std error: from all levels together. without: of one table by {} alone."
_NONE = "The finest counts have no unbiased estimates, so levels cannot be read together."
_WIDEST = 79
_SMALLEST_GAIN = 0.02
"""A change that is worth a word."""


def level_lines(
    levels: tuple[PlannedLevel, ...], spell: Callable[[str], str] = str, *, details: bool = True
) -> list[str]:
    """The levels of a plan as lines of text; `spell` writes parameters as the reader types them."""
    rows = [(*row[:-1], f" {row[-1]}") for row in [_HEAD, *_rows(levels)]]
    name, made = (max(len(row[place]) for row in rows) for place in (0, -1))
    widest = max(8, min(name, 31 - min(made, 17)))  # what the other columns leave to the name
    cut = [(_cut(row[0], widest), *row[1:-1], _cut(row[-1], 17)) for row in rows]
    if not details:  # the worst case, and the usual noise, are not said first
        cut = [
            (*row[:5], *([] if {row[-1].strip() for row in cut[1:]} <= {"GM", ""} else row[6:]))
            for row in cut
        ]
    lines = table(
        cut, f"<{widest} >6 >8 >9 >9" + (" >9 <0" if details else " <0" * (len(cut[0]) - 5))
    )
    lines.append("")
    for text in _said(levels, details=details):
        lines += folded(text, width=_WIDEST, first="  ", later="    ")
    for text in planned_alone(levels):
        lines += folded(spell(text), width=_WIDEST, first="  ", later="    ")
    head, *changed = _tenths(levels)
    if not changed or not details:
        return lines
    least = max(len(row[0]) for row in changed)
    room = max(8, (_WIDEST - 2 - least) // len(levels) - 2)
    names = [head[0], *(_cut(name, room) for name in head[1:])]
    return [
        *lines,
        "",
        f"  {_tenths_title(levels)}:",
        *table([names, *changed], "<0" + " >8" * len(levels), gap=2),
    ]


def levels_html(levels: tuple[PlannedLevel, ...]) -> html.Html:
    """The levels of a plan as a table, and what a tenth would change below it."""
    found = html.table(_HEAD, _rows(levels), words={0, len(_HEAD) - 1})
    notes = html.note(
        " ".join((*levels_verdict(levels), *_said(levels, details=True), *planned_alone(levels)))
    )
    head, *changed = _tenths(levels)
    if not changed:
        return html.together(found, notes)
    return html.together(
        found, notes, html.table(head, changed, caption=_tenths_title(levels), words={0})
    )


def _rows(levels: tuple[PlannedLevel, ...]) -> list[tuple[str, ...]]:
    """A row for each level and, where its counts differ, one below it for each of them."""
    found: list[tuple[str, ...]] = []
    for level, name in zip(levels, _short(levels), strict=True):
        errors: list[LevelErrors | None] = list(level.errors) or [None] * len(level.each)
        rows = []
        for (count, epsilon), known in zip(level.each, errors, strict=True):
            numbers = (
                (None,) * 3
                if known is None
                else (known.standard_error, known.alone, known.worst_error)
            )
            rows.append(
                (
                    count,
                    str(epsilon),
                    *("-" if number is None else _number(number) for number in numbers),
                )
            )
        alike = len({row[1:] for row in rows}) == 1
        level_cells = (name, in_decimals(level.share), f"{level.groups:,}")
        if not alike:
            found.append((*level_cells, "", "", "", ""))
        for count, _, *expected in rows[:1] if alike else rows:
            made = {line.name for line in level.lines if alike or line.count == count}
            label = made.pop() if len(made) == 1 else level.properties or "several"
            found.append((*(level_cells if alike else (f"  {count}", "", "")), *expected, label))
    return found


def _said(levels: tuple[PlannedLevel, ...], *, details: bool) -> Iterator[str]:
    finest, names = levels[0], _short(levels)
    shaped = [level for level in levels if level.properties]
    if shaped == [finest]:
        yield f"The shape {finest.properties} is that of {names[0]}; coarser levels use GM."
    elif shaped:
        others = "" if len(shaped) == len(levels) else "; the others use GM"
        each = [
            f"{level.properties} for {name}"
            for level, name in zip(levels, names, strict=True)
            if level in shaped
        ]
        yield f"Shapes: {', '.join(each)}{others}."
    if not finest.errors:
        yield _NONE
        return
    yield (_NOTE if details else _BRIEFLY).format(_short(levels)[0])


BRING_NOTHING = (
    "Levels bring nothing here: without `levels` every one of these numbers would be better or "
    "equal"
)


def levels_verdict(levels: tuple[PlannedLevel, ...], *, shares: bool = True) -> Iterator[str]:
    """What coarser levels bring and cost, for the first count, and `shares` as they are, to be
    changed.
    """
    ratio = {
        name: known.standard_error / known.alone
        for level, name in zip(levels, _short(levels), strict=True)
        for known in level.errors[:1]
        if known.alone
    }
    if len(ratio) < 2:
        return
    finest, *coarser = ratio
    gained = [name for name in coarser if ratio[name] < 1 - _SMALLEST_GAIN]
    others = [name for name in (finest, *coarser) if name not in gained]
    # without them all of epsilon would be for the finest: what did not gain would be better, or as
    # good
    if not gained:
        yield (
            f"{BRING_NOTHING}. Beside one table by {finest} alone and sums of it: "
            f"{_times(ratio, others)}."
        )
    else:
        some = len(gained) < len(coarser)
        less = (
            "; without `levels` every other of these numbers would be better or equal"
            if some
            else ""
        )
        yield (
            f"Levels help {'only ' if some else ''}{_listed(gained)}{less}. Beside one table by "
            f"{finest} alone and sums of it, they bring: {_times(ratio, gained)}. They cost: "
            f"{_times(ratio, others)}."
        )
    if shares:
        now = {level.name: in_decimals(level.share) for level in levels[1:]}
        yield f"The shares now, to copy and change ({finest} has the rest): `level_split={now!r}`"


def _times(ratio: Mapping[str, float], names: Sequence[str]) -> str:
    """How noisy some levels become, beside what they would be.

    >>> _times({"class": 1.32, "total": 0.5, "school": 1.01}, ["class", "school"])
    'class 1.32 times as noisy, school about as noisy'
    """
    return ", ".join(
        f"{name} about as noisy"
        if abs(ratio[name] - 1) <= _SMALLEST_GAIN
        else f"{name} {ratio[name]:.2f} times as noisy"
        for name in names
    )


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _tenths_title(levels: tuple[PlannedLevel, ...]) -> str:
    of = f" of {levels[0].each[0][0]}" if _differ(levels) else ""
    return f"Standard errors{of} if one level had a tenth of epsilon more, or less"


def _tenths(levels: tuple[PlannedLevel, ...]) -> list[tuple[str, ...]]:
    """What a tenth of epsilon more or less for a level would change, for the first count: a row
    for each change.
    """
    names = _short(levels)
    rows = [
        (f"{word} for {name}", *map(_number, errors.values()))
        for level, name in zip(levels, names, strict=True)
        for known in level.errors[:1]
        for word, errors in (("more", known.tenth_more), ("less", known.tenth_less))
        if errors is not None
    ]
    now = (
        [("as planned", *(_number(level.errors[0].standard_error) for level in levels))]
        if rows
        else []
    )
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
