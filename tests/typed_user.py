"""What a user writes, for the type checker: `mypy` reads this file with the library, and nobody runs it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import assert_type

import discreet as dc
from discreet.proof import Report
from discreet.reading.accuracy import Accuracy


def design(folder: Path) -> dc.Mechanism:
    m = dc.design(n=8, epsilon=0.5, properties=["WH", "CM"], loss="L1", prior="Binomial(0.3)")
    assert_type(m, dc.Mechanism)
    assert_type(m[0, 3], Fraction)
    assert_type(m.score("L2"), Fraction)
    assert_type(m.accuracy(confidence=0.9, groups=100), Accuracy)
    m.save(folder / "m.json")
    assert_type(dc.verify(folder / "m.json"), Report)
    m.plot("columns", folder / "m.svg")
    return dc.load(str(folder / "m.json"))


def choose() -> str:
    found = dc.design(n=8, categories=["never", "former", "current"], epsilon=1)
    assert_type(found.score("L1"), Fraction)
    assert_type(dc.compare(n=8, epsilon=1).to_csv(), str)
    return f"{dc.compare(n=8, categories=3, epsilon=1)['joint'].l1} {dc.recommend(n=8, categories=3, epsilon=1).note}"


def release(m: dc.Mechanism, counts: Sequence[int]) -> list[int]:
    assert_type(m.release(3), int)
    return m.release(counts)


def publish(folder: Path) -> dc.Release | None:
    asked = dc.plan(
        folder / "people.csv", by="clinic", count="smoker", epsilon="1/2", properties="F"
    )
    print(
        asked,
        dc.geometric(n=8, alpha="10/11")
        == dc.mix(dc.fair(n=8, alpha=0.9), dc.uniform(n=8), weight="1/2"),
    )
    try:
        return dc.release(
            folder / "people.csv",
            by="clinic",
            count="smoker",
            epsilon=0.5,
            ledger=folder / "budget.db",
        )
    except dc.errors.BudgetExceeded as error:
        assert_type(error.remaining, Fraction | None)
    except dc.DiscreetError:
        raise
    return None


def misspelled() -> None:
    dc.desing  # type: ignore[attr-defined] # noqa: B018 - a wrong name is seen before it runs
    dc.design(n=8, epslion=0.5)  # type: ignore[call-overload]
