"""Private counts of small groups: designed optimally, proven exactly, released safely, read honestly.

Every public name is loaded on first use, so `import discreet` costs almost nothing: not even NumPy.
"""

from __future__ import annotations

import importlib
from types import FunctionType
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

if TYPE_CHECKING:  # the same once more for type checkers and editors, which do not run `__getattr__`
    from discreet import errors as errors
    from discreet.accuracy import epsilon_needed as epsilon_needed
    from discreet.accuracy import size_needed as size_needed
    from discreet.auditing import audit as audit
    from discreet.choosing.census import census as census
    from discreet.choosing.comparison import compare as compare
    from discreet.choosing.recommendation import recommend as recommend
    from discreet.closed_forms import exponential as exponential
    from discreet.closed_forms import fair as fair
    from discreet.closed_forms import geometric as geometric
    from discreet.closed_forms import laplace as laplace
    from discreet.closed_forms import randomized_response as randomized_response
    from discreet.closed_forms import staircase as staircase
    from discreet.closed_forms import uniform as uniform
    from discreet.closed_forms import weakly_honest as weakly_honest
    from discreet.designer import design as design
    from discreet.designer import design_many as design_many
    from discreet.errors import DiscreetError as DiscreetError
    from discreet.estimation import combine as combine
    from discreet.estimation import estimate as estimate
    from discreet.estimation import one_group as one_group
    from discreet.files import load as load
    from discreet.mechanism import Mechanism as Mechanism
    from discreet.mechanism import from_matrix as from_matrix
    from discreet.plots import plot as plot
    from discreet.plots import plot_costs as plot_costs
    from discreet.privacy import Alpha as Alpha
    from discreet.proof import verify as verify
    from discreet.properties import IMPLICATIONS as IMPLICATIONS
    from discreet.properties import PROPERTIES as PROPERTIES
    from discreet.tables import Release as Release
    from discreet.tables import plan as plan
    from discreet.tables import read_release as read_release
    from discreet.tables import release as release
    from discreet.transforms import derives_from_geometric as derives_from_geometric
    from discreet.transforms import mix as mix
    from discreet.transforms import postprocess as postprocess
    from discreet.transforms import symmetrise as symmetrise

else:

    def __getattr__(name: str) -> Any:
        if name == "errors":
            return importlib.import_module("discreet.errors")
        if name not in _HOME:
            raise AttributeError(f"module 'discreet' has no attribute {name!r}")
        value = getattr(importlib.import_module(f"discreet.{_HOME[name]}"), name)
        if isinstance(value, FunctionType):
            value = importlib.import_module("discreet.keywords").with_known_keywords(value)
            value.__module__ = __name__  # where a pickle finds this very function again
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted(__all__)
