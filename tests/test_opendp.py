"""The recipe for OpenDP, against the real package: a mechanism as a measurement at the end of their chains."""

import importlib.util
import math
from fractions import Fraction
from pathlib import Path

import pytest
from tests.conftest import require

import discreet as dc

ROOT = Path(__file__).parents[1]
EXAMPLE = ROOT / "examples" / "opendp_measurement.py"
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def recipe():
    require("opendp")
    spec = importlib.util.spec_from_file_location("opendp_measurement", EXAMPLE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_chain_pays_what_the_mechanism_costs(recipe):
    chain = recipe.smokers_of_a_clinic(8, "1/2")
    assert chain.map(2) == 0.5 and chain.map(4) == 1.0
    assert all(0 <= chain(["yes"] * k + ["no"] * (8 - k)) <= 8 for k in range(9))


def test_the_price_is_rounded_up_never_down(recipe):
    m = dc.geometric(n=3, alpha="2/3")  # an epsilon that is no float
    measured = recipe.as_measurement(m)
    for distance in (1, 2, 3, 7):
        assert Fraction(measured.map(distance)) >= distance * m.epsilon
        assert measured.map(distance) <= math.nextafter(float(distance * m.epsilon), math.inf)


def test_what_comes_out_is_the_mechanism(recipe):
    """Chi-square of 1,000 draws for each true count; a false alarm once in 10^6 runs."""
    m = dc.design(n=3, epsilon=1, properties="WH CM")
    measured = recipe.as_measurement(m)
    for truth in (-4, 2):
        column = m.column(min(max(truth, 0), 3))
        draws = [measured(truth) for _ in range(1_000)]
        misfit = sum(
            (draws.count(i) - 1_000 * p) ** 2 / (1_000 * p)
            for i, p in enumerate(map(float, column))
        )
        assert misfit < 30.7  # 3 degrees of freedom
