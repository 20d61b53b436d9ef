"""HTML for notebooks and pages: the one place where text is escaped and tables get their look.

Whatever is not `Html` already is text, and is escaped; so nothing a user named can become markup.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from html import escape

_VOID = {"br", "img", "meta"}
_LEFT, _RIGHT = "text-align:left", "text-align:right"


class Html(str):
    """Text that is HTML already."""

    __slots__ = ()


def element(name: str, /, *inside: object, **attributes: str) -> Html:
    """Return an element around its contents; `class_` stands for class, `aria_label` for
    aria-label.

    >>> print(element("p", "a < b ", element("b", "really"), title='"so"'))
    <p title="&quot;so&quot;">a &lt; b <b>really</b></p>
    """
    given = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(value)}"'
        for key, value in attributes.items()
        if value
    )
    return Html(f"<{name}{given}>" + ("" if name in _VOID else f"{together(*inside)}</{name}>"))


def together(*parts: object) -> Html:
    """Return parts one after the other, escaped where they are text."""
    return Html("".join(part if isinstance(part, Html) else escape(str(part)) for part in parts))


def title(text: str) -> Html:
    """Return the line above what is shown."""
    return element("b", text)


def note(text: str) -> Html:
    """Return small print below what is shown."""
    return element("small", text)


def preformatted(text: str) -> Html:
    """Show aligned text as it is."""
    return element("pre", text, style="line-height:1.3")


def facts(pairs: Iterable[tuple[str, str]]) -> Html:
    """Show names with their values beside them."""
    rows = (
        element(
            "tr", element("th", name, scope="row", style=_LEFT), element("td", value, style=_LEFT)
        )
        for name, value in pairs
    )
    return element("table", element("tbody", *rows))


def table(
    head: Sequence[object],
    rows: Iterable[Sequence[object]],
    *,
    caption: str = "",
    words: Collection[int] = (),
    bold: Collection[int] = (),
) -> Html:
    """Show a table: numbers to the right, columns of `words` to the left, `bold` rows emphasised.

    A cell that is `Html` is the whole cell, with a look of its own.
    """

    def cell(value: object, column: int) -> Html:
        return (
            value
            if isinstance(value, Html)
            else element("td", value, style=_LEFT if column in words else _RIGHT)
        )

    top = (
        element("th", name, scope="col", style=_LEFT if k in words else _RIGHT)
        for k, name in enumerate(head)
    )
    body = (
        element(
            "tr",
            *(cell(value, k) for k, value in enumerate(row)),
            style="font-weight:bold" if i in bold else "",
        )
        for i, row in enumerate(rows)
    )
    above = [element("caption", caption, style=f"{_LEFT};font-weight:bold")] if caption else []
    return element("table", *above, element("thead", element("tr", *top)), element("tbody", *body))
