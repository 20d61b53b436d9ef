"""The worked pipeline of docs/old/jobs.md, as it stands in examples/: Spark, PostgreSQL, interrupted and repeated."""

from __future__ import annotations

import importlib.util
import json
import shlex
from fractions import Fraction
from pathlib import Path

import pytest
from tests.conftest import require

require("spark")
require("postgres")

import pyarrow as pa
import pyarrow.parquet as pq
from tests.tables.sources import quick_spark_session

import discreet as dc
from discreet.core import progress
from discreet.ledger import open_ledger

EXAMPLES = Path(__file__).parents[2] / "examples"

pytestmark = [
    pytest.mark.spark,
    pytest.mark.postgres,
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
]


@pytest.fixture(scope="module")
def monthly():
    spec = importlib.util.spec_from_file_location(
        "monthly_release", EXAMPLES / "monthly_release.py"
    )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_monthly_job_is_paid_once_and_published_once(
    monthly, postgres, tmp_path, capsys, monkeypatch
):
    monkeypatch.setattr(
        monthly.SparkSession, "_instantiatedSession", quick_spark_session()
    )  # what the job finds
    people = [
        (f"p{k}", "north" if k % 12 < 6 else "south", f"c{k % 12}", k % 3 == 0) for k in range(96)
    ]
    columns = dict(
        zip(
            ("person", "region", "clinic", "smoker"),
            map(list, zip(*people, strict=True)),
            strict=True,
        )
    )
    pq.write_table(pa.table(columns), tmp_path / "people.parquet")
    (tmp_path / "published").mkdir()
    url, log = postgres(), tmp_path / "log"
    ledger = open_ledger(url)
    ledger.open("patients", budget=1)
    words = [
        "--people",
        str(tmp_path / "people.parquet"),
        "--published",
        str(tmp_path / "published"),
    ]
    words += ["--ledger", url, "--log", str(log), "--month", "2026-11"]

    def stop(reached):
        if reached == "written":
            raise KeyboardInterrupt

    progress.watch(stop)
    try:
        with pytest.raises(KeyboardInterrupt):
            monthly.main(words)
    finally:
        progress.watch(None)
    assert monthly.main(words) == 0  # the next hour
    assert monthly.main(words) == 0  # and the one after
    first, again = (
        json.loads(line) for line in capsys.readouterr().out.splitlines() if line.startswith("{")
    )
    assert (first["already"], again["already"]) == (False, True) and first["release"] == again[
        "release"
    ]
    assert ledger.remaining("patients") == Fraction(11, 12)
    assert [path.name for path in (tmp_path / "published").iterdir()] == ["2026-11"]
    facts = dc.read_release(tmp_path / "published" / "2026-11").manifest
    assert (facts.caller, facts.release) == ("2026-11", first["release"])
    events = [
        json.loads(line)["event"] for line in log.read_text().splitlines() if '"event"' in line
    ]
    assert events == ["start", "spend", "fail", "start", "take up", "publish", "end", "already"]
    assert monthly.main([*words[:-1], "November 2026"]) == 2
    assert "`run_id` must be 1 to 128" in capsys.readouterr().err


def test_the_line_of_the_crontab_starts_the_job(monthly):
    *_, line = (EXAMPLES / "crontab").read_text().splitlines()
    *when, command = line.split(maxsplit=5)
    assert len(when) == 5
    python, script, *words = shlex.split(command)
    assert (python, script) == ("python", "examples/monthly_release.py")
    assert monthly.options(words).ledger.startswith("postgresql://")
