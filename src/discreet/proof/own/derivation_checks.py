"""The verifier for what derives from GM: M = T GM for a random map T, and bounds over such
mechanisms alone.

    map      an optional claim: {"denominator": INT, "rows": [[INT, ...], ...]}, T in lowest
             terms: T[i][k] is the chance that output k of GM becomes i. Verified: its columns sum
             to 1, and T GM is the matrix of the file

GM[k][j] is s_k a^|k-j|, with s_k = 1/(1+a) at both ends and (1-a)/(1+a) between them, so that
products with it take two passes along a row. A problem with "derivable": true is about mechanisms
that derive from GM; the multiplier ["sum", k, 0, 0, INT] is then that of column k of T, and what is
left of the cost of M[i][j] is seen through GM.
"""

from __future__ import annotations

from fractions import Fraction
from math import gcd
from typing import Any

from discreet.errors import ProofFailed
from discreet.proof.reading import MAX_WORK, Form, invalid, read_fields, read_hex, read_list

MAX_DERIVED_N = 256


def powers_along(line: list[int], p: int, q: int) -> list[int]:
    """For each k the sum of line[j] * p^|k-j| q^(n-|k-j|), by two passes."""
    n = len(line) - 1
    whole = q**n
    before, after = [0] * (n + 1), [0] * (n + 1)
    for k in range(n + 1):
        before[k] = line[k] * whole + (before[k - 1] // q * p if k else 0)
    for k in range(n - 1, -1, -1):
        after[k] = (after[k + 1] + line[k + 1] * whole) // q * p
    return [x + y for x, y in zip(before, after, strict=True)]


def limit(n: int, alpha: Fraction, bits: int) -> None:
    """Refuse what would take too long."""
    if (
        n > MAX_DERIVED_N
        or (n + 1) ** 2 * max(30, n * alpha.denominator.bit_length()) * max(30, bits) > MAX_WORK
    ):
        invalid(
            "file",
            f"must be for groups of at most {MAX_DERIVED_N}, with numbers within the limits, to "
            "derive from GM",
        )


def through_geometric(lines: list[list[int]], alpha: Fraction) -> tuple[list[list[int]], int]:
    """Return the sums over j of lines[i][j] GM[k][j], for each i and k, as integers; and their
    denominator.
    """
    n, (p, q) = len(lines) - 1, alpha.as_integer_ratio()
    limit(n, alpha, max(abs(x).bit_length() for line in lines for x in line))
    if n == 0:
        return lines, 1
    ends = [q, *[q - p] * (n - 1), q]
    seen = [[s * x for s, x in zip(ends, powers_along(line, p, q), strict=True)] for line in lines]
    return seen, (p + q) * q**n


def check_derives(form: Form, alpha: Fraction) -> None:
    """Check that a matrix is GM followed by some map: in each row, a second difference is
    nowhere negative.
    """
    n, (p, q) = form.n, alpha.as_integer_ratio()
    if form.rows is None or alpha >= 1:
        raise ProofFailed("derivable: the matrix is too large to write out, or alpha is 1")
    limit(n, alpha, form.denominator.bit_length())
    for i, x in enumerate(form.rows):
        inner = [(p * p + q * q) * x[k] - p * q * (x[k - 1] + x[k + 1]) for k in range(1, n)]
        ends = [q * x[0] - p * x[1], q * x[n] - p * x[n - 1]] if n else []
        if min([*inner, *ends], default=0) < 0:
            raise ProofFailed(f"derivable: row {i} of the matrix does not derive from GM")


def check_map(form: Form, alpha: Fraction, written: Any) -> str:
    """Check that T is a random map and that T GM is the matrix."""
    bottom, given = read_fields(written, "map", "denominator", "rows")
    n, (p, q), denominator = (
        form.n,
        alpha.as_integer_ratio(),
        read_hex(bottom, "map", positive=True),
    )
    rows = [
        [read_hex(x, "map") for x in read_list(row, "map", n + 1)]
        for row in read_list(given, "map", n + 1)
    ]
    if gcd(denominator, *(x for row in rows for x in row)) != 1:
        invalid("map", "must be in lowest terms")
    if any(sum(column) != denominator for column in zip(*rows, strict=True)):
        raise ProofFailed("map: what becomes of an output does not sum to 1")
    if form.rows is None or alpha >= 1:
        raise ProofFailed("map: the matrix is too large to write out, or alpha is 1")
    limit(n, alpha, max(denominator.bit_length(), form.denominator.bit_length()))
    scale = [q, *[q - p] * (n - 1), q] if n else [1]
    under = (p + q) * q**n * denominator if n else denominator
    for i, (row, wanted) in enumerate(zip(rows, form.rows, strict=True)):
        made = powers_along([s * x for s, x in zip(scale, row, strict=True)], p, q)
        if any(x * form.denominator != y * under for x, y in zip(made, wanted, strict=True)):
            raise ProofFailed(f"map: row {i} of T GM is not that of the matrix")
    return (
        "derives from GM: the map of the file is random, column by column, and T GM is the matrix"
    )
