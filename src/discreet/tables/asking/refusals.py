"""Errors about a question that take some words to say; nothing here runs where nothing is
refused.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from discreet.errors import InvalidInput, did_you_mean
from discreet.tables.published.manifest import SIZE

if TYPE_CHECKING:
    from discreet.tables.asking.question import Question


class UnknownColumn(InvalidInput):
    """A name is none of the source's columns, which are `known`: others that were given can be
    compared with them.
    """

    known: tuple[str, ...] = ()


def two_columns(question: Question, name: str) -> InvalidInput:
    """The error about an output with two columns of one name."""
    rule = f"would give the output two columns named {name}"
    if name.casefold() == SIZE:
        rule += f" ({SIZE} holds the group's size)"
    if any(name in each.outputs and each.given for each in question.counts):
        return InvalidInput("count", rule, remedy="give the question, or the answer, another name")
    text = next(
        (each.expression.text for each in question.counts if name.startswith(each.name)),
        "PREDICATE",
    )
    remedy = f"rename with `count={{'{name}_count': {text!r}}}`, or rename the source's column"
    return InvalidInput("count", rule, remedy=remedy)


def unknown_column(parameter: str, name: object, columns: Iterable[str]) -> InvalidInput:
    """The error about a column that the source does not have; several in one text are to be
    given one by one.
    """
    known = list(columns)
    parts = [part.strip() for part in str(name).split(",")]
    unknown = [part for part in parts if part not in known]
    if len(parts) == 1 or any(set(part) & set("`\n") for part in parts):
        remedy = did_you_mean(str(name), known)
    elif unknown:
        remedy = f"give several one by one, and of {unknown[0]}: {did_you_mean(unknown[0], known)}"
    else:
        remedy = f"give them one by one, `{parameter}={parts!r}`"
    error = UnknownColumn(parameter, "must name columns of the source", name, remedy=remedy)
    error.known = tuple(known)
    return error


def protected_column(parameter: str, name: str, counted: list[str]) -> InvalidInput:
    """The error about a column that decides rows, groups or sizes, and that counts read under
    these names.
    """
    if parameter == "unit" and name.casefold() in (each.casefold() for each in counted):
        rule = f"names the column that says who is who, and {', '.join(counted)} is counted"
        return InvalidInput(
            parameter, rule, remedy="name the column of people, or leave `unit` out"
        )
    remedy = (
        f"if {', '.join(counted)} is public, say so with `public={counted!r}`"
        if parameter != "size"
        else ""
    )
    rule = (
        "must not use a column that a count reads, because groups and sizes are published as they "
        "are"
    )
    if parameter == "source":
        rule = "must not select its rows by a column that a count reads"
    return InvalidInput(parameter, rule, found=name, remedy=remedy)


def no_counts(intervals: object) -> InvalidInput:
    """The error about intervals where no question is a count."""
    rule = "stand beside counts, and every question here has several answers"
    return InvalidInput("intervals", rule, found=intervals, remedy="leave `intervals` out")


def dropped_nulls() -> InvalidInput:
    """The error about missing bits that are to be dropped."""
    rule = (
        "must not drop rows: that would make the published group size depend on the protected bit"
    )
    remedy = "count them with `nulls='0'` or `nulls='1'`, or select rows by a public column"
    return InvalidInput("nulls", rule, found="drop", remedy=remedy)
