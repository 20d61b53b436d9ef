"""The SQL of questions with several answers for DuckDB: a condition for each answer, and what
breaks a rule.

The first answer of a question carries its rules: its true count is NULL in a group in which some
row has no answer, or several. What a value and an answer have in common is in `engines.values`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from discreet.errors import InvalidInput
from discreet.tables.engines.duckdb.connection import identifier, literal
from discreet.tables.engines.values import (
    ADDS_UP,
    ANSWER,
    BIT,
    NOT_NULL,
    ONE_ANSWER,
    check_answers,
    no_answers,
)

if TYPE_CHECKING:
    from discreet.tables.asking.answers import Answers
    from discreet.tables.engines.duckdb.grouping import Grouping

_NUMBERS = re.compile(r"U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL.*")
_SCALE = re.compile(r"DECIMAL\(\d+,(\d+)\)")
_DECIMAL_DIGITS = 38


def answer_conditions(grouping: Grouping, answers: Answers) -> Iterator[tuple[str, str]]:
    """For each answer: that a row has it, and, with the first, that it breaks a rule."""
    wrong, _ = _rules(grouping, answers)
    for place, one in enumerate(_conditions(grouping, answers)):
        yield one, "false" if place else wrong


def answer_numbers(grouping: Grouping, answers: Answers) -> Iterator[str]:
    """For each answer the count given; the first is NULL where they do not add up to the size."""
    wrong, _ = _rules(grouping, answers)
    for place, part in enumerate(answers.parts):
        number = grouping.whole(str(part.column))
        yield f"({number})" if place else f"CASE WHEN {wrong} THEN NULL ELSE {number} END"


def first_bad_answer(grouping: Grouping, answers: Answers) -> str:
    """SQL for the first row that breaks a rule of a question, and the rule."""
    return grouping.first_row(*_rules(grouping, answers))


def _conditions(grouping: Grouping, answers: Answers) -> list[str]:
    if not answers.values:
        return [grouping.bit(part)[0] for part in answers.parts]
    x, forms = _compared(grouping, answers)
    found = []
    for place, name in enumerate(answers.names):
        ways = [f"{x} = {forms[place]}"] if place < len(forms) else []
        ways += [f"{x} NOT IN ({', '.join(forms)})"] if name == answers.other else []
        ways += [f"{x} IS NULL"] if name == answers.nulls else []
        found.append(" OR ".join(ways))
    return found


def _rules(grouping: Grouping, answers: Answers) -> tuple[str, str]:
    """That a row breaks a rule, and which one."""
    if grouping.question.size is not None:
        return _adding_up(grouping, answers), literal(ADDS_UP)
    if not answers.values:
        return _exactly_one(grouping, answers)
    x, forms = _compared(grouping, answers)
    broken = [] if answers.nulls else [f"{x} IS NULL"]
    broken += [] if answers.other else [f"{x} NOT IN ({', '.join(forms)})"]
    why = f"CASE WHEN {x} IS NULL THEN {literal(NOT_NULL)} ELSE {literal(ANSWER)} END"
    return " OR ".join(broken) or "false", why


def _exactly_one(grouping: Grouping, answers: Answers) -> tuple[str, str]:
    bits = [grouping.bit(part) for part in answers.parts]
    held = " + ".join(f"CAST(({one}) IS TRUE AS INTEGER)" for one, _ in bits)
    broken = " OR ".join(f"({wrong})" for _, wrong in bits)
    empty = " OR ".join(f"{grouping.value(part)[0]} IS NULL" for part in answers.parts)
    why = (
        f"CASE WHEN NOT (({broken}) IS TRUE) THEN {literal(ONE_ANSWER)} WHEN {empty} THEN "
        f"{literal(NOT_NULL)} "
    )
    return f"({broken}) IS TRUE OR {held} <> 1", f"{why}ELSE {literal(BIT)} END"


def _adding_up(grouping: Grouping, answers: Answers) -> str:
    # each at most its size, so that nothing overflows: a size has 18 digits, and there are few
    # answers
    numbers = [grouping.whole(str(part.column)) for part in answers.parts]
    within = " AND ".join(f"({number}) <= ({grouping.size})" for number in numbers)
    total = " + ".join(f"CAST(({number}) AS HUGEINT)" for number in numbers)
    return f"({within} AND {total} = ({grouping.size})) IS NOT TRUE"


def _compared(grouping: Grouping, answers: Answers) -> tuple[str, list[str]]:
    """The column whose values are answers as it is compared, and the answers in the same form."""
    column = str(answers.column)
    x, kind = identifier(column), grouping.types[column]
    numbers, truths = _NUMBERS.fullmatch(kind) is not None, kind == "BOOLEAN"
    check_answers(answers.values, column, kind, numbers=numbers, truths=truths)
    if truths:
        return x, list(answers.values)
    if numbers:
        _check_digits(answers.values, column, kind)
        # as DOUBLE, which holds every whole number of 15 digits, a FLOAT is compared by its value
        wide = f"CAST({x} AS DOUBLE)" if kind == "FLOAT" else x
        return wide, list(answers.values)
    if kind == "VARCHAR" or kind.startswith("ENUM"):
        return (x if kind == "VARCHAR" else f"CAST({x} AS VARCHAR)"), [
            literal(each) for each in answers.values
        ]
    if kind == '"NULL"':  # a column without any value
        return f"CAST({x} AS VARCHAR)", [literal(each) for each in answers.values]
    raise no_answers(kind, column)


def _check_digits(values: tuple[str, ...], column: str, kind: str) -> None:
    """Refuse, by type alone, answers that DuckDB cannot compare with a DECIMAL: it would fail
    for some values only.
    """
    scale = _SCALE.fullmatch(kind)
    most = _DECIMAL_DIGITS - int(scale[1]) if scale else _DECIMAL_DIGITS
    for value in values:
        if len(value.lstrip("-0")) > most:  # 0 is in every one
            digits = "1 digit" if most == 1 else f"{most} digits"
            rule = f"must have answers of at most {digits}, because column {column} is {kind}"
            raise InvalidInput(
                "count", rule, value, remedy="compare by predicates, or leave it out"
            )
