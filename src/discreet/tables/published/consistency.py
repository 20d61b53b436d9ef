"""Whether the parts of a bundle say the same: whatever can be derived is derived again and compared.

    the manifest     epsilon against alpha, the draws against the total and their shares, the sizes against the number
                     of groups, and the statement of the guarantee against its wording
    the mechanisms   each one's size, alpha, epsilon, properties, loss and prior against what the manifest says of it
    the table        its columns, its sizes, every count within 0..n, and intervals that are those of their counts

What no file can show is said in `UNKNOWN`. Whoever edits a manifest so that all this agrees has made another true
statement about the mechanisms, and a ledger still holds the digest of the one that was published.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from discreet.core.domains import Counts
from discreet.core.family import BySize, Family, range_words, read_range
from discreet.core.forms import Dense, Relabelled
from discreet.core.losses import Loss, read_loss, read_prior
from discreet.core.mechanism import Mechanism
from discreet.core.properties import read_shape
from discreet.core.rationals import (
    MAX_EPSILON,
    MIN_EPSILON,
    SLACK,
    Alpha,
    exp_minus,
    product_below,
    read_alpha,
    read_fraction,
    shown,
)
from discreet.errors import Contradiction, InvalidInput
from discreet.proof import container
from discreet.tables.asking.price import Promise, statement, wording_of
from discreet.tables.published.drawn import Drawn
from discreet.tables.published.histogram_facts import HistogramReader, check_cells, check_entry
from discreet.tables.published.manifest import FORMATS, GIVEN, PARTS, SIZE, CountFacts, Manifest, write_fraction
from discreet.tables.published.steps_checked import check_cap, check_step, check_steps
from discreet.tables.published.table_files import whole_column

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from discreet.core.certificate import Problem
    from discreet.tables.noise import Readings

UNKNOWN = (
    "No file can show whether the table was really drawn by these mechanisms, from which data, or what the manifest "
    "says of the source: who is a person, how the rows were chosen, what each count means, and who asked."
)


def check_manifest(manifest: Manifest) -> None:
    """Check what the manifest says against itself."""
    _check_words(manifest)
    _check_groups(manifest)
    _check_price(manifest)
    promise = Promise(
        epsilon=Fraction(manifest.epsilon),
        counts=len(manifest.counts),
        contributions=manifest.contributions,
        checked=manifest.contributions_checked,
        of_people=manifest.source == "people",
        histograms=any(count.answers for count in manifest.counts),
        together=any(count.step > 1 for count in manifest.counts),
        cap=manifest.cap,
    )
    if manifest.wording != (own := wording_of(promise)):
        _differ("wording", f"must be {own}, that of such questions", manifest.wording)
    if manifest.guarantee != statement(promise, manifest.wording):
        _differ("guarantee", "is not the statement of the manifest's other facts")


def check_mechanisms(manifest: Manifest, entries: Mapping[str, Family | Mechanism]) -> Drawn:
    """Check each proof against what the manifest says of the draws made with it; return the mechanisms by size."""
    paid: dict[str, set[Fraction]] = {}
    sizes = tuple(sorted(map(int, manifest.groups_by_size)))
    by_size = []
    for count in manifest.counts:
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
                _differ("mechanism", f"{where} is for another size, or for other sizes too")
            alpha, told = entry.privacy.value, count.cell_alpha if name in cells else count.alpha
            if count.step > 1:
                paid[name].add(check_step(count, entry, largest, where))
            elif not count.answers and isinstance(entry, Mechanism) and entry.domain != Counts(entry.n):
                _differ("domain", f"{where} must be that of its mechanism, {entry.domain}", "counts")
            elif alpha != Fraction(told):
                _differ("alpha", f"{where} must be that of its mechanism, {shown(alpha)}", told)
            elif count.answers and check_entry(count, entry, where, cell=name in cells):
                continue
            # of a family the largest: at n = 1 every loss is L0, and a lopsided prior may look uniform
            _check_problem(manifest, entry.mechanism(entry.sizes[-1][1]) if isinstance(entry, Family) else entry, where)
        single = {m.n: m for name in named if isinstance(m := entries[name], Mechanism)}
        found = tuple(f for name in named if isinstance(f := entries[name], Family))
        by_size.append(BySize(sizes, found, single))
    for name, epsilons in paid.items():
        # two counts may share a mechanism: its file names one of them
        if (epsilon := entries[name].privacy.epsilon) not in epsilons:
            told = ", ".join(map(shown, sorted(epsilons)))
            _differ("epsilon", f"must be that of its mechanism, {shown(epsilon)}", told)
    return Drawn([count.name for count in manifest.counts], by_size)


def _check_ranges(name: str, ranges: list[tuple[int, int]], sizes: tuple[int, ...]) -> None:
    """Each size of the table lies in exactly one range, and ranges begin and end at such sizes."""
    known, covered, before = set(sizes), 0, -1
    for low, high in sorted(ranges):
        if low <= before or high < low or not {low, high} <= known:
            rule = f"of {name} must be by ranges that are apart, and begin and end at sizes in `groups_by_size`"
            _differ("mechanisms", rule, range_words(low, high))
        before = high
        covered += bisect_right(sizes, high) - bisect_left(sizes, low)
    if covered != len(sizes):
        _differ("mechanisms", f"of {name} must be one for each size in `groups_by_size`")


def check_table(manifest: Manifest, mechanisms: Drawn, batches: Iterable[Any]) -> None:
    """Check the table's rows, a batch at a time: sizes, ranges, and intervals where there are any."""
    readers = [
        HistogramReader(count, mechanisms.by_size(count.name))
        if count.answers
        else _Reader(count, mechanisms, manifest)
        for count in manifest.counts
    ]
    found: Counter[int] = Counter()
    rows = 0
    for batch in batches:
        sizes = np.full(len(batch), manifest.cap) if manifest.cap else whole_column(batch, manifest.size)
        values, times = np.unique(sizes, return_counts=True)
        if unknown := [n for n in values.tolist() if str(n) not in manifest.groups_by_size]:
            _differ("table", f"must have the 0 groups of size {unknown[0]} its manifest names", "some")
        found.update(dict(zip(values.tolist(), times.tolist(), strict=True)))
        for reader in readers:
            reader.check(batch, sizes, rows)
        rows += len(sizes)
    if rows != manifest.groups:
        _differ("table", f"must have the {manifest.groups:,} groups its manifest names", rows)
    for size, groups in manifest.groups_by_size.items():
        if found[int(size)] != groups:
            _differ("table", f"must have the {groups:,} groups of size {size} its manifest names", found[int(size)])


def _differ(
    parameter: str, rule: str, value: object = ..., *, found: object = ..., remedy: str = "it was edited"
) -> NoReturn:
    raise Contradiction(parameter, rule, value, found=found, remedy=remedy)


def _check_words(manifest: Manifest) -> None:
    """The words that have a fixed set of values, and those that follow from others."""
    m, public, level = manifest, manifest.public, manifest.finest
    known = ("refuse", "drop", "") if not m.question else ("refuse", "drop")  # a copy of version 1 cannot tell
    for name, value, choices in (
        ("source", m.source, ("people", "counts")),
        ("nulls", m.nulls, ("refuse", "0", "1")),
        ("excess", m.excess.rows, known),
        ("excess", m.excess.keys, known),
        ("table_format", m.table_format, FORMATS),
        ("table", level.table, (f"table.{m.table_format}",)),
        ("proofs", m.proofs, ("",) if m.version == 1 else (container.NAME,)),
        ("size", m.size, ("" if m.cap else SIZE,)),
    ):
        if value not in choices:
            _differ(name, f"must be {' or '.join(filter(None, choices))}", value)
    if m.contributions_checked != bool(public.unit):
        _differ("contributions_checked", "must say whether `unit` names a column", m.contributions_checked)
    if public.unit and m.source == "counts":
        _differ("unit", "is for a table of people", found=public.unit)
    if public.size and m.source == "people":
        _differ("size", "is for a table of counts", found=public.size)
    if m.excess.rows == "drop" and not public.unit:
        _differ("excess", "must be refused where nothing tells people apart", m.excess.rows)
    if m.escaped and m.table_format != "csv":
        _differ("escaped", "is for a table in CSV", found=m.escaped)
    if level.keys != public.keys:
        _differ("keys", "of the finest level must be all that are public", ", ".join(level.keys))
    if not set(public.made) <= set(public.keys) or not all(public.made.values()):
        _differ("made", "must give keys that are made of columns what they are made of", ", ".join(public.made))
    try:
        shape = str(read_shape(level.properties))
    except InvalidInput:
        shape = ""
    if shape != level.properties:
        _differ("properties", "must be those of the proofs", level.properties)
    if m.version == 1 and m.mechanism_ids != set(m.mechanism_sha256):
        _differ("mechanism_sha256", "must have the digest of each mechanism that is used, and no other")


def _check_groups(manifest: Manifest) -> None:
    if not manifest.groups_by_size or not manifest.counts:
        _differ("release", "has no groups" if manifest.counts else "has no counts", remedy="there is nothing to read")
    if manifest.groups != sum(manifest.groups_by_size.values()):
        _differ("groups", "must be the sum of `groups_by_size`", manifest.groups)
    for size, groups in manifest.groups_by_size.items():
        if groups < 1:
            _differ("groups_by_size", f"must have a group of size {size} where it names one", groups)


def _check_price(manifest: Manifest) -> None:
    """Each epsilon against its alpha and its share, and the draws of one person against the total."""
    total = _privacy(manifest.epsilon, manifest.alpha, "of the release")
    draws = [_privacy(count.epsilon, count.alpha, f"of {count.name}") for count in manifest.counts]
    k, level = manifest.contributions, manifest.finest
    if k < 1:
        _differ("contributions", "must be at least 1", k)
    if any(count.cap for count in manifest.counts):
        check_cap(manifest)
    if any(count.step > 1 for count in manifest.counts):
        check_steps(manifest)
        k = 1  # all rows of a person are paid for by one draw
    if k * sum(draw.epsilon for draw in draws) != total.epsilon:
        rule = f"must be what the counts' epsilons come to, {k} row(s) a person"
        _differ("epsilon", rule, manifest.epsilon)
    if level.share != "1/1":
        _differ("share", "of the only level must be all of epsilon", level.share)
    for count, draw in zip(manifest.counts, draws, strict=True):
        if count.answers:
            check_cells(manifest, count)
        share = write_fraction(k * draw.epsilon / total.epsilon)
        if count.share != share:
            _differ("share", f"of {count.name} must be what its draws cost of epsilon, {share}", count.share)
    if k * len(draws) == 1:
        if draws[0].value != total.value:
            _differ("alpha", "must be that of the only count", manifest.alpha)
    # Releases made before shares were rounded toward privacy stated the alpha of one draw at the whole epsilon, or the
    # one asked for: a few parts in 10^10 above what their draws come to. Their epsilon was right.
    elif total.value > product_below((draw.value for draw in draws), k) and total not in (
        read_alpha(epsilon=total.epsilon),
        read_alpha(alpha=total.value),
    ):
        _differ("alpha", f"must be at most what the counts' alphas come to, {k} row(s) a person", manifest.alpha)


def _privacy(epsilon: str, alpha: str, where: str) -> Alpha:
    """Read a pair that must be one parameter: exp(-epsilon) <= alpha, and by no more than reading rounds."""
    price, value = Fraction(epsilon), Fraction(alpha)
    for name, text, read in (("epsilon", epsilon, price), ("alpha", alpha, value)):
        if text != write_fraction(read):
            _differ(name, f"{where} must be in lowest terms", text)
    if not MIN_EPSILON <= price <= MAX_EPSILON:
        _differ("epsilon", f"{where} must be between 1e-15 and {MAX_EPSILON}", shown(price))
    # twice: once for the share of an alpha, once for the fraction near it
    if not exp_minus(price)[1] <= value <= exp_minus(price * (1 - 2 * SLACK))[0]:
        _differ("alpha", f"{where} must be exp(-epsilon) for epsilon = {shown(price)}", shown(value))
    return Alpha(value=value, epsilon=price)


def _check_problem(manifest: Manifest, m: Mechanism, where: str) -> None:
    """The mechanism has the properties named, and solves the problem named where its proof says which it solves."""
    shape, problem = read_shape(manifest.properties), m.origin.problem
    if problem is None:
        if not m.satisfies(shape):
            _differ("properties", f"do not hold for the mechanism {where}", found=manifest.properties)
        return
    if problem.shape != shape:
        _differ("properties", f"must be those of the mechanism {where}, {problem.shape or 'none'}", manifest.properties)
    try:
        same_loss, same_prior = _same_loss(manifest.loss, problem), _same_prior(manifest.prior, problem)
    except InvalidInput as error:
        raise Contradiction(error.parameter, "must be a word that names one", error.value) from None
    if not same_loss:
        _differ("loss", f"must be that of the mechanism {where}, {problem.loss.name}", manifest.loss)
    if not same_prior:
        _differ("prior", f"must be that of the mechanism {where}, {problem.prior.name}", manifest.prior)


def _same_loss(told: str, problem: Problem) -> bool:
    if told == GIVEN:
        return True
    try:
        named = read_loss(told, problem.n, problem.over)
    except InvalidInput:
        named = read_loss(read_fraction("loss", told), problem.n, problem.over)  # a power given as a number
    if _by_rows(named) or _by_rows(problem.loss):
        return named.matrix == problem.loss.matrix
    return named.spec == problem.loss.spec


def _by_rows(loss: Loss) -> bool:
    return loss.table is not None or loss.rounded


def _same_prior(told: str, problem: Problem) -> bool:
    if told == GIVEN:
        return True
    if told == "uniform":
        return problem.prior.uniform
    named = read_prior(told, problem.n, problem.over)
    if problem.prior.table is None and problem.n > 1:  # two words say the same where they are the same
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
            possible = "" if not 0 <= outputs[row] <= n else ", and one that its mechanism can give,"
            rule = f"must be in 0..{n}{possible} for a group of {n} (row {before + row + 1})"
            _differ("outputs", rule, int(outputs[row]), remedy="the table was edited")
        if self._readings is None:
            return
        for part, expected in zip(PARTS, self._readings.columns(sizes, outputs), strict=True):
            column = f"{self.name}_{part}"
            found = np.asarray(batch.column(column).to_numpy(zero_copy_only=False), dtype=np.float64)
            if len(rows := np.flatnonzero(~np.isclose(found, expected, rtol=1e-9, atol=1e-9))):
                rule = f"has a {column} that does not belong to its count (row {before + int(rows[0]) + 1})"
                _differ("table", rule, remedy="it, or the confidence in the manifest, was edited")


def _never_given(m: Mechanism) -> list[int]:
    """Outputs that no true count gives: a private matrix has whole rows of zeros or none."""
    if not isinstance(m.form, Dense | Relabelled):
        return []
    return [output for output, chance in enumerate(m.column(0)) if not chance]
