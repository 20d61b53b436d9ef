"""The pictures of docs/story.md: `python -m tools.story_pictures [folder]`."""

from __future__ import annotations

import random
import sys
from pathlib import Path

from discreet.core.named import geometric
from discreet.reading.estimates import estimate
from tools.drawing import FIRST, GRID, INK, SECOND, WIDE, heading, line, rect, svg, text

REGIONS = ("North", "East", "South", "West")
STEPS = {
    "people.csv": "one row for each person: secret",
    "discreet plan": "what it will cost and be worth",
    "discreet ledger": "what people may pay in all",
    "discreet release": "noise is drawn, once",
    "published/": "table, manifest, proofs: for anybody",
    "discreet estimate": "numbers for the report, with intervals",
}
_SEED = 4


def path() -> str:
    """The way from the file to the report, from top to bottom."""
    parts, high = [], 46
    for k, (name, words) in enumerate(STEPS.items()):
        y = 8 + k * (high + 14)
        secret = k == 0
        parts.append(
            rect(8, y, WIDE - 16, high, fill="#f6e3d5" if secret else "#e8f1fa", stroke=SECOND if secret else FIRST)
        )
        parts += [text(20, y + 19, name, size=15, bold=True), text(20, y + 37, words)]
        if k + 1 < len(STEPS):
            parts.append(line([(WIDE / 2, y + high), (WIDE / 2, y + high + 14)], stroke=INK))
            parts.append(
                line(
                    [(WIDE / 2 - 5, y + high + 8), (WIDE / 2, y + high + 13), (WIDE / 2 + 5, y + high + 8)], stroke=INK
                )
            )
    return svg(8 + len(STEPS) * (high + 14), parts)


def people() -> dict[str, list[int]]:
    """The made-up people of the page: for each region the smokers of its clinics, eight people each."""
    draw = random.Random(19)  # noqa: S311 - the same made-up people as on the page
    found: dict[int, int] = dict.fromkeys(range(60), 0)
    for person in range(480):
        found[person % 60] += draw.random() < 0.3
    return {region: [found[clinic] for clinic in range(60) if clinic % 4 == k] for k, region in enumerate(REGIONS)}


def regions() -> str:
    """One drawing of the clinics at epsilon 1, and what it says about the regions."""
    m = geometric(n=8, epsilon=1)
    draw = random.Random(_SEED)  # noqa: S311 - one drawing for a picture of made-up people; a release has its own door
    left, wide, top, step = 62, WIDE - 62 - 24, 70, 44
    parts = heading("Smokers by region", "line: 95% interval; square: estimate; dot: truth")
    for mark in range(0, 81, 20):
        x = left + wide * mark / 80
        parts.append(line([(x, top - 8), (x, top + 4 * step)], stroke=GRID, width=1))
        parts.append(text(x, top + 4 * step + 18, str(mark), at="middle"))
    for k, (region, counts) in enumerate(people().items()):
        y = top + step * (k + 0.5)
        outputs = [draw.choices(range(9), [float(chance) for chance in m.column(count)])[0] for count in counts]
        total = estimate(outputs, mechanism=m).total

        def at(value: float) -> float:
            return left + wide * value / 80

        parts += [
            text(8, y + 5, region, size=14),
            line([(at(total.low), y), (at(total.high), y)], stroke=FIRST, width=4),
            rect(at(total.value) - 5, y - 5, 10, 10, fill=FIRST),
            f'<circle cx="{at(sum(counts)):.1f}" cy="{y + 13:g}" r="5" fill="{SECOND}"/>',
        ]
    return svg(top + 4 * step + 28, parts)


def pictures() -> dict[str, str]:
    """Every picture by its name."""
    return {"story-path": path(), "story-regions": regions()}


if __name__ == "__main__":
    for name, drawn in pictures().items():
        (Path(sys.argv[1] if len(sys.argv) > 1 else "docs/images") / f"{name}.svg").write_text(drawn, encoding="utf-8")
