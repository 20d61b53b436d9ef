"""The pictures of docs/properties.md, one for each property: `python -m tools.property_pictures [folder]`.

Each shows two mechanisms for groups of 4: one that lacks the property and one that has it. Only the chances that the
rule speaks of are drawn, as bars: those of a row, of a column or of the diagonal. What breaks the rule is in one colour
of warning, with words beside it; all other bars are grey, whichever the mechanism.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from textwrap import wrap
from typing import Any

from tools.drawing import BASE, INK, LINES, PAGE, PAGE_LEFT, QUIET, TITLES, WARNS, heading, line, rect, svg, text

from discreet.core.exchange.matrices import from_matrix
from discreet.core.named import fair, geometric, weakly_honest
from discreet.core.rationals import read_alpha
from discreet.core.transforms import postprocess
from discreet.show.pictures.theme import HEADINGS

ALPHA = "3/4"
N = 4
_STEP, _THICK, _HIGH = 58, 46, 128
"""Pixels from one bar to the next, of a bar, and of the longest bar."""
_BASE = 204
"""From the top of a panel to the foot of its bars; above the longest there is room for words."""
_PANEL = _BASE + 44
_BETWEEN, _ROUND = 6, 3
"""Between two bars of one true count, and of their corners."""
_TRUE, _OTHER = "#5f6b76", "#c3cad1"
"""Of the bar of the truth, and of the others: no hue of a mechanism, for what counts is what breaks the rule."""
_TITLE = 40
"""Letters of a line of the title on a phone."""
_HOLDS = "#1b6e3c"
_PRIVACY = f"groups of {N}, alpha {ALPHA} (epsilon {float(read_alpha(alpha=ALPHA).epsilon):.2g})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Idea:
    """A property in a picture: what it speaks of, its rule, what one sees without and with it, and what is wrong.

    `of` is "row 1", "column 2", "diagonal" or "rows". `wrong` are the words in the colour of warning: their lines, and
    where they stand, in bars from the left and as a chance. `level` draws the line that chances are held to.
    """

    of: str
    rule: str
    without: str
    with_it: str
    wrong: tuple[tuple[str, ...], float, float]
    level: bool = False


IDEAS = {
    "RH": Idea(
        of="row 2",
        rule="a number is likeliest where it is true",
        without="a 2 comes most often when 1 is true",
        with_it="a 2 comes most often when 2 is true",
        wrong=(("likelier than", "where it is true"), 2.75, 0.139),
        level=True,
    ),
    "RM": Idea(
        of="row 0",
        rule="a farther truth never makes a number likelier",
        without="a 0 becomes likelier again when 4 is true",
        with_it="a 0 never becomes likelier again",
        wrong=(("likelier again,", "though 4 is farthest"), 3.3, 0.262),
    ),
    "CH": Idea(
        of="column 2",
        rule="no number is likelier than the truth",
        without="when 2 is true, 0 and 4 come more often",
        with_it="when 2 is true, 2 comes most often",
        wrong=(("likelier than", "the truth"), 2, 0.285),
        level=True,
    ),
    "CM": Idea(
        of="column 0",
        rule="no farther number is likelier",
        without="when 0 is true, 4 comes more often than 3",
        with_it="when 0 is true, the chances never rise",
        wrong=(("farther than 3,", "and yet likelier"), 3.45, 0.29),
    ),
    "WH": Idea(
        of="diagonal",
        rule="no truth comes less often than by guessing",
        without="a guess does better at 1, 2 and 3",
        with_it="a guess, 20%, is nowhere better",
        wrong=(("less often than", "a guess: 20%"), 2, 0.32),
        level=True,
    ),
    "F": Idea(
        of="diagonal",
        rule="every truth comes equally often",
        without="0 and 4 come four times as often",
        with_it="every truth comes in 28% of draws",
        wrong=(("less often", "than 0 and 4"), 2, 0.26),
    ),
    "S": Idea(
        of="rows",
        rule="yes and no are treated alike",
        without="a 0 comes often, a 4 never",
        with_it="a 4 comes as often as a 0, mirrored",
        wrong=(("a 4 is never", "published"), 1.95, 0.47),
    ),
}
_NAMES = {"RH": "Row honesty", "RM": "Row monotonicity", "CH": "Column honesty", "CM": "Column monotonicity",
          "WH": "Weak honesty", "F": "Fairness", "S": "Symmetry"}  # fmt: skip


def pairs() -> dict[str, tuple[tuple[str, Any], tuple[str, Any]]]:
    """For every property a mechanism for n = 4 that lacks it, and one that has it, each with its name."""
    gm = geometric(n=N, alpha=ALPHA)
    em, wm = fair(n=N, alpha=ALPHA), weakly_honest(n=N, alpha=ALPHA)
    wrapped = from_matrix([[f"{(16, 12, 9, 9, 12)[(i - j) % 5]}/58" for j in range(5)] for i in range(5)])
    raised = postprocess(gm, [[int(i == min(j + 1, N)) for j in range(5)] for i in range(5)])
    lopsided = postprocess(gm, [[int(i == min(j, 3)) for j in range(5)] for i in range(5)])
    usual = ("usual noise (GM)", gm)
    return {
        "RH": (("usual noise, one person added", raised), usual),
        "RM": (("noise in a circle: 0 follows 4", wrapped), ("fair mechanism (EM)", em)),
        "CH": (usual, ("fair mechanism (EM)", em)),
        "CM": (usual, ("fair mechanism (EM)", em)),
        "WH": (usual, ("weakly honest mechanism (WM)", wm)),
        "F": (usual, ("fair mechanism (EM)", em)),
        "S": (("usual noise, 3 published for 4", lopsided), usual),
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


def broken(name: str, m: Any) -> set[tuple[int, int]]:
    """The cells that are drawn and break the rule, as (published number, true count)."""
    least = name in ("WH", "F", "S")
    return {
        cell
        for strip, held in zip(spoken_of(name), limits(name, m), strict=True)
        for cell, limit in zip(strip, held, strict=True)
        if (limit - float(m[cell]) if least else float(m[cell]) - limit) > 1e-9
    }


def bars(name: str, m: Any, *, size: float, scale: float) -> list[str]:
    """Draw the chances that the rule speaks of: the truth is darker, what breaks the rule in the colour of warning.

    Of two rows the first is dark and the second is pale.
    """
    wrong, sets, parts = broken(name, m), spoken_of(name), list[str]()
    wide = (_THICK - _BETWEEN * (len(sets) - 1)) / len(sets)
    for place, cells_of in enumerate(sets):
        for k, cell in enumerate(cells_of):
            chance = float(m[cell])
            full = cell[0] == cell[1] if len(sets) == 1 else not place
            shade = WARNS if cell in wrong else _TRUE if full else _OTHER
            x = k * _STEP + (_STEP - _THICK) / 2 + place * (wide + _BETWEEN)
            missing = cell in wrong and not chance  # a bar that should be there
            high = scale * (limits(name, m)[place][k] if missing else chance)
            parts.append(_outline(x, wide, high) if missing else _bar(x, wide, high, shade))
            if len(sets) == 1 or (cell[0] == cell[1] and chance):
                ink, bold = WARNS if cell in wrong else INK, cell in wrong or cell[0] == cell[1]
                high = _BASE - scale * chance - 5
                if _crossed(name, m, chance, scale=scale):  # no line through a number: it stands within its bar
                    high, ink = high + 21, "#ffffff" if bold else INK
                number = f"{100 * chance:.0f}%"
                parts.append(text(x + wide / 2, high, number, size=size, at="middle", fill=ink, bold=bold))
    parts.append(line([(0, _BASE), ((N + 1) * _STEP, _BASE)], stroke=BASE, width=1))
    return [part for part in parts if part]


def _bar(x: float, wide: float, high: float, shade: str) -> str:
    """A bar whose upper corners are round, as those of charts are."""
    foot = min(high, _ROUND)  # square, over the round lower corners
    square = f'<path d="M{x:g} {_BASE:g}h{wide:g}v{-foot / 2:g}h{-wide:g}z" fill="{shade}"/>'
    return rect(x, _BASE - high, wide, high, fill=shade, corner=_ROUND) + square


def _outline(x: float, wide: float, high: float) -> str:
    """A bar that is missing."""
    corners = [(x, _BASE), (x, _BASE - high), (x + wide, _BASE - high), (x + wide, _BASE)]
    return line(corners, stroke=WARNS, width=1.4, dash="3 3")


def _crossed(name: str, m: Any, chance: float, *, scale: float) -> bool:
    """Whether the line that chances are held to would run through the number above a bar."""
    return IDEAS[name].level and 2 < scale * (limits(name, m)[0][0] - chance) < 20


def level(name: str, m: Any, *, scale: float) -> list[str]:
    """Draw the line that the chances are held to: one for all, or from a bar to the next one that is higher."""
    idea = IDEAS[name]
    if name in ("RM", "CM"):
        (cells,), (most,) = spoken_of(name), limits(name, m)
        wrong = [place for place, cell in enumerate(cells) if cell in broken(name, m)]
        spans = [((k - 0.9) * _STEP, (k + 1) * _STEP, _BASE - scale * most[k]) for k in wrong]
        return [line([(begin, high), (end, high)], stroke=INK, width=1.2, dash="4 3") for begin, end, high in spans]
    if not idea.level:
        return []
    held = limits(name, m)[0][0]
    y, right = _BASE - scale * held, (N + 1) * _STEP
    return [line([(0, y), (right + 4, y)], stroke=INK, width=1.2, dash="4 3")]


def sign(holds: bool) -> str:
    """A tick or a cross before the name of a panel."""
    if holds:
        return line([(1, -5), (5, -1), (12, -10)], stroke=_HOLDS, width=2.4)
    return "".join(line(ends, stroke=WARNS, width=2.4) for ends in ([(1, -10), (11, 0)], [(1, 0), (11, -10)]))


def panel(name: str, called: str, m: Any, *, holds: bool, page: bool, longest: float) -> list[str]:
    """Draw one mechanism: its name, what is to be seen, the bars and where they are from."""
    idea, size = IDEAS[name], LINES[page]
    scale = _HIGH / longest
    parts = [
        sign(holds),
        text(19, 0, "With it" if holds else "Without it", size=HEADINGS if page else 13, bold=True, fill="#000000"),
        text((76 if holds else 98) - 5 * (not page), 0, called, size=size, fill=QUIET),
        text(0, 20, idea.with_it if holds else idea.without, size=size),
        *level(name, m, scale=scale),
        *bars(name, m, size=size, scale=scale),
    ]
    if not holds:
        lines, at, chance = idea.wrong
        for k, words in enumerate(lines):
            y = _BASE - scale * chance - 16 * (len(lines) - 1 - k) - 4
            parts.append(text((at + 0.5) * _STEP, y, words, size=size, at="middle", fill=WARNS, bold=True))
    if name == "S":
        for x, k, shade in ((0, 0, _TRUE), (112, N, _OTHER)):
            parts += [rect(x, 33, 11, 11, fill=shade), text(x + 17, 43, f"{k} published", size=size)]
    truth = int(idea.of[-1]) if idea.of[-1].isdigit() else -1
    for k in range(N + 1):
        said = f"{k}: truth" if k == truth and idea.of.startswith("column") else str(k)
        parts.append(text((k + 0.5) * _STEP, _BASE + 18, said, size=size, at="middle", bold=k == truth))
    across = "published number" if idea.of.startswith("column") else "true count"
    return [*parts, text((N + 1) * _STEP / 2, _BASE + 37, across, size=size, at="middle", fill=QUIET)]


def measured(name: str) -> str:
    """What the bars are."""
    kind, _, which = IDEAS[name].of.partition(" ")
    return {
        "row": f"chance that {which} is published, at each true count",
        "column": f"chance of each number if {which} of {N} said yes",
        "diagonal": "chance that the true count is published",
        "rows": f"chance that 0, and that {N}, is published",
    }[kind]


def pair(name: str, *, narrow: bool = False) -> str:
    """Draw the two mechanisms of a property on one scale, side by side; for a phone one below the other."""
    poor, good = pairs()[name]
    longest = max(float(m[cell]) for _, m in (poor, good) for strip in spoken_of(name) for cell in strip)
    both = [
        panel(name, *one, holds=holds, page=not narrow, longest=longest) for one, holds in ((poor, False), (good, True))
    ]
    title, rule = _NAMES[name], IDEAS[name].rule
    if narrow:  # the heading of the page is right above it, and has the name
        first, *more = wrap(f"{rule[:1].upper()}{rule[1:]}", _TITLE)
        further = (
            text(8, 41 + 19 * k, words, size=TITLES[False], fill="#000000", bold=True) for k, words in enumerate(more)
        )
        down = 19 * len(more)
        lines = (
            text(8, 42 + down + 17 * k, words, size=LINES[False], fill=QUIET)
            for k, words in enumerate((measured(name), _PRIVACY))
        )
        places = [(8.0, 93.0 + down), (8.0, 93.0 + down + _PANEL + 36)]
        above = [*heading(first), *further, *lines]
        return svg(places[1][1] + _PANEL, [*above, *_placed(both, places)])
    places = [(PAGE_LEFT, 86.0), (PAGE_LEFT + 328.0, 86.0)]
    said = f"{measured(name)}; {_PRIVACY}"
    above = heading(f"{title}: {rule}", said, left=PAGE_LEFT)
    return svg(86 + _PANEL, [*above, *_placed(both, places)], wide=PAGE)


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
