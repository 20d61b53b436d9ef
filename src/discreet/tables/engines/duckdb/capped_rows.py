"""The SQL of a cap for DuckDB: one row of each person, at most so many people of each group, their
answers counted.

See `engines.kept_people` for the orders, and `asking.capping` for what they are good for. Nothing
here can be broken by what a row holds: a bit that is none counts as a missing one, and both as
`nulls` says; a key that is none of the type of `keys` is missing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from discreet.tables.engines import kept_people
from discreet.tables.engines.duckdb.answer_columns import answer_conditions
from discreet.tables.engines.duckdb.connection import identifier, literal
from discreet.tables.engines.values import not_a_capped_key

if TYPE_CHECKING:
    from discreet.tables.asking.question import Count, Question
    from discreet.tables.engines.duckdb.grouping import Grouping

_PEOPLE = re.compile(r"VARCHAR|UUID|ENUM.*|U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?")

_WHOLE = re.compile(r"BOOLEAN|U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?")
_KEYS = re.compile(_WHOLE.pattern + r"|FLOAT|DOUBLE|DECIMAL\(.*\)|VARCHAR|DATE|TIME.*|UUID")
_DECIMAL = re.compile(r"DECIMAL\((\d+),(\d+)\)")


def capped_sql(grouping: Grouping, kinds: Sequence[str], *, rows: bool) -> str:
    """Group the people who are kept by keys of these types: how many have each answer.

    Without `rows` nobody is looked at, for a plan.
    """
    question = grouping.question
    unit = str(question.unit)
    if not _PEOPLE.fullmatch(grouping.types[unit]):
        raise kept_people.not_a_person(grouping.types[unit], unit)
    for name, kind in zip(question.by, kinds, strict=True):
        if kind.endswith("]") or not _KEYS.fullmatch(kind):
            raise not_a_capped_key(kind, name)
    keys = [f"k{p}" for p in range(len(question.by))]
    answers = [f"a{q}" for q in range(len(question.counts))] if rows else []
    chosen = [f"CAST({identifier(unit)} AS VARCHAR)"]
    chosen += [_key(grouping, name, kind) for name, kind in zip(question.by, kinds, strict=True)]
    chosen += [_answer(grouping, count) for count in question.counts] if rows else []
    selected = f"({identifier(unit)} IS NOT NULL)" if rows else "false"
    people = f"(SELECT {', '.join(chosen)} FROM {grouping.aliased} WHERE {selected})"
    people += f" AS t (person, {', '.join([*keys, *answers])})"
    # Both orders are total: of one person's rows up to interchangeable ones, of people by their
    # texts.
    first = (
        "row_number() OVER (PARTITION BY person ORDER BY "
        f"{grouping.row_order('person', keys, answers)}) = 1"
    )
    order = f"sha256(concat({literal(grouping.order_key)}, person)), person"
    kept = f"row_number() OVER (PARTITION BY {', '.join(keys)} ORDER BY {order}) <= {question.cap}"
    counts = []
    for q, places in enumerate(question.places if rows else ()):
        counts += [
            f"count(*) FILTER (WHERE a{q} = {a}) AS c{place}" for a, place in enumerate(places[:-1])
        ]
    listed = ", ".join(keys)
    return (
        f"SELECT {', '.join([*keys, 'count(*) AS n', *counts])} FROM (FROM (FROM {people} QUALIFY "
        f"{first}) QUALIFY {kept}) GROUP BY {listed} ORDER BY {listed}"
    )


def capped_truth(question: Question) -> str:
    """The true histograms: in every group as many places as the cap, those that nobody takes
    absent.
    """
    chosen = [f"k{p}" for p in range(len(question.by))] + [f"CAST({question.cap} AS BIGINT) AS n"]
    for *answers, absent in question.places:
        chosen += [f"c{place}" for place in answers]
        chosen.append(
            f"CAST({question.cap} AS BIGINT) - {' - '.join(f'c{place}' for place in answers)} AS "
            f"c{absent}"
        )
    return f"SELECT {', '.join(chosen)} FROM truth"


def _key(grouping: Grouping, name: str, kind: str) -> str:
    """A key of the source as one of the type of `keys`, as `engines.values` says; NULL where it
    is none.
    """
    x, source = grouping.key(name), grouping.types[name]
    # DuckDB fails where it writes a moment beyond its years or a time beyond a day, which Arrow can
    # hold.
    for prefix, first, last in (
        ("TIMESTAMP", "0001-01-01", "9999-12-31 23:59:59"),
        ("TIME", "00:00:00", "24:00:00"),
    ):
        if source.startswith(prefix):
            ends = (f"TRY_CAST('{end}' AS {source})" for end in (first, last))
            # Without ends in nanoseconds, of which there are none beyond DuckDB's years.
            x = f"CASE WHEN ({x} BETWEEN {' AND '.join(ends)}) IS NOT FALSE THEN {x} END"
            break
    if source == kind:
        return x
    text = f"TRY_CAST({x} AS VARCHAR)"
    if source in ("FLOAT", "DOUBLE"):
        double = f"CAST({x} AS DOUBLE)"
        whole = f"isfinite({double}) AND {double} = trunc({double})"
        text = f"CASE WHEN {whole} THEN printf('%.0f', {double}) ELSE CAST({double} AS VARCHAR) END"
    elif source.startswith("DECIMAL"):
        text = f"regexp_replace({text}, '\\.0+$', '')"
    if kind == "VARCHAR":
        return text
    value = f"TRY_CAST({text} AS {kind})"
    if kind in ("FLOAT", "DOUBLE"):
        return f"CASE WHEN {value} = 0 THEN CAST(0 AS {kind}) ELSE {value} END"
    if kind.startswith("TIME") and not kind.startswith(
        "TIMESTAMP"
    ):  # a cast would cut the date off a moment
        return f"CASE WHEN regexp_matches({text}, '^[0-9]+:') THEN {value} END"
    # In a wider type the text and the key are compared, because a cast rounds 1.5 to 2 and cuts the
    # hour off a date.
    wider = ""
    if _WHOLE.fullmatch(kind):
        wider = "VARCHAR"
    elif decimal := _DECIMAL.fullmatch(kind):
        wider = f"DECIMAL(38, {38 - int(decimal[1]) + int(decimal[2])})"
    elif kind in ("DATE", "TIMESTAMP_S", "TIMESTAMP_MS"):
        wider = "TIMESTAMP"
    same = f"TRY_CAST({value} AS {wider}) = TRY_CAST({text} AS {wider})"
    return f"CASE WHEN {same} THEN {value} END" if wider else value


def _answer(grouping: Grouping, count: Count) -> str:
    """The number of a row's answer."""
    assert count.answers is not None
    if not count.answers.values:
        one, wrong = grouping.bit(count.expression)
        yes = f"({one}) IS TRUE" + (
            f" OR ({wrong}) IS TRUE" if grouping.question.nulls == "1" else ""
        )
        return f"CASE WHEN {yes} THEN 0 ELSE 1 END"
    named = replace(count.answers, names=count.answers.names[:-1])
    ways = " ".join(
        f"WHEN {one} THEN {a}" for a, (one, _) in enumerate(answer_conditions(grouping, named))
    )
    return f"CASE {ways} END"
