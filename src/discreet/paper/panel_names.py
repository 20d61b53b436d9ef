"""The names of methods in the paper's pictures."""

from __future__ import annotations

from textwrap import wrap

from discreet.paper.contestants import SAID
from discreet.show.captions import spoken_name

_LINE = 16
"""Letters of a line of a name."""


def called(name: str) -> str:
    """The name of a series for a reader, in lines.

    >>> called("GM"), called("WM (WH)"), called("CH")
    ('usual (GM)', 'weakly honest\\n(WM)', 'column honest')
    """
    return SAID.get(name) or "\n".join(wrap(spoken_name(name), _LINE, break_long_words=False))
