from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from tests.amounts import tries
from tests.strategies import mechanisms

import discreet as dc
from discreet.core.domains import Counts
from discreet.core.properties import (
    IMPLICATIONS,
    PROPERTIES,
    Shape,
    check_dense,
    closure,
    comparisons,
    read_shape,
)
from discreet.errors import InvalidInput


def by_definition(p: np.ndarray, name: str) -> bool:
    """The paper's formulas, written as they stand, on a small matrix of Fractions."""
    n = len(p) - 1
    r = range(n + 1)
    return {
        "RH": lambda: all(p[i, i] >= p[i, j] for i in r for j in r),
        "CH": lambda: all(p[j, j] >= p[i, j] for i in r for j in r),
        "RM": lambda: (
            all(p[i, j - 1] <= p[i, j] for i in r for j in range(1, i + 1))
            and all(p[i, j + 1] <= p[i, j] for i in r for j in range(i, n))
        ),
        "CM": lambda: (
            all(p[i - 1, j] <= p[i, j] for j in r for i in range(1, j + 1))
            and all(p[i + 1, j] <= p[i, j] for j in r for i in range(j, n))
        ),
        "F": lambda: len({p[i, i] for i in r}) == 1,
        "WH": lambda: all(p[i, i] * (n + 1) >= 1 for i in r),
        "S": lambda: all(p[i, j] == p[n - i, n - j] for i in r for j in r),
    }[name]()


@given(mechanisms())
@settings(max_examples=tries(150))
def test_every_check_is_the_papers_definition(m):
    p = np.array(m.matrix, dtype=object)
    for name in PROPERTIES:
        assert (
            check_dense(m.form.dense(), name).holds == by_definition(p, name) == m.satisfies(name)
        )


@given(mechanisms())
@settings(max_examples=tries(150))
def test_implications_hold_for_every_mechanism(m):
    has = m.shape.names
    for given_names, then in IMPLICATIONS:
        assert not given_names <= has or then in has
    assert closure(m.shape) == m.shape


@given(mechanisms())
def test_a_failed_check_names_the_worst_cell(m):
    for name in PROPERTIES:
        verdict = m.check(name)
        if verdict.holds:
            assert verdict.violation == 0
            continue
        assert verdict.cell is not None and verdict.violation > 0
        if name != "WH":
            gaps = {c: m[o] - m[c] for c, o in comparisons(name, Counts(m.n))}
            assert max(gaps.values()) <= verdict.violation
            assert any(
                m[o] - m[c] == verdict.violation
                for c, o in comparisons(name, Counts(m.n))
                if c == verdict.cell
            )


def test_output_dp_is_the_ratio_of_neighbouring_outputs():
    m = dc.fair(n=5, alpha="9/10")
    assert m.output_dp == Fraction(9, 10)
    assert m.satisfies("ODP:9/10") and not m.satisfies("ODP:91/100")
    assert "fails" in str(m.check("ODP:91/100"))
    assert dc.uniform(n=5).satisfies("ODP:1")


@pytest.mark.parametrize(
    "spelling",
    [
        "WH CM",
        "wh,cm",
        "WH+CM",
        ["WH", "CM"],
        ("weak honesty", "column monotonicity"),
        {"CM", "WH"},
        "Weak-Honesty column_monotone",
        Shape(names=frozenset({"WH", "CM"})),
    ],
)
def test_one_shape_many_spellings(spelling):
    assert str(read_shape(spelling)) == "CM WH"


def test_nothing_asked_is_the_empty_shape():
    assert read_shape(None) == read_shape("") == read_shape([]) == Shape()


@pytest.mark.parametrize(
    ("bad", "hint"),
    [
        ("MC", "did you mean CM"),
        ("XX", "RH"),
        (7, "string"),
        ("ODP", "ratio"),
        ("ODP:2", "ratio"),
        ("WH:3", "no ratio"),
        ([3], "string"),
    ],
)
def test_bad_shapes_get_a_remedy(bad, hint):
    with pytest.raises(InvalidInput, match=hint):
        read_shape(bad)


def test_there_are_128_subsets_and_few_closures():
    subsets = [Shape(names=frozenset(c)) for k in range(8) for c in combinations(PROPERTIES, k)]
    assert len(subsets) == 128
    assert len({closure(s) for s in subsets}) < 60


def test_properties_come_in_any_collection():
    wanted = read_shape("WH CM")
    given = (
        ["WH", "CM"],
        {"CM", "WH"},
        ("WH CM",),
        {"WH": 1, "CM": 2}.keys(),
        np.array(["WH", "CM"]),
    )
    assert all(read_shape(names) == wanted for names in given)
    assert read_shape(name for name in ("CM", "WH")) == wanted
    for bad in (3, ["WH", 3], b"WH", [None]):
        with pytest.raises(InvalidInput, match="a string or a list of names"):
            read_shape(bad)
