"""What a measurement ran on: processor, cores, memory, versions, and nothing that names the
machine.
"""

from __future__ import annotations

import os
import platform
from importlib.metadata import distributions
from pathlib import Path
from typing import Any

PACKAGES = ("numpy", "cryptography", "highspy", "python-flint", "duckdb", "pyarrow", "numba")


def machine() -> dict[str, Any]:
    """Say what this ran on; nothing that names the machine."""
    cpu = Path("/proc/cpuinfo")
    models = (
        [
            line.split(":")[1].strip()
            for line in cpu.read_text().splitlines()
            if "model name" in line
        ]
        if cpu.exists()
        else []
    )
    has_pages = hasattr(os, "sysconf") and "SC_PHYS_PAGES" in os.sysconf_names
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**30 if has_pages else None
    installed = {d.metadata["Name"].lower(): d.version for d in distributions()}
    return {
        "system": f"{platform.system()} {platform.machine()}",
        "processor": models[0] if models else platform.processor(),
        "cores": os.cpu_count(),
        "memory_gib": memory and round(memory, 1),
        "load_before": round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None,
        "versions": {
            "Python": platform.python_version(),
            "discreet": installed.get("discreet") or __import__("discreet").__version__,
            **{name: installed[name] for name in PACKAGES if name in installed},
        },
    }
