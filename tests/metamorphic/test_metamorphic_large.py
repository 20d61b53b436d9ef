"""One person's values replaced in tables of tens of megabytes; `python -m bench.metamorphic --large` asks more of them."""

from __future__ import annotations

import pytest
from tests.conftest import require

require("tables")
require("pandas")

from tests.metamorphic.large import SOURCES, run_large

from discreet.tables.engines.duckdb import grouping

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("source", SOURCES)
def test_one_person_moves_what_is_counted_by_one_move_at_scale(source):
    tally = run_large(SOURCES.index(source), source, megabytes=(16, 24))
    assert not tally.breaks, str(tally)


def test_an_order_that_is_not_total_is_found(monkeypatch):
    """Which rows of a person stay was once decided by keys alone: with two threads, by where the rows lie."""
    monkeypatch.setattr(
        grouping.Grouping, "row_order", lambda self, person, keys, answers: ", ".join(keys) or "1"
    )
    assert any(run_large(seed, "csv", megabytes=(16, 20)).breaks for seed in range(100, 120))
