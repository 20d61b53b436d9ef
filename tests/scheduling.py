"""Which tests share a process when there are several (`pytest -n 2`), and which begin first.

The tests of a file share its fixtures, so they stay together. All that needs Spark stays together too, whatever file it
is in: a cluster takes longer to start than any test. What takes longest begins first, so that no process waits for
another at the end.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import pytest

FIRST = (
    "spark",
    "tests/browser",
    "tests/test_faults.py",
    "tests/test_docs.py",
    "tests/test_roles.py",
    "tests/paper",
    "tests/show",
    "tests/reading",
    "tests/ledger",
    "tests/designer",
    "tests/studio",
    "tests/tables",
    "tests/auditing",
    "tests/test_fuzz.py",
    "tests/cli",
    "tests/choosing",
    "tests/statistical",
    "tests/proof",
    "tests/test_bench.py",
    "tests/test_layers.py",
    "tests/core",
)
"""The longest groups, longest first; a folder stands for its files."""


def group(nodeid: str) -> str:
    """The tests that share a process with this one.

    >>> group("tests/tables/test_release.py::test_row_filter[spark]")
    'spark'
    >>> group("tests/tables/test_release.py::test_row_filter[csv]")
    'tests/tables/test_release.py'
    """
    file, _, name = nodeid.partition("::")
    if file.startswith("tests/spark/") or re.search(r"\[(.*-)?spark(-.*)?\]$", name):
        return "spark"
    # every case of these makes its own table
    return nodeid if file.startswith("tests/metamorphic/") else file


def rank(nodeid: str) -> int:
    """When its group begins."""
    name = group(nodeid)
    places = [place for place, first in enumerate(FIRST) if name.startswith(first)]
    return min(places, default=len(FIRST))


def order(nodeid: str) -> tuple[int, str]:
    """Where a test stands among all; within a file, tests keep their places."""
    return rank(nodeid), nodeid.partition("::")[0]


class Apart(pytest.Dir):
    """The folder of the tests, of which each process reads other parts first.

    A file that pytest has never read takes three times as long as one it has: what another has read is found done.
    """

    def collect(self) -> Iterable[pytest.Item | pytest.Collector]:
        """Yield what is in the folder: this process's share, and then those of the others."""
        found, words = list(super().collect()), self.config.workerinput
        paths = list(
            dict.fromkeys(one.path for one in found)
        )  # a file's tests and its doctests stay together
        mine, count = int(words["workerid"].removeprefix("gw")), words["workercount"]
        first = [
            path for share in range(mine, mine + count) for path in paths[share % count :: count]
        ]
        return sorted(found, key=lambda one: first.index(one.path))


def scheduler(config: Any, log: Any) -> Any:
    """Hand out whole groups, in the order in which they were collected."""
    from xdist.scheduler import LoadScopeScheduling

    class Groups(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return group(nodeid)

    config.option.loadscopereorder = (
        False  # by number of tests, which says nothing about their time
    )
    return Groups(config, log)
