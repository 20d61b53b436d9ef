"""The verifier for mechanisms over other domains than the paper's counts: histograms, and counts
moved by several.

The file, version 1: one JSON object in UTF-8 with exactly the fields of `discreet.proof`, but for
these.

    format       "discreet-domain-mechanism"
    domain       instead of n: what the true answer can be (`spaces`)
    matrix       over histograms {"classes": [INT, ...], "denominator": INT, "values": [INT, ...]},
                 one value for each orbit of entries; over counts {"denominator": INT, "rows":
                 [[INT, ...], ...]}
    PRIOR        "uniform", {"multinomial": [RATIO, ...]}, or {"denominator": INT, "weights": [INT,
                 ...]} by point
    LOSS         {"tail": d}, {"power": p} of the distance, or a table by output and truth, points
                 in ascending order. Over histograms "tail" is the chance that more than d people
                 are misplaced, without a factor
    optimality   over histograms it has one more field, "classes": those of the orbits that its
                 multipliers are about
    multipliers  over histograms [kind, u, v, 0, INT] names two orbits; "sum", "wh" and "input" name
                 [point, or orbit for "wh", 0, 0]. Over counts they are those of `discreet.proof`,
                 "dp" with 1 <= |b-c| <= step

A bound over orbits holds for mechanisms that do not change when answers of a class are exchanged.
It holds for all others too if prior and loss do not change either (a mechanism averaged over the
exchanges costs no more, and keeps its privacy and its properties), or if symmetry is among the
properties asked for. That is checked.
"""

from __future__ import annotations

import hashlib
from fractions import Fraction
from math import factorial, gcd, lcm, prod
from typing import Any

from discreet.proof.checks import EQUATIONS, IMPLIED, Shape, _flag, _words, check_price, fail, shown
from discreet.proof.histograms.spaces import Histograms, Space, read_classes, read_space
from discreet.proof.reading import (
    MAX_SCORES,
    MAX_WORK,
    invalid,
    read_fields,
    read_hex,
    read_integer,
    read_list,
    read_parameter,
    read_ratio,
    read_shape,
    read_text,
    sealed,
)

FORMAT, VERSION = "discreet-domain-mechanism", 1
FIELDS = (
    "format",
    "version",
    "domain",
    "alpha",
    "epsilon",
    "matrix",
    "claims",
    "origin",
    "optimality",
    "id",
)
MAX_TABLE = 1 << 18  # entries of a loss that is written out


class Matrix:
    """A space with the value of each of its entries."""

    def __init__(self, space: Space, written: list[Any], bottom: Any) -> None:
        self.space, self.values = space, [read_hex(x, "matrix") for x in written]
        self.denominator = read_hex(bottom, "matrix", positive=True)
        if gcd(self.denominator, *self.values) != 1:
            invalid("matrix", "must be in lowest terms")
        # every value is multiplied about as often as there are entries in its row's neighbourhood
        if space.values * max(30, self.denominator.bit_length()) ** 2 > MAX_WORK:
            invalid(
                "file",
                "is too much work: its entries times the bits of what is multiplied exceed the "
                "limit",
            )


def check_domain(document: dict[str, Any]) -> dict[str, Any]:
    """Check every claim of a file; return what its report says."""
    version = document.get("version")
    if version != VERSION or version is True:
        invalid("version", f"must be {VERSION}", "a newer discreet may be able to read this file")
    seal = read_fields(document, "file", *FIELDS, "seal")[-1]
    try:
        intact = sealed(document, FIELDS) == seal
    except RecursionError:
        invalid("file", "is nested too deeply")
    if not intact:
        fail("seal: the file was changed after it was written")
    method, theorem = (
        read_text(text) for text in read_fields(document["origin"], "origin", "method", "theorem")
    )
    space, written, bottom = read_space(document["domain"], document["matrix"])
    alpha, epsilon = (read_parameter(document[name], name) for name in ("alpha", "epsilon"))
    matrix = Matrix(space, written, bottom)
    rows = [written] if "values" in document["matrix"] else document["matrix"]["rows"]
    text = f"{space.name} {bottom} " + ";".join(",".join(row) for row in rows)
    content = f"discreet mechanism 1\n{alpha.numerator:x}/{alpha.denominator:x}\n{text}\n"
    if hashlib.sha256(content.encode()).hexdigest() != document["id"]:
        fail("id: it is not the content id of this domain, alpha and matrix")
    claims = read_fields(
        document["claims"], "claims", "properties", "output_dp", "tight_alpha", "scores"
    )
    properties, ratio, tight, scores = claims
    checks = ["the seal and the content id belong to these contents"]
    checks.append(
        _check_privacy(
            matrix, alpha, epsilon, None if tight is None else read_ratio(tight, "tight_alpha")
        )
    )
    shape = read_shape(properties, ratio)
    _check_shape(matrix, shape)
    if shape[0] or shape[1]:
        checks.append(f"properties: {_words(*shape)}")
    for score in read_list(scores, "scores", most=MAX_SCORES):
        loss, prior, worst_case, value = read_fields(
            score, "scores", "loss", "prior", "worst_case", "value"
        )
        costs, claimed = Costs(space, loss, prior, _flag(worst_case)), read_ratio(value, "scores")
        if costs.of(matrix) != claimed:
            fail(f"scores: {costs.words} is not {shown(claimed)}")
        checks.append(f"score: {costs.words} = {shown(claimed)}")
    optimal = None
    if document["optimality"] is not None:
        optimal, statement = _check_optimality(matrix, alpha, shape, document["optimality"])
        checks.append(statement)
    return {
        "n": space.largest,
        "alpha": alpha,
        "epsilon": epsilon,
        "id": document["id"],
        "method": f"{method} ({theorem})" if theorem else method,
        "checks": tuple(checks),
        "optimal": optimal,
        "domain": space.words,
    }


def _check_privacy(
    matrix: Matrix, alpha: Fraction, epsilon: Fraction, tight: Fraction | None
) -> str:
    """Check that it is a mechanism, alpha-private over the domain's neighbours, and its tight
    alpha.
    """
    check_price(alpha, epsilon)
    space, x = matrix.space, matrix.values
    for members in space.columns:
        if sum(x[u] * count for u, count in members) != matrix.denominator:
            fail("matrix: a column does not sum to 1")
    at_least = alpha if tight is None else tight
    p, q, attained = at_least.numerator, at_least.denominator, at_least == 1
    for u, v in space.pairs("dp"):
        left, right = q * x[u], p * x[v]
        if left < right:
            fail(
                "privacy: two neighbouring entries differ by more than a factor of "
                f"{shown(at_least)}"
            )
        attained = attained or left == right > 0
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
        f"private: {space.size} columns sum to 1, no entry is negative, and neighbouring entries "
        f"are within a factor of alpha = {shown(alpha)}{exact}; exp(-epsilon) <= alpha for "
        f"epsilon = {shown(epsilon)}"
    )


def _check_shape(matrix: Matrix, shape: Shape) -> None:
    space, x, (names, beta) = matrix.space, matrix.values, shape
    for name in [*sorted(names), *(["ODP"] if beta else [])]:
        p, q = (beta or Fraction(1)).as_integer_ratio() if name == "ODP" else (1, 1)
        if name == "WH":
            holds = all(space.size * x[u] >= matrix.denominator for u in space.diagonal)
        elif name.lower() in EQUATIONS:
            holds = all(x[u] == x[v] for u, v in space.pairs(name.lower()))
        else:
            holds = all(q * x[u] >= p * x[v] for u, v in space.pairs(name.lower()))
        if not holds:
            fail(f"properties: {name} does not hold")


class Costs:
    """What each value costs, over `scale`: `mean`, or `inputs[t]` in the worst case, t a point."""

    def __init__(self, space: Space, loss: Any, prior: Any, worst: bool) -> None:
        self.worst, self.space = worst, space
        self.weights, total, prior_name = _read_prior(prior, space)
        self.table, self.by_distance, under, loss_name = _read_loss(loss, space)
        self.scale = total * under
        self.words = f"{'worst-case' if worst else 'mean'} {loss_name} ({prior_name})"
        self.uniform = len(set(self.weights)) == 1

    def column(self, t: int) -> list[tuple[int, int]]:
        """What the values in the column of point t cost there, weight apart."""
        space = self.space
        if self.table is None:
            return [
                (u, count * self.by_distance[space.distance[u]])
                for u, count in space.columns[space.column_of[t]]
            ]
        return [(space.at(i, t), self.table[i][t]) for i in range(space.size)]

    def mean(self) -> list[int]:
        """What each value costs on average."""
        cost = [0] * self.space.values
        weight: dict[int, int] = {}
        first: dict[int, int] = {}
        for t, w in enumerate(self.weights):
            # columns of one kind cost the same under a loss by distance
            same = t if self.table is not None else first.setdefault(self.space.column_of[t], t)
            weight[same] = weight.get(same, 0) + w
        for t, w in weight.items():
            for u, amount in self.column(t):
                cost[u] += amount * w
        return cost

    def of(self, matrix: Matrix) -> Fraction:
        """The cost of a matrix."""
        if not self.worst:
            total = sum(amount * x for amount, x in zip(self.mean(), matrix.values, strict=True))
            return Fraction(total, self.scale * matrix.denominator)
        known: dict[int, int] = {}
        most = 0
        for t, w in enumerate(self.weights):
            kind = t if self.table is not None else self.space.column_of[t]
            if kind not in known:
                known[kind] = sum(amount * matrix.values[u] for u, amount in self.column(t))
            most = max(most, w * known[kind])
        return Fraction(self.space.size * most, self.scale * matrix.denominator)

    def unchanged(self) -> bool:
        """Whether prior and loss stay as they are under the exchanges that fold the space."""
        for moved in [] if self.uniform and self.table is None else self.space.exchanges():
            if any(w != self.weights[to] for w, to in zip(self.weights, moved, strict=True)):
                return False
            for i, row in enumerate(self.table or ()):
                image = (self.table or [])[moved[i]]
                if any(x != image[to] for x, to in zip(row, moved, strict=True)):
                    return False
        return True


def _read_prior(value: Any, space: Space) -> tuple[list[int], int, str]:
    if value == "uniform":
        return [1] * space.size, space.size, "uniform prior"
    if isinstance(value, dict) and "multinomial" in value:
        points = getattr(space, "points", None)
        if points is None:
            invalid("prior", "must be uniform or weights")
        given = read_list(read_fields(value, "prior", "multinomial")[0], "prior", len(points[0]))
        chances = [read_parameter(one, "prior") for one in given]
        n, common = space.largest, lcm(*(chance.denominator for chance in chances))
        if sum(chances) != 1 or n * common.bit_length() > MAX_WORK >> 20:
            invalid("prior", "must be chances that sum to 1, with weights within the limits")
        top = [int(chance * common) for chance in chances]
        weights = [
            factorial(n)
            // prod(map(factorial, point))
            * prod(p**x for p, x in zip(top, point, strict=True))
            for point in points
        ]
        return weights, common**n, f"Multinomial({', '.join(map(str, chances))}) prior"
    denominator, given = read_fields(value, "prior", "denominator", "weights")
    weights = [read_hex(x, "prior") for x in read_list(given, "prior", space.size)]
    if sum(weights) != read_hex(denominator, "prior", positive=True):
        fail("prior: its weights do not sum to 1")
    return weights, sum(weights), "the file's own prior"


def _read_loss(value: Any, space: Space) -> tuple[list[list[int]] | None, list[int], int, str]:
    """Return a table of costs or None, the costs by distance, their denominator, and a name."""
    far = range(space.largest + 1)
    if isinstance(value, dict) and "tail" in value:
        d = read_integer(read_fields(value, "loss", "tail")[0], "loss", 10**6)
        top, bottom = space.unit_cost
        return None, [top * (x > d) for x in far], bottom, f"L0,{d}" if d else "L0"
    if isinstance(value, dict) and "power" in value:
        p = read_integer(read_fields(value, "loss", "power")[0], "loss", 64)
        return None, [x**p if x else 0 for x in far], 1, f"L{p}" if p else "|i-j|^0"
    denominator, rows = read_fields(value, "loss", "denominator", "rows")
    if space.size**2 > MAX_TABLE:
        invalid("loss", f"must have at most {MAX_TABLE} costs")
    given = [read_list(row, "loss", space.size) for row in read_list(rows, "loss", space.size)]
    table = [[read_hex(x, "loss") for x in row] for row in given]
    return table, [], read_hex(denominator, "loss", positive=True), "the file's own loss"


def _check_optimality(
    matrix: Matrix, alpha: Fraction, verified: Shape, claim: Any
) -> tuple[bool, str]:
    """Check that it solves its problem, and that no mechanism costs less than the bound."""
    space = matrix.space
    if isinstance(space, Histograms):
        # the problem may tell answers apart that the mechanism treats alike
        if not isinstance(claim, dict) or "classes" not in claim:
            invalid("optimality", "must name the classes of answers that its multipliers are about")
        classes = read_classes(claim["classes"])
        if classes != space.classes:
            space = Histograms(space.n, space.k, classes, None)
        claim = {name: value for name, value in claim.items() if name != "classes"}
    problem, *proof = read_fields(
        claim, "optimality", "problem", "cost", "bound", "denominator", "multipliers"
    )
    asked = ["properties", "output_dp", "loss", "prior", "worst_case"]
    properties, ratio, loss, prior, worst_case = read_fields(problem, "problem", *asked)
    names, beta = read_shape(properties, ratio)
    if not names <= verified[0] or (beta or 0) > (verified[1] or 0):
        fail("optimality: the problem asks for a property that the mechanism does not claim")
    costs = Costs(space, loss, prior, _flag(worst_case))
    if "S" not in names and not costs.unchanged():
        fail(
            "optimality: prior or loss tells answers apart that the bound does not, so it proves "
            "too little"
        )
    cost, bound = (read_ratio(value, "optimality", signed=True) for value in proof[:2])
    if Costs(matrix.space, loss, prior, costs.worst).of(matrix) != cost:
        fail(f"optimality: its {costs.words} is not {shown(cost)}")
    multipliers = read_list(proof[3], "multipliers")
    scale = read_hex(proof[2], "optimality", positive=True)
    if _bound(costs, alpha, (names, beta), scale, multipliers) != bound:
        fail(f"optimality: the multipliers do not give the bound {shown(bound)}")
    rivals = f"mechanism with this alpha{' and ' if names or beta else ''}{_words(names, beta)}"
    proven = (
        f"{len(multipliers)} multipliers prove that no {rivals} has a lower {costs.words} than "
        f"{shown(bound)}"
    )
    return cost == bound, f"{'optimal' if cost == bound else 'it costs ' + shown(cost)}: {proven}"


def _bound(
    costs: Costs, alpha: Fraction, shape: Shape, scale: int, multipliers: list[Any]
) -> Fraction:
    """Return b.y + sum_u min(0, reduced cost of u), multipliers being over `scale`."""
    space, (names, beta) = costs.space, (set(shape[0]), shape[1])
    for _ in IMPLIED:
        names |= {then for given, then in IMPLIED if given <= names}
    kinds = {
        "sum",
        "dp",
        *map(str.lower, names),
        *(["odp"] if beta else []),
        *(["input"] if costs.worst else []),
    }
    unit = alpha.denominator * (beta.denominator if beta else 1)
    factor = {"dp": int(alpha * unit), "odp": int((beta or 0) * unit)}
    diagonal = set(space.diagonal)
    # what the rows charge for each value, over scale * unit; what it costs, over scale *
    # costs.scale
    charge, column, floor, share = [0] * space.values, [0] * len(space.columns), 0, 0
    price = [0] * space.values if costs.worst else [amount * scale for amount in costs.mean()]
    for row in multipliers:
        kind, a, b, c, given = read_list(row, "multipliers", 5)
        y = read_hex(given, "multipliers", signed=True)
        if not isinstance(kind, str) or kind not in kinds or (y < 0 and kind not in EQUATIONS):
            fail(
                "optimality: a multiplier is negative, or belongs to a row that the problem does "
                "not have"
            )
        if kind in ("sum", "wh", "input"):
            place = read_integer(
                a, "multipliers", (space.values if kind == "wh" else space.size) - 1
            )
            if (b, c) != (0, 0):
                invalid("multipliers", f"of kind {kind} have one index")
            if kind == "sum":
                column[space.column_of[place]] += y
            elif kind == "input":
                share += y
                for u, amount in costs.column(place):
                    price[u] += amount * costs.weights[place] * space.size * y
            else:
                u = space.floor(place)
                if u not in diagonal:
                    invalid("multipliers", "have an index that is no row of kind wh")
                floor += y
                charge[u] += y * unit
            continue
        u, v = space.named_row(kind, a, b, c)
        # fairness makes any two entries on the diagonal equal
        if not (diagonal >= {u, v} if kind == "f" else (u, v) in space.pairs(kind)):
            invalid("multipliers", f"have an index that is no row of kind {kind}")
        charge[u] += y * unit
        charge[v] -= y * factor.get(kind, unit)
    if costs.worst and share != scale:
        fail("optimality: the multipliers of the inputs do not sum to 1")
    for total, members in zip(column, space.columns, strict=True):
        for u, count in members:
            charge[u] += total * count * unit
    below = sum(min(0, price[u] * unit - charge[u] * costs.scale) for u in range(space.values))
    ends = Fraction(sum(column), scale) + Fraction(floor, scale * space.size)
    return ends + Fraction(below, scale * unit * costs.scale)
