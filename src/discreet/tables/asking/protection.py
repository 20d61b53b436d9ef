"""Which columns are protected, and that nothing else of a question depends on them.

A protected column is one that a count reads. Which columns are the same is the engine's to say (`Engine.behind`): a
query's `s` is the file's `smoker`, Spark's `SMOKER` is `smoker`. Names as they were typed are never compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from discreet.errors import InvalidInput

if TYPE_CHECKING:
    from discreet.tables.asking.question import Question
    from discreet.tables.engines import Engine
    from discreet.tables.engines.duckdb.expressions import Expression


def check_reads_a_column(engine: Engine, parameter: str, expression: Expression) -> Expression:
    """Refuse a condition without a column: it says the same of everybody, and is a slip of quoting, not a question."""
    if not engine.behind(expression.columns):
        remedy = "name a column, without quotes: what stands in 'single quotes' is a text"
        raise InvalidInput(parameter, "must read a column of the source", expression.text, remedy=remedy)
    return expression


def check_protected(engine: Engine, question: Question, public: Sequence[str]) -> None:
    """Row selection and group sizes must not depend on what is protected."""
    read = {name: engine.behind([name]) for name in question.protected if name not in public}
    where = question.where.columns if question.where else frozenset()
    roles = {"by": question.by, "where": sorted(where), "unit": [question.unit] if question.unit else []}
    roles["size"] = [question.size] if isinstance(question.size, str) else []
    for parameter, names in roles.items():
        for name in names:
            # Of two names for one column (`s` and `smoker`), `public` takes the one that the count reads.
            if same := [counted for counted in read if read[counted] & engine.behind([name])]:
                rule = "must not use a column that a count reads, because groups and sizes are published as they are"
                remedy = f"if {', '.join(same)} is public, say so with `public={same!r}`" if parameter != "size" else ""
                raise InvalidInput(parameter, rule, found=name, remedy=remedy)
    if hidden := [counted for counted in read if read[counted] & engine.filtered_by()]:
        rule = "must not select its rows by a column that a count reads"
        remedy = f"if {hidden[0]} is public, say so with `public={hidden[:1]!r}`"
        raise InvalidInput("source", rule, found=hidden[0], remedy=remedy)
