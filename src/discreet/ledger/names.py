"""Names of datasets: names that look alike are one name, because two would be two budgets for the
same people.

A name is of letters, marks, digits, punctuation and symbols of any script, with plain spaces
inside; nothing else. Of these a few show nothing: characters that the Unicode standard lets a
display ignore (Default_Ignorable_Code_Point in DerivedCoreProperties.txt), and blanks that are
letters or symbols by category. They are refused too.

Characters of different scripts that look alike (Latin and Cyrillic a) are not told apart here: a
name is typed by the steward, and the ledger cannot know which is meant.
"""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from discreet.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Container

MAX_NAME = 200

# the first letter of a general category; C and Z are controls, formats, unassigned and spaces
_VISIBLE = "LMNPS"

_IGNORABLE = (
    (0x00AD, 0x00AD),
    (0x034F, 0x034F),
    (0x061C, 0x061C),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x200B, 0x200F),
    (0x202A, 0x202E),
    (0x2060, 0x206F),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFF8),
    (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A),
    (0xE0000, 0xE0FFF),
)
"""Default_Ignorable_Code_Point: the property as Unicode gives it since version 14, reserved code
points included.
"""

_BLANK = (0x2800, 0x13441, 0x13442, 0x16FE4, 0x1D159)
"""Braille without dots, hieroglyphs' full and half blank, Khitan filler, null notehead: drawn as
nothing.
"""


def shows(character: str) -> bool:
    """Say whether a character leaves a mark on the page.

    >>> shows("é"), shows("\\N{VARIATION SELECTOR-16}"), shows("\\N{HANGUL FILLER}"), shows(" ")
    (True, False, False, False)
    """
    code = ord(character)
    ignored = code in _BLANK or any(first <= code <= last for first, last in _IGNORABLE)
    return not ignored and unicodedata.category(character)[0] in _VISIBLE


def read_name(parameter: str, name: str, known: Container[str] = ()) -> str:
    """Read a dataset's name: any script, quotes too, but nothing invisible; NFC, so that equal
    looks are equal names.

    A name in `known` was opened before, perhaps by a Python that knows more of Unicode, and is
    found as it is.

    >>> read_name("dataset", "Cafe\\u0301 'A'") == "Caf\\u00e9 'A'"
    True
    """
    if not isinstance(name, str) or not name.strip():
        raise InvalidInput(parameter, "must be a name, not empty", name)
    if (normal := unicodedata.normalize("NFC", name)) in known:
        return normal
    hidden = next((c for c in name if c != " " and not shows(c)), None)
    if hidden is not None or name != name.strip():
        rule = "must have no invisible characters and no spaces around it"
        remedy = "leave them out" if hidden is None else f"leave out U+{ord(hidden):04X}"
        raise InvalidInput(parameter, rule, ascii(name), remedy=remedy)
    if len(normal) > MAX_NAME:
        raise InvalidInput(parameter, f"must have at most {MAX_NAME} characters", len(normal))
    return normal


def look(name: str) -> str:
    """Return what a name looks like, ignoring width, case, spacing and characters that show
    nothing.

    >>> look("People\\N{COMBINING GRAPHEME JOINER}  A") == look("people a")
    True
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return " ".join("".join(c for c in folded if c.isspace() or shows(c)).split())
