"""What stands beside released numbers in a table: the unbiased estimate and the ends of the
confidence interval.

Functions of size, output and mechanism alone. Groups of GM, EM or the column-honest closed form at
one alpha are read together, whatever their sizes; other mechanisms one by one, and each only for
the outputs that occur.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from discreet.core.family import BySize
from discreet.core.forms import ColumnHonest, Fair, Geometric
from discreet.reading.group import output_intervals
from discreet.reading.methods.closed_scores import debiased
from discreet.reading.methods.debiasing import HOPELESS, NotEstimable
from discreet.reading.methods.stretched import mirrored_intervals
from discreet.reading.totals import count_score

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism
    from discreet.reading.methods.debiasing import Floats, Integers, Score

Law = tuple[type[Geometric | Fair | ColumnHonest], Fraction]


def read_columns(
    by_size: Mapping[int, Mechanism],
    sizes: Integers,
    outputs: Integers,
    confidence: Fraction,
) -> tuple[Floats, Integers, Integers]:
    """Return estimate, low and high for each output; `by_size` holds the mechanism of each size.

    >>> from discreet.core.named import geometric
    >>> big = {n: geometric(n=n, alpha="1/2") for n in (1, 1000)}
    >>> found = read_columns(big, np.array([1, 1000]), np.array([0, 7]), Fraction(9, 10))
    >>> [column.tolist() for column in found]
    [[-1.0, 7.0], [0, 4], [1, 10]]
    """
    estimates, low, high = np.zeros(len(outputs)), np.zeros_like(outputs), np.zeros_like(outputs)
    present, place = np.unique(sizes, return_inverse=True)
    laws = [law_of(by_size[int(n)]) for n in present]
    alone = np.array([law is None for law in laws], dtype=np.bool_)[place]
    for law in {law for law in laws if law is not None}:
        rows = np.flatnonzero(np.array([other == law for other in laws])[place])
        estimates[rows] = debiased(*law, sizes[rows], outputs[rows])
        low[rows], high[rows] = mirrored_intervals(*law, sizes[rows], outputs[rows], confidence)
    for n, rows in _split(sizes, np.flatnonzero(alone & (sizes > 0))):
        seen, place = np.unique(outputs[rows], return_inverse=True)
        first, last = output_intervals(by_size[n], seen, confidence)
        low[rows], high[rows] = first[place], last[place]
        estimates[rows] = count_score(by_size[n]).at(outputs[rows])
    return estimates, low, high


def check_readable(by_size: Mapping[int, Mechanism]) -> None:
    """Raise `NotEstimable` if the outputs of some size have no unbiased estimate, or only a
    hopeless one.

    GM is the more readable the larger the group is, so that the smallest group of a family answers
    for the others.
    """
    sizes: Iterable[int] = by_size
    if isinstance(by_size, BySize):
        geometric = [family for family in by_size.families if family.kind == "geometric"]
        least = [next(n for n in by_size.sizes if n in family) for family in geometric]
        sizes = [
            *least,
            *(n for n in by_size.sizes if not any(n in family for family in geometric)),
        ]
    for n in sizes:
        if n:
            count_score(by_size[n])


def without_total(by_size: BySize) -> list[int]:
    """The sizes whose outputs have no unbiased estimate of the count, or only a hopeless one.

    A closed form is hopeless in the smallest groups only. Noise in units of n may grow by a tenth
    from one size to the next, and on the whole it falls: where it is half of what is hopeless,
    larger groups are not asked.
    """
    found = [n for n, mechanism in by_size.single.items() if n and _score(mechanism) is None]
    for family in by_size.families:
        for n in by_size.sizes:
            if n in family:
                score = _score(by_size[n])
                if score is None:
                    found.append(n)
                elif 4 * score.worst_variance <= (HOPELESS * n) ** 2:
                    break
    return sorted(found)


def _score(mechanism: Mechanism) -> Score | None:
    try:
        return count_score(mechanism)
    except NotEstimable:
        return None


def law_of(mechanism: Mechanism) -> Law | None:
    """The closed form and its alpha, for whoever reads groups of all sizes together; None for
    any other mechanism.
    """
    form = mechanism.form
    if not isinstance(form, (Geometric, Fair, ColumnHonest)):
        return None
    return (type(form), form.alpha) if form.n and form.alpha < 1 else None


def _split(sizes: Integers, rows: Integers) -> list[tuple[int, Integers]]:
    """Some rows by size."""
    ordered = rows[np.argsort(sizes[rows], kind="stable")]
    present, starts = np.unique(sizes[ordered], return_index=True)
    return (
        list(zip(present.tolist(), np.split(ordered, starts[1:]), strict=True)) if len(rows) else []
    )
