"""Texts on their way to the page: what the library refuses, in words of the page, and lines of
code.
"""

from __future__ import annotations

import re
from copy import copy
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

if TYPE_CHECKING:
    from discreet.errors import DiscreetError

_NAMES = {
    "output_dp": "the ratio of output DP",
    "sizes": "the group sizes",
    "regions": "the levels above the groups",
    "questions": "a question",
    "empty": "what an empty answer counts as",
    "who": "the column that says who a row is about",
}
_PYTHON = re.compile(r"\bdc\.")
_CODE = re.compile(r"(?:`|&#39;(?=discreet ))([^`]+?)(?:`|&#39;)")
"""Between backquotes, or one of our commands between plain quotes, in a text that is escaped
already.
"""


def plainly(error: DiscreetError) -> str:
    """Return an error as a person reads it.

    >>> from discreet.errors import InvalidInput
    >>> plainly(
    ...     InvalidInput(
    ...         "n", "must be at most 40 here", 99, remedy="`discreet design --n` has no such limit"
    ...     )
    ... )
    "n must be at most 40 here, not 99: 'discreet design --n' has no such limit"
    >>> plainly(InvalidInput("output_dp", "must be at most 1", 2, remedy="leave `loss=L0`"))
    'The ratio of output DP must be at most 1, not 2: leave loss = L0'

    What only a program in Python could do is left out: nobody types one here.

    >>> plainly(
    ...     InvalidInput(
    ...         "n",
    ...         "must be at most 512 for a histogram",
    ...         513,
    ...         remedy="`dc.geometric(n=513)` draws it",
    ...     )
    ... )
    'n must be at most 512 for a histogram, not 513'
    """
    if _PYTHON.search(error.remedy):
        error = copy(error)
        error.remedy = ""
    said = error.spelled(
        lambda name, value: _NAMES.get(name, name) if value is None else f"{name} = {value}"
    )
    name = _NAMES.get(error.parameter or "", "")
    return said[:1].upper() + said[1:] if name and said.startswith(name) else said


def coded(text: str) -> Markup:
    """Return a text for the page, in which what can be typed elsewhere is code.

    >>> print(coded("`dc.plan` and 'discreet plan' have no such limit, 1 < 2, 'never'"))
    <code>dc.plan</code> and <code>discreet plan</code> have no such limit, 1 &lt; 2,
    &#39;never&#39;
    """
    return Markup(_CODE.sub(r"<code>\1</code>", str(escape(text))))  # noqa: S704 - escaped first


def unbroken(text: str) -> Markup:
    """Return lines of code whose words are kept whole where a narrow screen wraps them.

    >>> print(unbroken("discreet --n 8"))
    <span>discreet</span> <span>--n</span> <span>8</span>
    """
    return Markup(re.sub(r"\S+", r"<span>\g<0></span>", str(escape(text))))  # noqa: S704 - escaped first
