"""The benchmark's report hides nothing: what failed or did not install stands where its number would be."""

from __future__ import annotations

import json

import pytest
from bench.peers import Peer, run_peer
from bench.report import SECTIONS, markdown, section

REPORT = {
    "made": "2026-11-15T00:00:00+00:00",
    "quick": True,
    "machine": {"system": "Linux", "processor": "any", "cores": 2, "memory_gib": 8, "load_before": 0.1, "versions": {}},
    "parts": {
        "noise_peers": {
            "command": "python -m bench.noise_peers",
            "seconds": 1.0,
            "cpu": 1.0,
            "result": [{"what": "A peer", "name": "peer", "missing": ["peer: does not install: no such thing"]}],
        },
        "design": {"command": "python -m bench.design", "seconds": 1.0, "cpu": 1.0, "failed": ["SystemExit: unproven"]},
    },
}


def test_a_peer_that_is_missing_is_named_with_the_reason():
    assert "| A peer | did not run: peer: does not install: no such thing |" in markdown(REPORT)


def test_a_part_that_failed_says_so():
    assert "    SystemExit: unproven" in section(REPORT, "design")


def test_a_part_that_was_not_run_says_so():
    assert markdown(REPORT).count("Not measured in this run.") == len(SECTIONS) - 2


@pytest.mark.slow
def test_a_peer_that_cannot_be_installed_is_reported(tmp_path, monkeypatch):
    monkeypatch.setenv("DISCREET_BENCH_CACHE", str(tmp_path))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    peer = Peer(name="nobody", tries=(("no-such-distribution-anywhere",),), check="pass", script="print('{}')")
    found = run_peer(peer)
    assert found["name"] == "nobody" and "does not install" in json.dumps(found["missing"])
