"""Two crossing keys: the total, both margins and the cells, fitted together.

Values z of the cells have the working variances s, those y of the margins (rows, columns, the
total) variances r; A sums cells into margins. The least squares fit that adds up has the cells

    x = z + S A' m,     M m = y - A z,     M = A S A' + R,

and the margins A x. The margins of the longer key meet each other in no cell, so their block of M
is diagonal, D, and is eliminated exactly; what is left, Z, has the size of the shorter key and the
total. With B the block between the two, G = D^-1 B and H = [-G; I],

    M^-1 = [D^-1 0; 0 0] + H Z^-1 H'.

So no iteration and no tolerance is involved. The variance of u'x for any variances t of the values
is

    u'T u - 2 h'M^-1 A T u + h'M^-1 (A T A' + T_margins) M^-1 h,      h = A S u,

which the same blocks give for every cell and margin. A margin that is not released is left out of
M. On a tree (one margin not released) this is the result of `two_passes`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import InvalidInput
from discreet.reading.levels.integer_split import share_out
from discreet.reading.levels.level_noise import LevelNoise
from discreet.reading.levels.mean_excess import mean_excess
from discreet.reading.levels.tree import Floats, Integers, Levels, sum_by

LARGEST = 20_000_000
"""Of the longer key's groups times the shorter key's: about a gigabyte while it is fitted."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Cube:
    """The cells that exist, by their row and column; margins and the total are theirs."""

    row: Integers
    column: Integers
    sizes: tuple[Integers, Integers, Integers, Integers]
    """Of the total (one number), of rows, columns and cells: the order of levels everywhere
    here.
    """

    def totals(self, cells: NDArray[Any]) -> tuple[NDArray[Any], ...]:
        """Return total, rows, columns and cells from one number for each cell, in its type."""
        rows, columns = (
            np.bincount(index, weights=cells, minlength=len(sizes)).astype(cells.dtype)
            for index, sizes in ((self.row, self.sizes[1]), (self.column, self.sizes[2]))
        )
        return np.array([cells.sum()], dtype=cells.dtype), rows, columns, cells


def make_cube(row: Integers, column: Integers, sizes: Integers) -> Cube:
    """Make a cube of its cells: each the row and column of a margin (0, 1, ...), and its people."""
    row, column, people = (np.asarray(given, dtype=np.int64) for given in (row, column, sizes))
    if not len(row) == len(column) == len(people) or not len(people):
        raise InvalidInput(
            "sizes", "must be one for each cell, with its row and its column", len(people)
        )
    if min(int(row.min()), int(column.min()), int(people.min())) < 0:
        raise InvalidInput("sizes", "must be 0 or more, like rows and columns", int(people.min()))
    counts = int(row.max()) + 1, int(column.max()) + 1
    if len(np.unique(row * counts[1] + column)) < len(row):
        raise InvalidInput("row", "must not have two cells in one column", found="a cell twice")
    if (counts[0] + 1) * (counts[1] + 1) > LARGEST:
        rule = f"must have at most {LARGEST:,} places for cells"
        raise InvalidInput(
            "row",
            rule,
            f"{counts[0]:,} x {counts[1]:,}",
            remedy="release a rollup instead of a cube",
        )
    rows, columns = (
        np.bincount(index, weights=people, minlength=n).astype(np.int64)
        for index, n in zip((row, column), counts, strict=True)
    )
    return Cube(row=row, column=column, sizes=(np.array([people.sum()]), rows, columns, people))


class CubeFit:
    """The blocks of one cube's least squares fit, for given working variances of total, rows,
    columns and cells.
    """

    def __init__(self, cube: Cube, working: Sequence[Floats]) -> None:
        if not np.isfinite(working[3]).all():
            rule = "must be above 0 for the cells: nothing else tells them apart"
            raise InvalidInput(
                "level_split", rule, remedy="leave the level out, or give it a share"
            )
        self.cube = cube
        self.flipped = len(cube.sizes[1]) < len(
            cube.sizes[2]
        )  # the longer key is the one eliminated
        self.long, self.short = (cube.column, cube.row) if self.flipped else (cube.row, cube.column)
        total, longer, shorter, self.cells = self._turned(working)
        near = np.append(shorter, total)
        self.told = np.isfinite(longer)
        self.across, self.summed = self._across(self.cells), self._within(self.cells)
        diagonal = np.where(self.told, self.across[:, -1] + longer, 0.0)
        self.inverse = np.divide(1.0, diagonal, out=np.zeros(len(longer)), where=diagonal > 0)
        self.gain = self.inverse[:, None] * self.across
        # rows and columns of what is not released, and of groups of nobody, stay 0
        kept = np.flatnonzero(np.isfinite(near) & (np.diag(self.summed) > 0))
        left = (self.summed - self.gain.T @ self.across)[np.ix_(kept, kept)]
        left[np.diag_indices(len(kept))] += near[kept]
        self.left = np.zeros(self.summed.shape)
        self.left[np.ix_(kept, kept)] = np.linalg.inv(left)

    def fit(self, values: Sequence[Floats]) -> Levels:
        """Return the estimates of total, rows, columns and cells; margins are sums of the cells."""
        total, longer, shorter, cells = self._turned(values)
        sums = self._across(cells)
        far = np.where(self.told, longer - sums[:, -1], 0.0)
        near = np.append(shorter, total) - np.append(self._short_sums(cells), cells.sum())
        inner = self.left @ (near - self.gain.T @ far)
        outer = self.inverse * far - self.gain @ inner
        return self.cube.totals(
            cells + self.cells * (outer[self.long] + inner[self.short] + inner[-1])
        )

    def carried(self, terms: Sequence[Floats]) -> Levels:
        """Return the variance of every estimate, sum_k W_k^2 q_k, of one variance q for each
        value.
        """
        total, longer, shorter, cells = self._turned(terms)
        across, summed = self._across(cells), self._within(cells)
        own = across[:, -1] + np.where(self.told, longer, 0.0)
        cross = across - own[:, None] * self.gain
        both = (
            summed + np.diag(np.append(shorter, total)) - self.gain.T @ across - cross.T @ self.gain
        )
        # M^-1 (A T A' + T_margins) M^-1 = [plain turned; turned' 0] around H, and `middle` between
        # H and H'
        middle, turned = self.left @ both @ self.left, self.inverse[:, None] * cross @ self.left
        plain = own * self.inverse**2
        found = (
            *self._short_variances(across, summed, plain, turned, middle),
            self._long_variances(across, plain, turned, middle),
            self._cell_variances(cells, plain, turned, middle),
        )
        return tuple(
            np.maximum(level, 0.0)
            for level in self._turned((found[0], found[2], found[1], found[3]))
        )

    def _cell_variances(
        self, cells: Floats, plain: Floats, turned: Floats, middle: Floats
    ) -> Floats:
        """For one cell h = s u, with u its margins: H'u = e_short + e_total - g_long."""

        def square(matrix: Floats) -> Floats:
            through = self.gain @ matrix
            corner = np.diag(matrix) + 2 * matrix[:, -1] + matrix[-1, -1]
            crossed = through[self.long, self.short] + through[self.long, -1]
            return np.asarray(
                corner[self.short] - 2 * crossed + (through * self.gain).sum(axis=1)[self.long]
            )

        linear = (
            turned[self.long, self.short]
            + turned[self.long, -1]
            - (turned * self.gain).sum(axis=1)[self.long]
        )
        inner = self.inverse[self.long] + square(self.left)
        outer = plain[self.long] + 2 * linear + square(middle)
        return np.asarray(cells * (1 - 2 * self.cells * inner) + self.cells**2 * outer)

    def _long_variances(
        self, across: Floats, plain: Floats, turned: Floats, middle: Floats
    ) -> Floats:
        """For a margin of the longer key h is its row of A S A', with a diagonal part if it is
        released.
        """
        work, given = (np.where(self.told, block[:, -1], 0.0) for block in (self.across, across))
        h, t = self.across - work[:, None] * self.gain, across - given[:, None] * self.gain
        inner = work * given * self.inverse + ((h @ self.left) * t).sum(axis=1)
        outer = (
            work**2 * plain + 2 * work * (turned * h).sum(axis=1) + ((h @ middle) * h).sum(axis=1)
        )
        return np.asarray(across[:, -1] - 2 * inner + outer)

    def _short_variances(
        self, across: Floats, summed: Floats, plain: Floats, turned: Floats, middle: Floats
    ) -> tuple[Floats, Floats]:
        """The total, and the margins of the shorter key: h is a column of A S A'."""
        h, t = self.summed - self.gain.T @ self.across, summed - self.gain.T @ across
        inner = (self.across * self.inverse[:, None] * across).sum(axis=0) + (
            h * (self.left @ t)
        ).sum(axis=0)
        outer = (self.across**2 * plain[:, None]).sum(axis=0) + 2 * (
            (turned.T @ self.across) * h
        ).sum(axis=0)
        found = np.diag(summed) - 2 * inner + outer + (h * (middle @ h)).sum(axis=0)
        return found[-1:], found[:-1]

    def _turned(self, levels: Sequence[Floats]) -> tuple[Floats, Floats, Floats, Floats]:
        """Total, longer key, shorter key, cells; the same again turns them back."""
        total, rows, columns, cells = (np.asarray(level, dtype=np.float64) for level in levels)
        return (total, columns, rows, cells) if self.flipped else (total, rows, columns, cells)

    def _short_sums(self, cells: Floats) -> Floats:
        return sum_by(self.short, cells, min(len(self.cube.sizes[1]), len(self.cube.sizes[2])))

    def _across(self, cells: Floats) -> Floats:
        """The block of A diag(cells) A' between the longer key and the shorter one with the
        total, which is last.
        """
        longest = max(len(self.cube.sizes[1]), len(self.cube.sizes[2]))
        shortest = min(len(self.cube.sizes[1]), len(self.cube.sizes[2]))
        block = np.zeros((longest, shortest + 1))
        block[self.long, self.short] = cells
        block[:, -1] = np.bincount(self.long, weights=cells, minlength=longest)
        return block

    def _within(self, cells: Floats) -> Floats:
        """The block of A diag(cells) A' of the shorter key and the total."""
        sums = np.append(self._short_sums(cells), cells.sum())
        block = np.diag(sums)
        block[-1], block[:, -1] = sums, sums
        return block


def cube_margins(fit: CubeFit, noises: Sequence[LevelNoise], *, confidence: float = 0.95) -> Levels:
    """Return the margin of every estimate to either side: the mean excess of one Laplace term of
    its variance.
    """
    rate = (1 - confidence) / 2
    factor = float(mean_excess(rate, np.ones(1))[0])
    variances = fit.carried([2 * noise.scale**2 for noise in noises])
    return tuple(factor * np.sqrt(variance) for variance in variances)


def cube_adding_up(cube: Cube, values: Sequence[Floats]) -> tuple[Integers, ...]:
    """Return whole cells in 0..n that share the nearest whole total, as near to their estimates as
    can be, summed.

    Margins fixed first might have no table of whole cells, so they are sums.
    """
    total = np.clip(np.floor(np.asarray(values[0]) + 0.5), 0, cube.sizes[0]).astype(np.int64)
    nowhere = np.zeros(len(cube.row), dtype=np.int64)
    return cube.totals(share_out(total, nowhere, np.asarray(values[3]), cube.sizes[3]))
