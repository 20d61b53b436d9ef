"""What an engine counted before noise, or why it refused. The true counts are read here and nowhere in the library."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from unittest.mock import patch

from tests.metamorphic.databases import MEMORY

from discreet.errors import DiscreetError
from discreet.tables.asking.price import promise, read_price, statement
from discreet.tables.asking.question import read_question
from discreet.tables.asking.request import Machine, Request
from discreet.tables.engines import kept_people, open_engine

Row = tuple[tuple[str, ...], int | None, tuple[int | None, ...]]
"""A group's key (as text with its type), size and true counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """The groups in order, and everything that would be published as it is."""

    rows: tuple[Row, ...]
    facts: tuple[str, ...]
    coarser: tuple[tuple[Row, ...], ...] = ()
    """The groups of the other levels."""
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """Why nothing was counted."""

    text: str
    kind: str
    ours: bool
    """An error of the library's own, not one that escaped from below."""
    everything: str
    """The message and whatever hangs on the error: its causes, notes and parts."""
    warnings: tuple[str, ...] = ()


Outcome = Counted | Refused


def counted(
    source: Any, words: Mapping[str, Any], *, threads: int = 1, memory: str = MEMORY
) -> Outcome:
    """Ask the engine as a release would, up to where noise would be drawn."""
    return _asked(source, words, _count, Machine(memory_limit=memory, threads=threads))


def planned(
    source: Any, words: Mapping[str, Any], *, threads: int = 1, memory: str = MEMORY
) -> Outcome:
    """Ask the engine as a plan would: nothing protected is read."""
    return _asked(source, words, _sizes, Machine(memory_limit=memory, threads=threads))


def _count(engine: Any, question: Any) -> Counted:
    counts = engine.count(question)
    price = read_price(question, epsilon=1, alpha=None)
    rows, kinds = true_counts(engine, counts, len(question.by), question.places[-1].stop)
    facts = (
        str(question.output_columns),
        str(counts.sizes),
        str(kinds),
        statement(promise(question, price)),
        str(question.public),
        str(price),
    )
    places = [[question.by.index(name) for name in keys] for keys in question.levels[1:]]
    coarser = tuple(_level(engine, engine.coarser(counts, keys), len(keys)) for keys in places)
    return Counted(rows=rows, facts=facts, coarser=coarser)


def _level(engine: Any, found: Any, keys: int) -> tuple[Row, ...]:
    """The groups of a coarser level, in order."""
    if engine.name == "spark":
        rows = sorted((tuple(row) for row in found.truth.collect()), key=repr)
    else:
        names = [
            name if not name.startswith("k") else f"CAST({name} AS VARCHAR)"
            for name in _columns(engine, found)
        ]
        rows = engine._connection.execute(
            f"SELECT {', '.join(names)} FROM ({found.truth})"
        ).fetchall()
    return tuple((tuple(map(repr, row[:keys])), row[keys], tuple(row[keys + 1 :])) for row in rows)


def _columns(engine: Any, found: Any) -> list[str]:
    return list(engine._connection.sql(found.truth).columns)


def _sizes(engine: Any, question: Any) -> Counted:
    return Counted(
        rows=(),
        facts=(
            str(engine.sizes(question).sizes),
            str(question.output_columns),
            str(question.public),
        ),
    )


def _asked(source: Any, words: Mapping[str, Any], ask: Any, machine: Machine) -> Outcome:
    request = Request(**words)
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        outcome = _outcome(source, request, ask, machine)
    return replace(outcome, warnings=tuple(str(one.message) for one in warned))


def _outcome(source: Any, request: Request, ask: Any, machine: Machine) -> Outcome:
    try:
        with patch.object(kept_people, "order_key", lambda: "one key for both tables"):
            engine = open_engine(source, request.read, machine)
        try:
            return ask(engine, read_question(engine, request))
        finally:
            engine.close()
    except DiscreetError as error:
        return Refused(
            text=str(error), kind=type(error).__name__, ours=True, everything=_all_of(error)
        )
    except (
        Exception
    ) as error:  # what escapes may carry a value: that is a finding, not a crash of the test
        return Refused(
            text=f"{type(error).__name__}: {error}",
            kind=type(error).__name__,
            ours=False,
            everything=_all_of(error),
        )


def true_counts(
    engine: Any, found: Any, keys: int, counts: int
) -> tuple[tuple[Row, ...], tuple[str, ...]]:
    """The groups with their true counts, in order, and the types of their keys."""
    if engine.name == "spark":
        truth = found.truth
        kinds = tuple(
            field.dataType.simpleString()
            for field in truth.schema.fields
            if field.name.startswith("k")
        )
        rows = [
            tuple(row[f"k{p}"] for p in range(keys))
            + tuple(row[name] for name in ("n", *_names(counts)))
            for row in truth.collect()
        ]
        rows.sort(key=repr)
    else:
        # as text: Python has no time with a zone without more packages, and types are compared apart
        names = ", ".join((*(f"CAST(k{p} AS VARCHAR)" for p in range(keys)), "n", *_names(counts)))
        described = engine._connection.execute("DESCRIBE truth").fetchall()
        kinds = tuple(str(kind) for name, kind, *_ in described if str(name).startswith("k"))
        rows = engine._connection.execute(f"SELECT {names} FROM ({found.truth})").fetchall()
    return tuple(
        (tuple(map(repr, row[:keys])), row[keys], tuple(row[keys + 1 :])) for row in rows
    ), kinds


def _names(counts: int) -> tuple[str, ...]:
    return tuple(f"c{k}" for k in range(counts))


def _all_of(error: BaseException | None) -> str:
    parts = []
    while error is not None and len(parts) < 50:
        parts += [str(error), *map(str, error.args), *map(str, getattr(error, "__notes__", ()))]
        parts += (
            [str(value) for value in vars(error).values()] if hasattr(error, "__dict__") else []
        )
        error = error.__cause__ or error.__context__
    return "\n".join(parts)
