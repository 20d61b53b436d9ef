"""The data engineer: a job that a scheduler starts, which may be killed, repeated and started
twice.

    python examples/roles/data_engineer.py people.parquet 2026-11

Documentation: docs/old/jobs.md, docs/ledger.md, docs/old/commands.md#exit-codes. With Spark and
PostgreSQL it is `examples/monthly_release.py`.
"""

import json
import sys
from pathlib import Path

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
    "count": "smoker",
    "unit": "person",
    "epsilon": "1/12",
    "properties": "F",
}


def main(people: str, month: str) -> int:
    """Make the release of a month, unless it is made; return the exit code for the scheduler."""
    dc.open_ledger("budget.db").open(
        "patients", budget=1
    )  # again with the same budget: nothing changes
    try:
        with logging_to("releases.log"):
            release = dc.release(
                people,
                **QUESTION,
                ledger="budget.db",
                dataset="patients",
                run_id=month,
                output=Path("published") / month,
                memory_limit="1GiB",
            )
    except dc.DiscreetError as error:
        print(error, file=sys.stderr)
        return EXIT_CODES.get(error.code, 2)
    # What follows a release is harmless to repeat, so that a job killed in between leaves nothing
    # undone.
    dc.report(release.path, Path("published") / f"{month}.html", overwrite=True)
    total = dc.estimate(release.path).total
    print(
        json.dumps(
            {"month": month, "already": release.already, "low": total.low, "high": total.high}
        )
    )
    return 0


if __name__ == "__main__":
    Path("published").mkdir(exist_ok=True)
    sys.exit(main(*sys.argv[1:]))
