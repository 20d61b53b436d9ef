"""Files as a source: which files a path means, which reader they need, and whether they stay as
they were.

A CSV file carries no types, and guessing a type from the data is not row-local: one person's value
could turn a whole column from numbers to text and with it everybody's bit. So every column of a CSV
file is text unless `read={"types": {...}}` says otherwise, and "01" is not 1. The dialect comes
from the header and from `read=`, never from rows (see `csv_dialect`). JSON is not read at all: its
rows decide which columns there are.

DuckDB takes every path for a pattern, so that `a[1].csv` would be read as `a1.csv`. A path that
exists means itself: it is written as a pattern that matches it and nothing else.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from discreet.errors import InvalidInput
from discreet.near_files import near_file
from discreet.tables.engines.duckdb.connection import literal
from discreet.tables.engines.duckdb.sources.csv_dialect import BEGINNING, Reading

Stamp = tuple[str, int, int, int]
"""Path, size, time of change in nanoseconds and inode of a file."""

PACKED = {".gz": "gzip", ".zst": "zstd"}
"""Endings of packed files, and Arrow's names for how they are packed."""
_PATTERN = "*?["
_LISTED = 8
"""Tables of a folder that are named."""
_LOGS = ("_delta_log", ".hoodie", "_temporary")
"""What says that not every file of a folder belongs to its table, or not yet."""
_FORMATS = {".csv": "csv", ".tsv": "csv", ".txt": "csv", ".parquet": "parquet", ".pq": "parquet"}
_JSON = (".json", ".jsonl", ".ndjson")


@dataclass(frozen=True, slots=True, kw_only=True)
class Files:
    """The files a source was found to be, with what the file system said about them."""

    patterns: tuple[str, ...]
    format: str
    stamps: tuple[Stamp, ...]

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
            raise InvalidInput(
                "source", "matches no file", found=pattern, remedy=near_path(pattern)
            )
    formats = {reading.format or _format(path) for path, *_ in found}
    if len(formats) > 1:
        raise InvalidInput(
            "source",
            "mixes file formats",
            found=", ".join(sorted(formats)),
            remedy="give one format",
        )
    form = formats.pop()
    for path, size, *_ in found:
        if size == 0:
            raise InvalidInput("source", "is empty", found=path)
        _look_at(path, form)
    return Files(patterns=patterns, format=form, stamps=found)


def parquet_sql(files: Files) -> str:
    """The FROM item that reads Parquet files.

    Nothing is taken from the names of folders: `smoker=1/people.parquet` has the columns that stand
    in the file.
    """
    return f"read_parquet({files.listed}, hive_partitioning = false)"


def beginning(path: str) -> bytes:
    """The first bytes of a file, unpacked."""
    try:
        with unpacked(path) as stream:
            return bytes(stream.read(BEGINNING))
    except OSError as error:
        raise InvalidInput(
            "source",
            f"cannot be read ({error.strerror or 'not of the kind its name says'})",
            found=path,
        ) from None


def _look_at(path: str, form: str) -> None:
    """Check that a file can be opened, by DuckDB too, and that one named as Parquet is Parquet."""
    exactly(path)
    try:
        with Path(path).open("rb") as file:
            if form == "parquet" and file.read(4) not in (b"PAR1", b"PARE"):
                raise InvalidInput("source", "is not a readable Parquet file", found=path)
    except OSError as error:
        raise InvalidInput("source", f"cannot be read ({error.strerror})", found=path) from None


JSON_REMEDY = (
    "declare the columns: `duckdb.read_json(PATH, columns={'clinic': 'VARCHAR', 'smoker': "
    "'BOOLEAN'})` is a source; or write it as Parquet or CSV"
)
_WORKBOOKS = (".xlsx", ".xls", ".xlsm", ".xlsb", ".ods", ".numbers")


def _format(path: str) -> str:
    name = Path(path).name.lower()
    for packed in PACKED:
        name = name.removesuffix(packed)
    suffix = Path(name).suffix
    if suffix not in _FORMATS:
        remedy = "name it .csv or .parquet, or give `read={'format': 'csv'}`"
        if suffix in _JSON:
            rule = "is JSON, whose rows decide which columns there are and of which types"
            raise InvalidInput("source", rule, found=path, remedy=JSON_REMEDY)
        if suffix in _WORKBOOKS:
            remedy = "it is a workbook: save its sheet as CSV, and give that file"
        raise InvalidInput("source", "is of unknown format", found=path, remedy=remedy)
    return _FORMATS[suffix]


def stamps(patterns: tuple[str, ...]) -> tuple[Stamp, ...]:
    """Every file of paths, folders and globs, each once, in order."""
    paths: list[str] = []
    for pattern in patterns:
        given = Path(pattern)
        # A file may be called "a[1].csv": an existing path means itself.
        found = (
            [pattern] if given.is_file() else _parts(given) if given.is_dir() else _matches(pattern)
        )
        paths += [one for one in found if Path(one).is_file() and one not in paths]
    try:
        facts = [(path, Path(path).stat()) for path in paths]
    except OSError:
        return ()
    seen: set[object] = set()
    for path, stat in facts:
        same = (stat.st_dev, stat.st_ino) if stat.st_ino else os.path.realpath(path)
        if same in seen:
            raise InvalidInput(
                "source",
                "names a file that is given already, so that its people would count twice",
                found=path,
            )
        seen.add(same)
    return tuple((path, stat.st_size, stat.st_mtime_ns, stat.st_ino) for path, stat in facts)


def absolute(path: str) -> str:
    """The path as DuckDB writes it."""
    return Path(path).absolute().as_posix()


def unpacked(path: str) -> Any:
    """The bytes of a file, unpacked, as a stream; an absolute path, because Arrow gives `~` a
    meaning too.
    """
    return pa.input_stream(absolute(path), compression=PACKED.get(Path(path).suffix.lower()))


def exactly(path: str) -> str:
    """The pattern by which DuckDB reads this one file; absolute, so that `~` and `file:` are names
    as well.

    >>> exactly("/data/a[1]*.csv")
    '/data/a[[]1][*].csv'
    """
    whole = absolute(path)
    if "\\" in whole and set(whole) & set(_PATTERN):
        rule = (
            "has a name with a backslash and one of * ? [, which no pattern of DuckDB can express"
        )
        raise InvalidInput("source", rule, found=path, remedy="rename it")
    try:
        whole.encode()
    except UnicodeEncodeError:
        raise InvalidInput(
            "source", "has a name that is not UTF-8", found=path, remedy="rename it"
        ) from None
    return "".join(f"[{character}]" if character in _PATTERN else character for character in whole)


def near_path(pattern: str) -> str:
    """Suggest a file of a similar name in the same folder, or list its tables."""
    path = Path(pattern)
    if path.is_dir():
        return "the folder holds no files but hidden or empty ones"
    if path.exists():
        return "it is no regular file"
    try:
        names = sorted(one.name for one in path.parent.iterdir())
    except OSError:
        return "the folder cannot be read"
    if near := near_file(path.name, names):
        return f"did you mean {path.parent / near}?"
    tables = [name for name in names if not name.startswith(".") and Path(name).suffix in _FORMATS]
    return (
        "check the path; its folder has "
        f"{', '.join(tables[:_LISTED])}{', ...' * (len(tables) > _LISTED)}"
        if tables
        else "check the path"
    )


def _parts(folder: Path) -> list[str]:
    """The files of a folder such as Spark writes: parts, with marks and checksums (`_SUCCESS`,
    `.crc`) beside them.
    """
    try:
        names = sorted(folder.iterdir())
    except OSError as error:
        raise InvalidInput(
            "source", f"is a folder that cannot be read ({error.strerror})", found=str(folder)
        ) from None
    for name in _LOGS:
        if (folder / name).exists():
            rule = f"is a folder with {name}, so not every file in it need belong to the table"
            raise InvalidInput(
                "source",
                rule,
                found=str(folder),
                remedy="read it with Spark, or write it out plainly",
            )
    shown = [path for path in names if not path.name.startswith(("_", "."))]
    for path in shown:
        if path.is_dir():
            rule = (
                "is a folder with folders in it, and columns in the names of folders are not read"
            )
            remedy = f"if the files hold every column, give {folder / '**' / '*.parquet'}"
            raise InvalidInput("source", rule, found=str(folder), remedy=remedy)
    return [
        str(path) for path in shown if path.stat().st_size
    ]  # Spark may write a part of no bytes


def _matches(pattern: str) -> list[str]:
    """The paths a pattern matches, in order; `**` goes into folders."""
    path = Path(pattern)
    fixed = [part for part in path.parts if not set(part) & set(_PATTERN)]
    base = Path(
        *path.parts[
            : next((k for k, part in enumerate(path.parts) if part not in fixed), len(path.parts))
        ]
    )
    rest = path.relative_to(base)
    return sorted(str(match) for match in base.glob(str(rest))) if rest.parts else []
