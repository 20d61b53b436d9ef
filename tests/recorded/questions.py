"""The questions about tables whose price and guarantee are recorded, in words of their own (see `asking`), by group.

table            one of `TABLES`, which are made here
by, made         the key columns, and expressions that some of them are made of
counts           each with a name, and a column, `where`, `answers` (a list) or `conditions` (answer and
                     predicate, in order); its `weight`
person           the column that identifies a person; `rows_per_person`, `same_group`, `surplus`
sizes            of a table of counts: the column of group sizes, or one size
properties, loss, prior, worst_case, gap, mechanisms
levels           "rollup", "cube" or the keys of the coarser levels; `shares` of epsilon by level, the finest has the rest
keys, other_keys, cap, smallest, where, public, missing
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

Question = dict[str, Any]
REGIONS = ("north", "south", "west")
MOODS = ("low", "fair", "high")


def people() -> dict[str, list[Any]]:
    """A row for each of 150 people in 12 clinics."""
    r = random.Random("people")
    rows = []
    for person in range(150):
        clinic = min(int(r.expovariate(0.25)), 11)
        rows.append(
            {
                "person": person,
                "region": REGIONS[clinic % 3],
                "clinic": f"c{clinic:02}",
                "age": 20 + person * 7 % 60,
                "smoker": r.random() < 0.3,
                "old": int(r.random() < 0.4),
                "mood": r.choice(MOODS),
                "scale": r.randint(1, 5),
            }
        )
    return _columns(rows)


def visits() -> dict[str, list[Any]]:
    """Up to three rows of a person, all in one clinic."""
    r = random.Random("visits")
    rows = []
    for person in range(60):
        clinic = person % 7
        for _ in range(r.choice((1, 1, 2, 3))):
            rows.append(
                {
                    "person": person,
                    "region": REGIONS[clinic % 3],
                    "clinic": f"c{clinic:02}",
                    "late": int(r.random() < 0.3),
                    "paid": int(r.random() < 0.6),
                    "mood": r.choice(MOODS),
                }
            )
    return _columns(rows)


def moved() -> dict[str, list[Any]]:
    """Up to three rows of a person, in any clinics."""
    r = random.Random("moved")
    table = visits()
    table["clinic"] = [f"c{r.randint(0, 5):02}" for _ in table["clinic"]]
    return table


def counted() -> dict[str, list[Any]]:
    """A row for each clinic, with its number of people and counts among them."""
    r = random.Random("counted")
    rows = []
    for clinic in range(9):
        n = r.randint(1, 14)
        smokers = r.randint(0, n)
        low = r.randint(0, n)
        fair = r.randint(0, n - low)
        rows.append(
            {
                "region": REGIONS[clinic % 3],
                "clinic": f"c{clinic:02}",
                "people": n,
                "smokers": smokers,
                "low": low,
                "fair": fair,
                "high": n - low - fair,
            }
        )
    return _columns(rows)


def gaps() -> dict[str, list[Any]]:
    """People of whom some answers are missing or written otherwise."""
    table = people()
    table["smoker"] = [
        None if person % 11 == 0 else each for person, each in enumerate(table["smoker"])
    ]
    table["mood"] = [
        None if person % 13 == 0 else "?" if person % 17 == 0 else m
        for person, m in enumerate(table["mood"])
    ]
    return table


def _columns(rows: list[dict[str, Any]]) -> dict[str, list[Any]]:
    return {name: [row[name] for row in rows] for name in rows[0]}


TABLES: dict[str, Callable[[], dict[str, list[Any]]]] = {
    one.__name__: one for one in (people, visits, moved, counted, gaps)
}

SMOKER, OLD = {"name": "smoker"}, {"name": "old"}
AGED = {"name": "aged", "where": "old = 1 and smoker"}
MOOD = {"name": "mood", "answers": list(MOODS)}
SCALE = {"name": "scale", "answers": [1, 2, 3, 4, 5]}
CLINICS = {"region": [REGIONS[c % 3] for c in range(13)], "clinic": [f"c{c:02}" for c in range(13)]}


def _ask(**asked: Any) -> Question:
    usual = {
        "kind": "question",
        "table": "people",
        "by": ["region", "clinic"],
        "counts": [SMOKER],
        "epsilon": "1",
    }
    if "alpha" in asked or "mechanisms" in asked:
        del usual["epsilon"]
    return {**usual, **asked}


def counts() -> Iterator[Question]:
    """One count and several, with weights, at each way to write the privacy."""
    for privacy in (
        {"epsilon": "1"},
        {"epsilon": "0.3"},
        {"epsilon": "1/7"},
        {"alpha": "10/11"},
        {"alpha": "1/2"},
    ):
        yield _ask(**privacy)
        yield _ask(**privacy, counts=[SMOKER, OLD])
        yield _ask(
            **privacy,
            counts=[{**SMOKER, "weight": 2}, {**OLD, "weight": "1/3"}, {**AGED, "weight": "0.5"}],
        )
        yield _ask(**privacy, counts=[SMOKER, MOOD], person="person")
    for by in (["region"], ["clinic"], []):
        yield _ask(by=by)
        yield _ask(by=by, counts=[AGED, OLD], person="person")
    yield _ask(by=["region", "band"], made={"band": "age - age % 20"})
    yield _ask(where="age > 30")
    yield _ask(where="age > 30 and region <> 'west'", person="person")
    yield _ask(table="gaps", missing="0")
    yield _ask(table="gaps", missing="1", counts=[SMOKER, OLD])
    yield _ask(keys=CLINICS)
    yield _ask(keys={name: column[:12] for name, column in CLINICS.items()}, person="person")
    yield _ask(keys={name: column[:3] for name, column in CLINICS.items()}, other_keys="drop")
    yield _ask(counts=[{"name": "elder", "where": "age > 60"}], public=["age"])


def shapes() -> Iterator[Question]:
    """Shapes, losses and priors of the noise."""
    for names in ("WH", "F", "CM", "RM CM WH S", "RH RM CH CM WH F S", "ODP:1/3"):
        for epsilon in ("0.5", "1"):
            yield _ask(
                properties=names, epsilon=epsilon, by=["region"] if epsilon == "1" else ["clinic"]
            )
    for loss, prior, worst in product(("L1", "L2", "L0,1"), (None, "Binomial(0.3)"), (False, True)):
        asked: Question = {} if prior is None else {"prior": prior}
        yield _ask(
            table="counted",
            sizes="people",
            counts=[{"name": "smokers"}],
            loss=loss,
            worst_case=worst,
            **asked,
        )
    yield _ask(by=["region"], properties="CM", gap="0.01")


def histograms() -> Iterator[Question]:
    """Several answers: joint, answer by answer, with other and missing values, and two answers."""
    for epsilon, by in product(("0.5", "1", "2"), (["clinic"], ["region", "clinic"])):
        yield _ask(counts=[MOOD], by=by, epsilon=epsilon)
        yield _ask(counts=[{**MOOD, "cells": True}], by=by, epsilon=epsilon, person="person")
        yield _ask(counts=[{**SCALE, "cells": True}, SMOKER], by=by, epsilon=epsilon)
    yield _ask(counts=[MOOD], alpha="1/2")
    yield _ask(
        counts=[{**MOOD, "weight": 3}, {**SCALE, "weight": 1}, {**SMOKER, "weight": 1}],
        alpha="1/3",
        where="clinic > 'c03'",
    )
    yield _ask(counts=[{"name": "mood", "answers": ["low", "fair"], "other": "else"}])
    yield _ask(table="gaps", counts=[{**MOOD, "other": "else", "missing": "none"}])
    yield _ask(
        table="gaps",
        counts=[{"name": "mood", "answers": ["low"], "other": "not", "missing": "not"}],
    )
    yield _ask(counts=[{"name": "felt", "column": "mood", "answers": list(MOODS)}])
    yield _ask(
        counts=[{"name": "age", "conditions": [["young", "age < 40"], ["old", "age >= 40"]]}]
    )
    yield _ask(
        counts=[
            {
                "name": "age",
                "conditions": [
                    ["a", "age < 30"],
                    ["b", "age >= 30 and age < 60"],
                    ["c", "age >= 60"],
                ],
            }
        ]
    )
    yield _ask(counts=[{"name": "smoker", "answers": [True, False]}])
    parts = [[mood, mood] for mood in MOODS]
    yield _ask(table="counted", sizes="people", counts=[{"name": "mood", "conditions": parts}])


def rows_of_a_person() -> Iterator[Question]:
    """Several rows of a person, paid for one by one or together."""
    late, paid = {"name": "late"}, {"name": "paid"}
    for rows, table in product((3, 4), ("visits", "moved")):
        for asked in (
            {"counts": [late]},
            {"counts": [late, paid]},
            {"counts": [{**late, "weight": 3}, paid], "alpha": "1/2"},
        ):
            yield _ask(table=table, rows_per_person=rows, person="person", **asked)
            yield _ask(table=table, rows_per_person=rows, by=["clinic"], **asked)
    for rows, epsilon in product((3, 5), ("0.5", "1")):
        yield _ask(
            table="visits",
            rows_per_person=rows,
            same_group=True,
            person="person",
            counts=[late],
            epsilon=epsilon,
        )
        yield _ask(
            table="visits",
            rows_per_person=rows,
            same_group=True,
            person="person",
            counts=[late, paid],
            properties="WH",
        )
    for rows in (1, 2):
        yield _ask(
            table="moved", rows_per_person=rows, surplus="drop", person="person", counts=[late]
        )
        yield _ask(
            table="visits",
            rows_per_person=rows,
            surplus="drop",
            same_group=True,
            person="person",
            counts=[paid],
        )
        yield _ask(
            table="visits", rows_per_person=rows, surplus="refuse", person="person", counts=[paid]
        )
    yield _ask(table="moved", rows_per_person=3, counts=[MOOD], person="person")
    yield _ask(table="visits", rows_per_person=3, counts=[MOOD], person="person", same_group=True)


def levels() -> Iterator[Question]:
    """Several levels, with shares that were given or chosen."""
    for wanted in ("rollup", [["region"]], [[]], [["region"], []]):
        yield _ask(levels=wanted)
        yield _ask(levels=wanted, counts=[SMOKER, OLD], person="person", epsilon="0.7")
    for shares in ({"region": "1/5", "total": "1/10"}, {"region": "0.25", "total": "0.25"}):
        for asked in (
            {},
            {"alpha": "1/2"},
            {"counts": [SMOKER, {**OLD, "weight": 2}]},
            {"properties": "F"},
        ):
            yield _ask(levels="rollup", shares=shares, **asked)
    yield _ask(levels=[[]], shares={"total": "1/3"}, by=["region"], counts=[MOOD])
    yield _ask(levels="rollup", counts=[MOOD])
    yield _ask(levels="cube", by=["region", "band"], made={"band": "age - age % 30"})
    yield _ask(
        levels="cube",
        by=["region", "band"],
        made={"band": "age - age % 30"},
        shares={"region": "1/8", "band": "1/8", "total": "1/8"},
    )
    yield _ask(levels="rollup", keys=CLINICS)
    yield _ask(
        levels="rollup",
        table="visits",
        counts=[{"name": "late"}],
        rows_per_person=3,
        person="person",
    )
    yield _ask(
        levels="rollup",
        table="visits",
        counts=[{"name": "late"}],
        rows_per_person=3,
        person="person",
        same_group=True,
        shares={"region": "1/5", "total": "1/5"},
    )


def hidden_sizes() -> Iterator[Question]:
    """Group sizes that are hidden under a cap, and groups that are merged because they are small."""
    closed = {"keys": CLINICS, "person": "person", "other_keys": "drop", "surplus": "drop"}
    mood = {**MOOD, "other": "else", "missing": "else"}
    for cap, epsilon in product((1, 3, 6, 12, 40), ("0.5", "1")):
        yield _ask(cap=cap, epsilon=epsilon, missing="0", **closed)
        yield _ask(
            cap=cap, epsilon=epsilon, missing="0", counts=[SMOKER, {**mood, "weight": 2}], **closed
        )
    yield _ask(cap=5, missing="0", **{**closed, "surplus": "refuse"})
    yield _ask(cap=5, missing="refuse", **closed)
    yield _ask(cap=5, person="person", surplus="drop")
    for smallest in (3, 6, 10):
        yield _ask(smallest=smallest)
        yield _ask(smallest=smallest, counts=[SMOKER, OLD], properties="WH", person="person")
        yield _ask(smallest=smallest, levels=[["region"]], shares={"region": "1/4"})
        yield _ask(smallest=smallest, table="counted", sizes="people", counts=[{"name": "smokers"}])
    yield _ask(smallest=4, by=["clinic"], counts=[MOOD])
    yield _ask(smallest=500)


def spellings() -> Iterator[Question]:
    """Questions that are one question, written differently, and neighbours that are not."""
    for epsilon in ("1", "1.0", "2/2", "1.01"):
        yield _ask(epsilon=epsilon, counts=[SMOKER, OLD], person="person")
    for weights in ((1, 1), (3, 3), ("1/2", "0.5"), (2, 1), (4, 2), ("1", "1/2")):
        yield _ask(
            counts=[
                {**one, "weight": weight}
                for one, weight in zip((SMOKER, OLD), weights, strict=True)
            ]
        )
    for names in ("WH CM", "CM WH", "cm, wh", "CM"):
        yield _ask(properties=names, by=["region"])
    for loss in ("L1", "l1", 1):
        yield _ask(loss=loss, table="counted", sizes="people", counts=[{"name": "smokers"}])
    backward = {name: column[::-1] for name, column in CLINICS.items()}
    for keys in (CLINICS, backward):
        yield _ask(keys=keys)
    for levels in ([["region"], []], [[], ["region"]], "rollup"):
        yield _ask(levels=levels, shares={"total": "0.2", "region": "0.3"})


def tables_of_counts() -> Iterator[Question]:
    """A row is a group's, with its size."""
    smokers = {"name": "smokers"}
    for asked in (
        {},
        {"epsilon": "0.4"},
        {"alpha": "9/10"},
        {"properties": "WH CM"},
        {"rows_per_person": 2},
        {"by": ["region"]},
    ):
        yield _ask(table="counted", sizes="people", counts=[smokers], **asked)
        yield _ask(
            table="counted", sizes="people", counts=[smokers, {"name": "low", "weight": 2}], **asked
        )
    yield _ask(table="counted", sizes=14, counts=[smokers])
    yield _ask(table="counted", sizes=5, counts=[smokers])
    yield _ask(
        table="counted", sizes="people", counts=[{"name": "few", "column": "low"}], levels="rollup"
    )


def own_mechanisms() -> Iterator[Question]:
    """Mechanisms of the caller's own, which say what they cost."""
    table = {"table": "counted", "counts": [{"name": "smokers"}], "sizes": 14}
    em, gm = ({"kind": "named", "name": name, "n": 14, "alpha": "1/2"} for name in ("EM", "GM"))
    best = {"kind": "design", "n": 14, "alpha": "2/3", "properties": ["WH", "CM"], "loss": "L1"}
    for one in (em, gm, best):
        yield _ask(**table, mechanisms={"smokers": [one]})
        yield _ask(**table, mechanisms={"smokers": [one]}, epsilon="1")
        yield _ask(**table, mechanisms={"smokers": [one]}, epsilon="1/10")
    two = [{"name": "smokers"}, {"name": "low"}]
    yield _ask(**{**table, "counts": two}, mechanisms={"smokers": [em], "low": [best]})
    yield _ask(
        **{**table, "counts": two}, mechanisms={"smokers": [em], "low": [best]}, rows_per_person=2
    )
    yield _ask(**table, mechanisms={"smokers": [{"kind": "named", "name": "UM", "n": 14}]})
    yield _ask(**table, mechanisms={"smokers": [em]}, properties="F")
    yield _ask(**table, mechanisms={"smokers": [gm]}, properties="F")
    yield _ask(**table, mechanisms={"smokers": [{**em, "n": 3}]})


def refused() -> Iterator[Question]:
    """What is refused, and by which code."""
    for wrong in (
        {"epsilon": "0"},
        {"epsilon": "-1"},
        {"epsilon": "much"},
        {"alpha": "1"},
        {"alpha": "2"},
        {"by": ["clinics"]},
        {"by": ["smoker"]},
        {"by": ["clinic", "clinic"]},
        {"counts": []},
        {"counts": [{"name": "smokes"}]},
        {"counts": [{"name": "clinic"}]},
        {"counts": [{"name": "age"}]},
        {"counts": [{"name": "n", "column": "smoker"}]},
        {"counts": [{"name": "x", "where": "random() < 0.5"}]},
        {"counts": [{"name": "x", "where": "sum(age) > 3"}]},
        {"counts": [{"name": "x", "where": "age >"}]},
        {"counts": [{**SMOKER, "weight": 0}]},
        {"counts": [{**SMOKER, "weight": 1}, {**OLD, "weight": -1}]},
        {"counts": [{"name": "mood", "answers": ["low"]}]},
        {"counts": [{"name": "mood", "answers": ["low", "low"]}]},
        {"counts": [{"name": "mood", "answers": ["low", "fair"]}]},
        {"counts": [{"name": "age", "conditions": [["a", "age < 40"], ["b", "age > 30"]]}]},
        {"table": "gaps"},
        {"table": "gaps", "counts": [MOOD]},
        {"where": "smoker"},
        {"where": "age > 1000"},
        {"where": "nobody = 1"},
        {"person": "who"},
        {"person": "clinic"},
        {"person": "region", "by": ["region"]},
        {"rows_per_person": 0},
        {"surplus": "drop"},
        {"surplus": "keep", "person": "person"},
        {"same_group": True, "rows_per_person": 2},
        {
            "same_group": True,
            "table": "moved",
            "person": "person",
            "rows_per_person": 3,
            "counts": [{"name": "late"}],
        },
        {"table": "moved", "person": "person", "counts": [{"name": "late"}]},
        {"missing": "2"},
        {"properties": "XX"},
        {"loss": "L"},
        {"prior": "smoker"},
        {"prior": "Poisson"},
        {"prior": {"3": "Binomial(0.3)"}},
        {"gap": "2"},
        {"sizes": "people"},
        {"sizes": 3, "person": "person"},
        {"levels": "pivot"},
        {"levels": [["age"]]},
        {"levels": "rollup", "shares": {"region": "2"}},
        {"levels": "rollup", "shares": {"nation": "1/2"}},
        {"shares": {"region": "1/2"}},
        {"cap": 0},
        {"cap": 5},
        {"cap": 5, "person": "person"},
        {"smallest": 1},
        {"smallest": 3, "by": []},
        {"keys": {"region": ["north"], "clinic": ["c00"]}},
        {"other_keys": "keep"},
        {"keys": {"region": ["north"]}},
        {"public": ["nobody"]},
        {"made": {"clinic": "age +"}},
        {"made": {"clinic": "old"}, "counts": [OLD]},
        {"counts": [MOOD], "gap": "0.1"},
        {"table": "counted", "sizes": "smokers", "counts": [{"name": "people"}]},
    ):
        yield _ask(**wrong)


GROUPS: dict[str, Callable[[], Iterator[Question]]] = {
    one.__name__: one
    for one in (
        counts,
        shapes,
        histograms,
        rows_of_a_person,
        levels,
        hidden_sizes,
        tables_of_counts,
        own_mechanisms,
        spellings,
        refused,
    )
}
