"""A finished release: the private table, its manifest and its mechanisms, in memory or in a
bundle on disk.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.core.progress import Listener, Reporter
from discreet.core.rationals import in_decimals
from discreet.errors import Contradiction, InvalidFile, InvalidInput, about_file
from discreet.proof import Report, container
from discreet.proof.files import entry_bytes
from discreet.proof.kept import digest_of, known_files
from discreet.proof.loading import kept_contents, made_of, reported
from discreet.proof.reading import open_regular
from discreet.tables.engines import write_table
from discreet.tables.published import bundle
from discreet.tables.published.checking.consistency import check_mechanisms, check_table
from discreet.tables.published.checking.manifest_checks import check_manifest
from discreet.tables.published.drawn import Drawn
from discreet.tables.published.formulas import check_names, escaped
from discreet.tables.published.manifest import (
    NAME,
    Level,
    Manifest,
    file_digest,
    table_digest,
)
from discreet.tables.published.manifest_files import read_manifest
from discreet.tables.published.table_files import put_mark, read_batches, read_table

if TYPE_CHECKING:
    from discreet.core.family import Family
    from discreet.core.mechanism import Mechanism


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class Release:
    """What `dc.release` gives and `dc.read_release` reads."""

    manifest: Manifest
    mechanisms: Drawn
    """By content id, each made when it is asked for."""
    path: Path | None = None
    """The bundle's folder, when there is one."""
    rows: Any = None
    """The Arrow table of a release that was not written."""
    frame: Any = None
    """The Spark DataFrame of a release made by Spark: evaluated again it gives the same rows."""
    coarser: tuple[Any, ...] = ()
    """The tables, or frames, of the other levels of a release that was not written."""
    usual_format: str = "parquet"
    """The format in which a release in memory is saved unless another is asked for: csv if its
    source was CSV.
    """
    seconds: float = 0.0
    already: bool = False
    """Whether the run of this id had been made before: then nothing was done or spent now."""

    @property
    def table(self) -> Any:
        """The private table as Arrow, ordered by key."""
        if self.rows is not None:
            return self.rows
        if self.path is not None:
            return read_table(self.path, self.manifest)
        return self.frame.toArrow()

    @property
    def tables(self) -> dict[str, Any]:
        """The private table of every level as Arrow, by the name of the level ("region,clinic",
        "total").
        """
        return {name: self.level(place).table for place, (name, _) in enumerate(self._named())}

    def level(self, place: int) -> Release:
        """One level as a release by itself, by its `place`, the finest being the first."""
        if len(self.manifest.levels) == 1:
            return self
        held = {"rows": self.rows, "frame": self.frame}
        if place and self.path is None:
            held = dict.fromkeys(held) | {
                "frame" if self.rows is None else "rows": self.coarser[place - 1]
            }
        facts, mechanisms = self.manifest.at(place), self.mechanisms.level(place)
        return replace(self, manifest=facts, mechanisms=mechanisms, coarser=(), **held)

    def to_pandas(self) -> Any:
        """The private table as a pandas frame."""
        return self.table.to_pandas()

    def to_polars(self) -> Any:
        """The private table as a Polars frame."""
        import polars

        return polars.from_arrow(self.table)

    def mechanism(self, n: int, count: str | None = None) -> Mechanism:
        """The mechanism that released groups of size `n`; of several counts, that of `count`."""
        facts = self.manifest.count(count)
        if str(n) not in self.manifest.groups_by_size:
            raise InvalidInput("n", "must be a group size of the release", n)
        return self.mechanisms.of(facts.name, n)

    def to_dict(self) -> dict[str, Any]:
        """Return what was released, in a few plain values for JSON."""
        facts = self.manifest
        return {
            "release": facts.release,
            "path": None if self.path is None else str(self.path),
            "groups": facts.groups,
            "sizes": len(facts.groups_by_size),
            "counts": [count.name for count in facts.counts],
            "epsilon": facts.epsilon,
            "mechanisms": len(self.mechanisms.entries),
            "engine": facts.engine,
            "seconds": round(self.seconds, 3),
            "already": self.already,
            "public": self.public,
            **({"cap": facts.cap} if facts.cap else {}),
            **(
                {"levels": {name: level.groups for name, level in self._named()}}
                if len(facts.levels) > 1
                else {}
            ),
        }

    summary = to_dict  # the name it had first

    @property
    def public(self) -> str:
        """What is treated as public here, by name: it is not protected, however sensitive it may
        be.
        """
        public = (facts := self.manifest).public
        if facts.cap:
            from discreet.tables.asking.capping import public_with_cap

            return public_with_cap(public.told_keys)
        keys, merged = public.told_keys, ""
        if public.smallest:
            from discreet.tables.asking.smallest_groups import merged_apart

            keys, merged = merged_apart(keys, public.smallest)
        size = public.size or facts.size
        return public_here(
            keys=keys, size=size, where=public.where, unit=public.unit, merged=merged
        )

    def save(
        self,
        output: str | os.PathLike[str],
        *,
        format: str | None = None,
        escape_formulas: bool = False,
        byte_order_mark: bool = False,
        overwrite: bool = False,
    ) -> Release:
        """Write a release that is in memory as a bundle. The numbers stay those that were drawn:
        nothing is spent.

        `output` is the folder, and is replaced if `overwrite` is True; `format`, `escape_formulas`,
        `byte_order_mark` are those of `dc.release`. Without `format` a bundle that was read keeps
        its own.
        """
        format = self.manifest.table_format or self.usual_format if format is None else format
        bundle.check_format(
            format, escape_formulas=escape_formulas, byte_order_mark=byte_order_mark
        )
        if escape_formulas:
            check_names(self.manifest.columns)
        container.check_number(len(self.mechanisms.entries))
        target = bundle.check_output(output, overwrite=overwrite)
        folder = bundle.start(target, self.manifest.release)
        try:
            names = names_of([level.keys for level in self.manifest.levels], format)
            for place, name in enumerate(names):
                table = self.level(place).table
                write_table(escaped(table) if escape_formulas else table, folder, name, format)
            build = partial(_rewritten, replace(self.manifest, escaped=escape_formulas))
            saved = finish_bundle(
                folder, build, self.mechanisms, names, format, marked=byte_order_mark
            )
            bundle.publish(folder, target, self.manifest.release, overwrite=overwrite)
        except BaseException:
            bundle.discard(folder)
            raise
        return replace(self, manifest=saved, path=target, rows=None, frame=None, coarser=())

    def __str__(self) -> str:
        from discreet.show.releases import beside_counts, not_protected
        from discreet.show.text import folded

        beside = folded(beside_counts(self.manifest), width=79, first="  ", later="    ")
        said = self.manifest.retrofit.get("said")
        told = (
            folded(f"properties: {self.manifest.properties}. {said}", first="  ", later="  ")
            if said
            else []
        )
        return "\n".join((self._title(), *not_protected(self.public), *beside, *told))

    def __repr__(self) -> str:
        return f"<{self._title()}>"

    def _title(self) -> str:
        facts = self.manifest
        names = ", ".join(count.name for count in facts.counts)
        where, spent = f" in {self.path}" if self.path else "", in_decimals(Fraction(facts.epsilon))
        levels = f" at {len(facts.levels)} levels" if len(facts.levels) > 1 else ""
        return (
            f"Release {facts.release[:8]}: {names} for {facts.groups:,} groups{levels} at epsilon "
            f"{spent}{where}"
        )

    def _named(self) -> list[tuple[str, Level]]:
        """The levels by name."""
        from discreet.tables.asking.level_keys import level_name

        return [(level_name(level.keys), level) for level in self.manifest.levels]

    def _repr_html_(self) -> str:
        from discreet.show.releases import release_html

        return release_html(self)


def names_of(levels: Sequence[Sequence[str]], format: str) -> list[str]:
    """The files of the tables of a release with these keys, the finest first."""
    if len(levels) == 1:
        return [f"table.{format}"]
    from discreet.tables.published.level_tables import table_names

    return table_names(levels, format)


def finish_bundle(
    folder: Path,
    build: Callable[..., Manifest],
    mechanisms: Drawn,
    tables: Sequence[str],
    format: str,
    *,
    marked: bool = False,
) -> Manifest:
    """Add proofs and manifest to the tables in `folder`, and make all of it durable.

    The manifest is built once what it names is written: `build` takes the names and digests, and
    knows the rest. Tables that are `marked` begin with a byte-order mark.
    """
    for table in tables if marked else ():
        put_mark(folder / table)
    proofs = folder / container.NAME
    container.write_container(
        proofs, ((name, entry_bytes(entry)) for name, entry in mechanisms.entries.items())
    )
    whole = build(
        tables=[(table, table_digest(folder / table)) for table in tables],
        table_format=format,
        proofs=proofs.name,
        proofs_sha256=file_digest(proofs),
    )
    (folder / NAME).write_text(whole.text, encoding="utf-8", newline="\n")
    bundle.make_durable(folder)
    return whole


def _rewritten(
    manifest: Manifest, *, tables: Sequence[tuple[str, str]], **written: Any
) -> Manifest:
    """The manifest of a release in memory, or of another bundle, for the bundle it is now
    written to.
    """
    levels = tuple(
        replace(level, table=table, table_sha256=digest)
        for level, (table, digest) in zip(manifest.levels, tables, strict=True)
    )
    return replace(manifest, levels=levels, **written)


def read_release(path: str | os.PathLike[str], *, progress: Listener | None = None) -> Release:
    """Read the bundle in the folder `path`, checking that its parts belong together and say the
    same.

    A proof that this machine keeps, byte for byte, is not checked again: `discreet verify` checks
    all of them. `progress` is told how many of its proofs are read.
    """
    known = known_files()

    def load(data: bytes) -> Family | Mechanism:
        path = known.get(digest_of(data)) if known else None
        kept = None if path is None else kept_contents(data, path)
        return made_of(*kept) if kept else reported(data, write_out=False)[1]

    return _checked(path, load, progress)


def verified_release(
    path: str | os.PathLike[str], *, progress: Listener | None = None
) -> tuple[Release, dict[str, Report]]:
    """Read a bundle as `read_release` does, with every claim of its proofs; return their reports,
    by content id.

    The members of a family are written out too, as far as `proof.families` says.
    """
    reports: list[Report] = []

    def load(data: bytes) -> Family | Mechanism:
        report, entry = reported(data)
        reports.append(report)
        return entry

    release = _checked(path, load, progress)
    return release, {
        report.id: report for report in sorted(reports, key=lambda report: (report.n, report.id))
    }


def _checked(
    path: str | os.PathLike[str],
    load: Callable[[bytes], Family | Mechanism],
    progress: Listener | None,
) -> Release:
    folder = Path(path)
    manifest = read_manifest(folder)
    with about_file(folder):
        for level in manifest.levels:
            if not level.table or not (folder / level.table).exists():
                raise InvalidFile("table", "is missing from the release")
        check_manifest(manifest)
        for level in manifest.levels:
            if table_digest(folder / level.table) != level.table_sha256:
                raise Contradiction(
                    "table", "is not the one the manifest names: it was changed", found=level.table
                )
        found: dict[str, Family | Mechanism] = {}
        report, proofs = Reporter(progress), len(manifest.mechanism_ids)
        for name, data in _proofs(folder, manifest):
            report("checking proofs", len(found), proofs)
            found[name] = load(data)
            if found[name].id != name:
                raise Contradiction(
                    "mechanism", "is not the one its proof is named after", found=name
                )
        report("checking the table")
        mechanisms = check_mechanisms(manifest, found)
        for place in range(len(manifest.levels)):
            facts = manifest.at(place)
            check_table(facts, mechanisms.level(place), read_batches(folder, facts))
        if len(manifest.levels) > 1:
            from discreet.tables.published.level_tables import check_sums

            check_sums(folder, manifest)
        if manifest.adding_up:
            from discreet.tables.whole_columns import check_whole_numbers

            check_whole_numbers(Release(manifest=manifest, mechanisms=mechanisms, path=folder))
    return Release(manifest=manifest, mechanisms=mechanisms, path=folder)


def _proofs(folder: Path, manifest: Manifest) -> Iterator[tuple[str, bytes]]:
    """Yield the proof file of each mechanism that was drawn from, and of no other; the manifest
    has their digests.
    """
    file, missing = folder / manifest.proofs, set(manifest.mechanism_ids)
    if not file.exists():
        raise InvalidFile("proofs", "are missing from the release", found=manifest.proofs)
    with open_regular(file) as opened:
        if hashlib.file_digest(opened, "sha256").hexdigest() != manifest.proofs_sha256:
            raise Contradiction(
                "proofs",
                "are not those the manifest names: their file was changed",
                found=manifest.proofs,
            )
        for name, data in container.read_container(opened):
            if name not in missing:
                raise Contradiction(
                    "proofs", "hold a mechanism that was not drawn from", found=name
                )
            missing.remove(name)
            yield name, data
    if missing:
        raise InvalidFile("mechanism", "has no proof in the release", found=min(missing))


def public_here(*, keys: Sequence[str], size: str, where: str, unit: str, merged: str = "") -> str:
    """Name what is treated as public because groups, sizes and rows are made of it, and who is who,
    which stays here.

    >>> public_here(keys=["region", "clinic"], size="n", where="age > 17", unit="")
    'region, clinic and the size of each group (n) are published as they are. Rows are filtered: age
    > 17'
    >>> public_here(keys=["clinic"], size="n", where="", unit="person")
    'clinic and the size of each group (n) are published as they are. person tells people apart, and
    is never published'
    """
    *others, last = [*keys, f"the size of each group ({size})"]
    named = (
        f"{', '.join(others)} and {last} are published as they are"
        if others
        else f"{last} is published as it is"
    )
    chosen = f"Rows are filtered: {where}" if where else ""
    people = (
        f"{unit} tells people apart, and is never published" if unit and unit not in keys else ""
    )
    return ". ".join(filter(None, (named, merged, chosen, people)))
