"""Spark, for tables that outgrow a machine: grouping in Spark SQL, noise in `mapInArrow`, and always the same rows.

Spark evaluates lazily, retries and speculates, so nothing here may be drawn twice. The true counts are materialised
once by an eager local checkpoint, which cuts the lineage: if a block of it is lost the job fails, rather than counting
again a source that may have changed. The word of a group is a keyed function of its name (see `keys` and
`sampler.keyed`) under a fresh secret of this release alone, so a partition evaluated again gives the same rows.

The secret travels in the task closure, which Spark sends to the executors and never to a file of its own; a broadcast
would be written to one, and so would a closure above one megabyte. Mechanisms are public and may be large: they are
broadcast.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyspark
from pyspark.sql import functions as sf

from discreet.errors import InvalidData, InvalidInput
from discreet.sampler.keyed import ReleaseSecret
from discreet.tables.engines import Mechanisms, Sizes
from discreet.tables.engines.spark_expressions import guarded, parse_spark
from discreet.tables.expressions import Expression
from discreet.tables.keys import digest_sql, encodable
from discreet.tables.question import Count, Question
from discreet.tables.readings import Readings
from discreet.tables.sql import backquoted

_WHOLE = ("tinyint", "smallint", "int", "bigint")


class SparkEngine:
    """One release or plan over one Spark DataFrame."""

    name = "spark"

    def __init__(self, source: Any) -> None:
        if not hasattr(source, "_jdf"):
            rule = "must be a DataFrame of a classic Spark session"
            raise InvalidInput("source", rule, "Spark Connect", remedy="its plans cannot be checked from here")
        self._source, self._session = source, source.sparkSession
        names = [field.name for field in source.schema.fields]
        if len({name.casefold() for name in names}) < len(names):
            raise InvalidInput("source", "has two columns of one name (case does not tell them apart)")
        self._types = {field.name: field.dataType.simpleString() for field in source.schema.fields}
        self._truth: Any = None
        self._frame: Any = None

    @property
    def columns(self) -> Mapping[str, str]:
        """The frame's columns and their Spark types."""
        return self._types

    def expression(self, parameter: str, text: str) -> Expression:
        """Check an expression in Spark's own SQL."""
        return parse_spark(parameter, text, self._source, self._types)

    def behind(self, names: Sequence[str]) -> frozenset[str]:
        """The names themselves: what a frame was made of is its maker's."""
        return frozenset(names)

    def filtered_by(self) -> frozenset[str]:
        """Nothing that can be known."""
        return frozenset()

    def sizes(self, question: Question) -> Sizes:
        """Count rows of each group, reading public columns only."""
        self._check_unit(question)
        return self._sizes(self._grouped(question, bits=False))

    def count(self, question: Question) -> Sizes:
        """Materialise the true counts, ordered and checked."""
        self._check_unit(question)
        keys = [sf.col(f"k{p}").asc_nulls_last() for p in range(len(question.by))]
        grouped = self._grouped(question, bits=True)
        digest = digest_sql([(f"k{p}", self._types[name]) for p, name in enumerate(question.by)])
        named = grouped.withColumn("d", sf.expr(digest))
        self._truth = guarded(lambda: (named.orderBy(*keys) if keys else named).localCheckpoint(eager=True))
        # One job for sizes, broken rules and names: distinct short hashes settle that digests are distinct.
        bad = [sf.sum(f"b{k}") for k in range(len(question.counts))]
        facts = [sf.count(sf.lit(1)), sf.count_distinct(sf.xxhash64("d")), *bad]
        found = guarded(lambda: self._truth.groupBy("n").agg(*facts).collect())
        for k, count in enumerate(question.counts):
            if number := sum(row[3 + k] for row in found):
                raise InvalidData(count.name, f"{_rule(question)}, and {number} row(s) break that")
        if any(row[1] != row[2] for row in found):
            self._check_digests()
        return dict(sorted((int(row[0]), int(row[1])) for row in found))

    def _check_digests(self) -> None:
        """Two groups of one digest and size would share their noise."""
        groups, names = self._truth.agg(sf.count(sf.lit(1)), sf.count_distinct("n", "d")).collect()[0]
        if groups != names:
            raise InvalidInput("by", "has groups whose digests collide, so they would share their noise")

    def draw(
        self,
        question: Question,
        mechanisms: Mechanisms,
        readings: Sequence[Readings] | None,
        *,
        release: str,
        tick: Callable[[int], None],
    ) -> None:
        """Describe the drawn frame; rows are drawn when it is evaluated, each time the same."""
        names = [count.name for count in question.counts]
        public = self._session.sparkContext.broadcast(([dict(by_size) for by_size in mechanisms], readings))
        kept = [field for field in self._truth.schema.fields if field.name.startswith("k")]
        kinds = [field.dataType.simpleString() for field in kept] + ["bigint"]
        kinds += (["bigint"] if readings is None else ["bigint", "double", "bigint", "bigint"]) * len(names)
        schema = ", ".join(f"v{place} {kind}" for place, kind in enumerate(kinds))
        noise = _noise(ReleaseSecret.fresh().reveal(), release, names, public, len(kept))
        self._frame = self._truth.mapInArrow(noise, schema).toDF(*question.output_columns)

    def table(self) -> None:
        """Nothing: `frame` holds the rows, wherever they are."""

    def frame(self) -> Any:
        """The drawn frame."""
        return self._frame

    def write(self, folder: Path, format: str) -> str:
        """Evaluate and write, as a folder of Parquet parts in key order."""
        if format != "parquet":
            raise InvalidInput("format", "must be parquet with Spark", format)
        guarded(lambda: self._frame.write.parquet((folder / "table.parquet").as_uri()), parameter="output")
        self._frame = None  # and with it the secret
        return "table.parquet"

    def versions(self) -> dict[str, str]:
        """Spark, Java and Arrow."""
        java = self._session.sparkContext._jvm.System.getProperty("java.version")
        return {"pyspark": pyspark.__version__, "java": str(java), "pyarrow": pa.__version__}

    def close(self) -> None:
        """The session is the caller's."""

    def _rows(self, question: Question) -> Any:
        rows = self._source if question.where is None else self._source.where(sf.expr(question.where.sql))
        if question.unit is None or question.excess != "drop":
            return rows
        from pyspark.sql import Window

        # Which rows stay is decided by keys alone, never by bits.
        order = [_column(name) for name in question.by] or [sf.lit(1)]
        window = Window.partitionBy(_column(question.unit)).orderBy(*order)
        return rows.withColumn("discreet place", sf.row_number().over(window)).where(
            _column("discreet place") <= question.contributions
        )

    def _grouped(self, question: Question, *, bits: bool) -> Any:
        for name in question.by:
            if not encodable(self._types[name]):
                raise InvalidInput("by", f"must be a scalar column, and {self._types[name]} is not", name)
        rows, keys = (
            self._rows(question),
            [_key(name, self._types[name]).alias(f"k{p}") for p, name in enumerate(question.by)],
        )
        counts = question.counts if bits else ()
        if question.size is None:
            sums = [sf.count(sf.lit(1)).alias("n")]
            for k, count in enumerate(counts):
                one, wrong = self._bit(question, count)
                sums += [sf.count_if(one).alias(f"c{k}"), sf.count_if(wrong).alias(f"b{k}")]
            grouped = rows.groupBy(*keys).agg(*sums)
        else:
            grouped = self._given(question, rows, keys, counts)
        return grouped if question.keys is None else self._complete(question, grouped)

    def _bit(self, question: Question, count: Count) -> tuple[Any, Any]:
        """Two columns: that the bit is 1, and that it breaks a rule."""
        column = sf.expr(count.expression.sql) if count.column is None else _column(count.column)
        kind = "boolean" if count.column is None else self._types[count.column]
        if kind == "boolean":
            one, wrong = column, sf.lit(False)
        elif kind == "string":
            text = sf.lower(sf.trim(column))
            one, wrong = text.isin("1", "true"), ~text.isin("1", "true", "0", "false")
        else:
            one, wrong = column == 1, ~column.isin(0, 1)
        null = column.isNull()
        if question.nulls == "refuse":
            return one, null | wrong
        return (null | one if question.nulls == "1" else one), ~null & wrong

    def _given(self, question: Question, rows: Any, keys: list[Any], counts: Sequence[Count]) -> Any:
        """Counts level: every row is a group."""
        size = (
            _whole(question.size, self._types[question.size])
            if isinstance(question.size, str)
            else sf.lit(question.size).cast("bigint")
        )
        chosen = [*keys, size.alias("n")]
        for k, count in enumerate(counts):
            number = _whole(str(count.column), self._types[str(count.column)])
            wrong = sf.when(number <= size, 0).otherwise(1)
            chosen += [number.alias(f"c{k}"), wrong.alias(f"b{k}")]
        table = rows.select(*chosen)
        names = [f"k{p}" for p in range(len(keys))]
        repeated = guarded(lambda: table.groupBy(*names).count().where("count > 1").count())
        if repeated:
            raise InvalidInput("by", f"must tell the rows apart, and {repeated} key(s) stand in more than one row")
        if guarded(lambda: table.where("n IS NULL").limit(1).count()):
            raise InvalidInput("size", "must be a whole number of at least 0")
        return table

    def _complete(self, question: Question, grouped: Any) -> Any:
        """Bring the groups to the explicit key set."""
        places = range(len(question.by))
        given = self._session.createDataFrame(question.keys.rename_columns([f"g{p}" for p in places]))
        for p, name in enumerate(question.by):
            kind = dict(given.dtypes)[f"g{p}"]
            if (kind == "string") != (self._types[name] == "string"):
                raise InvalidInput(
                    "keys", f"must have the type of the source's column, {self._types[name]}, for {name}", kind
                )
            given = given.withColumn(f"g{p}", sf.col(f"g{p}").cast(dict(grouped.dtypes)[f"k{p}"]))
        if given.groupBy(*(f"g{p}" for p in places)).count().where("count > 1").limit(1).count():
            raise InvalidInput("keys", "must name each key once")
        same = [sf.col(f"k{p}").eqNullSafe(sf.col(f"g{p}")) for p in places]
        strangers = grouped.join(given, on=same, how="left_anti")
        if question.other_keys == "refuse" and (groups := guarded(strangers.count)):
            rule = f"has {groups} group(s) whose key is not in `keys`"
            raise InvalidInput("source", rule, remedy="add the keys, or leave those rows out with other_keys='drop'")
        if isinstance(question.size, int) and given.join(grouped, on=same, how="left_anti").limit(1).count():
            raise InvalidInput("keys", "names groups the source has no count for, and `size` says they are not empty")
        numbers = [name for name in grouped.columns if not name.startswith("k")]
        filled = [sf.coalesce(sf.col(name), sf.lit(0)).cast("bigint").alias(name) for name in numbers]
        return given.join(grouped, on=same, how="left").select(
            *(sf.col(f"g{p}").alias(f"k{p}") for p in places), *filled
        )

    def _check_unit(self, question: Question) -> None:
        if question.unit is None:
            return
        rows, person = self._rows(question), _column(question.unit)
        if unknown := guarded(lambda: rows.where(person.isNull()).count()):
            raise InvalidInput("unit", f"is NULL in {unknown} row(s), so these people cannot be told apart")
        most = question.contributions
        over = (
            0
            if question.excess == "drop"
            else guarded(lambda: rows.groupBy(person).count().where(f"count > {most}").count())
        )
        if over:
            remedy = "give contributions=k to pay for k rows each, and excess='drop' to keep k of them"
            raise InvalidInput(
                "unit", f"must have at most {most} row(s) each, and {over} people have more", remedy=remedy
            )

    def _sizes(self, groups: Any) -> Sizes:
        rows = guarded(lambda: groups.groupBy("n").count().collect())
        return {int(n): int(number) for n, number in sorted((row[0], row[1]) for row in rows)}


def _column(name: str) -> Any:
    return sf.col(backquoted(name))


def _key(name: str, kind: str) -> Any:
    """A key column in its one form: -0.0 is 0.0."""
    column = _column(name)
    return sf.when(column == 0, sf.lit(0.0).cast(kind)).otherwise(column) if kind in ("float", "double") else column


def _whole(name: str, kind: str) -> Any:
    """A column as a whole number of at least 0, or NULL."""
    column = _column(name)
    if kind in _WHOLE:
        return sf.when(column >= 0, column.cast("bigint"))
    if kind == "string":
        return sf.when(sf.trim(column).rlike("^[0-9]{1,18}$"), sf.expr(f"try_cast(trim({backquoted(name)}) AS bigint)"))
    return sf.when((column >= 0) & (column == sf.floor(column)), column.cast("bigint"))


def _rule(question: Question) -> str:
    if question.size is not None:
        return "must be a whole number from 0 to its size"
    return "must be true or false, or 0 or 1" + (", and not NULL" if question.nulls == "refuse" else "")


def _noise(
    secret: bytes, release: str, names: Sequence[str], public: Any, keys: int
) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """What each task does with its batches: columns k..., n, c..., d in; k..., n and private counts out."""

    def noise(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        from discreet.tables.arrays import to_arrow, to_numpy
        from discreet.tables.keyed_drawing import KeyedDrawer

        mechanisms, readings = public.value
        drawers = [
            KeyedDrawer(by_size, secret=secret, release=release, count=name)
            for name, by_size in zip(names, mechanisms, strict=True)
        ]
        for batch in batches:
            columns = {name: batch.column(place) for place, name in enumerate(batch.schema.names)}
            sizes = to_numpy(columns["n"])
            drawn: list[Any] = []
            for k, drawer in enumerate(drawers):
                outputs = drawer.draw(sizes, to_numpy(columns[f"c{k}"]), columns["d"])
                drawn += [outputs] if readings is None else [outputs, *readings[k].columns(sizes, outputs)]
            out = [*(columns[f"k{p}"] for p in range(keys)), columns["n"], *map(to_arrow, drawn)]
            yield pa.RecordBatch.from_arrays(out, names=[f"v{place}" for place in range(len(out))])

    return noise
