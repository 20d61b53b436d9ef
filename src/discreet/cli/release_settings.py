"""The parameters of `dc.plan` and `dc.release`, merged from the command line and a configuration file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from discreet.cli.config import read_config
from discreet.cli.spelling import quoted
from discreet.errors import InvalidInput

_NAMED = re.compile(r"\s*([^\W\d]\w*)\s*=(?!=)\s*(.+)", re.DOTALL)
_CONSTANT = re.compile(r"([a-z]+\s*)?'|[+-]?\s*\.?\d|(true|false|null)\b", re.IGNORECASE)
_FIRST_TERM = re.compile(r"(.*?)(\b(and|or)\b|$)", re.IGNORECASE | re.DOTALL)


def read_settings(config: str | None, given: dict[str, Any]) -> dict[str, Any]:
    """Merge a config file and the command line; what was typed wins."""
    settings = read_config(config) if config else {}
    typed = {name: value for name, value in given.items() if _was_typed(name)}
    if "source" in typed:
        typed["source"] = typed["source"][0] if len(typed["source"]) == 1 else _files(typed["source"])
    if typed.pop("total", False):
        if "by" in typed:
            raise InvalidInput("total", "is one count of the whole table, and `by` asks for groups; give one of them")
        typed["by"] = []
    if "count" in typed or "count_as" in typed:
        typed["count"] = read_counts(typed.get("count", ()), typed.pop("count_as", ()))
    for name, pairs in (("split", True), ("read", True), ("by", False), ("public", False)):
        if name in typed:
            typed[name] = _pairs(typed[name], name) if pairs else list(typed[name])
    if "types" in typed:
        typed["read"] = typed.get("read", {}) | {"types": _pairs(typed.pop("types"), "types")}
    if typed.get("size", "").isdecimal() and len(typed["size"]) < 19:
        typed["size"] = int(typed["size"])
    merged = settings | typed
    for name, remedy in _NEEDED.items():
        if name not in merged:
            raise InvalidInput(name, "is needed", remedy=remedy)
    return merged


_NEEDED = {
    "source": "give a file on the command line, or settings in --config",
    "by": "name the key column of the groups, or give `by=[]` for one count of the whole table",
    "count": "name the column of bits to count, or give a predicate such as \"smoker = 'yes'\"",
}


def _files(words: Sequence[str]) -> list[str]:
    """Read several files; a second value meant for an option arrives here too, and is refused with a hint."""
    for word in words:
        if not Path(word).exists() and not set(word) & set("./\\*?["):
            remedy = f"if it is another value of an option, give the option again, such as --by {quoted(word)}"
            raise InvalidInput("source", "matches no file", found=word, remedy=remedy)
    return list(words)


def _was_typed(name: str) -> bool:
    return click.get_current_context().get_parameter_source(name) is ParameterSource.COMMANDLINE


def read_counts(plain: Sequence[str], named: Sequence[tuple[str, str]]) -> dict[str, str]:
    """Read --count, a column or a predicate that names itself, and --count-as, a name and what it counts.

    >>> read_counts(["smoker", "drinks = 'yes'"], [("old", "age > 64")])
    {'smoker': 'smoker', "drinks = 'yes'": "drinks = 'yes'", 'old': 'age > 64'}
    """
    for text in plain:
        _refuse_old_names(text)
    found: dict[str, str] = {}
    for option, name, text in [("count", each, each) for each in plain] + [("count_as", *each) for each in named]:
        if not name.strip() or not text.strip():
            raise InvalidInput(option, "must not be empty", found=text if name.strip() else name)
        if name in found:
            raise InvalidInput(option, "must not name the same twice", found=name, remedy="each count is paid for")
        found[name] = text
    return found


def _refuse_old_names(text: str) -> None:
    """Refuse NAME=PREDICATE, which --count once took: read as one predicate it may count everybody.

    A word that is compared with a constant is a predicate under either reading, for a constant is no count.

    >>> _refuse_old_names("smoker = 'yes'")
    >>> _refuse_old_names("ill=diagnosed")
    Traceback (most recent call last):
        ...
    discreet.errors.InvalidInput: `count` takes a column or a predicate, and no longer NAME=PREDICATE \
(ill=diagnosed): write --count-as ill diagnosed, or, if the two are to be compared, --count '(ill=diagnosed)'
    """
    found = _NAMED.fullmatch(text)
    if found is None or _CONSTANT.match(found[2]):
        return
    rule = "takes a column or a predicate, and no longer NAME=PREDICATE"
    remedy = f"write --count-as {found[1]} {quoted(found[2].strip())}"
    first = _FIRST_TERM.match(found[2])
    if first and not set(first[1]) & set("<>="):  # a second comparison in a row is no SQL
        remedy += f", or, if the two are to be compared, --count {quoted(f'({text.strip()})')}"
    raise InvalidInput("count", rule, found=text, remedy=remedy)


def _pairs(values: Sequence[str], name: str) -> dict[str, str]:
    """Read NAME=VALUE words."""
    found: dict[str, str] = {}
    for word in values:
        key, sep, value = word.partition("=")
        if not sep or not key.strip():
            raise InvalidInput(name, "must be NAME=VALUE", word)
        if not value.strip():
            raise InvalidInput(name, "must not be empty", found=word)
        if key.strip() in found:
            raise InvalidInput(name, "must not name the same twice", found=key.strip())
        found[key.strip()] = value
    return found
