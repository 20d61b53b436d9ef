"""Whole numbers that add up, for people: every count in 0..n, and every sum of them right.

The estimates of a release are brought to whole numbers from the top down (`levels.integer_split`): the total first,
then the release's levels down to the groups (of two keys that cross, along the first), or, for a release with one
level, the groups of the first key column, of the first two, and so on. Only the finest groups' numbers are kept; every
other number is a sum of them. A function of what was released alone, so it is free and always comes out the same.
These numbers are not unbiased.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from discreet.reading.levels.integer_split import adding_up
from discreet.reading.levels.tree import Integers, Tree, sum_by
from discreet.reading.parts.fitting import Fit
from discreet.reading.parts.key_codes import Keys, chosen, code, read_names
from discreet.reading.parts.number_table import NumberTable

NOTE = "Whole numbers in 0..n that add up, for people; sums and models take the unbiased estimates instead."


_FINE = 2.0**20
"""Estimates are taken to a millionth, so that the last digits of a processor's floats decide nothing."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class WholeNumbers:
    """The whole number of each finest group, and sums of them."""

    name: str
    keys: Keys
    sizes: Integers
    counts: Integers

    @property
    def total(self) -> int:
        """The total."""
        return int(self.counts.sum())

    @property
    def table(self) -> NumberTable:
        """Every finest group."""
        keys = self.keys or {"group": np.arange(1, len(self.sizes) + 1)}  # plain outputs are told apart by their row
        return self._table(keys, self.sizes, self.counts)

    @cached_property
    def tables(self) -> Mapping[tuple[str, ...], NumberTable]:
        """The tables of all prefixes of the key columns, by their columns: the total first, the groups last."""
        names = tuple(self.keys)
        found = {names[:depth]: self.subtotals(names[:depth]) for depth in range(len(names))}
        return {**found, (names or ("group",)): self.table}

    def subtotals(self, *columns: Any) -> NumberTable:
        """Return the sums of the groups that some key columns make; without columns the total."""
        names = read_names(columns, tuple(self.keys))
        groups = code(self.keys, names, len(self.sizes))
        sums = [sum_by(groups.of_row, each, groups.groups).astype(np.int64) for each in (self.sizes, self.counts)]
        return self._table(chosen(self.keys, groups.first, names), *sums)

    def to_dict(self) -> dict[str, Any]:
        """Return all tables as plain values, for JSON."""
        tables = [table.to_dict() for table in self.tables.values()]
        return {"count": self.name, "total": self.total, "tables": tables, "note": NOTE}

    def _table(self, keys: Keys, sizes: Integers, counts: Integers) -> NumberTable:
        by = f" by {', '.join(keys)}" if keys else ", the total"
        columns = {**keys, "n": sizes, self.name: counts}
        return NumberTable(title=f"{self.name!r}{by}", columns=columns, keys=tuple(keys))

    def __str__(self) -> str:
        from discreet.show.text import folded

        return "\n".join([*map(str, self.tables.values()), *folded(NOTE)])

    def __repr__(self) -> str:
        return f"<Whole numbers of {self.name!r}: {len(self.sizes):,} groups, total {self.total:,}>"

    def _repr_html_(self) -> str:
        from discreet.show import html

        return html.together(*(html.Html(table._repr_html_()) for table in self.tables.values()), html.note(NOTE))


def whole_numbers(fit: Fit, name: str) -> WholeNumbers:
    """Bring the estimates of a fit to whole numbers that add up."""
    codes = [fit.codes(names) for names in fit.nesting]
    parents = [above.of_row[below.first] for above, below in pairwise(codes)]
    sizes = [sum_by(each.of_row, fit.finest.sizes, each.groups).astype(np.int64) for each in codes]
    values = [*(sum_by(each.of_row, fit.value, each.groups) for each in codes), fit.value]
    tree = Tree(sizes=(*sizes, fit.finest.sizes), parents=(*parents, codes[-1].of_row))
    counts = adding_up(tree, [np.round(level * _FINE) / _FINE for level in values])[-1]
    return WholeNumbers(name=name, keys=fit.finest.keys, sizes=fit.finest.sizes, counts=counts)
