"""One person's values replaced in a table of tens of megabytes, which shows what a few rows cannot.

Several threads read it, parts of it are cut at some byte, and a value that becomes longer moves all bytes behind it.
Tables are made by DuckDB from a seed, read with several numbers of threads, and compared by the laws of small ones.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import duckdb
from tests.metamorphic.laws import depends_on_data, explanation
from tests.metamorphic.outcomes import Outcome, Refused, Row, counted, planned
from tests.metamorphic.running import Break, Tally

SOURCES = ("csv", "quoted-csv", "parquet", "parts", "arrow", "pandas", "duckdb")
_BYTES = 100
"""About what a row takes in a CSV file."""
_CLINICS, _REGIONS = 300, 7
_MEMORY = "2GB"

_TABLE = """
    CREATE TABLE people AS SELECT
        'p' || (hash(i, {seed}) % {people}) AS person,
        'r' || (hash(i, {seed} + 1) % {regions}) AS region,
        'c' || (hash(i, {seed} + 2) % {clinics}) AS clinic,
        CAST(hash(i, {seed} + 3) % 2 AS INTEGER) AS smoker,
        CASE hash(i, {seed} + 4) % 4 WHEN 0 THEN 'good' WHEN 1 THEN 'bad' WHEN 2 THEN 'fair' END AS mood,
        CASE hash(i, {seed} + 5) % 8
            WHEN 0 THEN 'one, two' WHEN 1 THEN 'say "so"' WHEN 2 THEN chr(10) || 'below' WHEN 3 THEN NULL
            WHEN 4 THEN chr(13) || chr(10) || '"",' ELSE 'plain' END || repeat('x', CAST(hash(i, {seed} + 6) % 64 AS INTEGER))
            AS note,
        i AS place
    FROM range({rows}) AS t (i)
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class LargeCase:
    """A question about a large table, and about the one in which one person's values are others."""

    source: str
    megabytes: int
    words: Mapping[str, Any]
    change: str
    limit: int
    """How many rows' worth the person may move each count."""
    threads: tuple[int, int, int]

    def __str__(self) -> str:
        return f"{self.source} of {self.megabytes} MB, {self.threads} threads, {self.change}: {dict(self.words)!r}"


def run_large(seed: int, source: str = "", megabytes: tuple[int, int] = (16, 64)) -> Tally:
    """Make the case of a seed, ask both tables with several numbers of threads, and compare."""
    rng = Random(f"large {seed}")
    with (
        duckdb.connect() as database,
        tempfile.TemporaryDirectory(prefix="discreet-large-") as folder,
    ):
        size = rng.randint(*megabytes)
        rows = size * 1_000_000 // _BYTES
        numbers = {
            "seed": seed * 16,
            "people": rows // 3,
            "regions": _REGIONS,
            "clinics": _CLINICS,
            "rows": rows,
        }
        database.execute(_TABLE.format(**numbers))
        place = rng.randrange(rows)
        ((person,),) = database.execute(
            "SELECT person FROM people WHERE place = ?", [place]
        ).fetchall()
        words, limit = _question(rng)
        mine = f"person = '{person}'" if "unit" in words else f"place = {place}"
        change, after = _change(rng, mine, capped="cap" in words)
        threads = (rng.choice((1, 2)), rng.choice((2, 4, 8)), rng.choice((2, 3, 8)))
        case = LargeCase(
            source=source or rng.choice(SOURCES),
            megabytes=size,
            words=words,
            change=change,
            limit=2 * limit if change == "moves" else limit,
            threads=threads,
        )

        def ask(way: Any, name: str, table: str, threads: int) -> Outcome:
            made = _source(case.source, database, Path(folder) / name, table, Random(seed))
            outcome: Outcome = way(made, words, threads=threads, memory=_MEMORY)
            return outcome

        one = ask(counted, "before", "people", threads[0])
        again = ask(counted, "before", "people", threads[1])
        two = ask(counted, "after", after, threads[2])
        plans = [ask(planned, "before", "people", 2), ask(planned, "after", after, 2)]
    laws = [
        _repeated(one, again),
        _moved(case, one, two),
        "" if plans[0] == plans[1] else "the plan changed",
    ]
    tally = Tally(cases=1)
    tally.by_source[case.source] += 1
    tally.breaks += [
        Break(seed=str(seed), options="--large", law=law, case=str(case)) for law in laws if law
    ]
    refused = [outcome for outcome in (one, two) if isinstance(outcome, Refused)]
    if refused:
        tally.refused[explanation(refused[0]) or f"NOT EXPLAINED: {refused[0].text:.150}"] += 1
    else:
        tally.released += 1
    return tally


def _question(rng: Random) -> tuple[dict[str, Any], int]:
    """The words of a question, and how far one person may move each count."""
    bits = {"smokers": "smoker", "long": "length(note) > 40", "so": "note LIKE '%so%'"}
    words: dict[str, Any] = {
        "by": ["clinic"],
        "count": dict(rng.sample([*bits.items()], 2)),
        "nulls": rng.choice(("0", "1")),
    }
    answers = {"answers": ["good", "bad", "fair"], "nulls": rng.choice(("unsaid", "bad"))}
    kind = rng.choice(("rows", "levels", "excess", "excess", "cap", "answers", "refused"))
    if kind == "levels":
        words |= {"by": ["region", "clinic"], "levels": "rollup"}
    elif kind == "excess":
        contributions = rng.choice((1, 1, 2))
        words |= {"unit": "person", "excess": "drop", "contributions": contributions}
        words["by"] = rng.choice((["clinic"], ["region"], [], ["region", "clinic"]))
        words["count"] |= {"mood": answers} if rng.random() < 0.5 else {}
        return words, contributions
    elif kind == "cap":
        words |= {
            "unit": "person",
            "excess": "drop",
            "other_keys": "drop",
            "cap": rng.choice((20, 400)),
        }
        words |= {"keys": [f"c{k}" for k in range(0, _CLINICS, 2)], "count": {"smoker": "smoker"}}
    elif kind == "answers":
        words["count"] = {"mood": answers}
    elif kind == "refused":  # a missing mood is somebody else's too, so both are refused
        words |= {"count": {"mood": answers["answers"]}, "nulls": "refuse"}
    return words, 1


def _change(rng: Random, mine: str, *, capped: bool) -> tuple[str, str]:
    """What one person does, and the table afterwards."""
    if capped and rng.random() < 0.5:
        if rng.random() < 0.5:
            return "leaves", f"(FROM people WHERE NOT ({mine}))"
        clinics = f"'c' || (substr(clinic, 2)::INTEGER + 1) % {_CLINICS}"
        return (
            "moves",
            f"(SELECT * REPLACE (CASE WHEN {mine} THEN {clinics} ELSE clinic END AS clinic) FROM people)",
        )
    note = rng.choice(
        (
            "NULL",
            "''",
            "note || 'y'",
            "repeat('y', 70000)",
            "repeat('say \"so\"' || chr(10), 9000)",
            "repeat(chr(13) || chr(10) || ',', 700000)",
        )
    )
    columns = {"note": note}
    if rng.random() < 0.5:
        columns |= {"smoker": "1 - smoker", "mood": rng.choice(("NULL", "'good'", "'bad'"))}
    replaced = ", ".join(
        f"CASE WHEN {mine} THEN {new} ELSE {name} END AS {name}" for name, new in columns.items()
    )
    return f"{', '.join(columns)} := {note}", f"(SELECT * REPLACE ({replaced}) FROM people)"


def _source(kind: str, database: Any, path: Path, table: str, rng: Random) -> Any:
    """The table as a source; a file is written once."""
    rows = f"(SELECT * EXCLUDE (place) FROM {table} ORDER BY place)"
    if kind == "arrow":
        return database.sql(f"FROM {rows}").to_arrow_table()
    if kind == "pandas":
        return (
            database.sql(f"FROM {rows}")
            .df()
            .astype(dict.fromkeys(("person", "clinic", "region", "mood", "note"), "string"))
        )
    if kind == "duckdb":
        return database.sql(f"FROM {rows}")
    if kind == "parts":
        path.mkdir(exist_ok=True)
        for part in range(3):
            piece = (
                f"(SELECT * EXCLUDE (place) FROM {table} WHERE place % 3 = {part} ORDER BY place)"
            )
            database.execute(f"COPY {piece} TO '{path}/part-{part}.parquet'")
        return str(path)
    ending, options = {
        "csv": ("csv", "HEADER, FORCE_QUOTE (note)"),
        "quoted-csv": ("csv", "HEADER, FORCE_QUOTE *"),
        "parquet": ("parquet", f"ROW_GROUP_SIZE {rng.choice((2_048, 20_000, 122_880))}"),
    }[kind]
    database.execute(f"COPY {rows} TO '{path}.{ending}' ({options})")
    return f"{path}.{ending}"


def _repeated(one: Outcome, again: Outcome) -> str:
    """Reading a table twice, with any number of threads, gives one answer."""
    return (
        ""
        if one == again
        else f"two readings of one table differ: {_short(one)} and {_short(again)}"
    )


def _moved(case: LargeCase, before: Outcome, after: Outcome) -> str:
    """Groups, sizes and facts stay; what is counted moves by what one person may move, and refusals are listed ones."""
    if isinstance(before, Refused) or isinstance(after, Refused):
        refused = [one for one in (before, after) if isinstance(one, Refused)]
        if not all(one.ours and explanation(one) for one in refused):
            return f"a refusal that is not explained: {' and '.join(map(_short, refused))}"
        alike = len(refused) == 2 and refused[0].text == refused[1].text
        return (
            ""
            if alike or any(map(depends_on_data, refused))
            else "a refusal depends on one person's value"
        )
    if before.facts != after.facts or before.warnings != after.warnings:
        return "what is published as it is changed"
    levels = zip((before.rows, *before.coarser), (after.rows, *after.coarser), strict=True)
    return next((law for one, two in levels if (law := _moved_level(case, one, two))), "")


def _moved_level(case: LargeCase, before: tuple[Row, ...], after: tuple[Row, ...]) -> str:
    if [row[:2] for row in before] != [row[:2] for row in after]:
        return "groups, sizes or their order changed"
    for one, two in zip(
        zip(*(row[2] for row in before), strict=True),
        zip(*(row[2] for row in after), strict=True),
        strict=True,
    ):
        moved = sum(abs(x - y) for x, y in zip(one, two, strict=True))
        if moved > case.limit:
            return f"a count moved by {moved} rows, and one person may move it by {case.limit}"
    return ""


def _short(outcome: Outcome) -> str:
    return (
        f"refused: {outcome.text[:200]}"
        if isinstance(outcome, Refused)
        else f"{len(outcome.rows)} groups"
    )
