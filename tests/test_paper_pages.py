"""The pages of figures and of sentences: they lose no section, and the first begins with a table that leads to each."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

from tools.paper_pages import VERDICTS, anchor, counted, main
from tools.paper_tables import STUDIES, TABLES, filled, markdown

from discreet.paper.experiments import CATALOGUE
from discreet.paper.figures.behaviours import SETS
from discreet.paper.figures.figure_findings import FINDINGS
from discreet.paper.results import Settings
from discreet.paper.running import make

DOCS = Path(__file__).parents[1] / "docs"
PAGE = DOCS / "paper" / "verdicts.md"
TRIED = DOCS / "paper" / "sentences.md"
FIGURES = [entry for entry in CATALOGUE.values() if not entry.name.startswith("beyond-")]


def sections(page):
    """The sections of a page by their headings."""
    return {part.partition("\n")[0]: part for part in page.read_text(encoding="utf-8").split("\n## ")[1:]}


def test_without_the_adult_data_nothing_is_written(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("DISCREET_DATA", str(tmp_path))
    assert main([str(tmp_path)]) == 2 and main([str(tmp_path), "adult"]) == 2
    assert "fetch-adult" in capsys.readouterr().err and list(tmp_path.iterdir()) == []


def test_the_page_begins_with_a_row_for_each_figure_whose_numbers_are_those_of_its_sentences():
    page, tried = PAGE.read_text(encoding="utf-8"), sections(TRIED)
    rows = {
        re.search(r"\(#([\w-]+)\)", row)[1]: row for row in page.splitlines() if re.match(r"\| \[[\d and]+\]\(#", row)
    }
    assert len(rows) == len(FIGURES)
    for entry in FIGURES:
        row, found = rows[anchor(entry.heading)], counted(tried[entry.heading])
        said, told = FINDINGS[entry.name]
        assert f"| {said} | {told} |" in row
        marks = {kind: int(many) for many, kind in re.findall(r"\*\*(\d+)\xa0\w+\*\*\{\.(\w+)\}", row)}
        assert marks == {kind: many for kind, many in zip(VERDICTS, found, strict=True) if many}
    every = counted(TRIED.read_text(encoding="utf-8"))
    assert f"{sum(every)} sentences compared with" in page and f"**{every[0]} agree**, **{every[1]} differ**" in page


def test_a_figure_is_seen_and_leads_to_its_sentences():
    tried = sections(TRIED)
    for heading, section in ((each, part) for each, part in sections(PAGE).items() if each in tried):
        assert section.index("](../images/paper/") < section.index(f"](sentences.md#{anchor(heading)})")
        assert "<details" not in section, "nobody has to open anything to see the figure"
        assert "| the paper | we find | |" in tried[heading] and re.search("`discreet paper [\\w-]+`", section)
    assert [entry.heading for entry in FIGURES] == list(sections(PAGE)) == list(tried)[1:]


def test_the_page_begins_with_what_it_means_for_a_table():
    assert PAGE.read_text(encoding="utf-8").split("\n\n")[1].startswith('!!! tip "What this means for your table"')


def test_a_table_of_numbers_is_on_its_page():
    page = TRIED.read_text(encoding="utf-8")
    for name, (title, _, below) in TABLES.items():
        section = page.partition(f"`discreet paper {name}`")[2].partition("\n## ")[0]
        fold = section.partition(f"<summary>{title}</summary>")[2].partition("</details>")[0]
        lines = fold.strip().splitlines()
        assert lines[-1] == below and len({line.count("|") for line in lines if "|" in line}) == 1, name
    studies = "".join(file.read_text(encoding="utf-8") for file in (DOCS / "paper").glob("beyond-*.md"))
    assert sorted(re.findall(r"<!-- numbers: ([a-z-]+) -->", studies)) == sorted(STUDIES)


def test_the_tables_are_what_the_run_finds():
    """For what takes little time in full; `python -m tools.paper_pages docs` writes all of them."""
    page = TRIED.read_text(encoding="utf-8")
    for name in ("flowchart", "scores"):
        assert markdown(TABLES[name][1](make(name, Settings()))) in page
    study = (DOCS / "paper" / "beyond-more.md").read_text(encoding="utf-8")
    assert filled(study, "beyond-ranges", make("beyond-ranges", Settings())) == study


def test_the_128_sets_are_a_table_of_numbers():
    page = TRIED.read_text(encoding="utf-8")
    fold = page.partition(f"<summary>{SETS}</summary>")[2].partition("</details>")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in fold.splitlines() if "(0." in line]
    places = [(Fraction(alpha.partition(" ")[0]), int(n)) for alpha, n, *_ in rows]
    assert len(rows) == 6 and places == sorted(places), "weak privacy first"
    for row in rows:
        assert sum(int(cell.split()[0]) for cell in row[2:] if cell) == 128


def test_every_figure_of_the_paper_has_its_finding_in_two_short_sentences():
    assert list(FINDINGS) == [entry.name for entry in FIGURES]
    assert all(len(words) < 120 and words.endswith(".") for told in FINDINGS.values() for words in told)
    tried = sections(TRIED)
    for entry in FIGURES:
        for number in re.findall(r"\d+ of \d+|\d+/\d+|0\.\d+", FINDINGS[entry.name][1]):
            assert number in tried[entry.heading], (entry.name, number)


def test_a_phone_has_the_wrong_numbers_that_the_words_below_the_table_explain():
    for name, said in (("properties-table", "wrong numbers, %"), ("properties-table-narrow", "wrong, %")):
        text = (DOCS / "images" / "paper" / f"{name}.svg").read_text(encoding="utf-8")
        assert f">{said}<" in text and ">84.7<" in text
