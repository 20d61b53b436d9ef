"""How a census of all sets of properties looks on an 80-column terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discreet.show.text import beside, table

if TYPE_CHECKING:
    from discreet.choosing.census import Census


def census_text(found: Census) -> str:
    """Describe a census in at most 80 columns."""
    from discreet.choosing.census_tables import wishes

    count, costs = len(found), len(found.costs)
    title = [
        f"Census of all 128 sets of properties under {found.loss}",
        f"n = {found.n}, {found.privacy}, {found.prior} prior",
        f"{count} behaviour{'s' if count != 1 else ''}, {costs} different optimal "
        f"cost{'s' if costs != 1 else ''}; {found.solved} problems solved, exactly",
    ]
    rows = [
        [f"{float(b.cost):.6f}", len(b.subsets), str(b.mechanism.shape) or "none of the seven"]
        for b in found.behaviours
    ]
    starts = table([["cost", "sets", "the mechanism has"], *rows], ">10 >4 <20", gap=2, indent=0)
    asked = ["for requests of at least", *map(wishes, found.behaviours)]
    width = max(38, *map(len, starts))
    body = [
        line
        for start, text in zip(starts, asked, strict=True)
        for line in beside(start.ljust(width), text)
    ]
    return "\n".join([*title, "", *body])
