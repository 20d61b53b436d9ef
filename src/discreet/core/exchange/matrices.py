"""A mechanism from a matrix: of exact numbers as they are, of floats by exact numbers near them,
never less private.

Floats are rounded, so a matrix of them is hardly ever a mechanism: its columns do not sum to 1, and
its ratios miss alpha in the last digit. Each column becomes a distribution of fractions near it
(`near_floats`). If the matrix then misses the alpha asked for, it is mixed with as little of its
mean column w as makes it private: for every output i and neighbouring true counts with chances a <
alpha b,

    (1-t)(alpha b - a) <= t w_i (1-alpha),

which is linear in t, so the least t is exact; it is rounded up. What takes more than `NEAR` was no
rounding, and is refused. Whatever is claimed is checked once more when the mechanism is built, in
rationals.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import ceil
from typing import Any

from discreet.core.exchange.near_floats import NEAR, has_floats, near_distribution
from discreet.core.forms import Dense, dense_from, mixed
from discreet.core.mechanism import Mechanism, Origin
from discreet.core.rationals import (
    SLACK,
    Exact,
    read_alpha,
    read_fraction,
    read_list,
    simplest_between,
)
from discreet.errors import InvalidInput, NotPrivate

_BITS = 128


def from_matrix(
    matrix: Any, *, alpha: Exact | None = None, epsilon: Exact | None = None
) -> Mechanism:
    """Build a mechanism from rows [output][true count]; refused unless exactly private.

    `matrix` holds n+1 rows of n+1 numbers: lists, tuples, an array or a data frame. Exact numbers
    (fractions, ints, texts such as "1/3") are taken as they are. Floats are taken as they are typed
    where that is exact; else fractions near them are taken whose columns sum to 1, and
    `m.origin.method` says how far they were moved.

    `alpha` or `epsilon` is the privacy to hold it to. Floats that miss it by rounding are moved
    toward more privacy; what misses it by more is refused. Without either, `m.alpha` is what the
    matrix really has: of floats, rounded down.

    >>> from_matrix([["2/3", "1/3"], ["1/3", "2/3"]]).alpha
    Fraction(1, 2)
    >>> from_matrix([[2 / 3, 1 / 3], [1 / 3, 2 / 3]], alpha="1/2")[0, 1]
    Fraction(1, 3)
    >>> from_matrix([["2/3", "1/3"], ["1/3", "2/3"]], alpha="3/5")
    Traceback (most recent call last):
        ...
    discreet.errors.NotPrivate: Pr[0|0] = 2/3 and Pr[0|1] = 1/3 differ by more than a factor of
    alpha = 3/5
    """
    form, method, rounded = dense_from(matrix), "given", False
    rows = [read_list(row) or [] for row in read_list(matrix) or []]
    if any(map(has_floats, rows)) and not _stochastic(form):
        form, method, rounded = _near(rows), "given in floats, made exact", True
    if alpha is None and epsilon is None:
        privacy = read_alpha(alpha=_obtained(form, rounded=rounded))
    else:
        privacy = read_alpha(alpha=alpha, epsilon=epsilon)
        share = _share(form, privacy.value) if any(map(has_floats, rows)) else Fraction(0)
        if 0 < share <= NEAR:
            form, rounded = mixed(1 - share, form, _mean(form)), True
            method = "given in floats, made exact and private"
    if rounded:
        moved = max(
            abs(form.entry(i, j) - _given(x))
            for i, row in enumerate(rows)
            for j, x in enumerate(row)
        )
        method += f": no entry moved by more than {float(moved):.1g}"
    return Mechanism(privacy=privacy, form=form, origin=Origin(method=method))


def _stochastic(form: Dense) -> bool:
    return all(sum(column) == form.denominator for column in zip(*form.rows, strict=True))


def _near(rows: list[list[Any]]) -> Dense:
    """The matrix of fractions near floats: each column a distribution."""
    columns = []
    for j, column in enumerate(zip(*rows, strict=True)):
        try:
            columns.append(near_distribution("matrix", column))
        except InvalidInput as error:
            raise NotPrivate(
                f"column {j} {error.rule}, not {error.value}", remedy=error.remedy, cell=(0, j)
            ) from None
    return dense_from([list(row) for row in zip(*columns, strict=True)])


def _obtained(form: Dense, *, rounded: bool) -> Fraction:
    """The alpha that a matrix has; of one that was rounded a shorter fraction just below, which
    it has too.
    """
    form.check(Fraction(0))  # that it is a matrix of distributions
    tight = form.tight_alpha()
    if not tight:
        rule = (
            "some output is possible for one true count and impossible for its neighbour: no "
            "alpha above 0 holds"
        )
        raise NotPrivate(rule, remedy="give every output of such a row a chance, or none")
    return simplest_between(tight * (1 - SLACK), tight) if rounded else tight


def _share(form: Dense, alpha: Fraction) -> Fraction:
    """The least share of the mean column that makes a matrix alpha-private, rounded up; 0 where
    it is so already.
    """
    least = Fraction(0)
    for row in form.rows:
        mean = Fraction(sum(row), len(row))
        for left, right in pairwise(row):
            lacking = alpha * max(left, right) - min(left, right)
            if lacking > 0:
                least = max(
                    least, lacking / (lacking + mean * (1 - alpha)) if alpha < 1 else Fraction(1)
                )
    return Fraction(ceil(least * (1 << _BITS)), 1 << _BITS)


def _mean(form: Dense) -> Dense:
    """The matrix whose columns are all the mean of a matrix's: it ignores its input."""
    size = len(form.rows)
    return Dense(tuple((sum(row),) * size for row in form.rows), form.denominator * size)


def _given(value: Any) -> Fraction:
    """An entry as it was given: a float as the double that it is."""
    # entries of an exact matrix may have any number of digits
    return (
        Fraction(value) if isinstance(value, float | Fraction) else read_fraction("matrix", value)
    )
