"""The estimates, interval ends and refusals that were recorded before the estimator is re-cut are read again."""

from __future__ import annotations

import json
import sys
from collections import Counter

import pytest
from tests.recorded.estimate_sets import MAKERS, sets
from tests.recorded.estimates import RECORD, differences, record, replay

PARTS = 12
"""A quick run replays one part, about sixty sets."""

# Another NumPy rounds otherwise, and an end that lies between two steps of a grid may take the other
# one (by 4 in 10,000 on Python 3.13): the records hold where they were made.
pytestmark = pytest.mark.skipif(
    sys.version_info[:2] != (3, 11), reason="the record was made by Python 3.11 and its NumPy"
)


@pytest.mark.parametrize(
    "part", [0, *(pytest.param(part, marks=pytest.mark.slow) for part in range(1, PARTS))]
)
def test_recorded_sets_are_read_alike(part):
    changes = [difference for line in record()[part::PARTS] for difference in replay(line)]
    assert not changes, "\n".join(changes[:20])


def test_the_record_holds_every_kind_and_stays_small():
    kinds = Counter(line["kind"] for line in record())
    assert list(kinds) == list(MAKERS)
    assert sum(kinds.values()) >= 500
    assert RECORD.stat().st_size <= 400_000


@pytest.mark.slow
def test_the_record_is_of_the_sets_that_it_would_be_made_of():
    stored = [{name: line[name] for name in ("kind", "name", "releases")} for line in record()]
    assert stored == json.loads(json.dumps(list(sets())))


@pytest.mark.parametrize(
    ("before", "now", "differs"),
    [
        ({"total": [1.0, 2]}, {"total": [1.0 + 1e-12, 2]}, []),
        (
            {"total": [1.0, 2]},
            {"total": [1.0 + 1e-8, 2]},
            ["/total/0: recorded 1.0, now 1.00000001"],
        ),
        ({"total": [1.0, 2]}, {"total": [1.0, 3]}, ["/total/1: recorded 2, now 3"]),
        ({"total": [1.0, 2]}, {"total": [1.0, 2.0]}, ["/total/1: recorded 2, now 2.0"]),
        ({"rate": [float("nan")]}, {"rate": [float("nan")]}, []),
        ({"rate": {"refused": "invalid-input"}}, {"rate": [0.5]}, None),
        ({"rate": [0.5]}, {}, ["/rate: no longer read"]),
        ({"rate": [0.5, 0.25]}, {"rate": [0.5]}, None),
    ],
)
def test_what_differs_is_seen(before, now, differs):
    changes = list(differences(before, now))
    assert changes == differs if differs is not None else changes
