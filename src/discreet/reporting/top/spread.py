"""How the groups of a count differ, as columns: the expected share of groups with each true count,
or each rate.

Its title says what most groups have where the columns say so clearly, and only that there is a
spread where not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from discreet.reading.quoting.interval_kinds import from_to
from discreet.reporting import plain_words as words
from discreet.reporting.drawn_tables import note
from discreet.reporting.report_findings import Counted, Findings
from discreet.reporting.top.top_rows import WHOLE, keys_drawn
from discreet.show.captions import counting_words
from discreet.show.html import Html, element
from discreet.show.pictures.readings.estimate_rows import by_count, left_out_of_shares

_MOST, WIDEST = 0.75, 0.6
"""The expected share that most groups are, and how much of all that is possible their counts may
be.
"""


def spread(findings: Findings, counted: Counted) -> Iterator[Html]:
    """The columns, their finding, and what they rest on."""
    shares = [row.value for row in counted.shares]
    counts = by_count(counted.estimate)
    names = [
        row.answer if counts else row.answer.removesuffix("%").replace(" to ", "\N{EN DASH}")
        for row in counted.shares
    ]
    top = max(shares)
    first, last = _found(findings, counted) or (0, len(shares))
    columns = [
        element(
            "li",
            element("span", _percent(share), class_="said"),
            _column(share / top, pale=not first <= k <= last),
            element("span", name),
        )
        for k, (name, share) in enumerate(zip(names, shares, strict=True))
    ]
    n = counted.estimate.sample.mechanisms[0].n
    below = (
        f"how many of the {n} {counted.unit} of a group"
        if counts
        else f"percent of the {counted.unit} of a group"
    )
    said = (
        f"The share of groups that is expected to have each {'number' if counts else 'rate'}, by "
        "this release"
    )
    yield element(
        "figure",
        element(
            "figcaption",
            element("strong", finding(findings, counted)),
            element(
                "span",
                said,
            ),
        ),
        element("ol", *columns, class_="columns"),
        element("p", below, class_="under"),
        class_="glance spread",
    )
    left_out = f", {left}" if (left := left_out_of_shares(counted.estimate)) else ""
    yield note(
        "Expected if the rates of all groups come from one distribution, learned from this "
        f"release{left_out}."
        + (
            ""
            if counts
            else " Of n people, the n + 1 possible counts take equal parts of the scale."
        )
    )


def spread_is_drawn(findings: Findings, counted: Counted) -> bool:
    """Whether the head of the page has it: below a total that would stand alone, where there is
    something found.
    """
    if (
        counted.answers
        or not counted.shares
        or len(findings.counts) > WHOLE
        or keys_drawn(findings, counted)
    ):
        return False
    return _found(findings, counted) is not None


def finding(findings: Findings, counted: Counted) -> str:
    """What most groups have, if three quarters of them are expected to within a part of what is
    possible.
    """
    if (run := _found(findings, counted)) is None:
        return f"How the groups differ: {counted.words}"
    first, last = run
    facts = counted.facts
    doing = counting_words(facts.name, facts.definition, people=counted.unit == "people")
    if not by_count(counted.estimate):
        return (
            f"In most groups, probably {10 * first}% to {10 * last + 10}% of {counted.unit} {doing}"
        )
    n = counted.estimate.sample.mechanisms[0].n
    return (
        f"In most groups, probably {from_to(str(first), str(last))} of {n} {counted.unit} {doing}"
    )


def _found(findings: Findings, counted: Counted) -> tuple[int, int] | None:
    """The columns that the finding is of; nothing where most of what is possible is as likely,
    or all is noise.
    """
    shares = [row.value for row in counted.shares]
    first, last = shortest(shares)
    clear = last - first + 1 <= WIDEST * len(shares) and not words.too_noisy(findings, counted)
    return (first, last) if clear else None


def shortest(shares: Sequence[float]) -> tuple[int, int]:
    """The shortest run of neighbours that three quarters are in; of several, the one with the most.

    >>> shortest([0.1, 0.3, 0.3, 0.2, 0.1])
    (1, 3)
    """
    runs = [(k, last) for last in range(len(shares)) for k in range(last + 1)]
    enough = [
        (k - last, sum(shares[k : last + 1]), k, last)
        for k, last in runs
        if sum(shares[k : last + 1]) >= _MOST
    ]
    _, _, first, last = max(enough, default=(0, 0.0, 0, len(shares) - 1))
    return first, last


def _percent(share: float) -> str:
    return f"{100 * share:.0f}%" if share >= 0.005 else "<1%"


def _column(height: float, *, pale: bool) -> Html:
    """A column as high as its part of the highest; a screen reader has the number beside it."""
    look = "span pale" if pale else "span"
    path = f'<path class="{look}" d="M0 100V{100 - 100 * height:.1f}h100V100z"/>'
    return element(
        "svg",
        Html(path),
        viewBox="0 0 100 100",
        preserveAspectRatio="none",
        focusable="false",
        aria_hidden="true",
    )
