"""Put measured numbers into the documentation: `python -m bench.pages`.

Between `<!-- measured: NAME -->` and `<!-- end -->` a page holds what bench/results/NAME.json
shows, or for `report/PART` what that part of the report shows; docs/old/peers.md is written whole
by `bench.peers_page`. A test holds that pages and results agree.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from bench import histogram_gains, peers_page, report, report_safety

ROOT = Path(__file__).parent.parent
PAGES = (
    "docs/old/faults.md",
    "docs/old/audit-checks.md",
    "docs/old/histogram-gains.md",
    "SECURITY.md",
)
BLOCK = re.compile(r"(?<=<!-- measured: )([a-z_/]+)( -->\n).*?(?=<!-- end -->)", re.DOTALL)


def _audit(result: Any) -> list[str]:
    return [f"`{result['command']}`, Python {result['python']}:", "", *report.audit_peers(result)]


def _cross_check(result: Any) -> list[str]:
    return [f"`{result['command']}`, Python {result['python']}:", "", *report.cross_check(result)]


def _timing(result: Any) -> list[str]:
    return [
        f"`{result['command']}`, Python {result['python']}:",
        "",
        *report_safety.timing(result, report.table),
    ]


def _fuzz(result: Any) -> list[str]:
    names = ("entry", "cases", "accepted", "refused", "slowest case", "failures")
    rows = [
        [
            row["name"],
            f"{row['cases']:,}",
            f"{row['accepted']:,}",
            f"{row['refused']:,}",
            f"{row['slowest']:.2f} s",
            row["failures"],
        ]
        for row in result["rows"]
    ]
    cases, failures = (sum(row[name] for row in result["rows"]) for name in ("cases", "failures"))
    told = (
        f"{cases:,} cases, {failures} failures, the process never above "
        f"{result['peak_mib']:.0f} MiB"
    )
    told += f" ({result['note']})" if "note" in result else ""
    return [
        f"`{result['command']}`, {result['made'][:10]}, Python {result['python']}: {told}.",
        "",
        *report.table(names, rows),
    ]


SHOWN: dict[str, Callable[[Any], list[str]]] = {
    "audit_peers": _audit,
    "cross_check": _cross_check,
    "timing": _timing,
    "fuzz": _fuzz,
    "soak": partial(report_safety.soak, table=report.table),
    **{f"histogram_gains/{name}": part for name, part in histogram_gains.PARTS.items()},
}


def filled(text: str) -> str:
    """Return a page with its blocks as the results show them."""

    def block(found: re.Match[str]) -> str:
        name = found[1]
        if name.startswith("report/"):
            whole = _read("report")
            part = name.removeprefix("report/")
            shown = report.section(whole, part, level=3, logged=False)[2:]
            lines = [
                *shown,
                f"Measured by {report.log(whole['parts'][part])} {report.setting(whole)}",
            ]
        else:
            lines = SHOWN[name](_read(name.partition("/")[0]))
        return f"{name}{found[2]}\n" + "\n".join(lines).strip() + "\n\n"

    return BLOCK.sub(block, text)


def _read(name: str) -> Any:
    return json.loads((ROOT / "bench" / "results" / f"{name}.json").read_text(encoding="utf-8"))


def write_pages() -> None:
    """Write every page that shows measurements."""
    peers_page.main()
    for name in PAGES:
        page = ROOT / name
        page.write_text(filled(page.read_text(encoding="utf-8")), encoding="utf-8")
        print(f"written: {name}")


if __name__ == "__main__":
    write_pages()
