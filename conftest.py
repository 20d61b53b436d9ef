"""Who reads what first; doctests of modules whose optional dependency is missing are left out,
as their tests are.
"""

import os
import sys
from collections.abc import Generator
from importlib.util import find_spec
from pathlib import Path

import pytest
from _pytest.doctest import DoctestModule
from tests import scheduling

# Compiled files are kept whatever the shell says: the tests start hundreds of processes that import
# the library.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

_NEEDS = {
    "studio/app.py": "starlette",
    "studio/server.py": "uvicorn",
    "tables/engines/spark/*.py": "pyspark",
}

# The front door has no doctests; what it has loaded by then is tested where it lives.
collect_ignore = ["src/discreet/__init__.py"]
collect_ignore_glob = [
    f"src/discreet/{paths}" for paths, module in _NEEDS.items() if find_spec(module) is None
]


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(
    file_path: Path,
) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Look for doctests only where there are any: three modules of four have none."""
    found = yield
    if file_path.suffix == ".py" and b">>> " not in file_path.read_bytes():
        return [one for one in found if not isinstance(one, DoctestModule)]
    return found


def pytest_collect_directory(path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Each of several processes reads the tests in an order of its own."""
    apart = path == Path(__file__).parent / "tests" and hasattr(parent.config, "workerinput")
    return scheduling.Apart.from_parent(parent, path=path) if apart else None
