"""Noise for groups of mixed sizes: each draw goes the way of its size, and is the same in whatever company."""

from __future__ import annotations

import pickle
import threading

import numpy as np
import pytest
from tests.conftest import require

require("tables")

import pyarrow as pa

import discreet as dc
from discreet.ledger import open_ledger
from discreet.sampler.keyed import KeyedWords, ReleaseSecret
from discreet.tables.noise import CountNoise, Noise

FEW, MANY = (0, 1, 2, 5, 8), (0, 1, *range(20, 60), 127, 128, 300, 10**9)


def words_for(groups):
    names = np.zeros((len(groups), 64), dtype=np.uint8)
    names[:, :8] = np.ascontiguousarray(groups, dtype=np.int64).view(np.uint8).reshape(-1, 8)
    return KeyedWords(ReleaseSecret(bytes(range(32))), names)


@pytest.mark.parametrize(
    ("properties", "alpha"), [("", "10/11"), ("F", "10/11"), ("WH", "10/11"), ("CM", "3/5")]
)
@pytest.mark.parametrize("sizes", [FEW, MANY])
def test_a_draw_does_not_depend_on_its_company(properties, alpha, sizes):
    count = CountNoise(
        "b", dc.design_many(sizes, alpha=alpha, properties=properties, cache=False), None
    )
    n = np.array([*sizes] * 5, dtype=np.int64)
    truth = n // 3
    (drawn,) = count.draw(n, truth, words_for(np.arange(len(n))))
    assert ((drawn >= 0) & (drawn <= n)).all()
    again = pickle.loads(pickle.dumps(count))
    (reversed_,) = again.draw(
        n[::-1].copy(), truth[::-1].copy(), words_for(np.arange(len(n))[::-1])
    )
    assert (reversed_[::-1] == drawn).all()
    for k in (0, 3, len(n) - 1):
        (alone,) = count.draw(n[k : k + 1], truth[k : k + 1], words_for([k]))
        assert alone[0] == drawn[k]


@pytest.mark.parametrize("sizes", [(3, 5, 40), (3, 5, 10**9)])
@pytest.mark.parametrize("size", [-1, -(2**63), 0, 4, 41, 2**62])
def test_a_size_that_the_table_was_said_not_to_have_is_refused(sizes, size):
    count = CountNoise("b", dc.design_many(sizes, alpha="1/2", cache=False), None)
    n = np.array([3, size], dtype=np.int64)
    with pytest.raises(dc.errors.InvalidInput, match="which"):
        count.draw(n, np.zeros(2, dtype=np.int64), words_for(np.arange(2)))


def test_what_is_too_large_to_be_drawn_from_is_refused_before_it_is_paid(tmp_path):
    book = open_ledger(tmp_path / "budget.db")
    book.open("d", budget=1)
    counts = pa.table({"g": ["a", "b"], "n": [20_000_000, 5], "c": [3, 1]})
    for output in (None, tmp_path / "out"):
        with pytest.raises(dc.errors.InvalidInput, match="10,000,000 to draw"):
            dc.release(
                counts,
                by="g",
                count="c",
                size="n",
                alpha="99999999/100000000",
                properties="WH",
                ledger=tmp_path / "budget.db",
                dataset="d",
                output=output,
            )
    assert book.remaining("d") == 1


@pytest.fixture
def small_batches(monkeypatch):
    """DuckDB draws many batches of few groups, each ahead of the one that is written."""
    monkeypatch.setattr("discreet.tables.engines.duckdb.duckdb_engine.BATCH", 2048)
    return pa.table(
        {"group": [k // 2 for k in range(14_000)], "yes": [k % 4 == 0 for k in range(14_000)]}
    )


def test_batches_that_are_drawn_ahead_come_whole_and_in_order(small_batches, tmp_path):
    released = dc.release(
        small_batches, by="group", count="yes", epsilon=200, output=tmp_path / "out"
    )
    assert released.table.column("group").to_pylist() == list(range(7000))
    assert released.table.column("yes").to_pylist() == [(k + 1) % 2 for k in range(7000)]
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("ThreadPool")]


@pytest.mark.parametrize("fault", [MemoryError, KeyboardInterrupt])
def test_a_batch_that_fails_ahead_leaves_nothing_behind_and_says_why(
    small_batches, tmp_path, monkeypatch, fault
):
    draws = []

    def failing(noise, batch):
        draws.append(threading.current_thread())
        if len(draws) == 3:
            raise fault
        return [*batch.columns]

    monkeypatch.setattr(Noise, "__call__", failing)
    with pytest.raises(fault):
        dc.release(small_batches, by="group", count="yes", epsilon=1, output=tmp_path / "out")
    assert not list(tmp_path.iterdir())
    assert len(draws) == 3 and len(set(draws)) == 1, "one thread alone draws"
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("ThreadPool")]
