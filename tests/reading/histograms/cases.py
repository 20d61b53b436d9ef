"""Mechanisms over histograms small enough to check by writing everything out, in fractions."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from discreet.core.forms import Folded
from discreet.core.forms.orbits import orbits_of
from discreet.core.histogram import Histogram
from discreet.core.mechanism import Mechanism
from discreet.core.rationals import read_alpha
from discreet.designer.single import design


@cache
def designed(n, k, epsilon=1, loss="L0", prior=None):
    return design(n=n, categories=k, epsilon=epsilon, loss=loss, prior=prior, cache=False)


@cache
def one_asked(n=2, k=3):
    """One person, drawn at random, answers by randomised response, and all are said to have that answer.

    Of six histograms three are never given, but the expectation is linear in the true one: estimates exist.
    """
    domain = Histogram(n, k)
    orbits = orbits_of(domain, (0,) * k)
    values = []
    for u in range(len(orbits.codes)):
        output, truth = orbits.cell(u)
        share = Fraction(max(zip(output, truth, strict=True))[1], n)
        values.append((Fraction(1, 2 * k) + share / 2) if max(output) == n else Fraction(0))
    scale = 4 * n * k
    form = Folded(domain, (0,) * k, tuple(int(v * scale) for v in values), scale)
    return Mechanism(privacy=read_alpha(alpha="1/10"), form=form)


SMALL = {
    "2 people, L0": (2, 3),
    "3 people, L0": (3, 3),
    "4 people, L0": (4, 3),
    "L1, epsilon 2": (3, 3, 2, "L1"),
    "L1, epsilon 1": (4, 3, 1, "L1"),
    "two answers": (4, 2),
    "four answers": (2, 4),
    "one answer apart": (3, 3, 1, "L0", "Multinomial(1/2, 1/4, 1/4)"),
    "all answers apart": (2, 3, 1, "L0", "Multinomial(1/2, 1/3, 1/6)"),
    "one asked": (),
}


def small(name):
    """One of the small mechanisms, made when it is first asked for."""
    return designed(*SMALL[name]) if SMALL[name] else one_asked()
