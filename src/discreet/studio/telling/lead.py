"""The sentence that a page opens with, in everyday words: what was true, and what each mechanism
makes of it.

Chances are read off the exact matrix and rounded to whole times in a hundred, the way one would say
them.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from discreet.core.named import recognised
from discreet.studio.telling.wording import listed

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism
    from discreet.reading.accuracy import Accuracy

_WORDS = [
    "none",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
]

USUAL = {
    "Laplace": "rounded Laplace noise",
    "GM": "the usual noise",
    "WM": "the weakly honest mechanism",
    "EM": "the fair mechanism",
    "UM": "blind guessing",
}
"""What a named mechanism is called in a sentence."""

IN_SHORT = {
    "Laplace": "noise up and down, rounded, cut off at the ends",
    "GM": "noise up and down, cut off at the ends",
    "WM": "no count right less often than by a guess",
    "EM": "every count right equally often",
    "UM": "ignores the truth",
}
"""What a named mechanism does, in a few words."""

YOURS = "your design"
"""What a design without a name is called in a sentence."""

DRAWN = "To protect everybody, a number drawn by chance is published"
"""Why what is published is not simply what is true."""


def own_name(design: Mechanism) -> str:
    """What the design on the screen is called in a sentence: nobody has designed the usual noise.

    >>> from discreet.core.named import fair, geometric
    >>> own_name(geometric(n=8, epsilon=1)), own_name(fair(n=8, epsilon=1))
    ('the usual noise', 'your design')
    """
    found = recognised(design)
    return USUAL["GM"] if found and found.short == "GM" else YOURS


def capital(text: str) -> str:
    """Begin a sentence with a text."""
    return text[:1].upper() + text[1:]


def spelled(number: int) -> str:
    """Write a small number as a word.

    >>> spelled(4), spelled(24)
    ('four', '24')
    """
    return _WORDS[number] if number < len(_WORDS) else str(number)


def times(chance: Fraction) -> str:
    """Say a chance as times in a hundred.

    >>> [times(Fraction(k, 1000)) for k in (0, 2, 10, 462, 999, 1000)]
    ['never', 'less than once in 100', 'once in 100', '46 times in 100', 'more than 99 times in
    100', 'always']
    """
    return _times(chance.numerator, chance.denominator)


def _times(part: int, whole: int) -> str:
    """Say a chance that is not in lowest terms: reducing long fractions takes longer than all
    the rest of a lead.
    """
    if part in (0, whole):
        return "always" if part else "never"
    if 200 * part < whole:
        return "less than once in 100"
    if 200 * (whole - part) < whole:
        return "more than 99 times in 100"
    hundredths = (200 * part + whole) // (2 * whole)
    return "once in 100" if hundredths == 1 else f"{hundredths} times in 100"


def habit(m: Mechanism, count: int) -> str:
    """Say what a mechanism answers to one true count: its worst habit there, or how near the truth
    it is.

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
    if most := _likelier(column, count):
        given = _often(
            f"gives {listed([str(i) for i in most], 'or')} as its answer",
            sum(column[i] for i in most),
            whole,
        )
        return f"{given}, and {_often('tells the truth', truth, whole, brief=True)}"
    near = sum(column[max(0, count - 1) : count + 2])
    said = _often("tells the truth", truth, whole)
    return (
        said
        if truth == whole
        else f"{said}, and {_often('comes within one of it', near, whole, brief=True)}"
    )


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
    'over all counts it is within one 77 times in 100 against 85, and with 95% confidence off by at
    most 5 against 3'
    """
    ours, theirs = (_times(*found.within_one.as_integer_ratio()) for found in (design, left))
    near = (
        f"{ours} against {theirs.removesuffix(' times in 100')}"
        if ours != theirs
        else f"{ours}, like the other"
    )
    sure = f"{float(design.confidence):.0%}"
    if design.margin >= design.n:
        other = "like the other" if left.margin >= left.n else f"against {left.margin}"
        return (
            f"over all counts it is within one {near}, and with {sure} confidence off by "
            f"anything, {other}"
        )
    far = (
        f"{design.margin} against {left.margin}"
        if design.margin != left.margin
        else f"{design.margin}, like the other"
    )
    return (
        f"over all counts it is within one {near}, and with {sure} confidence off by at most {far}"
    )


def percents(part: int, whole: int) -> str:
    """Say a chance in whole percents."""
    if part in (0, whole):
        return "100%" if part else "0%"
    if 200 * part < whole:
        return "less than 1%"
    if 200 * (whole - part) < whole:
        return "more than 99%"
    return f"{(200 * part + whole) // (2 * whole)}%"


def likelier(m: Mechanism, count: int) -> list[int]:
    """Return the answers that one true count gets more often than itself: one or two of them, the
    likeliest.

    >>> from discreet.core.named import fair, geometric
    >>> likelier(geometric(n=8, epsilon="1/4"), 4), likelier(fair(n=8, epsilon="1/4"), 4)
    ([0, 8], [])
    """
    return _likelier(m.form.column(count)[0], count)


def _likelier(column: Sequence[int], count: int) -> list[int]:
    truth = column[count]
    found = [i for i, chance in enumerate(column) if chance > truth]
    return found if len(found) <= 2 else [max(found, key=lambda i: (column[i], -i))]


def gist(m: Mechanism, count: int) -> str:
    """Say in a few words what a mechanism mostly answers to one true count.

    >>> from discreet.core.named import fair, geometric
    >>> gist(geometric(n=8, epsilon="1/4"), 4)
    'answers 0 or 8 in 41% of cases'
    >>> gist(fair(n=8, epsilon="1/4"), 4)
    'tells the truth more often than anything else (18%)'
    """
    column, whole = m.form.column(count)
    truth = column[count]
    if m.n and min(column) == max(column):
        return "is a blind guess"
    if most := _likelier(column, count):
        part, does = sum(column[i] for i in most), f"answers {listed([str(i) for i in most], 'or')}"
        return f"always {does}" if part == whole else f"{does} in {percents(part, whole)} of cases"
    if truth == whole:
        return "always tells the truth"
    said = percents(truth, whole)
    return (
        f"tells the truth in {said} of cases"
        if column.count(truth) > 1
        else f"tells the truth more often than anything else ({said})"
    )


def lead(
    left: Mechanism, design: Mechanism, count: int, *, truth: str, beside: str, asked: bool = True
) -> str:
    """Say what was true, and on a line for each mechanism how often it publishes that, and how
    often something else.

    >>> from discreet.core.named import fair, geometric
    >>> gm, em = geometric(n=8, epsilon="1/4"), fair(n=8, epsilon="1/4")
    >>> print(lead(gm, em, 4, truth="Four smoke.", beside="GM"))
    Four smoke. To protect everybody, a number drawn by chance is published. Two ways, equally
    private:
    The usual noise: the truth in 12% of cases, 0 or 8 in 41%.
    Your design: the truth in 18% of cases, 0 or 8 in 13%.
    >>> gm = geometric(n=8, epsilon=1)
    >>> print(lead(gm, gm, 3, truth="Three smoke.", beside="none", asked=False))
    Three smoke. To protect everybody, a number drawn by chance is published:
    the truth in 46% of cases, at most one off in 80%.
    """
    sides = [m.form.column(count) for m in (left, design)]
    habits = _likelier(sides[0][0], count) or _likelier(sides[1][0], count)
    theirs, ours = (_chances(column, whole, count, habits) for column, whole in sides)
    own = own_name(design)
    if left == design:
        return (
            f"{truth} {DRAWN}:\n{ours}{_no_other(own, _called(left, beside), beside, asked=asked)}"
        )
    if design.n and min(sides[1][0]) == max(sides[1][0]):
        ours = f"a blind guess ({percents(sides[1][0][count], sides[1][1])})."
    usual = _called(left, beside)
    return (
        f"{truth} {DRAWN}. Two ways, equally private:\n{capital(usual)}: "
        f"{theirs}\n{capital(own)}: {ours}"
    )


def _chances(column: Sequence[int], whole: int, count: int, habits: Sequence[int]) -> str:
    """Say how often the truth is published, and how often what is likelier; else how often what
    is near the truth.
    """
    said = f"the truth in {percents(column[count], whole)} of cases"
    near = sum(column[max(0, count - 1) : count + 2])
    if habits:
        said += (
            f", {listed([str(i) for i in habits], 'or')} in "
            f"{percents(sum(column[i] for i in habits), whole)}"
        )
    elif near < whole:
        said += f", at most one off in {percents(near, whole)}"
    return f"{said}."


def _no_other(own: str, usual: str, beside: str, *, asked: bool) -> str:
    """Say why there is nothing to see beside a design."""
    if asked and own != YOURS:
        return f" {capital(own)} already has what you ask for."
    if beside == "none":
        return " Without properties it would be the same." if asked else ""
    return f" {capital(own)} is the same as {usual}." if own != usual else ""


def in_numbers(
    left: Mechanism, design: Mechanism, count: int, *, beside: str, average: str = ""
) -> str:
    """Say the same with more numbers: what each does at this count, and how they compare over
    all counts.
    """
    own = capital(own_name(design))
    if left == design:
        return f"{own} {habit(design, count)}."
    said = f"{capital(_called(left, beside))} {habit(left, count)}. {own} {habit(design, count)}"
    return f"{said}; {average}." if average else f"{said}."


def _called(left: Mechanism, beside: str) -> str:
    found = recognised(left)
    name = beside if beside in USUAL else found.short if found else ""
    return USUAL.get(name, "the best mechanism without properties")
