"""`discreet design --cost-only`: what the best costs, for groups of any size."""

import json
from fractions import Fraction

from tests.cli.test_frame import invoke

ASKED = ("design", "-n", "10000", "--alpha", "3/4", "-p", "WH CM", "--cost-only")


def test_it_says_cost_and_bound():
    assert "proven to be the least" in invoke(*ASKED)
    told = json.loads(invoke(*ASKED, "--json"))
    least = Fraction(6, 7) + Fraction(4, 27) / 10_000
    assert told["optimal"] is True
    assert Fraction(told["cost"]["exact"]) == Fraction(told["bound"]["exact"]) == least


def test_what_it_does_not_know_is_refused():
    for more in (
        ("--loss", "L1"),
        ("--prior", "Binomial(0.3)"),
        ("--output", "m.json"),
        ("--worst-case",),
    ):
        text = invoke(*ASKED, *more, code=2)
        assert f"{more[0]} must be left out where only the cost is asked for" in text


def test_a_mechanism_for_a_billion_people_is_shown_at_once_and_its_matrix_refused():
    asked = ("design", "-n", str(10**9), "--alpha", "3/5", "-p", "CM")
    assert "optimal by Column-honest theorem" in invoke(*asked)
    assert "must be at most 16,384 for the whole matrix" in invoke(*asked, "--json", code=2)
