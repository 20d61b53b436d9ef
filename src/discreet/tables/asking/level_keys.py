"""Which levels a release has: nation, regions and clinics are the keys [], [region] and [region,
clinic].

A level is named by its keys, "region,clinic", and by "total" if it has none. Levels are told apart
by their place, the finest first; the finest has all of `by`. The others are nested in each other,
or there are two keys: then both margins and the total can be read together with the cells.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import Any, TypeVar

from discreet.core.properties import read_shape
from discreet.core.rationals import read_fraction, read_list, shown
from discreet.errors import InvalidInput, did_you_mean

WORDS = ("rollup", "cube")
_RULE = "must be rollup or cube, or each level by its keys"
TOTAL = "total"
"""The name of the level without keys."""

Keys = tuple[str, ...]
T = TypeVar("T")


def level_name(keys: Sequence[str]) -> str:
    """The name of a level.

    >>> level_name(["region", "clinic"]), level_name([])
    ('region,clinic', 'total')
    """
    return ",".join(keys) or TOTAL


def read_levels(levels: Any, by: Keys) -> tuple[Keys, ...]:
    """The keys of each level, the finest first.

    >>> read_levels("rollup", ("region", "clinic"))
    (('region', 'clinic'), ('region',), ())
    >>> read_levels([[], ["clinic", "region"]], ("region", "clinic"))
    (('region', 'clinic'), ())
    """
    if isinstance(levels, str):
        found = _by_word(levels, by)
    else:
        found = sorted(
            (_one(keys, by) for keys in _listed(levels)),
            key=lambda keys: (-len(keys), _places(keys, by)),
        )
    _check(found, by)
    return tuple(found)


def levels_asked(
    levels: Any, split: Any, importance: Any, properties: Any, by: Keys
) -> dict[str, Any]:
    """What a question knows of its levels: keys, shares if given, how much each matters, shapes
    of coarser ones.
    """
    found = read_levels(levels, by)
    if split is not None and importance is not None:
        raise InvalidInput(
            "level_importance", "is for shares that are chosen, and `level_split` gives them"
        )
    shares = None if split is None else read_level_split(split, found)
    if len(found) == 1:  # the finest alone has all of epsilon
        shares = (Fraction(1),)
    weights, shapes = read_importance(importance, found), read_level_properties(properties, found)
    return {
        "levels": found,
        "level_split": shares,
        "importance": weights,
        "level_properties": shapes,
    }


def read_level_split(split: Any, levels: Sequence[Keys]) -> tuple[Fraction, ...]:
    """The share of each level; the finest takes what the others leave, unless its own is given too.

    >>> [str(share) for share in read_level_split({"total": 0.1}, (("clinic",), ()))]
    ['9/10', '1/10']
    """
    names = [level_name(keys) for keys in levels]
    given = _by_name("level_split", split, names, levels, partial(read_fraction, "level_split"))
    for name, share in given.items():
        if share <= 0:
            remedy = "leave the level out of `levels`"
            raise InvalidInput(
                "level_split", f"must be above 0 for {name}", shown(share), remedy=remedy
            )
    given.setdefault(names[0], 1 - sum(given.values(), Fraction(0)))
    if missing := [name for name in names if name not in given]:
        rule = "must give a share to each level but the finest, which takes the rest"
        raise InvalidInput("level_split", rule, f"without {missing[0]}")
    if given[names[0]] <= 0 or sum(given.values()) != 1:
        rule = f"must add up to 1, with something left for {names[0]}"
        raise InvalidInput(
            "level_split",
            rule,
            ", ".join(map(shown, given.values())),
            remedy="write them as '1/10' or '0.1'",
        )
    return tuple(given[name] for name in names)


def read_importance(importance: Any, levels: Sequence[Keys]) -> tuple[Fraction, ...]:
    """How much each level matters where the shares are chosen: 1 for one that is not named.

    >>> [str(weight) for weight in read_importance({"total": 3}, (("clinic",), ()))]
    ['1', '3']
    """
    names = [level_name(keys) for keys in levels]
    weight = partial(read_fraction, "level_importance")
    given = (
        {}
        if importance is None
        else _by_name("level_importance", importance, names, levels, weight)
    )
    found = tuple(given.get(name, Fraction(1)) for name in names)
    if min(found) < 0 or not sum(found):
        raise InvalidInput(
            "level_importance",
            "must be numbers of at least 0, not all 0",
            ", ".join(map(shown, found)),
        )
    return found


def read_level_properties(properties: Any, levels: Sequence[Keys]) -> tuple[str, ...]:
    """The shape of each coarser level, the finest having that of the release: none (GM) unless it
    is named.

    >>> read_level_properties({"region": "RH F"}, (("region", "clinic"), ("region",), ()))
    ('', 'RH F', '')
    """
    names = [level_name(keys) for keys in levels]
    if properties is None:
        return ("",) * len(names)
    given = _by_name("level_properties", properties, names, levels, _shape)
    if names[0] in given:
        remedy = "the finest level has the shape that `properties` asks for"
        raise InvalidInput("level_properties", "must name coarser levels", names[0], remedy=remedy)
    return tuple(given.get(name, "") for name in names)


def _shape(given: Any) -> str:
    try:
        return str(read_shape(given))
    except InvalidInput as error:
        error.parameter = "level_properties"
        raise


def digested_levels(levels: Any, listed: Callable[[Any], list[Any]]) -> Any:
    """What the digest of a question has of `levels`: the keys of each, whatever their order."""
    if isinstance(levels, str):
        return levels
    return sorted((sorted(map(str, listed(keys))) for keys in listed(levels)), key=str)


def digested_by_level(given: Any, read: Callable[[Any], Any]) -> Any:
    """What the digest of a question has of numbers or shapes by level, whose keys may be in any
    order.
    """
    if not isinstance(given, Mapping):
        return read(given)
    parts = (
        (",".join(map(str, key or [TOTAL])) if isinstance(key, tuple) else str(key), each)
        for key, each in given.items()
    )
    return sorted([sorted(key.replace(" ", "").split(",")), read(each)] for key, each in parts)


def nested(levels: Sequence[Keys]) -> bool:
    """Whether each level's keys are among those of the level before it."""
    return all(set(coarse) < set(fine) for fine, coarse in pairwise(levels))


def _by_word(word: str, by: Keys) -> list[Keys]:
    if word not in WORDS:
        listed = [list(by), [word] if word in by and len(by) > 1 else []]
        remedy = (
            f"for this level too, give `levels={listed}`"
            if word in (*by, TOTAL)
            else did_you_mean(word, WORDS)
        )
        raise InvalidInput("levels", _RULE, word, remedy=remedy)
    if word == "rollup":
        return [by[:length] for length in range(len(by), -1, -1)]
    if len(by) != 2:
        remedy = "give `levels='rollup'`, or list the levels"
        raise InvalidInput(
            "levels", f"needs two keys in `by` for a cube, not {len(by)}", remedy=remedy
        )
    return [by, by[:1], by[1:], ()]


def _listed(levels: Any) -> list[Any]:
    found = None if isinstance(levels, Mapping) else read_list(levels)
    if not found:
        raise InvalidInput("levels", _RULE, levels)
    return list(found)


def _one(keys: Any, by: Keys) -> Keys:
    """One level of a list: its keys in the order of `by`."""
    listed = None if isinstance(keys, str) else read_list(keys)
    if listed is None:
        remedy = "write ['region'] for one key, and [] for the total"
        raise InvalidInput("levels", "must be a list of key lists", keys, remedy=remedy)
    for name in listed:
        if not isinstance(name, str) or name not in by:
            remedy = did_you_mean(str(name), by)
            raise InvalidInput("levels", "must name keys that are in `by`", name, remedy=remedy)
    if len(set(listed)) < len(listed):
        raise InvalidInput("levels", "must not repeat a key", found=", ".join(listed))
    return tuple(name for name in by if name in listed)


def _places(keys: Keys, by: Keys) -> list[int]:
    return [by.index(name) for name in keys]


def _check(levels: list[Keys], by: Keys) -> None:
    if levels[0] != by:
        rule = f"must hold the finest too, {level_name(by)}"
        listed = [list(keys) for keys in (by, *levels)]
        raise InvalidInput(
            "levels", rule, "; ".join(map(level_name, levels)), remedy=f"give `levels={listed}`"
        )
    names = [level_name(keys) for keys in levels]
    if twice := [name for place, name in enumerate(names) if name in names[:place]]:
        remedy = "rename the column" if len(set(levels)) == len(levels) else ""
        raise InvalidInput("levels", "has a level twice", found=twice[0], remedy=remedy)
    if len(by) != 2 and not nested(levels):
        rule = (
            "must be nested in each other, unless `by` has two keys: others cannot be read together"
        )
        raise InvalidInput(
            "levels", rule, "; ".join(names), remedy="give `levels='rollup'`, or make two releases"
        )


def _by_name(
    parameter: str, given: Any, names: list[str], levels: Sequence[Keys], read: Callable[[Any], T]
) -> dict[str, T]:
    """Values by the name of a level; the order and blanks in it do not matter."""
    if not isinstance(given, Mapping):
        values, one = ("shapes", "F") if parameter == "level_properties" else ("numbers", "1/10")
        remedy = f"such as `{parameter}={{{names[-1]!r}: {one!r}}}`"
        raise InvalidInput(
            parameter, f"must be {values} by the name of a level", given, remedy=remedy
        )
    known = {frozenset(keys): name for keys, name in zip(levels, names, strict=True)}
    found: dict[str, T] = {}
    for key, value in given.items():
        name = key if key in names else known.get(frozenset(_split(key)))
        if name is None:
            remedy = did_you_mean(str(key), names)
            raise InvalidInput(
                parameter, "must name levels of the release", str(key), remedy=remedy
            )
        if name in found:
            raise InvalidInput(parameter, "must not name a level twice", found=name)
        found[name] = read(value)
    return found


def _split(key: Any) -> list[str]:
    parts = key.split(",") if isinstance(key, str) else read_list(key)
    parts = [None] if parts is None else parts
    return [part.strip() if isinstance(part, str) else "" for part in parts]
