"""The draws of a black box: true counts beside outcomes, in the order and the calls in which they
came.

An outcome is one of 0..n, or one of four that a mechanism for counts has no business giving: below
0, above n, not a whole number, or missing (NaN, None, unreadable). These four are kept as outcomes
of their own and never dropped: an answer that is missing only when the count is 0 reveals the
count.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.auditing.tails import MAX_DRAWS
from discreet.errors import InvalidData, InvalidInput

OUTSIDE = ("below 0", "above n", "not whole", "missing")
"""Outcomes beyond 0..n, in the order of their codes n+1, n+2, n+3, n+4."""

MAX_N = 500
"""The largest group an audit takes: its tables grow with n^2 and the draws needed with n."""

Codes = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Draws:
    """Draws of a black box: `counts[t]` went in and the outcome with code `outcomes[t]` came out,
    in call `call[t]`.

    `repeated` says that every call was given the same counts in the same order.
    """

    n: int
    counts: Codes
    outcomes: Codes
    call: Codes
    repeated: bool = False

    @property
    def tally(self) -> NDArray[np.int64]:
        """How often each outcome came for each count, as [outcome, count], the four strange
        outcomes last.
        """
        kinds = self.n + 1 + len(OUTSIDE)
        flat = np.bincount(
            self.outcomes * (self.n + 1) + self.counts, minlength=kinds * (self.n + 1)
        )
        return flat.reshape(kinds, self.n + 1).astype(np.int64)


def read_inputs(values: Any, n: int, parameter: str) -> Codes:
    """Read true counts from an array; each must be a whole number in 0..n."""
    array = np.asarray(values)
    if array.ndim != 1:
        raise InvalidInput(parameter, "must be one column", f"{array.ndim} dimensions")
    if array.size > MAX_DRAWS:
        raise InvalidInput(parameter, f"must hold at most {MAX_DRAWS} draws", array.size)
    codes = code_outcomes(array, n)
    if (codes > n).any():
        raise InvalidData(
            parameter, "must be whole numbers in 0..n", row=1 + int((codes > n).argmax())
        )
    return codes


def code_outcomes(values: Any, n: int) -> Codes:
    """Code outputs as 0..n, or n+1.. for the strange ones in the order of `OUTSIDE`.

    >>> code_outcomes([0, 3, -1, 4, 1.5, float("nan"), None], n=3).tolist()
    [0, 3, 4, 5, 6, 7, 7]
    """
    array = np.asarray(np.ma.filled(values, np.nan) if np.ma.isMaskedArray(values) else values)
    if array.dtype.kind in "iub":
        whole = np.clip(array.astype(np.float64), -1, n + 1).astype(np.int64)
        return np.where(whole < 0, n + 1, np.where(whole > n, n + 2, whole))
    if array.dtype.kind != "f":
        array = np.array([as_number(x) for x in array.ravel().tolist()], dtype=np.float64)
    missing = np.isnan(array)
    known = np.where(missing, 0.0, array)
    fraction = np.isfinite(known) & (known != np.floor(known))
    codes = np.where(
        known < 0, n + 1, np.where(known > n, n + 2, np.clip(known, 0, n).astype(np.int64))
    )
    codes = np.where(fraction, n + 3, codes)
    return np.where(missing, n + 4, codes).astype(np.int64)


def as_number(x: object) -> float:
    """Read a number from whatever a box may answer; anything that is not a number is NaN."""
    if isinstance(x, int):  # of any length: what matters is on which side of 0..n it lies
        return float(max(-1, min(x, 10**9)))
    if not isinstance(x, (str, bytes, Real, Decimal)):
        return math.nan
    try:
        return float(x)
    except (ValueError, OverflowError):
        return math.nan


def outcome_name(code: int, n: int) -> str:
    """Name an outcome for a person."""
    return str(code) if code <= n else OUTSIDE[code - n - 1]
