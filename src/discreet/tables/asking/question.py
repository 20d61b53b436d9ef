"""What is asked of a table, checked against its columns: who is grouped how, and which bits are counted.

The rules that keep the guarantee and need no rows are kept here: a protected column (one that a count reads) is
neither in `by` nor in a row filter (`protection`), every count is paid for, and NULL bits are not dropped.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from discreet.core.rationals import Exact, read_count, read_fraction, shown
from discreet.errors import InvalidInput, did_you_mean
from discreet.tables.asking.protection import check_protected, check_reads_a_column
from discreet.tables.engines.duckdb.expressions import Expression
from discreet.tables.engines.quoting import backquoted, identifier
from discreet.tables.published.manifest import PARTS, SIZE

if TYPE_CHECKING:
    from discreet.tables.engines import Engine


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """One count of the release: its column in the output and the bit (or column of counts) it sums."""

    name: str
    expression: Expression
    column: str | None
    """The source's column when the count is one, None for a predicate."""
    share: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """Everything an engine must know to group and count; nothing about noise."""

    by: tuple[str, ...]
    counts: tuple[Count, ...]
    size: str | int | None
    where: Expression | None
    unit: str | None
    contributions: int
    excess: str
    nulls: str
    keys: Any
    other_keys: str
    confidence: Fraction | None
    """Of the intervals beside each count; None for the counts alone."""

    @property
    def output_columns(self) -> tuple[str, ...]:
        """The columns of the released table, in order."""
        names = [*self.by, SIZE]
        for count in self.counts:
            names += [count.name, *(f"{count.name}_{part}" for part in PARTS if self.confidence is not None)]
        return tuple(names)

    @property
    def protected(self) -> tuple[str, ...]:
        """The columns the counts read, in order of name."""
        return tuple(sorted(frozenset().union(*(count.expression.columns for count in self.counts))))

    @property
    def public(self) -> tuple[str, ...]:
        """The columns that decide groups, sizes and rows."""
        chosen = [*self.by, *([self.unit] if self.unit else []), *([self.size] if isinstance(self.size, str) else [])]
        return tuple(dict.fromkeys(chosen + sorted(self.where.columns if self.where else ())))


def read_question(
    engine: Engine,
    *,
    by: str | Sequence[str],
    count: str | Sequence[str] | Mapping[str, str],
    size: str | int | None,
    split: Mapping[str, Exact] | Sequence[Exact] | None,
    where: str | None,
    unit: str | None,
    contributions: int,
    excess: str,
    nulls: str,
    public: Sequence[str],
    keys: Any,
    other_keys: str,
    intervals: Exact | None,
) -> Question:
    """Check what is asked against the source's columns."""
    columns = engine.columns
    groups = _names("by", by, columns)
    counts = _counts(engine, count, split, size)
    if isinstance(size, str):
        (size,) = _names("size", size, columns)
    elif size is not None:
        size = read_count("size", size, most=2**62)
    (person,) = _names("unit", unit, columns) if unit is not None else (None,)
    if size is not None and person is not None:
        raise InvalidInput("unit", "is for tables of people, and `size` says this is a table of counts", found=unit)
    if excess == "drop" and person is None:
        raise InvalidInput("excess", "needs `unit`", excess, remedy="name the column that tells people apart")
    question = Question(
        by=groups,
        counts=counts,
        size=size,
        where=None if where is None else check_reads_a_column(engine, "where", engine.expression("where", where)),
        unit=person,
        contributions=read_count("contributions", contributions, least=1),
        excess=_choice("excess", excess, ("refuse", "drop")),
        nulls=_nulls(nulls),
        keys=_keys(keys, groups, columns),
        other_keys=_choice("other_keys", other_keys, ("refuse", "drop")),
        confidence=_confidence(intervals),
    )
    _check_names(question)
    check_protected(engine, question, _names("public", public, columns))
    return question


def too_many_rows(most: int) -> InvalidInput:
    """What is said of people with more rows than are paid for; not of how many people: that would be an exact count."""
    remedy = "give `contributions=K` to pay for K rows each, and `excess='drop'` to keep K of them"
    return InvalidInput("unit", f"must have at most {most} row(s) each, and someone has more", remedy=remedy)


def _counts(
    engine: Engine, count: Any, split: Mapping[str, Exact] | Sequence[Exact] | None, size: object
) -> tuple[Count, ...]:
    if isinstance(count, str):
        named = {count: count}
    elif isinstance(count, Mapping):
        named = {str(name): text for name, text in count.items()}
    elif isinstance(count, Iterable):
        listed = list(count)
        named = {str(text): text for text in listed}
        if len(named) < len(listed):
            raise InvalidInput("count", "must not ask the same twice", remedy="each is paid for; name them apart")
    else:
        raise InvalidInput("count", "must be a column, a predicate, a list or a mapping of names", count)
    if not named or not all(isinstance(text, str) and text.strip() for text in named.values()):
        raise InvalidInput("count", "must name at least one column or predicate, as text", count)
    shares = _shares(split, tuple(named))
    found = []
    for name, text in named.items():
        known = text in engine.columns
        whole = Expression(text=text, sql="", columns=frozenset((text,)))
        expression = check_reads_a_column(engine, "count", whole if known else engine.expression("count", text))
        column = text if known else _plain(expression)
        if size is not None and column is None:
            raise InvalidInput("count", "must be a column when `size` is given", text)
        found.append(Count(name=name, expression=expression, column=column, share=shares[name]))
    return tuple(found)


def _plain(expression: Expression) -> str | None:
    """The column an expression is nothing but: `Smoker` finds `smoker`, in whatever quotes an engine writes it."""
    for name in expression.columns:
        if expression.sql in (name, identifier(name), backquoted(name)):
            return name
    return None


def _shares(split: Mapping[str, Exact] | Sequence[Exact] | None, names: tuple[str, ...]) -> dict[str, Fraction]:
    if split is None:
        return dict.fromkeys(names, Fraction(1, len(names)))
    if not isinstance(split, Mapping | Sequence) or isinstance(split, str):
        raise InvalidInput("split", "must be weights, by name or in order", split)
    given = dict(split) if isinstance(split, Mapping) else dict(zip(names, split, strict=False))
    if set(given) != set(names) or len(split) != len(names):
        rule = f"must give a weight to each count ({', '.join(names)})"
        raise InvalidInput("split", rule, ", ".join(map(str, given)))
    weights = {name: read_fraction("split", given[name]) for name in names}
    for name, weight in weights.items():
        if weight <= 0:
            raise InvalidInput("split", f"must be positive for {name}", shown(weight))
    return {name: weight / sum(weights.values()) for name, weight in weights.items()}


def _names(parameter: str, given: Any, columns: Mapping[str, str]) -> tuple[str, ...]:
    """Read names of columns exactly: a key column is never guessed."""
    listed = [given] if isinstance(given, str) else list(given) if isinstance(given, Iterable) else None
    if listed is None:
        raise InvalidInput(parameter, "must be a column or a list of columns", given)
    for name in listed:
        if not isinstance(name, str) or name not in columns:
            remedy = did_you_mean(str(name), columns)
            raise InvalidInput(parameter, "must name columns of the source", name, remedy=remedy)
    if len(set(listed)) < len(listed):
        raise InvalidInput(parameter, "must not repeat a column", found=", ".join(listed))
    return tuple(listed)


def _check_names(question: Question) -> None:
    """The output's columns must be distinct, whatever case an engine folds."""
    seen: set[str] = set()
    for name in question.output_columns:
        if name.casefold() in seen:
            rule = f"would give the output two columns named {name}"
            if name.casefold() == SIZE:
                rule += f" ({SIZE} holds the group's size)"
            text = next((each.expression.text for each in question.counts if name.startswith(each.name)), "PREDICATE")
            remedy = f"rename with `count={{'{name}_count': {text!r}}}`, or rename the source's column"
            raise InvalidInput("count", rule, remedy=remedy)
        seen.add(name.casefold())


def _nulls(nulls: object) -> str:
    if nulls == "drop":
        rule = "must not drop rows: that would make the published group size depend on the protected bit"
        raise InvalidInput(
            "nulls",
            rule,
            found=nulls,
            remedy="count them with `nulls='0'` or `nulls='1'`, or select rows by a public column",
        )
    return _choice(
        "nulls", str(nulls) if isinstance(nulls, int) and not isinstance(nulls, bool) else nulls, ("refuse", "0", "1")
    )


def _confidence(intervals: Exact | None) -> Fraction | None:
    if intervals is None:
        return None
    level = read_fraction("intervals", intervals)
    if not 0 < level < 1:
        raise InvalidInput("intervals", "must be a confidence between 0 and 1", intervals, remedy="e.g. 0.95")
    return level


def _choice(parameter: str, value: object, choices: tuple[str, ...]) -> str:
    if value not in choices:
        raise InvalidInput(parameter, f"must be one of {', '.join(choices)}", value)
    return str(value)


def _keys(keys: Any, by: tuple[str, ...], columns: Mapping[str, str]) -> Any:
    if keys is None:
        return None
    if not by:
        raise InvalidInput("keys", "needs `by`")
    if isinstance(keys, str | os.PathLike):
        from discreet.tables.engines.duckdb.key_files import read_key_file

        return read_key_file(keys, by, columns)
    from discreet.tables.engines.duckdb.sources.frames import key_table

    return key_table(keys, by)
