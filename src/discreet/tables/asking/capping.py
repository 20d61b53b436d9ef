"""Private group sizes (`cap=N`): at most N people of each group are counted, and "absent" is one
more answer.

With a public cap N every group has N places, and each is taken by a person with an answer or by
nobody. So a question with k answers (a bit has two, yes and no) is a histogram of N places over k +
1 answers, whatever the group's size is: one who joins, leaves or answers otherwise moves it by one
unit. One who moves to another group changes two groups, and pays twice.

People beyond the cap are left out by a fixed order of all people there could be, made of the person
alone: a keyed hash of the `unit`. Then one person's change exchanges at most one of those kept
(proof in docs/release-claims.md). The key is drawn for each release, before any row is read. It
need not be secret: a release is private under every key.

Nothing that depends on who is there may show: the groups are given (`keys`), and their types with
them. Rows that would be refused elsewhere become something that was said in advance. What is read
from true sizes is refused with a cap.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from discreet.core.certificate import MAX_N
from discreet.core.rationals import read_count
from discreet.errors import InvalidInput
from discreet.tables.asking.answers import Answers
from discreet.tables.published.manifest import ABSENT

if TYPE_CHECKING:
    from discreet.tables.asking.question import Count, Question
    from discreet.tables.asking.request import Request

YES, NO = "yes", "no"
"""The answers of a bit."""

_NEED_SIZES = {
    "smallest": "decides by",
    "levels": "share epsilon by",
    "intervals": "need",
    "adding_up": "needs",
}
"""What is refused with a cap, and why."""


def with_cap(question: Question, request: Request) -> Question:
    """The question with at most so many people counted of each group; what would show who is
    there is refused.
    """
    cap = read_count("cap", request.cap, least=1, most=MAX_N)
    if request.size is not None:
        raise InvalidInput(
            "cap", "is for tables of people, and `size` says this is a table of counts", found=cap
        )
    if request.unit is None:
        remedy = (
            "name the column of the person, such as `unit='person'`: who is kept is decided by it"
        )
        raise InvalidInput("cap", "needs `unit`", remedy=remedy)
    if request.keys is None:
        remedy = (
            "give the groups, such as `keys='clinics.csv'`: which of them appear would show who "
            "is there"
        )
        raise InvalidInput("cap", "needs `keys`", remedy=remedy)
    if request.contributions != 1 or request.together:
        remedy = "leave `contributions` and `together` out: one row of each person is counted"
        raise InvalidInput("cap", "counts each person once", remedy=remedy)
    if isinstance(request.by, Mapping) and any(name != text for name, text in request.by.items()):
        remedy = "prepare the column before the release"
        raise InvalidInput(
            "by",
            "must be columns with `cap`: an expression that fails would show a row",
            remedy=remedy,
        )
    for name, rule in _NEED_SIZES.items():
        if getattr(request, name) not in (None, False):
            remedy = f"leave `{name}` out; `dc.estimate` reads the release, in all or by key"
            raise InvalidInput(
                name, f"{rule} the sizes of groups, which `cap` hides", remedy=remedy
            )
    _check_calculations(request, question.counts)
    _check_mappings(request, question.counts)
    return replace(question, cap=cap, counts=tuple(map(_with_absent, question.counts)))


def _check_calculations(request: Request, counts: Sequence[Count]) -> None:
    """Refuse what calculates with a row: a calculation that fails for one person shows that they
    are there.
    """
    fails = "a calculation that fails for a row would show that it is there"
    if request.where is not None:
        raise InvalidInput(
            "where",
            f"cannot be had with `cap`: {fails}",
            remedy="select the rows before the release",
        )
    if request.read and request.read.get("types"):
        rule = (
            "must not give types with `cap`: a value that its type cannot hold would show that "
            "its row is there"
        )
        remedy = (
            "leave 'types' out: keys take the type of `keys`, and bits and answers are read from "
            "text"
        )
        raise InvalidInput("read", rule, remedy=remedy)
    for count in counts:
        if count.answers is None and count.column is None:
            remedy = "make it a column before the release, or name a column and its `answers`"
            raise InvalidInput(
                "count",
                f"must be a column with `cap`: {fails}",
                count.expression.text,
                remedy=remedy,
            )


def _check_mappings(request: Request, counts: Sequence[Count]) -> None:
    """What becomes of a row that cannot be counted is said in advance: to refuse it would show
    that it is there.
    """
    wanted = [
        f"`{name}='drop'`" for name in ("other_keys", "excess") if getattr(request, name) != "drop"
    ]
    for count in counts:
        if count.answers is None:
            wanted += ["`nulls='0'` or `nulls='1'`"] if str(request.nulls) == "refuse" else []
        elif not count.answers.values:
            remedy = (
                "write them as one column with `answers`, `other` and `nulls`, prepared before "
                "the release"
            )
            rule = (
                f"cannot have a predicate for each answer of {count.name} with `cap`: a row "
                "that meets none is refused"
            )
            raise InvalidInput("count", rule, remedy=remedy)
        else:
            options = {"other": count.answers.other, "nulls": count.answers.nulls}
            wanted += [
                f"'{name}': ANSWER (--answer-{name}) for {count.name}"
                for name, given in options.items()
                if not given
            ]
    if wanted:
        rule = "hides who is in the table, so no row may be refused"
        raise InvalidInput(
            "cap", rule, remedy=f"say what becomes of rows: {', '.join(dict.fromkeys(wanted))}"
        )


def _with_absent(count: Count) -> Count:
    """The question with "absent" as its last answer; a bit becomes yes and no."""
    answers = count.answers or Answers(names=(YES, NO), parts=(count.expression,))
    if ABSENT in answers.names:
        remedy = "with `cap` it is the answer of a place that nobody takes: give yours another name"
        raise InvalidInput(
            "count", f"must not have an answer {ABSENT!r} for {count.name}", remedy=remedy
        )
    return replace(count, answers=replace(answers, names=(*answers.names, ABSENT)))


def public_with_cap(keys: Sequence[str]) -> str:
    """Name what is treated as public with a cap.

    >>> public_with_cap(["region", "clinic"])
    'the groups that were given (region, clinic) are published. Who is in them, and how many, is
    protected'
    """
    return (
        f"the groups that were given ({', '.join(keys)}) are published. Who is in them, and how "
        "many, is protected"
    )


def cap_note(cap: int) -> str:
    """What a plan says of the cap."""
    people = "1 person" if cap == 1 else f"{cap} people"
    return (
        f"group sizes are protected: of each group at most {people} are counted, whatever its "
        f"size n is, and the rest of the {cap} places is {ABSENT}; a person who moves to another "
        "group pays twice"
    )
