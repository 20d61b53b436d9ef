"""A table of one's own, of which the studio knows sizes only: the plan is the library's, and the line runs."""

import csv
import json
import shlex
from dataclasses import asdict
from fractions import Fraction
from pathlib import Path

import pytest
from tests.conftest import require

require("studio")
require("tables")

from discreet.errors import InvalidInput
from discreet.reading.ahead.enough import known_to_half
from discreet.studio.own.asked_questions import read_questions
from discreet.studio.own.group_sizes import MOST_GROUPS, read_sizes
from discreet.studio.own.plan_words import blocks, gist, of_the_smallest
from discreet.studio.own.remedies import attempt, search
from discreet.studio.own.table_plan import plan_counts, plan_table
from discreet.studio.own.wanted_table import read_table, readable
from discreet.studio.settings import read_setting, read_text
from discreet.studio.work.answering import Question, answer

TABLES = {
    "yes or no": "n=8&epsilon=1&wishes=F&sizes=3 of 8, 2 of 9",
    "regions": "n=8&alpha=1/3&properties=&sizes=4 of 3, 2 of 5&regions=2",
    "a split": "n=8&epsilon=1&properties=&sizes=4 of 3, 2 of 5&regions=2&share=best",
    "three answers": "n=8&epsilon=2&properties=&sizes=4 of 3&questions=never, former, current",
    "a scale": "n=8&epsilon=1&properties=&sizes=4 of 30&questions=mark: 1, 2, 3, 4, 5",
    "two questions": "n=8&epsilon=2&properties=CM&sizes=2 of 30, 2 of 3&questions=smokes a lot%0Atravel: walk, go by bus, car",
    "words": "n=8&epsilon=1&sizes=3 of 3&questions=bullied%0Asmokes a lot&yes=yes",
    "two answers": "n=8&epsilon=1&sizes=3 of 3&questions=bullied: yes, OTHER",
    "unreadable in one draw": "n=8&epsilon=0.5&sizes=2 of 6&questions=travel: walk, bike, bus, car, other",
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
        ("60 groups of 10", {10: 60}),
        ("60 classes of 10 and 1 class of 9 people", {9: 1, 10: 60}),
        ("60 x 10, 2*4", {4: 2, 10: 60}),
    ],
)
def test_sizes_are_read_as_people_write_them(text, sizes):
    assert read_sizes(text) == sizes
    assert list(read_sizes(text)) == sorted(sizes)


@pytest.mark.parametrize(
    "text",
    ["", "many", "3 of", "80 of 8, x", "0", "2 of 0", f"{MOST_GROUPS + 1} of 1", "-3", "-3 of 8", "8.5", "2 of 8.5"],
)
def test_what_is_no_size_is_refused(text):
    with pytest.raises(InvalidInput, match="`sizes` must be"):
        read_sizes(text)


@pytest.mark.parametrize("name", TABLES)
def test_the_plan_is_the_library_s_and_the_line_releases_such_a_table(name, tmp_path, monkeypatch, capsys):
    from discreet.cli import main

    reading = read(TABLES[name])
    own, s = plan_table(reading), reading.setting
    sizes = [n for n, many in read_sizes(s.sizes).items() for _ in range(many)]
    questions = read_questions(s.questions)
    monkeypatch.chdir(tmp_path)
    with Path("people.csv").open("w", newline="") as file:
        out = csv.writer(file)
        out.writerow(["person", "region", "group", *(asked.name for asked in questions)])
        regions = int(s.regions or 1)
        out.writerows(
            [
                f"{k}-{p}",
                k % regions,
                k,
                *((q.answers or (s.yes or "true", "no" if s.yes else "false"))[p % 2] for q in questions),
            ]
            for k, n in enumerate(sizes)
            for p in range(n)
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
    assert [line for part in own.parts for line in part.lines] == list(own.plan.lines)
    for part in own.parts:
        assert sum(line.groups for line in part.lines) == len(sizes)
        assert bool(part.picture) == part.asked.several
        assert all(total.standard_error for total in part.totals), "what is planned can be read"
    assert bool(own.plan.levels) == bool(s.regions)
    text = answer(Question(part="table", query=TABLES[name], base="")).body.decode()
    assert "style=" not in text, "the page's content policy forbids styles of its own"


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("sizes=none", "The group sizes must be numbers of people, not none"),
        ("sizes=3 of 8&regions=9", "The number of regions must be at most as many as there are groups, not 9"),
        ("sizes=3 of 8&regions=x", "The number of regions must be a whole number"),
        ("sizes=3 of 8&regions=2&share=2", "share must be one of 0.5, best, or empty"),
        ("sizes=3 of 8&questions=x: a", "A question must have 2 to 12 answers"),
        ("sizes=-3 of 8", "The group sizes must be numbers of people, not -3 of 8"),
        ("sizes=3 of 8&questions=a%0Aa", "A question must have names of their own"),
        ("sizes=3 of 8&questions=: a, b, c", "A question must have a name before the colon"),
        ("sizes=3 of 8&questions=x: a, b, a", "A question must not have the same answer twice"),
        ("sizes=3 of 8&questions=a;b;c;d;e;f;g", "A question must be at most 6 on this page"),
    ],
)
def test_what_cannot_be_planned_is_said_in_the_library_s_words(query, said):
    found = answer(Question(part="table", query=f"n=8&epsilon=1&{query}", base=""))
    assert found.status == 200
    assert said in found.body.decode()


def test_a_property_that_cannot_be_had_is_left_out_by_a_button():
    query = "n=8&epsilon=1&properties=CM&sizes=3 of 12&questions=mark: 1, 2, 3, 4, 5"
    found = answer(Question(part="table", query=query, base="")).body.decode()
    assert 'id="release-line"' in found, "the design's properties were not chosen for the table"
    found = answer(Question(part="table", query=f"{query}&wishes=CM&wishes=WH", base="")).body.decode()
    assert '<button type="button" data-drop="CM">Leave out column monotonicity (CM)</button>' in found
    assert '<button type="button" data-drop="">Leave out all of them</button>' in found
    assert read_text(f"{query}&wishes=CM&wishes=WH").wishes == "CM WH"


def test_chances_of_all_numbers_and_of_one_stand_in_tables_of_their_own():
    query = "n=8&epsilon=1&sizes=2 of 3, 2 of 30&questions=mark: 1, 2, 3, 4"
    text = answer(Question(part="table", query=query, base="")).body.decode()
    assert text.count("all numbers right</th>") == 1
    assert text.count(">chance of the truth</button></th>") == 1


def test_the_usual_split_leaves_groups_of_use():
    shared = plan_table(read("n=8&epsilon=1&sizes=20 of 12&regions=5"))
    assert shared.plan.levels[0].share == Fraction(4, 5)
    assert not shared.noisy


def searched(query):
    """What helps, after every trial."""
    wanted, outcomes = readable(read_table(read(query))), ""
    while (found := search(wanted, outcomes)).trying is not None:
        assert len(outcomes) < found.of, "a search says how long it may take"
        outcomes += attempt(wanted, found.trying)
    return found


@pytest.mark.parametrize(
    ("query", "helps"),
    [
        ("epsilon=0.25&sizes=80 of 8, 40 of 9", ["epsilon 0.51", "merge groups until each has at least 24 people"]),
        ("epsilon=0.5&sizes=6 of 12&regions=2&share=0.5", ["leave out the regions", "epsilon 0.71"]),
        ("epsilon=0.2&sizes=2 of 1, 4 of 8", ["epsilon 2.95"]),
        ("epsilon=1&sizes=3 of 1&questions=a;b;c", []),
        ("epsilon=0.5&sizes=6 of 3&questions=smoking: never, former, current", None),
    ],
)
def test_what_is_said_to_help_leaves_no_warning_in_the_whole_table(query, helps):
    assert plan_table(read(f"n=8&{query}")).noisy
    found = searched(f"n=8&{query}")
    if helps is not None:
        assert [remedy.words for remedy in found.remedies][: len(helps)] == helps and bool(helps) == bool(
            found.remedies
        )
    for remedy in found.remedies:
        if remedy.entry:
            changed = plan_table(read(f"n=8&{query}&{remedy.entry}={remedy.value}"))
            assert not changed.noisy and all(map(known_to_half, changed.plan.lines))
    assert all(trial in "yn" for trial in found.outcomes)


def test_a_search_is_replayed_from_its_outcomes_and_says_what_it_tries():
    query = "n=8&epsilon=0.25&sizes=80 of 8, 40 of 9"
    page = answer(Question(part="table", query=query, base="")).body.decode()
    assert 'data-next=""' in page and "Too noisy to be read group by group" in page
    first = answer(Question(part="remedies", query=query, base="")).body.decode()
    assert 'data-next="y"' in first and ">Do it</button>" in first
    assert "Trying what would help: merge groups until each has at least 24 people (2 of at most 2)." in first
    long = answer(Question(part="remedies", query=query, base="", given_up="this takes longer")).body.decode()
    assert 'data-next="x"' in long and "Do it" not in long
    none = answer(Question(part="remedies", query="n=8&epsilon=1&sizes=3 of 1&questions=a;b;c", base="")).body.decode()
    assert "Nothing that was tried would help" in none and "data-next" not in none
    assert answer(Question(part="remedies", query=query, base="", detail="abc")).status == 404
    assert answer(Question(part="remedies", query="n=8&sizes=none", base="")).status == 400


def test_questions_of_yes_or_no_are_planned_at_once_as_in_the_whole_plan():
    query = "n=8&alpha=1/3&sizes=2 of 4, 3 of 3&questions=smoker;mark: 1, 2, 3"
    whole, at_once = plan_table(read(query)), plan_counts(read(query))
    assert [part.asked.name for part in at_once.parts] == ["smoker"] and [q.name for q in at_once.later] == ["mark"]
    assert at_once.parts[0].lines[0].margin == whole.parts[0].lines[0].margin
    assert at_once.parts[0].lines[0].truth == pytest.approx(whole.parts[0].lines[0].truth, rel=1e-6)
    assert at_once.epsilon == whole.epsilon == whole.plan.epsilon
    text = answer(Question(part="table", query=query, base="", detail="at-once")).body.decode()
    assert "Designing one draw of all 3 answers" in text and 'id="release-line"' not in text
    assert plan_counts(read("n=8&epsilon=1&sizes=4 of 3")) is None
    text = answer(Question(part="table", query="n=8&epsilon=1&sizes=4 of 3", base="", detail="at-once")).body
    assert not text.strip(), "nothing is there sooner"


def test_regions_are_said_to_cost_what_they_cost():
    query = "n=8&epsilon=0.5&properties=&sizes=6 of 12&regions=2&share=0.5"
    told = plan_table(read(query)).parts[0]
    plain = plan_table(read("n=8&epsilon=0.5&properties=&sizes=6 of 12")).parts[0]
    assert not plain.verdict and not plain.without
    assert told.without == {12: plain.lines[0].rmse}
    assert f"0 to 12 may be off by {told.lines[0].margin}" in told.verdict
    text = answer(Question(part="table", query=query, base="")).body
    assert b"Too noisy to be read group by group" in text and b"without regions" in text
    groups_first = plan_table(read("n=8&epsilon=0.5&properties=&sizes=6 of 12&regions=2")).parts[0]
    assert not groups_first.verdict and groups_first.lines[0].rmse < told.lines[0].rmse


def test_a_margin_that_is_the_whole_group_is_no_margin():
    own = plan_table(read("n=8&epsilon=0.25&sizes=80 of 8"))
    assert own.parts[0].lines[0].margin == 8
    text = answer(Question(part="table", query="n=8&epsilon=0.25&sizes=80 of 8", base="")).body.decode()
    assert "<td>all 8</td>" in text and "±8" not in text and "and it may be anything." in text
    assert "any number from 0 to 8 may be published, whatever is true" in text


def test_every_size_that_is_too_noisy_is_warned_of_and_the_smallest_is_spoken_of():
    told = plan_table(read("n=8&epsilon=0.5&sizes=30 of 30, 5 of 6, 2 of 3")).parts[0]
    noisy = [line for line in told.lines if line.too_noisy]
    assert [line.n for line in noisy] == [3, 6]
    assert told.verdict == (
        f"Groups of 3 and 6 (7 of 37 groups) are too noisy to be read one by one: a number from 0 to 6 may be off by {noisy[1].margin}."
    )
    smallest = told.lines[0]
    assert gist(told.lines).startswith("A group of 30: its number is usually off by about ")
    part = f"{smallest.rmse / 3:.0%} of it"
    assert of_the_smallest(told.lines) == (f"In the smallest, of 3, that is {smallest.rmse:.1f} people ({part}).")
    assert not of_the_smallest(told.lines[:1])
    even = plan_table(read("n=8&epsilon=0.5&sizes=2 of 8, 2 of 12")).parts[0]
    assert even.commonest.largest == 8, "of two that are as common, the smaller"


def test_a_total_that_may_be_anything_gets_no_margin():
    page = answer(Question(part="table", query="n=8&epsilon=1/4&sizes=6 8 9", base="")).body.decode()
    assert "too noisy" in page and "±11.5" not in page


def test_many_sizes_fold_into_ranges_with_the_numbers_of_their_largest():
    (part,) = plan_table(read_setting(read_text("n=8&epsilon=1&sizes=" + " ".join(map(str, range(15, 27)))))).parts
    assert len(part.lines) == 12, "what is said of the commonest and the smallest is said of one size"
    (block,) = blocks(part.lines)
    assert [(line.n, line.largest, line.sizes, line.groups) for line in block.lines] == [
        (15, 16, 2, 2),
        (17, 26, 10, 10),
    ]
    assert [line.rmse for line in block.lines] == [line.rmse for line in part.lines if line.largest in (16, 26)]
