"""Whole or absent: a bundle is written in a hidden folder beside its place, made durable, and
renamed once.

The hidden folder is readable by its owner alone. It is named after the release, so that a release
started again finds what an interrupted one left, and is new for each attempt, so that two at once
never write into one folder.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from discreet.already_there import AlreadyThere, another
from discreet.errors import InvalidFile, InvalidInput
from discreet.proof.files import flush
from discreet.tables.published.manifest import FORMATS, NAME, Manifest, file_digest
from discreet.tables.published.manifest_files import read_manifest

if TYPE_CHECKING:
    from discreet.tables.asking.request import Delivery
    from discreet.tables.engines import Engine

_TABLES = (".parquet", ".csv", ".json", ".jsonl")
_AGAIN = "Either way it is another release, and costs its epsilon again"


def check_output(output: str | os.PathLike[str], *, overwrite: bool) -> Path:
    """Check, before anything is read or spent, that a bundle can be put at `output`."""
    path = place_of(output)
    if path.suffix.lower() in _TABLES:
        remedy = f"give {path.stem!r}; `format` chooses the kind of table"
        raise InvalidInput(
            "output",
            "names a folder for the table, its manifest and its proofs",
            found=path.name,
            remedy=remedy,
        )
    if os.path.lexists(path):
        if not overwrite:
            raise AlreadyThere(
                "output",
                "exists already",
                found=str(output),
                remedy=f"{another('output')}. {_AGAIN}",
            )
        _check_bundle(path)
    if not path.parent.is_dir():
        raise InvalidInput("output", "must be in a folder that exists", str(output))
    start(
        path, "0" * 32
    ).rmdir()  # asking for permission is not enough: root has it even on a read-only disk
    return path


def place_of(output: str | os.PathLike[str]) -> Path:
    """The place that an `output` names, from the root."""
    named = os.fspath(output) if isinstance(output, str | os.PathLike) else None
    if not isinstance(named, str) or "\0" in named:
        raise InvalidInput("output", "must be a path", output)
    return Path.cwd() / named


def check_format(format: str, **for_spreadsheets: bool) -> None:
    """Refuse an unknown format, and what is done for spreadsheets in a format that none opens."""
    if format not in FORMATS:
        raise InvalidInput("format", f"must be one of {', '.join(FORMATS)}", format)
    for name, wanted in for_spreadsheets.items():
        if wanted and format != "csv":
            raise InvalidInput(
                name, "is for `format='csv'`, the one a spreadsheet opens", found=format
            )


def format_of(delivery: Delivery, engine: Engine) -> str:
    """The format of the tables: the one asked for, or the usual one of the source; it must fit
    what else was asked.
    """
    format = engine.usual_format if delivery.format is None else delivery.format
    check_format(
        format, escape_formulas=delivery.escape_formulas, byte_order_mark=delivery.byte_order_mark
    )
    if delivery.output is not None and format not in engine.formats:
        raise InvalidInput("format", f"must be {' or '.join(engine.formats)} with Spark", format)
    return format


def start(output: Path, release: str) -> Path:
    """Make an empty private folder for one attempt at a release."""
    try:
        return Path(
            tempfile.mkdtemp(
                prefix=f".{output.name}.{release}.", suffix=".partial", dir=output.parent
            )
        )
    except OSError as error:
        raise InvalidInput(
            "output", f"cannot be written ({error.strerror})", found=str(output)
        ) from None


def attempts(output: Path, release: str) -> list[Path]:
    """What attempts at a release have left beside its place, or are still writing."""
    start = f".{output.name}.{release}."
    try:
        paths = list(output.parent.iterdir())
    except OSError:  # a place of another machine, or gone
        return []
    named = ((path, path.name.removeprefix(start)) for path in paths if path.name.startswith(start))
    return [path for path, rest in named if rest.endswith(".partial") and rest.count(".") == 1]


def copy(bundle: Path, output: Path, release: str) -> Path:
    """Copy a finished bundle into a hidden folder beside another place, which may be on another
    disk.
    """
    folder = start(output, release)
    try:
        shutil.copytree(bundle, folder, dirs_exist_ok=True)
        make_durable(folder)
    except BaseException:
        discard(folder)
        raise
    return folder


def make_durable(folder: Path) -> None:
    """Force every file, then every folder, to the disk."""
    for path in sorted(folder.rglob("*")):
        flush(path)
    flush(folder)


def publish(folder: Path, output: Path, release: str, *, overwrite: bool) -> None:
    """Rename the finished folder to its place. Until here nothing is seen; from here all of it is.

    No other attempt at the release can be published any more, so what they left is thrown away.
    """
    old = folder.with_suffix(".old")
    if os.path.lexists(output):
        if not overwrite:
            raise InvalidInput("output", "came into being meanwhile", found=str(output))
        _check_bundle(output)
        shutil.rmtree(
            old, ignore_errors=True
        )  # of an attempt that came this far and lost its place to another
        output.rename(old)  # for a moment there is none: absent is allowed, half is not
    folder.rename(output)
    flush(output.parent)
    mask = os.umask(0)
    os.umask(mask)
    output.chmod(0o777 & ~mask)
    for left in (old, *attempts(output, release)):
        discard(left)


def discard(folder: Path) -> None:
    """Throw an unfinished bundle away."""
    shutil.rmtree(folder, ignore_errors=True)


def holds(path: Path, digest: str) -> Manifest | None:
    """The manifest of the bundle at `path` when it is the one with this digest."""
    if not (path / NAME).is_file():
        return None
    try:
        manifest = read_manifest(path)
        return manifest if file_digest(path / NAME) == digest else None
    except (
        InvalidFile,
        FileNotFoundError,
    ):  # cut short with the attempt that wrote it, or just put into its place
        return None


def found(digest: str, target: Path, outputs: Iterable[str], release: str) -> Path | None:
    """The finished bundle of a release: at its place, where an attempt was to publish it, or
    hidden beside these.
    """
    places = list(dict.fromkeys((target, *map(Path, outputs))))
    hidden = (path for place in places for path in attempts(place, release))
    return next((path for path in (*places, *hidden) if holds(path, digest)), None)


def _check_bundle(path: Path) -> None:
    """Only a release may be overwritten, never a folder of somebody's files."""
    if path.is_symlink() or not (path / NAME).is_file():
        raise InvalidInput(
            "output", "exists and is not a release, so it is not overwritten", found=str(path)
        )
    read_manifest(path)
