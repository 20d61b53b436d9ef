"""Every error a user can meet, in one tree.

    DiscreetError
    ├── InvalidInput (ValueError)        a parameter breaks a rule: names parameter, rule, value,
                                         remedy
    │   ├── InvalidData                  a row of data breaks a rule: names the row, never the value
    │   └── InvalidFile                  a file is not what it should be (proof, manifest, config,
                                         ledger)
    │       └── Contradiction            the parts of a release contradict each other (a ProofFailed
                                         too)
    ├── NotPrivate                       a matrix is not an alpha-private mechanism
    ├── ProofFailed                      a file's claim does not hold
    ├── Infeasible                       no mechanism has all that was asked
    ├── NotProven                        no exact proof was reached within the limits
    ├── UnknownKeyword (TypeError)       a verb has no such parameter: names the nearest one
    ├── BudgetError                      the ledger says no
    │   └── BudgetExceeded               the request does not fit what remains
    └── MissingExtra (ImportError)       an optional dependency is not installed

Warnings are of our own kinds too: `NotAccounted`, `NotIdentified`, `HighEpsilon` and `Unfinished`,
each a `DiscreetWarning` (UserWarning). What warns has not spent anything yet.

Every error carries its parts as data: `code` (a stable word to branch on, see commands.md),
`parameter`, `rule`, `value`, `remedy` and `consequence`; `to_dict()` returns them without the
value. Nothing may branch on a message. An error about a *parameter* shows the value that was typed;
one about *data* never does: we protect the data.

Rules, remedies and consequences are small templates: `alpha` between backquotes mentions a
parameter, `overwrite=True` what to give it, as Python spells them. `spelled` writes the mentions as
another surface does: --overwrite, or in a file 'overwrite = true'; what else stands between
backquotes gets plain ones. What was typed is never read as a template.
"""

from __future__ import annotations

import re
import sys
import warnings
from contextlib import contextmanager
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from discreet.extras import install_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from fractions import Fraction
    from os import PathLike

    from discreet.proof.own.impossibility import Impossibility

    Spelling = Callable[[str, str | None], str]
    """How a surface writes a parameter, alone or with a value (Python's text of it)."""

_MENTION = re.compile(r"`(?:([a-z_]+)(?:=([^`]+))?|([^`\n]+))`")


class DiscreetError(Exception):
    """Base of every error raised on purpose by `discreet`.

    >>> NotProven("no proof was reached", remedy="accept `gap=0.01`").to_dict()["remedy"]
    'accept `gap=0.01`'
    """

    code = "error"
    """The kind of error as one stable word; a call may give a finer one than its class has."""
    parameter: str | None = None
    """The parameter at fault, if one is."""
    value: object = ...
    """What was given for it; never private data."""
    consequence = ""
    """What had happened by then, where that matters: what the ledger keeps."""
    file = ""
    """The file it is about, where one was given; the message begins with it."""

    def __init__(self, rule: str = "", *, remedy: str = "", code: str = "") -> None:
        self.rule, self.remedy = rule, remedy
        if code:
            self.code = code
        super().__init__(str(self))

    def __str__(self) -> str:
        return self._told(str)

    def spelled(self, spelling: Spelling) -> str:
        """Return the message in the spelling of another surface.

        >>> error = NotProven("no proof was reached", remedy="accept `gap=0.01`")
        >>> error.spelled(lambda name, value: f"--{name} {value}")
        'no proof was reached: accept --gap 0.01'
        """
        return self._told(lambda words: spelled(words, spelling))

    def to_dict(self, spelling: Spelling | None = None) -> dict[str, Any]:
        """Return the parts as plain data, without the value; in the spelling of another surface
        if one is given.
        """
        parts = {"rule": self.rule, "remedy": self.remedy, "consequence": self.consequence}
        texts = {
            name: words if spelling is None else spelled(words, spelling)
            for name, words in parts.items()
        }
        return {"code": self.code, "parameter": self.parameter, **texts}

    def _told(self, spell: Callable[[str], str]) -> str:
        message = (f"{_shown(self.file)}: " if self.file else "") + self._message(spell)
        end = "\n" if "\n" in self.remedy else ". "[message.endswith("?") :]
        return f"{message}{end}{spell(self.consequence)}" if self.consequence else message

    def _message(self, spell: Callable[[str], str]) -> str:
        """Put the message together: `spell` goes over our own words, never over what a caller
        typed.
        """
        return self._fault(spell) + (
            f": {spell(self.remedy)}".replace(": \n", ":\n", 1) if self.remedy else ""
        )

    def _fault(self, spell: Callable[[str], str]) -> str:
        return spell(self.rule)

    def __reduce__(self) -> tuple[object, ...]:
        # an error crosses processes whole, whatever its constructor takes
        return _revived, (type(self), self.args, self.__dict__)


def spelled(words: str, spelling: Spelling) -> str:
    """Return a template with its mentions of parameters spelled as another surface does."""
    return _MENTION.sub(
        lambda found: quoted(found[3]) if found[3] else spelling(found[1], found[2]), words
    )


def quoted(words: str) -> str:
    """Put words between plain quotes."""
    return f'"{words}"' if "'" in words else f"'{words}'"


def _revived(
    kind: type[DiscreetError], args: tuple[object, ...], parts: dict[str, object]
) -> DiscreetError:
    error = kind.__new__(kind)
    error.args = args
    error.__dict__.update(parts)
    return error


class InvalidInput(DiscreetError, ValueError):
    """A parameter breaks a rule.

    A rule that states what is wanted contrasts the `value`; a rule that states the fault shows what
    was `found`.

    >>> raise InvalidInput(
    ...     "alpha", "must be in (0, 1]", "3/2", remedy="give exp(-epsilon), such as '10/11'"
    ... )
    Traceback (most recent call last):
        ...
    discreet.errors.InvalidInput: `alpha` must be in (0, 1], not 3/2: give exp(-epsilon), such as
    '10/11'
    """

    code = "invalid-input"

    def __init__(
        self,
        parameter: str,
        rule: str,
        value: object = ...,
        *,
        found: object = ...,
        remedy: str = "",
        kind: str = "",
        code: str = "",
    ) -> None:
        self.parameter: str = parameter
        self.value, self._contrasted = (value, True) if found is ... else (found, False)
        self.kind = kind
        """What the value is, where that is the fault: "the text" '8'."""
        super().__init__(rule, remedy=remedy, code=code)

    def _fault(self, spell: Callable[[str], str]) -> str:
        subject, given = (
            self._subject(spell),
            self._given(),
        )  # a file that is called by its name is named once
        return (
            f"{subject} "
            f"{spell(self.rule)}{'' if given in (f' ({subject})', f', not {subject}') else given}"
        )

    def _subject(self, spell: Callable[[str], str]) -> str:
        return spell(f"`{self.parameter}`")

    def _given(self) -> str:
        if self.value is ...:
            return ""
        value = f"{self.kind} {_shown(repr(self.value))}" if self.kind else _shown(self.value)
        return f", not {value}" if self._contrasted else f" ({value})"


class InvalidData(InvalidInput):
    """A row of private data breaks a rule. Carries the row and the rule; the value stays secret.

    Rows are counted from 1, without the header; a line of a file is given as text. `place` says it
    to a person.

    >>> raise InvalidData("counts", "must be in 0..n", row=7)
    Traceback (most recent call last):
        ...
    discreet.errors.InvalidData: `counts` must be in 0..n (row 7; keep this message to yourself:
    ...)
    """

    code = "invalid-data"

    def __init__(
        self,
        parameter: str,
        rule: str,
        *,
        row: object = None,
        place: str = "",
        column: bool = False,
        remedy: str = "",
    ) -> None:
        self.row, self.column = row, column
        self.place = place or (
            f"row {row}" if row is not None and not isinstance(row, str) else row or ""
        )
        super().__init__(parameter, rule, remedy=remedy)

    def to_dict(self, spelling: Spelling | None = None) -> dict[str, Any]:
        """Return the parts as plain data, with the row."""
        row = self.row if self.row is None or isinstance(self.row, int) else str(self.row)
        return super().to_dict(spelling) | {"row": row}

    def _subject(self, spell: Callable[[str], str]) -> str:
        # a column's name is nobody's parameter, even if it is called epsilon
        named = f"`{self.parameter}`" if spell is str else f"column {quoted(self.parameter)}"
        return named if self.column else super()._subject(spell)

    def _given(self) -> str:
        private = (
            f"{self.place}; keep this message to yourself: it tells something about "
            "people of this row and above"
        )
        return f" ({private if self.place else 'the value is not shown because it is private'})"


class InvalidFile(InvalidInput):
    """A file is damaged, of an unknown format or beyond the stated limits."""

    code = "invalid-file"


class NotPrivate(DiscreetError, ValueError):
    """A matrix is not a mechanism: negative, not stochastic, or not alpha-private. Names the
    first such cell.
    """

    code = "not-private"

    def __init__(self, rule: str, *, cell: tuple[Any, Any] | None = None, remedy: str = "") -> None:
        self.cell = cell
        super().__init__(rule, remedy=remedy)


class ProofFailed(DiscreetError):
    """A file claims something that does not hold."""

    code = "proof-failed"


class Contradiction(InvalidFile, ProofFailed):
    """The manifest, the table and the proofs of a release do not say the same: one of them was
    changed.
    """

    code = "contradiction"


class Infeasible(DiscreetError, ValueError):
    """No mechanism has everything that was asked for. Names the properties that conflict;
    `proof` proves it.
    """

    code = "infeasible"

    def __init__(
        self,
        rule: str = "",
        *,
        remedy: str = "",
        code: str = "",
        proof: Impossibility | None = None,
    ) -> None:
        self.proof = proof
        super().__init__(rule, remedy=remedy, code=code)


class NotProven(DiscreetError, RuntimeError):
    """No exact proof of optimality was reached within the limits."""

    code = "not-proven"


class UnknownKeyword(DiscreetError, TypeError):
    """A verb was called with a parameter that it does not have."""

    code = "unknown-keyword"


class BudgetError(DiscreetError):
    """The ledger refuses: unknown dataset, wrong state, broken chain; or it cannot be reached."""

    code = "ledger-refused"


class BudgetExceeded(BudgetError):
    """The request does not fit what remains of the budget. Nothing was spent."""

    code = "budget-exceeded"

    def __init__(
        self,
        rule: str,
        *,
        requested: Fraction | None = None,
        remaining: Fraction | None = None,
        remedy: str = "",
    ) -> None:
        self.requested, self.remaining = requested, remaining
        super().__init__(rule, remedy=remedy)


class MissingExtra(DiscreetError, ImportError):
    """An optional dependency is not installed; the remedy is the line that installs it."""

    code = "missing-extra"

    def __init__(self, extra: str, wanted_for: str) -> None:
        self.extra = extra
        super().__init__(f"{wanted_for} needs the '{extra}' extra", remedy=install_line(extra))


class DiscreetWarning(UserWarning):
    """Base of the warnings that `discreet` gives; the words are a template, as an error's are."""


class NotAccounted(DiscreetWarning):
    """A release is made without a ledger: nobody adds up what releases of the same people cost
    together.
    """


class NotIdentified(DiscreetWarning):
    """No column says who is who: each row is taken for another person, and nothing checks it."""


class HighEpsilon(DiscreetWarning):
    """Epsilon is so high that the release protects people little: from about 3 on
    (`odds.protects_little`).
    """


class Unfinished(DiscreetWarning):
    """A release of the same question was begun under this ledger and not finished: taking it up
    costs nothing.
    """


def warn(words: str, kind: type[Warning]) -> None:
    """Warn at the line of the caller's own code that led here, however many of our functions are
    in between.
    """
    depth, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_HOME):
        depth, frame = depth + 1, frame.f_back
    warnings.warn(words, kind, stacklevel=depth)


_HOME = __file__.removesuffix("errors.py")
_LISTED = 20  # choices that are worth reading


@contextmanager
def about_file(path: str | PathLike[str]) -> Iterator[None]:
    """Name the file in an error about what is in it."""
    try:
        yield
    except (InvalidFile, ProofFailed) as error:
        error.file = error.file or str(path)
        raise


def did_you_mean(word: str, choices: Iterable[str], *, cutoff: float = 0.5) -> str:
    """Return "did you mean X?" for the nearest choice that is near enough, or the list of choices.

    >>> did_you_mean("MC", ["CM", "RM", "WH"])
    'did you mean CM?'
    """
    known = [_shown(choice) for choice in choices]
    swapped = [choice for choice in known if sorted(choice) == sorted(word)]
    alike = [choice for choice in known if 2 * len(choice) >= len(word)]  # F is not near to FOO
    if near := swapped or get_close_matches(word, alike, n=1, cutoff=cutoff):
        return f"did you mean {near[0]}?"
    more = f" and {len(known) - _LISTED} more" if len(known) > _LISTED else ""
    return (
        f"{'there is only' if len(known) == 1 else 'choose from'} "
        f"{', '.join(known[:_LISTED])}{more}"
    )


def printable(text: str) -> str:
    """Escape what a terminal would act on instead of showing, such as escape sequences in a
    column's name.

    >>> print(printable("a\\x1b[2Jb, größer"))
    a\\x1b[2Jb, größer
    """
    return "".join(c if c.isprintable() or c in "\n\t" else ascii(c)[1:-1] for c in text)


def _shown(value: object) -> str:
    plain = type(value).__name__ == "Fraction" or (
        isinstance(value, str) and value.strip()
    )  # 1/2, not Fraction(1, 2)
    try:
        text = str(value) if plain else repr(value)
    except ValueError:  # Python writes no integer of more than 4,300 digits
        return "a number of thousands of digits"
    text = printable(text).replace("\n", "\\n").replace("\t", "\\t")
    # both ends of a long value: the end of a path says most
    return text if len(text) <= 160 else f"{text[:90]}...{text[-60:]}"
