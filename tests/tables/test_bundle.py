"""What comes out: table, manifest and proofs that belong together, under a ledger that adds up."""

from __future__ import annotations

import io
import json
from fractions import Fraction
from pathlib import Path

import pytest
from tests.conftest import require

require("tables")

import pyarrow as pa
import pyarrow.parquet

import discreet as dc
from discreet.core.progress import Progress, json_lines_to, lines_to
from discreet.errors import BudgetError, BudgetExceeded, InvalidFile, InvalidInput
from discreet.ledger import open_ledger
from discreet.tables.published.manifest import read_manifest

PEOPLE = pa.table(
    {
        "ward": ["x", "x", "x", "y", "y", None, ""],
        "day": pa.array([1, 1, 2, 2, 2, 3, 3], pa.int32()),
        "smoker": [True, False, True, True, True, False, True],
        "ill": [True, True, True, True, False, False, False],
    }
)
ASKED = {"by": ["ward", "day"], "count": ["smoker", "ill"], "epsilon": "1/2", "properties": "F"}


@pytest.fixture
def out(tmp_path):
    dc.release(PEOPLE, output=tmp_path / "out", **ASKED)
    return tmp_path / "out"


def test_the_manifest_says_what_was_done(out):
    facts = read_manifest(out)
    assert (facts.format, facts.version) == ("discreet release", 1)
    assert (facts.epsilon, facts.keys, facts.size, facts.groups) == ("1/2", ("ward", "day"), "n", 5)
    assert facts.groups_by_size == {"1": 3, "2": 2}
    assert [(count.name, count.epsilon) for count in facts.counts] == [("smoker", "1/4"), ("ill", "1/4")]
    assert (facts.engine, facts.properties, facts.level, facts.contributions_checked) == (
        "duckdb",
        "F",
        "people",
        False,
    )
    assert "NOT protected" in facts.guarantee
    assert "exp(1/2)" in facts.guarantee
    text = (out / "manifest.json").read_text()
    assert str(out.parent) not in text  # no path of the machine
    assert json.loads(text)["release"] == facts.release


def test_every_mechanism_has_its_proof_beside_it(out):
    facts = read_manifest(out)
    proofs = {path.stem for path in (out / "mechanisms").iterdir()}
    assert proofs == {name for count in facts.counts for name in count.mechanisms.values()}
    for path in (out / "mechanisms").iterdir():
        dc.verify(path)
        m = dc.load(path)
        assert m.id == path.stem
        assert m.epsilon == Fraction(1, 4)
        assert m.satisfies("F")


def test_alpha_is_kept_exactly(tmp_path):
    r = dc.release(PEOPLE, by="day", count="smoker", alpha="10/11")
    assert r.manifest.alpha == "10/11"
    assert {m.alpha for m in r.mechanisms.values()} == {Fraction(10, 11)}


@pytest.mark.parametrize("format", ["parquet", "csv", "jsonl"])
def test_formats_read_back_the_same(tmp_path, format):
    r = dc.release(PEOPLE, output=tmp_path / "out", format=format, **ASKED)
    again = dc.read_release(tmp_path / "out")
    names = ["ward", "day", "n", "smoker", "ill"]
    assert again.table.column_names == r.table.column_names == names
    assert again.table["ward"].to_pylist() == ["", "x", "x", "y", None]
    assert [str(day) for day in again.table["day"].to_pylist()] == ["3", "1", "2", "2", "3"]
    assert again.table["n"].to_pylist() == [1, 2, 1, 2, 1]
    assert (out_files := sorted(path.name for path in (tmp_path / "out").iterdir()))[1:] == [
        "mechanisms",
        f"table.{format}",
    ]
    assert out_files[0] == "manifest.json"


def test_a_release_in_memory_can_be_saved_later(tmp_path):
    r = dc.release(PEOPLE, **ASKED)
    saved = r.save(tmp_path / "out")
    assert dc.read_release(tmp_path / "out").table.equals(r.table)
    assert saved.manifest.release == r.manifest.release
    with pytest.raises(InvalidInput, match="exists already"):
        r.save(tmp_path / "out")


def test_frames_of_other_libraries(tmp_path):
    require("pandas")
    require("polars")
    r = dc.release(PEOPLE, **ASKED)
    assert list(r.to_pandas().columns) == r.to_polars().columns == ["ward", "day", "n", "smoker", "ill"]


@pytest.mark.parametrize(
    "what", ["table", "table missing", "proof", "proof missing", "other proof", "manifest", "version", "field"]
)
def test_what_does_not_belong_together_is_noticed(out, what):
    proofs = sorted((out / "mechanisms").iterdir())
    table, manifest = out / "table.parquet", out / "manifest.json"
    if what == "table":
        pa.parquet.write_table(dc.release(PEOPLE, **ASKED).table, table)
    elif what == "table missing":
        table.unlink()
    elif what == "proof":
        proofs[0].write_text(proofs[0].read_text() + " ")
    elif what == "proof missing":
        proofs[0].unlink()
    elif what == "other proof":
        proofs[0].write_bytes(proofs[1].read_bytes())
    elif what == "manifest":
        manifest.write_text("{")
    elif what == "version":
        manifest.write_text(manifest.read_text().replace('"version": 1', '"version": 2'))
    else:
        manifest.write_text(manifest.read_text().replace('"groups": 5', '"groups": "5"'))
    with pytest.raises(InvalidFile):
        dc.read_release(out)


def test_ten_tenths_fit_a_budget_of_one_exactly(tmp_path):
    ledger = open_ledger(tmp_path / "budget.db")
    ledger.open("people", budget=1)
    asked = {**ASKED, "epsilon": 0.1, "ledger": ledger}
    releases = [dc.release(PEOPLE, **asked) for _ in range(10)]
    assert ledger.remaining("people") == 0
    with pytest.raises(BudgetExceeded):
        dc.release(PEOPLE, **asked)
    assert len({r.manifest.release for r in releases}) == 10
    assert {r.manifest.dataset for r in releases} == {"people"}
    kinds = [entry.kind for entry in ledger.history("people")]
    assert kinds == ["open"] + ["reserve", "draw", "publish", "commit"] * 10


def test_resuming_asks_for_the_same_price_and_a_ledger(tmp_path):
    ledger = open_ledger(tmp_path / "budget.db")
    ledger.open("people", budget=1)
    entry = ledger.reserve("people", "1/2")
    with pytest.raises(BudgetError, match="1/2"):
        dc.release(PEOPLE, **{**ASKED, "epsilon": "1/4"}, ledger=ledger, resume=entry.release_id)
    with pytest.raises(InvalidInput, match="ledger"):
        dc.release(PEOPLE, **ASKED, resume=entry.release_id)
    r = dc.release(PEOPLE, **ASKED, ledger=ledger, resume=entry.release_id, output=tmp_path / "out")
    assert r.manifest.release == entry.release_id
    assert ledger.remaining("people") == Fraction(1, 2)
    again = dc.release(PEOPLE, **ASKED, ledger=ledger, resume=entry.release_id, output=tmp_path / "out")
    assert again.manifest == r.manifest  # finished already: the same release, not a new draw


def test_progress_for_people_and_for_programs():
    events: list[Progress] = []
    r = dc.release(PEOPLE, **ASKED, progress=events.append)
    assert [event.phase for event in events][:2] == ["reading", "counting"]
    assert events[-1].phase == "done"
    assert {"designing", "drawing"} <= {event.phase for event in events}
    text = io.StringIO()
    for event in events:
        json_lines_to(text)(event)
    assert [json.loads(line)["phase"] for line in text.getvalue().splitlines()] == [event.phase for event in events]
    text = io.StringIO()
    lines_to(text)(events[-1])
    assert "done 1 of 1" in text.getvalue()
    summary = r.to_dict()
    assert json.loads(json.dumps(summary)) == summary
    assert (summary["groups"], summary["sizes"], summary["epsilon"]) == (5, 2, "1/2")
    assert "5 groups at epsilon 1/2" in repr(r)


def test_a_plan_tells_price_mechanisms_and_error(tmp_path):
    ledger = open_ledger(tmp_path / "budget.db")
    ledger.open("people", budget="1/4")
    p = dc.plan(PEOPLE, **ASKED, ledger=ledger, contributions=2)
    assert (p.epsilon, dict(p.each)) == (Fraction(1, 2), {"smoker": Fraction(1, 8), "ill": Fraction(1, 8)})
    assert p.remaining == Fraction(1, 4)
    assert "DOES NOT FIT" in str(p)
    (line, *_) = p.lines
    assert (line.n, line.groups) == (1, 3)
    m = dc.fair(n=1, epsilon="1/8")
    assert (line.mechanism, line.truth) == (m.id, pytest.approx(float(m.truth(0))))
    assert line.margin == line.width == 1
    assert json.loads(json.dumps(p.to_dict()))["epsilon"] == "1/2"
    assert ledger.remaining("people") == Fraction(1, 4)


def test_what_a_plan_says_is_what_a_release_does():
    p, r = dc.plan(PEOPLE, **ASKED), dc.release(PEOPLE, **ASKED)
    assert p.guarantee == r.manifest.guarantee
    for line in p.lines:
        assert r.mechanism(line.n, line.count).id == line.mechanism


def test_each_group_has_a_draw_of_its_own():
    """2,000 equal groups, one word each: a value given to all would have chance below 1e-600."""
    table = pa.table({"g": list(range(2000)), "ill": [2] * 2000})
    drawn = dc.release(table, by="g", count="ill", size=4, epsilon=1, properties="F").table["ill"].to_pylist()
    assert set(drawn) == {0, 1, 2, 3, 4}
    halves = [a == b for a, b in zip(drawn[::2], drawn[1::2], strict=True)]
    assert 100 < sum(halves) < 600  # 1,000 pairs agree with chance 0.27 each: off with chance below 1e-30


@pytest.mark.parametrize("name", ["release-v1", "release-v1-csv"])
def test_a_release_of_format_1_stays_readable(name):
    r = dc.read_release(Path(__file__).parent.parent / "fixtures" / name)
    assert (r.manifest.version, r.manifest.epsilon, r.manifest.properties) == (1, "1/2", "CM WH")
    assert r.table["ward"].to_pylist() == ["x", "y", None]
    assert r.table["n"].to_pylist() == [3, 1, 1]
    assert all(0 <= count <= 3 for count in r.table["smokers"].to_pylist())
    assert r.mechanism(3, "smokers").satisfies("WH CM")
    assert dc.estimate(r, count="ill").total is not None


def test_plans_and_releases_in_a_notebook_are_escaped(tmp_path):
    hostile = "<script>alert(1)</script>"
    people = pa.table({hostile: [f"<b>{k}</b>" for k in range(12)], "smoker": [k % 2 for k in range(12)]})
    asked = {"by": hostile, "count": {"a & b": "smoker", "c": "smoker = 1"}, "epsilon": 1, "properties": "F"}
    plan = dc.plan(people, **asked, contributions=2)._repr_html_()
    assert "a &amp; b" in plan and "rows a person" in plan and "±" in plan
    made = dc.release(people, **asked)
    for shown in (made, made.save(tmp_path / "out"), dc.read_release(tmp_path / "out")):
        html = shown._repr_html_()
        assert "&lt;script&gt;" in html and "&lt;b&gt;0&lt;/b&gt;" in html and "2 more in .table" in html
        assert hostile not in html and html.count("<table>") == html.count("</table>") == 2
    assert hostile not in plan and plan.count("<tr>") == plan.count("</tr>")


SENSITIVE = pa.table(
    {
        "who": [1, 2, 3, 4],
        "hiv": ["yes", "no", "no", "yes"],
        "age": [30, 40, 50, 60],
        "smoker": [True, False, True, True],
    }
)


def texts_of(source, tmp_path, **asked):
    """Every text in which a plan or a release shows itself."""
    p = dc.plan(source, **asked, epsilon=1)
    yield from (str(p), p._repr_html_(), p.to_dict()["public"])
    r = dc.release(source, **asked, epsilon=1)
    for made in (r, r.save(tmp_path / "out"), dc.read_release(tmp_path / "out")):
        yield from (str(made), made._repr_html_(), made.to_dict()["public"], made.public)


def test_what_is_public_because_it_is_a_key_a_filter_or_a_person_is_named(tmp_path):
    """Whoever groups by a sensitive column is told that it is published as it is."""
    asked = {"by": "hiv", "count": "smoker", "where": "age > 20", "unit": "who"}
    for text in texts_of(SENSITIVE, tmp_path, **asked):
        flat = " ".join(text.replace("&gt;", ">").split())
        assert "hiv (key), n (size of each group), age > 20 (filter of rows), who (who is who)" in flat
        assert "published or used as they are" in flat


def test_the_filter_of_a_query_is_named_too(tmp_path):
    pa.parquet.write_table(SENSITIVE, tmp_path / "people.parquet")
    query = f"SELECT age, smoker FROM '{tmp_path}/people.parquet' WHERE hiv = 'yes'"
    for text in texts_of(query, tmp_path, by="age", count="smoker"):
        assert "filter reads hiv" in " ".join(text.split()).replace("&#x27;", "'")


def test_the_column_of_sizes_is_named(tmp_path):
    counts = pa.table({"g": [1, 2], "patients": [3, 4], "ill": [1, 2]})
    assert "patients (size of each group)" in str(dc.plan(counts, by="g", count="ill", size="patients", epsilon=1))
    assert "g (key), 7" not in str(dc.plan(counts, by="g", count="ill", size=7, epsilon=1))
