"""One name for what a release asks, so that an interrupted one is finished as it was begun, or not at all.

The digest is SHA-256 over "discreet question 1", a line break, and canonical JSON of everything that decides what is
released and is not data: every parameter of a `Request` but `read`.

Numbers are exact, so 0.5 and "1/2" are one question; texts of predicates count as they were typed. Of `keys` a digest
is taken: of the file's bytes, or of the keys whatever their order. Not in it: the source and how it is read (the same
table may lie elsewhere by then), the ledger, the output and its format, and what only costs time (threads, memory). It
is made before the source is opened, so no value of a protected column can be in it.

What was written stays comparable for good: a change to what is digested takes the next number in the first line.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from discreet.core.losses import Loss, Prior, read_loss
from discreet.core.properties import read_shape
from discreet.core.rationals import read_fraction, read_list
from discreet.errors import DiscreetError
from discreet.tables.asking.request import Request, parameters
from discreet.tables.engines import read_keys
from discreet.tables.published.manifest import file_digest, write_fraction

_FIRST_LINE = "discreet question 1\n"


def question_digest(request: Request) -> str:
    """Return the digest of a question. Anything may be asked: what is no question is refused by who answers it.

    >>> first = Request(by="clinic", count="smoker", epsilon=0.5, properties="WH CM")
    >>> same = Request(by=["clinic"], count={"smoker": "smoker"}, epsilon="1/2", properties=["CM", "WH"])
    >>> question_digest(first) == question_digest(same)
    True
    >>> question_digest(first) == question_digest(replace(first, where="age > 17"))
    False
    """
    asked = {}
    for name in parameters(Request):
        if name not in _NOT_DIGESTED:
            asked[name] = _READERS.get(name, _plain)(getattr(request, name))
    asked["split"] = _split(request.split, asked["count"])
    text = json.dumps(asked, sort_keys=True, separators=(",", ":"))  # ASCII: every character has one spelling
    return hashlib.sha256((_FIRST_LINE + text).encode()).hexdigest()


def repeatable(request: Request) -> Request:
    """The request with everything in it readable more than once: for its digest, and to be answered."""
    once: dict[str, Any] = {
        name: list(value) for name in _LISTS if isinstance(value := getattr(request, name), Iterator)
    }
    keys = request.keys
    if keys is not None and not isinstance(keys, str | os.PathLike):
        keys = read_keys(keys, _listed(once.get("by", request.by)), {})
    return replace(request, keys=keys, **once)


def _counts(count: Any) -> list[list[Any]]:
    named = count.items() if isinstance(count, Mapping) else ((text, text) for text in _listed(count))
    return [[str(name), _plain(text)] for name, text in named]


def _split(split: Any, counts: list[list[Any]]) -> Any:
    """Weights by name; even ones, said or not, are one split."""
    names = [name for name, _ in counts]
    given = split if isinstance(split, Mapping) else dict(zip(names, _listed(split), strict=False))
    try:
        weights = {str(name): read_fraction("split", weight) for name, weight in given.items()}
        if split is not None and len(set(weights.values())) > 1:
            return {name: write_fraction(weight / sum(weights.values())) for name, weight in weights.items()}
    except (DiscreetError, ZeroDivisionError):
        return _plain(split)
    return None


def _keys(keys: Any) -> Any:
    if keys is None:
        return None
    if isinstance(keys, str | os.PathLike):
        path = Path(os.fsdecode(keys))
        return {"file": file_digest(path) if path.is_file() else str(path)}
    total, rows = 0, 0
    for batch in keys.to_batches():
        for row in zip(*(column.to_pylist() for column in batch.columns), strict=True):
            digest = hashlib.sha256(repr(row).encode("utf-8", "surrogatepass")).digest()
            total, rows = (total + int.from_bytes(digest)) % 2**256, rows + 1
    return {"rows": rows, "sum": f"{total:064x}"}


def _shape(properties: Any) -> Any:
    try:
        return str(read_shape(properties))
    except DiscreetError:
        return _plain(properties)


def _loss(loss: Any) -> Any:
    """A named loss is the same at every size, so it is read at the smallest."""
    try:
        found = loss if isinstance(loss, Loss) else read_loss(loss, 1)
    except DiscreetError:
        return _plain(loss)
    return {name: _plain(value) for name, value in found.spec.items()}


def _prior(prior: Any) -> Any:
    if isinstance(prior, Mapping):
        return sorted([str(size), _prior(one)] for size, one in prior.items())
    if prior is None:
        return "uniform"
    return "".join(prior.lower().split()) if isinstance(prior, str) else _plain(prior)


def _listed(value: Any) -> list[Any]:
    if isinstance(value, Iterable) and not isinstance(value, str | bytes):
        return [_plain(one) for one in value]
    return [] if value is None else [_plain(value)]


def _number(value: Any) -> Any:
    try:
        return None if value is None else write_fraction(read_fraction("question", value))
    except DiscreetError:
        return _plain(value)


def _plain(value: Any) -> Any:
    """A value as JSON has it, with exact numbers as text; of a thing that is none of these, its kind."""
    if value is None or isinstance(value, str | bool):
        return value
    if isinstance(value, Prior):
        return _plain(value.weights)
    if isinstance(value, Mapping):
        return sorted(([str(key), _plain(part)] for key, part in value.items()), key=str)
    if (parts := read_list(value)) is not None:
        return [_plain(part) for part in parts]
    try:
        return write_fraction(read_fraction("question", value))
    except DiscreetError:
        return type(value).__name__


_LISTS = ("by", "count", "public", "properties")
_NOT_DIGESTED = ("read",)
_READERS: Mapping[str, Callable[[Any], Any]] = {
    "by": _listed, "count": _counts, "nulls": str, "public": lambda public: sorted(map(str, _listed(public))),
    "keys": _keys, "epsilon": _number, "alpha": _number, "properties": _shape, "loss": _loss, "prior": _prior,
    "gap": _number, "intervals": _number,
}  # fmt: skip
"""How a parameter is brought to one form, where it has several."""
