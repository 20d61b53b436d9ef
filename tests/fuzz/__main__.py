"""`python -m tests.fuzz --cases 100000`: fuzz every target, print a table, exit 1 on any failure."""

from __future__ import annotations

import argparse
import hashlib
import json
import platform
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.fuzz.runner import fuzz, limit_memory, peak_megabytes
from tests.fuzz.targets import TARGETS


def main() -> int:
    """Run the cases, shared out among the targets."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=100_000, help="in all")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", nargs="*", help="names of targets")
    parser.add_argument("--memory", type=int, default=4096, help="megabytes of address space")
    parser.add_argument(
        "--keep", type=Path, default=Path("fuzz-failures"), help="where inputs that fail are kept"
    )
    parser.add_argument("--json", type=Path, help="also write the figures here")
    options = parser.parse_args()
    limit_memory(options.memory)
    chosen = [target for target in TARGETS if not options.only or target.name in options.only]
    shares = sum(target.share for target in chosen)
    failed = total = 0
    rows: list[dict[str, Any]] = []
    print(
        f"{'target':<14}{'cases':>8}{'accepted':>10}{'refused':>9}{'lines':>7}{'slowest':>9}{'peak MB':>9}{'failed':>8}"
    )
    for target in chosen:
        started = time.perf_counter()
        tally = fuzz(target, -(-options.cases * target.share // shares), options.seed)
        total += tally.cases
        failed += len(tally.failures)
        row = f"{tally.name:<14}{tally.cases:>8}{tally.accepted:>10}{tally.refused:>9}{tally.lines:>7}"
        print(
            f"{row}{tally.slowest:>8.2f}s{peak_megabytes():>9.0f}{len(tally.failures):>8}"
            f"   {time.perf_counter() - started:.0f} s",
            flush=True,
        )
        rows.append(
            {
                "name": tally.name,
                "cases": tally.cases,
                "accepted": tally.accepted,
                "refused": tally.refused,
                "lines": tally.lines,
                "slowest": round(tally.slowest, 2),
                "failures": len(tally.failures),
            }
        )
        told: set[str] = set()
        for reason, data in tally.failures:
            options.keep.mkdir(parents=True, exist_ok=True)
            name = f"{tally.name}-{hashlib.sha256(data).hexdigest()[:12]}"
            (options.keep / name).write_bytes(data)
            if reason[:30] not in told:  # one of each kind is enough to read; all are kept
                print(f"  {reason!r}\n    {name}: {data[:100]!r}", flush=True)
            told.add(reason[:30])
    print(f"{total} cases, {failed} failures")
    if options.json:
        result = {
            "command": f"python -m tests.fuzz --cases {options.cases} --seed {options.seed}",
            "made": datetime.now(UTC).isoformat(timespec="seconds"),
            "python": platform.python_version(),
            "peak_mib": round(peak_megabytes(), 1),
            "rows": rows,
        }
        options.json.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
