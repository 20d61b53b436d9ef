"""The proof that no mechanism has what was asked, as a value and as a file that anyone can check.

Multipliers y of the right signs on the rows of the problem, for which

    b.y + sum_v min(0, -what the rows charge for v)   is positive:

entries lie in [0, 1], so the left side is at most 0 for every matrix that has all the rows. There
is none. `proof.own.impossible_checks` verifies the file, without this module.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from discreet.core.certificate import Problem, Row
from discreet.core.properties import PROPERTIES
from discreet.core.rationals import Alpha
from discreet.proof.own.impossible_checks import FIELDS, FORMAT, check_impossible
from discreet.proof.reading import sealed

if TYPE_CHECKING:
    from os import PathLike

    from discreet.core.own_rows import OwnRows


@dataclass(frozen=True, slots=True, kw_only=True)
class Impossibility:
    """Multipliers, over `denominator`, whose rows add up to `0 >= bound`, a positive number."""

    problem: Problem
    privacy: Alpha
    bound: Fraction
    denominator: int
    rows: tuple[Row, ...]

    @property
    def multipliers(self) -> dict[tuple[str, int, int, int], Fraction]:
        """The Farkas vector: an exact multiplier for each row that takes part, by its name."""
        return {(kind, a, b, c): Fraction(y, self.denominator) for kind, a, b, c, y in self.rows}

    @property
    def sets(self) -> list[int]:
        """The numbers of the sets of own rows that take part."""
        return sorted({a for kind, a, *_ in self.rows if kind == "own"})

    def save(self, path: str | PathLike[str]) -> None:
        """Write a file that `dc.verify` and `python -m discreet.proof` check."""
        from discreet.proof.files import write_whole

        data = self.to_bytes()
        check_impossible(json.loads(data))
        write_whole(path, data)

    def to_bytes(self) -> bytes:
        """Return the file."""
        problem = self.problem
        document: dict[str, Any] = {
            "format": FORMAT,
            "version": 1,
            "n": problem.n,
            "alpha": _ratio(self.privacy.value),
            "epsilon": _ratio(self.privacy.epsilon),
            "problem": {
                "properties": [name for name in PROPERTIES if name in problem.shape.names],
                "output_dp": None
                if problem.shape.output_dp is None
                else _ratio(problem.shape.output_dp),
                "rows": written_rows(problem.own),
            },
            "bound": _ratio(self.bound),
            "denominator": f"{self.denominator:x}",
            "multipliers": [[kind, a, b, c, f"{y:x}"] for kind, a, b, c, y in self.rows],
        }
        content = json.dumps(document, sort_keys=True, separators=(",", ":"))
        document["id"] = hashlib.sha256(content.encode()).hexdigest()
        document["seal"] = sealed(document, FIELDS)
        lines = ",\n".join(
            f"{json.dumps(name)}: {json.dumps(value)}" for name, value in document.items()
        )
        return f"{{\n{lines}\n}}\n".encode()

    def __str__(self) -> str:
        names = ", ".join(repr(self.problem.own[k].name) for k in self.sets)
        return (
            f"{len(self.rows)} multipliers prove that no mechanism has the own rows {names} (n = "
            f"{self.problem.n})"
        )


def written_rows(own: tuple[OwnRows, ...]) -> list[dict[str, Any]]:
    """Own rows as a proof file writes them: `sum of INT * Pr[i|j] >= least`, in lowest terms."""
    return [
        {
            "name": each.name,
            "rows": [
                {"cells": [[i, j, f"{c:x}"] for i, j, c in cells], "least": f"{least:x}"}
                for cells, least in (row.whole for row in each.rows)
            ],
        }
        for each in own
    ]


def read_rows_back(written: list[dict[str, Any]], n: int) -> tuple[OwnRows, ...]:
    """The own rows of a document that the verifier accepted."""
    from discreet.core.own_rows import OwnRow, OwnRows

    return tuple(
        OwnRows(
            name=each["name"],
            n=n,
            rows=tuple(
                OwnRow(
                    cells=tuple((i, j, Fraction(int(c, 16))) for i, j, c in row["cells"]),
                    sense=">=",
                    bound=Fraction(int(row["least"], 16)),
                )
                for row in each["rows"]
            ),
        )
        for each in written
    )


def _ratio(value: Fraction) -> str:
    return f"{value.numerator:x}/{value.denominator:x}"
