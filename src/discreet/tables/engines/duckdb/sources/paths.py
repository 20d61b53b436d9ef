"""Which files a path means: itself, the parts of a folder, or what a pattern matches; and how DuckDB is told.

DuckDB takes every path for a pattern, so that `a[1].csv` would be read as `a1.csv`. A path that exists means itself:
it is written as a pattern that matches it and nothing else.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pyarrow as pa

from discreet.errors import InvalidInput, did_you_mean

Stamp = tuple[str, int, int, int]
"""Path, size, time of change in nanoseconds and inode of a file."""

PACKED = {".gz": "gzip", ".zst": "zstd"}
"""Endings of packed files, and Arrow's names for how they are packed."""
_PATTERN = "*?["
_LOGS = ("_delta_log", ".hoodie", "_temporary")
"""What says that not every file of a folder belongs to its table, or not yet."""


def stamps(patterns: tuple[str, ...]) -> tuple[Stamp, ...]:
    """Every file of paths, folders and globs, each once, in order."""
    paths: list[str] = []
    for pattern in patterns:
        given = Path(pattern)
        # A file may be called "a[1].csv": an existing path means itself.
        found = [pattern] if given.is_file() else _parts(given) if given.is_dir() else _matches(pattern)
        paths += [one for one in found if Path(one).is_file() and one not in paths]
    try:
        facts = [(path, Path(path).stat()) for path in paths]
    except OSError:
        return ()
    seen: set[object] = set()
    for path, stat in facts:
        same = (stat.st_dev, stat.st_ino) if stat.st_ino else os.path.realpath(path)
        if same in seen:
            raise InvalidInput("source", "names one file twice, so that its people would count twice", found=path)
        seen.add(same)
    return tuple((path, stat.st_size, stat.st_mtime_ns, stat.st_ino) for path, stat in facts)


def absolute(path: str) -> str:
    """The path as DuckDB writes it."""
    return Path(path).absolute().as_posix()


def unpacked(path: str) -> Any:
    """The bytes of a file, unpacked, as a stream; an absolute path, because Arrow gives `~` a meaning too."""
    return pa.input_stream(absolute(path), compression=PACKED.get(Path(path).suffix.lower()))


def exactly(path: str) -> str:
    """The pattern by which DuckDB reads this one file; absolute, so that `~` and `file:` are names as well.

    >>> exactly("/data/a[1]*.csv")
    '/data/a[[]1][*].csv'
    """
    whole = absolute(path)
    if "\\" in whole and set(whole) & set(_PATTERN):
        rule = "has a name with a backslash and one of * ? [, which DuckDB cannot be told"
        raise InvalidInput("source", rule, found=path, remedy="rename it")
    try:
        whole.encode()
    except UnicodeEncodeError:
        raise InvalidInput("source", "has a name that is not UTF-8", found=path, remedy="rename it") from None
    return "".join(f"[{sign}]" if sign in _PATTERN else sign for sign in whole)


def near_path(pattern: str) -> str:
    """Suggest a file of a similar name in the same folder."""
    path = Path(pattern)
    if path.is_dir():
        return "the folder holds no files but hidden or empty ones"
    if path.exists():
        return "it is no regular file"
    try:
        names = [one.name for one in path.parent.iterdir()]
    except OSError:
        return "the folder cannot be read"
    near = did_you_mean(path.name, names) if names else ""
    return near if near.startswith("did") else "check the path"


def _parts(folder: Path) -> list[str]:
    """The files of a folder such as Spark writes: parts, with marks and checksums (`_SUCCESS`, `.crc`) beside them."""
    try:
        names = sorted(folder.iterdir())
    except OSError as error:
        raise InvalidInput("source", f"is a folder that cannot be read ({error.strerror})", found=str(folder)) from None
    for name in _LOGS:
        if (folder / name).exists():
            rule = f"is a folder with {name}, by which not every file in it belongs to the table"
            raise InvalidInput("source", rule, found=str(folder), remedy="read it with Spark, or write it out plainly")
    shown = [path for path in names if not path.name.startswith(("_", "."))]
    for path in shown:
        if path.is_dir():
            rule = "is a folder with folders in it, and columns that stand in names of folders are not read"
            remedy = f"if the files hold every column, give {folder / '**' / '*.parquet'}"
            raise InvalidInput("source", rule, found=str(folder), remedy=remedy)
    return [str(path) for path in shown if path.stat().st_size]  # Spark may write a part of no bytes


def _matches(pattern: str) -> list[str]:
    """The paths a pattern matches, in order; `**` goes into folders."""
    path = Path(pattern)
    fixed = [part for part in path.parts if not set(part) & set(_PATTERN)]
    base = Path(*path.parts[: next((k for k, part in enumerate(path.parts) if part not in fixed), len(path.parts))])
    rest = path.relative_to(base)
    return sorted(str(match) for match in base.glob(str(rest))) if rest.parts else []
