"""Released histograms in memory: the answers, each group's size and released counts, and what each
size was drawn by.

A mechanism over histograms draws all answers of a group together. A mechanism of counts draws each
of three answers or more by itself, cell by cell; of two answers it draws the first, and the second
is the rest of the group. One table may hold groups of both kinds. Everything here is public.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from discreet.core.forms import Dense, Folded, Relabelled
from discreet.errors import InvalidInput, did_you_mean
from discreet.reading.samples import Origin
from discreet.reading.totals import tally

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism
    from discreet.reading.totals import Tally

Integers = NDArray[np.int64]

_EDITED = "the table does not belong to this mechanism, or was edited"


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class HistogramSample:
    """Groups: their sizes, the released count of each answer [group, answer], their keys, and a
    mechanism by size.
    """

    answers: tuple[str, ...]
    sizes: Integers
    outputs: Integers
    mechanisms: Mapping[int, Mechanism]
    keys: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    name: str = "answer"
    release: str = ""
    origin: Origin = field(default_factory=Origin)

    def __post_init__(self) -> None:
        _check(self)

    def __len__(self) -> int:
        return len(self.sizes)

    def __repr__(self) -> str:
        return (
            f"<HistogramSample of {self.name!r}: {len(self):,} groups, {len(self.answers)} answers>"
        )

    @property
    def people(self) -> int:
        """How many people: the sum of the sizes."""
        return int(self.sizes.sum())

    @cached_property
    def tallies(self) -> list[tuple[Mechanism, list[Tally]]]:
        """For each mechanism, how often each output was drawn; groups of nobody are left out.

        One tally of the numbers of histograms, or of the counts of the first of two answers, or one
        for each cell.
        """
        found = []
        for n, rows in self.rows_by_size():
            if n:
                form, outputs = self.mechanisms[n].form, self.outputs[rows]
                cells = 1 if len(self.answers) == 2 else len(self.answers)
                drawn = (
                    [point_numbers(form, outputs)]
                    if isinstance(form, Folded)
                    else list(outputs[:, :cells].T)
                )
                found.append((self.mechanisms[n], [tally(each) for each in drawn]))
        return found

    def rows_by_size(self) -> Iterator[tuple[int, Integers]]:
        """The rows of the groups of each size, in ascending order of the size."""
        order = np.argsort(self.sizes, kind="stable")
        present, starts = np.unique(self.sizes[order], return_index=True)
        yield from zip(present.tolist(), np.split(order, starts[1:]), strict=True)

    def part(self, rows: NDArray[np.bool_] | Integers) -> HistogramSample:
        """Some of the groups."""
        keys = {name: values[rows] for name, values in self.keys.items()}
        return replace(self, sizes=self.sizes[rows], outputs=self.outputs[rows], keys=keys)

    def answer(self, name: str, parameter: str = "answer") -> int:
        """The number of an answer."""
        if name not in self.answers:
            remedy = did_you_mean(str(name), list(self.answers))
            raise InvalidInput(
                parameter, "must be one of the answers", str(name)[:80], remedy=remedy
            )
        return self.answers.index(name)

    def column(self, name: str) -> NDArray[Any]:
        """A key column by name."""
        if name not in self.keys:
            remedy = did_you_mean(name, self.keys) if self.keys else "this sample has no keys"
            raise InvalidInput("by", "must name a key column of the release", name, remedy=remedy)
        return self.keys[name]


def drawn_together(mechanism: Mechanism, k: int) -> bool:
    """Whether a group's answers add up to n, since they come from one draw: a histogram, or the
    count of one of two.
    """
    return isinstance(mechanism.form, Folded) or k == 2


def point_numbers(form: Folded, outputs: Integers) -> Integers:
    """The number of each released histogram, counts in 0..n, among the points of the domain; -1
    for what is none.
    """
    n, k = form.domain.n, form.domain.k
    if (n + 1) ** k < 1 << 62:
        # the counts as the digits of one number: points are in ascending order of it
        digits = (n + 1) ** np.arange(k - 1, -1, -1, dtype=np.int64)
        known, codes = np.array(form.domain.points, dtype=np.int64) @ digits, outputs @ digits
        found = np.minimum(np.searchsorted(known, codes), len(known) - 1)
        return np.where(known[found] == codes, found, -1)
    seen, place = np.unique(outputs, axis=0, return_inverse=True)
    numbers = [form.domain.number(tuple(row)) if sum(row) == n else -1 for row in seen.tolist()]
    return np.array(numbers, dtype=np.int64)[place.reshape(-1)]


def _check(sample: HistogramSample) -> None:
    """Refuse what no mechanism of the sample could have released."""
    groups, k = len(sample.sizes), len(sample.answers)
    if sample.outputs.shape != (groups, k):
        raise InvalidInput(
            "outputs",
            f"must have {groups:,} rows of {k} counts, one for each answer",
            f"shape {sample.outputs.shape}",
        )
    if not groups:
        raise InvalidInput("outputs", "has no groups", remedy="there is nothing to estimate from")
    _refuse(
        sample, (sample.outputs < 0) | (sample.outputs > sample.sizes[:, None]), "must be in 0..n"
    )
    for n, rows in sample.rows_by_size():
        if n == 0:
            continue
        mechanism = sample.mechanisms.get(n)
        if mechanism is None:
            known = ", ".join(map(str, sorted(sample.mechanisms)[:12]))
            raise InvalidInput(
                "mechanism", f"is missing for groups of size {n}", found=f"sizes {known}"
            )
        form = mechanism.form
        if mechanism.n != n or (isinstance(form, Folded) and form.domain.k != k):
            rule = f"for groups of size {n} must be of that size, and over {k} answers or counts"
            raise InvalidInput("mechanism", rule, str(mechanism.domain))
        wrong = np.zeros(groups, dtype=np.bool_)
        if drawn_together(mechanism, k):
            wrong[rows] = sample.outputs[rows].sum(axis=1) != n
            _refuse(
                sample,
                wrong,
                "must add up to n, since the answers of such a group are drawn together",
            )
        if isinstance(form, Folded):
            numbers = point_numbers(form, sample.outputs[rows])
            wrong[rows] = ~given_outputs(form)[numbers]
        else:
            counts = sample.outputs[rows][:, :1] if k == 2 else sample.outputs[rows]
            wrong[rows] = ~_possible_counts(mechanism, counts)
        _refuse(sample, wrong, "must be one that the mechanism can give")


def given_outputs(form: Folded) -> NDArray[np.bool_]:
    """Whether each point is ever given: by privacy an output possible for one true histogram is
    possible for all.
    """
    orbits, points = form.orbits, form.domain.points
    return np.array([form.values[orbits.of(point, points[0])] > 0 for point in points])


def _possible_counts(mechanism: Mechanism, counts: Integers) -> NDArray[np.bool_]:
    """Whether rows hold counts that are ever given: only a matrix that is no closed form may
    have rows of zeros.
    """
    if not isinstance(mechanism.form, (Dense, Relabelled)):
        return np.ones(len(counts), dtype=np.bool_)
    seen, place = np.unique(counts, return_inverse=True)
    column, _ = mechanism.form.column(0)
    possible = np.array([column[y] > 0 for y in seen.tolist()])
    return np.asarray(possible[place.reshape(counts.shape)].all(axis=1))


def _refuse(sample: HistogramSample, wrong: NDArray[np.bool_], rule: str) -> None:
    """Refuse the first wrong row, by its number: what it holds is released, but may not be what
    was released.
    """
    if wrong.any():
        row = int(np.flatnonzero(wrong if wrong.ndim == 1 else wrong.any(axis=1))[0])
        raise InvalidInput(
            "outputs", f"{rule} (row {row + 1}, a group of {sample.sizes[row]})", remedy=_EDITED
        )
