"""Up to which size a histogram is designed jointly, said before anything is built; beyond it, cells
by GM.

The size is that of the folded program, where no answer is told apart: `MOST_ORBITS` entries up to
permutation of the answers, over at most `core.histogram.MOST_POINTS` histograms. So 10 people over
5 answers, 12 over 4 and 21 over 3 are designed jointly.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from discreet.core.forms.orbits import number_of_orbits
from discreet.core.histogram import MOST_POINTS, Histogram
from discreet.core.losses import read_prior
from discreet.designer.orbits.cell_by_cell import Cells, cells_over
from discreet.errors import InvalidInput

if TYPE_CHECKING:
    from discreet.core.losses import Loss, LossLike, Prior, PriorLike
    from discreet.core.properties import ShapeLike
    from discreet.core.rationals import Alpha

MOST_ORBITS = 12_000
"""Beyond this many orbits of entries (those of 10 people over 5 answers are 10,681) no joint
mechanism is designed.
"""


def why_cells(domain: Histogram) -> str:
    """Say why no joint mechanism is designed over a domain, whatever is asked of it; nothing where
    one is.

    >>> from discreet.core.histogram import Histogram
    >>> why_cells(Histogram(10, 5)), why_cells(Histogram(14, 5))
    ('', 'a joint design would have 90,067 entries up to permutation of the answers, more than
    12,000')
    """
    if domain.k == 2:
        return ""
    if domain.size > MOST_POINTS:
        most = f"more than {MOST_POINTS:,}"
        many = (
            f"{domain.size:,} true histograms, {most}"
            if domain.size < 10**9
            else f"{most} true histograms"
        )
        return f"a joint design would have {many}"
    orbits = number_of_orbits(domain, (0,) * domain.k)
    if orbits > MOST_ORBITS:
        return (
            f"a joint design would have {orbits:,} entries up to permutation of the "
            f"answers, more than {MOST_ORBITS:,}"
        )
    return ""


def cells_instead(
    domain: Histogram,
    privacy: Alpha,
    because: str,
    *,
    properties: ShapeLike,
    loss: LossLike | Loss,
    prior: PriorLike | Prior,
    worst_case: bool,
) -> Cells:
    """Return what a design beyond the limit is: the histogram cell by cell, where that can do
    what was asked.
    """
    smaller = "ask for fewer people or answers, which a joint design can take"
    uniform = prior is None or (isinstance(prior, str) and prior.strip().lower() == "uniform")
    if not uniform:
        if domain.size <= MOST_POINTS:
            read_prior(prior, domain.n, domain)  # what cannot be read is said first
        remedy = f"leave it out, or {smaller}"
        raise InvalidInput("prior", f"must be uniform for the {domain}: {because}", remedy=remedy)
    if worst_case:
        remedy = f"leave `worst_case` out, or {smaller}"
        raise InvalidInput(
            "worst_case", f"must be asked of a joint design: {because}", remedy=remedy
        )
    return cells_over(domain, privacy, properties=properties, loss=loss, because=because)
