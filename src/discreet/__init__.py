"""Private counts of small groups: designed optimally, proven exactly, released safely, read
honestly.

Every public name is loaded on first use, so `import discreet` costs almost nothing: not even NumPy.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from types import FunctionType
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

__version__ = "0.1.0"

P = ParamSpec("P")
R = TypeVar("R")

# The public names and the modules they live in; nothing else is public.
_HOME = {
    "DiscreetError": "errors",
    "Alpha": "core.rationals",
    "IMPLICATIONS": "core.properties",
    "PROPERTIES": "core.properties",
    "rows": "core.own_rows",
    "Mechanism": "core.mechanism",
    "from_matrix": "core.exchange.matrices",
    "geometric": "core.named",
    "fair": "core.named",
    "weakly_honest": "core.named",
    "uniform": "core.named",
    "randomized_response": "core.named",
    "exponential": "core.named",
    "laplace": "core.named",
    "staircase": "core.named",
    "design": "designer",
    "design_many": "designer",
    "best_cost": "designer.large.any_size",
    "cells": "designer.orbits.cell_by_cell",
    "mix": "core.transforms",
    "symmetrise": "core.transforms",
    "postprocess": "core.transforms",
    "derives_from_geometric": "core.transforms",
    "recommend": "choosing.recommendation",
    "compare": "choosing.comparison",
    "census": "choosing.census",
    "load": "proof.loading",
    "verify": "proof",
    "epsilon_needed": "reading.needed",
    "size_needed": "reading.needed",
    "estimate": "reading.estimates",
    "one_group": "reading.group",
    "combine": "reading.combining",
    "report": "reporting",
    "plot": "show.charts",
    "plot_costs": "show.charts",
    "audit": "auditing",
    "open_ledger": "ledger",
    "plan": "tables.planning",
    "release": "tables.releasing",
    "read_release": "tables.published.result",
    "Release": "tables.published.result",
    "retrofit": "tables.after.retrofitting",
}

__all__ = ["__version__", "errors", *_HOME]

if (
    TYPE_CHECKING
):  # the same once more for type checkers and editors, which do not run `__getattr__`
    from discreet import errors as errors
    from discreet.auditing import audit as audit
    from discreet.choosing.census import census as census
    from discreet.choosing.comparison import compare as compare
    from discreet.choosing.recommendation import recommend as recommend
    from discreet.core.exchange.matrices import from_matrix as from_matrix
    from discreet.core.mechanism import Mechanism as Mechanism
    from discreet.core.named import exponential as exponential
    from discreet.core.named import fair as fair
    from discreet.core.named import geometric as geometric
    from discreet.core.named import laplace as laplace
    from discreet.core.named import randomized_response as randomized_response
    from discreet.core.named import staircase as staircase
    from discreet.core.named import uniform as uniform
    from discreet.core.named import weakly_honest as weakly_honest
    from discreet.core.own_rows import rows as rows
    from discreet.core.properties import IMPLICATIONS as IMPLICATIONS
    from discreet.core.properties import PROPERTIES as PROPERTIES
    from discreet.core.rationals import Alpha as Alpha
    from discreet.core.transforms import derives_from_geometric as derives_from_geometric
    from discreet.core.transforms import mix as mix
    from discreet.core.transforms import postprocess as postprocess
    from discreet.core.transforms import symmetrise as symmetrise
    from discreet.designer import design as design
    from discreet.designer import design_many as design_many
    from discreet.designer.large.any_size import best_cost as best_cost
    from discreet.designer.orbits.cell_by_cell import cells as cells
    from discreet.errors import DiscreetError as DiscreetError
    from discreet.ledger import open_ledger as open_ledger
    from discreet.proof import verify as verify
    from discreet.proof.loading import load as load
    from discreet.reading.combining import combine as combine
    from discreet.reading.estimates import estimate as estimate
    from discreet.reading.group import one_group as one_group
    from discreet.reading.needed import epsilon_needed as epsilon_needed
    from discreet.reading.needed import size_needed as size_needed
    from discreet.reporting import report as report
    from discreet.show.charts import plot as plot
    from discreet.show.charts import plot_costs as plot_costs
    from discreet.tables.after.retrofitting import retrofit as retrofit
    from discreet.tables.planning import plan as plan
    from discreet.tables.published.result import Release as Release
    from discreet.tables.published.result import read_release as read_release
    from discreet.tables.releasing import release as release

else:

    def __getattr__(name: str) -> Any:
        if name == "errors":
            return importlib.import_module("discreet.errors")
        if name not in _HOME:
            raise AttributeError(f"module 'discreet' has no attribute {name!r}")
        value = getattr(importlib.import_module(f"discreet.{_HOME[name]}"), name)
        if isinstance(value, FunctionType):
            value = with_known_keywords(value)
            value.__module__ = __name__  # where a pickle finds this very function again
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted(__all__)


def with_known_keywords(verb: Callable[P, R], *, besides: Sequence[str] = ()) -> Callable[P, R]:
    """Wrap a public function so that unknown keywords are refused before it runs, with the nearest
    known one.

    Its signature, help and types stay, and every version of Python says the same. `besides` lists
    further keywords to suggest: those that a caller takes itself before it passes the rest on.

    >>> def design(*, n, properties=""): ...
    >>> with_known_keywords(design)(n=8, propertys="F")
    Traceback (most recent call last):
        ...
    discreet.errors.UnknownKeyword: design() has no parameter `propertys`: did you mean properties?
    """
    from functools import wraps
    from inspect import Parameter, signature

    from discreet.errors import UnknownKeyword, did_you_mean

    parameters = signature(verb).parameters.values()
    if any(each.kind is Parameter.VAR_KEYWORD for each in parameters):
        return verb  # it passes keywords on to a function that checks its own
    named = {
        each.name
        for each in parameters
        if each.kind in (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)
    }

    @wraps(verb)
    def checked(*args: P.args, **kwargs: P.kwargs) -> R:
        for name in kwargs:
            if name not in named:
                nearest = did_you_mean(name, sorted({*named, *besides}))
                raise UnknownKeyword(f"{verb.__name__}() has no parameter `{name}`", remedy=nearest)
        return verb(*args, **kwargs)

    return checked
