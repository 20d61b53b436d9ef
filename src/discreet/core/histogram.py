"""Histograms as a domain: how many of n people gave each of k answers.

One person changes their answer from one of k to another, so the histogram (k counts that add up to
n) moves by one unit: one count falls by one and another rises by one. Neighbours are histograms one
move apart, and the distance is the number of people misplaced, half of the sum of differences. Two
answers are the counts 0..n of the first of them, in the same order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from math import comb
from typing import Any

from discreet.core.domains import Counts
from discreet.core.rationals import read_count, read_list
from discreet.errors import InvalidInput, did_you_mean

Point = tuple[int, ...]

MOST_POINTS = 20_000
"""Histograms a domain may have: beyond it not even one column of a mechanism is worth writing
down.
"""

MOST_ANSWERS = 64


@dataclass(frozen=True, slots=True)
class Histogram:
    """The histograms of n people over k answers, in ascending order.

    `answers` are the names of the answers, for reading and showing points; two domains that differ
    in names only are the same domain.

    >>> Histogram(2, 3).points
    ((0, 0, 2), (0, 1, 1), (0, 2, 0), (1, 0, 1), (1, 1, 0), (2, 0, 0))
    >>> Histogram(2, 3).distance(0, 4)
    2
    """

    n: int
    k: int
    answers: tuple[str, ...] = field(default=(), compare=False)

    @property
    def size(self) -> int:
        """How many points there are."""
        return comb(self.n + self.k - 1, self.k - 1)

    @property
    def points(self) -> tuple[Point, ...]:
        """Every histogram, in ascending order; a point's number is its place here."""
        return _points(self.n, self.k)

    def number(self, point: Point) -> int:
        """The number of a point."""
        return _numbers(self.n, self.k)[point]

    def distance(self, a: int, b: int) -> int:
        """How many people must change for one point to become the other."""
        return misplaced(self.points[a], self.points[b])

    def written(self, point: int) -> str:
        """A point as a person reads it."""
        return f"({','.join(map(str, self.points[point]))})"

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the answers, or their numbers where they have no names."""
        return self.answers or tuple(str(c + 1) for c in range(self.k))

    def __str__(self) -> str:
        return f"histograms of {self.n} people over {self.k} answers"


Domain = Counts | Histogram


def misplaced(a: Sequence[int], b: Sequence[int]) -> int:
    """Half of L1: how many people must change for one histogram to become the other.

    >>> misplaced((3, 1, 0), (1, 1, 2))
    2
    """
    return sum(x - y for x, y in zip(a, b, strict=True) if x > y)


@lru_cache(maxsize=64)
def _points(n: int, k: int) -> tuple[Point, ...]:
    if k == 1:
        return ((n,),)
    return tuple((first, *rest) for first in range(n + 1) for rest in _points(n - first, k - 1))


@lru_cache(maxsize=64)
def _numbers(n: int, k: int) -> dict[Point, int]:
    return {point: number for number, point in enumerate(_points(n, k))}


def read_domain(n: object, categories: object = None, step: object = None) -> Domain | None:
    """Read what a group's true answer can be; None for the plain counts 0..n of the paper.

    >>> read_domain(8, ["never", "former", "current"])
    Histogram(n=8, k=3, answers=('never', 'former', 'current'))
    """
    if categories is None:
        if step is None:
            return None
        people = read_count("n", n, least=1)
        far = read_count("step", step, least=1, most=people)
        return None if far == 1 else Counts(people, far)
    if step is not None:
        remedy = "leave `step` out: one person moves a histogram by one unit"
        raise InvalidInput(
            "step", "is for counts, not for histograms", found=str(step), remedy=remedy
        )
    domain = read_histogram(n, categories)
    if domain.size > MOST_POINTS:
        raise InvalidInput(
            "categories",
            f"must make at most {MOST_POINTS:,} histograms with this n",
            domain.size,
            remedy="ask for fewer answers, or in smaller groups",
        )
    return domain


def read_histogram(n: object, categories: object) -> Histogram:
    """Read a group size and its answers, however many histograms they make.

    >>> read_histogram(60, 5).size
    635376
    """
    people, answers = read_count("n", n, least=1), _read_answers(categories)
    return (
        Histogram(people, answers)
        if isinstance(answers, int)
        else Histogram(people, len(answers), answers)
    )


def _read_answers(categories: object) -> int | tuple[str, ...]:
    """A number of answers, or their names."""
    remedy = 'e.g. `categories=3` or `categories=["never", "former", "current"]`'
    if isinstance(categories, (str, Mapping)):
        raise InvalidInput(
            "categories",
            "must be a number of answers or a list of names",
            categories,
            remedy=remedy,
        )
    given = read_list(categories)
    if given is None:
        return read_count("categories", categories, least=2, most=MOST_ANSWERS)
    if not 2 <= len(given) <= MOST_ANSWERS:
        raise InvalidInput(
            "categories", f"must have 2 to {MOST_ANSWERS} answers", len(given), remedy=remedy
        )
    for name in given:
        if (
            not isinstance(name, str)
            or not name.strip()
            or not name.isprintable()
            or len(name) > 200
        ):
            raise InvalidInput("categories", "must be names: printable text", name, remedy=remedy)
    for name, after in pairwise(sorted(given)):
        if name == after:
            raise InvalidInput(
                "categories", "has an answer twice", found=name, remedy="name each answer once"
            )
    return tuple(given)


def read_point(domain: Domain, parameter: str, value: Any) -> int:
    """Read a point of a domain and return its number: a count, or a histogram as a tuple or by
    answer.

    >>> read_point(Histogram(8, 3, ("never", "former", "current")), "x", {"never": 4, "current": 4})
    30
    """
    if isinstance(domain, Counts):
        return read_count(parameter, value, most=domain.n)
    return domain.number(read_counts(domain, parameter, value, whole=True))


def read_counts(domain: Histogram, parameter: str, value: Any, *, whole: bool = False) -> Point:
    """Read the count of every answer, as a tuple or by answer; `whole` histograms add up to n."""
    if isinstance(value, Mapping):
        counts = _by_answer(domain, parameter, value)
    else:
        given = read_list(value)
        if given is None or len(given) != domain.k:
            example = ", ".join(["2"] * domain.k)
            raise InvalidInput(
                parameter,
                f"must be {domain.k} counts{f' that add up to {domain.n}' if whole else ''}",
                remedy=f"as a tuple ({example}), or a mapping of answer to count",
            )
        counts = given
    point = tuple(read_count(parameter, count, most=domain.n) for count in counts)
    if whole and sum(point) != domain.n:
        raise InvalidInput(
            parameter,
            f"must add up to n = {domain.n}",
            remedy="every person gives exactly one answer",
        )
    return point


def _by_answer(domain: Histogram, parameter: str, value: Mapping[Any, Any]) -> list[Any]:
    for name in value:
        if name not in domain.names:
            raise InvalidInput(
                parameter,
                "has an unknown answer",
                found=str(name),
                remedy=did_you_mean(str(name), list(domain.names)),
                code="unknown-name",
            )
    return [value.get(name, 0) for name in domain.names]
