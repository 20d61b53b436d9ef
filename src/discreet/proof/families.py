"""A family in a container: one closed form as the answer to one problem, for every group size in
some ranges.

The file: one JSON object in UTF-8 with exactly these fields, INT, RATIO and PROBLEM as in
`discreet.proof`.

    format       "discreet-family"
    version      1
    kind         "geometric", "fair", "weakly-honest" or "column-honest"
    alpha        RATIO in (0, 1)
    epsilon      RATIO: what a release is accounted at; verified: exp(-epsilon) <= alpha
    sizes        [[least, largest], ...], both included, from 1 to 10^9: ascending, neither
                 overlapping nor adjacent
    problem      PROBLEM with loss {"tail": 0} and a prior that is "uniform" or Binomial, for each
                 of the sizes
    theorem      the name of the theorem that answers it (`by_theorem`)
    id           SHA-256 of the lines "discreet family 1", kind, alpha, epsilon, sizes ("1-9 12"),
                 properties in alphabetical order, output_dp (or nothing), "L0", "uniform" or
                 "binomial RATIO", "mean" or "worst", theorem. It covers every field, so there is no
                 other seal

What is verified: the theorem's conditions, which are inequalities in n and alpha, for every size;
and every size up to `WRITTEN_OUT` (or up to where alpha has too many digits) is written out, its
columns added up, neighbours compared, properties checked cell by cell, and the theorem's
multipliers added up. The report names the sizes that were not. Writing out tests the theorem, not
the file, which adds nothing to its conditions: whoever only reads leaves it out.
"""

from __future__ import annotations

import hashlib
from fractions import Fraction
from typing import Any

from discreet.errors import ProofFailed
from discreet.proof.by_theorem import (
    NEARLY,
    THEOREMS,
    applies,
    exists,
    known_properties,
    known_ratio,
)
from discreet.proof.checks import (
    check_matrix,
    check_price,
    check_shape,
    check_theorem,
    fail,
    rivals_of,
    shown,
)
from discreet.proof.moved_ends import COLUMN_HONEST
from discreet.proof.reading import (
    MAX_N,
    NAMES,
    invalid,
    read_chance,
    read_fields,
    read_form,
    read_integer,
    read_list,
    read_parameter,
    read_shape,
    weights_fit,
    written_out,
)

FORMAT, VERSION = "discreet-family", 1
FIELDS = ("format", "version", "kind", "alpha", "epsilon", "sizes", "problem", "theorem", "id")
KINDS = ("geometric", "fair", "weakly-honest", COLUMN_HONEST)
MAX_RANGES = 1000

WRITTEN_OUT = 100
"""Up to this size every member of a family is written out and checked cell by cell: two seconds
for all of them.
"""

Ranges = list[tuple[int, int]]


def check_family(
    document: dict[str, Any], *, write_out: bool = True
) -> tuple[Ranges, Fraction, Fraction, bool, list[str], str]:
    """Check every claim of a family; return its sizes, alpha, epsilon, whether it is optimal, what
    was checked, and the sizes that were not written out."""
    version = document.get("version")
    if version != VERSION or version is True:
        invalid("version", f"must be {VERSION}", "a newer discreet may be able to read this file")
    _, _, kind, alpha, epsilon, given, problem, theorem, identity = read_fields(
        document, "file", *FIELDS
    )
    if kind not in KINDS or theorem not in THEOREMS:
        invalid(
            "family",
            f"must be of a kind among {', '.join(KINDS)}, and by a theorem among "
            f"{', '.join(THEOREMS)}",
        )
    a, price, ranges = (
        read_parameter(alpha, "alpha"),
        read_parameter(epsilon, "epsilon"),
        _read_sizes(given),
    )
    asked = ["properties", "output_dp", "loss", "prior", "worst_case"]
    properties, ratio, loss, prior, worst = read_fields(problem, "problem", *asked)
    names, beta = read_shape(properties, ratio)
    if properties != [name for name in NAMES if name in names]:
        invalid("properties", f"must be each named once, in the order {' '.join(NAMES)}")
    known_prior = prior == "uniform" or (isinstance(prior, dict) and "binomial" in prior)
    if not known_prior or not isinstance(worst, bool) or not _is_tail_zero(loss):
        invalid("problem", "must have the loss L0, and a prior that is uniform or Binomial")
    chance = read_chance(prior, 0)
    prior_words = "uniform" if prior == "uniform" else f"binomial {prior['binomial']}"
    lines = (
        "discreet family 1",
        kind,
        alpha,
        epsilon,
        _words(ranges),
        " ".join(sorted(names)),
        ratio or "",
        "L0",
        prior_words,
        "worst" if worst else "mean",
        theorem,
    )
    if hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest() != identity:
        raise ProofFailed(
            "id: it is not the content id of this family: the file was changed after it was written"
        )

    check_price(a, price)
    for low, high in ranges:
        if not exists(kind, low, high, a):
            fail(
                f"sizes: there is no {kind} mechanism with this alpha for every n in {low}..{high}"
            )
        if not names <= (known := known_properties(kind, low, high, a)):
            fail(f"properties: no theorem gives {min(names - known)} to every n in {low}..{high}")
        if beta is not None and beta > known_ratio(kind, high, a):
            fail(f"output_dp: no theorem gives this ratio to every n in {low}..{high}")
    if not applies(theorem, kind, names, uniform=prior == "uniform", worst=worst):
        fail(f'optimality: the conditions of the theorem "{theorem}" are not met')

    shown_by = Fraction(1, a.denominator * chance.denominator)  # as many digits as both have
    short = (
        n for n in range(1, WRITTEN_OUT + 1) if written_out(n, shown_by) and weights_fit(n, chance)
    )
    largest = max(short, default=0) if write_out else 0
    members = [n for low, high in ranges for n in range(low, min(high, largest) + 1)]
    for n in members:
        form = read_form({"form": kind, "alpha": alpha}, n)
        try:
            check_matrix(form, a)
            check_shape(form, names, beta)
            check_theorem(form, a, (names, beta), (loss, prior, worst), theorem)
        except ProofFailed as error:
            raise ProofFailed(f"for n = {n}, {error}") from None
    beyond = [(max(low, largest + 1), high) for low, high in ranges if high > largest]
    best = f"{'worst-case' if worst else 'mean'} L0"
    claim = (
        f"below 1 + 1/n times the {best} of any"
        if theorem == NEARLY
        else f"no lower {best} for any"
    )
    checks = [
        "the content id belongs to these contents",
        f"the {kind} mechanism with alpha = {shown(a)}; exp(-epsilon) <= alpha for epsilon = "
        f"{shown(price)}",
        f'the conditions of theorem "{theorem}" for every n in {_words(ranges)}: {claim} '
        f"{rivals_of(names, beta)}",
    ]
    if members:
        checks.append(
            f"written out and checked cell by cell, with the theorem's multipliers: every n in "
            f"{_words([(low, min(high, largest)) for low, high in ranges if low <= largest])}"
        )
    if beyond:
        checks.append(
            f"by theorem (not written out): privacy and the rest for n in {_words(beyond)}"
        )
    return ranges, a, price, theorem != NEARLY, checks, _words(beyond)


def _read_sizes(given: Any) -> Ranges:
    ranges: Ranges = []
    for pair in read_list(given, "sizes", most=MAX_RANGES):
        low, high = (read_integer(n, "sizes", MAX_N) for n in read_list(pair, "sizes", 2))
        if not (ranges[-1][1] + 1 if ranges else 0) < low <= high:
            invalid(
                "sizes", "must be ranges from 1 on, ascending, neither overlapping nor adjacent"
            )
        ranges.append((low, high))
    return ranges or invalid("sizes", "must name at least one size")


def _is_tail_zero(loss: Any) -> bool:
    return isinstance(loss, dict) and loss == {"tail": 0} and type(loss["tail"]) is int


def _words(ranges: Ranges) -> str:
    return " ".join(str(low) if low == high else f"{low}-{high}" for low, high in ranges)
