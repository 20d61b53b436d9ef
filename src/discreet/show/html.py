"""How estimates look in a notebook."""

from __future__ import annotations

from html import escape


def text_html(text: str) -> str:
    """Show aligned text as it is."""
    return f"<pre style='line-height:1.3'>{escape(text)}</pre>"


def table_html(caption: str, head: list[str], rows: list[list[str]], note: str = "") -> str:
    """Show a small table: caption, right-aligned numbers, a note below."""
    top = "".join(f"<th scope='col' style='text-align:right'>{escape(name)}</th>" for name in head)
    body = "".join(
        "<tr>" + "".join(f"<td style='text-align:right'>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows
    )
    below = f"<p style='max-width:46em'>{escape(note)}</p>" if note else ""
    return (
        "<table><caption style='text-align:left;font-weight:bold'>"
        f"{escape(caption)}</caption><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>{below}"
    )
