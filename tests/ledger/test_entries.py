"""A chain of entries shows every change to it."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.errors import BudgetError, InvalidInput
from discreet.ledger.entries import START, Entry, Head, follow, read_head, seal_of

words = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)


@st.composite
def chains(draw: st.DrawFn, least: int = 0) -> list[Entry]:
    chain: list[Entry] = []
    for sequence in range(1, draw(st.integers(least, 8)) + 1):
        previous = chain[-1].seal if chain else START
        kind = draw(st.sampled_from(["open", "reserve", "draw", "restore"]))
        chain.append(
            Entry(
                sequence=sequence,
                previous=previous,
                time="t",
                kind=kind,
                dataset=draw(words),
                note=draw(words),
            )
        )
    return chain


@given(chains())
def test_a_chain_reads_back_as_it_was_written(chain):
    assert list(follow(Head(), [entry.row for entry in chain])) == chain


@given(chains(), st.data())
def test_a_chain_continues_from_any_of_its_heads(chain, data):
    cut = data.draw(st.integers(0, len(chain)))
    head = Head(entries=cut, seal=chain[cut - 1].seal if cut else START)
    assert list(follow(head, [entry.row for entry in chain[cut:]])) == chain[cut:]


@given(chains(least=2), st.data())
def test_one_change_anywhere_but_at_the_end_is_found(chain, data):
    rows = [entry.row for entry in chain]
    at = data.draw(st.integers(0, len(rows) - 1))
    change = data.draw(
        st.sampled_from(["note", "reseal", "drop", "swap", "seal", "number", "character"])
    )
    sequence, line, seal = rows[at]
    changed = replace(chain[at], note=chain[at].note + "x")
    last = at == len(rows) - 1
    if change == "note":
        rows[at] = (sequence, changed.line, seal)
    elif change == "reseal":  # a careful forger seals anew; the next entry still tells
        if last:
            return
        rows[at] = changed.row
    elif change == "drop":
        if last:
            return
        del rows[at]
    elif change == "swap":
        if last:
            return
        (_, line2, seal2), rows[at + 1] = rows[at + 1], (sequence + 1, line, seal)
        rows[at] = (sequence, line2, seal2)
    elif change == "seal":
        rows[at] = (sequence, line, "0" * 64)
    elif change == "number":
        rows[at] = (sequence + 1, line, seal)
    else:
        position = data.draw(st.integers(0, len(line) - 1))
        other = data.draw(st.characters(codec="ascii").filter(lambda c: c != line[position]))
        rows[at] = (sequence, line[:position] + other + line[position + 1 :], seal)
    with pytest.raises(BudgetError, match=r"entry \d"):
        list(follow(Head(), rows))


@pytest.mark.parametrize(
    "line",
    [
        "",
        "null",
        "[]",
        "{}",
        "1e999",
        "[" * 100_000,
        '{"kind":"open"}',
        Entry(sequence=1, previous=START, time="", kind="open").line.replace(",", ", "),
        Entry(sequence=1, previous=START, time="", kind="open").line.replace('"open"', '"gift"'),
        Entry(sequence=1, previous=START, time="", kind="open").line.replace('"caller":"",', ""),
        Entry(sequence=1, previous=START, time="", kind="open", format=0).line,
        json.dumps(
            dict(
                json.loads(Entry(sequence=1, previous=START, time="", kind="open").line),
                sequence=True,
            )
        ),
    ],
)
def test_a_line_that_is_no_entry_is_refused_even_when_sealed(line):
    with pytest.raises(BudgetError, match="entry 1"):
        list(follow(Head(), [(1, line, seal_of(line))]))


def test_the_message_tells_what_happened():
    chain: list[Entry] = []
    for n in range(1, 5):
        chain.append(
            Entry(sequence=n, previous=chain[-1].seal if chain else START, time="", kind="restore")
        )
    rows = [entry.row for entry in chain]
    with pytest.raises(BudgetError, match="entry 2 to 3 is missing"):
        list(follow(Head(), [rows[0], rows[3]]))
    with pytest.raises(BudgetError, match="entry 2 was moved: it was written as number 3"):
        list(follow(Head(), [rows[0], (2, *rows[2][1:]), (3, *rows[1][1:])]))


def test_a_head_survives_as_text():
    head = Head(entries=12, seal="ab" * 32)
    assert read_head(str(head)) == head
    assert read_head(f" {head}\n") == head
    assert read_head(head) is head


@pytest.mark.parametrize(
    "text",
    ["", "12", "12:", "x:" + START, "1:" + START[1:], "-1:" + START, "9" * 30 + ":" + START, 7],
)
def test_a_head_that_is_none_is_refused(text):
    with pytest.raises(InvalidInput, match="`head` must be"):
        read_head(text)


def test_the_format_is_fixed_for_good():
    about = {
        "sequence": 1,
        "previous": START,
        "time": "2026-11-15T08:00:00+00:00",
        "dataset": "é",
        "amount": "1/1",
    }
    entry = Entry(kind="reserve", question="q", output="/o\udcff", caller="c", **about)
    assert entry.line == (
        '{"amount":"1/1","by":"","caller":"c","dataset":"\\u00e9","digest":"","format":1,"id":"","kind":"reserve",'
        f'"note":"","output":"/o\\udcff","previous":"{START}","question":"q","sequence":1,'
        '"time":"2026-11-15T08:00:00+00:00"}'
    )
    assert entry.seal == "90c684133d7e7606cd8075269d15d2cb5145b9f4579389d1599de05df8c0f41a"
    assert list(follow(Head(), [entry.row])) == [entry]


def test_an_entry_of_a_newer_format_says_what_to_do():
    line = Entry(sequence=1, previous=START, time="", kind="open").line.replace(
        '"format":1', '"format":2'
    )
    with pytest.raises(
        BudgetError, match="entry 1 of the ledger is of format 2; .* upgrade discreet"
    ):
        list(follow(Head(), [(1, line, seal_of(line))]))
