"""Designs kept on disk, named by what was asked, so that a table with many group sizes is designed once.

A design is a proof file, named by the SHA-256 of its problem. Writing is atomic (a new name, then a rename), so
that processes may share a folder; two that design the same problem write the same file. Reading verifies the
whole proof (`discreet.proof`): a damaged or foreign file is dropped and designed again.

The folder is `DISCREET_CACHE` if set, else `discreet/designs` in the user's cache folder.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.core.forms import Folded
from discreet.core.histogram import Histogram
from discreet.core.mechanism import Mechanism
from discreet.errors import DiscreetError
from discreet.proof.files import to_bytes, write_whole
from discreet.proof.loading import unpacked

if TYPE_CHECKING:
    from collections.abc import Iterator
    from os import PathLike

    from discreet.core.certificate import Problem
    from discreet.core.losses import Loss
    from discreet.core.rationals import Alpha

FORMAT = "discreet design 1"
SUFFIX = ".design.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Store:
    """A folder of designs."""

    folder: Path

    def get(self, problem: Problem, privacy: Alpha) -> Mechanism | None:
        """Return the design of a problem, verified; None if it is not there or does not hold."""
        path = self._path(problem)
        try:
            form, origin = unpacked(path.read_bytes())
        except OSError:
            return None
        except DiscreetError:
            path.unlink(missing_ok=True)
            return None
        if origin.problem is None or key(origin.problem) != key(problem) or origin.certificate is None:
            path.unlink(missing_ok=True)
            return None
        if not origin.certificate.optimal:
            return None
        if isinstance(form, Folded) and isinstance(problem.over, Histogram):
            form = replace(form, domain=problem.over)  # with the names of the answers that were asked for
        return Mechanism(privacy=privacy, form=form, origin=replace(origin, problem=problem))

    def put(self, mechanism: Mechanism) -> None:
        """Keep a design; a folder that cannot be written is not an error."""
        if mechanism.origin.problem is None:
            return
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            write_whole(self._path(mechanism.origin.problem), to_bytes(mechanism))
        except (OSError, DiscreetError):
            return

    def __iter__(self) -> Iterator[Path]:
        return iter(sorted(self.folder.glob(f"*{SUFFIX}"))) if self.folder.is_dir() else iter(())

    def to_dict(self) -> dict[str, Any]:
        """Say where the designs are kept, how many there are and how much room they take."""
        paths = list(self)
        return {
            "folder": str(self.folder),
            "designs": len(paths),
            "bytes": sum(path.stat().st_size for path in paths),
            "files": [path.name for path in paths],
        }

    def clear(self) -> int:
        """Delete every design; return how many there were."""
        paths = list(self)
        for path in paths:
            path.unlink(missing_ok=True)
        return len(paths)

    def _path(self, problem: Problem) -> Path:
        return self.folder / f"n{problem.n}-{key(problem)[:40]}{SUFFIX}"


def key(problem: Problem) -> str:
    """Name a problem by its content: equal problems have equal keys on every machine."""
    parts = [
        FORMAT,
        str(problem.n) if problem.over is None else _domain(problem),
        f"{problem.alpha.numerator:x}/{problem.alpha.denominator:x}",
        str(problem.shape),
        _costs(problem.loss),
        ",".join(f"{w.numerator:x}/{w.denominator:x}" for w in problem.prior.weights),
        "worst" if problem.worst_case else "mean",
    ]
    if problem.derivable:
        parts.append("derivable")
    if problem.own:
        parts += [json.dumps([[each.name, [row.whole for row in each.rows]] for each in problem.own])]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _domain(problem: Problem) -> str:
    over = problem.over
    return f"histogram {over.n} {over.k}" if isinstance(over, Histogram) else f"step {problem.domain.step} {problem.n}"


def _costs(loss: Loss) -> str:
    if loss.over is not None and loss.by_distance is not None:  # the whole table of a histogram's costs may be large
        return "by distance " + ",".join(f"{c.numerator:x}/{c.denominator:x}" for c in loss.by_distance)
    return ";".join(",".join(f"{c.numerator:x}/{c.denominator:x}" for c in row) for row in loss.matrix)


def open_store(cache: bool | str | PathLike[str] | None = True) -> Store | None:
    """Open the store a caller asked for: True for the user's own, a folder, or False (or None) for none."""
    if cache is False or cache is None:
        return None
    return users_store() if cache is True else Store(folder=Path(cache))


def users_store() -> Store:
    """Open the user's own folder of designs."""
    if given := os.environ.get("DISCREET_CACHE"):
        return Store(folder=Path(given))
    home = Path.home() / ("Library/Caches" if sys.platform == "darwin" else ".cache")
    return Store(folder=Path(os.environ.get("XDG_CACHE_HOME") or home) / "discreet" / "designs")
