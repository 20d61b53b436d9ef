"""Whole numbers that add up, for people: every count in 0..n, and every sum of them right.

The estimates of a release are brought to whole numbers from the top down (`levels.integer_split`):
the total first, then the release's levels down to the groups (of two keys that cross, along the
first), or, for a release with one level, the groups of the first key column, of the first two, and
so on. Only the finest groups' numbers are kept; every other number is a sum of them. A function of
what was released alone, so it is free and always comes out the same. These numbers are not
unbiased. Of a question with several answers, each group's numbers add up to n too
(`levels.histogram_split`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from discreet.reading.levels.histogram_split import histograms_adding_up
from discreet.reading.levels.integer_split import adding_up
from discreet.reading.levels.tree import Floats, Integers, Tree, sum_by
from discreet.reading.parts.fitting import Fit
from discreet.reading.parts.key_codes import Codes, Keys, chosen, code, read_names
from discreet.reading.parts.number_table import NumberTable

if TYPE_CHECKING:
    from discreet.reading.histograms.answer_subtotals import Asked

_FINE = 2.0**20
"""Estimates are taken to a millionth, so that the last digits of a processor's floats decide
nothing.
"""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class WholeNumbers:
    """The whole number of each finest group, and sums of them."""

    name: str
    keys: Keys
    sizes: Integers
    columns: Mapping[str, Integers]
    """One for a count, under its name; one for each answer of a question, as in the released
    table.
    """
    values: Floats
    """The estimates that they were made of, like `counts`."""

    @property
    def counts(self) -> Integers:
        """The number of each finest group: of the count, or of each answer [group, answer]."""
        found = list(self.columns.values())
        return found[0] if len(found) == 1 else np.stack(found, axis=1)

    @property
    def moved(self) -> NDArray[np.bool_]:
        """Which of the counts were moved to make sums right."""
        return moved(self.counts.T, self.values.T, self.sizes).T

    @property
    def total(self) -> int:
        """The total; of a question with several answers, everybody."""
        return int(self.counts.sum())

    @property
    def totals(self) -> dict[str, int]:
        """The total of each column."""
        return {name: int(values.sum()) for name, values in self.columns.items()}

    @property
    def table(self) -> NumberTable:
        """Every finest group."""
        keys = self.keys or {
            "group": np.arange(1, len(self.sizes) + 1)
        }  # plain outputs are told apart by their row
        return self._table(keys, self.sizes, self.columns)

    @cached_property
    def tables(self) -> Mapping[tuple[str, ...], NumberTable]:
        """The tables of all prefixes of the key columns, by their columns: the total first, the
        groups last.
        """
        names = tuple(self.keys)
        found = {names[:depth]: self.subtotals(names[:depth]) for depth in range(len(names))}
        return {**found, (names or ("group",)): self.table}

    def subtotals(self, *columns: Any) -> NumberTable:
        """Return the sums of the groups that some key columns make; without columns the total."""
        names = read_names(columns, tuple(self.keys))
        groups = code(self.keys, names, len(self.sizes))

        def sums(values: Integers) -> Integers:
            return sum_by(groups.of_row, values, groups.groups).astype(np.int64)

        numbers = {name: sums(values) for name, values in self.columns.items()}
        return self._table(chosen(self.keys, groups.first, names), sums(self.sizes), numbers)

    def to_dict(self) -> dict[str, Any]:
        """Return all tables as plain values, for JSON."""
        tables = [table.to_dict() for table in self.tables.values()]
        return {
            "count": self.name,
            "total": self.total,
            "totals": self.totals,
            "tables": tables,
            "note": not_one_alone(),
        }

    def _table(self, keys: Keys, sizes: Integers, numbers: Mapping[str, Integers]) -> NumberTable:
        by = f" by {', '.join(keys)}" if keys else ", the total"
        return NumberTable(
            title=f"{self.name!r}{by}", columns={**keys, "n": sizes, **numbers}, keys=tuple(keys)
        )

    def __str__(self) -> str:
        from discreet.show.text import folded

        tables = "\n\n".join(map(str, self.tables.values()))
        return "\n".join([tables, *folded(not_one_alone(), width=79, first="  ", later="  ")])

    def __repr__(self) -> str:
        return f"<Whole numbers of {self.name!r}: {len(self.sizes):,} groups, total {self.total:,}>"

    def _repr_html_(self) -> str:
        from discreet.show import html

        return html.together(
            *(html.Html(table._repr_html_()) for table in self.tables.values()),
            html.note(not_one_alone()),
        )


def not_one_alone() -> str:
    """Return what these numbers are for, and where it stands which of them may be printed.

    >>> not_one_alone()[:75]
    'Whole numbers in 0..n that add up. Do not print one alone, such as the 0 of'
    """
    from discreet.show.text import in_words_of

    where = in_words_of("quotable() or a report has", "--by without --adding-up, or a report, has")
    return (
        "Whole numbers in 0..n that add up. Do not print one alone, such as the 0 of a small "
        f"group: {where} its interval. Sums and models take the unbiased estimates instead."
    )


def moved(whole: Integers, estimates: Floats, sizes: Integers) -> NDArray[np.bool_]:
    """Whether each is not the possible whole number nearest to its estimate.

    >>> moved(np.array([0, 3]), np.array([-0.6, 4.2]), np.array([8, 8])).tolist()
    [False, True]
    """
    return np.asarray(whole != np.clip(np.floor(estimates + 0.5), 0, sizes))


def whole_numbers(fit: Fit, name: str) -> WholeNumbers:
    """Bring the estimates of a fit to whole numbers that add up."""
    finest = fit.finest
    tree, levels = _down_to_the_groups(
        finest.sizes, [fit.codes(names) for names in fit.nesting], fit.value
    )
    columns = {name: adding_up(tree, levels)[-1]}
    return WholeNumbers(
        name=name, keys=finest.keys, sizes=finest.sizes, columns=columns, values=fit.value
    )


def whole_answers(
    asked: Asked,
    keys: Keys,
    sizes: Integers,
    values: Floats,
    nesting: Sequence[tuple[str, ...]] | None = None,
) -> WholeNumbers:
    """Bring unbiased values [group, answer] to whole histograms: answers add up to n, and parts to
    wholes.

    `nesting` are the key columns of what the groups lie in, from the total on; unless said, all
    prefixes of the keys.
    """
    names = tuple(keys)
    within = [names[:depth] for depth in range(max(len(names), 1))] if nesting is None else nesting
    codes = [code(keys, each, len(sizes)) for each in within]
    tree, levels = _down_to_the_groups(sizes, codes, values)
    found = histograms_adding_up(tree, levels)[-1]
    columns = {
        f"{asked.name}_{answer}": found[:, place] for place, answer in enumerate(asked.answers)
    }
    return WholeNumbers(name=asked.name, keys=keys, sizes=sizes, columns=columns, values=values)


def _down_to_the_groups(
    sizes: Integers, codes: Sequence[Codes], values: Floats
) -> tuple[Tree, list[Floats]]:
    """The tree from the total down to the groups, and the estimates of all its levels."""
    people = [sum_by(each.of_row, sizes, each.groups).astype(np.int64) for each in codes]
    parents = [above.of_row[below.first] for above, below in pairwise(codes)]
    levels = [*(sum_by(each.of_row, values, each.groups) for each in codes), values]
    tree = Tree(sizes=(*people, sizes), parents=(*parents, codes[-1].of_row))
    return tree, [np.round(level * _FINE) / _FINE for level in levels]
