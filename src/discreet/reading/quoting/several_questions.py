"""The tables to quote of several questions as one: a row for each question, group and answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from discreet.reading.parts.number_table import NumberTable
from discreet.reading.quoting.interval_kinds import CONFIDENCE, CREDIBLE

if TYPE_CHECKING:
    from numpy.typing import NDArray

_NUMBERS = ("n", "whole", "from", "to")


def one_table(tables: Mapping[str, NumberTable]) -> NumberTable:
    """Return the tables to quote, by question, below each other. The answer of a yes-or-no count is empty.

    The column `interval` says of which kind the ends are. No column is named like a key.
    """
    keys = list(dict.fromkeys(name for table in tables.values() for name in table.keys))
    parts = [_columns(question, table, keys) for question, table in tables.items()]
    columns: dict[str, NDArray[Any]] = {}
    for name in parts[0]:
        free = name if name in keys else _free(name, keys)
        columns[free] = np.concatenate([part[name] for part in parts])
    return NumberTable(columns=columns, title="To be quoted", keys=tuple(name for name in columns if name in keys))


def _columns(question: str, table: NumberTable, keys: list[str]) -> dict[str, NDArray[Any]]:
    rows = len(table)
    numbers = [name for name in table.columns if name not in table.keys]
    ((head, high),) = table.spans.values()
    held = numbers[: numbers.index(high) + 1]
    sized = len(held) == len(_NUMBERS)  # then the next column says whether a row is quotable
    kind = CREDIBLE if CREDIBLE in head else CONFIDENCE
    nothing = np.full(rows, "", dtype=object)
    return {
        "question": np.full(rows, question, dtype=object),
        **{name: table.columns[name] if name in table.keys else nothing for name in keys},
        **{name: table.columns[held[place]] for place, name in enumerate(_NUMBERS[-len(held) :])},
        "interval": np.full(rows, kind, dtype=object),
        **({"quotable": table.columns[numbers[len(held)]]} if sized else {}),
    }


def _free(name: str, taken: list[str]) -> str:
    while name in taken:
        name += "_"
    return name
