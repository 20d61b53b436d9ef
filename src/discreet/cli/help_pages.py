"""How help looks: options and commands in sections, subcommands with all of their words,
headings that stand out.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from textwrap import wrap

import click

_HEADING = re.compile(r"^(?:Usage:|[A-Z][\w ,-]*:$)", re.MULTILINE)
REST = "Other options"
WHOLE = "discreet.help_all"

TABLE_SECTIONS: Mapping[str, tuple[str, ...]] = {
    "Used most": (
        "by",
        "answers",
        "count",
        "count_as",
        "epsilon",
        "unit",
        "format",
        "output",
        "overwrite",
        "levels",
        "ledger",
        "dataset",
        "config",
        "details",
        "properties",
    ),
    "The shape of the noise": ("loss", "prior", "worst_case", "gap", "mechanism"),
    "Questions with several answers": (
        "answer",
        "answer_column",
        "other",
        "answer_nulls",
        "answer_as",
        "answer_cells",
    ),
    "More about what is counted": (
        "total",
        "by_as",
        "where",
        "nulls",
        "public",
        "size",
        "keys",
        "other_keys",
        "smallest",
        "cap",
    ),
    "More about privacy": ("alpha", "split", "contributions", "together", "excess"),
    "More about levels": ("level_split", "level_importance", "level_properties"),
    "What is written": ("intervals", "adding_up", "escape_formulas", "byte_order_mark"),
    "Reading the table": ("read", "types"),
    "Running it": (
        "save_config",
        "resume",
        "run_id",
        "log",
        "memory_limit",
        "threads",
        "temporary",
    ),
}
"""The options of `plan` and `release`, by what a person looks for."""

EXAMPLES = {"total": "", "where": "\"region = 'North'\"", "nulls": "0"}
"""The options of `plan` and `release` that are asked for next, and a value of each."""

DESIGN_SECTIONS: Mapping[str, tuple[str, ...]] = {
    "Used most": ("n", "epsilon", "alpha", "properties", "loss", "path"),
    "What is best": ("prior", "worst_case", "priors", "regret", "gap"),
    "Which mechanisms": ("categories", "step", "derivable", "rows"),
    "Running it": ("seconds", "no_cache", "cost_only"),
}
"""The options of `design`."""

METAVARS = {
    **dict.fromkeys(("by", "count", "unit", "public"), "COLUMN"),
    "epsilon": "NUMBER",
    "alpha": "NUMBER",
    "gap": "NUMBER",
    "intervals": "NUMBER",
    "levels": "LEVELS",
    "ledger": "FILE",
    "keys": "FILE",
    "output": "FOLDER",
    "temporary": "FOLDER",
    "mechanism": "FILE",
    "dataset": "NAME",
    "where": "PREDICATE",
    "size": "COLUMN",
    **dict.fromkeys(
        ("split", "level_split", "level_importance", "level_properties", "read"), "PAIR"
    ),
    "memory_limit": "SIZE",
    "run_id": "ID",
    "resume": "ID",
}
"""What an option takes, in a word."""


def write_options(
    command: click.Command,
    ctx: click.Context,
    formatter: click.HelpFormatter,
    sections: Mapping[str, Sequence[str]],
) -> None:
    """Write options under the headings of their sections, and under one of their own those that are
    in none.

    Of a command with sections, --help explains the first and names what is in the others;
    --help-all explains all.
    """
    given = [
        parameter for parameter in command.get_params(ctx) if isinstance(parameter, click.Option)
    ]
    known = {name for names in sections.values() for name in names}
    placed = {
        heading: [parameter for name in names for parameter in given if parameter.name == name]
        for heading, names in sections.items()
    }
    placed[REST if sections else "Options"] = [
        parameter for parameter in given if parameter.name not in known
    ]
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
    asked = [(each, EXAMPLES[each.name]) for each in given if named and each.name in EXAMPLES]
    if asked:
        with formatter.section("More, such as"):
            formatter.write_dl(
                [(f"{each.opts[0]} {value}", _in_short(each)) for each, value in asked]
            )
    if named:
        with formatter.section(f"More, which {ctx.command_path} --help-all explains"):
            formatter.write_dl(named)


def _in_short(option: click.Option) -> str:
    return (option.help or "").partition("  [")[0]


def _named(options: Sequence[click.Option], width: int) -> str:
    """Name options in lines of this width, which click would break at hyphens."""
    names = " ".join(max(option.opts, key=len) for option in options)
    return "\b\n" + "\n".join(wrap(names, width, break_long_words=False, break_on_hyphens=False))


class Listed(click.Option):
    """--properties: its codes are listed by `design`, and in whole help; elsewhere nearly nobody
    needs them.
    """

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """What stands for it in help."""
        found = super().get_help_record(ctx)
        if found is None or ctx.meta.get(WHOLE) or ctx.info_name == "design":
            return found
        return found[0], "Of the noise; none: the usual noise. See: discreet help properties"


def help_all_option() -> click.Option:
    """The option that shows help with every option explained, for a command that has many."""
    return click.Option(
        ["--help-all"], is_flag=True, expose_value=False, help="Explain every option and exit."
    )


def write_commands(group: click.Group, ctx: click.Context, formatter: click.HelpFormatter) -> None:
    """Write subcommands with the whole first sentence of each, which click would cut to one
    line.
    """
    found = [(name, group.get_command(ctx, name)) for name in group.list_commands(ctx)]
    with formatter.section("Commands"):
        formatter.write_dl(
            [(name, _first(command.help or "")) for name, command in found if command is not None]
        )


def with_headings(text: str) -> str:
    """Make headings bold on a terminal that can show it."""
    from discreet.cli.paint import bold, wanted

    return _HEADING.sub(lambda found: bold(found[0]), text) if wanted(sys.stdout) else text


def _first(text: str) -> str:
    return " ".join(text.partition("\n\n")[0].split())
