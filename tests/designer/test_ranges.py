"""Families for ranges of sizes answer as `design` does for each size: the same mechanism, by the same theorem."""

from __future__ import annotations

import pickle
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.amounts import tries

import discreet as dc
from discreet.core.certificate import read_problem
from discreet.core.family import NEARLY
from discreet.core.properties import PROPERTIES, Shape, read_shape
from discreet.core.rationals import read_alpha
from discreet.designer.cache import open_store
from discreet.designer.ranges import _rules, families
from discreet.designer.single import Effort, known_answer
from discreet.errors import InvalidInput

SIZES = [*range(8), 19, 20, 21, 200, 257, 1000]
ALPHAS = [
    Fraction(1, 3),
    Fraction(1, 2),
    Fraction(501, 1000),
    Fraction(2, 3),
    Fraction(10, 11),
    Fraction(99, 100),
]
ASKED = [
    *(
        "",
        "WH",
        "S RM",
        "CH",
        "CM",
        "WH CM",
        "F",
        "F CM S",
        "WH S",
        "CH RM",
        "ODP:1/10",
        "ODP:3/5 WH",
        "F ODP:1/4",
    ),
    *("F ODP:99/100", "WH ODP:1/1000", "CM ODP:1/5"),
]


def found(sizes, alpha, properties, prior=None, worst_case=False, gap=None, loss="L0"):
    return families(
        sizes,
        read_alpha(alpha=alpha),
        shape=read_shape(properties),
        loss=loss,
        prior=prior,
        worst_case=worst_case,
        gap=gap,
    )


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize(
    ("prior", "worst_case"), [(None, False), (None, True), ("Binomial(1/3)", False)]
)
def test_a_family_answers_exactly_where_design_needs_no_program(alpha, prior, worst_case):
    privacy = read_alpha(alpha=alpha)
    for properties in ASKED:
        made, rest = found(SIZES, alpha, properties, prior, worst_case)
        assert all(
            not (a.kind == b.kind and a.theorem == b.theorem) for a, b in combinations(made, 2)
        )
        for n in SIZES:
            if prior and n > 8:
                continue  # weights of hundreds of digits, for nothing
            problem = read_problem(
                n=n, alpha=privacy, properties=properties, prior=prior, worst_case=worst_case
            )
            known = known_answer(problem, privacy, Effort(gap=None, seconds=None, store=None))
            (family,) = [each for each in made if n in each] or [None]
            assert (family is None) == (n in rest)
            if family is not None:
                assert known == family.mechanism(n)
                assert known.origin.theorem == family.mechanism(n).origin.theorem
                assert bool(known.origin.theorem) == (family.theorem != NEARLY)
            elif known is not None:
                # one by one: nobody, WM with column properties, and relabelled GM for another prior
                columns = {"CH", "CM"} & read_shape(properties).names
                assert (
                    n == 0 or prior or (columns and known.form.text().startswith("weakly-honest"))
                )


@given(
    st.sets(st.integers(0, 60), min_size=1, max_size=12),
    st.sets(st.sampled_from(sorted(PROPERTIES)), max_size=3),
    st.sampled_from(ALPHAS),
)
@settings(max_examples=tries(40), deadline=None)
def test_ranges_are_apart_and_begin_and_end_at_sizes_asked_for(sizes, names, alpha):
    sizes = sorted(sizes)
    made, rest = found(sizes, alpha, sorted(names))
    ends = [n for family in made for each in family.sizes for n in each]
    assert set(ends) <= set(sizes)
    for n in sizes:
        assert sum(n in family for family in made) == (n not in rest)
    for family in made:
        for low, high in family.sizes:
            family.mechanism(low).satisfies(sorted(names))
            assert family.mechanism((low + high) // 2).satisfies(sorted(names))


def test_design_many_gives_what_design_gives():
    sizes, asked = [0, 1, 2, 5, 7, 30, 260], {"alpha": "10/11", "properties": "WH"}
    many = dc.design_many(sizes, **asked, cache=False)
    assert list(many) == sizes
    assert len(many.single) == 1
    for n in sizes:
        one = dc.design(n=n, **asked, cache=False)
        assert many[n] == one
        assert many[n].id == one.id
        assert many[n].origin.method == one.origin.method
        assert many[n].origin.certificate == one.origin.certificate
    assert 3 not in many
    with pytest.raises(KeyError):
        many[3]
    again = pickle.loads(pickle.dumps(many))
    assert again[7] == many[7]
    assert {"geometric": "1", "weakly-honest": "2-7"}.items() <= {
        getattr(entry, "kind", ""): words for words, entry in reversed(many.named.items())
    }.items()


def test_a_gap_decides_from_where_on_em_is_near_enough():
    asked = {"alpha": "10/11", "properties": "CM S"}
    for gap, least in (
        (None, 201),
        (Fraction(1, 1000), 1000),
        (Fraction(1, 250), 250),
        (Fraction(1), 201),
    ):
        made, rest = found([150, 201, 249, 250, 999, 1000, 5000], gap=gap, **asked)
        (near,) = [family for family in made if family.theorem == NEARLY]
        assert near.sizes[0][0] == min(n for n in (201, 250, 1000) if n >= least)
        assert near.sizes[0][0] not in rest
    assert not any(family.theorem == NEARLY for family in found([300], gap=Fraction(0), **asked)[0])


def test_only_words_make_families():
    for asked in ({"loss": "L1"}, {"loss": 0}, {"prior": ["1/2", "1/2"]}, {"alpha": 1}):
        assert found([1], **{"alpha": "1/2", "properties": "F", **asked}) == ((), [1])
    with pytest.raises(InvalidInput):
        found([10**9 + 1], "1/2", "")
    assert found([], "1/2", "") == ((), [])


def test_a_nation_is_a_group():
    m = dc.design(n=10**9, epsilon=1, cache=False)
    assert (m.n, m.origin.optimal) == (10**9, True)
    many = dc.design_many(range(1, 20_000), epsilon="1/2", properties="F", cache=False)
    assert len(many) == 19_999
    assert [family.sizes for family in many.families] == [((1, 1),), ((2, 19_999),)]


def test_closed_forms_are_neither_read_from_the_cache_nor_kept_there(tmp_path, monkeypatch):
    store = open_store(tmp_path)
    monkeypatch.setattr(type(store), "get", lambda *_: pytest.fail("read"))
    for properties in ("", "F", "WH"):
        dc.design_many([1, 2, 9], alpha="10/11", properties=properties, cache=tmp_path)
        dc.design(n=9, alpha="10/11", properties=properties, cache=tmp_path)
    assert list(store) == []


@pytest.mark.parametrize("names", [{"T"}, {"T", "WH", "CM"}, {"T", "F"}])
def test_no_theorem_answers_for_a_property_it_does_not_speak_of(names):
    shape = Shape(names=frozenset(names))
    assert not list(_rules(shape, Fraction(3, 5), True, False, None)), (
        "each size is then designed by itself"
    )
