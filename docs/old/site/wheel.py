"""For the site: among its files are the wheel of this version, so that whoever reads the pages can install it, and the
letters of the pages.
"""

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

    from discreet.show.typeface.faces import FOLDER

    name, content = wheel()
    files.append(File.generated(config, f"files/{name}", content=content))
    files.append(File.generated(config, "files/inter.woff2", content=(FOLDER / "inter.woff2").read_bytes()))
    return files
