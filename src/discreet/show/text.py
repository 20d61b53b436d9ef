"""Text for a terminal of 80 columns, or a wider one: tables, labels with text beside them, and
folded paragraphs.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from textwrap import wrap

from discreet.errors import printable

WIDTH = 80
READ_RAW = "If people will read single published numbers as they stand"
NEAREST = "no farther answer is likelier, on each side of the truth"
"""When properties of a mechanism matter, and what CM is: an advice, and a plan, say it in the same
words.

Of two numbers on different sides the farther one may be likelier: CM compares none of them.
"""
EVERY = 10**9
"""Rows of a table that is to be printed whole."""
_VALUE = r"""(?:"[^"]*"|'[^']*'|[^\s"']+)"""
_TO_COPY = re.compile(
    r"(?:(?<=: )|(?<=  ))discreet [a-z].*?(?= \(|[,;] |$)"  # a command after what it is for
    r"|(?<=['\"`])discreet [a-z]+(?: [a-z]+)?(?=['\"`])"
    rf"|--(?:(?:count|by|answer)-as|answers?) {_VALUE} {_VALUE}"
    r"""|--public \w+|--[a-z][a-z-]* (?:"[^"]*"|'[^']*'|[A-Z]+\b)"""
    r"|\b(?:groups |\d[\d,.]* )?of \d[\d,.-]*|\b(?:epsilon|alpha|confidence|n =|alpha "
    r"=|epsilon =) \d[\d.,/]*"
)
"""What is copied into a shell, and a number with what it is of: there a line may not be broken."""
_JOINT = "\x1f"  # stands for a space at which no line is broken; no text has it
_FILL = "\U0010fffd"  # the second column of a wide character
_free = iter(
    range(0x100000, 0x10FFFD)
)  # private characters, which stand for those with combining marks
_marks: dict[str, str] = {}
_marked: dict[str, str] = {}
_WIDEST, _NARROWEST = 120, 40  # longer lines are hard to read, and shorter ones
_columns: ContextVar[int] = ContextVar("columns", default=WIDTH)
_rows: ContextVar[int] = ContextVar("rows", default=12)
_command_line: ContextVar[bool] = ContextVar("command_line", default=False)
_details: ContextVar[bool] = ContextVar("details", default=True)


@contextmanager
def laid_out(
    columns: int | None = WIDTH, *, rows: int = 12, command_line: bool = False, details: bool = True
) -> Iterator[None]:
    """Lay text out in this many columns while this lasts (tables in 80 at least, paragraphs in 40
    to 120).

    None: in as many as before. A long table is printed in so many `rows`. On the `command_line`
    options are named, not methods; without `details`, only the notes that matter most are said.
    """
    tokens = (
        _columns.set(_columns.get() if columns is None else max(columns, _NARROWEST)),
        _rows.set(rows),
    )
    said = _command_line.set(command_line), _details.set(details)
    try:
        yield
    finally:
        for variable, token in zip((_columns, _rows), tokens, strict=True):
            variable.reset(token)
        for flag, before in zip((_command_line, _details), said, strict=True):
            flag.reset(before)


def in_words_of(python: str, command_line: str) -> str:
    """Return what to type, for where it is read: at a Python prompt, or on the command line."""
    return command_line if _command_line.get() else python


def details_wanted() -> bool:
    """Whether every note is said, or only those that matter most."""
    return _details.get()


def rows_shown() -> int:
    """How many rows of a long table are printed: few at a Python prompt, more on the command
    line.
    """
    return _rows.get()


def columns() -> int:
    """How many columns a table may have."""
    return max(_columns.get(), WIDTH)


def fits(lines: Sequence[str]) -> bool:
    """Whether lines are no wider than the terminal, which may have less than 80 columns."""
    return max(map(width, lines), default=0) <= _columns.get()


def spare() -> int:
    """How many columns beyond 80 a paragraph may have; on a narrower terminal, less than none."""
    return min(_columns.get(), _WIDEST) - WIDTH


def spread(text: str) -> str:
    """The text with one character for each column that a terminal shows, so that it can be cut,
    padded and compared.

    A wide character is followed by one that only fills; a character with its combining marks is
    replaced by one that stands for them. `gathered` is the way back.

    >>> len("東京"), len(spread("東京")), gathered(spread("東京"))
    (2, 4, '東京')
    """
    if text.isascii():
        return text
    parts = list[str]()
    for character in text:
        if parts and unicodedata.category(character) in ("Mn", "Me", "Cf"):
            parts[-1] += character
        else:
            parts.append(character)
    wide = (unicodedata.east_asian_width(part[0]) in "WF" for part in parts)
    return "".join(_one(part) + _FILL * more for part, more in zip(parts, wide, strict=True))


def gathered(text: str) -> str:
    """The text that was `spread`."""
    return (
        text
        if text.isascii()
        else "".join(_marked.get(part, part) for part in text if part != _FILL)
    )


def width(text: str) -> int:
    """How many columns of a terminal a line takes."""
    return len(spread(text))


def _one(part: str) -> str:
    """One character that stands for a character with its combining marks."""
    if len(part) > 1 and part not in _marks and (place := next(_free, None)):
        _marked[chr(place)] = part
        _marks[part] = chr(place)
    return _marks.get(part, part)


def table(
    rows: Sequence[Sequence[object]], layout: str, *, gap: int = 1, indent: int = 2
) -> list[str]:
    """Lay rows out in columns. `layout` gives each column's side and least width; a longer cell
    widens its column. A cell is one line: what would begin another one is escaped.

    >>> print(*table([("count", "n"), ("smokers", 8)], "<5 >3"), sep="\\n")
      count     n
      smokers   8
    """
    texts = [[spread(_in_a_line(str(cell))) for cell in row] for row in rows]
    columns = [(part[0], int(part[1:] or 0)) for part in layout.split()]
    widths = [max(least, *(len(row[k]) for row in texts)) for k, (_, least) in enumerate(columns)]
    lines = []
    for row in texts:
        cells = (
            f"{cell:{side}{width}}"
            for cell, (side, _), width in zip(row, columns, widths, strict=True)
        )
        lines.append(gathered((" " * indent + (" " * gap).join(cells)).rstrip()))
    return lines


def _in_a_line(text: str) -> str:
    return printable(text).replace("\n", "\\n").replace("\t", "\\t")


def folded(text: str, *, width: int = WIDTH, first: str = "", later: str = "") -> list[str]:
    """Fold a paragraph between its words, to `width` columns of 80 (and more on a wider
    terminal: `laid_out`).
    """
    return wrapped(text, width + spare(), first=first, later=later)


def wrapped(text: str, width: int, *, first: str = "", later: str = "") -> list[str]:
    """Fold a paragraph between its words to so many columns; a longer word, or a command, stays
    whole, to be copied.

    >>> print(
    ...     *wrapped('of all people, count those --count-as old "age > 64"; or give answers', 40),
    ...     sep="\\n",
    ... )
    of all people, count those
    --count-as old "age > 64"; or give
    answers
    """
    whole = spread(_TO_COPY.sub(_joined, text))
    lines = wrap(
        whole,
        width,
        initial_indent=first,
        subsequent_indent=later,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [gathered(line).replace(_JOINT, " ") for line in lines]


def with_backslashes(words: Sequence[str], width: int, *, first: str = "") -> list[str]:
    """A command in lines that end in a backslash where another follows; no option is parted from
    what it takes.
    """
    parts = list[str]()
    for word in words:
        if parts and not word.startswith("-"):
            parts[-1] += f" {word}"
        else:
            parts.append(word)
    lines = [first + parts[0]]
    for part in parts[1:]:
        if len(lines[-1]) + len(part) + 3 > width:
            lines[-1] += " \\"
            lines.append(f"{' ' * len(first)}    {part}")
        else:
            lines[-1] += f" {part}"
    return lines


def _joined(found: re.Match[str]) -> str:
    return found[0].replace(" ", _JOINT)


def beside(label: str, text: str, *, width: int = WIDTH) -> list[str]:
    """Fold text beside a label, its later lines under the first; text in quotes is not broken.

    >>> print(*beside("  code  ", 'dc.design(n=8, properties="WH CM")', width=24), sep="\\n")
      code  dc.design(n=8,
            properties="WH CM")
    """
    return folded(
        re.sub(r'"[^"]*"', _joined, text), width=width, first=label, later=" " * len(label)
    )
