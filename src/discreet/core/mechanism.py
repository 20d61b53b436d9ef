"""A mechanism: an exact column-stochastic matrix that is alpha-private, or it does not exist.

`Pr[i|j]` is the chance of output i on true count j, both in 0..n (Definition 1 of the paper).
Building a `Mechanism` verifies it exactly (Definition 2): there is no way to hold one that is not
private. Everything else in the library reads this value.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from hashlib import sha256
from math import sqrt
from typing import TYPE_CHECKING, Any, final, overload

from discreet.core.domains import Counts
from discreet.core.exchange.matrix_tables import MatrixTables
from discreet.core.forms import Dense, Folded, Form, canonical, check
from discreet.core.histogram import Domain, read_point
from discreet.core.losses import LossLike, PriorLike, read_loss, read_prior
from discreet.core.properties import (
    BY_PROPERTY,
    OUTPUT_DP,
    PROPERTIES,
    Shape,
    Verdict,
    check_dense,
    check_folded,
    names_only,
    read_shape,
)
from discreet.core.rationals import Alpha, Exact, read_count
from discreet.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from os import PathLike

    import numpy as np
    from numpy.typing import NDArray

    from discreet.core.certificate import Certificate, Moments, Problem
    from discreet.core.own_rows import PropertiesLike, Rows
    from discreet.reading.accuracy import Accuracy

_FLOATS = 16_384  # two gigabytes


@dataclass(frozen=True, kw_only=True)
class Origin:
    """How a mechanism was found, what was asked, and the proof that nothing does it better.

    `proof` is a certificate, or, where a theorem answers, the function that writes the theorem's
    multipliers out for the problem: there are thousands of them, read only where the mechanism is
    checked or saved.
    """

    method: str = "given"
    problem: Problem | None = None
    proof: Certificate | Callable[[Problem], Certificate | None] | None = None
    theorem: str = ""

    @cached_property
    def certificate(self) -> Certificate | None:
        """The multipliers that prove it, written out; None where nothing was proven."""
        if not callable(self.proof):
            return self.proof
        return None if self.problem is None else self.proof(self.problem)

    @property
    def optimal(self) -> bool:
        """Whether nothing does better at its problem, by its multipliers or by a theorem."""
        return bool(self.theorem) if self.certificate is None else self.certificate.optimal


@final
@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Mechanism(MatrixTables):
    """An exact, verified, alpha-private mechanism for counts in 0..n, or for histograms of n
    people.

    A histogram is asked for as a tuple of counts or as a mapping of answer to count.

    >>> from discreet.core.exchange.matrices import from_matrix
    >>> m = from_matrix([["2/3", "1/3"], ["1/3", "2/3"]], alpha="1/2")
    >>> m[0, 1], m.score("L0"), m.satisfies("F CM")
    (Fraction(1, 3), Fraction(2, 3), True)
    """

    privacy: Alpha
    form: Form
    origin: Origin = field(default_factory=Origin)

    def __post_init__(self) -> None:
        if type(self.privacy) is not Alpha or type(self.origin) is not Origin:
            remedy = "dc.from_matrix builds one from numbers"
            raise InvalidInput("privacy", "must be an Alpha, and `origin` an Origin", remedy=remedy)
        check(self.form, self.privacy.value)
        object.__setattr__(self, "form", canonical(self.form))

    # --- what it is
    # -----------------------------------------------------------------------------------------

    @property
    def n(self) -> int:
        """The group size: true counts and outputs run over 0..n, histograms have n people."""
        return self.form.n

    @property
    def domain(self) -> Domain:
        """What a group's true answer can be, and what one person can change."""
        if isinstance(self.form, Folded):
            return self.form.domain
        return Counts(self.n, self.form.step if isinstance(self.form, Dense) else 1)

    @property
    def alpha(self) -> Fraction:
        """The privacy it promises: neighbouring inputs differ by at most a factor of alpha."""
        return self.privacy.value

    @property
    def epsilon(self) -> Fraction:
        """What a release is accounted at."""
        return self.privacy.epsilon

    @cached_property
    def tight_alpha(self) -> Fraction:
        """The largest alpha it really satisfies; at least the promised one."""
        return self.form.tight_alpha()

    @cached_property
    def id(self) -> str:
        """A content id, the same on every machine: SHA-256 of n, alpha and the exact matrix."""
        return content_id(self.alpha, self.form)

    def __getitem__(self, cell: tuple[Any, Any]) -> Fraction:
        if not isinstance(cell, tuple) or len(cell) != 2:
            remedy = (
                "m[0, 3] is Pr[0|3], m.column(3) a whole column, m.matrix and m.array all of it"
            )
            raise InvalidInput(
                "m[...]", "must be asked for an output and a true count", cell, remedy=remedy
            )
        return self.form.entry(read_point(self.domain, "output", cell[0]), self._truth(cell[1]))

    def _truth(self, j: Any) -> int:
        """The number of a true count or histogram."""
        return read_point(
            self.domain, "true histogram" if isinstance(self.form, Folded) else "true count", j
        )

    def column(self, j: Any) -> tuple[Fraction, ...]:
        """The distribution of the output for true count `j`; of histograms in the order of
        `m.domain.points`.
        """
        weights, denominator = self.form.column(self._truth(j))
        return tuple(Fraction(w, denominator) for w in weights)

    @property
    def matrix(self) -> tuple[tuple[Fraction, ...], ...]:
        """The exact matrix as rows [output][true count]."""
        dense = self.form.dense()
        return tuple(tuple(Fraction(x, dense.denominator) for x in row) for row in dense.rows)

    @cached_property
    def array(self) -> NDArray[np.float64]:
        """The matrix as a read-only float array [output, true count], for plots and linear
        algebra only.
        """
        if self.n > _FLOATS:
            rule = f"must be at most {_FLOATS:,} for the whole matrix as floats"
            raise InvalidInput("n", rule, self.n, remedy="one entry is `m[i, j]`")
        floats = self.form.floats()
        floats.flags.writeable = False
        return floats

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Mechanism):
            return NotImplemented
        return self.alpha == other.alpha and self.form == other.form

    def __hash__(self) -> int:
        return hash((self.alpha, self.form))

    # --- what shape it has
    # ----------------------------------------------------------------------------------

    def check(self, name: str | Rows) -> Verdict:
        """Check the property `name`, or rows of your own (`dc.rows`), exactly; one that fails names
        its worst cell.

        >>> from discreet.core.named import geometric
        >>> print(geometric(n=2, alpha="9/10").check("CM"))
        CM fails: Pr[1|1] misses by 8/19
        """
        if not names_only(name):
            from discreet.core.own_rows import check_one

            return check_one(self, name)
        shape = read_shape(name)
        if len(list(shape)) != 1:
            remedy = f"one of {', '.join(PROPERTIES)}, ODP:ratio"
            raise InvalidInput("name", "must be one property", name, remedy=remedy)
        label = OUTPUT_DP if shape.output_dp is not None else next(iter(shape.names))
        if self.form.known(label):
            return Verdict(property=str(shape), holds=True)
        ratio = {"alpha": self.alpha, "beta": shape.output_dp}.get(BY_PROPERTY[label].ratio)
        if isinstance(self.form, Folded):
            return check_folded(self.form, label, ratio)
        return check_dense(self.form.dense(), label, ratio)

    def satisfies(self, properties: PropertiesLike) -> bool:
        """Whether it has every one of the `properties`, exactly; rows of your own (`dc.rows`)
        may be among them.
        """
        if not names_only(properties):
            from discreet.core.own_rows import has_all

            return has_all(self, properties)
        return all(self._has(name) for name in read_shape(properties))

    def _has(self, name: str) -> bool:
        known = self.form.known(name.partition(":")[0])
        return self.check(name).holds if known is None else known

    @cached_property
    def shape(self) -> Shape:
        """Every one of the seven properties it has."""
        return Shape(names=frozenset(name for name in PROPERTIES if self._has(name)))

    @cached_property
    def output_dp(self) -> Fraction:
        """The largest ratio for which it has output DP; 0 where an impossible answer neighbours
        a possible one.
        """
        if isinstance(self.form, Folded):
            return self.form.tight_output_dp()
        dense = self.form.dense()
        return Dense(tuple(zip(*dense.rows, strict=True)), dense.denominator).tight_alpha()

    # --- what it costs
    # --------------------------------------------------------------------------------------

    def score(
        self, loss: LossLike = "L0", prior: PriorLike = None, *, worst_case: bool = False
    ) -> Fraction:
        """Return its cost by `loss` under `prior`, exactly: O_{p,sum} (O_{p,max} with `worst_case`)
        of Definition 3.

        "L0" and "L0,d" carry the paper's factor (n+1)/n; a number p means |i-j|^p without it.
        """
        from discreet.core.certificate import score

        read = read_loss(loss, self.n, self.domain), read_prior(prior, self.n, self.domain)
        return score(self.form, *read, worst_case=worst_case)

    def moments(self, j: int) -> Moments:
        """Return bias, variance, mean squared error and chance of truth for true count `j`."""
        from discreet.core.certificate import moments

        self._about_counts("moments")
        return moments(self.form, self._truth(j))

    def bias(self, j: int) -> Fraction:
        """E[output] - j for true count `j`."""
        return self.moments(j).bias

    def variance(self, j: int) -> Fraction:
        """The variance of the output for true count `j`."""
        return self.moments(j).variance

    def rmse(self, j: int) -> float:
        """The root mean squared error for true count `j` (a float: square roots are irrational)."""
        return sqrt(self.moments(j).mean_squared_error)

    def truth(self, j: Any) -> Fraction:
        """Pr[j|j], the chance that the truth `j` is reported."""
        return self[j, j]

    def within(self, j: Any, d: int) -> Fraction:
        """The chance that the output is at most `d` from the true count `j`; of a histogram, `d`
        people misplaced.
        """
        column, place, d = self.column(j), self._truth(j), read_count("d", d)
        return sum(
            (x for i, x in enumerate(column) if self.domain.distance(i, place) <= d), Fraction(0)
        )

    # --- what is done with it: these reach forward, so they import when called
    # --------------------------------

    @overload
    def release(self, x: int) -> int: ...
    @overload
    def release(self, x: Sequence[int]) -> list[int]: ...
    @overload
    def release(self, x: Any) -> Any: ...
    def release(self, x: Any) -> Any:
        """Draw private counts for true counts `x`: an int, a list, a NumPy or Arrow array, same
        shape out.

        A pandas Series comes back with its index and its name.

        True histograms are tuples, or mappings of answer to count: one of them, or a list; or rows
        of an array.

        Each call is a new release, and its privacy cost adds to those before.

        >>> from discreet.core.exchange.matrices import from_matrix
        >>> drawn = from_matrix([["2/3", "1/3"], ["1/3", "2/3"]], alpha="1/2").release([0, 1, 1])
        >>> len(drawn), set(drawn) <= {0, 1}
        (3, True)
        """
        from discreet import sampler

        draw = sampler.release_histograms if isinstance(self.form, Folded) else sampler.release
        return draw(self, x)

    def save(self, path: str | PathLike[str]) -> None:
        """Write a proof file to `path`, that anyone can check with `python -m discreet.proof`."""
        from discreet.proof.files import save

        save(self, path)

    def accuracy(
        self, *, confidence: Exact = "0.95", prior: PriorLike = None, groups: int = 1
    ) -> Accuracy:
        """Return what to expect before anything is spent: bias, spread, and how far off an answer
        may be.

        Margins hold with chance `confidence`, for so many `groups` at once; `prior` is what
        averages are over.

        >>> from discreet.core.named import geometric
        >>> geometric(n=8, alpha="1/2").accuracy(confidence=0.9).margin
        3
        """
        from discreet.reading.accuracy import accuracy

        self._about_counts("accuracy")
        return accuracy(self, confidence=confidence, prior=prior, groups=groups)

    def plot(
        self, kind: str | None = None, path: str | PathLike[str] | None = None, **options: Any
    ) -> Any:
        """Draw it: see `dc.plot`, which takes the same `kind`, `path` and `options`."""
        from discreet.show.charts import plot

        return plot(self, kind, path, **options)

    def _about_counts(self, what: str) -> None:
        """Refuse of a histogram what only a count has."""
        if isinstance(self.form, Folded):
            remedy = "`m.score`, `m.truth`, `m.within` and `m.column` say how a histogram behaves"
            raise InvalidInput(
                what, "must be asked of a mechanism for counts, not for histograms", remedy=remedy
            )

    # --- how it looks
    # ---------------------------------------------------------------------------------------

    def __repr__(self) -> str:
        over = "" if self.domain == Counts(self.n) else f" over {self.domain}"
        return f"<Mechanism n={self.n}{over} {self.privacy} {self.origin.method}; {self.id[:12]}>"

    def __str__(self) -> str:
        from discreet.show.describing import mechanism_text

        return mechanism_text(self)

    def _repr_html_(self) -> str:
        from discreet.show.describing import mechanism_html

        return mechanism_html(self)

    def __reduce__(self) -> tuple[Any, ...]:
        # Rebuilt through the constructor, so that a pickle cannot carry a matrix past verification.
        return _rebuild, (self.privacy, self.form, self.origin)


def content_id(alpha: Fraction, form: Form) -> str:
    """The id of a mechanism by its content."""
    text = f"discreet mechanism 1\n{alpha.numerator:x}/{alpha.denominator:x}\n{form.text()}\n"
    return sha256(text.encode()).hexdigest()


def _rebuild(privacy: Alpha, form: Form, origin: Origin) -> Mechanism:
    return Mechanism(privacy=replace(privacy), form=form, origin=origin)
