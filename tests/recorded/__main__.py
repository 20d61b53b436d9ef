"""Write the records of designs and questions anew, verify every certificate, and say how many of each kind there are.

    python -m tests.recorded --write

Records are what must not change while code moves: they are written anew only where a change is wanted and explained.
"""

from __future__ import annotations

import argparse
import os
import time
from collections import Counter
from multiprocessing import Pool
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.recorded import asking, problems, questions, records

PROCESSES = 2
FAULTS = ("not-private", "fault")
"""Codes with which a design ends only if the designer is at fault: that must change, so it is not recorded."""


def record(task: tuple[str, problems.Problem]) -> tuple[records.Record, float]:
    """One problem with its answer, and the seconds of processor time that it took."""
    group, problem = task[0], records.as_stored(task[1])
    started = time.process_time()
    answer = asking.answer(problem, proof=True)
    return {"group": group, "problem": problem, "answer": answer}, time.process_time() - started


def is_fault(one: records.Record) -> bool:
    """Whether an answer shows a fault of the designer."""
    return one["problem"]["kind"] == "design" and one["answer"].get("code") in FAULTS


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--write", action="store_true", required=True, help="replace the records")
    parser.parse_args()
    with TemporaryDirectory() as cache:
        os.environ["DISCREET_CACHE"] = cache  # every design is made anew
        write_all()


def write_all() -> None:
    """Write both files."""
    for path, groups in ((records.DESIGNS, problems.GROUPS), (records.QUESTIONS, questions.GROUPS)):
        write(
            path,
            {records.line(one): (name, one) for name, make in groups.items() for one in make()},
        )


def write(path: Path, tasks: dict[str, tuple[str, problems.Problem]]) -> None:
    """Answer every problem once, and write the records."""
    with Pool(PROCESSES) as pool:
        done = pool.map(record, tasks.values(), chunksize=8)
    for one, _ in done:
        if is_fault(one):
            print(f"a fault, left out: {one['answer']['code']}: {records.line(one['problem'])}")
    found = [one for one, _ in done if not is_fault(one)]
    refused = Counter(one["group"] for one in found if "refused" in one["answer"])
    size = records.write(path, found)
    for group, number in Counter(one["group"] for one in found).items():
        print(f"  {group}: {number}, of which {refused[group]} refused")
    seconds = [taken for _, taken in done]
    print(
        f"{path.name}: {len(found):,} records in {size:,} bytes; {sum(seconds):.0f} s, the slowest {max(seconds):.2f} s"
    )


if __name__ == "__main__":
    main()
