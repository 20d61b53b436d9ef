"""Group sizes as ranges and as rows of a spreadsheet: what is made of them, and what the page says that it made."""

import html
import re
import shlex
from pathlib import Path
from urllib.parse import urlencode

import pytest
from tests.conftest import require

require("studio")
require("tables")

import discreet.studio
from discreet.errors import InvalidInput
from discreet.studio.controls import TABLE_EPSILON
from discreet.studio.own.group_sizes import read_groups, read_sizes
from discreet.studio.own.pasted_rows import PEOPLE, PLACE, WHO, read_rows
from discreet.studio.own.table_plan import plan_table
from discreet.studio.own.wanted_table import read_table
from discreet.studio.settings import MOST_ROWS, read_setting, read_text
from discreet.studio.work.answering import Question, answer

STATIC = Path(discreet.studio.__file__).parent / "static"
SCHOOLS = "district,school,class,size\n" + "\n".join(
    f"D{d},S{d}{s},{c}a,{18 + c + s}" for d in range(2) for s in range(3) for c in range(4)
)


def asked(**entries):
    return urlencode({"n": "8", "epsilon": "1", **entries})


def planned(**entries):
    return plan_table(read_setting(read_text(asked(**entries))))


def said(**entries):
    text = answer(Question(part="table", query=asked(**entries), base="")).body.decode()
    return " ".join(html.unescape(re.sub(r"<[^>]+>", "", text)).split())


@pytest.mark.parametrize(
    "text",
    [
        "48 groups of 18 to 28",
        "48 of 18-28",
        "48 of 18–28",
        "48 x 18 - 28",
        "48 classes of between 18 and 28 pupils",
        "24 of 18 to 28 pupils and 24 of 18 to 28",
    ],
)
def test_a_range_is_spread_evenly_over_its_sizes_and_the_page_says_so(text):
    found = read_groups(text)
    assert list(found.sizes) == list(range(18, 29))
    assert (
        sum(found.sizes.values()) == 48
        and max(found.sizes.values()) - min(found.sizes.values()) <= 2
    )
    assert sum(n * many for n, many in found.sizes.items()) == 48 * 23, (
        "as many above the middle as below"
    )
    if text.startswith("48"):
        assert found.spread == ("48 groups over the sizes from 18 to 28",)
    assert "Spread evenly: " in said(sizes=text)


def test_few_groups_lie_evenly_in_a_range():
    assert read_sizes("1 of 18 to 28") == {23: 1}
    assert read_sizes("3 of 18 to 28") == {18: 1, 23: 1, 28: 1}, "both ends are among them"
    assert list(read_sizes("10 of 3 to 30")) == list(range(3, 31, 3))
    assert read_sizes("2 of 8 to 8") == {8: 2}


@pytest.mark.parametrize(
    "text", ["3 of 28 to 18", "3 of 0 to 4", "3000000 of 1 to 2", "3 of 1 to 99999999", "3 of 18-"]
)
def test_what_is_no_range_is_refused(text):
    with pytest.raises(InvalidInput, match="`sizes` must be"):
        read_sizes(text)


def test_pasted_columns_are_the_keys_of_the_release():
    own = planned(sizes=SCHOOLS, questions="bullied")
    assert (
        "--by district --by school --by class --answers bullied yes,no" in own.line
        and "--levels" not in own.line
    )
    assert own.columns == ("person", "district", "school", "class", "bullied")
    words = said(sizes=SCHOOLS, questions="bullied")
    assert (
        "a group is named by district, school and class. The line below groups by these columns."
        in words
    )
    assert "Publish each school and each district too" in words
    assert "Each of 6 totals by school" in words


@pytest.mark.parametrize("regions", ["school, district", "6 schools, 2 districts"])
def test_pasted_columns_are_levels_where_they_are_wanted(regions):
    own = planned(sizes=SCHOOLS, regions=regions)
    assert [(level.keys, level.groups) for level in own.plan.levels] == [
        (("district", "school", "class"), 24),
        (("district", "school"), 6),
        (("district",), 2),
        ((), 1),
    ]
    assert "--by district --by school --by class --levels rollup" in own.line
    words = said(sizes=SCHOOLS, regions=regions)
    assert "dealt out" not in words, "the rows say where each group belongs"
    assert "must be the columns of your rows" in said(sizes=SCHOOLS, regions="10 regions")


def test_one_pasted_column_names_the_groups_and_levels_are_dealt_out():
    own = planned(sizes="ward\tbeds\nA\t8\nB\t9\nC\t8\nD\t9", regions="2 sites")
    assert "--by site --by ward --levels rollup" in own.line


def test_rows_without_a_header_get_names_and_the_page_says_so():
    assert read_rows("north\t#1\t18\nsouth\t#1\t20").keys == ("first column", "second column")
    words = said(sizes="1a; 18\n1b; 27")
    assert (
        "Your rows have no header. The line below calls their columns group: put in the names that your"
        in words
    )
    words = said(sizes="north\t#1\t18\nnorth\t#2\t19\nsouth\t#1\t20", questions="bullied")
    assert (
        "Each of 2 totals by the first column:" in words
        and "Publish each name in the first column too" in words
    )
    assert "by the second column" not in words and "level1" not in words, (
        "a 1 of the north is not a 1 of the south"
    )


def test_rows_are_read_as_spreadsheets_write_them():
    rows = read_rows('clinic,people,town\n"North, East",8,Ulm\nSouth,9,Bonn\nTotal,17,\n')
    assert rows.keys == ("clinic", "town")
    assert rows.groups == ((("North, East", "Ulm"), "8"), (("South", "Bonn"), "9")), (
        "the total is no group"
    )
    assert read_sizes("pupils\n18\n27\n18") == {18: 2, 27: 1}
    assert "row 3 names a group again" in said(sizes="school,pupils\nA,18\nA,20")


@pytest.mark.parametrize(
    "text",
    [
        "person,school,class,bullied\n1,A,1a,0\n2,A,1a,1\n3,B,1b,0",
        "person,school,class,bullied\n1,A,1a,yes\n2,A,1a,no\n3,B,1b,no",
        "patient id;clinic;age\n7;A;34\n8;A;51\n9;B;60",
        "school,smoker\nA,0\nA,1\nB,1",
    ],
)
def test_a_row_for_each_person_is_told_apart_with_what_to_paste_instead(text):
    words = said(sizes=text)
    assert "has a row for each person, not a size for each group (3 rows)" in words
    assert (
        "in a pivot table by" in words
        and "a row for each group with its number of people last" in words
    )


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("clinic,patients\nA,8\nB,banana\nC,3", 3),
        ("clinic,patients\n\nA,8\nB,\nC,3\nTotal,11", 4),
        ("clinic;people;town\nA;8;Ulm\nC;9;Bonn\nB;banana;Bonn", 4),
        ("pupils\n18\nbanana\n27", 3),
    ],
)
def test_a_group_without_a_number_of_people_is_told_by_its_line_alone(text, line):
    words = said(sizes=text)
    assert (
        "must have a whole number of people in the column p" in words
        and f"(line {line} has none)" in words
    )
    assert "row for each person" not in words and "banana" not in words


def test_how_a_yes_is_written_is_asked_until_it_is_said_and_names_are_those_of_the_file():
    own = planned(
        sizes=SCHOOLS, questions="bullied\nsafe: never, often", who="pupil_id", file="year 9.csv"
    )
    assert own.unsaid == ("bullied",) and own.columns[0] == "pupil_id"
    assert own.line.startswith("discreet release 'year 9.csv' --by district")
    assert (
        "--answers bullied yes,no --answers safe never,often --unit pupil_id --epsilon" in own.line
    )
    waits = said(sizes=SCHOOLS, questions="bullied")
    assert (
        "How is bullied written in your file? The numbers below take it as" in waits
        and "discreet release" not in waits
    )
    assert "usually off by about" in waits and "inert" not in waits, (
        "how yes is written changes no number"
    )
    assert "Which question is asked?" in said(sizes=SCHOOLS) and "discreet release" not in said(
        sizes=SCHOOLS
    )
    typed = said(sizes="3 of 8", questions="bullied")
    assert (
        "The line below takes it as yes and no. A file with any other word is refused, and nothing is spent."
        in typed
    )
    assert typed.index("How is bullied written") < typed.index("Once: give the table a budget"), (
        "asked first"
    )
    for yes in ("1", "ja"):
        assert planned(sizes=SCHOOLS, questions="bullied", yes=yes).unsaid == ()
        words = said(sizes=SCHOOLS, questions="bullied", yes=yes)
        assert (
            "How is bullied written" not in words
            and "waits for this" not in words
            and "discreet release" in words
        )
    for yes, counted in {
        "yes": "--answers bullied yes,no",
        "ja, nein": "--answers bullied ja,nein",
    }.items():
        assert f" {counted} --unit" in planned(sizes=SCHOOLS, questions="bullied", yes=yes).line
    assert (
        "--count-as bullied \"bullied = 'ja'\""
        in planned(sizes=SCHOOLS, questions="bullied", yes="ja").line
    )
    empty = planned(sizes=SCHOOLS, questions="bullied", yes="ja, nein", empty="nein").line
    assert "--answers bullied ja,nein --nulls 0" in empty, (
        "either word says what an empty one counts as"
    )
    for who in ("school", "bullied"):
        words = said(sizes=SCHOOLS, questions="bullied", who=who)
        assert f"who a row is about must not be a question or name a group ({who})" in words


def test_the_plan_depends_on_what_is_typed_of_the_table_alone():
    own = planned(n="", prior="odd", epsilon="0.25", sizes="3 of 8", table_epsilon="2")
    assert own.epsilon == 2 and "--epsilon 2" in own.line and "--budget 2" in own.opening
    assert planned(epsilon="0.25", sizes="3 of 8").epsilon == own.epsilon / 8, (
        "addresses of earlier versions"
    )
    assert "epsilon must be a number" in said(epsilon="1", sizes="3 of 8", table_epsilon="")
    page = answer(Question(part="page", query="", base="")).body.decode()
    assert re.search(f'id="table_epsilon" value="{TABLE_EPSILON}"', page)
    assert "table_epsilon" not in read_text("n=8&epsilon=1&table_epsilon=1").query(), (
        "it says nothing alone"
    )
    assert "sizes" not in read_text(asked(sizes="3 of 8", table_epsilon="1")).as_pin()


def test_many_rows_fit_and_more_are_refused():
    rows = "school,class,people\n" + "\n".join(f"S{k // 20},{k % 20},25" for k in range(600))
    assert len(rows) < MOST_ROWS
    assert len(read_table(read_setting(read_text(asked(sizes=rows)))).rows.groups) == 600
    assert "must be at most 12,000 characters on this page" in said(sizes=rows * 3)


@pytest.mark.parametrize("name", ["pupil_id", "Pupil ID", "student name", "e_mail id"])
def test_a_column_that_says_who_is_known_however_its_words_are_joined(name):
    rows = f"{name},class,mark\n" + "\n".join(f"{k},{k % 4}a,{k % 7}" for k in range(40))
    with pytest.raises(InvalidInput, match="a row for each person") as error:
        read_rows(rows)
    assert "in a pivot table by class" in str(error.value)


def test_the_page_s_script_knows_columns_by_the_same_words():
    page = answer(Question(part="page", query="", base="")).body.decode()
    assert f'data-people="{PEOPLE}"' in page and f'data-who="{WHO}"' in page
    assert f'data-place="{PLACE}"' in page
    for name in ("people", "groups", "pasted", "sizes"):
        script = (STATIC / f"{name}.js").read_text(encoding="utf-8")
        assert not re.search(r"pupil|headcount|hospital", script), "one list"


SECRET = {
    "the size first": "clinic,patients,smokers\nA,8,3\nB,12,4\nC,9,2",
    "the size last": "clinic,yes,people\nA,3,8\nB,4,12\nC,2,9",
    "the count named after a place": "clinic,smokers by clinic,n\nA,3,8\nB,4,12",
    "two counts": "clinic,n,diabetes,asthma\nA,8,3,1\nB,12,4,2",
    "no header": "A,8,3\nB,12,4\nC,9,2",
    "semicolons": "A;8;3\nB;12;4",
    "tabs": "clinic\tn\tsmokers\nA\t8\t3\nB\t12\t4",
    "quotes": '"clinic","n","smokers"\n"A","8","3"\n"B","12","4"',
    "shares": "clinic,n,share\nA,8,0.375\nB,12,0.33",
    "percent": "clinic,n,share\nA,8,37.5 %\nB,12,33 %",
    "hidden small counts": "clinic,n,smokers\nA,8,<5\nB,12,<5\nC,90,12",
    "answers": "clinic,smoker,n\nA,yes,3\nA,no,5",
    "numbers alone": "8,3\n12,4\n9,2",
    "numbers and spaces": "8 3\n12 4\n9 2",
    "a cell is missing": "8,3\n12\n9,2",
}


@pytest.mark.parametrize("text", SECRET.values(), ids=SECRET)
def test_a_column_that_may_be_protected_is_refused_and_none_of_its_values_is_repeated(text):
    with pytest.raises(InvalidInput, match="`sizes` must") as error:
        read_groups(text)
    assert not re.search(
        r"\b(37\.5|0\.375|3|<5)\b", str(error.value).replace("line 3", "")
    ) or "several" in str(error.value)


def test_names_that_are_numbers_are_marked_or_stand_in_a_column_that_is_called_a_place():
    assert read_rows("practice code,lsoa,n\n7,#101,8\n7,#102,9").levels == (("practice code", 1),)
    with pytest.raises(InvalidInput, match=r"a column of numbers .* \(lsoa\)"):
        read_rows("clinic,lsoa,n\nA,101,8\nB,102,9")


def test_a_table_of_counts_is_released_by_its_count_and_its_size(tmp_path, monkeypatch):
    from discreet.cli import main

    entries = {
        "sizes": "clinic,patients\nA,8\nB,12\nC,9",
        "questions": "smokers",
        "counted": "patients",
    }
    own = planned(**entries)
    assert "release counts.csv --by clinic --count smokers --size patients --epsilon 1 " in own.line
    assert not own.held and own.columns == ("patients", "clinic", "smokers")
    words = said(**entries)
    assert (
        "patients has the number of people of each group" in words
        and "How is smokers written" not in words
    )
    assert "without answers" in said(**entries | {"questions": "smoking: never, often"})
    assert "must not be the column with the number" in said(**entries | {"questions": "patients"})
    assert (
        read_text(asked(**entries)).counted == "patients"
        and "counted=patients" in read_text(asked(**entries)).query()
    )
    monkeypatch.chdir(tmp_path)
    Path("counts.csv").write_text("clinic,patients,smokers\nA,8,3\nB,12,4\nC,9,2\n")
    for line in (own.opening, own.line):
        with pytest.raises(SystemExit) as done:
            main([*shlex.split(line)[1:], *(["--progress", "none"] if " release " in line else [])])
        assert not done.value.code
