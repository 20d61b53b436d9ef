"""The documentation tells the truth: its blocks run, its outputs are what is printed, its links lead somewhere.

Every page is played from top to bottom in a folder and with a cache of its own: `python` blocks share a namespace,
lines of `console` blocks that begin with `discreet` are run in between. A `text` block that follows at once is what
was printed. Blocks that use Spark run by themselves, where Spark is (tests/spark). Comments on the line above a fence
say what differs: `<!-- no-run -->` for what is only shown, `<!-- varies -->` for printed noise, `<!-- kept -->` for what
is printed of a release that the documentation carries, `<!-- part -->` for lines that stand together in what is printed
(`<!-- varies part -->` if they are noise), `<!-- folder: published -->` for a page that begins with that folder and `<!-- files: a.csv -->` for one that begins with
files of docs/files; `<!-- file: a.csv -->` for how a file of the documentation begins.
Of noise everything is compared but the numbers. A page draws the same noise every time, so that a test of it does not
fail one day in twenty.
"""

from __future__ import annotations

import ast
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.metadata import packages_distributions
from importlib.util import module_from_spec, spec_from_file_location
from inspect import signature
from itertools import count, groupby, zip_longest
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from tests.conftest import require
from tools import example_files

import discreet
from discreet.cli import main
from discreet.sampler import words as door

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = sorted(
    [
        *(page for page in DOCS.rglob("*.md") if "old" not in page.relative_to(DOCS).parts),
        ROOT / "README.md",
    ]
)
FENCE = re.compile(
    r"^( *)```(?P<language>[\w-]*)[^\n]*\n(?P<body>.*?)^\1```[ ]*$", re.MULTILINE | re.DOTALL
)
LINK = re.compile(r"\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]*))?\)")
MARK = re.compile(r"<!-- ([\w-]+)\b.*-->")
PART, VARIED_PART = "<!-- part -->", "<!-- varies part -->"
BETWEEN = {
    "": set(),
    "<!-- varies -->": {"varies"},
    PART: {"part"},
    VARIED_PART: {"varies", "part"},
}
"""What may stand between a block and what it prints, and how that is compared."""
SHOWN = re.compile(r"^<!-- file: (\S+) -->\n```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FOLDERS = re.compile(r"<!-- folder: ([\w -]+) -->")
FILES = re.compile(r"<!-- files: ([\w. -]+) -->")
NUMBER = re.compile(r"\b[0-9a-f]{8,}\b|[+-]?\d[\d,]*(?:\.\d+)?")
SPARK = re.compile(r"\bpyspark\b|\bspark\.")
PUBLISHED = DOCS / "published"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
MADE_WITH_THE_SITE = {
    *(DOCS / folder / "report.html" for folder in ("published", "published-survey", "autumn")),
    DOCS / "files" / f"discreet-{PROJECT['version']}-py3-none-any.whl",
}
SERVES = ("studio",)  # runs until it is stopped; tests/browser starts it
SLOW_PAGES = {
    "quoting.md",
    "reading-closely.md",
    "audit.md",
    "choosing.md",
    "census.md",
    "histograms.md",
    "retrofit.md",
    "story.md",
    "survey.md",
    "property-costs.md",
}

DRAWN = {"gallery.md"}
"""Prints nothing: tests/show/test_charts.py runs every block of it and compares the charts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One fenced block of a page."""

    language: str
    body: str
    line: int
    marks: frozenset[str]
    expected: str | None  # the text block that follows at once

    @property
    def on_spark(self) -> bool:
        return self.language == "python" and SPARK.search(self.body) is not None


def blocks(page: Path) -> list[Block]:
    """The blocks of a page that are to be run."""
    text = page.read_text(encoding="utf-8")
    fences = list(FENCE.finditer(text))
    found = []
    for fence, after in zip_longest(fences, fences[1:]):
        above = text[: fence.start()].rstrip("\n").rpartition("\n")[2]
        between = text[fence.end() : after.start()].strip() if after is not None else ""
        leads = between.endswith((PART, VARIED_PART))  # a sentence may lead to a part
        between = between.rpartition("\n")[2].strip() if leads else between
        marks = frozenset(MARK.findall(above)) - {"varies", "part"}
        follows = after is not None and after["language"] == "text" and between in BETWEEN
        if follows:
            marks |= BETWEEN[between]
        block = Block(
            language=fence["language"],
            body=_unindented(fence),
            line=text.count("\n", 0, fence.start()) + 2,
            marks=marks,
            expected=_unindented(after) if after is not None and follows else None,
        )
        if block.language in ("python", "console") and "no-run" not in marks:
            found.append(block)
    return found


def _unindented(fence: re.Match[str]) -> str:
    return re.sub(f"^{fence[1]}", "", fence["body"], flags=re.MULTILINE)


def parts_of(printed: list[str], expected: list[str]) -> list[str]:
    """What is printed from the first line of each part on, as many lines as the page shows of it; "..." parts them."""
    found: list[str] = []
    for left_out, part in groupby(expected, key="...".__eq__):
        wanted = list(part)
        begins = printed.index(wanted[0]) if wanted[0] in printed else 0
        found += wanted if left_out else printed[begins : begins + len(wanted)]
    return found


def play(
    block: Block, page: Path, namespace: dict[str, object], capsys: pytest.CaptureFixture[str]
) -> None:
    """Run a block and compare what it prints; what a kept release prints is printed again, of that one."""
    _once(block, page, namespace, capsys)
    if "kept" in block.marks:
        here = Path.cwd()
        os.chdir(DOCS)
        try:
            _once(block, page, dict(namespace), capsys)
        finally:
            os.chdir(here)
    if block.expected is not None:
        form = (
            shapes
            if block.marks >= {"varies", "part"}
            else shape
            if "varies" in block.marks
            else lines
        )
        printed, expected = form(capsys.readouterr().out), form(block.expected)
        if "part" in block.marks:
            printed = parts_of(printed, expected)
        assert printed == expected, f"{page.name}:{block.line}"


def lines(text: str) -> list[str]:
    """The lines of a printed text."""
    return [line.rstrip() for line in text.rstrip().splitlines()]


def shape(text: str) -> list[str]:
    """What a printed text says apart from its numbers: they differ from draw to draw, and so does where lines break.

    >>> shape("total 1,259.9 [-6, 314] of 5f3a9c01") == shape("total 7 [206, 1]\\nof cbcdea62")
    True
    """
    return NUMBER.sub("0", text).split()


def shapes(text: str) -> list[str]:
    """What each line of a printed text says apart from its numbers, for a part of what varies."""
    return [" ".join(shape(line)) for line in lines(text)]


@pytest.fixture
def same_noise_every_time(request, monkeypatch):
    """Give the one door for randomness keys that follow from the test's name; whatever is drawn is drawn as ever."""
    numbers = count()

    def cipher():
        key = sha256(f"{request.node.name} {next(numbers)}".encode()).digest()
        return Cipher(algorithms.AES(key), modes.CTR(bytes(16))).encryptor()

    monkeypatch.setattr(door, "_fresh_cipher", cipher)
    # one stream for all threads: which of an engine's threads draws, and how many, is different every time
    monkeypatch.setattr(door.system_words(), "_local", SimpleNamespace())


def _once(
    block: Block, page: Path, namespace: dict[str, object], capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    if block.language == "python":
        exec(compile("\n" * (block.line - 1) + block.body, str(page), "exec"), namespace)
    else:
        for words, code in commands(block):
            assert run(words) == code, (
                f"{page.name}:{block.line}: {shlex.join(words)}: {capsys.readouterr()}"
            )


def run(words: list[str]) -> int | str | None:
    """Run one command and return its exit code; what it prints is printed."""
    if words[0] == "python":
        done = subprocess.run(
            [sys.executable, *words[1:]], capture_output=True, text=True, check=False
        )
        print(done.stdout, end="")
        print(done.stderr, end="", file=sys.stderr)
        return done.returncode
    with pytest.raises(SystemExit) as ended:
        main(words[1:])
    return ended.value.code


def commands(block: Block) -> list[tuple[list[str], int]]:
    """The library's commands in a console block, each with the exit code that its comment announces."""
    found = []
    for line in block.body.replace("\\\n", " ").splitlines():
        words = shlex.split(line.removeprefix("$ "), comments=True)
        announced = re.search(r"# .*\bexit code (\d)", line)
        ours = words[:1] == ["discreet"] or (
            words[:2] == ["python", "-m"] and words[2].startswith("discreet.")
        )
        if ours and words[1] not in SERVES:
            found.append((words, int(announced[1]) if announced else 0))
    return found


def named(pages: list[Path], slow: set[str]) -> list[object]:
    """Parameters with readable names; slow pages are marked."""
    return [
        pytest.param(
            page,
            id=str(page.relative_to(ROOT)),
            marks=[pytest.mark.slow] if page.name in slow else [],
        )
        for page in pages
    ]


@pytest.mark.usefixtures("same_noise_every_time")
@pytest.mark.parametrize(
    "page", named([p for p in PAGES if blocks(p) and p.name not in DRAWN], SLOW_PAGES)
)
def test_every_block_runs_and_prints_what_the_page_says(page, tmp_path, monkeypatch, capsys):
    require("tables")
    require("plots")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DISCREET_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("PYTHONPATH", str(Path(discreet.__file__).parents[1]))
    monkeypatch.setenv(
        "PATH", os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    )
    for names in FOLDERS.findall(page.read_text(encoding="utf-8")):
        for name in names.split():
            shutil.copytree(DOCS / name, tmp_path / name)
    for names in FILES.findall(page.read_text(encoding="utf-8")):
        for name in names.split():
            shutil.copy(DOCS / "files" / name, tmp_path)
    namespace: dict[str, object] = {"__name__": "docs"}
    for block in blocks(page):
        if not block.on_spark:
            play(block, page, namespace, capsys)


def test_the_files_that_pages_begin_with_are_what_is_made():
    assert {
        file.name: file.read_text(encoding="utf-8") for file in (DOCS / "files").iterdir()
    } == example_files.files()


def all_installs() -> set[str]:
    """The distributions that `pip install 'discreet[all]'` asks for by name."""
    (extras,) = PROJECT["optional-dependencies"]["all"]
    lines = list(PROJECT["dependencies"])
    for extra in re.fullmatch(r"discreet\[([\w,]+)\]", extras)[1].split(","):
        lines += PROJECT["optional-dependencies"][extra]
    return {re.match(r"[\w-]+", line)[0].lower() for line in lines}


where_packages_come_from = cache(packages_distributions)


@pytest.mark.parametrize("page", named(PAGES, set()))
def test_no_block_needs_what_all_does_not_install(page):
    homes, ours = where_packages_come_from(), all_installs()
    for fence in FENCE.finditer(page.read_text(encoding="utf-8")):
        if fence["language"] != "python":
            continue
        tree = ast.parse(re.sub(f"^{fence[1]}", "", fence["body"], flags=re.MULTILINE))
        names = {
            alias.name
            for node in ast.walk(tree)
            if isinstance(node, ast.Import)
            for alias in node.names
        }
        names |= {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        roots = {name.split(".")[0] for name in names} - set(sys.stdlib_module_names) - {"discreet"}
        # a light run knows the home of what it has; what is not installed goes by its own name
        strange = {
            root for root in roots if not {h.lower() for h in homes.get(root, [root])} & ours
        }
        assert not strange, f"{page.name}: {', '.join(strange)}"


def test_the_readme_shows_a_total_inside_its_interval(tmp_path, monkeypatch, capsys):
    require("tables")
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, object] = {}
    page = ROOT / "README.md"
    for block in blocks(page):
        if block.language == "python":
            play(block, page, namespace, capsys)
    total = discreet.estimate(namespace["r"]).total
    assert not total.outside
    assert total.groups >= 100
    shape = re.sub(r"[\d.,]+", "0", "total 1.0 [1, 1] at 0.95, 250 groups")
    assert re.sub(r"[\d.,]+", "0", str(total)) == shape
    assert shape in re.sub(r"[\d.,]+", "0", page.read_text(encoding="utf-8")), (
        "the line shown has the form printed"
    )


@cache
def anchors(page: Path) -> set[str]:
    """The anchors that the headings of a page get."""
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    titles = [re.sub(r"[`*]", "", title) for title in re.findall(r"^#+ (.*)$", text, re.MULTILINE)]
    return {
        re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", title).strip().lower()) for title in titles
    }


@pytest.mark.parametrize("page", named(PAGES, set()))
def test_every_link_leads_somewhere(page):
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    for address, anchor in LINK.findall(text):
        target = (page.parent / address).resolve() if address else page
        assert target.exists() or target in MADE_WITH_THE_SITE, f"{page.name}: {address}"
        if anchor and target.suffix == ".md":
            assert anchor in anchors(target), f"{page.name}: {address}#{anchor}"


def site_hook(name: str) -> ModuleType:
    """A hook of the site, which is no module of ours."""
    spec = spec_from_file_location(f"site_{name}", DOCS / ".site" / f"{name}.py")
    hook = module_from_spec(spec)
    spec.loader.exec_module(hook)
    assert f"docs/.site/{name}.py" in (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    return hook


def section(name: str) -> list[Path]:
    """The pages of one part of the navigation."""
    nav = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition(f"\n  - {name}:\n")[2]
    return [
        DOCS / page
        for page in re.findall(
            r": ([\w/-]+\.md)$", re.split(r"^  - ", nav, flags=re.MULTILINE)[0], re.MULTILINE
        )
    ]


FOLDED = re.compile(r"<summary>(.*?)</summary>\n(.*?)</details>", re.DOTALL)


SPECIAL = {
    "truth",
    "raw number",
    "margin",
    "level",
    "prior",
    "posterior",
    "whole number",
    "table to quote",
    "blind guess",
    "draw",
    "usual noise",
    "mechanism",
    "property",
    "share",
    "head",
    "steward",
    "bundle",
    "shape",
    "credible interval",
    "confidence interval",
    "joint draw",
    "cells",
    "key",
}
"""Words that a newcomer meets in the Guide or in what the commands print, in a sense that has to be explained."""


PLAIN = re.compile(r"\bwish(es)?\b", re.IGNORECASE)
"""Words of our own that have a standard one: a wish is a property."""


def appendix() -> list[Path]:
    """The pages for those who check, but the one on verdicts, which is written by a run of the experiments."""
    return [page for page in section("Appendix") if page.name != "verdicts.md"]


def test_pages_hold_no_machine_paths_and_no_leftovers():
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        assert not re.search(
            r"/(root|home|work|tmp)/|TODO|FIXME|XXX|\bBENCHMARK\b|\bCOMPUTED\b", text
        ), page.name


def test_only_what_may_be_anything_has_any_type():
    require("tables")
    for verb in (discreet.plan, discreet.release):
        types = {each.name: each.annotation for each in signature(verb).parameters.values()}
        assert {name for name, written in types.items() if written == "Any"} == {"source", "keys"}
