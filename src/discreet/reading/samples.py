"""Released groups in memory: what was released for each group, and by which mechanism.

A sample is all that estimation ever sees. It comes from a release (its table, manifest and proof
files, checked against each other) or from plain outputs and a mechanism. Everything in it is
public.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import nan
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from discreet.core.forms import Dense, Relabelled
from discreet.errors import InvalidFile, InvalidInput, did_you_mean
from discreet.reading.levels.tree import distinct
from discreet.reading.totals import Tally

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism
    from discreet.tables.published.manifest import CountFacts, Manifest
    from discreet.tables.published.result import Release

Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """What a manifest says of the numbers besides their mechanisms; all empty for plain outputs."""

    created: str = ""
    dataset: str = ""
    definition: str = ""
    where: str = ""
    nulls: str = ""
    digest: str = ""
    """Of the table they are from."""
    contributions: int = 1
    """How many rows a person may have."""

    def counted(self, how_many: int) -> str:
        """So many people, or rows where a person may have several."""
        one = "person" if self.unit == "people" else "row"
        return f"{how_many:,} {one if how_many == 1 else self.unit}"

    @property
    def unit(self) -> str:
        """What is counted: people, or rows where a person may have several."""
        return "people" if self.contributions == 1 else "rows"


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Sample:
    """Groups: for each the index of its mechanism, its released number and its key."""

    mechanisms: tuple[Mechanism, ...]
    which: Integers
    outputs: Integers
    keys: Mapping[str, NDArray[Any]]
    name: str = "count"
    release: str = ""
    origin: Origin = Origin()

    def __len__(self) -> int:
        return len(self.outputs)

    def __repr__(self) -> str:
        return f"<Sample of {self.name!r}: {len(self):,} groups, {len(self.mechanisms)} sizes>"

    @cached_property
    def sizes(self) -> Integers:
        """The size of every group."""
        return np.array([m.n for m in self.mechanisms], dtype=np.int64)[self.which]

    @cached_property
    def histograms(self) -> list[tuple[Mechanism, Tally]]:
        """How often each mechanism released each output."""
        # mechanism and output in one number, for all of them at once: outputs are below 2^30
        seen, times = np.unique((self.which << 30) + self.outputs, return_counts=True)
        ends = np.searchsorted(seen, np.arange(1, len(self.mechanisms)) << 30)
        parts = zip(
            np.split(seen & ((1 << 30) - 1), ends),
            np.split(times.astype(np.float64), ends),
            strict=True,
        )
        tallies = (Tally(outputs=outputs, times=many) for outputs, many in parts)
        return list(zip(self.mechanisms, tallies, strict=True))

    def part(self, rows: NDArray[np.bool_] | Integers) -> Sample:
        """Some of the groups."""
        used, which = np.unique(self.which[rows], return_inverse=True)
        return Sample(
            mechanisms=tuple(self.mechanisms[i] for i in used),
            which=which.astype(np.int64),
            outputs=self.outputs[rows],
            keys={name: values[rows] for name, values in self.keys.items()},
            name=self.name,
            release=self.release,
            origin=self.origin,
        )

    def column(self, name: str) -> NDArray[Any]:
        """A key column by name."""
        if name not in self.keys:
            remedy = did_you_mean(name, self.keys) if self.keys else "this sample has no keys"
            raise InvalidInput("by", "must name a key column of the release", name, remedy=remedy)
        return self.keys[name]


def from_outputs(
    outputs: Any,
    mechanism: Mechanism | Mapping[int, Mechanism] | Sequence[Mechanism],
    sizes: Any = None,
) -> Sample:
    """Make a sample of plain outputs: with one mechanism, or with one per size and the sizes of
    the groups.
    """
    released = read_whole("outputs", outputs)
    _refuse_none(len(released), "outputs")
    several = isinstance(mechanism, (Mapping, Sequence))
    if isinstance(mechanism, Mapping):
        known = dict(mechanism)
    else:
        known = {m.n: m for m in (mechanism if isinstance(mechanism, Sequence) else [mechanism])}
    if sizes is None and several:
        raise InvalidInput("sizes", "must be given when there are several mechanisms")
    wanted = (
        np.full(len(released), next(iter(known))) if sizes is None else read_whole("sizes", sizes)
    )
    if len(wanted) != len(released):
        raise InvalidInput(
            "sizes", f"must hold one size for each of {len(released)} outputs", len(wanted)
        )
    return _assemble(released, wanted, known, keys={}, name="count", release="")


def from_release(release: Release, count: str | None = None) -> Sample:
    """Read the groups of a release, checking its table against its manifest."""
    manifest = release.manifest
    facts = manifest.count(count)
    sizes, (outputs,), keys = read_table_columns(release, (facts.name,))
    known = {n: release.mechanism(n, facts.name) for n in distinct(sizes).tolist()}
    found = _assemble(outputs, sizes, known, keys, facts.name, manifest.release)
    return replace(found, origin=origin_of(manifest, facts))


def origin_of(manifest: Manifest, facts: CountFacts) -> Origin:
    """What a manifest says of one count besides its mechanisms."""
    return Origin(
        created=manifest.created,
        dataset=manifest.dataset,
        definition=facts.definition,
        where=manifest.public.where,
        nulls=manifest.nulls,
        digest=manifest.finest.table_sha256,
        contributions=manifest.contributions,
    )


def read_table_columns(
    release: Release, columns: Sequence[str]
) -> tuple[Integers, list[Integers], dict[str, NDArray[Any]]]:
    """Read the sizes, some columns of whole numbers and the keys of a release, checking them
    against its manifest.
    """
    manifest, table = release.manifest, release.table
    for column in (*manifest.keys, *([] if manifest.cap else [manifest.size]), *columns):
        if column not in table.column_names:
            raise InvalidFile("table", f"lacks the column {column!r} that its manifest names")
    if table.num_rows != manifest.groups:
        raise InvalidFile(
            "table", f"must have the {manifest.groups:,} groups its manifest names", table.num_rows
        )
    _refuse_none(table.num_rows, "release")
    if manifest.cap:  # every group has as many places
        sizes = np.full(table.num_rows, manifest.cap, dtype=np.int64)
    else:
        sizes = read_whole("table", _column(table, manifest.size), manifest.size)
    present, times = np.unique(sizes, return_counts=True)
    listed = {str(n): int(k) for n, k in zip(present, times, strict=True)}
    for n in sorted({*listed, *manifest.groups_by_size}, key=lambda text: (len(text), text)):
        if listed.get(n, 0) != manifest.groups_by_size.get(n, 0):
            raise InvalidFile(
                "table",
                f"must have the {manifest.groups_by_size.get(n, 0):,} groups of size {n} its "
                "manifest names",
                listed.get(n, 0),
            )
    outputs = [read_whole("table", _column(table, name), name) for name in columns]
    return sizes, outputs, {name: _values(table.column(name)) for name in manifest.keys}


def _assemble(
    outputs: Integers,
    sizes: Integers,
    known: Mapping[int, Mechanism],
    keys: Mapping[str, NDArray[Any]],
    name: str,
    release: str,
) -> Sample:
    present, which = np.unique(sizes, return_inverse=True)
    for n in present:
        if int(n) not in known:
            raise InvalidInput(
                "mechanism", f"is missing for groups of size {n}", found=sorted(known)
            )
        if known[int(n)].n != n:
            raise InvalidInput(
                "mechanism", f"for groups of size {n} must have that size", known[int(n)].n
            )
    wrong = np.flatnonzero((outputs < 0) | (outputs > sizes))
    if len(wrong):
        k = int(wrong[0])
        raise InvalidInput(
            "outputs",
            f"must be in 0..{sizes[k]} for a group of {sizes[k]} (row {k + 1})",
            int(outputs[k]),
            remedy="the table does not belong to this mechanism, or was edited",
        )
    mechanisms = tuple(known[int(n)] for n in present)
    _refuse_impossible(mechanisms, which, outputs)
    return Sample(
        mechanisms=mechanisms,
        which=which.astype(np.int64),
        outputs=outputs,
        keys=keys,
        name=name,
        release=release,
    )


def _refuse_impossible(mechanisms: Sequence[Mechanism], which: Integers, outputs: Integers) -> None:
    """Refuse an output that its mechanism never gives: a given matrix may have rows of zeros."""
    for index, m in enumerate(mechanisms):
        if isinstance(m.form, (Dense, Relabelled)):
            never = np.array([not any(row) for row in m.form.dense().rows])
            wrong = np.flatnonzero((which == index) & never[np.where(which == index, outputs, 0)])
            if len(wrong):
                k = int(wrong[0])
                raise InvalidInput(
                    "outputs",
                    f"must be one that the mechanism can give (row {k + 1})",
                    int(outputs[k]),
                    remedy="the table does not belong to this mechanism, or was edited",
                )


def _column(table: Any, name: str) -> Any:
    """A column of numbers of an Arrow table; one with empty values as it is, to be refused."""
    from discreet.tables.published.table_files import column_numbers

    column = table.column(name)
    return column if column.null_count else column_numbers(column)


def _values(column: Any) -> NDArray[Any]:
    # one NaN for all of them: NaN equals nothing, and is found again as a key only if it is the
    # same object
    return np.array(
        [nan if value != value else value for value in column.to_pylist()], dtype=object
    )


def read_whole(parameter: str, values: Any, column: str = "") -> Integers:
    """Read whole numbers from a list, array or Arrow column."""
    where = f"column {column} " if column else ""
    empty = getattr(values, "null_count", 0)
    if empty := empty() if callable(empty) else empty:  # a method in Polars, a number in Arrow
        raise InvalidInput(parameter, f"{where}must not hold empty values ({empty} found)")
    array = np.asarray(values.to_numpy() if hasattr(values, "to_numpy") else values)
    if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
        raise InvalidInput(
            parameter, f"{where}must be a list of whole numbers", f"{array.dtype}, {array.ndim}-d"
        )
    return array.astype(np.int64)


def _refuse_none(groups: int, parameter: str) -> None:
    if not groups:
        raise InvalidInput(parameter, "has no groups", remedy="there is nothing to estimate from")
