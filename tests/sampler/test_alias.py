"""Alias tables draw from exactly the rational matrix: proven by enumerating every word of a narrow width."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.sampler.sampler_support import Plain, outcomes

import discreet as dc
from discreet.sampler.alias import (
    Bucket,
    JoinedTables,
    Scratch,
    bucket_bits,
    buckets_of,
    build_table,
    settle,
    split_column,
    threshold,
)

distributions = st.lists(st.integers(0, 10**6), min_size=1, max_size=20).filter(sum)


@given(distributions, st.integers(0, 3))
def test_buckets_share_out_every_value_exactly(weights, spare):
    bits, total = bucket_bits(len(weights) - 1) + spare, sum(weights)
    buckets = split_column(weights, total, bits)
    shares = [0] * len(weights)
    for cut, keep, other in buckets:
        assert 0 < cut <= total
        assert cut < total or keep == other
        shares[keep] += cut
        shares[other] += total - cut
    assert len(buckets) == 1 << bits
    assert shares == [weight << bits for weight in weights]


@pytest.mark.parametrize(
    "form",
    [
        dc.fair(n=9, alpha="2/3").form,
        dc.geometric(n=6, alpha="9/10").form,
        Plain(((1, 3), (2, 2)), 4),
    ],
)
def test_a_column_that_is_another_upside_down_has_its_buckets_upside_down(form):
    own = 1 << bucket_bits(form.n)
    for j in range(form.n + 1):
        buckets, denominator = buckets_of(form, j)
        shares = [0] * (form.n + 1)
        for cut, keep, other in buckets:
            shares[keep] += cut
            shares[other] += denominator - cut
        assert shares == [own * weight for weight in form.column(j)[0]]
    if form.n > 1:
        mirrored = [(cut, form.n - keep, form.n - other) for cut, keep, other in buckets]
        assert mirrored == buckets_of(form, 0)[0]


@given(st.integers(0, 10**30), st.integers(1, 10**30), st.integers(1, 80))
def test_threshold_and_rest_make_up_the_number(numerator, denominator, bits):
    mark, rest = threshold(numerator, denominator, bits)
    assert Fraction(numerator << bits, denominator) == mark + Fraction(rest, denominator)
    assert 0 <= rest < denominator


@pytest.mark.parametrize(
    ("n", "bits"), [(0, 1), (1, 1), (2, 2), (3, 2), (4, 3), (7, 3), (8, 4), (127, 7)]
)
def test_buckets_are_the_least_power_of_two_that_holds_all_values(n, bits):
    assert bucket_bits(n) == bits
    assert 1 << bits >= n + 1


def draw_all(tables, row, bits):
    """Draw once with every word there is."""
    words = np.arange(1 << bits, dtype=np.uint64)
    out = np.empty(len(words), dtype=np.int8)
    ties = tables.draw(np.full(len(words), row, dtype=np.int64), words, out, Scratch(len(words)))
    return out.tolist(), set() if ties is None else set(ties.tolist())


def enumerate_column(tables, table, j, bits, depth):
    """Return the chance of each value over all words and all further words to `depth`, and what is still open."""
    n = tables._tables[table].form.n
    chances, still_open = [Fraction(0)] * (n + 1), Fraction(0)
    drawn, ties = draw_all(tables, int(tables.first_row[table]) + j, bits)
    for word, value in enumerate(drawn):
        paths = [(value, Fraction(1))]
        if word in ties:
            paths = outcomes(
                lambda more, word=word: tables.settle(table, j, word, more), bits, depth
            )
        for result, chance in paths:
            if result is None:
                still_open += chance / (1 << bits)
            else:
                chances[result] += chance / (1 << bits)
    return chances, still_open


MATRICES = [
    dc.geometric(n=0, alpha="1/2").form,
    dc.geometric(n=1, alpha="10/11").form,
    dc.geometric(n=2, alpha="9/10").form,
    dc.fair(n=3, alpha="2/3").form,
    dc.weakly_honest(n=4, alpha="10/11").form,
    dc.fair(n=5, alpha="1/2").form,
    dc.uniform(n=6).form,
    dc.geometric(n=7, epsilon="0.5").form,
]


@pytest.mark.parametrize("form", MATRICES, ids=str)
@pytest.mark.parametrize("bits", [3, 4, pytest.param(6, marks=pytest.mark.slow)])
def test_over_every_word_the_output_is_the_matrix(form, bits):
    """Each depth of ties leaves at most B/2^bits of the last depth open, and the truth lies in what is left."""
    tables = JoinedTables([build_table(form, word_bits=bits)])
    for j in range(form.n + 1):
        numerators, denominator = form.column(j)
        truth = [Fraction(x, denominator) for x in numerators]
        for depth in (0, 1, 2, 3):
            chances, still_open = enumerate_column(tables, 0, j, bits, depth)
            assert sum(chances) + still_open == 1
            assert all(
                low <= exact <= low + still_open for low, exact in zip(chances, truth, strict=True)
            )
            assert still_open <= Fraction(1 << bucket_bits(form.n), 1 << (bits * (depth + 1)))


@pytest.mark.parametrize("form", MATRICES, ids=str)
@pytest.mark.parametrize("bits", [3, 5])
def test_what_is_open_after_any_tie_closes_to_exact_equality(form, bits):
    """The open mass goes to `keep` with the exact rest of the cut: added up, every entry is met with equality."""
    tables, depth = JoinedTables([build_table(form, word_bits=bits)]), 2
    own = bucket_bits(form.n)
    for j in range(form.n + 1):
        numerators, _ = form.column(j)
        buckets, denominator = buckets_of(form, j)
        chances, still_open = enumerate_column(tables, 0, j, bits, depth)
        weight = Fraction(1, 1 << (bits * (depth + 1)))
        for cut, keep, other in buckets:
            rest = Fraction((cut << (bits * (depth + 1) - own)) % denominator, denominator)
            if keep != other and rest:  # a cut without further digits leaves nothing open
                chances[keep] += weight * rest
                chances[other] += weight * (1 - rest)
                still_open -= weight
        assert still_open == 0
        assert chances == [Fraction(x, denominator) for x in numerators]


def test_dyadic_columns_need_no_further_word():
    form = Plain(((3, 1, 0, 4), (1, 1, 1, 5), (8, 0, 0, 0), (0, 0, 0, 8)), 8)
    tables = JoinedTables([build_table(form, word_bits=5)])
    for j in range(4):
        chances, still_open = enumerate_column(tables, 0, j, 5, depth=0)
        assert still_open == 0
        assert chances == [Fraction(x, 8) for x in form.columns[j]]


@pytest.mark.slow
def test_joining_tables_of_different_sizes_changes_no_draw():
    bits = 6
    single = [JoinedTables([build_table(form, word_bits=bits)]) for form in MATRICES]
    joined = JoinedTables([build_table(form, word_bits=bits) for form in MATRICES])
    for k, form in enumerate(MATRICES):
        for j in range(form.n + 1):
            alone, together = (
                draw_all(single[k], j, bits),
                draw_all(joined, int(joined.first_row[k]) + j, bits),
            )
            assert alone[1] == together[1]
            assert all(
                a == b
                for w, (a, b) in enumerate(zip(alone[0], together[0], strict=True))
                if w not in alone[1]
            )
            assert enumerate_column(single[k], 0, j, bits, 1) == enumerate_column(
                joined, k, j, bits, 1
            )


def reference(form, j, point, bits):
    """Draw by exact fractions, without thresholds; None where `bits` digits of the point do not decide."""
    own = bucket_bits(form.n)
    buckets, denominator = buckets_of(form, j)
    bucket = buckets[point >> (bits - own)]
    if bucket.keep == bucket.other:
        return bucket.keep
    digits = bits - own
    low = Fraction(point & ((1 << digits) - 1), 1 << digits)
    if low + Fraction(1, 1 << digits) <= Fraction(bucket.cut, denominator):
        return bucket.keep
    return bucket.other if low >= Fraction(bucket.cut, denominator) else None


@given(st.data())
def test_full_width_words_at_and_around_every_threshold(data):
    n = data.draw(st.sampled_from([0, 1, 2, 8, 12, 31, 127]))
    form = dc.geometric(n=n, alpha="10/11").form
    tables = JoinedTables([build_table(form)])
    j = data.draw(st.integers(0, n))
    mark = (
        int(build_table(form).marks[j, data.draw(st.integers(0, (1 << bucket_bits(n)) - 1))])
        if n < 127
        else 0
    )
    word = data.draw(
        st.sampled_from([0, 1, 2**63 - 1, 2**63, 2**64 - 1, mark, mark + 1, max(mark - 1, 0)])
        | st.integers(0, 2**64 - 1)
    )
    word = min(word, 2**64 - 1)
    out = np.empty(1, dtype=np.int8)
    ties = tables.draw(np.array([j]), np.array([word], dtype=np.uint64), out, Scratch(1))
    if ties is None:
        assert int(out[0]) == reference(form, j, word, 64)
    else:
        further = data.draw(st.integers(0, 2**64 - 1))
        drawn = tables.settle(0, j, word, lambda attempt: further)
        assert drawn == reference(form, j, (word << 64) | further, 128)


def test_ties_go_on_for_as_many_words_as_the_digits_agree():
    """1/3 is 0.010101... in binary: words of those digits tie for ever, the first other word decides."""
    asked = []

    def more(attempt):
        asked.append(attempt)
        return 0x5555555555555555 if attempt < 5 else 0x5555555555555554

    assert settle(Bucket(1, 0, 1), 3, 62, 64, more) == 0
    assert asked == [1, 2, 3, 4, 5]
    assert settle(Bucket(1, 0, 1), 3, 62, 64, lambda attempt: 0x5555555555555556) == 1
    assert settle(Bucket(1, 0, 1), 4, 62, 64, more) == 1, (
        "the cut's digits have ended: nothing lies below zero"
    )
    assert asked == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("n", [0, 1, 12, 127])
def test_no_table_holds_a_value_outside_the_range(n):
    table = build_table(dc.fair(n=n, alpha="10/11").form)
    assert table.values.min() >= 0
    assert table.values.max() <= n
    assert table.marks.shape == (n + 1, 1 << bucket_bits(n))


def test_a_table_too_large_for_a_byte_is_refused():
    with pytest.raises(ValueError, match="n <= 127"):
        build_table(dc.geometric(n=128, alpha="1/2").form)
    with pytest.raises(ValueError, match="room"):
        build_table(dc.geometric(n=8, alpha="1/2").form, word_bits=3)
