"""What else a histogram can be released by: each person's randomised response, and blind guessing.

k-ary randomised response of each person: everybody reports the true answer with chance 1/(1 + (k-1)
a), each other answer with a times that, and the group's histogram is that of the reports. It is
alpha-private, with a = alpha, and needs nobody to be trusted with the answers. Both are mechanisms
over histograms that treat all answers alike, so each entry is written once, by its orbit.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from discreet.core.forms import Folded
from discreet.core.forms.orbits import orbits_of
from discreet.core.mechanism import Mechanism, Origin
from discreet.core.rationals import Alpha, read_alpha

if TYPE_CHECKING:
    from discreet.core.histogram import Histogram, Point

RIVALS = ("cells", "RR", "UM")
"""What a joint design is compared with: cells by GM, each person's randomised response, the
uniform mechanism.
"""


def each_person(domain: Histogram, privacy: Alpha) -> Mechanism:
    """Return k-ary randomised response of each person, as a mechanism over histograms.

    >>> from discreet.core.histogram import Histogram
    >>> m = each_person(Histogram(1, 3), read_alpha(alpha="1/2"))
    >>> m[(1, 0, 0), (1, 0, 0)], m[(0, 1, 0), (1, 0, 0)]
    (Fraction(1, 2), Fraction(1, 4))
    """
    p, q = privacy.value.as_integer_ratio()
    orbits = orbits_of(domain, (0,) * domain.k)
    values = [0] * len(orbits.codes)
    for truth in orbits.truths:
        for output, ways in _reports(truth, p, q).items():
            values[orbits.of(output, truth)] = ways
    whole = (q + (domain.k - 1) * p) ** domain.n
    form = Folded(domain, orbits.classes, tuple(values), whole)
    method = "closed form: k-ary randomised response of each person"
    return Mechanism(privacy=privacy, form=form, origin=Origin(method=method))


def _reports(truth: Point, p: int, q: int) -> dict[Point, int]:
    """How the reports of all people may be counted: each adds one to the true answer (q ways) or
    another (p ways).
    """
    found: dict[Point, int] = {(0,) * len(truth): 1}
    for answer, people in enumerate(truth):
        for _ in range(people):
            more: dict[Point, int] = {}
            for point, ways in found.items():
                for told in range(len(truth)):
                    moved = (*point[:told], point[told] + 1, *point[told + 1 :])
                    more[moved] = more.get(moved, 0) + ways * (q if told == answer else p)
            found = more
    return found


def blind(domain: Histogram) -> Mechanism:
    """Return blind guessing: every histogram alike, whatever the truth; it spends nothing.

    >>> from discreet.core.histogram import Histogram
    >>> blind(Histogram(2, 3)).score("L0")
    Fraction(5, 6)
    """
    entries = len(orbits_of(domain, (0,) * domain.k).codes)
    form = Folded(domain, (0,) * domain.k, (1,) * entries, domain.size)
    return Mechanism(
        privacy=read_alpha(alpha=1),
        form=form,
        origin=Origin(method="closed form: uniform mechanism, UM"),
    )


def worst_bias(form: Folded) -> Fraction:
    """The largest |E[count] - true count| of any answer, over all true histograms."""
    orbits, base = form.orbits, form.domain.n + 1
    mean: dict[tuple[int, int, int], int] = {}
    people: dict[tuple[int, int, int], int] = {}
    for s, entries, codes, value in zip(
        orbits.truth_of, orbits.entries, orbits.codes, form.values, strict=True
    ):
        for kind, code in zip(form.classes, codes, strict=True):
            drawn, true = divmod(code, base)
            # answers of one class with one true count are alike: all of them together, per answer
            where = (s, kind, true)
            mean[where] = mean.get(where, 0) + entries * value * drawn
            people[where] = people.get(where, 0) + entries * value
    return max(abs(Fraction(mean[where], people[where]) - where[2]) for where in mean)
