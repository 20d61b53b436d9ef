"""Questions with several answers in Spark: a condition for each answer, and what breaks a rule
(`engines.values`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import reduce
from operator import add, or_
from typing import TYPE_CHECKING, Any

from pyspark.sql import functions as sf

from discreet.tables.engines.spark.spark_expressions import backquoted
from discreet.tables.engines.values import (
    ADDS_UP,
    ANSWER,
    NULLS_REMEDY,
    ONE_ANSWER,
    answers_remedy,
    check_answers,
    empty_remedy,
    empty_text_remedy,
    no_answers,
)

if TYPE_CHECKING:
    from discreet.tables.asking.answers import Answers
    from discreet.tables.asking.question import Count
    from discreet.tables.engines import Expression

_NUMBERS = ("tinyint", "smallint", "int", "bigint", "float", "double", "decimal")

Bit = Callable[["Expression"], tuple[Any, Any]]
"""Reads a bit: that it is 1, and that it breaks a rule."""


def answer_conditions(
    answers: Answers, types: Mapping[str, str], bit: Bit
) -> tuple[list[Any], Any]:
    """That a row has each answer, and that it breaks a rule."""
    if not answers.values:
        bits = [bit(part) for part in answers.parts]
        held = reduce(add, (sf.when(one, 1).otherwise(0) for one, _ in bits))
        return [one for one, _ in bits], reduce(or_, (wrong for _, wrong in bits)) | (held != 1)
    x, forms = _compared(answers, types)
    known, null = x.isin(*forms), x.isNull()
    ones = []
    for place, name in enumerate(answers.names):
        ways = [x == forms[place]] if place < len(forms) else []
        ways += [~known] if name == answers.other else []
        ways += [null] if name == answers.nulls else []
        ones.append(reduce(or_, ways))
    wrong = sf.lit(False) if answers.nulls else null
    return ones, wrong if answers.other else wrong | (~null & ~known)


def answer_numbers(
    answers: Answers, size: Any, whole: Callable[[str], Any]
) -> tuple[list[Any], Any]:
    """The counts that are given, and 1 where they do not add up to the size."""
    numbers = [whole(str(part.column)) for part in answers.parts]
    total = reduce(add, (number.cast("decimal(30,0)") for number in numbers))
    return numbers, sf.when(total == size.cast("decimal(30,0)"), 0).otherwise(1)


def answer_rule(count: Count, answers: Answers, nulls: str, *, sized: bool) -> tuple[str, str]:
    """The rule that some row breaks, and what to do about it; which row it is cannot be said in
    Spark.
    """
    own = ADDS_UP if sized else ANSWER if answers.values else ONE_ANSWER
    remedy = empty_text_remedy(own, answers_remedy(own, answers.values))
    if sized or answers.nulls or (own == ONE_ANSWER and nulls != "refuse"):
        return own, remedy
    empty = empty_remedy(count) if own == ANSWER else NULLS_REMEDY
    return f"{own}, and not NULL", f"{remedy}\n  - or a value is empty: {empty}"


def _compared(answers: Answers, types: Mapping[str, str]) -> tuple[Any, list[Any]]:
    """The column whose values are answers as it is compared, and the answers in the same form."""
    name = str(answers.column)
    x, kind = sf.col(backquoted(name)), types[name]
    numbers, truths = kind.partition("(")[0] in _NUMBERS, kind == "boolean"
    check_answers(answers.values, name, kind, numbers=numbers, truths=truths)
    if truths:
        return x, [sf.lit(value == "true") for value in answers.values]
    if numbers:
        return (x.cast("double") if kind == "float" else x), [
            sf.lit(int(value)) for value in answers.values
        ]
    if kind in ("string", "void"):
        return x.cast("string"), [sf.lit(value) for value in answers.values]
    raise no_answers(kind, name)
