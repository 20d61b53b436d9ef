"""The page of verdicts: it loses no section, and begins with a table that leads to each."""

from __future__ import annotations

import re
from pathlib import Path

from tools.paper_pages import VERDICTS, anchor, counted, main

from discreet.paper.experiments import CATALOGUE

DOCS = Path(__file__).parents[1] / "docs"
PAGE = DOCS / "paper" / "verdicts.md"


def test_without_the_adult_data_nothing_is_written(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("DISCREET_DATA", str(tmp_path))
    assert main([str(tmp_path)]) == 2 and main([str(tmp_path), "adult"]) == 2
    assert "fetch-adult" in capsys.readouterr().err and list(tmp_path.iterdir()) == []


def test_the_page_begins_with_a_row_for_each_figure_whose_numbers_are_those_of_its_section():
    page = PAGE.read_text(encoding="utf-8")
    sections = {part.partition("\n")[0]: part for part in page.split("\n## ")[1:]}
    for entry in CATALOGUE.values():
        if entry.name.startswith("beyond-"):
            continue
        found = counted(sections[entry.title])
        cells = [f"**{many}**{{.{verdict}}}" if many else "" for many, verdict in zip(found, VERDICTS, strict=True)]
        assert f"| [{entry.place}](#{anchor(entry.title)}): {entry.title} | {' | '.join(cells)} |" in page
    every = counted(page)
    assert f"Of {sum(every)} sentences **{every[0]} agree**, **{every[1]} differ**" in page


def test_a_figure_is_seen_first_and_its_further_pictures_and_sentences_are_folded():
    page = PAGE.read_text(encoding="utf-8")
    for section in (part for part in page.split("\n## ")[1:] if "](../images/paper/" in part):
        first, *others = re.findall(r"!\[(.*?)\]\(\.\./images/paper", section)
        folded = re.findall(r"<details markdown>\n<summary>(.*?)</summary>\n\n!\[(.*?)\]", section)
        assert section.index(f"![{first}]") < section.index("<details"), "nobody has to open anything to see the figure"
        assert folded == [(title, title) for title in others]
        assert "<summary>Each sentence of the paper, and what we find</summary>\n\n| the paper |" in section


def test_a_phone_has_the_costs_that_the_words_below_the_table_explain():
    for name in ("properties-table", "properties-table-narrow"):
        text = (DOCS / "images" / "paper" / f"{name}.svg").read_text(encoding="utf-8")
        assert "cost (L0)" in text and ">0.952<" in text
