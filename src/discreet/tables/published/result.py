"""A finished release: the private table, its manifest and its mechanisms, in memory or in a bundle on disk."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.core.rationals import shown
from discreet.errors import Contradiction, InvalidFile, InvalidInput, about_file
from discreet.proof import Report, container
from discreet.proof.files import entry_bytes
from discreet.proof.loading import reported
from discreet.proof.reading import open_regular, read_bytes
from discreet.tables.asking.price import public_here
from discreet.tables.engines import write_table
from discreet.tables.published import bundle
from discreet.tables.published.consistency import check_manifest, check_mechanisms, check_table
from discreet.tables.published.drawn import Drawn
from discreet.tables.published.formulas import check_format, check_names, escaped
from discreet.tables.published.manifest import NAME, VERSION, Manifest, file_digest, table_digest
from discreet.tables.published.manifest_files import read_manifest
from discreet.tables.published.table_files import read_batches, read_table

if TYPE_CHECKING:
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
    seconds: float = 0.0

    @property
    def table(self) -> Any:
        """The private table as Arrow, ordered by key."""
        if self.rows is not None:
            return self.rows
        if self.path is not None:
            return read_table(self.path, self.manifest)
        return self.frame.toArrow()

    def to_pandas(self) -> Any:
        """The private table as a pandas frame."""
        return self.table.to_pandas()

    def to_polars(self) -> Any:
        """The private table as a Polars frame."""
        import polars

        return polars.from_arrow(self.table)

    def mechanism(self, n: int, count: str | None = None) -> Mechanism:
        """The mechanism that released groups of size n."""
        facts = self.manifest.count(count)
        if str(n) not in self.manifest.groups_by_size:
            raise InvalidInput("n", "must be a group size of the release", n)
        return self.mechanisms.of(facts.name, n)

    def to_dict(self) -> dict[str, Any]:
        """Return what was released, in a few plain values for JSON."""
        facts = self.manifest
        return {
            "release": facts.release, "path": None if self.path is None else str(self.path), "groups": facts.groups,
            "sizes": len(facts.groups_by_size), "counts": [count.name for count in facts.counts],
            "epsilon": facts.epsilon, "mechanisms": len(self.mechanisms.entries), "engine": facts.engine,
            "seconds": round(self.seconds, 3), "public": self.public, **({"cap": facts.cap} if facts.cap else {}),
        }  # fmt: skip

    summary = to_dict  # the name it had first

    @property
    def public(self) -> str:
        """What is treated as public here, by name: it is not protected, however sensitive it may be."""
        facts = self.manifest
        public = facts.public
        if facts.cap:
            from discreet.tables.asking.capping import public_with_cap

            return public_with_cap(public.told_keys)
        return public_here(keys=public.told_keys, size=public.size or facts.size, where=public.where, unit=public.unit)

    def save(
        self,
        output: str | os.PathLike[str],
        *,
        format: str = "parquet",
        escape_formulas: bool = False,
        overwrite: bool = False,
    ) -> Release:
        """Write a release that is in memory as a bundle. The numbers stay those that were drawn: nothing is spent."""
        check_format(format, escape_formulas)
        if escape_formulas:
            check_names(self.manifest.columns)
        container.check_number(len(self.mechanisms.entries))
        target = bundle.check_output(output, overwrite=overwrite)
        folder = bundle.start(target, self.manifest.release)
        try:
            name = write_table(escaped(self.table) if escape_formulas else self.table, folder, format)
            build = partial(_rewritten, replace(self.manifest, escaped=escape_formulas))
            saved = finish_bundle(folder, build, self.mechanisms, name, format)
            bundle.publish(folder, target, self.manifest.release, overwrite=overwrite)
        except BaseException:
            bundle.discard(folder)
            raise
        return replace(self, manifest=saved, path=target, rows=None, frame=None)

    def __str__(self) -> str:
        from discreet.show.releases import not_protected

        return "\n".join((self._title(), *not_protected(self.public)))

    def __repr__(self) -> str:
        return f"<{self._title()}>"

    def _title(self) -> str:
        facts = self.manifest
        names = ", ".join(count.name for count in facts.counts)
        where = f" in {self.path}" if self.path else ""
        spent = shown(Fraction(facts.epsilon))
        return f"Release {facts.release[:8]}: {names} for {facts.groups:,} groups at epsilon {spent}{where}"

    def _repr_html_(self) -> str:
        from discreet.show.releases import release_html

        return release_html(self)


def finish_bundle(folder: Path, build: Callable[..., Manifest], mechanisms: Drawn, table: str, format: str) -> Manifest:
    """Add proofs and manifest to the table in `folder`, and make all of it durable.

    The manifest is built once what it names is written: `build` takes the names and digests, and knows the rest.
    """
    proofs = folder / container.NAME
    container.write_container(proofs, ((name, entry_bytes(entry)) for name, entry in mechanisms.entries.items()))
    whole = build(
        table=table, table_sha256=table_digest(folder / table), table_format=format,
        proofs=proofs.name, proofs_sha256=file_digest(proofs),
    )  # fmt: skip
    (folder / NAME).write_text(whole.text, encoding="utf-8", newline="\n")
    bundle.make_durable(folder)
    return whole


def _rewritten(manifest: Manifest, *, table: str, table_sha256: str, **written: Any) -> Manifest:
    """The manifest of a release in memory, or of another bundle, for the bundle it is now written to."""
    (level,) = manifest.levels
    level = replace(level, table=table, table_sha256=table_sha256)
    return replace(manifest, version=VERSION, levels=(level,), mechanism_sha256={}, **written)


def read_release(path: str | os.PathLike[str]) -> Release:
    """Read a bundle, checking that manifest, table and proofs belong together and say the same (`consistency`)."""
    return verified_release(path)[0]


def verified_release(path: str | os.PathLike[str]) -> tuple[Release, dict[str, Report]]:
    """Read a bundle as `read_release` does; return with it the report of every proof, by content id."""
    folder = Path(path)
    manifest = read_manifest(folder)
    with about_file(folder):
        if not manifest.table or not (folder / manifest.table).exists():
            raise InvalidFile("table", "is missing from the release")
        check_manifest(manifest)
        if table_digest(folder / manifest.table) != manifest.finest.table_sha256:
            raise Contradiction("table", "is not the one the manifest names: it was changed", found=manifest.table)
        found = {}
        for name, data in _proofs(folder, manifest):
            found[name] = reported(data)
            if found[name][1].id != name:
                raise Contradiction("mechanism", "is not the one its proof is named after", found=name)
        mechanisms = check_mechanisms(manifest, {name: entry for name, (_, entry) in found.items()})
        check_table(manifest, mechanisms, read_batches(folder, manifest))
    in_order = sorted(found, key=lambda name: (found[name][0].n, name))
    return Release(manifest=manifest, mechanisms=mechanisms, path=folder), {name: found[name][0] for name in in_order}


def _proofs(folder: Path, manifest: Manifest) -> Iterator[tuple[str, bytes]]:
    """Yield the proof file of each mechanism that was drawn from, and of no other; the manifest has their digests."""
    if manifest.version == 1:
        for name, digest in manifest.mechanism_sha256.items():
            file = folder / container.FOLDER / f"{name}.json"
            if not file.is_file():
                raise InvalidFile("mechanism", "has no proof file in the release", found=name)
            data = read_bytes(file)
            if hashlib.sha256(data).hexdigest() != digest:
                raise Contradiction("mechanism", "is not the one the manifest names: its file was changed", found=name)
            yield name, data
        return
    file, missing = folder / manifest.proofs, set(manifest.mechanism_ids)
    if not file.exists():
        raise InvalidFile("proofs", "are missing from the release", found=manifest.proofs)
    with open_regular(file) as opened:
        if hashlib.file_digest(opened, "sha256").hexdigest() != manifest.proofs_sha256:
            raise Contradiction(
                "proofs", "are not those the manifest names: their file was changed", found=manifest.proofs
            )
        for name, data in container.read_container(opened):
            if name not in missing:
                raise Contradiction("proofs", "hold a mechanism that was not drawn from", found=name)
            missing.remove(name)
            yield name, data
    if missing:
        raise InvalidFile("mechanism", "has no proof in the release", found=min(missing))
