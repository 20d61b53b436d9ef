"""Private counts of small groups: designed optimally, proven exactly, released safely, read honestly.

Every public name is loaded on first use, so `import discreet` costs almost nothing: not even NumPy.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

# The public names and the modules they live in; nothing else is public.
_HOME = {
    "DiscreetError": "errors",
}

__all__ = ["__version__", *_HOME]  # noqa: PLE0604 - the names are the table's keys

if TYPE_CHECKING:
    from discreet.errors import DiscreetError as DiscreetError


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'discreet' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"discreet.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
