"""The designer: the optimal mechanism of any shape, exact and with its proof.

problems     what was asked, as one exact value
theorems     which closed form answers it, with its guards; relabelling
program      the paper's linear program, folded and thinned
starting     a basis to start from; solver (the only HiGHS import) walks from there in floats
forest       a basis as trees of tight ratios; exact: its vertex and dual; completing, pivots: its repair
canonical    which optimum, when there are many
unfold       back to the full matrix and the certificate; bounds: what multipliers prove
designing    `design`; many: `design_many`; cache: designs kept on disk; estimate: how long it takes
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from discreet.designer.cache import cached_designs as cached_designs
    from discreet.designer.cache import clear_designs as clear_designs
    from discreet.designer.designing import design as design

_HOME = {
    "design": "designing",
    "cached_designs": "cache",
    "clear_designs": "cache",
}

__all__ = list(_HOME)


def __getattr__(name: str) -> Any:
    # Loaded on first use: a closed form needs no NumPy, solver or big-number library.
    import importlib

    if name not in _HOME:
        raise AttributeError(f"module 'discreet.designer' has no attribute {name!r}")
    return getattr(importlib.import_module(f"discreet.designer.{_HOME[name]}"), name)
