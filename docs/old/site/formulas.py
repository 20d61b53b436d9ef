"""For the site: formulas that pages write in plain text, `a^|i-j| d_i >= 1/2`, get raised and lowered letters.

In the sources they stay as they are, to be read and searched. What is code stays code, unless all of it is a formula.
Nothing is loaded: the marks are those of HTML.
"""

from __future__ import annotations

import re
from html import escape, unescape
from typing import Any

MATHEMATICAL = ("paper/", "designing.md", "census.md", "histogram-gains.md", "properties.md")
"""Pages on which a single small letter is a variable, and `n = 3` is a formula."""
QUIET = {"pre", "code", "script", "style", "svg", "h1", "h2", "h3", "h4", "h5", "h6", "button"}
PART = re.compile(r"<!--.*?-->|<code>.*?</code>|<[^>]*>|[^<]+", re.DOTALL)
TAG = re.compile(r"</?([a-z0-9]+)", re.IGNORECASE)
OPENS, CLOSES = '<div class="language-text highlight"><pre><span></span><code>', "</code></pre></div>"
BLOCK = re.compile(f"{re.escape(OPENS)}(.*?){re.escape(CLOSES)}", re.DOTALL)

GREEK = {"lambda": "λ", "beta": "β", "mu": "μ", "rho": "ρ", "sum": "∑"}
SHOWN = {**GREEK, "in": "∈"}
WORDS = ("floor", "min", "max", "exp", "ln", "trace", "alpha", "epsilon", "GM", "EM", "WM", "cost", *GREEK)
SIGNS = {">=": "≥", "<=": "≤", "+-": "±", "-": "−", "*": "·", "...": "…", "'": "′"}
OPERAND = re.compile(
    rf"Pr\[[^\[\]]*\]|(?:{'|'.join(WORDS)})(?![A-Za-z])|(?:low|high)(?=_)"
    r"|\d+(?:,\d{3})*(?:\.\d+)?(?:e-?\d+)?|[A-Za-z]\d?(?![A-Za-z0-9])"
)
OPERATOR = re.compile(r">=|<=|\+-|\.\.\.|\.\.|[=<>+*/±-]")
RAISED = re.compile(r"\^(-?)(?:\{([^{}]*)\}|(?=\()|(\|[^|]*\||\d+(?:\.\d+)?|[A-Za-z]+\([^()]*\)|[A-Za-z](?![A-Za-z])))")
LOWERED = re.compile(r"_(?:\{([^{}]*)\}|(GM|EM|WM|parent|[A-Za-z0-9])(?![A-Za-z0-9]))")
PRIME = re.compile(r"'(?![A-Za-z])")
LONE = re.compile(r"(?:[b-z]|a(?=[,;:.]|\Z|\s+(?:a|and|or)\s))(?!\.\w|-\w)")
"""A small letter by itself is a variable; `a` only where it cannot be the article."""
NO_FORMULA = re.compile(r"\d*(?:\(\w\) ?)+|[\d.]+e-?\d+|[\d.,]+ [smh]|[\d.,]+ *[A-Z][a-z]?")
"""A label, `(a)`; a float as it is printed; so many seconds."""
LISTED = re.compile(r"\([^()]*,[^()]*\s[<>=]+\s[^()]*\)|\([^()]*\s[<>=]+\s[^()]*,[^()]*\)")
"""Several formulas in brackets, which are looked at one by one."""
SETS = re.compile(r"[\^_]|>=|<=|^Pr\[")
RELATES = re.compile(r"[\^_]|\s(?:>=|<=|=|<|>)\s")
VARIABLE = re.compile(r"(?<![A-Za-z])(?:[a-z]\d?|lambda|beta|mu|rho)(?![A-Za-z])")


def formula_at(text: str, start: int) -> int:
    """Where the formula that begins at `start` ends, or `start` if none does.

    >>> text = "so d_i >= 1/(n+1), and"
    >>> text[3 : formula_at(text, 3)]
    'd_i >= 1/(n+1)'
    """
    place, end, after, open_brackets, bars = start, start, False, "", 0
    while place < len(text):
        blank = re.compile(r"\s*").match(text, place).end()  # type: ignore[union-attr]
        if blank >= len(text):
            break
        mark = text[blank]
        if after and mark in "^_" and blank == place:
            found = (RAISED if mark == "^" else LOWERED).match(text, place)
            if found is None:
                break
            place = found.end()
            after = text[place - 1] != "^" and not text[place - 1 : place + 1].startswith("-(")
        elif after and PRIME.match(text, place):
            place += 1
        elif mark in "([{" and (mark != "[" or blank == place):
            open_brackets, place, after = open_brackets + mark, blank + 1, False
        elif after and mark in ")]}" and open_brackets and "([{".index(open_brackets[-1]) == ")]}".index(mark):
            open_brackets, place = open_brackets[:-1], blank + 1
        elif mark == "|":
            place, bars = blank + 1, bars + 1  # of an absolute value
        elif mark == "," and open_brackets and after:
            place, after = blank + 1, False
        elif (found := OPERATOR.match(text, blank)) and (after or found[0] in "-..."):
            place, after = found.end(), found[0] == "..."
        elif (found := OPERAND.match(text, blank)) and not _article(text, found, after and blank > place):
            if after and blank > place and not open_brackets and _ended(text[place - 1], found[0]):
                break
            place, after = found.end(), True
        else:
            break
        if after and not open_brackets and bars % 2 == 0:
            end = place
    return end


def _ended(before: str, word: str) -> bool:
    """Whether a formula has ended before a word: `n = 3 GM` is not a product, nor is `n = 3 18`."""
    return word[0].isdigit() or (word in ("GM", "EM", "WM") and (before.isdigit() or before == "M"))


def _article(text: str, found: re.Match[str], follows: bool) -> bool:
    """Whether a letter is a word: `a` before another word, or after a formula that has ended."""
    if found[0] not in ("a", "A", "I"):
        return False
    rest = text[found.end() :]
    if re.match(r"\s+(?:Pr\[|[A-Za-z]_|\(|trace\b)", rest) or (
        follows and re.match(r"\(|\s*[,.;:)|+*/=<>^-]|\s*$", rest)
    ):
        return False
    return follows or re.match(r"\s+[\w(]", rest) is not None


def shown(formula: str) -> str:
    """A formula as HTML.

    >>> shown("Pr[i|j] >= a^|i-j| d_i")
    'Pr[<i>i</i>|<i>j</i>] ≥ <i>a</i><sup>|<i>i</i>−<i>j</i>|</sup> <i>d</i><sub><i>i</i></sub>'
    >>> shown("10^-6 + a^(m+1) + a^-(m-1)")
    '10<sup>−6</sup> + <i>a</i><sup><i>m</i>+1</sup> + <i>a</i><sup>−(<i>m</i>−1)</sup>'
    """
    out, place = [], 0
    while place < len(formula):
        if (raised := RAISED.match(formula, place)) is not None:
            inner, place = raised[2] or raised[3], raised.end()
            if inner is None:  # in brackets, which are not needed once it is raised, unless a minus stands before them
                close = _closing(formula, place)
                inner, place = formula[place + (not raised[1]) : close + bool(raised[1])], close + 1
            out.append(f"<sup>{SIGNS['-'] if raised[1] else ''}{shown(inner)}</sup>")
        elif (lowered := LOWERED.match(formula, place)) is not None:
            out.append(f"<sub>{shown(lowered[1] or lowered[2])}</sub>")
            place = lowered.end()
        elif (word := re.compile(r"[A-Za-z]+").match(formula, place)) is not None:
            summed = word[0] != "sum" or formula[word.end() : word.end() + 1] in (
                "_",
                " ",
                "(",
            )  # or the name of a loss
            name = SHOWN.get(word[0], word[0]) if summed else word[0]
            out.append(f"<i>{name}</i>" if len(name) < 3 and name.islower() and word[0] != "ln" else name)
            place = word.end()
        else:
            sign = next((sign for sign in sorted(SIGNS, key=len, reverse=True) if formula.startswith(sign, place)), "")
            out.append(SIGNS[sign] if sign else escape(formula[place]))
            place += len(sign) or 1
    return "".join(out)


def _closing(text: str, start: int) -> int:
    depth = 0
    for place in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[place], 0)
        if depth == 0:
            return place
    return len(text)


def set_text(text: str, mathematical: bool) -> str:
    """A piece of running text, its formulas set.

    >>> set_text("the chance is a tenth, 10^-1, if n = 3", mathematical=False)
    'the chance is a tenth, <var role="math" aria-label="10^-1">10<sup>−1</sup></var>, if n = 3'
    """
    out, place, last = [], 0, 0
    while place < len(text):
        begins = place == 0 or not (text[place - 1].isalnum() or text[place - 1] in "_'’`./")
        end = formula_at(text, place) if begins and not text[place].isspace() else place
        if end > place and _wanted(text, place, end, mathematical):
            out += [_prose(text[last:place], mathematical), _math(text[place:end])]
            place = last = end
        else:
            place += 1
    return "".join([*out, _prose(text[last:], mathematical)])


def _prose(text: str, mathematical: bool) -> str:
    """What is left: words, among them perhaps `output <= ` before a variable."""
    text = re.sub(r"(?<=\w )(>=|<=) ", lambda sign: f"{SIGNS[sign[1]]} ", text) if mathematical else text
    return escape(text, quote=False)


def _wanted(text: str, start: int, end: int, mathematical: bool) -> bool:
    found = text[start:end]
    if LISTED.search(found):
        return False
    if SETS.search(found):
        return True
    if not mathematical or NO_FORMULA.fullmatch(found):
        return False
    if len(found) == 1:
        return LONE.match(text, start) is not None and not re.search(r"\d $|\($", text[max(0, start - 2) : start])
    return VARIABLE.search(found) is not None


def _math(formula: str) -> str:
    """A formula; what is raised or lowered is read aloud as the sources write it."""
    plain = escape(" ".join(formula.split()))
    aloud = f' role="math" aria-label="{plain}"' if re.search(r"[\^_]", formula) else ""
    return f"<var{aloud}>{shown(formula)}</var>"


def set_code(code: str) -> str | None:
    """What stands in `code`, if all of it is a formula.

    >>> set_code("t_j >= a (1 - s_j)") is not None, set_code("n=8"), set_code("best_cost")
    (True, None, None)
    """
    whole = bool(code) and formula_at(code, 0) == len(code)
    return _math(code) if whole and (RELATES.search(code) or re.search(r"[a-z]\S* [+/-] |/\(", code)) else None


def set_block(block: str) -> str | None:
    """What stands in a block of its own, if its first line begins with a formula; what stands apart stays apart."""
    rows = [
        re.split(r"\s{2,}(?![<>=])(?<![<>=]  )", line.strip())
        for line in unescape(block).strip("\n").splitlines()
        if line.strip()
    ]
    first = rows[0][0].rstrip(",.:;")
    if formula_at(first, 0) != len(first) or not RELATES.search(first):
        return None
    cells = ["".join(f"<span>{set_text(cell, True)}</span>" for cell in row) for row in rows]
    return '<div class="formula">' + "".join(f"<div>{row}</div>" for row in cells) + "</div>"


def on_page_content(html: str, page: Any, **_: Any) -> str:
    """Set the formulas of one page."""
    mathematical = page.file.src_uri.startswith(MATHEMATICAL)
    pieces = BLOCK.split(html)  # every second piece is what a block says
    for k, piece in enumerate(pieces):
        if k % 2:
            wanted = mathematical or piece.startswith("Pr[")
            pieces[k] = (wanted and set_block(piece)) or f"{OPENS}{piece}{CLOSES}"
        else:
            pieces[k] = _running(piece, mathematical)
    return "".join(pieces)


def _running(html: str, mathematical: bool) -> str:
    inside: list[str] = []
    out = []
    for part in PART.findall(html):
        if part.startswith("<code>") and not inside:
            part = set_code(unescape(part[6:-7])) or part
        elif part.startswith("<"):
            tag = TAG.match(part)
            if tag and tag[1].lower() in QUIET and not part.startswith("<code>"):
                inside = inside[:-1] if part.startswith("</") else [*inside, tag[1].lower()]
        elif not inside:
            part = set_text(unescape(part), mathematical)
        out.append(part)
    return "".join(out)
