"""`dc.plan`: what a release would cost and how good it would be, before anything is drawn or spent.

A plan reads names, keys, sizes, and the columns of `unit` and `where`; it never reads a protected
column, so making one is free however often it is made.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from discreet.core.family import MechanismsLike
from discreet.core.losses import LossLike, PriorLike
from discreet.core.progress import Listener, Reporter
from discreet.core.properties import ShapeLike
from discreet.core.rationals import Alpha, Exact, in_decimals
from discreet.errors import InvalidInput
from discreet.tables.asking.price import (
    at_level,
    check_prior,
    choose,
    promise,
    read_price,
    rows_selected,
    statement,
    warn_if_high,
    warn_if_single,
    warn_if_unnamed,
)
from discreet.tables.asking.question import Count, Question, read_question
from discreet.tables.asking.request import (
    Budget,
    Machine,
    Request,
    refuse_values,
    repeatable,
    taken,
)
from discreet.tables.asking.smallest_groups import merged_apart
from discreet.tables.engines import Counts, Engine, Sizes, open_engine
from discreet.tables.parameter_words import documented
from discreet.tables.plan_lines import Line, plan_lines
from discreet.tables.plan_totals import PlannedTotal, planned_totals, subtotals
from discreet.tables.published.manifest import SIZE
from discreet.tables.published.result import public_here

if TYPE_CHECKING:
    from discreet.core.family import BySize
    from discreet.ledger import Ledger
    from discreet.tables.level_split import Shared
    from discreet.tables.plan_levels import PlannedLevel


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The price of a release and what it buys."""

    epsilon: Fraction
    alpha: Fraction
    each: tuple[tuple[str, Fraction], ...]
    """The epsilon of one draw of each count."""
    contributions: int
    together: bool
    """Whether all rows of a person are in one group, and one draw answers for all of them."""
    guarantee: str
    public: str
    """What is treated as public, by name: it is not protected, however sensitive it may be."""
    groups: int
    lines: tuple[Line, ...]
    """One for each count and range of sizes: few sizes one by one, many in ranges that double."""
    remaining: Fraction | None
    """What the ledger has left before this release, when one was given."""
    totals: tuple[PlannedTotal, ...] = ()
    """How noisy sums of the finest table will be, for the shape asked for and for others."""
    no_total: tuple[tuple[str, str], ...] = ()
    """Counts, and the sizes of groups ("1-3 7") whose outputs have no unbiased estimate, or only
    a hopeless one.
    """
    refused: str = ""
    """Why a release as it is planned would be refused, where it would be: totals of it could
    never be read.
    """
    levels: tuple[PlannedLevel, ...] = ()
    """Of a release of several levels, the finest first: shares of epsilon, and what each level
    will be worth.
    """
    histograms: tuple[str, ...] = ()
    """For each question with several answers: which sizes are drawn whole, which answer by
    answer, and why.
    """

    keys: tuple[str, ...] = ()
    """The key columns whose values, and how many people have each, will be public; none where
    sizes are private.
    """
    unread: tuple[str, ...] = ()
    """Counts that are columns of text: whether they hold bits only a release will know, which
    reads them.
    """
    predicates: tuple[tuple[str, str], ...] = ()
    """Counts that are predicates, and these."""
    empty_refused: bool = False
    """Whether a release refuses a row of which a predicate says nothing, because a value is
    missing.
    """
    words: tuple[tuple[str, tuple[str, ...], bool], ...] = ()
    """Columns whose values are answers and no other is taken, with these, and whether an empty
    one is refused too.
    """

    @property
    def in_ranges(self) -> bool:
        """Whether some line stands for several sizes."""
        return any(line.sizes > 1 for line in self.lines)

    def to_dict(self) -> dict[str, Any]:
        """Return the plan as plain values, for JSON; exact numbers as text."""
        plain = asdict(self)
        for name in ("epsilon", "alpha", "remaining"):
            plain[name] = None if plain[name] is None else str(plain[name])
        plain["each"] = {name: str(value) for name, value in self.each}
        for level in plain["levels"]:
            level |= {
                "share": str(level["share"]),
                "each": {name: str(value) for name, value in level["each"]},
            }
        return plain

    def __repr__(self) -> str:
        asked = f"{', '.join(name for name, _ in self.each)}, groups: {self.groups:,}"
        return f"<Plan: {asked}, epsilon {in_decimals(self.epsilon)}; print(plan) shows it>"

    def __str__(self) -> str:
        from discreet.show.releases import plan_text

        return plan_text(self, more=".text(details=True)")

    def text(self, *, details: bool = False) -> str:
        """Return the plan in words; `details`: every group size, and what other shares of the
        levels would change.
        """
        from discreet.show.releases import plan_text

        return plan_text(self, details=details)

    def _repr_html_(self) -> str:
        from discreet.show.releases import plan_html

        return plan_html(self)


@documented
def plan(
    source: Any,
    *,
    by: str | Sequence[str] | Mapping[str, str],
    count: str | Sequence[str] | Mapping[str, Any],
    size: str | int | None = None,
    epsilon: Exact | None = None,
    alpha: Exact | None = None,
    properties: ShapeLike = None,
    loss: LossLike = "L0",
    prior: PriorLike | Mapping[int, PriorLike] = None,
    worst_case: bool = False,
    gap: Exact | None = None,
    mechanism: MechanismsLike | None = None,
    split: Mapping[str, Exact] | Sequence[Exact] | None = None,
    unit: str | None = None,
    contributions: int = 1,
    together: bool = False,
    excess: str = "refuse",
    where: str | None = None,
    nulls: str = "refuse",
    public: Sequence[str] = (),
    keys: Any = None,
    other_keys: str = "refuse",
    cap: int | None = None,
    intervals: Exact | None = None,
    smallest: int | None = None,
    adding_up: bool = False,
    levels: str | Sequence[Sequence[str]] | None = None,
    level_split: Mapping[str, Exact] | None = None,
    level_importance: Mapping[str, Exact] | None = None,
    level_properties: Mapping[str, ShapeLike] | None = None,
    read: Mapping[str, Any] | None = None,
    ledger: str | os.PathLike[str] | Ledger | None = None,
    dataset: str | None = None,
    memory_limit: str | None = None,
    threads: int | None = None,
    temporary: str | os.PathLike[str] | None = None,
    progress: Listener | None = None,
) -> Plan:
    """Work out what `dc.release` with the same words would do. No answer is read, nothing is spent.

    >>> import pyarrow as pa
    >>> people = pa.table({"clinic": ["a", "a", "b"], "smoker": [True, False, True]})
    >>> p = plan(people, by="clinic", count="smoker", epsilon=1, properties="F")
    >>> [(line.n, line.groups) for line in p.lines]
    [(1, 1), (2, 1)]
    """
    given = locals()  # the parameters by name
    refuse_values(given)
    report, request, budget = (
        Reporter(progress),
        repeatable(taken(Request, given)),
        taken(Budget, given),
    )
    budget.check()
    engine = open_engine(source, read, taken(Machine, given))
    try:
        question = read_question(engine, request)
        price = read_price(
            question, epsilon=request.epsilon, alpha=request.alpha, own=request.mechanism
        )
        warn_if_high(price.total)
        warn_if_unnamed(question)
        unprotected = _public(question, rows_selected(where, engine.filtered_by()))
        check_prior(prior, engine.columns)
        unread = _unread(question, engine.columns)
        report("counting")
        counts = engine.sizes(question)
        sums = subtotals(engine, question, counts)
        shared = _shared(engine, question, request, counts) if counts.sizes else None
    finally:
        engine.close()
    if not counts.sizes:
        raise InvalidInput(
            "source", "has no rows to group", remedy="give `keys` to release empty groups"
        )
    warn_if_single(question, counts.sizes)
    own = price if shared is None else shared.price.at(0, len(question.counts))
    mechanisms, draws = choose(counts.sizes, own, request, report), own.each
    _refuse_unusable(question, mechanisms)
    return Plan(
        epsilon=price.total.epsilon,
        alpha=price.total.value if shared is None else shared.price.total.value,
        each=tuple(
            (asked.name, each.epsilon) for asked, each in zip(question.counts, draws, strict=True)
        ),
        contributions=question.contributions,
        together=question.step > 1,
        guarantee=statement(promise(question, price)),
        public=unprotected,
        groups=sum(counts.sizes.values()),
        lines=tuple(
            line
            for asked, by_size in zip(question.counts, mechanisms, strict=True)
            for line in _lines(asked, counts.sizes, by_size)
        ),
        remaining=_remaining(budget),
        totals=planned_totals(
            question, request, counts.sizes, sums, list(zip(draws, mechanisms, strict=True))
        ),
        no_total=_no_total(question, mechanisms),
        refused=_refused(question, request, mechanisms, draws),
        levels=() if shared is None else _levels(question, request, shared, mechanisms, report),
        histograms=tuple(
            note
            for asked, by_size, each in zip(question.counts, mechanisms, draws, strict=True)
            if asked.answers is not None
            for note in _notes(asked, by_size, each)
        )
        + _cap_note(question.cap),
        keys=() if question.cap else merged_apart(question.told_keys, question.smallest)[0],
        unread=unread,
        predicates=tuple(
            (asked.name, asked.expression.text)
            for asked in question.counts
            if asked.given is None and asked.column is None
        ),
        empty_refused=question.nulls == "refuse",
        words=tuple(
            (asked.given.column, asked.given.values, not asked.given.nulls)
            for asked in question.counts
            if asked.given is not None and asked.given.column and not asked.given.other
        ),
    )


def _unread(question: Question, types: Mapping[str, str]) -> tuple[str, ...]:
    """The counts that are columns of text; whether their values are bits is not known before
    they are read.
    """
    if question.size is not None:
        return ()
    texts = {name for name, kind in types.items() if kind.lower() in ("varchar", "string")}
    return tuple(
        asked.column for asked in question.counts if asked.answers is None and asked.column in texts
    )


def _public(question: Question, where: str) -> str:
    if question.cap:
        from discreet.tables.asking.capping import public_with_cap

        return public_with_cap(question.told_keys)
    size = question.size if isinstance(question.size, str) else SIZE
    keys, merged = merged_apart(question.told_keys, question.smallest)
    return public_here(keys=keys, size=size, where=where, unit=question.unit or "", merged=merged)


def _lines(asked: Count, sizes: Sizes, by_size: BySize) -> list[Line]:
    if asked.answers is None:
        return plan_lines(asked.name, sizes, by_size)
    from discreet.tables.histogram_lines import histogram_lines

    return histogram_lines(asked.name, sizes, by_size)


def _cap_note(cap: int) -> tuple[str, ...]:
    if not cap:
        return ()
    from discreet.tables.asking.capping import cap_note

    return (cap_note(cap),)


def _notes(asked: Count, by_size: BySize, each: Alpha) -> list[str]:
    from discreet.tables.histogram_lines import histogram_notes

    cells = asked.answers is not None and asked.answers.cells
    return histogram_notes(asked.name, len(asked.outputs), by_size, each, cells=cells)


def _refuse_unusable(question: Question, mechanisms: list[BySize]) -> None:
    """Refuse what a release refuses once its mechanisms are known."""
    from discreet.tables.noise import Noise

    Noise(question, mechanisms)


def _no_total(question: Question, mechanisms: list[BySize]) -> tuple[tuple[str, str], ...]:
    from discreet.reading.ahead.readable import sizes_without_total

    every = zip(question.counts, mechanisms, strict=True)
    return tuple(
        (asked.name, found)
        for asked, by_size in every
        if (found := sizes_without_total(asked, by_size))
    )


def _refused(
    question: Question, request: Request, mechanisms: list[BySize], draws: Sequence[Alpha]
) -> str:
    from discreet.reading.ahead.readable import refuse_without_total

    if request.mechanism is not None:  # a release warns
        return ""
    try:
        for asked, by_size, each in zip(question.counts, mechanisms, draws, strict=True):
            if asked.answers is not None:
                refuse_without_total(asked, by_size, each, request)
    except InvalidInput as error:
        return str(error)
    return ""


def _shared(engine: Engine, question: Question, request: Request, counts: Counts) -> Shared | None:
    """How several levels share epsilon; None where there is one."""
    if len(question.levels) == 1:
        return None
    from discreet.tables.level_split import share_levels

    return share_levels(engine, question, request, counts, planned=True)


def _levels(
    question: Question, request: Request, shared: Shared, finest: list[BySize], report: Reporter
) -> tuple[PlannedLevel, ...]:
    from discreet.tables.level_split import refuse_unreadable
    from discreet.tables.plan_levels import planned_levels

    mechanisms = [finest]
    for place, counts in enumerate(shared.counts[1:], start=1):
        coarse = at_level(request, question.level_properties, place)
        mechanisms.append(
            choose(counts.sizes, shared.price.at(place, len(question.counts)), coarse, report)
        )
        _refuse_unusable(question, mechanisms[-1])
        refuse_unreadable(question, place, mechanisms[-1])
    return planned_levels(question, request, shared, mechanisms, _lines)


def _remaining(budget: Budget) -> Fraction | None:
    if budget.ledger is None:
        return None
    from discreet.tables.account import Spending

    book = Spending(budget)
    return book.ledger.remaining(book.dataset)
