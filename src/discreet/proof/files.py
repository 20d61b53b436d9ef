"""Saving mechanisms with their proofs, and loading them: `m.save(path)`, `dc.load(path)`.

The format is specified in `discreet.proof`. Nothing is saved that its verifier does not accept, and nothing is
loaded that it has not verified. A file appears whole or not at all (`whole_files`).
"""

from __future__ import annotations

import json
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Any

from discreet.core.certificate import Certificate, Problem
from discreet.core.domains import Counts
from discreet.core.forms import Dense, Fair, Form, Geometric, Relabelled, Uniform, WeaklyHonest, canonical
from discreet.core.losses import Loss, Prior, read_loss, read_prior
from discreet.core.mechanism import Mechanism, Origin, content_id
from discreet.core.privacy import Alpha
from discreet.core.properties import PROPERTIES, Shape
from discreet.core.scores import score
from discreet.errors import InvalidFile, about_file
from discreet.proof import Report, examine, sealed
from discreet.proof.domain_files import (
    domain_claims,
    domain_contents,
    domain_head,
    domain_matrix,
    domain_optimality,
)
from discreet.proof.reading import FORMAT, MAX_DIGITS, VERSION, affordable, read_bytes, written_out
from discreet.proof.whole_files import write_whole

if TYPE_CHECKING:
    from os import PathLike

CLAIMED_LOSSES = ("L0", "L1", "L2", "L0,1")
"""Their means over a uniform prior are written into every file whose matrix the verifier writes out."""

_KINDS: dict[type, str] = {Geometric: "geometric", Fair: "fair", WeaklyHonest: "weakly-honest"}


def save(mechanism: Mechanism, path: str | PathLike[str]) -> None:
    """Write a mechanism and all that is proven about it to a file, whole or not at all.

    >>> import tempfile, discreet as dc
    >>> m = dc.fair(n=4, alpha="1/2")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     m.save(f"{folder}/m.json")
    ...     dc.load(f"{folder}/m.json") == m, dc.verify(f"{folder}/m.json").optimal
    (True, None)
    """
    data = to_bytes(mechanism)
    examine(data)
    write_whole(path, data)


def load(path: str | PathLike[str]) -> Mechanism:
    """Verify a file and return the mechanism in it, with its problem and certificate; see `discreet.verify`."""
    with about_file(path):
        return from_bytes(read_bytes(path))


def to_bytes(mechanism: Mechanism) -> bytes:
    """Return the proof file of a mechanism."""
    m, origin = mechanism, mechanism.origin
    other = m.domain != Counts(m.n)
    document: dict[str, Any] = {
        **(domain_head(m) if other else {"format": FORMAT, "version": VERSION, "n": m.n}),
        "alpha": _ratio(m.alpha),
        "epsilon": _ratio(m.epsilon),
        "claims": domain_claims(m) if other else _claims(m),
        "origin": {"method": origin.method, "theorem": origin.theorem},
        "optimality": domain_optimality(m) if other else _optimality(m),
        "id": m.id,
        "matrix": domain_matrix(m) if other else _matrix(m.form),
    }
    document["seal"] = sealed(document, tuple(document))
    # one field to a line: a person can look at it, and indentation would make large files larger
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(value)}" for name, value in document.items())
    return f"{{\n{lines}\n}}\n".encode()


def from_bytes(data: bytes) -> Mechanism:
    """Verify the bytes of a proof file and return the mechanism in them."""
    return reported(data)[1]


def reported(data: bytes) -> tuple[Report, Mechanism]:
    """Verify the bytes of a proof file; return the report and the mechanism in them."""
    report, document = examine(data)
    # the constructor verifies once more, in code of its own
    privacy = Alpha(value=_fraction(document["alpha"]), epsilon=_fraction(document["epsilon"]))
    form, origin = _contents(document, optimal=bool(report.optimal))
    return report, Mechanism(privacy=privacy, form=form, origin=origin)


def unpacked(data: bytes) -> tuple[Form, Origin]:
    """Verify the bytes of a proof file and return what a mechanism is made of."""
    report, document = examine(data)
    return _contents(document, optimal=bool(report.optimal))


def _contents(document: dict[str, Any], *, optimal: bool) -> tuple[Form, Origin]:
    if "domain" in document:
        return domain_contents(document)
    n, alpha = document["n"], _fraction(document["alpha"])
    problem, certificate, claim = None, None, document["optimality"]
    if claim is not None:
        problem = _read_problem(claim["problem"], n, alpha)
        if "multipliers" in claim:
            certificate = Certificate(
                cost=_fraction(claim["cost"]),
                bound=_fraction(claim["bound"]),
                denominator=int(claim["denominator"], 16),
                rows=tuple((kind, a, b, c, int(y, 16)) for kind, a, b, c, y in claim["multipliers"]),
            )
    form = canonical(_read_form(document["matrix"], n))
    if content_id(alpha, form) != document["id"]:
        remedy = "save the mechanism again: a closed form is stored as such, a matrix in lowest terms"
        raise InvalidFile("matrix", "is not in its canonical form", remedy=remedy)
    # how it was found is the file's own words; that a theorem makes it optimal is kept only where that was verified
    method, theorem = document["origin"]["method"], document["origin"]["theorem"] if optimal else ""
    return form, Origin(method=method, problem=problem, proof=certificate, theorem=theorem)


def _ratio(value: Fraction) -> str:
    return f"{value.numerator:x}/{value.denominator:x}"


def _fraction(text: str) -> Fraction:
    top, bottom = text.split("/")
    return Fraction(int(top, 16), int(bottom, 16))


def _table(rows: tuple[tuple[Fraction, ...], ...]) -> dict[str, Any]:
    denominator = lcm(*(x.denominator for row in rows for x in row))
    return {
        "denominator": f"{denominator:x}",
        "rows": [[f"{x.numerator * (denominator // x.denominator):x}" for x in row] for row in rows],
    }


def _matrix(form: Form) -> dict[str, Any]:
    if isinstance(form, (Geometric, Fair, WeaklyHonest)):
        return {"form": _KINDS[type(form)], "alpha": _ratio(form.alpha)}
    if isinstance(form, Uniform):
        return {"form": "uniform"}
    dense = form.dense()
    rows = [[f"{x:x}" for x in row] for row in dense.rows]
    return {"form": "dense", "denominator": f"{dense.denominator:x}", "rows": rows}


def _read_form(matrix: dict[str, Any], n: int) -> Form:
    if matrix["form"] == "dense":
        rows = tuple(tuple(int(x, 16) for x in row) for row in matrix["rows"])
        return Dense(rows, int(matrix["denominator"], 16))
    for form, kind in _KINDS.items():
        if matrix["form"] == kind:
            built: Form = form(n, _fraction(matrix["alpha"]))
            return built
    return Uniform(n)


def _claims(m: Mechanism) -> dict[str, Any]:
    """Claim what the verifier can check: everything where it writes the matrix out, else what theorems say."""
    problem = m.origin.problem
    tight: Fraction | None = m.tight_alpha
    whole = isinstance(m.form, (Dense, Relabelled)) or written_out(m.n, m.tight_alpha)
    names = m.shape.names if whole else {name for name in m.shape.names if _known_to_verifier(m.form, name)}
    ratio = problem.shape.output_dp if problem else None
    if isinstance(m.form, (Fair, Uniform)):
        ratio = m.tight_alpha
    scores = []
    if whole:
        dense = m.form.dense()
        asked = [(read_loss(name, m.n), read_prior(None, m.n), False) for name in CLAIMED_LOSSES]
        if problem and (problem.loss, problem.prior, problem.worst_case) not in asked:
            asked.append((problem.loss, problem.prior, problem.worst_case))
        scores = [(*each, score(dense, each[0], each[1], worst_case=each[2])) for each in asked]
        bits = m.tight_alpha.denominator.bit_length()
        if bits > 4 * MAX_DIGITS or not affordable(m.n, 1 << bits, dense.denominator):
            tight = None
    elif isinstance(m.form, (Geometric, Uniform)):
        a = m.tight_alpha
        scores = [(read_loss("L0", m.n), read_prior(None, m.n), False, 2 * a / (1 + a))]
    return {
        "properties": [name for name in PROPERTIES if name in names],
        "output_dp": None if ratio is None else _ratio(ratio),
        "tight_alpha": None if tight is None else _ratio(tight),
        "scores": [
            {"loss": _loss(loss), "prior": _prior(prior), "worst_case": worst, "value": _ratio(value)}
            for loss, prior, worst, value in scores
        ],
    }


def _known_to_verifier(form: Form, name: str) -> bool:
    # whether large WM is honest by columns takes more than its theorem to say
    return not (isinstance(form, WeaklyHonest) and name in ("CH", "CM"))


def _loss(loss: Loss) -> dict[str, Any]:
    if loss.tail is not None:
        return {"tail": loss.tail}
    if loss.power is not None and not loss.rounded:
        return {"power": loss.power.numerator}
    # costs that were rounded, because |i-j|^p is irrational, are written as the numbers they were rounded to
    return _table(loss.matrix)


def _prior(prior: Prior) -> Any:
    if prior.uniform:
        return "uniform"
    if prior.name.startswith("Binomial("):
        return {"binomial": _ratio(Fraction(prior.name[len("Binomial(") : -1]))}
    table = _table((prior.weights,))
    return {"denominator": table["denominator"], "weights": table["rows"][0]}


def _optimality(m: Mechanism) -> dict[str, Any] | None:
    problem, certificate = m.origin.problem, m.origin.certificate
    # a file has one alpha: a bound for another one would be a statement about something else
    if problem is None or problem.alpha != m.alpha:
        return None
    asked = {
        "properties": [name for name in PROPERTIES if name in problem.shape.names],
        "output_dp": None if problem.shape.output_dp is None else _ratio(problem.shape.output_dp),
        "loss": _loss(problem.loss),
        "prior": _prior(problem.prior),
        "worst_case": problem.worst_case,
    }
    if certificate is not None and (isinstance(m.form, (Dense, Relabelled)) or written_out(m.n, m.tight_alpha)):
        return {
            "problem": asked,
            "cost": _ratio(certificate.cost),
            "bound": _ratio(certificate.bound),
            "denominator": f"{certificate.denominator:x}",
            "multipliers": [[kind, a, b, c, f"{y:x}"] for kind, a, b, c, y in certificate.rows],
        }
    theorem = _theorem(m, problem)
    return None if theorem is None else {"problem": asked, "theorem": theorem}


def _theorem(m: Mechanism, problem: Problem) -> str | None:
    """Name the theorem by which a closed form is optimal for L0, or nearly; see `discreet.proof.checks`."""
    names, mean_uniform = problem.shape.names, problem.prior.uniform and not problem.worst_case
    if problem.loss.tail != 0 or m.tight_alpha != m.alpha:
        return None
    if isinstance(m.form, Geometric) and mean_uniform:
        return "geometric"
    if isinstance(m.form, WeaklyHonest) and mean_uniform and names & {"WH", "CH", "CM"}:
        return "weakly-honest"
    if isinstance(m.form, Fair):
        among_fair = "F" in names and not problem.worst_case
        if among_fair or (problem.worst_case and problem.prior.uniform):
            return "fair"
        return "fair within 1+1/n" if mean_uniform else None
    return None


def _read_problem(asked: dict[str, Any], n: int, alpha: Fraction) -> Problem:
    ratio = asked["output_dp"]
    return Problem(
        n=n,
        alpha=alpha,
        shape=Shape(names=frozenset(asked["properties"]), output_dp=None if ratio is None else _fraction(ratio)),
        loss=_read_loss(asked["loss"], n),
        prior=_read_prior(asked["prior"], n),
        worst_case=asked["worst_case"],
    )


def _read_loss(loss: dict[str, Any], n: int) -> Loss:
    if "tail" in loss:
        return read_loss(f"L0,{loss['tail']}", n)
    if "power" in loss:
        return read_loss(loss["power"], n)
    denominator = int(loss["denominator"], 16)
    return read_loss([[Fraction(int(x, 16), denominator) for x in row] for row in loss["rows"]], n)


def _read_prior(prior: Any, n: int) -> Prior:
    if prior == "uniform":
        return read_prior(None, n)
    if "binomial" in prior:
        return read_prior(f"Binomial({_fraction(prior['binomial'])})", n)
    denominator = int(prior["denominator"], 16)
    return read_prior([Fraction(int(x, 16), denominator) for x in prior["weights"]], n)
