"""What each figure of the paper says, and what we find, in a sentence each: for who reads no
further.

What they say holds for the full run; `tests/paper/test_panels.py` checks what is behind them.
"""

from __future__ import annotations

FINDINGS = {
    "anomalies": (
        "A design asked for nothing leaves gaps and has spikes; with all seven properties it has "
        "neither.",
        "True. The chances in the text belong to larger alphas than the 0.62 of the caption.",
    ),
    "structure": (
        "The formulas of the usual and the fair noise.",
        "Every entry is right. That WM never derives from GM is not: mostly some optimum does.",
    ),
    "flowchart": (
        "128 sets of properties lead to at most four behaviours.",
        "Each answer of the flowchart has the least cost, exactly, at 768 of 768 requests.",
    ),
    "properties-table": (
        "Which mechanism has which property, and at what cost.",
        "19 or 20 of the 20 entries are right, by which WM is meant. In small groups EM costs "
        "less than printed.",
    ),
    "heatmaps": (
        "GM concentrates on 0 and n; EM keeps to the diagonal.",
        "True. The two chances in the text belong to alpha 10/11, not to 0.9.",
    ),
    "combinations": (
        "Beside weak honesty, row properties cost one number and column properties another.",
        "True, but for groups of 2. At large alphas the costs come close; they are never equal.",
    ),
    "scores": (
        "GM is right most often, then WM, then EM, then a guess; WM becomes GM as groups grow.",
        "True of weak honesty alone. With column properties WM stays apart.",
    ),
    "adult": (
        "On the Adult data EM is right most often, and GM does worse than a guess.",
        "EM beats GM in every group size. GM is worse than a guess in 28 of 39 cases, not in "
        "groups of 18 and more.",
    ),
    "binomial": (
        "GM does well where nearly all answer alike, the others where answers are mixed.",
        "True. Several sentences on WM rest on which of its two mechanisms is meant.",
    ),
    "histograms": (
        "EM has the thinner tail on even data, GM on skewed data.",
        "Mostly true. On skewed data EM is much worse than GM, which the paper denies.",
    ),
    "rmse": (
        "At alpha 0.91 GM often errs more than a guess, and EM errs least.",
        "True of GM. Whether EM beats WM rests on which optimum is meant.",
    ),
}
"""For each figure: what it says, and what we find."""


def picture_name(entry: str, chart: str) -> str:
    """What a picture of an experiment is called.

    >>> picture_name("adult", "adult"), picture_name("beyond-ranges", "skewed")
    ('adult', 'beyond-ranges-skewed')
    """
    return entry if entry.endswith(chart) else f"{entry}-{chart}"
