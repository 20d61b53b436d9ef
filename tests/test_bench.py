"""The benchmark's report hides nothing: what failed or did not install stands where its number would be."""

from __future__ import annotations

import argparse
import contextlib
import importlib
import json
import os
import sys
import time
import venv
from pathlib import Path

import bench.__main__ as bench_main
import pytest
from bench.__main__ import PARTS, RESULTS, SMALLER, Part, begin, run, write
from bench.exact_peer import ordinary_problem, summary
from bench.pages import ROOT
from bench.peers import Peer, run_peer
from bench.report import SECTIONS, markdown, section

from discreet.core.certificate import read_problem

REPORT = {
    "made": "2026-11-15T00:00:00+00:00",
    "quick": True,
    "machine": {
        "system": "Linux",
        "processor": "any",
        "cores": 2,
        "memory_gib": 8,
        "load_before": 0.1,
        "versions": {},
    },
    "parts": {
        "noise_peers": {
            "command": "python -m bench.noise_peers",
            "seconds": 1.0,
            "cpu": 1.0,
            "result": [
                {
                    "what": "A peer",
                    "name": "peer",
                    "missing": ["peer: does not install: no such thing"],
                }
            ],
        },
        "design": {
            "command": "python -m bench.design",
            "seconds": 1.0,
            "cpu": 1.0,
            "failed": ["SystemExit: unproven"],
        },
    },
}


def test_a_peer_that_is_missing_is_named_with_the_reason():
    assert "| A peer | did not run: peer: does not install: no such thing |" in markdown(REPORT)


def test_a_part_that_failed_says_so():
    assert "    SystemExit: unproven" in section(REPORT, "design")


def test_a_part_that_was_not_run_says_so():
    assert markdown(REPORT).count("Not measured in this run.") == len(SECTIONS) - 2


FAULT = {
    "kind": "kills",
    "fault": "killed: drawn",
    "where": "SQLite",
    "tried": 20,
    "hits": 19,
    "found": {"drawn": 19},
    "taken_up": 19,
    "failures": ["Broken: one release in two places"],
    "note": "",
}


def test_a_fault_that_was_not_survived_is_said():
    unable = FAULT | {
        "kind": "clocks",
        "tried": 0,
        "hits": 0,
        "failures": [],
        "note": "not tried: no such library",
    }
    part = {
        "command": "python -m bench.faults",
        "seconds": 1.0,
        "cpu": 1.0,
        "result": {"rows": [FAULT, unable]},
    }
    told = "\n".join(section(REPORT | {"parts": {"faults": part}}, "faults"))
    assert "- **SQLite, killed: drawn: Broken: one release in two places**" in told
    assert "| killed with -9 | SQLite | 20 | 19 | 19 | 1 |" in told
    assert "not tried: no such library" in told


def test_every_part_has_its_section_and_its_module():
    assert [part.name for part in PARTS if part.name not in SECTIONS] == []
    assert set(SECTIONS) == {part.name for part in PARTS}
    folder = ROOT / "bench"
    assert all(
        (folder / f"{part.name}.py").exists() or (folder / part.name).is_dir() for part in PARTS
    )


def test_parts_that_are_not_run_again_stay_when_asked(tmp_path):
    write(REPORT, tmp_path)
    options = argparse.Namespace(output=tmp_path, quick=False, merge=True)
    assert begin(options)["parts"] == REPORT["parts"]
    assert begin(argparse.Namespace(output=tmp_path, quick=False, merge=False))["parts"] == {}
    assert begin(argparse.Namespace(output=tmp_path / "no", quick=False, merge=True))["parts"] == {}


@pytest.mark.parametrize(
    ("words", "folder"),
    [
        ([], RESULTS),
        (["--quick"], SMALLER),
        (["--only", "intervals"], SMALLER),
        (["--only", "intervals", "--merge"], SMALLER),
        (["--quick", "--write"], RESULTS),
        (["--only", "intervals", "--merge", "--write"], RESULTS),
        (["--output", "elsewhere"], Path("elsewhere")),
    ],
)
def test_only_a_full_run_or_a_wish_touches_what_is_committed(
    words, folder, tmp_path, monkeypatch, capsys
):
    pages = []
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(
        bench_main,
        "run",
        lambda part, *_: {"command": part.name, "seconds": 0.0, "cpu": 0.0, "failed": ["no"]},
    )
    monkeypatch.setattr(bench_main, "write_pages", lambda: pages.append(True))
    bench_main.main(words)
    assert [path.parent.relative_to(tmp_path) for path in tmp_path.rglob("report.json")] == [folder]
    assert bool(pages) == (folder == RESULTS)
    assert str(folder / "report.json") in capsys.readouterr().out


def test_small_runs_go_where_git_does_not_look():
    assert f"{SMALLER.parts[0]}/" in (ROOT / ".gitignore").read_text(encoding="utf-8").split()


@pytest.mark.slow
def test_a_part_that_takes_too_long_is_stopped_with_all_it_started(tmp_path, monkeypatch):
    ended, killpg = [], os.killpg
    monkeypatch.setattr(os, "killpg", lambda group, how: (ended.append(group), killpg(group, how)))
    part = Part(name="faults", full=("--only", "kills"), seconds=(1, 1))
    found = run(part, False, tmp_path, 5.0)
    assert "stopped after 5 s" in found["stopped"]
    assert found["exit code"] == -9
    assert ended
    _wait_until(lambda: not set(ended) & set(_groups()))


def _wait_until(holds, seconds: float = 60.0) -> None:
    """A process that was killed needs a moment to be gone, longer on a busy machine."""
    last = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < last
        time.sleep(0.05)


def _groups() -> list[int]:
    """The process group of everything that runs."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            state, _, group = path.read_text().rsplit(")", 1)[1].split()[:3]
            found += [int(group)] if state != "Z" else []
    return found


def test_the_report_hides_no_machine():
    for path in (ROOT / "bench" / "results").iterdir():
        text = path.read_text(encoding="utf-8")
        assert str(Path.home()) + os.sep not in text
        assert str(ROOT) not in text


def as_this_one(folder, *, with_pip):
    """An environment whose Python is this one: making one with pip takes seconds."""
    python = folder / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    python.chmod(0o755)


@pytest.mark.slow
def test_a_peer_that_cannot_be_installed_is_reported(tmp_path, monkeypatch):
    monkeypatch.setenv("DISCREET_BENCH_CACHE", str(tmp_path))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setattr(venv, "create", as_this_one)
    peer = Peer(
        name="nobody",
        tries=(("no-such-distribution-anywhere",),),
        check="pass",
        script="print('{}')",
    )
    found = run_peer(peer)
    assert found["name"] == "nobody" and "does not install" in json.dumps(found["missing"])


@pytest.mark.parametrize("name", ["audit_peers", "cross_check", "sampling", "timing"])
def test_a_part_by_itself_writes_into_the_repository_only_where_it_is_told_to(name):
    module = importlib.import_module(f"bench.{name}")
    assert module.RESULT.parent == SMALLER


def test_cells_read_as_is_best_misplace_what_is_known():
    """The rivals of a joint design of 4 people over 3 answers at epsilon 1, at epsilon/2 and epsilon/3 each."""
    from bench.histogram_gains import best_reading
    from bench.histograms import agrees

    assert agrees(best_reading(4, 3, 1 / 2), "1.1931") and agrees(
        best_reading(4, 3, 1 / 3), "1.3709"
    )


def test_ordinary_problems_come_from_their_seed_and_can_be_read():
    for seed in range(40):
        asked = ordinary_problem(seed, 4, 12)
        assert asked == ordinary_problem(seed, 4, 12)
        assert 4 <= read_problem(**asked).n <= 12


def test_an_exact_peer_is_judged_without_its_start_and_by_every_problem():
    def row(n, theirs, equal=True):
        return {
            "name": f"{n}",
            "n": n,
            "asked": "",
            "ended": "compared",
            "ours": 0.01,
            "theirs": theirs,
            "equal": equal,
        }

    rows = [
        row(6, 0.09),
        row(12, 0.2),
        row(20, 0.5, None),
        {"name": "t", "n": 5, "asked": "", "ended": "theorem"},
    ]
    said = summary(rows, 0.05, hard=False)
    assert (
        "MET       optima equal as fractions: 2 of 2" in said and "the peer was ended in 1" in said
    )
    assert (
        "NOT MET   the peer takes 10 times as long on every one: 2 of 3, least 4.0 times: 6" in said
    )
    assert "it does on every one with n above 6" in said
    assert "NOT MET   the peer is never faster: faster in 1 of 1" in summary(
        [row(6, 0.055)], 0.05, hard=True
    )
    assert "NOT MET   optima equal as fractions: 0 of 1" in summary(
        [row(6, 1.0, False)], 0.05, hard=True
    )
    unproven = {"name": "u", "n": 5, "asked": "", "ended": "no proof of optimality"}
    assert "NOT MET   optima equal as fractions: 0 of 0" in summary([unproven], 0.05, hard=True)
