"""What was typed and cannot be run: the command, the option or the quotes that may be meant."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from contextlib import suppress
from difflib import get_close_matches
from itertools import takewhile
from pathlib import Path
from typing import Any

import click

from discreet.errors import DiscreetError, InvalidInput, did_you_mean

TYPED = "discreet.typed"
"""Where a context keeps what was typed."""
_MEANT = {
    **dict.fromkeys(("history", "log", "list", "status", "balance", "info", "view"), "show"),
    **dict.fromkeys(("new", "create", "init", "add"), "open"),
    **dict.fromkeys(("check", "test", "validate"), "verify"),
    **dict.fromkeys(("refund", "cancel", "undo"), "give-back"),
    **dict.fromkeys(("budget", "raise", "increase", "change"), "set-budget"),
    **dict.fromkeys(("empty", "delete", "remove", "reset"), "clear"),
    **dict.fromkeys(("export", "save"), "backup"),
    **dict.fromkeys(("import", "load"), "restore"),
}
"""Words that other programs have for what a subcommand does."""


def refuse_unknown(group: click.Group, ctx: click.Context, args: Sequence[str]) -> None:
    """Refuse a subcommand that there is not, with the one that may be meant and all there are."""
    if not args or args[0].startswith("-") or args[0] in group.commands:
        return
    if "show" in group.commands and set(args[0]) & set("./:"):
        ctx.fail(f"'{args[0]}' is no command: did you mean {ctx.command_path} show {args[0]}?")
    meant = _MEANT.get(args[0].lower(), "")
    guess = (
        f"did you mean {meant}?"
        if meant in group.commands
        else did_you_mean(args[0], group.commands, cutoff=0.65)
    )
    every = f" There are {', '.join(group.commands)}" if guess.endswith("?") else ""
    ctx.fail(f"unknown command '{args[0]}': {guess}{every}")


_OPTIONS_MEANT = {
    **dict.fromkeys(
        ("--histogram", "--histograms", "--categories", "--values", "--choices", "--options"),
        "--answers",
    ),
    **dict.fromkeys(
        ("--group-by", "--groupby", "--groups", "--group", "--keys-by", "--key"), "--by"
    ),
    **dict.fromkeys(("--column", "--bits", "--bit", "--predicate", "--what"), "--count"),
    **dict.fromkeys(("--person", "--id", "--user", "--people"), "--unit"),
    **dict.fromkeys(("--filter", "--query", "--if"), "--where"),
    **dict.fromkeys(("--out", "--to"), "--output"),
    **dict.fromkeys(("--property", "--shape", "--fair"), "--properties"),
    "--force": "--overwrite",
}
"""Words that other programs have for what an option does."""


_BUDGET = (
    "A budget is set once, and a release is then paid from it: discreet ledger open "
    "budget.db patients --budget 1"
)
_SHAPES = (
    "Each shape is an argument here, in quotes where it has several codes: discreet "
    'compare "WH CM" GM'
)
_ELSEWHERE = {
    ("plan", "--budget"): _BUDGET,
    ("release", "--budget"): _BUDGET,
    **dict.fromkeys((("compare", "--properties"), ("compare", "-p")), _SHAPES),
    ("report", "--by"): "What groups add up to by a key: discreet estimate published --by region",
    (
        "report",
        "--format",
    ): "The name of the file says it: discreet report published -o report.xlsx",
}
"""What is asked of a command, and belongs to another."""


def meant_option(command: click.Command, error: click.NoSuchOption) -> click.NoSuchOption:
    """Return the error of an option that there is not, with the one that may be meant where
    another word is common.
    """
    asked = ((error.ctx.info_name if error.ctx else "") or "", error.option_name.lower())
    said = (
        f"{error.option_name} is no option of "
        f"{error.ctx.command_path if error.ctx else 'this command'}"
    )
    meant = _OPTIONS_MEANT.get(asked[1], "")
    key = asked[1].removeprefix("--")
    keys = _keys(error.ctx.meta.get(TYPED, ())) if error.ctx and asked[0] == "estimate" else {}
    if asked in _ELSEWHERE:
        folder = next(
            (
                word
                for word in (error.ctx.meta.get(TYPED, ()) if error.ctx else ())[:1]
                if word[0] != "-"
            ),
            "",
        )
        instead = _ELSEWHERE[asked]
        if asked[0] == "report" and folder:
            instead = instead.replace("published", shlex.quote(folder))
        said = f"{said}. {instead}"
    elif key in keys:
        said = f"{said}: to read a release by its key {keys[key]}: --by {shlex.quote(keys[key])}"
    elif any(meant in option.opts for option in command.params):
        said = f"{said}: did you mean {meant}?"
    elif found := error.possibilities:  # the nearest first, which click would sort by letter
        near = [found[0], *get_close_matches(error.option_name, found[1:], cutoff=0.75)]
        said = (
            f"{said}: did you mean {' or '.join(filter(None, (', '.join(near[:-1]), near[-1])))}?"
        )
    return click.NoSuchOption(error.option_name, said, ctx=error.ctx)


def _keys(typed: Sequence[str]) -> dict[str, str]:
    """The keys of the release that was named, in small letters; none where there is none."""
    from discreet.tables.published.manifest_files import read_manifest

    for word in typed:
        if (folder := Path(word)).is_dir():
            with suppress(DiscreetError, OSError):
                return {key.lower(): key for key in read_manifest(folder).keys}
    return {}


def refuse_twice(command: click.Command, ctx: click.Context, args: Sequence[str]) -> None:
    """Refuse an option that takes one value and is given two, of which click would take the last
    without a word.
    """
    if ctx.resilient_parsing:
        return
    _, _, given = command.make_parser(ctx).parse_args(args=list(args))
    for option in given:
        once = isinstance(option, click.Option) and not (
            option.multiple or option.is_flag or option.count
        )
        if once and given.count(option) > 1:
            ctx.fail(
                f"{max(option.opts, key=len)} is given {given.count(option)} times, and takes one "
                "value"
            )


_OPTION = re.compile(r"--[A-Za-z][\w-]*(?:=.*)?", re.DOTALL)


def refuse_swallowed(command: click.Command, ctx: click.Context, args: Sequence[str]) -> None:
    """Refuse an option whose value is the next option, which click would take for the value."""
    if ctx.resilient_parsing:
        return
    words = [*takewhile(lambda word: word != "--", args)]
    place = 0
    while place < len(words):
        option = _option(command, words[place])
        taken = 0 if option is None or option.is_flag or option.count else option.nargs
        after = words[place + 1 : place + 2]
        if option is not None and taken == 1 and after and _OPTION.fullmatch(after[0]):
            name, then = max(option.opts, key=len), after[0].partition("=")[0]
            ctx.fail(f"{name} needs a value; it is followed by {then}")
        place += 1 + taken


def refuse_loose(command: click.Command, ctx: click.Context, args: Sequence[str]) -> None:
    """Refuse words without an option, where a command takes none, and write them as the options
    they look like.
    """
    if ctx.resilient_parsing:
        return
    options = {
        option.name: max(option.opts, key=len)
        for option in command.params
        if isinstance(option, click.Option)
    }
    taken = any(isinstance(parameter, click.Argument) for parameter in command.params)
    if not args or args[0].startswith("-") or taken or "n" not in options:
        return
    words = list(takewhile(lambda word: not word.startswith("-"), args))
    numbers = [word for word in words if word[:1].isdecimal()]
    shape = " ".join(word for word in words if word not in numbers)
    meant = {"n": numbers[:1], "epsilon": numbers[1:2], "properties": [shape] if shape else []}
    written = [
        f"{options[name]} {shlex.quote(given[0])}"
        for name, given in meant.items()
        if given and name in options
    ]
    ctx.fail(f"unexpected {' '.join(words)}: write {' '.join(written)}")


def refuse_extra(command: click.Command, ctx: click.Context, extra: Sequence[str]) -> None:
    """Refuse words that belong to no option: in quotes where an option takes one word, or too
    many arguments.
    """
    if not extra or ctx.resilient_parsing:
        return
    typed, first = list(ctx.meta.get(TYPED, ())), extra[0]
    taken = [parameter for parameter in command.params if isinstance(parameter, click.Argument)]
    place = typed.index(first) if first in typed else 0
    option = _option(command, typed[place - 2]) if place > 1 else None
    if (
        option is not None
        and option.type is click.STRING
        and option.nargs == 1
        and not typed[place - 1].isdecimal()
    ):
        words = [typed[place - 1], *takewhile(lambda word: word in extra, typed[place:])]
        name, each = typed[place - 2], " ".join(words)
        ctx.fail(
            f"{name} takes one value: put quotes round several words: {name} {shlex.quote(each)}"
        )
    if not taken:
        ctx.fail(f"{ctx.command_path} takes options only: {' '.join(extra)} belongs to none")
    if len(taken) == 1:
        again = f"{ctx.command_path} {shlex.quote(first)}"
        ctx.fail(
            f"{ctx.command_path} takes one {taken[0].human_readable_name} at a time: for {first}, "
            f"{again}"
        )
    names = " and ".join(each.human_readable_name for each in taken)
    ctx.fail(
        f"{ctx.command_path} takes {names}, and no word after them: leave out {' '.join(extra)}"
    )


def _option(command: click.Command, word: str) -> click.Option | None:
    return next(
        (each for each in command.params if isinstance(each, click.Option) and word in each.opts),
        None,
    )


def unfinished(
    command: click.Command, ctx: click.Context, error: click.BadOptionUsage
) -> click.UsageError:
    """Return the error of an option at the end that lacks a word, or all of them, with what it
    takes.
    """
    option, typed = _option(command, error.option_name), list(ctx.meta.get(TYPED, ()))
    if option is None or "requires" not in error.message or error.option_name not in typed:
        return error
    given = typed[len(typed) - typed[::-1].index(error.option_name) :]
    if option.nargs == 1:
        return click.UsageError(f"{error.option_name} needs a value: {_about(option)}", ctx)
    return click.UsageError(
        lacking(option, given, "nothing").spelled(lambda *_: error.option_name), ctx
    )


def _about(option: click.Option) -> str:
    about = (option.help or "").partition("\n")[0].rstrip(".")
    return about if about[1:2].isupper() else about[:1].lower() + about[1:]


_EXAMPLES = {"PREDICATE": "\"{} = 'yes'\""}


def lacking(option: click.Option, given: Sequence[str], after: str) -> InvalidInput:
    """Return the error of an option of several words that was `given` some of them, and what
    follows instead.

    >>> answers = click.Option(["--answers"], type=(str, str), metavar="NAME LIST")
    >>> print(lacking(answers, ["smoker=yes,no"], "--epsilon"))
    `answers` takes a name and a list, and --epsilon follows smoker=yes,no: write --answers smoker
    yes,no
    """
    asked = (option.metavar or "").split()
    name, sep, value = given[0].partition("=") if given else ("", "", "")
    *most, last = (f"{'an' if word[0] in 'AE' else 'a'} {word.lower()}" for word in asked)
    rest = [_EXAMPLES.get(word, word).format(*given[:1]) for word in asked[len(given) :]]
    written = [option.opts[0], *map(shlex.quote, given), *rest]
    if len(given) == 1 and len(asked) == 2 and sep and name and value:
        written = [of_answers(option.opts[0], value), shlex.quote(name), shlex.quote(value)]
    rule = (
        f"takes {', '.join(most)} and {last}, and {after} follows "
        f"{given[-1] if given else 'at once'}"
    )
    return InvalidInput(option.name or "", rule, remedy=" ".join(["write", *written]))


def of_answers(option: str, value: str) -> str:
    """The option that a list of answers is for, where the one for a single answer is written."""
    return "--answers" if option == "--answer" and "," in value else option


def read_files(words: Sequence[str]) -> list[str]:
    """Read several files; a second value meant for an option arrives here too, and is refused
    with a hint.
    """
    for word in words:
        if not Path(word).exists() and not set(word) & set("./\\*?["):
            remedy = another_value(click.get_current_context().meta.get(TYPED, ()), word)
            raise InvalidInput("source", "matches no file", found=word, remedy=remedy)
    return list(words)


def another_value(typed: Sequence[str], word: str) -> str:
    """What may be meant by a word that stands where a file does, and is none.

    >>> another_value(["a.csv", "--answers", "ill", "yes,", "no"], "no")
    'a list has no spaces: --answers ill yes,no'
    >>> another_value(["a.csv", "--by", "region", "clinic"], "clinic")
    'if it is another value of an option, give the option again, such as --by clinic'
    """
    place = typed.index(word) if word in typed else 0
    parts = [typed[place - 1]] if place > 2 else []
    for part in typed[place:] if parts else ():
        if not (parts[-1].endswith(",") or part.startswith(",")):
            break
        parts.append(part)
    if len(parts) > 1:
        before = " ".join(map(shlex.quote, typed[max(0, place - 3) : place - 1]))
        return f"a list has no spaces: {before} {shlex.quote(''.join(parts))}"
    return (
        "if it is another value of an option, give the option again, such as --by "
        f"{shlex.quote(word)}"
    )


def name_others(error: DiscreetError, params: Mapping[str, Any]) -> None:
    """Have an error about a column that there is not name the other options that were given one."""
    known: Sequence[str] = getattr(error, "known", ())
    given = [("answers", name) for name, _ in params.get("answers") or ()]
    given += [("by", name) for name in params.get("by") or ()] + [("unit", params.get("unit"))]
    for option, name in given if known else ():
        if isinstance(name, str) and name not in known and name != error.value:
            end = " " if error.remedy.endswith("?") else ". "
            error.remedy += f"{end}And `{option}` must too, not {name}: {did_you_mean(name, known)}"
