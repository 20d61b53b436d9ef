"""Own rows: linear inequalities on the entries of the matrix, stated as a function of the group
size.

    sum of coefficient * Pr[i|j] over cells (i, j)   >= or <=   bound

`rows(name, inequalities)` is asked for among the properties of a design, beside the seven:

    cap = dc.rows("seldom a true zero", lambda n: [({(0, 0): 1}, "<=", "1/2")])
    dc.design(n=8, epsilon=1, properties=["WH", cap])

All numbers are exact. A `Rows` is a function of n; what a proof, a cache or a file holds is that
function at one n (`OwnRows`), which is plain data.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from math import gcd, lcm
from typing import TYPE_CHECKING, Any

from discreet.core.domains import Counts
from discreet.core.properties import ShapeLike, Verdict
from discreet.core.rationals import read_count, read_fraction, shown
from discreet.errors import InvalidInput

if TYPE_CHECKING:
    from discreet.core.domains import Cell
    from discreet.core.mechanism import Mechanism

MOST_ROWS = 2_000
"""Inequalities that one set may have at one group size."""
MOST_SETS = 16
LONGEST_NAME = 100
_SENSES = {">=": (">=",), "<=": ("<=",), "=": (">=", "<="), "==": (">=", "<=")}
_FORM = (
    'write ({(0, 0): 1}, "<=", "1/2"): the cells (output, true count) with their '
    "coefficients, sense, bound"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnRow:
    """One inequality: `sum of coefficient * Pr[i|j] sense bound`, its cells in order and each once.

    >>> row = rows("cap", [({(0, 0): 2, (1, 0): -1}, "<=", "1/2")]).at(1).rows[0]
    >>> print(row)
    2 Pr[0|0] - Pr[1|0] <= 1/2
    >>> row.whole
    (((0, 0, -4), (1, 0, 2)), -1)
    """

    cells: tuple[tuple[int, int, Fraction], ...]
    sense: str
    bound: Fraction

    @property
    def whole(self) -> tuple[tuple[tuple[int, int, int], ...], int]:
        """The same inequality as `sum of whole number * Pr[i|j] >= whole number`, in lowest
        terms.
        """
        values = [c if self.sense == ">=" else -c for *_, c in self.cells]
        least = self.bound if self.sense == ">=" else -self.bound
        common = lcm(least.denominator, *(c.denominator for c in values))
        top = [int(c * common) for c in values]
        share = gcd(int(least * common), *top)
        cells = tuple((i, j, c // share) for (i, j, _), c in zip(self.cells, top, strict=True))
        return cells, int(least * common) // share

    def missing(self, entry: Callable[[int, int], Fraction]) -> Fraction:
        """By how much a matrix misses it; not above 0 where it holds."""
        total = sum((c * entry(i, j) for i, j, c in self.cells), Fraction(0))
        return self.bound - total if self.sense == ">=" else total - self.bound

    def to_dict(self) -> dict[str, Any]:
        """Return the inequality as plain data, which `rows` reads again."""
        cells = [[i, j, str(c)] for i, j, c in self.cells]
        return {"cells": cells, "sense": self.sense, "bound": str(self.bound)}

    def __str__(self) -> str:
        terms = []
        for i, j, c in self.cells[:4]:
            size = "" if abs(c) == 1 else f"{shown(abs(c))} "
            terms.append(f"{'-' if c < 0 else '+'} {size}Pr[{i}|{j}]")
        first = terms[0].removeprefix("+ ").replace("- ", "-", 1)
        more = [f"... ({len(self.cells)} cells)"] if len(self.cells) > 4 else []
        return " ".join([first, *terms[1:], *more, self.sense, shown(self.bound)])


@dataclass(frozen=True, kw_only=True)
class OwnRows:
    """A named set of inequalities at one group size.

    >>> rows("cap", [({(0, 0): 1}, "<=", "1/2")]).at(4).to_dict()["rows"]
    [{'cells': [[0, 0, '1']], 'sense': '<=', 'bound': '1/2'}]
    """

    name: str
    n: int
    rows: tuple[OwnRow, ...]

    @cached_property
    def _mirror(self) -> list[int]:
        """The number of each row's mirror image, -1 where the set lacks it."""
        number = {row.whole: k for k, row in reversed([*enumerate(self.rows)])}
        found = []
        for cells, least in (row.whole for row in self.rows):
            image = tuple(sorted((self.n - i, self.n - j, c) for i, j, c in cells))
            found.append(number.get((image, least), -1))
        return found

    @property
    def symmetric(self) -> bool:
        """Whether yes and no can be exchanged: with every inequality its mirror image is in the
        set.
        """
        return -1 not in self._mirror

    def mirrored(self, number: int) -> int:
        """The number of a row's mirror image."""
        return self._mirror[number]

    def check(self, entry: Callable[[int, int], Fraction]) -> Verdict:
        """Check a matrix exactly; a verdict that fails names the inequality that is missed most."""
        missing = [row.missing(entry) for row in self.rows]
        worst = max(missing, default=Fraction(0))
        if worst <= 0:
            return Verdict(property=self.name, holds=True)
        row = self.rows[missing.index(worst)]
        cell = row.cells[0][0], row.cells[0][1]
        return Verdict(property=self.name, holds=False, cell=cell, violation=worst, row=str(row))

    def to_dict(self) -> dict[str, Any]:
        """Return the set as plain data."""
        return {"name": self.name, "n": self.n, "rows": [row.to_dict() for row in self.rows]}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """A named set of inequalities as a function of the group size; `rows` makes one."""

    name: str
    inequalities: Callable[[int], Any] | tuple[Any, ...]

    def at(self, n: int) -> OwnRows:
        """The inequalities at one group size, read and checked."""
        n = read_count("n", n)
        given = self.inequalities(n) if callable(self.inequalities) else self.inequalities
        if isinstance(given, (str, Mapping)) or not isinstance(given, Iterable):
            raise InvalidInput(
                "rows", f"must give a list of inequalities for n = {n}", given, remedy=_FORM
            )
        found = [row for one in given for row in _read_row(one, n)]
        if len(found) > MOST_ROWS:
            raise InvalidInput(
                "rows", f"must be at most {MOST_ROWS:,} inequalities for n = {n}", len(found)
            )
        return OwnRows(name=self.name, n=n, rows=tuple(found))

    def check(self, m: Mechanism) -> Verdict:
        """Check a mechanism for counts exactly; a verdict that fails names the inequality that
        is missed most.
        """
        if not isinstance(m.domain, Counts):
            raise InvalidInput(
                "own rows", "must be asked of a mechanism for counts, not for histograms"
            )
        return self.at(m.n).check(m.form.entry)

    def __str__(self) -> str:
        return f"rows {self.name!r}"


PropertiesLike = ShapeLike | Rows | Iterable[str | Rows]
"""What a design can be asked for: properties by name, and own rows."""


def rows(name: str, inequalities: Callable[[int], Any] | Iterable[Any]) -> Rows:
    """Name linear inequalities on the entries, to be asked for among the `properties` of a design.

    - `name`: what to call them in texts, reports and proofs
    - `inequalities`: a function of n that gives a list of (cells, sense, bound), or such a list for
      one n. `cells` maps (output, true count) to a coefficient, `sense` is ">=", "<=" or "=" (which
      is two inequalities). Numbers are exact: whole numbers, fractions, or text such as "1/3";
      floats are refused

    >>> middle = rows(
    ...     "no bias at the middle",
    ...     lambda n: [({(i, n // 2): i for i in range(n + 1)}, "=", n // 2)],
    ... )
    >>> len(middle.at(4).rows), middle.at(4).symmetric
    (2, False)
    """
    if (
        not isinstance(name, str)
        or not name.strip()
        or len(name) > LONGEST_NAME
        or not name.isprintable()
    ):
        raise InvalidInput(
            "name", f"must be printable text of at most {LONGEST_NAME} characters", name
        )
    if callable(inequalities):
        return Rows(name=name, inequalities=inequalities)
    if isinstance(inequalities, (str, Mapping)) or not isinstance(inequalities, Iterable):
        raise InvalidInput(
            "inequalities", "must be a function of n, or a list", inequalities, remedy=_FORM
        )
    return Rows(name=name, inequalities=tuple(inequalities))


def rows_from_dict(written: Any) -> Rows:
    """Read what `OwnRows.to_dict` gives: a name, and rows of cells [i, j, c], sense and bound."""
    if not isinstance(written, Mapping) or not {"name", "rows"} <= set(written) <= {
        "name",
        "rows",
        "n",
    }:
        remedy = (
            '{"name": "cap", "rows": [{"cells": [[0, 0, "1"]], "sense": "<=", "bound": "1/2"}]}'
        )
        raise InvalidInput("rows", "must have a name and rows", remedy=remedy)
    return rows(written["name"], written["rows"])


def check_one(m: Mechanism, asked: Any) -> Verdict:
    """Check own rows of a mechanism; anything else that is no name is refused."""
    if not isinstance(asked, Rows):
        raise InvalidInput("name", "must be one property, by its name or as `dc.rows`", str(asked))
    return asked.check(m)


def has_all(m: Mechanism, properties: Any) -> bool:
    """Whether a mechanism has own rows, or all that is in a list of names and own rows."""
    if isinstance(properties, Rows):
        return properties.check(m).holds
    return all(m.satisfies(each) for each in properties)


def split_rows(properties: Any, n: int, *, other: bool = False) -> tuple[Any, tuple[OwnRows, ...]]:
    """Take what was asked for apart: names of properties, and own rows at a group size; no
    `other` domain has any.
    """
    own = (
        [properties]
        if isinstance(properties, Rows)
        else [p for p in properties if isinstance(p, Rows)]
    )
    rest = (
        [] if isinstance(properties, Rows) else [p for p in properties if not isinstance(p, Rows)]
    )
    if len({each.name for each in own}) != len(own):
        raise InvalidInput(
            "properties",
            "must have own rows of different names",
            ", ".join(each.name for each in own),
        )
    if len(own) > MOST_SETS:
        raise InvalidInput(
            "properties", f"must have at most {MOST_SETS} sets of own rows", len(own)
        )
    if own and other:
        remedy = "leave them out, or `categories` and `step`"
        raise InvalidInput(
            "properties", "must have own rows of plain counts only", own[0].name, remedy=remedy
        )
    return rest, tuple(found for each in own if (found := each.at(n)).rows)


def _read_row(given: Any, n: int) -> list[OwnRow]:
    if isinstance(given, Mapping) and set(given) == {"cells", "sense", "bound"}:
        given = given["cells"], given["sense"], given["bound"]
    if isinstance(given, (str, Mapping)) or not isinstance(given, Sequence) or len(given) != 3:
        raise InvalidInput(
            "rows", "must be inequalities of cells, sense and bound", given, remedy=_FORM
        )
    cells, sense, bound = given
    if not isinstance(sense, str) or sense not in _SENSES:
        raise InvalidInput("rows", 'must have a sense of ">=", "<=" or "="', sense)
    read = _read_cells(cells, n)
    least = _exact("bound", bound)
    return [OwnRow(cells=read, sense=one, bound=least) for one in _SENSES[sense]]


def _read_cells(given: Any, n: int) -> tuple[tuple[int, int, Fraction], ...]:
    pairs = [(cell, c) for cell, c in given.items()] if isinstance(given, Mapping) else None
    if pairs is None and isinstance(given, Sequence) and not isinstance(given, str):
        triples = [
            tuple(one) if isinstance(one, Sequence) and not isinstance(one, str) else ()
            for one in given
        ]
        pairs = [(one[:2], one[2]) for one in triples if len(one) == 3]
        pairs = pairs if len(pairs) == len(triples) else None
    if not pairs:
        raise InvalidInput(
            "rows", "must name at least one cell (output, true count) each", given, remedy=_FORM
        )
    found: dict[Cell, Fraction] = {}
    for cell, coefficient in pairs:
        if (
            not isinstance(cell, tuple)
            or len(cell) != 2
            or any(type(x) is not int or not 0 <= x <= n for x in cell)
        ):
            raise InvalidInput(
                "rows", f"must have cells (output, true count), both in 0..{n}", cell
            )
        if cell in found:
            raise InvalidInput("rows", "must name each cell once", cell)
        found[cell] = _exact("coefficient", coefficient)
    if not any(found.values()):
        raise InvalidInput("rows", "must have a coefficient other than 0", given)
    return tuple((i, j, c) for (i, j), c in sorted(found.items()) if c)


def _exact(what: str, value: Any) -> Fraction:
    if isinstance(value, (float, complex, Decimal)) or "float" in type(value).__name__:
        remedy = "write a whole number, a Fraction, or text such as '1/3'"
        raise InvalidInput("rows", f"must have an exact {what}", value, remedy=remedy)
    return read_fraction("rows", value)
