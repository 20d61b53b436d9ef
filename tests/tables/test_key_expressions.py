"""Keys made of public columns: what they are, what is refused, and that nothing else changes."""

import json

import pyarrow as pa
import pytest

import discreet as dc
from discreet.cli.commands.table_commands import read_keys
from discreet.errors import InvalidInput
from discreet.tables.asking.request import Request, question_digest

AGES = [23, 27, 31, 38, 45, 51, None]
PEOPLE = pa.table(
    {
        "age": AGES,
        "a b": list("nnssnsn"),
        "person": [1, 2, 3, 4, 5, 6, 7],
        "smoker": [True, False, True, True, False, True, True],
    }
)
ASKED = {"count": "smoker", "epsilon": 1}


def test_a_key_is_an_expression_over_columns_of_one_row():
    r = dc.release(PEOPLE, by={"age band": "age - age % 10", "a b": "a b"}, **ASKED)
    keys = list(
        zip(
            r.table["age band"].to_pylist(),
            r.table["a b"].to_pylist(),
            r.table["n"].to_pylist(),
            strict=True,
        )
    )
    assert keys == [(20, "n", 2), (30, "s", 2), (40, "n", 1), (50, "s", 1), (None, "n", 1)]
    assert r.manifest.public.made == {"age band": "age - age % 10"}
    assert "age band = age - age % 10, a b and the size of each group (n) are published" in r.public
    assert (
        "age band = age - age % 10"
        in dc.plan(PEOPLE, by={"age band": "age - age % 10"}, **ASKED).public
    )


def test_a_column_may_have_another_name_and_the_rest_works_as_with_columns(tmp_path):
    asked = {
        "by": {"place": "a b", "old": "age > 40"},
        "unit": "person",
        "excess": "drop",
        "where": "age IS NOT NULL",
    }
    r = dc.release(PEOPLE, **asked, **ASKED, output=tmp_path / "out", format="csv", intervals=0.9)
    assert dc.read_release(tmp_path / "out").table.column_names[:3] == ["place", "old", "n"]
    assert len(dc.estimate(tmp_path / "out").subtotals("place")) == 2
    assert json.loads(r.manifest.text)["public"]["made"] == {"place": "a b", "old": "age > 40"}
    given = dc.release(PEOPLE, by={"decade": "age // 10"}, keys=[2, 3, 4, 5, 6, None], **ASKED)
    assert given.table["n"].to_pylist() == [2, 2, 1, 1, 0, 1]
    counts = pa.table({"code": ["a1", "b2"], "n0": [3, 4], "ill": [1, 2]})
    assert dc.release(counts, by={"kind": "code[1]"}, size="n0", count="ill", epsilon=1).table[
        "kind"
    ].to_pylist() == [
        "a",
        "b",
    ]


@pytest.mark.parametrize(
    ("by", "message"),
    [
        ({"b": "smoker"}, "must not use a column that a count reads"),
        ({"b": "age + CAST(smoker AS INTEGER)"}, "must not use a column that a count reads"),
        ({"b": "age + sum(age)"}, "one row only"),
        ({"b": "age + random()"}, "one row only"),
        ({"AGE": "age % 2"}, "name of another column"),
        ({"b": "1"}, "must read a column"),
        ({"b": " "}, "as text"),
        ({"": "age"}, "a name"),
        ({7: "age"}, "a name"),
        ({"b": "agee + 1"}, "did you mean age"),
        ({"b": "[age]"}, "scalar column"),
        ({"n": "age"}, "two columns named n"),
        ({"b": 'CAST("a b" AS INTEGER)'}, "by"),
    ],
)
def test_what_is_no_key_is_refused(by, message):
    with pytest.raises(InvalidInput, match=message):
        dc.release(PEOPLE, by=by, **ASKED)


def test_a_query_is_followed_to_the_columns_behind_it(tmp_path):
    dc.release(PEOPLE, by="a b", **ASKED)  # a frame has no query; a file has
    (tmp_path / "people.csv").write_text("age,smoker\n23,1\n27,0\n")
    query = f"SELECT CAST(smoker AS INTEGER) AS s, smoker, age FROM '{tmp_path / 'people.csv'}'"
    with pytest.raises(InvalidInput, match="must not use a column that a count reads"):
        dc.release(query, by={"b": "s + 1"}, **ASKED)


def test_the_digest_knows_what_a_key_is_made_of():
    plain = question_digest(Request(by=["age"], count="smoker", epsilon=1))
    assert question_digest(Request(by={"age": "age"}, count="smoker", epsilon=1)) == plain
    band, other = (
        question_digest(Request(by={"b": text}, count="smoker", epsilon=1))
        for text in ("age", "age % 10")
    )
    assert len({plain, band, other}) == 3


def test_a_manifest_without_made_keys_is_written_as_before():
    assert "made" not in json.loads(dc.release(PEOPLE, by="age", **ASKED).manifest.text)["public"]


def test_a_key_is_not_made_where_a_row_must_not_show():
    asked = {
        "keys": [1, 2],
        "unit": "person",
        "cap": 3,
        "nulls": "0",
        "other_keys": "drop",
        "excess": "drop",
    }
    with pytest.raises(InvalidInput, match="would show a row"):
        dc.release(PEOPLE, by={"decade": "age // 10"}, **ASKED, **asked)


def test_keys_from_the_shell():
    assert read_keys(["age"], [("band", "age - age % 10")]) == {
        "age": "age",
        "band": "age - age % 10",
    }
    for plain, made in ((["a", "a"], []), ([], [("b", "x"), ("b", "y")])):
        with pytest.raises(InvalidInput, match="repeat|twice"):
            read_keys(plain, made)
