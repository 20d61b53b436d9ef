"""A mechanism in everyday words: what a terminal shows first. Codes stand in brackets, to be
typed.
"""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING

from discreet.core.domains import Counts
from discreet.core.forms import Fair
from discreet.core.histogram import Histogram
from discreet.odds import learned, protects_little
from discreet.show.choices import chance_text, error_text
from discreet.show.describing import SCORED, picture_lines, promises, proof_words, truths
from discreet.show.text import beside, folded

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism


def mechanism_words(m: Mechanism) -> str:
    """What a mechanism is worth, what it has and lacks, and its matrix, where that fits."""
    groups = f"groups of {m.n:,}" if m.domain == Counts(m.n) else str(m.domain)
    lines = [
        *folded(
            f"Mechanism for {groups} at epsilon {float(m.epsilon):.6g}, alpha {float(m.alpha):.6g}",
            later="  ",
        )
    ]
    for name, words in _facts(m):
        lines += beside(f"  {name:<10}", words)
    return "\n".join([*lines, *picture_lines(m)])


def _facts(m: Mechanism) -> list[tuple[str, str]]:
    """What a reader asks of a mechanism, in the order in which it is asked."""
    own = m.origin.problem.own if m.origin.problem is not None else ()
    return [
        *([("privacy", f"little: {learned(m.alpha)}")] if protects_little(m.alpha) else []),
        *(_worth(m) if m.n else []),
        *promises(m),
        *([("why", _WHY_FAIR)] if _fair_instead(m) else []),
        *([("own rows", ", ".join(each.name for each in own))] if own else []),
        ("found by", m.origin.method.partition(": ")[0]),  # which theorem is told among the details
        ("proof", proof_words(m)),
    ]


_WHY_FAIR = (
    "the best one of this shape is not worked out for so large a group: EM has the "
    "shape too, and is near to it"
)


def _fair_instead(m: Mechanism) -> bool:
    """Whether EM stands for another shape, as it does for large groups."""
    origin = m.origin
    unproven = origin.certificate is None and not origin.theorem
    return (
        unproven
        and isinstance(m.form, Fair)
        and origin.problem is not None
        and "F" not in origin.problem.shape
    )


def _worth(m: Mechanism) -> list[tuple[str, str]]:
    """How often a number is right, and how far off it is: in draws and in people."""
    low, high, total = truths(m)
    mean = float(1 - m.score("L0")) if isinstance(m.domain, Histogram) else total / (m.n + 1)
    least, most, right = (chance_text(Fraction(chance)) for chance in (low, high, mean))
    by_truth = (
        "whatever is true" if least == most else f"{least} to {most}, depending on the true count"
    )
    said = [("right", f"in {right} of draws ({by_truth})")]
    if isinstance(m.domain, Histogram):
        misplaced = error_text(float(m.score("L1")))
        said = [
            ("all right", said[0][1].replace("true count", "true histogram")),
            ("misplaced", f"{misplaced} people"),
        ]
    elif m.n <= SCORED:
        far = m.score("L0,1") * Fraction(m.n, m.n + 1)  # the paper scales it, as it does L0
        distance, error = error_text(float(m.score("L1"))), error_text(sqrt(m.score("L2")))
        said.append(("far off", f"by more than one in {chance_text(far)} of draws"))
        said.append(("off by", f"{distance} people on average, {error} typically (RMSE)"))
    what = "counts" if isinstance(m.domain, Counts) else "histograms"
    return [*said, ("averages", f"over all true {what}, taken as equally likely")]
