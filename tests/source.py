"""The source of the library as the tests about it read it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import discreet

SOURCE = Path(discreet.__file__).parent


@cache
def texts() -> dict[Path, str]:
    """The text of every module, by its path."""
    return {path: path.read_text(encoding="utf-8") for path in sorted(SOURCE.rglob("*.py"))}


def trees(*words: str) -> Iterator[tuple[Path, ast.Module]]:
    """Every module with one of the words in it, as Python parses it.

    Parsed anew each time: all trees at once would fill the memory of a test run for good.
    """
    for path, text in texts().items():
        if not words or any(word in text for word in words):
            yield path, ast.parse(text)
