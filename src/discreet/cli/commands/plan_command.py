"""`discreet plan`: what a release will cost and be worth, before anything is drawn."""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import fields
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from discreet.cli.bars import progress_options, watching
from discreet.cli.commands.table_commands import SPELLED, read_settings, table_options
from discreet.cli.config import OF_A_RELEASE_ONLY
from discreet.cli.help_pages import TABLE_SECTIONS
from discreet.cli.shared import TYPED, Command, Words, emit, json_option, quoted, spoken_warnings
from discreet.errors import DiscreetError, spelled
from discreet.show.text import columns

if TYPE_CHECKING:
    from discreet.tables.planning import Plan

_LEDGER = "budget.db"
_PLAIN = re.compile(r"[A-Za-z_][\w-]{0,39}", re.ASCII)


@click.command(cls=Command, aliases=SPELLED, sections=TABLE_SECTIONS)
@click.argument("source", nargs=-1)
@table_options
@click.option("--details", is_flag=True, help="Every size and note, other shapes and shares.")
@progress_options
@json_option
def plan_command(config: str | None, details: bool, progress: str, as_json: bool, **given: Any) -> None:
    """Say what a release will cost and how accurate it will be. Reads sizes and columns, never anybody's answer.

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
    emit(facts, as_json=as_json, text=None if as_json else told(found, click.get_current_context(), details=details))


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
    """What a plan says of levels that bring nothing, before a release pays for them; nothing where they do.

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
    return spelled(BRING_NOTHING, Words(click.get_current_context())) if said.startswith(BRING_NOTHING) else ""


def next_step(found: Plan, context: click.Context) -> str:
    """The release that was planned, as a line to copy; nothing where it would be refused."""
    if TYPED not in context.meta or found.refused or (found.remaining is not None and found.epsilon > found.remaining):
        return ""
    from discreet.ledger.databases.urls import hidden
    from discreet.ledger.parameters import show

    source = context.params["source"]
    dataset = "" if found.remaining is not None else _dataset(source)
    held = _held() if dataset else {}
    if dataset in held and found.epsilon > held[dataset]:
        return f"{_LEDGER} has {show(held[dataset])} left for {dataset}: less than this release costs"
    paid = ["--ledger", _LEDGER, "--dataset", dataset] if dataset else []  # a budget is advised to who named none
    typed = [*map(hidden, context.meta[TYPED]), *paid, "--output", "out"]
    lines = _opened(found, dataset, list(held)) if dataset and dataset not in held else []
    lines += [f"{_LEDGER} has a budget for {dataset}, {show(held[dataset])} left"] if dataset in held else []
    if not (found.unread and "--count" in typed):
        return "\n".join([*lines, *_to_copy("release it with", typed)])
    from discreet.show.plans.counted_text import WORDS

    one = len(found.unread) == 1
    bits = f"if {', '.join(found.unread)} {'holds' if one else 'hold'} 0 and 1"
    lines += _to_copy(f"release it, {bits}, with", typed)
    for name in found.unread:
        at = next((k for k, word in enumerate(typed) if word == name and typed[k - 1] == "--count"), 0)
        if at:
            typed[at - 1 : at + 1] = ["--answers", name, ",".join(WORDS)]
    words = f"if {'it holds' if one else 'they hold'} words, put yours for {' and '.join(WORDS)}"
    return "\n".join([*lines, *_to_copy(f"or, {words}", typed)])


def _to_copy(what: str, typed: Sequence[str]) -> list[str]:
    """A release as it is typed, continued at the ends of lines, without the options of a plan alone."""
    own = {"--details": 1, "--json": 1, "-q": 1, "--quiet": 1, "--progress": 2}
    left, parts = list(typed), list[list[str]]()  # an option and what it takes are not parted
    while left:
        if left[0] in own:
            del left[: own[left[0]]]
            continue
        if left[0].startswith("-") or not parts:
            parts.append([])
        parts[-1].append(quoted(left.pop(0)))
    lines = [f"{what}: discreet release"]
    for part in map(" ".join, parts):
        if len(lines[-1]) + len(part) + 3 > columns():
            lines[-1] += " \\"
            lines.append(f"    {part}")
        else:
            lines[-1] += f" {part}"
    return lines


def _held() -> dict[str, Fraction]:
    """What the datasets of a ledger that lies where one is advised have left."""
    if not Path(_LEDGER).is_file():
        return {}
    from discreet.ledger import open_ledger

    with suppress(DiscreetError):
        return {account.dataset: account.remaining for account in open_ledger(_LEDGER, create=False).datasets()}
    return {}


def _dataset(source: Sequence[object]) -> str:
    """What a ledger may call these people: the name of the file."""
    stem = Path(str(source[0])).stem if source else ""
    return stem if _PLAIN.fullmatch(stem) else "people"


def _opened(found: Plan, dataset: str, others: Sequence[str]) -> list[str]:
    """How to give these people a budget before anything is released, the least that suffices; first, whose is there."""
    from discreet.ledger.parameters import ledger_command, show

    line = ledger_command("open", _LEDGER, dataset, "--budget", show(found.epsilon, up=True))
    first = [f"{_LEDGER} has {_named(others)}: for the same people, give it as --dataset."] if others else []
    return [
        *first,
        f"{'for other people, ' if others else ''}open a budget, once: {line}",
        "    (enough for this release alone: give more if others will follow)",
    ]


def _named(others: Sequence[str]) -> str:
    return (
        f"a budget for {others[0]}"
        if len(others) == 1
        else f"a budget for {', '.join(others[:2])}{' and others' if len(others) > 2 else ''}"
    )


def told(found: Plan, context: click.Context, *, details: bool = False) -> str:
    """A plan in the words of the command line."""
    from discreet.show.releases import plan_text

    words = Words(context)
    text = plan_text(found, lambda said: spelled(said, words), details=details, more="--details")
    step = next_step(found, context)
    return f"{text}\n\n{step}" if step else text
