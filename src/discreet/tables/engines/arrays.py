"""Whole numbers between Arrow and NumPy by their buffers, without a copy.

`pa.array` and `to_numpy` import pandas where it is installed: half a second and 60 MiB that a release does not need.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

if TYPE_CHECKING:
    from numpy.typing import NDArray


def to_numpy(column: pa.Array) -> NDArray[np.int64]:
    """An int64 column without NULLs as a NumPy array.

    >>> to_numpy(pa.array([4, 5, 6], pa.int64())[1:])
    array([5, 6])
    """
    if column.type != pa.int64() or column.null_count:
        raise TypeError("only int64 columns without NULLs come here")
    return np.frombuffer(column.buffers()[1], dtype=np.int64, count=len(column), offset=8 * column.offset)


def to_arrow(numbers: NDArray[np.int64] | NDArray[np.float64]) -> pa.Array:
    """An int64 or float64 array as an Arrow column.

    >>> to_arrow(np.array([5, 6])).to_pylist()
    [5, 6]
    """
    kind = pa.float64() if numbers.dtype == np.float64 else pa.int64()
    return pa.Array.from_buffers(kind, len(numbers), [None, pa.py_buffer(np.ascontiguousarray(numbers))])
