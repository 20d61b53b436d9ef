"""Number docs/hiding.md and draw its pictures and the home page's: `python -m tools.hiding [docs]`."""

from __future__ import annotations

import re
import sys
from math import exp
from pathlib import Path

from tools.drawing import PAGE, WIDE
from tools.hiding.clinics import months
from tools.hiding.comparing import EPSILON, METHODS, many, ours, outcome, surest
from tools.hiding.home_pair import home_pair
from tools.hiding.new_patients import new_patients
from tools.hiding.printed_numbers import many as many_releases
from tools.hiding.printed_numbers import of_clinics, shown, without_number
from tools.hiding.steps import script
from tools.hiding.tiles import pictures

US = f"**`discreet`, epsilon {EPSILON} a month**"


def tables() -> tuple[list[str], list[str]]:
    """What every method does to the same table, as rows of Markdown: in short, and the attack in full."""
    march, april = months()
    lost = [
        "| 24 clinics in March | hidden | shown, but too uncertain to print | typical error |",
        "| --- | --- | --- | --- |",
    ]
    found = [
        "| March and April | numbers found again | patients exposed | how sure a reader can become |",
        "| --- | --- | --- | --- |",
    ]
    for name, method in METHODS.items():
        o = outcome(method, march, april)
        error = f"{o.error:.1f}" if o.error else "0"
        again = f"{o.back} of {o.hidden or len(march)}"
        lost.append(f"| {name} | {o.hidden} | {without_number(method, march) - o.hidden} | {error} |")
        found.append(f"| {name} | {again} | {float(o.certain):.0%} | {'certain' if o.certain else ''} |")
    uncertain = sum(one.number is None for one in of_clinics(shown()[0]).values())
    error = f"{ours(march).error:.1f}"
    lost.append(f"| {US} | **0** | {uncertain} | {error} |")
    return lost, [*found, f"| {US} | **0 of {len(march)}** | **0%** | about {surest(2 * EPSILON):.0%} at most |"]


def averages() -> list[str]:
    """The same over 200 such tables, as rows of Markdown."""
    rows = [
        "| 200 such tables, on average | hidden of 24 | found again of these | new patients' answers known |",
        "| --- | --- | --- | --- |",
    ]
    for name, method in METHODS.items():
        hidden, back, new = many(method)
        rows.append(f"| {name} | {hidden:.1f} | {back:.0f}% | {new:.0f}% |")
    # every number of GM is possible at every true count, so that none is ever certain, in any table
    return [*rows, f"| {US} | **0.0** | **0%** | **0%** |"]


def sentences() -> list[str]:
    """What is said of the same table with us."""
    march, april = months()
    found, often = ours(march), many_releases(march)
    one, two = (f"{surest(k * EPSILON):.0%}" for k in (1, 2))
    people = [sum(clinic.patients for clinic in month) for month in (march, april)]
    clinic, region, whole = (f"{span:.0%}" for span in often.spans)
    new = many(METHODS["... and the next smallest"])[-1]
    return [
        f"Over 200 tables made in the same way, this reader finds on average {new:.0f}% of the new patients' "
        "answers, for certain",
        f"{often.without:.0f} of the 24 clinics have no number that may be quoted alone: in nine of ten releases, "
        f"{often.usual[0]} to {often.usual[1]}",
        f"Of {often.little:.0f} of them the interval says next to nothing",
        f"{clinic} of its patients in a clinic, {region} in a region, and {whole} over all",
        f"becomes about {one} sure of the last answer at most. With two months they become about {two} sure at most",
        f"For one month at epsilon {EPSILON} this is {exp(EPSILON):.3g}, and for two months {exp(2 * EPSILON):.3g}",
        f"April's {people[1]} patients, of whom {people[0]} are in both months",
        f"the true count itself is published in {float(found.truth):.0%} of all draws, and a typical error is "
        f"{found.error:.1f} patients",
    ]


def page(text: str) -> str:
    """The page with the tables as they are computed, each below its comment."""
    lost, found = tables()
    for name, rows in (("lost", lost), ("found", found), ("averages", averages())):
        above, comment, below = text.partition(f"<!-- hiding: {name} -->\n")
        rest = re.sub(r"\A(?:\|.*)?\n(?:(?:\|.*)?\n)*", "", below)
        text = "\n".join([above + comment, *rows, "", rest])
    return text


def main(docs: str) -> None:
    """Draw the pictures, write the numbers of the click-through and put the tables into the page."""
    side_by_side = {"newcomers": new_patients(PAGE), "newcomers-narrow": new_patients(WIDE)}
    for name, drawn in (pictures() | home_pair() | side_by_side).items():
        (Path(docs) / "images" / f"{name}.svg").write_text(drawn, encoding="utf-8")
    (Path(docs) / "figures" / "subtraction-numbers.js").write_text(script(), encoding="utf-8")
    file = Path(docs) / "hiding.md"
    file.write_text(page(file.read_text(encoding="utf-8")), encoding="utf-8")
    print("\n".join(sentences()))


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "docs")
