"""Whether the parts of a bundle say the same: whatever can be derived is derived again and
compared.

    the manifest     against itself (`manifest_checks`), and what it says of several levels
                     (`level_tables`)
    the mechanisms   each one's size, alpha, epsilon, properties, loss and prior against what the
                     manifest says of it
    the table        its columns, its sizes, every count within 0..n, and intervals that are those
                     of their counts

What no file can show is said in `UNKNOWN`. Whoever edits a manifest so that all this agrees has
made another true statement about the mechanisms, and a ledger still holds the digest of the one
that was published.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from discreet.core.domains import Counts
from discreet.core.family import BySize, Family, range_words, read_range
from discreet.core.forms import Dense, Folded, Geometric, Relabelled
from discreet.core.histogram import Domain, Histogram
from discreet.core.losses import read_prior
from discreet.core.mechanism import Mechanism
from discreet.core.properties import read_shape
from discreet.core.rationals import product_below, shown
from discreet.errors import Contradiction, InvalidInput
from discreet.tables.published.checking.manifest_checks import differ, loss_named
from discreet.tables.published.drawn import Drawn
from discreet.tables.published.manifest import GIVEN, PARTS, CountFacts, Manifest
from discreet.tables.published.table_files import column_numbers, whole_column

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from discreet.core.certificate import Problem
    from discreet.tables.noise import Readings

UNKNOWN = (
    "No file can show whether the table was really drawn by these mechanisms, from which data, or "
    "what the manifest says of the source: who is a person, how the rows were chosen, what each "
    "count means, and who asked."
)


def check_mechanisms(manifest: Manifest, entries: Mapping[str, Family | Mechanism]) -> Drawn:
    """Check each proof against what the manifest says of the draws made with it; return the
    mechanisms by size.
    """
    paid: dict[str, set[Fraction]] = {}
    drawn = [_check_level(manifest, place, entries, paid) for place in range(len(manifest.levels))]
    for name, epsilons in paid.items():
        # two counts may share a mechanism: its file names one of them
        if (
            epsilon := entries[name].privacy.epsilon
        ) not in epsilons and not manifest.mechanisms_given:
            stated = ", ".join(map(shown, sorted(epsilons)))
            differ("epsilon", f"must be that of its mechanism, {shown(epsilon)}", stated)
    names = [count.name for count in manifest.counts]
    return Drawn(names, drawn[0], [Drawn(names, by_size) for by_size in drawn[1:]])


def _check_level(
    manifest: Manifest,
    place: int,
    entries: Mapping[str, Family | Mechanism],
    paid: dict[str, set[Fraction]],
) -> list[BySize]:
    """Check the proofs of one level's counts; `paid` gathers what their draws cost, by the name
    of the proof.
    """
    level = manifest.levels[place]
    # the loss and prior asked for are those of the finest level
    asked = manifest if place == 0 else replace(manifest.at(place), loss="L0", prior="uniform")
    sizes = tuple(sorted(map(int, level.groups_by_size)))
    by_size = []
    for count in level.counts:
        named: dict[str, list[tuple[int, int]]] = {}
        for drawn, price in ((count.mechanisms, count.epsilon), (count.cells, count.cell_epsilon)):
            for words, name in drawn.items():
                named.setdefault(name, []).append(read_range(words))
                paid.setdefault(name, set()).add(Fraction(price))
        _check_ranges(count.name, [each for ranges in named.values() for each in ranges], sizes)
        cells = set(count.cells.values())
        for name, ranges in named.items():
            entry, (least, largest) = entries[name], ranges[0]
            where = f"of {count.name} for groups of size {range_words(least, largest)}"
            its_own = entry.sizes if isinstance(entry, Family) else ((entry.n, entry.n),)
            if tuple(sorted(ranges)) != its_own:
                differ("mechanism", f"{where} is for another size, or for other sizes too")
            if manifest.mechanisms_given:
                _check_given(manifest, count, entry, where)
                continue
            alpha, told = entry.privacy.value, count.cell_alpha if name in cells else count.alpha
            if count.step > 1:
                paid[name].add(_check_step(count, entry, largest, where))
            elif (
                not count.answers
                and isinstance(entry, Mechanism)
                and entry.domain != Counts(entry.n)
            ):
                differ("domain", f"{where} must be that of its mechanism, {entry.domain}", "counts")
            elif alpha != Fraction(told):
                differ("alpha", f"{where} must be that of its mechanism, {shown(alpha)}", told)
            elif count.answers and _check_entry(count, entry, where, cell=name in cells):
                continue
            # of a family the largest: at n = 1 every loss is L0, and a lopsided prior may look
            # uniform
            _check_problem(
                asked,
                entry.mechanism(entry.sizes[-1][1]) if isinstance(entry, Family) else entry,
                where,
            )
        single = {m.n: m for name in named if isinstance(m := entries[name], Mechanism)}
        found = tuple(f for name in named if isinstance(f := entries[name], Family))
        by_size.append(BySize(sizes, found, single))
    return by_size


def _check_given(
    manifest: Manifest, count: CountFacts, entry: Family | Mechanism, where: str
) -> None:
    """Check the proof of a mechanism that was given: it is about what was drawn, is paid for, and
    has what was asked.

    It was not designed for the release, so nothing is said of loss and prior, and it need not have
    the count's alpha but that or more: its draw then costs no more than the count's epsilon.
    """
    if isinstance(entry, Family):
        differ("mechanisms_given", "is for mechanisms that each have a proof", found=True)
    problem = entry.origin.problem
    if manifest.retrofit and (problem is None or not problem.derivable):
        differ("retrofit", f"needs a proof that the mechanism {where} derives from GM")
    if entry.domain != (wanted := _domain(count, entry.n)):
        differ("domain", f"{where} must be that of its mechanism, {entry.domain}", str(wanted))
    if entry.alpha < Fraction(count.alpha):
        differ(
            "alpha",
            f"{where} must be at most that of its mechanism, {shown(entry.alpha)}",
            count.alpha,
        )
    if not entry.satisfies(read_shape(manifest.properties)):
        differ("properties", f"do not hold for the mechanism {where}", found=manifest.properties)


def _domain(count: CountFacts, n: int) -> Domain:
    """What a group of n people can answer; an empty group has one answer."""
    if count.answers and n:
        return Histogram(n, len(count.answers))
    return Counts(n, max(1, min(count.step, n)))


def _check_step(count: CountFacts, entry: Family | Mechanism, largest: int, where: str) -> Fraction:
    """Check that a draw protects all rows of a person at the count's alpha; return the epsilon its
    proof must name.

    Either its mechanism was designed for that step (in a group of n rows one person moves at most
    n), or it is that of a plain count whose alpha, once for each row, comes to no less.
    """
    epsilon, alpha, own = Fraction(count.epsilon), Fraction(count.alpha), entry.privacy.value
    far = entry.domain if isinstance(entry, Mechanism) else Counts(largest)
    if far == Counts(largest, max(1, min(count.step, largest))):
        if own != alpha:
            differ("alpha", f"{where} must be that of its mechanism, {shown(own)}", count.alpha)
        return epsilon
    if far != Counts(largest) or product_below((own,), count.step) < alpha:
        rule = (
            f"{where} must protect {count.step} rows of one person at once, and its mechanism "
            "does not"
        )
        differ("step", rule)
    if entry.privacy.epsilon != epsilon / count.step:
        rule = f"{where} must be what one of a person's rows pays, {shown(epsilon / count.step)}"
        differ("epsilon", rule, shown(entry.privacy.epsilon))
    return epsilon / count.step


def _check_entry(count: CountFacts, entry: Family | Mechanism, where: str, *, cell: bool) -> bool:
    """Check that a proof is about what was drawn with it: the whole histogram, or one count of it
    by GM.

    True where nothing more is said of it: a cell is GM whatever was asked, and an empty group has
    one histogram.
    """
    k, one = len(count.answers), isinstance(entry, Family) or entry.domain == Counts(entry.n)
    if cell:
        some = entry.form(entry.sizes[0][0]) if isinstance(entry, Family) else entry.form
        if not one or not isinstance(some, Geometric):
            differ("cells", f"{where} must be drawn by GM")
        return True
    if isinstance(entry, Mechanism) and entry.n == 0:
        if not one:
            differ("mechanism", f"{where} is not one of counts")
        return True
    if isinstance(entry, Family) or entry.domain != Histogram(entry.n, k):
        differ("mechanism", f"{where} is not one of histograms over {k} answers")
    return False


def _check_ranges(name: str, ranges: list[tuple[int, int]], sizes: tuple[int, ...]) -> None:
    """Each size of the table lies in exactly one range, and ranges begin and end at such sizes."""
    known, covered, before = set(sizes), 0, -1
    for low, high in sorted(ranges):
        if low <= before or high < low or not {low, high} <= known:
            rule = (
                f"of {name} must be by ranges that are apart, and begin and end at sizes in "
                "`groups_by_size`"
            )
            differ("mechanisms", rule, range_words(low, high))
        before = high
        covered += bisect_right(sizes, high) - bisect_left(sizes, low)
    if covered != len(sizes):
        differ("mechanisms", f"of {name} must be one for each size in `groups_by_size`")


def check_table(manifest: Manifest, mechanisms: Drawn, batches: Iterable[Any]) -> None:
    """Check the table's rows, a batch at a time: sizes, ranges, and intervals where there are
    any.
    """
    readers = [
        _HistogramReader(count, mechanisms.by_size(count.name))
        if count.answers
        else _Reader(count, mechanisms, manifest)
        for count in manifest.counts
    ]
    found: Counter[int] = Counter()
    rows = 0
    for batch in batches:
        sizes = (
            np.full(len(batch), manifest.cap)
            if manifest.cap
            else whole_column(batch, manifest.size)
        )
        values, times = np.unique(sizes, return_counts=True)
        if unknown := [n for n in values.tolist() if str(n) not in manifest.groups_by_size]:
            differ(
                "table", f"must have the 0 groups of size {unknown[0]} its manifest names", "some"
            )
        found.update(dict(zip(values.tolist(), times.tolist(), strict=True)))
        for reader in readers:
            reader.check(batch, sizes, rows)
        rows += len(sizes)
    if rows != manifest.groups:
        differ("table", f"must have the {manifest.groups:,} groups its manifest names", rows)
    for size, groups in manifest.groups_by_size.items():
        if found[int(size)] != groups:
            differ(
                "table",
                f"must have the {groups:,} groups of size {size} its manifest names",
                found[int(size)],
            )


def _check_problem(manifest: Manifest, m: Mechanism, where: str) -> None:
    """The mechanism has the properties named, and solves the problem named where its proof says
    which it solves.
    """
    shape, problem = read_shape(manifest.properties), m.origin.problem
    if problem is None:
        if not m.satisfies(shape):
            differ(
                "properties", f"do not hold for the mechanism {where}", found=manifest.properties
            )
        return
    if problem.shape != shape:
        differ(
            "properties",
            f"must be those of the mechanism {where}, {str(problem.shape) or 'none'}",
            manifest.properties,
        )
    try:
        same_loss, same_prior = (
            _same_loss(manifest.loss, problem),
            _same_prior(manifest.prior, problem),
        )
    except InvalidInput as error:
        raise Contradiction(error.parameter, "must be a word that names one", error.value) from None
    if not same_loss:
        differ("loss", f"must be that of the mechanism {where}, {problem.loss.name}", manifest.loss)
    if not same_prior:
        differ(
            "prior", f"must be that of the mechanism {where}, {problem.prior.name}", manifest.prior
        )


def _same_loss(stated: str, problem: Problem) -> bool:
    if stated == GIVEN:
        return True
    named = loss_named(stated, problem.n, problem.over)
    if (
        problem.loss.table is not None or problem.loss.rounded
    ):  # of few people, where a closed form can be of 10^9
        return named.matrix == problem.loss.matrix
    return named.spec == problem.loss.spec


def _same_prior(stated: str, problem: Problem) -> bool:
    if stated == GIVEN:
        return True
    if stated == "uniform":
        return problem.prior.uniform
    named = read_prior(stated, problem.n, problem.over)
    if (
        problem.prior.table is None and problem.n > 1
    ):  # two words say the same where they are the same
        return named == problem.prior
    return named.weights == problem.prior.weights


class _Reader:
    """One count's column, and the intervals beside it."""

    def __init__(self, count: CountFacts, mechanisms: Drawn, manifest: Manifest) -> None:
        self.name = count.name
        by_size = mechanisms.by_size(count.name)
        self._never = {n: never for n, m in by_size.single.items() if (never := _never_given(m))}
        self._readings: Readings | None = None
        if manifest.confidence:
            from discreet.tables.noise import Readings

            self._readings = Readings(by_size, Fraction(manifest.confidence))

    def check(self, batch: Any, sizes: NDArray[np.int64], before: int) -> None:
        outputs = whole_column(batch, self.name)
        wrong = (outputs < 0) | (outputs > sizes)
        for n, never in self._never.items():
            wrong |= (sizes == n) & np.isin(outputs, never)
        if len(rows := np.flatnonzero(wrong)):
            row, n = int(rows[0]), sizes[rows[0]]
            possible = (
                "" if not 0 <= outputs[row] <= n else ", and one that its mechanism can give,"
            )
            rule = f"must be in 0..{n}{possible} for a group of {n} (row {before + row + 1})"
            differ("outputs", rule, int(outputs[row]), remedy="the table was edited")
        if self._readings is None:
            return
        names = [f"{self.name}_{part}" for part in PARTS]
        found = [np.asarray(column_numbers(batch.column(name)), dtype=np.float64) for name in names]
        if unlike := _first_unlike(found, self._readings.columns(sizes, outputs)):
            column, row = unlike
            rule = (
                f"has a {names[column]} that does not belong to its count (row {before + row + 1})"
            )
            differ("table", rule, remedy="it, or the confidence in the manifest, was edited")


def _first_unlike(
    found: Sequence[NDArray[Any]], expected: Sequence[NDArray[Any]]
) -> tuple[int, int] | None:
    """The column and the row of the first number that is not the expected one."""
    for column, (numbers, others) in enumerate(zip(found, expected, strict=True)):
        if len(rows := np.flatnonzero(~np.isclose(numbers, others, rtol=1e-9, atol=1e-9))):
            return column, int(rows[0])
    return None


def _never_given(m: Mechanism) -> list[int]:
    """Outputs that no true count gives: a private matrix has whole rows of zeros or none."""
    if not isinstance(m.form, Dense | Relabelled):
        return []
    return [output for output, chance in enumerate(m.column(0)) if not chance]


class _HistogramReader:
    """The columns of one question with several answers."""

    def __init__(self, count: CountFacts, by_size: BySize) -> None:
        self.count = count
        self._joint = [m for m in by_size.single.values() if isinstance(m.form, Folded)]

    def check(self, batch: Any, sizes: NDArray[np.int64], before: int) -> None:
        """Every count in 0..n; where the histogram was drawn whole, they add up and are what its
        mechanism can give.
        """
        outputs = np.stack([whole_column(batch, name) for name in self.count.outputs], axis=1)
        outside = ((outputs < 0) | (outputs > sizes[:, None])).any(axis=1)
        self._refuse(np.asarray(outside), sizes, before, "be in 0..n")
        total = outputs.sum(axis=1)
        for mechanism in self._joint:
            rows = np.flatnonzero(sizes == mechanism.n)
            wrong = np.zeros(len(sizes), dtype=np.bool_)
            wrong[rows] = total[rows] != mechanism.n
            self._refuse(wrong, sizes, before, "add up to n")
            if never := _never_given_points(mechanism):
                wrong[rows] = [tuple(point) in never for point in outputs[rows].tolist()]
                self._refuse(wrong, sizes, before, "be a histogram that its mechanism can give")

    def _refuse(
        self, wrong: NDArray[np.bool_], sizes: NDArray[np.int64], before: int, rule: str
    ) -> None:
        if len(rows := np.flatnonzero(wrong)):
            row = int(rows[0])
            where = f"for a group of {sizes[row]} (row {before + row + 1})"
            differ(
                "outputs",
                f"of {self.count.name} must {rule} {where}",
                remedy="the table was edited",
            )


def _never_given_points(mechanism: Mechanism) -> set[tuple[int, ...]]:
    """Histograms that no true one gives: a private matrix has whole rows of zeros or none."""
    form = mechanism.form
    if not isinstance(form, Folded):
        return set()
    column, _ = form.column(0)
    return {point for point, chance in zip(form.domain.points, column, strict=True) if not chance}
