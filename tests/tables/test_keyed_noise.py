"""The noise of a Spark task, without Spark: whatever the batches, a group's count is drawn once."""

from __future__ import annotations

import hashlib
from fractions import Fraction

import numpy as np
import pyarrow as pa
import pytest

import discreet as dc
from discreet.core.family import BySize
from discreet.tables.engines.spark.keyed_noise import GroupWords
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
