"""What comes out: table, manifest and proofs that belong together, under a ledger that adds up."""

from __future__ import annotations

import io
import json
import shutil
from fractions import Fraction
from pathlib import Path

import pytest
from tests.conftest import require
from tests.tables.bundles import manifest_of, proofs_of, write_manifest, write_proofs

require("tables")

import pyarrow as pa
import pyarrow.parquet

import discreet as dc
from discreet.core.progress import Progress, json_lines_to, lines_to
from discreet.errors import BudgetError, BudgetExceeded, InvalidFile, InvalidInput
from discreet.ledger import open_ledger
from discreet.proof import verify_all
from discreet.tables.asking.request import Request, question_digest
from discreet.tables.published.bundle import holds
from discreet.tables.published.manifest import Excess, Public, file_digest
from discreet.tables.published.manifest_files import read_manifest

FIXTURES = Path(__file__).parent.parent / "fixtures"

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
    assert [(count.name, count.epsilon) for count in facts.counts] == [
        ("smoker", "1/4"),
        ("ill", "1/4"),
    ]
    assert [(count.share, count.domain) for count in facts.counts] == [
        ("1/2", {"kind": "counts"})
    ] * 2
    assert (facts.engine, facts.properties, facts.source) == ("duckdb", "F", "people")
    assert (facts.contributions_checked, facts.escaped, facts.caller, facts.wording) == (
        False,
        False,
        "",
        1,
    )
    assert facts.public == Public(keys=("ward", "day"))
    assert facts.excess == Excess(rows="refuse", keys="refuse")
    assert facts.question == question_digest(Request(**ASKED))
    assert [(level.keys, level.share) for level in facts.levels] == [(("ward", "day"), "1/1")]
    assert "NOT protected" in facts.guarantee
    assert "exp(1/2)" in facts.guarantee
    text = (out / "manifest.json").read_text()
    assert str(out.parent) not in text  # no path of the machine
    assert json.loads(text)["release"] == facts.release


def test_every_mechanism_has_its_proof_beside_it(out, tmp_path):
    """One for all the sizes that a theorem answers for, and one for each other mechanism."""
    proofs, r = proofs_of(out), dc.read_release(out)
    assert set(proofs) == read_manifest(out).mechanism_ids
    assert [list(count.mechanisms) for count in r.manifest.counts] == [["1", "2"]] * 2
    for name, data in proofs.items():
        file = tmp_path / f"{name}.json"
        file.write_bytes(data)  # an entry is a proof file like any other
        assert dc.verify(file).id == name
        with pytest.raises(InvalidFile, match="of a family"):
            dc.load(file)
    for n in (1, 2):
        m = r.mechanism(n, "ill")
        assert (m.n, m.epsilon, m.id) == (n, Fraction(1, 4), r.mechanism(n, "smoker").id)
        assert m.satisfies("F")
        assert r.mechanisms[m.id] == m


def test_a_csv_may_begin_with_a_byte_order_mark(tmp_path):
    people = pa.table(
        {"region": ["Süd", "Süd", "Ost"], "g": ["a", "b", "c"], "ill": [True, False, True]}
    )
    asked = {
        "by": ["region", "g"],
        "count": "ill",
        "epsilon": 1,
        "levels": "rollup",
        "intervals": "0.9",
    }
    out = tmp_path / "out"
    r = dc.release(people, **asked, format="csv", byte_order_mark=True, output=out)
    tables = sorted(out.glob("*.csv"))
    assert len(tables) == 3 and all(
        table.read_bytes().startswith(b"\xef\xbb\xbf") for table in tables
    )
    again = dc.read_release(out)
    assert again.table.equals(r.table) and again.table.column_names[0] == "region"
    plain = again.save(tmp_path / "plain", format="csv")
    marked = plain.save(tmp_path / "marked", format="csv", byte_order_mark=True)
    for table in tables:
        assert (
            table.read_bytes() == b"\xef\xbb\xbf" + (tmp_path / "plain" / table.name).read_bytes()
        )
        assert table.read_bytes() == (tmp_path / "marked" / table.name).read_bytes()
    assert dc.estimate(marked).total.value == dc.estimate(plain).total.value
    assert {path.suffix for path in out.iterdir()} == {".csv", ".json", ".zip"}, (
        "and nothing is left behind"
    )
    with pytest.raises(InvalidInput, match=r"byte_order_mark.*format='csv'"):
        dc.release(people, **asked, byte_order_mark=True, output=tmp_path / "no")


def test_tables_have_the_format_of_the_source_unless_one_is_asked_for(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    people = pa.table({"g": ["a", "a", "b"], "ill": [1, 0, 1]})
    pyarrow.parquet.write_table(people, "people.parquet")
    text = "g,ill\na,1\na,0\nb,1\n"
    for name in ("people.csv", "people.tsv", "people.data", "parts/1.csv", "parts/2.csv"):
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(text.replace(",", "\t") if name.endswith("tsv") else text)
    asked = {"by": "g", "count": "ill", "epsilon": 1}
    given = {
        "people.data": {"read": {"format": "csv"}},
        "people.tsv": {"read": {"delimiter": "\t"}},
    }
    textual = [
        "people.csv",
        "people.tsv",
        "people.data",
        "parts",
        "SELECT g, ill FROM 'people.csv'",
    ]
    for place, source in enumerate([*textual, "people.parquet", people]):
        more = given.get(source, {}) if isinstance(source, str) else {}
        wanted = "csv" if source in textual else "parquet"
        made = dc.release(source, **asked, **more, output=f"out{place}")
        assert (made.manifest.table_format, made.manifest.finest.table) == (
            wanted,
            f"table.{wanted}",
        ), source
        held = dc.release(source, **asked, **more)
        assert held.save(f"saved{place}").manifest.table_format == wanted
        assert dc.read_release(f"out{place}").save(f"copy{place}").manifest.table_format == wanted
        assert (
            dc.retrofit(dc.read_release(f"out{place}")).save(f"fair{place}").manifest.table_format
            == wanted
        )
    assert (
        dc.release("people.csv", **asked, output="said", format="parquet").manifest.table_format
        == "parquet"
    )
    assert (
        dc.release(
            "people.csv", **asked, output="marked", byte_order_mark=True
        ).manifest.table_format
        == "csv"
    )
    with pytest.raises(InvalidInput, match=r"escape_formulas.*format='csv'"):
        dc.release("people.parquet", **asked, escape_formulas=True, output="no")
    assert not Path("no").exists()


def test_what_was_asked_stands_in_the_manifest(tmp_path):
    counts = pa.table({"g": ["=1", "b"], "patients": [3, 4], "ill": [1, 2]})
    asked = {
        "by": "g",
        "count": "ill",
        "size": "patients",
        "epsilon": 1,
        "keys": ["=1"],
        "other_keys": "drop",
    }
    r = dc.release(counts, **asked, format="csv", escape_formulas=True, output=tmp_path / "out")
    assert (r.manifest.source, r.manifest.public.size, r.manifest.escaped) == (
        "counts",
        "patients",
        True,
    )
    assert r.manifest.excess == Excess(rows="refuse", keys="drop")
    assert "g and the size of each group (patients) are published" in str(
        dc.read_release(tmp_path / "out")
    )
    in_memory = dc.release(
        PEOPLE, by="day", count="smoker", epsilon=1, format="csv", escape_formulas=True
    )
    assert not in_memory.manifest.escaped
    assert in_memory.save(tmp_path / "csv", format="csv", escape_formulas=True).manifest.escaped
    assert not in_memory.save(tmp_path / "plain", format="csv").manifest.escaped
    dropped = dc.release(
        SENSITIVE, by="hiv", count="smoker", epsilon=1, unit="who", excess="drop"
    ).manifest
    assert (dropped.excess.rows, dropped.public.unit) == ("drop", "who")


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
        "proofs.zip",
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
    assert (
        list(r.to_pandas().columns)
        == r.to_polars().columns
        == ["ward", "day", "n", "smoker", "ill"]
    )


@pytest.mark.parametrize(
    "what",
    [
        "table",
        "table missing",
        "proofs",
        "proofs missing",
        "proof missing",
        "manifest",
        "version",
        "field",
    ],
)
def test_what_does_not_belong_together_is_noticed(out, what):
    table, manifest, proofs = out / "table.parquet", out / "manifest.json", out / "proofs.zip"
    if what == "table":
        pa.parquet.write_table(dc.release(PEOPLE, **ASKED).table, table)
    elif what == "table missing":
        table.unlink()
    elif what == "proofs":
        proofs.write_bytes(proofs.read_bytes() + b" ")
    elif what == "proofs missing":
        proofs.unlink()
    elif what == "proof missing":
        write_proofs(out, dict(list(proofs_of(out).items())[1:]))
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
    with pytest.raises(BudgetError, match="epsilon 0.5"):
        dc.release(PEOPLE, **{**ASKED, "epsilon": "1/4"}, ledger=ledger, resume=entry.release_id)
    with pytest.raises(InvalidInput, match="ledger"):
        dc.release(PEOPLE, **ASKED, resume=entry.release_id)
    r = dc.release(PEOPLE, **ASKED, ledger=ledger, resume=entry.release_id, output=tmp_path / "out")
    assert r.manifest.release == entry.release_id
    assert ledger.remaining("people") == Fraction(1, 2)
    again = dc.release(
        PEOPLE, **ASKED, ledger=ledger, resume=entry.release_id, output=tmp_path / "out"
    )
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
    assert [json.loads(line)["phase"] for line in text.getvalue().splitlines()] == [
        event.phase for event in events
    ]
    text = io.StringIO()
    lines_to(text)(events[-1])
    assert "done 1 of 1" in text.getvalue()
    summary = r.to_dict()
    assert json.loads(json.dumps(summary)) == summary
    assert (summary["groups"], summary["sizes"], summary["epsilon"]) == (5, 2, "1/2")
    assert "5 groups at epsilon 0.5" in repr(r)


def test_a_plan_tells_price_mechanisms_and_error(tmp_path):
    ledger = open_ledger(tmp_path / "budget.db")
    ledger.open("people", budget="1/4")
    p = dc.plan(PEOPLE, **ASKED, ledger=ledger, contributions=2)
    assert (p.epsilon, dict(p.each)) == (
        Fraction(1, 2),
        {"smoker": Fraction(1, 8), "ill": Fraction(1, 8)},
    )
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
    drawn = (
        dc.release(table, by="g", count="ill", size=4, epsilon=1, properties="F")
        .table["ill"]
        .to_pylist()
    )
    assert set(drawn) == {0, 1, 2, 3, 4}
    halves = [a == b for a, b in zip(drawn[::2], drawn[1::2], strict=True)]
    assert (
        100 < sum(halves) < 600
    )  # 1,000 pairs agree with chance 0.27 each: off with chance below 1e-30


@pytest.mark.parametrize(
    ("name", "count", "size"), [("release", "smokers", 3), ("release-csv", "ill", 2)]
)
def test_a_release_stays_readable(name, count, size):
    folder = FIXTURES / name
    r = dc.read_release(folder)
    assert r.manifest.text == (folder / "manifest.json").read_text()
    assert holds(folder, file_digest(folder / "manifest.json")) == r.manifest
    assert r.mechanism(size, count).n == size
    assert dc.estimate(folder, count=count).total is not None
    assert (
        {report.id for report in verify_all(folder)}
        == set(r.mechanisms)
        == r.manifest.mechanism_ids
    )


def test_a_release_by_ranges_of_sizes_stays_readable():
    folder = FIXTURES / "release-ranges"
    r = dc.read_release(folder)
    assert r.manifest.text == (folder / "manifest.json").read_text()
    (count,) = r.manifest.counts
    assert list(count.mechanisms) == ["0", "1", "2-7", "40-1000000000"]
    assert count.mechanisms["1"] == count.mechanisms["40-1000000000"]  # one family in two ranges
    assert [r.mechanism(n).n for n in (0, 1, 7, 60, 10**9)] == [0, 1, 7, 60, 10**9]
    assert {report.id for report in verify_all(folder)} == r.manifest.mechanism_ids
    with pytest.raises(InvalidInput, match="group size of the release"):
        r.mechanism(41)


@pytest.mark.parametrize(
    "edit",
    [
        lambda m: {**m, "2-7": m["1"]},
        lambda m: {**m, "1": m["2-7"]},
        lambda m: {("2-8" if k == "2-7" else k): v for k, v in m.items()},
        lambda m: {("2-3" if k == "2-7" else k): v for k, v in m.items()},
        lambda m: {("1-7" if k == "2-7" else k): v for k, v in m.items()},
        lambda m: {("3-2" if k == "2-7" else k): v for k, v in m.items()},
        lambda m: {("02-7" if k == "2-7" else k): v for k, v in m.items()},
        lambda m: {**m, "3": m["2-7"]},
        lambda m: {k: v for k, v in m.items() if k != "1"},
        lambda m: {k: v for k, v in m.items() if k != "0"},
        lambda m: {**m, "7-1000000000": m["1"]},
        lambda m: {"0-1000000000": m["1"]},
        lambda m: {**m, "1": "geometric"},
    ],
)
def test_ranges_that_do_not_fit_the_sizes_or_the_family_are_refused(tmp_path, edit):
    folder = Path(shutil.copytree(FIXTURES / "release-ranges", tmp_path / "out"))
    manifest = manifest_of(folder)
    count = manifest["levels"][0]["counts"][0]
    count["mechanisms"] = edit(count["mechanisms"])
    write_manifest(folder, manifest)
    with pytest.raises(InvalidFile):
        dc.read_release(folder)


def test_what_the_kept_bundles_say():
    people, counts = (
        dc.read_release(FIXTURES / name).manifest for name in ("release", "release-csv")
    )
    assert people.public == Public(keys=("ward",), where="ward is null or ward <> 'q'", unit="who")
    assert [(count.name, count.share, count.epsilon) for count in people.counts] == [
        ("smokers", "2/3", "1/1"),
        ("ill", "1/3", "1/2"),
    ]
    assert (people.excess.rows, people.confidence, people.escaped, people.source) == (
        "drop",
        "9/10",
        False,
        "people",
    )
    assert (counts.excess.keys, counts.public.size, counts.escaped, counts.source) == (
        "drop",
        "patients",
        True,
        "counts",
    )


def later(folder, **changes):
    manifest = manifest_of(folder)
    level = manifest["levels"][0]
    for name, value in changes.items():
        (manifest if name in manifest else level if name in level else level["counts"][0])[name] = (
            value
        )
    write_manifest(folder, manifest)


@pytest.mark.parametrize(
    "changes",
    [
        {"version": 2},
        {"wording": 99},
        {"domain": {"kind": "trees"}},
        {"domain": {"kind": "counts", "step": 2, "of": "scores"}},
    ],
)
def test_what_a_later_program_writes_is_said_to_be_that(out, changes):
    later(out, **changes)
    with pytest.raises(InvalidFile, match="a newer discreet reads it"):
        dc.read_release(out)


def test_the_same_proofs_give_the_same_bytes(out, tmp_path):
    first = (out / "proofs.zip").read_bytes()
    write_proofs(out, dict(reversed(proofs_of(out).items())))
    assert (out / "proofs.zip").read_bytes() == first


def test_more_mechanisms_than_a_bundle_holds_are_refused_before_anything_is_spent(
    tmp_path, monkeypatch
):
    ledger = open_ledger(tmp_path / "budget.db")
    ledger.open("people", budget=1)
    monkeypatch.setattr("discreet.proof.container.MAX_ENTRIES", 1)
    with pytest.raises(InvalidInput, match="at most 1 different mechanisms"):
        dc.release(PEOPLE, **ASKED, ledger=ledger, output=tmp_path / "new")
    assert ledger.remaining("people") == 1
    with pytest.raises(InvalidInput, match="at most 1 different mechanisms"):
        dc.release(PEOPLE, **ASKED).save(tmp_path / "new")


def test_plans_and_releases_in_a_notebook_are_escaped(tmp_path):
    hostile = "<script>alert(1)</script>"
    people = pa.table(
        {hostile: [f"<b>{k}</b>" for k in range(12)], "smoker": [k % 2 for k in range(12)]}
    )
    asked = {
        "by": hostile,
        "count": {"a & b": "smoker", "c": "smoker = 1"},
        "epsilon": 1,
        "properties": "F",
    }
    plan = dc.plan(people, **asked, contributions=2)._repr_html_()
    assert "a &amp; b" in plan and "rows a person" in plan and "±" in plan
    made = dc.release(people, **asked)
    for shown in (made, made.save(tmp_path / "out"), dc.read_release(tmp_path / "out")):
        html = shown._repr_html_()
        assert (
            "&lt;script&gt;" in html
            and "&lt;b&gt;0&lt;/b&gt;" in html
            and "2 more in .table" in html
        )
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
        assert (
            "hiv and the size of each group (n) are published as they are. Rows are filtered: age > 20."
            in flat
        )
        assert "who tells people apart, and is never published" in flat


def test_the_filter_of_a_query_is_named_too(tmp_path):
    pa.parquet.write_table(SENSITIVE, tmp_path / "people.parquet")
    query = f"SELECT age, smoker FROM '{tmp_path}/people.parquet' WHERE hiv = 'yes'"
    for text in texts_of(query, tmp_path, by="age", count="smoker"):
        assert "filter reads hiv" in " ".join(text.split()).replace("&#x27;", "'")


def test_the_column_of_sizes_is_named(tmp_path):
    counts = pa.table({"g": [1, 2], "patients": [3, 4], "ill": [1, 2]})
    assert "the size of each group (patients)" in str(
        dc.plan(counts, by="g", count="ill", size="patients", epsilon=1)
    )
    assert "g (key), 7" not in str(dc.plan(counts, by="g", count="ill", size=7, epsilon=1))


def test_proofs_that_this_machine_keeps_are_not_checked_again_by_reading_and_always_by_verifying(
    tmp_path, monkeypatch
):
    from discreet.tables.published import result

    checked: list[str] = []
    real = result.reported

    def counted(data, **more):
        report, entry = real(data, **more)
        checked.append(entry.id)
        return report, entry

    monkeypatch.setattr(result, "reported", counted)
    monkeypatch.setenv("DISCREET_CACHE", str(tmp_path / "designs"))
    rows = pa.table(
        {"ward": ["x"] * 5 + ["y"] * 4, "ill": [k % 2 == 0 for k in range(5)] + [True] * 4}
    )
    dc.release(
        rows,
        by="ward",
        count="ill",
        alpha="10/11",
        properties="CM",
        loss="L1",
        output=tmp_path / "out",
    )
    again = dc.release(
        rows, by="ward", count="ill", alpha="10/11", properties="CM", loss="L1"
    )  # designs are kept now
    kept = dc.read_release(tmp_path / "out")
    assert (
        dict(kept.mechanisms) == dict(again.mechanisms)
        and len(kept.mechanisms) == 2
        and checked == []
    )
    assert all(one.origin.certificate.optimal for one in kept.mechanisms.values())
    reports = result.verified_release(tmp_path / "out")[1]
    assert list(reports) == list(kept.mechanisms) and len(checked) == 2
    monkeypatch.setenv("DISCREET_CACHE", str(tmp_path / "elsewhere"))
    assert dict(dc.read_release(tmp_path / "out").mechanisms) == dict(kept.mechanisms)
    assert len(checked) == 4, "another machine checks what it reads"
