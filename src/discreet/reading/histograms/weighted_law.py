"""The law of a joint mechanism's outputs, told apart only as far as one weighted sum of the answers
needs it.

A target is f(t) = sum_c a_c t_c: one answer's count has a = (0, .., 1, .., 0), a scale has its
scores. Exchanging answers of one class of the mechanism that also have one weight changes neither f
nor any chance. So outputs, and true histograms, that such an exchange makes one another are of one
*kind*, and all there is to know is

    Q[O, T] = Pr[an output of kind O | t]     for any true histogram t of kind T.

For one answer of five in a group of eight that is 53 kinds instead of 495 histograms.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from discreet.core.forms import Folded
from discreet.reading.methods.debiasing import NotEstimable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from discreet.reading.methods.debiasing import Floats, Integers

Weights = tuple[Fraction, ...]

LARGEST_LAW = 2_000
"""Kinds that one law may tell apart: its matrix has 32 MB of floats there."""

_CELLS = 1 << 20  # entries looked up at a time


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WeightedLaw:
    """Kinds of outputs, their chances for each kind of true histogram, and the target there."""

    kind: Integers
    """The kind of each output, by the number of the point."""
    truths: Integers
    """A true histogram of each kind, [kind, answer]."""
    chances: Floats
    """Q[O, T]."""
    given: NDArray[np.bool_]
    """Whether outputs of a kind are ever given."""
    target: tuple[Fraction, ...]
    """f(t) for each kind of true histogram."""

    def exactly(self, form: Folded) -> list[list[int]]:
        """Q as integers over the form's denominator, a list of rows by kind of true histogram
        (so Q transposed).
        """
        entries, kinds = entry_numbers(form, points_of(form), self.truths), self.kind.tolist()
        rows = []
        for column in entries.T.tolist():
            sums = [0] * len(self.truths)
            for kind, u in zip(kinds, column, strict=True):
                sums[kind] += form.values[u]
            rows.append(sums)
        return rows


@lru_cache(maxsize=32)
def weighted_law(form: Folded, weights: Weights) -> WeightedLaw:
    """Return the law of outputs as far as the sum of the answers with these weights needs it.

    >>> from discreet.core.histogram import Histogram
    >>> law = weighted_law(
    ...     Folded(Histogram(2, 3), (0, 0, 0), (1,) * 8, 6), (Fraction(1), Fraction(0), Fraction(0))
    ... )
    >>> [str(f) for f in law.target], law.chances[:, 0].tolist()
    (['0', '0', '1', '2'], [0.3333333333333333, 0.16666666666666666, 0.3333333333333333,
    0.16666666666666666])
    """
    points = points_of(form)
    kind, first = kinds_of(points, form.classes, weights)
    if len(first) > LARGEST_LAW:
        raise NotEstimable(
            f"a sum with these scores tells {len(first):,} kinds of histograms of {form.n} people "
            f"apart, more than the {LARGEST_LAW:,} whose noise is worked out. Give several "
            "answers one score, or read totals and shares."
        )
    truths = points[first]
    values, possible = (
        np.array([x / form.denominator for x in form.values]),
        np.array([x > 0 for x in form.values]),
    )
    chances = np.zeros((len(first), len(first)))
    given = np.zeros(len(first), dtype=np.bool_)
    for rows in np.array_split(np.arange(len(first)), len(points) * len(first) // _CELLS + 1):
        entries = entry_numbers(form, points, truths[rows])
        np.add.at(chances, (kind[:, None], rows[None, :]), values[entries])
        given[kind] |= possible[entries].any(axis=1)
    target = tuple(
        sum((a * int(t) for a, t in zip(weights, truth, strict=True)), Fraction(0))
        for truth in truths
    )
    return WeightedLaw(kind=kind, truths=truths, chances=chances, given=given, target=target)


def points_of(form: Folded) -> Integers:
    """Every histogram of the domain as an array [point, answer]."""
    return np.array(form.domain.points, dtype=np.int64)


def kinds_of(
    points: Integers, classes: Sequence[int], weights: Weights
) -> tuple[Integers, Integers]:
    """Return the kind of each point, and the first point of each kind.

    Answers of one class and one weight may be exchanged; kinds are numbered in the order of the
    histograms that have their counts sorted among such answers.
    """
    labels = list(zip(classes, weights, strict=True))
    arranged = [
        np.sort(points[:, [c for c, one in enumerate(labels) if one == label]], axis=1)
        for label in dict.fromkeys(labels)
    ]
    _, first, kind = np.unique(
        np.concatenate(arranged, axis=1), axis=0, return_index=True, return_inverse=True
    )
    return kind.reshape(-1), first


def entry_numbers(form: Folded, outputs: Integers, truths: Integers) -> Integers:
    """Return the orbit of every entry Pr[output|truth], as an array [output, truth].

    The key of an orbit is the sum, modulo 2^64, of a fixed hash of each (class, o_c, t_c). Whether
    two orbits share a key is looked at, never hoped for.
    """
    base, codes = form.domain.n + 1, form.orbits.codes
    table = _hashes(max(form.classes) + 1, base * base)
    known = np.zeros(len(codes), dtype=np.uint64)
    listed = np.array(codes, dtype=np.int64)
    keys = np.zeros((len(outputs), len(truths)), dtype=np.uint64)
    for c, one in enumerate(form.classes):
        known += table[one, listed[:, c]]
        keys += table[one, outputs[:, None, c] * base + truths[None, :, c]]
    order = np.argsort(known)
    if len(np.unique(known)) < len(known):
        pairs = ((tuple(o), tuple(t)) for o in outputs.tolist() for t in truths.tolist())
        return np.array([form.orbits.of(o, t) for o, t in pairs]).reshape(keys.shape)
    return np.asarray(order[np.searchsorted(known[order], keys)])


@lru_cache(maxsize=8)
def _hashes(classes: int, codes: int) -> NDArray[np.uint64]:
    found = [
        int.from_bytes(sha256(b"%d" % at).digest()[:8], "little") for at in range(classes * codes)
    ]
    return np.array(found, dtype=np.uint64).reshape(classes, codes)
