"""A cap in Spark: one row of each person, at most so many people of each group, their answers counted.

See `engines.kept_people` for the order, and `asking.capping` for what it is good for. As in DuckDB (`capped_rows`),
nothing here can be broken by what a row holds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial, reduce
from typing import TYPE_CHECKING, Any

from pyspark.sql import Window
from pyspark.sql import functions as sf

from discreet.tables.engines import kept_people
from discreet.tables.engines.spark.spark_answers import answer_conditions
from discreet.tables.engines.spark.spark_grouping import bit_conditions, check_bits, column, key_columns

if TYPE_CHECKING:
    from discreet.tables.asking.question import Count, Question

_WHOLE = ("tinyint", "smallint", "int", "bigint")


def capped(source: Any, types: Mapping[str, str], question: Question, *, rows: bool) -> Any:
    """A lazy frame with a row for each group: k0, ..., n and c0, ..., of the people who are kept.

    Without `rows` nobody is looked at, for a plan.
    """
    unit = str(question.unit)
    if types[unit] not in ("string", *_WHOLE):
        raise kept_people.not_a_person(types[unit], unit)
    check_bits(question.counts if rows else (), types)
    chosen = source.where(sf.lit(False)) if not rows else source.where(column(unit).isNotNull())
    keys = [f"k{p}" for p in range(len(question.by))]
    answers = [f"a{q}" for q in range(len(question.counts))] if rows else []
    picked = [_answer(question, count, types).alias(f"a{q}") for q, count in enumerate(question.counts)] if rows else []
    people = chosen.select(column(unit).cast("string").alias("person"), *key_columns(types, question), *picked)
    first = Window.partitionBy("person").orderBy(*keys, *answers)
    hashed = sf.sha2(sf.concat(sf.lit(kept_people.order_key()), sf.col("person")), 256)
    among = Window.partitionBy(*keys).orderBy(hashed, "person")
    one = people.withColumn("place", sf.row_number().over(first)).where("place = 1")
    kept = one.withColumn("place", sf.row_number().over(among)).where(f"place <= {question.cap}")
    counts = [sf.count(sf.lit(1)).alias("n")]
    for q, places in enumerate(question.places if rows else ()):
        counts += [sf.count_if(sf.col(f"a{q}") == a).alias(f"c{place}") for a, place in enumerate(places[:-1])]
    return kept.groupBy(*keys).agg(*counts)


def capped_truth(truth: Any, question: Question) -> Any:
    """The true histograms: in every group as many places as the cap, those that nobody takes absent."""
    chosen = [sf.col(f"k{p}") for p in range(len(question.by))] + [sf.lit(question.cap).cast("bigint").alias("n")]
    for *answers, absent in question.places:
        chosen += [sf.col(f"c{place}") for place in answers]
        left = f"CAST({question.cap} AS BIGINT) - {' - '.join(f'c{place}' for place in answers)}"
        chosen.append(sf.expr(left).alias(f"c{absent}"))
    return truth.select(*chosen)


def _answer(question: Question, count: Count, types: Mapping[str, str]) -> Any:
    """The number of a row's answer."""
    assert count.answers is not None
    bit = partial(bit_conditions, question, types)
    if not count.answers.values:
        one, wrong = bit(count.expression)
        return sf.when(one | wrong if question.nulls == "1" else one, 0).otherwise(1)
    holds, _ = answer_conditions(replace(count.answers, names=count.answers.names[:-1]), types, bit)
    return reduce(lambda found, case: found.when(case[1], case[0]), enumerate(holds), sf.when(sf.lit(False), -1))
