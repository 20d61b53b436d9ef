"""The audit refutes every broken box at the stated number of draws, and leaves honest ones alone.

All audits here run with confidence 1 - 1e-6, so each honest box fails by bad luck with chance at most 1e-6; boxes
are seeded. Draws are what was measured to catch the fault in every one of 5 to 20 trials (docs/old/audit-checks.md).
"""

import json
from fractions import Fraction

import numpy as np
import pytest
from tests.auditing import broken_boxes as broken
from tests.conftest import require

import discreet as dc
from discreet.auditing import examine
from discreet.auditing.draws import Draws
from discreet.auditing.fit import fit
from discreet.auditing.independence import check_independence
from discreet.auditing.region import appearances, confidence_region, epsilon_bound
from discreet.errors import InvalidInput

SURE = "0.999999"
GM = dc.geometric(n=8, epsilon=0.5)


def audit(box, draws, **claim):
    return dc.audit(box, n=8, draws=draws, confidence=SURE, **claim)


@pytest.fixture
def few_rows(monkeypatch):
    """Look for what rows share in the first draws only: where millions are needed, the fault is in the matrix."""

    def first(draws, error):
        kept = {name: getattr(draws, name)[:10_000] for name in ("counts", "outcomes", "call")}
        return check_independence(Draws(n=draws.n, **kept), error)

    monkeypatch.setattr(examine, "check_independence", first)


# --- broken boxes ---------------------------------------------------------------------------------------------


def test_epsilon_wrong_by_ten_percent_is_caught_at_200_000_draws():
    box = broken.honest(dc.geometric(n=8, epsilon="0.55"))
    report = audit(box, 200_000, claimed_epsilon=0.5)
    assert report.verdict == "refuted"
    assert 0.5 < report.epsilon_bound <= 0.55
    assert not report.independence.refuted


def test_epsilon_wrong_by_ten_percent_is_caught_at_50_000_draws_when_the_matrix_is_claimed():
    report = audit(broken.honest(dc.geometric(n=8, epsilon="0.55")), 50_000, claimed=GM)
    assert report.fit.refuted


@pytest.mark.slow
def test_a_fair_mechanism_with_epsilon_wrong_by_ten_percent_is_caught_at_500_000_draws():
    report = audit(broken.honest(dc.fair(n=8, epsilon="0.55")), 500_000, claimed_epsilon=0.5)
    assert report.verdict == "refuted"


@pytest.mark.slow
@pytest.mark.usefixtures("few_rows")
@pytest.mark.parametrize(("bit", "draws"), [(0, 1_000_000), (1, 2_000_000)])
def test_a_bit_that_is_one_in_505_of_1000_is_caught(bit, draws):
    box = broken.by_inversion(GM.array, broken.biased_words(1, bit, 0.505))
    report = audit(box, draws, claimed=GM)
    assert report.fit.refuted
    assert "the matrix is not the claimed one" in " ".join(report.faults)


@pytest.mark.slow
@pytest.mark.usefixtures("few_rows")
def test_the_third_highest_bit_needs_eight_million_draws():
    box = broken.by_inversion(GM.array, broken.biased_words(1, 2, 0.505))
    assert audit(box, 8_000_000, claimed=GM).fit.refuted


@pytest.mark.parametrize(
    ("make", "draws"),
    [
        (broken.one_draw_for_all_rows, 2_000),
        (broken.seeded_anew_for_each_call, 1_000),
        (broken.draws_go_twice, 2_000),
        (lambda m: broken.draws_go_twice(m, lag=64), 20_000),
    ],
)
def test_reused_draws_are_caught_without_any_claim(make, draws):
    report = audit(make(GM), draws)
    assert report.independence.refuted
    assert "not independent" in report.faults[0]
    assert "takes rows to be independent" in str(report)


def test_one_draw_reused_for_all_rows_of_a_table_is_caught_too():
    # a table has no calls: two releases, one after the other, each with one draw for all of its rows
    box = broken.one_draw_for_all_rows(GM)
    counts = np.tile(np.arange(9), 400)
    outputs = np.concatenate([box(counts) for _ in range(20)])
    report = audit((np.tile(counts, 20), outputs), 0)
    assert report.independence.refuted


def test_a_table_sorted_by_count_can_be_tested_for_independence():
    m = dc.fair(n=8, epsilon=0.5)
    counts = np.repeat(np.arange(9), 4000)
    assert audit((counts, broken.honest(m)(counts)), 0, claimed=m).verdict == "not refuted"
    assert audit((counts, broken.draws_go_twice(m)(counts)), 0).independence.refuted


def test_zeros_beside_entries_of_one_in_ten_thousand_are_caught_when_the_matrix_is_claimed():
    box = broken.zeros_beside_small_entries(dc.geometric(n=8, epsilon="0.4"))
    assert audit(box, 50_000, claimed=GM).fit.refuted


@pytest.mark.slow
@pytest.mark.usefixtures("few_rows")
def test_zeros_beside_entries_of_one_in_ten_thousand_are_caught_at_ten_million_draws():
    box = broken.zeros_beside_small_entries(dc.geometric(n=8, epsilon="0.4"))
    report = audit(box, 10_000_000, claimed_epsilon=0.5)
    assert report.verdict == "refuted"
    assert (report.witness.outcomes, report.witness.likely, report.witness.unlikely) == ((0,), 7, 8)


def test_a_clamp_that_switches_privacy_off_is_caught_at_1_000_draws():
    report = audit(broken.clamp_that_switches_privacy_off(GM), 1_000, claimed_epsilon=0.5)
    assert report.verdict == "refuted"
    more = audit(broken.clamp_that_switches_privacy_off(GM), 100_000, claimed_epsilon=0.5)
    assert more.epsilon_bound > 4
    assert {more.witness.likely, more.witness.unlikely} <= {0, 1, 7, 8}


def test_unbounded_noise_is_reported_as_outside():
    rng = np.random.default_rng(8)
    p = 1 - float(GM.alpha)
    report = audit(
        lambda c: c + rng.geometric(p, c.size) - rng.geometric(p, c.size),
        50_000,
        claimed_epsilon=0.5,
    )
    assert set(report.outside) == {"below 0", "above n"}
    assert report.verdict == "not refuted"
    assert audit(lambda c: c + 9, 1_000, claimed=GM).fit.refuted


# --- honest boxes ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "m", [GM, dc.fair(n=8, epsilon=0.5), dc.uniform(n=8), dc.weakly_honest(n=8, alpha="10/11")]
)
@pytest.mark.parametrize("draws", [500, 60_000])
def test_an_honest_box_is_not_refuted(m, draws):
    report = audit(broken.honest(m, seed=draws), draws, claimed=m)
    assert report.verdict == "not refuted", str(report)
    assert report.epsilon_bound <= float(m.epsilon)
    assert all(m.satisfies(p.property) for p in report.properties if p.status == "holds")
    assert not any(m.satisfies(p.property) for p in report.properties if p.status == "fails")


@pytest.mark.usefixtures("few_rows")
def test_the_bound_comes_near_the_truth():
    assert audit(broken.honest(GM), 1_000_000, claimed=GM).epsilon_bound > 0.48


@pytest.mark.slow
def test_false_alarms_are_as_rare_as_stated():
    # at confidence 0.9 at most 1 in 10 honest boxes is refuted; more than 15 of 30 has a chance below 1e-8
    m = dc.geometric(n=2, epsilon=1)
    alarms = sum(
        dc.audit(broken.honest(m, seed), n=2, draws=900, confidence=0.9, claimed=m).verdict
        == "refuted"
        for seed in range(30)
    )
    assert alarms <= 15


# --- our own sampler ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "m", [GM, dc.fair(n=8, epsilon=0.5), dc.geometric(n=150, epsilon=1)], ids=["GM", "EM", "n=150"]
)
def test_our_own_sampler_is_not_refuted(m):
    # false alarms: 1e-6 for each mechanism; fresh words on every run
    report = dc.audit(m, draws=500_000, confidence=SURE)
    assert report.verdict == "not refuted", str(report)


def test_our_own_sampler_one_count_at_a_time_is_not_refuted():
    report = dc.audit(GM.release, n=8, claimed=GM, draws=3_000, confidence=SURE, vectorised=False)
    assert report.verdict == "not refuted", str(report)


class BiasedSource:
    """A source of words for our own sampler, one bit of which is biased."""

    private = True

    def __init__(self, bit, chance):
        self.words, self.taken = broken.biased_words(9, bit, chance), 0

    def take(self, count):
        self.taken += count
        return self.words(count)

    def more(self, position, attempt):
        return int(self.words(1)[0])


def our_sampler_with_a_bad_bit(bit):
    from discreet.sampler import release

    source = BiasedSource(bit, 0.51)
    return lambda counts: release(GM, counts, source=source)


@pytest.mark.slow
@pytest.mark.usefixtures("few_rows")
def test_our_own_sampler_fed_a_bit_that_is_one_in_51_of_100_is_caught_at_3_million_draws():
    report = audit(our_sampler_with_a_bad_bit(0), 3_000_000, claimed=GM)
    assert report.fit.refuted, str(report)


@pytest.mark.slow
@pytest.mark.usefixtures("few_rows")
@pytest.mark.parametrize(
    ("bit", "draws"), [(1, 4_000_000), (2, 4_000_000), (3, 6_000_000), (4, 12_000_000)]
)
def test_lower_bits_need_more_draws(bit, draws):
    # a lower bit moves less: each further one costs about four times the draws, and the lowest are out of reach
    report = audit(our_sampler_with_a_bad_bit(bit), draws, claimed=GM)
    assert report.fit.refuted, str(report)


# --- the parts ------------------------------------------------------------------------------------------------


def test_an_exact_tally_lies_inside_its_own_region():
    m = dc.fair(n=4, epsilon=1)
    tally = np.zeros((9, 5), dtype=np.int64)
    tally[:5] = np.round(m.array * 10**8)
    region = confidence_region(tally, 4, 1e-6)
    assert (region.low[:5] < m.array).all()
    assert (m.array < region.high[:5]).all()
    assert 0.99 < epsilon_bound(region, tally).epsilon <= 1
    assert fit(tally, m.array, 1e-6).p_value == 1
    assert {p.property for p in appearances(region) if p.status == "holds"} >= {"WH", "CH", "RH"}
    assert {p.property for p in appearances(region) if p.status == "fails"} == set()


def test_a_count_that_was_never_asked_shows_nothing():
    report = dc.audit(([0, 0, 2, 2], [0, 1, 2, 2]), n=2)
    assert np.isnan(report.matrix[:, 1]).all()
    assert report.region.low[:, 1].max() == 0
    assert report.region.high[:, 1].min() == 1


@pytest.mark.parametrize("rows", [1, 2, 3, 10, 40])
def test_a_few_rows_are_enough_to_run(rows):
    draws = Draws(
        n=1,
        counts=np.arange(rows) % 2,
        outcomes=np.arange(rows) % 2,
        call=np.zeros(rows, dtype=np.int64),
    )
    assert not check_independence(draws, 1e-6).refuted
    assert "Audit of" in str(dc.audit((draws.counts, draws.outcomes), n=1))


def test_nobody_in_the_group():
    report = dc.audit(dc.uniform(n=0), draws=100)
    assert report.epsilon_bound == 0
    assert report.verdict == "not refuted"


# --- the report -----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def refuted():
    return audit(
        broken.honest(dc.geometric(n=8, epsilon=1)), 60_000, claimed=GM, name="a box that lies"
    )


def test_the_report_fits_a_terminal_and_never_says_proven(refuted):
    for report in (
        refuted,
        dc.audit(lambda c: c, n=8, draws=2000),
        audit(broken.one_draw_for_all_rows(GM), 5000),
    ):
        text = str(report)
        assert max(map(len, text.splitlines())) <= 80
        assert "proven" not in text.lower()
        assert "cannot show" in text


def test_the_report_is_plain_data(refuted):
    data = json.loads(json.dumps(refuted.to_dict(), allow_nan=False))
    assert data["verdict"] == "refuted"
    assert data["epsilon_lower_bound"] == refuted.epsilon_bound
    assert data["claimed_epsilon"] == 0.5
    assert data["properties"]["F"] == "fails"
    assert sum(map(sum, data["tally"])) == refuted.draws


def test_an_impossible_outcome_is_plain_data_too():
    report = audit(lambda counts: counts - 1, 1_000, claimed=GM)
    assert report.refuted
    assert json.loads(json.dumps(report.to_dict(), allow_nan=False))["fit"]["p_value"] == 0


def test_the_report_is_frozen(refuted):
    with pytest.raises(AttributeError):
        refuted.n = 3
    with pytest.raises(ValueError, match="read-only"):
        refuted.tally[0, 0] = 1


def test_the_picture_marks_the_cells_that_speak_against_the_box(refuted, tmp_path):
    require("plots")
    from discreet.show.pictures.audit_picture import audit_cells

    assert refuted.cells
    assert {(d["output"], d["count"]) for d in audit_cells(refuted) if d["against"]} == set(
        refuted.cells
    )
    refuted.plot(tmp_path / "audit.svg")
    drawn = (tmp_path / "audit.svg").read_text()
    assert drawn.startswith("<svg")
    assert "The black box leaks more than it claims" in drawn, "the title says what was found"
    assert "epsilon is above" in drawn, "the line below has the numbers"
    with pytest.raises(InvalidInput, match="must end in"):
        refuted.plot(tmp_path / "audit.exe")


def test_the_ratio_of_two_cells_that_refute_a_claim_stands_below_the_title(tmp_path):
    require("plots")
    noise = np.random.default_rng(7)

    def box(counts):
        return np.clip(
            counts + noise.geometric(0.42, counts.size) - noise.geometric(0.42, counts.size), 0, 8
        )

    report = dc.audit(box, n=8, draws=200_000, claimed_epsilon=0.5)
    (output, one), (same, other) = report.cells
    assert output == same
    chances = sorted((report.matrix[cell] for cell in report.cells), reverse=True)
    report.plot(tmp_path / "audit.svg")
    drawn = (tmp_path / "audit.svg").read_text()
    large, small = (f"{100 * chance:#.3g}%" for chance in chances)
    allowed = np.exp(0.5 * abs(one - other))
    said = f"; {large} is {chances[0] / chances[1]:.1f} times {small}; allowed: {allowed:.1f}<"
    assert said in drawn.replace("\N{NO-BREAK SPACE}", " ")
    assert all(f">{100 * chance:#.3g}%<" in drawn for chance in chances), (
        "to the digits that the ratio has"
    )


@pytest.mark.parametrize(
    ("options", "rule"),
    [
        ({"confidence": 1}, "between 0 and 1"),
        ({"confidence": "certain"}, "finite number"),
        ({"draws": 3}, "at least 18"),
        ({"draws": 10**12}, "at most"),
        ({"n": 501}, "at most 500"),
        ({"n": None}, "must be given"),
        ({"calls": 1}, "at least 2"),
        ({"claimed": 0.5}, "must be a Mechanism"),
        ({"claimed": dc.uniform(n=3)}, "n = 8"),
        ({"claimed_epsilon": 1, "claimed_alpha": 1}, "exactly one"),
        ({"claimed_epsilon": float("nan")}, "finite number"),
    ],
)
def test_parameters_are_checked(options, rule):
    with pytest.raises(InvalidInput, match=rule):
        dc.audit(lambda counts: counts, **({"n": 8, "draws": 100} | options))


def test_an_epsilon_claim_beside_a_mechanism_is_the_one_tested():
    report = dc.audit(GM, draws=200_000, claimed_epsilon="0.4", confidence=SURE)
    assert report.claim.epsilon == Fraction(2, 5)
    assert report.verdict == "refuted"
    assert not report.fit.refuted
