"""`dc.release`: a table of people, or of counts, becomes a table of private counts, under a budget.

The order is the point. Everything that can be refused is refused first; the true counts are then
computed once and checked; mechanisms are designed from public sizes; the ledger reserves the price
and records that words will be drawn; only then is a word drawn. The finished bundle is made
durable, its digest is recorded, and one rename shows it. A process killed anywhere leaves at most a
spent reservation and a hidden folder, never half a release.
"""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from fractions import Fraction
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from discreet.core.family import MechanismsLike
from discreet.core.losses import LossLike, PriorLike
from discreet.core.progress import Listener, Reporter, lines_to, reached
from discreet.core.properties import ShapeLike, read_shape
from discreet.core.rationals import Exact
from discreet.errors import DiscreetError, InvalidInput
from discreet.ledger import Ledger
from discreet.proof.container import check_number
from discreet.tables.account import Spending, unpaid
from discreet.tables.asking.price import (
    Price,
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
    wording_of,
)
from discreet.tables.asking.question import Question, read_question
from discreet.tables.asking.request import (
    Budget,
    Delivery,
    Machine,
    Request,
    question_digest,
    refuse_values,
    repeatable,
    taken,
)
from discreet.tables.engines import Counts, Engine, open_engine
from discreet.tables.parameter_words import documented
from discreet.tables.published import bundle
from discreet.tables.published.drawn import Drawn, Undrawn
from discreet.tables.published.formulas import check_names, escaped
from discreet.tables.published.manifest import GIVEN, SIZE, Excess, Manifest, Public, write_fraction
from discreet.tables.published.result import Release, finish_bundle, names_of


@documented
def release(
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
    resume: str | None = None,
    run_id: str | None = None,
    output: str | os.PathLike[str] | None = None,
    format: str | None = None,
    escape_formulas: bool = False,
    byte_order_mark: bool = False,
    overwrite: bool = False,
    memory_limit: str | None = None,
    threads: int | None = None,
    temporary: str | os.PathLike[str] | None = None,
    progress: Listener | bool | None = None,
) -> Release:
    """Release private counts of a table: everything is checked, then the price is paid, then noise
    is drawn.

    Returns a `Release` with the table, the manifest and the mechanisms. What is promised is
    `manifest.guarantee`.

    >>> import pyarrow as pa
    >>> people = pa.table({"clinic": ["a", "a", "b"], "smoker": [True, False, True]})
    >>> r = release(people, by="clinic", count="smoker", epsilon=1, properties="F")
    >>> r.table.column_names, r.table["n"].to_pylist()
    (['clinic', 'n', 'smoker'], [2, 1])
    """
    given = locals()  # the parameters by name
    refuse_values(given)
    if format is not None:
        bundle.check_format(
            format, escape_formulas=escape_formulas, byte_order_mark=byte_order_mark
        )
    if run_id is None:
        return _release(given)
    from discreet.tables.jobs.once import once

    return once(given, _release)


def _release(given: dict[str, Any]) -> Release:
    """Release, or take up the release that `resume` names; `given` are the parameters of the
    verb.
    """
    budget, delivery, progress = taken(Budget, given), taken(Delivery, given), given["progress"]
    output, resume = delivery.output, delivery.resume
    report = Reporter(
        lines_to(sys.stderr) if progress is True else progress or None,
        resume or secrets.token_hex(16),
    )
    target = (
        None
        if output is None
        else bundle.check_output(output, overwrite=delivery.overwrite or resume is not None)
    )
    budget.check(resume)
    request = repeatable(taken(Request, given))
    asked = question_digest(request)
    book = None if budget.ledger is None else Spending(budget, delivery, asked, report.release)
    if book is not None and (
        finished := book.finish_published(target, overwrite=delivery.overwrite)
    ):
        report.log(
            "publish", run_id=delivery.run_id, path=finished.path, sha256=finished.manifest.digest
        )
        return finished
    if output is not None:  # a bundle that is there and is not the one being resumed
        bundle.check_output(output, overwrite=delivery.overwrite)
    if book is not None:
        book.refuse_if_too_dear(request)
    report.log("start", run_id=delivery.run_id, dataset=budget.dataset)
    report("reading")
    machine = taken(Machine, given)
    with (
        report.failures_logged(),
        unpaid(book),
        closing(open_engine(given["source"], request.read, machine)) as engine,
    ):
        ready = _prepare(engine, request, delivery, asked, report)
        warn_if_high(ready.price.total)
        warn_if_unnamed(ready.question)
        warn_if_single(ready.question, ready.tables[0].counts.sizes)
        budget.warn_if_none()
        made = _spend_and_draw(ready, book, target, report)
    report("done", 1, 1)
    report.log("end", groups=ready.groups, seconds=round(report.seconds, 3))
    return replace(made, seconds=report.seconds)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ready:
    """Everything that is decided before anything is spent."""

    engine: Engine
    request: Request
    delivery: Delivery
    format: str
    digest: str
    question: Question
    price: Price
    mechanisms: Drawn
    tables: tuple[Undrawn, ...]
    """The finest first."""

    @property
    def groups(self) -> int:
        """How many groups are released, of all levels."""
        return sum(table.groups for table in self.tables)


def _prepare(
    engine: Engine, request: Request, delivery: Delivery, digest: str, report: Reporter
) -> _Ready:
    """Refuse what can be refused, count once, and design for the sizes, which are public."""
    format = bundle.format_of(delivery, engine)
    question = read_question(engine, request)
    if delivery.escape_formulas:
        check_names(question.output_columns)
    price = read_price(
        question, epsilon=request.epsilon, alpha=request.alpha, own=request.mechanism
    )
    read_shape(request.properties)
    check_prior(request.prior, engine.columns)
    report("counting")
    # What designing and drawing need is imported while the engine counts: that takes no longer on
    # two cores.
    with ThreadPoolExecutor(1) as meanwhile:
        meanwhile.map(import_module, ("discreet.designer", "discreet.tables.noise"))
        counts = engine.count(question)
    if not counts.sizes:
        raise InvalidInput(
            "source", "has no rows to group", remedy="give `keys` to release empty groups"
        )
    every, shares = [counts], question.level_split or ()
    if len(question.levels) > 1:
        from discreet.tables.level_split import share_levels

        every, shares, price, _ = share_levels(engine, question, request, counts)
    tables = tuple(
        _table(replace(question, by=keys), request, price, place, share, counted, report)
        for place, (keys, share, counted) in enumerate(
            zip(question.levels, shares, every, strict=True)
        )
    )
    finest, *coarser = (table.mechanisms for table in tables)
    mechanisms = finest.beside(coarser) if coarser else finest
    if delivery.output is not None:
        check_number(len(mechanisms.entries))
    if question.adding_up:
        from discreet.tables.whole_columns import check_whole

        check_whole(engine.name, mechanisms, question, len(tables))
    return _Ready(
        engine=engine,
        request=request,
        delivery=delivery,
        format=format,
        digest=digest,
        question=question,
        price=price,
        mechanisms=mechanisms,
        tables=tables,
    )


def _table(
    question: Question,
    request: Request,
    price: Price,
    place: int,
    share: Fraction,
    counts: Counts,
    report: Reporter,
) -> Undrawn:
    """Design for the sizes of one level; the shape asked for is that of the finest, and of
    coarser ones named.
    """
    from discreet.tables.noise import Noise

    asked = at_level(request, question.level_properties, place)
    own = price.at(place, len(question.counts))
    chosen = choose(counts.sizes, own, asked, report)
    noise = Noise(
        question, chosen, place
    )  # refuses what cannot be drawn, or would not look at the data
    if question.level_properties[place]:
        from discreet.tables.level_split import refuse_unreadable

        refuse_unreadable(question, place, chosen)
    if any(by_size.single for by_size in chosen):  # a theorem's closed forms can be read
        from discreet.reading.ahead.readable import check_totals

        check_totals(question.counts, chosen, own.each, asked)
    return Undrawn(
        question=question,
        share=share,
        each=own.each,
        shape=str(read_shape(asked.properties)),
        counts=counts,
        mechanisms=Drawn([count.name for count in question.counts], chosen),
        noise=noise,
    )


def _spend_and_draw(
    ready: _Ready, book: Spending | None, target: Path | None, report: Reporter
) -> Release:
    """Spend, draw, write and show, in that order."""
    if book is not None:
        report("reserving")
        note = ", ".join(count.name for count in ready.question.counts)
        paid = book.reserve(write_fraction(ready.price.total.epsilon), note=note)
        report.log("spend" if paid else "take up", epsilon=book.held.epsilon, dataset=book.dataset)
    release = report.release
    created = datetime.now(UTC).isoformat(timespec="seconds")
    manifest = partial(
        _manifest, ready, release=release, created=created, **({} if book is None else book.names)
    )
    folder = None
    try:
        if book is not None:
            book.mark_drawn(
                target
            )  # before the folder is made: what is left behind, the ledger knows of
        if target is not None:
            folder = bundle.start(target, release)
        known, drawn = ready.mechanisms, _drawn(ready, release, report)
        if ready.question.adding_up:
            from discreet.tables.whole_columns import drawn_whole

            drawn = drawn_whole(manifest(), known, drawn)
        if folder is None or target is None:
            finest, *coarser = (
                rows.read_all() if hasattr(rows, "read_all") else rows for rows in drawn
            )
            held = {
                "rows" if hasattr(finest, "column_names") else "frame": finest,
                "coarser": tuple(coarser),
            }
            made = Release(manifest=manifest(), mechanisms=known, usual_format=ready.format, **held)
            if book is not None:
                book.mark_publishing(made.manifest.digest)
                book.clear()
        else:
            delivery = ready.delivery
            files = names_of([table.question.by for table in ready.tables], ready.format)
            for name, table, rows in zip(files, ready.tables, drawn, strict=True):
                plain = escaped(rows) if delivery.escape_formulas else rows
                ready.engine.write(plain, folder, name, ready.format, groups=table.groups)
            whole = finish_bundle(
                folder, manifest, known, files, ready.format, marked=delivery.byte_order_mark
            )
            reached("written")
            if book is not None:
                book.mark_publishing(whole.digest)
            report("publishing")
            bundle.publish(folder, target, release, overwrite=delivery.overwrite)
            if book is not None:
                book.clear()
            reached("renamed")
            made = Release(manifest=whole, mechanisms=known, path=target)
    except BaseException as error:
        if folder is not None and (book is None or not book.may_publish):
            bundle.discard(folder)
        problem = error
        if isinstance(error, OSError) and not isinstance(error, DiscreetError):
            problem = InvalidInput(
                "output", f"cannot be written ({error.strerror or type(error).__name__})"
            )
        if book is not None:
            book.explain(problem)
        if problem is error:
            raise
    else:
        report.log("publish", path=made.path, sha256=made.manifest.digest)
        if book is not None:
            book.finish(made)
        return made
    raise problem


def _drawn(ready: _Ready, release: str, report: Reporter) -> Iterator[Any]:
    """The rows of each level, one after the other: the next is drawn when the one before it has
    been read.
    """
    before = 0
    for table in ready.tables:
        tick = partial(_tick, report, before, ready.groups)
        yield ready.engine.stream(table.counts, table.noise, release=release, tick=tick)
        before += table.groups


def _tick(report: Reporter, before: int, total: int, done: int) -> None:
    report("drawing", before + done, total)


def _manifest(
    ready: _Ready, *, dataset: str = "", tables: Sequence[tuple[str, str]] = (), **written: Any
) -> Manifest:
    """The manifest, whole; `tables` (names and digests) and the rest are what is in the bundle,
    where there is one.
    """
    request, question, price = ready.request, ready.question, ready.price
    promised = promise(question, price)
    written_as = tables or [("", "")] * len(ready.tables)
    levels = tuple(
        table.facts(*names) for table, names in zip(ready.tables, written_as, strict=True)
    )
    public = Public(
        keys=question.by,
        where=rows_selected(request.where, ready.engine.filtered_by()),
        unit=question.unit or "",
        size=question.size if isinstance(question.size, str) else "",
        made={name: expression.text for name, expression in question.made},
        smallest=question.smallest,
    )
    return Manifest(
        dataset=dataset,
        question=ready.digest,
        wording=wording_of(promised),
        guarantee=statement(promised),
        epsilon=write_fraction(price.total.epsilon),
        alpha=write_fraction(price.total.value),
        contributions=question.contributions,
        contributions_checked=question.unit is not None,
        nulls=question.nulls,
        source="people" if question.size is None else "counts",
        public=public,
        loss=_described(request, "loss"),
        excess=Excess(rows=question.excess, keys=question.other_keys),
        prior=_described(request, "prior"),
        confidence="" if question.confidence is None else write_fraction(question.confidence),
        size="" if question.cap else SIZE,
        levels=levels,
        adding_up=question.adding_up,
        escaped=ready.delivery.escape_formulas and bool(tables),
        mechanisms_given=request.mechanism is not None,
        engine=ready.engine.name,
        versions=_versions(ready.engine),
        **written,
    )


def _described(request: Request, name: str) -> str:
    value = "uniform" if getattr(request, name) is None else getattr(request, name)
    return (
        str(value) if isinstance(value, str | int | float) and request.mechanism is None else GIVEN
    )


def _versions(engine: Engine) -> dict[str, str]:
    from discreet import __version__

    return {
        "discreet": __version__,
        "python": ".".join(map(str, sys.version_info[:3])),
        **engine.versions(),
    }
