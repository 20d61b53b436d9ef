"""Predicates in Spark's own SQL: parsed and resolved by Spark, checked on the resolved tree.

The same text can mean different things to two parsers ("a" is a column to one and a text to the other), so the
engine that runs an expression is the one that reads it here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

from py4j.protocol import Py4JJavaError
from pyspark.errors import AnalysisException, ParseException, PySparkException
from pyspark.sql import functions as sf

from discreet.errors import DiscreetError, InvalidData, InvalidInput, did_you_mean
from discreet.tables.expressions import Expression
from discreet.tables.sql import backquoted

T = TypeVar("T")
_LEAVES = ("AttributeReference", "Literal")


def guarded(action: Callable[[], T], *, parameter: str = "source") -> T:
    """Run a Spark action; an error of Spark's, which may quote a value, becomes one of ours that does not."""
    try:
        return action()
    except AnalysisException as error:
        problem: DiscreetError = InvalidInput(parameter, f"is not accepted by Spark ({_first(error)})")
    except (PySparkException, Py4JJavaError) as error:
        rule = f"made the Spark job fail ({_kind(error)})"
        problem = InvalidData(parameter, rule, remedy="the executors' logs say more, and are as private as the data")
    raise problem


def parse_spark(parameter: str, text: str, frame: Any, columns: Mapping[str, str]) -> Expression:
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
            raise InvalidInput(
                parameter, "must name columns of the source", name, remedy=did_you_mean(name, columns)
            ) from None
        reason = f"is not accepted by Spark ({_first(error)})"
    if reason:
        raise InvalidInput(parameter, reason, text)
    if plan.getClass().getSimpleName() != "Project" or plan.expressions().size() != 1:
        raise _refused(parameter, text, "an aggregate or generator is not row-local")
    own = {attribute.exprId() for attribute in _items(frame._jdf.queryExecution().analyzed().output())}
    tree = plan.expressions().apply(0)
    if tree.getClass().getSimpleName() == "Alias":
        tree = tree.child()
    used = set()
    for node in _nodes(tree):
        kind = node.getClass().getSimpleName()
        if ".aggregate." in node.getClass().getName() or kind in ("WindowExpression", "AggregateExpression"):
            raise _refused(parameter, text, f"{kind} is an aggregate or window")
        if "Subquery" in kind or kind in ("Exists", "InSubquery", "ListQuery"):
            raise _refused(parameter, text, "a subquery is not row-local")
        if "UDF" in kind or "UserDefined" in kind:
            raise _refused(parameter, text, "what a user-defined function does cannot be checked")
        volatile = not node.deterministic() and all(child.deterministic() for child in _items(node.children()))
        if volatile or (node.children().isEmpty() and kind not in _LEAVES):
            raise _refused(parameter, text, f"{kind} is volatile")
        if kind == "AttributeReference":
            if node.exprId() not in own:  # Spark has moved a window or generator out of the expression
                raise _refused(parameter, text, "a window or generator is not row-local")
            used.add(node.name())
    if tree.getClass().getSimpleName() == "AttributeReference":
        return Expression(text=text, sql=backquoted(tree.name()), columns=frozenset(used))
    if tree.dataType().typeName() != "boolean":
        raise InvalidInput(parameter, "must be true or false for each row", text, remedy="compare, as in 'x = 1'")
    return Expression(text=text, sql=text, columns=frozenset(used))


def _nodes(tree: Any) -> Iterator[Any]:
    yield tree
    for child in _items(tree.children()):
        yield from _nodes(child)


def _items(sequence: Any) -> list[Any]:
    """A Scala sequence as a list."""
    return [sequence.apply(place) for place in range(sequence.size())]


def _refused(parameter: str, text: str, why: str) -> InvalidInput:
    remedy = "prepare the column before the release"
    return InvalidInput(parameter, f"must look at one row only, and {why}", text, remedy=remedy)


def _first(error: Any) -> str:
    return str(error).strip().splitlines()[0][:200]


def _kind(error: Any) -> str:
    condition = error.getCondition() if isinstance(error, PySparkException) else None
    return str(condition or type(error).__name__)
