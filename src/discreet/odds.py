"""What epsilon means to a reader: how far a release can move what somebody believes of one person.

With alpha = exp(-epsilon), whoever gives an answer of one person's the chance p before the release,
and takes it to say nothing about other people, gives it at most p / (p + (1 - p) alpha) and at
least p alpha / (p alpha + 1 - p) after it: odds change by a factor of at most 1/alpha (Bayes' rule
and the definition of alpha-privacy). The bounds are exact, and as they are printed they still hold:
what is called a most is rounded up, and what is called a least down.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction
from math import ceil, floor

PRIORS = (Fraction(1, 2), Fraction(1, 10), Fraction(1, 100))


@dataclass(frozen=True, slots=True, kw_only=True)
class Belief:
    """A chance before the release, and the least and the most that it can become."""

    before: Fraction
    least: Fraction
    most: Fraction

    @property
    def words(self) -> tuple[str, str, str]:
        """The three as percentages.

        >>> belief(Fraction(1, 10), Fraction(1, 2)).words  # of 5.26% to 18.18%
        ('1 in 10 (10%)', '5.2%', '18.2%')
        """
        before = f"1 in {self.before.denominator} ({limit_in_percent(self.before, up=True)})"
        return before, limit_in_percent(self.least, up=False), limit_in_percent(self.most, up=True)


def belief(before: Fraction, alpha: Fraction) -> Belief:
    """Return what a belief can become.

    >>> belief(Fraction(1, 10), Fraction(1, 2)).most
    Fraction(2, 11)
    """
    least = before * alpha / (before * alpha + 1 - before)
    return Belief(before=before, least=least, most=before / (before + (1 - before) * alpha))


def most_sure(alpha: Fraction) -> str:
    """How sure somebody can become at most who gave an answer 50%, and knows the answers of all
    others.

    >>> most_sure(Fraction(1, 2)), most_sure(Fraction(1, 10**6))
    ('66.7%', '>99.999%')
    """
    return limit_in_percent(belief(Fraction(1, 2), alpha).most, up=True)


def learned(alpha: Fraction) -> str:
    """The same as a sentence, wherever a plan or a warning says what a release gives away.

    >>> learned(Fraction(1, 2))
    "a reader who knows everybody else's answer goes from 50% to at most 66.7% sure of one person's"
    """
    most = most_sure(alpha)
    sure = f"at most {most} sure" if most[0] != ">" else "all but certain"
    return f"a reader who knows everybody else's answer goes from 50% to {sure} of one person's"


NEARLY_SURE = Fraction(95, 100)


def protects_little(alpha: Fraction) -> bool:
    """Whether somebody who gave an answer 50% can become 95% sure of it or more: from epsilon
    log(19), about 2.94, on.

    >>> protects_little(Fraction(1, 18)), protects_little(Fraction(1, 19))
    (False, True)
    """
    return belief(Fraction(1, 2), alpha).most >= NEARLY_SURE


def most_times(alpha: Fraction, digits: int = 4) -> str:
    """By how much one person's answers change the chance of any result at most, 1/alpha, rounded up
    too.

    >>> (
    ...     most_times(Fraction("0.36787944")),
    ...     most_times(Fraction(2, 3)),
    ...     most_times(Fraction(1, 1234567)),
    ... )
    ('2.719', '1.5', '1.235e+06')
    """
    factor = Context(prec=digits, rounding=ROUND_CEILING).divide(
        Decimal(alpha.denominator), Decimal(alpha.numerator)
    )
    return f"{float(factor):,.{digits}g}"


def limit_in_percent(limit: Fraction, *, up: bool, places: int | None = None) -> str:
    """A limit of a chance in percent: a most is rounded up and a least down, so that it holds as it
    is printed.

    It has so many decimals, or one, and three where it is small or near 1.

    >>> (
    ...     limit_in_percent(Fraction("0.731059"), up=True),
    ...     limit_in_percent(Fraction("0.268941"), up=False),
    ... )
    ('73.2%', '26.8%')
    >>> [
    ...     limit_in_percent(Fraction(one), up=True)
    ...     for one in ("1/2", "5/8", "0.9999", "0.99999999", "1")
    ... ]
    ['50%', '62.5%', '99.99%', '>99.999%', '100%']
    >>> [limit_in_percent(Fraction(one), up=False) for one in ("1/300", "0.000000001", "0")]
    ['0.333%', '<0.001%', '0%']
    """
    if places is None:
        places = 1 if Fraction(1, 100) <= limit <= Fraction(99, 100) else 3
    step = Fraction(1, 10 ** (places + 2))
    if 1 - step < limit < 1:  # what is below 1 is never shown as certain
        return f">{100 - 100 * float(step):.{places}f}%"
    if 0 < limit < step:  # nor what is above 0 as impossible
        return f"<{100 * float(step):.{places}f}%"
    shown = (ceil if up else floor)(limit / step) * step
    return f"{float(100 * shown):.{places}f}".rstrip("0").rstrip(".") + "%"
