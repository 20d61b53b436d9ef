"""Keys that a spreadsheet would run: harmless in a CSV on demand, and still told apart."""

from __future__ import annotations

import csv

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import require

require("tables")

import pyarrow as pa

import discreet as dc
from discreet.errors import InvalidInput
from discreet.tables.published.formulas import escaped

RUN = [
    "=1+1",
    "+cmd|' /C calc'!A0",
    "-2+3",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "\n=1",
    " =1",
    "\u00a0=1",
    "\u200b=1",
]
RUN += [
    "＝1+1",
    "＋1+1",
    "－1+1",
    "＠SUM(A1)",
    "'=1",
    "''@x",
    "-",
    "+1 234",
    '=HYPERLINK("a","b")',
    "\tx",
]
PLAIN = [
    "",
    "a",
    "a=1",
    "'tis",
    "-5",
    "+3.25",
    "-.5",
    "-1,5",
    "5",
    "north",
    "x@y",
    '"=1"',
    "größer",
    "1-2",
]


def after(texts):
    return escaped(pa.table({"k": pa.array(texts, pa.string())}))["k"].to_pylist()


@pytest.mark.parametrize("text", RUN)
def test_what_would_run_gets_an_apostrophe(text):
    assert after([text]) == [f"'{text}"]


def test_what_would_not_run_stays_as_it_is():
    assert after([*PLAIN, None]) == [*PLAIN, None]


@pytest.mark.slow
@given(
    st.lists(
        st.one_of(st.text(max_size=6), st.text(alphabet="'=+-@1 \t.", max_size=6)),
        max_size=8,
        unique=True,
    )
)
def test_two_keys_never_become_one_and_nothing_runs_afterwards(texts):
    found = after(texts)
    assert len(set(found)) == len(texts)
    for text, now in zip(texts, found, strict=True):
        assert now in (text, f"'{text}")
        assert not now.startswith(("=", "@", "\t", "\r", "＝"))


def test_numbers_categories_and_what_is_no_text_stay_what_they_are():
    table = pa.table(
        {"n": [-1, 2], "k": pa.array(["=a", "b"]).dictionary_encode(), "x": [-0.5, 1.0]}
    )
    found = escaped(table)
    assert found.to_pydict() == {"n": [-1, 2], "k": ["'=a", "b"], "x": [-0.5, 1.0]}


@pytest.mark.parametrize("way", ["written", "saved"])
def test_a_csv_is_escaped_on_demand_and_otherwise_holds_the_keys_as_they_are(tmp_path, way):
    people = pa.table({"g": ["=1+1", "=1+1", "'=1+1", "-5", None, "ok"], "b": [1, 0, 1, 0, 1, 0]})
    asked = {"by": "g", "count": "b", "epsilon": 1}
    for escape, expected in (
        (True, {"'=1+1", "''=1+1", "-5", "", "ok"}),
        (False, {"=1+1", "'=1+1", "-5", "", "ok"}),
    ):
        folder = tmp_path / f"out{escape}"
        options = {"format": "csv", "escape_formulas": escape}
        if way == "written":
            dc.release(people, **asked, **options, output=folder)
        else:
            dc.release(people, **asked).save(folder, **options)
        with (folder / "table.csv").open(newline="") as file:
            assert {row["g"] for row in csv.DictReader(file)} == expected
        assert dc.read_release(folder).table.num_rows == 5
        assert dc.estimate(folder).people == 6


def test_bytes_are_written_as_text_and_escaped_like_it(tmp_path):
    table = pa.table({"g": pa.array([b"=1+1", b"x", b"\xff=1"]), "b": [1, 0, 1]})
    dc.release(
        table,
        by="g",
        count="b",
        epsilon=1,
        format="csv",
        escape_formulas=True,
        output=tmp_path / "out",
    )
    keys = [
        line.split(",")[0] for line in (tmp_path / "out" / "table.csv").read_text().splitlines()[1:]
    ]
    assert len(keys) == 3 and not any(key.startswith("=") for key in keys)


def test_where_it_cannot_be_kept_it_is_refused_before_anything_is_spent(tmp_path):
    people = pa.table({"=g": ["a"], "b": [1], "g": ["a"]})
    with pytest.raises(
        InvalidInput, match=r"escape_formulas.*column named like a formula.*=g.*rename"
    ):
        dc.release(
            people,
            by="=g",
            count="b",
            epsilon=1,
            format="csv",
            escape_formulas=True,
            output=tmp_path / "o",
        )
    with pytest.raises(InvalidInput, match=r"column named like a formula \(-b < 0\)"):
        dc.release(people, by="g", count="-b < 0", epsilon=1).save(
            tmp_path / "o", format="csv", escape_formulas=True
        )
    with pytest.raises(InvalidInput, match="escape_formulas.*csv"):
        dc.release(
            people, by="g", count="b", epsilon=1, escape_formulas=True, output=tmp_path / "o"
        )
    with pytest.raises(InvalidInput, match="format"):
        dc.release(people, by="g", count="b", epsilon=1).save(tmp_path / "o", format="xlsx")
    assert not (tmp_path / "o").exists()
