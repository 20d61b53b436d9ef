"""Grouping in Spark: the frame of true counts a question asks for, and the key set it is brought
to.

Inside, names are k0, n, c0 and so on, whatever users call theirs. `c` is a true count (for each
answer of a question with several, one), `b` the number of rows of the group that break a rule of
that count or question. Nothing here is evaluated; the engine materialises and checks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial, reduce
from typing import Any

from pyspark.sql import Window
from pyspark.sql import functions as sf

from discreet.tables.asking.question import Count, Question
from discreet.tables.engines import Expression
from discreet.tables.engines.spark.key_names import encodable
from discreet.tables.engines.spark.spark_expressions import backquoted, guarded
from discreet.tables.engines.values import (
    ONE,
    ZERO,
    key_lost,
    key_of_other_type,
    missing_counts,
    not_a_key,
    not_bits,
    other_groups,
    repeated_key,
)

_WHOLE = ("tinyint", "smallint", "int", "bigint")


def column(name: str) -> Any:
    """A column of the source, whatever it is called."""
    return sf.col(backquoted(name))


def selected_rows(
    source: Any, types: Mapping[str, str], question: Question, *, order_key: str, bits: bool
) -> Any:
    """The rows that are grouped: filtered, and at most `contributions` of each person where the
    excess is dropped.
    """
    rows = source if question.where is None else source.where(sf.expr(question.where.sql))
    if question.unit is None or question.excess != "drop":
        return rows
    person, keys = (
        column(question.unit),
        [one_zero(column(name), types[name]) for name in question.by],
    )
    # Where no bits are read, a person's rows of one group are interchangeable.
    answers = _additions(question, types) if bits else []
    # The order is total up to interchangeable rows (`engines.kept_people`).
    window = Window.partitionBy(person).orderBy(*row_order(order_key, person, keys, answers))
    place = "discreet place"
    while place in source.columns:
        place += "'"
    return rows.withColumn(place, sf.row_number().over(window)).where(
        column(place) <= question.contributions
    )


def row_order(
    order_key: str, person: Any, keys: Sequence[Any], answers: Sequence[Any]
) -> list[Any]:
    """The order of one person's rows, as `engines.kept_people` defines it, and DuckDB's where
    texts agree.
    """
    texts = [sf.lit(order_key), *(each.cast("string") for each in (person, *keys, *answers))]
    by_keys, by_answers = (
        sf.sha2(sf.concat_ws("", *some), 256) for some in (texts[: 2 + len(keys)], texts)
    )
    return [by_keys, *(key.asc_nulls_last() for key in keys), by_answers, *answers]


def _additions(question: Question, types: Mapping[str, str]) -> list[Any]:
    """For each count what a row adds to it, as a number: the place of its answer, or that it
    breaks a rule.
    """
    numbers = []
    for count in question.counts:
        ones, wrong = _conditions(question, count, types)
        cases = reduce(
            lambda case, one: case.when(one[1], one[0]), enumerate(ones), sf.when(wrong, -2)
        )
        numbers.append(cases.otherwise(-1))
    return numbers


def grouped(
    source: Any, types: Mapping[str, str], question: Question, *, order_key: str, bits: bool
) -> Any:
    """A lazy frame with a row for each group: k0, ..., n and, when bits may be read, c0, b0, ..."""
    keys = key_columns(types, question)
    rows = selected_rows(source, types, question, order_key=order_key, bits=bits)
    counts = question.counts if bits else ()
    check_bits(counts, types)
    if question.size is not None:
        return rows.select(*keys, *_given(question, types, counts))
    sums = [sf.count(sf.lit(1)).alias("n")]
    for k, (count, places) in enumerate(zip(counts, question.places, strict=False)):
        ones, wrong = _conditions(question, count, types)
        sums += [
            sf.count_if(one).alias(f"c{place}") for one, place in zip(ones, places, strict=True)
        ]
        sums.append(sf.count_if(wrong).alias(f"b{k}"))
    return rows.groupBy(*keys).agg(*sums)


def check_bits(counts: Sequence[Count], types: Mapping[str, str]) -> None:
    """Refuse columns that hold neither bits nor counts, by their types."""
    for expression in (each for count in counts for each in count.expressions):
        kind = "boolean" if expression.column is None else types[expression.column]
        if kind.partition("(")[0] not in (
            *_WHOLE,
            "boolean",
            "float",
            "double",
            "decimal",
            "string",
            "void",
        ):
            raise not_bits(kind, expression.column)


def _conditions(
    question: Question, count: Count, types: Mapping[str, str]
) -> tuple[list[Any], Any]:
    """That a row counts, for a bit or for each answer, and that it breaks a rule."""
    bit = partial(bit_conditions, question, types)
    if count.given is None:
        one, wrong = bit(count.expression)
        return [one], wrong
    from discreet.tables.engines.spark.spark_answers import answer_conditions

    ones, wrong = answer_conditions(count.given, types, bit)
    return ones[: len(count.outputs)], wrong


def key_columns(types: Mapping[str, str], question: Question) -> list[Any]:
    """The key columns in their one form, as k0 and so on."""
    for name in question.by:
        if not encodable(types[name]):
            raise not_a_key(types[name], name)
    return [
        one_zero(column(name), types[name]).alias(f"k{p}") for p, name in enumerate(question.by)
    ]


def one_zero(key: Any, kind: str) -> Any:
    """A key column in its one form: -0.0 is 0.0."""
    return (
        sf.when(key == 0, sf.lit(0.0).cast(kind)).otherwise(key)
        if kind in ("float", "double")
        else key
    )


def bit_conditions(
    question: Question, types: Mapping[str, str], expression: Expression
) -> tuple[Any, Any]:
    """Two conditions: that the bit is 1, and that it breaks a rule."""
    bit = sf.expr(expression.sql) if expression.column is None else column(expression.column)
    kind = "boolean" if expression.column is None else types[expression.column]
    if kind == "boolean":
        one, wrong = bit, sf.lit(False)
    elif kind == "string":
        text = sf.lower(sf.trim(bit))
        one, wrong = text.isin(*ONE), ~text.isin(*ONE, *ZERO)
    else:
        one, wrong = bit == 1, ~bit.isin(0, 1)
    null = bit.isNull()
    if question.nulls == "refuse":
        return one, null | wrong
    return (null | one if question.nulls == "1" else one), ~null & wrong


def _given(question: Question, types: Mapping[str, str], counts: Sequence[Count]) -> list[Any]:
    """Counts level: every row is a group, with its size and counts as they are given."""
    if isinstance(question.size, str):
        size = _whole(question.size, types[question.size])
    else:
        size = sf.lit(question.size).cast("bigint")
    chosen = [size.alias("n")]
    for k, (count, places) in enumerate(zip(counts, question.places, strict=False)):
        if count.given is None:
            numbers = [_whole(str(count.column), types[str(count.column)])]
            wrong = sf.when(numbers[0] <= size, 0).otherwise(1)
        else:
            from discreet.tables.engines.spark.spark_answers import answer_numbers

            numbers, wrong = answer_numbers(
                count.given, size, lambda name: _whole(name, types[name])
            )
            numbers = numbers[: len(places)]
        chosen += [number.alias(f"c{place}") for number, place in zip(numbers, places, strict=True)]
        chosen.append(wrong.alias(f"b{k}"))
    return chosen


def _whole(name: str, kind: str) -> Any:
    """A column as a whole number of at least 0, or NULL."""
    number = column(name)
    if kind == "string":
        digits = sf.trim(number).rlike("^[0-9]{1,18}$")
        return sf.when(digits, sf.expr(f"try_cast(trim({backquoted(name)}) AS bigint)"))
    # not by floor(), which fails the job for infinity
    whole = sf.expr(f"try_cast({backquoted(name)} AS bigint)")
    return whole if kind == "boolean" else sf.when((whole >= 0) & (whole == number), whole)


def key_set(session: Any, question: Question) -> Any:
    """The explicit keys as a frame; its types are with a cap those of the published keys."""
    given = session.createDataFrame(
        question.keys.rename_columns([f"g{p}" for p in range(len(question.by))])
    )
    texts = {name: sf.col(name).cast("string") for name, kind in given.dtypes if kind == "void"}
    return given.withColumns(texts) if texts and question.cap else given


def completed(given: Any, truth: Any, types: Mapping[str, str], question: Question) -> Any:
    """The groups of `truth` brought to the explicit key set: every key once, empty groups too,
    no others.
    """
    places = range(len(question.by))
    for p, name in enumerate(question.by):
        kind = dict(given.dtypes)[f"g{p}"]
        if (kind == "string") != (types[name] == "string"):
            raise key_of_other_type(types[name], name, kind)
        key = sf.expr(f"try_cast(g{p} AS {types[name]})")
        lost = given.where(~key.cast(kind).eqNullSafe(sf.col(f"g{p}")))
        # A limit, here and below: whether there is one, whichever.
        if guarded(lost.limit(1).count, parameter="keys"):
            raise key_lost(types[name], name, kind)
        given = given.withColumn(f"g{p}", one_zero(key, types[name]))
    if guarded(
        lambda: given.groupBy(*given.columns).count().where("count > 1").limit(1).count(),
        parameter="keys",
    ):
        raise repeated_key()
    same = [sf.col(f"k{p}").eqNullSafe(sf.col(f"g{p}")) for p in places]
    strangers = truth.join(given, on=same, how="left_anti")
    if question.other_keys == "refuse" and guarded(strangers.limit(1).count):
        raise other_groups()
    if isinstance(question.size, int) and guarded(
        given.join(truth, on=same, how="left_anti").limit(1).count
    ):
        raise missing_counts()
    numbers = [name for name in truth.columns if not name.startswith("k")]
    filled = [sf.coalesce(sf.col(name), sf.lit(0)).cast("bigint").alias(name) for name in numbers]
    return given.join(truth, on=same, how="left").select(
        *(sf.col(f"g{p}").alias(f"k{p}") for p in places), *filled
    )
