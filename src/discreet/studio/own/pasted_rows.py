"""Rows of a spreadsheet as a person pastes them: a row for each group, with its names and how many
people it has.

A row for each person is another table. It is told apart, and refused: what people answered has no
place here. So is a second column of numbers, which may be the counts that are to be protected: the
page leaves such columns out before it sends anything (`groups.js`), and writes a name that is a
number with a # before it.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from dataclasses import dataclass

from discreet.errors import InvalidInput
from discreet.studio.own.asked_questions import GROUP, PERSON
from discreet.studio.telling.wording import listed

PEOPLE = (
    "n size sizes people persons pupils students children patients members residents employees "
    "staff headcount number count total rows"
)
"""What a column with the number of people may be called; the page's script reads these words off
the page.
"""
WHO = "id name person pupil student patient respondent member email"
"""What a column that says who a row is about may be called: "pupil_id" too, of words with a line
between them.
"""
PLACE = (
    "region county district area school class year clinic practice hospital ward site branch team "
    "department group household office location city town village province store shop"
)
"""What a column that names groups may be called."""
_PEOPLE, _WHO = (
    re.compile(rf"\b(?:{words.replace(' ', '|')})\b", re.IGNORECASE) for words in (PEOPLE, WHO)
)
_TOTAL = re.compile(r"(?:grand )?total|sum", re.IGNORECASE)
_PLACES = ("first", "second", "third", "fourth", "fifth", "sixth")
_NUMBER = re.compile(r"[0-9]+")
_SEVERAL = re.compile(
    r"[0-9]+\s*(?:(?:[^\W\d_]+\s+)?of|x|×|\*)\s*(?:between\s+)?[0-9].*", re.IGNORECASE
)
"""Groups as they are typed, which name nothing: "80 of 8"."""
_ANSWERS = {"yes", "no", "y", "n", "true", "false", "t", "f", "positive", "negative", "pos", "neg"}
_PLACED = re.compile(
    rf"(?:{PLACE.replace(' ', '|')})(?:[ _](?:id|no|nr|number|code|name))?", re.IGNORECASE
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """The groups that were pasted."""

    keys: tuple[str, ...]
    """The columns that name a group, as the header calls them."""
    groups: tuple[tuple[tuple[str, ...], str], ...]
    """Each group by its names, and how many people it has, as written."""
    headed: bool

    @property
    def levels(self) -> tuple[tuple[str, int], ...]:
        """The columns above the groups, the finest first, and how many there are of each."""
        above = range(len(self.keys) - 1, 0, -1)
        return tuple(
            (self.keys[k - 1], len({names[:k] for names, _ in self.groups})) for k in above
        )

    def recurs(self, key: str) -> bool:
        """Whether a name of a column stands for different things: "1a" is a class of many schools.

        >>> rows = read_rows("school,class,n\\nA,1a,18\\nA,1b,27\\nB,1a,20")
        >>> rows.recurs("school"), rows.recurs("class")
        (False, True)
        """
        place = self.keys.index(key)
        places = {names[: place + 1] for names, _ in self.groups}
        return len({names[-1] for names in places}) < len(places)


def read_rows(text: str) -> Rows | None:
    """Return the groups, where every row is names with a number of people; nothing where it is
    anything else.

    >>> rows = read_rows("school,class,n\\nA,1a,18\\nA,1b,27\\nB,1a,20\\nTotal,,65")
    >>> rows.keys, rows.groups[0], rows.levels
    (('school', 'class'), (('A', '1a'), '18'), (('school', 2),))
    >>> read_rows("80 of 8, 40"), read_rows("8, 9")
    (None, None)
    """
    lines, rows = _cells(text.lstrip("\ufeff"))
    if not rows or len({len(row) for row in rows}) > 1:
        return None
    head = rows[0] if _headed(rows) else None
    body = [row for row in rows[1:] if not any(map(_TOTAL.fullmatch, row))] if head else rows
    if head is None and not (len(rows[0]) > 1 and not any(_typed(row[0]) for row in body)):
        return None
    people = _people(head, body)
    if people is None:
        called = _called(head, body) if head else None
        if head and called is not None:
            raise _no_number(
                head[called],
                next(lines[k] for k, row in enumerate(rows) if row in body and _lacks(row, called)),
            )
        if head and len(head) > 1:
            raise _of_people(head, len(body))
        return None
    keys = (
        tuple(name for k, name in enumerate(head) if k != people)
        if head
        else _unnamed(len(rows[0]) - 1)
    )
    names = [tuple(cell for k, cell in enumerate(row) if k != people) for row in body]
    _check_keys(keys, names, first=2 if head else 1)
    for key, column in zip(keys, zip(*names, strict=True), strict=False):
        _check_public(key, column)
    return Rows(
        keys=keys,
        groups=tuple((n, row[people]) for n, row in zip(names, body, strict=True)),
        headed=bool(head),
    )


def _cells(text: str) -> tuple[list[int], list[list[str]]]:
    """The line on which every row ends, and its cells, by tabs, semicolons or commas, whichever
    the first row has.
    """
    lines = {place: line for place, line in enumerate(text.splitlines(), 1) if line.strip()}
    places, first = list(lines), next(iter(lines.values()), "")
    reader = csv.reader(
        lines.values(),
        delimiter=next((mark for mark in "\t;," if mark in first), ","),
        skipinitialspace=True,
    )
    try:
        rows = [(places[reader.line_num - 1], row) for row in reader]
    except csv.Error:
        return [], []
    return [place for place, _ in rows], [
        [" ".join(cell.split()) for cell in row] for _, row in rows
    ]


def _headed(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first row has the names of the columns: words, above a column of numbers or
    all by themselves.
    """
    head, *body = rows
    if not body or not all(head) or any(_is_figures(cell) or _typed(cell) for cell in head):
        return False
    words = all(re.match(r"[^\W\d_]", cell) for cell in head)
    return words or any(all(_NUMBER.fullmatch(row[k]) for row in body) for k in range(len(head)))


def _typed(cell: str) -> bool:
    return not cell or _SEVERAL.fullmatch(cell) is not None or _NUMBER.fullmatch(cell) is not None


def _is_figures(cell: str) -> bool:
    """Whether a cell is a number in any way of writing one; a name that is a number has a # before
    it.

    >>> [_is_figures(cell) for cell in ("8", "37.5 %", "<5", "3/8", "1,200", "#8", "1a", "")]
    [True, True, True, True, True, False, False, False]
    """
    return (
        not cell.startswith("#") and any(map(str.isdigit, cell)) and not any(map(str.isalpha, cell))
    )


def _people(head: Sequence[str] | None, body: Sequence[Sequence[str]]) -> int | None:
    """The column with the numbers of people: one that is called so, or the last; none where rows
    are of people.
    """
    last = len(body[0]) - 1 if body else 0
    numbers = [
        k for k in range(last + 1) if body and all(_NUMBER.fullmatch(row[k]) for row in body)
    ]
    called = [k for k in numbers if head and _PEOPLE.search(head[k])]
    if called:
        return called[-1]
    if last not in numbers or (head and _each_is_a_person(head, body)):
        return None
    return last


def _called(head: Sequence[str], body: Sequence[Sequence[str]]) -> int | None:
    """The column that is called a number of people, and is one in more than half of the rows (as
    in `people.js`).
    """
    last, who = len(head) - 1, any(map(_says_who, head))
    named = [k for k, name in enumerate(head) if _PEOPLE.search(name) and (k == last or not who)]
    return next((k for k in named if 2 * sum(not _lacks(row, k) for row in body) > len(body)), None)


def _lacks(row: Sequence[str], people: int) -> bool:
    return not _NUMBER.fullmatch(row[people])


def _says_who(name: str) -> bool:
    """Whether a column is called as one is that says who a row is about.

    >>> _says_who("pupil_id"), _says_who("Email"), _says_who("class")
    (True, True, False)
    """
    return _WHO.search(name.replace("_", " ")) is not None


def _each_is_a_person(head: Sequence[str], body: Sequence[Sequence[str]]) -> bool:
    """Whether a row is about one person: a column says who, or the last has zeros and ones only."""
    who = any(
        _says_who(name) and len({row[k] for row in body}) == len(body)
        for k, name in enumerate(head[:-1])
    )
    return who or (len(head) > 1 and {row[-1] for row in body} == {"0", "1"})


def _unnamed(many: int) -> tuple[str, ...]:
    """What columns without a header are called, to be replaced by their names: by their places.

    >>> _unnamed(1), _unnamed(3)
    (('group',), ('first column', 'second column', 'third column'))
    """
    if many == 1:
        return (GROUP,)
    return tuple(f"{_PLACES[k] if k < len(_PLACES) else f'{k + 1}th'} column" for k in range(many))


def _check_keys(keys: Sequence[str], names: Sequence[tuple[str, ...]], *, first: int) -> None:
    if len(set(keys)) < len(keys) or PERSON in keys:
        rule = "must have columns with names of their own"
        raise InvalidInput(
            "sizes", rule, found=", ".join(keys)[:60], remedy="give each column another name"
        )
    seen: set[tuple[str, ...]] = set()
    for place, one in enumerate(names, first):
        if one and one in seen:
            rule = "must have one row for each group"
            remedy = "add the column that tells the two apart, or add the rows up"
            raise InvalidInput(
                "sizes", rule, found=f"row {place} names a group again", remedy=remedy
            )
        seen.add(one)


def _check_public(key: str, column: Sequence[str]) -> None:
    """Refuse a column beside the sizes that may be protected, by its name alone: counts, shares
    or answers.
    """
    counts = 2 * sum(map(_is_figures, column)) > len(column) and not _PLACED.fullmatch(key)
    if counts or all(cell.lower() in _ANSWERS for cell in column):
        what = "numbers" if counts else "answers"
        rule = (
            f"must not have a column of {what} beside the number of people: it may be what is to "
            "be protected"
        )
        remedy = "leave it out" + (", or write #1 for a name that is a number" if counts else "")
        raise InvalidInput("sizes", rule, found=key[:40], remedy=remedy)


def _of_people(head: Sequence[str], many: int) -> InvalidInput:
    keys = [name for name in head[:-1] if not _says_who(name)] or list(head[:1])
    remedy = (
        f"count them first, in a pivot table by {listed(keys, 'and')}, and paste a row for each "
        "group with its number of people last"
    )
    return InvalidInput(
        "sizes",
        "has a row for each person, not a size for each group",
        found=f"{many:,} rows",
        remedy=remedy,
    )


def _no_number(column: str, line: int) -> InvalidInput:
    """Refuse a row by its line alone: should rows be people after all, nothing of them is
    repeated.
    """
    rule = f"must have a whole number of people in the column {column[:40]}, in every row"
    remedy = f"write how many people the group has, or leave line {line} out"
    return InvalidInput("sizes", rule, found=f"line {line} has none", remedy=remedy)
