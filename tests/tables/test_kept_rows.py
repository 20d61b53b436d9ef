"""Which rows are counted where a person has too many: an order made of that person's rows, whatever lies around them."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from functools import cache
from random import Random
from unittest.mock import patch

import pytest
from tests.conftest import require

require("tables")

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
from tests.metamorphic.outcomes import true_counts
from tests.tables.sources import SPARK, as_source

import discreet as dc
from discreet.tables.asking.question import read_question
from discreet.tables.asking.request import Machine, Request
from discreet.tables.engines import kept_people, open_engine

pytestmark = pytest.mark.filterwarnings(
    "ignore:PySpark does not yet fully support pandas:FutureWarning"
)

KEY = "a key"
ROWS = pa.table(
    {
        "who": ["p1", "p1", "p1", "p1", "p2", "p2", "p3", "p3"],
        "ward": ["a", "a", "b", None, "a", "a", "b", "c"],
        "ill": ["1", "0", "1", None, "1", "0", "x", "1"],
    }
)


def true(source, *, threads=None, key=KEY, **asked):
    """The true counts that a release would draw from, under one order of rows."""
    with patch.multiple(kept_people, order_key=lambda: key, PUBLIC_KEY=key):
        engine = open_engine(source, None, Machine(threads=threads))
        question = read_question(engine, Request(**asked))
        groups, _ = true_counts(
            engine, engine.count(question), len(question.by), question.places[-1].stop
        )
        engine.close()
    return groups


# --- the order ---


def kept(rows, contributions, key=KEY):
    """The model: the rows that stay, in the order that `kept_people` defines."""
    mine = defaultdict(list)
    for who, ward, bit in rows:
        add = {"1": "0", "x": "-2"}.get(bit, "-1")
        texts = [key + who + (ward or ""), key + who + (ward or "") + add]
        by_keys, by_answers = (hashlib.sha256(text.encode()).hexdigest() for text in texts)
        mine[who].append((by_keys, ward is None, ward or "", by_answers, add))
    return [(row[2], row[4]) for rows in mine.values() for row in sorted(rows)[:contributions]]


@pytest.mark.parametrize("kind", ["arrow", "csv", SPARK])
def test_rows_stay_in_the_order_of_their_hashes(kind, tmp_path):
    """Both engines keep the same rows: first by person and key, and rows of one key by what they add to the counts."""
    table = ROWS.slice(0, 6)
    source = as_source(kind, table, tmp_path)
    rows = [*zip(*table.to_pydict().values(), strict=True)]
    asked = {"by": "ward", "count": "ill", "unit": "who", "excess": "drop", "nulls": "0"}
    for key in "1234" if kind == "spark" else map(str, range(20)):
        for most in (1, 2, 3):
            stay = kept(rows, most, key)
            ones = Counter(ward for ward, add in stay if add == "0")
            expected = {
                (ward, n, (ones[ward],)) for ward, n in Counter(ward for ward, _ in stay).items()
            }
            found = true(source, key=key, contributions=most, **asked)
            assert {
                (str(name).strip("'").replace("None", ""), n, c) for (name,), n, c in found
            } == expected


def test_without_a_cap_a_plan_and_every_release_keep_the_same_rows():
    rows = {
        "who": [k % 50 for k in range(300)],
        "ward": [k % 7 for k in range(300)],
        "ill": [k % 2 for k in range(300)],
    }
    people, asked = (
        pa.table(rows),
        {"by": "ward", "count": "ill", "unit": "who", "excess": "drop", "epsilon": 1},
    )
    sizes = {str(dc.release(people, **asked).table["n"]) for _ in range(5)}
    assert len(sizes) == 1
    planned = {line.n: line.groups for line in dc.plan(people, **asked).lines}
    assert planned == Counter(dc.release(people, **asked).table["n"].to_pylist())


def test_a_row_that_breaks_a_rule_may_be_the_one_that_stays():
    """Its place in the order is its own as well; it is refused if it stays."""
    asked = {"by": [], "count": "ill", "unit": "who", "excess": "drop", "nulls": "0", "epsilon": 1}
    refused = 0
    for key in range(20):
        with patch.multiple(kept_people, order_key=lambda key=key: str(key), PUBLIC_KEY=str(key)):
            try:
                dc.release(ROWS.slice(6), **asked)
            except dc.DiscreetError:
                refused += 1
    assert 0 < refused < 20


def test_a_yes_is_not_kept_more_often_than_a_no():
    """Under a cap 300 people with a yes and a no each once gave 300 times yes."""
    people = pa.table(
        {
            "who": [k // 2 for k in range(600)],
            "ward": ["a"] * 600,
            "ill": [k % 2 for k in range(600)],
        }
    )
    asked = {
        "by": "ward",
        "keys": ["a"],
        "count": "ill",
        "unit": "who",
        "nulls": "0",
        "other_keys": "drop",
    }
    ((_, _, (yes, no, absent)),) = true(people, **asked, cap=400, excess="drop")
    assert (yes + no, absent) == (
        300,
        100,
    ) and 100 < yes < 200  # of a fair coin beyond once in 10^8
    ((_, n, (some,)),) = true(people, by="ward", count="ill", unit="who", excess="drop")
    assert n == 300 and 100 < some < 200


# --- at scale ---

PEOPLE, CLINICS = 150_000, 60
ASKED = {"by": "clinic", "unit": "person", "excess": "drop"}
UNCAPPED = {**ASKED, "count": {"yes": "note LIKE 'yes%'", "smoker": "smoker"}, "contributions": 2}
CAPPED = {
    **ASKED,
    "count": "smoker",
    "keys": [f"clinic {k}" for k in range(CLINICS)],
    "other_keys": "drop",
    "nulls": "0",
    "cap": 500,
}


@cache
def crowd():
    """People with one to five rows, of which several lie in one clinic and answer otherwise: 20 MB of them."""
    rng = Random(11)
    rows = []
    for person in range(PEOPLE):
        clinics = rng.choices(range(CLINICS), k=2)
        for _ in range(rng.choice((1, 1, 2, 5))):
            note = f"{rng.choice(('yes', 'no'))} {rng.getrandbits(128):032x}"
            rows.append((person, f"clinic {rng.choice(clinics)}", rng.randrange(2), note))
    rng.shuffle(rows)
    return {
        name: list(column)
        for name, column in zip(
            ("person", "clinic", "smoker", "note"), zip(*rows, strict=True), strict=True
        )
    }


def written(kind, folder, name, columns):
    path, table = folder / f"{name}.{kind}", pa.table(columns)
    if kind == "csv":
        pyarrow.csv.write_csv(table, path)
    else:
        pyarrow.parquet.write_table(
            table, path, compression="none", use_dictionary=False, row_group_size=30_000
        )
    assert path.stat().st_size > 16_000_000
    return str(path)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["csv", "parquet"])
@pytest.mark.parametrize("asked", [UNCAPPED, CAPPED], ids=["contributions", "cap"])
def test_ten_readings_of_a_large_file_give_one_answer_and_a_longer_text_moves_nothing(
    kind, asked, tmp_path
):
    """With two threads or more, which rows came first in the file's parts once decided which of a person's rows stayed."""
    path = written(kind, tmp_path, "people", crowd())
    answers = {true(path, threads=threads, **asked) for threads in (2, 3, 4, 5, 6, 7, 8, 2, 4, 8)}
    assert len(answers) == 1
    for row, length in ((3, 200_000), (200_000, 70_000)):
        notes = list(crowd()["note"])
        notes[row] += "x" * length
        longer = written(kind, tmp_path, "longer", {**crowd(), "note": notes})
        assert {true(longer, threads=threads, **asked) for threads in (2, 8)} == answers
