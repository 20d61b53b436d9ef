"""The command line: the library's verbs as commands, each a thin call of one function.

Commands are imported when they are run, so that `--help` answers at once. Exit codes are in
`failures`.

Ctrl-C raises KeyboardInterrupt wherever Python is just then, and a compiled module that is being
imported or that calls back into Python may make another exception of it (an ImportError, for one).
So the signal itself is noted (`noticed`), and a command that fails after it was interrupted,
whatever the exception says. SIGTERM, which a scheduler sends, does the same, so that files in the
making are removed; it has an exit code of its own.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from types import FrameType
from typing import Any

import click

from discreet import __version__
from discreet.errors import did_you_mean

_COMMANDS = {
    "design": (
        "design_commands",
        "Find the best mechanism of the shape asked for, with its proof.",
    ),
    "recommend": (
        "design_commands",
        "Say which mechanism to use, what it is worth, and what each property costs.",
    ),
    "compare": ("design_commands", "Put mechanisms side by side."),
    "census": (
        "census_command",
        "Count the behaviours that all 128 sets of properties come down to.",
    ),
    "plot": ("design_commands", "Draw a mechanism."),
    "plan": (
        "plan_command",
        "Say what a release will cost and how accurate it will be, before anything is drawn.",
    ),
    "release": ("table_commands", "Publish private counts of a table, under a budget."),
    "retrofit": (
        "retrofit_command",
        "Make numbers that GM released fair or weakly honest, without new budget.",
    ),
    "draw": (
        "draw_command",
        "Draw private counts from a proof file, one by one; each costs its epsilon.",
    ),
    "estimate": (
        "estimate_command",
        "Read a release: unbiased totals, distributions, honest intervals.",
    ),
    "report": ("report_command", "Write a report on a release: a page, or a spreadsheet."),
    "verify": ("check_commands", "Check a proof file, or a release with all its proofs."),
    "audit": ("check_commands", "Test a black box for counts against its claim."),
    "ledger": ("ledger_commands", "Open, show and verify the budget ledger."),
    "cache": ("ledger_commands", "Show or clear the cache of designs."),
    "paper": ("more_commands", "Make the paper's figures and tables again."),
    "studio": ("more_commands", "See the trade-off in a browser."),
    "demo": ("more_commands", "The whole job on data made up for it, in under a minute."),
}


_TOPICS = ("help", "epsilon", "budget", "properties")
"""What `help` explains besides commands."""
_HELP = "Explain a command: discreet help plan; or a word: epsilon, budget, properties."
"""What `help` does, which is no command of its own: it is --help, for who does not type that."""
_SECTIONS = {
    "Begin here": ("demo", "studio", "help"),
    "Publish a table": ("plan", "release", "ledger"),
    "Read and report it": ("estimate", "report"),
    "Check": ("verify", "audit"),
    "Choose and design a mechanism": ("recommend", "design", "compare", "plot", "draw"),
    "Less often": ("retrofit", "census", "paper", "cache"),
}
"""The commands by what a person wants to do."""


_SHOWN = (
    "estimate (the numbers of a release), verify (what a proof file or a release is) or ledger "
    "show (a budget)"
)
_MEANT = {
    **dict.fromkeys(("show", "view", "open", "info"), _SHOWN),
    **dict.fromkeys(("check", "test", "prove", "validate"), "verify"),
    **dict.fromkeys(("read", "total", "totals", "summary", "result", "results"), "estimate"),
    **dict.fromkeys(("publish", "count", "run", "export"), "release"),
    **dict.fromkeys(("cost", "price", "preview", "try"), "plan"),
    **dict.fromkeys(("budget", "spent", "account"), "ledger"),
    **dict.fromkeys(("sample", "noise", "random"), "draw"),
    **dict.fromkeys(("explain", "why", "choose"), "recommend, which says why"),
    **dict.fromkeys(("chart", "graph", "picture"), "plot, or studio to see it in a browser"),
    **dict.fromkeys(("ui", "gui", "web", "serve"), "studio"),
    **dict.fromkeys(("help", "usage"), "discreet --help"),
    **dict.fromkeys(("example", "examples", "tutorial", "start", "init"), "demo"),
}
"""Words that other programs have for what is asked, and the command that answers."""


class _LazyGroup(click.Group):
    """A group whose commands are imported when asked for, and that suggests the nearest name."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        module = import_module(f"discreet.cli.commands.{_COMMANDS[cmd_name][0]}")
        command: click.Command = getattr(module, f"{cmd_name}_command")
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[:1] == ["help"] and len(args) == 2 and args[1] in _TOPICS:
            from discreet.cli.codes import topic_page

            click.echo(topic_page(args[1]))
            ctx.exit()
        if args[:1] == ["help"] and (len(args) == 1 or args[1] in _COMMANDS):
            if len(args) == 1:
                click.echo(ctx.get_help())
                ctx.exit()
            args = [*args[1:], "--help"]
        elif args[:1] == ["help"]:
            args = args[1:]  # which is none either: of that the nearest is named
        if args and args[0] not in _COMMANDS and not args[0].startswith("-"):
            meant = _MEANT.get(args[0].lower())
            hint = (
                f"did you mean {meant}?" if meant else did_you_mean(args[0], _COMMANDS, cutoff=0.65)
            )
            ctx.fail(
                f"unknown command '{args[0]}'"
                + (f": {hint}" if hint.endswith("?") or meant else _listing())
            )
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        # from the table, not from the commands: help must not import them
        wide = max(map(len, _COMMANDS))
        for heading, names in _SECTIONS.items():
            with formatter.section(heading):
                formatter.write_dl(
                    [
                        (name.ljust(wide), _HELP if name == "help" else _COMMANDS[name][1])
                        for name in names
                    ]
                )

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        self.format_commands(ctx, formatter)  # commands first: they are what a person looks for
        click.Command.format_options(self, ctx, formatter)

    def get_help(self, ctx: click.Context) -> str:
        from discreet.cli.help_pages import with_headings

        return with_headings(super().get_help(ctx))


_SMALL_PRINT = """\b
Exit codes: 0 done, 1 a check said no, 2 bad request, 3 budget spent,
4 try again later, 5 a fault of discreet, 130 interrupted, 143 terminated.

\b
Shell completion (bash; zsh and fish alike):
  eval "$(_DISCREET_COMPLETE=bash_source discreet)"
"""


@click.group(
    cls=_LazyGroup,
    epilog=_SMALL_PRINT,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120},
)
@click.version_option(__version__, prog_name="discreet")
def app() -> None:
    """Publish counts of small groups, and keep each person's answer private.

    \b
    A table of people (CSV, Parquet) goes in; out come counts with a little
    noise, how exact they will be before you pay, and proofs that they are
    private. epsilon says how much one person gives away: smaller is safer.

    \b
    discreet plan people.csv --by clinic --unit person \\
        --answers smoker yes,no --epsilon 1
    discreet ledger open budget.db patients --budget 1
    discreet release people.csv --by clinic --unit person \\
        --answers smoker yes,no --epsilon 1 \\
        --ledger budget.db --dataset patients --output published
    discreet estimate published
    discreet report published
    discreet demo        # all of it on made-up people, in under a minute
    """


def main(arguments: list[str] | None = None) -> None:
    """Run a command and exit; a failure ends in a line or two (JSON with --json), never in a
    traceback.
    """
    stdout = sys.stdout
    try:
        with noticed():
            code = app(arguments, standalone_mode=False)
    except SystemExit as end:
        # click ends like this, with a stdout of its own, when the reader of our output has gone
        # (`discreet ... | head`)
        code = end.code if sys.stdout is stdout else 0
    except click.exceptions.NoArgsIsHelpError as question:
        # of a group of commands, its help; of discreet alone, what fits a screen
        if question.ctx and question.ctx.parent:
            click.echo(question.format_message())
        else:
            from discreet.cli.shared import say

            say(_on_a_screen())
        code = 0
    except (Exception, KeyboardInterrupt) as error:
        from discreet.cli.failures import (
            failure,
        )  # only now: a command that succeeds does not wait for it

        wrong = failure(error)
        if wrong.code == "fault" and os.environ.get("DISCREET_TRACEBACK"):
            raise
        wrong.show(as_json="--json" in (sys.argv[1:] if arguments is None else arguments))
        code = wrong.exit_code
    sys.exit(code if isinstance(code, int) else 0)


def _by_use() -> list[str]:
    """The commands by what a person wants to do, in a few lines."""
    wide = max(map(len, _SECTIONS)) + 3
    return [f"  {heading + ':':<{wide}}{' '.join(names)}" for heading, names in _SECTIONS.items()]


def _listing() -> str:
    return "\n".join([". There are:", *_by_use()])


def _on_a_screen() -> str:
    """What there is, in less than the 24 lines of a small terminal."""
    return "\n".join(
        [
            "Usage: discreet COMMAND [OPTIONS]",
            "",
            "Publish counts of small groups, and keep each person's answer private.",
            "",
            *_by_use(),
            "",
            "The whole job on made-up people, in under a minute:",
            "  discreet demo",
            "",
            "How exact counts of your own table would be, which costs nothing:",
            "  discreet plan people.csv --by clinic --unit person \\",
            "      --answers smoker yes,no --epsilon 1",
            "",
            "What each command does: discreet --help. Its options: discreet plan --help",
        ]
    )


_signals: list[int] = []
"""The signals that ask a command to end, since it began."""


def pressed() -> bool:
    """Say whether Ctrl-C was pressed since the command began, or SIGTERM was sent."""
    return bool(_signals)


def terminated() -> bool:
    """Say whether the first of them was SIGTERM."""
    return _signals[:1] == [signal.SIGTERM]


@contextmanager
def noticed() -> Iterator[None]:
    """Note Ctrl-C and SIGTERM while this lasts; both raise KeyboardInterrupt."""
    _signals.clear()
    usual: dict[int, Any] = {
        signal.SIGINT: signal.default_int_handler,
        signal.SIGTERM: signal.SIG_DFL,
    }
    ours = [
        number
        for number, handler in usual.items()
        if threading.current_thread() is threading.main_thread()  # which alone may handle signals
        and signal.getsignal(number) is handler  # not ignored, nor another program's
    ]
    for number in ours:
        signal.signal(number, _note)
    try:
        yield
    finally:
        for number in ours:
            signal.signal(number, usual[number])


def _note(number: int, frame: FrameType | None) -> None:
    _signals.append(number)
    raise KeyboardInterrupt
