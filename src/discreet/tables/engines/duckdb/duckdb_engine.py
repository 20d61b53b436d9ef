"""The embedded engine: DuckDB reads, groups and writes, out of core; true counts are computed once and kept here.

Words come fresh from the sampler's own source: the counts are materialised in a temporary table, each group is drawn
once while that table streams past, and the output is written once. Nothing is evaluated a second time, so no keyed
words are needed (Spark, which may evaluate again, needs them). What DuckDB spills to disk lies in a folder that only
its owner can read, and is removed at the end.
"""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from discreet.errors import DiscreetError, InvalidData, InvalidInput
from discreet.tables.asking.question import Question, too_many_rows
from discreet.tables.engines import Mechanisms, Sizes
from discreet.tables.engines.arrays import to_arrow, to_numpy
from discreet.tables.engines.duckdb.connection import connect
from discreet.tables.engines.duckdb.expressions import Expression, parse
from discreet.tables.engines.duckdb.grouping import Grouping, bit_problem, counts_sql, key_problem, people_sql
from discreet.tables.engines.duckdb.key_sets import complete
from discreet.tables.engines.duckdb.shield import run
from discreet.tables.engines.duckdb.sources.opened import QuerySource, Source, open_source
from discreet.tables.engines.quoting import identifier, literal
from discreet.tables.noise import Drawer
from discreet.tables.published.formulas import escaped
from discreet.tables.readings import Readings

BATCH = 122_880
"""Rows drawn at a time: DuckDB's own row group, 3 MB with three integer columns."""

_COPY = {
    "parquet": ("table.parquet", "FORMAT parquet"),
    "csv": ("table.csv", "FORMAT csv, HEADER true"),
    "jsonl": ("table.jsonl", "FORMAT json"),
}


def write_table(table: pa.Table, folder: Path, format: str, *, escape_formulas: bool = False) -> str:
    """Write an Arrow table into `folder`; return its name there."""
    return _copy(connect(), escaped(table) if escape_formulas else table, folder, format)


def _copy(connection: Any, rows: Any, folder: Path, format: str) -> str:
    name, options = _COPY[format]
    connection.register("private", rows)
    run(lambda: connection.execute(f"COPY private TO {literal(str(folder / name))} ({options})"), output=True)
    connection.close()
    return name


class DuckEngine:
    """One release or plan over one source."""

    name = "duckdb"

    def __init__(
        self, source: Any, *, reading: Any, memory_limit: str | None, threads: int | None, temporary: Path | None
    ) -> None:
        try:
            self._spill = Path(tempfile.mkdtemp(prefix="discreet-", dir=temporary))  # readable by this user only
        except OSError as error:
            raise InvalidInput("temporary", f"cannot be written ({error.strerror})", found=str(temporary)) from None
        self._connection = connect(memory_limit=memory_limit, threads=threads, spill=self._spill)
        self._schema: pa.Schema | None = None
        try:
            self._source: Source = open_source(source, reading, self._connection)
        except BaseException:
            self.close()
            raise

    @property
    def columns(self) -> Mapping[str, str]:
        """The source's columns."""
        return self._source.columns

    def expression(self, parameter: str, text: str) -> Expression:
        """Check an expression in DuckDB's SQL."""
        return parse(parameter, text, self.columns)

    def behind(self, names: Iterable[str]) -> frozenset[str]:
        """The names themselves, or what a query makes them of."""
        return self._source.behind(names) if isinstance(self._source, QuerySource) else frozenset(names)

    def filtered_by(self) -> frozenset[str]:
        """The columns in the WHERE of a query."""
        where = self._source.where if isinstance(self._source, QuerySource) else None
        return where.columns if where else frozenset()

    def sizes(self, question: Question) -> Sizes:
        """Count rows of each group, reading public columns only."""
        grouping = self._attach(question, question.public)
        if question.unit is not None:
            self._check_unit(grouping)
        self._materialise(grouping, bits=False)
        return self._sizes()

    def count(self, question: Question) -> Sizes:
        """Materialise the true counts, checked."""
        needed = tuple(dict.fromkeys((*question.public, *question.protected)))
        grouping = self._attach(question, needed)
        if question.unit is not None:
            self._check_unit(grouping)
        self._materialise(grouping, bits=True)
        for k in range(len(question.counts)):
            if self._one(f"SELECT 1 FROM truth WHERE c{k} IS NULL LIMIT 1"):
                raise self._problem(grouping, k)
        self._source.check_unchanged()
        return self._sizes()

    def draw(
        self,
        question: Question,
        mechanisms: Mechanisms,
        readings: Sequence[Readings] | None,
        *,
        release: str,
        tick: Callable[[int], None],
    ) -> None:
        """Make ready; the words are drawn while the table streams past."""
        self._tick = tick
        self._drawers = [Drawer(by_size) for by_size in mechanisms]
        self._readings = readings
        self._names = question.output_columns
        self._keys = len(question.by)

    def table(self) -> pa.Table:
        """Draw, and return the whole table."""
        return self._reader().read_all()

    def frame(self) -> None:
        """Nothing: DuckDB draws once."""

    def write(self, folder: Path, format: str, *, escape_formulas: bool) -> str:
        """Draw, and write as the rows come."""
        # The first connection is busy reading the true counts.
        rows = escaped(self._reader()) if escape_formulas else self._reader()
        return _copy(self._connection.cursor(), rows, folder, format)

    def versions(self) -> dict[str, str]:
        """DuckDB and Arrow."""
        return {"duckdb": duckdb.__version__, "pyarrow": pa.__version__}

    def close(self) -> None:
        """Forget the true counts, in memory and on disk."""
        with contextlib.suppress(duckdb.Error):
            self._connection.close()
        shutil.rmtree(self._spill, ignore_errors=True)

    def _attach(self, question: Question, needed: Sequence[str]) -> Grouping:
        self._needed = needed
        table = self._source.attach(self._connection, needed=needed, keys=question.by)
        types = {str(name): str(kind) for name, kind, *_ in self._described(f"DESCRIBE FROM {table}", "source")}
        grouping = Grouping(question=question, table=table, types=types)
        for name in question.by:
            if why := key_problem(types[name]):
                raise InvalidInput("by", why, name)
        for count in question.counts:
            if count.column in types and (why := bit_problem(types[str(count.column)])):
                raise InvalidInput("count", why, count.column)
            if count.column is None and question.protected and count.expression.columns <= types.keys():
                sql = f"DESCRIBE SELECT {count.expression.sql} FROM {grouping.aliased}"
                if self._described(sql, "count")[0][1] != "BOOLEAN":
                    raise InvalidInput(
                        "count",
                        "must be true or false for each row",
                        count.expression.text,
                        remedy="compare, as in 'x = 1'",
                    )
        return grouping

    def _described(self, sql: str, parameter: str) -> list[tuple[Any, ...]]:
        return list(run(lambda: self._connection.execute(sql).fetchall(), parameter=parameter, names_only=True))

    def _materialise(self, grouping: Grouping, *, bits: bool) -> None:
        """Compute the groups once, into a temporary table."""
        question = grouping.question
        sql = people_sql(grouping, bits=bits) if question.size is None else counts_sql(grouping, bits=bits)
        if question.where is not None:
            self._described(f"DESCRIBE SELECT 1 FROM {grouping.aliased} WHERE {question.where.sql}", "where")
        self._described(f"DESCRIBE {sql}", "count" if bits else "source")
        if problem := self._failed(f"CREATE OR REPLACE TEMP TABLE truth AS {sql}", "source"):
            raise self._blamed(grouping, bits=bits) or problem
        if question.size is not None:
            self._check_rows_are_groups(grouping)
        if question.keys is not None:
            complete(self._connection, question)

    def _blamed(self, grouping: Grouping, *, bits: bool) -> DiscreetError | None:
        """The filter or count that fails when it alone is computed."""
        question = grouping.question
        asked = [("where", question.where)] + [("count", count.expression) for count in question.counts if bits]
        for parameter, expression in asked:
            if expression is not None and expression.sql:
                alone = f"SELECT count({expression.sql}) FROM {grouping.aliased}"
                if problem := self._failed(alone, parameter):
                    return problem
        return None

    def _failed(self, sql: str, parameter: str) -> DiscreetError | None:
        """Run a statement; why it cannot be run, or nothing."""
        try:
            self._rows(sql, parameter)
        except InvalidData as error:
            return error
        return None

    def _check_rows_are_groups(self, grouping: Grouping) -> None:
        question = grouping.question
        if self._one("SELECT 1 FROM truth WHERE n IS NULL LIMIT 1"):
            (row, _) = self._one(grouping.first_row(f"({grouping.size}) IS NULL"))
            raise InvalidData("size", "must be a whole number of at least 0", row=row)
        keys = ", ".join(f"k{p}" for p in range(len(question.by)))
        grouped = f"SELECT 1 FROM truth{f' GROUP BY {keys}' if keys else ''} HAVING count(*) > 1 LIMIT 1"
        if self._one(grouped):
            rule = "must tell the rows apart, and some key stands in more than one row"
            raise InvalidInput("by", rule, remedy="add the column that is missing from `by`, or sum them first")

    def _check_unit(self, grouping: Grouping) -> None:
        question = grouping.question
        rows, person = grouping.rows, identifier(str(question.unit))
        if self._one(f"SELECT 1 FROM {rows} WHERE {person} IS NULL LIMIT 1"):
            (row, _) = self._one(grouping.first_row(f"{person} IS NULL"))
            raise InvalidData("unit", "must not be NULL, so that people can be told apart", row=row)
        most = question.contributions
        if question.excess == "drop":
            return
        if self._one(f"SELECT 1 FROM {rows} GROUP BY {person} HAVING count(*) > {most} LIMIT 1"):
            raise too_many_rows(most)

    def _problem(self, grouping: Grouping, place: int) -> DiscreetError:
        """Find the first bad row, to name it."""
        count = grouping.question.counts[place]
        row, why = self._one(grouping.first_bad(place))
        return InvalidData(count.name, why, row=row, column=True, remedy=grouping.remedy(why))

    def _sizes(self) -> Sizes:
        rows = self._connection.execute("SELECT n, count(*) FROM truth GROUP BY n ORDER BY n").fetchall()
        return {int(size): int(groups) for size, groups in rows}

    def _one(self, sql: str) -> tuple[Any, ...]:
        """The first row, or nothing."""
        return next(iter(self._rows(sql)), ())

    def _rows(self, sql: str, parameter: str = "source") -> list[tuple[Any, ...]]:
        """Run what reads the source; when that fails, look there for the reason."""
        try:
            return list(run(lambda: self._connection.execute(sql).fetchall(), parameter=parameter))
        except InvalidData as error:
            problem = error
        raise self._source.problem(self._connection, self._needed) or problem

    def _reader(self) -> pa.RecordBatchReader:
        columns = [*(f"k{p}" for p in range(self._keys)), "n", *(f"c{k}" for k in range(len(self._drawers)))]
        true = self._connection.sql(f"SELECT {', '.join(columns)} FROM truth").to_arrow_reader(BATCH)
        kept = [field.type for field in true.schema][: self._keys + 1]
        added = [pa.int64()] if self._readings is None else [pa.int64(), pa.float64(), pa.int64(), pa.int64()]
        schema = pa.schema(list(zip(self._names, kept + added * len(self._drawers), strict=True)))
        return pa.RecordBatchReader.from_batches(schema, self._drawn_batches(true, schema))

    def _drawn_batches(self, true: pa.RecordBatchReader, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
        done = 0
        for batch in true:
            yield self._drawn(batch, schema)
            done += batch.num_rows
            self._tick(done)

    def _drawn(self, batch: pa.RecordBatch, schema: pa.Schema) -> pa.RecordBatch:
        sizes = batch.column(self._keys)
        kept = batch.columns[: self._keys + 1]
        public = to_numpy(sizes)
        drawn: list[Any] = []
        for k, drawer in enumerate(self._drawers):
            outputs = drawer.draw(public, to_numpy(batch.column(self._keys + 1 + k)))
            drawn += [outputs] if self._readings is None else [outputs, *self._readings[k].columns(public, outputs)]
        return pa.RecordBatch.from_arrays([*kept, *map(to_arrow, drawn)], schema=schema)
