"""A table of one's own, of which the studio knows sizes only: the plan is the library's, and the line runs."""

import csv
import json
import re
import shlex
from dataclasses import asdict, replace
from fractions import Fraction
from pathlib import Path

import pytest
from tests.conftest import require

require("studio")
require("tables")

import discreet as dc
from discreet.errors import InvalidInput
from discreet.reading.ahead.enough import known_to_half
from discreet.show.plans.verdict_text import readings
from discreet.studio.own.asked_questions import meant, read_questions
from discreet.studio.own.coarser_levels import placed, read_levels
from discreet.studio.own.group_sizes import LARGEST_GROUP, MOST_GROUPS, MOST_SIZES, read_sizes
from discreet.studio.own.plan_words import blocks, gist, of_the_smallest, total_words
from discreet.studio.own.remedies import attempt, search
from discreet.studio.own.size_bars import size_charts, table_colour
from discreet.studio.own.table_plan import plan_at_once, plan_table
from discreet.studio.own.verdict import judge_lines
from discreet.studio.own.wanted_table import read_table, readable
from discreet.studio.settings import read_setting, read_text
from discreet.studio.work.answering import Question, answer
from discreet.studio.work.pool import SECONDS

TABLES = {
    "yes or no": "n=8&epsilon=1&wishes=F&sizes=3 of 8, 2 of 9",
    "regions": "n=8&alpha=1/3&properties=&sizes=4 of 3, 2 of 5&regions=2",
    "levels": "n=8&epsilon=2&properties=&sizes=4 of 3, 2 of 5&regions=districts 2, 4 schools&share=0.8",
    "a split": "n=8&epsilon=1&properties=&sizes=4 of 3, 2 of 5&regions=2&share=best",
    "three answers": "n=8&epsilon=2&properties=&sizes=4 of 3&questions=smoking: never, former, current",
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
        ("class,n\n1a,18\n1b,27\n1c,18", {18: 2, 27: 1}),
        ("School\tClass\tPupils\n1\t1\t18\n1\t2\t27\n", {18: 1, 27: 1}),
        ("1a; 18\n1b; 27", {18: 1, 27: 1}),
        ("80 of 8, 40\n40 of 9, 7", {7: 1, 8: 80, 9: 40, 40: 1}),
        ("8, 9, 10, 11", {8: 1, 9: 1, 10: 1, 11: 1}),
        ("\ufeffclass,n\n1a,18\n1b,27", {18: 1, 27: 1}),
        ("North-East,8\n12 High Street,9", {8: 1, 9: 1}),
    ],
)
def test_sizes_are_read_as_people_write_them(text, sizes):
    assert read_sizes(text) == sizes
    assert list(read_sizes(text)) == sorted(sizes)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "many",
        "3 of",
        "80 of 8, x",
        "0",
        "2 of 0",
        f"{MOST_GROUPS + 1} of 1",
        f"{LARGEST_GROUP + 1}",
        f"{MOST_SIZES + 1} of 1 to {MOST_SIZES + 1}",
        "-3",
        "-3 of 8",
        "8.5",
        "2 of 8.5",
        "1a, 8.5",
        "a, 0",
    ],
)
def test_what_is_no_size_is_refused(text):
    with pytest.raises(InvalidInput, match="`sizes` must be"):
        read_sizes(text)


FAST = ("yes or no", "levels", "three answers", "words")


@pytest.mark.parametrize(
    "name",
    [name if name in FAST else pytest.param(name, marks=pytest.mark.slow) for name in TABLES],
)
def test_the_plan_is_the_library_s_and_the_line_releases_such_a_table(
    name, tmp_path, monkeypatch, capsys
):
    from discreet.cli import main

    reading = read(TABLES[name])
    own, s = plan_table(reading), reading.setting
    sizes = [n for n, many in read_sizes(s.sizes).items() for _ in range(many)]
    questions = read_questions(s.questions)
    monkeypatch.chdir(tmp_path)
    with Path("people.csv").open("w", newline="") as file:
        out = csv.writer(file)
        levels = read_levels(s.regions, len(sizes))
        standing = placed(levels, len(sizes))
        out.writerow(
            ["person", *(name for name, _ in levels), "group", *(asked.name for asked in questions)]
        )
        out.writerows(
            [
                f"{k}-{p}",
                *(where[k] for where in standing.values()),
                k,
                *((q.answers or (s.yes or "yes", "no"))[p % 2] for q in questions),
            ]
            for k, n in enumerate(sizes)
            for p in range(n)
        )
    opening, words = shlex.split(own.opening), shlex.split(own.line)
    assert opening[0] == words[0] == "discreet"
    assert {"--ledger", "--unit"} <= set(words)
    assert all(column in words for column in own.columns)
    quiet = ["--progress", "none"]
    for command in (
        opening[1:],
        ["plan", *words[2 : words.index("--output")], "--json", *quiet],
        [*words[1:], *quiet],
    ):
        with pytest.raises(SystemExit) as done:
            main(command)
        assert not done.value.code
    said = capsys.readouterr().out
    planned = json.JSONDecoder().raw_decode(said[said.index("{") :])[0]
    called = {
        f"{asked.name}_{word}": asked.name
        for asked in questions
        for word in (asked.answers or (s.yes or "yes",))[:1]
    }
    lines = [
        {**line, "count": called.get(line["count"], line["count"])} for line in planned["lines"]
    ]
    assert lines == [asdict(line) for line in own.plan.lines], "of the table as of its sizes"
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
        (
            "sizes=a, 12%0Ab, 7%0Ac, 0%0Ad, 3",
            "must be groups of at least one person, not c, 0 (line 3): leave groups of",
        ),
        (
            "sizes=8%0A3 of 0",
            "must be groups of at least one person, not 3 of 0 (line 2): leave groups of nobody out",
        ),
        ("sizes=8%0Aseven", "The group sizes must be numbers of people, not seven (line 2)"),
        (
            "sizes=3 of 8&regions=9",
            "The levels above the groups must be at most as many as there are groups, not 9",
        ),
        (
            "sizes=3 of 8&regions=x",
            "The levels above the groups must be names with how many there are of each, not x",
        ),
        ("sizes=3 of 8&regions=0", "The levels above the groups must be at least 1 of each, not 0"),
        (
            "sizes=3 of 8&regions=2, 3",
            "The levels above the groups must have names of their own, not region",
        ),
        (
            "sizes=3 of 8&regions=2 groups",
            "The levels above the groups must have names of their own, not group",
        ),
        (
            "sizes=3 of 8&regions=2 a, 2 b, 2 c, 2 d, 2 e",
            "The levels above the groups must be at most 4 on this page",
        ),
        (
            "sizes=3 of 8&regions=2 schools&questions=school",
            "A question must not have the name of a level (school)",
        ),
        ("sizes=3 of 8&regions=2&share=2", "share must be one of 0.8, 0.5, or empty"),
        (
            "sizes=2000000000",
            "must be at most 1,000,000 groups of at most 100,000 people on this page, not 2000000000",
        ),
        (
            "sizes=3 of 2000000000",
            "must be at most 1,000,000 groups of at most 100,000 people on this page, not 2000000000",
        ),
        (f"sizes={'9' * 99}", "100,000 people on this page, not a number of 99 digits"),
        ("sizes=3 of 8&questions=bullied, safe", "two questions? one on each line"),
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


def test_several_answers_in_large_groups_are_planned_as_the_library_plans_them():
    query = "n=8&epsilon=1&sizes=50 of 513&questions=asthma: none, mild, severe"
    (part,) = plan_table(read(query)).parts
    assert [line.name for line in part.lines] == ["GM cells"] and not part.picture
    text = answer(Question(part="table", query=query, base="")).body.decode()
    assert "A group of 513: each of its numbers is usually off by" in text and "problem" not in text
    large = answer(Question(part="table", query="sizes=9 of 400&epsilon=1", base="")).body.decode()
    assert re.search(r"usually off by about \d\.\d of 400, ", large)


def test_a_margin_is_set_beside_a_likely_count_and_words_that_jump_are_explained():
    text = answer(
        Question(part="table", query="n=8&epsilon=1&sizes=30 of 8", base="")
    ).body.decode()
    (line,) = plan_table(read("n=8&epsilon=1&sizes=30 of 8")).parts[0].lines
    assert "by at most 3. That is rough.</b>" in text
    assert "Print each number with its interval, and do not rank groups by it." in text
    assert "more, if other releases will follow: each adds to what people can lose" in text
    assert plan_table(read("n=8&epsilon=1&sizes=30 of 8")).opening.endswith("--budget 1"), (
        "room for this release alone"
    )
    assert (
        f"if about 1 in 8 say yes, a group of 8 has 1, and ±{line.margin} is more than that" in text
    )
    assert "Margins are whole numbers" not in text
    jumps = "n=8&epsilon=0.25&sizes=3 of 17, 3 of 19, 4 of 22, 5 of 25"
    grades = [line.grade for line in plan_table(read(jumps)).parts[0].lines]
    assert grades == ["very rough", "rough"] * 2
    assert (
        "Margins are whole numbers"
        in answer(Question(part="table", query=jumps, base="")).body.decode()
    )


def test_millions_of_people_are_planned_like_few():
    few, many = (
        plan_table(read(f"n=8&epsilon=1&sizes={sizes}")).plan.lines
        for sizes in ("15 of 4, 3 of 30, 1 of 1200", "150000 of 4, 30000 of 30, 10000 of 1200")
    )
    assert sum(line.groups for line in many) == 10_000 * sum(line.groups for line in few)
    assert [replace(line, groups=0) for line in few] == [replace(line, groups=0) for line in many]


def test_a_line_of_commas_is_not_guessed_at_and_each_meaning_is_a_button():
    query = "n=8&epsilon=1&sizes=3 of 8&questions=smoker%0Abullied, safe"
    found = answer(Question(part="table", query=query, base="")).body.decode()
    assert 'data-wrong="questions"' in found and "safe: never, sometimes, always" in found
    for text, says in meant("smoker\nbullied, safe").items():
        assert f'<button type="button" data-put="questions" value="{text}">{says}</button>' in found
        read_questions(text)
    assert [len(read_questions(text)) for text in meant("smoker\nbullied, safe")] == [3, 2]


def test_a_property_that_cannot_be_had_is_left_out_by_a_button():
    query = "n=8&epsilon=1&properties=CM&sizes=3 of 12&questions=mark: 1, 2, 3, 4, 5"
    found = answer(Question(part="table", query=query, base="")).body.decode()
    assert 'id="release-line"' in found, "the design's properties were not chosen for the table"
    found = answer(
        Question(part="table", query=f"{query}&wishes=CM&wishes=WH", base="")
    ).body.decode()
    assert (
        '<button type="button" data-drop="CM">Leave out “no farther answer likelier”</button>'
        in found
    )
    assert '<button type="button" data-drop="">Leave out all of them</button>' in found
    assert read_text(f"{query}&wishes=CM&wishes=WH").wishes == "CM WH"


def test_chances_of_all_numbers_and_of_one_stand_in_tables_of_their_own():
    query = "n=8&epsilon=1&sizes=2 of 3, 2 of 30&questions=mark: 1, 2, 3, 4"
    text = answer(Question(part="table", query=query, base="")).body.decode()
    assert text.count("all numbers right</th>") == 1
    assert text.count(">chance of the truth</button></th>") == 1


@pytest.mark.parametrize(
    ("epsilon", "says"), [("0.25", "cannot be had"), ("0.5", 'data-wish="CH"'), ("1", "")]
)
def test_where_something_is_likelier_than_the_truth_the_page_says_it_and_what_mends_it(
    epsilon, says
):
    query = f"n=8&epsilon=1&table_epsilon={epsilon}&sizes=30 of 8&questions=smoking: never, former, current"
    m, truth = dc.design(n=8, categories=["never", "former", "current"], epsilon=epsilon), (4, 3, 1)
    text = answer(Question(part="table", query=query, base="")).body.decode()
    assert (
        ("is not the likeliest result" in text)
        == (max(m.column(truth)) > m[truth, truth])
        == bool(says)
    )
    assert says in text
    if "data-wish" in says:
        text = answer(Question(part="table", query=f"{query}&wishes=CH", base="")).body.decode()
        assert 'id="release-line"' in text and "is not the likeliest result" not in text


def test_each_chart_has_one_measure_and_all_have_one_colour():
    (part,) = plan_table(
        read("n=8&epsilon=1&sizes=2 of 3, 2 of 30&questions=mark: 1, 2, 3, 4")
    ).parts
    joint, cells = size_charts(part.lines, part.without)
    assert "stand under a wrong answer" in joint.caption and all(
        "misplaced" in bar.says for bar in joint.bars
    )
    assert "each answer drawn by itself" in cells.caption and all(
        "off by" in bar.says for bar in cells.bars
    )
    colours = {
        colour
        for bar in (*joint.bars, *cells.bars)
        for colour in re.findall(r'fill="(#\w+)"', bar.picture)
    }
    assert colours - {"#5b7085"} == {table_colour()}, "words say what draws a size"
    (part,) = plan_table(read("n=8&epsilon=1&sizes=2 of 3, 2 of 30")).parts
    assert [chart.caption for chart in size_charts(part.lines, {})] == [
        "How far a group's number may be off"
    ]


def test_legends_stand_once_and_say_what_the_words_mean():
    query = "n=8&epsilon=1&sizes=3 of 8&questions=smoker%0Amark: 1, 2, 3, 4%0Amood: a, b, c, d"
    text = answer(Question(part="table", query=query, base="")).body.decode()
    for said in (
        "up to a tenth of the group: good; up to a quarter: usable; under half: rough;",
        "95% of draws",
    ):
        assert text.count(said) == 1
    assert "90%" not in text


def test_the_usual_split_leaves_groups_of_use():
    shared = plan_table(read("n=8&epsilon=1&sizes=20 of 12&regions=5"))
    assert read_table(read("n=8&epsilon=1&sizes=20 of 12&regions=5")).split == (), (
        "chosen as a release chooses"
    )
    assert shared.plan.levels[0].share > Fraction(3, 5)
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
        (
            "epsilon=0.25&sizes=80 of 8, 40 of 9",
            [
                "merge groups until each has at least 24 people",
                "epsilon 0.51: somebody who knows all others goes from 50% to at most 62.5% sure of your answer, in place of 56.3%",
            ],
        ),
        ("epsilon=0.5&sizes=6 of 12&regions=2&share=0.5", ["leave out the regions"]),
        ("epsilon=0.2&sizes=2 of 1, 4 of 8", []),
        ("epsilon=1&sizes=3 of 1&questions=a;b;c", []),
        ("epsilon=0.5&sizes=6 of 3&questions=smoking: never, former, current", None),
    ],
)
def test_what_is_said_to_help_leaves_no_warning_in_the_whole_table(query, helps):
    assert plan_table(read(f"n=8&{query}")).noisy
    found = searched(f"n=8&{query}")
    if helps is not None:
        assert [remedy.words for remedy in found.remedies][: len(helps)] == helps and bool(
            helps
        ) == bool(found.remedies)
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
    assert 'data-next="y"' in first and "merge groups" in first, (
        "larger groups first: they give nothing away"
    )
    second = answer(Question(part="remedies", query=query, base="", detail="y")).body.decode()
    assert ">Do it</button>" in second
    assert "Trying what would help: epsilon 0.51 (2 of at most 2)." in first
    long = answer(
        Question(part="remedies", query=query, base="", given_up="this takes longer")
    ).body.decode()
    assert 'data-next="x"' in long and "Do it" not in long
    none = answer(
        Question(part="remedies", query="n=8&epsilon=1&sizes=3 of 1&questions=a;b;c", base="")
    ).body.decode()
    assert "Nothing that was tried would help" in none and "data-next" not in none
    assert answer(Question(part="remedies", query=query, base="", detail="abc")).status == 404
    assert answer(Question(part="remedies", query="n=8&sizes=none", base="")).status == 400


def test_what_needs_no_design_is_planned_at_once():
    query = "n=8&alpha=1/3&sizes=2 of 4, 3 of 3&questions=smoker;mark: 1, 2, 3"
    whole, at_once = plan_table(read(query)), plan_at_once(read(query))
    assert [part.asked.name for part in at_once.parts] == ["smoker", "mark"] and at_once.later == (
        "mark",
    )
    assert at_once.parts[0].lines == whole.parts[0].lines, "yes or no, as in the whole plan"
    assert all(line.name.endswith(" cells") for line in at_once.parts[1].lines)
    assert at_once.epsilon == whole.epsilon == whole.plan.epsilon
    assert "mark" not in [part.asked.name for part in at_once.noisy], (
        "no warning of what is not known yet"
    )
    text = answer(Question(part="table", query=query, base="", detail="at-once")).body.decode()
    assert f"a few seconds, and {SECONDS:g} at most" in text, "then the page gives up, and says so"
    assert "One draw of all 3 answers is being designed" in text and 'id="release-line"' not in text
    assert plan_at_once(read("n=8&epsilon=1&sizes=4 of 3")) is None
    text = answer(
        Question(part="table", query="n=8&epsilon=1&sizes=4 of 3", base="", detail="at-once")
    ).body
    assert not text.strip(), "nothing is there sooner"


def test_several_levels_are_planned_and_named():
    query = "n=8&epsilon=1&sizes=12 of 25&questions=bullied&regions=6 schools, 3 districts"
    own = plan_table(read(query))
    assert [level.keys for level in own.plan.levels] == [
        ("district", "school", "group"),
        ("district", "school"),
        ("district",),
        (),
    ]
    assert [level.groups for level in own.plan.levels] == [12, 6, 3, 1]
    assert "--by district --by school --by group --levels rollup" in own.line
    text = answer(Question(part="table", query=query, base="")).body.decode()
    assert (
        "Each school, each district and the total are published too" in text
        and "without regions" not in text
    )
    assert "They bring nothing here" in text and 'data-put="regions" value=""' in text
    helped = answer(
        Question(
            part="table",
            query="n=8&epsilon=1&sizes=99 of 8&regions=9 schools, 3 districts",
            base="",
        )
    )
    assert b"They bring nothing here" not in helped.body
    assert read_table(read("n=8&epsilon=1&sizes=3 of 8&regions=1")).levels == (), (
        "one region is the total"
    )


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
    text = answer(
        Question(part="table", query="n=8&epsilon=0.25&sizes=80 of 8", base="")
    ).body.decode()
    assert "<td>8 of 8</td>" in text and "±8" not in text and "and it may be anything." in text
    assert "any number from 0 to 8 may be published, whatever is true" in text


def test_every_size_that_is_too_noisy_is_warned_of_and_the_smallest_is_spoken_of():
    told = plan_table(read("n=8&epsilon=0.5&sizes=30 of 30, 5 of 6, 2 of 3")).parts[0]
    noisy = [line for line in told.lines if line.too_noisy]
    assert [line.n for line in noisy] == [3, 6]
    assert told.verdict == (
        "Groups of 3 and 6 (7 of 37 groups) are too noisy to be read one by one: a number may be off by three quarters "
        f"of its group or more: all 3 in the smallest of them, {noisy[1].margin} of 6 in the largest."
    )
    smallest = told.lines[0]
    assert gist(told.lines).startswith("A group of 30: its number is usually off by about ")
    assert of_the_smallest(told.lines) == f"In the smallest it is {smallest.rmse:.1f} of 3."
    assert not of_the_smallest(told.lines[:1])
    even = plan_table(read("n=8&epsilon=0.5&sizes=2 of 8, 2 of 12")).parts[0]
    assert even.commonest.largest == 8, "of two that are as common, the smaller"


def test_a_total_that_may_be_anything_gets_no_margin():
    page = answer(
        Question(part="table", query="n=8&epsilon=1/4&sizes=6 8 9", base="")
    ).body.decode()
    assert "too noisy" in page and "±11.5" not in page


@pytest.mark.parametrize(
    ("epsilon", "says", "of_use"),
    [
        ("0.1", "The total:\ntoo noisy even if half say yes (±", False),
        ("0.25", "The total:\nrough if half say yes (±", True),
    ],
)
def test_a_total_is_judged_as_a_plan_in_a_terminal_judges_it(epsilon, says, of_use):
    query = f"n=8&epsilon={epsilon}&sizes=60 of 8"
    text, own = (
        answer(Question(part="table", query=query, base="")).body.decode(),
        plan_table(read(query)),
    )
    assert says in text and own.sums_of_use is of_use
    assert ("Sums of many groups may still be of use" in text) is of_use
    (said,) = (line for line in readings(own.plan) if line.startswith("Total: "))
    (total,) = own.parts[0].totals
    assert said == f"Total: {total_words(total)}."
    levels = plan_table(read(f"{query}&regions=3"))
    assert levels.plan.levels and (levels.sums_of_use or not of_use)


def test_many_sizes_fold_into_ranges_with_the_numbers_of_their_largest():
    (part,) = plan_table(
        read_setting(read_text("n=8&epsilon=1&sizes=" + " ".join(map(str, range(15, 27)))))
    ).parts
    assert len(part.lines) == 12, (
        "what is said of the commonest and the smallest is said of one size"
    )
    (block,) = blocks(part.lines)
    assert [(line.n, line.largest, line.sizes, line.groups) for line in block.lines] == [
        (15, 15, 1, 1),
        (16, 16, 1, 1),
        (17, 26, 10, 10),
    ]
    assert [line.rmse for line in block.lines] == [
        line.rmse for line in part.lines if line.largest in (15, 16, 26)
    ]


def test_what_a_sentence_says_of_a_size_stands_in_the_table():
    (part,) = plan_table(
        read("n=8&epsilon=1&sizes=5 of 20, " + ", ".join(map(str, range(18, 30))))
    ).parts
    (block,) = blocks(part.lines)
    rows = {(line.n, line.largest): line.rmse for line in block.lines}
    assert list(rows) == [(18, 18), (19, 19), (20, 20), (21, 29)]
    assert f"A group of 20: its number is usually off by about {rows[20, 20]:.1f} of 20" in gist(
        part.lines
    )
    assert f"it is {rows[18, 18]:.1f} of 18" in of_the_smallest(part.lines)


def test_every_size_has_a_bar_that_says_what_the_table_says():
    query = "n=8&epsilon=0.5&sizes=30 of 30, 5 of 6, 2 of 3&regions=4"
    (part,) = plan_table(read(query)).parts
    (chart,) = size_charts(part.lines, part.without)
    bars = chart.bars
    assert [bar.who for bar in bars] == ["2 groups of 3", "5 groups of 6", "30 groups of 30"]
    for bar, line in zip(bars, part.lines, strict=True):
        assert f" {line.rmse:.1f}, " in bar.says
        assert bar.says.endswith(
            f"maybe all {line.largest}" if line.margin == line.largest else f"at most {line.margin}"
        )
        usual, most = (100 * value / line.largest for value in (line.rmse, line.margin))
        assert f'width="{usual:.1f}"' in bar.picture and f'width="{most:.1f}"' in bar.picture
        assert f'x1="{100 * part.without[line.largest] / line.largest:.1f}"' in bar.picture
    assert [bar.grade for bar in bars] == ["too noisy", "too noisy", "rough"]
    text = answer(Question(part="table", query=query, base="")).body.decode()
    assert all(f"{bar.says}: <b>{bar.grade}</b>" in text for bar in bars)


def test_half_of_a_group_is_rough():
    (line, *_) = plan_table(read("n=8&epsilon=1&sizes=2 of 8")).parts[0].lines
    bars = [
        size_charts([replace(line, margin=margin)], {})[0].bars[0]
        for margin in (0, 2, 3, 4, 5, 6, 7, 8)
    ]
    near = ["nearly exact", "usable", "rough"]
    assert [bar.grade for bar in bars] == [
        *near,
        "very rough",
        "very rough",
        "too noisy",
        "too noisy",
        "too noisy",
    ]


@pytest.mark.parametrize(
    ("margins", "says"),
    [
        (
            {5: 5, 6: 6, 7: 6, 8: 6},
            "three quarters of a group or more may stand under a wrong answer: all 5 in the smallest of them, 6 of 8 in the largest",
        ),
        ({5: 5, 6: 6}, "everybody in a group may stand under a wrong answer"),
        ({5: 4}, "4 of 5 people may stand under a wrong answer"),
    ],
)
def test_a_warning_is_true_of_every_size_it_names(margins, says):
    (line, *_) = plan_table(read("n=8&epsilon=1&sizes=2 of 8")).parts[0].lines
    lines = [
        replace(line, name="joint", n=n, largest=n, margin=margin) for n, margin in margins.items()
    ]
    assert all(one.too_noisy for one in lines)
    assert judge_lines(lines) == f"Too noisy to be read group by group: {says}."


def test_a_warning_says_of_which_sizes_each_of_its_parts_is_true():
    (line, *_) = plan_table(read("n=8&epsilon=1&sizes=2 of 8")).parts[0].lines
    joint = [replace(line, name="joint", n=n, largest=n, margin=n) for n in (2, 3)]
    cells = [
        replace(line, name="GM cells", n=n, largest=n, margin=margin)
        for n, margin in ((9, 8), (10, 2))
    ]
    assert judge_lines([*joint, *cells]).endswith(
        "groups of 2 and 3: everybody in a group may stand under a wrong answer; groups of 9: a number from 0 to 9 may be off by 8."
    )
    sizes = [
        replace(line, name="GM", n=n, largest=n, margin=3 if n == 7 else n) for n in range(3, 11)
    ]
    assert judge_lines(sizes).startswith("Groups of 3 to 6 and 8 to 10 ("), "7 is within half of it"


def test_what_an_empty_answer_counts_as_is_in_the_line_and_without_it_the_file_is_refused(
    tmp_path, monkeypatch, capsys
):
    from discreet.cli import main

    monkeypatch.chdir(tmp_path)
    rows = [
        f"{k},{k % 3},{('yes', 'no', '')[k % 3]},{('walk', 'bus', '')[k // 3 % 3]}"
        for k in range(24)
    ]
    Path("people.csv").write_text("\n".join(["person,group,smoker,travel", *rows]))
    asked = "n=8&epsilon=1&sizes=3 of 8&questions=smoker%0Atravel: walk, bus, unsaid&yes=yes&table_epsilon=1"

    def released(line):
        with pytest.raises(SystemExit) as done:
            main(
                [
                    *shlex.split(line.replace(" --ledger budget.db --dataset people", ""))[1:],
                    "--progress",
                    "none",
                ]
            )
        return done.value.code, capsys.readouterr().err

    silent, told = (plan_table(read(f"{asked}{empty}")) for empty in ("", "&empty=no, unsaid"))
    assert "--nulls 0 --answer-nulls travel unsaid" in told.line and "nulls" not in silent.line
    code, said = released(silent.line)
    assert code and "--nulls 0" in said
    assert released(told.line)[0] == 0
    assert list(Path("published").glob("*.csv")) and not list(Path("published").glob("*.parquet"))
    texts = [
        answer(Question(part="table", query=f"{asked}{e}", base="")).body.decode()
        for e in ("", "&empty=no")
    ]
    assert ["say what it counts as" in text for text in texts] == [True, False]


@pytest.mark.parametrize(
    ("questions", "empty", "words"),
    [
        ("smoker", "unsaid", "What an empty answer counts as must be no or yes, not unsaid"),
        (
            "mark: 1, 2, 3",
            "no",
            "must be one of the answers, not no: to count it apart, add it to the answers",
        ),
    ],
)
def test_an_empty_answer_counts_as_an_answer(questions, empty, words):
    text = answer(
        Question(
            part="table", query=f"n=8&sizes=3 of 8&questions={questions}&empty={empty}", base=""
        )
    )
    assert words in text.body.decode() and 'data-wrong="empty"' in text.body.decode()


@pytest.mark.parametrize(
    ("n", "said"), [(5, "with its chance in percent"), (11, "its colour is its chance")]
)
def test_a_triangle_says_how_it_shows_its_chances(n, said):
    page = answer(
        Question(part="table", query=f"n=8&sizes=30 of {n}&questions=a: x, y, z&epsilon=1", base="")
    )
    text = page.body.decode()
    assert f"possible result, {said}." in " ".join(text.split())
    assert ("Colours and the chances they stand for" in text) == (n == 11), (
        "a scale where no number stands"
    )


@pytest.mark.parametrize(
    ("epsilon", "sure", "warned"),
    [("1", "73.2%", False), ("2.9", "94.8%", False), ("3", "95.3%", True), ("9", "99.988%", True)],
)
def test_what_protects_little_is_said_first(epsilon, sure, warned):
    query = f"n=8&sizes=80 of 8, 40 of 9&questions=smoker&table_epsilon={epsilon}"
    text = answer(Question(part="table", query=query, base="")).body.decode()
    assert (
        f"Somebody who knows all others goes from 50% to at most {sure} sure of your answer."
        in text
    ), "at every epsilon"
    assert ("protect little" in text) is warned
    if warned:
        assert text.index("protect little") < text.index("The total"), (
            "before anything that it is good for"
        )
        assert f"somebody who knows all others becomes up to {sure} sure of one answer." in text
    assert "exact</b> " not in text and "That is exact" not in text and " 0.0 " not in text, (
        "it is drawn by chance"
    )


def test_an_epsilon_that_questions_share_is_not_said_to_give_exact_numbers():
    query = "n=8&sizes=80 of 8&questions=" + "%0A".join("abcdef") + "&table_epsilon=4"
    assert (
        "Such an epsilon would protect little:"
        in answer(Question(part="table", query=query, base="")).body.decode()
    )
