"""Files as a source: which reader they need, how it is told to read them, and whether they stay as they were.

Text formats (CSV, JSON lines) carry no types, and guessing a type from the data is not row-local: one person's value
could turn a whole column from numbers to text and with it everybody's bit. So every column of a text file is text
unless `read={"types": {...}}` says otherwise, and "01" is not 1 (see `jsonlines` for what the text of a JSON value is).
The dialect of a CSV file comes from its line of names and from `read=`, never from rows (see `dialect`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from discreet.errors import InvalidInput, did_you_mean
from discreet.tables.engines.duckdb.sources.csv_dialect import Dialect, read_dialect
from discreet.tables.engines.duckdb.sources.json_lines import table_sql
from discreet.tables.engines.duckdb.sources.paths import PACKED, Stamp, exactly, near_path, stamps
from discreet.tables.engines.quoting import literal

_FORMATS = {
    ".csv": "csv", ".tsv": "csv", ".txt": "csv", ".parquet": "parquet", ".pq": "parquet",
    ".json": "json", ".jsonl": "json", ".ndjson": "json",
}  # fmt: skip
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
            "read", "has an unknown format", found=form, remedy=did_you_mean(str(form), ("csv", "parquet", "json"))
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
            raise InvalidInput("read", "has no such option", found=name, remedy=remedy)
        options.append((name, _option(name, value)))
    return Reading(format=form, options=tuple(options), types=tuple((str(k), str(v)) for k, v in types.items()))


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
    stamps: tuple[Stamp, ...]
    dialect: Dialect | None = None
    """Of CSV files."""

    @property
    def paths(self) -> list[str]:
        """The paths, in order."""
        return [stamp[0] for stamp in self.stamps]

    @property
    def listed(self) -> str:
        """The paths as an argument of DuckDB's readers."""
        return "[" + ", ".join(literal(exactly(path)) for path in self.paths) + "]"

    def check_unchanged(self) -> None:
        """Raise when a file changed, came or went since it was looked at."""
        if stamps(self.patterns) != self.stamps:
            rule = "changed while it was read, so nothing was released"
            remedy = "read a finished copy, or try again when nobody writes to it"
            raise InvalidInput("source", rule, remedy=remedy, code="changed-meanwhile")


def find_files(patterns: tuple[str, ...], reading: Reading) -> Files:
    """Find the files of paths, folders or globs, and their one format."""
    found = stamps(patterns)
    for pattern in patterns:  # each of them: the rest alone would be another table
        if not found or not stamps((pattern,)):
            raise InvalidInput("source", "matches no file", found=pattern, remedy=near_path(pattern))
    formats = {reading.format or _format(path) for path, *_ in found}
    if len(formats) > 1:
        raise InvalidInput("source", "mixes file formats", found=", ".join(sorted(formats)), remedy="give one format")
    form = formats.pop()
    for path, size, *_ in found:
        if size == 0:
            raise InvalidInput("source", "has an empty file", found=path)
        _look_at(path, form)
    dialect = read_dialect([path for path, *_ in found], reading) if form == "csv" else None
    return Files(patterns=patterns, format=form, stamps=found, dialect=dialect)


def reader_sql(files: Files, types: Mapping[str, str], needed: Sequence[str] = (), *, more: str = "") -> str:
    """The FROM item that reads the files: text as text but for `types`, and of JSON lines the columns `needed`.

    Nothing is taken from the names of folders: `smoker=1/people.csv` has the columns that stand in the file.
    """
    paths = files.listed
    if files.dialect is not None:
        return f"read_csv({', '.join([paths, *files.dialect.arguments(types), *([more] if more else [])])})"
    if files.format == "json":
        return table_sql(paths, needed, types)
    return f"read_parquet({paths}, hive_partitioning = false)"


def _look_at(path: str, form: str) -> None:
    """See that a file can be opened, by DuckDB too, and that one called Parquet is."""
    exactly(path)
    try:
        with Path(path).open("rb") as file:
            if form == "parquet" and file.read(4) not in (b"PAR1", b"PARE"):
                raise InvalidInput("source", "is not a readable Parquet file", found=path)
    except OSError as error:
        raise InvalidInput("source", f"cannot be read ({error.strerror})", found=path) from None


def _format(path: str) -> str:
    name = Path(path).name.lower()
    for packed in PACKED:
        name = name.removesuffix(packed)
    suffix = Path(name).suffix
    if suffix not in _FORMATS:
        remedy = "name it .csv, .parquet or .jsonl, or give `read={'format': 'csv'}`"
        raise InvalidInput("source", "has a file of unknown format", found=path, remedy=remedy)
    return _FORMATS[suffix]
