"""Whole numbers that add up in published tables: every sum right, made again by whoever reads them, refused in time."""

import json

import pytest
from tests.conftest import require
from tests.tables.bundles import mend_table

require("tables")

import pyarrow as pa
import pyarrow.parquet

import discreet as dc
from discreet.errors import Contradiction, InvalidInput
from discreet.ledger import open_ledger
from discreet.reading.methods.debiasing import NotEstimable
from discreet.tables.asking.request import Request, question_digest

PEOPLE = pa.table(
    {
        "region": [["n", "s", None][k % 3] for k in range(90)],
        "clinic": [f"c{k % 15}" for k in range(90)],
        "ill": [k % 4 == 0 for k in range(90)],
        "old": [k % 7 < 3 for k in range(90)],
    }
)
ASKED = {"by": ["region", "clinic"], "count": ["ill", "old"], "epsilon": 2}


@pytest.mark.parametrize(
    ("levels", "split", "format"),
    [
        (None, None, "csv"),
        ("rollup", {"total": 0.1, "region": 0.2}, "csv"),
        ("cube", {"total": 0.1, "region": 0.2, "clinic": 0.2}, "parquet"),
        ([[], ["region", "clinic"]], {"total": 0.1}, "parquet"),
    ],
)
def test_every_sum_is_right_at_every_level(tmp_path, levels, split, format):
    words = {
        "levels": levels,
        "level_split": split,
        "adding_up": True,
        "intervals": 0.9,
        "format": format,
    }
    dc.release(PEOPLE, **ASKED, **words, output=tmp_path / "out")
    r = dc.read_release(tmp_path / "out")
    finest = r.table
    assert finest.column_names[-2:] == ["ill_whole", "old_whole"]
    for name, table in r.tables.items():
        keys = [] if name == "total" else name.split(",")
        sums = (
            finest.group_by(keys).aggregate([("ill_whole", "sum"), ("old_whole", "sum")])
            if keys
            else None
        )
        for count in ("ill_whole", "old_whole"):
            whole = table[count].to_pylist()
            assert all(0 <= x <= n for x, n in zip(whole, table["n"].to_pylist(), strict=True))
            assert sum(whole) == sum(finest[count].to_pylist())
            if sums is not None:
                expected = {
                    tuple(row[key] for key in keys): row[f"{count}_sum"] for row in sums.to_pylist()
                }
                assert {
                    tuple(row[key] for key in keys): row[count] for row in table.to_pylist()
                } == expected
    assert (
        finest["old_whole"].to_pylist() == dc.estimate(r, count="old").adding_up().counts.tolist()
    )


def test_a_release_in_memory_has_them_and_keeps_them(tmp_path):
    r = dc.release(
        PEOPLE, **ASKED, levels="rollup", level_split={"total": 0.1, "region": 0.2}, adding_up=True
    )
    saved = dc.read_release(r.save(tmp_path / "out").path)
    assert saved.table.equals(r.table) and saved.tables["total"].equals(r.tables["total"])


def test_an_edited_number_is_found_although_it_adds_up(tmp_path):
    dc.release(PEOPLE, **ASKED, adding_up=True, output=tmp_path / "out")
    file = tmp_path / "out" / "table.parquet"
    table = pyarrow.parquet.read_table(file)
    whole = table["ill_whole"].to_pylist()
    more = next(k for k, x in enumerate(whole) if x < table["n"][k].as_py())
    less = next(k for k, x in enumerate(whole) if x and k != more)
    whole[more], whole[less] = whole[more] + 1, whole[less] - 1
    edited = table.set_column(
        table.column_names.index("ill_whole"), "ill_whole", pa.array(whole, pa.int64())
    )
    pyarrow.parquet.write_table(edited, file)
    mend_table(tmp_path / "out")
    with pytest.raises(Contradiction, match="ill_whole that is not made of its counts"):
        dc.read_release(tmp_path / "out")


def test_what_cannot_be_made_whole_is_refused_before_anything_is_paid(tmp_path):
    ledger = open_ledger(tmp_path / "budget.db")
    ledger.open("people", budget=1)
    tiny = {**ASKED, "epsilon": "1/1000000"}
    with pytest.raises(NotEstimable):
        dc.release(PEOPLE, **tiny, properties="F", adding_up=True, ledger=ledger, dataset="people")
    assert ledger.remaining("people") == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"count": {"ill": "ill", "ill_whole": "old"}}, "two columns named ill_whole"),
        ({"adding_up": "yes"}, "must be true or false"),
    ],
)
def test_what_would_be_ambiguous_is_refused(words, message):
    with pytest.raises(InvalidInput, match=message):
        dc.release(PEOPLE, **{**ASKED, "adding_up": True, **words})


def test_a_release_without_them_is_as_it_was():
    r = dc.release(PEOPLE, **ASKED)
    assert "adding_up" not in json.loads(r.manifest.text)
    plain = Request(by="clinic", count="ill", epsilon=1)
    asked = Request(by="clinic", count="ill", epsilon=1, adding_up=True)
    assert question_digest(plain) == question_digest(
        Request(by="clinic", count="ill", epsilon=1, adding_up=False)
    )
    assert question_digest(asked) != question_digest(plain)
