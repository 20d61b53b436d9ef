"""Keys that are made of public columns: `by={"age band": "age - age % 10"}`.

A key is a column of the source, or an expression over columns of one row under a name of its own.
What it reads is public, like every key: the same rule refuses a column that a count reads. Nothing
else changes: an engine adds the column to the rows it reads, and from there on it is a column like
others.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from discreet.errors import InvalidInput, did_you_mean
from discreet.tables.engines import Expression

if TYPE_CHECKING:
    from discreet.tables.asking.question import Question
    from discreet.tables.engines import Engine

Made = tuple[tuple[str, Expression], ...]
"""The keys that are not columns of the source, with what they are made of."""


def read_keys_made(engine: Engine, by: Mapping[Any, Any]) -> tuple[tuple[str, ...], Made]:
    """Return the names of the keys, in order, and those that are made."""
    made = []
    for name, text in by.items():
        if not isinstance(name, str) or not name.strip():
            raise InvalidInput("by", "must give each key a name", name)
        if not isinstance(text, str) or not text.strip():
            raise InvalidInput("by", f"must give {name} a column or an expression, as text", text)
        if text == name and name in engine.columns:
            continue
        if taken := [column for column in engine.columns if column.casefold() == name.casefold()]:
            rule = "must not give a key the name of another column of the source"
            raise InvalidInput("by", rule, found=taken[0], remedy="choose another name")
        if text in engine.columns:
            expression = Expression(text=text, sql="", columns=frozenset((text,)), column=text)
        else:
            expression = engine.expression("by", text)
        if not engine.behind(expression.columns):
            remedy = did_you_mean(text, engine.columns)
            raise InvalidInput("by", "must read a column of the source", text, remedy=remedy)
        made.append((name, expression))
    return tuple(by), tuple(made)


def check_keys_are_not_people(question: Question) -> None:
    """Refuse a key, of whatever level, that is the column of the person: each group would be one
    person.

    Names decide it, never rows. A key made of that column (`left(id, 3)`, a school's part of a
    number) is left alone.
    """
    made = {name: expression.column for name, expression in question.made}
    who = [name for name in question.by if made.get(name, name) == question.unit]
    if who and question.unit is not None:
        rule = "and `unit` must not be the same column"
        remedy = (
            "`unit` names the column that says who each person is, such as an id, and `by` one "
            "that people share, such as their clinic: of one column each group would be one person"
        )
        raise InvalidInput("by", rule, found=question.unit, remedy=remedy)
