"""Two keys that cross: cells, both margins and the total, fitted together (`levels.cube`).

Margins that were not released, and margins of some groups only, are left out of the fit. The noise
of an estimate is made of many terms whose largest is not followed here; its intervals take all of
it to be one, which only widens them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from discreet.reading.levels.cube import CubeFit, make_cube
from discreet.reading.levels.error_facts import ErrorFacts
from discreet.reading.levels.tree import Floats
from discreet.reading.parts.fitting import Fit, aligned, nested, on_grid
from discreet.reading.parts.key_codes import Codes
from discreet.reading.parts.measured import Measured


class CrossedFit(Fit):
    """The estimates of cells by two keys, and of their sums."""

    def __init__(self, finest: Measured, coarser: Sequence[Measured]) -> None:
        super().__init__(finest)
        first, second = finest.names
        self._margins: list[tuple[str, ...]] = [(), (first,), (second,)]
        groups = [self.codes(names) for names in self._margins]
        known = {frozenset(level.keys): level for level in coarser}
        self._levels = [
            aligned(known[frozenset(names)], finest, each)
            if frozenset(names) in known
            else self._unmeasured(names, each)
            for names, each in zip(self._margins, groups, strict=True)
        ]
        self._levels.append(finest)

    @cached_property
    def _cube(self) -> CubeFit:
        rows, columns = (self.codes(names).of_row for names in self._margins[1:])
        return CubeFit(
            make_cube(rows, columns, self.finest.sizes), [level.working for level in self._levels]
        )

    @cached_property
    def value(self) -> Floats:
        """The estimates of the cells."""
        return on_grid(self._cube.fit([level.values for level in self._levels])[3])

    @property
    def nesting(self) -> list[tuple[str, ...]]:
        """The total and the first key's margin: both margins fixed might have no table of whole
        cells.
        """
        return self._margins[:2]

    @cached_property
    def _carried(self) -> list[ErrorFacts]:
        """What is known of the noise of the total, of both margins and of the cells."""
        sums = {
            name: self._cube.carried([getattr(level.facts, name) for level in self._levels])
            for name in ("estimated", "least", "worst", "laplace")
        }
        return [
            _as_one({name: levels[place] for name, levels in sums.items()}) for place in range(4)
        ]

    @property
    def _finest_facts(self) -> ErrorFacts:
        return self._carried[3]

    def _facts(self, names: Sequence[str], groups: Codes) -> ErrorFacts:
        return self._carried[self._margins.index(tuple(names))]


def fit_levels(finest: Measured, coarser: Sequence[Measured] = ()) -> Fit:
    """Fit levels together: one, nested ones, or those of two keys that cross."""
    chain = sorted(coarser, key=lambda level: len(level.keys))
    crossing = len(finest.keys) == 2 and not nested([*chain, finest])
    return CrossedFit(finest, coarser) if crossing else Fit(finest, coarser)


def _as_one(sums: dict[str, Floats]) -> ErrorFacts:
    """The facts of noise that is taken to be one term."""
    none = np.zeros(len(sums["worst"]))
    largest = {"one_worst": np.sqrt(sums["worst"]), "one_laplace": np.sqrt(sums["laplace"])}
    return ErrorFacts(**sums, **largest, flat=none, ratio=none, skew=none, step=none)
