"""The rules of spending hold on every chain: nothing is granted beyond a budget, nothing spent comes back."""

from __future__ import annotations

import itertools
import unicodedata
from dataclasses import replace
from fractions import Fraction
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.grids import everywhere

from discreet.errors import BudgetError, BudgetExceeded, InvalidInput
from discreet.ledger.accounts import _WHY, MAX_SUM_BITS, Books, State, fold
from discreet.ledger.entries import Entry
from discreet.ledger.names import look, read_name, shows
from discreet.ledger.parameters import (
    read_amount,
    read_epsilon,
    read_id,
    read_text,
    show,
    write_amount,
)

amounts = st.fractions(min_value="1/1000", max_value=3, max_denominator=1000)


def entry(books: Books, kind: str, **fields: str) -> Entry:
    signed = {"note": "because", "by": "ann"} if kind in ("budget", "release") else {}
    head = books.head
    return Entry(
        sequence=head.entries + 1, previous=head.seal, time="", kind=kind, **(signed | fields)
    )


def step(books: Books, kind: str, **fields: str) -> Books:
    return fold(books, [entry(books, kind, **fields)])


def opened(budget: str = "1/1") -> Books:
    return step(Books(), "open", dataset="d", amount=budget)


def test_ten_tenths_fit_one_exactly_and_not_the_smallest_bit_more():
    books = opened()
    for n in range(10):
        books = step(books, "reserve", dataset="d", id=f"r{n}", amount="1/10")
    assert books.accounts["d"].remaining == 0
    with pytest.raises(
        BudgetExceeded, match=r"(?s)nothing remains of 1\).*\nNothing was spent\."
    ) as refused:
        step(books, "reserve", dataset="d", id="more", amount="1/" + "9" * 100)
    assert refused.value.remaining == 0
    assert refused.value.requested == Fraction(1, int("9" * 100))


def test_a_refusal_says_what_remains_and_what_would_fit():
    books = step(opened(), "reserve", dataset="d", id="first", amount="7/10")
    with pytest.raises(
        BudgetExceeded,
        match=r"0.5 does not fit the budget of dataset 'd' \(0.3 of 1 remains\):\n  - ",
    ):
        step(books, "reserve", dataset="d", id="second", amount="1/2")
    with pytest.raises(
        BudgetExceeded, match=r"Reserved and not drawn: 0.7 \('first'\); discreet ledger give-back"
    ):
        step(books, "reserve", dataset="d", id="second", amount="1/2")


def test_a_sum_of_unlike_fractions_stays_quick_or_is_refused():
    books = opened()
    unlike = (f"1/{2**200 + n}" for n in itertools.count())
    while books.accounts["d"].spent.denominator.bit_length() < MAX_SUM_BITS - 200:
        books = step(
            books, "reserve", dataset="d", id=f"r{len(books.reservations)}", amount=next(unlike)
        )
    big = entry(books, "reserve", dataset="d", id="big", amount=f"1/{3**500}")
    with pytest.raises(
        BudgetError,
        match=r"common denominator.* round it up to a simpler number, such as 0.001; nothing",
    ):
        fold(books, [big])
    assert step(books, "reserve", dataset="d", id="simpler", amount="1/1000").accounts[
        "d"
    ].spent > Fraction(1, 1000)


# The whole state machine: what each kind makes of each state; None is refused.
TABLE = {
    "reserved": {"draw": "drawn", "publish": None, "commit": None, "release": "released"},
    "drawn": {"draw": "drawn", "publish": "publishing", "commit": None, "release": None},
    "publishing": {"draw": None, "publish": None, "commit": "committed", "release": None},
    "committed": {"draw": None, "publish": None, "commit": None, "release": None},
    "released": {"draw": None, "publish": None, "commit": None, "release": None},
}
WAYS = {
    "reserved": [],
    "drawn": ["draw"],
    "publishing": ["draw", "publish"],
    "committed": ["draw", "publish", "commit"],
    "released": ["release"],
}


@pytest.mark.parametrize(("state", "kind"), [(s, k) for s, row in TABLE.items() for k in row])
def test_every_state_and_every_step(state, kind):
    books = step(opened(), "reserve", dataset="d", id="r", amount="1/4")
    for passed in WAYS[state]:
        books = step(books, passed, dataset="d", id="r")
    assert books.reservations["r"].state == state
    assert books.accounts["d"].spent == (0 if state == "released" else Fraction(1, 4))
    expected = TABLE[state][kind]
    if expected is None:
        with pytest.raises(BudgetError, match=f"is {state}, so '{kind}' is refused"):
            step(books, kind, dataset="d", id="r")
    else:
        assert step(books, kind, dataset="d", id="r").reservations["r"].state == expected


def test_every_state_is_explained():
    assert set(_WHY) == set(get_args(State)) == set(TABLE)


@given(
    st.lists(
        st.tuples(
            st.sampled_from([*TABLE["drawn"], "reserve", "budget"]), st.integers(0, 4), amounts
        ),
        max_size=40,
    )
)
def test_no_sequence_of_requests_overspends_or_forgets(requests):
    books = opened("2/1")
    seen: set[str] = set()  # ids of which something may have been seen
    for kind, which, amount in requests:
        before = books
        fields = {"dataset": "d", "amount": write_amount(amount)}
        if kind != "budget":
            fields["id"] = f"r{which}"
        if kind not in ("reserve", "budget"):
            del fields["amount"]
        try:
            books = step(books, kind, **fields)
        except BudgetError:
            assert books == before
            continue
        if kind == "draw":
            seen.add(f"r{which}")
        account = books.accounts["d"]
        counted = [r for r in books.reservations.values() if r.state != "released"]
        assert account.spent == sum((r.epsilon for r in counted), Fraction(0)) <= account.budget
        assert seen <= {r.release_id for r in counted}


def test_a_budget_changes_only_with_reason_and_person_and_never_below_what_is_spent():
    books = step(opened(), "reserve", dataset="d", id="r", amount="1/2")
    assert step(books, "budget", dataset="d", amount="2/1").accounts["d"].remaining == Fraction(
        3, 2
    )
    assert step(books, "budget", dataset="d", amount="1/2").accounts["d"].remaining == 0
    with pytest.raises(BudgetError, match="cannot become 0.25: 0.5 is spent already"):
        step(books, "budget", dataset="d", amount="1/4")
    for missing in ("note", "by"):
        with pytest.raises(BudgetError, match="needs a reason and the name"):
            fold(
                books,
                [replace(entry(books, "budget", dataset="d", amount="2/1"), **{missing: " "})],
            )


@pytest.mark.parametrize("name", ["D", "ｄ", " d", "d\u00a0"])
def test_a_name_that_looks_like_an_open_one_gets_no_second_budget(name):
    with pytest.raises(BudgetError, match="looks like 'd'"):
        step(opened(), "open", dataset=name, amount="1/1")


def test_an_entry_that_was_read_back_and_breaks_a_rule_is_a_broken_chain():
    books = opened()
    with pytest.raises(
        BudgetError, match=r"chain is broken: entry 2 breaks a rule \(epsilon 2 does not fit"
    ):
        fold(books, [entry(books, "reserve", dataset="d", id="r", amount="2/1")], written=True)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "/",
        "1",
        "1/",
        "/1",
        "0/1",
        "1/0",
        "2/4",
        "-1/2",
        "+1/2",
        "1/2 ",
        "1_0/3",
        "٣/4",
        "9" * 700 + "/1",
    ],
)
def test_an_amount_has_one_text_only(text):
    with pytest.raises(BudgetError, match="amount"):
        read_amount(text)


@given(st.fractions(min_value="1/1000000000000"))
def test_amounts_survive_as_text(amount):
    assert read_amount(write_amount(amount)) == amount


@given(st.fractions(min_value=0), st.booleans())
def test_what_is_shown_as_remaining_still_fits(amount, up):
    shown = Fraction(show(amount, up=up))
    assert shown >= amount if up else shown <= amount
    assert abs(shown - amount) <= Fraction(1, 10**12)


def test_thousands_of_digits_are_shown_too():
    assert show(Fraction(3 * 10**5000 + 1, 10**5000)) == "3.000000000000"


@pytest.mark.parametrize(
    "value",
    [
        0,
        -1,
        "-1/2",
        "0",
        0.0,
        float("inf"),
        float("nan"),
        "inf",
        True,
        None,
        "",
        "1/0",
        [],
        "1/" + "7" * 900,
    ],
)
def test_an_epsilon_must_be_positive_finite_and_of_reasonable_size(value):
    with pytest.raises(InvalidInput, match="`epsilon` must"):
        read_epsilon("epsilon", value)


def test_a_float_is_read_as_it_is_written():
    assert sum(read_epsilon("epsilon", 0.1) for _ in range(10)) == 1


@pytest.mark.parametrize(
    "name",
    [
        "",
        " ",
        "\t",
        "a\nb",
        "a\0b",
        "\u200b",
        "a\u200bb",
        " a",
        "a ",
        "a\u00a0b",
        "\u202ea",
        "\ud800",
        "\ue000",
        "\u0378",
        "a\u2003b",
        "a\u3000b",
        "x" * 201,
        7,
        None,
        b"x",
    ],
)
def test_a_dataset_name_must_be_visible(name):
    with pytest.raises(InvalidInput, match="`dataset` must"):
        read_name("dataset", name)


@pytest.mark.parametrize(
    "name",
    ["people", 'O\'Brien; DROP TABLE "x"--', "données 2026", "人口", "a b", "100%", "{0}", "?"],
)
def test_any_visible_name_will_do(name):
    assert read_name("dataset", name) == name


# Everything the standard lets a display ignore, by DerivedCoreProperties.txt, and blanks that are letters or symbols.
INVISIBLE = [
    0xAD,
    0x34F,
    0x61C,
    0x115F,
    0x1160,
    0x17B4,
    0x17B5,
    *range(0x180B, 0x1810),
    *range(0x200B, 0x2010),
]
INVISIBLE += [
    *range(0x202A, 0x202F),
    *range(0x2060, 0x2070),
    0x3164,
    *range(0xFE00, 0xFE10),
    0xFEFF,
    0xFFA0,
]
INVISIBLE += [
    *range(0xFFF0, 0xFFF9),
    *range(0x1BCA0, 0x1BCA4),
    *range(0x1D173, 0x1D17B),
    0xE0001,
    0xE0020,
    0xE0100,
]
INVISIBLE += [0xE01EF, 0xE0FFF, 0x2800, 0x13441, 0x13442, 0x16FE4, 0x1D159]


@everywhere(code=INVISIBLE)
def test_an_invisible_character_opens_no_second_budget(code):
    assert not shows(chr(code))
    for name in (f"people{chr(code)}", f"{chr(code)}people", f"peo{chr(code)}ple"):
        assert look(name) == "people"
        with pytest.raises(
            InvalidInput, match=f"no invisible characters.* leave out U\\+{code:04X}"
        ):
            read_name("dataset", name)


@given(st.characters())
def test_what_a_name_may_hold_is_listed(character):
    """Letters, marks, digits, punctuation and symbols, and the plain space between them; nothing else."""
    fine = character == " " or (
        unicodedata.category(character)[0] in "LMNPS" and ord(character) not in INVISIBLE
    )
    if 0xE0100 <= ord(character) <= 0xE01EF:
        fine = False
    try:
        assert read_name("dataset", f"a{character}b") == unicodedata.normalize(
            "NFC", f"a{character}b"
        )
    except InvalidInput:
        assert not fine
    else:
        assert fine


def test_a_name_with_a_character_that_shows_nothing_is_still_there_and_has_no_twin():
    hidden = "people\ufe0f"
    books = step(Books(), "open", dataset=hidden, amount="1/1")
    assert read_name("dataset", hidden, books.accounts) == hidden
    with pytest.raises(BudgetError, match="looks like 'people"):
        step(books, "open", dataset="people", amount="1/1")


def test_a_release_is_drawn_for_one_question():
    books = step(
        opened(), "reserve", dataset="d", id="r", amount="1/2", question="q", caller="run 7"
    )
    assert (books.reservations["r"].question, books.reservations["r"].caller) == ("q", "run 7")
    with pytest.raises(BudgetError, match="release 'r' was reserved for another question"):
        step(books, "draw", dataset="d", id="r", question="other")
    by_hand = step(opened(), "reserve", dataset="d", id="r", amount="1/2")
    drawn = step(by_hand, "draw", dataset="d", id="r", question="q")
    with pytest.raises(BudgetError, match="another question"):
        step(drawn, "draw", dataset="d", id="r", question="other")
    assert step(drawn, "draw", dataset="d", id="r").reservations["r"].draws == 2


def test_every_place_a_release_was_drawn_to_is_kept_once_the_latest_last():
    books = step(opened(), "reserve", dataset="d", id="r", amount="1/2")
    for output in ("/a", "/b", "", "/a"):
        books = step(books, "draw", dataset="d", id="r", output=output)
    assert books.reservations["r"].outputs == ("/b", "/a")


@pytest.mark.parametrize("release_id", ["", "a b", "a/b", "é", "x" * 129, "a\n", None, 3])
def test_a_release_id_is_plain(release_id):
    with pytest.raises(InvalidInput, match="`release_id` must"):
        read_id(release_id)


@pytest.mark.parametrize("text", ["\x1b[2J", "\0", "\ud800", "x" * 2001, None, 3])
def test_a_note_is_printable(text):
    with pytest.raises(InvalidInput, match="`note` must"):
        read_text("note", text)
