"""A table of one's own, of which the studio knows sizes only: the plan is the library's, and the line runs."""

import csv
import json
import shlex
from dataclasses import asdict
from pathlib import Path

import pytest
from tests.conftest import require

require("studio")
require("tables")

from discreet.errors import InvalidInput
from discreet.studio.own.group_sizes import MOST_GROUPS, read_sizes
from discreet.studio.own.table_plan import plan_table
from discreet.studio.settings import read_setting, read_text
from discreet.studio.work.answering import Question, answer

TABLES = {
    "yes or no": "n=8&epsilon=1&properties=F&sizes=3 of 8, 2 of 9",
    "regions": "n=8&alpha=1/3&properties=&sizes=4 of 3, 2 of 5&regions=2",
    "a split": "n=8&epsilon=1&properties=&sizes=4 of 3, 2 of 5&regions=2&share=0.8",
    "three answers": "n=8&epsilon=2&properties=&sizes=4 of 3&answers=never, former, current",
    "a scale": "n=8&epsilon=1&properties=&sizes=4 of 30&answers=1, 2, 3, 4, 5",
}


def read(query):
    return read_setting(read_text(query))


@pytest.mark.parametrize(
    ("text", "sizes"),
    [
        ("80 of 8, 40 of 9", {8: 80, 9: 40}),
        ("40 OF 9; 80x8", {8: 80, 9: 40}),
        ("8\n8\n9", {8: 2, 9: 1}),
        ("2 × 3 7", {3: 2, 7: 1}),
    ],
)
def test_sizes_are_read_as_people_write_them(text, sizes):
    assert read_sizes(text) == sizes
    assert list(read_sizes(text)) == sorted(sizes)


@pytest.mark.parametrize("text", ["", "many", "3 of", "80 of 8, x", "0", "2 of 0", f"{MOST_GROUPS + 1} of 1", "-3"])
def test_what_is_no_size_is_refused(text):
    with pytest.raises(InvalidInput, match="`sizes` must be"):
        read_sizes(text)


@pytest.mark.parametrize("name", TABLES)
def test_the_plan_is_the_library_s_and_the_line_releases_such_a_table(name, tmp_path, monkeypatch, capsys):
    from discreet.cli import main

    reading = read(TABLES[name])
    own, s = plan_table(reading), reading.setting
    sizes = [n for n, many in read_sizes(s.sizes).items() for _ in range(many)]
    answers = [word.strip() for word in s.answers.split(",")] if s.answers else ["true", "false"]
    monkeypatch.chdir(tmp_path)
    with Path("people.csv").open("w", newline="") as file:
        out = csv.writer(file)
        out.writerow(["person", "region", "group", "answer"])
        regions = int(s.regions or 1)
        out.writerows(
            [f"{k}-{p}", k % regions, k, answers[p % len(answers)]] for k, n in enumerate(sizes) for p in range(n)
        )
    opening, words = shlex.split(own.opening), shlex.split(own.line)
    assert opening[0] == words[0] == "discreet"
    assert {"--ledger", "--unit"} <= set(words)
    assert all(column in words for column in own.columns)
    quiet = ["--progress", "none"]
    for command in (opening[1:], ["plan", *words[2:-2], "--json", *quiet], [*words[1:], *quiet]):
        with pytest.raises(SystemExit) as done:
            main(command)
        assert not done.value.code
    said = capsys.readouterr().out
    planned = json.JSONDecoder().raw_decode(said[said.index("{") :])[0]
    assert planned["lines"] == [asdict(line) for line in own.plan.lines], "of the table as of its sizes"
    assert sum(line.groups for line in own.plan.lines) == len(sizes)
    assert bool(own.picture) == bool(s.answers)
    assert bool(own.plan.levels) == bool(s.regions)
    text = answer(Question(part="table", query=TABLES[name], base="")).body.decode()
    assert shlex.join(words) == own.line
    assert "style=" not in text, "the page's content policy forbids styles of its own"


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("sizes=none", "The group sizes must be numbers of people, not none"),
        ("sizes=3 of 8&regions=9", "The number of regions must be at most as many as there are groups, not 9"),
        ("sizes=3 of 8&regions=x", "The number of regions must be a whole number"),
        ("sizes=3 of 8&regions=2&share=2", "share must be one of 0.5, 0.8, or empty"),
        ("sizes=3 of 8&answers=a,b", "answers must be 3 to 12 answers"),
    ],
)
def test_what_cannot_be_planned_is_said_in_the_library_s_words(query, said):
    found = answer(Question(part="table", query=f"n=8&epsilon=1&{query}", base=""))
    assert found.status == 200
    assert said in found.body.decode()


def test_a_table_whose_numbers_may_be_anything_is_called_so_with_what_helps():
    told = plan_table(read("n=8&epsilon=0.5&properties=&sizes=6 of 12&regions=2&share=0.5"))
    plain = plan_table(read("n=8&epsilon=0.5&properties=&sizes=6 of 12"))
    assert plain.verdict is None and not plain.without
    line = told.plan.lines[0]
    assert told.without == {12: plain.plan.lines[0].rmse}
    assert told.verdict is not None and f"0 to 12 may be off by {line.margin}" in told.verdict.says
    assert told.verdict.remedies[0].startswith(
        f"leave out the regions: then off by at most {plain.plan.lines[0].margin}"
    )
    text = answer(
        Question(part="table", query="n=8&epsilon=0.5&properties=&sizes=6 of 12&regions=2&share=0.5", base="")
    ).body
    assert b"Too noisy to be read group by group" in text and b"without regions" in text
    groups_first = plan_table(read("n=8&epsilon=0.5&properties=&sizes=6 of 12&regions=2&share=0.8"))
    assert groups_first.verdict is None and groups_first.plan.lines[0].rmse < line.rmse
