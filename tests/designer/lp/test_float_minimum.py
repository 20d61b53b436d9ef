"""The door to HiGHS for programs that are not the designer's own."""

import numpy as np
import pytest

from discreet.designer.lp.float_minimum import minimise
from discreet.errors import NotProven


def test_a_small_program_has_its_known_optimum():
    # x + y >= 2 and x - y = 1: x = 3/2, y = 1/2
    found = minimise(
        np.array([2.0, 1.0]),
        [{0: 1.0, 1: 1.0}, {0: 1.0, 1: -1.0}],
        least=[2.0, 1.0],
        most=[np.inf, 1.0],
    )
    assert found.values == pytest.approx([1.5, 0.5]) and found.cost == pytest.approx(3.5)
    assert found.tight == [0, 1]


@pytest.mark.parametrize("bounds", [(0.0, 1.0), (-np.inf, np.inf)], ids=["infeasible", "unbounded"])
def test_a_program_without_an_optimum_is_an_error(bounds):
    with pytest.raises(NotProven, match="no optimum"):
        minimise(np.array([-1.0]), [{0: 1.0}], least=[2.0], bounds=bounds)
