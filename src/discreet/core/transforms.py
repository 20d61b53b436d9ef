"""Making mechanisms from mechanisms: mixing, symmetrising, post-processing, and tracing one back
to GM.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from discreet.core.domains import Counts
from discreet.core.forms import Dense, dense_from, mixed, reduced
from discreet.core.mechanism import Mechanism, Origin
from discreet.core.rationals import Exact, read_fraction, shown
from discreet.errors import InvalidInput, NotPrivate


def mix(first: Mechanism, second: Mechanism, *, weight: Exact) -> Mechanism:
    """Return weight * first + (1 - weight) * second: a coin decides which mechanism answers.

    `first` and `second` are for the same n; `weight` is the chance of the first, in [0, 1].
    It is as private as the weaker of the two, and keeps every property that both have.

    >>> from discreet.core.named import geometric, uniform
    >>> mix(geometric(n=2, alpha="1/2"), uniform(n=2), weight="1/2")[1, 1]
    Fraction(1, 3)
    """
    share = read_fraction("weight", weight)
    if not 0 <= share <= 1:
        raise InvalidInput("weight", "must be in [0, 1]", weight)
    _plain(first)
    _plain(second)
    if first.n != second.n:
        raise InvalidInput("second", f"must be for the same n = {first.n}", second.n)
    privacy = min(first.privacy, second.privacy, key=lambda p: p.value)
    origin = Origin(method=f"mixture, {shown(share)} of the first")
    return Mechanism(
        privacy=privacy, form=mixed(share, first.form.dense(), second.form.dense()), origin=origin
    )


def symmetrise(m: Mechanism) -> Mechanism:
    """Return (M + M reversed)/2 (Theorem 1) of a mechanism `m`: symmetric, with all its properties,
    at its L0 cost.

    The cost of another loss or prior is kept when both are symmetric.

    >>> from discreet.core.exchange.matrices import from_matrix
    >>> symmetrise(from_matrix([["1/2", "1/3"], ["1/2", "2/3"]], alpha="1/2")).column(0)
    (Fraction(7, 12), Fraction(5, 12))
    """
    _plain(m)
    dense = m.form.dense()
    mirrored = Dense(tuple(tuple(reversed(row)) for row in reversed(dense.rows)), dense.denominator)
    origin = Origin(method="symmetrised (Theorem 1)")
    return Mechanism(privacy=m.privacy, form=mixed(Fraction(1, 2), dense, mirrored), origin=origin)


def postprocess(m: Mechanism, by: Any) -> Mechanism:
    """Return the mechanism whose output is passed through a column-stochastic map: by[new][old] is
    a chance.

    `m` is the mechanism, `by` the map, as rows of exact numbers.
    Whatever is done to an output without looking at the data keeps it alpha-private.

    >>> from discreet.core.named import geometric
    >>> postprocess(geometric(n=2, alpha="1/2"), [[1, 1, 0], [0, 0, 0], [0, 0, 1]]).column(0)
    (Fraction(5, 6), Fraction(0, 1), Fraction(1, 6))
    """
    _plain(m)
    old = m.form.dense()
    rule = dense_from(by, "by")
    if rule.n != m.n:
        raise InvalidInput("by", f"must be a map on 0..{m.n}", rule.n)
    try:
        # alpha = 0 asks nothing of the ratios: any distribution per column will do
        rule.check(Fraction(0))
    except NotPrivate as error:
        raise InvalidInput("by", f"must be column-stochastic: {error}") from None
    columns = list(zip(*old.rows, strict=True))
    # a map is mostly zeros: most outputs go to one place
    kept = [[(k, t) for k, t in enumerate(row) if t] for row in rule.rows]
    rows = [[sum(t * column[k] for k, t in row) for column in columns] for row in kept]
    form = reduced(rows, rule.denominator * old.denominator)
    return Mechanism(privacy=m.privacy, form=form, origin=Origin(method="post-processed"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Derivation:
    """Whether a mechanism is GM followed by a map, with the map; or the three entries that forbid
    it.

    `witness` is (i, j): the test fails at Pr[i|j-1], Pr[i|j], Pr[i|j+1].
    """

    holds: bool
    map: tuple[tuple[Fraction, ...], ...] | None = None
    witness: tuple[int, int] | None = None

    def __bool__(self) -> bool:
        return self.holds


def derives_from_geometric(m: Mechanism) -> Derivation:
    """Gupte and Sundararajan's test: M = T GM for a stochastic T iff, for every three adjacent
    entries of a row,

    Pr[i|j] - a Pr[i|j-1] >= a (Pr[i|j+1] - a Pr[i|j]).

    `m` is M. T = M GM^-1, and GM is a scaled a^|k-j| whose inverse has three diagonals: column k of
    T is exactly the difference of the two sides above over GM's scale, so the test reads off the
    signs of T.

    >>> from discreet.core.named import fair
    >>> derives_from_geometric(fair(n=4, alpha="9/10")).witness
    (0, 2)
    """
    _plain(m)
    n, a = m.n, m.alpha
    if n == 0:
        return Derivation(holds=True, map=((Fraction(1),),))
    if a == 1:
        return _from_coin(m)
    rows: list[tuple[Fraction, ...]] = []
    for i in range(n + 1):
        x = [m.form.entry(i, j) for j in range(n + 1)]
        inner = [(1 + a * a) * x[k] - a * (x[k - 1] + x[k + 1]) for k in range(1, n)]
        row = [x[0] - a * x[1], *inner, x[n] - a * x[n - 1]]
        for k, value in enumerate(row):
            if value < 0:
                return Derivation(holds=False, witness=(i, k))
        ends, inside = 1 / (1 - a), 1 / (1 - a) ** 2
        rows.append(tuple(v * (ends if k in (0, n) else inside) for k, v in enumerate(row)))
    return Derivation(holds=True, map=tuple(rows))


def _from_coin(m: Mechanism) -> Derivation:
    """At alpha = 1 GM answers 0 or n by a coin, so only mechanisms that ignore their input
    derive from it.
    """
    column = m.column(0)
    return Derivation(holds=True, map=tuple((chance,) * (m.n + 1) for chance in column))


def _plain(m: Mechanism) -> None:
    """Refuse mechanisms over other domains: what is said here is about counts that one person
    moves by one.
    """
    if m.domain != Counts(m.n):
        raise InvalidInput(
            "m", "must be a mechanism for counts that one person moves by one", str(m.domain)
        )
