"""How help looks: options and commands in sections, subcommands with all of their words, headings that stand out."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from itertools import takewhile

import click

_HEADING = re.compile(r"^(?:Usage:|[A-Z][\w ,-]*:$)", re.MULTILINE)
REST = "Other options"
WHOLE = "discreet.help_all"

TABLE_SECTIONS: Mapping[str, tuple[str, ...]] = {
    "Used most": (
        "by", "answers", "count", "count_as", "epsilon", "unit", "format", "output", "overwrite", "levels", "ledger",
        "dataset", "config", "details", "properties",
    ),
    "The shape of the noise": ("loss", "prior", "worst_case", "gap", "mechanism"),
    "Questions with several answers": (
        "answer", "answer_column", "other", "answer_nulls", "answer_as", "answer_cells",
    ),
    "More about what is counted": (
        "total", "by_as", "where", "nulls", "public", "size", "keys", "other_keys", "smallest", "cap",
    ),
    "More about privacy": ("alpha", "split", "contributions", "together", "excess"),
    "More about levels": ("level_split", "level_importance", "level_properties"),
    "What is written": ("intervals", "adding_up", "escape_formulas", "byte_order_mark"),
    "Reading the table": ("read", "types"),
    "Running it": ("save_config", "resume", "run_id", "log", "memory_limit", "threads", "temporary"),
}  # fmt: skip
"""The options of `plan` and `release`, by what a person looks for."""

DESIGN_SECTIONS: Mapping[str, tuple[str, ...]] = {
    "Used most": ("n", "epsilon", "alpha", "properties", "loss", "path"),
    "What is best": ("prior", "worst_case", "priors", "regret", "gap"),
    "Which mechanisms": ("categories", "step", "derivable", "rows"),
    "Running it": ("seconds", "no_cache", "cost_only"),
}
"""The options of `design`."""

METAVARS = {
    **dict.fromkeys(("by", "count", "unit", "public"), "COLUMN"), "epsilon": "NUMBER", "alpha": "NUMBER",
    "gap": "NUMBER", "intervals": "NUMBER", "levels": "LEVELS", "ledger": "FILE", "keys": "FILE", "output": "FOLDER",
    "temporary": "FOLDER", "mechanism": "FILE", "dataset": "NAME", "where": "PREDICATE", "size": "COLUMN",
    **dict.fromkeys(("split", "level_split", "level_importance", "level_properties", "read"), "PAIR"),
    "memory_limit": "SIZE", "run_id": "ID", "resume": "ID",
}  # fmt: skip
"""What an option takes, in a word."""


def write_options(
    command: click.Command, ctx: click.Context, formatter: click.HelpFormatter, sections: Mapping[str, Sequence[str]]
) -> None:
    """Write options under the headings of their sections, and under one of their own those that are in none.

    Of a command with sections, --help explains the first and names what is in the others; --help-all explains all.
    """
    given = [parameter for parameter in command.get_params(ctx) if isinstance(parameter, click.Option)]
    known = {name for names in sections.values() for name in names}
    placed = {
        heading: [parameter for name in names for parameter in given if parameter.name == name]
        for heading, names in sections.items()
    }
    placed[REST if sections else "Options"] = [parameter for parameter in given if parameter.name not in known]
    if sections and not ctx.meta.get(WHOLE):
        first, *others, rest = placed
        room = formatter.width - max(map(len, others)) - 6
        named = [(heading, _named(placed[heading], room)) for heading in others if placed[heading]]
        placed = {first: placed[first], rest: placed[rest]}
    else:
        named = []
    for heading, parameters in placed.items():
        records = [parameter.get_help_record(ctx) for parameter in parameters]
        if lines := [record for record in records if record is not None]:
            with formatter.section(heading):
                formatter.write_dl(lines)
    if named:
        with formatter.section(f"More, which {ctx.command_path} --help-all explains"):
            formatter.write_dl(named)


def _named(options: Sequence[click.Option], width: int) -> str:
    """Name options in lines of this width, which click would break at hyphens."""
    from discreet.show.text import wrapped

    return "\b\n" + "\n".join(wrapped(" ".join(max(option.opts, key=len) for option in options), width))


class Listed(click.Option):
    """--properties: its codes are listed by `design`, and in whole help; elsewhere nearly nobody needs them."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """What stands for it in help."""
        found = super().get_help_record(ctx)
        if found is None or ctx.meta.get(WHOLE) or ctx.info_name == "design":
            return found
        return found[0], "Of the noise; none: the usual noise. See: discreet help properties"


def help_all_option() -> click.Option:
    """The option that shows help with every option explained, for a command that has many."""
    return click.Option(["--help-all"], is_flag=True, expose_value=False, help="Explain every option and exit.")


def write_commands(group: click.Group, ctx: click.Context, formatter: click.HelpFormatter) -> None:
    """Write subcommands with the whole first sentence of each, which click would cut to one line."""
    found = [(name, group.get_command(ctx, name)) for name in group.list_commands(ctx)]
    with formatter.section("Commands"):
        formatter.write_dl([(name, _first(command.help or "")) for name, command in found if command is not None])


_MEANT = {
    **dict.fromkeys(("history", "log", "list", "status", "balance", "info", "view"), "show"),
    **dict.fromkeys(("new", "create", "init", "add"), "open"),
    **dict.fromkeys(("check", "test", "validate"), "verify"),
    **dict.fromkeys(("refund", "cancel", "undo"), "give-back"),
    **dict.fromkeys(("budget", "raise", "increase", "change"), "set-budget"),
    **dict.fromkeys(("empty", "delete", "remove", "reset"), "clear"),
    **dict.fromkeys(("export", "save"), "backup"), **dict.fromkeys(("import", "load"), "restore"),
}  # fmt: skip
"""Words that other programs have for what a subcommand does."""


def refuse_unknown(group: click.Group, ctx: click.Context, args: Sequence[str]) -> None:
    """Refuse a subcommand that there is not, with the one that may be meant and all there are."""
    if not args or args[0].startswith("-") or args[0] in group.commands:
        return
    from discreet.errors import did_you_mean

    if "show" in group.commands and set(args[0]) & set("./:"):
        ctx.fail(f"'{args[0]}' is no command: did you mean {ctx.command_path} show {args[0]}?")
    meant = _MEANT.get(args[0].lower(), "")
    guess = f"did you mean {meant}?" if meant in group.commands else did_you_mean(args[0], group.commands, cutoff=0.65)
    every = f" There are {', '.join(group.commands)}" if guess.endswith("?") else ""
    ctx.fail(f"unknown command '{args[0]}': {guess}{every}")


_OPTIONS_MEANT = {
    **dict.fromkeys(("--histogram", "--histograms", "--categories", "--values", "--choices", "--options"), "--answers"),
    **dict.fromkeys(("--group-by", "--groupby", "--groups", "--group", "--keys-by", "--key"), "--by"),
    **dict.fromkeys(("--column", "--bits", "--bit", "--predicate", "--what"), "--count"),
    **dict.fromkeys(("--person", "--id", "--user", "--people"), "--unit"),
    **dict.fromkeys(("--filter", "--query", "--if"), "--where"), **dict.fromkeys(("--out", "--to"), "--output"),
    **dict.fromkeys(("--property", "--shape", "--fair"), "--properties"), "--force": "--overwrite",
}  # fmt: skip
"""Words that other programs have for what an option does."""


_BUDGET = "A budget is set once, and a release is then paid from it: discreet ledger open budget.db people --budget 3"
_SHAPES = 'Each shape is an argument here, in quotes where it has several codes: discreet compare "WH CM" GM'
_ELSEWHERE = {
    ("plan", "--budget"): _BUDGET,
    ("release", "--budget"): _BUDGET,
    **dict.fromkeys((("compare", "--properties"), ("compare", "-p")), _SHAPES),
    ("report", "--by"): "What groups add up to by a key: discreet estimate published --by region",
    ("report", "--format"): "The name of the file says it: discreet report published -o report.xlsx",
}
"""What is asked of a command, and belongs to another."""


def meant_option(command: click.Command, error: click.NoSuchOption) -> click.NoSuchOption:
    """Return the error of an option that there is not, with the one that may be meant where another word is common."""
    asked = ((error.ctx.info_name if error.ctx else "") or "", error.option_name.lower())
    said = f"{error.option_name} is no option of {error.ctx.command_path if error.ctx else 'this command'}"
    meant = _OPTIONS_MEANT.get(asked[1], "")
    if asked in _ELSEWHERE:
        said = f"{said}. {_ELSEWHERE[asked]}"
    elif any(meant in option.opts for option in command.params):
        said = f"{said}: did you mean {meant}?"
    elif found := error.possibilities:  # the nearest first, which click would sort by letter
        near = [found[0], *get_close_matches(error.option_name, found[1:], cutoff=0.75)]
        said = f"{said}: did you mean {' or '.join(filter(None, (', '.join(near[:-1]), near[-1])))}?"
    return click.NoSuchOption(error.option_name, said, ctx=error.ctx)


def refuse_twice(command: click.Command, ctx: click.Context, args: Sequence[str]) -> None:
    """Refuse an option that takes one value and is given two, of which click would take the last without a word."""
    if ctx.resilient_parsing:
        return
    _, _, given = command.make_parser(ctx).parse_args(args=list(args))
    for option in given:
        once = isinstance(option, click.Option) and not (option.multiple or option.is_flag or option.count)
        if once and given.count(option) > 1:
            ctx.fail(f"{max(option.opts, key=len)} is given {given.count(option)} times, and takes one value")


def refuse_loose(command: click.Command, ctx: click.Context, args: Sequence[str]) -> None:
    """Refuse words without an option, where a command takes none, and write them as the options they look like."""
    if ctx.resilient_parsing:
        return
    options = {option.name: max(option.opts, key=len) for option in command.params if isinstance(option, click.Option)}
    taken = any(isinstance(parameter, click.Argument) for parameter in command.params)
    if not args or args[0].startswith("-") or taken or "n" not in options:
        return
    words = list(takewhile(lambda word: not word.startswith("-"), args))
    numbers = [word for word in words if word[:1].isdecimal()]
    shape = " ".join(word for word in words if word not in numbers)
    meant = {"n": numbers[:1], "epsilon": numbers[1:2], "properties": [shape] if shape else []}
    written = [f"{options[name]} {shlex.quote(given[0])}" for name, given in meant.items() if given and name in options]
    ctx.fail(f"unexpected {' '.join(words)}: write {' '.join(written)}")


def with_headings(text: str) -> str:
    """Make headings bold on a terminal that can show it."""
    from discreet.cli.paint import bold, wanted

    return _HEADING.sub(lambda found: bold(found[0]), text) if wanted(sys.stdout) else text


def _first(text: str) -> str:
    return " ".join(text.partition("\n\n")[0].split())
