"""How long a linear program is likely to take, fitted to `bench/design.py` on two cores."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from discreet.core.certificate import Problem


def likely_seconds(problem: Problem) -> float:
    """Estimate the seconds an LP design takes, from n, the shape and the objective; right within a factor of 4.

    >>> from discreet.designer.problems import read_problem
    >>> 0.05 < likely_seconds(read_problem(n=100, epsilon=0.1, properties="WH CM RM", loss="L1")) < 5
    True
    """
    size = problem.n / 100
    if problem.worst_case:
        seconds: float = 0.008 + 2.5 * size**4
    else:
        seconds = 0.003 + 0.11 * size**2.2
    # Weak honesty alone is nearly written down; fairness takes the longest walk.
    easy = problem.shape.names <= {"WH", "S"} and problem.shape.output_dp is None and not problem.worst_case
    seconds *= 0.6 if easy else 2 if "F" in problem.shape and not problem.worst_case else 1
    if not (problem.prior.symmetric and problem.loss.symmetric) and "S" not in problem.shape:
        seconds *= 2.5 if easy else 5
    return seconds


def spoken(seconds: float) -> str:
    """Say a duration as a person would.

    >>> spoken(8), spoken(200)
    ('about 8 seconds', 'about 3 minutes')
    """
    if seconds < 90:
        whole = max(1, round(seconds))
        return f"about {whole} second{'s' * (whole > 1)}"
    return f"about {round(seconds / 60)} minutes" if seconds < 5400 else f"about {round(seconds / 3600)} hours"
