"""How a mechanism's matrix is stored: written out, or as a closed form that never needs to be.

`Dense` is integers over one denominator. `Geometric`, `Fair`, `Uniform` and `WeaklyHonest` are given by n
and alpha alone: each entry is a scale times an integer power of alpha, so a group of 100,000 people can be
checked, stored and sampled without its ten thousand million entries. Every form answers the same questions.

A matrix that equals a closed form is stored as one (`canonical`), so that equal mechanisms are equal values.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Protocol

from discreet.errors import NotPrivate
from discreet.forms.closed import Fair, Geometric, Uniform, WeaklyHonest
from discreet.forms.dense import DENSE_LIMIT, Dense, dense_from, mixed, reduced
from discreet.rationals import shown

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "DENSE_LIMIT",
    "Dense",
    "Fair",
    "Form",
    "Geometric",
    "Uniform",
    "WeaklyHonest",
    "canonical",
    "check_private",
    "dense_from",
    "mixed",
    "reduced",
]

WRITTEN_OUT = 64
"""Up to this n a closed form is written out and checked entry by entry when a mechanism is built from it."""


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


def check_private(form: Form, alpha: Fraction) -> None:
    """Raise `NotPrivate` unless the matrix is non-negative, stochastic and alpha-private, exactly.

    A closed form has no free entries: its columns sum to 1 and its rows change by at most a factor of its own
    alpha for every n, by the theorems in docs/claims. Beyond n = 64 that is what is checked; up to it, and for
    every matrix that was written out, each entry is.
    """
    if isinstance(form, Dense) or form.n <= WRITTEN_OUT:
        form.dense().check(alpha)
    elif form.tight_alpha() < alpha:
        raise NotPrivate(f"the matrix is private for alpha = {shown(form.tight_alpha())}, not for {shown(alpha)}")


def canonical(form: Form) -> Form:
    """Return the one form in which this matrix is stored: a closed form where it is one."""
    n = form.n
    if n == 0:
        return Uniform(0)
    alpha = form.tight_alpha()
    if alpha == 1:
        uniform = Uniform(n)
        return uniform if isinstance(form, (Fair, Uniform)) or form.dense() == uniform.dense() else form.dense()
    if not isinstance(form, Dense):
        return Geometric(n, alpha) if n == 1 else form
    if alpha <= 0:
        return form
    candidates: list[Form] = [Geometric(n, alpha), Fair(n, alpha)]
    if n > 1 and n * (1 - alpha) < 2 * alpha:
        candidates.append(WeaklyHonest(n, alpha))
    for candidate in candidates:
        # the corner alone tells most matrices apart, before anything is written out
        if form.entry(0, 0) == candidate.entry(0, 0) and form == candidate.dense():
            return candidate
    return form
