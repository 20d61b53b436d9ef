"""The pieces of work that `bench.versions` measures, in the words of this tree: each commit carries
its own.

    python -m bench.work PART      # prints the names of its pieces, then an amount for each name
                                   that it reads

An amount is in seconds of processor time, with that of children, or in MiB of memory. The names are
the same in all commits; what stands behind them may be renamed.
"""

from __future__ import annotations

import os
import re
import resource
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

Work = dict[str, Callable[[], object]]

PEOPLE = 1_000_000
GROUPS = 100_003
CLINICS = 20_000


def startup() -> Work:
    """What a command takes before it does anything."""
    from bench.hard import NAMED  # the folder of benchmarks is read once, so that it counts in none

    assert NAMED
    _few_people(Path("few.csv"))
    asked = ["few.csv", "--by", "clinic", "--count", "smoker", "--unit", "person", "--epsilon", "1"]
    _run("-m", "discreet", "release", *asked, "--output", "few")
    return {
        "import discreet": lambda: _run("-c", "import discreet"),
        "discreet --help": lambda: _run("-m", "discreet", "--help"),
        "one private count": lambda: _run(
            "-c", "import discreet as dc; dc.fair(n=8, epsilon=0.5).release(3)"
        ),
        "plan of a few people": lambda: _run("-m", "discreet", "plan", *asked),
        "release of a few people": lambda: _run(
            "-m", "discreet", "release", *asked, "--output", "few", "--overwrite"
        ),
        "totals of a few groups": lambda: _run("-m", "discreet", "estimate", "few"),
        "verify a few groups": lambda: _run("-m", "discreet", "verify", "few"),
    }


def design() -> Work:
    """Linear programs, and closed forms a hundred times."""
    works: Work = {}
    for n, epsilon, properties, loss in (
        (10, 0.5, "WH CM", "L0"),
        (20, 0.5, "CM RM", "L1"),
        (40, 0.5, "WH CM RM", "L1"),
        (60, 0.5, "CH RH", "L2"),
        (60, 0.1, "F CM", "L1"),
        (100, 0.1, "WH CM RM", "L1"),
    ):
        asked = {"n": n, "epsilon": epsilon, "properties": properties, "loss": loss}
        works[f"{{{properties}}}, {loss}, n = {n}"] = _designing(1, asked)
    for n, properties in ((20, ""), (60, "F"), (100, "WH")):
        asked = {"n": n, "epsilon": 0.5, "properties": properties}
        works[f"{{{properties}}}, L0, n = {n}, a hundred"] = _designing(100, asked)
    works["4 people, 3 answers, L1"] = _designing(1, {"n": 4, "categories": 3, "epsilon": 1})
    return works


def hard() -> Work:
    """The named hard designs of `bench.hard`, but for those of 400 people."""
    from bench.hard import NAMED

    return {name: _designing(1, asked) for name, asked in NAMED.items() if asked["n"] < 400}


def _designing(times: int, asked: dict[str, Any]) -> Callable[[], object]:
    import discreet as dc

    return lambda: [dc.design(cache=False, **asked) for _ in range(times)]


def sampling() -> Work:
    """A million draws."""
    import numpy as np

    import discreet as dc
    from discreet.sampler import draw, system_words

    m = dc.geometric(n=12, alpha="10/11")
    counts = np.arange(1_000_000) % 13
    many = [dc.geometric(n=n, alpha="10/11") for n in range(2, 41)]
    which = np.arange(1_000_000) % 39
    return {
        "a million draws at n = 12": lambda: m.release(counts),
        "a million draws, 39 sizes mixed": lambda: draw(many, which, which % 2, system_words()),
    }


def release() -> Work:
    """Releases of many people, from Parquet and from CSV."""
    import discreet as dc

    _many_people()
    asked = {"by": "key", "count": "smoker", "epsilon": 1, "properties": "F", "overwrite": True}
    return {
        f"a million people in {GROUPS:,} groups": lambda: dc.release(
            "people.parquet", **asked, output="from parquet"
        ),
        f"a million people in {GROUPS:,} groups, CSV": lambda: dc.release(
            "people.csv", **asked, output="from csv"
        ),
    }


def reading() -> Work:
    """A release of three levels, read from its bundle."""
    import discreet as dc

    _levels(Path("levels"))

    def read() -> object:
        found = dc.estimate(dc.read_release("levels"))
        return found.total, found.by("region")

    return {f"{CLINICS:,} clinics with levels": read}


def report() -> Work:
    """A page on a release of three levels."""
    import discreet as dc

    _levels(Path("levels"))
    kept = dc.read_release("levels")
    return {f"page on {CLINICS:,} clinics": lambda: dc.report(kept, "report.html", overwrite=True)}


def memory() -> Work:
    """The most memory that a process of its own takes."""
    _many_people()
    begin = "import discreet as dc, warnings; warnings.simplefilter('ignore'); "
    asked = "by='key', count='smoker', epsilon=1, output='memory', overwrite=True"
    return {
        "import discreet (MiB)": lambda: _peak(begin),
        "a million people, Parquet (MiB)": lambda: _peak(
            f"{begin}dc.release('people.parquet', {asked})"
        ),
        "a million people, CSV (MiB)": lambda: _peak(f"{begin}dc.release('people.csv', {asked})"),
    }


PARTS = {
    part.__name__: part
    for part in (startup, design, hard, sampling, release, reading, report, memory)
}
IN_MEBIBYTES = ("memory",)


def _run(*words: str) -> None:
    subprocess.run([sys.executable, *words], check=True, capture_output=True)


def _peak(code: str) -> float:
    """The most resident memory of a process in MiB; its own, and not that of the one that
    started it.
    """
    told = "print(open('/proc/self/status').read())"
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\n{told}"], check=True, capture_output=True, text=True
    )
    found = re.search(r"VmHWM:\s*(\d+) kB", done.stdout)
    assert found is not None
    return int(found[1]) / 1024


def _few_people(path: Path) -> None:
    rows = (f"{k},{k % 20},{k % 3 // 2}\n" for k in range(160))
    path.write_text("person,clinic,smoker\n" + "".join(rows))


def _many_people() -> None:
    import numpy as np
    import pyarrow as pa
    import pyarrow.csv
    import pyarrow.parquet

    place = np.arange(PEOPLE)
    people = pa.table({"key": place * 7919 % GROUPS, "smoker": (place % 3 == 0).astype(np.int8)})
    pyarrow.parquet.write_table(people, "people.parquet")
    pyarrow.csv.write_csv(people, "people.csv")


def _levels(folder: Path) -> None:
    from bench.report_page import made

    made(CLINICS, folder)


def main() -> None:
    """Do the pieces of work that are asked for, one after the other."""
    part = sys.argv[1]
    warnings.simplefilter("ignore")  # that nothing accounts for what is released here
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        works = PARTS[part]()
        print(*works, sep="\t", flush=True)
        for line in sys.stdin:
            before = _spent()
            amount = works[line.rstrip("\n")]()
            print(amount if part in IN_MEBIBYTES else _spent() - before, flush=True)


def _spent() -> float:
    own, children = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


if __name__ == "__main__":
    main()
