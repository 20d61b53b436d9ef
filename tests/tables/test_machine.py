"""What a release may take of the machine: memory, and a temporary folder of which nothing stays."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.conftest import require

import discreet as dc
from discreet.errors import InvalidInput

require("tables")
import duckdb

pytestmark = pytest.mark.filterwarnings("ignore::discreet.errors.DiscreetWarning")


def people(folder, rows=100, groups=10, form="csv"):
    """A file of people in groups."""
    path = folder / f"people.{form}"
    columns = f"range % {groups} AS clinic, range AS person, (range * 7 % 10 < 3)::INT AS smoker, 'text ' || range AS x"
    duckdb.connect().execute(f"COPY (SELECT {columns} FROM range({rows})) TO '{path}'")
    return path


# --- memory ----------------------------------------------------------------------------------------------------------

RELEASE = """
import re, sys, warnings
import discreet as dc
warnings.simplefilter("ignore")
try:
    dc.release(sys.argv[1], by="clinic", unit="person", count="smoker", epsilon=1, memory_limit=sys.argv[2])
except dc.errors.DiscreetError as error:
    assert error.code == "out-of-memory", error
with open("/proc/self/status") as status:  # ru_maxrss begins with that of the process that started this one
    print(re.search(r"VmHWM:\\s*(\\d+) kB", status.read())[1])
"""


@pytest.mark.parametrize("limit", ["64MiB", "0B", "255.9 mib", "256MB", "1B", "100000kB"])
def test_a_memory_limit_that_no_process_can_keep_is_refused(tmp_path, limit):
    with pytest.raises(
        InvalidInput, match=r"`memory_limit` must be at least 256MiB: .*\(.*\): such as '1GiB'"
    ):
        dc.plan(people(tmp_path), by="clinic", count="smoker", epsilon=1, memory_limit=limit)


@pytest.mark.parametrize(
    "limit",
    ["1", "GiB", "-1GiB", "1PB", "999999999999999TB", f"{'9' * 5000}B", 2**30, "1 GiB of it"],
)
def test_what_is_no_size_is_refused(tmp_path, limit):
    with pytest.raises(InvalidInput, match=r"`memory_limit` must be"):
        dc.plan(people(tmp_path), by="clinic", count="smoker", epsilon=1, memory_limit=limit)


@pytest.mark.slow
@pytest.mark.parametrize("limit", [256, 384, 512])
@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_the_whole_process_keeps_its_memory_limit(tmp_path, form, limit):
    """Where there is too little for the data, it ends in an error; it never takes more."""
    path = people(tmp_path, 3_000_000, 300_000, form)
    command = [sys.executable, "-c", RELEASE, path, f"{limit}MiB"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) / 1024 < limit


# --- the temporary folder --------------------------------------------------------------------------------------------

HELD = """
import sys, time
from discreet.tables.engines.duckdb.spilling import Spill
spill = Spill(sys.argv[1])
(spill.folder / "true counts").write_text("1")
print(spill.folder, flush=True)
time.sleep(600)
"""

KILLED = """
import os, signal, sys, warnings
import discreet as dc
warnings.simplefilter("ignore")
def killed(event):
    if event.phase == "drawing":
        os.kill(os.getpid(), signal.SIGKILL)
dc.release(sys.argv[1], by="clinic", count="smoker", epsilon=1, temporary=sys.argv[2], progress=killed)
"""


def holding(folder):
    """A process that holds a folder there, and the folder."""
    process = subprocess.Popen(
        [sys.executable, "-c", HELD, folder], stdout=subprocess.PIPE, text=True
    )
    return process, process.stdout.readline().strip()


def killed(process):
    process.kill()
    process.wait()
    process.stdout.close()


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_what_a_killed_release_leaves_the_next_run_removes(tmp_path):
    source, temporary = people(tmp_path), tmp_path / "temporary"
    temporary.mkdir()
    done = subprocess.run([sys.executable, "-c", KILLED, source, temporary], capture_output=True)
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert len(names(temporary)) == 1
    dc.plan(source, by="clinic", count="smoker", epsilon=1, temporary=temporary)
    assert names(temporary) == []


def test_what_a_process_holds_is_left_alone_until_it_is_killed(tmp_path):
    source, temporary = people(tmp_path), tmp_path / "temporary"
    temporary.mkdir()
    process, held = holding(temporary)
    try:
        dc.plan(source, by="clinic", count="smoker", epsilon=1, temporary=temporary)
        assert names(temporary) == [Path(held).name]
    finally:
        killed(process)
    dc.plan(source, by="clinic", count="smoker", epsilon=1, temporary=temporary)
    assert names(temporary) == []


def test_only_folders_of_this_user_and_machine_are_removed(tmp_path, monkeypatch):
    from discreet.tables.engines.duckdb import spilling

    process, held = holding(tmp_path)
    killed(process)
    name = Path(held).name
    others = [
        "discreet-demo-x",
        "discreet-spill-another machine",
        f"{name}-a file",
        f"{name}-a link",
    ]
    for other in others[:2]:
        (tmp_path / other).mkdir()
    (tmp_path / others[2]).touch()
    (tmp_path / others[3]).symlink_to(tmp_path / others[0])
    with monkeypatch.context() as patch:
        patch.setattr(os, "getuid", lambda: 12345)
        spilling.Spill(tmp_path).close()
    with monkeypatch.context() as patch:
        patch.setattr(spilling.socket, "gethostname", lambda: "another")
        spilling.Spill(tmp_path).close()
    assert names(tmp_path) == sorted([name, *others])
    spilling.Spill(tmp_path).close()
    assert names(tmp_path) == sorted(others)


def test_without_locks_nothing_is_removed(tmp_path, monkeypatch):
    """As on a network drive whose server knows none: a process may be at work on another machine."""
    from discreet.tables.engines.duckdb import spilling

    process, held = holding(tmp_path)
    killed(process)

    def refused(lock, how):
        raise OSError("no locks available")

    monkeypatch.setattr(spilling.fcntl, "flock", refused)
    spill = spilling.Spill(tmp_path)
    assert names(tmp_path) == sorted([Path(held).name, spill.folder.name])
    spill.close()
    assert names(tmp_path) == [Path(held).name]


@pytest.mark.slow
def test_folders_that_are_made_and_removed_at_once_do_not_meet(tmp_path):
    """Twelve processes, each removing what it takes for left, and each losing nothing of its own."""
    code = (
        "import sys\nfrom discreet.tables.engines.duckdb.spilling import Spill\n"
        "for _ in range(200):\n    s = Spill(sys.argv[1])\n    (s.folder / 'x').touch()\n"
        "    assert (s.folder / 'x').exists()\n    s.close()\n"
    )
    running = [subprocess.Popen([sys.executable, "-c", code, tmp_path]) for _ in range(12)]
    assert [process.wait() for process in running] == [0] * 12
    assert names(tmp_path) == []
