"""`mechanism=m`: a release drawn from mechanisms of one's own instead of those that would be
designed.

Any exact mechanism will do: it cannot exist unless it is private. What is checked here, before
anything is spent, is that it is the right one and is paid for. It must be for the size of its
groups, and for what one person can change there; and its exact alpha must be at least exp(-epsilon)
for the epsilon of its draw. Without `epsilon` a release costs what its mechanisms do: for each
count the largest epsilon of those given, whichever sizes the table has.

Mechanisms are given one by one, in a list, by group size, as proof files or a folder of them, or
any of these by the name of a count. All become one form, which the digest of the question is made
of: a mapping by count and size.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.core.domains import Counts
from discreet.core.family import BySize
from discreet.core.forms import Uniform
from discreet.core.histogram import Domain, Histogram
from discreet.core.mechanism import Mechanism
from discreet.core.properties import read_shape
from discreet.core.rationals import Alpha, exp_minus, product_below, read_count, shown
from discreet.errors import InvalidInput, did_you_mean

if TYPE_CHECKING:
    from discreet.tables.asking.price import Price
    from discreet.tables.asking.question import Question
    from discreet.tables.asking.request import Request

Own = dict[str, dict[int, Mechanism]]
"""The mechanism of each count, by its name, and of each group size."""

_DESIGNED = {"loss": "L0", "prior": None, "worst_case": False, "gap": None, "levels": None}
"""What says how mechanisms are designed, with its default: with mechanisms that are given it
would say nothing.
"""

_KINDS = (
    "give what dc.design, dc.from_matrix or dc.load return, a mapping of group size to that, or "
    "proof files"
)


def with_own(request: Request, counts: list[str]) -> Request:
    """The request with its mechanisms read and, where no price was given, with what they cost;
    twice is as once.
    """
    for name, usual in _DESIGNED.items():
        value = getattr(request, name)
        if value is not usual and not (isinstance(value, str) and value == usual):
            rule = "is for mechanisms that are designed, and `mechanism` gives those to draw from"
            raise InvalidInput(name, rule, remedy="leave it out")
    own = _by_count(request.mechanism, counts)
    request = replace(request, mechanism=own)
    if request.epsilon is not None or request.alpha is not None:
        return request
    if request.split is not None:
        remedy = "without it each count costs what its mechanism does"
        raise InvalidInput("split", "needs `epsilon`, which it splits", remedy=remedy)
    each = {
        name: max(mechanism.epsilon for mechanism in by_size.values())
        for name, by_size in own.items()
    }
    for name, epsilon in each.items():
        if not epsilon:
            raise _never_looks(name)
    rows = 1 if request.together else read_count("contributions", request.contributions, least=1)
    return replace(
        request, epsilon=rows * sum(each.values()), split=each if len(each) > 1 else None
    )


def _by_count(given: Any, counts: list[str]) -> Own:
    named = (
        given if isinstance(given, Mapping) and any(isinstance(key, str) for key in given) else None
    )
    if named is None:
        return dict.fromkeys(counts, _by_size(given))
    for name in named:
        if name not in counts:
            remedy = did_you_mean(str(name), counts)
            raise InvalidInput(
                "mechanism", "must be by the names of counts, or by group size", name, remedy=remedy
            )
    if absent := [name for name in counts if name not in named]:
        raise InvalidInput(
            "mechanism", f"must be given for every count, and {', '.join(absent)} has none"
        )
    return {name: _by_size(named[name]) for name in counts}


def _by_size(given: Any) -> dict[int, Mechanism]:
    """Read mechanisms; each knows the size it is for."""
    listed: list[tuple[int | None, Any]] = [(None, one) for one in _listed(given)]
    if isinstance(given, Mapping):
        listed = [(read_count("mechanism", size), one) for size, one in given.items()]
    found: dict[int, Mechanism] = {}
    for size, one in listed:
        mechanism = _loaded(one) if isinstance(one, str | os.PathLike) else one
        if not isinstance(mechanism, Mechanism):
            raise InvalidInput(
                "mechanism", "must be a mechanism", type(mechanism).__name__, remedy=_KINDS
            )
        if size not in (None, mechanism.n):
            raise InvalidInput(
                "mechanism", f"for groups of {size} must be one of {size} people", mechanism.n
            )
        if mechanism.n in found:
            raise InvalidInput("mechanism", "has two for one group size", found=mechanism.n)
        found[mechanism.n] = mechanism
    if not found:
        raise InvalidInput("mechanism", "must be at least one", remedy=_KINDS)
    return found


def _listed(given: Any) -> Iterable[Any]:
    if isinstance(given, list | tuple):
        return [one for part in given for one in _files(part)]
    return _files(given)


def _files(given: Any) -> list[Any]:
    """The proof files of a folder; anything else is one thing."""
    if not isinstance(given, str | os.PathLike) or not Path(given).is_dir():
        return [given]
    files = sorted(Path(given).glob("*.json"))
    if not files:
        rule = "must be a folder of proof files, whose names end in .json"
        raise InvalidInput("mechanism", rule, str(given), remedy="m.save('m.json') writes one")
    return [*files]


def _loaded(path: str | os.PathLike[str]) -> Mechanism:
    from discreet.proof.loading import load

    return load(path)


def paid_for(price: Price, question: Question, own: Own) -> Price:
    """Refuse a price that does not pay for the mechanisms; state no alpha above theirs.

    The alpha that an epsilon is read as may be one part in 10^9 above that of a mechanism which the
    epsilon pays for.
    """
    each = []
    for count, draw in zip(question.counts, price.each, strict=True):
        enough = exp_minus(draw.epsilon)[1]  # at or above exp(-epsilon)
        for n, mechanism in own[count.asked].items():
            if mechanism.alpha < enough:
                rule = (
                    f"must pay for each draw of {count.name} what its mechanism for groups of {n} "
                    f"costs, {shown(mechanism.epsilon)}"
                )
                remedy = "leave `epsilon` out: the price is then that of the mechanisms"
                raise InvalidInput("epsilon", rule, shown(draw.epsilon), remedy=remedy)
        least = min(mechanism.alpha for mechanism in own[count.asked].values())
        each.append(Alpha(value=min(draw.value, least), epsilon=draw.epsilon))
    if tuple(each) == price.each:
        return price
    total = product_below((draw.value for draw in each), question.draws)
    stated = Alpha(value=min(price.total.value, total), epsilon=price.total.epsilon)
    return replace(price, total=stated, each=tuple(each))


def own_mechanisms(sizes: Iterable[int], price: Price, request: Request) -> list[BySize]:
    """For each count, the mechanism given for each size of the table; one that does not fit is
    refused.
    """
    ordered = tuple(sorted(sizes))
    answers = price.answers or (1,) * len(price.each)
    step = read_count("contributions", request.contributions, least=1) if request.together else 1
    given: Any = request.mechanism  # `with_own` has brought it to one form
    found = []
    for (name, own), draw, number in zip(given.items(), price.each, answers, strict=True):
        if missing := [str(n) for n in ordered if n and n not in own]:
            sizes_words = ", ".join(missing[:12]) + (", ..." if len(missing) > 12 else "")
            rule = f"must be given for every group size, and {name} has none for {sizes_words}"
            raise InvalidInput(
                "mechanism", rule, remedy="without `mechanism` a plan lists the sizes"
            )
        for n in filter(None, ordered):
            domain = Histogram(n, number) if number > 1 else Counts(n, min(step, n))
            _check_fit(name, own[n], domain, request.properties)
        if any(ordered) and all(own[n].tight_alpha == 1 for n in ordered if n):
            raise _never_looks(name)
        nobody = {0: Mechanism(privacy=draw, form=Uniform(0))} if ordered[0] == 0 else {}
        found.append(BySize(ordered, single=nobody | {n: own[n] for n in ordered if n}))
    return found


def _check_fit(name: str, mechanism: Mechanism, domain: Domain, properties: Any) -> None:
    n = mechanism.n
    if mechanism.domain != domain:
        rule = f"of {name} for groups of {n} must be one of {domain}"
        remedy = (
            f"design it with `step={domain.step}`"
            if isinstance(domain, Counts) and domain.step > 1
            else ""
        )
        raise InvalidInput("mechanism", rule, str(mechanism.domain), remedy=remedy)
    for wanted in read_shape(properties):
        if not (verdict := mechanism.check(wanted)).holds:
            rule = f"of {name} for groups of {n} must have the properties asked for, and {verdict}"
            raise InvalidInput(
                "mechanism", rule, remedy="leave `properties` out, or give another mechanism"
            )


def _never_looks(name: str) -> InvalidInput:
    rule = f"of {name} must depend on the data, and every true count has the same answers"
    return InvalidInput("mechanism", rule, remedy="otherwise the table says nothing about the data")
