"""Proof files: the format, and a verifier that is read in a quarter of an hour and trusts nothing
unchecked.

    python -m discreet.proof m.json        exit code 0: every claim holds, 1: a claim fails, 2: not
                                           a proof file
    python -m discreet.proof published     every proof of a bundle; or of its container,
                                           published/proofs.zip

Standard library only. Nothing is shared with the code that builds mechanisms: what a closed form, a
property, a score is, is written a second time here, on purpose, in integers and from the paper.
`reading` refuses whatever the format does not say, `checks` and `by_theorem` hold the mathematics,
`container` keeps many proofs in one file.

The file, version 1: one JSON object in UTF-8 with exactly these fields, and the optional parts that
are named below.

    format       "discreet-mechanism"
    version      1
    n            the group size; true counts and outputs run over 0..n
    alpha        RATIO in (0, 1]: what the mechanism promises (Definition 2 of the paper)
    epsilon      RATIO: what it is accounted at; verified: exp(-epsilon) <= alpha
    matrix       {"form": "dense", "denominator": INT, "rows": [[INT, ...], ...]}, in lowest terms,
                 Pr[i|j] being rows[i][j] / denominator; or {"form": "geometric" | "fair" |
                 "weakly-honest" | "column-honest", "alpha": RATIO}; or {"form": "uniform"}
    claims       {"properties": ["RH", ...], "output_dp": RATIO | null, "tight_alpha": RATIO | null,
                  "scores": [{"loss": LOSS, "prior": PRIOR, "worst_case": bool, "value": RATIO},
                  ...]}
    origin       {"method": text, "theorem": text}: how it was found, in words; shown, not verified
    optimality   null, or {"problem": PROBLEM, "cost": RATIO, "bound": RATIO, "denominator": INT,
                 "multipliers": [[kind, a, b, c, INT], ...]}, or {"problem": PROBLEM, "theorem":
                 name}
    id           the content id: SHA-256 of "discreet mechanism 1", alpha and the matrix as text
                 (`read_form`), each on a line of its own; where the column-honest form can be
                 written out, that of the dense matrix
    seal         SHA-256 of the other fields as JSON with sorted keys, no spaces, ASCII. It finds
                 damage, not lies: anyone can compute it. Lies are found by the mathematics.

    INT      an integer as a string of lower-case hexadecimal digits without leading zeros, because
             Python refuses to read more than 4,300 decimal digits; negative ("-2a") only in
             multipliers and bounds
    RATIO    "INT/INT" in lowest terms
    LOSS     {"tail": d}: (n+1)/n where |i-j| > d, so that d = 0 is L0; {"power": p}: |i-j|^p; or
             {"denominator": INT, "rows": [[INT, ...], ...]}, by output and truth
    PRIOR    "uniform", {"binomial": RATIO}, or {"denominator": INT, "weights": [INT, ...]}
    PROBLEM  {"properties": [...], "output_dp": RATIO | null, "loss": LOSS, "prior": PRIOR,
             "worst_case": bool}; its n and alpha are the file's

Multipliers are a dual solution of the linear program whose rows `discreet.core.certificate` lists:
for any multipliers of the right signs `b.y + sum_v min(0, reduced cost of v)` bounds the cost of
every mechanism of the problem from below, because entries lie in [0, 1]; equal to the cost, it
proves optimality.

A closed form that a theorem makes optimal claims the theorem alone. The verifier writes the matrix
and the theorem's multipliers out and checks them up to n = 200; beyond it, it checks the theorem's
conditions (`by_theorem`), and the report says which of the two was done. `families` specifies the
file of a whole range of group sizes.

PROBLEM may have "rows", the inequalities of the caller's own that every mechanism of the problem
has (`own.row_checks`; multipliers may be of kind "own"), and "derivable", true, if it is about
mechanisms that are GM followed by a random map (`own.derivation_checks`). `claims` may have "map",
that map, and "regret", the least worst ratio over several priors (`own.regret_checks`).

In large matrices often few numbers stand in many cells. `matrix` and `optimality` may each have
"values", its numbers in ascending order, each once; the rows of the matrix then have the place of a
number there, from 0 on, instead of an INT; the multipliers are {kind: [a, b, c, place, a, b, c,
place, ...]}.

Mechanisms over histograms, and over counts that one person moves by several, are files of a format
of their own, which `histograms.domain_checks` specifies. `own.impossible_checks` specifies the
proof that there is no mechanism of a shape.
"""

from __future__ import annotations

import hashlib
import io
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from os import PathLike
from typing import Any

from discreet.errors import DiscreetError, InvalidFile, ProofFailed, about_file
from discreet.proof import families
from discreet.proof.checks import (
    check_optimality,
    check_privacy,
    check_score,
    check_shape,
    multipliers_fit,
)
from discreet.proof.container import is_container, proofs_in
from discreet.proof.histograms import domain_checks
from discreet.proof.own import impossible_checks
from discreet.proof.own.derivation_checks import check_map
from discreet.proof.own.regret_checks import check_regret
from discreet.proof.reading import (
    FIELDS,
    FORMAT,
    MAX_N,
    MAX_SCORES,
    VERSION,
    parse,
    read_bytes,
    read_fields,
    read_form,
    read_integer,
    read_list,
    read_parameter,
    read_ratio,
    read_shape,
    read_text,
    sealed,
)

__all__ = ["Report", "examine", "main", "sealed", "verify", "verify_all"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What a proof file says and how each part of it was checked; it exists only if everything
    holds.
    """

    n: int
    alpha: Fraction
    epsilon: Fraction
    id: str
    method: str
    checks: tuple[str, ...]
    optimal: bool | None
    """True: proven optimal for its problem. False: within a proven bound. None: nothing is
    claimed.
    """
    sizes: tuple[tuple[int, int], ...] = ()
    """The ranges of group sizes of a family, whose largest is `n`; of one mechanism there are
    none.
    """
    by_theorem: str = ""
    """The sizes for which a theorem's conditions were checked and not every number; empty: all
    was written out.
    """
    domain: str = ""
    """What the true answer can be, in words, where it is not a count that one person moves by
    one.
    """
    impossible: bool = False
    """Whether what is proven is that there is no such mechanism."""

    def __str__(self) -> str:
        fill = partial(textwrap.fill, width=79, break_long_words=False, break_on_hyphens=False)
        said = fill(f"found by, as the file says: {self.method}", subsequent_indent=" " * 4)
        lines = [fill(f"  ok  {check}", subsequent_indent=" " * 6) for check in self.checks]
        head = [
            "Verified: every claim of the file holds.",
            f"{'no ' * self.impossible}mechanism for {self._counts}",
            said,
        ]
        return "\n".join([*head, *lines, f"id {self.id}"])

    __repr__ = __str__

    @property
    def line(self) -> str:
        """The report in one line, for a list of many."""
        proven = {True: ", proven optimal", False: ", within a proven bound", None: ""}[
            self.optimal
        ]
        none = "no mechanism for " * self.impossible
        return (
            f"  ok  {self.id}  {none}{self._counts}{proven}{' by theorem' * bool(self.by_theorem)}"
        )

    @property
    def _counts(self) -> str:
        if self.domain:
            return self.domain
        if not self.sizes:
            return f"counts 0..{self.n}"
        few = [str(low) if low == high else f"{low}-{high}" for low, high in self.sizes[:5]]
        return f"counts in groups of {', '.join(few)}{', ...' if len(self.sizes) > 5 else ''}"


def verify(path: str | PathLike[str]) -> Report:
    """Check every claim of the proof file at `path`, exactly; raise `ProofFailed` naming the first
    that does not hold.

    A file that is damaged, of another format or beyond the limits raises `InvalidFile`.
    """
    with about_file(path):
        return examine(read_bytes(path))[0]


def verify_all(path: str | PathLike[str]) -> Iterator[Report]:
    """Check every proof of a container, or of a bundle's folder, one after the other; as
    `verify` does one.
    """
    with about_file(path):
        for name, data in proofs_in(path):
            with about_file(f"{path}/{name}.json"):
                report = examine(data)[0]
                if report.id != name:
                    raise ProofFailed("id: the proof is not the one it is named after")
            yield report


def examine(data: bytes, *, write_out: bool = True) -> tuple[Report, dict[str, Any]]:
    """Check the bytes of a proof file; return the report and the document, every claim of which
    holds.

    Without `write_out` a family is held to its theorem's conditions, for each of its sizes, and to
    no more.
    """
    document = parse(data)
    if document.get("format") == families.FORMAT:
        return _examine_family(document, write_out), document
    if document.get("format") == domain_checks.FORMAT:
        return Report(**domain_checks.check_domain(document)), document
    version = document.get("version")
    if document.get("format") == impossible_checks.FORMAT:
        return Report(**impossible_checks.check_impossible(document)), document
    if document.get("format") != FORMAT or version != VERSION or version is True:
        remedy = "a newer discreet may be able to read this file"
        raise InvalidFile("format", f'must be "{FORMAT}" and `version` {VERSION}', remedy=remedy)
    values = read_fields(document, "file", *FIELDS, "seal")
    try:
        intact = sealed(document) == values.pop()
    except RecursionError:
        raise InvalidFile("file", "is nested too deeply") from None
    if not intact:
        raise ProofFailed("seal: the file was changed after it was written")
    n = read_integer(values[2], "n", MAX_N)
    alpha, epsilon = (
        read_parameter(value, name) for value, name in zip(values[3:5], FIELDS[3:5], strict=True)
    )
    matrix, claims, origin, optimality, identity = values[5:]
    more = [name for name in ("map", "regret") if isinstance(claims, dict) and name in claims]
    method, theorem = (
        read_text(text) for text in read_fields(origin, "origin", "method", "theorem")
    )
    form = read_form(matrix, n)
    content = f"discreet mechanism 1\n{alpha.numerator:x}/{alpha.denominator:x}\n{form.text}\n"
    if hashlib.sha256(content.encode()).hexdigest() != identity:
        raise ProofFailed("id: it is not the content id of this n, alpha and matrix")

    names = ("properties", "output_dp", "tight_alpha", "scores", *more)
    properties, ratio, tight, scores, *_ = read_fields(claims, "claims", *names)
    tight = None if tight is None else read_ratio(tight, "tight_alpha")
    checks = ["the seal and the content id belong to these contents"]
    checks.append(check_privacy(form, alpha, epsilon, tight))
    shape = read_shape(properties, ratio)
    checks.append(check_shape(form, *shape))
    if "map" in more:
        checks.append(check_map(form, alpha, claims["map"]))
    for score in read_list(scores, "scores", most=MAX_SCORES):
        checks.append(
            check_score(form, *read_fields(score, "scores", "loss", "prior", "worst_case", "value"))
        )
    optimal, written = None, form.rows is not None
    if optimality is not None:
        optimal, statement = check_optimality(form, alpha, shape, optimality)
        checks.append(statement)
        if "theorem" in optimality:
            written = multipliers_fit(form, alpha, optimality["problem"]["prior"])
    if "regret" in more:
        checks.append(check_regret(form, alpha, optimality, claims["regret"]))
    method = f"{method} ({theorem})" if theorem and theorem not in method else method
    said = tuple(check for check in checks if check)
    report = Report(
        n=n,
        alpha=alpha,
        epsilon=epsilon,
        id=identity,
        method=method,
        checks=said,
        optimal=optimal,
        by_theorem="" if written else str(n),
    )
    return report, document


def _examine_family(document: dict[str, Any], write_out: bool) -> Report:
    try:
        sizes, alpha, epsilon, optimal, checks, beyond = families.check_family(
            document, write_out=write_out
        )
    except RecursionError:
        raise InvalidFile("file", "is nested too deeply") from None
    return Report(
        n=sizes[-1][1],
        alpha=alpha,
        epsilon=epsilon,
        id=document["id"],
        checks=tuple(checks),
        optimal=optimal,
        method=f'closed form, theorem "{document["theorem"]}"',
        sizes=tuple(sizes),
        by_theorem=beyond,
    )


def main(paths: list[str]) -> int:
    """Verify files and print their reports; return 0 when every claim holds, 1 when one fails, 2
    when unreadable.
    """
    if not paths or paths[0].startswith("-"):
        print(
            "usage: python -m discreet.proof PATH ...   (proof files, containers, bundles)",
            file=sys.stderr,
        )
        return 2
    worst = 0
    if isinstance(sys.stdout, io.TextIOWrapper):
        # a terminal that lacks a letter shows its code instead of failing
        sys.stdout.reconfigure(errors="backslashreplace")
    for path in paths:
        try:
            if not is_container(path):
                print(examine(read_bytes(path))[0])
                continue
            proofs = 0
            for report in verify_all(path):
                print(report.line)
                proofs += 1
            print(f"Every claim of the {proofs} proof file{'' if proofs == 1 else 's'} holds.")
        except DiscreetError as error:
            failed, where, error.file = isinstance(error, ProofFailed), error.file or path, ""
            print(
                f"{'FAILED' if failed else 'INVALID'} {ascii(where)[1:-1]}: {error}",
                file=sys.stderr,
            )
            worst = max(worst, 1 if failed else 2)
    return worst
