"""Reading a manifest: every field's name, type and form is checked, and both versions become one value.

What version 1 does not say is left empty in the value, never guessed; shares follow from the epsilons.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any, NoReturn

from discreet.core.histogram import MOST_ANSWERS
from discreet.errors import InvalidFile
from discreet.tables.asking.price import WORDINGS
from discreet.tables.published.manifest import (
    FORMAT,
    HISTOGRAM,
    NAME,
    VERSION,
    CountFacts,
    Excess,
    Level,
    Manifest,
    Public,
    count_domain,
    write_fraction,
)

MOST_BYTES = 64 << 20  # of a manifest that is read: ten million sizes would not fit a plan either
NEWER = "a newer discreet reads it"


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
        if file == Path(path) and file.name != NAME:
            remedy = "a release is a folder made by `discreet release`: give that folder"
            raise InvalidFile(file.name, "is not a release", remedy=remedy) from None
        remedy = "get the folder again from whoever published it"
        raise InvalidFile(
            "manifest", "was cut short or changed: it is not JSON", found=str(file), remedy=remedy
        ) from None
    return parse_manifest(data, str(file))


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Refuse a field that is there twice: a person might read one and a program the other."""
    if len(found := dict(pairs)) < len(pairs):
        raise InvalidFile("manifest", "has a field twice")
    return found


def parse_manifest(data: Any, where: str = "manifest") -> Manifest:
    """Check every field's name and type; for what only a newer program knows, the error says so."""
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise InvalidFile("manifest", "is not a discreet release", found=where)
    version = data.get("version")
    if type(version) is int and 1 <= version <= VERSION:
        return (_first if version == 1 else _second)(data, where)
    raise InvalidFile("manifest", f"is of version {str(version)[:20]}", found=where, remedy=NEWER)


def _first(data: dict[str, Any], where: str) -> Manifest:
    """Read version 1 into the value of version 2."""
    _check(data, _FIRST, where)
    for entry in data["counts"]:
        _check(entry, _FIRST_COUNT, where)
    whole, rows = Fraction(data["epsilon"]), data["contributions"]
    counts = tuple(
        CountFacts(**entry, share=write_fraction(rows * Fraction(entry["epsilon"]) / whole if whole else Fraction(0)))
        for entry in data["counts"]
    )
    level = Level(
        keys=tuple(data["keys"]), counts=counts,
        **{name: data[name] for name in ("properties", "groups", "groups_by_size", "table", "table_sha256")},
    )  # fmt: skip
    public = Public(keys=level.keys, where=data["where"], unit=data["unit"])
    same = (name for name in Manifest.__dataclass_fields__ if name in data)
    return Manifest(
        **{name: data[name] for name in same}, wording=1, source=data["level"], public=public, levels=(level,)
    )


def first_document(manifest: Manifest) -> dict[str, Any]:
    """Return the document of version 1: byte for byte what was read."""
    m, level, public = manifest, manifest.finest, manifest.public
    counts = [
        {name: getattr(count, name) for name in ("name", "definition", "epsilon", "alpha", "mechanisms")}
        for count in level.counts
    ]
    return {
        "release": m.release, "created": m.created, "dataset": m.dataset, "guarantee": m.guarantee,
        "epsilon": m.epsilon, "alpha": m.alpha, "unit": public.unit, "contributions": m.contributions,
        "contributions_checked": m.contributions_checked, "level": m.source, "where": public.where, "nulls": m.nulls,
        "properties": level.properties, "loss": m.loss, "prior": m.prior, "confidence": m.confidence,
        "keys": list(level.keys), "size": m.size, "counts": counts, "groups": level.groups,
        "groups_by_size": level.groups_by_size, "table": level.table, "table_format": m.table_format,
        "table_sha256": level.table_sha256, "mechanism_sha256": m.mechanism_sha256, "engine": m.engine,
        "versions": m.versions, "format": m.format, "version": m.version,
    }  # fmt: skip


def _second(data: dict[str, Any], where: str) -> Manifest:
    _check(data, _SECOND | {name: form for name, form in _SECOND_LATER.items() if name in data}, where)
    later = {name: form for name, form in _PUBLIC_LATER.items() if name in data["public"]}
    _check(data["public"], _PUBLIC | later, where)
    _check(data["excess"], _EXCESS, where)
    if data["wording"] not in WORDINGS:
        raise InvalidFile("manifest", f"has the wording {data['wording']}", found=where, remedy=NEWER)
    if not data["levels"]:
        raise InvalidFile("manifest", "has no levels", found=where)
    levels = tuple(_level(level, where) for level in data["levels"])
    public = Public(**{**data["public"], "keys": tuple(data["public"]["keys"])})
    return Manifest(**{**data, "public": public, "excess": Excess(**data["excess"]), "levels": levels})


def _level(data: Any, where: str) -> Level:
    _check(data, _LEVEL, where)
    for entry in data["counts"]:
        several = isinstance(entry, dict) and _is_histogram(entry.get("domain"))
        _check(entry, _HISTOGRAM if several else _COUNT, where)
        if not several and not _known_domain(entry["domain"]):
            raise InvalidFile("manifest", "has a domain other than counts and histograms", found=where, remedy=NEWER)
        if several and not _answers(entry["domain"]):
            _wrong_value("domain", where)
        for name in ("mechanisms", "cells"):
            if not _ids(entry.get(name, {}), _RANGE):
                _wrong_value(name, where)
    return Level(**{**data, "keys": tuple(data["keys"]), "counts": tuple(CountFacts(**one) for one in data["counts"])})


def _known_domain(domain: dict[str, Any]) -> bool:
    step = domain.get("step", 1)
    return type(step) is int and 1 <= step < 1 << 62 and domain == count_domain(step)


def _is_histogram(domain: Any) -> bool:
    return isinstance(domain, dict) and domain.get("kind") == HISTOGRAM


def _answers(domain: dict[str, Any]) -> bool:
    """Whether a histogram's domain has answers, each once, and nothing else."""
    answers = domain.get("answers")
    cap = domain.get("cap", 1)
    if type(cap) is not int or not 1 <= cap < 1 << 62 or not {"kind", "answers"} <= set(domain) <= _OF_HISTOGRAM:
        return False
    if not isinstance(answers, list) or not _texts(answers):
        return False
    return 2 <= len(answers) <= MOST_ANSWERS and len(set(answers)) == len(answers) and all(answers)


def _check(data: Any, fields: _Fields, where: str) -> None:
    """Check that an object has exactly these fields, each of its type and form."""
    if not isinstance(data, dict):
        _wrong("with values of its own", where)
    for name in [*fields, *data]:
        if name not in fields or type(data.get(name)) is not fields[name][0]:
            _wrong(name[:80] or "with an empty name", where)
    for name, (_, right) in fields.items():
        if right is not None and not right(data[name]):
            _wrong_value(name, where)


def _wrong_value(name: str, where: str) -> NoReturn:
    raise InvalidFile("manifest", f"has a wrong value in {name}", found=where)


def _wrong(name: str, where: str) -> NoReturn:
    raise InvalidFile("manifest", f"has a wrong or missing field {name}", found=where)


_RANGE = re.compile(r"(0|[1-9][0-9]{0,17})(-[1-9][0-9]{0,17})?").fullmatch
_NUMBER = re.compile(r"0|[1-9][0-9]{0,17}").fullmatch
_RATIO = re.compile(r"[0-9]{1,2100}/0*[1-9][0-9]{0,2100}").fullmatch  # as `write_fraction` writes them
_DIGEST = re.compile(r"[0-9a-f]{64}").fullmatch
_FILE = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9_.-]{0,99}").fullmatch  # in the bundle's own folder, never a way out of it


def _or_empty(form: Callable[[str], Any]) -> Callable[[str], Any]:
    return lambda text: not text or form(text)


def _texts(values: Any) -> bool:
    return all(isinstance(value, str) for value in values)


def _texts_by_name(data: dict[str, Any]) -> bool:
    return _texts(data.values())


def _groups(data: dict[str, Any]) -> bool:
    return all(_NUMBER(size) and type(groups) is int and groups >= 0 for size, groups in data.items())


def _ids(data: dict[str, Any], key: Callable[[str], Any] = _NUMBER) -> bool:
    return all(key(name) and isinstance(value, str) and _DIGEST(value) for name, value in data.items())


_OF_HISTOGRAM = {"kind", "answers", "cap"}

_Fields = dict[str, tuple[type, Callable[[Any], Any] | None]]
_DRAW: _Fields = {
    "name": (str, None), "definition": (str, None), "epsilon": (str, _RATIO), "alpha": (str, _RATIO),
    "mechanisms": (dict, _texts_by_name),
}  # fmt: skip
_RELEASE: _Fields = {
    "format": (str, None), "version": (int, None), "release": (str, None), "created": (str, None),
    "dataset": (str, None), "guarantee": (str, None), "epsilon": (str, _RATIO), "alpha": (str, _RATIO),
    "contributions": (int, lambda rows: 0 <= rows < 1 << 62), "contributions_checked": (bool, None),
    "nulls": (str, None), "loss": (str, None), "prior": (str, None),
    "confidence": (str, _or_empty(_RATIO)), "size": (str, None), "table_format": (str, None),
    "engine": (str, None), "versions": (dict, _texts_by_name),
}  # fmt: skip
_TABLE: _Fields = {
    "keys": (list, _texts), "properties": (str, None), "groups": (int, None), "groups_by_size": (dict, _groups),
    "counts": (list, None), "table": (str, _or_empty(_FILE)), "table_sha256": (str, None),
}  # fmt: skip
_FIRST: _Fields = {
    **_RELEASE, **_TABLE, "level": (str, None), "where": (str, None), "unit": (str, None),
    "mechanism_sha256": (dict, lambda digests: _ids(digests, _DIGEST)),
}  # fmt: skip
_FIRST_COUNT: _Fields = {**_DRAW, "mechanisms": (dict, _ids)}
_SECOND: _Fields = {
    **_RELEASE, "caller": (str, None), "question": (str, _or_empty(_DIGEST)), "wording": (int, None),
    "source": (str, None), "public": (dict, None), "excess": (dict, None), "levels": (list, None),
    "escaped": (bool, None), "proofs": (str, _or_empty(_FILE)), "proofs_sha256": (str, _or_empty(_DIGEST)),
}  # fmt: skip
_SECOND_LATER: _Fields = {
    "adding_up": (bool, None), "mechanisms_given": (bool, None),
    "retrofit": (dict, lambda told: set(told) == {"of", "said"} and _texts_by_name(told)),
}  # fmt: skip
_PUBLIC: _Fields = {"keys": (list, _texts), "where": (str, None), "unit": (str, None), "size": (str, None)}
_PUBLIC_LATER: _Fields = {"made": (dict, _texts_by_name), "smallest": (int, lambda size: 2 <= size < 1 << 62)}
_EXCESS: _Fields = {"rows": (str, None), "keys": (str, None)}
_LEVEL: _Fields = {**_TABLE, "share": (str, _RATIO)}
_COUNT: _Fields = {**_DRAW, "domain": (dict, None), "share": (str, _RATIO)}
_HISTOGRAM: _Fields = {
    **_COUNT, "cells": (dict, _texts_by_name), "cell_epsilon": (str, _or_empty(_RATIO)),
    "cell_alpha": (str, _or_empty(_RATIO)),
}  # fmt: skip
