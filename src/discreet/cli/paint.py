"""Colour on a terminal: headings bold, notes dim, commands in cyan, what is ok green, what failed
red, a matrix shaded.

Nothing is coloured in a pipe or a file, where NO_COLOR is set, or on a terminal that cannot. Words
carry the meaning; colour only repeats it.
"""

from __future__ import annotations

import os
import re
from typing import TextIO

_GREEN, _RED, _YELLOW, _BOLD, _DIM, _END = (
    "\x1b[32m",
    "\x1b[31m",
    "\x1b[33m",
    "\x1b[1m",
    "\x1b[2m",
    "\x1b[0m",
)
_OK = re.compile(r"^(\s+)ok(?=\s)")
_HOLDS = re.compile(r"^Verified: .*\.$")
"""What a check says first, where nothing is wrong."""
_WRONG = re.compile(
    r"^(?:FAILED|error):|(?<=^  )A release would be refused|"
    r"\bDOES NOT FIT\b|(?<!not )(?<!NOT )\b(?:refuted|REFUTED)\b|\b[A-Z]{1,3} fails\b"
)
_JUDGED = (
    r"(?:(?<=[Ss]ingle groups: )|(?<=single groups )|(?<=[Cc]ount: )|(?<=[Tt]otal: )|(?<=; total )"
    r"|(?<=of one answer: )|(?<=of one answer )|(?<=\d\), )|(?<= {2}))(?:mostly )?"
)
"""What stands before a verdict: what is judged, a verdict on a higher count, or the space before
a column.
"""
_WARNING = re.compile(
    rf"(?:^|(?<=^  ))warning:|{_JUDGED}(?:(?:very )?rough|too noisy)(?= \(| in | if | even if "
    r"| to |$)"
)
_NEAR = re.compile(rf"(?:{_JUDGED}|(?<= to ))(?:exact|good|usable)(?= \(| if | to |$)")
_RELEASED = re.compile(r"^released .+ for ")
_PLANNED = re.compile(r"^epsilon \S+ in total.*, [\d,]+ groups?$")
"""The title of a plan, which a warning may precede."""
_NEXT = re.compile(r"^(?:read|report) it with: ")
_CYAN = "\x1b[36m"
_COMMAND = re.compile(r" +discreet [a-z]")
_TO_TYPE = re.compile(r"^(\w[\w ,%']{2,50}: )(discreet [a-z].*)$")
"""A line that is a command, and one that ends in it."""
_COLUMNS = re.compile(r"^ *(?!ok )\S.*? {2,}\S")
"""A line with columns: words that stand apart."""
_NUMBER = re.compile(r"[±+-]?\d[\d.,/]*|\d+\.\d+%")
_MATRIX = re.compile(r"^\s*(?:published \\ true count|out\\true)(?=\s)")
_CHANCE = re.compile(r" *(\*?)(<?\d?\.\d+|\d{1,3}|\.)(?=[ *]|$)")
"""A chance such as .245 or <.001, or a percentage; a dot alone is less than half of one."""
_CHANCES = re.compile(r"(?: *\*?(?:<?\d?\.\d+|\d{1,3}|\.)(?=[ *]|$))+")
_SHADES = ((16, 231), (16, 195), (16, 153), (16, 117), (16, 75), (231, 26), (231, 18))
"""Ink and background, of the 256 colours that terminals have; each pair has a contrast of 5 to 1
or more.
"""


def wanted(stream: TextIO) -> bool:
    """Whether a stream is to be coloured."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def painted(text: str) -> str:
    """Colour a text line by line; without its colours it is the same text."""
    lines, matrix = [], 0
    found = text.split("\n")
    roles = _roles(found)
    for place, line in enumerate(found):
        if header := _MATRIX.match(line):
            matrix = header.end()
            top = max(
                (value for row in _rows(found[place + 1 :], matrix) for value in row), default=1.0
            )
            lines.append(bold(line))
        elif matrix and _is_row(line, matrix):
            lines.append(line[:matrix] + _shaded(line[matrix:], top or 1.0))
        else:
            matrix = 0
            if _HOLDS.match(line):
                lines.append(f"{_GREEN}{line}{_END}")
                continue
            line = _WARNING.sub(lambda word: f"{_YELLOW}{word[0]}{_END}", line)
            line = _TO_TYPE.sub(rf"\g<1>{_CYAN}\g<2>{_END}", line)
            line = _NEAR.sub(lambda word: f"{_GREEN}{word[0]}{_END}", line)
            if place in roles and _END not in line and not _WRONG.search(line):
                lines.append(f"{roles[place]}{line}{_END}")
                continue
            lines.append(
                _OK.sub(
                    rf"\g<1>{_GREEN}ok{_END}",
                    _WRONG.sub(lambda word: f"{_RED}{word[0]}{_END}", line),
                )
            )
    return "\n".join(lines)


def _roles(lines: list[str]) -> dict[int, str]:
    """The places of titles and of headings of columns, in bold, and of notes on a table, dim."""
    found: dict[int, str] = {}
    if lines[0].startswith("note: "):
        return dict.fromkeys(range(len(lines)), _DIM)
    if _RELEASED.match(lines[0]):
        return _released(lines)
    tabled = coded = typed = False
    for place, (line, after) in enumerate(zip(lines, [*lines[1:], ""], strict=True)):
        before = lines[place - 1] if place else ""
        coded = line.startswith("Codes: ") or (coded and line.startswith("  "))
        goes_on = before.endswith(" \\") and (typed or bool(_TO_TYPE.match(before)))
        typed = bool(_COMMAND.match(line)) or goes_on
        if coded or typed:
            found[place] = _DIM if coded else _CYAN
            continue
        if line.startswith(
            "  Not protected: "
        ):  # what follows is read before paying: no note on a table
            tabled = False
        elif _COLUMNS.match(line):
            if (
                not _COLUMNS.match(before)
                and not _numbers(line)
                and _COLUMNS.match(after)
                and _numbers(after)
            ):
                found[place], tabled = _BOLD, True
            elif tabled and (line.endswith("  *") or line.startswith("* ")):  # a row that is marked
                found[place] = _BOLD
        elif (place == 0 or _PLANNED.match(line)) and len(lines) > 2 and after.startswith("  "):
            found[place] = _BOLD
        elif (
            not before and line[:1].isupper() and after.startswith("  ") and ": " not in line
        ):  # of a later part
            found[place], tabled = _BOLD, False
        elif tabled and line.startswith("  ") and not _leads(lines, place):
            found[place] = _DIM
        elif line and not line.startswith("  "):  # what follows is no note on a table
            tabled = False
    return found


def _released(lines: list[str]) -> dict[int, str]:
    """What a release says: that it is done in green, what to do next as it is, and all else dim."""
    found, look = {0: _GREEN}, _GREEN
    for place, line in enumerate(lines[1:], start=1):
        if not line.startswith(" "):
            look = "" if _NEXT.match(line) else _DIM
        if look and line:
            found[place] = look
    return found


def _leads(lines: list[str], place: int) -> bool:
    """Whether a paragraph is the title of a table, or warns: it is no note."""
    start = end = place
    while start and lines[start - 1].startswith("  ") and not _COLUMNS.match(lines[start - 1]):
        start -= 1
    while end + 1 < len(lines) and lines[end + 1].strip() and not _COLUMNS.match(lines[end + 1]):
        end += 1
    begins = not start or not lines[start - 1].strip()
    return begins and (
        (end + 1 < len(lines) and bool(lines[end + 1].strip()))
        or bool(_WARNING.search(lines[start]))
    )


def _numbers(line: str) -> bool:
    return any(_NUMBER.fullmatch(word) for word in line.split())


def bold(text: str) -> str:
    """A text in bold."""
    return f"{_BOLD}{text}{_END}"


def _is_row(line: str, start: int) -> bool:
    return line[:start].strip().isdecimal() and _CHANCES.fullmatch(line[start:]) is not None


def _rows(lines: list[str], start: int) -> list[list[float]]:
    rows = []
    for line in lines:
        if not _is_row(line, start):
            break
        rows.append([_size(chance) for chance in _CHANCE.finditer(line[start:])])
    return rows


def _size(chance: re.Match[str]) -> float:
    return 0.0 if chance[2][0] == "<" or chance[2] == "." else float(chance[2])


def _shaded(cells: str, top: float) -> str:
    """Give every chance the background of its size; the truth, which has a star, is bold."""

    def shade(chance: re.Match[str]) -> str:
        ink, ground = _SHADES[
            min(len(_SHADES) - 1, round(_size(chance) / top * (len(_SHADES) - 1)))
        ]
        return f"\x1b[{'1;' if chance[1] else ''}38;5;{ink};48;5;{ground}m{chance[0]}{_END}"

    return _CHANCE.sub(shade, cells)
