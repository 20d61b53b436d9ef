"""The SQL of grouping and checking for DuckDB: inside, names are k0, n, c0 and so on, whatever
users call theirs.

`c` is a true count, NULL where a row of the group breaks a rule of that count. All come from one
pass.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from discreet.tables.asking.question import Count, Question
from discreet.tables.engines import Expression
from discreet.tables.engines.duckdb.connection import identifier, literal
from discreet.tables.engines.values import (
    BIT,
    COUNTS_REMEDY,
    NOT_NULL,
    NULLS_REMEDY,
    ONE,
    ZERO,
    answers_remedy,
    bits_remedy,
    empty_remedy,
    not_a_key,
    not_bits,
)

_SCALARS = re.compile(
    r"BOOLEAN|U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL.*|VARCHAR|BLOB|DATE|TIME.*|UUID|ENUM.*|CHAR.*"
)
_NUMBERS = re.compile(
    r"BOOLEAN|U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL.*|VARCHAR|ENUM.*|\"NULL\""
)


def check_kinds(question: Question, types: Mapping[str, str]) -> None:
    """Refuse key columns with parts, and columns that hold neither bits nor counts, by their
    types.
    """
    for name in question.by:
        if types[name].endswith("]") or not _SCALARS.fullmatch(types[name]):
            raise not_a_key(types[name], name)
    for expression in (each for count in question.counts for each in count.expressions):
        if expression.column in types and not _NUMBERS.fullmatch(types[str(expression.column)]):
            raise not_bits(types[str(expression.column)], expression.column)


@dataclass(frozen=True, slots=True, kw_only=True)
class Grouping:
    """A question about a table that DuckDB can read, with the types of its columns."""

    question: Question
    table: str
    types: Mapping[str, str]
    needed: tuple[str, ...]
    """The source's columns that are read."""
    order_key: str
    """The key of the order in which rows are kept (`engines.kept_people`)."""

    def rows(self, *, bits: bool) -> str:
        """The rows that are grouped: filtered, and at most `contributions` of each person if the
        rest is dropped.
        """
        question = self.question
        where = f" WHERE {question.where.sql}" if question.where else ""
        if question.unit is None or question.excess != "drop":
            return f"(FROM {self.aliased}{where})"
        person, keys = identifier(question.unit), [self.key(name) for name in question.by]
        # Where no bits are read, a person's rows of one group are interchangeable.
        order = self.row_order(person, keys, list(self.additions()) if bits else [])
        # The order is total up to interchangeable rows (`engines.kept_people`).
        window = f"row_number() OVER (PARTITION BY {person} ORDER BY {order})"
        return f"(FROM {self.aliased}{where} QUALIFY {window} <= {question.contributions})"

    def row_order(self, person: str, keys: Sequence[str], answers: Sequence[str]) -> str:
        """The order of one person's rows, as `engines.kept_people` defines it."""
        texts = [
            literal(self.order_key),
            *(f"TRY_CAST({column} AS VARCHAR)" for column in (person, *keys, *answers)),
        ]
        by_keys, by_answers = (
            f"sha256(concat({', '.join(some)}))" for some in (texts[: 2 + len(keys)], texts)
        )
        return ", ".join([by_keys, *keys, by_answers, *answers])

    def additions(self) -> Iterator[str]:
        """For each count what a row adds to it, as a number: the place of its answer, or that it
        breaks a rule.
        """
        for count in self.question.counts:
            if count.given is None:
                one, wrong = self.bit(count.expression)
                ones = [one]
            else:
                from discreet.tables.engines.duckdb.answer_columns import answer_conditions

                conditions = list(answer_conditions(self, count.given))
                ones, wrong = [one for one, _ in conditions], conditions[0][1]
            places = " ".join(f"WHEN {one} THEN {place}" for place, one in enumerate(ones))
            yield f"CASE WHEN {wrong} THEN -2 {places} ELSE -1 END"

    @property
    def aliased(self) -> str:
        """The table under a name that no column has."""
        return aliased(self.table, self.types)

    def key(self, name: str) -> str:
        """A key column in its one form: -0.0 is 0.0, an ENUM is its text."""
        column, kind = identifier(name), self.types[name]
        if kind in ("FLOAT", "DOUBLE"):
            return f"CASE WHEN {column} = 0 THEN CAST(0 AS {kind}) ELSE {column} END"
        return f"CAST({column} AS VARCHAR)" if kind.startswith("ENUM") else column

    def true_counts(self) -> Iterator[str]:
        """Each true count that is summed: NULL stands for a group in which some row breaks a
        rule.
        """
        for count in self.question.counts:
            if count.given is None:
                one, wrong = self.bit(count.expression)
                x, _ = self.value(count.expression)
                # Counting a column is the cheapest check, and none where a file's statistics rule
                # out NULL.
                sound = f"count({x}) = count(*)" if wrong == f"{x} IS NULL" else _none_of(wrong)
                yield f"CASE WHEN {sound} THEN count(*) FILTER (WHERE {one}) END"
                continue
            from discreet.tables.engines.duckdb.answer_columns import answer_conditions

            for one, wrong in islice(answer_conditions(self, count.given), len(count.outputs)):
                yield f"CASE WHEN {_none_of(wrong)} THEN count(*) FILTER (WHERE {one}) END"

    def numbers(self) -> Iterator[str]:
        """For each true count that is given with its size: the number, or NULL where it breaks a
        rule.
        """
        for count in self.question.counts:
            if count.given is None:
                number = self.whole(str(count.column))
                yield f"CASE WHEN ({number}) <= ({self.size}) THEN {number} END"
                continue
            from discreet.tables.engines.duckdb.answer_columns import answer_numbers

            yield from islice(answer_numbers(self, count.given), len(count.outputs))

    def value(self, expression: Expression) -> tuple[str, str]:
        """The SQL of a bit, and its type."""
        if expression.column is None:
            return f"({expression.sql})", "BOOLEAN"
        return identifier(expression.column), self.types[expression.column]

    def bit(self, expression: Expression) -> tuple[str, str]:
        """Two conditions: that the bit is 1, and that it breaks a rule (never NULL themselves)."""
        x, kind = self.value(expression)
        if kind == "BOOLEAN":
            one, wrong = x, "false"
        elif kind == "VARCHAR":
            text = f"lower(trim({x}))"
            one, wrong = f"{text} IN {_listed(ONE)}", f"{text} NOT IN {_listed((*ONE, *ZERO))}"
        else:
            one, wrong = f"{x} = 1", f"{x} NOT IN (0, 1)"
        if self.question.nulls == "refuse":
            return one, f"{x} IS NULL OR {wrong}" if wrong != "false" else f"{x} IS NULL"
        return (f"{x} IS NULL OR {one}" if self.question.nulls == "1" else one), wrong

    def whole(self, column: str) -> str:
        """A column as a whole number of at least 0, or NULL."""
        x, kind = identifier(column), self.types[column]
        if kind == "BOOLEAN":
            return f"CAST({x} AS BIGINT)"
        if kind == "VARCHAR":
            return (
                f"CASE WHEN regexp_full_match(trim({x}), '[0-9]{{1,18}}') THEN "
                f"CAST(trim({x}) AS BIGINT) END"
            )
        return f"CASE WHEN {x} >= 0 AND {x} = floor({x}) THEN TRY_CAST({x} AS BIGINT) END"

    @property
    def size(self) -> str:
        """The size of a row's group, at counts level."""
        size = self.question.size
        return self.whole(size) if isinstance(size, str) else f"CAST({size} AS BIGINT)"

    def first_bad(self, place: int) -> str:
        """SQL for the first row that breaks a rule of a count, and the rule."""
        count = self.question.counts[place]
        if count.given is not None:
            from discreet.tables.engines.duckdb.answer_columns import first_bad_answer

            return first_bad_answer(self, count.given)
        if self.question.size is None:
            _, wrong = self.bit(count.expression)
            x, _ = self.value(count.expression)
            why = f"CASE WHEN {x} IS NULL THEN {literal(NOT_NULL)} ELSE {literal(BIT)} END"
        else:
            wrong = f"(({self.whole(str(count.column))}) <= ({self.size})) IS NOT TRUE"
            why = f"CASE {self._why(str(count.column), 'must')}"
            if isinstance(self.question.size, str):
                why += f" {self._why(self.question.size, 'has a size that must')}"
            why += " ELSE 'must not be above its size' END"
        return self.first_row(wrong, why)

    def first_row(self, wrong: str, why: str = "''") -> str:
        """SQL for the first row of the source, counted from 1, that is selected and for which
        `wrong` is true.

        How many there are is not asked: it would be an exact count.
        """
        where = f"({self.question.where.sql})" if self.question.where else "true"
        # A window without an order numbers rows as they come, in one thread; `row` is unique, so
        # arg_min has no ties. Numbered in a column of its own: the source may have one called
        # `row`.
        numbered = f"SELECT row_number() OVER (), {why}, {where} AND ({wrong}) FROM {self.aliased}"
        return (
            f"SELECT min(row), arg_min(why, row) FROM ({numbered}) AS t (row, why, bad) WHERE bad"
        )

    def remedy(self, count: Count, why: str) -> str:
        """What to do about a bad row."""
        if count.given is not None and (count.given.values or why not in (NOT_NULL, BIT)):
            return (
                empty_remedy(count) if why == NOT_NULL else answers_remedy(why, count.given.values)
            )
        if self.question.size is not None:
            return COUNTS_REMEDY
        return NULLS_REMEDY if why == NOT_NULL else bits_remedy(count.column)

    def _why(self, column: str, verb: str) -> str:
        x = identifier(column)
        number = f"TRY_CAST({x} AS DOUBLE)"
        return (
            f"WHEN {x} IS NULL THEN '{verb} not be NULL' WHEN {number} IS NULL THEN '{verb} be a "
            f"number' WHEN {number} < 0 THEN '{verb} not be negative' WHEN {number} <> "
            f"floor({number}) THEN '{verb} be whole'"
        )


def people_sql(grouping: Grouping, *, bits: bool = True) -> str:
    """Group people: sizes and true counts, NULL where some row breaks a rule. Ordered by key."""
    question = grouping.question
    keys = [f"{grouping.key(name)} AS k{p}" for p, name in enumerate(question.by)]
    chosen = [*keys, "count(*) AS n"]
    chosen += [f"{count} AS c{k}" for k, count in enumerate(grouping.true_counts() if bits else ())]
    order = ", ".join(
        str(p + 1) for p in range(len(keys))
    )  # by place: the source may have a column called k0
    tail = f" GROUP BY {order} ORDER BY {order}" if keys else ""
    return f"SELECT {', '.join(chosen)} FROM {grouping.rows(bits=bits)}{tail}"


def counts_sql(grouping: Grouping, *, bits: bool = True) -> str:
    """Take counts and sizes as they are given, each row a group. Ordered by key."""
    question = grouping.question
    chosen = [f"{grouping.key(name)} AS k{p}" for p, name in enumerate(question.by)]
    order = ", ".join(str(p + 1) for p in range(len(chosen)))
    chosen.append(f"{grouping.size} AS n")
    for k, number in enumerate(grouping.numbers() if bits else ()):
        chosen += [f"{number} AS c{k}"]
    return (
        f"SELECT {', '.join(chosen)} FROM "
        f"{grouping.rows(bits=bits)}{f' ORDER BY {order}' if order else ''}"
    )


def out_of_order_sql(keys: int) -> str:
    """SQL for a row of `truth` whose key is not above the one before it; a NULL key is not above
    anything.
    """
    above = f"k{keys - 1} > p{keys - 1}"
    for p in reversed(range(keys - 1)):
        above = f"(k{p} > p{p} OR k{p} = p{p} AND {above})"
    # Rows as they lie in the table. In another order it would be found unordered, and checked by
    # grouping.
    beside = ", ".join(f"k{p}, lag(k{p}) OVER () AS p{p}" for p in range(keys))
    rows = f"SELECT row_number() OVER () AS place, {beside} FROM truth"
    # LIMIT: whether there is one, whichever.
    return f"SELECT 1 FROM ({rows}) WHERE place > 1 AND ({above}) IS NOT TRUE LIMIT 1"


def aliased(table: str, columns: Collection[str]) -> str:
    """A FROM item under a name that no column has: `t.x` must never mean a column x of a table
    t.
    """
    name = "discreet source"
    while name in columns:
        name += "'"
    return f"{table} AS {identifier(name)}"


def _none_of(wrong: str) -> str:
    """That no row of a group breaks a rule."""
    return "true" if wrong == "false" else f"count(*) FILTER (WHERE {wrong}) = 0"


def _listed(texts: tuple[str, ...]) -> str:
    return f"({', '.join(map(literal, texts))})"
