"""Spark, for tables that outgrow a machine: grouping in Spark SQL, noise in `mapInArrow`, and always the same rows.

Spark evaluates lazily, retries and speculates, so nothing here may be drawn twice. The true counts are materialised
once by an eager local checkpoint, which cuts the lineage: if a block of it is lost the job fails, rather than counting
again a source that may have changed. The word of a group is a keyed function of its name (see `keys` and
`sampler.keyed`) under a fresh secret of this release alone, so a partition evaluated again gives the same rows, in
whatever order or place it is evaluated: ordering by key comes after the counts are materialised, and is Spark's.

The secret travels in the task closure, which Spark sends to the executors and never to a file of its own; a broadcast
would be written to one, and so would a closure above one megabyte. Mechanisms are public and may be large: they are
broadcast.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet
import pyspark
from pyspark.sql import functions as sf

from discreet.errors import InvalidData, InvalidInput
from discreet.sampler.keyed import ReleaseSecret
from discreet.tables.engines import Mechanisms, Sizes
from discreet.tables.engines.spark_expressions import guarded, parse_spark
from discreet.tables.engines.spark_grouping import column, completed, grouped, selected_rows
from discreet.tables.engines.spark_lineage import read_lineage
from discreet.tables.expressions import Expression
from discreet.tables.grouping import BITS_REMEDY
from discreet.tables.keys import encoding_sql, is_hashed_sql, name_sql
from discreet.tables.question import Question, too_many_rows
from discreet.tables.readings import Readings


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
        self._lineage = read_lineage(source)
        self._types = {field.name: field.dataType.simpleString() for field in source.schema.fields}
        self._truth: Any = None
        self._frame: Any = None
        self._groups = 0

    @property
    def columns(self) -> Mapping[str, str]:
        """The frame's columns and their Spark types."""
        return self._types

    def expression(self, parameter: str, text: str) -> Expression:
        """Check an expression in Spark's own SQL."""
        return parse_spark(parameter, text, self._source, self._lineage)

    def behind(self, names: Iterable[str]) -> frozenset[str]:
        """The attributes the columns are made of, as far as the frame's plan says so."""
        return self._lineage.behind(names)

    def filtered_by(self) -> frozenset[str]:
        """The attributes that filters of the frame's plan read."""
        return self._lineage.filters()

    def sizes(self, question: Question) -> Sizes:
        """Count rows of each group, reading public columns only."""
        self._materialise(question, bits=False)
        rows = guarded(lambda: self._truth.groupBy("n").count().collect())
        return dict(sorted((int(n), int(groups)) for n, groups in rows))

    def count(self, question: Question) -> Sizes:
        """Materialise the true counts, checked."""
        self._materialise(question, bits=True)
        # One job for sizes, broken rules and how many names are hashed: only those can meet another one.
        hashed = sf.count_if(sf.expr(is_hashed_sql(self._encoding(question))))
        bad = [sf.sum(f"b{k}") for k in range(len(question.counts))]
        found = guarded(lambda: self._truth.groupBy("n").agg(sf.count(sf.lit(1)), hashed, *bad).collect())
        for k, count in enumerate(question.counts):
            if any(row[3 + k] for row in found):  # which row has no answer here, and how many would be an exact count
                remedy = BITS_REMEDY if question.size is None else "correct the table"
                raise InvalidData(count.name, f"{_rule(question)}, in every row", column=True, remedy=remedy)
        if any(row[2] for row in found):
            self._check_names(question)
        self._groups = sum(int(row[1]) for row in found)
        return dict(sorted((int(row[0]), int(row[1])) for row in found))

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
        keys = [sf.col(field.name).asc_nulls_last() for field in kept]
        ordered = self._truth.orderBy(*keys) if keys else self._truth
        counts = [f"c{k}" for k in range(len(names))]
        encoded = ordered.select(
            *(field.name for field in kept), "n", *counts, sf.expr(self._encoding(question)).alias("e")
        )
        named = encoded.withColumn("e", sf.expr(name_sql("e")))
        self._frame = named.mapInArrow(noise, schema).toDF(*question.output_columns)

    def table(self) -> None:
        """Nothing: `frame` holds the rows, wherever they are."""

    def frame(self) -> Any:
        """The drawn frame."""
        return self._frame

    def write(self, folder: Path, format: str) -> str:
        """Evaluate and write, as a folder of Parquet parts in key order."""
        if format != "parquet":
            raise InvalidInput("format", "must be parquet with Spark", format)
        table = folder / "table.parquet"
        # not as_uri(): Hadoop takes a path as it stands, and would write %20 where it means a space
        guarded(lambda: self._frame.write.parquet(f"file://{table}"), parameter="output")
        self._frame = None  # and with it the secret
        if sum(pyarrow.parquet.read_metadata(part).num_rows for part in table.glob("*.parquet")) != self._groups:
            remedy = "choose a folder that the driver and all workers share"
            raise InvalidInput("output", "did not receive all rows from Spark's workers", remedy=remedy)
        return "table.parquet"

    def versions(self) -> dict[str, str]:
        """Spark, Java and Arrow."""
        java = self._session.sparkContext._jvm.System.getProperty("java.version")
        return {"pyspark": pyspark.__version__, "java": str(java), "pyarrow": pa.__version__}

    def close(self) -> None:
        """The session is the caller's."""

    def _materialise(self, question: Question, *, bits: bool) -> None:
        """Compute the groups once and keep them; what is checked afterwards is what is released."""
        self._check_unit(question)
        lazy = grouped(self._source, self._types, question, bits=bits)
        self._truth = guarded(lambda: lazy.localCheckpoint(eager=True))
        if question.size is not None:
            self._check_rows_are_groups(question)
        if question.keys is not None:
            whole = completed(self._session, self._truth, self._types, question)
            self._truth = guarded(lambda: whole.localCheckpoint(eager=True))

    def _encoding(self, question: Question) -> str:
        return encoding_sql([(f"k{p}", self._types[name]) for p, name in enumerate(question.by)])

    def _check_names(self, question: Question) -> None:
        """Two groups of one name would share their noise."""
        encoding = self._encoding(question)
        hashed = self._truth.where(is_hashed_sql(encoding)).select(sf.expr(name_sql(encoding)).alias("e"))
        groups, names = guarded(lambda: hashed.agg(sf.count("e"), sf.count_distinct("e")).collect())[0]
        if groups != names:
            raise InvalidInput("by", "has groups whose digests collide, so they would share their noise")

    def _check_rows_are_groups(self, question: Question) -> None:
        if guarded(lambda: self._truth.where("n IS NULL").limit(1).count()):
            raise InvalidData("size", "must be a whole number of at least 0, in every row")
        names = [f"k{p}" for p in range(len(question.by))]
        repeated = guarded(lambda: self._truth.groupBy(*names).count().where("count > 1").limit(1).count())
        if repeated:
            rule = "must tell the rows apart, and some key stands in more than one row"
            raise InvalidInput("by", rule, remedy="add the column that is missing from `by`, or sum them first")

    def _check_unit(self, question: Question) -> None:
        if question.unit is None:
            return
        rows, person = selected_rows(self._source, question), column(question.unit)
        if guarded(lambda: rows.where(person.isNull()).limit(1).count()):
            raise InvalidData("unit", "must not be NULL in any row, so that people can be told apart")
        if question.excess == "drop":
            return
        most = question.contributions
        if guarded(lambda: rows.groupBy(person).count().where(f"count > {most}").limit(1).count()):
            raise too_many_rows(most)


def _rule(question: Question) -> str:
    if question.size is not None:
        return "must be a whole number from 0 to its size"
    return "must be true or false, or 0 or 1" + (", and not NULL" if question.nulls == "refuse" else "")


def _noise(
    secret: bytes, release: str, names: Sequence[str], public: Any, keys: int
) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """What each task does with its batches: columns k..., n, c..., name in; k..., n and private counts out."""

    def noise(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        from discreet.tables.arrays import to_arrow, to_numpy
        from discreet.tables.keyed_drawing import KeyedDrawer

        mechanisms, readings = public.value
        drawers = [
            KeyedDrawer(by_size, secret=secret, release=release, count=name)
            for name, by_size in zip(names, mechanisms, strict=True)
        ]
        for batch in batches:
            sizes, group_names = to_numpy(batch.column(keys)), batch.column(batch.num_columns - 1)
            drawn: list[Any] = []
            for k, drawer in enumerate(drawers):
                outputs = drawer.draw(sizes, to_numpy(batch.column(keys + 1 + k)), group_names)
                drawn += [outputs] if readings is None else [outputs, *readings[k].columns(sizes, outputs)]
            out = [*batch.columns[: keys + 1], *map(to_arrow, drawn)]
            yield pa.RecordBatch.from_arrays(out, names=[f"v{place}" for place in range(len(out))])

    return noise
