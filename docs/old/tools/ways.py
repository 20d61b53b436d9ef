"""Pictures of steps in one style, of docs/how-it-works.md and docs/story.md: `python -m tools.ways [folder]`."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from tools.drawing import LINES, PAGE, PAGE_LEFT, QUIET, WARNS, WIDE, heading, svg, text
from tools.icons import SIGNS
from tools.people import KNOWN, arrow, fills, person

SECRET, STEP, PUBLIC = "secret", "a step", "for anybody"
LOOKS = {
    SECRET: (("#fbe9e7", "#3f2523"), WARNS),
    STEP: (("#ffffff", "#1d2327"), "#9aa2a9"),
    PUBLIC: (("#e3eef9", "#1b3a55"), "#6f9cc6"),
}
"""What a box may be, with its fill by day and by night, and its border; commands are steps."""
INKS = {SECRET: (WARNS, "#ff9d97"), PUBLIC: ("#2f5d8a", "#b9d9f5")}
"""Of the word for a field, by day and by night."""
Box = tuple[str, tuple[str, ...], str, str]
"""Its name, the lines below, what it is, and its sign."""
STORY: Sequence[Box] = (
    ("people.csv", ("one row for", "each person"), SECRET, "people"),
    ("plan", ("what it will cost", "and be worth"), STEP, "interval"),
    ("ledger", ("what may be", "spent in all"), STEP, "purse"),
    ("release", ("noise is drawn, once, and the", "budget is charged before"), STEP, "dice"),
    ("published/", ("tables, manifest,", "proofs"), PUBLIC, "tiles"),
    ("estimate", ("numbers and", "intervals"), STEP, "interval"),
    ("report", ("a page", "to send"), PUBLIC, "page"),
)
"""The last two are read from the folder, each by itself."""
HOUSE: Mapping[str, Box] = {
    "question": ("your question", ("how large groups are,", "how private"), STEP, "question"),
    "design": ("design", ("the best chances,", "worked out exactly"), STEP, "design"),
    "mechanism": ("mechanism", ("the table of chances,", "checked once"), PUBLIC, "mechanism"),
    "counts": ("true counts", ("of every group",), SECRET, "people"),
    "release": ("release", ("asks the ledger,", "then draws noise"), STEP, "dice"),
    "noisy": ("noisy counts", ("published with", "their mechanism"), PUBLIC, "tiles"),
    "read": ("read it", ("how often wrong,", "how far off"), STEP, "lens"),
    "estimate": ("estimate", ("totals, and how", "sure they are"), STEP, "interval"),
}
_TITLES = {
    "story": ("One secret file goes in, a folder for anybody comes out", "One secret file in, one folder out"),
    "house": ("Everything reads one table of chances, the mechanism", "Everything reads one mechanism"),
}


def pictures() -> dict[str, str]:
    """Every picture by its name."""
    return {"path": house(), "path-narrow": narrow_house(), "story-path": story(), "story-path-narrow": tower()}


def story() -> str:
    """From what stays with its owner, by three commands, to what is for anybody."""
    top, high, left, zone, gap, step, between = 62, 214, PAGE_LEFT, 124, 22, 112, 10
    file, plan, ledger, release, folder, estimate, report = STORY
    middle = left + zone + gap
    end = middle + 2 * step + between
    public, far = end + gap, PAGE - 16 - end - gap
    low, half = top + high - 92, (far - 24) / 2
    parts = [
        *heading(_TITLES["story"][0], left=left),
        *_zone(left, top, zone, high, file, crowd=3),
        *_zone(public, top, far, high, folder, words_at=low),
        *_box(middle, top, step, 92, plan),
        *_box(middle + step + between, top, step, 92, ledger),
        *_box(middle, low, 2 * step + between, 92, release),
        *(arrow([(x, top + 92), (x, low)]) for x in (middle + step / 2, end - step / 2)),
        arrow([(left + zone, low + 46), (middle, low + 46)]),
        arrow([(end, low + 46), (public, low + 46)]),
    ]
    for k, box in enumerate((estimate, report)):
        x = public + 8 + k * (half + 8)
        parts += [*_box(x, top + 8, half, 92, box), arrow([(x + half / 2, low + 6), (x + half / 2, top + 100)])]
    return svg(top + high + 12, parts, wide=PAGE)


def tower() -> str:
    """The same from top to bottom, for a phone."""
    top, left, wide, gap, between, high = 40, 8, WIDE - 16, 20, 10, 92
    file, plan, ledger, release, folder, estimate, report = STORY
    half, inner = (wide - between) / 2, (wide - 3 * between) / 2
    at = [top + k * (high + gap) for k in range(4)]
    parts = [
        *heading(_TITLES["story"][1]),
        *_zone(left, at[0], wide, high, file, crowd=1),
        *_box(left, at[1], half, high, plan),
        *_box(left + half + between, at[1], half, high, ledger),
        *_box(left, at[2], wide, high, release),
        *_zone(left, at[3], wide, high * 2 + 20, folder, words_at=at[3]),
        arrow([(WIDE / 2, at[0] + high), (WIDE / 2, at[2])]),
        arrow([(WIDE / 2, at[2] + high), (WIDE / 2, at[3])]),
        *(arrow([(x, at[1] + high), (x, at[2])]) for x in (left + half / 2, left + 1.5 * half + between)),
    ]
    for k, box in enumerate((estimate, report)):
        x, y = left + between + k * (inner + between), at[3] + high + 10
        parts += [*_box(x, y, inner, high, box), arrow([(x + inner / 2, y - 22), (x + inner / 2, y)])]
    return svg(at[3] + 2 * high + 32, parts)


def _zone(
    x: float, y: float, wide: float, high: float, box: Box, *, crowd: int = 0, words_at: float | None = None
) -> list[str]:
    """A wide field of one kind, with its words above, or from `words_at` on; and a crowd in so many rows."""
    name, said, kind, sign = box
    fill, border = LOOKS[kind]
    words_at = y if words_at is None else words_at
    said = (" ".join(said),) if wide > 200 else said
    parts = [
        f'<rect x="{x:g}" y="{y:g}" width="{wide:g}" height="{high:g}" rx="10" {fills(fill)} stroke="{border}"/>',
        text(x + 14, words_at + 26, name, size=15, bold=True),
        *(text(x + 14, words_at + 48 + 17 * k, line, fill=QUIET) for k, line in enumerate(said)),
        f'<text x="{x + 14:g}" y="{y + 70 if words_at == y and not crowd else y + high - 12:g}" '
        f'font-size="{LINES[False]:g}" font-weight="600" {fills(INKS[kind])}>{kind}</text>',
    ]
    if not crowd:
        return [*parts, SIGNS[sign](x + wide - 44, words_at + 12)]
    a_row, start = (6, 14) if crowd > 1 else (11, 112)
    for k in range(a_row * crowd):
        column, row = k % a_row, k // a_row
        foot = y + (112 + 30 * row if crowd > 1 else 36)
        parts.append(person(x + start + 8 + 17.5 * column, foot, 24, KNOWN if (k * 5) % 7 < 2 else None))
    return [*parts, SIGNS["lock"](x + wide - 40, y + high - 38)]


def house() -> str:
    """How the library is laid out: a question becomes a mechanism, which is read, and by which counts are released."""
    wide, high, gap, left, top, down = 182, 88, 45, PAGE_LEFT, 70, 34
    places = {
        "question": (0, 0), "design": (1, 0), "mechanism": (2, 0), "counts": (0, 1), "release": (1, 1), "read": (2, 1),
        "noisy": (1, 2), "estimate": (2, 2),
    }  # fmt: skip
    at = {name: (left + column * (wide + gap), top + row * (high + down)) for name, (column, row) in places.items()}
    parts = _head(_TITLES["house"][0], left)
    parts += [piece for name, box in HOUSE.items() for piece in _box(*at[name], wide, high, box)]
    for one, other in (("question", "design"), ("design", "mechanism"), ("counts", "release"), ("noisy", "estimate")):
        (x, y), (to, _) = at[one], at[other]
        parts.append(arrow([(x + wide, y + high / 2), (to, y + high / 2)]))
    for one, other in (("mechanism", "read"), ("release", "noisy")):
        (x, y), (_, to) = at[one], at[other]
        parts.append(arrow([(x + wide / 2, y + high), (x + wide / 2, to)]))
    (x, y), (to, below) = at["mechanism"], at["release"]
    middle = y + high + down / 2
    parts.append(arrow([(x + 30, y + high), (x + 30, middle), (to + wide / 2, middle), (to + wide / 2, below)]))
    return svg(top + 3 * high + 2 * down + 8, parts, wide=PAGE)


def narrow_house() -> str:
    """The same for a phone, in two columns: the secret counts enter from the left, what is read leaves to the right."""
    wide, high, left, top, down, gap = 158, 88, 8, 70, 28, 20
    rows = [("question", ""), ("design", ""), ("mechanism", "read"), ("release", "counts"), ("noisy", "estimate")]
    parts = _head(_TITLES["house"][1])
    for k, (name, beside) in enumerate(rows):
        y = top + k * (high + down)
        parts += _box(left, y, wide, high, HOUSE[name])
        if beside:
            parts += _box(left + wide + gap, y, wide, high, HOUSE[beside])
            ends = [(left + wide, y + high / 2), (left + wide + gap, y + high / 2)]
            parts.append(arrow(ends[::-1] if beside == "counts" else ends))
        if k + 1 < len(rows):
            parts.append(arrow([(left + wide / 2, y + high), (left + wide / 2, y + high + down)]))
    return svg(top + len(rows) * (high + down) - down + 8, parts)


def _head(title: str, left: float = 8.0) -> list[str]:
    """A title, and what the fills mean."""
    parts, x = heading(title, left=left), left
    for name, (fill, border) in LOOKS.items():
        parts += [
            f'<rect x="{x:g}" y="36" width="20" height="14" rx="3" {fills(fill)} stroke="{border}"/>',
            text(x + 27, 48, name, size=LINES[left >= PAGE_LEFT]),
        ]
        x += 27 + 8 * len(name) + 18
    return parts


def _box(x: float, y: float, wide: float, high: float, box: Box) -> list[str]:
    """A step with its name, its sign beside it, and what it is about below."""
    name, said, kind, sign = box
    fill, border = LOOKS[kind]
    return [
        f'<rect x="{x:g}" y="{y:g}" width="{wide:g}" height="{high:g}" rx="8" {fills(fill)} stroke="{border}"/>',
        text(x + 10, y + 27, name, size=14, bold=True),
        SIGNS[sign](x + wide - 37, y + 8),
        *(text(x + 10, y + high - 30 + 18 * k, line, fill=QUIET) for k, line in enumerate(said)),
    ]


if __name__ == "__main__":
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "docs/images")
    for stem, drawn in pictures().items():
        (folder / f"{stem}.svg").write_text(drawn, encoding="utf-8")
