"""The line that installs what an extra of `discreet` needs, from the package's own metadata."""

from __future__ import annotations

import re


def install_line(extra: str) -> str:
    """Return what installs the packages of an extra, by their own names: an index need not have
    `discreet` itself.

    >>> print(install_line("tables"))
    pip install "duckdb>=..." "pyarrow>=..."
    """
    from importlib.metadata import PackageNotFoundError, requires

    try:
        stated = requires("discreet") or []
    except PackageNotFoundError:  # a folder of the source that was not installed
        stated = []
    parts = (line.partition(";") for line in stated)
    named = [
        name.strip() for name, _, when in parts if re.search(rf"extra == ['\"]{extra}['\"]", when)
    ]
    if not named:
        return f"in the folder of discreet, pip install '.[{extra}]'"
    return "pip install " + " ".join(f'"{name}"' for name in named)  # quotes that every shell knows
