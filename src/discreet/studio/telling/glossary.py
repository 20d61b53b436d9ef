"""The words of the page that a newcomer does not know, each explained where it stands."""

from __future__ import annotations

from discreet.core.properties import EVERYDAY, PROPERTIES


def quoted(name: str) -> str:
    """Name a property within a sentence.

    >>> quoted("CM")
    '“no farther answer likelier”'
    """
    return f"“{EVERYDAY[name]}”"


GLOSSARY = {
    "epsilon": "The privacy parameter. Whatever one person answers, no published number becomes "
    "more than exp(epsilon) times as likely: at epsilon = 1 that is 2.7 times, at 0.1 it is 1.1 "
    "times. Smaller is more private.",
    "alpha": "The same privacy as a ratio, exp(-epsilon): one person's answer changes the chance "
    "of any published number by a factor between alpha and 1/alpha. 1 is perfect privacy.",
    "property": "Something the mechanism must do besides being private, such as telling the truth "
    "more often than anything else. Each may cost accuracy; the price stands beside it.",
    "L0": "The chance of a wrong answer, scaled so that blind guessing scores 1.",
    "L0,1": "The chance of being off by more than one, on the same scale as L0.",
    "L0,2": "The chance of being off by more than two, on the same scale as L0.",
    "L1": "The distance between answer and truth, on average.",
    "L2": "The squared distance between answer and truth, on average: large errors count most.",
    "prior": "How likely you think each true count is, before any number is seen. Averages are "
    "taken over it; privacy does not depend on it.",
    "worst case": "Judge the design by the true count at which it does worst, instead of by the "
    "average.",
    "chance of the truth": "How often the published number is the true one, on average over the "
    "prior.",
    "usual error": "The root mean squared error (RMSE): how far off a published number typically "
    "is, large errors counting more.",
    "margin": "With 95% confidence a published number is at most this far from the truth, "
    "whatever the truth is. If that is the whole group, one number says nothing about it; totals "
    "of many groups may still be useful.",
    "worst bias": "How far the average published number is from the truth, at the true count "
    "where that is worst.",
    "least truth": "The chance of the truth at the true count where it is smallest.",
    "total": "The total of 100 such groups, estimated without bias from their answers, is within "
    "this of the truth with 95% confidence. Anything: such an interval would hold every total "
    "there can be. Unknowable: the answers tell too little of some true counts for an estimate "
    "without bias.",
    "estimate": "A published number is never below 0 or above the group, which pulls it to the "
    "middle. An estimate takes that pull out, so that sums come right; a single estimate is "
    "spread wider than the number it is made of.",
    "output DP": "Neighbouring answers may differ in chance by at most this ratio; 1 makes all "
    "answers equally likely.",
    "Laplace": "Laplace noise added to the count, rounded and cut to 0..n, as many tools do: "
    "nearly the same as the usual noise.",
    "GM": "GM, the geometric mechanism, the usual noise: adds two-sided geometric noise and cuts "
    "it to 0..n. What is cut off piles up on 0 and n. If every count is equally likely, no "
    "mechanism as private is right more often.",
    "WM": "WM, the weakly honest mechanism: every true count is published at least as often as by "
    "a blind guess. If every count is equally likely, no such mechanism as private is right more "
    "often.",
    "EM": "EM, the explicit fair mechanism: every true count has the same chance of being "
    "published, a chance as large as it can be.",
    "UM": "UM, the uniform mechanism: ignores the truth and guesses. Perfectly private, and "
    "useless.",
    **{
        name: f"{one.meaning[:1].upper()}{one.meaning[1:]}. The paper calls it "
        f"{one.full_name}, {name}."
        for name, one in PROPERTIES.items()
    },
}
"""Every word by the name it is asked for."""
