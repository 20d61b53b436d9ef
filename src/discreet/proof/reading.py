"""Reading a proof file: refuse whatever the format does not say, before anything works with it.

Every limit is here, and is checked before the work that it bounds. A file beyond them is refused
within a second; the slowest that can be made within them takes well under a minute.
"""

from __future__ import annotations

import hashlib
import json
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from io import BufferedReader
from math import comb, gcd
from os import PathLike
from pathlib import Path
from typing import Any, NoReturn

from discreet.errors import DiscreetError, InvalidFile, ProofFailed
from discreet.proof.moved_ends import COLUMN_HONEST, ends_can_move, matrix_text, with_ends_moved

FORMAT, VERSION = "discreet-mechanism", 1
FIELDS = (
    "format",
    "version",
    "n",
    "alpha",
    "epsilon",
    "matrix",
    "claims",
    "origin",
    "optimality",
    "id",
)
NAMES = ("RH", "RM", "CH", "CM", "WH", "F", "S")

MAX_BYTES = 1 << 27
MAX_VALUES = 1 << 21  # values in the JSON text, counted by its commas
MAX_DIGITS = 1 << 13  # hexadecimal digits of one number
MAX_PARAMETER = 3200  # characters of a parameter: alpha, epsilon, a ratio of output DP, a chance
MAX_N = 10**9
MAX_DENSE_N = 512  # beyond it a matrix is not written out
MAX_WORK = 1 << 40  # cells of a matrix times the bits of the two numbers multiplied in each
MAX_SCORES = 8
MAX_ROWS = 1 << 15  # inequalities of the caller's own, of one name
MAX_TEXT = 2000

_INT = re.compile(r"-?[1-9a-f][0-9a-f]*|0")


def invalid(where: str, rule: str, remedy: str = "") -> NoReturn:
    """Refuse the file. Its own words are never part of the message, so it cannot write on a
    terminal.
    """
    raise InvalidFile(where, rule, remedy=remedy)


def affordable(n: int, left: int, right: int) -> bool:
    """Say whether multiplying numbers as long as these in every cell stays within `MAX_WORK`."""
    return (n + 1) ** 2 * max(30, left.bit_length()) * max(30, right.bit_length()) <= MAX_WORK


@contextmanager
def open_regular(path: str | PathLike[str]) -> Iterator[BufferedReader]:
    """Open a regular file; a pipe or a device could go on for ever."""
    try:
        if not stat.S_ISREG(Path(path).stat().st_mode):
            folder = (
                "the folder of a release is read and checked by dc.read_release and by discreet "
                "verify"
            )
            invalid("path", "must be a regular file", folder if Path(path).is_dir() else "")
        with Path(path).open("rb") as file:
            yield file
    except (OSError, ValueError) as error:
        if isinstance(error, DiscreetError):
            raise
        raise InvalidFile(
            "path", f"cannot be read: {getattr(error, 'strerror', 'it is no path')}"
        ) from None


def read_bytes(path: str | PathLike[str]) -> bytes:
    """Read a regular file, and no more of it than shows that it is too large."""
    with open_regular(path) as file:
        return file.read(MAX_BYTES + 1)


def parse(data: bytes) -> dict[str, Any]:
    """Parse JSON strictly: no field twice, no floats, no NaN, no long numbers, not deep, not
    large.
    """
    if len(data) > MAX_BYTES or data.count(b",") > MAX_VALUES:
        invalid("file", f"must have at most {MAX_BYTES} bytes and {MAX_VALUES} values")
    if data.startswith(b"PK"):
        invalid(
            "file",
            "is a container of proofs",
            "discreet verify, or python -m discreet.proof, checks every one",
        )
    if not data.lstrip().startswith(b"{"):
        invalid("file", "is not a proof file", "m.save(...) and discreet design -o write them")
    try:
        document = json.loads(
            data.decode("utf-8"),
            object_pairs_hook=_unique,
            parse_int=lambda text: (
                int(text)
                if len(text) <= 10
                else invalid("file", "has a long number outside a string")
            ),
            parse_float=lambda _: invalid(
                "file", "must not hold numbers with a point or an exponent"
            ),
            parse_constant=lambda _: invalid("file", "must not hold NaN or Infinity"),
        )
    except RecursionError:
        invalid("file", "is nested too deeply")
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        invalid(
            "file", f"is not JSON in UTF-8 ({type(error).__name__})", "it may have been cut short"
        )
    return document if isinstance(document, dict) else invalid("file", "must be a JSON object")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    return dict(pairs) if len(dict(pairs)) == len(pairs) else invalid("file", "has a field twice")


def sealed(document: dict[str, Any], fields: tuple[str, ...] = FIELDS) -> str:
    """Return the digest of a document's fields other than the seal itself."""
    digest = hashlib.sha256()
    # field by field, which gives the same bytes as the whole and needs less memory
    for separator, name in zip("{" + "," * len(fields), sorted(fields), strict=False):
        value = json.dumps(document[name], sort_keys=True, separators=(",", ":"))
        digest.update(f'{separator}"{name}":{value}'.encode())
    digest.update(b"}")
    return digest.hexdigest()


def read_fields(value: Any, where: str, *names: str) -> list[Any]:
    """Return the fields of an object that has exactly these."""
    if wrong := sorted({*value} ^ {*names}) if isinstance(value, dict) else names:
        invalid(
            where,
            f"must be an object with exactly the fields {', '.join(names)}; check "
            f"{', '.join(wrong)[:99]}",
        )
    return [value[name] for name in names]


def read_list(
    value: Any, where: str, length: int | None = None, *, most: int = MAX_VALUES
) -> list[Any]:
    """Return a list of the given length, or of at most `most`."""
    if (
        not isinstance(value, list)
        or len(value) > most
        or len(value) != (len(value) if length is None else length)
    ):
        invalid(where, f"must be a list of {f'at most {most}' if length is None else length}")
    return value


def read_integer(value: Any, where: str, most: int) -> int:
    """Return a small whole number written as a JSON number."""
    return (
        value
        if type(value) is int and 0 <= value <= most
        else invalid(where, f"must be an integer in 0..{most}")
    )


def read_text(value: Any) -> str:
    """Return printable text: control and direction characters could make a terminal show another
    report.
    """
    if not isinstance(value, str) or len(value) > MAX_TEXT or not value.isprintable():
        invalid("origin", f"must be printable text of at most {MAX_TEXT} characters")
    return value


def read_hex(value: Any, where: str, *, signed: bool = False, positive: bool = False) -> int:
    """Return an INT."""
    if not isinstance(value, str) or len(value) > MAX_DIGITS or not _INT.fullmatch(value):
        invalid(where, f"must be a string of at most {MAX_DIGITS} hexadecimal digits")
    if (value[0] == "-" and not signed) or (value == "0" and positive):
        raise ProofFailed(f"{where}: a number is {'not positive' if positive else 'negative'}")
    return int(value, 16)


def read_ratio(value: Any, where: str, *, signed: bool = False) -> Fraction:
    """Return a RATIO; in lowest terms, so that a number is written in one way only."""
    top, _, bottom = value.partition("/") if isinstance(value, str) else ("", "", "")
    ratio = Fraction(read_hex(top, where, signed=signed), read_hex(bottom, where, positive=True))
    return (
        ratio
        if f"{ratio.denominator:x}" == bottom
        else invalid(where, "must be a ratio in lowest terms")
    )


def read_parameter(value: Any, where: str) -> Fraction:
    """Return a RATIO short enough to be shown and typed."""
    if not isinstance(value, str) or len(value) > MAX_PARAMETER:
        invalid(where, f"must be a ratio of at most {MAX_PARAMETER} characters")
    return read_ratio(value, where)


def _read_table(value: Any, where: str, n: int) -> list[list[int]]:
    return [
        [read_hex(x, where) for x in read_list(row, where, n + 1)]
        for row in read_list(value, where, n + 1)
    ]


def read_multipliers(given: Any, n: int, texts: Any = None) -> list[tuple[str, int, int, int, int]]:
    """Return kind, indices and numerator of each; with `texts` they are listed by kind,
    numerators by their places.
    """
    where, values = (
        "multipliers",
        [] if texts is None else _read_values(texts, "multipliers", signed=True),
    )
    if texts is None:
        rows = (read_list(row, where, 5) for row in read_list(given, where))
    else:
        flat = (
            given.items()
            if isinstance(given, dict)
            else invalid(where, "must be an object, by kind")
        )
        fours = (
            (kind, each[k : k + 4])
            for kind, each in flat
            for k in range(0, len(read_list(each, where)), 4)
        )
        rows = ([kind, *read_list(four, where, 4)] for kind, four in fours)
    read = []
    for kind, *index, last in rows:
        a, b, c = (read_integer(k, where, MAX_ROWS if kind == "own" else n) for k in index)
        y = (
            read_hex(last, where, signed=True)
            if texts is None
            else values[read_integer(last, where, len(values) - 1)]
        )
        read.append((kind if isinstance(kind, str) else "", a, b, c, y))
    return read


def _read_values(given: Any, where: str, *, signed: bool = False) -> list[int]:
    values = [read_hex(x, where, signed=signed) for x in read_list(given, where)]
    return (
        values
        if values == sorted({*values})
        else invalid(where, "must have its values in ascending order")
    )


def _read_by_place(given: Any, texts: Any, n: int) -> tuple[list[list[int]], list[list[str]]]:
    values = _read_values(texts, "matrix")
    rows = [
        [read_integer(k, "matrix", len(values) - 1) for k in read_list(row, "matrix", n + 1)]
        for row in read_list(given, "matrix", n + 1)
    ]
    if sum(len(texts[k]) for row in rows for k in row) > MAX_BYTES:
        invalid(
            "matrix", f"must have at most {MAX_BYTES} digits, each counted as often as it is named"
        )
    return [[values[k] for k in row] for row in rows], [[texts[k] for k in row] for row in rows]


def read_shape(properties: Any, ratio: Any) -> tuple[set[str], Fraction | None]:
    """Return the names of properties, and the ratio of output DP."""
    names = read_list(properties, "properties", most=len(NAMES))
    if not all(isinstance(name, str) and name in NAMES for name in names):
        invalid("properties", f"must be from {' '.join(NAMES)}")
    beta = None if ratio is None else read_parameter(ratio, "output_dp")
    return set(names), beta if beta is None or 0 < beta <= 1 else invalid(
        "output_dp", "must be in (0, 1]"
    )


def read_loss(value: Any, n: int) -> tuple[list[list[int]], int, str]:
    """Return the costs [output][truth] as integers, their denominator, and a name."""
    counts = range(n + 1)
    if isinstance(value, dict) and "tail" in value:
        d = read_integer(read_fields(value, "loss", "tail")[0], "loss", MAX_N - 1)
        return (
            [[(n + 1) * (abs(i - j) > d) for j in counts] for i in counts],
            n or 1,
            f"L0,{d}" if d else "L0",
        )
    if isinstance(value, dict) and "power" in value:
        p = read_integer(read_fields(value, "loss", "power")[0], "loss", 64)
        return (
            [[abs(i - j) ** p if i != j else 0 for j in counts] for i in counts],
            1,
            f"L{p}" if p else "|i-j|^0",
        )
    denominator, rows = read_fields(value, "loss", "denominator", "rows")
    return (
        _read_table(rows, "loss", n),
        read_hex(denominator, "loss", positive=True),
        "the file's own loss",
    )


def read_chance(value: Any, n: int) -> Fraction:
    """Check a prior, and return the chance of one that is Binomial (1 for another) without its n
    + 1 weights.
    """
    if isinstance(value, dict) and "binomial" in value:
        chance = read_parameter(read_fields(value, "prior", "binomial")[0], "prior")
        return (
            chance if chance <= 1 else invalid("prior", "must be Binomial with a chance in [0, 1]")
        )
    if value != "uniform":
        read_prior(value, n)
    return Fraction(1)


def weights_fit(n: int, chance: Fraction) -> bool:
    """Say whether the weights of a Binomial prior are few and short enough to be written out."""
    return n <= MAX_DENSE_N and n * chance.denominator.bit_length() <= 4 * MAX_DIGITS


def read_prior(value: Any, n: int) -> tuple[list[int], int, str]:
    """Return the weights of the true counts as integers, their denominator, and a name."""
    if value == "uniform":
        return [1] * (n + 1), n + 1, "uniform prior"
    if isinstance(value, dict) and "binomial" in value:
        chance = read_parameter(read_fields(value, "prior", "binomial")[0], "prior")
        p, q = chance.numerator, chance.denominator
        if p > q or not weights_fit(n, chance):
            invalid(
                "prior", "must be Binomial with a chance in [0, 1] and weights within the limits"
            )
        return (
            [comb(n, j) * p**j * (q - p) ** (n - j) for j in range(n + 1)],
            q**n,
            f"Binomial({chance}) prior",
        )
    denominator, given = read_fields(value, "prior", "denominator", "weights")
    weights = [read_hex(x, "prior") for x in read_list(given, "prior", n + 1)]
    if sum(weights) != read_hex(denominator, "prior", positive=True):
        raise ProofFailed("prior: its weights do not sum to 1")
    return weights, sum(weights), "the file's own prior"


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """The matrix: integers over one denominator; `rows` is None for a closed form too large to
    write out.
    """

    kind: str
    n: int
    alpha: Fraction
    name: str
    rows: list[list[int]] | None
    denominator: int

    @property
    def text(self) -> str:
        """What its content id is made of."""
        by_matrix = self.kind == COLUMN_HONEST and self.rows is not None
        return matrix_text(self.rows or [], self.denominator) if by_matrix else self.name


def written_out(n: int, a: Fraction) -> bool:
    """Say whether a closed form is small enough to be written out and checked cell by cell."""
    return n <= MAX_DENSE_N and (n + 1) ** 2 * (n * a.denominator.bit_length()) ** 2 <= MAX_WORK


def read_form(value: Any, n: int) -> Form:
    """Read the matrix as written, or write a closed form out from its formula."""
    kind = value.get("form") if isinstance(value, dict) else None
    if kind == "dense":
        by_place = ["values"] if "values" in value else []
        _, bottom, given, *texts = read_fields(
            value, "matrix", "form", "denominator", "rows", *by_place
        )
        read_integer(n, "n", MAX_DENSE_N)
        rows, given = (
            _read_by_place(given, texts[0], n)
            if texts
            else (_read_table(given, "matrix", n), given)
        )
        denominator = read_hex(bottom, "matrix", positive=True)
        if gcd(denominator, *(x for row in rows for x in row)) != 1:
            invalid("matrix", "must be in lowest terms")
        text = f"dense {bottom} " + ";".join(",".join(row) for row in given)
        return Form(
            kind=kind, n=n, alpha=Fraction(0), name=text, rows=rows, denominator=denominator
        )
    if kind == "uniform":
        read_fields(value, "matrix", "form")
        equal = [[1] * (n + 1)] * (n + 1) if n <= MAX_DENSE_N else None
        return Form(
            kind=kind, n=n, alpha=Fraction(1), name=f"uniform {n}", rows=equal, denominator=n + 1
        )
    if kind not in ("geometric", "fair", "weakly-honest", COLUMN_HONEST):
        invalid(
            "matrix", f"must be dense, geometric, fair, weakly-honest, {COLUMN_HONEST} or uniform"
        )
    a = read_parameter(read_fields(value, "matrix", "form", "alpha")[1], "matrix")
    outside = kind == "weakly-honest" and not (n >= 2 and n * (1 - a) < 2 * a)
    if not 0 < a < 1 or n < 1 or outside or (kind == COLUMN_HONEST and not ends_can_move(n, a)):
        invalid("matrix", f"is not a {kind} mechanism for this n and alpha")
    name, written, denominator = f"{kind} {n} {a.numerator:x}/{a.denominator:x}", None, 1
    if written_out(n, a):
        written, denominator = _write_out(kind, n, a.numerator, a.denominator)
    return Form(kind=kind, n=n, alpha=a, name=name, rows=written, denominator=denominator)


def _write_out(kind: str, n: int, p: int, q: int) -> tuple[list[list[int]], int]:
    counts = range(n + 1)
    power = [p**k * q ** (n - k) for k in counts]  # alpha^k, times q^n
    # GM: s_i alpha^|i-j|, s_i = 1/(1+alpha) at both ends and (1-alpha)/(1+alpha) between them
    geometric = [[(q - p if 0 < i < n else q) * power[abs(i - j)] for j in counts] for i in counts]
    if kind == COLUMN_HONEST:
        return with_ends_moved(geometric, p, q), 2 * p * (p + q) * q**n
    # EM: y alpha^e, e the distance capped at half of what lies beyond i; y makes column 0 sum to 1
    # (Theorem 4)
    fair = [
        [
            power[min(j - i, (n - i + 1) // 2) if j >= i else min(i - j, (i + 1) // 2)]
            for j in counts
        ]
        for i in counts
    ]
    under, over = (p + q) * q**n, sum(row[0] for row in fair)
    if kind != "weakly-honest":
        return (geometric, under) if kind == "geometric" else (fair, over)
    # WM: the mixture of the two with 1/(n+1) on the inner diagonal, lambda and 1-lambda cleared of
    # denominators
    g, f = (n + 1) * fair[1][1] - over, under - (n + 1) * geometric[1][1]
    mixed = [
        [g * x + f * y for x, y in zip(*rows, strict=True)]
        for rows in zip(geometric, fair, strict=True)
    ]
    return mixed, (n + 1) * (fair[1][1] * under - geometric[1][1] * over)
