"""From constraints that are almost a basis to one: drop what is dependent, add what is missing,
exactly.

A float solver may return tight constraints that are exactly dependent, or one short. The forest
shows which: a tree whose root is fixed twice, a combination of the column sums that the ratios
already imply, or a direction in which everything tight stays tight. Each is mended by one exchange;
the pivots that follow see to optimality.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flint import fmpz

from discreet.designer.simplex.basis import factor, grow
from discreet.designer.simplex.system import ZERO, Singular, integers
from discreet.designer.simplex.vertex import Vertex, broken, carry, dual, slacks, vertex

if TYPE_CHECKING:
    from collections.abc import Sequence

    from flint import fmpz_mat

    from discreet.designer.lp.program import Program
    from discreet.designer.simplex.basis import Basis


def complete(program: Program, tight: Sequence[int]) -> list[int]:
    """Return a basis that keeps what it can of the given constraints."""
    held = sorted(set(tight))
    for _ in range(4 * program.cells + 16):
        basis, redundant = grow(program, held)
        if redundant:
            held = sorted(set(held) - set(redundant))
            continue
        dependent = _null(basis.system.matrix.transpose())
        if dependent is not None:
            held.remove(_implied(basis, dependent))
            continue
        loose = _null(basis.system.matrix)
        if loose is None:
            return held
        held = sorted({*held, _missing(basis, loose)})
    raise Singular("no basis near the solver's was found")


def faults(program: Program, tight: Sequence[int]) -> int:
    """How far a basis is from optimal: the constraints that it breaks, and the multipliers with
    the wrong sign.
    """
    try:
        basis = factor(program, sorted(tight))
        point = vertex(basis)
    except Singular:
        basis = factor(program, complete(program, tight))
        point = vertex(basis)
    cost = {u: integers(program)(amount) for u, amount in enumerate(program.cost) if amount}
    signed = dual(basis, cost, 1 if program.inputs else 0).signed
    return len(broken(basis, point)) + len([amount for amount in signed.values() if amount < ZERO])


def _null(matrix: fmpz_mat) -> list[fmpz] | None:
    """A non-zero integer vector that the matrix sends to zero, or None."""
    if matrix.ncols() == 0:
        return None
    vectors, count = matrix.nullspace()
    return [vectors[k, 0] for k in range(matrix.ncols())] if count else None


def _implied(basis: Basis, weights: Sequence[fmpz]) -> int:
    """A tight constraint that a combination of the equations makes superfluous: an input of it,
    or a ratio.
    """
    sums = len(basis.program.sums)
    for k, weight in zip(basis.inputs, weights[sums:], strict=True):
        if weight != 0:
            return k
    rest = [fmpz(0)] * basis.program.cells
    for weight, line in zip(weights, basis.equations, strict=True):
        for u, count in zip(*line, strict=True):
            rest[u] += count * weight
    signed, _ = carry(basis, rest)
    return next(k for k, amount in signed.items() if amount != 0)


def _missing(basis: Basis, direction: Sequence[fmpz]) -> int:
    """A constraint that is not tight and would stop a direction in which everything tight stays
    tight.
    """
    program = basis.program
    unknown = [direction[place] if place >= 0 else fmpz(0) for place in basis.column]
    moved = Vertex(
        value=[power * unknown[t] for power, t in zip(basis.power, basis.tree, strict=True)],
        worst=direction[-1] if program.inputs else fmpz(0),
        denominator=fmpz(1),
    )
    tight = set(basis.tight)
    return next(
        k
        for k, slack, _ in slacks(program, moved, homogeneous=True)
        if slack != 0 and k not in tight
    )
