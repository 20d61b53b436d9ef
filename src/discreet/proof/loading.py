"""Loading mechanisms from proof files: `dc.load(path)`. Nothing is loaded that the verifier has not verified."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from discreet.core.certificate import Certificate, Problem
from discreet.core.forms import Dense, Form, Uniform, canonical
from discreet.core.losses import Loss, Prior, read_loss, read_prior
from discreet.core.mechanism import Mechanism, Origin, content_id
from discreet.core.privacy import Alpha
from discreet.core.properties import Shape
from discreet.errors import InvalidFile, about_file
from discreet.proof import Report, examine
from discreet.proof.files import KINDS
from discreet.proof.reading import read_bytes

if TYPE_CHECKING:
    from os import PathLike


def load(path: str | PathLike[str]) -> Mechanism:
    """Verify a file and return the mechanism in it, with its problem and certificate; see `discreet.verify`."""
    with about_file(path):
        return from_bytes(read_bytes(path))


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


def _fraction(text: str) -> Fraction:
    top, bottom = text.split("/")
    return Fraction(int(top, 16), int(bottom, 16))


def _read_form(matrix: dict[str, Any], n: int) -> Form:
    if matrix["form"] == "dense":
        rows = tuple(tuple(int(x, 16) for x in row) for row in matrix["rows"])
        return Dense(rows, int(matrix["denominator"], 16))
    for form, kind in KINDS.items():
        if matrix["form"] == kind:
            built: Form = form(n, _fraction(matrix["alpha"]))
            return built
    return Uniform(n)


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
