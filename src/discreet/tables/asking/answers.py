"""Questions whose answers are given: how one is asked in `count`, read before any row is.

    {"smoking": ["never", "former", "current"]}                      values of the column of that
                                                                     name
    {NAME: {"column": C, "answers": [...], "other": A, "nulls": B}}  values of column C; other
                                                                     values are counted as answer A
                                                                     and NULL as answer B, else
                                                                     refused
    {NAME: {ANSWER: predicate, ...}}                                 exactly one holds in every row
    {NAME: {ANSWER: column, ...}}                                    with `size`: counts that add up
                                                                     to it in every row
    {NAME: {"answers": any of these, "cells": True}}                 each answer drawn by itself,
                                                                     whatever the sizes

The answers are public and given: none is ever read from the data. An answer is a text, a whole
number, or true or false, and has one form, its text: 1 and "1" are the same answer. `other` and
`nulls` name one of the answers given, or a new one that comes after them. How a value is compared
with an answer is in `engines.values`.

Two answers are one count, of the first: of 8 people 3 say yes exactly where 5 say no. It is a count
in everything, and its column is NAME_ANSWER like those of more answers; only, a row that has
neither is refused. With a cap (private group sizes) a person may be absent too, and that is a third
answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from discreet.core.histogram import MOST_ANSWERS
from discreet.core.rationals import read_list
from discreet.errors import InvalidInput, did_you_mean
from discreet.tables.asking.question import Count
from discreet.tables.asking.request import Request
from discreet.tables.engines import Expression

_OPTIONS = ("column", "answers", "other", "nulls", "cells")
_EXAMPLE = 'e.g. `count={"smoking": ["never", "former", "current"]}`'


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """The answers of one question, in order."""

    names: tuple[str, ...]
    parts: tuple[Expression, ...]
    """The one column whose values are the answers, or the condition (with `size`, the column) of
    each answer.
    """
    values: tuple[str, ...] = ()
    """The values of the one column that are answers of their own: the first of `names`."""
    other: str = ""
    """The answer that other values are counted as; empty: they are refused."""
    nulls: str = ""
    """The answer that NULL is counted as; empty: it is refused."""
    cells: bool = False
    """Whether each answer is to be drawn by itself, also where the whole histogram could be."""

    @property
    def column(self) -> str | None:
        """The one column whose values are the answers; None where each answer has a condition."""
        return self.parts[0].column if self.values else None

    @property
    def definition(self) -> str:
        """What is counted, in words."""
        if not self.values:
            return "; ".join(
                f"{name}: {part.text}" for name, part in zip(self.names, self.parts, strict=True)
            )
        words = f"{self.column} is {', '.join(self.values)}"
        return words + self._rest

    @property
    def definition_of_first(self) -> str:
        """What is counted where the first answer is, as a condition: what other rows say is
        checked beside it.
        """
        if not self.values:
            return self.parts[0].text
        word = self.values[0].replace("'", "''")
        return f"{self.column} = '{word}'{self._rest}"

    @property
    def _rest(self) -> str:
        """What other values and NULL are counted as."""
        words = f"; other values are {self.other}" if self.other else ""
        return words + (f"; NULL is {self.nulls}" if self.nulls else "")


def read_answers(
    name: str, asked: Any, condition: Callable[[str], Expression], *, sized: bool
) -> Answers:
    """Read one question of `count`; `condition` reads a column or a predicate of the source."""
    if isinstance(asked, Mapping) and not _has_options(asked):
        return _by_condition(name, asked, condition, sized=sized)
    options = asked if isinstance(asked, Mapping) else {"column": name, "answers": asked}
    for option in options:
        if option not in _OPTIONS:
            remedy = did_you_mean(str(option), _OPTIONS)
            raise InvalidInput(
                "count", f"has an unknown option for {name}", found=str(option), remedy=remedy
            )
    cells = options.get("cells", False)
    if not isinstance(cells, bool):
        raise InvalidInput("count", f"must have true or false as 'cells' of {name}", cells)
    if isinstance(options["answers"], Mapping):
        if beside := [option for option in options if option not in ("answers", "cells")]:
            rule = f"must not have '{beside[0]}' beside a condition for each answer of {name}"
            raise InvalidInput("count", rule, remedy="it is about the values of a column")
        return replace(_by_condition(name, options["answers"], condition, sized=sized), cells=cells)
    if sized:
        rule = f"must map each answer of {name} to its column when `size` is given"
        raise InvalidInput("count", rule, remedy=f"{name!r}: {{ANSWER: COLUMN, ...}}")
    given = read_list(options["answers"])
    if given is None:
        raise InvalidInput(
            "count",
            f"must give the answers of {name} as a list",
            options["answers"],
            remedy=_EXAMPLE,
        )
    values = [_answer(name, each) for each in given]
    _refuse_repeated(name, values)
    if not values:
        raise InvalidInput("count", f"must give the answers of {name}", remedy=_EXAMPLE)
    added = {
        option: _answer(name, options[option]) for option in ("other", "nulls") if option in options
    }
    names = tuple(dict.fromkeys([*values, *added.values()]))
    _check_number(name, names)
    column = options.get("column", name)
    part = condition(column) if isinstance(column, str) else None
    if part is None or part.column is None:
        remedy = f"{name!r}: {{'column': COLUMN, 'answers': [...]}}, or {{ANSWER: PREDICATE, ...}}"
        raise InvalidInput(
            "count", f"must name the column whose values are the answers of {name}", remedy=remedy
        )
    return Answers(names=names, parts=(part,), values=tuple(values), cells=cells, **added)


def read_with_answers(
    name: str, asked: Any, share: Fraction, condition: Callable[[str], Expression], request: Request
) -> Count:
    """Read one question as a count of the release: all that it reads is protected."""
    answers = read_answers(name, asked, condition, sized=request.size is not None)
    columns = frozenset().union(*(part.columns for part in answers.parts))
    if len(answers.names) == 2 and request.cap is None:
        either = _with_nulls(answers, request.nulls)
        first = Expression(text=either.definition_of_first, sql="", columns=columns)
        return Count(
            name=f"{name}_{answers.names[0]}",
            asked=name,
            expression=first,
            share=share,
            either=either,
        )
    if request.together:
        rule = f"is for counts, and {name} has several answers"
        raise InvalidInput(
            "together", rule, remedy="leave it out, or ask that question in a release of its own"
        )
    whole = Expression(text=answers.definition, sql="", columns=columns)
    return Count(name=name, asked=name, expression=whole, share=share, answers=answers)


def _with_nulls(answers: Answers, nulls: Any) -> Answers:
    """Two answers, of which NULL is what the release counts it as, 1 or 0, unless the question
    says it itself.
    """
    bit = str(nulls)
    if not answers.values or answers.nulls or isinstance(nulls, bool) or bit not in ("0", "1"):
        return answers
    return replace(answers, nulls=answers.names[bit == "0"])


def _has_options(asked: Mapping[Any, Any]) -> bool:
    """Whether a mapping holds options: answers called "answers" or "column" have texts, which
    are conditions.
    """
    return "answers" in asked and not isinstance(asked["answers"], str)


def _by_condition(
    name: str, asked: Mapping[Any, Any], condition: Callable[[str], Expression], *, sized: bool
) -> Answers:
    names = [_answer(name, each) for each in asked]
    _refuse_repeated(name, names)
    _check_number(name, tuple(names))
    parts = []
    for answer, text in zip(names, asked.values(), strict=True):
        if not isinstance(text, str) or not text.strip():
            what = "a column" if sized else "a predicate"
            raise InvalidInput("count", f"must give {what} for the answer {answer} of {name}", text)
        part = condition(text)
        if sized and part.column is None:
            raise InvalidInput("count", "must be a column when `size` is given", text)
        parts.append(part)
    return Answers(names=tuple(names), parts=tuple(parts))


def answer_text(given: Any) -> str | None:
    """The one form of an answer, its text; None for what is no answer."""
    if isinstance(given, bool):
        return "true" if given else "false"
    if isinstance(given, int):
        return str(given) if abs(given) < 10**15 else None
    return given if isinstance(given, str) else None


def _answer(name: str, given: Any) -> str:
    text = answer_text(given)
    if text is None or not text.strip() or not text.isprintable() or len(text) > 200:
        rule = (
            f"must give answers of {name} that are printable text, whole numbers, or true and false"
        )
        raise InvalidInput("count", rule, given, remedy=_EXAMPLE)
    return text


def _refuse_repeated(name: str, answers: list[str]) -> None:
    for place, answer in enumerate(answers):
        if answer in answers[:place]:
            remedy = "name each answer once"
            raise InvalidInput(
                "count", f"has an answer of {name} twice", found=answer, remedy=remedy
            )


def _check_number(name: str, names: tuple[str, ...]) -> None:
    if not 2 <= len(names) <= MOST_ANSWERS:
        remedy = "name every answer that a person can give"
        if len(names) == 1:
            remedy += "; one answer and all the rest is a predicate, such as \"smoking = 'never'\""
        raise InvalidInput(
            "count", f"must have 2 to {MOST_ANSWERS} answers for {name}", len(names), remedy=remedy
        )


def digested(name: str, asked: Any, plain: Callable[[Any], Any]) -> Any:
    """A question as its digest takes it: one form however it was written, in the order of its
    answers.

    What is wrong has a digest too, and is refused later.

    >>> digested("smoking", ["never", 1], str) == digested(
    ...     "smoking", {"answers": ["never", "1"]}, str
    ... )
    True
    """
    if not isinstance(asked, Mapping) and read_list(asked) is None:
        return plain(asked)
    if isinstance(asked, Mapping) and not _has_options(asked):
        return {"answers": [[str(answer), plain(text)] for answer, text in asked.items()]}
    options = asked if isinstance(asked, Mapping) else {"answers": asked}
    if isinstance(options["answers"], Mapping):
        rest = {
            str(option): plain(value) for option, value in options.items() if option != "answers"
        }
        return {**digested(name, options["answers"], plain), **rest}
    given = read_list(options["answers"])
    listed = (
        plain(options["answers"])
        if given is None
        else [answer_text(each) or plain(each) for each in given]
    )
    rest = {
        str(option): answer_text(value) or plain(value)
        for option, value in options.items()
        if option != "answers"
    }
    return {"column": name, **rest, "values": listed}
