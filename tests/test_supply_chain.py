"""`make vulnerabilities` never says that all is well when nobody could be asked."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[1] / ".ci" / "known-vulnerabilities"
FLAW = {"id": "PYSEC-1", "fix_versions": ["2.0"], "aliases": [], "description": ""}
FINE = {"name": "numpy", "version": "1", "vulns": []}
UNKNOWN = {"name": "duckdb", "skip_reason": "Dependency not found on PyPI"}


@pytest.mark.parametrize(
    ("packages", "code", "said"),
    [
        ([FINE], 0, "1 packages looked up, 0 known"),
        (
            [FINE, {"name": "discreet", "skip_reason": "not found"}],
            0,
            "1 packages looked up, 0 known",
        ),
        ([FINE, UNKNOWN], 2, "1 of 2 packages could not be looked up: duckdb"),
        ([FINE | {"vulns": [FLAW]}, UNKNOWN], 1, "numpy 1: PYSEC-1, mended in 2.0"),
        (None, 2, "nothing was looked up"),
    ],
)
def test_what_could_not_be_looked_up_is_no_good_news(tmp_path, packages, code, said):
    """A stand-in for pip-audit, whose database needs the network: what is tested is how its answer is read."""
    answer = "" if packages is None else json.dumps({"dependencies": packages})
    (stand_in := tmp_path / "pip-audit").write_text(f"#!/bin/sh\ncat <<'END'\n{answer}\nEND\n")
    stand_in.chmod(0o755)
    done = subprocess.run(
        [sys.executable, SCRIPT, stand_in, sys.executable],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code
    assert said in done.stdout
