"""The manifest: the public facts of one release, in a versioned JSON file beside its table.

A bundle is a folder:

    manifest.json            this file; its SHA-256 is what the ledger records as published
    table.parquet            (or .csv, .jsonl) key columns, n, and one integer column for each count
    mechanisms/<id>.json     the mechanism of each size with its proof, named by content id

Numbers that must be exact are texts "numerator/denominator". Nothing here depends on the private data except through
the released table: no path, no host, no time of a row.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from discreet.errors import InvalidFile, InvalidInput, did_you_mean

FORMAT, VERSION = "discreet release", 1
NAME = "manifest.json"
SIZE = "n"
"""The output column that holds each group's size."""

PARTS = ("estimate", "low", "high")
"""What intervals add for each count, as columns `<count>_estimate` and so on."""

FORMATS = ("parquet", "csv", "jsonl")
"""Of a bundle's table."""

GIVEN = "given, see the proof files"
"""A loss or a prior that is no word."""

MOST_BYTES = 64 << 20  # of a manifest that is read: ten million sizes would not fit a plan either


@dataclass(frozen=True, slots=True, kw_only=True)
class CountFacts:
    """One released count: its column, what it counts, the privacy of one draw, and each size's mechanism by id."""

    name: str
    definition: str
    epsilon: str
    alpha: str
    mechanisms: dict[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """Everything public about a release."""

    release: str
    created: str
    dataset: str
    guarantee: str
    epsilon: str
    alpha: str
    unit: str
    contributions: int
    contributions_checked: bool
    level: str
    where: str
    nulls: str
    properties: str
    loss: str
    prior: str
    confidence: str
    keys: tuple[str, ...]
    size: str
    counts: tuple[CountFacts, ...]
    groups: int
    groups_by_size: dict[str, int]
    table: str = ""
    table_format: str = ""
    table_sha256: str = ""
    mechanism_sha256: dict[str, str] = field(default_factory=dict)
    engine: str = ""
    versions: dict[str, str] = field(default_factory=dict)
    format: str = FORMAT
    version: int = VERSION

    @property
    def wording(self) -> int:
        """Which wording the guarantee is in: version 1 of the manifest has no field for it, and it is the first."""
        return 1

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the table, in order."""
        names = [*self.keys, self.size]
        for count in self.counts:
            names += [count.name, *(f"{count.name}_{part}" for part in PARTS if self.confidence)]
        return tuple(names)

    @property
    def text(self) -> str:
        """The file's content."""
        return json.dumps(asdict(self), indent=2, ensure_ascii=False) + "\n"

    @property
    def digest(self) -> str:
        """SHA-256 of the file: it covers the table and the mechanisms, whose own digests it holds."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    def count(self, name: str | None = None) -> CountFacts:
        """The facts of one count; the name may be left out when there is only one."""
        if name is None and len(self.counts) == 1:
            return self.counts[0]
        names = [count.name for count in self.counts]
        if name is None:
            raise InvalidInput(
                "count", "is needed, as the release has several", remedy=f"choose from {', '.join(names)}"
            )
        if name not in names:
            remedy = did_you_mean(name, names)
            raise InvalidInput("count", "must name a count of the release", name, remedy=remedy)
        return self.counts[names.index(name)]


def check_format(format: str, escape_formulas: bool) -> None:
    """Refuse a format that is none, and escaping where nothing is run."""
    if format not in FORMATS:
        raise InvalidInput("format", f"must be one of {', '.join(FORMATS)}", format)
    if escape_formulas and format != "csv":
        raise InvalidInput("escape_formulas", "is for `format='csv'`, the one a spreadsheet opens", found=format)


def write_fraction(value: Fraction) -> str:
    """Write exactly: "1/2", and "1/1" for a whole number too."""
    return f"{value.numerator}/{value.denominator}"


def read_manifest(path: str | Path) -> Manifest:
    """Read a manifest from its file or from its bundle's folder; damage is an error that names what is wrong."""
    file = Path(path)
    file = file / NAME if file.is_dir() else file
    try:
        if file.stat().st_size > MOST_BYTES:
            raise InvalidFile("manifest", "is too large to be one", found=str(file))
        data = json.loads(file.read_bytes(), object_pairs_hook=_unique)
        json.dumps(data, ensure_ascii=False).encode()  # an escape can name half a character, which is no text
    except FileNotFoundError:
        raise InvalidFile("manifest", "is missing: this is not the folder of a release", found=str(file)) from None
    except OSError as error:
        raise InvalidFile("manifest", f"cannot be read ({error.strerror})", found=str(file)) from None
    except InvalidFile:
        raise
    except (ValueError, RecursionError):
        raise InvalidFile("manifest", "is not JSON", found=str(file)) from None
    return parse_manifest(data, str(file))


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Refuse a field that stands twice: a person would read the one, a program the other."""
    if len(found := dict(pairs)) < len(pairs):
        raise InvalidFile("manifest", "has a field twice")
    return found


def parse_manifest(data: Any, where: str = "manifest") -> Manifest:
    """Check every field's name and type; an unknown version says so."""
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise InvalidFile("manifest", "is not a discreet release", found=where)
    if data.get("version") != VERSION:
        version = str(data.get("version"))[:20]
        raise InvalidFile("manifest", f"is of version {version}", found=where, remedy="a newer discreet reads it")
    wrong = _mismatch(data, _EXPECTED)
    if wrong:
        raise InvalidFile("manifest", f"has a wrong or missing field {wrong}", found=where)
    counts = []
    for entry in data["counts"]:
        wrong = _mismatch(entry, _EXPECTED_COUNT) if isinstance(entry, dict) else "counts"
        wrong = wrong or ("mechanisms" if not _maps(entry["mechanisms"], _NUMBER, _DIGEST) else "")
        wrong = wrong or next((name for name in ("epsilon", "alpha") if not _RATIO.fullmatch(entry[name])), "")
        if wrong:
            raise InvalidFile("manifest", f"has a wrong or missing field {wrong}", found=where)
        counts.append(CountFacts(**entry))
    inside = {
        **{name: _RATIO.fullmatch(data[name]) is not None for name in ("epsilon", "alpha")},
        "confidence": not data["confidence"] or _RATIO.fullmatch(data["confidence"]) is not None,
        "keys": all(isinstance(key, str) for key in data["keys"]),
        "table": not data["table"] or _FILE.fullmatch(data["table"]) is not None,
        "groups_by_size": _maps(data["groups_by_size"], _NUMBER, None),
        "mechanism_sha256": _maps(data["mechanism_sha256"], _DIGEST, _DIGEST),
        "versions": all(isinstance(version, str) for version in data["versions"].values()),
    }
    for name, right in inside.items():
        if not right:
            raise InvalidFile("manifest", f"has a wrong value in {name}", found=where)
    return Manifest(**{**data, "counts": tuple(counts), "keys": tuple(data["keys"])})


_EXPECTED_COUNT: dict[str, type] = {"name": str, "definition": str, "epsilon": str, "alpha": str, "mechanisms": dict}
_EXPECTED: dict[str, type] = {
    "release": str, "created": str, "dataset": str, "guarantee": str, "epsilon": str, "alpha": str, "unit": str,
    "contributions": int, "contributions_checked": bool, "level": str, "where": str, "nulls": str,
    "properties": str, "loss": str, "prior": str, "confidence": str, "keys": list, "size": str, "counts": list,
    "groups": int, "groups_by_size": dict, "table": str, "table_format": str, "table_sha256": str,
    "mechanism_sha256": dict, "engine": str, "versions": dict, "format": str, "version": int,
}  # fmt: skip


def _mismatch(data: dict[str, Any], expected: dict[str, type]) -> str:
    """The first field that is missing, unknown or of the wrong type."""
    for name in [*expected, *data]:
        if name not in expected or type(data.get(name)) is not expected[name]:
            return name[:80] or "with an empty name"
    return ""


_NUMBER = re.compile(r"0|[1-9][0-9]{0,17}")
_RATIO = re.compile(r"[0-9]{1,2100}/0*[1-9][0-9]{0,2100}")  # as `write_fraction` writes them
_DIGEST = re.compile(r"[0-9a-f]{64}")
_FILE = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9_.-]{0,99}")  # a name in the bundle's own folder, never a way out of it


def _maps(data: dict[Any, Any], keys: re.Pattern[str], values: re.Pattern[str] | None) -> bool:
    """Whether every key and value has its form; without a pattern, values are whole numbers from 0."""
    for key, value in data.items():
        known = (
            type(value) is int and value >= 0 if values is None else isinstance(value, str) and values.fullmatch(value)
        )
        if not keys.fullmatch(key) or not known:
            return False
    return True


def file_digest(path: Path) -> str:
    """SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def table_digest(path: Path) -> str:
    """SHA-256 of a table's file, or, where an engine writes a folder of parts, of the list of their digests."""
    if path.is_file():
        return file_digest(path)
    parts = sorted(part for part in path.rglob("*") if part.is_file())
    listed = "".join(f"{file_digest(part)}  {part.relative_to(path).as_posix()}\n" for part in parts)
    return hashlib.sha256(listed.encode()).hexdigest()
