"""What a mechanism's matrix becomes in other tools: a NumPy array, a data frame, a table in
LaTeX or Markdown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism


class MatrixTables:
    """The part of a mechanism that hands its matrix to other tools; the matrix itself is in
    `Mechanism`.
    """

    __slots__ = ()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        """The matrix as floats for `np.asarray(m)`; read-only unless it is copied."""
        found = cast("Mechanism", self).array
        if dtype is None or found.dtype == dtype:
            return found.copy() if copy else found
        if copy is False:
            raise ValueError("the matrix is kept as float64: another dtype needs a copy")
        return found.astype(dtype)

    def to_pandas(self, *, exact: bool = False) -> Any:
        """Return a pandas data frame, outputs down and true counts across (needs pandas).

        `exact` gives the fractions, as text, instead of floats.
        """
        from discreet.show.markup.matrix_markup import matrix_pandas

        return matrix_pandas(cast("Mechanism", self), exact=exact)

    def to_markdown(self, *, exact: bool = False, digits: int = 4) -> str:
        """Return the matrix as a Markdown table.

        `exact` writes the fractions instead of decimals, of which there are `digits`.

        >>> import discreet as dc
        >>> print(dc.geometric(n=1, alpha="1/2").to_markdown(exact=True))
        | output \\ true | 0 | 1 |
        | --- | ---: | ---: |
        | 0 | 2/3 | 1/3 |
        | 1 | 1/3 | 2/3 |
        """
        from discreet.show.markup.matrix_markup import matrix_markdown

        return matrix_markdown(cast("Mechanism", self), exact=exact, digits=digits)

    def to_latex(self, *, exact: bool = False, digits: int = 4) -> str:
        """Return the matrix as a LaTeX tabular, which needs no package.

        `exact` writes the fractions instead of decimals, of which there are `digits`.
        """
        from discreet.show.markup.matrix_markup import matrix_latex

        return matrix_latex(cast("Mechanism", self), exact=exact, digits=digits)
