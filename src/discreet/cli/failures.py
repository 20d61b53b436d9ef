"""How a command ends when it fails: its exit code, and what it says to a person or, with --json, to
a program.

The exit code follows from the code that every error carries (`EXIT_CODES`; docs/old/commands.md is
the page for users).
"""

from __future__ import annotations

import json
import re
import traceback
from dataclasses import dataclass
from pathlib import Path

import click

from discreet.cli import pressed, terminated
from discreet.cli.shared import TYPED, Interrupted, Refused, say
from discreet.errors import DiscreetError, printable

EXIT_CODES = {
    # a check said no
    "proof-failed": 1,
    "contradiction": 1,
    "broken-chain": 1,
    # the request was wrong, or cannot be met as it stands
    "usage": 2,
    "system": 2,
    "error": 2,
    "invalid-input": 2,
    "invalid-data": 2,
    "invalid-file": 2,
    "unknown-name": 2,
    "unknown-keyword": 2,
    "not-private": 2,
    "infeasible": 2,
    "not-proven": 2,
    "ledger-refused": 2,
    "missing-extra": 2,
    # the budget is spent
    "budget-exceeded": 3,
    # the same request may succeed later, or with more time or memory
    "unavailable": 4,
    "changed-meanwhile": 4,
    "time-limit": 4,
    "out-of-memory": 4,
    # a fault of discreet itself
    "fault": 5,
    # ended from outside
    "interrupted": 130,
    "terminated": 143,
}
"""The exit code of a command that ends in an error of this code."""

_NOT_WHOLE = re.compile(r"'(.*)' is not a valid integer\.?", re.DOTALL)
_LONGEST = 1000
"""The longest message, in characters; click's own messages quote a value in full."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """What went wrong, in the words of the command line."""

    code: str
    message: str
    parameter: str | None = None
    rule: str = ""
    remedy: str = ""
    consequence: str = ""
    private: bool = False
    """Whether the message names a row, and so tells something about its people and those of the
    rows above.
    """
    more: str = ""
    """A second line for a person."""

    @property
    def exit_code(self) -> int:
        """The exit code of the process."""
        return EXIT_CODES[self.code]

    def show(self, *, as_json: bool) -> None:
        """Write it to standard error: a line or two for a person, one line of JSON for a
        program.
        """
        if as_json:
            click.echo(json.dumps({"error": self.to_dict()}), err=True)
            return
        label = {1: "FAILED: ", 130: "", 143: ""}.get(self.exit_code, "error: ")
        say(f"{label}{_safe(self.message)}", err=True)
        if self.more:
            say(self.more, err=True)

    def to_dict(self) -> dict[str, object]:
        """Return it as plain data."""
        return {
            "code": self.code,
            "parameter": self.parameter,
            "rule": _safe(self.rule or self.message),
            "remedy": _safe(self.remedy),
            "consequence": _safe(self.consequence),
            "message": _safe(self.message),
            "private": self.private,
            "exit_code": self.exit_code,
        }


def failure(error: BaseException) -> Failure:
    """Say what an exception means for the command that it ended."""
    if isinstance(error, (click.Abort, KeyboardInterrupt)) or (
        pressed() and not isinstance(error, Interrupted)
    ):
        return failure(Interrupted.by(error))
    if isinstance(error, Refused):
        facts = {
            name: error.facts[name]
            for name in ("code", "parameter", "rule", "remedy", "consequence")
        }
        return Failure(message=error.message, private=error.private, **facts)
    if isinstance(error, DiscreetError):  # raised outside of any command
        return failure(Refused(error))
    if isinstance(error, Interrupted):
        if terminated():
            return Failure(code="terminated", message=error.message)
        return Failure(code="interrupted", message=error.message)
    if isinstance(error, click.ClickException):
        parameter = (
            error.param.name if isinstance(error, click.BadParameter) and error.param else None
        )
        context = error.ctx if isinstance(error, click.UsageError) else None
        more = f"see: {context.command_path} --help" if context else ""
        if (
            isinstance(error, click.MissingParameter)
            and context is not None
            and (line := _whole(context))
        ):
            more = f"such as: {line}\n{more}"
        return Failure(
            code="usage", message=_in_our_words(error), parameter=parameter, remedy=more, more=more
        )
    if isinstance(error, MemoryError):
        return Failure(code="out-of-memory", message="there is not enough memory for this")
    if isinstance(error, OSError):
        # what the system refuses (a name too long, no permission, a full disk) is reported in its
        # own words
        where = f" ({str(error.filename)[:200]})" if error.filename else ""
        return Failure(code="system", message=f"{error.strerror or error}{where}")
    # only where and of what kind: the message of an error that nobody foresaw may quote private
    # data
    *_, last = traceback.walk_tb(error.__traceback__)
    place = f"{Path(last[0].f_code.co_filename).name}, line {last[1]}"
    return Failure(
        code="fault",
        message=f"a fault of discreet itself ({type(error).__name__} at {place}); please report it",
        remedy="please report it",
        more="set DISCREET_TRACEBACK=1 for all of it, which may show private data",
    )


_ARGUMENTS = {
    "RELEASE": "the folder that discreet release wrote, such as published,",
    "PATH": "a proof file, or the folder that discreet release wrote,",
    "FILE": "a proof file, such as discreet design -o m.json writes,",
    "COUNTS": "a true count to draw for, such as 3 5 0,",
    "BACKUP": "the file with every entry of a ledger",
    "LEDGER": "the file of the budget, such as budget.db, or a postgresql:// URL,",
    "DATASET": "the name of the budget in the ledger, such as patients,",
}
"""What the arguments of commands are, for who left one out."""


def _in_our_words(error: click.ClickException) -> str:
    """What click says; of what is missing, as our own errors say it, and what it is."""
    missing = error.param if isinstance(error, click.MissingParameter) else None
    if isinstance(missing, click.Option):
        about = (missing.help or "").partition("\n")[0].rstrip(".")
        about = about if about[1:2].isupper() else about[:1].lower() + about[1:]  # PNG stays PNG
        option = max(missing.opts, key=len)
        context = error.ctx if isinstance(error, click.UsageError) else None
        if option == "--n" and context is not None and _privacy_too(context):
            what = f"{about.replace(':', ';').partition(';')[0]} and the privacy"
            return f"--n and --epsilon (or --alpha) are needed: {what}, e.g. --n 8 --epsilon 0.5"
        return f"{option} is needed" + (f": {about}" if about else "")
    if missing is not None:
        name = missing.human_readable_name
        return f"{_ARGUMENTS.get(name, name)} is needed"
    wrong = error.param if isinstance(error, click.BadParameter) else None
    if wrong is not None and (found := _NOT_WHOLE.fullmatch(error.message)):
        name = (
            max(wrong.opts, key=len)
            if isinstance(wrong, click.Option)
            else wrong.human_readable_name
        )
        return f"{name} must be a whole number, in digits ({found[1]})"
    return error.format_message()


_EXAMPLES = {
    "--output": "new",
    "--budget": "2",
    "--reason": "WHY",
    "--by": "WHO",
    "RELEASE": "published",
    "PATH": "m.json",
    "FILE": "m.json",
    "COUNTS": "3",
    "BACKUP": "budget.backup",
    "LEDGER": "budget.db",
    "DATASET": "patients",
    "RELEASE_ID": "RELEASE_ID",
}
"""What stands for what is missing, in a line to type."""


def _whole(context: click.Context) -> str:
    """What was typed, with an example of everything that is missing; nothing where no example is
    known.
    """
    from discreet.cli.shared import quoted
    from discreet.ledger.databases.urls import hidden

    typed = [*context.meta.get(TYPED, ())]
    given, _, _ = context.command.make_parser(context).parse_args(args=list(typed))
    typed = [*map(hidden, typed)]
    words, options = list[str](), list[str]()
    for parameter in context.command.params:
        known = given.get(parameter.name or "")
        if not parameter.required or (isinstance(known, (str, tuple)) and known):
            continue
        option = isinstance(parameter, click.Option)
        name = max(parameter.opts, key=len) if option else parameter.human_readable_name
        if name not in _EXAMPLES:
            return ""
        (options if option else words).extend(
            [name, _EXAMPLES[name]] if option else [_EXAMPLES[name]]
        )
    return " ".join([context.command_path, *map(quoted, typed), *words, *options])


def _privacy_too(context: click.Context) -> bool:
    """Whether a command that takes epsilon or alpha was given neither."""
    names = {option for parameter in context.command.params for option in parameter.opts}
    typed = {word.partition("=")[0] for word in context.meta.get(TYPED, ())}
    return "--epsilon" in names and not typed & {"--epsilon", "--alpha"}


def _safe(text: str) -> str:
    """Return a text without escape sequences and without a database's password, cut if it is
    very long.
    """
    from discreet.ledger.databases.urls import hidden

    text = hidden(printable(text))
    return text if len(text) <= _LONGEST else f"{text[:300]}...{text[-100:]}"
