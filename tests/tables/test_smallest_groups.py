"""Groups below a size are one row for each parent: which they are, that sums hold, and what is refused."""

import json
from collections import Counter

import pytest
from tests.conftest import require

require("tables")

import pyarrow as pa

import discreet as dc
from discreet.errors import InvalidFile, InvalidInput
from discreet.tables.asking.request import Request, question_digest

SIZES = {
    ("n", "a"): 3,
    ("n", "b"): 2,
    ("n", "c"): 9,
    ("n", None): 4,
    ("s", "a"): 2,
    ("s", "b"): 6,
    ("s", "c"): 7,
    ("w", "a"): 8,
    ("e", None): 7,
}
ROWS = [(region, clinic, k % 3 == 0) for (region, clinic), n in SIZES.items() for k in range(n)]
PEOPLE = pa.table(
    dict(zip(("region", "clinic", "ill"), map(list, zip(*ROWS, strict=True)), strict=True))
)
SURELY = 600
"""An epsilon at which every draw is the true count, but for one chance in 10^20."""
ASKED = {"by": ["region", "clinic"], "count": "ill", "epsilon": SURELY, "smallest": 5}


def rows(table):
    return [tuple(row.values()) for row in table.to_pylist()]


def test_small_groups_are_one_group_of_their_people_and_the_next_smallest_if_they_are_too_few():
    assert rows(dc.release(PEOPLE, **ASKED).table) == [
        ("e", None, 0, 7, 3),  # a key that is missing is a key
        ("n", "c", 0, 9, 3),
        ("n", None, 3, 9, 1 + 1 + 2),
        ("s", "c", 0, 7, 3),
        ("s", None, 2, 8, 1 + 2),  # two people are too few, so the next smallest group is with them
        ("w", "a", 0, 8, 3),
    ]
    assert rows(dc.release(PEOPLE, **{**ASKED, "by": "clinic", "smallest": 12}).table) == [
        ("a", 0, 13, 5),
        ("c", 0, 16, 6),
        (None, 2, 19, 8),
    ]


def test_sums_hold_at_every_level_and_everything_reads_the_table(tmp_path):
    words = {
        "levels": "rollup",
        "level_split": {"total": 0.1, "region": 0.1},
        "adding_up": True,
        "intervals": 0.9,
    }
    dc.release(PEOPLE, **{**ASKED, "epsilon": 2}, **words, output=tmp_path / "out", format="csv")
    r = dc.read_release(tmp_path / "out")
    people = Counter()
    for row in r.table.to_pylist():
        people[row["region"]] += row["n"]
        assert row["n"] >= 5
    assert {row["region"]: row["n"] for row in r.tables["region"].to_pylist()} == people
    e = dc.estimate(r)
    assert e.subtotals("region")["estimate"].sum() == e.total.value
    assert r.manifest.public.smallest == 5 and "Groups of fewer than 5 people" in r.public
    assert "Groups of fewer than 5 people become one row" in dc.plan(PEOPLE, **ASKED).public


def test_one_draw_has_less_noise_than_the_sum_of_the_small_ones():
    small = pa.table(
        {"clinic": [k // 2 for k in range(40)], "ill": [k % 3 == 0 for k in range(40)]}
    )
    asked = {"by": "clinic", "count": "ill", "epsilon": 1}
    merged = dc.estimate(dc.release(small, **asked, smallest=5))
    assert merged.groups == 1
    assert (
        merged.total.standard_error
        < 0.3 * dc.estimate(dc.release(small, **asked)).total.standard_error
    )


def test_explicit_keys_and_tables_of_counts():
    given = dc.release(
        PEOPLE, **{**ASKED, "by": "clinic"}, keys=["a", "b", "c", "z"], other_keys="drop"
    )
    assert [row[:3] for row in rows(given.table)] == [
        ("a", 0, 13),
        ("b", 0, 8),
        ("c", 0, 16),
        ("z", 0, 0),
    ]
    counts = pa.table({"clinic": list("abc"), "size": [2, 3, 9], "ill": [1, 3, 2]})
    r = dc.release(counts, by="clinic", size="size", count="ill", epsilon=SURELY, smallest=4)
    assert rows(r.table) == [("c", 0, 9, 2), (None, 2, 5, 4)]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"smallest": 1}, "at least 2"),
        ({"smallest": "5"}, "whole number"),
        ({"by": []}, "needs `by`"),
        ({"levels": "cube"}, "last key, clinic"),
        ({"smallest": 8}, "some parent has fewer"),
        ({"count": {"withheld": "ill"}}, "two columns named withheld"),
        ({"by": {"withheld": "region"}}, "named withheld"),
    ],
)
def test_what_cannot_be_kept_is_refused(words, message):
    with pytest.raises(InvalidInput, match=message):
        dc.release(PEOPLE, **{**ASKED, **words})
    with pytest.raises(InvalidInput, match="the source has one"):
        dc.release(PEOPLE.append_column("Withheld", PEOPLE["clinic"]), **ASKED)


def test_a_row_that_breaks_a_rule_is_found_among_those_that_are_merged():
    bits = pa.array([None, *[bit for *_, bit in ROWS[1:]]], pa.bool_())
    with pytest.raises(InvalidInput, match=r"must not be empty \(NULL\) \(row 1;"):
        dc.release(PEOPLE.set_column(2, "ill", bits), **ASKED)


def test_a_manifest_says_it_and_is_held_to_it(tmp_path):
    dc.release(PEOPLE, **ASKED, output=tmp_path / "out")
    file = tmp_path / "out" / "manifest.json"
    text = file.read_text()
    edited = json.loads(text)
    del edited["public"]["smallest"]
    others = [text.replace('"smallest": 5', f'"smallest": {size}') for size in (8, 4, 2)]
    others += [text.replace("fewer than 5", "fewer than 4"), json.dumps(edited)]
    for other in others:
        file.write_text(other)
        with pytest.raises(InvalidFile, match="smallest"):
            dc.read_release(tmp_path / "out")
    assert (
        "smallest"
        not in json.loads(dc.release(PEOPLE, by="region", count="ill", epsilon=1).manifest.text)[
            "public"
        ]
    )
    asked = [
        question_digest(Request(by="clinic", count="ill", epsilon=1, smallest=size))
        for size in (None, 5, 6)
    ]
    assert len(set(asked)) == 3 and asked[0] == question_digest(
        Request(by="clinic", count="ill", epsilon=1)
    )
