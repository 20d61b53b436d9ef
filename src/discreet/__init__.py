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
    "Alpha": "privacy",
    "IMPLICATIONS": "properties",
    "PROPERTIES": "properties",
    "Mechanism": "mechanism",
    "from_matrix": "mechanism",
    "geometric": "closed_forms",
    "fair": "closed_forms",
    "weakly_honest": "closed_forms",
    "uniform": "closed_forms",
    "randomized_response": "closed_forms",
    "exponential": "closed_forms",
    "laplace": "closed_forms",
    "staircase": "closed_forms",
    "design": "designer",
    "design_many": "designer",
    "mix": "transforms",
    "symmetrise": "transforms",
    "postprocess": "transforms",
    "derives_from_geometric": "transforms",
    "recommend": "choosing.recommendation",
    "compare": "choosing.comparison",
    "census": "choosing.census",
    "load": "files",
    "verify": "proof",
    "epsilon_needed": "accuracy",
    "size_needed": "accuracy",
    "estimate": "estimation",
    "one_group": "estimation",
    "combine": "estimation",
    "plot": "plots",
    "plot_costs": "plots",
    "audit": "auditing",
    "plan": "tables",
    "release": "tables",
    "read_release": "tables",
    "Release": "tables",
}

__all__ = ["__version__", "errors", *_HOME]

if TYPE_CHECKING:
    from discreet import errors as errors
    from discreet.errors import DiscreetError as DiscreetError


def __getattr__(name: str) -> Any:
    if name == "errors":
        return importlib.import_module("discreet.errors")
    if name not in _HOME:
        raise AttributeError(f"module 'discreet' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"discreet.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
