"""Our own releases under audit, at every level above the sampler: tables in DuckDB and Arrow, and Spark.

Confidence 1 - 1e-6: each test fails by bad luck with chance at most 1e-6. Words are fresh on every run.
"""

import numpy as np
import pytest
from tests.conftest import require

require("tables")

import pyarrow as pa
from tests.tables.sources import SPARK, as_source

import discreet as dc

SURE = "0.999999"
N, EPSILON = 4, "1/2"


def counted(kind, folder):
    """A box that puts counts into a table, releases it, and reads the released column in the order of the keys."""

    def box(counts):
        places = [f"p{k:07}" for k in range(counts.size)]
        table = pa.table({"place": places, "smoker": counts.tolist()})
        r = dc.release(
            as_source(kind, table, folder),
            by="place",
            count="smoker",
            size=N,
            epsilon=EPSILON,
            properties="F",
        )
        return in_order(r, counts.size)

    return box


def people(kind, folder):
    """The same from one row for each person: `counts[k]` of the N people in place k smoke."""

    def box(counts):
        places = np.repeat([f"p{k:07}" for k in range(counts.size)], N)
        smokes = (np.arange(N)[None, :] < counts[:, None]).ravel()
        table = pa.table({"place": places.tolist(), "smoker": smokes.tolist()})
        r = dc.release(
            as_source(kind, table, folder),
            by="place",
            count="smoker",
            epsilon=EPSILON,
            properties="F",
        )
        return in_order(r, counts.size)

    return box


def in_order(release, size):
    frame = release.table
    if not isinstance(frame, pa.Table):
        # the released Spark frame: collecting it evaluates it, on the workers
        rows = [(row["place"], row["smoker"]) for row in frame.collect()]
        frame = pa.table({"place": [p for p, _ in rows], "smoker": [y for _, y in rows]})
    frame = frame.sort_by("place")
    assert frame.num_rows == size
    return frame["smoker"].to_numpy()


@pytest.mark.parametrize(
    ("kind", "make", "draws", "calls"),
    [
        ("arrow", counted, 60_000, 8),
        ("parquet", people, 20_000, 8),
        pytest.param("arrow", counted, 1_000_000, 16, marks=pytest.mark.slow),
        pytest.param("csv", people, 100_000, 8, marks=pytest.mark.slow),
        pytest.param("spark", people, 5_000, 2, marks=SPARK.marks),
    ],
)
@pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning")
def test_a_release_is_not_refuted(kind, make, draws, calls, tmp_path):
    em = dc.fair(n=N, epsilon=EPSILON)
    report = dc.audit(
        make(kind, tmp_path), n=N, draws=draws, calls=calls, claimed=em, confidence=SURE, name=kind
    )
    assert report.verdict == "not refuted", str(report)
    assert report.outside == {}


def test_the_same_release_audited_for_too_small_an_epsilon_is_refuted(tmp_path):
    # so that the tests above are known to have teeth
    report = dc.audit(
        counted("arrow", tmp_path),
        n=N,
        draws=60_000,
        calls=4,
        claimed_epsilon="0.3",
        confidence=SURE,
    )
    assert report.verdict == "refuted"
