"""One person moves one count by one and nothing else, from files and queries over them: every capability of each source."""

from __future__ import annotations

import pytest
from tests.conftest import require

for part in ("tables", "pandas", "polars"):
    require(part)

from tests.metamorphic.running import hunt_each

pytestmark = pytest.mark.slow
SOURCES = ("query-csv", "query-parquet", "csv", "semicolon-csv", "parquet", "parts")

CASES = 4  # of each capability; `python -m bench.metamorphic` asks as many as it is told to


@pytest.mark.parametrize("source", SOURCES)
def test_one_person_moves_one_count_by_one(source):
    tally = hunt_each(source, CASES)
    assert not tally.breaks, str(tally)
    assert tally.released > tally.cases // 5
