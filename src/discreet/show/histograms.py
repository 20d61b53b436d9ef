"""How a histogram released cell by cell looks: text for a terminal, HTML for a notebook."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discreet.core.named import NAMED
from discreet.core.properties import PROPERTIES
from discreet.core.rationals import shown
from discreet.show import html
from discreet.show.text import beside

if TYPE_CHECKING:
    from discreet.designer.orbits.cell_by_cell import Cells

_LOSS = {"L0": "the chance of a wrong histogram", "L2": "the mean square of the number misplaced"}


def cells_text(found: Cells) -> str:
    """Describe cells in at most 80 columns: how each count is drawn, what that costs, and the bound next to it."""
    lines = [_title(found)]
    for name, value in _facts(found):
        lines += beside(f"  {name:<11}", value)
    return "\n".join(lines)


def cells_html(found: Cells) -> str:
    """Say the same as HTML."""
    return html.together(html.title(_title(found)), html.facts(_facts(found)))


def _title(found: Cells) -> str:
    text = str(found.domain)
    return f"{text[:1].upper()}{text[1:]}, cell by cell"


def _facts(found: Cells) -> list[tuple[str, str]]:
    cell = f"{NAMED['GM'].title}, at epsilon/2 = {shown(found.cell_epsilon)}, alpha = {shown(found.cell_alpha)}"
    missing = " ".join(name for name in PROPERTIES if name not in found.shape)
    facts = [
        ("privacy", str(found.privacy)),
        ("answers", ", ".join(found.domain.names)),
        ("each count", f"{cell}, because one person's change touches two of the counts"),
        (
            "reading",
            f"as drawn: counts need not add up to {found.n}; misplaced is half of the sum of their errors",
        ),
        ("has", f"{found.shape} (not {missing})"),
    ]
    if found.loss in _LOSS:
        cost, bound = float(found.cost), float(found.bound)
        facts.append((found.loss, f"{cost:.4f}, {_LOSS[found.loss]}; no joint mechanism has less than {bound:.4f}"))
    people, fewest = float(found.misplaced), float(found.least_misplaced)
    facts.append(("misplaced", f"{people:.4f} people on average; no joint mechanism has fewer than {fewest:.4f}"))
    return [*facts, *([("not joint", found.because)] if found.because else [])]
