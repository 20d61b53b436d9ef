"""What one released number says about one group: likelihood, posterior, intervals.

Everything here is a function of the output, n and the mechanism alone. The likelihood of a true
count j is Pr[output | j], read off the matrix; several independent releases of the same group
multiply. With a prior w the posterior is w_j Pr[output | j] / sum; the credible interval is the
shortest run of counts that holds the asked-for part of it. The confidence interval (see
`intervals`) needs no prior and covers every true count at least as often as it says.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from discreet.core.forms import DENSE_LIMIT, ColumnHonest, Fair, Geometric
from discreet.core.losses import Prior, PriorLike, read_prior
from discreet.core.rationals import Exact, read_count, read_fraction, read_list, shown
from discreet.errors import InvalidInput
from discreet.reading.methods.intervals import Intervals, invert, mirrored, shortest_run
from discreet.reading.methods.stretched import mirrored_intervals

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism
    from discreet.reading.methods.debiasing import Integers

_MOST_JOINT = (
    20_000  # joint outputs of several releases times counts, before test inversion gets slow
)
# columns of a large closed form are read to this many bits, rounded down: coverage can only grow
_BITS = 192


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """What the released number (or numbers) of one group say about its true count."""

    n: int
    outputs: tuple[int, ...]
    confidence: Fraction
    prior: str
    likelihood: tuple[Fraction, ...]
    posterior: tuple[Fraction, ...]
    interval: tuple[int, int]
    credible: tuple[int, int]

    @property
    def likeliest(self) -> tuple[int, ...]:
        """The true counts of maximum likelihood (the MLE; several when they tie)."""
        top = max(self.likelihood)
        return tuple(j for j, value in enumerate(self.likelihood) if value == top)

    @property
    def mean(self) -> Fraction:
        """The posterior mean."""
        return sum((j * p for j, p in enumerate(self.posterior)), Fraction(0))

    def __str__(self) -> str:
        level = str(float(self.confidence))
        released = " and ".join(str(y) for y in self.outputs)
        return "\n".join(
            (
                f"Released {released} for a group of {self.n}",
                f"  likeliest   {_few(self.likeliest)}",
                f"  confidence  {self.interval[0]} to {self.interval[1]} ({level}, whatever the "
                "true count)",
                f"  credible    {self.credible[0]} to {self.credible[1]} ({level}, prior "
                f"{self.prior})",
                f"  mean        {float(self.mean):.3f} (posterior)",
            )
        )

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from discreet.show.html import preformatted

        return preformatted(str(self))


def _few(counts: tuple[int, ...]) -> str:
    """Name some counts; where very many tie, only the first and the last."""
    if len(counts) <= 10:
        return ", ".join(str(j) for j in counts)
    return f"{counts[0]}, {counts[1]}, ..., {counts[-1]} ({len(counts)} alike)"


def one_group(
    mechanism: Mechanism | Sequence[Mechanism],
    output: int | Sequence[int],
    *,
    prior: PriorLike | Prior = None,
    confidence: Exact = "0.95",
) -> Group:
    """Read one group's released number; give lists of mechanisms and outputs for several releases
    of the same people.

    `mechanism` drew the `output`; `prior` is what was known before (None: uniform), as for
    `dc.design`, and `confidence` that of the intervals.

    >>> from discreet.core.named import geometric
    >>> g = one_group(geometric(n=4, alpha="1/2"), 1, confidence=0.9)
    >>> g.likeliest, g.interval, g.credible
    ((1,), (0, 3), (0, 3))
    """
    mechanisms: list[Mechanism] = (
        list(mechanism) if isinstance(mechanism, Sequence) else [mechanism]
    )
    several = read_list(output)
    released: list[Any] = [output] if several is None else several
    level = read_confidence(confidence)
    if not mechanisms or len(mechanisms) != len(released):
        raise InvalidInput(
            "output",
            f"must hold one number for each of {len(mechanisms)} mechanisms",
            len(released),
        )
    n = mechanisms[0].n
    if any(m.n != n for m in mechanisms):
        raise InvalidInput(
            "mechanism",
            "must be of one size for releases of the same group",
            sorted({m.n for m in mechanisms}),
        )
    if n > DENSE_LIMIT:
        remedy = "dc.estimate(...).table() reads larger groups"
        raise InvalidInput(
            "n", f"must be at most {DENSE_LIMIT} for an exact posterior", n, remedy=remedy
        )
    outputs = tuple(read_count("output", y, most=n) for y in released)
    weights = read_prior(prior, n)
    likelihood = tuple(
        prod(
            (m.form.entry(y, j) for m, y in zip(mechanisms, outputs, strict=True)),
            start=Fraction(1),
        )
        for j in range(n + 1)
    )
    joint = [w * p for w, p in zip(weights.weights, likelihood, strict=True)]
    total = sum(joint, Fraction(0))
    if not any(likelihood):
        raise InvalidInput("output", "must be one that the mechanism can give", outputs[0])
    if not total:
        raise InvalidInput(
            "prior",
            "rules out every true count that could have released this output",
            found=weights.name,
        )
    posterior = tuple(p / total for p in joint)
    return Group(
        n=n,
        outputs=outputs,
        confidence=level,
        prior=weights.name,
        likelihood=likelihood,
        posterior=posterior,
        interval=_interval(tuple(mechanisms), outputs, level),
        credible=shortest_run(posterior, level),
    )


@lru_cache(maxsize=256)
def intervals(mechanism: Mechanism, confidence: Fraction) -> Intervals:
    """Return the exact confidence interval of every output of a mechanism."""
    columns = _columns(mechanism)
    return mirrored(invert(columns, confidence), columns)


def _columns(mechanism: Mechanism) -> list[tuple[Sequence[int], int]]:
    form = mechanism.form
    if form.n > DENSE_LIMIT:
        raise InvalidInput(
            "n", f"must be at most {DENSE_LIMIT} for the intervals of all outputs", form.n
        )
    return [form.column(j) for j in range(form.n + 1)]


def interval(mechanism: Mechanism, output: int, confidence: Fraction) -> tuple[int, int]:
    """Return the confidence interval of one output, for groups of any size."""
    low, high = output_intervals(mechanism, np.array([output]), confidence)
    return int(low[0]), int(high[0])


def output_intervals(
    mechanism: Mechanism, outputs: Integers, confidence: Fraction
) -> tuple[Integers, Integers]:
    """Return the ends of the confidence intervals of some outputs of one mechanism, for groups of
    any size.
    """
    form = mechanism.form
    if isinstance(form, (Geometric, Fair, ColumnHonest)) and form.n and form.alpha < 1:
        sizes = np.full(len(outputs), form.n)
        return mirrored_intervals(type(form), form.alpha, sizes, outputs, confidence)
    if form.n > DENSE_LIMIT:
        ends = [_tail_interval(mechanism, int(output), confidence) for output in outputs]
        return np.array([low for low, _ in ends]), np.array([high for _, high in ends])
    table = intervals(mechanism, confidence)
    return np.array(table.low)[outputs], np.array(table.high)[outputs]


@lru_cache(maxsize=4096)
def _tail_interval(mechanism: Mechanism, output: int, confidence: Fraction) -> tuple[int, int]:
    """Return the interval of one output of a very large group: counts for which neither tail at it
    is too rare.

    {j : Pr[Y >= y | j] > d/2 and Pr[Y <= y | j] > d/2} misses a true count with chance at most d.
    In a row-monotone mechanism (all closed forms of this size are) the chance of an output at or
    below y falls as j grows, since going from j to j+1 lowers the rows up to j and raises the
    others: both ends are found by bisection.
    """
    form, n = mechanism.form, mechanism.n
    half = (1 - confidence) / 2

    def below(j: int) -> bool:
        """Whether Pr[Y <= y | j] may exceed half."""
        lower, slack = form.cumulative_bounds(j, _BITS)
        return Fraction(lower[output] + slack, 1 << _BITS) > half

    def above(j: int) -> bool:
        """Whether Pr[Y >= y | j] may exceed half."""
        if output == 0:
            return True
        lower, _ = form.cumulative_bounds(j, _BITS)
        return 1 - Fraction(lower[output - 1], 1 << _BITS) > half

    low, high = output, output
    first, last = (
        0,
        output,
    )  # `above` grows with j and holds at `output` unless the output is very rare there
    while first < last:
        middle = (first + last) // 2
        first, last = (first, middle) if above(middle) else (middle + 1, last)
    low = first
    first, last = output, n
    while first < last:
        middle = (first + last + 1) // 2
        first, last = (middle, last) if below(middle) else (first, middle - 1)
    high = first
    return low, high


def read_confidence(confidence: Exact) -> Fraction:
    """Read a confidence strictly between 0 and 1, exactly."""
    level = read_fraction("confidence", confidence)
    if not 0 < level < 1:
        raise InvalidInput(
            "confidence", "must be between 0 and 1, both excluded", shown(level), remedy="e.g. 0.95"
        )
    return level


@lru_cache(maxsize=64)
def _joint_intervals(
    mechanisms: tuple[Mechanism, ...], confidence: Fraction
) -> dict[tuple[int, ...], tuple[int, int]]:
    """Test inversion over the joint outputs of several releases."""
    n = mechanisms[0].n
    cells = list(product(range(n + 1), repeat=len(mechanisms)))
    columns = []
    for j in range(n + 1):
        parts = [m.form.column(j) for m in mechanisms]
        numerators = [
            prod(part[0][y] for part, y in zip(parts, cell, strict=True)) for cell in cells
        ]
        columns.append((numerators, prod(part[1] for part in parts)))
    middle = [abs(2 * sum(cell) - n * len(mechanisms)) for cell in cells]
    table = mirrored(invert(columns, confidence, middle), columns)
    return {cell: table[k] for k, cell in enumerate(cells)}


def _interval(
    mechanisms: tuple[Mechanism, ...], outputs: tuple[int, ...], confidence: Fraction
) -> tuple[int, int]:
    if len(mechanisms) == 1:
        return interval(mechanisms[0], outputs[0], confidence)
    n = mechanisms[0].n
    if (n + 1) ** (len(mechanisms) + 1) <= _MOST_JOINT:
        return _joint_intervals(mechanisms, confidence)[outputs]
    # Too many joint outputs: each release alone at a higher confidence (union bound), and what they
    # have in common.
    level = 1 - (1 - confidence) / len(mechanisms)
    parts = [interval(m, y, level) for m, y in zip(mechanisms, outputs, strict=True)]
    low, high = max(p[0] for p in parts), min(p[1] for p in parts)
    # Releases that contradict each other leave nothing; the span between them is the honest answer.
    return (low, high) if low <= high else (high, low)
