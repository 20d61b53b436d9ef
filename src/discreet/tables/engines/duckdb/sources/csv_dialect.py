"""How a file is to be read: what `read=` says, and the dialect of a CSV file, decided by its header
alone.

A reader that guesses delimiter, quotes or types from the rows lets one person's value decide how
everybody's row is read. So nothing is guessed from rows: the delimiter is the one character of `, ;
tab |` that stands in the header outside quotes, or the one that a line `sep=;` before it names, as
Excel has it; if several do, or there is no header, it must be given. Quotes are `"`, doubled
inside, unless given; the encoding is UTF-8 unless a byte-order mark or `read=` says otherwise. The
rows are then read in one way only (see `csv_rows`).
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from discreet.errors import InvalidData, InvalidInput, did_you_mean
from discreet.tables.engines.empty_texts import Empty, read_empty

NOT_UTF8 = "has text that is not UTF-8"
ENCODING = (
    "if it was saved in Western Europe, give `read={'encoding': 'latin-1'}`; otherwise save it as "
    "UTF-8"
)
CANDIDATES = {",": ",", ";": ";", "\t": "tab", "|": "|"}
_LONGEST = 1 << 20  # characters of a header
BEGINNING = 4 * _LONGEST
"""Bytes of a file that are enough to read its header."""
_EXCEL = re.compile(r"sep=(.)", re.IGNORECASE)
"""The line that names the delimiter for Excel."""
_CHARACTERS = {
    "delimiter": (1, 1),
    "quote": (0, 1),
    "escape": (0, 1),
    "comment": (0, 1),
    "decimal": (1, 1),
}
"""Options that are characters: how many at least and at most."""
_CSV_OPTIONS = (*_CHARACTERS, "header", "skip", "null", "encoding")
_ENCODINGS = {
    "utf8": "utf-8",
    "utf8sig": "utf-8",
    "latin1": "latin-1",
    "iso88591": "latin-1",
    "utf16": "utf-16",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How files are to be read: format, CSV dialect, and the types of columns that are not text."""

    format: str | None = None
    options: tuple[tuple[str, str | bool | int], ...] = ()
    types: tuple[tuple[str, str], ...] = ()
    empty: Empty = field(default_factory=Empty)
    """Of which columns of other sources than CSV files the empty text is missing."""

    @property
    def of_files(self) -> list[str]:
        """The options that are for files alone."""
        return (
            [name for name, _ in self.options]
            + ["format"] * bool(self.format)
            + ["types"] * bool(self.types)
        )


def read_reading(read: Mapping[str, Any] | None) -> Reading:
    """Read the `read=` parameter.

    >>> read_reading({"delimiter": ";", "types": {"age": "INTEGER"}}).types
    (('age', 'INTEGER'),)
    >>> read_reading({"delimeter": ";"})
    Traceback (most recent call last):
        ...
    discreet.errors.InvalidInput: `read` has no such option (delimeter): did you mean delimiter?
    """
    if read is not None and not isinstance(read, Mapping):
        raise InvalidInput(
            "read", "must be a mapping of options", read, remedy="write `read={'delimiter': ';'}`"
        )
    given = dict(read or {})
    form = given.pop("format", None)
    if form is not None and form not in ("csv", "parquet"):
        raise InvalidInput(
            "read",
            "has an unknown format",
            found=form,
            remedy=did_you_mean(str(form), ("csv", "parquet")),
        )
    types = given.pop("types", {})
    if not isinstance(types, Mapping):
        raise InvalidInput(
            "read",
            "needs types as a mapping",
            types,
            remedy="write `read={'types': {'age': 'INTEGER'}}`",
        )
    empty = read_empty(given.pop("empty")) if "empty" in given else Empty()
    options: list[tuple[str, str | bool | int]] = []
    for name, value in given.items():
        if name not in _CSV_OPTIONS:
            remedy = did_you_mean(name, ("format", "types", "empty", *_CSV_OPTIONS))
            raise InvalidInput("read", "has no such option", found=name, remedy=remedy)
        options.append((name, _option(name, value)))
    declared = tuple((str(name), str(kind)) for name, kind in types.items())
    return Reading(format=form, options=tuple(options), types=declared, empty=empty)


def _option(name: str, value: Any) -> str | bool | int:
    """Read one option of a CSV file; a command line gives all of them as text."""
    if name == "encoding":
        known = _ENCODINGS.get(str(value).lower().replace("-", "").replace("_", ""))
        if known is None:
            remedy = "use utf-8, utf-16 or latin-1, or convert the file first"
            raise InvalidInput("read", "has an unknown encoding", found=value, remedy=remedy)
        return known
    if name == "header":
        words = {"true": True, "false": False}
        if str(value).lower() not in words:
            raise InvalidInput("read", "needs header as True or False", value)
        return words[str(value).lower()]
    if name == "skip":
        if isinstance(value, bool) or not str(value).isdecimal():
            raise InvalidInput("read", "needs skip as a number of lines", value)
        return int(value)
    if not isinstance(value, str):
        raise InvalidInput("read", f"needs {name} as text", value)
    text: str = "\t" if name == "delimiter" and value in ("\\t", "tab") else value
    least, most = _CHARACTERS.get(name, (0, 100))
    if (
        "\0" in text
        or not least <= len(text) <= most
        or any(end in text for end in "\r\n")
        or (most == 1 and not text.isascii())
    ):
        what = "one ASCII character" if most == 1 else f"{least} to {most} characters"
        raise InvalidInput("read", f"needs {name} as {what}, and no line end", value)
    return text


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """Everything a reader must know to read a CSV file in one way only."""

    names: tuple[str, ...]
    delimiter: str
    quote: str
    escape: str
    comment: str
    encoding: str
    header: bool
    null: str
    decimal: str

    @property
    def doubled(self) -> bool:
        """Whether a quote inside quotes is written twice."""
        return self.escape == self.quote


def read_dialect(
    beginnings: Mapping[str, bytes], reading: Reading
) -> tuple[Dialect, dict[str, int]]:
    """The one dialect of all these files, from their first bytes, and how many bytes stand above
    the rows of each.

    Bytes are counted in UTF-8. The headers must be equal.
    """
    (_, (first, _)), *others = found = [
        (path, _of_file(path, data, reading)) for path, data in beginnings.items()
    ]
    for path, (other, _) in others:
        if other != first:
            what = "headers" if other.names != first.names else "delimiters or encodings"
            raise InvalidInput(
                "source",
                f"has files with different {what}",
                found=path,
                remedy="release them one by one",
            )
    return first, {path: above for path, (_, above) in found}


def _of_file(path: str, data: bytes, reading: Reading) -> tuple[Dialect, int]:
    options = dict(reading.options)
    if data.startswith(b"\xfe\xff"):
        raise InvalidInput(
            "source",
            "is big-endian UTF-16, which is not read",
            found=path,
            remedy="save it as UTF-8",
        )
    encoding = str(
        options.get("encoding") or ("utf-16" if data.startswith(b"\xff\xfe") else "utf-8")
    )
    whole = data.decode(encoding, errors="surrogateescape" if encoding == "utf-8" else "replace")
    text = whole.lstrip("\ufeff")
    quote = str(options.get("quote", '"'))
    escape, comment = str(options.get("escape", quote)), str(options.get("comment", ""))
    header = bool(options.get("header", True))
    for _ in range(int(options.get("skip", 0))):
        text = _after_line(text)
    names: tuple[str, ...] = ()
    if header:
        first = text[: len(text) - len(_after_line(text))].rstrip("\r\n")
        if excel := _EXCEL.fullmatch(first):
            text = _after_line(text)
            options.setdefault("delimiter", excel[1])
        text = _after_comments(text, comment)
        line = _first_record(text, path, quote=quote, escape=escape)
        if "delimiter" not in options:
            options["delimiter"] = _delimiter(line, path, quote)
        names = _names(_fields(line, str(options["delimiter"]), quote, escape, path))
        if any("\udc80" <= character <= "\udcff" for character in line):
            raise InvalidData("source", NOT_UTF8, row=f"the header of {path}", remedy=ENCODING)
        text = text[len(line) :].removeprefix("\r").removeprefix("\n")
    elif "delimiter" not in options:
        options["delimiter"] = _delimiter_of_tsv(path)
    above = len(whole[: len(whole) - len(text)].encode("utf-8", errors="surrogateescape"))
    return Dialect(
        names=names,
        delimiter=str(options["delimiter"]),
        quote=quote,
        escape=escape,
        comment=comment,
        encoding=encoding,
        header=header,
        null=str(options.get("null", "")),
        decimal=str(options.get("decimal", ".")),
    ), above


def _names(fields: list[str]) -> tuple[str, ...]:
    return tuple(name.strip() or f"column{k}" for k, name in enumerate(fields))


def without_names(width: int) -> tuple[str, ...]:
    """The names of the columns of a file that has no header."""
    return tuple(f"column{k}" for k in range(width))


def _after_comments(text: str, comment: str) -> str:
    while comment and text.startswith(comment):
        text = _after_line(text)
    return text


def _first_record(text: str, path: str, *, quote: str, escape: str) -> str:
    """The text of the first record, up to a line end outside quotes."""
    inside, jump = False, False
    for place, character in enumerate(text[:_LONGEST]):
        if jump:
            jump = False
        elif inside and escape != quote and character == escape:
            jump = True
        elif character == quote:
            inside = not inside
        elif character in "\r\n" and not inside:
            text = text[:place]
            break
    if len(text) > _LONGEST or inside:
        raise InvalidInput(
            "source", "has no header: a quote is not closed, or the line never ends", found=path
        )
    if not text.strip():
        raise InvalidInput(
            "source", "begins with an empty line", found=path, remedy="give `read={'skip': 1}`"
        )
    return text


def _after_line(text: str) -> str:
    ends = [place for place in (text.find("\n"), text.find("\r")) if place >= 0]
    if not ends:
        return ""
    end = min(ends)
    return text[end + (2 if text.startswith("\r\n", end) else 1) :]


def _delimiter_of_tsv(path: str) -> str:
    """The delimiter of a file without a header, which only its name can say."""
    if path.lower().removesuffix(".gz").removesuffix(".zst").endswith(".tsv"):
        return "\t"
    raise InvalidInput(
        "read", "must give the delimiter of a file that has no header", path, remedy=_DELIMITER
    )


_DELIMITER = "say which with `read={'delimiter': ';'}`"


def _delimiter(line: str, path: str, quote: str) -> str:
    """The one character in the header that can be a delimiter."""
    outside = (
        "".join(line.split(quote)[::2]) if quote else line
    )  # a doubled quote leaves and enters again
    found = [character for character in CANDIDATES if character in outside]
    if len(found) > 1:
        several = " and ".join(CANDIDATES[character] for character in found)
        raise InvalidInput(
            "source",
            f"has a header in which {several} could be the delimiter",
            found=path,
            remedy=_DELIMITER,
        )
    return found[0] if found else ","


def _fields(line: str, delimiter: str, quote: str, escape: str, path: str) -> list[str]:
    """The fields of one record; quotes stand around a whole field or nowhere, so that every
    reader agrees on it.
    """
    fields, field, state, place = [], "", "before", 0
    while place < len(line):
        character, following = line[place], line[place + 1 : place + 2]
        if state == "inside" and character == escape and following and following in (quote, escape):
            field += following
            place += 1
        elif quote and character == quote:
            if state not in ("before", "inside"):
                raise InvalidInput(
                    "source", "has a quote within a name, in its first line", found=path
                )
            state = "after" if state == "inside" else "inside"
        elif state != "inside" and line.startswith(delimiter, place):
            fields.append(field)
            field, state = "", "before"
            place += len(delimiter) - 1
        else:
            if state == "after" and not character.isspace():
                raise InvalidInput(
                    "source", "has a quote within a name, in its first line", found=path
                )
            field += character if state != "after" else ""
            state = "within" if state == "before" and not character.isspace() else state
        place += 1
    fields.append(field)
    read = csv.reader(io.StringIO(line, newline=""), delimiter=delimiter, quotechar=quote or None)
    if escape == quote and quote and len(fields) != len(next(read)):
        # Blanks before a quote: to other readers, the delimiters behind it part names.
        raise InvalidInput("source", "has a quote within a name, in its first line", found=path)
    return fields
