"""A mechanism of discreet as a measurement of OpenDP, for a count at the end of a chain of
transformations.

    pip install . opendp      (in the folder of discreet)
    python examples/opendp_measurement.py

OpenDP keeps the account of the chain: how far one person moves what each step hands on. The last
step is ours: one that moves the count by d costs d times the mechanism's epsilon. OpenDP counts in
floats, so what it is told is rounded up.
"""

from __future__ import annotations

import math
from fractions import Fraction

import opendp.prelude as dp

import discreet as dc

# A measurement of one's own is one that OpenDP has not proven
# ("honest-but-curious"): its proof is `m.save(...)`.
dp.enable_features("contrib", "honest-but-curious")


def as_measurement(m: dc.Mechanism) -> dp.Measurement:
    """The mechanism as a measurement: whole number in, private count out."""

    def private(count: int) -> int:
        # cut to 0..n: that moves two counts no further apart
        return m.release(min(max(count, 0), m.n))

    def price(distance: int) -> float:
        return float_above(distance * m.epsilon)

    counts = dp.atom_domain(T="i32"), dp.absolute_distance(T="i32")
    paid = dp.max_divergence()
    return dp.m.make_user_measurement(*counts, paid, private, price, TO="i32")


def float_above(value: Fraction) -> float:
    """The least float that is not below a fraction."""
    near = float(value)
    return near if Fraction(near) >= value else math.nextafter(near, math.inf)


def smokers_of_a_clinic(people: int, epsilon: str) -> dp.Measurement:
    """The chain: the answers of a clinic to a private number of smokers."""
    m = dc.design(n=people, epsilon=epsilon, properties="WH CM")
    texts = dp.vector_domain(dp.atom_domain(T=str), size=people)
    answers = texts, dp.symmetric_distance()
    return (
        answers
        >> dp.t.then_is_equal("yes")
        >> dp.t.then_cast_default(TOA="i32")
        >> dp.t.then_clamp((0, 1))
        >> dp.t.then_sum()
        >> as_measurement(m)
    )


if __name__ == "__main__":
    chain = smokers_of_a_clinic(8, "1/2")
    # One person who answers otherwise is one row taken out and one put in: a symmetric distance of
    # 2.
    print("epsilon of one person's answer:", chain.map(2))
    print("private number of smokers:", chain(["yes", "no", "no", "yes", "no", "no", "no", "yes"]))
