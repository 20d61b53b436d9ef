"""Text in a CSV file that a spreadsheet would run as a formula, made harmless by an apostrophe
before it.

A spreadsheet takes a cell that begins with one of = + - @ (or their wide forms, after blanks too)
as a formula, and a key can be whatever somebody once typed into a name. A text that is nothing but
a number stays as it is. The apostrophe is also put before texts that have one (or several) before
such a character already, so that two keys never become one and `text[1:]` undoes it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from discreet.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

FORMULA = r"^'*([\s\p{Z}\p{C}]*[=+\-@\x{FF1D}\x{FF0B}\x{FF0D}\x{FF20}]|[\t\r\n])"
FORMULA_IN_BYTES = r"^'*(\s*[=+\-@]|[\t\r\n])"
NUMBER = r"^'*[+-]?([0-9]+([.,][0-9]*)?|[.,][0-9]+)$"
"""In the syntax of RE2, which Arrow runs."""


def escaped(rows: Any) -> Any:
    """Escape the texts of an Arrow table or reader; other columns stay as they are."""
    import pyarrow as pa

    if isinstance(rows, pa.Table):
        return pa.Table.from_batches(
            [_escaped(batch) for batch in rows.to_batches()], _plain(rows.schema)
        )
    return pa.RecordBatchReader.from_batches(
        _plain(rows.schema), (_escaped(batch) for batch in rows)
    )


def check_names(names: Sequence[str]) -> None:
    """Refuse a name of a column that would be a formula: the manifest gives the names as they
    are in the table.
    """
    import pyarrow as pa

    for name, dangerous in zip(
        names, _dangerous(pa.array(names, pa.string())).to_pylist(), strict=True
    ):
        if dangerous:
            remedy = "rename it: `count={'NAME': 'PREDICATE'}` names a count"
            raise InvalidInput(
                "escape_formulas",
                "cannot be kept for a column named like a formula",
                found=name,
                remedy=remedy,
            )


def _plain(schema: Any) -> Any:
    """The schema without dictionaries: an escaped text is a text."""
    import pyarrow as pa

    kinds = (
        (field, field.type.value_type if pa.types.is_dictionary(field.type) else field.type)
        for field in schema
    )
    return pa.schema([field.with_type(kind) for field, kind in kinds])


def _escaped(batch: Any) -> Any:
    import pyarrow as pa

    schema = _plain(batch.schema)
    return pa.RecordBatch.from_arrays(list(_columns(batch, schema)), schema=schema)


def _columns(batch: Any, schema: Any) -> Iterator[Any]:
    import pyarrow as pa
    import pyarrow.compute as pc

    # bytes too: they are written as the text they spell
    kinds = (
        pa.types.is_string,
        pa.types.is_large_string,
        pa.types.is_binary,
        pa.types.is_large_binary,
    )
    for column, field in zip(batch.columns, schema, strict=True):
        plain = column.cast(field.type)
        if any(kind(field.type) for kind in kinds):
            quote, nothing = (pa.scalar(text).cast(field.type) for text in ("'", ""))
            plain = pc.if_else(
                _dangerous(plain), pc.binary_join_element_wise(quote, plain, nothing), plain
            )
        yield plain


def _dangerous(texts: Any) -> Any:
    import pyarrow as pa
    import pyarrow.compute as pc

    spelled = pa.types.is_binary(texts.type) or pa.types.is_large_binary(texts.type)
    patterns = (FORMULA_IN_BYTES if spelled else FORMULA, NUMBER)
    formula, number = (pc.match_substring_regex(texts, pattern) for pattern in patterns)
    return pc.and_not(formula, number)
