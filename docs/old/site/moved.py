"""For the site: the address of a page that was merged into another leads there, for links from elsewhere."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Any

MOVED = {
    "estimation": "quoting/#totals-and-parts",
    "report": "quoting/#a-page-to-send",
    "cookbook": "jobs/#from-a-settings-file",
    "school": "survey/#for-a-school",
}
"""The folder of each page that is gone, and where on the site its content is now."""


def leading(target: str) -> str:
    """A page that leads to `target`, an address from the root of the site, without a script."""
    there = escape(f"../{target}")
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>This page has moved</title>'
        f'<meta http-equiv="refresh" content="0; url={there}"><link rel="canonical" href="{there}"></head>'
        f'<body><p>This page has moved <a href="{there}">here</a>.</p></body></html>\n'
    )


def on_post_build(config: Any, **_: Any) -> None:
    """Write a page for every address that is gone."""
    for name, target in MOVED.items():
        folder = Path(config.site_dir) / name
        folder.mkdir(exist_ok=True)
        (folder / "index.html").write_text(leading(target), encoding="utf-8")
