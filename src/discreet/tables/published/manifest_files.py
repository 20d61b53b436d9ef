"""Reading a manifest: each field has one decoder, its type and its range.

The relations of the fields to each other are in `checking.manifest_checks`. `stated`
lists the fields that nothing in a bundle shows.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from pathlib import Path
from typing import Any

from discreet.core.histogram import MOST_ANSWERS
from discreet.core.properties import read_shape
from discreet.core.rationals import MAX_EPSILON, MIN_EPSILON
from discreet.errors import DiscreetError, InvalidFile, about_file
from discreet.proof import container
from discreet.tables.asking.price import WORDINGS
from discreet.tables.published.manifest import (
    COUNTS,
    FORMAT,
    FORMATS,
    GIVEN,
    HISTOGRAM,
    NAME,
    VERSION,
    CountFacts,
    Excess,
    Level,
    Manifest,
    Public,
    write_fraction,
)

MOST_BYTES = 64 << 20  # of a manifest that is read: ten million sizes would not fit a plan either
NEWER = "a newer discreet reads it"
EDITED = "it was edited: get the folder again from whoever published it"


def read_manifest(path: str | Path) -> Manifest:
    """Read a manifest from its file or from its bundle's folder; damage is an error that names
    what is wrong.
    """
    file = Path(path)
    file = file / NAME if file.is_dir() else file
    try:
        if file.stat().st_size > MOST_BYTES:
            raise InvalidFile("manifest", "is too large to be one", found=str(file))
        data = json.loads(file.read_bytes(), object_pairs_hook=_unique)
        json.dumps(
            data, ensure_ascii=False
        ).encode()  # an escape can name half a character, which is no text
    except FileNotFoundError:
        raise InvalidFile(
            "manifest", "is missing: this is not the folder of a release", found=str(file)
        ) from None
    except OSError as error:
        raise InvalidFile(
            "manifest", f"cannot be read ({error.strerror})", found=str(file)
        ) from None
    except InvalidFile:
        raise
    except (ValueError, RecursionError):
        if file == Path(path) and file.name != NAME:
            remedy = "a release is a folder made by `discreet release`: give that folder"
            raise InvalidFile(file.name, "is not a release", remedy=remedy) from None
        remedy = "get the folder again from whoever published it"
        raise InvalidFile(
            "manifest", "was cut short or changed: it is not JSON", found=str(file), remedy=remedy
        ) from None
    with about_file(file):
        return parse_manifest(data)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Refuse a field that is there twice: a person might read one and a program the other."""
    if len(found := dict(pairs)) < len(pairs):
        raise InvalidFile("manifest", "has a field twice")
    return found


def parse_manifest(data: Any) -> Manifest:
    """Decode every field; for what only a newer program knows, the error says so."""
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise InvalidFile("manifest", "is not a discreet release")
    version = data.get("version")
    if type(version) is not int or version != VERSION:
        raise InvalidFile("manifest", f"is of version {str(version)[:20]}", remedy=NEWER)
    _decode(data, _MANIFEST)
    _decode(data["public"], _PUBLIC, "public")
    _decode(data["excess"], _EXCESS, "excess")
    if "retrofit" in data:
        _decode(data["retrofit"], _RETROFIT, "retrofit")
    if data["wording"] not in WORDINGS:
        raise InvalidFile("manifest", f"has the wording {data['wording']}", remedy=NEWER)
    levels = tuple(_level(level, f"levels[{place}]") for place, level in enumerate(data["levels"]))
    public = Public(**{**data["public"], "keys": tuple(data["public"]["keys"])})
    return Manifest(
        **{**data, "public": public, "excess": Excess(**data["excess"]), "levels": levels}
    )


def _level(data: Any, within: str) -> Level:
    _decode(data, _LEVEL, within)
    counts = tuple(
        _count(entry, f"{within}.counts[{place}]") for place, entry in enumerate(data["counts"])
    )
    return Level(**{**data, "keys": tuple(data["keys"]), "counts": counts})


def _count(entry: Any, within: str) -> CountFacts:
    domain = entry.get("domain") if isinstance(entry, dict) else None
    kind = domain.get("kind") if isinstance(domain, dict) else None
    _decode(entry, _HISTOGRAM if kind == HISTOGRAM else _COUNT, within)
    if kind not in (HISTOGRAM, COUNTS["kind"]):
        raise InvalidFile("manifest", "has a domain other than counts and histograms", remedy=NEWER)
    _decode(domain, _HISTOGRAM_DOMAIN if kind == HISTOGRAM else _COUNT_DOMAIN, f"{within}.domain")
    return CountFacts(**entry)


@dataclass(frozen=True, slots=True)
class _Field:
    """The decoder of one field: what it must be, in words and as a check of its type and range."""

    kind: type
    rule: str = ""
    holds: Callable[[Any], object] | None = None
    later: bool = False
    """Whether it is left out where it says nothing."""


def _decode(data: Any, fields: dict[str, _Field], within: str = "") -> None:
    """Check that an object has exactly these fields, each of its type and in its range."""
    if not isinstance(data, dict):
        raise InvalidFile(within, "must be an object", remedy=EDITED)
    path = f"{within}." if within else ""
    if more := [name for name in data if name not in fields]:
        raise InvalidFile("manifest", f"has an unknown field {path}{more[0][:80]}", remedy=NEWER)
    for name, field in fields.items():
        if name not in data:
            if not field.later:
                raise InvalidFile("manifest", f"has no field {path}{name}", remedy=EDITED)
        elif type(value := data[name]) is not field.kind:
            raise InvalidFile(
                f"{path}{name}", f"must be {_KINDS[field.kind]}", value, remedy=EDITED
            )
        elif field.holds is not None and not field.holds(value):
            raise InvalidFile(f"{path}{name}", f"must be {field.rule}", value, remedy=EDITED)
        elif field.later and not value:
            raise InvalidFile(
                f"{path}{name}", "must be left out where it says nothing", remedy=EDITED
            )


_KINDS = {
    str: "a text",
    int: "a whole number",
    bool: "true or false",
    list: "a list",
    dict: "an object",
}

_ID = re.compile(r"[0-9a-f]{32}").fullmatch
_DIGEST = re.compile(r"[0-9a-f]{64}").fullmatch
_RANGE = re.compile(r"(0|[1-9][0-9]{0,17})(-[1-9][0-9]{0,17})?").fullmatch
_NUMBER = re.compile(r"0|[1-9][0-9]{0,17}").fullmatch
_RATIO = re.compile(r"[0-9]{1,2101}/[1-9][0-9]{0,2100}").fullmatch
_FILE = re.compile(
    r"[A-Za-z0-9_-][A-Za-z0-9_.-]{0,99}"
).fullmatch  # in the bundle's own folder, never a way out of it
_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\+00:00").fullmatch


def _lowest(text: str) -> bool:
    """Whether a text is a fraction as `write_fraction` writes it."""
    return bool(_RATIO(text)) and write_fraction(Fraction(text)) == text


def _between(text: str, least: Fraction | int, most: Fraction | int) -> bool:
    return _lowest(text) and least <= Fraction(text) <= most


def _inside(text: str) -> bool:
    return _lowest(text) and 0 < Fraction(text) < 1


def _moment(text: str) -> bool:
    try:
        return bool(_TIME(text) and datetime.fromisoformat(text))
    except ValueError:
        return False


def _shape(text: str) -> bool:
    try:
        return str(read_shape(text)) == text
    except DiscreetError:
        return False


def _plain(text: str) -> bool:
    """Whether a text has no control characters."""
    return not any(character < " " or "\x7f" <= character < "\xa0" for character in text)


def _texts(values: Iterable[Any]) -> bool:
    return all(isinstance(value, str) for value in values)


def _names(values: list[Any]) -> bool:
    return _texts(values) and len(set(values)) == len(values)


def _answers(values: list[Any]) -> bool:
    # with a cap "absent" is one more than can be asked for
    return _names(values) and 3 <= len(values) <= MOST_ANSWERS + 1 and all(map(str.strip, values))


def _ids(data: dict[str, Any], key: Callable[[str], Any]) -> bool:
    return all(
        key(name) and isinstance(value, str) and _DIGEST(value) for name, value in data.items()
    )


def _one_of(*choices: str) -> _Field:
    return _Field(str, " or ".join(filter(None, choices)) or "empty", choices.__contains__)


def _or_empty(rule: str, holds: Callable[[str], object]) -> _Field:
    return _Field(str, f"{rule}, or empty", lambda text: not text or holds(text))


_TEXT, _SWITCH = _Field(str), _Field(bool)
_NOT_EMPTY = _Field(str, "a text that is not empty", str.strip)
_PLAIN = _Field(str, "a text without control characters", _plain)
_VERSIONS = _Field(
    dict,
    "names and versions",
    lambda told: _texts(told.values()) and all(map(_plain, told.values())),
)
_SHA256 = ("64 hexadecimal digits", _DIGEST)
_FILE_NAME = _Field(str, "the name of a file in the bundle's folder", _FILE)
_SHARE = _Field(str, "a fraction in lowest terms of at most 1", lambda text: _between(text, 0, 1))
_INSIDE = ("a fraction between 0 and 1 in lowest terms", _inside)
_ALPHA = _Field(str, *_INSIDE)
_PRICE = f"a fraction between 1e-15 and {MAX_EPSILON} in lowest terms"
_EPSILON = _Field(str, _PRICE, lambda text: _between(text, MIN_EPSILON, MAX_EPSILON))
_KEYS = _Field(list, "names of columns, each once", _names)
_BY_RANGE = _Field(dict, "content ids by range of sizes", lambda ids: _ids(ids, _RANGE))
_LATER_SWITCH = _Field(bool, later=True)
_LARGE = 1 << 62
"""Above what a column of the table can hold."""

_MANIFEST: dict[str, _Field] = {
    "format": _one_of(FORMAT),
    "version": _Field(int),
    "release": _Field(str, "32 hexadecimal digits", _ID),
    "created": _Field(str, "a time in UTC such as 2026-11-15T09:25:21+00:00", _moment),
    "dataset": _PLAIN,
    "guarantee": _TEXT,
    "epsilon": _EPSILON,
    "alpha": _ALPHA,
    "contributions": _Field(int, "at least 1", lambda rows: 1 <= rows < _LARGE),
    "contributions_checked": _SWITCH,
    "nulls": _one_of("refuse", "0", "1"),
    "loss": _NOT_EMPTY,
    "prior": _NOT_EMPTY,
    "confidence": _or_empty(*_INSIDE),
    "size": _TEXT,
    "table_format": _one_of(*FORMATS),
    "engine": _Field(str, "a name without control characters", lambda text: text and _plain(text)),
    "versions": _VERSIONS,
    "caller": _PLAIN,
    "question": _Field(str, *_SHA256),
    "wording": _Field(int),
    "source": _one_of("people", "counts"),
    "public": _Field(dict),
    "excess": _Field(dict),
    "levels": _Field(list, "at least one level", len),
    "escaped": _SWITCH,
    "proofs": _one_of(container.NAME),
    "proofs_sha256": _Field(str, *_SHA256),
    "adding_up": _LATER_SWITCH,
    "mechanisms_given": _LATER_SWITCH,
    "retrofit": _Field(dict, later=True),
}
_RETROFIT: dict[str, _Field] = {"of": _or_empty(*_SHA256), "said": _TEXT}
_PUBLIC: dict[str, _Field] = {
    "keys": _KEYS,
    "where": _TEXT,
    "unit": _TEXT,
    "size": _TEXT,
    "made": _Field(
        dict,
        "what each key that is made of columns is made of",
        lambda made: _texts(made.values()) and all(map(str.strip, made.values())),
        later=True,
    ),
    "smallest": _Field(int, "at least 2", lambda size: 2 <= size < _LARGE, later=True),
}
_EXCESS = dict.fromkeys(("rows", "keys"), _one_of("refuse", "drop"))
_LEVEL: dict[str, _Field] = {
    "keys": _KEYS,
    "properties": _Field(str, "properties as they are always written", _shape),
    "groups": _Field(int, "at least 1", lambda groups: groups >= 1),
    "groups_by_size": _Field(
        dict,
        "how many groups there are, at least 1, by size",
        lambda groups: (
            groups and all(_NUMBER(n) and type(k) is int and k >= 1 for n, k in groups.items())
        ),
    ),
    "counts": _Field(list, "at least one count", len),
    "table": _FILE_NAME,
    "table_sha256": _Field(str, *_SHA256),
    "share": _SHARE,
}
_COUNT: dict[str, _Field] = {
    "name": _TEXT,
    "definition": _NOT_EMPTY,
    "epsilon": _EPSILON,
    "alpha": _ALPHA,
    "mechanisms": _BY_RANGE,
    "domain": _Field(dict),
    "share": _SHARE,
}
_HISTOGRAM: dict[str, _Field] = {
    **_COUNT,
    "cells": _BY_RANGE,
    "cell_epsilon": _or_empty(_PRICE, lambda text: _between(text, MIN_EPSILON / 2, MAX_EPSILON)),
    "cell_alpha": _or_empty(*_INSIDE),
}
_COUNT_DOMAIN: dict[str, _Field] = {
    "kind": _one_of(COUNTS["kind"]),
    "step": _Field(int, "at least 2", lambda step: 2 <= step < _LARGE, later=True),
}
_HISTOGRAM_DOMAIN: dict[str, _Field] = {
    "kind": _one_of(HISTOGRAM),
    "answers": _Field(list, f"3 to {MOST_ANSWERS} answers, each once", _answers),
    "cap": _Field(int, "at least 1", lambda cap: 1 <= cap < _LARGE, later=True),
}


def stated(manifest: Manifest) -> dict[str, Any]:
    """The fields that nothing in a bundle shows, with their values: who reads them can only repeat
    the publisher.

    How many rows a person may have is one of them, so that all that is said of epsilon rests on it.
    The digest of the question shows nothing of the fields it covers: whoever edits them can take
    another. It is the ledger that tells: it holds the digest of the whole manifest.
    """
    m, public, people = manifest, manifest.public, manifest.source == "people"
    checked = bool(m.cap) or any(
        count.step > 1 for count in m.counts
    )  # people are told apart, and how many rows each has
    fields = {
        "release": (m.release, True),
        "created": (m.created, True),
        "dataset": (m.dataset, True),
        "caller": (m.caller, True),
        "question": (m.question, True),
        "source": (m.source, not checked),
        "public.where": (public.where, True),
        "public.unit": (public.unit, people),
        "public.size": (public.size, not people),
        "public.made": (public.made, public.made),
        "public.smallest": (public.smallest, public.smallest),
        "contributions": (m.contributions, not checked),
        "excess.rows": (m.excess.rows, public.unit and not m.cap),
        "excess.keys": (m.excess.keys, not m.cap),
        "nulls": (m.nulls, True),
        **{f"counts.{count.name}.definition": (count.definition, True) for count in m.counts},
        "loss": (m.loss, not any(map(_drawn_for_loss, m.counts))),
        "prior": (m.prior, not any(map(_drawn_for_loss, m.counts))),
        "mechanisms_given": (m.mechanisms_given, m.loss == m.prior == GIVEN and not m.retrofit),
        "retrofit": (m.retrofit, m.mechanisms_given),
        "escaped": (m.escaped, m.table_format == "csv"),
        "engine": (m.engine, True),
        "versions": (m.versions, True),
    }
    return {name: value for name, (value, free) in fields.items() if free}


def _drawn_for_loss(count: CountFacts) -> bool:
    """Whether some draw of a count was designed for the loss and prior asked for: cells and
    empty groups are not.
    """
    return any(not count.answers or sizes != "0" for sizes in count.mechanisms)
