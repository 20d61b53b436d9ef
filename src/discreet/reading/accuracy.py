"""What to expect of a mechanism before anything is spent: bias, spread, and how far off an answer
may be.

Everything is read off the matrix, nothing is simulated. For a true count j

    bias E[Y] - j,  standard deviation,  RMSE,  truth Pr[Y = j],  within d: Pr[|Y - j| <= d],

and the *margin*, the smallest d with Pr[|Y - j| <= d] >= confidence, decided in integers: exactly
up to n = 128, and beyond with chances rounded down to 192 bits, so that a margin is never too
small. A closed form needs no matrix (`closed_chances`, `expected_errors`), and its group may be of
any size. Over all counts there is the margin that holds whatever the true count is, and the one
that holds on average under a prior. Over G groups at once: draws are independent, so the chance
that all are within d is the product, at least (min_j Pr[within d | j])^G whatever the true counts
are, and exactly (sum_j w_j Pr[within d | j])^G when they are independent draws from the prior w.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING, Any

from discreet.core.losses import PriorLike, read_prior
from discreet.core.rationals import Exact, read_count, read_fraction, shown
from discreet.errors import InvalidInput
from discreet.reading.methods.closed_chances import (
    EXACT_SIZE,
    ClosedChances,
    closed,
    first_reaching,
)
from discreet.reading.methods.matrix_chances import MatrixChances, Weighed

if TYPE_CHECKING:
    from discreet.core.losses import Prior
    from discreet.core.mechanism import Mechanism
    from discreet.reading.methods.closed_chances import Closed
    from discreet.reading.methods.expected_errors import Expected
    from discreet.reading.methods.matrix_chances import Chances

LARGEST_SIZE = 2_000
"""Beyond this n there are rows for some true counts only, and the prior is uniform."""
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
    law: Chances = field(repr=False)
    """The chances themselves, by distance."""

    def within(self, d: int, *, worst_case: bool = False) -> Fraction:
        """Return the chance of being at most d off, on average under the prior or at the worst
        true count.
        """
        distance = min(read_count("d", d), self.n)
        return self.law.worst(distance) if worst_case else self.law.average(distance)

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
            f"    truth reported with chance {self.truth:.4f}, within 1 of it "
            f"{self.within_one:.4f}",
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
        return (
            self.rows if len(self.rows) <= _SHOWN else tuple(self.rows[j] for j in _spread(self.n))
        )

    def _repr_html_(self) -> str:
        from discreet.show import html

        first, *rest = (line.strip() for line in self._summary())
        text = [part for line in rest for part in (line, html.element("br"))]
        return html.together(
            html.title(first),
            html.element("p", *text[:-1]),
            html.table(_NAMES, map(_texts, self._some())),
        )


_NAMES = ("true count", "bias", "std dev", "RMSE", "truth", "within 1", "at most off by")


def _texts(row: Row) -> list[str]:
    decimals = (f"{row.bias:+.3f}", f"{row.deviation:.3f}", f"{row.rmse:.3f}", f"{row.truth:.4f}")
    return [str(row.count), *decimals, f"{row.within_one:.4f}", str(row.margin)]


def accuracy(
    mechanism: Mechanism, *, confidence: Exact = "0.95", prior: PriorLike = None, groups: int = 1
) -> Accuracy:
    """Return what to expect of a mechanism; `groups` asks for a margin that holds for that many
    groups at once.

    >>> from discreet.core.named import geometric
    >>> a = accuracy(geometric(n=8, alpha="1/2"), confidence=0.9, groups=100)
    >>> a.margin, a.simultaneous_margin, a.rows[0].margin
    (3, 8, 2)
    """
    n = mechanism.n
    level = read_fraction("confidence", confidence)
    if not 0 < level < 1:
        raise InvalidInput(
            "confidence", "must be between 0 and 1, both excluded", shown(level), remedy="e.g. 0.95"
        )
    groups = read_count("groups", groups, least=1)
    weights = _prior(prior, n)
    law = _law(mechanism, weights)
    rows, averages = _rows(mechanism, law, weights, level)

    def margin(chance: Callable[[int], Fraction], at_once: int = 1) -> int:
        return first_reaching(chance, n, lambda found: power_reaches(found, at_once, level))

    return Accuracy(
        n=n,
        privacy=str(mechanism.privacy),
        confidence=level,
        prior=f"{'uniform' if weights is None else weights.name} prior",
        groups=groups,
        rows=rows,
        **averages,
        within_one=float(law.average(min(1, n))),
        margin=margin(law.worst),
        average_margin=margin(law.average),
        simultaneous_margin=margin(law.worst, groups),
        average_simultaneous_margin=margin(law.average, groups),
        law=law,
    )


def expected(
    kind: type[Closed], alpha: Exact, sizes: Any, *, confidence: Exact = "0.95"
) -> Expected:
    """Return what to expect of a closed form at one alpha for many group sizes at once, over
    equally likely counts.

    >>> from discreet.core.forms import Fair
    >>> expected(Fair, "1/2", [8, 1000]).margin.tolist()
    [6, 8]
    """
    from discreet.reading.methods.expected_errors import expected_errors

    return expected_errors(
        kind, read_fraction("alpha", alpha), sizes, read_fraction("confidence", confidence)
    )


def _prior(prior: PriorLike, n: int) -> Prior | None:
    """Read a prior; None is a uniform one, which nobody has to write out."""
    if prior is None or (isinstance(prior, str) and prior.strip().lower() == "uniform"):
        return None
    if n > LARGEST_SIZE:
        rule = f"must be uniform for a group of more than {LARGEST_SIZE}"
        raise InvalidInput(
            "prior",
            rule,
            prior,
            remedy="leave it out: averages are over equally likely counts then",
        )
    weights = read_prior(prior, n)
    return None if weights.uniform else weights


def _law(mechanism: Mechanism, prior: Prior | None) -> Chances:
    form = closed(mechanism.form)
    law: Chances = MatrixChances(mechanism.form) if form is None else ClosedChances(form=form)
    return law if prior is None else Weighed(law, prior)


def _rows(
    mechanism: Mechanism, law: Chances, prior: Prior | None, level: Fraction
) -> tuple[tuple[Row, ...], dict[str, float]]:
    """A row for each true count (of a very large group, for some), and bias, RMSE and truth
    under the prior.
    """
    n, form = mechanism.n, closed(mechanism.form)
    counts = range(n + 1) if n <= LARGEST_SIZE else _spread(n)
    if form is None or n <= EXACT_SIZE:
        moments = [mechanism.moments(j) for j in counts]
        rows = tuple(
            _row(law, j, float(m.bias), float(m.mean_squared_error), float(m.variance), level)
            for j, m in zip(counts, moments, strict=True)
        )
        weights = [Fraction(1, n + 1)] * (n + 1) if prior is None else prior.weights
        pairs = list(zip(weights, moments, strict=True))
        bias, truth = (
            float(sum(w * m.bias for w, m in pairs)),
            float(sum(w * m.truth for w, m in pairs)),
        )
        return rows, {
            "bias": bias,
            "rmse": sqrt(sum(w * m.mean_squared_error for w, m in pairs)),
            "truth": truth,
        }
    from discreet.reading.methods.expected_errors import averages_of, moments_at

    squares = []
    found_rows = []
    for j in counts:
        bias, square = moments_at(form, j)
        squares.append(square)
        found_rows.append(_row(law, j, bias, square, square - bias * bias, level))
    if prior is None:
        return tuple(found_rows), averages_of(form)
    weighed = [
        (float(w), row, square)
        for w, row, square in zip(prior.weights, found_rows, squares, strict=True)
    ]
    bias, truth = (
        sum(w * row.bias for w, row, _ in weighed),
        sum(w * row.truth for w, row, _ in weighed),
    )
    return tuple(found_rows), {
        "bias": bias,
        "rmse": sqrt(sum(w * s for w, _, s in weighed)),
        "truth": truth,
    }


def _row(law: Chances, j: int, bias: float, square: float, variance: float, level: Fraction) -> Row:
    return Row(
        count=j,
        bias=bias,
        deviation=sqrt(variance),
        rmse=sqrt(square),
        truth=float(law.at(j, 0)),
        within_one=float(law.at(j, 1)),
        margin=first_reaching(lambda d: law.at(j, d), law.n, lambda found: found >= level),
    )


def _spread(n: int) -> list[int]:
    """Some true counts of a large group, evenly spread, both ends among them."""
    return [round(Fraction(k * n, _SHOWN - 1)) for k in range(_SHOWN)]


def power_reaches(chance: Fraction, groups: int, level: Fraction) -> bool:
    """Whether chance^groups >= level: never a wrong yes; a no may be wrong only within 2^-100 of
    equality.

    >>> (
    ...     power_reaches(Fraction(99, 100), 5, Fraction(95, 100)),
    ...     power_reaches(Fraction(99, 100), 6, Fraction(95, 100)),
    ... )
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
