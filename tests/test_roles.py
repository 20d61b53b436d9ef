"""The jobs of five roles, done by the documentation alone: the scripts in examples/roles, run as they stand."""

import json
import os
import random
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from tests.conftest import require
from tests.forked import Forked

import discreet as dc

ROLES = Path(__file__).parents[1] / "examples" / "roles"
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def commands(tmp_path_factory):
    """A folder with the command `discreet`, for the path."""
    forked = Forked(tmp_path_factory.mktemp("bin"))
    yield forked.folder
    forked.close()


@pytest.fixture
def run(tmp_path, commands):
    """Run a role's script in a folder of its own, as a person would; what it prints is returned."""
    for component in ("tables", "plots", "pandas"):
        require(component)
    paths = [str(Path(dc.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    environment = {
        **os.environ,
        "PATH": f"{commands}{os.pathsep}{os.environ['PATH']}",
        "DISCREET_CACHE": str(tmp_path / "cache"),
        "PYTHONPATH": os.pathsep.join(filter(None, paths)),
    }

    def script(name, *words):
        interpreter = "sh" if name.endswith(".sh") else sys.executable
        done = subprocess.run(
            [interpreter, str(ROLES / name), *words],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, f"{name}: {done.stdout[-2000:]}{done.stderr[-2000:]}"
        return done.stdout

    return script


def people(rows=400):
    chance = random.Random(18)
    made = [
        (k, "north" if k % 40 < 25 else "south", f"c{k % 40:02d}", int(chance.random() < 0.3))
        for k in range(rows)
    ]
    return [dict(zip(("person", "region", "clinic", "smoker"), row, strict=True)) for row in made]


def csv(path, rows):
    path.write_text(
        "\n".join([",".join(rows[0]), *(",".join(map(str, row.values())) for row in rows)]) + "\n"
    )
    return path.name


def test_the_data_steward_and_then_the_analyst(run, tmp_path):
    said = run("data_steward.sh", csv(tmp_path / "people.csv", people()))
    assert "patients: budget 1.5, 1.5 left" in said
    assert dc.open_ledger(tmp_path / "budget.db", create=False).remaining("patients") == Fraction(
        1, 2
    )
    for file in (
        "report.html",
        "report.xlsx",
        "regions.csv",
        "release.toml",
        "head.txt",
        "ledger.backup",
    ):
        assert (tmp_path / file).stat().st_size > 0
    assert not (tmp_path / "again").exists()

    said = run("analyst.py", "published")
    assert (
        "private count: smoker" in said
        and "Take two tables that differ only in the protected bits" in said
    )
    assert (tmp_path / "quote.csv").read_bytes().startswith(b"\xef\xbb\xbfregion,") and (
        tmp_path / "totals.svg"
    ).exists()


def test_the_researcher(run, tmp_path):
    said = run("researcher.py")
    assert "exactly private at alpha" in said and "not refuted" in said
    assert "\\begin{tabular}" in (tmp_path / "comparison.tex").read_text()
    assert dc.verify(tmp_path / "best.json").optimal
    assert dc.read_release(tmp_path / "simulated").manifest.mechanisms_given


def test_the_data_engineer(run, tmp_path):
    import pyarrow as pa
    import pyarrow.parquet as pq

    pq.write_table(pa.Table.from_pylist(people()), tmp_path / "people.parquet")
    first, again = (
        json.loads(run("data_engineer.py", "people.parquet", "2026-11")) for _ in range(2)
    )
    assert (first.pop("already"), again.pop("already")) == (False, True) and first == again
    assert dc.open_ledger(tmp_path / "budget.db").remaining("patients") == Fraction(11, 12)
    events = [
        json.loads(line)["event"] for line in (tmp_path / "releases.log").read_text().splitlines()
    ]
    assert events[-1] == "already" and {"start", "spend", "publish", "end"} <= set(events)


def test_the_teacher_without_python(run, tmp_path):
    rows = [
        {"class": f"{grade}{letter}", "pupils": 24, "bullied": grade % 5}
        for grade in range(5, 11)
        for letter in "abc"
    ]
    said = run("teacher.sh", csv(tmp_path / "classes.csv", rows))
    assert "EM" in said and "left" in said
    assert dc.open_ledger(tmp_path / "school.db").remaining("pupils") == Fraction(1, 2)
    assert all(
        (tmp_path / file).exists()
        for file in ("fair.png", "parents.html", "parents.xlsx", "fair.json")
    )
