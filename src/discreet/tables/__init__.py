"""Releases of whole tables: `plan` shows the price, `release` spends it, `read_release` reads what came out.

    sources, files, queries   what a table can be, and how it is read
    expressions, question     what is asked of it, checked before a row is read
    engines                   DuckDB on one machine, Spark on many
    choosing, drawing         each size's mechanism, each group's draw
    account, bundle           the ledger's entry and the rename that shows the result
    manifest, result          what came out

Names are loaded on first use: a Spark worker needs the drawing only, not the designer.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from discreet.tables.planning import Plan, plan
    from discreet.tables.published.manifest import Manifest, read_manifest
    from discreet.tables.published.result import Release, read_release
    from discreet.tables.releasing import release

_HOME = {
    "Manifest": "manifest",
    "Plan": "planning",
    "Release": "result",
    "plan": "planning",
    "read_manifest": "manifest",
    "read_release": "result",
    "release": "releasing",
}

__all__ = [
    "Manifest",
    "Plan",
    "Release",
    "plan",
    "read_manifest",
    "read_release",
    "release",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'discreet.tables' has no attribute {name!r}")
    return getattr(importlib.import_module(f"discreet.tables.{_HOME[name]}"), name)
