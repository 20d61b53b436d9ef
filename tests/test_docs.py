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
import csv
import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from hashlib import sha256
from importlib.metadata import packages_distributions
from importlib.util import module_from_spec, spec_from_file_location
from inspect import Parameter, signature
from itertools import count, groupby, pairwise, zip_longest
from math import exp
from pathlib import Path
from statistics import median
from types import ModuleType, SimpleNamespace

import pyarrow as pa
import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from tests.conftest import require
from tools import example_files

import discreet
from discreet.cli import main
from discreet.odds import most_sure
from discreet.sampler import words as door

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = sorted([*DOCS.rglob("*.md"), ROOT / "README.md"])
FENCE = re.compile(r"^( *)```(?P<language>[\w-]*)[^\n]*\n(?P<body>.*?)^\1```[ ]*$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]*))?\)")
MARK = re.compile(r"<!-- ([\w-]+)\b.*-->")
PART, VARIED_PART = "<!-- part -->", "<!-- varies part -->"
BETWEEN = {"": set(), "<!-- varies -->": {"varies"}, PART: {"part"}, VARIED_PART: {"varies", "part"}}
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
    "quoting.md", "reading-closely.md", "audit.md", "choosing.md", "census.md", "histograms.md",
    "retrofit.md", "story.md", "survey.md", "property-costs.md",
}  # fmt: skip

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


def play(block: Block, page: Path, namespace: dict[str, object], capsys: pytest.CaptureFixture[str]) -> None:
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
        form = shapes if block.marks >= {"varies", "part"} else shape if "varies" in block.marks else lines
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


def _once(block: Block, page: Path, namespace: dict[str, object], capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    if block.language == "python":
        exec(compile("\n" * (block.line - 1) + block.body, str(page), "exec"), namespace)
    else:
        for words, code in commands(block):
            assert run(words) == code, f"{page.name}:{block.line}: {shlex.join(words)}: {capsys.readouterr()}"


def run(words: list[str]) -> int | str | None:
    """Run one command and return its exit code; what it prints is printed."""
    if words[0] == "python":
        done = subprocess.run([sys.executable, *words[1:]], capture_output=True, text=True, check=False)
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
        ours = words[:1] == ["discreet"] or (words[:2] == ["python", "-m"] and words[2].startswith("discreet."))
        if ours and words[1] not in SERVES:
            found.append((words, int(announced[1]) if announced else 0))
    return found


def named(pages: list[Path], slow: set[str]) -> list[object]:
    """Parameters with readable names; slow pages are marked."""
    return [
        pytest.param(page, id=str(page.relative_to(ROOT)), marks=[pytest.mark.slow] if page.name in slow else [])
        for page in pages
    ]


@pytest.mark.usefixtures("same_noise_every_time")
@pytest.mark.parametrize("page", named([p for p in PAGES if blocks(p) and p.name not in DRAWN], SLOW_PAGES))
def test_every_block_runs_and_prints_what_the_page_says(page, tmp_path, monkeypatch, capsys):
    require("tables")
    require("plots")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DISCREET_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("PYTHONPATH", str(Path(discreet.__file__).parents[1]))
    monkeypatch.setenv("PATH", os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]))
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


def test_files_that_pages_show_begin_as_they_show():
    shown = 0
    for page in PAGES:
        for name, text in SHOWN.findall(page.read_text(encoding="utf-8")):
            shown += 1
            assert (DOCS / name).read_text(encoding="utf-8").startswith(text), f"{page.name}: {name}"
    assert shown >= 3


def test_the_files_that_pages_begin_with_are_what_is_made():
    assert {file.name: file.read_text(encoding="utf-8") for file in (DOCS / "files").iterdir()} == example_files.files()


def all_installs() -> set[str]:
    """The distributions that `pip install 'discreet[all]'` asks for by name."""
    (extras,) = PROJECT["optional-dependencies"]["all"]
    lines = list(PROJECT["dependencies"])
    for extra in re.fullmatch(r"discreet\[([\w,]+)\]", extras)[1].split(","):
        lines += PROJECT["optional-dependencies"][extra]
    return {re.match(r"[\w-]+", line)[0].lower() for line in lines}


INSTALLS = ("README.md", "docs/index.md", "docs/start.md")
NO_INDEX = "`discreet` is in no package index yet."
EXTRAS = "[tables,plots,studio]"


def test_readme_home_page_and_start_install_the_same_from_the_folder_or_from_the_sites_wheel():
    wheel = f"discreet-{PROJECT['version']}-py3-none-any.whl"
    readme, home, start = ((ROOT / page).read_text(encoding="utf-8") for page in INSTALLS)
    installed = [
        re.findall(r"^ *python3 -m venv ~/\S+\n *source \S+\n *pip install '(\S+)'", text, re.MULTILINE)
        for text in (readme, home, start)
    ]
    assert installed == [[f".{EXTRAS}"], [wheel + EXTRAS], [wheel + EXTRAS]] and f"`pip install '.{EXTRAS}'`" in start
    assert all(f"[{wheel}](files/{wheel})" in text for text in (home, start))
    assert all(NO_INDEX in text for text in (readme, home, start))
    pages = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    assert {*re.findall(r"discreet-[\w.]+-py3-none-any\.whl", pages)} == {wheel}


def test_the_site_carries_the_wheel_that_its_pages_install(tmp_path):
    pytest.importorskip("hatchling")
    name, content = site_hook("wheel").wheel()
    assert DOCS / "files" / name in MADE_WITH_THE_SITE
    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        assert {"discreet/__init__.py", "discreet/cli/__init__.py"} <= set(packed.namelist())


@pytest.mark.parametrize("page", named(PAGES, set()))
def test_no_page_installs_from_an_index_or_elsewhere_than_the_start(page):
    text = page.read_text(encoding="utf-8").replace("`pip install discreet` does not get it", "")
    assert not re.search(r"pip install '?discreet(?!-\d)", text)
    assert page.relative_to(ROOT).as_posix() in INSTALLS or not re.search(r"^ *pip install", text, re.MULTILINE)


def powershell(shell: str) -> str:
    """A block for bash as it is for PowerShell: lines go on after a backtick, lists are quoted, paths are Windows'."""
    shell = re.sub(r"(?<= )(\w+(?:,\w+)+)(?=\s)", r"'\1'", shell)
    ours = shell.replace(" \\\n", " `\n").replace("python3 -m venv ~/discreet-env", "py -m venv $HOME\\discreet-env")
    return ours.replace("source ~/discreet-env/bin/activate", "& $HOME\\discreet-env\\Scripts\\Activate.ps1")


def test_the_tabs_for_powershell_say_what_the_tested_ones_say():
    seen = 0
    for page in PAGES:
        fences = list(FENCE.finditer(page.read_text(encoding="utf-8")))
        for before, fence in pairwise(fences):
            if fence["language"] == "powershell":
                seen += 1
                assert before["language"] == "console"
                assert _unindented(fence) == powershell(_unindented(before)), page.name
                bare = re.sub(r"'[^']*'|\"[^\"]*\"", "", fence["body"])
                assert "," not in bare, f"{page.name}: PowerShell splits a list that is not quoted"
    assert seen >= 3


where_packages_come_from = cache(packages_distributions)


@pytest.mark.parametrize("page", named(PAGES, set()))
def test_no_block_needs_what_all_does_not_install(page):
    homes, ours = where_packages_come_from(), all_installs()
    for fence in FENCE.finditer(page.read_text(encoding="utf-8")):
        if fence["language"] != "python":
            continue
        tree = ast.parse(re.sub(f"^{fence[1]}", "", fence["body"], flags=re.MULTILINE))
        names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
        names |= {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        roots = {name.split(".")[0] for name in names} - set(sys.stdlib_module_names) - {"discreet"}
        # a light run knows the home of what it has; what is not installed goes by its own name
        strange = {root for root in roots if not {h.lower() for h in homes.get(root, [root])} & ours}
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
    assert shape in re.sub(r"[\d.,]+", "0", page.read_text(encoding="utf-8")), "the line shown has the form printed"


@cache
def anchors(page: Path) -> set[str]:
    """The anchors that the headings of a page get."""
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    titles = [re.sub(r"[`*]", "", title) for title in re.findall(r"^#+ (.*)$", text, re.MULTILINE)]
    return {re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", title).strip().lower()) for title in titles}


@pytest.mark.parametrize("page", named(PAGES, set()))
def test_every_link_leads_somewhere(page):
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    for address, anchor in LINK.findall(text):
        target = (page.parent / address).resolve() if address else page
        assert target.exists() or target in MADE_WITH_THE_SITE, f"{page.name}: {address}"
        if anchor and target.suffix == ".md":
            assert anchor in anchors(target), f"{page.name}: {address}#{anchor}"


def test_every_page_is_in_the_navigation_and_every_entry_is_a_page():
    nav = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:\n")[2]
    entries = re.findall(r": ([\w/-]+\.md)$", nav, re.MULTILINE)
    pages = {page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md")}
    assert len(entries) == len(set(entries))
    assert set(entries) == pages


def site_hook(name: str) -> ModuleType:
    """A hook of the site, which is no module of ours."""
    spec = spec_from_file_location(f"site_{name}", DOCS / ".site" / f"{name}.py")
    hook = module_from_spec(spec)
    spec.loader.exec_module(hook)
    assert f"docs/.site/{name}.py" in (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    return hook


def test_the_address_of_a_page_that_is_gone_leads_to_what_was_on_it():
    moved = site_hook("moved")
    for gone, target in moved.MOVED.items():
        assert not (DOCS / f"{gone}.md").exists()
        page, _, anchor = target.partition("/#")
        assert anchor in anchors(DOCS / f"{page}.md"), target
        assert f'href="../{target}"' in moved.leading(target)


def section(name: str) -> list[Path]:
    """The pages of one part of the navigation."""
    nav = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition(f"\n  - {name}:\n")[2]
    return [
        DOCS / page
        for page in re.findall(r": ([\w/-]+\.md)$", re.split(r"^  - ", nav, flags=re.MULTILINE)[0], re.MULTILINE)
    ]


FOLDED = re.compile(r"<summary>(.*?)</summary>\n(.*?)</details>", re.DOTALL)


def test_a_page_of_the_guide_folds_only_python_or_what_is_printed_and_no_prose():
    folds = [
        (page.name, title, len(FENCE.sub("", folded).split()))
        for page in section("Guide")
        if page.name != "studio.md"
        for title, folded in FOLDED.findall(page.read_text(encoding="utf-8"))
    ]
    assert all("Python" in title or "prints" in title for _, title, _ in folds)
    assert [fold for fold in folds if fold[2] > 50] == []


def test_each_page_of_the_guide_leads_on():
    guide = section("Guide")
    for page in guide:
        text = page.read_text(encoding="utf-8")
        assert re.search(r"^Next:", text, re.MULTILINE), page.name


SPECIAL = {
    "truth", "raw number", "margin", "level", "prior", "posterior", "whole number", "table to quote", "blind guess", "draw",
    "usual noise", "mechanism", "property", "share", "head", "steward", "bundle", "shape", "credible interval",
    "confidence interval", "joint draw", "cells", "key",
}  # fmt: skip
"""Words that a newcomer meets in the Guide or in what the commands print, in a sense that has to be explained."""


def test_words_with_a_special_sense_are_in_the_glossary():
    assert {word for word in SPECIAL if word.replace(" ", "-") not in anchors(DOCS / "glossary.md")} == set()


def test_the_glossary_has_every_word_by_letter_unfolded_and_explains_each_in_one_place():
    page = (DOCS / "glossary.md").read_text(encoding="utf-8")
    words = re.findall(r"^### (.+)$", page, re.MULTILINE)
    assert words == sorted(words, key=str.lower) and len(words) > 50 and "<details" not in page
    explained = dict(re.findall(r"^### ([^\n]+)\n\n((?:[^\n#][^\n]*\n)+)", page, re.MULTILINE))
    assert "(#no-farther-answer-likelier)" in explained["Column monotonicity"]
    assert max(len(text.split()) for text in explained.values()) <= 60
    first = [re.split(r"(?<=[.]) ", re.sub(r"\s+", " ", text))[0] for text in explained.values()]
    assert len(set(first)) == len(first)
    assert not [text for text in site_hook("pages").words().values() if "](" in text], (
        "shown where a word is pointed at"
    )


PLAIN = re.compile(r"\bwish(es)?\b", re.IGNORECASE)
"""Words of our own that have a standard one: a wish is a property."""


def test_pages_use_the_standard_word_for_what_has_one():
    for page in PAGES:
        if page.name == "options.md":
            continue  # the words of the command line
        text = FENCE.sub("", page.read_text(encoding="utf-8")).replace('id="a-wish-of-your-own"', "")
        assert PLAIN.findall(text) == [], page.name


def appendix() -> list[Path]:
    """The pages for those who check, but the one on verdicts, which is written by a run of the experiments."""
    return [page for page in section("Appendix") if page.name != "verdicts.md"]


@pytest.mark.parametrize("page", named(appendix(), set()))
def test_a_page_of_the_appendix_begins_with_what_it_shows_for_an_outsider_and_what_it_means_in_practice(page):
    text = re.sub(r"<!--.*?-->\n*", "", page.read_text(encoding="utf-8"))
    words = " ".join(text.split("\n\n")[1].split())
    assert words.startswith("This page ") and len(words.split()) <= 60
    assert not re.search(r"\b(GM|EM|WM|L0|LP|alpha|dual|optima)\b", words)
    box = '!!! tip "What this means for your table"' if page.parent.name == "paper" else "**In practice: "
    assert text.split("\n\n")[2].startswith(box)


def test_pages_hold_no_machine_paths_and_no_leftovers():
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        assert not re.search(r"/(root|home|work|tmp)/|TODO|FIXME|XXX|\bBENCHMARK\b|\bCOMPUTED\b", text), page.name


RAW = "\n## When somebody will read a raw number as it stands\n"


def test_home_page_and_readme_lead_with_a_table_and_asking_is_shown_with_whom_it_is_for():
    require("tables")
    usual, advised = (discreet.geometric(n=8, epsilon="1/4"), discreet.design(n=8, epsilon="1/4", properties="CM"))
    right = [[float(mechanism[count, count]) for count in range(9)] for mechanism in (usual, advised)]
    gains = [count for count in range(9) if right[1][count] > right[0][count]]
    assert gains == [1, 2, 3, 5, 6, 7]
    table = pa.table({"clinic": [k % 100 for k in range(800)], "ill": [False] * 800})
    for wish in ("", "CM"):
        plan = discreet.plan(table, by="clinic", count="ill", epsilon="1/4", properties=wish)
        assert "Single groups: too noisy" in " ".join(str(plan).split()), "which the page says of groups of eight"
    plain = discreet.geometric(n=8, epsilon=1)
    least = min(float(plain[count, count]) for count in range(9))
    for page in (DOCS / "index.md", ROOT / "README.md"):
        text = page.read_text(encoding="utf-8")
        assert 0 < text.find("home-hidden.svg") < text.find("home-discreet.svg") < text.find("discreet plan people.csv")
        assert "for most tables you need to ask for nothing" in " ".join(text.split()) and "choosing.md)" in text
        assert "home-usual" not in text and not re.search(r"`?\b(GM|CM|RM|F)\b`?[.),:]", FENCE.sub("", text)), (
            "names, no codes"
        )
    raw = (DOCS / "choosing.md").read_text(encoding="utf-8").partition(RAW)[2]
    before, after = (" ".join(part.split()) for part in raw.split("home-advised.svg"))
    assert "for these you need to ask for nothing" in before and "take one raw number as it stands" in before
    assert "The property gains at 1 to 3 and 5 to 7 smokers, and loses at 0, 4 and 8:" in after.partition("<details")[0]
    assert f"it is right in {right[1][0]:.0%} of all draws, the usual noise in {right[0][0]:.0%}" in after
    assert f"At epsilon 1 the usual noise is right in at least {least:.0%}" in after


def test_home_page_and_readme_say_of_hiding_what_its_page_finds():
    home, page, readme = (
        (ROOT / name).read_text(encoding="utf-8") for name in ("docs/index.md", "docs/hiding.md", "README.md")
    )
    ours = "| **`discreet`, epsilon 1 a month** | "
    (lost, found, averages) = (
        table.splitlines()[0].replace("*", "").strip(" |").split(" | ") for table in page.split(ours)[1:]
    )
    error = lost[-1]
    assert lost[0] == "0" and averages[1:] == ["0%", "0%"]
    assert found[:2] == ["0 of 24", "0%"]
    both = found[2].removeprefix("about ").removesuffix(" at most")
    for text in (" ".join(text.split()) for text in (home, readme)):
        assert "With `discreet` nobody's answer is ever certain" in text
        assert f"a released number is typically {error} patients off" in text
        assert f"about {both} sure at most of anybody's answer" in text


def test_the_page_for_official_statistics_says_of_methods_what_the_page_on_hiding_finds():
    hiding, page = ((DOCS / name).read_text(encoding="utf-8") for name in ("hiding.md", "official.md"))
    rows = {
        "... and the next smallest": "groups under 5 hidden, and the next smallest",
        "**`discreet`, epsilon 1 a month**": "",
    }
    for name in (*rows, "rounded to multiples of 5", "cell keys, at most 2 off"):
        lost, found = (
            part.splitlines()[0].replace("*", "").strip(" |").split(" | ") for part in hiding.split(f"| {name} | ")[1:3]
        )
        hidden, unquoted, error = lost
        if "discreet" in name:  # there the average, and on the page on hiding the release in its picture
            average = re.search(r"over 1,000 releases the average is (\d+)", hiding)
            unquoted = f"{average[1]} on average"
        certain = found[1]
        assert f"| {rows.get(name) or name.strip('*')} | {hidden} | {unquoted} | {certain} | {error} |" in page


def test_the_sheet_for_a_committee_is_what_its_script_prints():
    page = (DOCS / "official.md").read_text(encoding="utf-8")
    printed = re.findall(r"^ +(1/4|1/2|1|2) +(\d+%) +(\d+%) +(\S+) +(\S+) +(\S+)$", page, re.MULTILINE)
    assert len(printed) == 4
    for row in printed:
        assert f"| {' | '.join(row)} |" in page


def test_tables_of_what_wishes_cost_are_what_is_printed():
    page = (DOCS / "property-costs.md").read_text(encoding="utf-8")
    printed = re.findall(r"^(1\S*) +(none|CM|RM CM|F) +([\d.]+)  (±[\d.]+|no estimate)$", page, re.MULTILINE)
    assert len(printed) == 16
    for epsilon in dict.fromkeys(line[0] for line in printed):
        numbers, totals = zip(*[line[2:] for line in printed if line[0] == epsilon], strict=True)
        assert f"| {epsilon} | {' | '.join(totals)} |" in page and f"| {epsilon} | {' | '.join(numbers)} |" in page
    margins, at_one = ({wish: total for at, wish, _, total in printed if at == epsilon} for epsilon in ("1/4", "1"))
    choosing = (DOCS / "choosing.md").read_text(encoding="utf-8")
    rows = choosing.partition("| --- | --- | --- | --- |\n")[2].splitlines()[:4]
    assert [row.strip(" |").split(" | ")[2:] for row in rows] == [
        [at_one[wish], margins[wish]] for wish in ("none", "CM", "RM CM", "F")
    ]


def test_the_lesson_follows_the_story_and_says_its_numbers():
    require("studio")
    from discreet.studio.story.story_numbers import OTHERS, story_numbers

    page = (DOCS / "teach.md").read_text(encoding="utf-8")
    story = (DOCS / "studio-story.html").read_text(encoding="utf-8")
    titles = [re.sub(r"<[^>]*>", "", title).strip() for title in re.findall(r"<h[12]\b[^>]*>(.*?)</h[12]>", story)]
    asked = re.findall(r"^### (\d)\. (.*)$", page.partition("## Three exercises")[0], re.MULTILINE)
    assert asked == [(str(k), title) for k, title in enumerate(titles, 1)]
    screens = dict(zip(range(1, 9), re.split(r"^##", page, flags=re.MULTILINE)[2:], strict=False))
    found = story_numbers()
    monthly, yearly = found["months"]
    stops = [stop for stop in found["dial"] if stop["epsilon"] in ("0.375", "1")]
    said = {
        2: [found["truth"][OTHERS], found["truth"][0], found["within"][OTHERS], found["blind"]],
        3: [found["best"], found["coin"]],
        4: [stop[which] for stop in stops for which in ("truth", "right")],
        6: [{"text": monthly["surest"]}, {"text": yearly["surest"]}, yearly["truths"][OTHERS], found["blind"]],
    }
    for screen, numbers in said.items():
        assert [number["text"] for number in numbers if number["text"] not in screens[screen]] == [], screen
    usual, near = (found["noises"]["0.5"][kind] for kind in ("usual", "near"))
    shares = [usual["texts"][1][0], *(side["truths"][count] for side in (usual, near) for count in (0, 1))]
    assert [text for text in shares if text not in screens[7]] == []
    assert {f"{float(chance):.1%}" for chance in discreet.design(n=8, epsilon="0.25", properties="CM").column(4)} == {
        "11.1%"
    }
    for month, plan in ((1, monthly), (12, monthly), (12, yearly)):
        assert plan["right"][month]["of"] in screens[6]
    for reading in found["readings"]:
        assert reading["margin"] in screens[5] and reading["promised"] in screens[5]
    from discreet.studio.story.noises import noise
    from discreet.studio.worth import total_of

    for kind in ("usual", "near"):
        assert re.search(rf"\b{total_of(noise(kind, 8, '0.5')).removeprefix('±')}\b", screens[7])


def test_the_numbers_of_the_two_clinics_to_quote_are_those_of_the_kept_release(tmp_path):
    require("tables")
    page = (DOCS / "quoting.md").read_text(encoding="utf-8")
    e = discreet.estimate(PUBLISHED)
    quoted = {row["clinic"]: row for row in e.quotable(details=True).to_arrow().to_pylist()}
    estimates = {row["clinic"]: row for row in e.subtotals("clinic").to_arrow().to_pylist()}
    with (PUBLISHED / "table.csv").open(encoding="utf-8") as table:
        drawn = {row["clinic"]: row["smoker_yes"] for row in csv.DictReader(table)}
    clinics = ("clinic 01", "clinic 14")
    assert f"| | {' | '.join(clinics)} | what for |" in page
    printed = []
    for row in (quoted[name] for name in clinics):
        interval = f"{row['low']} to {row['high']} of {row['people']}"
        number = f", about {row['number']}" if row["number"] is not None else ""
        printed.append(f'**"{interval}{number}"**')
    assert f"| as drawn | {' | '.join(drawn[name] for name in clinics)} |" in page
    assert f"| **to print** | {' | '.join(printed)} |" in page
    box = page.partition("!!! success")[2].partition("[The report]")[0]
    assert re.findall(r'\*\*"[^*]*"\*\*', box) == printed
    added = " | ".join(f"{estimates[name]['estimate']:.1f}" for name in clinics)
    assert f"| estimate | {added} |" in page
    assert f"| whole | {' | '.join(str(quoted[name]['whole']) for name in clinics)} |" in page
    assert f"| mean | {' | '.join(str(quoted[name]['mean']) for name in clinics)} |" in page
    e.quotable().to_csv(tmp_path / "quote.csv")
    head, *rows = (tmp_path / "quote.csv").read_text(encoding="utf-8").splitlines()
    lines = [head, *(row for row in rows if any(name in row for name in clinics))]
    assert "```csv\n" + "\n".join(lines) + "\n```" in page
    without = sum(row["number"] is None for row in quoted.values())
    assert f"Here this is so for {without} of the {len(quoted)} clinics" in page


def test_the_story_says_of_its_release_what_its_file_and_its_folder_say():
    require("tables")
    page = " ".join((DOCS / "story.md").read_text(encoding="utf-8").split())
    truth = {month: Counter[str]() for month in ("people", "november")}
    for month, counted in truth.items():
        with (DOCS / "files" / f"{month}.csv").open(encoding="utf-8") as file:
            for row in csv.DictReader(file):
                for key in (row["region"], row["clinic"], "all"):
                    counted[key] += row["smoker"] == "yes"
    before, after = truth["people"], truth["november"]
    north_to_west = [before[region] for region in ("East", "North", "South", "West")]
    assert f"are {', '.join(map(str, north_to_west[:3]))} and {north_to_west[3]}." in page
    assert f"In truth {before['all'] - after['all']} people stopped smoking" in page
    once, twice = (round(float(most_sure(Fraction(exp(-epsilon))).rstrip("%"))) for epsilon in (1, 2))
    assert f"A reader's limit is now about {twice}%, where it was {once}%" in page
    e = discreet.estimate(PUBLISHED)
    regions, clinics = ([*e.quotable(key).to_arrow().to_pylist()] for key in ("region", "clinic"))
    assert all(row["low"] <= before[row["region"]] <= row["high"] for row in regions)
    missed = sum(not row["low"] <= before[row["clinic"]] <= row["high"] for row in clinics)
    assert missed == 2 and "Two of the 60 intervals of clinics miss the truth" in page
    assert f"{sum(row['number'] is None for row in clinics)} have an interval alone" in page


def test_the_story_says_early_what_releasing_regions_alone_gains():
    require("tables")
    story, quoting = ((DOCS / page).read_text(encoding="utf-8") for page in ("story.md", "quoting.md"))
    asked = {"count": {"smoker": ["yes", "no"]}, "unit": "person", "epsilon": 1}
    alone, both = (
        discreet.plan(str(DOCS / "files" / "people.csv"), by=by, **asked) for by in ("region", ["region", "clinic"])
    )
    sums = {total.by: f"±{total.width / 2:.1f}" for total in both.totals if total.asked}
    drawn, total = f"±{alone.lines[0].margin}", f"±{alone.totals[0].width / 2:.1f}"
    assert f"| `--by region` | {drawn} | {total} | none |" in story
    line = f"| `--by region --by clinic` | {sums['region']} | {sums['total']} | ±{both.lines[0].margin} |"
    assert line in story
    assert f"{drawn} instead of {sums['region']}" in " ".join(quoting.partition("## When is")[0].split())


def test_the_total_in_python_is_that_of_the_kept_release_too(capsys):
    """The same file gives the same total wherever a page shows it, though a reader's own differs."""
    require("tables")
    home, start = ((DOCS / page).read_text(encoding="utf-8") for page in ("index.md", "start.md"))
    total = str(discreet.estimate(PUBLISHED).total)
    assert re.findall(r"^ *(total .* at 0.95, 60 groups)$", start, re.MULTILINE) == [total]
    run(["discreet", "estimate", str(PUBLISHED)])
    printed = capsys.readouterr().out.splitlines()
    begins = next(k for k, line in enumerate(printed) if line.startswith("  To print: "))
    assert "\n".join(printed[begins : begins + 4]) in re.sub(r"^    ", "", start, flags=re.MULTILINE)
    assert printed[begins] in home
    wide = median(row["high"] - row["low"] for row in discreet.estimate(PUBLISHED).quotable().to_arrow().to_pylist())
    assert f"that of a typical clinic is {wide:.0f} people wide" in start


def test_one_place_says_which_file_goes_on_the_website_and_pages_that_make_one_lead_there():
    start = (DOCS / "start.md").read_text(encoding="utf-8")
    said = start.partition("## Which file goes on the website?\n")[2].partition("\n## ")[0]
    assert all(f"`{name}`" in said for name in ("published-report.html", "quote.csv", "published", "table.csv"))
    for page in (DOCS / "story.md", DOCS / "survey.md", DOCS / "quoting.md", ROOT / "README.md"):
        assert "#which-file-goes-on-the-website)" in page.read_text(encoding="utf-8"), page.name


def test_pages_count_words_in_the_way_that_refuses_a_misspelt_one_and_the_first_says_so():
    start, story = (" ".join((DOCS / page).read_text(encoding="utf-8").split()) for page in ("start.md", "story.md"))
    for text in (start, story):
        first = re.search(r"discreet plan .*? --(count|count-as|answers) \S+ \S+", text)
        assert first and first[0].endswith("--answers smoker yes,no")
    assert "such as `Yes`, is refused by the release" in start


def test_the_page_on_a_file_of_ones_own_says_what_a_condition_does_not_notice():
    text = (DOCS / "release.md").read_text(encoding="utf-8")
    assert "\"smoker = 'yes'\"" in text and "with `'Yes'` it would count nobody" in text


def test_an_attribute_is_said_once_where_its_row_says_all_of_it():
    said_once = site_hook("members").said_once
    row = '<tr><td><code><a class="x" href="#E.{0}">{0}</a></code></td><td><p>How many.</p></td></tr>'
    below = (
        '<div class="doc doc-object doc-attribute"><h4 id="E.{0}" class="doc">{0}</h4>'
        '<div class="language-python doc-signature highlight"><pre>{0}: int</pre></div>'
        '<div class="doc doc-contents "><p>How many.</p>{1}</div></div>'
    )
    page = row.format("n") + row.format("m") + below.format("n", "") + below.format("m", "<p>More.</p>")
    finished = said_once(page)
    assert finished.count("How many.") == 3 and "<h4" in finished and 'id="E.n"' in finished
    assert '<code id="E.n">n</code>' in finished and 'href="#E.m"' in finished


def test_every_public_name_is_listed_once_and_described_in_the_reference():
    listed = re.findall(r"^\| \[`dc\.(\w+)`\]", (DOCS / "reference.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(listed) == sorted(set(discreet.__all__) - {"__version__"})
    pages = "".join(page.read_text(encoding="utf-8") for page in (DOCS / "reference").glob("*.md"))
    for name in listed:
        assert re.search(rf"\bdiscreet\.{name}\b", pages), name


def test_the_page_on_peers_is_the_report():
    from bench.peers_page import PAGE, REPORT, page

    assert PAGE.read_text(encoding="utf-8") == page(json.loads(REPORT.read_text(encoding="utf-8")))


def test_the_page_with_every_option_is_what_the_commands_say():
    from click import Context
    from tools.options import COMMANDS, PAGE, page

    from discreet.cli import app

    assert sorted(COMMANDS) == sorted(app.list_commands(Context(app)))
    assert PAGE.read_text(encoding="utf-8") == page(), "run python -m tools.options"


def test_every_parameter_of_plan_and_release_has_a_row_in_the_reference_and_a_sentence():
    require("tables")
    from discreet.tables.asking.request import choices
    from discreet.tables.parameter_words import ASKED

    page = (DOCS / "reference" / "tables.md").read_text(encoding="utf-8")
    asked = page.partition("## What can be asked\n")[2].partition("\n## ")[0]
    marks = re.findall(r"^### (.+)\n\n(?:.*\n\n)?<!-- asked: (.+) -->$", asked, re.MULTILINE)
    assert [head for head, _ in marks] == [group for _, group in marks] == list(ASKED)
    rendered = site_hook("asked").on_page_markdown(page)
    rows = re.findall(r"^\| `(\w+)` \| (.+) \| (.+) \|$", rendered, re.MULTILINE)
    planned, released = (set(signature(verb).parameters) for verb in (discreet.plan, discreet.release))
    assert sorted(name for name, *_ in rows) == sorted(released) and planned <= released
    for name, words, usual in rows:
        assert re.fullmatch(r"[A-Z`].{20,}[.]", words) and not re.search("e[.]g[.]| [.]|--", words), name
        listed = () if name in ("source", "progress") else choices(name)
        assert [choice for choice in listed if f"`'{choice}'`" not in words] == [], name
        default = signature(discreet.release).parameters[name].default
        assert (usual == "required") == (default is Parameter.empty), name
    only = re.search(r"Only `release` takes ([^.]*?), because", page)[1]
    assert set(re.findall(r"`(\w+)`", only)) == released - planned


def test_only_what_may_be_anything_has_any_type():
    require("tables")
    for verb in (discreet.plan, discreet.release):
        types = {each.name: each.annotation for each in signature(verb).parameters.values()}
        assert {name for name, written in types.items() if written == "Any"} == {"source", "keys"}
