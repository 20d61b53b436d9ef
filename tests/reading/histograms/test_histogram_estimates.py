"""`dc.estimate` of questions with several answers: from releases, from bundles, and from plain outputs."""

import json

import numpy as np
import pytest
from tests.conftest import require

import discreet as dc
from discreet.errors import InvalidInput
from discreet.reading.histograms.answer_values import answer_values
from discreet.reading.histograms.histogram_estimates import HistogramEstimate

require("tables")

import pyarrow as pa

ANSWERS = ["never", "former", "current"]
SCALE = {"never": 0, "former": 1, "current": 2}
TRUE = {}


@pytest.fixture(scope="module")
def release():
    """Forty clinics of 1 to 4 people, drawn together, and two of 60 people, cell by cell; one bit besides."""
    rng = np.random.default_rng(8)
    sizes = [*rng.integers(1, 5, 40), 60, 60]
    clinic = np.repeat(np.arange(42), sizes)
    answer = rng.choice(3, len(clinic), p=[0.5, 0.2, 0.3])
    TRUE.update({name: int((answer == c).sum()) for c, name in enumerate(ANSWERS)})
    people = pa.table(
        {
            "region": ["north" if c % 2 else "south" for c in clinic],
            "clinic": clinic,
            "smoking": [ANSWERS[c] for c in answer],
            "old": rng.integers(0, 2, len(clinic)),
        }
    )
    asked = {"smoking": ANSWERS, "old": "old"}
    return dc.release(people, by=["region", "clinic"], count=asked, epsilon=8)


@pytest.fixture(scope="module")
def found(release):
    return dc.estimate(release, count="smoking")


def test_a_question_is_read_from_memory_and_from_its_folder_alike(release, found, tmp_path):
    release.save(tmp_path / "out")
    there = dc.estimate(tmp_path / "out", count="smoking")
    assert (
        isinstance(found, HistogramEstimate)
        and there.totals == found.totals
        and there.shares == found.shares
    )
    assert (
        found.groups == 42
        and found.people == sum(TRUE.values())
        and found.answers == tuple(ANSWERS)
    )
    for name, total in found.totals.items():
        # eight standard errors: a false alarm far below 1 in a million
        assert abs(total.value - TRUE[name]) < 8 * total.standard_error
    assert isinstance(
        dc.estimate(release, count="old"),
        type(dc.estimate([1], mechanism=dc.geometric(n=2, epsilon=1))),
    )
    with pytest.raises(InvalidInput, match="choose from smoking, old"):
        dc.estimate(release)


def test_totals_and_shares_add_up_exactly(found):
    for part in (found, *found.by("region").values()):
        assert sum(x.value for x in part.totals.values()) == part.people
        assert sum(x.value for x in part.shares.values()) == 1
    for name in ANSWERS:
        parts = [part.totals[name].value for part in found.by("region").values()]
        assert sum(parts) == pytest.approx(found.totals[name].value)
    assert set(found.by(["region", "clinic"])) == set(found.strata(("region", "clinic")))


def test_scales_contrasts_and_differences(found):
    north, south = (found.by("region")[name] for name in ("north", "south"))
    assert found.mean(SCALE).value == pytest.approx(
        found.shares["former"].value + 2 * found.shares["current"].value
    )
    gap = found.contrast("never", "current")
    assert gap.value == pytest.approx(found.shares["never"].value - found.shares["current"].value)
    assert north.difference(south, scores=SCALE).value == pytest.approx(
        north.mean(SCALE).value - south.mean(SCALE).value
    )
    share = north.difference(south, "former")
    assert share.value == pytest.approx(north.shares["former"].value - south.shares["former"].value)
    assert share.low <= share.value <= share.high
    for wrong in ({}, {"answer": "never", "scores": SCALE}):
        with pytest.raises(InvalidInput, match="must be given, or `scores`"):
            north.difference(south, **wrong)
    with pytest.raises(InvalidInput, match="did you mean never"):
        found.contrast("nevr", "former")
    with pytest.raises(InvalidInput, match="must be another answer"):
        found.contrast("never", "never")


def test_tables_by_key(found):
    table = found.subtotals("region")
    parts = found.by("region")
    assert len(table) == 6 and table.keys == ("region", "answer")
    for at, (region, part) in enumerate(parts.items()):
        rows = slice(3 * at, 3 * at + 3)
        assert set(table["region"][rows]) == {region} and set(table["n"][rows]) == {part.people}
        assert table["estimate"][rows].tolist() == [x.value for x in part.totals.values()]
        assert table["low"][rows].tolist() == [x.low for x in part.totals.values()]
        assert table["share"][rows].tolist() == [x.value for x in part.shares.values()]
    whole = found.subtotals()
    assert whole["estimate"].tolist() == [x.value for x in found.totals.values()]
    means = found.means("region", scores=SCALE)
    assert means["mean"].tolist() == [part.mean(SCALE).value for part in parts.values()]
    assert (
        "Scores: never = 0, former = 1, current = 2." in str(means)
        and means.to_arrow().num_rows == 2
    )
    assert found.means(scores=SCALE)["mean"].tolist() == [found.mean(SCALE).value]
    with pytest.raises(InvalidInput, match="must name a key column"):
        found.subtotals("town")


def test_single_groups_and_the_table_of_all(release, found):
    table = found.table()
    assert len(table) == 42 * 3
    columns = table.columns
    rows = release.table.to_pylist()
    for g in (0, 20, 41):
        group = found.group(g)
        for c, name in enumerate(ANSWERS):
            at = 3 * g + c
            assert columns["answer"][at] == name
            assert columns["released"][at] == rows[g][f"smoking_{name}"] == group.released[name]
            assert (columns["low"][at], columns["high"][at]) == group.interval[name]
    assert np.nansum(columns["unbiased"]) == pytest.approx(found.people)
    assert (
        table.to_arrow().num_rows == 126
        and "answer" in str(table)
        and "rows" in table._repr_html_()
    )
    assert "posterior" not in str(table)
    prior = "Multinomial(1/2, 1/4, 1/4)"
    small = next(g for g, row in enumerate(rows) if row["n"] == 4)
    assert found.group(small, prior=prior).prior == prior
    with pytest.raises(InvalidInput, match="must be in 0..41"):
        found.group(42)


def test_it_is_shown_as_text_html_and_json(found):
    text = str(found)
    assert text.startswith("Estimate of 'smoking': 42 groups") and "cell, what they lacked" in text
    assert all(name in text and name in found._repr_html_() for name in ANSWERS)
    plain = json.loads(json.dumps(found.to_dict()))
    assert [row["answer"] for row in plain["answers"]] == ANSWERS
    assert sum(row["share"]["value"] for row in plain["answers"]) == 1
    assert repr(found).startswith("<Estimate of 'smoking'")


def test_two_answers_are_read_as_one_count():
    people = pa.table({"team": [1, 1, 1, 2, 2, 3], "vote": ["yes", "no", "no", "yes", "yes", "no"]})
    two = dc.release(people, by="team", count={"vote": ["yes", "no"]}, epsilon=2)
    one = dc.estimate(two)
    table = one.table().columns
    assert (
        one.people == 6
        and (table["low"] <= table["released"]).all()
        and (table["released"] <= table["high"]).all()
    )
    assert one.sample.name == "vote_yes" and not hasattr(one, "answers")
    assert one.total.low <= one.total.value <= one.total.high


def test_plain_outputs_of_a_mechanism():
    m = dc.design(n=3, categories=["a", "b", "c"], epsilon=2)
    outputs = [(3, 0, 0), {"b": 2, "c": 1}, (1, 1, 1)]
    e = dc.estimate(outputs, mechanism=m)
    values = answer_values(m.form)
    points = [m.domain.number(p) for p in [(3, 0, 0), (0, 2, 1), (1, 1, 1)]]
    assert [x.value for x in e.totals.values()] == pytest.approx(
        values[points].sum(axis=0).tolist()
    )
    two = dc.design(n=2, categories=["a", "b", "c"], epsilon=2)
    mixed = dc.estimate([(1, 1, 0), *outputs], mechanism=[two, m])
    assert mixed.people == 11
    for wrong, rule in (
        ([(1, 2)], "must be histograms"),
        ([{"d": 3}], "must be histograms"),
        ([(2, 2, 0)], "must add up to n"),
    ):
        with pytest.raises(InvalidInput, match=rule):
            dc.estimate(wrong, mechanism=m)
    assert (
        dc.estimate([(1, 1, 0), *outputs], mechanism=[two, m], sizes=[2, 3, 3, 3]).totals
        == mixed.totals
    )
    with pytest.raises(InvalidInput, match="must have 2 rows"):
        dc.estimate(outputs, mechanism=m, sizes=[3, 3])
    with pytest.raises(InvalidInput, match="over the same answers"):
        dc.estimate(outputs, mechanism=[m, dc.geometric(n=2, epsilon=1)])


def test_plain_outputs_of_cells():
    cells = dc.cells(n=30, categories=["a", "b", "c"], epsilon=1)
    e = dc.estimate([(10, 5, 20), {"a": 30, "c": 2}], mechanism=cells)
    # the debiased counts of GM, each group's lack or excess shared
    t = 1 / (1 / float(cells.cell_alpha) - 1)
    assert e.people == 60
    first, second = [10, 5, 20], [30 + t, -t, 2]
    wanted = [
        x + (30 - sum(first)) / 3 + y + (30 - sum(second)) / 3
        for x, y in zip(first, second, strict=True)
    ]
    assert [x.value for x in e.totals.values()] == pytest.approx(wanted)
    other = dc.cells(n=20, categories=["a", "b", "c"], epsilon=1)
    assert (
        dc.estimate([(10, 5, 20), (9, 9, 9)], mechanism=[cells, other], sizes=[30, 20]).people == 50
    )
    with pytest.raises(
        InvalidInput, match="must be given where several sizes are drawn cell by cell"
    ):
        dc.estimate([(10, 5, 20), (9, 9, 9)], mechanism=[cells, other])


def test_what_cannot_be_estimated_is_said_by_the_estimate():
    m = dc.design(n=4, categories=["a", "b", "c"], epsilon=1, loss="L1")
    e = dc.estimate([(2, 1, 1)], mechanism=m)
    assert (
        "no unbiased estimate exists for groups of 4" in str(e) and "no unbiased" in e._repr_html_()
    )
    assert np.isnan(e.table().columns["unbiased"]).all()
    assert sum(e.group(0).mean.values()) == 4


def test_whole_histograms_add_up_to_n_and_to_every_sum(found):
    whole = found.adding_up()
    names = [f"smoking_{answer}" for answer in ANSWERS]
    assert list(whole.columns) == names and whole.total == found.people
    assert (whole.counts.sum(axis=1) == whole.sizes).all() and (whole.counts >= 0).all()
    for table in whole.tables.values():
        assert (sum(table[name] for name in names) == table["n"]).all()
        assert {name: int(table[name].sum()) for name in names} == whole.totals
    for answer, total in found.totals.items():
        assert abs(whole.totals[f"smoking_{answer}"] - total.value) < 1
    assert (found.adding_up().counts == whole.counts).all()


def test_whole_histograms_are_published_and_made_again(tmp_path, monkeypatch):
    from tests.cli.test_frame import invoke

    monkeypatch.chdir(tmp_path)
    people = pa.table(
        {"clinic": [k % 6 for k in range(24)], "smoking": [ANSWERS[k % 3] for k in range(24)]}
    )
    asked = {
        "by": "clinic",
        "count": {"smoking": ANSWERS, "late": "clinic > 3"},
        "epsilon": 4,
        "public": ["clinic"],
    }
    dc.release(people, **asked, adding_up=True, output="out", format="csv")
    table = dc.read_release("out").table
    assert table.column_names[-4:] == [
        *(f"smoking_{answer}_whole" for answer in ANSWERS),
        "late_whole",
    ]
    rows = table.to_pylist()
    assert all(
        sum(row[f"smoking_{answer}_whole"] for answer in ANSWERS) == row["n"] for row in rows
    )
    facts = json.loads(invoke("estimate", "out", "--count", "smoking", "--adding-up", "--json"))
    assert facts["total"] == 24 and sum(facts["totals"].values()) == 24
