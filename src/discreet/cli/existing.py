"""What is named on the command line and must exist: a file, its columns, one of an option's words;
and the output.

A mistyped name is answered with the nearest one. Where --output is missing, the error says with it
what else is wrong that can be told without drawing: names, keys and the words of the request are
checked as a release checks them. And what `plot` needs is checked before anything is designed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from discreet.already_there import AlreadyThere
from discreet.cli.shared import Refused, Words
from discreet.errors import DiscreetError, InvalidFile, InvalidInput, did_you_mean
from discreet.near_files import near_file

_NAMES = 20
_WHY = "without it the budget would be spent and nothing kept"


class Existing(click.Path):
    """A path that exists."""

    def __init__(self, **kind: Any) -> None:
        super().__init__(exists=True, **kind)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Check it; what is not there is refused in the words of the other errors."""
        if param is None or ctx is None:
            return super().convert(value, param, ctx)
        name = param.name or "path"
        if not os.path.lexists(value):
            error = InvalidFile(
                name, "does not exist", found=str(value), remedy=_nearest(Path(value), param)
            )
        elif Path(value).is_dir() and not self.dir_okay:
            error = InvalidFile(
                name, "is a folder, and a file is needed", found=str(value), remedy=_inside(value)
            )
        else:
            if param.human_readable_name == "RELEASE":
                refuse_part(value, name)
            return super().convert(value, param, ctx)
        raise Refused(error, Words(ctx))


def refuse_part(path: str, parameter: str) -> None:
    """Refuse one file of a release where its folder is meant."""
    folder = Path(path).parent
    if Path(path).is_file() and (folder / "manifest.json").is_file():
        remedy = f"did you mean the folder {folder if folder.name else folder.absolute()}?"
        raise Refused(
            InvalidFile(parameter, "is one file of a release", found=path, remedy=remedy),
            Words(click.get_current_context()),
        )


if TYPE_CHECKING:
    _Choice = click.Choice[str]
else:
    _Choice = click.Choice  # generic since click 8.2 only


class OneOf(_Choice):
    """One of a few words."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Check it; another word is refused with the nearest."""
        words = [str(word) for word in self.choices]
        if param is None or ctx is None or value in words:
            return super().convert(value, param, ctx)
        nearest = did_you_mean(str(value), words)
        remedy = nearest if nearest.endswith("?") else ""
        error = InvalidInput(
            param.name or "", f"must be one of {', '.join(words)}", value, remedy=remedy
        )
        raise Refused(error, Words(ctx))


def _inside(folder: str) -> str:
    """What to name instead of a folder."""
    if (Path(folder) / "manifest.json").is_file():
        return (
            f"it is a release: discreet estimate {folder} reads it, discreet verify {folder} "
            "checks it"
        )
    return "name a file in it"


def _nearest(path: Path, param: click.Parameter) -> str:
    """What may be meant by a path that is not there: one of a like name, or a release, where one
    is asked for.
    """
    try:
        there = sorted(path.parent.iterdir())
        if near := near_file(path.name, [each.name for each in there]):
            return f"did you mean {path.parent / near}?"
        wanted = param.human_readable_name in ("RELEASE", "PATH")
        releases = [str(each) for each in there if wanted and (each / "manifest.json").is_file()]
    except OSError:
        return f"nor does its folder; you are in {Path.cwd()}"
    if len(releases) == 1:
        return f"the only release {'here' if path.parent == Path() else 'there'} is {releases[0]}"
    return f"{did_you_mean('', releases)}, which are releases" if releases else "check the path"


def no_output(settings: Mapping[str, Any]) -> DiscreetError:
    """The error about a release without --output, which names another fault of the request too."""
    from discreet.tables.asking.question import read_question
    from discreet.tables.asking.request import Machine, Request, parameters
    from discreet.tables.engines import open_engine

    given = {
        part: {name: settings[name] for name in parameters(part) if name in settings}
        for part in (Machine, Request)
    }
    try:
        engine = open_engine(settings["source"], settings.get("read"), Machine(**given[Machine]))
        try:
            read_question(engine, Request(**given[Request]))
        finally:
            engine.close()
    except DiscreetError as error:
        end = " " if error.remedy.endswith("?") else ". " if error.remedy else ""
        error.remedy += f"{end}And `output` is needed: {_WHY}"
        return error
    return InvalidInput("output", "is needed", remedy=_WHY)


def _beside_what_lacks(settings: Mapping[str, Any], *, apart: bool) -> str:
    """What is said with what is missing: names that are no columns, and all columns there are;
    `apart`: in lines.

    A file that is not there is refused first.
    """
    from discreet.tables.asking.request import Machine
    from discreet.tables.engines import open_engine

    if "source" not in settings:
        return ""
    engine = open_engine(settings["source"], settings.get("read"), Machine())
    names = list(engine.columns)
    engine.close()
    wrong = [
        f"`{option}` must name columns of the source, not {name}: {did_you_mean(name, names)}"
        for option, name in _columns_named(settings)
        if name.lower() not in {each.lower() for each in names}
    ]
    every = f"The columns are {', '.join(names[:_NAMES])}{', ...' if len(names) > _NAMES else ''}"
    return "".join(f"\n{line}" for line in [*wrong, every]) if apart or wrong else f". {every}"


def _columns_named(settings: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The parameters that name columns, and what was given; not what a key is made of."""
    by = settings.get("by", ())
    names = (
        [by]
        if isinstance(by, str)
        else [name for name in by if not isinstance(by, Mapping) or by[name] == name]
    )
    yield from (("by", name) for name in names if isinstance(name, str))
    if isinstance(settings.get("unit"), str):
        yield "unit", settings["unit"]


def picture_of(what: str | None) -> str:
    """Where a picture goes unless said: beside the file that is drawn, under its name; nothing
    is replaced unasked.
    """
    path = str(Path(what).with_suffix(".png")) if what and Path(what).is_file() else "mechanism.png"
    if Path(path).exists():
        remedy = f"give another `path`, or this one to replace it: -o {path}"
        raise AlreadyThere("path", "exists already", found=path, remedy=remedy)
    return path


def check_given(what: str | None, n: int | None, asked: dict[str, Any]) -> None:
    """Refuse a design, or a name, without a group size; the privacy is named with it where that
    is missing too.
    """
    from discreet.core.named import find_named

    if n is not None or (what is not None and (Path(what).exists() or find_named(what) is None)):
        return
    if asked["epsilon"] is None and asked["alpha"] is None:
        rule, remedy = (
            "and `epsilon` (or `alpha`) are needed",
            "give `n=8` `epsilon=0.5`, or the path of a proof file",
        )
    else:
        rule, remedy = "is needed", "give it, or the path of a proof file"
    raise InvalidInput("n", rule, remedy=remedy)


def refuse_lacking(settings: Mapping[str, Any]) -> None:
    """Refuse a request that lacks what every one needs; of several things that are missing, each
    has a line.
    """
    missing = {name: said for name, said in _NEEDED.items() if name not in settings}
    if {"alpha", "mechanism"} & {*settings}:
        missing.pop("epsilon", None)
    first, *others = missing or [""]
    if not others:
        if first in ("", "epsilon"):  # which every verb refuses
            return
        raise InvalidInput(
            first, "is needed", remedy=missing[first] + _beside_what_lacks(settings, apart=False)
        )
    names = " and ".join(
        filter(None, (", ".join(f"`{name}`" for name in others[:-1]), f"`{others[-1]}`"))
    )
    lines = [f"`{name}`: {said}" for name, said in missing.items()]
    told = "".join(f"\n  - {line}" for line in lines) + _beside_what_lacks(settings, apart=True)
    example = _EXAMPLE.format(click.get_current_context().info_name)
    raise InvalidInput(first, f"is needed, and {names} too", remedy=f"{told}\nsuch as:\n{example}")


_NEEDED = {
    "source": "give a file on the command line, or settings in --config",
    "by": "name the key column of groups, or give `by=[]` for one count of all",
    "count": "of words, give --answers smoker yes,no; or name a column of 0 and 1, or a "
    'predicate such as "age > 64"',
    "epsilon": "how much one person gives away, such as `epsilon=1`",
}
_EXAMPLE = """\
  discreet {} people.csv --by clinic --unit person \\
      --answers smoker yes,no --epsilon 1"""
