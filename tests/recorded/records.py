"""Records on disk: one JSON value a line, sorted, compressed; the same records are the same bytes.

    {"group": ..., "problem": {...}, "answer": {...}}

Of the groups in `problems.ONLY_COST` only the parts of the answer named in `COSTS` must stay.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from tests.recorded import asking, problems

Record = dict[str, Any]

FOLDER = Path(__file__).parent
DESIGNS = FOLDER / "designs.jsonl.xz"
QUESTIONS = FOLDER / "questions.jsonl.xz"

ABSENT = "absent"
COSTS = ("alpha", "epsilon", "optimal", "cost", "refused", "code")


def line(value: Any) -> str:
    """A JSON value in its one spelling."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def as_stored(value: Any) -> Any:
    """A JSON value as it comes back from a file."""
    return json.loads(line(value))


def write(path: Path, records: Iterable[Record]) -> int:
    """Write records in order of group and problem; return how many bytes they take."""
    lines = sorted(line(record) for record in records)
    data = lzma.compress(
        "".join(f"{each}\n" for each in lines).encode(), preset=9 | lzma.PRESET_EXTREME
    )
    path.write_bytes(data)
    return len(data)


def read(path: Path) -> list[Record]:
    """The records of a file, in their order."""
    return [json.loads(each) for each in lzma.decompress(path.read_bytes()).decode().splitlines()]


def differences(record: Record) -> list[str]:
    """What today's answer to a recorded problem has otherwise than the record."""
    then, now = record["answer"], as_stored(asking.answer(record["problem"]))
    if record["group"] in problems.ONLY_COST:
        then, now = ({name: each[name] for name in COSTS if name in each} for each in (then, now))
    place = f"{record['group']}: {line(record['problem'])}"
    return [f"{place}: {each}" for each in _differences(then, now, ())]


def _differences(then: Any, now: Any, path: tuple[str, ...]) -> Iterator[str]:
    """Where two values differ, part by part."""
    if path and path[-1] in asking.MAY_CHANGE:
        return
    if isinstance(then, dict) and isinstance(now, dict):
        for name in sorted({*then, *now}):
            yield from _differences(then.get(name, ABSENT), now.get(name, ABSENT), (*path, name))
    elif isinstance(then, list) and isinstance(now, list) and len(then) == len(now):
        for place, parts in enumerate(zip(then, now, strict=True)):
            yield from _differences(*parts, (*path, str(place)))
    elif then != now:
        yield f"{'.'.join(path)} is {now}, recorded as {then}"
