"""For the reference: docstrings are plain text, not a dialect of markup, and are shown as they stand.

Doctests and paragraphs laid out in columns become code; brackets are brackets, so that Pr[i|j] is no link.
"""

from __future__ import annotations

import re
from typing import Any

import griffe

import discreet


def shown(text: str) -> str:
    """Return a docstring as Markdown, paragraph by paragraph.

    >>> print(shown("It adds [a] and `b[0]`.").replace(chr(92), "/"))
    It adds /[a] and `b[0]`.
    >>> shown("n    the size").splitlines()
    ['```text', 'n    the size', '```']
    >>> shown(">>> from discreet.core.named import fair, geometric").splitlines()[1]
    '>>> from discreet import fair, geometric'
    """
    return "\n\n".join(_paragraph(part) for part in re.split(r"\n\s*\n", text.strip("\n")))


def _paragraph(text: str) -> str:
    if text.startswith(">>> "):
        return f"```pycon\n{INNER.sub(_public, text)}\n```"
    if text.startswith("    "):
        return text
    if re.search(r"\S {3,}\S", text):
        return f"```text\n{text}\n```"
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(part if part.startswith("`") else part.replace("[", r"\[") for part in parts)


INNER = re.compile(r"(?<=^>>> )from discreet\.[\w.]+ import (.+)$", re.MULTILINE)


def _public(found: re.Match[str]) -> str:
    """Examples import from the module they stand by; a reader imports public names from `discreet`."""
    return f"from discreet import {found[1]}" if set(found[1].split(", ")) <= set(discreet.__all__) else found[0]


class Docstrings(griffe.Extension):
    """Show the docstring of every object as it stands."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Rewrite the docstring of one object."""
        if obj.docstring:
            obj.docstring.value = shown(obj.docstring.value)
