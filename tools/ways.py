"""Pictures of steps in one style, of docs/how-it-works.md and docs/story.md: `python -m tools.ways [folder]`."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from tools.drawing import INK, LINES, PAGE, PAGE_LEFT, PLAIN, WARNS, WIDE, heading, line, rect, svg, text

SECRET, STEP, PUBLIC = "secret", "a step", "for anybody"
LOOKS = {SECRET: ("#f8e3e1", WARNS), STEP: ("#ffffff", PLAIN), PUBLIC: ("#e3ecf5", "#3d5166")}
"""What a box may be, with its fill and its border; commands are steps."""
Box = tuple[str, tuple[str, ...], str]
"""Its name, the lines below, and what it is."""
STORY: Sequence[Box] = (
    ("people.csv", ("one row for", "each person"), SECRET),
    ("discreet plan", ("what it will cost", "and be worth"), STEP),
    ("discreet ledger", ("what people may", "pay in all"), STEP),
    ("discreet release", ("noise is drawn,", "once"), STEP),
    ("published/", ("tables, manifest,", "proofs"), PUBLIC),
    ("discreet estimate", ("numbers to quote,", "with intervals"), STEP),
    ("discreet report", ("a page to send",), PUBLIC),
)
"""The last two are read from the folder, each by itself."""
HOUSE: Mapping[str, Box] = {
    "question": ("your question", ("how large groups are,", "how private"), STEP),
    "design": ("design", ("the best chances,", "worked out exactly"), STEP),
    "mechanism": ("mechanism", ("the table of chances,", "checked once"), PUBLIC),
    "counts": ("true counts", ("of every group",), SECRET),
    "release": ("release", ("asks the ledger,", "then draws noise"), STEP),
    "noisy": ("noisy counts", ("published with", "their mechanism"), PUBLIC),
    "read": ("read it", ("how often wrong,", "how far off"), STEP),
    "estimate": ("estimate", ("totals, and how", "sure they are"), STEP),
}
_TITLES = {
    "story": ("One secret file goes in, a folder for anybody comes out", "One secret file in, one folder out"),
    "house": ("Everything reads one table of chances, the mechanism", "Everything reads one mechanism"),
}


def pictures() -> dict[str, str]:
    """Every picture by its name."""
    return {"path": house(), "path-narrow": narrow_house(), "story-path": story(), "story-path-narrow": tower()}


def story() -> str:
    """The way from the file to the folder, from left to right; below it what is read from the folder."""
    wide, high, gap, left, top, down = 152, 76, 14, PAGE_LEFT, 66, 24
    *steps, folder, estimate, report = STORY
    parts = _head(_TITLES["story"][0], left)
    for k, box in enumerate(steps):
        x = left + k * (wide + gap)
        parts.append(_box(x, top, wide, high, box))
        if k + 1 < len(steps):
            parts.append(_arrow([(x + wide, top + high / 2), (x + wide + gap, top + high / 2)]))
    whole, bar, y = 4 * wide + 3 * gap, 56, top + high + down
    parts.append(_box(left, y, whole, bar, _in_a_line(folder)))
    last, half, below = left + whole - wide / 2, (whole - gap) / 2, y + bar + down
    parts.append(_arrow([(last, top + high), (last, y)]))
    for k, box in enumerate((estimate, report)):
        start = left + k * (half + gap)
        parts += [
            _box(start, below, half, bar, _in_a_line(box)),
            _arrow([(start + half / 2, y + bar), (start + half / 2, below)]),
        ]
    return svg(below + bar + 8, parts, wide=PAGE)


def tower() -> str:
    """The same from top to bottom, for a phone."""
    parts, high, top, gap = _head(_TITLES["story"][1]), 46, 66, 14
    *steps, estimate, report = STORY
    for k, box in enumerate(steps):
        y = top + k * (high + gap)
        parts.append(_box(8, y, WIDE - 16, high, _in_a_line(box)))
        if k + 1 < len(steps):
            parts.append(_arrow([(WIDE / 2, y + high), (WIDE / 2, y + high + gap)]))
    half, below = (WIDE - 16 - gap) / 2, top + len(steps) * (high + gap)
    for k, box in enumerate((estimate, report)):
        x = 8 + k * (half + gap)
        parts += [_box(x, below, half, 70, box), _arrow([(x + half / 2, below - gap), (x + half / 2, below)])]
    return svg(below + 78, parts)


def _in_a_line(box: Box) -> Box:
    """The same with its words in one line."""
    name, words, kind = box
    return name, (" ".join(words),), kind


def house() -> str:
    """How the library is laid out: a question becomes a mechanism, which is read, and by which counts are released."""
    wide, high, gap, left, top, down = 180, 76, 48, PAGE_LEFT, 66, 30
    places = {
        "question": (0, 0), "design": (1, 0), "mechanism": (2, 0), "counts": (0, 1), "release": (1, 1), "read": (2, 1),
        "noisy": (1, 2), "estimate": (2, 2),
    }  # fmt: skip
    at = {name: (left + column * (wide + gap), top + row * (high + down)) for name, (column, row) in places.items()}
    parts = _head(_TITLES["house"][0], left)
    parts += [_box(*at[name], wide, high, box) for name, box in HOUSE.items()]
    for one, other in (("question", "design"), ("design", "mechanism"), ("counts", "release"), ("noisy", "estimate")):
        (x, y), (to, _) = at[one], at[other]
        parts.append(_arrow([(x + wide, y + high / 2), (to, y + high / 2)]))
    for one, other in (("mechanism", "read"), ("release", "noisy")):
        (x, y), (_, to) = at[one], at[other]
        parts.append(_arrow([(x + wide / 2, y + high), (x + wide / 2, to)]))
    (x, y), (to, below) = at["mechanism"], at["release"]
    middle = y + high + down / 2
    parts.append(_arrow([(x + 30, y + high), (x + 30, middle), (to + wide / 2, middle), (to + wide / 2, below)]))
    return svg(top + 3 * high + 2 * down + 8, parts, wide=PAGE)


def narrow_house() -> str:
    """The same for a phone, in two columns: the secret counts enter from the left, what is read leaves to the right."""
    wide, high, left, top, down, gap = 158, 76, 8, 66, 30, 20
    rows = [("question", ""), ("design", ""), ("mechanism", "read"), ("release", "counts"), ("noisy", "estimate")]
    parts = _head(_TITLES["house"][1])
    for k, (name, beside) in enumerate(rows):
        y = top + k * (high + down)
        parts.append(_box(left, y, wide, high, HOUSE[name]))
        if beside:
            parts.append(_box(left + wide + gap, y, wide, high, HOUSE[beside]))
            ends = [(left + wide, y + high / 2), (left + wide + gap, y + high / 2)]
            parts.append(_arrow(ends[::-1] if beside == "counts" else ends))
        if k + 1 < len(rows):
            parts.append(_arrow([(left + wide / 2, y + high), (left + wide / 2, y + high + down)]))
    return svg(top + len(rows) * (high + down) - down + 8, parts)


def _head(title: str, left: float = 8.0) -> list[str]:
    """A title, and what the fills mean."""
    parts, x = heading(title, left=left), left
    for name, (fill, border) in LOOKS.items():
        parts += [rect(x, 36, 14, 14, fill=fill, stroke=border), text(x + 20, 48, name, size=LINES[left >= PAGE_LEFT])]
        x += 20 + 8 * len(name) + 18
    return parts


def _box(x: float, y: float, wide: float, high: float, box: Box) -> str:
    name, words, kind = box
    fill, border = LOOKS[kind]
    first = y + (19 if high < 60 else 24)
    parts = [rect(x, y, wide, high, fill=fill, stroke=border), text(x + 9, first, name, size=13.5, bold=True)]
    parts += [text(x + 9, first + 19 + 17 * k, words[k]) for k in range(len(words))]
    return "\n".join(parts)


def _arrow(points: Sequence[tuple[float, float]]) -> str:
    """A line with a head at its end."""
    (x, y), (before, above) = points[-1], points[-2]
    along, across = (x > before) - (x < before), (y > above) - (y < above)
    back = (x - 7 * along, y - 7 * across)
    sides = [(back[0] + side * across, back[1] + side * along) for side in (-5, 5)]
    head = [sides[0], (x - along, y - across), sides[1]]
    return line(points, stroke=INK, width=1.6) + line(head, stroke=INK, width=1.6)


if __name__ == "__main__":
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "docs/images")
    for stem, drawn in pictures().items():
        (folder / f"{stem}.svg").write_text(drawn, encoding="utf-8")
