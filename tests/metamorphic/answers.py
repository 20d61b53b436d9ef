"""Questions with several answers: how a random one is asked, and what one person may move of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from tests.metamorphic.requests import Asked

_ANSWERS: Mapping[str, Sequence[Any]] = {
    "bool": (True, False),
    "bit": (0, 1, 7),
    "byte": (0, 1, -128),
    "bit-text": ("0", "1", "true"),
    "int": (1, 2, 30, 45),
    "uint": (1, 2, 60),
    "float": (0, 1, 30),
    "float32": (0, 1),
    "decimal": (2, 30),
    "text": ("yes", "no", "1", "ß"),
}


def ask_answers(asked: Asked) -> None:
    """A question with several answers, alone or beside the counts: values of a column, or predicates."""
    rng = Random(f"{asked.place}/answers")  # of its own: the other words stay as they are
    if not asked.protected:
        return
    asked.words.pop("together", None)  # which is for counts
    if rng.random() < 0.6:
        name = rng.choice(asked.protected)
        values = [*_ANSWERS.get(asked.kinds[name], ("yes", "no"))]
        question: dict[str, Any] = {
            "column": name,
            "answers": rng.sample(values, rng.randint(2, len(values))),
        }
        if rng.random() < 0.8:  # else another value is refused
            question["other"] = rng.choice(("other", str(question["answers"][0])))
        if rng.random() < 0.8:
            question["nulls"] = rng.choice(("other", "unknown"))
        read = asked.behind([name])
    else:
        first, second = (asked.writer(asked.protected).plain() for _ in range(2))
        wrong = rng.random() < 0.1  # two of them may hold
        question = {
            "a": f"coalesce(({first}), false)",
            "b": f"{'' if wrong else f'NOT coalesce(({first}), false) AND '}coalesce(({second}), false)",
            "c": f"NOT coalesce(({first}), false) AND NOT coalesce(({second}), false)",
        }
        read = asked.behind(frozenset().union(*map(asked.named, question.values())))
    alone = rng.random() < 0.7  # or most would be refused for what a count asks
    asked.words["count"] = {**({} if alone else asked.words["count"]), "question": question}
    asked.counted = set(read) if alone else asked.counted | read


def ask_two_answers(asked: Asked) -> None:
    """A question with two answers, alone or beside the counts: it is a count, so all else that is asked may stay."""
    rng = Random(f"{asked.place}/two answers")
    if not asked.protected:
        return
    if rng.random() < 0.7:
        name = rng.choice(asked.protected)
        first, second = rng.sample([*_ANSWERS.get(asked.kinds[name], ("yes", "no"))], 2)
        given = [first] if rng.random() < 0.3 else [first, second]
        question: dict[str, Any] = {"column": name, "answers": given}
        if len(given) == 1 or rng.random() < 0.6:
            question["other"] = (
                rng.choice((_text(first), _text(second))) if len(given) == 2 else "rest"
            )
        if rng.random() < 0.6:
            question["nulls"] = rng.choice(
                (_text(first), "rest" if len(given) == 1 else _text(second))
            )
        read = asked.behind([name])
    else:
        one, two = (asked.writer(asked.protected).plain() for _ in range(2))
        two = one if rng.random() < 0.8 else two  # else both or neither may hold
        question = {"a": f"coalesce(({one}), false)", "b": f"NOT coalesce(({two}), false)"}
        read = asked.behind(frozenset().union(*map(asked.named, question.values())))
    alone = rng.random() < 0.7
    for word in (
        ("where", "smallest") if rng.random() < 0.6 else ()
    ):  # or Python could tell few of the counts
        asked.words.pop(word, None)
    asked.words["count"] = {**({} if alone else asked.words["count"]), "question": question}
    asked.counted = set(read) if alone else asked.counted | read


def first_of_two(
    question: Mapping[str, Any], values: Sequence[Any], nulls: str
) -> list[int] | None:
    """For each value whether it is the first answer, as Python tells it; None where one of them is refused."""
    given = [*map(_text, question["answers"])]
    if "nulls" not in question and nulls != "refuse":
        question = {**question, "nulls": given[0] if nulls == "1" else "none of the first"}
    read = [None if value is None else _text(value) for value in values]
    said = [
        one if one in given else question.get("nulls" if one is None else "other") for one in read
    ]
    return None if None in said else [int(one == given[0]) for one in said]


def widths(count: Mapping[str, Any]) -> list[int]:
    """How many true counts each entry of `count` has: one for each answer; of two, the first one's."""
    names = [0 if isinstance(asked, str) else len(_names(asked)) for asked in count.values()]
    return [many if many > 2 else 1 for many in names]


def _names(asked: Mapping[str, Any]) -> set[str]:
    if "answers" not in asked:
        return set(asked)
    names = [*map(_text, asked["answers"]), asked.get("other"), asked.get("nulls")]
    return {name for name in names if name}


def _text(answer: Any) -> str:
    return str(answer).lower() if isinstance(answer, bool) else str(answer)


def moved_answers(
    count: Mapping[str, Any], limit: int, before: Sequence[Any], after: Sequence[Any]
) -> str:
    """Each count moves by at most `limit`; of a question, at most as many people change from one answer to another."""
    first = 0
    for name, width in zip(count, widths(count), strict=True):
        places = range(first, first + width)
        first += width
        apart = [
            [abs((one[2][k] or 0) - (two[2][k] or 0)) for k in places]
            for one, two in zip(before, after, strict=True)
        ]
        total = sum(map(sum, apart)) / (1 if width == 1 else 2)
        if total > limit:
            return f"count {name} moved by {total:g}, and one person may move it by {limit}"
        if width > 1 and any(sum(row[2][k] for k in places) != row[1] for row in (*before, *after)):
            return f"the answers of {name} do not add up to the size"
    return ""
