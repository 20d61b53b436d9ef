"""What to expect of a mechanism before anything is spent: bias, spread, and how far off an answer may be.

Everything is read off the matrix, nothing is simulated. For a true count j

    bias E[Y] - j,  standard deviation,  RMSE,  truth Pr[Y = j],  within d: Pr[|Y - j| <= d],

and the *margin*, the smallest d with Pr[|Y - j| <= d] >= confidence, decided in integers: exactly up to n = 128, and
beyond with chances rounded down to 192 bits, so that a margin is never too small. Over all counts
there is the margin that holds whatever the true count is, and the one that holds on average under a prior. Over
G groups at once: draws are independent, so the chance that all are within d is the product, at least (min_j
Pr[within d | j])^G whatever the true counts are, and exactly (sum_j w_j Pr[within d | j])^G when they are
independent draws from the prior w.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import sqrt
from typing import TYPE_CHECKING

from discreet.core.losses import PriorLike, read_prior
from discreet.core.rationals import Exact, read_count, read_fraction, shown
from discreet.errors import InvalidInput

if TYPE_CHECKING:
    from discreet.core.losses import Prior
    from discreet.core.mechanism import Mechanism

LARGEST_SIZE = 2_000
EXACT_SIZE = 128
_BITS = 192
_SHOWN = 14


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """How the output behaves for one true count."""

    count: int
    bias: float
    deviation: float
    rmse: float
    truth: float
    within_one: float
    margin: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Accuracy:
    """What to expect: per true count, on average under a prior, and over several groups at once."""

    n: int
    privacy: str
    confidence: Fraction
    prior: str
    groups: int
    rows: tuple[Row, ...]
    bias: float
    rmse: float
    truth: float
    within_one: float
    margin: int
    average_margin: int
    simultaneous_margin: int
    average_simultaneous_margin: int
    chances: tuple[Fraction, ...]
    average_chances: tuple[Fraction, ...]

    def within(self, d: int, *, worst_case: bool = False) -> Fraction:
        """Return the chance of being at most d off, on average under the prior or at the worst true count."""
        chances = self.chances if worst_case else self.average_chances
        return chances[min(read_count("d", d), self.n)]

    def __str__(self) -> str:
        from discreet.show.text import table

        rows = [_NAMES, *map(_texts, self._some())]
        return "\n".join((*self._summary(), "", *table(rows, ">10 >8 >8 >8 >8 >9 >15")))

    __repr__ = __str__

    def _summary(self) -> list[str]:
        level = str(float(self.confidence))
        lines = [
            f"Accuracy for a group of n = {self.n}, {self.privacy}",
            f"  averages over a {self.prior}: bias {self.bias:+.3f}, RMSE {self.rmse:.3f},",
            f"    truth reported with chance {self.truth:.4f}, within 1 of it {self.within_one:.4f}",
            f"  with confidence {level}: off by at most {self.margin} for any true count, "
            f"{self.average_margin} on average",
        ]
        if self.groups > 1:
            lines.append(
                f"  all of {self.groups:,} groups at once: at most {self.simultaneous_margin} "
                f"for any counts, {self.average_simultaneous_margin} on average"
            )
        return lines

    def _some(self) -> tuple[Row, ...]:
        """All rows of a small group; of a large one, evenly spread ones."""
        if len(self.rows) <= _SHOWN:
            return self.rows
        return tuple(self.rows[round(k * self.n / (_SHOWN - 1))] for k in range(_SHOWN))

    def _repr_html_(self) -> str:
        from discreet.show import html

        first, *rest = (line.strip() for line in self._summary())
        text = [part for line in rest for part in (line, html.element("br"))]
        return html.together(
            html.title(first), html.element("p", *text[:-1]), html.table(_NAMES, map(_texts, self._some()))
        )


_NAMES = ("true count", "bias", "std dev", "RMSE", "truth", "within 1", "at most off by")


def _texts(row: Row) -> list[str]:
    decimals = (f"{row.bias:+.3f}", f"{row.deviation:.3f}", f"{row.rmse:.3f}", f"{row.truth:.4f}")
    return [str(row.count), *decimals, f"{row.within_one:.4f}", str(row.margin)]


def accuracy(mechanism: Mechanism, *, confidence: Exact = "0.95", prior: PriorLike = None, groups: int = 1) -> Accuracy:
    """Return what to expect of a mechanism; `groups` asks for a margin that holds for that many groups at once.

    >>> from discreet.core.named import geometric
    >>> a = accuracy(geometric(n=8, alpha="1/2"), confidence=0.9, groups=100)
    >>> a.margin, a.simultaneous_margin, a.rows[0].margin
    (3, 8, 2)
    """
    n = mechanism.n
    if n > LARGEST_SIZE:
        raise InvalidInput("n", f"must be at most {LARGEST_SIZE} for accuracy by true count", n)
    level = read_fraction("confidence", confidence)
    if not 0 < level < 1:
        raise InvalidInput("confidence", "must be between 0 and 1, both excluded", shown(level), remedy="e.g. 0.95")
    groups = read_count("groups", groups, least=1)
    weights = read_prior(prior, n)
    within = [_within(mechanism, j) for j in range(n + 1)]
    worst = tuple(min(chances[d] for chances in within) for d in range(n + 1))
    average = _averages(within, weights)
    moments = [mechanism.moments(j) for j in range(n + 1)]
    rows = tuple(
        Row(
            count=j,
            bias=float(m.bias),
            deviation=sqrt(m.variance),
            rmse=sqrt(m.mean_squared_error),
            truth=float(m.truth),
            within_one=float(within[j][min(1, n)]),
            margin=_first(within[j], level),
        )
        for j, m in enumerate(moments)
    )
    pairs = list(zip(weights.weights, moments, strict=True))
    return Accuracy(
        n=n,
        privacy=str(mechanism.privacy),
        confidence=level,
        prior=f"{weights.name} prior",
        groups=groups,
        rows=rows,
        bias=float(sum(w * m.bias for w, m in pairs)),
        rmse=sqrt(sum(w * m.mean_squared_error for w, m in pairs)),
        truth=float(sum(w * m.truth for w, m in pairs)),
        within_one=float(average[min(1, n)]),
        margin=_first(worst, level),
        average_margin=_first(average, level),
        simultaneous_margin=_first(worst, level, groups),
        average_simultaneous_margin=_first(average, level, groups),
        chances=worst,
        average_chances=average,
    )


def _within(mechanism: Mechanism, j: int) -> list[Fraction]:
    """Pr[|Y - j| <= d] for d = 0..n, exactly; of a large group a lower bound over 2^192, tight to 2^-150."""
    n, form = mechanism.n, mechanism.form
    if n <= EXACT_SIZE:
        numerators, denominator = form.column(j)
        below, slack = [0, *accumulate(numerators)], 0
    else:
        lower, slack = form.cumulative_bounds(j, _BITS)
        below, denominator = [0, *lower], 1 << _BITS
    chances = [
        Fraction(max(below[min(n, j + d) + 1] - below[max(0, j - d)] - (slack if j > d else 0), 0), denominator)
        for d in range(n)
    ]
    return [*chances, Fraction(1)]


def _averages(within: list[list[Fraction]], prior: Prior) -> tuple[Fraction, ...]:
    """sum_j w_j Pr[within d | j] for every d; of a large group in integers over 2^192, rounded down."""
    sizes = range(len(within))
    if len(within) <= EXACT_SIZE + 1:
        pairs = [(w, chances) for w, chances in zip(prior.weights, within, strict=True) if w]
        return tuple(sum((w * chances[d] for w, chances in pairs), Fraction(0)) for d in sizes)
    weights = [_floor(w) for w in prior.weights]
    totals = (sum(w * _floor(chances[d]) for w, chances in zip(weights, within, strict=True)) for d in sizes[:-1])
    return (*(Fraction(total >> _BITS, 1 << _BITS) for total in totals), Fraction(1))


def _floor(value: Fraction) -> int:
    return (value.numerator << _BITS) // value.denominator


def _first(chances: tuple[Fraction, ...] | list[Fraction], level: Fraction, groups: int = 1) -> int:
    """The smallest d with chances[d]^groups >= level; at the last, d = n, the chance is 1."""
    low, high = 0, len(chances) - 1
    while low < high:
        middle = (low + high) // 2
        if power_reaches(chances[middle], groups, level):
            high = middle
        else:
            low = middle + 1
    return low


def power_reaches(chance: Fraction, groups: int, level: Fraction) -> bool:
    """Whether chance^groups >= level: never a wrong yes; a no may be wrong only within 2^-100 of equality.

    >>> power_reaches(Fraction(99, 100), 5, Fraction(95, 100)), power_reaches(Fraction(99, 100), 6, Fraction(95, 100))
    (True, False)
    """
    if groups == 1:
        return chance >= level
    bits = 160 + 2 * groups.bit_length()
    base, power, left = (chance.numerator << bits) // chance.denominator, 1 << bits, groups
    while left:
        if left & 1:
            power = power * base >> bits
        base = base * base >> bits
        left >>= 1
    return Fraction(power, 1 << bits) >= level
