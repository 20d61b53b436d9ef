"""`discreet report`, and the files that `discreet estimate` writes."""

import csv
import inspect
import json
import shutil
from pathlib import Path

import pytest
from tests.cli.test_frame import invoke
from tests.conftest import require

import discreet as dc
from discreet.cli.commands.report_command import report_command

require("tables")

FIXTURES = Path(__file__).parents[1] / "fixtures"


@pytest.fixture
def bundle(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shutil.copytree(FIXTURES / "release-ranges", "published")
    return dc.estimate("published")


def test_a_report_by_command(bundle):
    said = invoke("report", "published", "-o", "r.html", "--title", "Ours").splitlines()
    assert (
        said[:2] == [f"report: {Path('r.html').resolve()}", "title: Ours"]
        and "in a browser" in said[2]
    )
    assert "-o report.xlsx" in invoke("report", "published", "--format", "xlsx", code=2)
    assert "<h1>Ours</h1>" in Path("r.html").read_text(encoding="utf-8")
    facts = json.loads(invoke("report", "published", "-o", "r.xlsx", "--json"))
    assert (
        facts["methods"] == dc.report("published").methods
        and Path("r.xlsx").read_bytes()[:2] == b"PK"
    )
    assert set(inspect.signature(dc.report).parameters) == {
        p.name for p in report_command.params
    } - {"as_json"}


def test_a_report_without_a_name_is_named_after_the_release(bundle):
    assert invoke("report", "published").startswith(
        f"report: {Path('published-report.html').resolve()}\n"
    )
    assert Path("published-report.html").exists()
    assert "--overwrite" in invoke("report", "published", code=2)


def test_the_table_to_quote_as_a_file(bundle):
    text = invoke("estimate", "published", "--csv", "q.csv", "--byte-order-mark", "--details")
    assert text.startswith("Estimate of") and "q.csv:" in text
    data = Path("q.csv").read_bytes()
    rows = list(csv.DictReader(data.decode("utf-8-sig").splitlines()))
    assert (
        data.startswith(b"\xef\xbb\xbf")
        and sum(int(row["whole"]) for row in rows) == bundle.adding_up().total
    )
    key = next(iter(bundle.sample.keys))
    invoke("estimate", "published", "--by", key, "--csv", "q.csv", "--overwrite", "--json")
    rows = list(csv.DictReader(Path("q.csv").read_text(encoding="utf-8").splitlines()))
    assert len(rows) == len(set(bundle.sample.keys[key].tolist()))


@pytest.mark.slow
def test_a_figure_by_command(bundle):
    require("plots")
    assert "picture: e.svg (totals and groups)" in invoke(
        "estimate", "published", "--plot", "e.svg"
    )
    assert Path("e.svg").read_text(encoding="utf-8").startswith("<svg")
    key = next(iter(bundle.sample.keys))
    assert f"picture: s.svg (numbers by {key})" in invoke(
        "estimate", "published", "--by", key, "--plot", "s.svg"
    )
    assert "Groups" in Path("e.svg").read_text(encoding="utf-8")
    assert "Groups" not in Path("s.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ["report", "published", "-o", "there.html"],
            "there.html exists already: choose another --output, or give --overwrite",
        ),
        (["report", "published", "-o", "r.pdf"], "--output must end in .html or .xlsx, not r.pdf"),
        (
            ["report", "published", "-o", "no/r.html"],
            "--output must name a file in a folder that exists",
        ),
        (
            ["report", "published", "-o", "r.html", "--confidence", "2"],
            "--confidence must be between 0 and 1",
        ),
        (
            ["estimate", "published", "--csv", "there.html"],
            "there.html exists already: choose another --csv, or give --overwrite",
        ),
        (
            ["estimate", "published", "--csv", "q.csv", "--scores", "own"],
            "--csv is the table to quote; leave out --scores, or it",
        ),
        (
            ["estimate", "published", "--plot", "e.gif"],
            "--plot must end in .png, .svg, .pdf or .html, not e.gif",
        ),
        (
            ["estimate", "published", "--plot", "e.png", "--change-from", "published"],
            "--plot draws the estimates; leave out --change-from, or it",
        ),
        (
            ["estimate", "published", "--csv", "q.csv", "--plot", "no/e.svg"],
            "--plot must name a file in a folder that exists",
        ),
        (
            ["estimate", "published", "--byte-order-mark"],
            "--byte-order-mark is for a CSV file: give --csv too",
        ),
    ],
    ids=lambda value: " ".join(value)[:50] if isinstance(value, list) else "",
)
def test_what_cannot_be_written_is_refused(bundle, words, said):
    Path("there.html").write_text("")
    assert said in invoke(*words, code=2)
    assert sorted(path.name for path in Path().iterdir()) == ["published", "there.html"]
