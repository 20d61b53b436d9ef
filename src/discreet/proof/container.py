"""One container for the proofs of a bundle: a zip archive, written in one way only and read with
suspicion.

    <content id>.json      a proof file as `discreet.proof` specifies it, named by its content id

Names ascend, so each stands once; entries are deflated, dated 1980-01-01, without comments, extra
fields or anything between or around them. The same proofs therefore give the same bytes (the
compressor being the same). Reading accepts exactly this, and checks what an entry says of itself
before the entry is unpacked: the name is 64 hexadecimal digits and ".json", so no path leads
anywhere; nothing is encrypted; entries neither repeat nor overlap. Limits: `MAX_ENTRIES` proofs,
`MAX_ARCHIVE` bytes of archive, `MAX_UNPACKED` bytes in all and as many in one entry as a proof file
may have. One entry is in memory at a time, and never more of it than it said.

Standard library only, like the verifier.
"""

from __future__ import annotations

import os
import re
import struct
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

from discreet.errors import InvalidFile, InvalidInput
from discreet.proof.reading import MAX_BYTES, invalid, open_regular

NAME = "proofs.zip"
"""The container's name in a bundle."""

MAX_ENTRIES = 100_000
MAX_ARCHIVE = (1 << 31) - 1  # beyond it an archive is written in another way
MAX_UNPACKED = 1 << 33

LONG = 100_000
"""Files of more bytes are compressed in the quickest way, which makes them a tenth larger."""

_ENTRY = re.compile(r"[0-9a-f]{64}\.json")
_LENGTH = 64 + len(".json")
_BEFORE, _LISTED = (
    30 + _LENGTH,
    46 + _LENGTH,
)  # bytes before an entry's data, and of its line in the directory
_FIRST = b"PK\x03\x04"
_EPOCH = (1980, 1, 1, 0, 0, 0)
_BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    NotImplementedError,
    RuntimeError,
    EOFError,
    ValueError,
    struct.error,
)


def check_number(proofs: int) -> None:
    """Refuse, before anything is spent, more proofs than a container holds."""
    if proofs > MAX_ENTRIES:
        remedy = "release fewer counts or groups of fewer sizes at a time"
        raise InvalidInput(
            "output",
            f"must have at most {MAX_ENTRIES:,} different mechanisms",
            proofs,
            remedy=remedy,
        )


def write_container(path: Path | BinaryIO, proofs: Iterable[tuple[str, bytes]]) -> None:
    """Write proof files, given by content id in ascending order."""
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in proofs:
            entry = zipfile.ZipInfo(f"{name}.json", _EPOCH)
            entry.compress_type, entry.create_system, entry.external_attr = (
                zipfile.ZIP_DEFLATED,
                3,
                0o644 << 16,
            )
            archive.writestr(entry, data, compresslevel=1 if len(data) > LONG else None)


def read_container(file: BinaryIO) -> Iterator[tuple[str, bytes]]:
    """Yield the content id and the bytes of each proof file; whatever is not as it should be
    raises `InvalidFile`.
    """
    try:
        end = _check_end(file)
        with zipfile.ZipFile(file) as archive:
            entries = archive.infolist()
            _check_entries(entries, end)
            for entry in entries:
                with archive.open(entry) as opened:
                    data = opened.read(entry.file_size)  # a size given bounds what is unpacked
                if len(data) != entry.file_size:
                    invalid("container", "has an entry that is not as long as it says")
                yield entry.filename.removesuffix(".json"), data
    except InvalidFile:
        raise
    except (*_BROKEN, OSError) as error:
        raise InvalidFile("container", f"is damaged ({type(error).__name__})") from None


def proofs_in(path: str | os.PathLike[str]) -> Iterator[tuple[str, bytes]]:
    """Yield the id that a container or the folder of a bundle gives each proof, and its bytes.

    Of a bundle only the proofs are read; `discreet verify` reads its manifest and table too.
    """
    place = Path(path)
    if place.is_dir() and not (place / NAME).exists():
        invalid("path", "is a folder without proofs", f"a bundle has {NAME}")
    with open_regular(place / NAME if place.is_dir() else place) as opened:
        yield from read_container(opened)


def is_container(path: str | os.PathLike[str]) -> bool:
    """Say whether many proofs are to be found at a path: in a folder, or in a file that begins
    like an archive.
    """
    if Path(path).is_dir():
        return True
    with open_regular(path) as file:
        return file.read(len(_FIRST)) == _FIRST


def _check_end(file: BinaryIO) -> int:
    """Check the record at the end of the archive before the directory it names is read; return
    where that starts.
    """
    length = file.seek(0, os.SEEK_END)
    file.seek(max(0, length - 98))
    tail = file.read()
    if len(tail) < 22 or length > MAX_ARCHIVE:
        invalid("container", f"must be a zip archive of at most {MAX_ARCHIVE} bytes")
    sign, disk, first, here, count, size, start, comment = struct.unpack("<4s4H2LH", tail[-22:])
    after = 22
    if tail[:4] == b"PK\x06\x06" and len(tail) == 98:  # more entries than two bytes can count
        here, count, size, start = struct.unpack("<4Q", tail[24:56])
        after = 98
    if sign != b"PK\x05\x06" or disk or first or comment or here != count:
        invalid(
            "container",
            "does not end as a zip archive without a comment does",
            "it may have been cut short",
        )
    if not 0 < count <= MAX_ENTRIES:
        invalid("container", f"must hold 1 to {MAX_ENTRIES} proofs")
    if size != count * _LISTED or start + size + after != length:
        invalid("container", "must hold proof files named by content id, and nothing else")
    return int(start)


def _check_entries(entries: list[zipfile.ZipInfo], end: int) -> None:
    """Check every entry's own words before one of them is unpacked."""
    before, place, unpacked = "", 0, 0
    for entry in entries:
        if entry.orig_filename != entry.filename or not _ENTRY.fullmatch(entry.filename):
            invalid("container", "must hold proof files named by content id, and nothing else")
        if entry.filename <= before:
            invalid("container", "must name each proof once, in ascending order")
        if (
            entry.flag_bits
            or entry.compress_type != zipfile.ZIP_DEFLATED
            or entry.extra
            or entry.comment
        ):
            invalid(
                "container",
                "must hold entries that are deflated, and neither encrypted nor commented",
            )
        if entry.header_offset != place:
            invalid("container", "has entries that overlap, or something between them")
        before, place = entry.filename, place + _BEFORE + entry.compress_size
        unpacked += entry.file_size
        if entry.file_size > MAX_BYTES or unpacked > MAX_UNPACKED:
            invalid(
                "container",
                f"must unpack to at most {MAX_BYTES} bytes an entry and {MAX_UNPACKED} in all",
            )
    if place != end:
        invalid("container", "has entries that overlap, or something between them")
