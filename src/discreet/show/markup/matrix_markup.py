"""A mechanism's matrix, and any other table, as LaTeX, as Markdown, and as a pandas data frame.

Numbers are decimals with so many digits, or exact: fractions as comparisons write them
(`choosing.exporting`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from discreet.choosing.exporting import exact_text, library
from discreet.core.domains import Counts
from discreet.core.rationals import read_count

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism

_LATEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}
_HEAD, _MOST_DIGITS = "output", 17


def matrix_markdown(m: Mechanism, *, exact: bool, digits: int) -> str:
    """The matrix as a table in Markdown: a row for each output, a column for each true count."""
    names, rows = _cells(m, _written(digits, exact=exact, fraction=exact_text))
    return markdown_table([f"{_HEAD} \\ true", *names], rows)


def matrix_latex(m: Mechanism, *, exact: bool, digits: int) -> str:
    """The matrix as a LaTeX tabular; fractions as \\frac."""
    names, rows = _cells(m, _written(digits, exact=exact, fraction=_frac))
    head = " & ".join([_HEAD, *map(latex_text, names)])
    lines = [" & ".join([latex_text(name), *numbers]) for name, *numbers in rows]
    return _tabular(len(names), head, lines)


def matrix_pandas(m: Mechanism, *, exact: bool) -> Any:
    """The matrix as a data frame: outputs down, true counts across; floats, or fractions as
    text.
    """
    pandas = library("pandas", "pandas", "a pandas data frame")
    names = _names(m)
    held = [[exact_text(x) for x in row] for row in m.matrix] if exact else m.array
    return pandas.DataFrame(
        held,
        index=pandas.Index(names, name="output"),
        columns=pandas.Index(names, name="true count"),
    )


def markdown_table(head: Sequence[object], rows: Sequence[Sequence[object]]) -> str:
    """A table in Markdown, numbers to the right.

    >>> print(markdown_table(["name", "L0"], [["a|b", 0.5]]))
    | name | L0 |
    | --- | ---: |
    | a\\|b | 0.5 |
    """
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join(
        f"| {' | '.join(str(cell).replace('|', chr(92) + '|') for cell in line)} |"
        for line in lines
    )


def latex_table(head: Sequence[object], rows: Sequence[Sequence[object]]) -> str:
    """A LaTeX tabular of plain values, whose signs are written so that LaTeX prints them.

    >>> print(latex_table(["name", "L0"], [["100%", 0.5]]))
    \\begin{tabular}{lr}
    \\hline
    name & L0 \\\\
    \\hline
    100\\% & 0.5 \\\\
    \\hline
    \\end{tabular}
    """
    lines = [" & ".join(latex_text(cell) for cell in row) for row in rows]
    return _tabular(len(head) - 1, " & ".join(map(latex_text, head)), lines)


def latex_text(value: object) -> str:
    """A text with the signs that mean something to LaTeX escaped."""
    return "".join(_LATEX.get(sign, sign) for sign in str(value))


def _tabular(numbers: int, head: str, lines: Sequence[str]) -> str:
    rows = [head + r" \\", r"\hline", *(line + r" \\" for line in lines)]
    return "\n".join(
        [rf"\begin{{tabular}}{{l{'r' * numbers}}}", r"\hline", *rows, r"\hline", r"\end{tabular}"]
    )


def _names(m: Mechanism) -> list[Any]:
    """What rows and columns are called: counts, or histograms as their counts with commas."""
    if isinstance(m.domain, Counts):
        return list(range(m.n + 1))
    return [",".join(map(str, point)) for point in m.domain.points]


def _cells(m: Mechanism, written: Callable[[Fraction], str]) -> tuple[list[Any], list[list[Any]]]:
    names = _names(m)
    return names, [[name, *map(written, row)] for name, row in zip(names, m.matrix, strict=True)]


def _written(
    digits: int, *, exact: bool, fraction: Callable[[Fraction], str]
) -> Callable[[Fraction], str]:
    """How a number is written."""
    places = read_count("digits", digits, least=1, most=_MOST_DIGITS)
    return fraction if exact else lambda value: f"{float(value):.{places}f}"


def _frac(value: Fraction) -> str:
    if value.denominator == 1:
        return str(value)
    top, bottom = exact_text(value).split("/")
    return rf"$\frac{{{top}}}{{{bottom}}}$"
