"""The compiled loop makes the same draws from the same words as NumPy, ties included."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from tests.sampler.sampler_support import Scripted

import discreet as dc
from discreet.errors import MissingExtra
from discreet.sampler import alias, draw
from discreet.sampler.alias import build_table


@pytest.fixture
def asked(monkeypatch):
    """Ask for the compiled loop, in this test only."""
    monkeypatch.setenv("DISCREET_COMPILED", "1")
    alias.kernel.cache_clear()
    yield
    alias.kernel.cache_clear()


@pytest.fixture(scope="module")
def case():
    mechanisms = [dc.geometric(n=n, alpha="10/11") for n in (0, 1, 2, 8, 40, 127, 300)]
    rng = np.random.default_rng(3)
    which = rng.integers(0, len(mechanisms), 70_000)
    counts = (rng.random(len(which)) * (np.array([m.n for m in mechanisms])[which] + 1)).astype(
        np.int64
    )
    words = rng.integers(0, 2**64, len(which), dtype=np.uint64)
    for k in range(0, len(which), 50):  # every fiftieth word is a threshold, or next to it
        if which[k] < 6:
            marks = (
                build_table(mechanisms[which[k]].form).marks[counts[k]]
                if which[k] < 4
                else words[k : k + 1]
            )
            words[k] = rng.choice(marks) + np.uint64(k % 3 // 2)
    return mechanisms, which, counts, words.tolist()


def test_not_unless_asked_for(monkeypatch):
    monkeypatch.delenv("DISCREET_COMPILED", raising=False)
    alias.kernel.cache_clear()
    assert alias.kernel() is None


@pytest.mark.slow
def test_the_compiled_loop_draws_what_numpy_draws(case, asked, monkeypatch):
    pytest.importorskip(
        "numba", reason="component missing: the compiled loop needs Python package numba"
    )
    mechanisms, which, counts, words = case
    fast = Scripted(words, lambda position, attempt: position * 2**40 + attempt)
    compiled_draws = draw(mechanisms, which, counts, fast)
    assert alias.kernel() is not None
    monkeypatch.delenv("DISCREET_COMPILED")
    alias.kernel.cache_clear()
    plain = Scripted(words, lambda position, attempt: position * 2**40 + attempt)
    assert (draw(mechanisms, which, counts, plain) == compiled_draws).all()
    assert fast.asked == plain.asked
    assert len(plain.asked) > 100


def test_asking_without_numba_says_what_to_install(asked, monkeypatch):
    monkeypatch.setitem(sys.modules, "numba", None)
    with pytest.raises(MissingExtra, match='pip install "numba>='):
        dc.geometric(n=3, alpha="1/2").release([1])
