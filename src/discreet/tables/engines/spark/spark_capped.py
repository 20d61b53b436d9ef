"""A cap in Spark: one row of each person, at most so many people of each group, their answers
counted.

See `engines.kept_people` for the orders, and `asking.capping` for what they are good for. As in
DuckDB (`capped_rows`), nothing here can be broken by what a row holds.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial, reduce
from typing import TYPE_CHECKING, Any

from pyspark.sql import Window
from pyspark.sql import functions as sf

from discreet.tables.engines import kept_people
from discreet.tables.engines.spark.key_names import encodable
from discreet.tables.engines.spark.spark_answers import answer_conditions
from discreet.tables.engines.spark.spark_grouping import (
    bit_conditions,
    check_bits,
    column,
    one_zero,
    row_order,
)
from discreet.tables.engines.values import not_a_capped_key, not_a_key

if TYPE_CHECKING:
    from discreet.tables.asking.question import Count, Question

_WHOLE = ("tinyint", "smallint", "int", "bigint")


def capped(
    source: Any,
    types: Mapping[str, str],
    question: Question,
    kinds: Sequence[str],
    *,
    order_key: str,
    rows: bool,
) -> Any:
    """A lazy frame with a row for each group: k0, ..., n and c0, ..., of the people who are kept.

    The keys have the types `kinds`. Without `rows` nobody is looked at, for a plan.
    """
    unit = str(question.unit)
    if types[unit] not in ("string", *_WHOLE):
        raise kept_people.not_a_person(types[unit], unit)
    for name, kind in zip(question.by, kinds, strict=True):
        if not encodable(types[name]):
            raise not_a_key(types[name], name)
        if not encodable(kind) or kind == "binary":
            raise not_a_capped_key(kind, name)
    check_bits(question.counts if rows else (), types)
    chosen = source.where(sf.lit(False)) if not rows else source.where(column(unit).isNotNull())
    keys = [f"k{p}" for p in range(len(question.by))]
    answers = [f"a{q}" for q in range(len(question.counts))] if rows else []
    picked = (
        [_answer(question, count, types).alias(f"a{q}") for q, count in enumerate(question.counts)]
        if rows
        else []
    )
    values = [
        _key(column(name), types[name], kind).alias(key)
        for key, name, kind in zip(keys, question.by, kinds, strict=True)
    ]
    people = chosen.select(column(unit).cast("string").alias("person"), *values, *picked)
    # Both orders are total: of one person's rows up to interchangeable ones, of people by their
    # texts.
    own = row_order(
        order_key,
        sf.col("person"),
        [sf.col(key) for key in keys],
        [sf.col(each) for each in answers],
    )
    first = Window.partitionBy("person").orderBy(*own)
    hashed = sf.sha2(sf.concat(sf.lit(order_key), sf.col("person")), 256)
    among = Window.partitionBy(*keys).orderBy(hashed, "person")
    one = people.withColumn("place", sf.row_number().over(first)).where("place = 1")
    kept = one.withColumn("place", sf.row_number().over(among)).where(f"place <= {question.cap}")
    counts = [sf.count(sf.lit(1)).alias("n")]
    for q, places in enumerate(question.places if rows else ()):
        counts += [
            sf.count_if(sf.col(f"a{q}") == a).alias(f"c{place}")
            for a, place in enumerate(places[:-1])
        ]
    return kept.groupBy(*keys).agg(*counts)


def capped_truth(truth: Any, question: Question) -> Any:
    """The true histograms: in every group as many places as the cap, those that nobody takes
    absent.
    """
    chosen = [sf.col(f"k{p}") for p in range(len(question.by))] + [
        sf.lit(question.cap).cast("bigint").alias("n")
    ]
    for *answers, absent in question.places:
        chosen += [sf.col(f"c{place}") for place in answers]
        left = f"CAST({question.cap} AS BIGINT) - {' - '.join(f'c{place}' for place in answers)}"
        chosen.append(sf.expr(left).alias(f"c{absent}"))
    return truth.select(*chosen)


def _key(x: Any, source: str, kind: str) -> Any:
    """A key of the source as one of the type of `keys`, as `engines.values` says; NULL where it
    is none.
    """
    x = one_zero(x, source)
    if source == kind:
        return x
    text = x.cast("string")
    if source in ("float", "double"):
        double = x.cast("double")
        whole = sf.when(sf.rint(double) == double, double.try_cast("decimal(38,0)").cast("string"))
        text = sf.coalesce(whole, double.cast("string"))
    elif source.startswith("decimal"):
        text = sf.regexp_replace(text, r"\.0+$", "")
    if kind == "string":
        return text
    value = one_zero(text.try_cast(kind), kind)
    # In a wider type the text and the key are compared, because a cast rounds 1.5 to 2 and cuts the
    # hour off a date.
    wider = "string" if kind in (*_WHOLE, "boolean") else "timestamp_ntz" if kind == "date" else ""
    if decimal := re.fullmatch(r"decimal\((\d+),(\d+)\)", kind):
        wider = f"decimal(38,{38 - int(decimal[1]) + int(decimal[2])})"
    return sf.when(value.try_cast(wider) == text.try_cast(wider), value) if wider else value


def _answer(question: Question, count: Count, types: Mapping[str, str]) -> Any:
    """The number of a row's answer."""
    assert count.answers is not None
    bit = partial(bit_conditions, question, types)
    if not count.answers.values:
        one, wrong = bit(count.expression)
        return sf.when(one | wrong if question.nulls == "1" else one, 0).otherwise(1)
    holds, _ = answer_conditions(replace(count.answers, names=count.answers.names[:-1]), types, bit)
    return reduce(
        lambda found, case: found.when(case[1], case[0]),
        enumerate(holds),
        sf.when(sf.lit(False), -1),
    )
