"""For the site: what may be asked of `dc.release` and `dc.plan`, in tables made of the words that help() has.

A page says where with `<!-- asked: The noise -->`. `<!-- signature: release -->` becomes all parameters with types, and
`<!-- short: release by count -->` those named, with their defaults. In the list of all
names each function has its parameters in one line.
"""

from __future__ import annotations

import re
from dataclasses import MISSING
from inspect import Parameter, isfunction, signature
from typing import Any

NAME = re.compile(r"^(\| \[`dc\.(\w+)`\]\S+ \| )(.*) \|$", re.MULTILINE)
"""A row of the list of all names."""
ONE_LINE = 64
"""So many letters of a signature stand in one line of that list."""
MARK = re.compile(r"^<!-- (asked|signature|short): ([^>]+) -->$", re.MULTILINE)


def table(group: str) -> str:
    """The parameters of one group: what each does, and its default.

    >>> print(table("The budget").splitlines()[-1])
    | `dataset` | The name of the budget in the ledger. It may be left out if the ledger has only one. | `None` |
    """
    from discreet.tables.asking.request import EVERYTHING, parameters
    from discreet.tables.parameter_words import ASKED

    known = parameters(*EVERYTHING)
    rows = ["| parameter | what it says | default |", "| --- | --- | --- |"]
    for name, words in ASKED[group].items():
        default = known[name].default if name in known else MISSING if name == "source" else None
        usual = "required" if default is MISSING else f"`{default!r}`"
        rows.append(f"| `{name}` | {words.replace('|', chr(92) + '|')} | {usual} |")
    return "\n".join(rows)


def signature_of(verb: str) -> str:
    """A verb with the types of its parameters, one on a line.

    >>> print(signature_of("release").splitlines()[2])
        source: Any,
    """
    import discreet

    taken = signature(getattr(discreet, verb))
    lines, starred = [], False
    for each in taken.parameters.values():
        if each.kind is Parameter.KEYWORD_ONLY and not starred:
            lines, starred = [*lines, "*,"], True
        default = "" if each.default is Parameter.empty else f" = {each.default!r}".replace("'", '"')
        lines.append(f"{each.name}: {each.annotation}{default},")
    inside = "".join(f"    {line}\n" for line in lines)
    return f"```python\n{verb}(\n{inside}) -> {taken.return_annotation}\n```"


def short(words: str) -> str:
    """A verb with some of its parameters, in one line.

    >>> print(short("release by epsilon").splitlines()[1])
    dc.release(source, *, by, epsilon=None, ...) -> Release
    """
    import discreet

    verb, *names = words.split()
    taken = signature(getattr(discreet, verb))
    usual = {name: taken.parameters[name].default for name in names}
    shown = ", ".join(name if value is Parameter.empty else f"{name}={value!r}" for name, value in usual.items())
    return f"```python\ndc.{verb}(source, *, {shown}, ...) -> {taken.return_annotation}\n```"


def in_one_line(name: str) -> str:
    """The parameters of a function with their defaults, as many as fit one line.

    >>> in_one_line("verify")
    '(path) → Report'
    """
    import discreet

    taken = signature(getattr(discreet, name))
    said: list[str] = []
    starred = False
    for each in taken.parameters.values():
        if each.kind is Parameter.VAR_KEYWORD:
            continue
        if each.kind is Parameter.KEYWORD_ONLY and not starred:
            said, starred = [*said, "*"], True
        said.append(each.name if each.default is Parameter.empty else f"{each.name}={each.default!r}".replace("'", '"'))
    end = ") → " + taken.return_annotation.removesuffix(" | Any").replace(" | ", " or ")
    whole, kept = len(said), said
    while len(", ".join([*kept, *["..."] * (len(kept) < whole)])) + len(end) >= ONE_LINE and len(kept) > 1:
        kept = kept[:-1]
    kept = kept[:-1] if kept[-1] == "*" and len(kept) < whole else kept
    return f"({', '.join(kept)}{', ...' if len(kept) < whole else ''}{end}"


def signed(markdown: str) -> str:
    """Add to each function of the list of all names what it takes and returns."""
    import discreet

    def with_parameters(row: re.Match[str]) -> str:
        if not isfunction(getattr(discreet, row[2])):
            return row[0]
        return f"{row[1]}{row[3]}<br>`{in_one_line(row[2])}`{{ .takes }} |"

    return NAME.sub(with_parameters, markdown)


def on_page_markdown(markdown: str, page: Any = None, **_: Any) -> str:
    """Put the tables where a page wants them."""
    make = {"asked": table, "signature": signature_of, "short": short}
    markdown = MARK.sub(lambda found: make[found[1]](found[2]), markdown)
    return signed(markdown) if page and page.file.src_uri == "reference.md" else markdown
