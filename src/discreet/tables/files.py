"""Files as a source: which reader they need, how it is told to read them, and whether they stay as they were.

Text formats (CSV, JSON lines) carry no types, and guessing a type from the data is not row-local: one person's value
could turn a whole column from numbers to text and with it everybody's bit. So every column of a text file is text
unless `read={"types": {...}}` says otherwise, and "01" is not 1. Keys of JSON lines keep the type JSON gives them. The
dialect of a CSV file comes from its line of names and from `read=`, never from rows (see `dialect`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from discreet.errors import InvalidInput, did_you_mean
from discreet.tables.dialect import Dialect, read_dialect
from discreet.tables.sql import literal

_FORMATS = {
    ".csv": "csv", ".tsv": "csv", ".txt": "csv", ".parquet": "parquet", ".pq": "parquet",
    ".json": "json", ".jsonl": "json", ".ndjson": "json",
}  # fmt: skip
_PACKED = (".gz", ".zst")
_SIGNS = {"delimiter": (1, 4), "quote": (0, 1), "escape": (0, 1), "comment": (0, 1), "decimal": (1, 1)}
"""Options that are signs, with the least and most characters they have."""
_CSV_OPTIONS = (*_SIGNS, "header", "skip", "null", "encoding")
_ENCODINGS = {"utf8": "utf-8", "utf8sig": "utf-8", "latin1": "latin-1", "iso88591": "latin-1", "utf16": "utf-16"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How files are to be read: format, CSV dialect, and the types of columns that are not text."""

    format: str | None = None
    options: tuple[tuple[str, str | bool | int], ...] = ()
    types: tuple[tuple[str, str], ...] = ()


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
        raise InvalidInput("read", "must be a mapping of options", read, remedy="write `read={'delimiter': ';'}`")
    given = dict(read or {})
    form = given.pop("format", None)
    if form is not None and form not in ("csv", "parquet", "json"):
        raise InvalidInput(
            "read", "has an unknown format", form, remedy=did_you_mean(str(form), ("csv", "parquet", "json"))
        )
    types = given.pop("types", {})
    if not isinstance(types, Mapping):
        raise InvalidInput(
            "read", "needs types as a mapping", types, remedy="write `read={'types': {'age': 'INTEGER'}}`"
        )
    options: list[tuple[str, str | bool | int]] = []
    for name, value in given.items():
        if name not in _CSV_OPTIONS:
            remedy = did_you_mean(name, ("format", "types", *_CSV_OPTIONS))
            raise InvalidInput("read", "has no such option", name, remedy=remedy)
        options.append((name, _option(name, value)))
    return Reading(format=form, options=tuple(options), types=tuple((str(k), str(v)) for k, v in types.items()))


def _option(name: str, value: Any) -> str | bool | int:
    """Read one option of a CSV file; a command line gives all of them as text."""
    if name == "encoding":
        known = _ENCODINGS.get(str(value).lower().replace("-", "").replace("_", ""))
        if known is None:
            remedy = "use utf-8, utf-16 or latin-1, or convert the file first"
            raise InvalidInput("read", "has an unknown encoding", value, remedy=remedy)
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
    least, most = _SIGNS.get(name, (0, 100))
    if not least <= len(text) <= most or any(sign in text for sign in "\r\n"):
        rule = f"needs {name} as {'one sign' if most == 1 else f'{least} to {most} signs'}, and no line end"
        raise InvalidInput("read", rule, value)
    return text


@dataclass(frozen=True, slots=True, kw_only=True)
class Files:
    """The files a source was found to be, with what the file system said about them."""

    patterns: tuple[str, ...]
    format: str
    stamps: tuple[tuple[str, int, int, int], ...]
    """Path, size, time of change in nanoseconds and inode of each file."""
    dialect: Dialect | None = None
    """Of CSV files."""

    @property
    def paths(self) -> list[str]:
        """The paths, in order."""
        return [stamp[0] for stamp in self.stamps]

    def check_unchanged(self) -> None:
        """Raise when a file changed, came or went since it was looked at."""
        if _stamps(self.patterns) != self.stamps:
            rule = "changed while it was read, so nothing was released"
            raise InvalidInput("source", rule, remedy="read a finished copy, or try again when nobody writes to it")


def find_files(patterns: tuple[str, ...], reading: Reading) -> Files:
    """Find the files of paths or globs, and their one format."""
    stamps = _stamps(patterns)
    for pattern in patterns:  # each of them: the rest alone would be another table
        if not stamps or not _stamps((pattern,)):
            raise InvalidInput("source", "matches no file", pattern, remedy=_near_path(pattern))
    _check_distinct(stamps)
    formats = {reading.format or _format(path) for path, *_ in stamps}
    if len(formats) > 1:
        raise InvalidInput("source", "mixes file formats", ", ".join(sorted(formats)), remedy="give one format")
    for path, size, *_ in stamps:
        if size == 0:
            raise InvalidInput("source", "has an empty file", path)
    form = formats.pop()
    dialect = read_dialect([path for path, *_ in stamps], reading) if form == "csv" else None
    return Files(patterns=patterns, format=form, stamps=stamps, dialect=dialect)


def _check_distinct(stamps: tuple[tuple[str, int, int, int], ...]) -> None:
    """Refuse one file under two names: each of its people would be counted twice and pay once."""
    seen: dict[tuple[int, int, int], str] = {}
    for path, *facts in stamps:
        first = seen.setdefault((facts[0], facts[1], facts[2]), path)
        if first != path and Path(first).samefile(path):
            raise InvalidInput("source", f"names one file twice ({first} and {path})", remedy="name it once")


def reader_sql(files: Files, columns: Mapping[str, str] | None = None) -> str:
    """The table function that reads the files; `columns` gives types (CSV: some; JSON lines: all that are read)."""
    arguments = ["[" + ", ".join(map(literal, files.paths)) + "]"]
    if files.dialect is not None:
        arguments += files.dialect.arguments(columns or {})
    elif files.format == "json":
        arguments += ["format = 'newline_delimited'", "records = true"]
        if columns is None:  # only names and the JSON kinds of keys are taken from this look
            arguments += ["sample_size = -1", "maximum_depth = 2"]
        else:
            arguments += [f"columns = {_struct(columns)}"]
    return f"read_{files.format}({', '.join(arguments)})"


def _struct(columns: Mapping[str, str]) -> str:
    return "{" + ", ".join(f"{literal(name)}: {literal(kind)}" for name, kind in columns.items()) + "}"


def _stamps(patterns: tuple[str, ...]) -> tuple[tuple[str, int, int, int], ...]:
    paths: list[str] = []
    for pattern in patterns:
        # A file may be called "a[1].csv": an existing path means itself.
        found = [pattern] if Path(pattern).is_file() else _matches(pattern)
        paths += [path for path in found if Path(path).is_file() and path not in paths]
    try:
        facts = [(path, Path(path).stat()) for path in paths]
    except OSError:
        return ()
    return tuple((path, stat.st_size, stat.st_mtime_ns, stat.st_ino) for path, stat in facts)


def _matches(pattern: str) -> list[str]:
    """The paths a pattern matches, in order; `**` goes into folders."""
    path = Path(pattern)
    fixed = [part for part in path.parts if not set(part) & set("*?[")]
    base = Path(*path.parts[: next((k for k, part in enumerate(path.parts) if part not in fixed), len(path.parts))])
    rest = path.relative_to(base)
    return sorted(str(match) for match in base.glob(str(rest))) if rest.parts else []


def _format(path: str) -> str:
    name = Path(path).name.lower()
    for packed in _PACKED:
        name = name.removesuffix(packed)
    suffix = Path(name).suffix
    if suffix not in _FORMATS:
        remedy = "name it .csv, .parquet or .jsonl, or give `read={'format': 'csv'}`"
        raise InvalidInput("source", "has a file of unknown format", path, remedy=remedy)
    return _FORMATS[suffix]


def _near_path(pattern: str) -> str:
    """Suggest a file of a similar name in the same folder."""
    path = Path(pattern)
    if path.is_dir():
        return f"it is a folder; {path / '*.csv'} is every CSV in it"
    if path.exists():
        return "it is no regular file"
    try:
        names = [one.name for one in path.parent.iterdir()]
    except OSError:
        return "the folder cannot be read"
    near = did_you_mean(path.name, names) if names else ""
    return near if near.startswith("did") else "check the path"
