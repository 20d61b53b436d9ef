"""Whether a release that was drawn from mechanisms of one's own (`asking.own_mechanisms`) is what its manifest says.

Such mechanisms were not designed for the release, so nothing is said of loss and prior, and they need not all have the
count's alpha: each has that or more, so that its draw costs no more than the count's epsilon.
"""

from __future__ import annotations

from fractions import Fraction

from discreet.core.domains import Counts
from discreet.core.family import Family
from discreet.core.histogram import Domain, Histogram
from discreet.core.mechanism import Mechanism
from discreet.core.properties import read_shape
from discreet.core.rationals import shown
from discreet.tables.published.manifest import GIVEN, CountFacts, Manifest
from discreet.tables.published.manifest_checks import differ

RETROFITTED = (
    "The numbers were released by GM and then changed by a random map of outputs, drawn afresh. By themselves they "
    "have the properties named here. Together with the old numbers they have not, because the old ones are known then. "
    "Old and new are one piece of evidence, not two. Nothing was paid for the map: it looked at released numbers only."
)
"""What a manifest says of numbers that `dc.retrofit` made."""


def check_given(manifest: Manifest, count: CountFacts, entry: Family | Mechanism, where: str) -> None:
    """Check one proof: that it is about what was drawn, that it is paid for, and that it has what was asked."""
    if len(manifest.levels) > 1 or count.cells or isinstance(entry, Family):
        differ("mechanisms_given", "is for one table, whose mechanisms each have a proof", found=True)
    if (manifest.loss, manifest.prior) != (GIVEN, GIVEN):
        differ("loss", "and `prior` must not be named for mechanisms that were given", manifest.loss)
    if manifest.retrofit:
        _check_retrofit(manifest, entry, where)
    if entry.domain != (wanted := _domain(count, entry.n)):
        differ("domain", f"{where} must be that of its mechanism, {entry.domain}", str(wanted))
    if entry.alpha < Fraction(count.alpha):
        differ("alpha", f"{where} must be at most that of its mechanism, {shown(entry.alpha)}", count.alpha)
    if not entry.satisfies(read_shape(manifest.properties)):
        differ("properties", f"do not hold for the mechanism {where}", found=manifest.properties)


def _check_retrofit(manifest: Manifest, entry: Mechanism, where: str) -> None:
    """Check that each mechanism is GM followed by a map, whose proof its file carries, and what is said of that."""
    problem = entry.origin.problem
    if problem is None or not problem.derivable:
        differ("retrofit", f"needs a proof that the mechanism {where} derives from GM")
    if manifest.retrofit["said"] != RETROFITTED or manifest.confidence or manifest.adding_up:
        differ("retrofit", "is not the statement that belongs to it, or stands beside columns that it cannot have")


def _domain(count: CountFacts, n: int) -> Domain:
    """What a group of n people can answer; an empty group has one answer, and two answers are one count."""
    if len(count.answers) > 2 and n:
        return Histogram(n, len(count.answers))
    return Counts(n, max(1, min(count.step, n)))
