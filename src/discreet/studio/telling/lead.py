"""The sentence that a page opens with, in everyday words: what was true, and what each mechanism makes of it.

Chances are read off the exact matrix and rounded to whole times in a hundred, the way one would say them.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from discreet.core.named import recognised
from discreet.studio.telling.wording import listed

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism
    from discreet.reading.accuracy import Accuracy

_WORDS = ["none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]

USUAL = {
    "Laplace": "rounded Laplace noise",
    "GM": "the geometric mechanism (GM), the usual method,",
    "WM": "the weakly honest mechanism",
    "EM": "the fair mechanism",
    "UM": "blind guessing",
}
"""What a named mechanism is called in a sentence."""


TRUTHFUL = "tells the truth more often"


def spelled(number: int) -> str:
    """Write a small number as a word.

    >>> spelled(4), spelled(24)
    ('four', '24')
    """
    return _WORDS[number] if number < len(_WORDS) else str(number)


def times(chance: Fraction) -> str:
    """Say a chance as times in a hundred.

    >>> [times(Fraction(k, 1000)) for k in (0, 2, 10, 462, 999, 1000)]
    ['never', 'less than once in 100', 'once in 100', '46 times in 100', 'more than 99 times in 100', 'always']
    """
    return _times(chance.numerator, chance.denominator)


def _times(part: int, whole: int) -> str:
    """Say a chance that is not in lowest terms: reducing long fractions takes longer than all the rest of a lead."""
    if part in (0, whole):
        return "always" if part else "never"
    if 200 * part < whole:
        return "less than once in 100"
    if 200 * (whole - part) < whole:
        return "more than 99 times in 100"
    hundredths = (200 * part + whole) // (2 * whole)
    return "once in 100" if hundredths == 1 else f"{hundredths} times in 100"


def habit(m: Mechanism, count: int) -> str:
    """Say what a mechanism answers to one true count: its worst habit there, or how near the truth it is.

    >>> from discreet.core.named import geometric
    >>> habit(geometric(n=8, alpha="10/11"), 4)
    'gives 0 or 8 as its answer 72 times in 100, and tells the truth 5 times'
    >>> habit(geometric(n=8, epsilon=1), 4)
    'tells the truth 46 times in 100, and comes within one of it 80 times'
    >>> from discreet.designer import design
    >>> habit(design(n=4, alpha="4/5", loss="L2"), 0)
    'always gives 2 as its answer, and never tells the truth'
    >>> habit(design(n=8, epsilon="0.12", properties="CM"), 4)
    'gives every answer 11 times in 100, which is blind guessing at this count'
    """
    column, whole = m.form.column(count)
    truth = column[count]
    if m.n and min(column) == max(column):
        return f"gives every answer {_times(truth, whole)}, which is blind guessing at this count"
    likelier = [i for i, chance in enumerate(column) if chance > truth]
    if likelier:
        most = likelier if len(likelier) <= 2 else [max(likelier, key=lambda i: (column[i], -i))]
        given = _often(
            f"gives {listed([str(i) for i in most], 'or')} as its answer", sum(column[i] for i in most), whole
        )
        return f"{given}, and {_often('tells the truth', truth, whole, brief=True)}"
    near = sum(column[max(0, count - 1) : count + 2])
    said = _often("tells the truth", truth, whole)
    return said if truth == whole else f"{said}, and {_often('comes within one of it', near, whole, brief=True)}"


def _often(does: str, part: int, whole: int, *, brief: bool = False) -> str:
    """Say how often something is done; the hundred is said once."""
    said = _times(part, whole)
    if said in ("never", "always"):
        return f"{said} {does}"
    return f"{does} {said.removesuffix(' in 100') if brief else said}"


def overall(left: Accuracy, design: Accuracy) -> str:
    """Say how a design compares over all true counts: what is shown of one of them may flatter it.

    >>> from discreet.core.named import fair, geometric
    >>> overall(geometric(n=8, epsilon=1).accuracy(), fair(n=8, epsilon=1).accuracy())
    'over all counts it is within one 77 times in 100 against 85, and with 95% confidence off by at most 5 against 3'
    """
    ours, theirs = (_times(*found.within_one.as_integer_ratio()) for found in (design, left))
    near = f"{ours} against {theirs.removesuffix(' times in 100')}" if ours != theirs else f"{ours}, like the other"
    sure = f"{float(design.confidence):.0%}"
    if design.margin >= design.n:
        other = "like the other" if left.margin >= left.n else f"against {left.margin}"
        return f"over all counts it is within one {near}, and with {sure} confidence off by anything, {other}"
    far = (
        f"{design.margin} against {left.margin}" if design.margin != left.margin else f"{design.margin}, like the other"
    )
    return f"over all counts it is within one {near}, and with {sure} confidence off by at most {far}"


def _part(part: int, whole: int) -> str:
    """Say a chance in whole percents."""
    if 200 * part < whole:
        return "less than 1%"
    if 200 * (whole - part) < whole:
        return "more than 99%"
    return f"{(200 * part + whole) // (2 * whole)}%"


def gist(m: Mechanism, count: int, *, against: str = "") -> str:
    """Say in a few words what a mechanism mostly answers to one true count; `against` is what was said of another.

    >>> from discreet.core.named import fair, geometric
    >>> gist(geometric(n=8, epsilon="1/4"), 4)
    'answers 0 or 8 in 41% of cases'
    >>> gist(fair(n=8, epsilon="1/4"), 4)
    'tells the truth more often than anything else (18%)'
    >>> gist(fair(n=8, epsilon=1), 4, against=gist(geometric(n=8, epsilon=1), 4))
    'does so in 47% of cases'
    """
    column, whole = m.form.column(count)
    truth = column[count]
    if m.n and min(column) == max(column):
        return "is a blind guess"
    likelier = [i for i, chance in enumerate(column) if chance > truth]
    if likelier:
        most = likelier if len(likelier) <= 2 else [max(likelier, key=lambda i: (column[i], -i))]
        part, does = sum(column[i] for i in most), f"answers {listed([str(i) for i in most], 'or')}"
        return f"always {does}" if part == whole else f"{does} in {_part(part, whole)} of cases"
    if truth == whole:
        return "always tells the truth"
    said = _part(truth, whole)
    if column.count(truth) > 1:
        return f"tells the truth in {said} of cases"
    if TRUTHFUL not in against:
        return f"{TRUTHFUL} than anything else ({said})"
    return "does so as often" if f"({said})" in against else f"does so in {said} of cases"


def lead(left: Mechanism, design: Mechanism, count: int, *, truth: str, beside: str) -> str:
    """Say in two short sentences what was true, and what the two mechanisms mostly make of it.

    >>> from discreet.core.named import fair, geometric
    >>> print(lead(geometric(n=8, epsilon="1/4"), fair(n=8, epsilon="1/4"), 4, truth="Four smoke.", beside="GM"))
    Four smoke. The geometric mechanism (GM), the usual method, answers 0 or 8 in 41% of cases; your design, just as
    private, tells the truth more often than anything else (18%).
    """
    usual = _called(left, beside)
    theirs = gist(left, count)
    start = f"{truth} {usual[0].upper()}{usual[1:]} {theirs}"
    if left == design:
        return f"{start}; your design is the same mechanism."
    return f"{start}; your design, just as private, {gist(design, count, against=theirs)}."


def in_numbers(left: Mechanism, design: Mechanism, count: int, *, beside: str, average: str = "") -> str:
    """Say the same with more numbers: what each does at this count, and how they compare over all counts."""
    usual = _called(left, beside)
    start = f"{usual[0].upper()}{usual[1:]} {habit(left, count)}."
    if left == design:
        return start
    said = f"{start} Your design {habit(design, count)}"
    return f"{said}; {average}." if average else f"{said}."


def _called(left: Mechanism, beside: str) -> str:
    found = recognised(left)
    name = beside if beside in USUAL else found.short if found else ""
    return USUAL.get(name, "the best mechanism without properties")
