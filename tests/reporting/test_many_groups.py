"""Reports of many groups: the work grows as they do, and what a notebook shows stays small."""

import cProfile
import pstats

import numpy as np
import pytest
from tests.conftest import require

import discreet as dc
from discreet.reading.quoting.quotable_table import what_to_quote
from discreet.reporting import NOTEBOOK_BYTES

require("tables")
import pyarrow as pa

pytestmark = pytest.mark.filterwarnings("ignore::discreet.errors.DiscreetWarning")


def released(groups: int, *, regions: int = 20, **asked):
    """A release of clinics in regions, with levels."""
    rng = np.random.default_rng(1)
    sizes = rng.integers(2, 13, groups)
    columns = {
        "region": [f"r{k}" for k in rng.integers(0, regions, groups)],
        "clinic": asked.pop("clinics", np.arange(groups)),
        "size": sizes,
        **{name: rng.binomial(sizes, 0.3) for name in asked.get("count", ["ill"])},
    }
    split = {"total": "1/10", "region": "1/5"}
    asked = {"count": ["ill"], "levels": "rollup", "level_split": split, "epsilon": 1} | asked
    return dc.release(pa.table(columns), by=["region", "clinic"], size="size", **asked)


def test_whether_an_interval_was_widened_is_known_of_each_row():
    """Not looked up in a list of rows, which takes the square of their number."""
    quoted = what_to_quote(dc.estimate(released(2000)))
    assert (
        quoted.widened.dtype == bool and len(quoted.widened) == len(quoted) and quoted.widened.any()
    )


def test_the_work_of_a_report_grows_as_its_groups_do():
    calls = []
    for groups in (1500, 6000):
        release, profile = released(groups), cProfile.Profile()
        profile.runcall(lambda release=release: dc.report(release).html)
        calls.append(pstats.Stats(profile).total_calls)
    assert calls[1] < 4.5 * calls[0]


@pytest.mark.parametrize(
    "asked",
    [
        {"groups": 20_000},
        {"groups": 20_000, "regions": 5_000},
        {
            "groups": 3_000,
            "count": [f"count{k}" for k in range(8)],
            "levels": None,
            "level_split": None,
            "epsilon": 8,
        },
        {"groups": 400, "clinics": [f"{k} {'long & <name> ' * 200}" for k in range(400)]},
    ],
    ids=["levels", "many sums", "many counts", "long names"],
)
def test_a_notebook_shows_less_than_a_megabyte(asked):
    report = dc.report(released(**asked))
    shown = report._repr_html_()
    assert len(shown.encode()) < NOTEBOOK_BYTES <= len(report.html.encode())
    assert "Below are the first" in shown


def test_a_notebook_shows_a_short_report_whole():
    report = dc.report(released(100, levels=None, level_split=None))
    assert (
        len(report._repr_html_()) > len(report.html)
        and "Below are the first" not in report._repr_html_()
    )


def test_what_is_too_large_for_a_notebook_says_how_to_get_it():
    """Names so long that a page of five groups is too large."""
    report = dc.report(released(30, clinics=[f"{k}{'&' * 100_000}" for k in range(30)]))
    assert (
        ".save(&#x27;report.html&#x27;)" in report._repr_html_()
        and len(report._repr_html_()) < 1000
    )
