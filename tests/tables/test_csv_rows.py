"""CSV files are read as Python's `csv` module reads them in its strict mode, or refused; nothing is repaired."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from random import Random

import pytest
from tests.amounts import SLOW
from tests.conftest import require

require("tables")

import numpy as np
import pyarrow as pa
from tests.tables.sources import EXACT

import discreet as dc
from discreet.errors import DiscreetError, InvalidData, InvalidInput
from discreet.tables.engines.duckdb.connection import connect
from discreet.tables.engines.duckdb.sources import csv_rows
from discreet.tables.engines.duckdb.sources.csv_dialect import Dialect, read_dialect, read_reading

Rows = list[tuple[str, ...]] | None
"""What a reader makes of a file; None if it refuses it."""


def written(tmp_path, text, name="p.csv"):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return str(path)


def released(source, **asked):
    r = dc.release(source, **{"by": "clinic", "count": "smoker", "epsilon": EXACT, **asked})
    return [tuple(row.values()) for row in r.table.to_pylist()]


# --- an oracle ---


def by_python(text: str, dialect: Dialect) -> Rows:
    """The rows below the header as Python reads them; a line without a character is a row in a single column only."""
    width = len(dialect.names)
    escape = {} if dialect.doubled else {"escapechar": dialect.escape, "doublequote": False}
    begins = True

    def lines():
        nonlocal begins
        for line in io.StringIO(text, newline=""):
            if not (begins and dialect.comment and line.startswith(dialect.comment)):
                begins = False
                yield line

    try:
        rows, reader = [], csv.reader(lines(), strict=True, delimiter=dialect.delimiter, **escape)
        for row in reader:
            rows.append(row)
            begins = True
        rows = rows[dialect.header :]
    except csv.Error:
        return None
    rows = [row or [""] for row in rows if row or width == 1]
    return [tuple(row) for row in rows] if all(len(row) == width for row in rows) else None


def by_us(path: str, data: bytes, read: dict[str, str]) -> tuple[Rows, Dialect | None]:
    """The rows as we read them, and the dialect that the header says; None where it says none."""
    try:
        dialect, above = read_dialect({path: data}, read_reading(read))
    except DiscreetError:
        return None, None
    if not dialect.header:
        try:
            width = csv_rows.first_width(path, above[path], dialect)
        except DiscreetError:
            return None, dialect
        dialect = replace(dialect, names=tuple(map(str, range(width))))
    columns = range(len(dialect.names))
    rows = csv_rows.CsvRows(files=[*above.items()], dialect=dialect, columns=columns, workers=2)
    try:
        table = pa.RecordBatchReader.from_stream(rows).read_all()
    except (pa.ArrowException, DiscreetError):
        assert rows.problem is not None
        return None, dialect
    return list(zip(*(column.to_pylist() for column in table.columns), strict=True)), dialect


# --- pollution ---

_FIELDS = (
    "",
    "",
    "a",
    "north",
    "x y",
    " b",
    "c ",
    '"a"',
    '""',
    '"say ""hi"""',
    '"a,b"',
    '"a;b"',
    '"line\nend"',
    '"a\r\nb"',
    '"a\rb"',
    'a"b',
    '5"',
    '""x',
    '"a"b',
    ' "a"',
    '"a" ',
    '"',
    '"""',
    "'a'",
    "é",
    "\x00",
    "\\",
    '\\"',
    "#",
    "sep=;",
)
_PLAIN = _FIELDS[:15]


def polluted(rng: Random) -> str:
    """A small file, most of it sound: too many or few delimiters, stray quotes, preambles, other line ends, and so on."""
    width = rng.choice((1, 2, 2, 3, 4))
    delimiter = rng.choice(",,,;")
    separator = delimiter + " " if rng.random() < 0.1 else delimiter
    end = rng.choice(("\n", "\n", "\r\n", "\r"))
    fields = _FIELDS if rng.random() < 0.5 else _PLAIN
    header = [f"column {place}" for place in range(width)] + [""] * (rng.random() < 0.1)
    lines = [separator.join(header)]
    for _ in range(rng.randrange(6)):
        surplus = rng.choice((-1, 1, 1, 2)) if rng.random() < 0.1 else 0
        lines.append(
            separator.join(rng.choice(fields) for _ in range(max(1, len(header) + surplus)))
        )
    mishap = rng.random()
    if mishap < 0.05:
        lines.insert(rng.randrange(1, len(lines) + 1), "")
    elif mishap < 0.1:
        lines.insert(rng.randrange(1, len(lines) + 1), lines[0])
    elif mishap < 0.15:
        lines.append("total" + delimiter * rng.randrange(width + 1))
    ends = [rng.choice("\n\r") if rng.random() < 0.05 else end for _ in lines]
    ends[-1] = rng.choice((end, end, "", end + end))
    return "".join(line + end for line, end in zip(lines, ends, strict=True))


def mutated(rng: Random, text: str) -> str:
    """The file with some characters put in, taken out or exchanged anywhere below the header."""
    for _ in range(rng.randrange(3)):
        place = rng.randrange(text.find("\n") + 1, len(text) + 1)
        text = (
            text[:place]
            + rng.choice(('"', '""', ",", "\n", "\r", " ", "x", ""))
            + text[place + rng.randrange(2) :]
        )
    return text


HEADLESS = {"header": "false", "delimiter": ","}


def commented(rng: Random, text: str) -> str:
    """The file with some lines that begin with the character of a comment, and quotes in them."""
    lines = text.splitlines(keepends=True)
    for _ in range(rng.randrange(4)):
        line = rng.choice(("#\n", '#"\n', "# a,b,c\n", '#5" pipe\n', "#,,\n"))
        lines.insert(rng.randrange(1, len(lines) + 1), line)
    return "".join(lines)


def test_what_is_read_is_what_python_reads_and_the_rest_is_refused(tmp_path, monkeypatch):
    rng, seen = Random(20261119), {"read": 0, "refused": 0}
    for number in range(5_000 if SLOW else 500):
        text = mutated(rng, polluted(rng))
        monkeypatch.setattr(csv_rows, "_BLOCK", rng.choice((1, 2, 3, 7, 64, 1 << 20)))
        read = rng.choice(
            ({}, {}, {}, {"escape": "\\"}, {"comment": "#"}, {"comment": "#"}, HEADLESS)
        )
        if "comment" in read:
            text = commented(rng, text)
        path = written(tmp_path, text)
        rows, dialect = by_us(path, text.encode(), read)
        if dialect is not None:
            expected = by_python(text, dialect)
            if (
                rows is not None or dialect.doubled
            ):  # Python takes what follows a closing quote unless it is doubled
                assert rows == expected, f"file {number}, {read}: {text!r}"
            seen["refused" if rows is None else "read"] += 1
    assert min(seen.values()) > 100


def test_quotes_are_found_at_once_as_they_are_one_by_one():
    rng = Random(7)
    dialect, _ = read_dialect({"p": b"a,b\n"}, read_reading(None))
    for _ in range(3_000):
        text = mutated(rng, polluted(rng)).encode()
        places = np.array([place for place, byte in enumerate(text) if byte != ord('"')], np.int64)
        outside = []
        for way in (csv_rows._quotes, csv_rows._quotes_one_by_one):
            try:
                outside.append([*csv_rows._outside(places, way(text, dialect))])
            except csv_rows._Malformed as error:
                outside.append([-error.position])
        assert outside[0] == outside[1], text


# --- what a surplus or a missing delimiter did ---

SHIFTED = 'person,name,clinic,smoker,note\n1,"Ann",north,1,\n2,Lee, Bob,north,1,\n'


@pytest.mark.parametrize(
    ("text", "read"),
    [
        (SHIFTED, None),
        (SHIFTED.replace('1,"Ann",north,1,\n', ""), None),
        (SHIFTED.replace("north,1,\n", "north,1,NA\n"), {"null": "NA"}),
        (
            "person,name clinic,smoker,note\n1,Ann,north,1,\n2,Bob,north,1,\n",
            None,
        ),  # the header lost a comma
        ("clinic,smoker\nnorth,1,\nsouth,0,\n", None),
        ("clinic,smoker,\nnorth,1,\nsouth,0\n", None),
        ("clinic,smoker\nnorth,1\nsouth\n", None),
        ("clinic,smoker\nnorth,1\n  \n", None),
    ],
)
def test_a_row_with_more_or_fewer_fields_than_the_header_is_refused(tmp_path, text, read):
    path = written(tmp_path, text)
    for asked in ({"by": "clinic"}, {"by": []}):
        with pytest.raises(
            InvalidInput, match="does not fit its header|columns of the source"
        ) as caught:
            released(path, read=read, nulls="0", **asked)
        assert "Bob" not in str(caught.value)


def test_one_trailing_delimiter_that_the_header_and_every_row_have_is_read(tmp_path):
    assert released(written(tmp_path, "clinic,smoker,\nnorth,1,\nnorth,0,\n")) == [("north", 2, 1)]


def test_a_line_without_a_character_is_a_missing_value_of_a_single_column_and_else_no_row(tmp_path):
    one = written(tmp_path, "smoker\n1\n\n0\n\n")
    assert released(one, by=[], nulls="1") == [
        (4, 3)
    ]  # a missing answer is somebody's: the size must not show it
    assert released(written(tmp_path, "clinic,smoker\n\nnorth,1\n\n\n")) == [("north", 1, 1)]


def test_a_declared_text_for_missing_values_does_not_match_a_quoted_one(tmp_path):
    path = written(tmp_path, 'clinic,smoker\nNA,1\n"NA",1\n,1\n"",1\n')
    assert released(path, read={"null": "NA"}) == [("NA", 1, 1), (None, 3, 3)]


def test_a_quote_in_one_persons_note_makes_no_person_of_a_comment(tmp_path):
    for note in ("ok", '6" scar', '"6"" scar"', '"#not\n#at all"'):
        rows = f"1,m,0,{note}\n2,n,1,fine\n#3,n,1,left\n#4,n,1,left\n5,m,0,\n"
        path = written(tmp_path, f"p,clinic,smoker,note\n{rows}")
        assert released(path, read={"comment": "#"}, unit="p") == [("m", 2, 0), ("n", 1, 1)]


@pytest.mark.parametrize("first", ['5" pipe,1', "x" * 2_000_000 + ",1", " ,1"])
def test_without_a_header_the_first_row_is_a_row_like_others(tmp_path, first):
    read, keys = {"header": False, "delimiter": ","}, {"other_keys": "drop", "keys": ["y"]}
    asked = {"by": "column0", "count": "column1", "read": read, **keys}
    for rows in (f"{first}\ny,1\n", f"y,1\n{first}\n", f"\n\n{first}\ny,1\n"):
        assert released(written(tmp_path, rows), **asked) == [("y", 1, 1)]
    blank = {"by": [], "count": "column0", "nulls": "0", "read": read}
    assert released(written(tmp_path, "\n1\n0\n"), **blank) == [(3, 1)]


@pytest.mark.parametrize(("kind", "text"), [
    ("INTEGER", "1.5"), ("BIGINT", "0x10"), ("INTEGER", "1_000"), ("DATE", "2020-01-01 10:00"), ("DECIMAL(4,2)", "1.005"),
])  # fmt: skip
def test_a_type_repairs_no_text(tmp_path, kind, text):
    path = written(tmp_path, f"clinic,smoker\n{text},1\n")
    with pytest.raises(InvalidData, match="column clinic that its type cannot hold .*row 1 below"):
        released(path, read={"types": {"clinic": kind}})


def test_keys_in_a_file_are_not_rounded_and_what_is_wrong_with_the_file_is_said(tmp_path):
    path = written(tmp_path, "clinic,smoker\n" + "2,1\n" * 20)
    asked = {"read": {"types": {"clinic": "INTEGER"}}, "other_keys": "drop"}
    keys = written(tmp_path, "clinic\n1.5\n", "keys.csv")
    with pytest.raises(InvalidInput, match="`keys` has a value in column clinic"):
        released(path, keys=keys, **asked)
    keys = written(tmp_path, "clinic;more\n2;x\n2;x;y\n", "keys.csv")
    with pytest.raises(InvalidInput, match=r"`keys` has a line that does not fit .*line 3 of"):
        released(path, keys=keys, **asked)


def test_what_stops_the_reader_is_said_with_types_too(tmp_path):
    rows = "".join(f"{k % 5},1\n" for k in range(300_000))
    path = written(tmp_path, f"clinic,smoker\n{rows}hidden,1\n1,2,3\n")
    asked = {"read": {"types": {"clinic": "INTEGER"}}}
    with pytest.raises(
        InvalidInput, match="does not fit its header|its type cannot hold"
    ) as caught:
        released(path, **asked)
    assert "hidden" not in str(caught.value)
    packed = pa.compress(f"clinic,smoker\n{rows}".encode(), codec="gzip", asbytes=True)
    with pytest.raises(InvalidInput, match="cannot be read"):
        released(written(tmp_path, packed[: len(packed) // 2], "p.csv.gz"), **asked)


def test_ctrl_c_while_rows_are_read_stays_ctrl_c(tmp_path, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(csv_rows.CsvRows, "_parse", interrupted)
    with pytest.raises(KeyboardInterrupt):
        released(written(tmp_path, "clinic,smoker\nx,1\n"))


def test_lines_are_counted_whatever_ends_them(tmp_path):
    path = written(tmp_path, "clinic,smoker\nx,1\ry,0\r\nz,1\nbad\n")
    with pytest.raises(InvalidData, match="line 5 of"):
        released(path)


def test_bad_bytes_in_a_column_that_is_not_read_take_no_time_and_are_no_matter(tmp_path):
    noise = b"\xe9" * 900_000
    path = written(tmp_path, b"note,clinic,smoker\n" + noise + b",x,1\n")
    assert released(path) == [("x", 1, 1)]
    path = written(tmp_path, b"note,clinic,smoker\n" + noise + b",x,1\n,\xe9,1\n")
    with pytest.raises(InvalidData, match=r"not UTF-8, in column clinic \(line 3"):
        released(path)


# --- where a value lies, and how long it is ---


@pytest.mark.parametrize("end", [8_000_000, 16_000_000, 1 << 20, 32 << 20])
def test_line_breaks_in_a_value_are_read_wherever_they_lie(tmp_path, end):
    """DuckDB cut a file every 8,000,000 bytes, and refused one whose quoted text had line breaks there."""
    note = '"' + "a\n,b\r\n" * 50 + '"'
    row = "x" * 990 + ",0,\n"
    lines = ["clinic,smoker,note\n", *[row] * ((end - 400) // len(row))]
    lines.append("y" * (end - 100 - sum(map(len, lines))) + f",1,{note}\n")
    path = written(tmp_path, "".join([*lines, row]))
    key = lines[-1].partition(",")[0]
    assert released(path, keys=[key], other_keys="drop") == [(key, 1, 1)]


@pytest.mark.slow
def test_a_row_may_have_sixteen_mebibytes_wherever_it_lies(tmp_path):
    beside = len("x,,1\n")
    for above in (0, 700_000):
        rows = "x,,0\n" * (above // 5)
        for length, fits in ((csv_rows.MOST_BYTES, True), (csv_rows.MOST_BYTES + 1, False)):
            for note in ("n" * (length - beside), '"' + "\n" * (length - beside - 2) + '"'):
                path = written(tmp_path, f"clinic,note,smoker\n{rows}x,{note},1\n")
                if fits:
                    assert released(path) == [("x", above // 5 + 1, 1)]
                else:
                    with pytest.raises(
                        InvalidData, match=rf"more than 16 MiB \(line {above // 5 + 2} of"
                    ):
                        released(path)


def test_threads_and_blocks_change_nothing(tmp_path, monkeypatch):
    text = "clinic,note,smoker\n" + "".join(
        f'c{k % 7},"{k}\n""q"",",{k % 2}\n' for k in range(5_000)
    )
    path, found = written(tmp_path, text), []
    for block, threads in ((100, 1), (1_000, 2), (33_333, 8), (1 << 20, 3)):
        monkeypatch.setattr(csv_rows, "_BLOCK", block)
        found.append(released(path, threads=threads, count={"a": "smoker", "b": "note LIKE '%7%'"}))
    assert found[1:] == found[:-1] and sum(row[1] for row in found[0]) == 5_000


def test_a_file_that_ends_within_its_packing_is_refused(tmp_path):
    packed = pa.compress(b"clinic,smoker\n" + b"x,1\n" * 2_000_000, codec="gzip", asbytes=True)
    with pytest.raises(InvalidInput, match="cannot be read"):
        released(written(tmp_path, packed[: len(packed) // 2], "p.csv.gz"))


def test_rows_can_be_read_again_and_an_interrupted_reading_leaves_nothing(tmp_path):
    path = written(tmp_path, "clinic,smoker\n" + "x,1\n" * 1_000_000)
    dialect, above = read_dialect({path: b"clinic,smoker\n"}, read_reading(None))
    rows = csv_rows.CsvRows(files=[*above.items()], dialect=dialect, columns=[0], workers=2)
    connection = connect()
    connection.register("rows", rows)
    assert connection.execute('SELECT "0" FROM rows LIMIT 1').fetchall() == [("x",)]
    assert connection.execute("SELECT count(*) FROM rows").fetchall() == [(1_000_000,)]
