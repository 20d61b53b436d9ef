"""How a mechanism's matrix is stored: written out, or as a closed form that never needs to be.

`Dense` is integers over one denominator. `Geometric`, `Fair`, `Uniform` and `WeaklyHonest` are given by n
and alpha alone: each entry is a scale times an integer power of alpha, so a group of 100,000 people can be
checked, stored and sampled without its ten thousand million entries. `Relabelled` is a `Dense` that is written
out when it is needed. Every form answers the same questions.

A matrix that equals a closed form is stored as one (`canonical`), so that equal mechanisms are equal values.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Protocol

from discreet.core.forms.closed import Fair, Geometric, Uniform, WeaklyHonest
from discreet.core.forms.dense import DENSE_LIMIT, Dense, dense_from, mixed, reduced
from discreet.core.forms.folded import Folded, histogram_score
from discreet.core.forms.relabelled import Relabelled
from discreet.errors import NotPrivate

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "DENSE_LIMIT",
    "Dense",
    "Fair",
    "Folded",
    "Form",
    "Geometric",
    "Relabelled",
    "Uniform",
    "WeaklyHonest",
    "canonical",
    "check",
    "dense_from",
    "histogram_score",
    "mixed",
    "reduced",
]


class Form(Protocol):
    """What every way of storing a matrix can answer."""

    @property
    def n(self) -> int:
        """The group size: counts run over 0..n."""

    def entry(self, i: int, j: int) -> Fraction:
        """Pr[output i | true count j]."""

    def column(self, j: int) -> tuple[list[int], int]:
        """Column j as integers over one denominator."""

    def cumulative_bounds(self, j: int, bits: int) -> tuple[list[int], int]:
        """Integers L_i and e with L_i <= 2^bits (Pr[0|j] + ... + Pr[i|j]) <= L_i + e."""

    def check(self, alpha: Fraction) -> None:
        """Raise `NotPrivate` unless the matrix is non-negative, stochastic by columns and alpha-private, exactly."""

    def tight_alpha(self) -> Fraction:
        """The largest alpha for which the matrix is alpha-private."""

    def known(self, name: str) -> bool | None:
        """Whether a property holds, by theorem; None where only the written-out matrix can tell."""

    def text(self) -> str:
        """Return the form as canonical text, the same on every machine."""

    def dense(self) -> Dense:
        """Write the matrix out."""

    def floats(self) -> NDArray[np.float64]:
        """Return the matrix as floats [output, true count]."""


_FORMS = (Dense, Geometric, Fair, WeaklyHonest, Uniform, Relabelled, Folded)


def check(form: Form, alpha: Fraction) -> None:
    """Raise `NotPrivate` unless a form is one of the library's own and alpha-private, exactly.

    A subclass or a look-alike could say anything of itself, so it is refused.
    """
    if type(form) not in _FORMS:
        names = ", ".join(kind.__name__ for kind in _FORMS)
        rule = f"only {names} can be checked, not {type(form).__name__}"
        raise NotPrivate(rule, remedy="write the matrix out as a Dense")
    form.check(alpha)


def canonical(form: Form) -> Form:
    """Return the one form in which this matrix is stored: a closed form where it is one."""
    n = form.n
    if isinstance(form, Folded) or (isinstance(form, Dense) and form.step != 1):
        return form.in_lowest_terms()  # the closed forms are of counts that one person moves by one
    if n == 0:
        return Uniform(0)
    if isinstance(form, Dense):
        return _recognised(form.in_lowest_terms())
    if isinstance(form, Relabelled):
        used = {label for chosen in form.labels for label in chosen}
        # an answer that never comes has a row of zeros, as no closed form has
        return form if len(used) <= n else _recognised(form.dense())
    if form.tight_alpha() == 1:
        if not isinstance(form, Geometric):
            return Uniform(n)
        # a coin between 0 and n; equal to a matrix written out only where there can be one
        return _recognised(form.dense()) if n <= DENSE_LIMIT else form
    return Geometric(n, form.tight_alpha()) if n == 1 else form


def _recognised(matrix: Dense) -> Form:
    """Return the closed form that a matrix is, if it is one: row 0 of each begins with a step of exactly alpha."""
    n, (first, second) = matrix.n, matrix.rows[0][:2]
    if not 0 < second <= first:
        return matrix
    alpha = Fraction(second, first)
    candidates: list[Form] = [Uniform(n)] if alpha == 1 else [Geometric(n, alpha), Fair(n, alpha)]
    if n > 1 and alpha < 1 and n * (1 - alpha) < 2 * alpha:
        candidates.append(WeaklyHonest(n, alpha))
    for candidate in candidates:
        # the corner alone tells most matrices apart, before anything is written out
        if matrix.entry(0, 0) == candidate.entry(0, 0) and matrix == candidate.dense():
            return candidate
    return matrix
