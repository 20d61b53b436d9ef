"""Release against no privacy: the same grouping and writing by DuckDB (and by Spark), with and
without noise.

    python -m bench.release                 10,000,000 people in 1,000,000 groups, integer and text
                                            keys
    python -m bench.release --quick         a hundredth of it
    python -m bench.release --large         ten times the rows and groups, integer keys, under a 1
                                            GiB limit
    python -m bench.release --spark         the same Spark job with and without noise, on a local
                                            cluster

On DuckDB every measurement is a process of its own (its peak memory is the kernel's figure); on
Spark both sides share one warm session, and processor time is that of all its processes, executors
and Python workers included. Best of `--repeat`, the two sides taking turns. Writes a JSON line for
each ratio, after a table for people.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from importlib import import_module
from pathlib import Path
from typing import Any

SETTING = {"by": "key", "count": "smoker", "epsilon": 1, "properties": "F"}


def make(path: Path, rows: int, groups: int) -> None:
    """People in groups of mixed size (10 on average), a Parquet file with an integer and a text
    key.
    """
    import duckdb

    key = f"(hash(range) % {groups})::BIGINT"
    bit = "hash(range * 7 + 1) % 10 < 3"
    connection = duckdb.connect()
    connection.execute("SET enable_progress_bar = false")
    connection.execute(
        f"COPY (SELECT {key} AS number, 'clinic-' || {key} AS name, {bit} AS smoker FROM "
        f"range({rows})) TO '{path}'"
    )


def plain(path: Path, key: str, out: Path, limit: str | None) -> None:
    """What DuckDB does without privacy: group, order, write."""
    import duckdb

    connection = duckdb.connect(
        config={"memory_limit": limit, "temp_directory": str(out.parent)} if limit else {}
    )
    connection.execute(
        f"COPY (SELECT {key}, count(*) AS n, count(*) FILTER (WHERE smoker) AS smoker FROM "
        f"'{path}' GROUP BY {key} ORDER BY {key}) TO '{out}'"
    )


def private(path: Path, key: str, out: Path, limit: str | None) -> None:
    """The same, released."""
    import discreet as dc

    dc.release(
        path,
        by=key,
        count="smoker",
        epsilon=1,
        properties="F",
        output=out,
        memory_limit=limit,
        temporary=out.parent,
    )


def child(what: str, path: str, key: str, out: str, limit: str) -> None:
    """One measurement: seconds of the work itself (imports apart), and the peak memory of the
    process.
    """
    import resource

    import duckdb  # noqa: F401 - both sides start with the engine loaded

    if what == "private":
        for name in (
            "designer",
            "sampler.words",
            "tables.noise",
            "tables.releasing",
            "tables.engines.duckdb.duckdb_engine",
        ):
            import_module(f"discreet.{name}")  # what a release imports on its way

    def processor() -> float:
        used = resource.getrusage(resource.RUSAGE_SELF)
        return used.ru_utime + used.ru_stime

    start, cpu = time.perf_counter(), processor()
    {"plain": plain, "private": private}[what](Path(path), key, Path(out), limit or None)
    seconds, cpu = time.perf_counter() - start, processor() - cpu
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(json.dumps({"seconds": seconds, "cpu": cpu, "peak": peak}))


def measure(what: str, path: Path, key: str, limit: str, folder: Path) -> dict[str, float]:
    out = folder / ("plain.parquet" if what == "plain" else "private")
    words = [
        sys.executable,
        "-m",
        "bench.release",
        "--child",
        what,
        str(path),
        key,
        str(out),
        limit,
    ]
    done = subprocess.run(words, check=True, capture_output=True, text=True)
    size = (
        out.stat().st_size
        if out.is_file()
        else sum(f.stat().st_size for f in out.rglob("*") if f.is_file())
    )
    shutil.rmtree(out) if out.is_dir() else out.unlink()
    return {**json.loads(done.stdout.splitlines()[-1]), "bytes": size}


def duckdb_side(
    rows: int, groups: int, repeat: int, limit: str, keys: list[str]
) -> list[dict[str, object]]:
    results = []
    with tempfile.TemporaryDirectory(prefix="discreet-bench-") as name:
        folder = Path(name)
        path = folder / "people.parquet"
        # in another process: the kernel counts a parent's memory into the peak of what it starts
        code = (
            "from pathlib import Path; from bench.release import make; "
            f"make(Path({str(path)!r}), {rows}, {groups})"
        )
        subprocess.run([sys.executable, "-c", code], check=True)
        for key in keys:
            best: dict[str, dict[str, float]] = {}
            for _ in range(repeat):
                for what in ("plain", "private"):
                    found = measure(what, path, key, limit, folder)
                    kept = best.setdefault(what, found)
                    best[what] = {name: min(kept[name], found[name]) for name in found}
            ratio = {
                name: best["private"][name] / best["plain"][name]
                for name in ("seconds", "cpu", "peak")
            }
            results.append(
                {
                    "engine": "duckdb",
                    "rows": rows,
                    "groups": groups,
                    "key": key,
                    "memory_limit": limit,
                    "plain_seconds": best["plain"]["seconds"],
                    "private_seconds": best["private"]["seconds"],
                    "plain_mib": best["plain"]["peak"] / 2**20,
                    "private_mib": best["private"]["peak"] / 2**20,
                    "time_ratio": ratio["seconds"],
                    "cpu_ratio": ratio["cpu"],
                    "memory_ratio": ratio["peak"],
                }
            )
            print(table_line(results[-1]), flush=True)
    return results


def spark_side(rows: int, groups: int, repeat: int) -> list[dict[str, object]]:
    """Group, order and write Parquet on a local cluster, with and without noise, in one session."""
    import discreet as dc

    results = []
    with tempfile.TemporaryDirectory(prefix="discreet-bench-") as name:
        folder = Path(name)
        make(folder / "people.parquet", rows, groups)
        session = local_cluster(folder)
        people = session.read.parquet((folder / "people.parquet").as_uri())

        def plain_job(key: str) -> None:
            counted = people.groupBy(key).agg(
                _sf().count(_sf().lit(1)).alias("n"), _sf().count_if("smoker").alias("smoker")
            )
            counted.orderBy(key).write.parquet((folder / "plain").as_uri())

        def private_job(key: str) -> None:
            dc.release(
                people, by=key, count="smoker", epsilon=1, properties="F", output=folder / "private"
            )

        for key in ("number", "name"):
            seconds: dict[str, list[float]] = {"plain": [], "private": []}
            cpu: dict[str, list[float]] = {"plain": [], "private": []}
            for _ in range(repeat + 1):  # the first round warms the virtual machines
                for what, job in (("plain", plain_job), ("private", private_job)):
                    start, before = time.perf_counter(), family_processor_time()
                    job(key)
                    seconds[what].append(time.perf_counter() - start)
                    cpu[what].append(family_processor_time() - before)
                    shutil.rmtree(folder / what)
            best = {what: min(seconds[what][1:]) for what in seconds}
            used = {what: min(cpu[what][1:]) for what in cpu}
            results.append(
                {
                    "engine": "spark",
                    "rows": rows,
                    "groups": groups,
                    "key": key,
                    "plain_seconds": best["plain"],
                    "private_seconds": best["private"],
                    "plain_cpu": used["plain"],
                    "private_cpu": used["private"],
                    "time_ratio": best["private"] / best["plain"],
                    "cpu_ratio": used["private"] / used["plain"],
                }
            )
            print(table_line(results[-1]), flush=True)
        session.stop()
    return results


def local_cluster(folder: Path) -> Any:
    """A session on a local cluster of two executors, which leaves its files in a folder."""
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    os.environ["SPARK_WORKER_DIR"] = str(folder / "worker")
    from pyspark.sql import SparkSession

    return (
        SparkSession.builder.master("local-cluster[2,1,2048]")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.executor.memory", "2g")
        .config("spark.sql.shuffle.partitions", "8")
        .config("spark.local.dir", str(folder / "local"))
        .config("spark.executorEnv.PYTHONPATH", os.pathsep.join(sys.path))
        .config("spark.log.level", "ERROR")
        .getOrCreate()
    )


def family_processor_time() -> float:
    """Processor seconds of this process and all its descendants, from the kernel's own figures."""
    parents, ticks = {}, {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
        except OSError:  # it has ended meanwhile; its parent has its time
            continue
        parents[int(entry.name)] = int(fields[1])
        ticks[int(entry.name)] = sum(
            map(int, fields[11:15])
        )  # own and waited-for children's, user and system
    total = 0
    for process in ticks:
        ancestor = process
        while ancestor not in (0, 1, os.getpid()):
            ancestor = parents.get(ancestor, 0)
        total += ticks[process] if ancestor == os.getpid() else 0
    return total / os.sysconf("SC_CLK_TCK")


def _sf() -> object:
    from pyspark.sql import functions

    return functions


HEADER = (
    f"{'engine':<7} {'rows':>11} {'groups':>10}  {'key':<7} {'plain':>8} {'private':>8} "
    f"{'time':>6} {'processor':>10}  {'peak memory, MiB':>18}"
)


def table_line(result: dict[str, object]) -> str:
    memory = (
        f"{result['plain_mib']:7.0f} -> {result['private_mib']:5.0f} "
        f"({result['memory_ratio']:.2f}x)"
        if "plain_mib" in result
        else ""
    )
    return (
        f"{result['engine']:<7} {result['rows']:>11,} {result['groups']:>10,}  {result['key']:<7} "
        f"{result['plain_seconds']:6.2f} s {result['private_seconds']:6.2f} s "
        f"{result['time_ratio']:5.2f}x {result['cpu_ratio']:9.2f}x  {memory}"
    )


def main() -> None:
    if sys.argv[1:2] == ["--child"]:
        child(*sys.argv[2:])
        return
    words = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    words.add_argument("--quick", action="store_true", help="100,000 rows")
    words.add_argument(
        "--large", action="store_true", help="100,000,000 rows, 10,000,000 groups, 1 GiB"
    )
    words.add_argument("--spark", action="store_true")
    words.add_argument("--repeat", type=int, default=3)
    asked = words.parse_args()
    rows = 100_000 if asked.quick else 100_000_000 if asked.large else 10_000_000
    print(HEADER, flush=True)
    if asked.spark:
        results = spark_side(rows, rows // 10, asked.repeat)
    else:
        limit, repeat = ("1GiB", 1) if asked.large else ("", asked.repeat)
        results = duckdb_side(
            rows, rows // 10, repeat, limit, ["number"] if asked.large else ["number", "name"]
        )
    for result in results:
        print(json.dumps(result))


if __name__ == "__main__":
    main()
