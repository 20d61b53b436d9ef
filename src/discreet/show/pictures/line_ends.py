"""Names at the ends of lines, in place of a legend: where they have room."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise, zip_longest
from statistics import fmean
from textwrap import wrap
from typing import Any

from discreet.show.captions import spoken_name
from discreet.show.cells import Rows
from discreet.show.colours import INK, Look, legible
from discreet.show.pictures.theme import LETTERS, altair, inline

_APART, _ASIDE, _LONGEST, _WIDEST = 16.0, 13.0, 20, 0.72
"""Pixels from one line of a name to the next, pixels that a name may stand off the end of its line,
letters of a line of a name, and how wide a letter may be, as a share of its size.

A name has the colour of its line, so that the two are known to belong together.
"""

_NEAR = 4.5
"""The same where lines have no points."""

_FAR = 56.0
"""Pixels that a name may be moved if a thin line leads to it from the end of its own."""

_LEAD, _QUIET = 14, "#8c8c8c"
"""Pixels that such a line takes, and its colour."""

SEEN = 0.005
"""How far apart two lines must be to be seen as two, as a share of the axis: about the width of
a line.
"""


_ONE = 0.02
"""How near lines with markers must be all along to be drawn as one, as a share of the axis:
their markers overlap.
"""


def merged(
    rows: Rows, x: str, fields: Sequence[str], labels: Sequence[str], near: float = _ONE
) -> tuple[dict[str, str], float]:
    """The lines to draw, each with the series that it stands for, and how far from it one of these
    is at most.

    A series that is as near as this to an earlier one in every field, and at every place, has no
    line of its own.

    >>> values = {"GM": 0.5, "EM": 0.8, "WM": 0.5, "CM": 0.51}
    >>> rows = [{"series": name, "n": n, "v": v} for name, v in values.items() for n in (1, 2)]
    >>> merged(rows, "n", ["v"], list(values))[0]
    {'GM': 'GM = WM ≈ CM', 'EM': 'EM'}
    """
    spans = {
        y: max(row[y] for row in rows) - min(0.0, *(row[y] for row in rows)) or 1.0 for y in fields
    }
    lines = {label: {row[x]: row for row in rows if row["series"] == label} for label in labels}
    kept: dict[str, str] = {}
    farthest = 0.0

    def apart(one: str, other: str) -> dict[str, float] | None:
        if set(lines[one]) != set(lines[other]):
            return None
        return {
            y: max(abs(row[y] - lines[other][at][y]) for at, row in lines[one].items())
            for y in fields
        }

    for label in labels:
        for drawn in kept:
            gaps = apart(drawn, label)
            if gaps is not None and all(gap <= near * spans[y] for y, gap in gaps.items()):
                equal = max(gaps.values()) <= 1e-9
                kept[drawn] += f" {'=' if equal else '≈'} {label}"
                farthest = max(farthest, *gaps.values())
                break
        else:
            kept[label] = label
    return kept, farthest


def joint_words(joint: str) -> str:
    """The name of one line, or of several that are drawn as one, in words.

    >>> joint_words("GM = WM")
    'usual (GM) = weakly honest (WM)'
    """
    return "".join(
        f" {part} " if k % 2 else spoken_name(part) for k, part in enumerate(_sign.split(joint))
    )


def line_ends(
    rows: Rows,
    x: str,
    y: str,
    labels: Sequence[str],
    height: float,
    *,
    from_0: bool,
    points: bool = True,
    joint: Mapping[str, str] | None = None,
    digits: int = 0,
) -> Rows | None:
    """Where the names of lines stand, at their last points; None where two would touch, or lines
    end at several places.

    A line that stands for several all along has the name that `joint` gives it (`merged`). Lines
    that only meet at their ends have a name each, for elsewhere they are apart. With `digits`, the
    value at the end stands behind the name of a line, or of equal ones; below it where it is long.

    >>> two = [{"series": "a", "n": 1, "v": 0.5}, {"series": "b", "n": 1, "v": 1.0}]
    >>> line_ends(two, "n", "v", ["a", "b"], 100, from_0=True)[0]
    {'series': 'a', 'n': 1, 'v': 0.5, 'name': 'a', 'moved': 0.0}
    >>> line_ends(
    ...     [{**row, "v": 1} for row in two], "n", "v", ["a", "b"], 100, from_0=True, points=False
    ... )
    >>> alike = [{"series": "GM", "n": n, "v": 0.25 * n} for n in (1, 2)]
    >>> line_ends(alike, "n", "v", ["GM"], 100, from_0=True, joint={"GM": "GM = CM WH"}, digits=2)[
    ...     0
    ... ]["name"].split()[-3:]
    ['CM', 'WH', '0.5']
    """
    last = {
        label: max((row for row in rows if row["series"] == label), key=lambda row: row[x])
        for label in labels
    }
    if len({row[x] for row in last.values()}) > 1:
        return None
    values = [row[y] for row in rows]
    low, high = min(values), max(values)
    low = min(low, 0.0) if from_0 else low
    pixels = height / ((high - low) or 1.0)
    rows_at = sorted(last.values(), key=lambda row: row[y])
    wholes = [(joint or {}).get(row["series"], row["series"]) for row in rows_at]
    ends = [(row[y] - low) * pixels for row in rows_at]
    names, moved = _placed(wholes, rows_at, y, ends, digits, brief=False)
    if max(map(abs, moved)) > _ASIDE:  # lines that end together: codes take less room than words
        names, moved = _placed(wholes, rows_at, y, ends, digits, brief=True)
    if max(len(line) for name in names for line in name) > _LONGEST:
        return None
    if max(map(abs, moved)) > (_FAR if points else _NEAR):
        return None
    return [
        {**row, "name": "\n".join(name), "moved": round(up, 1)}
        for row, name, up in zip(rows_at, names, moved, strict=True)
    ]


def _placed(
    wholes: Sequence[str], rows: Rows, y: str, ends: Sequence[float], digits: int, *, brief: bool
) -> tuple[list[list[str]], list[float]]:
    """Names in lines, with their values, and how far each is moved up from the end of its line."""
    names = [_lines(whole, brief=brief) for whole in wholes]
    for name, whole, row in zip(names, wholes, rows, strict=True):
        value = f"{row[y]:.{digits}g}".replace("-", "−") if digits else ""
        if not value or "≈" in whole:
            continue
        if len(name[-1]) + len(value) < _LONGEST:
            name[-1] += f"\xa0\xa0{value}"
        elif len(name) == 1 and " = " in whole:  # of equal lines it stands below the name
            name.append(value)
    places = spaced(ends, [_APART * len(name) + 8 * (len(name) > 1) for name in names])
    return names, [place - end for place, end in zip(places, ends, strict=True)]


def spaced(places: Sequence[float], tall: Sequence[float]) -> list[float]:
    """Places in rising order of things that are so tall, moved as little as can be until none
    touches the next.

    >>> spaced([0, 10, 40], [10, 10, 10]), spaced([20, 21, 60], [10, 20, 10])
    ([0.0, 10.0, 40.0], [13.0, 28.0, 60.0])
    """
    below = [0.0]
    for one, other in pairwise(tall):
        below.append(below[-1] + (one + other) / 2)
    blocks: list[
        list[float]
    ] = []  # without the distances that they are to have, neighbours may not fall
    for place, under in zip(places, below, strict=True):
        blocks.append([place - under])
        while len(blocks) > 1 and fmean(blocks[-2]) > fmean(blocks[-1]):
            blocks[-2:] = [blocks[-2] + blocks[-1]]
    moved = [fmean(block) for block in blocks for _ in block]
    return [place + under for place, under in zip(moved, below, strict=True)]


def _lines(joint: str, *, brief: bool = False) -> list[str]:
    """A name in words, in lines that are not too long; of more than two lines that are one, the
    first (`more`).

    Beside another name there is no room for two lines: a name of several properties is their codes
    there, and where it is to be `brief`.

    >>> _lines("CM WH"), _lines("EM = WM"), _lines("EM = CM WH")[0].split()[2:]
    (['column monotone,', 'weakly honest'], ['fair (EM)\\xa0=', 'weakly honest (WM)'], ['=', 'CM',
    'WH'])
    """
    parts = _sign.split(joint)
    if more := _others(joint):
        parts = [parts[0]]
    names = [spoken_name(part) for part in parts[::2]]
    if len(names) > 1 or brief:
        names = [
            part if len(name) > _LONGEST else name
            for name, part in zip(names, parts[::2], strict=True)
        ]
    said = [
        name + (f"\xa0{sign}" if sign else "") for name, sign in zip_longest(names, parts[1::2])
    ]
    said += [f"and {_many(more)}"] if more else []
    short = [" ".join(said)] if len(" ".join(said)) <= _LONGEST else said  # else a line for each
    return [line for one in short for line in wrap(one, _LONGEST, break_long_words=False) or [one]]


def _others(joint: str) -> list[str]:
    """The names that are left out of that of more than two lines that are one."""
    names = _sign.split(joint)[::2]
    return names[1:] if len(names) > 2 else []


def _many(names: Sequence[str]) -> str:
    return f"{ {2: 'two', 3: 'three', 4: 'four'}.get(len(names), len(names)) } more"


def more_names(ends: Iterable[Mapping[str, Any]], joint: Mapping[str, str]) -> str:
    """Which names are left out at the ends of lines, in words, for below a title; nothing where
    none is.

    >>> more_names([{"series": "GM"}], {"GM": "GM = WM = UM"})
    'usual (GM) and two more: weakly honest (WM); guessing (UM)'
    """
    said = []
    for end in ends:
        whole = joint.get(end["series"], end["series"])
        if more := _others(whole):
            first = spoken_name(_sign.split(whole)[0])
            said.append(f"{first} and {_many(more)}: {'; '.join(map(spoken_name, more))}")
    return "\n".join(dict.fromkeys(said))


_sign = re.compile(" ([=≈]) ")


def beneath(rows: Rows, x: str, y: str, labels: Sequence[str]) -> set[str]:
    """The series of which a piece, two points in a row, is hidden by one that is drawn after
    them.
    """
    values = [row[y] for row in rows]
    near = SEEN * (max(values) - min(*values, 0.0))
    lines = {
        label: {
            row[x]: row[y] for row in sorted(rows, key=lambda row: row[x]) if row["series"] == label
        }
        for label in labels
    }

    def hides(over: str, under: str) -> bool:
        above, line = lines[over], lines[under]
        met = [at in above and abs(above[at] - value) <= near for at, value in line.items()]
        return any(one and other for one, other in pairwise(met))

    return {
        one for k, one in enumerate(labels) if any(hides(other, one) for other in labels[k + 1 :])
    }


def names_at(ends: Rows, x: Any, y: Any, tip: list[Any], drawn: Mapping[str, Look]) -> list[Any]:
    """Draw the names, each in the colour of its line, as it can be read."""
    alt = altair()
    layers = []
    for end in ends:
        base = alt.Chart(inline([end])).encode(x=x, y=y, tooltip=tip)
        look = drawn.get(end["series"])
        far = _LEAD if abs(end["moved"]) > _ASIDE else 0
        if far:
            ends_at = {
                name: axis.shorthand.partition(":")[0] for name, axis in (("x2", x), ("y2", y))
            }
            lead = {"xOffset": 4, "x2Offset": far + 8, "yOffset": 0, "y2Offset": -end["moved"]}
            layers.append(base.mark_rule(color=_QUIET, strokeWidth=1, **lead).encode(**ends_at))
        words = {"align": "left", "baseline": "middle", "fontSize": LETTERS, "fontWeight": 600}
        words["color"] = INK if look is None else legible(look.colour)
        words |= {"lineBreak": "\n", "lineHeight": _APART}
        aside = 10 + far
        lines = end["name"].split("\n")
        up = end["moved"] + _APART * (len(lines) - 1) / 2
        layers.append(base.mark_text(dx=aside, dy=-up, **words).encode(text="name:N"))
        # a mark that is not seen keeps the room for wider letters than those that the picture is
        # laid out with
        edge = aside + _WIDEST * LETTERS * max(map(len, lines))
        layers.append(base.mark_point(size=1, opacity=0, xOffset=round(edge, 1)))
    return layers
