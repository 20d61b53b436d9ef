"""The table that may be quoted: whole numbers whose sums are right, and intervals that are not too sure of themselves."""

import csv

import numpy as np
import pytest
from tests.conftest import require

import discreet as dc
from discreet.errors import InvalidInput
from discreet.reading.levels.integer_split import share_out
from discreet.reading.parts.whole_numbers import moved
from discreet.reading.quoting.interval_kinds import (
    MOVED,
    NONE,
    marks_in_brief,
    says_little,
    which_to_print,
)
from discreet.reading.quoting.pooled_posteriors import (
    beta_binomials,
    rates_by_tenths,
    shares_by_count,
    tenths,
)
from discreet.reading.quoting.printed_groups import printed_by_key
from discreet.show.text import folded, laid_out

require("tables")

import pyarrow as pa

PARTS = ("whole", "low", "high")


@pytest.fixture(scope="module")
def people():
    rng = np.random.default_rng(5)
    groups = np.repeat(np.arange(24), rng.choice([3, 8], 24))
    n = len(groups)
    return pa.table(
        {
            "region": [f"r{g % 3}" for g in groups],
            "clinic": [f"c{g:02d}" for g in groups],
            "person": np.arange(n),
            "smoker": rng.random(n) < 0.3,
            "mood": [("bad", "fair", "good")[k] for k in rng.integers(0, 3, n)],
        }
    )


@pytest.mark.parametrize("levels", [None, "rollup"])
def test_whole_numbers_are_those_that_add_up(people, levels):
    asked = {"by": ["region", "clinic"], "count": "smoker", "epsilon": 2, "levels": levels}
    e = dc.estimate(dc.release(people, **asked))
    q, by_region, whole = (
        e.quotable(details=True),
        e.quotable("region", details=True),
        e.adding_up(),
    )
    printed = ["region", "clinic", "people", "low", "high", "number", "interval"]
    assert list(e.quotable().columns) == printed, (
        "what is not for print is not there unless it is asked for"
    )
    assert list(q.columns) == [*printed, "whole", "mean"]
    for table, kind in (
        (q, "credible"),
        (by_region, "confidence"),
    ):  # as a report says that rows are too noisy
        number, low, high = (table[part] for part in PARTS)
        nobody_or_everybody = (low < high) & ((number == 0) | (number == table["people"]))
        end = nobody_or_everybody | ((low + 1 < high) & ((number == low) | (number == high)))
        alone = (4 * (high - low) < 3 * table["people"]) & ~end
        shown = [value if one else None for value, one in zip(number.tolist(), alone, strict=True)]
        assert table["number"].tolist() == shown and {*table["interval"]} == {f"95% {kind}"}
    assert (q["whole"] == whole.counts).all()
    assert by_region["whole"].sum() == q["whole"].sum() == whole.total
    assert (by_region["region"] == e.subtotals("region")["region"]).all()
    assert (by_region["high"] == e.subtotals("region")["high"]).all()
    assert (q["low"] >= 0).all() and (q["low"] <= q["mean"]).all()
    assert (q["mean"] <= q["high"]).all() and (q["high"] <= q["people"]).all()
    assert "whole, the number of every row, whose sums are right" in " ".join(str(q).split())
    assert "whole" not in str(e.quotable())


def test_answers_add_up_to_n_and_to_larger_groups(people):
    count = {"mood": ["bad", "fair", "good"]}
    e = dc.estimate(dc.release(people, by=["region", "clinic"], count=count, epsilon=2))
    q = e.quotable(details=True)
    assert q.keys == ("region", "clinic", "answer")
    counts = q["whole"].reshape(-1, 3)
    assert (counts.sum(axis=1) == q["people"].reshape(-1, 3)[:, 0]).all()
    assert (
        e.quotable("region", details=True)["whole"].reshape(-1, 3).sum(axis=0) == counts.sum(axis=0)
    ).all()
    assert (q["low"] <= q["high"]).all()


def test_with_private_sizes_the_answers_add_up_to_the_people(people):
    keys = {"clinic": sorted(set(people["clinic"].to_pylist()))}
    asked = {
        "by": "clinic",
        "keys": pa.table(keys),
        "count": "smoker",
        "unit": "person",
        "cap": 8,
        "epsilon": 2,
    }
    e = dc.estimate(dc.release(people, **asked, other_keys="drop", excess="drop", nulls="0"))
    q = e.quotable(details=True)
    assert list(q.columns) == ["clinic", "answer", "low", "high", "number", "interval", "whole"], (
        "no sizes"
    )
    assert q["number"].tolist() == q["whole"].tolist()
    whole, low, high = (q[part].reshape(-1, 3) for part in PARTS)
    assert (whole[:, 2] == whole[:, :2].sum(axis=1)).all() and (whole <= 8).all()
    assert ((low >= 0) & (low <= high) & (high <= 8)).all()
    with pytest.raises(
        InvalidInput, match=r"`by` is not for a table to quote where `cap` hides sizes"
    ):
        e.quotable("clinic")


def test_a_release_that_says_little_is_not_sure_of_anything():
    """Twenty pairs at epsilon 0.06: the likeliest prior is one rate, and would be sure that all have it."""
    m = dc.geometric(n=2, epsilon="0.06")
    for outputs in ([0] * 11 + [2] * 9, [2] * 14 + [0] * 6, [1] * 20):
        q = dc.estimate(outputs, mechanism=m).quotable()
        assert (q["low"] == 0).all() and (q["high"] == 2).all()


def test_intervals_hold_as_often_as_they_say_on_average_over_groups():
    """500 groups of 8 with rates of 20 to 40%: 95% intervals, 4 standard errors of a share of 500 allowed."""
    rng = np.random.default_rng(2)
    m = dc.geometric(n=8, epsilon=1)
    truth = rng.binomial(8, rng.uniform(0.2, 0.4, 500))
    columns = np.cumsum(m.array, axis=0)
    outputs = (rng.random(500)[:, None] > columns[:, truth].T).sum(axis=1)
    e = dc.estimate(np.minimum(outputs, 8), mechanism=m)
    q = e.quotable(details=True)
    held = (q["low"] <= truth) & (truth <= q["high"])
    assert held.mean() > 0.95 - 4 * (0.05 * 0.95 / 500) ** 0.5
    assert np.mean((q["mean"] - truth) ** 2) < np.mean((outputs - truth) ** 2)
    assert shares_by_count(e.sample).sum() == pytest.approx(1) == rates_by_tenths(e.sample).sum()
    assert rates_by_tenths(e.sample)[7:].sum() < 0.05


def test_equally_likely_counts_fill_all_tenths_alike_whatever_the_size():
    for n in (1, 2, 7, 8, 9, 30):
        assert tenths(n).sum(axis=1) == pytest.approx(1) and tenths(n).sum(axis=0) == pytest.approx(
            (n + 1) / 10
        )


def test_coarser_levels_say_where_the_mean_is(people):
    asked = {"by": ["region", "clinic"], "count": "smoker", "epsilon": 4, "levels": "rollup"}
    r = dc.release(
        people, **asked, level_split={"region,clinic": "0.01", "region": "0.01", "total": "0.98"}
    )
    e = dc.estimate(r)
    rate = e.quotable(details=True)["mean"].sum() / e.people
    assert abs(rate - e.rate.value) < 0.1, "the finest level alone says nothing"


def test_large_groups_are_read_without_the_pooled_prior():
    m = {n: dc.geometric(n=n, epsilon=1) for n in (4, 600)}
    q = dc.estimate([3, 300], mechanism=m, sizes=[4, 600]).quotable()
    assert q["low"][1] < 300 < q["high"][1] and "uniform" in " ".join(q.notes)
    assert dc.estimate([0], mechanism=dc.geometric(n=0, epsilon=1)).quotable()["high"].tolist() == [
        0
    ]


def test_a_key_never_gives_way_to_a_number():
    keys = ["low", "number", "people"]
    table = pa.table({**{key: ["a", "a", "b"] for key in keys}, "smoker": [True, False, True]})
    q = dc.estimate(dc.release(table, by=keys, count="smoker", epsilon=1)).quotable()
    assert list(q.columns) == [*keys, "people_", "low_", "high", "number_", "interval"]
    assert all(q[key].tolist() == ["a", "b"] for key in keys)


def test_probabilities_of_small_groups_are_probabilities():
    for n in (0, 1, 7):
        assert np.allclose(beta_binomials(n).sum(axis=0), 1)


def test_a_csv_that_a_spreadsheet_opens_right(tmp_path):
    table = pa.table({"g": ["=1+1", "Zürich", "Zürich"], "b": [True, False, True]})
    q = dc.estimate(dc.release(table, by="g", count="b", epsilon=1)).quotable()
    file = tmp_path / "q.csv"
    q.to_csv(file, byte_order_mark=True, escape_formulas=True)
    data = file.read_bytes()
    assert data.startswith(b"\xef\xbb\xbfg,people,") and list(tmp_path.iterdir()) == [file]
    rows = list(csv.DictReader(data.decode("utf-8-sig").splitlines()))
    assert [row["g"] for row in rows] == ["'=1+1", "Zürich"]
    with pytest.raises(InvalidInput, match=r"exists already.*path.*overwrite"):
        q.to_csv(file)
    q.to_csv(file, overwrite=True)
    assert file.read_text(encoding="utf-8").startswith("g,people,low,high,number,interval\n")


def test_an_estimate_that_cannot_be_explains_itself_where_it_is_seen():
    e = dc.estimate([0, 2], mechanism=dc.geometric(n=2, epsilon="0.06"))
    assert "not to be quoted" in str(e.table()) and "not to be quoted" in e.table()._repr_html_()
    assert "quoted" not in str(
        dc.estimate([1], mechanism=dc.geometric(n=2, epsilon="0.06")).table()
    )
    people = pa.table({"g": ["a", "a"], "b": [True, False]})
    r = dc.release(people, by="g", count="b", epsilon="0.06", intervals="0.9")
    assert (
        "b_estimate is for sums and models" in str(r)
        and "b_estimate is for sums" in r._repr_html_()
    )
    assert "b_estimate" not in str(dc.release(people, by="g", count="b", epsilon="0.06"))


def test_one_group_has_one_confidence_interval_in_every_table(people):
    e = dc.estimate(
        dc.release(people, by="clinic", count={"mood": ["bad", "fair", "good"]}, epsilon=1)
    )
    by, quoted = e.subtotals("clinic"), e.quotable(details=True)
    held = (by["low"] <= quoted["whole"]) & (quoted["whole"] <= by["high"])
    assert held.mean() > 0.5 and (by["low"][held] == quoted["low"][held]).all()
    assert (by["high"][held] == quoted["high"][held]).all()
    assert (by["share_high"] == by["high"] / by["n"]).all()
    three, one = (
        dc.estimate(seen, mechanism=dc.geometric(n=8, epsilon=1)) for seen in ([3, 0, 8], [3])
    )
    read = three.table().columns
    assert (one.total.low, one.total.high) == (read["low"][0], read["high"][0])
    assert one.rate.high == one.total.high / 8


def test_tables_name_the_kind_of_their_intervals_and_say_which_to_print(people):
    e = dc.estimate(dc.release(people, by="clinic", count="smoker", epsilon=1))
    by, quoted = e.subtotals("clinic"), e.quotable()
    assert "95% interval" in str(by).splitlines()[
        1
    ] and "a confidence interval of each row alone" in " ".join(by.notes)
    assert which_to_print(where=" (quotable(), or a report)") in by.notes
    said = str(quoted)
    assert "95% interval" in said and "a credible interval" in said
    assert said.splitlines()[1].startswith("  Print the interval, then the number.")
    assert set(quoted["interval"]) == {"95% credible"}, "a file says it in each row"


def test_units_of_equal_estimates_go_to_the_larger_group_wherever_it_stands():
    for sizes, expected in (([5, 9], [1, 2]), ([9, 5], [2, 1])):
        found = share_out(np.array([3]), np.array([0, 0]), np.array([1.5, 1.5]), np.array(sizes))
        assert found.tolist() == expected


def test_numbers_that_are_not_the_nearest_are_marked_and_the_mark_is_explained():
    plain = marks_in_brief("95% credible", dashes=False, moved=False)
    starred = marks_in_brief("95% credible", dashes=False, moved=True)
    assert len(plain) == 2 and starred[1].startswith(f"{MOVED}: rounded to another whole number")
    marked = marks_in_brief("95% credible", dashes=True, moved=True)
    assert sum(len(folded(note, width=79, first="  ", later="    ")) for note in marked) == 10


@pytest.mark.parametrize("n", [1, 8, 20])
def test_a_number_at_an_end_is_quotable_alone_only_beside_one_other_or_none(n):
    assert says_little(0, 0, 1, n) and says_little(n, n - 1, n, n), "nobody, or everybody"
    assert all(says_little(k, low, high, 20) for k, low, high in ((7, 2, 7), (2, 2, 7), (8, 8, 10)))
    assert not any(
        says_little(k, low, high, 20)
        for k, low, high in ((6, 2, 7), (7, 7, 7), (8, 8, 9), (9, 8, 9))
    )
    assert not says_little(0, 0, 0, n) and not says_little(n, n, n, n)
    assert not says_little(0, 0, 0, 0), "a group of nobody"


def test_a_sum_whose_number_is_not_its_estimate_rounded_has_a_star_on_the_screen():
    """Beside it stands the estimate, so a number that gave way would look like a mistake."""
    rng = np.random.default_rng(5)
    people = pa.table(
        {
            "region": np.arange(960) // 16,
            "team": np.arange(960) // 8,
            "ill": rng.integers(0, 2, 960),
        }
    )
    for _ in range(20):
        found = dc.estimate(
            dc.release(people, by=["region", "team"], count="ill", epsilon=1), count="ill"
        )
        with laid_out(None, command_line=True, details=False):
            table = printed_by_key(found, ["region"])
        numbers = table.columns[table.keys[-1]]
        estimates, sizes = table.columns["estimate"], table.columns["n"]
        whole = np.array(
            [
                int(str(number).strip(" *").replace(",", "").replace(NONE, "-1"))
                for number in numbers
            ]
        )
        starred = np.array(["*" in str(number) for number in numbers])
        assert (starred == (moved(whole, estimates, sizes) & (whole >= 0))).all()
        assert starred.any() == any(note.startswith("*: rounded") for note in table.brief)
        if starred.any():
            assert table.spans["rate_low"][0] == "rate, 95%", "beside the interval of the number"
            return
    pytest.fail("no number gave way in twenty releases of sixty sums")
