"""`retrofit`: numbers that GM released become fair, or weakly honest, by an exact random map;
nothing is paid.

A map T of outputs to outputs looks at what is published already, so that T GM is as private as GM
(post-processing), and old and new numbers together are as private as the old ones.
`designer.own.derivable_answer` finds the T whose M = T GM costs least among those of the shape
asked for. It is drawn with fresh words of the system's, never with those of the release: with them
the new number would be a function of what was drawn before.

The new numbers are read as numbers of M. They are the old measurement with noise added: one piece
of evidence, not two.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import lcm
from os import PathLike
from typing import TYPE_CHECKING, Any, overload

from discreet.core.domains import Counts
from discreet.core.family import BySize
from discreet.core.forms import Dense, Geometric
from discreet.core.forms.dense import reduced
from discreet.core.mechanism import Mechanism
from discreet.core.properties import ShapeLike, read_shape
from discreet.core.transforms import derives_from_geometric
from discreet.designer import design
from discreet.errors import InvalidInput
from discreet.tables.published.drawn import Drawn
from discreet.tables.published.manifest import GIVEN, RETROFITTED, Manifest
from discreet.tables.published.result import Release, read_release

if TYPE_CHECKING:
    from discreet.sampler.drawing import Form

MOST_N = 128
"""Up to this group size numbers are retrofitted: beyond it the matrix of M would fill megabytes."""


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class Retrofit:
    """A random map of GM's outputs, and the mechanism that GM followed by it is."""

    source: Mechanism
    mechanism: Mechanism
    """M = T GM; its proof file carries T."""

    @cached_property
    def map(self) -> tuple[tuple[Fraction, ...], ...]:
        """T as rows [new output][old output], exactly."""
        rows = derives_from_geometric(self.mechanism).map
        assert rows is not None, "it was designed to derive from GM"
        return rows

    @overload
    def apply(self, outputs: int) -> int: ...
    @overload
    def apply(self, outputs: Sequence[int]) -> list[int]: ...
    @overload
    def apply(self, outputs: Any) -> Any: ...
    def apply(self, outputs: Any) -> Any:
        """Draw the new number for each old one, with fresh randomness: an int, a list or an array,
        same kind out.

        Do it once for each published number: whoever sees several draws of one number averages the
        noise of T away.
        """
        from discreet.sampler import release

        return release(self._drawable, outputs)

    @cached_property
    def _drawable(self) -> _Map:
        return _Map(self.map)

    def __str__(self) -> str:
        kept = self.map[0][0]
        return (
            f"GM for n = {self.source.n} becomes {self.mechanism.shape}: a 0 stays one with "
            f"chance {float(kept):.4f}"
        )

    __repr__ = __str__


class _Map:
    """A random map, as what the sampler draws from."""

    def __init__(self, rows: tuple[tuple[Fraction, ...], ...]) -> None:
        common = lcm(*(x.denominator for row in rows for x in row))
        whole: Dense = reduced([[int(x * common) for x in row] for row in rows], common)
        self.n = len(rows) - 1
        self.form: Form = whole
        self.id = hashlib.sha256(f"discreet map 1\n{whole.text()}\n".encode()).hexdigest()


@overload
def retrofit(what: Mechanism, properties: ShapeLike = ...) -> Retrofit: ...
@overload
def retrofit(what: Release | str | PathLike[str], properties: ShapeLike = ...) -> Release: ...
def retrofit(
    what: Mechanism | Release | str | PathLike[str], properties: ShapeLike = "F"
) -> Retrofit | Release:
    """Make numbers that GM released fair, weakly honest, or of another shape, at no cost in
    privacy.

    - `what`: a release, or the folder of its bundle: every count is mapped, and a release in memory
      comes back (`.save` writes it), with the same id, because it is the same measurement. Or GM
      itself: a `Retrofit`, whose `apply` maps numbers
    - `properties`: what the new numbers are to have, "F" unless said: any of RH RM CH CM WH F S and
      output DP. The map is the one that costs least L0; in closed form for F and for WH

    The new column is fair by itself. Old and new together are not: whoever has both knows the old
    one. And both are one piece of evidence, so `dc.combine` refuses them as two.

    >>> from discreet.core.named import geometric
    >>> fair = retrofit(geometric(n=4, alpha="9/10"))
    >>> (
    ...     fair.mechanism.satisfies("F"),
    ...     fair.mechanism[0, 0] == fair.mechanism[2, 2],
    ...     len(fair.apply([0, 3, 4])),
    ... )
    (True, True, 3)
    """
    shape = read_shape(properties)
    if isinstance(what, Mechanism):
        return Retrofit(source=what, mechanism=_derived(what, shape, "what"))
    return _release(what if isinstance(what, Release) else read_release(what), shape)


def _derived(m: Mechanism, shape: Any, parameter: str) -> Mechanism:
    """The best mechanism of a shape that derives from GM; refuse what is not GM."""
    if m.domain != Counts(m.n) or (
        m.n and not (isinstance(m.form, Geometric) and m.form.alpha == m.alpha)
    ):
        rule = (
            "must have been released by GM at its own alpha, as counts that one person moves by one"
        )
        raise InvalidInput(
            parameter, rule, found=m.origin.method, remedy="only what GM released can be mapped"
        )
    if m.n > MOST_N:
        raise InvalidInput(parameter, f"must have groups of at most {MOST_N}", m.n)
    return design(n=m.n, alpha=m.privacy, properties=shape, derivable=True)


def _release(old: Release, shape: Any) -> Release:
    """Map every count of a release."""
    facts = old.manifest
    _refuse(facts)
    names = [count.name for count in facts.counts]
    sizes = sorted(map(int, facts.groups_by_size))
    maps = {name: {n: _one(old, name, n, shape) for n in sizes} for name in names}
    made = [
        BySize(tuple(sizes), single={n: maps[name][n].mechanism for n in sizes}) for name in names
    ]
    table = _mapped(old, maps)
    counts = tuple(
        replace(count, mechanisms={str(n): by_size[n].id for n in sizes})
        for count, by_size in zip(facts.counts, made, strict=True)
    )
    level = replace(facts.finest, properties=str(shape), counts=counts, table="", table_sha256="")
    manifest = replace(
        facts,
        levels=(level,),
        loss=GIVEN,
        prior=GIVEN,
        confidence="",
        adding_up=False,
        mechanisms_given=True,
        retrofit={"of": facts.finest.table_sha256, "said": RETROFITTED},
        table_format="",
        escaped=False,
        proofs="",
        proofs_sha256="",
    )
    usual = facts.table_format or old.usual_format
    return Release(manifest=manifest, mechanisms=Drawn(names, made), rows=table, usual_format=usual)


def _one(old: Release, name: str, n: int, shape: Any) -> Retrofit:
    m = old.mechanism(n, name)
    return Retrofit(source=m, mechanism=_derived(m, shape, f"{name} for groups of {n}"))


def _mapped(old: Release, maps: dict[str, dict[int, Retrofit]]) -> Any:
    """The table with every count drawn anew from its map."""
    import numpy as np
    import pyarrow as pa

    from discreet.reading.samples import read_table_columns
    from discreet.sampler import draw, system_words

    facts = old.manifest
    names = [count.name for count in facts.counts]
    sizes, outputs, _ = read_table_columns(old, names)
    present, which = np.unique(sizes, return_inverse=True)
    table = old.table.select([*facts.keys, facts.size, *names])
    for name, column in zip(names, outputs, strict=True):
        drawable = [maps[name][int(n)]._drawable for n in present]
        new = draw(drawable, which.astype(np.int64), column, system_words())
        place = table.column_names.index(name)
        table = table.set_column(
            place, table.schema.field(name), pa.array(new, type=table.schema.field(name).type)
        )
    return table


def _refuse(facts: Manifest) -> None:
    """Refuse a release of other things than counts, or of several tables."""
    if any(count.answers or count.step > 1 for count in facts.counts):
        raise InvalidInput("what", "must be a release of counts that one person moves by one")
    if len(facts.levels) > 1:
        remedy = "its levels would no longer be drawn from GM and add up as they do"
        raise InvalidInput(
            "what", "must be a release of one table", f"{len(facts.levels)} levels", remedy=remedy
        )
    if facts.retrofit:
        remedy = "map the numbers that GM released, once"
        raise InvalidInput("what", "must not be retrofitted already", remedy=remedy)
