"""What can be asked of a table: how a request is made, what one person may change, and what may move before noise.

A new capability of the library (histograms, levels) is a new entry of `CAPABILITIES`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import Any

from tests.metamorphic.answers import ask_answers, ask_two_answers, first_of_two, moved_answers
from tests.metamorphic.capped import PRESENT_IN, make_capped, make_present, moved_capped
from tests.metamorphic.cases import Capability, Case, Expected
from tests.metamorphic.outcomes import Counted
from tests.metamorphic.requests import (
    KEY_KINDS,
    PROTECTED_NAMES,
    PUBLIC_NAMES,
    Asked,
    ask,
    people,
    query_over,
)
from tests.metamorphic.sources import FILES, SOURCES, is_text, variants
from tests.metamorphic.tables import Column, Table
from tests.metamorphic.values import KINDS

# --- one person's protected values ---


def make_bits(
    rng: Random,
    source: str,
    folder: Path,
    place: int,
    *,
    more: Callable[[Asked], None] | None = None,
) -> Case:
    """People, grouped; any predicates as counts and filters; everything that is not public changes."""
    table, keys, protected = people(rng, source)
    query, made_of, kinds = (
        "",
        {name: frozenset((name,)) for name in table.names},
        {c.name: c.kind for c in table.columns},
    )
    query_where: set[str] = set()
    path = (
        str(folder / f"people.{source.rpartition('-')[2]}")
        if source.endswith(("csv", "parquet"))
        else ""
    )
    if source.startswith("query"):
        query, made_of, kinds, query_where = query_over(rng, table, protected, path)
        keys = [
            name
            for name, behind in made_of.items()
            if behind <= set(keys) and kinds[name] in KEY_KINDS
        ]
        protected = [name for name, behind in made_of.items() if behind & set(protected)]
    asked = Asked(rng, made_of, kinds, protected, path, place)
    asked.public |= query_where
    limit = ask(asked, keys, [name for name in table.names if name == "person"])
    if more is not None:
        more(asked)
    if source in FILES and source != "parquet" and rng.random() < 0.15:
        kind = rng.choice(("INTEGER", "DOUBLE", "BOOLEAN", "DATE", "DECIMAL(9,2)"))
        asked.words["read"] = {"types": {rng.choice(protected): kind}}
    unit = asked.words.get("unit")
    row = rng.randrange(table.rows)
    rows = (
        [r for r in range(table.rows) if table["person"].values[r] == table["person"].values[row]]
        if unit
        else [row]
    )
    after = table.changed(rng, rows, asked.free())
    expected = _expected(table, asked.words) if not query else None
    return Case(
        source=source,
        before=table,
        after=after,
        words=asked.words,
        query=query,
        limit=limit,
        expected=expected,
    )


def make_answers(rng: Random, source: str, folder: Path, place: int) -> Case:
    """The same with a question of several answers, of which one person changes one for another."""
    return make_bits(rng, source, folder, place, more=ask_answers)


def make_two_answers(rng: Random, source: str, folder: Path, place: int) -> Case:
    """The same with a question of two answers, of which the first is counted and neither may be missing."""
    case = make_bits(rng, source, folder, place, more=ask_two_answers)
    return (
        case
        if is_text(source) or case.query
        else replace(case, expected=_expected_of_two(case.before, case.words))
    )


def _expected_of_two(table: Table, words: Mapping[str, Any]) -> Expected | None:
    """Sizes and counts as Python tells them, of one question; nothing at all where some row has neither answer."""
    question = words["count"].get("question", {})
    plain = ("bool", "bit", "byte", "bit-text", "int", "uint", "text")
    if (
        len(words["count"]) > 1
        or "answers" not in question
        or table[question["column"]].kind not in plain
    ):
        return None
    if words.get("where"):  # rows that have neither answer may be among those that it leaves out
        return None
    bits = first_of_two(question, table[question["column"]].values, words["nulls"])
    if bits is None:
        return []
    counted = Table(
        columns=(*table.columns, Column(name="counted here", kind="bit", values=tuple(bits)))
    )
    return _expected(counted, {**words, "count": {"question": "counted here"}})


def _expected(table: Table, words: Mapping[str, Any]) -> Expected | None:
    """Sizes and counts as Python tells them, where every count is a plain column of true, false, 0 and 1."""
    names = list(words["count"].values())
    if (
        words.get("smallest")
        or words.get("where")
        or words.get("excess") == "drop"
        or any(name not in table.names for name in names)
    ):
        return None
    if any(table[name].kind not in ("bool", "bit") for name in names) or any(
        name not in table.names for name in words["by"]
    ):
        return None
    groups: dict[str, list[list[Any]]] = {}
    for row in range(table.rows):
        key = repr([table[name].values[row] for name in words["by"]])
        groups.setdefault(key, []).append([table[name].values[row] for name in names])
    return sorted(
        (len(rows), tuple(int(sum(bits)) for bits in zip(*rows, strict=True)))
        for rows in groups.values()
    )


def moved_bits(case: Case, before: Counted, after: Counted) -> str:
    """Groups, sizes, order and facts stay; each count moves by at most as many rows as one person has."""
    if [row[:2] for row in before.rows] != [row[:2] for row in after.rows]:
        return "groups, sizes or their order changed"
    if before.facts != after.facts:
        changed = [
            f"{one:.200} -> {two:.200}"
            for one, two in zip(before.facts, after.facts, strict=True)
            if one != two
        ]
        return f"a public fact changed: {'; '.join(changed)}"
    if law := moved_answers(case.words["count"], case.limit, before.rows, after.rows):
        return law
    if (
        case.expected is not None
        and (found := sorted((n, c) for _, n, c in before.rows)) != case.expected
    ):
        return f"counted sizes and counts {found}, not {case.expected}"
    return ""


# --- levels ---


def make_levels(rng: Random, source: str, folder: Path, place: int) -> Case:
    """The same at several levels: what one person may move, they may move once at each."""
    case = make_bits(rng, source, folder, place)
    by = list(case.words["by"])
    rng.shuffle(by)
    word = rng.choice(("rollup", "cube")) if len(by) == 2 else "rollup"
    return replace(case, words={**case.words, "by": by, "levels": word})


def moved_levels(case: Case, before: Counted, after: Counted) -> str:
    """Every level holds the law of the finest, and has its people and counts."""
    for rows, then in zip(
        (before.rows, *before.coarser), (after.rows, *after.coarser), strict=True
    ):
        finest = rows is before.rows
        law = moved_bits(
            case if finest else replace(case, expected=None),
            replace(before, rows=rows),
            replace(after, rows=then),
        )
        if law:
            return law if finest else f"at a coarser level: {law}"
        if before.rows and _sums(rows) != _sums(
            before.rows
        ):  # without any group, a release ends here
            return f"a level counts {_sums(rows)} in all, and the finest {_sums(before.rows)}"
    return ""


def _sums(rows: Any) -> tuple[int, ...]:
    return tuple(map(sum, zip(*((n, *counts) for _, n, counts in rows), strict=True)))


# --- tables of counts ---


def make_counts(rng: Random, source: str, folder: Path, place: int) -> Case:
    """A table of counts, one row a group: one person moves one count by one."""
    rows = rng.randint(2, 8)
    sizes = [rng.randint(0, 9) for _ in range(rows)]
    if max(sizes) == 0:
        sizes[0] = 4
    true = [rng.randint(0, size) for size in sizes]
    row = rng.choice([r for r, size in enumerate(sizes) if size])
    new = list(true)
    new[row] += 1 if true[row] == 0 or (true[row] < sizes[row] and rng.random() < 0.5) else -1
    kind = rng.choice(("int", "text") if is_text(source) else ("int", "float", "decimal", "text"))
    turn = {
        "int": int,
        "float": float,
        "decimal": lambda x: Decimal(x).quantize(Decimal("0.001")),
        "text": str,
    }[kind]
    variant = rng.choice(list(variants(source, kind)))
    count = Column(name="Ill", kind=kind, values=tuple(map(turn, true)), variant=variant)
    keys = Column(
        name="clinic",
        kind="text",
        values=tuple(f"k{r}" for r in range(rows)),
        variant=rng.choice(_safe(source, "text")),
    )
    bystander = rng.choice(("text", "int", "decimal"))
    found = variants(source, bystander)
    chosen = rng.choice(list(found))
    other = Column(
        name="note",
        kind=bystander,
        variant=chosen,
        freedom=found[chosen],
        values=tuple(KINDS[bystander].value(rng) for _ in range(rows)),
    )
    given: str | int = rng.choice(("people", 9))
    people = Column(
        name="people", kind="int", values=tuple(sizes), variant=rng.choice(_safe(source, "int"))
    )
    before = Table(columns=(keys, people, count, other))
    after = before.changed(rng, [row], ["note"]).with_column(
        replace(count, values=tuple(map(turn, new)))
    )
    words = {"by": "clinic", "count": {"ill": rng.choice(("Ill", "ILL"))}, "size": given}
    expected = sorted(
        ((9 if given == 9 else size), (c,)) for size, c in zip(sizes, true, strict=True)
    )
    if (
        Random(f"{place}/two answers").random() < 0.2
    ):  # the same as a question whose second answer is the others
        whole = [9 if given == 9 else size for size in sizes]
        well, now = (
            tuple(turn(n - c) for n, c in zip(whole, side, strict=True)) for side in (true, new)
        )
        no = replace(count, name="Well", values=well)
        before = Table(columns=(*before.columns, no))
        after = Table(columns=(*after.columns, no)).with_column(replace(no, values=now))
        words["count"] = {"ill": {"yes": words["count"]["ill"], "no": "Well"}}
    elif (
        Random(f"{place}/answers").random() < 0.4
    ):  # the same as a question with an answer for the others
        whole = [9 if given == 9 else size for size in sizes]
        well, now = ([n - c for n, c in zip(whole, side, strict=True)] for side in (true, new))
        no, maybe = (
            replace(count, name=name, values=tuple(map(turn, well))) for name in ("Well", "Unsure")
        )
        maybe = replace(maybe, values=tuple(map(turn, [0] * rows)))
        before, after = (Table(columns=(*side.columns, no, maybe)) for side in (before, after))
        after = after.with_column(replace(no, values=tuple(map(turn, now))))
        words["count"] = {"ill": {"yes": words["count"]["ill"], "no": "Well", "maybe": "Unsure"}}
        expected = sorted((n, (c, n - c, 0)) for n, c in zip(whole, true, strict=True))
    query = "SELECT * FROM '{path}'" if source.startswith("query") else ""
    return Case(
        source=source, before=before, after=after, words=words, expected=expected, query=query
    )


def _safe(source: str, kind: str) -> list[str]:
    return [v for v in variants(source, kind) if v not in ("object", "category")]


# --- a row is read by itself ---


def make_rows(rng: Random, source: str, folder: Path, place: int) -> Case:
    """One person stands under another key: the two groups change, and no other is read otherwise."""
    rows = rng.randint(5, 10)
    pools = {
        "int": (2**53, 2**53 + 1, 2**53 + 2, 7),
        "text": ("01", "1", "1.0", "x"),
        "float": (1.0, 2.0, 0.1),
    }
    kind = rng.choice(list(pools))
    found = variants(source, kind)
    variant = rng.choice(list(found))
    values = tuple(rng.choices(pools[kind], k=rows))
    key = Column(name="id", kind=kind, values=values, variant=variant, freedom=found[variant])
    bits = Column(name="smoker", kind="bool", values=tuple(rng.choices((True, False), k=rows)))
    before = Table(columns=(key, bits if source != "pandas" else replace(bits, variant="numpy")))
    after = before.changed(rng, [rng.randrange(rows)], ["id"])
    query = "SELECT id, smoker FROM '{path}'" if source.startswith("query") else ""
    words = {"by": ["id"], "count": {"smokers": "smoker"}}
    return Case(
        source=source,
        before=before,
        after=after,
        words=words,
        query=query,
        expected=_expected(before, words),
    )


def moved_rows(case: Case, before: Counted, after: Counted) -> str:
    """One row leaves a group and joins another; all other groups stay as they were."""
    one, two = ({key: n or 0 for key, n, _ in side.rows} for side in (before, after))
    total = sum(abs(one.get(key, 0) - two.get(key, 0)) for key in one.keys() | two.keys())
    if total > 2:
        return f"one row took another key, and sizes of groups changed by {total} in all"
    if (
        case.expected is not None
        and (found := sorted((n, c) for _, n, c in before.rows)) != case.expected
    ):
        return f"counted sizes and counts {found}, not {case.expected}"
    return ""


# --- where a row lies ---


def make_reordered(rng: Random, source: str, folder: Path, place: int) -> Case:
    """People with more rows than are counted, and the same rows in another order."""
    rows = rng.randint(6, 12)
    people = [f"p{number}" for number in rng.choices(range(3), k=rows)]
    values = {
        "person": people,
        "clinic": rng.choices(("north", "south", None), k=rows),
        "smoking": rng.choices(("never", "former", None), k=rows),
        "ill": rng.choices(("1", "0", None), k=rows),
    }
    variant = next(one for one in variants(source, "text") if one not in ("object", "category"))
    before = Table(
        columns=tuple(
            Column(name=name, kind="text", values=tuple(one), variant=variant)
            for name, one in values.items()
        )
    )
    order = rng.sample(range(rows), rows)
    after = Table(
        columns=tuple(
            replace(one, values=tuple(one.values[row] for row in order)) for one in before.columns
        )
    )
    words: dict[str, Any] = {
        "by": rng.choice(([], ["clinic"])),
        "unit": "person",
        "excess": "drop",
        "nulls": rng.choice(("0", "1")),
        "count": {"ill": "ill", "smoking": {"answers": ["never", "former"], "nulls": "unknown"}},
        "contributions": rng.choice((1, 2, 3)),
    }
    if rng.random() < 0.4:
        other = {"answers": ["never", "former"], "other": "other", "nulls": "unknown"}
        words |= {
            "by": ["clinic"],
            "contributions": 1,
            "cap": 2,
            "keys": ["north", "south"],
            "other_keys": "drop",
        }
        words["count"]["smoking"] = other
    query = (
        "SELECT person, clinic, smoking, ill FROM '{path}'" if source.startswith("query") else ""
    )
    return Case(source=source, before=before, after=after, words=words, query=query, limit=0)


def moved_nothing(case: Case, before: Counted, after: Counted) -> str:
    """Nothing moves: which rows are counted is decided by what they hold, and not by where they lie."""
    return "" if before == after else "another order of the rows moved something"


# --- names of files and folders ---

_ODD_NAMES = (
    ("a[1]", "a1"),
    ("a*", "ab"),
    ("a?", "ax"),
    ("[!b]", "a"),
    ("{a}", "a"),
    ("a b%20'c", ""),
    ("**", "z"),
    ("~", ""),
)


def make_files(rng: Random, source: str, folder: Path, place: int) -> Case:
    """A file whose name or folder could be taken for a pattern or for a column; beside it one that is not asked for."""
    case = make_bits(rng, source, folder, place)
    table = case.before
    bits = [
        column.name
        for column in table.columns
        if column.kind in ("bool", "bit") and column.name in PROTECTED_NAMES
    ]
    name, decoy = rng.choice(_ODD_NAMES)
    if not bits:
        flags = tuple(rng.choices((True, False), k=table.rows))
        table = Table(
            columns=(
                *table.columns,
                Column(name="Sick", kind="bool", values=flags, freedom=_free(source)),
            )
        )
        bits = ["Sick"]
    if rng.random() < 0.5:
        column = rng.choice(
            [
                bits[0],
                bits[0],
                next(c.name for c in table.columns if c.name in PUBLIC_NAMES),
                "person",
            ]
        )
        name, decoy = f"{column.replace('/', '')}={rng.choice(('1', 'a', '9'))}/people", ""
    keys = [c.name for c in table.columns if c.name in PUBLIC_NAMES][: rng.randint(1, 2)]
    words = {"by": keys, "count": {"bit": bits[0]}, "nulls": rng.choice(("0", "1"))}
    after = table.changed(
        rng, [rng.randrange(table.rows)], [c.name for c in table.columns if c.name not in keys]
    )
    query = "SELECT * FROM '{path}'" if source.startswith("query") else ""
    return Case(
        source=source,
        before=table,
        after=after,
        words=words,
        name=name,
        decoy=decoy,
        query=query,
        expected=_expected(table, words),
    )


def _free(source: str) -> str:
    return variants(source, "bool")["plain"]


_EVERY = tuple(SOURCES)
CAPABILITIES = {
    one.name: one
    for one in (
        Capability(name="bits", sources=_EVERY, make=make_bits, moved=moved_bits),
        Capability(name="answers", sources=_EVERY, make=make_answers, moved=moved_bits),
        Capability(name="two answers", sources=_EVERY, make=make_two_answers, moved=moved_bits),
        Capability(name="levels", sources=_EVERY, make=make_levels, moved=moved_levels),
        Capability(name="counts", sources=_EVERY, make=make_counts, moved=moved_bits),
        Capability(
            name="rows", sources=_EVERY, make=make_rows, moved=moved_rows, refusals_public=True
        ),
        Capability(
            name="files",
            sources=(*FILES, "query-csv", "query-parquet"),
            make=make_files,
            moved=moved_bits,
        ),
        Capability(
            name="capped",
            sources=_EVERY,
            make=make_capped,
            moved=moved_capped,
            presence_protected=True,
        ),
        Capability(
            name="present",
            sources=PRESENT_IN,
            make=make_present,
            moved=moved_capped,
            presence_protected=True,
        ),
        Capability(name="reordered", sources=_EVERY, make=make_reordered, moved=moved_nothing),
    )
}
WEIGHTS = {
    "bits": 12,
    "answers": 3,
    "two answers": 3,
    "levels": 3,
    "counts": 2,
    "rows": 2,
    "files": 2,
    "capped": 2,
    "present": 2,
    "reordered": 1,
}


def make_case(
    seed: str, source: str, folder: Path, capability: str = ""
) -> tuple[Capability, Case]:
    """The case of a seed: the same for the same seed and source."""
    rng = Random(f"{seed}/{source}")
    able = [
        one
        for one in CAPABILITIES.values()
        if source in one.sources and capability in ("", one.name)
    ]
    chosen = rng.choices(able, [WEIGHTS[one.name] for one in able])[0]
    place = int(seed) * len(SOURCES) + list(SOURCES).index(
        source
    )  # so that a run walks through the whole catalogue
    return chosen, chosen.make(rng, source, folder, place)
