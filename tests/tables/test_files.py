"""Files: dialects, encodings and types, and what is refused about them. Text stays text."""

from __future__ import annotations

import gzip
import os
import re

import pytest
from tests.conftest import require

require("tables")

import pyarrow as pa
import pyarrow.parquet
from tests.tables.sources import EXACT, as_source

import discreet as dc
from discreet.errors import InvalidData, InvalidInput
from discreet.ledger import open_ledger

CSV = 'clinic;größe;smoker\n01;1,5;1\n1;2,5;0\n01;0,5;true\n;9,0;FALSE\n"";9,0;1\n'


def released(source, **words):
    r = dc.release(str(source), **{"by": "clinic", "count": "smoker", "epsilon": EXACT, **words})
    return [tuple(row.values()) for row in r.table.to_pylist()]


EXPECTED = [("01", 2, 2), ("1", 1, 0), (None, 2, 1)]


@pytest.mark.parametrize(
    ("encoding", "words"),
    [
        ("utf-8", {}),
        ("utf-8-sig", {}),
        ("utf-16", {}),
        ("latin-1", {"read": {"encoding": "latin-1"}}),
    ],
)
def test_encodings_and_byte_order_marks(tmp_path, encoding, words):
    path = tmp_path / "p.csv"
    path.write_bytes(CSV.encode(encoding))
    assert released(path, **words) == EXPECTED


def test_text_that_is_not_utf8_says_what_to_do(tmp_path):
    path = tmp_path / "p.csv"
    path.write_bytes("clinic,smoker\né,1\n".encode("latin-1"))
    with pytest.raises(InvalidData, match="latin-1") as caught:
        released(path)
    assert "é" not in str(caught.value)


def test_01_is_not_1_and_what_is_empty_is_missing_quoted_or_not(tmp_path):
    (tmp_path / "p.csv").write_text(CSV)
    assert released(tmp_path / "p.csv") == EXPECTED


def test_decimal_comma_and_types(tmp_path):
    (tmp_path / "p.csv").write_text(CSV)
    read = {"delimiter": ";", "decimal": ",", "types": {"größe": "DOUBLE"}}
    assert released(tmp_path / "p.csv", count="größe > 1", read=read) == [
        ("01", 2, 1),
        ("1", 1, 1),
        (None, 2, 2),
    ]
    (tmp_path / "p.csv").write_text(CSV.replace("2,5", "2.5"))
    with pytest.raises(InvalidData, match=r"column größe .*row 2 below the header"):
        released(tmp_path / "p.csv", count="größe > 1", read=read)


def test_a_key_may_be_told_to_be_a_number(tmp_path):
    (tmp_path / "p.csv").write_text("clinic,smoker\n10,1\n9,0\n010,1\n")
    assert released(tmp_path / "p.csv", read={"types": {"clinic": "INTEGER"}}) == [
        (9, 1, 0),
        (10, 2, 2),
    ]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_found(tmp_path, delimiter):
    (tmp_path / "p.csv").write_text("clinic,smoker\na b,1\nb,0\n".replace(",", delimiter))
    assert released(tmp_path / "p.csv") == [("a b", 1, 1), ("b", 1, 0)]


def test_a_file_without_header_and_a_packed_one(tmp_path):
    (tmp_path / "p.csv").write_text("a,1\nb,0\n")
    assert released(
        tmp_path / "p.csv", by="column0", count="column1", read={"header": False, "delimiter": ","}
    ) == [
        ("a", 1, 1),
        ("b", 1, 0),
    ]
    with gzip.open(tmp_path / "p.csv.gz", "wt") as file:
        file.write("clinic,smoker\na,1\n")
    assert released(tmp_path / "p.csv.gz") == [("a", 1, 1)]


def test_globs_and_lists_of_files(tmp_path):
    for name in ("a", "b"):
        (tmp_path / f"{name}.csv").write_text(f"clinic,smoker\n{name},1\nx,0\n")
    expected = [("a", 1, 1), ("b", 1, 1), ("x", 2, 0)]
    assert released(tmp_path / "*.csv") == expected
    r = dc.release(
        [tmp_path / "a.csv", tmp_path / "b.csv"], by="clinic", count="smoker", epsilon=EXACT
    )
    assert [tuple(row.values()) for row in r.table.to_pylist()] == expected


def test_one_persons_value_does_not_change_the_type_of_everybodys(tmp_path):
    """A sniffed type would make '10' < '5' for all as soon as one value is not a number."""
    numbers, mixed = tmp_path / "numbers.csv", tmp_path / "mixed.csv"
    numbers.write_text("clinic,code\na,10\na,7\nb,3\n")
    mixed.write_text("clinic,code\na,10\na,7\nb,?\n")
    first, second = (released(path, count="code < '5'") for path in (numbers, mixed))
    assert first[0] == second[0] == ("a", 2, 1)
    with pytest.raises(InvalidInput, match="takes code for a number"):
        released(numbers, count="code < 5")


@pytest.mark.parametrize(
    ("name", "content", "match"),
    [
        ("p.csv", b"", "is empty"),
        ("p.parquet", b"PAR1 nothing", "Parquet"),
        ("p.parquet", b"", "is empty"),
        ("p.xlsx", b"x", "unknown format"),
        ("p.csv", b"clinic,smoker\n", "no rows"),
    ],
)
def test_unreadable_and_empty_files(tmp_path, name, content, match):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InvalidInput, match=match):
        released(tmp_path / name)


def test_json_is_no_source_and_the_error_says_the_line_to_write_instead(tmp_path):
    import duckdb

    for name in ("p.json", "p.jsonl", "p.ndjson", "p.jsonl.gz"):
        (tmp_path / name).write_text('{"clinic": "a", "smoker": true}\n')
        for source in (tmp_path / name, f"SELECT * FROM '{tmp_path / name}'"):
            with pytest.raises(
                InvalidInput, match=r"decide which columns.*duckdb.read_json\(PATH, columns="
            ):
                released(source)
    declared = {"clinic": "VARCHAR", "smoker": "BOOLEAN"}
    relation = duckdb.read_json(str(tmp_path / "p.json"), columns=declared)
    r = dc.release(relation, by="clinic", count="smoker", epsilon=EXACT)
    assert r.table.to_pylist() == [{"clinic": "a", "n": 1, "smoker": 1}]


def test_a_list_of_dicts_is_no_source_and_the_error_says_the_line_to_write_instead():
    rows = [{"clinic": "a", "smoker": True}]
    with pytest.raises(InvalidInput, match=r"pyarrow.Table.from_pylist\(rows, schema="):
        dc.release(rows, by="clinic", count="smoker", epsilon=EXACT)
    declared = pa.Table.from_pylist(
        rows, schema=pa.schema([("clinic", "string"), ("smoker", "bool")])
    )
    r = dc.release(declared, by="clinic", count="smoker", epsilon=EXACT)
    assert r.table.to_pylist() == [{"clinic": "a", "n": 1, "smoker": 1}]


def test_a_missing_file_gets_the_near_one(tmp_path):
    (tmp_path / "people.csv").write_text("clinic,smoker\na,1\n")
    with pytest.raises(InvalidInput, match=re.escape(f"did you mean {tmp_path / 'people.csv'}?")):
        released(tmp_path / "poeple.csv")
    with pytest.raises(InvalidInput, match="local files"):
        released("s3://bucket/people.parquet")


def test_misspelt_options_and_types(tmp_path):
    (tmp_path / "p.csv").write_text("clinic,smoker\na,1\n")
    with pytest.raises(InvalidInput, match="did you mean delimiter"):
        released(tmp_path / "p.csv", read={"delimeter": ";"})
    with pytest.raises(InvalidInput, match="did you mean clinic"):
        released(tmp_path / "p.csv", read={"types": {"clinc": "INTEGER"}})
    with pytest.raises(InvalidInput, match="read"):
        released(tmp_path / "p.csv", read={"types": {"clinic": "NONSUCH"}})
    with pytest.raises(InvalidInput, match="unknown type"):
        released(tmp_path / "p.csv", read={"types": {"clinic": "INTEGER) FROM x; --"}})
    with pytest.raises(InvalidInput, match="encoding"):
        released(tmp_path / "p.csv", read={"encoding": "klingon"})


def test_a_value_that_does_not_fit_its_type_is_named_by_row_only(tmp_path):
    (tmp_path / "p.csv").write_text("clinic,age,smoker\na,1,1\na,hidden,0\n")
    with pytest.raises(InvalidData, match="row 2 below the header line") as caught:
        released(tmp_path / "p.csv", count="age < 3", read={"types": {"age": "INTEGER"}})
    assert "hidden" not in str(caught.value)


@pytest.mark.parametrize(
    "kind", ["parquet", "csv", "pandas", "polars", "polars-lazy", "arrow", "reader", "duckdb"]
)
def test_hostile_column_names(tmp_path, kind):
    import csv

    names = ['a"; DROP TABLE truth; --', "b'); SELECT 1; --", "c\\`${x}", "größe 💡", "select"]
    table = pa.table(
        {
            names[0]: ["x", "x"],
            names[1]: ["y", "z"],
            names[2]: [True, False],
            names[3]: ["1", "2"],
            names[4]: ["p", "q"],
        }
    )
    if kind == "csv":
        with (tmp_path / "p.csv").open("w", newline="", encoding="utf-8") as file:
            csv.writer(file, delimiter=",").writerows(
                [names, *(row.values() for row in table.to_pylist())]
            )
        source, read = str(tmp_path / "p.csv"), {"delimiter": ","}  # names hold semicolons
    else:
        source, read = as_source(kind, table, tmp_path), None
    quoted = '"' + names[3].replace('"', '""') + "\" > '1'"
    r = dc.release(
        source,
        by=[names[0], names[1]],
        count={names[2]: names[2], "größer; --": quoted},
        unit=names[4],
        epsilon=EXACT,
        output=tmp_path / "out",
        where="\"select\" <> 'none'",
        read=read,
    )
    assert [tuple(row.values()) for row in r.table.to_pylist()] == [
        ("x", "y", 1, 1, 0),
        ("x", "z", 1, 0, 1),
    ]
    assert r.table.column_names == [names[0], names[1], "n", names[2], "größer; --"]


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_a_source_that_changes_while_it_is_read_publishes_nothing(tmp_path, kind):
    from tests.tables.sources import as_file

    table = pa.table({"clinic": ["a", "b"], "smoker": [True, False]})
    path = as_file(kind, table, tmp_path)
    ledger = open_ledger(tmp_path / "budget.db")
    ledger.open("p", budget=1)

    def meanwhile(event):
        if event.phase == "counting":  # the columns are known, no row is read yet
            as_file(kind, pa.concat_tables([table, table]), tmp_path)

    with pytest.raises(InvalidInput, match="changed while it was read"):
        released(path, output=tmp_path / "out", ledger=ledger, epsilon=1, progress=meanwhile)
    assert not (tmp_path / "out").exists()
    assert ledger.remaining("p") == 1


@pytest.mark.parametrize("change", ["size", "time", "gone", "new file"])
def test_every_change_of_files_is_noticed(tmp_path, change):
    from discreet.tables.engines.duckdb.sources.csv_dialect import Reading
    from discreet.tables.engines.duckdb.sources.file_sources import find_files

    path = tmp_path / "a.csv"
    path.write_text("clinic\n")
    files = find_files((str(tmp_path / "*.csv"),), Reading())
    files.check_unchanged()
    if change == "size":
        path.write_text("clinic\na\n")
    elif change == "time":
        os.utime(path, ns=(1, 1))
    elif change == "gone":
        path.unlink()
    else:
        (tmp_path / "b.csv").write_text("clinic\n")
    with pytest.raises(InvalidInput, match="changed"):
        files.check_unchanged()


def test_a_query_may_not_hide_a_protected_column(tmp_path):
    (tmp_path / "p.csv").write_text("clinic,smoker\na,1\nb,0\n")
    query = (
        f"SELECT clinic, smoker = '1' AS bit, smoker || clinic AS mixed FROM '{tmp_path / 'p.csv'}'"
    )
    assert released(query, count="bit") == [("a", 1, 1), ("b", 1, 0)]
    with pytest.raises(InvalidInput, match="must not use"):
        released(query, by="mixed", count="bit")
    with pytest.raises(InvalidInput, match="select its rows"):
        released(query + " WHERE smoker = '1'", count="bit")
    assert released(query + " WHERE clinic = 'a'", count="bit") == [("a", 1, 1)]


def test_a_protected_column_is_known_behind_every_name_of_a_query(tmp_path):
    (tmp_path / "p.csv").write_text("clinic,smoker\na,1\nb,0\n")
    source = f"FROM '{tmp_path / 'p.csv'}' AS p"
    for names in (
        "smoker, SMOKER AS s",
        "p.smoker, p.Smoker || 'x' AS s",
        "*, smoker AS s",
        'smoker, "SMOKER" AS s',
    ):
        clinic = "" if "*" in names else "clinic, "
        for words in (
            {"by": "s"},
            {"by": "clinic", "where": "S <> ''"},
            {"by": "clinic", "unit": "s"},
        ):
            with pytest.raises(
                InvalidInput, match=r"must not use .* if smoker is public.*\['smoker'\]"
            ):
                released(f"SELECT {clinic}{names} {source}", count="Smoker = '1'", **words)
    query = f"SELECT clinic, smoker, smoker AS s {source}"
    told = released(query, by="s", count="smoker = '1'", public=["smoker"])
    assert told == [("0", 1, 0), ("1", 1, 1)]


def test_a_query_without_a_column_is_refused_where_it_counts_or_selects(tmp_path):
    (tmp_path / "p.csv").write_text("clinic,smoker\na,1\nb,0\n")
    query = f"SELECT clinic, smoker, true AS everybody, 'x' AS all FROM '{tmp_path / 'p.csv'}'"
    for text in ("everybody", "everybody AND \"all\" = 'x'"):
        with pytest.raises(InvalidInput, match="`count` must read a column of the source"):
            released(query, count=text)
    with pytest.raises(InvalidInput, match="`source` must read a column in its WHERE"):
        released(query + " WHERE 1 = 1", count="smoker")
    assert released(query, by="all", count="smoker") == [
        ("x", 2, 1)
    ]  # one group of all, named as one likes


def test_the_fields_of_a_struct_are_one_column():
    table = pa.table(
        {
            "clinic": ["a", "b"],
            "s": [{"smoker": True, "old": False}, {"smoker": False, "old": True}],
        }
    )
    assert dc.release(table, by="clinic", count="s.smoker", epsilon=EXACT).table[
        "s.smoker"
    ].to_pylist() == [1, 0]
    with pytest.raises(InvalidInput, match="`where` must not use"):
        dc.release(table, by="clinic", count="s.smoker", where="(S).old", epsilon=1)


def test_a_column_before_a_dot_does_not_hide_in_a_filter():
    table = pa.table({"clinic": ["a", "a", "b"], "smoker": ["1", "0", "1"]})
    with pytest.raises(InvalidInput, match=r"smoker.contains\(\) reads is not known"):
        dc.release(table, by="clinic", count="smoker", where="smoker.contains('1')", epsilon=1)


def test_columns_named_like_the_engines_own(tmp_path):
    names = ["k0", "k1", "c0", "b0", "truth", "frame", "row", "discreet source"]
    table = pa.table(
        {**{name: ["x", "y"] for name in names}, "bit": [True, False], "other": [1, 7]}
    )
    r = dc.release(
        table,
        by=["k1", "truth", "k0"],
        count={"c0": "bit", "n0": "c0 = 'x'"},
        where="row <> 'z'",
        epsilon=EXACT,
    )
    assert [tuple(row.values()) for row in r.table.to_pylist()] == [
        ("x", "x", "x", 1, 1, 1),
        ("y", "y", "y", 1, 0, 0),
    ]
    with pytest.raises(InvalidData, match="row 2"):
        dc.release(table, by=["row"], count="other", epsilon=EXACT, where="b0 <> 'z'")


def test_a_struct_named_like_a_table_does_not_hide_a_column():
    table = pa.table(
        {"frame": [{"smoker": False}] * 2, "smoker": [True, True], "clinic": ["a", "b"]}
    )
    r = dc.release(table, by="clinic", count="frame.smoker", where="smoker", epsilon=EXACT)
    assert r.table["frame.smoker"].to_pylist() == [0, 0]  # the struct's field, not the column


@pytest.mark.parametrize(
    "values",
    [
        pa.array([3, 1, None], pa.int8()),
        pa.array([2**63, 1, None], pa.uint64()),
        pa.array([1.5, -0.0, None]),
        pa.array([True, False, None]),
        pa.array(["1.10", "2.00", None]).cast(pa.decimal128(10, 2)),
        pa.array([b"\x00\xff", b"", None]),
        pa.array([0, 20000, None], pa.date32()),
        pa.array([0, 10**15, None], pa.timestamp("us", "Asia/Kolkata")),
        pa.array([0, 10**15, None], pa.timestamp("us")),
        pa.array([0, 10**9, None], pa.time64("us")),
        pa.array(["a", "b", None]).dictionary_encode(),
    ],
    ids=lambda values: str(values.type),
)
def test_keys_of_every_type(tmp_path, values):
    table = pa.table({"key": values, "bit": [True, False, True]})
    r = dc.release(table, by="key", count="bit", epsilon=EXACT, output=tmp_path / "out")
    expected = [*sorted(value for value in values.to_pylist() if value is not None), None]
    assert r.table["key"].to_pylist() == expected
    assert r.table["n"].to_pylist() == [1, 1, 1]


def test_names_of_columns_are_never_guessed_from_the_rows(tmp_path):
    # "yes" reads like a truth value, and a long value once made the reader skip the header
    for name, value in (("yes", "a"), ("smoker", "x" * 5000)):
        path = tmp_path / f"{name}.csv"
        path.write_text(f"place,{name}\n" + f"{value},1\n{value},0\n" * 500)
        r = dc.release(str(path), by="place", count=name, epsilon=1, properties="F")
        assert r.table.column_names == ["place", "n", name]
        assert r.table["n"].to_pylist() == [1000]


@pytest.mark.slow
def test_a_table_that_outgrows_its_memory_limit_is_spilled(tmp_path):
    """300,000 groups of long keys need several times the 64 MiB that 256 MiB leave to DuckDB."""
    import duckdb

    sql = "SELECT 'a long key of a group, number ' || range % 300000 AS key, range % 3 = 0 AS bit FROM range(600000)"
    duckdb.connect().execute(f"COPY ({sql}) TO '{tmp_path / 'p.parquet'}'")
    (tmp_path / "spill").mkdir()
    r = dc.release(
        tmp_path / "p.parquet",
        by="key",
        count="bit",
        epsilon=1,
        properties="F",
        output=tmp_path / "out",
        memory_limit="256MiB",
        threads=1,
        temporary=tmp_path / "spill",
    )
    assert r.manifest.groups_by_size == {"2": 300000}
    assert list((tmp_path / "spill").iterdir()) == []


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_the_set_of_keys_may_be_a_file(tmp_path, kind):
    from tests.tables.sources import as_file

    (tmp_path / "p.csv").write_text("clinic,smoker\n01,1\n1,0\n")
    (tmp_path / "keys").mkdir()
    keys = as_file(
        kind, pa.table({"more": ["x", "y", "z"], "clinic": ["1", "01", "3"]}), tmp_path / "keys"
    )
    assert released(tmp_path / "p.csv", keys=keys) == [("01", 1, 1), ("1", 1, 0), ("3", 0, 0)]
    with pytest.raises(InvalidInput, match="every `by` column"):
        released(
            tmp_path / "p.csv", keys=as_file(kind, pa.table({"clinik": ["1"]}), tmp_path / "keys")
        )
    with pytest.raises(InvalidInput, match="matches no file"):
        released(tmp_path / "p.csv", keys=tmp_path / "none.csv")


def test_parquet_files_of_one_source_have_one_schema(tmp_path):
    def write(name, **columns):
        pyarrow.parquet.write_table(pa.table(columns), tmp_path / name)
        return tmp_path / name

    text = write("a.parquet", clinic=["01"], smoker=[True])
    other = write("b.parquet", more=[1], smoker=[False], clinic=["1"])
    files = [str(text), str(other)]
    r = dc.release(files, by="clinic", count="smoker", epsilon=EXACT)
    assert [tuple(row.values()) for row in r.table.to_pylist()] == [("01", 1, 1), ("1", 1, 0)]
    for columns in (
        {"clinic": [1], "smoker": [True]},
        {"clinic": ["1"]},
        {"clinic": ["1"], "smoker": [1]},
    ):
        write("b.parquet", **columns)
        with pytest.raises(InvalidInput, match="missing or of another type"):
            dc.release(files, by="clinic", count="smoker", epsilon=EXACT)
