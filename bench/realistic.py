"""What a table costs that looks like the world: `python -m bench.realistic [--case clinics ...]
[--quick]`.

Every table (`bench.realistic_tables`) goes the whole way, each step a cold process, timed from its
start to its end as a user would meet it, imports and all: plan, release, verify, estimate (the
total, every region, every group). Beside it DuckDB does the same grouping without privacy and
writes Parquet, the two taking turns; ratios are of the medians. OpenDP and Tumult do what they can
of it (`bench.realistic_peers`). Memory is the peak of the process, from the kernel.

Then a verdict for each requirement, ok or MISSED with the number and its limit. Three cases are no
tables: `million` (`bench.release`: 10,000,000 people in 1,000,000 groups of few sizes, DuckDB),
`spark` (the same on Spark) and `draws`. Where linear programs answer (clinics, WH and CM at epsilon
1/3; at 1/2 a theorem does) the first release designs them, and its time and the bytes are reported.
`--quick` leaves that out, takes every measurement once and peers not at all.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.machine import machine
from bench.realistic_peers import peers
from bench.realistic_tables import TABLES, Table
from bench.release import duckdb_side, spark_side

MEGABYTE = 1_000_000
SETTINGS: dict[str, tuple[tuple[str, str], ...]] = {
    "clinics": (
        ("", "1"),
        ("", "1/2"),
        ("F", "1"),
        ("F", "1/2"),
        ("WH CM", "1"),
        ("WH CM", "1/2"),
        ("WH CM", "1/3"),
    ),
    "districts": (("F", "1"),),
    "nation": (("", "1"),),
    "households": (("F", "1"),),
    "classes": (("F", "1"),),
}
BY_PROGRAM = ("clinics", "WH CM", "1/3")
"""Where no theorem answers: mechanisms are designed once, by linear programs, and then kept."""

WAY = ("plain", "plan", "release", "verify", "estimate")
STEPS = {
    "plain": """
import duckdb
given, people = "sum(n) AS n, sum(smokers) AS smokers", "count(*) AS n, count(*) FILTER (smoker) AS smoker"
counted = given if "size" in words else people
duckdb.sql(f"COPY (SELECT region, clinic, {counted} FROM '{path}' GROUP BY ALL ORDER BY ALL) TO '{out}'")
""",
    "plan": "import discreet as dc\nstr(dc.plan(path, **words))",
    "release": "import discreet as dc\ndc.release(path, **words, output=out)",
    "estimate": """
import discreet as dc
e = dc.estimate(out)
e.total, [one.total for one in e.by("region").values()], str(e.table(prior="estimated"))
""",
}
DRAWS = """
import time
from fractions import Fraction
import numpy as np
from discreet.sampler.digits import draw_family
from discreet.sampler.words import system_words
rng = np.random.default_rng(1)
def seconds(sizes):
    counts = rng.integers(0, sizes + 1)
    start = time.process_time()  # one thread, whatever else the machine does
    draw_family("geometric", Fraction(24109, 65536), sizes, counts, system_words())
    return time.process_time() - start
seconds(np.full(1, 8))
mixed = min(seconds(rng.integers(128, 100_001, 1_000_000)) for _ in range(3))
print([mixed, min(seconds(np.full(1, 10**9)) for _ in range(3))])
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What one cold process took."""

    seconds: float
    cpu: float
    peak_mib: float

    def __str__(self) -> str:
        return f"{self.seconds:7.2f} s (processor {self.cpu:6.2f} s) {self.peak_mib:6.0f} MiB"


def run(words: list[str], **environment: str) -> tuple[Cost, str]:
    """Run a cold process to its end; what it cost, its children included, and what it printed."""
    start = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, *words],
        stdout=subprocess.PIPE,
        text=True,
        env={**compiled(), **environment},
    )
    assert process.stdout is not None
    printed = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.perf_counter() - start
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, words)
    scale = 2**20 if sys.platform == "darwin" else 2**10
    return Cost(
        seconds=seconds, cpu=used.ru_utime + used.ru_stime, peak_mib=used.ru_maxrss / scale
    ), printed


def compiled() -> dict[str, str]:
    """The environment, with leave to keep compiled modules, as an installed package has them."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def made(case: str, folder: Path) -> Path:
    """Write a table, in another process: the kernel counts a parent's memory into the peak of
    what it starts.
    """
    code = "from pathlib import Path\nfrom bench.realistic_tables import TABLES, write\n"
    run(["-c", f"{code}write(TABLES[{case!r}], Path({str(folder)!r}))"])
    return folder / f"{case}.parquet"


def step(name: str, path: Path, out: Path, words: dict[str, object], cache: Path) -> Cost:
    """One step of a table's way, in a process of its own."""
    if name == "verify":
        return run(["-m", "discreet", "verify", str(out)], DISCREET_CACHE=str(cache))[0]
    code = f"path, out, words = {str(path)!r}, {str(out)!r}, {words!r}\n{STEPS[name]}"
    return run(["-c", code], DISCREET_CACHE=str(cache))[0]


def median(costs: Iterable[Cost]) -> Cost:
    """The median of each number."""
    several = list(costs)
    return Cost(
        **{name: statistics.median(getattr(c, name) for c in several) for name in Cost.__slots__}
    )


def whole_way(
    table: Table, path: Path, setting: tuple[str, str], repeat: int, folder: Path
) -> dict[str, Any]:
    """A table from plan to estimate under one setting, and DuckDB beside it."""
    properties, epsilon = setting
    words = {**table.words, "epsilon": epsilon, "properties": properties}
    found: dict[str, list[Cost]] = {name: [] for name in WAY}
    out, plain, cache = folder / "published", folder / "plain.parquet", folder / "cache"
    row: dict[str, Any] = {"case": table.name, "properties": properties, "epsilon": epsilon}
    if (table.name, *setting) == BY_PROGRAM:
        row["cold"] = step("plan", path, out, words, cache)
        print(f"  {'cold design':<12}{row['cold']}", flush=True)
    for _ in range(repeat):
        shutil.rmtree(out, ignore_errors=True)
        for name in WAY:
            found[name].append(step(name, path, plain if name == "plain" else out, words, cache))
            print(f"  {name:<12}{found[name][-1]}", flush=True)
    row |= {name: median(costs) for name, costs in found.items()}
    row["bytes"] = sum(file.stat().st_size for file in out.rglob("*") if file.is_file())
    row["manifest_lines"] = (out / "manifest.json").read_text(encoding="utf-8").count("\n")
    row["plain_bytes"] = plain.stat().st_size
    print(
        f"  {'bytes':<12}{row['bytes']:,} (DuckDB's table alone {row['plain_bytes']:,})", flush=True
    )
    return row


def required(row: dict[str, Any]) -> list[tuple[str, float, float, str]]:
    """What is required of a table's way: the words, the number, its limit and its unit."""
    said = f"{row['case']}, {row['properties'] or 'no property'}, epsilon {row['epsilon']}"
    if row["case"] == "clinics" and "cold" in row:
        return [
            (f"{said}: release from a warm cache", row["release"].seconds, 3, "s"),
            (f"{said}: estimate", row["estimate"].seconds, 3, "s"),
        ]
    if row["case"] == "clinics":
        return [
            (f"{said}: release", row["release"].seconds, 1.5, "s"),
            (f"{said}: estimate", row["estimate"].seconds, 1, "s"),
            (f"{said}: verify", row["verify"].seconds, 5, "s"),
            (f"{said}: bundle", row["bytes"] / MEGABYTE, 1, "MB"),
        ]
    if row["case"] == "nation":
        plain, private = row["plain"], row["release"]
        return [
            (f"{said}: release, of DuckDB's time", private.seconds / plain.seconds, 1.5, "x"),
            (f"{said}: release, of DuckDB's memory", private.peak_mib / plain.peak_mib, 1.5, "x"),
            (f"{said}: lines of the manifest for a size", row["manifest_lines"] / 20_000, 1.01, ""),
        ]
    return []


def engines(case: str, repeat: int, quick: bool) -> list[tuple[str, float, float, str]]:
    """`bench.release` on DuckDB or on Spark."""
    rows = 100_000 if quick else 10_000_000
    if case == "spark":
        found, limits = (
            spark_side(rows, rows // 10, max(1, repeat - 1)),
            {"number": 1.25, "name": 1.25},
        )
    else:
        found, limits = (
            duckdb_side(rows, rows // 10, repeat, "", ["number", "name"]),
            {"number": 1.2, "name": 1.15},
        )
    said = {"number": "integer keys", "name": "text keys"}
    return [
        (
            f"{case}, {said[str(one['key'])]}: release, of plain time",
            one["time_ratio"],
            limits[str(one["key"])],
            "x",
        )
        for one in found
    ]


def draws() -> list[tuple[str, float, float, str]]:
    """Draws by digits."""
    mixed, nation = json.loads(run(["-c", DRAWS])[1])
    return [
        ("draws: 1,000,000 of GM at mixed n in 128..100,000", mixed, 0.2, "s"),
        ("draws: one at n = 1,000,000,000", nation * 1000, 10, "ms"),
    ]


def verdict(words: str, number: float, limit: float, unit: str) -> str:
    """A line: met or missed, what was measured and what was allowed."""
    return (
        f"{'ok' if number <= limit else 'MISSED':<7}{words}: {number:.2f} {unit} (at most "
        f"{limit:g} {unit})"
    )


def main() -> int:
    """Measure, print the verdicts, keep the numbers."""
    names = [*TABLES, "million", "spark", "draws"]
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--case", nargs="+", choices=names, default=names, metavar="CASE", help=", ".join(names)
    )
    parser.add_argument(
        "--quick", action="store_true", help="everything once, smaller, without peers and programs"
    )
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    repeat = 1 if options.quick else options.repeat
    rows: list[dict[str, Any]] = []
    checked: list[tuple[str, float, float, str]] = []
    with tempfile.TemporaryDirectory(prefix="discreet-bench-") as name:
        folder = Path(name)
        for case in options.case:
            if case == "draws":
                checked += draws()
                continue
            if case not in TABLES:
                checked += engines(case, repeat, options.quick)
                continue
            path = made(case, folder)
            for setting in SETTINGS[case]:
                if options.quick and (case, *setting) == BY_PROGRAM:
                    continue
                print(f"{case}: {setting[0] or 'no property'}, epsilon {setting[1]}", flush=True)
                rows.append(whole_way(TABLES[case], path, setting, repeat, folder))
                checked += required(rows[-1])
            rows += [] if options.quick else peers(TABLES[case], path, folder)
    print(*(verdict(*one) for one in checked), sep="\n")
    if options.json:
        plain = [{k: vars_of(v) for k, v in row.items()} for row in rows]
        result = {"machine": machine(), "rows": plain, "required": checked}
        options.json.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    return 1 if any(number > limit for _, number, limit, _ in checked) else 0


def vars_of(value: Any) -> Any:
    """A cost as plain numbers; anything else as it is."""
    return (
        {name: getattr(value, name) for name in Cost.__slots__}
        if isinstance(value, Cost)
        else value
    )


if __name__ == "__main__":
    raise SystemExit(main())
