"""How the values that errors and plans mention are written: options, arguments, and settings of
a file.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

import click

from discreet.cli.shared import quoted

if TYPE_CHECKING:
    from discreet.cli.shared import Words

_NAMED_BY_VALUE = {
    "source": "the table",
    "path": "the file",
    "file": "the file",
    "ledger": "the ledger",
}
"""Arguments that are called what was typed for them, and what they are where that is not one name.

No others: what is typed for `counts` is private.
"""
_LONGEST = 60


def argument_name(parameter: click.Argument, given: Any, found: object) -> str:
    """What an argument is called: nobody typed its name, so a file is called by its own; of
    several, the one `found`.

    >>> argument_name(click.Argument(["source"], nargs=-1), ("may.csv", "june.csv"), "june.csv")
    'june.csv'
    >>> argument_name(click.Argument(["counts"], nargs=-1), ("3", "5"), None)
    'COUNTS'
    """
    if parameter.name not in _NAMED_BY_VALUE:
        return parameter.human_readable_name
    from discreet.ledger.databases.urls import hidden

    typed = [
        str(word)
        for word in (given if isinstance(given, tuple | list) else [given] if given else [])
    ]
    if isinstance(found, str) and (found in typed or not typed):
        typed = [found]
    plain = (
        len(typed) == 1
        and len(typed[0]) <= _LONGEST
        and not typed[0].lstrip().lower().startswith("select ")
    )
    return hidden(typed[0]) if plain else _NAMED_BY_VALUE[parameter.name]


def as_argument(value: str) -> str:
    """Write an argument, which has no name: once for each part, where there are several."""
    read = _read(value)
    return " ".join(quoted(str(part)) for part in (read if isinstance(read, list) else [read]))


def as_option(option: str, value: str, words: Words) -> str:
    """Write an option with its value."""
    return _given(option, _read(value), words)


def as_file(value: str) -> str:
    """Write a value as a setting of a file."""
    read = _read(value)
    from discreet.cli.config import (
        as_toml,
    )  # which knows every parameter of a release: more than --help needs

    return value if read is value else as_toml(read)


def _given(option: str, value: Any, words: Words) -> str:
    """Write an option with its value: once for each part, where there are several."""
    if value is True:
        return option
    if option in ("--count", "--count-as", "--answers", "--answer", "--answer-as") and isinstance(
        value, dict
    ):
        return " ".join(_counted(name, asked) for name, asked in value.items())
    if isinstance(value, dict):
        parts = (
            words(key, repr(part))
            if isinstance(part, dict)
            else f"{option} {quoted(f'{key}={part}')}"
            for key, part in value.items()
        )
        return " ".join(parts)
    if option == "--by" and value == []:
        return "--total"
    if option == "--levels" and isinstance(value, list):
        return " ".join(f"{option} {quoted(','.join(keys) or 'total')}" for keys in value)
    if isinstance(value, list):
        return " ".join(_given(option, part, words) for part in value)
    return f"{option} {quoted(str(value))}"


def _counted(name: str, asked: Any) -> str:
    """Write an entry of `count`: a predicate under a name, a question and its answers, or what
    an empty one is.
    """
    if isinstance(asked, list):
        if any("," in str(answer) for answer in asked):
            return " ".join(f"--answer {quoted(name)} {quoted(str(answer))}" for answer in asked)
        return f"--answers {quoted(name)} {quoted(','.join(map(str, asked)))}"
    if isinstance(asked, dict):  # beside the answers that were given
        return f"--answer-nulls {quoted(name)} {quoted(asked['nulls'])}"
    return f"--count-as {quoted(name)} {quoted(asked)}"


def _read(value: str) -> Any:
    """Read a value as Python writes it; a word such as K is a placeholder and stays as it is."""
    try:
        return ast.literal_eval(value)
    except (ValueError, SyntaxError):
        return value
