"""The public verb: audit a black box for counts.

Ask it (or read what it answered), estimate its matrix with one simultaneous confidence region, and
test what is claimed: epsilon (Definition 2 of the paper), independent rows, and the matrix when one
is claimed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from discreet.auditing.boxes import ask, from_callable, from_command, looks_like_file
from discreet.auditing.draws import MAX_N, Draws
from discreet.auditing.findings import Audit
from discreet.auditing.fit import fit
from discreet.auditing.independence import check_independence
from discreet.auditing.pairs import read_pairs
from discreet.auditing.region import appearances, confidence_region, epsilon_bound
from discreet.auditing.tails import MAX_DRAWS
from discreet.core.mechanism import Mechanism
from discreet.core.progress import Listener, Reporter
from discreet.core.rationals import Alpha, Exact, read_alpha, read_count, read_fraction
from discreet.errors import InvalidInput

DRAWS = 1_000_000
CALLS = 16


def audit(
    box: Any,
    *,
    n: int | None = None,
    draws: int = DRAWS,
    claimed: Mechanism | None = None,
    claimed_epsilon: Exact | None = None,
    claimed_alpha: Exact | None = None,
    confidence: Exact = 0.99,
    calls: int = CALLS,
    vectorised: bool = True,
    timeout: float = 60.0,
    columns: Sequence[str] | None = None,
    name: str | None = None,
    progress: Listener | None = None,
) -> Audit:
    """Audit a black box: what its matrix looks like, how private it can be at best, and whether a
    claim is false.

    `box` is a callable on counts (arrays, or with `vectorised=False` one at a time), a `Mechanism`,
    a command (a list of words, or one string) that maps lines of counts to lines of outputs within
    `timeout` seconds per call, or a table of pairs (a CSV or Parquet file, an Arrow table, a data
    frame, or two arrays; `columns` names them). `draws` is the total over all counts 0..`n`, made
    in `calls` calls.

    What it is held to is `claimed`, a mechanism, or `claimed_epsilon` or `claimed_alpha` alone;
    without any, nothing can be refuted. A true claim is refuted with chance at most 1 -
    `confidence`. `name` is what the report calls the box, and `progress` is called with an event
    per call.

    >>> import random
    >>> noise = random.Random(7)
    >>> def honest_half_of_the_time(count):  # randomized response in which the truth has chance 3/4
    ...     return count if noise.random() < 0.5 else noise.randrange(2)
    >>> report = audit(
    ...     honest_half_of_the_time, n=1, draws=20_000, claimed_epsilon=1, vectorised=False
    ... )
    >>> report.verdict, f"epsilon >= {report.epsilon_bound:.2f}"  # it is ln 3 = 1.0986
    ('refuted', 'epsilon >= 1.01')
    """
    claim, claimed = _read_claim(box, claimed, claimed_epsilon, claimed_alpha)
    error = _read_error(confidence)
    report = Reporter(progress)
    found = _draw(box, n, claimed, draws, calls, vectorised, timeout, columns, report)
    report("testing")
    if claimed is not None and claimed.n != found.n:
        raise InvalidInput("claimed", f"must be a mechanism for n = {found.n}", claimed.n)
    tally = found.tally
    tally.flags.writeable = False
    region = confidence_region(tally, found.n, error / 2)
    return Audit(
        name=name if name is not None else _name(box),
        n=found.n,
        draws=int(found.counts.size),
        calls=int(found.call[-1]) + 1,
        confidence=1 - error,
        tally=tally,
        region=region,
        witness=epsilon_bound(region, tally),
        claim=claim,
        properties=appearances(region),
        independence=check_independence(found, error / 4),
        fit=None if claimed is None else fit(tally, claimed.array, error / 4),
    )


def _read_claim(
    box: Any, claimed: Mechanism | None, epsilon: Exact | None, alpha: Exact | None
) -> tuple[Alpha | None, Mechanism | None]:
    if claimed is None and isinstance(box, Mechanism):
        claimed = box
    if claimed is not None and not isinstance(claimed, Mechanism):
        raise InvalidInput(
            "claimed",
            "must be a Mechanism",
            type(claimed).__name__,
            remedy="or give `claimed_epsilon` alone",
        )
    if epsilon is None and alpha is None:
        return (None if claimed is None else claimed.privacy), claimed
    return read_alpha(alpha=alpha, epsilon=epsilon), claimed


def _read_error(confidence: Exact) -> float:
    sure = read_fraction("confidence", confidence)
    if not 0 < sure < 1:
        raise InvalidInput(
            "confidence",
            "must be between 0 and 1",
            confidence,
            remedy="0.99 means 1 false alarm in 100",
        )
    return max(float(1 - sure), 1e-200)


def _draw(
    box: Any,
    n: int | None,
    claimed: Mechanism | None,
    draws: int,
    calls: int,
    vectorised: bool,
    timeout: float,
    columns: Sequence[str] | None,
    report: Reporter,
) -> Draws:
    size = n if n is not None or claimed is None else claimed.n
    if size is not None:
        size = read_count("n", size, most=MAX_N)
    if isinstance(box, Mechanism):
        asked = from_callable(box.release, vectorised=True)
    elif callable(box):
        asked = from_callable(box, vectorised=vectorised)
    elif _is_command(box):
        asked = from_command(box, timeout=_read_timeout(timeout))
    else:
        return read_pairs(box, n=size, columns=columns)
    if size is None:
        raise InvalidInput("n", "must be given: the largest true count", remedy="e.g. `n=8`")
    draws = read_count("draws", draws, least=2 * (size + 1), most=MAX_DRAWS)
    return ask(
        asked,
        n=size,
        draws=draws,
        calls=read_count("calls", calls, least=2, most=10_000),
        report=report,
    )


def _is_command(box: Any) -> bool:
    if isinstance(box, str):
        return not looks_like_file(box)
    return isinstance(box, list) and bool(box) and all(isinstance(word, str) for word in box)


def _read_timeout(timeout: float) -> float:
    seconds = float(read_fraction("timeout", timeout))
    if not 0 < seconds <= 86_400:
        raise InvalidInput("timeout", "must be between 0 and 86400 seconds", timeout)
    return seconds


def _name(box: Any) -> str:
    if isinstance(box, Mechanism):
        return f"mechanism {box.id[:12]}"
    if callable(box):
        return str(getattr(box, "__name__", type(box).__name__))
    if isinstance(box, str) or _is_command(box):
        words = box if isinstance(box, str) else " ".join(box)
        line = "".join(c for c in " ".join(words.split()) if c.isprintable())
        return line if len(line) <= 60 else line[:57] + "..."
    return str(getattr(box, "name", "table of pairs"))
