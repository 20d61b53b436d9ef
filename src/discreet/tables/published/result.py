"""A finished release: the private table, its manifest and its mechanisms, in memory or in a bundle on disk."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.core.rationals import shown
from discreet.errors import Contradiction, InvalidFile, InvalidInput, about_file
from discreet.proof.files import load, to_bytes
from discreet.tables.engines import write_table
from discreet.tables.published import bundle
from discreet.tables.published.consistency import check_manifest, check_mechanisms, check_table
from discreet.tables.published.formulas import check_names, escaped
from discreet.tables.published.guarantee import folded, public_here
from discreet.tables.published.manifest import NAME, Manifest, check_format, file_digest, read_manifest, table_digest
from discreet.tables.published.table_files import read_batches, read_table

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class Release:
    """What `dc.release` gives and `dc.read_release` reads."""

    manifest: Manifest
    mechanisms: Mapping[str, Mechanism]
    """By content id."""
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
        if str(n) not in facts.mechanisms:
            raise InvalidInput("n", "must be a group size of the release", n)
        return self.mechanisms[facts.mechanisms[str(n)]]

    def summary(self) -> dict[str, Any]:
        """The end of a release in a few machine-readable facts."""
        facts = self.manifest
        return {
            "release": facts.release, "path": None if self.path is None else str(self.path), "groups": facts.groups,
            "sizes": len(facts.groups_by_size), "counts": [count.name for count in facts.counts],
            "epsilon": facts.epsilon, "mechanisms": len(self.mechanisms), "engine": facts.engine,
            "seconds": round(self.seconds, 3), "public": self.public,
        }  # fmt: skip

    @property
    def public(self) -> str:
        """What is treated as public here, by name: it is not protected, however sensitive it may be."""
        facts = self.manifest
        return public_here(keys=facts.keys, size=facts.size, where=facts.where, unit=facts.unit)

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
        target = bundle.check_output(output, overwrite=overwrite)
        folder = bundle.start(target, self.manifest.release)
        try:
            name = write_table(escaped(self.table) if escape_formulas else self.table, folder, format)
            saved = finish_bundle(folder, partial(replace, self.manifest), self.mechanisms, name, format)
            bundle.publish(folder, target, self.manifest.release, overwrite=overwrite)
        except BaseException:
            bundle.discard(folder)
            raise
        return replace(self, manifest=saved, path=target, rows=None, frame=None)

    def __str__(self) -> str:
        return "\n".join((self._title(), *folded(f"not protected: {self.public}")))

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


def finish_bundle(
    folder: Path, build: Callable[..., Manifest], mechanisms: Mapping[str, Mechanism], table: str, format: str
) -> Manifest:
    """Add proofs and manifest to the table in `folder`, and make all of it durable.

    The manifest is built once what it names is written: `build` takes the names and digests, and knows the rest.
    """
    proofs = folder / "mechanisms"
    proofs.mkdir(exist_ok=True)
    digests = {}
    for name, mechanism in mechanisms.items():
        data = to_bytes(mechanism)
        (proofs / f"{name}.json").write_bytes(data)
        digests[name] = hashlib.sha256(data).hexdigest()
    whole = build(table=table, table_format=format, table_sha256=table_digest(folder / table), mechanism_sha256=digests)
    (folder / NAME).write_text(whole.text, encoding="utf-8", newline="\n")
    bundle.make_durable(folder)
    return whole


def read_release(path: str | os.PathLike[str]) -> Release:
    """Read a bundle, checking that manifest, table and proofs belong together and say the same (`consistency`)."""
    folder = Path(path)
    manifest = read_manifest(folder)
    with about_file(folder):
        if not manifest.table or not (folder / manifest.table).exists():
            raise InvalidFile("table", "is missing from the release")
        check_manifest(manifest)
        if table_digest(folder / manifest.table) != manifest.table_sha256:
            raise Contradiction("table", "is not the one the manifest names: it was changed", manifest.table)
        mechanisms = {}
        for name in manifest.mechanism_sha256:
            file = folder / "mechanisms" / f"{name}.json"
            if not file.is_file():
                raise InvalidFile("mechanism", "has no proof file in the release", name)
            if file_digest(file) != manifest.mechanism_sha256[name]:
                raise Contradiction("mechanism", "is not the one the manifest names: its file was changed", name)
            mechanisms[name] = load(file)
            if mechanisms[name].id != name:
                raise Contradiction("mechanism", "is not the one its file is named after", name)
        check_mechanisms(manifest, mechanisms)
        check_table(manifest, mechanisms, read_batches(folder, manifest))
    return Release(manifest=manifest, mechanisms=mechanisms, path=folder)
