"""The tables to quote of several questions as one: a row for each question, group and answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from discreet.reading.parts.number_table import NumberTable
from discreet.reading.quoting.quoted import free

if TYPE_CHECKING:
    from numpy.typing import NDArray


def one_table(tables: Mapping[str, NumberTable]) -> NumberTable:
    """Return the tables to quote, by question, below each other; a column that a question does not
    have is empty.

    Such a column is the answer of a yes-or-no count, or among the details the mean of one of
    several answers. No column is named like a key.
    """
    keys = list(dict.fromkeys(name for table in tables.values() for name in table.keys))
    numbers = dict.fromkeys(
        name for table in tables.values() for name in table.columns if name not in keys
    )
    columns = {
        name: np.concatenate(
            [_column(table, name, "" if name in keys else None) for table in tables.values()]
        )
        for name in (*keys, *numbers)
    }
    question = np.concatenate(
        [np.full(len(table), name, dtype=object) for name, table in tables.items()]
    )
    called = free("question", columns)
    return NumberTable(
        columns={called: question, **columns}, title="To be quoted", keys=(called, *keys)
    )


def _column(table: NumberTable, name: str, nothing: str | None) -> NDArray[Any]:
    return (
        table.columns[name] if name in table.columns else np.full(len(table), nothing, dtype=object)
    )
