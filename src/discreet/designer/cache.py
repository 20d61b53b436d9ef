"""Designs kept on disk, named by what was asked, so that a table with many group sizes is designed
once.

A design is a proof file, named by the SHA-256 of its problem and that of its own bytes
(`proof.kept`). Writing is atomic (a new name, then a rename), so that processes may share a folder;
two that design the same problem write the same file. A file that is not what its name says is
dropped, and designed again.
"""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.core.forms import Folded
from discreet.core.histogram import Histogram
from discreet.core.mechanism import Mechanism
from discreet.errors import DiscreetError, InvalidFile
from discreet.proof.files import to_bytes, write_whole
from discreet.proof.kept import SUFFIX, digest_of, kept_as, kept_folder
from discreet.proof.loading import kept_contents, made_of, unpacked

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction
    from os import PathLike

    from discreet.core.certificate import Problem
    from discreet.core.losses import Loss
    from discreet.core.rationals import Alpha

FORMAT = "discreet design 1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Store:
    """A folder of designs, the user's own unless one is given."""

    folder: Path | None = None

    @property
    def place(self) -> Path:
        """Where they are; found out when it is needed, since most problems have closed forms."""
        return kept_folder() if self.folder is None else self.folder

    def get(self, problem: Problem, privacy: Alpha) -> Mechanism | None:
        """Return the design of a problem; None if it is not there or does not hold."""
        wanted = _start(problem)
        for path in self._paths(wanted):
            try:
                return self._read(path, problem, privacy, wanted)
            except OSError:
                continue
            except DiscreetError:
                with suppress(OSError):  # such as a folder that may only be read
                    path.unlink()
        return None

    def _read(self, path: Path, problem: Problem, privacy: Alpha, wanted: str) -> Mechanism:
        """A design from its file; raise unless it holds, and answers the problem whose files
        begin as is `wanted`.
        """
        data = path.read_bytes()
        if digest_of(data) != kept_as(path):
            raise InvalidFile("file", "is not what its name says")
        kept = kept_contents(data, path)
        form, origin = kept[:2] if kept else unpacked(data)
        if origin.problem is None or origin.proof is None or _start(origin.problem) != wanted:
            raise InvalidFile("file", "holds the design of another problem")
        origin = replace(origin, problem=problem)
        if kept:
            return made_of(form, origin, privacy, kept[3])
        if not origin.optimal:
            raise InvalidFile("file", "holds a design that is not proven optimal")
        if isinstance(form, Folded) and isinstance(problem.over, Histogram):
            form = replace(
                form, domain=problem.over
            )  # with the names of the answers that were asked for
        return Mechanism(privacy=privacy, form=form, origin=origin)

    def put(self, mechanism: Mechanism) -> None:
        """Keep a design; a folder that cannot be written is not an error."""
        if mechanism.origin.problem is None:
            return
        try:
            self.place.mkdir(parents=True, exist_ok=True)
            data = to_bytes(mechanism)
            write_whole(self.place / self._name(_start(mechanism.origin.problem), data), data)
        except (OSError, DiscreetError):
            return

    def __iter__(self) -> Iterator[Path]:
        return iter(sorted(self.place.glob(f"*{SUFFIX}"))) if self.place.is_dir() else iter(())

    def to_dict(self) -> dict[str, Any]:
        """Say where the designs are kept, how many there are and how much room they take."""
        paths = list(self)
        return {
            "folder": str(self.place),
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

    def _name(self, start: str, data: bytes) -> str:
        return f"{start}-{digest_of(data)}{SUFFIX}"

    def _paths(self, start: str) -> list[Path]:
        """Where the design of a problem may be: one file, unless what was written for it has
        changed since.
        """
        return sorted(self.place.glob(f"{start}*{SUFFIX}"))


def _start(problem: Problem) -> str:
    return f"n{problem.n}-{key(problem)[:40]}"


def key(problem: Problem) -> str:
    """Name a problem by its content: equal problems have equal keys on every machine."""
    parts = [
        FORMAT,
        str(problem.n) if problem.over is None else _domain(problem),
        _ratio(problem.alpha),
        str(problem.shape),
        _costs(problem.loss),
        ",".join(map(_ratio, problem.prior.weights)),
        "worst" if problem.worst_case else "mean",
    ]
    if problem.derivable:
        parts.append("derivable")
    if problem.own:
        parts += [
            json.dumps([[each.name, [row.whole for row in each.rows]] for each in problem.own])
        ]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _domain(problem: Problem) -> str:
    over = problem.over
    return (
        f"histogram {over.n} {over.k}"
        if isinstance(over, Histogram)
        else f"step {problem.domain.step} {problem.n}"
    )


def _costs(loss: Loss) -> str:
    if loss.by_distance is None:
        return ";".join(",".join(map(_ratio, row)) for row in loss.matrix)
    known = list(map(_ratio, loss.by_distance))
    if loss.over is not None:  # the whole table of a histogram's costs may be large
        return "by distance " + ",".join(known)
    there_and_back = [*known[:0:-1], *known]
    return ";".join(",".join(there_and_back[loss.n - i :][: loss.n + 1]) for i in range(loss.n + 1))


def _ratio(value: Fraction) -> str:
    return f"{value.numerator:x}/{value.denominator:x}"


def open_store(cache: bool | str | PathLike[str] | None = True) -> Store | None:
    """Open the store a caller asked for: True for the user's own, a folder, or False (or None)
    for none.
    """
    if cache is False or cache is None:
        return None
    return Store() if cache is True else Store(folder=Path(cache))
