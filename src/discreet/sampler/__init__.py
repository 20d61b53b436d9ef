"""Exact sampling: random words from one source, compared with the integer thresholds of a rational
matrix.

`release` draws for one mechanism, `draw` for many mixed in one call; `words` and `keyed` are where
randomness comes from. Keyed words and histograms are loaded when they are asked for: a single count
needs neither.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from discreet.sampler.drawing import Several, check_drawable, draw, release
from discreet.sampler.words import (
    NotPrivateWarning,
    SystemWords,
    WordSource,
    predictable_words_for_tests_only_NOT_PRIVATE,
    system_words,
)

if TYPE_CHECKING:
    from discreet.sampler.keyed import KeyedWords, ReleaseSecret
    from discreet.sampler.points import release_histograms

__all__ = [
    "KeyedWords",
    "NotPrivateWarning",
    "ReleaseSecret",
    "Several",
    "SystemWords",
    "WordSource",
    "check_drawable",
    "draw",
    "predictable_words_for_tests_only_NOT_PRIVATE",
    "release",
    "release_histograms",
    "system_words",
]

_HOME = {"KeyedWords": "keyed", "ReleaseSecret": "keyed", "release_histograms": "points"}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
