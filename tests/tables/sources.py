"""One table in every shape a release accepts, so that one suite can ask the same of all engines."""

from __future__ import annotations

import atexit
import os
import shutil
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet
import pytest

import discreet

SPARK = pytest.param("spark", marks=[pytest.mark.spark, pytest.mark.slow])
TEXT = ("csv",)
# Ways to the same code as their neighbours: one test each, and one person's change (tests/metamorphic).
OTHERS = ("polars-lazy", "reader", "query")


def in_full_runs(*kinds: str) -> list[Any]:
    """Sources of which a quick run asks one question each, and a full one everything."""
    return [pytest.param(kind, marks=pytest.mark.slow) for kind in kinds]


ENGINES = ["pandas", "arrow", "csv", *in_full_runs("polars", "duckdb", "parquet"), SPARK]

EXACT = 200
"""An epsilon so large that a draw differs from the truth with chance below 1e-80: it shows the true count."""


def as_source(kind: str, table: pa.Table, folder: Path) -> Any:
    """The table as `kind`."""
    if kind == "pandas":
        return table.to_pandas(types_mapper=_pandas_types().get)
    if kind in ("polars", "polars-lazy"):
        import polars

        frame = polars.from_arrow(table)
        return frame.lazy() if kind == "polars-lazy" else frame
    if kind == "arrow":
        return table
    if kind == "reader":
        return table.to_reader(max_chunksize=3)
    if kind == "duckdb":
        import duckdb

        connection = duckdb.connect()
        connection.register("people", table)
        return connection.table("people")
    if kind == "spark":
        return quick_spark_session().createDataFrame(table)
    return as_file(kind, table, folder)


def as_file(kind: str, table: pa.Table, folder: Path) -> str:
    path = folder / f"people.{'parquet' if kind == 'query' else kind}"
    if kind in ("parquet", "query"):
        pyarrow.parquet.write_table(table, path)
    else:
        lines = [
            ",".join(table.column_names),
            *(",".join(map(_csv, row.values())) for row in table.to_pylist()),
        ]
        path.write_text("\n".join(lines) + "\n")
    return f"SELECT * FROM '{path}'" if kind == "query" else str(path)


def _csv(value: Any) -> str:
    if value is None:
        return ""
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return '"' + text.replace('"', '""') + '"' if not text or set(text) & set(',"\n') else text


def _pandas_types() -> dict[Any, Any]:
    import pandas

    return {
        pa.int64(): pandas.Int64Dtype(),
        pa.bool_(): pandas.BooleanDtype(),
        pa.string(): pandas.StringDtype(),
        pa.float64(): pandas.Float64Dtype(),
    }


SHORT_LIVED = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote"
"""Java that runs for minutes: the second compiler, and checking Spark's own classes, would take longer than it saves."""


@cache
def spark_session() -> Any:
    """One standalone cluster for all tests: a master and two workers on two addresses, so that Spark speculates."""
    from tests.conftest import require

    require("spark")
    import warnings

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ.setdefault("PYSPARK_DRIVER_PYTHON", sys.executable)
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    folder = spark_folder()
    for name in ("worker", "local", "events", "checkpoints"):
        (folder / name).mkdir(exist_ok=True)
    paths = os.pathsep.join((str(Path(discreet.__file__).parents[1]), str(Path.cwd())))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # PySpark 4 about pandas 3
        from pyspark import SparkConf
        from pyspark.sql import SparkSession

        settings = {
            "spark.ui.enabled": "false",
            "spark.driver.host": "127.0.0.1",
            "spark.executor.memory": "800m",
            "spark.driver.extraJavaOptions": SHORT_LIVED,
            "spark.executor.extraJavaOptions": SHORT_LIVED,
            "spark.executorEnv.PYTHONPATH": paths,
            "spark.local.dir": str(folder / "local"),
            "spark.log.level": "ERROR",
            "spark.sql.shuffle.partitions": "4",
            "spark.sql.adaptive.coalescePartitions.enabled": "false",
            "spark.speculation": "true",
            "spark.speculation.interval": "100ms",
            "spark.speculation.quantile": "0.1",
            "spark.speculation.minTaskRuntime": "100ms",
            "spark.eventLog.enabled": "true",
            "spark.eventLog.dir": (folder / "events").as_uri(),
            # Files are written plain, so that a test can look for a secret in them.
            "spark.eventLog.compress": "false",
            "spark.broadcast.compress": "false",
            "spark.shuffle.compress": "false",
            "spark.shuffle.spill.compress": "false",
        }
        master = _start_cluster(folder, SparkConf().setAll(list(settings.items())))
        builder = SparkSession.builder.master(master).appName("discreet tests")
        session = builder.config(map=settings).getOrCreate()
    atexit.register(session.stop)
    session.sparkContext.setCheckpointDir((folder / "checkpoints").as_uri())
    return session


@cache
def quick_spark_session() -> Any:
    """A session on the same cluster for tables of a few rows: they are read sooner than code for them is compiled.

    They stay in one part: what must hold over several is asked of `spark_session`.
    """
    session = spark_session().newSession()
    for name, value in {
        "spark.sql.codegen.wholeStage": "false",
        "spark.sql.codegen.factoryMode": "NO_CODEGEN",
        "spark.sql.shuffle.partitions": "1",
        "spark.sql.leafNodeDefaultParallelism": "1",
        "spark.sql.adaptive.enabled": "false",
    }.items():
        session.conf.set(name, value)
    return session


def _start_cluster(folder: Path, settings: Any) -> str:
    """Start a master and two workers in the driver's own Java; return the master's address. Executors are processes."""
    from pyspark import SparkContext

    SparkContext._ensure_initialized(conf=settings)
    gateway, jvm = SparkContext._gateway, SparkContext._jvm
    assert gateway is not None and jvm is not None
    spark, own = jvm.org.apache.spark, jvm.org.apache.spark.SparkConf()
    own.set("spark.local.dir", str(folder / "local"))
    address = (
        spark.deploy.master.Master.startRpcEnvAndEndpoint("127.0.0.1", 0, 0, own)
        ._1()
        .address()
        .toSparkURL()
    )
    masters = gateway.new_array(jvm.java.lang.String, 1)
    masters[0] = address
    nothing = jvm.scala.Option.empty()
    for number, place in enumerate(("127.0.0.1", "127.0.0.2"), start=1):
        name, work = jvm.scala.Option.apply(number), str(folder / "worker")
        spark.deploy.worker.Worker.startRpcEnvAndEndpoint(
            place, 0, 0, 1, 1024, masters, work, name, own, nothing
        )
    return str(address)


@cache
def spark_folder() -> Path:
    """Where every file of the cluster goes."""
    folder = Path(tempfile.mkdtemp(prefix="discreet-spark-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder
