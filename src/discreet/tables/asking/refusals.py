"""Errors about a question that take some words to say; nothing here runs where nothing is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discreet.errors import InvalidInput
from discreet.tables.published.manifest import SIZE

if TYPE_CHECKING:
    from discreet.tables.asking.question import Question


def two_columns(question: Question, name: str) -> InvalidInput:
    """The error about an output with two columns of one name."""
    rule = f"would give the output two columns named {name}"
    if name.casefold() == SIZE:
        rule += f" ({SIZE} holds the group's size)"
    if any(name in each.outputs and each.answers for each in question.counts):
        return InvalidInput("count", rule, remedy="give the question, or the answer, another name")
    text = next((each.expression.text for each in question.counts if name.startswith(each.name)), "PREDICATE")
    remedy = f"rename with `count={{'{name}_count': {text!r}}}`, or rename the source's column"
    return InvalidInput("count", rule, remedy=remedy)


def dropped_nulls() -> InvalidInput:
    """The error about missing bits that are to be dropped."""
    rule = "must not drop rows: that would make the published group size depend on the protected bit"
    remedy = "count them with `nulls='0'` or `nulls='1'`, or select rows by a public column"
    return InvalidInput("nulls", rule, found="drop", remedy=remedy)
