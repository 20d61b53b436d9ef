"""Own rows: read exactly, checked exactly, and refused in words."""

from fractions import Fraction

import pytest

import discreet as dc
from discreet.core.own_rows import rows_from_dict
from discreet.errors import InvalidInput

CAP = dc.rows("cap", lambda n: [({(0, 0): 1}, "<=", "1/2")])
MIDDLE = dc.rows(
    "no bias at the middle",
    lambda n: [({(i, n // 2): i for i in range(n + 1)}, "=", Fraction(n, 2))],
)


def test_rows_are_a_function_of_the_group_size():
    assert [len(MIDDLE.at(n).rows[0].cells) for n in (2, 4)] == [
        2,
        4,
    ]  # a coefficient of 0 is no cell
    assert [row.sense for row in MIDDLE.at(4).rows] == [">=", "<="]
    assert str(CAP.at(4).rows[0]) == "Pr[0|0] <= 1/2"
    assert (
        str(MIDDLE.at(8).rows[0])
        == "Pr[1|4] + 2 Pr[2|4] + 3 Pr[3|4] + 4 Pr[4|4] ... (8 cells) >= 4"
    )


def test_plain_data_is_read_again():
    for own in (CAP.at(4), MIDDLE.at(4)):
        assert rows_from_dict(own.to_dict()).at(4) == own


def test_whole_numbers_say_the_same():
    row = dc.rows("x", [({(0, 0): "2/3", (1, 1): Fraction(-1, 2)}, "<=", "1/6")]).at(1).rows[0]
    assert row.whole == (((0, 0, -4), (1, 1, 3)), -1)


def test_symmetric_is_what_has_its_mirror_images():
    assert not CAP.at(4).symmetric
    both = dc.rows("both ends", lambda n: [({(k, k): 1}, "<=", "1/2") for k in (0, n)])
    assert both.at(4).symmetric and both.at(4).mirrored(0) == 1
    assert dc.rows("middle", [({(2, 2): 1}, ">=", "1/4")]).at(4).symmetric


def test_a_mechanism_is_checked_against_them():
    gm = dc.geometric(n=4, alpha="1/2")
    assert str(gm.check(CAP)) == "cap fails: Pr[0|0] <= 1/2 misses by 1/6"
    assert gm.check(MIDDLE) and gm.satisfies(MIDDLE) and gm.satisfies(["RM", MIDDLE])
    assert not gm.satisfies([MIDDLE, CAP]) and not gm.satisfies(["WH", "F", MIDDLE])
    assert gm.satisfies([]) and gm.satisfies(["S", "RM"])
    histograms = dc.design(n=2, categories=3, epsilon=1, cache=False)
    with pytest.raises(InvalidInput, match="must be asked of a mechanism for counts"):
        histograms.check(CAP)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ([({(0, 5): 1}, "<=", 1)], r"cells \(output, true count\), both in 0..4, not \(0, 5\)"),
        ([({(0, True): 1}, "<=", 1)], r"both in 0..4, not \(0, True\)"),
        ([({(0,): 1}, "<=", 1)], "both in 0..4"),
        ([({0: 1}, "<=", 1)], "both in 0..4"),
        (
            [({(0, 0): 0.1}, "<=", 1)],
            "must have an exact coefficient, not 0.1: write a whole number",
        ),
        ([({(0, 0): 1}, "<=", 0.5)], "must have an exact bound, not 0.5"),
        ([({(0, 0): "x"}, "<=", 1)], "must be a finite number"),
        ([({(0, 0): 1}, "<", 1)], 'must have a sense of ">=", "<=" or "=", not <'),
        ([({(0, 0): 0}, "<=", 1)], "must have a coefficient other than 0"),
        ([({}, "<=", 1)], "must name at least one cell"),
        ([([[0, 0]], "<=", 1)], "must name at least one cell"),
        ([([[0, 0, 1], [0, 0, 1]], "<=", 1)], "must name each cell once"),
        ([({(0, 0): 1}, "<=")], "must be inequalities of cells, sense and bound"),
        (["0 <= 1"], "must be inequalities of cells, sense and bound"),
        (lambda n: 7, "must give a list of inequalities for n = 4, not 7"),
        (lambda n: [({(0, 0): 1}, "<=", 1)] * 2001, "must be at most 2,000 inequalities"),
    ],
)
def test_what_cannot_be_meant_is_refused(given, said):
    with pytest.raises(InvalidInput, match=said):
        dc.rows("x", given).at(4)


@pytest.mark.parametrize("name", ["", " ", "a\x1b", "x" * 101, 7])
def test_a_name_can_be_printed(name):
    with pytest.raises(InvalidInput, match="must be printable text"):
        dc.rows(name, [])


def test_a_list_is_wanted():
    for wrong in (7, "x", {}):
        with pytest.raises(InvalidInput, match="must be a function of n, or a list"):
            dc.rows("x", wrong)
    for wrong in ([], {"name": "x"}, {"name": "x", "rows": [], "more": 1}):
        with pytest.raises(InvalidInput, match="must have a name and rows"):
            rows_from_dict(wrong)


def test_only_a_design_takes_them():
    with pytest.raises(
        InvalidInput, match=r"must be names here, without own rows, not rows 'cap': dc.design"
    ):
        dc.recommend(n=4, epsilon=1, properties=["WH", CAP])
    for other in ({"categories": 3}, {"categories": 2}, {"step": 2}):
        with pytest.raises(InvalidInput, match="own rows of plain counts only"):
            dc.design(n=4, epsilon=1, properties=["WH", CAP], **other, cache=False)
    twice = dc.rows("cap", [({(1, 1): 1}, "<=", "1/2")])
    with pytest.raises(InvalidInput, match="own rows of different names"):
        dc.design(n=4, epsilon=1, properties=[CAP, twice], cache=False)
    with pytest.raises(InvalidInput, match="must be at most 60 for a design with own rows"):
        dc.design(n=61, epsilon=1, properties=[CAP], cache=False)
