"""Peers run in environments of their own, made once under a cache folder: what they need must
not meet what we need.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import venv
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Peer:
    """A library to compare with: how it installs, and a script that prints its measurement as
    JSON.
    """

    name: str
    tries: tuple[tuple[str, ...], ...]  # lists of requirements, the plainest first
    check: str  # an import that shows it works
    script: str


def cache_folder() -> Path:
    """Where environments are kept; DISCREET_BENCH_CACHE moves it."""
    default = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "discreet-bench"
    return Path(os.environ.get("DISCREET_BENCH_CACHE") or default)


def find_python(peer: Peer) -> tuple[Path | None, list[str]]:
    """Return the Python of the first environment in which the peer works (None: in none), and
    what failed before.
    """
    reasons = []
    for attempt, requirements in enumerate(peer.tries):
        python, reason = _environment(peer, attempt, requirements)
        if not reason:
            return python, reasons
        reasons.append(f"{' '.join(requirements)}: {reason}")
    return None, reasons


def run_peer(peer: Peer, *arguments: object) -> dict[str, Any]:
    """Return what the peer's script printed, or under "missing" why it did not run: reported,
    never hidden.
    """
    reasons = []
    for attempt, requirements in enumerate(peer.tries):
        python, reason = _environment(peer, attempt, requirements)
        if reason:
            reasons.append(f"{' '.join(requirements)}: {reason}")
            continue
        done = subprocess.run(
            [python, "-I", "-c", peer.script, *map(str, arguments)],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            reasons.append(f"{' '.join(requirements)}: {_last_line(done.stderr)}")
            continue
        measured: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
        return {
            "name": peer.name,
            "installed": list(requirements),
            "tried before": reasons,
            **measured,
        }
    return {"name": peer.name, "missing": reasons}


def _environment(peer: Peer, attempt: int, requirements: tuple[str, ...]) -> tuple[Path, str]:
    """Return the environment's Python and what is wrong with it, if anything."""
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    folder = cache_folder() / f"{peer.name}-{attempt}-py{version}"
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    if not python.exists():
        print(f"making an environment for {peer.name} ...", file=sys.stderr)
        venv.create(folder, with_pip=True)
    if not (folder / "installed").exists():
        done = subprocess.run(
            [python, "-m", "pip", "install", "--quiet", *requirements],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            return python, f"does not install: {_last_line(done.stderr)}"
        (folder / "installed").write_text(" ".join(requirements))
    done = subprocess.run(
        [python, "-I", "-c", peer.check], capture_output=True, text=True, check=False
    )
    return python, f"does not import: {_last_line(done.stderr)}" if done.returncode else ""


def _last_line(text: str) -> str:
    """Return the last line of an error, without the folders of this machine."""
    return re.sub(
        r" ?\(?(/[^\s)/]+){2,}\)?", "", (text.strip().splitlines() or ["no message"])[-1]
    )[:200]
