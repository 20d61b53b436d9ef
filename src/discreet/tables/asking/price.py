"""What one person pays for a release, shared among its draws exactly; what is promised for it; the
mechanisms.

Mechanisms are designed for each (size, alpha), by theorem for whole ranges of sizes, before any
word is drawn. Prior, properties and loss are fixed before the data are seen: a prior that is a
column of the source is refused, one from an earlier release is fine.

`statement` says the guarantee in words that a reader of the table can hold us to, and what it does
not cover. Wordings are versioned and frozen: a manifest's statement is checked against its wording
made anew from its facts, so a wording that was ever published stays here as it was, and a better
one gets the next number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from discreet.core.family import BySize
from discreet.core.progress import Listener, Progress, Reporter
from discreet.core.rationals import (
    Alpha,
    Exact,
    epsilon_below,
    exp_minus,
    product_below,
    read_alpha,
    simplest_between,
)
from discreet.errors import DiscreetWarning, HighEpsilon, InvalidInput, NotIdentified, warn
from discreet.odds import learned, protects_little

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism
    from discreet.tables.asking.question import Question
    from discreet.tables.asking.request import Request
    from discreet.tables.engines import Sizes


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """What one person pays in total, and the parameter each single draw is made with."""

    total: Alpha
    each: tuple[Alpha, ...]
    """Count by count; of several levels, the finest first."""
    answers: tuple[int, ...] = ()
    """How many answers each question has, where some have several; 1 for a bit."""
    cells: tuple[bool, ...] = ()
    """Of each question, where some have several answers: whether each answer is to be drawn by
    itself.
    """

    def at(self, level: int, counts: int) -> Price:
        """The draws of one level, the finest being the first; at the others answers are drawn
        one by one.
        """
        each = self.each[level * counts :][:counts]
        return replace(self, each=each, cells=(True,) * len(self.cells) if level else self.cells)


def warn_if_high(total: Alpha) -> None:
    """Say in words that a release protects little."""
    if protects_little(total.value):
        said = f"epsilon {float(total.epsilon):.3g} protects little: {learned(total.value)}"
        warn(f"{said}. Usual are 0.1 to 2", HighEpsilon)


def warn_if_unnamed(question: Question) -> None:
    """Say that nobody is told apart where no column says who is who; a table of counts has no
    rows of people.
    """
    if question.unit is None and question.size is None:
        most = question.contributions
        several = f"no more than {most} rows are taken to be of one person"
        rule = "each row is taken for another person" if most == 1 else several
        warn(
            f"{rule}, and nothing checks it: `unit` names the column that says who is who",
            NotIdentified,
        )


def warn_if_single(question: Question, sizes: Mapping[int, int]) -> None:
    """Say that most groups are of one person, where they are: sizes are public, unless a cap
    hides them.
    """
    single, groups = sizes.get(1, 0), sum(groups for size, groups in sizes.items() if size)
    if 2 * single > groups and not question.cap:
        either = (
            "who is who with `unit`; or, if each row is a group, how many people it has: "
            "`size='COLUMN'`"
        )
        named = f", and name {either}" if question.unit is None and question.size is None else ""
        alone = (
            f"most groups ({single:,} of {groups:,}) are single persons: each one's answer "
            "is published, with noise"
        )
        warn(f"{alone}. Group by something that people share{named}", DiscreetWarning)


def read_price(
    question: Question,
    *,
    epsilon: Exact | None,
    alpha: Exact | None,
    levels: Sequence[Fraction] = (Fraction(1),),
    own: Any = None,
) -> Price:
    """Read what is paid, and which questions have several answers, paid for once; `own`:
    mechanisms that were given.
    """
    price = _shared(question, levels, epsilon=epsilon, alpha=alpha)
    if own is not None:
        from discreet.tables.asking.own_mechanisms import paid_for

        price = paid_for(price, question, own)
    answers = tuple(len(count.outputs) for count in question.counts)
    if set(answers) == {1}:
        return price
    cells = tuple(count.answers is not None and count.answers.cells for count in question.counts)
    return replace(price, answers=answers, cells=cells)


def _shared(
    question: Question, levels: Sequence[Fraction], *, epsilon: Exact | None, alpha: Exact | None
) -> Price:
    """Share epsilon among the levels, the counts and the contributions.

    One person has at most k rows. Changing them moves each count by at most k in all, wherever the
    rows lie, so a draw at epsilon_c costs that person k epsilon_c; the counts of one release
    compose by adding. Where all rows of a person are in one group, a draw that protects k of them
    at once (`together`) costs its epsilon once. A row is in one group of every level, so levels
    compose by adding too. In alphas: the product of the draws' alphas, each k times over, is at
    least the total's, exactly. Epsilons are shared out as they are; where the alphas cannot be,
    they are rounded toward more privacy.
    """
    total = read_alpha(alpha=alpha, epsilon=epsilon)
    if total.epsilon == 0:
        given, rule = (
            ("epsilon", "must be greater than 0")
            if alpha is None
            else ("alpha", "must be less than 1")
        )
        remedy = (
            "otherwise the table says nothing about the data; typical values of epsilon are 0.1 "
            "to 2"
        )
        raise InvalidInput(given, rule, remedy=remedy)
    k = question.draws
    shares = [level * count.share / k for level in levels for count in question.counts]
    if len(shares) == k == 1:
        return Price(total=total, each=(total,))
    if alpha is not None:
        # A share of an epsilon at or below -ln(alpha) makes each draw; its share of the price is
        # what it is paid at.
        spent = epsilon_below(total.value)
        drawn = [read_alpha(epsilon=spent * share).value for share in shares]
        paid = [total.epsilon * share for share in shares]
        return Price(total=total, each=tuple(map(_alpha, drawn, paid)))
    each = tuple(read_alpha(epsilon=total.epsilon * share) for share in shares)
    # What the draws come to is stated, not what one draw at this epsilon would be: that may be a
    # little more.
    reached = product_below((draw.value for draw in each), k)
    stated = simplest_between(min(exp_minus(total.epsilon)[1], reached), reached)
    return Price(total=_alpha(stated, total.epsilon), each=each)


def at_level(request: Request, shapes: Sequence[str], place: int) -> Request:
    """What a level asks of its mechanisms: the finest what was asked; others the best of their
    shape, GM if none.
    """
    if place == 0:
        return request
    gap = request.gap if shapes[place] else None
    return replace(
        request, properties=shapes[place], loss="L0", prior=None, worst_case=False, gap=gap
    )


def promise(question: Question, price: Price) -> Promise:
    """What the statement of the guarantee is made of."""
    return Promise(
        epsilon=price.total.epsilon,
        counts=len(question.counts),
        contributions=question.contributions,
        checked=question.unit is not None,
        of_people=question.size is None,
        cap=question.cap,
        histograms=any(count.answers for count in question.counts),
        levels=len(question.levels) or 1,
        together=question.step > 1,
    )


def check_prior(prior: Any, columns: Mapping[str, str]) -> None:
    """Refuse a prior taken from the table it would protect, for one size as for all."""
    if isinstance(prior, Mapping):
        for one in prior.values():
            check_prior(one, columns)
        return
    name = prior if isinstance(prior, str) else getattr(prior, "name", None)
    if isinstance(name, str) and name in columns:
        rule = (
            "must not be a column of the source: a prior taken from the data would reveal "
            "something about them"
        )
        raise InvalidInput(
            "prior",
            rule,
            found=name,
            remedy="use 'uniform', 'Binomial(0.3)', or numbers from an earlier release",
        )


def choose(sizes: Sizes, price: Price, request: Request, report: Reporter) -> list[BySize]:
    """For each count, the mechanism of each size. `prior` may be a mapping of size to prior.

    Questions with several answers have mechanisms of their own (`histogram_design`).
    """
    if request.mechanism is not None:
        from discreet.tables.asking.own_mechanisms import own_mechanisms

        return own_mechanisms(sizes, price, request)
    answers = price.answers or (1,) * len(price.each)
    asked = list(zip(price.each, answers, price.cells or [False] * len(answers), strict=True))
    made: dict[tuple[Alpha, int, bool], BySize] = {}
    wanted = dict.fromkeys(asked)
    total = len(sizes) * len(wanted)

    def tell(event: Progress) -> None:
        before = len(made) * len(sizes)
        report(
            "designing",
            before + event.done,
            total,
            left=event.left if event.total == total else None,
        )

    report("designing", 0, total)
    for each, number, cells in wanted:
        if number > 1:
            from discreet.tables.asking.histogram_design import choose_histogram

            made[each, number, cells] = choose_histogram(
                sizes, each, number, request, tell, cells=cells
            )
        elif request.together:
            from discreet.tables.asking.together import step_mechanisms

            made[each, number, cells] = step_mechanisms(sizes, each, request, tell)
        else:
            made[each, number, cells] = plain_mechanisms(sizes, each, request, tell)
    return [made[chosen] for chosen in asked]


def plain_mechanisms(sizes: Iterable[int], each: Alpha, request: Request, tell: Listener) -> BySize:
    """The mechanism of each size for a count that one person moves by one."""
    from discreet.designer import (
        design,
        design_many,
    )  # whoever reads a release needs the statement, and no designer

    asked = design_words(request)
    if not isinstance(request.prior, Mapping):
        return design_many(sizes, alpha=each, prior=request.prior, progress=tell, **asked)
    by_size: dict[int, Mechanism] = {}
    for size in sizes:
        by_size[size] = design(n=size, alpha=each, prior=prior_of(request.prior, size), **asked)
        tell(Progress(phase="designing", done=len(by_size)))
    return BySize(tuple(sorted(by_size)), single=by_size)


def design_words(request: Request) -> dict[str, Any]:
    """What is asked of a design besides its size, its privacy and its prior."""
    return {name: getattr(request, name) for name in ("properties", "loss", "worst_case", "gap")}


def prior_of(prior: Any, size: int) -> Any:
    """The prior of one size, which may be one for all."""
    if not isinstance(prior, Mapping):
        return prior
    if size not in prior:
        raise InvalidInput("prior", f"must be given for every group size, and {size} is missing")
    return prior[size]


def _alpha(value: Fraction, epsilon: Fraction) -> Alpha:
    return Alpha(value=value, epsilon=epsilon)


@dataclass(frozen=True, slots=True, kw_only=True)
class Promise:
    """The facts that the statement is made of."""

    epsilon: Fraction
    counts: int
    contributions: int
    checked: bool
    """Whether the limit on each person's rows was checked, or only declared."""
    of_people: bool
    """Whether the source was a table of people; else one of counts."""
    together: bool = False
    """Whether all rows of a person are in one group, and one draw answers for all of them."""
    histograms: bool = False
    """Whether some question has several answers."""
    cap: int = 0
    """How many people of each group are counted at most, where group sizes are protected."""
    levels: int = 1


def wording_of(promise: Promise) -> int:
    """The number of the wording that a new release is stated in."""
    if promise.cap:
        return 5
    if promise.levels > 1:
        return 3
    return 2 if promise.histograms else 4 if promise.together else 1


def statement(promise: Promise, wording: int | None = None) -> str:
    """Say what one person's bits can change, at which price, and what is published as it is."""
    return WORDINGS[wording_of(promise) if wording is None else wording](promise)


def _first(promise: Promise) -> str:
    counts = "this count" if promise.counts == 1 else f"all {promise.counts} counts together"
    return _stated(promise, "bits", counts)


def _second(promise: Promise) -> str:
    """The same where some question has several answers: a person's answers are protected, each
    question whole.
    """
    return _stated(promise, "answers", _questions(promise))


def _questions(promise: Promise) -> str:
    return (
        "this question" if promise.counts == 1 else f"{_every(promise.counts)} questions together"
    )


def _every(number: int) -> str:
    return "both" if number == 2 else f"all {number}"


def _several_levels(promise: Promise) -> str:
    """The same for several levels: a person is in one group of each, and they are paid for
    together.
    """
    protected, asked = ("answers", "question") if promise.histograms else ("bits", "count")
    counts = f"this {asked}" if promise.counts == 1 else f"{_every(promise.counts)} {asked}s"
    whole, group = (
        f"{counts} at {_every(promise.levels)} levels together",
        "one group of each level",
    )
    if promise.together:
        group = f"{promise.contributions} rows, all of them in {group}"
    return _stated(promise, protected, whole, released="any set of released tables", group=group)


def _stated(
    promise: Promise,
    protected: str,
    counts: str,
    *,
    released: str = "any released table",
    group: str = "one group",
) -> str:
    epsilon, k = promise.epsilon, promise.contributions
    basis = "which was checked" if promise.checked else "which whoever released the table declared"
    rows = f"each person has one row in {group}" if k == 1 else f"each person has at most {k} rows"
    if promise.together:
        rows = f"each person has at most {group}"
    elif not promise.of_people:  # a table of counts has no rows of people
        rows = (
            f"each person is counted once, in {group}"
            if k == 1
            else f"each person is counted at most {k} times"
        )
    return (
        f"Take two tables that differ only in the protected {protected} of one person. The chance "
        f"of {released} differs between the two by a factor of at most exp({epsilon}) (epsilon = "
        f"{epsilon} for {counts}). This holds if {rows}, {basis}. Keys, who is in which group, "
        "and each group's size n are NOT protected: they are published as they are. If a group's "
        "size is itself sensitive, this release does not hide it."
    )


def _rows_together(promise: Promise) -> str:
    epsilon, k = promise.epsilon, promise.contributions
    counts = "this count" if promise.counts == 1 else f"{_every(promise.counts)} counts together"
    return (
        "Take two tables that differ only in the protected bits of one person, in any of this "
        "person's rows. The chance of any released table differs between the two by a factor of "
        f"at most exp({epsilon}) (epsilon = {epsilon} for {counts}). This holds if each person "
        f"has at most {k} rows, all of them in one group, which was checked. Keys, who is in "
        "which group, and each group's size n are NOT protected: they are published as they are. "
        "If a group's size is itself sensitive, this release does not hide it."
    )


def _capped(promise: Promise) -> str:
    epsilon, cap, questions = promise.epsilon, promise.cap, _questions(promise)
    people = "1 person" if cap == 1 else f"{cap} people"
    return (
        "Take two tables that differ in one person, who is in a group of only one of them, or "
        "gives other answers in the same group. The chance of any released table differs between "
        f"the two by a factor of at most exp({epsilon}) (epsilon = {epsilon} for {questions}). If "
        "the person is in different groups of the two tables, the factor is at most "
        f"exp({2 * epsilon}): two groups have changed. Of each group at most {people} are "
        "counted, the first in an order of all people that was drawn without looking at the "
        "table; who is counted, and how many people there are, is protected as answers are. A "
        "person with several rows is counted once. The list of groups was given, and is published "
        "as it is."
    )


WORDINGS: Mapping[int, Callable[[Promise], str]] = {
    1: _first,
    2: _second,
    3: _several_levels,
    4: _rows_together,
    5: _capped,
}


def rows_selected(where: str | None, filtered_by: frozenset[str]) -> str:
    """The filter of rows in words: the one given, and the columns of the one in a query that is
    the source.
    """
    own = f"the source's own filter reads {', '.join(sorted(filtered_by))}" if filtered_by else ""
    return "; ".join(part for part in (where or "", own) if part)
