"""The parts of the report about safety as Markdown: faults, the hour of soak, the time of draws."""

from __future__ import annotations

from collections import Counter
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
    failures = [
        f"{row['where']}, {row['fault']}: {told}" for row in rows for told in row["failures"]
    ]
    lines = table(("fault", "on", "tried", "struck", "taken up again", "failures"), totals)
    lines += [f"In all {tried:,} tried, {hits:,} struck, {len(failures)} failures.", ""]
    lines += [f"- **{failure}**" for failure in failures] + [""] * bool(failures)
    return lines + _states(rows, table) + _others(rows, table)


STATES = ("nothing", "reserved", "drawn", "publishing", "committed")


def _states(rows: list[Any], table: Table) -> list[str]:
    """How far the releases had come by the ledger when they were struck."""
    found = []
    for kind, title in KINDS.items():
        ends: Counter[str] = Counter()
        for row in rows:
            ends.update(row["found"] if row["kind"] == kind else {})
        if ends and ends.keys() <= set(STATES):
            found.append([title, *(ends[state] for state in STATES)])
    lead = "What the ledger held of the releases that were struck, on all databases:"
    return [lead, "", *table(("fault", *STATES), found)] if found else []


def _others(rows: list[Any], table: Table) -> list[str]:
    """What became of releases at once, and of those that Spark lost a part of."""
    ends: dict[str, Counter[str]] = {}
    for row in rows:
        if not row["note"] and not row["found"].keys() <= set(STATES):
            ends.setdefault(row["fault"], Counter()).update(row["found"])
    shown = [
        [fault, "; ".join(f"{end}: {number}" for end, number in found.items())]
        for fault, found in ends.items()
    ]
    return (
        ["Releases at once, and on Spark:", "", *table(("what", "ended, and how often"), shown)]
        if shown
        else []
    )


def soak(result: Any, table: Table) -> list[str]:
    """An hour of mixed work, and whether memory stayed flat."""
    host = result["machine"]
    versions = ", ".join(f"{name} {number}" for name, number in host["versions"].items())
    rows = [
        ["designs, each saved and verified", f"{result['designs']:,}"],
        ["counts drawn one by one", f"{result['counts_drawn']:,}"],
        ["releases of 5,000 people in 600 groups, each estimated", f"{result['releases']:,}"],
        ["epsilon spent, one for each release", f"{int(result['epsilon_spent']):,}"],
        ["memory after five rounds", f"{result['resident_mib_after_warm_up']:.0f} MiB"],
        ["at the end", f"{result['resident_mib_at_end']:.0f} MiB"],
        ["largest", f"{result['resident_mib_largest']:.0f} MiB"],
    ]
    verdict = "flat" if result["flat"] else "**not flat**"
    return [
        *table((f"{result['seconds'] / 60:.0f} minutes in one process", verdict), rows),
        f"{host['system']}, {host['processor']}, {host['cores']} cores, {host['memory_gib']} GiB, "
        f"load {host['load_before']} before; {versions}.",
        "",
    ]


def timing(result: Any, table: Table) -> list[str]:
    """Whether the time of a draw tells the true count."""
    rows = [
        [
            row["case"],
            row["rounds"],
            f"{row['median ns'] / 1000:.1f} us",
            f"{row['Friedman']} ({row['degrees of freedom']})",
            f"{row['p-value']:.2g}",
            row["largest t"],
            row["difference"],
        ]
        for row in result["rows"]
        if "rounds" in row
    ]
    heads = (
        "case",
        "rounds",
        "median",
        "Friedman (degrees of freedom)",
        "p-value",
        "largest t",
        "difference",
    )
    lines = table(heads, rows)
    for row in result["rows"]:
        if "median ns new" in row:
            new, seen = row["median ns new"] / 1000, row["median ns seen"] / 1000
            lines += [f"{row['case']}: {new:.0f} us and {seen:.0f} us.", ""]
    return lines
