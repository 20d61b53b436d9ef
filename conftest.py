"""Doctests of modules whose optional dependency is missing are left out, as their tests are."""

import os
import sys
from importlib.util import find_spec

# Compiled files are kept whatever the shell says: the tests start hundreds of processes that import the library.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

_NEEDS = {
    "studio/app.py": "starlette",
    "studio/server.py": "uvicorn",
    "tables/engines/spark/*.py": "pyspark",
}

# The front door has no doctests; what it has loaded by then is tested where it lives.
collect_ignore = ["src/discreet/__init__.py"]
collect_ignore_glob = [f"src/discreet/{paths}" for paths, module in _NEEDS.items() if find_spec(module) is None]
