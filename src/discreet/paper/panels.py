"""Charts the figures share: lines for exact numbers, points with bars for simulated ones, panels in a grid.

Drawn together they show at a glance whether the simulation agrees with the exact numbers. The names of the lines stand
beside the last panel of every row, so that no legend has to be looked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import ceil, floor, log, log10
from typing import Any

from discreet.core.named import NAMED
from discreet.paper.contestants import ORDER
from discreet.paper.panel_names import names_beside, room
from discreet.show.colours import DASHES, MARKERS, Look, looks
from discreet.show.pictures.theme import LETTERS, altair, inline

Row = dict[str, Any]
_PAGE = 640
"""The width of a page of the documentation, in pixels, without what `finished` leaves on both sides."""
_AXIS, _TITLE, _BETWEEN = 44, 22, 22
"""Pixels that the numbers of an axis take, that its title takes, and between two panels."""
_MARK = "#595959"
_MOVED = ("exact", "least", "largest", "mean")
"""What is on the scale of a panel."""
_PADDING = 8
"""Pixels from the first and the last point to the sides of a panel."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """One panel, from rows with `exact` (a line) and, if there are any, `mean` and `error` (points with bars).

    Where rows have `least` and `largest`, the range over all optima, it is a band behind the line.
    """

    rows: Sequence[Row]
    x: str
    x_title: str
    y_title: str
    title: str = ""
    series: str = "mechanism"
    order: Sequence[str] = ORDER
    height: int = 190
    domain: tuple[float, float] | None = None
    marks: bool = False
    log_y: bool = False
    marked: tuple[float, str] | None = None
    """A value of x with an upright line, and its name."""
    about: tuple[str, ...] = ()
    """The series that the figure is about; where there are any, the lines of all others are thin."""
    percent: bool = False
    said: Mapping[str, str] = field(default_factory=dict)
    """The names of series for a reader, where they are not those of mechanisms or properties."""

    @property
    def names(self) -> list[str]:
        """The series that have rows, in their order."""
        present = {row[self.series] for row in self.rows}
        return [name for name in self.order if name in present]

    def drawn(self, width: float, *, named: bool, x_title: bool, y_title: bool) -> Any:
        """Draw it so wide, with the names of its lines and the titles of its axes, or without."""
        alt = altair()
        names = self.names
        data = [row for row in self.rows if row[self.series] in names]
        low, high = self.domain or shared_domain(data, step=_step(data))
        ticks: dict[str, Any] = {"values": _one_two_five(low, high)} if self.log_y else {"tickCount": 4}
        ticks |= {"format": ".0%"} if self.percent else {}
        y = alt.Axis(minExtent=_AXIS - 2, **ticks)  # so that the panels of a column begin at one place
        scale = alt.Scale(type="log" if self.log_y else "linear", domain=[low, high], nice=False)
        at = alt.X(
            f"{self.x}:Q",
            title=self.x_title if x_title else None,
            axis=alt.Axis(tickCount=5 if width < 300 else 6),
            scale=alt.Scale(zero=False, nice=False, padding=_PADDING),
        )
        up = {"title": self.y_title if y_title else None, "scale": scale, "axis": y}
        look = _looks(self.order)
        layers = self._layers(data, at, up, {name: look[name] for name in names})
        if named:
            lines = {name: [row for row in data if row[self.series] == name] for name in names}
            flat = (lambda value: log(value)) if self.log_y else (lambda value: value)
            span = flat(high) - flat(low)
            layers += names_beside(
                lines,
                self.x,
                look,
                (width, self.height),
                lambda row: self.height * (flat(high) - flat(row["exact"])) / span,
                self.about,
                self.said,
            )
        if self.marked:
            place = alt.Chart(inline([{self.x: self.marked[0], "name": self.marked[1]}])).encode(x=f"{self.x}:Q")
            layers.append(place.mark_rule(strokeDash=[4, 4], color=_MARK))
            words = place.mark_text(align="left", dx=5, fontSize=LETTERS, color=_MARK)
            layers.append(words.encode(y=alt.value(10), text="name:N"))
        whole = alt.layer(*layers).properties(width=width, height=self.height)
        return whole.properties(title=alt.TitleParams(text=self.title, fontSize=LETTERS)) if self.title else whole

    def _layers(self, data: list[Row], at: Any, up: dict[str, Any], look: dict[str, Look]) -> list[Any]:
        """Bands, lines and points, from the back to the front."""
        alt = altair()

        def by(kind: Any, values: Iterable[Any]) -> Any:
            return kind(f"{self.series}:N", scale=alt.Scale(domain=list(look), range=list(values)), legend=None)

        colour = by(alt.Color, (one.colour for one in look.values()))
        shape = by(alt.Shape, (one.marker for one in look.values()))
        dash = by(alt.StrokeDash, (one.dash for one in look.values()))
        exact = alt.Chart(inline(data)).encode(x=at, y=alt.Y("exact:Q", **up), color=colour)
        simulated = [
            {**row, "low": row["mean"] - row["error"], "high": row["mean"] + row["error"]}
            for row in data
            if row.get("mean") is not None
        ]
        seen = alt.Chart(inline(simulated)).encode(x=at, color=colour)
        ranged = [row for row in data if row.get("least") is not None]
        below = self._covered(data)
        layers = []
        if ranged:
            band = alt.Chart(inline(ranged)).mark_area(opacity=0.22, clip=True)
            layers.append(band.encode(x=at, y=alt.Y("least:Q", **up), y2="largest:Q", color=colour))
        if below:  # where another line lies on it, a line is seen on both sides of that
            broad = exact.properties(data=inline(below)).encode(detail="piece:N")
            layers.append(broad.mark_line(strokeWidth=6, opacity=0.4, clip=True))
        if simulated:
            layers.append(seen.mark_rule(strokeWidth=1.1, clip=True).encode(y=alt.Y("low:Q", **up), y2="high:Q"))
        for about, width, size in ((False, 1.2, 16), (True, 3.0, 46)) if self.about else ((None, 1.8, 28),):

            def part(rows: list[Row], about: bool | None = about) -> Any:
                return inline([row for row in rows if about is None or (row[self.series] in self.about) == about])

            lines = exact.properties(data=part(data))
            layers.append(lines.mark_line(strokeWidth=width, clip=True).encode(strokeDash=dash))
            if self.marks:
                layers.append(lines.mark_point(filled=True, size=size, opacity=1, clip=True).encode(shape=shape))
            if simulated:
                dots = seen.properties(data=part(simulated)).mark_point(filled=True, size=size, opacity=1, clip=True)
                layers.append(dots.encode(y=alt.Y("mean:Q", **up), shape=shape))
        return layers

    def _covered(self, data: Sequence[Row]) -> list[Row]:
        """The pieces of lines that one drawn later lies on, from point to point; each has its number."""
        lines = [
            sorted((row for row in data if row[self.series] == name), key=lambda row: row[self.x])
            for name in self.names
        ]
        pieces = [{self._piece(pair) for pair in pairwise(line)} for line in lines]
        found: list[Row] = []
        for k, line in enumerate(lines):
            over: set[tuple[float, ...]] = set().union(*pieces[k + 1 :])
            for number, (one, other) in enumerate(pairwise(line)):
                if one[self.x] < other[self.x] and self._piece((one, other)) in over:
                    joined = found and found[-1] == {**one, "piece": found[-1]["piece"]}
                    piece = found[-1]["piece"] if joined else f"{k} {number}"
                    found += [{**row, "piece": piece} for row in ((other,) if joined else (one, other))]
        return found

    def _piece(self, pair: tuple[Row, Row]) -> tuple[float, ...]:
        return tuple(number for row in pair for number in (row[self.x], float(f"{row['exact']:.9g}")))


def against(rows: Sequence[Row], base: str, *, by: Sequence[str], times: float = 1.0) -> list[Row]:
    """The rows as differences from the series `base` at the same place, which `by` says; it then lies at 0.

    >>> two = [{"n": 2, "mechanism": name, "exact": value} for name, value in (("GM", 0.5), ("EM", 0.25))]
    >>> [row["exact"] for row in against(two, "GM", by=["n"], times=100)]
    [0.0, -25.0]
    """

    def place(row: Row) -> tuple[Any, ...]:
        return tuple(row[name] for name in by)

    zero = {place(row): row["exact"] for row in rows if row["mechanism"] == base}
    found = []
    for row in rows:
        moved = {key: times * (row[key] - zero[place(row)]) for key in _MOVED if row.get(key) is not None}
        error = {"error": times * row["error"]} if row.get("error") is not None else {}
        found.append({**row, **moved, **error})
    return found


def _looks(order: Sequence[str]) -> dict[str, Look]:
    """How each series is drawn; where no mechanism is among them, the plainest dashes and markers come first."""
    drawn = dict(zip(order, looks(order, _made_of(order)), strict=True))
    if set(order) & set(ORDER):
        return drawn
    return {name: Look(drawn[name].colour, DASHES[k], MARKERS[k]) for k, name in enumerate(order)}


def _made_of(order: Iterable[str]) -> dict[str, str]:
    """Which named mechanism a series is made of, where its label says so after other words.

    The first has the mechanism's colour; others are other methods, in hues of their own.

    >>> _made_of(["WM (WH)", "per cell, GM", "per range, GM", "guessing"])
    {'per cell, GM': 'GM', 'per range, GM': ''}
    """
    words = {name: name.replace(",", " ").split() for name in order}
    found = {name: [word for word in said[1:] if word in NAMED] for name, said in words.items() if said[0] not in NAMED}
    firsts = {named[0]: name for name, named in reversed(found.items()) if named}
    return {name: named[0] if firsts[named[0]] == name else "" for name, named in found.items() if named}


def shared_domain(rows: Iterable[Row], step: float = 0.1) -> tuple[float, float]:
    """Return a common range for the y axes of a figure, out to multiples of `step`, with no curve along an end.

    >>> shared_domain([{"exact": 0.33}, {"exact": 0.79}]), shared_domain([{"exact": 0.4}, {"exact": 1}])
    ((0.3, 0.8), (0.3, 1.1))
    """
    values = _values(rows)
    room = step / 20  # a mark on the end itself would be cut in half
    low, high = floor((min(values) - room) / step) * step, ceil((max(values) + room) / step) * step
    return round(max(low, 0.0) if min(values) >= 0 else low, 6), round(high, 6)


def _values(rows: Iterable[Row]) -> list[float]:
    return [value for row in rows for key in ("exact", "least", "largest") if (value := row.get(key)) is not None]


def _step(rows: Iterable[Row]) -> float:
    """About a tenth of the range of the values: 1, 2 or 5 times a power of ten."""
    values = _values(rows)
    tenth = ((max(values) - min(values)) or 1.0) / 10
    power = 10.0 ** floor(log10(tenth))
    return next(k * power for k in (1, 2, 5, 10) if k * power >= tenth * 0.999)


def _one_two_five(low: float, high: float) -> list[float]:
    """The numbers 1, 2 and 5 times powers of ten on a logarithmic axis.

    >>> _one_two_five(0.5, 20)
    [0.5, 1.0, 2.0, 5.0, 10.0, 20.0]
    """
    found = [round(k * 10.0**power, 9) for power in range(floor(log10(low)), ceil(log10(high)) + 1) for k in (1, 2, 5)]
    return [value for value in found if low <= value <= high]


def grid(panels: Sequence[Panel], columns: int = 2) -> Any:
    """Lay panels out in rows of `columns`, as wide as a page of the documentation, so that letters keep their size.

    Names stand beside the last panel of each row, and a title only where the axis before does not have it already.
    """
    alt = altair()
    rows = [panels[k : k + columns] for k in range(0, len(panels), columns)]
    beside = max(room(row[-1].names, row[-1].said) for row in rows)
    titles = max(_titled(row) for row in rows)
    width = (_PAGE - beside - _AXIS * columns - _TITLE * titles - _BETWEEN * (columns - 1)) // columns
    drawn = []
    for k, row in enumerate(rows):
        below = rows[k + 1] if k + 1 < len(rows) else []
        drawn.append(
            alt.hconcat(
                *(
                    one.drawn(
                        width,
                        named=one is row[-1],
                        x_title=place >= len(below) or below[place].x_title != one.x_title,
                        y_title=place == 0 or row[place - 1].y_title != one.y_title,
                    )
                    for place, one in enumerate(row)
                ),
                spacing=_BETWEEN,
            )
        )
    whole = alt.vconcat(*drawn, spacing=16) if len(drawn) > 1 else drawn[0]
    return whole.resolve_scale(color="independent", shape="independent", strokeDash="independent")


def _titled(row: Sequence[Panel]) -> int:
    """How many panels of a row have a title beside their axis."""
    return len({one.y_title for one in row})
