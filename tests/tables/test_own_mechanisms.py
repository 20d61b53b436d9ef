"""`mechanism=`: a release drawn from mechanisms of one's own."""

import json
import shutil
from fractions import Fraction

import pytest
from tests.conftest import require

require("tables")

import pyarrow as pa

import discreet as dc
from discreet.core.rationals import Alpha, exp_minus
from discreet.errors import Contradiction, InvalidFile, InvalidInput
from discreet.ledger import open_ledger
from discreet.tables.asking.request import Request, question_digest, repeatable
from discreet.tables.published.result import verified_release

PEOPLE = pa.table(
    {
        "person": list(range(8)),
        "clinic": list("aabbbccc"),
        "smoker": [1, 0, 1, 0, 1, 0, 0, 1],
        "ill": [0, 0, 1] * 2 + [1, 0],
        "mood": ["low", "high", "low", "so so", "high", "low", "low", "high"],
    }
)
ASKED = {"by": "clinic", "count": "smoker"}
TWO, THREE = dc.fair(n=2, alpha="1/2"), dc.weakly_honest(n=3, alpha="2/3")
BOTH = {2: TWO, 3: THREE}
NEAR = (dc.geometric(n=2, alpha="9/10"), dc.geometric(n=3, alpha="9/10"))


def released(**asked):
    return dc.release(PEOPLE, **{**ASKED, **asked})


def refusal(**asked):
    with pytest.raises(InvalidInput) as error:
        dc.plan(PEOPLE, **{**ASKED, **asked})
    with pytest.raises(InvalidInput) as again:
        released(**asked)
    assert str(error.value) == str(again.value)
    return str(error.value)


def test_what_is_drawn_from_is_what_was_given():
    made = released(mechanism=BOTH)
    facts = made.manifest.counts[0]
    assert facts.mechanisms == {"2": TWO.id, "3": THREE.id}
    assert made.mechanism(3) == THREE
    assert made.manifest.mechanisms_given and not made.manifest.properties
    assert all(
        0 <= count <= n
        for count, n in zip(
            *(made.table[name].to_pylist() for name in ("smoker", "n")), strict=True
        )
    )


def test_without_epsilon_a_release_costs_what_its_mechanisms_do(tmp_path):
    book = open_ledger(tmp_path / "budget.db")
    book.open("people", budget=3)
    planned = dc.plan(PEOPLE, **ASKED, mechanism=BOTH, ledger=book)
    made = released(mechanism=BOTH, ledger=book)
    assert Fraction(made.manifest.epsilon) == planned.epsilon == TWO.epsilon > THREE.epsilon
    assert book.remaining("people") == 3 - TWO.epsilon
    two = released(
        count=["smoker", "ill"], mechanism={"smoker": BOTH, "ill": NEAR}, contributions=2
    ).manifest
    assert Fraction(two.epsilon) == 2 * (TWO.epsilon + NEAR[0].epsilon)
    assert [Fraction(count.epsilon) for count in two.counts] == [TWO.epsilon, NEAR[0].epsilon]


def test_an_epsilon_must_pay_for_them():
    assert Fraction(released(mechanism=BOTH, epsilon=1).manifest.epsilon) == 1
    said = refusal(mechanism=BOTH, epsilon=0.5)
    assert said.startswith(
        "`epsilon` must pay for each draw of smoker what its mechanism for groups of 2 costs, 0.6931"
    )
    assert "leave `epsilon` out" in said
    assert "must pay for each draw of smoker" in refusal(mechanism=BOTH, epsilon=1, contributions=2)
    assert "must pay for each draw of smoker" in refusal(mechanism=BOTH, alpha="51/100")
    assert released(mechanism=BOTH, alpha="1/2").manifest.alpha == "1/2"


def test_no_alpha_is_stated_above_that_of_a_mechanism():
    """An epsilon pays for alphas down to exp(-epsilon), a little below the alpha that it is read as."""
    least = exp_minus(Fraction(1, 2))[1]
    rows = [[1, least], [least, 1]]
    edge = dc.from_matrix(
        [[x / (1 + least) for x in row] for row in rows],
        alpha=Alpha(value=least, epsilon=Fraction(1, 2)),
    )
    pairs = pa.table({"clinic": ["a", "b"], "smoker": [0, 1], "ill": [1, 0]})
    made = dc.release(pairs, by="clinic", count="smoker", mechanism=edge, epsilon="1/2").manifest
    assert Fraction(made.alpha) == Fraction(made.counts[0].alpha) == least
    both = dc.release(pairs, by="clinic", count=["smoker", "ill"], mechanism=edge).manifest
    assert Fraction(both.alpha) <= least**2 and Fraction(both.epsilon) == 1


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (
            {"mechanism": TWO},
            "`mechanism` must be given for every group size, and smoker has none for 3",
        ),
        ({"mechanism": {2: THREE, 3: THREE}}, "for groups of 2 must be one of 2 people, not 3"),
        ({"mechanism": {2.5: TWO}}, "`mechanism` must be a whole number"),
        ({"mechanism": [TWO, TWO]}, "`mechanism` has two for one group size (2)"),
        ({"mechanism": []}, "`mechanism` must be at least one"),
        ({"mechanism": {}}, "`mechanism` must be at least one"),
        ({"mechanism": 3}, "`mechanism` must be a mechanism, not int"),
        ({"mechanism": {"ill": BOTH}}, "must be by the names of counts, or by group size, not ill"),
        (
            {"mechanism": {"smoker": BOTH}, "count": ["smoker", "ill"]},
            "for every count, and ill has none",
        ),
        ({"mechanism": [dc.uniform(n=2), dc.uniform(n=3)]}, "of smoker must depend on the data"),
        (
            {"mechanism": [dc.uniform(n=2), dc.uniform(n=3)], "epsilon": 1},
            "of smoker must depend on the data",
        ),
        ({"mechanism": BOTH, "loss": "L1"}, "`loss` is for mechanisms that are designed"),
        ({"mechanism": BOTH, "prior": [1, 1]}, "`prior` is for mechanisms that are designed"),
        ({"mechanism": BOTH, "gap": "0.1"}, "`gap` is for mechanisms that are designed"),
        ({"mechanism": BOTH, "levels": "rollup"}, "`levels` is for mechanisms that are designed"),
        ({"mechanism": BOTH, "split": [1]}, "`split` needs `epsilon`"),
        (
            {"mechanism": BOTH, "properties": "F"},
            "of smoker for groups of 3 must have the properties asked for, and F fails",
        ),
        (
            {"mechanism": BOTH, "unit": "person", "contributions": 2, "together": True},
            "must be one of counts 0..2, moved by up to 2",
        ),
        (
            {"mechanism": BOTH, "count": {"mood": ["low", "so so", "high"]}},
            "must be one of histograms of 2 people over 3 answers",
        ),
    ],
)
def test_what_does_not_fit_is_refused_before_anything_is_spent(given, said):
    assert said in refusal(**given)


def test_properties_that_are_asked_for_are_checked_and_stated():
    assert released(mechanism=BOTH, properties="WH").manifest.properties == "WH"


def test_files_folders_and_lists(tmp_path):
    TWO.save(tmp_path / "two.json")
    THREE.save(tmp_path / "three.json")
    ways = [
        str(tmp_path),
        [tmp_path / "two.json", THREE],
        {2: TWO, 3: tmp_path / "three.json"},
        (THREE, TWO),
    ]
    digests = {question_digest(repeatable(Request(**ASKED, mechanism=way))) for way in ways}
    assert len(digests) == 1
    assert question_digest(repeatable(Request(**ASKED, mechanism=NEAR))) not in digests
    assert released(mechanism=str(tmp_path)).mechanism(2) == TWO
    (tmp_path / "empty").mkdir()
    assert "must be a folder of proof files" in refusal(mechanism=tmp_path / "empty")
    (tmp_path / "wrong.json").write_text("{}")
    with pytest.raises(InvalidFile, match=r"wrong\.json"):
        released(mechanism=tmp_path)


def test_steps_and_histograms_have_mechanisms_of_their_own():
    stepped = [dc.design(n=n, epsilon=1, step=2) for n in (2, 3)]
    made = released(mechanism=stepped, unit="person", contributions=2, together=True).manifest
    assert Fraction(made.epsilon) == 1 and made.counts[0].step == 2
    whole = [dc.design(n=n, epsilon=1, categories=3) for n in (2, 3)]
    made = released(mechanism=whole, count={"mood": ["low", "so so", "high"]})
    answers = [made.table[f"mood_{name}"].to_pylist() for name in ("low", "so so", "high")]
    assert list(map(sum, zip(*answers, strict=True))) == made.table["n"].to_pylist()
    kept = {
        "unit": "person",
        "keys": {"clinic": ["a", "b"]},
        "other_keys": "drop",
        "excess": "drop",
        "nulls": "0",
    }
    capped = released(mechanism=whole[0], cap=2, **kept).manifest
    assert capped.cap == 2 and Fraction(capped.epsilon) == 1


def test_an_empty_group_needs_no_mechanism():
    made = released(mechanism=BOTH, keys={"clinic": ["a", "b", "c", "d"]})
    assert made.table["n"].to_pylist()[-1] == made.table["smoker"].to_pylist()[-1] == 0


def test_estimates_debias_with_the_matrix():
    lopsided = dc.from_matrix(
        [["2/3", "1/3", "1/3"], ["1/6", "1/2", "1/3"], ["1/6", "1/6", "1/3"]], alpha="1/3"
    )
    table = pa.table(
        {"clinic": [k // 2 for k in range(20_000)], "smoker": [k % 4 == 0 for k in range(20_000)]}
    )
    made = dc.release(table, by="clinic", count="smoker", mechanism=lopsided, intervals="0.95")
    total = dc.estimate(made).total
    assert (
        abs(total.value - 5_000) < 6 * total.standard_error < 5_000
    )  # a false alarm in about 10^9 runs


def test_what_cannot_be_read_is_said_before_it_is_paid_for():
    """Two true counts with the same column: no function of the output tells them apart."""
    blind = dc.from_matrix(
        [["2/3", "1/3", "1/3"], ["1/6", "1/3", "1/3"], ["1/6", "1/3", "1/3"]], alpha="1/2"
    )
    with pytest.raises(dc.DiscreetError, match="no unbiased estimate"):
        dc.plan(PEOPLE, **ASKED, mechanism={2: blind, 3: THREE}, intervals="0.95")
    assert dc.plan(PEOPLE, **ASKED, mechanism={2: blind, 3: THREE}).no_total == (("smoker", "2"),)
    with pytest.warns(UserWarning, match="cannot be estimated from groups of 2"):
        released(mechanism={2: blind, 3: THREE})


def test_a_plan_shows_them_beside_the_best():
    text = str(dc.plan(PEOPLE, **ASKED, mechanism=BOTH))
    assert "yours" in text and "no properties" in text and "EM" in text and "WM" in text


@pytest.fixture(scope="module")
def bundle(tmp_path_factory):
    folder = tmp_path_factory.mktemp("own") / "out"
    released(mechanism=BOTH, epsilon=1, properties="WH", output=folder)
    return folder


def test_a_bundle_holds_their_proofs_and_verifies(bundle):
    release, reports = verified_release(bundle)
    assert set(reports) == {TWO.id, THREE.id}
    assert release.manifest.mechanisms_given
    assert dc.read_release(bundle).mechanism(3) == THREE


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        ({"loss": "L0"}, "must not be named for mechanisms that were given"),
        ({"mechanisms_given": None}, "alpha"),
        ({"levels": [{"properties": "F"}]}, "do not hold for the mechanism"),
        (
            {
                "epsilon": "1/10",
                "alpha": "19/21",
                "levels": [{"counts": [{"epsilon": "1/10", "alpha": "19/21"}]}],
            },
            "alpha",
        ),
    ],
)
def test_an_edited_manifest_is_refused(bundle, tmp_path, edit, said):
    copy = tmp_path / "copy"
    shutil.copytree(bundle, copy)
    document = json.loads((copy / "manifest.json").read_text())

    def put(into, values):
        for key, value in enumerate(values) if isinstance(values, list) else values.items():
            if isinstance(value, dict | list):
                put(into[key], value)
            elif value is None:
                del into[key]
            else:
                into[key] = value

    put(document, edit)
    (copy / "manifest.json").write_text(json.dumps(document))
    with pytest.raises(Contradiction, match=said):
        verified_release(copy)
