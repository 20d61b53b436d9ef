"""The named mechanisms, one function per theorem or definition, and the one table of their names
and colours.

Every function returns a verified `Mechanism`. `NAMED` is where the rest of the library looks up
what GM, WM, EM, UM and the others are called, how they are built and in which colour they are
drawn.

Where a weight is irrational (a root of alpha), one rational stand-in at or above the root is chosen
once and the whole matrix built from it: the result is exactly private, and a hair more private than
asked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from discreet.core.forms import Dense, Fair, Form, Geometric, Uniform, WeaklyHonest, dense_from
from discreet.core.mechanism import Mechanism, Origin
from discreet.core.rationals import (
    SLACK,
    Alpha,
    Exact,
    read_alpha,
    read_count,
    read_list,
    simplest_between,
)
from discreet.errors import InvalidInput

MAX_N = 10**9
MAX_BITS = 1 << 32  # of a whole matrix, half a gigabyte


def geometric(*, n: int, alpha: Exact | None = None, epsilon: Exact | None = None) -> Mechanism:
    """GM, the truncated geometric mechanism: the unique L0 optimum for a uniform prior (Theorem 3).

    `n` is the group size, `alpha` or `epsilon` the privacy.

    Pr[i|j] = s_i a^|i-j| with s_0 = s_n = 1/(1+a) and s_i = (1-a)/(1+a) between.

    >>> geometric(n=2, alpha="9/10")[1, 1]
    Fraction(1, 19)
    """
    return _closed(NAMED["GM"].title, Geometric, n, alpha, epsilon)


def fair(*, n: int, alpha: Exact | None = None, epsilon: Exact | None = None) -> Mechanism:
    """EM, the explicit fair mechanism: all seven properties, and the L0 optimum of fairness
    (Theorem 4).

    `n` is the group size, `alpha` or `epsilon` the privacy.

    >>> m = fair(n=2, alpha="1/2")
    >>> m[0, 0], m.satisfies("RM CM F S")
    (Fraction(1, 2), True)
    """
    return _closed(NAMED["EM"].title, Fair, n, alpha, epsilon)


def weakly_honest(*, n: int, alpha: Exact | None = None, epsilon: Exact | None = None) -> Mechanism:
    """WM, the L0 optimum of weak honesty: a mixture of GM and EM, or GM itself where n >= 2a/(1-a).

    `n` is the group size, `alpha` or `epsilon` the privacy.

    >>> weakly_honest(n=4, alpha="9/10")[2, 2]
    Fraction(1, 5)
    """
    a = read_alpha(alpha=alpha, epsilon=epsilon).value
    n = read_count("n", n, most=MAX_N)
    if a == 1:
        return _closed(NAMED["UM"].title, lambda n, a: Uniform(n), n, alpha, epsilon)
    if n <= 1 or n * (1 - a) >= 2 * a:
        return _closed(f"{NAMED['GM'].title} (weakly honest here)", Geometric, n, alpha, epsilon)
    return _closed(NAMED["WM"].title, WeaklyHonest, n, alpha, epsilon)


def uniform(*, n: int) -> Mechanism:
    """UM, blind guessing: every answer with chance 1/(n+1) (Definition 5). It spends nothing:
    epsilon is 0.

    `n` is the group size.

    >>> uniform(n=3)[0, 2], uniform(n=3).score("L0")
    (Fraction(1, 4), Fraction(1, 1))
    """
    return _closed(NAMED["UM"].title, lambda n, a: Uniform(n), n, 1, None)


def randomized_response(
    *, n: int = 1, alpha: Exact | None = None, epsilon: Exact | None = None
) -> Mechanism:
    """Randomized response: the truth with chance p, else one of the n others alike; p = 1/(1 + n
    a).

    `n` is the group size, `alpha` or `epsilon` the privacy.

    For n = 1 this is Warner's coin, and GM and EM are the same mechanism.

    >>> randomized_response(alpha="1/3").column(0), randomized_response(n=2, alpha="1/2")[1, 1]
    ((Fraction(3, 4), Fraction(1, 4)), Fraction(1, 2))
    """
    privacy = read_alpha(alpha=alpha, epsilon=epsilon)
    n = read_count("n", n, most=512)
    a, size = privacy.value, n + 1
    p, q = a.numerator, a.denominator
    rows = tuple(tuple(q if i == j else p for j in range(size)) for i in range(size))
    return _named(NAMED["RR"].full, privacy, Dense(rows, q + n * p))


def exponential(
    *,
    n: int,
    quality: Callable[[int, int], int] | Sequence[Sequence[int]],
    alpha: Exact | None = None,
    epsilon: Exact | None = None,
) -> Mechanism:
    """The exponential mechanism: Pr[i|j] proportional to exp(epsilon Q(j, i) / 2s), for an integer
    quality Q.

    `n` is the group size, `alpha` or `epsilon` the privacy; `quality` is Q as a function of true
    count and answer, or as rows [true count][answer]. s is the most Q(j, i) changes between
    neighbouring j. The weight alpha^(1/2s) is replaced by a rational at or above it. The guarantee
    is loose, as the paper shows: `tight_alpha` is what it really satisfies.

    >>> exponential(n=1, quality=lambda j, i: -abs(i - j), alpha="1/4").tight_alpha
    Fraction(1, 2)
    """
    privacy = read_alpha(alpha=alpha, epsilon=epsilon)
    n = read_count("n", n, most=512)
    table = _read_quality(quality, n)
    steps = [abs(table[j][i] - table[j + 1][i]) for j in range(n) for i in range(n + 1)]
    sensitivity = max(steps, default=0)
    beta = root_above(privacy.value, 2 * sensitivity) if sensitivity else Fraction(1)
    farthest = max(max(row) - min(row) for row in table)
    up, down = ([base**k for k in range(farthest + 1)] for base in beta.as_integer_ratio())
    # whole numbers: beta^(max - q) times the denominator's power that the farthest of a column has
    weights = [[up[max(row) - q] * down[q - min(row)] for q in row] for row in table]
    totals = [sum(row) for row in weights]
    # each column has a denominator of its own, and the matrix the product of all of them
    if (n + 1) ** 2 * sum(total.bit_length() for total in set(totals)) > MAX_BITS:
        remedy = (
            "use a smaller n, an alpha whose root is a short fraction (such as 1/4), or "
            "dc.geometric"
        )
        raise InvalidInput(
            "n", "needs a matrix that fits the memory: the exact one is too large", n, remedy=remedy
        )
    columns = [
        [Fraction(w, total) for w in row] for row, total in zip(weights, totals, strict=True)
    ]
    return _named(
        NAMED["exponential"].full,
        privacy,
        dense_from([list(row) for row in zip(*columns, strict=True)]),
    )


def laplace(*, n: int, alpha: Exact | None = None, epsilon: Exact | None = None) -> Mechanism:
    """Laplace noise of scale 1/epsilon, rounded to the nearest integer and clamped to 0..n.

    `n` is the group size, `alpha` or `epsilon` the privacy.

    With b = sqrt(alpha): Pr = 1 - b at distance 0, (1 - b^2) b^(2d-1) / 2 at d >= 1, tails b^(2d-1)
    / 2.

    >>> laplace(n=2, alpha="1/4").column(1)
    (Fraction(1, 4), Fraction(1, 2), Fraction(1, 4))
    """
    privacy = read_alpha(alpha=alpha, epsilon=epsilon)
    n = read_count("n", n, most=512)
    b = root_above(privacy.value, 2)

    def chance(k: int) -> Fraction:
        return 1 - b if k == 0 else (1 - b * b) * b ** (2 * abs(k) - 1) / 2

    def tail(k: int) -> Fraction:
        """The chance of noise at or beyond k in k's own direction; k = 0 takes in everything on
        one side.
        """
        return 1 - b / 2 if k == 0 else b ** (2 * abs(k) - 1) / 2

    return _named(f"{NAMED['Laplace'].full}, clamped", privacy, _clamped(n, chance, tail))


def staircase(
    *,
    n: int,
    width: int = 2,
    step: int = 1,
    alpha: Exact | None = None,
    epsilon: Exact | None = None,
) -> Mechanism:
    """The discrete staircase mechanism (Geng et al.), clamped to 0..n.

    `n` is the group size, `alpha` or `epsilon` the privacy.

    The noise has chance c a^m at distances d with m = floor((d + width - step) / width): treads of
    width `step` and `width - step` in turn, each a factor of alpha lower. It protects counts that
    differ by up to `width`. Width 1 is GM.

    >>> staircase(n=3, width=1, alpha="1/2") == geometric(n=3, alpha="1/2")
    True
    """
    privacy = read_alpha(alpha=alpha, epsilon=epsilon)
    n = read_count("n", n, most=512)
    width = read_count("width", width, least=1, most=1000)
    step = read_count("step", step, least=1, most=width)
    a = privacy.value
    if a == 1:
        raise InvalidInput(
            "alpha",
            "must be below 1 for a staircase",
            1,
            remedy="the uniform mechanism ignores the input",
        )

    def height(d: int) -> Fraction:
        return a ** ((d + width - step) // width)

    def beyond(d: int) -> Fraction:
        """Heights from d outward: one period from d, then the same again times alpha, for ever."""
        return sum((height(k) for k in range(d, d + width)), Fraction(0)) / (1 - a)

    total = 2 * beyond(0) - height(0)
    form = _clamped(n, lambda k: height(abs(k)) / total, lambda k: beyond(abs(k)) / total)
    return _named(f"{NAMED['staircase'].full} of width {width}, clamped", privacy, form)


def root_above(alpha: Fraction, degree: int) -> Fraction:
    """Return a simple rational b with b^degree >= alpha, above the true root by at most one part in
    10^9.

    >>> root_above(Fraction(1, 4), 2), root_above(Fraction(1, 2), 2) ** 2 >= Fraction(1, 2)
    (Fraction(1, 2), True)
    """
    bits = 64 + alpha.denominator.bit_length()
    low, high = 0, 1 << bits
    target = alpha.numerator << (bits * degree)
    while low < high:
        middle = (low + high) // 2
        if middle**degree * alpha.denominator >= target:
            high = middle
        else:
            low = middle + 1
    root = Fraction(low, 1 << bits)
    # Rounded toward more privacy: a larger root makes neighbouring chances more alike.
    return simplest_between(root, min(Fraction(1), root * (1 + SLACK)))


def _clamped(n: int, chance: Callable[[int], Fraction], tail: Callable[[int], Fraction]) -> Form:
    """Return integer noise of the given law added to the count and clamped to 0..n."""
    if n == 0:
        return Uniform(0)
    # of (n+1)^2 cells only 4n+1 differ, and powers of long fractions are slow
    ends = {k: tail(k) for k in range(-n, n + 1)}
    within = {k: chance(k) for k in range(1 - n, n)}
    return dense_from(
        [
            [ends[i - j] if i in (0, n) else within[i - j] for j in range(n + 1)]
            for i in range(n + 1)
        ]
    )


def _read_quality(quality: Any, n: int) -> list[list[int]]:
    rows = (
        [[quality(j, i) for i in range(n + 1)] for j in range(n + 1)]
        if callable(quality)
        else read_list(quality)
    )
    if rows is None or len(rows) != n + 1 or any(len(row) != n + 1 for row in rows):
        raise InvalidInput(
            "quality",
            f"must be a function of (truth, output) or {n + 1} rows of {n + 1} integers",
            quality,
        )
    return [
        [read_count(f"quality[{j}][{i}]", q, least=-10_000, most=10_000) for i, q in enumerate(row)]
        for j, row in enumerate(rows)
    ]


def _closed(
    name: str,
    form: Callable[[int, Fraction], Form],
    n: int,
    alpha: Exact | None,
    epsilon: Exact | None,
) -> Mechanism:
    privacy = read_alpha(alpha=alpha, epsilon=epsilon)
    n = read_count("n", n, most=MAX_N)
    # nobody has a bit: the only answer is 0, and the formulas start at n = 1
    return _named(name, privacy, form(n, privacy.value) if n else Uniform(0))


def _named(name: str, privacy: Alpha, form: Form) -> Mechanism:
    return Mechanism(privacy=privacy, form=form, origin=Origin(method=f"closed form: {name}"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """A mechanism that goes by a name: what it is called, the function that builds it, and its
    colour in pictures.

    `form` is the closed form by which a matrix is recognised as this mechanism, where there is one.
    `options` are what the function needs besides n and the privacy parameter.
    """

    short: str
    full: str
    function: Callable[..., Mechanism]
    colour: str
    form: type[Form] | None = None
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """Both names: "geometric mechanism, GM"."""
        return f"{self.full}, {self.short}"

    def build(
        self, *, n: int, alpha: Exact | None = None, epsilon: Exact | None = None
    ) -> Mechanism:
        """Build it for a group size and a privacy parameter, which UM does without.

        >>> NAMED["EM"].build(n=2, alpha="1/2") == fair(n=2, alpha="1/2")
        True
        """
        if self.function is uniform:
            return uniform(n=n)
        return self.function(n=n, alpha=alpha, epsilon=epsilon, **self.options)


def _nearness(truth: int, output: int) -> int:
    return -abs(output - truth)


# Colours follow the Okabe-Ito set, which the common kinds of colour blindness tell apart; on dark
# pages too. None is black: that is the truth.
NAMED: Mapping[str, Named] = {
    one.short: one
    for one in (
        Named(
            short="GM",
            full="geometric mechanism",
            function=geometric,
            colour="#0072B2",
            form=Geometric,
        ),
        Named(
            short="WM",
            full="weakly honest mechanism",
            function=weakly_honest,
            colour="#D55E00",
            form=WeaklyHonest,
        ),
        Named(
            short="EM", full="explicit fair mechanism", function=fair, colour="#CC79A7", form=Fair
        ),
        Named(
            short="UM", full="uniform mechanism", function=uniform, colour="#A67C00", form=Uniform
        ),
        Named(
            short="RR", full="randomized response", function=randomized_response, colour="#667C1E"
        ),
        Named(short="Laplace", full="rounded Laplace", function=laplace, colour="#9A35B5"),
        Named(
            short="exponential",
            full="exponential mechanism",
            function=exponential,
            colour="#8F8F8F",
            options={"quality": _nearness},
        ),
        Named(short="staircase", full="staircase", function=staircase, colour="#7A5C4A"),
    )
}
"""Every named mechanism by its short name. The exponential mechanism's quality is -|output -
truth|.
"""

PAPER = tuple(name for name, one in NAMED.items() if one.form)
"""The four mechanisms of the paper that have a closed form: GM, WM, EM and UM."""


def find_named(text: str) -> Named | None:
    """Look up a named mechanism by its short name, in capitals or not.

    >>> find_named("gm").full, find_named("nobody")
    ('geometric mechanism', None)
    """
    wanted = text.strip().lower()
    return next((one for name, one in NAMED.items() if name.lower() == wanted), None)


def recognised(m: Mechanism) -> Named | None:
    """Return the named mechanism whose closed form this matrix is, if any.

    >>> recognised(geometric(n=2, alpha="1/2")).short
    'GM'
    """
    return next((one for one in NAMED.values() if one.form is type(m.form)), None)
