"""Several levels of one release: their counts, and the share of epsilon that each gets where none
is given.

Shares are chosen from public sizes, mechanisms and the importance given to levels, never from what
is counted: the mathematics is in `reading.levels`. With several counts they are chosen at the mean
epsilon of their draws.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from discreet.core.losses import read_prior
from discreet.core.properties import read_shape
from discreet.core.rationals import read_alpha
from discreet.errors import InvalidInput
from discreet.tables.asking.level_keys import level_name, nested
from discreet.tables.asking.price import Price, read_price
from discreet.tables.asking.question import Count, Question
from discreet.tables.asking.request import Request
from discreet.tables.engines import Counts, Engine

if TYPE_CHECKING:
    from discreet.core.family import BySize
    from discreet.reading.levels.cube import Cube
    from discreet.reading.levels.level_noise import LevelNoise, Working
    from discreet.reading.levels.tree import Integers, Tree

    NoiseAt = Callable[[Integers, float], LevelNoise]


class Shared(NamedTuple):
    """The levels of a release, the finest first: their counts, their shares of epsilon, and what
    each draw costs.
    """

    counts: list[Counts]
    shares: tuple[Fraction, ...]
    price: Price
    nesting: Tree | Cube | None
    """How the groups lie in each other, where that was looked at."""


def share_levels(
    engine: Engine, question: Question, request: Request, finest: Counts, *, planned: bool = False
) -> Shared:
    """Sum the counts of the coarser levels, and share epsilon among all of them."""
    _refuse_shaped_answers(question)
    counts = [finest, *(engine.coarser(finest, places) for places in _places(question)[1:])]
    if not nested(question.levels):
        _check_cube(question, counts)
    shares = question.level_split
    nesting: Tree | Cube | None = None
    if shares is None or planned:
        nesting = (
            tree_of(engine, question, finest)
            if nested(question.levels)
            else cube_of(engine, finest)
        )
        shares = choose_split(question, request, nesting) if shares is None else shares
    price = read_price(question, epsilon=request.epsilon, alpha=request.alpha, levels=shares)
    return Shared(counts, shares, price, nesting)


def _refuse_shaped_answers(question: Question) -> None:
    """Refuse a shape of a coarser level where answers are drawn one by one, by GM."""
    several = [count.name for count in question.counts if count.answers is not None]
    if several and any(question.level_properties):
        rule = (
            "is for counts, and coarser levels draw each of three answers or more by itself, with "
            "GM"
        )
        remedy = "leave it out, or make two releases"
        raise InvalidInput("level_properties", rule, found=several[0], remedy=remedy)


def _check_cube(question: Question, counts: list[Counts]) -> None:
    """Refuse a cube that is too large to be read as one."""
    from discreet.reading.levels.cube import LARGEST

    groups = {
        keys: sum(level.sizes.values()) for keys, level in zip(question.levels, counts, strict=True)
    }
    rows, columns = (groups[keys] for keys in (question.by[:1], question.by[1:]))
    if (rows + 1) * (columns + 1) > LARGEST:
        rule = f"must have at most {LARGEST:,} places for cells, to be read together as a cube"
        raise InvalidInput(
            "levels", rule, f"{rows:,} x {columns:,}", remedy="give `levels='rollup'`"
        )


def choose_split(
    question: Question, request: Request, nesting: Tree | Cube
) -> tuple[Fraction, ...]:
    """The share of each level, the finest first, from sizes that are public."""
    from discreet.reading.levels.cube_shares import choose_cube_shares
    from discreet.reading.levels.level_shares import choose_shares
    from discreet.reading.levels.tree import Tree

    whole = read_alpha(alpha=request.alpha, epsilon=request.epsilon).epsilon
    weights = [weight_of(count) for count in question.counts]
    epsilon = float(whole / question.contributions) * sum(weights) / len(weights)
    importance, noises = question.importance[::-1], noises_of(question, request)
    if isinstance(nesting, Tree):
        return choose_shares(nesting, epsilon, noises=noises, importance=importance)[::-1]
    levels = cube_places(question)
    return choose_cube_shares(nesting, levels, epsilon, noises=noises, importance=importance)[::-1]


def weight_of(count: Count) -> float:
    """What of epsilon one draw of a count is made at: half of its share for an answer that is
    drawn by itself.
    """
    return float(count.share) / (1 if count.answers is None else 2)


def noises_of(question: Question, request: Request) -> list[NoiseAt]:
    """The noise of each level, the coarsest first, as a function of sizes and epsilon."""
    from discreet.reading.levels.shape_noise import shaped_at

    shapes = [request.properties, *question.level_properties[1:]]
    working = working_prior(request.prior)
    return [shaped_at(read_shape(shape), working) for shape in reversed(shapes)]


def refuse_unreadable(question: Question, place: int, chosen: Sequence[BySize]) -> None:
    """Refuse, before anything is paid, a shape of a coarser level whose numbers could not be read
    with the others.

    GM always can be; some other mechanism may have no unbiased estimate, or noise that reaches too
    far to be debiased.
    """
    from discreet.reading.levels.level_noise import noise_by_mechanism
    from discreet.reading.methods.debiasing import NotEstimable

    shape = question.level_properties[place]
    for by_size in chosen if shape else ():
        by_theorem = [family for family in by_size.families if family.kind == "geometric"]
        try:
            for n in by_size.sizes:
                if n and not any(n in family for family in by_theorem):
                    noise_by_mechanism([by_size[n]])
        except NotEstimable as error:
            rule = (
                f"must leave level {level_name(question.levels[place])} readable beside the "
                f"others ({error.rule})"
            )
            remedy = (
                "give the level a larger share of epsilon, or leave its shape out: GM can always "
                "be read"
            )
            raise InvalidInput("level_properties", rule, found=shape, remedy=remedy) from None


def working_prior(prior: Any) -> Working:
    """Where working variances are taken: under the prior asked for where that is a word, else at
    the middle count.
    """
    if prior is None or isinstance(prior, str):
        chance = read_prior(prior, 2).chance
        return "uniform" if chance is None else chance
    return "middle"


def tree_of(engine: Engine, question: Question, finest: Counts) -> Tree:
    """The levels as a tree whose finest groups of one parent and one size are one."""
    import numpy as np

    from discreet.reading.levels.tree import Tree, sum_by

    *groups, size, copies = _nesting(engine, finest, _places(question)[1:])
    # from the coarsest on: a group's parent is that of any of its rows
    ids, sizes, parents = groups[::-1], [], []
    for place, own in enumerate(ids):
        sizes.append(sum_by(own, size * copies, int(own.max()) + 1).astype(np.int64))
        if place:
            above = np.zeros(len(sizes[place]), dtype=np.int64)
            above[own] = ids[place - 1]
            parents.append(above)
    return Tree(sizes=(*sizes, size), parents=(*parents, ids[-1]), copies=copies.astype(np.float64))


def cube_of(engine: Engine, finest: Counts) -> Cube:
    """The cells of two crossing keys."""
    from discreet.reading.levels.cube import make_cube

    row, column, size, _ = _nesting(engine, finest, [[0], [1]])
    return make_cube(row, column, size)


def cube_places(question: Question) -> list[int]:
    """The place of each level, the coarsest first, among total, rows, columns and cells."""
    known = {(): 0, question.by[:1]: 1, question.by[1:]: 2, question.by: 3}
    return [known[keys] for keys in question.levels[::-1]]


def _places(question: Question) -> list[list[int]]:
    """The places of each level's keys in `by`."""
    return [[question.by.index(name) for name in keys] for keys in question.levels]


def _nesting(engine: Engine, finest: Counts, levels: Sequence[Sequence[int]]) -> list[Integers]:
    import numpy as np

    table = engine.nesting(finest, levels)
    return [np.asarray(column.to_numpy(), dtype=np.int64) for column in table.columns]
