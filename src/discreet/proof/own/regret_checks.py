"""The verifier for the least regret over a set of priors: the least worst ratio to each prior's own
optimum.

    regret   an optional claim: {"priors": [PRIOR, ...], "optima": [{"cost": RATIO,
             "denominator": INT, "multipliers": [...]}, ...], "shares": [RATIO, ...], "value":
             RATIO}, one optimum and one share a prior

The file proves, as any other, that the matrix is optimal for one prior: the mixture of these with
weights share / cost, made to sum to 1. Whatever mechanism of the problem is taken, the shares' mean
of its ratios is the sum of those weights times its cost under the mixture. So no mechanism's worst
ratio is below that sum times the least cost: the value. What is checked here: that the multipliers
of each prior come to its cost, that the mixture is this one, and that no ratio of the matrix is
above the value.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from discreet.errors import ProofFailed
from discreet.proof.checks import _bound, _cost, rivals_of, shown
from discreet.proof.reading import (
    Form,
    invalid,
    read_fields,
    read_hex,
    read_list,
    read_multipliers,
    read_prior,
    read_ratio,
    read_shape,
)

MAX_PRIORS = 1 << 10


def check_regret(form: Form, alpha: Fraction, optimality: Any, written: Any) -> str:
    """Check the claim, of a file whose optimality was checked."""
    given = read_fields(written, "regret", "priors", "optima", "shares", "value")
    priors, value = read_list(given[0], "regret", most=MAX_PRIORS), read_ratio(given[3], "regret")
    optima, shares = (read_list(part, "regret", len(priors)) for part in given[1:3])
    problem = optimality.get("problem") if isinstance(optimality, dict) else None
    asked = {"properties", "output_dp", "loss", "prior", "worst_case"}
    if (
        not isinstance(problem, dict)
        or set(problem) != asked
        or "cost" not in optimality
        or problem["worst_case"]
    ):
        invalid(
            "regret",
            "must stand beside the optimum of a mean cost, without own rows and `derivable`",
        )
    if optimality["cost"] != optimality["bound"]:
        raise ProofFailed("regret: the matrix is not proven to be optimal for the mixture")
    (names, beta), loss = read_shape(problem["properties"], problem["output_dp"]), problem["loss"]
    mixture = [Fraction(0)] * (form.n + 1)
    parts = [read_ratio(share, "regret") for share in shares]
    if sum(parts) != 1:
        raise ProofFailed("regret: the shares do not sum to 1")
    for prior, optimum, share in zip(priors, optima, parts, strict=True):
        least = _least(form.n, alpha, (names, beta), (loss, prior, False), optimum)
        top, bottom, _ = _cost(form, loss, prior, False)
        if top > value * least * bottom:
            raise ProofFailed("regret: the ratio of one of the priors is above the value")
        weights, total, _ = read_prior(prior, form.n)
        for j, w in enumerate(weights):
            mixture[j] += share * Fraction(w, total) / least
    whole = sum(mixture)
    weights, total, _ = read_prior(problem["prior"], form.n)
    if any(m * total != w * whole for m, w in zip(mixture, weights, strict=True)):
        raise ProofFailed(
            "regret: the prior of the problem is not the mixture that the shares make"
        )
    if whole * read_ratio(optimality["cost"], "optimality", signed=True) != value:
        raise ProofFailed("regret: the value is not what the mixture's optimum comes to")
    return (
        f"regret: under each of {len(priors)} priors it costs at most {shown(value)} times the "
        f"least that multipliers prove there, and no {rivals_of(names, beta)} has a lower worst "
        "ratio"
    )


def _least(
    n: int, alpha: Fraction, shape: Any, objective: tuple[Any, Any, bool], optimum: Any
) -> Fraction:
    """What one prior's multipliers prove to be the least cost; it must be what is said, and
    positive.
    """
    cost, scale, rows = read_fields(optimum, "regret", "cost", "denominator", "multipliers")
    read = read_multipliers(rows, n)
    top, bottom = _bound(n, alpha, shape, objective, read_hex(scale, "regret", positive=True), read)
    least = read_ratio(cost, "regret")
    if least <= 0 or top * least.denominator != least.numerator * bottom:
        raise ProofFailed("regret: the multipliers of one of the priors do not come to its cost")
    return least
