"""Doctests of modules whose optional dependency is missing are left out, as their tests are."""

from importlib.util import find_spec

_NEEDS = {
    "studio/app.py": "starlette",
    "studio/server.py": "uvicorn",
    "tables/engines/spark.py": "pyspark",
    "tables/engines/spark_expressions.py": "pyspark",
}

collect_ignore = [f"src/discreet/{path}" for path, module in _NEEDS.items() if find_spec(module) is None]
