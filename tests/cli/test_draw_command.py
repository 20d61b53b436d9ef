"""`discreet draw`: a few private counts from a proof file, paid for before they are drawn."""

import json

import pytest
from click.testing import CliRunner

import discreet as dc
from discreet.cli import app
from discreet.errors import BudgetError
from discreet.ledger import Ledger, open_ledger


@pytest.fixture
def file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    dc.fair(n=5, epsilon="1/2").save("m.json")
    return "m.json"


def run(*words):
    return CliRunner().invoke(app, ["draw", *words])


def test_a_private_count_for_each_true_one(file):
    done = run(file, "3", "5", "0")
    assert done.exit_code == 0
    assert len(found := list(map(int, done.stdout.split()))) == 3 and all(
        0 <= count <= 5 for count in found
    )
    assert (
        "3 draws cost 0.5 each, together epsilon 1.5 for a person who is in all of them; nothing is accounted without --ledger"
        in done.stderr
    )
    assert "1 draw costs epsilon 0.5" in run(file, "3").stderr


def test_a_ledger_is_asked_before_anything_is_drawn(file, monkeypatch):
    book = open_ledger("budget.db")
    book.open("class", budget="3/2")
    done = run(file, "3", "4", "--ledger", "budget.db", "--json")
    facts = json.loads(done.stdout)
    assert len(facts["outputs"]) == 2 and facts["accounted"] and facts["dataset"] == "class"
    assert facts["epsilon"]["exact"] == "1" and facts["remaining"]["exact"] == "1/2"
    assert book.find(facts["release"]).state == "committed"

    def never(*_):
        raise AssertionError("drawn without being paid for")

    monkeypatch.setattr(dc.Mechanism, "release", never)
    refused = run(file, "3", "4", "--ledger", "budget.db")
    assert refused.exit_code and not refused.stdout and 2 * book.remaining("class") == 1


def test_what_ignores_the_counts_costs_nothing_and_asks_no_ledger(file):
    open_ledger("budget.db").open("class", budget=1)
    dc.uniform(n=4).save("um.json")
    done = run("um.json", "3", "--ledger", "budget.db")
    assert (
        done.exit_code == 0
        and "1 draw costs epsilon 0: the answers have nothing to do with" in done.stderr
    )
    assert len(open_ledger("budget.db").history("class")) == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["m.json", "3", "6"], "the 2nd count must be 0 to 5"),
        (["m.json", "3", "4711.5"], "the 2nd count must be a whole number"),
        (["m.json", "3,4"], "the 1st count must be a whole number"),
        (["m.json", "3", "--dataset", "class"], "--dataset needs --ledger"),
        (
            ["m.json", "3", "--ledger", "two.db"],
            "--dataset is needed: the ledger has 2: one of a, b",
        ),
        (["m.json", "3", "--ledger", "none.db"], "there is no such file"),
        (["no.json", "3"], "no.json"),
    ],
)
def test_bad_requests_spend_nothing_and_show_no_count(file, words, said):
    book = open_ledger("two.db")
    book.open("a", budget=1)
    book.open("b", budget=1)
    done = run(*words)
    assert done.exit_code and said in done.stderr and "4711" not in done.output
    assert book.remaining("a") == 1


def test_histograms_are_drawn_too(file):
    dc.design(n=3, categories=3, epsilon=1).save("h.json")
    done = run("h.json", "2,1,0", "0,0,3")
    assert [sum(map(int, line.split(","))) for line in done.stdout.split()] == [3, 3]
    assert (
        "the 1st histogram must have counts of at least 0 that add up to n = 3"
        in run("h.json", "2,1,1").stderr
    )


def test_a_draw_that_fails_says_what_is_spent(file, monkeypatch):
    open_ledger("budget.db").open("class", budget=1)

    def lost(*_, **__):
        raise BudgetError("the ledger cannot be reached")

    monkeypatch.setattr(Ledger, "mark_publishing", lost)
    done = run(file, "3", "--ledger", "budget.db")
    assert not done.stdout, "what is not recorded is not shown"
    assert "The ledger keeps 0.5 of dataset 'class'; no draw was shown" in done.stderr
