"""Several releases at once: for one output, over one output, for the last budget, of one entry."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import discreet as dc
from bench.faults.judging import Outcome, demand, judge, prepare, take_up
from bench.faults.kills import Fresh
from bench.faults.victims import PRICE, REFUSED, Victims
from discreet.ledger import open_ledger


def outcomes(
    victims: Victims, folder: Path, where: str, fresh: Fresh, tries: int
) -> Iterator[Outcome]:
    """Yield an outcome for each race; a round is a hit when one of its releases got in another's
    way.
    """
    races: dict[str, Callable[[Victims, Path, str], str | None]] = {
        "4 at once for one output": _one_output,
        "4 at once over one output (overwrite)": _overwriting,
        "5 at once for a budget of 3": _last_budget,
        "4 at once take up a release that was reserved": _one_entry,
        "4 at once take up a release that was drawn": partial(_interrupted, phase="written"),
        "4 at once take up a release that may have been seen": partial(
            _interrupted, phase="publishing"
        ),
    }
    for number, (name, race) in enumerate(races.items()):
        outcome = Outcome(fault=name, where=where)
        for round_ in range(tries):
            case = folder / f"race-{number}-{round_}"
            case.mkdir()
            place = fresh(case)
            outcome.case(race, victims, case, place)
        yield outcome


def _run(victims: Victims, jobs: list[dict[str, Any]]) -> Counter[str]:
    ends = victims.play(*jobs)
    for end in ends:
        demand(end["code"] in (0, REFUSED), f"an error that is not ours: {end['told']}")
    return Counter("released" if end["code"] == 0 else "refused" for end in ends)


def _told(ended: Counter[str]) -> str:
    return f"{ended['released']} released, {ended['refused']} refused"


def _one_output(victims: Victims, case: Path, place: str) -> str | None:
    prepare(case, place, budget=4)
    ended = _run(victims, [{"folder": case, "place": place}] * 4)
    states = Counter(entry.state for entry in judge(case, place))
    demand(ended["released"] == states["committed"] == 1, f"{_told(ended)}: {dict(states)}")
    return _told(ended)


def _overwriting(victims: Victims, case: Path, place: str) -> str | None:
    prepare(case, place, budget=4)
    ended = _run(victims, [{"folder": case, "place": place, "words": {"overwrite": True}}] * 4)
    states = Counter(entry.state for entry in judge(case, place))
    demand(ended["released"] == states["committed"] >= 1, f"{_told(ended)}: {dict(states)}")
    demand((case / "out").is_dir(), "no release is left")
    return _told(ended)


def _last_budget(victims: Victims, case: Path, place: str) -> str | None:
    prepare(case, place, budget=1)
    ended = _run(
        victims, [{"folder": case, "place": place, "output": f"out{number}"} for number in range(5)]
    )
    held = judge(case, place)
    fit = int(1 / PRICE)
    demand(ended["released"] == len(held) == len(list(case.glob("out*"))) == fit, _told(ended))
    return _told(ended)


def _one_entry(victims: Victims, case: Path, place: str) -> str | None:
    prepare(case, place)
    open_ledger(place).reserve("people", PRICE)
    return _all_resume(victims, case, place)


def _interrupted(victims: Victims, case: Path, place: str, *, phase: str) -> str | None:
    prepare(case, place)
    victims.play({"folder": case, "place": place, "phase": phase, "fault": "kill"})
    return _all_resume(victims, case, place)


def _all_resume(victims: Victims, case: Path, place: str) -> str | None:
    (entry,) = judge(case, place)
    ended = _run(
        victims, [{"folder": case, "place": place, "words": {"resume": entry.release_id}}] * 4
    )
    (now,) = held = judge(case, place)
    demand(entry.digest in ("", now.digest), "what may have been seen was drawn again")
    if (
        now.state != "committed"
    ):  # each got in the other's way; nothing was seen, so it can be taken up
        take_up(case, place, held)
        (now,) = judge(case, place)
    demand(
        dc.read_release(case / "out").manifest.digest == now.digest,
        "not the release that was recorded",
    )
    left = {path.name for path in case.iterdir()} - {"budget.db", "out"}
    demand(not left, f"left over: {sorted(left)}")
    return _told(ended)
