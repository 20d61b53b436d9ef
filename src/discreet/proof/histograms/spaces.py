"""The domains that a proof file can be about besides the paper's counts, enumerated by the verifier
itself.

    {"histogram": [n, k], "answers": [text, ...] | null}     k counts that add up to n; one person
                                                             moves one unit
    {"count": n, "step": m}                                  the counts 0..n; one person moves it by
                                                             at most m

A mechanism over histograms has one value for each *orbit* of entries (o, t): answers of one class
may be exchanged, so an orbit is the multiset of (class, o_c, t_c). It is written as its k pairs,
ascending within each class, and orbits are numbered in ascending order. That every entry of an
orbit has the same value is how the file is read, not a claim: so each column sum, and each row that
compares two entries, is the image of one that is looked at here.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator
from math import comb, factorial, prod
from typing import Any, NoReturn

from discreet.proof.checks import cells
from discreet.proof.reading import MAX_TEXT, invalid, read_fields, read_integer, read_list

MAX_POINTS = 20_000
MAX_CELLS = 1 << 17  # orbits of entries, or entries of a count's matrix
MAX_PEOPLE = 512
MAX_ANSWERS = 64

Pairs = tuple[tuple[int, int], ...]


class Space(ABC):
    """Points, and values of entries: `columns[s]` lists (value, how many entries) of one column of
    each kind.

    `column_of[t]` is the kind of point t's column, `distance[u]` how far apart output and truth
    are, `diagonal` the values that report the truth.
    """

    size: int
    values: int
    unit_cost: tuple[int, int]  # what a wrong answer costs under L0
    largest: int  # the largest distance
    columns: list[list[tuple[int, int]]]
    column_of: list[int]
    distance: list[int]
    diagonal: list[int]
    words: str
    name: str

    def __init__(self) -> None:
        self._listed: dict[str, set[tuple[int, int]]] = {}

    @abstractmethod
    def rows(self, kind: str) -> Iterator[tuple[int, int]]:
        """Yield the two values that each row of a kind compares: `x[u] >= factor x[v]`, or `=`."""

    def pairs(self, kind: str) -> set[tuple[int, int]]:
        """The rows of a kind, listed once."""
        if kind not in self._listed:
            self._listed[kind] = set(self.rows(kind))
        return self._listed[kind]

    @abstractmethod
    def at(self, output: int, truth: int) -> int:
        """The value of an entry, of points by number."""

    @abstractmethod
    def named_row(self, kind: str, a: int, b: int, c: int) -> tuple[int, int]:
        """The values that the row of a certificate with this name compares."""

    def floor(self, a: int) -> int:
        """The value that a row of weak honesty with this name keeps up."""
        return a

    def exchanges(self) -> list[list[int]]:
        """Maps of points to points under which the values do not change, and which make up all
        that fold entries.
        """
        return []


class Histograms(Space):
    """Histograms, folded by the permutations within classes."""

    def __init__(self, n: int, k: int, classes: list[int], expected: int | None) -> None:
        if n < 1 or k < 2 or comb(n + k - 1, k - 1) > MAX_POINTS or len(classes) != k:
            invalid(
                "domain",
                f"must have at least one person and two answers, and at most {MAX_POINTS} "
                "histograms",
            )
        super().__init__()
        self.classes, self.n, self.k, self.largest = classes, n, k, n
        self.points = sorted(_compositions(n, k))
        self.number = {point: t for t, point in enumerate(self.points)}
        self.size = len(self.points)
        self.orbits: list[Pairs] = []
        for orbit in self._enumerate():
            self.orbits.append(orbit)
            if len(self.orbits) > (MAX_CELLS if expected is None else expected):
                _miscounted()
        if expected not in (None, len(self.orbits)):
            _miscounted()
        self.orbits.sort()
        self.place = {orbit: u for u, orbit in enumerate(self.orbits)}
        self.values, self.unit_cost = len(self.orbits), (1, 1)
        self.distance = [sum(max(0, o - t) for o, t in orbit) for orbit in self.orbits]
        self.diagonal = [u for u, d in enumerate(self.distance) if d == 0]
        self.words = f"histograms of {n} people over {k} answers"
        self.name = f"histogram {n} {k} orbits {','.join(map(str, classes))}"
        self._add_columns()

    def _enumerate(self) -> Iterator[Pairs]:
        """Yield every way to give the answers pairs (o_c, t_c) that add up to (n, n), ascending
        in each class.
        """
        last = {kind: c for c, kind in enumerate(self.classes)}
        partial: list[tuple[int, int]] = []

        def extend(outputs: int, truths: int, least: dict[int, tuple[int, int]]) -> Iterator[Pairs]:
            c = len(partial)
            if c == self.k:
                if outputs == truths == 0:
                    yield tuple(partial)
                return
            kind = self.classes[c]
            low = least.get(kind, (0, 0))
            alone = last[kind] == c and c == self.k - 1
            later = sum(other == kind for other in self.classes[c:])
            for o in [outputs] if alone else range(low[0], outputs // later + 1):
                for t in [truths] if alone else range(truths + 1):
                    if (o, t) >= low:
                        partial.append((o, t))
                        yield from extend(outputs - o, truths - t, {**least, kind: (o, t)})
                        partial.pop()

        return extend(self.n, self.n, {})

    def _add_columns(self) -> None:
        """Gather the orbits by true histogram: how often each occurs in one column counts its
        arrangements.
        """
        kinds: dict[Pairs, int] = {}
        self.columns = []
        for u, orbit in enumerate(self.orbits):
            truth = tuple(
                sorted((kind, t) for kind, (_, t) in zip(self.classes, orbit, strict=True))
            )
            if truth not in kinds:
                kinds[truth] = len(self.columns)
                self.columns.append([])
            ways = prod(factorial(x) for x in Counter(truth).values())
            same = prod(
                factorial(x) for x in Counter(zip(self.classes, orbit, strict=True)).values()
            )
            self.columns[kinds[truth]].append((u, ways // same))
        self.column_of = [
            kinds[tuple(sorted(zip(self.classes, point, strict=True)))] for point in self.points
        ]

    def _find(self, pairs: list[tuple[int, int]]) -> int:
        if len(set(self.classes)) == 1:  # all answers are alike, as in most files
            return self.place[tuple(sorted(pairs))]
        arranged = iter(sorted(zip(self.classes, pairs, strict=True)))
        by_class: dict[int, list[tuple[int, int]]] = {}
        for kind, pair in arranged:
            by_class.setdefault(kind, []).append(pair)
        take = {kind: iter(several) for kind, several in by_class.items()}
        return self.place[tuple(next(take[kind]) for kind in self.classes)]

    def at(self, output: int, truth: int) -> int:
        """The orbit of an entry."""
        return self._find(list(zip(self.points[output], self.points[truth], strict=True)))

    def rows(self, kind: str) -> Iterator[tuple[int, int]]:
        """Yield the rows of a kind, up to permutation; some of them more than once."""
        if kind in ("dp", "rm"):
            yield from self._moves(1, away=kind == "rm")
        elif kind in ("odp", "cm"):
            yield from self._moves(0, away=kind == "cm")
        elif kind in ("rh", "ch"):
            for u, orbit in enumerate(self.orbits):
                side = 0 if kind == "rh" else 1
                yield self._find([(pair[side], pair[side]) for pair in orbit]), u
        elif kind == "f":
            yield from ((u, v) for u in self.diagonal[:1] for v in self.diagonal)
        elif kind == "s":
            first: dict[Pairs, int] = {}
            for u, orbit in enumerate(self.orbits):
                yield first.setdefault(tuple(sorted(orbit)), u), u

    def _moves(self, side: int, *, away: bool) -> Iterator[tuple[int, int]]:
        """One person moves from answer b to answer a, in the output (0) or in the true histogram
        (1).
        """
        step = (1 - side, side)
        for u, orbit in enumerate(self.orbits):
            for b in range(self.k):
                if orbit[b][side] == 0:
                    continue
                for a in range(self.k):
                    if a != b:
                        moved = list(orbit)
                        moved[b] = (orbit[b][0] - step[0], orbit[b][1] - step[1])
                        moved[a] = (orbit[a][0] + step[0], orbit[a][1] + step[1])
                        v = self._find(moved)
                        if not away or self.distance[v] == self.distance[u] + 1:
                            yield u, v

    def named_row(self, kind: str, a: int, b: int, c: int) -> tuple[int, int]:
        """A certificate names the two orbits."""
        if c:
            invalid("multipliers", "have an index that is no row")
        return read_integer(a, "multipliers", self.values - 1), read_integer(
            b, "multipliers", self.values - 1
        )

    def exchanges(self) -> list[list[int]]:
        """Exchange each answer with the one before it in its class."""
        found = []
        for b in range(self.k):
            before = [a for a in range(b) if self.classes[a] == self.classes[b]]
            if before:
                a, moved = before[-1], []
                for point in self.points:
                    one = list(point)
                    one[a], one[b] = one[b], one[a]
                    moved.append(self.number[tuple(one)])
                found.append(moved)
        return found


class SteppedCounts(Space):
    """The counts 0..n, every entry by itself."""

    def __init__(self, n: int, step: int) -> None:
        if not 2 <= step <= n or (n + 1) ** 2 > MAX_CELLS:
            invalid(
                "domain", "must have a step of at least 2 and at most n, and few enough entries"
            )
        super().__init__()
        self.n, self.step, self.largest, self.size = n, step, n, n + 1
        self.values, self.unit_cost = (n + 1) ** 2, (n + 1, n)
        self.columns = [[(self.at(i, j), 1) for i in range(n + 1)] for j in range(n + 1)]
        self.column_of = list(range(n + 1))
        self.distance = [abs(i - j) for i in range(n + 1) for j in range(n + 1)]
        self.diagonal = [self.at(i, i) for i in range(n + 1)]
        self.words = f"counts 0..{n}, which one person moves by up to {step}"
        self.name = f"step {step} dense"

    def at(self, output: int, truth: int) -> int:
        """The place of an entry."""
        return output * self.size + truth

    def floor(self, a: int) -> int:
        """The entry on the diagonal."""
        return self.at(a, a)

    def rows(self, kind: str) -> Iterator[tuple[int, int]]:
        """Yield every row of a kind."""
        points = range(self.size)
        if kind == "dp":
            names = [
                (a, b, c)
                for a in points
                for b in points
                for c in points[max(0, b - self.step) : b + self.step + 1]
            ]
        elif kind in ("rm", "cm", "odp"):
            steps = [(b, c) for b in points for c in (b - 1, b + 1) if 0 <= c <= self.n]
            names = [(a, *step) if kind == "rm" else (*step, a) for a in points for step in steps]
        else:
            names = [(a, b, 0) for a in points for b in (points if kind != "f" else points[:1])]
        yield from (found for name in names if (found := self._row(kind, *name)))

    def _row(self, kind: str, a: int, b: int, c: int) -> tuple[int, int] | None:
        if kind == "dp":
            return (self.at(a, b), self.at(a, c)) if 1 <= abs(b - c) <= self.step else None
        found = cells(kind, a, b, c, self.n)
        return None if found is None else (self.at(*found[:2]), self.at(*found[2:]))

    def named_row(self, kind: str, a: int, b: int, c: int) -> tuple[int, int]:
        """A certificate names a row as that of a count does."""
        found = self._row(
            kind, *(read_integer(index, "multipliers", self.n) for index in (a, b, c))
        )
        return found or invalid("multipliers", f"have an index that is no row of kind {kind}")


def _compositions(n: int, k: int) -> Iterator[tuple[int, ...]]:
    if k == 1:
        yield (n,)
    else:
        yield from (
            (first, *rest) for first in range(n + 1) for rest in _compositions(n - first, k - 1)
        )


def _miscounted() -> NoReturn:
    invalid("matrix", f"must have one value for each orbit of entries, and at most {MAX_CELLS}")


def read_space(domain: Any, matrix: Any) -> tuple[Space, list[str], str]:
    """Read the domain; return it, the values as written, and their denominator as written."""
    if isinstance(domain, dict) and "count" in domain:
        n, step = (
            read_integer(x, "domain", MAX_PEOPLE)
            for x in read_fields(domain, "domain", "count", "step")
        )
        counts = SteppedCounts(n, step)
        denominator, rows = read_fields(matrix, "matrix", "denominator", "rows")
        written = [
            x for row in read_list(rows, "matrix", n + 1) for x in read_list(row, "matrix", n + 1)
        ]
        return counts, written, denominator
    given, answers = read_fields(domain, "domain", "histogram", "answers")
    n, k = (read_integer(x, "domain", MAX_PEOPLE) for x in read_list(given, "domain", 2))
    if answers is not None:
        names = read_list(answers, "domain", k)
        if not all(
            isinstance(name, str) and name.isprintable() and len(name) <= MAX_TEXT for name in names
        ):
            invalid("domain", "must name its answers in printable text")
        if len(set(names)) != k:
            invalid("domain", "must name each answer once")
    classes, denominator, values = read_fields(matrix, "matrix", "classes", "denominator", "values")
    written = read_list(values, "matrix", most=MAX_CELLS)
    return Histograms(n, k, read_classes(classes), len(written)), written, denominator


def read_classes(classes: Any) -> list[int]:
    """Read the class of each answer."""
    numbers = [
        read_integer(one, "classes", MAX_ANSWERS)
        for one in read_list(classes, "classes", most=MAX_ANSWERS)
    ]
    order = list(dict.fromkeys(numbers))
    return (
        numbers
        if order == list(range(len(order)))
        else invalid("classes", "must be numbered by appearance")
    )
