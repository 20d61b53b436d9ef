"""Columns of a pandas frame as Arrow, by rules that look at one value at a time.

A column with a dtype has the type its owner gave it. A column of dtype object has none: Arrow would
guess one from all its values, and one person's Decimal or bytes would change how everybody's value
is read. So an object column that is not a key is text, as in a CSV file: text as it is, True and
False as `true` and `false`, None and NaN as NULL, and any other value is refused with the dtype
that helps. A key is public and may be of any one kind; kinds are never mixed, because 1, 1.0 and
True would become one key. Categories are replaced by their values first: their list is made from
everybody's.

A dtype depends on who is in the frame (one missing value makes float64 of int64), which is
protected under a cap. So there every column is text, whatever its dtype is, by a list that looks at
one value at a time and refuses none.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any
from uuid import UUID

import numpy as np
import pyarrow as pa

from discreet.errors import DiscreetError, InvalidData, InvalidInput

_DTYPES = frozenset(
    (
        "StringDtype",
        "BooleanDtype",
        "ArrowDtype",
        "DatetimeTZDtype",
        "Float32Dtype",
        "Float64Dtype",
        *(f"{sign}Int{bits}Dtype" for sign in ("", "U") for bits in (8, 16, 32, 64)),
    )
)
"""Pandas' own dtypes that say what a value is; NumPy's are known by their kind."""
_NULLS = frozenset(("NoneType", "NAType", "NaTType"))
_TEXT, _BITS = (str, np.str_), (bool, np.bool_)
_REMEDY = (
    'give it a dtype: .astype("string"), "boolean", "int64" or "float64", or '
    "pandas.to_datetime(...)"
)
_REFUSED = (
    pa.ArrowException,
    ValueError,
    TypeError,
    ArithmeticError,
    RuntimeError,
)  # UnicodeEncodeError is a ValueError


def pandas_names(frame: Any) -> list[Any]:
    """The names of a frame's columns, and of the levels of its index that no column is called."""
    names = list(frame.columns)
    folded = {name.casefold() for name in names if isinstance(name, str)}
    levels = [
        name
        for name in frame.index.names
        if isinstance(name, str) and name.casefold() not in folded
    ]
    return names + levels


def pandas_column(frame: Any, name: str, *, key: bool) -> Any:
    """One column of the frame as an Arrow array; errors name the column and the row, never the
    value.
    """
    series = _series(frame, name)
    kind = series.dtype
    if type(kind).__name__ == "CategoricalDtype":
        return _decoded(series, name, key=key)
    if kind == np.dtype(object):
        return _from_objects(series.to_numpy(), name, key=key)
    return _from_typed(series, name)


def pandas_texts(frame: Any, name: str) -> pa.Array:
    """One column of the frame as text, each value by itself; what is not on the list is missing."""
    series = _series(frame, name)
    if (
        type(series.dtype).__name__ == "CategoricalDtype"
    ):  # whose values with a missing one would be floats
        texts = [*map(text_of, series.cat.categories), None]  # code -1 is the last: no value
        return pa.array([texts[code] for code in series.cat.codes], pa.large_string())
    return pa.array(map(text_of, _values(series)), pa.large_string())


def _values(series: Any) -> list[Any]:
    """The values of a column; None for one that Python cannot hold, such as a moment of Arrow's."""
    try:
        return list(series)
    except _REFUSED:
        return [_value(series, place) for place in range(len(series))]


def _value(series: Any, place: int) -> Any:
    try:
        return series.iloc[place]
    except _REFUSED:
        return None


def text_of(value: object) -> str | None:
    """The text of one value, whatever the others are; None for what is not on the list.

    >>> [text_of(value) for value in (10, 10.0, 2.0**70, True, 0.5, math.nan, b"yes")]
    ['10', '10', '1180591620717411303424', 'true', '0.5', None, None]
    """
    return next((write(value) for kinds, write in _WRITERS if isinstance(value, kinds)), None)


def _text_of_whole(value: Any) -> str | None:
    number = int(value)
    return str(number) if number.bit_length() <= _MOST_BITS else None


def _text_of_float(value: Any) -> str | None:
    number = float(value)
    if math.isnan(number):
        return None
    return str(int(number)) if number.is_integer() else repr(number)


def _text_of_decimal(value: Decimal) -> str | None:
    # The exponent first: an exponent of a million would be written with a million digits.
    if not value.is_finite() or value.adjusted() > _MOST_DIGITS:
        return None
    return str(int(value)) if value == value.to_integral_value() else str(value)


def _text_of_str(value: str) -> str | None:
    try:
        value.encode()
    except UnicodeEncodeError:
        return None  # half a character
    return str.__str__(value)


_MOST_BITS = 4_096
"""Of a whole number: Python does not write much longer ones."""
_MOST_DIGITS = 1_200
"""Of a Decimal without a fraction, which has fewer bits than that then."""

_WRITERS: tuple[tuple[tuple[type, ...], Callable[[Any], str | None]], ...] = (
    ((str,), _text_of_str),
    (_BITS, lambda bit: "true" if bit else "false"),
    ((np.timedelta64,), lambda _: None),  # NumPy calls a duration a whole number
    ((int, np.integer), _text_of_whole),
    ((float, np.floating), _text_of_float),
    ((Decimal,), _text_of_decimal),
    (
        (date, datetime, time, UUID),
        lambda value: str(value) if value == value else None,
    ),  # pandas' NaT is a datetime
)
"""What a value may be, and its text; the first that fits."""


def _series(frame: Any, name: str) -> Any:
    return frame[name] if name in frame.columns else frame.index.get_level_values(name).to_series()


def _decoded(series: Any, name: str, *, key: bool) -> Any:
    """The values of a categorical column; which other categories there are does not matter."""
    categories, codes = series.cat.categories, series.cat.codes.to_numpy()
    if categories.dtype in (np.dtype(object), np.dtype(bool)):
        values = np.full(len(categories) + 1, None, dtype=object)  # code -1 is the last: no value
        values[:-1] = categories.to_numpy(dtype=object)
        return _from_objects(values[codes], name, key=key)
    used = np.unique(codes[codes >= 0])
    places = pa.array(np.searchsorted(used, codes), mask=codes < 0)
    return _from_typed(categories[used].to_series(), name).take(places)


def _from_typed(series: Any, name: str) -> Any:
    kind = type(series.dtype)
    numpy = isinstance(series.dtype, np.dtype) and series.dtype.kind in "biufMm"
    if not numpy and not (
        kind.__module__.partition(".")[0] == "pandas" and kind.__name__ in _DTYPES
    ):
        rule = f"has a column of dtype {series.dtype}, whose values could be read in several ways"
        raise InvalidInput("source", rule, found=name, remedy=_REMEDY)
    try:
        return _whole(pa.Array.from_pandas(series))
    except _REFUSED:
        pass
    raise _unreadable(series, name)


def _from_objects(values: Any, name: str, *, key: bool) -> Any:
    kinds = {kind for kind in set(map(type, values)) if kind.__name__ not in _NULLS}
    if kinds <= {str}:
        return _converted(values, name, pa.large_string())
    return _key(values, name) if key else _text(values, name)


def _text(values: Any, name: str) -> Any:
    """A column that may be protected: its type is text, whatever its values are."""
    words: list[str | None] = []
    for row, value in enumerate(values, start=1):
        if isinstance(value, _BITS):
            words.append("true" if value else "false")
        elif type(value) in _TEXT:
            words.append(str(value))
        elif _is_null(value):
            words.append(None)
        else:
            rule = f"has a column of dtype object, {name}, which may hold only text, true and false"
            raise InvalidData("source", rule, row=row, remedy=_REMEDY)
    return _converted(words, name, pa.large_string())


def _key(values: Any, name: str) -> Any:
    """A key column: public, of any kind, but of one kind only."""
    first: type | None = None
    for row, value in enumerate(values, start=1):
        if _is_null(value):
            continue
        kind = _family(value)
        if first is None:
            first = kind
        elif kind is not first:
            rule = f"has a column of dtype object, {name}, that mixes types"
            raise InvalidData("source", rule, row=row, remedy=_REMEDY)
    return _converted(values, name, pa.large_string() if first is str else None)


def _family(value: Any) -> type:
    """The type whose values are kept apart from each other by Arrow: NumPy's scalars are those
    of Python.
    """
    families: tuple[tuple[tuple[type, ...], type], ...] = (
        (_TEXT, str),
        (_BITS, bool),
        ((int, np.integer), int),
        ((float, np.floating), float),
    )
    return next((family for kinds, family in families if isinstance(value, kinds)), type(value))


def _is_null(value: Any) -> bool:
    return type(value).__name__ in _NULLS or (
        isinstance(value, float | np.floating) and math.isnan(value)
    )


def _converted(values: Any, name: str, kind: pa.DataType | None) -> Any:
    try:
        return _whole(pa.array(values, type=kind, from_pandas=True))
    except _REFUSED:
        pass
    raise _unreadable(values, name)


def _unreadable(values: Any, name: str) -> DiscreetError:
    """Name the first row whose value Arrow cannot hold: half a character, a number of more than
    64 bits.
    """
    row = next(_unreadable_rows(values), None)
    rule = (
        f"has a value in column {name} that no Arrow type can hold, such as half a "
        "character or a number above 2^63"
    )
    return InvalidData("source", rule, row=row, remedy=_REMEDY)


def _unreadable_rows(values: Any) -> Iterator[int]:
    for row, value in enumerate(values, start=1):
        try:
            pa.array([value], from_pandas=True)
        except _REFUSED:
            yield row


def _whole(column: Any) -> Any:
    return column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
