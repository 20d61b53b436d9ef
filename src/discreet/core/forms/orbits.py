"""The entries of a symmetric mechanism over histograms, each once.

Where it does not matter which answer is which, `Pr[o|t]` is the same for all ways of permuting the
answers, and the entry is known by the multiset of the k pairs (o_c, t_c): its *orbit*. Answers that
may be exchanged are of one class; with classes of their own (an uneven prior, say) an orbit is the
multiset of (class, o_c, t_c).

If prior and loss do not change when two answers are exchanged, and no row asked for tells answers
apart (none does), then a mechanism averaged over the exchange costs no more and has the same
properties: a symmetric optimum exists (Theorem 1 of the paper, for two answers). So answers that
can be exchanged are of one class (`classes_of`).

A pair is kept as the integer o_c (n+1) + t_c, an orbit as the tuple of its pairs, ascending within
each class, and orbits are numbered in ascending order. Everything about a symmetric mechanism
follows from its orbits: nothing here writes out the matrix.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import chain, product
from math import factorial, prod
from typing import TYPE_CHECKING

from discreet.core.histogram import Histogram, Point

if TYPE_CHECKING:
    from discreet.core.certificate import Problem
    from discreet.core.domains import RowKind
    from discreet.core.losses import Loss, Prior

Codes = tuple[int, ...]


@dataclass(frozen=True)
class Orbits:
    """The orbits of pairs of histograms under the permutations within classes.

    `classes[c]` is the class of answer c, numbered in order of appearance.

    >>> orbits = orbits_of(Histogram(2, 3), (0, 0, 0))
    >>> len(orbits.codes), len(orbits.truths)
    (8, 2)
    """

    domain: Histogram
    classes: tuple[int, ...]
    codes: tuple[Codes, ...] = field(repr=False, compare=False)

    @cached_property
    def number(self) -> dict[Codes, int]:
        """The number of each orbit."""
        return {codes: u for u, codes in enumerate(self.codes)}

    @cached_property
    def _slots(self) -> list[list[int]]:
        """The answers of each class."""
        return [
            [c for c, one in enumerate(self.classes) if one == kind]
            for kind in range(max(self.classes) + 1)
        ]

    def normal(self, codes: list[int]) -> Codes:
        """The same orbit with its pairs ascending within each class."""
        if len(self._slots) == 1:
            return tuple(sorted(codes))
        sorted_codes = list(codes)
        for slots in self._slots:
            for c, code in zip(slots, sorted(codes[c] for c in slots), strict=True):
                sorted_codes[c] = code
        return tuple(sorted_codes)

    def of(self, output: Point, truth: Point) -> int:
        """The orbit of an entry Pr[output|truth]."""
        base = self.domain.n + 1
        return self.number[self.normal([o * base + t for o, t in zip(output, truth, strict=True)])]

    def cell(self, u: int) -> tuple[Point, Point]:
        """An entry of an orbit: its output and its true histogram."""
        output, truth = zip(
            *(divmod(code, self.domain.n + 1) for code in self.codes[u]), strict=True
        )
        return output, truth

    # --- true histograms, up to the same permutations
    # -----------------------------------------------------------

    @cached_property
    def _by_truth(self) -> tuple[list[Point], list[int], list[int]]:
        """The orbits of true histograms, which each orbit of entries belongs to, and its entries
        in one column.
        """
        number: dict[Point, int] = {}
        belongs, entries = [], []
        for u in range(len(self.codes)):
            truth = self.cell(u)[1]
            belongs.append(number.setdefault(tuple(self.normal(list(truth))), len(number)))
            pairs = Counter(zip(self.classes, self.codes[u], strict=True))
            ways = Counter(zip(self.classes, truth, strict=True))
            entries.append(
                prod(map(factorial, ways.values())) // prod(map(factorial, pairs.values()))
            )
        return list(number), belongs, entries

    @property
    def truths(self) -> list[Point]:
        """One true histogram of each orbit of them."""
        return self._by_truth[0]

    @property
    def truth_of(self) -> list[int]:
        """The orbit of true histograms that each orbit belongs to."""
        return self._by_truth[1]

    @property
    def entries(self) -> list[int]:
        """How many entries of one column an orbit has."""
        return self._by_truth[2]

    @cached_property
    def columns(self) -> list[int]:
        """How many true histograms each orbit of them has."""
        whole = prod(factorial(len(slots)) for slots in self._slots)
        ways = [Counter(zip(self.classes, truth, strict=True)) for truth in self.truths]
        return [whole // prod(map(factorial, each.values())) for each in ways]

    @cached_property
    def truth_number(self) -> list[int]:
        """The orbit of each point as a true histogram."""
        number = {truth: s for s, truth in enumerate(self.truths)}
        return [number[tuple(self.normal(list(point)))] for point in self.domain.points]

    @cached_property
    def distance(self) -> list[int]:
        """The number of people misplaced in each orbit's entries."""
        base = self.domain.n + 1
        apart = [max(0, code // base - code % base) for code in range(base * base)]
        return [sum(map(apart.__getitem__, codes)) for codes in self.codes]

    @cached_property
    def diagonal(self) -> list[int]:
        """The orbits of the entries that report the truth."""
        return [u for u, far in enumerate(self.distance) if far == 0]

    # --- rows
    # ----------------------------------------------------------------------------------------------

    def rows(self, row: RowKind) -> list[tuple[int, int]]:
        """Every row of a kind as (head, tail), orbits of entries, each once; the tail of a floor is
        -1.

        The rows of the whole program are the images of these.
        """
        if row.kind not in self._kept:
            self._kept[row.kind] = list(dict.fromkeys(self._rows(row)))
        return self._kept[row.kind]

    @cached_property
    def _kept(self) -> dict[str, list[tuple[int, int]]]:
        return {}

    def _rows(self, row: RowKind) -> Iterator[tuple[int, int]]:
        if row.image == "mirror":
            yield from self._images()
        elif row.image == "next":
            yield from ((self.diagonal[0], u) for u in self.diagonal[1:])
        elif row.pairs == "each":
            yield from ((u, -1) for u in self.diagonal)
        elif row.pairs == "other":
            for u in range(len(self.codes)):
                point = self.cell(u)[0 if row.head[0] == 0 else 1]
                if self.distance[u]:
                    yield self.of(point, point), u
        else:
            away, far = row.pairs == "away", self.distance
            for u, v in self._moves(truth=row.head == (0, 1)):
                if u != v and (not away or far[v] > far[u]):
                    yield u, v

    def _moves(self, *, truth: bool) -> Iterator[tuple[int, int]]:
        """Every way of moving one person in the true histogram, or in the output: from orbit u
        to orbit v.
        """
        base, number = self.domain.n + 1, self.number
        unit, normal = (1 if truth else base), self.normal
        for u, codes in enumerate(self.codes):
            places: dict[tuple[int, int], list[int]] = {}
            for c, pair in enumerate(zip(self.classes, codes, strict=True)):
                places.setdefault(pair, []).append(c)
            # of answers with the same pair, in one class, the first stands for all
            for alike in places.values():
                b = alike[0]
                if not (codes[b] % base if truth else codes[b] // base):
                    continue
                for others in places.values():
                    left = others if others is not alike else others[1:]
                    if left:
                        moved = list(codes)
                        moved[b] -= unit
                        moved[left[0]] += unit
                        yield u, number[normal(moved)]

    def _images(self) -> Iterator[tuple[int, int]]:
        """Orbits that any permutation of the answers would make one: the first of them, and each
        other.
        """
        first: dict[Codes, int] = {}
        for u, codes in enumerate(self.codes):
            whole = tuple(sorted(codes))
            if first.setdefault(whole, u) != u:
                yield first[whole], u


@lru_cache(maxsize=8)
def orbits_of(domain: Histogram, classes: tuple[int, ...]) -> Orbits:
    """List the orbits of a domain's entries."""
    return Orbits(domain, classes, tuple(sorted(_multisets(domain.n, classes))))


def _multisets(n: int, classes: tuple[int, ...]) -> Iterator[Codes]:
    """Every tuple of k pairs whose two sums are n, ascending within each class."""
    base, k = n + 1, len(classes)
    # who comes before answer c in its class, and how many of its class come from c on
    before = [max((b for b in range(c) if classes[b] == classes[c]), default=-1) for c in range(k)]
    alike = [sum(classes[b] == classes[c] for b in range(c, k)) for c in range(k)]
    chosen = [0] * k

    def extend(c: int, outputs: int, truths: int) -> Iterator[Codes]:
        least = chosen[before[c]] if before[c] >= 0 else 0
        if c == k - 1:
            code = outputs * base + truths
            if code >= least:
                yield (*chosen[:-1], code)
            return
        for o in range(least // base, outputs // alike[c] + 1):
            for t in range(least % base if o == least // base else 0, truths + 1):
                chosen[c] = o * base + t
                yield from extend(c + 1, outputs - o, truths - t)

    return extend(0, n, n)


def number_of_orbits(domain: Histogram, classes: tuple[int, ...]) -> int:
    """How many orbits there are, without listing them.

    By Burnside's lemma it is the mean, over the permutations, of how many pairs of histograms each
    leaves as they are: the square of the number of histograms, and for cycles of lengths l_i that
    is the number of ways to write n as sum l_i x_i.

    >>> (
    ...     number_of_orbits(Histogram(8, 3), (0, 0, 0)),
    ...     number_of_orbits(Histogram(8, 3), (0, 1, 2)),
    ...     45**2,
    ... )
    (350, 2025, 2025)
    """
    kinds = [list(_short_cycles(size, domain.n)) for size in Counter(classes).values()]
    total = Fraction(0)
    for chosen in product(*kinds):
        fixed = [1] + [0] * domain.n
        for length in chain.from_iterable(cycles for cycles, _ in chosen):
            for people in range(length, domain.n + 1):
                fixed[people] += fixed[people - length]
        total += prod((share for _, share in chosen), start=Fraction(1)) * fixed[domain.n] ** 2
    return int(total)


def _short_cycles(size: int, n: int) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    """The lengths of a permutation's cycles that are at most n, and the share of permutations that
    have just these.

    Answers in a longer cycle have as many people each, so nobody: how they are arranged makes no
    difference, and there are few kinds of permutation even of 64 answers. The shares of
    permutations of r without a cycle of at most n follow by the length of the cycle that holds one
    of them.
    """
    long = [Fraction(1)]
    for r in range(1, size + 1):
        long.append(sum((long[r - length] for length in range(n + 1, r + 1)), Fraction(0)) / r)
    for within in range(size + 1):
        if long[size - within]:
            for lengths in _partitions(within, n):
                ways = prod(
                    length**times * factorial(times) for length, times in Counter(lengths).items()
                )
                yield lengths, long[size - within] / ways


def _partitions(whole: int, largest: int) -> Iterator[tuple[int, ...]]:
    if whole == 0:
        yield ()
    for first in range(min(whole, largest), 0, -1):
        for rest in _partitions(whole - first, first):
            yield first, *rest


def histogram_of(problem: Problem) -> Histogram:
    """The domain of a problem about histograms."""
    if not isinstance(problem.over, Histogram):
        raise TypeError("the problem is not about histograms")
    return problem.over


def classes_of(problem: Problem) -> tuple[int, ...]:
    """The class of each answer: those of one class may be exchanged. Symmetry, where asked,
    makes one class of all.
    """
    domain = histogram_of(problem)
    if "S" in problem.shape:
        return (0,) * domain.k
    return _classes(domain, problem.loss, problem.prior)


@lru_cache(maxsize=32)
def _classes(domain: Histogram, loss: Loss, prior: Prior) -> tuple[int, ...]:
    found: list[int] = []
    for a in range(domain.k):
        # exchanging is transitive, so one member of a class speaks for all
        alike = (
            found[b]
            for b in range(a)
            if found.index(found[b]) == b and _exchangeable(domain, loss, prior, a, b)
        )
        found.append(next(alike, max(found, default=-1) + 1))
    return tuple(found)


def _exchangeable(domain: Histogram, loss: Loss, prior: Prior, a: int, b: int) -> bool:
    """Whether prior and loss stay as they are when answers a and b are exchanged."""
    if prior.uniform and loss.table is None:
        return True
    other = [domain.number(_exchanged(point, a, b)) for point in domain.points]
    if any(prior.weights[j] != prior.weights[to] for j, to in enumerate(other)):
        return False
    table = loss.table
    if table is None:
        return True
    return all(
        x == table[image][to]
        for row, image in zip(table, other, strict=True)
        for x, to in zip(row, other, strict=True)
    )


def _exchanged(point: Point, a: int, b: int) -> Point:
    moved = list(point)
    moved[a], moved[b] = moved[b], moved[a]
    return tuple(moved)
