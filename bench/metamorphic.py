"""Does one person move more than one count by one? Random tables, sources and predicates, for as
long as one likes.

    python -m bench.metamorphic --minutes 30
    python -m bench.metamorphic --cases 100000 --source pandas --source csv
    python -m bench.metamorphic --engine spark --cases 500
    python -m bench.metamorphic --large --cases 50      # tables of 16 to 64 MB, read by several
                                                        threads

Every case asks a table, and the same table in which one person's protected values are others, and
compares what would be counted before noise (see tests/metamorphic). Ends with an error when a law
is broken. Needs the sources' extras.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import warnings
from pathlib import Path
from typing import Any

from tests.metamorphic.capabilities import CAPABILITIES
from tests.metamorphic.databases import one_database
from tests.metamorphic.large import run_large
from tests.metamorphic.running import Tally, run_case
from tests.metamorphic.sources import SOURCES

from bench.machine import machine

RESULTS = Path(__file__).parent / "results" / "metamorphic.json"
_OWN = 20  # one case in so many has a database of its own, as a release has
_JOB = 200  # predicates of Spark between two looks at the clock


def main(arguments: list[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--cases", type=int, help="how many (default 1000, or as many as fit --minutes)"
    )
    parser.add_argument("--minutes", type=float)
    parser.add_argument(
        "--seed", type=int, default=0, help="the first case's; the next one's is one more"
    )
    parser.add_argument("--engine", choices=("duckdb", "spark"), default="duckdb")
    parser.add_argument("--large", action="store_true", help="tables of tens of megabytes")
    parser.add_argument(
        "--source", action="append", choices=tuple(SOURCES), help="may be given several times"
    )
    parser.add_argument("--capability", choices=tuple(CAPABILITIES), default="")
    parser.add_argument(
        "--write", action="store_true", help=f"write {RESULTS.name} into bench/results"
    )
    asked = parser.parse_args(arguments)
    start = time.monotonic()
    most = (
        asked.cases if asked.cases is not None else 1000 if asked.minutes is None else sys.maxsize
    )
    until = start + 60 * asked.minutes if asked.minutes is not None else float("inf")
    warnings.simplefilter("ignore")  # of pandas about what it is given
    if asked.large:
        tally = _large(asked.seed, most, until)
    else:
        tally = (
            _spark(asked.seed, most, until)
            if asked.engine == "spark"
            else _duckdb(asked, most, until)
        )
    print(tally)
    if asked.write:
        facts = {
            "command": _command(asked),
            "seconds": round(time.monotonic() - start),
            "machine": machine(),
            **_plain(tally),
        }
        RESULTS.write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")
    return 1 if tally.breaks else 0


def _duckdb(asked: argparse.Namespace, most: int, until: float) -> Tally:
    tally = Tally()
    sources = asked.source or list(SOURCES)
    seed = asked.seed
    while tally.cases < most and time.monotonic() < until:
        source = sources[seed % len(sources)]
        if seed % _OWN:
            with one_database():
                tally.add(run_case(str(seed), source, capability=asked.capability))
        else:
            tally.add(run_case(str(seed), source, capability=asked.capability))
        seed += 1
    return tally


def _large(seed: int, most: int, until: float) -> Tally:
    tally = Tally()
    while tally.cases < most and time.monotonic() < until:
        tally.add(run_large(seed))
        seed += 1
    return tally


def _spark(seed: int, most: int, until: float) -> Tally:
    from pyspark.sql import SparkSession
    from tests.metamorphic.spark_running import run_spark

    builder = SparkSession.builder.master("local[2]").appName("discreet metamorphic")
    session = (
        builder.config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "1")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")
    tally = Tally()
    while tally.cases < most and time.monotonic() < until:
        tally.add(run_spark(session, str(seed), min(_JOB, most - tally.cases)))
        seed += 1
    return tally


def _command(asked: argparse.Namespace) -> str:
    options = [
        f"--{name} {value}"
        for name, value in vars(asked).items()
        if value and name not in ("write", "source")
    ]
    return " ".join(
        [
            "python -m bench.metamorphic",
            *options,
            *(f"--source {one}" for one in asked.source or ()),
        ]
    )


def _plain(tally: Tally) -> dict[str, Any]:
    return {
        "cases": tally.cases,
        "counted": tally.released,
        "refused": dict(tally.refused.most_common()),
        "sources": dict(sorted(tally.by_source.items())),
        "breaks": [str(one) for one in tally.breaks],
    }


if __name__ == "__main__":
    sys.exit(main())
