"""What epsilon means to a reader: how far a release can move what somebody believes of one person.

With alpha = exp(-epsilon), whoever gives an answer of one person's the chance p before the release, and takes it to say
nothing about other people, gives it at most p / (p + (1 - p) alpha) and at least p alpha / (p alpha + 1 - p) after it:
odds change by a factor of at most 1/alpha (Bayes' rule and the definition of alpha-privacy). The bounds are exact.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

PRIORS = (Fraction(1, 2), Fraction(1, 10), Fraction(1, 100))


@dataclass(frozen=True, slots=True, kw_only=True)
class Belief:
    """A chance before the release, and the least and the most that it can become."""

    before: Fraction
    least: Fraction
    most: Fraction

    @property
    def words(self) -> tuple[str, str, str]:
        """The three as percentages, rounded as everywhere else that a reader meets them.

        >>> belief(Fraction(1, 2), Fraction(10, 11)).words
        ('1 in 2 (50%)', '47.6%', '52.4%')
        """
        one_in = f"1 in {self.before.denominator} ({_percent(self.before)})"
        return one_in, _percent(self.least), _percent(self.most)


def belief(before: Fraction, alpha: Fraction) -> Belief:
    """Return what a belief can become.

    >>> belief(Fraction(1, 10), Fraction(1, 2)).most
    Fraction(2, 11)
    """
    least = before * alpha / (before * alpha + 1 - before)
    return Belief(before=before, least=least, most=before / (before + (1 - before) * alpha))


def most_sure(alpha: Fraction) -> str:
    """How sure somebody can become at most who gave an answer 50%, and knows the answers of all others.

    >>> most_sure(Fraction(1, 2)), most_sure(Fraction(1, 10**6))
    ('66.7%', '>99.999%')
    """
    return _percent(belief(Fraction(1, 2), alpha).most)


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
    """Whether somebody who gave an answer 50% can become 95% sure of it or more: from epsilon log(19), about 2.94, on.

    >>> protects_little(Fraction(1, 18)), protects_little(Fraction(1, 19))
    (False, True)
    """
    return belief(Fraction(1, 2), alpha).most >= NEARLY_SURE


def _percent(chance: Fraction) -> str:
    """A chance in percent, with more digits where it is small or near 1.

    >>> _percent(Fraction(1, 10**9)), _percent(Fraction(1, 300)), _percent(Fraction(1, 3)), _percent(Fraction(1))
    ('<0.001%', '0.333%', '33.3%', '100%')
    """
    places = 1 if Fraction(1, 100) <= chance <= Fraction(99, 100) else 3
    if 0 < 1 - chance < Fraction(1, 10**5):  # what is below 1 is never shown as certain
        return ">99.999%"
    if 0 < chance < Fraction(1, 10**5):  # nor what is above 0 as impossible
        return "<0.001%"
    return f"{float(100 * chance):.{places}f}".rstrip("0").rstrip(".") + "%"
