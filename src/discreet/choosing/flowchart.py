"""The paper's flowchart (Figure 5, Section "Comparing mechanisms") as a walk with its reasons.

For L0 and a uniform prior every set of the seven properties is served by one of four mechanisms:
GM, WM (weak honesty), the optimum of weak honesty with column monotonicity, and EM. The walk only
compares exact numbers; it builds nothing and solves nothing. It mends what the paper leaves out:
alpha <= 1/2 and alpha = 1 as questions of their own, and n = 0 and n = 1, where Lemmas 2 and 3 do
not hold.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from discreet.core.forms.column_honest import column_honest_exists
from discreet.core.named import NAMED
from discreet.core.properties import PROPERTIES, Shape, closure
from discreet.core.rationals import Alpha, shown

HALF, _ESTIMATED_FROM = Fraction(1, 2), Fraction(1, 4)

BOXES = {
    "GM": NAMED["GM"].title,
    "WM": NAMED["WM"].title,
    "WH+CM": "best mechanism with weak honesty and column monotonicity, WH+CM",
    "EM": NAMED["EM"].title,
    "UM": NAMED["UM"].title,
    "designed": "best mechanism with output DP, designed",
}
"""The ends of the flowchart, and one beyond it for output DP, which the flowchart does not know."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One question of the walk, its answer, and the numbers or wishes that decide it."""

    question: str
    answer: str
    because: str

    def __str__(self) -> str:
        return f"{self.question} {self.answer.capitalize()}: {self.because}"


def honest_from(alpha: Fraction) -> Fraction:
    """Lemma 2's threshold 2a/(1-a): from this n on, and n >= 2, GM is weakly honest.

    >>> honest_from(Fraction(10, 11))
    Fraction(20, 1)
    """
    return 2 * alpha / (1 - alpha)


def for_single_numbers(privacy: Alpha) -> str:
    """The properties to ask for where single numbers are read as they stand; none where GM has them
    (Lemma 3).

    Without row monotonicity a total may have no unbiased estimate below epsilon 1/4, as of 8 people
    at 0.2.

    >>> from discreet.core.rationals import read_alpha
    >>> [for_single_numbers(read_alpha(epsilon=epsilon)) for epsilon in (1, "1/2", "1/4", "1/5")]
    ['', 'CM', 'CM', 'RM CM']
    """
    return "" if privacy.value <= HALF else "CM" if privacy.epsilon >= _ESTIMATED_FROM else "RM CM"


def walk(n: int, alpha: Fraction, asked: Shape) -> tuple[str, tuple[Step, ...]]:
    """Walk the flowchart for the seven properties in `asked`: the box it ends in, and the steps
    taken.

    >>> from discreet.core.properties import read_shape
    >>> box, steps = walk(8, Fraction(10, 11), read_shape("WH"))
    >>> box
    'WM'
    >>> print(steps[-2])
    Is n >= 2a/(1-a)? No: 8 < 20: GM is not weakly honest here (Lemma 2).
    """
    steps: list[Step] = []

    def ask(question: str, answer: bool, yes: str, no: str = "") -> bool:
        steps.append(
            Step(question=question, answer="yes" if answer else "no", because=yes if answer else no)
        )
        return answer

    if n == 0:
        ask("Is n = 0?", True, "the only count is 0, and every mechanism reports it.")
        return "GM", tuple(steps)
    if alpha == 1:
        ask(
            "Is alpha = 1?",
            True,
            "epsilon is 0, so the answer may not depend on the data: all that is left is to guess.",
        )
        return "UM", tuple(steps)
    if n == 1:
        ask(
            "Is n = 1?",
            True,
            "GM, EM and randomized response are one mechanism there, and it has all seven "
            "properties.",
        )
        return "GM", tuple(steps)

    wished = closure(Shape(names=asked.names))
    low = ask(
        "Is epsilon >= 0.693 (alpha <= 1/2)?",
        alpha <= HALF,
        f"alpha is {_size(alpha)}: GM has every property but fairness (Lemmas 2 and 3).",
        f"alpha is {_size(alpha)} > 1/2: GM is neither column honest nor column monotone (Lemma "
        "3).",
    )
    if ask(
        "Do you want fairness?",
        "F" in wished,
        "F is asked for; EM is the best fair mechanism and has the other six properties too "
        "(Theorem 4).",
        "F is not asked for.",
    ):
        return "EM", tuple(steps)
    if low:
        return "GM", tuple(steps)
    theorem = column_honest_exists(n, alpha)
    best = (
        "GM with its ends moved inward is the best"
        if theorem
        else "a linear program for WH and CM finds the best"
    )
    if ask(
        "Do you want a column property?",
        "CH" in wished,
        f"{_wishes(asked, 'CH', 'CM')}; {best}.",
        "neither CH nor CM is asked for.",
    ):
        return "WH+CM", tuple(steps)
    threshold = honest_from(alpha)
    if ask(
        "Is n >= 2a/(1-a)?",
        n >= threshold,
        f"{n} >= {_size(threshold)}: GM is weakly honest here (Lemma 2), and nothing costs less "
        "(Theorem 3).",
        f"{n} < {_size(threshold)}: GM is not weakly honest here (Lemma 2).",
    ):
        return "GM", tuple(steps)
    if ask(
        "Do you want weak honesty?",
        "WH" in wished,
        "WH is asked for; a mixture of GM and EM whose inner diagonal is exactly 1/(n+1) is the "
        "best.",
        "WH is not asked for, and nothing costs less than GM (Theorem 3).",
    ):
        return "WM", tuple(steps)
    return "GM", tuple(steps)


def _wishes(asked: Shape, *names: str) -> str:
    given = [name for name in names if name in asked]
    return f"{' and '.join(given)} ({', '.join(PROPERTIES[name].full_name for name in given)})"


def _size(value: Fraction) -> str:
    """Show a threshold: the fraction, and its decimals where they help."""
    text = shown(value)
    return f"{text} = {float(value):.4g}" if "/" in text else text
