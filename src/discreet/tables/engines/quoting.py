"""The words of SQL that are built from a user's words: identifiers and literals, always quoted.

A column may be called `"; DROP TABLE x; --` or `n` or `größe`: nothing of it reaches a parser unquoted.
"""

from __future__ import annotations


def identifier(name: str) -> str:
    """Quote a column or table name for DuckDB (and every SQL that follows the standard).

    >>> identifier('we"ird; --')
    '"we""ird; --"'
    """
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """Quote a text constant.

    >>> literal("it's")
    "'it''s'"
    """
    return "'" + text.replace("'", "''") + "'"


def backquoted(name: str) -> str:
    """Quote a column name for Spark SQL, whose identifiers stand in backquotes.

    >>> backquoted("we`ird")
    '`we``ird`'
    """
    return "`" + name.replace("`", "``") + "`"
