"""Designs that this machine keeps: proof files whose names are digests of their bytes, so that one
look tells them.

Checking the proof of a large linear program takes longer than solving it. What stands here was
proven when it was made: a file that has the digest in its name is that very file, byte for byte,
and reading it checks the matrix alone, which every `Mechanism` does. `discreet verify` and
`dc.load` check everything, always.

The folder is `DISCREET_CACHE` if set, else `discreet/designs` in the user's cache folder.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.core.certificate import Certificate
from discreet.proof.by_place import read_multipliers

if TYPE_CHECKING:
    from discreet.core.certificate import Problem

SUFFIX = ".design.json"


def kept_folder() -> Path:
    """The user's own folder of designs."""
    if given := os.environ.get("DISCREET_CACHE"):
        return Path(given)
    home = Path.home() / ("Library/Caches" if sys.platform == "darwin" else ".cache")
    return Path(os.environ.get("XDG_CACHE_HOME") or home) / "discreet" / "designs"


def digest_of(data: bytes) -> str:
    """What the name of a file ends with that holds these bytes."""
    return sha256(data).hexdigest()


def kept_as(path: Path) -> str:
    """The digest in the name of a file; empty where there is none.

    >>> (
    ...     kept_as(Path("n5-0123.design.json")),
    ...     kept_as(Path(f"n5-0123-{'ab' * 32}.design.json")) == "ab" * 32,
    ... )
    ('', True)
    """
    last = path.name.removesuffix(SUFFIX).rpartition("-")[2]
    return last if len(last) == 64 else ""


def known_files() -> dict[str, Path]:
    """The files in the user's own folder by the digests in their names; none where that cannot
    be read.
    """
    found: dict[str, Path] = {}
    with suppress(OSError, RuntimeError):  # not everybody has a home
        found = {kept_as(path): path for path in kept_folder().glob(f"*{SUFFIX}")}
    found.pop("", None)
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """The proof of a design that is kept: its multipliers as the file has them, and where that
    is.
    """

    path: Path
    epsilon: str
    claim: dict[str, Any]

    def __call__(self, problem: Problem) -> Certificate:
        """Write the multipliers out."""
        return certificate_of(self.claim)

    def file(self, epsilon: str) -> bytes | None:
        """The proof file, where it still stands and is accounted at this epsilon."""
        try:
            data = self.path.read_bytes() if epsilon == self.epsilon else b""
        except OSError:
            return None
        return data if data and digest_of(data) == kept_as(self.path) else None


def certificate_of(claim: dict[str, Any]) -> Certificate:
    """The multipliers that a file claims to prove an optimum, or a bound."""
    return Certificate(
        cost=fraction(claim["cost"]),
        bound=fraction(claim["bound"]),
        denominator=int(claim["denominator"], 16),
        rows=read_multipliers(claim),
    )


def fraction(text: str) -> Fraction:
    """Read a fraction as files write it."""
    top, bottom = text.split("/")
    return Fraction(int(top, 16), int(bottom, 16))
