"""What the tests of the command line share."""

import math

import pytest

from discreet.cli import bars


@pytest.fixture(autouse=True)
def no_lines_of_progress(monkeypatch):
    """Where nobody watches, long work writes a line after some seconds: on a busy machine any work can be long."""
    monkeypatch.setattr(bars, "_FIRST_LINE", math.inf)
