"""What must hold of two outcomes, and which refusals may depend on one person's value."""

from __future__ import annotations

import re

from tests.metamorphic.cases import Capability, Case
from tests.metamorphic.outcomes import Counted, Outcome, Refused
from tests.metamorphic.values import shows_a_value

DATA = {
    r"must be true or false, or 0 or 1": "a bit is neither 0, 1, true, false nor NULL",
    r"must not be empty": "a bit is NULL, and `nulls` does not say what that means",
    r"must be one of the answers given": "a value is none of the answers given, and `other` does not say what that means",
    r"must have exactly one answer that holds": "of the predicates of a question's answers not exactly one holds",
    r"has a value (in column .*)?that its type cannot hold": "a cast or a calculation fails for this person's value",
    r"InternalException": "DuckDB itself fails on the calculation",
    r"column of dtype object": "a pandas column of objects holds something else than text, true and false",
    r"that no Arrow type can hold": "a value is half a character, or a number of too many digits",
    r"cannot be read \(\w+Exception\)": "a function fails for this person's value",
    r"made the Spark job fail": "a function fails for this person's value",
    r"ran out of memory": "a calculation of this person's value takes more memory than is allowed",
}
"""Refusals that may depend on one person's value, each with its explanation (docs/limits.md)."""

ASKED = {
    r"must look at one row only": "the predicate sees more than its row",
    r"must not use a column that a count reads": "a protected column would decide groups or rows",
    r"names the column that says who is who": "a protected column would say who is who",
    r"for a number, and the column is text": "the predicate compares text with a number",
    r"must not select its rows by a column that a count reads": "a protected column would decide the query's rows",
    r"is not accepted by (DuckDB|Spark)": "the engine cannot bind the predicate to the columns' types",
    r"cannot be parsed as": "the predicate is no SQL expression",
    r"must be true or false for each row": "the predicate is no condition",
    r"must name columns of the source": "a name is none of the source's columns",
    r"would give the output two columns": "two columns of the output would have one name",
    r"(must have whole numbers as|must have the) answers": "no value of the column can be such an answer",
    r"to have answers, and": "values of this type are not compared with answers",
    r"must be a column of bits or numbers": "the counted column's type holds no bits",
    r"must identify people with at most \d+ row": "a person has more rows than `contributions` pays for",
    r"each person's rows are in one group": "a person has rows in two groups, and `together` says otherwise",
    r"must not be above the people that all groups": "a parent of groups has fewer people than `smallest`",
    r"`smallest` merges groups of the last key": "a level without the last key cannot have groups that are merged by it",
    r"must not be above its size": "a count is not a whole number up to its group's size",
    r"is NULL in \d+ row": "a row does not say whose it is",
    r"must be a scalar column": "a column of this type is no key",
    r"selects two columns of one name": "the query names two columns alike",
    r"must read a column": "a condition without a column is the same for everybody",
    r"has no rows": "no row is left to group",
    r"`by` and `unit` must not be the same column": "each group would be one person",
}
"""Refusals that depend on the question and on what is public; the same for both tables."""


def explanation(refused: Refused) -> str:
    """Why that was refused, in words of ours; nothing for what is not on the lists."""
    for rules in (DATA, ASKED):
        for rule, why in rules.items():
            if re.search(rule, refused.text):
                return why
    return ""


def depends_on_data(refused: Refused) -> bool:
    """Whether it is one of the refusals that may depend on one person's value."""
    return any(re.search(rule, refused.text) for rule in DATA)


def broken(capability: Capability, case: Case, before: Outcome, after: Outcome) -> str:
    """Say which law the two outcomes of a release break, or nothing."""
    for refused in (before, after):
        if isinstance(refused, Refused):
            if not refused.ours:
                return f"an error that is not ours escaped: {refused.text[:200]}"
            if shows_a_value(refused.everything):
                return f"an error shows a value: {refused.text[:300]}"
            if not explanation(refused):
                return f"a refusal that is not explained: {refused.text[:300]}"
    if before.warnings != after.warnings:
        return f"warnings depend on one person's value: {before.warnings} -> {after.warnings}"
    if isinstance(before, Counted) and isinstance(after, Counted):
        return capability.moved(case, before, after)
    if capability.presence_protected and before != after:
        return f"a refusal depends on one person's value: {_short(before)} -> {_short(after)}"
    if capability.refusals_public:
        return ""
    return _one_sided(before, after)


def broken_plan(capability: Capability, before: Outcome, after: Outcome) -> str:
    """A plan reads nothing that is protected: whatever it answers, it answers the same."""
    if capability.refusals_public or before == after:
        return ""
    return f"the plan changed: {_short(before)} -> {_short(after)}"


def _one_sided(before: Outcome, after: Outcome) -> str:
    refused = [one for one in (before, after) if isinstance(one, Refused)]
    alike = len(refused) == 2 and refused[0].text == refused[1].text
    if alike or any(map(depends_on_data, refused)):
        return ""
    return f"a refusal depends on one person's value: {_short(before)} -> {_short(after)}"


def _short(outcome: Outcome) -> str:
    return (
        outcome.text[:200] if isinstance(outcome, Refused) else f"counted {outcome.facts[0]:.100}"
    )
