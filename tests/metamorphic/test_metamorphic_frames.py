"""One person moves one count by one and nothing else, from frames in memory: 50 cases of each source."""

from __future__ import annotations

import pytest
from tests.conftest import require

for part in ("tables", "pandas", "polars"):
    require(part)

from tests.metamorphic.running import hunt

pytestmark = pytest.mark.slow
SOURCES = ("pandas", "polars", "lazy-polars", "arrow", "reader", "batches", "duckdb", "records")

CASES = 50  # `python -m bench.metamorphic` asks as many as it is told to


@pytest.mark.parametrize("source", SOURCES)
def test_one_person_moves_one_count_by_one(source):
    tally = hunt([source], CASES)
    assert not tally.breaks, str(tally)
    assert tally.cases == CASES
    assert tally.released > CASES // 5
