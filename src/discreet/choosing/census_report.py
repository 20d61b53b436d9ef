"""The census on paper: one setting in words, a grid as a table, and the command line.

python -m discreet.choosing.census --n 4 --alpha 10/11
python -m discreet.choosing.census --n 2-8 --alpha 1/2 2/3 10/11 --loss L0 L1 L2 L0,1 --format markdown
"""

from __future__ import annotations

import argparse
import csv
import sys
from textwrap import wrap
from typing import TYPE_CHECKING

from discreet.choosing.census import Behaviour, Census, census
from discreet.choosing.exporting import exact_text
from discreet.errors import DiscreetError, InvalidInput
from discreet.rationals import shown

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDTH = 80


def census_text(found: Census) -> str:
    """Describe a census in at most 80 columns."""
    count = len(found)
    lines = [
        f"Census of all 128 sets of properties under {found.loss}",
        f"n = {found.n}, {found.privacy}",
        f"{count} behaviour{'s' if count != 1 else ''}, {len(found.costs)} different optimal cost"
        f"{'s' if len(found.costs) != 1 else ''}; {found.solved} problems solved, exactly",
        "",
        f"{'cost':>10}  {'sets':>4}  {'the mechanism has':<20}for who asks at least",
    ]
    for behaviour in found.behaviours:
        has = str(behaviour.mechanism.shape) or "none of the seven"
        start = f"{float(behaviour.cost):>10.6f}  {len(behaviour.subsets):>4}  {has:<20}"
        lines += wrap(wishes(behaviour), WIDTH, initial_indent=start, subsequent_indent=" " * len(start))
    return "\n".join(lines)


def wishes(behaviour: Behaviour) -> str:
    """The smallest wishes that lead to a behaviour, e.g. "CH, or F"."""
    return ", or ".join(str(shape) or "nothing" for shape in behaviour.least)


def markdown(grid: Sequence[Census]) -> str:
    """One table per loss: the number of behaviours for each n (down) and alpha (across)."""
    parts = []
    for loss in dict.fromkeys(found.loss for found in grid):
        some = [found for found in grid if found.loss == loss]
        alphas = list(dict.fromkeys(found.privacy.value for found in some))
        head = "| n | " + " | ".join(f"alpha = {shown(alpha)}" for alpha in alphas) + " |"
        lines = [f"### {loss}", "", head, "| ---: |" + " ---: |" * len(alphas)]
        for n in dict.fromkeys(found.n for found in some):
            cells = {found.privacy.value: _cell(found) for found in some if found.n == n}
            lines.append(f"| {n} | " + " | ".join(cells.get(alpha, "") for alpha in alphas) + " |")
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def _cell(found: Census) -> str:
    """The number of behaviours; where two of them have the same cost, the number of costs too."""
    return f"{len(found)}" if len(found) == len(found.costs) else f"{len(found)} ({len(found.costs)} costs)"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the census for every combination of n, alpha and loss."""
    parser = argparse.ArgumentParser(
        prog="python -m discreet.choosing.census",
        description="How many mechanisms serve all 128 sets of properties, optimally? Counted with exact optima.",
    )
    parser.add_argument("--n", nargs="+", required=True, metavar="N", help="group sizes: 4, or 2-8")
    privacy = parser.add_mutually_exclusive_group(required=True)
    privacy.add_argument("--alpha", nargs="+", metavar="A", help="alpha as 10/11 or 0.9")
    privacy.add_argument("--epsilon", nargs="+", metavar="E", help="epsilon as 0.5 or 1/2")
    parser.add_argument("--loss", nargs="+", default=["L0"], metavar="LOSS", help="L0, L1, L2, L0,1 (default: L0)")
    parser.add_argument("--worst-case", action="store_true", help="the worst true count instead of the mean")
    parser.add_argument("--format", choices=["text", "markdown", "csv"], default="text")
    asked = parser.parse_args(arguments)
    try:
        grid = _run(asked)
    except DiscreetError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    if asked.format == "markdown":
        print(markdown(grid))
    elif asked.format == "csv":
        _write_csv(grid)
    else:
        print("\n\n".join(str(found) for found in grid))
    return 0


def _run(asked: argparse.Namespace) -> list[Census]:
    name, values = ("alpha", asked.alpha) if asked.alpha else ("epsilon", asked.epsilon)
    sizes = [n for text in asked.n for n in _sizes(text)]
    grid = []
    for loss in asked.loss:
        for n in sizes:
            for value in values:
                grid.append(census(n, **{name: value}, loss=loss, worst_case=asked.worst_case))
                if sys.stderr.isatty():
                    print(f"\r{loss} n = {n} {name} = {value}".ljust(WIDTH - 1), end="\r", file=sys.stderr)
    return grid


def _sizes(text: str) -> range:
    first, dash, last = text.partition("-")
    if not first.isdigit() or (dash and not last.isdigit()):
        raise InvalidInput("n", "must be a size such as 4 or a range such as 2-8", text)
    return range(int(first), int(last if dash else first) + 1)


def _write_csv(grid: Sequence[Census]) -> None:
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(["loss", "n", "alpha", "behaviours", "costs", "cost", "cost_exact", "sets", "least", "serves"])
    for found in grid:
        for b in found.behaviours:
            writer.writerow(
                [
                    found.loss, found.n, exact_text(found.privacy.value), len(found), len(found.costs), float(b.cost),
                    exact_text(b.cost), len(b.subsets), wishes(b), str(b.properties),
                ]
            )  # fmt: skip
