"""`python -m tools.studio_story`: the story of the studio that the documentation carries."""

from __future__ import annotations

from pathlib import Path

from discreet.studio import export_story

DOCS = Path(__file__).parents[1] / "docs"


def write(path: Path = DOCS / "studio-story.html") -> None:
    """Write it with the addresses that it leads to on the site."""
    export_story(
        path,
        home="index.html",
        studio="studio-page.html",
        plan="studio/#your-own-table",
        lesson="teach/",
    )


if __name__ == "__main__":
    write()
