"""What would make the single numbers of a table worth reading: tried, not guessed, one plan at a
time.

Whatever is offered reaches the aim that a plan in a terminal names too
(`discreet.reading.ahead.enough`): every number, of all questions and sizes, is off by at most half
of its group. A trial is a plan and may take seconds, so each is a request of its own: the search is
replayed from what came of the trials before, and nothing is kept between them.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, floor, log10

from discreet.core.rationals import read_alpha
from discreet.errors import DiscreetError
from discreet.odds import most_sure
from discreet.reading.ahead.enough import (
    AIM,
    MOST,
    by_theorem,
    known_to_half,
    least_epsilon,
    merged_known,
)
from discreet.studio.own.asked_questions import REGION
from discreet.studio.own.plan_words import commonest
from discreet.studio.own.wanted_table import Wanted, readable

REACHED, MISSED, LONG = "y", "n", "x"
"""What comes of a trial: the aim is reached, or not, or nobody waited for it to end."""

NOTHING = (
    f"Nothing that was tried would help: with no epsilon up to {MOST} and no merging of groups "
    f"{AIM}. Read sums of groups only."
)
MOST_TRIALS = 30
_STEPS = Fraction(11, 10)
_LARGER = (Fraction(3, 2), 2, 3, 4, 5, 6, 8, 10)
"""How many times as many people merged groups may have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """A change of the table that may help."""

    kind: str
    value: Fraction = Fraction(0)

    @property
    def words(self) -> str:
        """What the change is."""
        return {
            "regions": "leave out the regions",
            "levels": "leave out the levels above the groups",
            "answers": "ask for yes or no instead of several answers",
            "epsilon": f"epsilon {float(self.value):g}",
            "merged": f"merge groups until each has at least {self.value} people",
        }[self.kind]

    def applied(self, wanted: Wanted) -> Wanted:
        """The table with this change."""
        if self.kind in ("regions", "levels"):
            return replace(wanted, levels=(), split=())
        if self.kind == "answers":
            return replace(
                wanted, questions=tuple(replace(asked, answers=()) for asked in wanted.questions)
            )
        if self.kind == "epsilon":
            return replace(wanted, price=(("epsilon", self.value),))
        return wanted.resized(((int(self.value), wanted.people // int(self.value)),))


@dataclass(frozen=True, slots=True, kw_only=True)
class Remedy:
    """What does help, in words, and which entry to change to what, where one does it."""

    words: str
    entry: str = ""
    value: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """How far a search has come: what helps as far as is known, and what is tried next, if
    anything is.
    """

    remedies: tuple[Remedy, ...]
    outcomes: str
    """What came of the trials so far, a letter for each."""
    trying: Trial | None
    of: int
    """How many trials there are at most."""

    @property
    def long(self) -> bool:
        """Whether some trial took too long to end here."""
        return LONG in self.outcomes


def search(wanted: Wanted, outcomes: str) -> Search:
    """Replay the trials whose outcomes are known; letters that stand for none are left out."""
    found: list[Remedy] = []
    steps = _steps(wanted, found)
    done = ""
    try:
        trial, of = next(steps)
        for letter in outcomes:
            trial, of = steps.send(letter == REACHED)
            done += letter
        return Search(remedies=tuple(found), outcomes=done, trying=trial, of=of)
    except StopIteration:
        return Search(
            remedies=tuple(found), outcomes=outcomes[: len(done) + 1], trying=None, of=len(done) + 1
        )


def attempt(wanted: Wanted, trial: Trial) -> str:
    """Whether a change reaches the aim, as a letter; the smallest groups, which miss it first,
    are planned first.
    """
    changed = trial.applied(wanted)
    try:
        smallest = changed.resized(changed.sizes[:1])
        reached = all(
            known_to_half(line)
            for some in ([smallest, changed] if not changed.levels else [changed])
            for line in readable(some).plan().lines
        )
    except DiscreetError:  # the properties asked for cannot be had so
        return MISSED
    return REACHED if reached else MISSED


Steps = Generator[tuple[Trial, int], bool, None]


def _steps(wanted: Wanted, found: list[Remedy]) -> Steps:
    """The search: yields what to try and how many trials there may be, is sent what came of it,
    adds to `found`.
    """
    several = any(asked.several for asked in wanted.questions)
    epsilons, merged = _epsilons(wanted), _merged(wanted)
    of = bool(wanted.levels) + several + _halvings(epsilons) + _halvings(merged)
    if not of:
        return
    above = Trial(kind="regions" if [name for name, _ in wanted.levels] == [REGION] else "levels")
    if wanted.levels and (yield above, of):
        found.append(Remedy(words=above.words, entry="regions"))
    best = yield from _least("merged", merged, of)  # larger groups first: they give nothing away
    if best is not None:
        found.append(Remedy(words=best.words))
    if several and (yield (trial := Trial(kind="answers")), of):
        found.append(Remedy(words=trial.words))
    best = yield from _least("epsilon", epsilons, of)
    if best is not None:
        sure, now = most_sure(read_alpha(epsilon=best.value).value), most_sure(wanted.alpha)
        price = (
            f"somebody who knows all others goes from 50% to at most {sure} sure of your "
            f"answer, in place of {now}"
        )
        found.append(
            Remedy(
                words=f"{best.words}: {price}",
                entry="table_epsilon",
                value=f"{float(best.value):g}",
            )
        )


def _least(
    kind: str, values: Sequence[Fraction], of: int
) -> Generator[tuple[Trial, int], bool, Trial | None]:
    """The first value that reaches the aim, by halving: larger ones reach it too."""
    low, high = -1, len(values)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (
            (low, middle) if (yield Trial(kind=kind, value=values[middle]), of) else (middle, high)
        )
    return Trial(kind=kind, value=values[high]) if high < len(values) else None


def _halvings(values: Sequence[Fraction]) -> int:
    return len(values).bit_length()


def _epsilons(wanted: Wanted) -> list[Fraction]:
    """Epsilons to try: the least by theorem, where theorems answer; otherwise from there in
    steps of a tenth.
    """
    found = wanted.plan()
    start = least_epsilon(found)
    if start is None or by_theorem(found):
        return [] if start is None else [start]
    values = []
    while start <= MOST:
        values.append(start)
        start = _rounded(start * _STEPS)
    return values


def _rounded(epsilon: Fraction) -> Fraction:
    """The next number of two digits.

    >>> float(_rounded(Fraction("0.123"))), float(_rounded(Fraction("2.51")))
    (0.13, 2.6)
    """
    unit = Fraction(10) ** (floor(log10(epsilon)) - 1)
    return ceil(epsilon / unit) * unit


def _merged(wanted: Wanted) -> list[Fraction]:
    """Sizes that groups may be merged to, from just above the smallest on, as long as groups are
    left to compare.

    Where theorems tell of every one whether it reaches the aim, it is the first from which on all
    do.
    """
    common, least = (
        commonest(wanted.plan().lines).largest,
        max([2, *(many for _, many in wanted.levels)]),
    )
    smallest = wanted.sizes[0][0]
    sizes = {ceil(common * times) for times in _LARGER}
    size = smallest + 1
    while size <= common:  # each of few, and in steps of a tenth of more
        sizes.add(size)
        size += max(1, size // 10)
    known = {
        size: merged_known(wanted.plan(), size)
        for size in sorted(sizes)
        if size > smallest and wanted.people // size >= least
    }
    if None in known.values():
        return [Fraction(size) for size, reached in known.items() if reached is not False]
    last = max((size for size, reached in known.items() if not reached), default=0)
    return [Fraction(size) for size in known if size > last][:1]
