"""One plain sentence or two for each picture of the paper's figures: what to look at, for who has not read the paper.

What they say holds for the full run; `tests/paper/test_panels.py` checks what is behind them.
"""

from __future__ import annotations

SEE = {
    "anomalies-pair": (
        "Each column is a true count. With no property asked, all of its chance is in the row of 2. With all seven, no "
        "number of a column is larger than the outlined one, the truth."
    ),
    "anomalies-unconstrained": (
        "The top and the bottom row hold only zeros. Epsilon is 0.48 (alpha 0.62, as the paper's caption says)."
    ),
    "anomalies-scan": (
        "Where a line is at 100%, the design publishes that number whatever the truth is. The design for 4 people has "
        "the least squared error (L2), the one for 6 the least distance (L1). The table below has all four designs "
        "of Figure 1."
    ),
    "structure": (
        "Each column holds the chances for one true count, as formulas. In the outlined cells, the truth, the usual "
        "noise (GM) has the larger x at both ends and y between them; fair noise (EM) has y everywhere. Each factor a, "
        "which is below 1, makes a number less likely."
    ),
    "flowchart": (
        "Start at the top. Yes leads to the right, to the best mechanism for what was asked; no leads down to the "
        "next question."
    ),
    "properties-table": "Only the last two columns, fair and guessing, have a yes for every property.",
    "heatmaps": (
        "The usual noise (GM) has most of its chance in the top and the bottom row: whatever the truth is, 0 or 4 is "
        "published more than four times in five. With weak honesty (WM) no outlined cell is below 20%, the chance of a "
        "blind guess among five numbers. In the fair matrix (EM) all outlined cells are alike. Alpha is 9/10."
    ),
    "combinations": (
        "The highest line is weak honesty, alone or with row properties: asking for these moves nothing. A column "
        "property (CH or CM) leads to the line below it, fairness to the one below that. Alpha is 0.76. All costs are "
        "exact."
    ),
    "scores": (
        "Fair noise, the lower line of the four, lies between the usual noise and a blind guess at every size. From "
        "groups of 20 on weak honesty costs nothing: its line is that of the usual noise."
    ),
    "adult": "In all three panels the fair line lies below the usual one: fewer numbers are wrong.",
    "binomial": (
        "In the middle, where answers are mixed, the fair line is the lower one. At both ends, where nearly all say "
        "the same, it is the higher one."
    ),
    "histograms": (
        "In the first panel the fair line is the lower one throughout. In the second it is the higher one up to 3 "
        "people, and the lower one beyond."
    ),
    "rmse": (
        "In the middle the usual line is the highest: even a blind guess errs less. Only at the ends is it the other "
        "way round."
    ),
}


def picture_name(entry: str, chart: str) -> str:
    """What a picture of an experiment is called.

    >>> picture_name("adult", "adult"), picture_name("beyond-ranges", "skewed")
    ('adult', 'beyond-ranges-skewed')
    """
    return entry if entry.endswith(chart) else f"{entry}-{chart}"
