"""What a problem about histograms costs, orbit by orbit."""

from __future__ import annotations

from dataclasses import dataclass
from math import lcm
from typing import TYPE_CHECKING

from discreet.core.forms.orbits import Orbits, classes_of, histogram_of, orbits_of

if TYPE_CHECKING:
    from fractions import Fraction

    from discreet.core.certificate import Problem


def folded(problem: Problem) -> Orbits:
    """The orbits of a problem's entries."""
    return orbits_of(histogram_of(problem), classes_of(problem))


@dataclass(frozen=True, slots=True, kw_only=True)
class OrbitCosts:
    """What a problem costs, as integers over `scale`: each orbit on average, or each input's orbits
    in a worst case.

    `inputs[t]` are the costs of the true histogram with number t as (orbit, cost) pairs; inputs
    that cost the same, or less than another of their orbit by a factor, are left out.
    """

    scale: int
    mean: list[int]
    inputs: dict[int, list[tuple[int, int]]]


def orbit_costs(problem: Problem, orbits: Orbits) -> OrbitCosts:
    """Add up what the entries of each orbit cost."""
    domain, loss = orbits.domain, problem.loss
    weights, weight_scale = _whole(problem.prior.weights)
    if loss.table is not None:
        return _from_table(problem, orbits, weights, weight_scale)
    costs, loss_scale = _whole([loss.at(d) for d in range(domain.n + 1)])
    at = [
        entries * costs[far] for entries, far in zip(orbits.entries, orbits.distance, strict=True)
    ]
    whole = [0] * len(orbits.truths)
    heaviest = [0] * len(orbits.truths)
    for j, s in enumerate(orbits.truth_number):
        whole[s] += weights[j]
        if weights[j] > weights[heaviest[s]] or orbits.truth_number[heaviest[s]] != s:
            heaviest[s] = j
    if not problem.worst_case:
        mean = [cost * whole[s] for cost, s in zip(at, orbits.truth_of, strict=True)]
        return OrbitCosts(scale=loss_scale * weight_scale, mean=mean, inputs={})
    inputs: dict[int, list[tuple[int, int]]] = {j: [] for j in heaviest}
    for u, s in enumerate(orbits.truth_of):
        inputs[heaviest[s]].append((u, at[u] * weights[heaviest[s]] * domain.size))
    return OrbitCosts(scale=loss_scale * weight_scale, mean=[0] * len(at), inputs=inputs)


def _from_table(
    problem: Problem, orbits: Orbits, weights: list[int], weight_scale: int
) -> OrbitCosts:
    """The same for costs that are written out, entry by entry."""
    points, table = orbits.domain.points, problem.loss.table or ()
    loss_scale = lcm(*{cost.denominator for row in table for cost in row})
    mean = [0] * len(orbits.codes)
    inputs: dict[int, list[tuple[int, int]]] = {}
    for j, truth in enumerate(points):
        at: dict[int, int] = {}
        for i, output in enumerate(points):
            u, cost = orbits.of(output, truth), int(table[i][j] * loss_scale) * weights[j]
            at[u] = at.get(u, 0) + cost
        if problem.worst_case:
            inputs[j] = [(u, cost * len(points)) for u, cost in at.items()]
        else:
            for u, cost in at.items():
                mean[u] += cost
    return OrbitCosts(scale=loss_scale * weight_scale, mean=mean, inputs=inputs)


def _whole(values: list[Fraction] | tuple[Fraction, ...]) -> tuple[list[int], int]:
    """Numerators over one common denominator, and that denominator."""
    common = lcm(*{value.denominator for value in values})
    return [value.numerator * (common // value.denominator) for value in values], common
