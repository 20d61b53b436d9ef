"""The ledger's verbs, the same on SQLite and on PostgreSQL."""

from __future__ import annotations

from datetime import UTC, datetime
from fractions import Fraction

import pytest
from tests.ledger.places import sql

from discreet.errors import BudgetError, BudgetExceeded, InvalidInput
from discreet.ledger import ledger as module
from discreet.ledger import open_ledger

TENTH = Fraction(1, 10)


def test_the_way_of_a_release(place):
    ledger = open_ledger(place)
    account = ledger.open("people", budget=1)
    assert (account.budget, account.spent, account.remaining) == (1, 0, 1)
    entry = ledger.reserve("people", 0.1, note="smokers", release_id="first")
    assert (entry.state, entry.epsilon, entry.draws, entry.note) == (
        "reserved",
        TENTH,
        0,
        "smokers",
    )
    assert ledger.remaining("people") == Fraction(9, 10)
    entry = ledger.mark_drawn(entry)
    assert (entry.state, entry.draws) == ("drawn", 1)
    entry = ledger.mark_publishing(entry, digest="sha256:aa")
    assert (entry.state, entry.digest) == ("publishing", "sha256:aa")
    entry = ledger.commit(entry, note="42 rows")
    assert (entry.state, entry.finished) == ("committed", True)
    assert ledger.remaining("people") == Fraction(9, 10)
    assert [e.kind for e in ledger.history("people")] == [
        "open",
        "reserve",
        "draw",
        "publish",
        "commit",
    ]
    assert open_ledger(place).find("first") == entry
    assert ledger.verify() == ledger.head() == open_ledger(place).head()


def test_ten_releases_of_a_tenth_fit_one_exactly(place):
    ledger = open_ledger(place)
    ledger.open("people", budget=1)
    for _ in range(10):
        ledger.reserve("people", 0.1)
    assert ledger.remaining("people") == 0
    head = ledger.head()
    with pytest.raises(BudgetExceeded, match="nothing remains of 1"):
        ledger.refuse_if_too_much("people", TENTH)
    with pytest.raises(BudgetExceeded, match="nothing remains of 1"):
        ledger.reserve("people", "1/1000000000000000000000")
    assert ledger.head() == head


def test_a_request_that_does_not_fit_leaves_no_trace(place):
    ledger = open_ledger(place)
    ledger.open("people", budget="1/2")
    head = ledger.head()
    with pytest.raises(BudgetExceeded) as refused:
        ledger.reserve("people", 1, release_id="big")
    assert (refused.value.requested, refused.value.remaining) == (1, Fraction(1, 2))
    assert "0.5 of 0.5 remains" in str(refused.value) and str(refused.value).endswith(
        "\nNothing was spent."
    )
    assert ledger.head() == head
    assert ledger.find("big") is None
    ledger.reserve("people", refused.value.remaining, release_id="big")
    assert ledger.remaining("people") == 0


def test_datasets_have_budgets_of_their_own(place):
    ledger = open_ledger(place)
    hostile = [
        "people",
        "O'Brien; DROP TABLE discreet_entries--",
        'a"b',
        "人口",
        "100%s ? {0}",
        "\\",
    ]
    for number, name in enumerate(hostile, start=1):
        ledger.open(name, budget=number)
        ledger.reserve(name, "1/2", note=name, release_id=f"r{number}")
    assert [(a.dataset, a.budget, a.spent) for a in ledger.datasets()] == [
        (name, number, Fraction(1, 2)) for number, name in enumerate(hostile, start=1)
    ]
    assert [e.note for e in ledger.history("人口")] == ["", "人口"]
    assert len(ledger.history()) == 2 * len(hostile)
    assert open_ledger(place).verify().entries == 2 * len(hostile)


def test_the_same_name_in_another_normal_form_is_the_same_dataset(place):
    ledger = open_ledger(place)
    ledger.open("cafe\u0301", budget=1)
    ledger.reserve("caf\u00e9", 1)
    assert ledger.remaining("cafe\u0301") == 0


def test_opening_again_is_harmless_and_never_changes_a_budget(place):
    ledger = open_ledger(place)
    ledger.open("people", budget=1)
    ledger.reserve("people", "1/4")
    assert ledger.open("people", budget="1.0").remaining == Fraction(3, 4)
    assert ledger.head().entries == 2
    with pytest.raises(
        BudgetError,
        match=r"already open with a budget of 1, not 2: to change it:\n  discreet ledger set-budget",
    ):
        ledger.open("people", budget=2)


def test_a_budget_is_changed_by_an_entry_with_a_reason(place):
    ledger = open_ledger(place)
    ledger.open("people", budget=1)
    assert ledger.set_budget("people", 2, reason="board decision 7", by="ann").remaining == 2
    last = ledger.history("people")[-1]
    assert (last.kind, last.amount, last.note, last.by) == (
        "budget",
        "2/1",
        "board decision 7",
        "ann",
    )
    for missing in ({"reason": "", "by": "ann"}, {"reason": "why", "by": " "}):
        with pytest.raises(InvalidInput, match="must say something"):
            ledger.set_budget("people", 3, **missing)
    assert ledger.remaining("people") == 2


def test_an_unknown_dataset_is_named_with_the_near_one(place):
    ledger = open_ledger(place)
    with pytest.raises(
        BudgetError,
        match=r"no budget is open for dataset 'people': open it with: discreet ledger open",
    ):
        ledger.reserve("people", 1)
    ledger.open("people", budget=1)
    for call in (ledger.remaining, ledger.history, lambda name: ledger.reserve(name, 1)):
        with pytest.raises(
            BudgetError, match=r"no budget is open for dataset 'poeple': did you mean people\?"
        ):
            call("poeple")


def test_a_reservation_counts_until_a_person_gives_it_back(place):
    ledger = open_ledger(place)
    ledger.open("people", budget=1)
    ledger.reserve("people", 1, release_id="lost")
    (account,) = open_ledger(place).datasets()
    assert account.remaining == 0
    assert [r.release_id for r in account.unfinished] == ["lost"]
    with pytest.raises(InvalidInput, match="`reason` must say something"):
        ledger.release_reservation("lost", reason=" ", by="ann")
    given_back = ledger.release_reservation("lost", reason="machine died before drawing", by="ann")
    assert given_back.state == "released"
    assert ledger.remaining("people") == 1
    last = ledger.history("people")[-1]
    assert (last.kind, last.note, last.by) == ("release", "machine died before drawing", "ann")
    with pytest.raises(BudgetError, match="is released, so 'draw' is refused"):
        ledger.mark_drawn(given_back)
    with pytest.raises(BudgetError, match="is released, so 'release' is refused"):
        ledger.release_reservation(given_back, reason="again", by="ann")
    with pytest.raises(BudgetError, match="has a reservation already"):
        ledger.reserve("people", 1, release_id="lost")


def test_once_a_word_may_have_been_drawn_nothing_comes_back(place):
    ledger = open_ledger(place)
    ledger.open("people", budget=1)
    entry = ledger.reserve("people", 1, release_id="r")
    for advance in (ledger.mark_drawn, ledger.mark_publishing, ledger.commit):
        entry = advance(entry)
        with pytest.raises(BudgetError, match=r"'release' is refused: .*it stays spent"):
            ledger.release_reservation("r", reason="please", by="ann")
        assert ledger.remaining("people") == 0


def test_an_interrupted_release_resumes_under_its_own_entry(place):
    open_ledger(place).open("people", budget="1/10")
    open_ledger(place).reserve("people", "1/10", release_id="monthly")
    ledger = open_ledger(place)
    entry = ledger.resume("monthly", dataset="people", epsilon=0.1)
    entry = ledger.mark_drawn(entry)
    entry = open_ledger(place).resume("monthly")
    entry = ledger.mark_drawn(entry)
    assert (entry.state, entry.draws) == ("drawn", 2)
    entry = ledger.mark_publishing(entry, digest="d")
    assert ledger.remaining("people") == 0
    for call in (lambda: ledger.resume("monthly"), lambda: ledger.mark_drawn(entry)):
        with pytest.raises(BudgetError, match="publishing"):
            call()
    ledger.commit(entry)
    with pytest.raises(BudgetError, match="is committed and cannot be drawn again"):
        ledger.resume("monthly")


def test_a_release_resumes_only_as_what_it_was(place):
    ledger = open_ledger(place)
    ledger.open("people", budget=1)
    ledger.open("firms", budget=1)
    ledger.reserve("people", "1/10", release_id="monthly")
    with pytest.raises(BudgetError, match="no reservation for release 'weekly'"):
        ledger.resume("weekly")
    with pytest.raises(BudgetError, match="reserved for dataset 'people', not 'firms'"):
        ledger.resume("monthly", dataset="firms")
    with pytest.raises(BudgetError, match="reserved with epsilon 0.1"):
        ledger.resume("monthly", epsilon="2/10")
    with pytest.raises(
        BudgetError,
        match=r"'monthly' has a reservation already \(reserved\): `resume='monthly'` takes it up",
    ):
        ledger.reserve("people", "1/10", release_id="monthly")
    ledger.release_reservation("monthly", reason="not needed", by="ann")
    with pytest.raises(BudgetError, match="is released and cannot be drawn again"):
        ledger.resume("monthly")


def test_of_two_processes_that_resume_one_release_only_the_later_draw_is_published(place):
    first, second = open_ledger(place), open_ledger(place)
    first.open("people", budget=1)
    one = first.mark_drawn(first.reserve("people", 1, release_id="r"))
    two = second.mark_drawn(second.resume("r"))
    with pytest.raises(BudgetError, match="resumed elsewhere and drawn again: discard this file"):
        first.mark_publishing(one, digest="file of one")
    two = second.mark_publishing(two, digest="file of two")
    for late in (first.mark_publishing, first.commit):
        with pytest.raises(BudgetError, match="resumed elsewhere"):
            late(one)
    assert second.commit(two).digest == "file of two"


def test_a_step_whose_answer_was_lost_may_be_repeated_but_not_with_another_file(place):
    ledger = open_ledger(place)
    ledger.open("people", budget=1)
    drawn = ledger.mark_drawn(ledger.reserve("people", 1, release_id="r"))
    published = ledger.mark_publishing(drawn, digest="d")
    assert ledger.mark_publishing(drawn, digest="d") == published
    for digest in ("other", ""):
        with pytest.raises(BudgetError, match="may have been seen"):
            ledger.mark_publishing(drawn, digest=digest)
    assert ledger.commit(published) == ledger.commit(published)
    assert ledger.head().entries == 5


def test_a_reservation_of_another_ledger_is_refused(place, tmp_path):
    ledger, other = open_ledger(place), open_ledger(tmp_path / "other.db")
    ledger.open("people", budget=1)
    other.open("people", budget=1)
    ledger.reserve("people", 1, release_id="r")
    with pytest.raises(BudgetError, match="belongs to another ledger"):
        ledger.mark_drawn(other.reserve("people", "1/2", release_id="r"))
    with pytest.raises(BudgetError, match="no reservation for release"):
        ledger.mark_drawn(other.reserve("people", "1/2", release_id="s"))


def test_steps_cannot_be_skipped(place):
    ledger = open_ledger(place)
    ledger.open("people", budget=1)
    entry = ledger.reserve("people", 1)
    for step in (ledger.mark_publishing, ledger.commit):
        with pytest.raises(BudgetError, match="nothing was drawn yet"):
            step(entry)


def test_order_does_not_depend_on_the_clock(place, monkeypatch):
    class Clock(datetime):
        years = iter([2030, 2020, 2010, 1990, 2000])

        @classmethod
        def now(cls, tz=None):
            return datetime(next(cls.years), 1, 1, tzinfo=UTC)

    monkeypatch.setattr(module, "datetime", Clock)
    ledger = open_ledger(place)
    ledger.open("people", budget=1)
    entry = ledger.reserve("people", "1/2")
    ledger.commit(ledger.mark_publishing(ledger.mark_drawn(entry)))
    years = [e.time[:4] for e in ledger.history()]
    assert years == ["2030", "2020", "2010", "1990", "2000"]
    assert [e.sequence for e in ledger.history()] == [1, 2, 3, 4, 5]
    assert open_ledger(place).verify() == ledger.head()


def test_two_ledgers_open_at_once_see_each_other(place):
    one, two = open_ledger(place), open_ledger(place)
    one.open("people", budget=1)
    two.reserve("people", "1/2", release_id="a")
    one.reserve("people", "1/2", release_id="b")
    with pytest.raises(BudgetExceeded):
        two.reserve("people", "1/1000")
    assert one.remaining("people") == two.remaining("people") == 0
    assert one.find("a") == two.find("a")


def test_the_database_itself_refuses_to_change_or_delete_an_entry(place):
    open_ledger(place).open("people", budget=1)
    for statement in ("UPDATE discreet_entries SET seal = 'x'", "DELETE FROM discreet_entries"):
        with pytest.raises(Exception, match="ledger entries are only ever added"):
            sql(place, statement)
    assert open_ledger(place).verify().entries == 1


@pytest.mark.parametrize("epsilon", [0, -1, "inf", float("nan"), None, "a tenth", True])
def test_a_bad_epsilon_never_reaches_the_ledger(place, epsilon):
    ledger = open_ledger(place)
    ledger.open("people", budget=1)
    with pytest.raises(InvalidInput, match="`epsilon` must"):
        ledger.reserve("people", epsilon)
    with pytest.raises(InvalidInput, match="`budget` must"):
        ledger.open("others", budget=epsilon)
    assert ledger.head().entries == 1
