"""The SQL of a cap for DuckDB: one row of each person, at most so many people of each group, their answers counted.

See `engines.kept_people` for the order, and `asking.capping` for what it is good for. Nothing here can be broken by
what a row holds: a bit that is none counts as a missing one, and both as `nulls` says.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from discreet.tables.engines import kept_people
from discreet.tables.engines.duckdb.answer_columns import answer_conditions
from discreet.tables.engines.duckdb.connection import identifier, literal

if TYPE_CHECKING:
    from discreet.tables.asking.question import Count, Question
    from discreet.tables.engines.duckdb.grouping import Grouping

_PEOPLE = re.compile(r"VARCHAR|UUID|ENUM.*|U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?")


def capped_sql(grouping: Grouping, *, rows: bool) -> str:
    """Group the people who are kept: how many have each answer. Without `rows` nobody is looked at, for a plan."""
    question = grouping.question
    unit = str(question.unit)
    if not _PEOPLE.fullmatch(grouping.types[unit]):
        raise kept_people.not_a_person(grouping.types[unit], unit)
    keys = [f"k{p}" for p in range(len(question.by))]
    answers = [f"a{q}" for q in range(len(question.counts))] if rows else []
    chosen = [f"CAST({identifier(unit)} AS VARCHAR)", *(grouping.key(name) for name in question.by)]
    chosen += [_answer(grouping, count) for count in question.counts] if rows else []
    selected = f"({identifier(unit)} IS NOT NULL)" if rows else "false"
    people = f"(SELECT {', '.join(chosen)} FROM {grouping.aliased} WHERE {selected})"
    people += f" AS t (person, {', '.join([*keys, *answers])})"
    first = f"row_number() OVER (PARTITION BY person ORDER BY {', '.join([*keys, *answers])}) = 1"
    order = f"sha256(concat({literal(kept_people.order_key())}, person)), person"
    kept = f"row_number() OVER (PARTITION BY {', '.join(keys)} ORDER BY {order}) <= {question.cap}"
    counts = []
    for q, places in enumerate(question.places if rows else ()):
        counts += [f"count(*) FILTER (WHERE a{q} = {a}) AS c{place}" for a, place in enumerate(places[:-1])]
    listed = ", ".join(keys)
    return (
        f"SELECT {', '.join([*keys, 'count(*) AS n', *counts])} FROM (FROM (FROM {people} QUALIFY {first}) "
        f"QUALIFY {kept}) GROUP BY {listed} ORDER BY {listed}"
    )


def capped_truth(question: Question) -> str:
    """The true histograms: in every group as many places as the cap, those that nobody takes absent."""
    chosen = [f"k{p}" for p in range(len(question.by))] + [f"CAST({question.cap} AS BIGINT) AS n"]
    for *answers, absent in question.places:
        chosen += [f"c{place}" for place in answers]
        chosen.append(f"CAST({question.cap} AS BIGINT) - {' - '.join(f'c{place}' for place in answers)} AS c{absent}")
    return f"SELECT {', '.join(chosen)} FROM truth"


def _answer(grouping: Grouping, count: Count) -> str:
    """The number of a row's answer."""
    assert count.answers is not None
    if not count.answers.values:
        one, wrong = grouping.bit(count.expression)
        yes = f"({one}) IS TRUE" + (f" OR ({wrong}) IS TRUE" if grouping.question.nulls == "1" else "")
        return f"CASE WHEN {yes} THEN 0 ELSE 1 END"
    named = replace(count.answers, names=count.answers.names[:-1])
    ways = " ".join(f"WHEN {one} THEN {a}" for a, (one, _) in enumerate(answer_conditions(grouping, named)))
    return f"CASE {ways} END"
