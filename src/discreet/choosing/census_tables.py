"""A grid of censuses as Markdown tables, as text or as CSV."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from discreet.choosing.census import Behaviour, Census, all_subsets
from discreet.choosing.exporting import exact_text, to_csv
from discreet.core.rationals import shown

if TYPE_CHECKING:
    from collections.abc import Sequence


def wishes(behaviour: Behaviour) -> str:
    """The smallest wishes that lead to a behaviour, e.g. "CH, or F"."""
    return ", or ".join(str(shape) or "nothing" for shape in behaviour.least)


def markdown(grid: Sequence[Census]) -> str:
    """One table per loss, the number of behaviours for each n (down) and alpha (across); then
    which behaviours.
    """
    losses = list(dict.fromkeys(found.loss for found in grid))
    return "\n\n".join(
        [
            *(_counts(loss, [f for f in grid if f.loss == loss]) for loss in losses),
            _kinds(grid, losses),
        ]
    )


def _counts(loss: str, grid: Sequence[Census]) -> str:
    alphas = list(dict.fromkeys(found.privacy.value for found in grid))
    head = f"| {loss}: n | " + " | ".join(f"alpha = {shown(alpha)}" for alpha in alphas) + " |"
    lines = [head, "| ---: |" + " ---: |" * len(alphas)]
    for n in dict.fromkeys(found.n for found in grid):
        cells = {found.privacy.value: _cell(found) for found in grid if found.n == n}
        lines.append(f"| {n} | " + " | ".join(cells.get(alpha, "") for alpha in alphas) + " |")
    return "\n".join(lines)


def _kinds(grid: Sequence[Census], losses: Sequence[str]) -> str:
    """Each largest set that some behaviour serves, with the number of settings where it does, by
    loss.
    """
    seen = Counter((str(b.properties), found.loss) for found in grid for b in found.behaviours)
    kinds = [
        text for shape in all_subsets() if any(seen[text := str(shape), loss] for loss in losses)
    ]
    settings = Counter(found.loss for found in grid)
    head = (
        "| largest set served | "
        + " | ".join(f"{loss} (of {settings[loss]})" for loss in losses)
        + " |"
    )
    rows = [
        f"| {kind} | " + " | ".join(str(seen[kind, loss]) for loss in losses) + " |"
        for kind in kinds
    ]
    counts = [sorted(len(found) for found in grid if found.loss == loss) for loss in losses]
    total = (
        "| behaviours at one setting | " + " | ".join(f"{c[0]} to {c[-1]}" for c in counts) + " |"
    )
    free = Counter(found.loss for found in grid if any(_fair_for_free(b) for b in found.behaviours))
    fair = (
        "| settings where fairness is free for some set | "
        + " | ".join(str(free[loss]) for loss in losses)
        + " |"
    )
    return "\n".join([head, "| :--- |" + " ---: |" * len(losses), *rows, total, fair])


def _fair_for_free(behaviour: Behaviour) -> bool:
    """Whether a fair mechanism serves some set that does not ask for fairness."""
    return "F" in behaviour.properties and any("F" not in shape for shape in behaviour.subsets)


def _cell(found: Census) -> str:
    """The number of behaviours; where two of them have the same cost, the number of costs too."""
    return (
        f"{len(found)}"
        if len(found) == len(found.costs)
        else f"{len(found)} ({len(found.costs)} costs)"
    )


def text(grid: Sequence[Census]) -> str:
    """Every census in words, one after the other."""
    return "\n\n".join(map(str, grid))


def csv_text(grid: Sequence[Census]) -> str:
    """Every behaviour of every setting as a row of CSV, its cost as an exact fraction too."""
    rows = [
        {
            "loss": found.loss,
            "n": found.n,
            "alpha": exact_text(found.privacy.value),
            "behaviours": len(found),
            "costs": len(found.costs),
            "cost": float(b.cost),
            "cost_exact": exact_text(b.cost),
            "sets": len(b.subsets),
            "least": wishes(b),
            "serves": str(b.properties),
        }
        for found in grid
        for b in found.behaviours
    ]
    return to_csv(rows).rstrip("\n")
