"""The parts of a proof file about histograms, or about counts that one person moves by several,
written and read.

`domain_checks` specifies the format; `files` puts the parts together.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Any

from discreet.core.certificate import Certificate, Problem, score
from discreet.core.domains import Counts
from discreet.core.forms import Dense, Folded, Form, canonical
from discreet.core.forms.orbits import classes_of
from discreet.core.histogram import Domain, Histogram
from discreet.core.losses import Loss, Prior, read_loss, read_prior
from discreet.core.mechanism import Origin, content_id
from discreet.core.properties import PROPERTIES, Shape
from discreet.errors import InvalidFile
from discreet.proof.histograms.domain_checks import FORMAT, VERSION

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism

CLAIMED_LOSSES = ("L0", "L1", "L2")
"""Their means over a uniform prior are written into every file."""


def domain_head(m: Mechanism) -> dict[str, Any]:
    """The format, and the domain."""
    domain = m.domain
    if isinstance(domain, Histogram):
        written: dict[str, Any] = {
            "histogram": [domain.n, domain.k],
            "answers": list(domain.answers) or None,
        }
    else:
        written = {"count": domain.n, "step": domain.step}
    return {"format": FORMAT, "version": VERSION, "domain": written}


def domain_matrix(m: Mechanism) -> dict[str, Any]:
    """The values, each orbit of entries once, or the rows of a count's matrix."""
    form = m.form
    if isinstance(form, Folded):
        values = [f"{x:x}" for x in form.values]
        return {
            "classes": list(form.classes),
            "denominator": f"{form.denominator:x}",
            "values": values,
        }
    dense = form.dense()
    return {
        "denominator": f"{dense.denominator:x}",
        "rows": [[f"{x:x}" for x in row] for row in dense.rows],
    }


def domain_claims(m: Mechanism) -> dict[str, Any]:
    """Everything that is true of it and that the verifier can check."""
    problem = m.origin.problem
    asked: list[tuple[Loss, Prior, bool]] = [
        (read_loss(name, m.n, m.domain), read_prior(None, m.n, m.domain), False)
        for name in CLAIMED_LOSSES
    ]
    if problem and (problem.loss, problem.prior, problem.worst_case) not in asked:
        asked.append((problem.loss, problem.prior, problem.worst_case))
    ratio = problem.shape.output_dp if problem else None
    return {
        "properties": [name for name in PROPERTIES if name in m.shape.names],
        "output_dp": None if ratio is None else _ratio(ratio),
        "tight_alpha": _ratio(m.tight_alpha),
        "scores": [
            {
                "loss": _loss(loss),
                "prior": _prior(prior),
                "worst_case": worst,
                "value": _ratio(score(m.form, loss, prior, worst_case=worst)),
            }
            for loss, prior, worst in asked
        ],
    }


def domain_optimality(m: Mechanism) -> dict[str, Any] | None:
    """The problem it solves and the multipliers that prove it."""
    problem, certificate = m.origin.problem, m.origin.certificate
    # a file has one alpha: a bound for another one would be a statement about something else
    if problem is None or certificate is None or problem.alpha != m.alpha:
        return None
    classes = {"classes": list(classes_of(problem))} if isinstance(problem.over, Histogram) else {}
    return {
        **classes,
        "problem": {
            "properties": [name for name in PROPERTIES if name in problem.shape.names],
            "output_dp": None
            if problem.shape.output_dp is None
            else _ratio(problem.shape.output_dp),
            "loss": _loss(problem.loss),
            "prior": _prior(problem.prior),
            "worst_case": problem.worst_case,
        },
        "cost": _ratio(certificate.cost),
        "bound": _ratio(certificate.bound),
        "denominator": f"{certificate.denominator:x}",
        "multipliers": [[kind, a, b, c, f"{y:x}"] for kind, a, b, c, y in certificate.rows],
    }


def domain_contents(document: dict[str, Any]) -> tuple[Form, Origin]:
    """What a mechanism is made of, of a document that the verifier accepted."""
    domain, alpha, matrix = (
        _read_domain(document["domain"]),
        _fraction(document["alpha"]),
        document["matrix"],
    )
    denominator = int(matrix["denominator"], 16)
    form: Form
    if isinstance(domain, Histogram):
        form = Folded(
            domain,
            tuple(matrix["classes"]),
            tuple(int(x, 16) for x in matrix["values"]),
            denominator,
        )
    else:
        form = Dense(
            tuple(tuple(int(x, 16) for x in row) for row in matrix["rows"]),
            denominator,
            domain.step,
        )
    if content_id(alpha, canonical(form)) != document["id"]:
        remedy = (
            "save the mechanism again: answers that can be exchanged are of one class, numbers in "
            "lowest terms"
        )
        raise InvalidFile("matrix", "is not in its canonical form", remedy=remedy)
    problem, certificate, claim = None, None, document["optimality"]
    if claim is not None:
        problem = _read_problem(claim["problem"], domain, alpha)
        certificate = Certificate(
            cost=_fraction(claim["cost"]),
            bound=_fraction(claim["bound"]),
            denominator=int(claim["denominator"], 16),
            rows=tuple((kind, a, b, c, int(y, 16)) for kind, a, b, c, y in claim["multipliers"]),
        )
    # how it was found is the file's own words; that a theorem makes it optimal is kept only where
    # that was verified
    method, theorem = document["origin"]["method"], document["origin"]["theorem"]
    verified = certificate is not None and certificate.optimal
    return form, Origin(
        method=method, problem=problem, proof=certificate, theorem=theorem if verified else ""
    )


def _read_domain(written: dict[str, Any]) -> Domain:
    if "count" in written:
        return Counts(written["count"], written["step"])
    n, k = written["histogram"]
    return Histogram(n, k, tuple(written["answers"] or ()))


def _read_problem(asked: dict[str, Any], domain: Domain, alpha: Fraction) -> Problem:
    ratio = asked["output_dp"]
    return Problem(
        n=domain.n,
        alpha=alpha,
        shape=Shape(
            names=frozenset(asked["properties"]),
            output_dp=None if ratio is None else _fraction(ratio),
        ),
        loss=_read_loss(asked["loss"], domain),
        prior=_read_prior(asked["prior"], domain),
        worst_case=asked["worst_case"],
        over=domain,
    )


def _loss(loss: Loss) -> dict[str, Any]:
    if loss.tail is not None:
        return {"tail": loss.tail}
    if loss.power is not None and not loss.rounded:
        return {"power": loss.power.numerator}
    # costs that were rounded, because d^p is irrational, are written as the numbers they were
    # rounded to
    return _table(loss.matrix)


def _read_loss(loss: dict[str, Any], domain: Domain) -> Loss:
    if "tail" in loss:
        return read_loss(f"L0,{loss['tail']}", domain.n, domain)
    if "power" in loss:
        return read_loss(loss["power"], domain.n, domain)
    denominator = int(loss["denominator"], 16)
    return read_loss(
        [[Fraction(int(x, 16), denominator) for x in row] for row in loss["rows"]], domain.n, domain
    )


def _prior(prior: Prior) -> Any:
    if prior.uniform:
        return "uniform"
    if prior.name.startswith("Multinomial("):
        chances = prior.name[len("Multinomial(") : -1].split(", ")
        return {"multinomial": [_ratio(Fraction(chance)) for chance in chances]}
    table = _table((prior.weights,))
    return {"denominator": table["denominator"], "weights": table["rows"][0]}


def _read_prior(prior: Any, domain: Domain) -> Prior:
    if prior == "uniform":
        return read_prior(None, domain.n, domain)
    if "multinomial" in prior:
        chances = ", ".join(str(_fraction(chance)) for chance in prior["multinomial"])
        return read_prior(f"Multinomial({chances})", domain.n, domain)
    denominator = int(prior["denominator"], 16)
    return read_prior(
        [Fraction(int(x, 16), denominator) for x in prior["weights"]], domain.n, domain
    )


def _table(rows: tuple[tuple[Fraction, ...], ...]) -> dict[str, Any]:
    denominator = lcm(*(x.denominator for row in rows for x in row))
    whole = [[f"{x.numerator * (denominator // x.denominator):x}" for x in row] for row in rows]
    return {"denominator": f"{denominator:x}", "rows": whole}


def _ratio(value: Fraction) -> str:
    return f"{value.numerator:x}/{value.denominator:x}"


def _fraction(text: str) -> Fraction:
    top, bottom = text.split("/")
    return Fraction(int(top, 16), int(bottom, 16))
