"""Histograms cell by cell: what is left where a joint design is too large, with its exact error and
a bound.

Each of the k >= 3 counts is drawn by GM at epsilon/2, because one person's change touches two of
them. The counts are read as they are drawn: they need not add up to n, and the number of people
misplaced is half the sum of their errors. `cell_errors` has what that costs, exactly, and what no
joint mechanism can undercut.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING, Any

from discreet.core.forms import DENSE_LIMIT
from discreet.core.histogram import Histogram, read_counts, read_histogram
from discreet.core.losses import Loss, LossLike, read_loss
from discreet.core.properties import Shape, ShapeLike, read_shape
from discreet.core.rationals import Alpha, Exact, epsilon_below, read_alpha
from discreet.designer.orbits.cell_errors import LOSSES, cell_cost, joint_bound, least_truth
from discreet.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike

    from discreet.core.mechanism import Mechanism


@dataclass(frozen=True, slots=True, kw_only=True)
class Cells:
    """A histogram released cell by cell: `mechanism`, a GM at epsilon/2, draws each count by
    itself.

    `cost` is the exact mean of `loss` over all histograms alike, and `misplaced` that of the number
    of people misplaced; no joint mechanism at the same epsilon has less than `bound` and
    `least_misplaced`. `shape` are the properties it has, as chances of those outputs that are
    histograms. `because` says why it is not a joint design.

    >>> found = cells(n=30, categories=4, epsilon=1)
    >>> found.cell_epsilon, found[(10, 10, 5, 5), (10, 10, 5, 5)] == found.mechanism[10, 10] ** 4
    (Fraction(1, 2), True)
    """

    domain: Histogram
    privacy: Alpha
    mechanism: Mechanism
    loss: str
    cost: Fraction
    bound: Fraction
    misplaced: Fraction
    least_misplaced: Fraction
    shape: Shape
    because: str = ""

    @property
    def n(self) -> int:
        """The group size."""
        return self.domain.n

    @property
    def epsilon(self) -> Fraction:
        """What a release of the whole histogram is accounted at."""
        return self.privacy.epsilon

    @property
    def alpha(self) -> Fraction:
        """The privacy of the whole histogram."""
        return self.privacy.value

    @property
    def cell_epsilon(self) -> Fraction:
        """The epsilon of each count: half of the whole, because a change touches two of them."""
        return self.mechanism.epsilon

    @property
    def cell_alpha(self) -> Fraction:
        """The alpha of each count; its square is at least that of the whole."""
        return self.mechanism.alpha

    def __getitem__(self, cell: tuple[Any, Any]) -> Fraction:
        if not isinstance(cell, tuple) or len(cell) != 2:
            remedy = "its counts as a tuple or by answer, each in 0..n"
            raise InvalidInput(
                "cells[...]",
                "must be asked for an output and a true histogram",
                cell,
                remedy=remedy,
            )
        drawn = read_counts(self.domain, "output", cell[0])
        truth = read_counts(self.domain, "true histogram", cell[1], whole=True)
        return prod(
            (self.mechanism[i, j] for i, j in zip(drawn, truth, strict=True)), start=Fraction(1)
        )

    def score(self, loss: LossLike = "L0") -> Fraction:
        """Return the exact mean of a loss over all histograms alike: L0, L1 (people misplaced) or
        L2.

        >>> cells(n=30, categories=4, epsilon=1).score("L1") == cells(
        ...     n=30, categories=4, epsilon=1
        ... ).misplaced
        True
        """
        return cell_cost(self.domain, self.cell_alpha, _read_loss(loss, self.domain))

    def satisfies(self, properties: ShapeLike) -> bool:
        """Whether it has every property asked for."""
        return read_shape(properties) <= self.shape

    def release(self, x: Any) -> Any:
        """Draw the counts of a true histogram (a tuple, or a mapping of answer to count), or of a
        list of them.

        They come back in the same form; each lies in 0..n, and they need not add up to n.
        """
        from discreet.sampler.points import release_cells

        return release_cells(self.mechanism, self.domain, x)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the proof file of the mechanism that draws each count."""
        self.mechanism.save(path)

    def plot(
        self, kind: str | None = None, path: str | PathLike[str] | None = None, **options: Any
    ) -> Any:
        """Draw what is released for one true histogram, as "answers", and write it to `path`."""
        from discreet.show.charts import plot

        return plot(self, kind, path, **options)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {
            "n": self.n,
            "answers": list(self.domain.names),
            "drawn": "cell by cell, by GM",
            "alpha": self.alpha,
            "epsilon": self.epsilon,
            "cell_alpha": self.cell_alpha,
            "cell_epsilon": self.cell_epsilon,
            "properties": list(self.shape),
            "loss": self.loss,
            "cost": self.cost,
            "bound": self.bound,
            "misplaced": self.misplaced,
            "least_misplaced": self.least_misplaced,
            "because": self.because,
            "cell": self.mechanism.id,
        }

    def __str__(self) -> str:
        from discreet.show.histogram_choices import cells_text

        return cells_text(self)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from discreet.show.histogram_choices import cells_html

        return cells_html(self)


def cells(
    *,
    n: int,
    categories: int | Sequence[str],
    epsilon: Exact | None = None,
    alpha: Exact | None = None,
    properties: ShapeLike = None,
    loss: LossLike = "L1",
) -> Cells:
    """Return a histogram's release cell by cell, with its exact error and a bound of every joint
    mechanism's.

    `n` is the group size, `categories` the number of answers or their names, `epsilon` or `alpha`
    the privacy of the whole histogram. `properties` are refused unless cells by GM have them;
    `loss` (L0, L1 or L2) is what `cost` and `bound` are of.

    >>> print(cells(n=30, categories=4, epsilon=1))
    Histograms of 30 people over 4 answers, cell by cell
      privacy    alpha = 0.367879 (epsilon = 1)
      answers    1, 2, 3, 4
      each count geometric mechanism, GM, at epsilon/2 = 1/2, alpha = 0.606531,
                 because one person's change touches two of the counts
      reading    as drawn: counts need not add up to 30; misplaced is half of the
                 sum of their errors
      has        RH RM WH S (not CH CM F)
      misplaced  3.4295 people on average; no joint mechanism has fewer than 1.5823
    """
    privacy = read_alpha(alpha=alpha, epsilon=epsilon)
    return cells_over(read_histogram(n, categories), privacy, properties=properties, loss=loss)


def cells_over(
    domain: Histogram,
    privacy: Alpha,
    *,
    properties: ShapeLike = None,
    loss: LossLike | Loss = "L1",
    because: str = "",
) -> Cells:
    """The same over a domain that is read already."""
    if domain.k == 2:
        raise InvalidInput(
            "categories", "must have at least 3 answers", 2, remedy="two are one count at epsilon"
        )
    if domain.n > DENSE_LIMIT:
        remedy = f"`dc.geometric(n={domain.n}, epsilon=...)` at half of epsilon draws each count"
        raise InvalidInput(
            "n", f"must be at most {DENSE_LIMIT} for a histogram", domain.n, remedy=remedy
        )
    charged = _read_loss(loss, domain)
    if privacy.value == 1:
        remedy = "nothing can be learned at epsilon 0"
        raise InvalidInput("alpha", "must be below 1 for cells", 1, remedy=remedy)
    mechanism = _count(domain.n, cell_privacy(privacy))
    shape = _shape(domain, mechanism)
    asked = read_shape(properties)
    if not asked <= shape:
        missing = Shape(names=asked.names - shape.names, output_dp=asked.output_dp)
        raise InvalidInput(
            "properties",
            f"must be among those of cells by GM ({shape}): no joint mechanism is designed for "
            f"{domain}",
            str(missing),
            remedy="leave the others out, or ask for fewer people or answers, which a joint "
            "design can take",
        )
    a, b = privacy.value, mechanism.alpha
    return Cells(
        domain=domain,
        privacy=privacy,
        mechanism=mechanism,
        loss=charged,
        cost=cell_cost(domain, b, charged),
        bound=joint_bound(domain, a, charged),
        misplaced=cell_cost(domain, b, "L1"),
        least_misplaced=joint_bound(domain, a, "L1"),
        shape=shape,
        because=because,
    )


def _count(n: int, privacy: Alpha) -> Mechanism:
    """GM for one count."""
    from discreet.designer.single import design

    return design(n=n, alpha=privacy, cache=False)


def cell_privacy(joint: Alpha) -> Alpha:
    """Half of a histogram's epsilon, for a count that is drawn by itself.

    The square of its alpha is at least the histogram's: exp(-epsilon/2) is irrational, and is
    rounded toward 1.
    """
    drawn = read_alpha(epsilon=epsilon_below(joint.value) / 2).value
    return Alpha(value=drawn, epsilon=joint.epsilon / 2)


def _read_loss(loss: Any, domain: Histogram) -> str:
    name = read_loss(loss, domain.n, domain).name if isinstance(loss, str | int | Loss) else ""
    if name not in LOSSES:
        remedy = "the exact error of the cells is worked out for these"
        raise InvalidInput("loss", "must be L0, L1 or L2 for cells", name or loss, remedy=remedy)
    return name


def _shape(domain: Histogram, mechanism: Mechanism) -> Shape:
    """The properties of the product of GMs, among outputs that are histograms.

    A move away from a histogram moves two counts away from it, so RM and RH, CM and CH are those of
    GM. All answers are alike (S), their truths are not (F), and WH compares the least of them with
    one over the number of histograms.
    """
    names = {"S", "RH", "RM"} | {name for name in ("CH", "CM") if mechanism.satisfies(name)}
    if least_truth(domain, mechanism.alpha) * domain.size >= 1:
        names.add("WH")
    return Shape(names=frozenset(names))
