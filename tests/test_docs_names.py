"""What the documentation names exists: tests, modules, functions, attributes, files of the repository, commands.

Every word in `code` of every page is looked at. A claim that names its function and its test is worth nothing once
one of them has been renamed.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import click
import pytest
from tests.test_docs import FENCE, PAGES

import discreet
from discreet.cli import app
from discreet.paper import CATALOGUE

ROOT = Path(__file__).parent.parent
SOURCE = Path(discreet.__file__).parent
EVERY_PAGE = sorted({*PAGES, *ROOT.glob("*.md")})
NAME = r"[A-Za-z_]\w*"
DOTTED = re.compile(rf"({NAME}(?:\.{NAME})+)(?:\(.*\))?")
PATH = re.compile(r"(?:src|docs|tests|bench|tools|requirements|\.ci)/[\w./*-]*")
MODULE = re.compile(r"python -m ((?:bench|discreet|tests|tools)[\w.]*)")
COMMAND = re.compile(r"discreet ([a-z][\w-]*)(?: ([a-z][\w-]*))?")
PARTS = {entry.stem for entry in SOURCE.iterdir() if entry.is_dir() or entry.suffix == ".py"}
STUDIES = {
    "thresholds",
    "boundary",
}  # docs/old/paper/beyond-columns.md names these modules of discreet.paper.beyond by themselves
VARIABLES = {  # what the pages call their values, and where the classes are
    "m": ("discreet.core.mechanism.Mechanism",),
    "r": (
        "discreet.choosing.recommendation.Recommendation",
        "discreet.tables.published.result.Release",
    ),
    "e": (
        "discreet.reading.estimates.Estimate",
        "discreet.reading.histograms.histogram_estimates.HistogramEstimate",
        "discreet.reading.histograms.capped_estimates.CappedEstimate",
    ),
    "ledger": ("discreet.ledger.ledger.Ledger",),
    "report": ("discreet.auditing.findings.Audit",),
}


@cache
def known_tests() -> frozenset[str]:
    """The names of all test functions and of their files."""
    files = list((ROOT / "tests").rglob("test_*.py"))
    functions = (
        re.findall(r"^def (test_\w+)\(", file.read_text(encoding="utf-8"), re.MULTILINE)
        for file in files
    )
    return frozenset({file.stem for file in files}.union(*functions))


@cache
def resolves(name: str) -> bool:
    """Whether a dotted name is a module, or leads from one through attributes that exist."""
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        try:
            found: object = import_module(".".join(parts[:length]))
        except ModuleNotFoundError:
            continue
        for part in parts[length:]:
            if part in getattr(found, "__dataclass_fields__", {}):
                return True  # a value of its own, whose class is not followed
            if not hasattr(found, part):
                return False
            found = getattr(found, part)
        return True
    return False


def exists(code: str) -> bool:
    """Whether what a word in `code` names exists; True for words that name nothing of ours."""
    if re.fullmatch(r"test_\w+", code):
        return code in known_tests()
    if PATH.match(code):
        place = PATH.match(code)[0].rstrip("/")
        return bool(list(ROOT.glob(place)) or list(ROOT.glob(f"{place}.py")))
    if module := MODULE.search(code):
        return find_spec(module[1].rstrip(".")) is not None
    if command := COMMAND.match(code):
        verb, what = command.groups()
        known = verb in [*app.list_commands(click.Context(app)), "help"]
        return known and (verb != "paper" or what in {None, "all", "fetch-adult", *CATALOGUE})
    if not (dotted := DOTTED.fullmatch(code)) or code.endswith(
        ".html"
    ):  # a file that the reader makes
        return True
    first, _, rest = dotted[1].partition(".")
    if first in VARIABLES and any(
        resolves(f"{owner}.{rest.split('.')[0]}") for owner in VARIABLES[first]
    ):
        return True
    if first in ("discreet", "dc"):
        return resolves(f"discreet.{rest}")
    if first in STUDIES:
        return resolves(f"discreet.paper.beyond.{dotted[1]}")
    return first not in PARTS | set(VARIABLES) or resolves(f"discreet.{dotted[1]}")


def named(text: str) -> list[str]:
    """The words in `code` of a page, outside of its fenced blocks."""
    return re.findall(r"`([^`\n]+)`", FENCE.sub("", text))


@pytest.mark.parametrize("page", EVERY_PAGE, ids=lambda page: str(page.relative_to(ROOT)))
def test_whatever_a_page_names_exists(page):
    assert [code for code in named(page.read_text(encoding="utf-8")) if not exists(code)] == []


@pytest.mark.parametrize(
    "code",
    [
        "test_em_and_wm_do_not_derive_from_gm_any_more",
        "designer.theorems.relabelled",
        "designer.theorems.relabelling.relabelled_multipliers",
        "discreet.paper.beyond.thresholds.fill",
        "thresholds.fill",
        "dc.no_such_verb(n=8)",
        "m.no_such_attribute",
        "tests/reading/test_no_such_file.py",
        "python -m bench.no_such_bench",
        "discreet no-such-command",
        "discreet paper no-such-figure",
    ],
)
def test_a_name_that_does_not_exist_is_noticed(code):
    assert not exists(code)


@pytest.mark.parametrize(
    "code",
    [
        "WH CM",
        "Pr[i|j]",
        "people.csv",
        "spark.local.dir",
        "con.sql(...)",
        "m.save",
        "thresholds.solve",
    ],
)
def test_words_that_exist_or_are_not_ours_are_left_alone(code):
    assert exists(code)


def test_the_promises_of_a_release_name_their_tests():
    page = (ROOT / "docs" / "release-claims.md").read_text(encoding="utf-8")
    assert len({code for code in named(page) if code.startswith("test_")}) > 100


def test_every_claim_and_erratum_names_a_test():
    for name in ("claims.md", "errata.md"):
        rows = (ROOT / "docs" / "paper" / name).read_text(encoding="utf-8").splitlines()
        cells = [
            row.strip(" |").split(" | ")
            for row in rows
            if row.startswith("| ") and not row.startswith("| ---")
        ]
        for cell in cells:
            named_check = re.search(r"`(tests/|test_|discreet paper )|\.md\)", cell[-1])
            assert cell[-1] in ("checked by", "test") or named_check or "quoted" in cell, cell[0]
