"""Every error a user can meet, in one tree.

    DiscreetError
    ├── InvalidInput (ValueError)        a parameter breaks a rule: names parameter, rule, value, remedy
    │   ├── InvalidData                  a row of data breaks a rule: names the row, never the value
    │   └── InvalidFile                  a file is not what it should be (proof, manifest, config, ledger)
    ├── NotPrivate                       a matrix is not an alpha-private mechanism
    ├── ProofFailed                      a file's claim does not hold
    ├── Infeasible                       no mechanism has all that was asked
    ├── NotProven                        no exact proof was reached within the limits
    ├── BudgetError                      the ledger says no
    │   └── BudgetExceeded               the request does not fit what remains
    └── MissingExtra (ImportError)       an optional dependency is not installed

An error about a *parameter* shows the value the caller typed; an error about *data* never does, because
the data are what we protect.

Between backquotes a message names a parameter, `alpha`, or what to give it, `overwrite=True`, as Python spells them.
A surface that spells them otherwise reads the message by `spelled`: the command line says --overwrite, a
configuration file `overwrite = true`.
"""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from fractions import Fraction

    Spelling = Callable[[str, str | None], str]
    """How a surface writes a parameter, alone or with a value (Python's text of it)."""

_MENTION = re.compile(r"`([a-z_]+)(?:=([^`]+))?`")


class DiscreetError(Exception):
    """Base of every error raised on purpose by `discreet`."""

    consequence = ""
    """What had happened by then, where that matters: what the ledger keeps."""

    def __str__(self) -> str:
        return self._told(str)

    def spelled(self, spelling: Spelling) -> str:
        """Return the message in the spelling of another surface.

        >>> NotProven("no proof was reached: accept `gap=0.01`").spelled(lambda name, value: f"--{name} {value}")
        'no proof was reached: accept --gap 0.01'
        """
        return self._told(lambda words: spelled(words, spelling))

    def _told(self, spell: Callable[[str], str]) -> str:
        return f"{self._message(spell)}. {spell(self.consequence)}" if self.consequence else self._message(spell)

    def _message(self, spell: Callable[[str], str]) -> str:
        """Put the message together: `spell` goes over our own words, never over what a caller typed."""
        return spell(super().__str__())

    def __reduce__(self) -> tuple[object, ...]:
        # an error crosses processes whole, whatever its constructor takes
        return _revived, (type(self), self.args, self.__dict__)


def spelled(words: str, spelling: Spelling) -> str:
    """Return words of ours with every parameter between backquotes as another surface spells it."""
    return _MENTION.sub(lambda found: spelling(found[1], found[2]), words)


def _revived(kind: type[DiscreetError], args: tuple[object, ...], parts: dict[str, object]) -> DiscreetError:
    error = kind.__new__(kind)
    error.args = args
    error.__dict__.update(parts)
    return error


class InvalidInput(DiscreetError, ValueError):
    """A parameter breaks a rule.

    >>> raise InvalidInput("alpha", "must be in (0, 1]", "3/2", remedy="give exp(-epsilon), such as '10/11'")
    Traceback (most recent call last):
        ...
    discreet.errors.InvalidInput: `alpha` must be in (0, 1], not 3/2: give exp(-epsilon), such as '10/11'
    """

    def __init__(self, parameter: str, rule: str, value: object = ..., *, remedy: str = "") -> None:
        self.parameter, self.rule, self.value, self.remedy = parameter, rule, value, remedy
        super().__init__(str(self))

    def _message(self, spell: Callable[[str], str]) -> str:
        # "must be in 0..n, not 9", but "has an unknown name (MC)": a rule that states the fault is not negated again
        states_the_wish = re.search(r"\b(must(?! not\b)|needs)\b(?!.*;)", self.rule)
        given = (
            ""
            if self.value is ...
            else f", not {_shown(self.value)}"
            if states_the_wish
            else f" ({_shown(self.value)})"
        )
        remedy = f": {spell(self.remedy)}" if self.remedy else ""
        return f"{self._subject(spell)} {spell(self.rule)}{given}{remedy}"

    def _subject(self, spell: Callable[[str], str]) -> str:
        return spell(f"`{self.parameter}`")


class InvalidData(InvalidInput):
    """A row of private data breaks a rule. Carries the row and the rule; the value stays secret.

    Rows are counted from 1, a header not among them; a place that is no row (a line of a file, which is counted from
    1 too) is given as text.

    >>> raise InvalidData("counts", "must be in 0..n", row=7)
    Traceback (most recent call last):
        ...
    discreet.errors.InvalidData: `counts` must be in 0..n (row 7; the value is not shown because it is private)
    """

    def __init__(
        self, parameter: str, rule: str, *, row: object = None, column: bool = False, remedy: str = ""
    ) -> None:
        self.row, self.column = row, column
        where = "the value is not shown because it is private"
        place = row if isinstance(row, str) else f"row {row}"
        where = where if row is None else f"{place}; {where}"
        super().__init__(parameter, f"{rule} ({where})", remedy=remedy)

    def _subject(self, spell: Callable[[str], str]) -> str:
        # a column's name is nobody's parameter, even if it is called epsilon
        return f"`{self.parameter}`" if self.column else super()._subject(spell)


class InvalidFile(InvalidInput):
    """A file is damaged, of an unknown format or beyond the stated limits."""


class NotPrivate(DiscreetError, ValueError):
    """A matrix is not a mechanism: negative, not stochastic, or not alpha-private. Names the first such cell."""

    def __init__(self, message: str, *, cell: tuple[int, int] | None = None) -> None:
        self.cell = cell
        super().__init__(message)


class ProofFailed(DiscreetError):
    """A proof file claims something that does not hold."""


class Infeasible(DiscreetError, ValueError):
    """No mechanism has everything that was asked for. Names the wishes that conflict."""


class NotProven(DiscreetError, RuntimeError):
    """No exact proof of optimality was reached within the limits."""


class BudgetError(DiscreetError):
    """The ledger refuses: unknown dataset, wrong state, broken chain."""


class BudgetExceeded(BudgetError):
    """The request does not fit what remains of the budget. Nothing was spent."""

    def __init__(self, message: str, *, requested: Fraction | None = None, remaining: Fraction | None = None) -> None:
        self.requested, self.remaining = requested, remaining
        super().__init__(message)


class MissingExtra(DiscreetError, ImportError):
    """An optional dependency is not installed; the message is the line that installs it."""

    def __init__(self, extra: str, wanted_for: str) -> None:
        self.extra = extra
        super().__init__(f"{wanted_for} needs the '{extra}' extra: pip install 'discreet[{extra}]'")


def did_you_mean(word: str, choices: Iterable[str]) -> str:
    """Return "did you mean X?" for the nearest choice, or the list of choices.

    >>> did_you_mean("MC", ["CM", "RM", "WH"])
    'did you mean CM?'
    """
    known = [_shown(choice) for choice in choices]
    swapped = [choice for choice in known if sorted(choice) == sorted(word)]
    near = swapped or get_close_matches(word, known, n=1, cutoff=0.5)
    if near:
        return f"did you mean {near[0]}?"
    more = f" and {len(known) - _LISTED} more" if len(known) > _LISTED else ""
    return f"choose from {', '.join(known[:_LISTED])}{more}"


_LISTED = 20  # choices that are worth reading


def printable(text: str) -> str:
    """Write what a terminal would obey instead of show (escape sequences in a column's name) as Python escapes it.

    >>> print(printable("a\\x1b[2Jb, größer"))
    a\\x1b[2Jb, größer
    """
    return "".join(c if c.isprintable() or c in "\n\t" else ascii(c)[1:-1] for c in text)


def _shown(value: object) -> str:
    text = value if isinstance(value, str) and value.strip() else repr(value)
    text = printable(text).replace("\n", "\\n").replace("\t", "\\t")
    # both ends of a long value: the end of a path says most
    return text if len(text) <= 160 else f"{text[:90]}...{text[-60:]}"
