"""Made the bundles in tests/fixtures/release-v2*: `python -m tests.tables.make_fixtures`, once.

`release-v2` and `release-v2-csv` are from before a family of sizes had one proof; `release-v2-ranges` has some.
`release-v2-levels` has three levels. `release-v2-two-answers` is from when a question with two answers had a column for
each, and `release-v2-two-answers.json` is what was read of it then.

They stay as they are: what was published once must be readable for ever. A new version of the manifest gets new ones.
"""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa

import discreet as dc

FIXTURES = Path(__file__).parent.parent / "fixtures"

PEOPLE = pa.table(
    {
        "who": [1, 2, 3, 4, 5, 6, 7, 7],
        "ward": ["x", "x", "x", "=y", "=y", None, "z", "z"],
        "smoker": [True, False, True, True, True, False, True, False],
        "ill": [True, True, False, True, False, False, False, False],
    }
)


def make(folder: Path) -> None:
    """Write both bundles: between them they hold nearly everything that a manifest can."""
    dc.release(
        PEOPLE,
        by="ward",
        count={"smokers": "smoker", "ill": "ill"},
        split=[2, 1],
        epsilon="3/2",
        properties="WH CM",
        unit="who",
        contributions=1,
        excess="drop",
        where="ward is null or ward <> 'q'",
        intervals="9/10",
        dataset="example",
        output=folder / "release-v2",
    )
    counts = pa.table({"ward": ["x", "=y", "z"], "patients": [3, 2, 1], "ill": [1, 0, 1]})
    dc.release(
        counts,
        by="ward",
        count="ill",
        size="patients",
        alpha="1/2",
        properties="F",
        keys=["x", "=y", "w"],
        other_keys="drop",
        format="csv",
        escape_formulas=True,
        output=folder / "release-v2-csv",
    )


def make_ranges(folder: Path) -> None:
    """Write a bundle with families, one in two ranges, and with a mechanism of its own for nobody and for one size."""
    sizes = [0, 1, 2, 3, 7, 40, 60, 10**9]
    counts = pa.table(
        {"ward": list(range(len(sizes))), "patients": sizes, "ill": [size // 3 for size in sizes]}
    )
    dc.release(
        counts,
        by="ward",
        count=["ill"],
        size="patients",
        alpha="10/11",
        properties="WH",
        output=folder / "release-v2-ranges",
    )


def make_levels(folder: Path) -> None:
    """Write a bundle of three levels, with a key that is missing and shares of all kinds."""
    day = pa.array([1, 1, 2, 1, 2, 1, 1, 1], pa.int32())
    dc.release(
        PEOPLE.append_column("day", day),
        by=["ward", "day"],
        count=["smoker", "ill"],
        split=[2, 1],
        epsilon="3/2",
        properties="F",
        unit="who",
        contributions=2,
        levels="rollup",
        level_split={"ward": "1/4", "total": "1/10"},
        intervals="9/10",
        output=folder / "release-v2-levels",
    )


def make_two_answers(folder: Path) -> None:
    """Write a bundle with a column for each of two answers, at three levels, and what is read of it."""
    people = PEOPLE.append_column("day", pa.array([1, 1, 2, 1, 2, 1, 1, 2], pa.int32()))
    people = people.append_column(
        "said", pa.array(["yes", "no", "yes", "no", "no", None, "yes", "no"])
    )
    asked = {"said": {"answers": ["yes", "no"], "nulls": "no"}, "ill": "ill"}
    made = dc.release(
        people,
        by=["ward", "day"],
        count=asked,
        epsilon=12,
        unit="who",
        contributions=2,
        levels="rollup",
        output=folder / "release-v2-two-answers",
    )
    read = dc.estimate(made, count="said")
    totals = {each["answer"]: each["total"] for each in read.to_dict()["answers"]}
    told = {
        "totals": totals,
        "wards": read.subtotals("ward").to_dict()["rows"],
        "whole": read.adding_up().totals,
    }
    (folder / "release-v2-two-answers.json").write_text(json.dumps(told, indent=1) + "\n")


if __name__ == "__main__":
    make(FIXTURES)
    make_ranges(FIXTURES)
    make_levels(FIXTURES)
    make_two_answers(FIXTURES)
