"""Columns of large groups: exact whatever the bounds' slack, proven by enumerating every word of a narrow width."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.sampler.sampler_support import Plain, outcomes

import discreet as dc
from discreet.sampler.alias import Kept
from discreet.sampler.columns import Column


def enumerate_column(form, j, bits, depth):
    column = Column(form, j, word_bits=bits)
    drawn, ties = column.draw(np.arange(1 << bits, dtype=np.uint64))
    chances, still_open = [Fraction(0)] * (form.n + 1), Fraction(0)
    for word, value in enumerate(drawn.tolist()):
        paths = [(value, Fraction(1))]
        if word in set(ties.tolist()):
            paths = outcomes(lambda more, word=word: column.settle(word, more), bits, depth)
        for result, chance in paths:
            if result is None:
                still_open += chance / (1 << bits)
            else:
                chances[result] += chance / (1 << bits)
    return chances, still_open


MATRICES = [
    dc.uniform(n=0).form,
    dc.geometric(n=1, alpha="10/11").form,
    dc.fair(n=3, alpha="2/3").form,
    dc.weakly_honest(n=4, alpha="10/11").form,
    dc.uniform(n=6).form,
    dc.geometric(n=5, alpha="9/10").form.dense(),
    Plain(((1, 2, 4), (0, 7, 0), (7, 0, 0)), 7),
    Plain(((1, 2, 4), (0, 7, 0), (7, 0, 0)), 7, wobble=3),
    Plain(((1, 1, 1, 1, 1, 1, 1, 1),) * 8, 8, wobble=5),  # bounds out of order
    Plain(
        ((1, 3, 4, 0), (8, 0, 0, 0), (0, 0, 8, 0), (0, 0, 0, 8)), 8
    ),  # exact bounds, some of them 2^64
]


@pytest.mark.parametrize("form", MATRICES, ids=str)
@pytest.mark.parametrize("bits", [4, pytest.param(5, marks=pytest.mark.slow)])
def test_over_every_word_the_output_is_the_matrix(form, bits):
    """What more words leave open shrinks to nothing, and the truth always lies within it."""
    for j in range(form.n + 1):
        numerators, denominator = form.column(j)
        truth = [Fraction(x, denominator) for x in numerators]
        opens = []
        for depth in (0, 1, 2):
            chances, still_open = enumerate_column(form, j, bits, depth)
            assert sum(chances) + still_open == 1
            assert all(
                low <= exact <= low + still_open for low, exact in zip(chances, truth, strict=True)
            )
            opens.append(still_open)
        error = form.cumulative_bounds(j, bits * 3)[1]
        assert opens[2] <= Fraction(form.n * max(error, 1), 1 << (bits * 3))


@pytest.mark.parametrize("word", [0, 1, 2**63, 2**64 - 1])
@pytest.mark.parametrize("j", [0, 1, 2])
def test_an_impossible_value_is_never_drawn(word, j):
    """A cumulative chance of exactly 1 before the last value is 2^64, which does not fit a word."""
    whole = 4 if word % 2 else 5  # bounds that are exact, and bounds that are not
    columns = ((whole, 0, 0), (0, whole, 0), (0, 0, whole))
    column = Column(Plain(columns, whole), j)
    for further in (0, 2**64 - 1):
        drawn, ties = column.draw(np.array([word], dtype=np.uint64))
        # words that go on as 000... or 111... for ever have no chance at all; these go on so for three words
        more = lambda attempt, f=further: f if attempt < 4 else 2**63
        value = column.settle(word, more) if len(ties) else int(drawn[0])
        assert value == j


@given(st.integers(0, 2**64 - 1), st.integers(0, 300))
def test_full_width_words_invert_the_distribution_function(word, j):
    form = dc.geometric(n=300, alpha="10/11").form
    numerators, denominator = form.column(j)
    drawn, ties = Column(form, j).draw(np.array([word], dtype=np.uint64))
    if not len(ties):
        below, value = Fraction(sum(numerators[: int(drawn[0])]), denominator), int(drawn[0])
        above = below + Fraction(numerators[value], denominator)
        assert below <= Fraction(word, 2**64)
        assert Fraction(word + 1, 2**64) <= above


def test_words_on_a_threshold_ask_for_more_and_are_settled_both_ways():
    form = dc.uniform(n=299).form  # cumulative chances k/300, whose digits never end
    column = Column(form, 0)
    edge = (1 << 64) * 100 // 300
    _, ties = column.draw(np.array([edge - 1, edge, edge + 1], dtype=np.uint64))
    assert ties.tolist() == [1]
    assert column.settle(edge, lambda attempt: 0) == 99
    assert column.settle(edge, lambda attempt: 2**64 - 1) == 100
    on_the_edge_twice = {1: (1 << 128) * 100 // 300 % (1 << 64), 2: 0}
    assert column.settle(edge, on_the_edge_twice.__getitem__) == 99


def test_kept_things_stay_within_their_bytes_and_the_latest_used_stay():
    kept: Kept[np.ndarray] = Kept(limit=1000)
    made = []

    def make(name):
        made.append(name)
        return np.zeros(400, dtype=np.uint8)

    for name in "abacab":
        kept.get(name, lambda name=name: make(name))
        assert kept.nbytes <= 1000
        assert len(kept) <= 2
    assert made == ["a", "b", "c", "b"]
    kept.get("huge", lambda: np.zeros(5000, dtype=np.uint8))
    assert len(kept) == 1, "what is larger than the limit is kept alone"
