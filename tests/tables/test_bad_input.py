"""Bad input: a clear error, no output, nothing spent."""

from __future__ import annotations

import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from tests.conftest import require

require("tables")
require("pandas")

import pyarrow as pa

import discreet as dc
from discreet.errors import BudgetError, BudgetExceeded, DiscreetError, InvalidData, InvalidInput
from discreet.ledger import open_ledger

PEOPLE = pa.table(
    {
        "clinic": ["a", "a", "b"],
        "n": [1, 2, 3],
        "smoker": [True, False, True],
        "list": [[1], [2], [3]],
    }
)


@pytest.fixture
def ledger(tmp_path):
    book = open_ledger(tmp_path / "budget.db")
    book.open("people", budget=1)
    return book


@pytest.mark.parametrize(
    ("words", "match"),
    [
        ({"epsilon": 0}, "epsilon"),
        ({"epsilon": -1}, "epsilon"),
        ({"epsilon": float("inf")}, "epsilon"),
        ({"epsilon": float("nan")}, "epsilon"),
        ({"epsilon": None}, "epsilon"),
        ({"alpha": 1, "epsilon": None}, "alpha"),
        ({"alpha": "1/2"}, "exactly one"),
        ({"properties": "WHO"}, "WH"),
        ({"by": "clinik"}, "did you mean clinic"),
        ({"by": ["clinic", "clinic"]}, "repeat"),
        ({"by": "list"}, "scalar"),
        ({"by": "n"}, "two columns named n"),
        ({"count": {"clinic": "smoker"}}, "two columns named clinic"),
        ({"count": []}, "at least one"),
        ({"count": ["smoker", "smoker"]}, "same twice"),
        ({"count": {"x": "clinic"}}, "must not use"),
        ({"count": "clinic", "by": []}, "true or false"),
        ({"count": "smokr"}, "did you mean smoker"),
        ({"size": "smoker"}, "must not use"),
        ({"size": -1}, "size"),
        ({"size": 2, "count": "NOT smoker"}, "column when `size`"),
        ({"split": {"smokr": 1}}, "split"),
        ({"split": [0]}, "positive"),
        ({"split": [1, 2]}, "each count"),
        ({"contributions": 0}, "contributions"),
        ({"contributions": 1.5}, "contributions"),
        ({"excess": "drop"}, "unit"),
        ({"excess": "keep"}, "refuse, drop"),
        ({"nulls": "maybe"}, "refuse, 0, 1"),
        ({"other_keys": "maybe"}, "refuse, drop"),
        ({"keys": ["a", "a", "b"]}, "once"),
        ({"keys": [1, 2]}, "different keys"),
        ({"keys": "a"}, "keys"),
        ({"keys": {"ward": ["a"]}}, "every `by` column"),
        ({"keys": {"clinic": 7}}, "`keys` must map clinic to a list of values, not int"),
        ({"keys": {"clinic": "north"}}, "`keys` must map clinic to a list of values, not str"),
        ({"keys": {"clinic": []}}, "at least one key"),
        ({"keys": [("a", "b")]}, "1 value"),
        ({"where": "smoker"}, "must not use"),
        ({"where": "clinc = 'a'"}, "did you mean clinic"),
        ({"public": ["clinc"]}, "did you mean clinic"),
        ({"prior": "smoker"}, "column of the source"),
        ({"format": "xlsx"}, "format"),
        ({"read": {"quotes": "'"}}, "did you mean quote"),
        ({"memory_limit": "lots"}, "memory_limit"),
        ({"dataset": "peple"}, "did you mean people"),
        ({"resume": "none-such"}, "none-such"),
    ],
    ids=str,
)
def test_a_wrong_word_is_refused_before_anything_happens(tmp_path, ledger, words, match):
    asked = {"by": "clinic", "count": "smoker", "epsilon": "1/2", **words}
    with pytest.raises(DiscreetError, match=match):
        dc.release(PEOPLE, ledger=ledger, output=tmp_path / "out", **asked)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["budget.db"]
    assert ledger.remaining("people") == 1


@pytest.mark.parametrize("verb", [dc.plan, dc.release])
def test_a_price_of_thousands_of_digits_is_refused(verb):
    for price in (
        {"epsilon": 10**5000},
        {"epsilon": Fraction(1, 10**5000)},
        {"alpha": Fraction(10**5000 - 1, 10**5000)},
    ):
        with pytest.raises(InvalidInput, match="at most 2,000 digits"):
            verb(PEOPLE, by="clinic", count="smoker", **price)


def test_combinations_of_keys_are_counted_before_they_are_made():
    """A product of mappings can be beyond any memory: 10^24 groups here."""
    by = ["clinic", "a", "b", "c"]
    people = pa.table(
        {name: [1, 2, 3] for name in by[1:]} | {name: PEOPLE[name] for name in ("clinic", "smoker")}
    )
    asked = {"by": by, "count": "smoker", "epsilon": 1}
    rule = "`keys` must make at most 10,000,000 groups of all combinations, not 1,000,000,000,000,000,000,000: give a file"
    with pytest.raises(InvalidInput, match=rule):
        dc.plan(
            people,
            **asked,
            keys={name: range(10**6) for name in by[1:]} | {"clinic": list(map(str, range(1000)))},
        )
    keys = {"clinic": ["a", "b"], "a": [1, 2, 3], "b": (1, 2, 3), "c": range(1, 4)}
    table = dc.release(people, **asked, keys=keys).table
    assert len(table) == 54 and table.select(by).slice(1, 1).to_pylist() == [
        {"clinic": "a", "a": 1, "b": 1, "c": 2}
    ]


@pytest.mark.parametrize("source", [3, None, {"clinic": [1]}, [], object()])
def test_a_source_that_is_no_table(source):
    with pytest.raises(InvalidInput, match="source"):
        dc.release(source, by="clinic", count="smoker", epsilon=1)


def test_a_prior_from_the_raw_data_is_refused_and_from_a_release_is_not():
    import pandas

    frame = pandas.DataFrame({"clinic": ["a", "a"], "smoker": [True, False], "w": [0.5, 0.5]})
    with pytest.raises(InvalidInput, match="column of the source"):
        dc.release(frame, by="clinic", count="smoker", prior=frame["w"], epsilon=1)
    with pytest.raises(InvalidInput, match="column of the source"):
        dc.release(frame, by="clinic", count="smoker", prior={2: frame["w"]}, epsilon=1)
    with pytest.raises(InvalidInput, match="column of the source"):
        dc.plan(frame, by="clinic", count="smoker", prior="w", epsilon=1)
    r = dc.release(
        frame,
        by="clinic",
        count="smoker",
        prior={2: [Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)]},
        epsilon=1,
    )
    assert r.manifest.groups == 1


def test_columns_that_differ_in_case_or_are_not_text():
    import pandas

    with pytest.raises(
        InvalidInput, match=r"differ in case alone, and the question uses both \(a and A\)"
    ):
        dc.release(pa.table({"a": [1], "A": [1]}), by="a", count="A", epsilon=1)
    with pytest.raises(InvalidInput, match="must be a column or a list of columns"):
        dc.release(pandas.DataFrame({0: [1], 1: [1]}), by=0, count=1, epsilon=1)


def test_an_object_column_of_mixed_types_is_named_without_its_values():
    import pandas

    frame = pandas.DataFrame(
        {"clinic": ["a", "b"], "smoker": pandas.Series([1, "hidden"], dtype=object)}
    )
    with pytest.raises(InvalidInput, match="smoker") as caught:
        dc.release(frame, by="clinic", count="smoker", epsilon=1)
    assert "hidden" not in str(caught.value)
    frame["smoker"] = pandas.Series([1, 0], dtype=object)
    with pytest.raises(InvalidInput, match="astype"):
        dc.release(frame, by="clinic", count="smoker", epsilon=1)


def test_what_does_not_fit_the_budget_spends_nothing_and_says_what_fits(tmp_path, ledger):
    with pytest.raises(BudgetExceeded, match="1 of 1 remains"):
        dc.release(
            PEOPLE,
            by="clinic",
            count="smoker",
            epsilon="11/10",
            ledger=ledger,
            output=tmp_path / "out",
        )
    assert not (tmp_path / "out").exists()
    assert ledger.remaining("people") == 1


def test_a_ledger_of_several_datasets_wants_to_know_which(tmp_path, ledger):
    ledger.open("others", budget=1)
    with pytest.raises(BudgetError, match="others"):
        dc.release(PEOPLE, by="clinic", count="smoker", epsilon=1, ledger=ledger)


def test_an_existing_output_stays_unless_told(tmp_path, ledger):
    asked = {
        "by": "clinic",
        "count": "smoker",
        "epsilon": "1/4",
        "ledger": ledger,
        "output": tmp_path / "out",
    }
    first = dc.release(PEOPLE, **asked)
    with pytest.raises(InvalidInput, match="exists already"):
        dc.release(PEOPLE, **asked)
    assert ledger.remaining("people") == Fraction(3, 4)
    second = dc.release(PEOPLE, **asked, overwrite=True)
    assert dc.read_release(tmp_path / "out").manifest == second.manifest != first.manifest
    assert ledger.remaining("people") == Fraction(1, 2)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["budget.db", "out"]


def test_a_folder_that_is_no_release_is_never_overwritten(tmp_path):
    (tmp_path / "precious").mkdir()
    (tmp_path / "precious" / "thesis.txt").write_text("x")
    with pytest.raises(InvalidInput, match="not a release"):
        dc.release(
            PEOPLE,
            by="clinic",
            count="smoker",
            epsilon=1,
            output=tmp_path / "precious",
            overwrite=True,
        )
    assert (tmp_path / "precious" / "thesis.txt").exists()


@pytest.mark.parametrize("run", [{}, {"run_id": "2026-11"}])
@pytest.mark.parametrize("output", [5, b"out", "a\0b", ["out"]])
def test_what_is_no_path_is_no_output(ledger, output, run):
    with pytest.raises(InvalidInput, match=r"`output` must be a path"):
        dc.release(
            PEOPLE, by="clinic", count="smoker", epsilon="1/4", ledger=ledger, output=output, **run
        )
    assert not ledger.states()


def test_an_output_is_a_folder_in_a_folder(tmp_path):
    with pytest.raises(InvalidInput, match="names a folder"):
        dc.release(PEOPLE, by="clinic", count="smoker", epsilon=1, output=tmp_path / "x.parquet")
    with pytest.raises(InvalidInput, match="folder that exists"):
        dc.release(PEOPLE, by="clinic", count="smoker", epsilon=1, output=tmp_path / "no" / "x")


def test_a_folder_that_cannot_be_written(tmp_path, ledger):
    if os.geteuid() == 0:  # root may write to any folder but those of the kernel
        where = Path("/sys/discreet-out" if sys.platform == "linux" else "/dev/fd/out")
    else:
        (tmp_path / "closed").mkdir(mode=0o555)
        where = tmp_path / "closed" / "out"
    with pytest.raises(InvalidInput, match="output"):
        dc.release(PEOPLE, by="clinic", count="smoker", epsilon="1/2", ledger=ledger, output=where)
    assert not where.exists()
    assert ledger.remaining("people") == 1


FULL_DISK = """
import resource, sys
import pyarrow as pa
import discreet as dc
table = pa.table({"clinic": [f"clinic number {k}" for k in range(20000)], "size": [5] * 20000, "ill": [2] * 20000})
resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))
try:
    dc.release(table, by="clinic", count="ill", size="size", epsilon="1/2", ledger="budget.db", output="out", format=sys.argv[1])
except dc.DiscreetError as error:
    print(error)
"""


@pytest.mark.slow
@pytest.mark.parametrize("format", ["parquet", "csv"])
def test_a_full_disk_leaves_no_output_and_a_reported_entry(tmp_path, format):
    """A limit on the size of files, which the kernel enforces as it does a full disk."""
    ledger = open_ledger(tmp_path / "budget.db")
    ledger.open("people", budget=1)
    path = os.pathsep.join(entry for entry in sys.path if entry)
    done = subprocess.run(
        [sys.executable, "-c", FULL_DISK, format],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": path},
    )
    assert "`output` cannot be written" in done.stdout
    assert sorted(path.name for path in tmp_path.iterdir()) == ["budget.db"]
    (entry,) = open_ledger(tmp_path / "budget.db").datasets()[0].unfinished
    assert (entry.state, entry.epsilon) == (
        "drawn",
        Fraction(1, 2),
    )  # words were drawn: it stays spent
    assert entry.release_id in done.stdout  # and the error says how to take it up again


def test_a_lazy_frame_that_fails_shows_no_value():
    require("polars")
    import polars

    frame = polars.LazyFrame({"clinic": ["a", "b"], "smoker": ["1", "hidden"]}).with_columns(
        polars.col("smoker").cast(polars.Int8)
    )
    with pytest.raises(InvalidData) as caught:
        dc.release(frame, by="clinic", count="smoker", epsilon=1)
    assert "hidden" not in str(caught.value)
    assert caught.value.__context__ is None


def test_a_reader_that_fails_shows_no_value():
    def batches():
        yield pa.record_batch({"clinic": ["a"], "smoker": [True]})
        raise RuntimeError("hidden")

    schema = pa.schema({"clinic": pa.string(), "smoker": pa.bool_()})
    with pytest.raises(DiscreetError) as caught:
        dc.release(
            pa.RecordBatchReader.from_batches(schema, batches()),
            by="clinic",
            count="smoker",
            epsilon=1,
        )
    assert "hidden" not in str(caught.value)
