"""What the columns of a Spark frame are made of, as far as its plan says so.

A name is not a column: `SMOKER` finds `smoker`, and `df.select("smoker", df.smoker.alias("s2"))`
has the same bits under two names. Spark gives every attribute an id when it analyses a plan; a
column is followed by these ids through projections with their aliases, windows, generators, views,
unions, common table expressions, and a second reading of the same relation (a self-join). What an
aggregate or a function over whole rows (`mapInArrow`) makes is a column of its own, and so is
everything before a checkpoint: what they were made of is for the frame's maker to know. The same
holds for how a join, DISTINCT, LIMIT or a sample selected the rows; filters are seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Lineage:
    """The attributes of an analysed plan, by id."""

    names: Mapping[int, str]
    """The frame's columns by the id of their attribute."""
    made_of: Mapping[int, frozenset[int]]
    filtered_by: frozenset[int]
    """The attributes that the plan's filters read."""

    def behind(self, names: Iterable[str]) -> frozenset[str]:
        """The attributes from which the columns `names` are made, as far as can be seen."""
        wanted = set(names)
        return self._origins(number for number, name in self.names.items() if name in wanted)

    def filters(self) -> frozenset[str]:
        """The attributes by which the frame's rows were selected, as far as can be seen."""
        return self._origins(self.filtered_by)

    def _origins(self, numbers: Iterable[int]) -> frozenset[str]:
        waiting, seen, found = list(numbers), set(), set()
        while waiting:
            number = waiting.pop()
            if number in seen:
                continue
            seen.add(number)
            parts = self.made_of.get(number, frozenset())
            waiting.extend(parts)
            if not parts - {
                number
            }:  # nothing further is known of it; a constant is a column of its own
                found.add(f"#{number}")
        return frozenset(found)


def read_lineage(frame: Any) -> Lineage:
    """Read the analysed plan of a frame; nothing is evaluated."""
    plan = frame._jdf.queryExecution().analyzed()
    made_of: dict[int, frozenset[int]] = {}
    filtered: set[int] = set()
    shared: dict[int, list[int]] = {}  # common table expressions: their id, and what they put out
    references: list[tuple[int, list[int]]] = []
    leaves: dict[int, list[Any]] = {}

    def add(number: int, parts: Iterable[int]) -> None:
        made_of[number] = made_of.get(number, frozenset()) | frozenset(parts)

    for node in _nodes(plan):
        kind = node.getClass().getSimpleName()
        if kind == "Project":
            for item in items(node.projectList()):
                if item.getClass().getSimpleName() == "Alias":
                    add(_id(item), _read_by(item))
        elif kind == "Window":
            for item in items(node.windowExpressions()):
                add(_id(item), _read_by(item))
        elif kind == "Generate":
            for attribute in items(node.generatorOutput()):
                add(_id(attribute), _read_by(node.generator()))
        elif kind == "Filter":
            filtered.update(_read_by(node.condition()))
        elif kind == "Union":
            for child in items(node.children()):
                for out, part in zip(_output(node), _output(child), strict=True):
                    add(out, {part})
        elif kind == "CTERelationDef":
            shared[node.id()] = _output(node.child())
        elif kind == "CTERelationRef":
            references.append((node.cteId(), _output(node)))
        elif node.children().isEmpty():
            leaves.setdefault(node.semanticHash(), []).append(node)
    for number, output in references:
        for out, part in zip(output, shared.get(number, ()), strict=False):
            add(out, {part})
    for first, *others in leaves.values():
        for other in others:
            if other.sameResult(first):
                for out, part in zip(_output(other), _output(first), strict=True):
                    add(out, {part})
    names = {_id(attribute): str(attribute.name()) for attribute in items(plan.output())}
    return Lineage(names=names, made_of=made_of, filtered_by=frozenset(filtered))


def items(sequence: Any) -> list[Any]:
    """A Scala sequence as a list."""
    return [sequence.apply(place) for place in range(sequence.size())]


def _nodes(plan: Any) -> Iterator[Any]:
    waiting = [plan]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(items(node.children()))


def _read_by(expression: Any) -> frozenset[int]:
    return frozenset(_id(attribute) for attribute in items(expression.references().toSeq()))


def _output(node: Any) -> list[int]:
    return [_id(attribute) for attribute in items(node.output())]


def _id(attribute: Any) -> int:
    return int(attribute.exprId().id())
