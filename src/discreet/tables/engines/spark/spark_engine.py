"""Spark, for tables that outgrow a machine: grouping in Spark SQL, noise in `mapInArrow`, and
always the same rows.

Spark evaluates lazily, retries and speculates, so nothing here may be drawn twice. The true counts
are materialised once by an eager local checkpoint, which cuts the lineage: if a block of it is lost
the job fails, rather than counting again a source that may have changed. The word of a group is a
keyed function of its name (see `key_names` and `sampler.keyed`) under a fresh secret of this
release alone, so a partition evaluated again gives the same rows, in whatever order or place it is
evaluated: ordering by key comes after the counts are materialised, and is Spark's.

The secret travels in the task closure, which Spark sends to the executors and never to a file of
its own; a broadcast would be written to one, and so would a closure above one megabyte. Mechanisms
are public and may be large: they are broadcast.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet
import pyspark
from pyspark.sql import functions as sf

from discreet.errors import InvalidData, InvalidInput
from discreet.sampler.keyed import ReleaseSecret
from discreet.tables.asking.question import Count, Question
from discreet.tables.asking.smallest_groups import too_few_people
from discreet.tables.engines import Counts, Expression, kept_people
from discreet.tables.engines.empty_texts import Empty, read_options
from discreet.tables.engines.spark.key_names import (
    any_hashed_sql,
    encoding_sql,
    is_hashed_sql,
    name_sql,
    named_when_drawn,
)
from discreet.tables.engines.spark.keyed_noise import keyed
from discreet.tables.engines.spark.lineage import read_lineage
from discreet.tables.engines.spark.spark_expressions import backquoted, guarded, parse_spark
from discreet.tables.engines.spark.spark_grouping import (
    column,
    completed,
    grouped,
    key_columns,
    key_set,
    selected_rows,
)
from discreet.tables.engines.spark.spark_levels import group_sizes, numbered, sums_by
from discreet.tables.engines.spark.spark_small_groups import withheld
from discreet.tables.engines.values import (
    BIT,
    COUNTS_REMEDY,
    SIZE,
    bits_remedy,
    column_read,
    empty_text_remedy,
    no_person,
    not_together,
    repeated_group,
    too_many_rows,
)

if TYPE_CHECKING:
    from discreet.tables.noise import Noise

_ONE_PART = 20_000
"""Groups up to which a coarser level is drawn and written as one part, such as regions beside
clinics.
"""

_KINDS = {pa.int64(): "bigint", pa.float64(): "double"}


class SparkEngine:
    """One release or plan over one Spark DataFrame."""

    name = "spark"
    formats: tuple[str, ...] = ("parquet",)
    """A folder of parts in key order, which no spreadsheet opens."""
    usual_format = "parquet"

    def __init__(self, source: Any, read: Mapping[str, Any] | None = None) -> None:
        if not hasattr(source, "_jdf"):
            rule = "must be a DataFrame of a classic Spark session"
            raise InvalidInput(
                "source", rule, "Spark Connect", remedy="its plans cannot be checked from here"
            )
        self._session, self._order_key = source.sparkSession, kept_people.order_key()
        times = Counter(field.name.casefold() for field in source.schema.fields)
        self._ambiguous = frozenset(
            field.name for field in source.schema.fields if times[field.name.casefold()] > 1
        )
        self._source = source = _without_empty(source, read_options(read))
        self._lineage = read_lineage(source)
        self._types = {field.name: field.dataType.simpleString() for field in source.schema.fields}

    @property
    def columns(self) -> Mapping[str, str]:
        """The frame's columns and their Spark types."""
        return self._types

    @property
    def ambiguous(self) -> frozenset[str]:
        """The names that several columns of the frame have, in whatever case."""
        return self._ambiguous

    def expression(self, parameter: str, text: str) -> Expression:
        """Check an expression in Spark's own SQL."""
        return parse_spark(parameter, text, self._source, self._lineage)

    def behind(self, names: Iterable[str]) -> frozenset[str]:
        """The attributes the columns are made of, as far as the frame's plan says so."""
        return self._lineage.behind(names)

    def filtered_by(self) -> frozenset[str]:
        """The attributes that filters of the frame's plan read."""
        return self._lineage.filters()

    def sizes(self, question: Question) -> Counts:
        """Count rows of each group, reading public columns only."""
        truth = self._materialised(question, bits=False)
        sizes = {question.cap: int(guarded(truth.count))} if question.cap else group_sizes(truth)
        return Counts(sizes=sizes, truth=truth)

    def count(self, question: Question) -> Counts:
        """Materialise the true counts, checked."""
        truth = self._materialised(question, bits=True)
        if question.cap:
            return self._capped(question, truth)
        # One job for sizes, broken rules and how many names are hashed: only those can meet another
        # one.
        hashed = sf.count_if(sf.expr(any_hashed_sql(_typed_keys(truth))))
        bad = [sf.sum(f"b{k}") for k in range(len(question.counts))]
        found = guarded(lambda: truth.groupBy("n").agg(sf.count(sf.lit(1)), hashed, *bad).collect())
        for k, count in enumerate(question.counts):
            if any(
                row[3 + k] for row in found
            ):  # which row has no answer here, and how many would be an exact count
                rule, remedy = _rule(question, count)
                raise InvalidData(
                    column_read(count), f"{rule}, in every row", column=True, remedy=remedy
                )
        if any(row[2] for row in found):
            _check_names(truth)
        sizes = dict(sorted((int(row[0]), int(row[1])) for row in found))
        counts = [f"c{k}" for places in question.places for k in places]
        return Counts(
            sizes=sizes, truth=truth.select(*(field.name for field in _keys(truth)), "n", *counts)
        )

    def _capped(self, question: Question, truth: Any) -> Counts:
        from discreet.tables.engines.spark.spark_capped import capped_truth

        hashed, groups = guarded(
            lambda: truth.agg(
                sf.count_if(sf.expr(any_hashed_sql(_typed_keys(truth)))), sf.count(sf.lit(1))
            ).collect()
        )[0]
        if hashed:
            _check_names(truth)
        return Counts(sizes={question.cap: int(groups)}, truth=capped_truth(truth, question))

    def coarser(self, counts: Counts, places: Sequence[int]) -> Counts:
        """Sum the counts that are materialised: the source is not read again."""
        truth = sums_by(counts.truth, places)
        return Counts(sizes=group_sizes(truth), truth=truth)

    def nesting(self, counts: Counts, levels: Sequence[Sequence[int]]) -> pa.Table:
        """Number the groups of coarser levels, and bring that to the driver."""
        return guarded(lambda: numbered(counts.truth, levels).toArrow())

    def stream(
        self, counts: Counts, noise: Noise, *, release: str, tick: Callable[[int], None]
    ) -> Any:
        """Describe the drawn frame; rows are drawn when it is evaluated, each time the same."""
        keys = _keys(counts.truth)
        kinds = [field.dataType.simpleString() for field in keys] + ["bigint"] * (
            noise.kept - noise.keys
        )
        kinds += [_KINDS[kind] for kind in noise.kinds]
        schema = ", ".join(f"v{place} {kind}" for place, kind in enumerate(kinds))
        order = [sf.col(field.name).asc_nulls_last() for field in keys]
        ordered = counts.truth.orderBy(*order) if order else counts.truth
        if noise.level and sum(counts.sizes.values()) <= _ONE_PART:
            # a few groups of a coarser level need no look at their keys to be cut into parts, and
            # no exchange
            ordered = counts.truth.coalesce(1)
            ordered = ordered.sortWithinPartitions(*order) if order else ordered
        named = not named_when_drawn([kind for _, kind in _typed_keys(counts.truth)])
        draw = keyed(
            self._session.sparkContext.broadcast(noise),
            ReleaseSecret.fresh().reveal(),
            release,
            named=named,
        )
        if named:
            encoded = ordered.withColumn("e", sf.expr(encoding_sql(_typed_keys(counts.truth))))
            ordered = encoded.withColumn("e", sf.expr(name_sql("e")))
        drawn = ordered.mapInArrow(draw, schema)
        told = zip(drawn.columns, noise.columns, noise.words, strict=True)
        return drawn.select(
            *(sf.col(place).alias(name, metadata={"comment": words}) for place, name, words in told)
        )

    def write(self, rows: Any, folder: Path, name: str, format: str, *, groups: int) -> None:
        """Evaluate and write, as a folder of Parquet parts."""
        table = folder / name
        # not as_uri(): Hadoop takes a path as it stands, and would write %20 where it means a space
        guarded(lambda: rows.write.parquet(f"file://{table}"), parameter="output")
        if (
            sum(pyarrow.parquet.read_metadata(part).num_rows for part in table.glob("*.parquet"))
            != groups
        ):
            remedy = "choose a folder that the driver and all workers share"
            raise InvalidInput(
                "output", "did not receive all rows from Spark's workers", remedy=remedy
            )

    def versions(self) -> dict[str, str]:
        """Spark, Java and Arrow."""
        java = self._session.sparkContext._jvm.System.getProperty("java.version")
        return {"pyspark": pyspark.__version__, "java": str(java), "pyarrow": pa.__version__}

    def close(self) -> None:
        """The session is the caller's."""

    def _materialised(self, question: Question, *, bits: bool) -> Any:
        """Compute the groups once and keep them; what is checked afterwards is what is released."""
        source, types = self._with_made_keys(question)
        if question.cap:
            from discreet.tables.engines.spark.spark_capped import capped

            kinds = [kind for _, kind in key_set(self._session, question).dtypes]
            lazy = capped(source, types, question, kinds, order_key=self._order_key, rows=bits)
            types = dict(zip(question.by, kinds, strict=True))
        else:
            self._check_unit(source, types, question)
            lazy = grouped(source, types, question, order_key=kept_people.PUBLIC_KEY, bits=bits)
        truth = guarded(lambda: lazy.localCheckpoint(eager=True))
        if question.size is not None:
            _check_rows_are_groups(truth, question)
        if question.keys is not None:
            whole = completed(key_set(self._session, question), truth, types, question)
            truth = guarded(lambda: whole.localCheckpoint(eager=True))
        if question.smallest:
            merged = withheld(truth, question)
            truth = guarded(lambda: merged.localCheckpoint(eager=True))
            # A limit: whether there is one, whichever.
            if guarded(truth.where(f"n > 0 AND n < {question.smallest}").limit(1).count):
                raise too_few_people(question.smallest)
        return truth

    def _with_made_keys(self, question: Question) -> tuple[Any, Mapping[str, str]]:
        """The frame with the keys that are made of its columns, and the types of all."""
        if not question.made:
            return self._source, self._types
        made = [
            sf.expr(each.sql or backquoted(str(each.column))).alias(name)
            for name, each in question.made
        ]
        source = guarded(lambda: self._source.select("*", *made), parameter="by")
        return source, {field.name: field.dataType.simpleString() for field in source.schema.fields}

    def _check_unit(self, source: Any, types: Mapping[str, str], question: Question) -> None:
        if question.unit is None:
            return
        # Who these rows belong to, how many they are and in which groups they lie does not depend
        # on bits.
        rows = selected_rows(source, types, question, order_key=kept_people.PUBLIC_KEY, bits=False)
        person = column(question.unit)
        # A limit, here and below: whether there is one, whichever.
        if guarded(lambda: rows.where(person.isNull()).limit(1).count()):
            raise no_person()
        most = question.contributions
        many = rows.groupBy(person).count().where(f"count > {most}")
        if question.excess != "drop" and guarded(many.limit(1).count):
            raise too_many_rows(most, question.unit)
        if question.step > 1:
            keys = key_columns(types, question)
            groups = rows.select(person.alias("person"), *keys).distinct().groupBy("person").count()
            if guarded(groups.where("count > 1").limit(1).count):
                raise not_together()


def _without_empty(source: Any, empty: Empty) -> Any:
    """The frame in which empty texts are NULL, where they are declared to be missing."""
    types = {field.name: field.dataType.simpleString() for field in source.schema.fields}
    empty.check(types)
    texts = empty.among(types, lambda kind: kind == "string")
    return (
        source.withColumns({name: sf.nullif(column(name), sf.lit("")) for name in texts})
        if texts
        else source
    )


def _keys(truth: Any) -> list[Any]:
    return [field for field in truth.schema.fields if field.name.startswith("k")]


def _typed_keys(truth: Any) -> list[tuple[str, str]]:
    return [(field.name, field.dataType.simpleString()) for field in _keys(truth)]


def _check_names(truth: Any) -> None:
    """Two groups of one name would share their noise."""
    encoding = encoding_sql(_typed_keys(truth))
    hashed = truth.where(is_hashed_sql(encoding)).select(sf.expr(name_sql(encoding)).alias("e"))
    groups, names = guarded(lambda: hashed.agg(sf.count("e"), sf.count_distinct("e")).collect())[0]
    if groups != names:
        raise InvalidInput(
            "by", "has groups whose digests collide, so they would share their noise"
        )


def _check_rows_are_groups(truth: Any, question: Question) -> None:
    # A limit, here and below: whether there is one, whichever.
    if guarded(lambda: truth.where("n IS NULL").limit(1).count()):
        raise InvalidData("size", f"{SIZE}, in every row")
    names = [f"k{p}" for p in range(len(question.by))]
    if guarded(lambda: truth.groupBy(*names).count().where("count > 1").limit(1).count()):
        raise repeated_group()


def _rule(question: Question, count: Count) -> tuple[str, str]:
    """The rule that some row breaks, and what to do about it."""
    if count.given is not None:
        from discreet.tables.engines.spark.spark_answers import answer_rule

        return answer_rule(count, count.given, question.nulls, sized=question.size is not None)
    if question.size is not None:
        return "must be a whole number from 0 to its size", COUNTS_REMEDY
    remedy = empty_text_remedy(BIT, bits_remedy(count.column))
    return BIT + (", and not NULL" if question.nulls == "refuse" else ""), remedy
