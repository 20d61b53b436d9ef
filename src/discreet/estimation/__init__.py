"""Reading released numbers: from the outputs, their sizes and their mechanisms alone, never from the raw data.

The modules, from one number to many:

    intervals      one output -> exact confidence interval, by test inversion
    group          one group: likelihood, posterior, MLE, intervals; several releases of it
    debiasing      a score per output whose expectation is the target; refused when hopeless (geometric: GM's)
    sums           honest intervals for sums of independent noises, few groups and many
    totals         total, rate, mean            distribution   of true counts over groups of one size
    empirical      a prior from all groups      grouptable     every group by itself
    samples        released groups in memory, checked against their manifest
    estimates      `dc.estimate`                comparison, combining   two strata; several releases
"""

from discreet.estimation.combining import Combined, combine
from discreet.estimation.debiasing import NotEstimable, Score
from discreet.estimation.distribution import Distribution
from discreet.estimation.estimates import Estimate, estimate
from discreet.estimation.group import Group, one_group
from discreet.estimation.intervals import Intervals
from discreet.estimation.totals import Quantity

__all__ = [
    "Combined",
    "Distribution",
    "Estimate",
    "Group",
    "Intervals",
    "NotEstimable",
    "Quantity",
    "Score",
    "combine",
    "estimate",
    "one_group",
]
