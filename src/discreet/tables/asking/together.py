"""Several rows of one person in one group (`together=True`): one draw answers for all of them.

A person with up to m rows, all in one group, moves its count by up to m. The best mechanism for
that (`dc.design` with `step=m`: neighbours are all counts up to m apart) is drawn from at the
count's whole share of epsilon, where rows that may lie anywhere would be paid for one by one, each
at epsilon/m. A group of n < m rows is moved by at most n.

Each size takes a linear program, so this ends at `MOST_ROWS`. Larger groups are drawn from what a
plain count gets, at epsilon/m: alpha' with alpha'^m >= alpha, so that what changes by m has changed
by no more than a factor of alpha.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from discreet.core.family import BySize
from discreet.core.progress import Listener, Progress
from discreet.core.rationals import Alpha, epsilon_below, read_alpha, read_count
from discreet.designer import design
from discreet.errors import InvalidInput
from discreet.tables.asking.price import design_words, plain_mechanisms, prior_of

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism
    from discreet.tables.asking.request import Request

MOST_ROWS = 24
"""Rows of a group up to which one draw is designed for all rows of a person: most take well under a
second each, the hardest six; at 40 some take 20."""


def check_together(request: Request) -> None:
    """One price for several rows needs to be told whose they are; `contributions` says how many."""
    if request.together is not True:
        raise InvalidInput("together", "must be true or false", request.together)
    if request.size is not None:
        raise InvalidInput(
            "together", "is for tables of people, and `size` says this is a table of counts"
        )
    if request.unit is None:
        raise InvalidInput(
            "together", "needs `unit`", remedy="name the column of the person: it is checked"
        )


def step_mechanisms(sizes: Iterable[int], each: Alpha, request: Request, tell: Listener) -> BySize:
    """The mechanism of each size for a count that one person moves by up to `contributions`."""
    step = read_count("contributions", request.contributions, least=1)
    if step == 1:
        return plain_mechanisms(sizes, each, request, tell)
    known = sorted(sizes)
    by_step: dict[int, Mechanism] = {}
    for n in (n for n in known if 1 < n <= MOST_ROWS):
        asked = {**design_words(request), "prior": prior_of(request.prior, n)}
        by_step[n] = design(n=n, step=min(step, n), alpha=each, **asked)
        tell(Progress(phase="designing", done=len(by_step)))

    def later(event: Progress) -> None:
        tell(replace(event, done=event.done + len(by_step)))

    single = plain_mechanisms([n for n in known if n <= 1], each, request, later)
    large = plain_mechanisms(
        [n for n in known if n > MOST_ROWS], row_by_row(each, step), request, later
    )
    families = single.families + large.families
    return BySize(tuple(known), families, {**single.single, **by_step, **large.single}, large.make)


def row_by_row(each: Alpha, step: int) -> Alpha:
    """The parameter of a draw that one person's rows pay for one by one: its alpha to the power of
    `step` is enough.

    >>> from fractions import Fraction
    >>> drawn = row_by_row(read_alpha(epsilon=1), 3)
    >>> drawn.epsilon, drawn.value**3 >= read_alpha(epsilon=1).value
    (Fraction(1, 3), True)
    """
    drawn = read_alpha(epsilon=epsilon_below(each.value) / step)
    return Alpha(value=drawn.value, epsilon=each.epsilon / step)
