"""Warnings of the library, as a command says them; what is missing is kept, to be said last with what to type."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click

from discreet.cli.shared import Words, say
from discreet.errors import NotAccounted, NotIdentified, spelled


@contextmanager
def spoken_warnings(clear_line: Callable[[], None]) -> Iterator[dict[str, str]]:
    """Print warnings in the words of the command line, once `clear_line` has made a progress bar give way to them.

    An option that is missed is said in a line, before anything is drawn, and kept with what it is for: a command says
    all of them last, with what to type.
    """
    words = Words(click.get_current_context())
    kept: dict[str, str] = {}

    def speak(message: Any, category: type[Warning], *_: Any, **__: Any) -> None:
        said = spelled(str(message), words)
        if issubclass(category, NotAccounted):
            kept["ledger"] = "adds up what releases cost"
            said = spelled("no `ledger`: nothing accounts for what this release costs", words)
        elif issubclass(category, NotIdentified):
            kept["unit"] = "who is who"
            said = spelled("no `unit`: each row is taken for another person. ", words)
            said += "Whoever has more loses more privacy than epsilon says"
        clear_line()
        say(f"warning: {said}", err=True)

    with warnings.catch_warnings():
        warnings.showwarning = speak
        yield kept
