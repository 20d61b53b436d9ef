"""The parts of the report about safety as Markdown: faults, the hour of soak, the time of draws."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

Table = Callable[[Iterable[str], Iterable[Iterable[object]]], list[str]]

KINDS = {
    "kills": "killed with -9",
    "disks": "a disk that fills or becomes read-only",
    "connections": "a database that goes away",
    "clocks": "a clock set back by 400 days",
    "races": "several releases at once",
    "sparks": "Spark tasks, workers, executors interrupted",
}


def faults(result: Any, table: Table) -> list[str]:
    """How often each fault was performed, how often it struck, and what was found."""
    rows = result["rows"]
    totals = []
    for kind, title in KINDS.items():
        for where in dict.fromkeys(row["where"] for row in rows if row["kind"] == kind):
            mine = [row for row in rows if row["kind"] == kind and row["where"] == where]
            notes = [row["note"] for row in mine if row["note"]]
            if notes:
                totals.append([title, where, "; ".join(notes), "", "", ""])
                continue
            sums = [sum(row[name] for row in mine) for name in ("tried", "hits", "taken_up")]
            totals.append([title, where, *sums, sum(len(row["failures"]) for row in mine)])
    tried, hits = (sum(row[name] for row in rows) for name in ("tried", "hits"))
    failures = [f"{row['where']}, {row['fault']}: {told}" for row in rows for told in row["failures"]]
    lines = table(("fault", "on", "tried", "struck", "taken up again", "failures"), totals)
    lines += [f"In all {tried:,} tried, {hits:,} struck, {len(failures)} failures.", ""]
    lines += [f"- **{failure}**" for failure in failures] + [""] * bool(failures)
    lines += ["Each fault and how far the release had come by the ledger when it struck:", ""]
    details = [
        [row["fault"], row["where"], row["tried"], row["hits"], _ends(row["found"]), len(row["failures"])]
        for row in rows
        if not row["note"]
    ]
    return lines + table(("fault", "on", "tried", "struck", "found", "failures"), details)


def _ends(found: dict[str, int]) -> str:
    return ", ".join(f"{state} {number}" for state, number in found.items())


def soak(result: Any, table: Table) -> list[str]:
    """An hour of mixed work, and whether memory stayed flat."""
    host = result["machine"]
    versions = ", ".join(f"{name} {number}" for name, number in host["versions"].items())
    rows = [
        ["designs without a cache, each saved and verified", f"{result['designs']:,}"],
        ["counts drawn one by one mechanism", f"{result['counts_drawn']:,}"],
        ["releases of 5,000 people in 600 groups under one ledger, each estimated", f"{result['releases']:,}"],
        ["epsilon spent, one for each release", result["epsilon_spent"]],
        ["resident memory at the start", f"{result['resident_mib_at_start']:.0f} MiB"],
        ["after five rounds of warm-up", f"{result['resident_mib_after_warm_up']:.0f} MiB"],
        ["at the end", f"{result['resident_mib_at_end']:.0f} MiB"],
        ["largest", f"{result['resident_mib_largest']:.0f} MiB"],
        ["rise of the straight line through all samples", f"{result['rise_mib']:.1f} MiB"],
        ["the same for the second half alone", f"{result['rise_mib_in_second_half']:.1f} MiB"],
    ]
    verdict = "flat" if result["flat"] else "**not flat**"
    return [
        *table((f"{result['seconds'] / 60:.0f} minutes in one process", verdict), rows),
        f"{host['system']}, {host['processor']}, {host['cores']} cores, {host['memory_gib']} GiB, load "
        f"{host['load_before']} before; {versions}.",
        "",
    ]


def timing(result: Any, table: Table) -> list[str]:
    """Whether the time of a draw tells the true count."""
    rows = [
        [
            row["case"], row["rounds"], f"{row['median ns'] / 1000:.1f} us",
            f"{row['Friedman']} ({row['degrees of freedom']})", f"{row['p-value']:.2g}", row["largest t"],
            row["difference"],
        ]
        for row in result["rows"]
        if "rounds" in row
    ]  # fmt: skip
    heads = ("case", "rounds", "median", "Friedman (degrees of freedom)", "p-value", "largest t", "difference")
    lines = table(heads, rows)
    for row in result["rows"]:
        if "median ns new" in row:
            new, seen = row["median ns new"] / 1000, row["median ns seen"] / 1000
            lines += [f"{row['case']}: {new:.0f} us and {seen:.0f} us.", ""]
    return lines
