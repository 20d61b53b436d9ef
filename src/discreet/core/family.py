"""One closed form for many group sizes: where a theorem answers for whole ranges of n, nothing is
made per size.

A `Family` says that the closed form of one kind, at one alpha, answers one problem for every n in
its ranges: L0, with a shape, a prior that is a word, and the mean or the worst case. Building one
checks privacy as building a `Mechanism` does: a closed form has no free entries, and that it exists
for n is a condition that holds between two sizes where it holds at both. `BySize` is the mechanism
of each size of a table: families where theorems answer, single mechanisms where a linear program
does, and no object of a size before somebody asks for it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from hashlib import sha256
from os import PathLike
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from discreet.core.certificate import Problem
from discreet.core.forms import ColumnHonest, Fair, Geometric, WeaklyHonest, check
from discreet.core.losses import read_loss, read_prior
from discreet.core.mechanism import Mechanism, Origin
from discreet.core.properties import Shape
from discreet.core.rationals import Alpha
from discreet.errors import InvalidInput, NotPrivate

if TYPE_CHECKING:
    from discreet.core.forms import Form

MechanismsLike = Mechanism | str | PathLike[str] | Sequence[Any] | Mapping[Any, Any]
"""What a caller may give to draw from: a mechanism, proof files, a list of these, or a mapping
by size or by count.
"""

Ranges = tuple[tuple[int, int], ...]
"""Sizes as (least, largest), both included: ascending, and neither overlapping nor adjacent."""

FORMS: Mapping[str, Callable[[int, Fraction], Geometric | Fair | WeaklyHonest | ColumnHonest]] = (
    MappingProxyType(
        {
            "geometric": Geometric,
            "fair": Fair,
            "weakly-honest": WeaklyHonest,
            "column-honest": ColumnHonest,
        }
    )
)
"""The kinds of closed forms there are families of, by the name they have in files."""

NEARLY = "fair within 1+1/n"
"""The theorem that EM costs less than 1 + 1/n times the optimum (mean L0, uniform prior)."""

THEOREMS = MappingProxyType(
    {
        "geometric": "Theorem 3: GM is the best mechanism for L0",
        "fair": "Theorem 4: EM is the best fair mechanism",
        "weakly-honest": "WM is the best weakly honest mechanism",
        "column-honest": "Column-honest theorem: GM with its ends moved inward is best",
        NEARLY: "",
    }
)
"""The theorems that answer L0, by the name they have in files, in words; one that does not say
optimal has none.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """The closed form `kind` at one alpha, as the answer to one L0 problem for every group size in
    `sizes`.

    >>> from discreet.core.rationals import read_alpha
    >>> some = Family(
    ...     kind="geometric",
    ...     privacy=read_alpha(alpha="1/2"),
    ...     sizes=((1, 300),),
    ...     theorem="geometric",
    ... )
    >>> 300 in some, some.mechanism(2)[0, 0], some.words
    (True, Fraction(2, 3), '1-300')
    """

    kind: str
    privacy: Alpha
    sizes: Ranges
    shape: Shape = field(default_factory=Shape)
    chance: Fraction | None = None
    """Of a binomial prior; None: the prior is uniform."""
    worst_case: bool = False
    theorem: str

    def __post_init__(self) -> None:
        if self.kind not in FORMS or self.theorem not in THEOREMS:
            raise InvalidInput(
                "kind", f"must be one of {', '.join(FORMS)}, by a theorem that is known", self.kind
            )
        before = -1  # so that 0 is refused: nobody has a bit, and the closed forms start at 1
        for low, high in self.sizes or ((0, 0),):
            if type(low) is not int or type(high) is not int or not before + 1 < low <= high:
                raise InvalidInput(
                    "sizes", "must be ranges from 1 on, ascending and apart", self.sizes
                )
            before = high
            for n in (low, high):
                check(self.form(n), self.privacy.value)
        if self.privacy.value == 1:
            raise NotPrivate("a family has an alpha below 1: at 1 every answer is a guess")

    def __contains__(self, n: object) -> bool:
        return any(low <= n <= high for low, high in self.sizes) if isinstance(n, int) else False

    @property
    def words(self) -> str:
        """Its sizes, as files name them."""
        return " ".join(range_words(low, high) for low, high in self.sizes)

    @property
    def id(self) -> str:
        """A content id, the same on every machine: SHA-256 of all that the family says
        (`discreet.proof.families`).
        """
        a, epsilon = self.privacy.value, self.privacy.epsilon
        names, ratio = " ".join(sorted(self.shape.names)), self.shape.output_dp
        lines = (
            "discreet family 1",
            self.kind,
            _hex(a),
            _hex(epsilon),
            self.words,
            names,
            "" if ratio is None else _hex(ratio),
            "L0",
            "uniform" if self.chance is None else f"binomial {_hex(self.chance)}",
            "worst" if self.worst_case else "mean",
            self.theorem,
        )
        return sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()

    def form(self, n: int) -> Form:
        """The closed form of one size."""
        return FORMS[self.kind](n, self.privacy.value)

    def problem(self, n: int) -> Problem:
        """The problem that it answers for one size."""
        prior = None if self.chance is None else f"Binomial({self.chance})"
        return Problem(
            n=n,
            alpha=self.privacy.value,
            shape=self.shape,
            loss=read_loss("L0", n),
            prior=read_prior(prior, n),
            worst_case=self.worst_case,
        )

    def mechanism(self, n: int) -> Mechanism:
        """The mechanism of one size."""
        if n not in self:
            raise InvalidInput("n", f"must be one of the family's sizes, {self.words}", n)
        theorem = THEOREMS[self.theorem]
        method = (
            f"closed form: {theorem}"
            if theorem
            else "explicit fair mechanism, EM: within 1/n of optimal, proven"
        )
        origin = Origin(method=method, problem=self.problem(n), theorem=theorem)
        return Mechanism(privacy=self.privacy, form=self.form(n), origin=origin)


@dataclass(frozen=True, eq=False, repr=False)
class BySize(Mapping[int, Mechanism]):
    """The mechanism of each size of a table, made when it is asked for; `make` makes that of a
    family's size.
    """

    sizes: tuple[int, ...]
    """Ascending."""
    families: tuple[Family, ...] = ()
    single: Mapping[int, Mechanism] = field(default_factory=dict)
    make: Callable[[Family, int], Mechanism] = Family.mechanism
    _made: dict[int, Mechanism] = field(default_factory=dict, init=False)

    def __getitem__(self, n: int) -> Mechanism:
        if n in self.single:
            return self.single[n]
        if n not in self._made:
            if n not in self:
                raise KeyError(n)
            family = next(family for family in self.families if n in family)
            self._made[n] = self.make(family, n)
        return self._made[n]

    def __contains__(self, n: object) -> bool:
        if not isinstance(n, int):
            return False
        place = bisect_left(self.sizes, n)
        return place < len(self.sizes) and self.sizes[place] == n

    def __iter__(self) -> Iterator[int]:
        return iter(self.sizes)

    def __len__(self) -> int:
        return len(self.sizes)

    def __repr__(self) -> str:
        return f"<mechanisms of {len(self)} sizes, {len(self.single)} of them made one by one>"

    @property
    def named(self) -> dict[str, Family | Mechanism]:
        """What answers each range of sizes, in order: "7" is one size, "2-300" a range of a
        family.
        """
        found: dict[tuple[int, int], Family | Mechanism] = {
            (n, n): made for n, made in self.single.items()
        }
        found |= {each: family for family in self.families for each in family.sizes}
        return {range_words(low, high): found[low, high] for low, high in sorted(found)}


def range_words(low: int, high: int) -> str:
    """A range of sizes as files name it.

    >>> range_words(2, 300), range_words(7, 7)
    ('2-300', '7')
    """
    return str(low) if low == high else f"{low}-{high}"


def read_range(words: str) -> tuple[int, int]:
    """Read a range of sizes that has the form of `range_words`."""
    low, _, high = words.partition("-")
    return int(low), int(high or low)


def _hex(value: Fraction) -> str:
    return f"{value.numerator:x}/{value.denominator:x}"
