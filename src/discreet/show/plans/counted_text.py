"""What a release will read of the protected columns, said before it and after it without a look at them.

A predicate such as asthma = 'Yes' may be true of nobody because the word is misspelt, or because nobody has asthma.
That is what the release protects, so no error may depend on it. The same words are said of every predicate that
compares with a word, and of every column of text that is counted, whatever stands in the rows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from discreet.tables.planning import Plan

HEADING = "What a release will read:"
_WORD = re.compile(r"'[^']*[^\W\d_][^']*'")
"""A text in SQL that has a letter: no date, and no number."""
_EMPTY = " An empty value is refused, unless `nulls='0'` counts it as no."
_ONE = re.compile(r"\s*([^\W\d]\w*)\s*=\s*'([^'`\\]+)'\s*")


def compares_words(predicate: str) -> bool:
    """Whether a predicate compares with a word.

    >>> compares_words("asthma = 'yes'"), compares_words("born > DATE '2020-01-31'"), compares_words("asthma")
    (True, False, False)
    """
    return _WORD.search(predicate) is not None


def unread_words(plan: Plan) -> list[str]:
    """What a plan says of columns of text, whose values it has not read and a release may refuse."""
    if not plan.unread:
        return []
    names, name = ", ".join(plan.unread), plan.unread[0]
    several, one = {name: ["FIRST", "SECOND", "THIRD"]}, {name: f"{name} = 'WORD'"}
    remedy = f": count one word, `count={one!r}`, or give all, `count={several!r}`"
    text = "is text" if len(plan.unread) == 1 else "are text"
    return [
        f"{names} {text}. If it holds words such as yes and no, and not 0 and 1 or true and false, a release will "
        f"refuse it{remedy if '`' not in name else ''}. A plan does not look."
    ]


def counted_lines(plan: Plan, spell: Callable[[str], str]) -> list[str]:
    """What a plan says of answers and of words; `spell` writes parameters as the reader types them."""
    lines = []
    for nulls in (True, False):
        if taken := [f"{column} ({', '.join(values)})" for column, values, empty in plan.words if empty is nulls]:
            also = ", and an empty one," if nulls else ""
            said = f"{', '.join(taken)}: any other value{also} is refused, unless told what it counts as."
            lines.append(f"{said}{spell(_empty_answer(plan)) if nulls else ''}")
    compared = [(name, text) for name, text in plan.predicates if compares_words(text)]
    if compared:
        empty = _EMPTY if plan.empty_refused and any(_ONE.fullmatch(text) for _, text in compared) else ""
        lines.append(spell(f"{before_paying(compared)}{empty}"))
    return lines


def _empty_answer(plan: Plan) -> str:
    """How empty answers to the first question that refuses them become an answer of their own."""
    name, values, _ = next(taken for taken in plan.words if taken[2])
    if name not in dict(plan.each) or "`" in f"{name}{values}" or "unsaid" in values:
        return ""
    asked = {"column": name, "answers": list(values), "nulls": "unsaid"}
    return f" To count empty ones apart: `count={ {name: asked}!r}`."


def before_paying(definitions: Sequence[tuple[str, str]]) -> str:
    """What a plan says of counts by name and predicate: what is not noticed, and the form that refuses it."""
    note = compared_note(definitions)
    found = next((one for _, text in definitions if (one := _ONE.fullmatch(text))), None)
    answers = "" if found is None else f", `count={ {found[1]: [found[2], 'OTHER']}!r}`"
    why = "because whether anybody has it is protected"
    return f"{note}, {why}. To have other words refused, give all as answers{answers}." if note else ""


def compared_note(definitions: Sequence[tuple[str, str]]) -> str:
    """What is said at a release, of counts by name and predicate; nothing where none compares with a word."""
    names = [name for name, text in definitions if compares_words(text)]
    return f"{', '.join(names)}: words letter for letter. A misspelt one is not noticed" if names else ""
