"""A finished release: the private table, its manifest and its mechanisms, in memory or in a bundle on disk."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.errors import InvalidFile, InvalidInput, MissingExtra
from discreet.files import load, to_bytes
from discreet.rationals import shown
from discreet.tables import bundle
from discreet.tables.manifest import NAME, Manifest, file_digest, read_manifest, table_digest

if TYPE_CHECKING:
    from discreet.mechanism import Mechanism


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
            "seconds": round(self.seconds, 3),
        }  # fmt: skip

    def save(self, output: str | os.PathLike[str], *, format: str = "parquet", overwrite: bool = False) -> Release:
        """Write a release that is in memory as a bundle. The numbers stay those that were drawn: nothing is spent."""
        from discreet.tables.engines.duck import write_table

        target = bundle.check_output(output, overwrite=overwrite)
        folder = bundle.start(target, self.manifest.release)
        try:
            name = write_table(self.table, folder, format)
            saved = finish_bundle(folder, self.manifest, self.mechanisms, name, format)
            bundle.publish(folder, target, self.manifest.release, overwrite=overwrite)
        except BaseException:
            bundle.discard(folder)
            raise
        return replace(self, manifest=saved, path=target, rows=None, frame=None)

    def __repr__(self) -> str:
        facts = self.manifest
        names = ", ".join(count.name for count in facts.counts)
        where = f" in {self.path}" if self.path else ""
        spent = shown(Fraction(facts.epsilon))
        return f"<Release {facts.release[:8]}: {names} for {facts.groups:,} groups at epsilon {spent}{where}>"

    def _repr_html_(self) -> str:
        from discreet.tables.presenting import release_html

        return release_html(self)


def finish_bundle(
    folder: Path, manifest: Manifest, mechanisms: Mapping[str, Mechanism], table: str, format: str
) -> Manifest:
    """Add proofs and manifest to the table in `folder`, and make all of it durable."""
    proofs = folder / "mechanisms"
    proofs.mkdir(exist_ok=True)
    digests = {}
    for name, mechanism in mechanisms.items():
        data = to_bytes(mechanism)
        (proofs / f"{name}.json").write_bytes(data)
        digests[name] = hashlib.sha256(data).hexdigest()
    whole = replace(
        manifest, table=table, table_format=format, table_sha256=table_digest(folder / table), mechanism_sha256=digests
    )
    (folder / NAME).write_text(whole.text, encoding="utf-8", newline="\n")
    bundle.make_durable(folder)
    return whole


def read_release(path: str | os.PathLike[str]) -> Release:
    """Read a bundle, checking that table and proofs are those the manifest names."""
    folder = Path(path)
    manifest = read_manifest(folder)
    if not manifest.table or not (folder / manifest.table).exists():
        raise InvalidFile("table", "is missing from the release", str(folder))
    if table_digest(folder / manifest.table) != manifest.table_sha256:
        raise InvalidFile("table", "is not the one the manifest names: it was changed", str(folder / manifest.table))
    mechanisms = {}
    for name in dict.fromkeys(name for count in manifest.counts for name in count.mechanisms.values()):
        file = folder / "mechanisms" / f"{name}.json"
        if not file.is_file():
            raise InvalidFile("mechanism", "has no proof file in the release", name)
        if file_digest(file) != manifest.mechanism_sha256.get(name):
            raise InvalidFile("mechanism", "is not the one the manifest names: its file was changed", name)
        mechanisms[name] = load(file)
        if mechanisms[name].id != name:
            raise InvalidFile("mechanism", "is not the one its file is named after", name)
    return Release(manifest=manifest, mechanisms=mechanisms, path=folder)


def read_table(folder: Path, manifest: Manifest) -> Any:
    """Read a bundle's table with the types it was written with; it must have the columns the manifest names."""
    try:
        import pyarrow as pa
    except ImportError:
        raise MissingExtra("tables", "reading a released table") from None
    try:
        table = _read_table(folder, manifest)
        columns = table.column_names
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0][:200]
        raise InvalidFile("table", f"cannot be read ({reason})", manifest.table) from None
    for name in (*manifest.keys, manifest.size, *(count.name for count in manifest.counts)):
        if columns.count(name) != 1:
            rule = "has two columns" if name in columns else "has no column"
            raise InvalidFile("table", f"{rule} {name[:80]}", manifest.table)
    return table


def _read_table(folder: Path, manifest: Manifest) -> Any:
    import pyarrow as pa

    file = folder / manifest.table
    if manifest.table_format == "parquet":
        import pyarrow.parquet

        return pyarrow.parquet.read_table(file)
    whole = {manifest.size, *(count.name for count in manifest.counts)}
    if manifest.table_format == "csv":
        import pyarrow.csv

        # Keys of a text table are text, as in every other text file; sizes and counts are whole numbers.
        types = {name: pa.int64() if name in whole else pa.string() for name in (*manifest.keys, *whole)}
        options = pyarrow.csv.ConvertOptions(
            column_types=types, strings_can_be_null=True, quoted_strings_can_be_null=False
        )
        return pyarrow.csv.read_csv(file, convert_options=options)
    import pyarrow.json

    return pyarrow.json.read_json(file)
