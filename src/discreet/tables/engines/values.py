"""What a value of a source means, on every engine alike; `tests/tables/test_values.py` asks it of
all of them.

    a bit            true or false; the number 0 or 1, whatever its type; the text '0', '1', 'true'
                     or 'false', in any case and with blanks around it. Anything else is an error
                     that names the rule, never the value.
    a missing bit    NULL is an error, or counts as `nulls` says, '0' or '1'. It is never dropped:
                     that would make a group's published size depend on a protected bit. A predicate
                     that is NULL is a missing bit too.
    an answer        of a text column (or ENUM): the same text, character by character. Of a column
                     of numbers: the same whole number, so that 2 and 2.0 are the answer 2. Of true
                     and false: `true` or `false`. Other types take a predicate for each answer, of
                     which exactly one is a bit that is 1. Another value is an error, or counted as
                     `other`; NULL likewise as `nulls`. Neither is ever dropped. Of two answers the
                     first is counted, as a bit that is 1, and NULL may be what the release counts a
                     missing bit as.
    a count, a size  a whole number of at least 0: a number without a fraction, 1 to 18 digits of
                     text, true or false for 1 or 0. NULL is an error. A count is at most its size,
                     and the answers' counts add up to it. Every row is a group of its own.
    a key            equal values of one type are one key: '01', '1' and 1 are three. -0.0 is 0.0,
                     and NaN is one key. NULL is a key of its own, after all others, and is not the
                     empty text.
    an empty text    of a CSV file, quoted or not, NULL. In a source with types it is a value like
                     others, unless `read={"empty": "missing"}` declares it to be NULL, for all
                     columns or for those named.
    explicit keys    each key once. A key is brought to the type of the source's column only if
                     nothing is lost on the way: 2.0 is a key of a column of whole numbers, 1.5 is
                     not, and text is never a number. Keys that the source lacks are groups of 0;
                     groups of other keys are an error, or left out. With a cap, the other way
                     round: see below.
    a person         the `unit` must not be NULL. More rows than `contributions` are an error, or so
                     many of them stay, in an order made of this person's rows alone
                     (`engines.kept_people`): answers never decide in which group a row stays. With
                     `together`, a person whose rows (those that stay) have two keys is an error.

    With a cap (`asking.capping`) presence is protected, so nothing is refused because of a value,
    and no type may come from the values. A pandas frame's columns are texts then, one value at a
    time, whatever their dtypes; sources whose schema declares types keep them.

    a text           of a value: a text as it is, true or false, a number without a fraction by its
                     digits, another one as the engine (of a pandas frame: Python) writes it. 10 and
                     10.0 are the person 10.
    a key            has the type of `keys`. A value of the source becomes a key of that type by its
                     text, if nothing is lost on the way: 10.0 and '10' are the key 10; '010' and
                     10.5 are not. What does not become a key is missing: a row of the missing key
                     if `keys` has it, else a row of another group, left out.
    a person         rows whose `unit` is missing are left out.
    a bit            what is none is missing, and counts as `nulls` says.

The words and the errors that both engines use stand here, so that they cannot come to differ.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from discreet.errors import InvalidData, InvalidInput, did_you_mean
from discreet.tables.engines.empty_texts import DECLARATION

if TYPE_CHECKING:
    from discreet.tables.asking.question import Count

ONE, ZERO = ("1", "true"), ("0", "false")
"""The texts that are a bit, in lower case and without blanks around them."""

BIT = "must be true or false, or 0 or 1"
NOT_NULL = "must not be empty (NULL)"
SIZE = "must be a whole number of at least 0"
NULLS_REMEDY = (
    "count them with `nulls='0'` or `nulls='1'`; they cannot be dropped, that would change the "
    "group's size"
)
COUNTS_REMEDY = "correct the table"

ANSWER = "must be one of the answers given"
ONE_ANSWER = "must have exactly one answer that holds"
ADDS_UP = "must have counts of at least 0 that add up to its size"
_ANSWERS_REMEDY = {
    ONE_ANSWER: "write the answers so that none overlaps another and every row has one, a row "
    "with an empty value too: \"smoker <> 'yes' OR smoker IS NULL\"",
    ADDS_UP: COUNTS_REMEDY,
}

_FEW = 6
"""Answers that an error repeats, at most."""
_WHOLE = re.compile(r"0|-?[1-9][0-9]{0,14}")


def bits_remedy(column: str | None) -> str:
    """What to do about a column that holds no bits, by its own name where that can be written
    without quotes.
    """
    name = column if column and column.isidentifier() and column.isascii() else "smoker"
    return (
        f"if it holds words, give them all, the one to count first: `count={{'{name}': ['yes', "
        "'no']}`; if each row is a group with its count, name the column with how many people it "
        "has: `size='COLUMN'`"
    )


def empty_remedy(count: Count) -> str:
    """What to do about an empty answer: the question once more, with the answer that it counts
    as.
    """
    answers = count.given
    if (
        answers is None
        or not answers.values
        or "`" in f"{count.asked}{answers.column}{answers.names}"
    ):
        return "name the answer that it counts as, 'nulls' beside 'answers'; it cannot be dropped"
    asked = {"column": answers.column, "answers": list(answers.values), "nulls": "ANSWER"}
    if answers.other:
        asked["other"] = answers.other
    if count.either:
        first, second = answers.names
        asked["nulls"] = "unsaid" if "unsaid" not in answers.names else "ANSWER"
        return (
            f"count it as {second} with `nulls='0'` or as {first} with `nulls='1'`, or apart with "
            f"`count={ {count.asked: asked}!r}`; it cannot be dropped"
        )
    return (
        f"name the answer that it counts as (one of {', '.join(answers.names)}, or a new name "
        f"such as unsaid, which is counted apart), `count={ {count.asked: asked}!r}`; it cannot "
        "be dropped"
    )


def answers_remedy(rule: str, answers: Sequence[str]) -> str:
    """What to do about a row that breaks a rule of a question; of words it repeats those that were
    asked for alone.

    >>> print(answers_remedy(ANSWER, ["yes", "nope"]))
    <BLANKLINE>
      - capitals and spelling count: only 'yes' and 'nope' are taken
      - or an answer is missing: add it
      - or name the answer that other values count as, `other`
    """
    if rule != ANSWER:
        return _ANSWERS_REMEDY[rule]
    named = 1 < len(answers) <= _FEW and "`" not in "".join(
        answers
    )  # between backquotes stand parameters
    only = (
        f": only {', '.join(map(repr, answers[:-1]))} and {answers[-1]!r} are taken"
        if named
        else ""
    )
    return (
        f"\n  - capitals and spelling count{only}\n  - or an answer is missing: add it\n"
        "  - or name the answer that other values count as, `other`"
    )


def empty_text_remedy(rule: str, remedy: str) -> str:
    """The remedy for a value of a column of text that breaks a rule, where its source tells
    empty from missing.
    """
    if rule == BIT:
        return f"{remedy}; if an empty text stands for a missing value, `{DECLARATION}`"
    return (
        f"{remedy}\n  - or an empty text stands for a missing value: `{DECLARATION}`"
        if rule == ANSWER
        else remedy
    )


def column_read(count: Count) -> str:
    """The one column of the source that a count is made of, as an error about a row names it;
    else its own name.
    """
    made = count.expression.columns if count.answers is None else ()
    return next(iter(made)) if len(made) == 1 else count.name


def not_a_key(kind: str, name: str) -> InvalidInput:
    """The error about a key column whose values have parts, or no one text."""
    return InvalidInput("by", f"must be a scalar column, and {kind} is not", name)


def not_a_capped_key(kind: str, name: str) -> InvalidInput:
    """The error about keys of a type that values of another type do not become by their texts."""
    rule = f"must be texts, numbers, true and false, dates or times with `cap`, and {kind} is not"
    return InvalidInput("keys", rule, name)


def not_bits(kind: str, name: object) -> InvalidInput:
    """The error about a column that holds neither bits nor counts."""
    return InvalidInput("count", f"must be a column of bits or numbers, and {kind} is not", name)


def check_answers(
    values: tuple[str, ...], column: str, kind: str, *, numbers: bool, truths: bool
) -> None:
    """Refuse answers that no value of a column of numbers, or of true and false, can be."""
    for value in values:
        if numbers and not _WHOLE.fullmatch(value):
            remedy = (
                "numbers are compared by value, as whole numbers of at most 15 digits; or give "
                "predicates"
            )
            rule = f"must have whole numbers as answers, because column {column} is {kind}"
            raise InvalidInput("count", rule, value, remedy=remedy)
        if truths and value not in ("true", "false"):
            raise InvalidInput(
                "count",
                f"must have the answers true and false, as column {column} is {kind}",
                value,
            )


def no_answers(kind: str, name: object) -> InvalidInput:
    """The error about a column whose values are not compared with answers."""
    rule = (
        f"must be a column of texts, numbers or true and false to have answers, and {kind} is not"
    )
    return InvalidInput(
        "count", rule, name, remedy="give a predicate for each answer: {ANSWER: PREDICATE, ...}"
    )


def not_a_condition(parameter: str, text: str) -> InvalidInput:
    """The error about an expression that is neither a column nor true or false."""
    return InvalidInput(
        parameter, "must be true or false for each row", text, remedy="compare, as in 'x = 1'"
    )


def no_person(row: object = None, place: str = "") -> InvalidData:
    """The error about a row that belongs to nobody."""
    where = NOT_NULL if row is not None else f"{NOT_NULL} in any row"
    return InvalidData("unit", f"{where}, so that people can be told apart", row=row, place=place)


def too_many_rows(most: int, unit: str) -> InvalidInput:
    """The error about people with more rows than are paid for; not how many people: that would
    be an exact count.
    """
    rows = "1 row" if most == 1 else f"{most} rows"
    remedy = (
        "name the column that tells people apart, if this is none (a class or a clinic is no "
        "person); or give `contributions=K` to pay for K rows each, and `excess='drop'` to keep K "
        "of them"
    )
    rule = f"must identify people with at most {rows} each, and in column {unit} someone has more"
    return InvalidInput("unit", rule, remedy=remedy)


def not_together() -> InvalidInput:
    """The error about people with rows in several groups, where one draw was to answer for all
    of a person's rows.
    """
    remedy = "leave it out: then each row is paid for by itself, wherever it is"
    return InvalidInput(
        "together",
        "says that each person's rows are in one group, and someone has rows in two",
        remedy=remedy,
    )


def ambiguous_column(name: str) -> InvalidInput:
    """The error about a column that is asked for by a name that several have."""
    rule = "has several columns of this name, and it is not said which is meant"
    return InvalidInput("source", rule, found=name, remedy="rename them")


def repeated_group() -> InvalidInput:
    """The error about a table of counts with one key in several rows."""
    rule = "must identify each row, and some key is in more than one row"
    return InvalidInput(
        "by", rule, remedy="add the column that is missing from `by`, or sum them first"
    )


def key_of_other_type(kind: str, name: str, given: str) -> InvalidInput:
    """The error about explicit keys that are text where the source has numbers, or the other way
    round.
    """
    rule = f"must have the type of the source's column, {kind}, for {name}"
    return InvalidInput("keys", rule, given, remedy="'01' and 1 are different keys")


def key_lost(kind: str, name: str, given: str) -> InvalidInput:
    """The error about explicit keys that the source's column cannot hold."""
    return InvalidInput(
        "keys", f"must be values of the source's column {name}, {kind}, and not all can be", given
    )


def repeated_key() -> InvalidInput:
    """The error about an explicit key that is named twice."""
    return InvalidInput("keys", "must name each key once")


def other_groups() -> InvalidInput:
    """The error about groups of keys that are not in the explicit set."""
    remedy = "add the keys, or leave those rows out with `other_keys='drop'`"
    return InvalidInput("source", "has groups whose key is not in `keys`", remedy=remedy)


def missing_counts() -> InvalidInput:
    """The error about explicit keys without a count where every group has one size."""
    rule = "names groups the source has no count for, and `size` says they are not empty"
    return InvalidInput("keys", rule, remedy="add their counts, or give sizes as a column")


def column_or_word(name: str, text: str, columns: Iterable[str]) -> str:
    """What to do with a name that no column has: it may be a column misspelt, or a word that a
    column is compared with.

    >>> column_or_word("yes", "asthma = yes and age > 3", ["asthma", "age"])
    "put words in quotes: asthma = 'yes'"
    >>> column_or_word("asthna", "asthna = 'yes'", ["asthma", "age"])
    'did you mean asthma?'
    """
    hint = did_you_mean(name, columns)
    found = re.search(rf"([^\W\d]\w*)\s*(=|==|<>|!=)\s*{re.escape(name)}(?!\w)", text)
    if found is None:
        return hint
    words = f"put words in quotes: {found[1]} {found[2]} '{name}'"
    return f"{hint} Or {words}" if hint.endswith("?") else words
