"""Whole numbers that add up in the published tables: a column `<count>_whole` for each count, of
every level.

They are a function of the released counts, the sizes and the mechanisms alone
(`reading.parts.whole_numbers`), so they cost no privacy, and whoever reads the bundle makes them
again and compares.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from discreet.errors import InvalidInput
from discreet.tables.engines import DESCRIPTION
from discreet.tables.published.checking.manifest_checks import differ
from discreet.tables.published.drawn import Drawn
from discreet.tables.published.manifest import WHOLE, Manifest

if TYPE_CHECKING:
    from discreet.tables.asking.question import Question
    from discreet.tables.published.result import Release


def whole_name(count: str) -> str:
    """The column of whole numbers beside a count's own."""
    return f"{count}_{WHOLE}"


def with_adding_up(question: Question, given: Any) -> Question:
    """Return the question with whole numbers beside its counts; their columns must have names of
    their own.
    """
    if given is not True:
        raise InvalidInput("adding_up", "must be true or false", given)
    known = {name.casefold() for name in question.output_columns}
    for name in (whole_name(output) for count in question.counts for output in count.outputs):
        if name.casefold() in known:
            rule = f"would give the output two columns named {name}"
            raise InvalidInput("adding_up", rule, remedy="rename the count or the key")
    return replace(question, adding_up=True)


def check_whole(engine: str, mechanisms: Drawn, question: Question, levels: int) -> None:
    """Refuse, before anything is paid, what could not be brought to whole numbers afterwards."""
    from discreet.reading.histograms.answer_values import unreadable_note
    from discreet.reading.levels.level_noise import mechanism_noise
    from discreet.reading.methods.debiasing import NotEstimable

    if engine == "spark":
        remedy = "release without it, and read the bundle with `discreet estimate --adding-up`"
        raise InvalidInput(
            "adding_up",
            "is not made by Spark, because it needs all groups in one place",
            remedy=remedy,
        )
    first = np.zeros(1, dtype=np.int64)
    for place, count in product(range(levels), question.counts):
        by_size = mechanisms.level(place).by_size(count.name)
        if count.answers is not None:
            if note := unreadable_note(count.name, [by_size[n] for n in by_size.sizes]):
                raise NotEstimable(
                    note, remedy="leave out `adding_up`, or the mechanism of these sizes"
                )
        elif by_size.single or {family.kind for family in by_size.families} != {
            "geometric"
        }:  # GM is always read
            for n in by_size.sizes:
                mechanism_noise([by_size[n]], first)


def drawn_whole(manifest: Manifest, mechanisms: Drawn, drawn: Iterator[Any]) -> Iterator[Any]:
    """The tables of all levels, drawn, with their whole numbers."""
    from discreet.tables.published.result import Release

    finest, *coarser = (rows.read_all() for rows in drawn)
    held = Release(manifest=manifest, mechanisms=mechanisms, rows=finest, coarser=tuple(coarser))
    return iter(with_whole_numbers(held))


def with_whole_numbers(release: Release) -> list[Any]:
    """Return the tables of a release in memory, the finest first, with a column of whole numbers
    for each count.
    """
    import pyarrow as pa

    tables = [release.level(place).table for place in range(len(release.manifest.levels))]
    for count in release.manifest.counts:
        for name, levels in _whole(release, count.name):
            for place, numbers in enumerate(levels):
                tables[place] = tables[place].append_column(
                    _field(name, count.name), pa.array(numbers, pa.int64())
                )
    return tables


def _field(name: str, count: str) -> Any:
    """The field of a column of whole numbers, with what it is."""
    import pyarrow as pa

    words = f"whole number for {count}, made so that all sums are right"
    return pa.field(name, pa.int64(), metadata={DESCRIPTION: words})


def check_whole_numbers(release: Release) -> None:
    """Check the columns of whole numbers of a bundle."""
    for count in release.manifest.counts:
        for name, levels in _whole(release, count.name):
            for place, numbers in enumerate(levels):
                if release.level(place).table[name].to_pylist() != numbers:
                    differ(
                        "table",
                        f"has a {name} that is not made of its counts",
                        remedy="it was edited",
                    )


def _whole(release: Release, count: str) -> Iterator[tuple[str, list[list[int]]]]:
    """The columns of whole numbers of a count, each with its numbers in the tables of all
    levels.
    """
    from discreet.reading.estimates import estimate
    from discreet.reading.parts.key_codes import key_rows

    read = estimate(release, count=count)
    whole = read.adding_up()
    places = []
    for sample in getattr(
        read, "coarser", ()
    ):  # a coarser group has finest groups in it, so every key is found
        names = tuple(sample.keys)
        table = whole.subtotals(names)
        rows = key_rows(table.columns, names) if names else {(): 0}
        keys = zip(*sample.keys.values(), strict=True) if names else [()]
        places.append((table, [rows[key] for key in keys]))
    for name, numbers in whole.columns.items():
        yield (
            whole_name(name),
            [numbers.tolist(), *(table[name][rows].tolist() for table, rows in places)],
        )
