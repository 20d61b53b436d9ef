"""What to do after a plan: give the people a budget, unless they have one, and release what was
planned.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import click

from discreet.cli.shared import TYPED, quoted
from discreet.cli.wording.to_copy import continued
from discreet.errors import DiscreetError
from discreet.odds import protects_little
from discreet.show.plans.counted_text import WORDS

if TYPE_CHECKING:
    from discreet.ledger import Account
    from discreet.tables.planning import Plan

_LEDGER = "budget.db"
_FOLDER = "published"
_ONCE = "open a budget, once (larger, if more releases will follow):"
_PEOPLE = "patients"
"""What the people of a table are called in a ledger where the name of the file does not say it."""
_UNSAID = ("people", "data", "table", "persons")
_PLAIN = re.compile(r"[A-Za-z_][\w-]{0,39}", re.ASCII)
_LISTED = 5
"""Datasets of a ledger that are named."""
_OF_A_PLAN = {"--details": 1, "--json": 1, "-q": 1, "--quiet": 1, "--progress": 2}
"""Options of a plan alone, and the words that each takes with it."""


def next_step(found: Plan, context: click.Context, paid: tuple[str | None, str | None]) -> str:
    """The release that was planned, as lines to copy; where no budget pays for it, what to do about
    that.

    `paid` are the ledger and the dataset that were named, in the file of a run or on the command
    line.
    """
    if TYPED not in context.meta or found.refused or _of_single_persons(found):
        return ""
    if protects_little(found.alpha):
        return "\n".join(_much_smaller())
    if found.remaining is not None and found.epsilon > found.remaining:
        return "\n".join(_too_little(found, str(paid[0]), str(paid[1])))
    from discreet.ledger.databases.urls import hidden

    typed = [*map(hidden, _of_a_release(context.meta[TYPED]))]
    instead = [column for column in found.unread if _place(typed, column) is not None]
    for column in instead:
        place = _place(typed, column) or 0
        typed[place : place + 1 + ("=" not in typed[place])] = [
            "--answers",
            column,
            ",".join(WORDS),
        ]
    named = found.remaining is not None  # else a budget is advised
    lines = (
        _release("release it:", typed)
        if named
        else [*_paid(found, context.params["source"], typed)]
    )
    answers = [word for _, values, _ in found.words for word in values]
    if answers and not instead:
        place = next(
            (k for k, line in enumerate(lines) if line.lstrip().startswith("discreet release")), 0
        )
        lines.insert(
            max(place - 1, 0),
            f"check the spelling first, for another word is refused: {', '.join(answers)}",
        )
    asked = " ".join(f"--count {quoted(column)}" for column in instead)
    words = f"the words of {', '.join(instead)}, the one to count first"
    own = [f"in place of {','.join(WORDS)}: {words}; or, of 0 and 1, {asked}"]
    if not context.params.get("unit"):  # by which each row is a person
        own.append(f"if each row is a group: {asked} --size COLUMN (how many people it has)")
    return "\n".join([*lines, *(own if instead else [])])


def _place(typed: Sequence[str], column: str) -> int | None:
    """Where a column is counted alone.

    >>> (
    ...     _place(["--by", "clinic", "--count", "smoker"], "smoker"),
    ...     _place(["--count", "age > 64"], "age"),
    ... )
    (2, None)
    """
    pairs = enumerate(zip(typed, [*typed[1:], ""], strict=True))
    return next(
        (
            k
            for k, (word, then) in pairs
            if f"{word}={then}" == f"--count={column}" or word == f"--count={column}"
        ),
        None,
    )


def _paid(found: Plan, source: Sequence[object], typed: Sequence[str]) -> Iterator[str]:
    """The release with a budget: the one that a ledger has, or else one to open."""
    from discreet.ledger.parameters import show

    ledger = _ledger(source)
    dataset = _dataset(source, ledger)
    held = _held(ledger)
    if dataset in held:
        if found.epsilon > held[dataset]:
            left = show(held[dataset])
            costs = show(found.epsilon, up=True)
            yield (
                f"warning: the ledger found here, {ledger}, has {left} left for {dataset}: "
                f"this release costs {costs}"
            )
            yield from _too_little(found, ledger, dataset)
            return
        yield from _release(
            f"release it ({ledger} has {show(held[dataset])} left for {dataset}):",
            typed,
            ledger,
            dataset,
        )
    elif any(left >= found.epsilon for left in held.values()):
        # two budgets of the same people would not add up; but only the reader knows whose rows
        # these are
        if len(held) == 1:
            ((only, rest),) = held.items()
            what = (
                f"release it, if these people are {only} ({show(rest)} left; others need their "
                "own budget):"
            )
            yield from _release(what, typed, ledger, only)
            return
        names = [f"{name} ({show(left)} left)" for name, left in [*held.items()][:_LISTED]]
        more = f" and {len(held) - _LISTED} more" if len(held) > _LISTED else ""
        yield from _release(
            f"release it, if these people have a budget in {ledger}:", typed, ledger, "DATASET"
        )
        yield f"in place of DATASET, their name there: {', '.join(names)}{more}"
        yield from _opened(
            "if they are in none of these, open a budget first, once:",
            ledger,
            dataset,
            found.epsilon,
        )
    elif held:
        names = [f"{name} has {show(left)} left" for name, left in [*held.items()][:_LISTED]]
        more = f", and {len(held) - _LISTED} more have less" if len(held) > _LISTED else ""
        costs = show(found.epsilon, up=True)
        yield (
            f"warning: no budget in {ledger} pays for this release, which costs {costs}: "
            f"{', '.join(names)}{more}"
        )
        yield from _too_little(found, ledger, *held)
        yield from _of_their_own(ledger, costs)
    else:
        yield from _opened(_ONCE, ledger, dataset, found.epsilon)
        yield from _release("then release it:", typed, ledger, dataset)


def _of_single_persons(found: Plan) -> bool:
    """Whether most groups are single persons: a plan warns of that, and a release of them is no
    line to copy.
    """
    first = [line for line in found.lines if line.count == found.lines[0].count]
    return 2 * sum(line.groups for line in first if line.largest == 1) > found.groups


def _opened(what: str, ledger: str, dataset: str, epsilon: Fraction) -> list[str]:
    """What opens a budget that is enough for this release."""
    from discreet.ledger.parameters import show

    return _to_copy(
        what, ["discreet", "ledger", "open", ledger, dataset, "--budget", show(epsilon, up=True)]
    )


def _of_their_own(ledger: str, costs: str) -> list[str]:
    what = "only if these are other people, open a budget of their own, under another name:"
    return _to_copy(what, ["discreet", "ledger", "open", ledger, "NAME", "--budget", costs])


def _too_little(found: Plan, ledger: str, *datasets: str) -> Iterator[str]:
    """What to do where no budget pays for a release: look, take less, or decide that people may
    lose more.
    """
    from discreet.ledger.databases.urls import hidden
    from discreet.ledger.parameters import show

    held = [account for account in _accounts(ledger) if account.dataset in datasets]
    where, named = hidden(ledger), [*datasets] if len(datasets) == 1 else []
    yield from _to_copy(
        "what the budget was spent on:", ["discreet", "ledger", "show", where, *named]
    )
    if not held:
        return
    most = max(held, key=lambda account: account.remaining)
    if most.remaining:
        yield from _smaller(show(most.remaining), "" if named else f" of {most.dataset}")
    enough = [
        "--budget",
        show(most.spent + found.epsilon, up=True),
        "--reason",
        "WHY",
        "--by",
        "WHO",
    ]
    more = "a larger one, if it is decided that each of these people may lose more privacy:"
    yield from _to_copy(more, ["discreet", "ledger", "set-budget", where, most.dataset, *enough])


def _much_smaller() -> list[str]:
    """The plan with an epsilon that protects, in place of the release of one that hardly does."""
    from discreet.ledger.databases.urls import hidden

    typed = [*map(hidden, click.get_current_context().meta[TYPED])]
    if "--epsilon" not in typed[:-1]:
        return ["plan it with an epsilon of 0.1 to 2, which protects people more"]
    typed[typed.index("--epsilon") + 1] = "1"
    return _to_copy(
        "plan it with a smaller epsilon, which protects people more:", ["discreet", "plan", *typed]
    )


def _smaller(left: str, whose: str) -> list[str]:
    """The plan with the epsilon that what is left pays for, where an epsilon was typed."""
    from discreet.ledger.databases.urls import hidden

    what = f"what is left{whose} pays for a smaller epsilon, up to {left}"
    typed = [*map(hidden, click.get_current_context().meta[TYPED])]
    if "--epsilon" not in typed[:-1]:
        return [what]
    typed[typed.index("--epsilon") + 1] = left
    return _to_copy(f"{what}:", ["discreet", "plan", *typed])


def _release(what: str, typed: Sequence[str], ledger: str = "", dataset: str = "") -> list[str]:
    paid = ["--ledger", ledger, "--dataset", dataset] if ledger else []
    return _to_copy(what, ["discreet", "release", *typed, *paid, "--output", _output()])


def _to_copy(what: str, words: Sequence[str]) -> list[str]:
    """What a command is for, and the command on lines of its own."""
    return [what, *continued(words, first="  ")]


def _of_a_release(typed: Sequence[str]) -> list[str]:
    """What was typed, without the options of a plan alone."""
    left, kept = list(typed), list[str]()
    while left:
        if left[0] in _OF_A_PLAN:
            del left[: _OF_A_PLAN[left[0]]]
        else:
            kept.append(left.pop(0))
    return kept


def _output() -> str:
    """A folder that is not there yet: a release overwrites none."""
    numbers = iter(range(2, 1000))
    name = _FOLDER
    while Path(name).exists():
        name = f"{_FOLDER}{next(numbers)}"
    return name


def _ledger(source: Sequence[object]) -> str:
    """The ledger that is there: here, or beside the file; or the one to make here."""
    beside = Path(str(source[0])).parent / _LEDGER if source else Path(_LEDGER)
    return str(beside) if beside.is_file() and not Path(_LEDGER).is_file() else _LEDGER


def _held(ledger: str) -> dict[str, Fraction]:
    """What the datasets of a ledger have left."""
    return (
        {account.dataset: account.remaining for account in _accounts(ledger)}
        if Path(ledger).is_file()
        else {}
    )


def _accounts(ledger: str) -> tuple[Account, ...]:
    """The accounts of a ledger; none where it does not answer."""
    from discreet.ledger import open_ledger

    with suppress(DiscreetError):
        return tuple(open_ledger(ledger, create=False).datasets())
    return ()


def _dataset(source: Sequence[object], ledger: str) -> str:
    """What a ledger may call these people: the name of the file, unless that could be of any
    people.
    """
    stem = Path(str(source[0])).stem if source else ""
    says = _PLAIN.fullmatch(stem) and stem not in _UNSAID
    return stem if says or stem in _held(ledger) else _PEOPLE
