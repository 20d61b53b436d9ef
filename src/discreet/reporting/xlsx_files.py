"""A small writer of spreadsheets (Office Open XML, ECMA-376): sheets of a title, notes, a frozen
header and rows.

The standard library alone, and the same bytes for the same contents. Numbers are numbers. Texts are
texts whatever they begin with, also after somebody has edited the cell: one that a spreadsheet
would take for a formula carries the mark that typing an apostrophe before it sets (`quotePrefix`).
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from discreet.errors import InvalidInput

MOST_ROWS = 1_048_576
MOST_TEXT = 32_767
_WIDEST, _LOOKED_AT = 44, 500
_EXACT = 1 << 53
_HEADER = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_LINKS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"

TEXT, WHOLE, TENTHS, PERCENT, WRAPPED = "text", "whole", "tenths", "percent", "wrapped"
"""How the cells of a column are shown."""
_STYLES = {TEXT: 0, WHOLE: 1, TENTHS: 2, PERCENT: 3, WRAPPED: 4}
_TITLE, _NOTE, _HEAD, _QUOTED, _QUOTED_WRAPPED, _NUMBER_HEAD = 5, 6, 7, 8, 9, 10
_WRAP = '<alignment horizontal="left" vertical="top" wrapText="1"/>'
_HEADED = (
    'fontId="3" fillId="2" borderId="1" applyFont="1" applyFill="1" applyBorder="1" '
    'applyAlignment="1"'
)
_STYLESHEET = (
    f'<styleSheet xmlns="{_MAIN}"><numFmts count="1"><numFmt numFmtId="164" '
    'formatCode="#,##0.0"/></numFmts><fonts count="4"><font><sz val="11"/><name '
    'val="Calibri"/></font><font><b/><sz val="14"/><name val="Calibri"/></font><font><i/><sz '
    'val="10"/><color rgb="FF56606B"/><name val="Calibri"/></font><font><b/><sz val="11"/><name '
    'val="Calibri"/></font></fonts><fills count="3"><fill><patternFill '
    'patternType="none"/></fill><fill><patternFill '
    'patternType="gray125"/></fill><fill><patternFill patternType="solid"><fgColor '
    'rgb="FFDBE9F6"/></patternFill></fill></fills><borders count="2"><border/><border><bottom '
    'style="thin"><color rgb="FF56606B"/></bottom></border></borders><cellStyleXfs '
    'count="1"><xf/></cellStyleXfs><cellXfs count="11"><xf/><xf numFmtId="3" '
    'applyNumberFormat="1"/><xf numFmtId="164" applyNumberFormat="1"/><xf numFmtId="10" '
    f'applyNumberFormat="1"/><xf applyAlignment="1">{_WRAP}</xf><xf fontId="1" applyFont="1"/><xf '
    f'fontId="2" applyFont="1" applyAlignment="1">{_WRAP}</xf><xf {_HEADED}><alignment '
    'vertical="center" wrapText="1"/></xf><xf quotePrefix="1"/><xf quotePrefix="1" '
    f'applyAlignment="1">{_WRAP}</xf><xf {_HEADED}><alignment horizontal="right" '
    'vertical="center" wrapText="1"/></xf></cellXfs></styleSheet>'
)
_FORMULA = re.compile(r"[\s']*[=+\-@\uff1d\uff0b\uff0d\uff20]")
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\ud800-\udfff\ufffe\uffff]|_x[0-9A-Fa-f]{4}_")


@dataclass(frozen=True, kw_only=True)
class Sheet:
    """One sheet: a title and a note above a frozen header, and rows below; `shown` says how each
    column looks.
    """

    name: str
    title: str
    note: str = ""
    head: Sequence[str]
    shown: Sequence[str]
    rows: Sequence[Sequence[Any]]
    widths: Sequence[int] = ()
    """Of the columns in characters; by their contents unless said."""


def write_sheets(sheets: Sequence[Sheet]) -> bytes:
    """Return the file."""
    names = sheet_names([sheet.name for sheet in sheets])
    parts = {
        "[Content_Types].xml": _content_types(len(sheets)),
        "_rels/.rels": _relations([("officeDocument", "xl/workbook.xml")]),
        "xl/workbook.xml": _book(names),
        "xl/_rels/workbook.xml.rels": _relations(
            [
                *(("worksheet", f"worksheets/sheet{k + 1}.xml") for k in range(len(sheets))),
                ("styles", "styles.xml"),
            ]
        ),
        "xl/styles.xml": _STYLESHEET,
        **{
            f"xl/worksheets/sheet{k + 1}.xml": _sheet(sheet, first=k == 0)
            for k, sheet in enumerate(sheets)
        },
    }
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            entry = zipfile.ZipInfo(
                name, (1980, 1, 1, 0, 0, 0)
            )  # no time: the same bytes every time
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, (_HEADER + text).encode("utf-8"))
    return file.getvalue()


def sheet_names(wanted: Iterable[str]) -> list[str]:
    """Names as a spreadsheet takes them: at most 31 characters, none of them special, no two alike.

    >>> sheet_names(["Quote a/b", "quote A/B"])
    ['Quote a b', 'quote A B 2']
    """
    found: list[str] = []
    for name in wanted:
        plain = re.sub(r"[\[\]:*?/\\\x00-\x1f]", " ", name).strip(" '")[:31].strip() or "Sheet"
        chosen, number = plain, 1
        while chosen.casefold() in (other.casefold() for other in found):
            number += 1
            chosen = f"{plain[: 30 - len(str(number))]} {number}"
        found.append(chosen)
    return found


def _sheet(sheet: Sheet, *, first: bool) -> str:
    if len(sheet.rows) + 3 > MOST_ROWS:
        remedy = "write the table with `discreet estimate --csv` instead"
        rule = f"holds at most {MOST_ROWS - 3:,} rows in a sheet"
        raise InvalidInput("output", rule, found=len(sheet.rows), remedy=remedy)
    columns, last = len(sheet.head), _letters(len(sheet.head))
    widths = sheet.widths or [_width(sheet, k) for k in range(columns)]
    wide = "".join(
        f'<col min="{k + 1}" max="{k + 1}" width="{width}" customWidth="1"/>'
        for k, width in enumerate(widths)
    )
    styles = [_STYLES[look] for look in sheet.shown]
    letters = [_letters(k + 1) for k in range(columns)]
    tops = [_HEAD if look in (TEXT, WRAPPED) else _NUMBER_HEAD for look in sheet.shown]
    heads = (
        _cell(f"{a}3", name, style)
        for a, name, style in zip(letters, sheet.head, tops, strict=True)
    )
    body = [
        f'<row r="1">{_cell("A1", sheet.title, _TITLE)}</row>',
        f'<row r="2"{_height([(sheet.note, sum(widths))])}>{_cell("A2", sheet.note, _NOTE)}</row>',
        f'<row r="3">{"".join(heads)}</row>',
    ]
    wrapped = [k for k, look in enumerate(sheet.shown) if look == WRAPPED]
    for number, row in enumerate(sheet.rows, 4):
        cells = (
            _cell(f"{a}{number}", value, style)
            for a, value, style in zip(letters, row, styles, strict=True)
        )
        tall = _height([(str(row[k]), widths[k]) for k in wrapped])
        body.append(f'<row r="{number}"{tall}>{"".join(cells)}</row>')
    end = 3 + len(sheet.rows)
    return (
        f'<worksheet xmlns="{_MAIN}"><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>'
        f'<sheetViews><sheetView tabSelected="{int(first)}" workbookViewId="0">'
        '<pane ySplit="3" topLeftCell="A4" activePane="bottomLeft" '
        'state="frozen"/></sheetView></sheetViews>'
        f"<cols>{wide}</cols><sheetData>{''.join(body)}</sheetData><autoFilter "
        f'ref="A3:{last}{end}"/>'
        + (
            f'<mergeCells count="1"><mergeCell ref="A2:{last}2"/></mergeCells>'
            if columns > 1
            else ""
        )
        + '<pageMargins left="0.5" right="0.5" top="0.6" bottom="0.6" header="0.3" footer="0.3"/>'
        '<pageSetup paperSize="9" orientation="landscape" fitToWidth="1" '
        'fitToHeight="0"/></worksheet>'
    )


def _cell(place: str, value: Any, style: int) -> str:
    if value is None or value == "":
        return f'<c r="{place}" s="{style}"/>'
    if (
        isinstance(value, (int, float))
        and not isinstance(value, bool)
        and isfinite(value)
        and abs(value) < _EXACT
    ):
        return f'<c r="{place}" s="{style}"><v>{value!r}</v></c>'
    text = str(value)[:MOST_TEXT]
    if _FORMULA.match(text):
        style = {0: _QUOTED, _STYLES[WRAPPED]: _QUOTED_WRAPPED}.get(style, style)
    plain = escape(_CONTROL.sub(lambda found: f"_x{ord(found[0][0]):04X}_{found[0][1:]}", text))
    return (
        f'<c r="{place}" s="{style}" t="inlineStr"><is><t xml:space="preserve">{plain}</t></is></c>'
    )


def _height(texts: Sequence[tuple[str, float]]) -> str:
    """The height of a row whose texts are wrapped in columns of some width: not every
    spreadsheet works it out.
    """
    lines = max((-(-len(text) // max(int(width * 1.1), 1)) for text, width in texts), default=1)
    return f' ht="{min(15 * lines + 1, 409)}" customHeight="1"' if lines > 1 else ""


def _width(sheet: Sheet, column: int) -> int:
    texts = (row[column] for row in sheet.rows[:_LOOKED_AT])
    longest = max((len(f"{x:,.1f}" if isinstance(x, float) else str(x)) for x in texts), default=0)
    return max(10, min(max(longest, len(sheet.head[column])) + 3, _WIDEST))


def _letters(number: int) -> str:
    """The name of a column: A, B, ..., Z, AA, AB, ..."""
    return (_letters((number - 1) // 26) if number > 26 else "") + chr(ord("A") + (number - 1) % 26)


def _book(names: Sequence[str]) -> str:
    sheets = "".join(
        f'<sheet name={quoteattr(name)} sheetId="{k}" r:id="rId{k}"/>'
        for k, name in enumerate(names, 1)
    )
    quoted = (escape(name.replace("'", "''")) for name in names)
    titles = "".join(  # the header stands on every page that is printed
        f'<definedName name="_xlnm.Print_Titles" localSheetId="{k}">\'{name}\'!$3:$3</definedName>'
        for k, name in enumerate(quoted)
    )
    return (
        f'<workbook xmlns="{_MAIN}" '
        f'xmlns:r="{_LINKS}"><bookViews><workbookView/></bookViews><sheets>{sheets}</sheets>'
        f"<definedNames>{titles}</definedNames></workbook>"
    )


def _relations(targets: Sequence[tuple[str, str]]) -> str:
    each = "".join(
        f'<Relationship Id="rId{k}" Type="{_LINKS}/{kind}" Target="{target}"/>'
        for k, (kind, target) in enumerate(targets, 1)
    )
    return f'<Relationships xmlns="{_PACKAGE}/relationships">{each}</Relationships>'


def _content_types(sheets: int) -> str:
    parts = "".join(
        f'<Override PartName="/xl/worksheets/sheet{k}.xml" ContentType="{_TYPE}.worksheet+xml"/>'
        for k in range(1, sheets + 1)
    )
    return (
        f'<Types xmlns="{_PACKAGE}/content-types"><Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default '
        'Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" '
        f'ContentType="{_TYPE}.sheet.main+xml"/><Override PartName="/xl/styles.xml" '
        f'ContentType="{_TYPE}.styles+xml"/>{parts}</Types>'
    )
