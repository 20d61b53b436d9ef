"""Subtotals, whole numbers and changes of flat releases, and several releases as one."""

from itertools import product

import numpy as np
import pyarrow as pa
import pytest

import discreet as dc
from discreet.core.named import geometric, uniform
from discreet.errors import InvalidInput
from discreet.reading.estimates import Estimate
from discreet.reading.parts.number_table import NumberTable
from discreet.reading.samples import Origin, Sample, from_outputs
from discreet.reading.totals import Quantity


def sample(outputs, sizes, keys=None, alpha="1/2", build=geometric, **facts):
    """Released groups with keys, as a release would give them."""
    mechanisms = {
        int(n): build(n=int(n), alpha=alpha) if build is geometric else build(n=int(n))
        for n in set(sizes)
    }
    plain = from_outputs(outputs, mechanisms, sizes)
    columns = {name: np.array(values, dtype=object) for name, values in (keys or {}).items()}
    return Sample(
        mechanisms=plain.mechanisms,
        which=plain.which,
        outputs=plain.outputs,
        keys=columns,
        name="smoker",
        **facts,
    )


def read(*given, **facts):
    return Estimate(
        sample=sample(*given, **facts),
        confidence=dc.estimate([1], mechanism=geometric(n=2, alpha="1/2")).confidence,
    )


KEYS = {"region": ["n", "n", "s", "s", None], "clinic": [1, 2, 1, 2, 1]}
SIZES = [4, 4, 6, 3, 5]
RATES = ["rate", "rate_low", "rate_high"]


def test_subtotals_are_the_sums_of_debiased_values():
    e = read([0, 2, 6, 1, 3], SIZES, KEYS)
    table = e.subtotals("region")
    assert list(table.columns) == [
        "region",
        "n",
        "estimate",
        "low",
        "high",
        "standard_error",
        *RATES,
    ]
    assert table["region"].tolist() == ["n", "s", None]
    assert table["n"].tolist() == [8, 9, 5]
    assert table["estimate"].tolist() == [1.0, 8.0, 3.0]
    for key, part in e.by("region").items():
        row = table["region"].tolist().index(key)
        assert table["estimate"][row] == part.total.value
        assert (table["low"][row], table["high"][row]) == (part.total.low, part.total.high)
        assert part.total.method in table.notes[0]
    assert e.subtotals()["estimate"][0] == e.total.value == 12
    assert (e.subtotals()["low"][0], e.subtotals()["high"][0]) == (e.total.low, e.total.high)
    assert e.subtotals(["clinic", "region"]).keys == ("clinic", "region")


def test_more_sums_than_can_be_worked_out_one_by_one_get_a_wider_bound_and_say_so(monkeypatch):
    keys = {"region": [k // 2 for k in range(30)], "clinic": list(range(30))}
    e = read([k % 4 for k in range(30)], [3] * 30, keys)
    exact = e.subtotals("region")
    for name, limit in (("MOST_SUMS", 14), ("MOST_WORK", 1e6)):
        with monkeypatch.context() as patch:
            patch.setattr(f"discreet.reading.parts.one_level.{name}", limit)
            wider = e.subtotals("region")
        assert "a bound that holds at every true count" in wider.notes[0]
        assert (wider["low"] <= exact["low"]).all() and (exact["high"] <= wider["high"]).all()
        assert wider["standard_error"] == pytest.approx(exact["standard_error"])


@pytest.mark.slow
def test_subtotals_cover_with_the_confidence_stated():
    """One-sided binomial tests at four standard errors: a false alarm in about 1 of 30,000 runs each."""
    rng = np.random.default_rng(8)
    sizes, truth = np.tile([3, 5, 8], 20), np.tile([1, 5, 4], 20)
    keys = {"part": [*["few"] * 6, *["many"] * 54], "clinic": list(range(60))}
    covered = np.zeros(2)
    repeats = 300
    for _ in range(repeats):
        noise = rng.geometric(0.5, 60) - rng.geometric(0.5, 60)
        table = read(np.clip(truth + noise, 0, sizes), sizes, keys).subtotals("part")
        exact = np.array([truth[:6].sum(), truth[6:].sum()])
        covered += (table["low"] <= exact) & (exact <= table["high"])
    assert (covered >= 0.95 * repeats - 4 * np.sqrt(0.0475 * repeats)).all()


def test_subtotals_are_shown_and_exported_like_every_table():
    table = read([0, 2, 6, 1, 3], SIZES, KEYS).subtotals("region")
    assert table.to_arrow().column_names == list(table.columns)
    assert table.to_pandas()["n"].sum() == 22
    assert len(table.to_polars()) == len(table) == 3
    assert "NULL" in str(table) and "std error" in str(table)
    assert max(map(len, str(table).splitlines())) <= 80
    assert "<table>" in table._repr_html_()
    assert table.to_dict()["rows"][2]["region"] is None
    assert repr(table) == "<Estimates of 'smoker' by region: 3 rows>"


def test_a_column_that_a_table_lacks_is_refused_and_no_number_is_minus_nothing():
    table = Estimate(
        sample=from_outputs([0, 2], geometric(n=3, alpha="1/2")), confidence=0.95
    ).subtotals()
    with pytest.raises(
        InvalidInput,
        match="`column` must be one of the table, not estimates: did you mean estimate",
    ):
        _ = table["estimates"]
    shown = NumberTable(title="", columns={"change": np.array([-0.04, -0.06, 0.0])})
    assert [line.strip() for line in str(shown).splitlines()[2:]] == ["0.0", "-0.1", "0.0"]
    nothing = Quantity(
        name="change",
        value=-0.01,
        low=-0.0,
        high=1.0,
        standard_error=1.0,
        confidence=0.9,
        groups=1,
        method="",
    )
    assert str(nothing).startswith("change 0.0 [0, 1]")


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (["regoin"], "did you mean region"),
        (["region", "region"], "repeat"),
        ([7], "names of key columns"),
    ],
)
def test_columns_that_are_no_keys_are_refused(columns, message):
    with pytest.raises(InvalidInput, match=message):
        read([0, 2, 6, 1, 3], SIZES, KEYS).subtotals(*columns)


def nearest(total, values, sizes):
    """All whole splits of a total, and the least distance among them: by enumeration."""
    splits = [c for c in product(*(range(n + 1) for n in sizes)) if sum(c) == total]
    return min(sum((a - b) ** 2 for a, b in zip(split, values, strict=True)) for split in splits)


def test_whole_numbers_add_up_stay_in_range_and_are_nearest_at_each_step():
    rng = np.random.default_rng(2)
    for _ in range(20):
        sizes = rng.integers(1, 5, 6)
        e = read(
            rng.integers(0, sizes + 1), sizes, {"region": list("aabbbc"), "clinic": list(range(6))}
        )
        whole = e.adding_up()
        counts, regions = whole.table["smoker"], whole.subtotals("region")["smoker"]
        assert ((counts >= 0) & (counts <= sizes)).all()
        assert whole.total == counts.sum() == regions.sum()
        assert whole.total == np.clip(np.floor(e.total.value + 0.5), 0, sizes.sum())
        values = e.subtotals("region")["estimate"]
        ranges = [sizes[:2].sum(), sizes[2:5].sum(), sizes[5]]
        assert ((regions - values) ** 2).sum() == pytest.approx(
            nearest(whole.total, values, ranges)
        )
        inner = e.fit.value[2:5]
        assert ((counts[2:5] - inner) ** 2).sum() == pytest.approx(
            nearest(regions[1], inner, sizes[2:5])
        )


def test_whole_numbers_are_the_same_every_time_and_shown_for_every_prefix():
    e = read([0, 2, 6, 1, 3], SIZES, KEYS)
    first, second = e.adding_up(), read([0, 2, 6, 1, 3], SIZES, KEYS).adding_up()
    assert first.counts.tolist() == second.counts.tolist()
    assert list(first.tables) == [(), ("region",), ("region", "clinic")]
    assert [int(table["smoker"].sum()) for table in first.tables.values()] == [first.total] * 3
    assert "Do not print one alone" in str(first) and "<table>" in first._repr_html_()
    assert first.to_dict()["total"] == first.total
    plain = dc.estimate([0, 3, 1], mechanism=geometric(n=4, alpha="1/2")).adding_up()
    assert plain.table["group"].tolist() == [1, 2, 3] and plain.table["count"].sum() == plain.total


def test_a_change_is_later_less_earlier_and_says_so():
    before = read(
        [1, 2, 3],
        [4, 4, 6],
        {"clinic": list("abc")},
        release="1" * 32,
        origin=Origin(created="2026-05-01T00:00"),
    )
    after = read(
        [3, 3, 2],
        [4, 5, 6],
        {"clinic": list("bac")},
        release="2" * 32,
        origin=Origin(created="2026-06-01T00:00"),
    )
    found = after.change(before)
    assert found["clinic"].tolist() == ["b", "a", "c"]
    assert found["n_before"].tolist() == [4, 4, 6] and found["n_after"].tolist() == [4, 5, 6]
    assert found["change"].tolist() == [1.0, 2.0, -1.0]
    assert found.total.value == after.total.value - before.total.value == 2
    assert (found["low"] >= -found["n_before"]).all() and (found["high"] <= found["n_after"]).all()
    assert "from release 11111111 of 2026-05-01 to release 22222222 of 2026-06-01" in str(found)
    assert (
        "above 0 there are more in the second" in str(found) and "may lie outside" in found.notes[1]
    )
    assert "In 3 of 3 rows the interval is all that is possible" in str(found)
    assert found.to_dict()["total"]["value"] == 2
    assert before.change(after)["change"].tolist() == [-2.0, -1.0, 1.0]


@pytest.mark.slow
def test_changes_cover():
    """Four standard errors of 400 repetitions: a false alarm in about 1 of 30,000 runs."""
    rng, repeats = np.random.default_rng(4), 400
    sizes, first, second = np.array([6, 6, 30]), np.array([1, 3, 20]), np.array([2, 3, 11])
    covered, total = np.zeros(3), 0
    for _ in range(repeats):
        drawn = [
            np.clip(x + rng.geometric(0.5, 3) - rng.geometric(0.5, 3), 0, sizes)
            for x in (first, second)
        ]
        one, two = (read(x, sizes, {"clinic": list("abc")}) for x in drawn)
        found = two.change(one)
        covered += (found["low"] <= second - first) & (second - first <= found["high"])
        total += found.total.low <= (second - first).sum() <= found.total.high
    least = 0.95 * repeats - 4 * np.sqrt(0.0475 * repeats)
    assert (covered >= least).all() and total >= least


def test_a_group_that_one_release_lacks_is_refused_or_has_nobody():
    one, two = read([1], [4], {"clinic": ["a"]}), read([1, 2], [4, 4], {"clinic": ["a", "b"]})
    with pytest.raises(InvalidInput, match="missing='empty'"):
        two.change(one)
    found = two.change(one, missing="empty")
    assert found["n_before"].tolist() == [4, 0] and found["change"].tolist() == [0.0, 2.0]
    for wrong, message in (
        (read([1], [4], {"place": ["a"]}), "same key columns"),
        (dc.estimate([1], mechanism=geometric(n=4, alpha="1/2")), "same count"),
    ):
        with pytest.raises(InvalidInput, match=message):
            two.change(wrong)
    with pytest.raises(InvalidInput, match="estimate of a count, not WholeNumbers"):
        two.change(one.adding_up())
    with pytest.raises(InvalidInput, match="one of refuse, empty"):
        two.change(one, missing="drop")
    same = read([1], [4], {"clinic": ["a"]}, release="1" * 32)
    with pytest.raises(InvalidInput, match="different releases"):
        same.change(same)


def test_releases_of_overlapping_groups_and_other_levels_are_read_as_one():
    clinics = read([0, 2, 6, 1], [4, 4, 6, 3], {"region": list("nnss"), "clinic": [1, 2, 3, 4]})
    some = read([2, 5, 2], [4, 6, 3], {"region": list("nss"), "clinic": [2, 3, 4]}, alpha="1/3")
    regions = read([4, 5], [9, 8], {"region": ["s", "n"]}, alpha="1/4")
    alone = dc.combine(clinics, some)
    assert alone.table["clinic"].tolist() == [1, 2, 3, 4]
    assert alone.table["estimate"][0] == -1, "a group that one release lacks is what the other says"
    three = dc.combine(clinics, some, regions)
    table = three.subtotals("region")
    assert table["estimate"].sum() == three.subtotals()["estimate"][0] == three.total.value
    assert (table["standard_error"] < alone.subtotals("region")["standard_error"]).all()
    assert three.group(1).outputs == (2, 2) and three.group(0).outputs == (0,)
    assert three.adding_up().table["smoker"].sum() == three.adding_up().total


def test_what_tells_nothing_has_no_weight():
    useful = read([1, 2], [4, 4], {"clinic": ["a", "b"]})
    silent = read([4, 0], [4, 4], {"clinic": ["a", "b"]}, build=uniform)
    both = dc.combine(useful, silent)
    assert both.table["estimate"].tolist() == [1.0, 2.0]
    assert (
        both.table["standard_error"].tolist()
        == useful.subtotals("clinic")["standard_error"].tolist()
    )
    with pytest.raises(InvalidInput, match="ignore the data"):
        dc.combine(silent, read([0, 0], [4, 4], {"clinic": ["a", "b"]}, build=uniform))


def test_combining_is_unbiased_for_every_truth_by_enumeration():
    """Two measurements of one group: the mean of the combined estimate over all outputs is the truth."""
    first, second = geometric(n=2, alpha="1/2"), geometric(n=2, alpha="1/5")
    for truth in range(3):
        mean = 0.0
        for a, b in product(range(3), repeat=2):
            chance = float(first[a, truth] * second[b, truth])
            both = dc.combine(
                read([a], [2], {"k": ["x"]}), read([b], [2], {"k": ["x"]}, alpha="1/5")
            )
            mean += chance * both.total.value
        assert mean == pytest.approx(truth)


def test_copies_derived_numbers_and_other_quantities_are_no_evidence():
    keys = {"clinic": ["a", "b"]}
    first = read(
        [1, 2], [4, 4], keys, release="1" * 32, origin=Origin(created="2026-05-01", digest="d")
    )
    copy = read(
        [1, 2], [4, 4], keys, release="2" * 32, origin=Origin(created="2026-05-02", digest="d")
    )
    with pytest.raises(InvalidInput, match="different releases"):
        dc.combine(first, copy)
    other = read([1, 2], [4, 4], keys, release="3" * 32, origin=Origin(created="2026-05-02"))
    with pytest.raises(InvalidInput, match="no new evidence"):
        dc.combine(first, dc.combine(first, other))
    with pytest.raises(InvalidInput, match="no new evidence"):
        dc.combine(first, other.adding_up())
    for change, message in (
        ({"created": "2026-06-01"}, "one month"),
        ({"created": "2026-05-02", "where": "age > 17"}, "one row filter"),
        ({"created": "2026-05-02", "definition": "x = 1"}, "one definition"),
        ({"created": "2026-05-02", "dataset": "clinics"}, "one dataset"),
    ):
        later = read([1, 2], [4, 4], keys, release="4" * 32, origin=Origin(**change))
        with pytest.raises(InvalidInput, match=rf"{message}.*same_quantity=True"):
            dc.combine(first, later)
        assert dc.combine(first, later, same_quantity=True).total.groups == 2


def test_a_release_carries_what_its_numbers_are(tmp_path):
    people = pa.table(
        {"clinic": list("aabb"), "region": list("nnss"), "smoker": [True, False, True, True]}
    )
    asked = {"by": ["region", "clinic"], "count": "smoker", "epsilon": 1}
    first, second = (
        dc.release(people, **asked, output=tmp_path / "one"),
        dc.release(people, **asked),
    )
    one, two = dc.estimate(first), dc.estimate(second)
    assert one.sample.origin.definition == "smoker" and len(one.sample.origin.digest) == 64
    assert dc.combine(one, two, same_quantity=True).total.groups == 2
    with pytest.raises(InvalidInput, match="different releases"):
        dc.combine(one, dc.estimate(tmp_path / "one"))


def test_plain_outputs_are_no_evidence_twice_either():
    e = Estimate(sample=from_outputs([0, 2], geometric(n=3, alpha="1/2")), confidence=0.95)
    with pytest.raises(InvalidInput, match="different releases"):
        dc.combine(e, e)
    with pytest.raises(InvalidInput, match="different releases"):
        e.change(e)


def test_a_callers_name_is_shown_as_it_is_and_ours_in_words():
    found = NumberTable(
        columns={"with_asthma": np.array([3]), "standard_error": np.array([0.5])}, title="", keys=()
    )
    assert str(found).split()[:3] == ["with_asthma", "std", "error"]


def test_a_table_of_answers_that_is_too_wide_is_shown_without_the_name_of_the_question():
    words = [f"feels_{word}" for word in ("never", "rarely", "sometimes", "often", "always")]
    columns = {name: np.array([1]) for name in ("district", "school", "n", *words)}
    wide = NumberTable(columns=columns, title="feels", keys=("district", "school"))
    head, row, note = str(wide).splitlines()[1:]
    assert (
        head.split()[3:] == ["never", "rarely", "sometimes", "often", "always"] and len(head) <= 80
    )
    assert len(row) == len(head) and note == "  (columns: feels_never and so on)"
    assert list(wide.columns)[3:] == words
