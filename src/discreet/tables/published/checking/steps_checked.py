"""Whether a count that one person moves by up to m (`asking.together`), and a release that protects group sizes
(`asking.capping`), were drawn and paid for as the manifest says."""

from __future__ import annotations

from fractions import Fraction

from discreet.core.domains import Counts
from discreet.core.family import Family
from discreet.core.mechanism import Mechanism
from discreet.core.rationals import product_below, shown
from discreet.errors import Contradiction
from discreet.tables.published.manifest import CountFacts, Manifest

_EDITED = "it was edited"


def check_steps(manifest: Manifest) -> None:
    """Every count has the step that `contributions` says, and that each person's rows are in one group was checked."""
    for count in manifest.counts:
        if count.step != manifest.contributions:
            rule = f"of {count.name} must be `contributions`, {manifest.contributions}"
            raise Contradiction("step", rule, count.step, remedy=_EDITED)
    if not manifest.contributions_checked:
        raise Contradiction("step", "needs a column that tells people apart, `unit`", remedy=_EDITED)


def check_cap(manifest: Manifest) -> None:
    """Every question counts at most as many people of each group, and nothing in the manifest shows how many there are.

    Of the sizes only the cap stands in it, as that of every group.
    """
    from discreet.tables.asking.capping import ABSENT

    cap, excess = manifest.cap, manifest.excess
    if len(manifest.levels) > 1:
        raise Contradiction("levels", "must be one with a cap", len(manifest.levels), remedy=_EDITED)
    for count in manifest.counts:
        if not cap or count.cap != cap:
            raise Contradiction(
                "cap", f"of {count.name} must be that of all questions, {cap}", count.cap, remedy=_EDITED
            )
        if count.answers[-1] != ABSENT:
            raise Contradiction("domain", f"of {count.name} must end with the answer {ABSENT}", remedy=_EDITED)
    if set(manifest.groups_by_size) != {str(cap)}:
        raise Contradiction("groups_by_size", f"must have the cap, {cap}, as the size of every group", remedy=_EDITED)
    if not manifest.contributions_checked or manifest.contributions != 1:
        raise Contradiction("cap", "needs a column that tells people apart, and one row of each", remedy=_EDITED)
    if (excess.rows, excess.keys) != ("drop", "drop"):
        raise Contradiction("excess", "must be dropped with a cap", f"{excess.rows}, {excess.keys}", remedy=_EDITED)


def check_step(count: CountFacts, entry: Family | Mechanism, largest: int, where: str) -> Fraction:
    """Check that a draw protects all rows of a person at the count's alpha; return the epsilon its proof must name.

    Either its mechanism was designed for that step (in a group of n rows one person moves at most n), or it is that of
    a plain count whose alpha, once for each row, comes to no less.
    """
    epsilon, alpha, own = Fraction(count.epsilon), Fraction(count.alpha), entry.privacy.value
    far = entry.domain if isinstance(entry, Mechanism) else Counts(largest)
    if far == Counts(largest, max(1, min(count.step, largest))):
        if own != alpha:
            raise Contradiction("alpha", f"{where} must be that of its mechanism, {shown(own)}", count.alpha)
        return epsilon
    if far != Counts(largest) or product_below((own,), count.step) < alpha:
        rule = f"{where} must protect {count.step} rows of one person at once, and its mechanism does not"
        raise Contradiction("step", rule, remedy=_EDITED)
    if entry.privacy.epsilon != epsilon / count.step:
        rule = f"{where} must be what one of a person's rows pays, {shown(epsilon / count.step)}"
        raise Contradiction("epsilon", rule, shown(entry.privacy.epsilon), remedy=_EDITED)
    return epsilon / count.step
