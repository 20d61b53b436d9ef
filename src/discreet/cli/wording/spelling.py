"""How one run of a command spells a parameter of the library, and how a word is quoted for a shell."""

from __future__ import annotations

import ast
import shlex
from collections.abc import Mapping
from typing import Any

import click
from click.core import ParameterSource

from discreet.errors import quoted as marked

_NAMED_BY_VALUE = {"source": "the table", "path": "the file", "file": "the file", "ledger": "the ledger"}
"""Arguments that are called what was typed for them, and what they are where that is not one name.

No others: what is typed for `counts` is private.
"""
_LONGEST = 60


class Words:
    """How one run of a command spells a parameter of the library: an option, an argument, or a key of its file."""

    def __init__(self, ctx: click.Context) -> None:
        self._ctx = ctx
        self._parameters = {parameter.name: parameter for parameter in ctx.command.params}
        self._aliases: Mapping[str, tuple[str, ...]] = getattr(ctx.command, "aliases", {})
        self._found: tuple[str | None, object] = None, ...

    def found(self, name: str | None, value: object) -> None:
        """Note what an error is about: of several files, one."""
        self._found = name, value

    def __call__(self, name: str, value: str | None = None) -> str:
        """Spell a parameter, alone or with the value to give it (as Python writes it)."""
        if not self._ctx.params.get(name):
            name = next((alias for alias in self._aliases.get(name, ()) if self._ctx.params.get(alias)), name)
        parameter = self._parameters.get(name)
        if parameter is None:
            return name if value is None else f"{name} {value}"
        if self._from_file(name):
            return marked(name if value is None else f"{name} = {_toml(value)}")
        if isinstance(parameter, click.Argument):
            return self._argument(name, parameter) if value is None else _words(_read(value))
        option = max(parameter.opts, key=len)
        return option if value is None else self._given(option, _read(value))

    def _argument(self, name: str, parameter: click.Argument) -> str:
        """An argument has no name that anybody typed: a file is called by its own."""
        if name not in _NAMED_BY_VALUE:
            return parameter.human_readable_name
        from discreet.ledger.databases.urls import hidden

        about, value = self._found
        given = self._ctx.params.get(name) or ()
        typed = [str(word) for word in (given if isinstance(given, tuple | list) else (given,))]
        if about == name and isinstance(value, str) and (value in typed or not typed):
            typed = [value]
        plain = len(typed) == 1 and len(typed[0]) <= _LONGEST and "\n" not in typed[0]
        query = typed[:1] and typed[0].lstrip()[:7].lower().startswith("select ")
        return hidden(typed[0]) if plain and not query else _NAMED_BY_VALUE[name]

    def _from_file(self, name: str) -> bool:
        typed = self._ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE
        return self._ctx.params.get("config") is not None and name != "config" and not typed

    def _given(self, option: str, value: Any) -> str:
        """Write an option with its value: once for each part, where there are several."""
        if value is True:
            return option
        if option in ("--count", "--count-as", "--answers", "--answer", "--answer-as") and isinstance(value, dict):
            return " ".join(_counted(name, asked) for name, asked in value.items())
        if isinstance(value, dict):
            parts = (
                self(key, repr(part)) if isinstance(part, dict) else f"{option} {quoted(f'{key}={part}')}"
                for key, part in value.items()
            )
            return " ".join(parts)
        if option == "--by" and value == []:
            return "--total"
        if option == "--levels" and isinstance(value, list):
            return " ".join(f"{option} {quoted(','.join(keys) or 'total')}" for keys in value)
        if isinstance(value, list):
            return " ".join(self._given(option, part) for part in value)
        return f"{option} {quoted(str(value))}"


def _counted(name: str, asked: Any) -> str:
    """Write an entry of `count`: a predicate under a name, a question and its answers, or what an empty one is."""
    if isinstance(asked, list):
        if any("," in str(answer) for answer in asked):
            return " ".join(f"--answer {quoted(name)} {quoted(str(answer))}" for answer in asked)
        return f"--answers {quoted(name)} {quoted(','.join(map(str, asked)))}"
    if isinstance(asked, dict):  # beside the answers that were given
        return f"--answer-nulls {quoted(name)} {quoted(asked['nulls'])}"
    return f"--count-as {quoted(name)} {quoted(asked)}"


def quoted(word: str) -> str:
    """Quote a word for a shell; around single quotes, which SQL uses, with double ones.

    >>> print(quoted("age > 64"), quoted("smoker = 'yes'"))
    'age > 64' "smoker = 'yes'"
    """
    return f'"{word}"' if "'" in word and not set(word) & set('"$`\\!') else shlex.quote(word)


def _words(value: Any) -> str:
    """Write an argument, which has no name: once for each part, where there are several."""
    return " ".join(quoted(str(part)) for part in (value if isinstance(value, list) else [value]))


def _read(value: str) -> Any:
    """Read a value as Python writes it; a word such as K is a placeholder and stays as it is."""
    try:
        return ast.literal_eval(value)
    except (ValueError, SyntaxError):
        return value


def _toml(value: str) -> str:
    read = _read(value)
    from discreet.cli.config import as_toml  # which knows every parameter of a release: more than --help needs

    return value if read is value else as_toml(read)
