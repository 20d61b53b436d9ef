"""Reading closed forms without their matrix: the same numbers as with it, and numbers where no matrix fits."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from discreet.core.family import BySize, Family
from discreet.core.forms import ColumnHonest, Fair, Geometric, Uniform, WeaklyHonest
from discreet.core.forms.column_honest import column_honest_exists
from discreet.core.mechanism import Mechanism
from discreet.core.named import fair, geometric, uniform, weakly_honest
from discreet.core.rationals import read_alpha
from discreet.designer import design
from discreet.reading.count_columns import check_readable, read_columns
from discreet.reading.distribution import distribution, invert_histogram
from discreet.reading.estimates import estimate
from discreet.reading.group import intervals, output_intervals
from discreet.reading.methods.closed_matrix import ClosedMatrix, same_law
from discreet.reading.methods.closed_scores import closed_score, debiased_if_any
from discreet.reading.methods.debiasing import NotEstimable, describe, solve_exactly
from discreet.reading.methods.intervals import invert, shortest_run
from discreet.reading.methods.posteriors import closed_posteriors, read_posteriors, shortest_runs
from discreet.reading.methods.stretched import (
    mirrored_intervals,
    own_intervals,
    own_table,
    small_table,
)
from discreet.reading.methods.sums import Term, _chernoff, margins
from discreet.reading.totals import count_score

ALPHAS = [Fraction(1, 10), Fraction(3, 5), Fraction(9, 10), Fraction(99, 100)]


def forms(sizes):
    for n in sizes:
        for alpha in ALPHAS:
            yield Geometric(n, alpha)
            yield Fair(n, alpha)
            if 2 <= n < 2 * alpha / (1 - alpha):
                yield WeaklyHonest(n, alpha)
            if column_honest_exists(n, alpha):
                yield ColumnHonest(n, alpha)


def test_products_rows_and_solutions_are_those_of_the_matrix():
    rng = np.random.default_rng(5)
    for form in forms([1, 2, 3, 8, 41]):
        n, array, closed = form.n, form.floats(), ClosedMatrix(form)
        values = rng.normal(size=n + 1)
        assert np.allclose(closed.rows(np.arange(n + 1)), array, rtol=1e-12, atol=0)
        assert np.allclose(closed.product(values), values @ array, atol=1e-13)
        target = rng.normal(size=n + 1)
        found, left = closed.solve(target)
        assert left < 1e-9
        assert np.allclose(found @ array, target, atol=1e-9)


@pytest.mark.parametrize("n", [1, 2, 3, 5, 12])
def test_debiased_counts_are_the_exact_ones(n):
    for form in forms([n]):
        exact = np.array([float(v) for v in solve_exactly(form, range(n + 1))])
        try:
            found = closed_score(form)
        except NotEstimable:
            assert np.ptp(exact) > 100 * n
            continue
        dense = describe(form.floats(), np.arange(n + 1.0), exact, what="the total")
        scale = np.abs(exact).max()
        assert np.allclose(found.at(np.arange(n + 1)), exact, rtol=0, atol=1e-10 * scale)
        for name in (
            "variance",
            "variance_score",
            "worst_variance",
            "least_variance",
            "mean_variance",
            "skew",
            "reach",
        ):
            one, two = np.array(getattr(found, name)), np.array(getattr(dense, name))
            assert np.allclose(one, two, rtol=1e-9, atol=1e-9 * np.abs(two).max()), (form, name)
        assert found.score_noise == pytest.approx(dense.score_noise, rel=1e-8, abs=1e-9 * scale**4)
        assert found.step == pytest.approx(dense.step, rel=1e-9)


@pytest.mark.parametrize(
    ("kind", "alpha"),
    [(Geometric, ALPHAS[1]), (Fair, ALPHAS[1]), (Fair, ALPHAS[2]), (ColumnHonest, ALPHAS[1])],
)
def test_a_large_group_has_the_law_of_a_smaller_one(kind, alpha):
    """The score of the smaller group, pulled apart, is unbiased in the larger one: all of it is checked."""
    n = 3001
    assert same_law(alpha, n) < n
    found, matrix = closed_score(kind(n, alpha)), ClosedMatrix(kind(n, alpha))
    middle = np.arange(n + 1) - n / 2
    extra = found.at(np.arange(n + 1)) - np.arange(n + 1)
    assert np.abs(matrix.product(middle) - middle + matrix.product(extra)).max() < 1e-10
    direct, _ = matrix.solve(middle)
    assert np.allclose(direct - middle, extra, atol=1e-8)
    values = found.at(np.arange(n + 1)) - n / 2
    variance = matrix.product(values**2) - middle**2
    assert variance.max() == pytest.approx(found.worst_variance, rel=1e-6)
    assert variance.mean() == pytest.approx(found.mean_variance, rel=1e-6)


def of(kind, n, epsilon):
    """A mechanism of any size: the named functions stop earlier."""
    privacy = read_alpha(epsilon=epsilon)
    return Mechanism(privacy=privacy, form=kind(n, privacy.value))


@pytest.mark.parametrize(
    ("kind", "n", "epsilon"),
    [
        *(
            (kind, *setting)
            for kind in (Geometric, Fair)
            for setting in ((10**6, "1"), (10**9, "0.5"), (5000, "0.01"))
        ),
        *((ColumnHonest, n, "0.5") for n in (600, 10**9)),
    ],
)
def test_a_nation_is_read_like_any_group(kind, n, epsilon):
    m = of(kind, n, epsilon)
    outputs = [0, 3, n // 3, n - 3, n]
    for times in (1, 9):
        e = estimate(outputs * times, mechanism=m)
        assert e.total.value == pytest.approx(
            times * (2 * n + n // 3), abs=1e-6 * n
        )  # the ends' corrections cancel
        assert e.total.low < e.total.value < e.total.high
    table = estimate(outputs, mechanism=m).table(prior="estimated").columns
    assert table["unbiased"][2] == pytest.approx(n // 3, rel=1e-6)
    for name in ("low", "credible_low"):
        assert (table[name] <= np.array(outputs)).all()
    assert (np.array(outputs)[1:-1] <= table["high"][1:-1]).all()
    assert table["posterior_mean"][2] == pytest.approx(n // 3, rel=1e-3)
    # neighbours of a mirrored pair mirror each other
    assert table["low"][1] == n - table["high"][3]
    assert table["credible_low"][0] == n - table["credible_high"][4]


def test_where_no_law_fits_the_variance_alone_bounds_the_error():
    """Fair noise across thousands of counts: Cantelli's bound, 6.2 standard deviations at 95%."""
    s = closed_score(Fair(10**5, Fraction(98, 100)))
    below, above = margins(
        [Term(score=s, outputs=np.array([1.0]), support=np.array([40_000]))], 0.95
    )
    assert below == above == pytest.approx(np.sqrt(s.worst_variance * 39), rel=1e-6)


def test_chernoffs_bound_of_gm_needs_no_matrix():
    """Written out and in closed form alike; and noise without ends, for the largest groups, is only a little larger."""
    for n, alpha in ((1, "1/2"), (2, "9/10"), (7, "1/10"), (60, "4/5")):
        s = closed_score(geometric(n=n, alpha=alpha).form)
        outputs, written = np.eye(n + 1)[0] * 30, replace(s, log_mean=None)
        for sign in (1.0, -1.0):
            one, two = (
                _chernoff([Term(score=each, outputs=outputs)], 0.02, sign) for each in (s, written)
            )
            assert one == pytest.approx(two, rel=1e-9)
    endless, ended = (closed_score(Geometric(n, Fraction(4, 5))) for n in (10**8, 1500))
    for s in (0.01, 0.1, 0.2):
        assert ended.log_mean(s) <= endless.log_mean(s) * (1 + 1e-9)
        assert endless.log_mean(s) == pytest.approx(ended.log_mean(s), rel=1e-6)


@pytest.mark.parametrize("kind", [Geometric, Fair, ColumnHonest])
@pytest.mark.parametrize("level", [Fraction(9, 10), Fraction(19, 20)])
def test_stretched_intervals_are_those_of_the_groups_own_table(kind, level):
    few = (Fraction(1, 10), Fraction(27634, 75117), Fraction(1, 2))
    for alpha in (Fraction(51, 100), Fraction(2, 3)) if kind is ColumnHonest else few:
        for parity in (0, 1):
            table = small_table(kind(2, alpha), level, parity)
            assert table is not None
            n = len(table.low) + (1 if parity else 13)
            m = Mechanism(privacy=read_alpha(alpha=alpha), form=kind(n, alpha))
            low, high = mirrored_intervals(kind, alpha, np.full(n + 1, n), np.arange(n + 1), level)
            own = intervals(m, level)
            assert (tuple(low), tuple(high)) == (own.low, own.high)


def test_columns_of_many_sizes_are_those_of_each_group_alone():
    sizes = np.repeat([0, 1, 2, 7, 60, 61, 200, 513, 700], 3)
    outputs = np.array([n * k // 2 for n in np.unique(sizes) for k in range(3)])

    def column_honest(n, epsilon):
        return design(n=n, alpha="3/5", properties="CM", cache=False)

    for build in (geometric, fair, weakly_honest, column_honest):
        by_size = {int(n): build(n=int(n), epsilon="1.5") for n in np.unique(sizes)}
        check_readable(by_size)
        estimates, low, high = read_columns(by_size, sizes, outputs, Fraction(19, 20))
        for n in np.unique(sizes)[1:]:
            rows = sizes == n
            first, last = output_intervals(by_size[int(n)], outputs[rows], Fraction(19, 20))
            assert (low[rows] == first).all()
            assert (high[rows] == last).all()
            assert np.allclose(estimates[rows], count_score(by_size[int(n)]).at(outputs[rows]))
        assert (estimates[:3] == 0).all()
        assert (high[:3] == 0).all()


def test_what_cannot_be_read_is_found_before_it_is_paid():
    check_readable({0: uniform(n=0), 5: geometric(n=5, epsilon=1)})
    for hopeless in (uniform(n=3), geometric(n=3, epsilon="0.0001"), fair(n=3, epsilon="0.0001")):
        with pytest.raises(NotEstimable):
            check_readable({3: hopeless})
    for epsilon, readable in (("1", True), ("0.0001", False)):
        privacy = read_alpha(epsilon=epsilon)
        family = Family(kind="geometric", privacy=privacy, sizes=((1, 10**6),), theorem="geometric")
        with nullcontext() if readable else pytest.raises(NotEstimable):
            check_readable(BySize(sizes=(3, 40, 10**6), families=(family,)))


def test_shortest_runs_of_rows_are_those_of_each_row():
    rng = np.random.default_rng(2)
    rows = rng.integers(0, 6, size=(40, 9)) + np.eye(40, 9)
    for level in (Fraction(1, 2), Fraction(9, 10)):
        first, last = shortest_runs(rows, level)
        for row, ends in zip(rows, zip(first.tolist(), last.tolist(), strict=True), strict=True):
            whole = [int(p) for p in np.round(row / row.sum() * 2.0**60)]
            assert shortest_run(whole, level) == ends


def test_the_distribution_of_gm_is_inverted_in_closed_form():
    for form in (
        *(Geometric(n, Fraction(2, 3)) for n in (1, 2, 6)),
        *(ColumnHonest(n, ALPHAS[1]) for n in (3, 7)),
    ):
        n, outputs = form.n, list(range(1, form.n + 2))
        found = invert_histogram(form, outputs)
        for i in range(n + 1):
            expected = sum(form.entry(i, j) * share for j, share in enumerate(found))
            assert expected == Fraction(outputs[i], sum(outputs))
    with pytest.raises(NotEstimable, match="limit is 1,000"):
        distribution(Geometric(10**6, Fraction(1, 2)), [])


def test_uniform_groups_have_intervals_but_no_estimate():
    low, high = output_intervals(uniform(n=5), np.array([0, 5]), Fraction(9, 10))
    assert (high - low).min() >= 3
    huge = estimate([3], mechanism=Mechanism(privacy=read_alpha(alpha=1), form=Uniform(600)))
    with pytest.raises(NotEstimable, match="singular"):
        print(huge.total)


def test_tables_of_closed_forms_are_those_of_test_inversion():
    """Found in floats for all true counts together, and the same as in integers, ties of both kinds included."""
    half, level = Fraction(1, 2), Fraction(19, 20)
    cases = [
        (alpha, n)
        for alpha in (half, Fraction(9, 10), Fraction(607, 1000))
        for n in (1, 2, 3, 8, 13)
    ]
    for kind in (Geometric, Fair, ColumnHonest):
        some = [*cases, (Fraction(999, 1000), 6), (Fraction(9, 10), 41)]
        if kind is ColumnHonest:
            some = [
                (alpha, n)
                for alpha in (Fraction(501, 1000), Fraction(607, 1000), Fraction(2, 3))
                for n in range(3, 14)
            ]
        for alpha, n in some:
            for confidence in (level, half, Fraction(3, 4), 1 - Fraction(1, 10**13)):
                form = kind(n, alpha)
                table = invert([form.column(j) for j in range(n + 1)], confidence)
                low, high = own_intervals(form, np.arange(n + 1), confidence)
                assert (tuple(low), tuple(high)) == (table.low, table.high)
                assert not set(np.flatnonzero(own_table(form, confidence).accepted)) & set(
                    table.unaccepted
                )


def test_posteriors_of_many_sizes_are_those_of_each_group_alone():
    rng = np.random.default_rng(3)
    sizes = np.array([1, 2, 9, 40, 54, 55, 487, 488, 3000])
    outputs = rng.integers(0, sizes + 1)
    # 54 and 55 stand for the largest groups at epsilon 3, which have no prior
    priors = {n: rng.random(n + 1) for n in (9, 54, 55)}
    for kind in (Geometric, Fair, ColumnHonest):
        alpha = read_alpha(epsilon=3)
        if kind is ColumnHonest:
            alpha, sizes = read_alpha(epsilon="0.5"), np.maximum(sizes, 3)
            outputs = np.array([0, 1, 2, 39, 54, 54, 1, 487, 2999])
        found = closed_posteriors(kind, alpha.value, sizes, outputs, priors, Fraction(19, 20))
        for k, n in enumerate(sizes.tolist()):
            m = Mechanism(privacy=alpha, form=kind(n, alpha.value))
            own = read_posteriors(m, outputs[[k]], priors.get(n), Fraction(19, 20))
            assert [values[k] for values in found] == pytest.approx(
                [float(values[0]) for values in own], rel=1e-9
            )


@pytest.mark.slow
def test_what_has_no_estimate_is_not_a_number_in_a_table():
    sizes = np.array([1, 3, 8, 200, 3000])
    for kind in (Geometric, Fair):
        for epsilon in ("1", "0.005", "0.0002", "0.0000001"):
            alpha = read_alpha(epsilon=epsilon).value
            for n, value in zip(
                sizes.tolist(), debiased_if_any(kind, alpha, sizes, sizes // 2), strict=True
            ):
                try:
                    assert value == pytest.approx(
                        closed_score(kind(n, alpha)).at(np.array([n // 2]))[0], rel=1e-9
                    )
                except NotEstimable:
                    assert np.isnan(value)
