"""Noise for groups of mixed sizes: each draw goes the way of its size, and is the same in whatever company."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from tests.conftest import require

require("tables")

import discreet as dc
from discreet.sampler.keyed import KeyedWords, ReleaseSecret
from discreet.tables.noise import CountNoise

FEW, MANY = (0, 1, 2, 5, 8), (0, 1, *range(20, 60), 127, 128, 300, 10**9)


def words_for(groups):
    names = np.zeros((len(groups), 64), dtype=np.uint8)
    names[:, :8] = np.ascontiguousarray(groups, dtype=np.int64).view(np.uint8).reshape(-1, 8)
    return KeyedWords(ReleaseSecret(bytes(range(32))), names)


@pytest.mark.parametrize("properties", ["", "F", "WH"])
@pytest.mark.parametrize("sizes", [FEW, MANY])
def test_a_draw_does_not_depend_on_its_company(properties, sizes):
    count = CountNoise("b", dc.design_many(sizes, alpha="10/11", properties=properties, cache=False), None)
    n = np.array([*sizes] * 5, dtype=np.int64)
    truth = n // 3
    (drawn,) = count.draw(n, truth, words_for(np.arange(len(n))))
    assert ((drawn >= 0) & (drawn <= n)).all()
    again = pickle.loads(pickle.dumps(count))
    (reversed_,) = again.draw(n[::-1].copy(), truth[::-1].copy(), words_for(np.arange(len(n))[::-1]))
    assert (reversed_[::-1] == drawn).all()
    for k in (0, 3, len(n) - 1):
        (alone,) = count.draw(n[k : k + 1], truth[k : k + 1], words_for([k]))
        assert alone[0] == drawn[k]
