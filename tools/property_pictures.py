"""The pictures of docs/properties.md, one for each property: `python -m tools.property_pictures [folder]`.

Each shows two mechanisms for groups of 4: one that lacks the property and one that has it. What the rule speaks of, a
row, a column, the diagonal or a row and its mirror image, is drawn in full and again as bars, which stand in the same
columns or rows as its numbers; all other cells are faded. The tip of a bar that is too long is in the colour of words,
and what is missing is dashed.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from discreet.core.named import fair, geometric, weakly_honest
from discreet.core.rationals import read_alpha
from discreet.core.transforms import postprocess
from discreet.show.cells import cells, largest
from discreet.show.colours import MARK, MARK_EDGE, between, mechanism_colour
from discreet.show.pictures.theme import HEADINGS
from tools.drawing import BASE, LINES, PAGE, PAGE_LEFT, heading, line, rect, svg, text

ALPHA = "3/4"
N = 4
_CELL, _SIDE = 36, 36 * (N + 1)
_LEFT, _TOP, _HIGH = 42, 32, 72
"""Pixels from the corner of a panel to its matrix, and of the longest bar."""
_ABOVE, _BELOW = 14, 46
"""From a matrix to the room of its bars, and from there to the end of a panel."""
_THICK, _FADED, _PALE = 26, 0.72, 0.6
"""Of a bar; how far other cells are faded; and how pale bars are that are not the truth."""
_DASH = "3 3"
_PRIVACY = f"n = {N}, epsilon = {float(read_alpha(alpha=ALPHA).epsilon):.3g}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Idea:
    """A property in a picture: what it speaks of, its title, what one sees without and with it, what marks mean.

    `of` is "row 1", "column 2", "diagonal" or "rows". `level` names the line that chances are compared with.
    """

    of: str
    title: str
    without: str
    with_it: str
    marks: str
    level: str = ""


IDEAS = {
    "RH": Idea(
        of="row 1",
        title="Row honesty: an answer is likeliest where it is true",
        without="the answer 1 is likelier at 2, 3 and 4",
        with_it="the answer 1 is likeliest at its truth",
        marks="tip: above its truth",
        level="its truth",
    ),
    "RM": Idea(
        of="row 1",
        title="Row monotonicity: answers fade away from their truth",
        without="the answer 1 gets likelier from 1 to 3",
        with_it="the answer 1 fades on both sides",
        marks="tip: a rise",
    ),
    "CH": Idea(
        of="column 2",
        title="Column honesty: the truth is the likeliest answer",
        without="2 is true, but 0 and 4 are likelier",
        with_it="2 is true and likeliest",
        marks="tip: above the truth",
        level="the truth",
    ),
    "CM": Idea(
        of="column 0",
        title="Column monotonicity: no rise away from the truth",
        without="0 is true, and 4 beats the nearer 3",
        with_it="0 is true, and no step rises",
        marks="tip: a rise",
    ),
    "WH": Idea(
        of="diagonal",
        title="Weak honesty: no truth is told less than by guessing",
        without="1, 2, 3 are told in 14%, a guess in 20%",
        with_it="every truth is told in 20% or more",
        marks="dashed: short of a guess",
        level="guess",
    ),
    "F": Idea(
        of="diagonal",
        title="Fairness: every truth is told equally often",
        without="0 and 4 are told most often",
        with_it="every truth is told in 28%",
        marks="dashed: short of the best told",
        level="best told",
    ),
    "S": Idea(
        of="rows",
        title="Symmetry: turned by half a turn, it is the same",
        without="0 comes often, 4 never",
        with_it="0 comes as often as 4",
        marks="dashed: short of its mirror image",
    ),
}


def pairs() -> dict[str, tuple[tuple[str, Any], tuple[str, Any]]]:
    """For every property a mechanism for n = 4 that lacks it, and one that has it, each with its name."""
    gm = geometric(n=N, alpha=ALPHA)
    em, wm = fair(n=N, alpha=ALPHA), weakly_honest(n=N, alpha=ALPHA)
    swapped = postprocess(gm, [[int(i == (0, 3, 2, 1, 4)[j]) for j in range(5)] for i in range(5)])
    lopsided = postprocess(gm, [[int(i == min(j, 3)) for j in range(5)] for i in range(5)])
    return {
        "RH": (("usual, 1 and 3 exchanged", swapped), ("usual (GM)", gm)),
        "RM": (("usual, 1 and 3 exchanged", swapped), ("usual (GM)", gm)),
        "CH": (("usual (GM)", gm), ("fair (EM)", em)),
        "CM": (("usual (GM)", gm), ("fair (EM)", em)),
        "WH": (("usual (GM)", gm), ("weakly honest (WM)", wm)),
        "F": (("usual (GM)", gm), ("fair (EM)", em)),
        "S": (("usual, 3 published for 4", lopsided), ("usual (GM)", gm)),
    }


def spoken_of(name: str) -> list[list[tuple[int, int]]]:
    """The cells that a property's picture draws in full, as (published number, true count), in rows of bars."""
    kind, _, which = IDEAS[name].of.partition(" ")
    span = range(N + 1)
    if kind == "rows":
        return [[(0, j) for j in span], [(N, j) for j in span]]
    if kind == "diagonal":
        return [[(k, k) for k in span]]
    return [[(int(which), k) if kind == "row" else (k, int(which)) for k in span]]


def limits(name: str, m: Any) -> list[list[float]]:
    """What each chance that is drawn in full is compared with: at most that, or for WH, F and S at least."""
    drawn = [[float(m[cell]) for cell in strip] for strip in spoken_of(name)]
    if name == "S":
        return [drawn[1][::-1], drawn[0][::-1]]
    if name == "WH":
        return [[1 / (N + 1)] * (N + 1)]
    if name == "F":
        return [[max(drawn[0])] * (N + 1)]
    true = int(IDEAS[name].of[-1])
    if name in ("RH", "CH"):
        return [[drawn[0][true]] * (N + 1)]
    nearer = [k - (k > true) + (k < true) for k in range(N + 1)]
    return [[drawn[0][k] for k in nearer]]


def matrix(name: str, m: Any, *, size: float, top: float) -> list[str]:
    """Draw the matrix in percent, true counts across, published numbers down: what the rule speaks of, others faded."""
    full = {cell for strip in spoken_of(name) for cell in strip}
    parts, frames = [], []
    for cell in cells(m, top=top):
        at = cell["output"], cell["count"]
        x, y = _LEFT + at[1] * _CELL, _TOP + at[0] * _CELL
        if at not in full:
            parts.append(rect(x, y, _CELL, _CELL, fill=between(cell["fill"], "#ffffff", _FADED), stroke="#ffffff"))
            continue
        parts.append(rect(x, y, _CELL, _CELL, fill=cell["fill"], stroke="#ffffff"))
        if not cell["probability"]:  # a white cell is seen by its border
            parts.append(_frame(x + 0.5, y + 0.5, _CELL - 1, _CELL - 1, "#d0d0d0", 1))
        number = f"{100 * cell['probability']:.0f}"
        parts.append(text(x + _CELL / 2, y + _CELL / 2 + 5, number, size=size, at="middle", fill=cell["ink"]))
        if cell["diagonal"]:
            frames += [_frame(x + 2, y + 2, _CELL - 4, _CELL - 4, *look) for look in ((MARK_EDGE, 4), (MARK, 2))]
    rows = {cell[0] for cell in full} if len({cell[0] for cell in full}) < N + 1 else set()
    for k in range(N + 1):
        parts.append(text(_LEFT - 8, _TOP + k * _CELL + 23, str(k), size=size, at="end", bold=k in rows))
    turned = text(0, 0, "published number", size=size, at="middle")
    return [*parts, *frames, f'<g transform="translate(14 {_TOP + _SIDE / 2:g}) rotate(-90)">{turned}</g>']


def bar(place: float, begin: float, chance: float, limit: float, *, scale: float, way: str, look: str) -> list[str]:
    """Draw one bar from `begin` at its place: in ink beyond a limit that it may not pass, dashed up to one it lacks.

    `way` is "up", "down" or "right"; `look` a colour, after which "most" or "least" says which kind the limit is.
    """
    colour, kind = look.split()

    def piece(low: float, high: float, fill: str = "", dash: bool = False) -> str:
        first, last = scale * low, scale * high
        if way == "right":
            box = begin + first, place - _THICK / 2, last - first, float(_THICK)
        else:
            box = place - _THICK / 2, begin - last if way == "up" else begin + first, float(_THICK), last - first
        return _frame(*box, BASE, 1.2, _DASH) if dash else rect(*box, fill=fill)

    kept = min(chance, limit) if kind == "most" else chance
    parts = [piece(0, kept, colour)] if kept else []
    if chance - kept > 1e-9:
        parts.append(piece(kept, chance, MARK))
    if kind == "least" and limit - chance > 1e-9:
        parts.append(piece(chance, limit, dash=True))
    return parts


def strip(name: str, m: Any, colour: str, *, size: float, scale: float) -> list[str]:
    """Draw what the rule speaks of as bars, in the rows or columns of the matrix, with the level they are held to."""
    idea, held, sets = IDEAS[name], limits(name, m), spoken_of(name)
    across = idea.of.startswith("column")
    begin = _LEFT + _SIDE + 12.0 if across else _TOP + _SIDE + _ABOVE + _HIGH
    ways = ["right"] if across else ["up", "down"]
    kind = "least" if name in ("WH", "F", "S") else "most"
    parts: list[str] = []
    for way, cells_of, most in zip(ways, sets, held, strict=False):
        for k, (cell, limit) in enumerate(zip(cells_of, most, strict=True)):
            chance = float(m[cell])
            shade = colour if cell[0] == cell[1] else between(colour, "#ffffff", _PALE)
            place = (_TOP if across else _LEFT) + (k + 0.5) * _CELL
            parts += bar(place, begin, chance, limit, scale=scale, way=way, look=f"{shade} {kind}")
    edge = _TOP if across else _LEFT
    ends = [(begin, edge), (begin, edge + _SIDE)] if across else [(edge, begin), (edge + _SIDE, begin)]
    parts.append(line(ends, stroke=BASE, width=1))
    if idea.level:
        level, said = scale * held[0][0], f"{idea.level}: {100 * held[0][0]:.0f}%"
        if across:
            parts.append(line([(begin + level, _TOP), (begin + level, _TOP + _SIDE + 6)], stroke=MARK, width=1.3))
            parts.append(text(begin, _TOP + _SIDE + 20, said, size=size))
        else:
            parts.append(line([(edge, begin - level), (edge + _SIDE + 4, begin - level)], stroke=MARK, width=1.3))
            parts.append(text(edge + _SIDE + 8, begin - level + 5, said, size=size))
    if name == "S":
        parts += [text(edge + _SIDE + 8, begin + down, f"answer {k}", size=size) for k, down in ((0, -8), (4, 18))]
    return parts


def panel(name: str, called: str, m: Any, *, page: bool, top: float, longest: float) -> list[str]:
    """Draw one mechanism: its name, what is to be seen, the matrix, the bars and the true counts."""
    idea, size = IDEAS[name], LINES[page]
    has = called.startswith("has")
    across = idea.of.startswith("column")
    colour = mechanism_colour(called.rpartition("(")[2].rstrip(")"))
    parts = [
        text(0, 0, called, size=HEADINGS if page else 13, bold=True, fill="#000000"),
        text(0, 19, idea.with_it if has else idea.without, size=size),
        *matrix(name, m, size=size, top=top),
        *strip(name, m, colour, size=size, scale=_HIGH / longest),
    ]
    foot = _foot(name) - _BELOW + 18
    column = int(idea.of[-1]) if across else -1
    for k in range(N + 1):
        parts.append(text(_LEFT + (k + 0.5) * _CELL, foot, str(k), size=size, at="middle", bold=k == column))
    parts.append(text(_LEFT + _SIDE / 2, foot + 19, "true count", size=size, at="middle"))
    return parts


def _foot(name: str) -> float:
    """How high a panel is."""
    kind = IDEAS[name].of.partition(" ")[0]
    bars = {"column": 0, "rows": _ABOVE + 2 * _HIGH}.get(kind, _ABOVE + _HIGH)
    return _TOP + _SIDE + bars + _BELOW


def _frame(x: float, y: float, wide: float, high: float, stroke: str, width: float, dash: str = "") -> str:
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    box = f'x="{x:.4g}" y="{y:.4g}" width="{wide:.4g}" height="{high:.4g}"'
    return f'<rect {box} fill="none" stroke="{stroke}" stroke-width="{width:g}"{dashes}/>'


def pair(name: str, *, narrow: bool = False) -> str:
    """Draw the two mechanisms of a property on one scale, side by side; for a phone one below the other."""
    (poor, lacks), (good, has) = pairs()[name]
    idea = IDEAS[name]
    top = largest(lacks, has)
    drawn = [float(m[cell]) for m in (lacks, has) for strip in spoken_of(name) for cell in strip]
    longest = max(*drawn, *(limit for m in (lacks, has) for strip in limits(name, m) for limit in strip))
    both = [
        panel(name, called, m, page=not narrow, top=top, longest=longest)
        for called, m in ((f"lacks it: {poor}", lacks), (f"has it: {good}", has))
    ]
    high = _foot(name)
    said = ("chances in %;", f"{_PRIVACY};", f"outlined: the truth; {idea.marks}")
    if narrow:
        what, _, says = idea.title.partition(": ")
        above = heading(what, says, " ".join(said[:2]), said[2])
        places = [(8.0, 118.0), (8.0, 118.0 + high + 30)]
        return svg(places[1][1] + high, [*above, *_placed(both, places)])
    places = [(PAGE_LEFT, 76), (PAGE_LEFT + 324, 76)]
    return svg(76 + high, [*heading(idea.title, " ".join(said), left=PAGE_LEFT), *_placed(both, places)], wide=PAGE)


def _placed(panels: list[list[str]], places: list[tuple[float, float]]) -> list[str]:
    return [
        part
        for inside, (x, y) in zip(panels, places, strict=True)
        for part in (f'<g transform="translate({x:g} {y:g})">', *inside, "</g>")
    ]


def pictures() -> dict[str, str]:
    """Every picture by its name."""
    return {
        f"property-{name.lower()}{'-narrow' * narrow}": pair(name, narrow=narrow)
        for name in pairs()
        for narrow in (False, True)
    }


if __name__ == "__main__":
    for name, drawn in pictures().items():
        (Path(sys.argv[1] if len(sys.argv) > 1 else "docs/images") / f"{name}.svg").write_text(drawn, encoding="utf-8")
