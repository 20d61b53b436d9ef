"""The mechanisms that are set side by side: a small picture of each, and bars for what matters to a
reader.

Pinned designs of groups as large as the one on the screen stand beside the known mechanisms. They
may be more private or less, so what is said of the best is said of the others only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from discreet.show.colours import OTHERS
from discreet.studio.compared.scored_line import Line
from discreet.studio.compared.small_columns import small_column, told
from discreet.studio.telling.lead import IN_SHORT, USUAL, YOURS, capital
from discreet.studio.telling.why_this import EQUALLY
from discreet.studio.telling.wording import listed
from discreet.studio.worth import GROUPS

_TRACK = 'fill="#5b7085" fill-opacity="0.13"'
_HATCH = "M0 0H100V14H0z" + "".join(f"M{x} 14l7 -14" for x in range(-5, 100, 3))
"""All of a bar's room, framed and hatched: the worst of a measure of which less is better."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contender:
    """One mechanism beside the others."""

    line: Line
    name: str
    about: str
    """Which known mechanism the design is, if it is one, and how many properties it has."""
    colour: str
    picture: str
    """The chances of its answers to the true count being watched."""
    chances: list[list[float]]
    """The same for every true count, for the page to move."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """One mechanism under one measure."""

    name: str
    colour: str
    says: str
    best: bool
    picture: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """One measure of all contenders."""

    title: str
    better: str
    bars: tuple[Bar, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparing:
    """All that is drawn of a comparison, and a sentence on who is best at what."""

    contenders: tuple[Contender, ...]
    measures: tuple[Measured, ...]
    says: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """What one measure gave: a value for each contender, none where there is none, and as text."""

    title: str
    more_is_better: bool
    best_at: str
    values: tuple[float | None, ...]
    texts: tuple[str, ...]
    whole: float | None = None
    """What a bar that fills its room stands for; where there is none, the largest of the values."""

    def best(self, among: int) -> tuple[int, ...]:
        """The places of those that are best, as far as the text tells, of the first so many."""
        known = [(value, k) for k, value in enumerate(self.values[:among]) if value is not None]
        if not known:
            return ()
        _, first = max(known) if self.more_is_better else min(known)
        return tuple(k for k in range(among) if self.texts[k] == self.texts[first])


def comparing(
    scores: Sequence[Line], pins: Sequence[Line | str], count: int, prior: str = "uniform"
) -> Comparing:
    """Set the lines of a table of scores side by side, and the pinned designs with them."""
    n, known = scores[0].mechanism.n, {line.mechanism for line in scores}
    lines = list(scores)
    for pin in pins:
        if isinstance(pin, Line) and pin.mechanism.n == n and pin.mechanism not in known:
            known.add(pin.mechanism)
            lines.append(pin)
    hues = iter(OTHERS[1:])
    colours = [line.colour or next(hues) for line in lines]
    columns = [line.mechanism.array.T.round(4).tolist() for line in lines]
    top = max(max(column[count]) for column in columns)
    contenders = tuple(
        Contender(
            line=line,
            name=line.name,
            about=_about(line),
            colour=colour,
            chances=chances,
            picture=small_column(
                chances[count],
                count,
                top=top,
                colour=colour,
                title=told(line.name, chances[count], count),
            ),
        )
        for line, colour, chances in zip(lines, colours, columns, strict=True)
    )
    found = _measures(lines, prior)
    return Comparing(
        contenders=contenders,
        measures=tuple(_drawn(one, contenders, one.best(len(scores))) for one in found),
        says=_winners([line.name for line in scores], found, prior),
    )


def _about(line: Line) -> str:
    """Say in a few words what a mechanism is; of a design without a name, what it has."""
    if line.yours and line.name == YOURS:
        return "; ".join(filter(None, [USUAL.get(line.code, ""), f"properties: {line.has}"]))
    return IN_SHORT.get(line.code, "the best, with nothing asked for")


def said_of(prior: str) -> str:
    """Say over what averages are taken.

    >>> said_of("uniform"), said_of("Binomial(0.3)")
    ('if every count is equally likely', 'if counts are as likely as your prior says')
    """
    return EQUALLY if prior == "uniform" else "if counts are as likely as your prior says"


def _measures(lines: Sequence[Line], prior: str) -> tuple[_Found, ...]:
    truth, errors = [line.worth.truth for line in lines], [line.worth.rmse for line in lines]
    least = [float(line.measures.least_truth) for line in lines]
    return (
        _Found(
            title=f"The truth, {said_of(prior)}",
            more_is_better=True,
            best_at="right most often ({})",
            values=tuple(truth),
            texts=tuple(f"{value:.1%}" for value in truth),
            whole=1.0,
        ),
        _Found(
            title="The truth, at the count where it is rarest",
            more_is_better=True,
            best_at="right most often at its worst count ({})",
            values=tuple(least),
            texts=tuple(f"{value:.1%}" for value in least),
            whole=1.0,
        ),
        _Found(
            title="Usual error of one group, in people",
            more_is_better=False,
            best_at="closest (usually off by {})",
            values=tuple(errors),
            texts=tuple(f"{value:.2f}" for value in errors),
        ),
        _Found(
            title=f"Total of {GROUPS} groups: 95% margin",
            more_is_better=False,
            best_at=f"best for a total of {GROUPS} groups ({{}})",
            values=tuple(line.worth.total_margin for line in lines),
            texts=tuple(line.worth.total_words for line in lines),
        ),
    )


def _drawn(found: _Found, contenders: Sequence[Contender], best: Sequence[int]) -> Measured:
    """Draw a measure as bars. Shares stand in a track of 100%; else the largest value is as wide as
    there is room.

    What knows no bound fills all of the room, hatched.
    """
    whole = (
        found.whole
        or max((value for value in found.values if value is not None), default=0.0)
        or 1.0
    )
    track = f'<rect class="track" width="100" height="14" {_TRACK}/>' if found.whole else ""
    return Measured(
        title=found.title,
        better="more is better" if found.more_is_better else "less is better",
        bars=tuple(
            Bar(
                name=one.name,
                colour=one.colour,
                says=says,
                best=k in best and len(best) < len(contenders),
                picture=_bar(None if value is None else value / whole, one.colour, track),
            )
            for k, (one, value, says) in enumerate(
                zip(contenders, found.values, found.texts, strict=True)
            )
        ),
    )


def _bar(part: float | None, colour: str, inside: str) -> str:
    if part is None:
        inside += (
            f'<path class="unbounded" d="{_HATCH}" stroke="{colour}" stroke-width="1.1" '
            'fill="none"/>'
        )
    else:
        inside += f'<rect class="length" width="{100 * part:.1f}" height="14" fill="{colour}"/>'
    return f'<svg viewBox="0 0 100 14" preserveAspectRatio="none" aria-hidden="true">{inside}</svg>'


def _winners(names: Sequence[str], found: Sequence[_Found], prior: str) -> str:
    """Say who is best at what, and under which condition; a measure at which all are alike tells
    nothing.
    """
    wins: dict[tuple[int, ...], list[str]] = {}
    for one in found:
        best = one.best(len(names))
        if best and len(best) < len(names):
            wins.setdefault(best, []).append(one.best_at.format(one.texts[best[0]]))
    said = []
    for best, at in sorted(wins.items()):
        who = listed([names[k] for k in best], "and")
        said.append(f"{who} {'is' if len(best) == 1 else 'are'} {listed(at, 'and')}")
    return f"{capital(said_of(prior))}: {'; '.join(said)}." if said else ""
