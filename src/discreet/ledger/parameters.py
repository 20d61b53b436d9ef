"""What a caller types into a ledger besides the names of datasets: ids, free text, amounts, and
commands.

An amount of epsilon is kept as exact text, "3/10". One amount has one text, so a seal over the text
is a seal over the amount.
"""

from __future__ import annotations

import re
import shlex
import unicodedata
from fractions import Fraction

from discreet.core.rationals import in_decimals, read_fraction
from discreet.errors import BudgetError, InvalidFile, InvalidInput

MAX_TEXT = 2000
MAX_DIGITS = 600  # of one amount's text: far below Python's limit of 4,300 for reading an integer


def read_id(release_id: str) -> str:
    """Read a release id: 1 to 128 letters, digits and . _ : - of ASCII, so that it can be part
    of a file's name.
    """
    if not isinstance(release_id, str) or not re.fullmatch(r"[A-Za-z0-9._:-]{1,128}", release_id):
        raise InvalidInput("release_id", "must be 1 to 128 of A-Z a-z 0-9 . _ : -", release_id)
    return release_id


def read_text(parameter: str, text: str, *, required: bool = False) -> str:
    """Read a note, a reason or a person's name: printable text, kept as it is."""
    if not isinstance(text, str) or (required and not text.strip()):
        raise InvalidInput(parameter, "must say something: it stays in the ledger", text)
    if len(text) > MAX_TEXT:
        raise InvalidInput(parameter, f"must have at most {MAX_TEXT} characters", len(text))
    # Terminal escapes and unpaired surrogates would make history unreadable for the next person.
    if any(unicodedata.category(c) in ("Cc", "Cs") and c not in "\n\t" for c in text):
        raise InvalidInput(parameter, "must have no control characters", ascii(text))
    return text


def read_epsilon(parameter: str, value: object) -> Fraction:
    """Read a positive, finite amount, exactly: "1/10", 0.1 (by its shortest decimal), 1."""
    amount = read_fraction(parameter, value)
    if amount <= 0:
        raise InvalidInput(
            parameter,
            "must be greater than 0",
            value,
            remedy="a release without epsilon needs no ledger",
        )
    limit = 3 * MAX_DIGITS  # bits; 600 digits are 1993 bits, so the check stays cheap for any size
    if (
        max(amount.numerator.bit_length(), amount.denominator.bit_length()) > limit
        or len(write_amount(amount)) > MAX_DIGITS
    ):
        raise InvalidInput(
            parameter,
            f"must have at most {MAX_DIGITS} digits",
            remedy="round it up to a simpler fraction",
        )
    return amount


def read_amount(text: str) -> Fraction:
    """Read "3/10" strictly: positive, in lowest terms, so that an amount has one text.

    >>> read_amount("3/10")
    Fraction(3, 10)
    """
    numerator, slash, denominator = text.partition("/")
    digits = numerator + denominator
    if (
        slash
        and digits.isascii()
        and digits.isdecimal()
        and numerator
        and denominator
        and len(text) <= MAX_DIGITS
    ):
        top, bottom = int(numerator), int(denominator)
        if top > 0 and bottom > 0 and write_amount(Fraction(top, bottom)) == text:
            return Fraction(top, bottom)
    raise BudgetError("an entry's amount is not a positive fraction in lowest terms")


def write_amount(amount: Fraction) -> str:
    """Write an amount as "numerator/denominator", even if the denominator is 1."""
    return f"{amount.numerator}/{amount.denominator}"


def show(amount: Fraction, *, up: bool = False) -> str:
    """Show an amount to a person: exactly if short, else as a decimal, rounded so that what is
    shown still fits.

    A short decimal is written as one, since that is how amounts are typed.

    >>> (
    ...     show(Fraction(3, 10)),
    ...     show(Fraction(10**30 + 1, 3 * 10**30)),
    ...     show(Fraction(10**30 + 1, 3 * 10**30), up=True),
    ... )
    ('0.3', '0.333333333333', '0.333333333334')
    """
    if amount.numerator.bit_length() + amount.denominator.bit_length() <= 64:
        short = 10**6 % amount.denominator == 0 and amount.numerator < 10**9
        return in_decimals(amount) if short else str(amount)
    scaled = amount * 10**12
    whole = (
        -(-scaled.numerator // scaled.denominator) if up else scaled.numerator // scaled.denominator
    )
    return f"{whole // 10**12}.{whole % 10**12:012d}"


def ledger_command(verb: str, where: str, *words: str) -> str:
    """Return a command for the shell; `where` is the ledger as it may be shown, without a password.

    >>> ledger_command("open", "budget.db", "north clinics", "--budget", "1")
    "discreet ledger open budget.db 'north clinics' --budget 1"
    """
    return shlex.join(["discreet", "ledger", verb, where, *words])


def first_budget(where: str, dataset: str | None = None, epsilon: str | None = None) -> str:
    """Return the command for a ledger without datasets; a name that nobody gave is the reader's to
    choose.

    The budget is enough for one such release.

    >>> first_budget("budget.db", "staff", "1/2"), first_budget("budget.db")
    ('discreet ledger open budget.db staff --budget 0.5', 'discreet ledger open budget.db patients
    --budget 1')
    """
    try:
        enough = show(read_fraction("epsilon", epsilon or 1), up=True)
    except InvalidInput:  # which the release refuses
        enough = "1"
    return ledger_command("open", where, dataset or "patients", "--budget", enough)


def _made_by(where: str, dataset: str | None = None, epsilon: str | None = None) -> str:
    """The remedy where there is no ledger, with the command on a line of its own."""
    named = "" if dataset else " (patients is a name of your choice)"
    return f"make one with{named}:\n  {first_budget(where, dataset, epsilon)}"


class NoLedger(InvalidFile):
    """There is no ledger at this place: the remedy is one `beside` it, or opens a budget in a new
    one.

    A new one begins at nothing spent, so that a mistyped name would let the same people pay twice.
    """

    def __init__(self, rule: str, where: str, beside: str = "") -> None:
        self.where, self.beside = where, beside
        meant = (
            f"did you mean {beside}? A new ledger would forget what is spent there"
            if beside
            else _made_by(where)
        )
        super().__init__("ledger", rule, found=where, remedy=meant)

    def open_for(self, dataset: str | None, epsilon: str | None) -> None:
        """Have the remedy use the name and the price that were asked for."""
        if not self.beside:
            self.remedy = _made_by(self.where, dataset, epsilon)
