"""For the reference: an attribute with one sentence stands in the table of its class, and not again below."""

from __future__ import annotations

import re
from typing import Any

ONCE_MORE = re.compile(
    r'<div class="doc doc-object doc-attribute">\s*<h4 id="(?P<id>[^"]+)"[^>]*>(?:(?!</h4>).)*</h4>\s*'
    r'(?:<div class="[^"]*doc-signature[^"]*">(?:(?!</div>).)*</div>\s*)?'
    r'<div class="doc doc-contents ">\s*<p>(?P<says>(?:(?!</p>).)*)</p>\s*</div>\s*</div>',
    re.DOTALL,
)
ROW = re.compile(
    r'<td><code><a [^>]*href="#(?P<id>[^"]+)"[^>]*>(?P<name>\w+)</a></code></td>(?P<rest>(?:(?!</tr>).)*)</tr>',
    re.DOTALL,
)


def said_once(html: str) -> str:
    """Take out each attribute whose row says all of it; its address then leads to the row."""
    rows = {row["id"]: row["rest"] for row in ROW.finditer(html)}
    gone: set[str] = set()

    def taken_out(found: re.Match[str]) -> str:
        if f"<p>{found['says']}</p>" not in rows.get(found["id"], ""):
            return found[0]
        gone.add(found["id"])
        return ""

    def named(row: re.Match[str]) -> str:
        if row["id"] not in gone:
            return row[0]
        return f'<td><code id="{row["id"]}">{row["name"]}</code></td>{row["rest"]}</tr>'

    html = ONCE_MORE.sub(taken_out, html)
    return ROW.sub(named, html)


def on_post_page(output: str, page: Any, **_: Any) -> str:
    """Finish one page of the reference, when its links are known."""
    return said_once(output) if page.file.src_uri.startswith("reference/") else output
