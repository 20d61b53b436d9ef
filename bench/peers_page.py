"""Write docs/old/peers.md from bench/results/report.json: `python -m bench.peers_page`, or all
pages by `bench.pages`.

The words stand in bench/peers_page.md: facts read from the projects' own files in November 2026, or
run where marked. The numbers are the report's; those of levels are in
bench/results/level_peers.json.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from bench.level_peers import RESULTS, lines
from bench.report import GROWTH, section, setting

ROOT = Path(__file__).parent.parent
REPORT = ROOT / "bench" / "results" / "report.json"
PAGE = ROOT / "docs" / "old" / "peers.md"

TEXT = Path(__file__).with_suffix(".md")

PARTS = (
    "startup",
    "sampling",
    "noise_peers",
    "qif_design",
    "table_peers",
)
"""What is on the page; the rest of the report is on pages of its own."""


def page(report: dict[str, Any]) -> str:
    """Return the page."""
    measured = {name: report["parts"][name] for name in PARTS if name in report["parts"]}
    commands = ", ".join(f"`{part['command']}`" for part in measured.values())
    found: list[str] = []
    for name in PARTS:
        shown = section(report, name, level=3, logged=False)
        shown = shown[: shown.index(GROWTH)] if GROWTH in shown else shown  # of ours alone
        found += [
            line for line in shown if not (line.startswith("- ") and line in found)
        ]  # said once
    found += [
        "### Nation, regions and clinics",
        "",
        *lines(json.loads(RESULTS.read_text(encoding="utf-8"))),
    ]
    found += ["", f"Measured by {commands}: {setting(report)}"]
    return TEXT.read_text(encoding="utf-8").replace("{measured}", "\n".join(found).rstrip())


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(json.loads(REPORT.read_text(encoding="utf-8"))), encoding="utf-8")
    print(f"written: {PAGE.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
