"""What a figure says about a mechanism: its setting, its properties, a name for the title and
one for the legend.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from discreet.core.named import NAMED, recognised
from discreet.core.properties import PROPERTIES
from discreet.core.rationals import shown
from discreet.errors import InvalidInput

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism


def setting(m: Mechanism) -> str:
    """Say the group size and the privacy of a mechanism in one line."""
    return f"groups of {m.n}, {privacy_words(m.alpha, m.epsilon)}"


def privacy_words(alpha: Fraction, epsilon: Fraction) -> str:
    """Say epsilon, and alpha in brackets where that is what was asked for: the shorter number.

    >>> (
    ...     privacy_words(Fraction(20841, 34361), Fraction(1, 2)),
    ...     privacy_words(Fraction(10, 11), Fraction(953101799, 10**10)),
    ... )
    ('epsilon = 0.5', 'epsilon = 0.0953 (alpha = 10/11)')
    """
    said = f"epsilon = {float(epsilon):.3g}"
    return (
        said if epsilon.denominator <= alpha.denominator else f"{said} (alpha = {shown(alpha, 3)})"
    )


ONE_WORD = re.compile(
    r"(?P<column>[^\W\d]\w*) = '(?P<word>[^']+)'(?:; other values are (?P<other>.+?))?(?:; "
    r"NULL is (?P<empty>.+))?"
)
"""The definition of a count that is one word of one column, and of what other values and empty
ones count as.
"""


def count_words(name: str, definition: str) -> str:
    """Name a count: where its name is made of a question and one of its answers, by these two.

    >>> (
    ...     count_words("smoker_yes", "smoker = 'yes'"),
    ...     count_words("smoker", "smoker = 'yes'"),
    ...     count_words("old", "a > 64"),
    ... )
    ('smoker: yes', 'smoker', 'old')
    """
    one = ONE_WORD.fullmatch(definition)
    return (
        f"{one['column']}: {one['word']}"
        if one and name == f"{one['column']}_{one['word']}"
        else name
    )


def spoken_count(name: str, definition: str) -> str:
    """Name a count within a sentence: a question and an answer stand in quotation marks.

    >>> spoken_count("smoker_yes", "smoker = 'yes'"), spoken_count("old", "a > 64")
    ('“smoker: yes”', 'old')
    """
    said = count_words(name, definition)
    return name if said == name else f"\u201c{said}\u201d"


def counting_words(name: str, definition: str, *, people: bool = True) -> str:
    """Say what those who are counted do: of a word and its column, whose names make the count's,
    that they gave it.

    >>> counting_words("smoker_yes", "smoker = 'yes'"), counting_words("old", "a > 64")
    ('answered “yes” to “smoker”', 'count as old')
    """
    one = ONE_WORD.fullmatch(definition)
    if one and name == f"{one['column']}_{one['word']}" and not (one["other"] or one["empty"]):
        said, toward = ("answered", "to") if people else ("have", "as")
        return f"{said} \u201c{one['word']}\u201d {toward} \u201c{one['column']}\u201d"
    return f"count as {spoken_count(name, definition)}"


def percent(level: Fraction | float) -> str:
    """Say a level of confidence in percent.

    >>> percent(0.95), percent(0.999)
    ('95%', '99.9%')
    """
    return f"{100 * float(level):.4g}%"


def prior_words(prior: object) -> str:
    """Say which true counts are held likely in a score."""
    return "every truth equally likely" if str(prior) == "uniform" else f"prior {prior}"


def shape_line(m: Mechanism) -> str:
    """Say in words which properties it has or lacks, whichever is shorter."""
    has = [one.full_name for name, one in PROPERTIES.items() if name in m.shape]
    lacks = [one.full_name for name, one in PROPERTIES.items() if name not in m.shape]
    if not lacks:
        return "has all seven properties"
    if not has:
        return "has none of the seven properties"
    if len(lacks) <= 2:
        return f"has every property but {' and '.join(lacks)}"
    return f"lacks {', '.join(lacks)}" if len(lacks) <= 4 else f"has only {' and '.join(has)}"


_WAYS = {
    "joint": "joint draw",
    "F": "fair draw (F)",
    "cells": "answer by answer (cells)",
    "RR": "randomised response (RR)",
    "UM": "blind guessing (UM)",
}


_SHORT = {"GM": "usual", "WM": "weakly honest", "EM": "fair", "UM": "guessing"}
_LOSSES = ("L0", "L1", "L2")
_HAVING = {
    "RH": "row honest",
    "RM": "row monotone",
    "CH": "column honest",
    "CM": "column monotone",
    "WH": "weakly honest",
    "F": "fair",
    "S": "symmetric",
}


def spoken_name(label: str) -> str:
    """Name a series for a reader: the short name of a mechanism with its code behind it, what a
    design has, or itself.

    >>> spoken_name("GM"), spoken_name("WH CM"), spoken_name("WH RM CM"), spoken_name("mine")
    ('usual (GM)', 'weakly honest, column monotone', 'weakly honest, monotone', 'mine')
    >>> spoken_name("L0, CM"), spoken_name("L1, CM")
    ('column monotone', 'column monotone (L1)')
    """
    if label in _SHORT:
        return f"{_SHORT[label]} ({label})"
    loss, _, shape = label.partition(", ")
    if (
        loss in _LOSSES and (words := spoken_name(shape)) != shape
    ):  # how a list names a design: "L1, CM"
        return words if loss == "L0" else f"{words} ({loss})"
    asked = label.split()
    if not asked or not all(code in _HAVING for code in asked):
        return label
    both = {"RM", "CM"} <= set(asked)
    rest = [_HAVING[code] for code in asked if not (both and code in ("RM", "CM"))]
    return ", ".join([*rest, *(["monotone"] if both else [])])


def written(value: float, places: int) -> str:
    """A chance, or a percentage of one, to so many decimals: what can happen is never written as 0.

    >>> written(0.0004, 3), written(0.0006, 3), written(0.0, 3), written(0.3, 0)
    ('<0.001', '0.001', '0.000', '<1')
    """
    least = 10.0**-places
    return f"<{least:.{places}f}" if 0 < value < least / 2 else f"{value:.{places}f}"


def uncoded(words: str) -> str:
    """The name without the code behind it.

    >>> uncoded("usual (GM)")
    'usual'
    """
    return re.sub(r"\s\([A-Z]+\)", "", words)


def way_words(label: str) -> str:
    """Say what a way to release a histogram is.

    >>> way_words("RR"), way_words("mine")
    ('randomised response (RR)', 'mine')
    """
    return _WAYS.get(label, label)


def short_name(m: Mechanism) -> str:
    """Name a mechanism by what it is the best for, or by how it was found."""
    problem = m.origin.problem
    if problem is None:
        method = _method(m)
        return method[:1].upper() + method[1:]
    best = "Best" if m.origin.optimal else "Near the best"
    parts = [f"{best} for {'the worst case of ' if problem.worst_case else ''}{problem.loss.name}"]
    asked = [str(problem.shape), *(rows.name for rows in problem.own)]
    if any(asked):
        parts.append(f"with {', '.join(filter(None, asked))}")
    if problem.derivable:
        parts.append("that derives from GM")
    if not problem.prior.uniform:
        parts.append(f"under {problem.prior.name}")
    return " ".join(parts)


def label(m: Mechanism) -> str:
    """Return a name short enough for a legend: GM, or "L1, CM WH"."""
    problem = m.origin.problem
    if problem is not None:
        own = (rows.name for rows in problem.own)
        return ", ".join(part for part in (problem.loss.name, str(problem.shape), *own) if part)
    method = _method(m)
    named = next((one for one in NAMED.values() if method.startswith(one.full)), None)
    if named is None:
        return short_name(m)
    # WM that is GM says so: "GM (weakly honest here)"
    return named.short + (
        method.removeprefix(named.title) if method.startswith(named.title) else ""
    )


def mechanism_name(m: Mechanism) -> str:
    """Return the short name of the mechanism that this is, however it was found; "" where it has
    none.

    >>> from discreet.core.named import geometric
    >>> mechanism_name(geometric(n=2, alpha="1/2"))
    'GM'
    """
    named = recognised(m)
    first = named.short if named else label(m).partition(" ")[0]
    return first if first in NAMED else ""


def _method(m: Mechanism) -> str:
    return m.origin.method.removeprefix("closed form: ")


def labelled(things: Any) -> dict[str, Mechanism]:
    """Read one mechanism, a list of them, or a dict from label to mechanism."""
    if isinstance(things, Mapping):
        found = {str(name): m for name, m in things.items()}
    elif isinstance(things, (list, tuple)):
        found = {}
        for m in things:
            name = label(m)
            found[name if name not in found else f"{name} ({len(found) + 1})"] = m
    else:
        found = {label(things): things}
    if not found:
        raise InvalidInput("mechanisms", "must hold at least one mechanism", 0)
    return found
