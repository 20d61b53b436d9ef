"""Draw the charts of the documentation by running the pages' own lines: `python -m tools.gallery [names]`.

The picture below a block of a page is the `chart` that the block leaves behind, or what `--plot` of its command draws.
So the code beside a picture makes exactly that picture; a digest of every chart is kept in docs/images/gallery.json,
and a test compares the two. The gallery is run from top to bottom; of other pages, such as those about the releases in
docs/published and docs/published-survey, the blocks that leave a chart.
"""

from __future__ import annotations

import hashlib
import json
import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tools.narrowing import narrow

from discreet.show.pictures.theme import write

DOCS = Path(__file__).parents[1] / "docs"
PAGES = {
    "gallery.md": "",
    "story.md": "chart =",
    "survey.md": "chart =",
    "quoting.md": "chart =",
    "audit.md": "chart =",
}
"""The pages, and what a block holds that is run."""
DIGESTS = DOCS / "images" / "gallery.json"
_PART = re.compile(
    r"^```python\n(?P<code>.*?)^```$"
    r"|^```console\n(?P<command>discreet estimate (?:\\\n|[^\n])* --plot [^\n]*)\n```$"
    r"|!\[[^\]]*\]\(images/(?P<file>[\w.-]+)\)",
    re.MULTILINE | re.DOTALL,
)
_DIGITS = 5


def charts() -> Iterator[tuple[str, Any]]:
    """Run the pages from top to bottom; after each picture's block, give its file and its chart."""
    import discreet as dc

    for name, held in PAGES.items():
        found: dict[str, Any] = {"__name__": "gallery", "dc": dc}
        if held:
            found["e"] = dc.estimate(DOCS / "published")
        for part in _PART.finditer((DOCS / name).read_text(encoding="utf-8")):
            if part["code"] and held in part["code"]:
                found.pop("chart", None)
                exec(compile(_unwritten(part["code"]), name, "exec"), found)  # noqa: S102 - the lines of our own page
            elif part["command"]:
                found["chart"] = _by_command(part["command"])
            elif part["file"] and "chart" in found:
                chart = found.pop("chart")
                yield part["file"], chart
                yield part["file"].replace(".svg", "-narrow.svg"), narrow(chart, DOCS / "images" / part["file"])


def _by_command(line: str) -> Any:
    """What a line of the command line draws of a release that the documentation carries."""
    import discreet as dc

    _, _, folder, *words = shlex.split(line.replace("\\\n", " "))
    given = dict(zip(words[::2], words[1::2], strict=True))
    by = given.get("--by")
    return dc.plot(dc.estimate(DOCS / folder, count=given.get("--count")), "totals" if by else "estimate", by=by)


def _unwritten(code: str) -> str:
    """The lines without the file they write; the folder they read is that of the documentation."""
    return re.sub(
        r'"(published[\w-]*)"', lambda folder: repr(str(DOCS / folder[1])), re.sub(r', path="[^"]*"', "", code)
    )


def digest(chart: Any) -> str:
    """What a chart is, whatever machine made it: its specification, numbers to five digits."""
    told = _rounded(chart.to_dict(validate=False))
    told.pop("$schema", None)
    # Altair names data after all their digits, the last of which differ from machine to machine
    named = {name: _digest(json.dumps(rows, sort_keys=True)) for name, rows in told.pop("datasets", {}).items()}
    text = json.dumps(told, sort_keys=True)
    for name, digits in named.items():
        text = text.replace(name, digits)
    return _digest(text + "".join(sorted(named.values())))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _rounded(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _rounded(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(part) for part in value]
    if isinstance(value, float):
        # what is found by iteration ends near 0 somewhere else on every machine
        return float(f"{value:.{_DIGITS}g}") if abs(value) > 1e-6 else 0.0
    return value


def main(only: list[str]) -> None:
    """Draw all pictures, or those named, and note their digests."""
    known = json.loads(DIGESTS.read_text(encoding="utf-8")) if DIGESTS.exists() else {}
    kept = {}
    for file, chart in charts():
        kept[file] = digest(chart)
        if kept[file] != known.get(file) or Path(file).stem in only or not (DIGESTS.parent / file).exists():
            print(write(chart, DIGESTS.parent / file, scale=1))
    DIGESTS.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
