"""The filled matrix as a design: checked, proven on the paper's own rows, and accepted by the verifier."""

import pickle

import pytest

import discreet as dc
from discreet.core.certificate import read_problem
from discreet.designer.large.level_answer import covers, level_answer
from discreet.designer.lp import answer


@pytest.fixture
def filled_from_five(monkeypatch):
    monkeypatch.setattr(answer, "FILLED_FROM", 5)


@pytest.mark.parametrize("shape", ["WH CM", "CH", "CM RM S", "CH CM RH"])
def test_the_verifier_accepts_matrix_and_multipliers(filled_from_five, shape, tmp_path):
    for n, alpha in ((6, "3/4"), (9, "10/11"), (14, "4/5")):
        m = dc.design(n=n, alpha=alpha, properties=shape, cache=False)
        m.save(path := tmp_path / "m.json")
        assert "optimal" in str(dc.verify(path))
        assert m.origin.optimal and m.satisfies("WH RM CM S")
        assert m.score("L0") == dc.best_cost(n=n, alpha=alpha, properties=shape).cost
        again = pickle.loads(pickle.dumps(m))
        assert again == m and again.origin.certificate == m.origin.certificate


def test_a_design_that_is_filled_is_kept_and_found_again(filled_from_five, tmp_path):
    m = dc.design(n=8, alpha="10/11", properties="WH CM", cache=tmp_path)
    assert dc.design(n=8, alpha="10/11", properties="WH CM", cache=tmp_path) == m
    assert len(list(tmp_path.iterdir())) == 1


def test_it_answers_only_what_it_is_about():
    for asked in (
        {"properties": "WH"},
        {"properties": "F CM"},
        {"properties": "CM", "loss": "L1"},
        {"properties": "CM ODP:9/10"},
        {"properties": "CM", "worst_case": True},
        {"properties": "CM", "prior": "Binomial(0.3)"},
    ):
        assert not covers(read_problem(n=8, alpha="10/11", **asked))
    assert not covers(read_problem(n=8, alpha="1/2", properties="CM"))
    assert not covers(read_problem(n=1, alpha="10/11", properties="CM"))
    assert covers(read_problem(n=8, alpha="10/11", properties="CH RM"))


def test_multipliers_of_another_problem_prove_nothing():
    problem = read_problem(n=6, alpha="9/10", properties="CM")
    found = level_answer(problem)
    assert found is not None and found[1].holds()
    with pytest.raises(dc.errors.NotProven):
        found[1](read_problem(n=6, alpha="9/10", properties="CM RM"))


def test_small_groups_keep_the_optimum_they_had():
    assert dc.design(n=8, alpha="10/11", properties="WH CM", cache=False).id.startswith(
        "45c20181eafb391a"
    )


@pytest.mark.slow
def test_where_the_whole_program_takes_minutes():
    m = dc.design(n=320, alpha="3/4", properties="WH CM", gap=0, cache=False)
    assert m.origin.optimal and m.satisfies("WH CM")
    assert m.score("L0") == dc.best_cost(n=320, alpha="3/4", properties="WH CM").cost
