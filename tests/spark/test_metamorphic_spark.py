"""One person moves one count by one and nothing else, on Spark: fifty predicates from its whole catalogue."""

from __future__ import annotations

from random import Random

import pytest
from tests.conftest import require

require("spark")
require("tables")

from tests.metamorphic.capabilities import CAPABILITIES
from tests.metamorphic.capped import make_capped, make_present, moved_capped
from tests.metamorphic.laws import broken, broken_plan
from tests.metamorphic.outcomes import Counted, counted, planned
from tests.metamorphic.sources import arrow_table
from tests.metamorphic.spark_running import run_spark, small_plans
from tests.tables.sources import spark_session

from discreet.tables.engines.spark.spark_engine import SparkEngine

pytestmark = [
    pytest.mark.spark,
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
]


def test_one_person_moves_one_count_by_one():
    tally = run_spark(spark_session(), "0", 50)
    assert not tally.breaks, str(tally)
    assert tally.cases >= 50
    assert tally.released > 10


def test_one_person_joins_leaves_answers_or_moves_under_a_cap(tmp_path):
    """One unit of one group, or of two if somebody moves: these seeds have each of the four."""
    session, moved = spark_session(), set()
    with small_plans(session):
        for seed in (0, 1, 6, 18):
            case = make_capped(Random(seed), "parquet", tmp_path, 0)
            frames = [
                session.createDataFrame(arrow_table(table)).coalesce(1)
                for table in (case.before, case.after)
            ]
            before, after = (counted(frame, case.words) for frame in frames)
            assert isinstance(before, Counted) and isinstance(after, Counted), seed
            assert not moved_capped(case, before, after), seed
            fewer = len(case.after["person"].values) - len(case.before["person"].values)
            moved.add(
                "leaves"
                if fewer < 0
                else "joins"
                if fewer > 0
                else "moves"
                if case.limit == 2
                else "answers"
            )
    assert len(moved) == 4


def test_whoever_is_there_decides_nothing_else_under_a_cap(tmp_path):
    """Present with any values of the column's type, otherwise or absent; keys of the same type and of others."""
    session, moved = spark_session(), 0
    capability = CAPABILITIES["present"]
    with small_plans(session):
        session.conf.set(
            "spark.sql.ansi.enabled", "true"
        )  # where a cast that fails is an error, and none may fail
        for seed in range(16):
            case = make_present(Random(seed), "polars", tmp_path, 0)
            frames = [
                session.createDataFrame(arrow_table(table)).coalesce(1)
                for table in (case.before, case.after)
            ]
            before, after = (counted(frame, case.words) for frame in frames)
            assert isinstance(before, Counted), (seed, before)
            law = broken(capability, case, before, after)
            if seed < 4:
                law = law or broken_plan(
                    capability, *(planned(frame, case.words) for frame in frames)
                )
            assert not law, (seed, law, case.told())
            moved += before.rows != after.rows
    assert moved > 3


def test_two_names_of_one_column_are_found(monkeypatch):
    """The test has teeth: columns told apart by their names alone. The first questions of a run are about such names."""
    monkeypatch.setattr(SparkEngine, "behind", lambda self, names: frozenset(names))
    tally = run_spark(spark_session(), "1", 1)
    assert any("groups, sizes or their order changed" in one.law for one in tally.breaks)
