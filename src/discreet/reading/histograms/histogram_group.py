"""What one group's released histogram says about its true one: likelihood, posterior, and intervals
of each answer.

Everything is a function of the outputs, n and the mechanism alone. Drawn together, the likelihood
of a true histogram t is Pr[o | t]; cell by cell it is the product of Pr[o_c | t_c], over histograms
that add up to n. With a prior the posterior follows, exactly. A group with more histograms than can
be listed is read under the uniform prior only, by convolution: the weight of t_c is that of the
answer times that of all others having the rest of the people.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm, prod
from typing import TYPE_CHECKING

from discreet.core.forms import Folded
from discreet.core.histogram import MOST_POINTS, Histogram
from discreet.core.losses import read_prior
from discreet.core.rationals import in_percent
from discreet.errors import InvalidInput
from discreet.reading.histograms.answer_intervals import answer_interval
from discreet.reading.methods.intervals import shortest_run

if TYPE_CHECKING:
    from discreet.core.histogram import Point
    from discreet.core.losses import PriorLike
    from discreet.core.mechanism import Mechanism

LARGEST_GROUP = 200
"""People in a group whose posterior is worked out: exact powers of alpha become long, and it
takes a second there.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class HistogramGroup:
    """What the released histogram of one group says about its true one; everything by answer."""

    n: int
    released: Mapping[str, int]
    confidence: Fraction
    prior: str
    posterior: Mapping[Point, Fraction] | None
    """Of every true histogram that is possible; None where they are too many to list."""
    likeliest: tuple[Point, ...]
    """The true histograms of maximum likelihood."""
    answers: Mapping[str, tuple[Fraction, ...]]
    """The posterior of each answer's true count, by count."""
    interval: Mapping[str, tuple[int, int]]
    """The confidence interval of each answer's true count, whatever the true histogram."""
    credible: Mapping[str, tuple[int, int]]

    @property
    def mean(self) -> dict[str, Fraction]:
        """The posterior mean of each answer's true count; they add up to n."""
        return {
            name: sum((j * p for j, p in enumerate(chances)), Fraction(0))
            for name, chances in self.answers.items()
        }

    def __str__(self) -> str:
        from discreet.show.text import table

        level = in_percent(self.confidence)
        head = ("", "released", f"{level} conf.", f"{level} cred.", "mean")
        lines = table([head, *self._lines()], "<0 >8 >10 >10 >8")
        foot = (
            f"  confidence: whatever the true histogram; credible and mean: prior {self.prior}",
            f"  likeliest: {_few(self.likeliest)}" if self.likeliest else "",
        )
        return "\n".join((f"Released for a group of {self.n}", *lines, *filter(None, foot)))

    __repr__ = __str__

    def _lines(self) -> list[tuple[str, ...]]:
        mean = self.mean
        return [
            (
                name,
                str(y),
                _span(self.interval[name]),
                _span(self.credible[name]),
                f"{float(mean[name]):.3f}",
            )
            for name, y in self.released.items()
        ]

    def _repr_html_(self) -> str:
        from discreet.show.html import preformatted

        return preformatted(str(self))


def _span(ends: tuple[int, int]) -> str:
    return f"{ends[0]} to {ends[1]}"


def _few(points: Sequence[Point]) -> str:
    shown = ", ".join(f"({','.join(map(str, point))})" for point in points[:4])
    return shown + (f", ... ({len(points)} alike)" if len(points) > 4 else "")


def read_group(
    mechanism: Mechanism,
    outputs: Sequence[int],
    answers: Sequence[str],
    *,
    prior: PriorLike = None,
    confidence: Fraction = Fraction(19, 20),
) -> HistogramGroup:
    """Read one group's released histogram.

    >>> from discreet.designer.single import design
    >>> m = design(n=3, categories=3, epsilon=2, cache=False)
    >>> g = read_group(m, (2, 1, 0), ["a", "b", "c"], confidence=Fraction(9, 10))
    >>> g.likeliest, g.interval["a"], sum(g.mean.values())
    (((2, 1, 0),), (1, 3), Fraction(3, 1))
    """
    n, k = mechanism.n, len(answers)
    domain = Histogram(n, k, tuple(answers))
    posterior: dict[Point, Fraction] | None = None
    likeliest: tuple[Point, ...] = ()
    if domain.size <= MOST_POINTS:
        weights, name, likeliest = _weights(mechanism, outputs, domain, prior)
        total = sum(weights)
        posterior = {
            point: Fraction(w, total) for point, w in zip(domain.points, weights, strict=True)
        }
        whole = [[0] * (n + 1) for _ in range(k)]
        for point, w in zip(domain.points, weights, strict=True):
            for sums, t in zip(whole, point, strict=True):
                sums[t] += w
    else:
        whole, name = _convolved(mechanism, outputs, prior), "uniform"
    marginals = [
        tuple(Fraction(w, total) for w in sums)
        for sums, total in zip(whole, map(sum, whole), strict=True)
    ]
    return HistogramGroup(
        n=n,
        released=dict(zip(answers, (int(y) for y in outputs), strict=True)),
        confidence=confidence,
        prior=name,
        posterior=posterior,
        likeliest=likeliest,
        answers=dict(zip(answers, marginals, strict=True)),
        interval={
            a: answer_interval(mechanism, outputs, c, confidence) for c, a in enumerate(answers)
        },
        credible={
            a: shortest_run(chances, confidence)
            for a, chances in zip(answers, marginals, strict=True)
        },
    )


def _weights(
    mechanism: Mechanism, outputs: Sequence[int], domain: Histogram, prior: PriorLike
) -> tuple[list[int], str, tuple[Point, ...]]:
    """Prior times likelihood of every histogram, in common units; the prior's name; the
    likeliest histograms.
    """
    read = read_prior(prior, domain.n, domain)
    form = mechanism.form
    if isinstance(form, Folded):
        likelihood = [form.values[form.orbits.of(tuple(outputs), point)] for point in domain.points]
    else:
        cells = _cells(mechanism, outputs)
        likelihood = [
            prod(row[t] for row, t in zip(cells, point, strict=False)) for point in domain.points
        ]
    if read.uniform:
        weights = likelihood
    else:
        scale = lcm(*(w.denominator for w in read.weights))
        weights = [
            int(w * scale) * chance for w, chance in zip(read.weights, likelihood, strict=True)
        ]
    if not any(weights):
        rule = "rules out every true histogram that could have released this output"
        raise InvalidInput("prior", rule, found=read.name)
    top = max(likelihood)
    return (
        weights,
        read.name,
        tuple(point for point, x in zip(domain.points, likelihood, strict=True) if x == top),
    )


def _cells(mechanism: Mechanism, outputs: Sequence[int]) -> list[list[int]]:
    """Pr[o_c | .] of each count that was drawn, in common units: of every cell, or of the first
    of two answers.
    """
    drawn = outputs[:1] if len(outputs) == 2 else outputs
    rows = [[mechanism.form.entry(int(y), j) for j in range(mechanism.n + 1)] for y in drawn]
    return [[int(x * lcm(*(p.denominator for p in row))) for x in row] for row in rows]


def _convolved(mechanism: Mechanism, outputs: Sequence[int], prior: PriorLike) -> list[list[int]]:
    """The posterior of each answer's count under the uniform prior over histograms, in units of
    its own.
    """
    from flint import fmpz_poly

    n = mechanism.n
    if prior is not None and not (isinstance(prior, str) and prior.strip().lower() == "uniform"):
        rule = f"must be uniform where a group has more than {MOST_POINTS:,} histograms"
        raise InvalidInput(
            "prior",
            rule,
            str(prior)[:80],
            remedy="leave it out for histograms to be equally likely",
        )
    if n > LARGEST_GROUP:
        remedy = "totals, shares and `table()` read larger groups"
        raise InvalidInput(
            "n",
            f"must be at most {LARGEST_GROUP} for the posterior of a histogram",
            n,
            remedy=remedy,
        )
    rows = _cells(mechanism, outputs)
    found = []
    for c, row in enumerate(rows):
        others = prod(
            (fmpz_poly(other) for b, other in enumerate(rows) if b != c), start=fmpz_poly([1])
        )
        found.append([x * int(others[n - t]) for t, x in enumerate(row)])
    return found
