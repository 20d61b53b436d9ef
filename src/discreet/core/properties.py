"""The seven properties of the paper (Section IV-A) and output DP: what they say, checked exactly.

Every property is a list of comparisons between entries of the matrix, `Pr[cell] >= ratio *
Pr[other]`, or (weak honesty) a floor under the diagonal. Which cells are compared is written once,
in `core.domains`; a check walks them and keeps the worst violation. Implications between properties
are data, used by code, studio and documentation alike.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import chain, repeat
from operator import sub
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeGuard

from discreet.core.domains import ROWS, Cell, Counts
from discreet.core.rationals import read_fraction, shown
from discreet.errors import InvalidInput, did_you_mean

if TYPE_CHECKING:
    from discreet.core.forms import Dense, Folded


@dataclass(frozen=True, slots=True, kw_only=True)
class Property:
    """One property: its short name, its full name, its formula and what it means to a reader."""

    name: str
    full_name: str
    formula: str
    meaning: str


PROPERTIES = MappingProxyType(
    {
        p.name: p
        for p in (
            Property(
                name="RH",
                full_name="row honesty",
                formula="Pr[i|i] >= Pr[i|j]",
                meaning="an answer is never more likely for another true count than for its own",
            ),
            Property(
                name="RM",
                full_name="row monotonicity",
                formula="Pr[i|j] falls as j moves away from i",
                meaning="an answer gets less likely the further the truth is from it",
            ),
            Property(
                name="CH",
                full_name="column honesty",
                formula="Pr[j|j] >= Pr[i|j]",
                meaning="the truth is the likeliest single answer",
            ),
            Property(
                name="CM",
                full_name="column monotonicity",
                formula="Pr[i|j] falls as i moves away from j",
                meaning="on each side of the truth, answers nearer it are at least as likely as "
                "those further off",
            ),
            Property(
                name="WH",
                full_name="weak honesty",
                formula="Pr[i|i] >= 1/(n+1)",
                meaning="the truth is at least as likely as by blind guessing",
            ),
            Property(
                name="F",
                full_name="fairness",
                formula="Pr[i|i] = Pr[j|j]",
                meaning="every true count has the same chance of being reported truthfully",
            ),
            Property(
                name="S",
                full_name="symmetry",
                formula="Pr[i|j] = Pr[n-i|n-j]",
                meaning="yes and no are treated alike",
            ),
        )
    }
)
"""The seven properties by short name, in the paper's order."""

EVERYDAY = {
    "CM": "no farther answer likelier",
    "F": "fair to every count",
    "WH": "never worse than guessing",
    "CH": "nothing likelier than the truth",
    "RH": "no count fits better than its own",
    "RM": "closer counts fit better",
    "S": "yes and no alike",
}
"""The properties in everyday words, the two of the story first: studio and terminal have no
others for them.
"""

OUTPUT_DP = "ODP"
"""Output DP, the paper's future-work property: Pr[i|j] >= ratio * Pr[i +- 1|j]. Asked for as
"ODP:9/10".
"""

IMPLICATIONS: tuple[tuple[frozenset[str], str], ...] = (
    (frozenset({"RM"}), "RH"),
    (frozenset({"CM"}), "CH"),
    (frozenset({"CH"}), "WH"),
    (frozenset({"F", "RH"}), "CH"),
    (frozenset({"F", "CH"}), "RH"),
)
"""What follows from what, for every mechanism: RM=>RH, CM=>CH=>WH, F+RH=>CH, F+CH=>RH."""

_FULL_NAMES = {p.full_name.replace(" ", ""): p.name for p in PROPERTIES.values()} | {
    "rowhonest": "RH",
    "rowmonotone": "RM",
    "columnhonest": "CH",
    "columnmonotone": "CM",
    "weaklyhonest": "WH",
    "weakhonest": "WH",
    "fair": "F",
    "symmetric": "S",
    "outputdp": OUTPUT_DP,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """A set of properties, with the ratio of output DP when that is among them.

    >>> str(read_shape("cm weak-honesty ODP:9/10"))
    'CM WH ODP:9/10'
    """

    names: frozenset[str] = frozenset()
    output_dp: Fraction | None = None

    def __str__(self) -> str:
        words = [name for name in PROPERTIES if name in self.names]
        if self.output_dp is not None:
            words.append(f"{OUTPUT_DP}:{self.output_dp}")
        return " ".join(words)

    def __contains__(self, name: str) -> bool:
        return name in self.names or (name == OUTPUT_DP and self.output_dp is not None)

    def __iter__(self) -> Iterator[str]:
        return iter(str(self).split())

    def __le__(self, other: Shape) -> bool:
        weaker = self.output_dp is None or (
            other.output_dp is not None and self.output_dp <= other.output_dp
        )
        return self.names <= other.names and weaker


ShapeLike = str | Iterable[str] | Shape | None


def read_shape(properties: ShapeLike) -> Shape:
    """Read properties from "WH CM", ["WH", "CM"], full names ("column monotonicity"), or None
    for none.
    """
    if properties is None or (isinstance(properties, str) and not properties):
        return Shape()
    if isinstance(properties, Shape):
        return properties
    if not isinstance(properties, Iterable):
        raise InvalidInput(
            "properties", "must be a string or a list of names", properties, remedy='e.g. "WH CM"'
        )
    words = (
        _words(properties)
        if isinstance(properties, str)
        else tuple(w for p in properties for w in _words(p))
    )
    names, ratio = set(), None
    for word in words:
        name, _, given = word.partition(":")
        name = (
            name.upper()
            if name.upper() in PROPERTIES or name.upper() == OUTPUT_DP
            else _named(name)
        )
        if name == OUTPUT_DP:
            ratio = _read_ratio(given)
        elif given:
            raise InvalidInput("properties", f"{name} takes no ratio", found=word)
        else:
            names.add(name)
    return Shape(names=frozenset(names), output_dp=ratio)


def names_only(properties: object) -> TypeGuard[ShapeLike]:
    """Whether properties are asked for by name alone, without rows of the caller's own
    (`core.own_rows`).
    """
    if isinstance(properties, (list, tuple, set, frozenset)):
        return all(isinstance(each, str) for each in properties)
    return not hasattr(properties, "inequalities")


def _words(text: object) -> tuple[str, ...]:
    if type(text).__name__ == "Rows":
        remedy = (
            "dc.design and dc.design_many take them; release with the mechanisms that they return"
        )
        raise InvalidInput(
            "properties", "must be names here, without own rows", str(text), remedy=remedy
        )
    if not isinstance(text, str) or len(text) > 1000:
        raise InvalidInput(
            "properties", "must be a string or a list of names", text, remedy='e.g. "WH CM"'
        )
    return _split(text)


@lru_cache(maxsize=256)
def _split(text: str) -> tuple[str, ...]:
    joined = text.replace("-", " ").replace("_", " ").lower()
    for full in [p.full_name for p in PROPERTIES.values()] + [
        "row honest",
        "row monotone",
        "column honest",
        "column monotone",
        "weakly honest",
        "weak honest",
        "output dp",
    ]:
        joined = joined.replace(full, full.replace(" ", ""))
    return tuple(
        joined.replace(",", " ").replace("+", " ").replace(": ", ":").replace("=", ":").split()
    )


def _named(word: str) -> str:
    if word in _FULL_NAMES:
        return _FULL_NAMES[word]
    choices = [*PROPERTIES, OUTPUT_DP]
    remedy = did_you_mean(word.upper(), choices)
    raise InvalidInput(
        "properties", "has an unknown name", found=word.upper(), remedy=remedy, code="unknown-name"
    )


def _read_ratio(given: str) -> Fraction:
    if not given:
        raise InvalidInput(
            "properties", "needs a ratio for output DP", OUTPUT_DP, remedy="write e.g. ODP:9/10"
        )
    ratio = read_fraction("properties", given)
    if not 0 < ratio <= 1:
        raise InvalidInput(
            "properties",
            "needs an output-DP ratio in (0, 1]",
            shown(ratio),
            remedy="such as ODP:2/3",
        )
    return ratio


@lru_cache(maxsize=256)
def closure(shape: Shape) -> Shape:
    """Add every property that follows from those in `shape`.

    >>> str(closure(read_shape("F CM")))
    'RH CH CM WH F'
    """
    names = set(shape.names)
    while True:
        more = {then for given, then in IMPLICATIONS if given <= names} - names
        if not more:
            return Shape(names=frozenset(names), output_dp=shape.output_dp)
        names |= more


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Whether a property holds; if not, the cell that is worst and by how much it misses."""

    property: str
    holds: bool
    cell: tuple[Any, Any] | None = None
    violation: Fraction = Fraction(0)
    row: str = ""
    """The inequality that is missed most, where it is one of a caller's own (`core.own_rows`)."""

    def __bool__(self) -> bool:
        return self.holds

    def __str__(self) -> str:
        if self.holds or self.cell is None:
            return f"{self.property} holds"
        i, j = self.cell
        return (
            f"{self.property} fails: {self.row or f'Pr[{i}|{j}]'} misses by {shown(self.violation)}"
        )


BY_PROPERTY = MappingProxyType({row.asked_by: row for row in ROWS.values() if row.asked_by})


def comparisons(name: str, domain: Counts) -> Iterator[tuple[Cell, Cell]]:
    """Yield (cell, other) for each Pr[cell] >= ratio * Pr[other] that a property asks for; an
    equation is two.
    """
    ends = _places(name, domain)
    yield from zip(*(map(divmod, places, repeat(domain.size)) for places in ends))  # noqa: B905 - a floor has one end


@lru_cache(maxsize=32)
def _places(name: str, domain: Counts) -> tuple[array[int], array[int]]:
    """The cells that a property compares, as places in the matrix read row by row; of floors,
    the first only.
    """
    row, size = BY_PROPERTY[name], domain.size
    ends = [row.cells(domain, label) for label in row.labels(domain)]
    if row.free:
        ends = [pair for head, tail in ends for pair in ((head, tail), (tail, head))]
    first = array("i", [i * size + j for (i, j), _ in ends])
    return first, array("i", [] if row.tail is None else [i * size + j for _, (i, j) in ends])


def check_dense(matrix: Dense, name: str, ratio: Fraction | None = None) -> Verdict:
    """Check one property of a matrix in integers, and keep the worst violation with its cell.

    `ratio` is that of its comparisons, where it is not 1: output DP's.
    """
    size, denominator = matrix.n + 1, matrix.denominator
    label = name if name != OUTPUT_DP else f"{name}:{ratio}"
    if (BY_PROPERTY[name].ratio != "1") != (ratio is not None):
        raise InvalidInput("ratio", f"must be given just where {name} has one", ratio)
    first, second = _places(name, Counts(matrix.n))
    entries = list(chain.from_iterable(matrix.rows))
    if BY_PROPERTY[name].tail is None:
        scale, missing = size, [denominator - size * entries[place] for place in first]
    else:
        p, scale = (1, 1) if ratio is None else ratio.as_integer_ratio()
        wanted = entries if p == 1 else [p * x for x in entries]
        given = entries if scale == 1 else [scale * x for x in entries]
        missing = list(map(sub, map(wanted.__getitem__, second), map(given.__getitem__, first)))
    worst = max(missing, default=0)
    if worst <= 0:
        return Verdict(property=label, holds=True)
    cell = divmod(first[missing.index(worst)], size)
    return Verdict(
        property=label, holds=False, cell=cell, violation=Fraction(worst, denominator * scale)
    )


def check_folded(form: Folded, name: str, ratio: Fraction | None = None) -> Verdict:
    """Check one property of a mechanism over histograms, orbit by orbit; a verdict that fails
    names two histograms.
    """
    row, values, orbits = BY_PROPERTY[name], form.values, form.orbits
    p, q = (1, 1) if ratio is None else ratio.as_integer_ratio()
    label = name if name != OUTPUT_DP else f"{name}:{ratio}"
    if row.tail is None:
        q, size = form.domain.size, form.denominator
        missing = {u: size - q * values[u] for u, _ in orbits.rows(row)}
    else:
        missing = {}
        for u, v in orbits.rows(row):
            short = p * values[v] - q * values[u]
            missing[u] = max(missing.get(u, 0), abs(short) if row.free else short)
    worst = max(missing, key=missing.__getitem__, default=0)
    if missing.get(worst, 0) <= 0:
        return Verdict(property=label, holds=True)
    violation = Fraction(missing[worst], form.denominator * q)
    return Verdict(property=label, holds=False, cell=orbits.cell(worst), violation=violation)
