"""A disk that fills, and one that becomes read-only, on the way of a release.

The disks are real file systems of a few megabytes (tmpfs), mounted for each case in a mount
namespace of this process's own: `mount` needs root, or a kernel that lets users have namespaces,
and nobody else sees them. Root ignores permission bits, but neither a full disk nor a read-only
mount.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.faults.judging import Outcome, demand, prepare, settle
from bench.faults.kills import PASSINGS, Fresh
from bench.faults.servers import PostgresPlaces
from bench.faults.victims import FILLER, REFUSED, Victims
from discreet.core.progress import PHASES

SIZE = "2m"
PAGES = 12
"""A release needs about this many pages of 4 KiB on such a disk: fewer are left, so it fills
here or there.
"""

LAST = {
    ("full disk", "SQLite"): "renamed",
    ("full disk", "PostgreSQL"): "drawn",
    ("read-only disk", "SQLite"): "renamed",
    ("read-only disk", "PostgreSQL"): "publishing",
}
"""The last phase after which such a release still needs the disk: SQLite's ledger is on it,
PostgreSQL's is not.
"""


def outcomes(tries: int, server: PostgresPlaces | None) -> Iterator[Outcome | dict[str, Any]]:
    """Run this module in a namespace of its own; yield what it found with SQLite and on a
    server.
    """
    apart = ["unshare", "--mount"] + ["--map-root-user"] * (os.geteuid() != 0)
    try:
        subprocess.run(
            [*apart, "mount", "-t", "tmpfs", "tmpfs", "/mnt"], check=True, capture_output=True
        )
    except (OSError, subprocess.CalledProcessError):
        yield Outcome(
            fault="full disk, read-only disk",
            where="all",
            note="not tried: nothing can be mounted here",
        )
        return
    command = [
        *apart,
        sys.executable,
        "-m",
        "bench.faults.disks",
        str(tries),
        *([server.base] if server else []),
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            yield json.loads(line)
    demand(process.returncode == 0, "the part about disks ended early")


def perform(
    victims: Victims, folder: Path, where: str, fresh: Fresh, tries: int
) -> Iterator[Outcome]:
    """Yield an outcome for each fault and phase: the output is on that disk, and SQLite's ledger
    too.
    """
    chance = random.Random(2)
    for name in ("full disk", "read-only disk"):
        for phase in PHASES[: PHASES.index(LAST[name, where.split()[0]]) + 1]:
            outcome = Outcome(fault=f"{name}: from {phase}", where=where)
            # a file system with a file open for writing cannot be made read-only, as SQLite's then
            # is
            passings = PASSINGS.get(phase, 1) if name == "full disk" else 1
            for number in range(tries):
                case = folder / f"{name}-{phase}-{number}"
                pages = (
                    chance.randrange(PAGES) if PHASES.index(phase) < PHASES.index("written") else 0
                )
                fault = (
                    f"fill:{case}:{4096 * pages}" if name == "full disk" else f"read-only:{case}"
                )
                job = {"phase": phase, "passing": 1 + number % passings, "fault": fault}
                outcome.case(_struck, outcome, victims, case, fresh, job)
            yield outcome


def _struck(
    outcome: Outcome, victims: Victims, case: Path, fresh: Fresh, job: dict[str, Any]
) -> str | None:
    case.mkdir()
    _mount("-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", case)
    try:
        prepare(case, place := fresh(case))
        (end,) = victims.play({"folder": case, "place": place, **job})
        demand(end["met"], "the moment was not reached")
        demand(end["code"] in (0, REFUSED), f"an error that is not ours: {end['told']}")
        _mount("-o", "remount,rw", case)
        (case / FILLER).unlink(missing_ok=True)
        state = settle(outcome, case, place, end)
        return state if end["code"] == REFUSED else None
    finally:
        subprocess.run(
            ["umount", "--lazy", case], check=True
        )  # an engine may still look at a file of it


def _mount(*words: str | Path) -> None:
    subprocess.run(["mount", *words], check=True)


def main() -> None:
    tries, bases = int(sys.argv[1]), sys.argv[2:]
    with tempfile.TemporaryDirectory(prefix="discreet-disks-") as name, Victims() as victims:

        def tell(where: str, fresh: Fresh) -> None:
            (folder := Path(name) / where.split()[0]).mkdir()
            for outcome in perform(victims, folder, where, fresh, tries):
                print(json.dumps(outcome.to_dict()), flush=True)

        tell("SQLite", lambda case: str(case / "budget.db"))
        for server in map(PostgresPlaces, bases):
            tell(f"PostgreSQL {server.version}", lambda _, server=server: server.fresh())


if __name__ == "__main__":
    main()
