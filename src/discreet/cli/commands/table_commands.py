"""`discreet release`, and the options it shares with `discreet plan`: from a table to a
published bundle.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource

from discreet.cli import answer_options
from discreet.cli.bars import Watcher, progress_options, spoken_warnings, watching
from discreet.cli.config import read_config, write_config
from discreet.cli.existing import Existing, OneOf, no_output, refuse_lacking
from discreet.cli.help_pages import METAVARS, TABLE_SECTIONS
from discreet.cli.shared import (
    DESIGN,
    Command,
    design_options,
    emit,
    json_option,
    quoted,
    read_pairs,
    say,
)
from discreet.cli.wording.mistyped import read_files
from discreet.core.rationals import in_decimals
from discreet.errors import InvalidInput
from discreet.tables.asking.request import Budget, Delivery, Machine, Request, parameters

if TYPE_CHECKING:
    from discreet.core.progress import Listener
    from discreet.tables.published.result import Release

F = TypeVar("F", bound=Callable[..., Any])

_NAMED = re.compile(r"\s*([^\W\d]\w*)\s*=(?!=)\s*(.+)", re.DOTALL)
_CONSTANT = re.compile(r"([a-z]+\s*)?'|[+-]?\s*\.?\d|(true|false|null)\b", re.IGNORECASE)
_FIRST_TERM = re.compile(r"(.*?)(\b(and|or)\b|$)", re.IGNORECASE | re.DOTALL)
SPELLED = {"count": ("count_as", "answers", "answer", "answer_as"), "by": ("by_as",)}


_PARQUET = "\nthis is Parquet, for programs; --format csv makes tables that a spreadsheet opens"
_BESIDES = {
    "by": [
        click.option(
            "--total",
            is_flag=True,
            default=None,
            help="Instead of --by: one count of the whole table.",
        ),
        click.option(
            "--by-as",
            multiple=True,
            type=(str, str),
            metavar="NAME EXPRESSION",
            help='A key made of public columns: band "age - age % 10"; --by NAME too says '
            "where it stands.",
        ),
    ],
    "count": [
        click.option(
            "--count-as",
            multiple=True,
            type=(str, str),
            metavar="NAME PREDICATE",
            help='Under a name: old "age > 64".',
        ),
        *answer_options.OPTIONS,
    ],
    "read": [
        click.option(
            "--type",
            "types",
            multiple=True,
            metavar="COLUMN=TYPE",
            help="Type of a CSV column that is not text, age=INTEGER.",
        )
    ],
}
"""Options that become the parameter they stand beside, together with its own."""


def _options(*parts: type) -> Callable[[F], F]:
    """Add an option for every parameter of these parts; those of any design are added by
    `design_options`.
    """

    def add(command: F) -> F:
        for name, asked in reversed(parameters(*parts).items()):
            for beside in reversed(_BESIDES.get(name, ())):
                command = beside(command)
            if name not in DESIGN:
                command = _option(name, asked.metadata, asked.default)(command)
        return command

    return add


def _option(name: str, asked: Mapping[str, Any], default: Any) -> Callable[[F], F]:
    words = [f"--{name.replace('_', '-')}", *(["-o"] if name == "output" else [])]
    if asked["kinds"] == (bool,):
        return click.option(*words, is_flag=True, default=None, help=asked["about"])
    kind = (
        OneOf(asked["choices"]) if asked["choices"] else int if asked["kinds"] == (int,) else None
    )
    unsaid = asked["choices"] and default and "unless said" not in asked["about"]
    about = f"{asked['about']}  [default: {default}]" if unsaid else asked["about"]
    return click.option(
        *words, type=kind, multiple=asked["many"], metavar=METAVARS.get(name), help=about
    )


def table_options(command: F) -> F:
    """Add what plan and release share: which table, which groups, which bits, which privacy, who
    pays.
    """
    config = Existing(dir_okay=False)
    command = click.option("--config", type=config, help="Take the settings from a TOML file.")(
        command
    )
    return design_options(_options(Request, Budget, Machine)(command))


@click.command(cls=Command, aliases=SPELLED, sections=TABLE_SECTIONS)
@click.argument("source", nargs=-1)
@table_options
@_options(Delivery)
@click.option(
    "--log", help="Append what happens, and when, to this file as JSON lines; - is standard error."
)
@click.option(
    "--save-config",
    type=click.Path(dir_okay=False),
    help="Write the settings to a TOML file, and stop.",
)
@progress_options
@json_option
def release_command(
    config: str | None,
    save_config: str | None,
    log: str | None,
    progress: str,
    as_json: bool,
    **given: Any,
) -> None:
    """Publish private counts of a table, under a budget.

    \b
    discreet ledger open budget.db patients --budget 1
    discreet release people.csv --by clinic --unit person \\
        --answers smoker yes,no --epsilon 0.5 \\
        --ledger budget.db --dataset patients --output published
    discreet release --config release.toml
    """
    from discreet.tables.releasing import release

    settings = read_settings(config, given)
    if save_config:
        left_out = write_config(save_config, settings)
        if left_out:
            say(
                f"{save_config}: without the ledger's {', '.join(left_out)}: set PGPASSWORD or "
                "use ~/.pgpass"
            )
        say(f"{save_config}: run it with discreet release --config {save_config}")
        return
    if "output" not in settings:
        raise no_output(settings)
    with watching(progress) as watch, spoken_warnings(watch.give_way), _logged(log):
        done = release(**settings, progress=_heard(watch, settings))
    summary, text = _released(done, settings)
    emit(summary, as_json=as_json, text=text)


def _heard(watch: Watcher, settings: dict[str, Any]) -> Listener:
    """What hears of progress, and says first, where there may be something, what is better known
    before paying.
    """
    counts = settings["count"]
    asked = (
        counts.values()
        if isinstance(counts, dict)
        else [counts]
        if isinstance(counts, str)
        else counts
    )
    words = any(isinstance(text, str) and "'" in text for text in asked)
    levels = (
        "levels" in settings and "level_split" not in settings
    )  # shares that are given were thought about
    if not (words or levels) or (
        os.path.lexists(settings["output"]) and not settings.get("overwrite")
    ):
        return watch  # nothing to say; or it is refused, or was paid for already
    from discreet.cli.paid_text import saying_first

    return saying_first(watch, settings, levels=levels)


def _released(done: Release, settings: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """A release as facts for --json, and as text; `settings` are those it was made with."""
    summary, paid = done.to_dict(), ""
    if settings.get("ledger") is not None:
        from discreet.cli.paid_text import already_text, budget_facts, budget_text

        if done.already:
            return summary, already_text(done)
        if budget := budget_facts(done, settings["ledger"]):
            summary["budget"] = budget
            paid = f"\n{budget_text(budget)}"
    output = settings["output"]
    folder = quoted(str(output))
    after = (
        f"read it with: discreet estimate {folder}",
        f"report it with: discreet report {folder}",
    )
    return summary, "\n".join(
        [_summary(done, summary, output, paid), *_notes(done, output), *after]
    )


def _notes(done: Release, output: Any) -> Iterator[str]:
    """What to know before the tables are read, where there may be something."""
    facts = done.manifest
    if len(facts.levels) > 1 or facts.confidence or any(count.cells for count in facts.counts):
        from discreet.show.releases import release_notes

        yield from release_notes(done, quoted(str(output)))


def _summary(done: Release, summary: dict[str, Any], given: object, paid: str) -> str:
    spent = in_decimals(Fraction(summary["epsilon"]))
    groups = "1 group" if summary["groups"] == 1 else f"{summary['groups']:,} groups"
    sizes = f" of {summary['sizes']} sizes"
    if cap := summary.get("cap"):
        sizes = f", of each at most {cap} people,"
    elif summary["sizes"] == 1:
        (size,) = done.manifest.groups_by_size
        sizes = (
            " of "
            f"{'1 person' if int(size) == 1 else f'{int(size):,} people'}"
            f"{' each' if summary['groups'] > 1 else ''}"
        )
    tables = ", ".join(level.table for level in done.manifest.levels)
    made = "1 proof" if summary["mechanisms"] == 1 else f"{summary['mechanisms']} proofs"
    return (
        f"released {', '.join(summary['counts'])} for {groups}{sizes} "
        f"at epsilon {spent}{_levels(summary.get('levels', {}))}{paid}"
        f"\nNot protected: {summary['public']}"
        f"\nfolder: {given} (release {summary['release'][:8]}: {tables}, manifest, {made})"
        f"{_PARQUET if tables.endswith('.parquet') else ''}"
    )


def _levels(levels: dict[str, int]) -> str:
    each = (f"{name.replace(',', ', ')} {groups:,}" for name, groups in levels.items())
    return f"\nlevels, and their groups: {'; '.join(each)}" if levels else ""


def _logged(log: str | None) -> AbstractContextManager[None]:
    if log is None:
        return nullcontext()
    from discreet.tables.jobs.logs import logging_to

    return logging_to(log)


def read_settings(config: str | None, given: dict[str, Any]) -> dict[str, Any]:
    """Merge a config file and the command line; what was typed wins."""
    settings = read_config(config) if config else {}
    typed = {name: value for name, value in given.items() if _was_typed(name)}
    paired = ("count_as", "by_as", *answer_options.PAIRED)
    if any(
        word.startswith("-") for name in paired for words in typed.get(name, ()) for word in words
    ):
        answer_options.check_whole(typed)
    if "-" in typed.get("source", ()):
        remedy = "write it to a file, and give that"
        raise InvalidInput(
            "source", "is standard input, which is not read", found="-", remedy=remedy
        )
    if "source" in typed:
        typed["source"] = (
            typed["source"][0] if len(typed["source"]) == 1 else read_files(typed["source"])
        )
    if typed.pop("total", False):
        if "by" in typed:
            raise InvalidInput(
                "total",
                "is one count of the whole table, and `by` asks for groups; give one of them",
            )
        typed["by"] = []
    if "by_as" in typed:
        typed["by"] = read_keys(typed.get("by", ()), typed.pop("by_as"))
    if "count" in typed or "count_as" in typed:
        typed["count"] = read_counts(typed.get("count", ()), typed.pop("count_as", ()))
    if answers := {name: typed.pop(name) for name in answer_options.NAMES if name in typed}:
        typed["count"] = answer_options.read_questions(answers, typed.get("count", {}))
    if "levels" in typed:
        typed["levels"] = read_level_words(typed["levels"])
    for name, pairs in (*_PAIRS.items(), ("by", False), ("public", False), ("mechanism", False)):
        if name in typed and not isinstance(typed[name], dict):
            typed[name] = read_pairs(typed[name], name) if pairs else list(typed[name])
    if "types" in typed:
        typed["read"] = typed.get("read", {}) | {"types": read_pairs(typed.pop("types"), "types")}
    if typed.get("size", "").isdecimal() and len(typed["size"]) < 19:
        typed["size"] = int(typed["size"])
    merged = settings | typed
    refuse_lacking(merged)
    return merged


_PAIRS = dict.fromkeys(
    ("split", "read", "level_split", "level_importance", "level_properties"), True
)


def _was_typed(name: str) -> bool:
    return click.get_current_context().get_parameter_source(name) is ParameterSource.COMMANDLINE


def read_keys(plain: Sequence[str], made: Sequence[tuple[str, str]]) -> dict[str, str]:
    """Read --by, key columns in order, and --by-as, a name and what it is made of; last, unless
    --by names it too.

    >>> read_keys(["region", "band", "age"], [("band", "age - age % 10"), ("old", "age > 64")])
    {'region': 'region', 'band': 'age - age % 10', 'age': 'age', 'old': 'age > 64'}
    """
    found = {name: name for name in plain}
    if len(found) < len(plain):
        raise InvalidInput("by", "must not repeat a column", found=", ".join(plain))
    if len({name for name, _ in made}) < len(made):
        raise InvalidInput(
            "by_as", "must not give the same name twice", found=", ".join(name for name, _ in made)
        )
    return found | dict(made)


def read_counts(plain: Sequence[str], named: Sequence[tuple[str, str]]) -> dict[str, str]:
    """Read --count, a column or a predicate that names itself, and --count-as, a name and what it
    counts.

    >>> read_counts(["smoker", "drinks = 'yes'"], [("old", "age > 64")])
    {'smoker': 'smoker', "drinks = 'yes'": "drinks = 'yes'", 'old': 'age > 64'}
    """
    for text in plain:
        _refuse_old_names(text)
    found: dict[str, str] = {}
    for option, name, text in [("count", each, each) for each in plain] + [
        ("count_as", *each) for each in named
    ]:
        if not name.strip() or not text.strip():
            raise InvalidInput(option, "must not be empty", found=text if name.strip() else name)
        if name in found:
            raise InvalidInput(
                option,
                "must not give the same name twice",
                found=name,
                remedy="each count is paid for",
            )
        found[name] = text
    return found


def read_level_words(words: Sequence[str]) -> str | list[list[str]]:
    """Read --levels: one word for all of them, or each level by its keys, and `total` for none.

    >>> read_level_words(["rollup"]), read_level_words(["a,b"])
    ('rollup', [['a', 'b']])
    >>> read_level_words(["region,clinic", "total"])
    [['region', 'clinic'], []]
    """
    if len(words) == 1 and words[0] != "total" and "," not in words[0]:
        return words[0]
    return [
        [] if word.strip() == "total" else [key.strip() for key in word.split(",")]
        for word in words
    ]


def _refuse_old_names(text: str) -> None:
    """Refuse what may be meant as NAME=PREDICATE: read as one predicate it may count everybody.

    A word that is compared with a constant is a predicate under either reading, for a constant is
    no count.

    >>> _refuse_old_names("smoker = 'yes'")
    >>> _refuse_old_names("ill=diagnosed")
    Traceback (most recent call last):
        ...
    discreet.errors.InvalidInput: `count` takes a column, or a predicate with words in quotes ...
    """
    found = _NAMED.fullmatch(text)
    if found is None or _CONSTANT.match(found[2]):
        return
    rule = "takes a column, or a predicate with words in quotes"
    if (value := found[2].strip()).isidentifier():
        meant = f"{found[1]} = '{value}'"
        remedy = (
            f"write --count {quoted(meant)}; to count a column {value} under the name {found[1]}, "
        )
        raise InvalidInput(
            "count", rule, found=text, remedy=f"{remedy}--count-as {found[1]} {value}"
        )
    remedy = f"write --count-as {found[1]} {quoted(value)}"
    first = _FIRST_TERM.match(found[2])
    if first and not set(first[1]) & set("<>="):  # a second comparison in a row is not SQL
        remedy += f", or, if the two are to be compared, --count {quoted(f'({text.strip()})')}"
    raise InvalidInput("count", rule, found=text, remedy=remedy)
