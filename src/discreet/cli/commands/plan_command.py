"""`discreet plan`: what a release will cost and be worth, before anything is drawn."""

from __future__ import annotations

import warnings
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import click

from discreet.cli.bars import progress_options, spoken_warnings, watching
from discreet.cli.commands.table_commands import SPELLED, read_settings, table_options
from discreet.cli.config import OF_A_RELEASE_ONLY
from discreet.cli.help_pages import TABLE_SECTIONS
from discreet.cli.shared import Command, Words, emit, json_option
from discreet.cli.wording.next_release import next_step
from discreet.errors import DiscreetError, spelled

if TYPE_CHECKING:
    from discreet.tables.planning import Plan


@click.command(cls=Command, aliases=SPELLED, sections=TABLE_SECTIONS)
@click.argument("source", nargs=-1)
@table_options
@click.option("--details", is_flag=True, help="Every size and note, other shapes and shares.")
@progress_options
@json_option
def plan_command(
    config: str | None, details: bool, progress: str, as_json: bool, **given: Any
) -> None:
    """Say what a release will cost and how accurate it will be. Reads sizes and columns, never
    anybody's answer.

    \b
    discreet plan people.csv --by clinic --unit person \\
        --answers smoker yes,no --epsilon 0.5
    discreet plan --config release.toml
    """
    from discreet.tables.planning import plan

    settings = read_settings(config, given)
    wanted = {name: value for name, value in settings.items() if name not in OF_A_RELEASE_ONLY}
    with watching(progress) as watch, spoken_warnings(watch.give_way):
        found = plan(**wanted, progress=watch)
    # field by field, not `to_dict`: exact numbers carry their decimals on the command line
    facts = {field.name: getattr(found, field.name) for field in fields(found)}
    paid = settings.get("ledger"), settings.get("dataset")
    emit(facts, as_json=as_json, text=None if as_json else _told(found, paid, details=details))


def before(count: Any) -> str:
    """What is said of words before a release pays; nothing where no count compares with one."""
    from discreet.show.plans.counted_text import compared_words

    named = (
        count.items()
        if isinstance(count, dict)
        else ((each, each) for each in ([count] if isinstance(count, str) else count))
    )
    said = compared_words([(str(name), text) for name, text in named if isinstance(text, str)])
    return spelled(said, Words(click.get_current_context()))


def in_vain(settings: dict[str, Any]) -> str:
    """What a plan says of levels that bring nothing, before a release pays for them; nothing where
    they do.

    It reads sizes and keys once more. What it cannot plan, a release refuses in its own words.
    """
    from discreet.show.plans.plan_levels_text import BRING_NOTHING, levels_verdict
    from discreet.tables.planning import plan

    unasked = {*OF_A_RELEASE_ONLY, "ledger", "dataset"}
    with warnings.catch_warnings(action="ignore"):
        try:
            found = plan(**{name: value for name, value in settings.items() if name not in unasked})
        except DiscreetError:
            return ""
    said = next(levels_verdict(found.levels), "")
    return (
        spelled(BRING_NOTHING, Words(click.get_current_context()))
        if said.startswith(BRING_NOTHING)
        else ""
    )


def _told(found: Plan, paid: tuple[str | None, str | None], *, details: bool) -> str:
    """A plan in the words of the command line; `paid` are the ledger and the dataset that were
    named.
    """
    from discreet.show.releases import plan_text

    context = click.get_current_context()
    words = Words(context)

    def spell(said: str) -> str:
        return spelled(said, words)

    step = next_step(found, context, paid)
    more = [] if details else ["every size, and what each word means: --details"]
    return "\n".join(
        [plan_text(found, spell, details=details), "", *more, *([step] if step else [])]
    ).rstrip()
