"""Designs with own rows: optimal by brute force, proven to the verifier, or proven impossible."""

import json
import random
from fractions import Fraction

import pytest
from tests.designer.brute import least_cost

import discreet as dc
from discreet.core.certificate import read_problem
from discreet.designer.cache import Store, key
from discreet.errors import Infeasible, InvalidFile, NotProven
from discreet.proof import examine
from discreet.proof.files import to_bytes
from discreet.proof.loading import from_bytes

CAP = dc.rows("cap", lambda n: [({(0, 0): 1}, "<=", "1/2")])
MIDDLE = dc.rows(
    "no bias at the middle",
    lambda n: [({(i, n // 2): i for i in range(n + 1)}, "=", Fraction(n, 2))],
)


def test_a_cap_on_one_entry():
    """GM reports a true 0 with chance 1/(1+a); the best mechanism that does so at most half of the time is no GM."""
    m = dc.design(n=4, alpha="2/3", properties=["WH", CAP], cache=False)
    plain = dc.design(n=4, alpha="2/3", properties="WH", cache=False)
    assert plain[0, 0] > m[0, 0] == Fraction(1, 2) and m.score("L0") > plain.score("L0")
    assert m[4, 4] == plain[4, 4], "only one end is capped: nothing is folded"
    assert m.origin.optimal and m.satisfies(["WH", CAP])
    assert "own rows   cap" in str(m)


def test_no_bias_at_the_middle():
    """A prior that leans to small counts pulls answers down; two inequalities forbid it where the count is n/2."""
    asked = {"n": 6, "alpha": "3/4", "loss": "L1", "prior": "Binomial(0.3)", "cache": False}
    m, plain = dc.design(properties=["WH", MIDDLE], **asked), dc.design(properties="WH", **asked)
    assert plain.bias(3) < 0 == m.bias(3)
    assert m.score("L1", "Binomial(0.3)") > plain.score("L1", "Binomial(0.3)")


def drawn(rng, n, names):
    """Random inequalities on a few cells, some of them contradictory."""
    found = []
    for _ in range(rng.randint(1, 3)):
        cells = {
            (rng.randint(0, n), rng.randint(0, n)): rng.choice([-2, -1, 1, 3])
            for _ in range(rng.randint(1, 4))
        }
        found.append((cells, rng.choice([">=", "<=", "="]), Fraction(rng.randint(-2, 6), 7)))
    return dc.rows("random", found)


@pytest.mark.parametrize("seed", range(4))
def test_costs_are_those_of_brute_force(seed):
    rng = random.Random(seed)
    impossible = 0
    for _ in range(15):
        n, names = rng.randint(1, 3), rng.choice(["", "WH", "CM", "F", "S RM", "WH ODP:1/2"])
        own = drawn(rng, n, names)
        asked = {
            "n": n,
            "alpha": rng.choice(["1/3", "2/3", "10/11", "1"]),
            "loss": rng.choice(["L0", "L1", "L2"]),
            "prior": rng.choice([None, "Binomial(0.3)"]),
            "worst_case": rng.random() < 0.25,
        }
        problem = read_problem(properties=names, own=(own.at(n),), **asked)
        least = least_cost(problem)
        if least is None:
            impossible += 1
            with pytest.raises(Infeasible) as info:
                dc.design(properties=[names, own], cache=False, **asked)
            assert examine(info.value.proof.to_bytes())[0].impossible
        else:
            m = dc.design(properties=[names, own], cache=False, **asked)
            assert m.origin.certificate.cost == least
            assert m.satisfies([names, own]) and examine(to_bytes(m))[0].optimal
    assert impossible, "both ends are met"


def test_symmetric_rows_fold_and_say_the_same():
    """Folded or not, the optimum costs the same, and a folded one is symmetric."""
    ends = dc.rows("both ends", lambda n: [({(k, k): 1}, "<=", "2/5") for k in (0, n)])
    m = dc.design(n=5, alpha="2/3", properties=[ends], cache=False)
    # the same row once more, at one end only, changes nothing but that it cannot be folded
    apart = dc.design(
        n=5,
        alpha="2/3",
        properties=[ends, dc.rows("one", [({(0, 0): 1}, "<=", "2/5")])],
        cache=False,
    )
    assert m.satisfies("S") and m.score() == apart.score() and m[0, 0] == Fraction(2, 5)
    assert {a for kind, a, *_ in m.origin.certificate.rows if kind == "own"} == {0}
    assert len([row for row in m.origin.certificate.rows if row[0] == "own"]) == 2


def test_what_contradicts_comes_back_with_its_proof(tmp_path):
    low = dc.rows("low", [({(2, 2): 1}, "<=", "1/10")])
    with pytest.raises(
        Infeasible, match=r"no mechanism for n = 4 with this alpha and WH has the own rows 'low'"
    ) as info:
        dc.design(n=4, alpha="10/11", properties=["WH", low, CAP], cache=False)
    proof = info.value.proof
    assert proof.multipliers.keys() == {("wh", 2, 0, 0), ("own", 0, 0, 0)} and proof.bound > 0
    assert str(proof) == "2 multipliers prove that no mechanism has the own rows 'low' (n = 4)"
    proof.save(tmp_path / "none.json")
    report = dc.verify(tmp_path / "none.json")
    assert report.impossible and str(report).splitlines()[1] == "no mechanism for counts 0..4"
    assert "no mechanism for counts 0..4" in report.line
    with pytest.raises(InvalidFile, match="proves that there is no such mechanism"):
        dc.load(tmp_path / "none.json")


def test_privacy_alone_can_be_contradicted():
    sharp = dc.rows("sharp", [({(0, 0): 1, (0, 1): -1}, ">=", "1/2")])
    with pytest.raises(Infeasible) as info:
        dc.design(n=1, alpha="9/10", properties=[sharp], cache=False)
    kinds = {kind for kind, *_ in info.value.proof.multipliers}
    assert {"dp", "own"} <= kinds


def test_designs_are_kept_by_their_rows(tmp_path):
    asked = {"n": 3, "alpha": "2/3", "properties": [CAP], "cache": tmp_path}
    first = dc.design(**asked)
    store = Store(folder=tmp_path)
    again = store.get(first.origin.problem, first.privacy)
    assert again == first and again.origin.problem == first.origin.problem and again.origin.optimal
    other = dc.design(
        n=3, alpha="2/3", properties=[dc.rows("cap", [({(0, 0): 1}, "<=", "2/5")])], cache=tmp_path
    )
    assert other[0, 0] == Fraction(2, 5) and len(list(store)) == 2
    plain = read_problem(n=3, alpha="2/3")
    assert key(plain) != key(first.origin.problem)


def test_many_sizes_at_once():
    even = dc.rows("even", lambda n: [] if n % 2 else [({(0, 0): 1}, "<=", "1/2")])
    found = dc.design_many([1, 2, 3, 4], alpha="2/3", properties=["WH", even], cache=False)
    assert [found[n][0, 0] == Fraction(1, 2) for n in (1, 2, 3, 4)] == [False, True, False, True]
    assert found[3] == dc.design(n=3, alpha="2/3", properties="WH", cache=False)


def test_time_runs_out_in_words():
    with pytest.raises(
        NotProven, match="no proof of optimality within the time allowed: allow more `seconds`"
    ):
        dc.design(
            n=12, alpha="10/11", properties=["WH CM", MIDDLE], loss="L1", seconds=0, cache=False
        )


class TestFiles:
    m = dc.design(n=3, alpha="2/3", properties=["WH", CAP], cache=False)

    def test_it_is_read_back(self):
        back = from_bytes(to_bytes(self.m))
        assert back == self.m and back.origin.certificate == self.m.origin.certificate
        assert (
            back.origin.problem.own[0].name == "cap"
            and json.loads(to_bytes(self.m))["version"] == 1
        )

    def test_a_file_without_own_rows_is_as_it_was(self):
        assert (
            json.loads(to_bytes(dc.design(n=3, alpha="2/3", properties="WH", cache=False)))[
                "version"
            ]
            == 1
        )
