"""The mathematics of a proof file, in integers: privacy, properties, scores, and the bound that
proves optimality.

Each check returns a sentence for the report, or raises `ProofFailed` naming what does not hold. A
closed form too large to write out is checked against its theorem instead, and the sentence says "by
theorem".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import repeat
from typing import Any, NoReturn

from discreet.errors import ProofFailed
from discreet.proof.by_theorem import (
    NEARLY,
    THEOREMS,
    WRITTEN_OUT,
    Row,
    applies,
    known_properties,
    known_ratio,
    known_score,
    multipliers,
)
from discreet.proof.own.row_checks import MORE, OwnRows, own_rows_of
from discreet.proof.reading import (
    NAMES,
    Form,
    affordable,
    invalid,
    read_chance,
    read_fields,
    read_hex,
    read_loss,
    read_multipliers,
    read_prior,
    read_ratio,
    read_shape,
    weights_fit,
    written_out,
)

MAX_EPSILON = 1000
EQUATIONS = ("sum", "f", "s")  # rows with "=": their multipliers may have any sign
IMPLIED = (({"RM"}, "RH"), ({"CM"}, "CH"), ({"F", "RH"}, "CH"), ({"CH"}, "WH"), ({"F", "CH"}, "RH"))
Shape = tuple[set[str], Fraction | None]  # names of properties, and the ratio of output DP


def fail(message: str) -> NoReturn:
    """Say which claim does not hold."""
    raise ProofFailed(message)


def shown(value: Fraction) -> str:
    """Show a number to a person: as a fraction if that is short, else rounded to 9 decimals."""
    if max(abs(value.numerator), value.denominator) < 10**6:
        return str(value)
    whole, decimals = divmod(round(abs(value) * 10**9), 10**9)
    return f"{'-' if value < 0 else ''}{whole}.{decimals:09}" if whole < 10**18 else "over 10^18"


def limit(n: int, left: int, right: int) -> None:
    """Refuse numbers that would take too long to multiply in every cell."""
    if not affordable(n, left, right):
        invalid(
            "file",
            "is too much work: its cells times the bits of what is multiplied in each exceed the "
            "limit",
        )


def check_price(alpha: Fraction, epsilon: Fraction) -> None:
    """Check that alpha is one, and that it is accounted at no less than it costs."""
    if not 0 < alpha <= 1 or epsilon > MAX_EPSILON:
        fail(f"alpha must be in (0, 1], and epsilon at most {MAX_EPSILON}")
    # exp(epsilon) >= 1/alpha, because a partial sum of the series, rounded down in 512 bits,
    # already is
    total = term = 1 << 512
    x, k = int(epsilon * total), 0
    while term:
        k += 1
        term = (term * x >> 512) // k
        total += term
    if total * alpha.numerator < alpha.denominator << 512:
        fail("epsilon: exp(-epsilon) is above alpha, so it understates what a release costs")


def check_privacy(form: Form, alpha: Fraction, epsilon: Fraction, tight: Fraction | None) -> str:
    """Check that it is a mechanism, alpha-private, accounted at no less than it costs, and its
    tight alpha.
    """
    check_price(alpha, epsilon)
    if form.rows is None:
        if alpha > form.alpha or tight not in (None, form.alpha):
            fail("privacy: the closed form is not as private as the file says")
        return (
            f"private, by theorem (too large to write out): the {form.kind} mechanism, with alpha "
            f"= {shown(alpha)}; exp(-epsilon) <= alpha for epsilon = {shown(epsilon)}"
        )
    attained = check_matrix(form, alpha if tight is None else tight)
    if tight is not None and not (attained and alpha <= tight):
        fail(f"tight_alpha: {shown(tight)} is not the largest alpha that holds, or is below alpha")
    exact = (
        ""
        if tight is None
        else ", which is tight"
        if tight == alpha
        else f" (tight: {shown(tight)})"
    )
    return (
        f"private: {form.n + 1} columns sum to 1, no entry is negative, and neighbouring entries "
        f"are within a factor of alpha = {shown(alpha)}{exact}; exp(-epsilon) <= alpha for "
        f"epsilon = {shown(epsilon)}"
    )


def check_matrix(form: Form, at_least: Fraction) -> bool:
    """Check a matrix that is written out: sums, and neighbours within a factor; return whether
    that is attained.
    """
    rows = form.rows or []
    for j in range(form.n + 1):
        if sum(row[j] for row in rows) != form.denominator:
            fail(f"matrix: column {j} does not sum to 1")
    limit(form.n, at_least.denominator, form.denominator)
    p, q, attained = at_least.numerator, at_least.denominator, at_least == 1
    for i, row in enumerate(rows):
        for j in range(form.n):
            small, large = sorted((row[j], row[j + 1]))
            if q * small < p * large:
                fail(
                    f"privacy: Pr[{i}|{j}] and Pr[{i}|{j + 1}] differ by more than a factor of "
                    f"{shown(at_least)}"
                )
            attained = attained or q * small == p * large > 0
    return attained


def cells(kind: str, a: int, b: int, c: int, n: int) -> tuple[int, int, int, int] | None:
    """Return (i, j, k, m) for the row `x[i,j] >= factor x[k,m]` with this name (f, s: `=`); None
    if there is none.
    """
    match kind:
        case "dp" if abs(b - c) == 1:
            return a, b, a, c
        case "rm" if abs(b - c) == 1 and abs(c - a) > abs(b - a):
            return a, b, a, c
        case "odp" if abs(a - b) == 1:
            return a, c, b, c
        case "cm" if abs(a - b) == 1 and abs(b - c) > abs(a - c):
            return a, c, b, c
        case "rh" if c == 0:
            return a, a, a, b
        case "ch" if c == 0:
            return b, b, a, b
        case "f" if b == c == 0 and a < n:
            return a, a, a + 1, a + 1
        case "s" if c == 0:
            return a, b, n - a, n - b
    return None


def rows_of(kind: str, n: int) -> Iterator[tuple[int, int, int, int]]:
    """Yield the cells of every row of a kind: a property holds when all of its rows do."""
    for a in range(n + 1):
        for b in range(n + 1):
            steps = [(b, b - 1), (b, b + 1)] if kind in ("rm", "cm", "odp") else [(b, 0)]
            for near, far in steps:
                name = (near, far, a) if kind in ("cm", "odp") else (a, near, far)
                if 0 <= far <= n and (found := cells(kind, *name, n)):
                    yield found


def check_shape(form: Form, names: set[str], beta: Fraction | None) -> str:
    """Check the properties named, and output DP with ratio beta."""
    if form.rows is None:
        _check_shape_by_theorem(form, names, beta)
    else:
        for name in sorted(names):
            _check_property(form.rows, form.denominator, name, Fraction(1))
        if beta is not None:
            limit(form.n, beta.denominator, form.denominator)
            _check_property(form.rows, form.denominator, "ODP", beta)
    return (
        f"{'by theorem, ' if form.rows is None else ''}properties: {_words(names, beta)}"
        if names or beta
        else ""
    )


def _words(names: set[str], beta: Fraction | None) -> str:
    return " ".join(
        [*(name for name in NAMES if name in names), *([f"ODP:{shown(beta)}"] if beta else [])]
    )


def _check_property(x: list[list[int]], denominator: int, name: str, factor: Fraction) -> None:
    n, p, q = len(x) - 1, factor.numerator, factor.denominator
    if name == "WH":
        bad = [(i, i) for i in range(n + 1) if (n + 1) * x[i][i] < denominator]
    else:
        excess = ((i, j, q * x[i][j] - p * x[k][m]) for i, j, k, m in rows_of(name.lower(), n))
        bad = [(i, j) for i, j, e in excess if e < 0 or (e and name.lower() in EQUATIONS)]
    if bad:
        fail(f"properties: {name} does not hold at Pr[{bad[0][0]}|{bad[0][1]}]")


def _check_shape_by_theorem(form: Form, names: set[str], beta: Fraction | None) -> None:
    n, a = form.n, form.alpha
    if not names <= (known := known_properties(form.kind, n, n, a)):
        fail(f"properties: no theorem gives {min(names - known)} to this mechanism")
    if beta is not None and beta > known_ratio(form.kind, n, a):
        fail("output_dp: no theorem gives this ratio to this mechanism")


def check_score(form: Form, loss: Any, prior: Any, worst_case: Any, value: Any) -> str:
    """Check that a score is what it is said to be."""
    claimed, worst = read_ratio(value, "scores"), _flag(worst_case)
    if form.rows is not None:
        numerator, denominator, words = _cost(form, loss, prior, worst)
    else:
        known = known_score(form.kind, form.n, form.alpha)
        if known is None or not _is_l0(loss) or prior != "uniform" or worst:
            fail("scores: no theorem gives this score, and the matrix is too large to write out")
        (numerator, denominator), words = (
            known.as_integer_ratio(),
            "by theorem, mean L0 (uniform prior)",
        )
    if numerator * claimed.denominator != claimed.numerator * denominator:
        fail(f"scores: {words} is not {shown(claimed)}")
    return f"score: {words} = {shown(claimed)}"


def _flag(value: Any) -> bool:
    return value if isinstance(value, bool) else invalid("worst_case", "must be true or false")


def _is_l0(loss: Any) -> bool:
    return isinstance(loss, dict) and loss == {"tail": 0} and type(loss["tail"]) is int


def _cost(form: Form, loss: Any, prior: Any, worst: bool) -> tuple[int, int, str]:
    """Return sum_j w_j sum_i loss[i][j] Pr[i|j], or max_j of (n+1) times that: numerator,
    denominator, name.
    """
    if form.rows is None:
        fail("optimality: the matrix is too large to write out, so only a theorem can be claimed")
    (costs, under, loss_name), (weights, total, prior_name) = (
        read_loss(loss, form.n),
        read_prior(prior, form.n),
    )
    limit(form.n, max(map(max, costs)), form.denominator)
    at = [
        w * sum(c[j] * x[j] for c, x in zip(costs, form.rows, strict=True))
        for j, w in enumerate(weights)
    ]
    words = f"{'worst-case' if worst else 'mean'} {loss_name} ({prior_name})"
    return (form.n + 1) * max(at) if worst else sum(at), under * total * form.denominator, words


def check_optimality(form: Form, alpha: Fraction, verified: Shape, claim: Any) -> tuple[bool, str]:
    """Check that it solves its problem, having the properties `verified`, and that none costs
    less than the bound.
    """
    by_theorem, by_place = (
        isinstance(claim, dict) and name in claim for name in ("theorem", "values")
    )
    fields = (
        ["theorem"]
        if by_theorem
        else ["cost", "bound", "denominator", "multipliers", *["values"] * by_place]
    )
    problem, *proof = read_fields(claim, "optimality", "problem", *fields)
    own = None
    if isinstance(problem, dict) and problem.keys() & set(MORE):
        problem, own = own_rows_of(problem, form.n, form, alpha)
    asked = ["properties", "output_dp", "loss", "prior", "worst_case"]
    properties, ratio, loss, prior, worst_case = read_fields(problem, "problem", *asked)
    (names, beta), objective = read_shape(properties, ratio), (loss, prior, _flag(worst_case))
    if not names <= verified[0] or (beta or 0) > (verified[1] or 0):
        fail("optimality: the problem asks for a property that the mechanism does not claim")
    if by_theorem:
        return check_theorem(form, alpha, (names, beta), objective, proof[0])
    rivals = rivals_of(names, beta) + (own.words if own else "")
    cost, bound = (read_ratio(value, "optimality", signed=True) for value in proof[:2])
    scale, given = (
        read_hex(proof[2], "optimality", positive=True),
        read_multipliers(proof[3], form.n, *proof[4:]),
    )
    numerator, denominator, words = _cost(form, *objective)
    if numerator * cost.denominator != cost.numerator * denominator:
        fail(f"optimality: its {words} is not {shown(cost)}")
    numerator, denominator = _bound(form.n, alpha, (names, beta), objective, scale, given, own)
    if numerator * bound.denominator != bound.numerator * denominator:
        fail(f"optimality: the multipliers do not give the bound {shown(bound)}")
    proven = (
        f"{len(given)} multipliers prove that no {rivals} has a lower {words} than {shown(bound)}"
    )
    return cost == bound, f"{'optimal' if cost == bound else 'it costs ' + shown(cost)}: {proven}"


def _bound(
    n: int,
    alpha: Fraction,
    shape: Shape,
    objective: tuple[Any, Any, bool],
    scale: int,
    rows: Iterable[Row],
    own: OwnRows | None = None,
) -> tuple[int, int]:
    """Return b.y + sum_v min(0, reduced cost of v) as numerator and denominator; multipliers are
    over `scale`.
    """
    (loss, prior, worst), (names, beta), size = objective, shape, n + 1
    (costs, under, _), (weights, total, _) = read_loss(loss, n), read_prior(prior, n)
    names = set(names)
    for _ in IMPLIED:
        names |= {then for given, then in IMPLIED if given <= names}
    kinds = {
        "sum",
        "dp",
        "own",
        *map(str.lower, names),
        *(["odp"] if beta else []),
        *(["input"] if worst else []),
    }
    # what the rows charge for each entry, in units of 1 / (scale * unit)
    unit = alpha.denominator * (beta.denominator if beta else 1)
    factor = {"dp": int(alpha * unit), "odp": int((beta or 0) * unit)}
    charge = [[0] * size for _ in range(size)]
    column, share, floor, right = [0] * size, [0] * size, 0, 0
    for kind, a, b, c, y in rows:
        if kind not in kinds or (y < 0 and kind not in EQUATIONS):
            fail(
                "optimality: a multiplier is negative, or belongs to a row that the problem does "
                "not have"
            )
        if kind in ("sum", "wh", "input"):
            if b or c:
                invalid("multipliers", f"of kind {kind} have one index")
            column[a] += y if kind == "sum" else 0
            share[a] += y if kind == "input" else 0
            floor += y if kind == "wh" else 0
            charge[a][a] += y * unit if kind == "wh" else 0
        elif own and kind == "own":
            right += own.charge((a, b, c), y * unit, charge)
        elif found := cells(kind, a, b, c, n):
            i, j, k, m = found
            charge[i][j] += y * unit
            charge[k][m] -= y * factor.get(kind, unit)
        else:
            invalid("multipliers", f"have an index that is no row of kind {kind}")
    if worst and sum(share) != scale:
        fail("optimality: the multipliers of the inputs do not sum to 1")
    # reduced costs are over scale * unit * under * total; in the worst case the inputs' rows carry
    # the loss
    price = [
        (size * w * y if worst else w * scale) * unit for w, y in zip(weights, share, strict=True)
    ]
    common = under * total
    limit(n, max(price), max(map(max, costs)))
    limit(n, max(abs(x) for charges in (*charge, column) for x in charges) * unit, common)
    left = [
        [c * x - y * common for c, x, y in zip(*line, strict=True)]
        for line in zip(costs, repeat(price), charge)
    ]
    left, common = own.seen(left, common) if own else (left, common)
    every = [y * unit * common for y in column]
    negative = sum(min(0, x - y) for line in left for x, y in zip(line, every, strict=True))
    ends = (size * sum(column) + floor) * unit + size * right
    return ends * common + size * negative, size * scale * unit * common


def check_theorem(
    form: Form, alpha: Fraction, shape: Shape, objective: tuple[Any, Any, bool], theorem: Any
) -> tuple[bool, str]:
    """Check a theorem's conditions and, up to a size, its proof: the multipliers are written out
    and added up.
    """
    (names, beta), (loss, prior, worst) = shape, objective
    if not isinstance(theorem, str) or theorem not in THEOREMS:
        invalid("theorem", f"must be one of {', '.join(THEOREMS)}")
    uniform, kind = prior == "uniform", form.kind
    if kind == "geometric" and form.n == 1 and theorem == "fair":
        kind = "fair"  # at n = 1 the two are one matrix, which is stored as GM
    if (
        form.alpha != alpha
        or not _is_l0(loss)
        or not applies(theorem, kind, names, uniform=uniform, worst=worst)
    ):
        fail(f'optimality: the conditions of the theorem "{theorem}" are not met')
    rivals, mean = rivals_of(names, beta), "worst-case" if worst else "mean"
    if not multipliers_fit(form, alpha, prior):
        if theorem == NEARLY:
            return (
                False,
                f"by theorem, mean L0 (uniform prior) is below 1 + 1/{form.n} times that of any "
                f"{rivals}",
            )
        return True, f'optimal, by theorem "{theorem}": no {rivals} has a lower {mean} L0'
    weights, total, _ = read_prior(prior, form.n)
    scale, rows = multipliers(theorem, form.n, alpha, (weights, total), worst)
    cost, bound = _cost(form, *objective), _bound(form.n, alpha, shape, objective, scale, rows)
    proven = (
        f'the {len(rows)} multipliers of theorem "{theorem}", written out here, prove '
        f"that no {rivals} has"
    )
    if theorem == NEARLY:
        if form.n * cost[0] * bound[1] >= (form.n + 1) * bound[0] * cost[1]:
            fail(f'optimality: the multipliers of the theorem "{theorem}" do not prove it')
        least = shown(Fraction(*bound))
        return (
            False,
            f"it costs {shown(Fraction(*cost[:2]))}, below 1 + 1/{form.n} of it: {proven} less "
            f"than {least}",
        )
    if cost[0] * bound[1] != bound[0] * cost[1]:
        fail(f'optimality: the multipliers of the theorem "{theorem}" do not prove it')
    return True, f"optimal: {proven} a lower {cost[2]} than {shown(Fraction(*bound))}"


def multipliers_fit(form: Form, alpha: Fraction, prior: Any) -> bool:
    """Say whether the multipliers of a theorem are few and short enough to be written out; check
    the prior.
    """
    chance = read_chance(prior, form.n)
    digits = alpha.denominator * chance.denominator  # as many as both have
    short = written_out(form.n, Fraction(1, digits)) and weights_fit(form.n, chance)
    return form.rows is not None and form.n <= WRITTEN_OUT and short


def rivals_of(names: set[str], beta: Fraction | None) -> str:
    """All that a proof of optimality is about."""
    return f"mechanism with this alpha{' and ' if names or beta else ''}{_words(names, beta)}"
