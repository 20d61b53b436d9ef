"""A random table of people, and a random request of it: which columns it names, and which of them are public."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from tests.metamorphic.predicates import Writer, mentioned
from tests.metamorphic.sources import is_text, variants
from tests.metamorphic.tables import Column, Table
from tests.metamorphic.values import BITS, KINDS, NESTED

KEY_KINDS = {"text": ("a", "b", "c"), "int": (1, 2, 3), "bool": (True, False)}
PUBLIC_NAMES = (
    "region",
    "Clinic",
    "frame",
    "truth",
    "k0",
    "row",
    "discreet source",
    "größe",
    "x y",
    "select",
    "n0",
)
PROTECTED_NAMES = ("Smoker", "age", "status", "c0", "Straße", "we'ird", "is sick", "a.b", "where")


@dataclass(slots=True)
class Asked:
    """A request under construction: what it names, and what those names are made of in the source."""

    rng: Random
    made_of: dict[str, frozenset[str]]
    kinds: dict[str, str]
    protected: list[str]
    path: str
    place: int
    words: dict[str, Any] = field(default_factory=dict)
    counted: set[str] = field(default_factory=set)
    public: set[str] = field(default_factory=set)
    declared: set[str] = field(default_factory=set)

    def writer(self, names: Sequence[str]) -> Writer:
        """Something that writes predicates over these columns."""
        return Writer(
            self.rng, {name: self.kinds[name] for name in names}, self.path, self.protected
        )

    def named(self, text: str) -> frozenset[str]:
        """The columns a text names: the one it is, or those of a predicate."""
        return frozenset((text,)) if text in self.made_of else mentioned(text, self.made_of)

    def behind(self, names: Sequence[str] | set[str]) -> frozenset[str]:
        """The source's columns from which these are made."""
        return frozenset().union(*(self.made_of[name] for name in names if name in self.made_of))

    def free(self) -> set[str]:
        """The columns one person may change: all but those that are public, and even those if a count reads them."""
        every = frozenset().union(*self.made_of.values())
        return {
            name
            for name in every
            if name not in self.public or (name in self.counted and name not in self.declared)
        }


def people(rng: Random, source: str) -> tuple[Table, list[str], list[str]]:
    """People of two public columns, some protected ones, and a number that tells them apart."""
    rows = rng.randint(4, 12)
    columns, keys, protected = [], [], []
    for name in rng.sample(PUBLIC_NAMES, 2):
        kind = rng.choice(list(KEY_KINDS))
        found = {
            v: free for v, free in variants(source, kind).items() if v not in ("object", "category")
        }
        variant = rng.choice(list(found))
        values = rng.choices(KEY_KINDS[kind], k=rows)
        columns.append(
            Column(
                name=name, kind=kind, values=tuple(values), variant=variant, freedom=found[variant]
            )
        )
        keys.append(name)
    usable = [k for k in KINDS if k not in NESTED or not is_text(source)]
    for name in rng.sample(PROTECTED_NAMES, rng.randint(2, 3)):
        kind = rng.choice(BITS if not protected else usable)
        found = variants(source, kind)
        untyped = [v for v in ("object", "category") if v in found]
        variant = rng.choice(untyped if untyped and rng.random() < 0.5 else list(found))
        value = KINDS[kind].value
        values = [value(rng) for _ in range(rows)]
        if source == "pandas" and variant == "numpy":
            values = [KINDS[kind].common[0] if v is None else v for v in values]
        if kind in BITS:  # or most cases would break a rule before anything is changed
            values = [rng.choice(KINDS[kind].common) for _ in values]
        columns.append(
            Column(
                name=name, kind=kind, values=tuple(values), variant=variant, freedom=found[variant]
            )
        )
        protected.append(name)
    numbers = [rng.randint(1, max(2, rows // 2)) for _ in range(rows)]
    columns.append(Column(name="person", kind="int", values=tuple(numbers)))
    rng.shuffle(columns)
    return Table(columns=tuple(columns)), keys, protected


def ask(asked: Asked, keys: list[str], person: list[str]) -> int:
    """Fill in the words of a request; return how many rows one person may have."""
    rng, words = asked.rng, asked.words
    by = rng.sample(keys, min(len(keys), rng.choice((0, 1, 1, 1, 2))))
    if (
        rng.random() < 0.06 and asked.protected
    ):  # a protected column as a key, under some spelling of its name
        by.append(rng.choice((str.upper, str.lower, str))(rng.choice(asked.protected)))
    twin = "twin" in asked.made_of and rng.random() < 0.6  # one column in two roles
    if twin and rng.random() < 0.5:
        by.append("twin")
    words["by"] = by
    spelled = {name.casefold(): name for name in asked.made_of}
    asked.public |= asked.behind([spelled.get(name.casefold(), name) for name in by])
    counts: dict[str, str] = {}
    for k in range(rng.choice((1, 1, 1, 1, 1, 2, 3))):
        writer = asked.writer(
            asked.protected if asked.protected and rng.random() < 0.9 else list(asked.made_of)
        )
        bit = writer.bit()
        if bit and rng.random() < 0.25:
            counts[f"count{k}"] = rng.choice((bit, bit, '"' + bit.upper() + '"'))
        else:
            counts[f"count{k}"] = writer.any(asked.place if k == 0 else None)
        asked.counted |= asked.behind(asked.named(counts[f"count{k}"]))
    words["count"] = counts
    if rng.random() < 0.3 or (twin and "twin" not in by):
        plain = [name for name in asked.made_of if name not in asked.protected]
        chosen = (
            ["twin"]
            if twin and "twin" not in by
            else plain
            if plain and rng.random() < 0.85
            else list(asked.made_of)
        )
        writer = asked.writer(chosen)
        words["where"] = writer.any(asked.place if rng.random() < 0.5 else None)
        asked.public |= asked.behind(asked.named(words["where"]))
    _make_keys(asked, by)
    words["nulls"] = rng.choice(("0", "1", "0", "1", "refuse"))
    if rng.random() < 0.15:
        names = [name for name in asked.made_of if asked.behind([name]) & asked.public]
        words["public"] = names
        asked.public |= asked.behind(names)
        asked.declared |= asked.behind(names)
    if person and rng.random() < 0.35 and "person" in asked.made_of:
        words["unit"] = "person"
        words["contributions"] = rng.choice((1, 1, 2, 3, 4))
        words["excess"] = rng.choice(("refuse", "drop"))
        words["together"] = words["contributions"] > 2
        asked.public |= asked.behind(["person"])
        return int(words["contributions"])
    return 1


def _make_keys(asked: Asked, by: list[str]) -> None:
    """Sometimes a key more that is made of the others, and groups of one person merged."""
    rng = Random(f"{asked.place}/keys")  # of its own: the other words stay as they are
    if not by or any(name not in asked.made_of for name in by):
        return
    if rng.random() < 0.25:
        writer = Writer(rng, {name: asked.kinds[name] for name in by}, asked.path, asked.protected)
        made = f"{writer.column()} IS NULL"
        asked.words["by"] = {name: name for name in by} | {"made key": made}
    if rng.random() < 0.2:
        asked.words["smallest"] = 2


def query_over(
    rng: Random, table: Table, protected: list[str], path: str
) -> tuple[str, dict, dict, set[str]]:
    """A SELECT of some columns under their own or other columns' names, some computed, some rows left out."""
    items, made_of, kinds = [], {}, {}
    names = list(table.names)
    for column in table.columns:
        name = column.name
        alias = (
            name if rng.random() < 0.7 else rng.choice([*names, name.upper(), f"{name}2", "zone"])
        )
        if alias.casefold() in (known.casefold() for known in made_of):
            continue
        writer = Writer(rng, {name: column.kind}, path, protected)
        if name in protected and rng.random() < 0.3:
            text, kind = f"({writer.any()})", "bool"
        else:
            text, kind = writer.column(name), column.kind
        items.append(f'{text} AS "{alias}"')
        made_of[alias] = mentioned(text, names)
        kinds[alias] = kind
    if rng.random() < 0.25:  # a protected column under a second name
        name = rng.choice(protected)
        items.append(f'"{name}" AS "twin"')
        made_of["twin"], kinds["twin"] = frozenset((name,)), table[name].kind
    where, used = "", set()
    if rng.random() < 0.3:
        writer = Writer(
            rng, {c.name: c.kind for c in table.columns if c.name not in protected}, path, protected
        )
        where = f" WHERE {writer.any()}"
        used = set(mentioned(where, names))
    return f"SELECT {', '.join(items)} FROM '{{path}}'{where}", made_of, kinds, used
