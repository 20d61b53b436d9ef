"""What a column of each kind holds, and what one person may put in its place."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from random import Random
from typing import Any

import pyarrow as pa

SENTINEL = "Zq7Xsecret"
"""In every distinctive text; an error that shows it shows a value."""
SENTINEL_NUMBER = 918273645


def shows_a_value(text: str) -> bool:
    """Whether a text holds a value that only a person's protected column can hold."""
    return SENTINEL.lower() in text.lower() or str(SENTINEL_NUMBER) in text.replace(
        ",", ""
    ).replace(".", "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A column's type: what is common in it, and what else the type allows."""

    arrow: pa.DataType
    common: tuple[Any, ...]
    rare: tuple[Any, ...]

    def value(self, rng: Random) -> Any:
        """What some person has."""
        return rng.choice(self.rare) if rng.random() < 0.06 else rng.choice(self.common)

    def other(self, rng: Random, old: Any) -> Any:
        """Anything else the type allows."""
        choices = [
            one
            for one in (*self.common, *self.rare, *self.rare, None, None, None)
            if not same(one, old)
        ]
        return rng.choice(choices)


def same(one: Any, two: Any) -> bool:
    """Whether two values are one, with NaN equal to itself and 1 not equal to True or 1.0."""
    if isinstance(one, float) and isinstance(two, float) and math.isnan(one) and math.isnan(two):
        return True
    return type(one) is type(two) and repr(one) == repr(two)


_TEXTS = (
    SENTINEL,
    "",
    " ",
    "\x00",
    "null",
    "NaN",
    "İ",
    "ß",
    "e\u0301",
    "日本",
    "🙂" * 3,
    "a,b\n\"c'",
    "1e400",
    "x" * 3000,
)
_MOMENTS = (datetime(1, 1, 1), datetime(9999, 12, 31, 23, 59, 59, 999999), datetime(1970, 1, 1))

KINDS: Mapping[str, Kind] = {
    "bool": Kind(arrow=pa.bool_(), common=(True, False), rare=(True, False)),
    "bit": Kind(arrow=pa.int64(), common=(0, 1), rare=(0, 1, 1, 0, 2, -1, 2**63 - 1)),
    "byte": Kind(arrow=pa.int8(), common=(0, 1), rare=(-128, 127)),
    "bit-text": Kind(
        arrow=pa.string(),
        common=("0", "1", "true", "FALSE", " 1"),
        rare=("0", "1", "yes", SENTINEL, "01"),
    ),
    "int": Kind(
        arrow=pa.int64(),
        common=(1, 2, 30, 45, 60),
        rare=(2**63 - 1, -(2**63), 0, 76, SENTINEL_NUMBER, 2**53 + 1),
    ),
    "uint": Kind(
        arrow=pa.uint64(), common=(1, 2, 30, 45, 60), rare=(2**64 - 1, 0, SENTINEL_NUMBER)
    ),
    "float": Kind(
        arrow=pa.float64(),
        common=(0.0, 0.5, 1.0, 30.0, 75.0),
        rare=(math.nan, math.inf, -math.inf, -0.0, 5e-324, 1.7e308),
    ),
    "float32": Kind(arrow=pa.float32(), common=(0.0, 0.5, 1.0), rare=(math.nan, math.inf, -0.0)),
    "decimal": Kind(
        arrow=pa.decimal128(12, 3),
        common=tuple(map(Decimal, ("1.500", "2.000", "30.000"))),
        rare=tuple(map(Decimal, ("999999999.999", "-0.001", "0.000"))),
    ),
    "wide-decimal": Kind(
        arrow=pa.decimal128(38, 10),
        common=(Decimal("1.0000000000"), Decimal("2.5000000000")),
        rare=(Decimal("9" * 28 + ".0000000001"), Decimal("-1E-10").quantize(Decimal("1E-10"))),
    ),
    "text": Kind(arrow=pa.string(), common=("yes", "no", "never", "1", "2.50"), rare=_TEXTS),
    "date": Kind(
        arrow=pa.date32(),
        common=(date(1990, 1, 31), date(2001, 7, 4)),
        rare=(date(1, 1, 1), date(9999, 12, 31)),
    ),
    "moment": Kind(
        arrow=pa.timestamp("us"),
        common=(datetime(2020, 2, 29, 12), datetime(2021, 1, 1)),
        rare=_MOMENTS,
    ),
    "zoned": Kind(
        arrow=pa.timestamp("us", tz="UTC"),
        common=(datetime(2020, 2, 29, 12, tzinfo=UTC), datetime(2021, 1, 1, tzinfo=UTC)),
        rare=(datetime(1970, 1, 1, tzinfo=UTC), datetime(2262, 1, 1, tzinfo=UTC)),
    ),
    "time": Kind(
        arrow=pa.time64("us"),
        common=(time(8), time(9, 30)),
        rare=(time(0), time(23, 59, 59, 999999)),
    ),
    "bytes": Kind(
        arrow=pa.binary(), common=(b"yes", b"no"), rare=(b"", b"\x00\xff", SENTINEL.encode())
    ),
    "list": Kind(
        arrow=pa.list_(pa.int64()), common=([1], [1, 2]), rare=([], [None], [SENTINEL_NUMBER] * 3)
    ),
    "struct": Kind(
        arrow=pa.struct([("a", pa.int64()), ("b", pa.string())]),
        common=({"a": 1, "b": "x"}, {"a": 2, "b": "y"}),
        rare=({"a": None, "b": None}, {"a": SENTINEL_NUMBER, "b": SENTINEL}),
    ),
}
BITS = ("bool", "bit", "byte", "bit-text")
NESTED = ("bytes", "list", "struct")

_NUMBERS = (
    Decimal("1.5"),
    Decimal("2.50"),
    Decimal("1E+3"),
    Decimal("1E-20"),
    Decimal(SENTINEL_NUMBER),
    Decimal("NaN"),
    0,
    1,
    2,
    2**31,
    2**63 - 1,
    2**64,
    2**70,
    SENTINEL_NUMBER,
    0.5,
    -0.0,
    math.nan,
    math.inf,
    1e400,
)
ANYTHING: tuple[Any, ...] = (
    *_NUMBERS,
    True,
    False,
    None,
    "yes",
    "1",
    *_TEXTS,
    f"Line 0{SENTINEL_NUMBER}",
    "\ud800",
    b"yes",
    b"\xff",
    (1, 2),
    [1],
    ["yes"],
    {"a": 1},
    {"b": SENTINEL},
    date(2001, 7, 4),
    datetime(2020, 2, 29, 12),
    time(8),
    timedelta(days=1),
    1j,
    {1, 2},
    frozenset((1,)),
    range(3),
    bytearray(b"no"),
    date(9999, 12, 31),
)
"""What Python can put into a pandas column of objects."""

CSV_TEXTS = (
    *_TEXTS,
    "yes",
    "0",
    "1",
    "true",
    "2",
    "1.50",
    "-0.0",
    "nan",
    "1e5",
    "2020-01-01",
    "12:30",
    str(2**70),
    str(SENTINEL_NUMBER),
    '"',
    '""',
    "'",
    ";",
    "\t",
    "|",
    "\r\n",
    "#",
    "\\",
    "\\N",
    '{"a": 1}',
    "[1]",
    "\ufeff",
    " 1 ",
    f"Line 0{SENTINEL_NUMBER}",
)


def _one_of(
    pool: tuple[Any, ...], telling: tuple[Any, ...] = (SENTINEL,)
) -> Callable[[Random, Kind, Any], Any]:
    """Another value out of a pool; often one that is not to be shown, or of the same sort as the old one."""

    def other(rng: Random, kind: Kind, old: Any) -> Any:
        if rng.random() < 0.2:
            return rng.choice(telling)
        alike = [value for value in pool if _sort(value) == _sort(old) and not same(value, old)]
        if alike and rng.random() < 0.4:
            return rng.choice(alike)
        return rng.choice([value for value in pool if not same(value, old)])

    return other


def _sort(value: Any) -> str:
    """What a reader that looks at all values could take for one type."""
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, int | float | Decimal):
        return "number"
    if isinstance(value, str | bytes | bytearray):
        return "text"
    return "nested" if isinstance(value, list | tuple | dict | set) else type(value).__name__


def _hashable(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


FREEDOMS: Mapping[str, Callable[[Random, Kind, Any], Any]] = {
    "typed": lambda rng, kind, old: kind.other(rng, old),
    "object": _one_of(ANYTHING, (SENTINEL, SENTINEL_NUMBER)),
    "hashable": _one_of(tuple(filter(_hashable, ANYTHING)), (SENTINEL, SENTINEL_NUMBER)),
    "csv": _one_of((*CSV_TEXTS, None), (SENTINEL, str(SENTINEL_NUMBER))),
}
"""What may stand in a cell of a source: what the type allows, anything Python knows, or any text."""
