"""Every option of every command as a page, from the help that each command prints: `python -m tools.options`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from discreet.cli import app
from discreet.cli.help_pages import WHOLE

PAGE = Path(__file__).parents[1] / "docs" / "options.md"
COMMANDS = (
    "plan", "release", "estimate", "report", "ledger", "verify", "design", "recommend", "compare", "plot", "draw",
    "audit", "retrofit", "census", "paper", "studio", "demo", "cache",
)  # fmt: skip
HEAD = """# Every option

<!-- Written by `python -m tools.options` from the commands' own help. Edit the help, not this page. -->

This page lists every option of every command, as the command's own help explains it. [The command line](commands.md)
says which ones you will need most. `--help`, which every command has, is left out.
"""
EVERYWHERE = ("--help", "--help-all")


class Recorder(click.HelpFormatter):
    """Keeps the headings and the lists of a help page instead of laying them out."""

    def __init__(self) -> None:
        super().__init__()
        self.found: dict[str, list[tuple[str, str]]] = {}

    @contextmanager
    def section(self, name: str) -> Iterator[None]:
        """Begin a heading."""
        self.found[name] = []
        yield

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        """Keep options and what they say."""
        list(self.found.values())[-1].extend(rows)


def page() -> str:
    """The page."""
    top = click.Context(app, info_name="discreet", help_option_names=["-h", "--help"])
    return "\n".join([HEAD, *(line for name in COMMANDS for line in _of(app.get_command(top, name), name, top, 2))])


def _of(command: click.Command | None, name: str, parent: click.Context, depth: int) -> Iterator[str]:
    assert command is not None, name
    ctx = click.Context(command, info_name=name, parent=parent)
    ctx.meta[WHOLE] = True
    words = re.split(r"\n\s*\n", (command.help or "").replace("\b\n", ""))[0].partition("\f")[0]
    yield from (f"{'#' * depth} {ctx.command_path}", "", _plain(words), "")
    if isinstance(command, click.Group):
        for below in command.list_commands(ctx):
            yield from _of(command.get_command(ctx, below), below, ctx, depth + 1)
        return
    yield from ("```text", " ".join([ctx.command_path, *command.collect_usage_pieces(ctx)]), "```", "")
    recorder = Recorder()
    command.format_options(ctx, recorder)
    shown = {
        heading: [row for row in rows if not set(re.split(r"[, ]+", row[0])) & set(EVERYWHERE)]
        for heading, rows in recorder.found.items()
    }
    for heading, rows in shown.items():
        if rows:
            yield from (f"| {heading.lower() if heading == 'Options' else heading} | what it says |", "| --- | --- |")
            yield from (f"| `{option}` | {_cell(text)} |" for option, text in rows)
            yield ""


def _cell(text: str) -> str:
    """What an option says, in one cell: the lines of a list below each other."""
    said, _, listed = text.partition("\b")
    lines = [re.sub(r"^(\S+) {2,}", r"`\1` ", line.strip()) for line in listed.splitlines() if line.strip()]
    return "<br>".join([_plain(said), *map(_escaped, lines)])


def _plain(text: str) -> str:
    return re.sub(r"(?<![\w-])(--[a-z][\w-]*)", r"`\1`", _escaped(" ".join(text.split())))


def _escaped(text: str) -> str:
    return re.sub(r"(?<!\\)([|<*])", r"\\\1", text)


def write() -> None:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    write()
