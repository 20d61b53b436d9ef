"""The lines of a plan: every size in one of them, accuracy that a matrix confirms, and a table that fits a terminal."""

import re

import pytest
from tests.conftest import require

require("tables")

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import discreet as dc
from discreet.core.family import BySize
from discreet.errors import InvalidInput
from discreet.reading.methods.debiasing import NotEstimable
from discreet.show.releases import plan_text
from discreet.tables.plan_lines import ONE_BY_ONE, plan_lines, size_ranges

HEAVY = [*range(0, 40), 57, 64, 65, 120, 300]


def counts(sizes):
    return pa.table({"g": list(range(len(sizes))), "n": list(sizes), "ill": [0] * len(sizes)})


def planned(sizes, **asked):
    return dc.plan(counts(sizes), by="g", count="ill", size="n", **{"epsilon": 1, **asked})


@pytest.mark.parametrize("properties", [None, "F", "WH"])
def test_every_group_is_in_one_line(properties):
    p = planned(HEAVY, epsilon="1/2", properties=properties)
    assert sum(line.sizes for line in p.lines) == sum(line.groups for line in p.lines) == len(HEAVY)
    for line in p.lines:
        inside = [n for n in HEAVY if line.n <= n <= line.largest]
        assert (line.n, line.largest) == (inside[0], inside[-1]) and line.sizes <= len(inside)


@pytest.mark.parametrize("properties", [None, "F", "WH"])
def test_a_line_has_the_accuracy_of_its_largest_size(properties):
    """Against the matrix, which the closed forms do not need."""
    for line in planned(HEAVY, epsilon="1/2", properties=properties).lines:
        m = dc.design(n=line.largest, epsilon="1/2", properties=properties)
        assert line.mechanism == m.id
        if line.largest > 64:
            continue
        found = m.accuracy()
        assert line.truth == pytest.approx(found.truth) and line.rmse == pytest.approx(found.rmse)
        assert (line.margin, line.width) == (found.margin, min(2 * found.margin, line.largest))


def test_few_sizes_are_listed_one_by_one_and_many_in_ranges_that_double():
    few = range(7, 7 + ONE_BY_ONE)
    assert size_ranges(few, dict.fromkeys(few, "")) == [[n] for n in few]
    assert not planned(few).in_ranges and planned([*few, 99]).in_ranges
    labels = {n: "odd" if n % 2 else "even" for n in range(1, 17)}
    assert size_ranges(range(1, 17), labels)[-2:] == [[9, 11, 13, 15], [10, 12, 14, 16]]


def test_many_and_large_sizes_fit_a_terminal_and_have_their_accuracy():
    p = planned([*HEAVY, 10**6, 2 * 10**6], properties="F")
    text = str(p)
    assert max(map(len, text.splitlines())) <= 80 and len(text.splitlines()) <= 36
    assert " -  " not in text and "±" in text and "largest" in text
    assert "largest" in p._repr_html_() and "largest" not in str(planned([3, 4]))
    (last,) = [line for line in p.lines if line.largest == 2 * 10**6]
    assert last.truth == pytest.approx(float((1 - p.alpha) / (1 + p.alpha)))


def test_a_program_between_closed_forms_has_lines_of_its_own():
    made = {
        n: dc.design(n=n, alpha="9/10", properties="WH CM" if n in (5, 7) else "F")
        for n in range(2, 17)
    }
    lines = plan_lines("ill", dict.fromkeys(made, 3), BySize(tuple(made), single=made))
    assert [(line.n, line.largest, line.sizes, line.groups, line.name) for line in lines] == [
        (2, 2, 1, 3, "EM"),
        (3, 4, 2, 6, "EM"),
        (5, 7, 2, 6, "CM WH"),
        (6, 8, 2, 6, "EM"),
        (9, 16, 8, 24, "EM"),
    ]
    assert lines[2].margin == made[7].accuracy().margin


@pytest.mark.parametrize("verb", [dc.plan, dc.release])
def test_a_plan_refuses_what_a_release_refuses(verb):
    asked = {"by": "g", "count": "ill", "size": "n"}
    with pytest.raises(InvalidInput, match="at most 10,000,000 to draw from this mechanism"):
        verb(counts([5, 10**8]), **asked, epsilon="0.00000001", properties="WH")
    with pytest.raises(
        InvalidInput, match="large enough for the best answers to depend on the data"
    ):
        verb(counts([2, 4, 0]), **asked, epsilon="0.1", loss="L2")
    people = pa.table({"g": ["a"] * 3, "mood": [1, 2, 3]})
    with pytest.raises(
        InvalidInput, match="large enough for the best answers to depend on the data"
    ):
        verb(people, by="g", count={"mood": [1, 2, 3]}, epsilon="0.1", loss="L2")
    with pytest.raises(NotEstimable, match="singular"):
        verb(counts([2, 3]), **asked, epsilon="0.1", loss="L2", intervals="0.95")
    with pytest.raises(NotEstimable, match="standard deviation"):
        verb(counts([3, 8]), **asked, epsilon="0.0001", intervals="0.95")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:ill has no totals")
def test_a_plan_names_the_sizes_without_an_unbiased_total():
    """What is named has none, what is not named has one; and a release can still be read group by group."""
    asked = {"by": "g", "count": "ill", "size": "n"}
    for words, sizes, expected in (
        ({"epsilon": "1/2", "loss": "L1"}, [0, 1, 2, 3, 4, 7], "3-7"),
        ({"epsilon": "0.0003", "properties": "F"}, [1, 2, 7, 60, 300], "1-7"),
        ({"epsilon": "0.0003"}, [1, 3, 4, 10**9], "1-3"),
        ({"epsilon": "1", "properties": "F"}, [1, 2, 3, 10**9], ""),
    ):
        table = counts(sizes)
        found = dc.plan(table, **asked, **words)
        assert found.no_total == ((("ill", expected),) if expected else ())
        assert (f"no total can be estimated from groups of {expected}" in str(found)) == bool(
            expected
        )
        assert ("no total can be estimated" in found._repr_html_()) == bool(expected)
        rows = dc.estimate(dc.release(table, **asked, **words)).table().columns
        low, _, high = expected.partition("-")
        missing = [n for n in sizes if expected and int(low) <= n <= int(high)]
        assert [
            n for n, value in zip(rows["n"], rows["unbiased"], strict=True) if np.isnan(value)
        ] == missing
        assert (rows["high"] <= rows["n"]).all()


SUMS = "  sum        95% within\n  total "


def test_sums_stand_beside_no_shape_where_one_was_asked_for_and_other_shapes_are_a_detail():
    people = pa.table({"region": [0, 0, 1, 1] * 9, "clinic": [*range(4)] * 9, "ill": [True] * 36})
    asked = {"by": ["region", "clinic"], "count": "ill", "epsilon": 1}
    plain, fair = dc.plan(people, **asked), dc.plan(people, **asked, properties="F")
    assert SUMS in str(plain) and "fair" not in str(plain) and "honest" not in str(plain)
    assert "  sum           as asked  no properties\n" in str(fair) and "honest" not in str(fair)
    assert "No properties: the same numbers" in str(dc.plan(people, **asked, properties="WH")), (
        "it costs nothing here"
    )
    details = plan_text(plain, details=True)
    assert re.search(r"^  sum +as asked +fair$", details, re.MULTILINE)
    assert 'Weakly honest: the same numbers as "as asked".' in details, "no two columns are equal"
    assert "the same numbers" in plain._repr_html_()


def test_counts_that_are_alike_stand_once_and_sums_that_are_levels_only_as_levels():
    people = pa.table(
        {"region": [0, 0, 1, 1], "clinic": [1, 2, 3, 3], "ill": [True] * 4, "old": [False] * 4}
    )
    asked = {"by": ["region", "clinic"], "count": ["ill", "old"], "epsilon": 1}
    text = str(dc.plan(people, **asked))
    assert len(re.findall(r"^  each count +[12] ", text, re.MULTILINE)) == 2 and SUMS in text
    assert "each count" not in str(dc.plan(people, **asked, split={"ill": 2, "old": 1}))
    assert SUMS not in str(dc.plan(people, **asked, levels="rollup"))
    assert "right" not in text and "std error" not in text, "averages are a detail"
    full = " ".join(dc.plan(people, **asked).text(details=True).split())
    assert "right: how often the true count is released, off by: its typical error (RMSE)" in full


def test_a_plan_says_what_will_be_read_of_text_whatever_stands_in_it(tmp_path):
    """The same words for every column of text, and for every word: whether anybody has it is protected."""
    said = set()
    for values in ("yes no", "1 0"):
        first, second = values.split()
        (tmp_path / "people.csv").write_text(f"clinic,ill,old\na,{first},1\nb,{second},0\n")
        said.add(
            str(
                dc.plan(
                    tmp_path / "people.csv", by="clinic", count=["ill", "ill = 'yes'"], epsilon=1
                )
            )
        )
    assert len(said) == 1, "nothing depends on the values"
    text = " ".join(said.pop().split())
    noted = (
        "warning: ill is text, which a plan does not read: a release refuses all but 0 and 1, or true and false; "
        "for words: `count={'ill': ['yes', 'no']}`"
    )
    assert text.startswith(noted), "first: a plan that is good to the end may be refused"
    assert "warning: only rows where ill is exactly 'yes' are counted; 'Yes' is not." in text
    assert "`count={'ill': ['yes', 'no']}`" in text
    asked = {"by": "clinic", "count": ["ill", "old"], "epsilon": 1}
    pq.write_table(
        pa.table({"clinic": ["a", "b"], "ill": ["yes", "no"], "old": [1, 0]}),
        tmp_path / "people.parquet",
    )
    planned = dc.plan(tmp_path / "people.parquet", **asked)
    assert planned.unread == ("ill",) and "exactly" not in str(planned)


def test_groups_that_are_off_by_nothing_are_exact():
    people = pa.table({"clinic": ["a", "a", "b", "b"], "ill": [1, 0, 1, 1]})
    text = str(dc.plan(people, by="clinic", count="ill", epsilon=12))
    assert (
        "Single groups: exact (in 95% of draws)." in text
        and "Total: exact" in text
        and "at most ±0" not in text
    )


@pytest.mark.parametrize("properties", [None, "F"])
def test_every_size_of_a_line_deserves_its_grade(properties):
    sizes = dict.fromkeys((9, 10, 11), 300) | dict.fromkeys((3, 4, 5, 6, 7, 8, *range(12, 51)), 1)
    mechanisms = dc.design_many(sizes, epsilon=1, properties=properties)
    lines = plan_lines("ill", sizes, mechanisms)
    one_by_one = {n: plan_lines("ill", {n: 1}, mechanisms)[0].grade for n in sizes}
    for line in lines:
        assert {one_by_one[n] for n in sizes if line.n <= n <= line.largest} == {line.grade}
    assert sum(line.groups for line in lines) == sum(sizes.values())
    if properties is None:  # 3 of 9, 10 and 11 is more than a quarter
        assert sum(line.groups for line in lines if line.grade == "rough") > 900
