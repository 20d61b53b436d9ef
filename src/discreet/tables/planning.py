"""`dc.plan`: what a release would cost and how good it would be, before anything is drawn or spent.

A plan reads names, keys, sizes, and the columns of `unit` and `where`; it never reads a protected column, so making one
is free however often it is made.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from discreet.choosing.contenders import label_of
from discreet.core.progress import Listener, Reporter
from discreet.core.rationals import Exact, shown
from discreet.errors import InvalidInput
from discreet.tables.asking.price import check_prior, choose, promise, read_price
from discreet.tables.asking.question import read_question
from discreet.tables.asking.request import Machine, Request, taken
from discreet.tables.engines import open_engine
from discreet.tables.published.guarantee import folded, public_here, rows_selected, statement
from discreet.tables.published.manifest import SIZE

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism

_DETAILED = 200
"""Largest group size whose accuracy is worked out for every true count: a second of exact arithmetic."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One count and group size: its mechanism, and what to expect of it (None above the size worked out)."""

    count: str
    n: int
    groups: int
    mechanism: str
    name: str
    """What a reader calls it: GM, WM, EM, UM, or the properties it was designed for."""
    method: str
    properties: str
    truth: float | None
    """Chance of the true count, averaged over all true counts."""
    rmse: float | None
    """Root mean squared error, averaged likewise."""
    margin: int | None
    """The private count is at most this far from the true one with 95% confidence, whatever the true one is."""
    width: int | None
    """The width of that interval, cut to 0..n."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The price of a release and what it buys."""

    epsilon: Fraction
    alpha: Fraction
    each: tuple[tuple[str, Fraction], ...]
    """The epsilon of one draw of each count."""
    contributions: int
    guarantee: str
    public: str
    """What is treated as public, by name: it is not protected, however sensitive it may be."""
    groups: int
    lines: tuple[Line, ...]
    remaining: Fraction | None
    """What the ledger has left before this release, when one was given."""

    def to_dict(self) -> dict[str, Any]:
        """The plan for a program: exact numbers as texts."""
        plain = asdict(self)
        for name in ("epsilon", "alpha", "remaining"):
            plain[name] = None if plain[name] is None else str(plain[name])
        plain["each"] = {name: str(value) for name, value in self.each}
        return plain

    def __str__(self) -> str:
        groups = "1 group" if self.groups == 1 else f"{self.groups:,} groups"
        lines = [f"epsilon {shown(self.epsilon)} in total (alpha {shown(self.alpha)}), {groups}"]
        if len(self.each) > 1 or self.contributions > 1:
            parts = ", ".join(f"{name} {shown(value)}" for name, value in self.each)
            lines.append(
                f"  one draw of each: {parts}"
                + (f"; {self.contributions} rows a person" if self.contributions > 1 else "")
            )
        if self.remaining is not None:
            fits = "fits" if self.epsilon <= self.remaining else "DOES NOT FIT"
            lines.append(f"  the ledger has {shown(self.remaining)} left: it {fits}")
        lines += folded(f"not protected: {self.public}")
        lines += ["", _ROW.format("count", "n", "groups", "truth", "RMSE", "95% within", "mechanism")]
        for line in self.lines[:_SHOWN]:
            numbers = (
                ("-",) * 3 if line.margin is None else (f"{line.truth:.3f}", f"{line.rmse:.2f}", f"±{line.margin}")
            )
            lines.append(
                _ROW.format(_short(line.count, 16), line.n, f"{line.groups:,}", *numbers, _short(line.name, 20))
            )
        if len(self.lines) > _SHOWN:
            lines.append(f"  ... and {len(self.lines) - _SHOWN:,} more (all in .lines)")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        from discreet.show.releases import plan_html

        return plan_html(self)


def _short(name: str, most: int) -> str:
    return name if len(name) <= most else f"{name[: most - 3]}..."


_SHOWN = 24
_ROW = "  {:<16} {:>5} {:>9} {:>7} {:>7} {:>10}  {}"


def plan(
    source: Any,
    *,
    by: str | Sequence[str],
    count: str | Sequence[str] | Mapping[str, str],
    size: str | int | None = None,
    epsilon: Exact | None = None,
    alpha: Exact | None = None,
    properties: Any = None,
    loss: Any = "L0",
    prior: Any = None,
    worst_case: bool = False,
    gap: Exact | None = None,
    split: Mapping[str, Exact] | Sequence[Exact] | None = None,
    unit: str | None = None,
    contributions: int = 1,
    excess: str = "refuse",
    where: str | None = None,
    nulls: str = "refuse",
    public: Sequence[str] = (),
    keys: Any = None,
    other_keys: str = "refuse",
    intervals: Exact | None = None,
    read: Mapping[str, Any] | None = None,
    ledger: Any = None,
    dataset: str | None = None,
    memory_limit: str | None = None,
    threads: int | None = None,
    temporary: str | os.PathLike[str] | None = None,
    progress: Listener | None = None,
) -> Plan:
    """Work out what `dc.release` with the same words would do. Nothing is drawn, spent or read of the bits.

    >>> import pyarrow as pa
    >>> people = pa.table({"clinic": ["a", "a", "b"], "smoker": [True, False, True]})
    >>> p = plan(people, by="clinic", count="smoker", epsilon=1, properties="F")
    >>> [(line.n, line.groups) for line in p.lines]
    [(1, 1), (2, 1)]
    """
    given = locals()  # the parameters by name
    report, request = Reporter(progress), taken(Request, given)
    engine = open_engine(source, read, taken(Machine, given))
    try:
        question = read_question(engine, request)
        price = read_price(question, epsilon=epsilon, alpha=alpha)
        unprotected = public_here(
            keys=question.by,
            size=question.size if isinstance(question.size, str) else SIZE,
            where=rows_selected(where, engine.filtered_by()),
            unit=question.unit or "",
        )
        check_prior(prior, engine.columns)
        report("counting")
        sizes = engine.sizes(question)
    finally:
        engine.close()
    if not sizes:
        raise InvalidInput("source", "has no rows to group", remedy="give `keys` to release empty groups")
    mechanisms = choose(sizes, price, request, report)
    lines, known = [], {}
    for asked, by_size in zip(question.counts, mechanisms, strict=True):
        for n, groups in sizes.items():
            mechanism = by_size[n]
            if mechanism.id not in known:
                known[mechanism.id] = _expected(mechanism)
            lines.append(Line(count=asked.name, n=n, groups=groups, **known[mechanism.id]))
    return Plan(
        epsilon=price.total.epsilon,
        alpha=price.total.value,
        each=tuple((asked.name, each.epsilon) for asked, each in zip(question.counts, price.each, strict=True)),
        contributions=question.contributions,
        guarantee=statement(promise(question, price)),
        public=unprotected,
        groups=sum(sizes.values()),
        lines=tuple(lines),
        remaining=_remaining(ledger, dataset),
    )


def _expected(mechanism: Mechanism) -> dict[str, Any]:
    facts: dict[str, Any] = {"mechanism": mechanism.id, "name": label_of(mechanism), "method": mechanism.origin.method}
    if mechanism.n > _DETAILED:
        return {**facts, "properties": "", "truth": None, "rmse": None, "margin": None, "width": None}
    found = mechanism.accuracy()
    width = min(2 * found.margin, mechanism.n)
    expected = {"truth": found.truth, "rmse": found.rmse, "margin": found.margin, "width": width}
    return {**facts, "properties": str(mechanism.shape), **expected}


def _remaining(ledger: Any, dataset: str | None) -> Fraction | None:
    if ledger is None:
        return None
    from discreet.tables.account import Spending

    book = Spending(ledger, dataset, None)
    return book.ledger.remaining(book.dataset)
