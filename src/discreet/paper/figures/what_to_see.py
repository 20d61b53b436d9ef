"""One plain sentence or two for each picture of the paper's figures: what to look at, for who has not read the paper.

What they say holds for the full run; `tests/paper/test_panels.py` checks what is behind them.
"""

from __future__ import annotations

_CORNERS = (
    "The usual noise (GM) is dark in its corners and pale along most of the outlined cells: whatever the truth is, 0 "
    "and 4 are likeliest. In the fair matrix (EM) all outlined cells are alike."
)
_LAST = "Green: the method {does} less often than the usual noise. Both rows at the foot are green throughout."

SEE = {
    "anomalies-unconstrained": "The top and the bottom row hold only zeros: these designs never publish 0 or n.",
    "anomalies-unconstrained-text": (
        "One row or two are much darker than the rest. With the least squares (L2) one row has all of the chance: the "
        "same number is published whatever the truth is."
    ),
    "anomalies-constrained": "No row is empty any more, and in no column is a number larger than the outlined one.",
    "anomalies-scan": (
        "Where a line is at 100%, the design publishes that number whatever the truth is. Two of the four are there "
        "before epsilon is 0 (alpha 1)."
    ),
    "structure": "Along the outlined cells GM has x at both ends and y between them; EM has y everywhere.",
    "flowchart": "Answer the questions from the top down: each way ends at the best mechanism for what was asked.",
    "properties-table": "Only the last two columns, fair and guessing, have a yes for every property.",
    "heatmaps": f"{_CORNERS} Epsilon is 0.105 (alpha 9/10).",
    "combinations": (
        "The highest line is weak honesty, alone or with row properties: asking for these moves nothing. A column "
        "property leads to the line below it, fairness to the lowest. At the left alpha is 0.76; at the right it "
        "runs from 0.5 to 0.99."
    ),
    "scores-key": (
        "The lowest line is the fair mechanism: it stays well above half of the way from a blind guess to the usual "
        "noise. Weak honesty alone costs nothing from groups of 20 on."
    ),
    "scores": "Green is what is kept of the usual noise's lead over a guess. Nowhere is it less than half.",
    "adult-key": "In all three panels the fair line lies below the usual one: fewer numbers are wrong.",
    "adult": _LAST.format(does="is wrong"),
    "adult-off-by-one": _LAST.format(does="misses by more than one person"),
    "adult-higher": (
        "The usual noise lies above the guess: it is wrong more often. The other three lie below it or on it, and come "
        "nearer as epsilon falls, from 0.11 to 0.01 (alpha 0.9 to 0.99)."
    ),
    "binomial-key": (
        "In the middle, where answers are mixed, the fair line is the lower one. At both ends, where nearly all say "
        "the same, it is the higher one."
    ),
    "binomial-091": (
        "From p = 0.25 to 0.75 every panel is green: every other method beats the usual one there. At both ends, where "
        "all answer alike, the usual noise wins."
    ),
    "binomial-067": (
        "The fair row is green from p = 0.3 to 0.7, and far above the usual noise at both ends: fairness pays where "
        "answers are mixed."
    ),
    "histograms-key": (
        "In the first panel the fair line is the lower one throughout. In the second it is the higher one up to 3 "
        "people, and the lower one beyond."
    ),
    "histograms-all": "Each mechanism has two rows: where half say yes, and where one in ten does.",
    "histograms": "Above, half say yes: the fair mechanism is mostly green. Below, one in ten does: mostly not.",
    "rmse-key": (
        "In the middle the usual line is the highest: even a blind guess errs less. Only at the ends is it the other "
        "way round."
    ),
    "rmse-091": (
        "In the first row a guess is green for most p: it errs less than the usual noise. Only towards p = 0 and p = 1 "
        "does it err more, and there not for every group size."
    ),
    "rmse-067": "A guess errs more than the usual noise everywhere; the fair mechanism errs less only near p = 0.5.",
}


def picture_name(entry: str, chart: str) -> str:
    """What a picture of an experiment is called.

    >>> picture_name("adult", "adult"), picture_name("adult", "higher"), picture_name("rmse", "rmse-067")
    ('adult', 'adult-higher', 'rmse-067')
    """
    return entry if entry.endswith(chart) else chart if chart.startswith(entry) else f"{entry}-{chart}"
