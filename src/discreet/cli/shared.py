"""What commands share: options, output for people (text) or machines (JSON), and errors that name
options.

Errors mention parameters as Python spells them (see `discreet.errors`). Each option carries the
name of the parameter it sets, so a command can translate the mentions itself. In a run from a
configuration file, what was not typed is named by its key in the file: `overwrite=True` becomes
--overwrite, or 'overwrite = true'.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, TextIO, TypeVar

import click
from click.core import ParameterSource

from discreet.cli import help_pages, pressed, terminated
from discreet.cli.codes import LOSS_CODES, PROPERTY_CODES, listed
from discreet.cli.wording import mistyped
from discreet.cli.wording.mistyped import TYPED as TYPED
from discreet.errors import DiscreetError, InvalidData, InvalidInput, printable, spelled
from discreet.errors import quoted as marked
from discreet.show.text import laid_out, with_backslashes, wrapped
from discreet.show.text import width as columns_of

F = TypeVar("F", bound=Callable[..., Any])

WIDEST = 80
_COMMAND, _WORD = (
    re.compile(r"( *(?:\$ )?)discreet [a-z]"),
    re.compile(r"(?:[^\s\"']|\"[^\"]*\"|'[^']*')+"),
)
"""A line that is a command, and a word of it, with its quotes."""
_WHAT_FOR = re.compile(r"(\s*)(\S.*:) (discreet [a-z](?:(?!; |\. ).)*(?<!\)))")
"""A command behind what it is for, to the end of the line."""
ASIDE = "discreet.progress"

DESIGN = ("epsilon", "alpha", "properties", "loss", "prior", "worst_case")
"""What `design_options` adds: the parameters of a design that a release has too."""

json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print JSON for machines instead of text."
)


def privacy_options(command: F) -> F:
    """Add --epsilon and --alpha; the library checks that exactly one of them is given."""
    command = click.option("--alpha", metavar="NUMBER", help=_about("alpha"))(command)
    return click.option("--epsilon", metavar="NUMBER", help=_about("epsilon"))(command)


def design_options(command: F) -> F:
    """Add what a design takes besides n: privacy, properties, loss, prior, worst case."""
    return privacy_options(properties_option(objective_options(command)))


def properties_option(command: F) -> F:
    """Add --properties: codes in one word, or the option again for each."""
    joined = click.option(
        "--properties",
        "-p",
        multiple=True,
        callback=lambda *given: " ".join(given[-1]),
        metavar="SHAPE",
        help=property_help(),
        cls=help_pages.Listed,
    )
    return joined(command)


def objective_options(command: F) -> F:
    """Add what a design minimises: loss, prior, worst case."""
    for option in (
        click.option("--worst-case", is_flag=True, help=_about("worst_case")),
        click.option("--prior", metavar="PRIOR", help=_about("prior")),
        click.option("--loss", default="L0", metavar="LOSS", help=_loss_help()),
    ):
        command = option(command)
    return command


def property_help() -> str:
    """The help text of --properties: what each code means."""
    return 'The shape asked for, such as F or "WH CM".' + listed(PROPERTY_CODES)


def _loss_help() -> str:
    return "What a wrong answer costs; L0 unless said." + listed(LOSS_CODES)


def _about(name: str) -> str:
    """The help text of a parameter of a release, which a design may have too."""
    from discreet.tables.asking.request import Request, parameters

    return str(parameters(Request)[name].metadata["about"])


def emit(value: Any, *, as_json: bool, text: str | None = None) -> None:
    """Print a value: JSON when asked, else its text."""
    if as_json:
        from discreet.cli.json_values import plain

        found = json.dumps(plain(value), indent=2)
        with beside_progress():
            click.echo(found)
    else:
        say(str(value) if text is None else text)


def say(text: str, *, err: bool = False) -> None:
    """Print text for a person; on a terminal, or in so many COLUMNS, long lines are folded
    between words.
    """
    stream = sys.stderr if err else sys.stdout
    text = printable(text)
    if stream.isatty() or os.environ.get("COLUMNS"):
        from discreet.cli.paint import painted, wanted

        text = folded(text, terminal_columns(stream))
        text = painted(text) if wanted(stream) else text
    with beside_progress():
        click.echo(text, err=err, color=True)


def beside_progress() -> AbstractContextManager[None]:
    """Have the line that shows progress, if there is one (`bars.watching`), give way to what is
    printed inside.
    """
    context = click.get_current_context(silent=True)
    aside: Callable[[], AbstractContextManager[None]] = (context.meta if context else {}).get(
        ASIDE, nullcontext
    )
    return aside()


def read_pairs(values: Sequence[str], name: str) -> dict[str, str]:
    """Read NAME=VALUE words."""
    found: dict[str, str] = {}
    for word in values:
        key, sep, value = word.partition("=")
        if not sep or not key.strip():
            raise InvalidInput(name, "must be NAME=VALUE", word)
        if not value.strip():
            raise InvalidInput(name, "must not be empty", found=word)
        if key.strip() in found:
            raise InvalidInput(name, "must not give the same name twice", found=key.strip())
        found[key.strip()] = value
    return found


def folded(text: str, width: int) -> str:
    """Fold lines that are too long between their words; a word longer than that stays whole, to be
    copied.

    A command that stands alone goes on after a backslash; behind what it is for, it goes below that
    if it is too long. Tables are made narrower (`narrow_tables`).

    >>> print(folded("  ok  private: no entry is negative", 22))
      ok  private: no
        entry is negative
    >>> print(folded("make it with: discreet design --n 8 --epsilon 0.5", 38))
    make it with:
      discreet design --n 8 --epsilon 0.5
    """
    from discreet.cli.wording.narrow_tables import narrowed  # only on a terminal

    lines = list[str]()
    rest = narrowed(text.split("\n"), width)
    while rest:
        if columns_of(rest[0]) > width and (found := _WHAT_FOR.fullmatch(rest[0])):
            rest[:1] = [found[1] + found[2], f"{found[1]}  {found[3]}"]
        if start := _COMMAND.match(rest[0]):
            command = [rest.pop(0)]
            while rest and command[-1].endswith(" \\"):
                command.append(rest.pop(0))
            if max(map(len, command)) > width:
                said = " ".join(line.removesuffix(" \\").strip() for line in command)
                command = with_backslashes(
                    _WORD.findall(said.removeprefix("$ ")), width, first=start[1]
                )
            lines += command
            continue
        line = rest.pop(0)
        words = line.lstrip(" ")
        first = line[: len(line) - len(words)]
        lines += (
            wrapped(words, max(width, 20), first=first, later=f"{first}  ")
            if columns_of(line) > width
            else [line]
        )
    return "\n".join(lines)


def terminal_columns(stream: TextIO) -> int:
    """The width of a terminal: from COLUMNS if that is set, or else from the terminal itself."""
    given = os.environ.get("COLUMNS", "")
    if given.isdecimal() and 0 < int(given) < 10_000:
        return int(given)
    try:
        return os.get_terminal_size(stream.fileno()).columns or WIDEST
    except (OSError, ValueError):
        return WIDEST


class Refused(click.ClickException):
    """An error of the library, in the words of the command line if a command gives its `words`."""

    def __init__(self, error: DiscreetError, words: Words | None = None) -> None:
        if words is not None:
            words.found(error.parameter, error.value)
            words.name_budget(error)
            words.name_others(error)
            if (error.parameter, error.code) == (
                "properties",
                "unknown-name",
            ) and not error.remedy.endswith("?"):
                error.remedy += "; discreet help properties says what they mean"
        said = str(error) if words is None else error.spelled(words)
        # an argument is called what was typed for it, and so is the file that an error is about
        twice = said.startswith(f"{error.file}: {error.file} ")
        super().__init__(said.removeprefix(f"{error.file}: ") if twice else said)
        self.facts = error.to_dict(words)
        self.private = isinstance(error, InvalidData) and bool(error.place)


class Interrupted(click.ClickException):
    """Ctrl-C or SIGTERM, with what the ledger keeps, if it keeps anything."""

    @classmethod
    def by(cls, error: BaseException, words: Words | None = None) -> Interrupted:
        """Report the signal, whatever exception it became."""
        kept = [getattr(error, "consequence", ""), *getattr(error, "__notes__", ())]
        notes = " ".join(note if words is None else spelled(note, words) for note in kept if note)
        return cls(
            f"{'terminated' if terminated() else 'interrupted'}; {notes or 'nothing more was done'}"
        )


class Command(click.Command):
    """A command whose errors mention its own options.

    `aliases` lists, for a parameter of the library, the options that set it; an error mentions the
    one that was given. `sections` are headings of its help, and the options below each.
    """

    def __init__(
        self,
        *args: Any,
        aliases: Mapping[str, tuple[str, ...]] | None = None,
        sections: Mapping[str, tuple[str, ...]] | None = None,
        **options: Any,
    ) -> None:
        super().__init__(*args, **options)
        self.aliases, self.sections = aliases or {}, sections or {}
        if self.sections:
            self.params.append(help_pages.help_all_option())

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read what was typed; an option that there is not is refused with the one that may be
        meant.
        """
        ctx.meta[TYPED] = tuple(args)
        if self.sections and "--help-all" in args:
            ctx.meta[help_pages.WHOLE], args = True, ["--help"]
        try:
            mistyped.refuse_swallowed(self, ctx, args)
            mistyped.refuse_twice(self, ctx, args)
            ctx.allow_extra_args = True  # which are refused here, in better words
            extra = super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            raise mistyped.meant_option(self, error) from None
        except click.BadOptionUsage as error:
            raise mistyped.unfinished(self, ctx, error) from None
        except click.MissingParameter:
            mistyped.refuse_loose(self, ctx, ctx.meta[TYPED])
            raise
        mistyped.refuse_extra(self, ctx, extra)
        return extra

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options of the help, in sections."""
        help_pages.write_options(self, ctx, formatter, self.sections)

    def get_help(self, ctx: click.Context) -> str:
        """The help, with headings that stand out on a terminal."""
        return help_pages.with_headings(super().get_help(ctx))

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command, and translate an error of the library."""
        try:
            if not sys.stdout.isatty():
                return super().invoke(ctx)
            with laid_out(terminal_columns(sys.stdout)):
                return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit):
            raise
        except (Exception, KeyboardInterrupt) as error:
            if pressed() or isinstance(error, KeyboardInterrupt):
                raise Interrupted.by(error, Words(ctx)) from error
            if isinstance(error, DiscreetError):
                raise Refused(error, Words(ctx)) from error
            raise


class Group(click.Group):
    """A group of commands whose errors mention their own options."""

    command_class = Command

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """Find the command, or say which one may be meant."""
        mistyped.refuse_unknown(self, ctx, args)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write what each command does, in full."""
        help_pages.write_commands(self, ctx, formatter)

    def get_help(self, ctx: click.Context) -> str:
        """The help, with headings that stand out on a terminal."""
        return help_pages.with_headings(super().get_help(ctx))


class Words:
    """How one run of a command spells a parameter of the library: an option, an argument, or a
    key of its file.
    """

    def __init__(self, ctx: click.Context) -> None:
        self._ctx = ctx
        self._parameters = {parameter.name: parameter for parameter in ctx.command.params}
        self._aliases: Mapping[str, tuple[str, ...]] = getattr(ctx.command, "aliases", {})
        self._found: tuple[str | None, object] = None, ...

    def found(self, name: str | None, value: object) -> None:
        """Note what an error is about: of several files, one."""
        self._found = name, value

    def __call__(self, name: str, value: str | None = None) -> str:
        """Spell a parameter, alone or with the value to give it (as Python writes it)."""
        from discreet.cli.wording import spelling

        if not self._ctx.params.get(name):
            name = next(
                (alias for alias in self._aliases.get(name, ()) if self._ctx.params.get(alias)),
                name,
            )
        parameter = self._parameters.get(name)
        if parameter is None:
            return name if value is None else f"{name} {value}"
        if self._from_file(name):
            return marked(name if value is None else f"{name} = {spelling.as_file(value)}")
        if isinstance(parameter, click.Argument):
            if value is not None:
                return spelling.as_argument(value)
            found = self._found[1] if self._found[0] == name else None
            return spelling.argument_name(parameter, self._ctx.params.get(name), found)
        option = max(parameter.opts, key=len)
        return option if value is None else spelling.as_option(option, value, self)

    def name_budget(self, error: DiscreetError) -> None:
        """Have an error about no ledger open a budget by the name, and for the epsilon, that
        were given.
        """
        from discreet.ledger.parameters import NoLedger

        if isinstance(error, NoLedger):
            error.open_for(self._ctx.params.get("dataset"), self._ctx.params.get("epsilon"))

    def name_others(self, error: DiscreetError) -> None:
        """Have an error about a column that there is not name the other ones that were given and
        are none.
        """
        mistyped.name_others(error, self._ctx.params)

    def _from_file(self, name: str) -> bool:
        typed = self._ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE
        return self._ctx.params.get("config") is not None and name != "config" and not typed


def quoted(word: str) -> str:
    """Quote a word for a shell; around single quotes, which SQL uses, with double ones.

    >>> print(quoted("age > 64"), quoted("smoker = 'yes'"))
    'age > 64' "smoker = 'yes'"
    """
    return f'"{word}"' if "'" in word and not set(word) & set('"$`\\!') else shlex.quote(word)
