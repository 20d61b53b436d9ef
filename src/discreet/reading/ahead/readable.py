"""Whether totals can be read of what is about to be released: what cannot be is said, or refused,
before it is paid.

A mechanism of some size may leave different distributions of true answers with the same outputs.
One group of that size then makes every sum it belongs to unreadable, for ever. Questions with
several answers are refused where a design is like that: without what was asked of it they can be
read. Of counts, and of mechanisms that somebody gives, a release warns: each group can be read by
itself. The remedies named were tried for the sizes in question. All of it depends on sizes, epsilon
and what was asked: public facts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from discreet.core.progress import silent
from discreet.core.properties import Shape, read_shape
from discreet.core.rationals import Alpha, shown
from discreet.errors import DiscreetError, InvalidInput, warn
from discreet.reading.count_columns import without_total
from discreet.reading.histograms.answer_values import check_histogram_readable, unreadable_note
from discreet.tables.asking.price import plain_mechanisms
from discreet.tables.plan_lines import sizes_words

if TYPE_CHECKING:
    from discreet.core.family import BySize
    from discreet.tables.asking.question import Count
    from discreet.tables.asking.request import Request

MOST_TRIED = 20
"""Sizes up to which a remedy is tried that takes a linear program for each of them."""

_ASKED = ("properties", "loss", "prior", "worst_case")
"""What may be asked of a design besides its privacy."""


def sizes_without_total(count: Count, by_size: BySize) -> str:
    """The sizes, in words, of which no unbiased total can be made; empty where all can be read.

    Of several answers only what is drawn whole is asked: answers drawn one by one are read as
    counts by GM.
    """
    if count.answers is None:
        found = without_total(by_size)
    else:
        found = [
            n for n, made in by_size.single.items() if check_histogram_readable(made) is not None
        ]
    return sizes_words(sorted(found), dict.fromkeys(by_size.sizes, 1)) if found else ""


def check_totals(
    counts: Sequence[Count], chosen: Sequence[BySize], each: Sequence[Alpha], request: Request
) -> None:
    """Refuse answers of which no total can be read; warn of counts and of mechanisms that are
    given.
    """
    for count, by_size, privacy in zip(counts, chosen, each, strict=True):
        if request.mechanism is not None:
            if note := unreadable_note(count.name, by_size.single.values()):
                warn(note, UserWarning)
        elif count.answers is not None:
            refuse_without_total(count, by_size, privacy, request)
        elif any(by_size.single) and (sizes := sizes_without_total(count, by_size)):
            remedy = remedy_words(count, by_size, privacy, request)
            said = (
                f"{count.name} has no totals: {_no_total_words(sizes)}. Each group can be read by "
                "itself."
            )
            warn(f"{said} To have totals: {remedy}", UserWarning)


def refuse_without_total(count: Count, by_size: BySize, each: Alpha, request: Request) -> None:
    """Refuse several answers of a designed mechanism of which no total can be read."""
    if any(by_size.single) and (sizes := sizes_without_total(count, by_size)):
        raise _refusal(count, sizes, by_size, each, request)


def remedy_words(count: Count, by_size: BySize, each: Alpha, request: Request) -> str:
    """What can be read instead: tried for these sizes, the one that changes least first."""
    asked = asked_for(request)
    left_out = f"leave out {' and '.join(f'`{name}`' for name in asked)}"
    if not asked:
        return "use a larger epsilon"
    if count.answers is not None:
        return (
            f"{left_out}; groups whose answers cannot be read from one draw are then drawn answer "
            "by answer"
        )
    tried = list(_tried(by_size, each, request, left_out))
    return f"{', or '.join(tried)}; or use a larger epsilon" if tried else "use a larger epsilon"


def asked_for(request: Request) -> list[str]:
    """What was asked of a design besides its privacy.

    >>> from discreet.tables.asking.request import Request
    >>> asked_for(Request(by="clinic", count="smoker", epsilon=1, properties="CM", loss="L1"))
    ['properties', 'loss']
    """
    return [name for name in _ASKED if not _is_usual(name, getattr(request, name))]


def _is_usual(name: str, given: Any) -> bool:
    if name == "properties":
        return read_shape(given) == Shape()
    return (
        given is None
        or given is False
        or (isinstance(given, str) and given.strip().lower() in ("l0", "uniform"))
    )


def _tried(by_size: BySize, each: Alpha, request: Request, left_out: str) -> Iterator[str]:
    """What can be read in the place of what was asked for: first what changes least. Each is
    designed, and asked.
    """
    if request.together:
        return
    shape = read_shape(request.properties)
    honest = replace(shape, names=shape.names | {"WH"})
    usual = replace(request, properties=None, loss="L0", prior=None, worst_case=False, gap=None)
    others = {
        f"add WH (`properties={str(honest)!r}`)": replace(request, properties=honest),
        "ask for `properties='F'` and nothing else": replace(usual, properties="F"),
        left_out: usual,
    }
    unread = without_total(by_size)
    for words, other in others.items():
        if other == request or (len(unread) > MOST_TRIED and other.properties == honest):
            continue
        with suppress(DiscreetError):
            if not without_total(plain_mechanisms(unread, each, other, silent)):
                yield words


def _refusal(
    count: Count, sizes: str, by_size: BySize, each: Alpha, request: Request
) -> InvalidInput:
    rule = f"would leave {count.name} without totals: {_no_total_words(sizes)}"
    remedy = remedy_words(count, by_size, each, request)
    asked = asked_for(request)
    if not asked:
        return InvalidInput("epsilon", rule, found=shown(each.epsilon), remedy=remedy)
    given = getattr(request, asked[0])
    return InvalidInput(
        asked[0], rule, found=given if isinstance(given, str) else ..., remedy=remedy
    )


def _no_total_words(sizes: str) -> str:
    return f"none can ever be estimated from groups of {sizes}, nor from any sum that includes one"
