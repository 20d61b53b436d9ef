"""A group's name for the keyed words: an injective, type-tagged encoding of its key columns, in 32
bytes.

    piece(NULL) = "N;"        piece(x) = tag | number of bytes of x's text | ":" | text | ";"
    encoding    = piece of column 1 | piece of column 2 | ...
    name        = encoding, filled up with zero bytes        if it has at most 32 bytes
                = "#" | first 31 bytes of SHA-256(encoding)  if it is longer

The length before the text makes the pieces of different keys differ wherever the keys do ("a","bc"
is not "ab","c"), the tag keeps 1, "1" and true apart, and NULL is not "". Text forms are one to one
for each type: -0.0 was made 0.0 before, a timestamp is its microseconds since 1970 in UTC whatever
the session's zone. So distinct keys have distinct encodings. A short one is its own name: read from
the left it says where it ends, so the zeros are no part of it, and no tag is "#". Only a name made
by SHA-256 (of 248 bits) could meet another one, and an engine checks that none does.

Where the key is one text, or up to three whole numbers, names are made where the noise is drawn,
which takes less time:

    of whole numbers       nine bytes for each: "i" and the number in 8 bytes, or "N" and zeros for
                           NULL
    of a text              "s", the number of its bytes in one byte, and the text; of a long one as
                           above; "N" for NULL

What a word depends on besides the key (release, count, mechanism and size; the level where it is
not the finest; of a histogram the domain, and the answer where answers are drawn one by one) is
hashed by `context` and put beside the key's name: 64 bytes in all, of one fixed width.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

NAME_BYTES = 32

_WHOLE = ("tinyint", "smallint", "int", "bigint")
WHOLE_BYTES = 9
SHORT_TEXT = 27
"""Most bytes of a text whose encoding is its own name: the tag, two digits, ":" and ";" take the
other five.
"""

_TEXT = {  # Spark's type name -> tag and text form of {0}
    "boolean": ("b", "CAST({0} AS STRING)"),
    "tinyint": ("i", "CAST({0} AS STRING)"),
    "smallint": ("i", "CAST({0} AS STRING)"),
    "int": ("i", "CAST({0} AS STRING)"),
    "bigint": ("i", "CAST({0} AS STRING)"),
    "float": ("f", "CAST({0} AS STRING)"),
    "double": ("f", "CAST({0} AS STRING)"),
    "decimal": ("d", "CAST({0} AS STRING)"),
    "date": ("D", "CAST({0} AS STRING)"),
    "timestamp": ("T", "CAST(unix_micros({0}) AS STRING)"),
    "timestamp_ntz": ("t", "CAST({0} AS STRING)"),
    "string": ("s", "{0}"),
    "binary": ("x", "hex({0})"),
}


def encodable(kind: str) -> bool:
    """Whether a Spark column of this type can be a key."""
    return kind.partition("(")[0] in _TEXT


def named_when_drawn(kinds: Sequence[str]) -> bool:
    """Whether keys of these types have names that are made where the noise is drawn.

    >>> (
    ...     named_when_drawn(["bigint", "int"]),
    ...     named_when_drawn(["string"]),
    ...     named_when_drawn(["bigint", "string"]),
    ... )
    (True, True, False)
    """
    return list(kinds) == ["string"] or _are_whole(kinds)


def _are_whole(kinds: Sequence[str]) -> bool:
    return 0 < len(kinds) <= NAME_BYTES // WHOLE_BYTES and all(kind in _WHOLE for kind in kinds)


def piece_sql(column: str, kind: str) -> str:
    """Spark SQL for one column's piece; `column` is quoted already.

    >>> piece_sql("k0", "string")
    "CASE WHEN k0 IS NULL THEN 'N;' ELSE concat('s', octet_length(k0), ':', k0, ';') END"
    """
    tag, form = _TEXT[kind.partition("(")[0]]
    text = form.format(column)
    return (
        f"CASE WHEN {column} IS NULL THEN 'N;' ELSE concat('{tag}', octet_length({text}), ':', "
        f"{text}, ';') END"
    )


def encoding_sql(columns: list[tuple[str, str]]) -> str:
    """Spark SQL for a group's encoding, as text, from (quoted column, type) pairs."""
    pieces = ", ".join(piece_sql(column, kind) for column, kind in columns) or "''"
    return f"concat({pieces})"


def is_hashed_sql(encoding: str) -> str:
    """Spark SQL for whether an encoding is too long to be its own name."""
    return f"octet_length({encoding}) > {NAME_BYTES}"


def any_hashed_sql(columns: list[tuple[str, str]]) -> str:
    """The same from the columns, without making the encoding: its length is found from those of
    the texts.
    """
    if _are_whole([kind for _, kind in columns]):
        return "false"
    lengths = ["0"]
    for column, kind in columns:
        text = f"octet_length({_TEXT[kind.partition('(')[0]][1].format(column)})"
        # tag, length, ":" and ";": a length of three digits is too long in any case
        lengths.append(f"CASE WHEN {column} IS NULL THEN 2 ELSE {text} + IF({text} < 10, 4, 5) END")
    return f"{' + '.join(lengths)} > {NAME_BYTES}"


def name_sql(encoding: str) -> str:
    """Spark SQL for the 32-byte name of a group; `encoding` is a column with what `encoding_sql`
    makes.
    """
    data = f"CAST({encoding} AS BINARY)"
    digest = f"substring(unhex(sha2({data}, 256)), 1, {NAME_BYTES - 1})"
    hashed = f"concat(CAST('#' AS BINARY), {digest})"
    return (
        f"CASE WHEN {is_hashed_sql(encoding)} THEN {hashed} ELSE rpad({data}, {NAME_BYTES}, "
        "X'00') END"
    )


def hashed_name(encoding: bytes) -> bytes:
    """The name of a group with a long encoding, as `name_sql` makes it."""
    return b"#" + hashlib.sha256(encoding).digest()[: NAME_BYTES - 1]


def context(
    release: str,
    count: str,
    mechanism: str,
    size: int,
    *,
    level: int = 0,
    domain: str = "",
    answer: str = "",
) -> bytes:
    """32 bytes for all that a word depends on besides the key; the finest level is 0, a count has
    no `domain`.

    >>> context("r", "smoker", "m", 3) != context("r", "smoker", "m", 3, level=1)
    True
    """
    of_level = (f"level {level}",) if level else ()
    of_histogram = (f"domain {domain}", f"answer {answer}") if domain else ()
    parts = [
        part.encode() for part in (release, count, mechanism, str(size), *of_level, *of_histogram)
    ]
    return hashlib.sha256(b"".join(b"%d:%s;" % (len(part), part) for part in parts)).digest()
