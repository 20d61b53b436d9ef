"""How the time of a design grows with n, as numbers and as a picture.

    python -m bench.design_growth [--largest 200] [--picture build/design-growth.svg] [--json
    out.json] python -m bench.design_growth --redraw bench/results/design_growth.json --picture
    build/design-growth.svg

Processor time of one cold design each, everything included, L1 at alpha = 10/11; and the largest
memory seen.
"""

from __future__ import annotations

import argparse
import json
import resource
import time
from math import log10
from pathlib import Path
from typing import Any

import discreet as dc

SIZES = (20, 40, 60, 80, 100, 150, 200)
SHAPES = ("WH", "WH CM RM", "F CM RM")
_HEIGHT = 280


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--largest", type=int, default=200)
    parser.add_argument("--picture")
    parser.add_argument("--json")
    parser.add_argument(
        "--redraw", metavar="FILE", help="draw numbers measured before; nothing is measured"
    )
    options = parser.parse_args()
    if options.redraw:
        draw(json.loads(Path(options.redraw).read_text()), options.picture)
        return
    rows = []
    for shape in SHAPES:
        dc.design(
            n=10, alpha="10/11", properties=shape, loss="L1", cache=False
        )  # what a first one sets up
        for n in (n for n in SIZES if n <= options.largest):
            started = time.process_time()
            found = dc.design(n=n, alpha="10/11", properties=shape, loss="L1", cache=False)
            seconds = time.process_time() - started
            memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
            proven = found.origin.certificate.optimal
            rows.append(
                {
                    "n": n,
                    "shape": shape,
                    "seconds": round(seconds, 4),
                    "MiB": memory,
                    "proven": proven,
                }
            )
            print(rows[-1], flush=True)
    if options.json:
        Path(options.json).write_text(json.dumps(rows, indent=1) + "\n")
    if options.picture:
        draw(rows, options.picture)


def draw(rows: list[dict[str, Any]], path: str) -> None:
    from discreet.show.pictures.curves import curves
    from discreet.show.pictures.line_ends import line_ends
    from discreet.show.pictures.theme import altair, finished, tips, write

    alt = altair()
    data = [
        {"series": row["shape"], "n": row["n"], "seconds": max(row["seconds"], 0.001)}
        for row in rows
        if row["n"] in SIZES
    ]
    placed = [{**row, "log": log10(row["seconds"])} for row in data]
    ends = line_ends(placed, "n", "log", list(SHAPES), _HEIGHT, from_0=False)
    x = alt.X(
        "n:Q",
        scale=alt.Scale(type="log", nice=False),
        title="group size n",
        axis=alt.Axis(values=[20, 50, 100, 200]),
    )
    marks = alt.Axis(
        values=[0.001, 0.01, 0.1, 1, 10],
        labelExpr="datum.value < 0.1 ? format(1000 * datum.value, '~r') + ' ms' : "
        "format(datum.value, '~r') + ' s'",
    )
    y = alt.Y("seconds:Q", scale=alt.Scale(type="log"), title="processor time", axis=marks)
    tip = tips(series="properties", n="n", seconds="seconds")
    chart = curves(data, x, y, list(SHAPES), tip=tip, ends=ends).properties(
        width=440, height=_HEIGHT
    )
    largest = max(row["n"] for row in data)
    slowest = max(row["seconds"] for row in data if row["n"] == largest)
    line = "by linear program, with nothing kept from before; L1, alpha = 10/11 as in the paper"
    title = f"A proven design for {largest} people takes up to {slowest:.1f} s"
    write(finished(chart, title, line), path)


if __name__ == "__main__":
    main()
