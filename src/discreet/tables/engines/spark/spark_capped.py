"""A cap in Spark: one row of each person, at most so many people of each group, their answers counted.

See `engines.kept_people` for the order, and `asking.capping` for what it is good for. As in DuckDB (`capped_rows`),
nothing here can be broken by what a row holds.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any

from pyspark.sql import Window
from pyspark.sql import functions as sf

from discreet.tables.engines import kept_people
from discreet.tables.engines.spark.spark_grouping import bit_conditions, check_bit, column, key_columns
from discreet.tables.engines.values import check_answers, no_answers

if TYPE_CHECKING:
    from discreet.tables.asking.answers import Answers
    from discreet.tables.asking.question import Count, Question

_WHOLE = ("tinyint", "smallint", "int", "bigint")
_NUMBERS = (*_WHOLE, "float", "double", "decimal")


def capped(source: Any, types: Mapping[str, str], question: Question, *, rows: bool) -> Any:
    """A lazy frame with a row for each group: k0, ..., n and c0, ..., of the people who are kept.

    Without `rows` nobody is looked at, for a plan.
    """
    unit = str(question.unit)
    if types[unit] not in ("string", *_WHOLE):
        raise kept_people.not_a_person(types[unit], unit)
    chosen = source.where(sf.lit(False)) if not rows else source.where(column(unit).isNotNull())
    if question.where is not None:
        chosen = chosen.where(sf.expr(question.where.sql))
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
    if not count.answers.values:
        check_bit(count.expression, types)
        one, wrong = bit_conditions(question, types, count.expression)
        yes = one | wrong if question.nulls == "1" else one
        return sf.when(yes, 0).otherwise(1)
    found = None
    for place, holds in enumerate(_conditions(count.answers, types)):
        found = sf.when(holds, place) if found is None else found.when(holds, place)
    return found


def _conditions(answers: Answers, types: Mapping[str, str]) -> list[Any]:
    name = str(answers.column)
    kind, x = types[name], column(name)
    numbers, truths = kind.partition("(")[0] in _NUMBERS, kind == "boolean"
    check_answers(answers.values, name, kind, numbers=numbers, truths=truths)
    if kind not in ("string", "void", "boolean") and not numbers:
        raise no_answers(kind, name)
    values = [int(v) if numbers else v == "true" if truths else v for v in answers.values]
    x = x.cast("double") if kind == "float" else x.cast("string") if kind == "void" else x
    found = []
    for place, answer in enumerate(answers.names[:-1]):
        ways = [x == sf.lit(values[place])] if place < len(values) else []
        ways += [~x.isin(*values)] if answer == answers.other else []
        ways += [x.isNull()] if answer == answers.nulls else []
        found.append(reduce(or_, ways))
    return found
