"""What a design is for, in a line: what it makes of sums; where it is fair, what that gives and
what else to ask for.

The advice is that of choosing.md: for numbers that are read one by one, ask that no farther answer
is likelier, unless the usual noise has that already.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING

from discreet.choosing.flowchart import for_single_numbers
from discreet.core.properties import EVERYDAY, Shape
from discreet.studio.designs import best_known, design_of, named
from discreet.studio.telling.wording import listed
from discreet.studio.worth import ANYTHING, GROUPS, UNKNOWABLE, total_of, worth

if TYPE_CHECKING:
    from discreet.core.losses import PriorLike
    from discreet.core.mechanism import Mechanism
    from discreet.studio.settings import Reading, Setting


@dataclass(frozen=True, slots=True, kw_only=True)
class MeantFor:
    """What is said of a design, and another setting to try: what leads to it, its name, and what
    to know of it.
    """

    says: str
    helps: str = ""
    button: str = ""
    then: str = ""
    better: Setting | None = None


def meant_for(reading: Reading, m: Mechanism) -> MeantFor:
    """Say what a design makes of sums, and what is advised where it is fair.

    >>> from discreet.core.named import fair, geometric
    >>> from discreet.studio.settings import read_setting, read_text
    >>> reading = read_setting(read_text("n=8&epsilon=0.25&properties=F"))
    >>> found = meant_for(reading, fair(n=8, epsilon="0.25"))
    >>> print(found.says)
    Fair: the truth is published equally often, whatever it is, so no group is favoured. Sums and
    differences of groups
    get noisier: a total of 100 such groups (800 people) is within ±305, with the usual noise ±106.
    >>> print(found.helps, found.button, found.then)
    To read single numbers, ask for no farther answer likelier instead of fairness. At a true count
    of 4, that design
    guesses blindly.
    >>> print(meant_for(reading, geometric(n=8, epsilon="0.25")).says)
    A total of 100 such groups (800 people) is within ±106.
    """
    usual = named("GM", m.n, m.privacy)
    total = _beside(m, usual, reading.prior)
    if "F" not in reading.setting.properties or m.n < 2 or usual == m:
        return MeantFor(says=f"A {total}.")
    errors = [worth(one, reading.prior).total for one in (m, usual)]
    ours, theirs = (inf if error is None else error for error in errors)
    noisier = (
        f"Sums and differences of groups get noisier: a {total}."
        if ours > theirs
        else f"A {total}."
    )
    says = (
        "Fair: the truth is published equally often, whatever it is, so no group is favoured. "
        f"{noisier}"
    )
    if m.alpha == 1:
        return MeantFor(says=says)
    names = advised_instead(m)
    asked = names and set(names) <= set(reading.setting.properties)
    return MeantFor(
        says=says,
        helps="To read single numbers, ask for"
        if names
        else "To read single numbers or sums, ask for",
        button=listed([EVERYDAY[name] for name in names], "and") if names else "no property",
        then=f"{'alone, without' if asked else 'instead of'} fairness.{_warning(reading, names)}",
        better=reading.setting.but(properties=names, output_dp=""),
    )


def advised_instead(m: Mechanism) -> tuple[str, ...]:
    """The properties that are advised for reading single numbers, at the privacy of a design.

    >>> from discreet.core.named import fair
    >>> [advised_instead(fair(n=8, epsilon=epsilon)) for epsilon in (1, "1/2", "1/5")]
    [(), ('CM',), ('RM', 'CM')]
    """
    if "CM" in named("GM", m.n, m.privacy).shape.names:
        return ()
    return tuple(for_single_numbers(m.privacy).split())


def _warning(reading: Reading, names: tuple[str, ...]) -> str:
    """Say where the design that is advised would be a blind guess, where it is known at once."""
    if not names or not best_known(reading.setting):
        return ""
    counts = blind_counts(design_of(reading, Shape(names=frozenset(names))))
    return (
        f" At a true count of {listed(list(map(str, counts)), 'or')}, that design guesses blindly."
        if counts
        else ""
    )


def blind_counts(m: Mechanism) -> tuple[int, ...]:
    """The true counts at which every answer is as likely as any other."""
    columns = [m.form.column(count)[0] for count in range(m.n + 1)]
    return tuple(
        count for count, column in enumerate(columns) if m.n and min(column) == max(column)
    )


def sums_of(m: Mechanism, other: Mechanism) -> str:
    """Say what a total of another would be, where both are of use: "within ±28.1 instead of
    ±52.5".
    """
    ours, theirs = total_of(m), total_of(other)
    if {ours, theirs} & {ANYTHING, UNKNOWABLE}:
        return ""
    return f"a total of {GROUPS} groups would be within {theirs} instead of {ours}"


def _beside(m: Mechanism, usual: Mechanism, prior: PriorLike) -> str:
    """Say what a total of many groups is worth, and with the usual noise.

    >>> from discreet.core.named import fair, geometric, uniform
    >>> _beside(uniform(n=4), uniform(n=4), None), _beside(uniform(n=4), fair(n=4, epsilon=0), None)
    ('total of 100 such groups (400 people) has no estimate', ...)
    >>> _beside(uniform(n=4), geometric(n=4, epsilon=1), None)
    'total of 100 such groups (400 people) has no estimate; with the usual noise it is within ±26.6'
    """
    ours, theirs = _within(m, prior), _within(usual, prior)
    said = f"total of {GROUPS} such groups ({GROUPS * m.n:,} people) {ours}"
    if m == usual:
        return said
    if ours == theirs:
        return f"{said}, as with the usual noise"
    both = all(one.startswith("is within ") for one in (ours, theirs))
    return (
        f"{said}, with the usual noise {theirs.removeprefix('is within ')}"
        if both
        else f"{said}; with the usual noise it {theirs}"
    )


def _within(m: Mechanism, prior: PriorLike) -> str:
    found = total_of(m, prior)
    if found == UNKNOWABLE:
        return "has no estimate"
    return "may be anything" if found == ANYTHING else f"is within {found}"
