"""The command line: the library's verbs as commands, each a thin call of one function.

Exit codes: 0 done; 1 a check said no (a proof failed, an audit refuted, a ledger does not verify); 2 the request
was wrong or refused (bad input, budget, missing extra); 3 a fault of discreet itself; 130 interrupted. Commands are
imported when they are run, so that `--help` answers at once.
"""

from __future__ import annotations

import os
import sys
import traceback
from importlib import import_module
from pathlib import Path

import click

from discreet import __version__
from discreet.cli.options import say
from discreet.errors import DiscreetError, did_you_mean, printable

_COMMANDS = {
    "design": ("design_commands", "Find the best mechanism of the shape asked for, with its proof."),
    "recommend": ("design_commands", "Walk the paper's flowchart: which mechanism, why, and what each wish costs."),
    "compare": ("design_commands", "Put mechanisms side by side."),
    "census": ("census_command", "Count the behaviours that all 128 sets of properties come down to."),
    "plot": ("design_commands", "Draw a mechanism."),
    "plan": ("table_commands", "Say what a release will cost and how accurate it will be, before anything is drawn."),
    "release": ("table_commands", "Publish private counts of a table, under a budget."),
    "estimate": ("table_commands", "Read a release: unbiased totals, distributions, honest intervals."),
    "verify": ("check_commands", "Check a proof file, or a release with all its proofs."),
    "audit": ("check_commands", "Test somebody's black box for counts against its claim."),
    "ledger": ("ledger_commands", "Open, show and verify the budget ledger."),
    "cache": ("ledger_commands", "Show or clear the cache of designs."),
    "paper": ("more_commands", "Regenerate the paper's figures and tables."),
    "studio": ("more_commands", "See the trade-off in a browser."),
    "demo": ("demo_command", "The whole job on data made up for it, in under a minute."),
}

INTERRUPTED = 130
_LONGEST = 1000
"""Of an error in characters; click's own quote a value in full."""


class _LazyGroup(click.Group):
    """A group whose commands are imported when asked for, and that suggests the nearest name."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        module = import_module(f"discreet.cli.{_COMMANDS[cmd_name][0]}")
        command: click.Command = getattr(module, f"{cmd_name}_command")
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in _COMMANDS and not args[0].startswith("-"):
            ctx.fail(f"unknown command '{args[0]}': {did_you_mean(args[0], _COMMANDS)}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        # from the table, not from the commands: help must not import them
        with formatter.section("Commands"):
            formatter.write_dl([(name, help_text) for name, (_, help_text) in _COMMANDS.items()])


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80})
@click.version_option(__version__, prog_name="discreet")
def app() -> None:
    """Private counts of small groups: designed, proven, released, read.

    \b
    discreet demo
    discreet design --n 8 --epsilon 0.5 -p "WH CM" --output m.json
    discreet ledger open budget.db clinics --budget 2
    discreet release people.csv --by clinic --count smoker --epsilon 0.5 \\
        --properties F --ledger budget.db --dataset clinics --output out
    discreet estimate out

    \b
    Shell completion (bash; zsh and fish alike):
      eval "$(_DISCREET_COMPLETE=bash_source discreet)"
    """


def main(arguments: list[str] | None = None) -> None:
    """Run a command; mistakes end in one or two lines and exit code 2, never in a traceback."""
    stdout = sys.stdout
    try:
        code = app(arguments, standalone_mode=False)
    except click.ClickException as error:
        _show(error)
        code = error.exit_code
    except (click.Abort, KeyboardInterrupt):
        say("interrupted; nothing more was done", err=True)
        code = INTERRUPTED
    except DiscreetError as error:
        say(f"error: {error}", err=True)
        code = 2
    except SystemExit as end:
        # click ends so, with a stdout of its own, when the reader of our output has gone (`discreet ... | head`)
        code = end.code if sys.stdout is stdout else 0
    except OSError as error:
        # what the system refuses (a name too long, no permission, a full disk) is told in its own words
        where = f" ({str(error.filename)[:200]})" if error.filename else ""
        say(f"error: {error.strerror or error}{where}", err=True)
        code = 2
    except Exception as error:
        if os.environ.get("DISCREET_TRACEBACK"):
            raise
        # only where and of what kind: the message of an error that nobody foresaw may quote private data
        *_, last = traceback.walk_tb(error.__traceback__)
        place = f"{Path(last[0].f_code.co_filename).name}, line {last[1]}"
        told = f"{type(error).__name__} at {place}"
        say(f"error: a fault of discreet itself ({told}); please report it", err=True)
        say("set DISCREET_TRACEBACK=1 for all of it, which may show private data", err=True)
        code = 3
    sys.exit(code if isinstance(code, int) else 0)


def _show(error: click.ClickException) -> None:
    """Say a mistake in a line, and on a second one where the options are listed."""
    if error.exit_code == INTERRUPTED or isinstance(error, click.exceptions.NoArgsIsHelpError):
        say(error.format_message(), err=True)
        return
    from discreet.ledger.databases.urls import hidden

    text = hidden(printable(error.format_message()))
    say(f"error: {text if len(text) <= _LONGEST else f'{text[:300]}...{text[-100:]}'}", err=True)
    if isinstance(error, click.UsageError) and error.ctx is not None:
        click.echo(f"see: {error.ctx.command_path} --help", err=True)
