"""Today's code answers recorded problems as the code before the re-cut did: ids, scores, verdicts, prices, guarantees.

A bare run asks a sample of each group, `DISCREET_SLOW=1` asks all. A difference is a fault, or a change that was wanted:
then the records are written anew in the commit that changes the answers, which says why.
"""

from collections import defaultdict
from hashlib import sha256
from itertools import combinations

import pytest
from tests.amounts import SLOW
from tests.conftest import require
from tests.recorded import asking, problems, questions, records

SAMPLES = {records.DESIGNS: 9, records.QUESTIONS: 4}
"""How many records of each group a bare run asks."""
LEFT_OUT = ("large_histograms",)
"""Groups whose every problem takes a second, left out of a bare run."""


def in_groups(path):
    """The records of a file by group; each in an order that has nothing to do with the problems."""
    groups = defaultdict(list)
    for record in records.read(path):
        groups[record["group"]].append(record)
    for group in groups.values():
        group.sort(key=lambda record: sha256(records.line(record["problem"]).encode()).digest())
    return groups


def differences(path, group):
    """What the records of a group, or a sample of them, have otherwise today."""
    chosen = in_groups(path)[group]
    assert chosen
    return [
        each
        for record in chosen[: None if SLOW else SAMPLES[path]]
        for each in records.differences(record)
    ]


@pytest.mark.parametrize(
    "group", [name for name in problems.GROUPS if SLOW or name not in LEFT_OUT]
)
def test_designs(group):
    assert not differences(records.DESIGNS, group)


@pytest.mark.parametrize("group", list(questions.GROUPS))
def test_questions(group):
    require("tables")
    assert not differences(records.QUESTIONS, group)


def test_there_are_enough_of_every_kind():
    designs, asked = in_groups(records.DESIGNS), in_groups(records.QUESTIONS)
    assert set(designs) == set(problems.GROUPS) and set(asked) == set(questions.GROUPS)
    assert sum(map(len, designs.values())) >= 3000 and sum(map(len, asked.values())) >= 200
    assert sum("refused" not in each["answer"] for group in asked.values() for each in group) >= 200


@pytest.mark.slow
def test_one_question_has_one_digest():
    """Whatever digests are, the spellings of a question share one, and no other question has it."""
    require("tables")
    chosen = in_groups(records.QUESTIONS)["spellings"]
    then = [record["answer"]["digest"] for record in chosen]
    now = [asking.answer(record["problem"])["digest"] for record in chosen]
    assert [a == b for a, b in combinations(then, 2)] == [a == b for a, b in combinations(now, 2)]
    assert 1 < len(set(then)) < len(then)
