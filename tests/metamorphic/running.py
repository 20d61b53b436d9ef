"""Many cases, tallied: how many were counted, how many refused and why, and what broke."""

from __future__ import annotations

import shutil
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.metamorphic.capabilities import CAPABILITIES, make_case
from tests.metamorphic.databases import one_database
from tests.metamorphic.laws import broken, broken_plan, explanation
from tests.metamorphic.outcomes import Counted, Outcome, counted, planned

PLANNED = 6
"""One case in so many is asked for its plan as well."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Break:
    """A law that did not hold, and how to see it again."""

    seed: str
    options: str
    """Which case of the seed it is."""
    law: str
    case: str

    def __str__(self) -> str:
        again = f"python -m bench.metamorphic --seed {self.seed} --cases 1 {self.options}"
        text = f"{self.law}\n      {self.case}\n      again: {again}"
        return text.encode("ascii", "backslashreplace").decode()


@dataclass(slots=True)
class Tally:
    """What a run found."""

    cases: int = 0
    released: int = 0
    by_source: Counter[str] = field(default_factory=Counter)
    by_capability: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    """By reason; a case that only one side refuses counts here."""
    breaks: list[Break] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Take in what another run found."""
        self.cases += other.cases
        self.released += other.released
        self.by_source += other.by_source
        self.by_capability += other.by_capability
        self.refused += other.refused
        self.breaks += other.breaks

    def __str__(self) -> str:
        lines = [
            f"{self.cases:,} cases, {self.released:,} counted on both sides, {len(self.breaks)} breaks"
        ]
        lines += [
            f"  refused {number:>6,}: {reason}" for reason, number in self.refused.most_common()
        ]
        lines += [
            "  cases of "
            + ", ".join(f"{name} {number:,}" for name, number in sorted(self.by_source.items()))
        ]
        lines += [f"BREAK {one}" for one in self.breaks]
        return "\n".join(lines)


def run_case(seed: str, source: str, *, capability: str = "", plan: bool = True) -> Tally:
    """Make the case of a seed, ask both tables, and compare."""
    tally = Tally(cases=1)

    folder = Path(tempfile.mkdtemp(prefix="discreet-metamorphic-"))
    try:
        chosen, case = make_case(seed, source, folder, capability)
        tally.by_source[source] += 1
        tally.by_capability[chosen.name] += 1
        plans: list[Outcome] = []
        answers: list[Outcome] = []
        for after in (False, True):
            answers.append(counted(case.open(folder, after=after), case.words))
            if plan:
                plans.append(planned(case.open(folder, after=after), case.words))
        law = broken(chosen, case, *answers) or (broken_plan(chosen, *plans) if plan else "")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    if law:
        options = f"--source {source}" + (f" --capability {capability}" if capability else "")
        tally.breaks.append(Break(seed=seed, options=options, law=law, case=case.told()))
    if all(isinstance(answer, Counted) for answer in answers):
        tally.released += 1
    else:
        refused = next(answer for answer in answers if not isinstance(answer, Counted))
        tally.refused[explanation(refused) or f"NOT EXPLAINED: {refused.text:.150}"] += 1
    return tally


def hunt(sources: Sequence[str], cases: int, *, capability: str = "", first: int = 0) -> Tally:
    """Run so many cases over these sources in turn, in one database."""
    tally = Tally()
    with one_database():
        for seed in range(first, first + cases):
            tally.add(
                run_case(
                    str(seed),
                    sources[seed % len(sources)],
                    capability=capability,
                    plan=seed % PLANNED == 0,
                )
            )
    return tally


def hunt_each(source: str, cases: int) -> Tally:
    """Run so many cases of every capability that a source has, each of other seeds."""
    tally = Tally()
    able = [name for name, one in CAPABILITIES.items() if source in one.sources]
    for number, name in enumerate(able):
        tally.add(hunt([source], cases, capability=name, first=cases * number))
    return tally
