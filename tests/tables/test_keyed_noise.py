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
from discreet.tables.engines.spark.keyed_noise import GroupWords, names_in, names_of
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
        source = words.of(names_in(pa.array([names[k] for k in order], pa.binary())))(
            count, sizes[order]
        )
        return count.draw(sizes[order], sizes[order] // 3, source)[0].tolist()

    once = drawn(np.arange(len(sizes)))
    order = np.random.default_rng(2).permutation(len(sizes))
    again = drawn(order[:50]) + drawn(order[50:])
    assert again == [once[k] for k in order.tolist()]
    nations = np.flatnonzero(sizes == 10**9)
    assert not set(drawn(nations, "another")) & {once[k] for k in nations.tolist()}, (
        "the words follow from the release"
    )
    # equal keys and sizes at another level: the same groups, and draws of their own
    assert not set(drawn(nations, level=1)) & {once[k] for k in nations.tolist()}
    assert not set(drawn(nations, level=2)) & set(drawn(nations, level=1))


def test_the_draws_of_a_histogram_are_alike_in_any_batch_and_apart_from_each_other():
    """Groups drawn whole and groups drawn answer by answer, in other batches and another order: the same rows."""
    joint = {n: dc.design(n=n, categories=3, epsilon=1) for n in (2, 4)}
    by_size = BySize(
        (0, 2, 4, 500),
        single={**joint, 0: dc.design(n=0, epsilon=1), 500: dc.geometric(n=500, epsilon="1/2")},
    )
    noise = HistogramNoise("smoking", ("never", "former", "current"), by_size)
    sizes = np.array([0, 2, 4, 500] * 40)
    truths = [sizes // 2, sizes - sizes // 2, np.zeros_like(sizes)]
    names = [hashlib.sha256(str(k).encode()).digest() for k in range(len(sizes))]

    def drawn(order, release="r"):
        words = GroupWords((noise,), secret=bytes(32), release=release).of(
            names_in(pa.array([names[k] for k in order], pa.binary()))
        )
        return np.stack(
            noise.draw(sizes[order], [column[order] for column in truths], words), axis=1
        ).tolist()

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
    of = {
        context("r", "q", "m", 3),
        context("r", "q", "m", 3, domain="d"),
        context("r", "q", "m", 3, domain="e"),
    }
    of |= {context("r", "q", "m", 3, domain="d", answer=answer) for answer in ("never", "former")}
    assert len(of) == 5


def test_names_of_whole_numbers_are_those_of_their_keys_in_any_batch():
    """NULL is a key of its own, and the types of one column do not change its names."""
    low, high = -(2**63), 2**63 - 1
    first, second = [None, 0, 1, -1, low, high, 0, None, 0], [0, None, 0, 0, low, high, 0, None, 1]
    keys = [pa.array(first, pa.int64()), pa.array(second, pa.int64())]
    names = [bytes(name) for name in names_of(keys)]
    assert len(set(names)) == len(names)
    assert [bytes(name) for name in names_of([key[3:7] for key in keys])] == names[3:7]
    expected = [
        b"".join(
            b"N".ljust(9, b"\0") if x is None else b"i" + x.to_bytes(8, "little", signed=True)
            for x in key
        )
        for key in zip(first, second, strict=True)
    ]
    assert names == [name.ljust(32, b"\0") for name in expected]
    short = pa.array([None, 7, -128], pa.int8())
    assert (names_of([short]) == names_of([short.cast(pa.int64())])).all()


def test_names_of_texts_are_those_of_their_keys_in_any_batch():
    """Up to 27 bytes a text is in its name; of a longer one the name is a hash, as in Spark's own SQL."""
    texts = [
        "",
        "a",
        "ab",
        "a\0",
        None,
        "é",
        "N",
        "s",
        "x" * 27,
        "x" * 28,
        "x" * 99,
        "é" * 14,
        "a\0b",
        None,
    ]
    key = pa.array(texts)
    names = [bytes(name) for name in names_of([key])]
    assert len({*names}) == len({*texts})

    def expected(text):
        if text is None:
            return b"N"
        data = text.encode()
        long = b"#" + hashlib.sha256(b"s%d:%s;" % (len(data), data)).digest()[:31]
        return bytes([ord("s"), len(data)]) + data if len(data) <= 27 else long

    assert names == [expected(text).ljust(32, b"\0") for text in texts]
    assert [bytes(name) for name in names_of([key[3:11]])] == names[3:11]
    assert [bytes(name) for name in names_of([key.cast(pa.large_string())])] == names
    assert [bytes(name) for name in names_of([pa.array(["", None])])] == [names[0], names[4]]
