"""Empty texts of sources with types: values, unless `read={"empty": ...}` declares that they stand
for missing ones.

In a CSV file an empty field is missing, because CSV has no other way to write that. In a source
with types the empty text is a value like others. Where it came from a CSV file it usually was a
missing one (`pyarrow.csv` gives the empty text for every empty field), and only the owner of the
table knows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from discreet.errors import InvalidInput, did_you_mean

DECLARATION = "read={'empty': 'missing'}"
"""The line to write."""
MISSING = "missing"
_RULE = f"needs empty as {MISSING!r}, or as a mapping of columns to {MISSING!r}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Empty:
    """Of which columns the empty text is a missing value: of every column of text, of those
    named, or of none.
    """

    every: bool = False
    columns: frozenset[str] = frozenset()

    def check(self, columns: Iterable[str]) -> None:
        """Refuse names that the source does not have."""
        for name in sorted(self.columns.difference(columns)):
            rule = "declares the empty text of a column that the source lacks"
            raise InvalidInput("read", rule, found=name, remedy=did_you_mean(name, columns))

    def among(self, types: Mapping[str, str], is_text: Callable[[str], bool]) -> list[str]:
        """Those of the columns, which have these types, whose empty text is missing."""
        for name, kind in types.items():
            if name in self.columns and not is_text(kind):
                rule = f"declares the empty text of a column that is {kind}"
                raise InvalidInput("read", rule, found=name, remedy="leave it out")
        return [
            name
            for name, kind in types.items()
            if name in self.columns or (self.every and is_text(kind))
        ]


def read_empty(empty: Any) -> Empty:
    """Read the option.

    >>> read_empty({"clinic": "missing"}).columns
    frozenset({'clinic'})
    """
    if empty == MISSING:
        return Empty(every=True)
    if not isinstance(empty, Mapping) or any(value != MISSING for value in empty.values()):
        raise InvalidInput("read", _RULE, empty, remedy=f"write `{DECLARATION}`")
    return Empty(columns=frozenset(map(str, empty)))


def read_options(read: Mapping[str, Any] | None) -> Empty:
    """Read `read=` of a source that is no file, for which there is no other option."""
    options = dict(read or {})
    empty = read_empty(options.pop("empty")) if "empty" in options else Empty()
    if options:
        raise not_a_file(next(iter(options)))
    return empty


def not_a_file(option: str) -> InvalidInput:
    """The error about an option of `read=` for files, given for another source."""
    return InvalidInput("read", "has an option for files, and the source is none", found=option)
