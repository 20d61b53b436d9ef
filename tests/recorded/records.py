"""Records on disk: one JSON value a line, sorted, compressed; the same records are the same bytes.

    {"group": ..., "problem": {...}, "answer": {...}}

Of the groups in `problems.ONLY_COST` only the parts of the answer named in `COSTS` must stay.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tests.recorded import asking, problems

Record = dict[str, Any]

FOLDER = Path(__file__).parent
DESIGNS = FOLDER / "designs.jsonl.xz"
QUESTIONS = FOLDER / "questions.jsonl.xz"

COSTS = ("alpha", "epsilon", "optimal", "cost", "refused", "code")


def line(value: Any) -> str:
    """A JSON value in its one spelling."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def write(path: Path, records: Iterable[Record]) -> int:
    """Write records in order of group and problem; return how many bytes they take."""
    lines = sorted(line(record) for record in records)
    data = lzma.compress("".join(f"{each}\n" for each in lines).encode(), preset=9 | lzma.PRESET_EXTREME)
    path.write_bytes(data)
    return len(data)


def read(path: Path) -> list[Record]:
    """The records of a file, in their order."""
    return [json.loads(each) for each in lzma.decompress(path.read_bytes()).decode().splitlines()]


def differences(record: Record) -> list[str]:
    """What today's answer to a recorded problem has otherwise than the record."""
    then = record["answer"]
    now = json.loads(line(asking.answer(record["problem"])))
    only = COSTS if record["group"] in problems.ONLY_COST else (*then, *now)
    return [
        f"{record['group']}: {name} is {now.get(name)}, recorded as {then.get(name)}: {line(record['problem'])}"
        for name in dict.fromkeys(only)
        if name not in asking.MAY_CHANGE and then.get(name) != now.get(name)
    ]
