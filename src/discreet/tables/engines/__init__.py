"""The engines that group and count, behind one small protocol: DuckDB on one machine, Spark on
many.

An engine opens a source (`open_engine`), counts (`Engine.count`, which gives `Counts`) and streams
batches of those counts through a function (`Engine.stream`). Each step takes what the step before
it returned, so there is no order to remember. Drawing is shared: the function is
`tables.noise.Noise`. What a bit, a key and NULL mean is one table for all engines, in `values`.
Nothing outside this room imports from `engines.duckdb` or `engines.spark`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from discreet.errors import InvalidInput, MissingExtra

if TYPE_CHECKING:
    from discreet.tables.asking.question import Question
    from discreet.tables.asking.request import Machine
    from discreet.tables.noise import Noise

DESCRIPTION = "description"
"""Where the field of a column of a released table says what the column is, in Arrow and in
Parquet.
"""

Sizes = Mapping[int, int]
"""How many groups there are of each size."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Expression:
    """A checked expression: the SQL that runs, and the columns of the source it reads."""

    text: str
    sql: str
    columns: frozenset[str]
    column: str | None = None
    """The column of the source that it is nothing but; None for a predicate."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """The true counts of a question, computed once and checked; their sizes are public."""

    sizes: Sizes
    truth: Any
    """Where the engine keeps the counts: a table of its own that nothing else uses."""


class Engine(Protocol):
    """What a release or a plan needs of an engine."""

    name: str
    formats: tuple[str, ...]
    """The formats that `write` knows."""

    @property
    def usual_format(self) -> str:
        """The format of tables unless one is asked for: csv if the source is CSV files, as their
        names say.
        """

    @property
    def columns(self) -> Mapping[str, str]:
        """The source's columns and, where known, their types."""

    @property
    def ambiguous(self) -> frozenset[str]:
        """The names that several columns have, which nobody can ask for."""

    def expression(self, parameter: str, text: str) -> Expression:
        """Parse a predicate or filter in the engine's own SQL and check that it looks at one row
        only.
        """

    def behind(self, names: Iterable[str]) -> frozenset[str]:
        """What these columns are made of, named as the engine distinguishes columns (not as a
        name is spelt).
        """

    def filtered_by(self) -> frozenset[str]:
        """The columns by which the source itself selects its rows, named in the same way."""

    def sizes(self, question: Question) -> Counts:
        """Group and count rows without reading any protected column: the sizes, and no true
        counts.
        """

    def count(self, question: Question) -> Counts:
        """Check the data and compute the true counts, once."""

    def coarser(self, counts: Counts, places: Sequence[int]) -> Counts:
        """Sum the finest groups' sizes and true counts into those of a level with the keys at
        these places of `by`.
        """

    def nesting(self, counts: Counts, levels: Sequence[Sequence[int]]) -> Any:
        """How the finest groups lie in coarser levels, each given by the places of its keys: an
        Arrow table.

        For each level a column with the number of the group there (0, 1, ...), then the size, and
        how many of the finest groups are alike in all this. All of it is public.
        """

    def stream(
        self, counts: Counts, noise: Noise, *, release: str, tick: Callable[[int], None]
    ) -> Any:
        """The rows that `noise` makes of the counts, ordered by key: an Arrow reader, or a frame of
        the engine's own.

        A reader draws while it is read, and can be read once. A frame may be evaluated again, and
        gives the same rows.
        """

    def write(self, rows: Any, folder: Path, name: str, format: str, *, groups: int) -> None:
        """Write what `stream` gave, one row for each group, into `folder` under this name."""

    def versions(self) -> dict[str, str]:
        """The engine's packages and their versions."""

    def close(self) -> None:
        """Forget everything."""


def open_engine(source: Any, read: Mapping[str, Any] | None, machine: Machine) -> Engine:
    """Open a source with the engine it needs: Spark for a Spark DataFrame, DuckDB for the rest.
    Only names are read.
    """
    if type(source).__module__.startswith("pyspark.sql") and type(source).__name__ == "DataFrame":
        from discreet.tables.engines.spark.spark_engine import SparkEngine

        return SparkEngine(source, read)
    try:
        from discreet.tables.engines.duckdb.duckdb_engine import DuckEngine
    except ImportError:
        raise MissingExtra("tables", "a release of tables") from None
    return DuckEngine(source, read, machine)


def read_keys(keys: Any, by: Sequence[str], columns: Mapping[str, str]) -> Any:
    """The complete set of keys as an Arrow table; in a text file they have the types of the
    source's `columns`.
    """
    if not by:
        raise InvalidInput("keys", "needs `by`")
    from discreet.tables.engines.duckdb.keys import key_table

    return key_table(keys, by, columns)


def write_table(table: Any, folder: Path, name: str, format: str) -> None:
    """Write an Arrow table into `folder` as a release writes its own."""
    from discreet.tables.engines.duckdb.connection import connect
    from discreet.tables.engines.duckdb.duckdb_engine import copy_rows

    copy_rows(connect(), table, folder / name, format)


_PREPARE = "prepare the column before the release"


def refused(parameter: str, text: str, why: str, remedy: str = _PREPARE) -> InvalidInput:
    """The error about an expression that is not a function of its own row."""
    return InvalidInput(parameter, f"must look at one row only, and {why}", text, remedy=remedy)


def nearest(name: str, allowed: Collection[str]) -> str:
    """A remedy that names the allowed word nearest to `name`.

    >>> nearest("starts_wiht", {"starts_with", "lower"})
    'prepare the column before the release (the nearest that is allowed: starts_with)'
    """
    words = sorted(allowed)
    for cutoff in (0.75, 0.5, 0.0):  # the higher, the fewer words are compared in full
        if near := get_close_matches(name, words, n=1, cutoff=cutoff):
            break
    return f"{_PREPARE} (the nearest that is allowed: {near[0]})"
