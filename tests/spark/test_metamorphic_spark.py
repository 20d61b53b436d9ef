"""One person moves one count by one and nothing else, on Spark: a hundred predicates over its whole catalogue."""

from __future__ import annotations

import pytest
from tests.conftest import require

require("spark")
require("tables")

from tests.metamorphic.spark_running import run_spark
from tests.tables.sources import spark_session

from discreet.tables.engines.spark.spark_engine import SparkEngine

pytestmark = [
    pytest.mark.spark,
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
]


def test_one_person_moves_one_count_by_one():
    tally = run_spark(spark_session(), "0", 100)
    assert not tally.breaks, str(tally)
    assert tally.cases >= 100
    assert tally.released > 20


def test_two_names_of_one_column_are_found(monkeypatch):
    """The test has teeth: columns told apart by their names alone."""
    monkeypatch.setattr(SparkEngine, "behind", lambda self, names: frozenset(names))
    tally = run_spark(spark_session(), "1", 15)
    assert any("groups, sizes or their order changed" in one.law for one in tally.breaks)
