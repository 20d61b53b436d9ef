"""`release` and `draw`: same kind and shape out, one word for each draw, and nothing at all for bad input."""

from __future__ import annotations

import warnings
from functools import cache

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import require
from tests.sampler.sampler_support import Plain, Scripted

import discreet as dc
from discreet.errors import InvalidData, InvalidInput
from discreet.sampler import (
    NotPrivateWarning,
    SystemWords,
    draw,
    predictable_words_for_tests_only_NOT_PRIVATE,
    release,
)
from discreet.sampler.alias import build_table
from discreet.sampler.drawing import ALIAS_UP_TO, CHUNK


@cache
def faithful(n):
    """A matrix that always tells the truth: what comes out shows what went in, whatever the words."""
    return Plain(tuple(tuple(int(i == j) for i in range(n + 1)) for j in range(n + 1)), 1)


m8 = dc.geometric(n=8, alpha="10/11")


# --- kinds, shapes and types --------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [0, 1, 2, 8, 15, 16, 127, 128, 200])
def test_a_faithful_matrix_gives_back_what_went_in(n):
    truth = faithful(n)
    counts = np.arange(n + 1)
    assert release(truth, n) == n
    assert release(truth, counts.tolist()) == counts.tolist()
    assert (release(truth, counts) == counts).all()


def test_an_int_gives_an_int_and_a_list_a_list():
    assert type(m8.release(3)) is int
    assert type(m8.release(np.int16(3))) is int
    released = m8.release([3, 0, 8, 5])
    assert type(released) is list
    assert {type(count) for count in released} == {int}
    assert len(m8.release((1, 2))) == len(m8.release(range(2))) == 2
    assert m8.release([]) == []
    assert len(m8.release([np.int8(1), 2, np.uint64(3)])) == 3


@pytest.mark.parametrize(
    "dtype",
    ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", ">i4", ">u8", "<i2", np.intp, np.longlong],
)
@pytest.mark.parametrize("n", [8, 127, 300])
def test_every_integer_type_is_read_right(dtype, n):
    truth = faithful(n)
    counts = np.arange(min(n, 127) + 1).astype(dtype)
    released = release(truth, counts)
    assert released.tolist() == counts.tolist()
    assert released.dtype == (np.int8 if n <= 127 else np.int16)
    assert released.dtype.isnative


@pytest.mark.parametrize(
    ("n", "kind"),
    [(0, "int8"), (127, "int8"), (128, "int16"), (32_767, "int16"), (32_768, "int32")],
)
def test_the_type_out_is_the_smallest_signed_one_and_depends_on_n_alone(n, kind):
    mechanism = dc.uniform(n=n)
    for counts in (np.array([0]), np.array([n]), np.array([], dtype=np.int64)):
        assert mechanism.release(counts).dtype == kind


@pytest.mark.parametrize("shape", [(), (0,), (7,), (3, 4), (2, 0, 3), (2, 3, 2)])
def test_arrays_keep_their_shape(shape):
    released = m8.release(np.full(shape, 3))
    assert isinstance(released, np.ndarray)
    assert released.shape == shape


def test_arrays_in_any_memory_order_are_read_in_their_own_order():
    counts = np.arange(12).reshape(3, 4)
    for view in (counts, counts.T, counts[::-1, ::2], np.asfortranarray(counts), counts[:, 1]):
        assert (release(faithful(12), view) == view).all()


def test_arrow_arrays_come_back_as_arrow_arrays():
    truth = faithful(300)
    for kind in (pa.int8(), pa.uint8(), pa.int16(), pa.uint64(), pa.int64()):
        counts = pa.array([3, 0, 120, 5], type=kind)
        assert release(truth, counts).equals(pa.array([3, 0, 120, 5], type=pa.int16()))
    assert release(truth, pa.array([9, 8, 7])[1:]).to_pylist() == [8, 7]
    assert release(truth, pa.array([], type=pa.int32())).equals(pa.array([], type=pa.int16()))


def test_arrow_chunks_stay_as_they_are():
    truth = faithful(8)
    counts = pa.chunked_array([[1, 2], [], [3], [4, 5, 6]], type=pa.int64())
    released = release(truth, counts)
    assert released.to_pylist() == counts.to_pylist()
    assert [len(chunk) for chunk in released.chunks] == [2, 0, 1, 3]
    assert released.type == pa.int8()
    empty = release(truth, pa.chunked_array([], type=pa.int64()))
    assert (len(empty), empty.type) == (0, pa.int8())


def test_the_input_is_left_alone():
    counts = np.array([1, 2, 3])
    counts.flags.writeable = False
    m8.release(counts)
    assert counts.tolist() == [1, 2, 3]


def test_a_release_belongs_to_the_caller_and_is_not_changed_by_the_next():
    first = release(faithful(8), np.full(100, 3))
    release(faithful(8), np.full(100, 5))
    assert first.flags.writeable
    assert (first == 3).all()


# --- bad input ----------------------------------------------------------------------------------------------

WHOLE = "must be a whole number"
RANGE = r"must be in 0\.\.8"
BAD = [
    ("a bool", True, "not a bool", None),
    ("a NumPy bool", np.True_, "not a bool", None),
    ("too large", 9, RANGE, None),
    ("negative", -1, RANGE, None),
    ("vast", 10**30, RANGE, None),
    ("a float", 3.0, "must be an int, a list", None),
    ("a NumPy float", np.float64(3), "must be an int, a list", None),
    ("NaN", float("nan"), "must be an int, a list", None),
    ("None", None, "must be an int, a list", None),
    ("text", "3", "must be an int, a list", None),
    ("bytes", b"3", "must be an int, a list", None),
    ("a set", {1, 2}, "must be an int, a list", None),
    ("a dict", {"a": 1}, "must be an int, a list", None),
    ("an iterator", iter([1]), "must be an int, a list", None),
    ("too large in a list", [1, 9, 2], RANGE, 2),
    ("negative in a list", [1, 2, -1], RANGE, 3),
    ("vast in a list", [1, 10**30], RANGE, 2),
    ("vastly negative in a list", [-(10**30)], RANGE, 1),
    ("a bool in a list", [1, True], WHOLE, 2),
    ("a NumPy bool in a list", [1, np.False_], WHOLE, 2),
    ("a float in a list", [1, 2, 2.0], WHOLE, 3),
    ("NaN in a list", [float("nan")], WHOLE, 1),
    ("None in a list", [0, None], WHOLE, 2),
    ("text in a list", [0, "1"], WHOLE, 2),
    ("a nested list", [[1], [2]], "must be flat", 1),
    ("an array in a list", [1, np.array([2])], "must be flat", 2),
    ("too large in an array", np.array([1, 9]), RANGE, 2),
    ("negative in an array", np.array([[1, 2], [3, -1]], dtype=np.int8), RANGE, (2, 2)),
    ("wraps around if cast", np.array([2, 2**64 - 1], dtype=np.uint64), RANGE, 2),
    ("wraps to a small one if cast", np.array([256 + 3], dtype=np.int16), RANGE, 1),
    ("a large one alone", np.array(2**63, dtype=np.uint64), RANGE, None),
    ("an array of floats", np.array([1.0, 2.0]), "integer dtype, not float64", None),
    ("an array of NaN", np.array([np.nan]), "integer dtype", None),
    ("an array of bools", np.array([True]), "integer dtype, not bool", None),
    ("an array of objects", np.array([1, 2], dtype=object), "integer dtype", None),
    ("an array of text", np.array(["1"]), "integer dtype", None),
    ("an array of times", np.array([1], dtype="m8[s]"), "integer dtype", None),
    ("an array of records", np.zeros(2, dtype=[("a", int)]), "integer dtype", None),
    ("an empty array of floats", np.array([]), "integer dtype", None),
    ("a masked array", np.ma.masked_array([1, 2], mask=[False, True]), "without a mask", None),
    ("Arrow null", pa.array([1, None, 2, None]), "must not be null", 2),
    ("Arrow null in a chunk", pa.chunked_array([[1, 2], [3, None]]), "must not be null", 4),
    ("Arrow range", pa.array([1, 2, 9]), RANGE, 3),
    ("Arrow range in a chunk", pa.chunked_array([[1], [-1]]), RANGE, 2),
    ("Arrow float", pa.array([1.0]), "Arrow integer type, not double", None),
    ("Arrow bool", pa.array([True]), "Arrow integer type, not bool", None),
    ("Arrow text", pa.array(["1"]), "Arrow integer type", None),
    ("Arrow nulls only", pa.nulls(2), "Arrow integer type", None),
    ("Arrow dictionary", pa.array([1, 2]).dictionary_encode(), "Arrow integer type", None),
    ("Arrow scalar", pa.scalar(1), "must be an int, a list", None),
]


@pytest.mark.parametrize(
    ("x", "rule", "row"), [case[1:] for case in BAD], ids=[case[0] for case in BAD]
)
def test_bad_input_is_refused_by_position_and_rule_and_nothing_is_drawn(x, rule, row):
    source = Scripted([])
    with pytest.raises(InvalidData, match=rule) as caught:
        release(m8, x, source=source)
    assert caught.value.row == row
    assert source.taken == 0
    assert not source.asked


@pytest.mark.parametrize("value", [987654, -987654])
@pytest.mark.parametrize(
    "wrap", [lambda v: v, lambda v: [0, v], lambda v: np.array([0, v]), lambda v: pa.array([v])]
)
def test_no_error_shows_a_value(value, wrap):
    with pytest.raises(InvalidData) as caught:
        m8.release(wrap(value))
    shown = str(caught.value) + repr(caught.value) + repr(vars(caught.value))
    assert "987654" not in shown
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None


# --- many mechanisms in one call ----------------------------------------------------------------------------


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 10**6)), max_size=50))
def test_each_draw_comes_from_its_own_mechanism(pairs):
    mechanisms = [faithful(n) for n in (0, 1, 5, 127, 128, 200)]
    which = np.array([k for k, _ in pairs], dtype=np.int64)
    counts = np.array([c % (mechanisms[k].n + 1) for k, c in pairs], dtype=np.int64)
    released = draw(mechanisms, which, counts, SystemWords())
    assert released.dtype == np.int16
    assert released.tolist() == counts.tolist()


def test_mixing_gives_each_mechanism_the_draws_it_gives_alone():
    """Tables, digits (two families, three alphas) and columns, side by side."""
    mechanisms = [dc.geometric(n=n, alpha="10/11") for n in (2, 7, 8, 40, 127, 128, 300, 100_000)]
    mechanisms += [
        dc.geometric(n=128, alpha="1/2"),
        dc.fair(n=200, alpha="10/11"),
        dc.fair(n=4000, alpha="10/11"),
    ]
    mechanisms += [dc.uniform(n=128), dc.weakly_honest(n=150, alpha="0.99")]
    rng = np.random.default_rng(5)
    which = rng.integers(0, len(mechanisms), CHUNK + 17)
    counts = (rng.random(len(which)) * (np.array([m.n for m in mechanisms])[which] + 1)).astype(
        np.int64
    )
    words = rng.integers(0, 2**64, len(which), dtype=np.uint64)
    mixed = draw(mechanisms, which, counts, Scripted(words.tolist()))
    for k, mechanism in enumerate(mechanisms):
        mine = which == k
        alone = release(mechanism, counts[mine], source=Scripted(words[mine].tolist()))
        assert (mixed[mine] == alone).all()


@pytest.mark.parametrize(
    "mechanism", [dc.geometric(n=8, alpha="10/11"), dc.geometric(n=200, alpha="10/11")]
)
def test_every_draw_takes_one_word_whatever_its_count(mechanism):
    for counts in (np.zeros(1000, dtype=int), np.full(1000, mechanism.n), np.arange(1000) % 9):
        source = Scripted(range(1, 1001))
        release(mechanism, counts, source=source)
        assert source.taken == 1000


def test_small_mechanisms_not_present_do_not_matter_but_fix_the_type():
    source = SystemWords()
    released = draw(
        [faithful(3), dc.uniform(n=100_000)], np.zeros(4, dtype=int), np.arange(4), source
    )
    assert released.tolist() == [0, 1, 2, 3]
    assert released.dtype == np.int32
    assert draw([], np.zeros(0, dtype=int), np.zeros(0, dtype=int), source).tolist() == []


@pytest.mark.parametrize(
    ("which", "counts", "error", "rule"),
    [
        ([0, 2], [0, 0], InvalidInput, "must index the 2 mechanisms"),
        ([0, -1], [0, 0], InvalidInput, "must index the 2 mechanisms"),
        ([0, 1], [0, 9], InvalidData, r"row 2"),
        ([1, 0], [8, 4], InvalidData, r"row 2"),
        ([0, 1], [-1, 0], InvalidData, r"row 1"),
        ([0, 1], [0], InvalidInput, "as long as"),
        ([[0], [1]], [[0], [1]], InvalidInput, "flat"),
        ([0, 1], [0.0, 1.0], InvalidData, "integer dtype"),
        ([0.0, 1.0], [0, 1], InvalidData, "integer dtype"),
        ([True, False], [0, 1], InvalidData, "integer dtype"),
    ],
)
def test_bad_tables_are_refused_and_nothing_is_drawn(which, counts, error, rule):
    source = Scripted([])
    with pytest.raises(error, match=rule):
        draw([faithful(3), faithful(8)], np.array(which), np.array(counts), source)
    assert source.taken == 0


@pytest.mark.parametrize("dtype", ["i1", "u1", "u2", "u8", "i8", ">i4"])
def test_counts_of_every_type_are_compared_without_wrapping(dtype):
    mechanisms = [faithful(3), faithful(300)]
    which = np.array([0, 1, 1])
    assert draw(mechanisms, which, np.array([3, 100, 4], dtype=dtype), SystemWords()).tolist() == [
        3,
        100,
        4,
    ]
    with pytest.raises(InvalidData, match="row 1"):
        draw(mechanisms, which, np.array([4, 100, 4], dtype=dtype), SystemWords())


def test_a_count_beyond_every_signed_integer_is_out_of_range():
    with pytest.raises(InvalidData, match="row 2"):
        draw(
            [faithful(3)],
            np.array([0, 0]),
            np.array([1, 2**64 - 1], dtype=np.uint64),
            SystemWords(),
        )


# --- ties ---------------------------------------------------------------------------------------------------


def test_a_tie_is_settled_at_its_own_place_with_its_own_words():
    """Word k is the threshold itself at a few places, across chunks; position counts from the source's first word."""
    mechanism = dc.geometric(n=8, alpha="10/11")
    table = build_table(mechanism.form)
    bucket = next(b for b in range(16) if table.values[3, b, 0] != table.values[3, b, 1])
    keep, other = table.values[3, bucket].tolist()
    tie = int(table.marks[3, bucket])
    size, places = 2 * CHUNK + 10, [0, 5, CHUNK - 1, CHUNK, 2 * CHUNK + 9]
    words = [tie + 1] * size
    for place in places:
        words[place] = tie
    before = 3  # words that somebody took earlier
    low = Scripted([0] * before + words, lambda position, attempt: 0)
    high = Scripted([0] * before + words, lambda position, attempt: 2**64 - 1)
    low.take(before)
    high.take(before)
    drawn_low = release(mechanism, np.full(size, 3), source=low)
    drawn_high = release(mechanism, np.full(size, 3), source=high)
    assert low.asked == high.asked == [(before + place, 1) for place in places]
    assert np.flatnonzero(drawn_low == keep).tolist() == places
    assert (np.delete(drawn_low, places) == other).all()
    assert (drawn_high == other).all()


def test_ties_of_mixed_sizes_are_settled_with_the_words_of_their_own_position():
    small, large = dc.geometric(n=8, alpha="10/11"), Plain(((1,) * 300,) * 300, 300)
    table = build_table(small.form)
    bucket = next(b for b in range(16) if table.values[0, b, 0] != table.values[0, b, 1])
    edge = (1 << 64) * 100 // 300
    which, counts = np.array([1, 0, 1, 0, 1]), np.array([7, 0, 7, 0, 299])
    words = [edge, int(table.marks[0, bucket]), edge + 1, int(table.marks[0, bucket]) + 1, edge]
    source = Scripted(
        [1, 2, *words], lambda position, attempt: 0 if position in (2, 3) else 2**64 - 1
    )
    source.take(2)
    released = draw([small, large], which, counts, source)
    keep, other = table.values[0, bucket].tolist()
    assert released.tolist() == [99, keep, 100, other, 100]
    assert sorted(source.asked) == [(2, 1), (3, 1), (6, 1)]


# --- privacy of the words, and large groups -----------------------------------------------------------------


def test_what_is_drawn_with_predictable_words_is_marked():
    with pytest.warns(NotPrivateWarning, match="NOT PRIVATE"):
        once = release(m8, [4] * 50, source=predictable_words_for_tests_only_NOT_PRIVATE(3))
    with pytest.warns(NotPrivateWarning):
        again = release(m8, [4] * 50, source=predictable_words_for_tests_only_NOT_PRIVATE(3))
    assert once == again
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert m8.release([4] * 50) != m8.release([4] * 50), "equal with chance below 1e-30"


@pytest.mark.parametrize(
    "build", [dc.geometric, dc.fair, dc.weakly_honest], ids=lambda f: f.__name__
)
def test_a_hundred_thousand_people_can_be_counted(build):
    mechanism = build(n=100_000, alpha="10/11")
    released = mechanism.release(np.array([0, 50_000, 100_000]))
    assert released.dtype == np.int32
    assert 0 <= released.min() <= released.max() <= 100_000


def test_a_few_large_groups_among_small_ones_just_work():
    mechanisms = [
        *(dc.geometric(n=n, alpha="1/2") for n in range(1, 40)),
        dc.geometric(n=100_000, alpha="1/2"),
    ]
    which = np.arange(5000) % 39
    which[[17, 400]] = 39
    counts = np.ones(5000, dtype=np.int64)
    counts[[17, 400]] = 70_000
    released = draw(mechanisms, which, counts, SystemWords())
    assert (abs(released[[17, 400]] - 70_000) < 200).all(), "further away with chance below 2^-190"
    assert (np.delete(released, [17, 400]) <= np.delete(which, [17, 400]) + 1).all()


def test_small_and_large_meet_at_the_same_size():
    assert dc.uniform(n=ALIAS_UP_TO).release(np.zeros(10, dtype=int)).dtype == np.int8
    assert dc.uniform(n=ALIAS_UP_TO + 1).release(np.zeros(10, dtype=int)).dtype == np.int16


def test_a_pandas_series_keeps_its_index_and_its_name():
    require("pandas")
    import pandas as pd

    counts = pd.Series([3, 0, 5], index=["a", "b", "c"], name="smokers")
    m = dc.geometric(
        n=5, epsilon=200
    )  # so much that the truth is drawn, with chance above 1 - 1e-80
    for series in (counts, counts.astype("Int64"), counts.astype("uint8")):
        drawn = m.release(series)
        assert drawn.to_dict() == counts.to_dict() and drawn.name == "smokers"
    for wrong, said in (
        (pd.Series([3, None], dtype="Int64"), r"must not be missing \(row 2"),
        (pd.Series([3, 7]), r"must be in 0\.\.5 \(row 2"),
        (pd.Series([3.0]), "must have an integer dtype, not float64"),
        (pd.Series([True]), "must have an integer dtype, not bool"),
    ):
        with pytest.raises(InvalidData, match=said):
            m.release(wrong)
