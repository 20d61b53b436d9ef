"""How the time of a design grows with n, as numbers and as a picture.

    python -m bench.design_growth [--largest 200] [--picture docs/images/design-growth.svg] [--json out.json]

Processor time of one cold design each, everything included, L1 at alpha = 10/11; and the largest memory seen.
"""

from __future__ import annotations

import argparse
import json
import resource
import time
from pathlib import Path

import discreet as dc

SIZES = (10, 20, 40, 60, 80, 100, 150, 200)
SHAPES = ("WH", "WH CM RM", "F CM RM")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--largest", type=int, default=200)
    parser.add_argument("--picture")
    parser.add_argument("--json")
    options = parser.parse_args()
    dc.design(n=3, alpha="10/11", properties="CM", loss="L1", cache=False)
    rows = []
    for shape in SHAPES:
        for n in (n for n in SIZES if n <= options.largest):
            started = time.process_time()
            found = dc.design(n=n, alpha="10/11", properties=shape, loss="L1", cache=False)
            seconds = time.process_time() - started
            memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
            proven = found.origin.certificate.optimal
            rows.append({"n": n, "shape": shape, "seconds": round(seconds, 4), "MiB": memory, "proven": proven})
            print(rows[-1], flush=True)
    if options.json:
        Path(options.json).write_text(json.dumps(rows, indent=1) + "\n")
    if options.picture:
        draw(rows, options.picture)


def draw(rows: list[dict[str, object]], path: str) -> None:
    import altair as alt

    alt.Chart(alt.Data(values=rows)).mark_line(point=True).encode(
        x=alt.X("n:Q", scale=alt.Scale(type="log"), title="group size n"),
        y=alt.Y("seconds:Q", scale=alt.Scale(type="log"), title="processor seconds, cold, proven"),
        color=alt.Color("shape:N", title="properties"),
    ).properties(width=420, height=280, title="One design by linear program (L1, alpha = 10/11)").save(path)


if __name__ == "__main__":
    main()
