"""For the site: the first use of a glossary's word on a page links to it, a click on a picture opens it large, and code
within a sentence is not broken within an option.
"""

from __future__ import annotations

import re
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

GLOSSARY = Path(__file__).parents[1] / "glossary.md"
IMAGES = Path(__file__).parents[1] / "images"
EXEMPT = ("glossary.md", "reference.md", "reference/", "compatibility.md", "paper/")
PART = re.compile(r"<!--.*?-->|<[^>]*>|[^<]+", re.DOTALL)
TAG = re.compile(r"</?([a-z0-9]+)", re.IGNORECASE)
QUIET = {
    "a",
    "code",
    "pre",
    "em",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "script",
    "style",
    "svg",
    "button",
    "th",
    "summary",
    "var",
}
"""Inside these no word becomes a link."""
EVERYDAY = {"Key", "Loss", "Design", "Draw", "Level", "Release", "Group", "Share", "Cells", "Truth", "Head"}
"""Words that the pages also use in their everyday sense."""
CODE = re.compile(r"(?<!</span>)<code>.*?</code>", re.DOTALL)
"""Code within a sentence. That of a block, which has an empty span before it, is moved sideways instead of broken."""
COMMANDS = re.compile(r'<div class="language-(?:console|powershell)\b.*?</div>', re.DOTALL)
REMARK = re.compile(r"(?<=\S )( +)(?=# )")
"""The room before a remark, but for one blank: a phone leaves it out."""
HYPHENATED = re.compile(r"(?<![^\s>(])[\w./'=-]*-[\w./'=-]{1,32}(?![^\s<,;)])")
"""A word of code with a hyphen in it, short enough to stand on one line of a phone."""
OPTION = re.compile(r"(?<![^\s>(])(-{1,2}[\w-]{1,20} [\w./=]{1,14})(?![^\s<,;)])")
"""An option and its value: they stay together."""
LONG_NAME = re.compile(r"[\w./]{24,}")
"""A name too long for a line of a phone: it may be broken after a dot, a slash or an underscore."""
LINKED = re.compile(r"\[([^]]+)\]\([^)]+\)")
PICTURE = re.compile(r'<img\b[^>]*?\bsrc="([^"]+)"[^>]*>')


@cache
def words() -> dict[str, str]:
    """Every word of the glossary with the first sentence about it."""
    entries = re.findall(r"^### ([^\n]+)\n\n((?:[^\n#][^\n]*\n)+)", GLOSSARY.read_text(encoding="utf-8"), re.MULTILINE)
    return {word: re.split(r"(?<=\.) ", re.sub(r"\s+", " ", LINKED.sub(r"\1", text)))[0] for word, text in entries}


def linked(html: str, glossary: str) -> str:
    """Link the first use of every word in the running text of a page.

    >>> linked("<h1>Epsilon</h1> An epsilon", "g/").partition(" title=")[0]
    '<h1>Epsilon</h1> An <a class="term" href="g/#epsilon"'
    """
    left = {word.lower() if not word.isupper() else word: word for word in words() if word not in EVERYDAY}
    inside: list[str] = []
    out = []
    for part in PART.findall(html):
        if (tag := TAG.match(part)) and part.startswith("<"):
            name = tag[1].lower()
            if name in QUIET and part.startswith("</"):
                if name in inside:
                    inside.remove(name)
            elif name in QUIET:
                inside.append(name)
        elif not inside and not part.startswith("<!--"):
            part = _with_links(part, left, glossary)
        out.append(part)
    return "".join(out)


def _with_links(text: str, left: dict[str, str], glossary: str) -> str:
    """Link the first uses in one piece of text, longer words first; what was linked is taken from `left`."""
    if not left:
        return text

    def link(found: re.Match[str]) -> str:
        used = found[1] if found[1] in left else found[1].lower()
        if used not in left:
            return found[0]
        word = left.pop(used)
        place = f"{glossary}#{word.lower().replace(' ', '-')}"
        return f'<a class="term" href="{place}" title="{escape(words()[word])}">{found[0]}</a>'

    return _pattern(frozenset(left)).sub(link, text)


@cache
def _pattern(left: frozenset[str]) -> re.Pattern[str]:
    longest = sorted(left, key=lambda word: (-len(word), word))
    return re.compile(r"(?<![\w-])(" + "|".join(map(re.escape, longest)) + r")(s?)(?![\w-])", re.IGNORECASE)


def enlargeable(html: str) -> str:
    """Make every picture a link to itself, where it is as large as the window; a phone gets the narrow one, if any.

    One that opens something else (`.opens`) stays as it is.
    """

    def link(picture: re.Match[str]) -> str:
        if 'class="opens"' in picture[0]:
            return picture[0]
        narrow = re.sub(r"(\.svg|\.png)(#[\w-]+)?$", r"-narrow\1", picture[1])
        if narrow == picture[1] or not (IMAGES / narrow.partition("images/")[2].partition("#")[0]).is_file():
            return f'<a class="enlarge" href="{picture[1]}">{picture[0]}</a>'
        source = f'<source media="(max-width: 44.9em)" srcset="{narrow}">'
        return f'<a class="enlarge" href="{picture[1]}"><picture>{source}{picture[0]}</picture></a>'

    return PICTURE.sub(link, html)


def unbroken(html: str) -> str:
    """Keep options and other words with hyphens in one piece, in code within sentences.

    Long names may be broken between their parts. In commands a phone leaves out the room before a remark.

    >>> unbroken("<p>a-b <code>x --by c --all-rows</code></p>")
    '<p>a-b <code>x <span class="whole">--by c</span> <span class="whole">--all-rows</span></code></p>'
    """
    html = COMMANDS.sub(lambda block: REMARK.sub(r'<span class="gap">\1</span>', block[0]), html)
    return CODE.sub(lambda code: "".join(map(_whole_words, PART.findall(code[0]))), html)


def _whole_words(part: str) -> str:
    if part.startswith("<"):
        return part
    part = LONG_NAME.sub(lambda name: re.sub(r"([./_])(?=\w)", r"\1<wbr>", name[0]), part)
    kept = OPTION.split(part)  # every second piece is an option with its value
    return "".join(_whole(piece) if k % 2 else HYPHENATED.sub(_whole, piece) for k, piece in enumerate(kept))


def _whole(piece: str | re.Match[str]) -> str:
    return f'<span class="whole">{piece if isinstance(piece, str) else piece[0]}</span>'


RANKS = {
    "index.md": 2, "hiding.md": 2.5, "epsilon.md": 2, "start.md": 2, "story.md": 2, "survey.md": 2, "choosing.md": 2,
    "official.md": 2, "quoting.md": 2, "release.md": 5, "refused.md": 4, "ledger.md": 4,
    "glossary.md": 2, "special-releases.md": 1.5,
    "paper/": 0.002, "census.md": 0.002, "histogram-gains.md": 0.01, "speed.md": 0.02, "faults.md": 0.02,
    "peers.md": 0.1, "audit-checks.md": 0.01, "designing.md": 0.02, "release-claims.md": 0.01, "intervals.md": 0.1,
    "formats.md": 0.1, "options.md": 4, "reference.md": 0.1, "reference/": 0.01, "compatibility.md": 0.1,
}  # fmt: skip
"""How much a page counts in the search, where that is not 1: pages for everybody before those for who checks."""


SUBJECTS = {
    "hiding.md": ["suppression", "suppressed cells", "minimum cell", "threshold", "k-anonymity", "differencing"],
    "release.md": ["Excel", "spreadsheet", "zero", "median", "percentile", "quantile"],
    "official.md": ["GDPR", "HIPAA", "anonymisation", "anonymization", "law", "protection"],
    "quoting.md": ["zero", "negative"],
}
"""Words of those who know another name than the title's. For each of them the search puts this page before all others,
so no everyday word, such as size, may be among them.
"""


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Rank a page in the search, and name its subjects there."""
    if subjects := SUBJECTS.get(page.file.src_uri):
        page.meta.setdefault("tags", subjects)
    for start, rank in RANKS.items():
        if page.file.src_uri.startswith(start):
            page.meta.setdefault("search", {"boost": rank})
    return markdown


def on_page_content(html: str, page: Any, **_: Any) -> str:
    """Finish the HTML of one page."""
    from mkdocs.utils import get_relative_url

    if not page.file.src_uri.startswith(EXEMPT):
        html = linked(html, get_relative_url("glossary/", page.url))
    html = html.replace("<th></th>", "<td></td>")  # an empty header says nothing to a screen reader
    return unbroken(enlargeable(html))


def on_post_page(output: str, **_: Any) -> str:
    """Name the theme's dialog for a screen reader."""
    return output.replace('role="dialog"', 'role="dialog" aria-label="Search"')


def on_files(files: Any, config: Any, **_: Any) -> Any:
    """Add the reports on the releases that the documentation carries, made as its readers make theirs."""
    from mkdocs.structure.files import File

    import discreet as dc

    for folder, title in (("published", None), ("published-survey", None), ("autumn", "Bullying, autumn term")):
        html = dc.report(Path(config.docs_dir) / folder, title=title).html
        files.append(File.generated(config, f"{folder}/report.html", content=html))
    return files
