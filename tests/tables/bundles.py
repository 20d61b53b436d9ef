"""Editing a bundle as a forger would: whatever is changed, the digests in the manifest are made right again."""

from __future__ import annotations

import json
from pathlib import Path

from discreet.proof.container import NAME, read_container, write_container
from discreet.tables.published.manifest import file_digest, table_digest


def manifest_of(folder: Path) -> dict:
    return json.loads((folder / "manifest.json").read_text())


def write_manifest(folder: Path, manifest: dict) -> None:
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=2, ensure_ascii=False) + "\n")


def mend_table(folder: Path) -> None:
    """Make the digest of the table right."""
    manifest = manifest_of(folder)
    level = manifest["levels"][0]
    level["table_sha256"] = table_digest(folder / level["table"])
    write_manifest(folder, manifest)


def mend_proofs(folder: Path) -> None:
    write_manifest(folder, {**manifest_of(folder), "proofs_sha256": file_digest(folder / NAME)})


def proofs_of(folder: Path) -> dict[str, bytes]:
    with (folder / NAME).open("rb") as file:
        return dict(read_container(file))


def write_proofs(folder: Path, proofs: dict[str, bytes]) -> None:
    write_container(folder / NAME, sorted(proofs.items()))
    mend_proofs(folder)
