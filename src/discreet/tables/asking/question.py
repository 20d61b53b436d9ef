"""What is asked of a table, checked against its columns: how rows are grouped, and which bits are
counted.

The rules that keep the guarantee and need no rows are kept here: a protected column (one that a
count reads) is neither in `by` nor in a row filter, every count is paid for, and NULL bits are not
dropped. Which columns are the same is for the engine to say (`Engine.behind`): a query's `s` is the
file's `smoker`, Spark's `SMOKER` is `smoker`. Names as they were typed are never compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from discreet.core.rationals import Exact, read_count, read_fraction, read_list, shown
from discreet.errors import InvalidInput
from discreet.tables.asking.refusals import (
    dropped_nulls,
    no_counts,
    protected_column,
    two_columns,
    unknown_column,
)
from discreet.tables.asking.request import Request, choices
from discreet.tables.engines import Expression, read_keys
from discreet.tables.engines.values import ambiguous_column
from discreet.tables.published.manifest import PARTS, SIZE, Public

if TYPE_CHECKING:
    from discreet.tables.asking.answers import Answers
    from discreet.tables.asking.key_expressions import Made
    from discreet.tables.engines import Engine


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """One count of the release: its column in the output and the bit (or column of counts) it sums.

    A question with several answers is one too: it has a column for each answer, and is paid for
    once.
    """

    name: str
    expression: Expression
    share: Fraction
    asked: str
    """Its name in the request: of two answers that of the question alone."""
    answers: Answers | None = None
    """The answers of a question with several, each of which has a column."""
    either: Answers | None = None
    """The answers of a question with two: the first is counted, and a row that has neither is
    refused.
    """

    @property
    def given(self) -> Answers | None:
        """The answers that every row must have one of; None for a bit."""
        return self.answers or self.either

    @property
    def column(self) -> str | None:
        """The source's column when the count is one, None for a predicate."""
        return self.expression.column

    @property
    def expressions(self) -> tuple[Expression, ...]:
        """The bits (or columns of counts) that are summed; none where answers are the values of
        one column.
        """
        if self.given is None:
            return (self.expression,)
        return () if self.given.values else self.given.parts

    @property
    def outputs(self) -> tuple[str, ...]:
        """Its columns in the output: its name, or one for each answer."""
        return (
            (self.name,)
            if self.answers is None
            else tuple(f"{self.name}_{each}" for each in self.answers.names)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """Everything an engine must know to group and count; nothing about noise."""

    by: tuple[str, ...]
    counts: tuple[Count, ...]
    size: str | int | None
    where: Expression | None
    unit: str | None
    contributions: int
    together: bool = False
    """Whether all rows of a person are in one group, so that one draw answers for all of them."""
    excess: str
    nulls: str
    keys: Any
    other_keys: str
    cap: int = 0
    """How many people of each group are counted at most, where group sizes are protected; 0
    where they are public.
    """
    confidence: Fraction | None
    """Of the intervals beside each count; None for the counts alone."""
    smallest: int = 0
    """Groups of fewer people are merged; 0: none are."""
    adding_up: bool = False
    """Whether whole numbers that add up stand beside the counts."""
    made: Made = ()
    """The keys that are expressions over the source's columns."""
    levels: tuple[tuple[str, ...], ...] = ()
    """The keys of each level, the finest first: those of `by`."""
    level_split: tuple[Fraction, ...] | None = None
    """The share of epsilon of each level; None where it is to be chosen."""
    importance: tuple[Fraction, ...] = ()
    """How much each level matters where the shares are chosen."""
    level_properties: tuple[str, ...] = ("",)
    """The shape of each coarser level, in its place; the first, the finest, has what the request
    asks for.
    """

    @property
    def step(self) -> int:
        """By how much one person may move one group's count."""
        return self.contributions if self.together else 1

    @property
    def draws(self) -> int:
        """How many times one person may pay for a draw of each count."""
        return 1 if self.together else self.contributions

    @property
    def output_columns(self) -> tuple[str, ...]:
        """The columns of the released table, in order."""
        names = [*self.by, *([] if self.cap else [SIZE])]
        for count in self.counts:
            beside = PARTS if self.confidence is not None and count.answers is None else ()
            names += [*count.outputs, *(f"{count.name}_{part}" for part in beside)]
        return tuple(names)

    @property
    def places(self) -> tuple[range, ...]:
        """Where the true counts of each question stand among all of them: one for a bit, one for
        each answer.
        """
        ends = accumulate(len(count.outputs) for count in self.counts)
        return tuple(
            range(end - len(count.outputs), end)
            for count, end in zip(self.counts, ends, strict=True)
        )

    @property
    def protected(self) -> tuple[str, ...]:
        """The columns the counts read, in order of name."""
        return tuple(
            sorted(frozenset().union(*(count.expression.columns for count in self.counts)))
        )

    @property
    def key_columns(self) -> tuple[str, ...]:
        """The source's columns that the keys are, or are made of."""
        if not self.made:
            return self.by
        made = {name: sorted(expression.columns) for name, expression in self.made}
        return tuple(dict.fromkeys(column for name in self.by for column in made.get(name, [name])))

    @property
    def told_keys(self) -> tuple[str, ...]:
        """The keys in words."""
        return Public(
            keys=self.by, made={name: expression.text for name, expression in self.made}
        ).told_keys

    @property
    def public(self) -> tuple[str, ...]:
        """The columns that decide groups, sizes and rows."""
        sized = [self.size] if isinstance(self.size, str) else []
        chosen = [*self.key_columns, *([self.unit] if self.unit else []), *sized]
        return tuple(dict.fromkeys(chosen + sorted(self.where.columns if self.where else ())))


def read_question(engine: Engine, request: Request) -> Question:
    """Check what is asked against the source's columns."""
    columns, size, unit = engine.columns, request.size, request.unit
    by, made = _by(engine, request.by)
    counts = _counts(engine, request)
    if isinstance(size, str):
        (size,) = _names("size", size, columns)
    elif size is not None:
        size = read_count("size", size, most=2**62)
    (person,) = _names("unit", unit, columns) if unit is not None else (None,)
    if size is not None and person is not None:
        raise InvalidInput(
            "unit", "is for tables of people, and `size` says this is a table of counts", found=unit
        )
    if request.excess == "drop" and person is None:
        raise InvalidInput(
            "excess", "needs `unit`", request.excess, remedy="name the column of the person"
        )
    if request.together:
        from discreet.tables.asking.together import check_together

        check_together(request)
    question = Question(
        by=by,
        counts=counts,
        size=size,
        where=None if request.where is None else _condition(engine, "where", request.where),
        unit=person,
        contributions=read_count("contributions", request.contributions, least=1),
        together=request.together,
        excess=_choice("excess", request.excess),
        nulls=_nulls(request.nulls),
        keys=None
        if request.keys is None
        else read_keys(request.keys, by, {**columns} | {name: "" for name, _ in made}),
        other_keys=_choice("other_keys", request.other_keys),
        confidence=_confidence(request.intervals),
        made=made,
        **_levels(request, by),
    )
    if request.cap is not None:
        from discreet.tables.asking.capping import with_cap

        question = with_cap(question, request)
    if request.smallest is not None:
        from discreet.tables.asking.smallest_groups import with_smallest

        question = with_smallest(question, request.smallest, columns)
    if request.adding_up is not False:
        from discreet.tables.whole_columns import with_adding_up

        question = with_adding_up(question, request.adding_up)
    _check_unambiguous(engine, question)
    if person in question.key_columns:
        from discreet.tables.asking.key_expressions import check_keys_are_not_people

        check_keys_are_not_people(question)
    _check_protected(engine, question, _names("public", request.public, columns))
    several = [count.asked for count in question.counts if count.answers is not None]
    if several and request.gap is not None and read_fraction("gap", request.gap):
        what = "`cap`" if question.cap else f"a question with several answers, {several[0]}"
        rule = f"is not for {what}: the mechanisms are optimal, or draw each answer by itself"
        raise InvalidInput("gap", rule, found=request.gap, remedy="leave it out")
    _check_names(question)  # last: to rename a count that is a key would not help
    return question


def _by(engine: Engine, by: Any) -> tuple[tuple[str, ...], Made]:
    """The keys: columns by name, or (a mapping) names with what each is made of."""
    if not isinstance(by, Mapping):
        return _names("by", by, engine.columns), ()
    from discreet.tables.asking.key_expressions import read_keys_made

    return read_keys_made(engine, by)


def _counts(engine: Engine, request: Request) -> tuple[Count, ...]:
    count: Any = request.count
    if isinstance(count, str):
        named = {count: count}
    elif isinstance(count, Mapping):
        named = {str(name): text for name, text in count.items()}
    elif isinstance(count, Iterable):
        listed = list(count)
        named = {str(text): text for text in listed}
        if len(named) < len(listed):
            raise InvalidInput(
                "count", "must not ask the same twice", remedy="leave one out, or name both"
            )
    else:
        raise InvalidInput(
            "count", "must be a column, a predicate, a list or a mapping of names", count
        )
    by_name = isinstance(
        count, Mapping
    )  # only then an entry may have answers: a mapping, or a list of them
    bits = [
        x
        for x in named.values()
        if not (by_name and (isinstance(x, Mapping) or read_list(x) is not None))
    ]
    if not named or not all(isinstance(text, str) and text.strip() for text in bits):
        raise InvalidInput("count", "must name at least one column or predicate, as text", count)
    shares = _shares(request.split, tuple(named))
    found = []
    for name, text in named.items():
        if not isinstance(text, str):
            from discreet.tables.asking.answers import read_with_answers

            found.append(
                read_with_answers(
                    name, text, shares[name], partial(_condition, engine, "count"), request
                )
            )
            continue
        expression = _condition(engine, "count", text)
        if request.size is not None and expression.column is None:
            raise InvalidInput("count", "must be a column when `size` is given", text)
        found.append(Count(name=name, asked=name, expression=expression, share=shares[name]))
    if request.intervals is not None and all(each.answers is not None for each in found):
        raise no_counts(request.intervals)
    return tuple(found)


def _condition(engine: Engine, parameter: str, text: str) -> Expression:
    """A column by its name, or a condition on one row; one that reads no column comes from a
    slip in quoting.
    """
    if parameter == "count" and text in engine.columns:
        expression = Expression(text=text, sql="", columns=frozenset((text,)), column=text)
    else:
        expression = engine.expression(parameter, text)
    if not engine.behind(expression.columns):
        remedy = "name a column, without quotes: what stands in 'single quotes' is a text"
        raise InvalidInput(parameter, "must read a column of the source", text, remedy=remedy)
    return expression


def _shares(
    split: Mapping[str, Exact] | Sequence[Exact] | None, names: tuple[str, ...]
) -> dict[str, Fraction]:
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
    listed = (
        [given] if isinstance(given, str) else list(given) if isinstance(given, Iterable) else None
    )
    if listed is None:
        raise InvalidInput(parameter, "must be a column or a list of columns", given)
    for name in listed:
        if not isinstance(name, str) or name not in columns:
            raise unknown_column(parameter, name, columns)
    if len(set(listed)) < len(listed):
        raise InvalidInput(parameter, "must not repeat a column", found=", ".join(listed))
    return tuple(listed)


def _check_names(question: Question) -> None:
    """The output's columns must be distinct, whatever case an engine folds."""
    seen: set[str] = set()
    for name in question.output_columns:
        if name.casefold() in seen:
            raise two_columns(question, name)
        seen.add(name.casefold())


def _check_unambiguous(engine: Engine, question: Question) -> None:
    """The columns that are used must be told apart by their names, in whatever case; others do
    not matter.
    """
    used: dict[str, str] = {}
    for name in dict.fromkeys((*question.public, *question.protected)):
        if name in engine.ambiguous:
            raise ambiguous_column(name)
        if (other := used.setdefault(name.casefold(), name)) != name:
            rule = "has columns whose names differ in case alone, and the question uses both"
            raise InvalidInput("source", rule, found=f"{other} and {name}", remedy="rename one")


def _check_protected(engine: Engine, question: Question, public: Sequence[str]) -> None:
    """Row selection and group sizes must not depend on what is protected."""
    read = {name: engine.behind([name]) for name in question.protected if name not in public}
    where = question.where.columns if question.where else frozenset()
    roles = {
        "by": question.key_columns,
        "where": sorted(where),
        "unit": [question.unit] if question.unit else [],
    }
    roles["size"] = [question.size] if isinstance(question.size, str) else []
    for parameter, names in roles.items():
        for name in names:
            # Of two names for one column (`s` and `smoker`), `public` takes the one that the count
            # reads.
            if same := [counted for counted in read if read[counted] & engine.behind([name])]:
                raise protected_column(parameter, name, same)
    if hidden := [counted for counted in read if read[counted] & engine.filtered_by()]:
        raise protected_column("source", hidden[0], hidden[:1])


def _nulls(nulls: object) -> str:
    if nulls == "drop":
        raise dropped_nulls()
    return _choice(
        "nulls", str(nulls) if isinstance(nulls, int) and not isinstance(nulls, bool) else nulls
    )


def _confidence(intervals: Exact | None) -> Fraction | None:
    level = None if intervals is None else read_fraction("intervals", intervals)
    if level is not None and not 0 < level < 1:
        raise InvalidInput(
            "intervals", "must be a confidence between 0 and 1", intervals, remedy="e.g. 0.95"
        )
    return level


def _levels(request: Request, by: tuple[str, ...]) -> dict[str, Any]:
    """What is asked about levels; without any, the table is the only one."""
    if request.levels is None:
        for parameter in ("level_split", "level_importance", "level_properties"):
            if getattr(request, parameter) is not None:
                raise InvalidInput(parameter, "needs `levels`", remedy="such as `levels='rollup'`")
        return {"levels": (by,), "level_split": (Fraction(1),)}
    from discreet.tables.asking.level_keys import levels_asked

    return levels_asked(
        request.levels, request.level_split, request.level_importance, request.level_properties, by
    )


def _choice(parameter: str, value: object) -> str:
    if value not in choices(parameter):
        raise InvalidInput(parameter, f"must be one of {', '.join(choices(parameter))}", value)
    return str(value)
