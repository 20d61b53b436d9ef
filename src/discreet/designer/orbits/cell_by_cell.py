"""Histograms cell by cell: what is left where a joint design is too large, with its exact error and a bound.

Each of the k >= 3 counts is released by GM at epsilon/2, because one person's change touches two of them. The cells
need not add up to n. The number of people misplaced is half of the sum of their errors, so its mean over a uniform
prior is k/2 times the L1 of GM over the counts of one answer.

The same sum bounds every joint mechanism from below. Given the count j of one answer, the others are uniform over the
histograms of n-j people; a Polya urn makes those of one more person by adding one, so a joint mechanism averaged over
them is an alpha-private mechanism of that count, and no such mechanism has a lower L1 than the best one.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import TYPE_CHECKING

from discreet.core.histogram import Histogram, read_domain
from discreet.core.named import geometric
from discreet.core.rationals import read_alpha, read_fraction, shown
from discreet.designer.single import design
from discreet.errors import InvalidInput

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism
    from discreet.core.rationals import Exact


@dataclass(frozen=True, slots=True, kw_only=True)
class Cells:
    """A histogram released cell by cell: `mechanism` draws each count by itself.

    `misplaced` is the exact mean number of people misplaced, uniform over histograms; no joint mechanism at the same
    epsilon has less than `bound`.
    """

    domain: Histogram
    epsilon: Fraction
    mechanism: Mechanism
    misplaced: Fraction
    bound: Fraction

    def __str__(self) -> str:
        return (
            f"{self.domain}, cell by cell: each count by GM at epsilon/2 = {shown(self.epsilon / 2)}\n"
            f"{float(self.misplaced):.4f} people misplaced on average; no joint mechanism has fewer than "
            f"{float(self.bound):.4f}"
        )


def cells(*, n: int, categories: int | list[str], epsilon: Exact) -> Cells:
    """Return a histogram's release cell by cell, with its exact error and a bound of every joint mechanism's.

    >>> print(cells(n=30, categories=4, epsilon=1))
    histograms of 30 people over 4 answers, cell by cell: each count by GM at epsilon/2 = 1/2
    3.4295 people misplaced on average; no joint mechanism has fewer than 1.5823
    """
    domain, whole = read_domain(n, categories), read_fraction("epsilon", epsilon)
    if not isinstance(domain, Histogram) or domain.k == 2:
        raise InvalidInput("categories", "must have at least 3 answers", remedy="two are one count at epsilon")
    read_alpha(epsilon=whole)
    k, size = domain.k, domain.size
    prior = [Fraction(comb(n - j + k - 2, k - 2), size) for j in range(n + 1)]
    mechanism = geometric(n=n, epsilon=whole / 2)
    proof = design(n=n, epsilon=whole, loss="L1", prior=prior, cache=False).origin.certificate
    return Cells(
        domain=domain,
        epsilon=whole,
        mechanism=mechanism,
        misplaced=Fraction(k, 2) * mechanism.score("L1", prior),
        bound=Fraction(k, 2) * (Fraction(0) if proof is None else proof.bound),
    )
