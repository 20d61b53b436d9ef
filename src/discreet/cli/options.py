"""Options that several commands share, and output for people (text) or machines (JSON)."""

from __future__ import annotations

import json
import os
import sys
import textwrap
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, TextIO, TypeVar

import click

from discreet.errors import printable

F = TypeVar("F", bound=Callable[..., Any])

WIDEST = 80

DESIGN = ("epsilon", "alpha", "properties", "loss", "prior", "worst_case")
"""What `design_options` adds: the parameters of a design that a release has too."""

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON for machines instead of text.")


def privacy_options(command: F) -> F:
    """Add --epsilon and --alpha; the library checks that exactly one of them is given."""
    command = click.option("--alpha", help=_about("alpha"))(command)
    return click.option("--epsilon", help=_about("epsilon"))(command)


def design_options(command: F) -> F:
    """Add what a design takes besides n: privacy, properties, loss, prior, worst case."""
    command = objective_options(command)
    return privacy_options(click.option("--properties", "-p", default="", help=_about("properties"))(command))


def objective_options(command: F) -> F:
    """Add what a design minimises: loss, prior, worst case."""
    for option in (
        click.option("--worst-case", is_flag=True, help=_about("worst_case")),
        click.option("--prior", help=_about("prior")),
        click.option("--loss", default="L0", show_default=True, help=_about("loss")),
    ):
        command = option(command)
    return command


def _about(name: str) -> str:
    """What is said of a parameter of a release, which a design may have too."""
    from discreet.tables.asking.request import Request, parameters

    return str(parameters(Request)[name].metadata["about"])


def emit(value: Any, *, as_json: bool, text: str | None = None) -> None:
    """Print a value: JSON when asked, else its text."""
    if as_json:
        click.echo(json.dumps(plain(value), indent=2))
    else:
        say(str(value) if text is None else text)


def say(text: str, *, err: bool = False) -> None:
    """Print text for a person; on a terminal, long lines are folded between words."""
    stream = sys.stderr if err else sys.stdout
    text = printable(text)
    click.echo(folded(text, terminal_columns(stream)) if stream.isatty() else text, err=err)


def folded(text: str, width: int) -> str:
    """Fold lines that are too long between their words; a word longer than that stays whole, to be copied.

    >>> print(folded("  ok  private: no entry is negative", 22))
      ok  private: no
        entry is negative
    """
    return "\n".join(
        textwrap.fill(
            line,
            max(width, 20),
            subsequent_indent=" " * (len(line) - len(line.lstrip(" ")) + 2),
            break_long_words=False,
            break_on_hyphens=False,
        )
        if len(line) > width
        else line
        for line in text.split("\n")
    )


def terminal_columns(stream: TextIO) -> int:
    """The width of a terminal: from COLUMNS if that is set, or else from the terminal itself."""
    given = os.environ.get("COLUMNS", "")
    if given.isdecimal() and 0 < int(given) < 10_000:
        return int(given)
    try:
        return os.get_terminal_size(stream.fileno()).columns or WIDEST
    except (OSError, ValueError):
        return WIDEST


def plain(value: Any) -> Any:
    """Turn a value into what JSON can hold; an exact number keeps its fraction beside the decimal.

    >>> plain({"alpha": Fraction(10, 11)})
    {'alpha': {'exact': '10/11', 'decimal': 0.9090909090909091}}
    """
    if isinstance(value, Fraction):
        # Python refuses to print integers of more than 4,300 decimal digits
        exact = str(value) if value.denominator.bit_length() < 4096 else f"{value.numerator:#x}/{value.denominator:#x}"
        return {"exact": exact, "decimal": float(value)}
    if hasattr(value, "to_dict"):
        return plain(value.to_dict())
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(item) for item in value]
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    return str(value) if isinstance(value, Path) else value
