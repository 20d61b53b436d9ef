"""The engines that group, count, draw and write, behind one small protocol: DuckDB on one machine, Spark on many."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from discreet.mechanism import Mechanism
    from discreet.tables.expressions import Expression
    from discreet.tables.question import Question
    from discreet.tables.readings import Readings

Sizes = dict[int, int]
"""How many groups there are of each size."""

Mechanisms = Sequence[Mapping[int, "Mechanism"]]
"""For each count, the mechanism of each group size."""


class Engine(Protocol):
    """What a release needs of an engine. The methods are called in this order."""

    name: str

    @property
    def columns(self) -> Mapping[str, str]:
        """The source's columns and, where known, their types."""

    def expression(self, parameter: str, text: str) -> Expression:
        """Parse a predicate or filter in the engine's own SQL and check that it looks at one row only."""

    def behind(self, names: Iterable[str]) -> frozenset[str]:
        """What these columns are made of, as the engine tells columns apart (not by how a name is spelt)."""

    def filtered_by(self) -> frozenset[str]:
        """What the source itself selects its rows by, told apart in the same way."""

    def sizes(self, question: Question) -> Sizes:
        """Group and count rows without reading any protected column."""

    def count(self, question: Question) -> Sizes:
        """Check the data, compute the true counts once, and keep them; return the group sizes."""

    def draw(
        self,
        question: Question,
        mechanisms: Mechanisms,
        readings: Sequence[Readings] | None,
        *,
        release: str,
        tick: Callable[[int], None],
    ) -> None:
        """Get ready to draw private counts of what `count` kept, each group and count a draw of its own."""

    def table(self) -> Any:
        """Draw, and return the table, ordered by key, as Arrow; None where `frame` holds it."""

    def frame(self) -> Any:
        """The drawn table as the engine's own lazy frame, None where there is no such thing."""

    def write(self, folder: Path, format: str) -> str:
        """Draw, and write the table, ordered by key, into `folder`; return its name there."""

    def versions(self) -> dict[str, str]:
        """The engine's packages and their versions."""

    def close(self) -> None:
        """Forget everything."""
