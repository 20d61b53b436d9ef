"""The embedded engine: DuckDB reads, groups and writes, out of core; true counts are computed once
and kept here.

Words come fresh from the sampler's own source: the counts are materialised in a temporary table,
each group is drawn once while that table streams past, and the output is written once. Nothing is
evaluated a second time, so no keyed words are needed (Spark, which may evaluate again, needs them).
What DuckDB spills to disk lies in a folder that only its owner can read, and is removed at the end
(`spilling`).
"""

from __future__ import annotations

import base64
import contextlib
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import pyarrow as pa

from discreet.errors import DiscreetError, InvalidData, InvalidInput
from discreet.tables.asking.question import Question
from discreet.tables.asking.request import Machine
from discreet.tables.engines import DESCRIPTION, Counts, Expression, Sizes, kept_people
from discreet.tables.engines.duckdb.connection import connect, identifier, literal, run
from discreet.tables.engines.duckdb.expressions import parse
from discreet.tables.engines.duckdb.grouping import (
    Grouping,
    check_kinds,
    counts_sql,
    out_of_order_sql,
    people_sql,
)
from discreet.tables.engines.duckdb.sources.csv_dialect import read_reading
from discreet.tables.engines.duckdb.sources.frames import FrameSource
from discreet.tables.engines.duckdb.sources.opened import (
    CsvSource,
    ParquetSource,
    QuerySource,
    open_source,
)
from discreet.tables.engines.duckdb.spilling import Spill
from discreet.tables.engines.values import (
    SIZE,
    column_read,
    empty_text_remedy,
    no_person,
    not_a_condition,
    not_together,
    repeated_group,
    too_many_rows,
)

if TYPE_CHECKING:
    from discreet.tables.noise import Noise

BATCH = 122_880
"""Rows drawn at a time: DuckDB's own row group, 3 MB with three integer columns."""

_COPY = {"parquet": "FORMAT parquet", "csv": "FORMAT csv, HEADER true", "jsonl": "FORMAT json"}

_PLAIN = {
    pa.bool_(),
    pa.int8(),
    pa.int16(),
    pa.int32(),
    pa.int64(),
    pa.float64(),
    pa.string(),
    pa.date32(),
}
"""Types that Parquet keeps as they are."""


def copy_rows(connection: Any, rows: Any, file: Path, format: str) -> None:
    """Write an Arrow table, or a reader as its rows come, into a file; Parquet with what each
    column is.
    """
    options, schema = _COPY[format], rows.schema
    if format == "parquet" and {field.type for field in schema} <= _PLAIN:
        # where Arrow keeps the metadata of fields; a reader takes types from here too, so they must
        # be those written. Not in Arrow's own pool: a release needs it for nothing else, and to set
        # it up takes up to 0.1 s.
        written = schema.serialize(memory_pool=pa.system_memory_pool())
        kept = base64.b64encode(written.to_pybytes()).decode()
        options += f", KV_METADATA {{'ARROW:schema': {literal(kept)}}}"
    connection.register("private", rows)
    run(
        lambda: connection.execute(f"COPY private TO {literal(str(file))} ({options})"), output=True
    )
    connection.close()


class _Ahead:
    """The same batches, the next one made by a thread while one is used; the first one from now
    on.
    """

    def __init__(self, batches: Iterator[pa.RecordBatch]) -> None:
        from concurrent.futures import ThreadPoolExecutor

        self._batches, self._thread = batches, ThreadPoolExecutor(1)
        self._coming = self._thread.submit(next, batches, None)

    def __iter__(self) -> Iterator[pa.RecordBatch]:
        while (batch := self._coming.result()) is not None:
            self._coming = self._thread.submit(next, self._batches, None)
            yield batch

    def close(self) -> None:
        """Wait for the batch that is being made."""
        self._thread.shutdown()


def _selected(keys: int, counts: Sequence[str] = ()) -> str:
    return f"SELECT {', '.join([*(f'k{p}' for p in range(keys)), 'n', *counts])} FROM truth"


class DuckEngine:
    """One release or plan over one source."""

    name = "duckdb"
    formats: tuple[str, ...] = tuple(_COPY)

    def __init__(self, source: Any, read: Mapping[str, Any] | None, machine: Machine) -> None:
        reading = read_reading(read)
        self._order_key = kept_people.order_key()
        self._stopped_by: BaseException | None = None
        try:
            spill = Spill(machine.temporary)
        except OSError as error:
            raise InvalidInput(
                "temporary", f"cannot be written ({error.strerror})", found=str(machine.temporary)
            ) from None
        with contextlib.ExitStack() as held:
            held.callback(spill.close)
            self._connection = connect(
                memory_limit=machine.memory_limit, threads=machine.threads, spill=spill.folder
            )
            held.callback(self._connection.close)
            self._source = open_source(source, reading, self._connection)
            self._held = held.pop_all()

    @property
    def columns(self) -> Mapping[str, str]:
        """The source's columns."""
        return self._source.columns

    @property
    def ambiguous(self) -> frozenset[str]:
        """The names that several columns of the source have."""
        return self._source.ambiguous

    @property
    def usual_format(self) -> str:
        """CSV of CSV files, seen through a query or not, and Parquet of all else."""
        files = self._source.base if isinstance(self._source, QuerySource) else self._source
        return "csv" if isinstance(files, CsvSource) else "parquet"

    def expression(self, parameter: str, text: str) -> Expression:
        """Check an expression in DuckDB's SQL."""
        return parse(parameter, text, self.columns)

    def behind(self, names: Iterable[str]) -> frozenset[str]:
        """The names themselves, or what a query makes them of."""
        return (
            self._source.behind(names)
            if isinstance(self._source, QuerySource)
            else frozenset(names)
        )

    def filtered_by(self) -> frozenset[str]:
        """The columns in the WHERE of a query."""
        where = self._source.where if isinstance(self._source, QuerySource) else None
        return where.columns if where else frozenset()

    def sizes(self, question: Question) -> Counts:
        """Count rows of each group, reading public columns only."""
        sizes = self._materialised(self._attach(question, question.public), bits=False)
        return Counts(sizes=sizes, truth=_selected(len(question.by)))

    def count(self, question: Question) -> Counts:
        """Materialise the true counts, checked."""
        grouping = self._attach(
            question, tuple(dict.fromkeys((*question.public, *question.protected)))
        )
        sizes = self._materialised(grouping, bits=True)
        counts = [f"c{k}" for places in question.places for k in places]
        for place, (count, places) in enumerate(zip(question.counts, question.places, strict=True)):
            # LIMIT, here and below: whether there is one, whichever.
            if self._one(grouping, f"SELECT 1 FROM truth WHERE c{places[0]} IS NULL LIMIT 1"):
                row, why = self._one(grouping, grouping.first_bad(place))
                remedy = grouping.remedy(count, why)
                if grouping.types.get(column_read(count)) == "VARCHAR" and not isinstance(
                    self._source, CsvSource
                ):
                    remedy = empty_text_remedy(why, remedy)
                raise InvalidData(
                    column_read(count),
                    why,
                    row=row,
                    place=self._place(row),
                    column=True,
                    remedy=remedy,
                )
        self._source.check_unchanged()
        if question.cap:
            from discreet.tables.engines.duckdb.capped_rows import capped_truth

            return Counts(sizes=sizes, truth=capped_truth(question))
        return Counts(sizes=sizes, truth=_selected(len(question.by), counts))

    def coarser(self, counts: Counts, places: Sequence[int]) -> Counts:
        """Sum the counts that are materialised: the source is not read again."""
        from discreet.tables.engines.duckdb.level_sums import coarser

        return coarser(self._connection, counts, places)

    def nesting(self, counts: Counts, levels: Sequence[Sequence[int]]) -> pa.Table:
        """Number the groups of coarser levels."""
        from discreet.tables.engines.duckdb.level_sums import nesting

        return nesting(self._connection, counts, levels)

    def stream(
        self, counts: Counts, noise: Noise, *, release: str, tick: Callable[[int], None]
    ) -> pa.RecordBatchReader:
        """Draw while the counts stream past."""
        true = self._connection.sql(counts.truth).to_arrow_reader(BATCH)
        kept = [field.type for field in true.schema][: noise.kept]
        columns = zip(noise.columns, kept + noise.kinds, noise.words, strict=True)
        schema = pa.schema(
            [pa.field(name, kind, metadata={DESCRIPTION: words}) for name, kind, words in columns]
        )

        def drawn(batches: Iterable[pa.RecordBatch]) -> Generator[pa.RecordBatch]:
            for batch in batches:
                yield pa.RecordBatch.from_arrays(noise(batch), schema=schema)

        def ticked(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            done = 0
            try:
                for batch in batches:
                    yield batch
                    done += batch.num_rows
                    tick(done)
            except (DiscreetError, KeyboardInterrupt, MemoryError) as error:
                self._stopped_by = error
                raise

        if sum(counts.sizes.values()) <= BATCH:
            made: Generator[pa.RecordBatch] | _Ahead = drawn(true)
        # a thread reads the counts while another draws: tables are made while the first counts come
        else:
            read = _Ahead(true)
            self._held.callback(read.close)
            noise.make_ready()  # here: in a thread it would wait for Python, and Python for it
            made = _Ahead(drawn(read))
        self._held.callback(
            made.close
        )  # before the connection: whoever reads may have stopped half-way
        return pa.RecordBatchReader.from_batches(schema, ticked(made))

    def write(
        self, rows: pa.RecordBatchReader, folder: Path, name: str, format: str, *, groups: int
    ) -> None:
        """Draw, and write as the rows come."""
        try:
            copy_rows(
                self._connection.cursor(), rows, folder / name, format
            )  # the connection itself is busy reading
        except DiscreetError as error:
            problem = self._stopped_by or error  # DuckDB says of both that it could not write
        else:
            return
        raise problem

    def versions(self) -> dict[str, str]:
        """DuckDB and Arrow."""
        return {"duckdb": duckdb.__version__, "pyarrow": pa.__version__}

    def close(self) -> None:
        """Forget the true counts, in memory and on disk."""
        with contextlib.suppress(duckdb.Error):
            self._held.close()

    def _attach(self, question: Question, needed: tuple[str, ...]) -> Grouping:
        """Make the needed columns readable, and check their types."""
        if question.cap and isinstance(self._source, FrameSource):
            table = self._source.attach_by_value(self._connection, needed=needed)
        else:
            table = self._source.attach(self._connection, needed=needed, keys=question.key_columns)
        types = self._types(table, "source")
        if question.made:
            from discreet.tables.engines.duckdb.made_keys import with_made_keys

            table = with_made_keys(table, types, question.made)
            types = self._types(table, "by")
        check_kinds(question, types)
        key = self._order_key if question.cap else kept_people.PUBLIC_KEY
        grouping = Grouping(
            question=question, table=table, types=types, needed=needed, order_key=key
        )
        for expression in (each for count in question.counts for each in count.expressions):
            if expression.column is None and expression.columns <= types.keys():
                sql = f"DESCRIBE SELECT {expression.sql} FROM {grouping.aliased}"
                if self._described(sql, "count", expression, types)[0][1] != "BOOLEAN":
                    raise not_a_condition("count", expression.text)
        return grouping

    def _types(self, table: str, parameter: str) -> dict[str, str]:
        return {
            str(name): str(kind)
            for name, kind, *_ in self._described(f"DESCRIBE FROM {table}", parameter)
        }

    def _described(self, sql: str, parameter: str, *about: Any) -> list[tuple[Any, ...]]:
        """What a statement would return; `about`: an expression and the types, to say better why
        it does not.
        """
        try:
            return list(
                run(
                    lambda: self._connection.execute(sql).fetchall(),
                    parameter=parameter,
                    names_only=True,
                )
            )
        except InvalidInput as error:
            from discreet.tables.engines.duckdb.diagnosis import text_for_number

            problem = (
                text_for_number(self._source, self._connection, parameter, *about)
                if about
                else None
            ) or error
        raise problem

    def _materialised(self, grouping: Grouping, *, bits: bool) -> Sizes:
        """Compute the groups once, into the temporary table `truth`; return how many there are
        of each size.
        """
        question = grouping.question
        if question.where is not None:  # before rows are read by it
            bound = f"DESCRIBE SELECT 1 FROM {grouping.aliased} WHERE {question.where.sql}"
            self._described(bound, "where", question.where, grouping.types)
        if question.unit is not None and not question.cap:
            self._check_unit(grouping)
        if question.cap:
            from discreet.tables.engines.duckdb.capped_rows import capped_sql
            from discreet.tables.engines.duckdb.keys import key_kinds

            sql = capped_sql(grouping, key_kinds(self._connection, question), rows=bits)
        else:
            sql = (
                people_sql(grouping, bits=bits)
                if question.size is None
                else counts_sql(grouping, bits=bits)
            )
        self._described(f"DESCRIBE {sql}", "count" if bits else "source")
        if problem := self._failed(
            grouping, f"CREATE OR REPLACE TEMP TABLE truth AS {sql}", "source"
        ):
            raise self._blamed(grouping, bits=bits) or problem
        if question.size is not None:
            self._check_rows_are_groups(grouping)
        if question.keys is not None:
            from discreet.tables.engines.duckdb.keys import complete

            complete(self._connection, question)
        if question.smallest:
            from discreet.tables.engines.duckdb.small_groups import withhold

            withhold(self._connection, question)
        size = (
            f"CAST({question.cap} AS BIGINT)" if question.cap else "n"
        )  # with a cap, of the groups that were given
        rows = self._connection.execute(
            f"SELECT {size}, count(*) FROM truth GROUP BY 1 ORDER BY 1"
        ).fetchall()
        return {int(size): int(groups) for size, groups in rows}

    def _blamed(self, grouping: Grouping, *, bits: bool) -> DiscreetError | None:
        """The filter or count that fails when it alone is computed."""
        question = grouping.question
        asked = [("where", question.where)] + [
            ("by", expression) for _, expression in question.made
        ]
        asked += [
            ("count", each) for count in question.counts for each in count.expressions if bits
        ]
        for parameter, expression in asked:
            if expression is not None and expression.sql:
                alone = f"SELECT count({expression.sql}) FROM {grouping.aliased}"
                if problem := self._failed(grouping, alone, parameter):
                    return problem
        return None

    def _failed(self, grouping: Grouping, sql: str, parameter: str) -> DiscreetError | None:
        """Run a statement; return the error if the data do not allow it, else None."""
        try:
            self._rows(grouping, sql, parameter)
        except InvalidData as error:
            return error
        return None

    def _check_rows_are_groups(self, grouping: Grouping) -> None:
        if self._one(grouping, "SELECT 1 FROM truth WHERE n IS NULL LIMIT 1"):
            (row, _) = self._one(grouping, grouping.first_row(f"({grouping.size}) IS NULL"))
            raise InvalidData("size", SIZE, row=row, place=self._place(row))
        keys = [f"k{p}" for p in range(len(grouping.question.by))]
        # Rows that ascend are all different: looking at neighbours is much less work than grouping
        # once more.
        if keys and not self._one(grouping, out_of_order_sql(len(keys))):
            return
        by_key = f" GROUP BY {', '.join(keys)}" if keys else ""
        if self._one(grouping, f"SELECT 1 FROM truth{by_key} HAVING count(*) > 1 LIMIT 1"):
            raise repeated_group()

    def _check_unit(self, grouping: Grouping) -> None:
        question = grouping.question
        # Who these rows belong to, how many they are and in which groups they lie does not depend
        # on bits.
        rows, person = grouping.rows(bits=False), identifier(str(question.unit))
        if self._one(grouping, f"SELECT 1 FROM {rows} WHERE {person} IS NULL LIMIT 1"):
            (row, _) = self._one(grouping, grouping.first_row(f"{person} IS NULL"))
            raise no_person(row, self._place(row))
        most = question.contributions
        many = f"SELECT 1 FROM {rows} GROUP BY {person} HAVING count(*) > {most} LIMIT 1"
        if question.excess != "drop" and self._one(grouping, many):
            raise too_many_rows(most, str(question.unit))
        if question.step > 1 and question.by:
            keys = ", ".join(grouping.key(name) for name in question.by)
            groups = f"(SELECT DISTINCT {person}, {keys} FROM {rows}) AS t (person)"
            if self._one(
                grouping, f"SELECT 1 FROM {groups} GROUP BY person HAVING count(*) > 1 LIMIT 1"
            ):
                raise not_together()

    def _place(self, row: int) -> str:
        """How a row is named to a person who looks for it; of files, a query may have left out
        rows above it.
        """
        return (
            self._source.place(row) if isinstance(self._source, CsvSource | ParquetSource) else ""
        )

    def _one(self, grouping: Grouping, sql: str) -> Sequence[Any]:
        """Return the first row, or an empty one if there is none."""
        return next(iter(self._rows(grouping, sql)), ())

    def _rows(
        self, grouping: Grouping, sql: str, parameter: str = "source"
    ) -> list[tuple[Any, ...]]:
        """Run a statement that reads the source; if it fails, look for the reason in the source."""
        try:
            return list(run(lambda: self._connection.execute(sql).fetchall(), parameter=parameter))
        except InvalidData as error:
            problem = error
        raise self._source.problem(self._connection, grouping.needed) or problem
