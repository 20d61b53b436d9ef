"""What a release will read of the protected columns, said before it and after it without a look at
them.

A predicate such as asthma = 'Yes' may be true of nobody because the word is misspelt, or because
nobody has asthma. That is what the release protects, so no error may depend on it. The same words
are said of every predicate that compares with a word, and of every column of text that is counted,
whatever stands in the rows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from discreet.tables.planning import Plan

WORDS = ("yes", "no")
"""The words that a column of text is taken to hold where one must be named: a release refuses
others, unpaid.
"""
_LATER = (
    "Not compared with the data yet: {}. A release does that before it spends, and "
    "refuses any other value{}{}.{}"
)
_WORD = re.compile(r"'[^']*[^\W\d_][^']*'")
"""A text in SQL that has a letter: no date, and no number."""
_OPPOSITE = {"yes": "no", "Yes": "No", "no": "yes", "No": "Yes", "true": "false", "false": "true"}
"""The other word of a column that holds two; in place of OTHER."""
_EMPTY = ". An empty value is refused, unless `nulls='0'` counts it as no."
_ONE = re.compile(r"\s*([^\W\d]\w*)\s*=\s*'([^'`\\]+)'\s*")


def compares_words(predicate: str) -> bool:
    """Whether a predicate compares with a word.

    >>> (
    ...     compares_words("asthma = 'yes'"),
    ...     compares_words("born > DATE '2020-01-31'"),
    ...     compares_words("asthma"),
    ... )
    (True, False, False)
    """
    return _WORD.search(predicate) is not None


def unread_words(plan: Plan) -> list[str]:
    """What a plan says of columns of text, whose values it has not read and a release may
    refuse.
    """
    if not plan.unread:
        return []
    names, name = ", ".join(plan.unread), plan.unread[0]
    text = "is text" if len(plan.unread) == 1 else "are text"
    instead = f"; for words: `count={ {name: list(WORDS)}!r}`" if "`" not in name else ""
    taken = "a release refuses all but 0 and 1, or true and false"
    return [f"warning: {names} {text}, which a plan does not read: {taken}{instead}"]


def counted_lines(plan: Plan, spell: Callable[[str], str], *, details: bool) -> list[str]:
    """What a plan says of answers and of words; `spell` writes parameters as the reader types them.

    Without `details`, what is not noticed and what is refused; with them, why, and what to do about
    empty values.
    """
    lines = []
    for nulls in (True, False):
        if taken := [
            f"{column} ({', '.join(values)})"
            for column, values, empty in plan.words
            if empty is nulls
        ]:
            also = " or an empty one" if nulls else ""
            unless = ", unless told what it counts as" if details else ""
            empty = spell(_empty_answer(plan)) if nulls and details else ""
            lines.append(_LATER.format(", ".join(taken), also, unless, empty))
    compared = [(name, text) for name, text in plan.predicates if compares_words(text)]
    if compared:
        empty = (
            _EMPTY
            if plan.empty_refused and any(_ONE.fullmatch(text) for _, text in compared)
            else ""
        )
        lines.append(
            spell(f"warning: {compared_words(compared, why=details)}{empty if details else ''}")
        )
    return lines


def _empty_answer(plan: Plan) -> str:
    """How empty answers to the first question that refuses them become an answer of their own."""
    name, values, _ = next(taken for taken in plan.words if taken[2])
    two = len(values) == 2 and f"{name}_{values[0]}" in dict(plan.each)
    if not (two or name in dict(plan.each)) or "`" in f"{name}{values}" or "unsaid" in values:
        return ""
    asked = {"column": name, "answers": list(values), "nulls": "unsaid"}
    instead = f"as {values[1]}: `nulls='0'`; apart" if two else "apart"
    return f" To count empty ones {instead}: `count={ {name: asked}!r}`."


def compared_words(definitions: Sequence[tuple[str, str]], *, why: bool = False) -> str:
    """What is said of counts by name and predicate: that words match exactly, `why` others go
    unnoticed, what to do.

    It follows a word that warns. Nothing is said where none compares with a word.

    >>> print(compared_words([("smokers", "smoker = 'yes'")]))
    only rows where smoker is exactly 'yes' are counted; 'Yes' is not. To refuse other words: \
`count={'smoker': ['yes', 'no']}`
    >>> print(compared_words([("ill", "ill IN ('flu', 'cold') AND age > 64")]))
    ill: its words ('flu', 'cold') are taken as they are written; a misspelt one is not noticed.
    """
    words = [(name, text) for name, text in definitions if compares_words(text)]
    exact = [found for _, text in words if (found := _ONE.fullmatch(text))]
    said = []
    if exact:
        column, word = exact[0].groups()
        rows = " or ".join(f"{each[1]} is exactly '{each[2]}'" for each in exact)
        other = next(
            (each for each in (word.capitalize(), word.lower(), word.upper()) if each != word), ""
        )
        but = f"; '{other}' is not" if other else ""
        said.append(f"only rows where {rows} are counted{but}.")
    for name, text in words:
        if not _ONE.fullmatch(text):
            within = ", ".join(dict.fromkeys(_WORD.findall(text)))
            said.append(
                f"{name}: its words ({within}) are taken as they are written; a misspelt one is "
                "not noticed."
            )
    if why and words:
        said.append("Other words are not reported: whether anybody has one is protected.")
    if exact:
        said.append(
            f"To refuse other words: `count={ {column: [word, _OPPOSITE.get(word, 'OTHER')]}!r}`"
        )
    return " ".join(said)
