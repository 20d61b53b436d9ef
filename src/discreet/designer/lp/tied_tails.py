"""A walk in a smaller program: along the longer side of each row the entries fall by alpha, so that
one stands for all.

Of relabelled GM, where a walk starts (`lp.start`), every row falls by alpha from its output to the
farther end. Where costs grow with every step away from the truth, and n is large enough that the
far end weighs nothing, properties do not change that: they are about what is near the diagonal and
on the shorter side. With these tails tied a symmetric program has about a quarter of its variables
and rows, and a step takes a third of the time.

Whether the ties are right is seen from their multipliers: with M the product of an entry's
multiplier and its part of the tail, `M[j] = part[j] * (cost[j] - what rows charge) + M[j+1]` must
not be negative. It is found in floats.

Everything here only suggests a basis; `simplex.pivots` decides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from discreet.designer.lp.highs import constraints, run_dual, sizes
from discreet.designer.lp.start import row_numbers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from discreet.designer.lp.highs import Floats, Rows
    from discreet.designer.lp.program import Program

FROM = 400
"""Programs of fewer variables are walked through as they are."""
NOTHING = 0.005
"""Where alpha^n is below this, the far end of a row weighs nothing."""
WRONG = -1e-7
"""A tie whose multiplier is below this part of the largest cost is wrong."""


def has_tails(program: Program) -> bool:
    """Whether the long sides of rows are likely to fall by alpha all the way."""
    problem = program.problem
    far = float(problem.alpha) ** problem.n < NOTHING and problem.prior.uniform
    return (
        far
        and program.symmetric
        and program.cells >= FROM
        and not program.costs.flat
        and not program.ratios[2]
    )


def walk_tied(
    program: Program,
    rows: Rows,
    start: Sequence[int],
    equal: int,
    *,
    scaled: bool,
    seconds: float | None,
) -> list[int] | None:
    """Walk from relabelled GM with the tails of its rows tied; None where they may not be."""
    n, variable = program.problem.n, program.variable
    i, j = np.nonzero(np.arange(n + 1) > np.arange(n // 2 + 1)[:, None] + 1)
    cell, tied = variable[i, j], row_numbers(program, variable[i, j], variable[i, j - 1])
    held = np.zeros(program.first_input, dtype=bool)
    held[np.array(start, dtype=np.int64)] = True
    if (tied < 0).any() or not held[tied].all() or np.isin(cell, program.honest).any():
        return None
    size = sizes(program, scaled=scaled)
    root, part = np.arange(program.cells), np.ones(program.cells)
    root[cell] = variable[i, i + 1]
    part[cell] = float(program.problem.alpha) ** (j - i - 1) * size[root[cell]] / size[cell]
    kept = np.flatnonzero(root == np.arange(program.cells))
    number = np.searchsorted(kept, root)
    smaller, keep, unit = _contracted(program, rows, number, part, kept)
    ratios = program.first_bound
    begin = (keep >= ratios) & (keep < ratios + len(program.sums))  # the sums are tight
    begin[keep < ratios] = held[keep[keep < ratios]]
    found = run_dual(program, smaller, begin, held[ratios:][kept], seconds=seconds)
    if found is None:
        return None
    tight_rows, tight_columns, multipliers = found
    charge = np.zeros(len(rows[3]))
    charge[keep] = multipliers * unit
    row = np.repeat(np.arange(len(rows[3])), rows[3])
    rest = rows[0] - np.bincount(rows[4], weights=rows[5] * charge[row], minlength=program.cells)
    tails = np.zeros((n // 2 + 1, n + 1))
    tails[i, j] = (rest * part)[cell]
    worth: Floats = np.cumsum(tails[:, ::-1], axis=1)[:, ::-1]
    if (worth[i, j] < WRONG * np.abs(rows[0]).max()).any():
        return None
    full_rows, full_columns = (
        np.zeros(len(rows[3]), dtype=bool),
        np.zeros(program.cells, dtype=bool),
    )
    full_rows[keep], full_rows[tied], full_columns[kept] = tight_rows, True, tight_columns
    return constraints(program, full_columns, full_rows, equal)


def _contracted(
    program: Program, rows: Rows, number: NDArray[np.int64], part: Floats, kept: NDArray[np.int64]
) -> tuple[Rows, NDArray[np.int64], Floats]:
    """The rows over the variables that are left, of those between the same two the strongest;
    and their units.
    """
    cost, (lower, upper), (bottom, top), lengths, index, value = rows
    ratios = program.first_bound
    head, tail = number[index[: 2 * ratios : 2]], number[index[1 : 2 * ratios : 2]]
    unit = np.ones(len(lengths))
    unit[:ratios] = 1 / part[index[: 2 * ratios : 2]]
    strength = -value[1 : 2 * ratios : 2] * part[index[1 : 2 * ratios : 2]] * unit[:ratios]
    pair = head * len(kept) + tail
    # equal up to rounding, the first counts: it is nearest the diagonal
    order = np.lexsort((np.arange(ratios), -np.round(strength, 9), pair))
    order = order[head[order] != tail[order]]
    first = np.ones(len(order), dtype=bool)
    np.not_equal(pair[order][1:], pair[order][:-1], out=first[1:])
    chosen = np.sort(order[first])
    keep = np.concatenate([chosen, np.arange(ratios, len(lengths))])
    # the other rows gather what stands for several of their entries
    row = np.repeat(np.arange(len(lengths)), lengths)[2 * ratios :]
    where, place = np.unique(row * len(kept) + number[index[2 * ratios :]], return_inverse=True)
    gathered = np.bincount(place, weights=value[2 * ratios :] * part[index[2 * ratios :]])
    ends = np.stack([head[chosen], tail[chosen]], axis=1).ravel()
    values = np.stack([np.ones(len(chosen)), -strength[chosen]], axis=1).ravel()
    smaller: Rows = (
        np.bincount(number, weights=cost * part).astype(np.float64),
        (lower[kept], upper[kept]),
        (bottom[keep], top[keep]),
        np.concatenate([np.full(len(chosen), 2), np.bincount(where // len(kept))[ratios:]]),
        np.concatenate([ends, where % len(kept)]),
        np.concatenate([values, gathered]),
    )
    return smaller, keep, unit[keep]
