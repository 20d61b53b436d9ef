"""What `discreet estimate` prints of a question with several answers: a table of answers, and the mean of a scale."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from discreet.cli.shared import emit
from discreet.errors import InvalidInput
from discreet.reading.histograms.capped_estimates import CappedEstimate
from discreet.show.text import table

if TYPE_CHECKING:
    from discreet.reading.histograms.answer_totals import Scores
    from discreet.reading.histograms.histogram_estimates import HistogramEstimate


def emit_answers(
    found: HistogramEstimate | CappedEstimate,
    by: Sequence[str],
    scores: Scores,
    *,
    of_counts: Sequence[str],
    as_json: bool,
) -> None:
    """Print totals and shares of every answer, in all or by key, and the mean of a scale where scores are given.

    `of_counts` are options that were given and are for counts.
    """
    if of_counts:
        raise InvalidInput(of_counts[0], "is for counts, and this question has several answers", remedy="leave it out")
    if isinstance(found, CappedEstimate):
        _emit_capped(found, by, scores, as_json=as_json)
        return
    if by:
        totals = found.subtotals(by)
        means = found.means(by, scores=scores) if scores else None
        facts = {"subtotals": totals.to_dict(), **({} if means is None else {"means": means.to_dict()})}
        emit(facts if as_json else None, as_json=as_json, text=None if as_json else _text_by(found, by, scores))
        return
    mean = found.mean(scores) if scores else None
    facts = found.to_dict() if as_json else {}
    if mean is not None:
        facts["mean"] = {"value": mean.value, "low": mean.low, "high": mean.high, "method": mean.method}
    emit(facts, as_json=as_json, text=str(found) if mean is None else f"{found}\n  {mean}")


def _emit_capped(found: CappedEstimate, by: Sequence[str], scores: Scores, *, as_json: bool) -> None:
    """Print the totals of a release whose group sizes are private, in all or by key."""
    if scores:
        raise InvalidInput("scores", "need the number of people, which `cap` hides", remedy="leave them out")
    if not by:
        emit(found, as_json=as_json)
        return
    strata = found.strata(by)
    facts = [{"keys": dict(zip(by, map(_plain, key), strict=True)), **part.to_dict()} for key, part in strata.items()]
    rows: list[tuple[Any, ...]] = [(*by, "answer", "total", f"{float(found.confidence)} interval", "std error")]
    for key, part in strata.items():
        rows += [(*("NULL" if value is None else value for value in key), *line) for line in part.lines()]
    text = "\n".join(table(rows, "<0 " * len(by) + "<0 >0 >0 >0", gap=2))
    emit(facts if as_json else None, as_json=as_json, text=None if as_json else f"{text}\n{found.note}")


def _plain(key: Any) -> Any:
    return key if key is None or isinstance(key, bool | int | str) else str(key)


def _text_by(found: HistogramEstimate, by: Sequence[str], scores: Scores) -> str:
    level = f"{float(found.confidence)} interval"
    rows: list[tuple[Any, ...]] = [(*by, "answer", "total", level, "share", level)]
    averages: list[tuple[Any, ...]] = [(*by, "mean", level)]
    for key, part in found.strata(by).items():
        named = tuple("NULL" if value is None else value for value in key)
        rows += [(*named, *line) for line in part.lines()]
        if scores:
            mean = part.mean(scores)
            averages.append((*named, f"{mean.value:.4f}", f"{mean.low:.4f} to {mean.high:.4f}"))
    lines = table(rows, "<0 " * len(by) + "<0 >0 >0 >0 >0", gap=2)
    return "\n".join([*lines, *(["", *table(averages, "<0 " * len(by) + ">0 >0", gap=2)] if scores else [])])
