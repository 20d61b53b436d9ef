"""CSV dialects: decided by the header and by `read=`, never by the rows, so no value decides how others are read."""

from __future__ import annotations

import bz2
from pathlib import Path

import pytest
from tests.conftest import require

require("tables")

import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.amounts import tries
from tests.tables.sources import EXACT

import discreet as dc
from discreet.errors import InvalidData, InvalidInput
from discreet.tables.engines.duckdb.sources.csv_dialect import read_dialect, read_reading


def released(source, **words):
    r = dc.release(source, **{"by": "clinic", "count": "smoker", "epsilon": EXACT, **words})
    return [tuple(row.values()) for row in r.table.to_pylist()]


def written(tmp_path, text, name="p.csv"):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return str(path)


@pytest.mark.slow
@settings(max_examples=tries(40))
@given(
    st.lists(st.text(st.sampled_from("ab,;|\t\"'\n\r#\\ 1"), max_size=6), min_size=1, max_size=6)
)
def test_no_value_changes_how_the_others_are_read(tmp_path_factory, notes):
    """Whatever stands in a protected text, quoted as CSV asks, every group keeps its size and every bit its place."""
    quoted = ['"' + note.replace('"', '""') + '"' for note in notes]
    rows = "".join(f"c{k};{note};{k % 2}\n" for k, note in enumerate(quoted))
    path = written(tmp_path_factory.mktemp("csv"), f"clinic;note;smoker\n{rows}")
    assert released(path) == [(f"c{k}", 1, k % 2) for k in range(len(notes))]
    same = released(path, count={"same": "note = 'a'"}, nulls="0")
    assert [row[2] for row in same] == [int(note == "a") for note in notes]


@pytest.mark.parametrize("line", ["a|b,1", "'x,1", "a;;;;,1", "a\tb\tc,1"])
def test_signs_in_the_rows_do_not_make_a_delimiter(tmp_path, line):
    """A reader that looks at rows would take these for another dialect as soon as there are more of them."""
    path = written(tmp_path, "clinic,smoker\n" + f"{line}\n" * 50)
    assert released(path) == [(line.rpartition(",")[0], 50, 50)]


def test_a_line_of_names_with_two_possible_delimiters_is_refused(tmp_path):
    path = written(tmp_path, "clinic;a,smoker\nx;1,1\n")
    with pytest.raises(InvalidInput, match=r", and ; could be the delimiter.*delimiter"):
        released(path)
    assert released(path, read={"delimiter": ","}, by="clinic;a") == [("x;1", 1, 1)]
    quoted = written(tmp_path, '"clinic";"a, b";smoker\nx;1;1\n')
    assert released(quoted) == [("x", 1, 1)]  # what stands in quotes is a name


def test_a_file_without_names_needs_its_delimiter(tmp_path):
    path = written(tmp_path, "x,1\n")
    with pytest.raises(InvalidInput, match="must give the delimiter"):
        released(path, read={"header": False})
    asked = {"by": "column0", "count": "column1"}
    assert released(path, **asked, read={"header": False, "delimiter": ","}) == [("x", 1, 1)]
    assert released(written(tmp_path, "x\t1\n", "p.tsv"), **asked, read={"header": False}) == [
        ("x", 1, 1)
    ]


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("clinic smoker\nx 1\n", {"delimiter": " "}),
        ("clinic\tsmoker\nx\t1\n", {"delimiter": "tab"}),
        ("'clinic',smoker\n'x',1\n", {"quote": "'"}),
        ('"cli\\"nic",clinic,smoker\n"a\\",b",x,1\n', {"escape": "\\"}),
        ("# made today\n# by us\nclinic,smoker\nx,1\n# end\n", {"comment": "#"}),
        ('it"s a title\r\nclinic,smoker\r\nx,1\r\n', {"skip": 1}),
        ('it"s a title\r\nclinic,smoker\r\nx,1\r\n', {"skip": "1", "header": "true"}),
        ('"clinic", "smoker" ,"other\nlines"\nx,1,2\n', {}),
        ("clinic,smoker,\nx,1,\n", {}),
        ("clinic,smoker\rx,1\r", {}),
        ('clinic,"quo""ted",smoker\nx,0,1', {}),
        ("clinic,smoker\nx,1\n?,?\n", {"null": "?"}),
    ],
)
def test_dialects_that_are_told_or_stand_in_the_names(tmp_path, text, read):
    found = released(written(tmp_path, text), read=read, nulls="0")
    assert found[0] == ("x", 1, 1)
    assert all(row == (None, 1, 0) for row in found[1:])


@pytest.mark.parametrize("first", ["sep=;", "SEP=;"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_the_line_that_tells_excel_the_delimiter(tmp_path, first, encoding, end):
    text = end.join((first, "clinic;a,b;smoker", "x;,;1", "sep=,;;0", ""))
    assert released(written(tmp_path, text.encode(encoding))) == [("sep=,", 1, 0), ("x", 1, 1)]


def test_excels_line_among_skipped_lines_and_rows(tmp_path):
    assert released(written(tmp_path, "title\nsep=|\nclinic|smoker\nx|1\n"), read={"skip": 1}) == [
        ("x", 1, 1)
    ]
    assert released(written(tmp_path, "sep=;\nclinic;smoker\nx;1\n"), read={"skip": 1}) == [
        ("x", 1, 1)
    ]
    assert released(written(tmp_path, "sep=\t\nclinic\tsmoker\nx\t1\n")) == [("x", 1, 1)]
    # without a header the first line is a person's, and decides nothing
    rows = written(tmp_path, "sep=;\n0;1\n")
    asked = {
        "by": "column0",
        "count": "column0 = '0;1'",
        "read": {"header": False, "delimiter": ","},
    }
    asked["public"] = ["column0"]
    assert released(rows, **asked) == [("0;1", 1, 1), ("sep=;", 1, 0)]


@pytest.mark.parametrize("title", ['"two\nlines"', 'see;"below', '\ufeff"a";"b'])
def test_quotes_in_skipped_lines_lose_no_row(tmp_path, title):
    path = written(tmp_path, f'{title}\nclinic;smoker\n"x";1\ny;0\nz;1\n')
    skip = 1 + title.count("\n")
    assert released(path, read={"skip": skip}) == [("x", 1, 1), ("y", 1, 0), ("z", 1, 1)]
    asked = {
        "by": "column0",
        "count": "column1",
        "nulls": "0",
        "read": {"header": False, "delimiter": ";"},
    }
    path = written(tmp_path, f'{title}\n"x";1\ny;0\n')
    assert released(path, **{**asked, "read": {**asked["read"], "skip": skip}}) == [
        ("x", 1, 1),
        ("y", 1, 0),
    ]


def test_line_ends_may_be_mixed(tmp_path):
    assert released(written(tmp_path, "clinic,smoker\nx,1\r\ny,1\rz,1\n")) == [
        ("x", 1, 1),
        ("y", 1, 1),
        ("z", 1, 1),
    ]


def test_names_are_read_as_written(tmp_path):
    path = written(tmp_path, 'a, b ,"c ""d""",,"e,f"\n')
    assert read_dialect({path: Path(path).read_bytes()}, read_reading(None))[0].names == (
        "a",
        "b",
        'c "d"',
        "column3",
        "e,f",
    )


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("\nclinic,smoker\nx,1\n", "skip"),
        ('"clinic,smoker\nx,1\n', "a quote is not closed"),
        ('"' + "x" * 2_000_000 + '",smoker\nx,1\n', "never ends"),
        ('clinic,smoker,5"\nx,1,"\ny,0,z\n', "quote within a name"),
        ('"clinic"s,smoker\nx,1\n', "quote within a name"),
        (b"\xfe\xff" + "clinic,smoker\nx,1\n".encode("utf-16-be"), "UTF-16"),
        ("clinic,smoker,smoker\nx,1,1\n", "several columns of this name"),
        ("clinic,smoker\nx,1,hidden\n", "does not fit"),
        ("clinic,smoker\nhidden\n", "does not fit"),
        ('clinic,smoker\n"hidden"x,1\n', "does not fit"),
    ],
    ids=[
        "blank line",
        "open quote",
        "endless name",
        "quote in a name",
        "more after a quote",
        "big-endian",
        "twins",
        "long row",
        "short row",
        "quotes",
    ],
)
def test_what_cannot_be_read_in_one_way_is_refused(tmp_path, text, match):
    with pytest.raises(InvalidInput, match=match) as caught:
        released(written(tmp_path, text))
    assert "hidden" not in str(caught.value)


def test_names_that_are_not_utf8(tmp_path):
    path = written(tmp_path, "größe,clinic,smoker\n1,x,1\n".encode("latin-1"))
    with pytest.raises(InvalidData, match="latin-1"):
        released(path)
    assert released(path, read={"encoding": "latin-1"}) == [("x", 1, 1)]


def test_files_of_one_source_have_one_line_of_names(tmp_path):
    written(tmp_path, "clinic,smoker\nx,1\n", "a.csv")
    written(tmp_path, "smoker,clinic\n1,y\n", "b.csv")
    with pytest.raises(InvalidInput, match="different headers"):
        released(str(tmp_path / "*.csv"))
    written(tmp_path, "clinic;smoker\ny;1\n", "b.csv")
    with pytest.raises(InvalidInput, match="different delimiters"):
        released(str(tmp_path / "*.csv"))


def test_packed_files(tmp_path):
    packed = pa.compress(b"clinic;smoker\nx;1\n", codec="zstd", asbytes=True)
    assert released(written(tmp_path, packed, "p.csv.zst")) == [("x", 1, 1)]
    with pytest.raises(InvalidInput, match="unknown format"):
        released(written(tmp_path, bz2.compress(b"clinic,smoker\nx,1\n"), "p.csv.bz2"))
    with pytest.raises(InvalidInput, match="cannot be read"):
        released(written(tmp_path, b"clinic,smoker\nx,1\n", "q.csv.gz"))


@pytest.mark.parametrize(
    "read",
    [
        {"delimiter": ""},
        {"delimiter": "\n"},
        {"delimiter": 3},
        {"delimiter": "::"},
        {"quote": "»"},
        {"quote": "ab"},
        {"header": "perhaps"},
        {"skip": -1},
        {"skip": True},
        {"decimal": ""},
        {"null": None},
    ],
    ids=repr,
)
def test_options_that_make_no_sense_are_refused(tmp_path, read):
    with pytest.raises(InvalidInput, match=next(iter(read))):
        released(written(tmp_path, "clinic,smoker\nx,1\n"), read=read)


def test_the_command_line_knows_every_option(tmp_path):
    from tests.cli.test_frame import invoke

    path = written(tmp_path, "a title\nx\t1,5\t1\ny\t0,5\t?\n".encode("utf-16"), "p.txt")
    told = {
        "delimiter": "tab",
        "header": "false",
        "skip": "1",
        "null": "?",
        "encoding": "utf-16",
        "decimal": ",",
    }
    told |= {"quote": "'", "escape": "'", "comment": "#", "format": "csv"}
    read = [word for name, value in told.items() for word in ("--read", f"{name}={value}")]
    asked = [
        "--by",
        "column0",
        "--count-as",
        "old",
        "column1 > 1",
        "--count-as",
        "ill",
        "column2",
        "--type",
        "column1=DOUBLE",
    ]
    paid = ["--nulls", "0", "--epsilon", str(2 * EXACT), "--output", str(tmp_path / "out")]
    invoke("release", path, *read, *asked, *paid)
    table = dc.read_release(tmp_path / "out").table
    assert [tuple(row.values()) for row in table.to_pylist()] == [("x", 1, 1, 1), ("y", 1, 0, 0)]
