"""The one writer of files: a file appears whole or not at all, even after a crash.

It is written under another name in the same folder, flushed to disk, and renamed; then the folder is flushed too.
"""

from __future__ import annotations

import os
import secrets
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from discreet.errors import InvalidFile

if TYPE_CHECKING:
    from collections.abc import Iterator
    from os import PathLike


def write_whole(
    path: str | PathLike[str], data: bytes | str, *, private: bool = False, parameter: str = "path"
) -> None:
    """Write a file so that every reader finds all of it or what was there before; text as UTF-8.

    A `private` file can be read by its owner alone, from its first byte on.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_whole(f"{folder}/a.txt", "all of it")
    ...     Path(f"{folder}/a.txt").read_text(), len(list(Path(folder).iterdir()))
    ('all of it', 1)
    """
    with whole_file(path, private=private, parameter=parameter) as partial:
        partial.write_bytes(data.encode() if isinstance(data, str) else data)


@contextmanager
def whole_file(path: str | PathLike[str], *, private: bool = False, parameter: str = "path") -> Iterator[Path]:
    """Give the path to write to for now; at the end of the block the file takes its name, or is gone after an error."""
    target = Path(path)
    if target.is_dir() or not target.parent.is_dir():
        raise InvalidFile(parameter, "must name a file in a folder that exists", str(path))
    if _is_stream(target):
        yield target
        return
    if target.is_symlink():
        target = target.resolve()  # a link stays a link
    partial = target.with_name(f".{target.name[:100]}.{secrets.token_hex(8)}.part")
    try:
        os.close(os.open(partial, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600 if private else 0o666))
        yield partial
        flush(partial)
        partial.replace(target)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise
    flush(target.parent)


def flush(path: Path) -> None:
    """Force a file, or the names in a folder, to the disk: a rename is durable when its folder is."""
    if os.name != "posix" and path.is_dir():
        return  # only POSIX opens folders
    handle = os.open(path, os.O_RDONLY if os.name == "posix" else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _is_stream(target: Path) -> bool:
    """Whether this is a pipe or a terminal, or one of the names of our own output: there is nothing to replace."""
    return target.exists() and (not target.is_file() or target.absolute().is_relative_to("/dev"))
