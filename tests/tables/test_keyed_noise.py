"""The noise of a Spark task, without Spark: whatever the batches, a group's count is drawn once."""

from __future__ import annotations

import hashlib
from fractions import Fraction

import numpy as np
import pyarrow as pa
import pytest

import discreet as dc
from discreet.core.family import BySize
from discreet.tables.engines.spark.key_names import context
from discreet.tables.engines.spark.keyed_noise import GroupWords
from discreet.tables.histogram_noise import HistogramNoise
from discreet.tables.noise import CountNoise

SIZES = [1, 5, 127, 128, 300, 5000, 10**9]


@pytest.mark.parametrize("build", [dc.geometric, dc.fair])
def test_groups_of_any_size_are_drawn_alike_in_any_batch(build):
    """As after a retry on another node: other batches, another order, the same rows."""
    single = {n: build(n=n, alpha=Fraction(999, 1000)) for n in SIZES}
    count = CountNoise("smokers", BySize(tuple(SIZES), single=single), None)
    sizes = np.array(SIZES * 30)
    names = [hashlib.sha256(str(k).encode()).digest() for k in range(len(sizes))]

    def drawn(order, release="r", level=0):
        words = GroupWords((count,), secret=bytes(32), release=release, level=level)
        source = words.of(pa.array([names[k] for k in order], pa.binary()))(count, sizes[order])
        return count.draw(sizes[order], sizes[order] // 3, source)[0].tolist()

    once = drawn(np.arange(len(sizes)))
    order = np.random.default_rng(2).permutation(len(sizes))
    again = drawn(order[:50]) + drawn(order[50:])
    assert again == [once[k] for k in order.tolist()]
    nations = np.flatnonzero(sizes == 10**9)
    assert not set(drawn(nations, "another")) & {once[k] for k in nations.tolist()}, "the words follow from the release"
    # equal keys and sizes at another level: the same groups, and draws of their own
    assert not set(drawn(nations, level=1)) & {once[k] for k in nations.tolist()}
    assert not set(drawn(nations, level=2)) & set(drawn(nations, level=1))


def test_the_draws_of_a_histogram_are_alike_in_any_batch_and_apart_from_each_other():
    """Groups drawn whole and groups drawn answer by answer, in other batches and another order: the same rows."""
    joint = {n: dc.design(n=n, categories=3, epsilon=1) for n in (2, 4)}
    by_size = BySize(
        (0, 2, 4, 500), single={**joint, 0: dc.design(n=0, epsilon=1), 500: dc.geometric(n=500, epsilon="1/2")}
    )
    noise = HistogramNoise("smoking", ("never", "former", "current"), by_size)
    sizes = np.array([0, 2, 4, 500] * 40)
    truths = [sizes // 2, sizes - sizes // 2, np.zeros_like(sizes)]
    names = [hashlib.sha256(str(k).encode()).digest() for k in range(len(sizes))]

    def drawn(order, release="r"):
        words = GroupWords((noise,), secret=bytes(32), release=release).of(
            pa.array([names[k] for k in order], pa.binary())
        )
        return np.stack(noise.draw(sizes[order], [column[order] for column in truths], words), axis=1).tolist()

    once = drawn(np.arange(len(sizes)))
    order = np.random.default_rng(3).permutation(len(sizes))
    assert drawn(order[:70]) + drawn(order[70:]) == [once[k] for k in order.tolist()]
    assert drawn(np.arange(len(sizes)), "another") != once
    assert all(sum(row) == n for row, n in zip(once, sizes.tolist(), strict=True) if n < 500)
    off = np.array([row for row, n in zip(once, sizes, strict=True) if n == 500]) - [250, 250, 0]
    assert len({tuple(row) for row in off.tolist()}) > 1 and not (off[:, 0] == off[:, 1]).all(), (
        "each answer has its own"
    )


def test_answer_and_domain_are_in_the_name_of_a_draw():
    of = {context("r", "q", "m", 3), context("r", "q", "m", 3, domain="d"), context("r", "q", "m", 3, domain="e")}
    of |= {context("r", "q", "m", 3, domain="d", answer=answer) for answer in ("never", "former")}
    assert len(of) == 5
