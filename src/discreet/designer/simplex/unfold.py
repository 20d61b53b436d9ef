"""From the folded program back to the full one: the matrix, and multipliers for every row a
certificate names.

The solver saw one variable for entries that must be equal. A folded row stands for a full row and
its mirror image: in a symmetric problem each gets half of its multiplier. What entries of one
variable are then charged may differ; the equations that make them equal (fairness, symmetry, alpha
= 1, output DP at 1) carry the difference along a tree of such equations, so that every reduced cost
is non-negative.

`price` says what multipliers prove: the reduced costs, and the lower bound `b.y + sum min(0,
reduced cost)`.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import gcd, ldexp, prod
from typing import TYPE_CHECKING

from flint import fmpq, fmpz

from discreet.core.certificate import costs_of
from discreet.core.domains import ROWS
from discreet.designer.lp.program import KINDS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from discreet.core.certificate import Problem, Row
    from discreet.core.domains import Cell
    from discreet.designer.lp.program import Name, Program
    from discreet.designer.simplex.basis import Basis
    from discreet.designer.simplex.vertex import Dual

FREE = frozenset({"sum", *(row.kind for row in ROWS.values() if row.free)})


@dataclass(frozen=True, slots=True, kw_only=True)
class Multipliers:
    """Multipliers of full rows by name, as integers over one denominator."""

    rows: dict[Name, int]
    denominator: int

    def reduced(self) -> Multipliers:
        """Return the same multipliers in lowest terms, zeros left out."""
        rows = {name: amount for name, amount in self.rows.items() if amount}
        common = gcd(self.denominator, *rows.values())
        return Multipliers(
            rows={name: amount // common for name, amount in rows.items()},
            denominator=self.denominator // common,
        )

    def as_rows(self) -> tuple[Row, ...]:
        """Return them as a certificate writes them, in one order."""
        return tuple((*name, self.rows[name]) for name in sorted(self.rows))


@dataclass(frozen=True, slots=True, kw_only=True)
class Priced:
    """Reduced costs `reduced[i][j] / denominator` of the entries, and the bound they prove."""

    reduced: list[list[int]]
    denominator: int
    bound: Fraction


def price(problem: Problem, multipliers: Multipliers) -> Priced:
    """Charge every entry what the rows charge for it.

    Signs of inequalities' multipliers, and that a worst case's input multipliers sum to 1, are for
    the caller to check.
    """
    domain, rows = problem.domain, multipliers.rows
    unit = prod(ratio.denominator for ratio in problem.ratios.values()) * costs_of(problem).scale
    denominator = multipliers.denominator * unit
    reduced = _costs(problem, multipliers, denominator)
    charge = {
        name: ratio.numerator * (unit // ratio.denominator)
        for name, ratio in problem.ratios.items()
    }
    value = floors = 0
    for (kind, a, b, c), y in rows.items():
        if kind == "sum":
            value += y * unit
            for row in reduced:
                row[a] -= y * unit
        elif kind == "own":
            cells, least = problem.own[a].rows[b].whole
            value += y * unit * least
            for i, j, coefficient in cells:
                reduced[i][j] -= y * unit * coefficient
        elif kind != "input":
            (i, j), tail = ROWS[kind].cells(domain, (a, b, c))
            reduced[i][j] -= y * unit
            if tail is None:
                floors += y
            else:
                reduced[tail[0]][tail[1]] += y * charge[ROWS[kind].ratio]
    negative = sum(entry for row in reduced for entry in row if entry < 0)
    bound = Fraction(value + negative, denominator) + Fraction(
        floors, domain.size * multipliers.denominator
    )
    return Priced(reduced=reduced, denominator=denominator, bound=bound)


def is_dual(problem: Problem, multipliers: Multipliers) -> bool:
    """Whether no inequality has a negative multiplier and, in a worst case, the inputs'
    multipliers sum to 1.
    """
    rows = multipliers.rows
    if any(amount < 0 and name[0] not in FREE for name, amount in rows.items()):
        return False
    shares = sum(amount for name, amount in rows.items() if name[0] == "input")
    return not problem.worst_case or shares == multipliers.denominator


def _costs(problem: Problem, multipliers: Multipliers, denominator: int) -> list[list[int]]:
    """The entries' own costs over `denominator`: the prior's, or what the inputs' multipliers
    make of them.
    """
    size, rows, costs = problem.n + 1, multipliers.rows, costs_of(problem)
    if problem.worst_case:
        rest = denominator // (costs.scale * multipliers.denominator)
        share = [
            w * size * rows.get(("input", j, 0, 0), 0) * rest for j, w in enumerate(costs.weight)
        ]
    else:
        share = [w * (denominator // costs.scale) for w in costs.weight]
    return [
        [weight * value for weight, value in zip(share, line, strict=True)] for line in costs.loss
    ]


def unfold(basis: Basis, found: Dual) -> Multipliers:
    """Give the full rows their multipliers; inequalities with a negative one (a basis not
    optimal) get none.
    """
    amounts, common = _whole(basis, found)
    shared = common
    for amount in amounts.values():
        if shared == 1:
            break
        shared = shared.gcd(amount)
    if shared != 1:
        amounts = {name: amount // shared for name, amount in amounts.items()}
    return _unfolded(basis.program, amounts, common // shared)


def unfold_floats(
    program: Program, rows: Sequence[float], reduced: Sequence[float]
) -> Multipliers | None:
    """Give the full rows the multipliers of a float solve, rounded; a bound needs no more than the
    right signs.

    `rows` are the multipliers of ratios, sums and inputs in the solver's order, `reduced` the
    reduced costs.
    """

    def rounded(value: float) -> fmpq:
        return fmpq(round(ldexp(value, 60)), 1 << 60)

    ratios, sums = program.first_bound, len(program.sums)
    named: dict[Name, fmpq] = {}
    for kind, label, value in zip(
        program.kind.tolist(), program.label.tolist(), rows[:ratios], strict=True
    ):
        if value > 0:
            named[KINDS[kind], *label] = rounded(value)
    for j, value in zip(program.sums.tolist(), rows[ratios : ratios + sums], strict=True):
        named["sum", j, 0, 0] = rounded(value)
    for u, floor in program.floors.items():
        if reduced[u] > 0:
            named[floor] = rounded(reduced[u])
    shares = [max(fmpq(0), rounded(value)) for value in rows[ratios + sums :]]
    if program.inputs:
        total = sum(shares, start=fmpq(0))
        if total == 0:
            return None
        for j, share in zip(program.input_label, shares, strict=True):
            named["input", j, 0, 0] = share / total
    return spread(program, {name: value for name, value in named.items() if value != 0})


def spread(program: Program, folded: dict[Name, fmpq]) -> Multipliers:
    """Put folded multipliers on the full rows, and even out what equal entries are charged."""
    denominator = fmpz(1)
    for value in folded.values():
        denominator = denominator.lcm(value.q)
    return _unfolded(
        program,
        {name: value.p * (denominator // value.q) for name, value in folded.items()},
        denominator,
    )


def _unfolded(program: Program, folded: dict[Name, fmpz], denominator: fmpz) -> Multipliers:
    """The same for multipliers that are integers over one denominator."""
    mirrored = 2 if program.symmetric else 1
    rows: dict[Name, int] = {}
    for name, value in folded.items():
        amount = int(value)
        rows[name] = rows.get(name, 0) + amount
        if program.symmetric:
            other = _mirror(name, program.problem)
            rows[other] = rows.get(other, 0) + amount
    multipliers = Multipliers(rows=rows, denominator=int(denominator) * mirrored)
    return _even(program.problem, multipliers, symmetric=program.symmetric)


def named(basis: Basis, found: Dual) -> dict[Name, fmpq]:
    """The folded multipliers by the name of the full row that each folded row stands for."""
    amounts, common = _whole(basis, found)
    return {name: fmpq(amount, common) for name, amount in amounts.items()}


def _whole(basis: Basis, found: Dual) -> tuple[dict[Name, fmpz], fmpz]:
    """The same as integers over one denominator, not quite in lowest terms: that takes a
    fraction of the time.
    """
    program, power, tree, stretch = basis.program, basis.power, basis.tree, found.stretch
    kinds, labels = program.kind.tolist(), program.label.tolist()
    first_bound, first_input = program.first_bound, program.first_input
    # What a multiplier has below its head's power mostly cancels: `share` is what has been left
    # over so far.
    share = fmpz(1)
    parts = [
        (("sum", j, 0, 0), amount, share)
        for j, amount in zip(program.sums.tolist(), found.sums, strict=True)
    ]
    for k, amount in found.signed.items():
        if amount <= 0:
            continue
        if k >= first_input + len(program.inputs):
            parts.append(
                (program.extra_label[k - first_input - len(program.inputs)], amount, fmpz(1))
            )
        elif k >= first_input:
            parts.append(
                (
                    ("input", program.input_label[k - first_input], 0, 0),
                    amount * program.scale,
                    fmpz(1),
                )
            )
        else:
            head = basis.head(k)
            below = power[head] * stretch[tree[head]] if tree[head] in stretch else power[head]
            quotient, rest = divmod(amount * share, below)
            if rest != 0:
                share *= below // fmpz(below).gcd(rest)
                quotient = amount * share // below
            if k < first_bound:
                a, b, c = labels[k]
                parts.append(((KINDS[kinds[k]], a, b, c), quotient, share))
            elif head in program.floors:
                parts.append((program.floors[head], quotient, share))
    amounts = {
        name: amount if part is share else amount * (share // part)
        for name, amount, part in parts
        if amount
    }
    return amounts, found.denominator * program.scale * share


def _mirror(name: Name, problem: Problem) -> Name:
    """The same row with yes and no exchanged."""
    (kind, a, b, c), domain = name, problem.domain
    if kind == "own":
        return kind, a, problem.own[a].mirrored(b), 0
    if kind in ("sum", "input"):
        return kind, domain.mirror(a), 0, 0
    return kind, *ROWS[kind].mirrored(domain, (a, b, c))


def _even(problem: Problem, multipliers: Multipliers, *, symmetric: bool) -> Multipliers:
    """Carry differences between entries that must be equal along the equations that make them
    so.
    """
    near: dict[Cell, list[tuple[Cell, int, Name, Name | None]]] = {}
    for first, second, forth, back in _equations(problem, symmetric=symmetric):
        near.setdefault(first, []).append((second, 1, forth, back))
        near.setdefault(second, []).append((first, -1, forth, back))
    if not near:
        return multipliers
    priced = price(problem, multipliers)
    left = {cell: priced.reduced[cell[0]][cell[1]] for cell in near}
    rows = {
        name: amount * (priced.denominator // multipliers.denominator)
        for name, amount in multipliers.rows.items()
    }
    seen: set[Cell] = set()
    for root in near:
        if root in seen:
            continue
        seen.add(root)
        order: list[tuple[Cell, Cell, int, Name, Name | None]] = []
        queue = [root]
        for cell in queue:
            for other, sign, forth, back in near[cell]:
                if other not in seen:
                    seen.add(other)
                    queue.append(other)
                    # seen from the child, the equation's first entry is the parent when sign is 1
                    order.append((other, cell, -sign, forth, back))
        for child, parent, sign, forth, back in reversed(order):
            amount = sign * left[child]
            left[parent] += left[child]
            if amount < 0 and back is not None:
                rows[back] = rows.get(back, 0) - amount
            elif amount:
                rows[forth] = rows.get(forth, 0) + amount
    return Multipliers(rows=rows, denominator=priced.denominator).reduced()


def _equations(
    problem: Problem, *, symmetric: bool
) -> Iterator[tuple[Cell, Cell, Name, Name | None]]:
    """Equations between entries: (first, second, row, opposite row for a negative multiplier if
    it is a pair).
    """
    domain = problem.domain
    for row in problem.equations:
        if row.image == "mirror" and symmetric:
            continue
        paired = not row.free  # x >= y and y >= x
        for label in row.labels(domain):
            first, second = row.cells(domain, label)
            a, b, c = label
            if second is None or first > second:
                continue
            opposite = ((a, c, b) if row.head == (0, 1) else (b, a, c)) if paired else None
            yield (
                first,
                second,
                (row.kind, *label),
                None if opposite is None else (row.kind, *opposite),
            )
