"""Predicates in Spark's own SQL: parsed and resolved by Spark, checked on the resolved tree.

The same text can mean different things to two parsers ("a" is a column to one and a text to the
other), so the engine that runs an expression is the one that reads it here. What the resolved tree
may be made of is a list (`spark_functions`), and the columns it reads are known by the ids Spark
gave them, not by how they were spelt.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from py4j.protocol import Py4JJavaError
from pyspark.errors import AnalysisException, ParseException, PySparkException
from pyspark.sql import functions as sf

from discreet.errors import DiscreetError, InvalidData, InvalidInput
from discreet.tables.engines import Expression, nearest, refused
from discreet.tables.engines.spark.lineage import Lineage, items
from discreet.tables.engines.spark.spark_functions import PACKAGE, PURE_EXPRESSIONS
from discreet.tables.engines.values import column_or_word, not_a_condition

T = TypeVar("T")
_CLOCK = re.compile(r"\b(now|today|tomorrow|yesterday)\b", re.IGNORECASE)


def guarded(action: Callable[[], T], *, parameter: str = "source") -> T:
    """Run a Spark action; an error of Spark's, which may quote a value, becomes one of ours that
    does not.
    """
    try:
        return action()
    except AnalysisException as error:
        problem: DiscreetError = InvalidInput(
            parameter, f"is not accepted by Spark ({_first(error)})"
        )
    except (PySparkException, Py4JJavaError) as error:
        rule = f"made the Spark job fail ({_kind(error)})"
        problem = InvalidData(
            parameter, rule, remedy="the executors' logs say more, and are as private as the data"
        )
    raise problem


def backquoted(name: str) -> str:
    """Quote a column name for Spark SQL, whose identifiers stand in backquotes.

    >>> backquoted("we`ird")
    '`we``ird`'
    """
    return "`" + name.replace("`", "``") + "`"


def parse_spark(parameter: str, text: str, frame: Any, lineage: Lineage) -> Expression:
    """Resolve `text` over the frame's columns and refuse what is not a function of one row."""
    if not isinstance(text, str) or not text.strip():
        raise InvalidInput(parameter, "must be an expression", text)
    reason = ""
    try:
        plan = frame.select(sf.expr(text))._jdf.queryExecution().analyzed()
    except ParseException as error:
        reason = f"cannot be parsed as Spark SQL ({_first(error)})"
    except AnalysisException as error:
        if error.getCondition() and error.getCondition().startswith("UNRESOLVED_COLUMN"):
            name = (error.getMessageParameters() or {}).get("objectName", "").strip("`")
            remedy = column_or_word(name, text, lineage.names.values())
            raise InvalidInput(
                parameter, "must name columns of the source", name, remedy=remedy
            ) from None
        reason = f"is not accepted by Spark ({_first(error)})"
    except (
        PySparkException,
        Py4JJavaError,
    ) as error:  # the analyser's own failures, such as a feature not enabled
        reason = f"is not accepted by Spark ({_kind(error)})"
    if reason:
        raise InvalidInput(parameter, reason, found=text)
    if plan.getClass().getSimpleName() != "Project" or plan.expressions().size() != 1:
        raise refused(parameter, text, "an aggregate or generator is not row-local")
    tree = plan.expressions().apply(0)
    if tree.getClass().getSimpleName() == "Alias":
        tree = tree.child()
    used: dict[str, None] = {}
    for node in _nodes(tree):
        _check_node(parameter, text, node)
        if node.getClass().getSimpleName() == "AttributeReference":
            name = lineage.names.get(int(node.exprId().id()))
            if (
                name is None
                # Spark has moved a window or generator out of the expression, or it is a hidden
                # column
            ):
                raise refused(
                    parameter,
                    text,
                    f"{node.name()} is not a column of the frame, but a window or generator",
                )
            used[name] = None
    if tree.getClass().getSimpleName() == "AttributeReference":
        (name,) = used
        return Expression(text=text, sql=backquoted(name), columns=frozenset(used), column=name)
    if parameter != "by" and tree.dataType().typeName() != "boolean":
        raise not_a_condition(parameter, text)
    return Expression(text=text, sql=text, columns=frozenset(used))


def _check_node(parameter: str, text: str, node: Any) -> None:
    """Refuse what is not on the list of pure expressions, naming it and the nearest that is."""
    made = node.getClass()
    whole, kind = str(made.getName()), str(made.getSimpleName())
    if whole.startswith(PACKAGE) and whole.removeprefix(PACKAGE) in PURE_EXPRESSIONS:
        if _reads_the_clock(kind, node):
            raise refused(parameter, text, "a date such as 'today' reads the clock")
        return
    if ".aggregate." in whole or kind == "WindowExpression":
        why = "is an aggregate or window"
    elif "Subquery" in kind or kind in ("Exists", "ListQuery"):
        why = "is a subquery"
    elif "UDF" in kind or "UserDefined" in kind:
        why = "is user-defined, and what it does cannot be checked"
    else:
        why = "is on no list of pure functions" if node.deterministic() else "is volatile"
    raise refused(parameter, text, f"{kind} {why}", nearest(kind, PURE_EXPRESSIONS))


def _reads_the_clock(kind: str, node: Any) -> bool:
    """Whether a date or time is one of Spark's words for the present; they are constants by the
    time we see them.
    """
    if kind not in ("Literal", "Cast", "ParseToDate", "ParseToTimestamp"):
        return False
    if not node.dataType().typeName().startswith(("date", "timestamp")):
        return False
    if kind == "Literal":
        origin = node.origin()
        if (
            origin.sqlText().isEmpty()
            or origin.startIndex().isEmpty()
            or origin.stopIndex().isEmpty()
        ):
            return False
        first, last = origin.startIndex().get(), origin.stopIndex().get()
        source = origin.sqlText().get().encode("utf-16-le")  # Java counts in units of UTF-16
        return bool(_CLOCK.search(source[2 * first : 2 * last + 2].decode("utf-16-le", "replace")))
    given = node.children().apply(0)
    if given.foldable() and given.dataType().typeName() == "string":
        return given.getClass().getSimpleName() != "Literal" or bool(_CLOCK.search(str(given)))
    return False


def _nodes(tree: Any) -> Iterator[Any]:
    yield tree
    for child in items(tree.children()):
        yield from _nodes(child)


def _first(error: Any) -> str:
    return str(error).strip().splitlines()[0][:200]


def _kind(error: Any) -> str:
    condition = error.getCondition() if isinstance(error, PySparkException) else None
    return str(condition or type(error).__name__)
