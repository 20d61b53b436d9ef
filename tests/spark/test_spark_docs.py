"""The blocks of the documentation that use Spark run, in the session that the other tests have."""

from __future__ import annotations

import pytest
from tests.conftest import require
from tests.test_docs import PAGES, blocks, named

require("spark")
require("tables")

from tests.tables.sources import quick_spark_session

pytestmark = [
    pytest.mark.spark,
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
]
ON_SPARK = [page for page in PAGES if any(block.on_spark for block in blocks(page))]


@pytest.mark.parametrize("page", named(ON_SPARK, set()))
def test_every_spark_block_runs(page, tmp_path, monkeypatch):
    """`getOrCreate` finds this session, so that a page's own settings are not tried: they would need another Java."""
    from pyspark.sql import SparkSession

    session = quick_spark_session()
    files, path = (getattr(session._jvm.org.apache.hadoop.fs, name) for name in ("FileSystem", "Path"))
    local = files.get(session._jsc.hadoopConfiguration())
    home = local.getWorkingDirectory()
    monkeypatch.setattr(SparkSession, "stop", lambda _: None)
    monkeypatch.setattr(SparkSession, "_instantiatedSession", session)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DISCREET_CACHE", str(tmp_path / "cache"))
    local.setWorkingDirectory(path(tmp_path.as_uri()))
    try:
        for block in blocks(page):
            if block.on_spark:
                exec(compile("\n" * (block.line - 1) + block.body, str(page), "exec"), {"__name__": "docs"})
    finally:
        local.setWorkingDirectory(home)
