"""Options of questions whose answers are given: all in a list, or each by itself, and all become
entries of `count`.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Any

import click

from discreet.cli.wording.mistyped import lacking
from discreet.errors import InvalidInput

_PAIRS = {
    "answers": (
        "NAME LIST",
        "All answers in the column NAME: low,middle,high. Of yes,no the first is counted.",
    ),
    "answer": (
        "NAME ANSWER",
        "One answer of NAME, such as one with a comma in it; again for each, after those of "
        "--answers.",
    ),
    "answer_column": (
        "NAME COLUMN",
        "The column whose values are the answers of NAME, if it has another name.",
    ),
    "other": ("NAME ANSWER", "The answer of NAME that other values are counted as."),
    "answer_nulls": ("NAME ANSWER", "The answer of NAME that NULL is counted as."),
}
_WORDS = {"other": "--answer-other"}

OPTIONS = [
    click.option(
        _WORDS.get(name, f"--{name.replace('_', '-')}"),
        name,
        multiple=True,
        type=(str, str),
        metavar=metavar,
        help=about,
    )
    for name, (metavar, about) in _PAIRS.items()
] + [
    click.option(
        "--answer-as",
        multiple=True,
        type=(str, str, str),
        metavar="NAME ANSWER PREDICATE",
        help="An answer of NAME and its predicate (with --size, its column); again for each "
        "answer.",
    ),
    click.option(
        "--answer-cells",
        multiple=True,
        metavar="NAME",
        help="Draw each answer of NAME by itself, whatever the sizes.",
    ),
]
"""What stands beside --count."""

PAIRED = (*_PAIRS, "answer_as")
NAMES = (*PAIRED, "answer_cells")


def read_questions(typed: Mapping[str, Any], counted: Mapping[str, Any]) -> dict[str, Any]:
    """The questions that these options ask, as entries of `count`, beside those that are `counted`
    already.

    >>> read_questions(
    ...     {"answers": [("mood", "low, high")], "answer": [("mood", "good, or so")]}, {}
    ... )
    {'mood': ['low', 'high', 'good, or so']}
    >>> read_questions({"answer": [("mood", "1"), ("mood", "2")], "other": [("mood", "9")]}, {})
    {'mood': {'column': 'mood', 'answers': ['1', '2'], 'other': '9'}}
    >>> read_questions(
    ...     {
    ...         "answer_as": [("old", "no", "age < 65"), ("old", "yes", "age > 64")],
    ...         "answer_cells": ["old"],
    ...     },
    ...     {},
    ... )
    {'old': {'answers': {'no': 'age < 65', 'yes': 'age > 64'}, 'cells': True}}
    """
    found: dict[str, Any] = {}
    for name, several in typed.get("answers", ()):
        found.setdefault(name, []).extend(answer.strip() for answer in several.split(","))
    for name, answer in typed.get("answer", ()):
        found.setdefault(name, []).append(answer)
    for option, key in (("answer_column", "column"), ("other", "other"), ("answer_nulls", "nulls")):
        for name, value in typed.get(option, ()):
            _check_known(option, name, found)
            given = (
                found[name]
                if isinstance(found[name], dict)
                else {"column": name, "answers": found[name]}
            )
            if key in given and (key != "column" or given[key] != name):
                raise InvalidInput(option, "must not be given twice for one question", found=name)
            found[name] = {**given, key: value}
    _by_predicate(typed.get("answer_as", ()), found)
    for name in dict.fromkeys(typed.get("answer_cells", ())):
        _check_known("answer_cells", name, found)
        options = isinstance(found[name], dict) and isinstance(found[name].get("answers"), list)
        found[name] = {**(found[name] if options else {"answers": found[name]}), "cells": True}
    for name in found:
        if name in counted:
            option = "answers" if name in dict(typed.get("answers", ())) else "answer"
            raise InvalidInput(
                option, "must not name a count", found=name, remedy="each is paid for"
            )
    for name, answer in typed.get("answer", ()):
        if found[name] == [answer]:
            several = (
                f"--answers {shlex.quote(name)} "
                f"{shlex.quote(answer if ',' in answer else f'{answer},OTHER')}"
            )
            rule = f"gives one answer of {name} each time, and a question has at least two"
            raise InvalidInput(
                "answer", rule, found=answer, remedy=f"write all of them in a list: {several}"
            )
    return {**counted, **found}


def check_whole(typed: Mapping[str, Any]) -> None:
    """Refuse an option of several words whose last one was forgotten: the option after it would
    be taken for it.
    """
    options = click.get_current_context().command.params
    every = {word for option in options for word in option.opts if word.startswith("-")}
    for option in (
        option for option in options if isinstance(option, click.Option) and option.nargs > 1
    ):
        for words in typed.get(option.name or "", ()):
            given = list(takewhile(lambda word: word.partition("=")[0] not in every, words))
            if len(given) < len(words):
                raise lacking(option, given, words[len(given)].partition("=")[0])


def _check_known(option: str, name: str, found: Mapping[str, Any]) -> None:
    if name not in found:
        remedy = "add --answers NAME LIST, such as mood low,middle,high"
        raise InvalidInput(option, "must name a question that has answers", name, remedy=remedy)


def _by_predicate(given: Sequence[tuple[str, str, str]], found: dict[str, Any]) -> None:
    others = set(found)
    for name, answer, predicate in given:
        if name in others:
            raise InvalidInput("answer_as", "must not name a question of --answer", found=name)
        answers = found.setdefault(name, {})
        if answer in answers:
            raise InvalidInput(
                "answer_as", "must not give the same answer twice", found=f"{name} {answer}"
            )
        answers[answer] = predicate
