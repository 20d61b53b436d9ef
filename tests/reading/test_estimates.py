"""`dc.estimate` on plain outputs: totals, rates, mixed sizes, strata, differences, priors from all groups."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import prod

import numpy as np
import pytest

from discreet.core.exchange.matrices import from_matrix
from discreet.core.named import fair, geometric, uniform
from discreet.errors import InvalidInput
from discreet.reading.combining import combine
from discreet.reading.estimates import Estimate, estimate
from discreet.reading.group import one_group
from discreet.reading.methods.debiasing import NotEstimable
from discreet.reading.methods.empirical import RATES, binomials, estimate_rates, prior_for
from discreet.reading.samples import Sample


def draw(mechanisms, sizes, counts, seed):
    rng = np.random.default_rng(seed)
    return np.array(
        [rng.choice(n + 1, p=mechanisms[n].array[:, x]) for n, x in zip(sizes, counts, strict=True)]
    )


def mixed(groups, seed, alpha="1/2"):
    rng = np.random.default_rng(seed)
    sizes = rng.choice([2, 5, 9], size=groups)
    counts = rng.binomial(sizes, 0.3)
    mechanisms = {n: geometric(n=n, alpha=alpha) for n in (2, 5, 9)}
    return mechanisms, sizes, counts, draw(mechanisms, sizes, counts, seed + 1)


def test_the_total_is_the_sum_of_the_scores():
    e = estimate([0, 3, 1, 4], mechanism=geometric(n=4, alpha="1/2"))
    assert e.total.value == pytest.approx(-1 + 3 + 1 + 5)
    assert e.rate.value == pytest.approx(8 / 16)
    assert e.mean.value == pytest.approx(2)
    assert e.groups == 4
    assert e.people == 16


def test_mixed_sizes_add_up_and_strata_too():
    mechanisms, sizes, counts, outputs = mixed(300, seed=1)
    e = estimate(outputs, mechanism=mechanisms, sizes=sizes)
    assert e.total.low <= counts.sum() <= e.total.high
    parts = [estimate(outputs[sizes == n], mechanism=mechanisms[n]).total.value for n in (2, 5, 9)]
    assert sum(parts) == pytest.approx(e.total.value)
    keyed = Sample(
        mechanisms=e.sample.mechanisms,
        which=e.sample.which,
        outputs=e.sample.outputs,
        keys={
            "region": np.array(["north", "south", "south"] * 100, dtype=object),
            "ward": np.arange(300),
        },
    )
    strata = Estimate(sample=keyed, confidence=Fraction(19, 20)).by("region")
    assert sum(s.total.value for s in strata.values()) == pytest.approx(e.total.value)
    assert strata["south"].groups == 200
    assert len(Estimate(sample=keyed, confidence=Fraction(19, 20)).by("region", "ward")) == 300
    with pytest.raises(InvalidInput, match="did you mean region"):
        Estimate(sample=keyed, confidence=Fraction(1, 2)).by("regoin")


@pytest.mark.slow
@pytest.mark.parametrize("groups", [5, 60])
def test_mixed_sizes_cover(groups):
    """200 repetitions at 90%: a sound interval falls below 81% with chance under 1 in 10,000."""
    mechanisms, sizes, counts, _ = mixed(groups, seed=5, alpha="3/4")
    covered = 0
    for seed in range(200):
        e = estimate(
            draw(mechanisms, sizes, counts, seed), mechanism=mechanisms, sizes=sizes, confidence=0.9
        )
        covered += e.total.low <= counts.sum() <= e.total.high
    assert covered >= 162


@pytest.mark.slow
@pytest.mark.parametrize(("groups", "repeats"), [(3, 50), (80, 200)])
def test_differences_of_rates_cover(groups, repeats):
    """As above, four standard deviations below 90% at most; two strata with different mechanisms."""
    rng = np.random.default_rng(2)
    first, second = geometric(n=6, alpha="1/2"), fair(n=9, alpha="2/3")
    x, y = rng.binomial(6, 0.5, groups), rng.binomial(9, 0.2, groups)
    truth = x.mean() / 6 - y.mean() / 9
    covered = 0
    for seed in range(repeats):
        one = estimate(draw({6: first}, [6] * groups, x, seed), mechanism=first, confidence=0.9)
        two = estimate(
            draw({9: second}, [9] * groups, y, seed + 999), mechanism=second, confidence=0.9
        )
        q = one.difference(two)
        covered += q.low <= truth <= q.high
        assert q.value == pytest.approx(one.rate.value - two.rate.value)
    assert covered >= 0.9 * repeats - 4 * np.sqrt(0.09 * repeats)


@pytest.mark.slow
def test_combining_releases_is_unbiased_better_and_covers():
    rng = np.random.default_rng(4)
    groups, first, second = 40, geometric(n=6, alpha="1/2"), geometric(n=6, alpha="4/5")
    counts = rng.binomial(6, 0.4, groups)
    covered, values = 0, []
    for seed in range(200):
        one = estimate(
            draw({6: first}, [6] * groups, counts, seed), mechanism=first, confidence=0.9
        )
        two = estimate(
            draw({6: second}, [6] * groups, counts, seed + 999), mechanism=second, confidence=0.9
        )
        both = combine(one, two)
        values.append(both.total.value)
        covered += both.total.low <= counts.sum() <= both.total.high
        assert both.total.standard_error < min(one.total.standard_error, two.total.standard_error)
    assert covered >= 162
    # five standard errors of the mean of 200: a false alarm below 1 in a million
    assert abs(np.mean(values) - counts.sum()) < 5 * np.std(values) / np.sqrt(200)
    g = both.group(0)
    assert g.outputs == (int(one.sample.outputs[0]), int(two.sample.outputs[0]))
    assert "2 releases of 40 groups" in str(both)


def test_combining_refuses_different_groups():
    e = estimate([1, 2], mechanism=geometric(n=4, alpha="1/2"))
    with pytest.raises(InvalidInput, match="at least two"):
        combine(e)
    with pytest.raises(InvalidInput, match="same groups"):
        combine(e, estimate([1, 2, 3], mechanism=geometric(n=4, alpha="1/2")))
    with pytest.raises(InvalidInput, match="different sizes"):
        combine(e, estimate([1, 2], mechanism=geometric(n=5, alpha="1/2")))
    with pytest.raises(InvalidInput, match="index"):
        combine(e, estimate([3, 0], mechanism=geometric(n=4, alpha="1/2"))).group(2)


def test_an_estimate_outside_the_range_keeps_its_value_and_gets_an_interval_inside():
    e = estimate([0] * 30, mechanism=geometric(n=3, alpha="9/10"))
    assert e.total.value == pytest.approx(-270)
    assert e.total.low == 0
    assert 0 < e.total.high <= 90
    assert 0 <= e.rate.low <= e.rate.high <= 1


def test_groups_of_size_zero_are_known_exactly():
    e = estimate([0, 0], mechanism=geometric(n=0, alpha="1/2"))
    assert (e.total.value, e.total.low, e.total.high) == (0, 0, 0)
    assert e.rate.value == 0


def test_the_table_of_groups_matches_one_group():
    m = fair(n=5, alpha="2/3")
    e = estimate([0, 5, 2, 2], mechanism=m)
    t = e.table(prior="Binomial(0.3)")
    assert len(t) == 4
    for k, y in enumerate([0, 5, 2, 2]):
        g = one_group(m, y, prior="Binomial(0.3)")
        assert (t.columns["low"][k], t.columns["high"][k]) == g.interval
        assert (t.columns["credible_low"][k], t.columns["credible_high"][k]) == g.credible
        assert t.columns["posterior_mean"][k] == pytest.approx(float(g.mean))
    assert max(map(len, str(t).splitlines())) <= 80
    assert "<table>" in t._repr_html_()


def test_binomials_are_binomial():
    from math import comb

    ((_, table),) = binomials({7})
    for c in (0, 13, 50, 100):
        r = RATES[c]
        assert np.allclose(table[:, c], [comb(7, x) * r**x * (1 - r) ** (7 - x) for x in range(8)])


def test_the_estimated_prior_finds_the_rates():
    """Two kinds of groups, rates 10% and 70%: the estimated prior puts its mass near both, and helps."""
    rng = np.random.default_rng(9)
    m = geometric(n=10, alpha="1/3")
    counts = rng.binomial(10, np.where(rng.random(3_000) < 0.5, 0.1, 0.7))
    outputs = draw({10: m}, [10] * 3_000, counts, 1)
    e = estimate(outputs, mechanism=m)
    rates = estimate_rates(e.sample.histograms)
    assert rates[(RATES < 0.25) | (RATES > 0.55)].sum() > 0.9
    assert prior_for(10, rates).sum() == pytest.approx(1)
    g = e.group(0, prior="estimated")
    assert g.prior == "estimated"
    assert float(g.mean) == pytest.approx(e.table(prior="estimated").columns["posterior_mean"][0])
    assert sum(e.prior(10).weights) == 1
    with pytest.raises(InvalidInput, match="index"):
        e.group(3_000)
    assert (prior_for(600, rates) == 1 / 601).all()
    errors = {
        name: np.mean((e.table(prior=prior).columns["posterior_mean"] - counts) ** 2)
        for name, prior in (("flat", None), ("estimated", "estimated"))
    }
    assert errors["estimated"] < errors["flat"]
    assert errors["estimated"] < np.mean((outputs - counts) ** 2)


def test_it_prints_within_80_columns_and_says_what_does_not_add_up():
    e = estimate([3, 1, 4, 1, 5] * 40_000, mechanism=geometric(n=5, epsilon=1))
    assert max(map(len, str(e).splitlines())) <= 80
    assert "do not add up" in " ".join(str(e).split())
    assert "do not add up" in e._repr_html_()
    assert repr(e) == "<Estimate of 'count': 200,000 groups, 1,000,000 people>"
    assert len(repr(e.sample)) < 80
    assert "do not add up" in e.to_dict()["note"]
    assert max(len(str(q)) for q in (e.total, e.rate, e.mean, e.difference(e))) <= 80


def test_the_uniform_mechanism_prints_why_there_is_no_estimate():
    e = estimate([1, 2], mechanism=uniform(n=3))
    assert "no unbiased estimate" in str(e)
    assert max(map(len, str(e).splitlines())) <= 80
    assert "singular" in e._repr_html_()
    with pytest.raises(NotEstimable):
        _ = e.total
    assert np.isnan(e.table().columns["unbiased"]).all()


M = geometric(n=4, alpha="1/2")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: estimate([], mechanism=M), "outputs.*no groups"),
        (lambda: estimate([1, 5], mechanism=M), r"outputs.*0\.\.4.*row 2.*not 5"),
        (lambda: estimate([-1], mechanism=M), r"outputs.*0\.\.4.*row 1"),
        (lambda: estimate([1.5], mechanism=M), "whole numbers"),
        (lambda: estimate([True], mechanism=M), "whole numbers"),
        (lambda: estimate([[1]], mechanism=M), "whole numbers"),
        (lambda: estimate([1], mechanism=M, count="smoker"), "count.*belongs to a release"),
        (lambda: estimate([1], mechanism={4: M}), "sizes.*must be given"),
        (
            lambda: estimate([1], mechanism={4: M}, sizes=[5]),
            "mechanism.*missing for groups of size 5",
        ),
        (lambda: estimate([1], mechanism={5: M}, sizes=[5]), "mechanism.*must have that size"),
        (lambda: estimate([1], mechanism=[M], sizes=[4, 4]), "one size for each of 1"),
        (lambda: estimate(17), "source.*release or its folder.*`mechanism`"),
        (lambda: estimate([1], mechanism=M, confidence=2), "confidence"),
        (lambda: estimate([1], mechanism=M).distribution(7), "n.*must be a size of these groups"),
        (lambda: estimate([1], mechanism=M).by(), "by.*at least one"),
        (lambda: estimate([1], mechanism=M).by("region"), "has no keys"),
    ],
)
def test_bad_input_names_what_is_wrong(call, message):
    with pytest.raises(InvalidInput, match=message):
        call()


def test_series_of_every_library_are_read():
    pandas, polars, arrow = (pytest.importorskip(name) for name in ("pandas", "polars", "pyarrow"))
    expected = estimate([1, 2], mechanism=M).total
    for values in (
        np.array([1, 2], dtype=np.uint8),
        pandas.Series([1, 2]),
        polars.Series([1, 2]),
        arrow.array([1, 2]),
    ):
        assert estimate(values, mechanism=M).total == expected
    for values in (polars.Series([1, None]), arrow.array([1, None])):
        with pytest.raises(InvalidInput, match=r"empty values \(1 found\)"):
            estimate(values, mechanism=M)


def test_an_output_that_the_mechanism_never_gives_is_refused():
    m = from_matrix([["1/2", "1/2", "1/4"], [0, 0, 0], ["1/2", "1/2", "3/4"]], alpha="1/2")
    with pytest.raises(InvalidInput, match=r"can give \(row 2\), not 1"):
        estimate([0, 1, 2], mechanism=m)
    with pytest.raises(InvalidInput, match="can give"):
        one_group(m, 1)


def test_distribution_asks_for_a_size_when_there_are_several():
    mechanisms, sizes, _, outputs = mixed(30, seed=3)
    e = estimate(outputs, mechanism=mechanisms, sizes=sizes)
    with pytest.raises(InvalidInput, match="choose from 2, 5, 9"):
        e.distribution()
    assert e.distribution(5).n == 5


def test_one_mechanism_reads_only_groups_of_its_own_size():
    """Sizes given beside one mechanism are held against it, not ignored."""
    m = geometric(n=4, epsilon=1)
    assert estimate([1, 2], mechanism=m, sizes=[4, 4]).people == 8
    with pytest.raises(InvalidInput, match="groups of size 3"):
        estimate([1, 2], mechanism=m, sizes=[4, 3])
    with pytest.raises(InvalidInput, match="one size for each of 2"):
        estimate([1, 2], mechanism=m, sizes=[4])


def test_one_group_of_one_person_is_written_as_such():
    assert (
        repr(estimate([1], mechanism=fair(n=1, epsilon=1)))
        == "<Estimate of 'count': 1 group, 1 person>"
    )


@pytest.mark.parametrize("build", [geometric, fair])
@pytest.mark.parametrize("confidence", ["0.9", "0.99"])
def test_differences_and_combinations_of_few_groups_cover_for_every_truth(build, confidence):
    """Enumerated: two strata (or two releases) of two groups of one or one group of three; nothing is simulated."""
    for n, k in ((1, 2), (3, 1)):
        first, second = build(n=n, epsilon="0.5"), build(n=n, epsilon=2)
        cells = list(product(range(n + 1), repeat=k))
        law = [
            {
                (y, x): prod(float(m[a, b]) for a, b in zip(y, x, strict=True))
                for y in cells
                for x in cells
            }
            for m in (first, second)
        ]
        read = {
            y: [estimate(list(y), mechanism=m, confidence=confidence) for m in (first, second)]
            for y in cells
        }
        found = {
            (y, z): (read[y][0].difference(read[z][1]), combine(read[y][0], read[z][1]).total)
            for y in cells
            for z in cells
        }
        for x, w in product(cells, cells):
            for which, target, other in (
                (0, (sum(x) - sum(w)) / (n * k), w),
                (1, float(sum(x)), x),
            ):
                mean = covered = 0.0
                for (y, z), quantities in found.items():
                    q, chance = quantities[which], law[0][y, x] * law[1][z, other]
                    mean += chance * q.value
                    covered += chance * (q.low - 1e-9 <= target <= q.high + 1e-9)
                assert covered >= float(confidence) - 1e-9 and mean == pytest.approx(
                    target, abs=1e-9
                )


@pytest.mark.parametrize(
    ("released", "reason"),
    [
        ([3, 2], "above the possible 6: kept, to stay unbiased"),
        ([0, 0], "below the possible 0: kept, to stay unbiased"),
        ([1, 2], ""),
    ],
)
def test_an_estimate_outside_its_interval_says_why_on_its_line(released, reason):
    e = estimate(released, mechanism=fair(n=3, epsilon="1/2"))
    assert (e.total.low <= e.total.value <= e.total.high) == (not reason)
    assert e.total.outside == reason
    assert (f"({reason})" in str(e.total)) == bool(reason)
    assert bool(e.rate.outside) == bool(e.mean.outside) == bool(reason)
    for text in (str(e), e._repr_html_()):
        assert ("to stay unbiased" in " ".join(text.split())) == bool(reason)
    assert len(str(e.total)) < 90 and all(len(line) <= 80 for line in str(e).splitlines())


@pytest.mark.parametrize("make", [geometric, fair])
def test_groups_of_a_billion_have_a_table_and_a_prior(make):
    n = 10**9
    e = estimate([5, n // 2], mechanism=make(n=n, alpha="1/2"))
    for prior in (None, "uniform", "estimated"):
        table = e.table(prior)
        assert table.columns["posterior_mean"][1] == pytest.approx(n // 2)
        assert (table.columns["credible_low"] <= table.columns["credible_high"]).all()
    assert e.prior(n).uniform


def test_what_would_take_all_memory_of_a_very_large_group_is_refused():
    n = 10**9
    e = estimate([5, n // 2], mechanism=geometric(n=n, alpha="1/2"))
    with pytest.raises(InvalidInput, match="at most 1,000"):
        e.distribution()
    with pytest.raises(InvalidInput, match="uniform or estimated"):
        e.table("Binomial(1/3)")
    blind = geometric(n=n, epsilon="1/100000000")
    with pytest.raises(InvalidInput, match="larger epsilon"):
        estimate([5], mechanism=blind).table()
    with pytest.raises(InvalidInput, match="larger epsilon"):
        blind.accuracy()


def test_an_interval_that_is_wider_than_the_normal_law_says_why():
    """A statistician divides by 1.96 and takes the difference for a mistake."""
    made = geometric(n=8, epsilon=1)
    e = estimate([3, 0, 8, 5] * 10, mechanism=made)
    assert (e.total.high - e.total.low) / 2 > 1.98 * e.total.standard_error
    said = " ".join(str(e).split())
    assert (
        "room for noise that is lopsided or larger than estimated, so wider than 1.96 std errors"
        in said
    )
    assert replace(e.total, low=e.total.value, high=e.total.value).wider == ""
    assert any("wider than 1.96 std errors" in note for note in e.subtotals().notes), (
        "and so does a table of sums"
    )


def test_what_to_print_stands_first_and_the_interval_before_the_decimals():
    title, first, second, head, total, *_ = str(
        estimate([3, 0, 8, 5] * 10, mechanism=geometric(n=8, epsilon=1))
    ).split("\n")
    assert title.startswith("Estimate of") and re.match(
        r"  To print: \d+ to \d+ of 320 \(95% interval\), about \d+\.$", first
    )
    assert second == "  To calculate with: the unbiased numbers below."
    assert re.findall(r"\S+(?: \S+)?", head) == ["95% interval", "unbiased", "std error"]
    assert re.match(r"  total +\d+ to \d+ +[\d.]+ +[\d.]+$", total)
