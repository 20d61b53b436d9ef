"""With a cap, one person may also join or leave a group: its histogram of places moves by one unit, and no other."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime
from pathlib import Path
from random import Random
from typing import Any

from tests.metamorphic.cases import Case
from tests.metamorphic.outcomes import Counted
from tests.metamorphic.sources import INFERRED, is_text, variants
from tests.metamorphic.tables import Column, Table

_CLINICS = ("north", "south", "west", "elsewhere")
_SMOKING = ("never", "former", "current", "?", None)

PRESENT_IN = (
    "pandas",
    "polars",
    "lazy-polars",
    "arrow",
    "reader",
    "batches",
    "duckdb",
    "csv",
    "parquet",
    "query-parquet",
)
"""Sources whose columns do not come from their rows."""
_DAYS = (date(1990, 1, 31), date(2001, 7, 4))
_KEYS: dict[str, tuple[Any, ...]] = {
    "int": (10, 20),
    "float": (10.0, 20.5),
    "text": ("10", "20.5", "north"),
    "bool": (True, False),
    "date": _DAYS,
    "moment": tuple(datetime(day.year, day.month, day.day) for day in _DAYS),
}
_ALIKE = dict.fromkeys(
    ("int", "float", "text", "bool"), ("int", "float", "text", "bool")
) | dict.fromkeys(("date", "moment"), ("date", "moment", "text"))
"""The kinds of keys that values of a kind could become."""


def make_capped(rng: Random, source: str, folder: Path, place: int) -> Case:
    """One person joins, leaves, answers otherwise or moves, in groups above and below the cap; rows of every kind."""
    rows = rng.randint(4, 14)
    people = [f"p{number}" for number in rng.sample(range(99), rows)]
    if rng.random() < 0.3:  # somebody has two rows, and one row is nobody's
        people[1], people[2] = people[0], None
    columns = {
        "person": people,
        "clinic": rng.choices(_CLINICS, weights=(6, 2, 1, 1), k=rows),
        "smoking": rng.choices(_SMOKING, k=rows),
        "ill": rng.choices(("1", "0", "true", "x", None), weights=(3, 3, 1, 1, 1), k=rows),
    }
    before = Table(
        columns=tuple(_column(rng, source, name, values) for name, values in columns.items())
    )
    chosen = people[rng.choice([0, 3])]
    what = rng.choice(("leave", "join", "answer", "move"))
    mine = [row for row in range(rows) if people[row] == chosen]
    without = Table(
        columns=tuple(
            _kept(column, [r for r in range(rows) if r not in mine]) for column in before.columns
        )
    )
    if what == "answer":
        after = before.changed(rng, mine[:1], ["smoking", "ill"])
    elif what == "move":
        clinic = before["clinic"]
        moved = tuple(
            rng.choice(_CLINICS) if row in mine else value
            for row, value in enumerate(clinic.values)
        )
        after = before.changed(rng, mine, ["smoking"]).with_column(replace(clinic, values=moved))
    else:
        after = without
    if what == "join":
        before, after = after, before
    words = {
        "by": ["clinic"],
        "keys": ["north", "south", "west"],
        "other_keys": "drop",
        "unit": "person",
        "excess": "drop",
        "cap": rng.choice((1, 2, 3, 9)),
        "nulls": rng.choice(("0", "1")),
        "count": {
            "ill": "ill",
            "smoking": {
                "answers": ["never", "former", "current"],
                "other": "other",
                "nulls": rng.choice(("other", "none")),
            },
        },
    }
    query = (
        "SELECT person, clinic, smoking, ill FROM '{path}'" if source.startswith("query") else ""
    )
    return Case(
        source=source,
        before=before,
        after=after,
        words=words,
        query=query,
        limit=2 if what == "move" else 1,
    )


def make_present(rng: Random, source: str, folder: Path, place: int) -> Case:
    """One person is there with whatever values the source can hold, or otherwise, or not at all."""
    rows = rng.randint(4, 12)
    kind = rng.choice(list(_KEYS))
    people = [500 + number for number in rng.sample(range(99), rows)]
    if rng.random() < 0.3:
        people[1] = people[0]
    columns = [
        _any_column(rng, source, "person", rng.choice(("int", "text")), people),
        _any_column(rng, source, "clinic", kind, rng.choices(_KEYS[kind], k=rows)),
        _any_column(rng, source, "smoking", "text", rng.choices(_SMOKING[:4], k=rows)),
        _any_column(
            rng, source, "ill", rng.choice(("bit", "bool", "float")), rng.choices((1, 0), k=rows)
        ),
    ]
    before = Table(columns=tuple(columns))
    mine = [row for row in range(rows) if people[row] == people[0]]
    before, other = (_otherwise(rng, before, mine) for _ in range(2))
    others = [row for row in range(rows) if row not in mine]
    after = (
        Table(columns=tuple(_kept(column, others) for column in before.columns))
        if rng.random() < 0.7
        else other
    )
    keys = [*_KEYS[rng.choice(_ALIKE[kind])], *([None] if rng.random() < 0.3 else [])]
    words = {
        "by": ["clinic"],
        "keys": keys,
        "other_keys": "drop",
        "unit": "person",
        "excess": "drop",
        "cap": rng.choice((1, 2, 9)),
        "nulls": rng.choice(("0", "1")),
        "count": {
            "ill": "ill",
            "smoking": {
                "answers": ["never", "former", "current"],
                "other": "other",
                "nulls": rng.choice(("other", "none")),
            },
        },
    }
    query = (
        "SELECT person, clinic, smoking, ill FROM '{path}'" if source.startswith("query") else ""
    )
    limit = 2 if after is other else 1
    if rng.random() < 0.5:
        before, after = after, before
    return Case(source=source, before=before, after=after, words=words, query=query, limit=limit)


def _otherwise(rng: Random, table: Table, mine: list[int]) -> Table:
    """The table after the person of these rows took other values, and in all of these rows one other name."""
    names = rng.sample(table.names, rng.randint(1, 4))
    changed = table.changed(rng, mine, [name for name in names if name != "person"])
    if "person" in names:
        person = table["person"].changed(rng, mine[:1])
        renamed = tuple(
            person.values[mine[0]] if row in mine else one for row, one in enumerate(person.values)
        )
        changed = changed.with_column(replace(person, values=renamed))
    return changed


def _any_column(rng: Random, source: str, name: str, kind: str, values: list[Any]) -> Column:
    """A column in any way the source can hold it; of pandas also with a dtype that comes from its values."""
    if kind == "text" or is_text(source):
        values, kind = [str(value) if value is not None else None for value in values], "text"
    elif kind in ("bool", "float"):
        values = [bool(value) if kind == "bool" else float(value) for value in values]
    ways = variants(source, kind)
    if source == "pandas":
        ways |= dict.fromkeys(INFERRED, "hashable")
    way = rng.choice(list(ways))
    return Column(name=name, kind=kind, values=tuple(values), variant=way, freedom=ways[way])


def moved_capped(case: Case, before: Counted, after: Counted) -> str:
    """Groups, their places and facts stay; each question moves by one unit in one group, or two if somebody moves."""
    if [row[:2] for row in before.rows] != [
        row[:2] for row in after.rows
    ] or before.facts != after.facts:
        return "groups, sizes or their order changed"
    cap, questions = (
        case.words["cap"],
        ((0, 3), (3, 8 if case.words["count"]["smoking"]["nulls"] == "other" else 9)),
    )
    for start, end in questions:
        moved = 0
        for (_, n, one), (_, _, two) in zip(before.rows, after.rows, strict=True):
            if n != cap or sum(one[start:end]) != cap or sum(two[start:end]) != cap:
                return "the places of a group do not add up to the cap"
            units = (
                sum(abs(x - y) for x, y in zip(one[start:end], two[start:end], strict=True)) // 2
            )
            if units > 1:
                return f"a group moved by {units} units"
            moved += units
        if moved > case.limit:
            return f"a question moved by {moved} units, and one person may move it by {case.limit}"
    return ""


def _column(rng: Random, source: str, name: str, values: list[str | None]) -> Column:
    found = variants(source, "text")
    variant = rng.choice([one for one in found if one not in ("object", "category")])
    freedom = found[variant] if name in ("smoking", "ill") else "typed"
    return Column(name=name, kind="text", values=tuple(values), variant=variant, freedom=freedom)


def _kept(column: Column, rows: list[int]) -> Column:
    return replace(column, values=tuple(column.values[row] for row in rows))
