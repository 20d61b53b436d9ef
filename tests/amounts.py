"""How much a run does: everything in a full or slow one, little in a bare `pytest`."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

FULL = os.environ.get("DISCREET_FULL") == "1"
SLOW = FULL or os.environ.get("DISCREET_SLOW") == "1"
SECTION = not SLOW and os.environ.get("DISCREET_SECTION") == "1"
"""Whether each quick test runs with two of its cases only (`two_of_each`)."""
QUICK_EXAMPLES = 3 if SECTION else 12
"""Of a law in a quick run, however many it has otherwise."""


def tries(examples: int) -> int:
    """So many examples of a law, or fewer in a quick run."""
    return examples if SLOW else min(examples, QUICK_EXAMPLES)


SERVERS = {"spark", "browser", "postgres"}
"""Marks of tests that start a server; they count as slow."""

LONG = (
    # Spark, a browser, notebooks: each starts for longer than a quick run may take.
    "tests/spark/test_metamorphic_spark.py",
    "tests/spark/test_spark_functions.py",
    "tests/spark/test_spark_levels.py",
    "tests/spark/test_spark_release.py",
    "tests/browser/test_studio_page.py",
    "tests/browser/test_own_table_page.py",
    "tests/browser/test_studio_use.py",
    "tests/browser/test_studio_look.py",
    "tests/browser/test_story_page.py",
    "tests/show/test_notebook.py",
    "tests/studio/test_studio_limits.py",
    # Pictures are drawn and rendered one by one; the numbers in them are tested where they are computed.
    "tests/show/test_charts.py",
    "tests/show/test_estimated.py",
    "tests/cli/test_widths.py",
    "tests/paper/test_beyond.py",
    "tests/paper/test_figures.py",
    "tests/paper/test_running.py",
    # The law itself stays, on every kind of source (test_metamorphic_quick.py); these ask it of many more tables.
    "tests/metamorphic/test_metamorphic_files.py",
    "tests/metamorphic/test_metamorphic_frames.py",
    "tests/metamorphic/test_teeth.py",
    # Damage done in every place there is: files, entries, processes, connections; what a ledger promises stays.
    "tests/test_faults.py",
    "tests/test_fuzz.py",
    "tests/ledger/test_tampering.py",
    "tests/ledger/test_formats.py",
    "tests/ledger/test_places.py",
    "tests/ledger/test_races.py",
    "tests/tables/test_resuming.py",
    # Whole grids of designs against other ways to the same optimum; one of each kind stays in their neighbours.
    "tests/choosing/test_census.py",
    "tests/designer/test_extremes.py",
    "tests/designer/test_new_entries.py",
    "tests/cli/test_recommended.py",
    "tests/choosing/test_recommendation.py",
    "tests/designer/own/test_own_answer.py",
    "tests/designer/theorems/test_multipliers.py",
    "tests/paper/test_errata.py",
    "tests/sampler/test_digit_chances.py",
    # Steps of the simplex one by one; that what they lead to is optimal, and proven, stays.
    "tests/designer/simplex/test_basis.py",
    "tests/designer/simplex/test_repair.py",
    "tests/designer/simplex/test_system.py",
    "tests/designer/simplex/test_unfold.py",
    "tests/designer/simplex/test_vertex.py",
    # Further readers and pages of what other tests release and read.
    "tests/cli/test_hostile.py",
    "tests/proof/test_domain_files.py",
    "tests/reading/test_closed_scores.py",
    "tests/reading/histograms/test_histogram_estimates.py",
    "tests/reading/parts/test_release_levels.py",
    "tests/reporting/test_report_words.py",
    "tests/studio/test_studio.py",
    "tests/tables/test_files.py",
    "tests/tables/test_level_properties.py",
    "tests/tables/test_odd_inputs.py",
    "tests/tables/test_paths.py",
    "tests/tables/test_plan_levels.py",
    "tests/tables/test_whole_columns.py",
    # Hundreds of thousands of draws; that the sampler is exact, word for word, stays.
    "tests/auditing/test_boxes.py",
    "tests/auditing/test_examine.py",
    "tests/reading/test_sums.py",
    # Every function that an engine has, and what only one library does with its values.
    "tests/tables/test_functions.py",
    "tests/tables/test_pandas.py",
    # What belongs to the repository rather than to the library.
    "tests/test_bench.py",
    "tests/test_supply_chain.py",
)
"""Whole modules that count as slow: a bare `pytest` does not even read them, unless they are named.

What is left is a cross-section: every room of the library, what is exact and what is private first of all.
"""

AS_IN_USE = (
    "tests/tables/test_release.py",
    "tests/tables/test_files.py",
    "tests/tables/test_levels.py",
    "tests/tables/test_resuming.py",
    "tests/auditing/test_releases.py",
    "tests/cli/test_work.py",
    "tests/test_docs.py",
)
"""Modules in which every release of a full run opens a database of its own, with as many threads as the machine has."""


def is_long(path: Path) -> bool:
    """Whether a file of tests counts as slow as a whole.

    >>> (
    ...     is_long(Path("tests/spark/test_spark_release.py")),
    ...     is_long(Path("tests/tables/test_release.py")),
    ... )
    (True, False)
    """
    return path.as_posix().endswith(LONG)


def two_of_each(nodeids: Iterable[str]) -> set[str]:
    """The first and the last case of every test, but for those that are about the repository.

    This is for a second Python beside one on which every case has run: syntax, the standard library and the wheels can
    differ there, and any case of a test meets those. The mathematics, which needs all the cases, is the same; so are the
    pages, pictures and layers of the repository, whose tests are in no room of the library's.

    >>> law = [f"tests/core/test_losses.py::test_law[{case}]" for case in "abc"]
    >>> sorted(two_of_each([*law, "tests/test_layers.py::test_imports"])) == [law[0], law[2]]
    True
    """
    cases: dict[str, list[str]] = {}
    for nodeid in nodeids:
        if not nodeid.startswith("tests/test_"):
            cases.setdefault(nodeid.partition("[")[0], []).append(nodeid)
    return {one for of_a_test in cases.values() for one in (of_a_test[0], of_a_test[-1])}


def has_databases_of_its_own(path: Path) -> bool:
    """Whether the releases of this file, in a full run, open databases as they do in use."""
    return path.as_posix().endswith(AS_IN_USE)
