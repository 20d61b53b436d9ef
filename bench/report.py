"""The numbers of a run as Markdown: one section for each part, used by the report and by the
docs' page on peers.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from bench.report_safety import faults, timing

GROWTH = "Growth in n (GM):"
CVXPY = ("HIGHS", "CLARABEL", "SCIPY")


def table(names: Sequence[str], rows: Iterable[Sequence[object]]) -> list[str]:
    """Return a Markdown table."""
    lines = [names, ["---"] * len(names), *rows]
    return [
        "| " + " | ".join(str(cell).replace("|", "\\|") for cell in line) + " |" for line in lines
    ] + [""]


def missing(row: dict[str, Any]) -> str:
    """Say why a peer was not measured."""
    return "did not run: " + "; ".join(row.get("missing") or row.get("tried before") or ["unknown"])


def seconds(value: float | None) -> str:
    """Show a time with three digits."""
    if value is None:
        return "-"
    return f"{value:.3g} s" if value >= 1 else f"{value * 1000:.3g} ms"


def startup(result: Any) -> list[str]:
    """Time and memory of a process that only starts."""
    rows = []
    for row in result:
        what = f"`{row['what']}` ({row['peer']})" if "peer" in row else row["what"]
        rows.append(
            [what, seconds(row["cpu"]), f"{row['peak_mib']:.0f} MiB"]
            if "cpu" in row
            else [what, missing(row), "-"]
        )
    lines = table(("process", "processor time", "peak memory"), rows)
    return lines + _tried(row for row in result if "cpu" in row)


def _tried(rows: Iterable[Any]) -> list[str]:
    """Which peers had to be measured with older packages, and why."""
    told = [reason.partition(": ") for row in rows for reason in row.get("tried before", [])]
    lines = [
        f"- {name} is measured with older packages: with the newest it {trouble}"
        for name, _, trouble in told
    ]
    return lines + [""] * bool(lines)


def sampling(result: Any) -> list[str]:
    """Counts released in a second of processor time."""
    ours, compiled = result["ours"], result["compiled"] or {}
    rows: list[list[str]] = []
    names = {
        "release, one size": "discreet, one group size",
        "draw, 39 sizes": "discreet, 39 group sizes mixed",
        "AES words, raw": "(AES-256 words alone, an upper bound for ours)",
    }
    for key, name in names.items():
        rows.append([name, "", f"{ours[key] / 1e6:,.1f}"])
        if key in compiled and "AES" not in key:
            rows.append([f"{name}, compiled loop", "", f"{compiled[key] / 1e6:,.1f}"])
    for peer in result["peers"]:
        rate = f"{peer['rate'] / 1e6:,.3f}" if "rate" in peer else missing(peer)
        what = {
            "opendp": "OpenDP, vector of geometric noise, clipped",
            "diffprivlib": "diffprivlib GeometricTruncated",
        }
        rows.append([what.get(peer["name"], peer["name"]), peer.get("version", ""), rate])
    lines = table(
        ("1,000,000 counts in 0..12, alpha = 10/11", "version", "million counts a second"), rows
    )
    lines += _tried(result["peers"])
    if "large" in result:
        lines += table(
            ("groups of 128 to 100,000, sizes mixed", "processor time"),
            [[name, f"{1000 * taken:.1f} ms"] for name, taken in result["large"].items()],
        )
    growing = [
        [
            f"{g['n']:,}",
            f"{g['build_ms']:.2f}",
            f"{g['first_count_ms']:.2f}",
            f"{g['next_count_ms']:.3f}",
            g["kept"],
        ]
        for g in result["growth"]
    ]
    lines += [GROWTH, ""]
    lines += table(
        ("n", "build, ms", "first count, ms", "next count, ms", "kept in memory"), growing
    )
    return lines


def noise_peers(result: Any) -> list[str]:
    """The peers that give one count for a call."""
    rows = [
        [r["what"], r["version"], f"{r['rate']:,.0f}", f"{100 * r['outside'] / r['counts']:.0f}%"]
        if "rate" in r
        else [r["what"], missing(r), "-", "-"]
        for r in result
    ]
    return table(
        ("one call for each count", "version", "counts a second", "outputs outside 0..12"), rows
    )


def design(result: Any) -> list[str]:
    """Seconds of a whole design: ours exact and proven, theirs one float solve."""
    rows = []
    for program in (True, False):
        for n in sorted({row["n"] for row in result}):
            chosen = [row for row in result if row["n"] == n and row["program"] == program]
            if not chosen:
                continue
            cells = [n, "linear program" if program else "closed form", len(chosen)]
            cells.append(seconds(statistics.median(row["ours"] for row in chosen)))
            for peer in (*CVXPY, "paper"):
                times = [row[peer] for row in chosen if peer in row]
                lost = (
                    f" ({len(chosen) - len(times)} stopped or failed)"
                    if len(times) < len(chosen)
                    else ""
                )
                cells.append((seconds(statistics.median(times)) if times else "-") + lost)
            rows.append(cells)
    names = (
        "n",
        "ours by",
        "cases",
        "discreet",
        *(f"CVXPY, {name}" for name in CVXPY),
        "the paper's LP on HiGHS",
    )
    proven = sum(bool(row["proven"]) for row in result)
    compared = [row["agree"] for row in result if "agree" in row]
    return [
        *table(names, rows),
        "Medians over losses L0, L1, L2, five sets of properties and two privacy parameters. "
        f"{proven} of {len(result)} designs of ours are proven optimal; the solvers' costs agree "
        f"in {sum(map(bool, compared))} of the {len(compared)} that could be compared.",
        "",
    ]


def design_growth(result: Any) -> list[str]:
    """Seconds and memory of one design as n grows."""
    shapes = list(dict.fromkeys(row["shape"] for row in result))
    rows = []
    for n in sorted({row["n"] for row in result}):
        mine = {row["shape"]: row for row in result if row["n"] == n}
        cells = [seconds(mine[shape]["seconds"]) if shape in mine else "-" for shape in shapes]
        rows.append([n, *cells, "yes" if all(row["proven"] for row in mine.values()) else "**no**"])
    lines = table(("n", *shapes, "all proven"), rows)
    peak = max(row["MiB"] for row in result)
    return [
        *lines,
        f"Processor time of one design, L1, alpha = 10/11; the process never above {peak} MiB.",
        "",
    ]


def qif_design(result: Any) -> list[str]:
    """The one peer that designs."""
    rows = []
    for row in result:
        ours, qif = row["ours"], row["qif"]
        cells: list[object] = [
            row["n"],
            row["alpha"],
            seconds(ours["seconds"]),
            f"{ours['cost']:.7f}",
            "yes, exactly",
        ]
        if "missing" in qif:
            cells += [missing(qif), "-", "-"]
        else:
            worst = qif["worst"] if isinstance(qif["worst"], str) else f"{qif['worst']:.4g}"
            private = "yes, to 1e-9" if qif["private"] else f"**no**: its epsilon is {worst}"
            cells += [seconds(qif["seconds"]), f"{qif['cost']:.7f}", private]
        rows.append(cells)
    versions = sorted({row["qif"]["version"] for row in result if "version" in row["qif"]})
    name = f"qif {' '.join(versions)}".strip()
    return table(("n", "alpha", "discreet", "L1", "private", name, "L1 ", "private "), rows)


def intervals(result: Any) -> list[str]:
    """Mean widths of 95% intervals."""
    names = ("Laplace", "GM", "WM", "EM")
    rows = [
        [
            row["n"],
            row["epsilon"],
            *(f"{row[k]['width']:.2f} ({row[k]['coverage']:.3f})" for k in names),
        ]
        for row in result
    ]
    return table(("n", "epsilon", "clamped Laplace, usual interval", "GM", "WM", "EM"), rows)


def release(result: Any) -> list[str]:
    """Release against the same work without privacy."""
    rows = []
    for row in result:
        memory = (
            f"{row['plain_mib']:.0f} / {row['private_mib']:.0f} MiB" if "plain_mib" in row else "-"
        )
        times = f"{row['plain_seconds']:.2f} / {row['private_seconds']:.2f} s"
        ratios = " / ".join(f"{row[key]:.2f}" for key in ("time_ratio", "cpu_ratio") if key in row)
        rows.append(
            [
                row["engine"],
                f"{row['rows']:,}",
                f"{row['groups']:,}",
                row["key"],
                times,
                ratios,
                memory,
            ]
        )
    heads = (
        "engine",
        "rows",
        "groups",
        "key",
        "plain / private",
        "ratio of wall / processor time",
        "peak memory",
    )
    return table(heads, rows)


def table_peers(result: Any) -> list[str]:
    """The same table by everybody."""
    sizes = sorted({row["rows"] for row in result})
    names = list(dict.fromkeys(row["what"] for row in result))
    rows = []
    for name in names:
        mine = {row["rows"]: row for row in result if row["what"] == name}
        version = next((row["version"] for row in mine.values() if "version" in row), "")
        cells = [f"{name} {version}".strip()]
        for size in sizes:
            row = mine.get(size, {})
            cells.append(
                f"{row['seconds']:.2f} s, {row['peak_mib']:.0f} MiB"
                if "seconds" in row
                else missing(row)
            )
        rows.append(cells)
    return table(("groups of ten on average", *(f"{size:,} rows" for size in sizes)), rows)


def cross_check(result: Any) -> list[str]:
    """Exactness against code nobody here wrote."""
    rows = []
    for row in result["distributions"]:
        if "missing" in row:
            rows.append([row["peer"], missing(row), "-", "-", "-"])
            continue
        verdict = "agrees" if row["agrees"] else "**differs**"
        told = f"{row['largest difference']:.4f}"
        rows.append(
            [
                f"{row['peer']} {row['version']}",
                f"{row['draws']:,}",
                told,
                f"{row['smallest p-value']:.2g}",
                verdict,
            ]
        )
    lines = table(
        (
            "draws against our GM's exact matrix",
            "draws",
            "largest difference",
            "smallest p-value",
            "",
        ),
        rows,
    )
    optima = result["optima"]
    rows = [
        [
            name,
            found["compared"],
            f"{found['largest difference']:.1e}",
            "agrees" if found["agrees"] else "**differs**",
        ]
        if "compared" in found
        else [name, missing(found), "-", "-"]
        for name, found in optima.items()
        if isinstance(found, dict)
    ]
    lines += table(
        (
            f"optimal cost of {optima['problems']} random problems",
            "compared",
            "largest difference",
            "",
        ),
        rows,
    )
    lines += [
        f"Ours carried an exact proof of optimality in {optima['ours proven optimal']} of them.",
        "",
    ]
    return lines + _counterexample(result["counterexample"])


def _counterexample(result: dict[str, Any]) -> list[str]:
    """The problem where a peer's float design is not private, next to ours."""
    title = f"n = {result['n']}, alpha = {result['alpha']}, loss {result['loss']}, no properties"
    rows = [
        [
            "discreet",
            f"{result['ours']['cost']:.10f}",
            f"{result['ours']['epsilon']:.6f}",
            "yes, exactly",
            "",
        ]
    ]
    qif = result["qif"]
    if "cost" in qif:
        private = "yes, to 1e-9" if qif["private"] else "**no**"
        told = "infinite" if qif["epsilon"] == "inf" else f"{float(qif['epsilon']):.6f}"
        rows.append(
            [f"qif {qif['version']}", f"{qif['cost']:.10f}", told, private, qif.get("cell", "")]
        )
    else:
        rows.append(["qif", missing(qif), "", "", ""])
    return table(
        (title, "cost", "its epsilon", f"epsilon <= {result['claimed epsilon']:.6f}", "seen at"),
        rows,
    )


def audit_peers(result: Any) -> list[str]:
    """What an audit finds."""
    names = ("version", "draws", "epsilon at least", "claim", "rows", "GM's matrix")
    rows = [
        [row["box"], missing(row), *[""] * 5]
        if "missing" in row
        else [row["box"], *(row[name] for name in names)]
        for row in result["rows"]
    ]
    heads = (
        "box",
        "version",
        "draws",
        "epsilon is at least",
        "epsilon <= 0.5",
        "rows",
        "is it GM's matrix?",
    )
    return table(heads, rows)


SECTIONS: dict[str, tuple[str, Callable[[Any], list[str]]]] = {
    "startup": ("Starting", startup),
    "sampling": ("Drawing counts", sampling),
    "noise_peers": ("Drawing counts, one call each", noise_peers),
    "design": ("Designing", design),
    "design_growth": ("Designing: growth in n", design_growth),
    "qif_design": ("Designing: qif", qif_design),
    "intervals": ("Mean width of 95% intervals for one group (least coverage)", intervals),
    "release": ("Releasing a table, with and without privacy", release),
    "table_peers": ("Releasing the same table", table_peers),
    "cross_check": ("Exactness against others' code", cross_check),
    "audit_peers": ("Audit of bounded geometric mechanisms, n = 8, epsilon = 0.5", audit_peers),
    "timing": ("Does the time of a draw tell the count?", partial(timing, table=table)),
    "faults": ("Faults", partial(faults, table=table)),
}


def setting(report: dict[str, Any]) -> str:
    """Say in a sentence what was run where."""
    host = report["machine"]
    versions = ", ".join(f"{name} {number}" for name, number in host["versions"].items())
    load = (
        f", load {host['load_before']} from other work"
        if (host.get("load_before") or 0) > 0.5
        else ""
    )
    parts = report["parts"].values()
    kinds = {part.get("quick", report["quick"]) for part in parts} or {report["quick"]}
    names = {
        (False,): "full run (`make bench`)",
        (True,): "quick run (`python -m bench --quick`)",
        (False, True): "parts of full and of quick runs",
    }
    wall, cpu = (sum(part.get(key, 0) for part in parts) for key in ("seconds", "cpu"))
    return (
        f"{report['made'][:10]}, {names[tuple(sorted(kinds))]}, {wall:.0f} s in all ({cpu:.0f} s "
        f"of processor time), {host['system']}, {host['processor']}, {host['cores']} cores, "
        f"{host['memory_gib']} GiB{load}; {versions}."
    )


def section(report: dict[str, Any], name: str, level: int = 2, *, logged: bool = True) -> list[str]:
    """Return one part of the report, with how it was measured if `logged`."""
    title, show = SECTIONS[name]
    part = report["parts"].get(name)
    lines = [f"{'#' * level} {title}", ""]
    if part is None:
        return [*lines, "Not measured in this run.", ""]
    lines += [log(part), ""] if logged else []
    if "stopped" in part:
        lines += [f"**{part['stopped']}**", ""]
    if "failed" in part:
        return [*lines, "This part failed:", "", *(f"    {line}" for line in part["failed"]), ""]
    return lines + show(part["result"])


def log(part: dict[str, Any]) -> str:
    """Return the command that measured a part, how long it took, when, and what else the machine
    did.
    """
    when = f", {part['made'][:16].replace('T', ' ')} UTC" if "made" in part else ""
    load = f", load {part['load_before']} before" if (part.get("load_before") or 0) > 0.5 else ""
    cpu = f" ({part['cpu']:.0f} s of processor time)" if "cpu" in part else ""
    return f"`{part['command']}`, {part['seconds']:.0f} s{cpu}{when}{load}."


def markdown(report: dict[str, Any]) -> str:
    """Return the whole report."""
    lines = ["# Measurements", "", setting(report), ""]
    for name in SECTIONS:
        lines += section(report, name)
    return "\n".join(lines).rstrip() + "\n"
