"""Which files a path means: an existing one is read as it is called, whatever DuckDB would make of its name."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.conftest import require

require("tables")

import pyarrow as pa
from tests.tables.sources import EXACT, as_file

import discreet as dc
from discreet.errors import InvalidInput
from discreet.tables.engines.duckdb.sources.file_sources import exactly

KINDS = ["csv", "parquet"]


def released(source, **words):
    r = dc.release(source, **{"by": "clinic", "count": "smoker", "epsilon": EXACT, **words})
    return [tuple(row.values()) for row in r.table.to_pylist()]


def written(kind, path, **columns):
    made = as_file(kind, pa.table(columns), path.parent)
    return Path(made).replace(path)


NAMES = [
    "a[1]",
    "a1",
    "b*",
    "bx",
    "c?",
    "cc",
    "**",
    "[!a]",
    "[a-z]",
    "a]b",
    "{x,y}",
    "it's",
    'say "x"',
    "größe 💡",
    "-dash",
    "back\\slash",
    "sp ace",
    "~",
    "$HOME",
    "x:y",
    "file:z",
    "%41",
    "#1",
    "line\nend",
]


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "names"), [("csv", NAMES), ("parquet", NAMES[2::4])])
def test_a_file_is_read_as_it_is_called(tmp_path, monkeypatch, kind, names):
    for place, name in enumerate(names):
        folder = tmp_path / name
        folder.mkdir()
        for where in (tmp_path, folder):
            written(kind, where / f"{name}.{kind}", clinic=[f"in {place}"], smoker=[True])
    monkeypatch.chdir(tmp_path)
    for place, name in enumerate(names):
        expected = [(f"in {place}", 1, 1)]
        assert released(f"{name}.{kind}") == expected, name
        if "\\" not in name:
            assert (
                released(tmp_path / name / f"{name}.{kind}", keys=f"{name}.{kind}") == expected
            ), name
    everything = [f"{name}.{kind}" for name in names if "\\" not in name]
    assert len(released(everything)) == len(everything)


@pytest.mark.parametrize("kind", KINDS)
def test_a_name_that_duckdb_cannot_be_told_is_refused(tmp_path, kind):
    path = written(kind, tmp_path / f"a\\[1].{kind}", clinic=["a"], smoker=[True])
    with pytest.raises(InvalidInput, match="rename it"):
        released(path)
    path = written(
        kind, tmp_path / f"{os.fsdecode(bytes([255]))}.{kind}", clinic=["a"], smoker=[True]
    )
    with pytest.raises(InvalidInput, match="not UTF-8"):
        released(path)


def test_a_pattern_still_matches_where_no_file_is_called_so(tmp_path):
    for name in ("a1", "a2", "b1"):
        written("csv", tmp_path / f"{name}.csv", clinic=[name], smoker=[True])
    assert released(tmp_path / "a[1].csv") == [("a1", 1, 1)]
    assert released(tmp_path / "?1.csv") == [("a1", 1, 1), ("b1", 1, 1)]
    assert released(str(tmp_path / "**" / "*2.csv")) == [("a2", 1, 1)]
    written("csv", tmp_path / "a[1].csv", clinic=["itself"], smoker=[True])
    assert released(tmp_path / "a[1].csv") == [("itself", 1, 1)]
    assert exactly("/x/y.csv") == "/x/y.csv"  # nothing is looked up for a plain name


@pytest.mark.parametrize("kind", KINDS)
def test_names_of_folders_are_no_columns(tmp_path, kind):
    """DuckDB would take smoker=1 for a column and count every bit as 1."""
    folder = tmp_path / "clinic=z" / "smoker=1" / "extra=x"
    folder.mkdir(parents=True)
    path = written(kind, folder / f"p.{kind}", clinic=["a", "a", "b"], smoker=["0", "1", "0"])
    assert released(path) == [("a", 2, 1), ("b", 1, 0)]
    (tmp_path / "keys" / "clinic=q").mkdir(parents=True)
    keys = written(kind, tmp_path / "keys" / "clinic=q" / f"k.{kind}", clinic=["a", "b"])
    assert released(tmp_path / "clinic=z" / "**" / f"*.{kind}", keys=keys) == [
        ("a", 2, 1),
        ("b", 1, 0),
    ]
    assert released(f"SELECT clinic, smoker FROM '{path}'") == [("a", 2, 1), ("b", 1, 0)]
    with pytest.raises(InvalidInput, match="columns of the source"):
        released(path, by="extra")


@pytest.mark.parametrize(("kind", "ending"), [("csv", "csv"), ("parquet", "snappy.parquet")])
def test_a_folder_as_spark_writes_it(tmp_path, kind, ending):
    folder = tmp_path / "people"
    folder.mkdir()
    for place, clinic in enumerate("ab"):
        written(
            kind, folder / f"part-0000{place}-uuid-c000.{ending}", clinic=[clinic], smoker=[True]
        )
        (folder / f".part-0000{place}-uuid-c000.{ending}.crc").write_bytes(b"crc\0\xff")
    (folder / "_SUCCESS").touch()
    (folder / f"part-00002-uuid-c000.{ending}").touch()  # Spark may write a part of no bytes
    assert released(folder) == [("a", 1, 1), ("b", 1, 1)]
    assert released(f"{folder}/", keys=folder) == [("a", 1, 1), ("b", 1, 1)]
    assert released(
        [folder, written(kind, tmp_path / f"more.{kind}", clinic=["c"], smoker=[True])]
    )[-1] == ("c", 1, 1)


def test_folders_that_are_no_table_are_refused(tmp_path):
    folder = tmp_path / "people"
    folder.mkdir()
    with pytest.raises(InvalidInput, match="matches no file.*hidden or empty"):
        released(folder)
    path = written("csv", folder / "a.csv", clinic=["a"], smoker=[True])
    written("parquet", folder / "b.parquet", clinic=["a"], smoker=[True])
    with pytest.raises(InvalidInput, match="mixes file formats"):
        released(folder)
    (folder / "b.parquet").unlink()
    (folder / "region=north").mkdir()
    with pytest.raises(InvalidInput, match="names of folders"):
        released(folder)
    (folder / "region=north").rmdir()
    for mark in ("_delta_log", "_temporary", ".hoodie"):  # not every file belongs to the table
        (folder / mark).mkdir()
        with pytest.raises(InvalidInput, match=mark):
            released(folder)
        (folder / mark).rmdir()
    assert released(folder) == [("a", 1, 1)]
    assert path.exists()


def test_one_file_is_not_read_twice(tmp_path, monkeypatch):
    """Its people would have two rows each."""
    monkeypatch.chdir(tmp_path)
    written("csv", tmp_path / "a.csv", clinic=["a"], smoker=[True])
    assert released(["a.csv", "*.csv"]) == [("a", 1, 1)]
    (tmp_path / "link.csv").symlink_to("a.csv")
    for other in ("./b/../a.csv", str(tmp_path / "a.csv"), "link.csv"):
        (tmp_path / "b").mkdir(exist_ok=True)
        with pytest.raises(InvalidInput, match="would count twice"):
            released(["a.csv", other])
