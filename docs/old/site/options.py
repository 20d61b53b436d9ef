"""For the site: the page with every option begins with a table of the commands, and folds all lists of options but the
short ones and those used most.
"""

from __future__ import annotations

import re
from typing import Any

COMMAND = re.compile(r"^## (discreet \w+)\n\n(.+)\n", re.MULTILINE)
"""The heading of a command, and the first line about it."""
LIST = re.compile(r"^\| (?!Used most)([^|\n]+) \| what it says \|\n\| --- \| --- \|\n((?:\|.*\n)+)", re.MULTILINE)
"""A list of options that are not those used most."""
SHORT = 5
"""A list of at most so many options stays open if it has all that a command takes."""
OPTION = re.compile(r"^\| `([^`\s,]+)", re.MULTILINE)


def commands(page: str) -> str:
    """A table of the commands of a page, each with a link to its heading.

    >>> print(commands("## discreet plan\\n\\nSay the cost. More.\\n").splitlines()[-1])
    | [`plan`](#discreet-plan) | Say the cost. |
    """
    rows = [
        f"| [`{name.removeprefix('discreet ')}`](#{name.replace(' ', '-')}) | {re.split(r'(?<=[.]) ', says)[0]} |"
        for name, says in COMMAND.findall(page)
    ]
    return "\n".join(["| command | what it does |", "| --- | --- |", *rows])


def folded(page: str) -> str:
    """Fold each list of options with a heading; what stays in view names its options.

    >>> print(folded("| The shape | what it says |\\n| --- | --- |\\n| `-a, --all` | b |\\n").splitlines()[1])
    <summary>The shape: <code>-a</code></summary>
    """

    def fold(found: re.Match[str]) -> str:
        names = OPTION.findall(found[2])
        if found[1] == "options" and len(names) <= SHORT:
            return found[0]
        named = ", ".join(f"<code>{name}</code>" for name in names)
        title = found[1][0].upper() + found[1][1:]
        return f"<details markdown>\n<summary>{title}: {named}</summary>\n\n{found[0]}\n</details>\n"

    return LIST.sub(fold, page)


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Finish the page."""
    if page.file.src_uri != "options.md":
        return markdown
    first = markdown.index("\n## ")
    return f"{markdown[:first]}\n{commands(markdown)}\n{folded(markdown[first:])}"
