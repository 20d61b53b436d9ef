"""What an experiment returns, and how it is written: data twice (CSV and Parquet), pictures, and a
sidecar.

Every file can be traced: `about.json` beside the data holds the command, the seed, the versions and
the verdicts, and the Parquet files carry the same in their metadata. Nothing that changes between
two equal runs is written, so equal runs give equal data.
"""

from __future__ import annotations

import csv
import json
import platform
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.paper.judging import Statement
from discreet.proof.files import whole_file, write_whole

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism

SEED = 20180416
"""The seed of every simulation, unless another is given; the paper appeared at ICDE 2018 in
April.
"""

FORMAT = 1
Row = dict[str, Any]
Rows = list[Row]


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How a run is made: `quick` lowers repetitions and thins grids, nothing else."""

    quick: bool = False
    seed: int = SEED
    adult: Path | None = None

    def repetitions(self, paper: int) -> int:
        """Return the paper's number of repetitions, or a few when quick."""
        return min(paper, 5) if self.quick else paper


def matrix_rows(m: Mechanism, **facts: str) -> Rows:
    """Return a row for each entry of a matrix, with what is known about the matrix in front."""
    cells = range(m.n + 1)
    return [
        {**facts, "output": i, "count": j, "exact": str(m[i, j]), "probability": float(m[i, j])}
        for i in cells
        for j in cells
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What an experiment found: tables of plain rows, and statements with verdicts."""

    tables: Mapping[str, Rows]
    statements: tuple[Statement, ...]
    seeded: bool = False
    missing: str = ""
    notes: tuple[str, ...] = field(default=())


def write_outcome(
    name: str, title: str, outcome: Outcome, folder: Path, settings: Settings
) -> list[Path]:
    """Write an outcome's tables and its sidecar into `folder`; return the files."""
    folder.mkdir(parents=True, exist_ok=True)
    about = describe(name, title, outcome, settings)
    files = []
    for table, rows in outcome.tables.items():
        files.append(_write_csv(folder / f"{table}.csv", rows))
        if parquet := _write_parquet(folder / f"{table}.parquet", rows, about):
            files.append(parquet)
    sidecar = folder / "about.json"
    write_whole(sidecar, json.dumps(about, indent=2, ensure_ascii=False) + "\n")
    return [*files, sidecar]


def describe(name: str, title: str, outcome: Outcome, settings: Settings) -> dict[str, Any]:
    """Return the sidecar: how to make these data again, and what they say."""
    return {
        "format": FORMAT,
        "figure": name,
        "title": title,
        "command": f"discreet paper {name}" + (" --quick" if settings.quick else ""),
        "seed": settings.seed if outcome.seeded else None,
        "versions": versions(),
        "tables": {table: list(rows[0]) if rows else [] for table, rows in outcome.tables.items()},
        "statements": [asdict(statement) for statement in outcome.statements],
        "notes": list(outcome.notes),
        "missing": outcome.missing,
    }


def versions() -> dict[str, str]:
    """Return the versions of what the numbers depend on."""
    from discreet import __version__

    found = {"discreet": __version__, "python": platform.python_version()}
    for package in ("numpy", "highspy", "python-flint", "altair", "vl-convert-python", "pyarrow"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"
    return found


def _write_csv(path: Path, rows: Rows) -> Path:
    with whole_file(path) as partial, partial.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, fieldnames=list(rows[0]) if rows else [], lineterminator="\n")
        writer.writeheader()
        for row in rows:
            writer.writerow(
                {
                    key: f"{value:.10g}" if isinstance(value, float) else value
                    for key, value in row.items()
                }
            )
    return path


def _write_parquet(path: Path, rows: Rows, about: dict[str, Any]) -> Path | None:
    """Write Parquet where the `tables` extra is installed; the CSV holds the same rows."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        return None
    table = pa.Table.from_pylist(rows)
    with whole_file(path) as partial:
        pq.write_table(
            table.replace_schema_metadata({"discreet.paper": json.dumps(about)}), partial
        )
    return path
