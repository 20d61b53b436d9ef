"""`discreet estimate`: totals of a count, or of every answer of a question, by key, and what
changed.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from discreet.cli.bars import progress_options, watching
from discreet.cli.commands.estimate_files import (
    NO_CSV,
    check_files,
    file_options,
    write_files,
    write_questions,
    write_table,
)
from discreet.cli.existing import Existing, OneOf
from discreet.cli.shared import Command, emit, json_option, quoted, read_pairs, say
from discreet.core.progress import Progress
from discreet.errors import InvalidInput
from discreet.show.text import EVERY, folded, laid_out, table

if TYPE_CHECKING:
    from discreet.reading.histograms.answer_totals import Scores
    from discreet.reading.histograms.capped_estimates import CappedEstimate
    from discreet.reading.histograms.histogram_estimates import HistogramEstimate
    from discreet.tables.published.result import Release


_ROWS = 100
"""Rows of a table that are printed; a CSV file has all of them."""


@click.command(cls=Command)
@click.argument("source", metavar="RELEASE", type=Existing())
@click.option(
    "--count", metavar="NAME", help="Which count, when there are several; all of them unless said."
)
@click.option(
    "--by",
    multiple=True,
    metavar="COLUMN",
    help="A key column to estimate for each value of; again for several.",
)
@click.option("--adding-up", is_flag=True, help="Whole numbers in 0..n whose sums are all right.")
@click.option(
    "--change-from", "earlier", type=Existing(), help="An earlier release: what changed since then."
)
@click.option(
    "--missing",
    type=OneOf(["refuse", "empty"]),
    default="refuse",
    show_default=True,
    help="With --change-from: groups that only one of them has.",
)
@click.option(
    "--scores",
    multiple=True,
    metavar="ANSWER=SCORE",
    help="Of a question with several answers: the score of one, for the mean; again for each. Or: "
    "own.",
)
@click.option(
    "--confidence", default="0.95", show_default=True, metavar="NUMBER", help="Of the intervals."
)
@click.option(
    "--all-rows",
    is_flag=True,
    help=f"Print every row, not the first {_ROWS}, or of many changes those whose interval "
    "excludes 0.",
)
@click.option(
    "--details",
    is_flag=True,
    help="Every note below a table; and in the table to quote, the columns that are not for print.",
)
@file_options
@progress_options
@json_option
def estimate_command(
    source: str, count: str | None, confidence: str, progress: str, as_json: bool, **given: Any
) -> None:
    """Read a release: unbiased totals, distributions, honest intervals.

    \b
    discreet estimate published
    discreet estimate published --by region --by sex --confidence 0.9
    discreet estimate published --adding-up
    discreet estimate june --change-from may
    discreet estimate survey --count mood --scores bad=-1 --scores good=1
    discreet estimate published --by region --csv quote.csv --byte-order-mark
    discreet estimate published --plot estimate.png
    """
    from discreet.tables.published.result import read_release

    _check_keys(source, given["by"])
    rows = EVERY if given["all_rows"] else _ROWS
    layout = laid_out(None, rows=rows, command_line=True, details=given["details"])
    with layout, watching(progress) as watch:
        release = read_release(source, progress=watch)
        counts = _asked(release, count, given, as_json=as_json)
        together = len(counts) > 1 and given["csv"]
        if together:
            check_files(given)
        read: dict[str, Any] = {}
        for place, name in enumerate(counts):
            if place:
                say("")
            watch(Progress(phase="estimating", detail=name or ""))
            wanted = {**given, **NO_CSV} if together else given
            read[name or ""] = _estimate(source, release, name, confidence, wanted, as_json=as_json)
        if together:
            write_questions(read, given)
        if sys.stdout.isatty() and not as_json and not any(given[name] for name in _ASKED):
            say(_next(source, release), err=True)


def _check_keys(source: str, by: Sequence[str]) -> None:
    """Refuse what is no key of the release before its proofs are checked, which may take long."""
    if by:
        from discreet.reading.parts.key_codes import read_names
        from discreet.tables.published.manifest_files import read_manifest

        read_names(by, read_manifest(Path(source)).keys)


def _check_earlier(earlier: str, name: str) -> None:
    """Refuse an earlier release that did not count the same."""
    from discreet.tables.published.manifest_files import read_manifest

    counts = [count.name for count in read_manifest(Path(earlier)).counts]
    if name not in counts:
        rule = f"must have a count of the same name, {name}"
        raise InvalidInput("earlier", rule, found=earlier, remedy=f"it has {', '.join(counts)}")


_ASKED = ("by", "adding_up", "earlier", "scores", "csv", "plot")


def _next(source: str, release: Release) -> str:
    """What else there is to read, for who sees the totals of a release on a terminal."""
    folder, keys = quoted(source), release.manifest.keys
    by = [f"by {keys[0]}: discreet estimate {folder} --by {quoted(keys[0])}"] if keys else []
    return "\n".join(["", *by, f"a page to send: discreet report {folder}"])


def _asked(
    release: Release, count: str | None, given: dict[str, Any], *, as_json: bool
) -> list[str | None]:
    """The counts to read: the one named, or all; a program, a figure, scores and other files
    take one.
    """
    alone = (
        as_json
        or given["plot"]
        or given["scores"]
        or (given["csv"] and (given["earlier"] or given["adding_up"]))
    )
    if count is not None or alone:
        return [count]
    return [facts.name for facts in release.manifest.counts]


def _estimate(
    source: str,
    release: Release,
    count: str | None,
    confidence: str,
    given: dict[str, Any],
    *,
    as_json: bool,
) -> Any:
    """Read what was asked for, write the files, and print it; return the estimate."""
    from discreet.reading.estimates import estimate

    check_files(given)
    found: Any = estimate(release, count=count, confidence=confidence)
    by = given["by"]
    if hasattr(found, "cap"):
        write_files(found, by, given)
        _emit_capped(
            found,
            by,
            [name for name in ("earlier", "adding_up", "scores") if given[name]],
            as_json=as_json,
        )
    elif given["earlier"]:
        if given["adding_up"] or given["scores"]:
            option = "adding_up" if given["adding_up"] else "scores"
            raise InvalidInput(
                "earlier",
                f"is for counts of people, group by group and in all; leave out `{option}`",
            )
        _check_earlier(given["earlier"], found.sample.name)
        before: Any = estimate(given["earlier"], count=count, confidence=confidence)
        changed = found.change(before, by=by or None, missing=given["missing"])
        changed = replace(changed, title=_between(found.sample.name, given["earlier"], source))
        write_table(changed, given, "of changes")
        emit(changed, as_json=as_json)
    elif given["adding_up"]:
        if given["scores"]:
            raise InvalidInput("scores", "are for the mean; leave out `adding_up`, or them")
        whole = found.adding_up()
        table = whole.subtotals(by) if by else whole.table
        note = []
        if by:
            from discreet.reading.parts.whole_numbers import not_one_alone

            note = folded(not_one_alone(), width=79, first="  ", later="  ")
        write_table(table, given, "of whole numbers that add up")
        emit(
            table if by else whole,
            as_json=as_json,
            text="\n".join([str(table), *note]) if by else None,
        )
    else:
        write_files(found, by, given)
        _emit_totals(found, by, given["scores"], as_json=as_json)
    return found


def _between(name: str, earlier: str, later: str) -> str:
    """What changes are of, with the folders as they were typed, or their last parts where these
    differ.
    """
    first, second = (Path(path).resolve().name for path in (earlier, later))
    return (
        f"Change of {name!r} from {first} to {second}"
        if first != second
        else (f"Change of {name!r} from {earlier} to {later}")
    )


def _emit_totals(found: Any, by: Sequence[str], given: Sequence[str], *, as_json: bool) -> None:
    """Print totals, in all or by key, and means where scores are given."""
    if hasattr(found, "answers"):
        _emit_answers(
            found, by, "own" if given == ("own",) else read_pairs(given, "scores"), as_json=as_json
        )
        return
    if given:
        raise InvalidInput(
            "scores",
            "are for questions with several answers, and this is a count",
            remedy="leave it out",
        )
    if not by:
        emit(found, as_json=as_json)
    elif not as_json:
        from discreet.reading.quoting.printed_groups import printed_by_key

        emit(printed_by_key(found, by), as_json=False)
    elif found.coarser:
        emit(_with_what_to_quote(found, by), as_json=True)
    else:
        # a list: as names of fields, a missing key and the text "None" would be one
        parts = found.strata(by)
        facts = [
            {"keys": _plain_keys(dict(zip(by, key, strict=True))), **part.to_dict()}
            for key, part in parts.items()
        ]
        from discreet.reading.quoting.printed_groups import to_quote

        facts = [
            {**row, "to_quote": said} for row, said in zip(facts, to_quote(found, by), strict=True)
        ]
        emit(facts, as_json=True)


def _with_what_to_quote(found: Any, by: Sequence[str]) -> dict[str, Any]:
    """Subtotals as plain data; each row carries what to quote of it."""
    from discreet.reading.quoting.printed_groups import to_quote

    table = found.subtotals(by).to_dict()
    table["rows"] = [
        {**row, "to_quote": said}
        for row, said in zip(table["rows"], to_quote(found, by), strict=True)
    ]
    return dict(table)


def _plain_keys(keys: dict[str, Any]) -> dict[str, Any]:
    """Keys as JSON can hold them; dates, decimals and the like as text."""
    return {
        name: key if key is None or isinstance(key, bool | int | str) else str(key)
        for name, key in keys.items()
    }


def _emit_answers(
    found: HistogramEstimate, by: Sequence[str], scores: Scores, *, as_json: bool
) -> None:
    """Print totals and shares of every answer, in all or by key, and the mean of a scale where
    scores are given.
    """
    if by:
        from discreet.reading.quoting.printed_groups import printed_by_key

        means = found.means(by, scores=scores) if scores else None
        if as_json:
            facts = {
                "subtotals": _with_what_to_quote(found, by),
                **({} if means is None else {"means": means.to_dict()}),
            }
            emit(facts, as_json=True)
            return
        totals = printed_by_key(found, by)
        text = "\n\n".join(map(str, filter(None, (totals, means))))
        emit(None, as_json=False, text=text)
        return
    mean = found.mean(scores) if scores else None
    facts = found.to_dict() if as_json else {}
    if mean is not None:
        facts["mean"] = {
            "value": mean.value,
            "low": mean.low,
            "high": mean.high,
            "method": mean.method,
        }
    emit(facts, as_json=as_json, text=str(found) if mean is None else f"{found}\n  {mean}")


def _emit_capped(
    found: CappedEstimate, by: Sequence[str], refused: Sequence[str], *, as_json: bool
) -> None:
    """Print the totals of a release whose group sizes are private, in all or by key."""
    if refused:
        raise InvalidInput(
            refused[0], "needs the sizes of groups, which `cap` hides", remedy="leave it out"
        )
    if not by:
        emit(found, as_json=as_json)
        return
    from discreet.reading.quoting.interval_kinds import interval_head

    rows: list[tuple[Any, ...]] = [
        (*by, "answer", "total", interval_head(found.confidence), "std error")
    ]
    facts = []
    for key, part in found.strata(by).items():
        facts.append({"keys": _plain_keys(dict(zip(by, key, strict=True))), **part.to_dict()})
        rows += [
            (*("NULL" if value is None else value for value in key), *line) for line in part.lines()
        ]
    title = f"Estimates of {found.sample.name!r} by {', '.join(by)}"
    lines = [title, *table(rows, "<0 " * len(by) + "<0 >0 >0 >0", gap=2)]
    emit(
        facts if as_json else None,
        as_json=as_json,
        text=None if as_json else "\n".join([*lines, *_note(found.note)]),
    )


def _note(text: str) -> list[str]:
    return folded(text, width=79, first="  ", later="  ")
