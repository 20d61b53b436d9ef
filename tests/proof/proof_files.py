"""Mechanisms with proofs of every kind, and ways to tamper with their files."""

from __future__ import annotations

import contextlib
import hashlib
import json
from dataclasses import replace
from fractions import Fraction
from math import lcm
from operator import mul

import discreet as dc
from discreet import proof
from discreet.core.certificate import Certificate, Problem
from discreet.core.losses import read_loss, read_prior
from discreet.core.mechanism import Mechanism, Origin
from discreet.core.properties import closure, read_shape
from discreet.designer.theorems import multipliers as theorem_multipliers
from discreet.designer.theorems.multipliers import relabelled_multipliers
from discreet.errors import InvalidFile
from discreet.proof.files import to_bytes
from discreet.proof.reading import read_form

LOPSIDED = [[0, 1, 3, 4], [2, 0, 1, 1], [2, 5, 0, 1], [3, 5, 2, 0]]
"""A loss that grows away from the truth, left and right apart."""


def problem(n, alpha, properties="", loss="L0", prior=None, worst_case=False):
    return Problem(
        n=n,
        alpha=Fraction(alpha),
        shape=read_shape(properties),
        loss=read_loss(loss, n),
        prior=read_prior(prior, n),
        worst_case=worst_case,
    )


def with_proof(m: Mechanism, asked: Problem, certificate=None) -> Mechanism:
    theorem = "for a test" if certificate is None or certificate.optimal else ""
    origin = Origin(method=m.origin.method, problem=asked, proof=certificate, theorem=theorem)
    return Mechanism(privacy=m.privacy, form=m.form, origin=origin)


def relabelled(asked: Problem) -> Mechanism:
    """GM with each output relabelled as is best on average: optimal, and dense."""
    m, n = dc.geometric(n=asked.n, alpha=asked.alpha), asked.n
    matrix, best = m.form.dense().rows, []
    scale = lcm(*(x.denominator for row in (asked.prior.weights, *asked.loss.matrix) for x in row))
    weights = [int(w * scale) for w in asked.prior.weights]
    costs = [[int(c * scale) for c in row] for row in asked.loss.matrix]
    for row in matrix:
        weighed = [w * x for w, x in zip(weights, row, strict=True)]
        expected = [sum(map(mul, weighed, line)) for line in costs]
        best.append(expected.index(min(expected)))
    m = dc.postprocess(m, [[int(best[i] == r) for i in range(n + 1)] for r in range(n + 1)])
    return with_proof(m, asked, relabelled_multipliers(asked))


def examples() -> dict[str, Mechanism]:
    """One mechanism for each way in which a file can prove something."""
    shapely = problem(3, "10/11", "S RM")
    fairly = problem(3, "3/4", "F CM ODP:3/4", prior="Binomial(0.3)", worst_case=True)
    worst = problem(2, "2/3", "RH", worst_case=True)
    honestly = problem(4, "10/11", "WH RM")
    near = problem(3, "3/4", "CM")
    bound = replace(
        theorem_multipliers.geometric_multipliers(near), cost=dc.fair(n=3, alpha="3/4").score("L0")
    )
    found = {
        "geometric": with_proof(
            dc.geometric(n=3, alpha="10/11"),
            shapely,
            theorem_multipliers.geometric_multipliers(shapely),
        ),
        "fair": with_proof(
            dc.fair(n=3, alpha="3/4"), fairly, theorem_multipliers.fair_multipliers(fairly)
        ),
        "worst-case": with_proof(
            dc.fair(n=2, alpha="2/3"), worst, theorem_multipliers.fair_multipliers(worst)
        ),
        "weakly-honest": with_proof(
            dc.weakly_honest(n=4, alpha="10/11"),
            honestly,
            theorem_multipliers.weakly_honest_multipliers(honestly),
        ),
        "within-a-bound": with_proof(dc.fair(n=3, alpha="3/4"), near, bound),
        "relabelled": relabelled(problem(3, "1/2", loss="L1", prior="Binomial(0.3)")),
        "lopsided": relabelled(
            problem(
                3, "2/3", loss=LOPSIDED, prior=[Fraction(1, 2), Fraction(1, 3), Fraction(1, 6), 0]
            )
        ),
        "by-theorem": with_proof(
            dc.fair(n=1000, epsilon=0.5), problem(1000, dc.fair(n=1, epsilon=0.5).alpha, "F")
        ),
        "unproven": dc.mix(dc.geometric(n=2, epsilon=0.5), dc.uniform(n=2), weight="1/3"),
        "nobody": dc.uniform(n=0),
    }
    return found


def lower_bound(asked: Problem, proof: Certificate) -> Fraction:
    """The bound of a certificate, straight from the table in `discreet.core.certificate`, slowly and in Fractions."""
    n, size = asked.n, asked.n + 1
    w, loss, names = asked.prior.weights, asked.loss.matrix, closure(asked.shape).names
    reduced = {
        (i, j): w[j] * loss[i][j] * (not asked.worst_case) for i in range(size) for j in range(size)
    }
    right, inputs = Fraction(0), Fraction(0)

    def charge(cell, y):
        reduced[cell] -= y

    for kind, a, b, c, numerator in proof.rows:
        y = Fraction(numerator, proof.denominator)
        assert y >= 0 or kind in ("sum", "f", "s")
        assert (
            kind in ("sum", "dp", "input")
            or kind.upper() in names
            or (kind == "odp" and asked.shape.output_dp)
        )
        if kind == "sum":
            right += y
            for i in range(size):
                charge((i, a), y)
        elif kind == "input":
            inputs += y
            for i in range(size):
                charge((i, a), -y * size * w[a] * loss[i][a])
        elif kind == "wh":
            right += y / size
            charge((a, a), y)
        elif kind == "dp":
            assert abs(b - c) == 1
            charge((a, b), y)
            charge((a, c), -asked.alpha * y)
        elif kind == "odp":
            i, k, j = a, b, c
            assert abs(i - k) == 1
            charge((i, j), y)
            charge((k, j), -asked.shape.output_dp * y)
        elif kind == "rm":
            i, j, k = a, b, c
            assert abs(k - i) == abs(j - i) + 1
            assert abs(j - k) == 1
            charge((i, j), y)
            charge((i, k), -y)
        elif kind == "cm":
            i, k, j = a, b, c
            assert abs(k - j) == abs(i - j) + 1
            assert abs(i - k) == 1
            charge((i, j), y)
            charge((k, j), -y)
        elif kind == "rh":
            charge((a, a), y)
            charge((a, b), -y)
        elif kind == "ch":
            charge((b, b), y)
            charge((a, b), -y)
        elif kind == "f":
            charge((a, a), y)
            charge((a + 1, a + 1), -y)
        elif kind == "s":
            charge((a, b), y)
            charge((n - a, n - b), -y)
        else:
            raise AssertionError(kind)
    assert inputs == asked.worst_case
    return right + sum(min(Fraction(0), r) for r in reduced.values())


def document_of(m: Mechanism) -> dict:
    return json.loads(to_bytes(m))


def written_out(m: Mechanism) -> dict:
    """The file as it was written before theorems were enough, with all multipliers in it."""
    document, found = document_of(m), m.origin.certificate
    rows = [[kind, a, b, c, f"{y:x}"] for kind, a, b, c, y in found.rows]
    cost, bound = (
        f"{value.numerator:x}/{value.denominator:x}" for value in (found.cost, found.bound)
    )
    proven = {
        "cost": cost,
        "bound": bound,
        "denominator": f"{found.denominator:x}",
        "multipliers": rows,
    }
    document["optimality"] = {"problem": document["optimality"]["problem"], **proven}
    return json.loads(resealed(document))


def resealed(document: dict) -> bytes:
    """The bytes of a document after a forger has recomputed its seal and content id."""
    form, text = document["matrix"], ""
    if "values" in form:
        with contextlib.suppress(
            IndexError, TypeError
        ):  # what is refused before its id is looked at
            rows = [[form["values"][k] for k in row] for row in form["rows"]]
            text = f"dense {form['denominator']} " + ";".join(",".join(row) for row in rows)
    elif form["form"] == "dense":
        text = f"dense {form['denominator']} " + ";".join(",".join(row) for row in form["rows"])
    elif form["form"] == "uniform":
        text = f"uniform {document['n']}"
    else:
        text = f"{form['form']} {document['n']} {form.get('alpha')}"
        if form["form"] == "column-honest":  # named by its matrix, if that is short
            with contextlib.suppress(InvalidFile):
                text = read_form(form, document["n"]).text
    content = f"discreet mechanism 1\n{document['alpha']}\n{text}\n"
    document = document | {"id": hashlib.sha256(content.encode()).hexdigest()}
    return json.dumps(document | {"seal": proof.sealed(document)}).encode()


def numbers(value, path=()):
    """Yield the place of every number in a document: JSON numbers, and both parts of hexadecimal strings."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from numbers(inner, (*path, key))
    elif isinstance(value, list):
        for key, inner in enumerate(value):
            yield from numbers(inner, (*path, key))
    elif isinstance(value, int) and not isinstance(value, bool):
        yield path, None
    elif isinstance(value, str) and value and set(value) <= set("0123456789abcdef/-"):
        for part in range(value.count("/") + 1):
            yield path, part


def changed(document: dict, path, part, by=1) -> dict:
    """A copy of a document with one number changed."""
    copy = json.loads(json.dumps(document))
    place = copy
    for key in path[:-1]:
        place = place[key]
    old = place[path[-1]]
    if part is None:
        place[path[-1]] = old + by
    else:
        parts = old.split("/")
        digits = len(parts[part])
        new = f"{int(parts[part], 16) + by:x}"
        # an id or a seal keeps its length, or it would be refused for that
        parts[part] = new.zfill(digits)[-64:] if digits == 64 else new
        place[path[-1]] = "/".join(parts)
    return copy
