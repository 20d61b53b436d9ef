"""Draws by binary digits: the recipe in fractions is the closed form, and the words decide what the recipe says."""

from __future__ import annotations

from fractions import Fraction
from math import prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.amounts import tries
from tests.sampler.sampler_support import Scripted
from tests.sampler.test_digit_chances import exact

import discreet as dc
from discreet.core.forms import ColumnHonest, Fair, Geometric, Uniform
from discreet.errors import InvalidData, InvalidInput
from discreet.sampler import (
    KeyedWords,
    ReleaseSecret,
    SystemWords,
    predictable_words_for_tests_only_NOT_PRIVATE,
)
from discreet.sampler.digits import (
    CHUNK,
    MAX_SIZE,
    ROUND,
    _digits,
    _moved_inward,
    _outputs,
    draw_family,
)
from discreet.sampler.drawing import family_of

FORMS = {"geometric": Geometric, "fair": Fair}
HIGH = 2**64 - 1


# --- the recipe ---------------------------------------------------------------------------------------------


def chances_of_ranks(kind, alpha, n):
    """The exact chance of every rank that the digits of this size can make, from the chances of its digits."""
    digits = [exact(digit.chance) for digit in _digits(kind, alpha, n.bit_length())]
    ranks = range(2 ** len(digits))
    return [
        prod((p if rank >> c & 1 else 1 - p for c, p in enumerate(digits)), start=Fraction(1))
        for rank in ranks
    ]


@pytest.mark.parametrize(
    "alpha", [Fraction(text) for text in ("10/11", "1/3", "2/7", "99/100", "1")], ids=str
)
@pytest.mark.parametrize("kind", ["geometric", "fair"])
@pytest.mark.parametrize("n", [*range(1, 14), 16, 31])
def test_the_recipe_is_the_closed_form_in_fractions_in_every_column(kind, alpha, n):
    of_ranks = chances_of_ranks(kind, alpha, n)
    assert sum(of_ranks) == 1
    if kind == "fair":  # ranks above n are drawn again, so the others keep their proportions
        taken = sum(of_ranks[: n + 1])
        assert taken > Fraction(1, 2)
        of_ranks = [chance / taken for chance in of_ranks[: n + 1]]
    ranks, form = np.arange(len(of_ranks)), FORMS[kind](n, alpha)
    numerators, denominators = zip(*(form.column(j) for j in range(n + 1)), strict=True)
    for j in range(n + 1):
        found = [Fraction(0)] * (n + 1)
        for output, chance in zip(
            _outputs(kind, ranks, ranks * 0 + n, ranks * 0 + j).tolist(), of_ranks, strict=True
        ):
            found[output] += chance
        assert found == [Fraction(x, denominators[j]) for x in numerators[j]]


@pytest.mark.parametrize("alpha", [Fraction(text) for text in ("51/100", "3/5", "2/3")], ids=str)
@pytest.mark.parametrize("n", [*range(3, 10), 16])
def test_the_column_honest_recipe_is_the_closed_form_in_fractions_in_every_column(alpha, n):
    of_ranks = chances_of_ranks("column-honest", alpha, n)
    assert sum(of_ranks) == 1
    ranks, form = np.arange(len(of_ranks)), ColumnHonest(n, alpha)
    for j in range(n + 1):
        found = [Fraction(0)] * (n + 1)
        outputs = _moved_inward(ranks, n.bit_length() + 2, ranks * 0 + n, ranks * 0 + j)
        for output, chance in zip(outputs.tolist(), of_ranks, strict=True):
            found[output] += chance
        assert found == [form.entry(i, j) for i in range(n + 1)]


@pytest.mark.parametrize("n", [0, 1, 2, 3, 40, 41, 127, 128, 10**9])
def test_em_maps_ranks_to_the_outputs_with_their_exponent(n):
    """Exponents of a huge column, looked at near its ends, its middle and the count."""
    form = Fair(n, Fraction(1, 2))
    for j in {min(j, n) for j in (0, 1, n // 3, n // 2, (n + 1) // 2, abs(n - 1), n)}:
        ranks = np.unique(
            [r for r in (0, 1, 2, 2 * j, 2 * j + 1, n - 2 * j, n // 2, n - 1, n) if 0 <= r <= n]
        )
        outputs = _outputs("fair", ranks, ranks * 0 + n, ranks * 0 + j).tolist()
        assert len(set(outputs)) == len(ranks)
        assert [form.exponent(i, j) for i in outputs] == ((ranks + 1) // 2).tolist()


# --- words --------------------------------------------------------------------------------------------------


class Told:
    """A source whose words say what the digits of each draw's ranks shall be, and which notes what it was asked."""

    private = True

    def __init__(self, kind, alpha, sizes, ranks):
        self.marks = [
            [int(d.mark) for d in _digits(kind, alpha, int(n).bit_length())] for n in sizes
        ]
        self.ranks, self.taken, self.asked = ranks, 0, []

    def word(self, position, turn, place):
        marks = self.marks[position]
        if place >= len(marks):
            return HIGH  # the draw of nobody's count reads no word
        yes = self.ranks[position][turn] >> place & 1
        return marks[place] - 1 if yes else marks[place] + 1

    def take(self, count):
        self.taken += count
        return np.array(
            [self.word(k, 0, 0) for k in range(self.taken - count, self.taken)], dtype=np.uint64
        )

    def more(self, position, attempt):
        raise AssertionError("no word of this source is a tie")

    def stream(self, positions, first, count):
        self.asked.append((positions.tolist(), first, count))
        turn, place = divmod(first, ROUND)
        places = range(place, place + count) if turn else range(1, count + 1)
        rows = [[self.word(k, turn, c) for k in positions.tolist()] for c in places]
        return np.array(rows, dtype=np.uint64).reshape(count, len(positions))


@settings(max_examples=tries(30))
@given(st.data(), st.sampled_from(["geometric", "fair"]))
def test_words_decide_digits_and_the_first_rank_that_fits_is_taken(data, kind):
    alpha = Fraction(999, 1000)  # no digit of these sizes is so rare that its first word is 0
    sizes = data.draw(st.lists(st.integers(0, 2000), min_size=1, max_size=20))
    counts = [data.draw(st.integers(0, n)) for n in sizes]
    tops = [2 ** len(_digits(kind, alpha, n.bit_length())) - 1 for n in sizes]
    ranks = [[*data.draw(st.lists(st.integers(0, top), max_size=3)), 0] for top in tops]
    n, j = np.array(sizes), np.array(counts)
    drawn = draw_family(kind, alpha, n, j, Told(kind, alpha, sizes, ranks))
    fitting = [
        r[0] if kind == "geometric" else next(x for x in r if x <= n)
        for r, n in zip(ranks, sizes, strict=True)
    ]
    assert drawn.tolist() == _outputs(kind, np.array(fitting), n, j).tolist()


@pytest.mark.parametrize("kind", ["geometric", "fair", "column-honest"])
def test_what_is_read_does_not_depend_on_the_counts(kind):
    """The same words, other counts: the same words are asked for, rejections and all."""
    rng = np.random.default_rng(3)
    sizes = rng.integers(0, 300, 500)
    alpha = Fraction(999, 1000)
    if (
        kind == "column-honest"
    ):  # digits of larger groups are so rare here that their first word is 0
        sizes, alpha = sizes % 29 + 3, Fraction(2, 3)
    ranks = [
        [*rng.integers(0, 2 ** len(_digits(kind, alpha, n.bit_length())), 30).tolist(), 0]
        for n in sizes.tolist()
    ]
    asked = []
    for counts in (sizes * 0, sizes, sizes // 2):
        source = Told(kind, alpha, sizes.tolist(), ranks)
        draw_family(kind, alpha, sizes, counts, source)
        asked.append((source.taken, source.asked))
    assert asked[0] == asked[1] == asked[2]
    assert asked[0][0] == 500
    assert any(first for _, first, _ in asked[0][1]) == (kind == "fair"), (
        "EM draws some ranks again, GM none"
    )


def test_a_tie_is_settled_with_the_further_words_of_its_draw_in_order():
    alpha, n, j = Fraction(10, 11), 200, 100
    digits = _digits("geometric", alpha, 8)
    marks = [int(digit.mark) for digit in digits]

    class Tied(Scripted):
        def stream(self, positions, first, count):
            rows = [
                [mark if k == 1 else mark + 1 for k in positions.tolist()]
                for mark in marks[1 : count + 1]
            ]
            return np.array(rows, dtype=np.uint64)

    words = [HIGH, marks[0], HIGH]
    for further, expected in ((0, [j, 0, j]), (HIGH, [j, j, j])):
        source = Tied(words, lambda position, attempt, further=further: further)
        drawn = draw_family("geometric", alpha, np.full(3, n), np.full(3, j), source)
        assert source.asked == [(1, attempt) for attempt in range(1, len(marks) + 1)]
        # all digits 1, so the number is vast and negative; or all 0, so it is 0
        assert drawn.tolist() == expected


def sources():
    rows = np.random.default_rng(4).integers(0, 256, (CHUNK + 50, 16), dtype=np.uint8)
    secret = ReleaseSecret(bytes(32))
    return rows, lambda order: KeyedWords(secret, rows[order])


@pytest.mark.parametrize("kind", ["geometric", "fair", "column-honest"])
def test_a_draw_is_the_same_in_any_company(kind):
    rows, source = sources()
    rng = np.random.default_rng(5)
    moved = kind == "column-honest"
    sizes, alpha = (
        rng.integers(3 * moved, 5000, len(rows)),
        Fraction(3, 5) if moved else Fraction(9999, 10_000),
    )
    counts = (rng.random(len(rows)) * (sizes + 1)).astype(np.int64)
    order = rng.permutation(len(rows))
    draw = lambda part: draw_family(kind, alpha, sizes[part], counts[part], source(part))
    whole = draw(np.arange(len(rows)))
    assert draw(order).tolist() == whole[order].tolist()
    for part in (order[:100], order[100:101], np.flatnonzero(sizes < 50)):
        assert draw(part).tolist() == whole[part].tolist()


def test_predictable_words_give_the_same_draws_again():
    sizes = np.full(300, 4000)
    once, again = (
        draw_family(
            "fair",
            Fraction(9, 10),
            sizes,
            sizes // 2,
            predictable_words_for_tests_only_NOT_PRIVATE(5),
        )
        for _ in range(2)
    )
    assert once.tolist() == again.tolist()
    assert len(set(once.tolist())) > 10


# --- any size -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("build", [dc.geometric, dc.fair])
@pytest.mark.parametrize("alpha", ["1/1000", "10/11", "999999999/1000000000", "1"])
def test_a_thousand_million_people_can_be_counted(build, alpha):
    mechanism = build(n=10**9, alpha=alpha)
    released = mechanism.release(np.array([0, 5 * 10**8, 10**9]))
    assert released.dtype == np.int32
    assert 0 <= released.min() <= released.max() <= 10**9
    if alpha == "10/11":  # further away with chance below 1e-80
        assert abs(released[1] - 5 * 10**8) < 2000
    assert 0 <= mechanism.release(7) <= 10**9


@pytest.mark.parametrize("kind", ["geometric", "fair", "column-honest"])
def test_sizes_of_every_length_are_mixed(kind):
    sizes = np.array([0, 1, 2, 3, 127, 128, 10**6, 2**29, MAX_SIZE] * 100)
    alpha, far = Fraction(1, 1000), 30
    if kind == "column-honest":
        sizes, alpha, far = sizes[sizes >= 3], Fraction(51, 100), 300
    drawn = draw_family(kind, alpha, sizes, sizes, SystemWords())
    assert ((drawn >= 0) & (drawn <= sizes)).all()
    assert (sizes - drawn < far).all(), "further away with chance below 1e-40"
    assert draw_family(kind, alpha, sizes[:0], sizes[:0], SystemWords()).tolist() == []


def test_forms_that_are_drawn_by_digits():
    a = Fraction(1, 2)
    assert family_of(Geometric(300, a)) == ("geometric", a)
    assert family_of(Fair(300, a)) == ("fair", a)
    assert family_of(Uniform(300)) == ("fair", 1)
    assert family_of(ColumnHonest(300, Fraction(3, 5))) == ("column-honest", Fraction(3, 5))
    assert family_of(dc.weakly_honest(n=5, alpha="9/10").form) is None


@pytest.mark.parametrize(
    ("kind", "alpha", "sizes", "counts", "error", "rule"),
    [
        ("poisson", Fraction(1, 2), [1], [1], InvalidInput, "geometric, fair or column-honest"),
        ("column-honest", Fraction(1, 2), [5], [1], InvalidInput, "above 1/2"),
        ("column-honest", Fraction(3, 4), [5], [1], InvalidInput, "at most 2/3"),
        ("column-honest", Fraction(3, 5), [5, 2], [1, 1], InvalidInput, "at least 3"),
        ("fair", 0.5, [1], [1], InvalidInput, "Fraction above 0"),
        ("fair", Fraction(0), [1], [1], InvalidInput, "Fraction above 0"),
        ("fair", Fraction(3, 2), [1], [1], InvalidInput, "Fraction above 0"),
        ("fair", Fraction(1, 2), [1, 2], [1], InvalidInput, "as many as"),
        ("fair", Fraction(1, 2), [1.0], [1.0], InvalidInput, "int64"),
        ("fair", Fraction(1, 2), [-1], [-1], InvalidInput, "sizes"),
        ("fair", Fraction(1, 2), [MAX_SIZE + 1], [0], InvalidInput, "sizes"),
        ("geometric", Fraction(1, 2), [5, 5], [5, 6], InvalidData, "row 2"),
        ("geometric", Fraction(1, 2), [5, 5], [-1, 0], InvalidData, "row 1"),
    ],
)
def test_bad_input_is_refused_and_nothing_is_drawn(kind, alpha, sizes, counts, error, rule):
    source = Scripted([])
    with pytest.raises(error, match=rule):
        draw_family(kind, alpha, np.array(sizes), np.array(counts), source)
    assert source.taken == 0
