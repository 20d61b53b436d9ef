"""The questions of a table as a person types them, a line for each: "smoker", or "travel: walk,
bike, bus".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from discreet.errors import InvalidInput

MOST_QUESTIONS = 6
MOST_ANSWERS = 12
BITS = ("", "1", "true", "True", "TRUE")
"""What a yes may be written as in a column that is counted as it is."""
_OPPOSITES = {"yes": "no", "Yes": "No", "YES": "NO", "y": "n", "Y": "N"}
"""The other word of a column that holds two, where one is typed. A release refuses any third,
before it pays.
"""
GROUP, REGION, COUNT, PERSON = "group", "region", "answer", "person"
"""What columns are called in the line, to be replaced by the table's own; a question without a
name is `COUNT`.
"""

_REMEDY = (
    'write a line for each question: "smoker" for yes or no, "travel: walk, bike, bus" '
    "for several answers"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One question: the column, its answers unless they are yes and no, and whether each is
    drawn by itself.
    """

    name: str
    answers: tuple[str, ...] = ()
    cells: bool = False

    @property
    def several(self) -> bool:
        """Whether there are three answers or more; of two, one count says both."""
        return len(self.answers) > 2

    def counts_empty_as(self, words: Sequence[str], yes: str = "") -> str:
        """What an empty answer counts as, of the words typed: "0" or "1", one of the answers, or
        nothing.

        >>> Asked(name="smoker").counts_empty_as(["unsaid", "no"])
        '0'
        >>> Asked(name="travel", answers=("walk", "bus", "unsaid")).counts_empty_as(
        ...     ["unsaid", "no"]
        ... )
        'unsaid'
        """
        if self.answers:
            return next((word for word in words if word in self.answers), "")
        own = zip((word.lower() for word in _both(yes)), "10", strict=False)
        bits = {"no": "0", "0": "0", "false": "0", "yes": "1", "1": "1", "true": "1", **dict(own)}
        return next((bits[word.lower()] for word in words if word.lower() in bits), "")

    def options(self, yes: str = "") -> list[str]:
        """The question as `discreet release` takes it, in a file that writes a yes in some way.

        Both words, where the other one is typed too or is known: then a release refuses every
        third.

        >>> Asked(name="smoker").options("yes"), Asked(name="smoker").options("ja, nein")
        (['--answers', 'smoker', 'yes,no'], ['--answers', 'smoker', 'ja,nein'])
        >>> Asked(name="smoker").options("ja")
        ['--count-as', 'smoker', "smoker = 'ja'"]
        >>> Asked(name="travel", answers=("walk", "bus")).options()
        ['--answers', 'travel', 'walk,bus']
        """
        if self.answers:
            words = [
                "--answers",
                self.name,
                ",".join(self.answers),
            ]  # no comma in any: they were typed between commas
            return [*words, *(["--answer-cells", self.name] if self.cells else [])]
        if yes in BITS:
            return ["--count", self.name]
        words = _both(yes)
        if len(words) == 2:
            return ["--answers", self.name, ",".join(words)]
        (yes,) = words
        column = (
            self.name if self.name.isidentifier() else '"{}"'.format(self.name.replace('"', '""'))
        )
        return ["--count-as", self.name, "{} = '{}'".format(column, yes.replace("'", "''"))]


def _both(yes: str) -> list[str]:
    """The word for yes, and the other one where it is typed after a comma or known; as it is where
    that is no pair.

    >>> _both("Yes"), _both("ja, nein"), _both("ja"), _both("now, or then,")
    (['Yes', 'No'], ['ja', 'nein'], ['ja'], ['now, or then,'])
    """
    words = [word.strip() for word in yes.split(",")]
    if len(words) == 2 and all(words) and words[0] != words[1]:
        return words
    return [yes, _OPPOSITES[yes]] if yes in _OPPOSITES else [yes]


def read_questions(text: str) -> tuple[Asked, ...]:
    """Return the questions; none typed is one of yes or no.

    >>> read_questions("smoker\\ntravel: walk, bike, bus")
    (Asked(name='smoker', answers=(), cells=False), Asked(name='travel', answers=('walk', 'bike',
    'bus'), cells=False))
    >>> [asked.name for asked in read_questions("")]
    ['answer']
    """
    found = [_read(line) for line in text.replace(";", "\n").splitlines() if line.strip()]
    names = [asked.name for asked in found]
    if len(found) > MOST_QUESTIONS:
        raise InvalidInput(
            "questions", f"must be at most {MOST_QUESTIONS} on this page", len(found)
        )
    for name in names:
        if name in (GROUP, REGION, PERSON) or names.count(name) > 1:
            raise InvalidInput("questions", "must have names of their own", name, remedy=_REMEDY)
    return tuple(found) or (Asked(name=COUNT),)


def empty_options(questions: Sequence[Asked], text: str, yes: str = "") -> list[str]:
    """What an empty answer counts as, as `discreet release` takes it; a question without a word of
    it refuses one.

    >>> mark = Asked(name="mark", answers=("1", "2", "unsaid"))
    >>> empty_options([Asked(name="smoker"), mark], "no, unsaid")
    ['--nulls', '0', '--answer-nulls', 'mark', 'unsaid']
    """
    words = [word.strip() for word in text.split(",") if word.strip()]
    for word in words:
        if not any(one.counts_empty_as([word], yes) for one in questions):
            raise _no_answer(word, questions)
    options: list[str] = []
    for one in questions:
        found = one.counts_empty_as(words, yes)
        if found and one.answers:
            options += ["--answer-nulls", one.name, found]
        elif found and "--nulls" not in options:  # of all questions of yes or no
            options += ["--nulls", found]
    return options


def _no_answer(word: str, questions: Sequence[Asked]) -> InvalidInput:
    """The error about a word that is no answer to any of the questions."""
    several = any(one.answers for one in questions)
    kinds = [
        *(["no or yes"] if any(not one.answers for one in questions) else []),
        *(["one of the answers"] * several),
    ]
    remedy = "to count it apart, add it to the answers of its question" if several else ""
    return InvalidInput("empty", f"must be {', or '.join(kinds)}", word[:40], remedy=remedy)


def meant(text: str) -> dict[str, str]:
    """What a line with commas and no colon may mean, as it would be typed: several questions, or
    one's answers.

    >>> meant("bullied, safe")
    {'bullied\\nsafe': '2 questions, one on each line', 'answer: bullied, safe': 'one question, with
    these answers'}
    >>> meant("safe: never, sometimes, always")
    {}
    """
    lines = [line.strip() for line in text.replace(";", "\n").splitlines() if line.strip()]
    unclear = [line for line in lines if "," in line and ":" not in line]
    if len(unclear) != 1:
        return {}
    (line,) = unclear
    words = list(dict.fromkeys(word.strip() for word in line.split(",") if word.strip()))

    def instead(new: str) -> str:
        return "\n".join(new if one == line else one for one in lines)

    return {
        instead("\n".join(words)): f"{len(words)} questions, one on each line",
        instead(f"{COUNT}: {', '.join(words)}"): "one question, with these answers",
    }


def _read(line: str) -> Asked:
    name, colon, rest = line.partition(":")
    if not colon and "," in line:
        remedy = (
            "two questions? one on each line; one with these answers? after a colon, "
            '"safe: never, sometimes, always"'
        )
        raise InvalidInput(
            "questions", "must have a line of its own", line.strip()[:60], remedy=remedy
        )
    answers = tuple(word.strip() for word in rest.split(",") if word.strip())
    if not name.strip():
        raise InvalidInput(
            "questions", "must have a name before the colon", line.strip()[:40], remedy=_REMEDY
        )
    if (answers or colon) and not 2 <= len(answers) <= MOST_ANSWERS:
        rule = f"must have 2 to {MOST_ANSWERS} answers, with commas between, or none for yes and no"
        raise InvalidInput("questions", rule, line.strip()[:60], remedy=_REMEDY)
    if len(set(answers)) < len(answers):
        raise InvalidInput(
            "questions", "must not have the same answer twice", found=line.strip()[:60]
        )
    return Asked(name=name.strip(), answers=answers)
