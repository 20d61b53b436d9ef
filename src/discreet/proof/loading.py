"""Loading mechanisms from proof files: `dc.load(path)`. Nothing is loaded that the verifier has
not verified.
"""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from discreet.core.certificate import Certificate, Problem, Regret
from discreet.core.family import THEOREMS, Family
from discreet.core.forms import Form, Uniform, canonical
from discreet.core.losses import Loss, Prior, read_loss, read_prior
from discreet.core.mechanism import Mechanism, Origin, content_id
from discreet.core.properties import Shape
from discreet.core.rationals import Alpha
from discreet.errors import InvalidFile, about_file
from discreet.proof import Report, examine, families
from discreet.proof.by_place import read_dense
from discreet.proof.files import KINDS
from discreet.proof.histograms.domain_files import domain_contents
from discreet.proof.kept import Kept, certificate_of, digest_of, fraction, kept_as
from discreet.proof.own.impossibility import read_rows_back
from discreet.proof.reading import FORMAT, VERSION, read_bytes

if TYPE_CHECKING:
    from os import PathLike
    from pathlib import Path


def load(path: str | PathLike[str]) -> Mechanism:
    """Verify the proof file at `path` and return its mechanism, with problem and certificate;
    see `dc.verify`.
    """
    with about_file(path):
        return from_bytes(read_bytes(path))


def from_bytes(data: bytes) -> Mechanism:
    """Verify the bytes of a proof file and return the mechanism in them."""
    made = reported(data)[1]
    if isinstance(made, Family):
        raise _not_one()
    return made


def reported(data: bytes, *, write_out: bool = True) -> tuple[Report, Family | Mechanism]:
    """Verify the bytes of a proof file as `examine` does; return the report, and the mechanism
    or family in them.
    """
    report, document = examine(data, write_out=write_out)
    # the constructors verify once more, in code of their own
    privacy = Alpha(value=report.alpha, epsilon=report.epsilon)
    if report.impossible:
        raise InvalidFile("file", "proves that there is no such mechanism, so it holds none")
    if document["format"] != families.FORMAT:
        form, origin = _contents(document, optimal=bool(report.optimal))
        return report, Mechanism(privacy=privacy, form=form, origin=origin)
    problem, sizes = document["problem"], tuple((low, high) for low, high in document["sizes"])
    chance = None if problem["prior"] == "uniform" else fraction(problem["prior"]["binomial"])
    family = Family(
        kind=document["kind"],
        privacy=privacy,
        sizes=sizes,
        shape=_read_shape(problem),
        chance=chance,
        worst_case=problem["worst_case"],
        theorem=document["theorem"],
    )
    return report, family


def unpacked(data: bytes) -> tuple[Form, Origin]:
    """Verify the bytes of a proof file and return what a mechanism is made of."""
    report, document = examine(data)
    if document["format"] == families.FORMAT or report.impossible:
        raise _not_one()
    return _contents(document, optimal=bool(report.optimal))


def kept_contents(data: bytes, path: Path) -> tuple[Form, Origin, Alpha, str] | None:
    """What a mechanism is made of, its privacy and content id, from a file that this machine proved
    and keeps.

    None where the bytes are not those that the name at `path` says, or not those of a mechanism for
    counts.
    """
    document = json.loads(data) if digest_of(data) == kept_as(path) else {}
    if document.get("format") != FORMAT or document.get("version") != VERSION:
        return None
    privacy = Alpha(value=fraction(document["alpha"]), epsilon=fraction(document["epsilon"]))
    return *_contents(document, optimal=True, kept=path), privacy, document["id"]


def made_of(form: Form, origin: Origin, privacy: Alpha, identity: str) -> Mechanism:
    """The mechanism of a file that is kept, verified by its constructor; its id is taken from
    the file.
    """
    made = Mechanism(privacy=privacy, form=form, origin=origin)
    vars(made)["id"] = identity  # to write a large matrix out for it takes longer than to check it
    return made


def _not_one() -> InvalidFile:
    remedy = "dc.read_release(bundle).mechanism(n) makes that of one size"
    return InvalidFile(
        "file", "is the proof of a family of mechanisms, one for each size", remedy=remedy
    )


def _contents(
    document: dict[str, Any], *, optimal: bool, kept: Path | None = None
) -> tuple[Form, Origin]:
    """What a mechanism is made of, from a file that was verified, or that is `kept` and was when
    it was made.
    """
    if "domain" in document:
        return domain_contents(document)
    n, alpha = document["n"], fraction(document["alpha"])
    problem, claim = None, document["optimality"]
    proof: Certificate | Kept | None = None
    if claim is not None:
        problem = _read_problem(claim["problem"], n, alpha)
        if "regret" in document["claims"]:
            problem = replace(problem, regret=_read_regret(document["claims"]["regret"], n))
        if "multipliers" in claim:
            proof = (
                Kept(path=kept, epsilon=document["epsilon"], claim=claim)
                if kept
                else certificate_of(claim)
            )
    form = canonical(_read_form(document["matrix"], n))
    if not kept and content_id(alpha, form) != document["id"]:
        remedy = (
            "save the mechanism again: a closed form is stored as such, a matrix in lowest terms"
        )
        raise InvalidFile("matrix", "is not in its canonical form", remedy=remedy)
    # how it was found is the file's own words; that a theorem makes it optimal is kept only where
    # that was verified
    method, theorem = document["origin"]["method"], document["origin"]["theorem"] if optimal else ""
    if optimal and "theorem" in claim:
        theorem = theorem or THEOREMS[claim["theorem"]]
    return form, Origin(method=method, problem=problem, proof=proof, theorem=theorem)


def _read_form(matrix: dict[str, Any], n: int) -> Form:
    if matrix["form"] == "dense":
        return read_dense(matrix)
    for form, kind in KINDS.items():
        if matrix["form"] == kind:
            built: Form = form(n, fraction(matrix["alpha"]))
            return built
    return Uniform(n)


def _read_problem(asked: dict[str, Any], n: int, alpha: Fraction) -> Problem:
    return Problem(
        n=n,
        alpha=alpha,
        shape=_read_shape(asked),
        loss=_read_loss(asked["loss"], n),
        prior=_read_prior(asked["prior"], n),
        worst_case=asked["worst_case"],
        own=read_rows_back(asked["rows"], n) if "rows" in asked else (),
        derivable="derivable" in asked,
    )


def _read_regret(told: dict[str, Any], n: int) -> Regret:
    optima = []
    for one in told["optima"]:
        cost, rows = (
            fraction(one["cost"]),
            tuple((*row[:4], int(row[4], 16)) for row in one["multipliers"]),
        )
        optima.append(
            Certificate(cost=cost, bound=cost, denominator=int(one["denominator"], 16), rows=rows)
        )
    return Regret(
        priors=tuple(_read_prior(prior, n) for prior in told["priors"]),
        optima=tuple(optima),
        shares=tuple(map(fraction, told["shares"])),
        value=fraction(told["value"]),
    )


def _read_shape(asked: dict[str, Any]) -> Shape:
    ratio = asked["output_dp"]
    return Shape(
        names=frozenset(asked["properties"]), output_dp=None if ratio is None else fraction(ratio)
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
        return read_prior(f"Binomial({fraction(prior['binomial'])})", n)
    denominator = int(prior["denominator"], 16)
    return read_prior([Fraction(int(x, 16), denominator) for x in prior["weights"]], n)
