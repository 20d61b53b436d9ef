"""For the site: the wheel of this version is among its files, so that whoever reads the pages can install it."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).parents[2]


def wheel(root: Path = ROOT) -> tuple[str, bytes]:
    """Build the wheel, as `pip wheel --no-deps --no-build-isolation` does; its name and what is in it."""
    from hatchling.builders.wheel import WheelBuilder

    with TemporaryDirectory() as folder:
        (built,) = WheelBuilder(str(root)).build(directory=folder, versions=["standard"])
        return Path(built).name, Path(built).read_bytes()


def on_files(files: Any, config: Any, **_: Any) -> Any:
    """Add it."""
    from mkdocs.structure.files import File

    name, content = wheel()
    files.append(File.generated(config, f"files/{name}", content=content))
    return files
