"""Read counts (an int, a list, a NumPy or Arrow array, a Series) into one flat array; results get
the same shape.

    int -> int     list, tuple, range -> list     NumPy array -> NumPy array of the same shape
    pandas Series -> pandas Series with the same index and name
    Arrow array -> Arrow array     Arrow chunked array -> Arrow chunked array with the same chunks

Arrays come back in the smallest *signed* integer type that holds 0..n (int8 up to n = 127, int16 up
to 32,767, ...). It depends on n alone, never on the data. Signed, because the difference of two
released counts then never wraps around, and because Spark, Java and most SQL types have no unsigned
integers.

Everything is checked before anything is drawn: whole numbers only (no bool, no float even if it is
whole, no text, no null, no mask), within 0..n. An error names the row, counted from 1, and the
rule, never the value.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from discreet.errors import InvalidData

Integers = NDArray[np.integer[Any]]
GiveBack = Callable[[Integers], Any]

_KINDS = "an int, a list of ints, a NumPy or Arrow integer array, or a pandas Series of integers"


def smallest_type(n: int) -> np.dtype[np.signedinteger[Any]]:
    """Return the smallest signed integer type that holds 0..n, and so every difference of two such
    counts.

    >>> [str(smallest_type(n)) for n in (0, 127, 128, 100_000)]
    ['int8', 'int8', 'int16', 'int32']
    """
    types: list[type[np.signedinteger[Any]]] = [np.int8, np.int16, np.int32, np.int64]
    return np.dtype(next(kind for kind in types if n <= np.iinfo(kind).max))


def read_counts(x: object, n: int) -> tuple[Integers, GiveBack]:
    """Return the counts, flat and all within 0..n, and what turns such an array back into x's
    kind.
    """
    if isinstance(x, bool | np.bool_):
        raise InvalidData("x", "must be a count, not a bool", remedy="int(x) makes 0 or 1 of it")
    if isinstance(x, int | np.integer):
        check_range([int(x)], n, lambda _: None)
        return np.array([x], dtype=np.int64), lambda drawn: int(drawn[0])
    if isinstance(x, np.ndarray):
        return _from_numpy(x, n)
    if isinstance(x, list | tuple | range):
        return _from_list(x, n)
    if _is_arrow(x):
        return _from_arrow(x, n)
    if _is_series(x):
        return _from_series(x, n)
    raise InvalidData(
        "x", f"must be {_KINDS}", remedy="a Polars column has .to_numpy() or .to_arrow()"
    )


def _row(place: int) -> int:
    return place + 1


def check_range(
    counts: Sequence[int] | Integers, n: int, name: Callable[[int], object] = _row
) -> None:
    """Refuse counts outside 0..n; `name` tells how a place, from 0, is shown: as a row, counted
    from 1.
    """
    if len(counts) == 0:
        return
    if isinstance(counts, np.ndarray):
        low, high = int(counts.min()), int(counts.max())
    else:
        low, high = min(counts), max(counts)
    if low < 0 or high > n:
        if isinstance(counts, np.ndarray):
            row = int(((counts < 0) | (counts > n)).argmax())
        else:
            row = next(k for k, count in enumerate(counts) if not 0 <= count <= n)
        raise InvalidData("x", f"must be in 0..{n}", row=name(row))


def check_integers(parameter: str, array: object) -> None:
    """Refuse what is not a plain NumPy array of integers."""
    # `np.ma` takes 20 ms to import, so it is asked only about what is not a plain array
    plain = type(array) is np.ndarray or (
        isinstance(array, np.ndarray) and not isinstance(array, np.ma.MaskedArray)
    )
    if not isinstance(array, np.ndarray) or not plain:
        raise InvalidData(
            parameter,
            "must be a plain NumPy array, without a mask",
            remedy="fill or drop what is masked",
        )
    if array.dtype.kind not in "iu":
        raise InvalidData(
            parameter,
            f"must have an integer dtype, not {array.dtype}",
            remedy="convert it yourself, so that nothing is rounded unseen",
        )


def _from_numpy(x: NDArray[Any], n: int) -> tuple[Integers, GiveBack]:
    check_integers("x", x)
    shape = x.shape
    flat = np.asarray(x).reshape(-1)

    def position(place: int) -> object:
        if len(shape) == 1:
            return place + 1
        return tuple(int(k) + 1 for k in np.unravel_index(place, shape)) if shape else None

    check_range(flat, n, position)
    return flat, lambda drawn: drawn.reshape(shape)


def _from_list(x: Sequence[object], n: int) -> tuple[Integers, GiveBack]:
    wrong = {
        kind for kind in set(map(type, x)) if kind is bool or not issubclass(kind, int | np.integer)
    }
    if wrong:
        row = next(k for k, count in enumerate(x) if type(count) in wrong)
        nested = issubclass(type(x[row]), list | tuple | np.ndarray)
        rule = (
            "must be flat: a list of counts, not of lists"
            if nested
            else "must be a whole number: an int"
        )
        raise InvalidData(
            "x",
            rule,
            row=row + 1,
            remedy="use a NumPy array for counts in a table" if nested else "",
        )
    counts = [int(count) for count in cast("Sequence[int]", x)]
    check_range(counts, n)
    return np.array(counts, dtype=np.int64), lambda drawn: drawn.tolist()


def _is_arrow(x: object) -> bool:
    arrow = sys.modules.get("pyarrow")  # whoever holds an Arrow array has imported Arrow
    return arrow is not None and isinstance(x, arrow.Array | arrow.ChunkedArray)


def _from_arrow(x: Any, n: int) -> tuple[Integers, GiveBack]:
    import pyarrow as pa

    if not pa.types.is_integer(x.type):
        raise InvalidData(
            "x", f"must have an Arrow integer type, not {x.type}", remedy="cast it yourself"
        )
    if x.null_count:
        row = (
            x.is_null().to_numpy(zero_copy_only=False).argmax()
            if isinstance(x, pa.Array)
            else x.is_null().index(True)
        )
        raise InvalidData(
            "x", "must not be null", row=1 + int(row if isinstance(x, pa.Array) else row.as_py())
        )
    flat = x.to_numpy(zero_copy_only=False) if len(x) else np.empty(0, dtype=np.int64)
    check_range(flat, n)
    if isinstance(x, pa.Array):
        return flat, pa.array
    ends = np.cumsum([len(chunk) for chunk in x.chunks], dtype=np.int64)[:-1]

    def in_chunks(drawn: Integers) -> Any:
        chunks = np.split(drawn, ends) if x.num_chunks else []
        return pa.chunked_array(
            [pa.array(chunk) for chunk in chunks], type=pa.from_numpy_dtype(drawn.dtype)
        )

    return flat, in_chunks


def _is_series(x: object) -> bool:
    pandas = sys.modules.get("pandas")  # likewise
    return pandas is not None and isinstance(x, pandas.Series)


def _from_series(x: Any, n: int) -> tuple[Integers, GiveBack]:
    kind = x.dtype
    if getattr(kind, "kind", "") not in tuple("iu"):
        raise InvalidData(
            "x", f"must have an integer dtype, not {kind}", remedy="convert it yourself"
        )
    if len(rows := np.flatnonzero(x.isna().to_numpy())):
        raise InvalidData("x", "must not be missing", row=int(rows[0]) + 1)
    flat = x.to_numpy(dtype=np.uint64 if kind.kind == "u" else np.int64)
    check_range(flat, n)
    return flat, lambda drawn: type(x)(drawn, index=x.index, name=x.name)
