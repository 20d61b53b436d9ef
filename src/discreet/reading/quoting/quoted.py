"""The numbers that may be quoted, row by row, and the table that is made of them.

A row has its keys, its people, its interval, and the number where one may stand beside the interval
(`interval_kinds.says_little` says where none may). Everything in the table may be printed. The
whole number of every row, whose sums are right, and the best guess of a group by itself are
details: they are there only when asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from discreet.reading.parts.number_table import NumberTable
from discreet.reading.quoting.interval_kinds import (
    CONFIDENCE,
    CREDIBLE,
    interval_head,
    interval_kind,
    rule,
    says_little,
    widened_note,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

LOW, HIGH, NUMBER, INTERVAL = "low", "high", "number", "interval"
WHOLE, MEAN = "whole", "mean"
"""Columns of the details; that of the people is called after what is counted."""

SUMS = "Sums, differences and models take the unbiased estimates (`subtotals`) instead."
PRINTED = (
    f"Print {LOW} and {HIGH}, then {NUMBER}. Where {NUMBER} is empty, print the interval alone."
)
DETAILS = (
    f"For your own work, not for print: {WHOLE}, the number of every row, whose sums are right, "
    f"and of single groups {MEAN}, the best guess of each by itself."
)


@dataclass(frozen=True, kw_only=True, eq=False)
class Quoted:
    """What may be quoted of some groups, or of sums of them; its intervals hold its whole
    numbers.
    """

    name: str
    """Of the count, or of the question."""
    keys: Mapping[str, NDArray[Any]]
    answers: NDArray[Any] | None = None
    """Of a question with several answers: which one the row is of."""
    sizes: NDArray[Any] | None
    """How many people each row is of, where that is public."""
    unit: str = "people"
    whole: NDArray[Any]
    low: NDArray[Any]
    high: NDArray[Any]
    mean: NDArray[Any] | None = None
    confidence: Fraction
    kind: str = CONFIDENCE
    notes: tuple[str, ...] = ()
    widened: NDArray[np.bool_] = field(init=False)
    """Whether the interval of a row was widened: nobody can quote 4 with an interval of 0 to 3."""

    def __post_init__(self) -> None:
        outside = (self.whole < self.low) | (self.whole > self.high)
        object.__setattr__(self, "widened", outside)
        if outside.any():
            object.__setattr__(self, "low", np.minimum(self.low, self.whole))
            object.__setattr__(self, "high", np.maximum(self.high, self.whole))

    def __len__(self) -> int:
        return len(self.whole)

    @property
    def head(self) -> str:
        """What the intervals are called."""
        return interval_head(self.confidence)

    @property
    def which(self) -> str:
        """Of which kind they are."""
        return interval_kind(self.confidence, self.kind)

    @property
    def doubted(self) -> NDArray[np.bool_]:
        """Of which rows only the interval may be quoted."""
        if self.sizes is None:
            return np.zeros(len(self), dtype=bool)
        return np.asarray(says_little(self.whole, self.low, self.high, self.sizes))

    @property
    def numbers(self) -> NDArray[Any]:
        """The number to quote of each row, or None."""
        rows = zip(self.whole.tolist(), self.doubted.tolist(), strict=True)
        return np.array([None if doubt else value for value, doubt in rows], dtype=object)

    @property
    def was_widened(self) -> tuple[str, ...]:
        """Which rows have a widened interval, and why, in one sentence if there are any."""
        if not self.widened.any():
            return ()
        rows = zip(
            *(column[self.widened].tolist() for column in self._which().values()), strict=True
        )
        named = [
            ", ".join("(none)" if value is None else str(value) for value in row) for row in rows
        ]
        return (widened_note(named or ["the total"]),)

    def _which(self) -> dict[str, NDArray[Any]]:
        """The columns that say of what a row is. An answer gives way to a key of its name."""
        if self.answers is None:
            return dict(self.keys)
        return {**self.keys, free("answer", self.keys): self.answers}

    def table(self, *, details: bool = False) -> NumberTable:
        """Return the table to quote, with the columns that are not for print only as `details`."""
        keys = self._which()
        parts: dict[str, NDArray[Any]] = {} if self.sizes is None else {self.unit: self.sizes}
        parts |= {LOW: self.low, HIGH: self.high, NUMBER: self.numbers}
        parts[INTERVAL] = np.full(len(self), self.which, dtype=object)
        if details:
            parts |= {WHOLE: self.whole} | ({} if self.mean is None else {MEAN: self.mean})
        called = {part: free(part, keys) for part in parts}
        return NumberTable(
            columns=keys | {called[part]: values for part, values in parts.items()},
            keys=tuple(keys),
            title=f"{self.name!r}, to be quoted",
            lead=rule(dashes=bool(self.doubted.any())),
            spans={called[LOW]: (self.head, called[HIGH])},
            unseen=(called[INTERVAL],),
            notes=(
                self._kind_in_words(),
                *self.notes,
                *self.was_widened,
                *([DETAILS] if details else []),
                SUMS,
            ),
        )

    def _kind_in_words(self) -> str:
        if self.kind == CREDIBLE:
            return (
                f"The {self.head} is a credible interval: what the group's released number says "
                "of it, with a prior estimated from all groups."
            )
        return (
            f"The {self.head} is a confidence interval of each row alone, whatever the true number."
        )


def free(name: str, taken: Any) -> str:
    """Return a column's name that no key has: a key never gives way to a number.

    >>> free("low", ["low", "low_"])
    'low__'
    """
    while name in taken:
        name += "_"
    return name
