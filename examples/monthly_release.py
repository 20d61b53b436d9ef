"""A job that runs itself: smokers by region and clinic, once a month, from Spark, under a budget in
PostgreSQL.

`examples/crontab` starts it every hour of the first night of a month. It may be killed, started
twice, or meet a database that is away: the month is paid for once and published once, and every
later start finds it and does nothing.
"""

from __future__ import annotations

import argparse
import json
import sys
from datetime import UTC, datetime
from pathlib import Path

from pyspark.sql import SparkSession

import discreet as dc
from discreet.tables.jobs.logs import logging_to

EXIT_CODES = {
    "budget-exceeded": 3,
    # the next start may succeed
    "unavailable": 4,
    "changed-meanwhile": 4,
    "time-limit": 4,
    "out-of-memory": 4,
}
"""What the scheduler is told, by the code of an error (docs/old/commands.md#exit-codes); else 2:
somebody must look.
"""

QUESTION = {
    "by": ["region", "clinic"],
    "count": {"smokers": "smoker"},
    "unit": "person",  # one row for each person: checked
    "epsilon": "1/12",  # so that a year of months costs 1
    "properties": "F",
}


def options(words: list[str] | None = None) -> argparse.Namespace:
    """Read the words of the crontab's line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", required=True, help="Parquet: person, region, clinic, smoker.")
    parser.add_argument(
        "--published",
        required=True,
        type=Path,
        help="The folder that gets a bundle for each month.",
    )
    parser.add_argument(
        "--ledger",
        required=True,
        help="A postgresql:// URL; PGPASSWORD or ~/.pgpass has the password.",
    )
    parser.add_argument("--log", required=True, help="The file that gets the log as JSON lines.")
    parser.add_argument(
        "--month", default=f"{datetime.now(UTC):%Y-%m}", help="The run; this month unless said."
    )
    return parser.parse_args(words)


def main(words: list[str] | None = None) -> int:
    """Make the release of the month, unless it is made; return the exit code for the scheduler."""
    asked = options(words)
    spark = SparkSession.builder.appName("monthly release").getOrCreate()
    try:
        with logging_to(asked.log):
            release = dc.release(
                spark.read.parquet(asked.people),
                **QUESTION,
                ledger=asked.ledger,
                dataset="patients",
                run_id=asked.month,
                output=asked.published / asked.month,
            )
    except dc.DiscreetError as error:
        print(error, file=sys.stderr)
        return EXIT_CODES.get(error.code, 2)
    if not release.already:
        # what follows a release, once: a report, a message, a copy to a web server
        print(dc.estimate(release.path).total)
    print(json.dumps(release.to_dict()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
