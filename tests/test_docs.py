"""Every Python block of the documentation and the README runs, page by page, in a folder of its own."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = sorted([*(ROOT / "docs").rglob("*.md"), ROOT / "README.md"])
BLOCK = re.compile(r"^```python(?P<options>[^\n]*)\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!https?:|mailto:|#)([^)#\s]+)(#[^)\s]*)?\)")
HEAVY = ("pyspark", "SparkSession", "spark.read")


def blocks(page: Path) -> list[tuple[int, str]]:
    text = page.read_text(encoding="utf-8")
    return [
        (text.count("\n", 0, match.start()) + 2, match["code"])
        for match in BLOCK.finditer(text)
        if "no-run" not in match["options"]
    ]


@pytest.mark.parametrize("page", [pytest.param(p, id=str(p.relative_to(ROOT))) for p in PAGES if blocks(p)])
def test_every_python_block_runs(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DISCREET_CACHE", str(tmp_path / "cache"))
    namespace = {"__name__": "docs"}
    for line, code in blocks(page):
        if any(word in code for word in HEAVY):
            continue  # Spark pages are run by tests/spark
        exec(compile("\n" * (line - 1) + code, str(page), "exec"), namespace)


@pytest.mark.parametrize("page", [pytest.param(p, id=str(p.relative_to(ROOT))) for p in PAGES])
def test_every_link_leads_somewhere(page):
    for match in LINK.finditer(page.read_text(encoding="utf-8")):
        target = (page.parent / match[1]).resolve()
        assert target.exists(), f"{page.name}: {match[1]}"


def test_every_page_is_in_the_navigation():
    nav = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    for page in (ROOT / "docs").rglob("*.md"):
        assert str(page.relative_to(ROOT / "docs")) in nav, page
