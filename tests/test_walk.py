"""How many of our modules a reader must open to follow one release, and one design: `bench.walk` counts them.

Each walk is counted in a process of its own, where nothing was made, kept or cached before.
"""

import subprocess
import sys

import pytest
from tests.conftest import require

require("tables")

MOST = {"release": 44, "design": 22}
"""They may become shorter, never longer."""


@pytest.mark.parametrize("walk", MOST)
def test_a_walk_is_no_longer_than_it_may_be(walk):
    code = f"from bench import walk; print(*sorted(walk.{walk}()))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert len(found) <= MOST[walk], found
    assert f"{'tables/releasing' if walk == 'release' else 'designer/single'}.py" in found
