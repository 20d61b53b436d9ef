"""`dc.release`: a table of people, or of counts, becomes a table of private counts, under a budget.

The order is the point. Everything that can be refused is refused first; the true counts are then computed once and
checked; mechanisms are designed from public sizes; the ledger reserves the price and records that words will be drawn;
only then is a word drawn. The finished bundle is made durable, its digest is recorded, and one rename shows it.
A process killed anywhere leaves at most a spent reservation and a hidden folder, never half a release.
"""

from __future__ import annotations

import os
import secrets
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.core.progress import Listener, Reporter, lines_to
from discreet.core.properties import read_shape
from discreet.core.rationals import Exact
from discreet.errors import DiscreetError, InvalidInput
from discreet.ledger import Ledger
from discreet.ledger.phases import reached
from discreet.proof.container import check_number
from discreet.tables.account import Spending
from discreet.tables.asking.price import Price, promise, read_price
from discreet.tables.asking.question import Question, read_question
from discreet.tables.asking.question_digest import kept, kept_keys, question_digest
from discreet.tables.engines import Engine
from discreet.tables.engines.opening import open_engine
from discreet.tables.mechanisms import check_prior, choose, distinct
from discreet.tables.published import bundle
from discreet.tables.published.formulas import check_names
from discreet.tables.published.guarantee import WORDING, rows_selected, statement
from discreet.tables.published.manifest import (
    GIVEN,
    SIZE,
    CountFacts,
    Excess,
    Level,
    Manifest,
    Public,
    check_format,
    write_fraction,
)
from discreet.tables.published.result import Release, finish_bundle
from discreet.tables.readings import Readings, readings_of

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism


def release(
    source: Any,
    *,
    by: str | Sequence[str],
    count: str | Sequence[str] | Mapping[str, str],
    size: str | int | None = None,
    epsilon: Exact | None = None,
    alpha: Exact | None = None,
    properties: Any = None,
    loss: Any = "L0",
    prior: Any = None,
    worst_case: bool = False,
    gap: Exact | None = None,
    split: Mapping[str, Exact] | Sequence[Exact] | None = None,
    unit: str | None = None,
    contributions: int = 1,
    excess: str = "refuse",
    where: str | None = None,
    nulls: str = "refuse",
    public: Sequence[str] = (),
    keys: Any = None,
    other_keys: str = "refuse",
    intervals: Exact | None = None,
    read: Mapping[str, Any] | None = None,
    ledger: str | os.PathLike[str] | Ledger | None = None,
    dataset: str | None = None,
    resume: str | None = None,
    output: str | os.PathLike[str] | None = None,
    format: str = "parquet",
    escape_formulas: bool = False,
    overwrite: bool = False,
    memory_limit: str | None = None,
    threads: int | None = None,
    temporary: str | os.PathLike[str] | None = None,
    progress: Listener | bool | None = None,
) -> Release:
    """Release private counts of a table.

    `source` is a path or glob (CSV, Parquet, JSON lines), a pandas, Polars, Arrow or DuckDB table, a query over a file,
    or a Spark DataFrame. `by` names the key columns; `count` a column of bits, a predicate over one row, or several.
    With `size` the table holds counts already. `epsilon` is what one person pays in total, for all counts and all
    their rows.

    >>> import pyarrow as pa
    >>> people = pa.table({"clinic": ["a", "a", "b"], "smoker": [True, False, True]})
    >>> r = release(people, by="clinic", count="smoker", epsilon=1, properties="F")
    >>> r.table.column_names, r.table["n"].to_pylist()
    (['clinic', 'n', 'smoker'], [2, 1])
    """
    report = Reporter(lines_to(sys.stderr) if progress is True else progress or None)
    check_format(format, escape_formulas)
    target = None if output is None else bundle.check_output(output, overwrite=overwrite or resume is not None)
    if ledger is None and resume is not None:
        raise InvalidInput("resume", "needs the ledger that holds the entry", resume)
    by, count, public, properties = kept(by), kept(count), kept(public), kept(properties)
    keys = kept_keys(keys, by)
    asked = question_digest(
        by=by, count=count, size=size, epsilon=epsilon, alpha=alpha, properties=properties, loss=loss, prior=prior,
        worst_case=worst_case, gap=gap, split=split, unit=unit, contributions=contributions, excess=excess,
        where=where, nulls=nulls, public=public, keys=keys, other_keys=other_keys, intervals=intervals,
    )  # fmt: skip
    book = None if ledger is None else Spending(ledger, dataset, resume, asked)
    if book is not None and (finished := book.finish_published(target, overwrite=overwrite)):
        return finished
    if output is not None:  # a bundle that is there and is not the one being resumed
        bundle.check_output(output, overwrite=overwrite)
    report("reading")
    engine = open_engine(source, read=read, memory_limit=memory_limit, threads=threads, temporary=temporary)
    try:
        question = read_question(
            engine, by=by, count=count, size=size, split=split, where=where, unit=unit, contributions=contributions,
            excess=excess, nulls=nulls, public=public, keys=keys, other_keys=other_keys, intervals=intervals,
        )  # fmt: skip
        if escape_formulas:
            check_names(question.output_columns)
        price = read_price(question, epsilon=epsilon, alpha=alpha)
        shape = str(read_shape(properties))
        check_prior(prior, engine.columns)
        report("counting")
        sizes = engine.count(question)
        if not sizes:
            raise InvalidInput("source", "has no rows to group", remedy="give `keys` to release empty groups")
        mechanisms = choose(
            sizes, price, properties=properties, loss=loss, prior=prior, worst_case=worst_case, gap=gap, report=report
        )
        if target is not None:
            check_number(len(distinct(mechanisms)))
        readings = readings_of(mechanisms, question.confidence)
        level = Level(
            keys=question.by, properties=shape, counts=_count_facts(question, price, mechanisms),
            groups=sum(sizes.values()), groups_by_size={str(n): groups for n, groups in sizes.items()},
        )  # fmt: skip
        public_facts = Public(
            keys=question.by, where=rows_selected(where, engine.filtered_by()), unit=question.unit or "",
            size=question.size if isinstance(question.size, str) else "",
        )  # fmt: skip
        facts = Manifest(
            release="", created="", dataset=dataset or "", question=asked, wording=WORDING,
            guarantee=statement(promise(question, price)),
            epsilon=write_fraction(price.total.epsilon), alpha=write_fraction(price.total.value),
            contributions=question.contributions, contributions_checked=question.unit is not None,
            source="people" if question.size is None else "counts", public=public_facts,
            excess=Excess(rows=question.excess, keys=question.other_keys), nulls=question.nulls,
            loss=_told(loss), prior=_told(prior),
            confidence="" if question.confidence is None else write_fraction(question.confidence),
            size=SIZE, levels=(level,), escaped=escape_formulas and target is not None,
            engine=engine.name, versions=_versions(engine),
        )  # fmt: skip
        write = partial(engine.write, format=format, escape_formulas=escape_formulas)
        done = _draw(engine, question, mechanisms, readings, facts, book, target, write, format, overwrite, report)
    finally:
        engine.close()
    report("done", 1, 1)
    return replace(done, seconds=report.seconds)


def _draw(
    engine: Engine,
    question: Question,
    mechanisms: Sequence[Mapping[int, Mechanism]],
    readings: Sequence[Readings] | None,
    facts: Manifest,
    book: Spending | None,
    target: Path | None,
    write: Callable[[Path], str],
    format: str,
    overwrite: bool,
    report: Reporter,
) -> Release:
    """Spend, draw, write and show, in that order."""
    if book is not None:
        report("reserving")
        book.reserve(facts)
        facts = replace(facts, dataset=book.dataset)
    release = book.held.release_id if book is not None else secrets.token_hex(16)
    facts = replace(facts, release=release, created=datetime.now(UTC).isoformat(timespec="seconds"))
    tick = partial(report, "drawing", total=facts.groups)
    folder = None
    try:
        if book is not None:
            book.mark_drawn(target)  # before the folder is made: what is left behind, the ledger knows of
        if target is not None:
            folder = bundle.start(target, release)
        engine.draw(question, mechanisms, readings, release=release, tick=tick)
        known = distinct(mechanisms)
        if folder is None or target is None:
            made = Release(manifest=facts, mechanisms=known, rows=engine.table(), frame=engine.frame())
            if book is not None:
                book.mark_publishing(facts.digest)
                book.clear()
        else:
            name = write(folder)
            facts = finish_bundle(folder, facts, known, name, format)
            reached("written")
            if book is not None:
                book.mark_publishing(facts.digest)
            report("publishing")
            bundle.publish(folder, target, release, overwrite=overwrite)
            if book is not None:
                book.clear()
            reached("renamed")
            made = Release(manifest=facts, mechanisms=known, path=target, frame=engine.frame())
    except BaseException as error:
        if folder is not None and (book is None or not book.may_publish):
            bundle.discard(folder)
        problem = error
        if isinstance(error, OSError) and not isinstance(error, DiscreetError):
            problem = InvalidInput("output", f"cannot be written ({error.strerror or type(error).__name__})")
        if book is not None and isinstance(problem, DiscreetError):
            problem.consequence = book.told()
        elif book is not None:
            problem.add_note(book.told())  # a person who pressed Ctrl-C wants to know too
        if problem is error:
            raise
    else:
        if book is not None:
            _commit(book, made)
        return made
    raise problem


def _commit(book: Spending, made: Release) -> None:
    """Record the end. If that fails everything is spent and counted already; what was made must not be lost by it."""
    try:
        book.commit()
    except DiscreetError as error:
        if made.path is not None:
            error.consequence = f"The release is in its place. {book.told()}"
            raise
        rule = f"{error}. The release is made and paid for; the ledger keeps it as {book.held.state}"
        warnings.warn(rule, RuntimeWarning, stacklevel=4)


def _count_facts(
    question: Question, price: Price, mechanisms: Sequence[Mapping[int, Mechanism]]
) -> tuple[CountFacts, ...]:
    return tuple(
        CountFacts(
            name=count.name,
            definition=count.expression.text,
            share=write_fraction(count.share),
            epsilon=write_fraction(each.epsilon),
            alpha=write_fraction(each.value),
            mechanisms={str(size): mechanism.id for size, mechanism in by_size.items()},
        )
        for count, each, by_size in zip(question.counts, price.each, mechanisms, strict=True)
    )


def _told(value: Any) -> str:
    if value is None:
        return "uniform"
    return str(value) if isinstance(value, str | int | float) else GIVEN


def _versions(engine: Engine) -> dict[str, str]:
    from discreet import __version__

    return {"discreet": __version__, "python": ".".join(map(str, sys.version_info[:3])), **engine.versions()}
