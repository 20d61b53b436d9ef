"""The rows of CSV files, read as Python's `csv` module reads them in its strict mode, or refused.

A reader that repairs rows (drops a surplus field, closes a quote, trims blanks around it) can shift
one person's values into other columns. So nothing is repaired. A file is read in three steps: its
bytes are unpacked and made UTF-8; they are cut into pieces of whole rows, and the quotes of each
piece are checked; Arrow parses the pieces, several at a time. Where a piece ends depends on where
rows end and on nothing else, so no value is refused because of its position.

What is refused is a condition on the file, whatever its values mean:

    fields    each row has as many fields as the header; a line without any character is no row,
              unless there is only one column, where it is a row with a missing value
    quotes    a field that begins with a quote ends with one, and a quote inside it is doubled (or
              escaped); a quote inside a field that does not begin with one stands for itself
    length    a row has at most 16 MiB
    encoding  the text of a column that is read is of the file's encoding; of another one than
              UTF-8, that of every column
"""

from __future__ import annotations

import codecs
import re
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.csv

from discreet.errors import InvalidData, InvalidInput
from discreet.tables.engines.duckdb.sources.csv_dialect import ENCODING, NOT_UTF8, Dialect
from discreet.tables.engines.duckdb.sources.file_sources import unpacked

MOST_BYTES = 16 << 20
"""The longest row in UTF-8, its line end included."""

_BLOCK = 1 << 18
"""Bytes that are read at a time. Larger blocks were not faster, and took more memory."""

_WAITING = 2 << 20
"""Bytes that wait to be taken by DuckDB, at most; a single piece may have more."""

_NEWLINE, _RETURN = 10, 13
_UNFIT = "has a line that does not fit its header or its quotes"
_TOO_LONG = f"has a row of more than {MOST_BYTES >> 20} MiB"
_REMEDY = "correct the line, or give `read={'delimiter': ';'}`, or its quote or escape"

_Places = npt.NDArray[np.int64]


class _Malformed(Exception):
    """A row that cannot be read: where it is among the bytes that are looked at, and the rule
    that it breaks.
    """

    def __init__(self, position: int, rule: str = _UNFIT, remedy: str = _REMEDY) -> None:
        super().__init__(rule)
        self.position, self.rule, self.remedy = position, rule, remedy


@dataclass(slots=True, kw_only=True)
class CsvRows:
    """Columns of CSV files as a stream of Arrow batches, which can be read any number of times."""

    files: Sequence[tuple[str, int]]
    """Each path with the number of bytes, in UTF-8, that stand above its rows."""
    dialect: Dialect
    columns: Sequence[int]
    """The places of the columns that are read; each is called by its place."""
    workers: int
    problem: BaseException | None = field(default=None, init=False)
    """Why the last reading stopped: an error on its way through DuckDB is a text that quotes
    values.
    """

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        schema = pa.schema([(str(place), pa.string()) for place in self.columns])
        return pa.RecordBatchReader.from_batches(schema, self._batches()).__arrow_c_stream__(
            requested_schema
        )

    def _batches(self) -> Iterator[pa.RecordBatch]:
        self.problem = None
        try:
            with ThreadPoolExecutor(self.workers) as pool:
                parsed: deque[tuple[int, Future[pa.Table]]] = deque()
                for path, above in self.files:
                    for start, piece in self._pieces(path, above):
                        task = pool.submit(self._parse, path, above, start, piece)
                        parsed.append((len(piece), task))
                        # Few pieces wait, and of rows of many megabytes one at a time.
                        while len(parsed) > self.workers or sum(n for n, _ in parsed) > _WAITING:
                            yield from parsed.popleft()[1].result().to_batches()
                while parsed:
                    yield from parsed.popleft()[1].result().to_batches()
        except GeneratorExit:
            raise
        except BaseException as error:
            self.problem = error
            raise

    def _pieces(self, path: str, above: int) -> Iterator[tuple[int, bytes]]:
        """The rows of a file in pieces, each with the place where it begins."""
        start, rest = 0, b""
        for block in _with_end(_body(path, above, self.dialect)):
            data = rest + block if rest else block
            try:
                end = _last_row_end(data, self.dialect, final=not block)
            except _Malformed as error:
                raise self._error(path, above, start, error) from None
            if end:
                yield start, data[:end]
            start, rest = start + end, data[end:]

    def _parse(self, path: str, above: int, start: int, piece: bytes) -> pa.Table:
        dialect = self.dialect
        names = [str(place) for place in range(len(dialect.names))]
        try:
            return pa.csv.read_csv(
                pa.BufferReader(piece),
                # one block: Arrow looks for the ends of rows only where it cuts
                pa.csv.ReadOptions(
                    column_names=names, block_size=len(piece) + 1, use_threads=False
                ),
                pa.csv.ParseOptions(
                    delimiter=dialect.delimiter,
                    quote_char=dialect.quote or False,
                    double_quote=dialect.doubled,
                    escape_char=False if dialect.doubled else dialect.escape or False,
                    newlines_in_values=True,
                    ignore_empty_lines=len(names) > 1,
                ),
                pa.csv.ConvertOptions(
                    include_columns=[names[place] for place in self.columns],
                    column_types=dict.fromkeys(names, pa.string()),
                    null_values=[dialect.null],
                    strings_can_be_null=dialect.null != "",
                    quoted_strings_can_be_null=False,
                ),
                # which gives memory back at once, where Arrow's own keeps it
                pa.system_memory_pool(),
            )
        except pa.ArrowInvalid:
            pass
        raise self._error(path, above, start, _first_unfit(piece, dialect, self.columns))

    def _error(self, path: str, above: int, start: int, error: _Malformed) -> InvalidData:
        line = _line_at(path, above, start + error.position, self.dialect)
        without = ", comments not counted" if self.dialect.comment else ""
        return InvalidData(
            "source", error.rule, row=f"line {line} of {path}{without}", remedy=error.remedy
        )


def _with_end(blocks: Iterator[bytes]) -> Iterator[bytes]:
    """The blocks, and an empty one that says that there are no more."""
    yield from filter(None, blocks)
    yield b""


def _body(path: str, above: int, dialect: Dialect) -> Iterator[bytes]:
    """What stands below the header of a file, in UTF-8 and without comments."""
    blocks = _after(_utf8(path, dialect.encoding), above)
    return _without_comments(blocks, dialect) if dialect.comment else blocks


def _utf8(path: str, encoding: str) -> Iterator[bytes]:
    """The bytes of a file, unpacked and in UTF-8; bytes of UTF-8 are not looked at."""
    decoder = None if encoding == "utf-8" else codecs.getincrementaldecoder(encoding)()
    reason = ""
    try:
        with unpacked(path) as stream:
            while block := stream.read(_BLOCK):
                yield bytes(block) if decoder is None else decoder.decode(bytes(block)).encode()
        if decoder is not None:
            yield decoder.decode(b"", final=True).encode()
    except UnicodeError:
        pass
    except (OSError, pa.ArrowException) as error:
        reason = getattr(error, "strerror", None) or "its packing is damaged"
    else:
        return
    if reason:
        raise InvalidInput("source", f"cannot be read ({reason})", found=path)
    raise InvalidData(
        "source",
        f"has text that is not {encoding.upper()}",
        row=f"a line of {path}",
        remedy=ENCODING,
    )


def _after(blocks: Iterator[bytes], above: int) -> Iterator[bytes]:
    for block in blocks:
        yield block[above:]
        above = max(above - len(block), 0)


def _without_comments(blocks: Iterator[bytes], dialect: Dialect) -> Iterator[bytes]:
    """Leave out the lines that begin with the character of a comment where a row begins."""
    comment, quote = dialect.comment.encode(), dialect.quote.encode()
    rest, inside = b"", False
    for block in _with_end(blocks):
        lines = (rest + block).splitlines(keepends=True)
        # The last line may go on, and its \r may be half of a line end.
        rest = lines.pop() if block and lines else b""
        rows = []
        for line in lines:
            if inside or not line.startswith(comment):
                rows.append(line)
                inside = bool(quote) and _stays_open(line, dialect, inside)
        yield b"".join(rows)


def _stays_open(line: bytes, dialect: Dialect, inside: bool) -> bool:
    """Whether a line, which begins inside quotes or as a row does, ends inside quotes."""
    if not inside and dialect.quote.encode() not in line:
        return False
    try:
        quotes = _quotes_one_by_one(
            _plain(inside * dialect.quote.encode() + line, dialect), dialect
        )
    except _Malformed:  # which is said when the row is checked
        return False
    return len(quotes) % 2 == 1


def _plain(data: bytes, dialect: Dialect) -> bytes:
    """The data with escaped characters blanked out, so that what is left of quotes is what it seems
    to be.

    Escapes of line ends are left.
    """
    if dialect.doubled or not dialect.escape:
        return data
    return re.sub(re.escape(dialect.escape.encode()) + rb"[^\r\n]", b"  ", data)


def _last_row_end(data: bytes, dialect: Dialect, *, final: bool) -> int:
    """How many bytes whole rows take, after checking the quotes; 0 if not even the first row is
    whole.
    """
    plain = _plain(data, dialect)
    quotes = _quotes(plain, dialect)
    if not dialect.doubled and dialect.escape:
        codes = np.frombuffer(plain, np.uint8)[: len(plain) if final else -1]
        escapes = _outside(np.flatnonzero(codes == ord(dialect.escape)), quotes)
        if len(escapes):  # readers differ on whether a row goes on after an escaped line end
            raise _Malformed(int(escapes[0]))
    if final:
        if len(quotes) % 2:
            raise _Malformed(int(quotes[-1]))
        end = len(data)
    elif len(quotes):
        ends = _row_ends(plain, quotes)
        end = int(ends[-1]) if len(ends) else 0
    else:
        searched = len(plain) - plain.endswith(b"\r")  # the other half of this line end may follow
        end = 1 + max(plain.rfind(b"\n", 0, searched), plain.rfind(b"\r", 0, searched))
    if len(data) > MOST_BYTES:
        ends = _row_ends(plain, quotes)
        if (int(ends[0]) if len(ends) else len(data)) > MOST_BYTES:
            raise _Malformed(0, _TOO_LONG, "shorten it, or leave the column out of the file")
    return end


def _quotes(plain: bytes, dialect: Dialect) -> _Places:
    """The places of the quotes that open and close fields, in turn; the last one may be open."""
    quote = dialect.quote.encode()
    if not quote or quote not in plain:
        return np.empty(0, np.int64)
    codes = np.frombuffer(plain, np.uint8)
    quotes = np.flatnonzero(codes == quote[0])
    # Where quotes stand only around fields, and doubled inside, every second one closes, and what
    # stands beside them proves it. Else the fields are walked through one after the other.
    ends = np.zeros(256, np.bool_)
    ends[[*_field_ends(dialect)]] = True
    opening, closing = quotes[::2], quotes[1::2]
    beside = np.concatenate(([-1], closing)) + 1
    before = ends[codes[opening - 1]] | (opening == 0)
    after = ends[codes[np.minimum(closing + 1, len(codes) - 1)]] | (closing + 1 == len(codes))
    if dialect.doubled:
        before |= beside[: len(opening)] == opening
        after[: len(opening) - 1] |= beside[1 : len(opening)] == opening[1:]
    return quotes if before.all() and after.all() else _quotes_one_by_one(plain, dialect)


def _quotes_one_by_one(plain: bytes, dialect: Dialect) -> _Places:
    """The same for any text; raises where something follows a closing quote within its field."""
    quote, ends, places = dialect.quote.encode(), _field_ends(dialect), []
    opening = plain.find(quote)
    while opening >= 0:
        closing = opening
        if not opening or plain[opening - 1] in ends:
            places.append(opening)
            closing = plain.find(quote, opening + 1)
            while dialect.doubled and closing >= 0 and plain.startswith(quote, closing + 1):
                closing = plain.find(quote, closing + 2)
            if closing < 0:
                break
            if closing + 1 < len(plain) and plain[closing + 1] not in ends:
                raise _Malformed(closing)
            places.append(closing)
        opening = plain.find(quote, closing + 1)
    return np.array(places, np.int64)


def _field_ends(dialect: Dialect) -> bytes:
    return dialect.delimiter.encode() + b"\r\n"


def _outside(places: _Places, quotes: _Places) -> _Places:
    """Those of the places that are outside quotes."""
    found: _Places = places[np.searchsorted(quotes, places) % 2 == 0]
    return found


def _row_ends(plain: bytes, quotes: _Places) -> _Places:
    """The places after the line ends of rows; one at the very end may be half a line end, and is
    left out.
    """
    codes = np.frombuffer(plain, np.uint8)
    places = _outside(np.flatnonzero((codes == _NEWLINE) | (codes == _RETURN)), quotes)
    following = codes[np.minimum(places + 1, len(codes) - 1)]
    half = (codes[places] == _RETURN) & ((following == _NEWLINE) | (places + 1 == len(codes)))
    found: _Places = places[~half] + 1
    return found


def _row_spans(piece: bytes, dialect: Dialect) -> tuple[_Places, _Places, _Places]:
    """Where the rows of a piece begin and end, and where its delimiters are."""
    plain = _plain(piece, dialect)
    quotes = _quotes(plain, dialect)
    codes = np.frombuffer(plain, np.uint8)
    delimiters = _outside(np.flatnonzero(codes == ord(dialect.delimiter)), quotes)
    ends = np.unique(np.append(_row_ends(plain, quotes), len(plain)))
    return np.concatenate(([0], ends[:-1])), ends, delimiters


def first_width(path: str, above: int, dialect: Dialect) -> int:
    """How many fields the first row of a file has; a line without any character is none."""
    rows = CsvRows(files=(), dialect=dialect, columns=(), workers=1)
    for _, piece in rows._pieces(path, above):
        starts, ends, delimiters = _row_spans(piece, dialect)
        for start, end in zip(starts, ends, strict=True):
            if piece[start:end].strip(b"\r\n"):
                return 1 + int(np.diff(np.searchsorted(delimiters, [start, end]))[0])
    return 1


def _first_unfit(piece: bytes, dialect: Dialect, columns: Sequence[int]) -> _Malformed:
    """The first row of a piece with too many or too few fields, or with text of another encoding
    in these columns.
    """
    starts, ends, delimiters = _row_spans(piece, dialect)
    first = np.searchsorted(delimiters, starts)
    fields = np.searchsorted(delimiters, ends) - first + 1
    unfit = fields != len(dialect.names)
    for start, end in zip(starts[unfit], ends[unfit], strict=True):
        if piece[start:end].strip(b"\r\n"):
            return _Malformed(int(start))
    for row, (start, end) in enumerate(zip(starts, ends, strict=True)):
        if _is_utf8(piece[start:end]):
            continue
        edges = [start - 1, *delimiters[first[row] : first[row] + fields[row] - 1], end]
        for column in columns:
            if not _is_utf8(piece[edges[column] + 1 : edges[column + 1]]):
                rule = f"{NOT_UTF8}, in column {dialect.names[column]}"
                return _Malformed(int(start), rule, ENCODING)
    return _Malformed(0)


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _line_at(path: str, above: int, position: int, dialect: Dialect) -> int:
    """The line of a place below the header, counted from 1 in the whole file."""
    lines, before = 1, b""
    for blocks, length in (
        (_utf8(path, dialect.encoding), above),
        (_body(path, above, dialect), position),
    ):
        left = length
        for block in blocks:
            part = block[:left]
            halves = part.count(b"\r\n") + (before == b"\r" and part.startswith(b"\n"))
            lines += part.count(b"\n") + part.count(b"\r") - halves
            before = part[-1:] or before
            left -= len(part)
            if not left:
                break
    return lines
