"""The spreadsheet: numbers are numbers, texts stay texts, the same bytes for the same release."""

import xml.etree.ElementTree as ET
import zipfile
from io import BytesIO
from pathlib import Path

import pytest
from tests.conftest import require

import discreet as dc
from discreet.errors import InvalidInput
from discreet.reporting import xlsx_files
from discreet.reporting.workbook import workbook
from discreet.reporting.xlsx_files import TENTHS, TEXT, WHOLE, Sheet, write_sheets

require("tables")

import pyarrow as pa

FIXTURES = Path(__file__).parents[1] / "fixtures"
KINDS = {False: "credible", True: "confidence"}
"""Of the intervals of single groups, by whether a question has several answers."""
SPACE = {"m": "http://schemas.openxmlformats.org/spreadsheetml/2006/main"}


def read(data):
    """The sheets of a spreadsheet: {name: {cell: (kind, style, text)}}."""
    with zipfile.ZipFile(BytesIO(data)) as archive:
        assert archive.testzip() is None
        parts = {name: ET.fromstring(archive.read(name)) for name in archive.namelist()}
    names = [sheet.get("name") for sheet in parts["xl/workbook.xml"].iterfind(".//m:sheet", SPACE)]
    found = {}
    for place, name in enumerate(names, 1):
        cells = parts[f"xl/worksheets/sheet{place}.xml"].iterfind(".//m:c", SPACE)
        found[name] = {
            c.get("r"): (c.get("t", "n"), int(c.get("s")), "".join(c.itertext()))
            for c in cells
            if "".join(c.itertext())
        }
    return found, parts


def test_the_sheets_hold_what_the_estimate_says():
    for name in ("release", "release-levels", "release-csv"):
        release = dc.read_release(FIXTURES / name)
        found, _ = read(workbook(dc.report(release).findings))
        one = len(release.manifest.counts) == 1
        first = release.manifest.counts[0]
        quote = found["To quote" if one else f"Quote {first.name}"]
        table = dc.estimate(release, count=first.name).quotable()
        assert (
            quote["A1"][2] == f"{first.name}, to be quoted"
            and "Print the interval, then the number." in quote["A2"][2]
        )
        assert list(table.columns)[-1] == "interval", "which the head says"
        for place, (column, values) in enumerate(list(table.columns.items())[:-1]):
            letter = "ABCDEFGHIJ"[place]
            if column in (*table.keys, "people"):
                assert quote[f"{letter}3"][2] == column
            if column not in table.keys:
                cells = [quote.get(f"{letter}{k}", ("n", 0, "")) for k in (4, 5)]
                assert {kind for kind, _, _ in cells} == {"n"}
                assert [float(text) if text else None for _, _, text in cells] == values[
                    :2
                ].tolist()
        heads = {text for cell, (_, _, text) in quote.items() if cell[1:] == "3"}
        assert {"number", "95% interval: from", "to"} <= heads
        assert f"The 95% interval is a {KINDS[bool(first.answers)]} interval" in quote["A2"][2]
        assert {"Methods", "Manifest"} <= found.keys() and any(
            sheet.startswith("Totals") for sheet in found
        )
        manifest = {text for _, _, text in found["Manifest"].values()}
        assert {
            release.manifest.release,
            release.manifest.guarantee,
            release.manifest.alpha,
        } <= manifest
        methods = {text for _, _, text in found["Methods"].values()}
        assert {dc.report(release).methods, dc.report(release).citation} <= methods


def test_estimates_say_what_they_are_for_where_they_stand():
    found, _ = read(workbook(dc.report(FIXTURES / "release").findings))
    notes = [cells["A2"][2] for name, cells in found.items() if name.startswith("Estimates")]
    assert notes and all("not to be quoted" in note for note in notes)


def test_texts_that_look_like_formulas_stay_texts():
    odd = [
        "=1+1",
        "+1",
        "-x",
        "@SUM(A1)",
        " =x",
        "'=x",
        "＝1",
        "a\x01b",
        "_x0041_",
        "<&>",
        "x" * 40_000,
        "12",
    ]
    sheet = Sheet(
        name="a",
        title="=t",
        note="-n",
        head=["=key", "k"],
        shown=[TEXT, WHOLE],
        rows=[(text, 1) for text in odd],
    )
    found, parts = read(write_sheets([sheet]))
    cells = found["a"]
    assert all(cells[f"A{k}"][0] == "inlineStr" for k in range(1, 4 + len(odd)))
    styles = parts["xl/styles.xml"].findall("m:cellXfs/m:xf", SPACE)
    quoted = [styles[cells[f"A{k}"][1]].get("quotePrefix") == "1" for k in range(4, 4 + len(odd))]
    assert quoted == [True] * 7 + [False] * 5
    assert cells["A11"][2] == "a_x0001_b" and cells["A12"][2] == "_x005F_x0041_", (
        "as the standard writes them"
    )
    assert cells["A13"][2] == "<&>" and len(cells["A14"][2]) == 32_767
    assert not parts["xl/worksheets/sheet1.xml"].findall(".//m:f", SPACE), "no formula anywhere"


def test_headers_are_frozen_and_widths_and_formats_are_set():
    rows = [("north", 1234, 0.5), (None, 2**60, float("nan"))]
    data = write_sheets(
        [Sheet(name="a", title="t", head=["key", "n", "x"], shown=[TEXT, WHOLE, TENTHS], rows=rows)]
    )
    found, parts = read(data)
    sheet, styles = parts["xl/worksheets/sheet1.xml"], parts["xl/styles.xml"]
    pane = sheet.find(".//m:pane", SPACE)
    assert (pane.get("state"), pane.get("ySplit")) == ("frozen", "3")
    assert all(float(col.get("width")) >= 10 for col in sheet.iterfind(".//m:col", SPACE))
    formats = styles.findall("m:cellXfs/m:xf", SPACE)
    assert (
        formats[found["a"]["B4"][1]].get("numFmtId") == "3"
        and formats[found["a"]["C4"][1]].get("numFmtId") == "164"
    )
    assert found["a"]["B5"] == ("inlineStr", found["a"]["B4"][1], str(2**60)), (
        "a number too long for a float is text"
    )
    assert found["a"]["C5"][2] == "nan" and "A5" not in found["a"]
    assert sheet.find("m:autoFilter", SPACE).get("ref") == "A3:C5"
    assert data == write_sheets(
        [Sheet(name="a", title="t", head=["key", "n", "x"], shown=[TEXT, WHOLE, TENTHS], rows=rows)]
    )


def test_names_of_sheets_are_allowed_ones():
    names = ["a" * 40, "a" * 40, "[x]:*?/\\", "", "'q'"]
    found = xlsx_files.sheet_names(names)
    assert len({name.casefold() for name in found}) == 5 and all(
        0 < len(name) <= 31 for name in found
    )
    assert not set("".join(found)) & set("[]:*?/\\'")


def test_more_rows_than_a_sheet_holds_are_refused_with_a_remedy(monkeypatch):
    monkeypatch.setattr(xlsx_files, "MOST_ROWS", 5)
    sheet = Sheet(name="a", title="t", head=["n"], shown=[WHOLE], rows=[(k,) for k in range(3)])
    with pytest.raises(InvalidInput, match=r"output.*at most 2 rows.*--csv"):
        write_sheets([sheet])


def test_every_kind_of_question_has_its_sheets(tmp_path):
    people = pa.table(
        {
            "g": ["=a", "=a", "b", "b"],
            "x": ["no", "yes", "no", "maybe"],
            "s": [True, False, True, True],
        }
    )
    r = dc.release(people, by="g", count={"x": ["no", "yes", "maybe"], "s": "s"}, epsilon=1)
    dc.report(r, tmp_path / "r.xlsx")
    found, _ = read((tmp_path / "r.xlsx").read_bytes())
    kinds = ("Quote", "Totals", "Estimates")
    assert list(found) == [f"{kind} {name}" for kind in kinds for name in ("x", "s")] + [
        "Methods",
        "Manifest",
    ]
    assert found["Quote x"]["A4"][2] == "=a" and found["Quote x"]["A4"][0] == "inlineStr"
