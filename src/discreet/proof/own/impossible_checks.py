"""The verifier for a proof that no mechanism has what was asked.

The file, version 1: one JSON object in UTF-8 with exactly these fields, written as `discreet.proof`
writes them.

    format       "discreet-impossible"
    version      1
    n, alpha, epsilon
    problem      {"properties": [...], "output_dp": RATIO | null, "rows": ROWS}; ROWS is specified
                 in `row_checks`
    bound        RATIO, positive: what the multipliers come to
    denominator, multipliers       as in a proof of optimality, "own" rows among them
    id           SHA-256 of the fields above as JSON with sorted keys, no spaces, ASCII
    seal         as in a proof file

For multipliers of the right signs `b.y + sum_v min(0, -what the rows charge for v)` is at most 0
for every matrix that has all the rows, because entries lie in [0, 1]. Where it is positive there is
none.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from discreet.proof.checks import _bound, check_price, fail, rivals_of, shown
from discreet.proof.own.row_checks import own_rows_of
from discreet.proof.reading import (
    MAX_DENSE_N,
    invalid,
    read_fields,
    read_hex,
    read_integer,
    read_multipliers,
    read_parameter,
    read_ratio,
    read_shape,
    sealed,
)

FORMAT = "discreet-impossible"
_HEAD = (
    "format",
    "version",
    "n",
    "alpha",
    "epsilon",
    "problem",
    "bound",
    "denominator",
    "multipliers",
)
FIELDS = (*_HEAD, "id")


def check_impossible(document: dict[str, Any]) -> dict[str, Any]:
    """Check the file; return what its report says."""
    *values, identity, seal = read_fields(document, "file", *FIELDS, "seal")
    if values[0] != FORMAT or values[1] != 1 or values[1] is True:
        invalid("version", "must be 1", "a newer discreet may be able to read this file")
    try:
        intact = sealed(document, FIELDS) == seal
        content = json.dumps(
            dict(zip(_HEAD, values, strict=True)), sort_keys=True, separators=(",", ":")
        )
    except RecursionError:
        invalid("file", "is nested too deeply")
    if not intact:
        fail("seal: the file was changed after it was written")
    if hashlib.sha256(content.encode()).hexdigest() != identity:
        fail("id: it is not the content id of these fields")
    n = read_integer(values[2], "n", MAX_DENSE_N)
    alpha, epsilon = (
        read_parameter(value, name) for value, name in zip(values[3:5], _HEAD[3:5], strict=True)
    )
    check_price(alpha, epsilon)
    shape = read_fields(values[5], "problem", "properties", "output_dp", "rows")[:2]
    own, (names, beta) = own_rows_of(values[5], n)[1], read_shape(*shape)
    bound, scale = read_ratio(values[6], "bound"), read_hex(values[7], "denominator", positive=True)
    given = read_multipliers(values[8], n)
    nothing = {"denominator": "1", "rows": [["0"] * (n + 1)] * (n + 1)}
    top, bottom = _bound(n, alpha, (names, beta), (nothing, "uniform", False), scale, given, own)
    if top * bound.denominator != bound.numerator * bottom or bound <= 0:
        fail("impossible: the multipliers do not come to the positive number that the file says")
    proven = (
        f"{len(given)} multipliers add up to 0 >= {shown(bound)}: there is no "
        f"{rivals_of(names, beta)}{own.words}"
    )
    checks = ("the seal and the content id belong to these contents", f"impossible: {proven}")
    return {
        "n": n,
        "alpha": alpha,
        "epsilon": epsilon,
        "id": identity,
        "method": "linear program",
        "checks": checks,
        "optimal": None,
        "impossible": True,
    }
