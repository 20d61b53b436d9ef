"""Exact sampling: random words from one source, compared with the integer thresholds of a rational matrix.

`release` draws for one mechanism, `draw` for many mixed in one call; `words` and `keyed` are where
randomness comes from.
"""

from __future__ import annotations

from discreet.sampler.drawing import Several, check_drawable, draw, release
from discreet.sampler.keyed import KeyedWords, ReleaseSecret
from discreet.sampler.points import release_histograms
from discreet.sampler.words import (
    NotPrivateWarning,
    SystemWords,
    WordSource,
    predictable_words_for_tests_only_NOT_PRIVATE,
    system_words,
)

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
