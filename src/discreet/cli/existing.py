"""A file or folder that must be there, named on the command line: a mistyped name is answered with the nearest one."""

from __future__ import annotations

import os
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import click

from discreet.cli.shared import Refused, Words
from discreet.errors import InvalidFile


class Existing(click.Path):
    """A path that exists."""

    def __init__(self, **kind: Any) -> None:
        super().__init__(exists=True, **kind)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Check it; what is not there is refused in the words of the other errors."""
        if param is None or ctx is None or os.path.lexists(value):
            return super().convert(value, param, ctx)
        error = InvalidFile(param.name or "path", "does not exist", found=str(value), remedy=_nearest(Path(value)))
        raise Refused(error, Words(ctx))


def _nearest(path: Path) -> str:
    try:
        near = get_close_matches(path.name, [each.name for each in path.parent.iterdir()], n=1)
    except OSError:
        return f"nor does its folder; you are in {Path.cwd()}"
    return f"did you mean {path.parent / near[0]}?" if near else "check the path"
