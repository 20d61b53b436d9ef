"""Mechanisms that derive from GM: the same optimum by another program, by brute force, and to the verifier."""

import json
from fractions import Fraction

import pytest
from tests.designer.brute import least_cost

import discreet as dc
from discreet.core.certificate import read_problem
from discreet.designer.own.derived_map import after_geometric, fair_map, honest_map, is_stochastic
from discreet.errors import InvalidFile, InvalidInput, NotProven, ProofFailed
from discreet.proof import examine
from discreet.proof.files import to_bytes
from discreet.proof.loading import from_bytes
from discreet.proof.reading import sealed


def differences(a: Fraction):
    """Gupte and Sundararajan's inequalities as own rows: M derives from GM iff it has them."""

    def at(n: int):
        for i in range(n + 1):
            yield {(i, 0): 1, (i, 1): -a}, ">=", 0
            yield {(i, n): 1, (i, n - 1): -a}, ">=", 0
            for k in range(1, n):
                yield {(i, k): 1 + a * a, (i, k - 1): -a, (i, k + 1): -a}, ">=", 0

    return dc.rows("derives from GM", lambda n: list(at(n)))


@pytest.mark.parametrize(
    ("properties", "loss", "prior", "worst_case"),
    [
        ("", "L0", None, False),
        ("WH", "L0", None, False),
        ("F", "L0", "Binomial(0.3)", False),
        ("CM RM WH", "L0", None, False),
        ("F CM", "L1", None, False),
        ("RH CH", "L2", "Binomial(0.3)", False),
        ("WH ODP:1/2", "L1", None, True),
        ("F", "L1", None, True),
        ("S WH", "L0", None, True),
    ],
)
def test_the_optimum_is_that_of_the_rows_that_say_the_same(properties, loss, prior, worst_case):
    """Over T through GM, over M with own rows, and by brute force in fractions: one cost."""
    a = Fraction(4, 5)
    asked = {"alpha": a, "loss": loss, "prior": prior, "worst_case": worst_case}
    for n in (2, 5):
        m = dc.design(n=n, properties=properties, derivable=True, cache=False, **asked)
        rows = dc.design(n=n, properties=[properties, differences(a)], cache=False, **asked)
        assert (
            m.origin.certificate.cost == rows.origin.certificate.cost == m.origin.certificate.bound
        )
        assert dc.derives_from_geometric(m) and m.satisfies(properties)
        assert examine(to_bytes(m))[0].optimal
        if n == 2:
            problem = read_problem(n=n, properties=properties, own=(differences(a).at(n),), **asked)
            assert least_cost(problem) == m.origin.certificate.cost


@pytest.mark.parametrize("n", [0, 1, 2, 3, 4, 7, 12])
@pytest.mark.parametrize("alpha", ["1/3", "10/11", "99/100"])
def test_the_maps_in_closed_form(n, alpha):
    """T is random, T GM is fair with EM's diagonal, or weakly honest at WM's cost."""
    a = Fraction(alpha)
    for make, properties in ((fair_map, "F"), (honest_map, "WH")):
        rows = make(n, a)
        assert is_stochastic(rows)
        m = dc.from_matrix(
            [
                [Fraction(x, d) for x in row]
                for d in [after_geometric(rows, n, a).denominator]
                for row in after_geometric(rows, n, a).rows
            ],
            alpha=a,
        )
        best = dc.design(n=n, alpha=a, properties=properties, cache=False)
        assert m.satisfies(properties) and m.score() == best.score()
        if n and properties == "F":
            assert m.truth(0) == dc.fair(n=n, alpha=a).truth(0)
        derived = dc.design(n=n, alpha=a, properties=properties, derivable=True, cache=False)
        assert derived == m and examine(to_bytes(derived))[0].optimal


def test_the_price_for_other_shapes():
    """FACTS: column honesty costs nearly nothing more, monotone columns and rows less than one percent."""
    for alpha in ("11/20", "4/5", "19/20"):
        for properties, most in (
            ("CH", Fraction(8, 10**5)),
            ("RM CM WH", Fraction(1, 100)),
            ("RM CM F", Fraction(1, 100)),
        ):
            free = dc.design(n=6, alpha=alpha, properties=properties, cache=False).score()
            derived = dc.design(
                n=6, alpha=alpha, properties=properties, derivable=True, cache=False
            ).score()
            assert 0 <= derived / free - 1 <= most


def test_what_it_cannot_be_asked_with():
    own = dc.rows("cap", [({(0, 0): 1}, "<=", "1/2")])
    for wrong, said in (
        ({"alpha": 1}, "alpha below 1"),
        ({"properties": "S", "prior": "Binomial(0.3)"}, "without S"),
        ({"properties": [own]}, "without own rows"),
        ({"categories": 3}, "of plain counts"),
        ({"step": 2}, "of plain counts"),
        ({"n": 41, "alpha": "9/10", "properties": "CM", "loss": "L1"}, "at most 40"),
    ):
        with pytest.raises(InvalidInput, match=said):
            dc.design(**{"n": 4, "alpha": "1/2", "derivable": True, "cache": False} | wrong)
    with pytest.raises(NotProven, match="allow more `seconds`"):
        dc.design(
            n=8, alpha="4/5", properties="CM", loss="L1", derivable=True, cache=False, seconds=0
        )


def test_designs_are_kept_apart(tmp_path):
    asked = {"n": 4, "alpha": "9/10", "properties": "CM RM WH", "cache": tmp_path}
    derived, free = dc.design(derivable=True, **asked), dc.design(**asked)
    assert derived.score() > free.score()
    assert dc.design(derivable=True, **asked) == derived and dc.design(**asked) == free


class TestFiles:
    data = to_bytes(dc.design(n=4, alpha="9/10", properties="CM WH", derivable=True, cache=False))

    def changed(self, change):
        document = json.loads(self.data)
        change(document)
        document["seal"] = sealed(document)
        return json.dumps(document).encode()

    def test_they_carry_the_map(self):
        document = json.loads(self.data)
        back = from_bytes(self.data)
        found = dc.derives_from_geometric(back).map
        denominator = int(document["claims"]["map"]["denominator"], 16)
        told = [
            [Fraction(int(x, 16), denominator) for x in row]
            for row in document["claims"]["map"]["rows"]
        ]
        assert [list(row) for row in found] == told and document["version"] == 1
        assert back.origin.problem.derivable and to_bytes(back) == self.data
        report = examine(self.data)[0]
        assert report.optimal and any(
            check.startswith("derives from GM") for check in report.checks
        )
        assert any("that derives from GM has a lower" in check for check in report.checks)

    @pytest.mark.parametrize(
        "change",
        [
            lambda d: d["claims"]["map"]["rows"].reverse(),
            lambda d: d["claims"]["map"]["rows"][0].__setitem__(0, "1"),
            lambda d: d["optimality"]["multipliers"].pop(),
            lambda d: d["optimality"]["multipliers"][0].__setitem__(4, "7fff"),
            lambda d: d["optimality"]["problem"].pop("derivable"),  # then the sums are those of M
        ],
    )
    def test_a_lie_fails(self, change):
        with pytest.raises(ProofFailed):
            examine(self.changed(change))

    @pytest.mark.parametrize(
        "change",
        [
            lambda d: d.update(version=2),
            lambda d: d["optimality"]["problem"].update(derivable=False),
            lambda d: d["claims"].update(map=7),
            lambda d: d["claims"]["map"]["rows"].pop(),
            lambda d: d["claims"]["map"].update(denominator="0"),
        ],
    )
    def test_what_the_format_does_not_say_is_refused(self, change):
        with pytest.raises((InvalidFile, ProofFailed)):
            examine(self.changed(change))

    def test_what_does_not_derive_cannot_say_so(self):
        """EM solves the problem, but is no GM followed by a map."""
        document = json.loads(
            to_bytes(dc.design(n=4, alpha="9/10", properties="CM F", loss="L1", cache=False))
        )
        document["optimality"]["problem"]["derivable"] = True
        document["seal"] = sealed(document)
        with pytest.raises(ProofFailed, match="does not derive from GM"):
            examine(json.dumps(document).encode())
