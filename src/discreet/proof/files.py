"""Writing files: a mechanism with its proofs (`m.save(path)`), and whatever else the library
writes.

The format is specified in `discreet.proof`, and nothing is saved that its verifier does not accept.
This is the one writer of files (`write_whole`, `whole_file`): a file appears whole or not at all,
even after a crash. It is written under another name in the same folder, flushed to disk, and
renamed; then the folder is flushed too.
"""

from __future__ import annotations

import json
import os
import secrets
from contextlib import contextmanager
from fractions import Fraction
from math import lcm
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.already_there import AlreadyThere, another
from discreet.core.certificate import Problem, Regret, Row, score
from discreet.core.domains import Counts
from discreet.core.family import Family
from discreet.core.forms import (
    ColumnHonest,
    Dense,
    Fair,
    Form,
    Geometric,
    Relabelled,
    Uniform,
    WeaklyHonest,
)
from discreet.core.losses import Loss, Prior, read_loss, read_prior
from discreet.core.mechanism import Mechanism
from discreet.core.properties import PROPERTIES, Shape
from discreet.core.transforms import derives_from_geometric
from discreet.errors import InvalidFile, InvalidInput
from discreet.proof import examine, families
from discreet.proof.by_place import BY_PLACE_FROM, placed_multipliers, placed_rows
from discreet.proof.by_theorem import NEARLY, known_score
from discreet.proof.histograms.domain_files import (
    domain_claims,
    domain_head,
    domain_matrix,
    domain_optimality,
)
from discreet.proof.kept import Kept
from discreet.proof.moved_ends import COLUMN_HONEST
from discreet.proof.own.impossibility import written_rows
from discreet.proof.reading import (
    FORMAT,
    MAX_DIGITS,
    VERSION,
    affordable,
    sealed,
    weights_fit,
    written_out,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from os import PathLike

CLAIMED_LOSSES = ("L0", "L1", "L2", "L0,1")
"""Their means over a uniform prior are written into every file whose matrix the verifier writes
out.
"""

KINDS: dict[type, str] = {
    Geometric: "geometric",
    Fair: "fair",
    WeaklyHonest: "weakly-honest",
    ColumnHonest: COLUMN_HONEST,
}


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


def to_bytes(mechanism: Mechanism) -> bytes:
    """Return the proof file of a mechanism."""
    m, origin = mechanism, mechanism.origin
    if (
        isinstance(origin.proof, Kept)
        and (kept := origin.proof.file(_ratio(m.epsilon))) is not None
    ):
        return kept
    other = m.domain != Counts(m.n)
    optimality = domain_optimality(m) if other else _optimality(m)
    claims = domain_claims(m) if other else _claims(m)
    matrix = domain_matrix(m) if other else _matrix(m.form)
    document: dict[str, Any] = {
        **(domain_head(m) if other else {"format": FORMAT, "version": VERSION, "n": m.n}),
        "alpha": _ratio(m.alpha),
        "epsilon": _ratio(m.epsilon),
        "claims": claims,
        "origin": {"method": origin.method, "theorem": origin.theorem},
        "optimality": optimality,
        "id": m.id,
        "matrix": matrix,
    }
    document["seal"] = sealed(document, tuple(document))
    return _lines(document)


def entry_bytes(entry: Family | Mechanism) -> bytes:
    """Return the proof file of what answers one group size, or many: of a mechanism, or of a
    family.
    """
    if isinstance(entry, Mechanism):
        return to_bytes(entry)
    shape, prior = (
        entry.shape,
        "uniform" if entry.chance is None else {"binomial": _ratio(entry.chance)},
    )
    document = {
        "format": families.FORMAT,
        "version": families.VERSION,
        "kind": entry.kind,
        "alpha": _ratio(entry.privacy.value),
        "epsilon": _ratio(entry.privacy.epsilon),
        "sizes": [list(each) for each in entry.sizes],
        "problem": _problem(shape, {"tail": 0}, prior, worst_case=entry.worst_case),
        "theorem": entry.theorem,
        "id": entry.id,
    }
    return _lines(document)


def _lines(document: dict[str, Any]) -> bytes:
    # one field to a line: a person can look at it, and indentation would make large files larger
    lines = ",\n".join(
        f"{json.dumps(name)}: {json.dumps(value)}" for name, value in document.items()
    )
    return f"{{\n{lines}\n}}\n".encode()


def _ratio(value: Fraction) -> str:
    return f"{value.numerator:x}/{value.denominator:x}"


def _table(rows: tuple[tuple[Fraction, ...], ...]) -> dict[str, Any]:
    denominator = lcm(*(x.denominator for row in rows for x in row))
    return {
        "denominator": f"{denominator:x}",
        "rows": [
            [f"{x.numerator * (denominator // x.denominator):x}" for x in row] for row in rows
        ],
    }


def _matrix(form: Form) -> dict[str, Any]:
    if isinstance(form, (Geometric, Fair, WeaklyHonest, ColumnHonest)):
        return {"form": KINDS[type(form)], "alpha": _ratio(form.alpha)}
    if isinstance(form, Uniform):
        return {"form": "uniform"}
    dense = form.dense()
    by_place = dense.n >= BY_PLACE_FROM
    rows = (
        placed_rows(dense.rows)
        if by_place
        else {"rows": [[f"{x:x}" for x in row] for row in dense.rows]}
    )
    return {"form": "dense", "denominator": f"{dense.denominator:x}", **rows}


def _claims(m: Mechanism) -> dict[str, Any]:
    """Claim what the verifier can check: everything where it writes the matrix out, else what
    theorems say.
    """
    problem = m.origin.problem
    tight: Fraction | None = m.tight_alpha
    whole = isinstance(m.form, (Dense, Relabelled)) or written_out(m.n, m.tight_alpha)
    names = (
        m.shape.names
        if whole
        else {name for name in m.shape.names if _known_to_verifier(m.form, name)}
    )
    ratio = problem.shape.output_dp if problem else None
    if isinstance(m.form, (Fair, Uniform)):
        ratio = m.tight_alpha
    scores = []
    if whole:
        dense = m.form.dense()
        asked = [(read_loss(name, m.n), read_prior(None, m.n), False) for name in CLAIMED_LOSSES]
        if (
            problem
            and (problem.loss, problem.prior, problem.worst_case) not in asked
            and _short(problem)
        ):
            asked.append((problem.loss, problem.prior, problem.worst_case))
        scores = [(*each, score(dense, each[0], each[1], worst_case=each[2])) for each in asked]
        bits = m.tight_alpha.denominator.bit_length()
        if bits > 4 * MAX_DIGITS or not affordable(m.n, 1 << bits, dense.denominator):
            tight = None
    elif (known := known_score(KINDS.get(type(m.form), "uniform"), m.n, m.tight_alpha)) is not None:
        scores = [(read_loss("L0", m.n), read_prior(None, m.n), False, known)]
    return {
        "properties": [name for name in PROPERTIES if name in names],
        "output_dp": None if ratio is None else _ratio(ratio),
        "tight_alpha": None if tight is None else _ratio(tight),
        "scores": [
            {
                "loss": _loss(loss),
                "prior": _prior(prior),
                "worst_case": worst,
                "value": _ratio(value),
            }
            for loss, prior, worst, value in scores
        ],
        **(_map(m) if problem and problem.derivable and problem.alpha == m.alpha else {}),
        **(
            _regret(problem.regret)
            if problem and problem.regret and problem.alpha == m.alpha
            else {}
        ),
    }


def _multipliers(rows: tuple[Row, ...]) -> dict[str, Any]:
    return {"multipliers": [[*row[:4], f"{row[4]:x}"] for row in rows]}


def _regret(regret: Regret) -> dict[str, Any]:
    """The priors, each with its own optimum and share, and the least worst ratio."""
    written = (
        {"cost": _ratio(one.cost), "denominator": f"{one.denominator:x}"} for one in regret.optima
    )
    optima = [
        {**each, **_multipliers(one.rows)} for each, one in zip(written, regret.optima, strict=True)
    ]
    priors, shares = [*map(_prior, regret.priors)], [*map(_ratio, regret.shares)]
    return {
        "regret": {
            "priors": priors,
            "optima": optima,
            "shares": shares,
            "value": _ratio(regret.value),
        }
    }


def _map(m: Mechanism) -> dict[str, Any]:
    """The random map that makes it of GM."""
    rows = derives_from_geometric(m).map
    return {} if rows is None else {"map": _table(rows)}


def _short(problem: Problem) -> bool:
    """Whether the verifier writes out the weights of the prior: a Binomial one may be of a very
    long chance.
    """
    return (
        problem.prior.uniform
        or problem.prior.chance is None
        or weights_fit(problem.n, problem.prior.chance)
    )


def _known_to_verifier(form: Form, name: str) -> bool:
    # whether large WM is honest by columns takes more than its theorem to say
    return not (isinstance(form, WeaklyHonest) and name in ("CH", "CM"))


def _loss(loss: Loss) -> dict[str, Any]:
    if loss.tail is not None:
        return {"tail": loss.tail}
    if loss.power is not None and not loss.rounded:
        return {"power": loss.power.numerator}
    # costs that were rounded, because |i-j|^p is irrational, are written as the numbers they were
    # rounded to
    return _table(loss.matrix)


def _prior(prior: Prior) -> Any:
    if prior.uniform:
        return "uniform"
    if prior.name.startswith("Binomial("):
        return {"binomial": _ratio(Fraction(prior.name[len("Binomial(") : -1]))}
    table = _table((prior.weights,))
    return {"denominator": table["denominator"], "weights": table["rows"][0]}


def _problem(shape: Shape, loss: Any, prior: Any, *, worst_case: bool) -> dict[str, Any]:
    return {
        "properties": [name for name in PROPERTIES if name in shape.names],
        "output_dp": None if shape.output_dp is None else _ratio(shape.output_dp),
        "loss": loss,
        "prior": prior,
        "worst_case": worst_case,
    }


def _optimality(m: Mechanism) -> dict[str, Any] | None:
    problem = m.origin.problem
    # a file has one alpha: a bound for another one would be a statement about something else
    if problem is None or problem.alpha != m.alpha:
        return None
    asked = _problem(
        problem.shape, _loss(problem.loss), _prior(problem.prior), worst_case=problem.worst_case
    )
    if problem.own:
        asked["rows"] = written_rows(problem.own)
    if problem.derivable:
        asked["derivable"] = True
    theorem = _theorem(m, problem) if problem.plain else None
    if theorem is None or theorem == NEARLY:  # multipliers may say how near, and more closely
        certificate = m.origin.certificate
        dense = isinstance(m.form, (Dense, Relabelled)) or written_out(m.n, m.tight_alpha)
        if certificate is not None and dense and _short(problem):
            cost, bound, scale = (
                _ratio(certificate.cost),
                _ratio(certificate.bound),
                f"{certificate.denominator:x}",
            )
            rows = (
                placed_multipliers(certificate.rows)
                if m.n >= BY_PLACE_FROM
                else _multipliers(certificate.rows)
            )
            return {"problem": asked, "cost": cost, "bound": bound, "denominator": scale, **rows}
    return None if theorem is None else {"problem": asked, "theorem": theorem}


def _theorem(m: Mechanism, problem: Problem) -> str | None:
    """Name the theorem by which a closed form is optimal for L0, or nearly; see
    `discreet.proof.by_theorem`.
    """
    names, mean_uniform = problem.shape.names, problem.prior.uniform and not problem.worst_case
    if problem.loss.tail != 0 or m.tight_alpha != m.alpha or not isinstance(m.form, tuple(KINDS)):
        return None
    if isinstance(m.form, Geometric) and mean_uniform:
        return "geometric"
    if isinstance(m.form, WeaklyHonest) and mean_uniform and names & {"WH", "CH", "CM"}:
        return "weakly-honest"
    if isinstance(m.form, ColumnHonest) and mean_uniform and names & {"CH", "CM"}:
        return COLUMN_HONEST
    if isinstance(m.form, Fair) or m.n == 1:  # at n = 1 EM is stored as GM
        if "F" in names or (problem.worst_case and problem.prior.uniform):
            return "fair"
        return NEARLY if mean_uniform else None
    return None


def write_whole(
    path: str | PathLike[str], data: bytes | str, *, private: bool = False, parameter: str = "path"
) -> None:
    """Write a file so that every reader finds all of it or what was there before; text as UTF-8.

    A `private` file can be read by its owner alone, from its first byte on.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_whole(f"{folder}/a.txt", "all of it")
    ...     Path(f"{folder}/a.txt").read_text(), len(list(Path(folder).iterdir()))
    ('all of it', 1)
    """
    with whole_file(path, private=private, parameter=parameter) as partial:
        partial.write_bytes(data.encode() if isinstance(data, str) else data)


@contextmanager
def whole_file(
    path: str | PathLike[str], *, private: bool = False, parameter: str = "path"
) -> Iterator[Path]:
    """Give the path to write to for now; at the end of the block the file takes its name, or is
    gone after an error.
    """
    target = read_path(path, parameter)
    if target.is_dir() or not target.parent.is_dir():
        raise InvalidFile(parameter, "must name a file in a folder that exists", str(path))
    if _is_stream(target):
        yield target
        return
    if target.is_symlink():
        target = target.resolve()  # a link stays a link
    partial = target.with_name(f".{target.name[:100]}.{secrets.token_hex(8)}.part")
    try:
        os.close(
            os.open(partial, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600 if private else 0o666)
        )
        yield partial
        flush(partial)
        partial.replace(target)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise
    flush(target.parent)


def read_path(path: object, parameter: str = "path") -> Path:
    """Read the path of a file that is to be written."""
    named = os.fspath(path) if isinstance(path, str | os.PathLike) else None
    if not isinstance(named, str) or "\0" in named:
        raise InvalidInput(parameter, "must be the path of a file", path)
    return Path(named)


def check_new(path: str | PathLike[str], *, overwrite: bool, parameter: str = "path") -> None:
    """Refuse to replace a file unless that is wanted; a pipe or a terminal is nobody's file."""
    target = read_path(path, parameter)
    if not overwrite and os.path.lexists(target) and not _is_stream(target):
        raise AlreadyThere(parameter, "exists already", found=str(path), remedy=another(parameter))


def flush(path: Path) -> None:
    """Force a file, or the names in a folder, to the disk: a rename is durable when its folder
    is.
    """
    if os.name != "posix" and path.is_dir():
        return  # only POSIX opens folders
    handle = os.open(path, os.O_RDONLY if os.name == "posix" else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _is_stream(target: Path) -> bool:
    """Whether this is a pipe or a terminal, or one of the names of our own output: there is
    nothing to replace.
    """
    return target.exists() and (not target.is_file() or target.absolute().is_relative_to("/dev"))
