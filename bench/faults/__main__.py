"""Perform every fault, count, and write what was found: `python -m bench.faults [--quick]
[--only KIND ...]`.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from bench.faults import clocks, connections, disks, kills, races, servers, sparks
from bench.faults.judging import Outcome
from bench.faults.victims import Victims
from bench.machine import machine

KINDS = {"kills": 1, "disks": 2, "connections": 2, "clocks": 4, "races": 2, "sparks": 2}
"""What can be asked for, and of how many tries one is performed: kills in each phase, the others
in more ways.
"""


def outcomes(kind: str, folder: Path, tries: int) -> Iterator[Outcome | dict[str, Any]]:
    """Yield what was found for one kind of fault, on each database that is here."""
    if kind == "sparks":
        yield from sparks.outcomes(folder, tries)
        return
    lacking = servers.missing()
    if lacking:
        yield Outcome(fault=kind, where="PostgreSQL", note=f"not tried: {lacking} is missing")
    with Victims() as victims, nullcontext() if lacking else servers.PostgresServer() as server:
        if kind == "disks":
            yield from disks.outcomes(tries, server)
        elif kind == "clocks":
            yield from clocks.outcomes(folder, tries, server)
        elif kind == "connections":
            yield from connections.outcomes(victims, folder, server, tries) if server else ()
        else:
            yield from _both(
                kind,
                victims,
                folder / "sqlite",
                "SQLite",
                lambda case: str(case / "budget.db"),
                tries,
            )
            if server:
                where = f"PostgreSQL {server.version}"
                yield from _both(
                    kind, victims, folder / "postgres", where, lambda _: server.fresh(), tries
                )


def _both(
    kind: str, victims: Victims, folder: Path, where: str, fresh: kills.Fresh, tries: int
) -> Iterator[Outcome]:
    folder.mkdir()
    if kind == "kills":
        yield from kills.in_each_phase(victims, folder, where, fresh, tries)
        yield from kills.at_random_moments(victims, folder, where, fresh, 3 * tries)
    else:
        yield from races.outcomes(victims, folder, where, fresh, tries)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="2 tries instead of 20")
    parser.add_argument(
        "--tries",
        type=int,
        help="how often it kills in each phase; others are performed less often",
    )
    parser.add_argument("--only", nargs="+", choices=list(KINDS), default=list(KINDS))
    parser.add_argument("--json", type=Path, help="also write the figures here")
    options = parser.parse_args()
    tries = options.tries or (2 if options.quick else 20)
    host, found = machine(), []
    with tempfile.TemporaryDirectory(prefix="discreet-faults-") as name:
        os.environ["DISCREET_CACHE"] = str(Path(name) / "designs")
        for kind in options.only:
            begun = time.perf_counter()
            (folder := Path(name) / kind).mkdir()
            for outcome in outcomes(kind, folder, max(1, tries // KINDS[kind])):
                row = {"kind": kind} | (outcome if isinstance(outcome, dict) else outcome.to_dict())
                found.append(row)
                ends = ", ".join(f"{key} {number}" for key, number in row["found"].items())
                counted = f"{row['tried']:4} tried {row['hits']:4} hits"
                print(f"{row['where']:16} {row['fault']:60} {counted}  {ends}{row['note']}")
                for failure in row["failures"]:
                    print(f"  FAILED: {failure}")
                sys.stdout.flush()
                if options.json:  # after each, so that a run that is stopped keeps what it found
                    text = json.dumps({"machine": host, "rows": found}, indent=1)
                    options.json.write_text(text + "\n", encoding="utf-8")
            print(f"   ({kind}: {time.perf_counter() - begun:.0f} s)", flush=True)
    failures = sum(len(row["failures"]) for row in found)
    print(
        f"{sum(row['tried'] for row in found)} tried, {sum(row['hits'] for row in found)} "
        f"hits, {failures} failures"
    )
    return 1 if failures else 0


if __name__ == "__main__":
    raise SystemExit(main())
