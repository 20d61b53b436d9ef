"""Figures worth publishing, drawn with Altair and written offline as PNG, SVG, PDF or
self-contained HTML.

What can be drawn:

    dc.plot(m)                            heatmap           dc.plot([gm, wm, em])          side by
                                          side
    dc.plot(m, "columns")                 columns as bars   dc.plot([gm, em], "columns")   side by
                                          side
    dc.plot([gm, em], "accuracy")         bias and RMSE     dc.plot([gm, em], "intervals")
                                          confidence intervals
    dc.plot(dc.compare(...), "scores")    a score over n or alpha
    dc.plot(dc.estimate(r))               the total, sums by key, and groups; or, of many groups,
                                          how they differ
    dc.plot(dc.estimate(r), "totals")     totals by the first key, or `by="region"`; "groups": what
                                          may be quoted
    dc.plot(dc.estimate(r), n=8)          published numbers against the estimate, groups of 8
    dc.plot_costs(n=8, alpha="10/11")     what each property costs

Over histograms:

    dc.plot(m)                            three answers: a triangle of the chance of truth; `truth=`
                                          for one column
    dc.plot([m, other], "answers")        any answers: how often each is right for one true
                                          histogram; of one m, bars
    dc.plot(dc.compare(categories=...))   ways to release a histogram, as bars
"""

from __future__ import annotations

from collections.abc import Callable
from os import PathLike
from typing import Any

from discreet import with_known_keywords
from discreet.errors import InvalidInput, did_you_mean

KINDS = (
    "heatmap",
    "columns",
    "accuracy",
    "intervals",
    "scores",
    "distribution",
    "triangle",
    "answers",
    "rivals",
)
ESTIMATE_KINDS = ("estimate", "totals", "groups", "distribution")
HISTOGRAM_KINDS = ("triangle", "answers", "rivals", "scores")

_OWN = ("kind", "path")

__all__ = ["KINDS", "plot", "plot_costs"]


def plot(
    thing: Any, kind: str | None = None, path: str | PathLike[str] | None = None, **options: Any
) -> Any:
    """Draw a mechanism, several of them, a comparison or an estimate; return the chart, and write
    it to `path`.

    - `thing`: a mechanism, a list or a dict of them, what `dc.compare` returns, an estimate or its
      distribution
    - `kind`: "heatmap", "columns", "accuracy" or "intervals" of mechanisms for counts, "triangle"
      or "answers" of ones for histograms, "scores" or "rivals" of a comparison, "estimate" (all
      three), "totals", "groups" or "distribution" of an estimate; by the thing unless given
    - `path`: the file to write, by its ending: .png, .svg, .pdf or .html
    - `options`: what the kind takes besides, such as `truth` of "triangle" and `by` of "totals"; an
      unknown one is an error that names the nearest
    """
    from discreet.show.pictures import comparing, curves, heatmap
    from discreet.show.pictures.many_answers import answer_bars, ternary
    from discreet.show.pictures.readings import interval_picture, released

    if hasattr(thing, "quotable"):
        drawn = _estimate(thing, kind, options)
        if drawn is not None:
            return _drawn(drawn, path)
        thing = thing.distribution(options.pop("n", None))
    chosen = kind or _default(thing)
    draw: dict[str, Callable[..., Any]] = {
        "heatmap": heatmap.heatmap,
        "columns": curves.columns,
        "accuracy": curves.accuracy,
        "intervals": interval_picture.intervals,
        "scores": comparing.scores,
        "distribution": released.distribution,
        "triangle": ternary.triangle,
        "answers": answer_bars.answers,
        "rivals": ternary.rivals,
    }
    if chosen not in draw:
        raise InvalidInput(
            "kind", "is not a kind of figure", found=chosen, remedy=did_you_mean(str(chosen), KINDS)
        )
    _check(thing, chosen)
    return _drawn(with_known_keywords(draw[chosen], besides=_OWN)(thing, **options), path)


def _estimate(found: Any, kind: str | None, options: dict[str, Any]) -> Any:
    """Draw an estimate; None where it is to be drawn as the distribution of groups of one size."""
    from discreet.show.pictures.readings import estimated

    of_counts = hasattr(found, "distribution")
    one_size = of_counts and len(found.sample.mechanisms) == 1
    chosen = kind or (
        "distribution" if "n" in options or (one_size and not found.sample.keys) else "estimate"
    )
    if chosen not in ESTIMATE_KINDS:
        remedy = did_you_mean(str(chosen), ESTIMATE_KINDS)
        raise InvalidInput("kind", "must be one for estimates", chosen, remedy=remedy)
    if chosen == "distribution" and of_counts and ("n" in options or one_size):
        return None
    draw = {
        "totals": estimated.totals,
        "groups": estimated.groups,
        "distribution": estimated.shares,
    }
    return with_known_keywords(draw.get(chosen, estimated.estimate), besides=_OWN)(found, **options)


def plot_costs(*, path: str | PathLike[str] | None = None, **options: Any) -> Any:
    """Draw what each property costs at one n and alpha (or epsilon).

    `path` is the file to write, by its ending; `options` are n, alpha or epsilon, and the loss.
    """
    from discreet.show.pictures import comparing

    return _drawn(with_known_keywords(comparing.costs, besides=_OWN)(**options), path)


def _drawn(chart: Any, path: str | PathLike[str] | None) -> Any:
    from discreet.show.pictures.theme import write

    if path is not None:
        write(chart, path)
    return chart


def _default(thing: Any) -> str:
    if hasattr(thing, "likeliest"):
        return "distribution"
    if hasattr(thing, "to_dicts"):
        one_setting = (
            hasattr(thing, "answers") and len({(entry.n, entry.privacy) for entry in thing}) == 1
        )
        return "rivals" if one_setting else "scores"
    domain = next((domain for one in _each(thing) if (domain := _histogram(one))), None)
    return (
        "heatmap"
        if domain is None
        else "triangle"
        if domain.k == 3 and hasattr(thing, "form")
        else "answers"
    )


def _histogram(thing: Any) -> Any:
    """The domain of a mechanism over histograms; None for everything else."""
    domain = getattr(thing, "domain", None)
    return domain if hasattr(domain, "answers") else None


def _each(thing: Any) -> list[Any]:
    if isinstance(thing, dict):
        return list(thing.values())
    return list(thing) if isinstance(thing, (list, tuple)) else [thing]


def _check(thing: Any, kind: str) -> None:
    """Refuse a value that this kind of figure cannot show."""
    needed = {
        "scores": "to_dicts",
        "rivals": "to_dicts",
        "distribution": "likeliest",
        "answers": "domain",
    }.get(kind, "origin")
    what = {
        "scores": "a comparison (dc.compare)",
        "rivals": "a comparison over histograms (dc.compare with `categories`)",
        "distribution": "a distribution (dc.estimate(...).distribution())",
    }
    for one in _each(thing):
        domain = _histogram(one)
        if domain is not None and kind not in HISTOGRAM_KINDS:
            remedy = "draw `kind='answers'`, or for three answers `kind='triangle'`"
            raise InvalidInput("kind", "must be one for histograms", kind, remedy=remedy)
        if kind == "triangle" and hasattr(one, "origin") and (domain is None or domain.k != 3):
            remedy = (
                f"this mechanism is for {'counts' if domain is None else f'{domain.k} answers'}"
            )
            raise InvalidInput("kind", "triangle needs `categories=3`", remedy=remedy)
        if kind == "answers" and hasattr(one, "origin") and domain is None:
            raise InvalidInput(
                "kind", "answers needs `categories`", remedy="this mechanism is for counts"
            )
        if not hasattr(one, needed):
            wanted = what.get(kind, "a mechanism, or several")
            raise InvalidInput(
                "thing", f"must be {wanted} for a figure of kind {kind!r}", type(one).__name__
            )
